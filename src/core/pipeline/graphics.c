/* Checks that a graphics pipeline is complete: its stages, flags, dynamic states, and required
 * structures (10.6 "Graphics Pipelines"). The content of the structures is checked in
 * graphics_vertex.c, graphics_raster.c, graphics_fragment.c and graphics_rendering.c; libraries in
 * graphics_library.c. */
#include "core/hooks.h"
#include "core/pipeline/checks.h"

#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "vk/pointer.h"

/* Pre-rasterization stages of pipelines with vertex shaders. */
#define STAGES_PRIMITIVE                                                     \
    (VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | \
     VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT | VK_SHADER_STAGE_GEOMETRY_BIT)
#define STAGES_MESH              (VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT)
#define STAGES_PRE_RASTERIZATION (STAGES_PRIMITIVE | STAGES_MESH)
/* Stages of other kinds of pipelines. */
#define STAGES_OF_OTHERS                                                     \
    (VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_RAYGEN_BIT_KHR |          \
     VK_SHADER_STAGE_ANY_HIT_BIT_KHR | VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR | \
     VK_SHADER_STAGE_MISS_BIT_KHR | VK_SHADER_STAGE_INTERSECTION_BIT_KHR |   \
     VK_SHADER_STAGE_CALLABLE_BIT_KHR)
/* Parts of a pipeline that have shader stages. */
#define PARTS_WITH_SHADERS (PART_PRE_RASTERIZATION | PART_FRAGMENT_SHADER)

/* --- flags --- */

/* Checks the flags of a library. */
static bool check_graphics_flags(const struct call *call, const struct location *where,
                                 const struct graphics_info *graphics)
{
    VkPipelineCreateFlags2 flags = graphics->flags;
    struct subject s = {.call = call};
    if (!(flags & FLAG(LIBRARY_BIT_KHR)))
        return s.skip;
    REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_graphicsPipelineLibrary_06606,
            has_feature(call, FEATURE_graphicsPipelineLibrary), where,
            "has VK_PIPELINE_CREATE_LIBRARY_BIT_KHR, which needs "
            "the graphicsPipelineLibrary feature");
    REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_flags_06608, graphics->asked != PARTS_ALL, where,
            "has VK_PIPELINE_CREATE_LIBRARY_BIT_KHR, but the pipeline has all four parts itself");
    return s.skip;
}

/* --- stages --- */

/* Checks that each element of pStages is a single stage, belongs to the pipeline's parts, and is
 * the only one of its kind. */
static bool check_stage_list(const struct call *call, const struct location *where,
                             const struct graphics_info *graphics)
{
    const VkGraphicsPipelineCreateInfo *info = graphics->info;
    struct subject s = {.call = call};
    bool pre = graphics->own & PART_PRE_RASTERIZATION,
         fragment = graphics->own & PART_FRAGMENT_SHADER;
    VkShaderStageFlags seen = 0;
    for (uint32_t i = 0; i < info->stageCount; i++) {
        VkShaderStageFlags stage = info->pStages[i].stage;
        const struct location *at = &LOCATION(&LOCATION_INDEX(where, "pStages", i), "stage");
        struct value_text text = value_text(VALUES_VkShaderStageFlags, stage);
        if (fragment && !pre)
            REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_pStages_06895,
                    !(stage & STAGES_PRE_RASTERIZATION), at,
                    "is %s, but the pipeline has no pre-rasterization shader state", text.text);
        if (pre)
            REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_pStages_06896,
                    !(stage & STAGES_OF_OTHERS) || stage == VK_SHADER_STAGE_ALL, at,
                    "is %s, which is not a stage of a graphics pipeline", text.text);
        if (stage & (stage - 1)) /* 00706 reports several bits */
            continue;
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_stage_06897, !(stage & seen), at,
                "is %s, as is an earlier element", text.text);
        seen |= stage;
    }
    return s.skip;
}

/* Checks that the pipeline has the stages which its own parts require. True: the call is to be
 * skipped. */
