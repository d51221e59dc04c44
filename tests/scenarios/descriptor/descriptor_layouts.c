/* Descriptor set layouts: bindings, their flags, mutable types (14.2.1 "Descriptor Set Layout"). */
#include "scenario.h"

#define LAYOUT(name_)  "VUID-VkDescriptorSetLayoutCreateInfo-" name_
#define BINDING(name_) "VUID-VkDescriptorSetLayoutBinding-" name_
#define FLAGS(name_)   "VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-" name_
#define LIST(name_)    "VUID-VkMutableDescriptorTypeListEXT-" name_

static VkDescriptorSetLayoutBinding binding_of(uint32_t number, VkDescriptorType type,
                                               uint32_t count)
{
    return (VkDescriptorSetLayoutBinding){.binding = number,
                                          .descriptorType = type,
                                          .descriptorCount = count,
                                          .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
}

/* A layout of two bindings, 0 and 1. */
#define SET_LAYOUT(name_, changes_, ...)                                  \
    SCENARIO(name_, ##__VA_ARGS__)                                        \
    {                                                                     \
        VkDescriptorSetLayoutBinding bindings[] = {                       \
            binding_of(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1),          \
            binding_of(1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1)};         \
        VkDescriptorSetLayoutCreateInfo info = {                          \
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, \
            .bindingCount = 2,                                            \
            .pBindings = bindings};                                       \
        changes_;                                                         \
        create_descriptor_set_layout(b, &info);                           \
    }

SET_LAYOUT(two_bindings, bindings[1].binding = 7)
SET_LAYOUT(binding_twice, bindings[1].binding = 0, .expect = {LAYOUT("binding-00279")},
           .text = {"pCreateInfo->pBindings[1].binding is 0, which pBindings[0] is too"})
SET_LAYOUT(stages_unknown, bindings[1].stageFlags = 0x40000000,
           .expect = {BINDING("descriptorCount-09465")})
SET_LAYOUT(stages_unknown_of_nothing,
           (bindings[1].stageFlags = 0x40000000, bindings[1].descriptorCount = 0))
SET_LAYOUT(stages_all, bindings[1].stageFlags = VK_SHADER_STAGE_ALL)
SET_LAYOUT(input_attachment_in_compute,
           bindings[1].descriptorType = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
           .expect = {BINDING("descriptorType-01510")})
SET_LAYOUT(input_attachment, (bindings[1].descriptorType = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
                              bindings[1].stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT))

/* --- push descriptors --- */

#define PUSH   .extensions = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME}
#define PUSHED (info.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT)
static const VkPhysicalDeviceVulkan14Features push_descriptor = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES, .pushDescriptor = VK_TRUE};
static const VkPhysicalDeviceVulkan13Features inline_uniform = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .inlineUniformBlock = VK_TRUE};

SET_LAYOUT(push, PUSHED, PUSH)
SET_LAYOUT(push_by_feature, PUSHED, .api_version = VK_API_VERSION_1_4, .features = &push_descriptor)
SET_LAYOUT(push_not_enabled, PUSHED, .api_version = VK_API_VERSION_1_4,
           .expect = {LAYOUT("flags-10354")})
SET_LAYOUT(push_dynamic,
           (PUSHED, bindings[0].descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC), PUSH,
           .expect = {LAYOUT("flags-00280")})
SET_LAYOUT(push_inline_uniform,
           (PUSHED, bindings[0].descriptorType = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK,
            bindings[0].descriptorCount = 4),
           PUSH, .features = &inline_uniform, .expect = {LAYOUT("flags-02208")})
SET_LAYOUT(push_too_many, (PUSHED, bindings[0].descriptorCount = 8), PUSH, .drivers = NULL_DRIVER,
           .null_driver = "{\"properties\": {\"maxPushDescriptors\": 8}}",
           .expect = {LAYOUT("flags-00281")},
           .text = {"pBindings has 9 descriptors together, but maxPushDescriptors is 8"})
SET_LAYOUT(push_many, (PUSHED, bindings[0].descriptorCount = 7), PUSH, .drivers = NULL_DRIVER,
           .null_driver = "{\"properties\": {\"maxPushDescriptors\": 8}}")

/* --- inline uniform blocks --- */

#define BLOCK(bytes_)                                                      \
    (bindings[0].descriptorType = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, \
     bindings[0].descriptorCount = (bytes_))
SET_LAYOUT(inline_uniform_block, BLOCK(16), .features = &inline_uniform)
SET_LAYOUT(inline_uniform_large, BLOCK(1 << 30), .features = &inline_uniform,
           .expect = {BINDING("descriptorType-08004")})

