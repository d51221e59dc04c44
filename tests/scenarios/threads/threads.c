/* Two threads in one object: a finding that names both. Any number of threads that keep the rules:
 * none. */
#include "scenario.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

/* Runs `work` in `count` threads at once, each with its own index, and waits for them. */
struct worker {
    struct baseline *b;
    void (*work)(struct worker *worker);
    void *shared;
    unsigned index;
    pthread_t thread;
    pthread_barrier_t *start;
    time_t deadline; /* go_on */
};

static void *run_worker(void *argument)
{
    struct worker *worker = argument;
    pthread_barrier_wait(worker->start);
    worker->work(worker);
    return NULL;
}

#define THREAD_LIMIT 8

static void run_threads(struct baseline *b, unsigned count, void (*work)(struct worker *worker),
                        void *shared)
{
    struct worker workers[THREAD_LIMIT];
    pthread_barrier_t start;
    ENSURE(count <= THREAD_LIMIT && pthread_barrier_init(&start, NULL, count) == 0);
    for (unsigned i = 0; i < count; i++) {
        workers[i] =
            (struct worker){.b = b, .work = work, .shared = shared, .index = i, .start = &start};
        ENSURE(pthread_create(&workers[i].thread, NULL, run_worker, &workers[i]) == 0);
    }
    for (unsigned i = 0; i < count; i++)
        pthread_join(workers[i].thread, NULL);
    pthread_barrier_destroy(&start);
}

/* Mistakes. A race is only found when it happens: the threads go on until it did, or for as long as
 * the limit lets them. */

#define MISTAKE_SECONDS 300
#define MISTAKE_ROUNDS  1000 /* between looks at the clock */

static bool race_seen(struct baseline *b)
{
    return seen_count(b, NULL) > 0;
}

static bool go_on(struct worker *worker)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (worker->deadline == 0)
        worker->deadline = now.tv_sec + MISTAKE_SECONDS;
    return !race_seen(worker->b) && now.tv_sec < worker->deadline;
}

static void record_shared(struct worker *worker)
{
    VkCommandBuffer command_buffer = *(VkCommandBuffer *)worker->shared;
    while (go_on(worker)) {
        for (int i = 0; i < MISTAKE_ROUNDS; i++)
            vkCmdSetLineWidth(command_buffer, 1.0f);
    }
}

/* The null driver: lavapipe's recording into one command buffer from two threads corrupts its
 * memory. */
SCENARIO(two_threads_record_one_command_buffer,
         .expect = {"UNASSIGNED-Threading-MultipleThreads-Write"},
         .text = {"VkCommandBuffer", "vkCmdSetLineWidth", "two threads"}, .drivers = NULL_DRIVER)
{
    VkCommandBuffer command_buffer = make_recording(b);
    run_threads(b, 2, record_shared, &command_buffer);
}

struct two_pools {
    VkCommandBuffer command_buffers[2]; /* of one pool */
};

static void record_from_one_pool(struct worker *worker)
{
    struct two_pools *shared = worker->shared;
    while (go_on(worker)) {
        for (int i = 0; i < MISTAKE_ROUNDS; i++)
            vkCmdSetLineWidth(shared->command_buffers[worker->index], 1.0f);
    }
}

/* The pool is externally synchronized in every command that records into one of its command
 * buffers. */