static bool graphics_check_stages(const struct call *call, const struct location *where,
                                  const struct graphics_info *graphics)
{
    const VkGraphicsPipelineCreateInfo *info = graphics->info;
    const struct location *stages = &LOCATION(where, "pStages"),
                          *count = &LOCATION(where, "stageCount");
    VkShaderStageFlags own = graphics->stages;
    struct subject s = {.call = call};
    if (!(graphics->own & PARTS_WITH_SHADERS)) {
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_stageCount_09587,
                info->stageCount == 0 || !graphics->known || graphics->asked & PARTS_WITH_SHADERS,
                count,
                "is %u, but the pipeline has neither pre-rasterization nor fragment shader "
                "state of its own",
                info->stageCount);
        return s.skip;
    }
    if (!(graphics->own & PART_PRE_RASTERIZATION) || pointer_is_bad(info->pStages))
        return s.skip | (info->stageCount && !pointer_is_bad(info->pStages)
                             ? check_stage_list(call, where, graphics)
                             : false);
    if (!info->stageCount)
        return s.skip; /* a row reports it */
    s.skip |= check_stage_list(call, where, graphics);
    REQUIRE(&s, STOPS(VUID_VkGraphicsPipelineCreateInfo_stage_02096),
            own & (VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_MESH_BIT_EXT) ||
                call_has_extension(call, EXTENSION_VK_HUAWEI_cluster_culling_shader),
            stages, "has neither a vertex nor a mesh shader");
    REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_pStages_02095,
            !(own & STAGES_MESH) || !(own & STAGES_PRIMITIVE), stages,
            "has stages of both mesh and primitive shading");
    return s.skip;
}

/* --- groups of shaders for generated commands (VK_NV_device_generated_commands) --- */

/* The stages of a group; 0: they cannot be read. */
static VkShaderStageFlags group_stages(const VkGraphicsShaderGroupCreateInfoNV *group)
{
    VkShaderStageFlags stages = 0;
    for (uint32_t i = 0; !pointer_is_bad(group->pStages) && i < group->stageCount; i++)
        stages |= group->pStages[i].stage;
    return stages;
}

/* Checks the groups of a complete pipeline against one another, and how many there are. */
static void graphics_check_groups(struct subject *s,
                                  const VkGraphicsPipelineShaderGroupsCreateInfoNV *groups)
{
    const uint32_t most =
        s->call->device->extended.DeviceGeneratedCommandsPropertiesNV.maxGraphicsShaderGroupCount;
    uint64_t count = groups->groupCount;
    for (uint32_t i = 0; !pointer_is_bad(groups->pPipelines) && i < groups->pipelineCount; i++) {
        const struct pipeline *pipeline = find_pipeline(s->call, groups->pPipelines[i]);
        count += pipeline ? pipeline->shader_groups : 0;
    }
    /* The sum of groupCount including those groups added from referenced pPipelines must also be as
     * maximum maxGraphicsShaderGroupCount. (A row says it of groupCount alone.) */
    REQUIRE(s, VUID_VkGraphicsPipelineShaderGroupsCreateInfoNV_groupCount_02880,
            !most || groups->groupCount > most || count <= most, "groupCount",
            "and those of pPipelines are %llu in all, more than maxGraphicsShaderGroupCount (%u)",
            (unsigned long long)count, most);
    const VkShaderStageFlags first = groups->groupCount && !pointer_is_bad(groups->pGroups)
                                         ? group_stages(&groups->pGroups[0])
                                         : 0;
    for (uint32_t i = 1; first && i < groups->groupCount; i++) {
        const VkShaderStageFlags stages = group_stages(&groups->pGroups[i]);
        const bool mixed = (first & STAGES_MESH && stages & STAGES_PRIMITIVE) ||
                           (first & STAGES_PRIMITIVE && stages & STAGES_MESH);
        /* Mesh and regular primitive shading stages cannot be mixed across pGroups. */
        REQUIRE(s, VUID_VkGraphicsPipelineShaderGroupsCreateInfoNV_pGroups_02885, !mixed,
                &LOCATION_INDEX(s->where, "pGroups", i), "has the stages %s, but pGroups[0] has %s",
                TEXT_OF(VkShaderStageFlags, stages), TEXT_OF(VkShaderStageFlags, first));
        /* All elements of pGroups must use the same shader stage combinations unless any mesh
         * shader stage is used */
        REQUIRE(s, VUID_VkGraphicsPipelineShaderGroupsCreateInfoNV_pGroups_02884,
                !stages || stages == first || (first | stages) & VK_SHADER_STAGE_MESH_BIT_EXT,
                &LOCATION_INDEX(s->where, "pGroups", i), "has the stages %s, but pGroups[0] has %s",
                TEXT_OF(VkShaderStageFlags, stages), TEXT_OF(VkShaderStageFlags, first));
    }
}

