/* Checks that the layer reports two threads in one object, names both of them and both callers, and
 * survives it. Each part is a mistake that two threads make together: they go on until the finding
 * is there. The calls of one thread are in `first`, those of the other in `second`, which both
 * findings name.
 *
 * usage: threads_incorrect [PART...] */
#include "program.h"

#include <time.h>

#define MILLISECONDS_ALIVE 150 /* for what must only be survived */
/* a machine that never runs the two threads at once has only preemption to make them meet */
#define SECONDS_MOST 200
#define ROUNDS_MOST  10 /* of the parts that may show more than that the two met */

static const char write_id[] = "UNASSIGNED-Threading-MultipleThreads-Write";
static const char read_id[] = "UNASSIGNED-Threading-MultipleThreads-Read";

/* The data that the two threads share. */
struct shared {
    VkCommandPool pool;
    VkCommandBuffer command_buffers[2];
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout pipeline_layout;
    VkDescriptorPool descriptor_pool;
    VkDescriptorSet set;
    VkBuffer buffer;
    VkFence fence;
    VkEvent event;
    VkPipelineCache caches[2];
    /* one thread destroys what the other uses; likewise the two below */
    _Atomic(VkBuffer) buffers[2];
    _Atomic(VkDescriptorSetLayout) layout;
    _Atomic(VkDescriptorPool) pool_of_sets;
};

void first(struct worker *worker); /* found by name in what is reported */
void second(struct worker *worker);

struct part {
    const char *name;
    /* NULL: when the two meet decides what is found; the program must only live on */
    const char *id;
    const char *object; /* type that the text names */
    const char *others; /* what the other thread may be in: "vkCmdFillBuffer", or several with "|"
                           between them */
    void (*first)(struct program *program, struct shared *shared);
    void (*second)(struct program *program, struct shared *shared); /* NULL: the same */
    /* type of what the other call may be said to be on, besides `object`; NULL: nothing else */
    const char *on;
};

static const struct part *running;

/* --- the mistakes --- */

static void fill_0(struct program *program, struct shared *shared)
{
    vkCmdFillBuffer(shared->command_buffers[0], shared->buffer, 0, 64, 0);
}

static void fill_1(struct program *program, struct shared *shared)
{
    vkCmdFillBuffer(shared->command_buffers[1], shared->buffer, 0, 64, 0);
}

static void allocate_command_buffer(struct program *program, struct shared *shared)
{
    VkCommandBuffer command_buffer = make_command_buffer(program, shared->pool);
    vkFreeCommandBuffers(program->device, shared->pool, 1, &command_buffer);
}

static void submit_together(struct program *program, struct shared *shared)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO};
    vkQueueSubmit(program->queue, 1, &info, VK_NULL_HANDLE);
}

static void submit_fence(struct program *program, struct shared *shared)
{
    vkQueueSubmit(program->queue, 0, NULL, shared->fence);
}

static void wait_idle_in_threads(struct program *program, struct shared *shared)
{
    vkDeviceWaitIdle(program->device);
}

static void reset_fence(struct program *program, struct shared *shared)
{
    vkResetFences(program->device, 1, &shared->fence);
}

static void ask_fence(struct program *program, struct shared *shared)
{
    vkGetFenceStatus(program->device, shared->fence);
}

static void set_event_in_threads(struct program *program, struct shared *shared)
{
    vkSetEvent(program->device, shared->event);
}

static void allocate_set(struct program *program, struct shared *shared)
{
    VkDescriptorSet set = make_set(program, shared->descriptor_pool, shared->set_layout);
    vkFreeDescriptorSets(program->device, shared->descriptor_pool, 1, &set);
}

static void update_set(struct program *program, struct shared *shared)
{
    const VkDescriptorBufferInfo info = {shared->buffer, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = shared->set,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        .pBufferInfo = &info};
    vkUpdateDescriptorSets(program->device, 1, &write, 0, NULL);
}

static void bind_in_threads(struct program *program, struct shared *shared)
{
    vkCmdBindDescriptorSets(shared->command_buffers[0], VK_PIPELINE_BIND_POINT_COMPUTE,
                            shared->pipeline_layout, 0, 1, &shared->set, 0, NULL);
}

static void merge_caches(struct program *program, struct shared *shared)
{
    vkMergePipelineCaches(program->device, shared->caches[0], 1, &shared->caches[1]);
}

static void reset_in_threads(struct program *program, struct shared *shared)
{
    vkResetCommandPool(program->device, shared->pool, 0);
}

static void record_in_threads(struct program *program, struct shared *shared)
{
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    vkBeginCommandBuffer(shared->command_buffers[0], &info);
    vkEndCommandBuffer(shared->command_buffers[0]);
}