SCENARIO(two_threads_record_from_one_pool, .expect = {"UNASSIGNED-Threading-MultipleThreads-Write"},
         .text = {"VkCommandPool"}, .drivers = NULL_DRIVER)
{
    struct two_pools shared;
    VkCommandBufferAllocateInfo info =
        command_buffer_info(make_command_pool(b), VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkCommandBufferBeginInfo begin = begin_info();
    info.commandBufferCount = 2;
    VK(vkAllocateCommandBuffers(b->device, &info, shared.command_buffers));
    for (int i = 0; i < 2; i++)
        VK(vkBeginCommandBuffer(shared.command_buffers[i], &begin));
    run_threads(b, 2, record_from_one_pool, &shared);
}

static void submit_shared(struct worker *worker)
{
    while (go_on(worker)) {
        for (int i = 0; i < MISTAKE_ROUNDS; i++)
            vkQueueSubmit(worker->b->queue, 0, NULL, VK_NULL_HANDLE);
    }
}

SCENARIO(two_threads_submit_to_one_queue, .expect = {"UNASSIGNED-Threading-MultipleThreads-Write"},
         .text = {"VkQueue", "vkQueueSubmit"}, .drivers = NULL_DRIVER)
{
    run_threads(b, 2, submit_shared, NULL);
}

static void reset_shared(struct worker *worker)
{
    VkFence fence = *(VkFence *)worker->shared;
    while (go_on(worker)) {
        for (int i = 0; i < MISTAKE_ROUNDS; i++)
            vkResetFences(worker->b->device, 1, &fence);
    }
}

SCENARIO(two_threads_reset_one_fence, .expect = {"UNASSIGNED-Threading-MultipleThreads-Write"},
         .text = {"VkFence", "vkResetFences"}, .drivers = NULL_DRIVER)
{
    VkFence fence = make_fence(b);
    run_threads(b, 2, reset_shared, &fence);
}

static void read_and_write_shared(struct worker *worker)
{
    VkFence fence = *(VkFence *)worker->shared;
    while (go_on(worker)) {
        for (int i = 0; i < MISTAKE_ROUNDS; i++) {
            if (worker->index == 0)
                vkResetFences(worker->b->device, 1, &fence);
            else
                vkGetFenceStatus(worker->b->device, fence);
        }
    }
}

/* It depends on which thread came first which of the two it is. */
SCENARIO(one_thread_reads_what_another_writes,
         .allow = {"UNASSIGNED-Threading-MultipleThreads-Read",
                   "UNASSIGNED-Threading-MultipleThreads-Write"},
         .text = {"VkFence", "two threads"}, .drivers = NULL_DRIVER)
{
    VkFence fence = make_fence(b);
    run_threads(b, 2, read_and_write_shared, &fence);
    EXPECT(race_seen(b));
}

static void allocate_from_shared_pool(struct worker *worker)
{
    VkDescriptorPool pool = *(VkDescriptorPool *)worker->shared;
    while (go_on(worker)) {
        for (int i = 0; i < MISTAKE_ROUNDS; i++)
            vkResetDescriptorPool(worker->b->device, pool, 0);
    }
}

SCENARIO(two_threads_in_one_descriptor_pool,
         .expect = {"UNASSIGNED-Threading-MultipleThreads-Write"}, .text = {"VkDescriptorPool"},
         .drivers = NULL_DRIVER)
{
    VkDescriptorPool pool = make_descriptor_pool(b);
    run_threads(b, 2, allocate_from_shared_pool, &pool);
}

/* No mistake, at many thread counts. */

#define ROUNDS 2000

static void create_and_destroy(struct worker *worker)
{
    VkBufferCreateInfo info = buffer_info(64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    for (int i = 0; i < ROUNDS; i++) {
        VkBuffer buffer = VK_NULL_HANDLE;
        VkMemoryRequirements requirements;
        VK(vkCreateBuffer(worker->b->device, &info, NULL, &buffer));
        vkGetBufferMemoryRequirements(worker->b->device, buffer, &requirements);
        vkDestroyBuffer(worker->b->device, buffer, NULL);
    }
}

SCENARIO(threads_create_their_own)
{
    run_threads(b, 8, create_and_destroy, NULL);
}

static void record_own_pool(struct worker *worker)
{
    struct baseline *b = worker->b;
    VkCommandPoolCreateInfo pool_info = command_pool_info(b->queue_family);
    VkCommandPool pool = VK_NULL_HANDLE;
    VK(vkCreateCommandPool(b->device, &pool_info, NULL, &pool));
    VkCommandBufferAllocateInfo info = command_buffer_info(pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkCommandBufferBeginInfo begin = begin_info();
    VkCommandBuffer command_buffer = VK_NULL_HANDLE;
    VK(vkAllocateCommandBuffers(b->device, &info, &command_buffer));
    for (int i = 0; i < 20; i++) {
        VK(vkBeginCommandBuffer(command_buffer, &begin));
        for (int j = 0; j < ROUNDS / 20; j++)
            vkCmdSetLineWidth(command_buffer, 1.0f);
        VK(vkEndCommandBuffer(command_buffer));
    }
    vkDestroyCommandPool(b->device, pool, NULL);
}

SCENARIO(threads_record_their_own)
{
    run_threads(b, 8, record_own_pool, NULL);
}

static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;

static void submit_under_lock(struct worker *worker)
{
    for (int i = 0; i < 500; i++) {
        pthread_mutex_lock(&queue_lock);
        VK(vkQueueSubmit(worker->b->queue, 0, NULL, VK_NULL_HANDLE));
        pthread_mutex_unlock(&queue_lock);
    }
}

SCENARIO(threads_submit_under_a_lock)
{
    run_threads(b, 4, submit_under_lock, NULL);
}

/* A command buffer handed from thread to thread, under a lock: each change of thread is correct. */
static void record_under_lock(struct worker *worker)
{
    VkCommandBuffer command_buffer = *(VkCommandBuffer *)worker->shared;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&queue_lock);
        vkCmdSetLineWidth(command_buffer, 1.0f);
        pthread_mutex_unlock(&queue_lock);
    }
}

SCENARIO(threads_hand_over_a_command_buffer)
{
    VkCommandBuffer command_buffer = make_recording(b);
    run_threads(b, 4, record_under_lock, &command_buffer);
}

static void wait_for_shared_fence(struct worker *worker)
{
    VkFence fence = *(VkFence *)worker->shared;
    for (int i = 0; i < ROUNDS; i++) {
        vkGetFenceStatus(worker->b->device, fence);
        vkWaitForFences(worker->b->device, 1, &fence, VK_TRUE, 0);
    }
}

SCENARIO(threads_read_one_fence)
{
    VkFence fence = make_fence(b);
    run_threads(b, 8, wait_for_shared_fence, &fence);
}

static void update_own_set(struct worker *worker)
{
    VkDescriptorSet *sets = worker->shared;
    VkBuffer buffer = *(VkBuffer *)(sets + THREAD_LIMIT);
    VkDescriptorBufferInfo info = {.buffer = buffer, .range = VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = write_buffer(sets[worker->index], &info);
    for (int i = 0; i < ROUNDS; i++)
        vkUpdateDescriptorSets(worker->b->device, 1, &write, 0, NULL);
}

/* Sets of one pool may be updated from several threads; only the set itself is externally
 * synchronized. */
SCENARIO(threads_update_sets_of_one_pool)
{
    struct {
        VkDescriptorSet sets[THREAD_LIMIT];
        VkBuffer buffer;
    } shared = {.buffer = make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT)};
    VkDescriptorPool pool = make_descriptor_pool(b);
    VkDescriptorSetLayout layout = make_descriptor_set_layout(b);
    for (unsigned i = 0; i < THREAD_LIMIT; i++)
        shared.sets[i] = make_descriptor_set(b, pool, layout);
    run_threads(b, THREAD_LIMIT, update_own_set, &shared);
}

static void use_shared_cache(struct worker *worker)
{
    struct baseline *b = worker->b;
    VkPipelineCache cache = *(VkPipelineCache *)worker->shared;
    VkShaderModuleCreateInfo module_info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                            .codeSize = shader_fill_size,
                                            .pCode = shader_fill_code};
    VkDescriptorSetLayoutCreateInfo set_info = descriptor_set_layout_info();
    VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    VkShaderModule module = VK_NULL_HANDLE;
    VkPipeline pipeline = VK_NULL_HANDLE;
    VK(vkCreateDescriptorSetLayout(b->device, &set_info, NULL, &set_layout));
    VkPipelineLayoutCreateInfo layout_info = pipeline_layout_info(&set_layout);
    VK(vkCreatePipelineLayout(b->device, &layout_info, NULL, &layout));
    VK(vkCreateShaderModule(b->device, &module_info, NULL, &module));
    VkComputePipelineCreateInfo info = compute_pipeline_info(module, layout);
    VK(vkCreateComputePipelines(b->device, cache, 1, &info, NULL, &pipeline));
    vkDestroyPipeline(b->device, pipeline, NULL);
    vkDestroyShaderModule(b->device, module, NULL);
    vkDestroyPipelineLayout(b->device, layout, NULL);
    vkDestroyDescriptorSetLayout(b->device, set_layout, NULL);
}

/* A pipeline cache is internally synchronized, unless it was created with EXTERNALLY_SYNCHRONIZED.
 */
SCENARIO(threads_share_a_pipeline_cache)
{
    VkPipelineCache cache = make_pipeline_cache(b);
    run_threads(b, 4, use_shared_cache, &cache);
}
