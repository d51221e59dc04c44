/* Draws and dispatches whose parameters lie at a device address (VK_KHR_device_address_commands)
 * need what their twins with buffers need. */
#include "scenario.h"

/* The header defines the variable, and programs.c has it, too. */
#define shader_triangle_mesh shader_triangle_mesh_by_address
#include "shader_triangle_mesh.h"

#define UNWRAP(...) __VA_ARGS__

static const VkPhysicalDeviceFeatures2 several = {.sType =
                                                      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                                  .features = {.multiDrawIndirect = VK_TRUE}};
static const VkPhysicalDeviceVulkan12Features core12 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    .pNext = (void *)(uintptr_t)&several,
    .drawIndirectCount = VK_TRUE,
    .bufferDeviceAddress = VK_TRUE};
/* glslang gives work groups their size by ids. */
static const VkPhysicalDeviceMaintenance4Features sizes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES,
    .pNext = (void *)(uintptr_t)&core12,
    .maintenance4 = VK_TRUE};
static const VkPhysicalDeviceMeshShaderFeaturesEXT mesh = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
    .pNext = (void *)(uintptr_t)&sizes,
    .meshShader = VK_TRUE};
static const VkPhysicalDeviceDeviceAddressCommandsFeaturesKHR commands = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_ADDRESS_COMMANDS_FEATURES_KHR,
    .pNext = (void *)(uintptr_t)&mesh,
    .deviceAddressCommands = VK_TRUE};
#define ON                                         \
    .drivers = NULL_DRIVER, .features = &commands, \
    .extensions = {"VK_KHR_device_address_commands", "VK_EXT_mesh_shader"}

/* A command buffer in a render pass instance with a pipeline bound, or none, and an address of 256
 * bytes of indirect parameters. */
struct draws {
    struct baseline *b;
    VkCommandBuffer commands;
    VkDeviceAddress address;
};
enum pipeline_kind { PIPELINE_NONE, PIPELINE_VERTICES, PIPELINE_MESH };

static VkPipeline make_mesh(struct baseline *b)
{
    struct graphics_pipeline pipeline;
    begin_graphics_pipeline(b, &pipeline, make_empty_pipeline_layout(b), make_render_pass(b));
    const VkPipelineShaderStageCreateInfo stages[2] = {
        stage_info(VK_SHADER_STAGE_MESH_BIT_EXT, MAKE_SHADER(b, shader_triangle_mesh)),
        pipeline.stages[1]};
    pipeline.info.stageCount = 2;
    pipeline.info.pStages = stages;
    return create_graphics_pipeline(b, &pipeline.info);
}

static struct draws begin_draws_of_kind(struct baseline *b, enum pipeline_kind kind)
{
    struct draws d = {.b = b, .commands = make_recording(b)};
    const VkBufferDeviceAddressInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = make_buffer(b, 256,
                              VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                                  VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)};
    d.address = vkGetBufferDeviceAddress(b->device, &info);
    begin_rendering(b, d.commands);
    if (kind != PIPELINE_NONE)
        vkCmdBindPipeline(d.commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                          kind == PIPELINE_MESH ? make_mesh(b) : make_any_graphics_pipeline(b));
    return d;
}

static void bind_indices(const struct draws *d)
{
    vkCmdBindIndexBuffer(d->commands, make_buffer(d->b, 64, VK_BUFFER_USAGE_INDEX_BUFFER_BIT), 0,
                         VK_INDEX_TYPE_UINT16);
}

/* `size_` bytes with the stride, for `count_` draws. */
#define DIRECT(command_, d_, count_, size_, stride_)                                               \
    DEVICE_PROC((d_).b, command_)                                                                  \
    ((d_).commands, &(VkDrawIndirect2InfoKHR){.sType = VK_STRUCTURE_TYPE_DRAW_INDIRECT_2_INFO_KHR, \
                                              .addressRange = {(d_).address, size_, stride_},      \
                                              .drawCount = (count_)})
