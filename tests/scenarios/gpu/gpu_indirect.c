/* Parameters of indirect commands, which are read when the command runs (28 "Drawing Commands", 29
 * "Dispatching Commands", 41 "Ray Tracing"). */
#include "gpu/gpu_world.h"

#include <string.h>

static VkBuffer make_buffer_of_data(struct baseline *b, const void *data, size_t size)
{
    VkBuffer buffer = make_buffer(b, 1024,
                                  VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                                      VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    gpu_fill(b, buffer, 0, data, size);
    return buffer;
}

/* A command buffer with a pipeline of the stage bound, which reads an array of storage buffers in
 * order. */
static struct gpu begin_indirect_with(struct baseline *b, enum gpu_stage stage,
                                      struct gpu_code code)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, stage);
    if (code.words)
        g.code = code;
    gpu_make(&g);
    gpu_prepare(&g);
    gpu_begin(&g);
    gpu_bind(&g);
    gpu_push(&g);
    if (g.bind_point == VK_PIPELINE_BIND_POINT_GRAPHICS)
        gpu_begin_pass(&g, VK_SUBPASS_CONTENTS_INLINE);
    return g;
}

static struct gpu begin_indirect(struct baseline *b, enum gpu_stage stage)
{
    return begin_indirect_with(b, stage, (struct gpu_code){0});
}

static void end_indirect(struct gpu *g)
{
    if (g->bind_point == VK_PIPELINE_BIND_POINT_GRAPHICS)
        vkCmdEndRenderPass(g->commands);
    gpu_submit(g);
}

/* --- dispatches --- */

static void dispatch_groups(struct baseline *b, uint32_t x, uint32_t y, uint32_t z)
{
    const VkDispatchIndirectCommand groups = {x, y, z};
    struct gpu g = begin_indirect(b, gpu_stage_comp);
    vkCmdDispatchIndirect(g.commands, make_buffer_of_data(b, &groups, sizeof(groups)), 0);
    end_indirect(&g);
}

#define DISPATCH(name_, id_, text_, ...)                                    \
    SCENARIO(name_, GPU, .expect = {"VUID-VkDispatchIndirectCommand-" id_}, \
             .text = {text_, "command 3: vkCmdDispatchIndirect"})           \
    {                                                                       \
        dispatch_groups(b, __VA_ARGS__);                                    \
    }
DISPATCH(dispatch_x, "x-00417",
         "indirect command 0 has x = 70000, more than maxComputeWorkGroupCount[0] = 65535", 70000,
         0, 1)
DISPATCH(dispatch_y, "y-00418",
         "indirect command 0 has y = 65536, more than maxComputeWorkGroupCount[1] = 65535", 0,
         65536, 1)
DISPATCH(dispatch_z, "z-00419",
         "indirect command 0 has z = 4294967295, more than maxComputeWorkGroupCount[2] = 65535", 1,
         0, UINT32_MAX)

SCENARIO(dispatch_most, GPU)
{
    dispatch_groups(b, 65535, 65535, 0);
    dispatch_groups(b, 0, 65535, 65535);
}

/* It looks at what is there when the command runs, not at what was there when it was recorded. The
 * program's pipeline and push constants are there after it. */
SCENARIO(dispatch_of_written_parameters, GPU)
{
    const VkDispatchIndirectCommand before = {70000, 1, 1}, after = {2, 1, 1};
    const float empty[4] = {-1, -1, -1, -1};
    float result[4];
    struct gpu g = begin_indirect(b, gpu_stage_comp);
    VkBuffer parameters = make_buffer_of_data(b, &before, sizeof(before));
    gpu_fill(b, g.result, 0, empty, sizeof(empty));
    vkCmdDispatchIndirect(g.commands, parameters, 0);
    gpu_fill(b, parameters, 0, &after, sizeof(after));
    end_indirect(&g);
    gpu_read(b, g.result, 0, result, sizeof(result));
    EXPECT(memcmp(result, empty, sizeof(result)) != 0);
}

