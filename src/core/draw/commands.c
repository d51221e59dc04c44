/* Checks the parameters of draws, and everything that they use (20 "Drawing Commands"). */
#include "core/memory/address.h"
#include "core/draw/draw.h"
#include "core/hooks.h"
#include "core/draw/indirect.h"
#include "state/command/protected.h"

#include "report/finding/rule.h"
#include "state/memory/buffer.h"
#include "vk/index_type.h"
#include "vk/pointer.h"

#include <inttypes.h>

/* If ... has a value other than 1 in divisor, and
 * VkPhysicalDeviceVertexAttributeDivisorProperties::supportsNonZeroFirstInstance is VK_FALSE, then
 * firstInstance must be 0 */
bool draw_check_first_instance(const struct call *call, const struct command_buffer *command_buffer,
                               uint32_t first)
{
    bool dynamic;
    const struct vertex_binding *binding =
        first ? draw_divided_binding(call, command_buffer, &dynamic) : NULL;
    return binding && BROKEN_BY(call, dynamic ? RULE_09462 : RULE_09461,
                                &LOCATION(NULL, "firstInstance"), NULL,
                                "is %u, but must be 0: vertex binding %u has a divisor of %u, and "
                                "the device's supportsNonZeroFirstInstance is VK_FALSE",
                                first, binding->binding, binding->divisor);
}

/* Checks the first instance of a draw, and with multiview the last one. True: the call is to be
 * skipped. */
static COLD bool check_instances(const struct call *call,
                                 const struct command_buffer *command_buffer, uint32_t first,
                                 uint32_t count)
{
    assert(command_buffer);
    const struct device *device = call->device;
    const struct render_pass_instance *rendering = active_rendering(command_buffer);
    uint32_t most = device->extended.MultiviewProperties.maxMultiviewInstanceIndex;
    struct subject s = {.call = call};
    /* If the draw is recorded in a render pass instance with multiview enabled, the maximum
     * instance index must be less than or equal to
     * VkPhysicalDeviceMultiviewProperties::maxMultiviewInstanceIndex */
    if (rendering && rendering->view_mask && most && count && (uint64_t)first + count - 1 > most)
        BROKEN(&s, RULE_02688, "instanceCount",
               "is %u from instance %u on, beyond maxMultiviewInstanceIndex (%u), in a "
               "render pass instance with multiview (view mask 0x%x)",
               count, first, most, rendering->view_mask);
    return s.skip | draw_check_first_instance(call, command_buffer, first);
}

/* Checks instances. Hot: one test if no rule depends on them. */
static ALWAYS_INLINE bool watch_instances(const struct call *call,
                                          const struct command_buffer *command_buffer,
                                          uint32_t first, uint32_t count)
{
    return likely(!command_buffer || !command_buffer->watch_instances)
               ? false
               : check_instances(call, command_buffer, first, count);
}

bool core_validate_CmdDraw(struct call *call, VkCommandBuffer commandBuffer, uint32_t vertexCount,
                           uint32_t instanceCount, uint32_t firstVertex, uint32_t firstInstance)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    return draw_check(call, command_buffer, DRAW_VERTICES) |
           watch_instances(call, command_buffer, firstInstance, instanceCount);
}

/* If the robustBufferAccess2 feature is not enabled, (indexSize * (firstIndex + indexCount)) must
 * be less than or equal to the size of the bound index buffer range */
static ALWAYS_INLINE bool check_indices(const struct call *call,
                                        const struct command_buffer *command_buffer, uint32_t first,
                                        uint32_t count, const struct location *where)
{
    if (!command_buffer || !command_buffer->index_buffer.buffer)
        return false;
    uint64_t end = index_size(command_buffer->index_type) * ((uint64_t)first + count);
    if (likely(end <= command_buffer->index_buffer.size) ||
        device_has_feature(call->device, FEATURE_robustBufferAccess2) || mem_failures())
        return false;
    return BROKEN_BY(call, RULE_08798, where, NULL,
                     "and the first index reach to byte %" PRIu64
                     " of the index buffer's bound range, which has %" PRIu64
                     " (first index %u, %u indices of %u bytes)",
                     end, command_buffer->index_buffer.size, first, count,
                     index_size(command_buffer->index_type));
}

