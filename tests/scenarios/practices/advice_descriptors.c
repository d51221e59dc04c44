/* Advice on descriptor pools, sets and their updates. */
#include "practices.h"

static VkDescriptorPool make_pool_with(struct baseline *b, uint32_t sets, uint32_t descriptors,
                                       VkDescriptorPoolCreateFlags flags)
{
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, descriptors};
    VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .flags = flags,
                                       .maxSets = sets,
                                       .poolSizeCount = 1,
                                       .pPoolSizes = &size};
    return create_descriptor_pool(b, &info);
}

static VkDescriptorPool make_advised_pool(struct baseline *b, uint32_t sets, uint32_t descriptors)
{
    return make_pool_with(b, sets, descriptors, VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT);
}

static void allocate_advised(struct baseline *b, VkDescriptorPool pool, uint32_t count)
{
    VkDescriptorSetLayout layout = make_descriptor_set_layout(b);
    VkDescriptorSetLayout layouts[] = {layout, layout, layout};
    VkDescriptorSet sets[3];
    VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                        .descriptorPool = pool,
                                        .descriptorSetCount = count,
                                        .pSetLayouts = layouts};
    vkAllocateDescriptorSets(b->device, &info, sets);
}

SCENARIO(pool_of_two_sets, ADVISED, .drivers = NULL_DRIVER,
         .expect = {BP("vkAllocateDescriptorSets-EmptyDescriptorPool")},
         .text = {"pAllocateInfo->descriptorPool had 2 of 2 sets left, and 3 are allocated"})
{
    allocate_advised(b, make_advised_pool(b, 2, 8), 3);
}

/* Then the program takes another pool. */
#define SAYS_IT_IS_EMPTY                                                                \
    .drivers = NULL_DRIVER, .null_driver = "{\"fail\": {\"vkAllocateDescriptorSets\": " \
                                           "\"VK_ERROR_OUT_OF_POOL_MEMORY\"}}"

SCENARIO(pool_that_says_it_is_empty, ADVISED, SAYS_IT_IS_EMPTY)
{
    allocate_advised(b, make_advised_pool(b, 2, 8), 3);
}

SCENARIO(pool_of_three_sets, ADVISED, .drivers = NULL_DRIVER)
{
    allocate_advised(b, make_advised_pool(b, 3, 8), 3);
}

SCENARIO(pool_of_two_descriptors, ADVISED, .drivers = NULL_DRIVER,
         .expect = {BP("vkAllocateDescriptorSets-EmptyDescriptorPoolType")},
         .text = {"had 2 of 2 descriptors of type VK_DESCRIPTOR_TYPE_STORAGE_BUFFER left, and the "
                  "sets take 3"})
{
    allocate_advised(b, make_advised_pool(b, 4, 2), 3);
}

SCENARIO(pool_that_says_it_has_no_descriptors, ADVISED, SAYS_IT_IS_EMPTY)
{
    allocate_advised(b, make_advised_pool(b, 4, 2), 3);
}

SCENARIO(pool_of_three_descriptors, ADVISED, .drivers = NULL_DRIVER)
{
    allocate_advised(b, make_advised_pool(b, 4, 3), 3);
}

FEATURES(overallocation, VkPhysicalDeviceDescriptorPoolOverallocationFeaturesNV,
         DESCRIPTOR_POOL_OVERALLOCATION_FEATURES_NV, .descriptorPoolOverallocation = VK_TRUE);

SCENARIO(pool_that_may_grow, ADVISED, .drivers = NULL_DRIVER, .features = &overallocation,
         .extensions = {"VK_NV_descriptor_pool_overallocation"})
{
    allocate_advised(
        b,
        make_pool_with(b, 2, 2,
                       VK_DESCRIPTOR_POOL_CREATE_ALLOW_OVERALLOCATION_SETS_BIT_NV |
                           VK_DESCRIPTOR_POOL_CREATE_ALLOW_OVERALLOCATION_POOLS_BIT_NV),
        3);
}

static void free_and_allocate(struct baseline *b, int times)
{
    VkDescriptorPool pool = make_advised_pool(b, 4, 4);
    VkDescriptorSetLayout layout = make_descriptor_set_layout(b);
    VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                        .descriptorPool = pool,
                                        .descriptorSetCount = 1,
                                        .pSetLayouts = &layout};
    for (int i = 0; i < times; i++) {
        VkDescriptorSet set;
        VK(vkAllocateDescriptorSets(b->device, &info, &set));
        VK(vkFreeDescriptorSets(b->device, pool, 1, &set));
    }
}

SCENARIO(sets_churned, ADVISED_FOR(arm),
         .expect = {BP("Arm-vkAllocateDescriptorSets-suboptimal-reuse")},
         .text = {"allocates a set like the one that was freed just before, 16 times so far"})
{
    free_and_allocate(b, 17);
}

SCENARIO(sets_churned_a_little, ADVISED_FOR(arm))
{
    free_and_allocate(b, 16);
}

static void update_advised(struct baseline *b, bool copies)
{
    VkDescriptorSetLayout layout = make_descriptor_set_layout(b);
    VkDescriptorPool pool = make_descriptor_pool(b);
    VkDescriptorSet sets[] = {make_descriptor_set(b, pool, layout),
                              make_descriptor_set(b, pool, layout)};
    VkDescriptorBufferInfo buffer = {make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), 0,
                                     VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = write_buffer(sets[0], &buffer);
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
    VkCopyDescriptorSet copy = {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                .srcSet = sets[0],
                                .dstSet = sets[1],
                                .descriptorCount = 1};
    if (copies)
        vkUpdateDescriptorSets(b->device, 0, NULL, 1, &copy);
}

SCENARIO(descriptors_copied, ADVISED_FOR(amd),
         .expect = {BP("AMD-UpdateDescriptors-AvoidCopyingDescriptors")},
         .text = {"descriptorCopyCount is 1"})
{
    update_advised(b, true);
}

SCENARIO(descriptors_written, ADVISED_FOR(amd))
{
    update_advised(b, false);
}

FEATURES(mutable_type, VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT,
         MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT, .mutableDescriptorType = VK_TRUE);

static void make_mutable(struct baseline *b, uint32_t lists)
{
    static const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    static const VkMutableDescriptorTypeListEXT list[] = {{1, &type}, {1, &type}};
    VkMutableDescriptorTypeCreateInfoEXT types = {
        .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
        .mutableDescriptorTypeListCount = lists,
        .pMutableDescriptorTypeLists = list};
    VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 1,
                                            VK_SHADER_STAGE_ALL, NULL};
    VkDescriptorSetLayoutCreateInfo info = {.sType =
                                                VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .pNext = &types,
                                            .bindingCount = 1,
                                            .pBindings = &binding};
    create_descriptor_set_layout(b, &info);
}

#define MUTABLE_WITH(...)                                                              \
    ADVISED, .drivers = NULL_DRIVER, .extensions = {"VK_EXT_mutable_descriptor_type"}, \
        .features = &mutable_type, .expect = {BP("specialuse-extension"), ##__VA_ARGS__}

SCENARIO(more_lists_than_bindings, MUTABLE_WITH(BP("MutableDescriptor-TypeListCount")),
         .text = {"mutableDescriptorTypeListCount is 2, and bindingCount is 1"})
{
    make_mutable(b, 2);
}

SCENARIO(as_many_lists_as_bindings, MUTABLE_WITH())
{
    make_mutable(b, 1);
}
