/* Writes the findings of the layer's own shaders. */
#include "gpu/report/report.h"

#include <inttypes.h>
#include <string.h>

#include "gpu/shaders/buffers.h"

/* Selects how the sentence continues after "indirect command 3 has x = 70000". */
enum limit_text { TEXT_MOST, TEXT_FEATURE, TEXT_RANGE, TEXT_MULTIPLE, TEXT_LEAST, TEXT_EQUAL };

/* The text for a rule of the limits: the member that breaks it, and the limit's name. `limit` is
 * NULL if the sentence names no limit. */
struct limit_rule {
    enum vuid vuid;
    enum limit_text text; /* the sentence */
    const char *member, *limit;
};

/* Ids of statements about one structure, without their prefix; also for the next structures. */
#define MESH(number_) VUID_VkDrawMeshTasksIndirectCommandEXT_TaskEXT_##number_
#define TRACE(name_)  VUID_VkTraceRaysIndirectCommandKHR_##name_
#define TRACE2(name_) VUID_VkTraceRaysIndirectCommand2KHR_##name_
#define COPY(name_)   VUID_VkCopyMemoryIndirectCommandKHR_##name_
#define IMAGE(name_)  VUID_VkCopyMemoryToImageIndirectCommandKHR_##name_
/* Rules that the shader of limits checks, by the number that it reports. */
static const struct limit_rule limit_rules[BUFFER_RULES_OF_LIMITS] = {
    [BUFFER_RULE_DISPATCH_X] = {VUID_VkDispatchIndirectCommand_x_00417, TEXT_MOST, "x",
                                "maxComputeWorkGroupCount[0]"},
    [BUFFER_RULE_DISPATCH_Y] = {VUID_VkDispatchIndirectCommand_y_00418, TEXT_MOST, "y",
                                "maxComputeWorkGroupCount[1]"},
    [BUFFER_RULE_DISPATCH_Z] = {VUID_VkDispatchIndirectCommand_z_00419, TEXT_MOST, "z",
                                "maxComputeWorkGroupCount[2]"},
    [BUFFER_RULE_FIRST_INSTANCE] = {VUID_VkDrawIndirectCommand_firstInstance_00501, TEXT_FEATURE,
                                    "firstInstance", "drawIndirectFirstInstance"},
    [BUFFER_RULE_FIRST_INSTANCE_INDEXED] = {VUID_VkDrawIndexedIndirectCommand_firstInstance_00554,
                                            TEXT_FEATURE, "firstInstance",
                                            "drawIndirectFirstInstance"},
    [BUFFER_RULE_INDEX_RANGE] = {VUID_VkDrawIndexedIndirectCommand_robustBufferAccess2_08798,
                                 TEXT_RANGE, "firstIndex + indexCount", NULL},
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
    [BUFFER_RULE_TASK_COUNT_NV] = {VUID_VkDrawMeshTasksIndirectCommandNV_taskCount_02175, TEXT_MOST,
                                   "taskCount", "maxDrawMeshTasksCount"},
/* Makes three rules: for x, y and z. */
#define DIMENSIONS(prefix_, rules_)                                                                \
    [BUFFER_RULE_##prefix_##                                                                       \
        _WIDTH] = {rules_(width_03638), TEXT_MOST, "width",                                        \
                   "maxComputeWorkGroupCount[0] * maxComputeWorkGroupSize[0]"},                    \
      [BUFFER_RULE_##prefix_##                                                                     \
          _HEIGHT] = {rules_(height_03639), TEXT_MOST, "height",                                   \
                      "maxComputeWorkGroupCount[1] * maxComputeWorkGroupSize[1]"},                 \
      [BUFFER_RULE_##prefix_##                                                                     \
          _DEPTH] = {rules_(depth_03640), TEXT_MOST, "depth",                                      \
                     "maxComputeWorkGroupCount[2] * maxComputeWorkGroupSize[2]"},                  \
      [BUFFER_RULE_##prefix_##_TOTAL] = {rules_(width_03641), TEXT_MOST, "width * height * depth", \
                                         "maxRayDispatchInvocationCount"}
    DIMENSIONS(TRACE, TRACE),
    DIMENSIONS(TRACE2, TRACE2),
    [BUFFER_RULE_TRACE2_RAYGEN] = {TRACE2(pRayGenShaderBindingTable_03682), TEXT_MULTIPLE,
                                   "raygenShaderRecordAddress", "shaderGroupBaseAlignment"},
    [BUFFER_RULE_TRACE2_MISS] = {TRACE2(pMissShaderBindingTable_03685), TEXT_MULTIPLE,
                                 "missShaderBindingTableAddress", "shaderGroupBaseAlignment"},
    [BUFFER_RULE_TRACE2_HIT] = {TRACE2(pHitShaderBindingTable_03689), TEXT_MULTIPLE,
                                "hitShaderBindingTableAddress", "shaderGroupBaseAlignment"},
    [BUFFER_RULE_TRACE2_CALLABLE] = {TRACE2(pCallableShaderBindingTable_03693), TEXT_MULTIPLE,
                                     "callableShaderBindingTableAddress",
                                     "shaderGroupBaseAlignment"},
    [BUFFER_RULE_TRACE2_MISS_STRIDE] = {TRACE2(stride_03686), TEXT_MULTIPLE,
                                        "missShaderBindingTableStride",
                                        "shaderGroupHandleAlignment"},
    [BUFFER_RULE_TRACE2_HIT_STRIDE] = {TRACE2(stride_03690), TEXT_MULTIPLE,
                                       "hitShaderBindingTableStride", "shaderGroupHandleAlignment"},
    [BUFFER_RULE_TRACE2_CALLABLE_STRIDE] = {TRACE2(stride_03694), TEXT_MULTIPLE,
                                            "callableShaderBindingTableStride",
                                            "shaderGroupHandleAlignment"},
    [BUFFER_RULE_TRACE2_MISS_STRIDE_MOST] = {TRACE2(stride_04029), TEXT_MOST,
                                             "missShaderBindingTableStride",
                                             "maxShaderGroupStride"},
    [BUFFER_RULE_TRACE2_HIT_STRIDE_MOST] = {TRACE2(stride_04035), TEXT_MOST,
                                            "hitShaderBindingTableStride", "maxShaderGroupStride"},
    [BUFFER_RULE_TRACE2_CALLABLE_STRIDE_MOST] = {TRACE2(stride_04041), TEXT_MOST,
                                                 "callableShaderBindingTableStride",
                                                 "maxShaderGroupStride"},
    [BUFFER_RULE_COPY_SRC] = {COPY(srcAddress_10958), TEXT_MULTIPLE, "srcAddress", NULL},
    [BUFFER_RULE_COPY_DST] = {COPY(dstAddress_10959), TEXT_MULTIPLE, "dstAddress", NULL},
    [BUFFER_RULE_COPY_SIZE] = {COPY(size_10960), TEXT_MULTIPLE, "size", NULL},
    [BUFFER_RULE_COPY_IMAGE_SRC] = {IMAGE(srcAddress_10963), TEXT_MULTIPLE, "srcAddress", NULL},
    [BUFFER_RULE_COPY_IMAGE_TEXEL] = {IMAGE(dstImage_12282), TEXT_MULTIPLE, "srcAddress",
                                      "the texel block size"},
    [BUFFER_RULE_COPY_IMAGE_ROW] = {IMAGE(bufferRowLength_10964), TEXT_LEAST, "bufferRowLength",
                                    "imageExtent.width"},
    [BUFFER_RULE_COPY_IMAGE_ROWS] = {IMAGE(bufferImageHeight_10965), TEXT_LEAST,
                                     "bufferImageHeight", "imageExtent.height"},
    [BUFFER_RULE_COPY_IMAGE_X] = {IMAGE(imageOffset_10970), TEXT_MOST,
                                  "imageOffset.x + imageExtent.width",
                                  "the width of the subresource"},
    [BUFFER_RULE_COPY_IMAGE_Y] = {IMAGE(imageOffset_10971), TEXT_MOST,
                                  "imageOffset.y + imageExtent.height",
                                  "the height of the subresource"},
    [BUFFER_RULE_COPY_IMAGE_ASPECT] = {IMAGE(imageSubresource_12284), TEXT_EQUAL,
                                       "imageSubresource.aspectMask", "pImageSubresources has"},
    [BUFFER_RULE_COPY_IMAGE_MIP] = {IMAGE(imageSubresource_12284), TEXT_EQUAL,
                                    "imageSubresource.mipLevel", "pImageSubresources has"},
    [BUFFER_RULE_COPY_IMAGE_LAYER] = {IMAGE(imageSubresource_12284), TEXT_EQUAL,
                                      "imageSubresource.baseArrayLayer", "pImageSubresources has"},
    [BUFFER_RULE_COPY_IMAGE_LAYERS] = {IMAGE(imageSubresource_12284), TEXT_EQUAL,
                                       "imageSubresource.layerCount", "pImageSubresources has"},
    [BUFFER_RULE_COPY_IMAGE_Z] = {IMAGE(dstImage_12286), TEXT_EQUAL, "imageOffset.z",
                                  "an image that is not 3D needs"},
    [BUFFER_RULE_COPY_IMAGE_DEPTH] = {IMAGE(dstImage_12286), TEXT_EQUAL, "imageExtent.depth",
                                      "an image that is not 3D needs"},
    [BUFFER_RULE_INSTANCE_POINTER] = {VUID_vkCmdBuildAccelerationStructuresKHR_pInfos_03717,
                                      TEXT_MULTIPLE, "address", NULL},
};

