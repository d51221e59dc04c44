/* Makes the descriptor set that a pipe reads. */
#include "pipelines.h"

void pipe_make_set(struct world *w, struct pipe *pipe, VkDescriptorType type,
                   VkShaderStageFlags stages, uint32_t binding)
{
    VkDescriptorSetLayoutBinding bindings[] = {
        {binding, type, 1, stages, IGNORED},
        {7, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0, stages, IGNORED}};
    if (type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER)
        bindings[0].pImmutableSamplers = NULL;
    VkDescriptorSetLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = between(w, 1, 2),
        .pBindings = bindings};
    MUST(CreateDescriptorSetLayout, w->device, &layout, NULL, &pipe->set_layout);
    OWN(DescriptorSetLayout, pipe->set_layout);
    VkDescriptorPoolSize size = {type, 1};
    VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .maxSets = 1,
                                       .poolSizeCount = 1,
                                       .pPoolSizes = &size};
    VkDescriptorPool handle = VK_NULL_HANDLE;
    MUST(CreateDescriptorPool, w->device, &pool, NULL, &handle);
    OWN(DescriptorPool, handle);
    VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                            .descriptorPool = handle,
                                            .descriptorSetCount = 1,
                                            .pSetLayouts = &pipe->set_layout};
    MUST(AllocateDescriptorSets, w->device, &allocate, &pipe->set);
}

void pipe_write_set(struct world *w, const struct pipe *pipe, VkDescriptorType type,
                    uint32_t binding, const VkDescriptorImageInfo *image,
                    const VkDescriptorBufferInfo *buffer)
{
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = pipe->set,
                                  .dstBinding = binding,
                                  .descriptorCount = 1,
                                  .descriptorType = type,
                                  .pImageInfo = image ? image : IGNORED,
                                  .pBufferInfo = buffer ? buffer : IGNORED,
                                  .pTexelBufferView = IGNORED};
    CALL(UpdateDescriptorSets, w->device, 1, &write, 0, IGNORED);
}

void set_write_image(struct world *w, const struct pipe *pipe, VkDescriptorType type,
                     uint32_t binding, VkImageView view, VkImageLayout layout)
{
    VkDescriptorImageInfo info = {
        type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER ? make_sampler(w) : VK_NULL_HANDLE, view,
        layout};
    if (type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT && chance(w, 30))
        info.sampler = (VkSampler)(uintptr_t)0xdead0002; /* ignored */
    pipe_write_set(w, pipe, type, binding, &info, NULL);
}
