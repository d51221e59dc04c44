/* Looks whether the layer survives any sequence of calls, and is silent on every legal one. It
 * plays random calls on the null driver, in processes of their own, and watches them. There must be
 * no crash, no hang, no sanitizer's report, memory within bounds, and the same findings for the
 * same seed.
 *
 *     fuzz-calls [--valid] [--seed N] [--steps N] [--seconds N] [--threads N]
 *                [--handles ids|driver] [--lose-device] [--trace] [--shrink] [--layer NAME]
 *
 * A failure prints the line that plays it again; --shrink leaves out the steps that it does not
 * need, and traces what remains. */
#include "fuzz.h"

#include <dirent.h>
#include <execinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STEPS_DEFAULT 1500
/* of one run, before it counts as hanging; sanitizers and a busy machine are slow */
#define SECONDS_MOST  600
#define RESIDENT_MOST (3ull << 30) /* bytes; sanitizers keep what is freed */
#define STEPS_LIMIT   1000000

static struct report *report;

/* --- one run, in a process of its own --- */

struct player {
    struct wild *wild;
    const struct options *options;
    pthread_t thread;
    uint64_t stream;
};

static void play_steps(struct world *w, struct wild *wild, struct valid *valid, uint64_t stream)
{
    const struct options *o = w->options;
    for (uint64_t step = 0; step < o->steps; step++) {
        if (o->kept && !o->kept[step])
            continue;
        struct random r = random_of(o->seed + (stream << 56), step);
        atomic_store(&w->report->step, step);
        if (valid)
            valid_step(valid, &r);
        else
            wild_step(wild, &r);
        if (atomic_load(&w->report->failed))
            exit(EXIT_FAILURE);
    }
}

static struct world world;

static void *second_thread(void *argument)
{
    struct player *player = argument;
    play_steps(&world, player->wild, NULL, player->stream);
    return NULL;
}

