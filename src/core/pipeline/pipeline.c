/* Checks rules that all kinds of pipelines have (10): stages and their specialization, flags,
 * derivatives, robustness. It also checks compute pipelines. */
#include "core/hooks.h"
#include "core/memory/address.h"
#include "core/pipeline/checks.h"

#include <inttypes.h>

#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "state/command/render_pass.h"
#include "vk/chain.h"

/* --- specialization --- */

/* Checks that no constant is specialized twice. An unreadable array is not checked. */
static bool check_specialization(const struct call *call, const struct location *where,
                                 const VkSpecializationInfo *info)
{
    struct subject s = {.call = call};
    if (pointer_is_bad(info) || pointer_is_bad(info->pMapEntries))
        return false;
    for (uint32_t i = 0; i < info->mapEntryCount; i++) {
        const VkSpecializationMapEntry *entry = &info->pMapEntries[i];
        const struct location *at = &LOCATION_INDEX(where, "pMapEntries", i);
        for (uint32_t k = 0; k < i; k++) {
            if (info->pMapEntries[k].constantID == entry->constantID) {
                BROKEN(&s, VUID_VkSpecializationInfo_constantID_04911, &LOCATION(at, "constantID"),
                       "is %u, as is that of pMapEntries[%u]", entry->constantID, k);
                break;
            }
        }
    }
    return s.skip;
}

/* --- stages --- */

/* Checks the subgroup size, in invocations, that a stage requires. */
static bool check_required_size(const struct call *call, const struct location *where,
                                const VkPipelineShaderStageCreateInfo *stage, uint32_t size)
{
    assert(stage);
    const VkPhysicalDeviceSubgroupSizeControlProperties *properties =
        &call->device->extended.SubgroupSizeControlProperties;
    const struct location *at =
        &LOCATION(&LOCATION_CHAINED(where, "VkPipelineShaderStageRequiredSubgroupSizeCreateInfo"),
                  "requiredSubgroupSize");
    if (!has_feature(call, FEATURE_subgroupSizeControl))
        return BROKEN_BY(call, VUID_VkPipelineShaderStageCreateInfo_pNext_02755, at, NULL,
                         "is %u, but the subgroupSizeControl feature is not enabled", size);
    if (!properties->maxSubgroupSize)
        return false; /* the device's properties are not known */
    struct subject s = {.call = call};
    REQUIRE(&s, VUID_VkPipelineShaderStageCreateInfo_pNext_02755,
            (VkShaderStageFlags)stage->stage & properties->requiredSubgroupSizeStages, at,
            "is given for %s, which is not in requiredSubgroupSizeStages",
            value_text(VALUES_VkShaderStageFlags, stage->stage).text);
    REQUIRE(&s, VUID_VkPipelineShaderStageRequiredSubgroupSizeCreateInfo_requiredSubgroupSize_02760,
            size && !(size & (size - 1)), at, "is %u, which is not a power of two", size);
    return s.skip;
}

/* Checks a required subgroup size, if there is one. */
static bool check_subgroups(const struct call *call, const struct location *where,
                            const VkPipelineShaderStageCreateInfo *stage)
{
    const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo *required =
        CHAINED(stage->pNext, PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO);
    return required && check_required_size(call, where, stage, required->requiredSubgroupSize);
}

/* Checks the source of the code: a module, a VkShaderModuleCreateInfo in the chain, an identifier,
 * or the parent's binaries. */
