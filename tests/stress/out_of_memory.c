/* Checks what happens to a program when memory runs out inside the layer. It runs once for every
 * allocation that the layer makes, which fails; then again with all later ones failing too. It must
 * never crash, its calls must have their results, and nothing may be said that is not true.
 *
 * usage: out_of_memory LIBRARY...: the layer and the driver, loaded once for all runs. Needs a
 * layer built with -Dfault_injection=true. */
#include "threads/parts.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define TRIES_MOST  20000
#define TRIES_LEAST 50 /* fewer: it is not our layer that fails them */

/* The findings that the program hears when memory is there: no others may be heard when it is not.
 * In memory that the runs share. */
static struct findings *expected;

static void name_buffer(struct program *program, VkBuffer buffer, const char *name)
{
    const VkDebugUtilsObjectNameInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = VK_OBJECT_TYPE_BUFFER,
        .objectHandle = (uint64_t)buffer,
        .pObjectName = name};
    VK(INSTANCE_PROC(program, vkSetDebugUtilsObjectNameEXT)(program->device, &info));
}

/* A wrong structure type; a destroyed buffer that had a name; a buffer that is never destroyed,
 * used under a label. */
static void make_mistakes(struct program *program)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                     .size = 256,
                                     .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    VkBuffer buffer = VK_NULL_HANDLE;
    if (vkCreateBuffer(program->device, &info, NULL, &buffer) == VK_SUCCESS)
        vkDestroyBuffer(program->device, buffer, NULL);
    buffer = make_buffer(program);
    name_buffer(program, buffer, "destroyed");
    vkDestroyBuffer(program->device, buffer, NULL);
    VkMemoryRequirements requirements;
    vkGetBufferMemoryRequirements(program->device, buffer, &requirements);

    VkBuffer leaked = make_buffer(program);
    name_buffer(program, leaked, "leaked");
    VkCommandPool pool = make_command_pool(program);
    VkCommandBuffer command_buffer = make_command_buffer(program, pool);
    const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                        .pLabelName = "mistakes"};
    begin_commands(command_buffer);
    INSTANCE_PROC(program, vkCmdBeginDebugUtilsLabelEXT)(command_buffer, &label);
    vkCmdFillBuffer(command_buffer, buffer, 0, 64, 0);
    vkCmdFillBuffer(command_buffer, leaked, 0, 64, 0);
    INSTANCE_PROC(program, vkCmdEndDebugUtilsLabelEXT)(command_buffer);
    VK(vkEndCommandBuffer(command_buffer));
    vkDestroyCommandPool(program->device, pool, NULL);
}

static void run_parts(struct program *program, bool after_bind)
{
    struct world world;
    world_create(&world, program, after_bind);
    for (int i = 0; i < PART_COUNT; i++) {
        struct worker worker = {.program = program, .count = 1, .shared = &world};
        if (parts[i].after_bind != after_bind)
            continue;
        parts[i].function(&worker); /* one round: going() is false */
        if (parts[i].end)
            parts[i].end(&world);
    }
    world_destroy(&world);
}

static void run_program(struct program *program)
{
    program_create(program);
    run_parts(program, false);
    run_parts(program, true);
    make_mistakes(program);
    program_destroy(program);
}

static bool is_expected(int32_t number)
{
    for (unsigned i = 0; i < expected->kept; i++) {
        if (expected->numbers[i] == number)
            return true;
    }
    return false;
}

/* True for a finding that says that memory is out: without a name, where there is no memory for
 * that either. */
static bool tells_of_memory(struct program *program, unsigned i)
{
    return strstr(program->findings.texts[i], "Memory has run out inside the layer (") ||
           strstr(program->findings.texts[i], "found no memory for GPU-assisted validation");
}

/* Ends the process: 0 when all was well, EXIT_GAVE_UP when it could not go on and got a result that
 * says so. */
static void run_failing(const char *failing)
{
    struct program program;
    setenv("ASSAY_FAIL_ALLOCATION", failing, 1);
    memory_may_be_out = true;
    run_program(&program);
    for (unsigned i = 0; i < program.findings.kept; i++) {
        if (tells_of_memory(&program, i)) {
            printf("told\n");
        } else if (!is_expected(program.findings.numbers[i])) {
            fprintf(stderr, "%s\n", program.findings.texts[i]);
            _exit(EXIT_FAILURE);
        }
    }
    fflush(stdout);
    _exit(EXIT_SUCCESS); /* _exit: what a failure leaks, it leaks once */
}

enum outcome { FAILED_ONE, FAILED_NONE, WRONG };

/* Runs the program with this allocation failing; shows what it has written if it goes wrong. */
static enum outcome try_failing(const char *failing, unsigned *told)
{
    static char text[65536];
    int output = memfd_create("output", 0);
    ENSURE(output >= 0);
    fflush(NULL);
    pid_t process = fork();
    ENSURE(process >= 0);
    if (process == 0) {
        dup2(output, STDERR_FILENO);
        dup2(output, STDOUT_FILENO);
        alarm(300);
        run_failing(failing);
    }
    int status;
    ENSURE(waitpid(process, &status, 0) == process);
    ssize_t length = pread(output, text, sizeof(text) - 1, 0);
    text[length > 0 ? length : 0] = 0;
    close(output);
    bool gave_up = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_GAVE_UP && strchr(failing, '+');
    if (status != 0 && !gave_up) {
        printf("allocation %s fails: the program ends with status 0x%x\n%s\n", failing,
               (unsigned)status, text);
        return WRONG;
    }
    *told += strstr(text, "told\n") != NULL;
    return strstr(text, "assay: allocation ") ? FAILED_ONE : FAILED_NONE;
}

/* One after the other, until the program ends before the layer has made so many allocations. */
static bool try_all(const char *suffix)
{
    unsigned wrong = 0, told = 0;
    int n = 1;
    for (; n < TRIES_MOST && wrong < 5; n++) {
        char failing[16];
        snprintf(failing, sizeof(failing), "%d%s", n, suffix);
        enum outcome outcome = try_failing(failing, &told);
        if (outcome == FAILED_NONE)
            break;
        wrong += outcome == WRONG;
    }
    printf("%d allocations, each failing%s: %u wrong, %u told of\n", n - 1,
           *suffix ? " with all after it" : "", wrong, told);
    /* A failure while there is no messenger or no hook yet, or of what is needed for a message,
     * cannot be reported. */
    return wrong == 0 && told >= (*suffix ? 1 : (unsigned)n * 9 / 10) && n >= TRIES_LEAST &&
           n < TRIES_MOST;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (!dlopen(argv[i], RTLD_NOW | RTLD_LOCAL)) {
            fprintf(stderr, "%s\n", dlerror());
            return EXIT_FAILURE;
        }
    }
    every_statement = true; /* without memory a finding has no name to tell it by */
    expected =
        mmap(NULL, sizeof(*expected), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ENSURE(expected != MAP_FAILED);
    pid_t process = fork();
    if (process == 0) {
        struct program program;
        run_program(&program);
        *expected = program.findings;
        _exit(EXIT_SUCCESS);
    }
    int status;
    ENSURE(process > 0 && waitpid(process, &status, 0) == process && status == 0);
    for (unsigned i = 0; i < expected->kept; i++)
        printf("expected: %s\n", expected->ids[i]);
    ENSURE(expected->kept >= 4);
    bool each = try_all(""), all = try_all("+");
    return each && all ? EXIT_SUCCESS : EXIT_FAILURE;
}
