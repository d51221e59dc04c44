/* Checks that the device can take some SPIR-V code (11 "Shaders", appendix "Vulkan Environment for
 * SPIR-V"). The code is of shader modules, of stages that chain their code, and of shader
 * objects. */
#include <spirv/unified1/spirv.h>

#include "core/hooks.h"
#include "core/spirv_requirements.h"
#include "core/shader/spirv_validator.h"
#include "state/object/object_state.h"
#include "spirv/module/module.h"
#include "spirv/module/reflect.h"
#include "state/pipeline/graphics_info.h"
#include "vk/chain.h"

#include "report/finding/rule.h"

/* The valid usage ids for code. VkShaderModuleCreateInfo and VkShaderCreateInfoEXT have the same
 * rules under different ids. */
struct code_rules {
    enum vuid form, rules, shader, capability, capability_needs, extension, extension_needs;
};
/* The ids of one of the two structures. */
#define CODE_RULES(struct_)                               \
    {                                                     \
        .form = VUID_##struct_##_pCode_08736,             \
        .rules = VUID_##struct_##_pCode_08737,            \
        .shader = VUID_##struct_##_pCode_08738,           \
        .capability = VUID_##struct_##_pCode_08739,       \
        .capability_needs = VUID_##struct_##_pCode_08740, \
        .extension = VUID_##struct_##_pCode_08741,        \
        .extension_needs = VUID_##struct_##_pCode_08742,  \
    }
static const struct code_rules module_rules = CODE_RULES(VkShaderModuleCreateInfo);
static const struct code_rules object_rules = CODE_RULES(VkShaderCreateInfoEXT);

static const char *capability_name(uint32_t capability)
{
    const struct spirv_enumerant *enumerant = spirv_enumerant(SPIRV_KIND_Capability, capability);
    return enumerant ? enumerant->name : "unknown to SPIR-V";
}

/* Checks that the API has a capability, and that the device has what the capability needs. True if
 * the call is to be skipped. */
static bool check_capability(struct call *call, const struct code_rules *rules,
                             const struct location *where, uint32_t capability)
{
    assert(rules);
    const char *needs;
    switch (spirv_capability_support(call->device, capability, &needs)) {
    case SPIRV_NOT_OF_THE_API:
        /* pCode must not declare any capability that is not supported by the API */
        return BROKEN_BY(call, rules->capability, where, NULL,
                         "declares the capability %s (%u), which Vulkan does not support",
                         capability_name(capability), capability);
    case SPIRV_NOT_ENABLED:
        /* if pCode declares any of the capabilities listed in the SPIR-V Environment appendix, one
         * of the corresponding requirements must be satisfied */
        return BROKEN_BY(call, rules->capability_needs, where, NULL,
                         "declares the capability %s, which needs %s; the device was created "
                         "without",
                         capability_name(capability), needs);
    default:
        return false;
    }
}

/* Checks that the API has a SPIR-V extension, and that the device has what the extension needs.
 * True if the call is to be skipped. */
static bool check_extension(struct call *call, const struct code_rules *rules,
                            const struct location *where, const char *name)
{
    const char *needs;
    switch (spirv_extension_support(call->device, name, &needs)) {
    case SPIRV_NOT_OF_THE_API:
        /* pCode must not declare any SPIR-V extension that is not supported by the API */
        return BROKEN_BY(call, rules->extension, where, NULL,
                         "declares the extension %s, which Vulkan does not support", name);
    case SPIRV_NOT_ENABLED:
        /* if pCode declares any of the SPIR-V extensions listed in the SPIR-V Environment appendix,
         * one of the corresponding requirements must be satisfied */
        return BROKEN_BY(call, rules->extension_needs, where, NULL,
                         "declares the extension %s, which needs %s; the device was created "
                         "without",
                         name, needs);
    default:
        return false;
    }
}

