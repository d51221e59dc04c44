/* Checks that pipelines, shader objects, vertex and index buffers may be bound here (10.9 "Pipeline
 * Binding", 10.2 "Binding Shader Objects", 22.2 "Vertex Input", 21.1 "Primitive Topologies"). Hot.
 */
#include "core/hooks.h"
#include "core/memory/address.h"
#include "core/pipeline/checks.h"
#include "state/command/protected.h"

#include <inttypes.h>

#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "state/memory/buffer.h"
#include "state/command/command_buffer.h"
#include "state/command/sections.h"
#include "state/pipeline/shader.h"
#include "vk/index_type.h"

/* Checks that the command buffer's VkCommandPool supports these operations. */
static bool check_pool(const struct call *call, const struct command_buffer *command_buffer,
                       enum vuid vuid, VkQueueFlags flag, const char *what)
{
    assert(command_buffer && what);
    struct subject s = {.call = call};
    REQUIRE(&s, vuid, !command_buffer->queue_flags || command_buffer->queue_flags & flag,
            "commandBuffer", "is of queue family %u, which does not support %s operations",
            command_buffer->queue_family, what);
    return s.skip;
}

/* --- pipelines --- */

/* The requirements of a bind point: what the queue family must support, and the kind of
 * pipeline. */
struct bind_point_rules {
    VkQueueFlags queue;
    /* texts: operations that the queue family lacks; kind of pipeline */
    const char *operations, *kind;
    enum vuid pool, pipeline;
};
static const struct bind_point_rules bind_points[BIND_POINTS] = {
    {VK_QUEUE_GRAPHICS_BIT, "graphics", "a graphics pipeline",
     VUID_vkCmdBindPipeline_pipelineBindPoint_00778,
     VUID_vkCmdBindPipeline_pipelineBindPoint_00780},
    {VK_QUEUE_COMPUTE_BIT, "compute", "a compute pipeline",
     VUID_vkCmdBindPipeline_pipelineBindPoint_00777,
     VUID_vkCmdBindPipeline_pipelineBindPoint_00779},
    {VK_QUEUE_COMPUTE_BIT, "compute", "a ray tracing pipeline",
     VUID_vkCmdBindPipeline_pipelineBindPoint_02391,
     VUID_vkCmdBindPipeline_pipelineBindPoint_02392},
    /* rows check the pools for these */
    {.kind = "a subpass shading pipeline",
     .pipeline = VUID_vkCmdBindPipeline_pipelineBindPoint_04950},
    {.kind = "a data graph pipeline", .pipeline = VUID_vkCmdBindPipeline_pipelineBindPoint_09911},
};

/* Checks that the protection of the pipeline fits that of the command buffer. True: the call is to
 * be skipped. */
static bool pipeline_binding_check_protection(const struct call *call,
                                              const struct command_buffer *command_buffer,
                                              const struct pipeline *pipeline,
                                              const struct finding_objects *objects)
{
    assert(command_buffer && pipeline);
    bool protected = command_buffer_is_protected(command_buffer);
    const struct location *where = &LOCATION(NULL, "pipeline");
    struct subject s = {.call = call, .objects = objects};
    if (protected) {
        REQUIRE(&s, VUID_vkCmdBindPipeline_pipelineProtectedAccess_07408,
                !(pipeline->flags & VK_PIPELINE_CREATE_2_NO_PROTECTED_ACCESS_BIT), where,
                "was created with VK_PIPELINE_CREATE_NO_PROTECTED_ACCESS_BIT, but the command "
                "buffer is protected");
        return s.skip;
    }
    REQUIRE(&s, VUID_vkCmdBindPipeline_pipelineProtectedAccess_07409,
            !(pipeline->flags & VK_PIPELINE_CREATE_2_PROTECTED_ACCESS_ONLY_BIT), where,
            "was created with VK_PIPELINE_CREATE_PROTECTED_ACCESS_ONLY_BIT, but the command "
            "buffer is not protected");
    return s.skip;
}

