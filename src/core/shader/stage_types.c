/* Checks that the device supports what an entry point declares and writes (RuntimeSpirv): small
 * numbers in buffers, images without formats, outputs, float modes. */
#include <string.h>

#include "base/thread.h"
#include "core/shader/stage.h"
#include "report/finding/rule.h"

/* --- small numbers in memory ------------------------------------------------------------------ */

/* The most types that are visited: nested structures may expand to far more types than the module
 * has words. */
#define TYPES_MOST 4096

/* True if the type contains numbers of that width. Booleans do not count, and neither do 8-bit
 * floats, which need a capability of their own. `depth` and `work` limit the levels and the types
 * that are visited. */
static bool has_width(const struct spirv_reflection *reflection, uint32_t index, uint32_t width,
                      uint32_t depth, uint32_t *work)
{
    const struct spirv_type *type =
        index < reflection->type_count ? &reflection->types[index] : NULL;
    if (!type || !depth || !*work)
        return false;
    --*work;
    switch (type->opcode) {
    case SpvOpTypeInt:
        return type->width == width;
    case SpvOpTypeFloat:
        return width == 16 && type->width == width;
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
    case SpvOpTypeArray:
    case SpvOpTypeRuntimeArray:
        return has_width(reflection, type->element, width, depth - 1, work);
    case SpvOpTypeStruct:
        for (uint32_t i = 0; i < type->member_count; i++) {
            if (has_width(reflection, reflection->members[type->first_member + i].type, width,
                          depth - 1, work))
                return true;
        }
        return false;
    default:
        return false;
    }
}

/* A storage class in which numbers of 8 or 16 bits need a feature. Threads: constant. */
struct small_numbers {
    uint16_t vuid;               /* enum vuid */
    uint8_t width;               /* in bits */
    uint32_t storage;            /* the storage class */
    enum feature feature, other; /* either feature allows such numbers */
    const char *name;
};
static const struct small_numbers small_numbers[] = {
    /* If storageBuffer8BitAccess is VK_FALSE, then objects containing an 8-bit integer element must
     * not have Storage Class of StorageBuffer, ... */
    {VUID_RuntimeSpirv_storageBuffer8BitAccess_06328, 8, SpvStorageClassStorageBuffer,
     FEATURE_storageBuffer8BitAccess, FEATURE_uniformAndStorageBuffer8BitAccess,
     "storageBuffer8BitAccess"},
    /* If storageBuffer16BitAccess is VK_FALSE, ... unless storageBuffer8BitAccess is VK_TRUE */
    {VUID_RuntimeSpirv_storageBuffer16BitAccess_11161, 16, SpvStorageClassStorageBuffer,
     FEATURE_storageBuffer16BitAccess, FEATURE_storageBuffer8BitAccess, "storageBuffer16BitAccess"},
    /* If uniformAndStorageBuffer8BitAccess is VK_FALSE, then objects in the Uniform Storage Class
     * with the Block decoration must not have an 8-bit integer member */
    {VUID_RuntimeSpirv_uniformAndStorageBuffer8BitAccess_06329, 8, SpvStorageClassUniform,
     FEATURE_uniformAndStorageBuffer8BitAccess, FEATURE_uniformAndStorageBuffer8BitAccess,
     "uniformAndStorageBuffer8BitAccess"},
    {VUID_RuntimeSpirv_uniformAndStorageBuffer16BitAccess_06332, 16, SpvStorageClassUniform,
     FEATURE_uniformAndStorageBuffer16BitAccess, FEATURE_uniformAndStorageBuffer8BitAccess,
     "uniformAndStorageBuffer16BitAccess"},
    /* If storagePushConstant8 is VK_FALSE, then objects containing an 8-bit integer element must
     * not have Storage Class of PushConstant */
    {VUID_RuntimeSpirv_storagePushConstant8_06330, 8, SpvStorageClassPushConstant,
     FEATURE_storagePushConstant8, FEATURE_storagePushConstant8, "storagePushConstant8"},
    {VUID_RuntimeSpirv_storagePushConstant16_06333, 16, SpvStorageClassPushConstant,
     FEATURE_storagePushConstant16, FEATURE_storagePushConstant8, "storagePushConstant16"},
    /* If workgroupMemoryExplicitLayout8BitAccess is VK_FALSE, then objects in the Workgroup Storage
     * Class with the Block decoration must not have an 8-bit integer element */
    {VUID_RuntimeSpirv_workgroupMemoryExplicitLayout8BitAccess_10756, 8, SpvStorageClassWorkgroup,
     FEATURE_workgroupMemoryExplicitLayout8BitAccess,
     FEATURE_workgroupMemoryExplicitLayout8BitAccess, "workgroupMemoryExplicitLayout8BitAccess"},
    /* ... 16-bit ... unless workgroupMemoryExplicitLayout8BitAccess is VK_TRUE */
    {VUID_RuntimeSpirv_workgroupMemoryExplicitLayout16BitAccess_10757, 16, SpvStorageClassWorkgroup,
     FEATURE_workgroupMemoryExplicitLayout16BitAccess,
     FEATURE_workgroupMemoryExplicitLayout8BitAccess, "workgroupMemoryExplicitLayout16BitAccess"},
};