/* Parameters that a copy in the same command buffer writes. */
SCENARIO(dispatch_of_copied_parameters, GPU, .expect = {"VUID-VkDispatchIndirectCommand-x-00417"},
         .text = {"has x = 70001", "command 5: vkCmdDispatchIndirect"})
{
    const uint32_t groups[3] = {70001, 0, 1};
    struct gpu g = begin_indirect(b, gpu_stage_comp);
    VkBuffer parameters =
        make_buffer(b, 64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_INDIRECT_COMMAND_READ_BIT};
    vkCmdUpdateBuffer(g.commands, parameters, 16, sizeof(groups), groups);
    vkCmdPipelineBarrier(g.commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    vkCmdDispatchIndirect(g.commands, parameters, 16);
    end_indirect(&g);
}

SCENARIO(dispatch_with_the_setting_off, .drivers = LAVAPIPE,
         .settings = {"gpuav_enable=true", "gpuav_indirect_dispatches_buffers=false"},
         .features = &gpu_features_plain, .ours_only = true)
{
    dispatch_groups(b, 70000, 0, 1);
}

SCENARIO(dispatch_with_all_of_it_off, .drivers = LAVAPIPE,
         .settings = {"gpuav_enable=true", "gpuav_buffers_validation=false"},
         .features = &gpu_features_plain, .ours_only = true)
{
    dispatch_groups(b, 70000, 0, 1);
}

/* Without instrumented shaders. */
SCENARIO(dispatch_with_plain_shaders, GPU_SETTINGS("gpuav_shader_instrumentation=false"),
         .features = &gpu_features_plain, .expect = {"VUID-VkDispatchIndirectCommand-y-00418"},
         .text = {"has y = 70000"})
{
    dispatch_groups(b, 0, 70000, 1);
}

/* --- draws --- */

static void draw_instances_from(struct baseline *b, uint32_t first_instance)
{
    const VkDrawIndirectCommand draws[4] = {
        {3, 1, 0, 0}, {3, 1, 0, 0}, {3, 1, 0, first_instance}, {3, 1, 0, 0}};
    struct gpu g = begin_indirect(b, gpu_stage_frag);
    vkCmdDrawIndirect(g.commands, make_buffer_of_data(b, draws, sizeof(draws)), 0, 4,
                      sizeof(draws[0]));
    end_indirect(&g);
}

SCENARIO(draw_first_instance, GPU, .expect = {"VUID-VkDrawIndirectCommand-firstInstance-00501"},
         .text = {"indirect command 2 has firstInstance = 7, but the feature "
                  "drawIndirectFirstInstance is not enabled",
                  " It lies in VkBuffer 0x", ", at byte 32 (offset 0, stride 16).",
                  "    fix     set drawIndirectFirstInstance", "command 4: vkCmdDrawIndirect"})
{
    draw_instances_from(b, 7);
}

SCENARIO(draw_with_the_setting_off, GPU_SETTINGS("gpuav_indirect_draws_buffers=false"),
         .features = &gpu_features_plain)
{
    draw_instances_from(b, 7);
}

SCENARIO(draw_in_order, GPU)
{
    draw_instances_from(b, 0);
}

static const VkPhysicalDeviceVulkan12Features addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceFeatures2 first_instance = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)&addresses,
    .features = {.multiDrawIndirect = VK_TRUE,
                 .drawIndirectFirstInstance = VK_TRUE,
                 .fragmentStoresAndAtomics = VK_TRUE}};
SCENARIO(draw_first_instance_with_the_feature, GPU_SETTINGS(), .features = &first_instance)
{
    draw_instances_from(b, 7);
}

static void draw_counted(struct baseline *b, uint32_t count)
{
    const VkDrawIndirectCommand draws[4] = {{3, 1, 0, 0}, {3, 1, 0, 0}, {3, 1, 0, 9}, {3, 1, 0, 0}};
    struct gpu g = begin_indirect(b, gpu_stage_frag);
    vkCmdDrawIndirectCount(g.commands, make_buffer_of_data(b, draws, sizeof(draws)), 0,
                           make_buffer_of_data(b, &count, sizeof(count)), 0, 4, sizeof(draws[0]));
    end_indirect(&g);
}