/* Checks that the libraries of a pipeline exist, as without them it is not valid: "The application
 * must maintain the lifetime of a pipeline library based on the pipelines that link with it" (10.5
 * "Pipeline Libraries"). */
static COLD bool check_libraries(const struct call *call, const struct pipeline *pipeline,
                                 VkPipeline handle)
{
    assert(pipeline->libraries || !pipeline->library_count);
    for (uint32_t i = 0; i < pipeline->library_count; i++) {
        if (!object_find_id(pipeline->libraries[i], HANDLE_PIPELINE))
            return BROKEN_BY(call, VUID_vkCmdBindPipeline_pipeline_parameter,
                             &LOCATION(NULL, "pipeline"), OBJECT(HANDLE_PIPELINE, handle),
                             "was linked from a pipeline library that has been destroyed since");
    }
    return false;
}

/* True if the pipeline's bind point is to be compared with the given one. It is not for a bind
 * point whose extension is not enabled, which another rule reports. Nor is it for a subpass shading
 * pipeline at the compute bind point. */
static COLD bool bind_point_has_pipelines(const struct call *call, uint32_t point,
                                          VkPipelineBindPoint of_pipeline)
{
    switch (point) {
    case 1:
        return of_pipeline != VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI;
    case 2:
        return call_has_extension(call, EXTENSION_VK_KHR_ray_tracing_pipeline) ||
               call_has_extension(call, EXTENSION_VK_NV_ray_tracing);
    case 3:
        return call_has_extension(call, EXTENSION_VK_HUAWEI_subpass_shading);
    case 4:
        return call_has_extension(call, EXTENSION_VK_ARM_data_graph);
    default:
        return true;
    }
}

bool core_validate_CmdBindPipeline(struct call *call, VkCommandBuffer commandBuffer,
                                   VkPipelineBindPoint pipelineBindPoint, VkPipeline pipeline)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    uint32_t point = bind_point_index(pipelineBindPoint);
    const struct pipeline *state = named_pipeline(call, 0, pipeline);
    struct subject s = {.call = call};
    if (!command_buffer || point == BIND_POINTS)
        return false;
    const struct bind_point_rules *rules = &bind_points[point];
    if (rules->operations)
        s.skip |= check_pool(call, command_buffer, rules->pool, rules->queue, rules->operations);
    /* This command must not be recorded when transform feedback is active */
    const struct command_buffer_sections *sections = command_buffer->sections;
    if (unlikely(sections && sections->feedback))
        BROKEN(&s, VUID_vkCmdBindPipeline_None_02323, "commandBuffer",
               "has transform feedback active (vkCmdBeginTransformFeedbackEXT)");
    if (!state)
        return s.skip;
    if (unlikely(state->bind_point != pipelineBindPoint) &&
        !bind_point_has_pipelines(call, point, state->bind_point))
        return s.skip;
    if (unlikely(state->bind_point != pipelineBindPoint)) {
        BROKEN_OF(&s, OBJECT(HANDLE_PIPELINE, pipeline), STOPS(rules->pipeline), "pipeline",
                  "was created for %s, but pipelineBindPoint needs %s",
                  value_text(VALUES_VkPipelineBindPoint, state->bind_point).text, rules->kind);
        return s.skip;
    }
    REQUIRE_OF(&s, OBJECT(HANDLE_PIPELINE, pipeline), VUID_vkCmdBindPipeline_pipeline_03382,
               !(state->flags & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR), "pipeline",
               "is a pipeline library (VK_PIPELINE_CREATE_LIBRARY_BIT_KHR)");
    if (unlikely(state->library_count))
        s.skip |= check_libraries(call, state, pipeline);
    if (unlikely(point == 2 && command_buffer_is_protected(command_buffer)))
        BROKEN(&s, VUID_vkCmdBindPipeline_pipelineBindPoint_06721, "commandBuffer",
               "is protected, which ray tracing does not support");
    if (unlikely(has_feature(call, FEATURE_pipelineProtectedAccess)))
        s.skip |= pipeline_binding_check_protection(call, command_buffer, state,
                                                    OBJECT(HANDLE_PIPELINE, pipeline));
    return s.skip;
}

