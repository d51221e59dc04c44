/* Stages and accesses in barriers: features, queue families, and which stage can make which access.
 */
#include "scenario.h"

static const VkPhysicalDeviceVulkan13Features features13 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .dynamicRendering = VK_TRUE,
    .synchronization2 = VK_TRUE};

#define STAGE(name_)  VK_PIPELINE_STAGE_2_##name_
#define ACCESS(name_) VK_ACCESS_2_##name_

static void record_memory_barrier2(VkCommandBuffer command_buffer, VkPipelineStageFlags2 src,
                                   VkAccessFlags2 src_access, VkPipelineStageFlags2 dst,
                                   VkAccessFlags2 dst_access)
{
    VkMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                .srcStageMask = src,
                                .srcAccessMask = src_access,
                                .dstStageMask = dst,
                                .dstAccessMask = dst_access};
    VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                             .memoryBarrierCount = 1,
                             .pMemoryBarriers = &barrier};
    vkCmdPipelineBarrier2(command_buffer, &info);
}

static void memory_barrier2(struct baseline *b, VkPipelineStageFlags2 src,
                            VkAccessFlags2 src_access, VkPipelineStageFlags2 dst,
                            VkAccessFlags2 dst_access)
{
    record_memory_barrier2(make_recording(b), src, src_access, dst, dst_access);
}

static void memory_barrier(struct baseline *b, VkPipelineStageFlags src, VkAccessFlags src_access,
                           VkPipelineStageFlags dst, VkAccessFlags dst_access)
{
    VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = src_access,
                               .dstAccessMask = dst_access};
    vkCmdPipelineBarrier(make_recording(b), src, dst, 0, 1, &barrier, 0, NULL, 0, NULL);
}

