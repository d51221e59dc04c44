/* Measures what the kernels cost in this process, with the layers and the driver that the
 * environment names.
 *
 *     bench_gpu [--elements N] [--ms N] [--before MIB] [KERNEL...]
 *         prints lines "KERNEL.WHAT median-ns shortest-ns", and "KERNEL.wrong N": results that are
 *         not right, for which it exits with 2. WHAT is one of
 *         gpu        between the timestamps around a dispatch of N elements, or around many small
 *                    ones
 *         pipeline   a shader module of new code and its pipeline made
 *         ready      the same, and bound: from its beginning until vkCmdBindPipeline has returned
 *         many       the same as pipeline, of several that are made one after the other, and bound
 *                    after that
 *         bound      the same as ready, of these: the time that each of them took, on average
 *         empty      vkQueueSubmit of an empty command buffer, and vkWaitForFences
 *         small      the same with the dispatch of one workgroup
 *         The rows that draw (screens.h) have gpu alone: the draws of one submission.
 *         With --before, memory of so many MiB is allocated first: does it matter where the
 *         kernels' memory lies? Where a layer allocates, it lies elsewhere.
 *     bench_gpu [--elements N] --bad KERNEL
 *         does one dispatch in which one element reads what it must not, for a layer to find
 *     bench_gpu --device
 *         prints the device's name
 *     bench_gpu --list
 *         prints a line "KERNEL what it does" for each */
#include "kernels.h"
#include "screens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DISPATCHES    8 /* that are timed, of a submission */
#define SAMPLE_LIMIT  8192
#define LEAST_SAMPLES 16
#define GROUP_LIMIT   16    /* pipelines that are made before the first is bound */
#define WARM_UP_NS    150e6 /* until a GPU that was idle has its clock up */

/* Threads: one alone. */
struct samples {
    double ns[SAMPLE_LIMIT];
    uint32_t count;
};

static double gpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int compare_gpu_times(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool more_wanted(const struct samples *samples, uint32_t least, double end)
{
    return samples->count + DISPATCHES <= SAMPLE_LIMIT &&
           (samples->count < least || gpu_now() < end);
}

static void samples_print(const char *name, const char *what, struct samples *samples)
{
    qsort(samples->ns, samples->count, sizeof(samples->ns[0]), compare_gpu_times);
    printf("%s.%s %.1f %.1f\n", name, what, samples->ns[samples->count / 2], samples->ns[0]);
    fflush(stdout);
    samples->count = 0;
}

/* Records the dispatches that are timed together. */
static void dispatch_kernel(const struct job *job, VkCommandBuffer commands)
{
    const uint32_t groups = job->elements / GROUP_SIZE;
    const uint32_t small = groups < SMALL_GROUPS ? groups : SMALL_GROUPS;
    if (!job->kernel->small_dispatches)
        vkCmdDispatch(commands, groups, 1, 1);
    for (uint32_t i = 0; i < job->kernel->small_dispatches; i++) {
        if (i)
            commands_barrier(commands);
        if (job->kernel->pushes)
            vkCmdPushConstants(commands, job->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                               sizeof(job->addresses), job->addresses);
        vkCmdDispatch(commands, small, 1, 1);
    }
}

/* Dispatches one after the other, each between two timestamps. */
static VkCommandBuffer timed_dispatches(const struct job *job, VkQueryPool queries)
{
    const VkCommandBuffer commands = commands_begin(job->device, 0);
    vkCmdResetQueryPool(commands, queries, 0, 2 * DISPATCHES);
    job_bind(job, commands);
    for (uint32_t i = 0; i < DISPATCHES; i++) {
        commands_barrier(commands);
        vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 2 * i);
        dispatch_kernel(job, commands);
        vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 2 * i + 1);
    }
    commands_end(commands);
    return commands;
}

static void timed_submit(const struct job *job, VkCommandBuffer commands, VkQueryPool queries,
                         struct samples *samples)
{
    const struct device *device = job->device;
    uint64_t ticks[2 * DISPATCHES];
    commands_run(device, commands);
    device_must(vkGetQueryPoolResults(device->handle, queries, 0, 2 * DISPATCHES, sizeof(ticks),
                                      ticks, sizeof(ticks[0]), VK_QUERY_RESULT_64_BIT),
                "vkGetQueryPoolResults");
    for (uint32_t i = 0; i < DISPATCHES; i++)
        samples->ns[samples->count++] =
            (double)((ticks[2 * i + 1] - ticks[2 * i]) & device->timestamp_mask) *
            device->timestamp_ns;
}

