/* Makes random valid programs, on which the layer must be silent. It runs each in a child process,
 * and shrinks the one that draws a finding to the steps that it needs.
 *
 *     valid [--programs N] [--seed N] [--seconds N] [--only KIND,...]
 *           [--settings plain|sync|gpu|both] [--layer NAME] [--print] [--witness] [--keep-going]
 *           [--jobs N] [--list]
 *
 * The driver comes from the environment, as for any program. --layer VK_LAYER_KHRONOS_validation
 * asks the Khronos layer instead of ours; --witness asks it, too, about the program that drew a
 * finding. */
#include "valid.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OUR_LAYER     "VK_LAYER_ASSAY_validation"
#define KHRONOS_LAYER "VK_LAYER_KHRONOS_validation"
#define CHILD_SECONDS 900 /* until programs count as hanging */
#define JOBS_MOST     16

const struct kind kinds[] = {
#define X(name_) {#name_, step_##name_, 10},
    KINDS(X)
#undef X
};
const uint32_t kind_count = LENGTH(kinds);

/* --- one program --- */

static uint64_t mix_seeds(uint64_t a, uint64_t b)
{
    uint64_t x = a * 0x9e3779b97f4a7c15ull ^ (b + 1) * 0xc2b2ae3d27d4eb4full;
    x = (x ^ (x >> 31)) * 0xbf58476d1ce4e5b9ull;
    return x ^ (x >> 29);
}

static uint32_t choose_kind(struct world *w)
{
    for (;;) {
        uint32_t kind = below(w, kind_count);
        if ((w->options->kinds >> kind) & 1)
            return kind;
    }
}

static void end_step(struct world *w, unsigned objects)
{
    if (chance(w, 60)) {
        if (!w->idle)
            wait_for_all(w);
        destroy_to(w, objects);
    }
    memset(w->arena, 0xdb, w->arena_used); /* what a call was given must not be read any more */
    w->arena_used = 0;
}

static void run_program(struct world *w, uint64_t seed)
{
    uint32_t chosen[STEPS_MOST];
    w->random = mix_seeds(seed, 1000);
    uint32_t count = between(w, 1, chance(w, 80) ? 5 : STEPS_MOST);
    for (uint32_t i = 0; i < count; i++)
        chosen[i] = choose_kind(w);
    w->step = 0;
    w->report->seed = seed;
    w->report->step = 0;
    if (w->options->print)
        printf("program %llu: %u steps, settings %d, instance 1.%u, device 1.%u\n",
               (unsigned long long)seed, count, w->settings, w->instance_version % 10,
               w->version % 10);
    device_create(w);
    for (uint32_t i = 0; i < count; i++) {
        w->random = mix_seeds(seed, i);
        w->step = i + 1;
        w->report->step = i + 1;
        if ((w->skipped >> (i + 1)) & 1)
            continue;
        if (w->options->print)
            printf("  step %u: %s\n", i + 1, kinds[chosen[i]].name);
        unsigned objects = w->cleanup_count;
        kinds[chosen[i]].step(w);
        w->report->steps[chosen[i]]++;
        end_step(w, objects);
    }
    w->step = STEPS_MOST + 1;
    if (!w->idle)
        wait_for_all(w);
    destroy_to(w, 0);
    device_destroy(w);
    w->arena_used = 0;
    w->report->programs++;
}

static void run_group(const struct options *options, struct report *report, uint64_t first,
                      uint64_t last, uint64_t skipped)
{
    static struct world w;
    w = (struct world){.options = options, .report = report, .skipped = skipped};
    report->seed = first;
    report->command = "vkCreateInstance";
    instance_create(&w, first / PROGRAM_GROUP);
    w.arena_used = 0;
    for (uint64_t seed = first; seed < last && !report->told_count; seed++)
        run_program(&w, seed);
    instance_destroy(&w);
}

/* --- processes --- */

static pid_t child_start(const struct options *options, struct report *report, uint64_t first,
                         uint64_t last, uint64_t skipped, bool quiet)
{
    report->told_count = 0;
    (void)fflush(NULL);
    pid_t pid = fork();
    if (pid)
        return pid;
    alarm(CHILD_SECONDS);
    if (quiet && (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)))
        _exit(9);
    run_group(options, report, first, last, skipped);
    (void)fflush(NULL);
    _exit(0);
}

