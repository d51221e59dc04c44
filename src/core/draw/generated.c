/* Checks commands that the device generates, with the rules of the draws, dispatches and traces
 * that they contain (33 "Device-Generated Commands"). Only the device knows what their tokens bind
 * or push, so that is not checked. */
#include "core/draw/draw.h"
#include "core/hooks.h"

#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "state/command/inheritance.h"
#include "state/object/created.h"
#include "state/pipeline/execution_set.h"
#include "state/pipeline/shader.h"
#include "state/command/sections.h"

/* Kinds of commands that draw. */
#define DRAWS (GENERATED_DRAWS | GENERATED_MESH_DRAWS)
/* Kinds of tokens for actions: a layout has exactly one of these. */
#define ACTIONS (DRAWS | GENERATED_DISPATCHES | GENERATED_TRACES)

/* The bind point of the generated commands if they have a single kind of action; otherwise
 * BIND_POINTS. */
static uint32_t point_of(uint32_t what)
{
    if (what & GENERATED_UNKNOWN || __builtin_popcount(what & ACTIONS) != 1)
        return BIND_POINTS;
    return what & DRAWS ? 0 : what & GENERATED_DISPATCHES ? 1 : 2;
}

/* The state that the tokens set, as enum draw_dirty. */
static uint32_t set_by(uint32_t what)
{
    return (what & GENERATED_SHADERS ? DIRTY_SHADERS : 0) |
           (what & GENERATED_CONSTANTS ? DIRTY_PUSH_CONSTANTS : 0) |
           (what & GENERATED_VERTICES ? DIRTY_VERTEX_BUFFERS : 0);
}

/* The bound pipeline; NULL: there is none, or it was destroyed. */
static const struct pipeline *bound_pipeline(const struct command_buffer *command_buffer,
                                             uint32_t point)
{
    return pipeline_by_id(command_buffer->bind[point].pipeline);
}

/* --- VK_EXT_device_generated_commands --- */

/* If the token sequence contains a VK_INDIRECT_COMMANDS_TOKEN_TYPE_EXECUTION_SET_EXT token, the
 * initial shader state of indirectExecutionSet must be bound on commandBuffer. Returns true if it
 * is, and the set is of pipelines. */
static bool check_initial(struct subject *s, const struct command_buffer *command_buffer,
                          uint32_t point, VkIndirectExecutionSetEXT handle)
{
    const struct execution_set *set = find_execution_set(s->call, handle);
    if (!set || !set->initial_pipeline)
        return false;
    const bool bound = command_buffer->bind[point].pipeline == set->initial_pipeline;
    REQUIRE_OF(s, OBJECT(HANDLE_INDIRECT_EXECUTION_SET_EXT, handle), RULE_11053, bound,
               "commandBuffer",
               "does not have the pipeline bound that indirectExecutionSet was created with "
               "(initialPipeline), but the layout has a "
               "VK_INDIRECT_COMMANDS_TOKEN_TYPE_EXECUTION_SET_EXT");
    return bound;
}

/* Checks that commands which draw are inside of a render pass instance, and others are outside.
 * `what`: kinds of commands of the layout (GENERATED_ bits). */
static void generated_commands_check_place(struct subject *s,
                                           const struct command_buffer *command_buffer,
                                           uint32_t what)
{
    const bool inside = (command_buffer->scope & SCOPE_INSIDE_RENDER_PASS) != 0;
    REQUIRE(s, RULE_10769, !(what & DRAWS) || inside, NULL,
            "is called outside of a render pass instance, but the layout has a token that draws");
    REQUIRE(s, RULE_12202, what & DRAWS || !inside, NULL,
            "is called inside of a render pass instance, but no token of the layout draws");
}

/* Checks generated commands against the render pass instance and transform feedback. `what`:
 * GENERATED_ bits of the layout's tokens. */
