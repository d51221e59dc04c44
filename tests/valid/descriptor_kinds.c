/* Descriptors of rarer kinds: mutable ones, inline uniform blocks, descriptor buffers with and
 * without embedded samplers. Others are arrays of which a part is bound, and images with
 * conversions. One dispatch looks at each. */
#include "valid.h"

struct kit {
    VkDescriptorSetLayout set_layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    struct buffer *storage;
};

static void make_kit_layout(struct world *w, struct kit *kit,
                            const VkDescriptorSetLayoutCreateInfo *info,
                            const VkPushConstantRange *range)
{
    MUST(CreateDescriptorSetLayout, w->device, info, NULL, &kit->set_layout);
    OWN(DescriptorSetLayout, kit->set_layout);
    VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                         .setLayoutCount = 1,
                                         .pSetLayouts = &kit->set_layout,
                                         .pushConstantRangeCount = range ? 1 : 0,
                                         .pPushConstantRanges = range ? range : IGNORED};
    MUST(CreatePipelineLayout, w->device, &layout, NULL, &kit->layout);
    OWN(PipelineLayout, kit->layout);
}

static void make_kit_pipeline(struct world *w, struct kit *kit, enum shader shader,
                              VkPipelineCreateFlags flags)
{
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .flags = flags,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = make_module(w, shader),
                  .pName = "main"},
        .layout = kit->layout,
        .basePipelineIndex = PICK(-1, 77)};
    if (ON(maintenance5) && chance(w, 40)) {
        CHAIN(info.pNext, VkPipelineCreateFlags2CreateInfo,
              VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO, .flags = flags);
        info.flags = PICK(0u, 0x7fffffffu);
    }
    MUST(CreateComputePipelines, w->device, VK_NULL_HANDLE, 1, &info, NULL, &kit->pipeline);
    OWN(Pipeline, kit->pipeline);
}

static void make_kit_set(struct world *w, struct kit *kit, const VkDescriptorPoolCreateInfo *info)
{
    MUST(CreateDescriptorPool, w->device, info, NULL, &kit->pool);
    OWN(DescriptorPool, kit->pool);
    VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                            .descriptorPool = kit->pool,
                                            .descriptorSetCount = 1,
                                            .pSetLayouts = &kit->set_layout};
    MUST(AllocateDescriptorSets, w->device, &allocate, &kit->set);
}

static VkWriteDescriptorSet write_of_kit(struct world *w, const struct kit *kit, uint32_t binding,
                                         VkDescriptorType type)
{
    return (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = kit->set,
                                  .dstBinding = binding,
                                  .descriptorCount = 1,
                                  .descriptorType = type,
                                  .pImageInfo = IGNORED,
                                  .pBufferInfo = IGNORED,
                                  .pTexelBufferView = IGNORED};
}

