/* Descriptor pools and the sets that are taken from them (14.2.3 "Allocation of Descriptor Sets").
 */
#include "scenario.h"

#define POOL(name_)     "VUID-VkDescriptorPoolCreateInfo-" name_
#define ALLOCATE(name_) "VUID-VkDescriptorSetAllocateInfo-" name_
#define HOST_ONLY       VK_DESCRIPTOR_POOL_CREATE_HOST_ONLY_BIT_EXT
#define AFTER_BIND      VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT

static const VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT mutable_type = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT,
    .mutableDescriptorType = VK_TRUE};
#define MUTABLE_EXTENSION .extensions = {"VK_EXT_mutable_descriptor_type"}
#define MUTABLE           MUTABLE_EXTENSION, .features = &mutable_type
static const VkPhysicalDeviceDescriptorPoolOverallocationFeaturesNV overallocation = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_POOL_OVERALLOCATION_FEATURES_NV,
    .descriptorPoolOverallocation = VK_TRUE};
#define OVER .drivers = NULL_DRIVER, .extensions = {"VK_NV_descriptor_pool_overallocation"}
static const VkPhysicalDeviceVulkan13Features inline_uniform = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .inlineUniformBlock = VK_TRUE};

#define NEW_POOL(name_, changes_, ...)                            \
    SCENARIO(name_, ##__VA_ARGS__)                                \
    {                                                             \
        VkDescriptorPoolCreateInfo info = descriptor_pool_info(); \
        changes_;                                                 \
        create_descriptor_pool(b, &info);                         \
    }

NEW_POOL(one_set, info.maxSets = 1)
NEW_POOL(no_sets_overallocated,
         (info.maxSets = 0,
          info.flags = VK_DESCRIPTOR_POOL_CREATE_ALLOW_OVERALLOCATION_SETS_BIT_NV),
         OVER, .features = &overallocation)
NEW_POOL(host_only, info.flags = HOST_ONLY, MUTABLE)
NEW_POOL(host_only_after_bind, info.flags = HOST_ONLY | AFTER_BIND, MUTABLE,
         .expect = {POOL("flags-04607")})

static void pool_of(struct baseline *b, const void *chain, VkDescriptorPoolSize first,
                    VkDescriptorPoolSize second)
{
    const VkDescriptorPoolSize sizes[] = {first, second};
    const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .pNext = chain,
                                             .maxSets = 1,
                                             .poolSizeCount = 2,
                                             .pPoolSizes = sizes};
    create_descriptor_pool(b, &info);
}

static VkDescriptorPoolSize size_of(VkDescriptorType type, uint32_t count)
{
    return (VkDescriptorPoolSize){type, count};
}

SCENARIO(mutable_not_enabled, MUTABLE_EXTENSION, .expect = {POOL("mutableDescriptorType-04608")})
{
    pool_of(b, NULL, size_of(VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 1),
            size_of(VK_DESCRIPTOR_TYPE_SAMPLER, 1));
}

static void mutable_pool(struct baseline *b, VkDescriptorType third, VkDescriptorType fourth)
{
    const VkDescriptorType first[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                      VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER},
                           second[] = {third, fourth};
    const VkMutableDescriptorTypeListEXT lists[] = {{2, first}, {2, second}};
    const VkMutableDescriptorTypeCreateInfoEXT chain = {
        .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
        .mutableDescriptorTypeListCount = 2,
        .pMutableDescriptorTypeLists = lists};
    pool_of(b, &chain, size_of(VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 1),
            size_of(VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 1));
}

SCENARIO(mutable_lists_overlap, MUTABLE, .expect = {POOL("pPoolSizes-04787")})
{
    mutable_pool(b, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE);
}

SCENARIO(mutable_lists, MUTABLE)
{
    mutable_pool(b, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE);
    mutable_pool(b, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
}

static void inline_pool(struct baseline *b, uint32_t bytes, uint32_t bindings)
{
    const VkDescriptorPoolInlineUniformBlockCreateInfo chain = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO,
        .maxInlineUniformBlockBindings = bindings};
    pool_of(b, &chain, size_of(VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, bytes),
            size_of(VK_DESCRIPTOR_TYPE_SAMPLER, 1));
}

SCENARIO(inline_uniform_pool, .features = &inline_uniform)
{
    inline_pool(b, 16, 1);
}

SCENARIO(inline_uniform_pool_without_bindings, .features = &inline_uniform,
         .expect = {POOL("pPoolSizes-09424")})
{
    inline_pool(b, 16, 0);
}

