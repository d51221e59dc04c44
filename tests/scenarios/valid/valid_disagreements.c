/* Valid programs of the generator's of which the peer's layer says something. Nothing is found in
 * any of them. */
#include "scenario.h"

#define CHAIN(name_, Type_, TYPE_, next_, ...) \
    static const Type_ name_ = {               \
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE_, .pNext = (void *)(next_), __VA_ARGS__}
CHAIN(protected_memory, VkPhysicalDeviceProtectedMemoryFeatures, PROTECTED_MEMORY_FEATURES, NULL,
      .protectedMemory = VK_TRUE);
CHAIN(mutable_types, VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT,
      MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT, NULL, .mutableDescriptorType = VK_TRUE);

/* "VkDeviceQueueCreateInfo::flags must have been zero": there are queues of both kinds, and those
 * of no flags are meant. */
SCENARIO(queue_beside_a_protected_one, .start = START_INSTANCE, .drivers = NULL_DRIVER)
{
    static const float priorities[] = {1.0f, 1.0f};
    VkDeviceQueueCreateInfo queues[2] = {{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                          .queueCount = 2,
                                          .pQueuePriorities = priorities}};
    queues[1] = queues[0];
    queues[1].flags = VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT;
    queues[1].queueCount = 1;
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &protected_memory,
                                     .queueCreateInfoCount = 2,
                                     .pQueueCreateInfos = queues};
    VkDevice device;
    VK(vkCreateDevice(b->physical_device, &info, NULL, &device));
    VkQueue queue;
    vkGetDeviceQueue(device, 0, 1, &queue);
    vkDestroyDevice(device, NULL);
}

/* "pBindings[i] uses the descriptor type lists in pMutableDescriptorTypeLists[i]"; the last list
 * has no binding. */
SCENARIO(mutable_with_more_lists_than_bindings, .features = &mutable_types,
         .extensions = {"VK_EXT_mutable_descriptor_type"})
{
    static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                             VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER};
    const VkMutableDescriptorTypeListEXT lists[] = {{2, types}, {0, NULL}};
    const VkMutableDescriptorTypeCreateInfoEXT chained = {
        .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
        .mutableDescriptorTypeListCount = 2,
        .pMutableDescriptorTypeLists = lists};
    const VkDescriptorSetLayoutBinding binding = {.descriptorType = VK_DESCRIPTOR_TYPE_MUTABLE_EXT,
                                                  .descriptorCount = 1,
                                                  .stageFlags = VK_SHADER_STAGE_ALL};
    VkDescriptorSetLayoutCreateInfo layout = descriptor_set_layout_info();
    layout.pNext = &chained;
    layout.bindingCount = 1;
    layout.pBindings = &binding;
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 16};
    VkDescriptorPoolCreateInfo pool = descriptor_pool_info();
    pool.poolSizeCount = 1;
    pool.pPoolSizes = &size;
    VkDescriptorSet set = make_descriptor_set(b, create_descriptor_pool(b, &pool),
                                              create_descriptor_set_layout(b, &layout));
    const VkDescriptorBufferInfo buffer = {make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
                                           0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = set,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        .pBufferInfo = &buffer};
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

/* An import is "VkImportMemoryFdInfoKHR with a non-zero handleType value": this is none, whatever
 * fd is. */
SCENARIO(import_of_no_handle_type, .drivers = NULL_DRIVER,
         .extensions = {"VK_KHR_external_memory_fd"})
{
    VkBuffer buffer = make_unbound_buffer(b);
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(b->device, buffer, &needs);
    const VkImportMemoryFdInfoKHR none = {.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
                                          .fd = 7777};
    VkMemoryAllocateInfo info = memory_info(needs.size, 0);
    info.pNext = &none;
    VK(vkBindBufferMemory(b->device, buffer, create_memory(b, &info), 0));
}
