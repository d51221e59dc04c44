/* What do findings say of what the layer's own shaders have found? */
#include "gpu/report.h"

#include <inttypes.h>
#include <string.h>

#include "gpu/shaders/buffers.h"

/* How the sentence goes on behind "indirect command 3 has x = 70000". */
enum limit_text { TEXT_MOST, TEXT_FEATURE, TEXT_RANGE, TEXT_MULTIPLE };

struct limit_rule {
    enum vuid vuid;
    enum limit_text text;
    const char *member, *limit;
};

#define MESH(number_) VUID_VkDrawMeshTasksIndirectCommandEXT_TaskEXT_##number_
#define TRACE(name_)  VUID_VkTraceRaysIndirectCommandKHR_##name_
#define TRACE2(name_) VUID_VkTraceRaysIndirectCommand2KHR_##name_
#define COPY(name_)   VUID_VkCopyMemoryIndirectCommandKHR_##name_
static const struct limit_rule limit_rules[BUFFER_RULES_OF_LIMITS] = {
    [BUFFER_RULE_DISPATCH_X] = {VUID_VkDispatchIndirectCommand_x_00417, TEXT_MOST, "x", "maxComputeWorkGroupCount[0]"},
    [BUFFER_RULE_DISPATCH_Y] = {VUID_VkDispatchIndirectCommand_y_00418, TEXT_MOST, "y", "maxComputeWorkGroupCount[1]"},
    [BUFFER_RULE_DISPATCH_Z] = {VUID_VkDispatchIndirectCommand_z_00419, TEXT_MOST, "z", "maxComputeWorkGroupCount[2]"},
    [BUFFER_RULE_FIRST_INSTANCE] = {VUID_VkDrawIndirectCommand_firstInstance_00501, TEXT_FEATURE, "firstInstance",
                                    "drawIndirectFirstInstance"},
    [BUFFER_RULE_FIRST_INSTANCE_INDEXED] = {VUID_VkDrawIndexedIndirectCommand_firstInstance_00554, TEXT_FEATURE,
                                            "firstInstance", "drawIndirectFirstInstance"},
    [BUFFER_RULE_INDEX_RANGE] = {VUID_VkDrawIndexedIndirectCommand_robustBufferAccess2_08798, TEXT_RANGE,
                                 "firstIndex + indexCount", NULL},
    [BUFFER_RULE_TASK_X] = {MESH(07322), TEXT_MOST, "groupCountX", "maxTaskWorkGroupCount[0]"},
    [BUFFER_RULE_TASK_Y] = {MESH(07323), TEXT_MOST, "groupCountY", "maxTaskWorkGroupCount[1]"},
    [BUFFER_RULE_TASK_Z] = {MESH(07324), TEXT_MOST, "groupCountZ", "maxTaskWorkGroupCount[2]"},
    [BUFFER_RULE_TASK_TOTAL] = {MESH(07325), TEXT_MOST, "groupCountX * groupCountY * groupCountZ",
                                "maxTaskWorkGroupTotalCount"},
    [BUFFER_RULE_MESH_X] = {MESH(07326), TEXT_MOST, "groupCountX", "maxMeshWorkGroupCount[0]"},
    [BUFFER_RULE_MESH_Y] = {MESH(07327), TEXT_MOST, "groupCountY", "maxMeshWorkGroupCount[1]"},
    [BUFFER_RULE_MESH_Z] = {MESH(07328), TEXT_MOST, "groupCountZ", "maxMeshWorkGroupCount[2]"},
    [BUFFER_RULE_MESH_TOTAL] = {MESH(07329), TEXT_MOST, "groupCountX * groupCountY * groupCountZ",
                                "maxMeshWorkGroupTotalCount"},
    [BUFFER_RULE_TASK_COUNT_NV] = {VUID_VkDrawMeshTasksIndirectCommandNV_taskCount_02175, TEXT_MOST, "taskCount",
                                   "maxDrawMeshTasksCount"},
#define DIMENSIONS(prefix_, rules_)                                                                  \
    [BUFFER_RULE_##prefix_##_WIDTH] = {rules_(width_03638), TEXT_MOST, "width",                      \
                                       "maxComputeWorkGroupCount[0] * maxComputeWorkGroupSize[0]"},  \
    [BUFFER_RULE_##prefix_##_HEIGHT] = {rules_(height_03639), TEXT_MOST, "height",                   \
                                        "maxComputeWorkGroupCount[1] * maxComputeWorkGroupSize[1]"}, \
    [BUFFER_RULE_##prefix_##_DEPTH] = {rules_(depth_03640), TEXT_MOST, "depth",                      \
                                       "maxComputeWorkGroupCount[2] * maxComputeWorkGroupSize[2]"},  \
    [BUFFER_RULE_##prefix_##                                                                         \
        _TOTAL] = {rules_(width_03641), TEXT_MOST, "width * height * depth", "maxRayDispatchInvocationCount"}
    DIMENSIONS(TRACE, TRACE),
    DIMENSIONS(TRACE2, TRACE2),
    [BUFFER_RULE_TRACE2_RAYGEN] = {TRACE2(pRayGenShaderBindingTable_03682), TEXT_MULTIPLE, "raygenShaderRecordAddress",
                                   "shaderGroupBaseAlignment"},
    [BUFFER_RULE_TRACE2_MISS] = {TRACE2(pMissShaderBindingTable_03685), TEXT_MULTIPLE, "missShaderBindingTableAddress",
                                 "shaderGroupBaseAlignment"},
    [BUFFER_RULE_TRACE2_HIT] = {TRACE2(pHitShaderBindingTable_03689), TEXT_MULTIPLE, "hitShaderBindingTableAddress",
                                "shaderGroupBaseAlignment"},
    [BUFFER_RULE_TRACE2_CALLABLE] = {TRACE2(pCallableShaderBindingTable_03693), TEXT_MULTIPLE,
                                     "callableShaderBindingTableAddress", "shaderGroupBaseAlignment"},
    [BUFFER_RULE_TRACE2_MISS_STRIDE] = {TRACE2(stride_03686), TEXT_MULTIPLE, "missShaderBindingTableStride",
                                        "shaderGroupHandleAlignment"},
    [BUFFER_RULE_TRACE2_HIT_STRIDE] = {TRACE2(stride_03690), TEXT_MULTIPLE, "hitShaderBindingTableStride",
                                       "shaderGroupHandleAlignment"},
    [BUFFER_RULE_TRACE2_CALLABLE_STRIDE] = {TRACE2(stride_03694), TEXT_MULTIPLE, "callableShaderBindingTableStride",
                                            "shaderGroupHandleAlignment"},
    [BUFFER_RULE_TRACE2_MISS_STRIDE_MOST] = {TRACE2(stride_04029), TEXT_MOST, "missShaderBindingTableStride",
                                             "maxShaderGroupStride"},
    [BUFFER_RULE_TRACE2_HIT_STRIDE_MOST] = {TRACE2(stride_04035), TEXT_MOST, "hitShaderBindingTableStride",
                                            "maxShaderGroupStride"},
    [BUFFER_RULE_TRACE2_CALLABLE_STRIDE_MOST] = {TRACE2(stride_04041), TEXT_MOST, "callableShaderBindingTableStride",
                                                 "maxShaderGroupStride"},
    [BUFFER_RULE_COPY_SRC] = {COPY(srcAddress_10958), TEXT_MULTIPLE, "srcAddress", NULL},
    [BUFFER_RULE_COPY_DST] = {COPY(dstAddress_10959), TEXT_MULTIPLE, "dstAddress", NULL},
    [BUFFER_RULE_COPY_SIZE] = {COPY(size_10960), TEXT_MULTIPLE, "size", NULL},
    [BUFFER_RULE_COPY_IMAGE_SRC] = {VUID_VkCopyMemoryToImageIndirectCommandKHR_srcAddress_10963, TEXT_MULTIPLE,
                                    "srcAddress", NULL},
    [BUFFER_RULE_INSTANCE_POINTER] = {VUID_vkCmdBuildAccelerationStructuresKHR_pInfos_03717, TEXT_MULTIPLE, "address",
                                      NULL},
};

