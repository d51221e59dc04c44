/* The calling thread's stack: where the functions that are under way will return to. */
#ifndef ASSAY_STACK_H
#define ASSAY_STACK_H

#include "base/base.h"

#define STACK_FRAMES 64

/* Fills `frames` with return addresses, innermost first, from the one into the function that calls
 * this one on. Returns how many. The first function of a thread (_start, clone) is left out: it is
 * the system's. By unwind tables, which release builds have as well. Code without them, made at run
 * time, is read where it stands right before its return (base/unwind_code.h); else it must have
 * frame pointers. What cannot be a frame ends the walk. The stack is read only where the system
 * says that it can be read, and each frame must lie above the one before. So a stack that is
 * broken, or of a coroutine, costs frames and nothing else. Cost: some 20
 * ns a frame that was met before, 400 ns otherwise. No allocation. Threads: any. */
uint32_t stack_walk(const void **frames, uint32_t capacity) MUST_CHECK __attribute__((noinline));

/* The first return address outside of the module that `caller` lies in, from the frame that returns
 * to `caller` outwards. NULL: the stack does not lead there, or `caller` is in no module whose path
 * is_left() accepts, which answers the same of the same path. Cost: that of stack_walk() for the
 * frames up to there. A thread that comes after the first few walks of the process remembers its
 * last one (4 KB): the same walk again is a comparison a frame. Threads: any. */
const void *stack_leave_module(const void *caller, bool (*is_left)(const char *path)) MUST_CHECK
    __attribute__((noinline));

/* Keeps the stack from the frame that returns to `caller` outwards. Returns its number in the depot
 * (base/stack_depot.h); 0: the stack does not lead there, or the depot is full, or memory is out.
 * The thread remembers its walks (base/stack_memory.h): the same one costs some 6 ns a frame,
 * another one is walked. Threads: any. */
uint32_t stack_record(const void *caller) MUST_CHECK __attribute__((noinline));

/* Gives what a record keeps of a call (base/stack_depot.h): its stack, as stack_record() has it, or
 * `caller` itself where there is none. `caller` may be a stack that was kept already (the setting
 * record_stacks), or NULL. Threads: any. */
const void *stack_keep(const void *caller) MUST_CHECK;

#endif
