/* Checks that a walk finds the frames that libgcc's unwinder finds, and survives words that are not
 * a stack. */
#define _GNU_SOURCE
#include <alloca.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <search.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/stack.h"
#include "base/stack_depot.h"
#include "base/unwind.h"
#include "base/unwind_code.h"

#define NOINLINE __attribute__((noinline))

struct walked {
    const void *frames[STACK_FRAMES];
    uint32_t count;
    void *witness[STACK_FRAMES];
    int witness_count;
};

/* Both from one function, of which each has an address of its own first. */
static NOINLINE void walk_both(struct walked *walked)
{
    walked->witness_count = backtrace(walked->witness, STACK_FRAMES);
    walked->count = stack_walk(walked->frames, STACK_FRAMES);
    __asm__ volatile("" ::: "memory");
}

/* A sanitizer's own backtrace() comes before libgcc's frames, and the thread's first function after
 * them. */
static bool like_the_witness(const struct walked *walked)
{
    uint32_t first = 0, count = (uint32_t)walked->witness_count;
    while (first < count && walked->witness[first] != walked->frames[1])
        first++;
    count -= first; /* of the witness, from our second frame on */
    uint32_t ours = walked->count - 1;
    bool cut = walked->count == STACK_FRAMES;
    return ours > 0 && (cut ? count <= ours : count == ours + 1) &&
           memcmp(&walked->frames[1], &walked->witness[first],
                  (cut ? count : ours) * sizeof(walked->frames[0])) == 0;
}

static void a_test_has_the_frames_that_libgcc_finds(void **state)
{
    struct walked walked = {0};
    walk_both(&walked);
    assert_true(walked.count >= 4);
    assert_true(like_the_witness(&walked));
}

static NOINLINE uint32_t recurse_deep(struct walked *walked, uint32_t depth, uint32_t size)
{
    volatile char *room = alloca(size);
    room[0] = (char)depth;
    if (depth)
        return recurse_deep(walked, depth - 1, size * 7 % 4099 + 16) + (uint32_t)room[0];
    walk_both(walked);
    return 1;
}

static void frames_of_any_size_over_many_pages(void **state)
{
    struct walked walked = {0};
    (void)recurse_deep(&walked, 24, 100);
    assert_true(walked.count > 24);
    assert_true(like_the_witness(&walked));
}

static void a_stack_that_is_deeper_than_the_array_is_cut(void **state)
{
    struct walked walked = {0};
    (void)recurse_deep(&walked, STACK_FRAMES + 20, 40);
    assert_int_equal(walked.count, STACK_FRAMES);
    assert_true(like_the_witness(&walked));
}

static struct walked *compared;
static NOINLINE int compare_and_walk(const void *a, const void *b)
{
    if (!compared->count)
        walk_both(compared);
    return *(const int *)a - *(const int *)b;
}

static void through_a_library_and_back(void **state)
{
    int numbers[] = {3, 2, 1};
    struct walked walked = {0};
    compared = &walked;
    qsort(numbers, 3, sizeof(numbers[0]), compare_and_walk);
    assert_true(walked.count > 5);
    assert_true(like_the_witness(&walked));
}

static NOINLINE void *thread_walks(void *data)
{
    walk_both(data);
    return NULL;
}

static void a_thread_ends_where_it_began(void **state)
{
    struct walked walked = {0};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, thread_walks, &walked), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(walked.count >= 2);
    assert_true(like_the_witness(&walked));
}

/* --- stacks of a program's own --- */

static ucontext_t before, within;
static struct walked *in_context;
static NOINLINE void context_walks(void)
{
    in_context->count = stack_walk(in_context->frames, STACK_FRAMES);
    __asm__ volatile("" ::: "memory");
}

#define COROUTINE_PAGES 4

