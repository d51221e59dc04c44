/* Makes the pipelines and shaders of the wild mode. Modules are real ones, some with a word or two
 * changed or cut off. */
#include "wild.h"

#include "shaders.h"

#include <stdlib.h>
#include <string.h>

/* A copy of a shader, perhaps spoilt. The caller frees it. */
static uint32_t *spoilt_code(struct random *r, const struct shader_code *code, size_t *size)
{
    uint32_t *words = malloc(code->size);
    if (!words)
        abort();
    memcpy(words, code->words, code->size);
    *size = code->size;
    if (random_chance(r, 60))
        return words;
    for (uint32_t i = 1 + random_below(r, 3); i > 0; i--)
        words[random_below(r, (uint32_t)(code->size / 4))] =
            random_chance(r, 50) ? random_below(r, 64) : (uint32_t)random_next(r);
    if (random_chance(r, 30))
        *size = 4 + 4 * (size_t)random_below(r, (uint32_t)(code->size / 4));
    return words;
}

static void create_module(struct wild *wild, struct random *r)
{
    struct wild_chain chain;
    VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                     .pNext = wild_next(r, &chain)};
    uint32_t *words = spoilt_code(r, &shader_codes[random_below(r, SHADER_COUNT)], &info.codeSize);
    info.pCode = words;
    if (random_chance(r, 2))
        info.codeSize--;
    VkShaderModule module = VK_NULL_HANDLE;
    if (TRY(wild->w, CreateShaderModule, wild->w->device, &info, NULL, &module) == VK_SUCCESS)
        ADD(ShaderModule, module);
    free(words);
}

static void create_wild_layout(struct wild *wild, struct random *r)
{
    struct wild_chain chain;
    VkDescriptorSetLayout layouts[3] = {PICK(DescriptorSetLayout), PICK(DescriptorSetLayout),
                                        PICK(DescriptorSetLayout)};
    VkPushConstantRange ranges[2] = {
        {wild_flags(r, SHADER_STAGES), wild_number(r, 4) * 4, wild_number(r, 32) * 4},
        {wild_flags(r, VK_SHADER_STAGE_VERTEX_BIT), wild_number(r, 4) * 4, wild_number(r, 32) * 4}};
    VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .pNext = wild_next(r, &chain),
                                       .flags = wild_flags(r, random_chance(r, 90) ? 0 : 2),
                                       .setLayoutCount = wild_count(r, 3),
                                       .pSetLayouts = OR_NULL(layouts),
                                       .pushConstantRangeCount = wild_count(r, 2),
                                       .pPushConstantRanges = OR_NULL(ranges)};
    VkPipelineLayout layout = VK_NULL_HANDLE;
    if (TRY(wild->w, CreatePipelineLayout, wild->w->device, &info, NULL, &layout) == VK_SUCCESS)
        ADD(PipelineLayout, layout);
}

struct stage {
    VkPipelineShaderStageCreateInfo info;
    VkSpecializationInfo specialization;
    VkSpecializationMapEntry entry;
    uint32_t value;
    struct wild_chain chain;
};

static void fill_stage(struct wild *wild, struct random *r, struct stage *s,
                       VkShaderStageFlagBits stage)
{
    s->value = wild_number(r, 8);
    s->entry = (VkSpecializationMapEntry){wild_number(r, 2),
                                          wild_number(r, 2) & 1 ? 0 : wild_number(r, 8), 4};
    s->specialization = (VkSpecializationInfo){random_below(r, 2), OR_NULL(&s->entry),
                                               sizeof(s->value), OR_NULL(&s->value)};
    s->info = (VkPipelineShaderStageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .pNext = wild_next(r, &s->chain),
        .flags = wild_flags(r, 0),
        .stage = random_chance(r, 97) ? stage : (VkShaderStageFlagBits)wild_number(r, 64),
        .module = PICK(ShaderModule),
        .pName = random_chance(r, 97) ? "main" : "other",
        .pSpecializationInfo = random_chance(r, 80) ? NULL : &s->specialization};
}