/* Names a stage that cannot make the access. */
#define WRONG_STAGE(name_, number_, access_, ...)                                         \
    SCENARIO(access_##name_, .expect = {"VUID-VkMemoryBarrier2-srcAccessMask-" #number_}, \
             .features = &features13, ##__VA_ARGS__)                                      \
    {                                                                                     \
        memory_barrier2(b, STAGE(HOST_BIT), ACCESS(access_), STAGE(ALL_COMMANDS_BIT), 0); \
    }
#define OF(...) .extensions = {__VA_ARGS__}, .drivers = NULL_DRIVER

WRONG_STAGE(indirect_command_read, 03900, INDIRECT_COMMAND_READ_BIT)
WRONG_STAGE(index_read, 03901, INDEX_READ_BIT)
WRONG_STAGE(vertex_attribute_read, 03902, VERTEX_ATTRIBUTE_READ_BIT)
WRONG_STAGE(input_attachment_read, 03903, INPUT_ATTACHMENT_READ_BIT)
WRONG_STAGE(uniform_read, 03904, UNIFORM_READ_BIT)
WRONG_STAGE(shader_sampled_read, 03905, SHADER_SAMPLED_READ_BIT)
WRONG_STAGE(shader_storage_read, 03906, SHADER_STORAGE_READ_BIT)
WRONG_STAGE(shader_storage_write, 03907, SHADER_STORAGE_WRITE_BIT)
WRONG_STAGE(shader_read, 07454, SHADER_READ_BIT)
WRONG_STAGE(shader_write, 03909, SHADER_WRITE_BIT)
WRONG_STAGE(color_attachment_read, 03910, COLOR_ATTACHMENT_READ_BIT)
WRONG_STAGE(color_attachment_write, 03911, COLOR_ATTACHMENT_WRITE_BIT)
WRONG_STAGE(depth_stencil_attachment_read, 03912, DEPTH_STENCIL_ATTACHMENT_READ_BIT)
WRONG_STAGE(depth_stencil_attachment_write, 03913, DEPTH_STENCIL_ATTACHMENT_WRITE_BIT)
WRONG_STAGE(transfer_read, 03914, TRANSFER_READ_BIT)
WRONG_STAGE(transfer_write, 03915, TRANSFER_WRITE_BIT)
WRONG_STAGE(conditional_rendering_read, 03918, CONDITIONAL_RENDERING_READ_BIT_EXT,
            OF("VK_EXT_conditional_rendering"))
WRONG_STAGE(fragment_density_map_read, 03919, FRAGMENT_DENSITY_MAP_READ_BIT_EXT,
            OF("VK_EXT_fragment_density_map"))
WRONG_STAGE(transform_feedback_write, 03920, TRANSFORM_FEEDBACK_WRITE_BIT_EXT,
            OF("VK_EXT_transform_feedback"))
WRONG_STAGE(transform_feedback_counter_read, 04747, TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT,
            OF("VK_EXT_transform_feedback"))
WRONG_STAGE(transform_feedback_counter_write, 03922, TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT,
            OF("VK_EXT_transform_feedback"))
WRONG_STAGE(shading_rate_image_read, 03923, SHADING_RATE_IMAGE_READ_BIT_NV,
            OF("VK_NV_shading_rate_image"))
WRONG_STAGE(invocation_mask_read, 04994, INVOCATION_MASK_READ_BIT_HUAWEI,
            OF("VK_HUAWEI_invocation_mask", "VK_KHR_ray_tracing_pipeline",
               "VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations"))
WRONG_STAGE(command_preprocess_read, 03924, COMMAND_PREPROCESS_READ_BIT_NV,
            OF("VK_NV_device_generated_commands"))
WRONG_STAGE(command_preprocess_write, 03925, COMMAND_PREPROCESS_WRITE_BIT_NV,
            OF("VK_NV_device_generated_commands"))
WRONG_STAGE(noncoherent_read, 03926, COLOR_ATTACHMENT_READ_NONCOHERENT_BIT_EXT,
            OF("VK_EXT_blend_operation_advanced"))
WRONG_STAGE(acceleration_structure_write, 03928, ACCELERATION_STRUCTURE_WRITE_BIT_KHR,
            OF("VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations"))
WRONG_STAGE(acceleration_structure_read, 06256, ACCELERATION_STRUCTURE_READ_BIT_KHR,
            OF("VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations"))
WRONG_STAGE(shader_binding_table_read, 07272, SHADER_BINDING_TABLE_READ_BIT_KHR,
            OF("VK_KHR_ray_tracing_maintenance1", "VK_KHR_ray_tracing_pipeline",
               "VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations"))
WRONG_STAGE(video_decode_read, 04858, VIDEO_DECODE_READ_BIT_KHR,
            OF("VK_KHR_video_decode_queue", "VK_KHR_video_queue"))
WRONG_STAGE(video_decode_write, 04859, VIDEO_DECODE_WRITE_BIT_KHR,
            OF("VK_KHR_video_decode_queue", "VK_KHR_video_queue"))
WRONG_STAGE(video_encode_read, 04860, VIDEO_ENCODE_READ_BIT_KHR,
            OF("VK_KHR_video_encode_queue", "VK_KHR_video_queue"))
WRONG_STAGE(video_encode_write, 04861, VIDEO_ENCODE_WRITE_BIT_KHR,
            OF("VK_KHR_video_encode_queue", "VK_KHR_video_queue"))
WRONG_STAGE(optical_flow_read, 07455, OPTICAL_FLOW_READ_BIT_NV, OF("VK_NV_optical_flow"))
WRONG_STAGE(optical_flow_write, 07456, OPTICAL_FLOW_WRITE_BIT_NV, OF("VK_NV_optical_flow"))
WRONG_STAGE(micromap_write, 07457, MICROMAP_WRITE_BIT_EXT,
            OF("VK_EXT_opacity_micromap", "VK_KHR_acceleration_structure",
               "VK_KHR_deferred_host_operations"))
WRONG_STAGE(micromap_read, 07458, MICROMAP_READ_BIT_EXT,
            OF("VK_EXT_opacity_micromap", "VK_KHR_acceleration_structure",
               "VK_KHR_deferred_host_operations"))
WRONG_STAGE(descriptor_buffer_read, 08118, DESCRIPTOR_BUFFER_READ_BIT_EXT,
            OF("VK_EXT_descriptor_buffer"))
WRONG_STAGE(shader_tile_attachment_read, 10670, SHADER_TILE_ATTACHMENT_READ_BIT_QCOM,
            OF("VK_QCOM_tile_shading", "VK_QCOM_tile_properties"))
WRONG_STAGE(shader_tile_attachment_write, 10671, SHADER_TILE_ATTACHMENT_WRITE_BIT_QCOM,
            OF("VK_QCOM_tile_shading", "VK_QCOM_tile_properties"))
WRONG_STAGE(memory_decompression_read, 11771, MEMORY_DECOMPRESSION_READ_BIT_EXT,
            OF("VK_EXT_memory_decompression"))
WRONG_STAGE(memory_decompression_write, 11772, MEMORY_DECOMPRESSION_WRITE_BIT_EXT,
            OF("VK_EXT_memory_decompression"))
WRONG_STAGE(sampler_heap_read, 11294, SAMPLER_HEAP_READ_BIT_EXT,
            OF("VK_EXT_descriptor_heap", "VK_KHR_maintenance5", "VK_KHR_shader_untyped_pointers"))

SCENARIO(access_host_read, .expect = {"VUID-VkMemoryBarrier2-dstAccessMask-03916"},
         .features = &features13,
         .text = {"pDependencyInfo->pMemoryBarriers[0].dstAccessMask includes "
                  "VK_ACCESS_2_HOST_READ_BIT, which none of the stages "
                  "VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT can make"})
{
    memory_barrier2(b, STAGE(ALL_COMMANDS_BIT), ACCESS(MEMORY_WRITE_BIT), STAGE(ALL_COMMANDS_BIT),
                    ACCESS(HOST_READ_BIT));
}

SCENARIO(access_host_write, .expect = {"VUID-VkMemoryBarrier2-srcAccessMask-03917"},
         .features = &features13)
{
    memory_barrier2(b, STAGE(ALL_COMMANDS_BIT), ACCESS(HOST_WRITE_BIT), STAGE(ALL_COMMANDS_BIT), 0);
}

static const VkPhysicalDeviceRayQueryFeaturesKHR ray_query = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_QUERY_FEATURES_KHR,
    .pNext = (void *)&features13,
    .rayQuery = VK_TRUE};