/* If the pipeline is not created with a complete set of state, or libraryCount is not 0, groupCount
 * and pipelineCount must be 0. (For others a row says that there is one, whence 06649 follows.) */
static bool check_shader_groups(const struct call *call, const struct location *parent,
                                const struct graphics_info *graphics)
{
    const VkGraphicsPipelineShaderGroupsCreateInfoNV *groups =
        CHAINED(graphics->info->pNext, GRAPHICS_PIPELINE_SHADER_GROUPS_CREATE_INFO_NV);
    struct subject s = {
        .call = call,
        .where = &LOCATION_CHAINED(parent, "VkGraphicsPipelineShaderGroupsCreateInfoNV")};
    if (!groups)
        return false;
    if (!graphics->libraries && graphics->asked == PARTS_ALL) {
        graphics_check_groups(&s, groups);
        return s.skip;
    }
    REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_libraryCount_06648,
            !groups->groupCount && !groups->pipelineCount,
            groups->groupCount ? "groupCount" : "pipelineCount",
            "is %u, but the pipeline is a library or made of libraries",
            groups->groupCount ? groups->groupCount : groups->pipelineCount);
    return s.skip;
}

/* --- structures that must be there --- */

/* True if all of these states are dynamic, and an extension allows that their structure is missing
 * then. */
static bool all_dynamic(const struct call *call, const struct graphics_info *graphics,
                        const enum dynamic_state *states, uint32_t count)
{
    assert(states && count);
    if (!call_has_extension(call, EXTENSION_VK_EXT_extended_dynamic_state3))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!graphics_is_dynamic(graphics, states[i]))
            return false;
    }
    return true;
}
/* Calls all_dynamic() with an array and its length. */
#define ALL_DYNAMIC(states_) all_dynamic(call, graphics, states_, ARRAY_LENGTH(states_))

static const enum dynamic_state viewport_states[] = {DYNAMIC_VIEWPORT_WITH_COUNT,
                                                     DYNAMIC_SCISSOR_WITH_COUNT};
static const enum dynamic_state rasterization_states[] = {DYNAMIC_DEPTH_CLAMP_ENABLE_EXT,
                                                          DYNAMIC_RASTERIZER_DISCARD_ENABLE,
                                                          DYNAMIC_POLYGON_MODE_EXT,
                                                          DYNAMIC_CULL_MODE,
                                                          DYNAMIC_FRONT_FACE,
                                                          DYNAMIC_DEPTH_BIAS_ENABLE,
                                                          DYNAMIC_DEPTH_BIAS,
                                                          DYNAMIC_LINE_WIDTH};
static const enum dynamic_state multisample_states[] = {DYNAMIC_RASTERIZATION_SAMPLES_EXT,
                                                        DYNAMIC_SAMPLE_MASK_EXT,
                                                        DYNAMIC_ALPHA_TO_COVERAGE_ENABLE_EXT};
static const enum dynamic_state input_assembly_states[] = {DYNAMIC_PRIMITIVE_RESTART_ENABLE,
                                                           DYNAMIC_PRIMITIVE_TOPOLOGY};

