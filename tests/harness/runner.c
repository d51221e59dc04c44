/* Runs scenarios, each on its drivers and under a layer, and counts those that passed. One process
 * for each; bounded in time.
 *
 * usage: scenarios [--list [--expect] [--text] [--settings]] [--layer NAME] [--below DIR]
 * [--layer-path DIR] [--driver lavapipe|null]... [--null-driver FILE]
 *                  [--jobs N] [--file NAME]... [--half 0|1] [--json FILE] [--verbose] [--proceed]
 *                  [--instead COMMAND] [--all | NAME...]
 *
 * --proceed: every mistaken call reaches the driver, as in a program whose messenger answers
 * VK_FALSE, unless the layer stops it. Scenarios that expect otherwise fail; those that end by a
 * signal show which calls a driver crashes at.
 *
 * --half 0|1: every second of the scenarios chosen, from the first or the second one on.
 *
 * --instead COMMAND: with another command in the place of the one that a scenario calls, as
 * instead.h has it. Scenarios that do not go with it are left out.
 *
 * --below DIR: the Khronos layer, whose manifest is in that directory, stands between the layer and
 * the driver. It may say nothing of what the layer adds to the program's calls.
 *
 * A scenario is left out where it expects an id that this layer does not enforce. The file
 * statements-changed.txt, beside the layer, lists those: their sentences are other ones in the
 * registry that the layer was built with. */
#include "runner.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OUR_LAYER "VK_LAYER_ASSAY_validation"
/* a sanitizer build takes ten times the usual; the usual is 0.1 s */
#define DEFAULT_SECONDS 60
/* A limit is there for what hangs. A machine that does other things, too, is slower than others.
 * Under the peer some calls hang a driver: the limit is shorter there. */
#define PATIENCE          10
#define JOB_LIMIT         64
#define LAVAPIPE_MANIFEST "/usr/share/vulkan/icd.d/lvp_icd.json"

static struct scenario *scenarios;
static struct scenario **last_scenario = &scenarios;

static struct {
    const char *layer;
    char layer_path[PATH_MAX];
    char null_driver[PATH_MAX];
    const char *below; /* where its manifest is; NULL: there is no layer below */
    const char *files[LIST_LIMIT];
    unsigned file_count;
    const char *json;
    unsigned drivers;
    unsigned jobs;
    bool verbose;
    bool proceed;
    bool halved;
    unsigned half; /* of two, where halved */
    bool list_expected;
    bool list_texts;
    bool list_settings;
    const char *instead; /* NULL: each scenario as it is */
} options = {.layer = OUR_LAYER, .jobs = 1};

/* One process under way. */
struct job {
    pid_t pid; /* 0: free */
    const struct scenario *scenario;
    enum driver driver;
    int log;      /* memfd: what it printed */
    int findings; /* memfd: ids of its findings, a line each */
    char directory[64];
    struct timespec start;
};

static int note_fd = -1; /* in the child: job.findings */
static FILE *json;
static unsigned passed, failed, skipped, left_out, jobs_started;
static char *unenforced; /* statements-changed.txt; NULL: there is none */

void scenario_register(struct scenario *scenario)
{
    char *file =
        strdup(strrchr(scenario->file, '/') ? strrchr(scenario->file, '/') + 1 : scenario->file);
    file[strcspn(file, ".")] = '\0';
    scenario->file = file;
    *last_scenario = scenario;
    last_scenario = &scenario->next;
}

void runner_note_finding(const char *id)
{
    if (note_fd >= 0)
        dprintf(note_fd, "%s\n", id);
}

static const char *driver_name(enum driver driver)
{
    return driver == LAVAPIPE ? "lavapipe" : "null";
}

/* Settings reach either layer through the environment, each by its own prefix. */
static void set_setting(const char *setting)
{
    char name[128];
    const char *prefix = strstr(options.layer, "khronos") || strstr(options.layer, "KHRONOS")
                             ? "VK_VALIDATION_"
                             : "VK_ASSAY_";
    size_t length = strcspn(setting, "=");
    ENSURE(setting[length] == '=' && length + strlen(prefix) < sizeof(name));
    char *end = stpcpy(name, prefix);
    for (size_t i = 0; i < length; i++)
        *end++ =
            setting[i] >= 'a' && setting[i] <= 'z' ? (char)(setting[i] - 'a' + 'A') : setting[i];
    *end = '\0';
    setenv(name, setting + length + 1, 1);
}

