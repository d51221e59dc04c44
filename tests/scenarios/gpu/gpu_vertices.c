/* Vertices and instances that draws fetch beyond the end of their vertex buffers (23.4 "Vertex
 * Input Address Calculation"), found where vertex shaders begin. */
#include "gpu/gpu_world.h"

#include "shader_interface.h"

/* The check of the indices themselves is another one, and tells of direct draws first. */
#define FETCH_ON(...)                                                                    \
    .drivers = LAVAPIPE, .settings = {"gpuav_enable=true", "gpuav_index_buffers=false"}, \
    .proceed = true, .allow = {"VALIDATION-SETTINGS", "WARNING-Setting-Limit-Adjusted"}, \
    ##__VA_ARGS__
#define FETCH(...) FETCH_ON(.features = &gpu_features_plain, ##__VA_ARGS__)
#define BEYOND     "VUID-vkCmdDraw-None-02721"

/* A pipeline whose shader reads location 2 from binding 1, which has elements of 16 bytes; what a
 * scenario changes is set before begin_fetch(). */
struct fetch {
    struct baseline *b;
    VkVertexInputBindingDescription binding;
    VkVertexInputAttributeDescription attributes[2];
    uint32_t attribute_count;
    const void *input_next, *pipeline_next;
    VkDynamicState dynamic;
    uint32_t dynamic_count;
    bool unused;       /* the shader declares location 3, too, and does not load it */
    uint32_t elements; /* that the buffer has, after 16 bytes that are not used */
    VkCommandBuffer c;
};

static struct fetch fetch_of(struct baseline *b)
{
    return (struct fetch){
        .b = b,
        .binding = {.binding = 1, .stride = 16},
        .attributes = {{.location = 2, .binding = 1, .format = VK_FORMAT_R32G32B32A32_SFLOAT}},
        .attribute_count = 1,
        .elements = 8};
}

static void bind_fetched(struct fetch *f)
{
    const VkDeviceSize offset = 16;
    const VkBuffer buffer =
        make_buffer(f->b, 16 + f->elements * 16, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    gpu_name(f->b, VK_OBJECT_TYPE_BUFFER, (uint64_t)(uintptr_t)buffer, "corners");
    vkCmdBindVertexBuffers(f->c, 1, 1, &buffer, &offset);
}

static void begin_fetch(struct fetch *f)
{
    struct graphics_pipeline pipeline;
    const VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = f->dynamic_count,
        .pDynamicStates = &f->dynamic};
    begin_graphics_pipeline(f->b, &pipeline, make_empty_pipeline_layout(f->b),
                            make_render_pass(f->b));
    VkShaderModule module = f->unused ? MAKE_SHADER(f->b, spirv_vertex_attribute_unused)
                                      : MAKE_SHADER(f->b, spirv_vertex_attribute);
    pipeline.stages[0] = stage_info(VK_SHADER_STAGE_VERTEX_BIT, module);
    pipeline.stages[1] =
        stage_info(VK_SHADER_STAGE_FRAGMENT_BIT, MAKE_SHADER(f->b, spirv_fragment));
    pipeline.vertex_input.vertexBindingDescriptionCount = 1;
    pipeline.vertex_input.vertexAttributeDescriptionCount = f->attribute_count;
    pipeline.vertex_input.pVertexBindingDescriptions = &f->binding;
    pipeline.vertex_input.pVertexAttributeDescriptions = f->attributes;
    pipeline.vertex_input.pNext = f->input_next;
    pipeline.info.pDynamicState = f->dynamic_count ? &dynamic : NULL;
    pipeline.info.pNext = f->pipeline_next;
    VkPipeline made = create_graphics_pipeline(f->b, &pipeline.info);
    f->c = make_recording(f->b);
    begin_rendering(f->b, f->c);
    vkCmdBindPipeline(f->c, VK_PIPELINE_BIND_POINT_GRAPHICS, made);
    bind_fetched(f);
}

static void end_fetch(struct fetch *f)
{
    vkCmdEndRenderPass(f->c);
    run_commands(f->b, f->c);
}

static void draw_fetch(struct fetch f, uint32_t count, uint32_t first)
{
    begin_fetch(&f);
    vkCmdDraw(f.c, count, 1, first, 0);
    end_fetch(&f);
}