/* Returns two words of a message as one value, the low word first. */
static uint64_t message_word64(const struct gpu_message *message, uint32_t i)
{
    return gpu_message_word(message, i) | (uint64_t)gpu_message_word(message, i + 1) << 32;
}

/* Reports a member of an indirect command that breaks a limit. */
static void tell_limit(struct gpu_message *message, const struct limit_rule *rule)
{
    /* Words 2 and 3 are the value, 4 and 5 the limit. */
    const uint32_t element = gpu_message_word(message, 1);
    const uint64_t value = message_word64(message, 2), limit = message_word64(message, 4);
    switch (rule->text) {
    case TEXT_MOST:
        gpu_message_tell(message, SEVERITY_ERROR, rule->vuid,
                         "indirect command %u has %s = %" PRIu64 ", more than %s = %" PRIu64 ".",
                         element, rule->member, value, rule->limit, limit);
        break;
    case TEXT_FEATURE:
        gpu_message_tell(message, SEVERITY_ERROR, rule->vuid,
                         "indirect command %u has %s = %" PRIu64
                         ", but the feature %s is not enabled.",
                         element, rule->member, value, rule->limit);
        break;
    case TEXT_RANGE:
        gpu_message_tell(message, SEVERITY_ERROR, rule->vuid,
                         "indirect command %u has %s = %" PRIu64
                         ", but the index buffer that is bound has %" PRIu64 " indices.",
                         element, rule->member, value, limit);
        break;
    case TEXT_MULTIPLE:
        gpu_message_tell(message, SEVERITY_ERROR, rule->vuid,
                         "%s %u has %s = 0x%" PRIx64 ", not a multiple of %s%s%" PRIu64 ".",
                         rule == &limit_rules[BUFFER_RULE_INSTANCE_POINTER] ? "instance"
                                                                            : "indirect command",
                         element, rule->member, value, rule->limit ? rule->limit : "",
                         rule->limit ? " = " : "", limit);
        break;
    case TEXT_LEAST:
        gpu_message_tell(message, SEVERITY_ERROR, rule->vuid,
                         "indirect command %u has %s = %" PRIu64 ", less than %s = %" PRIu64 ".",
                         element, rule->member, value, rule->limit, limit);
        break;
    case TEXT_EQUAL:
        gpu_message_tell(message, SEVERITY_ERROR, rule->vuid,
                         "indirect command %u has %s = %" PRIu64 ", not %" PRIu64 " as %s.",
                         element, rule->member, value, limit, rule->limit);
        break;
    }
}