SCENARIO(access_acceleration_structure_read_with_ray_query,
         .expect = {"VUID-VkMemoryBarrier2-srcAccessMask-03927"}, .features = &ray_query,
         OF("VK_KHR_ray_query", "VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations"))
{
    memory_barrier2(b, STAGE(COPY_BIT), ACCESS(ACCELERATION_STRUCTURE_READ_BIT_KHR),
                    STAGE(ALL_COMMANDS_BIT), 0);
}

SCENARIO(access_of_buffer_barrier, .expect = {"VUID-VkBufferMemoryBarrier2-dstAccessMask-03902"},
         .features = &features13)
{
    VkBufferMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
                                      .dstStageMask = STAGE(COMPUTE_SHADER_BIT),
                                      .dstAccessMask = ACCESS(VERTEX_ATTRIBUTE_READ_BIT),
                                      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                      .buffer =
                                          make_buffer(b, 64, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT),
                                      .size = VK_WHOLE_SIZE};
    VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                             .bufferMemoryBarrierCount = 1,
                             .pBufferMemoryBarriers = &barrier};
    vkCmdPipelineBarrier2(make_recording(b), &info);
}

SCENARIO(access_of_image_barrier, .expect = {"VUID-VkImageMemoryBarrier2-srcAccessMask-03911"},
         .features = &features13)
{
    VkImageMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                     .srcStageMask = STAGE(FRAGMENT_SHADER_BIT),
                                     .srcAccessMask = ACCESS(COLOR_ATTACHMENT_WRITE_BIT),
                                     .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                                     .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                     .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                     .image = make_image(b, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT),
                                     .subresourceRange = color_range()};
    VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                             .imageMemoryBarrierCount = 1,
                             .pImageMemoryBarriers = &barrier};
    vkCmdPipelineBarrier2(make_recording(b), &info);
}