static const char *block_name(uint32_t storage)
{
    return storage == SpvStorageClassPushConstant ? "push constant block"
           : storage == SpvStorageClassWorkgroup  ? "shared block"
                                                  : "buffer";
}

/* Checks that 8-bit and 16-bit numbers in a block are allowed in its storage class. */
static void check_small_numbers(struct subject *s, const struct shader_stage *stage,
                                uint32_t storage, uint32_t type, uint32_t name)
{
    const struct spirv_reflection *reflection = stage->reflection;
    for (size_t i = 0; i < ARRAY_LENGTH(small_numbers); i++) {
        const struct small_numbers *rule = &small_numbers[i];
        uint32_t work = TYPES_MOST;
        if (rule->storage != storage || subject_has(s, rule->feature) ||
            subject_has(s, rule->other) || subject_has(s, FEATURE_shaderUntypedPointers))
            continue;
        REQUIRE(s, (enum vuid)rule->vuid, !has_width(reflection, type, rule->width, 16, &work),
                stage->where,
                "uses the %s %s with numbers of %u bits, but the %s feature is not enabled",
                block_name(storage), shader_text(stage, name), rule->width, rule->name);
    }
}

/* True if the module declares small types. If it does not, SPIRV-Tools already reports each small
 * type. */
static bool declares_small_types(const struct spirv_reflection *reflection)
{
    static const uint32_t capabilities[] = {
        SpvCapabilityInt8,
        SpvCapabilityInt16,
        SpvCapabilityFloat16,
        SpvCapabilityStorageBuffer8BitAccess,
        SpvCapabilityUniformAndStorageBuffer8BitAccess,
        SpvCapabilityStoragePushConstant8,
        SpvCapabilityStorageBuffer16BitAccess,
        SpvCapabilityUniformAndStorageBuffer16BitAccess,
        SpvCapabilityStoragePushConstant16,
        SpvCapabilityStorageInputOutput16,
        SpvCapabilityWorkgroupMemoryExplicitLayout8BitAccessKHR,
        SpvCapabilityWorkgroupMemoryExplicitLayout16BitAccessKHR,
    };
    for (size_t i = 0; i < ARRAY_LENGTH(capabilities); i++) {
        if (spirv_has_capability(reflection, capabilities[i]))
            return true;
    }
    return false;
}

/* --- bindings --------------------------------------------------------------------------------- */

/* True if the type is a block that ends with a runtime array. */
static bool has_unsized_end(const struct spirv_reflection *reflection, uint32_t index)
{
    const struct spirv_type *type =
        index < reflection->type_count ? &reflection->types[index] : NULL;
    if (!type || type->opcode != SpvOpTypeStruct || !type->member_count ||
        !(type->flags & SPIRV_TYPE_BLOCK))
        return false;
    index = reflection->members[type->first_member + type->member_count - 1].type;
    return index < reflection->type_count &&
           reflection->types[index].opcode == SpvOpTypeRuntimeArray;
}

/* Checks the block of a buffer. With `small`, its small numbers are checked too. */
static void check_buffer(struct subject *s, const struct shader_stage *stage,
                         const struct spirv_binding *binding, bool small)
{
    const bool block = binding->type < stage->reflection->type_count &&
                       stage->reflection->types[binding->type].flags & SPIRV_TYPE_BLOCK;
    if (!block)
        return;
    if (small)
        check_small_numbers(s, stage, binding->storage, binding->type, binding->name);
    /* If the shaderUniformBufferUnsizedArray feature is not enabled, OpTypeRuntimeArray must not be
     * used for the last member of a Block-decorated OpTypeStruct in the Uniform Storage Class */
    if (binding->storage == SpvStorageClassUniform &&
        !subject_has(s, FEATURE_shaderUniformBufferUnsizedArray))
        REQUIRE(s, VUID_RuntimeSpirv_shaderUniformBufferUnsizedArray_11806,
                !has_unsized_end(stage->reflection, binding->type), stage->where,
                "uses the uniform buffer %s, which ends with a runtime array; the "
                "shaderUniformBufferUnsizedArray feature is not enabled",
                shader_text(stage, binding->name));
}

