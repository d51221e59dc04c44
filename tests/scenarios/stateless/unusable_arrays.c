/* Calls whose arrays are missing or too short, or whose handles are none where the driver follows
 * them. They are reported, and do not reach the driver, whatever the callback answers. lavapipe
 * crashes on each of them. */
#include "scenario.h"

#define HEEDLESS .proceed = true, .ours_only = true

/* --- descriptor writes --- */

#define WRITE(name_) "VUID-VkWriteDescriptorSet-" name_
#define UPDATE       "VUID-vkUpdateDescriptorSets-pDescriptorWrites-06493"
#define PUSH         "VUID-vkCmdPushDescriptorSet-pDescriptorWrites-06494"

static const VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceInlineUniformBlockFeatures inline_blocks = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INLINE_UNIFORM_BLOCK_FEATURES,
    .pNext = (void *)&addresses,
    .inlineUniformBlock = VK_TRUE};
static const VkPhysicalDeviceAccelerationStructureFeaturesKHR structures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
    .pNext = (void *)&inline_blocks,
    .accelerationStructure = VK_TRUE};
#define WORLD                                                                              \
    HEEDLESS, .features = &structures,                                                     \
        .extensions = {"VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations", \
                       "VK_KHR_push_descriptor"}

static VkDescriptorSetLayout layout_of_unusable(struct baseline *b, VkDescriptorType type,
                                                VkDescriptorSetLayoutCreateFlags flags,
                                                const VkSampler *immutable)
{
    const VkDescriptorSetLayoutBinding binding = {
        .descriptorType = type,
        .descriptorCount = type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK ? 16 : 1,
        .stageFlags = type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT ? VK_SHADER_STAGE_FRAGMENT_BIT
                                                                  : VK_SHADER_STAGE_COMPUTE_BIT,
        .pImmutableSamplers = immutable};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = flags,
        .bindingCount = 1,
        .pBindings = &binding};
    return create_descriptor_set_layout(b, &info);
}

static VkDescriptorSet set_of_unusable(struct baseline *b, VkDescriptorType type)
{
    const VkDescriptorPoolSize size = {type, 64};
    const VkDescriptorPoolInlineUniformBlockCreateInfo blocks = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO,
        .maxInlineUniformBlockBindings = 8};
    VkDescriptorPoolCreateInfo pool = descriptor_pool_info();
    pool.pNext = type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK ? &blocks : NULL;
    pool.poolSizeCount = 1;
    pool.pPoolSizes = &size;
    return make_descriptor_set(b, create_descriptor_pool(b, &pool),
                               layout_of_unusable(b, type, 0, NULL));
}

static VkWriteDescriptorSet write_of_unusable(VkDescriptorSet set, VkDescriptorType type)
{
    return (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = set,
                                  .descriptorCount =
                                      type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK ? 16 : 1,
                                  .descriptorType = type};
}

/* The write without data does not go down; the good one beside it arrives. */
static void update_nothing(struct baseline *b, VkDescriptorType type)
{
    const VkDescriptorBufferInfo info = {make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), 0,
                                         VK_WHOLE_SIZE};
    VkDescriptorSet good = set_of_unusable(b, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
    const VkWriteDescriptorSet writes[] = {write_of_unusable(set_of_unusable(b, type), type),
                                           write_buffer(good, &info)};
    vkUpdateDescriptorSets(b->device, 2, writes, 0, NULL);
}

static void push_write(struct baseline *b, VkWriteDescriptorSet write, const VkSampler *immutable)
{
    VkPipelineLayout layout =
        make_pipeline_layout(b,
                             layout_of_unusable(b, write.descriptorType,
                                                VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT,
                                                immutable));
    DEVICE_PROC(b, vkCmdPushDescriptorSetKHR)
    (make_recording(b), VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &write);
}