SCENARIO(inline_uniform_pool_odd, .features = &inline_uniform,
         .expect = {"VUID-VkDescriptorPoolSize-type-02218"})
{
    inline_pool(b, 6, 1);
}

/* --- allocation --- */

static VkDescriptorPool pool_with(struct baseline *b, VkDescriptorPoolCreateFlags flags)
{
    VkDescriptorPoolCreateInfo info = descriptor_pool_info();
    info.flags |= flags;
    return create_descriptor_pool(b, &info);
}

static VkDescriptorSetLayout layout_with(struct baseline *b, VkDescriptorSetLayoutCreateFlags flags)
{
    VkDescriptorSetLayoutCreateInfo info = descriptor_set_layout_info();
    info.flags = flags;
    return create_descriptor_set_layout(b, &info);
}

static VkResult allocate_from_pool(struct baseline *b, VkDescriptorPool pool,
                                   VkDescriptorSetLayout layout, uint32_t count, const void *chain)
{
    VkDescriptorSetLayout layouts[4] = {layout, layout, layout, layout};
    VkDescriptorSet sets[4];
    const VkDescriptorSetAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .pNext = chain,
                                              .descriptorPool = pool,
                                              .descriptorSetCount = count,
                                              .pSetLayouts = layouts};
    return vkAllocateDescriptorSets(b->device, &info, sets);
}

SCENARIO(allocate_after_bind)
{
    VK(allocate_from_pool(b, pool_with(b, AFTER_BIND),
                          layout_with(b,
                                      VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT),
                          1, NULL));
    VK(allocate_from_pool(b, pool_with(b, AFTER_BIND), layout_with(b, 0), 1, NULL));
}

SCENARIO(allocate_host_only, MUTABLE)
{
    VK(allocate_from_pool(b, pool_with(b, HOST_ONLY),
                          layout_with(b, VK_DESCRIPTOR_SET_LAYOUT_CREATE_HOST_ONLY_POOL_BIT_EXT), 1,
                          NULL));
}

/* --- variable counts --- */

static const VkPhysicalDeviceVulkan12Features variable_count = {
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
    .runtimeDescriptorArray = VK_TRUE,
};

static void allocate_variable(struct baseline *b, uint32_t descriptors, uint32_t counts)
{
    static const VkDescriptorBindingFlags flag =
        VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT;
    static const VkDescriptorSetLayoutBindingFlagsCreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = 1,
        .pBindingFlags = &flag};
    static const VkDescriptorSetLayoutBinding binding = {.descriptorType =
                                                             VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                                         .descriptorCount = 8,
                                                         .stageFlags = VK_SHADER_STAGE_ALL};
    VkDescriptorSetLayoutCreateInfo info = descriptor_set_layout_info();
    info.pNext = &flags;
    info.pBindings = &binding;
    const uint32_t list[] = {descriptors, descriptors};
    const VkDescriptorSetVariableDescriptorCountAllocateInfo variable = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO,
        .descriptorSetCount = counts,
        .pDescriptorCounts = list};
    allocate_from_pool(b, make_descriptor_pool(b), create_descriptor_set_layout(b, &info), 1,
                       &variable);
}

SCENARIO(variable_counts, .features = &variable_count)
{
    allocate_variable(b, 8, 1);
    allocate_variable(b, 9, 0);
}

SCENARIO(variable_count_large, .features = &variable_count,
         .expect = {ALLOCATE("pSetLayouts-09380")},
         .text = {
             "pDescriptorCounts[0] is 9, but binding 0 of the layout has 8 descriptors at most"})
{
    allocate_variable(b, 9, 1);
}

SCENARIO(variable_counts_of_other_number, .features = &variable_count,
         .expect = {
             "VUID-VkDescriptorSetVariableDescriptorCountAllocateInfo-descriptorSetCount-03045"})
{
    allocate_variable(b, 8, 2);
}

/* --- what is left (version 1.0: later ones answer VK_ERROR_OUT_OF_POOL_MEMORY) --- */

static VkDescriptorPool small_pool(struct baseline *b, uint32_t sets, uint32_t buffers)
{
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffers};
    VkDescriptorPoolCreateInfo info = descriptor_pool_info();
    info.maxSets = sets;
    info.poolSizeCount = 1;
    info.pPoolSizes = &size;
    return create_descriptor_pool(b, &info);
}

#define OLD                                                    \
    .drivers = NULL_DRIVER, .api_version = VK_API_VERSION_1_0, \
    .null_driver = "{\"apiVersion\": \"1.0.0\"}"