static void submit_0(struct program *program, struct shared *shared)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &shared->command_buffers[0]};
    vkQueueSubmit(program->queue, 1, &info, VK_NULL_HANDLE);
}

/* --- what is used while it is destroyed, for which the finding depends on which thread was first
 * --- */

static void replace_buffer(struct program *program, struct shared *shared)
{
    VkBuffer old = atomic_exchange(&shared->buffers[0], make_buffer(program));
    atomic_store(&shared->buffers[1], old);
    vkDestroyBuffer(program->device, old, NULL);
}

static void destroy_buffers(struct program *program, struct shared *shared)
{
    VkMemoryRequirements requirements;
    VkBuffer buffer = atomic_load(&shared->buffers[0]), gone = atomic_load(&shared->buffers[1]);
    vkGetBufferMemoryRequirements(program->device, buffer, &requirements);
    vkDestroyBuffer(program->device, gone, NULL);
}

static void replace_layout(struct program *program, struct shared *shared)
{
    vkDestroyDescriptorSetLayout(program->device,
                                 atomic_exchange(&shared->layout, make_set_layout(program, false)),
                                 NULL);
}

static void use_layout(struct program *program, struct shared *shared)
{
    VkDescriptorSetLayout layout = atomic_load(&shared->layout);
    const VkDescriptorSetAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = shared->descriptor_pool,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &layout};
    VkDescriptorSet set = VK_NULL_HANDLE;
    if (layout && vkAllocateDescriptorSets(program->device, &info, &set) == VK_SUCCESS)
        vkFreeDescriptorSets(program->device, shared->descriptor_pool, 1, &set);
}

static void replace_pool(struct program *program, struct shared *shared)
{
    vkDestroyDescriptorPool(program->device,
                            atomic_exchange(&shared->pool_of_sets,
                                            make_descriptor_pool(program, false)),
                            NULL);
}

static void use_pool(struct program *program, struct shared *shared)
{
    VkDescriptorPool pool = atomic_load(&shared->pool_of_sets);
    const VkDescriptorSetAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = pool,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &shared->set_layout};
    VkDescriptorSet set = shared->set;
    if (pool && vkAllocateDescriptorSets(program->device, &info, &shared->set) == VK_SUCCESS) {
        update_set(program, shared);
        vkFreeDescriptorSets(program->device, pool, 1, &shared->set);
    }
    shared->set = set;
}

static void reset_sets(struct program *program, struct shared *shared)
{
    vkResetDescriptorPool(program->device, shared->descriptor_pool, 0);
    shared->set = make_set(program, shared->descriptor_pool, shared->set_layout);
}

static const struct part parts[] = {
    {"one command buffer", write_id, "VkCommandBuffer", "vkCmdFillBuffer", fill_0},
    {"two command buffers of one pool", write_id, "VkCommandPool", "vkCmdFillBuffer", fill_0,
     fill_1, "VkCommandBuffer"},
    {"recording while the pool is reset", write_id, "VkCommandPool",
     "vkCmdFillBuffer|vkResetCommandPool", fill_0, reset_in_threads, "VkCommandBuffer"},
    {"allocating from one command pool", write_id, "VkCommandPool",
     "vkAllocateCommandBuffers|vkFreeCommandBuffers", allocate_command_buffer, NULL,
     "VkCommandBuffer"},
    {"one queue", write_id, "VkQueue", "vkQueueSubmit", submit_together},
    {"a queue that a device waits for", write_id, "VkQueue", "vkQueueSubmit|vkDeviceWaitIdle",
     submit_together, wait_idle_in_threads},
    {"one fence reset", write_id, "VkFence", "vkResetFences", reset_fence},
    {"a fence asked while it is reset", read_id, "VkFence", "vkResetFences", reset_fence,
     ask_fence},
    {"a fence reset while it is given to a submit", write_id, "VkFence",
     "vkResetFences|vkQueueSubmit", reset_fence, submit_fence, "VkQueue"},
    {"one event", write_id, "VkEvent", "vkSetEvent", set_event_in_threads},
    {"one descriptor pool", write_id, "VkDescriptorPool",
     "vkAllocateDescriptorSets|vkFreeDescriptorSets", allocate_set},
    {"one descriptor set", write_id, "VkDescriptorSet", "vkUpdateDescriptorSets", update_set},
    {"a set bound while it is updated", read_id, "VkDescriptorSet", "vkUpdateDescriptorSets",
     update_set, bind_in_threads},
    {"one pipeline cache merged into", write_id, "VkPipelineCache", "vkMergePipelineCaches",
     merge_caches},
    {"a command buffer submitted while it is recorded", read_id, "VkCommandBuffer",
     "vkBeginCommandBuffer|vkEndCommandBuffer", record_in_threads, submit_0},
    {"buffers destroyed twice, and used", NULL, NULL, NULL, replace_buffer, destroy_buffers},
    {"a set layout destroyed while sets are made with it", NULL, NULL, NULL, replace_layout,
     use_layout},
    {"a descriptor pool destroyed while sets are made of it", NULL, NULL, NULL, replace_pool,
     use_pool},
    {"a descriptor pool reset while a set of it is updated", NULL, NULL, NULL, reset_sets,
     update_set},
};

