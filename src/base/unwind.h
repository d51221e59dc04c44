/* Reads the unwind tables (.eh_frame) of the modules in this process, which give the registers of a
 * function's caller. Written for x86-64 and arm64; on other machines no rule is ever found.
 *
 * Threads: any. Lock-free, except on glibc before 2.35, where the dynamic linker's own lock is
 * taken. No allocation. */
#ifndef ASSAY_UNWIND_H
#define ASSAY_UNWIND_H

#include "base/base.h"

#if defined(__x86_64__) || defined(__aarch64__)
#define UNWIND_IS_KNOWN 1
#endif

/* The registers that a function preserves for its caller. UNWIND_FP is the frame pointer. */
enum unwind_register {
#if defined(__aarch64__)
    UNWIND_X19,
    UNWIND_X20,
    UNWIND_X21,
    UNWIND_X22,
    UNWIND_X23,
    UNWIND_X24,
    UNWIND_X25,
    UNWIND_X26,
    UNWIND_X27,
    UNWIND_X28,
    UNWIND_FP, /* x29 */
    UNWIND_LR, /* x30: a call stores its return address there, not on the stack */
#else
    UNWIND_RBX,
    UNWIND_FP, /* rbp */
    UNWIND_R12,
    UNWIND_R13,
    UNWIND_R14,
    UNWIND_R15,
#endif
    UNWIND_SAVED_REGISTERS, /* a rule computes the next two */
    UNWIND_PC = UNWIND_SAVED_REGISTERS,
    UNWIND_SP,
    UNWIND_REGISTERS
};

#define UNWIND_UNCHANGED 0 /* no register is ever stored at the canonical frame address itself */

/* How to get from a function's frame to that of its caller. The canonical frame address is the
 * caller's stack pointer. */
struct unwind_rule {
    /* bytes from `frame_register` to the canonical frame address */
    int32_t frame_offset;
    uint8_t frame_register; /* UNWIND_SP, or a preserved register */
    bool outermost;         /* a thread's first function, which has no caller */
    /* words of 8 bytes from that address to the caller's value, or UNWIND_UNCHANGED */
    int16_t kept[UNWIND_SAVED_REGISTERS];
    /* offset of the return address; on arm64 UNWIND_UNCHANGED: the function has not stored the link
     * register */
    int16_t return_address;
};

/* Finds the rule that holds at `pc`, an address in a function. False: it is in no module, its
 * module has no table for it, or the table uses expressions, as for the frames of signal
 * handlers. */
bool unwind_rule_at(uintptr_t pc, struct unwind_rule *rule) MUST_CHECK;

/* Modules that were looked up, as a walk meets the same few repeatedly. Asking the dynamic linker
 * takes as long as the rest of a frame. They are valid as long as none is unloaded, which is so
 * while their code is on the thread's stack. */
#define UNWIND_MODULES 4
struct unwind_modules {
    uint32_t count;
    struct unwind_found {
        uintptr_t start, end;
        const uint8_t *index; /* .eh_frame_hdr; NULL: the module has none */
        const char *path;     /* as from unwind_module() */
    } list[UNWIND_MODULES];
};

/* Like unwind_rule_at(), within a walk, which begins with an empty list of modules. */
bool unwind_rule_in_walk(struct unwind_modules *modules, uintptr_t pc,
                         struct unwind_rule *rule) MUST_CHECK;
/* The start of the module that contains the address; 0: there is none. */
uintptr_t unwind_module_start(struct unwind_modules *modules, uintptr_t pc) MUST_CHECK;

/* The path of the module that contains the address, as the dynamic linker has it: "" for the
 * program itself, NULL if there is none. Valid as long as the module is loaded. */
const char *unwind_module(uintptr_t pc) MUST_CHECK;

#endif
