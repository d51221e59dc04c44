/* Pipeline layouts (14.2.2): set layouts and push constant ranges together, and the limits on how
 * many descriptors they have. */
#include "scenario.h"

#define ID(name_) "VUID-VkPipelineLayoutCreateInfo-" name_
#define AFTER     VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT

/* A pipeline layout of one set layout with two bindings of the type, each of `count` descriptors;
 * the second one for another stage. */
static void layout_of_binding(struct baseline *b, VkDescriptorType type, uint32_t count,
                              VkDescriptorSetLayoutCreateFlags flags)
{
    bool attachment = type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
    const VkDescriptorSetLayoutBinding bindings[] = {
        {.binding = 0,
         .descriptorType = type,
         .descriptorCount = count,
         .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT},
        {.binding = 1,
         .descriptorType = type,
         .descriptorCount = count,
         .stageFlags = attachment ? 0 : VK_SHADER_STAGE_COMPUTE_BIT}};
    const VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = flags,
        .bindingCount = 2,
        .pBindings = bindings};
    VkDescriptorSetLayout set_layout = create_descriptor_set_layout(b, &set_info);
    VkPipelineLayoutCreateInfo info = pipeline_layout_info(&set_layout);
    create_pipeline_layout(b, &info);
}

/* The null driver with one limit (or a limit and its update-after-bind kin) of 4. Layouts have one
 * descriptor more than it (to a stage, or to all), and just as many. */
#define LIMITS(kind_, values_) \
    .drivers = NULL_DRIVER, .null_driver = "{\"" kind_ "\": {" values_ "}}"