bool core_validate_CmdDrawIndexed(struct call *call, VkCommandBuffer commandBuffer,
                                  uint32_t indexCount, uint32_t instanceCount, uint32_t firstIndex,
                                  int32_t vertexOffset, uint32_t firstInstance)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    return draw_check(call, command_buffer, DRAW_INDICES) |
           check_indices(call, command_buffer, firstIndex, indexCount,
                         &LOCATION(NULL, "indexCount")) |
           watch_instances(call, command_buffer, firstInstance, instanceCount);
}

/* --- several draws at once (VK_EXT_multi_draw) --- */

/* The rules about the array of a multi draw. `draws`: its elements, with the parameter's name
 * `name`. */
struct multi_rules {
    /* about multiDraw, maxMultiDrawCount, the stride, and the array */
    enum rule feature, count, stride, draws;
};

/* Checks the array of a multi draw. `size`: bytes of an element; `name`: name of the parameter
 * `draws`. */
static bool check_multi(const struct call *call, uint32_t count, uint32_t stride, uint32_t size,
                        const void *draws, const char *name, const struct multi_rules *rules)
{
    assert(rules && size);
    const struct device *device = call->device;
    uint32_t most = device->extended.MultiDrawPropertiesEXT.maxMultiDrawCount;
    struct subject s = {.call = call};
    /* The multiDraw feature must be enabled */
    REQUIRE(&s, rules->feature, device_has_feature(device, FEATURE_multiDraw), NULL,
            "needs the feature multiDraw, which is not enabled");
    /* drawCount must be less than VkPhysicalDeviceMultiDrawPropertiesEXT::maxMultiDrawCount. That
     * is "the maximum number of draw calls which can be batched", so that many are in order. */
    REQUIRE(&s, rules->count, !most || count <= most, "drawCount",
            "is %u, but maxMultiDrawCount is %u", count, most);
    /* If drawCount is greater than zero, ... must be a valid pointer to memory containing one or
     * more valid instances */
    REQUIRE(&s, STOPS(rules->draws), !count || !pointer_is_bad(draws), name,
            "is %s, but drawCount is %u",
            draws ? "a pointer where no program can have memory" : "NULL", count);
    /* If drawCount is greater than 1, stride must be a multiple of 4 and must be greater than or
     * equal to sizeof(...) */
    REQUIRE(&s, rules->stride, count <= 1 || (stride % 4 == 0 && stride >= size), "stride",
            "is %u, but must be a multiple of 4 and at least %u", stride, size);
    return s.skip;
}

bool core_validate_CmdDrawMultiEXT(struct call *call, VkCommandBuffer commandBuffer,
                                   uint32_t drawCount, const VkMultiDrawInfoEXT *pVertexInfo,
                                   uint32_t instanceCount, uint32_t firstInstance, uint32_t stride)
{
    static const struct multi_rules rules = {RULE_04933, RULE_04934, RULE_09628, RULE_04935};
    struct command_buffer *command_buffer = call_command_buffer(call);
    return draw_check(call, command_buffer, DRAW_VERTICES) |
           watch_instances(call, command_buffer, firstInstance, instanceCount) |
           check_multi(call, drawCount, stride, sizeof(*pVertexInfo), pVertexInfo, "pVertexInfo",
                       &rules);
}

/* Checks the indices of each element, if the array is readable. */
static bool check_multi_indices(const struct call *call,
                                const struct command_buffer *command_buffer, uint32_t count,
                                uint32_t stride, const VkMultiDrawIndexedInfoEXT *draws)
{
    bool skip = false;
    if (pointer_is_bad(draws) || (count > 1 && (stride % 4 || stride < sizeof(*draws))))
        return false;
    for (uint32_t i = 0; i < count && !skip; i++) {
        const VkMultiDrawIndexedInfoEXT *draw =
            (const void *)((const unsigned char *)draws + (size_t)i * stride);
        const struct location at = LOCATION_INDEX(NULL, "pIndexInfo", i);
        skip |= check_indices(call, command_buffer, draw->firstIndex, draw->indexCount,
                              &LOCATION(&at, "indexCount"));
    }
    return skip;
}

