/* Checks that memory and time of a submission stay what they are, however many came before. It runs
 * with synchronization validation, which remembers submitted work. ASSAY_SUBMITS says how many
 * submissions of 100 command buffers, ASSAY_FRAMES how many frames; 300 and 4,000 unless they are
 * set. The issue asks for 10,000 and 100,000. */
#include "threads/program.h"

#include <time.h>
#include <unistd.h>

#define SUBMITS_DEFAULT 300
#define FRAMES_DEFAULT  4000
#define COMMAND_BUFFERS 100
#define FLIGHT          2  /* submissions under way */
#define PIECES          20 /* of a run: the shortest piece of either half is compared */
#define BYTES           256
/* The most that resident memory may grow from the first fifth of a run to its end: an arena that
 * doubles is swept at some megabytes. */
#define GROWTH_MOST (SANITIZED ? 1l << 30 : 4l << 20)
/* The factor of the processor's time, so that other work on the machine is not in it. What grows
 * with each submission would be hundreds. */
#define SLOWER_MOST 4.0

static long resident_bytes(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    ENSURE(file && fscanf(file, "%*d %ld", &pages) == 1);
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static unsigned long number_of_variable(const char *name, unsigned long otherwise)
{
    const char *given = getenv(name);
    return given ? strtoul(given, NULL, 10) : otherwise;
}

struct bound_buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
};

static struct bound_buffer make_bound_buffer(struct program *program)
{
    struct bound_buffer made;
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = BYTES,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkMemoryRequirements requirements;
    VK(vkCreateBuffer(program->device, &info, NULL, &made.buffer));
    vkGetBufferMemoryRequirements(program->device, made.buffer, &requirements);
    const VkMemoryAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = requirements.size,
        .memoryTypeIndex = (uint32_t)__builtin_ctz(requirements.memoryTypeBits)};
    VK(vkAllocateMemory(program->device, &allocate, NULL, &made.memory));
    VK(vkBindBufferMemory(program->device, made.buffer, made.memory, 0));
    return made;
}

static void destroy_bound(struct program *program, struct bound_buffer bound)
{
    vkDestroyBuffer(program->device, bound.buffer, NULL);
    vkFreeMemory(program->device, bound.memory, NULL);
}

static void order_all(VkCommandBuffer commands)
{
    const VkMemoryBarrier all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                 .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                 .dstAccessMask =
                                     VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         0, 1, &all, 0, NULL, 0, NULL);
}

static void copy_all_bytes(VkCommandBuffer commands, VkBuffer from, VkBuffer to)
{
    const VkBufferCopy region = {.size = BYTES};
    vkCmdCopyBuffer(commands, from, to, 1, &region);
}

/* One thing after the other, some of it measured: pieces, and the memory at the beginning and at
 * the end. */
struct run {
    double shortest[2]; /* seconds a step, of the pieces in either half */
    long first, last;   /* resident bytes */
};

struct scene {
    struct program *program;
    VkFence fences[FLIGHT];
    VkCommandPool pool;
    VkCommandBuffer commands[FLIGHT][COMMAND_BUFFERS];
    struct bound_buffer buffers[COMMAND_BUFFERS + 1];
    struct bound_buffer passing[FLIGHT]; /* of a frame */
    VkSemaphore binary[FLIGHT], timeline;
    unsigned long step;
};

static struct run measure_steps(struct scene *scene, unsigned long steps,
                                void (*step)(struct scene *scene))
{
    struct run run = {.shortest = {1e9, 1e9}};
    unsigned long piece = steps / PIECES ? steps / PIECES : 1;
    for (unsigned i = 0; i < PIECES; i++) {
        if (i == PIECES / 5)
            run.first = resident_bytes();
        double start = cpu_seconds();
        for (unsigned long k = 0; k < piece; k++, scene->step++)
            step(scene);
        double took = (cpu_seconds() - start) / (double)piece;
        double *shortest = &run.shortest[i >= PIECES / 2];
        *shortest = took < *shortest ? took : *shortest;
    }
    run.last = resident_bytes();
    VK(vkDeviceWaitIdle(scene->program->device));
    return run;
}

static bool judge_run(const char *what, unsigned long steps, const struct run *run)
{
    bool flat = SANITIZED || run->shortest[1] <= SLOWER_MOST * run->shortest[0];
    bool level = run->last - run->first <= GROWTH_MOST;
    printf("%lu %s: %.1f us each in the first half, %.1f us in the second; resident %ld KiB, then "
           "%ld KiB%s%s\n",
           steps, what, run->shortest[0] * 1e6, run->shortest[1] * 1e6, run->first / 1024,
           run->last / 1024, flat ? "" : ": SLOWER", level ? "" : ": GROWS");
    return flat && level;
}

/* The turn's fence: the work that had it before is done. */
static VkFence turn_scene(struct scene *scene)
{
    VkFence fence = scene->fences[scene->step % FLIGHT];
    VK(vkWaitForFences(scene->program->device, 1, &fence, VK_TRUE, UINT64_MAX));
    VK(vkResetFences(scene->program->device, 1, &fence));
    return fence;
}

/* --- 100 command buffers a submission, recorded once --- */