/* The page above the coroutine's stack cannot be read. */
static void a_coroutine_walks_up_to_its_end(void **state)
{
    struct walked walked = {0};
    in_context = &walked;
    size_t size = COROUTINE_PAGES * 4096;
    char *stack =
        mmap(NULL, size + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(stack != MAP_FAILED);
    assert_int_equal(mprotect(stack + size, 4096, PROT_NONE), 0);
    assert_int_equal(getcontext(&within), 0);
    within.uc_stack.ss_sp = stack;
    within.uc_stack.ss_size = size;
    within.uc_link = &before;
    makecontext(&within, context_walks, 0);
    assert_int_equal(swapcontext(&before, &within), 0);
    assert_uint_in_range(walked.count, 1, 3);
    assert_int_equal(munmap(stack, size + 4096), 0);
}

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
/* Walks from a function whose return address and frame pointer are `words[1]` and `words[0]`; both
 * are put back. */
static NOINLINE void walk_from_broken_frame(struct walked *walked, uintptr_t frame_pointer,
                                            uintptr_t return_address)
{
    uintptr_t *frame = __builtin_frame_address(0);
    uintptr_t kept[2] = {frame[0], frame[1]};
    volatile uintptr_t *words = frame;
    words[0] = frame_pointer;
    words[1] = return_address;
    walked->count = stack_walk(walked->frames, STACK_FRAMES);
    words[0] = kept[0];
    words[1] = kept[1];
}

static void a_broken_stack_ends_the_walk(void **state)
{
    static const uintptr_t nowhere[] = {
        0, 1, 8, 0x1000, 0xdeadbeefdeadbeef, UINTPTR_MAX, UINTPTR_MAX - 7, 0x7fffffffe000};
    struct walked walked = {0};
    for (size_t i = 0; i < ARRAY_LENGTH(nowhere); i++) {
        for (size_t j = 0; j < ARRAY_LENGTH(nowhere); j++) {
            walk_from_broken_frame(&walked, nowhere[i], nowhere[j]);
            assert_uint_in_range(walked.count, 0, 2);
            /* into code that exists, with a frame pointer to nowhere */
            walk_from_broken_frame(&walked, nowhere[i], (uintptr_t)walk_both + 1);
            assert_uint_in_range(walked.count, 1, 3);
        }
    }
    /* A frame that points to itself does not make an endless walk. */
    uintptr_t self[2] = {(uintptr_t)self, (uintptr_t)walk_both + 1};
    walk_from_broken_frame(&walked, (uintptr_t)self, self[1]);
    assert_true(walked.count < STACK_FRAMES);
}

static volatile sig_atomic_t handled;
static struct walked *in_handler;
static void walk_in_handler(int number)
{
    in_handler->count = stack_walk(in_handler->frames, STACK_FRAMES);
    handled = number;
}

static void a_signal_handler_has_its_own_frames(void **state)
{
    struct walked walked = {0};
    in_handler = &walked;
    struct sigaction action = {.sa_handler = walk_in_handler}, old;
    assert_int_equal(sigaction(SIGUSR1, &action, &old), 0);
    assert_int_equal(raise(SIGUSR1), 0);
    assert_int_equal(sigaction(SIGUSR1, &old, NULL), 0);
    assert_int_equal(handled, SIGUSR1);
    assert_true(walked.count >= 1);
}
#endif

/* --- code that is made at run time --- */

#if defined(UNWIND_IS_KNOWN) && !defined(__SANITIZE_ADDRESS__)
/* False on emulators and in sandboxes: code that another thread may unmap is read by no other call.
 */
static bool system_reads_for_us(void)
{
    char from = 0, to;
    struct iovec local = {&to, 1}, remote = {&from, 1};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == 1;
}

/* The function that one made at run time calls, and its argument. */
struct link {
    void (*function)(void *argument);
    void *argument;
};

struct made {
    const char *name;
    uint8_t code[32];
};
#if defined(__aarch64__)
/* ldr x1, [x0]; ldr x0, [x0, #8]; blr x1 */
#define CALL_OF_LINK 0x01, 0x00, 0x40, 0xf9, 0x00, 0x04, 0x40, 0xf9, 0x20, 0x00, 0x3f, 0xd6
static const struct made made_functions[] = {
    /* stp x29, x30, [sp, #-16]!; mov x29, sp; the call; ldp x29, x30, [sp], #16; ret */
    {"a frame pointer",
     {0xfd, 0x7b, 0xbf, 0xa9, 0xfd, 0x03, 0x00, 0x91, CALL_OF_LINK, 0xfd, 0x7b, 0xc1, 0xa8, 0xc0,
      0x03, 0x5f, 0xd6}},
};
#else
#define CALL_OF_LINK 0x48, 0x8b, 0x07, 0x48, 0x8b, 0x7f, 0x08, 0xff, 0xd0 /* *rdi with rdi[1] */
static const struct made made_functions[] = {
    /* as CPython 3.12 makes them for profilers */
    {"no frame pointer", {0x48, 0x83, 0xec, 0x08, CALL_OF_LINK, 0x48, 0x83, 0xc4, 0x08, 0xc3}},
    {"a frame pointer", {0x55, 0x48, 0x89, 0xe5, CALL_OF_LINK, 0x5d, 0xc3}},
    {"leave", {0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xec, 0x10, CALL_OF_LINK, 0xc9, 0xc3}},
    {"a large frame",
     {0x48, 0x81, 0xec, 0x08, 0x04, 0, 0, CALL_OF_LINK, 0x48, 0x81, 0xc4, 0x08, 0x04, 0, 0, 0xc3}},
    /* rbx, which is changed, and r12 */
    {"registers", {0x53,         0x41, 0x54, 0x48, 0x83, 0xec, 0x08, 0x48, 0x31, 0xdb,
                   CALL_OF_LINK, 0x48, 0x83, 0xc4, 0x08, 0x41, 0x5c, 0x5b, 0xf3, 0xc3}},
    /* "xor eax, eax" comes before its end: the frame pointer alone tells */
    {"something to do", {0x55, 0x48, 0x89, 0xe5, CALL_OF_LINK, 0x31, 0xc0, 0x5d, 0xc3}},
};
#endif
#define MADE      (sizeof(made_functions) / sizeof(made_functions[0]))
#define MADE_SIZE 64 /* apart from one another */

static uint8_t *make_functions(void)
{
    uint8_t *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(code != MAP_FAILED);
    for (size_t i = 0; i < MADE; i++)
        memcpy(code + i * MADE_SIZE, made_functions[i].code, sizeof(made_functions[i].code));
    assert_int_equal(mprotect(code, 4096, PROT_READ | PROT_EXEC), 0);
    return code;
}

static NOINLINE void walk_here(void *argument)
{
    struct walked *walked = argument;
    walked->count = stack_walk(walked->frames, STACK_FRAMES);
    __asm__ volatile("" ::: "memory");
}

static NOINLINE void call_link(const struct link *link)
{
    link->function(link->argument);
    __asm__ volatile("" ::: "memory");
}

/* True if the frame is in this function. */
static bool is_in_made(const uint8_t *code, size_t index, const void *frame)
{
    const uintptr_t begin = (uintptr_t)code + index * MADE_SIZE;
    return (uintptr_t)frame > begin && (uintptr_t)frame < begin + MADE_SIZE;
}

static void functions_made_at_run_time_are_frames(void **state)
{
    if (!system_reads_for_us())
        skip();
    uint8_t *code = make_functions();
    struct walked plain = {0};
    const struct link direct = {walk_here, &plain};
    for (size_t outer = 0; outer < MADE; outer++) {
        for (size_t inner = 0; inner < MADE; inner++) {
            struct walked walked = {0};
            struct link last = {walk_here, &walked};
            struct link between = {(void (*)(void *))(uintptr_t)(code + inner * MADE_SIZE), &last};
            const struct link first = {(void (*)(void *))(uintptr_t)(code + outer * MADE_SIZE),
                                       &between};
            call_link(&direct);
            call_link(&first);
            print_message("%s in %s\n", made_functions[inner].name, made_functions[outer].name);
            assert_int_equal(walked.count, plain.count + 2);
            assert_true(is_in_made(code, inner, walked.frames[1]));
            assert_true(is_in_made(code, outer, walked.frames[2]));
            assert_ptr_equal(walked.frames[3], plain.frames[1]);
            /* what called call_link() did so in two places */
            assert_memory_equal(&walked.frames[5], &plain.frames[3],
                                (plain.count - 3) * sizeof(plain.frames[0]));
        }
    }
    assert_int_equal(munmap(code, 4096), 0);
}

/* A process that may not call process_vm_readv() has the same stacks: its child is one. */
static void a_sandbox_refuses_nothing_that_is_needed(void **state)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {ARRAY_LENGTH(filter), filter};
    const pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        struct walked walked = {0};
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
            prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
            _exit(77);
        if (system_reads_for_us())
            _exit(1);
        (void)recurse_deep(&walked, 24, 100);
        _exit(walked.count > 24 && like_the_witness(&walked) ? 0 : 2);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77) /* the emulator has no filters, and refuses the call itself */
        skip();
    assert_int_equal(WEXITSTATUS(status), 0);
}
#endif

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
/* Addresses that no call stands before, and such as cannot be read. */
static void what_is_no_call_is_no_frame(void **state)
{
    uint8_t *code = make_functions();
    struct unwind_rule rule;
    for (size_t i = 0; i < MADE; i++) {
        unsigned calls = 0;
        for (uintptr_t at = MADE_SIZE * i + (i ? 0 : 7); at < MADE_SIZE * i + 32; at++)
            calls += unwind_is_after_call((uintptr_t)code + at);
        assert_int_equal(calls, 1);
    }
    assert_false(unwind_is_after_call(0));
    assert_false(unwind_is_after_call((uintptr_t)code + 4096 + 64));
    assert_false(unwind_rule_of_end((uintptr_t)code + MADE * MADE_SIZE, &rule)); /* zeroes */
    assert_int_equal(munmap(code, 4096), 0);
    assert_false(unwind_rule_of_end((uintptr_t)code, &rule));
    assert_false(unwind_is_after_call((uintptr_t)code + 64));
}
#endif

