/* Every command that runs a shader: a finding in it has the id of that command, and says which of
 * the command buffer's it is. */
#include "gpu/gpu_world.h"

#include <string.h>

/* An index buffer, parameters of indirect commands, and a count, in one. */
#define INDICES 0
#define DRAW    64
#define INDEXED 128
#define GROUPS  192
#define COUNT   256
#define TRACE   512
static VkBuffer make_command_parameters(struct baseline *b)
{
    VkBuffer buffer =
        make_buffer(b, 1024,
                    VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                        VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    const uint32_t indices[] = {0, 1, 2}, groups[] = {2, 1, 1}, count = 1;
    const VkDrawIndirectCommand draw = {3, 1, 0, 0};
    const VkDrawIndexedIndirectCommand indexed = {3, 1, 0, 0, 0};
    gpu_fill(b, buffer, INDICES, indices, sizeof(indices));
    gpu_fill(b, buffer, DRAW, &draw, sizeof(draw));
    gpu_fill(b, buffer, INDEXED, &indexed, sizeof(indexed));
    gpu_fill(b, buffer, GROUPS, groups, sizeof(groups));
    gpu_fill(b, buffer, COUNT, &count, sizeof(count));
    return buffer;
}

static VkDeviceAddress address_of_buffer(struct baseline *b, VkBuffer buffer)
{
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                            .buffer = buffer};
    return vkGetBufferDeviceAddress(b->device, &info);
}

typedef void action(struct gpu *g, VkBuffer parameters);

static void run_action(struct baseline *b, enum gpu_stage stage, uint32_t index, action *act)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, stage);
    g.index = index;
    gpu_make(&g);
    VkBuffer parameters = make_command_parameters(b);
    gpu_prepare(&g);
    gpu_begin(&g);
    gpu_bind(&g);
    gpu_push(&g);
    bool graphics = g.bind_point == VK_PIPELINE_BIND_POINT_GRAPHICS;
    if (graphics)
        gpu_begin_pass(&g, VK_SUBPASS_CONTENTS_INLINE);
    act(&g, parameters);
    if (graphics)
        vkCmdEndRenderPass(g.commands);
    gpu_submit(&g);
}

#define COMMAND(name_, stage_, command_, device_, call_)                                           \
    static void do_##name_(struct gpu *g, VkBuffer parameters)                                     \
    {                                                                                              \
        (void)parameters;                                                                          \
        call_;                                                                                     \
    }                                                                                              \
    SCENARIO(name_##_past_the_end, DEVICE_##device_, .expect = {"VUID-" command_ "-None-10068"},   \
             .text = {GPU_TEXT_INDEX(6, 6), command_, "result.value = things[push.index].value;"}) \
    {                                                                                              \
        run_action(b, gpu_stage_##stage_, GPU_LENGTH, do_##name_);                                 \
    }                                                                                              \
    SCENARIO(name_##_last, DEVICE_##device_)                                                       \
    {                                                                                              \
        run_action(b, gpu_stage_##stage_, GPU_LENGTH - 1, do_##name_);                             \
    }

static const VkPhysicalDeviceVulkan11Features draw_parameters = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
    .pNext = (void *)&gpu_features_plain,
    .shaderDrawParameters = VK_TRUE};
static const VkPhysicalDeviceMultiDrawFeaturesEXT multi_draw = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTI_DRAW_FEATURES_EXT,
    .pNext = (void *)&draw_parameters,
    .multiDraw = VK_TRUE};
static const VkPhysicalDeviceRayTracingPipelineFeaturesKHR indirect_rays = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR,
    .rayTracingPipeline = VK_TRUE,
    .rayTracingPipelineTraceRaysIndirect = VK_TRUE};
#define EXTENDED(features_, ...) \
    GPU_SETTINGS(), .features = &(features_), .extensions = {__VA_ARGS__}
#define DEVICE_plain GPU
#define DEVICE_mesh  GPU_WITH_MESH
#define DEVICE_rays  GPU_WITH_RAYS
#define DEVICE_multi EXTENDED(multi_draw, VK_EXT_MULTI_DRAW_EXTENSION_NAME)

#define CALL(name_, ...) DEVICE_PROC(g->b, name_)(g->commands, __VA_ARGS__)

#define WITH_INDICES vkCmdBindIndexBuffer(g->commands, parameters, INDICES, VK_INDEX_TYPE_UINT32)