/* --- two threads --- */

__attribute__((noinline)) void first(struct worker *worker)
{
    running->first(worker->program, worker->shared);
}

__attribute__((noinline)) void second(struct worker *worker)
{
    (running->second ? running->second : running->first)(worker->program, worker->shared);
}

static bool is_found(struct findings *findings)
{
    bool found = false;
    pthread_mutex_lock(&findings->lock);
    for (unsigned i = 0; i < findings->kept && !found; i++)
        found =
            !strcmp(findings->ids[i], running->id) && strstr(findings->texts[i], running->object);
    pthread_mutex_unlock(&findings->lock);
    return found;
}

static void go_on(struct worker *worker)
{
    time_t end = time(NULL) + SECONDS_MOST;
    void (*step)(struct worker *) = worker->index ? second : first;
    while (running->id ? !is_found(&worker->program->findings) && time(NULL) < end : going()) {
        for (int i = 0; i < 200; i++)
            step(worker);
    }
}

static void shared_create(struct shared *shared, struct program *program)
{
    memset(shared, 0, sizeof(*shared));
    shared->pool = make_command_pool(program);
    shared->set_layout = make_set_layout(program, false);
    shared->pipeline_layout = make_pipeline_layout(program, shared->set_layout);
    shared->descriptor_pool = make_descriptor_pool(program, false);
    shared->set = make_set(program, shared->descriptor_pool, shared->set_layout);
    shared->buffer = make_buffer(program);
    shared->fence = make_fence(program);
    const VkEventCreateInfo event = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    VK(vkCreateEvent(program->device, &event, NULL, &shared->event));
    const VkPipelineCacheCreateInfo cache = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    for (int i = 0; i < 2; i++) {
        VK(vkCreatePipelineCache(program->device, &cache, NULL, &shared->caches[i]));
        shared->command_buffers[i] = make_command_buffer(program, shared->pool);
        begin_commands(shared->command_buffers[i]);
    }
}

static void shared_destroy(struct shared *shared, struct program *program)
{
    vkDeviceWaitIdle(program->device);
    for (int i = 0; i < 2; i++)
        vkDestroyPipelineCache(program->device, shared->caches[i], NULL);
    vkDestroyEvent(program->device, shared->event, NULL);
    vkDestroyFence(program->device, shared->fence, NULL);
    vkDestroyCommandPool(program->device, shared->pool, NULL);
    vkDestroyDescriptorPool(program->device, shared->descriptor_pool, NULL);
    vkDestroyBuffer(program->device, atomic_load(&shared->buffers[0]), NULL);
    vkDestroyDescriptorSetLayout(program->device, atomic_load(&shared->layout), NULL);
    vkDestroyDescriptorPool(program->device, atomic_load(&shared->pool_of_sets), NULL);
    vkDestroyBuffer(program->device, shared->buffer, NULL);
    vkDestroyPipelineLayout(program->device, shared->pipeline_layout, NULL);
    vkDestroyDescriptorSetLayout(program->device, shared->set_layout, NULL);
}

/* True if `text` goes on with a place in this program, or in the loader, which makes some calls for
 * it. */
static bool names_caller(const char *text, const char *before)
{
    const char *at = strstr(text, before);
    return at && (!strncmp(at + strlen(before), "/", 1) || !strncmp(at + strlen(before), ".", 1)) &&
           (strstr(at, "threads_incorrect+0x") || strstr(at, "libvulkan.so.1+0x"));
}

/* `4711 "name"`, as the system has the thread: /proc knows it. */
static bool names_thread(const char *text)
{
    char path[64], name[32] = "", wanted[40] = "";
    int length = 0;
    unsigned number = 0;
    if (sscanf(text, "%u%n", &number, &length) != 1)
        return false;
    (void)snprintf(path, sizeof(path), "/proc/self/task/%u/comm", number);
    FILE *file = fopen(path, "r");
    if (!file) /* it has ended meanwhile */
        return true;
    if (fgets(name, sizeof(name), file))
        name[strcspn(name, "\n")] = '\0';
    fclose(file);
    (void)snprintf(wanted, sizeof(wanted), " \"%s\"", name);
    return !strncmp(text + length, wanted, strlen(wanted));
}

static unsigned other_commands; /* findings that named the other thread's command */
static unsigned other_objects;  /* those that also named what it is on */