static void create_wild_compute(struct wild *wild, struct random *r)
{
    struct stage stage;
    VkPipeline pipelines[2] = {VK_NULL_HANDLE, VK_NULL_HANDLE};
    VkComputePipelineCreateInfo infos[2];
    fill_stage(wild, r, &stage, VK_SHADER_STAGE_COMPUTE_BIT);
    for (int i = 0; i < 2; i++)
        infos[i] = (VkComputePipelineCreateInfo){
            .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
            .flags = wild_flags(r, 0),
            .stage = stage.info,
            .layout = PICK(PipelineLayout),
            .basePipelineHandle = random_chance(r, 90) ? VK_NULL_HANDLE : PICK(Pipeline),
            .basePipelineIndex = random_chance(r, 90) ? -1 : wild_enum(r, 2)};
    uint32_t count = wild_count(r, 2);
    (void)TRY(wild->w, CreateComputePipelines, wild->w->device,
              random_chance(r, 70) ? VK_NULL_HANDLE : PICK(PipelineCache), count, OR_NULL(infos),
              NULL, pipelines);
    for (uint32_t i = 0; i < count; i++)
        ADD(Pipeline, pipelines[i]);
}

static const VkDynamicState dynamic_states[] = {VK_DYNAMIC_STATE_VIEWPORT,
                                                VK_DYNAMIC_STATE_SCISSOR,
                                                VK_DYNAMIC_STATE_LINE_WIDTH,
                                                VK_DYNAMIC_STATE_DEPTH_BIAS,
                                                VK_DYNAMIC_STATE_BLEND_CONSTANTS,
                                                VK_DYNAMIC_STATE_STENCIL_REFERENCE,
                                                VK_DYNAMIC_STATE_CULL_MODE,
                                                VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
                                                VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT,
                                                VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT,
                                                VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE,
                                                VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE,
                                                VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE,
                                                VK_DYNAMIC_STATE_VERTEX_INPUT_EXT,
                                                VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT,
                                                VK_DYNAMIC_STATE_SAMPLE_MASK_EXT,
                                                VK_DYNAMIC_STATE_MAX_ENUM};