static bool check_code_source(const struct call *call, const struct location *where,
                              const VkPipelineShaderStageCreateInfo *stage,
                              VkPipelineCreateFlags2 flags, const void *parent_next)
{
    const VkPipelineShaderStageModuleIdentifierCreateInfoEXT *identifier =
        CHAINED(stage->pNext, PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT);
    const VkPipelineBinaryInfoKHR *binaries = CHAINED(parent_next, PIPELINE_BINARY_INFO_KHR);
    struct subject s = {.call = call, .where = where};
    bool inlined = CHAINED(stage->pNext, SHADER_MODULE_CREATE_INFO) != NULL;
    const struct location *module = &LOCATION(where, "module");
    const struct location *chained =
        &LOCATION_CHAINED(where, "VkPipelineShaderStageModuleIdentifierCreateInfoEXT");
    /* With a size of 0, the structure counts as missing. */
    if (identifier && identifier->identifierSize) {
        REQUIRE(&s, VUID_VkPipelineShaderStageModuleIdentifierCreateInfoEXT_pNext_06850,
                has_feature(call, FEATURE_shaderModuleIdentifier),
                &LOCATION(chained, "identifierSize"),
                "is %u, which needs the shaderModuleIdentifier feature",
                identifier->identifierSize);
        REQUIRE(&s, VUID_VkPipelineShaderStageModuleIdentifierCreateInfoEXT_pNext_06851,
                flags & FLAG(FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT),
                &LOCATION(chained, "identifierSize"),
                "is %u, but the pipeline's flags lack "
                "VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT",
                identifier->identifierSize);
        REQUIRE(&s, VUID_VkPipelineShaderStageModuleIdentifierCreateInfoEXT_identifierSize_06852,
                identifier->identifierSize <= VK_MAX_SHADER_MODULE_IDENTIFIER_SIZE_EXT,
                &LOCATION(chained, "identifierSize"), "is %u, but must be %u at the most",
                identifier->identifierSize, VK_MAX_SHADER_MODULE_IDENTIFIER_SIZE_EXT);
        REQUIRE(&s, VUID_VkPipelineShaderStageCreateInfo_stage_06844, !inlined, "pNext",
                "has a VkShaderModuleCreateInfo beside a shader module identifier");
        REQUIRE(&s, VUID_VkPipelineShaderStageCreateInfo_stage_06848, !stage->module, module,
                "is given beside a shader module identifier");
        return s.skip;
    }
    if (stage->module || (binaries && binaries->binaryCount))
        return false;
    if (!has_feature(call, FEATURE_graphicsPipelineLibrary) &&
        !has_feature(call, FEATURE_maintenance5))
        return BROKEN_BY(call, VUID_VkPipelineShaderStageCreateInfo_stage_08771, module, NULL,
                         "is VK_NULL_HANDLE, but neither the graphicsPipelineLibrary nor the "
                         "maintenance5 feature is enabled");
    REQUIRE(&s, VUID_VkPipelineShaderStageCreateInfo_stage_06845, inlined, module,
            "is VK_NULL_HANDLE, and no VkShaderModuleCreateInfo or module "
            "identifier is chained");
    return s.skip;
}

bool check_pipeline_stage(const struct call *call, const struct location *where,
                          const VkPipelineShaderStageCreateInfo *stage,
                          VkPipelineCreateFlags2 flags, const void *parent_next)
{
    assert(stage);
    const VkPipelineRobustnessCreateInfo *robustness =
        CHAINED(stage->pNext, PIPELINE_ROBUSTNESS_CREATE_INFO);
    bool skip = check_subgroups(call, where, stage);
    skip |= check_code_source(call, where, stage, flags, parent_next);
    if (stage->pSpecializationInfo)
        skip |= check_specialization(call, &LOCATION_POINTER(where, "pSpecializationInfo"),
                                     stage->pSpecializationInfo);
    if (robustness)
        skip |=
            check_pipeline_robustness(call,
                                      &LOCATION_CHAINED(where, "VkPipelineRobustnessCreateInfo"),
                                      robustness);
    return skip;
}

/* --- robustness --- */

/* Checks a robustness behavior that the device may not support. `robust2`: it has
 * robustBufferAccess2. */
static bool check_buffer_behavior(const struct call *call, const struct location *where,
                                  VkPipelineRobustnessBufferBehavior behavior, enum vuid vuid,
                                  bool robust2)
{
    struct value_text text = value_text(VALUES_VkPipelineRobustnessBufferBehavior, behavior);
    struct subject s = {.call = call};
    REQUIRE(&s, vuid,
            behavior != VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2 || robust2,
            where, "is %s, which the device does not support (robustBufferAccess2)", text.text);
    return s.skip;
}

/* Robustness features that the device supports. */
struct robustness_support {
    bool image, buffer2, image2; /* robustImageAccess, and the two of VK_EXT_robustness2 */
};

/* Queries which features the device supports, even if they are not enabled. All are true if they
 * cannot be queried. */
