/* Tools and engines ask and say this beside their work: names, tags and labels, private data,
 * caches, what would be supported, clocks. */
#include "valid.h"

#define INSTANCE_PROC(name_) ((PFN_vk##name_)vkGetInstanceProcAddr(w->instance, "vk" #name_))

static void name_objects(struct world *w)
{
    PFN_vkSetDebugUtilsObjectNameEXT set_name = INSTANCE_PROC(SetDebugUtilsObjectNameEXT);
    PFN_vkSetDebugUtilsObjectTagEXT set_tag = INSTANCE_PROC(SetDebugUtilsObjectTagEXT);
    struct buffer *buffer = make_buffer(w, 64, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, false);
    VkDebugUtilsObjectNameInfoEXT names[] = {
        {VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, NULL, VK_OBJECT_TYPE_BUFFER,
         U64(buffer->handle), "a buffer"},
        {VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, NULL, VK_OBJECT_TYPE_BUFFER,
         U64(buffer->handle), NULL},
        {VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, NULL, VK_OBJECT_TYPE_DEVICE,
         U64(w->device), ""},
        {VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, NULL, VK_OBJECT_TYPE_QUEUE,
         U64(w->queues[0].handle), "\xc3\xbc"},
        {VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, NULL, VK_OBJECT_TYPE_DEVICE_MEMORY,
         U64(buffer->memory), "m"},
        {VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, NULL, VK_OBJECT_TYPE_PHYSICAL_DEVICE,
         U64(w->physical_device), "p"},
        {VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, NULL, VK_OBJECT_TYPE_INSTANCE,
         U64(w->instance), "i"}};
    for (uint32_t i = between(w, 1, 4); i > 0; i--) {
        const VkDebugUtilsObjectNameInfoEXT *name = &names[below(w, LENGTH(names))];
        note_call(w, "vkSetDebugUtilsObjectNameEXT", "", __FILE__, __LINE__);
        if (set_name(w->device, name) != VK_SUCCESS)
            fail(w, "an object got no name");
    }
    uint8_t bytes[3] = {1, 2, 3};
    VkDebugUtilsObjectTagInfoEXT tag = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_TAG_INFO_EXT,
                                        .objectType = VK_OBJECT_TYPE_BUFFER,
                                        .objectHandle = U64(buffer->handle),
                                        .tagName = PICK(0, 77),
                                        .tagSize = between(w, 1, 3),
                                        .pTag = bytes};
    (void)set_tag(w->device, &tag);
}

/* Regions on a queue may begin in one command buffer and end in another. */
static void label_work(struct world *w)
{
    PFN_vkQueueBeginDebugUtilsLabelEXT queue_begin = INSTANCE_PROC(QueueBeginDebugUtilsLabelEXT);
    PFN_vkQueueEndDebugUtilsLabelEXT queue_end = INSTANCE_PROC(QueueEndDebugUtilsLabelEXT);
    PFN_vkCmdBeginDebugUtilsLabelEXT begin = INSTANCE_PROC(CmdBeginDebugUtilsLabelEXT);
    PFN_vkCmdEndDebugUtilsLabelEXT end = INSTANCE_PROC(CmdEndDebugUtilsLabelEXT);
    PFN_vkCmdInsertDebugUtilsLabelEXT insert = INSTANCE_PROC(CmdInsertDebugUtilsLabelEXT);
    VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                  .pLabelName = PICK("", "part")};
    const struct queue *queue = &w->queues[below(w, w->queue_count)];
    note_call(w, "labels", "", __FILE__, __LINE__);
    queue_begin(queue->handle, &label);
    bool over = chance(w, 50);
    for (uint32_t i = 0; i < 2; i++) {
        struct record *rec = record_begin(w, queue);
        rec->once = true;
        if (i == 0 || !over)
            begin(rec->c, &label);
        insert(rec->c, &label);
        if (i == 1 || !over)
            end(rec->c);
        record_finish(rec);
    }
    queue_end(queue->handle);
}

static void private_data(struct world *w)
{
    if (!ON(privateData))
        return;
    VkPrivateDataSlotCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO};
    VkPrivateDataSlot slot = VK_NULL_HANDLE;
    MUST(CreatePrivateDataSlot, w->device, &info, NULL, &slot);
    OWN(PrivateDataSlot, slot);
    VkSampler sampler = make_sampler(w);
    uint64_t data = 77;
    if (chance(w, 50))
        MUST(SetPrivateData, w->device, VK_OBJECT_TYPE_SAMPLER, U64(sampler), slot, 5);
    CALL(GetPrivateData, w->device, VK_OBJECT_TYPE_SAMPLER, U64(sampler), slot, &data);
    if (data != 0 && data != 5)
        fail(w, "the private data are %llu", (unsigned long long)data);
    MUST(SetPrivateData, w->device, VK_OBJECT_TYPE_DEVICE, U64(w->device), slot, 9);
}

static void merge_tool_caches(struct world *w)
{
    VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
                                      .pInitialData = IGNORED};
    VkPipelineCache cache[2] = {VK_NULL_HANDLE};
    if (ON(pipelineCreationCacheControl) && chance(w, 30))
        info.flags = VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT;
    for (unsigned i = 0; i < 2; i++) {
        MUST(CreatePipelineCache, w->device, &info, NULL, &cache[i]);
        OWN(PipelineCache, cache[i]);
    }
    size_t size = 0;
    MUST(GetPipelineCacheData, w->device, cache[0], &size, NULL);
    if (size && size < 65536) {
        void *data = temporary(w, size);
        size_t given = chance(w, 30) ? 0 : size;
        VkResult result = CALL(GetPipelineCacheData, w->device, cache[0], &given, data);
        if (result == VK_SUCCESS && given) {
            VkPipelineCacheCreateInfo again = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
                                               .initialDataSize = given,
                                               .pInitialData = data};
            VkPipelineCache third = VK_NULL_HANDLE;
            MUST(CreatePipelineCache, w->device, &again, NULL, &third);
            OWN(PipelineCache, third);
        }
    }
    MUST(MergePipelineCaches, w->device, cache[0], 1, &cache[1]);
}

