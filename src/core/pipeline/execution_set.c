/* Checks that an indirect execution set may be created, changed and destroyed (33 "Device-Generated
 * Commands"). Drivers allocate the maximum number of members, and use any index unchecked. */
#include "report/finding/rule.h"
#include "state/pipeline/execution_set.h"

#include <string.h>

#include <spirv/unified1/spirv.h>

#include "core/hooks.h"
#include "core/destroy/in_use.h"
#include "spirv/module/reflect.h"
#include "state/command/command_buffer.h"
#include "state/pipeline/pipeline.h"
#include "state/pipeline/shader.h"

/* Stages of ray tracing pipelines. */
#define RAY_TRACING_STAGES                                                \
    (VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_ANY_HIT_BIT_KHR |   \
     VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR | \
     VK_SHADER_STAGE_INTERSECTION_BIT_KHR | VK_SHADER_STAGE_CALLABLE_BIT_KHR)
/* The most writes of one call that are compared with each other. */
#define WRITES_COMPARED 1024

typedef VkPhysicalDeviceDeviceGeneratedCommandsPropertiesEXT generated_limits;

/* The limits of VK_EXT_device_generated_commands. */
static const generated_limits *limits_of(const struct call *call)
{
    return &call->device->extended.DeviceGeneratedCommandsPropertiesEXT;
}

/* Stops the call if something is wrong, as the driver would use a wrong pipeline or shader. */
static bool stop_if_wrong(const struct subject *s)
{
    return s->wrong && !mem_failures() ? call_stop(s->call, s->skip) : s->skip;
}

/* --- creation --- */

/* Checks that the device supports sets of pipelines of this kind. */
static void check_bind_point(struct subject *s, const struct pipeline *pipeline,
                             VkShaderStageFlags supported)
{
    assert(pipeline);
    static const char lacks[] =
        "is a %s pipeline, but supportedIndirectCommandsShaderStagesPipelineBinding is %s";
    const struct value_text text = value_text(VALUES_VkShaderStageFlags, supported);
    REQUIRE(s, RULE_11015,
            pipeline->bind_point != VK_PIPELINE_BIND_POINT_COMPUTE ||
                supported & VK_SHADER_STAGE_COMPUTE_BIT,
            "initialPipeline", lacks, "compute", text.text);
    REQUIRE(s, RULE_11016,
            pipeline->bind_point != VK_PIPELINE_BIND_POINT_GRAPHICS ||
                supported & VK_SHADER_STAGE_FRAGMENT_BIT,
            "initialPipeline", lacks, "graphics", text.text);
    REQUIRE(s, RULE_11017,
            pipeline->bind_point != VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR ||
                supported & RAY_TRACING_STAGES,
            "initialPipeline", lacks, "ray tracing", text.text);
}

