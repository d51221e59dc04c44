/* Destroys or frees objects although commands use them, by themselves or through others. That is
 * before they are submitted, while they are pending, and when the program has waited for them. Each
 * use says what may go; each of these goes three times. */
#include "raytracing/acceleration_structure_builder.h"

#include "shader_descriptor_contents.h"
#include "valid_shaders.h"

#include <stdlib.h>

/* Something that a use needs. */
struct victim {
    VkObjectType type;
    uint64_t handle;
};
#define VICTIMS 16

/* One recording, with what it needs. */
struct world {
    struct baseline *b;
    VkCommandBuffer commands;
    unsigned count;
    struct victim victims[VICTIMS];
};

static void add_victim(struct world *w, VkObjectType type, uint64_t handle)
{
    ENSURE(w->count < VICTIMS);
    w->victims[w->count++] = (struct victim){type, handle};
}
#define ADD(w_, type_, handle_) add_victim((w_), VK_OBJECT_TYPE_##type_, HANDLE(handle_))

/* --- how things go, and what must be said while they are in use --- */

#define DESTROYER(name_, Handle_)                                               \
    static void destroy_##name_(struct baseline *b, uint64_t handle)            \
    {                                                                           \
        DEVICE_PROC(b, vk##name_)(b->device, (Handle_)(uintptr_t)handle, NULL); \
    }
DESTROYER(DestroyBuffer, VkBuffer)
DESTROYER(DestroyBufferView, VkBufferView)
DESTROYER(DestroyImage, VkImage)
DESTROYER(DestroyImageView, VkImageView)
DESTROYER(DestroySampler, VkSampler)
DESTROYER(FreeMemory, VkDeviceMemory)
DESTROYER(DestroyPipeline, VkPipeline)
DESTROYER(DestroyShaderEXT, VkShaderEXT)
DESTROYER(DestroyQueryPool, VkQueryPool)
DESTROYER(DestroyEvent, VkEvent)
DESTROYER(DestroyRenderPass, VkRenderPass)
DESTROYER(DestroyFramebuffer, VkFramebuffer)
DESTROYER(DestroyAccelerationStructureKHR, VkAccelerationStructureKHR)
DESTROYER(DestroyAccelerationStructureNV, VkAccelerationStructureNV)
DESTROYER(DestroyDescriptorPool, VkDescriptorPool)

static const struct kind {
    VkObjectType type;
    const char *name;
    const char *pending; /* the finding */
    void (*destroy)(struct baseline *b, uint64_t handle);
} kinds[] = {
    {VK_OBJECT_TYPE_BUFFER, "buffer", "VUID-vkDestroyBuffer-buffer-00922", destroy_DestroyBuffer},
    {VK_OBJECT_TYPE_BUFFER_VIEW, "buffer view", "VUID-vkDestroyBufferView-bufferView-00936",
     destroy_DestroyBufferView},
    {VK_OBJECT_TYPE_IMAGE, "image", "VUID-vkDestroyImage-image-01000", destroy_DestroyImage},
    {VK_OBJECT_TYPE_IMAGE_VIEW, "image view", "VUID-vkDestroyImageView-imageView-01026",
     destroy_DestroyImageView},
    {VK_OBJECT_TYPE_SAMPLER, "sampler", "VUID-vkDestroySampler-sampler-01082",
     destroy_DestroySampler},
    {VK_OBJECT_TYPE_DEVICE_MEMORY, "memory", "VUID-vkFreeMemory-memory-00677", destroy_FreeMemory},
    {VK_OBJECT_TYPE_PIPELINE, "pipeline", "VUID-vkDestroyPipeline-pipeline-00765",
     destroy_DestroyPipeline},
    {VK_OBJECT_TYPE_SHADER_EXT, "shader object", "VUID-vkDestroyShaderEXT-shader-08482",
     destroy_DestroyShaderEXT},
    {VK_OBJECT_TYPE_QUERY_POOL, "query pool", "VUID-vkDestroyQueryPool-queryPool-00793",
     destroy_DestroyQueryPool},
    {VK_OBJECT_TYPE_EVENT, "event", "VUID-vkDestroyEvent-event-01145", destroy_DestroyEvent},
    {VK_OBJECT_TYPE_RENDER_PASS, "render pass", "VUID-vkDestroyRenderPass-renderPass-00873",
     destroy_DestroyRenderPass},
    {VK_OBJECT_TYPE_FRAMEBUFFER, "framebuffer", "VUID-vkDestroyFramebuffer-framebuffer-00892",
     destroy_DestroyFramebuffer},
    {VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_KHR, "acceleration structure",
     "VUID-vkDestroyAccelerationStructureKHR-accelerationStructure-02442",
     destroy_DestroyAccelerationStructureKHR},
    {VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_NV, "acceleration structure of NV",
     "VUID-vkDestroyAccelerationStructureNV-accelerationStructure-03752",
     destroy_DestroyAccelerationStructureNV},
    {VK_OBJECT_TYPE_DESCRIPTOR_POOL, "descriptor pool",
     "VUID-vkDestroyDescriptorPool-descriptorPool-00303", destroy_DestroyDescriptorPool},
};

static const struct kind *kind_of(const struct victim *victim)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (kinds[i].type == victim->type)
            return &kinds[i];
    }
    abort();
}

/* Each finding that came since `before` must be this one, and there must be one; NULL: none. */
static void expect_since(struct world *w, const struct victim *victim, const char *when,
                         unsigned before, unsigned before_of_id, const char *id)
{
    unsigned all = seen_count(w->b, NULL) - before,
             wanted = id ? seen_count(w->b, id) - before_of_id : 0;
    if (all != (id ? 1 : 0) || wanted != all)
        scenario_fail(__FILE__, __LINE__, "the %s goes %s: %u findings, %u of %s",
                      kind_of(victim)->name, when, all, wanted, id ? id : "none");
}

typedef void (*record_function)(struct world *w);

static struct world record_use(struct baseline *b, record_function use)
{
    struct world w = {.b = b, .commands = make_recording(b)};
    use(&w);
    VK(vkEndCommandBuffer(w.commands));
    return w;
}

static VkResult submit_use(struct world *w)
{
    VkSubmitInfo info = submit_info(&w->commands);
    return vkQueueSubmit(w->b->queue, 1, &info, VK_NULL_HANDLE);
}

/* Destroys it; the harness does not have to any more. */
static void destroy_victim(struct world *w, const struct victim *victim)
{
    forget_handle(w->b, victim->handle);
    kind_of(victim)->destroy(w->b, victim->handle);
}