#define COUNTED(command_, d_, count_, size_, stride_)                                          \
    DEVICE_PROC((d_).b, command_)                                                              \
    ((d_).commands,                                                                            \
     &(VkDrawIndirectCount2InfoKHR){.sType = VK_STRUCTURE_TYPE_DRAW_INDIRECT_COUNT_2_INFO_KHR, \
                                    .addressRange = {(d_).address, size_, stride_},            \
                                    .countAddressRange = {(d_).address + 252, 4},              \
                                    .maxDrawCount = (count_)})
#define EXPECT_ID(command_, id_) .expect = {"VUID-" #command_ "-" id_}

/* Four scenarios for each draw: nothing bound; two draws that fill the range to its last byte; one
 * draw without a stride; no draw of an empty range is asked for. */
#define DRAW(name_, command_, how_, kind_, prepare_, bytes_)               \
    SCENARIO(name_##_nothing_bound, ON, EXPECT_ID(command_, "None-08606")) \
    {                                                                      \
        struct draws d = begin_draws_of_kind(b, PIPELINE_NONE);            \
        prepare_;                                                          \
        how_(command_, d, 1, bytes_, 0);                                   \
    }                                                                      \
    SCENARIO(name_##_to_the_end, ON)                                       \
    {                                                                      \
        struct draws d = begin_draws_of_kind(b, kind_);                    \
        prepare_;                                                          \
        how_(command_, d, 2, 32 + (bytes_), 32);                           \
        how_(command_, d, 1, bytes_, 0);                                   \
    }
#define DRAW_SIZED(name_, command_, how_, prepare_, bytes_)                                    \
    SCENARIO(name_##_past_the_end, ON, EXPECT_ID(command_, "pInfo-13110"),                     \
             .text = {"addressRange.size is ", "2 parameter structures with stride 32 take "}) \
    {                                                                                          \
        struct draws d = begin_draws_of_kind(b, PIPELINE_VERTICES);                            \
        prepare_;                                                                              \
        how_(command_, d, 2, 28 + (bytes_), 32);                                               \
    }

DRAW(address_draw, vkCmdDrawIndirect2KHR, DIRECT, PIPELINE_VERTICES, (void)0, 16)
DRAW_SIZED(address_draw, vkCmdDrawIndirect2KHR, DIRECT, (void)0, 16)
DRAW(address_indexed, vkCmdDrawIndexedIndirect2KHR, DIRECT, PIPELINE_VERTICES, bind_indices(&d), 20)
DRAW_SIZED(address_indexed, vkCmdDrawIndexedIndirect2KHR, DIRECT, bind_indices(&d), 20)
DRAW(address_count, vkCmdDrawIndirectCount2KHR, COUNTED, PIPELINE_VERTICES, (void)0, 16)
DRAW_SIZED(address_count, vkCmdDrawIndirectCount2KHR, COUNTED, (void)0, 16)
DRAW(address_indexed_count, vkCmdDrawIndexedIndirectCount2KHR, COUNTED, PIPELINE_VERTICES,
     bind_indices(&d), 20)
DRAW_SIZED(address_indexed_count, vkCmdDrawIndexedIndirectCount2KHR, COUNTED, bind_indices(&d), 20)
DRAW(address_mesh, vkCmdDrawMeshTasksIndirect2EXT, DIRECT, PIPELINE_MESH, (void)0, 12)
DRAW(address_mesh_count, vkCmdDrawMeshTasksIndirectCount2EXT, COUNTED, PIPELINE_MESH, (void)0, 12)

SCENARIO(address_indexed_without_indices, ON, EXPECT_ID(vkCmdDrawIndexedIndirect2KHR, "None-07312"))
{
    struct draws d = begin_draws_of_kind(b, PIPELINE_VERTICES);
    DIRECT(vkCmdDrawIndexedIndirect2KHR, d, 1, 20, 0);
}

/* No draw at all needs no range. */
SCENARIO(address_draw_of_none, ON)
{
    struct draws d = begin_draws_of_kind(b, PIPELINE_VERTICES);
    COUNTED(vkCmdDrawIndirectCount2KHR, d, 0, 16, 16);
}

SCENARIO(address_draw_of_a_longer_stride, ON,
         .expect = {"VUID-VkStridedDeviceAddressRangeKHR-stride-10957"},
         .text = {"stride is 16, more than size, 4"})
{
    struct draws d = begin_draws_of_kind(b, PIPELINE_VERTICES);
    COUNTED(vkCmdDrawIndirectCount2KHR, d, 0, 4, 16);
}

/* A dispatch that needs nothing but these is in drawing.c (dispatch_by_address). */
static void dispatch_at_address(struct baseline *b, bool bound)
{
    VkCommandBuffer c = make_recording(b);
    const VkBufferDeviceAddressInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = make_buffer(b, 12,
                              VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                                  VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)};
    if (bound)
        vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, make_any_compute_pipeline(b));
    DEVICE_PROC(b, vkCmdDispatchIndirect2KHR)
    (c, &(VkDispatchIndirect2InfoKHR){
            .sType = VK_STRUCTURE_TYPE_DISPATCH_INDIRECT_2_INFO_KHR,
            .addressRange = {vkGetBufferDeviceAddress(b->device, &info), 12}});
}
SCENARIO(address_dispatch_without_set, ON,
         .expect = {"VUID-vkCmdDispatchIndirect2KHR-None-08600",
                    "VUID-vkCmdDispatchIndirect2KHR-None-08601"})
{
    dispatch_at_address(b, true);
}
SCENARIO(address_dispatch_nothing_bound, ON, EXPECT_ID(vkCmdDispatchIndirect2KHR, "None-08606"),
         .text = {"has no compute pipeline bound"})
{
    dispatch_at_address(b, false);
}