SCENARIO(draw_counted_first_instance, GPU,
         .expect = {"VUID-VkDrawIndirectCommand-firstInstance-00501"},
         .text = {"indirect command 2 has firstInstance = 9", "command 4: vkCmdDrawIndirectCount"})
{
    draw_counted(b, 3);
}

/* The wrong one is not drawn. */
SCENARIO(draw_counted_up_to_the_wrong_one, GPU)
{
    draw_counted(b, 2);
}

/* In a secondary, which has no end of a render pass instance of its own. */
SCENARIO(draw_in_secondary, GPU, .expect = {"VUID-VkDrawIndirectCommand-firstInstance-00501"},
         .text = {"indirect command 0 has firstInstance = 5", "command 3: vkCmdDrawIndirect"})
{
    const VkDrawIndirectCommand parameters = {3, 1, 0, 5};
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_frag);
    gpu_make(&g);
    gpu_prepare(&g);
    gpu_begin(&g);
    VkCommandBuffer primary = g.commands,
                    secondary = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .renderPass = g.render_pass};
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags =
                                               VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                                           .pInheritanceInfo = &inheritance};
    VK(vkBeginCommandBuffer(secondary, &info));
    g.commands = secondary;
    gpu_bind(&g);
    gpu_push(&g);
    vkCmdDrawIndirect(secondary, make_buffer_of_data(b, &parameters, sizeof(parameters)), 0, 1, 0);
    VK(vkEndCommandBuffer(secondary));
    g.commands = primary;
    gpu_begin_pass(&g, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    vkCmdExecuteCommands(primary, 1, &secondary);
    vkCmdEndRenderPass(primary);
    gpu_submit(&g);
}

static void draw_indexed_instances(struct baseline *b, uint32_t count, uint32_t first,
                                   uint32_t first_instance_)
{
    const VkDrawIndexedIndirectCommand parameters = {count, 1, first, 0, first_instance_};
    const uint16_t indices[6] = {0, 1, 2, 0, 1, 2};
    struct gpu g = begin_indirect(b, gpu_stage_frag);
    VkBuffer index_buffer = make_buffer(b, 64, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    gpu_fill(b, index_buffer, 52, indices, sizeof(indices));
    vkCmdBindIndexBuffer(g.commands, index_buffer, 52, VK_INDEX_TYPE_UINT16);
    vkCmdDrawIndexedIndirect(g.commands, make_buffer_of_data(b, &parameters, sizeof(parameters)), 0,
                             1, 0);
    end_indirect(&g);
}

SCENARIO(draw_indexed_first_instance, GPU,
         .expect = {"VUID-VkDrawIndexedIndirectCommand-firstInstance-00554"},
         .text = {"indirect command 0 has firstInstance = 1, but the feature "
                  "drawIndirectFirstInstance is not enabled"})
{
    draw_indexed_instances(b, 3, 0, 1);
}

SCENARIO(draw_indexed_behind_the_end, GPU,
         .expect = {"VUID-VkDrawIndexedIndirectCommand-robustBufferAccess2-08798"},
         .text = {"indirect command 0 has firstIndex + indexCount = 7, but the index buffer that "
                  "is bound has 6 indices"})
{
    draw_indexed_instances(b, 3, 4, 0);
}

SCENARIO(draw_indexed_to_the_end, GPU)
{
    draw_indexed_instances(b, 3, 3, 0);
}

/* --- mesh shaders --- */

static void draw_mesh_indirect(struct baseline *b, enum gpu_stage stage, uint32_t x, uint32_t y,
                               uint32_t z)
{
    const VkDrawMeshTasksIndirectCommandEXT parameters = {x, y, z};
    struct gpu g = begin_indirect(b, stage);
    DEVICE_PROC(b, vkCmdDrawMeshTasksIndirectEXT)(g.commands,
                                                  make_buffer_of_data(b, &parameters,
                                                                      sizeof(parameters)),
                                                  0, 1, 0);
    end_indirect(&g);
}

#define MESH(name_, stage_, id_, text_, ...)                                    \
    SCENARIO(name_, GPU_WITH_MESH,                                              \
             .expect = {"VUID-VkDrawMeshTasksIndirectCommandEXT-TaskEXT-" id_}, \
             .text = {text_, "command 4: vkCmdDrawMeshTasksIndirectEXT"})       \
    {                                                                           \
        draw_mesh_indirect(b, stage_, __VA_ARGS__);                             \
    }
#define HUGE_COUNT 0x7fffffff
MESH(task_x, gpu_stage_task, "07322",
     "has groupCountX = 2147483647, more than maxTaskWorkGroupCount[0] = ", HUGE_COUNT, 0, 1)
MESH(task_y, gpu_stage_task, "07323",
     "has groupCountY = 2147483647, more than maxTaskWorkGroupCount[1] = ", 0, HUGE_COUNT, 1)
MESH(task_z, gpu_stage_task, "07324",
     "has groupCountZ = 2147483647, more than maxTaskWorkGroupCount[2] = ", 1, 0, HUGE_COUNT)
MESH(mesh_x, gpu_stage_mesh, "07326",
     "has groupCountX = 2147483647, more than maxMeshWorkGroupCount[0] = ", HUGE_COUNT, 0, 1)
MESH(mesh_y, gpu_stage_mesh, "07327",
     "has groupCountY = 2147483647, more than maxMeshWorkGroupCount[1] = ", 0, HUGE_COUNT, 1)
MESH(mesh_z, gpu_stage_mesh, "07328",
     "has groupCountZ = 2147483647, more than maxMeshWorkGroupCount[2] = ", 1, 0, HUGE_COUNT)

SCENARIO(mesh_in_order, GPU_WITH_MESH)
{
    draw_mesh_indirect(b, gpu_stage_task, 2, 1, 1);
    draw_mesh_indirect(b, gpu_stage_mesh, 2, 1, 1);
}

/* --- rays --- */

static const VkPhysicalDeviceRayTracingPipelineFeaturesKHR indirect_rays = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR,
    .rayTracingPipeline = VK_TRUE,
    .rayTracingPipelineTraceRaysIndirect = VK_TRUE};