/* --- host-only and mutable --- */

#define MUTABLE_EXTENSION \
    .extensions = {"VK_EXT_mutable_descriptor_type", VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME}
static const VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT mutable_type = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT,
    .mutableDescriptorType = VK_TRUE};
#define MUTABLE     MUTABLE_EXTENSION, .features = &mutable_type
#define HOST_ONLY   VK_DESCRIPTOR_SET_LAYOUT_CREATE_HOST_ONLY_POOL_BIT_EXT
#define AFTER_BIND  VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT
#define BUFFER_FLAG VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT

SET_LAYOUT(host_only, info.flags = HOST_ONLY, MUTABLE)

/* A layout whose binding 0 is of `type`, with a list of types for it. */
static void mutable_layout(struct baseline *b, VkDescriptorType type, const VkDescriptorType *types,
                           uint32_t count, VkDescriptorSetLayoutCreateFlags flags)
{
    const VkDescriptorSetLayoutBinding binding = binding_of(0, type, 1);
    const VkMutableDescriptorTypeListEXT list = {count, types};
    const VkMutableDescriptorTypeCreateInfoEXT lists = {
        .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
        .mutableDescriptorTypeListCount = 1,
        .pMutableDescriptorTypeLists = &list};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .pNext = &lists,
        .flags = flags,
        .bindingCount = 1,
        .pBindings = &binding};
    create_descriptor_set_layout(b, &info);
}

#define MUTABLE_LIST(name_, type_, flags_, list_, ...)                                         \
    SCENARIO(name_, ##__VA_ARGS__)                                                             \
    {                                                                                          \
        static const VkDescriptorType types[] = list_;                                         \
        mutable_layout(b, VK_DESCRIPTOR_TYPE_##type_, types, sizeof(types) / sizeof(types[0]), \
                       flags_);                                                                \
    }
#define TWO(a_, b_) {VK_DESCRIPTOR_TYPE_##a_, VK_DESCRIPTOR_TYPE_##b_}

MUTABLE_LIST(mutable_binding, MUTABLE_EXT, 0, TWO(STORAGE_BUFFER, SAMPLED_IMAGE), MUTABLE)
MUTABLE_LIST(mutable_not_enabled, MUTABLE_EXT, 0, TWO(STORAGE_BUFFER, SAMPLED_IMAGE),
             MUTABLE_EXTENSION, .expect = {LAYOUT("mutableDescriptorType-04595")})
MUTABLE_LIST(mutable_push, MUTABLE_EXT, VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT,
             TWO(STORAGE_BUFFER, SAMPLED_IMAGE), MUTABLE, .expect = {LAYOUT("flags-04591")})
MUTABLE_LIST(list_of_other_type, STORAGE_BUFFER, 0, TWO(STORAGE_BUFFER, SAMPLED_IMAGE), MUTABLE,
             .expect = {LIST("descriptorTypeCount-04599")})
MUTABLE_LIST(list_with_repetition, MUTABLE_EXT, 0, TWO(STORAGE_BUFFER, STORAGE_BUFFER), MUTABLE,
             .expect = {LIST("pDescriptorTypes-04598")})

SCENARIO(list_empty, MUTABLE, .expect = {LIST("descriptorTypeCount-04597")})
{
    mutable_layout(b, VK_DESCRIPTOR_TYPE_MUTABLE_EXT, NULL, 0, 0);
}

SET_LAYOUT(list_missing, bindings[0].descriptorType = VK_DESCRIPTOR_TYPE_MUTABLE_EXT, MUTABLE,
           .expect = {LAYOUT("pBindings-07303")})

SCENARIO(mutable_with_immutable_samplers, MUTABLE, .expect = {LAYOUT("descriptorType-04594")})
{
    VkSampler sampler = make_sampler(b);
    static const VkDescriptorType type = VK_DESCRIPTOR_TYPE_SAMPLER;
    static const VkMutableDescriptorTypeListEXT list = {1, &type};
    const VkMutableDescriptorTypeCreateInfoEXT lists = {
        .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
        .mutableDescriptorTypeListCount = 1,
        .pMutableDescriptorTypeLists = &list};
    VkDescriptorSetLayoutBinding binding = binding_of(0, VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 1);
    binding.pImmutableSamplers = &sampler;
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .pNext = &lists,
        .bindingCount = 1,
        .pBindings = &binding};
    create_descriptor_set_layout(b, &info);
}

/* --- descriptor buffers --- */

static const VkPhysicalDeviceDescriptorBufferFeaturesEXT descriptor_buffer = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT,
    .descriptorBuffer = VK_TRUE};