static void write_kit_storage(struct world *w, const struct kit *kit, uint32_t binding)
{
    VkDescriptorBufferInfo buffer = {kit->storage->handle, 0, PICK(VK_WHOLE_SIZE, 64)};
    VkWriteDescriptorSet write = write_of_kit(w, kit, binding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
    write.pBufferInfo = &buffer;
    CALL(UpdateDescriptorSets, w->device, 1, &write, 0, IGNORED);
}

static void bind_and_dispatch(struct record *rec, const struct kit *kit)
{
    struct world *w = rec->w;
    CALL(CmdBindPipeline, rec->c, VK_PIPELINE_BIND_POINT_COMPUTE, kit->pipeline);
    CALL(CmdBindDescriptorSets, rec->c, VK_PIPELINE_BIND_POINT_COMPUTE, kit->layout, 0, 1,
         &kit->set, 0, IGNORED);
    ready(rec, USE(COMPUTE_READ) | USE(COMPUTE_WRITE));
    CALL(CmdDispatch, rec->c, 1, 1, 1);
}

/* --- mutable --- */

static void mutable_descriptors(struct record *rec, struct kit *kit)
{
    struct world *w = rec->w;
    if (!ON(mutableDescriptorType))
        return;
    VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER};
    VkMutableDescriptorTypeListEXT lists[] = {{between(w, 1, 3), types}, {0, IGNORED}};
    VkMutableDescriptorTypeCreateInfoEXT mutable = {
        .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
        .mutableDescriptorTypeListCount = between(w, 1, 2),
        .pMutableDescriptorTypeLists = lists};
    VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {5, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 2, VK_SHADER_STAGE_COMPUTE_BIT, IGNORED}};
    VkDescriptorSetLayoutCreateInfo info = {.sType =
                                                VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .pNext = &mutable,
                                            .bindingCount = between(w, 1, 2),
                                            .pBindings = bindings};
    bool host = chance(w, 20);
    make_kit_layout(w, kit, &info, NULL);
    VkMutableDescriptorTypeListEXT pool_lists[] = {{3, types}, {0, IGNORED}};
    VkMutableDescriptorTypeCreateInfoEXT pool_mutable = {
        .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
        .mutableDescriptorTypeListCount = 1,
        .pMutableDescriptorTypeLists = pool_lists};
    VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 1},
                                    {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 2}};
    VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .pNext = chance(w, 50) ? &pool_mutable : NULL,
                                       .maxSets = 1,
                                       .poolSizeCount = 2,
                                       .pPoolSizes = sizes};
    make_kit_set(w, kit, &pool);
    if (lists[0].descriptorTypeCount > 2 && chance(w, 50)) { /* something else first */
        struct buffer *uniform = make_buffer(w, 64, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, false);
        VkDescriptorBufferInfo buffer = {uniform->handle, 0, 64};
        VkWriteDescriptorSet write = write_of_kit(w, kit, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
        write.pBufferInfo = &buffer;
        CALL(UpdateDescriptorSets, w->device, 1, &write, 0, IGNORED);
    }
    write_kit_storage(w, kit, 0);
    if (host) { /* and over a set that only the host has */
        VkDescriptorSetLayout layout = kit->set_layout;
        struct kit other = *kit;
        pool.flags = VK_DESCRIPTOR_POOL_CREATE_HOST_ONLY_BIT_EXT;
        info.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_HOST_ONLY_POOL_BIT_EXT;
        MUST(CreateDescriptorSetLayout, w->device, &info, NULL, &other.set_layout);
        OWN(DescriptorSetLayout, other.set_layout);
        make_kit_set(w, &other, &pool);
        write_kit_storage(w, &other, 0);
        VkCopyDescriptorSet copy = {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                    .srcSet = other.set,
                                    .dstSet = kit->set,
                                    .descriptorCount = 1};
        CALL(UpdateDescriptorSets, w->device, 0, IGNORED, 1, &copy);
        kit->set_layout = layout;
    }
    make_kit_pipeline(w, kit, SHADER_fill_comp, 0);
    bind_and_dispatch(rec, kit);
}

/* --- inline --- */

static void inline_blocks(struct record *rec, struct kit *kit)
{
    struct world *w = rec->w;
    if (!ON(inlineUniformBlock))
        return;
    VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, PICK(16u, 32u, 256u),
         VK_SHADER_STAGE_COMPUTE_BIT, IGNORED},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, IGNORED}};
    VkDescriptorSetLayoutCreateInfo info = {.sType =
                                                VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .bindingCount = 2,
                                            .pBindings = bindings};
    make_kit_layout(w, kit, &info, NULL);
    VkDescriptorPoolSize sizes[] = {
        {VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, bindings[0].descriptorCount},
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}};
    VkDescriptorPoolInlineUniformBlockCreateInfo blocks = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO,
        .maxInlineUniformBlockBindings = 1};
    VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .pNext = &blocks,
                                       .maxSets = 1,
                                       .poolSizeCount = 2,
                                       .pPoolSizes = sizes};
    make_kit_set(w, kit, &pool);
    uint32_t at = 0, whole = bindings[0].descriptorCount;
    while (at < whole) { /* in one piece, or in several */
        uint32_t size = chance(w, 60) ? whole - at : 4 * between(w, 1, (whole - at) / 4);
        VkWriteDescriptorSetInlineUniformBlock data = {
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK,
            .dataSize = size,
            .pData = temporary(w, size)};
        VkWriteDescriptorSet write =
            write_of_kit(w, kit, 0, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK);
        write.pNext = &data;
        write.dstArrayElement = at;
        write.descriptorCount = size;
        CALL(UpdateDescriptorSets, w->device, 1, &write, 0, IGNORED);
        at += size;
    }
    write_kit_storage(w, kit, 1);
    make_kit_pipeline(w, kit, SHADER_inline_comp, 0);
    bind_and_dispatch(rec, kit);
}