static struct robustness_support robustness_of(const struct call *call)
{
    VkPhysicalDeviceRobustness2FeaturesKHR two = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_KHR};
    VkPhysicalDeviceImageRobustnessFeatures image = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_ROBUSTNESS_FEATURES, .pNext = &two};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &image};
    PFN_vkGetPhysicalDeviceFeatures2 get = call->instance->dispatch.GetPhysicalDeviceFeatures2;
    if (!get)
        return (struct robustness_support){true, true, true};
    get(call->device->physical_device, &features);
    return (struct robustness_support){image.robustImageAccess, two.robustBufferAccess2,
                                       two.robustImageAccess2};
}

/* True for behaviors with bounds checks of buffer accesses. */
static bool is_robust(VkPipelineRobustnessBufferBehavior behavior)
{
    return behavior == VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS ||
           behavior == VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2;
}

/* Checks that robust access together with an update-after-bind feature has
 * robustBufferAccessUpdateAfterBind. */
static bool check_update_after_bind(const struct call *call, const struct location *where,
                                    const VkPipelineRobustnessCreateInfo *info)
{
    struct subject s = {.call = call, .where = where};
    bool supported =
        call->device->extended.DescriptorIndexingProperties.robustBufferAccessUpdateAfterBind ||
        call->device->extended.Vulkan12Properties.robustBufferAccessUpdateAfterBind;
    if (supported)
        return false;
    if (is_robust(info->storageBuffers) &&
        (has_feature(call, FEATURE_descriptorBindingStorageBufferUpdateAfterBind) ||
         has_feature(call, FEATURE_descriptorBindingStorageTexelBufferUpdateAfterBind)))
        BROKEN(&s, VUID_VkPipelineRobustnessCreateInfo_storageBuffers_10636, "storageBuffers",
               "asks for robust access beside update-after-bind storage buffers, but "
               "robustBufferAccessUpdateAfterBind is VK_FALSE");
    if (is_robust(info->uniformBuffers) &&
        (has_feature(call, FEATURE_descriptorBindingInlineUniformBlockUpdateAfterBind) ||
         has_feature(call, FEATURE_descriptorBindingUniformBufferUpdateAfterBind) ||
         has_feature(call, FEATURE_descriptorBindingUniformTexelBufferUpdateAfterBind)))
        BROKEN(&s, VUID_VkPipelineRobustnessCreateInfo_uniformBuffers_10637, "uniformBuffers",
               "asks for robust access beside update-after-bind uniform buffers, but "
               "robustBufferAccessUpdateAfterBind is VK_FALSE");
    if ((info->images == VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_ROBUST_IMAGE_ACCESS ||
         info->images == VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_ROBUST_IMAGE_ACCESS_2) &&
        (has_feature(call, FEATURE_descriptorBindingStorageImageUpdateAfterBind) ||
         has_feature(call, FEATURE_descriptorBindingSampledImageUpdateAfterBind)))
        BROKEN(&s, VUID_VkPipelineRobustnessCreateInfo_images_10638, "images",
               "asks for robust access beside update-after-bind images, but "
               "robustBufferAccessUpdateAfterBind is VK_FALSE");
    return s.skip;
}

bool check_pipeline_robustness(const struct call *call, const struct location *where,
                               const VkPipelineRobustnessCreateInfo *info)
{
    assert(info);
    const struct location *images = &LOCATION(where, "images");
    if (!has_feature(call, FEATURE_pipelineRobustness)) /* 06926 to 06929 report it */
        return false;
    struct robustness_support support = robustness_of(call);
    struct subject s = {.call = call};
    s.skip |= check_buffer_behavior(call, &LOCATION(where, "storageBuffers"), info->storageBuffers,
                                    VUID_VkPipelineRobustnessCreateInfo_robustBufferAccess2_06931,
                                    support.buffer2);
    s.skip |= check_buffer_behavior(call, &LOCATION(where, "uniformBuffers"), info->uniformBuffers,
                                    VUID_VkPipelineRobustnessCreateInfo_robustBufferAccess2_06932,
                                    support.buffer2);
    s.skip |= check_buffer_behavior(call, &LOCATION(where, "vertexInputs"), info->vertexInputs,
                                    VUID_VkPipelineRobustnessCreateInfo_robustBufferAccess2_06933,
                                    support.buffer2);
    if (info->images == VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_ROBUST_IMAGE_ACCESS)
        REQUIRE(&s, VUID_VkPipelineRobustnessCreateInfo_robustImageAccess_06930, support.image,
                images,
                "asks for robust image access, which the device does not support "
                "(robustImageAccess)");
    else if (info->images == VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_ROBUST_IMAGE_ACCESS_2)
        REQUIRE(&s, VUID_VkPipelineRobustnessCreateInfo_robustImageAccess2_06934, support.image2,
                images,
                "asks for robust image access 2, which the device does not support "
                "(robustImageAccess2)");
    return s.skip | check_update_after_bind(call, where, info);
}

