/* Walks the stack with unwind tables, and remembers walks. It only reads words of the stack that
 * are known to be readable. On machines without such tables here, only the caller is known. */
#define _GNU_SOURCE
#include "base/stack.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/stack_depot.h"
#include "base/stack_memory.h"
#include "base/thread.h"
#include "base/unwind.h"
#include "base/unwind_code.h"

#if defined(UNWIND_IS_KNOWN)

/* The smallest page of any system. Larger pages consist of whole pages of this size, so facts about
 * one hold for its parts. */
#define PAGE ((uintptr_t)4096)
/* The number of pages that one system call probes. */
#define PROBED_PAGES 16
/* The largest distance of the last frame of a stack from the first, in bytes: larger than in any
 * intact stack. */
#define FARTHEST ((uintptr_t)256 << 20)
/* Frames of the layer between stack_record() and the program: the hook's, the entry's, and some
 * reserve. */
#define LAYER_FRAMES 8

/* The source of a register's value, as an enum stack_question with its number. Or it says that
 * nothing needs to be noted. */
#define QUESTION(kind, number) ((uint32_t)(kind) << 30 | (uint32_t)(number))
/* In place of a source: that the walk depends on the register was noted already. */
#define NOTED UINT32_MAX

/* One walk up the stack. */
struct walk {
    uintptr_t registers[UNWIND_REGISTERS]; /* of the current frame */
    /* end of the part of the stack that is known to be readable, which begins at the first frame */
    uintptr_t readable;
    uintptr_t first, limit; /* stack pointer of the first frame, and its upper bound */
    /* `readable` is the end of the thread's stack: nothing beyond it is read */
    bool whole;
    /* the stack pointer is only a lower bound: a frame pointer was followed */
    bool low;
    /* the last frame was that of a thread's first function */
    bool ended;
    bool asked;                               /* the system was asked which pages can be read */
    uint32_t sources[UNWIND_SAVED_REGISTERS]; /* source of each register's value */
    uint32_t step_count;                      /* more than STACK_STEPS: not all were noted */
    struct unwind_modules modules;
    struct stack_step steps[STACK_STEPS];
};

/* Reads the registers at this point of the function that uses the macro. */
#if defined(__aarch64__)
#define TAKE_REGISTERS(registers)                  \
    __asm__ volatile("stp x19, x20, [%0]\n\t"      \
                     "stp x21, x22, [%0, #16]\n\t" \
                     "stp x23, x24, [%0, #32]\n\t" \
                     "stp x25, x26, [%0, #48]\n\t" \
                     "stp x27, x28, [%0, #64]\n\t" \
                     "stp x29, x30, [%0, #80]\n\t" \
                     "adr x9, . + 4\n\t"           \
                     "mov x10, sp\n\t"             \
                     "stp x9, x10, [%0, #96]"      \
                     :                             \
                     : "r"(registers)              \
                     : "x9", "x10", "memory")
#else
#define TAKE_REGISTERS(registers)                                                     \
    __asm__ volatile("movq %%rbx, %0\n\t"                                             \
                     "movq %%rbp, %1\n\t"                                             \
                     "movq %%r12, %2\n\t"                                             \
                     "movq %%r13, %3\n\t"                                             \
                     "movq %%r14, %4\n\t"                                             \
                     "movq %%r15, %5\n\t"                                             \
                     : "=m"((registers)[UNWIND_RBX]), "=m"((registers)[UNWIND_FP]),   \
                       "=m"((registers)[UNWIND_R12]), "=m"((registers)[UNWIND_R13]),  \
                       "=m"((registers)[UNWIND_R14]), "=m"((registers)[UNWIND_R15])); \
    __asm__ volatile("leaq 1(%%rip), %%rax\n\t"                                       \
                     "movq %%rax, %0\n\t"                                             \
                     "movq %%rsp, %1\n\t"                                             \
                     : "=m"((registers)[UNWIND_PC]), "=m"((registers)[UNWIND_SP])     \
                     :                                                                \
                     : "rax")
#endif

/* The address without the bits that pointer authentication sets (XPACLRI, which processors without
 * it ignore). */
static uintptr_t without_signature(uintptr_t address)
{
#if defined(__aarch64__)
    register uintptr_t link __asm__("x30") = address;
    __asm__("hint #7" : "+r"(link));
    return link;
#else
    return address;
#endif
}

/* Begins a walk at these registers. `memory`: that of the thread, for the bounds of its stack;
 * NULL: these are not known. */
