/* Uses what drivers compiled, taken out and given back: binaries of shader objects and of
 * pipelines, and modules that a number stands for. It also asks pipelines about themselves. */
#include "valid.h"

struct made {
    struct buffer *storage;
    VkDescriptorSetLayout set_layout;
    VkDescriptorSet set;
    VkPipelineLayout layout;
};

static void make_layouts(struct world *w, struct made *m)
{
    VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                            VK_SHADER_STAGE_COMPUTE_BIT, IGNORED};
    VkDescriptorSetLayoutCreateInfo sets = {.sType =
                                                VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .bindingCount = 1,
                                            .pBindings = &binding};
    MUST(CreateDescriptorSetLayout, w->device, &sets, NULL, &m->set_layout);
    OWN(DescriptorSetLayout, m->set_layout);
    VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                         .setLayoutCount = 1,
                                         .pSetLayouts = &m->set_layout,
                                         .pPushConstantRanges = IGNORED};
    MUST(CreatePipelineLayout, w->device, &layout, NULL, &m->layout);
    OWN(PipelineLayout, m->layout);
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
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
                                            .pSetLayouts = &m->set_layout};
    MUST(AllocateDescriptorSets, w->device, &allocate, &m->set);
    m->storage = make_buffer(w, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, false);
    VkDescriptorBufferInfo buffer = {m->storage->handle, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = m->set,
                                  .descriptorCount = 1,
                                  .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                  .pBufferInfo = &buffer};
    CALL(UpdateDescriptorSets, w->device, 1, &write, 0, IGNORED);
}

static void run_binary(struct world *w, const struct made *m, VkPipeline pipeline,
                       VkShaderEXT shader)
{
    struct record *rec = record_begin(w, any_queue(w, VK_QUEUE_COMPUTE_BIT));
    VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
    if (pipeline)
        CALL(CmdBindPipeline, rec->c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    else
        CALL(CmdBindShadersEXT, rec->c, 1, &stage, &shader);
    CALL(CmdBindDescriptorSets, rec->c, VK_PIPELINE_BIND_POINT_COMPUTE, m->layout, 0, 1, &m->set, 0,
         IGNORED);
    ready(rec, USE(COMPUTE_READ) | USE(COMPUTE_WRITE));
    CALL(CmdDispatch, rec->c, 1, 1, 1);
    record_finish(rec);
}

/* --- shader objects --- */

static void shader_binary(struct world *w, struct made *m)
{
    if (!ON(shaderObject))
        return;
    make_layouts(w, m);
    VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                  .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                  .codeSize = shader_codes[SHADER_fill_comp].size,
                                  .pCode = shader_codes[SHADER_fill_comp].words,
                                  .pName = "main",
                                  .setLayoutCount = 1,
                                  .pSetLayouts = &m->set_layout,
                                  .pPushConstantRanges = IGNORED};
    VkShaderEXT shaders[2] = {VK_NULL_HANDLE};
    MUST(CreateShadersEXT, w->device, 1, &info, NULL, &shaders[0]);
    OWN(ShaderEXT, shaders[0]);
    size_t size = 0;
    MUST(GetShaderBinaryDataEXT, w->device, shaders[0], &size, NULL);
    if (!size || size > 1u << 20)
        return;
    void *data = temporary(w, size);
    MUST(GetShaderBinaryDataEXT, w->device, shaders[0], &size, data);
    if (chance(w, 50))
        DESTROY_NOW(shaders[0]);
    info.codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
    info.codeSize = size;
    info.pCode = data;
    if (CALL(CreateShadersEXT, w->device, 1, &info, NULL, &shaders[1]) != VK_SUCCESS || !shaders[1])
        return;
    OWN(ShaderEXT, shaders[1]);
    memset(data, 0xee, size);
    run_binary(w, m, VK_NULL_HANDLE, shaders[1]);
}

/* --- pipelines --- */

#define BINARIES_MOST 8

static void destroy_pipeline_binary(void *world, uint64_t handle, uint64_t other)
{
    struct world *w = world;
    (void)other;
    CALL(DestroyPipelineBinaryKHR, w->device, (VkPipelineBinaryKHR)handle, NULL);
}