static void create_graphics(struct wild *wild, struct random *r)
{
    struct stage stages[3];
    struct wild_chain chains[4];
    VkPipelineShaderStageCreateInfo stage_infos[3];
    VkVertexInputBindingDescription bindings[2];
    VkVertexInputAttributeDescription attributes[2];
    for (uint32_t i = 0; i < 3; i++) {
        fill_stage(wild, r, &stages[i],
                   i == 0   ? VK_SHADER_STAGE_VERTEX_BIT
                   : i == 1 ? VK_SHADER_STAGE_FRAGMENT_BIT
                            : VK_SHADER_STAGE_MESH_BIT_EXT);
        stage_infos[i] = stages[i].info;
    }
    for (uint32_t i = 0; i < 2; i++) {
        bindings[i] = (VkVertexInputBindingDescription){wild_number(r, 2), wild_number(r, 64),
                                                        (VkVertexInputRate)wild_enum(r, 2)};
        attributes[i] = (VkVertexInputAttributeDescription){wild_number(r, 3), wild_number(r, 2),
                                                            wild_format(r), wild_number(r, 32)};
    }
    VkPipelineVertexInputStateCreateInfo vertex_input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .pNext = wild_next(r, &chains[0]),
        .vertexBindingDescriptionCount = wild_count(r, 2),
        .pVertexBindingDescriptions = OR_NULL(bindings),
        .vertexAttributeDescriptionCount = wild_count(r, 2),
        .pVertexAttributeDescriptions = OR_NULL(attributes)};
    VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = (VkPrimitiveTopology)wild_enum(r, 11),
        .primitiveRestartEnable = wild_number(r, 2)};
    VkPipelineTessellationStateCreateInfo tessellation = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
        .patchControlPoints = wild_number(r, 33)};
    VkViewport viewports[2] = {{0, 0, wild_float(r), wild_float(r), wild_float(r), 1},
                               {0, 0, 64, 64, 0, wild_float(r)}};
    VkRect2D scissors[2] = {{{wild_enum(r, 4), 0}, {wild_number(r, 64), 64}}, {{0, 0}, {64, 64}}};
    VkPipelineViewportStateCreateInfo viewport = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = wild_count(r, 2),
        .pViewports = OR_NULL(viewports),
        .scissorCount = wild_count(r, 2),
        .pScissors = OR_NULL(scissors)};
    VkPipelineRasterizationStateCreateInfo rasterization = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .pNext = wild_next(r, &chains[1]),
        .depthClampEnable = wild_number(r, 2),
        .rasterizerDiscardEnable = random_chance(r, 20),
        .polygonMode = (VkPolygonMode)wild_enum(r, 3),
        .cullMode = wild_flags(r, 1),
        .lineWidth = wild_float(r)};
    VkSampleMask mask[2] = {wild_number(r, 16), 0};
    VkPipelineMultisampleStateCreateInfo multisample = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = (VkSampleCountFlagBits)wild_flags(r, 1),
        .minSampleShading = wild_float(r),
        .pSampleMask = random_chance(r, 50) ? NULL : mask};
    VkPipelineDepthStencilStateCreateInfo depth = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .depthTestEnable = wild_number(r, 2),
        .depthCompareOp = (VkCompareOp)wild_enum(r, 8),
        .depthBoundsTestEnable = wild_number(r, 2)};
    VkPipelineColorBlendAttachmentState blends[2] = {
        {.blendEnable = wild_number(r, 2), .colorWriteMask = wild_flags(r, 15)},
        {.blendEnable = wild_number(r, 2), .colorWriteMask = wild_flags(r, 15)}};
    VkPipelineColorBlendStateCreateInfo blend = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .logicOpEnable = random_chance(r, 10),
        .attachmentCount = wild_count(r, 2),
        .pAttachments = OR_NULL(blends)};
    VkDynamicState states[4] = {ANY_OF(r, dynamic_states), ANY_OF(r, dynamic_states),
                                ANY_OF(r, dynamic_states), ANY_OF(r, dynamic_states)};
    VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = wild_count(r, 4),
        .pDynamicStates = OR_NULL(states)};
    VkFormat formats[2] = {wild_format(r), wild_format(r)};
    VkPipelineRenderingCreateInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .viewMask = random_chance(r, 90) ? 0 : wild_number(r, 4),
        .colorAttachmentCount = wild_count(r, 2),
        .pColorAttachmentFormats = OR_NULL(formats),
        .depthAttachmentFormat = wild_format(r),
        .stencilAttachmentFormat = wild_format(r)};
    VkPipeline libraries[2] = {PICK(Pipeline), PICK(Pipeline)};
    VkPipelineLibraryCreateInfoKHR library = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
        .pNext = random_chance(r, 50) ? &rendering : NULL,
        .libraryCount = wild_count(r, 2),
        .pLibraries = OR_NULL(libraries)};
    VkGraphicsPipelineLibraryCreateInfoEXT part = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
        .pNext = random_chance(r, 30) ? (void *)&library : &rendering,
        .flags = wild_flags(r, random_below(r, 16))};
    uint32_t how = random_below(r, 4);
    VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = how == 0   ? (const void *)&rendering
                 : how == 1 ? &part
                 : how == 2 ? &library
                            : wild_next(r, &chains[2]),
        .flags = wild_flags(r, how == 1 ? VK_PIPELINE_CREATE_LIBRARY_BIT_KHR : 0),
        .stageCount = wild_count(r, 3),
        .pStages = OR_NULL(stage_infos),
        .pVertexInputState = OR_NULL(&vertex_input),
        .pInputAssemblyState = OR_NULL(&assembly),
        .pTessellationState = random_chance(r, 80) ? NULL : &tessellation,
        .pViewportState = OR_NULL(&viewport),
        .pRasterizationState = OR_NULL(&rasterization),
        .pMultisampleState = OR_NULL(&multisample),
        .pDepthStencilState = random_chance(r, 30) ? NULL : &depth,
        .pColorBlendState = OR_NULL(&blend),
        .pDynamicState = random_chance(r, 30) ? NULL : &dynamic,
        .layout = PICK(PipelineLayout),
        .renderPass = how == 0 ? VK_NULL_HANDLE : PICK(RenderPass),
        .subpass = wild_number(r, 2),
        .basePipelineIndex = -1};
    VkPipeline pipeline = VK_NULL_HANDLE;
    (void)TRY(wild->w, CreateGraphicsPipelines, wild->w->device,
              random_chance(r, 70) ? VK_NULL_HANDLE : PICK(PipelineCache), 1, OR_NULL(&info), NULL,
              &pipeline);
    ADD(Pipeline, pipeline);
}

