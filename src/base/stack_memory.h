/* Remembers a thread's walks, so that the same walk need not be repeated.
 *
 * A walk is a function of what it reads: a few registers at its start, and words of the stack. Each
 * value decides which one is read next. So walks are kept as a tree. A node means "these values
 * were read so far", and says what to read next, or which stack of the depot results. Following it
 * is one comparison per word. It only assumes that the code at an address has not changed. (If a
 * module is unloaded, another one might be loaded whose calls return to the very same addresses
 * with frames of other sizes. Then a frame could be left out. The words are in the thread's own
 * stack in any case.)
 *
 * Only for stacks whose end is known, so that each word is readable: the one that the system gave
 * the thread. Threads: the calling thread's own. */
#ifndef ASSAY_STACK_MEMORY_H
#define ASSAY_STACK_MEMORY_H

#include "base/base.h"

/* The kind of value to read next: a word of the stack above the start, a register at the start, or
 * none. */
enum stack_question { ASK_STACK, ASK_REGISTER, ASK_NOTHING };

struct stack_step {
    uint64_t value; /* value of the word or register */
    /* enum stack_question << 30 | distance in words, or number of the register */
    uint32_t question;
};

#define STACK_STEPS 96

/* The last walk of stack_leave_module() on the thread, and its result. */
#define LEFT_STEPS 8
struct left_module {
    uintptr_t start, caller; /* 0: there was no walk */
    bool (*is_left)(const char *path);
    const void *found;
    uint32_t step_count;
    struct stack_step steps[LEFT_STEPS];
};

/* The remembered walks. struct thread owns it, as one allocation. */
struct stack_memory {
    uintptr_t low, end; /* bounds of the thread's stack; 0 and 0: not known */
    struct left_module left;
    uint32_t node_count; /* number in use */
    struct stack_node {
        uint64_t value;
        uint32_t parent; /* 0: a free node; 1: the first step */
        /* like stack_step::question; for ASK_NOTHING the lower bits are the number in the depot */
        uint32_t next;
    } nodes[8192]; /* open addressing, by parent and value; a node's number is its index + 2 */
};

/* The calling thread's memory; NULL: out of memory. */
struct stack_memory *stack_memory(void) MUST_CHECK;

/* Follows the tree. True: `*number` is the one that stack_memory_keep() got for such a walk.
 * `start`: the stack pointer, which is in the thread's stack; `caller`: the return address to be
 * found. */
bool stack_memory_find(const struct stack_memory *memory, uintptr_t start, uintptr_t caller,
                       const uintptr_t *registers, uint32_t *number) MUST_CHECK;

void stack_memory_keep(struct stack_memory *memory, uintptr_t start, uintptr_t caller,
                       const struct stack_step *steps, uint32_t step_count, uint32_t number);

#endif