static void check_rendering(struct subject *s, const struct command_buffer *command_buffer,
                            const VkGeneratedCommandsInfoEXT *info, uint32_t what)
{
    const struct render_pass_instance *rendering = active_rendering(command_buffer);
    const struct command_buffer_sections *sections = sections_of(command_buffer);
    const bool feedback = sections && sections->feedback;
    /* the active render pass must not have a specified fragment density map */
    REQUIRE(s, RULE_11056, !(what & DRAWS) || !rendering || !rendering->density_map_view,
            "commandBuffer",
            "is in a render pass instance with a fragment density map, but the layout has a token "
            "that draws");
    /* If a rendering pass is currently active, either the view mask must be 0 or
     * indirectExecutionSet must be VK_NULL_HANDLE */
    REQUIRE(s, RULE_11062, !rendering || !rendering->view_mask || !info->indirectExecutionSet,
            "commandBuffer",
            "is in a render pass instance with the view mask 0x%x, but indirectExecutionSet is not "
            "VK_NULL_HANDLE",
            rendering->view_mask);
    const bool supported = s->call->device->extended.DeviceGeneratedCommandsPropertiesEXT
                               .deviceGeneratedCommandsTransformFeedback;
    REQUIRE(s, RULE_11057, !feedback || supported, "commandBuffer",
            "has transform feedback active, but deviceGeneratedCommandsTransformFeedback of the "
            "device is VK_FALSE");
    if (supported)
        REQUIRE(s, RULE_11058, !feedback || !info->indirectExecutionSet, "commandBuffer",
                "has transform feedback active, but indirectExecutionSet is not VK_NULL_HANDLE");
}

/* The bound shader stages must be supported by supportedIndirectCommandsShaderStages. Another rule
 * is about the stages that the program names in shaderStages. */
static void generated_commands_check_stages(struct subject *s, const struct pipeline *pipeline,
                                            VkShaderStageFlags named)
{
    assert(pipeline);
    const VkShaderStageFlags supported =
        s->call->device->extended.DeviceGeneratedCommandsPropertiesEXT
            .supportedIndirectCommandsShaderStages;
    REQUIRE_OF(s, OBJECT(HANDLE_PIPELINE, object_state_handle(&pipeline->base)), RULE_11060,
               !supported || !(pipeline->stages & ~supported & ~named), "commandBuffer",
               "has a pipeline of %s bound, but supportedIndirectCommandsShaderStages is %s",
               TEXT_OF(VkShaderStageFlags, pipeline->stages),
               TEXT_OF(VkShaderStageFlags, supported));
}

/* Checks that the set of shaders was created in a way that the layout requires. */
static void generated_commands_check_set(struct subject *s, const VkGeneratedCommandsInfoEXT *info,
                                         const struct created_commands_layout *layout)
{
    const struct execution_set *set = find_execution_set(s->call, info->indirectExecutionSet);
    const struct pipeline *pipeline = set ? pipeline_by_id(set->initial_pipeline) : NULL;
    if (!set || !layout->has_execution_set || (!pipeline && !set->stages_known))
        return;
    const VkShaderStageFlags stages = pipeline ? pipeline->stages : set->stages;
    /* the shader stages used to create the initial shader state of indirectExecutionSet must equal
     * the VkIndirectCommandsExecutionSetTokenEXT::shaderStages */
    REQUIRE(s, RULE_11002, !layout->set_stages || stages == layout->set_stages,
            "indirectExecutionSet",
            "was created with shaders of %s, but shaderStages of the token in the layout is %s",
            TEXT_OF(VkShaderStageFlags, stages), TEXT_OF(VkShaderStageFlags, layout->set_stages));
    if (!pipeline) {
        /* shaders in indirectExecutionSet must have been created with
         * VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT */
        REQUIRE(s, RULE_11330, layout->has_layout || set->heaps, "indirectExecutionSet",
                "has shaders that do not use descriptor heaps, but indirectCommandsLayout was "
                "created without a pipeline layout");
        /* ... without VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT */
        REQUIRE(s, RULE_11331, !layout->has_layout || !set->heaps, "indirectExecutionSet",
                "has shaders that use descriptor heaps, but indirectCommandsLayout was created "
                "with a pipeline layout");
        return;
    }
    const bool heaps = pipeline->flags & VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT;
    /* and there was no descriptor and push constant layout info provided ..., pipelines must have
     * been created with VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT */
    REQUIRE(s, RULE_11328, layout->has_layout || heaps, "indirectExecutionSet",
            "has pipelines that do not use descriptor heaps, but indirectCommandsLayout was "
            "created without a pipeline layout");
    /* and there was a descriptor and push constant layout info provided ... without */
    REQUIRE(s, RULE_11329, !layout->has_layout || !heaps, "indirectExecutionSet",
            "has pipelines that use descriptor heaps, but indirectCommandsLayout was created with "
            "a pipeline layout");
}