static VkComputePipelineCreateInfo compute_info(struct world *w, const struct made *m,
                                                VkPipelineCreateFlags2 flags)
{
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .pName = "main"},
        .layout = m->layout,
        .basePipelineHandle = (VkPipeline)(uintptr_t)PICK(0u, 0xdead0020u),
        .basePipelineIndex = 77};
    if (flags || chance(w, 50)) {
        CHAIN(info.pNext, VkPipelineCreateFlags2CreateInfo,
              VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO, .flags = flags);
        info.flags = PICK(0u, 0x7fffffffu);
    }
    return info;
}

static uint32_t read_binaries(struct world *w, const VkPipelineBinaryCreateInfoKHR *create,
                              VkPipelineBinaryKHR *all)
{
    VkPipelineBinaryHandlesInfoKHR handles = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR};
    MUST(CreatePipelineBinariesKHR, w->device, create, NULL, &handles);
    if (handles.pipelineBinaryCount > BINARIES_MOST)
        return 0;
    handles.pPipelineBinaries = all;
    if (CALL(CreatePipelineBinariesKHR, w->device, create, NULL, &handles) != VK_SUCCESS)
        return 0;
    for (uint32_t i = 0; i < handles.pipelineBinaryCount; i++)
        own(w, destroy_pipeline_binary, U64(all[i]), 0);
    return handles.pipelineBinaryCount;
}

static uint32_t binaries_of(struct world *w, VkPipeline pipeline, VkPipelineBinaryKHR *all)
{
    VkPipelineBinaryCreateInfoKHR create = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR, .pipeline = pipeline};
    uint32_t count = read_binaries(w, &create, all);
    if (!count || chance(w, 40))
        return count;
    /* Out, and in again: as a cache on disk does. */
    VkPipelineBinaryKeyKHR keys[BINARIES_MOST];
    VkPipelineBinaryDataKHR data[BINARIES_MOST];
    for (uint32_t i = 0; i < count; i++) {
        VkPipelineBinaryDataInfoKHR info = {
            .sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_DATA_INFO_KHR, .pipelineBinary = all[i]};
        keys[i] = (VkPipelineBinaryKeyKHR){.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR};
        data[i] = (VkPipelineBinaryDataKHR){0};
        MUST(GetPipelineBinaryDataKHR, w->device, &info, &keys[i], &data[i].dataSize, NULL);
        data[i].pData = temporary(w, data[i].dataSize + 1);
        MUST(GetPipelineBinaryDataKHR, w->device, &info, &keys[i], &data[i].dataSize,
             data[i].pData);
        if (chance(w, 50))
            DESTROY_NOW(all[i]);
    }
    VkPipelineBinaryKeysAndDataKHR both = {count, keys, data};
    create = (VkPipelineBinaryCreateInfoKHR){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR, .pKeysAndDataInfo = &both};
    return read_binaries(w, &create, all);
}

static void pipeline_binary(struct world *w, struct made *m)
{
    if (!ON(pipelineBinaries))
        return;
    VkPipelineBinaryKeyKHR key = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR};
    MUST(GetPipelineKeyKHR, w->device, NULL, &key); /* the device's own */
    make_layouts(w, m);
    VkComputePipelineCreateInfo info =
        compute_info(w, m, VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR);
    info.stage.module = make_module(w, SHADER_fill_comp);
    VkPipelineCreateInfoKHR of = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_INFO_KHR,
                                  .pNext = &info};
    key.keySize = 77; /* written */
    MUST(GetPipelineKeyKHR, w->device, &of, &key);
    VkPipeline pipelines[2] = {VK_NULL_HANDLE};
    MUST(CreateComputePipelines, w->device, VK_NULL_HANDLE, 1, &info, NULL, &pipelines[0]);
    OWN(Pipeline, pipelines[0]);
    VkPipelineBinaryKHR all[BINARIES_MOST];
    uint32_t count = binaries_of(w, pipelines[0], all);
    if (chance(w, 50)) {
        VkReleaseCapturedPipelineDataInfoKHR release = {
            .sType = VK_STRUCTURE_TYPE_RELEASE_CAPTURED_PIPELINE_DATA_INFO_KHR,
            .pipeline = pipelines[0]};
        MUST(ReleaseCapturedPipelineDataKHR, w->device, &release, NULL);
    }
    VkPipeline used = pipelines[0];
    if (count) {
        VkPipelineBinaryInfoKHR with = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR,
                                        .binaryCount = count,
                                        .pPipelineBinaries = all};
        VkComputePipelineCreateInfo again = compute_info(w, m, 0);
        again.stage.module = chance(w, 50) ? info.stage.module : VK_NULL_HANDLE;
        with.pNext = again.pNext;
        again.pNext = &with;
        MUST(CreateComputePipelines, w->device, VK_NULL_HANDLE, 1, &again, NULL, &pipelines[1]);
        OWN(Pipeline, pipelines[1]);
        for (uint32_t i = 0; i < count; i++) {
            if (chance(w, 40))
                DESTROY_NOW(all[i]); /* the pipeline has what it needs */
        }
        used = pipelines[1];
    }
    run_binary(w, m, used, VK_NULL_HANDLE);
}