#define DESCRIPTOR_BUFFER .extensions = {"VK_EXT_descriptor_buffer"}, .features = &descriptor_buffer
#define EMBEDDED_SAMPLERS VK_DESCRIPTOR_SET_LAYOUT_CREATE_EMBEDDED_IMMUTABLE_SAMPLERS_BIT_EXT
#define EMBEDDED          (BUFFER_FLAG | EMBEDDED_SAMPLERS)

SET_LAYOUT(buffer_layout, info.flags = BUFFER_FLAG, DESCRIPTOR_BUFFER)
SET_LAYOUT(buffer_layout_dynamic,
           (info.flags = BUFFER_FLAG,
            bindings[0].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC),
           DESCRIPTOR_BUFFER, .expect = {LAYOUT("flags-08000")})

static void layout_of_embedded(struct baseline *b, VkDescriptorSetLayoutCreateFlags flags,
                               VkDescriptorType type, uint32_t count, bool with_sampler)
{
    VkSampler samplers[] = {make_sampler(b), make_sampler(b)};
    VkDescriptorSetLayoutBinding binding = binding_of(0, type, count);
    binding.pImmutableSamplers = with_sampler ? samplers : NULL;
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = flags,
        .bindingCount = 1,
        .pBindings = &binding};
    create_descriptor_set_layout(b, &info);
}

SCENARIO(embedded_sampler, DESCRIPTOR_BUFFER)
{
    layout_of_embedded(b, EMBEDDED, VK_DESCRIPTOR_TYPE_SAMPLER, 1, true);
    layout_of_embedded(b, EMBEDDED, VK_DESCRIPTOR_TYPE_SAMPLER, 0, false);
}

SCENARIO(embedded_not_in_buffer, DESCRIPTOR_BUFFER, .expect = {LAYOUT("flags-08001")})
{
    layout_of_embedded(b, VK_DESCRIPTOR_SET_LAYOUT_CREATE_EMBEDDED_IMMUTABLE_SAMPLERS_BIT_EXT,
                       VK_DESCRIPTOR_TYPE_SAMPLER, 1, true);
}

SCENARIO(embedded_combined, DESCRIPTOR_BUFFER, .expect = {BINDING("flags-08005")})
{
    layout_of_embedded(b, EMBEDDED, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, true);
}

SCENARIO(embedded_two, DESCRIPTOR_BUFFER, .expect = {BINDING("flags-08006")})
{
    layout_of_embedded(b, EMBEDDED, VK_DESCRIPTOR_TYPE_SAMPLER, 2, true);
}

SCENARIO(embedded_nothing, DESCRIPTOR_BUFFER, .expect = {BINDING("flags-08007")})
{
    layout_of_embedded(b, EMBEDDED, VK_DESCRIPTOR_TYPE_SAMPLER, 1, false);
}

/* --- one set a stage --- */

static const VkPhysicalDevicePerStageDescriptorSetFeaturesNV per_stage = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PER_STAGE_DESCRIPTOR_SET_FEATURES_NV,
    .perStageDescriptorSet = VK_TRUE};
#define STAGE_EXTENSION                                                                \
    .drivers = NULL_DRIVER, .extensions = {"VK_NV_per_stage_descriptor_set", "VK_KHR_" \
                                                                             "maintenance6"}
#define PER_STAGE (info.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PER_STAGE_BIT_NV)

SET_LAYOUT(per_stage_twice, (PER_STAGE, bindings[1].binding = 0), STAGE_EXTENSION,
           .features = &per_stage, .expect = {LAYOUT("flags-09464")})
SET_LAYOUT(per_stage_once,
           (PER_STAGE, bindings[1].binding = 0,
            bindings[1].stageFlags = VK_SHADER_STAGE_VERTEX_BIT),
           STAGE_EXTENSION, .features = &per_stage)
SET_LAYOUT(per_stage_all, (PER_STAGE, bindings[1].stageFlags = VK_SHADER_STAGE_ALL),
           STAGE_EXTENSION, .features = &per_stage, .expect = {BINDING("flags-09466")})

/* --- immutable samplers --- */

static void layout_of_immutable(struct baseline *b, VkDescriptorType type, VkSampler first,
                                VkSampler second)
{
    VkSampler samplers[] = {first, second};
    VkDescriptorSetLayoutBinding binding = binding_of(0, type, 2);
    binding.pImmutableSamplers = samplers;
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    create_descriptor_set_layout(b, &info);
}

static const VkPhysicalDeviceVulkan11Features ycbcr = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
    .samplerYcbcrConversion = VK_TRUE};