static uint64_t word64(const struct gpu_message *message, uint32_t i)
{
    return gpu_message_word(message, i) | (uint64_t)gpu_message_word(message, i + 1) << 32;
}

static void tell_limit(struct gpu_message *message, const struct limit_rule *rule)
{
    const uint32_t element = gpu_message_word(message, 1);
    const uint64_t value = word64(message, 2), limit = word64(message, 4);
    switch (rule->text) {
    case TEXT_MOST:
        gpu_message_tell(message, SEVERITY_ERROR, rule->vuid,
                         "indirect command %u has %s = %" PRIu64 ", more than %s = %" PRIu64 ".", element, rule->member,
                         value, rule->limit, limit);
        break;
    case TEXT_FEATURE:
        gpu_message_tell(message, SEVERITY_ERROR, rule->vuid,
                         "indirect command %u has %s = %" PRIu64 ", but the feature %s is not enabled.", element,
                         rule->member, value, rule->limit);
        break;
    case TEXT_RANGE:
        gpu_message_tell(message, SEVERITY_ERROR, rule->vuid,
                         "indirect command %u has %s = %" PRIu64 ", but the index buffer that is bound has %" PRIu64
                         " indices.",
                         element, rule->member, value, limit);
        break;
    case TEXT_MULTIPLE:
        gpu_message_tell(message, SEVERITY_ERROR, rule->vuid,
                         "%s %u has %s = 0x%" PRIx64 ", not a multiple of %s%s%" PRIu64 ".",
                         rule == &limit_rules[BUFFER_RULE_INSTANCE_POINTER] ? "instance" : "indirect command", element,
                         rule->member, value, rule->limit ? rule->limit : "", rule->limit ? " = " : "", limit);
        break;
    }
}