/* Checks that a pointer to a structure is NULL or valid, even if all of its state is dynamic. */
static void check_given(struct subject *s, const char *name, const void *pointer, enum vuid vuid)
{
    REQUIRE(s, STOPS(vuid), !pointer || !pointer_is_bad(pointer), name,
            "is %p, which is not a valid pointer", pointer);
}

/* Checks that pointers to states which the pipeline reads are not bad. NULL is checked
 * elsewhere. */
static void check_given_states(struct subject *s, const struct graphics_info *graphics)
{
    const struct call *call = s->call;
    const VkGraphicsPipelineCreateInfo *info = graphics->info;
    if (graphics->own & PART_VERTEX_INPUT && (!(graphics->parts & PART_PRE_RASTERIZATION) ||
                                              graphics->all_stages & VK_SHADER_STAGE_VERTEX_BIT))
        check_given(
            s, "pInputAssemblyState", info->pInputAssemblyState,
            ALL_DYNAMIC(input_assembly_states)
                ? VUID_VkGraphicsPipelineCreateInfo_pInputAssemblyState_09032
                : VUID_VkGraphicsPipelineCreateInfo_dynamicPrimitiveTopologyUnrestricted_09031);
    if (graphics->own & PART_PRE_RASTERIZATION) {
        check_given(s, "pRasterizationState", info->pRasterizationState,
                    ALL_DYNAMIC(rasterization_states)
                        ? VUID_VkGraphicsPipelineCreateInfo_pRasterizationState_09040
                        : VUID_VkGraphicsPipelineCreateInfo_pRasterizationState_06601);
        if (graphics->rasterizes)
            check_given(s, "pViewportState", info->pViewportState,
                        ALL_DYNAMIC(viewport_states)
                            ? VUID_VkGraphicsPipelineCreateInfo_pViewportState_09025
                            : VUID_VkGraphicsPipelineCreateInfo_rasterizerDiscardEnable_09024);
        if (graphics->stages & VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT)
            check_given(s, "pTessellationState", info->pTessellationState,
                        graphics_is_dynamic(graphics, DYNAMIC_PATCH_CONTROL_POINTS_EXT)
                            ? VUID_VkGraphicsPipelineCreateInfo_pTessellationState_09023
                            : VUID_VkGraphicsPipelineCreateInfo_pStages_09022);
    }
    if (graphics->own & PART_FRAGMENT_OUTPUT && graphics->rasterizes)
        check_given(s, "pMultisampleState", info->pMultisampleState,
                    ALL_DYNAMIC(multisample_states)
                        ? VUID_VkGraphicsPipelineCreateInfo_pMultisampleState_09027
                        : VUID_VkGraphicsPipelineCreateInfo_pMultisampleState_09026);
}