static VkSampler make_converting_sampler(struct baseline *b)
{
    VkSamplerYcbcrConversionInfo chained = {.sType =
                                                VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO,
                                            .conversion = make_sampler_ycbcr_conversion(b)};
    VkSamplerCreateInfo info = sampler_info();
    info.pNext = &chained;
    return create_sampler(b, &info);
}

SCENARIO(immutable_samplers, .features = &ycbcr)
{
    layout_of_immutable(b, VK_DESCRIPTOR_TYPE_SAMPLER, make_sampler(b), make_sampler(b));
    VkSampler sampler = make_converting_sampler(b);
    layout_of_immutable(b, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, sampler, sampler);
}

SCENARIO(immutable_converting_of_lone_sampler, .features = &ycbcr,
         .expect = {BINDING("descriptorType-12215")})
{
    VkSampler sampler = make_converting_sampler(b);
    layout_of_immutable(b, VK_DESCRIPTOR_TYPE_SAMPLER, sampler, sampler);
}

SCENARIO(immutable_some_converting, .features = &ycbcr, .expect = {BINDING("descriptorType-12200")})
{
    layout_of_immutable(b, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, make_converting_sampler(b),
                        make_sampler(b));
}

SCENARIO(immutable_custom_border, .extensions = {VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME},
         .features =
             &(VkPhysicalDeviceCustomBorderColorFeaturesEXT){
                 .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT,
                 .customBorderColors = VK_TRUE},
         .expect = {BINDING("pImmutableSamplers-04009")})
{
    VkSamplerCustomBorderColorCreateInfoEXT border = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
        .format = COLOR_FORMAT};
    VkSamplerCreateInfo info = sampler_info();
    info.pNext = &border;
    info.borderColor = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT;
    layout_of_immutable(b, VK_DESCRIPTOR_TYPE_SAMPLER, create_sampler(b, &info), make_sampler(b));
}

/* --- binding flags --- */

static void layout_of_flags(struct baseline *b, VkDescriptorType type,
                            VkDescriptorBindingFlags first, VkDescriptorBindingFlags second,
                            VkDescriptorSetLayoutCreateFlags flags)
{
    VkDescriptorSetLayoutBinding bindings[] = {binding_of(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4),
                                               binding_of(1, type, 4)};
    const VkDescriptorBindingFlags binding_flags[] = {first, second};
    const VkDescriptorSetLayoutBindingFlagsCreateInfo chained = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = 2,
        .pBindingFlags = binding_flags};
    if (type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT)
        bindings[1].stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT;
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .pNext = &chained,
        .flags = flags,
        .bindingCount = 2,
        .pBindings = bindings};
    create_descriptor_set_layout(b, &info);
}