/* --- arrays of which a part is there --- */

static void partial_arrays(struct record *rec, struct kit *kit)
{
    struct world *w = rec->w;
    if (!ON(descriptorBindingPartiallyBound) || !ON(shaderStorageBufferArrayDynamicIndexing))
        return;
    bool variable = ON(descriptorBindingVariableDescriptorCount) && chance(w, 50);
    VkDescriptorBindingFlags flags =
        VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT |
        (variable ? VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT : 0) |
        (ON(descriptorBindingUpdateUnusedWhilePending)
             ? VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT
             : 0);
    VkDescriptorSetLayoutBindingFlagsCreateInfo binding_flags = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = 1,
        .pBindingFlags = &flags};
    VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, variable ? 9 : 4,
                                            VK_SHADER_STAGE_COMPUTE_BIT, IGNORED};
    VkDescriptorSetLayoutCreateInfo info = {.sType =
                                                VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .pNext = &binding_flags,
                                            .bindingCount = 1,
                                            .pBindings = &binding};
    VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
    make_kit_layout(w, kit, &info, &range);
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 9};
    VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .maxSets = 1,
                                       .poolSizeCount = 1,
                                       .pPoolSizes = &size};
    MUST(CreateDescriptorPool, w->device, &pool, NULL, &kit->pool);
    OWN(DescriptorPool, kit->pool);
    uint32_t count = between(w, 4, 9), element = below(w, 4);
    VkDescriptorSetVariableDescriptorCountAllocateInfo counts = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO,
        .descriptorSetCount = 1,
        .pDescriptorCounts = &count};
    VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                            .pNext = variable ? &counts : NULL,
                                            .descriptorPool = kit->pool,
                                            .descriptorSetCount = 1,
                                            .pSetLayouts = &kit->set_layout};
    MUST(AllocateDescriptorSets, w->device, &allocate, &kit->set);
    VkDescriptorBufferInfo buffer = {kit->storage->handle, 0, 64};
    VkWriteDescriptorSet write = write_of_kit(w, kit, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
    write.dstArrayElement = element;
    write.pBufferInfo = &buffer;
    CALL(UpdateDescriptorSets, w->device, 1, &write, 0, IGNORED);
    make_kit_pipeline(w, kit, SHADER_array_comp, 0);
    CALL(CmdPushConstants, rec->c, kit->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &element);
    bind_and_dispatch(rec, kit);
}

/* --- descriptor buffers --- */

