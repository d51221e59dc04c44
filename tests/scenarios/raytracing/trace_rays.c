/* Traces of rays: shader binding tables, extents, indirect parameters, the pipeline that is bound.
 */
#include "scenario.h"

/* void main() {} of a ray generation shader. */
static const uint32_t empty_raygen[] = {0x07230203,
                                        0x00010400,
                                        0,
                                        5,
                                        0,
                                        2 << 16 | 17,
                                        4479, /* OpCapability RayTracingKHR */
                                        6 << 16 | 10,
                                        0x5f565053,
                                        0x5f52484b,
                                        0x5f796172,
                                        0x63617274,
                                        0x00676e69, /* OpExtension "SPV_KHR_ray_tracing" */
                                        3 << 16 | 14,
                                        0,
                                        1,
                                        5 << 16 | 15,
                                        5313,
                                        1,
                                        0x6e69616d,
                                        0, /* OpEntryPoint RayGenerationKHR %1 "main" */
                                        2 << 16 | 19,
                                        2,
                                        3 << 16 | 33,
                                        3,
                                        2,
                                        5 << 16 | 54,
                                        2,
                                        1,
                                        0,
                                        3,
                                        2 << 16 | 248,
                                        4,
                                        1 << 16 | 253,
                                        1 << 16 | 56};

static const VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    .bufferDeviceAddress = VK_TRUE};
#define FEATURE(...)                                                               \
    {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR, \
     .pNext = (void *)&addresses,                                                  \
     .rayTracingPipeline = VK_TRUE,                                                \
     ##__VA_ARGS__}
static const VkPhysicalDeviceRayTracingPipelineFeaturesKHR
    rays = FEATURE(),
    indirect = FEATURE(.rayTracingPipelineTraceRaysIndirect = VK_TRUE);
static const VkPhysicalDeviceRayTracingMaintenance1FeaturesKHR indirect2 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_MAINTENANCE_1_FEATURES_KHR,
    .pNext = (void *)&rays,
    .rayTracingMaintenance1 = VK_TRUE,
    .rayTracingPipelineTraceRaysIndirect2 = VK_TRUE};
#define BASE                                                        \
    "VK_KHR_ray_tracing_pipeline", "VK_KHR_acceleration_structure", \
        "VK_KHR_deferred_host_operations"
#define ON(features_)                                 \
    .drivers = NULL_DRIVER, .features = &(features_), \
    .extensions = {BASE, "VK_KHR_ray_tracing_maintenance1"}

static VkPipeline make_pipeline_with(struct baseline *b, VkPipelineCreateFlags flags, bool dynamic)
{
    const VkPipelineShaderStageCreateInfo stage =
        stage_info(VK_SHADER_STAGE_RAYGEN_BIT_KHR, MAKE_SHADER(b, empty_raygen));
    const VkRayTracingShaderGroupCreateInfoKHR group = {
        .sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
        .type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
        .closestHitShader = VK_SHADER_UNUSED_KHR,
        .anyHitShader = VK_SHADER_UNUSED_KHR,
        .intersectionShader = VK_SHADER_UNUSED_KHR};
    const VkDynamicState state = VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR;
    const VkPipelineDynamicStateCreateInfo states = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 1,
        .pDynamicStates = &state};
    const VkRayTracingPipelineCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
        .flags = flags,
        .stageCount = 1,
        .pStages = &stage,
        .groupCount = 1,
        .pGroups = &group,
        .maxPipelineRayRecursionDepth = 1,
        .pDynamicState = dynamic ? &states : NULL,
        .layout = make_empty_pipeline_layout(b),
        .basePipelineIndex = -1};
    VkPipeline pipeline = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateRayTracingPipelinesKHR)(b->device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1,
                                                      &info, NULL, &pipeline));
    cleanup_add(b, destroy_pipeline, HANDLE(pipeline));
    return pipeline;
}