/* --- flags and derivatives --- */

/* Checks the base of a pipeline that is created as a derivative. */
static bool check_derivative(const struct call *call, const struct location *where,
                             const struct pipeline_base *base)
{
    assert(base->index < base->count);
    const struct location *handle = &LOCATION(where, "basePipelineHandle"),
                          *index = &LOCATION(where, "basePipelineIndex");
    if (base->base_index != -1 && base->base_handle)
        return false; /* a row says that one of them must not be given */
    struct subject s = {.call = call};
    if (base->base_index == -1) {
        const struct pipeline *parent = find_pipeline(call, base->base_handle);
        if (!base->base_handle)
            return BROKEN_BY(call, RULE_07984, handle, NULL,
                             "is VK_NULL_HANDLE and basePipelineIndex is -1, but flags has "
                             "VK_PIPELINE_CREATE_DERIVATIVE_BIT");
        if (!parent)
            return false;
        const bool subpass_shading =
            parent->bind_point == VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI &&
            /* the base must be a compute pipeline as well */
            base->bind_point == VK_PIPELINE_BIND_POINT_COMPUTE;
        if (parent->bind_point != base->bind_point && !subpass_shading)
            return BROKEN_BY(call, RULE_07984, handle, OBJECT(HANDLE_PIPELINE, base->base_handle),
                             "is a pipeline for %s, not %s",
                             value_text(VALUES_VkPipelineBindPoint, parent->bind_point).text,
                             value_text(VALUES_VkPipelineBindPoint, base->bind_point).text);
        REQUIRE_OF(&s, OBJECT(HANDLE_PIPELINE, base->base_handle),
                   base->bind_point == VK_PIPELINE_BIND_POINT_GRAPHICS  ? RULE_00721
                   : base->bind_point == VK_PIPELINE_BIND_POINT_COMPUTE ? RULE_00696
                                                                        : RULE_03416,
                   parent->flags & FLAG(ALLOW_DERIVATIVES_BIT), handle,
                   "was created without VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT");
        return s.skip;
    }
    if (base->base_index < 0 || (uint32_t)base->base_index >= base->count)
        return BROKEN_BY(call, RULE_07985, index, NULL,
                         "is %d, but there are %u elements in pCreateInfos", base->base_index,
                         base->count);
    REQUIRE(&s,
            base->bind_point == VK_PIPELINE_BIND_POINT_GRAPHICS  ? RULE_00720
            : base->bind_point == VK_PIPELINE_BIND_POINT_COMPUTE ? RULE_00695
                                                                 : RULE_03415,
            (uint32_t)base->base_index < base->index, index,
            "is %d, but must be less than the element's own index, %u", base->base_index,
            base->index);
    return s.skip;
}

/* True for types that count as a resource of a stage. */
static bool is_resource(VkDescriptorType type)
{
    return type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER ||
           type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE || type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE ||
           type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER ||
           type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER ||
           type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER || type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER ||
           type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
           type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC ||
           type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
}

/* Counts the resources in sets that are not updated after they are bound; those have another
 * limit. */
static uint64_t resources_of(const struct pipeline_layout *layout, VkShaderStageFlags stage)
{
    const VkDescriptorSetLayoutCreateFlags others =
        VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT |
        VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
    uint64_t count = 0;
    for (uint32_t i = 0; i < layout->set_count; i++) {
        const struct descriptor_layout *set = layout->sets[i];
        for (uint32_t b = 0; set && !(set->flags & others) && b < set->binding_count; b++)
            count += set->bindings[b].stages & stage && is_resource(set->bindings[b].type)
                         ? set->bindings[b].count
                         : 0;
    }
    return count;
}