static const VkPhysicalDeviceAccelerationStructureFeaturesKHR structures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
    .pNext = (void *)&indirect_rays,
    .accelerationStructure = VK_TRUE};
static const VkPhysicalDeviceVulkan12Features ray_features12 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    .pNext = (void *)&structures,
    .descriptorIndexing = VK_TRUE,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceFeatures2 rays = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)&ray_features12,
    .features = {.shaderStorageBufferArrayDynamicIndexing = VK_TRUE, .shaderInt64 = VK_TRUE}};
#define GPU_WITH_INDIRECT_RAYS GPU_WITH_INDIRECT_RAYS_AND()
#define GPU_WITH_INDIRECT_RAYS_AND(...)                              \
    GPU_SETTINGS(__VA_ARGS__), .features = &rays,                    \
        .extensions = {VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME,   \
                       VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME, \
                       VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME}

static void trace_with(struct baseline *b, struct gpu_code code, uint32_t width, uint32_t height,
                       uint32_t depth)
{
    const VkTraceRaysIndirectCommandKHR parameters = {width, height, depth};
    struct gpu g = begin_indirect_with(b, gpu_stage_rgen, code);
    const VkBufferDeviceAddressInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = make_buffer_of_data(b, &parameters, sizeof(parameters))};
    DEVICE_PROC(b, vkCmdTraceRaysIndirectKHR)
    (g.commands, &g.tables[0], &g.tables[1], &g.tables[2], &g.tables[3],
     vkGetBufferDeviceAddress(b->device, &info));
    end_indirect(&g);
}

static void trace_size(struct baseline *b, uint32_t width, uint32_t height, uint32_t depth)
{
    trace_with(b, (struct gpu_code){0}, width, height, depth);
}

#define TRACE(name_, id_, text_, ...)                                                              \
    SCENARIO(name_, GPU_WITH_INDIRECT_RAYS, .expect = {"VUID-VkTraceRaysIndirectCommandKHR-" id_}, \
             .text = {text_, "command 3: vkCmdTraceRaysIndirectKHR", " It lies in VkBuffer 0x",    \
                      ", at byte 0."})                                                             \
    {                                                                                              \
        trace_size(b, __VA_ARGS__);                                                                \
    }
