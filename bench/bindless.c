/* Makes sets as large as bindless renderers have them, and a compute pipeline that may read any of
 * their descriptors. */
#include "context.h"

#include "bindless.comp.h"

#include <stdlib.h>

VkPipeline compute_pipeline_create(const struct context *context)
{
    const VkShaderModule module =
        shader_create(context, (struct shader_code){bindless_comp, sizeof(bindless_comp)});
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"},
        .layout = context->bindless.pipeline_layout};
    VkPipeline pipeline;
    bench_must(context->vk.CreateComputePipelines(context->device, VK_NULL_HANDLE, 1, &info, NULL,
                                                  &pipeline),
               "vkCreateComputePipelines");
    context->vk.DestroyShaderModule(context->device, module, NULL);
    return pipeline;
}

void bindless_create(struct context *context)
{
    struct bindless *bindless = &context->bindless;
    const VkDescriptorSetLayoutBinding binding = {
        0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, BINDLESS_COUNT, VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    bench_must(context->vk.CreateDescriptorSetLayout(context->device, &set, NULL,
                                                     &bindless->set_layout),
               "vkCreateDescriptorSetLayout");
    const VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
    const VkPipelineLayoutCreateInfo layout = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &bindless->set_layout,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &push};
    bench_must(context->vk.CreatePipelineLayout(context->device, &layout, NULL,
                                                &bindless->pipeline_layout),
               "vkCreatePipelineLayout");
    bindless->pipeline = compute_pipeline_create(context);
}

void bindless_destroy(struct context *context)
{
    context->vk.DestroyPipeline(context->device, context->bindless.pipeline, NULL);
    context->vk.DestroyPipelineLayout(context->device, context->bindless.pipeline_layout, NULL);
    context->vk.DestroyDescriptorSetLayout(context->device, context->bindless.set_layout, NULL);
}

void bindless_sets_create(struct worker *worker)
{
    const struct context *context = worker->context;
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                       SET_COUNT * BINDLESS_COUNT};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = SET_COUNT,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    bench_must(context->vk.CreateDescriptorPool(context->device, &pool, NULL,
                                                &worker->bindless_pool),
               "vkCreateDescriptorPool");
    const VkDescriptorSetLayout layouts[SET_COUNT] = {context->bindless.set_layout,
                                                      context->bindless.set_layout};
    const VkDescriptorSetAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = worker->bindless_pool,
                                              .descriptorSetCount = SET_COUNT,
                                              .pSetLayouts = layouts};
    bench_must(context->vk.AllocateDescriptorSets(context->device, &info, worker->bindless_sets),
               "vkAllocateDescriptorSets");
    VkDescriptorBufferInfo *buffers = calloc(BINDLESS_COUNT, sizeof(*buffers));
    if (!buffers)
        fail("calloc");
    for (uint32_t i = 0; i < BINDLESS_COUNT; i++)
        buffers[i] = (VkDescriptorBufferInfo){worker->source, 0, VK_WHOLE_SIZE};
    for (uint32_t s = 0; s < SET_COUNT; s++) {
        const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstSet = worker->bindless_sets[s],
                                            .descriptorCount = BINDLESS_COUNT,
                                            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                            .pBufferInfo = buffers};
        context->vk.UpdateDescriptorSets(context->device, 1, &write, 0, NULL);
    }
    free(buffers);
}