/* True if the physical device is older than 1.3 and does not support VK_KHR_format_feature_flags2.
 * Then features alone decide on reads and writes without a format. */
static bool is_without_format_features(const struct device *device)
{
    const struct instance *instance = device->instance;
    uint32_t count = 0;
    if (device->properties.apiVersion >= VK_API_VERSION_1_3 ||
        instance->dispatch.EnumerateDeviceExtensionProperties(device->physical_device, NULL, &count,
                                                              NULL) != VK_SUCCESS)
        return false;
    VkExtensionProperties *properties =
        scratch_alloc(&thread_self()->scratch, (count + 1) * sizeof(*properties));
    if (!properties ||
        instance->dispatch.EnumerateDeviceExtensionProperties(device->physical_device, NULL, &count,
                                                              properties) != VK_SUCCESS)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(properties[i].extensionName, VK_KHR_FORMAT_FEATURE_FLAGS_2_EXTENSION_NAME) == 0)
            return false;
    }
    return true;
}

/* any variable created with a "Type" of OpTypeImage that has a "Sampled" operand of 2 and an "Image
 * Format" operand of Unknown must be decorated with NonReadable (NonWritable), where the
 * shaderStorageImageReadWithoutFormat (...WriteWithoutFormat) feature is not enabled */
static void check_formatless(struct subject *s, const struct shader_stage *stage,
                             const struct spirv_binding *binding)
{
    const struct spirv_reflection *reflection = stage->reflection;
    const bool read = !(binding->flags & SPIRV_NON_READABLE) &&
                      !subject_has(s, FEATURE_shaderStorageImageReadWithoutFormat),
               written = !(binding->flags & SPIRV_NON_WRITABLE) &&
                         !subject_has(s, FEATURE_shaderStorageImageWriteWithoutFormat);
    if (binding->type >= reflection->type_count || (!read && !written))
        return;
    const struct spirv_type *type = &reflection->types[binding->type];
    if (type->opcode != SpvOpTypeImage || type->image_sampled != 2 ||
        type->image_format != SpvImageFormatUnknown || !is_without_format_features(s->call->device))
        return;
    if (read)
        BROKEN(s, VUID_RuntimeSpirv_apiVersion_07955, stage->where,
               "uses the image %s, which has no format and is not decorated with NonReadable; the "
               "shaderStorageImageReadWithoutFormat feature is not enabled",
               shader_text(stage, binding->name));
    if (written)
        BROKEN(s, VUID_RuntimeSpirv_apiVersion_07954, stage->where,
               "uses the image %s, which has no format and is not decorated with NonWritable; the "
               "shaderStorageImageWriteWithoutFormat feature is not enabled",
               shader_text(stage, binding->name));
}

/* If storageInputOutput16 is VK_FALSE, then objects containing 16-bit integer or 16-bit
 * floating-point elements must not have storage class of Input or Output. Objects containing 8-bit
 * integer or 8-bit floating-point elements must never have it. */
static void check_small_interface(struct subject *s, const struct shader_stage *stage)
{
    const bool halves = subject_has(s, FEATURE_storageInputOutput16);
    for (uint32_t i = 0; i < stage->entry->interface_count; i++) {
        const struct spirv_interface *leaf = shader_leaf(stage, i);
        if ((leaf->width != 8 && (leaf->width != 16 || halves)) ||
            (leaf->storage != SpvStorageClassInput && leaf->storage != SpvStorageClassOutput))
            continue;
        BROKEN(s,
               leaf->width == 8 ? VUID_RuntimeSpirv_None_10980
                                : VUID_RuntimeSpirv_storageInputOutput16_11162,
               stage->where, "has the %s %s with numbers of %u bits, %s",
               leaf->storage == SpvStorageClassInput ? "input" : "output",
               shader_text(stage, leaf->name), leaf->width,
               leaf->width == 8 ? "which no input or output may have"
                                : "but the storageInputOutput16 feature is not enabled");
        break;
    }
}