/* --- out of a library --- */

#if defined(UNWIND_IS_KNOWN)

static void *base_of(const void *frame)
{
    Dl_info info;
    return dladdr((const char *)frame - 1, &info) ? info.dli_fbase : NULL;
}

/* Called by lfind(), which stands for the loader: what called that is looked for. Sanitizers put
   functions of their own before qsort(), whose caller is then always theirs; before lfind() they
   put none. */
static const void *after_find, *left_find, *left_again, *left_nothing, *left_other;

static bool is_any(const char *path)
{
    return path != NULL;
}

static bool is_none(const char *path)
{
    return path == NULL;
}

static NOINLINE int leave_find(const void *a, const void *b)
{
    struct walked walked;
    walked.count = stack_walk(walked.frames, STACK_FRAMES);
    uint32_t at = 2;
    while (at < walked.count && base_of(walked.frames[at]) == base_of(walked.frames[1]))
        at++;
    after_find = at < walked.count ? walked.frames[at] : NULL;
    /* the second walk of the loop is remembered */
    for (int i = 0; i < 2; i++) {
        left_find = left_again;
        left_again = stack_leave_module(walked.frames[1], is_any);
    }
    left_nothing = stack_leave_module((const void *)(uintptr_t)1, is_any);
    left_other = stack_leave_module(walked.frames[1], is_none);
    return *(const char *)a - *(const char *)b;
}