/* --- vertices --- */

SCENARIO(vertex_beyond,
         FETCH(.expect = {BEYOND}, .text = {"Vertex index 8 is beyond the vertex buffer: location "
                                            "2 has 8 vertices in VkBuffer 0x",
                                            "which is bound to binding 1.", "command 3: vkCmdDraw.",
                                            "Stage = Vertex."}))
{
    draw_fetch(fetch_of(b), 9, 0);
}

SCENARIO(vertex_beyond_by_first_vertex,
         FETCH(.expect = {BEYOND}, .text = {"Vertex index 8 is beyond"}))
{
    draw_fetch(fetch_of(b), 3, 6);
}

SCENARIO(vertex_last, FETCH())
{
    draw_fetch(fetch_of(b), 3, 5);
    draw_fetch(fetch_of(b), 6, 0);
}

/* The last vertex of three has 8 bytes there. */
SCENARIO(vertex_of_which_half_is_there,
         FETCH(.expect = {BEYOND},
               .text = {"Vertex index 2 is beyond the vertex buffer: location 2 has 2 vertices"}))
{
    struct fetch f = fetch_of(b);
    f.elements = 3;
    f.attributes[0].offset = 8;
    draw_fetch(f, 3, 0);
}

SCENARIO(vertex_small_at_an_offset, FETCH())
{
    struct fetch f = fetch_of(b);
    f.elements = 3;
    f.attributes[0].offset = 8;
    f.attributes[0].format = VK_FORMAT_R32G32_SFLOAT;
    draw_fetch(f, 3, 0);
}

SCENARIO(vertex_stride_of_none, FETCH())
{
    struct fetch f = fetch_of(b);
    f.elements = 1;
    f.binding.stride = 0;
    draw_fetch(f, 3, 1000);
}

SCENARIO(vertex_no_room_for_one,
         FETCH(.expect = {BEYOND},
               .text = {"Vertex index 0 is beyond the vertex buffer: location 2 has 0 vertices"}))
{
    struct fetch f = fetch_of(b);
    f.elements = 1;
    f.binding.stride = 0;
    f.attributes[0].offset = 16;
    draw_fetch(f, 3, 0);
}

/* An attribute that the shader does not read may be anywhere. */
SCENARIO(vertex_unread_attribute, FETCH(.below = {"WARNING-Shader-OutputNotConsumed"}))
{
    struct fetch f = fetch_of(b);
    f.attributes[1] = (VkVertexInputAttributeDescription){
        .location = 3, .binding = 1, .format = VK_FORMAT_R32G32B32A32_SFLOAT, .offset = 100};
    f.attribute_count = 2;
    draw_fetch(f, 3, 5);
}

/* Nor what it declares and never loads. */
SCENARIO(vertex_unused_attribute, FETCH())
{
    struct fetch f = fetch_of(b);
    f.attributes[1] = (VkVertexInputAttributeDescription){
        .location = 3, .binding = 1, .format = VK_FORMAT_R32G32B32A32_SFLOAT, .offset = 100};
    f.attribute_count = 2;
    f.unused = true;
    draw_fetch(f, 3, 5);
}

/* Once, though every vertex is beyond; and each command by itself. */
SCENARIO(vertex_beyond_in_the_second_draw,
         FETCH(.expect = {BEYOND}, .text = {"Vertex index 300 is beyond", "command 4: vkCmdDraw."}))
{
    struct fetch f = fetch_of(b);
    begin_fetch(&f);
    vkCmdDraw(f.c, 3, 1, 0, 0);
    vkCmdDraw(f.c, 30, 2, 300, 0);
    vkCmdDraw(f.c, 3, 1, 5, 0);
    end_fetch(&f);
}

/* With another buffer the same draw is right. */
SCENARIO(vertex_in_a_longer_buffer, FETCH())
{
    struct fetch f = fetch_of(b);
    f.elements = 1;
    begin_fetch(&f);
    f.elements = 3;
    bind_fetched(&f);
    vkCmdDraw(f.c, 3, 1, 0, 0);
    end_fetch(&f);
}