/* Checks the execution set and the number of draws of generated commands. True: the call is to be
 * skipped. */
static bool check_generated_info(struct call *call, const VkGeneratedCommandsInfoEXT *info,
                                 const struct created_commands_layout *layout)
{
    const struct location at = LOCATION_POINTER(NULL, "pGeneratedCommandsInfo");
    struct subject s = {.call = call,
                        .where = &at,
                        .objects =
                            OBJECT(HANDLE_INDIRECT_EXECUTION_SET_EXT, info->indirectExecutionSet)};
    generated_commands_check_set(&s, info, layout);
    /* When not ignored, maxDrawCount x maxSequenceCount must be less than 2^24 */
    REQUIRE_OF(&s, NULL, RULE_11078,
               !layout->counts_draws ||
                   (uint64_t)info->maxDrawCount * info->maxSequenceCount < 1u << 24,
               "maxDrawCount", "is %u, which times maxSequenceCount (%u) is not less than 2^24",
               info->maxDrawCount, info->maxSequenceCount);
    return s.skip;
}

/* Checks shaders that are asked about: one of a stage at most. */
static bool check_asked_shaders(struct call *call, const struct location *where,
                                const VkGeneratedCommandsShaderInfoEXT *info)
{
    const struct location chained = LOCATION_CHAINED(where, "VkGeneratedCommandsShaderInfoEXT");
    struct subject s = {.call = call, .where = &chained};
    VkShaderStageFlags stages = 0;
    for (uint32_t i = 0; i < info->shaderCount && !pointer_is_bad(info->pShaders); i++) {
        const struct shader_object *shader = find_shader_object(call, info->pShaders[i]);
        const VkShaderStageFlags stage = shader ? (VkShaderStageFlags)shader->stage : 0;
        /* pShaders must not contain more than one shader object for a given stage */
        REQUIRE_OF(&s, OBJECT(HANDLE_SHADER_EXT, info->pShaders[i]),
                   VUID_VkGeneratedCommandsShaderInfoEXT_pShaders_11127, !(stage & stages),
                   &LOCATION_INDEX(s.where, "pShaders", i), "is of %s, as an element before it is",
                   TEXT_OF(VkShaderStageFlags, stage));
        stages |= stage;
    }
    return s.skip;
}

bool core_validate_GetGeneratedCommandsMemoryRequirementsEXT(
    struct call *call, VkDevice device, const VkGeneratedCommandsMemoryRequirementsInfoEXT *pInfo,
    VkMemoryRequirements2 *pMemoryRequirements)
{
    const struct created_commands_layout *layout =
        find_created_commands_layout(call, pInfo->indirectCommandsLayout);
    const struct execution_set *set = find_execution_set(call, pInfo->indirectExecutionSet);
    const struct pipeline *pipeline = set ? pipeline_by_id(set->initial_pipeline) : NULL;
    const VkGeneratedCommandsShaderInfoEXT *shaders =
        CHAINED(pInfo->pNext, GENERATED_COMMANDS_SHADER_INFO_EXT);
    const struct location at = LOCATION_POINTER(NULL, "pInfo");
    struct subject s = {.call = call,
                        .where = &at,
                        .objects =
                            OBJECT(HANDLE_INDIRECT_EXECUTION_SET_EXT, pInfo->indirectExecutionSet)};
    if (shaders)
        s.skip |= check_asked_shaders(call, &at, shaders);
    if (!layout)
        return s.skip;
    /* the shader stages used to create the initial shader state of indirectExecutionSet must equal
     * the VkIndirectCommandsExecutionSetTokenEXT::shaderStages used to create
     * indirectCommandsLayout */
    const VkShaderStageFlags stages = pipeline                   ? pipeline->stages
                                      : set && set->stages_known ? set->stages
                                                                 : 0;
    if (layout->has_execution_set && layout->set_stages && stages)
        REQUIRE(&s, VUID_VkGeneratedCommandsMemoryRequirementsInfoEXT_indirectCommandsLayout_11151,
                stages == layout->set_stages, "indirectExecutionSet",
                "was created with shaders of %s, but shaderStages of the token in the layout is %s",
                TEXT_OF(VkShaderStageFlags, stages),
                TEXT_OF(VkShaderStageFlags, layout->set_stages));
    /* When not ignored, maxDrawCount x maxSequenceCount must be less than 2^24 */
    REQUIRE_OF(&s, NULL, VUID_VkGeneratedCommandsMemoryRequirementsInfoEXT_maxDrawCount_11146,
               !layout->counts_draws ||
                   (uint64_t)pInfo->maxDrawCount * pInfo->maxSequenceCount < 1u << 24,
               "maxDrawCount", "is %u, which times maxSequenceCount (%u) is not less than 2^24",
               pInfo->maxDrawCount, pInfo->maxSequenceCount);
    return s.skip;
}