/* Checks that no required state is NULL. True: the call is to be skipped. */
static bool check_needed(const struct call *call, const struct location *where,
                         const struct graphics_info *graphics)
{
    const VkGraphicsPipelineCreateInfo *info = graphics->info;
    struct subject s = {.call = call, .where = where};
    /* If its feature is off, alphaToOne need not be dynamic, as it is VK_FALSE. */
    bool multisample_dynamic = ALL_DYNAMIC(multisample_states) &&
                               (!has_feature(call, FEATURE_alphaToOne) ||
                                graphics_is_dynamic(graphics, DYNAMIC_ALPHA_TO_ONE_ENABLE_EXT));
    if (graphics->own & PART_VERTEX_INPUT && (!(graphics->parts & PART_PRE_RASTERIZATION) ||
                                              graphics->all_stages & VK_SHADER_STAGE_VERTEX_BIT)) {
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_pStages_02097,
                info->pVertexInputState || graphics_is_dynamic(graphics, DYNAMIC_VERTEX_INPUT_EXT),
                "pVertexInputState", "is NULL, but the vertex input is not dynamic");
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_dynamicPrimitiveTopologyUnrestricted_09031,
                info->pInputAssemblyState ||
                    (ALL_DYNAMIC(input_assembly_states) &&
                     call->device->extended.ExtendedDynamicState3PropertiesEXT
                         .dynamicPrimitiveTopologyUnrestricted),
                "pInputAssemblyState", "is NULL, but not all of its state is dynamic");
    }
    if (graphics->own & PART_PRE_RASTERIZATION) {
        REQUIRE(&s, STOPS(VUID_VkGraphicsPipelineCreateInfo_pRasterizationState_06601),
                info->pRasterizationState || ALL_DYNAMIC(rasterization_states),
                "pRasterizationState", "is NULL, but not all of its state is dynamic");
        REQUIRE(&s, STOPS(VUID_VkGraphicsPipelineCreateInfo_rasterizerDiscardEnable_09024),
                info->pViewportState || !graphics->rasterizes || !info->pRasterizationState ||
                    ALL_DYNAMIC(viewport_states),
                "pViewportState",
                "is NULL, but rasterization is enabled, and not all of its "
                "state is dynamic");
        REQUIRE(&s, STOPS(VUID_VkGraphicsPipelineCreateInfo_pStages_09022),
                !(graphics->stages & VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT) ||
                    info->pTessellationState ||
                    graphics_is_dynamic(graphics, DYNAMIC_PATCH_CONTROL_POINTS_EXT),
                "pTessellationState", "is NULL, but there are tessellation shaders");
    }
    if (graphics->own & PART_FRAGMENT_OUTPUT)
        REQUIRE(&s, STOPS(VUID_VkGraphicsPipelineCreateInfo_pMultisampleState_09026),
                info->pMultisampleState || multisample_dynamic, "pMultisampleState",
                "is NULL, but not all of its state is dynamic");
    else if (graphics->own & PART_FRAGMENT_SHADER && info->renderPass)
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_renderpass_06631,
                info->pMultisampleState || multisample_dynamic, "pMultisampleState",
                "is NULL, but there is a fragment shader for a render pass");
    check_given_states(&s, graphics);
    return s.skip;
}

/* --- dynamic states --- */

static const enum dynamic_state states_of_one[] = {
    DYNAMIC_CULL_MODE,           DYNAMIC_FRONT_FACE,
    DYNAMIC_PRIMITIVE_TOPOLOGY,  DYNAMIC_VIEWPORT_WITH_COUNT,
    DYNAMIC_SCISSOR_WITH_COUNT,  DYNAMIC_VERTEX_INPUT_BINDING_STRIDE,
    DYNAMIC_DEPTH_TEST_ENABLE,   DYNAMIC_DEPTH_WRITE_ENABLE,
    DYNAMIC_DEPTH_COMPARE_OP,    DYNAMIC_DEPTH_BOUNDS_TEST_ENABLE,
    DYNAMIC_STENCIL_TEST_ENABLE, DYNAMIC_STENCIL_OP};
static const enum dynamic_state states_of_two[] = {
    DYNAMIC_DEPTH_BIAS_ENABLE, DYNAMIC_PRIMITIVE_RESTART_ENABLE, DYNAMIC_RASTERIZER_DISCARD_ENABLE};

/* The first of `states` that is dynamic; NULL: none is. */
static const enum dynamic_state *first_dynamic(const struct graphics_info *graphics,
                                               const enum dynamic_state *states, uint32_t count)
{
    assert(states && count);
    for (uint32_t i = 0; i < count; i++) {
        if (graphics_is_dynamic(graphics, states[i]))
            return &states[i];
    }
    return NULL;
}

/* The name of a dynamic state, which is kept in `text`. */
static const char *state_name(enum dynamic_state state, struct value_text *text)
{
    assert((unsigned)state < DYNAMIC_STATE_COUNT && text);
    *text = value_text(VALUES_VkDynamicState, (uint64_t)dynamic_state_value[state]);
    return text->text;
}

/* Reports the first dynamic state of a group. False: none is dynamic. */
static bool report_group(const struct call *call, const struct location *where,
                         const struct graphics_info *graphics, enum vuid vuid,
                         const enum dynamic_state *states, uint32_t count, const char *why)
{
    const enum dynamic_state *state = first_dynamic(graphics, states, count);
    struct value_text text;
    return state && BROKEN_BY(call, vuid, &LOCATION(where, "pDynamicStates"), NULL, "has %s, %s",
                              state_name(*state, &text), why);
}