/* --- shader objects --- */

#define STAGES_MESH (VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT)

/* True if this call binds a shader (not VK_NULL_HANDLE) to the stage. */
static bool stages_bind(uint32_t count, const VkShaderStageFlagBits *stages,
                        const VkShaderEXT *shaders, VkShaderStageFlagBits stage)
{
    for (uint32_t i = 0; i < count; i++) {
        if (stages[i] == stage)
            return shaders[i] != VK_NULL_HANDLE;
    }
    return false;
}

bool core_validate_CmdBindShadersEXT(struct call *call, VkCommandBuffer commandBuffer,
                                     uint32_t stageCount, const VkShaderStageFlagBits *pStages,
                                     const VkShaderEXT *pShaders)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    VkShaderStageFlags seen = 0;
    struct subject s = {.call = call};
    for (uint32_t i = 0; i < stageCount; i++) {
        VkShaderStageFlags stage = pStages[i];
        /* Another rule reports values that are not a single bit. */
        REQUIRE(&s, VUID_vkCmdBindShadersEXT_pStages_08463, !(stage & seen) || stage & (stage - 1),
                &LOCATION_INDEX(NULL, "pStages", i), "is %s, as is an earlier element",
                value_text(VALUES_VkShaderStageFlags, stage).text);
        seen |= stage;
        const struct shader_object *shader =
            pShaders ? find_shader_object(call, pShaders[i]) : NULL;
        if (shader)
            REQUIRE_OF(&s, OBJECT(HANDLE_SHADER_EXT, pShaders[i]),
                       VUID_vkCmdBindShadersEXT_pShaders_08469,
                       shader->stage == (VkShaderStageFlagBits)stage,
                       &LOCATION_INDEX(NULL, "pShaders", i),
                       "was created for %s, but pStages[%u] is %s",
                       value_text(VALUES_VkShaderStageFlags, shader->stage).text, i,
                       value_text(VALUES_VkShaderStageFlags, stage).text);
    }
    /* Such values are wrong, and would match each rule below. */
    if (!command_buffer || seen == VK_SHADER_STAGE_ALL || seen & STAGES_RAY_TRACING)
        return s.skip;
    if (pShaders && stages_bind(stageCount, pStages, pShaders, VK_SHADER_STAGE_VERTEX_BIT)) {
        REQUIRE(&s, VUID_vkCmdBindShadersEXT_pShaders_08470,
                !stages_bind(stageCount, pStages, pShaders, VK_SHADER_STAGE_TASK_BIT_EXT),
                "pShaders", "has a task shader and a vertex shader");
        REQUIRE(&s, VUID_vkCmdBindShadersEXT_pShaders_08471,
                !stages_bind(stageCount, pStages, pShaders, VK_SHADER_STAGE_MESH_BIT_EXT),
                "pShaders", "has a mesh shader and a vertex shader");
    }
    if (seen & VK_SHADER_STAGE_COMPUTE_BIT)
        s.skip |= check_pool(call, command_buffer, VUID_vkCmdBindShadersEXT_pShaders_08476,
                             VK_QUEUE_COMPUTE_BIT, "compute");
    if (seen & (VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT |
                VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT | VK_SHADER_STAGE_GEOMETRY_BIT |
                VK_SHADER_STAGE_FRAGMENT_BIT))
        s.skip |= check_pool(call, command_buffer, VUID_vkCmdBindShadersEXT_pShaders_08477,
                             VK_QUEUE_GRAPHICS_BIT, "graphics");
    if (seen & STAGES_MESH)
        s.skip |= check_pool(call, command_buffer, VUID_vkCmdBindShadersEXT_pShaders_08478,
                             VK_QUEUE_GRAPHICS_BIT, "graphics");
    return s.skip;
}

/* --- vertex buffers --- */

