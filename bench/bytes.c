/* Measures how much memory an object costs, and what a first command buffer costs, with the layers
 * and the driver that the environment names. */
#define _GNU_SOURCE
#include "bytes.h"

#include "operations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double bench_resident_bytes(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*d %ld", &pages) != 1)
        fail("reading /proc/self/statm");
    fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static uint64_t buffer_make(struct worker *worker)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = 1024,
                                     .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    VkBuffer buffer;
    bench_must(worker->context->vk.CreateBuffer(worker->context->device, &info, NULL, &buffer),
               "vkCreateBuffer");
    return (uint64_t)buffer;
}

static void buffer_end(struct worker *worker, uint64_t buffer)
{
    worker->context->vk.DestroyBuffer(worker->context->device, (VkBuffer)buffer, NULL);
}

static uint64_t image_make(struct worker *worker)
{
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = IMAGE_FORMAT,
                                    .extent = {16, 16, 1},
                                    .mipLevels = 1,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
    VkImage image;
    bench_must(worker->context->vk.CreateImage(worker->context->device, &info, NULL, &image),
               "vkCreateImage");
    return (uint64_t)image;
}

static void image_end(struct worker *worker, uint64_t image)
{
    worker->context->vk.DestroyImage(worker->context->device, (VkImage)image, NULL);
}

static uint64_t image_view_make(struct worker *worker)
{
    const VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = worker->image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = IMAGE_FORMAT,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    VkImageView view;
    bench_must(worker->context->vk.CreateImageView(worker->context->device, &info, NULL, &view),
               "vkCreateImageView");
    return (uint64_t)view;
}

static void image_view_end(struct worker *worker, uint64_t view)
{
    worker->context->vk.DestroyImageView(worker->context->device, (VkImageView)view, NULL);
}

/* Sets of BINDLESS_COUNT descriptors, all written; the pools go with the device's other pools, one
 * a set. */
static uint64_t descriptors_make(struct worker *worker)
{
    bindless_sets_create(worker);
    return (uint64_t)worker->bindless_pool;
}

static void descriptors_end(struct worker *worker, uint64_t pool)
{
    worker->context->vk.DestroyDescriptorPool(worker->context->device, (VkDescriptorPool)pool,
                                              NULL);
}

/* A command buffer with one copy recorded. All are of one pool, which is not reset meanwhile. */
static uint64_t command_buffer_make(struct worker *worker)
{
    const VkCommandBuffer commands = small_commands_allocate(worker, worker->pool);
    small_commands_record(worker, commands);
    return (uint64_t)commands;
}

static void command_buffer_end(struct worker *worker, uint64_t commands)
{
    const VkCommandBuffer handle = (VkCommandBuffer)commands;
    worker->context->vk.FreeCommandBuffers(worker->context->device, worker->pool, 1, &handle);
}

static const struct kind {
    const char *name;
    uint32_t each; /* objects that one call makes */
    uint32_t part; /* one in so many as of the other kinds is made, as it is large */
    uint64_t (*make)(struct worker *worker);
    void (*end)(struct worker *worker, uint64_t handle);
} kinds[] = {
    {"buffer", 1, 1, buffer_make, buffer_end},
    {"image", 1, 1, image_make, image_end},
    {"image_view", 1, 1, image_view_make, image_view_end},
    {"descriptor", SET_COUNT *BINDLESS_COUNT, 1, descriptors_make, descriptors_end},
    {"command_buffer", 1, 10, command_buffer_make, command_buffer_end},
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

void bytes_measure(uint32_t count)
{
    static struct context context;
    static struct worker worker;
    context_create(&context);
    worker_create(&worker, &context, 0);
    const VkDescriptorPool own_pool = worker.bindless_pool;
    uint64_t *handles[KINDS];
    uint32_t made[KINDS];
    /* A million descriptors: of fewer, what the first sets find ready, or do not, is part of the
     * figure. */
    const uint64_t descriptors = 10 * (uint64_t)count;
    for (uint32_t k = 0; k < KINDS; k++) {
        made[k] = kinds[k].each == 1 ? (count - 1) / kinds[k].part + 1
                                     : (uint32_t)(descriptors / kinds[k].each) + 1;
        handles[k] = malloc(made[k] * sizeof(*handles[k]));
        if (!handles[k])
            fail("malloc");
        memset(handles[k], 1, made[k] * sizeof(*handles[k])); /* resident before we look */
    }
    for (uint32_t k = 0; k < KINDS;
         k++) { /* all stay until the end: memory that one kind gave back would hide the next */
        const double before = bench_resident_bytes();
        for (uint32_t i = 0; i < made[k]; i++)
            handles[k][i] = kinds[k].make(&worker);
        printf("%s %.1f\n", kinds[k].name,
               (bench_resident_bytes() - before) / made[k] / kinds[k].each);
    }
    for (uint32_t k = 0; k < KINDS; k++) {
        for (uint32_t i = 0; i < made[k]; i++)
            kinds[k].end(&worker, handles[k][i]);
        free(handles[k]);
    }
    worker.bindless_pool = own_pool;
    worker_destroy(&worker);
    context_destroy(&context);
}

static double bytes_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int compare_bytes(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void step_print(const char *name, double *times, uint32_t count)
{
    qsort(times, count, sizeof(*times), compare_bytes);
    printf("%s %.0f %.0f\n", name, times[count / 10], times[count / 2]);
}

void fresh_measure(uint32_t count)
{
    static struct context context;
    static struct worker worker;
    context_create(&context);
    worker_create(&worker, &context, 0);
    const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                               .flags =
                                                   VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                               .queueFamilyIndex = context.queue_family};
    VkCommandPool pool;
    bench_must(context.vk.CreateCommandPool(context.device, &pool_info, NULL, &pool),
               "vkCreateCommandPool");
    VkCommandBuffer *commands = calloc(count, sizeof(*commands));
    double *steps[3];
    for (int step = 0; step < 3; step++) {
        steps[step] = calloc(count, sizeof(**steps));
        if (!steps[step] || !commands)
            fail("calloc");
    }
    for (uint32_t i = 0; i < count; i++) { /* none is freed, so that none is used again */
        const double start = bytes_now();
        commands[i] = small_commands_allocate(&worker, pool);
        const double allocated = bytes_now();
        small_commands_record(&worker, commands[i]);
        const double recorded = bytes_now();
        small_commands_record(&worker, commands[i]);
        steps[0][i] = allocated - start;
        steps[1][i] = recorded - allocated;
        steps[2][i] = bytes_now() - recorded;
    }
    step_print("fresh_allocate", steps[0], count);
    step_print("fresh_record", steps[1], count);
    step_print("record_again", steps[2], count);
    context.vk.DestroyCommandPool(context.device, pool, NULL);
    for (int step = 0; step < 3; step++)
        free(steps[step]);
    free(commands);
    worker_destroy(&worker);
    context_destroy(&context);
}
