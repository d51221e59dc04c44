/* Says which instructions are atomic. Threads: any; there is no state. */
#ifndef ASSAY_SPIRV_ATOMIC_H
#define ASSAY_SPIRV_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

#include <spirv/unified1/spirv.h>

/* True for atomic instructions whose result is the old value: their pointer is word 3. All but
 * SpvOpAtomicLoad write. */
static inline bool spirv_is_atomic_with_result(uint32_t opcode)
{
    switch (opcode) {
    case SpvOpAtomicLoad:
    case SpvOpAtomicExchange:
    case SpvOpAtomicCompareExchange:
    case SpvOpAtomicCompareExchangeWeak:
    case SpvOpAtomicIIncrement:
    case SpvOpAtomicIDecrement:
    case SpvOpAtomicIAdd:
    case SpvOpAtomicISub:
    case SpvOpAtomicSMin:
    case SpvOpAtomicUMin:
    case SpvOpAtomicSMax:
    case SpvOpAtomicUMax:
    case SpvOpAtomicAnd:
    case SpvOpAtomicOr:
    case SpvOpAtomicXor:
    case SpvOpAtomicFlagTestAndSet:
    case SpvOpAtomicFMinEXT:
    case SpvOpAtomicFMaxEXT:
    case SpvOpAtomicFAddEXT:
        return true;
    default:
        return false;
    }
}

#endif
