/* Every measured operation finds these ready: an instance, a device, and per thread its own pool,
 * command buffer and objects. All calls go through pointers from vkGetDeviceProcAddr, as an engine
 * makes them. A failure ends the process with a message: a bench has no caller to give an error to.
 */
#ifndef BENCH_CONTEXT_H
#define BENCH_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

#define IMAGE_FORMAT   VK_FORMAT_R8G8B8A8_UNORM
#define THREAD_LIMIT   16
#define BINDLESS_COUNT 16384 /* descriptors of a bindless set */
#define SET_COUNT      2     /* sets are bound in turn, so that a bind is never of what is bound */
#define MANY_SETS      64    /* small sets that are bound in turn */
#define PART_SIZE      256   /* bytes of a buffer that a descriptor of a small set has */
#define STORAGE_COUNT  16    /* descriptors of binding 1: what the update of 16 writes */

/* Calls recorded between begin and end of a command buffer. They are enough that begin, end and
 * reset vanish in the average, and few enough that what a driver keeps of them stays in the cache.
 */
#define RECORDED 1000u

/* The commands that operations call. */
#define BENCH_COMMANDS(X)              \
    X(AllocateCommandBuffers)          \
    X(AllocateDescriptorSets)          \
    X(AllocateMemory)                  \
    X(BeginCommandBuffer)              \
    X(BindBufferMemory)                \
    X(BindImageMemory)                 \
    X(CmdBeginDebugUtilsLabelEXT)      \
    X(CmdBeginQuery)                   \
    X(CmdBeginRendering)               \
    X(CmdBindDescriptorSets)           \
    X(CmdBindPipeline)                 \
    X(CmdCopyBuffer)                   \
    X(CmdDispatch)                     \
    X(CmdDraw)                         \
    X(CmdEndDebugUtilsLabelEXT)        \
    X(CmdEndQuery)                     \
    X(CmdEndRendering)                 \
    X(CmdPipelineBarrier)              \
    X(CmdPipelineBarrier2)             \
    X(CmdPushConstants)                \
    X(CmdResetQueryPool)               \
    X(CmdSetCullMode)                  \
    X(CmdSetDepthTestEnable)           \
    X(CmdSetFrontFace)                 \
    X(CmdSetPrimitiveTopology)         \
    X(CmdSetRasterizerDiscardEnable)   \
    X(CmdSetScissor)                   \
    X(CmdSetViewport)                  \
    X(CmdWriteTimestamp)               \
    X(CreateBuffer)                    \
    X(CreateBufferView)                \
    X(CreateCommandPool)               \
    X(CreateComputePipelines)          \
    X(CreateDescriptorPool)            \
    X(CreateDescriptorSetLayout)       \
    X(CreateDescriptorUpdateTemplate)  \
    X(CreateFence)                     \
    X(CreateFramebuffer)               \
    X(CreateGraphicsPipelines)         \
    X(CreateImage)                     \
    X(CreateImageView)                 \
    X(CreatePipelineLayout)            \
    X(CreateQueryPool)                 \
    X(CreateRenderPass)                \
    X(CreateSampler)                   \
    X(CreateSemaphore)                 \
    X(CreateShaderModule)              \
    X(DestroyBuffer)                   \
    X(DestroyBufferView)               \
    X(DestroyCommandPool)              \
    X(DestroyDescriptorPool)           \
    X(DestroyDescriptorSetLayout)      \
    X(DestroyDescriptorUpdateTemplate) \
    X(DestroyDevice)                   \
    X(DestroyFence)                    \
    X(DestroyFramebuffer)              \
    X(DestroyImage)                    \
    X(DestroyImageView)                \
    X(DestroyPipeline)                 \
    X(DestroyPipelineLayout)           \
    X(DestroyQueryPool)                \
    X(DestroyRenderPass)               \
    X(DestroySampler)                  \
    X(DestroySemaphore)                \
    X(DestroyShaderModule)             \
    X(DeviceWaitIdle)                  \
    X(EndCommandBuffer)                \
    X(FreeCommandBuffers)              \
    X(FreeMemory)                      \
    X(GetBufferMemoryRequirements)     \
    X(GetDeviceQueue)                  \
    X(GetImageMemoryRequirements)      \
    X(QueueSubmit)                     \
    X(ResetCommandPool)                \
    X(ResetFences)                     \
    X(SetDebugUtilsObjectNameEXT)      \
    X(UpdateDescriptorSetWithTemplate) \
    X(UpdateDescriptorSets)            \
    X(WaitForFences)

struct device_commands {
#define COMMAND_FIELD(name) PFN_vk##name name;
    BENCH_COMMANDS(COMMAND_FIELD)
#undef COMMAND_FIELD
};

/* A layout of sets, and what draws with them. */
struct set_kind {
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout pipeline_layout;
    VkPipeline pipeline;
};