COMMAND(draw, vert, "vkCmdDraw", plain, vkCmdDraw(g->commands, 3, 1, 0, 0))
COMMAND(draw_indexed, vert, "vkCmdDrawIndexed", plain,
        (WITH_INDICES, vkCmdDrawIndexed(g->commands, 3, 1, 0, 0, 0)))
COMMAND(draw_indirect, frag, "vkCmdDrawIndirect", plain,
        vkCmdDrawIndirect(g->commands, parameters, DRAW, 1, 16))
COMMAND(draw_indexed_indirect, frag, "vkCmdDrawIndexedIndirect", plain,
        (WITH_INDICES, vkCmdDrawIndexedIndirect(g->commands, parameters, INDEXED, 1, 20)))
COMMAND(draw_indirect_count, frag, "vkCmdDrawIndirectCount", plain,
        vkCmdDrawIndirectCount(g->commands, parameters, DRAW, parameters, COUNT, 1, 16))
COMMAND(draw_indexed_indirect_count, frag, "vkCmdDrawIndexedIndirectCount", plain,
        (WITH_INDICES,
         vkCmdDrawIndexedIndirectCount(g->commands, parameters, INDEXED, parameters, COUNT, 1, 20)))
COMMAND(draw_multi, frag, "vkCmdDrawMultiEXT", multi,
        CALL(vkCmdDrawMultiEXT, 2, ((VkMultiDrawInfoEXT[]){{0, 3}, {0, 3}}), 1, 0,
             sizeof(VkMultiDrawInfoEXT)))
COMMAND(draw_multi_indexed, frag, "vkCmdDrawMultiIndexedEXT", multi,
        (WITH_INDICES, CALL(vkCmdDrawMultiIndexedEXT, 1, (&(VkMultiDrawIndexedInfoEXT){0, 3, 0}), 1,
                            0, sizeof(VkMultiDrawIndexedInfoEXT), NULL)))
COMMAND(dispatch, comp, "vkCmdDispatch", plain, vkCmdDispatch(g->commands, 2, 1, 1))
COMMAND(dispatch_indirect, comp, "vkCmdDispatchIndirect", plain,
        vkCmdDispatchIndirect(g->commands, parameters, GROUPS))
COMMAND(mesh_tasks, task, "vkCmdDrawMeshTasksEXT", mesh, CALL(vkCmdDrawMeshTasksEXT, 1, 1, 1))
COMMAND(mesh_tasks_indirect, mesh, "vkCmdDrawMeshTasksIndirectEXT", mesh,
        CALL(vkCmdDrawMeshTasksIndirectEXT, parameters, GROUPS, 1, 12))
COMMAND(trace_rays, rgen, "vkCmdTraceRaysKHR", rays,
        CALL(vkCmdTraceRaysKHR, &g->tables[0], &g->tables[1], &g->tables[2], &g->tables[3], 2, 1,
             1))

/* A pipeline that may be dispatched from another base. */
static void dispatch_base(struct baseline *b, uint32_t index)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    g.index = index;
    g.pipeline_flags = VK_PIPELINE_CREATE_DISPATCH_BASE_BIT;
    gpu_make(&g);
    gpu_prepare(&g);
    gpu_begin(&g);
    gpu_bind(&g);
    gpu_push(&g);
    vkCmdDispatchBase(g.commands, 1, 0, 0, 1, 1, 1); /* invocations 4 to 7 */
    gpu_submit(&g);
}
SCENARIO(dispatch_base_past_the_end, GPU, .expect = {"VUID-vkCmdDispatchBase-None-10068"},
         .text = {GPU_TEXT_INDEX(6, 6), "vkCmdDispatchBase"})
{
    dispatch_base(b, GPU_LENGTH);
}
SCENARIO(dispatch_base_last, GPU)
{
    dispatch_base(b, GPU_LENGTH - 1);
}

/* The group's size and the tables are in memory, too. */
static void trace_indirect(struct baseline *b, uint32_t index)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_rmiss);
    g.index = index;
    gpu_make(&g);
    VkBuffer parameters = make_command_parameters(b);
    const VkTraceRaysIndirectCommandKHR size = {2, 1, 1};
    gpu_fill(b, parameters, TRACE, &size, sizeof(size));
    gpu_prepare(&g);
    gpu_begin(&g);
    gpu_bind(&g);
    gpu_push(&g);
    DEVICE_PROC(b, vkCmdTraceRaysIndirectKHR)
    (g.commands, &g.tables[0], &g.tables[1], &g.tables[2], &g.tables[3],
     address_of_buffer(b, parameters) + TRACE);
    gpu_submit(&g);
}