#define NOTHING(name_, type_, updated_, pushed_)                      \
    SCENARIO(update_##name_, WORLD, .expect = {updated_})             \
    {                                                                 \
        update_nothing(b, VK_DESCRIPTOR_TYPE_##type_);                \
    }                                                                 \
    SCENARIO(push_##name_, WORLD, .expect = {pushed_})                \
    {                                                                 \
        VkDescriptorType type = VK_DESCRIPTOR_TYPE_##type_;           \
        push_write(b, write_of_unusable(VK_NULL_HANDLE, type), NULL); \
    }
NOTHING(no_samplers, SAMPLER, UPDATE, PUSH)
NOTHING(no_combined, COMBINED_IMAGE_SAMPLER, UPDATE, PUSH)
NOTHING(no_sampled, SAMPLED_IMAGE, UPDATE, PUSH)
NOTHING(no_stored, STORAGE_IMAGE, UPDATE, PUSH)
NOTHING(no_uniform_texels, UNIFORM_TEXEL_BUFFER, WRITE("descriptorType-02994"),
        WRITE("descriptorType-02994"))
NOTHING(no_storage_texels, STORAGE_TEXEL_BUFFER, WRITE("descriptorType-02994"),
        WRITE("descriptorType-02994"))
NOTHING(no_uniform_buffer, UNIFORM_BUFFER, WRITE("descriptorType-00324"),
        WRITE("descriptorType-00324"))
NOTHING(no_storage_buffer, STORAGE_BUFFER, WRITE("descriptorType-00324"),
        WRITE("descriptorType-00324"))
NOTHING(no_structures, ACCELERATION_STRUCTURE_KHR, WRITE("descriptorType-02382"),
        WRITE("descriptorType-02382"))

SCENARIO(update_no_dynamic_buffer, WORLD, .expect = {WRITE("descriptorType-00324")})
{
    update_nothing(b, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC);
}

SCENARIO(update_no_input, WORLD, .expect = {UPDATE})
{
    update_nothing(b, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT);
}

SCENARIO(update_no_bytes, WORLD, .expect = {WRITE("descriptorType-02221")})
{
    update_nothing(b, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK);
}

SCENARIO(update_few_bytes, WORLD, .expect = {WRITE("descriptorType-02221")})
{
    const uint32_t word = 1;
    const VkWriteDescriptorSetInlineUniformBlock block = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK,
        .dataSize = 4,
        .pData = &word};
    VkDescriptorType type = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
    VkWriteDescriptorSet write = write_of_unusable(set_of_unusable(b, type), type);
    write.pNext = &block;
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

SCENARIO(update_no_set, WORLD, .expect = {WRITE("dstSet-00320")},
         .text = {
             "pDescriptorWrites[0].dstSet is VK_NULL_HANDLE; the driver does not see this element"})
{
    const VkDescriptorBufferInfo info = {make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), 0,
                                         VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = write_buffer(VK_NULL_HANDLE, &info);
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

static VkDescriptorImageInfo image_without_sampler(struct baseline *b)
{
    VkImageViewCreateInfo view = image_view_info(make_image(b, VK_IMAGE_USAGE_SAMPLED_BIT));
    return (VkDescriptorImageInfo){VK_NULL_HANDLE, create_image_view(b, &view),
                                   VK_IMAGE_LAYOUT_GENERAL};
}

#define NO_SAMPLER(name_, type_)                                                          \
    SCENARIO(update_##name_, WORLD, .expect = {WRITE("descriptorType-00325")},            \
             .text = {"pDescriptorWrites[0].pImageInfo[0].sampler is VK_NULL_HANDLE"})    \
    {                                                                                     \
        const VkDescriptorImageInfo info = image_without_sampler(b);                      \
        VkWriteDescriptorSet write = write_of_unusable(set_of_unusable(b, type_), type_); \
        write.pImageInfo = &info;                                                         \
        vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);                            \
    }                                                                                     \
    SCENARIO(push_##name_, WORLD, .expect = {WRITE("descriptorType-00325")})              \
    {                                                                                     \
        const VkDescriptorImageInfo info = image_without_sampler(b);                      \
        VkWriteDescriptorSet write = write_of_unusable(VK_NULL_HANDLE, type_);            \
        write.pImageInfo = &info;                                                         \
        push_write(b, write, NULL);                                                       \
    }                                                                                     \
    SCENARIO(push_dead_##name_, WORLD, .expect = {WRITE("descriptorType-00325")})         \
    {                                                                                     \
        VkDescriptorImageInfo info = image_without_sampler(b);                            \
        VkWriteDescriptorSet write = write_of_unusable(VK_NULL_HANDLE, type_);            \
        info.sampler = make_sampler(b);                                                   \
        FORGET(b, info.sampler);                                                          \
        vkDestroySampler(b->device, info.sampler, NULL);                                  \
        write.pImageInfo = &info;                                                         \
        push_write(b, write, NULL);                                                       \
    }
NO_SAMPLER(null_sampler, VK_DESCRIPTOR_TYPE_SAMPLER)
NO_SAMPLER(null_combined, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER)

/* "To push an immutable sampler ... the pImageInfo parameter is ignored", and of combined ones its
 * sampler. */
SCENARIO(push_immutable_sampler, .extensions = {"VK_KHR_push_descriptor"})
{
    VkSampler sampler = make_sampler(b);
    const VkDescriptorImageInfo info = {sampler, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_UNDEFINED};
    VkWriteDescriptorSet write = write_of_unusable(VK_NULL_HANDLE, VK_DESCRIPTOR_TYPE_SAMPLER);
    write.pImageInfo = &info;
    push_write(b, write, &sampler);
}

SCENARIO(push_immutable_combined, .extensions = {"VK_KHR_push_descriptor"})
{
    VkSampler sampler = make_sampler(b);
    const VkDescriptorImageInfo info = image_without_sampler(b);
    VkWriteDescriptorSet write =
        write_of_unusable(VK_NULL_HANDLE, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
    write.pImageInfo = &info;
    push_write(b, write, &sampler);
}

/* --- templates: what is wrong has the number that it has without one --- */

#define INFO(name_) "VUID-VkDescriptorBufferInfo-" name_
#define COMMA       ,

static VkDescriptorUpdateTemplate template_of(struct baseline *b, VkDescriptorType type,
                                              VkPipelineLayout pushes, size_t stride)
{
    const VkDescriptorUpdateTemplateEntry entry = {
        .descriptorCount = 1, .descriptorType = type, .stride = stride};
    const VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 1,
        .pDescriptorUpdateEntries = &entry,
        .templateType = pushes ? VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS
                               : VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
        .descriptorSetLayout = pushes ? VK_NULL_HANDLE : layout_of_unusable(b, type, 0, NULL),
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE,
        .pipelineLayout = pushes};
    return create_descriptor_update_template(b, &info);
}

static void update_by_template(struct baseline *b, VkDescriptorType type, const void *data)
{
    vkUpdateDescriptorSetWithTemplate(b->device, set_of_unusable(b, type),
                                      template_of(b, type, VK_NULL_HANDLE, 32), data);
}

static void push_by_template(struct baseline *b, VkDescriptorType type, const void *data)
{
    VkPipelineLayout layout =
        make_pipeline_layout(b,
                             layout_of_unusable(b, type,
                                                VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT,
                                                NULL));
    DEVICE_PROC(b, vkCmdPushDescriptorSetWithTemplateKHR)
    (make_recording(b), template_of(b, type, layout, 32), layout, 0, data);
}

/* Both ways; `data_` is an expression in `b`. */
#define BY_TEMPLATE(name_, type_, declaration_, id_, ...)             \
    SCENARIO(template_##name_, WORLD, .expect = {id_}, ##__VA_ARGS__) \
    {                                                                 \
        declaration_;                                                 \
        update_by_template(b, VK_DESCRIPTOR_TYPE_##type_, &data);     \
    }                                                                 \
    SCENARIO(push_template_##name_, WORLD, .expect = {id_})           \
    {                                                                 \
        declaration_;                                                 \
        push_by_template(b, VK_DESCRIPTOR_TYPE_##type_, &data);       \
    }
#define GONE(type_, name_)            \
    Vk##type_ gone = make_##name_(b); \
    FORGET(b, gone);                  \
    vkDestroy##type_(b->device, gone, NULL)

BY_TEMPLATE(dead_view, SAMPLED_IMAGE, GONE(ImageView, image_view);
            VkDescriptorImageInfo data = {.imageView = gone}, WRITE("descriptorType-02996"))
BY_TEMPLATE(dead_texels, UNIFORM_TEXEL_BUFFER, GONE(BufferView, buffer_view);
            VkBufferView data = gone, WRITE("descriptorType-02994"))
BY_TEMPLATE(dead_sampler, SAMPLER, GONE(Sampler, sampler);
            VkDescriptorImageInfo data = {.sampler = gone}, WRITE("descriptorType-00325"))
BY_TEMPLATE(null_sampler, SAMPLER, VkDescriptorImageInfo data = {0}, WRITE("descriptorType-00325"))
BY_TEMPLATE(null_view, SAMPLED_IMAGE, VkDescriptorImageInfo data = {0},
            WRITE("descriptorType-02997"))
BY_TEMPLATE(null_texels, STORAGE_TEXEL_BUFFER, VkBufferView data = VK_NULL_HANDLE,
            WRITE("descriptorType-02995"))
BY_TEMPLATE(null_buffer, STORAGE_BUFFER, VkDescriptorBufferInfo data = {.range = VK_WHOLE_SIZE},
            INFO("buffer-02998"))
BY_TEMPLATE(buffer_usage, STORAGE_BUFFER,
            VkDescriptorBufferInfo data = {make_buffer(b, 64, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT)
                                               COMMA.range = VK_WHOLE_SIZE},
            WRITE("descriptorType-00331"))

BY_TEMPLATE(buffer_behind, STORAGE_BUFFER,
            VkDescriptorBufferInfo data = {make_buffer(b, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT)
                                               COMMA 64 COMMA VK_WHOLE_SIZE},
            INFO("offset-00340"), .text = {"pData<entry>[0].pBufferInfo[0].offset is 64"})

SCENARIO(template_without_data, WORLD,
         .expect = {"VUID-vkUpdateDescriptorSetWithTemplate-pData-01685"})
{
    update_by_template(b, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, NULL);
}

SCENARIO(push_template_without_data, WORLD,
         .expect = {"VUID-vkCmdPushDescriptorSetWithTemplate-pData-01686"})
{
    push_by_template(b, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, NULL);
}

SCENARIO(template_data, WORLD)
{
    VkDescriptorBufferInfo data = {make_buffer(b, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), 0,
                                   VK_WHOLE_SIZE};
    update_by_template(b, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &data);
    push_by_template(b, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &data);
}

/* --- immutable samplers --- */

#define IMMUTABLE "VUID-VkDescriptorSetLayoutBinding-descriptorType-00282"

SCENARIO(immutable_null, HEEDLESS, .expect = {IMMUTABLE},
         .text = {"pCreateInfo->pBindings[0].pImmutableSamplers[0] is VK_NULL_HANDLE"})
{
    const VkSampler none = VK_NULL_HANDLE;
    layout_of_unusable(b, VK_DESCRIPTOR_TYPE_SAMPLER, 0, &none);
}

SCENARIO(immutable_dead, HEEDLESS, .expect = {IMMUTABLE})
{
    GONE(Sampler, sampler);
    layout_of_unusable(b, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 0, &gone);
}

SCENARIO(immutable_nowhere, HEEDLESS, .expect = {IMMUTABLE})
{
    layout_of_unusable(b, VK_DESCRIPTOR_TYPE_SAMPLER, 0, (const VkSampler *)(uintptr_t)8);
}

SCENARIO(immutable_ignored)
{
    layout_of_unusable(b, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 0, (const VkSampler *)(uintptr_t)8);
}

/* --- pipelines --- */

#define GRAPHICS(name_) "VUID-VkGraphicsPipelineCreateInfo-" name_
#define BLEND           "VUID-VkPipelineColorBlendStateCreateInfo-pAttachments-07353"

SCENARIO(stages_missing, HEEDLESS, .expect = {GRAPHICS("pStages-06600")})
{
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), make_render_pass(b));
    p.info.pStages = NULL;
    EXPECT(!create_graphics_pipeline(b, &p.info));
}

SCENARIO(attachments_missing, HEEDLESS, .expect = {BLEND})
{
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), make_render_pass(b));
    p.color_blend.pAttachments = NULL;
    EXPECT(!create_graphics_pipeline(b, &p.info));
}

static const VkPhysicalDeviceExtendedDynamicState3FeaturesEXT dynamic3 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
    .extendedDynamicState3ColorBlendEnable = VK_TRUE,
    .extendedDynamicState3ColorBlendEquation = VK_TRUE,
    .extendedDynamicState3ColorWriteMask = VK_TRUE};

static void without_attachments(struct baseline *b, uint32_t count)
{
    const VkDynamicState states[] = {VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT,
                                     VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT,
                                     VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT};
    const VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = count,
        .pDynamicStates = states};
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), make_render_pass(b));
    p.color_blend.pAttachments = NULL;
    p.info.pDynamicState = &dynamic;
    create_graphics_pipeline(b, &p.info);
}

SCENARIO(attachments_dynamic, .extensions = {"VK_EXT_extended_dynamic_state3"},
         .features = &dynamic3)
{
    without_attachments(b, 3);
}

SCENARIO(attachments_half_dynamic, HEEDLESS, .extensions = {"VK_EXT_extended_dynamic_state3"},
         .features = &dynamic3, .expect = {BLEND})
{
    without_attachments(b, 2);
}

static const VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
    .graphicsPipelineLibrary = VK_TRUE};
