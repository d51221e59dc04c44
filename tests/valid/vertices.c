/* Vertex input at its edges: any formats, bindings and strides up to the limits, divisors, buffers
 * that are not there, and all of it dynamic. Nothing is rasterized. */
#include "valid.h"

#define INPUTS       2
#define BUFFER_BYTES 65536

struct input {
    VkFormat format;
    uint32_t bytes, align; /* of the whole, of a component */
};

static const struct input float_inputs[] = {
    {VK_FORMAT_R8_UNORM, 1, 1},           {VK_FORMAT_R8G8B8A8_SNORM, 4, 1},
    {VK_FORMAT_R16G16_SFLOAT, 4, 2},      {VK_FORMAT_R32_SFLOAT, 4, 4},
    {VK_FORMAT_R32G32B32_SFLOAT, 12, 4},  {VK_FORMAT_R32G32B32A32_SFLOAT, 16, 4},
    {VK_FORMAT_R16G16B16A16_UNORM, 8, 2}, {VK_FORMAT_A2B10G10R10_UNORM_PACK32, 4, 4}};
static const struct input uint_inputs[] = {{VK_FORMAT_R8_UINT, 1, 1},
                                           {VK_FORMAT_R8G8B8A8_UINT, 4, 1},
                                           {VK_FORMAT_R16G16_UINT, 4, 2},
                                           {VK_FORMAT_R32G32_UINT, 8, 4},
                                           {VK_FORMAT_R32G32B32A32_UINT, 16, 4}};

struct vertices {
    const struct input *inputs[INPUTS];
    uint32_t bindings[INPUTS], offsets[INPUTS], strides[INPUTS], divisors[INPUTS];
    VkVertexInputRate rates[INPUTS];
    VkPipeline pipeline;
    VkRenderPass pass;
    VkFramebuffer framebuffer;
    struct buffer *buffer;
    bool dynamic, divided, strided;
    bool uneven; /* a divisor is not 1: not every device can begin after instance 0 then */
};

static bool choose_inputs(struct world *w, struct vertices *v)
{
    const VkPhysicalDeviceLimits *limits = &w->properties.limits;
    v->inputs[0] = &PICK_OF(float_inputs);
    v->inputs[1] = &PICK_OF(uint_inputs);
    uint32_t last = limits->maxVertexInputBindings - 1;
    v->bindings[0] = PICK(0u, 1u, last < 63 ? last : 63);
    v->bindings[1] = v->bindings[0] == 2 ? 3 : 2;
    v->divided = ON(vertexAttributeInstanceRateDivisor) && !v->dynamic && chance(w, 40);
    for (uint32_t i = 0; i < INPUTS; i++) {
        VkFormatProperties properties;
        OUTER(vkGetPhysicalDeviceFormatProperties, w->physical_device, v->inputs[i]->format,
              &properties);
        if (!(properties.bufferFeatures & VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT))
            return false;
        uint32_t align = v->inputs[i]->align;
        v->offsets[i] = align * below(w, 9);
        uint32_t room = (v->offsets[i] + v->inputs[i]->bytes + 15) / 16 * 16;
        v->strides[i] = PICK(room, room + 16, 0u, limits->maxVertexInputBindingStride / 16 * 16);
        if (v->strides[i] > 2048)
            v->strides[i] = 2048;
        v->rates[i] = PICK(VK_VERTEX_INPUT_RATE_VERTEX, VK_VERTEX_INPUT_RATE_INSTANCE);
        v->divisors[i] = 1;
        if (ON(vertexAttributeInstanceRateDivisor) &&
            v->rates[i] == VK_VERTEX_INPUT_RATE_INSTANCE && (v->divided || v->dynamic))
            v->divisors[i] = PICK(1u, 2u, ON(vertexAttributeInstanceRateZeroDivisor) ? 0u : 1u);
        v->uneven |= v->divisors[i] != 1;
    }
    return true;
}

static void make_vertex_pass(struct world *w, struct vertices *v)
{
    VkSubpassDescription subpass = {.pInputAttachments = IGNORED, .pColorAttachments = IGNORED};
    VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                   .subpassCount = 1,
                                   .pSubpasses = &subpass};
    MUST(CreateRenderPass, w->device, &info, NULL, &v->pass);
    OWN(RenderPass, v->pass);
    VkFramebufferCreateInfo framebuffer = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                           .renderPass = v->pass,
                                           .pAttachments = IGNORED,
                                           .width = 1,
                                           .height = 1,
                                           .layers = 1};
    MUST(CreateFramebuffer, w->device, &framebuffer, NULL, &v->framebuffer);
    OWN(Framebuffer, v->framebuffer);
}