bool core_validate_CmdDrawMultiIndexedEXT(struct call *call, VkCommandBuffer commandBuffer,
                                          uint32_t drawCount,
                                          const VkMultiDrawIndexedInfoEXT *pIndexInfo,
                                          uint32_t instanceCount, uint32_t firstInstance,
                                          uint32_t stride, const int32_t *pVertexOffset)
{
    static const struct multi_rules rules = {RULE_04937, RULE_04939, RULE_09629, RULE_04940};
    struct command_buffer *command_buffer = call_command_buffer(call);
    return draw_check(call, command_buffer, DRAW_INDICES) |
           watch_instances(call, command_buffer, firstInstance, instanceCount) |
           check_multi(call, drawCount, stride, sizeof(*pIndexInfo), pIndexInfo, "pIndexInfo",
                       &rules) |
           check_multi_indices(call, command_buffer, drawCount, stride, pIndexInfo);
}

/* --- from buffers --- */

/* Checks the parameters of an indirect draw. `stride_rule`: RULE_NONE if a row has it. */
static bool draw_commands_check_indirect(struct call *call, VkBuffer buffer, VkDeviceSize offset,
                                         uint32_t count, uint32_t stride, uint32_t size,
                                         enum rule one, enum rule several, enum rule stride_rule)
{
    assert(size && size % 4 == 0);
    const struct device *device = call->device;
    const struct indirect_buffer indirect = {.handle = buffer,
                                             .offset = offset,
                                             .stride = count > 1 ? stride : 0,
                                             .name = "buffer",
                                             .offset_name = "offset",
                                             .bound = RULE_02708,
                                             .usage = RULE_02709,
                                             .alignment = RULE_02710};
    const struct finding_objects *objects = OBJECT(HANDLE_BUFFER, buffer);
    struct subject s = {.call = call, .objects = objects};
    s.skip |= indirect_check_buffer(call, &indirect);
    /* If the multiDrawIndirect feature is not enabled, drawCount must be 0 or 1 */
    REQUIRE(&s, RULE_02718, count <= 1 || device_has_feature(device, FEATURE_multiDrawIndirect),
            "drawCount", "is %u, but the feature multiDrawIndirect is not enabled%s", count,
            INDIRECT(call, &indirect));
    /* drawCount must be less than or equal to VkPhysicalDeviceLimits::maxDrawIndirectCount */
    uint32_t most = device->properties.limits.maxDrawIndirectCount;
    REQUIRE(&s, RULE_02719, count <= most, "drawCount",
            "is %u, more than maxDrawIndirectCount (%u)%s", count, most, INDIRECT(call, &indirect));
    /* If drawCount is greater than 1, stride must be a multiple of 4 and must be greater than or
     * equal to sizeof(...) */
    if (count > 1 && stride_rule != RULE_NONE)
        REQUIRE(&s, stride_rule, stride % 4 == 0 && stride >= size, "stride",
                "is %u, but must be a multiple of 4 and at least %u%s", stride, size,
                INDIRECT(call, &indirect));
    return s.skip | indirect_check_end(call, &indirect, count, size, count > 1 ? several : one);
}

bool core_validate_CmdDrawIndirect(struct call *call, VkCommandBuffer commandBuffer,
                                   VkBuffer buffer, VkDeviceSize offset, uint32_t drawCount,
                                   uint32_t stride)
{
    return draw_check(call, call_command_buffer(call), DRAW_VERTICES) |
           draw_commands_check_indirect(call, buffer, offset, drawCount, stride,
                                        sizeof(VkDrawIndirectCommand), RULE_00487, RULE_00488,
                                        RULE_00476);
}