/* Capabilities and extensions come first in a module. */
static bool check_declarations(struct call *call, const struct code_rules *rules,
                               const struct location *where, const struct spirv_module *module)
{
    struct subject s = {.call = call};
    bool shader = false;
    for (uint32_t i = 0;
         i < module->instruction_count && module->instructions[i].opcode != SpvOpMemoryModel; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        const uint32_t *words = spirv_words(module, instruction);
        uint32_t taken;
        const char *name;
        if (instruction->opcode == SpvOpCapability && instruction->length > 1) {
            s.skip |= check_capability(call, rules, where, words[1]);
            shader |= spirv_capability_implies_shader(words[1]);
        } else if (instruction->opcode == SpvOpExtension &&
                   (name = spirv_string(words + 1, instruction->length - 1u, &taken))) {
            s.skip |= check_extension(call, rules, where, name);
        }
    }
    /* pCode must declare the Shader capability for SPIR-V code */
    if (!shader)
        BROKEN(&s, rules->shader, where, "does not declare the capability Shader");
    return s.skip;
}

/* Checks SPIR-V code of `size` bytes: its form, its declarations and its rules. The result is
 * looked up and stored in `cache`. */
static bool check_code(struct call *call, const struct code_rules *rules,
                       const struct location *where, const void *code, size_t size,
                       struct validation_cache *cache)
{
    const struct location *code_where = &LOCATION(where, "pCode");
    struct spirv_module module;
    struct spirv_error error;
    struct subject s = {.call = call};
    if (!spirv_module_parse(&module, code, size / sizeof(uint32_t), &error)) {
        /* pCode must point to valid SPIR-V code, formatted and packed as described by the SPIR-V
         * Specification */
        REQUIRE(&s, STOPS(rules->form), error.no_memory, code_where, "%s (word %u)", error.text,
                error.word);
        return s.skip;
    }
    s.skip |= check_declarations(call, rules, code_where, &module);
    /* pCode must adhere to the validation rules described by the Validation Rules within a Module
     * section of the SPIR-V Environment appendix */
    if (!call->instance->settings.debug_disable_spirv_val)
        s.skip |= spirv_validator_check(call, rules->rules, code_where, &module,
                                        spirv_hash(code, size), cache);
    spirv_module_free(&module);
    return s.skip;
}

/* The validation cache that the program gives in the chain, or NULL. */
static struct validation_cache *cache_of(const struct call *call, const void *chain)
{
    const VkShaderModuleValidationCacheCreateInfoEXT *info =
        chain_find(chain, VK_STRUCTURE_TYPE_SHADER_MODULE_VALIDATION_CACHE_CREATE_INFO_EXT);
    return info ? object_load_state(call_find(call, (uint64_t)info->validationCache,
                                              HANDLE_VALIDATION_CACHE_EXT))
                : NULL;
}

/* Checks the code of a shader module. `chain` may hold a validation cache. */
static bool check_module_info(struct call *call, const struct location *where,
                              const VkShaderModuleCreateInfo *info, const void *chain)
{
    if (!call->instance->settings.check_shaders || pointer_is_bad(info->pCode))
        return false;
    /* codeSize must be greater than 0 */
    if (info->codeSize == 0)
        return BROKEN_BY(call, VUID_VkShaderModuleCreateInfo_codeSize_01085,
                         &LOCATION(where, "codeSize"), NULL, "is 0");
    if (extension_set_has(&call->device->extensions, EXTENSION_VK_NV_glsl_shader) &&
        (info->codeSize < 4 || *info->pCode != SpvMagicNumber))
        return false; /* the code is GLSL */
    /* codeSize must be a multiple of 4 */
    if (info->codeSize % sizeof(uint32_t))
        return BROKEN_BY(call, VUID_VkShaderModuleCreateInfo_codeSize_08735,
                         &LOCATION(where, "codeSize"), NULL, "is %zu, which is not a multiple of 4",
                         info->codeSize);
    return check_code(call, &module_rules, where, info->pCode, info->codeSize,
                      cache_of(call, chain));
}

bool core_validate_CreateShaderModule(struct call *call, VkDevice device,
                                      const VkShaderModuleCreateInfo *pCreateInfo,
                                      const VkAllocationCallbacks *pAllocator,
                                      VkShaderModule *pShaderModule)
{
    return check_module_info(call, &LOCATION_POINTER(NULL, "pCreateInfo"), pCreateInfo,
                             pCreateInfo->pNext);
}

/* Checks a stage without a module, which has its code in its chain (maintenance5,
 * graphicsPipelineLibrary). If the pipeline's create info chains binaries, the code is ignored. */