/* Each access in stages that can make it. */
SCENARIO(accesses_in_their_stages, .features = &features13)
{
    static const struct {
        VkPipelineStageFlags2 stage;
        VkAccessFlags2 access;
    } right[] = {
        {STAGE(DRAW_INDIRECT_BIT), ACCESS(INDIRECT_COMMAND_READ_BIT)},
        {STAGE(ALL_GRAPHICS_BIT), ACCESS(INDIRECT_COMMAND_READ_BIT) | ACCESS(INDEX_READ_BIT)},
        {STAGE(INDEX_INPUT_BIT), ACCESS(INDEX_READ_BIT)},
        {STAGE(VERTEX_INPUT_BIT), ACCESS(INDEX_READ_BIT) | ACCESS(VERTEX_ATTRIBUTE_READ_BIT)},
        {STAGE(VERTEX_ATTRIBUTE_INPUT_BIT), ACCESS(VERTEX_ATTRIBUTE_READ_BIT)},
        {STAGE(FRAGMENT_SHADER_BIT),
         ACCESS(INPUT_ATTACHMENT_READ_BIT) | ACCESS(UNIFORM_READ_BIT) | ACCESS(SHADER_READ_BIT)},
        {STAGE(PRE_RASTERIZATION_SHADERS_BIT),
         ACCESS(UNIFORM_READ_BIT) | ACCESS(SHADER_STORAGE_WRITE_BIT)},
        {STAGE(COMPUTE_SHADER_BIT), ACCESS(SHADER_SAMPLED_READ_BIT) |
                                        ACCESS(SHADER_STORAGE_READ_BIT) | ACCESS(SHADER_WRITE_BIT)},
        {STAGE(COLOR_ATTACHMENT_OUTPUT_BIT),
         ACCESS(COLOR_ATTACHMENT_READ_BIT) | ACCESS(COLOR_ATTACHMENT_WRITE_BIT)},
        {STAGE(EARLY_FRAGMENT_TESTS_BIT), ACCESS(DEPTH_STENCIL_ATTACHMENT_READ_BIT)},
        {STAGE(LATE_FRAGMENT_TESTS_BIT), ACCESS(DEPTH_STENCIL_ATTACHMENT_WRITE_BIT)},
        {STAGE(COPY_BIT), ACCESS(TRANSFER_READ_BIT)},
        {STAGE(CLEAR_BIT), ACCESS(TRANSFER_WRITE_BIT)},
        {STAGE(ALL_TRANSFER_BIT), ACCESS(TRANSFER_READ_BIT) | ACCESS(TRANSFER_WRITE_BIT)},
        {STAGE(HOST_BIT), ACCESS(HOST_READ_BIT) | ACCESS(HOST_WRITE_BIT)},
        {STAGE(ALL_COMMANDS_BIT),
         ACCESS(SHADER_WRITE_BIT) | ACCESS(TRANSFER_WRITE_BIT) | ACCESS(INDEX_READ_BIT)},
        {STAGE(TOP_OF_PIPE_BIT), ACCESS(MEMORY_READ_BIT) | ACCESS(MEMORY_WRITE_BIT)},
        {STAGE(COMPUTE_SHADER_BIT) | STAGE(HOST_BIT),
         ACCESS(SHADER_WRITE_BIT) | ACCESS(HOST_READ_BIT)},
        {0, 0},
    };
    VkCommandBuffer command_buffer = make_recording(b);
    for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++) {
        record_memory_barrier2(command_buffer, right[i].stage, right[i].access,
                               STAGE(ALL_COMMANDS_BIT), 0);
        record_memory_barrier2(command_buffer, STAGE(ALL_COMMANDS_BIT), 0, right[i].stage,
                               right[i].access);
    }
}

static const VkPhysicalDeviceAccelerationStructureFeaturesKHR acceleration = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
    .pNext = (void *)&features13,
    .accelerationStructure = VK_TRUE};
static const VkPhysicalDeviceConditionalRenderingFeaturesEXT conditional = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT,
    .pNext = (void *)&acceleration,
    .conditionalRendering = VK_TRUE};
static const VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
    .pNext = (void *)&conditional,
    .transformFeedback = VK_TRUE};
static const VkPhysicalDeviceMeshShaderFeaturesEXT mesh = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
    .pNext = (void *)&feedback,
    .taskShader = VK_TRUE,
    .meshShader = VK_TRUE};
static const VkPhysicalDeviceFeatures2 with_stages = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)&mesh,
    .features = {.geometryShader = VK_TRUE, .tessellationShader = VK_TRUE}};