/* True if the layout has a buffer descriptor with a dynamic offset in the binding. */
static bool is_dynamic_buffer(const struct descriptor_binding *binding)
{
    return binding->type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
           binding->type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

/* initialPipeline must not use descriptors of type VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC or
 * VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC. What its layout has and no shader names, it does not
 * use. */
static void check_used_descriptors(struct subject *s, const struct pipeline *pipeline)
{
    const struct pipeline_layout *layout = pipeline->layout;
    for (uint32_t i = 0; layout && i < pipeline->stage_count; i++) {
        const struct spirv_entry_point *entry = pipeline_stage_entry(&pipeline->stage[i]);
        for (uint32_t k = 0; entry && k < entry->binding_count; k++) {
            const struct spirv_binding *used =
                &pipeline->stage[i].shader->reflection->bindings[entry->first_binding + k];
            const struct descriptor_layout *set =
                used->set < layout->set_count ? layout->sets[used->set] : NULL;
            const struct descriptor_binding *binding =
                set ? descriptor_layout_find(set, used->binding) : NULL;
            REQUIRE_NEXT(s, VUID_VkIndirectExecutionSetPipelineInfoEXT_initialPipeline_11019,
                         !binding || !is_dynamic_buffer(binding), "initialPipeline",
                         "uses binding %u of set %u, which is of %s", used->binding, used->set,
                         TEXT_OF(VkDescriptorType, binding->type));
        }
    }
}

/* Checks an execution set of pipelines, and its initial pipeline. A wrong count keeps the call from
 * the driver. */
static bool check_pipelines(struct call *call, const struct location *where,
                            const VkIndirectExecutionSetPipelineInfoEXT *info)
{
    struct subject count = {.call = call, .where = where}, s = count;
    const struct pipeline *pipeline = find_pipeline(call, info->initialPipeline);
    const uint32_t most = limits_of(call)->maxIndirectPipelineCount;
    REQUIRE(&count, RULE_11018, info->maxPipelineCount && info->maxPipelineCount <= most,
            "maxPipelineCount", "is %u, which is not between 1 and maxIndirectPipelineCount (%u)",
            info->maxPipelineCount, most);
    bool skip = stop_if_wrong(&count);
    if (!pipeline)
        return skip;
    s.objects = OBJECT(HANDLE_PIPELINE, info->initialPipeline);
    REQUIRE(&s, RULE_11153, pipeline->flags & VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT,
            "initialPipeline",
            "was created without VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT");
    check_bind_point(&s, pipeline,
                     limits_of(call)->supportedIndirectCommandsShaderStagesPipelineBinding);
    if (!s.wrong)
        check_used_descriptors(&s, pipeline);
    return skip | s.skip;
}

/* Checks one initial shader object of an execution set, and adds its stage to `stages`. */
static bool check_initial_shader(const struct call *call, const struct location *where,
                                 VkShaderEXT handle, VkShaderStageFlags *stages)
{
    const struct shader_object *shader = find_shader_object(call, handle);
    const VkShaderStageFlags supported =
        limits_of(call)->supportedIndirectCommandsShaderStagesShaderBinding;
    if (!shader)
        return false;
    const struct value_text stage = value_text(VALUES_VkShaderStageFlags, shader->stage);
    const struct finding_objects *objects = OBJECT(HANDLE_SHADER_EXT, handle);
    struct subject s = {.call = call, .objects = objects};
    REQUIRE(&s, RULE_11020, shader->stage & supported, where,
            "is of %s, but supportedIndirectCommandsShaderStagesShaderBinding is %s", stage.text,
            value_text(VALUES_VkShaderStageFlags, supported).text);
    REQUIRE(&s, RULE_11023, !(shader->stage & *stages), where,
            "is of %s, as is an element before it", stage.text);
    *stages |= shader->stage;
    return s.skip;
}

/* All members of pSetLayouts must not contain descriptors of type
 * VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC or VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC */
static bool check_set_layouts(const struct call *call, const struct location *where,
                              const VkIndirectExecutionSetShaderLayoutInfoEXT *info)
{
    struct subject s = {.call = call};
    for (uint32_t i = 0; !pointer_is_bad(info->pSetLayouts) && i < info->setLayoutCount; i++) {
        const struct descriptor_layout *layout = find_descriptor_layout(call, info->pSetLayouts[i]);
        for (uint32_t k = 0; layout && k < layout->binding_count; k++)
            REQUIRE_OF(&s, OBJECT(HANDLE_DESCRIPTOR_SET_LAYOUT, info->pSetLayouts[i]),
                       VUID_VkIndirectExecutionSetShaderLayoutInfoEXT_pSetLayouts_11024,
                       !is_dynamic_buffer(&layout->bindings[k]),
                       &LOCATION_INDEX(where, "pSetLayouts", i), "has binding %u of %s",
                       layout->bindings[k].binding,
                       TEXT_OF(VkDescriptorType, layout->bindings[k].type));
    }
    return s.skip;
}

/* Checks that all shaders of a set use descriptor heaps, or none does. */
static void check_initial_heaps(struct subject *s, const VkIndirectExecutionSetShaderInfoEXT *info)
{
    uint32_t with = 0, without = 0;
    for (uint32_t i = 0; i < info->shaderCount; i++) {
        const struct shader_object *shader = find_shader_object(s->call, info->pInitialShaders[i]);
        const bool heaps = shader && shader->flags & VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT;
        with += heaps;
        without += shader && !heaps;
    }
    /* If any element of pInitialShaders was created without
     * VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT, all elements must have been created without */
    const char *text =
        "has %u shaders created with VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT, and %u without";
    if (with > without)
        /* If any element was created with it, all elements must have been: the few are wrong. */
        REQUIRE(s, RULE_11321, !without, "pInitialShaders", text, with, without);
    else
        REQUIRE(s, RULE_11322, !with || !without, "pInitialShaders", text, with, without);
    /* If elements of pInitialShaders were created with VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT,
     * pSetLayoutInfos must be NULL */
    REQUIRE(s, RULE_11323, !with || without || !info->pSetLayoutInfos, "pSetLayoutInfos",
            "is not NULL, but the shaders were created with "
            "VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT");
}

/* Checks an execution set of shader objects. A wrong count keeps the call from the driver. */
static bool check_shaders(struct call *call, const struct location *where,
                          const VkIndirectExecutionSetShaderInfoEXT *info)
{
    struct subject count = {.call = call, .where = where};
    const uint32_t most = limits_of(call)->maxIndirectShaderObjectCount;
    VkShaderStageFlags stages = 0;
    bool skip = false;
    REQUIRE(&count, RULE_11021, info->maxShaderCount, "maxShaderCount", "is 0");
    REQUIRE(&count, RULE_11022, info->maxShaderCount <= most, "maxShaderCount",
            "is %u, more than maxIndirectShaderObjectCount (%u)", info->maxShaderCount, most);
    if (info->maxShaderCount) /* a count of 0 is already reported */
        REQUIRE(&count, RULE_11036, info->maxShaderCount >= info->shaderCount, "maxShaderCount",
                "is %u, but there are %u initial shaders (shaderCount)", info->maxShaderCount,
                info->shaderCount);
    for (uint32_t i = 0; i < info->shaderCount; i++)
        skip |= check_initial_shader(call, &LOCATION_INDEX(where, "pInitialShaders", i),
                                     info->pInitialShaders[i], &stages);
    struct subject heaps = {.call = call, .where = where};
    check_initial_heaps(&heaps, info);
    for (uint32_t i = 0; !pointer_is_bad(info->pSetLayoutInfos) && i < info->shaderCount; i++)
        skip |= check_set_layouts(call, &LOCATION_INDEX(where, "pSetLayoutInfos", i),
                                  &info->pSetLayoutInfos[i]);
    return stop_if_wrong(&count) | skip | heaps.skip;
}

bool core_validate_CreateIndirectExecutionSetEXT(struct call *call, VkDevice device,
                                                 const VkIndirectExecutionSetCreateInfoEXT
                                                     *pCreateInfo,
                                                 const VkAllocationCallbacks *pAllocator,
                                                 VkIndirectExecutionSetEXT *pIndirectExecutionSet)
{
    const struct location where = LOCATION_POINTER(NULL, "pCreateInfo"),
                          info = LOCATION(&where, "info");
    struct subject s = {.call = call, .where = &where};
    if (pCreateInfo->type == VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT)
        return check_pipelines(call, &LOCATION_POINTER(&info, "pPipelineInfo"),
                               pCreateInfo->info.pPipelineInfo);
    if (pCreateInfo->type != VK_INDIRECT_EXECUTION_SET_INFO_TYPE_SHADER_OBJECTS_EXT)
        /* it is not a value of the type, which is already reported: which pointer is used is not
         * known */
        return call_stop(call, true);
    REQUIRE(&s, RULE_11014,
            subject_has(&s, FEATURE_shaderObject) && limits_of(call)->maxIndirectShaderObjectCount,
            "type", "is VK_INDIRECT_EXECUTION_SET_INFO_TYPE_SHADER_OBJECTS_EXT, but %s",
            subject_has(&s, FEATURE_shaderObject) ? "maxIndirectShaderObjectCount is 0"
                                                  : "the feature shaderObject is not enabled");
    if (s.wrong)
        return stop_if_wrong(&s);
    return check_shaders(call, &LOCATION_POINTER(&info, "pShaderInfo"),
                         pCreateInfo->info.pShaderInfo);
}

/* --- changes --- */

/* Each element must have a unique index. True if no earlier write has the index of write `i`.
 * `indices`: the first index; the others follow every `stride` bytes. */
static bool is_first(const uint32_t *indices, size_t stride, uint32_t i)
{
    assert(indices && stride);
    for (uint32_t k = 0; k < i && i < WRITES_COMPARED; k++) {
        if (*(const uint32_t *)((const char *)indices + k * stride) ==
            *(const uint32_t *)((const char *)indices + i * stride))
            return false;
    }
    return true;
}

/* --- what fragment shaders write beside colors --- */

/* Sets of outputs, with a bit for each of FragDepth, SampleMask and FragStencilRefEXT. */
struct outputs {
    uint32_t declared, written;           /* `written`: by code that the entry point can reach */
    const struct spirv_interface *leaves; /* of the entry point */
    uint32_t count;
};

/* Returns which of FragDepth, SampleMask and FragStencilRefEXT an entry point declares, and which
 * it writes. */
static struct outputs outputs_of(const struct spirv_reflection *code,
                                 const struct spirv_entry_point *entry)
{
    assert(code && entry);
    struct outputs outputs = {.leaves = &code->interfaces[entry->first_interface],
                              .count = entry->interface_count};
    for (uint32_t i = 0; i < entry->interface_count; i++) {
        const struct spirv_interface *leaf = &code->interfaces[entry->first_interface + i];
        const uint32_t bit = leaf->storage != SpvStorageClassOutput         ? 0
                             : leaf->builtin == SpvBuiltInFragDepth         ? 1
                             : leaf->builtin == SpvBuiltInSampleMask        ? 2
                             : leaf->builtin == SpvBuiltInFragStencilRefEXT ? 4
                                                                            : 0;
        outputs.declared |= bit;
        if (leaf->access & SPIRV_ACCESS_WRITE && !(leaf->access & SPIRV_ACCESS_PASSED))
            outputs.written |= bit;
    }
    return outputs;
}

/* The first location that one shader writes and the other one does not declare in the same form;
 * SPIRV_NONE: there is none. Arrays are not compared. */
static uint32_t outputs_differ_at(const struct outputs *outputs, const struct outputs *others)
{
    for (uint32_t i = 0; i < outputs->count; i++) {
        const struct spirv_interface *a = &outputs->leaves[i];
        bool same = a->storage != SpvStorageClassOutput || a->location == SPIRV_NONE ||
                    a->elements != 1 || !(a->access & SPIRV_ACCESS_WRITE) ||
                    a->access & SPIRV_ACCESS_PASSED;
        for (uint32_t k = 0; k < others->count && !same; k++) {
            const struct spirv_interface *b = &others->leaves[k];
            same =
                b->storage == SpvStorageClassOutput && b->location != SPIRV_NONE &&
                (b->elements != 1 || (b->location == a->location && b->component == a->component &&
                                      b->index == a->index && b->numeric == a->numeric &&
                                      b->width == a->width && b->components == a->components));
        }
        if (!same)
            return a->location;
    }
    return SPIRV_NONE;
}

/* Each fragment shader must match the one that the set was created with in its outputs, and in its
 * use of FragDepth, SampleMask and StencilExportEXT. An output that is declared and not written may
 * count as used. */
static void execution_set_check_outputs(struct subject *s, const char *member,
                                        const struct outputs *outputs,
                                        const struct outputs *initial, const enum rule rules[4])
{
    static const char *const names[] = {"FragDepth", "SampleMask", "FragStencilRefEXT"};
    const uint32_t more = outputs->written & ~initial->declared,
                   less = initial->written & ~outputs->declared;
    for (uint32_t i = 0; i < ARRAY_LENGTH(names); i++)
        REQUIRE(s, rules[i], !((more | less) >> i & 1), member,
                "has a fragment shader that %s %s, but that of what the set was created with %s",
                more >> i & 1 ? "writes" : "does not write", names[i],
                more >> i & 1 ? "does not" : "does");
    uint32_t location = outputs_differ_at(outputs, initial);
    location = location == SPIRV_NONE ? outputs_differ_at(initial, outputs) : location;
    REQUIRE(s, rules[3], location == SPIRV_NONE, member,
            "has a fragment shader whose output at location %u is not that of what the set was "
            "created with",
            location);
}

/* Finds the outputs of the pipeline's fragment shader. False: it is not known, or there is none. */
static bool pipeline_outputs(const struct pipeline *pipeline, struct outputs *outputs)
{
    assert(pipeline);
    for (uint32_t i = 0; i < pipeline->stage_count; i++) {
        const struct spirv_entry_point *entry = pipeline_stage_entry(&pipeline->stage[i]);
        if (pipeline->stage[i].stage != VK_SHADER_STAGE_FRAGMENT_BIT || !entry || entry->truncated)
            continue;
        *outputs = outputs_of(pipeline->stage[i].shader->reflection, entry);
        return true;
    }
    return false;
}

/* Finds the outputs of a shader object. False: its code is not fully known. */
static bool shader_outputs(const struct shader_object *shader, struct outputs *outputs)
{
    const struct spirv_reflection *code =
        shader && shader->shader ? shader->shader->reflection : NULL;
    if (!code || shader->entry_point >= code->entry_count ||
        code->entries[shader->entry_point].truncated)
        return false;
    *outputs = outputs_of(code, &code->entries[shader->entry_point]);
    return true;
}

/* Checks that the members of an execution set use descriptor heaps if and only if its initial
 * pipeline or shaders do. */
static void check_heaps(struct subject *s, const struct pipeline *pipeline,
                        const struct pipeline *initial)
{
    const VkPipelineCreateFlags2 flag = VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT;
    const bool heaps = pipeline->flags & flag;
    /* If initialPipeline was created without VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT, each
     * pipeline in pExecutionSetWrites must also have been created without */
    REQUIRE(s, RULE_11324, initial->flags & flag || !heaps, "pipeline",
            "was created with VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT, but the pipeline that "
            "the set was created with was not");
    /* If ... with, each pipeline must also have been created with */
    REQUIRE(s, RULE_11325, !(initial->flags & flag) || heaps, "pipeline",
            "was created without VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT, but the pipeline "
            "that the set was created with was created with it");
}

/* If initialPipeline was created without VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT, the layout
 * of each pipeline in pExecutionSetWrites must be compatible with the initialPipeline. Sets that
 * only one of the layouts has are left open. */
static void check_layout_like_initial(struct subject *s, const struct pipeline *pipeline,
                                      const struct pipeline *initial)
{
    const struct pipeline_layout *a = pipeline->layout, *b = initial->layout;
    if (!a || !b ||
        (initial->flags | pipeline->flags) & VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT)
        return;
    const uint32_t sets = a->set_count < b->set_count ? a->set_count : b->set_count;
    const bool same = a->push_constant_compatibility == b->push_constant_compatibility &&
                      (!sets || a->compatibility[sets - 1] == b->compatibility[sets - 1]);
    REQUIRE(s, RULE_11039, same, "pipeline",
            "has a layout that is not compatible with that of the pipeline that the set was "
            "created "
            "with: %s differ",
            a->push_constant_compatibility == b->push_constant_compatibility
                ? "descriptor sets"
                : "push constant ranges");
}

/* Each pipeline must have identically defined state, and the same stages, as the one that the set
 * was created with. Static values are compared unless something makes them ignored. */
static void check_like_initial(struct subject *s, const struct pipeline *pipeline,
                               const struct pipeline *initial)
{
    assert(pipeline && initial);
    const struct finding_objects *objects = s->objects;
    s->objects = OBJECT2(HANDLE_PIPELINE, object_state_handle(&pipeline->base), HANDLE_PIPELINE,
                         object_state_handle(&initial->base));
    REQUIRE(s, RULE_11152, pipeline->stages == initial->stages, "pipeline",
            "has the stages %s, but the set was created with a pipeline of %s",
            value_text(VALUES_VkShaderStageFlags, pipeline->stages).text,
            value_text(VALUES_VkShaderStageFlags, initial->stages).text);
    const bool same = memcmp(&pipeline->dynamic, &initial->dynamic, sizeof(pipeline->dynamic)) == 0;
    if (pipeline->stages == initial->stages)
        REQUIRE(s, RULE_11040, same, "pipeline",
                "has other dynamic states than the pipeline that the set was created with");
    if (same && pipeline->stages == initial->stages && pipeline->has_rasterization &&
        initial->has_rasterization && !pipeline_is_dynamic(pipeline, DYNAMIC_CULL_MODE))
        REQUIRE(s, RULE_11040, pipeline->rasterization.cullMode == initial->rasterization.cullMode,
                "pipeline",
                "has cullMode %s, but the pipeline that the set was created with has %s",
                value_text(VALUES_VkCullModeFlags, pipeline->rasterization.cullMode).text,
                value_text(VALUES_VkCullModeFlags, initial->rasterization.cullMode).text);
    check_heaps(s, pipeline, initial);
    check_layout_like_initial(s, pipeline, initial);
    static const enum rule rules[] = {RULE_11098, RULE_11086, RULE_11085, RULE_11147};
    struct outputs outputs, wanted;
    if (pipeline_outputs(pipeline, &outputs) && pipeline_outputs(initial, &wanted))
        execution_set_check_outputs(s, "pipeline", &outputs, &wanted, rules);
    s->objects = objects;
}

/* Checks write `i` to an execution set of pipelines. `fits`: there are at most as many elements as
 * places; otherwise their indices cannot all differ. */
static bool check_pipeline_write(struct call *call, const struct execution_set *set,
                                 const VkWriteIndirectExecutionSetPipelineEXT *writes, uint32_t i,
                                 bool fits)
{
    assert(set && writes);
    const struct location at = LOCATION_INDEX(NULL, "pExecutionSetWrites", i);
    struct subject index = {.call = call, .where = &at}, s = index;
    const struct pipeline *pipeline = find_pipeline(call, writes[i].pipeline),
                          *initial = pipeline_by_id(set->initial_pipeline);
    REQUIRE(&index, RULE_11026, writes[i].index < set->count, "index",
            "is %u, but the set has a maxPipelineCount of %u", writes[i].index, set->count);
    REQUIRE(&s, RULE_11042, !fits || is_first(&writes->index, sizeof(*writes), i), "index",
            "is %u, as in an element before it", writes[i].index);
    if (!pipeline)
        return stop_if_wrong(&index) | s.skip;
    s.objects = OBJECT(HANDLE_PIPELINE, writes[i].pipeline);
    REQUIRE(&s, RULE_11027, pipeline->flags & VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT,
            "pipeline", "was created without VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT");
    const VkShaderStageFlags supported =
        limits_of(call)->supportedIndirectCommandsShaderStagesPipelineBinding;
    /* The shader stages contained in pipeline must be supported by
     * supportedIndirectCommandsShaderStagesPipelineBinding */
    REQUIRE(&s, VUID_VkWriteIndirectExecutionSetPipelineEXT_pipeline_11030,
            !supported || !(pipeline->stages & ~supported), "pipeline",
            "is of %s, but supportedIndirectCommandsShaderStagesPipelineBinding is %s",
            TEXT_OF(VkShaderStageFlags, pipeline->stages), TEXT_OF(VkShaderStageFlags, supported));
    if (initial)
        check_like_initial(&s, pipeline, initial);
    return stop_if_wrong(&index) | s.skip;
}

bool core_validate_UpdateIndirectExecutionSetPipelineEXT(
    struct call *call, VkDevice device, VkIndirectExecutionSetEXT indirectExecutionSet,
    uint32_t executionSetWriteCount,
    const VkWriteIndirectExecutionSetPipelineEXT *pExecutionSetWrites)
{
    const struct execution_set *set = find_execution_set(call, indirectExecutionSet);
    struct subject s = {.call = call,
                        .objects = OBJECT(HANDLE_INDIRECT_EXECUTION_SET_EXT, indirectExecutionSet)};
    if (!set)
        return false;
    REQUIRE(&s, RULE_11035, set->type == VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT,
            "indirectExecutionSet",
            "was created with VK_INDIRECT_EXECUTION_SET_INFO_TYPE_SHADER_OBJECTS_EXT");
    if (s.wrong)
        return stop_if_wrong(&s);
    REQUIRE(&s, RULE_11037, executionSetWriteCount <= set->count, "executionSetWriteCount",
            "is %u, but the set has a maxPipelineCount of %u", executionSetWriteCount, set->count);
    bool skip = s.skip;
    for (uint32_t i = 0; i < executionSetWriteCount; i++)
        skip |= check_pipeline_write(call, set, pExecutionSetWrites, i, !s.wrong);
    return skip;
}

/* Checks write `i` to an execution set of shader objects. A wrong index keeps the call from the
 * driver. */
static bool check_shader_write(struct call *call, const struct execution_set *set,
                               const VkWriteIndirectExecutionSetShaderEXT *writes, uint32_t i)
{
    assert(set && writes);
    const struct location at = LOCATION_INDEX(NULL, "pExecutionSetWrites", i);
    struct subject index = {.call = call, .where = &at}, s = index;
    const struct shader_object *shader = find_shader_object(call, writes[i].shader);
    REQUIRE(&index, RULE_11031, writes[i].index < set->count, "index",
            "is %u, but the set has a maxShaderCount of %u", writes[i].index, set->count);
    REQUIRE(&s, RULE_11043, is_first(&writes->index, sizeof(*writes), i), "index",
            "is %u, as in an element before it", writes[i].index);
    if (!shader)
        return stop_if_wrong(&index) | s.skip;
    s.objects = OBJECT(HANDLE_SHADER_EXT, writes[i].shader);
    REQUIRE(&s, RULE_11033, !set->stages_known || shader->stage & set->stages, "shader",
            "is of %s, but the set was created with shaders of %s",
            value_text(VALUES_VkShaderStageFlags, shader->stage).text,
            value_text(VALUES_VkShaderStageFlags, set->stages).text);
    if (!set->stages_known)
        return stop_if_wrong(&index) | s.skip;
    const bool heaps = shader->flags & VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT;
    /* If the shaders in pInitialShaders were created without
     * VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT, each shader must also have been created without */
    REQUIRE(&s, RULE_11326, set->heaps || !heaps, "shader",
            "was created with VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT, but the shaders that the "
            "set was created with were not");
    REQUIRE(&s, RULE_11327, !set->heaps || heaps, "shader",
            "was created without VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT, but the shaders that "
            "the set was created with were created with it");
    static const enum rule rules[] = {RULE_11054, RULE_11050, RULE_11003, RULE_11148};
    struct outputs outputs, wanted;
    if (shader->stage == VK_SHADER_STAGE_FRAGMENT_BIT && set->fragment &&
        shader_outputs(shader, &outputs) &&
        shader_outputs(shader_object_by_id(set->fragment), &wanted))
        execution_set_check_outputs(&s, "shader", &outputs, &wanted, rules);
    return stop_if_wrong(&index) | s.skip;
}

bool core_validate_UpdateIndirectExecutionSetShaderEXT(struct call *call, VkDevice device,
                                                       VkIndirectExecutionSetEXT
                                                           indirectExecutionSet,
                                                       uint32_t executionSetWriteCount,
                                                       const VkWriteIndirectExecutionSetShaderEXT
                                                           *pExecutionSetWrites)
{
    const struct execution_set *set = named_execution_set(call, 0, indirectExecutionSet);
    struct subject s = {.call = call,
                        .objects = OBJECT(HANDLE_INDIRECT_EXECUTION_SET_EXT, indirectExecutionSet)};
    if (!set)
        return false;
    REQUIRE(&s, RULE_11041, set->type == VK_INDIRECT_EXECUTION_SET_INFO_TYPE_SHADER_OBJECTS_EXT,
            "indirectExecutionSet",
            "was created with VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT");
    if (s.wrong)
        return stop_if_wrong(&s);
    bool skip = false;
    for (uint32_t i = 0; i < executionSetWriteCount; i++)
        skip |= check_shader_write(call, set, pExecutionSetWrites, i);
    return skip;
}

/* --- execution --- */

bool core_validate_CmdExecuteGeneratedCommandsEXT(struct call *call, VkCommandBuffer commandBuffer,
                                                  VkBool32 isPreprocessed,
                                                  const VkGeneratedCommandsInfoEXT
                                                      *pGeneratedCommandsInfo)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    struct subject s = {.call = call};
    /* commandBuffer must not have been recorded with VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT
     */
    REQUIRE(&s, RULE_11143,
            !command_buffer ||
                !(command_buffer->usage & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT),
            "commandBuffer", "is recorded with VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT");
    return s.skip;
}

/* --- the end --- */

/* All submitted commands that refer to indirectExecutionSet must have completed execution */
bool core_validate_DestroyIndirectExecutionSetEXT(struct call *call, VkDevice device,
                                                  VkIndirectExecutionSetEXT indirectExecutionSet,
                                                  const VkAllocationCallbacks *pAllocator)
{
    const struct execution_set *set = named_execution_set(call, 0, indirectExecutionSet);
    return set && in_use_check(call, &set->base,
                               VUID_vkDestroyIndirectExecutionSetEXT_indirectExecutionSet_11025,
                               &LOCATION(NULL, "indirectExecutionSet"));
}