static void make_vertex_pipeline(struct world *w, struct vertices *v)
{
    VkPipelineLayoutCreateInfo layout_info = {.sType =
                                                  VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                              .pSetLayouts = IGNORED,
                                              .pPushConstantRanges = IGNORED};
    VkPipelineLayout layout = VK_NULL_HANDLE;
    MUST(CreatePipelineLayout, w->device, &layout_info, NULL, &layout);
    OWN(PipelineLayout, layout);
    static const uint32_t locations[INPUTS] = {0, 2};
    VkVertexInputBindingDescription bindings[INPUTS];
    VkVertexInputAttributeDescription attributes[INPUTS];
    VkVertexInputBindingDivisorDescription divisors[INPUTS];
    uint32_t divisor_count = 0;
    for (uint32_t i = 0; i < INPUTS; i++) {
        bindings[i] = (VkVertexInputBindingDescription){
            v->bindings[i], v->strided ? 0 : v->strides[i], v->rates[i]};
        attributes[i] = (VkVertexInputAttributeDescription){locations[i], v->bindings[i],
                                                            v->inputs[i]->format, v->offsets[i]};
        if (v->divided && v->rates[i] == VK_VERTEX_INPUT_RATE_INSTANCE)
            divisors[divisor_count++] =
                (VkVertexInputBindingDivisorDescription){v->bindings[i], v->divisors[i]};
    }
    VkPipelineVertexInputDivisorStateCreateInfo divisor_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO,
        .vertexBindingDivisorCount = divisor_count,
        .pVertexBindingDivisors = divisors};
    VkPipelineVertexInputStateCreateInfo vertices = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .pNext = divisor_count ? &divisor_info : NULL,
        .vertexBindingDescriptionCount = INPUTS,
        .pVertexBindingDescriptions = bindings,
        .vertexAttributeDescriptionCount = INPUTS,
        .pVertexAttributeDescriptions = attributes};
    VkPipelineShaderStageCreateInfo stage = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = VK_SHADER_STAGE_VERTEX_BIT,
        .module = make_module(w, SHADER_inputs_vert),
        .pName = "main"};
    VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = PICK(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP)};
    assembly.primitiveRestartEnable = chance(w, 50);
    VkPipelineRasterizationStateCreateInfo rasterization = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .rasterizerDiscardEnable = VK_TRUE,
        .lineWidth = 1.0f};
    VkDynamicState states[] = {v->dynamic ? VK_DYNAMIC_STATE_VERTEX_INPUT_EXT
                                          : VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE};
    VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 1,
        .pDynamicStates = states};
    VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                         .stageCount = 1,
                                         .pStages = &stage,
                                         .pVertexInputState = v->dynamic ? IGNORED : &vertices,
                                         .pInputAssemblyState = &assembly,
                                         .pTessellationState = IGNORED,
                                         .pViewportState = IGNORED,
                                         .pRasterizationState = &rasterization,
                                         .pMultisampleState = IGNORED,
                                         .pDepthStencilState = IGNORED,
                                         .pColorBlendState = IGNORED,
                                         .pDynamicState =
                                             v->dynamic || v->strided ? &dynamic : NULL,
                                         .layout = layout,
                                         .renderPass = v->pass};
    MUST(CreateGraphicsPipelines, w->device, VK_NULL_HANDLE, 1, &info, NULL, &v->pipeline);
    OWN(Pipeline, v->pipeline);
}

static void set_vertex_input(struct record *rec, const struct vertices *v)
{
    struct world *w = rec->w;
    static const uint32_t locations[INPUTS] = {0, 2};
    VkVertexInputBindingDescription2EXT bindings[INPUTS];
    VkVertexInputAttributeDescription2EXT attributes[INPUTS];
    for (uint32_t i = 0; i < INPUTS; i++) {
        bindings[i] = (VkVertexInputBindingDescription2EXT){
            VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT,
            NULL,
            v->bindings[i],
            v->strides[i],
            v->rates[i],
            v->divisors[i]};
        attributes[i] = (VkVertexInputAttributeDescription2EXT){
            VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT,
            NULL,
            locations[i],
            v->bindings[i],
            v->inputs[i]->format,
            v->offsets[i]};
    }
    CALL(CmdSetVertexInputEXT, rec->c, INPUTS, bindings, INPUTS, attributes);
}

void step_vertices(struct world *w)
{
    struct vertices *v = NEW(struct vertices, {NULL});
    v->dynamic = ON(vertexInputDynamicState) && chance(w, 40);
    v->strided = !v->dynamic && (ON(extendedDynamicState) || VERSION(13)) && chance(w, 40);
    if (!choose_inputs(w, v))
        return;
    make_vertex_pass(w, v);
    make_vertex_pipeline(w, v);
    v->buffer =
        make_buffer(w, BUFFER_BYTES,
                    VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT, false);
    struct record *rec = record_begin(w, any_queue(w, VK_QUEUE_GRAPHICS_BIT));
    VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                   .renderPass = v->pass,
                                   .framebuffer = v->framebuffer,
                                   .renderArea = {{0, 0}, {1, 1}},
                                   .pClearValues = IGNORED};
    ready(rec, USE(VERTEX) | USE(INDEX));
    CALL(CmdBeginRenderPass, rec->c, &begin, VK_SUBPASS_CONTENTS_INLINE);
    for (uint32_t i = 0; i < INPUTS; i++) {
        /* 16 is a multiple of all components' sizes. */
        VkDeviceSize offset = 16 * (VkDeviceSize)below(w, 4), stride = v->strides[i],
                     size = BUFFER_BYTES - offset;
        bool none = ON(nullDescriptor) && chance(w, 20);
        VkBuffer buffer = none ? VK_NULL_HANDLE : v->buffer->handle;
        if (none)
            offset = 0;
        if (v->strided)
            CALL(CmdBindVertexBuffers2, rec->c, v->bindings[i], 1, &buffer, &offset,
                 !none && chance(w, 50) ? &size : NULL, &stride);
        else
            CALL(CmdBindVertexBuffers, rec->c, v->bindings[i], 1, &buffer, &offset);
    }
    CALL(CmdBindPipeline, rec->c, VK_PIPELINE_BIND_POINT_GRAPHICS, v->pipeline);
    if (v->dynamic)
        set_vertex_input(rec, v);
    CALL(CmdDraw, rec->c, between(w, 0, 4), between(w, 0, 3), below(w, 3),
         v->divided || v->uneven ? 0 : below(w, 2));
    if (ON(nullDescriptor) && ON(maintenance6) && chance(w, 20)) {
        CALL(CmdBindIndexBuffer, rec->c, VK_NULL_HANDLE, 0, VK_INDEX_TYPE_UINT16);
        CALL(CmdDrawIndexed, rec->c, 3, 1, 0, 0, 0);
    }
    CALL(CmdEndRenderPass, rec->c);
    record_finish(rec);
}