/* The same command buffer without what is gone. */
static void record_nothing(struct world *w)
{
    const VkCommandBufferBeginInfo begin = begin_info();
    VK(vkBeginCommandBuffer(w->commands, &begin));
    VK(vkEndCommandBuffer(w->commands));
    VK(submit_use(w));
    VK(vkQueueWaitIdle(w->b->queue));
}

static void goes_before(struct baseline *b, record_function use, unsigned index, const char *id)
{
    struct world w = record_use(b, use);
    const struct victim *victim = &w.victims[index];
    unsigned before = seen_count(b, NULL), of_id = seen_count(b, id);
    destroy_victim(&w, victim);
    expect_since(&w, victim, "before the submit", before, of_id, NULL);
    EXPECT(submit_use(&w) != VK_SUCCESS);
    expect_since(&w, victim, "before the submit", before, of_id, id);
    before = seen_count(b, NULL);
    record_nothing(&w);
    expect_since(&w, victim, "before it is recorded again", before, 0, NULL);
}

static void goes_while_pending(struct baseline *b, record_function use, unsigned index)
{
    struct world w = record_use(b, use);
    const struct victim *victim = &w.victims[index];
    const struct kind *kind = kind_of(victim);
    unsigned before = seen_count(b, NULL), of_id = seen_count(b, kind->pending);
    VK(submit_use(&w));
    kind->destroy(b, victim->handle); /* refused */
    expect_since(&w, victim, "while it is pending", before, of_id, kind->pending);
    before = seen_count(b, NULL);
    VK(vkQueueWaitIdle(b->queue));
    destroy_victim(&w, victim);
    expect_since(&w, victim, "after it was refused", before, 0, NULL);
    record_nothing(&w);
}

static void goes_after(struct baseline *b, record_function use, unsigned index)
{
    struct world w = record_use(b, use);
    unsigned before = seen_count(b, NULL);
    VK(submit_use(&w));
    VK(vkQueueWaitIdle(b->queue));
    destroy_victim(&w, &w.victims[index]);
    record_nothing(&w);
    expect_since(&w, &w.victims[index], "after the wait", before, 0, NULL);
}

/* `id`: of a submit of what is invalid. */
static void run_matrix(struct baseline *b, record_function use, const char *id)
{
    struct world first = record_use(b, use);
    EXPECT_EQUAL(seen_count(b, NULL), 0);
    ENSURE(first.count > 0);
    for (unsigned i = 0; i < first.count; i++) {
        goes_before(b, use, i, id);
        goes_while_pending(b, use, i);
        goes_after(b, use, i);
    }
}

/* --- what uses need --- */

static VkBuffer add_buffer(struct world *w, VkBufferUsageFlags usage)
{
    VkBuffer made = make_buffer(w->b, 4096, usage);
    ADD(w, BUFFER, made);
    ADD(w, DEVICE_MEMORY, buffer_memory(w->b, made));
    return made;
}

static VkImage add_image_of(struct world *w, VkImageUsageFlags usage, VkSampleCountFlagBits samples)
{
    VkImageCreateInfo info = image_info(usage);
    info.samples = samples;
    VkImage made = create_image(w->b, &info);
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(w->b->device, made, &needs);
    VkMemoryAllocateInfo memory =
        memory_info(needs.size, (uint32_t)__builtin_ctz(needs.memoryTypeBits));
    VkDeviceMemory bound = create_memory(w->b, &memory);
    VK(vkBindImageMemory(w->b->device, made, bound, 0));
    ADD(w, IMAGE, made);
    ADD(w, DEVICE_MEMORY, bound);
    return made;
}

static VkImage add_image(struct world *w, VkImageUsageFlags usage)
{
    return add_image_of(w, usage, VK_SAMPLE_COUNT_1_BIT);
}

static VkImageView add_view(struct world *w, VkImage of)
{
    const VkImageViewCreateInfo info = image_view_info(of);
    VkImageView made = create_image_view(w->b, &info);
    ADD(w, IMAGE_VIEW, made);
    return made;
}

static void transition_victim(struct world *w, VkImage of, VkImageLayout to)
{
    const VkImageMemoryBarrier barrier = image_barrier(of, VK_IMAGE_LAYOUT_UNDEFINED, to);
    vkCmdPipelineBarrier(w->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

static VkPipeline bind_graphics(struct world *w)
{
    VkPipeline pipeline = make_any_graphics_pipeline(w->b);
    vkCmdBindPipeline(w->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    return pipeline;
}

static const uint32_t zero;

/* fill.comp, with its set, whose buffer it writes. */
static void bind_victim(struct world *w, VkPipeline pipeline, VkPipelineLayout layout,
                        VkDescriptorSet set)
{
    vkCmdBindPipeline(w->commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdPushConstants(w->commands, layout, VK_SHADER_STAGE_ALL, 0, 4, &zero);
    if (set)
        vkCmdBindDescriptorSets(w->commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                                NULL);
}

static void write_storage_of(struct world *w, VkDescriptorSet set, VkBuffer to)
{
    const VkDescriptorBufferInfo info = {to, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = write_buffer(set, &info);
    vkUpdateDescriptorSets(w->b->device, 1, &write, 0, NULL);
}

static void bind_fill(struct world *w, bool victims, VkBuffer to)
{
    struct baseline *b = w->b;
    VkDescriptorSetLayout set_layout = make_descriptor_set_layout(b);
    VkPipelineLayout layout = make_pipeline_layout(b, set_layout);
    VkPipeline pipeline = make_compute_pipeline(b, layout);
    VkDescriptorPool pool = make_descriptor_pool(b);
    VkDescriptorSet set = make_descriptor_set(b, pool, set_layout);
    write_storage_of(w, set, to);
    bind_victim(w, pipeline, layout, set);
    if (victims)
        ADD(w, PIPELINE, pipeline);
}

/* --- the uses --- */

static const VkPhysicalDeviceConditionalRenderingFeaturesEXT conditional = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT,
    .conditionalRendering = VK_TRUE};
static const VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
    .pNext = (void *)&conditional,
    .transformFeedback = VK_TRUE};
static const VkPhysicalDeviceAccelerationStructureFeaturesKHR structures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
    .pNext = (void *)&feedback,
    .accelerationStructure = VK_TRUE};
static const VkPhysicalDeviceShaderObjectFeaturesEXT objects = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
    .pNext = (void *)&structures,
    .shaderObject = VK_TRUE};
static const VkPhysicalDeviceRayQueryFeaturesKHR rays = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_QUERY_FEATURES_KHR,
    .pNext = (void *)&objects,
    .rayQuery = VK_TRUE};