static void write_file(const char *path, const char *contents)
{
    FILE *file = fopen(path, "w");
    ENSURE(file);
    ENSURE(fputs(contents, file) >= 0);
    ENSURE(fclose(file) == 0);
}

/* The loader and the layers see this scenario's world and nothing of the machine's or the user's.
 */
static void set_environment(const struct job *job)
{
    const struct scenario *scenario = job->scenario;
    static const char *const unset[] = {"VK_INSTANCE_LAYERS",      "VK_ADD_LAYER_PATH",
                                        "VK_LOADER_LAYERS_ENABLE", "VK_ADD_DRIVER_FILES",
                                        "VK_LAYER_SETTINGS_PATH",  "VK_LOADER_DEBUG",
                                        "VK_ICD_FILENAMES",        "DISPLAY",
                                        "WAYLAND_DISPLAY"};
    for (size_t i = 0; i < sizeof(unset) / sizeof(unset[0]); i++)
        unsetenv(unset[i]);
    ENSURE(chdir(job->directory) == 0);
    setenv("HOME", job->directory, 1);
    setenv("XDG_CONFIG_HOME", job->directory, 1);
    setenv("XDG_DATA_HOME", job->directory, 1);
    setenv("XDG_CACHE_HOME", job->directory, 1);
    setenv("VK_LOADER_LAYERS_DISABLE", "~implicit~", 1);
    setenv("VK_DRIVER_FILES", job->driver == LAVAPIPE ? LAVAPIPE_MANIFEST : options.null_driver, 1);
    setenv("LP_NUM_THREADS", "1", 0);
    if (options.layer_path[0])
        setenv("VK_LAYER_PATH", options.layer_path, 1);
    /* all that it checks without a look into shaders at work; ours reads its settings, too */
    if (options.below) {
        char path[2 * PATH_MAX];
        (void)snprintf(path, sizeof(path), "%s:%s", options.layer_path, options.below);
        setenv("VK_LAYER_PATH", path, 1);
        setenv("VK_VALIDATION_THREAD_SAFETY", "true", 1);
        setenv("VK_VALIDATION_VALIDATE_SYNC", "true", 1);
        setenv("VK_ASSAY_VALIDATE_SYNC", "false", 1);
    }
    for (int i = 0; i < LIST_LIMIT && scenario->settings[i]; i++)
        set_setting(scenario->settings[i]);
    if (scenario->settings_file)
        write_file("vk_layer_settings.txt", scenario->settings_file);
    if (scenario->null_driver) {
        write_file("null_driver.json", scenario->null_driver);
        setenv("ASSAY_NULL_DRIVER", "null_driver.json", 1);
    }
}

/* True if the process ends without the destructors of libraries. AddressSanitizer's take as long
 * as a scenario, so with it only every eighth process runs them. */
static bool ends_at_once(void)
{
#ifdef __SANITIZE_ADDRESS__
    return jobs_started % 8 != 0;
#else
    return false;
#endif
}

static void run_child(const struct job *job) __attribute__((noreturn));
static void run_child(const struct job *job)
{
    static struct baseline b;
    if (dup2(job->log, STDOUT_FILENO) < 0 || dup2(job->log, STDERR_FILENO) < 0)
        _exit(EXIT_FAILURE);
    note_fd = job->findings;
    set_environment(job);
    b.scenario = job->scenario;
    b.layer = options.layer;
    b.ours = strcmp(options.layer, OUR_LAYER) == 0;
    b.below = options.below ? BELOW_LAYER : NULL;
    b.driver = job->driver;
    b.skip = !job->scenario->proceed && !options.proceed;
    b.last_seen = &b.first_seen;
    const unsigned patience = strcmp(options.layer, OUR_LAYER) == 0 ? PATIENCE : 1;
    alarm(patience * (job->scenario->seconds ? job->scenario->seconds : DEFAULT_SECONDS));
    instead_begin(&b);
    world_create(&b);
    job->scenario->run(&b);
    world_destroy(&b);
    findings_judge(&b);
    const int status = scenario_failed() ? EXIT_FAILURE : EXIT_SUCCESS;
    if (!ends_at_once())
        exit(status);
    fflush(NULL);
    _exit(status);
}