/* From the ninth time on the thread knows its stack. */
static void what_called_a_library_is_found(void **state)
{
    for (int i = 0; i < 12; i++) {
        const char letters[] = "ba";
        size_t count = 2;
        assert_ptr_equal(lfind("a", letters, &count, 1, leave_find), letters + 1);
        assert_non_null(after_find);
        assert_ptr_equal(left_find, after_find);
        assert_ptr_equal(left_again, after_find);
        assert_null(left_nothing);
        assert_null(left_other);
    }
}

/* The frame of the library is the same, and what called it is not. */
static NOINLINE const void *find_here(void)
{
    const char letters[] = "ba";
    size_t count = 2;
    assert_non_null(lfind("a", letters, &count, 1, leave_find));
    return left_again;
}

static void another_caller_of_a_library_is_another(void **state)
{
    const void *one = find_here();
    assert_ptr_equal(one, after_find);
    const char letters[] = "ba";
    size_t count = 2;
    assert_non_null(lfind("a", letters, &count, 1, leave_find));
    assert_ptr_equal(left_again, after_find);
    assert_ptr_not_equal(left_again, one);
}

#endif

/* --- stacks that are kept --- */

/* Does what an entry of the layer does: its caller is the one whose stack is asked for. */
static NOINLINE uint32_t record_walk(struct walked *walked)
{
    const void *caller = __builtin_return_address(0);
    uint32_t number = stack_record(caller);
    if (walked)
        walked->count = stack_walk(walked->frames, STACK_FRAMES);
    __asm__ volatile("" ::: "memory");
    return number;
}