/* The number of resources in layout accessible to each shader stage that is used by the pipeline
 * must be less than or equal to VkPhysicalDeviceLimits::maxPerStageResources */
static bool check_resources(const struct call *call, const struct location *where,
                            const struct pipeline_base *base)
{
    const struct pipeline_layout *layout = find_pipeline_layout(call, base->layout);
    const uint64_t most = limits_of(call)->maxPerStageResources;
    struct subject s = {.call = call, .objects = OBJECT(HANDLE_PIPELINE_LAYOUT, base->layout)};
    if (!layout || base->flags & FLAG(DESCRIPTOR_HEAP_BIT_EXT))
        return false;
    for (VkShaderStageFlags left = base->stages; left && !s.wrong; left &= left - 1) {
        const VkShaderStageFlags stage = left & -left;
        const uint64_t count = resources_of(layout, stage);
        REQUIRE(&s,
                base->bind_point == VK_PIPELINE_BIND_POINT_GRAPHICS  ? RULE_01688
                : base->bind_point == VK_PIPELINE_BIND_POINT_COMPUTE ? RULE_01687
                                                                     : RULE_03428,
                count <= most, &LOCATION(where, "layout"),
                "has %" PRIu64 " resources for %s, but maxPerStageResources is %" PRIu64, count,
                TEXT_OF(VkShaderStageFlags, stage), most);
    }
    return s.skip;
}

/* Checks binaries from which the pipeline is created, and the capture of binaries: neither may be
 * used with a cache. */
static bool check_binaries(const struct call *call, const struct location *where,
                           const struct pipeline_base *base)
{
    const VkPipelineBinaryInfoKHR *binaries = CHAINED(base->next, PIPELINE_BINARY_INFO_KHR);
    struct subject s = {.call = call};
    if (binaries && binaries->binaryCount) {
        const struct location *count =
            &LOCATION(&LOCATION_CHAINED(where, "VkPipelineBinaryInfoKHR"), "binaryCount");
        REQUIRE(&s, RULE_09616, !base->cache, count, "is %u, but pipelineCache is given",
                binaries->binaryCount);
        REQUIRE(&s, RULE_09622, !(base->flags & FLAG(FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT)), count,
                "is %u, but flags has VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT",
                binaries->binaryCount);
    }
    if (base->flags & FLAG(CAPTURE_DATA_BIT_KHR))
        REQUIRE(&s, RULE_09617, !base->cache, &LOCATION(where, "flags"),
                "has VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR, but pipelineCache is given");
    return s.skip;
}

bool check_pipeline_base(const struct call *call, const struct location *where,
                         const struct pipeline_base *base)
{
    const VkPipelineRobustnessCreateInfo *robustness =
        CHAINED(base->next, PIPELINE_ROBUSTNESS_CREATE_INFO);
    bool skip = false;
    if (base->flags & FLAG(DERIVATIVE_BIT))
        skip |= check_derivative(call, where, base);
    if (robustness)
        skip |=
            check_pipeline_robustness(call,
                                      &LOCATION_CHAINED(where, "VkPipelineRobustnessCreateInfo"),
                                      robustness);
    return skip | check_binaries(call, where, base) | check_resources(call, where, base);
}

bool check_dynamic_states_unique(const struct call *call, const struct location *where,
                                 const VkPipelineDynamicStateCreateInfo *info)
{
    if (pointer_is_bad(info) || pointer_is_bad(info->pDynamicStates))
        return false;
    for (uint32_t i = 0; i < info->dynamicStateCount; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (info->pDynamicStates[i] == info->pDynamicStates[k])
                return BROKEN_BY(call, VUID_VkPipelineDynamicStateCreateInfo_pDynamicStates_01442,
                                 &LOCATION_INDEX(&LOCATION_POINTER(where, "pDynamicState"),
                                                 "pDynamicStates", i),
                                 NULL, "is %s, as is pDynamicStates[%u]",
                                 value_text(VALUES_VkDynamicState, info->pDynamicStates[i]).text,
                                 k);
        }
    }
    return false;
}

/* --- compute pipelines --- */

/* Checks the flag of VK_NV_device_generated_commands_compute, whose structure gives the pipeline's
 * memory. */
