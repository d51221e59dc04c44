/* Tries the ways in which processes and threads begin and end. exit() comes while other threads
 * record, and fork while they are in the layer, or submit, or load its helper library. There are
 * many instances, and a thread that ends after the layer's last instance. */
#include "threads/parts.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXITS         12
#define FORKS         24
#define INSTANCES     1000
#define CHILD_SECONDS 200 /* until a child is taken to hang */
/* bytes: the layer keeps 4,096 blocks of dead objects, no more; a sanitizer more */
#define GROWTH_MOST (SANITIZED ? 1l << 30 : 2l << 20)

static void pause_milliseconds(unsigned milliseconds)
{
    usleep(milliseconds * 1000);
}

static void tell_where(int signal_number)
{
    static const char text[] = "a child that hangs is here:\n";
    void *frames[64];
    (void)!write(STDERR_FILENO, text, sizeof(text) - 1);
    backtrace_symbols_fd(frames, backtrace(frames, 64), STDERR_FILENO);
    _exit(128 + signal_number);
}

/* A child that hangs ends, and says where its first thread was. */
static void child_limit(unsigned seconds)
{
    void *frame;
    (void)backtrace(&frame, 1); /* loads what it needs */
    (void)signal(SIGALRM, tell_where);
    alarm(seconds);
}

/* Waits for a child and requires that it ended well. */
static void require_good_end(pid_t process, const char *what)
{
    int status;
    ENSURE(process > 0 && waitpid(process, &status, 0) == process);
    if (status != 0)
        fail(__FILE__, __LINE__, what, status);
}

/* --- threads that go on while something else happens --- */

struct crowd {
    struct program program;
    struct world world;
    worker_function function;
    pthread_t thread;
};

static const struct part *find_part(const char *name)
{
    for (int i = 0; i < PART_COUNT; i++) {
        if (!strcmp(parts[i].name, name))
            return &parts[i];
    }
    fail(__FILE__, __LINE__, name, 0);
}

/* Each thread does something else, all the time. None takes a lock of the driver that a fork could
 * leave taken but the one for new objects, which it knows how to fork. */
static void mix_calls(struct worker *worker)
{
    static const char *const names[] = {"record", "hand_over", "allocate_sets", "pipelines"};
    find_part(names[worker->index % 4])->function(worker);
}

/* Mistakes all the time, so that findings are being reported at any moment. */
static void err_sometimes(struct worker *worker)
{
    if (worker->index != 0) {
        mix_calls(worker);
        return;
    }
    do {
        const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                         .size = 256,
                                         .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
        VkBuffer buffer;
        VK(vkCreateBuffer(worker->program->device, &info, NULL, &buffer));
        vkDestroyBuffer(worker->program->device, buffer, NULL);
    } while (going());
}

static void *crowd_main(void *argument)
{
    struct crowd *crowd = argument;
    run_threads(&crowd->program, 4, 1000 * CHILD_SECONDS, crowd->function, &crowd->world);
    return NULL;
}

/* Four threads at work until the process ends. */
static void crowd_start(struct crowd *crowd, worker_function function)
{
    program_create(&crowd->program);
    require_layer(&crowd->program);
    world_create(&crowd->world, &crowd->program, false);
    crowd->function = function;
    ENSURE(pthread_create(&crowd->thread, NULL, crowd_main, crowd) == 0);
}

/* --- exit --- */

/* The process's destructors run while other threads are in the layer, at one moment or another. */
static void test_exit(void)
{
    for (unsigned i = 0; i < EXITS; i++) {
        pid_t process = fork();
        if (process == 0) {
            static struct crowd crowd;
            child_limit(CHILD_SECONDS);
            crowd_start(&crowd, i % 2 ? mix_calls : err_sometimes);
            pause_milliseconds(5 + i);
            exit(EXIT_SUCCESS);
        }
        require_good_end(process, "exit() while other threads record");
    }
}

/* --- fork --- */

/* The parent's program goes on in the child, on its only thread. */
static void use_parents_program(struct crowd *crowd)
{
    struct program *program = &crowd->program;
    static const char *const names[] = {"record", "allocate_sets", "pipelines",
                                        "update_with_template", "ask"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct worker worker = {.program = program, .count = 1, .shared = &crowd->world};
        find_part(names[i])->function(&worker);
    }
    for (int i = 0; i < 200; i++) {
        VkBuffer buffer = make_buffer(program);
        const VkDebugUtilsObjectNameInfoEXT name = {
            .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
            .objectType = VK_OBJECT_TYPE_BUFFER,
            .objectHandle = (uint64_t)buffer,
            .pObjectName = "of the child"};
        VK(INSTANCE_PROC(program, vkSetDebugUtilsObjectNameEXT)(program->device, &name));
        vkDestroyBuffer(program->device, buffer, NULL);
    }
}

