/* Reads machine code around return addresses (Intel's manual, volume 2; Arm's, C6.2). */
#define _GNU_SOURCE
#include "base/unwind_code.h"

#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#if defined(UNWIND_IS_KNOWN)
/* Reads bytes that may not be mapped, through the kernel. Returns how many of them could be read.
 */
static uint32_t read_code(uintptr_t address, uint8_t *bytes, uint32_t size)
{
    struct iovec local = {bytes, size}, remote = {(void *)address, size};
    ssize_t read = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
    return read > 0 ? (uint32_t)read : 0;
}
#endif

#if defined(__x86_64__)

#define END_BYTES  32 /* length of a function's end: restoring six registers takes ten bytes */
#define CALL_BYTES 7  /* length of the longest call: a SIB byte and 32 bits, without prefixes */

/* --- ends of functions --- */

/* The state of reading a function's end. */
struct end {
    const uint8_t *at, *after; /* the rest of the code */
    struct unwind_rule *rule;
    /* from the frame register to the stack pointer, for the code that was read so far */
    int32_t offset;
    bool popped; /* some register was restored */
};

/* The next byte; -1: none is left. */
static int next_byte(struct end *end)
{
    return end->at < end->after ? *end->at++ : -1;
}

/* The register with this number in machine code, 8 for the first one with a REX prefix.
 * UNWIND_SAVED_REGISTERS: functions do not preserve it. */
static uint32_t register_of(uint32_t number)
{
    static const uint8_t kept[16] = {UNWIND_SAVED_REGISTERS,
                                     UNWIND_SAVED_REGISTERS,
                                     UNWIND_SAVED_REGISTERS,
                                     UNWIND_RBX,
                                     UNWIND_SAVED_REGISTERS,
                                     UNWIND_FP,
                                     UNWIND_SAVED_REGISTERS,
                                     UNWIND_SAVED_REGISTERS,
                                     UNWIND_SAVED_REGISTERS,
                                     UNWIND_SAVED_REGISTERS,
                                     UNWIND_SAVED_REGISTERS,
                                     UNWIND_SAVED_REGISTERS,
                                     UNWIND_R12,
                                     UNWIND_R13,
                                     UNWIND_R14,
                                     UNWIND_R15};
    return kept[number & 15];
}

/* Follows pop. The place of the value is noted in bytes, and converted to words from the frame at
 * the end. */
static bool take_pop(struct end *end, uint32_t number)
{
    const uint32_t kept = register_of(number);
    if (number == 4) /* rsp */
        return false;
    if (kept < UNWIND_SAVED_REGISTERS)
        end->rule->kept[kept] = (int16_t)(end->offset / 8 + 1); /* 0 is "unchanged" */
    end->offset += 8;
    end->popped = true;
    return true;
}

/* Follows add rsp, imm8 or imm32, whose REX.W was read. False: it is something else. */
static bool take_add(struct end *end)
{
    const int opcode = next_byte(end), operands = next_byte(end);
    uint32_t value = 0;
    if (operands != 0xc4 || (opcode != 0x83 && opcode != 0x81))
        return false;
    const int bytes = opcode == 0x83 ? 1 : 4;
    for (int i = 0; i < bytes; i++) {
        const int byte = next_byte(end);
        if (byte < 0)
            return false;
        value |= (uint32_t)byte << 8 * i;
    }
    /* The addend must be positive, and a multiple of a word. */
    if (value > (opcode == 0x83 ? 0x7fu : 0x7fffu) || value % 8)
        return false;
    end->offset += (int32_t)value;
    return true;
}

/* Follows leave: the stack pointer becomes the frame pointer, which is then restored. */
static bool take_leave(struct end *end)
{
    if (end->popped || end->rule->frame_register != UNWIND_SP)
        return false;
    end->rule->frame_register = UNWIND_FP;
    end->offset = 0;
    return take_pop(end, 5);
}

/* Follows one instruction. `*returned`: the instruction returns. False: it does not belong to the
 * end of a function. */