/* --- strides that are set with addresses --- */

static const VkPhysicalDeviceExtendedDynamicStateFeaturesEXT strides = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_FEATURES_EXT,
    .pNext = (void *)(uintptr_t)&commands,
    .extendedDynamicState = VK_TRUE};

static VkPipeline make_pipeline_with(struct baseline *b, bool dynamic)
{
    const VkDynamicState state = VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE;
    const VkPipelineDynamicStateCreateInfo states = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = dynamic,
        .pDynamicStates = &state};
    struct graphics_pipeline pipeline;
    begin_graphics_pipeline(b, &pipeline, make_empty_pipeline_layout(b), make_render_pass(b));
    pipeline.info.pDynamicState = &states;
    return create_graphics_pipeline(b, &pipeline.info);
}

static void draw_strided(struct baseline *b, VkBool32 set, bool dynamic, bool before)
{
    const VkBufferUsageFlags usage =
        VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                            .buffer = make_buffer(b, 256, usage)};
    const VkBindVertexBuffer3InfoKHR vertices = {
        .sType = VK_STRUCTURE_TYPE_BIND_VERTEX_BUFFER_3_INFO_KHR,
        .setStride = set,
        .addressRange = {vkGetBufferDeviceAddress(b->device, &info), 256, set ? 16 : 0}};
    const VkPipeline pipeline = make_pipeline_with(b, dynamic);
    VkCommandBuffer c = make_recording(b);
    begin_rendering(b, c);
    if (before)
        DEVICE_PROC(b, vkCmdBindVertexBuffers3KHR)(c, 0, 1, &vertices);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    if (!before)
        DEVICE_PROC(b, vkCmdBindVertexBuffers3KHR)(c, 0, 1, &vertices);
    vkCmdDraw(c, 3, 1, 0, 0);
}
#define STRIDES                                   \
    .drivers = NULL_DRIVER, .features = &strides, \
    .extensions = {"VK_KHR_device_address_commands", "VK_EXT_mesh_shader"}
