/* Commands that the device generates: dispatches and pushed constants from memory, preprocessed or
 * not, of pipelines and of execution sets. */
#include "valid.h"

struct generated {
    VkDescriptorSetLayout set_layout;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkIndirectCommandsLayoutEXT commands;
    VkIndirectExecutionSetEXT pipelines;
    VkGeneratedCommandsInfoEXT info;
    bool preprocessed, with_set;
};

static void destroy_commands_layout(void *world, uint64_t handle, uint64_t other)
{
    struct world *w = world;
    (void)other;
    CALL(DestroyIndirectCommandsLayoutEXT, w->device, (VkIndirectCommandsLayoutEXT)handle, NULL);
}

static void destroy_execution_set(void *world, uint64_t handle, uint64_t other)
{
    struct world *w = world;
    (void)other;
    CALL(DestroyIndirectExecutionSetEXT, w->device, (VkIndirectExecutionSetEXT)handle, NULL);
}

static void make_generated_pipeline(struct world *w, struct generated *g)
{
    VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4,
                                            VK_SHADER_STAGE_COMPUTE_BIT, IGNORED};
    VkDescriptorSetLayoutCreateInfo info = {.sType =
                                                VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .bindingCount = 1,
                                            .pBindings = &binding};
    MUST(CreateDescriptorSetLayout, w->device, &info, NULL, &g->set_layout);
    OWN(DescriptorSetLayout, g->set_layout);
    VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
    VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                         .setLayoutCount = 1,
                                         .pSetLayouts = &g->set_layout,
                                         .pushConstantRangeCount = 1,
                                         .pPushConstantRanges = &range};
    MUST(CreatePipelineLayout, w->device, &layout, NULL, &g->layout);
    OWN(PipelineLayout, g->layout);
    VkPipelineCreateFlags2CreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT};
    VkComputePipelineCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .pNext = &flags,
        .flags = PICK(0u, 0x7fffffffu),
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = make_module(w, SHADER_array_comp),
                  .pName = "main"},
        .layout = g->layout};
    MUST(CreateComputePipelines, w->device, VK_NULL_HANDLE, 1, &create, NULL, &g->pipeline);
    OWN(Pipeline, g->pipeline);
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4};
    VkDescriptorPoolCreateInfo pool_of = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                          .maxSets = 1,
                                          .poolSizeCount = 1,
                                          .pPoolSizes = &size};
    VkDescriptorPool pool = VK_NULL_HANDLE;
    MUST(CreateDescriptorPool, w->device, &pool_of, NULL, &pool);
    OWN(DescriptorPool, pool);
    VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                            .descriptorPool = pool,
                                            .descriptorSetCount = 1,
                                            .pSetLayouts = &g->set_layout};
    MUST(AllocateDescriptorSets, w->device, &allocate, &g->set);
    struct buffer *storage = make_buffer(w, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, false);
    VkDescriptorBufferInfo buffers[4];
    for (unsigned i = 0; i < 4; i++)
        buffers[i] = (VkDescriptorBufferInfo){storage->handle, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = g->set,
                                  .descriptorCount = 4,
                                  .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                  .pImageInfo = IGNORED,
                                  .pBufferInfo = buffers,
                                  .pTexelBufferView = IGNORED};
    CALL(UpdateDescriptorSets, w->device, 1, &write, 0, IGNORED);
}