#define LIBRARY                                                                    \
    .extensions = {"VK_KHR_pipeline_library", "VK_EXT_graphics_pipeline_library"}, \
    .features = &libraries

static void make_unusable_part(struct baseline *b, struct graphics_pipeline *p,
                               VkGraphicsPipelineLibraryFlagsEXT part)
{
    const VkGraphicsPipelineLibraryCreateInfoEXT library = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT, .flags = part};
    p->info.pNext = &library;
    p->info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
    EXPECT(!create_graphics_pipeline(b, &p->info));
}

#define PART_WITHOUT_STAGES(name_, part_)                                                   \
    SCENARIO(name_, HEEDLESS, LIBRARY, .expect = {GRAPHICS("flags-06640")})                 \
    {                                                                                       \
        struct graphics_pipeline p;                                                         \
        begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), make_render_pass(b)); \
        p.info.pStages = NULL;                                                              \
        p.info.stageCount = 1;                                                              \
        make_unusable_part(b, &p, VK_GRAPHICS_PIPELINE_LIBRARY_##part_##_BIT_EXT);          \
    }
PART_WITHOUT_STAGES(vertex_library_without_stages, PRE_RASTERIZATION_SHADERS)
PART_WITHOUT_STAGES(fragment_library_without_stages, FRAGMENT_SHADER)