/* Of builds: which primitive, two values, and the geometry. */
static void tell_build(struct gpu_message *message, uint32_t rule)
{
    static const enum vuid boxes[] = {VUID_VkAabbPositionsKHR_minX_03546, VUID_VkAabbPositionsKHR_minY_03547,
                                      VUID_VkAabbPositionsKHR_minZ_03548};
    const uint32_t primitive = gpu_message_word(message, 1), info = gpu_message_word(message, 4),
                   geometry = gpu_message_word(message, 5);
    float values[2];
    const uint32_t bits[2] = {gpu_message_word(message, 2), gpu_message_word(message, 3)};
    memcpy(values, bits, sizeof(values));
    if (rule <= BUFFER_RULE_AABB_Z) {
        const char axis = "XYZ"[rule - BUFFER_RULE_AABB_X];
        gpu_message_tell(message, SEVERITY_ERROR, boxes[rule - BUFFER_RULE_AABB_X],
                         "box %u of pInfos[%u].pGeometries[%u] has min%c = %g, more than max%c = %g.", primitive, info,
                         geometry, axis, (double)values[0], axis, (double)values[1]);
    } else if (rule == BUFFER_RULE_TRANSFORM) {
        gpu_message_tell(message, SEVERITY_ERROR, VUID_VkTransformMatrixKHR_matrix_03799,
                         "the transform of pInfos[%u].pGeometries[%u] has no inverse: a row or column of its first "
                         "three "
                         "columns is zero.",
                         info, geometry);
    } else {
        gpu_message_tell(message, SEVERITY_ERROR, VUID_VkTransformMatrixKHR_matrix_03799,
                         "the transform of instance %u of pInfos[%u].pGeometries[%u] has no inverse: a row or column "
                         "of "
                         "its first three columns is zero.",
                         primitive, info, geometry);
    }
}

static void tell_index(struct gpu_message *message)
{
    const uint32_t rule = gpu_message_word(message, 0), offset = gpu_message_word(message, 4);
    gpu_message_tell(message, SEVERITY_ERROR, RULE(&message->call, 02721),
                     "the index at position %u of the index buffer (draw %u) is %u, and vertex %" PRId64
                     " (vertexOffset %d) is not there: location %u has %u vertices in the buffer bound to binding %u.",
                     gpu_message_word(message, 2), gpu_message_word(message, 1), gpu_message_word(message, 3),
                     (int64_t)gpu_message_word(message, 3) + (int32_t)offset, (int32_t)offset, rule >> 16,
                     gpu_message_word(message, 5), rule >> 8 & 0xff);
}

static void tell_depth(struct gpu_message *message)
{
    float value;
    const uint32_t bits = gpu_message_word(message, 4);
    memcpy(&value, &bits, sizeof(value));
    gpu_message_tell(message, SEVERITY_ERROR, RULE(&message->call, 07931),
                     "the depth for texel (%u, %u, %u) of pRegions[%u] is %g, which is not in the range [0,1].",
                     gpu_message_word(message, 1), gpu_message_word(message, 2), gpu_message_word(message, 3),
                     gpu_message_word(message, 0) >> 8, (double)value);
}

void gpu_tell_command(struct gpu_message *message)
{
    const uint32_t rule = gpu_message_word(message, 0) & 0xff;
    if (rule < BUFFER_RULES_OF_LIMITS) {
        tell_limit(message, &limit_rules[rule]);
    } else if (rule == BUFFER_RULE_COUNT) {
        gpu_message_tell(message, SEVERITY_ERROR, RULE(&message->call, 02717),
                         "the count in countBuffer is %u, more than maxDrawIndirectCount = %u.",
                         gpu_message_word(message, 2), gpu_message_word(message, 4));
    } else if (rule >= BUFFER_RULE_AABB_X && rule <= BUFFER_RULE_INSTANCE_TRANSFORM) {
        tell_build(message, rule);
    } else if (rule == BUFFER_RULE_INDEX) {
        tell_index(message);
    } else if (rule == BUFFER_RULE_DEPTH) {
        tell_depth(message);
    }
}