static struct report *shared_report(void)
{
    struct report *report =
        mmap(NULL, sizeof(*report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (report == MAP_FAILED) {
        perror("valid: mmap");
        exit(EXIT_FAILURE);
    }
    return report;
}

/* A crash is reported like a finding. */
static void note_end(struct report *report, int status)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return;
    struct told *told = &report->told[0];
    (void)snprintf(told->id, sizeof(told->id), "(ends) %s at %s:%d",
                   WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "with a failure",
                   report->file ? report->file : "", report->line);
    (void)snprintf(told->text, sizeof(told->text), "in %s", report->command ? report->command : "");
    told->step = report->step;
    report->told_count = 1;
}

static bool run_one(const struct options *options, struct report *report, uint64_t seed,
                    uint64_t skipped, bool quiet)
{
    int status = 0;
    pid_t pid = child_start(options, report, seed, seed + 1, skipped, quiet);
    if (pid < 0 || waitpid(pid, &status, 0) < 0)
        return false;
    note_end(report, status);
    return report->told_count > 0;
}

static bool report_says(const struct report *report, const char *id)
{
    for (unsigned i = 0; i < report->told_count; i++) {
        if (!strcmp(report->told[i].id, id))
            return true;
    }
    return false;
}

static void tell_report(const struct report *report)
{
    for (unsigned i = 0; i < report->told_count; i++)
        printf("  in step %u: %s\n    %s\n", report->told[i].step, report->told[i].id,
               report->told[i].text);
}

/* Leaves out one step after the other, as long as the same is found. */
static void shrink_and_tell(const struct options *options, uint64_t seed,
                            const struct report *first)
{
    struct report *report = shared_report();
    uint64_t skipped = 0;
    char id[sizeof(first->told[0].id)];
    memcpy(id, first->told[0].id, sizeof(id));
    bool again = run_one(options, report, seed, 0, true) && report_says(report, id);
    for (unsigned i = 1; again && i <= STEPS_MOST; i++) {
        if (run_one(options, report, seed, skipped | 1ull << i, true) && report_says(report, id))
            skipped |= 1ull << i;
    }
    printf("program %llu draws a finding%s (steps left out: %llx)\n", (unsigned long long)seed,
           again ? "" : " that does not come when it runs alone", (unsigned long long)skipped);
    if (!again) {
        tell_report(first);
    } else {
        (void)run_one(options, report, seed, skipped, !options->print);
        tell_report(report);
    }
    if (options->witness) {
        struct options other = *options;
        other.layer = KHRONOS_LAYER;
        other.print = false;
        bool found = run_one(&other, report, seed, skipped, true);
        printf("  the Khronos layer says %s\n", found ? "of it:" : "nothing of it");
        tell_report(report);
    }
    (void)fflush(stdout);
    munmap(report, sizeof(*report));
}

/* --- the whole --- */

static double valid_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static uint64_t parse_kinds(const char *list)
{
    uint64_t found = 0;
    for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',') {
        size_t length = strcspn(at, ",");
        uint64_t before = found;
        for (uint32_t i = 0; i < kind_count; i++)
            found |= (uint64_t)(!strncmp(at, kinds[i].name, length) && !kinds[i].name[length]) << i;
        if (found == before) {
            (void)fprintf(stderr, "valid: no kind is called %.*s\n", (int)length, at);
            exit(2);
        }
    }
    return found;
}

static int parse_settings(const char *name)
{
    static const char *const names[] = {"plain", "sync", "gpu", "both"};
    for (int i = 0; i < SETTINGS_COUNT; i++) {
        if (!strcmp(names[i], name))
            return i;
    }
    (void)fprintf(stderr, "valid: no settings are called %s\n", name);
    exit(2);
}

static bool parse_options(struct options *options, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--print")) {
            options->print = true;
        } else if (!strcmp(argv[i], "--witness")) {
            options->witness = true;
        } else if (!strcmp(argv[i], "--keep-going")) {
            options->keep_going = true;
        } else if (i + 1 == argc) {
            return false;
        } else if (!strcmp(argv[i], "--programs")) {
            options->programs = strtoull(argv[++i], NULL, 0);
        } else if (!strcmp(argv[i], "--seed")) {
            options->seed = strtoull(argv[++i], NULL, 0);
        } else if (!strcmp(argv[i], "--seconds")) {
            options->seconds = strtoull(argv[++i], NULL, 0);
        } else if (!strcmp(argv[i], "--only")) {
            options->kinds = parse_kinds(argv[++i]);
        } else if (!strcmp(argv[i], "--settings")) {
            options->settings = parse_settings(argv[++i]);
        } else if (!strcmp(argv[i], "--layer")) {
            options->layer = argv[++i];
        } else if (!strcmp(argv[i], "--jobs")) {
            options->jobs = (unsigned)strtoul(argv[++i], NULL, 0);
        } else {
            return false;
        }
    }
    return options->jobs > 0 && options->jobs <= JOBS_MOST;
}