bool core_validate_CmdDrawIndexedIndirect(struct call *call, VkCommandBuffer commandBuffer,
                                          VkBuffer buffer, VkDeviceSize offset, uint32_t drawCount,
                                          uint32_t stride)
{
    return draw_check(call, call_command_buffer(call), DRAW_INDICES) |
           draw_commands_check_indirect(call, buffer, offset, drawCount, stride,
                                        sizeof(VkDrawIndexedIndirectCommand), RULE_00539,
                                        RULE_00540, RULE_00528);
}

/* True if the program enabled drawIndirectCount through an extension. For mesh tasks there is only
 * one name, which does not tell. */
static bool counts_by_extension(const struct call *call)
{
    return (call->command == COMMAND_CmdDrawMeshTasksIndirectCountEXT ||
            call->command == COMMAND_CmdDrawMeshTasksIndirectCountNV) &&
           extension_set_has(&call->device->named_extensions, EXTENSION_VK_KHR_draw_indirect_count);
}

/* Checks the parameters of an indirect draw with a count buffer. `stride_rule`: RULE_NONE if a row
 * has it. */
static bool check_indirect_count(struct call *call, VkBuffer buffer, VkDeviceSize offset,
                                 VkBuffer count_buffer, VkDeviceSize count_offset, uint32_t most,
                                 uint32_t stride, uint32_t size, enum rule stride_rule,
                                 enum rule end_rule)
{
    assert(size && size % 4 == 0);
    const struct indirect_buffer indirect = {.handle = buffer,
                                             .offset = offset,
                                             .stride = stride,
                                             .name = "buffer",
                                             .offset_name = "offset",
                                             .bound = RULE_02708,
                                             .usage = RULE_02709,
                                             .alignment = RULE_02710},
                                 counter = {.handle = count_buffer,
                                            .offset = count_offset,
                                            .name = "countBuffer",
                                            .offset_name = "countBufferOffset",
                                            .bound = RULE_02714,
                                            .usage = RULE_02715,
                                            .alignment = RULE_02716};
    struct subject s = {.call = call};
    s.skip |= indirect_check_buffer(call, &indirect);
    s.skip |= indirect_check_buffer(call, &counter);
    /* (countBufferOffset + sizeof(uint32_t)) must be less than or equal to the size of countBuffer
     */
    const struct buffer *counts = find_buffer(call, count_buffer);
    if (counts)
        REQUIRE_OF(&s, OBJECT(HANDLE_BUFFER, count_buffer), RULE_04129,
                   counts->size >= 4 && count_offset <= counts->size - 4, "countBufferOffset",
                   "is %" PRIu64 ", but the buffer has %" PRIu64 " bytes, and the count takes 4%s",
                   count_offset, counts->size, INDIRECT(call, &counter));
    /* If the drawIndirectCount feature is not enabled this function must not be used (nor without
     * the extensions that had it) */
    const struct extension_set *enabled = &call->device->extensions;
    REQUIRE(&s, RULE_04445,
            device_has_feature(call->device, FEATURE_drawIndirectCount) ||
                call->device->api_version < VK_API_VERSION_1_2 ||
                extension_set_has(enabled, EXTENSION_VK_AMD_draw_indirect_count) ||
                call->command != command_root[call->command] || counts_by_extension(call),
            NULL, "needs the feature drawIndirectCount, which is not enabled");
    REQUIRE_OF(&s, OBJECT(HANDLE_BUFFER, buffer), stride_rule,
               stride_rule == RULE_NONE || (stride % 4 == 0 && stride >= size), "stride",
               "is %u, but must be a multiple of 4 and at least %u%s", stride, size,
               INDIRECT(call, &indirect));
    return s.skip | (most ? indirect_check_end(call, &indirect, most, size, end_rule) : false);
}

