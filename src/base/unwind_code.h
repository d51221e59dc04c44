/* Unwinds code that was generated at run time, which has no tables. If only the function's end
 * remains to be executed at a return address, that code shows how it returns. This is so in the
 * trampolines that CPython makes for profilers (-X perf), which have no frame pointer. Written for
 * x86-64; on arm64, only calls are recognized. On other machines nothing is ever found.
 *
 * Threads: any. The system reads the code (process_vm_readv, about 300 ns), as another thread may
 * unmap it at any moment. No allocation. */
#ifndef ASSAY_UNWIND_CODE_H
#define ASSAY_UNWIND_CODE_H

#include "base/unwind.h"

/* Finds the rule that holds at the return address `pc`. False: the function does something else
 * before it returns, or the code cannot be read. */
bool unwind_rule_of_end(uintptr_t pc, struct unwind_rule *rule) MUST_CHECK;

/* True if there is a call instruction right before the address. */
bool unwind_is_after_call(uintptr_t pc) MUST_CHECK;

#endif