static bool check_compute_flags(const struct call *call, const struct location *where,
                                const VkComputePipelineCreateInfo *info,
                                VkPipelineCreateFlags2 flags)
{
    struct subject s = {.call = call};
    if (flags & FLAG(INDIRECT_BINDABLE_BIT_NV) &&
        has_feature(call, FEATURE_deviceGeneratedComputePipelines))
        REQUIRE(&s, VUID_VkComputePipelineCreateInfo_flags_09008,
                CHAINED(info->pNext, COMPUTE_PIPELINE_INDIRECT_BUFFER_INFO_NV), where,
                "has VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV, but no "
                "VkComputePipelineIndirectBufferInfoNV is chained");
    const VkComputePipelineIndirectBufferInfoNV *indirect =
        CHAINED(info->pNext, COMPUTE_PIPELINE_INDIRECT_BUFFER_INFO_NV);
    if (!indirect)
        return s.skip;
    /* The pipeline creation flags in VkComputePipelineCreateInfo::flags must include
     * VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV */
    REQUIRE(&s, VUID_VkComputePipelineIndirectBufferInfoNV_flags_09010,
            flags & FLAG(INDIRECT_BINDABLE_BIT_NV), where,
            "is %s, without VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV, but a "
            "VkComputePipelineIndirectBufferInfoNV is chained",
            TEXT_OF(VkPipelineCreateFlags2, flags));
    /* deviceAddress must have been allocated from a buffer that was created with both the
     * VK_BUFFER_USAGE_TRANSFER_DST_BIT and VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT usage flags set */
    const VkBufferUsageFlags2 usage =
        VK_BUFFER_USAGE_2_TRANSFER_DST_BIT | VK_BUFFER_USAGE_2_INDIRECT_BUFFER_BIT;
    const struct address_search found =
        indirect->deviceAddress
            ? device_address_find(call->device, indirect->deviceAddress, 1, usage | ADDRESS_ALL_OF)
            : (struct address_search){.match = ADDRESS_UNKNOWN};
    if (unlikely(found.match == ADDRESS_USAGE))
        s.skip |=
            address_report_usage(call,
                                 VUID_VkComputePipelineIndirectBufferInfoNV_deviceAddress_09012,
                                 &LOCATION(&LOCATION_CHAINED(where->parent, "VkComputePipelineIndir"
                                                                            "ectBufferInfoNV"),
                                           "deviceAddress"),
                                 indirect->deviceAddress, &found, usage);
    return s.skip;
}

/* subpass must be created with VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI bind point */
static bool check_subpass_shading(const struct call *call, const struct location *where,
                                  const void *chain)
{
    const VkSubpassShadingPipelineCreateInfoHUAWEI *shading =
        CHAINED(chain, SUBPASS_SHADING_PIPELINE_CREATE_INFO_HUAWEI);
    const struct render_pass *pass = shading ? find_render_pass(call, shading->renderPass) : NULL;
    struct subject s = {.call = call,
                        .where =
                            &LOCATION_CHAINED(where, "VkSubpassShadingPipelineCreateInfoHUAWEI")};
    if (!pass || shading->subpass >= pass->subpass_count)
        return false;
    const VkPipelineBindPoint point = pass->subpasses[shading->subpass].bind_point;
    REQUIRE_OF(&s, OBJECT(HANDLE_RENDER_PASS, shading->renderPass),
               VUID_VkSubpassShadingPipelineCreateInfoHUAWEI_subpass_04946,
               point == VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI, "subpass",
               "is %u, whose pipelineBindPoint is %s", shading->subpass,
               TEXT_OF(VkPipelineBindPoint, point));
    return s.skip;
}

bool core_validate_CreateComputePipelines(struct call *call, VkDevice device,
                                          VkPipelineCache pipelineCache, uint32_t createInfoCount,
                                          const VkComputePipelineCreateInfo *pCreateInfos,
                                          const VkAllocationCallbacks *pAllocator,
                                          VkPipeline *pPipelines)
{
    struct subject s = {.call = call};
    for (uint32_t i = 0; i < createInfoCount; i++) {
        const VkComputePipelineCreateInfo *info = &pCreateInfos[i];
        const struct location *where = &LOCATION_INDEX(NULL, "pCreateInfos", i);
        VkPipelineCreateFlags2 flags = pipeline_create_flags(info->pNext, info->flags);
        const struct pipeline_base base = {VK_PIPELINE_BIND_POINT_COMPUTE,
                                           flags,
                                           info->pNext,
                                           info->layout,
                                           info->basePipelineHandle,
                                           info->basePipelineIndex,
                                           i,
                                           createInfoCount,
                                           pipelineCache,
                                           info->stage.stage};
        s.skip |= check_pipeline_base(call, where, &base);
        s.skip |= check_compute_flags(call, &LOCATION(where, "flags"), info, flags);
        s.skip |= check_subpass_shading(call, where, info->pNext);
        s.skip |=
            check_pipeline_stage(call, &LOCATION(where, "stage"), &info->stage, flags, info->pNext);
    }
    return s.skip;
}