bool core_validate_CmdDrawIndirectCount(struct call *call, VkCommandBuffer commandBuffer,
                                        VkBuffer buffer, VkDeviceSize offset, VkBuffer countBuffer,
                                        VkDeviceSize countBufferOffset, uint32_t maxDrawCount,
                                        uint32_t stride)
{
    return draw_check(call, call_command_buffer(call), DRAW_VERTICES) |
           check_indirect_count(call, buffer, offset, countBuffer, countBufferOffset, maxDrawCount,
                                stride, sizeof(VkDrawIndirectCommand), RULE_03110, RULE_03111);
}

bool core_validate_CmdDrawIndexedIndirectCount(struct call *call, VkCommandBuffer commandBuffer,
                                               VkBuffer buffer, VkDeviceSize offset,
                                               VkBuffer countBuffer, VkDeviceSize countBufferOffset,
                                               uint32_t maxDrawCount, uint32_t stride)
{
    return draw_check(call, call_command_buffer(call), DRAW_INDICES) |
           check_indirect_count(call, buffer, offset, countBuffer, countBufferOffset, maxDrawCount,
                                stride, sizeof(VkDrawIndexedIndirectCommand), RULE_03142,
                                RULE_03143);
}

/* --- mesh shaders --- */

/* Reports a number of workgroups above its limit. */
static COLD bool report_groups(const struct call *call, const char *name, uint32_t count,
                               const char *limit, uint32_t most, enum rule rule)
{
    return BROKEN_BY(call, rule, &LOCATION(NULL, name), NULL, "is %u, more than %s (%u)", count,
                     limit, most);
}

/* groupCountX must be less than or equal to maxTaskWorkGroupCount[0] (with a task shader), else
 * maxMeshWorkGroupCount[0]; likewise Y, Z and their product */
bool core_validate_CmdDrawMeshTasksEXT(struct call *call, VkCommandBuffer commandBuffer,
                                       uint32_t groupCountX, uint32_t groupCountY,
                                       uint32_t groupCountZ)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    struct subject s = {.call = call};
    s.skip |= draw_check(call, command_buffer, DRAW_MESH);
    const struct pipeline *pipeline =
        command_buffer ? pipeline_by_id(command_buffer->bind[0].pipeline) : NULL;
    /* Without a pipeline the stages are not known. */
    if (!pipeline)
        return s.skip;
    const VkPhysicalDeviceMeshShaderPropertiesEXT *limits =
        &call->device->extended.MeshShaderPropertiesEXT;
    bool task = (pipeline->stages & VK_SHADER_STAGE_TASK_BIT_EXT) != 0;
    const uint32_t *most = task ? limits->maxTaskWorkGroupCount : limits->maxMeshWorkGroupCount;
    uint32_t total = task ? limits->maxTaskWorkGroupTotalCount : limits->maxMeshWorkGroupTotalCount;
    const char *limit = task ? "maxTaskWorkGroupCount" : "maxMeshWorkGroupCount";
    if (groupCountX > most[0])
        s.skip |= report_groups(call, "groupCountX", groupCountX, limit, most[0],
                                task ? RULE_07322 : RULE_07326);
    if (groupCountY > most[1])
        s.skip |= report_groups(call, "groupCountY", groupCountY, limit, most[1],
                                task ? RULE_07323 : RULE_07327);
    if (groupCountZ > most[2])
        s.skip |= report_groups(call, "groupCountZ", groupCountZ, limit, most[2],
                                task ? RULE_07324 : RULE_07328);
    uint64_t product;
    /* The product of three 32-bit factors may not fit 64 bits. */
    if (__builtin_mul_overflow((uint64_t)groupCountX * groupCountY, (uint64_t)groupCountZ,
                               &product) ||
        product > total)
        BROKEN(&s, task ? RULE_07325 : RULE_07329, NULL,
               "starts %u x %u x %u work groups, more than %s (%u)", groupCountX, groupCountY,
               groupCountZ, task ? "maxTaskWorkGroupTotalCount" : "maxMeshWorkGroupTotalCount",
               total);
    return s.skip;
}

