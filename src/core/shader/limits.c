/* Checks that an entry point does not exceed the limits of the device: workgroups, shared memory,
 * vertices, locations, clip distances. (RuntimeSpirv, and the limits of stages) */
#include <inttypes.h>
#include <string.h>

#include "core/shader/stage.h"

#include "report/finding/rule.h"

/* The limits of the workgroups of a stage. Threads: constant. */
struct workgroup_rules {
    uint16_t size[3], total, shared; /* enum vuid */
    /* Offsets of limits in struct device: the three sizes, their product, and the bytes of shared
     * memory. */
    uint16_t most_size, most_total, most_shared;
    /* names of the limits, for the message */
    char size_limit[32], total_limit[32], shared_limit[32];
};
/* The limits of a stage, as offsets of members in a structure of properties, and their names. */
#define WORKGROUP_LIMITS(properties_, Stage_)                                             \
    .most_size = offsetof(struct device, properties_.max##Stage_##WorkGroupSize),         \
    .most_total = offsetof(struct device, properties_.max##Stage_##WorkGroupInvocations), \
    .most_shared = offsetof(struct device, properties_.max##Stage_##SharedMemorySize),    \
    .size_limit = "max" #Stage_ "WorkGroupSize",                                          \
    .total_limit = "max" #Stage_ "WorkGroupInvocations",                                  \
    .shared_limit = "max" #Stage_ "SharedMemorySize"

/* The size must be less than or equal to maxComputeWorkGroupSize[0], [1], [2], the product to
 * maxComputeWorkGroupInvocations, and the sum of size in bytes for variables in the Workgroup
 * Storage Class to maxComputeSharedMemorySize; likewise for task and mesh shaders. */
static const struct workgroup_rules compute_rules = {
    {VUID_RuntimeSpirv_x_06429, VUID_RuntimeSpirv_y_06430, VUID_RuntimeSpirv_z_06431},
    VUID_RuntimeSpirv_x_06432,
    VUID_RuntimeSpirv_Workgroup_06530,
    WORKGROUP_LIMITS(properties.limits, Compute)};
static const struct workgroup_rules task_rules = {
    {VUID_RuntimeSpirv_TaskEXT_07291, VUID_RuntimeSpirv_TaskEXT_07292,
     VUID_RuntimeSpirv_TaskEXT_07293},
    VUID_RuntimeSpirv_TaskEXT_07294,
    VUID_RuntimeSpirv_maxTaskSharedMemorySize_08759,
    WORKGROUP_LIMITS(extended.MeshShaderPropertiesEXT, Task)};
static const struct workgroup_rules mesh_rules = {
    {VUID_RuntimeSpirv_MeshEXT_07295, VUID_RuntimeSpirv_MeshEXT_07296,
     VUID_RuntimeSpirv_MeshEXT_07297},
    VUID_RuntimeSpirv_MeshEXT_07298,
    VUID_RuntimeSpirv_maxMeshSharedMemorySize_08754,
    WORKGROUP_LIMITS(extended.MeshShaderPropertiesEXT, Mesh)};

/* Reads a 32-bit limit at an offset in the device. */
static uint32_t limit_at(const struct device *device, uint32_t offset)
{
    assert(offset % sizeof(uint32_t) == 0 && offset < sizeof(*device));
    uint32_t limit;
    memcpy(&limit, (const char *)device + offset, sizeof(limit));
    return limit;
}

/* Checks the size of a local workgroup, in invocations. A size that is not known is not checked. */
static bool check_workgroup_size(const struct call *call, const struct shader_stage *stage,
                                 const struct workgroup_rules *rules)
{
    assert(stage->entry && rules);
    static const char axis[] = {'X', 'Y', 'Z'};
    uint32_t size[3], most[3];
    struct subject s = {.call = call};
    if (!spirv_workgroup_size(stage->reflection, stage->entry, &stage->specialization, size))
        return false;
    memcpy(most, (const char *)call->device + rules->most_size, sizeof(most));
    const uint32_t most_total = limit_at(call->device, rules->most_total);
    uint64_t total = 1;
    for (uint32_t i = 0; i < 3; i++) {
        total = total > UINT32_MAX ? total : total * size[i];
        if (size[i] > most[i])
            BROKEN_OF(&s, STAGE_OBJECT(stage), (enum vuid)rules->size[i], stage->where,
                      "has a local workgroup of %u invocations in %c, more than %u (%s[%u])",
                      size[i], axis[i], most[i], rules->size_limit, i);
    }
    if (total > most_total)
        BROKEN_OF(&s, STAGE_OBJECT(stage), (enum vuid)rules->total, stage->where,
                  "has a local workgroup of %ux%ux%u invocations, together more than %u (%s)",
                  size[0], size[1], size[2], most_total, rules->total_limit);
    return s.skip;
}

/* Checks the workgroup size and the shared memory of a stage that runs in workgroups. */
static bool check_workgroup(const struct call *call, const struct shader_stage *stage,
                            const struct workgroup_rules *rules)
{
    const uint32_t most = limit_at(call->device, rules->most_shared);
    const uint64_t shared = stage_shared_bytes(stage);
    bool skip = check_workgroup_size(call, stage, rules);
    if (shared <= most)
        return skip;
    return skip | BROKEN_BY(call, (enum vuid)rules->shared, stage->where, STAGE_OBJECT(stage),
                            "has %" PRIu64 " bytes of Workgroup variables, more than %u (%s)",
                            shared, most, rules->shared_limit);
}

/* If Execution Mode LocalSizeId is used, maintenance4 must be enabled */
static bool check_local_size_id(const struct call *call, const struct shader_stage *stage)
{
    if (device_has_feature(call->device, FEATURE_maintenance4) ||
        !spirv_mode_find(stage->reflection, stage->entry, SpvExecutionModeLocalSizeId))
        return false;
    return BROKEN_BY(call, VUID_RuntimeSpirv_LocalSizeId_06434, stage->where, STAGE_OBJECT(stage),
                     "has the execution mode LocalSizeId, and the maintenance4 feature "
                     "is not enabled");
}

/* Checks the operand of an execution mode. An entry point without the mode is checked by other
 * rules. */
static bool check_mode_limit(const struct call *call, const struct shader_stage *stage,
                             enum vuid vuid, uint32_t mode, const char *name, uint32_t least,
                             uint32_t most, const char *limit)
{
    const struct spirv_execution_mode *found =
        spirv_mode_find(stage->reflection, stage->entry, mode);
    if (!found || !found->operand_count ||
        (found->operands[0] >= least && found->operands[0] <= most))
        return false;
    return BROKEN_BY(call, vuid, stage->where, STAGE_OBJECT(stage),
                     "has the execution mode %s %u, which must be %u to %u (%s)", name,
                     found->operands[0], least, most, limit);
}

/* Checks the output vertices and the invocations of a geometry shader by the limits. */
static bool check_geometry(const struct call *call, const struct shader_stage *stage)
{
    const VkPhysicalDeviceLimits *limits = &call->device->properties.limits;
    enum vuid vertices =
        rule_vuid(call->command,
                  stage_rule(stage, RULE_00714, VUID_VkShaderCreateInfoEXT_pCode_08454));
    /* the entry point must have an OpExecutionMode instruction specifying a maximum output vertex
     * count that is greater than 0 and at most maxGeometryOutputVertices */
    struct subject s = {.call = call};
    s.skip |=
        check_mode_limit(call, stage, vertices, SpvExecutionModeOutputVertices, "OutputVertices", 1,
                         limits->maxGeometryOutputVertices, "maxGeometryOutputVertices");
    if (!spirv_mode_find(stage->reflection, stage->entry, SpvExecutionModeOutputVertices))
        BROKEN_OF(&s, STAGE_OBJECT(stage), vertices, stage->where,
                  "is a geometry shader without the execution mode OutputVertices");
    /* an invocation count that is greater than 0 and less than or equal to
     * maxGeometryShaderInvocations */
    return s.skip | check_mode_limit(call, stage,
                                     rule_vuid(call->command,
                                               stage_rule(stage, RULE_00715,
                                                          VUID_VkShaderCreateInfoEXT_pCode_08455)),
                                     SpvExecutionModeInvocations, "Invocations", 1,
                                     limits->maxGeometryShaderInvocations,
                                     "maxGeometryShaderInvocations");
}

/* Checks the limits that apply to this stage only. */
static bool check_by_stage(const struct call *call, const struct shader_stage *stage)
{
    switch (stage->stage) {
    case VK_SHADER_STAGE_COMPUTE_BIT:
        return check_workgroup(call, stage, &compute_rules);
    case VK_SHADER_STAGE_TASK_BIT_EXT:
        return stage->entry->model == SpvExecutionModelTaskEXT &&
               call->device->extended.MeshShaderPropertiesEXT.sType &&
               check_workgroup(call, stage, &task_rules);
    case VK_SHADER_STAGE_MESH_BIT_EXT:
        return stage->entry->model == SpvExecutionModelMeshEXT &&
               call->device->extended.MeshShaderPropertiesEXT.sType &&
               check_workgroup(call, stage, &mesh_rules);
    case VK_SHADER_STAGE_GEOMETRY_BIT:
        return check_geometry(call, stage);
    case VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT:
    case VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT:
        /* the patch size must be greater than 0 and less than or equal to maxTessellationPatchSize
         */
        return check_mode_limit(call, stage,
                                rule_vuid(call->command,
                                          stage_rule(stage, RULE_00713,
                                                     VUID_VkShaderCreateInfoEXT_pCode_08453)),
                                SpvExecutionModeOutputVertices, "OutputVertices", 1,
                                call->device->properties.limits.maxTessellationPatchSize,
                                "maxTessellationPatchSize");
    default:
        return false;
    }
}

bool check_stage_limits(const struct call *call, const struct shader_stage *stage)
{
    assert(stage->entry);
    return check_by_stage(call, stage);
}

/* The number of locations that the table "Shader Input and Output Locations" has for this leaf.
 * UINT32_MAX if the table has no limit for it. */
static uint32_t locations_available(const struct call *call, const struct shader_stage *stage,
                                    const struct spirv_interface *leaf)
{
    const VkPhysicalDeviceLimits *limits = &call->device->properties.limits;
    bool input = leaf->storage == SpvStorageClassInput;
    switch (stage->stage) {
    case VK_SHADER_STAGE_VERTEX_BIT:
        return input ? limits->maxVertexInputAttributes : limits->maxVertexOutputComponents / 4;
    case VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT:
        if (leaf->flags & SPIRV_PATCH)
            return limits->maxTessellationControlPerPatchOutputComponents / 4;
        return (input ? limits->maxTessellationControlPerVertexInputComponents
                      : limits->maxTessellationControlPerVertexOutputComponents) /
               4;
    case VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT:
        if (leaf->flags & SPIRV_PATCH)
            return limits->maxTessellationControlPerPatchOutputComponents / 4;
        return (input ? limits->maxTessellationEvaluationInputComponents
                      : limits->maxTessellationEvaluationOutputComponents) /
               4;
    case VK_SHADER_STAGE_GEOMETRY_BIT:
        return (input ? limits->maxGeometryInputComponents : limits->maxGeometryOutputComponents) /
               4;
    case VK_SHADER_STAGE_FRAGMENT_BIT:
        return input ? limits->maxFragmentInputComponents / 4
                     : limits->maxFragmentOutputAttachments;
    default:
        return UINT32_MAX;
    }
}

/* Checks that the locations of a variable exist in its stage. Built-ins do not have a location. */
static bool check_locations(const struct call *call, const struct shader_stage *stage,
                            const struct spirv_interface *leaf)
{
    if (leaf->location == SPIRV_NONE || leaf->builtin != SPIRV_NONE)
        return false;
    uint32_t available = locations_available(call, stage, leaf);
    uint64_t end = (uint64_t)leaf->location + leaf->location_count;
    /* The sum of Location and the number of locations the variable it decorates consumes must be
     * less than or equal to the value for the matching Execution Model */
    if (available == UINT32_MAX || end <= available)
        return false;
    /* Drivers have arrays with an element for each location. */
    return call_stop(call,
                     BROKEN_BY(call, VUID_RuntimeSpirv_Location_06272, stage->where,
                               STAGE_OBJECT(stage),
                               "has the %s variable %s at locations %u to %" PRIu64
                               ", but only locations below %u are there",
                               leaf->storage == SpvStorageClassInput ? "input" : "output",
                               shader_text(stage, leaf->name), leaf->location, end - 1, available));
}

/* The rules for clip and cull distances of one storage class. */
static bool check_distances(const struct call *call, const struct shader_stage *stage,
                            uint8_t storage)
{
    assert(storage == SpvStorageClassInput || storage == SpvStorageClassOutput);
    const VkPhysicalDeviceLimits *limits = &call->device->properties.limits;
    static const struct {
        uint32_t builtin;
        uint16_t most;       /* offset of the limit in struct device */
        uint16_t size, used; /* enum vuid */
        char name[16], limit[20];
    } kinds[] = {
        {SpvBuiltInClipDistance, offsetof(struct device, properties.limits.maxClipDistances),
         VUID_RuntimeSpirv_maxClipDistances_00708, VUID_RuntimeSpirv_maxClipDistances_08448,
         "ClipDistance", "maxClipDistances"},
        {SpvBuiltInCullDistance, offsetof(struct device, properties.limits.maxCullDistances),
         VUID_RuntimeSpirv_maxCullDistances_00709, VUID_RuntimeSpirv_maxCullDistances_08449,
         "CullDistance", "maxCullDistances"},
    };
    uint32_t sizes[2] = {0};
    struct subject s = {.call = call};
    for (uint32_t i = 0; i < stage->entry->interface_count; i++) {
        const struct spirv_interface *leaf =
            &stage->reflection->interfaces[stage->entry->first_interface + i];
        for (uint32_t k = 0; k < 2; k++) {
            if (leaf->builtin != kinds[k].builtin || leaf->storage != storage)
                continue;
            const uint32_t most = limit_at(call->device, kinds[k].most);
            sizes[k] = leaf->elements;
            /* If maxClipDistances is not zero, then ClipDistance must not have an array size
             * greater than maxClipDistances */
            if (most && leaf->elements > most)
                BROKEN_OF(&s, STAGE_OBJECT(stage), kinds[k].size, stage->where,
                          "has %u elements of %s, more than %u (%s)", leaf->elements, kinds[k].name,
                          most, kinds[k].limit);
            /* If maxClipDistances is zero, then ClipDistance must not be statically accessed */
            if (!most && leaf->access & SPIRV_ACCESS_USED)
                BROKEN_OF(&s, STAGE_OBJECT(stage), kinds[k].used, stage->where,
                          "uses %s, but %s is 0", kinds[k].name, kinds[k].limit);
        }
    }
    /* If maxCombinedClipAndCullDistances is not zero, the array sizes must not sum to more than it
     */
    if (limits->maxCombinedClipAndCullDistances &&
        (uint64_t)sizes[0] + sizes[1] > limits->maxCombinedClipAndCullDistances)
        BROKEN_OF(&s, STAGE_OBJECT(stage), VUID_RuntimeSpirv_maxCombinedClipAndCullDistances_00710,
                  stage->where,
                  "has %u elements of ClipDistance and %u of CullDistance, together more "
                  "than %u (maxCombinedClipAndCullDistances)",
                  sizes[0], sizes[1], limits->maxCombinedClipAndCullDistances);
    return s.skip;
}

bool check_stage_interface_limits(const struct call *call, const struct shader_stage *stage)
{
    assert(stage->entry);
    const VkPhysicalDeviceLimits *limits = &call->device->properties.limits;
    struct subject s = {.call = call};
    for (uint32_t i = 0; i < stage->entry->interface_count; i++) {
        const struct spirv_interface *leaf = shader_leaf(stage, i);
        /* a variable declared with the SampleMask BuiltIn must not have an array size greater than
         * maxSampleMaskWords */
        if (leaf->builtin == SpvBuiltInSampleMask && leaf->elements > limits->maxSampleMaskWords)
            BROKEN_OF(&s, STAGE_OBJECT(stage),
                      stage_rule(stage, RULE_00711, VUID_VkShaderCreateInfoEXT_pCode_08451),
                      stage->where,
                      "has %u elements of SampleMask, more than %u (maxSampleMaskWords)",
                      leaf->elements, limits->maxSampleMaskWords);
    }
    return s.skip;
}

bool check_entry_limits(const struct call *call, const struct shader_stage *stage)
{
    assert(stage->entry);
    bool skip = check_local_size_id(call, stage);
    skip |= check_distances(call, stage, SpvStorageClassInput);
    skip |= check_distances(call, stage, SpvStorageClassOutput);
    for (uint32_t i = 0; i < stage->entry->interface_count; i++)
        skip |= check_locations(call, stage, shader_leaf(stage, i));
    return skip;
}