#define UAB VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT
#define FLAGGED(name_, type_, first_, second_, flags_, ...)                      \
    SCENARIO(name_, ##__VA_ARGS__)                                               \
    {                                                                            \
        layout_of_flags(b, VK_DESCRIPTOR_TYPE_##type_, first_, second_, flags_); \
    }

static const VkPhysicalDeviceVulkan12Features indexing = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    .descriptorIndexing = VK_TRUE,
    .descriptorBindingUniformBufferUpdateAfterBind = VK_TRUE,
    .descriptorBindingSampledImageUpdateAfterBind = VK_TRUE,
    .descriptorBindingStorageImageUpdateAfterBind = VK_TRUE,
    .descriptorBindingStorageBufferUpdateAfterBind = VK_TRUE,
    .descriptorBindingUniformTexelBufferUpdateAfterBind = VK_TRUE,
    .descriptorBindingStorageTexelBufferUpdateAfterBind = VK_TRUE,
    .descriptorBindingUpdateUnusedWhilePending = VK_TRUE,
    .descriptorBindingPartiallyBound = VK_TRUE,
    .descriptorBindingVariableDescriptorCount = VK_TRUE,
};

FLAGGED(after_bind, STORAGE_IMAGE, UAB, UAB | VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT, AFTER_BIND,
        .features = &indexing)
FLAGGED(after_bind_without_pool_flag, STORAGE_IMAGE, UAB, 0, 0, .features = &indexing,
        .expect = {LAYOUT("flags-03000")})
FLAGGED(after_bind_beside_dynamic, STORAGE_BUFFER_DYNAMIC, UAB, 0, AFTER_BIND,
        .features = &indexing, .expect = {LAYOUT("descriptorType-03001")})
FLAGGED(after_bind_uniform_buffer, UNIFORM_BUFFER, 0, UAB, AFTER_BIND,
        .expect = {FLAGS("descriptorBindingUniformBufferUpdateAfterBind-03005")})
FLAGGED(after_bind_sampled_image, SAMPLED_IMAGE, 0, UAB, AFTER_BIND,
        .expect = {FLAGS("descriptorBindingSampledImageUpdateAfterBind-03006")})
FLAGGED(after_bind_storage_image, STORAGE_IMAGE, 0, UAB, AFTER_BIND,
        .expect = {FLAGS("descriptorBindingStorageImageUpdateAfterBind-03007")})
FLAGGED(after_bind_storage_buffer, STORAGE_BUFFER, 0, UAB, AFTER_BIND,
        .expect = {FLAGS("descriptorBindingStorageBufferUpdateAfterBind-03008")})
FLAGGED(after_bind_uniform_texel, UNIFORM_TEXEL_BUFFER, 0, UAB, AFTER_BIND,
        .expect = {FLAGS("descriptorBindingUniformTexelBufferUpdateAfterBind-03009")})
FLAGGED(after_bind_storage_texel, STORAGE_TEXEL_BUFFER, 0, UAB, AFTER_BIND,
        .expect = {FLAGS("descriptorBindingStorageTexelBufferUpdateAfterBind-03010")})
FLAGGED(after_bind_inline_uniform, INLINE_UNIFORM_BLOCK, 0, UAB, AFTER_BIND,
        .features = &inline_uniform,
        .expect = {FLAGS("descriptorBindingInlineUniformBlockUpdateAfterBind-02211")})
FLAGGED(after_bind_acceleration_structure, ACCELERATION_STRUCTURE_KHR, 0, UAB, AFTER_BIND,
        .drivers = NULL_DRIVER,
        .extensions = {"VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations"},
        .expect = {FLAGS("descriptorBindingAccelerationStructureUpdateAfterBind-03570")})
FLAGGED(after_bind_tensor, TENSOR_ARM, 0, UAB, AFTER_BIND, .drivers = NULL_DRIVER,
        .extensions = {"VK_ARM_tensors"},
        .expect = {FLAGS("descriptorBindingStorageTensorUpdateAfterBind-09697")})
FLAGGED(after_bind_dynamic, STORAGE_BUFFER_DYNAMIC, 0, UAB, AFTER_BIND, .features = &indexing,
        .expect = {FLAGS("None-03011")})
FLAGGED(after_bind_input_attachment, INPUT_ATTACHMENT, 0, UAB, AFTER_BIND, .features = &indexing,
        .expect = {FLAGS("None-03011")})
FLAGGED(unused_while_pending_not_enabled, STORAGE_BUFFER,
        VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT, 0, 0,
        .expect = {FLAGS("descriptorBindingUpdateUnusedWhilePending-03012")})
FLAGGED(partially_bound_not_enabled, STORAGE_BUFFER, VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT, 0,
        0, .expect = {FLAGS("descriptorBindingPartiallyBound-03013")})
FLAGGED(variable_not_enabled, STORAGE_BUFFER, 0,
        VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT, 0,
        .expect = {FLAGS("descriptorBindingVariableDescriptorCount-03014")})
FLAGGED(variable, STORAGE_BUFFER, 0, VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT, 0,
        .features = &indexing)
FLAGGED(variable_not_last, STORAGE_BUFFER, VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT, 0,
        0, .features = &indexing, .expect = {FLAGS("pBindingFlags-03004")})
FLAGGED(variable_dynamic, UNIFORM_BUFFER_DYNAMIC, 0,
        VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT, 0, .features = &indexing,
        .expect = {FLAGS("pBindingFlags-03015")})
FLAGGED(variable_push, STORAGE_BUFFER, 0, VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT,
        VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT, .features = &indexing, PUSH,
        .expect = {FLAGS("flags-03003")})

SCENARIO(flags_of_other_count, .features = &indexing, .expect = {FLAGS("bindingCount-03002")})
{
    const VkDescriptorBindingFlags flags[] = {0, 0};
    const VkDescriptorSetLayoutBindingFlagsCreateInfo chained = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = 2,
        .pBindingFlags = flags};
    VkDescriptorSetLayoutCreateInfo info = descriptor_set_layout_info();
    info.pNext = &chained;
    create_descriptor_set_layout(b, &info);
}

SCENARIO(support_of_repeated_binding, .expect = {LAYOUT("binding-00279")})
{
    const VkDescriptorSetLayoutBinding bindings[] = {
        binding_of(3, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1),
        binding_of(3, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1)};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 2,
        .pBindings = bindings};
    VkDescriptorSetLayoutSupport support = {.sType =
                                                VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT};
    vkGetDescriptorSetLayoutSupport(b->device, &info, &support);
}