SCENARIO(output_library_without_attachments, HEEDLESS, LIBRARY, .expect = {BLEND})
{
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), make_render_pass(b));
    p.info.stageCount = 0;
    p.color_blend.pAttachments = NULL;
    make_unusable_part(b, &p, VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT);
}

static void specialize_unusable(struct baseline *b, uint32_t offset, size_t size)
{
    const uint32_t words[2] = {1, 2};
    const VkSpecializationMapEntry entry = {.constantID = 77, .offset = offset, .size = size};
    const VkSpecializationInfo values = {
        .mapEntryCount = 1, .pMapEntries = &entry, .dataSize = sizeof(words), .pData = words};
    VkComputePipelineCreateInfo compute =
        compute_pipeline_info(make_shader_module(b),
                              make_pipeline_layout(b, make_descriptor_set_layout(b)));
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), make_render_pass(b));
    compute.stage.pSpecializationInfo = &values;
    p.stages[1].pSpecializationInfo = &values;
    create_compute_pipeline(b, &compute);
    create_graphics_pipeline(b, &p.info);
}

SCENARIO(specialized_to_the_end)
{
    specialize_unusable(b, 4, 4);
}

/* --- private data --- */

static const VkPhysicalDevicePrivateDataFeatures private_data = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIVATE_DATA_FEATURES, .privateData = VK_TRUE};