static void make_commands_layout(struct world *w, struct generated *g, uint32_t *stride)
{
    VkIndirectCommandsPushConstantTokenEXT constants = {{VK_SHADER_STAGE_COMPUTE_BIT, 0, 4}};
    VkIndirectCommandsExecutionSetTokenEXT sets = {
        VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT, VK_SHADER_STAGE_COMPUTE_BIT};
    VkIndirectCommandsLayoutTokenEXT tokens[3];
    uint32_t count = 0, at = 0;
    if (g->with_set) {
        tokens[count++] = (VkIndirectCommandsLayoutTokenEXT){
            .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
            .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_EXECUTION_SET_EXT,
            .data.pExecutionSet = &sets,
            .offset = at};
        at += 4;
    }
    if (chance(w, 50)) {
        tokens[count++] = (VkIndirectCommandsLayoutTokenEXT){
            .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
            .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_EXT,
            .data.pPushConstant = &constants,
            .offset = at};
        at += 4;
    }
    tokens[count++] = (VkIndirectCommandsLayoutTokenEXT){
        .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
        .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_EXT,
        .offset = at};
    tokens[count - 1].data.pPushConstant = IGNORED; /* this kind has no data */
    *stride = at + 12 + 4 * below(w, 2);
    g->preprocessed = chance(w, 40);
    VkIndirectCommandsLayoutCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_EXT,
        .flags =
            (g->preprocessed ? VK_INDIRECT_COMMANDS_LAYOUT_USAGE_EXPLICIT_PREPROCESS_BIT_EXT : 0) |
            PICK(0u, VK_INDIRECT_COMMANDS_LAYOUT_USAGE_UNORDERED_SEQUENCES_BIT_EXT),
        .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT,
        .indirectStride = *stride,
        .pipelineLayout = g->layout,
        .tokenCount = count,
        .pTokens = tokens};
    MUST(CreateIndirectCommandsLayoutEXT, w->device, &info, NULL, &g->commands);
    own(w, destroy_commands_layout, U64(g->commands), 0);
}

static void make_execution_set(struct world *w, struct generated *g)
{
    VkIndirectExecutionSetPipelineInfoEXT pipelines = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_PIPELINE_INFO_EXT,
        .initialPipeline = g->pipeline,
        .maxPipelineCount = 2};
    VkIndirectExecutionSetCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_CREATE_INFO_EXT,
        .type = VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT,
        .info.pPipelineInfo = &pipelines};
    MUST(CreateIndirectExecutionSetEXT, w->device, &info, NULL, &g->pipelines);
    own(w, destroy_execution_set, U64(g->pipelines), 0);
    VkWriteIndirectExecutionSetPipelineEXT write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_INDIRECT_EXECUTION_SET_PIPELINE_EXT,
        .index = 1,
        .pipeline = g->pipeline};
    if (chance(w, 50))
        CALL(UpdateIndirectExecutionSetPipelineEXT, w->device, g->pipelines, 1, &write);
}

static void bind_generated(struct record *rec, const struct generated *g)
{
    struct world *w = rec->w;
    static const uint32_t number = 1;
    CALL(CmdBindPipeline, rec->c, VK_PIPELINE_BIND_POINT_COMPUTE, g->pipeline);
    CALL(CmdBindDescriptorSets, rec->c, VK_PIPELINE_BIND_POINT_COMPUTE, g->layout, 0, 1, &g->set, 0,
         IGNORED);
    CALL(CmdPushConstants, rec->c, g->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &number);
}