struct job {
    pid_t pid;
    struct report *report;
    uint64_t first, last;
};

#define IDS_MOST 256

struct totals {
    uint64_t programs, calls, findings, steps[64];
    unsigned id_count;
    struct {
        char id[sizeof(((struct told *)0)->id)];
        uint64_t count;
    } ids[IDS_MOST];
};

/* Counts the finding. True if it is the first with its id. */
static bool is_new(struct totals *totals, const char *id)
{
    for (unsigned i = 0; i < totals->id_count; i++) {
        if (!strcmp(totals->ids[i].id, id))
            return totals->ids[i].count++, false;
    }
    if (totals->id_count == IDS_MOST)
        return false;
    totals->ids[totals->id_count].count = 1;
    memcpy(totals->ids[totals->id_count++].id, id, sizeof(totals->ids[0].id));
    return true;
}

static void add_totals(struct totals *totals, struct report *report)
{
    totals->programs += report->programs;
    totals->calls += report->calls;
    for (unsigned i = 0; i < kind_count; i++)
        totals->steps[i] += report->steps[i];
    memset((void *)(uintptr_t)report->steps, 0, sizeof(report->steps));
    report->programs = report->calls = 0;
}

static void job_next(const struct options *options, struct job *job, uint64_t *next, uint64_t end)
{
    if (job->first >= job->last) {
        job->first = *next;
        job->last = (*next / PROGRAM_GROUP + 1) * PROGRAM_GROUP;
        job->last = job->last < end ? job->last : end;
        *next = job->last;
    }
    job->pid = child_start(options, job->report, job->first, job->last, 0, false);
}

int main(int argc, char **argv)
{
    struct options options = {
        .seed = 1, .programs = 1000, .layer = OUR_LAYER, .kinds = ~0ull, .settings = -1, .jobs = 1};
    if (argc == 2 && !strcmp(argv[1], "--list")) {
        for (uint32_t i = 0; i < kind_count; i++)
            puts(kinds[i].name);
        return 0;
    }
    if (!parse_options(&options, argc, argv)) {
        (void)fprintf(stderr,
                      "usage: %s [--programs N] [--seed N] [--seconds N] [--only KIND,...] "
                      "[--settings plain|sync|gpu|both] [--layer NAME]\n"
                      "       [--print] [--witness] [--keep-going] [--jobs N] | --list\n",
                      argv[0]);
        return 2;
    }
    struct job jobs[JOBS_MOST] = {{0}};
    struct totals totals = {0};
    uint64_t next = options.seed, end = options.seed + options.programs;
    double began = valid_seconds();
    unsigned running = 0;
    for (unsigned i = 0; i < options.jobs && next < end; i++) {
        jobs[i].report = shared_report();
        job_next(&options, &jobs[i], &next, end);
        running++;
    }
    while (running) {
        int status;
        pid_t pid = wait(&status);
        for (unsigned i = 0; i < options.jobs; i++) {
            struct job *job = &jobs[i];
            if (!job->pid || job->pid != pid)
                continue;
            job->pid = 0;
            running--;
            note_end(job->report, status);
            add_totals(&totals, job->report);
            uint64_t seed = job->report->seed;
            job->first = job->last;
            if (job->report->told_count) {
                totals.findings++;
                if (is_new(&totals, job->report->told[0].id))
                    shrink_and_tell(&options, seed, job->report);
                job->first = seed + 1; /* the rest of the group */
            }
            bool stop = (totals.findings && !options.keep_going) ||
                        (options.seconds && valid_seconds() - began > (double)options.seconds);
            if (!stop && (job->first < job->last || next < end)) {
                job_next(&options, job, &next, end);
                running++;
            }
        }
    }
    for (unsigned i = 0; i < totals.id_count; i++)
        printf("%llu times %s\n", (unsigned long long)totals.ids[i].count, totals.ids[i].id);
    double took = valid_seconds() - began;
    printf("%llu programs, %llu calls, %llu with findings; %.1f s, %.0f programs a second\n",
           (unsigned long long)totals.programs, (unsigned long long)totals.calls,
           (unsigned long long)totals.findings, took, (double)totals.programs / took);
    for (uint32_t i = 0; i < kind_count; i++)
        printf("%s%s %llu", i ? ", " : "steps: ", kinds[i].name,
               (unsigned long long)totals.steps[i]);
    printf("\n");
    return totals.findings ? 1 : 0;
}