/* Checks small numbers in blocks that a workgroup shares, which have an explicit layout. */
static void check_small_shared(struct subject *s, const struct shader_stage *stage)
{
    const struct spirv_reflection *reflection = stage->reflection;
    for (uint32_t i = 0; i < stage->entry->shared_count; i++) {
        const struct spirv_shared_variable *variable =
            &reflection->shared[stage->entry->first_shared + i];
        if (variable->storage == SpvStorageClassWorkgroup &&
            variable->type < reflection->type_count &&
            reflection->types[variable->type].flags & SPIRV_TYPE_BLOCK)
            check_small_numbers(s, stage, SpvStorageClassWorkgroup, variable->type, 0);
    }
}

void check_entry_variables(struct subject *s, const struct shader_stage *stage)
{
    assert(stage->entry);
    const struct spirv_reflection *reflection = stage->reflection;
    const bool small = declares_small_types(reflection);
    const uint32_t push = stage->entry->push_constant_type;
    for (uint32_t i = 0; i < stage->entry->binding_count; i++) {
        const struct spirv_binding *binding =
            &reflection->bindings[stage->entry->first_binding + i];
        switch (binding->resource) {
        case SPIRV_RESOURCE_STORAGE_BUFFER:
        case SPIRV_RESOURCE_UNIFORM_BUFFER:
            check_buffer(s, stage, binding, small);
            break;
        case SPIRV_RESOURCE_STORAGE_IMAGE:
        case SPIRV_RESOURCE_STORAGE_TEXEL_BUFFER:
            check_formatless(s, stage, binding);
            break;
        default:
            break;
        }
    }
    if (small && push != SPIRV_NONE)
        check_small_numbers(s, stage, SpvStorageClassPushConstant, push, 0);
    if (small) {
        check_small_interface(s, stage);
        check_small_shared(s, stage);
    }
}

/* The maximum number of storage buffers, storage images, and output Location decorated color
 * attachments written to in the Fragment Execution Model must be less than or equal to
 * maxFragmentCombinedOutputResources. An array counts as one here. */
static bool check_outputs(const struct call *call, const struct shader_stage *stage)
{
    const uint32_t most = call->device->properties.limits.maxFragmentCombinedOutputResources;
    uint32_t resources = 0, locations = 0;
    if (stage->stage != VK_SHADER_STAGE_FRAGMENT_BIT)
        return false;
    for (uint32_t i = 0; i < stage->entry->binding_count; i++) {
        const struct spirv_binding *binding =
            &stage->reflection->bindings[stage->entry->first_binding + i];
        resources += (binding->resource == SPIRV_RESOURCE_STORAGE_BUFFER ||
                      binding->resource == SPIRV_RESOURCE_STORAGE_IMAGE) &&
                     binding->access & (SPIRV_ACCESS_WRITE | SPIRV_ACCESS_ATOMIC) &&
                     !(binding->access & SPIRV_ACCESS_PASSED);
    }
    for (uint32_t i = 0; i < stage->entry->interface_count; i++) {
        const struct spirv_interface *leaf =
            &stage->reflection->interfaces[stage->entry->first_interface + i];
        locations += leaf->storage == SpvStorageClassOutput && leaf->location != SPIRV_NONE &&
                     leaf->component == 0 && leaf->access & SPIRV_ACCESS_WRITE &&
                     !(leaf->access & SPIRV_ACCESS_PASSED) &&
                     (!(leaf->flags & SPIRV_HAS_INDEX) || leaf->index == 0);
    }
    return resources + locations > most &&
           BROKEN_BY(call, VUID_RuntimeSpirv_Location_06428, stage->where, STAGE_OBJECT(stage),
                     "writes %u storage buffers and images and %u color attachments, together more "
                     "than %u (maxFragmentCombinedOutputResources)",
                     resources, locations, most);
}

/* --- modes of floating-point numbers ---------------------------------------------------------- */

/* Returns which of two modes an entry point has for a width: 1, 2, or 0 for neither or both. */
static uint32_t mode_of_width(const struct shader_stage *stage, uint32_t first, uint32_t second,
                              uint32_t width)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < stage->entry->mode_count; i++) {
        const struct spirv_execution_mode *mode =
            &stage->reflection->modes[stage->entry->first_mode + i];
        if (mode->operand_count && mode->operands[0] == width && !mode->ids)
            found |= mode->mode == first ? 1u : mode->mode == second ? 2u : 0;
    }
    return found == 3 ? 0 : found;
}