/* The rules of the two commands that bind vertex buffers. */
struct vertex_buffer_rules {
    enum vuid first, sum, offset, usage, bound, null, null_offset;
};

/* Checks the vertex buffer of binding `index`, which may be VK_NULL_HANDLE with a feature.
 * `offset_matters`: also check that its offset is in the buffer. */
static bool check_vertex_buffer(const struct call *call, uint32_t index, VkBuffer handle,
                                VkDeviceSize offset, const struct vertex_buffer_rules *rules,
                                bool offset_matters)
{
    const struct location *where = &LOCATION_INDEX(NULL, "pBuffers", index);
    struct subject s = {.call = call};
    if (unlikely(!handle)) {
        if (!has_feature(call, FEATURE_nullDescriptor))
            return BROKEN_BY(call, rules->null, where, NULL,
                             "is VK_NULL_HANDLE, which needs the nullDescriptor feature");
        REQUIRE(&s, rules->null_offset, offset == 0, &LOCATION_INDEX(NULL, "pOffsets", index),
                "is %" PRIu64 ", but must be 0 for VK_NULL_HANDLE", offset);
        return s.skip;
    }
    const struct buffer *buffer = find_buffer(call, handle);
    if (unlikely(!buffer))
        return false;
    if (offset_matters)
        REQUIRE_OF(&s, OBJECT(HANDLE_BUFFER, handle), rules->offset, offset < buffer->size,
                   &LOCATION_INDEX(NULL, "pOffsets", index),
                   "is %" PRIu64 ", but the buffer has %" PRIu64 " bytes", offset, buffer->size);
    REQUIRE_OF(&s, OBJECT(HANDLE_BUFFER, handle), rules->usage,
               buffer->usage & VK_BUFFER_USAGE_2_VERTEX_BUFFER_BIT, where,
               "was created without VK_BUFFER_USAGE_VERTEX_BUFFER_BIT");
    REQUIRE_OF(&s, OBJECT(HANDLE_BUFFER, handle), rules->bound, buffer_is_bound(buffer), where,
               "is not bound to memory");
    return s.skip;
}

/* Checks first and count against maxVertexInputBindings, with one finding at most. */
static bool check_binding_range(const struct call *call, uint32_t first, uint32_t count,
                                const struct vertex_buffer_rules *rules)
{
    uint32_t most = limits_of(call)->maxVertexInputBindings;
    if (unlikely(first >= most))
        return BROKEN_BY(call, rules->first, &LOCATION(NULL, "firstBinding"), NULL,
                         "is %u, but maxVertexInputBindings is %u", first, most);
    struct subject s = {.call = call};
    REQUIRE(&s, rules->sum, (uint64_t)first + count <= most, "firstBinding",
            "and bindingCount are %" PRIu64 " together, but maxVertexInputBindings is %u",
            (uint64_t)first + count, most);
    return s.skip;
}

bool core_validate_CmdBindVertexBuffers(struct call *call, VkCommandBuffer commandBuffer,
                                        uint32_t firstBinding, uint32_t bindingCount,
                                        const VkBuffer *pBuffers, const VkDeviceSize *pOffsets)
{
    static const struct vertex_buffer_rules rules = {VUID_vkCmdBindVertexBuffers_firstBinding_00624,
                                                     VUID_vkCmdBindVertexBuffers_firstBinding_00625,
                                                     VUID_vkCmdBindVertexBuffers_pOffsets_00626,
                                                     VUID_vkCmdBindVertexBuffers_pBuffers_00627,
                                                     VUID_vkCmdBindVertexBuffers_pBuffers_00628,
                                                     VUID_vkCmdBindVertexBuffers_pBuffers_04001,
                                                     VUID_vkCmdBindVertexBuffers_pBuffers_04002};
    bool skip = check_binding_range(call, firstBinding, bindingCount, &rules);
    for (uint32_t i = 0; i < bindingCount; i++)
        skip |= check_vertex_buffer(call, i, pBuffers[i], pOffsets[i], &rules, true);
    return skip;
}