/* Checks commands that are generated before they are executed. */
bool core_validate_CmdPreprocessGeneratedCommandsEXT_state(struct call *call,
                                                           VkCommandBuffer commandBuffer,
                                                           const VkGeneratedCommandsInfoEXT
                                                               *pGeneratedCommandsInfo,
                                                           VkCommandBuffer stateCommandBuffer)
{
    const VkGeneratedCommandsInfoEXT *info = pGeneratedCommandsInfo;
    const struct command_buffer *state = find_command_buffer(stateCommandBuffer);
    const struct created_commands_layout *layout =
        find_created_commands_layout(call, info->indirectCommandsLayout);
    struct subject s = {.call = call};
    REQUIRE(&s, VUID_vkCmdPreprocessGeneratedCommandsEXT_stateCommandBuffer_11138,
            !state || state->scope & SCOPE_RECORDING, "stateCommandBuffer",
            "is not in the recording state");
    if (!layout)
        return s.skip;
    const struct execution_set *set = find_execution_set(call, info->indirectExecutionSet);
    const uint32_t point = point_of(layout->what);
    /* If the token sequence ... contains a ...EXECUTION_SET_EXT token, the initial shader state of
     * indirectExecutionSet must be bound on stateCommandBuffer */
    if (state && !s.wrong && set && set->initial_pipeline && layout->has_execution_set &&
        point != BIND_POINTS)
        REQUIRE_OF(&s, OBJECT(HANDLE_INDIRECT_EXECUTION_SET_EXT, info->indirectExecutionSet),
                   VUID_vkCmdPreprocessGeneratedCommandsEXT_indirectCommandsLayout_11084,
                   state->bind[point].pipeline == set->initial_pipeline, "stateCommandBuffer",
                   "does not have the pipeline bound that indirectExecutionSet was created with "
                   "(initialPipeline)");
    return s.skip | check_generated_info(call, info, layout);
}

bool core_validate_CmdExecuteGeneratedCommandsEXT_state(struct call *call,
                                                        VkCommandBuffer commandBuffer,
                                                        VkBool32 isPreprocessed,
                                                        const VkGeneratedCommandsInfoEXT
                                                            *pGeneratedCommandsInfo)
{
    const VkGeneratedCommandsInfoEXT *info = pGeneratedCommandsInfo;
    struct command_buffer *command_buffer = call_command_buffer(call);
    const struct created_commands_layout *layout =
        find_created_commands_layout(call, info->indirectCommandsLayout);
    struct subject s = {.call = call};
    if (!command_buffer || !layout)
        return false;
    const uint32_t what = layout->what, point = point_of(what);
    s.skip |= check_generated_info(call, info, layout);
    if (point == BIND_POINTS)
        return s.skip;
    generated_commands_check_place(&s, command_buffer, what);
    if (s.wrong) /* the rest is for commands recorded in a valid place, with valid parameters */
        return s.skip;
    check_rendering(&s, command_buffer, info, what);
    if (s.wrong)
        return s.skip;
    if (command_buffer_inherits_state(call, command_buffer)) /* the bound state is not known */
        return s.skip;
    if (what & GENERATED_SHADERS &&
        !check_initial(&s, command_buffer, point, info->indirectExecutionSet))
        return s.skip;
    const struct pipeline *pipeline = bound_pipeline(command_buffer, point);
    if (pipeline)
        generated_commands_check_stages(&s, pipeline, info->shaderStages);
    /* If indirectCommandsLayout was created using a ...VERTEX_BUFFER_EXT token and shader objects
     * are not bound then the bound graphics pipeline must have been created with
     * VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE */
    if (pipeline && !point && what & GENERATED_VERTICES)
        REQUIRE_OF(&s, OBJECT(HANDLE_PIPELINE, object_state_handle(&pipeline->base)), RULE_11079,
                   pipeline_is_dynamic(pipeline, DYNAMIC_VERTEX_INPUT_BINDING_STRIDE) ||
                       pipeline_is_dynamic(pipeline, DYNAMIC_VERTEX_INPUT_EXT),
                   "commandBuffer",
                   "has a graphics pipeline bound that was created without "
                   "VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE, but the layout has a "
                   "VK_INDIRECT_COMMANDS_TOKEN_TYPE_VERTEX_BUFFER_EXT");
    return s.skip | draw_check_generated(call, command_buffer, point,
                                         what & GENERATED_MESH_DRAWS ? DRAW_MESH : DRAW_VERTICES,
                                         set_by(what));
}