static void descriptor_buffers(struct record *rec, struct kit *kit)
{
    struct world *w = rec->w;
    VkPhysicalDeviceDescriptorBufferPropertiesEXT properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT};
    if (!ON(descriptorBuffer) || !ON(bufferDeviceAddress) || !properties_of(w, &properties))
        return;
    bool embedded = chance(w, 30);
    VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                            VK_SHADER_STAGE_COMPUTE_BIT, IGNORED};
    VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT,
        .bindingCount = 1,
        .pBindings = &binding};
    VkDescriptorSetLayout layouts[2] = {VK_NULL_HANDLE};
    MUST(CreateDescriptorSetLayout, w->device, &info, NULL, &layouts[0]);
    OWN(DescriptorSetLayout, layouts[0]);
    if (embedded) {
        VkSampler sampler = make_sampler(w);
        VkDescriptorSetLayoutBinding with = {3, VK_DESCRIPTOR_TYPE_SAMPLER, 1,
                                             VK_SHADER_STAGE_COMPUTE_BIT, &sampler};
        info.flags |= VK_DESCRIPTOR_SET_LAYOUT_CREATE_EMBEDDED_IMMUTABLE_SAMPLERS_BIT_EXT;
        info.pBindings = &with;
        MUST(CreateDescriptorSetLayout, w->device, &info, NULL, &layouts[1]);
        OWN(DescriptorSetLayout, layouts[1]);
    }
    VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                         .setLayoutCount = embedded ? 2 : 1,
                                         .pSetLayouts = layouts,
                                         .pPushConstantRanges = IGNORED};
    MUST(CreatePipelineLayout, w->device, &layout, NULL, &kit->layout);
    OWN(PipelineLayout, kit->layout);
    VkDeviceSize size = 0, place = 0, align = properties.descriptorBufferOffsetAlignment;
    CALL(GetDescriptorSetLayoutSizeEXT, w->device, layouts[0], &size);
    CALL(GetDescriptorSetLayoutBindingOffsetEXT, w->device, layouts[0], 0, &place);
    size = (size + align - 1) / align * align;
    uint32_t slot = below(w, 3);
    struct buffer *buffer = make_buffer(w, size * 3,
                                        VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT |
                                            VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                                        true);
    struct buffer *storage =
        make_buffer(w, 64,
                    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                    false);
    if (buffer->address % align)
        return;
    void *mapped = NULL;
    MUST(MapMemory, w->device, buffer->memory, 0, VK_WHOLE_SIZE, 0, &mapped);
    VkDescriptorAddressInfoEXT address = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT,
                                          .address = storage->address,
                                          .range = PICK(64, 16),
                                          .format = VK_FORMAT_UNDEFINED};
    VkDescriptorGetInfoEXT get = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT,
                                  .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                  .data.pStorageBuffer =
                                      ON(nullDescriptor) && chance(w, 20) ? NULL : &address};
    CALL(GetDescriptorEXT, w->device, &get, properties.storageBufferDescriptorSize,
         (char *)mapped + buffer->offset + size * slot + place);
    CALL(UnmapMemory, w->device, buffer->memory);
    make_kit_pipeline(w, kit, SHADER_fill_comp, VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT);
    VkDescriptorBufferBindingInfoEXT bind = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT,
        .address = buffer->address,
        .usage = buffer->usage};
    if (ON(maintenance5) && chance(w, 30)) {
        CHAIN(bind.pNext, VkBufferUsageFlags2CreateInfo,
              VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO, .usage = buffer->usage);
        bind.usage = PICK(0u, 0x7fffffffu);
    }
    CALL(CmdBindDescriptorBuffersEXT, rec->c, 1, &bind);
    uint32_t number = 0;
    VkDeviceSize offset = size * slot;
    VkSetDescriptorBufferOffsetsInfoEXT offsets = {
        .sType = VK_STRUCTURE_TYPE_SET_DESCRIPTOR_BUFFER_OFFSETS_INFO_EXT,
        .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
        .layout = kit->layout,
        .setCount = 1,
        .pBufferIndices = &number,
        .pOffsets = &offset};
    if (ON(maintenance6) && THERE(CmdSetDescriptorBufferOffsets2EXT) && chance(w, 50))
        CALL(CmdSetDescriptorBufferOffsets2EXT, rec->c, &offsets);
    else
        CALL(CmdSetDescriptorBufferOffsetsEXT, rec->c, VK_PIPELINE_BIND_POINT_COMPUTE, kit->layout,
             0, 1, &number, &offset);
    VkBindDescriptorBufferEmbeddedSamplersInfoEXT samplers = {
        .sType = VK_STRUCTURE_TYPE_BIND_DESCRIPTOR_BUFFER_EMBEDDED_SAMPLERS_INFO_EXT,
        .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
        .layout = kit->layout,
        .set = 1};
    if (embedded && ON(maintenance6) && THERE(CmdBindDescriptorBufferEmbeddedSamplers2EXT) &&
        chance(w, 50))
        CALL(CmdBindDescriptorBufferEmbeddedSamplers2EXT, rec->c, &samplers);
    else if (embedded)
        CALL(CmdBindDescriptorBufferEmbeddedSamplersEXT, rec->c, VK_PIPELINE_BIND_POINT_COMPUTE,
             kit->layout, 1);
    CALL(CmdBindPipeline, rec->c, VK_PIPELINE_BIND_POINT_COMPUTE, kit->pipeline);
    ready(rec, USE(COMPUTE_READ) | USE(COMPUTE_WRITE));
    CALL(CmdDispatch, rec->c, between(w, 0, 2), 1, 1);
}