static void walk_begin(struct walk *walk, const uintptr_t registers[UNWIND_REGISTERS],
                       const struct stack_memory *memory)
{
    memcpy(walk->registers, registers, sizeof(walk->registers));
    walk->first = registers[UNWIND_SP];
    walk->whole = memory && walk->first >= memory->low && walk->first < memory->end;
    /* the page in use is readable */
    walk->readable = walk->whole ? memory->end : (walk->first | (PAGE - 1)) + 1;
    walk->limit = walk->first + FARTHEST;
    walk->low = walk->ended = walk->asked = false;
    walk->step_count = 0;
    walk->modules.count = 0;
    for (uint32_t i = 0; i < UNWIND_SAVED_REGISTERS; i++)
        walk->sources[i] = QUESTION(ASK_REGISTER, i);
}

/* Notes that the walk depends on this value. Only the first STACK_STEPS are kept, but all are
 * counted. */
static void walk_note(struct walk *walk, uint32_t question, uintptr_t value)
{
    if (walk->step_count < STACK_STEPS)
        walk->steps[walk->step_count] = (struct stack_step){.value = value, .question = question};
    walk->step_count++;
}

/* Notes that the walk depends on a register, once for each of its values. */
static void note_register(struct walk *walk, uint32_t number)
{
    if (walk->sources[number] == NOTED)
        return;
    walk_note(walk, walk->sources[number], walk->registers[number]);
    walk->sources[number] = NOTED;
}

/* The question for a word of the stack: its distance from the first frame in words. */
static uint32_t question_of(const struct walk *walk, uintptr_t address)
{
    return QUESTION(ASK_STACK, (address - walk->first) / sizeof(uintptr_t));
}

/* True if the page is readable. It is for systems that refuse process_vm_readv(), as some sandboxes
 * and emulators do. The system call fails in any case, because its first argument is wrong, but
 * reads the mask before that. */
static bool page_is_readable(uintptr_t address)
{
    const uint64_t mask_size = 8;
    errno = 0;
    (void)syscall(SYS_rt_sigprocmask, -1, address, NULL, mask_size);
    return errno == EINVAL;
}

/* Moves `readable` over further readable pages, by reading one byte of each. */
static void walk_probe(struct walk *walk)
{
    char bytes[PROBED_PAGES];
    struct iovec local = {bytes, sizeof(bytes)}, remote[PROBED_PAGES];
    for (uint32_t i = 0; i < PROBED_PAGES; i++)
        remote[i] = (struct iovec){(void *)(walk->readable + i * PAGE), 1};
    walk->asked = true;
    ssize_t read = process_vm_readv(getpid(), &local, 1, remote, PROBED_PAGES, 0);
    if (read < 0 && errno != EFAULT)
        read = page_is_readable(walk->readable);
    if (read > 0)
        walk->readable += (uintptr_t)read * PAGE;
}

/* Reads a word of the stack. False: it is misaligned, out of bounds, or not readable. The
 * sanitizers are off, as the words belong to other functions. */
__attribute__((no_sanitize("address", "thread", "undefined"))) static bool
read_word(struct walk *walk, uintptr_t address, uintptr_t *word)
{
    if (address % sizeof(*word) || address < walk->first || address >= walk->limit)
        return false;
    while (address >= walk->readable) {
        if (walk->whole)
            return false;
        uintptr_t before = walk->readable;
        walk_probe(walk);
        if (walk->readable == before)
            return false;
    }
    *word = *(const volatile uintptr_t *)address;
    return true;
}

/* Finds the canonical frame address. False: the rule depends on a register that is not known. */
static bool find_frame(struct walk *walk, const struct unwind_rule *rule, uintptr_t *frame)
{
    const uintptr_t *registers = walk->registers;
    const bool by_stack = rule->frame_register == UNWIND_SP;
    if (by_stack && !walk->low) {
        *frame = registers[UNWIND_SP] + (uintptr_t)(intptr_t)rule->frame_offset;
        return true;
    }
    /* On arm64 the frame pointer is where the caller's was stored, which the rule also gives. */
    const intptr_t stored = rule->kept[UNWIND_FP];
    if (by_stack && stored == UNWIND_UNCHANGED)
        return false;
    const uint32_t from = by_stack ? UNWIND_FP : rule->frame_register;
    note_register(walk, from);
    *frame = registers[from] - (uintptr_t)(by_stack ? stored * 8 : -(intptr_t)rule->frame_offset);
    return true;
}

/* Finds the return address of the frame with the canonical address `frame`. False: it cannot be a
 * frame, or the word is not readable. */
static bool find_return(struct walk *walk, const struct unwind_rule *rule, uintptr_t frame,
                        uintptr_t *return_address)
{
    const uintptr_t return_at = frame + (uintptr_t)(rule->return_address * (intptr_t)8);
#if defined(__aarch64__)
    /* Only the innermost function may not have stored it: the others have made a call. */
    if (rule->return_address == UNWIND_UNCHANGED) {
        if (walk->step_count || frame < walk->first || walk->registers[UNWIND_SP] != walk->first)
            return false;
        note_register(walk, UNWIND_LR);
        *return_address = walk->registers[UNWIND_LR];
        return true;
    }
#endif
    if (frame <= walk->registers[UNWIND_SP] || !read_word(walk, return_at, return_address))
        return false;
    walk_note(walk, question_of(walk, return_at), *return_address);
    return true;
}