/* --- compute pipelines that the device binds (VK_NV_device_generated_commands_compute) --- */

/* Checks that the pipeline has a place for its metadata. */
static bool check_indirect_buffer(const struct call *call, const struct location *where,
                                  VkPipeline handle, enum vuid vuid)
{
    const struct pipeline *pipeline = find_pipeline(call, handle);
    struct subject s = {.call = call, .objects = OBJECT(HANDLE_PIPELINE, handle)};
    /* Rows of registry/rows.txt check that the pipeline is a compute pipeline with that flag. */
    REQUIRE(&s, vuid,
            !pipeline || pipeline->has_indirect_buffer ||
                pipeline->bind_point != VK_PIPELINE_BIND_POINT_COMPUTE ||
                !(pipeline->flags & FLAG(INDIRECT_BINDABLE_BIT_NV)),
            where,
            "was created without a VkComputePipelineIndirectBufferInfoNV that has an address");
    return s.skip;
}

bool core_validate_CmdUpdatePipelineIndirectBufferNV(struct call *call,
                                                     VkCommandBuffer commandBuffer,
                                                     VkPipelineBindPoint pipelineBindPoint,
                                                     VkPipeline pipeline)
{
    return check_indirect_buffer(call, &LOCATION(NULL, "pipeline"), pipeline,
                                 VUID_vkCmdUpdatePipelineIndirectBufferNV_pipeline_09020);
}

bool core_validate_GetPipelineIndirectDeviceAddressNV(struct call *call, VkDevice device,
                                                      const VkPipelineIndirectDeviceAddressInfoNV
                                                          *pInfo)
{
    return check_indirect_buffer(call, &LOCATION(&LOCATION_POINTER(NULL, "pInfo"), "pipeline"),
                                 pInfo->pipeline,
                                 VUID_VkPipelineIndirectDeviceAddressInfoNV_pipeline_09081);
}

bool core_validate_GetPipelineIndirectMemoryRequirementsNV(struct call *call, VkDevice device,
                                                           const VkComputePipelineCreateInfo
                                                               *pCreateInfo,
                                                           VkMemoryRequirements2
                                                               *pMemoryRequirements)
{
    const VkPipelineCreateFlags2 flags =
        pipeline_create_flags(pCreateInfo->pNext, pCreateInfo->flags);
    struct subject s = {.call = call, .where = &LOCATION_POINTER(NULL, "pCreateInfo")};
    REQUIRE(&s, VUID_vkGetPipelineIndirectMemoryRequirementsNV_pCreateInfo_09083,
            flags & FLAG(INDIRECT_BINDABLE_BIT_NV), "flags",
            "is %s, without VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV",
            TEXT_OF(VkPipelineCreateFlags2, flags));
    return s.skip;
}

bool core_validate_CmdBindPipelineShaderGroupNV(struct call *call, VkCommandBuffer commandBuffer,
                                                VkPipelineBindPoint pipelineBindPoint,
                                                VkPipeline pipeline, uint32_t groupIndex)
{
    const struct pipeline *state = find_pipeline(call, pipeline);
    struct subject s = {.call = call, .objects = OBJECT(HANDLE_PIPELINE, pipeline)};
    /* groupIndex must be 0 or less than the effective groupCount including the referenced
     * pipelines */
    REQUIRE(&s, VUID_vkCmdBindPipelineShaderGroupNV_groupIndex_02893,
            !state || !groupIndex || groupIndex < state->shader_groups, "groupIndex",
            "is %u, but the pipeline has %u groups of shaders", groupIndex, state->shader_groups);
    return s.skip;
}