SCENARIO(pool_without_sets, OLD, .expect = {ALLOCATE("apiVersion-07895")},
         .text = {"is 2, but the pool has 1 of its 2"})
{
    VkDescriptorPool pool = small_pool(b, 2, 4);
    VkDescriptorSetLayout layout = make_descriptor_set_layout(b);
    VK(allocate_from_pool(b, pool, layout, 1, NULL));
    allocate_from_pool(b, pool, layout, 2, NULL);
}

SCENARIO(pool_without_descriptors, OLD, .expect = {ALLOCATE("apiVersion-07896")})
{
    VkDescriptorPool pool = small_pool(b, 4, 2);
    VkDescriptorSetLayout layout = make_descriptor_set_layout(b);
    VK(allocate_from_pool(b, pool, layout, 2, NULL));
    allocate_from_pool(b, pool, layout, 1, NULL);
}

SCENARIO(pool_with_room_again, OLD)
{
    VkDescriptorPool pool = small_pool(b, 2, 2);
    VkDescriptorSetLayout layout = make_descriptor_set_layout(b);
    VkDescriptorSet set = make_descriptor_set(b, pool, layout);
    VK(vkFreeDescriptorSets(b->device, pool, 1, &set));
    VK(allocate_from_pool(b, pool, layout, 2, NULL));
    VK(vkResetDescriptorPool(b->device, pool, 0));
    VK(allocate_from_pool(b, pool, layout, 2, NULL));
}

/* --- back --- */

SCENARIO(free_from_pool_without_flag, .expect = {"VUID-vkFreeDescriptorSets-descriptorPool-00312"})
{
    VkDescriptorPoolCreateInfo info = descriptor_pool_info();
    info.flags = 0;
    VkDescriptorPool pool = create_descriptor_pool(b, &info);
    VkDescriptorSet set = make_descriptor_set(b, pool, make_descriptor_set_layout(b));
    vkFreeDescriptorSets(b->device, pool, 1, &set);
}

/* A set that submitted work uses, which the app has not seen done. */
static VkDescriptorSet used_set(struct baseline *b, VkDescriptorPool pool)
{
    VkDescriptorSetLayout set_layout = make_descriptor_set_layout(b);
    VkPipelineLayout layout = make_pipeline_layout(b, set_layout);
    VkDescriptorSet set = make_descriptor_set(b, pool, set_layout);
    VkBuffer buffer = make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    const VkDescriptorBufferInfo info = {buffer, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = write_buffer(set, &info);
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
    VkPipeline pipeline = make_compute_pipeline(b, layout);
    VkCommandBuffer commands = make_recording(b);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
    const uint32_t offset = 0;
    vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_ALL, 0, sizeof(offset), &offset);
    vkCmdDispatch(commands, 1, 1, 1);
    VK(vkEndCommandBuffer(commands));
    VkSubmitInfo submit = submit_info(&commands);
    VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
    return set;
}

static void end_work(struct baseline *b)
{
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(free_in_use, .expect = {"VUID-vkFreeDescriptorSets-pDescriptorSets-00309"})
{
    VkDescriptorPool pool = make_descriptor_pool(b);
    VkDescriptorSet set = used_set(b, pool);
    vkFreeDescriptorSets(b->device, pool, 1, &set);
    end_work(b);
}

SCENARIO(reset_in_use, .expect = {"VUID-vkResetDescriptorPool-descriptorPool-00313"})
{
    VkDescriptorPool pool = make_descriptor_pool(b);
    used_set(b, pool);
    vkResetDescriptorPool(b->device, pool, 0);
    end_work(b);
}

SCENARIO(destroy_in_use, .expect = {"VUID-vkDestroyDescriptorPool-descriptorPool-00303"})
{
    VkDescriptorPool pool = make_descriptor_pool(b);
    used_set(b, pool);
    vkDestroyDescriptorPool(b->device, pool, NULL);
    end_work(b);
}

SCENARIO(update_in_use, .expect = {"VUID-vkUpdateDescriptorSets-None-03047"})
{
    VkDescriptorSet set = used_set(b, make_descriptor_pool(b));
    const VkDescriptorBufferInfo info = {make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), 0,
                                         VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = write_buffer(set, &info);
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
    end_work(b);
}

SCENARIO(everything_after_use)
{
    VkDescriptorPool pool = make_descriptor_pool(b);
    VkDescriptorSet set = used_set(b, pool);
    end_work(b);
    const VkDescriptorBufferInfo info = {make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), 0,
                                         VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = write_buffer(set, &info);
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
    VK(vkFreeDescriptorSets(b->device, pool, 1, &set));
    VK(vkResetDescriptorPool(b->device, pool, 0));
}
