/* The calling thread's stack: the return addresses of the functions that are being executed. */
#ifndef ASSAY_STACK_H
#define ASSAY_STACK_H

#include "base/base.h"

#define STACK_FRAMES 64

/* Fills `frames` with return addresses, innermost first, from the one into the caller of this
 * function on. Returns their number. The first function of a thread (_start, clone) is left out, as
 * it is the system's.
 * It uses unwind tables, which release builds also have. Code without them, generated at run time,
 * is read if it is about to return (base/unwind_code.h); otherwise it needs frame pointers. An
 * address that cannot be a frame ends the walk. The stack is only read where the system says that
 * it is readable, and each frame must be above the previous one. So with a broken stack, or that of
 * a coroutine, only frames are missing.
 * Cost: about 20 ns for a frame that was seen before, 400 ns otherwise. No allocation. Threads:
 * any. */
uint32_t stack_walk(const void **frames, uint32_t capacity) MUST_CHECK __attribute__((noinline));

/* The first return address outside of the module that contains `caller`, from the frame that
 * returns to `caller` outwards. NULL: the stack does not lead there, or is_left() does not accept
 * the path of a module with `caller`. is_left() must always give the same answer for a path. Cost:
 * that of stack_walk() for these frames. After the first few walks of the process, a thread
 * remembers its last one (4 KB): repeating it is a comparison per frame. Threads: any. */
const void *stack_leave_module(const void *caller, bool (*is_left)(const char *path)) MUST_CHECK
    __attribute__((noinline));

/* Stores the stack from the frame that returns to `caller` outwards. Returns its number in the
 * depot (base/stack_depot.h); 0: the stack does not lead there, the depot is full, or memory ran
 * out. The thread remembers its walks (base/stack_memory.h): a repeated one costs about 6 ns per
 * frame. Threads: any. */
uint32_t stack_record(const void *caller) MUST_CHECK __attribute__((noinline));

/* The value that a record keeps for a call (base/stack_depot.h): its stack, as from stack_record(),
 * or otherwise `caller` itself. `caller` may already be a stored stack (the setting record_stacks),
 * or NULL. Threads: any. */
const void *stack_keep(const void *caller) MUST_CHECK;

#endif