static void keep_data(struct baseline *b, VkObjectType type, uint64_t handle)
{
    uint64_t data = 0;
    VkPrivateDataSlot slot = make_private_data_slot(b);
    (void)vkSetPrivateData(b->device, type, handle, slot, 7);
    vkGetPrivateData(b->device, type, handle, slot, &data);
}

#define NO_DATA(name_, set_, get_, type_, handle_)                            \
    SCENARIO(private_data_of_##name_, HEEDLESS, .features = &private_data,    \
             .expect = {"VUID-vkSetPrivateData-objectHandle-" set_,           \
                        "VUID-vkGetPrivateData-" get_})                       \
    {                                                                         \
        keep_data(b, VK_OBJECT_TYPE_##type_, (uint64_t)(uintptr_t)(handle_)); \
    }
NO_DATA(instance, "04016", "objectType-04018", INSTANCE, b->instance)
NO_DATA(physical_device, "04016", "objectType-04018", PHYSICAL_DEVICE, b->physical_device)
NO_DATA(messenger, "04016", "objectType-04018", DEBUG_UTILS_MESSENGER_EXT, b->messenger)
NO_DATA(nothing, "04017", "objectHandle-09498", BUFFER, VK_NULL_HANDLE)
NO_DATA(no_type, "04017", "objectHandle-09498", UNKNOWN, 4096)
NO_DATA(another_device, "04016", "objectType-04018", DEVICE, make_second_device(b))

SCENARIO(private_data_of_the_device, .features = &private_data)
{
    keep_data(b, VK_OBJECT_TYPE_DEVICE, (uint64_t)(uintptr_t)b->device);
    keep_data(b, VK_OBJECT_TYPE_QUEUE, (uint64_t)(uintptr_t)b->queue);
    keep_data(b, VK_OBJECT_TYPE_BUFFER,
              (uint64_t)make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT));
}
