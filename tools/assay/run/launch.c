/* Runs the program with the layer switched on. It passes signals on, reads findings meanwhile, and
 * waits for the end of the program and of its children. */
#include "assay/run/run.h"

#include "assay/aftermath/aftermath.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* How long the tool waits for processes that the program has left running, in case they are about
 * to end. */
#define CHILDREN_MS 5000
/* The longest sleep of the loop. If the kernel has no watches left, findings are read in this
 * interval. */
#define LOOK_MS   100
#define READ_SIZE 65536

struct tail {
    int file; /* -1: the layer has not made it yet */
    char *text;
    size_t length, capacity;
};

struct launch {
    struct run *run;
    void (*take)(struct run *run, char *line, size_t length);
    struct tail tail;
    int signals, watch;
    /* the watch descriptor, in `watch`, of the directory in which the loader looks for layers first
     */
    int layers_watch;
    pid_t program;
    bool ended, stop;
};

static void take_lines(struct launch *launch)
{
    struct tail *tail = &launch->tail;
    char *line = tail->text, *end;
    size_t left = tail->length;
    while (left && (end = memchr(line, '\n', left))) {
        launch->take(launch->run, line, (size_t)(end - line));
        left -= (size_t)(end + 1 - line);
        line = end + 1;
    }
    if (left)
        memmove(tail->text, line, left);
    tail->length = left;
}

/* Reads what the layer has written since the last call, and passes each whole line on. */
static void read_findings(struct launch *launch)
{
    struct tail *tail = &launch->tail;
    if (tail->file < 0)
        tail->file = open(launch->run->findings, O_RDONLY | O_CLOEXEC);
    while (tail->file >= 0) {
        if (tail->capacity - tail->length < READ_SIZE) {
            char *text = realloc(tail->text, tail->capacity + 4 * READ_SIZE);
            if (!text)
                return;
            tail->text = text;
            tail->capacity += 4 * READ_SIZE;
        }
        ssize_t got = read(tail->file, tail->text + tail->length, READ_SIZE);
        if (got <= 0)
            return;
        tail->length += (size_t)got;
        take_lines(launch);
    }
}

/* Turns the new process into the program. */
static void launch_become(const struct run *run, char **program, const sigset_t *mask, int failure)
{
    environment_enable(&run->layer, run->layers, run->findings);
    aftermath_enable(run);
    for (uint32_t i = 0; i < run->preset_count; i++)
        preset_apply(run->presets[i]);
    if (run->gpu_select) {
        environment_set("gpuav_select_instrumented_shaders", "true");
        environment_set("gpuav_shaders_to_instrument", run->gpu_select);
    }
    if (run->caller_ignore)
        environment_set("caller_ignore", run->caller_ignore);
    if (run->record_stacks)
        environment_set("record_stacks", "true");
    for (uint32_t i = 0; i < run->setting_count; i++) {
        char key[128];
        const char *equals = strchr(run->settings[i], '=');
        snprintf(key, sizeof(key), "%.*s", (int)(equals - run->settings[i]), run->settings[i]);
        environment_set(key, equals + 1);
    }
    if (run->limit) {
        bool limited = strcmp(run->limit, "0") != 0;
        environment_set("enable_message_limit", limited ? "true" : "false");
        if (limited)
            environment_set("duplicate_message_limit", run->limit);
    }
    sigprocmask(SIG_SETMASK, mask, NULL);
    execvp(program[0], program);
    int error = errno;
    (void)!write(failure, &error, sizeof(error));
    _exit(error == ENOENT ? 127 : 126);
}

static bool launch_start(struct launch *launch, char **program, const sigset_t *mask)
{
    int failure[2];
    struct ending *ending = &launch->run->ending;
    fflush(NULL);
    if (pipe2(failure, O_CLOEXEC) != 0 || (launch->program = fork()) < 0) {
        *ending = (struct ending){.failed = errno, .status = 126};
        return false;
    }
    if (launch->program == 0)
        launch_become(launch->run, program, mask, failure[1]);
    close(failure[1]);
    if (read(failure[0], &ending->failed, sizeof(ending->failed)) <= 0)
        ending->failed = 0;
    close(failure[0]);
    return true;
}