static void gpu_measure(const struct job *job, double duration_ns, struct samples *samples)
{
    const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                        .queryCount = 2 * DISPATCHES};
    VkQueryPool queries;
    device_must(vkCreateQueryPool(job->device->handle, &info, NULL, &queries), "vkCreateQueryPool");
    VkCommandBuffer commands = timed_dispatches(job, queries);
    for (const double end = gpu_now() + WARM_UP_NS; gpu_now() < end; samples->count = 0)
        timed_submit(job, commands, queries, samples);
    for (const double end = gpu_now() + duration_ns; more_wanted(samples, LEAST_SAMPLES, end);)
        timed_submit(job, commands, queries, samples);
    samples_print(job->kernel->name, "gpu", samples);
    vkFreeCommandBuffers(job->device->handle, job->device->pool, 1, &commands);
    vkDestroyQueryPool(job->device->handle, queries, NULL);
}

/* `groups` 0: an empty command buffer. */
static void submit_measure(const struct job *job, const char *what, uint32_t groups,
                           double duration_ns, struct samples *samples)
{
    VkCommandBuffer commands = commands_begin(job->device, 0);
    if (groups) {
        job_bind(job, commands);
        vkCmdDispatch(commands, groups, 1, 1);
    }
    commands_end(commands);
    for (uint32_t i = 0; i < LEAST_SAMPLES; i++) /* warm up */
        commands_run(job->device, commands);
    for (const double end = gpu_now() + duration_ns; more_wanted(samples, LEAST_SAMPLES, end);) {
        const double start = gpu_now();
        commands_run(job->device, commands);
        samples->ns[samples->count++] = gpu_now() - start;
    }
    samples_print(job->kernel->name, what, samples);
    vkFreeCommandBuffers(job->device->handle, job->device->pool, 1, &commands);
}

/* Makes pipelines in groups of `group`, and binds each once all of a group are made. Times are a
 * pipeline's. */
static void pipelines_measure(const struct job *job, uint32_t group, const char *made,
                              const char *bound, double duration_ns, struct samples *samples)
{
    static struct samples ready;
    VkPipeline pipelines[GROUP_LIMIT];
    uint32_t *scratch = malloc(job->kernel->size);
    if (!scratch)
        fail("malloc");
    /* no two runs have the same: caches are in files too */
    uint32_t salt = (uint32_t)(gpu_now() / 1e3);
    for (const double end = gpu_now() + duration_ns;
         more_wanted(samples, LEAST_SAMPLES / group + 1, end);) {
        VkCommandBuffer commands = commands_begin(job->device, 0);
        const double start = gpu_now();
        for (uint32_t i = 0; i < group; i++)
            pipelines[i] = pipeline_create(job, salt++, scratch);
        samples->ns[samples->count++] = (gpu_now() - start) / group;
        for (uint32_t i = 0; i < group; i++)
            vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipelines[i]);
        ready.ns[ready.count++] = (gpu_now() - start) / group;
        commands_end(commands);
        vkFreeCommandBuffers(job->device->handle, job->device->pool, 1, &commands);
        for (uint32_t i = 0; i < group; i++)
            vkDestroyPipeline(job->device->handle, pipelines[i], NULL);
    }
    samples_print(job->kernel->name, made, samples);
    samples_print(job->kernel->name, bound, &ready);
    free(scratch);
}

/* Whether its results are right. */
static bool kernel_measure(const struct device *device, const struct kernel *kernel,
                           uint32_t elements, double duration_ns)
{
    static struct samples samples;
    struct job job;
    job_create(&job, device, kernel, elements, false);
    const uint32_t wrong = job_wrong_results(&job);
    printf("%s.wrong %u\n", kernel->name, wrong);
    gpu_measure(&job, duration_ns, &samples);
    submit_measure(&job, "empty", 0, duration_ns, &samples);
    submit_measure(&job, "small", 1, duration_ns, &samples);
    pipelines_measure(&job, 1, "pipeline", "ready", duration_ns, &samples);
    pipelines_measure(&job, GROUP_LIMIT, "many", "bound", duration_ns, &samples);
    job_destroy(&job);
    return !wrong;
}

static void screen_submit(const struct screen *screen, VkCommandBuffer commands,
                          VkQueryPool queries, struct samples *samples)
{
    const struct device *device = screen->device;
    uint64_t ticks[2];
    commands_run(device, commands);
    device_must(vkGetQueryPoolResults(device->handle, queries, 0, 2, sizeof(ticks), ticks,
                                      sizeof(ticks[0]), VK_QUERY_RESULT_64_BIT),
                "vkGetQueryPoolResults");
    samples->ns[samples->count++] =
        (double)((ticks[1] - ticks[0]) & device->timestamp_mask) * device->timestamp_ns;
}