static void job_start(struct job *job, const struct scenario *scenario, enum driver driver)
{
    *job = (struct job){.scenario = scenario, .driver = driver};
    strcpy(job->directory, "/tmp/assay-scenario-XXXXXX");
    job->log = memfd_create("log", 0);
    job->findings = memfd_create("findings", 0);
    clock_gettime(CLOCK_MONOTONIC, &job->start);
    if (job->log < 0 || job->findings < 0 || !mkdtemp(job->directory)) {
        perror("scenarios: cannot set up a process");
        exit(EXIT_FAILURE);
    }
    fflush(NULL);
    jobs_started++;
    job->pid = fork();
    if (job->pid == 0)
        run_child(job);
    if (job->pid < 0) {
        perror("scenarios: fork");
        exit(EXIT_FAILURE);
    }
}

static void remove_directory(const char *path)
{
    DIR *directory = opendir(path);
    if (!directory)
        return;
    for (struct dirent *entry; (entry = readdir(directory));) {
        char name[PATH_MAX];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
        if (unlink(name) != 0)
            remove_directory(name);
    }
    closedir(directory);
    rmdir(path);
}

static char *read_all(int fd)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return strdup("");
    char *text = calloc(1, (size_t)info.st_size + 1);
    ENSURE(text);
    ssize_t got = pread(fd, text, (size_t)info.st_size, 0);
    text[got > 0 ? got : 0] = '\0';
    return text;
}

static bool has_line(const char *text, const char *line)
{
    const size_t length = strlen(line);
    for (const char *at = text; (at = strstr(at, line)); at += length) {
        if ((at == text || at[-1] == '\n') && at[length] == '\n')
            return true;
    }
    return false;
}

static bool name_is_listed(const char *const *list, const char *id, size_t length)
{
    for (int i = 0; i < LIST_LIMIT && list[i]; i++) {
        if (strlen(list[i]) == length && strncmp(list[i], id, length) == 0)
            return true;
    }
    return false;
}

/* Does what findings_judge() does in a process that ends by itself. `text`: what it printed, which
 * has all findings. */
static bool findings_are_expected(const struct scenario *scenario, const char *findings,
                                  const char *text)
{
    const bool ours = strcmp(options.layer, OUR_LAYER) == 0;
    for (int i = 0; i < LIST_LIMIT && scenario->expect[i]; i++) {
        if (!has_line(findings, scenario->expect[i]))
            return false;
    }
    for (int i = 0; ours && i < LIST_LIMIT && scenario->text[i]; i++) {
        if (!strstr(text, scenario->text[i]))
            return false;
    }
    for (const char *id = findings; *id; id += strcspn(id, "\n") + 1) {
        const size_t length = strcspn(id, "\n");
        if (!name_is_listed(scenario->expect, id, length) &&
            !name_is_listed(scenario->allow, id, length))
            return false;
    }
    return true;
}

static bool is_pass(const struct scenario *scenario, int status, const char *findings,
                    const char *text)
{
    if (scenario->signal)
        return WIFSIGNALED(status) && WTERMSIG(status) == scenario->signal &&
               findings_are_expected(scenario, findings, text);
    return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

/* Names the packages that made the scenarios' shaders and run them and are not the known ones; ""
 * where all are. It is asked once. */
static const char *unknown_packages(enum driver driver)
{
    static char lavapipe[512], null_driver[512];
    char *text = driver == LAVAPIPE ? lavapipe : null_driver;
    if (text[0])
        return text + 1;
    char command[512];
    (void)snprintf(command, sizeof(command), "%s --unknown glslang spirv-tools vulkan-loader%s%s",
                   VERSIONS, driver == LAVAPIPE ? " mesa" : "",
                   options.below ? " khronos-layer" : "");
    text[0] = '?'; /* from now on it is known */

    FILE *output = popen(command, "r"); /* NOLINT */
    if (output) {
        text[1 + fread(text + 1, 1, sizeof(lavapipe) - 2, output)] = '\0';
        (void)pclose(output);
    }
    return text + 1;
}

enum verdict { PASSED, FAILED, SKIPPED };

/* A scenario that fails with versions that are known fails. With others it may be these that have
 * changed: then it counts as skipped. */
static enum verdict judge_job(const struct job *job, bool pass, int status)
{
    if (pass)
        return PASSED;
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SKIPPED)
        return SKIPPED;
    return unknown_packages(job->driver)[0] ? SKIPPED : FAILED;
}

static void write_list(const char *key, const char *const *list)
{
    fprintf(json, ", \"%s\": [", key);
    for (int i = 0; i < LIST_LIMIT && list[i]; i++)
        fprintf(json, "%s\"%s\"", i ? ", " : "", list[i]);
    fprintf(json, "]");
}