/* If denormBehaviorIndependence (roundingModeIndependence) is
 * VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY, then the entry point must use the same denorms
 * (rounding) Execution Mode for both 16-bit and 64-bit floating-point types; if it is
 * VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE, for all types. What has no mode is not compared. */
static void check_independence(struct subject *s, const struct shader_stage *stage,
                               VkShaderFloatControlsIndependence independence, uint32_t first,
                               uint32_t second, enum vuid only_32, enum vuid none, const char *name,
                               const char *what)
{
    const uint32_t of_16 = mode_of_width(stage, first, second, 16),
                   of_32 = mode_of_width(stage, first, second, 32),
                   of_64 = mode_of_width(stage, first, second, 64);
    const bool outer = of_16 && of_64 && of_16 != of_64,
               inner = of_32 && ((of_16 && of_16 != of_32) || (of_64 && of_64 != of_32));
    if (independence == VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY)
        REQUIRE(s, only_32, !outer, stage->where,
                "has another %s mode for 16-bit floating-point types than for 64-bit ones, but %s "
                "is VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY",
                what, name);
    if (independence == VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE)
        REQUIRE(s, none, !outer && !inner, stage->where,
                "has %s modes that differ between floating-point types, but %s is "
                "VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE",
                what, name);
}

/* Checks that the device supports the combination of float modes of different widths. */
static bool check_float_modes(const struct call *call, const struct shader_stage *stage)
{
    const VkPhysicalDeviceFloatControlsProperties *properties =
        &call->device->extended.FloatControlsProperties;
    struct subject s = {.call = call, .objects = STAGE_OBJECT(stage)};
    if (!properties->sType || !stage->entry->mode_count)
        return false;
    check_independence(&s, stage, properties->denormBehaviorIndependence,
                       SpvExecutionModeDenormPreserve, SpvExecutionModeDenormFlushToZero,
                       VUID_RuntimeSpirv_denormBehaviorIndependence_06289,
                       VUID_RuntimeSpirv_denormBehaviorIndependence_06290,
                       "denormBehaviorIndependence", "denormals");
    check_independence(&s, stage, properties->roundingModeIndependence,
                       SpvExecutionModeRoundingModeRTE, SpvExecutionModeRoundingModeRTZ,
                       VUID_RuntimeSpirv_roundingModeIndependence_06291,
                       VUID_RuntimeSpirv_roundingModeIndependence_06292, "roundingModeIndependence",
                       "rounding");
    return s.skip;
}

bool check_stage_types(const struct call *call, const struct shader_stage *stage)
{
    struct subject s = {.call = call, .objects = STAGE_OBJECT(stage)};
    /* The GraphARM capability must not be declared in modules used to create a shader stage */
    REQUIRE(&s, VUID_RuntimeSpirv_GraphARM_09922,
            !spirv_has_capability(stage->reflection, SpvCapabilityGraphARM), stage->where,
            "declares the capability GraphARM, which is not one of shader stages");
    return s.skip;
}

bool check_entry_types(const struct call *call, const struct shader_stage *stage)
{
    struct subject s = {.call = call, .objects = STAGE_OBJECT(stage)};
    const bool tiles = spirv_has_capability(stage->reflection, SpvCapabilityTileShadingQCOM);
    /* The TileShadingQCOM capability must not be declared in the fragment stage unless the
     * tileShadingFragmentStage feature is enabled */
    if (stage->stage == VK_SHADER_STAGE_FRAGMENT_BIT)
        REQUIRE(&s, VUID_RuntimeSpirv_TileShadingQCOM_10699,
                !tiles || subject_has(&s, FEATURE_tileShadingFragmentStage), stage->where,
                "declares the capability TileShadingQCOM, and the tileShadingFragmentStage feature "
                "is not enabled");
    /* TileShadingQCOM capability must not be declared in the compute stage unless the tileShading
     * feature is enabled */
    if (stage->stage == VK_SHADER_STAGE_COMPUTE_BIT)
        REQUIRE(&s, VUID_RuntimeSpirv_TileShadingQCOM_10698,
                !tiles || subject_has(&s, FEATURE_tileShading), stage->where,
                "declares the capability TileShadingQCOM, and the tileShading feature is not "
                "enabled");
    return s.skip | check_outputs(call, stage) | check_float_modes(call, stage);
}