bool core_validate_CmdDrawMeshTasksIndirectEXT(struct call *call, VkCommandBuffer commandBuffer,
                                               VkBuffer buffer, VkDeviceSize offset,
                                               uint32_t drawCount, uint32_t stride)
{
    return draw_check(call, call_command_buffer(call), DRAW_MESH) |
           draw_commands_check_indirect(call, buffer, offset, drawCount, stride,
                                        sizeof(VkDrawMeshTasksIndirectCommandEXT), RULE_07089,
                                        RULE_07090, RULE_07088);
}

bool core_validate_CmdDrawMeshTasksIndirectCountEXT(struct call *call,
                                                    VkCommandBuffer commandBuffer, VkBuffer buffer,
                                                    VkDeviceSize offset, VkBuffer countBuffer,
                                                    VkDeviceSize countBufferOffset,
                                                    uint32_t maxDrawCount, uint32_t stride)
{
    return draw_check(call, call_command_buffer(call), DRAW_MESH) |
           check_indirect_count(call, buffer, offset, countBuffer, countBufferOffset, maxDrawCount,
                                stride, sizeof(VkDrawMeshTasksIndirectCommandEXT), RULE_NONE,
                                RULE_07097);
}

/* --- mesh shaders of VK_NV_mesh_shader, clusters of VK_HUAWEI_cluster_culling_shader --- */

bool core_validate_CmdDrawMeshTasksNV(struct call *call, VkCommandBuffer commandBuffer,
                                      uint32_t taskCount, uint32_t firstTask)
{
    return draw_check(call, call_command_buffer(call), DRAW_MESH);
}

bool core_validate_CmdDrawMeshTasksIndirectNV(struct call *call, VkCommandBuffer commandBuffer,
                                              VkBuffer buffer, VkDeviceSize offset,
                                              uint32_t drawCount, uint32_t stride)
{
    return draw_check(call, call_command_buffer(call), DRAW_MESH) |
           draw_commands_check_indirect(call, buffer, offset, drawCount, stride,
                                        sizeof(VkDrawMeshTasksIndirectCommandNV), RULE_02156,
                                        RULE_02157, RULE_NONE);
}

bool core_validate_CmdDrawMeshTasksIndirectCountNV(struct call *call, VkCommandBuffer commandBuffer,
                                                   VkBuffer buffer, VkDeviceSize offset,
                                                   VkBuffer countBuffer,
                                                   VkDeviceSize countBufferOffset,
                                                   uint32_t maxDrawCount, uint32_t stride)
{
    return draw_check(call, call_command_buffer(call), DRAW_MESH) |
           check_indirect_count(call, buffer, offset, countBuffer, countBufferOffset, maxDrawCount,
                                stride, sizeof(VkDrawMeshTasksIndirectCommandNV), RULE_NONE,
                                RULE_02183);
}

bool core_validate_CmdDrawClusterHUAWEI(struct call *call, VkCommandBuffer commandBuffer,
                                        uint32_t groupCountX, uint32_t groupCountY,
                                        uint32_t groupCountZ)
{
    return draw_check(call, call_command_buffer(call), DRAW_MESH);
}

bool core_validate_CmdDrawClusterIndirectHUAWEI(struct call *call, VkCommandBuffer commandBuffer,
                                                VkBuffer buffer, VkDeviceSize offset)
{
    return draw_check(call, call_command_buffer(call), DRAW_MESH);
}

/* --- what transform feedback counted --- */