static VkPipeline make_tracing_pipeline(struct baseline *b, bool dynamic)
{
    return make_pipeline_with(b, 0, dynamic);
}

static VkDeviceAddress address_for_table(struct baseline *b, VkBufferUsageFlags usage,
                                         VkDeviceSize size)
{
    const VkBufferDeviceAddressInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = make_buffer(b, size, usage | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)};
    return vkGetBufferDeviceAddress(b->device, &info);
}

/* The parameters of one trace. */
struct trace {
    VkCommandBuffer command_buffer;
    VkStridedDeviceAddressRegionKHR raygen, miss, hit, callable;
    uint32_t width, height, depth;
    VkDeviceAddress indirect;
};

static struct trace begin_trace(struct baseline *b, bool dynamic)
{
    VkDeviceAddress table =
        address_for_table(b, VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR, 1024);
    struct trace trace = {.command_buffer = make_recording(b),
                          .raygen = {table, 64, 64},
                          .miss = {table + 128, 64, 64},
                          .hit = {table + 256, 64, 128},
                          .width = 16,
                          .height = 1,
                          .depth = 1};
    trace.indirect = address_for_table(b, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, 256);
    vkCmdBindPipeline(trace.command_buffer, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR,
                      make_tracing_pipeline(b, dynamic));
    return trace;
}

static void trace_rays(struct baseline *b, const struct trace *t)
{
    DEVICE_PROC(b, vkCmdTraceRaysKHR)(t->command_buffer, &t->raygen, &t->miss, &t->hit,
                                      &t->callable, t->width, t->height, t->depth);
}