/* Reports that a build of an acceleration structure breaks a rule. The message names the primitive,
 * two values, and the geometry. */
static void tell_build(struct gpu_message *message, uint32_t rule)
{
    static const enum vuid boxes[] = {VUID_VkAabbPositionsKHR_minX_03546,
                                      VUID_VkAabbPositionsKHR_minY_03547,
                                      VUID_VkAabbPositionsKHR_minZ_03548};
    const uint32_t primitive = gpu_message_word(message, 1), info = gpu_message_word(message, 4),
                   geometry = gpu_message_word(message, 5);
    float values[2];
    const uint32_t bits[2] = {gpu_message_word(message, 2), gpu_message_word(message, 3)};
    /* The shader sends the bits of two floats; an address uses the same two words. */
    memcpy(values, bits, sizeof(values));
    if (rule <= BUFFER_RULE_AABB_Z) {
        const char axis = "XYZ"[rule - BUFFER_RULE_AABB_X];
        gpu_message_tell(message, SEVERITY_ERROR, boxes[rule - BUFFER_RULE_AABB_X],
                         "box %u of pInfos[%u].pGeometries[%u] has min%c = %g, more than "
                         "max%c = %g.",
                         primitive, info, geometry, axis, (double)values[0], axis,
                         (double)values[1]);
    } else if (rule == BUFFER_RULE_TRANSFORM) {
        gpu_message_tell(message, SEVERITY_ERROR, VUID_VkTransformMatrixKHR_matrix_03799,
                         "the transform of pInfos[%u].pGeometries[%u] has no inverse: a row or "
                         "column of its first three columns is zero.",
                         info, geometry);
    } else if (rule == BUFFER_RULE_INSTANCE_REFERENCE) {
        gpu_message_tell(message, SEVERITY_ERROR, RULE(&message->call, 12281),
                         "instance %u of pInfos[%u].pGeometries[%u] has "
                         "accelerationStructureReference = 0x%" PRIx64
                         ", which is not the address of a bottom level acceleration "
                         "structure that lives.",
                         primitive, info, geometry, message_word64(message, 2));
    } else {
        gpu_message_tell(message, SEVERITY_ERROR, VUID_VkTransformMatrixKHR_matrix_03799,
                         "the transform of instance %u of pInfos[%u].pGeometries[%u] has no "
                         "inverse: a row or column of its first three columns is zero.",
                         primitive, info, geometry);
    }
}

