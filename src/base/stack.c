#define _GNU_SOURCE
#include "stack.h"

#include <sys/uio.h>
#include <unistd.h>

#include "unwind.h"

#if defined(__x86_64__)

#define PAGE         ((uintptr_t)4096)
#define PROBED_PAGES 16
#define FARTHEST     ((uintptr_t)256 << 20) /* from the first frame to the last: more than any stack that is whole */

struct walk {
    uintptr_t registers[UNWIND_REGISTERS];
    uintptr_t readable; /* where the part of the stack ends that is known to be readable; it begins at the first frame */
    uintptr_t first, limit; /* stack pointers of the first frame, and what none may pass */
    bool ended;             /* the last frame was a thread's first function */
};

/* Pages above `readable` that can be read: one byte of each is asked for. */
static void probe(struct walk *walk)
{
    char bytes[PROBED_PAGES];
    struct iovec local = {bytes, sizeof(bytes)}, remote[PROBED_PAGES];
    for (uint32_t i = 0; i < PROBED_PAGES; i++)
        remote[i] = (struct iovec){(void *)(walk->readable + i * PAGE), 1};
    ssize_t read = process_vm_readv(getpid(), &local, 1, remote, PROBED_PAGES, 0);
    if (read > 0)
        walk->readable += (uintptr_t)read * PAGE;
}

/* A word of the stack. Sanitizers are told to look away: what is read belongs to other functions. */
__attribute__((no_sanitize("address", "thread", "undefined"))) static bool read_word(struct walk *walk,
                                                                                     uintptr_t address, uintptr_t *word)
{
    if (address % sizeof(*word) || address < walk->first || address >= walk->limit)
        return false;
    while (address >= walk->readable) {
        uintptr_t before = walk->readable;
        probe(walk);
        if (walk->readable == before)
            return false;
    }
    *word = *(const volatile uintptr_t *)address;
    return true;
}

static bool follow_rule(struct walk *walk, const struct unwind_rule *rule)
{
    uintptr_t *registers = walk->registers;
    uintptr_t frame = registers[rule->frame_register] + (uintptr_t)(intptr_t)rule->frame_offset;
    uintptr_t return_address = 0;
    walk->ended = rule->outermost;
    if (rule->outermost || frame <= registers[UNWIND_RSP] ||
        !read_word(walk, frame + (uintptr_t)(rule->return_address * (intptr_t)8), &return_address))
        return false;
    for (uint32_t i = 0; i < UNWIND_SAVED_REGISTERS; i++) {
        if (rule->kept[i] != UNWIND_UNCHANGED &&
            !read_word(walk, frame + (uintptr_t)(rule->kept[i] * (intptr_t)8), &registers[i]))
            return false;
    }
    registers[UNWIND_RIP] = return_address;
    registers[UNWIND_RSP] = frame;
    return true;
}

/* By the usual prologue: the caller's frame pointer is where ours points to, and the return address is one word above. */
static bool follow_frame_pointer(struct walk *walk)
{
    uintptr_t frame = walk->registers[UNWIND_RBP], next = 0, return_address = 0;
    if (frame < walk->registers[UNWIND_RSP] || !read_word(walk, frame, &next) ||
        !read_word(walk, frame + 8, &return_address) || !unwind_module(return_address - 1))
        return false;
    walk->registers[UNWIND_RBP] = next;
    walk->registers[UNWIND_RIP] = return_address;
    walk->registers[UNWIND_RSP] = frame + 16;
    return true;
}

static bool step(struct walk *walk)
{
    struct unwind_rule rule;
    /* One byte back is inside the call instruction: what holds after a call that does not return is another function's. */
    if (unwind_rule_at(walk->registers[UNWIND_RIP] - 1, &rule))
        return follow_rule(walk, &rule);
    return follow_frame_pointer(walk);
}

uint32_t stack_walk(const void **frames, uint32_t capacity)
{
    struct walk walk = {.ended = false};
    uintptr_t *registers = walk.registers;
    uint32_t count = 0;
    __asm__ volatile("movq %%rbx, %0\n\t"
                     "movq %%rbp, %1\n\t"
                     "movq %%r12, %2\n\t"
                     "movq %%r13, %3\n\t"
                     "movq %%r14, %4\n\t"
                     "movq %%r15, %5\n\t"
                     : "=m"(registers[UNWIND_RBX]), "=m"(registers[UNWIND_RBP]), "=m"(registers[UNWIND_R12]),
                       "=m"(registers[UNWIND_R13]), "=m"(registers[UNWIND_R14]), "=m"(registers[UNWIND_R15]));
    __asm__ volatile("leaq 1(%%rip), %%rax\n\t"
                     "movq %%rax, %0\n\t"
                     "movq %%rsp, %1\n\t"
                     : "=m"(registers[UNWIND_RIP]), "=m"(registers[UNWIND_RSP])
                     :
                     : "rax");
    walk.first = registers[UNWIND_RSP];
    walk.readable = (walk.first | (PAGE - 1)) + 1; /* the page that we are using */
    walk.limit = walk.first + FARTHEST;
    while (count < capacity && step(&walk) && registers[UNWIND_RIP])
        frames[count++] = (const void *)registers[UNWIND_RIP];
    return walk.ended && count ? count - 1 : count;
}
#else
uint32_t stack_walk(const void **frames, uint32_t capacity)
{
    if (!capacity)
        return 0;
    frames[0] = __builtin_return_address(0);
    return 1;
}
#endif