#define TRACE(name_, id_, change_, ...)                       \
    SCENARIO(name_, ON(rays), .expect = {id_}, ##__VA_ARGS__) \
    {                                                         \
        struct trace t = begin_trace(b, false);               \
        change_;                                              \
        trace_rays(b, &t);                                    \
    }
#define ID(id_)     "VUID-vkCmdTraceRaysKHR-" id_
#define REGION(id_) "VUID-VkStridedDeviceAddressRegionKHR-" id_

TRACE(trace_right, NULL, )
TRACE(trace_no_rays, NULL, t.width = 0)
TRACE(trace_no_tables_but_one, NULL,
      (t.miss = (VkStridedDeviceAddressRegionKHR){0}, t.hit = t.miss))
TRACE(trace_unread_tables, NULL,
      (t.miss = t.hit = t.callable = (VkStridedDeviceAddressRegionKHR){
           .deviceAddress = 0x7000000000000001ull, .stride = 5, .size = 0}))
TRACE(trace_tables_of_no_stride, NULL, (t.miss.stride = 0, t.hit.stride = 0))
TRACE(trace_table_to_the_end, NULL,
      (t.hit.deviceAddress += 640, t.hit.size = 128, t.hit.stride = 32))
TRACE(trace_table_of_half_entries, NULL, (t.hit.size = 100, t.hit.stride = 64))
TRACE(trace_one_table_for_all, NULL, (t.miss = t.hit = t.callable = t.raygen))
TRACE(raygen_two_entries, ID("size-04023"), t.raygen.size = 128,
      .text = {"pRaygenShaderBindingTable->size is 128, not pRaygenShaderBindingTable->stride, 64"})
TRACE(raygen_usage, ID("pRayGenShaderBindingTable-03681"),
      t.raygen.deviceAddress = address_for_table(b, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 1024) + 64,
      .text = {"pRaygenShaderBindingTable->deviceAddress is 0x", ", in VkBuffer 0x",
               ", whose usage does not contain VK_BUFFER_USAGE_2_SHADER_BINDING_TABLE_BIT_KHR"})
TRACE(raygen_nowhere, ID("pRayGenShaderBindingTable-03681"),
      t.raygen.deviceAddress = 0x7000000000000000ull,
      .text = {"which lies in no buffer whose address was asked for",
               "    fix     give it an address that"})
TRACE(raygen_alignment, ID("pRayGenShaderBindingTable-03682"), t.raygen.deviceAddress += 32,
      .text = {" (offset 32 of VkBuffer 0x",
               "), not a multiple of shaderGroupBaseAlignment of this device, 64"})
TRACE(miss_usage, ID("pMissShaderBindingTable-03684"),
      t.miss.deviceAddress = address_for_table(b, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 1024))
TRACE(miss_alignment, ID("pMissShaderBindingTable-03685"), t.miss.deviceAddress += 32)
TRACE(miss_stride, ID("stride-03686"), t.miss.stride = 48,
      .text = {"pMissShaderBindingTable->stride is 48, not a multiple of "
               "shaderGroupHandleAlignment of this device, 32"})
TRACE(miss_stride_far, ID("stride-04029"), t.miss.stride = 8192,
      .text = {"stride is 8192, more than maxShaderGroupStride of this device, 4096"})
TRACE(hit_usage, ID("pHitShaderBindingTable-03688"),
      t.hit.deviceAddress = address_for_table(b, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 1024))
TRACE(hit_alignment, ID("pHitShaderBindingTable-03689"), t.hit.deviceAddress += 32)
TRACE(hit_stride, ID("stride-03690"), t.hit.stride = 48)
TRACE(hit_stride_far, ID("stride-04035"), t.hit.stride = 8192)
TRACE(callable_usage, ID("pCallableShaderBindingTable-03692"),
      (t.callable = t.hit,
       t.callable.deviceAddress = address_for_table(b, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 1024)))
TRACE(callable_alignment, ID("pCallableShaderBindingTable-03693"),
      (t.callable = t.hit, t.callable.deviceAddress += 32))
TRACE(callable_stride, ID("stride-03694"), (t.callable = t.hit, t.callable.stride = 48))
TRACE(callable_stride_far, ID("stride-04041"), (t.callable = t.hit, t.callable.stride = 8192))
TRACE(table_behind_the_end, REGION("size-04631"), t.hit.size = 1024,
      .text = {"size is 1024, but deviceAddress is 0x", " (offset 256 of VkBuffer 0x",
               "), where that buffer has 768 bytes left"})
TRACE(table_stride_of_more, REGION("size-04632"), t.hit.stride = 2048,
      .text = {"stride is 2048, but deviceAddress is 0x", " (offset 256 of VkBuffer 0x",
               "), and that buffer has 1024 bytes"})

#define COUNT_LIMITS                                                         \
    .null_driver = "{\"limits\": {\"maxComputeWorkGroupCount\": [4, 4, 4], " \
                   "\"maxComputeWorkGroupSize\": [8, 8, 8]}}"
TRACE(trace_wide, ID("width-03638"), t.width = 33, COUNT_LIMITS)
TRACE(trace_high, ID("height-03639"), t.height = 33, COUNT_LIMITS)
TRACE(trace_deep, ID("depth-03640"), t.depth = 33, COUNT_LIMITS)
TRACE(trace_as_wide_as_can_be, NULL, t.width = 32, COUNT_LIMITS)
TRACE(trace_many, ID("width-03641"), (t.width = 1024, t.height = 1024, t.depth = 1025))

SCENARIO(trace_dynamic_stack, ON(rays))
{
    struct trace t = begin_trace(b, true);
    DEVICE_PROC(b, vkCmdSetRayTracingPipelineStackSizeKHR)(t.command_buffer, 1024);
    trace_rays(b, &t);
}

SCENARIO(trace_stack_not_set, ON(rays), .expect = {ID("None-09458")})
{
    struct trace t = begin_trace(b, true);
    trace_rays(b, &t);
}

SCENARIO(trace_without_pipeline, ON(rays), .expect = {ID("None-08606")})
{
    struct trace t = begin_trace(b, false);
    t.command_buffer = make_recording(b);
    trace_rays(b, &t);
}

/* --- indirect --- */

#define INDIRECTLY(name_, features_, id_, change_, ...)                                         \
    SCENARIO(name_, ON(features_), .expect = {id_}, ##__VA_ARGS__)                              \
    {                                                                                           \
        struct trace t = begin_trace(b, false);                                                 \
        change_;                                                                                \
        DEVICE_PROC(b, vkCmdTraceRaysIndirectKHR)(t.command_buffer, &t.raygen, &t.miss, &t.hit, \
                                                  &t.callable, t.indirect);                     \
    }
#define INDIRECT(id_) "VUID-vkCmdTraceRaysIndirectKHR-" id_
INDIRECTLY(indirect_right, indirect, NULL, t.indirect += 244)
INDIRECTLY(indirect_alignment, indirect, INDIRECT("indirectDeviceAddress-03634"), t.indirect += 2,
           .text = {"indirectDeviceAddress is 0x", " (offset 2 of VkBuffer 0x",
                    "), not a multiple of 4"})
INDIRECTLY(indirect_usage, indirect, INDIRECT("indirectDeviceAddress-03633"),
           t.indirect = t.raygen.deviceAddress,
           .text = {", in VkBuffer 0x",
                    ", whose usage does not contain VK_BUFFER_USAGE_2_INDIRECT_BUFFER_BIT"})
INDIRECTLY(indirect_nowhere, indirect, INDIRECT("indirectDeviceAddress-03633"),
           t.indirect = 0x7000000000000000ull,
           .text = {"indirectDeviceAddress is 0x7000000000000000, which lies in no buffer whose "
                    "address was asked for"})
INDIRECTLY(indirect_behind_the_end, indirect, INDIRECT("indirectDeviceAddress-03636"),
           t.indirect += 248,
           .text = {" (offset 248 of VkBuffer 0x",
                    "), where that buffer has 8 bytes left, but the parameters take 12"})
INDIRECTLY(indirect_raygen_alignment, indirect, INDIRECT("pRayGenShaderBindingTable-03682"),
           t.raygen.deviceAddress += 32)
INDIRECTLY(indirect_raygen_usage, indirect, INDIRECT("pRayGenShaderBindingTable-03681"),
           t.raygen.deviceAddress = t.indirect)

#define INDIRECTLY2(name_, features_, id_, change_)                               \
    SCENARIO(name_, ON(features_), .expect = {id_})                               \
    {                                                                             \
        struct trace t = begin_trace(b, false);                                   \
        change_;                                                                  \
        DEVICE_PROC(b, vkCmdTraceRaysIndirect2KHR)(t.command_buffer, t.indirect); \
    }
#define INDIRECT2(id_) "VUID-vkCmdTraceRaysIndirect2KHR-" id_
INDIRECTLY2(indirect2_right, indirect2, NULL, )
INDIRECTLY2(indirect2_alignment, indirect2, INDIRECT2("indirectDeviceAddress-03634"),
            t.indirect += 2)
INDIRECTLY2(indirect2_usage, indirect2, INDIRECT2("indirectDeviceAddress-03633"),
            t.indirect = t.raygen.deviceAddress)
INDIRECTLY2(indirect2_behind_the_end, indirect2, INDIRECT2("indirectDeviceAddress-03636"),
            t.indirect += 248)

/* --- motion --- */

#define MOTION(next_, indirect_)                                                     \
    {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_MOTION_BLUR_FEATURES_NV, \
     .pNext = (void *)&(next_),                                                      \
     .rayTracingMotionBlur = VK_TRUE,                                                \
     .rayTracingMotionBlurPipelineTraceRaysIndirect = indirect_}
static const VkPhysicalDeviceRayTracingMotionBlurFeaturesNV moving = MOTION(indirect, VK_TRUE),
                                                            moving_directly =
                                                                MOTION(indirect, VK_FALSE),
                                                            moving_directly2 =
                                                                MOTION(indirect2, VK_FALSE);
#define MOVING(name_, features_, trace_, ...)                                                    \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &(features_),                            \
             .extensions = {BASE, "VK_KHR_ray_tracing_maintenance1",                             \
                            "VK_NV_ray_tracing_motion_blur"},                                    \
             ##__VA_ARGS__)                                                                      \
    {                                                                                            \
        struct trace t = begin_trace(b, false);                                                  \
        vkCmdBindPipeline(t.command_buffer, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR,              \
                          make_pipeline_with(b,                                                  \
                                             VK_PIPELINE_CREATE_RAY_TRACING_ALLOW_MOTION_BIT_NV, \
                                             false));                                            \
        trace_;                                                                                  \
    }
#define TRACE_INDIRECTLY                                                                    \
    DEVICE_PROC(b, vkCmdTraceRaysIndirectKHR)(t.command_buffer, &t.raygen, &t.miss, &t.hit, \
                                              &t.callable, t.indirect)
MOVING(motion_traced, moving_directly, trace_rays(b, &t))
MOVING(motion_traced_indirectly, moving, TRACE_INDIRECTLY)
MOVING(motion_traced_without_feature, moving_directly, TRACE_INDIRECTLY,
       .expect = {INDIRECT("rayTracingMotionBlurPipelineTraceRaysIndirect-04951")})
MOVING(motion_traced_without_feature2, moving_directly2,
       DEVICE_PROC(b, vkCmdTraceRaysIndirect2KHR)(t.command_buffer, t.indirect),
       .expect = {INDIRECT2("rayTracingMotionBlurPipelineTraceRaysIndirect-04951")})

SCENARIO(trace_protected, .drivers = NULL_DRIVER, .extensions = {BASE},
         .features =
             &(VkPhysicalDeviceProtectedMemoryFeatures){
                 .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES,
                 .pNext = (void *)&rays,
                 .protectedMemory = VK_TRUE},
         .expect = {ID("None-08606"), ID("commandBuffer-03635")}, .proceed = true)
{
    struct trace t = begin_trace(b, false);
    t.command_buffer = make_protected_recording(b);
    trace_rays(b, &t);
}

/* hazards: of the shader binding tables, the handle of the ray generation shader is read for
 * certain */

#define SYNCHRONIZED(features_) ON(features_), .settings = {"validate_sync=true"}, .proceed = true
static VkBuffer make_table(struct baseline *b, struct trace *t)
{
    const VkBufferDeviceAddressInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer =
            make_buffer(b, 1024,
                        VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR |
                            VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                            VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)};
    t->raygen.deviceAddress = t->indirect = vkGetBufferDeviceAddress(b->device, &info);
    return info.buffer;
}

static void show_writes(const struct trace *t, VkPipelineStageFlags stages, VkAccessFlags accesses)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .dstAccessMask = accesses};
    vkCmdPipelineBarrier(t->command_buffer, VK_PIPELINE_STAGE_TRANSFER_BIT, stages, 0, 1, &barrier,
                         0, NULL, 0, NULL);
}