/* Our ids hold no character that JSON would have to escape; those of others (drivers', the peer's)
 * may. */
static void write_json(const struct job *job, int status, bool pass, double seconds, char *findings)
{
    static bool later;
    if (!json)
        return;
    fprintf(json,
            "%s\n{\"name\": \"%s\", \"file\": \"%s\", \"driver\": \"%s\", \"pass\": %s, "
            "\"seconds\": %.3f, \"signal\": %d, \"findings\": [",
            later ? "," : "", job->scenario->name, job->scenario->file, driver_name(job->driver),
            pass ? "true" : "false", seconds, WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    later = true;
    const char *separator = "";
    for (char *line = strtok(findings, "\n"); line; line = strtok(NULL, "\n")) {
        for (char *c = line; *c; c++) {
            if (*c == '"' || *c == '\\' || (unsigned char)*c < ' ')
                *c = '?';
        }
        fprintf(json, "%s\"%s\"", separator, line);
        separator = ", ";
    }
    fprintf(json, "]");
    write_list("expect", job->scenario->expect);
    write_list("allow", job->scenario->allow);
    fprintf(json, "}");
}

static void job_finish(struct job *job, int status)
{
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds =
        (double)(end.tv_sec - job->start.tv_sec) + (double)(end.tv_nsec - job->start.tv_nsec) / 1e9;
    char *log = read_all(job->log), *findings = read_all(job->findings);
    bool pass = is_pass(job->scenario, status, findings, log);
    static const char *const words[] = {"ok  ", "FAIL", "skip"};
    enum verdict verdict = judge_job(job, pass, status);
    passed += verdict == PASSED;
    failed += verdict == FAILED;
    skipped += verdict == SKIPPED;
    if (!pass || options.verbose) {
        printf("%s %s.%s on %s (%.2f s)", words[verdict], job->scenario->file, job->scenario->name,
               driver_name(job->driver), seconds);
        if (WIFSIGNALED(status))
            printf(": %s", WTERMSIG(status) == SIGALRM ? "hangs" : strsignal(WTERMSIG(status)));
        printf("\n%s", pass && !options.verbose ? "" : log);
        if (verdict == SKIPPED && WEXITSTATUS(status) != EXIT_SKIPPED)
            printf("  skipped: it failed, and %s\n", unknown_packages(job->driver));
        fflush(stdout);
    }
    write_json(job, status, pass, seconds, findings);
    remove_directory(job->directory);
    close(job->log);
    close(job->findings);
    free(log);
    free(findings);
    job->pid = 0;
}

static struct job *job_wait(struct job *jobs)
{
    int status;
    pid_t pid = wait(&status);
    if (pid < 0) {
        perror("scenarios: wait");
        exit(EXIT_FAILURE);
    }
    for (unsigned i = 0; i < options.jobs; i++) {
        if (jobs[i].pid == pid) {
            job_finish(&jobs[i], status);
            return &jobs[i];
        }
    }
    return job_wait(jobs);
}

static struct job *job_free(struct job *jobs)
{
    for (unsigned i = 0; i < options.jobs; i++) {
        if (!jobs[i].pid)
            return &jobs[i];
    }
    return job_wait(jobs);
}

static bool of_selected_file(const struct scenario *scenario)
{
    for (unsigned i = 0; i < options.file_count; i++) {
        if (strcmp(options.files[i], scenario->file) == 0)
            return true;
    }
    return !options.file_count;
}

static bool scenario_is_selected(const struct scenario *scenario, char **names, int count)
{
    if (!of_selected_file(scenario))
        return false;
    if (scenario->ours_only && strcmp(options.layer, OUR_LAYER) != 0)
        return false;
    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], scenario->name) == 0)
            return true;
    }
    return count == 0;
}

/* Reads what the build wrote beside the layer. */
static void read_unenforced(void)
{
    char path[PATH_MAX + 32];
    (void)snprintf(path, sizeof(path), "%s/statements-changed.txt", options.layer_path);
    int fd = options.layer_path[0] ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    unenforced = read_all(fd);
    close(fd);
}

/* Whether a line begins with this word. */
static bool begins_line(const char *text, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        if ((at == text || at[-1] == '\n') && (at[length] == '\n' || at[length] == ' '))
            return true;
    }
    return false;
}

/* An id of the scenario that the layer does not enforce, or NULL. Of a number that is gone, the
 * file has the number. */
