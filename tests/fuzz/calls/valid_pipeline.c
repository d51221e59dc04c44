/* Makes the pipelines of the valid mode. They fit a shape and a subpass; state is static or dynamic
 * in four ways. */
#include "valid.h"

#include <string.h>

void pipeline_destroy(struct valid *v, struct pipeline *pipeline)
{
    CALL(v->w, DestroyPipeline, v->w->device, pipeline->handle, NULL);
    pipeline->head.alive = false;
}

static VkPipelineShaderStageCreateInfo stage_of(const struct valid *v, enum shader shader)
{
    return (VkPipelineShaderStageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = shader_codes[shader].stage,
        .module = v->modules[shader],
        .pName = "main"};
}

static enum layout_kind any_layout(struct random *r)
{
    static const enum layout_kind kinds[] = {LAYOUT_PLAIN,      LAYOUT_PLAIN, LAYOUT_IMMUTABLE,
                                             LAYOUT_AFTER_BIND, LAYOUT_PUSH,  LAYOUT_TWO_SETS};
    return ANY_OF(r, kinds);
}

struct pipeline *need_compute_pipeline(struct valid *v, struct random *r)
{
    struct pipeline *pipeline = FIND(v, r, pipelines, PIPELINES_MOST, it->compute);
    if (pipeline && random_chance(r, 90))
        return pipeline;
    struct pipeline *slot = FREE_SLOT(v, r, pipelines, PIPELINES_MOST, pipeline_destroy);
    if (!slot)
        return pipeline;
    uint32_t factor = random_below(r, 10);
    VkSpecializationMapEntry entry = {0, 0, sizeof(factor)};
    VkSpecializationInfo specialization = {1, &entry, sizeof(factor), &factor};
    *slot = (struct pipeline){.head.alive = true, .compute = true, .layout = any_layout(r)};
    VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                        .flags = VK_PIPELINE_CREATE_DISPATCH_BASE_BIT,
                                        .stage = stage_of(v, SHADER_EVERYTHING_COMPUTE),
                                        .layout = v->layouts[slot->layout].pipeline_layout,
                                        .basePipelineIndex = -1};
    if (random_chance(r, 50))
        info.stage.pSpecializationInfo = &specialization;
    MUST(TRY(v->w, CreateComputePipelines, v->w->device,
             random_chance(r, 50) ? v->cache : VK_NULL_HANDLE, 1, &info, NULL, &slot->handle));
    return slot;
}

/* Everything that a graphics pipeline's create info points to. */
struct description {
    VkPipelineShaderStageCreateInfo stages[2];
    VkVertexInputBindingDescription binding;
    VkVertexInputAttributeDescription attributes[2];
    VkPipelineVertexInputStateCreateInfo vertex_input;
    VkPipelineInputAssemblyStateCreateInfo assembly;
    VkViewport viewport;
    VkRect2D scissor;
    VkPipelineViewportStateCreateInfo viewports;
    VkPipelineRasterizationStateCreateInfo rasterization;
    VkPipelineMultisampleStateCreateInfo multisample;
    VkPipelineDepthStencilStateCreateInfo depth;
    VkPipelineColorBlendAttachmentState blend;
    VkPipelineColorBlendStateCreateInfo color;
    VkDynamicState states[48];
    VkPipelineDynamicStateCreateInfo dynamic;
    VkPipelineRenderingCreateInfo rendering;
    VkGraphicsPipelineCreateInfo info;
};

static void describe_vertices(struct random *r, struct description *d, const struct pipeline *p)
{
    d->vertex_input.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO;
    d->assembly = (VkPipelineInputAssemblyStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = random_chance(r, 70) ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST
                                         : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP};
    if (p->geometry != GEOMETRY_INPUTS)
        return;
    d->binding = (VkVertexInputBindingDescription){0, 24, VK_VERTEX_INPUT_RATE_VERTEX};
    d->attributes[0] = (VkVertexInputAttributeDescription){0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0};
    d->attributes[1] = (VkVertexInputAttributeDescription){1, 0, VK_FORMAT_R32G32_SFLOAT, 16};
    d->vertex_input.vertexBindingDescriptionCount = 1;
    d->vertex_input.pVertexBindingDescriptions = &d->binding;
    d->vertex_input.vertexAttributeDescriptionCount = 2;
    d->vertex_input.pVertexAttributeDescriptions = d->attributes;
}