static void child_of_fork(struct crowd *crowd)
{
    struct program *program = &crowd->program;
    child_limit(CHILD_SECONDS);
    stop_going();
    /* The test's own locks may have been taken at the fork. */
    pthread_mutex_init(&program->findings.lock, NULL);
    pthread_mutex_init(&program->queue_lock, NULL);
    findings_forget(&program->findings);
    use_parents_program(crowd);
    ENSURE(findings_are_none(&program->findings, "the child with the parent's device"));
    require_layer(program);

    static struct program own;
    program_create(&own);
    require_layer(&own);
    VkBuffer buffer = make_buffer(&own);
    vkDestroyBuffer(own.device, buffer, NULL);
    program_destroy(&own);
    ENSURE(findings_are_none(&own.findings, "the child with its own instance"));
    _exit(EXIT_SUCCESS);
}

static void test_fork(void)
{
    pid_t parent = fork();
    if (parent == 0) {
        static struct crowd crowd;
        child_limit(2 * CHILD_SECONDS);
        crowd_start(&crowd, err_sometimes);
        for (unsigned i = 0; i < FORKS; i++) {
            pause_milliseconds(i % 5);
            pid_t process = fork();
            if (process == 0)
                child_of_fork(&crowd);
            require_good_end(process, "a child of a program of many threads");
        }
        _exit(EXIT_SUCCESS);
    }
    require_good_end(parent, "a program of many threads that forks");
}

/* --- fork while hazards are looked for --- */

/* of a command buffer: it takes long enough to be looked at that most forks come in the middle
 * of it */
#define FILLS        512
#define SUBMIT_FORKS 10

static void record_fills(VkCommandBuffer commands, VkBuffer buffer)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT};
    begin_commands(commands);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         0, 1, &barrier, 0, NULL, 0, NULL);
    for (unsigned i = 0; i < FILLS; i++)
        vkCmdFillBuffer(commands, buffer, i % 32 * 8, 4, i);
    VK(vkEndCommandBuffer(commands));
}

/* Submits without waiting for anything, so that no lock of the driver is taken. */
static void submit_fills(struct program *program, struct world *world, bool once)
{
    VkCommandPool pool = make_command_pool(program);
    VkCommandBuffer commands = make_command_buffer(program, pool);
    record_fills(commands, world->buffer);
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &commands};
    do {
        VK(vkQueueSubmit(program->queue, 1, &info, VK_NULL_HANDLE));
        VK(vkQueueWaitIdle(program->queue));
    } while (!once && going());
    vkDestroyCommandPool(program->device, pool, NULL);
}

static void submit_always(struct worker *worker)
{
    if (worker->index == 0)
        submit_fills(worker->program, worker->shared, false);
}

static void test_fork_while_submitting(void)
{
    pid_t parent = fork();
    if (parent == 0) {
        static struct crowd crowd;
        child_limit(2 * CHILD_SECONDS);
        ENSURE(setenv("VK_ASSAY_VALIDATE_SYNC", "true", 1) == 0);
        crowd_start(&crowd, submit_always);
        for (unsigned i = 0; i < SUBMIT_FORKS; i++) {
            usleep(500 + 37 * i);
            pid_t process = fork();
            if (process == 0) {
                child_limit(CHILD_SECONDS);
                stop_going();
                pthread_mutex_init(&crowd.program.findings.lock, NULL);
                findings_forget(&crowd.program.findings);
                submit_fills(&crowd.program, &crowd.world, true);
                _exit(EXIT_SUCCESS);
            }
            require_good_end(process, "a child of a program that submits");
        }
        _exit(EXIT_SUCCESS);
    }
    require_good_end(parent, "a program that forks while it submits");
}

/* --- fork while the helper library is loaded --- */

#define LOAD_MILLISECONDS 100 /* as a slow disk would take */

static atomic_bool loads_slowly, is_loading;

static int hold_loader(struct dl_phdr_info *info, size_t size, void *unused)
{
    atomic_store(&is_loading, true);
    pause_milliseconds(LOAD_MILLISECONDS);
    return 1;
}