/* Goes to the caller's frame with an unwind rule. False: this was the outermost frame, or a word of
 * the stack is not readable. */
static bool follow_rule(struct walk *walk, const struct unwind_rule *rule)
{
    uintptr_t *registers = walk->registers;
    walk->ended = rule->outermost;
    if (rule->outermost)
        return false;
    uintptr_t frame = 0, return_address = 0;
    if (!find_frame(walk, rule, &frame) || !find_return(walk, rule, frame, &return_address))
        return false;
    for (uint32_t i = 0; i < UNWIND_SAVED_REGISTERS; i++) {
        uintptr_t kept_at = frame + (uintptr_t)(rule->kept[i] * (intptr_t)8);
        if (rule->kept[i] == UNWIND_UNCHANGED)
            continue;
        if (!read_word(walk, kept_at, &registers[i]))
            return false;
        walk->sources[i] = question_of(walk, kept_at);
    }
    registers[UNWIND_PC] = without_signature(return_address);
    registers[UNWIND_SP] = frame;
    walk->low = false;
    return true;
}

/* Follows the usual prologue: the frame pointer points to the caller's frame pointer, and the
 * return address is one word above that. On x86-64 the caller's stack pointer is above both; on
 * arm64 the function's variables are there. */
static bool follow_frame_pointer(struct walk *walk)
{
    note_register(walk, UNWIND_FP);
    uintptr_t frame = walk->registers[UNWIND_FP], next = 0, return_address = 0;
    if (frame < walk->registers[UNWIND_SP] || !read_word(walk, frame, &next) ||
        !read_word(walk, frame + 8, &return_address))
        return false;
    walk_note(walk, question_of(walk, frame + 8), return_address);
    return_address = without_signature(return_address);
    if (!unwind_module_start(&walk->modules, return_address - 1) &&
        !unwind_is_after_call(return_address))
        return false;
    walk->registers[UNWIND_FP] = next;
    walk->sources[UNWIND_FP] = question_of(walk, frame);
    walk->registers[UNWIND_PC] = return_address;
    walk->registers[UNWIND_SP] = frame + 16;
#if defined(__aarch64__)
    walk->low = true;
#endif
    return true;
}

/* Goes to the caller's frame. False: there is none. */
static bool walk_step(struct walk *walk)
{
    struct unwind_rule rule;
    /* One byte before is inside the call instruction: the bytes after a call that does not return
     * belong to another function. */
    const uintptr_t address = walk->registers[UNWIND_PC];
    const bool found =
        unwind_rule_in_walk(&walk->modules, address - 1, &rule) ||
        (!unwind_module_start(&walk->modules, address - 1) && unwind_rule_of_end(address, &rule));
    return (found ? follow_rule(walk, &rule) : follow_frame_pointer(walk)) &&
           walk->registers[UNWIND_PC];
}

uint32_t stack_walk(const void **frames, uint32_t capacity)
{
    uintptr_t registers[UNWIND_REGISTERS];
    struct walk walk;
    uint32_t count = 0;
    TAKE_REGISTERS(registers);
    walk_begin(&walk, registers, thread_self()->stack);
    while (count < capacity && walk_step(&walk))
        frames[count++] = (const void *)walk.registers[UNWIND_PC];
    return walk.ended && count ? count - 1 : count;
}

/* The number of walks before threads determine the end of their stack, and remember walks. That
 * takes as long as a hundred system calls if it reads the list of mappings, and few threads walk
 * often. */
#define WALKS_FORGOTTEN 8

/* The memory of the thread, which it gets after some walks of the process. NULL: not yet, or memory
 * ran out. */
static COLD struct stack_memory *memory_after_walk(void)
{
    static _Atomic uint32_t walks; /* up to WALKS_FORGOTTEN. Relaxed: it is a heuristic */
    if (atomic_load_explicit(&walks, memory_order_relaxed) < WALKS_FORGOTTEN &&
        atomic_fetch_add_explicit(&walks, 1, memory_order_relaxed) + 1 < WALKS_FORGOTTEN)
        return thread_self()->stack;
    return stack_memory();
}

/* True if the last walk's result is still valid. A walk is a function of what it reads
 * (base/stack_memory.h): the same words and registers give the same result. Each word is still
 * readable: it is in the page where the walk started, or in the thread's own stack. The sanitizers
 * are off, as in read_word(). */