static void describe_fixed(struct random *r, struct description *d, const struct pipeline *p)
{
    d->viewport = (VkViewport){0, 0, 64, 64, 0, 1};
    d->scissor = (VkRect2D){{0, 0}, {64, 64}};
    bool with_count = p->dynamic >= DYNAMIC_MUCH;
    d->viewports = (VkPipelineViewportStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = !with_count,
        .pViewports = &d->viewport,
        .scissorCount = !with_count,
        .pScissors = &d->scissor};
    d->rasterization = (VkPipelineRasterizationStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .depthClampEnable = random_chance(r, 20),
        .polygonMode = random_chance(r, 80) ? VK_POLYGON_MODE_FILL : VK_POLYGON_MODE_LINE,
        .cullMode = random_below(r, 4),
        .depthBiasEnable = random_chance(r, 30),
        .lineWidth = 1};
    d->multisample = (VkPipelineMultisampleStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = p->shape.samples};
    d->depth = (VkPipelineDepthStencilStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .depthTestEnable = random_chance(r, 70),
        .depthWriteEnable = random_chance(r, 50),
        .depthCompareOp = (VkCompareOp)random_below(r, 8),
        .depthBoundsTestEnable = random_chance(r, 20),
        .stencilTestEnable = random_chance(r, 30),
        .maxDepthBounds = 1};
    d->blend = (VkPipelineColorBlendAttachmentState){
        .blendEnable = random_chance(r, 40),
        .srcColorBlendFactor = (VkBlendFactor)random_below(r, 15),
        .dstColorBlendFactor = (VkBlendFactor)random_below(r, 10),
        .colorBlendOp = (VkBlendOp)random_below(r, 5),
        .colorWriteMask = random_below(r, 16)};
    d->color = (VkPipelineColorBlendStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &d->blend};
}

static void add_states(struct description *d, const VkDynamicState *states, size_t count)
{
    memcpy(d->states + d->dynamic.dynamicStateCount, states, count * sizeof(*states));
    d->dynamic.dynamicStateCount += (uint32_t)count;
}
#define ADD_STATES(d_, states_) add_states((d_), (states_), sizeof(states_) / sizeof((states_)[0]))