static const char *unenforced_id(const struct scenario *scenario)
{
    for (int i = 0; unenforced && i < LIST_LIMIT && scenario->expect[i]; i++) {
        const char *id = scenario->expect[i], *number = strrchr(id, '-');
        if (begins_line(unenforced, id) || (number && begins_line(unenforced, number + 1)))
            return id;
    }
    return NULL;
}

static int print_scenarios_usage(void)
{
    fprintf(stderr, "usage: scenarios [--list [--expect] [--text] [--settings]] [--layer NAME] "
                    "[--below DIR] [--layer-path DIR]\n"
                    "                 [--driver lavapipe|null]... [--null-driver FILE] [--jobs N] "
                    "[--file NAME]...\n"
                    "                 [--half 0|1] [--json FILE] [--verbose] [--proceed] "
                    "[--instead COMMAND]\n                 "
                    "[--all | NAME...]\n");
    return 2;
}

/* Answers the number of arguments that were options; -1 when one is wrong. */
static int parse_options(int argc, char **argv, bool *list)
{
    int i = 1;
    for (; i < argc && argv[i][0] == '-'; i++) {
        const char *option = argv[i];
        if (strcmp(option, "--list") == 0) {
            *list = true;
            continue;
        }
        if (strcmp(option, "--expect") == 0) {
            options.list_expected = true;
            continue;
        }
        if (strcmp(option, "--text") == 0) {
            options.list_texts = true;
            continue;
        }
        if (strcmp(option, "--settings") == 0) {
            options.list_settings = true;
            continue;
        }
        if (strcmp(option, "--all") == 0)
            continue;
        if (strcmp(option, "--proceed") == 0) {
            options.proceed = true;
            continue;
        }
        if (strcmp(option, "--verbose") == 0) {
            options.verbose = true;
            continue;
        }
        const char *value = argv[++i];
        if (!value)
            return -1;
        if (strcmp(option, "--layer") == 0)
            options.layer = value;
        else if (strcmp(option, "--layer-path") == 0 && realpath(value, options.layer_path))
            continue;
        else if (strcmp(option, "--null-driver") == 0 && realpath(value, options.null_driver))
            continue;
        else if (strcmp(option, "--driver") == 0 && strcmp(value, "lavapipe") == 0)
            options.drivers |= LAVAPIPE;
        else if (strcmp(option, "--driver") == 0 && strcmp(value, "null") == 0)
            options.drivers |= NULL_DRIVER;
        else if (strcmp(option, "--file") == 0 && options.file_count < LIST_LIMIT)
            options.files[options.file_count++] = value;
        else if (strcmp(option, "--below") == 0)
            options.below = value;
        else if (strcmp(option, "--instead") == 0)
            options.instead = value;
        else if (strcmp(option, "--json") == 0)
            options.json = value;
        else if (strcmp(option, "--half") == 0 && (*value == '0' || *value == '1') && !value[1]) {
            options.halved = true;
            options.half = (unsigned)(*value - '0');
        } else if (strcmp(option, "--jobs") == 0 && atoi(value) > 0)
            options.jobs = (unsigned)atoi(value) < JOB_LIMIT ? (unsigned)atoi(value) : JOB_LIMIT;
        else
            return -1;
    }
    return i;
}

/* Loads the library that a manifest names. Nothing of it is called: each process of a scenario
 * finds it read and relocated, and starts as it would without. A library that cannot be loaded is
 * left to the scenarios, which fail. */
