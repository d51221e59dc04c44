/* Unwinds code that was made at run time, which has no tables. Where nothing but the function's end
 * is left to do at a return address, that code tells how it returns. So it is with the trampolines
 * that CPython makes for profilers (-X perf), which have no frame pointer. Written for x86-64; of
 * arm64, calls alone are known. On other machines nothing is ever found.
 *
 * Threads: any. Code is read by the system (process_vm_readv, some 300 ns), as another thread may
 * unmap it at any moment. No allocation. */
#ifndef ASSAY_UNWIND_CODE_H
#define ASSAY_UNWIND_CODE_H

#include "base/unwind.h"

/* The rule that holds at the return address `pc`. False: something else is done before the function
 * returns, or the code cannot be read. */
bool unwind_rule_of_end(uintptr_t pc, struct unwind_rule *rule) MUST_CHECK;

/* True if a call instruction stands before the address. */
bool unwind_is_after_call(uintptr_t pc) MUST_CHECK;

#endif