bool core_validate_CmdBindVertexBuffers2(struct call *call, VkCommandBuffer commandBuffer,
                                         uint32_t firstBinding, uint32_t bindingCount,
                                         const VkBuffer *pBuffers, const VkDeviceSize *pOffsets,
                                         const VkDeviceSize *pSizes, const VkDeviceSize *pStrides)
{
    static const struct vertex_buffer_rules rules = {
        VUID_vkCmdBindVertexBuffers2_firstBinding_03355,
        VUID_vkCmdBindVertexBuffers2_firstBinding_03356,
        VUID_vkCmdBindVertexBuffers2_pOffsets_03357,
        VUID_vkCmdBindVertexBuffers2_pBuffers_03359,
        VUID_vkCmdBindVertexBuffers2_pBuffers_03360,
        VUID_vkCmdBindVertexBuffers2_pBuffers_04111,
        VUID_vkCmdBindVertexBuffers2_pBuffers_04112};
    uint32_t most = limits_of(call)->maxVertexInputBindingStride;
    struct subject s = {.call = call};
    if (unlikely(call->instance->api_version < VK_API_VERSION_1_3 &&
                 !has_feature(call, FEATURE_extendedDynamicState) &&
                 !has_feature(call, FEATURE_shaderObject)))
        BROKEN(&s, VUID_vkCmdBindVertexBuffers2_None_08971, NULL,
               "needs the extendedDynamicState or shaderObject feature, or an instance of "
               "Vulkan 1.3; none of them is enabled");
    s.skip |= check_binding_range(call, firstBinding, bindingCount, &rules);
    for (uint32_t i = 0; i < bindingCount; i++) {
        s.skip |= check_vertex_buffer(call, i, pBuffers[i], pOffsets[i], &rules, pSizes != NULL);
        const struct buffer *buffer = find_buffer(call, pBuffers[i]);
        /* check_vertex_buffer() reports an offset beyond the buffer. */
        if (pSizes && pSizes[i] != VK_WHOLE_SIZE && buffer && pOffsets[i] < buffer->size)
            REQUIRE_OF(&s, OBJECT(HANDLE_BUFFER, pBuffers[i]),
                       VUID_vkCmdBindVertexBuffers2_pSizes_03358,
                       pSizes[i] <= buffer->size - pOffsets[i], &LOCATION_INDEX(NULL, "pSizes", i),
                       "is %" PRIu64 ", but the buffer has %" PRIu64
                       " bytes from pOffsets[%u] (%" PRIu64 ") on",
                       pSizes[i], buffer->size - pOffsets[i], i, pOffsets[i]);
        if (pStrides)
            REQUIRE(&s, VUID_vkCmdBindVertexBuffers2_pStrides_03362, pStrides[i] <= most,
                    &LOCATION_INDEX(NULL, "pStrides", i),
                    "is %" PRIu64 ", but maxVertexInputBindingStride is %u", pStrides[i], most);
    }
    return s.skip;
}

/* --- index buffers --- */

/* Checks an index buffer, which may be VK_NULL_HANDLE with a feature. True: the call is to be
 * skipped. */