#define STAGE_LIMIT(name_, type_, limit_, kind_, id_, ...)                                  \
    SCENARIO(name_, LIMITS(kind_, "\"" limit_ "\": 4"), .expect = {ID(id_)}, ##__VA_ARGS__) \
    {                                                                                       \
        layout_of_binding(b, VK_DESCRIPTOR_TYPE_##type_, 5, 0);                             \
    }                                                                                       \
    SCENARIO(name_##_kept, LIMITS(kind_, "\"" limit_ "\": 4"), ##__VA_ARGS__)               \
    {                                                                                       \
        layout_of_binding(b, VK_DESCRIPTOR_TYPE_##type_, 4, 0);                             \
    }
#define STAGE_LIMIT_AFTER_BIND(name_, type_, limit_, after_, id_, ...)                             \
    SCENARIO(name_, LIMITS("limits", "\"" limit_ "\": 3, \"" after_ "\": 4"), .expect = {ID(id_)}, \
             ##__VA_ARGS__)                                                                        \
    {                                                                                              \
        layout_of_binding(b, VK_DESCRIPTOR_TYPE_##type_, 5, AFTER);                                \
    }                                                                                              \
    SCENARIO(name_##_kept, LIMITS("limits", "\"" limit_ "\": 3, \"" after_ "\": 4"),               \
             ##__VA_ARGS__)                                                                        \
    {                                                                                              \
        layout_of_binding(b, VK_DESCRIPTOR_TYPE_##type_, 4, AFTER);                                \
    }
#define SET_LIMIT(name_, type_, limit_, id_, ...)                                              \
    SCENARIO(name_, LIMITS("limits", "\"" limit_ "\": 5"), .expect = {ID(id_)}, ##__VA_ARGS__) \
    {                                                                                          \
        layout_of_binding(b, VK_DESCRIPTOR_TYPE_##type_, 3, 0);                                \
    }                                                                                          \
    SCENARIO(name_##_kept, LIMITS("limits", "\"" limit_ "\": 6"), ##__VA_ARGS__)               \
    {                                                                                          \
        layout_of_binding(b, VK_DESCRIPTOR_TYPE_##type_, 3, 0);                                \
    }
#define SET_LIMIT_AFTER_BIND(name_, type_, limit_, after_, id_, ...)                               \
    SCENARIO(name_, LIMITS("limits", "\"" limit_ "\": 3, \"" after_ "\": 5"), .expect = {ID(id_)}, \
             ##__VA_ARGS__)                                                                        \
    {                                                                                              \
        layout_of_binding(b, VK_DESCRIPTOR_TYPE_##type_, 3, AFTER);                                \
    }                                                                                              \
    SCENARIO(name_##_kept, LIMITS("limits", "\"" limit_ "\": 3, \"" after_ "\": 6"),               \
             ##__VA_ARGS__)                                                                        \
    {                                                                                              \
        layout_of_binding(b, VK_DESCRIPTOR_TYPE_##type_, 3, AFTER);                                \
    }

STAGE_LIMIT(stage_samplers, SAMPLER, "maxPerStageDescriptorSamplers", "limits",
            "descriptorType-03016")
STAGE_LIMIT(stage_uniform_buffers, UNIFORM_BUFFER, "maxPerStageDescriptorUniformBuffers", "limits",
            "descriptorType-03017")
STAGE_LIMIT(stage_storage_buffers, STORAGE_BUFFER, "maxPerStageDescriptorStorageBuffers", "limits",
            "descriptorType-03018")
STAGE_LIMIT(stage_sampled_images, SAMPLED_IMAGE, "maxPerStageDescriptorSampledImages", "limits",
            "descriptorType-06939")
STAGE_LIMIT(stage_storage_images, STORAGE_IMAGE, "maxPerStageDescriptorStorageImages", "limits",
            "descriptorType-03020")

SCENARIO(stage_input_attachments, LIMITS("limits", "\"maxPerStageDescriptorInputAttachments\": 4"),
         .expect = {ID("descriptorType-03021")})
{
    layout_of_binding(b, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 5, 0);
}

STAGE_LIMIT_AFTER_BIND(stage_samplers_after_bind, SAMPLER, "maxPerStageDescriptorSamplers",
                       "maxPerStageDescriptorUpdateAfterBindSamplers", "descriptorType-03022")
STAGE_LIMIT_AFTER_BIND(stage_uniform_buffers_after_bind, UNIFORM_BUFFER,
                       "maxPerStageDescriptorUniformBuffers",
                       "maxPerStageDescriptorUpdateAfterBindUniformBuffers", "descriptorType-03023")
STAGE_LIMIT_AFTER_BIND(stage_storage_buffers_after_bind, STORAGE_BUFFER,
                       "maxPerStageDescriptorStorageBuffers",
                       "maxPerStageDescriptorUpdateAfterBindStorageBuffers", "descriptorType-03024")
STAGE_LIMIT_AFTER_BIND(stage_sampled_images_after_bind, SAMPLED_IMAGE,
                       "maxPerStageDescriptorSampledImages",
                       "maxPerStageDescriptorUpdateAfterBindSampledImages", "descriptorType-03025")
STAGE_LIMIT_AFTER_BIND(stage_storage_images_after_bind, STORAGE_IMAGE,
                       "maxPerStageDescriptorStorageImages",
                       "maxPerStageDescriptorUpdateAfterBindStorageImages", "descriptorType-03026")
STAGE_LIMIT_AFTER_BIND(stage_input_attachments_after_bind, INPUT_ATTACHMENT,
                       "maxPerStageDescriptorInputAttachments",
                       "maxPerStageDescriptorUpdateAfterBindInputAttachments",
                       "descriptorType-03027")

SET_LIMIT(set_samplers, SAMPLER, "maxDescriptorSetSamplers", "descriptorType-03028")
SET_LIMIT(set_uniform_buffers, UNIFORM_BUFFER, "maxDescriptorSetUniformBuffers",
          "descriptorType-03029")
SET_LIMIT(set_dynamic_uniform_buffers, UNIFORM_BUFFER_DYNAMIC,
          "maxDescriptorSetUniformBuffersDynamic", "descriptorType-03030")
SET_LIMIT(set_storage_buffers, STORAGE_BUFFER, "maxDescriptorSetStorageBuffers",
          "descriptorType-03031")
SET_LIMIT(set_dynamic_storage_buffers, STORAGE_BUFFER_DYNAMIC,
          "maxDescriptorSetStorageBuffersDynamic", "descriptorType-03032")
SET_LIMIT(set_sampled_images, SAMPLED_IMAGE, "maxDescriptorSetSampledImages",
          "descriptorType-03033")
SET_LIMIT(set_storage_images, STORAGE_IMAGE, "maxDescriptorSetStorageImages",
          "descriptorType-03034")
SCENARIO(set_input_attachments, LIMITS("limits", "\"maxDescriptorSetInputAttachments\": 5"),
         .expect = {ID("descriptorType-03035")})
{
    layout_of_binding(b, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 6, 0);
}

SET_LIMIT_AFTER_BIND(set_samplers_after_bind, SAMPLER, "maxDescriptorSetSamplers",
                     "maxDescriptorSetUpdateAfterBindSamplers", "pSetLayouts-03036")
SET_LIMIT_AFTER_BIND(set_uniform_buffers_after_bind, UNIFORM_BUFFER,
                     "maxDescriptorSetUniformBuffers",
                     "maxDescriptorSetUpdateAfterBindUniformBuffers", "pSetLayouts-03037")
SET_LIMIT_AFTER_BIND(set_dynamic_uniform_buffers_after_bind, UNIFORM_BUFFER_DYNAMIC,
                     "maxDescriptorSetUniformBuffersDynamic",
                     "maxDescriptorSetUpdateAfterBindUniformBuffersDynamic", "pSetLayouts-03038")
SET_LIMIT_AFTER_BIND(set_storage_buffers_after_bind, STORAGE_BUFFER,
                     "maxDescriptorSetStorageBuffers",
                     "maxDescriptorSetUpdateAfterBindStorageBuffers", "pSetLayouts-03039")
SET_LIMIT_AFTER_BIND(set_dynamic_storage_buffers_after_bind, STORAGE_BUFFER_DYNAMIC,
                     "maxDescriptorSetStorageBuffersDynamic",
                     "maxDescriptorSetUpdateAfterBindStorageBuffersDynamic", "pSetLayouts-03040")
SET_LIMIT_AFTER_BIND(set_sampled_images_after_bind, SAMPLED_IMAGE, "maxDescriptorSetSampledImages",
                     "maxDescriptorSetUpdateAfterBindSampledImages", "pSetLayouts-03041")
SET_LIMIT_AFTER_BIND(set_storage_images_after_bind, STORAGE_IMAGE, "maxDescriptorSetStorageImages",
                     "maxDescriptorSetUpdateAfterBindStorageImages", "pSetLayouts-03042")
SCENARIO(set_input_attachments_after_bind,
         LIMITS("limits", "\"maxDescriptorSetInputAttachments\": 3, "
                          "\"maxDescriptorSetUpdateAfterBindInputAttachments\": 5"),
         .expect = {ID("pSetLayouts-03043")})
{
    layout_of_binding(b, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 6, AFTER);
}

/* --- dynamic buffers with maintenance7 --- */

static const VkPhysicalDeviceMaintenance7FeaturesKHR maintenance7 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_7_FEATURES_KHR, .maintenance7 = VK_TRUE};
#define TOTAL .extensions = {"VK_KHR_maintenance7"}, .features = &maintenance7

SET_LIMIT(total_uniform_buffers, UNIFORM_BUFFER_DYNAMIC,
          "maxDescriptorSetTotalUniformBuffersDynamic", "maintenance7-10003", TOTAL)
SET_LIMIT(total_storage_buffers, STORAGE_BUFFER_DYNAMIC,
          "maxDescriptorSetTotalStorageBuffersDynamic", "maintenance7-10004", TOTAL)
SET_LIMIT(total_buffers, STORAGE_BUFFER_DYNAMIC, "maxDescriptorSetTotalBuffersDynamic",
          "None-10005", TOTAL)
SET_LIMIT_AFTER_BIND(total_buffers_after_bind, STORAGE_BUFFER_DYNAMIC,
                     "maxDescriptorSetTotalBuffersDynamic",
                     "maxDescriptorSetUpdateAfterBindTotalBuffersDynamic", "pSetLayouts-10006",
                     TOTAL)
SET_LIMIT_AFTER_BIND(total_uniform_buffers_after_bind, UNIFORM_BUFFER_DYNAMIC,
                     "maxDescriptorSetTotalUniformBuffersDynamic",
                     "maxDescriptorSetUpdateAfterBindTotalUniformBuffersDynamic",
                     "maintenance7-10007", TOTAL)
SET_LIMIT_AFTER_BIND(total_storage_buffers_after_bind, STORAGE_BUFFER_DYNAMIC,
                     "maxDescriptorSetTotalStorageBuffersDynamic",
                     "maxDescriptorSetUpdateAfterBindTotalStorageBuffersDynamic",
                     "maintenance7-10008", TOTAL)

/* --- limits on bindings: one a stage --- */

static const VkPhysicalDeviceVulkan13Features inline_uniform = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .inlineUniformBlock = VK_TRUE};

#define BINDING_LIMIT(name_, type_, flags_, low_, high_, id_, ...)              \
    SCENARIO(name_, LIMITS("limits", low_), .expect = {ID(id_)}, ##__VA_ARGS__) \
    {                                                                           \
        layout_of_binding(b, VK_DESCRIPTOR_TYPE_##type_, 4, flags_);            \
    }                                                                           \
    SCENARIO(name_##_kept, LIMITS("limits", high_), ##__VA_ARGS__)              \
    {                                                                           \
        layout_of_binding(b, VK_DESCRIPTOR_TYPE_##type_, 4, flags_);            \
    }

BINDING_LIMIT(stage_inline_uniform, INLINE_UNIFORM_BLOCK, 0,
              "\"maxPerStageDescriptorInlineUniformBlocks\": 0",
              "\"maxPerStageDescriptorInlineUniformBlocks\": 1", "descriptorType-02214",
              .features = &inline_uniform)
BINDING_LIMIT(stage_inline_uniform_after_bind, INLINE_UNIFORM_BLOCK, AFTER,
              "\"maxPerStageDescriptorInlineUniformBlocks\": 0, "
              "\"maxPerStageDescriptorUpdateAfterBindInlineUniformBlocks\": 0",
              "\"maxPerStageDescriptorInlineUniformBlocks\": 0, "
              "\"maxPerStageDescriptorUpdateAfterBindInlineUniformBlocks\": 1",
              "descriptorType-02215", .features = &inline_uniform)
BINDING_LIMIT(set_inline_uniform, INLINE_UNIFORM_BLOCK, 0,
              "\"maxDescriptorSetInlineUniformBlocks\": 1",
              "\"maxDescriptorSetInlineUniformBlocks\": 2", "descriptorType-02216",
              .features = &inline_uniform)
BINDING_LIMIT(set_inline_uniform_after_bind, INLINE_UNIFORM_BLOCK, AFTER,
              "\"maxDescriptorSetInlineUniformBlocks\": 1, "
              "\"maxDescriptorSetUpdateAfterBindInlineUniformBlocks\": 1",
              "\"maxDescriptorSetInlineUniformBlocks\": 1, "
              "\"maxDescriptorSetUpdateAfterBindInlineUniformBlocks\": 2",
              "descriptorType-02217", .features = &inline_uniform)
BINDING_LIMIT(inline_uniform_bytes, INLINE_UNIFORM_BLOCK, 0, "\"maxInlineUniformTotalSize\": 7",
              "\"maxInlineUniformTotalSize\": 8", "descriptorType-06531",
              .features = &inline_uniform)

#define TREES .extensions = {"VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations"}
BINDING_LIMIT(stage_acceleration_structures, ACCELERATION_STRUCTURE_KHR, 0,
              "\"maxPerStageDescriptorAccelerationStructures\": 0",
              "\"maxPerStageDescriptorAccelerationStructures\": 1", "descriptorType-03571", TREES)
BINDING_LIMIT(stage_acceleration_structures_after_bind, ACCELERATION_STRUCTURE_KHR, AFTER,
              "\"maxPerStageDescriptorAccelerationStructures\": 0, "
              "\"maxPerStageDescriptorUpdateAfterBindAccelerationStructures\": 0",
              "\"maxPerStageDescriptorAccelerationStructures\": 0, "
              "\"maxPerStageDescriptorUpdateAfterBindAccelerationStructures\": 1",
              "descriptorType-03572", TREES)
BINDING_LIMIT(set_acceleration_structures, ACCELERATION_STRUCTURE_KHR, 0,
              "\"maxDescriptorSetAccelerationStructures\": 1",
              "\"maxDescriptorSetAccelerationStructures\": 2", "descriptorType-03573", TREES)
BINDING_LIMIT(set_acceleration_structures_after_bind, ACCELERATION_STRUCTURE_KHR, AFTER,
              "\"maxDescriptorSetAccelerationStructures\": 1, "
              "\"maxDescriptorSetUpdateAfterBindAccelerationStructures\": 1",
              "\"maxDescriptorSetAccelerationStructures\": 1, "
              "\"maxDescriptorSetUpdateAfterBindAccelerationStructures\": 2",
              "descriptorType-03574", TREES)
BINDING_LIMIT(set_acceleration_structures_nv, ACCELERATION_STRUCTURE_NV, 0,
              "\"maxDescriptorSetAccelerationStructures\": 1",
              "\"maxDescriptorSetAccelerationStructures\": 2", "descriptorType-02381",
              .extensions = {"VK_NV_ray_tracing"})

#define TENSORS .extensions = {"VK_ARM_tensors"}
STAGE_LIMIT(stage_tensors, TENSOR_ARM, "maxPerStageDescriptorSetStorageTensors", "limits",
            "pSetLayouts-09698", TENSORS)
STAGE_LIMIT_AFTER_BIND(stage_tensors_after_bind, TENSOR_ARM,
                       "maxPerStageDescriptorSetStorageTensors",
                       "maxPerStageDescriptorUpdateAfterBindStorageTensors", "descriptorType-09879",
                       TENSORS)
SET_LIMIT(set_tensors, TENSOR_ARM, "maxDescriptorSetStorageTensors", "pSetLayouts-09699", TENSORS)
SET_LIMIT_AFTER_BIND(set_tensors_after_bind, TENSOR_ARM, "maxDescriptorSetStorageTensors",
                     "maxDescriptorSetUpdateAfterBindStorageTensors", "pSetLayouts-09878", TENSORS)

/* --- set layouts together --- */

static VkDescriptorSetLayout set_layout_with(struct baseline *b,
                                             VkDescriptorSetLayoutCreateFlags flags)
{
    VkDescriptorSetLayoutCreateInfo info = descriptor_set_layout_info();
    info.flags = flags;
    return create_descriptor_set_layout(b, &info);
}

static void layout_of_two(struct baseline *b, VkDescriptorSetLayoutCreateFlags first,
                          VkDescriptorSetLayoutCreateFlags second)
{
    const VkDescriptorSetLayout sets[] = {set_layout_with(b, first), set_layout_with(b, second)};
    VkPipelineLayoutCreateInfo info = pipeline_layout_info(sets);
    info.setLayoutCount = 2;
    create_pipeline_layout(b, &info);
}

#define PUSH_FLAG   VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT
#define BUFFER_FLAG VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT

SCENARIO(two_push_sets, .extensions = {"VK_KHR_push_descriptor"},
         .expect = {ID("pSetLayouts-00293")})
{
    layout_of_two(b, PUSH_FLAG, PUSH_FLAG);
}

SCENARIO(one_push_set, .extensions = {"VK_KHR_push_descriptor"})
{
    layout_of_two(b, 0, PUSH_FLAG);
}

SCENARIO(host_only_set, .extensions = {"VK_EXT_mutable_descriptor_type"},
         .features =
             &(VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT){
                 .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT,
                 .mutableDescriptorType = VK_TRUE},
         .expect = {ID("pSetLayouts-04606")})
{
    layout_of_two(b, 0, VK_DESCRIPTOR_SET_LAYOUT_CREATE_HOST_ONLY_POOL_BIT_EXT);
}

static const VkPhysicalDeviceDescriptorBufferFeaturesEXT descriptor_buffer = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT,
    .descriptorBuffer = VK_TRUE};

SCENARIO(buffer_set_beside_another, .extensions = {"VK_EXT_descriptor_buffer"},
         .features = &descriptor_buffer, .expect = {ID("pSetLayouts-08008")})
{
    layout_of_two(b, 0, BUFFER_FLAG);
}

SCENARIO(two_buffer_sets, .extensions = {"VK_EXT_descriptor_buffer"},
         .features = &descriptor_buffer)
{
    layout_of_two(b, BUFFER_FLAG, BUFFER_FLAG);
}

SCENARIO(null_set_layout, .expect = {ID("graphicsPipelineLibrary-06753")})
{
    VkDescriptorSetLayout none = VK_NULL_HANDLE;
    VkPipelineLayoutCreateInfo info = pipeline_layout_info(&none);
    create_pipeline_layout(b, &info);
}

SCENARIO(null_set_layout_of_library,
         .extensions = {"VK_KHR_pipeline_library", "VK_EXT_graphics_pipeline_library"},
         .features = &(VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
             .graphicsPipelineLibrary = VK_TRUE})
{
    VkDescriptorSetLayout none = VK_NULL_HANDLE;
    VkPipelineLayoutCreateInfo info = pipeline_layout_info(&none);
    info.flags = VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT;
    create_pipeline_layout(b, &info);
}

static void layout_of_sets(struct baseline *b, uint32_t count)
{
    VkDescriptorSetLayout sets[4], layout = make_descriptor_set_layout(b);
    for (uint32_t i = 0; i < 4; i++)
        sets[i] = layout;
    VkPipelineLayoutCreateInfo info = pipeline_layout_info(sets);
    info.setLayoutCount = count;
    create_pipeline_layout(b, &info);
}

SCENARIO(sets_too_many, LIMITS("limits", "\"maxBoundDescriptorSets\": 3"),
         .expect = {ID("setLayoutCount-00286")},
         .text = {"setLayoutCount is 4, more than maxBoundDescriptorSets of this device, 3"})
{
    layout_of_sets(b, 4);
}

SCENARIO(sets_just_enough, LIMITS("limits", "\"maxBoundDescriptorSets\": 3"))
{
    layout_of_sets(b, 3);
}

/* --- push constant ranges --- */

static void layout_with_ranges(struct baseline *b, VkPushConstantRange first,
                               VkPushConstantRange second)
{
    const VkPushConstantRange ranges[] = {first, second};
    VkPipelineLayoutCreateInfo info = pipeline_layout_info(NULL);
    info.pushConstantRangeCount = 2;
    info.pPushConstantRanges = ranges;
    create_pipeline_layout(b, &info);
}

static VkPushConstantRange push_range(VkShaderStageFlags stages, uint32_t offset, uint32_t size)
{
    return (VkPushConstantRange){.stageFlags = stages, .offset = offset, .size = size};
}

SCENARIO(ranges)
{
    layout_with_ranges(b, push_range(VK_SHADER_STAGE_VERTEX_BIT, 0, 64),
                       push_range(VK_SHADER_STAGE_FRAGMENT_BIT, 0, 64));
}

SCENARIO(ranges_of_one_stage, .expect = {ID("pPushConstantRanges-00292")})
{
    layout_with_ranges(b, push_range(VK_SHADER_STAGE_VERTEX_BIT, 0, 16),
                       push_range(VK_SHADER_STAGE_ALL_GRAPHICS, 16, 16));
}

SCENARIO(range_behind_the_end, LIMITS("limits", "\"maxPushConstantsSize\": 128"),
         .expect = {"VUID-VkPushConstantRange-offset-00294"})
{
    layout_with_ranges(b, push_range(VK_SHADER_STAGE_VERTEX_BIT, 0, 16),
                       push_range(VK_SHADER_STAGE_FRAGMENT_BIT, 128, 4));
}

SCENARIO(range_over_the_end, LIMITS("limits", "\"maxPushConstantsSize\": 128"),
         .expect = {"VUID-VkPushConstantRange-size-00298"})
{
    layout_with_ranges(b, push_range(VK_SHADER_STAGE_VERTEX_BIT, 0, 16),
                       push_range(VK_SHADER_STAGE_FRAGMENT_BIT, 64, 68));
}

SCENARIO(range_to_the_end, LIMITS("limits", "\"maxPushConstantsSize\": 128"))
{
    layout_with_ranges(b, push_range(VK_SHADER_STAGE_VERTEX_BIT, 0, 16),
                       push_range(VK_SHADER_STAGE_FRAGMENT_BIT, 64, 64));
}