SCENARIO(stride_set_for_nothing, STRIDES, .expect = {"VUID-vkCmdDraw-None-13118"},
         .text = {"called with setStride for binding 0"})
{
    draw_strided(b, VK_TRUE, false, false);
}
SCENARIO(stride_not_set, STRIDES)
{
    draw_strided(b, VK_FALSE, false, false);
}
SCENARIO(stride_set_and_taken, STRIDES)
{
    draw_strided(b, VK_TRUE, true, false);
}
/* Binding the pipeline makes the stride invalid. */
SCENARIO(stride_set_too_early, STRIDES)
{
    draw_strided(b, VK_TRUE, false, true);
}

/* --- what indirect draws need --- */

static const VkPhysicalDeviceVulkan12Features plain12 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceMaintenance4Features plain_sizes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES,
    .pNext = (void *)(uintptr_t)&plain12,
    .maintenance4 = VK_TRUE};
static const VkPhysicalDeviceMeshShaderFeaturesEXT plain_mesh = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
    .pNext = (void *)(uintptr_t)&plain_sizes,
    .meshShader = VK_TRUE};
static const VkPhysicalDeviceDeviceAddressCommandsFeaturesKHR plain_commands = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_ADDRESS_COMMANDS_FEATURES_KHR,
    .pNext = (void *)(uintptr_t)&plain_mesh,
    .deviceAddressCommands = VK_TRUE};
#define PLAIN(id_)                                                                \
    .drivers = NULL_DRIVER, .features = &plain_commands, .expect = {"VUID-" id_}, \
    .extensions = {"VK_KHR_device_address_commands", "VK_EXT_mesh_shader"}
SCENARIO(address_count_without_feature, PLAIN("vkCmdDrawIndirectCount2KHR-drawIndirectCount-13119"))
{
    struct draws d = begin_draws_of_kind(b, PIPELINE_VERTICES);
    COUNTED(vkCmdDrawIndirectCount2KHR, d, 1, 16, 16);
}
SCENARIO(address_indexed_count_without_feature,
         PLAIN("vkCmdDrawIndexedIndirectCount2KHR-drawIndirectCount-13120"))
{
    struct draws d = begin_draws_of_kind(b, PIPELINE_VERTICES);
    bind_indices(&d);
    COUNTED(vkCmdDrawIndexedIndirectCount2KHR, d, 1, 20, 20);
}
SCENARIO(address_mesh_count_without_feature,
         PLAIN("vkCmdDrawMeshTasksIndirectCount2EXT-drawIndirectCount-13069"))
{
    struct draws d = begin_draws_of_kind(b, PIPELINE_MESH);
    COUNTED(vkCmdDrawMeshTasksIndirectCount2EXT, d, 1, 12, 12);
}

static void bind_indices_at(struct baseline *b, VkDeviceSize offset, VkIndexType type)
{
    const VkBufferUsageFlags usage =
        VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                            .buffer = make_buffer(b, 256, usage)};
    const VkBindIndexBuffer3InfoKHR indices = {
        .sType = VK_STRUCTURE_TYPE_BIND_INDEX_BUFFER_3_INFO_KHR,
        .addressRange = {vkGetBufferDeviceAddress(b->device, &info) + offset, 128},
        .indexType = type};
    DEVICE_PROC(b, vkCmdBindIndexBuffer3KHR)(make_recording(b), &indices);
}
SCENARIO(address_of_indices_unaligned, ON,
         .expect = {"VUID-VkBindIndexBuffer3InfoKHR-addressRange-13052"},
         .text = {"not a multiple of the 4 bytes of VK_INDEX_TYPE_UINT32"})
{
    bind_indices_at(b, 2, VK_INDEX_TYPE_UINT32);
}
SCENARIO(address_of_indices_aligned, ON)
{
    bind_indices_at(b, 2, VK_INDEX_TYPE_UINT16);
}