__attribute__((no_sanitize("address", "thread", "undefined"))) static bool
leaves_as_before(const struct left_module *left, const uintptr_t registers[UNWIND_REGISTERS],
                 const void *caller, bool (*is_left)(const char *path))
{
    const uintptr_t start = registers[UNWIND_SP];
    if (left->caller != (uintptr_t)caller || left->start != start || left->is_left != is_left)
        return false;
    for (uint32_t i = 0; i < left->step_count; i++) {
        const uint32_t question = left->steps[i].question, below = question & (QUESTION(1, 0) - 1);
        const uintptr_t now = question >> 30 == ASK_STACK
                                  ? ((const volatile uintptr_t *)start)[below]
                                  : registers[below];
        if (now != left->steps[i].value)
            return false;
    }
    return true;
}

/* Finds the first frame outside of the module that contains `caller`, if `is_left` accepts that
 * module. NULL: there is none. A walk that only depended on modules is kept for the next call. */
static COLD const void *walk_out(const uintptr_t registers[UNWIND_REGISTERS], const void *caller,
                                 bool (*is_left)(const char *path))
{
    struct walk walk;
    uintptr_t module = 0;
    bool met = false; /* the frame of `caller` was reached */
    const void *found = NULL;
    const char *path = unwind_module((uintptr_t)caller - 1);
    const bool leaves = path && is_left(path);
    walk_begin(&walk, registers, thread_self()->stack);
    for (uint32_t i = 0;
         leaves && !found && i < (met ? STACK_FRAMES : LAYER_FRAMES) && walk_step(&walk); i++) {
        const uintptr_t frame = walk.registers[UNWIND_PC];
        if (!met && frame != (uintptr_t)caller)
            continue;
        const uintptr_t start = unwind_module_start(&walk.modules, frame - 1);
        if (met && start != module)
            found = (const void *)frame;
        met = true;
        module = start;
    }
    struct stack_memory *memory = memory_after_walk();
    if (!memory || walk.asked || walk.step_count > LEFT_STEPS)
        return found;
    memory->left = (struct left_module){.start = walk.first,
                                        .caller = (uintptr_t)caller,
                                        .is_left = is_left,
                                        .found = found,
                                        .step_count = walk.step_count};
    memcpy(memory->left.steps, walk.steps, walk.step_count * sizeof(walk.steps[0]));
    return found;
}

const void *stack_leave_module(const void *caller, bool (*is_left)(const char *path))
{
    uintptr_t registers[UNWIND_REGISTERS];
    TAKE_REGISTERS(registers);
    const struct stack_memory *memory = thread_self()->stack;
    if (likely(memory) && likely(leaves_as_before(&memory->left, registers, caller, is_left)))
        return memory->left.found;
    return walk_out(registers, caller, is_left);
}

/* Walks up to `caller`, and then records as many frames as the depot keeps. */
static COLD uint32_t record_walk(const uintptr_t registers[UNWIND_REGISTERS], const void *caller,
                                 struct stack_memory *memory)
{
    struct walk walk;
    /* one more, as the last frame may turn out to be the system's */
    const void *frames[DEPOT_FRAMES + 1];
    uint32_t count = 0, layers = 0, number = 0;
    walk_begin(&walk, registers, memory);
    while (count <= DEPOT_FRAMES && (count || layers < LAYER_FRAMES) && walk_step(&walk)) {
        const void *frame = (const void *)walk.registers[UNWIND_PC];
        if (count || frame == caller)
            frames[count++] = frame;
        else
            layers++;
    }
    if ((walk.ended && count > 1) || count > DEPOT_FRAMES)
        count--;
    if (count)
        number = depot_put(frames, count);
    if (walk.whole && walk.step_count <= STACK_STEPS)
        stack_memory_keep(memory, walk.first, (uintptr_t)caller, walk.steps, walk.step_count,
                          number);
    return number;
}

uint32_t stack_record(const void *caller)
{
    uintptr_t registers[UNWIND_REGISTERS];
    TAKE_REGISTERS(registers);
    struct stack_memory *memory = stack_memory();
    uint32_t number;
    bool inside =
        memory && registers[UNWIND_SP] >= memory->low && registers[UNWIND_SP] < memory->end;
    if (likely(inside) && likely(stack_memory_find(memory, registers[UNWIND_SP], (uintptr_t)caller,
                                                   registers, &number)))
        return number;
    return record_walk(registers, caller, memory);
}
#else
uint32_t stack_walk(const void **frames, uint32_t capacity)
{
    if (!capacity)
        return 0;
    frames[0] = __builtin_return_address(0);
    return 1;
}

uint32_t stack_record(const void *caller)
{
    (void)caller;
    return 0;
}

const void *stack_leave_module(const void *caller, bool (*is_left)(const char *path))
{
    (void)caller;
    (void)is_left;
    return NULL;
}
#endif

const void *stack_keep(const void *caller)
{
    const uint32_t number = caller && !kept_number(caller) ? stack_record(caller) : 0;
    return number ? kept_stack(number) : caller;
}