SCENARIO(accesses_and_stages_of_extensions, .features = &with_stages,
         OF("VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations",
            "VK_EXT_conditional_rendering", "VK_EXT_transform_feedback", "VK_EXT_mesh_shader",
            "VK_KHR_video_decode_queue", "VK_KHR_video_queue", "VK_NV_device_generated_commands",
            "VK_EXT_blend_operation_advanced", "VK_EXT_descriptor_buffer"))
{
    VkCommandBuffer command_buffer = make_recording(b);
    record_memory_barrier2(command_buffer, STAGE(ACCELERATION_STRUCTURE_BUILD_BIT_KHR),
                           ACCESS(ACCELERATION_STRUCTURE_READ_BIT_KHR) |
                               ACCESS(ACCELERATION_STRUCTURE_WRITE_BIT_KHR) |
                               ACCESS(SHADER_READ_BIT),
                           STAGE(CONDITIONAL_RENDERING_BIT_EXT),
                           ACCESS(CONDITIONAL_RENDERING_READ_BIT_EXT));
    record_memory_barrier2(command_buffer, STAGE(TRANSFORM_FEEDBACK_BIT_EXT),
                           ACCESS(TRANSFORM_FEEDBACK_WRITE_BIT_EXT) |
                               ACCESS(TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT),
                           STAGE(DRAW_INDIRECT_BIT),
                           ACCESS(TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT));
    record_memory_barrier2(command_buffer, STAGE(TASK_SHADER_BIT_EXT) | STAGE(GEOMETRY_SHADER_BIT),
                           ACCESS(SHADER_WRITE_BIT),
                           STAGE(MESH_SHADER_BIT_EXT) | STAGE(TESSELLATION_CONTROL_SHADER_BIT),
                           ACCESS(SHADER_READ_BIT));
    record_memory_barrier2(command_buffer, STAGE(COMMAND_PREPROCESS_BIT_NV),
                           ACCESS(COMMAND_PREPROCESS_WRITE_BIT_NV),
                           STAGE(COLOR_ATTACHMENT_OUTPUT_BIT),
                           ACCESS(COLOR_ATTACHMENT_READ_NONCOHERENT_BIT_EXT));
    record_memory_barrier2(command_buffer, 0, 0, STAGE(COMPUTE_SHADER_BIT),
                           ACCESS(DESCRIPTOR_BUFFER_READ_BIT_EXT));
}