static bool check_stage(struct call *call, const struct location *where,
                        const VkPipelineShaderStageCreateInfo *stage, const void *pipeline_chain)
{
    const VkShaderModuleCreateInfo *info =
        stage->module ? NULL
                      : chain_find(stage->pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    if (!info)
        return false;
    const VkPipelineBinaryInfoKHR *binaries =
        chain_find(pipeline_chain, VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR);
    if (binaries && binaries->binaryCount)
        return false;
    const struct location *chain = &LOCATION(where, "pNext");
    return check_module_info(call, &LOCATION_CHAINED(chain, "VkShaderModuleCreateInfo"), info,
                             stage->pNext);
}

bool core_validate_CreateGraphicsPipelines_shader_code(struct call *call, VkDevice device,
                                                       VkPipelineCache pipelineCache,
                                                       uint32_t createInfoCount,
                                                       const VkGraphicsPipelineCreateInfo
                                                           *pCreateInfos,
                                                       const VkAllocationCallbacks *pAllocator,
                                                       VkPipeline *pPipelines)
{
    bool skip = false;
    for (uint32_t i = 0; i < createInfoCount; i++) {
        const VkGraphicsPipelineCreateInfo *info = &pCreateInfos[i];
        if (!pipeline_reads_stages(info) || pointer_is_bad(info->pStages))
            continue;
        for (uint32_t s = 0; s < info->stageCount; s++)
            skip |=
                check_stage(call,
                            &LOCATION_INDEX(&LOCATION_INDEX(NULL, "pCreateInfos", i), "pStages", s),
                            &info->pStages[s], info->pNext);
    }
    return skip;
}

bool core_validate_CreateComputePipelines_shader_code(struct call *call, VkDevice device,
                                                      VkPipelineCache pipelineCache,
                                                      uint32_t createInfoCount,
                                                      const VkComputePipelineCreateInfo
                                                          *pCreateInfos,
                                                      const VkAllocationCallbacks *pAllocator,
                                                      VkPipeline *pPipelines)
{
    bool skip = false;
    for (uint32_t i = 0; i < createInfoCount; i++)
        skip |= check_stage(call, &LOCATION(&LOCATION_INDEX(NULL, "pCreateInfos", i), "stage"),
                            &pCreateInfos[i].stage, pCreateInfos[i].pNext);
    return skip;
}

bool core_validate_CreateRayTracingPipelinesKHR_shader_code(struct call *call, VkDevice device,
                                                            VkDeferredOperationKHR
                                                                deferredOperation,
                                                            VkPipelineCache pipelineCache,
                                                            uint32_t createInfoCount,
                                                            const VkRayTracingPipelineCreateInfoKHR
                                                                *pCreateInfos,
                                                            const VkAllocationCallbacks *pAllocator,
                                                            VkPipeline *pPipelines)
{
    bool skip = false;
    for (uint32_t i = 0; i < createInfoCount; i++) {
        for (uint32_t s = 0; s < pCreateInfos[i].stageCount; s++)
            skip |=
                check_stage(call,
                            &LOCATION_INDEX(&LOCATION_INDEX(NULL, "pCreateInfos", i), "pStages", s),
                            &pCreateInfos[i].pStages[s], pCreateInfos[i].pNext);
    }
    return skip;
}

bool core_validate_CreateShadersEXT_shader_code(struct call *call, VkDevice device,
                                                uint32_t createInfoCount,
                                                const VkShaderCreateInfoEXT *pCreateInfos,
                                                const VkAllocationCallbacks *pAllocator,
                                                VkShaderEXT *pShaders)
{
    bool skip = false;
    for (uint32_t i = 0; i < createInfoCount && call->instance->settings.check_shaders; i++) {
        const VkShaderCreateInfoEXT *info = &pCreateInfos[i];
        const struct location *where = &LOCATION_INDEX(NULL, "pCreateInfos", i);
        /* rows report a code size that is not a multiple of 4 */
        if (info->codeType == VK_SHADER_CODE_TYPE_SPIRV_EXT && !pointer_is_bad(info->pCode) &&
            (uintptr_t)info->pCode % 4 == 0 && info->codeSize % 4 == 0)
            skip |= check_code(call, &object_rules, where, info->pCode, info->codeSize, NULL);
    }
    return skip;
}