static bool check_index_buffer(const struct call *call, VkBuffer handle, VkDeviceSize offset,
                               VkIndexType type)
{
    const struct location *where = &LOCATION(NULL, "buffer");
    struct subject s = {.call = call};
    REQUIRE(&s, RULE_08786, type != VK_INDEX_TYPE_NONE_KHR, "indexType",
            "is VK_INDEX_TYPE_NONE_KHR");
    REQUIRE(&s, RULE_08787,
            type != VK_INDEX_TYPE_UINT8 || has_feature(call, FEATURE_indexTypeUint8), "indexType",
            "is VK_INDEX_TYPE_UINT8, which needs the indexTypeUint8 feature");
    if (unlikely(!handle)) {
        if (!has_feature(call, FEATURE_maintenance6)) {
            BROKEN(&s, RULE_09493, where,
                   "is VK_NULL_HANDLE, which needs the maintenance6 feature");
            return s.skip;
        }
        REQUIRE(&s, RULE_09494, offset == 0, "offset",
                "is %" PRIu64 ", but must be 0 for VK_NULL_HANDLE", offset);
        return s.skip;
    }
    const struct buffer *buffer = find_buffer(call, handle);
    if (unlikely(!buffer))
        return s.skip;
    REQUIRE_OF(&s, OBJECT(HANDLE_BUFFER, handle), RULE_08782, offset < buffer->size, "offset",
               "is %" PRIu64 ", but the buffer has %" PRIu64 " bytes", offset, buffer->size);
    uint32_t size = index_size(type);
    /* The buffer's own offset in memory counts, too; blocks of a sparse buffer have a much larger
     * alignment. */
    if (size)
        REQUIRE_OF(&s, OBJECT(HANDLE_BUFFER, handle), RULE_08783,
                   (buffer->binding.offset + offset) % size == 0, "offset",
                   "is %" PRIu64 ", which with the buffer's offset in its memory (%" PRIu64
                   ") is not a multiple of the index size, %u",
                   offset, buffer->binding.offset, size);
    REQUIRE_OF(&s, OBJECT(HANDLE_BUFFER, handle), RULE_08784,
               buffer->usage & VK_BUFFER_USAGE_2_INDEX_BUFFER_BIT, where,
               "was created without VK_BUFFER_USAGE_INDEX_BUFFER_BIT");
    REQUIRE_OF(&s, OBJECT(HANDLE_BUFFER, handle), RULE_08785, buffer_is_bound(buffer), where,
               "is not bound to memory");
    return s.skip;
}

bool core_validate_CmdBindIndexBuffer(struct call *call, VkCommandBuffer commandBuffer,
                                      VkBuffer buffer, VkDeviceSize offset, VkIndexType indexType)
{
    return check_index_buffer(call, buffer, offset, indexType);
}

bool core_validate_CmdBindIndexBuffer2(struct call *call, VkCommandBuffer commandBuffer,
                                       VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size,
                                       VkIndexType indexType)
{
    struct subject s = {.call = call};
    s.skip |= check_index_buffer(call, buffer, offset, indexType);
    const struct buffer *state = named_buffer(call, 0, buffer);
    uint32_t index = index_size(indexType);
    if (size == VK_WHOLE_SIZE)
        return s.skip;
    if (index)
        REQUIRE(&s, VUID_vkCmdBindIndexBuffer2_size_08767, size % index == 0, "size",
                "is %" PRIu64 ", which is not a multiple of the index size, %u", size, index);
    if (state && offset < state->size)
        REQUIRE_OF(&s, OBJECT(HANDLE_BUFFER, buffer), VUID_vkCmdBindIndexBuffer2_size_08768,
                   size <= state->size - offset, "size",
                   "is %" PRIu64 ", but the buffer has %" PRIu64 " bytes from offset %" PRIu64
                   " on",
                   size, state->size - offset, offset);
    return s.skip;
}

/* addressRange.address must be a multiple of the size of the type indicated by indexType */
bool core_validate_CmdBindIndexBuffer3KHR(struct call *call, VkCommandBuffer commandBuffer,
                                          const VkBindIndexBuffer3InfoKHR *pInfo)
{
    const uint32_t size = index_size(pInfo->indexType);
    const VkDeviceAddress address = pInfo->addressRange.address;
    const struct location range = LOCATION(&LOCATION_POINTER(NULL, "pInfo"), "addressRange");
    struct subject s = {.call = call, .where = &range};
    if (size)
        REQUIRE_OF(&s, OBJECT_AT(call, address), VUID_VkBindIndexBuffer3InfoKHR_addressRange_13052,
                   address % size == 0, "address",
                   "is %s, which is not a multiple of the %u bytes of %s", ADDRESS(call, address),
                   size, value_text(VALUES_VkIndexType, (uint64_t)pInfo->indexType).text);
    return s.skip;
}