static void ask_layout_support(struct world *w)
{
    VkDescriptorSetLayoutBinding bindings[] = {
        {7, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 3, VK_SHADER_STAGE_ALL, IGNORED},
        {1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, PICK(0u, 1u), VK_SHADER_STAGE_VERTEX_BIT, IGNORED},
        {0, VK_DESCRIPTOR_TYPE_SAMPLER, 2, 0, NULL}};
    VkDescriptorSetLayoutCreateInfo info = {.sType =
                                                VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .bindingCount = between(w, 1, 3),
                                            .pBindings = bindings};
    VkDescriptorSetVariableDescriptorCountLayoutSupport most = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_LAYOUT_SUPPORT};
    VkDescriptorSetLayoutSupport answer = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT,
        .pNext =
            has_either(w, 12, EXTENSION_EXT_descriptor_indexing) && chance(w, 50) ? &most : NULL};
    if (has_either(w, 11, EXTENSION_KHR_maintenance3))
        CALL(GetDescriptorSetLayoutSupport, w->device, &info, &answer);
    VkAttachmentDescription attachment = {.format = VK_FORMAT_R8G8B8A8_UNORM,
                                          .samples = VK_SAMPLE_COUNT_1_BIT,
                                          .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                          .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
                                          .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
    VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_GENERAL};
    VkSubpassDescription subpass = {.colorAttachmentCount = 1, .pColorAttachments = &color};
    VkRenderPassCreateInfo pass_info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                        .attachmentCount = 1,
                                        .pAttachments = &attachment,
                                        .subpassCount = 1,
                                        .pSubpasses = &subpass,
                                        .pDependencies = IGNORED};
    VkRenderPass pass = VK_NULL_HANDLE;
    MUST(CreateRenderPass, w->device, &pass_info, NULL, &pass);
    OWN(RenderPass, pass);
    VkExtent2D grain;
    CALL(GetRenderAreaGranularity, w->device, pass, &grain);
    if (ON(maintenance5)) {
        VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
        VkRenderingAreaInfo area = {.sType = VK_STRUCTURE_TYPE_RENDERING_AREA_INFO,
                                    .colorAttachmentCount = 1,
                                    .pColorAttachmentFormats = &format};
        CALL(GetRenderingAreaGranularity, w->device, &area, &grain);
        VkImageCreateInfo image =
            image_info(VK_FORMAT_R8G8B8A8_UNORM, 16, 16, VK_IMAGE_USAGE_SAMPLED_BIT);
        VkImageSubresource2 subresource = {.sType = VK_STRUCTURE_TYPE_IMAGE_SUBRESOURCE_2,
                                           .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0}};
        VkDeviceImageSubresourceInfo of = {.sType = VK_STRUCTURE_TYPE_DEVICE_IMAGE_SUBRESOURCE_INFO,
                                           .pCreateInfo = &image,
                                           .pSubresource = &subresource};
        VkSubresourceLayout2 layout = {.sType = VK_STRUCTURE_TYPE_SUBRESOURCE_LAYOUT_2};
        image.pQueueFamilyIndices = IGNORED;
        CALL(GetDeviceImageSubresourceLayout, w->device, &of, &layout);
    }
}

static void ask_clocks(struct world *w)
{
    if (!HAS(KHR_calibrated_timestamps) && !HAS(EXT_calibrated_timestamps))
        return;
    VkCalibratedTimestampInfoKHR info = {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_KHR,
                                         .timeDomain = VK_TIME_DOMAIN_DEVICE_KHR};
    uint64_t stamp, deviation;
    MUST(GetCalibratedTimestampsKHR, w->device, 1, &info, &stamp, &deviation);
}

/* Linear images can be mapped, and begin as the host filled them. */
static void linear_image(struct world *w)
{
    VkImageCreateInfo info = image_info(VK_FORMAT_R8G8B8A8_UNORM, between(w, 1, 60),
                                        between(w, 1, 60), VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    info.tiling = VK_IMAGE_TILING_LINEAR;
    info.initialLayout = PICK(VK_IMAGE_LAYOUT_PREINITIALIZED, VK_IMAGE_LAYOUT_UNDEFINED);
    struct image *image = make_image(w, &info);
    if (!image)
        return;
    VkImageSubresource subresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0};
    VkSubresourceLayout layout;
    CALL(GetImageSubresourceLayout, w->device, image->handle, &subresource, &layout);
    struct buffer *buffer = make_buffer(w, 60 * 60 * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT, true);
    struct record *rec = record_begin(w, any_queue(w, VK_QUEUE_GRAPHICS_BIT));
    rec->once = true;
    VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                .imageExtent = info.extent};
    needs_layout(rec, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    ready(rec, USE(COPY_READ) | USE(COPY_WRITE));
    CALL(CmdCopyImageToBuffer, rec->c, image->handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
         buffer->handle, 1, &region);
    record_finish(rec);
}

void step_tools(struct world *w)
{
    static void (*const parts[])(struct world *) = {
        name_objects,       label_work, private_data, merge_tool_caches,
        ask_layout_support, ask_clocks, linear_image};
    for (uint32_t i = between(w, 1, 4); i > 0; i--)
        PICK_OF(parts)(w);
}