static uint64_t fuzz_resident_bytes(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*d %lu", &pages) != 1)
        abort();
    (void)fclose(file);
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* The null driver's configuration: work that waits for what never comes loses the device instead of
 * the test's time. */
static void configure_driver(const struct options *o)
{
    struct random r = random_of(o->seed, UINT64_MAX);
    char path[64], text[128], lose[64] = "";
    if (o->lose_device)
        (void)snprintf(lose, sizeof(lose), ", \"loseDeviceAfter\": %u", random_below(&r, 40));
    int length = snprintf(text, sizeof(text), "{\"hangTimeout\": 5%s}", lose);
    int file = memfd_create("null-driver.json", 0);
    if (file < 0 || write(file, text, (size_t)length) != length)
        abort();
    (void)snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
    (void)setenv("ASSAY_NULL_DRIVER", path, 1);
}

/* --- where it hangs or crashes --- */

static void tell_stack(int signal)
{
    void *frames[64];
    backtrace_symbols_fd(frames, backtrace(frames, 64), STDERR_FILENO);
    if (signal == SIGSEGV) {
        (void)sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
        return; /* and again, to its end */
    }
    if (signal == SIGUSR1)
        return;
    DIR *directory = opendir("/proc/self/task");
    for (const struct dirent *entry = directory ? readdir(directory) : NULL; entry;
         entry = readdir(directory)) {
        int thread = atoi(entry->d_name);
        if (thread && thread != gettid()) {
            (void)fprintf(stderr, "thread %d\n", thread);
            (void)tgkill(getpid(), thread, SIGUSR1);
            (void)usleep(200000);
        }
    }
    (void)sigaction(SIGALRM, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    (void)raise(SIGALRM);
    sigset_t alarms;
    (void)sigemptyset(&alarms);
    (void)sigaddset(&alarms, SIGALRM);
    (void)sigprocmask(SIG_UNBLOCK, &alarms, NULL);
}

static void run_players(const struct options *o)
{
    struct player players[8];
    configure_driver(o);
    (void)setenv("VK_ASSAY_UNIQUE_HANDLES", o->driver_handles ? "false" : "true", 1);
    (void)setenv("VK_ASSAY_ENABLE_MESSAGE_LIMIT", "false", 1);
    (void)sigaction(SIGALRM, &(struct sigaction){.sa_handler = tell_stack}, NULL);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    (void)sigaction(SIGSEGV, &(struct sigaction){.sa_handler = tell_stack}, NULL);
#endif
    (void)sigaction(SIGUSR1, &(struct sigaction){.sa_handler = tell_stack}, NULL);
    (void)alarm(SECONDS_MOST);
    world_create(&world, o, report);
    if (o->valid) {
        struct valid *valid = valid_create(&world);
        play_steps(&world, NULL, valid, 0);
        valid_destroy(valid);
    } else {
        struct wild *wild = wild_create(&world);
        for (unsigned i = 1; i < o->threads; i++) {
            players[i] = (struct player){.wild = wild, .options = o, .stream = i};
            if (pthread_create(&players[i].thread, NULL, second_thread, &players[i]))
                abort();
        }
        play_steps(&world, wild, NULL, 0);
        for (unsigned i = 1; i < o->threads; i++)
            (void)pthread_join(players[i].thread, NULL);
        wild_destroy(wild);
    }
    world_destroy(&world);
    report->resident = fuzz_resident_bytes();
    exit(atomic_load(&report->failed) ? EXIT_FAILURE : EXIT_SUCCESS);
}

/* --- watching it --- */

struct outcome {
    int status; /* as waitpid tells it */
    uint64_t digest, findings, calls, resident, step;
    const char *command;
    uint32_t line;
};

static struct outcome watch_child(const struct options *o, bool quiet)
{
    memset(report, 0, sizeof(*report));
    (void)fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        abort();
    if (child == 0) {
        if (quiet && !freopen("/dev/null", "w", stderr))
            abort();
        run_players(o);
    }
    struct outcome outcome = {0};
    while (waitpid(child, &outcome.status, 0) < 0)
        ;
    outcome.digest = report->digest;
    outcome.findings = report->findings;
    outcome.calls = report->calls;
    outcome.resident = report->resident;
    outcome.step = report->step;
    outcome.command = report->command;
    outcome.line = report->line;
    return outcome;
}

static bool outcome_good(const struct outcome *outcome)
{
    return WIFEXITED(outcome->status) && WEXITSTATUS(outcome->status) == 0 &&
           outcome->resident <= RESIDENT_MOST;
}

static void tell_command_line(const struct options *o)
{
    (void)printf("    fuzz-calls%s --seed %llu --steps %llu --handles %s%s",
                 o->valid ? " --valid" : "", (unsigned long long)o->seed,
                 (unsigned long long)o->steps, o->driver_handles ? "driver" : "ids",
                 o->lose_device ? " --lose-device" : "");
    if (o->threads > 1)
        (void)printf(" --threads %u", o->threads);
    (void)printf(" --trace\n");
}

static void tell_outcome(const struct options *o, const struct outcome *outcome, const char *what)
{
    (void)printf("FAILED seed %llu: %s, in step %llu, %s (line %u)", (unsigned long long)o->seed,
                 what, (unsigned long long)outcome->step, outcome->command ? outcome->command : "?",
                 outcome->line);
    if (WIFSIGNALED(outcome->status))
        (void)printf(", signal %d%s", WTERMSIG(outcome->status),
                     WTERMSIG(outcome->status) == SIGALRM ? " (it hangs)" : "");
    else if (outcome->resident > RESIDENT_MOST)
        (void)printf(", %llu MiB resident", (unsigned long long)(outcome->resident >> 20));
    (void)printf("; again:\n");
    tell_command_line(o);
}

/* Once, or twice where both must find the same. */
static bool check_seed(const struct options *o, uint64_t *calls, uint64_t *findings)
{
    struct outcome first = watch_child(o, false);
    *calls += first.calls;
    *findings += first.findings;
    if (!outcome_good(&first)) {
        tell_outcome(o, &first, o->valid ? "a finding, or worse" : "it did not end well");
        return false;
    }
    if (o->valid || o->threads > 1 || o->seed % 4)
        return true;
    struct outcome second = watch_child(o, true);
    if (second.digest == first.digest && second.findings == first.findings)
        return true;
    tell_outcome(o, &second, "two runs differ in what they find");
    return false;
}

/* --- making it smaller --- */

static bool fails_without(struct options *o, uint8_t *kept, uint64_t from, uint64_t count)
{
    uint8_t *saved = malloc(count);
    if (!saved)
        abort();
    memcpy(saved, kept + from, count);
    memset(kept + from, 0, count);
    struct outcome outcome = watch_child(o, true);
    bool fails = !outcome_good(&outcome);
    if (!fails)
        memcpy(kept + from, saved, count);
    free(saved);
    return fails;
}

static void shrink_steps(struct options *o)
{
    uint8_t *kept = malloc(o->steps);
    if (!kept)
        abort();
    memset(kept, 1, o->steps);
    o->kept = kept;
    o->trace = false;
    struct outcome whole = watch_child(o, true);
    if (outcome_good(&whole)) {
        (void)printf("seed %llu does not fail\n", (unsigned long long)o->seed);
        free(kept);
        return;
    }
    if (whole.step + 1 < o->steps)
        o->steps = whole.step + 1;
    for (uint64_t size = o->steps / 2; size > 0; size /= 2) {
        for (uint64_t from = 0; from < o->steps; from += size) {
            uint64_t count = from + size < o->steps ? size : o->steps - from;
            if (memchr(kept + from, 1, count) && fails_without(o, kept, from, count))
                continue;
        }
    }
    uint64_t left = 0;
    for (uint64_t i = 0; i < o->steps; i++)
        left += kept[i];
    (void)printf("%llu steps are enough:\n", (unsigned long long)left);
    o->trace = true;
    (void)watch_child(o, false);
    o->kept = NULL;
    free(kept);
}

/* --- */

static double seconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void print_fuzz_usage(void)
{
    (void)fprintf(stderr, "usage: fuzz-calls [--valid] [--seed N|random] [--steps N] [--seconds N] "
                          "[--threads N]\n"
                          "                  [--handles ids|driver] [--lose-device] [--trace] "
                          "[--shrink] [--layer NAME]\n");
    exit(2);
}

/* Runs one seed after the other until the time is over; which of the two ways of handles a run has
 * goes by its seed. */
static bool check_for_a_while(struct options *o)
{
    uint64_t calls = 0, findings = 0, runs = 0;
    double end = seconds_now() + o->seconds;
    unsigned threads = o->threads;
    bool good = true;
    do {
        o->driver_handles = o->seed % 2;
        o->lose_device = !o->valid && o->seed % 5 == 4;
        o->threads = o->seed % 3 == 2 ? threads : 1;
        good = check_seed(o, &calls, &findings) && good;
        o->seed++;
        runs++;
    } while (seconds_now() < end && good);
    (void)printf("%llu runs, %llu calls, %llu findings\n", (unsigned long long)runs,
                 (unsigned long long)calls, (unsigned long long)findings);
    return good;
}

static uint64_t number_argument(const char *text)
{
    return text ? strtoull(text, NULL, 0) : 0;
}

int main(int argc, char **argv)
{
    struct options o = {.seed = 1, .steps = STEPS_DEFAULT, .threads = 1};
    bool shrinks = false;
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(name, "--valid") == 0)
            o.valid = true;
        else if (strcmp(name, "--trace") == 0)
            o.trace = true;
        else if (strcmp(name, "--shrink") == 0)
            shrinks = true;
        else if (strcmp(name, "--lose-device") == 0)
            o.lose_device = true;
        else if (!value)
            print_fuzz_usage();
        else if (i++, strcmp(name, "--seed") == 0)
            o.seed = strcmp(value, "random") == 0
                         ? (uint64_t)time(NULL) * 1000 + (uint64_t)getpid() % 1000
                         : number_argument(value);
        else if (strcmp(name, "--steps") == 0)
            o.steps = number_argument(value);
        else if (strcmp(name, "--seconds") == 0)
            o.seconds = (unsigned)number_argument(value);
        else if (strcmp(name, "--threads") == 0)
            o.threads = (unsigned)number_argument(value);
        else if (strcmp(name, "--handles") == 0)
            o.driver_handles = strcmp(value, "driver") == 0;
        else if (strcmp(name, "--layer") == 0)
            o.peer = value;
        else
            print_fuzz_usage();
    }
    if (o.steps == 0 || o.steps > STEPS_LIMIT || o.threads == 0 || o.threads > 8)
        print_fuzz_usage();
    report = mmap(NULL, sizeof(*report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (report == MAP_FAILED)
        abort();
    (void)printf("seed %llu\n", (unsigned long long)o.seed);
    if (shrinks) {
        shrink_steps(&o);
        return EXIT_FAILURE;
    }
    if (o.seconds)
        return check_for_a_while(&o) ? EXIT_SUCCESS : EXIT_FAILURE;
    uint64_t calls = 0, findings = 0;
    bool good = check_seed(&o, &calls, &findings);
    (void)printf("%llu calls, %llu findings\n", (unsigned long long)calls,
                 (unsigned long long)findings);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