/* --- VK_NV_device_generated_commands --- */

/* Checks generated commands of the NV extension. `pipeline`: NULL if it is not known, or not
 * given. */
static void generated_commands_check_info(struct subject *s, const VkGeneratedCommandsInfoNV *info,
                                          const struct created_commands_layout_nv *layout,
                                          const struct pipeline *pipeline)
{
    const bool compute = info->pipelineBindPoint == VK_PIPELINE_BIND_POINT_COMPUTE,
               indexed = (layout->flags &
                          VK_INDIRECT_COMMANDS_LAYOUT_USAGE_INDEXED_SEQUENCES_BIT_NV) != 0;
    /* If indirectCommandsLayout's VK_INDIRECT_COMMANDS_LAYOUT_USAGE_INDEXED_SEQUENCES_BIT_NV is
     * set, sequencesIndexBuffer must be set otherwise it must be VK_NULL_HANDLE */
    REQUIRE(s, RULE_02924, indexed == (info->sequencesIndexBuffer != VK_NULL_HANDLE),
            "sequencesIndexBuffer",
            "is %s, but indirectCommandsLayout was created %s "
            "VK_INDIRECT_COMMANDS_LAYOUT_USAGE_INDEXED_SEQUENCES_BIT_NV",
            info->sequencesIndexBuffer ? "a buffer" : "VK_NULL_HANDLE",
            indexed ? "with" : "without");
    if (!pipeline)
        return;
    const bool bindable = (pipeline->flags & VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_NV) != 0;
    /* If pipelineBindPoint is of type VK_PIPELINE_BIND_POINT_COMPUTE, and if
     * VK_INDIRECT_COMMANDS_TOKEN_TYPE_PIPELINE_NV is used, then pipeline must be VK_NULL_HANDLE */
    REQUIRE(s, RULE_09087, !compute || !(layout->what & GENERATED_SHADERS), "pipeline",
            "is not VK_NULL_HANDLE, but the layout has a "
            "VK_INDIRECT_COMMANDS_TOKEN_TYPE_PIPELINE_NV");
    /* 09084 to 09086 require an indirect bindable pipeline for all that dispatch. But if a token
     * binds it, the member is VK_NULL_HANDLE. And if the program binds it, the conformance suite
     * uses plain pipelines, with indirect bindable ones only for the token. */
    /* If the indirectCommandsLayout uses a token of VK_INDIRECT_COMMANDS_TOKEN_TYPE_SHADER_GROUP_NV
     * ... with VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV */
    if (!compute && layout->what & GENERATED_SHADERS) {
        /* ... then the pipeline must have been created with multiple shader groups. (That one is
         * too few is not certain.) */
        REQUIRE_OF(s, OBJECT(HANDLE_PIPELINE, info->pipeline), RULE_02913,
                   !bindable || pipeline->shader_groups, "pipeline",
                   "was created without groups of shaders, but the layout has a "
                   "VK_INDIRECT_COMMANDS_TOKEN_TYPE_SHADER_GROUP_NV");
        REQUIRE_OF(s, OBJECT(HANDLE_PIPELINE, info->pipeline), RULE_02914, bindable, "pipeline",
                   "was created without VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV, but the "
                   "layout has a VK_INDIRECT_COMMANDS_TOKEN_TYPE_SHADER_GROUP_NV");
    }
    /* If the indirectCommandsLayout uses a token of VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_TASKS_NV
     * (..._DRAW_MESH_TASKS_NV), then the pipeline must contain a shader stage using the MeshNV
     * (MeshEXT) Execution Model. */
    const bool mesh = (pipeline->stages & VK_SHADER_STAGE_MESH_BIT_EXT) != 0;
    REQUIRE_OF(s, OBJECT(HANDLE_PIPELINE, info->pipeline), RULE_07078,
               compute || mesh || !layout->draws_tasks, "pipeline",
               "has no mesh shader, but the layout has a "
               "VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_TASKS_NV");
    REQUIRE_OF(s, OBJECT(HANDLE_PIPELINE, info->pipeline), RULE_07079,
               compute || mesh || !layout->draws_mesh_tasks, "pipeline",
               "has no mesh shader, but the layout has a "
               "VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_NV");
}