static void describe_dynamic(struct description *d, const struct pipeline *p)
{
    static const VkDynamicState little[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
    static const VkDynamicState old[] = {
        VK_DYNAMIC_STATE_LINE_WIDTH,           VK_DYNAMIC_STATE_DEPTH_BIAS,
        VK_DYNAMIC_STATE_BLEND_CONSTANTS,      VK_DYNAMIC_STATE_DEPTH_BOUNDS,
        VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK, VK_DYNAMIC_STATE_STENCIL_WRITE_MASK,
        VK_DYNAMIC_STATE_STENCIL_REFERENCE};
    static const VkDynamicState much[] = {VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT,
                                          VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT,
                                          VK_DYNAMIC_STATE_CULL_MODE,
                                          VK_DYNAMIC_STATE_FRONT_FACE,
                                          VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE,
                                          VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE,
                                          VK_DYNAMIC_STATE_DEPTH_COMPARE_OP,
                                          VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE,
                                          VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE,
                                          VK_DYNAMIC_STATE_STENCIL_OP,
                                          VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE,
                                          VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE};
    static const VkDynamicState assembly[] = {VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
                                              VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE};
    static const VkDynamicState stride[] = {VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE};
    static const VkDynamicState input[] = {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT};
    static const VkDynamicState all[] = {
        VK_DYNAMIC_STATE_POLYGON_MODE_EXT,       VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT,
        VK_DYNAMIC_STATE_SAMPLE_MASK_EXT,        VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT,
        VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT,
        VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT,   VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT,
        VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT,    VK_DYNAMIC_STATE_LOGIC_OP_EXT,
        VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT};
    d->dynamic.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO;
    d->dynamic.pDynamicStates = d->states;
    if (p->dynamic < DYNAMIC_MUCH)
        ADD_STATES(d, little);
    if (p->dynamic == DYNAMIC_OLD || p->dynamic == DYNAMIC_ALL)
        ADD_STATES(d, old);
    if (p->dynamic >= DYNAMIC_MUCH) {
        ADD_STATES(d, much);
        if (p->geometry != GEOMETRY_MESH)
            ADD_STATES(d, assembly);
    }
    if (p->dynamic == DYNAMIC_MUCH && p->geometry == GEOMETRY_INPUTS)
        ADD_STATES(d, stride);
    if (p->dynamic == DYNAMIC_ALL) {
        ADD_STATES(d, all);
        if (p->geometry != GEOMETRY_MESH)
            ADD_STATES(d, input);
    }
}

static void describe_pipeline(struct valid *v, struct random *r, struct description *d,
                              const struct pipeline *p)
{
    static const enum shader vertices[] = {SHADER_PLAIN_VERTEX, SHADER_INPUTS_VERTEX,
                                           SHADER_TRIANGLE_MESH};
    memset(d, 0, sizeof(*d));
    d->stages[0] = stage_of(v, vertices[p->geometry]);
    d->stages[1] = stage_of(v, p->layout == LAYOUT_ATTACHMENT ? SHADER_ATTACHMENT_FRAGMENT
                               : p->textured                  ? SHADER_TEXTURED_FRAGMENT
                                                              : SHADER_PLAIN_FRAGMENT);
    describe_vertices(r, d, p);
    describe_fixed(r, d, p);
    describe_dynamic(d, p);
    const struct shape *shape = &p->shape;
    bool stencil = format_aspects(shape->depth) & VK_IMAGE_ASPECT_STENCIL_BIT;
    d->rendering = (VkPipelineRenderingCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &shape->color,
        .depthAttachmentFormat = shape->depth,
        .stencilAttachmentFormat = stencil ? shape->depth : VK_FORMAT_UNDEFINED};
    d->info = (VkGraphicsPipelineCreateInfo){
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = shape->dynamic ? &d->rendering : NULL,
        .stageCount = 2,
        .pStages = d->stages,
        .pVertexInputState = p->geometry == GEOMETRY_MESH ? NULL : &d->vertex_input,
        .pInputAssemblyState = p->geometry == GEOMETRY_MESH ? NULL : &d->assembly,
        .pViewportState = &d->viewports,
        .pRasterizationState = &d->rasterization,
        .pMultisampleState = &d->multisample,
        .pDepthStencilState = &d->depth,
        .pColorBlendState = &d->color,
        .pDynamicState = &d->dynamic,
        .layout = v->layouts[p->layout].pipeline_layout,
        .subpass = p->subpass,
        .basePipelineIndex = -1};
}

struct pipeline *need_pipeline(struct valid *v, struct random *r, const struct shape *shape,
                               uint32_t subpass)
{
    struct pipeline *pipeline =
        FIND(v, r, pipelines, PIPELINES_MOST,
             !it->compute && it->subpass == subpass && shapes_equal(&it->shape, shape));
    if (pipeline && random_chance(r, 75))
        return pipeline;
    struct pipeline *slot = FREE_SLOT(v, r, pipelines, PIPELINES_MOST, pipeline_destroy);
    if (!slot)
        return pipeline;
    *slot = (struct pipeline){.head.alive = true,
                              .layout = any_layout(r),
                              .shape = *shape,
                              .subpass = subpass,
                              .dynamic = (enum dynamic)random_below(r, DYNAMIC_KIND_COUNT),
                              .geometry = (enum geometry)random_below(r, 3),
                              .textured = random_chance(r, 50)};
    if (subpass == 1) {
        slot->layout = LAYOUT_ATTACHMENT;
        slot->geometry = GEOMETRY_PLAIN;
    }
    /* The render pass goes again at once: the pipeline fits all that are compatible with it. */
    struct pass *pass = shape->dynamic ? NULL : need_pass(v, r, shape);
    struct description d;
    describe_pipeline(v, r, &d, slot);
    if (!shape->dynamic && !pass) {
        slot->head.alive = false;
        return STILL(pipeline);
    }
    d.info.renderPass = pass ? pass->handle : VK_NULL_HANDLE;
    MUST(TRY(v->w, CreateGraphicsPipelines, v->w->device,
             random_chance(r, 50) ? v->cache : VK_NULL_HANDLE, 1, &d.info, NULL, &slot->handle));
    return slot;
}
