/* Valid descriptor set layouts at the edges of the chapter. There are bindings of nothing, members
 * that are ignored, flags of some bindings, lists that are longer or shorter. Nothing is found in
 * any of them. */
#include "scenario.h"

#define CHAIN(name_, Type_, TYPE_, next_, ...) \
    static const Type_ name_ = {               \
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE_, .pNext = (void *)(next_), __VA_ARGS__}
CHAIN(mutables, VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT,
      MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT, NULL, .mutableDescriptorType = VK_TRUE);
CHAIN(blocks, VkPhysicalDeviceInlineUniformBlockFeatures, INLINE_UNIFORM_BLOCK_FEATURES, NULL,
      .inlineUniformBlock = VK_TRUE);
CHAIN(indexing, VkPhysicalDeviceDescriptorIndexingFeatures, DESCRIPTOR_INDEXING_FEATURES, &blocks,
      .descriptorBindingPartiallyBound = VK_TRUE,
      .descriptorBindingVariableDescriptorCount = VK_TRUE,
      .descriptorBindingStorageBufferUpdateAfterBind = VK_TRUE,
      .descriptorBindingUpdateUnusedWhilePending = VK_TRUE);
#define MUTABLE  .features = &mutables, .extensions = {"VK_EXT_mutable_descriptor_type"}
#define INDEXING .features = &indexing
#define PUSH     .extensions = {"VK_KHR_push_descriptor"}

#define STORAGE VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
#define ALL     VK_SHADER_STAGE_ALL

/* `x` is the create info of three bindings, 0 to 2, each of one storage buffer. */
#define UNWRAP(...) __VA_ARGS__
#define LAYOUT(name_, fields_, ...)                                                              \
    SCENARIO(name_, UNWRAP fields_)                                                              \
    {                                                                                            \
        VkDescriptorSetLayoutBinding bindings[] = {                                              \
            {0, STORAGE, 1, ALL, NULL}, {1, STORAGE, 1, ALL, NULL}, {2, STORAGE, 1, ALL, NULL}}; \
        VkDescriptorSetLayoutCreateInfo x = {                                                    \
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,                        \
            .bindingCount = 3,                                                                   \
            .pBindings = bindings};                                                              \
        __VA_ARGS__;                                                                             \
        VkDescriptorSetLayoutSupport support = {                                                 \
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT};                           \
        vkGetDescriptorSetLayoutSupport(b->device, &x, &support);                                \
        EXPECT(create_descriptor_set_layout(b, &x) != VK_NULL_HANDLE);                           \
    }
#define FLAGS(count_, ...)                                                          \
    const VkDescriptorBindingFlags binding_flags[] = {__VA_ARGS__};                 \
    const VkDescriptorSetLayoutBindingFlagsCreateInfo flags = {                     \
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO, \
        .bindingCount = (count_),                                                   \
        .pBindingFlags = binding_flags};                                            \
    x.pNext = &flags
#define PARTIAL  VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT
#define VARIABLE VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT
#define AFTER    VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT

LAYOUT(empty, (), x.bindingCount = 0; x.pBindings = NULL)
LAYOUT(out_of_order, (), bindings[0].binding = 7; bindings[1].binding = 3;
       bindings[2].binding = 1000)
/* "If descriptorCount is zero this binding entry is reserved and the resource must not be
 * accessed": its stages and samplers are of no meaning. */
LAYOUT(reserved, (), bindings[1].descriptorCount = 0; bindings[1].stageFlags = 0x7000000;
       bindings[1].descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER)
LAYOUT(no_stages, (), bindings[0].stageFlags = 0)
LAYOUT(input_attachment_of_no_stage, (),
       bindings[0].descriptorType = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
       bindings[0].stageFlags = 0; bindings[1].descriptorType = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
       bindings[1].stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT; bindings[2].descriptorCount = 0;
       bindings[2].descriptorType = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT)
/* pImmutableSamplers of what has no sampler is ignored. */
LAYOUT(samplers_of_a_buffer, (), const VkSampler sampler = make_sampler(b);
       bindings[0].pImmutableSamplers = &sampler)
LAYOUT(samplers_repeated, (), const VkSampler sampler = make_sampler(b);
       const VkSampler both[] = {sampler, sampler};
       bindings[0].descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
       bindings[0].descriptorCount = 2; bindings[0].pImmutableSamplers = both)
LAYOUT(flags_of_none, (INDEXING), FLAGS(0, PARTIAL))
LAYOUT(flags_of_each, (INDEXING), FLAGS(3, PARTIAL, 0, PARTIAL | VARIABLE))
/* The highest number, not the last element. */
LAYOUT(variable_first, (INDEXING), bindings[0].binding = 9; FLAGS(3, VARIABLE, 0, 0))
LAYOUT(after_bind_of_one, (INDEXING),
       x.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT;
       FLAGS(3, 0, AFTER | VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT, 0))
/* The layout may be one of the kind without a binding that is. */
LAYOUT(after_bind_of_dynamic_buffers, (INDEXING),
       x.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT;
       bindings[0].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC)
LAYOUT(block_of_bytes, (INDEXING),
       bindings[2].descriptorType = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
       bindings[2].descriptorCount = 36)
LAYOUT(variable_block, (INDEXING),
       bindings[2].descriptorType = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
       bindings[2].descriptorCount = 64; FLAGS(3, 0, 0, VARIABLE))
LAYOUT(pushed, (PUSH), x.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT;
       bindings[0].descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
       bindings[1].descriptorCount = 0)
LAYOUT(pushed_partially, (INDEXING, PUSH),
       x.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT;
       FLAGS(3, PARTIAL, PARTIAL, 0))
static const VkDescriptorType some_types[] = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                                              VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE};
static const VkMutableDescriptorTypeListEXT type_lists[] = {
    {0, NULL}, {2, some_types}, {0, NULL}, {0, NULL}};
#define LISTS(count_)                                                       \
    const VkMutableDescriptorTypeCreateInfoEXT lists = {                    \
        .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT, \
        .mutableDescriptorTypeListCount = (count_),                         \
        .pMutableDescriptorTypeLists = type_lists};                         \
    x.pNext = &lists
LAYOUT(lists_as_far_as_needed, (MUTABLE),
       bindings[1].descriptorType = VK_DESCRIPTOR_TYPE_MUTABLE_EXT;
       LISTS(2))
LAYOUT(lists_of_more, (MUTABLE), bindings[1].descriptorType = VK_DESCRIPTOR_TYPE_MUTABLE_EXT;
       LISTS(4))
LAYOUT(lists_of_none, (MUTABLE), LISTS(0))