static void record_many(struct scene *scene)
{
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT};
    for (uint32_t i = 0; i < FLIGHT * COMMAND_BUFFERS; i++) {
        VkCommandBuffer commands = scene->commands[i / COMMAND_BUFFERS][i % COMMAND_BUFFERS];
        VK(vkBeginCommandBuffer(commands, &begin));
        order_all(commands);
        copy_all_bytes(commands, scene->buffers[i % COMMAND_BUFFERS].buffer,
                       scene->buffers[i % COMMAND_BUFFERS + 1].buffer);
        VK(vkEndCommandBuffer(commands));
    }
}

static void submit_many(struct scene *scene)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = COMMAND_BUFFERS,
                               .pCommandBuffers = scene->commands[scene->step % FLIGHT]};
    VkFence fence = turn_scene(scene);
    VK(vkQueueSubmit(scene->program->queue, 1, &info, fence));
}

/* The program never asks whether it is done. */
static void submit_unasked(struct scene *scene)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers =
                                   &scene->commands[0][scene->step % COMMAND_BUFFERS]};
    VK(vkQueueSubmit(scene->program->queue, 1, &info, VK_NULL_HANDLE));
}

/* --- frames: an upload, a semaphore, what is drawn of it; a buffer that comes and goes --- */

static void submit_scene_frame(struct scene *scene)
{
    struct program *program = scene->program;
    unsigned long which = scene->step % FLIGHT;
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    VkFence fence = turn_scene(scene);
    destroy_bound(program, scene->passing[which]);
    scene->passing[which] = make_bound_buffer(program);
    VkCommandBuffer upload = scene->commands[which][0], draw = scene->commands[which][1];
    begin_commands(upload);
    vkCmdFillBuffer(upload, scene->passing[which].buffer, 0, VK_WHOLE_SIZE, 1);
    VK(vkEndCommandBuffer(upload));
    begin_commands(draw);
    order_all(draw);
    for (uint32_t i = 0; i < 20; i++) {
        copy_all_bytes(draw, i ? scene->buffers[i - 1].buffer : scene->passing[which].buffer,
                       scene->buffers[i].buffer);
        order_all(draw);
    }
    VK(vkEndCommandBuffer(draw));
    const uint64_t value = scene->step + 1;
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .signalSemaphoreValueCount = 1,
        .pSignalSemaphoreValues = &value};
    const VkSubmitInfo infos[] = {{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                   .commandBufferCount = 1,
                                   .pCommandBuffers = &upload,
                                   .signalSemaphoreCount = 1,
                                   .pSignalSemaphores = &scene->binary[which]},
                                  {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                   .pNext = &values,
                                   .waitSemaphoreCount = 1,
                                   .pWaitSemaphores = &scene->binary[which],
                                   .pWaitDstStageMask = &stage,
                                   .commandBufferCount = 1,
                                   .pCommandBuffers = &draw,
                                   .signalSemaphoreCount = 1,
                                   .pSignalSemaphores = &scene->timeline}};
    VK(vkQueueSubmit(program->queue, 2, infos, fence));
}

static void make_scene(struct scene *scene, struct program *program)
{
    *scene = (struct scene){
        .program = program, .pool = make_command_pool(program), .timeline = make_timeline(program)};
    const VkFenceCreateInfo signaled = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
                                        .flags = VK_FENCE_CREATE_SIGNALED_BIT};
    const VkSemaphoreCreateInfo binary = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    for (uint32_t i = 0; i < FLIGHT; i++) {
        VK(vkCreateFence(program->device, &signaled, NULL, &scene->fences[i]));
        VK(vkCreateSemaphore(program->device, &binary, NULL, &scene->binary[i]));
        scene->passing[i] = make_bound_buffer(program);
        for (uint32_t k = 0; k < COMMAND_BUFFERS; k++)
            scene->commands[i][k] = make_command_buffer(program, scene->pool);
    }
    for (uint32_t i = 0; i <= COMMAND_BUFFERS; i++)
        scene->buffers[i] = make_bound_buffer(program);
}

static void destroy_scene(struct scene *scene)
{
    VkDevice device = scene->program->device;
    for (uint32_t i = 0; i < FLIGHT; i++) {
        vkDestroyFence(device, scene->fences[i], NULL);
        vkDestroySemaphore(device, scene->binary[i], NULL);
        destroy_bound(scene->program, scene->passing[i]);
    }
    for (uint32_t i = 0; i <= COMMAND_BUFFERS; i++)
        destroy_bound(scene->program, scene->buffers[i]);
    vkDestroySemaphore(device, scene->timeline, NULL);
    vkDestroyCommandPool(device, scene->pool, NULL);
}

int main(void)
{
    struct program program;
    struct scene scene;
    program_create(&program);
    require_layer(&program);
    make_scene(&scene, &program);
    record_many(&scene);
    unsigned long submits = number_of_variable("ASSAY_SUBMITS", SUBMITS_DEFAULT),
                  frames = number_of_variable("ASSAY_FRAMES", FRAMES_DEFAULT);
    struct run run = measure_steps(&scene, submits, submit_many);
    bool good = judge_run("submissions of 100 command buffers", submits, &run);
    run = measure_steps(&scene, frames, submit_unasked);
    good &= judge_run("submissions that nobody waits for", frames, &run);
    run = measure_steps(&scene, frames, submit_scene_frame);
    good &= judge_run("frames", frames, &run);
    good &= findings_are_none(&program.findings, "submits");
    destroy_scene(&scene);
    program_destroy(&program);
    return good && findings_are_none(&program.findings, "submits") ? EXIT_SUCCESS : EXIT_FAILURE;
}