/* The layer's calls come here. While the helper is loaded slowly, this thread has the lock that
 * glibc has then. */
void *dlopen(const char *path, int flags);
void *dlopen(const char *path, int flags)
{
    void *symbol = dlsym(RTLD_NEXT, "dlopen");
    void *(*next)(const char *, int);
    memcpy(&next, &symbol, sizeof(next));
    if (path && strstr(path, "_assay_spirv.so") && atomic_exchange(&loads_slowly, false))
        (void)dl_iterate_phdr(hold_loader, NULL);
    return next(path, flags);
}

/* The first shader module of the process. */
static void *load_main(void *argument)
{
    static struct world world;
    world_create(&world, argument, false);
    return NULL;
}

static void test_fork_while_loading(void)
{
    pid_t parent = fork();
    if (parent == 0) {
        static struct program program, own;
        static struct world world;
        pthread_t thread;
        child_limit(2 * CHILD_SECONDS);
        atomic_store(&loads_slowly, true);
        program_create(&program);
        ENSURE(pthread_create(&thread, NULL, load_main, &program) == 0);
        while (!atomic_load(&is_loading))
            sched_yield();
        pid_t process = fork();
        if (process == 0) {
            child_limit(CHILD_SECONDS);
            program_create(&own);
            world_create(&world, &own, false);
            require_layer(&own);
            _exit(EXIT_SUCCESS);
        }
        require_good_end(process, "a child of a program that loads the helper library");
        _exit(EXIT_SUCCESS);
    }
    require_good_end(parent, "a program that forks while it loads the helper library");
}

/* --- many instances --- */

static long process_resident_bytes(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    ENSURE(file && fscanf(file, "%*d %ld", &pages) == 1);
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

static void use_instances(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        static struct program program;
        program_create(&program);
        VkBuffer buffer = make_buffer(&program);
        vkDestroyBuffer(program.device, buffer, NULL);
        program_destroy(&program);
        ENSURE(findings_are_none(&program.findings, "one of many instances"));
    }
}

/* A few with the layer loaded for each, the others beside one that stays. */
static void test_instances(void)
{
    use_instances(INSTANCES / 20);
    static struct program staying;
    program_create(&staying);
    use_instances(INSTANCES / 20);
    long before = process_resident_bytes();
    use_instances(INSTANCES - INSTANCES / 10);
    long growth = process_resident_bytes() - before;
    require_layer(&staying);
    program_destroy(&staying);
    printf("%d instances: the last %d take %ld KiB\n", INSTANCES, INSTANCES - INSTANCES / 10,
           growth / 1024);
    ENSURE(growth <= GROWTH_MOST);
}

/* --- a thread that outlives the layer --- */

static pthread_barrier_t has_worked, may_end;

static void *late_main(void *argument)
{
    struct program *program = argument;
    VkBuffer buffer = make_buffer(program);
    vkDestroyBuffer(program->device, buffer, NULL);
    VkDescriptorSetLayout layout = make_set_layout(program, false);
    vkDestroyDescriptorSetLayout(program->device, layout, NULL);
    pthread_barrier_wait(&has_worked);
    pthread_barrier_wait(&may_end);
    return NULL; /* now its thread-local storage goes */
}

static void test_late_thread(void)
{
    for (int i = 0; i < 4; i++) {
        static struct program program;
        pthread_t thread;
        pthread_barrier_init(&has_worked, NULL, 2);
        pthread_barrier_init(&may_end, NULL, 2);
        program_create(&program);
        ENSURE(pthread_create(&thread, NULL, late_main, &program) == 0);
        pthread_barrier_wait(&has_worked);
        program_destroy(&program); /* the loader unloads the layer */
        ENSURE(findings_are_none(&program.findings, "a thread that ends late"));
        pthread_barrier_wait(&may_end);
        pthread_join(thread, NULL);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*function)(void);
    } tests[] = {{"late_thread", test_late_thread},
                 {"instances", test_instances},
                 {"fork", test_fork},
                 {"fork_while_loading", test_fork_while_loading},
                 {"fork_while_submitting", test_fork_while_submitting},
                 {"exit", test_exit}};
    for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
        if (argc > 1 && strcmp(argv[1], tests[i].name) != 0)
            continue;
        tests[i].function();
        printf("ok     %s\n", tests[i].name);
        fflush(NULL);
    }
    return EXIT_SUCCESS;
}