/* More than 65,535 workgroups of 1,024, and no more than that: lavapipe counts them, although there
 * are none of the other dimension. */
#define TOO_MANY 134217728
TRACE(trace_width, "width-03638", "has width = 134217728, more than maxComputeWorkGroupCount[0] * ",
      TOO_MANY, 0, 1)
TRACE(trace_height, "height-03639",
      "has height = 134217728, more than maxComputeWorkGroupCount[1] * ", 0, TOO_MANY, 1)
TRACE(trace_depth, "depth-03640", "has depth = 134217728, more than maxComputeWorkGroupCount[2] * ",
      1, 0, TOO_MANY)

SCENARIO(trace_with_the_setting_off,
         GPU_WITH_INDIRECT_RAYS_AND("gpuav_indirect_trace_rays_buffers=false"), .ours_only = true)
{
    trace_size(b, TOO_MANY, 0, 1);
}

#define RAYS_MOST (1u << 26) /* which do nothing, and take lavapipe some seconds */

/* More rays than the limit: lavapipe runs them. */
SCENARIO(trace_rays, GPU_WITH_INDIRECT_RAYS, .seconds = 180,
         .expect = {"VUID-VkTraceRaysIndirectCommandKHR-width-03641"},
         .text = {"command 3: vkCmdTraceRaysIndirectKHR"})
{
    VkPhysicalDeviceRayTracingPipelinePropertiesKHR limits = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &limits};
    char text[128];
    vkGetPhysicalDeviceProperties2(b->physical_device, &properties);
    const uint32_t most = limits.maxRayDispatchInvocationCount, rows = most / 8192 + 1;
    if (most > RAYS_MOST)
        scenario_skip("%u rays would take this driver minutes", most);
    trace_with(b, gpu_plain_code(gpu_stage_rgen), 8192, rows, 1);
    (void)snprintf(text, sizeof(text),
                   "has width * height * depth = %u, more than maxRayDispatchInvocationCount = %u",
                   8192 * rows, most);
    expect_text(b, text);
}

SCENARIO(trace_in_order, GPU_WITH_INDIRECT_RAYS)
{
    trace_size(b, 2, 1, 1);
}

/* --- rays whose shader binding tables are in the buffer, too --- */

static const VkPhysicalDeviceRayTracingMaintenance1FeaturesKHR maintenance1 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_MAINTENANCE_1_FEATURES_KHR,
    .pNext = (void *)&ray_features12,
    .rayTracingMaintenance1 = VK_TRUE,
    .rayTracingPipelineTraceRaysIndirect2 = VK_TRUE};
static const VkPhysicalDeviceFeatures2 rays2 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)&maintenance1,
    .features = {.shaderStorageBufferArrayDynamicIndexing = VK_TRUE, .shaderInt64 = VK_TRUE}};
#define GPU_WITH_INDIRECT_RAYS2                                        \
    GPU_SETTINGS(), .features = &rays2,                                \
        .extensions = {VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME,     \
                       VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,   \
                       VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME, \
                       VK_KHR_RAY_TRACING_MAINTENANCE_1_EXTENSION_NAME}

/* Ends with the command, whose parameters are those of `tables` and what the scenario has changed.
 */
static VkTraceRaysIndirectCommand2KHR tables_of(const struct gpu *g)
{
    return (VkTraceRaysIndirectCommand2KHR){
        .raygenShaderRecordAddress = g->tables[0].deviceAddress,
        .raygenShaderRecordSize = g->tables[0].size,
        .missShaderBindingTableAddress = g->tables[1].deviceAddress,
        .missShaderBindingTableSize = g->tables[1].size,
        .missShaderBindingTableStride = g->tables[1].stride,
        .hitShaderBindingTableAddress = g->tables[2].deviceAddress,
        .hitShaderBindingTableSize = g->tables[2].size,
        .hitShaderBindingTableStride = g->tables[2].stride,
        .callableShaderBindingTableAddress = g->tables[3].deviceAddress,
        .callableShaderBindingTableSize = g->tables[3].size,
        .callableShaderBindingTableStride = g->tables[3].stride,
        .width = 2,
        .height = 1,
        .depth = 1};
}