static void take_status(struct launch *launch, int status)
{
    struct ending *ending = &launch->run->ending;
    launch->ended = true;
    ending->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    ending->with_core = WIFSIGNALED(status) && WCOREDUMP(status);
    ending->status = ending->signal ? 128 + ending->signal : WEXITSTATUS(status);
}

/* Waits for children that have ended. Returns false if there are no children left. */
static bool launch_reap(struct launch *launch)
{
    for (;;) {
        int status;
        pid_t process = waitpid(-1, &status, WNOHANG);
        if (process <= 0)
            return process == 0;
        if (process == launch->program)
            take_status(launch, status);
    }
}

/* Passes a signal on to the program. The program gets those of the terminal itself. */
static void take_signal(struct launch *launch)
{
    struct signalfd_siginfo info;
    while (read(launch->signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
        if (info.ssi_signo == SIGCHLD)
            continue;
        if (launch->ended)
            launch->stop = true;
        else if (info.ssi_code != SI_KERNEL)
            kill(launch->program, (int)info.ssi_signo);
    }
}

static int64_t launch_now_in_milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Reads the events of the watches, and notes whether a loader has looked for layers. (Findings are
 * read in any case.) */
static void take_events(struct launch *launch)
{
    _Alignas(struct inotify_event) char events[4096];
    ssize_t got;
    while (launch->watch >= 0 && (got = read(launch->watch, events, sizeof(events))) > 0) {
        for (ssize_t at = 0; at < got;) {
            const struct inotify_event *event = (const struct inotify_event *)(events + at);
            launch->run->loader_looked |= event->wd == launch->layers_watch;
            at += (ssize_t)(sizeof(*event) + event->len);
        }
    }
}

/* Waits for the program and for the processes that it has left, and reads findings meanwhile. */
static void wait_for_all(struct launch *launch)
{
    int64_t ended_at = 0;
    for (;;) {
        struct pollfd files[2] = {{.fd = launch->signals, .events = POLLIN},
                                  {.fd = launch->watch, .events = POLLIN}};
        bool left = launch_reap(launch);
        read_findings(launch);
        /* The tool's symbolizers end first, since they are children as well. */
        if (launch->ended)
            modules_stop(launch->run->frames.modules);
        if (launch->ended && !ended_at)
            ended_at = launch_now_in_milliseconds();
        if (!left)
            return;
        if (launch->ended &&
            (launch->stop || launch_now_in_milliseconds() - ended_at >= CHILDREN_MS)) {
            launch->run->ending.still_runs = true;
            return;
        }
        (void)poll(files, 2, LOOK_MS);
        take_events(launch);
        take_signal(launch);
    }
}

void launch(struct run *run, char **program,
            void (*take)(struct run *run, char *line, size_t length))
{
    struct launch launch = {.run = run, .take = take, .tail = {.file = -1}};
    sigset_t signals, before;
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGQUIT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    sigprocmask(SIG_BLOCK, &signals, &before);
    launch.signals = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    launch.watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    launch.layers_watch = -1;
    if (launch.watch >= 0) {
        (void)inotify_add_watch(launch.watch, run->directory, IN_CREATE | IN_MODIFY);
        launch.layers_watch = inotify_add_watch(launch.watch, run->layers, IN_OPEN);
    }
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0,
          /* children that the program leaves become children of the tool, which can wait for them
           */
          0);
    if (launch_start(&launch, program, &before))
        wait_for_all(&launch);
    take_events(&launch);
    if (launch.tail.length) { /* a process died while it wrote */
        launch.take(run, launch.tail.text, launch.tail.length);
        launch.tail.length = 0;
    }
    free(launch.tail.text);
    if (launch.tail.file >= 0)
        close(launch.tail.file);
    if (launch.watch >= 0)
        close(launch.watch);
    if (launch.signals >= 0)
        close(launch.signals);
    /* (Signals stay blocked, so that the summary is written even if the user presses Ctrl-C again.)
     */
}