/* Reports an index. Words: 0 is rule, binding and location; 1 the draw; 2 the position in the index
 * buffer; 3 the index; 4 vertexOffset; 5 the number of vertices. */
static void buffers_report_index(struct gpu_message *message)
{
    const uint32_t rule = gpu_message_word(message, 0), offset = gpu_message_word(message, 4);
    gpu_message_tell(message, SEVERITY_ERROR, RULE(&message->call, 02721),
                     "the index at position %u of the index buffer (draw %u) is %u, "
                     "and vertex %" PRId64
                     " (vertexOffset %d) is not there: location %u has %u vertices in "
                     "the buffer bound to binding %u.",
                     gpu_message_word(message, 2), gpu_message_word(message, 1),
                     gpu_message_word(message, 3),
                     (int64_t)gpu_message_word(message, 3) + (int32_t)offset, (int32_t)offset,
                     rule >> 16, gpu_message_word(message, 5), rule >> 8 & 0xff);
}

/* Reports a depth. Words: 0 is the region above 8 bits of rule; 1 to 3 the texel; 4 the bits of the
 * float. */
static void tell_depth(struct gpu_message *message)
{
    float value;
    const uint32_t bits = gpu_message_word(message, 4);
    memcpy(&value, &bits, sizeof(value));
    gpu_message_tell(message, SEVERITY_ERROR, RULE(&message->call, 07931),
                     "the depth for texel (%u, %u, %u) of pRegions[%u] is %g, which is not in the "
                     "range [0,1].",
                     gpu_message_word(message, 1), gpu_message_word(message, 2),
                     gpu_message_word(message, 3), gpu_message_word(message, 0) >> 8,
                     (double)value);
}

/* Reports a rule of indirect copies, with the source and the destination. */
static void tell_copy(struct gpu_message *message, uint32_t rule)
{
    const enum vuid vuid = rule == BUFFER_RULE_COPY_SRC_RANGE   ? COPY(srcAddress_12211)
                           : rule == BUFFER_RULE_COPY_DST_RANGE ? COPY(dstAddress_12212)
                                                                : IMAGE(srcAddress_12214);
    const uint32_t element = gpu_message_word(message, 1), other = gpu_message_word(message, 4);
    const uint64_t address = message_word64(message, 2), bytes = message_word64(message, 4);
    if (rule == BUFFER_RULE_COPY_OVERLAP)
        gpu_message_tell(message, SEVERITY_ERROR,
                         VUID_VkCopyMemoryIndirectInfoKHR_copyAddressRange_10945,
                         "indirect command %u copies to 0x%" PRIx64
                         ", and indirect command %u copies %s the same memory.",
                         element, address, other / 2, other & 1 ? "to" : "from");
    else
        gpu_message_tell(message, SEVERITY_ERROR, vuid,
                         "indirect command %u has %s = 0x%" PRIx64 ", and no buffer has %" PRIu64
                         " byte%s there.",
                         element, rule == BUFFER_RULE_COPY_DST_RANGE ? "dstAddress" : "srcAddress",
                         address, bytes, bytes == 1 ? "" : "s");
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
        /* Rules are numbered by kind, so that these tests compare ranges of numbers; their order
         * matters. */
    } else if (rule >= BUFFER_RULE_COPY_SRC_RANGE) {
        tell_copy(message, rule);
    } else if (rule >= BUFFER_RULE_AABB_X) {
        tell_build(message, rule);
    } else if (rule == BUFFER_RULE_INDEX) {
        buffers_report_index(message);
    } else if (rule == BUFFER_RULE_DEPTH) {
        tell_depth(message);
    }
}