static const VkPhysicalDeviceVulkan12Features with_addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    .pNext = (void *)&indirect_rays,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceAccelerationStructureFeaturesKHR structures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
    .pNext = (void *)&with_addresses,
    .accelerationStructure = VK_TRUE};
static const VkPhysicalDeviceFeatures2 indirect_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)&structures,
    .features = {.shaderStorageBufferArrayDynamicIndexing = VK_TRUE}};
#define INDIRECT_RAYS EXTENDED(indirect_features, GPU_RAY_EXTENSIONS)
SCENARIO(trace_rays_indirect_past_the_end, INDIRECT_RAYS,
         .expect = {"VUID-vkCmdTraceRaysIndirectKHR-None-10068"},
         .text = {GPU_TEXT_INDEX(6, 6), "vkCmdTraceRaysIndirectKHR"})
{
    trace_indirect(b, GPU_LENGTH);
}
SCENARIO(trace_rays_indirect_last, INDIRECT_RAYS)
{
    trace_indirect(b, GPU_LENGTH - 1);
}

/* --- which command it was --- */

static void three_dispatches(struct baseline *b, uint32_t first, uint32_t second, uint32_t third)
{
    struct gpu g = gpu_of(b, gpu_kind_combined, gpu_stage_comp);
    gpu_make(&g);
    gpu_name(b, VK_OBJECT_TYPE_PIPELINE, HANDLE(g.pipeline), "the pipeline");
    gpu_prepare(&g);
    gpu_begin(&g);
    gpu_name(b, VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE(g.commands), "the commands");
    gpu_bind(&g);
    const uint32_t indices[] = {first, second, third};
    for (int i = 0; i < 3; i++) {
        g.index = indices[i];
        gpu_push(&g);
        gpu_act(&g);
    }
    gpu_submit(&g);
}

/* All commands count: the two that bind, and a push before each dispatch. */
SCENARIO(second_of_three, GPU, .expect = {"VUID-vkCmdDispatch-None-10068"},
         .text = {GPU_TEXT_INDEX(9, 6), "command 5: vkCmdDispatch", "the pipeline", "the commands"})
{
    three_dispatches(b, 0, 9, 1);
    EXPECT_EQUAL(seen_count(b, "VUID-vkCmdDispatch-None-10068"), 1);
}

SCENARIO(first_and_last_of_three, GPU, .expect = {"VUID-vkCmdDispatch-None-10068"},
         .text = {GPU_TEXT_INDEX(7, 6), GPU_TEXT_INDEX(8, 6), "command 3: vkCmdDispatch",
                  "command 7: vkCmdDispatch"})
{
    three_dispatches(b, 7, 0, 8);
    EXPECT_EQUAL(seen_count(b, "VUID-vkCmdDispatch-None-10068"), 2);
}

SCENARIO(none_of_three, GPU)
{
    three_dispatches(b, 0, 3, 5);
}

/* --- generated commands --- */

static const VkPhysicalDeviceMaintenance5Features with_maintenance = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES,
    .pNext = (void *)&gpu_features_plain,
    .maintenance5 = VK_TRUE};
static const VkPhysicalDeviceDeviceGeneratedCommandsFeaturesEXT generates = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_EXT,
    .pNext = (void *)&with_maintenance,
    .deviceGeneratedCommands = VK_TRUE};
#define GENERATES                                                       \
    GPU_SETTINGS(), .features = &generates,                             \
        .extensions = {VK_EXT_DEVICE_GENERATED_COMMANDS_EXTENSION_NAME, \
                       VK_KHR_MAINTENANCE_5_EXTENSION_NAME}

static VkIndirectCommandsLayoutEXT make_commands_layout(const struct gpu *g, bool preprocessed)
{
    const VkIndirectCommandsLayoutTokenEXT token = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
        .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_EXT};
    const VkIndirectCommandsLayoutCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_EXT,
        .flags = preprocessed ? VK_INDIRECT_COMMANDS_LAYOUT_USAGE_EXPLICIT_PREPROCESS_BIT_EXT : 0,
        .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT,
        .indirectStride = sizeof(VkDispatchIndirectCommand),
        .pipelineLayout = g->layout,
        .tokenCount = 1,
        .pTokens = &token};
    VkIndirectCommandsLayoutEXT made = VK_NULL_HANDLE;
    VK(DEVICE_PROC(g->b, vkCreateIndirectCommandsLayoutEXT)(g->b->device, &info, NULL, &made));
    cleanup_add(g->b, destroy_commands_layout, HANDLE(made));
    return made;
}