static void preload_of_manifest(const char *manifest)
{
    int fd = open(manifest, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    char *text = read_all(fd), *name = strstr(text, "\"library_path\"");
    close(fd);
    name = name ? strchr(strchr(name, ':'), '"') : NULL;
    if (name) {
        char path[2 * PATH_MAX];
        const int length = (int)strcspn(++name, "\"");
        /* a path is relative to the manifest; a bare name is looked for */
        const int directory = memchr(name, '/', (size_t)length) && *name != '/'
                                  ? (int)(strrchr(manifest, '/') + 1 - manifest)
                                  : 0;
        (void)snprintf(path, sizeof(path), "%.*s%.*s", directory, manifest, length, name);
        (void)dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    free(text);
}

/* With sanitizers a library takes longer to load than most scenarios to run. So does lavapipe,
 * whose size would slow forks for the null driver down. */
static void preload_for(unsigned drivers)
{
    char path[PATH_MAX + 32];
    (void)snprintf(path, sizeof(path), "%s/VkLayer_assay.json", options.layer_path);
    if (strcmp(options.layer, OUR_LAYER) == 0 && options.layer_path[0])
        preload_of_manifest(path);
    if (drivers == LAVAPIPE)
        preload_of_manifest(LAVAPIPE_MANIFEST);
    else if (drivers == NULL_DRIVER)
        preload_of_manifest(options.null_driver);
}

/* Gives how many were started. `*chosen`: with those of the other half. */
static unsigned run_selected(char **names, int count, unsigned *chosen)
{
    static struct job jobs[JOB_LIMIT];
    unsigned started = 0;
    *chosen = 0;
    preload_for(options.drivers);
    for (const struct scenario *scenario = scenarios; scenario; scenario = scenario->next) {
        unsigned drivers =
            (scenario->drivers ? scenario->drivers : LAVAPIPE | NULL_DRIVER) & options.drivers;
        for (unsigned driver = LAVAPIPE; driver <= NULL_DRIVER; driver <<= 1) {
            if (!(drivers & driver) || !scenario_is_selected(scenario, names, count))
                continue;
            const char *id = unenforced_id(scenario);
            if (id) {
                printf("left out: %s.%s, as %s is not enforced\n", scenario->file, scenario->name,
                       id);
                left_out++;
                continue;
            }
            if (options.halved && (*chosen)++ % 2 != options.half)
                continue;
            job_start(job_free(jobs), scenario, (enum driver)driver);
            started++;
        }
    }
    while (passed + failed + skipped < started)
        job_wait(jobs);
    return started;
}

static void list_selected(char **names, int count)
{
    for (const struct scenario *scenario = scenarios; scenario; scenario = scenario->next) {
        if (!scenario_is_selected(scenario, names, count))
            continue;
        printf("%s.%s", scenario->file, scenario->name);
        for (int i = 0; options.list_expected && i < LIST_LIMIT && scenario->expect[i]; i++)
            printf(" %s", scenario->expect[i]);
        for (int i = 0; options.list_texts && i < LIST_LIMIT && scenario->text[i]; i++)
            printf(" %s", scenario->text[i]);
        for (int i = 0; options.list_settings && i < LIST_LIMIT && scenario->settings[i]; i++)
            printf(" %s", scenario->settings[i]);
        printf("\n");
    }
}

/* Puts what `--instead` makes of the scenarios into their place. False: there is no such command,
 * or the layer's statements were not found. */
static bool replace_scenarios(void)
{
    char path[PATH_MAX + 32];
    const char *directory = options.layer_path[0] ? options.layer_path : getenv("VK_LAYER_PATH");
    struct scenario *all = scenarios;
    (void)snprintf(path, sizeof(path), "%s/statements.txt", directory ? directory : ".");
    if (!instead_choose(options.instead, path))
        return false;
    scenarios = NULL;
    last_scenario = &scenarios;
    for (struct scenario *next; all; all = next) {
        struct scenario *other = instead_scenario(all);
        next = all->next;
        if (!other)
            continue;
        other->next = NULL;
        *last_scenario = other;
        last_scenario = &other->next;
    }
    return true;
}

int main(int argc, char **argv)
{
    bool list = false;
    int first = parse_options(argc, argv, &list);
    if (first < 0)
        return print_scenarios_usage();
    if (!options.drivers)
        options.drivers = LAVAPIPE | (options.null_driver[0] ? NULL_DRIVER : 0);
    if (options.instead && !replace_scenarios())
        return print_scenarios_usage();
    if (list) {
        list_selected(argv + first, argc - first);
        return 0;
    }
    if (strcmp(options.layer, OUR_LAYER) == 0)
        read_unenforced();
    if (options.json && !(json = fopen(options.json, "w"))) {
        perror(options.json);
        return 2;
    }
    if (json)
        fprintf(json, "[");
    unsigned chosen = 0, started = run_selected(argv + first, argc - first, &chosen);
    if (json && (fprintf(json, "\n]\n") < 0 || fclose(json) != 0)) {
        perror(options.json);
        return 2;
    }
    free(unenforced);
    if (started == 0 && (left_out || chosen))
        return EXIT_SKIPPED; /* the other half may have the only one */
    if (started == 0) {
        fprintf(stderr, "scenarios: no scenario is called that\n");
        return 2;
    }
    printf("%u passed, %u failed", passed, failed);
    if (skipped)
        printf(", %u skipped", skipped);
    printf("\n");
    return failed ? EXIT_FAILURE : skipped ? EXIT_SKIPPED : EXIT_SUCCESS;
}