/* --- conversions --- */

static void converted_images(struct record *rec, struct kit *kit)
{
    struct world *w = rec->w;
    const struct format *format = any_format(w, "y",
                                             VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT |
                                                 VK_FORMAT_FEATURE_COSITED_CHROMA_SAMPLES_BIT);
    if (!format || !ON(samplerYcbcrConversion))
        return;
    VkImageCreateInfo image_of = image_info(format->format, 16, 8, VK_IMAGE_USAGE_SAMPLED_BIT);
    image_of.arrayLayers = ON(ycbcrImageArrays) ? between(w, 1, 2) : 1;
    struct image *image = make_image(w, &image_of);
    if (!image)
        return;
    VkSamplerYcbcrConversionCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO,
        .format = format->format,
        .ycbcrModel = PICK(VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709,
                           VK_SAMPLER_YCBCR_MODEL_CONVERSION_RGB_IDENTITY),
        .ycbcrRange = VK_SAMPLER_YCBCR_RANGE_ITU_FULL,
        .xChromaOffset = VK_CHROMA_LOCATION_COSITED_EVEN,
        .yChromaOffset = VK_CHROMA_LOCATION_COSITED_EVEN};
    VkSamplerYcbcrConversion conversion = VK_NULL_HANDLE;
    MUST(CreateSamplerYcbcrConversion, w->device, &create, NULL, &conversion);
    OWN(SamplerYcbcrConversion, conversion);
    VkSamplerYcbcrConversionInfo chained = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO, .conversion = conversion};
    VkSamplerCreateInfo sampler_of = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                      .pNext = &chained,
                                      .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                      .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                      .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE};
    VkSampler sampler = VK_NULL_HANDLE;
    MUST(CreateSampler, w->device, &sampler_of, NULL, &sampler);
    OWN(Sampler, sampler);
    VkImageViewCreateInfo view_of =
        view_info(image, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT);
    view_of.pNext = &chained;
    view_of.subresourceRange.baseArrayLayer = image_of.arrayLayers - 1;
    VkImageView view = make_view_of(w, &view_of);
    VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_COMPUTE_BIT, &sampler},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, IGNORED}};
    VkDescriptorSetLayoutCreateInfo info = {.sType =
                                                VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .bindingCount = 2,
                                            .pBindings = bindings};
    make_kit_layout(w, kit, &info, NULL);
    VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 3},
                                    {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}};
    VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .maxSets = 1,
                                       .poolSizeCount = 2,
                                       .pPoolSizes = sizes};
    make_kit_set(w, kit, &pool);
    VkImageLayout layout = PICK(VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL);
    VkDescriptorImageInfo sampled = {
        chance(w, 50) ? sampler : (VkSampler)(uintptr_t)PICK(0u, 0xdead0011u), view, layout};
    VkWriteDescriptorSet write = write_of_kit(w, kit, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
    write.pImageInfo = &sampled;
    CALL(UpdateDescriptorSets, w->device, 1, &write, 0, IGNORED);
    write_kit_storage(w, kit, 1);
    make_kit_pipeline(w, kit, SHADER_sampled_comp, 0);
    needs_layout(rec, image, layout);
    bind_and_dispatch(rec, kit);
}

void step_descriptor_kinds(struct world *w)
{
    static void (*const parts[])(struct record *, struct kit *) = {
        mutable_descriptors, inline_blocks, partial_arrays, descriptor_buffers, converted_images};
    struct record *rec = record_begin(w, any_queue(w, VK_QUEUE_COMPUTE_BIT));
    for (uint32_t i = between(w, 1, 3); i > 0; i--) {
        struct kit *kit = NEW(struct kit, VK_NULL_HANDLE);
        kit->storage = make_buffer(w, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, false);
        PICK_OF(parts)(rec, kit);
    }
    record_finish(rec);
}