/* True if `text`, of this length, names a command that the other thread may be in. */
static bool is_other_command(const char *text, size_t length)
{
    for (const char *name = running->others; *name;) {
        const size_t name_length = strcspn(name, "|");
        if (name_length == length && !strncmp(text, name, length))
            return true;
        name += name_length + (name[name_length] == '|');
    }
    return false;
}

/* `vkCmdFillBuffer(), called by MODULE+0x123`. `vkCmdFillBuffer() on VkCommandBuffer 0x123, called
 * by MODULE+0x123`, where the mark of the command buffer was there. `one made by MODULE+0x123`,
 * where the other thread had left its call before that could be seen. Never another command. */
static bool names_other(const char *text)
{
    static const char before[] = " in ", on[] = "() on ";
    const char *in = strstr(text, before);
    if (!in || names_caller(in, " in one made by "))
        return in != NULL;
    in += strlen(before);
    const size_t length = strcspn(in, "(");
    if (!is_other_command(in, length) || !names_caller(in, ", called by "))
        return false;
    const bool is_on = !strncmp(in + length, on, strlen(on));
    if (is_on &&
        (!running->on || strncmp(in + length + strlen(on), running->on, strlen(running->on)) != 0))
        return false;
    if (!is_on && strncmp(in + length, "(), called", strlen("(), called")) != 0)
        return false;
    other_commands++;
    other_objects += is_on;
    return true;
}

/* "... is used by two threads at once: thread 2 "a" in this call, by MODULE+0x123, and thread 1 "b"
 * in vkSetEvent(), called by MODULE+0x123; ..." */
static bool names_both(const char *text)
{
    static const char one[] = "is used by two threads at once: thread ", two[] = ", and thread ";
    const char *at = strstr(text, one);
    const char *other = at ? strstr(at, two) : NULL;
    return other && atoi(at + strlen(one)) > 0 && atoi(other + strlen(two)) > 0 &&
           names_thread(at + strlen(one)) && names_thread(other + strlen(two)) &&
           atoi(at + strlen(one)) != atoi(other + strlen(two)) &&
           names_caller(at, " in this call, by ") && names_other(other);
}

static unsigned other_stacks; /* findings that showed the other thread's stack */

/* With record_stacks, the other call's caller and a frame outside of it, where its command keeps a
 * stack. Without it no such lines: the stack of this call must not pass for the other's, though
 * both have the same caller here. */
static bool other_stack_is_right(const char *text)
{
    const char *other = strstr(text, "\n    other   "), *key = strstr(text, "\n    object");
    const char *next = other ? strstr(other + 1, "\n            ") : NULL;
    other_stacks += other != NULL;
    return !other || (getenv("VK_ASSAY_RECORD_STACKS") && next && key && next < key);
}

static bool judge_findings(struct findings *findings)
{
    bool named = !running->id;
    for (unsigned i = 0; running->id && i < findings->kept; i++) {
        if (!strcmp(findings->ids[i], running->id) && strstr(findings->texts[i], running->object))
            named |= names_both(findings->texts[i]) && other_stack_is_right(findings->texts[i]);
    }
    for (unsigned i = 0; !named && i < findings->kept && i < 4; i++)
        fprintf(stderr, "%s\n\n", findings->texts[i]);
    return named;
}

static bool run_part(void)
{
    struct program program;
    struct shared shared;
    program_create(&program);
    require_layer(&program);
    shared_create(&shared, &program);
    run_threads(&program, 2, running->id ? 0 : MILLISECONDS_ALIVE, go_on, &shared);
    bool good = judge_findings(&program.findings);
    shared_destroy(&shared, &program);
    program_destroy(&program);
    return good;
}

/* Once more, as the two threads may have met with nothing to show: whether they do is the
 * machine's matter. */
static bool run_again(const unsigned *seen)
{
    for (int round = 0; round < ROUNDS_MOST && !*seen; round++) {
        for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && !*seen; i++) {
            running = &parts[i];
            if (running->on && !run_part())
                return false;
        }
    }
    return *seen > 0;
}

int main(int argc, char **argv)
{
    unsigned failed = 0;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        running = &parts[i];
        bool chosen = argc == 1;
        for (int a = 1; a < argc; a++)
            chosen |= !strcmp(argv[a], running->name);
        if (!chosen)
            continue;
        bool good = run_part();
        printf("%s %s\n", good ? "ok    " : "FAILED", running->name);
        fflush(stdout);
        failed += !good;
    }
    if (argc == 1 && getenv("VK_ASSAY_RECORD_STACKS") && !run_again(&other_stacks)) {
        puts("FAILED no finding shows the other thread's stack");
        failed++;
    }
    if (argc == 1 && !run_again(&other_commands)) {
        puts("FAILED no finding names the other thread's command");
        failed++;
    }
    if (argc == 1 && !run_again(&other_objects)) {
        puts("FAILED no finding names what the other thread's command is on");
        failed++;
    }
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
