/* Checks that an entry point uses only what the device allows its stage: operations of subgroups,
 * cooperative matrices and vectors, tensors, stores, and payloads. (RuntimeSpirv) */
#include <string.h>

#include "core/shader/stage.h"
#include "report/names/names_of_values.h"

#include "report/finding/rule.h"

/* Something that only some stages may use: a property has the bits of these stages. Threads:
 * constant. */
struct stage_use {
    uint32_t uses;     /* enum spirv_uses */
    uint16_t vuid;     /* enum vuid */
    uint16_t head;     /* offset in struct device of the property's structure */
    uint16_t property; /* offset in struct device of the VkShaderStageFlags of the property */
    char what[40], name[36];
};
/* A row of the table, from the names of the property's structure and member. */
#define STAGE_USE(uses_, vuid_, Structure_, member_, what_) \
    {SPIRV_USES_##uses_,                                    \
     vuid_,                                                 \
     offsetof(struct device, extended.Structure_),          \
     offsetof(struct device, extended.Structure_.member_),  \
     what_,                                                 \
     #member_}

/* Group operations with subgroup scope must not be used if the shader stage is not in
 * subgroupSupportedStages; OpCooperativeMatrix* instructions must not be used in shader stages not
 * included in cooperativeMatrixSupportedStages; likewise the others. */
static const struct stage_use stage_uses[] = {
    STAGE_USE(GROUP_OPERATIONS, VUID_RuntimeSpirv_None_06343, SubgroupProperties, supportedStages,
              "group operations of subgroups"),
    STAGE_USE(COOPERATIVE_MATRIX, VUID_RuntimeSpirv_cooperativeMatrixSupportedStages_08985,
              CooperativeMatrixPropertiesKHR, cooperativeMatrixSupportedStages,
              "cooperative matrices"),
    STAGE_USE(COOPERATIVE_MATRIX_NV, VUID_RuntimeSpirv_OpTypeCooperativeMatrixNV_06322,
              CooperativeMatrixPropertiesNV, cooperativeMatrixSupportedStages,
              "cooperative matrices"),
    STAGE_USE(COOPERATIVE_VECTOR, VUID_RuntimeSpirv_cooperativeVectorSupportedStages_10091,
              CooperativeVectorPropertiesNV, cooperativeVectorSupportedStages,
              "cooperative vectors"),
    STAGE_USE(TENSOR, VUID_RuntimeSpirv_shaderTensorSupportedStages_09901, TensorPropertiesARM,
              shaderTensorSupportedStages, "tensors"),
};

/* Checks that the device supports the operations of the shader in this stage. */
static bool check_supported_stages(const struct call *call, const struct shader_stage *stage)
{
    struct subject s = {.call = call};
    for (size_t i = 0; i < ARRAY_LENGTH(stage_uses); i++) {
        const struct stage_use *use = &stage_uses[i];
        VkStructureType type;
        VkShaderStageFlags stages;
        memcpy(&type, (const char *)call->device + use->head, sizeof(type));
        memcpy(&stages, (const char *)call->device + use->property, sizeof(stages));
        if (stage->entry->uses & use->uses && type && !(stages & stage->stage))
            BROKEN_OF(&s, STAGE_OBJECT(stage), (enum vuid)use->vuid, stage->where,
                      "uses %s, but %s of this device is %s, without %s", use->what, use->name,
                      TEXT_OF(VkShaderStageFlags, stages), shader_stage_name(stage->stage));
    }
    const VkPhysicalDeviceSubgroupProperties *subgroup = &call->device->extended.SubgroupProperties;
    /* If subgroupQuadOperationsInAllStages is VK_FALSE, then quad subgroup operations must not be
     * used except for in fragment and compute stages */
    if (stage->entry->uses & SPIRV_USES_QUAD_OPERATIONS && !s.wrong && subgroup->sType &&
        !subgroup->quadOperationsInAllStages &&
        !(stage->stage & (VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT)))
        BROKEN_OF(&s, STAGE_OBJECT(stage), VUID_RuntimeSpirv_None_06342, stage->where,
                  "uses group operations of quads, but quadOperationsInAllStages of this device is "
                  "VK_FALSE");
    return s.skip;
}

/* Checks a mode that needs more than its feature: the stage must be one that supports subgroups. */
static bool check_uniform_flow(const struct call *call, const struct shader_stage *stage)
{
    const VkPhysicalDeviceSubgroupProperties *subgroup = &call->device->extended.SubgroupProperties;
    struct subject s = {.call = call};
    if (!spirv_mode_find(stage->reflection, stage->entry,
                         SpvExecutionModeSubgroupUniformControlFlowKHR))
        return false;
    /* The Execution Mode SubgroupUniformControlFlowKHR must not be applied to an entry point unless
     * the shaderSubgroupUniformControlFlow feature is enabled, the corresponding shader stage bit
     * is set in subgroupSupportedStages, ... */
    REQUIRE_OF(&s, STAGE_OBJECT(stage), VUID_RuntimeSpirv_SubgroupUniformControlFlowKHR_06379,
               subject_has(&s, FEATURE_shaderSubgroupUniformControlFlow), stage->where,
               "has the execution mode SubgroupUniformControlFlowKHR, which needs the "
               "shaderSubgroupUniformControlFlow feature");
    if (!s.wrong && subgroup->sType && !(subgroup->supportedStages & stage->stage))
        BROKEN_OF(&s, STAGE_OBJECT(stage), VUID_RuntimeSpirv_SubgroupUniformControlFlowKHR_06379,
                  stage->where,
                  "has the execution mode SubgroupUniformControlFlowKHR, but supportedStages of "
                  "VkPhysicalDeviceSubgroupProperties is %s, without %s",
                  TEXT_OF(VkShaderStageFlags, subgroup->supportedStages),
                  shader_stage_name(stage->stage));
    return s.skip;
}

/* --- stores ----------------------------------------------------------------------------------- */

/* True for resources that a shader may write. */
static bool is_storage(const struct spirv_binding *binding)
{
    return binding->resource == SPIRV_RESOURCE_STORAGE_IMAGE ||
           binding->resource == SPIRV_RESOURCE_STORAGE_TEXEL_BUFFER ||
           binding->resource == SPIRV_RESOURCE_STORAGE_BUFFER ||
           binding->resource == SPIRV_RESOURCE_TENSOR;
}

/* If the fragmentStoresAndAtomics (vertexPipelineStoresAndAtomics) feature is not enabled, then all
 * storage image, storage texel buffer, storage tensor, and storage buffer variables in the fragment
 * stage (vertex, tessellation, and geometry stages) must be decorated with the NonWritable
 * decoration */
static bool check_stores(const struct call *call, const struct shader_stage *stage)
{
    const bool fragment = stage->stage == VK_SHADER_STAGE_FRAGMENT_BIT;
    const VkShaderStageFlags vertex_pipeline =
        VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT |
        VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT | VK_SHADER_STAGE_GEOMETRY_BIT;
    struct subject s = {.call = call};
    if ((!fragment && !(stage->stage & vertex_pipeline)) ||
        subject_has(&s, fragment ? FEATURE_fragmentStoresAndAtomics
                                 : FEATURE_vertexPipelineStoresAndAtomics))
        return false;
    for (uint32_t i = 0; i < stage->entry->binding_count; i++) {
        const struct spirv_binding *binding =
            &stage->reflection->bindings[stage->entry->first_binding + i];
        if (!is_storage(binding) || binding->flags & SPIRV_NON_WRITABLE)
            continue;
        BROKEN_OF(&s, STAGE_OBJECT(stage),
                  fragment ? VUID_RuntimeSpirv_NonWritable_06340
                           : VUID_RuntimeSpirv_NonWritable_06341,
                  stage->where,
                  "uses the %s %s at set %u, binding %u, which is not decorated with NonWritable; "
                  "the %s feature is not enabled",
                  spirv_resource_name(binding->resource), shader_text(stage, binding->name),
                  binding->set, binding->binding,
                  fragment ? "fragmentStoresAndAtomics" : "vertexPipelineStoresAndAtomics");
        break;
    }
    return s.skip;
}

/* --- memory of workgroups --------------------------------------------------------------------- */

/* Checks a number of bytes against a limit. */
static bool check_sum(const struct call *call, const struct shader_stage *stage, enum vuid vuid,
                      uint64_t bytes, uint32_t most, const char *what, const char *limit)
{
    return bytes > most && BROKEN_BY(call, vuid, stage->where, STAGE_OBJECT(stage),
                                     "has %llu bytes of %s, more than %u (%s)",
                                     (unsigned long long)bytes, what, most, limit);
}

/* The sum of size in bytes for variables in the TaskPayloadWorkgroupEXT, or Workgroup, Storage
 * Class must be less than or equal to ... Shared memory by itself has a limit of its own. */
static bool check_payload(const struct call *call, const struct shader_stage *stage)
{
    const VkPhysicalDeviceMeshShaderPropertiesEXT *mesh =
        &call->device->extended.MeshShaderPropertiesEXT;
    const uint32_t model = stage->entry->model;
    if (!mesh->sType || (model != SpvExecutionModelMeshEXT && model != SpvExecutionModelTaskEXT))
        return false;
    const uint64_t payload = spirv_shared_bytes(stage->reflection, stage->entry,
                                                SpvStorageClassTaskPayloadWorkgroupEXT,
                                                &stage->specialization),
                   both = payload + stage_shared_bytes(stage);
    if (model == SpvExecutionModelMeshEXT)
        return check_sum(call, stage, VUID_RuntimeSpirv_maxMeshPayloadAndSharedMemorySize_08755,
                         both, mesh->maxMeshPayloadAndSharedMemorySize,
                         "TaskPayloadWorkgroupEXT and Workgroup variables",
                         "maxMeshPayloadAndSharedMemorySize");
    return check_sum(call, stage, VUID_RuntimeSpirv_maxTaskPayloadSize_08758, payload,
                     mesh->maxTaskPayloadSize, "TaskPayloadWorkgroupEXT variables",
                     "maxTaskPayloadSize") |
           check_sum(call, stage, VUID_RuntimeSpirv_maxTaskPayloadAndSharedMemorySize_08760, both,
                     mesh->maxTaskPayloadAndSharedMemorySize,
                     "TaskPayloadWorkgroupEXT and Workgroup variables",
                     "maxTaskPayloadAndSharedMemorySize");
}

/* If the module uses OpControlBarrierArriveEXT or OpControlBarrierWaitEXT, the sum of size in bytes
 * for variables in the Workgroup Storage Class in the GLCompute Execution Model must be less than
 * or equal to maxComputeSharedMemorySize minus splitBarrierReservedSharedMemory */
static bool check_split_barriers(const struct call *call, const struct shader_stage *stage)
{
    const VkPhysicalDeviceShaderSplitBarrierPropertiesEXT *split =
        &call->device->extended.ShaderSplitBarrierPropertiesEXT;
    const uint32_t most = call->device->properties.limits.maxComputeSharedMemorySize;
    const uint64_t shared = stage_shared_bytes(stage);
    if (!(stage->entry->uses & SPIRV_USES_SPLIT_BARRIER) || !split->sType ||
        stage->stage != VK_SHADER_STAGE_COMPUTE_BIT || shared > most ||
        split->splitBarrierReservedSharedMemory > most)
        return false;
    return check_sum(call, stage, VUID_RuntimeSpirv_OpControlBarrierArriveEXT_13562, shared,
                     most - split->splitBarrierReservedSharedMemory,
                     "Workgroup variables beside split barriers",
                     "maxComputeSharedMemorySize minus splitBarrierReservedSharedMemory");
}

/* True if the pipeline can change a dimension of the workgroup. Where it cannot, SPIRV-Tools knows
 * the size. */
static bool is_size_specialized(const struct shader_stage *stage)
{
    const struct spirv_reflection *reflection = stage->reflection;
    const struct spirv_execution_mode *mode =
        spirv_mode_find(reflection, stage->entry, SpvExecutionModeLocalSizeId);
    const uint32_t *ids = reflection->workgroup_size_id[0]   ? reflection->workgroup_size_id
                          : mode && mode->operand_count == 3 ? mode->operands
                                                             : NULL;
    for (uint32_t i = 0; ids && i < 3; i++) {
        const struct spirv_constant *constant = spirv_constant_find(reflection, ids[i]);
        if (constant && constant->spec_id != SPIRV_NONE)
            return true;
    }
    return false;
}

/* For compute shaders using the DerivativeGroupQuadsKHR (DerivativeGroupLinearKHR) execution mode,
 * the first two dimensions of the local workgroup size must be a multiple of two (the product of
 * the dimensions of the local workgroup size must be a multiple of four) */
static bool check_derivative_group(const struct call *call, const struct shader_stage *stage)
{
    const bool khr = call_has_extension(call, EXTENSION_VK_KHR_compute_shader_derivatives),
               quads = spirv_mode_find(stage->reflection, stage->entry,
                                       SpvExecutionModeDerivativeGroupQuadsKHR);
    uint32_t size[3];
    if ((!khr && stage->entry->model != SpvExecutionModelGLCompute) ||
        (!quads && !spirv_mode_find(stage->reflection, stage->entry,
                                    SpvExecutionModeDerivativeGroupLinearKHR)) ||
        !is_size_specialized(stage) ||
        !spirv_workgroup_size(stage->reflection, stage->entry, &stage->specialization, size) ||
        (quads ? !(size[0] % 2 || size[1] % 2) : !(size[0] * size[1] * size[2] % 4)))
        return false;
    return BROKEN_BY(call,
                     quads ? khr ? VUID_StandaloneSpirv_DerivativeGroupQuadsKHR_10151
                                 : VUID_StandaloneSpirv_DerivativeGroupQuadsNV_04684
                     : khr ? VUID_StandaloneSpirv_DerivativeGroupLinearKHR_10152
                           : VUID_StandaloneSpirv_DerivativeGroupLinearNV_04778,
                     stage->where, STAGE_OBJECT(stage),
                     "has a local workgroup of %ux%ux%u, but the execution mode DerivativeGroup%s "
                     "needs %s",
                     size[0], size[1], size[2], quads ? "Quads" : "Linear",
                     quads ? "even numbers in the first two dimensions"
                           : "a multiple of four invocations");
}

bool stage_uses_matrices_of(const struct shader_stage *stage, uint32_t scope)
{
    const struct spirv_reflection *reflection = stage->reflection;
    if (!(stage->entry->uses & SPIRV_USES_COOPERATIVE_MATRIX))
        return false;
    for (uint32_t i = 0; i < reflection->type_count; i++) {
        uint64_t value;
        if (reflection->types[i].opcode == SpvOpTypeCooperativeMatrixKHR &&
            spirv_constant_value(reflection, reflection->types[i].length_id, &stage->specialization,
                                 &value) &&
            value == scope)
            return true;
    }
    return false;
}

/* If the module uses OpTypeCooperativeMatrixKHR with Scope equal to Workgroup, the sum of size in
 * bytes for variables and padding in the Workgroup Storage Class in the GLCompute Execution Model
 * must be less than or equal to maxComputeSharedMemorySize minus
 * cooperativeMatrixWorkgroupScopeReservedSharedMemory */
static bool check_matrices_of_workgroups(const struct call *call, const struct shader_stage *stage)
{
    const VkPhysicalDeviceCooperativeMatrix2PropertiesNV *matrices =
        &call->device->extended.CooperativeMatrix2PropertiesNV;
    const uint32_t most = call->device->properties.limits.maxComputeSharedMemorySize,
                   reserved = matrices->cooperativeMatrixWorkgroupScopeReservedSharedMemory;
    const uint64_t shared = stage_shared_bytes(stage);
    if (!matrices->sType || stage->stage != VK_SHADER_STAGE_COMPUTE_BIT || reserved > most ||
        shared > most || !stage_uses_matrices_of(stage, SpvScopeWorkgroup))
        return false;
    return check_sum(call, stage, VUID_RuntimeSpirv_maxComputeSharedMemorySize_10168, shared,
                     most - reserved,
                     "Workgroup variables beside cooperative matrices of the workgroup",
                     "maxComputeSharedMemorySize minus "
                     "cooperativeMatrixWorkgroupScopeReservedSharedMemory");
}

bool check_stage_uses(const struct call *call, const struct shader_stage *stage)
{
    assert(stage->entry);
    return check_payload(call, stage) | check_split_barriers(call, stage) |
           check_matrices_of_workgroups(call, stage) | check_derivative_group(call, stage);
}

bool check_entry_uses(const struct call *call, const struct shader_stage *stage)
{
    assert(stage->entry);
    return check_supported_stages(call, stage) | check_uniform_flow(call, stage) |
           check_stores(call, stage);
}

bool check_stage_indexing(const struct call *call, const struct shader_stage *stage, bool wide)
{
    /* OpArrayLength and OpUntypedArrayLengthKHR result type must be a 32-bit integer type if the
     * pipeline or shader was not compiled with the 64_BIT_INDEXING flags and the entry point does
     * not set the Shader64BitIndexingEXT execution mode; likewise offsets of cooperative vectors,
     * and OpConstantSizeOfEXT */
    static const struct {
        uint32_t uses; /* enum spirv_uses */
        enum vuid vuid;
        const char *what;
    } rules[] = {
        {SPIRV_USES_WIDE_LENGTH, VUID_RuntimeSpirv_OpArrayLength_11807, "lengths of arrays"},
        {SPIRV_USES_WIDE_PRODUCT, VUID_RuntimeSpirv_OpCooperativeVectorMatrixMulAddNV_11808,
         "offsets of a matrix or bias"},
        {SPIRV_USES_WIDE_VECTOR, VUID_RuntimeSpirv_OpCooperativeVectorLoadNV_11809,
         "offsets of cooperative vectors"},
        {SPIRV_USES_WIDE_SIZE, VUID_RuntimeSpirv_OpConstantSizeOfEXT_11475, "sizes of descriptors"},
    };
    struct subject s = {.call = call, .objects = STAGE_OBJECT(stage)};
    if (wide ||
        spirv_mode_find(stage->reflection, stage->entry, SpvExecutionModeShader64BitIndexingEXT))
        return false;
    for (size_t i = 0; i < ARRAY_LENGTH(rules); i++)
        REQUIRE(&s, rules[i].vuid, !(stage->entry->uses & rules[i].uses), stage->where,
                "has %s of 64 bits, but the %s is not created with the flag "
                "64_BIT_INDEXING_BIT_EXT, "
                "and the entry point does not have the execution mode Shader64BitIndexingEXT",
                rules[i].what, stage->object ? "shader" : "pipeline");
    return s.skip;
}

/* Checks a stage that enables or disables micromaps against the pipeline's flags. */
static bool check_micromaps(const struct call *call, const struct shader_stage *stage,
                            VkPipelineCreateFlags2 flags)
{
    const struct spirv_execution_mode *mode =
        spirv_mode_find(stage->reflection, stage->entry, SpvExecutionModeOpacityMicromapIdKHR);
    uint64_t value;
    /* If the OpacityMicromapIdKHR execution mode is specified with its specialization constant
     * operand equal to VK_TRUE, the pipeline must not have been created with
     * VK_PIPELINE_CREATE_2_DISALLOW_OPACITY_MICROMAP_BIT_ARM */
    return flags & VK_PIPELINE_CREATE_2_DISALLOW_OPACITY_MICROMAP_BIT_ARM && mode && mode->ids &&
           mode->operand_count &&
           spirv_constant_value(stage->reflection, mode->operands[0], &stage->specialization,
                                &value) &&
           value &&
           BROKEN_BY(call, VUID_RuntimeSpirv_micromap_11630, stage->where, STAGE_OBJECT(stage),
                     "has the execution mode OpacityMicromapIdKHR, but the pipeline has the flag "
                     "VK_PIPELINE_CREATE_2_DISALLOW_OPACITY_MICROMAP_BIT_ARM");
}

bool check_stage_flags(const struct call *call, const struct shader_stage *stage,
                       VkPipelineCreateFlags2 flags)
{
    /* For OpTraceRayMotionNV instructions the pipeline must have been created with
     * VK_PIPELINE_CREATE_RAY_TRACING_ALLOW_MOTION_BIT_NV set. The next rules are alike. */
    static const struct {
        uint32_t uses; /* enum spirv_uses */
        enum vuid vuid;
        const char *name;
    } rules[] = {
        {SPIRV_USES_TRACE_MOTION, VUID_RuntimeSpirv_OpTraceRayMotionNV_06367, "OpTraceRayMotionNV"},
        {SPIRV_USES_HIT_MOTION_NV, VUID_RuntimeSpirv_OpHitObjectTraceRayMotionNV_07711,
         "OpHitObjectTraceRayMotionNV"},
        {SPIRV_USES_HIT_MOTION, VUID_RuntimeSpirv_OpHitObjectTraceRayMotionEXT_11877,
         "OpHitObjectTraceRayMotionEXT or OpHitObjectTraceMotionReorderExecuteEXT"},
    };
    struct subject s = {.call = call, .objects = STAGE_OBJECT(stage)};
    for (size_t i = 0; i < ARRAY_LENGTH(rules); i++)
        REQUIRE(&s, rules[i].vuid,
                flags & VK_PIPELINE_CREATE_2_RAY_TRACING_ALLOW_MOTION_BIT_NV ||
                    !(stage->entry->uses & rules[i].uses),
                stage->where,
                "uses %s, but the pipeline is not created with "
                "VK_PIPELINE_CREATE_RAY_TRACING_ALLOW_MOTION_BIT_NV",
                rules[i].name);
    return s.skip | check_micromaps(call, stage, flags);
}

bool check_stage_full_subgroups(const struct call *call, const struct shader_stage *stage,
                                bool required)
{
    /* Any pipeline (shader object) containing a shader with OpTypeCooperativeMatrixKHR or
     * OpCooperativeMatrix*KHR instructions must be created with the REQUIRE_FULL_SUBGROUPS flag or
     * the shader module must be version 1.6 or greater */
    return stage->entry->uses & SPIRV_USES_COOPERATIVE_MATRIX && !required &&
           stage->reflection->version < 0x10600 &&
           BROKEN_BY(call,
                     stage->object ? VUID_RuntimeSpirv_OpTypeCooperativeMatrixKHR_10771
                                   : VUID_RuntimeSpirv_OpTypeCooperativeMatrixKHR_10770,
                     &LOCATION(stage->where, "flags"), STAGE_OBJECT(stage),
                     "does not ask for full subgroups, but the shader uses cooperative matrices "
                     "and "
                     "is of SPIR-V %u.%u",
                     stage->reflection->version >> 16, stage->reflection->version >> 8 & 0xff);
}