static const VkPhysicalDeviceMeshShaderFeaturesEXT meshes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
    .pNext = (void *)&rays,
    .meshShader = VK_TRUE};
static const VkPhysicalDeviceVulkan12Features features12 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    .pNext = (void *)&meshes,
    .drawIndirectCount = VK_TRUE,
    .bufferDeviceAddress = VK_TRUE,
    .hostQueryReset = VK_TRUE,
    .timelineSemaphore = VK_TRUE};
static const VkPhysicalDeviceVulkan13Features features13 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .pNext = (void *)&features12,
    .dynamicRendering = VK_TRUE,
    .synchronization2 = VK_TRUE,
    .maintenance4 = VK_TRUE};
static const VkPhysicalDeviceFeatures2 all_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)&features13,
    .features = {.vertexPipelineStoresAndAtomics = VK_TRUE, .fragmentStoresAndAtomics = VK_TRUE}};

#define WORLD                                                             \
    .drivers = NULL_DRIVER, .ours_only = true, .features = &all_features, \
    .extensions = {"VK_EXT_conditional_rendering",                        \
                   "VK_EXT_transform_feedback",                           \
                   "VK_KHR_acceleration_structure",                       \
                   "VK_KHR_deferred_host_operations",                     \
                   "VK_EXT_shader_object",                                \
                   "VK_AMD_buffer_marker",                                \
                   "VK_KHR_push_descriptor",                              \
                   "VK_NV_ray_tracing",                                   \
                   "VK_KHR_ray_query",                                    \
                   "VK_EXT_mesh_shader"}
/* The findings that any of them may have. Each scenario counts by itself. */
#define ALLOWED                                                                     \
    .allow = {"VUID-vkQueueSubmit-pCommandBuffers-00070",                           \
              "VUID-vkQueueSubmit-pCommandBuffers-00072",                           \
              "VUID-vkDestroyBuffer-buffer-00922",                                  \
              "VUID-vkDestroyBufferView-bufferView-00936",                          \
              "VUID-vkDestroyImage-image-01000",                                    \
              "VUID-vkDestroyImageView-imageView-01026",                            \
              "VUID-vkDestroySampler-sampler-01082",                                \
              "VUID-vkFreeMemory-memory-00677",                                     \
              "VUID-vkDestroyPipeline-pipeline-00765",                              \
              "VUID-vkDestroyShaderEXT-shader-08482",                               \
              "VUID-vkDestroyQueryPool-queryPool-00793",                            \
              "VUID-vkDestroyEvent-event-01145",                                    \
              "VUID-vkDestroyRenderPass-renderPass-00873",                          \
              "VUID-vkDestroyFramebuffer-framebuffer-00892",                        \
              "VUID-vkDestroyAccelerationStructureKHR-accelerationStructure-02442", \
              "VUID-vkDestroyAccelerationStructureNV-accelerationStructure-03752"}

/* All findings of an id are reported. */
#define UNLIMITED "enable_message_limit=false"