/* Checks a draw whose vertex count comes from transform feedback. `stride`: bytes of a vertex. */
static bool check_counted(const struct call *call, uint32_t counter_offset, uint32_t stride)
{
    const struct device *device = call->device;
    const VkPhysicalDeviceTransformFeedbackPropertiesEXT *properties =
        &device->extended.TransformFeedbackPropertiesEXT;
    uint32_t most = properties->maxTransformFeedbackBufferDataStride;
    struct subject s = {.call = call};
    /* commandBuffer must not be a protected command buffer */
    REQUIRE(&s, RULE_02646, !command_buffer_is_protected(call_command_buffer(call)),
            "commandBuffer", "is a protected command buffer");
    /* VkPhysicalDeviceTransformFeedbackFeaturesEXT::transformFeedback must be enabled */
    REQUIRE(&s, RULE_02287, device_has_feature(device, FEATURE_transformFeedback), NULL,
            "needs the feature transformFeedback, which is not enabled");
    /* The implementation must support
     * VkPhysicalDeviceTransformFeedbackPropertiesEXT::transformFeedbackDraw. Without a stride the
     * properties are not known. */
    REQUIRE(&s, RULE_02288, !most || properties->transformFeedbackDraw, NULL,
            "needs a device with transformFeedbackDraw, which this one does not support");
    /* vertexStride must be greater than 0 and less than or equal to
     * maxTransformFeedbackBufferDataStride */
    REQUIRE(&s, RULE_02289, stride && (!most || stride <= most), "vertexStride",
            "is %u, but must be from 1 to maxTransformFeedbackBufferDataStride (%u)", stride, most);
    /* vertexStride must be a multiple of 4 */
    REQUIRE(&s, RULE_09475, stride % 4 == 0, "vertexStride", "is %u, not a multiple of 4", stride);
    /* counterOffset must be a multiple of 4 */
    REQUIRE(&s, RULE_09474, counter_offset % 4 == 0, "counterOffset", "is %u, not a multiple of 4",
            counter_offset);
    return s.skip;
}

bool core_validate_CmdDrawIndirectByteCountEXT(struct call *call, VkCommandBuffer commandBuffer,
                                               uint32_t instanceCount, uint32_t firstInstance,
                                               VkBuffer counterBuffer,
                                               VkDeviceSize counterBufferOffset,
                                               uint32_t counterOffset, uint32_t vertexStride)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    return draw_check(call, command_buffer, DRAW_VERTICES) |
           watch_instances(call, command_buffer, firstInstance, instanceCount) |
           check_counted(call, counterOffset, vertexStride) |
           indirect_check_buffer(call,
                                 &(struct indirect_buffer){.handle = counterBuffer,
                                                           .offset = counterBufferOffset,
                                                           .name = "counterBuffer",
                                                           .offset_name = "counterBufferOffset",
                                                           .bound = RULE_04567,
                                                           .usage = RULE_02290,
                                                           .alignment = RULE_04568});
}

/* Checks the address of the 4-byte counter of such a draw. True: the call is to be skipped. */
static bool check_counter(const struct call *call, VkDeviceAddress address)
{
    const struct location at =
        LOCATION(&LOCATION(&LOCATION_POINTER(NULL, "pCounterInfo"), "addressRange"), "address");
    struct address_search found =
        device_address_find(call->device, address, 4, VK_BUFFER_USAGE_2_INDIRECT_BUFFER_BIT);
    struct subject s = {.call = call};
    /* pInfo->counterRange.address must be a multiple of 4 */
    REQUIRE_OF(&s, OBJECT_AT(call, address), RULE_13062, address % 4 == 0, &at,
               "is %s, which is not a multiple of 4", ADDRESS(call, address));
    /* The VkBuffer that pInfo->counterRange was queried from must have been created with
     * VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT */
    if (found.match == ADDRESS_USAGE)
        s.skip |= address_report_usage(call, RULE(call, 13061), &at, address, &found,
                                       VK_BUFFER_USAGE_2_INDIRECT_BUFFER_BIT);
    return s.skip;
}

bool core_validate_CmdDrawIndirectByteCount2EXT(struct call *call, VkCommandBuffer commandBuffer,
                                                uint32_t instanceCount, uint32_t firstInstance,
                                                const VkBindTransformFeedbackBuffer2InfoEXT
                                                    *pCounterInfo,
                                                uint32_t counterOffset, uint32_t vertexStride)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    return draw_check(call, command_buffer, DRAW_VERTICES) |
           watch_instances(call, command_buffer, firstInstance, instanceCount) |
           check_counted(call, counterOffset, vertexStride) |
           check_counter(call, pCounterInfo->addressRange.address);
}