bool core_validate_GetGeneratedCommandsMemoryRequirementsNV(
    struct call *call, VkDevice device, const VkGeneratedCommandsMemoryRequirementsInfoNV *pInfo,
    VkMemoryRequirements2 *pMemoryRequirements)
{
    const struct created_commands_layout_nv *layout =
        find_created_commands_layout_nv(call, pInfo->indirectCommandsLayout);
    const struct location at = LOCATION_POINTER(NULL, "pInfo");
    struct subject s = {.call = call, .where = &at};
    if (!layout || pInfo->pipelineBindPoint != VK_PIPELINE_BIND_POINT_COMPUTE)
        return false;
    /* If pipelineBindPoint is of type VK_PIPELINE_BIND_POINT_COMPUTE, and the
     * indirectCommandsLayout was not created with a VK_INDIRECT_COMMANDS_TOKEN_TYPE_PIPELINE_NV
     * token, then the pipeline must be a valid VkPipeline handle */
    if (!(layout->what & GENERATED_SHADERS))
        REQUIRE(&s, VUID_VkGeneratedCommandsMemoryRequirementsInfoNV_pipelineBindPoint_09076,
                pInfo->pipeline, "pipeline",
                "is VK_NULL_HANDLE, but the layout has no "
                "VK_INDIRECT_COMMANDS_TOKEN_TYPE_PIPELINE_NV");
    else
        REQUIRE_OF(&s, OBJECT(HANDLE_PIPELINE, pInfo->pipeline),
                   VUID_VkGeneratedCommandsMemoryRequirementsInfoNV_pipelineBindPoint_09077,
                   !pInfo->pipeline, "pipeline",
                   "is not VK_NULL_HANDLE, but the layout has a "
                   "VK_INDIRECT_COMMANDS_TOKEN_TYPE_PIPELINE_NV");
    return s.skip;
}

bool core_validate_CmdExecuteGeneratedCommandsNV(struct call *call, VkCommandBuffer commandBuffer,
                                                 VkBool32 isPreprocessed,
                                                 const VkGeneratedCommandsInfoNV
                                                     *pGeneratedCommandsInfo)
{
    const VkGeneratedCommandsInfoNV *info = pGeneratedCommandsInfo;
    struct command_buffer *command_buffer = call_command_buffer(call);
    const struct created_commands_layout_nv *layout =
        find_created_commands_layout_nv(call, info->indirectCommandsLayout);
    const struct command_buffer_sections *sections = sections_of(command_buffer);
    const uint32_t point = bind_point_index(info->pipelineBindPoint);
    struct subject s = {.call = call};
    /* Transform feedback must not be active */
    REQUIRE(&s, RULE_02910, !sections || !sections->feedback, "commandBuffer",
            "has transform feedback active");
    if (!command_buffer || !layout || point > 1)
        return s.skip;
    const struct pipeline *pipeline = info->pipeline ? find_pipeline(call, info->pipeline) : NULL;
    const uint32_t what = layout->what;
    const struct location at = LOCATION_POINTER(NULL, "pGeneratedCommandsInfo");
    s.where = &at;
    generated_commands_check_info(&s, info, layout, pipeline);
    /* pipeline must match the current bound pipeline at pipelineBindPoint */
    if (pipeline && !command_buffer_inherits_state(call, command_buffer))
        REQUIRE_OF(&s, OBJECT(HANDLE_PIPELINE, info->pipeline), RULE_02909,
                   pipeline == bound_pipeline(command_buffer, point), "pipeline",
                   "is not the pipeline that is bound to %s",
                   TEXT_OF(VkPipelineBindPoint, info->pipelineBindPoint));
    if (s.wrong || !pipeline || point_of(what) != point)
        return s.skip;
    return s.skip | draw_check_generated(call, command_buffer, point,
                                         what & GENERATED_MESH_DRAWS ? DRAW_MESH : DRAW_VERTICES,
                                         set_by(what));
}
