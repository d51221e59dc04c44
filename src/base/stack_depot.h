/* The depot of call stacks: each different stack is stored once, under a number that fits where an
 * address would.
 *
 * A stack is never changed or freed, so code that has its number can read it at any time, without a
 * lock. Memory: at most DEPOT_BYTES per process, committed page by page. When that is used up, new
 * stacks get number 0, and only the caller is kept for them. Threads: any; lock-free. */
#ifndef ASSAY_STACK_DEPOT_H
#define ASSAY_STACK_DEPOT_H

#include "base/base.h"

#define DEPOT_BYTES ((size_t)32 << 20) /* about 300,000 stacks of 12 frames */
/* most frames of one stack; the innermost are kept */
#define DEPOT_FRAMES 32

/* Stores `count` (1 to DEPOT_FRAMES) return addresses, innermost first. The same frames get the
 * same number. 0: there is no room. */
uint32_t depot_put(const void *const *frames, uint32_t count) MUST_CHECK;

/* The frames with this number, `*count` of them. NULL and 0 for number 0. */
const void *const *depot_get(uint32_t number, uint32_t *count) MUST_CHECK;

/* True if there was no room for some stack. */
bool depot_is_full(void);

/* --- callers that are kept --- */

/* The form in which objects and recorded commands keep the call that made them: a return address,
 * or a number in the depot. No code of a program has an address like the latter: bit 47 is set and
 * bits 48 to 63 are not, while the kernel's half of 48-bit addresses has all of them set. It fits
 * into the 48 bits that a thread's mark has for it (chassis/mark.h). */
#define KEPT_STACK ((uint64_t)0x8000 << 32)

static inline const void *kept_stack(uint32_t number)
{
    return (const void *)(uintptr_t)(KEPT_STACK | number);
}

/* The number of the stack; 0: it is an address. */
static inline uint32_t kept_number(const void *kept)
{
    uint64_t value = (uint64_t)(uintptr_t)kept;
    return (value & ~(uint64_t)UINT32_MAX) == KEPT_STACK ? (uint32_t)value : 0;
}

/* The return address into the code that called the layer. */
const void *kept_address(const void *kept) MUST_CHECK;

#endif