bool check_graphics_dynamic_states(const struct call *call, const struct location *parent,
                                   const struct graphics_info *graphics)
{
    const struct location *where = &LOCATION_POINTER(parent, "pDynamicState");
    struct subject s = {.call = call};
    if (call->device->api_version < VK_API_VERSION_1_3 &&
        !has_feature(call, FEATURE_extendedDynamicState))
        s.skip |= report_group(call, where, graphics,
                               VUID_VkGraphicsPipelineCreateInfo_pDynamicStates_03378,
                               states_of_one, ARRAY_LENGTH(states_of_one),
                               "which needs the extendedDynamicState feature or Vulkan 1.3");
    if (call->device->api_version < VK_API_VERSION_1_3 &&
        !has_feature(call, FEATURE_extendedDynamicState2))
        s.skip |= report_group(call, where, graphics,
                               VUID_VkGraphicsPipelineCreateInfo_pDynamicStates_04868,
                               states_of_two, ARRAY_LENGTH(states_of_two),
                               "which needs the extendedDynamicState2 feature or Vulkan 1.3");
    return s.skip;
}

/* --- the whole --- */

/* Checks the members of graphics pipeline `index` of `count` in one call. True: the call is to be
 * skipped. */
static bool check_graphics_pipeline(const struct call *call, const struct location *where,
                                    const VkGraphicsPipelineCreateInfo *info, uint32_t index,
                                    uint32_t count, VkPipelineCache cache)
{
    assert(info && index < count);
    struct graphics_info storage;
    /* The result is in `storage`, or is stored with the call for its other checks. */
    const struct graphics_info *graphics = graphics_info_of(call, info, &storage);
    const struct pipeline_base base = {VK_PIPELINE_BIND_POINT_GRAPHICS,
                                       graphics->flags,
                                       info->pNext,
                                       info->layout,
                                       info->basePipelineHandle,
                                       info->basePipelineIndex,
                                       index,
                                       count,
                                       cache,
                                       graphics->stages};
    bool skip = check_pipeline_base(call, where, &base);
    skip |= check_graphics_flags(call, &LOCATION(where, "flags"), graphics);
    skip |= graphics_check_stages(call, where, graphics);
    skip |= check_shader_groups(call, where, graphics);
    for (uint32_t i = 0; i < info->stageCount && graphics->own & PARTS_WITH_SHADERS &&
                         !pointer_is_bad(info->pStages);
         i++) {
        /* Other stages are ignored, as their parts come from libraries. */
        if (info->pStages[i].stage & graphics->stages)
            skip |= check_pipeline_stage(call, &LOCATION_INDEX(where, "pStages", i),
                                         &info->pStages[i], graphics->flags, info->pNext);
    }
    skip |= check_needed(call, where, graphics);
    skip |= check_dynamic_states_unique(call, where, info->pDynamicState);
    skip |= check_graphics_dynamic_states(call, where, graphics);
    skip |= check_graphics_vertex_input(call, where, graphics);
    skip |= check_graphics_pre_rasterization(call, where, graphics);
    skip |= check_graphics_fragment(call, where, graphics);
    skip |= check_graphics_rendering(call, where, graphics);
    skip |= check_graphics_libraries(call, where, graphics);
    return skip;
}

bool core_validate_CreateGraphicsPipelines(struct call *call, VkDevice device,
                                           VkPipelineCache pipelineCache, uint32_t createInfoCount,
                                           const VkGraphicsPipelineCreateInfo *pCreateInfos,
                                           const VkAllocationCallbacks *pAllocator,
                                           VkPipeline *pPipelines)
{
    bool skip = false;
    for (uint32_t i = 0; i < createInfoCount; i++)
        skip |= check_graphics_pipeline(call, &LOCATION_INDEX(NULL, "pCreateInfos", i),
                                        &pCreateInfos[i], i, createInfoCount, pipelineCache);
    return skip;
}