/* A use as such, and with GPU-assisted validation. */
#define USE(name_)                                                                           \
    static void record_##name_(struct world *w);                                             \
    SCENARIO(name_, WORLD, ALLOWED, .settings = {UNLIMITED})                                 \
    {                                                                                        \
        run_matrix(b, record_##name_, "VUID-vkQueueSubmit-pCommandBuffers-00070");           \
    }                                                                                        \
    SCENARIO(name_##_with_gpu, WORLD, ALLOWED, .settings = {"gpuav_enable=true", UNLIMITED}) \
    {                                                                                        \
        run_matrix(b, record_##name_, "VUID-vkQueueSubmit-pCommandBuffers-00070");           \
    }                                                                                        \
    static void record_##name_(struct world *w)

#define SRC VK_BUFFER_USAGE_TRANSFER_SRC_BIT
#define DST VK_BUFFER_USAGE_TRANSFER_DST_BIT

USE(copies_of_buffers)
{
    const VkBufferCopy region = {.size = 16};
    vkCmdCopyBuffer(w->commands, add_buffer(w, SRC), add_buffer(w, DST), 1, &region);
    vkCmdFillBuffer(w->commands, add_buffer(w, DST), 0, 16, 0);
    vkCmdUpdateBuffer(w->commands, add_buffer(w, DST), 0, 4, &zero);
}

USE(copies_of_buffers_2)
{
    const VkBufferCopy2 region = {.sType = VK_STRUCTURE_TYPE_BUFFER_COPY_2, .size = 16};
    const VkCopyBufferInfo2 info = {.sType = VK_STRUCTURE_TYPE_COPY_BUFFER_INFO_2,
                                    .srcBuffer = add_buffer(w, SRC),
                                    .dstBuffer = add_buffer(w, DST),
                                    .regionCount = 1,
                                    .pRegions = &region};
    vkCmdCopyBuffer2(w->commands, &info);
}

static const VkImageSubresourceLayers one_layer = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};

USE(copies_of_images)
{
    const VkImageCopy region = {
        .srcSubresource = one_layer, .dstSubresource = one_layer, .extent = {1, 1, 1}};
    const VkBufferImageCopy texels = {.imageSubresource = one_layer, .imageExtent = {1, 1, 1}};
    VkImage from = add_image(w, VK_IMAGE_USAGE_TRANSFER_SRC_BIT),
            to = add_image(w, VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    transition_victim(w, from, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    transition_victim(w, to, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    vkCmdCopyImage(w->commands, from, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, to,
                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
    vkCmdCopyBufferToImage(w->commands, add_buffer(w, SRC), to,
                           VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &texels);
    vkCmdCopyImageToBuffer(w->commands, from, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                           add_buffer(w, DST), 1, &texels);
}

/* Two images in the layouts of transfers. */
struct images {
    VkImage from, to;
};

static struct images add_images(struct world *w, VkSampleCountFlagBits samples)
{
    const VkImageUsageFlags attachment = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    const struct images i = {add_image_of(w, VK_IMAGE_USAGE_TRANSFER_SRC_BIT | attachment, samples),
                             add_image(w, VK_IMAGE_USAGE_TRANSFER_DST_BIT | attachment)};
    transition_victim(w, i.from, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    transition_victim(w, i.to, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    return i;
}

USE(copies_of_images_2)
{
    const VkImageCopy2 region = {.sType = VK_STRUCTURE_TYPE_IMAGE_COPY_2,
                                 .srcSubresource = one_layer,
                                 .dstSubresource = one_layer,
                                 .extent = {1, 1, 1}};
    const struct images i = add_images(w, VK_SAMPLE_COUNT_1_BIT);
    const VkCopyImageInfo2 info = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_INFO_2,
                                   .srcImage = i.from,
                                   .srcImageLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                                   .dstImage = i.to,
                                   .dstImageLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                   .regionCount = 1,
                                   .pRegions = &region};
    vkCmdCopyImage2(w->commands, &info);
}

USE(copies_of_texels_2)
{
    const VkBufferImageCopy2 region = {.sType = VK_STRUCTURE_TYPE_BUFFER_IMAGE_COPY_2,
                                       .imageSubresource = one_layer,
                                       .imageExtent = {1, 1, 1}};
    const struct images i = add_images(w, VK_SAMPLE_COUNT_1_BIT);
    const VkCopyBufferToImageInfo2 to = {.sType = VK_STRUCTURE_TYPE_COPY_BUFFER_TO_IMAGE_INFO_2,
                                         .srcBuffer = add_buffer(w, SRC),
                                         .dstImage = i.to,
                                         .dstImageLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                         .regionCount = 1,
                                         .pRegions = &region};
    const VkCopyImageToBufferInfo2 from = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_TO_BUFFER_INFO_2,
                                           .srcImage = i.from,
                                           .srcImageLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                                           .dstBuffer = add_buffer(w, DST),
                                           .regionCount = 1,
                                           .pRegions = &region};
    vkCmdCopyBufferToImage2(w->commands, &to);
    vkCmdCopyImageToBuffer2(w->commands, &from);
}

USE(blits)
{
    const VkImageBlit region = {.srcSubresource = one_layer,
                                .srcOffsets = {{0, 0, 0}, {1, 1, 1}},
                                .dstSubresource = one_layer,
                                .dstOffsets = {{0, 0, 0}, {1, 1, 1}}};
    const struct images i = add_images(w, VK_SAMPLE_COUNT_1_BIT);
    vkCmdBlitImage(w->commands, i.from, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, i.to,
                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region, VK_FILTER_NEAREST);
}

USE(blits_2)
{
    const VkImageBlit2 region = {.sType = VK_STRUCTURE_TYPE_IMAGE_BLIT_2,
                                 .srcSubresource = one_layer,
                                 .srcOffsets = {{0, 0, 0}, {1, 1, 1}},
                                 .dstSubresource = one_layer,
                                 .dstOffsets = {{0, 0, 0}, {1, 1, 1}}};
    const struct images i = add_images(w, VK_SAMPLE_COUNT_1_BIT);
    const VkBlitImageInfo2 info = {.sType = VK_STRUCTURE_TYPE_BLIT_IMAGE_INFO_2,
                                   .srcImage = i.from,
                                   .srcImageLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                                   .dstImage = i.to,
                                   .dstImageLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                   .regionCount = 1,
                                   .pRegions = &region};
    vkCmdBlitImage2(w->commands, &info);
}

USE(resolves)
{
    const VkImageResolve region = {
        .srcSubresource = one_layer, .dstSubresource = one_layer, .extent = {1, 1, 1}};
    const struct images i = add_images(w, VK_SAMPLE_COUNT_4_BIT);
    vkCmdResolveImage(w->commands, i.from, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, i.to,
                      VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
}

USE(resolves_2)
{
    const VkImageResolve2 region = {.sType = VK_STRUCTURE_TYPE_IMAGE_RESOLVE_2,
                                    .srcSubresource = one_layer,
                                    .dstSubresource = one_layer,
                                    .extent = {1, 1, 1}};
    const struct images i = add_images(w, VK_SAMPLE_COUNT_4_BIT);
    const VkResolveImageInfo2 info = {.sType = VK_STRUCTURE_TYPE_RESOLVE_IMAGE_INFO_2,
                                      .srcImage = i.from,
                                      .srcImageLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                                      .dstImage = i.to,
                                      .dstImageLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                      .regionCount = 1,
                                      .pRegions = &region};
    vkCmdResolveImage2(w->commands, &info);
}

USE(clears_of_images)
{
    const VkClearColorValue black = {{0}};
    const VkImageSubresourceRange range = color_range();
    VkImage cleared = add_image(w, VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    transition_victim(w, cleared, VK_IMAGE_LAYOUT_GENERAL);
    vkCmdClearColorImage(w->commands, cleared, VK_IMAGE_LAYOUT_GENERAL, &black, 1, &range);
}

/* --- barriers --- */

static VkBufferMemoryBarrier barrier_of_buffer(VkBuffer of)
{
    return (VkBufferMemoryBarrier){.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                   .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                   .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                   .buffer = of,
                                   .size = VK_WHOLE_SIZE};
}

USE(barriers)
{
    const VkBufferMemoryBarrier of_buffer = barrier_of_buffer(add_buffer(w, DST));
    const VkImageMemoryBarrier of_image =
        image_barrier(add_image(w, VK_IMAGE_USAGE_TRANSFER_DST_BIT), VK_IMAGE_LAYOUT_UNDEFINED,
                      VK_IMAGE_LAYOUT_GENERAL);
    vkCmdPipelineBarrier(w->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 1, &of_buffer, 1,
                         &of_image);
}

/* Points to the two barriers. */
struct dependency {
    VkBufferMemoryBarrier2 of_buffer;
    VkImageMemoryBarrier2 of_image;
    VkDependencyInfo info;
};

static void fill_dependency(struct world *w, struct dependency *d)
{
    d->of_buffer = (VkBufferMemoryBarrier2){.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
                                            .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                            .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                            .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                            .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                            .buffer = add_buffer(w, DST),
                                            .size = VK_WHOLE_SIZE};
    d->of_image = (VkImageMemoryBarrier2){.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                          .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                          .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                          .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                                          .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .image = add_image(w, VK_IMAGE_USAGE_TRANSFER_DST_BIT),
                                          .subresourceRange = color_range()};
    d->info = (VkDependencyInfo){.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                 .bufferMemoryBarrierCount = 1,
                                 .pBufferMemoryBarriers = &d->of_buffer,
                                 .imageMemoryBarrierCount = 1,
                                 .pImageMemoryBarriers = &d->of_image};
}

USE(barriers_2)
{
    struct dependency d;
    fill_dependency(w, &d);
    vkCmdPipelineBarrier2(w->commands, &d.info);
}

USE(waits_for_events)
{
    VkEvent event = make_event(w->b);
    const VkBufferMemoryBarrier of_buffer = barrier_of_buffer(add_buffer(w, DST));
    const VkImageMemoryBarrier of_image =
        image_barrier(add_image(w, VK_IMAGE_USAGE_TRANSFER_DST_BIT), VK_IMAGE_LAYOUT_UNDEFINED,
                      VK_IMAGE_LAYOUT_GENERAL);
    ADD(w, EVENT, event);
    vkCmdSetEvent(w->commands, event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
    vkCmdWaitEvents(w->commands, 1, &event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                    VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, NULL, 1, &of_buffer, 1, &of_image);
}

USE(waits_for_events_2)
{
    struct dependency d;
    VkEvent event = make_event(w->b);
    fill_dependency(w, &d);
    ADD(w, EVENT, event);
    vkCmdSetEvent2(w->commands, event, &d.info);
    vkCmdWaitEvents2(w->commands, 1, &event, &d.info);
}

USE(sets_of_events_2)
{
    struct dependency d;
    VkEvent event = make_event(w->b);
    fill_dependency(w, &d);
    ADD(w, EVENT, event);
    vkCmdSetEvent2(w->commands, event, &d.info);
}

/* --- render passes --- */

USE(render_passes)
{
    VkRenderPass pass = make_render_pass(w->b);
    VkFramebuffer framebuffer =
        make_framebuffer(w->b, pass,
                         add_view(w, add_image(w, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                                      VK_IMAGE_USAGE_TRANSFER_SRC_BIT)));
    const VkRenderPassBeginInfo info = render_pass_begin_info(pass, framebuffer);
    ADD(w, RENDER_PASS, pass);
    ADD(w, FRAMEBUFFER, framebuffer);
    vkCmdBeginRenderPass(w->commands, &info, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdEndRenderPass(w->commands);
}

USE(dynamic_rendering)
{
    VkImage target = add_image(w, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    const VkRenderingAttachmentInfo color = rendering_attachment(add_view(w, target));
    const VkRenderingInfo info = rendering_info(&color);
    transition_victim(w, target, color.imageLayout);
    vkCmdBeginRendering(w->commands, &info);
    vkCmdEndRendering(w->commands);
}

/* --- draws and dispatches --- */

USE(draws)
{
    VkDeviceSize offset = 0;
    VkBuffer vertices = add_buffer(w, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    begin_rendering(w->b, w->commands);
    ADD(w, PIPELINE, bind_graphics(w));
    vkCmdBindVertexBuffers(w->commands, 0, 1, &vertices, &offset);
    vkCmdBindIndexBuffer(w->commands, add_buffer(w, VK_BUFFER_USAGE_INDEX_BUFFER_BIT), 0,
                         VK_INDEX_TYPE_UINT16);
    vkCmdDrawIndexed(w->commands, 3, 1, 0, 0, 0);
    vkCmdEndRenderPass(w->commands);
}

#define INDIRECT VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT

USE(indirect_draws)
{
    begin_rendering(w->b, w->commands);
    bind_graphics(w);
    vkCmdBindIndexBuffer(w->commands, make_buffer(w->b, 64, VK_BUFFER_USAGE_INDEX_BUFFER_BIT), 0,
                         VK_INDEX_TYPE_UINT16);
    vkCmdDrawIndirect(w->commands, add_buffer(w, INDIRECT), 0, 1, 16);
    vkCmdDrawIndexedIndirect(w->commands, add_buffer(w, INDIRECT), 0, 1, 20);
    vkCmdEndRenderPass(w->commands);
}

USE(indirect_draws_with_counts)
{
    begin_rendering(w->b, w->commands);
    bind_graphics(w);
    vkCmdBindIndexBuffer(w->commands, make_buffer(w->b, 64, VK_BUFFER_USAGE_INDEX_BUFFER_BIT), 0,
                         VK_INDEX_TYPE_UINT16);
    vkCmdDrawIndirectCount(w->commands, add_buffer(w, INDIRECT), 0, add_buffer(w, INDIRECT), 0, 1,
                           16);
    vkCmdDrawIndexedIndirectCount(w->commands, add_buffer(w, INDIRECT), 0, add_buffer(w, INDIRECT),
                                  0, 1, 20);
    vkCmdEndRenderPass(w->commands);
}

USE(draws_with_byte_counts)
{
    begin_rendering(w->b, w->commands);
    bind_graphics(w);
    const VkBufferUsageFlags counter = VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT |
                                       VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
    DEVICE_PROC(w->b, vkCmdDrawIndirectByteCountEXT)(w->commands, 1, 0, add_buffer(w, counter), 0,
                                                     0, 4);
    vkCmdEndRenderPass(w->commands);
}

static void begin_mesh_draws(struct world *w, bool victim)
{
    struct baseline *b = w->b;
    struct graphics_pipeline pipeline;
    begin_graphics_pipeline(b, &pipeline, make_empty_pipeline_layout(b), make_render_pass(b));
    const VkPipelineShaderStageCreateInfo stages[2] = {
        stage_info(VK_SHADER_STAGE_MESH_BIT_EXT,
                   make_shader_from(b, spirv_mesh_alone, sizeof(spirv_mesh_alone))),
        stage_info(VK_SHADER_STAGE_FRAGMENT_BIT,
                   make_shader_from(b, spirv_color_in, sizeof(spirv_color_in)))};
    pipeline.info.pStages = stages;
    VkPipeline made = create_graphics_pipeline(b, &pipeline.info);
    if (victim)
        ADD(w, PIPELINE, made);
    begin_rendering(b, w->commands);
    vkCmdBindPipeline(w->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, made);
}

USE(draws_of_meshes)
{
    begin_mesh_draws(w, true);
    DEVICE_PROC(w->b, vkCmdDrawMeshTasksEXT)(w->commands, 1, 1, 1);
    vkCmdEndRenderPass(w->commands);
}

USE(indirect_draws_of_meshes)
{
    begin_mesh_draws(w, false);
    DEVICE_PROC(w->b, vkCmdDrawMeshTasksIndirectEXT)(w->commands, add_buffer(w, INDIRECT), 0, 1,
                                                     12);
    DEVICE_PROC(w->b, vkCmdDrawMeshTasksIndirectCountEXT)
    (w->commands, add_buffer(w, INDIRECT), 0, add_buffer(w, INDIRECT), 0, 1, 12);
    vkCmdEndRenderPass(w->commands);
}

USE(dispatches)
{
    bind_fill(w, true, add_buffer(w, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT));
    vkCmdDispatch(w->commands, 1, 1, 1);
    vkCmdDispatch(w->commands, 1, 1, 1);
    vkCmdDispatchIndirect(w->commands, add_buffer(w, INDIRECT), 0);
}

USE(shader_objects)
{
    struct baseline *b = w->b;
    const VkDescriptorSetLayout set_layout = make_descriptor_set_layout(b);
    VkPipelineLayout layout = make_pipeline_layout(b, set_layout);
    const VkPushConstantRange range = {VK_SHADER_STAGE_ALL, 0, 16};
    const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                        .codeSize = shader_fill_size,
                                        .pCode = shader_fill_code,
                                        .pName = "main",
                                        .setLayoutCount = 1,
                                        .pSetLayouts = &set_layout,
                                        .pushConstantRangeCount = 1,
                                        .pPushConstantRanges = &range};
    const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
    VkDescriptorSet set = make_descriptor_set(b, make_descriptor_pool(b), set_layout);
    VkShaderEXT shader;
    VK(DEVICE_PROC(b, vkCreateShadersEXT)(b->device, 1, &info, NULL, &shader));
    cleanup_add(b, destroy_DestroyShaderEXT, HANDLE(shader));
    ADD(w, SHADER_EXT, shader);
    write_storage_of(w, set, add_buffer(w, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT));
    DEVICE_PROC(b, vkCmdBindShadersEXT)(w->commands, 1, &stage, &shader);
    vkCmdPushConstants(w->commands, layout, VK_SHADER_STAGE_ALL, 0, 4, &zero);
    vkCmdBindDescriptorSets(w->commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                            NULL);
    vkCmdDispatch(w->commands, 1, 1, 1);
}

/* --- descriptors --- */

/* Binding 0 is read, binding 1 written, by one of the shaders of descriptor_contents.glsl. */
static void dispatch_reading(struct world *w, const uint32_t *code, size_t size,
                             VkDescriptorType type, VkWriteDescriptorSet read)
{
    struct baseline *b = w->b;
    const VkDescriptorSetLayoutBinding bindings[2] = {
        {0, type, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    const VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 2,
        .pBindings = bindings};
    const VkDescriptorPoolSize sizes[2] = {{type, 1}, {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}};
    const VkDescriptorPoolCreateInfo pool_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT,
        .maxSets = 1,
        .poolSizeCount = 2,
        .pPoolSizes = sizes};
    VkDescriptorSetLayout set_layout = create_descriptor_set_layout(b, &set_info);
    VkPipelineLayout layout = make_pipeline_layout(b, set_layout);
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_from(b, code, size), layout);
    VkDescriptorSet set = make_descriptor_set(b, create_descriptor_pool(b, &pool_info), set_layout);
    const VkDescriptorBufferInfo result = {make_buffer(b, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
                                           0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet writes[2] = {read, write_buffer(set, &result)};
    writes[0].dstSet = set;
    writes[0].descriptorType = type;
    writes[1].dstBinding = 1;
    vkUpdateDescriptorSets(b->device, 2, writes, 0, NULL);
    vkCmdBindPipeline(w->commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                      create_compute_pipeline(b, &info));
    vkCmdBindDescriptorSets(w->commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                            NULL);
    vkCmdDispatch(w->commands, 1, 1, 1);
}

USE(descriptors_of_images)
{
    VkImage read = add_image(w, VK_IMAGE_USAGE_SAMPLED_BIT);
    VkSampler sampler = make_sampler(w->b);
    const VkDescriptorImageInfo info = {sampler, add_view(w, read), VK_IMAGE_LAYOUT_GENERAL};
    VkWriteDescriptorSet write = write_buffer(VK_NULL_HANDLE, NULL);
    write.pImageInfo = &info;
    ADD(w, SAMPLER, sampler);
    transition_victim(w, read, VK_IMAGE_LAYOUT_GENERAL);
    dispatch_reading(w, spirv_sampled, sizeof(spirv_sampled),
                     VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, write);
}

USE(descriptors_of_texels)
{
    VkBufferViewCreateInfo info =
        buffer_view_info(add_buffer(w, VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT));
    VkBufferView texels = create_buffer_view(w->b, &info);
    VkWriteDescriptorSet write = write_buffer(VK_NULL_HANDLE, NULL);
    write.pTexelBufferView = &texels;
    ADD(w, BUFFER_VIEW, texels);
    dispatch_reading(w, spirv_texels_atomic, sizeof(spirv_texels_atomic),
                     VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, write);
}

USE(descriptors_of_structures)
{
    struct baseline *b = w->b;
    const VkAccelerationStructureCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
        .buffer = add_buffer(w, VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR),
        .size = 4096,
        .type = VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR};
    VkAccelerationStructureKHR structure = create_structure(b, &info);
    const VkWriteDescriptorSetAccelerationStructureKHR written = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR,
        .accelerationStructureCount = 1,
        .pAccelerationStructures = &structure};
    VkWriteDescriptorSet write = write_buffer(VK_NULL_HANDLE, NULL);
    write.pNext = &written;
    ADD(w, ACCELERATION_STRUCTURE_KHR, structure);
    dispatch_reading(w, spirv_traced, sizeof(spirv_traced),
                     VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, write);
}

/* Set 0 with fill.comp's binding, for pushes. */
static VkPipelineLayout bind_pushing(struct world *w)
{
    VkDescriptorSetLayoutCreateInfo info = descriptor_set_layout_info();
    info.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT;
    VkPipelineLayout layout = make_pipeline_layout(w->b, create_descriptor_set_layout(w->b, &info));
    bind_victim(w, make_compute_pipeline(w->b, layout), layout, VK_NULL_HANDLE);
    return layout;
}

USE(pushed_descriptors)
{
    const VkDescriptorBufferInfo info = {add_buffer(w, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), 0,
                                         VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = write_buffer(VK_NULL_HANDLE, &info);
    DEVICE_PROC(w->b, vkCmdPushDescriptorSetKHR)
    (w->commands, VK_PIPELINE_BIND_POINT_COMPUTE, bind_pushing(w), 0, 1, &write);
    vkCmdDispatch(w->commands, 1, 1, 1);
}

USE(pushed_descriptors_of_templates)
{
    const VkDescriptorBufferInfo info = {add_buffer(w, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), 0,
                                         VK_WHOLE_SIZE};
    VkPipelineLayout layout = bind_pushing(w);
    const VkDescriptorUpdateTemplateEntry entry = {
        .descriptorCount = 1, .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
    const VkDescriptorUpdateTemplateCreateInfo template = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 1,
        .pDescriptorUpdateEntries = &entry,
        .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS,
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE,
        .pipelineLayout = layout};
    DEVICE_PROC(w->b, vkCmdPushDescriptorSetWithTemplateKHR)
    (w->commands, create_descriptor_update_template(w->b, &template), layout, 0, &info);
    vkCmdDispatch(w->commands, 1, 1, 1);
}

/* --- queries, conditional rendering, transform feedback, markers --- */

USE(uses_of_queries)
{
    VkQueryPool pool = make_query_pool(w->b), copied = make_query_pool(w->b);
    ADD(w, QUERY_POOL, pool);
    ADD(w, QUERY_POOL, copied);
    vkCmdResetQueryPool(w->commands, pool, 0, 1);
    vkCmdBeginQuery(w->commands, pool, 0, 0);
    vkCmdEndQuery(w->commands, pool, 0);
    vkCmdResetQueryPool(w->commands, copied, 0, 1);
    vkCmdCopyQueryPoolResults(w->commands, copied, 0, 1, add_buffer(w, DST), 0, 4,
                              VK_QUERY_RESULT_PARTIAL_BIT);
}

USE(conditional_rendering)
{
    const VkConditionalRenderingBeginInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
        .buffer = add_buffer(w, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT)};
    DEVICE_PROC(w->b, vkCmdBeginConditionalRenderingEXT)(w->commands, &info);
    DEVICE_PROC(w->b, vkCmdEndConditionalRenderingEXT)(w->commands);
}

USE(transform_feedback_buffers)
{
    VkBuffer bound = add_buffer(w, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT);
    const VkDeviceSize offset = 0;
    DEVICE_PROC(w->b, vkCmdBindTransformFeedbackBuffersEXT)(w->commands, 0, 1, &bound, &offset,
                                                            NULL);
}

USE(markers)
{
    DEVICE_PROC(w->b, vkCmdWriteBufferMarkerAMD)
    (w->commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, add_buffer(w, DST), 0, 1);
}

/* --- acceleration structures --- */

USE(builds)
{
    struct baseline *b = w->b;
    struct structure_build build;
    fill_triangles(b, &build);
    VkAccelerationStructureCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
        .buffer = make_buffer(b, 65536, VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR),
        .size = 65536,
        .type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR};
    build.info.dstAccelerationStructure = create_structure(b, &info);
    ADD(w, BUFFER, info.buffer);
    ADD(w, DEVICE_MEMORY, buffer_memory(b, info.buffer));
    ADD(w, ACCELERATION_STRUCTURE_KHR, build.info.dstAccelerationStructure);
    record_build(b, w->commands, &build);
}

USE(builds_of_nv)
{
    struct baseline *b = w->b;
    const VkAccelerationStructureCreateInfoNV info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_NV,
        .info = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_INFO_NV,
                 .type = VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_NV,
                 .instanceCount = 1}};
    VkAccelerationStructureNV structure = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateAccelerationStructureNV)(b->device, &info, NULL, &structure));
    cleanup_add(b, destroy_DestroyAccelerationStructureNV, HANDLE(structure));
    const VkBindAccelerationStructureMemoryInfoNV bind = {
        .sType = VK_STRUCTURE_TYPE_BIND_ACCELERATION_STRUCTURE_MEMORY_INFO_NV,
        .accelerationStructure = structure,
        .memory = make_memory(b, 65536)};
    DEVICE_PROC(b, vkBindAccelerationStructureMemoryNV)(b->device, 1, &bind);
    const VkBuffer scratch = make_buffer(b, 65536, VK_BUFFER_USAGE_RAY_TRACING_BIT_NV);
    ADD(w, BUFFER, scratch);
    ADD(w, DEVICE_MEMORY, buffer_memory(b, scratch));
    ADD(w, ACCELERATION_STRUCTURE_NV, structure);
    DEVICE_PROC(b, vkCmdBuildAccelerationStructureNV)
    (w->commands, &info.info, add_buffer(w, VK_BUFFER_USAGE_RAY_TRACING_BIT_NV), 0, VK_FALSE,
     structure, VK_NULL_HANDLE, scratch, 0);
}

/* --- in secondaries --- */

static void record_inner(struct world *w)
{
    struct world inner = *w;
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo begin = begin_info();
    begin.pInheritanceInfo = &inheritance;
    inner.commands = make_command_buffer(w->b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VK(vkBeginCommandBuffer(inner.commands, &begin));
    record_copies_of_images(&inner);
    record_dispatches(&inner);
    VK(vkEndCommandBuffer(inner.commands));
    vkCmdExecuteCommands(w->commands, 1, &inner.commands);
    inner.commands = w->commands;
    *w = inner;
}

SCENARIO(secondaries, WORLD, ALLOWED, .settings = {UNLIMITED})
{
    run_matrix(b, record_inner, "VUID-vkQueueSubmit-pCommandBuffers-00072");
}

SCENARIO(secondaries_with_gpu, WORLD, ALLOWED, .settings = {"gpuav_enable=true", UNLIMITED})
{
    run_matrix(b, record_inner, "VUID-vkQueueSubmit-pCommandBuffers-00072");
}

/* --- words --- */

SCENARIO(words_before_the_submit, WORLD, .expect = {"VUID-vkQueueSubmit-pCommandBuffers-00070"},
         .text = {"pSubmits[0].pCommandBuffers[0] is invalid: it uses VkDescriptorSet 0x",
                  ", whose binding 0 refers to VkBufferView 0x", " of VkBuffer 0x",
                  ", whose VkDeviceMemory", " was freed by "})
{
    struct world w = record_use(b, record_descriptors_of_texels);
    destroy_victim(&w, &w.victims[1]);
    (void)submit_use(&w);
}

SCENARIO(words_of_what_is_named, WORLD, .expect = {"VUID-vkQueueSubmit-pCommandBuffers-00070"},
         .text = {"pSubmits[0].pCommandBuffers[0] is invalid: ", "VkBuffer", " was destroyed by ",
                  ", after a command that uses it was recorded"})
{
    struct world w = record_use(b, record_copies_of_buffers);
    destroy_victim(&w, &w.victims[0]);
    (void)submit_use(&w);
}

SCENARIO(words_while_pending, WORLD, .expect = {"VUID-vkFreeMemory-memory-00677"},
         .text = {"memory is used through VkBuffer 0x", " and VkBufferView 0x",
                  " and a descriptor (binding 0 of VkDescriptorSet 0x", ") by VkCommandBuffer 0x"})
{
    struct world w = record_use(b, record_descriptors_of_texels);
    VK(submit_use(&w));
    destroy_FreeMemory(b, w.victims[1].handle);
    VK(vkQueueWaitIdle(b->queue));
}

/* --- what may go: nothing uses it --- */

/* A set that is bound, and no command reads. */
SCENARIO(bound_and_not_read, WORLD)
{
    struct world w = {.b = b, .commands = make_recording(b)};
    VkBuffer unread = make_buffer(b, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    bind_fill(&w, false, unread);
    VK(vkEndCommandBuffer(w.commands));
    VK(submit_use(&w));
    FORGET(b, unread);
    vkDestroyBuffer(b->device, unread, NULL);
    VK(vkQueueWaitIdle(b->queue));
    VK(submit_use(&w));
    VK(vkQueueWaitIdle(b->queue));
}

/* A set that only a dispatch which was refused reads. */
SCENARIO(read_by_what_was_refused, WORLD, .expect = {"VUID-vkCmdDispatch-None-08601"})
{
    struct world w = {.b = b, .commands = make_recording(b)};
    VkDescriptorSetLayout set_layout = make_descriptor_set_layout(b);
    VkPipelineLayout layout = make_pipeline_layout(b, set_layout);
    VkDescriptorSet set = make_descriptor_set(b, make_descriptor_pool(b), set_layout);
    VkBuffer unread = make_buffer(b, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    write_storage_of(&w, set, unread);
    vkCmdBindPipeline(w.commands, VK_PIPELINE_BIND_POINT_COMPUTE, make_compute_pipeline(b, layout));
    vkCmdBindDescriptorSets(w.commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                            NULL);
    vkCmdDispatch(w.commands, 1, 1, 1);
    VK(vkEndCommandBuffer(w.commands));
    VK(submit_use(&w));
    FORGET(b, unread);
    vkDestroyBuffer(b->device, unread, NULL);
    VK(vkQueueWaitIdle(b->queue));
}

/* Views of one image, of which another one is used. */
SCENARIO(other_view_of_the_image, WORLD)
{
    struct world w = {.b = b, .commands = make_recording(b)};
    VkImage target = add_image(&w, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    VkImageView unused = add_view(&w, target);
    const VkRenderingAttachmentInfo color = rendering_attachment(add_view(&w, target));
    const VkRenderingInfo info = rendering_info(&color);
    transition_victim(&w, target, color.imageLayout);
    vkCmdBeginRendering(w.commands, &info);
    vkCmdEndRendering(w.commands);
    VK(vkEndCommandBuffer(w.commands));
    VK(submit_use(&w));
    FORGET(b, unused);
    vkDestroyImageView(b->device, unused, NULL);
    VK(vkQueueWaitIdle(b->queue));
    VK(submit_use(&w));
    VK(vkQueueWaitIdle(b->queue));
}

/* --- draws with what is gone --- */

/* The set refers to what is gone before anything is recorded with it. */
#define GONE_AT_DISPATCH(name_, index_, text_, ...)                                      \
    SCENARIO(name_, WORLD, .expect = {"VUID-vkCmdDispatch-None-08114"}, .text = {text_}, \
             ##__VA_ARGS__)                                                              \
    {                                                                                    \
        struct world w = {.b = b, .commands = make_recording(b)};                        \
        bind_fill(&w, false, add_buffer(&w, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT));        \
        destroy_victim(&w, &w.victims[index_]);                                          \
        vkCmdDispatch(w.commands, 1, 1, 1);                                              \
    }
GONE_AT_DISPATCH(dispatch_of_freed_memory, 1, "refers to VkBuffer 0x")
GONE_AT_DISPATCH(dispatch_of_freed_memory_with_gpu, 1, ", whose VkDeviceMemory",
                 .settings = {"gpuav_enable=true", UNLIMITED})
GONE_AT_DISPATCH(dispatch_of_destroyed_buffer, 0, "refers to a VkBuffer that has been destroyed")

/* In safe mode the command does not reach the driver, whatever the messenger answers: nothing is
 * noted of it. */
SCENARIO(dispatch_of_freed_memory_in_safe_mode, WORLD, .proceed = true,
         .expect = {"VUID-vkCmdDispatch-None-08114"},
         .settings = {"gpuav_enable=true", "gpuav_safe_mode=true"})
{
    struct world w = {.b = b, .commands = make_recording(b)};
    const VkBufferCreateInfo info = buffer_info(64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    VkBuffer written = create_buffer(b, &info);
    VkDeviceMemory memory = make_memory(b, 4096);
    VK(vkBindBufferMemory(b->device, written, memory, 0));
    bind_fill(&w, false, written);
    FORGET(b, memory);
    vkFreeMemory(b->device, memory, NULL);
    vkCmdDispatch(w.commands, 1, 1, 1);
    VK(vkEndCommandBuffer(w.commands));
    VK(submit_use(&w));
    VK(vkQueueWaitIdle(b->queue));
}

/* --- pipelines and shader objects that are gone when a draw would run them --- */

SCENARIO(dispatch_of_destroyed_pipeline, .drivers = NULL_DRIVER,
         .expect = {"VUID-vkCmdDispatch-None-08606"},
         .text = {"is invalid: the bound VkPipeline", " was destroyed"})
{
    struct world w = {.b = b, .commands = make_recording(b)};
    VkPipeline pipeline = make_any_compute_pipeline(b);
    vkCmdBindPipeline(w.commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    FORGET(b, pipeline);
    vkDestroyPipeline(b->device, pipeline, NULL);
    vkCmdDispatch(w.commands, 1, 1, 1);
}

SCENARIO(dispatch_of_destroyed_shader_object, WORLD, .proceed = true,
         .expect = {"VUID-vkCmdDispatch-commandBuffer-recording"},
         .text = {"is invalid: the bound VkShaderEXT", " was destroyed"})
{
    struct world w = {.b = b, .commands = make_recording(b)};
    record_shader_objects(&w);
    const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
    VkShaderEXT shader = (VkShaderEXT)(uintptr_t)w.victims[0].handle;
    DEVICE_PROC(b, vkCmdBindShadersEXT)(w.commands, 1, &stage, &shader);
    destroy_victim(&w, &w.victims[0]);
    vkCmdDispatch(w.commands, 1, 1, 1);
}

/* --- queries that the host resets --- */

SCENARIO(reset_of_pending_queries, WORLD, .expect = {"VUID-vkResetQueryPool-firstQuery-02741"},
         .text = {"firstQuery is 0, and queryCount 4, but query 0 is in use by work"})
{
    struct world w = {.b = b, .commands = make_recording(b)};
    VkQueryPool pool = make_query_pool(b);
    vkCmdResetQueryPool(w.commands, pool, 0, 1);
    VK(vkEndCommandBuffer(w.commands));
    VK(submit_use(&w));
    vkResetQueryPool(b->device, pool, 1, 3); /* of which no pending command knows */
    EXPECT_EQUAL(seen_count(b, NULL), 0);
    vkResetQueryPool(b->device, pool, 0, 4);
    EXPECT_EQUAL(seen_count(b, NULL), 1);
    VK(vkQueueWaitIdle(b->queue));
    vkResetQueryPool(b->device, pool, 0, 4);
}