/* Measures the draws of one submission, and returns whether the screen is right after them. */
static bool screen_measure(const struct device *device, const struct screen_row *row,
                           double duration_ns)
{
    static struct samples samples;
    const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                        .queryCount = 2};
    struct screen screen;
    VkQueryPool queries;
    screen_create(&screen, device, row);
    const uint32_t wrong = screen_wrong_texels(&screen);
    printf("%s.wrong %u\n", row->name, wrong);
    device_must(vkCreateQueryPool(device->handle, &info, NULL, &queries), "vkCreateQueryPool");
    VkCommandBuffer commands = commands_begin(device, 0);
    vkCmdResetQueryPool(commands, queries, 0, 2);
    screen_draw(&screen, commands, queries);
    commands_end(commands);
    for (const double end = gpu_now() + WARM_UP_NS; gpu_now() < end; samples.count = 0)
        screen_submit(&screen, commands, queries, &samples);
    for (const double end = gpu_now() + duration_ns; more_wanted(&samples, LEAST_SAMPLES, end);)
        screen_submit(&screen, commands, queries, &samples);
    samples_print(row->name, "gpu", &samples);
    vkFreeCommandBuffers(device->handle, device->pool, 1, &commands);
    vkDestroyQueryPool(device->handle, queries, NULL);
    screen_destroy(&screen);
    return !wrong;
}

static void bad_run(const struct device *device, const struct kernel *kernel, uint32_t elements)
{
    struct job job;
    job_create(&job, device, kernel, elements, true);
    const VkCommandBuffer commands =
        commands_begin(device, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    job_bind(&job, commands);
    vkCmdDispatch(commands, elements / GROUP_SIZE, 1, 1);
    commands_finish(device, commands);
    device_must(vkDeviceWaitIdle(device->handle), "vkDeviceWaitIdle");
    job_destroy(&job);
}

struct options {
    bool bad, device_only;
    uint32_t elements, before_mib;
    double duration_ns;
    char **names;
    int name_count;
};

static bool is_wanted(const struct options *options, const char *name)
{
    for (int i = 0; i < options->name_count; i++) {
        if (!strcmp(options->names[i], name))
            return true;
    }
    return !options->name_count;
}

static int list_kernels(void)
{
    for (uint32_t i = 0; i < kernel_count; i++)
        printf("%s %s\n", kernels[i].name, kernels[i].text);
    for (uint32_t i = 0; i < screen_row_count; i++)
        printf("%s %s\n", screen_rows[i].name, screen_rows[i].text);
    return 0;
}

/* The exit status. */
static int run_kernel(const struct options *options)
{
    struct device device;
    int status = 0;
    device_create(&device);
    if (options->elements / GROUP_SIZE > device.properties.limits.maxComputeWorkGroupCount[0])
        fail("fitting the elements into a dispatch");
    if (options->device_only)
        printf("%s\n", device.properties.deviceName);
    struct buffer before = {0};
    if (options->before_mib)
        before = buffer_create(&device, (VkDeviceSize)options->before_mib << 20,
                               VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    for (uint32_t i = 0; i < kernel_count && !options->device_only; i++) {
        if (!is_wanted(options, kernels[i].name))
            continue;
        if (options->bad)
            bad_run(&device, &kernels[i], options->elements);
        else if (!kernel_measure(&device, &kernels[i], options->elements, options->duration_ns))
            status = 2;
    }
    const bool draws = device.draws && !options->bad && !options->device_only;
    for (uint32_t i = 0; i < screen_row_count && draws; i++) {
        if (is_wanted(options, screen_rows[i].name) &&
            !screen_measure(&device, &screen_rows[i], options->duration_ns))
            status = 2;
    }
    buffer_destroy(&device, &before);
    device_destroy(&device);
    return status;
}

int main(int argument_count, char **arguments)
{
    struct options options = {.elements = 1u << 18, .duration_ns = 100e6};
    int i = 1;
    for (; i < argument_count && arguments[i][0] == '-'; i++) {
        if (!strcmp(arguments[i], "--list"))
            return list_kernels();
        if (!strcmp(arguments[i], "--device"))
            options.device_only = true;
        else if (!strcmp(arguments[i], "--bad"))
            options.bad = true;
        else if (!strcmp(arguments[i], "--elements") && i + 1 < argument_count)
            options.elements =
                (uint32_t)strtoul(arguments[++i], NULL, 10) / GROUP_SIZE * GROUP_SIZE;
        else if (!strcmp(arguments[i], "--before") && i + 1 < argument_count)
            options.before_mib = (uint32_t)strtoul(arguments[++i], NULL, 10);
        else if (!strcmp(arguments[i], "--ms") && i + 1 < argument_count)
            options.duration_ns = strtod(arguments[++i], NULL) * 1e6;
        else
            fail("reading the arguments");
    }
    options.names = arguments + i;
    options.name_count = argument_count - i;
    if (options.elements < GROUP_SIZE)
        fail("reading the number of elements");
    return run_kernel(&options);
}