static bool take_instruction(struct end *end, bool *returned)
{
    const int opcode = next_byte(end);
    *returned = opcode == 0xc3;
    if (*returned || opcode == 0xc9)
        return *returned || take_leave(end);
    if (opcode >= 0x58 && opcode <= 0x5f)
        return take_pop(end, (uint32_t)opcode - 0x58);
    if (opcode == 0x48)
        return take_add(end);
    const int second = opcode == 0x41 || opcode == 0xf3 ? next_byte(end) : -1;
    *returned = opcode == 0xf3 && second == 0xc3; /* rep ret */
    return *returned || (opcode == 0x41 && second >= 0x58 && second <= 0x5f &&
                         take_pop(end, (uint32_t)second - 0x58 + 8));
}

bool unwind_rule_of_end(uintptr_t pc, struct unwind_rule *rule)
{
    uint8_t bytes[END_BYTES];
    const uint32_t size = read_code(pc, bytes, sizeof(bytes));
    struct end end = {.at = bytes, .after = bytes + size, .rule = rule};
    bool returned = false;
    *rule = (struct unwind_rule){.frame_register = UNWIND_SP, .return_address = -1};
    while (!returned) {
        if (!take_instruction(&end, &returned))
            return false;
    }
    /* the return address is the last word below the caller's stack pointer */
    rule->frame_offset = end.offset + 8;
    for (uint32_t i = 0; i < UNWIND_SAVED_REGISTERS; i++) {
        if (rule->kept[i] != UNWIND_UNCHANGED)
            rule->kept[i] = (int16_t)(rule->kept[i] - 1 - rule->frame_offset / 8);
    }
    return true;
}

/* --- calls --- */

/* The number of bytes that follow the opcode ff /2, including its operand byte, which determines
 * it. */
static uint32_t operand_size(uint8_t operands, uint8_t sib)
{
    const uint32_t mode = operands >> 6, base = operands & 7;
    if (mode == 3)
        return 1;
    const uint32_t size = base == 4 ? 2 : 1;
    if (mode == 0)
        return size + (base == 5 || (base == 4 && (sib & 7) == 5) ? 4 : 0);
    return size + (mode == 1 ? 1 : 4);
}

bool unwind_is_after_call(uintptr_t pc)
{
    uint8_t bytes[CALL_BYTES + 1] = {0};
    if (pc < CALL_BYTES || read_code(pc - CALL_BYTES, bytes, CALL_BYTES) != CALL_BYTES)
        return false;
    if (bytes[CALL_BYTES - 5] == 0xe8) /* call rel32 */
        return true;
    /* call by register or memory, from the shortest form on */
    for (uint32_t i = CALL_BYTES - 2; i < CALL_BYTES; i--) {
        if (bytes[i] == 0xff && (bytes[i + 1] >> 3 & 7) == 2 &&
            i + 1 + operand_size(bytes[i + 1], bytes[i + 2]) == CALL_BYTES)
            return true;
    }
    return false;
}
#else
/* Code that is generated at run time has frame pointers on arm64: the procedure call standard
 * requires them, and CPython's trampolines have them. */
bool unwind_rule_of_end(uintptr_t pc, struct unwind_rule *rule)
{
    (void)pc;
    (void)rule;
    return false;
}

#if defined(__aarch64__)
/* BL, BLR, and the four forms of BLR that check a signature. */
bool unwind_is_after_call(uintptr_t pc)
{
    uint8_t bytes[4];
    if (pc % 4 || pc < sizeof(bytes) ||
        read_code(pc - sizeof(bytes), bytes, sizeof(bytes)) != sizeof(bytes))
        return false;
    uint32_t code;
    memcpy(&code, bytes, sizeof(code));
    return (code & 0xfc000000u) == 0x94000000u || (code & 0xfffffc1fu) == 0xd63f0000u ||
           (code & 0xfefff800u) == 0xd63f0800u;
}
#else
bool unwind_is_after_call(uintptr_t pc)
{
    (void)pc;
    return false;
}
#endif
#endif
