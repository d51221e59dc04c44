/* Walks of a thread that were made before, so that the same one need not be made again.
 *
 * A walk is a function of what it reads: a few registers at its start, and words of the stack. Each
 * one read decides which one is read next. So walks are kept as a tree. A node is "these values
 * were read so far", and says what to read next, or which stack of the depot it is. Following it is
 * a comparison a word; nothing is taken for granted but that the code at an address is what it was.
 * (A module might be unloaded, and another one loaded whose calls return to the very same addresses
 * with frames of other sizes. Then a frame could be left out. The words are the thread's own stack
 * in any case.)
 *
 * Only for stacks whose end is known, so that each word can be read: the one that the system gave
 * the thread. Threads: the calling thread's own. */
#ifndef ASSAY_STACK_MEMORY_H
#define ASSAY_STACK_MEMORY_H

#include "base/base.h"

/* The next thing to read: words of the stack above the start, a register of the start, or nothing
 * more. */
enum stack_question { ASK_STACK, ASK_REGISTER, ASK_NOTHING };

struct stack_step {
    uint64_t value;    /* the word that was read */
    uint32_t question; /* by which: enum stack_question << 30 | words, number of the register */
};

#define STACK_STEPS 96

/* The last walk of stack_leave_module() on the thread, and its result. */
#define LEFT_STEPS 8
struct left_module {
    uintptr_t start, caller; /* 0: of no walk */
    bool (*is_left)(const char *path);
    const void *found;
    uint32_t step_count;
    struct stack_step steps[LEFT_STEPS];
};

/* Owned by struct thread, one allocation. */
struct stack_memory {
    uintptr_t low, end; /* the thread's stack; 0 and 0 when it is not known */
    struct left_module left;
    uint32_t node_count; /* that are in use */
    struct stack_node {
        uint64_t value;
        uint32_t parent; /* 0: of no walk; 1: the first step */
        /* as stack_step::question; of ASK_NOTHING the lower bits are the number in the depot */
        uint32_t next;
    } nodes[8192]; /* open addressing, by parent and value; a node's number is its place + 2 */
};

/* The thread's own; NULL when memory is out. */
struct stack_memory *stack_memory(void) MUST_CHECK;

/* Follows the tree. True: `*number` is what stack_memory_keep() was given for such a walk. `start`:
 * the stack pointer, which is within the memory's stack; `caller`: the return address that is
 * looked for. */
bool stack_memory_find(const struct stack_memory *memory, uintptr_t start, uintptr_t caller,
                       const uintptr_t *registers, uint32_t *number) MUST_CHECK;

void stack_memory_keep(struct stack_memory *memory, uintptr_t start, uintptr_t caller,
                       const struct stack_step *steps, uint32_t step_count, uint32_t number);

#endif