static void trace_parameters(struct baseline *b, struct gpu *g,
                             const VkTraceRaysIndirectCommand2KHR *parameters)
{
    const VkBufferDeviceAddressInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = make_buffer_of_data(b, parameters, sizeof(*parameters))};
    DEVICE_PROC(b, vkCmdTraceRaysIndirect2KHR)(g->commands,
                                               vkGetBufferDeviceAddress(b->device, &info));
    end_indirect(g);
}

#define TRACE2(name_, id_, text_, change_)                                                       \
    SCENARIO(name_, GPU_WITH_INDIRECT_RAYS2,                                                     \
             .expect = {"VUID-VkTraceRaysIndirectCommand2KHR-" id_},                             \
             .text = {text_, "command 3: vkCmdTraceRaysIndirect2KHR", " It lies in VkBuffer 0x", \
                      ", at byte 0."})                                                           \
    {                                                                                            \
        struct gpu g = begin_indirect(b, gpu_stage_rgen);                                        \
        VkTraceRaysIndirectCommand2KHR p = tables_of(&g);                                        \
        p.depth = 0; /* nothing runs */                                                          \
        change_;                                                                                 \
        trace_parameters(b, &g, &p);                                                             \
    }
TRACE2(trace2_width, "width-03638",
       "has width = 4294967295, more than maxComputeWorkGroupCount[0] * ", p.width = UINT32_MAX)
TRACE2(trace2_height, "height-03639",
       "has height = 4294967295, more than maxComputeWorkGroupCount[1] * ", p.height = UINT32_MAX)
TRACE2(trace2_depth, "depth-03640",
       "has depth = 4294967295, more than maxComputeWorkGroupCount[2] * ", p.height = 0;
       p.depth = UINT32_MAX)
TRACE2(trace2_raygen, "pRayGenShaderBindingTable-03682",
       "not a multiple of shaderGroupBaseAlignment = ", p.raygenShaderRecordAddress += 4)
TRACE2(trace2_miss, "pMissShaderBindingTable-03685", "has missShaderBindingTableAddress = 0x",
       p.missShaderBindingTableAddress += 4)
TRACE2(trace2_hit, "pHitShaderBindingTable-03689", "has hitShaderBindingTableAddress = 0x",
       p.hitShaderBindingTableAddress += 4)
TRACE2(trace2_callable, "pCallableShaderBindingTable-03693",
       "has callableShaderBindingTableAddress = 0x", p.callableShaderBindingTableAddress += 4)
TRACE2(trace2_miss_stride, "stride-03686",
       "has missShaderBindingTableStride = 0x1, not a multiple of shaderGroupHandleAlignment = ",
       p.missShaderBindingTableStride = 1)
TRACE2(trace2_hit_stride, "stride-03690",
       "has hitShaderBindingTableStride = 0x1, not a multiple of shaderGroupHandleAlignment = ",
       p.hitShaderBindingTableStride = 1)
TRACE2(trace2_callable_stride, "stride-03694",
       "has callableShaderBindingTableStride = 0x1, not a multiple of shaderGroupHandleAlignment "
       "= ",
       p.callableShaderBindingTableStride = 1)
TRACE2(trace2_miss_stride_most, "stride-04029",
       "has missShaderBindingTableStride = 1099511627776, more than maxShaderGroupStride = ",
       p.missShaderBindingTableStride = 1ull << 40)
TRACE2(trace2_hit_stride_most, "stride-04035",
       "has hitShaderBindingTableStride = 1099511627776, more than maxShaderGroupStride = ",
       p.hitShaderBindingTableStride = 1ull << 40)
TRACE2(trace2_callable_stride_most, "stride-04041",
       "has callableShaderBindingTableStride = 1099511627776, more than maxShaderGroupStride = ",
       p.callableShaderBindingTableStride = 1ull << 40)

SCENARIO(trace2_in_order, GPU_WITH_INDIRECT_RAYS2)
{
    struct gpu g = begin_indirect(b, gpu_stage_rgen);
    const VkTraceRaysIndirectCommand2KHR parameters = tables_of(&g);
    trace_parameters(b, &g, &parameters);
}