static void create_shaders(struct wild *wild, struct random *r)
{
    VkDescriptorSetLayout layouts[2] = {PICK(DescriptorSetLayout), PICK(DescriptorSetLayout)};
    VkPushConstantRange range = {SHADER_STAGES, 0, wild_number(r, 32) * 4};
    VkShaderCreateInfoEXT infos[2];
    uint32_t *words[2];
    for (int i = 0; i < 2; i++) {
        const struct shader_code *code = &shader_codes[random_below(r, SHADER_COUNT)];
        size_t size;
        words[i] = spoilt_code(r, code, &size);
        infos[i] = (VkShaderCreateInfoEXT){
            .sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
            .flags = wild_flags(r, random_below(r, 2)),
            .stage = random_chance(r, 90) ? code->stage : (VkShaderStageFlagBits)wild_flags(r, 1),
            .nextStage = random_chance(r, 50) ? 0 : wild_flags(r, VK_SHADER_STAGE_FRAGMENT_BIT),
            .codeType = (VkShaderCodeTypeEXT)(random_chance(r, 95) ? 1 : wild_enum(r, 2)),
            .codeSize = size,
            .pCode = OR_NULL(words[i]),
            .pName = OR_NULL("main"),
            .setLayoutCount = wild_count(r, 2),
            .pSetLayouts = OR_NULL(layouts),
            .pushConstantRangeCount = wild_count(r, 1),
            .pPushConstantRanges = OR_NULL(&range)};
    }
    VkShaderEXT shaders[2] = {VK_NULL_HANDLE, VK_NULL_HANDLE};
    uint32_t count = wild_count(r, 2);
    if (TRY(wild->w, CreateShadersEXT, wild->w->device, count, OR_NULL(infos), NULL, shaders) >=
        0) {
        for (uint32_t i = 0; i < count; i++)
            ADD(ShaderEXT, shaders[i]);
    }
    free(words[0]);
    free(words[1]);
}

static void use_wild_caches(struct wild *wild, struct random *r)
{
    struct world *w = wild->w;
    VkPipelineCache sources[2] = {PICK(PipelineCache), PICK(PipelineCache)};
    unsigned char data[256];
    size_t size = random_below(r, sizeof(data));
    if (random_chance(r, 50))
        (void)TRY(w, MergePipelineCaches, w->device, PICK(PipelineCache), wild_count(r, 2),
                  OR_NULL(sources));
    else
        (void)TRY(w, GetPipelineCacheData, w->device, PICK(PipelineCache), &size,
                  OR_NULL((void *)data));
}

void wild_pipeline_step(struct wild *wild, struct random *r)
{
    static void (*const calls[])(struct wild *, struct random *) = {
        create_module,       create_module,   create_wild_layout, create_wild_layout,
        create_wild_compute, create_graphics, create_graphics,    create_graphics,
        create_shaders,      use_wild_caches};
    ANY_OF(r, calls)(wild, r);
}