SCENARIO(vertex_beyond_with_the_setting_off, .drivers = LAVAPIPE,
         .settings = {"gpuav_enable=true", "gpuav_vertex_attribute_fetch_oob=false"},
         .features = &gpu_features_plain, .ours_only = true)
{
    draw_fetch(fetch_of(b), 9, 0);
}

/* --- indices, and what only the device knows --- */

static void bind_fetch_indices(struct fetch *f, const uint32_t *indices, uint32_t count)
{
    VkBuffer buffer = make_buffer(f->b, count * sizeof(*indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    gpu_fill(f->b, buffer, 0, indices, count * sizeof(*indices));
    vkCmdBindIndexBuffer(f->c, buffer, 0, VK_INDEX_TYPE_UINT32);
}

static VkBuffer parameters_of(struct fetch *f, const void *data, size_t size)
{
    VkBuffer buffer = make_buffer(f->b, size, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    gpu_fill(f->b, buffer, 0, data, size);
    return buffer;
}

static void draw_fetched_indexed(struct baseline *b, uint32_t highest, int32_t offset)
{
    const uint32_t indices[] = {0, 1, highest};
    struct fetch f = fetch_of(b);
    begin_fetch(&f);
    bind_fetch_indices(&f, indices, 3);
    vkCmdDrawIndexed(f.c, 3, 1, 0, offset, 0);
    end_fetch(&f);
}

SCENARIO(vertex_beyond_by_index,
         FETCH(.expect = {"VUID-vkCmdDrawIndexed-None-02721"},
               .text = {"Vertex index 8 is beyond the vertex buffer: location 2 has 8 vertices",
                        "command 4: vkCmdDrawIndexed."}))
{
    draw_fetched_indexed(b, 8, 0);
}

SCENARIO(vertex_last_by_index, FETCH())
{
    draw_fetched_indexed(b, 7, 0);
}

SCENARIO(vertex_beyond_by_index_and_offset, FETCH(.expect = {"VUID-vkCmdDrawIndexed-None-02721"},
                                                  .text = {"Vertex index 9 is beyond"}))
{
    draw_fetched_indexed(b, 3, 6);
}

/* Where the indices have been looked at, one finding names the index. */
SCENARIO(vertex_beyond_by_an_index_that_is_told_of, GPU_SETTINGS(), .features = &gpu_features_plain,
         .expect = {"VUID-vkCmdDrawIndexed-None-02721"},
         .text = {"the index at position 2 of the index buffer (draw 0) is 8"}, .ours_only = true)
{
    draw_fetched_indexed(b, 8, 0);
}

static void draw_fetched_indirect(struct baseline *b, uint32_t first)
{
    const VkDrawIndirectCommand draws[] = {{3, 1, 0, 0}, {3, 1, first, 0}};
    struct fetch f = fetch_of(b);
    begin_fetch(&f);
    vkCmdDrawIndirect(f.c, parameters_of(&f, draws, sizeof(draws)), 0, 2, sizeof(draws[0]));
    end_fetch(&f);
}

SCENARIO(vertex_beyond_in_an_indirect_draw,
         FETCH(.expect = {"VUID-vkCmdDrawIndirect-None-02721"},
               .text = {"Vertex index 8 is beyond the vertex buffer: location 2 has 8 vertices",
                        "command 3: vkCmdDrawIndirect."}))
{
    draw_fetched_indirect(b, 6);
}

SCENARIO(vertex_last_in_an_indirect_draw, FETCH())
{
    draw_fetched_indirect(b, 5);
}

static void draw_indexed_indirect(struct baseline *b, uint32_t highest, uint32_t count)
{
    const uint32_t indices[] = {0, 1, 2, 3, 4, highest};
    const VkDrawIndexedIndirectCommand draws[] = {{3, 1, 0, 0, 0}, {3, 1, 3, 0, 0}};
    struct fetch f = fetch_of(b);
    begin_fetch(&f);
    bind_fetch_indices(&f, indices, 6);
    vkCmdDrawIndexedIndirectCount(f.c, parameters_of(&f, draws, sizeof(draws)), 0,
                                  parameters_of(&f, &count, sizeof(count)), 0, 2, sizeof(draws[0]));
    end_fetch(&f);
}

SCENARIO(vertex_beyond_in_an_indexed_indirect_draw, GPU_SETTINGS(), .features = &gpu_features_plain,
         .expect = {"VUID-vkCmdDrawIndexedIndirectCount-None-02721"},
         .text = {"Vertex index 80 is beyond the vertex buffer: location 2 has 8 vertices",
                  "command 4: vkCmdDrawIndexedIndirectCount."})
{
    draw_indexed_indirect(b, 80, 2);
}

/* The draw with the index that is beyond is not counted. */
SCENARIO(vertex_last_in_an_indexed_indirect_draw, GPU)
{
    draw_indexed_indirect(b, 7, 2);
    draw_indexed_indirect(b, 80, 1);
}

/* --- instances --- */

static void draw_instances(struct fetch f, uint32_t count, uint32_t first)
{
    f.binding.inputRate = VK_VERTEX_INPUT_RATE_INSTANCE;
    begin_fetch(&f);
    vkCmdDraw(f.c, 30, count, 0, first);
    end_fetch(&f);
}

SCENARIO(instance_beyond,
         FETCH(.expect = {BEYOND}, .text = {"Instance index 8 is beyond the vertex buffer: "
                                            "location 2 has 8 instances in VkBuffer 0x",
                                            "which is bound to binding 1.", "Instance index = 8."}))
{
    draw_instances(fetch_of(b), 9, 0);
}

SCENARIO(instance_beyond_by_first_instance,
         FETCH(.expect = {BEYOND}, .text = {"Instance index 8 is beyond"}))
{
    draw_instances(fetch_of(b), 2, 7);
}

SCENARIO(instance_last, FETCH())
{
    draw_instances(fetch_of(b), 8, 0);
    draw_instances(fetch_of(b), 1, 7);
}

static const VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT divisors = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT,
    .pNext = (void *)&gpu_features_plain,
    .vertexAttributeInstanceRateDivisor = VK_TRUE,
    .vertexAttributeInstanceRateZeroDivisor = VK_TRUE};
#define DIVISORS(...)               \
    FETCH_ON(.features = &divisors, \
             .extensions = {VK_EXT_VERTEX_ATTRIBUTE_DIVISOR_EXTENSION_NAME}, ##__VA_ARGS__)

static void draw_divided(struct baseline *b, uint32_t divisor, uint32_t count, uint32_t first)
{
    const VkVertexInputBindingDivisorDescriptionEXT description = {1, divisor};
    const VkPipelineVertexInputDivisorStateCreateInfoEXT state = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT,
        .vertexBindingDivisorCount = 1,
        .pVertexBindingDivisors = &description};
    struct fetch f = fetch_of(b);
    f.input_next = &state;
    draw_instances(f, count, first);
}

/* firstInstance 6 reads element 6, instances 8 and 9 element 7, instance 10 element 8. */
SCENARIO(instance_beyond_with_a_divisor,
         DIVISORS(.expect = {BEYOND},
                  .text = {
                      "Instance index 10 is beyond the vertex buffer: location 2 has 8 instances",
                      "bound to binding 1 (the divisor is 2)."}))
{
    draw_divided(b, 2, 5, 6);
}

SCENARIO(instance_last_with_a_divisor, DIVISORS())
{
    draw_divided(b, 2, 4, 6);
    draw_divided(b, 2, 16, 0);
}

/* All read the element firstInstance. */
SCENARIO(instance_beyond_with_a_divisor_of_0,
         DIVISORS(.expect = {BEYOND},
                  .text = {"Instance index 8 is beyond", "(the divisor is 0)."}))
{
    draw_divided(b, 0, 5, 8);
}

SCENARIO(instance_last_with_a_divisor_of_0, DIVISORS())
{
    draw_divided(b, 0, 500, 7);
}

static void draw_instances_indirect(struct baseline *b, uint32_t count)
{
    const VkDrawIndirectCommand draw = {3, count, 0, 0};
    struct fetch f = fetch_of(b);
    f.binding.inputRate = VK_VERTEX_INPUT_RATE_INSTANCE;
    begin_fetch(&f);
    vkCmdDrawIndirect(f.c, parameters_of(&f, &draw, sizeof(draw)), 0, 1, sizeof(draw));
    end_fetch(&f);
}

SCENARIO(instance_beyond_in_an_indirect_draw, FETCH(.expect = {"VUID-vkCmdDrawIndirect-None-02721"},
                                                    .text = {"Instance index 8 is beyond"}))
{
    draw_instances_indirect(b, 9);
}

SCENARIO(instance_last_in_an_indirect_draw, FETCH())
{
    draw_instances_indirect(b, 8);
}

/* --- state that the command buffer has --- */

/* With 40 bytes from byte 32 on, and this stride. */
static void draw_with_stride(struct baseline *b, VkDeviceSize stride)
{
    const VkDeviceSize offset = 32, size = 40;
    struct fetch f = fetch_of(b);
    f.dynamic = VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE;
    f.dynamic_count = 1;
    begin_fetch(&f);
    const VkBuffer buffer = make_buffer(b, 1024, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    vkCmdBindVertexBuffers2(f.c, 1, 1, &buffer, &offset, &size, &stride);
    vkCmdDraw(f.c, 3, 1, 0, 0);
    end_fetch(&f);
}

SCENARIO(vertex_beyond_by_dynamic_stride,
         FETCH(.expect = {BEYOND},
               .text = {"Vertex index 2 is beyond the vertex buffer: location 2 has 2 vertices"}))
{
    draw_with_stride(b, 16);
}

SCENARIO(vertex_last_by_dynamic_stride, FETCH())
{
    draw_with_stride(b, 12);
}

static const VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT dynamic_input = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT,
    .pNext = (void *)&gpu_features_plain,
    .vertexInputDynamicState = VK_TRUE};
#define DYNAMIC_INPUT(...)               \
    FETCH_ON(.features = &dynamic_input, \
             .extensions = {VK_EXT_VERTEX_INPUT_DYNAMIC_STATE_EXTENSION_NAME}, ##__VA_ARGS__)

static void set_input(struct baseline *b, VkCommandBuffer c, uint32_t offset)
{
    const VkVertexInputBindingDescription2EXT binding = {
        .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT,
        .binding = 1,
        .stride = 32,
        .divisor = 1};
    const VkVertexInputAttributeDescription2EXT attribute = {
        .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT,
        .location = 2,
        .binding = 1,
        .format = VK_FORMAT_R32G32B32A32_SFLOAT,
        .offset = offset};
    DEVICE_PROC(b, vkCmdSetVertexInputEXT)(c, 1, &binding, 1, &attribute);
}

static void draw_with_input(struct baseline *b, uint32_t offset)
{
    struct fetch f = fetch_of(b);
    f.dynamic = VK_DYNAMIC_STATE_VERTEX_INPUT_EXT;
    f.dynamic_count = 1;
    f.elements = 5; /* of 16 bytes: two and a half of 32 */
    begin_fetch(&f);
    set_input(b, f.c, offset);
    vkCmdDraw(f.c, 3, 1, 0, 0);
    end_fetch(&f);
}

SCENARIO(vertex_beyond_by_dynamic_input,
         DYNAMIC_INPUT(
                 .expect = {BEYOND},
                 .text = {"Vertex index 2 is beyond the vertex buffer: location 2 has 2 vertices"}))
{
    draw_with_input(b, 16);
}

SCENARIO(vertex_last_by_dynamic_input, DYNAMIC_INPUT())
{
    draw_with_input(b, 0);
}

/* --- shader objects --- */

static const VkPhysicalDeviceVulkan13Features rendering = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .dynamicRendering = VK_TRUE};
static const VkPhysicalDeviceVulkan12Features object_addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    .pNext = (void *)&rendering,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceShaderObjectFeaturesEXT shader_objects = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
    .pNext = (void *)&object_addresses,
    .shaderObject = VK_TRUE};
static const VkPhysicalDeviceFeatures2 objects = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)&shader_objects,
    .features = {.vertexPipelineStoresAndAtomics = VK_TRUE, .fragmentStoresAndAtomics = VK_TRUE}};