/* Threads: read-only after context_create. */
struct context {
    /* what the caller asks for: the device has these features, too */
    bool timelines_and_addresses;
    VkInstance instance;
    VkPhysicalDevice physical_device;
    VkDevice device;
    struct device_commands vk;
    uint32_t queue_family;
    uint32_t queue_count; /* queues made: one a thread where the family has them */
    VkPhysicalDeviceMemoryProperties memory;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout pipeline_layout;
    VkPipeline pipeline, other_pipeline; /* made alike */
    VkPipeline
        dynamic_pipeline;     /* the same with the states of graphics_pipeline_create() dynamic */
    VkRenderPass render_pass; /* of the framebuffers that are made; nothing is drawn with it */
    VkDescriptorUpdateTemplate update_template;
    struct bindless {
        VkDescriptorSetLayout set_layout;
        VkPipelineLayout pipeline_layout;
        VkPipeline pipeline;
    } bindless;
    /* two uniform buffers and a storage buffer; the same with dynamic uniform buffers; a uniform
     * buffer and BINDLESS_COUNT storage buffers that are updated after they are bound */
    struct set_kind small, dynamic, table;
};

/* Submissions of a worker that are under way at a time. */
#define FLIGHT 2
struct flight {
    VkCommandBuffer commands;
    VkFence fence;
    VkSemaphore semaphore; /* what the next submission waits for, where one does */
};

/* Threads: one thread's own. */
struct worker {
    struct context *context;
    uint32_t index;
    VkQueue queue; /* NULL when the family has no queue for this thread alone */
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkBuffer source, target;
    VkImage image;
    VkImageView view;
    VkDeviceMemory buffer_memory, image_memory;
    /* A buffer of this thread's own, in the memory that all threads' buffers of this kind lie in,
     * which the first worker owns. */
    VkBuffer part;
    VkDeviceMemory parts_memory;
    VkDescriptorPool descriptor_pool;
    VkDescriptorSet sets[SET_COUNT];
    VkDescriptorPool bindless_pool;
    VkDescriptorSet bindless_sets[SET_COUNT];
    VkDescriptorPool small_pool, table_pool;
    VkDescriptorSet small_sets[MANY_SETS], dynamic_set, table_set; /* of the context's kinds */
    VkFence fence;
    struct flight flights[FLIGHT];
    VkCommandPool flight_pool; /* of their own: other rows reset a pool of one command buffer */
    VkQueryPool timestamps, occlusions; /* RECORDED queries each */
    /* Objects that one thread made for all threads, kind by kind (workers_create_together). Pool,
     * command buffer, sets and image are this thread's own; all threads use the same buffers. */
    struct worker *together;
};

void context_create(struct context *context);
void context_destroy(struct context *context);

/* bindless.c: the compute pipeline, its layouts, and each worker's sets with BINDLESS_COUNT
 * descriptors. */
void bindless_create(struct context *context);
void bindless_destroy(struct context *context);
/* A module and the pipeline of it. */
VkPipeline compute_pipeline_create(const struct context *context);
void bindless_sets_create(struct worker *worker);

/* sets.c: the context's kinds of sets, and each worker's sets of them. */
void set_kinds_create(struct context *context);
void set_kinds_destroy(struct context *context);
void more_sets_create(struct worker *worker);
void more_sets_destroy(struct worker *worker);

/* pipelines.c. The graphics pipeline of the bench from modules made of this code. Viewports and
 * scissors are dynamic, and where `dynamic`, so are states of Vulkan 1.3. */
struct shader_code {
    const uint32_t *words;
    size_t size; /* bytes */
};
VkShaderModule shader_create(const struct context *context, struct shader_code code);
VkPipeline graphics_pipeline_create(const struct context *context, VkPipelineLayout layout,
                                    struct shader_code vertex, struct shader_code fragment,
                                    bool dynamic);
extern const struct shader_code scene_vertex, scene_fragment;

/* As the context's own. */
VkDescriptorSetLayout set_layout_create(const struct context *context);
VkPipelineLayout pipeline_layout_create(const struct context *context,
                                        VkDescriptorSetLayout set_layout);

void worker_create(struct worker *worker, struct context *context, uint32_t index);
void worker_destroy(struct worker *worker);

/* Fills `together` of each of the `count` workers. The calling thread makes each kind of object for
 * all workers before the next kind, as an engine's main thread does for its recording threads. So
 * what a layer keeps of them lies side by side. */
void workers_create_together(struct worker *workers, uint32_t count);
void workers_destroy_together(struct worker *workers, uint32_t count);

/* Instance and device only: what a program's start costs. */
void instance_create(struct context *context);
void device_create(struct context *context);
void device_and_instance_destroy(struct context *context);

/* Ends the process, with the name of what failed. */
_Noreturn void fail(const char *what);

static inline void bench_must(VkResult result, const char *what)
{
    if (result != VK_SUCCESS)
        fail(what);
}

#endif
