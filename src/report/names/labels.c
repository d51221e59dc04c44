/* Keeps the labels that are open in a queue or command buffer. */
#include "report/names/labels.h"
#include "report/names/long_name.h"

#include "base/vec.h"

#include <string.h>

/* open labels that are kept; a program with more probably does not end its labels */
#define DEPTH_LIMIT 256

/* Pushes a label with a copy of its name. `color` NULL: all components are 0. Returns false if the
 * stack is too deep, or memory is out. */
static bool label_stack_push(struct label_stack *stack, const char *name, const float color[4])
{
    assert(name && stack->count <= stack->capacity);
    const struct cut_name cut = cut_name(name);
    const size_t length = cut_name_size(&cut);
    /* A program that never ends its labels must not fill the memory. */
    if (stack->count == DEPTH_LIMIT || length > UINT16_MAX)
        return false;
    if (!vec_room(&stack->labels, stack->count, &stack->capacity, 8, sizeof(*stack->labels)))
        return false;
    if (stack->names_used + length > stack->names_capacity) {
        uint32_t capacity = stack->names_capacity * 2 + (uint32_t)length + 128;
        char *names = mem_resize(stack->names, capacity);
        if (!names)
            return false;
        stack->names = names;
        stack->names_capacity = capacity;
    }
    struct label *label = &stack->labels[stack->count++];
    /* The name is kept as an offset, since the array of names moves when it grows. */
    label->name_offset = stack->names_used;
    label->muted = false;
    for (int i = 0; i < 4; i++)
        label->color[i] = color ? color[i] : 0.0f;
    cut_name_write(&cut, name, stack->names + stack->names_used);
    stack->names_used += (uint32_t)length;
    return true;
}

/* Removes the innermost label. Its name is the last in the array of names and is removed, too. */
static void label_stack_pop(struct label_stack *stack)
{
    assert(stack->count > 0);
    const struct label *label = &stack->labels[--stack->count];
    stack->names_used = label->name_offset;
    stack->muted -= label->muted;
}

/* Removes a label of an Insert command, which is valid until the next label command. */
static void drop_inserted(struct label_stack *stack)
{
    if (stack->inserted)
        label_stack_pop(stack);
    stack->inserted = false;
}

void label_stack_begin(struct label_stack *stack, const char *name, const float color[4],
                       bool muted)
{
    assert(name);
    drop_inserted(stack);
    if (stack->unseen || !label_stack_push(stack, name, color)) {
        stack->unseen++;
        return;
    }
    stack->labels[stack->count - 1].muted = muted;
    stack->muted += muted;
}

void label_stack_insert(struct label_stack *stack, const char *name, const float color[4])
{
    drop_inserted(stack);
    stack->inserted = !stack->unseen && label_stack_push(stack, name, color);
}

void label_stack_end(struct label_stack *stack)
{
    drop_inserted(stack);
    if (stack->unseen)
        stack->unseen--;
    else if (stack->count)
        label_stack_pop(stack);
}

void label_stack_clear(struct label_stack *stack)
{
    stack->count = stack->names_used = stack->unseen = stack->muted = 0;
    stack->inserted = false;
}

uint32_t label_stack_open(const struct label_stack *stack)
{
    assert(stack->count >= stack->inserted);
    return stack->count - stack->inserted + stack->unseen;
}

struct label_list label_stack_copy(const struct label_stack *stack)
{
    struct label_list list = {0};
    if (!stack->count)
        return list;
    /* Labels and names are in one allocation, so that the caller frees `labels` alone. */
    list.labels = mem_alloc(stack->count * sizeof(*list.labels) + stack->names_used);
    if (!list.labels)
        return list;
    list.count = stack->count;
    char *names = (char *)(list.labels + list.count);
    memcpy(names, stack->names, stack->names_used);
    for (uint32_t i = 0; i < list.count; i++) {
        list.labels[i] = (VkDebugUtilsLabelEXT){.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                                .pLabelName = names + stack->labels[i].name_offset};
        memcpy(list.labels[i].color, stack->labels[i].color, sizeof(list.labels[i].color));
    }
    return list;
}

void label_stack_free(struct label_stack *stack)
{
    mem_free(stack->labels);
    mem_free(stack->names);
}