#define OBJECTS(...)                                                                    \
    FETCH_ON(.features = &objects, .extensions = {VK_EXT_SHADER_OBJECT_EXTENSION_NAME}, \
             ##__VA_ARGS__)

/* `code`: of the vertex shader and the fragment shader. */
static void bind_fetch_objects(struct baseline *b, VkCommandBuffer c, const struct gpu_code *code)
{
    const VkShaderStageFlagBits stages[2] = {VK_SHADER_STAGE_VERTEX_BIT,
                                             VK_SHADER_STAGE_FRAGMENT_BIT};
    VkShaderCreateInfoEXT infos[2];
    VkShaderEXT shaders[2];
    for (uint32_t i = 0; i < 2; i++)
        infos[i] = (VkShaderCreateInfoEXT){.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                           .stage = stages[i],
                                           .nextStage = i ? 0 : VK_SHADER_STAGE_FRAGMENT_BIT,
                                           .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                           .codeSize = code[i].size,
                                           .pCode = code[i].words,
                                           .pName = "main"};
    VK(DEVICE_PROC(b, vkCreateShadersEXT)(b->device, 2, infos, NULL, shaders));
    for (uint32_t i = 0; i < 2; i++)
        cleanup_add(b, destroy_shader, HANDLE(shaders[i]));
    DEVICE_PROC(b, vkCmdBindShadersEXT)(c, 2, stages, shaders);
}

#define SET(name_, ...) DEVICE_PROC(b, name_)(c, __VA_ARGS__)
static void set_fetch_states(struct baseline *b, VkCommandBuffer c)
{
    const VkViewport viewport = {.width = IMAGE_EXTENT, .height = IMAGE_EXTENT, .maxDepth = 1};
    const VkRect2D scissor = {.extent = {IMAGE_EXTENT, IMAGE_EXTENT}};
    const VkSampleMask mask = 1;
    const VkBool32 no = VK_FALSE;
    const VkColorComponentFlags all = 15;
    SET(vkCmdSetViewportWithCount, 1, &viewport);
    SET(vkCmdSetScissorWithCount, 1, &scissor);
    SET(vkCmdSetRasterizerDiscardEnable, VK_FALSE);
    SET(vkCmdSetCullMode, VK_CULL_MODE_NONE);
    SET(vkCmdSetFrontFace, VK_FRONT_FACE_CLOCKWISE);
    SET(vkCmdSetDepthTestEnable, VK_FALSE);
    SET(vkCmdSetStencilTestEnable, VK_FALSE);
    SET(vkCmdSetDepthBiasEnable, VK_FALSE);
    SET(vkCmdSetPrimitiveTopology, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
    SET(vkCmdSetPrimitiveRestartEnable, VK_FALSE);
    SET(vkCmdSetPolygonModeEXT, VK_POLYGON_MODE_FILL);
    SET(vkCmdSetRasterizationSamplesEXT, VK_SAMPLE_COUNT_1_BIT);
    SET(vkCmdSetSampleMaskEXT, VK_SAMPLE_COUNT_1_BIT, &mask);
    SET(vkCmdSetAlphaToCoverageEnableEXT, VK_FALSE);
    SET(vkCmdSetColorBlendEnableEXT, 0, 1, &no);
    SET(vkCmdSetColorWriteMaskEXT, 0, 1, &all);
}

/* Draws `count` vertices of the buffer, which has `size` bytes. */
static void draw_objects_from(struct baseline *b, const struct gpu_code *code, VkBuffer buffer,
                              VkDeviceSize size, uint32_t offset, VkDeviceSize stride,
                              uint32_t count)
{
    struct fetch f = fetch_of(b);
    f.c = make_recording(b);
    const VkImage image = make_image(b, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    const VkImageViewCreateInfo view_info = image_view_info(image);
    const VkRenderingAttachmentInfo color = rendering_attachment(create_image_view(b, &view_info));
    const VkImageMemoryBarrier barrier =
        image_barrier(image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    const VkRenderingInfo rendering_of_it = rendering_info(&color);
    const VkDeviceSize begin = 0;
    vkCmdPipelineBarrier(f.c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    vkCmdBeginRendering(f.c, &rendering_of_it);
    set_fetch_states(b, f.c);
    bind_fetch_objects(b, f.c, code);
    set_input(b, f.c, offset);
    vkCmdBindVertexBuffers2(f.c, 1, 1, &buffer, &begin, &size, stride ? &stride : NULL);
    vkCmdDraw(f.c, count, 1, 0, 0);
    vkCmdEndRendering(f.c);
    run_commands(b, f.c);
}

static void draw_objects(struct baseline *b, uint32_t offset, VkDeviceSize stride)
{
    const struct gpu_code code[2] = {GPU_CODE(spirv_vertex_attribute), GPU_CODE(spirv_fragment)};
    draw_objects_from(b, code, make_buffer(b, 80, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT), 80, offset,
                      stride, 3);
}

SCENARIO(vertex_beyond_of_shader_objects,
         OBJECTS(.expect = {BEYOND},
                 .text = {"Vertex index 2 is beyond the vertex buffer: location 2 has 2 vertices"}))
{
    draw_objects(b, 16, 0);
}

SCENARIO(vertex_last_of_shader_objects, OBJECTS())
{
    draw_objects(b, 0, 0);
    draw_objects(b, 16, 24); /* the stride that was given last */
}

/* lavapipe copies the push constants of a plain rectangle's fragment shader into a fixed array, in
 * which those of two shader objects have no room. It stops at a value that is not between 0 and 1:
 * half of all addresses are made of such. */
SCENARIO(vertex_of_a_plain_rectangle, OBJECTS())
{
    static const float corners[6][4] = {{-1, -1, 0, 1}, {-1, 1, 0, 1}, {1, -1, 0, 1},
                                        {1, -1, 0, 1},  {-1, 1, 0, 1}, {1, 1, 0, 1}};
    const struct gpu_code code[2] = {GPU_CODE(spirv_vertex_attribute_alone),
                                     GPU_CODE(spirv_fragment_blue)};
    const VkBuffer buffer = make_buffer(b, sizeof(corners), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    gpu_fill(b, buffer, 0, corners, sizeof(corners));
    for (uint32_t i = 0; i < 8; i++)
        draw_objects_from(b, code, buffer, sizeof(corners), 0, 16, 6);
}

/* --- robust access --- */

static const VkPhysicalDeviceVulkan12Features addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceFeatures2 robust = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)&addresses,
    .features = {.robustBufferAccess = VK_TRUE, .vertexPipelineStoresAndAtomics = VK_TRUE}};
SCENARIO(vertex_beyond_with_robust_access, FETCH_ON(.features = &robust))
{
    draw_fetch(fetch_of(b), 9, 0);
}

static const VkPhysicalDevicePipelineRobustnessFeaturesEXT pipelines = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_FEATURES_EXT,
    .pNext = (void *)&gpu_features_plain,
    .pipelineRobustness = VK_TRUE};
#define PIPELINES(...)                                                                          \
    FETCH_ON(.features = &pipelines, .extensions = {VK_EXT_PIPELINE_ROBUSTNESS_EXTENSION_NAME}, \
             ##__VA_ARGS__)

static void draw_in_robust_pipeline(struct baseline *b,
                                    VkPipelineRobustnessBufferBehaviorEXT behavior)
{
    const VkPipelineRobustnessCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT, .vertexInputs = behavior};
    struct fetch f = fetch_of(b);
    f.pipeline_next = &info;
    draw_fetch(f, 9, 0);
}

SCENARIO(vertex_beyond_in_a_robust_pipeline, PIPELINES())
{
    draw_in_robust_pipeline(b, VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_EXT);
    draw_in_robust_pipeline(b, VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2_EXT);
}

SCENARIO(vertex_beyond_in_a_pipeline_of_another_kind,
         PIPELINES(.expect = {BEYOND}, .text = {"Vertex index 8 is beyond"}))
{
    draw_in_robust_pipeline(b, VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT);
}

/* A null buffer has no end. */
static const VkPhysicalDeviceRobustness2FeaturesEXT null_descriptors = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT,
    .pNext = (void *)&gpu_features_plain,
    .nullDescriptor = VK_TRUE};
SCENARIO(vertex_of_a_null_buffer, FETCH_ON(.features = &null_descriptors,
                                           .extensions = {VK_EXT_ROBUSTNESS_2_EXTENSION_NAME}))
{
    const VkBuffer none = VK_NULL_HANDLE;
    const VkDeviceSize offset = 0;
    struct fetch f = fetch_of(b);
    f.elements = 1;
    begin_fetch(&f);
    vkCmdBindVertexBuffers(f.c, 1, 1, &none, &offset);
    vkCmdDraw(f.c, 9, 1, 0, 0);
    end_fetch(&f);
}