static bool is_kept(uint32_t number, const struct walked *walked)
{
    uint32_t count, wanted = walked->count - 1 < DEPOT_FRAMES ? walked->count - 1 : DEPOT_FRAMES;
    const void *const *frames = depot_get(number, &count);
    return number && count == wanted &&
           memcmp(frames, walked->frames + 1, count * sizeof(frames[0])) == 0;
}

static NOINLINE uint32_t record_deeper(struct walked *walked, uint32_t depth, uint32_t size)
{
    volatile char *room = alloca(size);
    room[0] = 0;
    if (depth)
        return record_deeper(walked, depth - 1, size) + (uint32_t)room[0];
    return record_walk(walked) + (uint32_t)room[0];
}

static NOINLINE uint32_t record_by_one_way(struct walked *walked)
{
    return record_deeper(walked, 3, 64) + (uint32_t)(walked->count == 0);
}

static NOINLINE uint32_t record_by_another(struct walked *walked)
{
    return record_deeper(walked, 3, 64) | (uint32_t)(walked->count == 0);
}

/* A stack is remembered the second time, with frames of any size. */
static void what_is_kept_is_the_stack(void **state)
{
    for (uint32_t i = 0; i < 300; i++) {
        uint32_t numbers[2];
        for (uint32_t k = 0; k < 2; k++) {
            struct walked walked = {0};
            numbers[k] = record_deeper(&walked, i % 60, i % 50 + 1);
            assert_true(is_kept(numbers[k], &walked));
        }
        assert_int_equal(numbers[0], numbers[1]);
    }
}

/* The innermost frames are at the same places with the same return addresses; only what called them
 * differs. */
static void ways_that_meet_stay_two(void **state)
{
    for (uint32_t i = 0; i < 3; i++) {
        struct walked one = {0}, another = {0};
        uint32_t first = record_by_one_way(&one), second = record_by_another(&another);
        assert_true(is_kept(first, &one));
        assert_true(is_kept(second, &another));
        assert_int_not_equal(first, second);
    }
}

static void a_caller_that_is_not_on_the_stack_has_none(void **state)
{
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(stack_record(&compared), 0);
}

static NOINLINE void *thread_records(void *data)
{
    struct walked *walked = data;
    for (uint32_t i = 0; i < 3000; i++) {
        struct walked here = {0};
        uint32_t number = record_deeper(&here, i % 20, i % 300 + 1);
        walked->count += !is_kept(number, &here);
    }
    return NULL;
}

static void threads_remember_their_own(void **state)
{
    pthread_t threads[4];
    struct walked walked[ARRAY_LENGTH(threads)] = {0};
    for (uint32_t i = 0; i < ARRAY_LENGTH(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, thread_records, &walked[i]), 0);
    for (uint32_t i = 0; i < ARRAY_LENGTH(threads); i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(walked[i].count, 0);
    }
}

static uint32_t in_coroutine[2];
static NOINLINE void context_records(void)
{
    for (volatile uint32_t i = 0; i < 2; i++) /* one call, not two */
        in_coroutine[i] = record_walk(NULL);
    __asm__ volatile("" ::: "memory");
}

/* A stack whose end is not known is walked each time. */
static void a_coroutine_records(void **state)
{
    size_t size = COROUTINE_PAGES * 4096;
    char *stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(stack != MAP_FAILED);
    assert_int_equal(getcontext(&within), 0);
    within.uc_stack.ss_sp = stack;
    within.uc_stack.ss_size = size;
    within.uc_link = &before;
    makecontext(&within, context_records, 0);
    assert_int_equal(swapcontext(&before, &within), 0);
    assert_int_not_equal(in_coroutine[0], 0);
    assert_int_equal(in_coroutine[1], in_coroutine[0]);
    assert_int_equal(munmap(stack, size), 0);
}