void step_generated_commands(struct world *w)
{
    VkPhysicalDeviceDeviceGeneratedCommandsPropertiesEXT properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_PROPERTIES_EXT};
    if (!ON(DeviceGeneratedCommandsFeaturesEXT_deviceGeneratedCommands) ||
        !ON(bufferDeviceAddress) || !ON(maintenance5) ||
        !ON(shaderStorageBufferArrayDynamicIndexing) || w->software ||
        !properties_of(w, &properties))
        return;
    struct generated *g = NEW(struct generated, VK_NULL_HANDLE);
    g->with_set = properties.supportedIndirectCommandsShaderStagesPipelineBinding &
                      VK_SHADER_STAGE_COMPUTE_BIT &&
                  chance(w, 40);
    uint32_t stride, count = between(w, 1, 4);
    make_generated_pipeline(w, g);
    make_commands_layout(w, g, &stride);
    if (g->with_set)
        make_execution_set(w, g);
    VkGeneratedCommandsPipelineInfoEXT pipeline = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT, .pipeline = g->pipeline};
    VkGeneratedCommandsMemoryRequirementsInfoEXT query = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_MEMORY_REQUIREMENTS_INFO_EXT,
        .pNext = g->with_set ? NULL : &pipeline,
        .indirectExecutionSet = g->pipelines,
        .indirectCommandsLayout = g->commands,
        .maxSequenceCount = count,
        .maxDrawCount = PICK(0u, 0x7fffffffu)};
    VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    CALL(GetGeneratedCommandsMemoryRequirementsEXT, w->device, &query, &needs);
    VkBufferUsageFlags2CreateInfo usage = {.sType =
                                               VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO,
                                           .usage = VK_BUFFER_USAGE_2_PREPROCESS_BUFFER_BIT_EXT |
                                                    VK_BUFFER_USAGE_2_SHADER_DEVICE_ADDRESS_BIT};
    VkDeviceSize size = needs.memoryRequirements.size ? needs.memoryRequirements.size : 64;
    VkBufferCreateInfo create = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                 .pNext = &usage,
                                 .size = size,
                                 .usage = PICK(0u, 0x7fffffffu)};
    VkBuffer scratch = VK_NULL_HANDLE;
    MUST(CreateBuffer, w->device, &create, NULL, &scratch);
    OWN(Buffer, scratch);
    VkMemoryRequirements of_buffer;
    CALL(GetBufferMemoryRequirements, w->device, scratch, &of_buffer);
    if (of_buffer.size < size)
        of_buffer.size = size;
    of_buffer.memoryTypeBits &= needs.memoryRequirements.memoryTypeBits;
    MUST(BindBufferMemory, w->device, scratch, make_memory(w, of_buffer, false, true, 0, 0), 0);
    VkBufferDeviceAddressInfo address = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                         .buffer = scratch};
    VkDeviceAddress place = CALL(GetBufferDeviceAddress, w->device, &address);
    w->once_at_a_time = true;
    struct record *rec = record_begin(w, any_queue(w, VK_QUEUE_COMPUTE_BIT));
    w->once_at_a_time = false;
    struct buffer *indirect =
        make_buffer(w, (VkDeviceSize)stride * count,
                    VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                        VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                    false);
    CALL(CmdFillBuffer, rec->c, indirect->handle, 0, VK_WHOLE_SIZE, 1);
    rec->before |= USE(CLEAR);
    g->info = (VkGeneratedCommandsInfoEXT){.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
                                           .pNext = g->with_set ? NULL : &pipeline,
                                           .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT,
                                           .indirectExecutionSet = g->pipelines,
                                           .indirectCommandsLayout = g->commands,
                                           .indirectAddress = indirect->address,
                                           .indirectAddressSize = indirect->size,
                                           .preprocessAddress = place,
                                           .preprocessSize = size,
                                           .maxSequenceCount = count,
                                           .maxDrawCount = PICK(0u, 0x7fffffffu)};
    bind_generated(rec, g);
    ready(rec, USE(COMPUTE_READ) | USE(COMPUTE_WRITE) | USE(INDIRECT) | USE(ALL));
    if (g->preprocessed) {
        CALL(CmdPreprocessGeneratedCommandsEXT, rec->c, &g->info, rec->c);
        rec->before |= USE(ALL);
        ready(rec, USE(COMPUTE_READ) | USE(COMPUTE_WRITE) | USE(INDIRECT) | USE(ALL));
    }
    CALL(CmdExecuteGeneratedCommandsEXT, rec->c, g->preprocessed, &g->info);
    if (chance(w, 50)) { /* which leaves the state of its kind undefined */
        bind_generated(rec, g);
        rec->before |= USE(ALL);
        ready(rec, USE(COMPUTE_READ) | USE(COMPUTE_WRITE));
        CALL(CmdDispatch, rec->c, 1, 1, 1);
    }
    record_finish(rec);
}