/* --- modules by their numbers --- */

static void module_identifiers(struct world *w, struct made *m)
{
    if (!ON(shaderModuleIdentifier) || !ON(pipelineCreationCacheControl))
        return;
    make_layouts(w, m);
    VkShaderModuleIdentifierEXT identifier = {.sType =
                                                  VK_STRUCTURE_TYPE_SHADER_MODULE_IDENTIFIER_EXT};
    VkShaderModuleCreateInfo create = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                       .codeSize = shader_codes[SHADER_fill_comp].size,
                                       .pCode = shader_codes[SHADER_fill_comp].words};
    if (chance(w, 50))
        CALL(GetShaderModuleIdentifierEXT, w->device, make_module(w, SHADER_fill_comp),
             &identifier);
    else
        CALL(GetShaderModuleCreateInfoIdentifierEXT, w->device, &create, &identifier);
    VkPipelineShaderStageModuleIdentifierCreateInfoEXT by = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT,
        .identifierSize = identifier.identifierSize,
        .pIdentifier = identifier.identifier};
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = &by,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .pName = "main"},
        .layout = m->layout,
        .basePipelineIndex = -1};
    VkPipeline pipeline = VK_NULL_HANDLE;
    VkResult result =
        CALL(CreateComputePipelines, w->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline);
    if (result != VK_SUCCESS || !pipeline)
        return;
    OWN(Pipeline, pipeline);
    run_binary(w, m, pipeline, VK_NULL_HANDLE);
}

/* --- what pipelines tell --- */

static void ask_executables(struct world *w, struct made *m)
{
    if (!ON(pipelineExecutableInfo))
        return;
    make_layouts(w, m);
    VkPipelineCreateFlags flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR |
                                  VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
    VkComputePipelineCreateInfo info = compute_info(w, m, ON(maintenance5) ? flags : 0);
    if (!ON(maintenance5)) {
        info.pNext = NULL;
        info.flags = flags;
    }
    info.stage.module = make_module(w, SHADER_fill_comp);
    VkPipeline pipeline = VK_NULL_HANDLE;
    MUST(CreateComputePipelines, w->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline);
    OWN(Pipeline, pipeline);
    VkPipelineInfoKHR of = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, .pipeline = pipeline};
    uint32_t count = 0;
    MUST(GetPipelineExecutablePropertiesKHR, w->device, &of, &count, NULL);
    VkPipelineExecutablePropertiesKHR *properties =
        NEW_ARRAY(VkPipelineExecutablePropertiesKHR, count + 1);
    for (uint32_t i = 0; i < count; i++)
        properties[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR;
    MUST(GetPipelineExecutablePropertiesKHR, w->device, &of, &count, properties);
    for (uint32_t i = 0; i < count; i++) { /* the last is the limit */
        VkPipelineExecutableInfoKHR one = {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
                                           .pipeline = pipeline,
                                           .executableIndex = i};
        uint32_t number = 0;
        MUST(GetPipelineExecutableStatisticsKHR, w->device, &one, &number, NULL);
        number = 0;
        MUST(GetPipelineExecutableInternalRepresentationsKHR, w->device, &one, &number, NULL);
    }
}

void step_binaries(struct world *w)
{
    static void (*const parts[])(struct world *, struct made *) = {
        shader_binary, pipeline_binary, pipeline_binary, module_identifiers, ask_executables};
    for (uint32_t i = between(w, 1, 3); i > 0; i--)
        PICK_OF(parts)(w, NEW(struct made, NULL));
}