/* Features of stages: version 2. */
#define NO_FEATURE2(name_, number_, stage_, ...)                                         \
    SCENARIO(stage2_##name_, .expect = {"VUID-VkMemoryBarrier2-srcStageMask-" #number_}, \
             .features = &features13, ##__VA_ARGS__)                                     \
    {                                                                                    \
        memory_barrier2(b, STAGE(stage_), 0, STAGE(ALL_COMMANDS_BIT), 0);                \
    }

NO_FEATURE2(geometry_shader, 03929, GEOMETRY_SHADER_BIT)
NO_FEATURE2(tessellation_shader, 03930, TESSELLATION_CONTROL_SHADER_BIT)
NO_FEATURE2(conditional_rendering, 03931, CONDITIONAL_RENDERING_BIT_EXT,
            OF("VK_EXT_conditional_rendering"))
NO_FEATURE2(fragment_density_process, 03932, FRAGMENT_DENSITY_PROCESS_BIT_EXT,
            OF("VK_EXT_fragment_density_map"))
NO_FEATURE2(transform_feedback, 03933, TRANSFORM_FEEDBACK_BIT_EXT, OF("VK_EXT_transform_feedback"))
NO_FEATURE2(mesh_shader, 03934, MESH_SHADER_BIT_EXT, OF("VK_EXT_mesh_shader"))
NO_FEATURE2(task_shader, 03935, TASK_SHADER_BIT_EXT, OF("VK_EXT_mesh_shader"))
NO_FEATURE2(fragment_shading_rate, 07316, FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR,
            OF("VK_KHR_fragment_shading_rate"))
NO_FEATURE2(subpass_shader, 04957, SUBPASS_SHADER_BIT_HUAWEI, OF("VK_HUAWEI_subpass_shading"))
NO_FEATURE2(invocation_mask, 04995, INVOCATION_MASK_BIT_HUAWEI,
            OF("VK_HUAWEI_invocation_mask", "VK_KHR_ray_tracing_pipeline",
               "VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations"))
NO_FEATURE2(ray_tracing_shader, 07946, RAY_TRACING_SHADER_BIT_KHR,
            OF("VK_KHR_ray_tracing_pipeline", "VK_KHR_acceleration_structure",
               "VK_KHR_deferred_host_operations"))
NO_FEATURE2(acceleration_structure_build, 10751, ACCELERATION_STRUCTURE_BUILD_BIT_KHR,
            OF("VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations"))
NO_FEATURE2(acceleration_structure_copy, 10752, ACCELERATION_STRUCTURE_COPY_BIT_KHR,
            OF("VK_KHR_ray_tracing_maintenance1", "VK_KHR_acceleration_structure",
               "VK_KHR_deferred_host_operations"))
NO_FEATURE2(micromap_build, 11541, MICROMAP_BUILD_BIT_EXT,
            OF("VK_EXT_opacity_micromap", "VK_KHR_acceleration_structure",
               "VK_KHR_deferred_host_operations"))

SCENARIO(stage2_of_destination, .expect = {"VUID-VkMemoryBarrier2-dstStageMask-03929"},
         .features = &features13,
         .text = {"pDependencyInfo->pMemoryBarriers[0].dstStageMask includes "
                  "VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT"})
{
    memory_barrier2(b, STAGE(ALL_COMMANDS_BIT), 0, STAGE(GEOMETRY_SHADER_BIT), 0);
}

/* Version 1. */
#define NO_FEATURE(name_, number_, stage_, ...)                                                  \
    SCENARIO(stage_##name_, .expect = {"VUID-vkCmdPipelineBarrier-srcStageMask-" #number_},      \
             ##__VA_ARGS__)                                                                      \
    {                                                                                            \
        memory_barrier(b, VK_PIPELINE_STAGE_##stage_, 0, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0); \
    }

NO_FEATURE(geometry_shader, 04090, GEOMETRY_SHADER_BIT)
NO_FEATURE(tessellation_shader, 04091, TESSELLATION_EVALUATION_SHADER_BIT)
NO_FEATURE(conditional_rendering, 04092, CONDITIONAL_RENDERING_BIT_EXT,
           OF("VK_EXT_conditional_rendering"))
NO_FEATURE(fragment_density_process, 04093, FRAGMENT_DENSITY_PROCESS_BIT_EXT,
           OF("VK_EXT_fragment_density_map"))
NO_FEATURE(transform_feedback, 04094, TRANSFORM_FEEDBACK_BIT_EXT, OF("VK_EXT_transform_feedback"))
NO_FEATURE(mesh_shader, 04095, MESH_SHADER_BIT_EXT, OF("VK_EXT_mesh_shader"))
NO_FEATURE(task_shader, 04096, TASK_SHADER_BIT_EXT, OF("VK_EXT_mesh_shader"))
NO_FEATURE(fragment_shading_rate, 07318, FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR,
           OF("VK_KHR_fragment_shading_rate"))
NO_FEATURE(ray_tracing_shader, 07949, RAY_TRACING_SHADER_BIT_KHR,
           OF("VK_KHR_ray_tracing_pipeline", "VK_KHR_acceleration_structure",
              "VK_KHR_deferred_host_operations"))
NO_FEATURE(acceleration_structure_build, 10754, ACCELERATION_STRUCTURE_BUILD_BIT_KHR,
           OF("VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations"))

SCENARIO(stage_mask_zero, .expect = {"VUID-vkCmdPipelineBarrier-dstStageMask-03937"})
{
    memory_barrier(b, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, 0);
}

SCENARIO(stage_mask_zero_with_synchronization2, .features = &features13)
{
    memory_barrier(b, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, 0);
}

SCENARIO(barrier_access_unsupported, .expect = {"VUID-vkCmdPipelineBarrier-srcAccessMask-02815"},
         .text = {"pMemoryBarriers[0].srcAccessMask includes VK_ACCESS_2_SHADER_WRITE_BIT, which "
                  "none of the stages VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT can make"})
{
    memory_barrier(b, VK_PIPELINE_STAGE_TRANSFER_BIT,
                   VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
                   VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
}

SCENARIO(barrier_destination_access_unsupported,
         .expect = {"VUID-vkCmdPipelineBarrier-dstAccessMask-02816"})
{
    memory_barrier(b, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                   VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_HOST_READ_BIT);
}

SCENARIO(barrier_accesses_supported)
{
    memory_barrier(b, VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT,
                   VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_SHADER_WRITE_BIT,
                   VK_PIPELINE_STAGE_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
                   VK_ACCESS_INDEX_READ_BIT | VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT |
                       VK_ACCESS_INDIRECT_COMMAND_READ_BIT);
    memory_barrier(b, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                   VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
                   VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    memory_barrier(b, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
                   VK_ACCESS_MEMORY_READ_BIT);
}

#define ACCELERATION                                                        \
    OF("VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations"), \
        .features = &acceleration
SCENARIO(barrier_acceleration_structure_without_ray_query,
         .expect = {"VUID-vkCmdPipelineBarrier-dstAccessMask-06257"}, ACCELERATION)
{
    memory_barrier(b, VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR,
                   VK_ACCESS_ACCELERATION_STRUCTURE_WRITE_BIT_KHR,
                   VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                   VK_ACCESS_ACCELERATION_STRUCTURE_READ_BIT_KHR);
}

/* Attachments never read one: that is said once. */
SCENARIO(barrier_acceleration_structure_to_attachments,
         .expect = {"VUID-vkCmdPipelineBarrier-dstAccessMask-02816"}, ACCELERATION)
{
    memory_barrier(b, VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR,
                   VK_ACCESS_ACCELERATION_STRUCTURE_WRITE_BIT_KHR,
                   VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                   VK_ACCESS_ACCELERATION_STRUCTURE_READ_BIT_KHR);
}

SCENARIO(barrier_acceleration_structure_to_build, ACCELERATION)
{
    memory_barrier(b, VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR,
                   VK_ACCESS_ACCELERATION_STRUCTURE_WRITE_BIT_KHR,
                   VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR,
                   VK_ACCESS_ACCELERATION_STRUCTURE_READ_BIT_KHR);
}

/* Begins a recording for a queue family that can transfer alone. */
static VkCommandBuffer transfer_recording(struct baseline *b)
{
    uint32_t family = find_queue_family(b->physical_device, VK_QUEUE_TRANSFER_BIT,
                                        VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT);
    ENSURE(family != UINT32_MAX);
    return make_recording_of(b, family);
}

SCENARIO(stage_of_other_queue, .expect = {"VUID-vkCmdPipelineBarrier-srcStageMask-06461"},
         .drivers = NULL_DRIVER,
         .text = {"srcStageMask includes VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, which queue "
                  "family 2 cannot do"})
{
    vkCmdPipelineBarrier(transfer_recording(b), VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL, 0, NULL);
}

SCENARIO(destination_stage_of_other_queue,
         .expect = {"VUID-vkCmdPipelineBarrier-dstStageMask-06462"}, .drivers = NULL_DRIVER)
{
    vkCmdPipelineBarrier(transfer_recording(b), VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_VERTEX_INPUT_BIT, 0, 0, NULL, 0, NULL, 0, NULL);
}

SCENARIO(stages_of_transfer_queue, .drivers = NULL_DRIVER)
{
    vkCmdPipelineBarrier(transfer_recording(b),
                         VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 0,
                         NULL, 0, NULL, 0, NULL);
}

SCENARIO(stage2_of_other_queue, .expect = {"VUID-vkCmdPipelineBarrier2-srcStageMask-09673"},
         .drivers = NULL_DRIVER, .features = &features13)
{
    record_memory_barrier2(transfer_recording(b), STAGE(FRAGMENT_SHADER_BIT), 0, STAGE(COPY_BIT),
                           0);
}

SCENARIO(destination_stage2_of_other_queue,
         .expect = {"VUID-vkCmdPipelineBarrier2-dstStageMask-09674"}, .drivers = NULL_DRIVER,
         .features = &features13)
{
    record_memory_barrier2(transfer_recording(b), STAGE(COPY_BIT), 0, STAGE(FRAGMENT_SHADER_BIT),
                           0);
}

SCENARIO(stages2_of_transfer_queue, .drivers = NULL_DRIVER, .features = &features13)
{
    record_memory_barrier2(transfer_recording(b), STAGE(COPY_BIT) | STAGE(CLEAR_BIT), 0,
                           STAGE(ALL_COMMANDS_BIT), 0);
}

SCENARIO(barrier2_without_synchronization2,
         .expect = {"VUID-vkCmdPipelineBarrier2-synchronization2-03848"})
{
    memory_barrier2(b, STAGE(COPY_BIT), 0, STAGE(ALL_COMMANDS_BIT), 0);
}