static void free_command_memory(struct baseline *b, uint64_t memory)
{
    vkFreeMemory(b->device, (VkDeviceMemory)memory, NULL);
}

static VkDeviceAddress make_command_preprocess(struct baseline *b,
                                               const VkMemoryRequirements *needs)
{
    const VkBufferUsageFlags2CreateInfo usage = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO,
        .usage = VK_BUFFER_USAGE_2_PREPROCESS_BUFFER_BIT_EXT |
                 VK_BUFFER_USAGE_2_SHADER_DEVICE_ADDRESS_BIT};
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .pNext = &usage, .size = needs->size};
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    const VkMemoryAllocateInfo allocation = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                             .pNext = &flags,
                                             .allocationSize = needs->size + 65536,
                                             .memoryTypeIndex =
                                                 (uint32_t)__builtin_ctz(needs->memoryTypeBits)};
    VkDeviceMemory memory;
    VK(vkAllocateMemory(b->device, &allocation, NULL, &memory));
    cleanup_add(b, free_command_memory, HANDLE(memory));
    const VkBuffer buffer = create_buffer(b, &info);
    VkMemoryRequirements own;
    vkGetBufferMemoryRequirements(b->device, buffer, &own);
    VK(vkBindBufferMemory(b->device, buffer, memory, 0));
    return address_of_buffer(b, buffer);
}

/* One dispatch that is generated. It reads vector `index` of three that are bound. */
static void generate_dispatch(struct baseline *b, bool preprocessed, uint32_t index)
{
    struct gpu g = gpu_of(b, gpu_kind_uniform_buffer, gpu_stage_comp);
    g.code = gpu_access_code(GPU_UNIFORM_VECTOR, gpu_stage_comp);
    g.count = 1;
    g.range = 48;
    g.index = index;
    gpu_make(&g);
    const VkGeneratedCommandsPipelineInfoEXT given = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT, .pipeline = g.pipeline};
    const VkGeneratedCommandsMemoryRequirementsInfoEXT asked = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_MEMORY_REQUIREMENTS_INFO_EXT,
        .pNext = (void *)(uintptr_t)&given,
        .indirectCommandsLayout = make_commands_layout(&g, preprocessed),
        .maxSequenceCount = 1};
    VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    DEVICE_PROC(b, vkGetGeneratedCommandsMemoryRequirementsEXT)(b->device, &asked, &needs);
    const VkGeneratedCommandsInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
        .pNext = &given,
        .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT,
        .indirectCommandsLayout = asked.indirectCommandsLayout,
        .preprocessAddress = make_command_preprocess(b, &needs.memoryRequirements),
        .preprocessSize = needs.memoryRequirements.size,
        .indirectAddress = address_of_buffer(b, make_command_parameters(b)) + GROUPS,
        .indirectAddressSize = sizeof(VkDispatchIndirectCommand),
        .maxSequenceCount = 1};
    gpu_prepare(&g);
    gpu_begin(&g);
    gpu_bind(&g);
    gpu_push(&g);
    if (preprocessed) {
        const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                         .srcAccessMask =
                                             VK_ACCESS_COMMAND_PREPROCESS_WRITE_BIT_EXT,
                                         .dstAccessMask = VK_ACCESS_INDIRECT_COMMAND_READ_BIT};
        DEVICE_PROC(b, vkCmdPreprocessGeneratedCommandsEXT)(g.commands, &info, g.commands);
        vkCmdPipelineBarrier(g.commands, VK_PIPELINE_STAGE_COMMAND_PREPROCESS_BIT_EXT,
                             VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    }
    DEVICE_PROC(b, vkCmdExecuteGeneratedCommandsEXT)(g.commands, preprocessed, &info);
    gpu_submit(&g);
}

SCENARIO(generated_past_the_end, GENERATES,
         .expect = {"VUID-vkCmdExecuteGeneratedCommandsEXT-uniformBuffers-06935"},
         .text = {"at byte 48 of a uniform buffer that has 48 bytes bound"})
{
    generate_dispatch(b, false, 3);
}

SCENARIO(generated_last, GENERATES)
{
    generate_dispatch(b, false, 2);
}

/* A driver may take the push constants from when it was preprocessed: what the command has bound is
 * not known to the shader. */
SCENARIO(generated_and_preprocessed, GENERATES)
{
    generate_dispatch(b, true, 3);
}