/* --- tables --- */

static void what_is_in_no_module_has_no_rule(void **state)
{
    struct unwind_rule rule;
    int here = 0;
    assert_false(unwind_rule_at(0, &rule));
    assert_false(unwind_rule_at(1, &rule));
    assert_false(unwind_rule_at((uintptr_t)&here, &rule));
    assert_false(unwind_rule_at(UINTPTR_MAX, &rule));
    assert_null(unwind_module((uintptr_t)&here));
    assert_string_equal(unwind_module((uintptr_t)walk_both), "");
    assert_non_null(strstr(unwind_module((uintptr_t)getpid), "libc"));
}

/* Bytes that a call pushes. */
#if defined(__aarch64__)
#define AT_ENTRY 0
#else
#define AT_ENTRY 8
#endif

/* Addresses inside of instructions among them. */
static void each_address_of_a_function_has_a_rule(void **state)
{
    const uintptr_t functions[] = {(uintptr_t)walk_both, (uintptr_t)recurse_deep,
                                   (uintptr_t)pthread_create};
    for (size_t i = 0; i < ARRAY_LENGTH(functions); i++) {
        struct unwind_rule rule;
        for (uintptr_t pc = functions[i]; pc < functions[i] + 16; pc++) {
            assert_true(unwind_rule_at(pc, &rule));
            assert_true(AT_ENTRY ? rule.return_address == -1 : rule.return_address <= 0);
        }
        /* at the first instruction nothing has been pushed but by x86-64's call */
        assert_true(unwind_rule_at(functions[i], &rule));
        assert_int_equal(rule.frame_register, UNWIND_SP);
        assert_int_equal(rule.frame_offset, AT_ENTRY);
    }
}

#define THREADS 4
static void *walk_often(void *data)
{
    uint32_t *wrong = data;
    for (uint32_t i = 0; i < 2000; i++) {
        struct walked walked = {0};
        (void)recurse_deep(&walked, i % 20, i % 300 + 1);
        *wrong += !like_the_witness(&walked);
    }
    return NULL;
}

static void threads_share_what_they_find(void **state)
{
    pthread_t threads[THREADS];
    uint32_t wrong[THREADS] = {0};
    for (uint32_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, walk_often, &wrong[i]), 0);
    for (uint32_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(wrong[i], 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_test_has_the_frames_that_libgcc_finds),
#if defined(UNWIND_IS_KNOWN)
        cmocka_unit_test(what_called_a_library_is_found),
        cmocka_unit_test(another_caller_of_a_library_is_another),
#endif
        cmocka_unit_test(frames_of_any_size_over_many_pages),
        cmocka_unit_test(a_stack_that_is_deeper_than_the_array_is_cut),
        cmocka_unit_test(through_a_library_and_back),
        cmocka_unit_test(a_thread_ends_where_it_began),
        cmocka_unit_test(a_coroutine_walks_up_to_its_end),
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
        cmocka_unit_test(a_broken_stack_ends_the_walk),
        cmocka_unit_test(a_signal_handler_has_its_own_frames),
        cmocka_unit_test(what_is_no_call_is_no_frame),
#endif
#if defined(UNWIND_IS_KNOWN) && !defined(__SANITIZE_ADDRESS__)
        cmocka_unit_test(functions_made_at_run_time_are_frames),
        cmocka_unit_test(a_sandbox_refuses_nothing_that_is_needed),
#endif
        cmocka_unit_test(what_is_kept_is_the_stack),
        cmocka_unit_test(ways_that_meet_stay_two),
        cmocka_unit_test(a_caller_that_is_not_on_the_stack_has_none),
        cmocka_unit_test(threads_remember_their_own),
        cmocka_unit_test(a_coroutine_records),
        cmocka_unit_test(what_is_in_no_module_has_no_rule),
        cmocka_unit_test(each_address_of_a_function_has_a_rule),
        cmocka_unit_test(threads_share_what_they_find),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
