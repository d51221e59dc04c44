/* Keeps walks as a tree in an open-addressing table. The key of a node is its parent and a
 * value. */
#define _GNU_SOURCE
#include "base/stack_memory.h"

#include <pthread.h>
#include <string.h>

#include "base/thread.h"

/* Number of entries in the table. */
#define PLACES     ARRAY_LENGTH(((struct stack_memory *)NULL)->nodes)
#define NODES_MOST ((uint32_t)(PLACES / 4 * 3)) /* then all is forgotten, and learned again */
#define ROOT       1u
/* Bits of a node's `next` for the number of the register, word or stack; two more bits are for the
 * kind. */
#define VALUE_BITS 30

/* The index at which the search for a node begins; it continues linearly. */
static uint32_t stack_memory_place(uint32_t parent, uint64_t value)
{
    uint64_t hash = (value ^ (uint64_t)parent << 40) * 0x9e3779b97f4a7c15ull;
    return (uint32_t)(hash >> 40) % PLACES;
}

/* The node, or the free entry where it would be inserted. */
static ALWAYS_INLINE const struct stack_node *
stack_memory_look_up(const struct stack_memory *memory, uint32_t parent, uint64_t value)
{
    for (uint32_t place = stack_memory_place(parent, value);; place = (place + 1) % PLACES) {
        const struct stack_node *node = &memory->nodes[place];
        if ((node->value == value && node->parent == parent) || !node->parent)
            return node;
    }
}

/* The number of a node. They begin at 2: 0 is a free entry, and 1 is ROOT. */
static ALWAYS_INLINE uint32_t stack_memory_node_number(const struct stack_memory *memory,
                                                       const struct stack_node *node)
{
    return (uint32_t)(node - memory->nodes) + 2;
}

struct stack_memory *stack_memory(void)
{
    struct thread *thread = thread_self();
    if (likely(thread->stack))
        return thread->stack;
    struct stack_memory *made = mem_alloc_zeroed(sizeof(*made));
    if (!made)
        return NULL;
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        void *low = NULL;
        size_t size = 0;
        if (pthread_attr_getstack(&attributes, &low, &size) == 0) {
            made->low = (uintptr_t)low;
            made->end = (uintptr_t)low + size;
        }
        (void)pthread_attr_destroy(&attributes);
    }
    thread->stack = made;
    (void)thread_number(); /* the data of a thread with a number is freed at its end */
    return made;
}

/* The sanitizers are off, as the words belong to other functions. */
__attribute__((no_sanitize("address", "thread", "undefined"))) bool
stack_memory_find(const struct stack_memory *memory, uintptr_t start, uintptr_t caller,
                  const uintptr_t *registers, uint32_t *number)
{
    const volatile uintptr_t *stack = (const volatile uintptr_t *)start;
    const struct stack_node *node = stack_memory_look_up(memory, ROOT, start);
    if (!node->parent)
        return false;
    node = stack_memory_look_up(memory, stack_memory_node_number(memory, node), caller);
    while (node->parent) {
        uint32_t below = node->next & ((1u << VALUE_BITS) - 1);
        switch (node->next >> VALUE_BITS) {
        case ASK_STACK:
            node =
                stack_memory_look_up(memory, stack_memory_node_number(memory, node), stack[below]);
            break;
        case ASK_REGISTER:
            node = stack_memory_look_up(memory, stack_memory_node_number(memory, node),
                                        registers[below]);
            break;
        default:
            *number = below;
            return true;
        }
    }
    return false;
}

/* The number of the node after `parent` for `value`, which is added if necessary with `next`. */
static uint32_t step_to(struct stack_memory *memory, uint32_t parent, uint64_t value, uint32_t next)
{
    struct stack_node *node =
        &memory->nodes[stack_memory_look_up(memory, parent, value) - memory->nodes];
    if (!node->parent)
        memory->node_count++;
    *node = (struct stack_node){.value = value, .parent = parent, .next = next};
    return stack_memory_node_number(memory, node);
}

void stack_memory_keep(struct stack_memory *memory, uintptr_t start, uintptr_t caller,
                       const struct stack_step *steps, uint32_t step_count, uint32_t number)
{
    if (memory->node_count + step_count + 2 > NODES_MOST) {
        memset(memory->nodes, 0, sizeof(memory->nodes));
        memory->node_count = 0;
    }
    uint32_t last = (uint32_t)ASK_NOTHING << VALUE_BITS | number,
             node = step_to(memory, ROOT, start, (uint32_t)ASK_NOTHING << VALUE_BITS);
    node = step_to(memory, node, caller, step_count ? steps[0].question : last);
    for (uint32_t i = 0; i < step_count; i++)
        node = step_to(memory, node, steps[i].value,
                       i + 1 < step_count ? steps[i + 1].question : last);
}