#define TABLE(name_, offset_, between_, ...)                      \
    SCENARIO(name_, SYNCHRONIZED(rays), ##__VA_ARGS__)            \
    {                                                             \
        struct trace t = begin_trace(b, false);                   \
        VkBuffer table = make_table(b, &t);                       \
        vkCmdFillBuffer(t.command_buffer, table, offset_, 32, 0); \
        between_;                                                 \
        trace_rays(b, &t);                                        \
    }
TABLE(table_that_is_filled, 0, , .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},
      .text = {"vkCmdTraceRaysKHR(): reads bytes 0 to 31 of VkBuffer",
               "in VK_PIPELINE_STAGE_RAY_TRACING_SHADER_BIT_KHR with VK_ACCESS_SHADER_READ_BIT"})
TABLE(table_that_was_filled, 0,
      show_writes(&t, VK_PIPELINE_STAGE_RAY_TRACING_SHADER_BIT_KHR, VK_ACCESS_SHADER_READ_BIT))
TABLE(table_that_other_shaders_see, 0,
      show_writes(&t, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT),
      .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"})
TABLE(table_filled_behind_the_handle, 32, )
TABLE(table_of_no_rays, 0, t.width = 0)

#define PARAMETERS(name_, offset_, between_, ...)                                               \
    SCENARIO(name_, SYNCHRONIZED(indirect), ##__VA_ARGS__)                                      \
    {                                                                                           \
        struct trace t = begin_trace(b, false);                                                 \
        VkStridedDeviceAddressRegionKHR raygen = t.raygen;                                      \
        VkBuffer parameters = make_table(b, &t);                                                \
        t.raygen = raygen;                                                                      \
        vkCmdFillBuffer(t.command_buffer, parameters, offset_, 32, 0);                          \
        between_;                                                                               \
        DEVICE_PROC(b, vkCmdTraceRaysIndirectKHR)(t.command_buffer, &t.raygen, &t.miss, &t.hit, \
                                                  &t.callable, t.indirect);                     \
    }
PARAMETERS(parameters_that_are_filled, 0, , .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},
           .text = {"vkCmdTraceRaysIndirectKHR(): reads bytes 0 to 11 of VkBuffer"})
PARAMETERS(parameters_that_were_filled, 0,
           show_writes(&t, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
                       VK_ACCESS_INDIRECT_COMMAND_READ_BIT))
PARAMETERS(parameters_beside_a_fill, 12, )

#define INDIRECT_TABLE(name_, offset_, ...)                                                     \
    SCENARIO(name_, SYNCHRONIZED(indirect), ##__VA_ARGS__)                                      \
    {                                                                                           \
        struct trace t = begin_trace(b, false);                                                 \
        VkDeviceAddress parameters = t.indirect;                                                \
        VkBuffer table = make_table(b, &t);                                                     \
        t.indirect = parameters;                                                                \
        vkCmdFillBuffer(t.command_buffer, table, offset_, 32, 0);                               \
        DEVICE_PROC(b, vkCmdTraceRaysIndirectKHR)(t.command_buffer, &t.raygen, &t.miss, &t.hit, \
                                                  &t.callable, t.indirect);                     \
    }
INDIRECT_TABLE(table_of_an_indirect_trace_that_is_filled, 0,
               .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},
               .text = {"vkCmdTraceRaysIndirectKHR(): reads bytes 0 to 31 of VkBuffer"})
INDIRECT_TABLE(table_of_an_indirect_trace_behind_the_handle, 32)

/* --- what the addresses lead to when the command buffer is submitted --- */

/* Traces with a table in `table`, which is destroyed before the submission or after it. */
static void destroy_table(struct baseline *b, bool before, VkDeviceSize size)
{
    struct trace t = begin_trace(b, false);
    VkBuffer table = make_buffer(b, 1024,
                                 VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR |
                                     VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                            .buffer = table};
    VkSubmitInfo submit = submit_info(&t.command_buffer);
    t.hit = (VkStridedDeviceAddressRegionKHR){vkGetBufferDeviceAddress(b->device, &info), 64, size};
    trace_rays(b, &t);
    VK(vkEndCommandBuffer(t.command_buffer));
    FORGET(b, table);
    if (before)
        vkDestroyBuffer(b->device, table, NULL);
    if (vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE) == VK_SUCCESS)
        VK(vkQueueWaitIdle(b->queue));
    if (!before)
        vkDestroyBuffer(b->device, table, NULL);
}
SCENARIO(trace_table_gone, ON(rays), .expect = {"VUID-vkQueueSubmit-pCommandBuffers-00070"},
         .text = {"is invalid: ", "VkBuffer", "after a command that uses it was recorded"})
{
    destroy_table(b, true, 128);
}
SCENARIO(trace_table_gone_when_done, ON(rays))
{
    destroy_table(b, false, 128);
}
SCENARIO(trace_unread_table_gone, ON(rays))
{
    destroy_table(b, true, 0);
}
