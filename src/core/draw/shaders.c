/* Checks that the bound shader objects match each other, and the other rules of draws and
 * dispatches with them (10.2 "Shader Objects"). They use all state of the command buffer, like a
 * pipeline with only dynamic state. Such a pipeline represents them in the checks that they share
 * with pipelines. */
#include "core/draw/draw.h"
#include "core/draw_rows.h" /* generated */
#include "core/record/scope.h"
#include "core/shader/tessellation_modes.h"

#include <string.h>

#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "spirv/module/reflect.h"
#include "state/descriptor/descriptor.h"
#include "state/pipeline/shader.h"

/* Index of the mesh shader among the bound shaders. */
#define MESH __builtin_ctz(VK_SHADER_STAGE_MESH_BIT_EXT)

static_assert(BOUND_SHADERS > __builtin_ctz(VK_SHADER_STAGE_MESH_BIT_EXT),
              "all stages have a place");

/* Graphics stages, as bits. */
#define GRAPHICS \
    (VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT)

/* The bound shader objects. Threads: on the stack. */
struct bound_shaders {
    struct draw *draw;
    VkShaderStageFlags bound; /* stages with a shader object that exists */
    /* NULL: none is bound, or it is not known */
    const struct shader_object *shader[BOUND_SHADERS];
};

/* True if a shader of one of the stages is bound. */
static bool is_bound(const struct bound_shaders *shaders, VkShaderStageFlags stages)
{
    return (shaders->bound & stages) != 0;
}

/* Collects the bound shader objects, and reports destroyed ones for `stages`. */
static struct bound_shaders bound_shaders_of(struct draw *draw, VkShaderStageFlags stages)
{
    assert(draw->command_buffer);
    struct bound_shaders shaders = {.draw = draw};
    for (uint32_t i = 0; i < BOUND_SHADERS; i++) {
        uint64_t id = draw->command_buffer->shaders[i];
        if (!id)
            continue;
        if (unlikely(!object_find_id(id, HANDLE_SHADER_EXT))) {
            if (stages >> i & 1)
                draw_report_gone(draw, id, scope_recording_vuid(draw->s.call->command));
            continue;
        }
        shaders.bound |= 1u << i;
        shaders.shader[i] = shader_object_by_id(id);
    }
    return shaders;
}

/* --- what must be bound --- */

/* vkCmdBindShadersEXT must have been called with the stage, be it with VK_NULL_HANDLE. */
struct stage_rule {
    VkShaderStageFlagBits stage;
    enum rule rule;
    enum feature feature; /* FEATURE_COUNT: no feature is required */
};
static const struct stage_rule stage_rules[] = {
    {VK_SHADER_STAGE_VERTEX_BIT, RULE_08684, FEATURE_COUNT},
    {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, RULE_08685, FEATURE_tessellationShader},
    {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, RULE_08686, FEATURE_tessellationShader},
    {VK_SHADER_STAGE_GEOMETRY_BIT, RULE_08687, FEATURE_geometryShader},
    {VK_SHADER_STAGE_FRAGMENT_BIT, RULE_08688, FEATURE_COUNT},
    {VK_SHADER_STAGE_TASK_BIT_EXT, RULE_08689, FEATURE_MeshShaderFeaturesEXT_taskShader},
    {VK_SHADER_STAGE_MESH_BIT_EXT, RULE_08690, FEATURE_MeshShaderFeaturesEXT_meshShader},
};

/* True if a graphics pipeline was bound before: it is then not known which stages were bound before
 * that. */
static bool used_pipelines(const struct command_buffer *command_buffer)
{
    for (uint32_t i = 0; i < command_buffer->uses.count; i++) {
        uint64_t id = command_buffer->uses.ids[i];
        const struct pipeline *pipeline =
            object_id_type(id) == HANDLE_PIPELINE ? pipeline_by_id(id) : NULL;
        if (pipeline && pipeline->bind_point == VK_PIPELINE_BIND_POINT_GRAPHICS)
            return true;
    }
    return false;
}

/* Checks that each stage was bound, even if to VK_NULL_HANDLE. Command buffers that have used
 * pipelines are not checked. */
static void check_stages_named(struct bound_shaders *shaders)
{
    struct draw *draw = shaders->draw;
    uint32_t missing = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(stage_rules); i++) {
        const struct stage_rule *rule = &stage_rules[i];
        bool needed = rule->feature == FEATURE_COUNT ||
                      device_has_feature(draw->s.call->device, rule->feature);
        if (needed && !(draw->command_buffer->shaders_set & rule->stage))
            missing |= 1u << i;
    }
    if (!missing || used_pipelines(draw->command_buffer))
        return;
    for (size_t i = 0; i < ARRAY_LENGTH(stage_rules); i++) {
        if (!(missing >> i & 1))
            continue;
        draw->s.wrong = true;
        BROKEN_OF(&draw->s, NULL, stage_rules[i].rule, &LOCATION(NULL, "commandBuffer"),
                  "has no pipeline bound, and vkCmdBindShadersEXT was not called for %s, not "
                  "even with VK_NULL_HANDLE",
                  value_text(VALUES_VkShaderStageFlagBits, stage_rules[i].stage).text);
    }
}

/* Stages that mesh shaders replace. */
#define VERTEX_STAGES                                                        \
    (VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | \
     VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT | VK_SHADER_STAGE_GEOMETRY_BIT)

/* The part of `stages` for which a shader object is bound. */
static VkShaderStageFlags bound_stages(const struct bound_shaders *shaders,
                                       VkShaderStageFlags stages)
{
    VkShaderStageFlags bound = 0;
    for (VkShaderStageFlags rest = stages; rest; rest &= rest - 1) {
        VkShaderStageFlags stage = rest & -rest;
        bound |= is_bound(shaders, stage) ? stage : 0;
    }
    return bound;
}

/* Checks that either vertex or mesh shader objects are bound, according to the command. */
static void check_vertex_or_mesh(struct bound_shaders *shaders)
{
    struct draw *draw = shaders->draw;
    const struct device *device = draw->s.call->device;
    bool vertex = is_bound(shaders, VK_SHADER_STAGE_VERTEX_BIT),
         mesh = is_bound(shaders, VK_SHADER_STAGE_MESH_BIT_EXT),
         task = is_bound(shaders, VK_SHADER_STAGE_TASK_BIT_EXT);
    bool mesh_feature = device_has_feature(device, FEATURE_MeshShaderFeaturesEXT_meshShader),
         task_feature = device_has_feature(device, FEATURE_MeshShaderFeaturesEXT_taskShader);
    bool neither = (mesh_feature || task_feature) && !vertex && !mesh;
    VkShaderStageFlags others = bound_stages(shaders, VERTEX_STAGES);
    /* one of the VERTEX or MESH stages must have a valid VkShaderEXT bound, and the other must have
     * no VkShaderEXT bound */
    if (neither || ((mesh_feature || task_feature) && vertex && mesh))
        BROKEN_OF(&draw->s, NULL, RULE_08693, "commandBuffer", "has %s",
                  vertex ? "both a vertex and a mesh shader object bound"
                         : "neither a pipeline nor a vertex or mesh shader object bound");
    /* a valid VkShaderEXT is bound to the VERTEX stage, there must be no VkShaderEXT bound to
     * either the TASK or the MESH stage */
    else if (vertex && (task || mesh))
        BROKEN_OF(&draw->s, NULL, RULE_08696, "commandBuffer",
                  "has a vertex shader object bound, and one of %s",
                  mesh ? "VK_SHADER_STAGE_MESH_BIT_EXT" : "VK_SHADER_STAGE_TASK_BIT_EXT");
    /* There must be no shader object bound to either of the TASK or MESH stages */
    if (draw->kind != DRAW_MESH && !vertex && (task || mesh))
        BROKEN_OF(&draw->s, NULL, RULE_08885, "commandBuffer",
                  "has a shader object of %s bound, which this command does not run",
                  mesh ? "VK_SHADER_STAGE_MESH_BIT_EXT" : "VK_SHADER_STAGE_TASK_BIT_EXT");
    /* vkCmdBindShadersEXT must not have last bound ... VERTEX, TESSELLATION_CONTROL,
     * TESSELLATION_EVALUATION or GEOMETRY with a valid shader object */
    if (draw->kind == DRAW_MESH && others) {
        /* for a vertex shader together with a mesh shader, this was reported */
        if (!(vertex && (task || mesh)) || others & (others - 1))
            BROKEN_OF(&draw->s, NULL, RULE_10680, "commandBuffer",
                      "has a shader object of %s bound, which this command does not run",
                      value_text(VALUES_VkShaderStageFlags, others).text);
        /* drivers would call the missing mesh shader */
        draw->s.skip |= call_stop(draw->s.call, draw->s.skip);
    }
    const struct shader_object *shader = shaders->shader[MESH];
    if (!mesh_feature || !mesh || !shader)
        return;
    bool alone = (shader->flags & VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT) != 0;
    if (!alone && !task)
        BROKEN_OF(&draw->s, OBJECT(HANDLE_SHADER_EXT, object_state_handle(&shader->base)),
                  RULE_08694, "commandBuffer",
                  "has no task shader object bound, but its mesh shader was created without "
                  "VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT");
    /* ... created with flags that includes both the INDEPENDENT_SETS and NO_TASK_SHADER bits,
     * there must be no shader object bound to the VK_SHADER_STAGE_TASK_BIT_EXT stage: of such a
     * shader that is the narrower statement */
    if (alone && task)
        BROKEN_OF(&draw->s, OBJECT(HANDLE_SHADER_EXT, object_state_handle(&shader->base)),
                  shader->flags & VK_SHADER_CREATE_INDEPENDENT_SETS_BIT_KHR &&
                          draw->kind == DRAW_MESH
                      ? RULE_13365
                      : RULE_08695,
                  "commandBuffer",
                  "has a task shader object bound, but its mesh shader was created with "
                  "VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT");
}

/* --- what goes together --- */

/* Returns the stages that lie between the first and the last one of `stages` in the order of the
 * pipeline (vertex to fragment, or task, mesh, fragment), without those of `stages`. */
static VkShaderStageFlags stages_between(VkShaderStageFlags stages)
{
    if (stages & VK_SHADER_STAGE_TASK_BIT_EXT)
        return stages & VK_SHADER_STAGE_FRAGMENT_BIT ? VK_SHADER_STAGE_MESH_BIT_EXT & ~stages : 0;
    stages &= VK_SHADER_STAGE_ALL_GRAPHICS;
    if (!stages)
        return 0;
    uint32_t first = (uint32_t)__builtin_ctz(stages), last = 31 - (uint32_t)__builtin_clz(stages);
    return ((1u << last) - 1) & ~((1u << first) - 1) & ~stages;
}

/* Checks that linked shader objects are bound together, with no others between them. */
static void check_links(struct bound_shaders *shaders)
{
    struct draw *draw = shaders->draw;
    uint64_t seen = 0;
    for (uint32_t i = 0; i < BOUND_SHADERS; i++) {
        const struct shader_object *shader = shaders->shader[i];
        if (!shader || !shader->link_group || shader->link_group == seen || !(GRAPHICS >> i & 1))
            continue;
        seen = shader->link_group;
        const struct finding_objects *objects =
            OBJECT(HANDLE_SHADER_EXT, object_state_handle(&shader->base));
        const struct value_text name = value_text(VALUES_VkShaderStageFlagBits, 1u << i);
        VkShaderStageFlags missing = 0,
                           between = stages_between(shader->link_stages) & shaders->bound;
        for (uint32_t k = 0; k < BOUND_SHADERS; k++) {
            bool unknown = shaders->bound >> k & 1 && !shaders->shader[k];
            if (shader->link_stages >> k & 1 && !unknown &&
                (!shaders->shader[k] || shaders->shader[k]->link_group != shader->link_group))
                missing |= 1u << k;
        }
        /* all shaders created with the LINK_STAGE flag in the same vkCreateShadersEXT call must
         * also be bound */
        if (missing)
            BROKEN_OF(&draw->s, objects, RULE_08698, "commandBuffer",
                      "has a shader object of %s bound that was linked with one of %s, which "
                      "is not bound",
                      name.text, value_text(VALUES_VkShaderStageFlags, missing).text);
        /* any stages in between ... must not have any VkShaderEXT bound */
        if (between)
            BROKEN_OF(&draw->s, objects, RULE_08699, "commandBuffer",
                      "has a shader object of %s bound, and one of %s between those that it "
                      "was linked with",
                      name.text, value_text(VALUES_VkShaderStageFlags, between).text);
    }
}

/* each shader object bound to a graphics stage, except ... the last graphics stage, must have been
 * created with a nextStage including the bit of the shader object bound to the following graphics
 * stage */
static void check_next_stages(struct bound_shaders *shaders)
{
    static const VkShaderStageFlagBits vertex_order[] = {
        VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
        VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, VK_SHADER_STAGE_GEOMETRY_BIT,
        VK_SHADER_STAGE_FRAGMENT_BIT};
    static const VkShaderStageFlagBits mesh_order[] = {
        VK_SHADER_STAGE_TASK_BIT_EXT, VK_SHADER_STAGE_MESH_BIT_EXT, VK_SHADER_STAGE_FRAGMENT_BIT};
    struct draw *draw = shaders->draw;
    bool mesh = is_bound(shaders, VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT);
    const VkShaderStageFlagBits *order = mesh ? mesh_order : vertex_order;
    size_t count = mesh ? ARRAY_LENGTH(mesh_order) : ARRAY_LENGTH(vertex_order);
    const struct shader_object *before = NULL;
    if (mesh && is_bound(shaders, VK_SHADER_STAGE_VERTEX_BIT)) /* another rule reports this */
        return;
    for (size_t i = 0; i < count; i++) {
        if (!is_bound(shaders, order[i]))
            continue;
        /* 08699 is about stages between linked stages, for which linking sets nextStage. */
        bool between =
            before && before->link_group && stages_between(before->link_stages) & order[i];
        if (before && !between && !(before->next_stage & order[i]))
            BROKEN_OF(&draw->s, OBJECT(HANDLE_SHADER_EXT, object_state_handle(&before->base)),
                      RULE_10745, "commandBuffer",
                      "has a shader object of %s bound after one of %s that was created "
                      "with nextStage %s",
                      value_text(VALUES_VkShaderStageFlagBits, order[i]).text,
                      value_text(VALUES_VkShaderStageFlagBits, before->stage).text,
                      value_text(VALUES_VkShaderStageFlags, before->next_stage).text);
        before = shaders->shader[__builtin_ctz(order[i])];
    }
}

/* True if the ranges are the same, in the same order. */
static bool same_push_constants(const struct shader_object *a, const struct shader_object *b)
{
    return a->push_constant_count == b->push_constant_count &&
           (!a->push_constant_count ||
            !memcmp(a->push_constants, b->push_constants,
                    a->push_constant_count * sizeof(*a->push_constants)));
}

/* True if the set layouts are the same. NULL is not known, and matches all. */
static bool same_sets(const struct shader_object *a, const struct shader_object *b)
{
    if (a->flags & b->flags & VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT)
        return true;
    if (a->set_layout_count != b->set_layout_count)
        return false;
    for (uint32_t i = 0; i < a->set_layout_count; i++) {
        if (a->set_layouts[i] && b->set_layouts[i] && a->set_layouts[i] != b->set_layouts[i])
            return false;
    }
    return true;
}

/* Checks that each bound graphics shader object has the same push constants and set layouts as the
 * first. */
static void check_interfaces(struct bound_shaders *shaders)
{
    struct draw *draw = shaders->draw;
    const struct shader_object *first = NULL;
    uint32_t first_stage = 0;
    for (uint32_t i = 0; i < BOUND_SHADERS; i++) {
        const struct shader_object *shader = GRAPHICS >> i & 1 ? shaders->shader[i] : NULL;
        if (!shader || !first) {
            first_stage = shader ? i : first_stage;
            first = shader ? shader : first;
            continue;
        }
        const struct finding_objects *objects =
            OBJECT2(HANDLE_SHADER_EXT, object_state_handle(&first->base), HANDLE_SHADER_EXT,
                    object_state_handle(&shader->base));
        const struct value_text name = value_text(VALUES_VkShaderStageFlagBits, 1u << first_stage);
        /* All bound graphics shader objects must have been created with identical or identically
         * defined push constant ranges */
        if (!same_push_constants(first, shader))
            BROKEN_OF(&draw->s, objects, RULE_08878, "commandBuffer",
                      "has shader objects of %s and %s bound that were created with different push "
                      "constant ranges",
                      name.text, value_text(VALUES_VkShaderStageFlagBits, 1u << i).text);
        /* ... or with identical or identically defined arrays of descriptor set layouts */
        if (!same_sets(first, shader))
            BROKEN_OF(&draw->s, objects, RULE_08879, "commandBuffer",
                      "has shader objects of %s and %s bound that were created with different "
                      "descriptor set layouts",
                      name.text, value_text(VALUES_VkShaderStageFlagBits, 1u << i).text);
    }
}

/* The entry point of the shader object; NULL: the code is not known. */
static const struct spirv_entry_point *entry_of(const struct shader_object *shader)
{
    const struct spirv_reflection *code =
        shader && shader->shader ? shader->shader->reflection : NULL;
    return code && shader->entry_point < code->entry_count ? &code->entries[shader->entry_point]
                                                           : NULL;
}

/* If a shader is bound to both the TESSELLATION_CONTROL and TESSELLATION_EVALUATION stages, and if
 * both stages contain an OpExecutionMode instruction specifying ..., they must be the same */
static void check_tessellation(struct bound_shaders *shaders)
{
    static const enum rule rules[] = {[TESSELLATION_SUBDIVISION] = RULE_12239,
                                      [TESSELLATION_ORIENTATION] = RULE_12240,
                                      [TESSELLATION_SPACING] = RULE_12241};
    const struct shader_object
        *control = shaders->shader[__builtin_ctz(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT)],
        *evaluation = shaders->shader[__builtin_ctz(VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT)];
    const struct spirv_entry_point *first = entry_of(control), *second = entry_of(evaluation);
    struct draw *draw = shaders->draw;
    /* linked shaders were compared when they were created */
    if (!first || !second || (control->link_group && control->link_group == evaluation->link_group))
        return;
    const struct spirv_reflection *first_code = control->shader->reflection,
                                  *second_code = evaluation->shader->reflection;
    const struct finding_objects *objects =
        OBJECT2(HANDLE_SHADER_EXT, object_state_handle(&control->base), HANDLE_SHADER_EXT,
                object_state_handle(&evaluation->base));
    for (uint32_t i = 0; i < ARRAY_LENGTH(tessellation_choices); i++) {
        const struct tessellation_choice *choice = &tessellation_choices[i];
        const uint32_t a = tessellation_mode(choice, first_code, first),
                       b = tessellation_mode(choice, second_code, second);
        if (a != UINT32_MAX && b != UINT32_MAX && a != b)
            BROKEN_OF(&draw->s, objects, rules[i], "commandBuffer",
                      "has tessellation shader objects bound whose execution modes say different "
                      "things of %s",
                      choice->what);
    }
    const struct spirv_execution_mode *a = spirv_mode_find(first_code, first,
                                                           SpvExecutionModeOutputVertices),
                                      *b = spirv_mode_find(second_code, second,
                                                           SpvExecutionModeOutputVertices);
    if (a && b && a->operands[0] != b->operands[0])
        BROKEN_OF(&draw->s, objects, RULE_12242, "commandBuffer",
                  "has a tessellation control shader object bound with patches of %u vertices, and "
                  "an evaluation shader object with patches of %u",
                  a->operands[0], b->operands[0]);
}

/* --- independent sets --- */

/* The stages of all bindings of the layout's sets; VK_SHADER_STAGE_ALL is left out. */
static VkShaderStageFlags stages_of_layout(const struct pipeline_layout *layout)
{
    VkShaderStageFlags stages = 0;
    for (uint32_t i = 0; i < layout->set_count; i++) {
        const struct descriptor_layout *set = layout->sets[i];
        for (uint32_t k = 0; set && k < set->binding_count; k++) {
            if (set->bindings[k].stages != VK_SHADER_STAGE_ALL)
                stages |= set->bindings[k].stages;
        }
    }
    return stages;
}

/* Finds a set that the shader object uses, and returns the layout with which it was bound. NULL: no
 * such set is bound, or the layouts were destroyed. */
static const struct pipeline_layout *layout_used_by(const struct draw *draw,
                                                    const struct shader_object *shader)
{
    const struct bind_point_state *bind = &draw->command_buffer->bind[0];
    const struct spirv_entry_point *entry = entry_of(shader);
    for (uint32_t i = 0; entry && i < entry->binding_count; i++) {
        const uint32_t set = shader->shader->reflection->bindings[entry->first_binding + i].set;
        const struct bound_set *bound = bound_set_at(bind, set);
        const struct pipeline_layout *layout =
            bound && bound->kind != BOUND_NOTHING ? pipeline_layout_by_id(bound->layout) : NULL;
        if (layout)
            return layout;
    }
    return NULL;
}

/* True if the shader object's set layouts are known. False: pSetLayouts was NULL, or none of its
 * layouts is known. */
static bool has_set_layouts(const struct shader_object *shader)
{
    for (uint32_t i = 0; i < shader->set_layout_count; i++) {
        if (shader->set_layouts[i])
            return true;
    }
    return false;
}

/* If there are any shader objects bound that were created with flags that includes the
 * VK_SHADER_CREATE_INDEPENDENT_SETS_BIT_KHR bit ... */
static void check_layout_of(struct draw *draw, const struct shader_object *shader,
                            const struct pipeline_layout *layout)
{
    const VkShaderStageFlags mesh = VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT;
    const VkShaderStageFlags stages = stages_of_layout(layout);
    const VkPipelineLayoutCreateFlags flags = layout->flags;
    const struct value_text name = value_text(VALUES_VkShaderStageFlagBits, shader->stage);
    const struct finding_objects *objects =
        OBJECT2(HANDLE_SHADER_EXT, object_state_handle(&shader->base), HANDLE_PIPELINE_LAYOUT,
                object_state_handle(&layout->base));
    /* ... with a setLayoutCount not equal to 0, and with pSetLayouts not equal to NULL, then the
     * pipeline layout of the bound descriptor sets must have been created with INDEPENDENT_SETS */
    if (has_set_layouts(shader) && !(flags & VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT))
        BROKEN_OF(&draw->s, objects, RULE_13362, "commandBuffer",
                  "has descriptor sets bound with a pipeline layout that was created without "
                  "VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT, but the shader object of %s "
                  "has VK_SHADER_CREATE_INDEPENDENT_SETS_BIT_KHR",
                  name.text);
    /* ... any binding's stageFlags set with VERTEX ... or GEOMETRY, then there must be no binding
     * with stageFlags set with TASK or MESH */
    if (stages & VERTEX_STAGES && stages & mesh)
        BROKEN_OF(&draw->s, objects, RULE_13363, "commandBuffer",
                  "has descriptor sets bound with a pipeline layout whose bindings have %s, but "
                  "the shader object of %s has VK_SHADER_CREATE_INDEPENDENT_SETS_BIT_KHR: stages "
                  "of vertices and of meshes do not go together then",
                  value_text(VALUES_VkShaderStageFlags, stages & (VERTEX_STAGES | mesh)).text,
                  name.text);
    /* both the INDEPENDENT_SETS and NO_TASK_SHADER bits, the pipeline layout of the bound
     * descriptor sets must have been created with NO_TASK_SHADER */
    if (draw->kind == DRAW_MESH && shader->flags & VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT &&
        !(flags & VK_PIPELINE_LAYOUT_CREATE_NO_TASK_SHADER_BIT_KHR))
        BROKEN_OF(&draw->s, objects, RULE_13364, "commandBuffer",
                  "has descriptor sets bound with a pipeline layout that was created without "
                  "VK_PIPELINE_LAYOUT_CREATE_NO_TASK_SHADER_BIT_KHR, but the shader object of %s "
                  "has VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT",
                  name.text);
}

/* Checks shader objects with independent sets against the pipeline layouts with which sets and push
 * constants were bound. */
static void check_independent(const struct bound_shaders *shaders)
{
    struct draw *draw = shaders->draw;
    const struct bind_point_state *bind = &draw->command_buffer->bind[0];
    const struct pipeline_layout *layout = NULL;
    VkShaderCreateFlagsEXT flags = 0;
    for (uint32_t i = 0; i < BOUND_SHADERS; i++)
        flags |= GRAPHICS >> i & 1 && shaders->shader[i] ? shaders->shader[i]->flags : 0;
    if (likely(!(flags & VK_SHADER_CREATE_INDEPENDENT_SETS_BIT_KHR)))
        return;
    for (uint32_t i = 0; i < BOUND_SHADERS && !layout; i++)
        layout = GRAPHICS >> i & 1 ? layout_used_by(draw, shaders->shader[i]) : NULL;
    for (uint32_t i = 0; i < BOUND_SHADERS; i++) {
        const struct shader_object *shader = GRAPHICS >> i & 1 ? shaders->shader[i] : NULL;
        if (!shader || !(shader->flags & VK_SHADER_CREATE_INDEPENDENT_SETS_BIT_KHR))
            continue;
        const bool wrong = draw->s.wrong;
        draw->s.wrong = false;
        if (layout)
            check_layout_of(draw, shader, layout);
        /* ... with a pushConstantRangeCount not equal to 0, and with pPushConstantRanges not equal
         * to NULL (a range without stages was not given), then the pipeline layout of the bound
         * push constants must have been created with INDEPENDENT_SETS */
        if (shader->push_constant_count && shader->push_constants->stageFlags &&
            bind->layout_compatibility_for_push &&
            !(bind->push_layout_flags & VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT))
            BROKEN_OF(&draw->s, OBJECT(HANDLE_SHADER_EXT, object_state_handle(&shader->base)),
                      RULE_12491, "commandBuffer",
                      "has push constants that were set with a pipeline layout without "
                      "VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT, but the shader object "
                      "of %s has VK_SHADER_CREATE_INDEPENDENT_SETS_BIT_KHR",
                      value_text(VALUES_VkShaderStageFlagBits, shader->stage).text);
        const bool broken = draw->s.wrong;
        draw->s.wrong |= wrong;
        if (broken)
            return; /* all other shaders have the same layout */
    }
}

/* --- what they share with pipelines --- */

/* Removes a state from the set. */
static void leave_out(struct dynamic_state_set *states, enum dynamic_state state)
{
    assert((unsigned)state < DYNAMIC_STATE_COUNT);
    states->bits[state / 64] &= ~(1ull << state % 64);
}

/* Sets the dynamic states: with shader objects all are dynamic, except those of stages that are not
 * bound. */
static void take_states(const struct bound_shaders *shaders, struct pipeline *pipeline)
{
    memset(&pipeline->dynamic, 0xff, sizeof(pipeline->dynamic));
    for (size_t i = 0; i < ARRAY_LENGTH(states_of_stages); i++) {
        if (!is_bound(shaders, states_of_stages[i].stages))
            leave_out(&pipeline->dynamic, (enum dynamic_state)states_of_stages[i].state);
    }
    /* "If the attachmentFeedbackLoopDynamicState feature is enabled" (10.2 "Setting State"). */
    if (!device_has_feature(shaders->draw->s.call->device,
                            FEATURE_attachmentFeedbackLoopDynamicState))
        leave_out(&pipeline->dynamic, DYNAMIC_ATTACHMENT_FEEDBACK_LOOP_ENABLE_EXT);
}

/* A pipeline that represents the bound shader objects. Threads: on the stack. */
struct stand_in {
    struct pipeline pipeline;
    const struct shader_object *objects[PIPELINE_STAGES]; /* shader object of each of its stages */
};

static_assert(PIPELINE_STAGES >= BOUND_SHADERS, "each shader object is a stage");

/* Makes a pipeline that represents the bound shader objects, with what the checks of a draw read,
 * and makes `draw` use it. */
static void take_stages(const struct bound_shaders *shaders, VkShaderStageFlags stages,
                        struct stand_in *stand_in)
{
    struct pipeline *pipeline = &stand_in->pipeline;
    struct draw *draw = shaders->draw;
    assert(!pipeline->stage_count);
    pipeline->stages = shaders->bound & stages;
    draw->objects_interface = 0;
    for (uint32_t i = 0; i < BOUND_SHADERS; i++) {
        const struct shader_object *shader = stages >> i & 1 ? shaders->shader[i] : NULL;
        if (!shader)
            continue;
        stand_in->objects[pipeline->stage_count] = shader;
        struct pipeline_stage *stage = &pipeline->stage[pipeline->stage_count++];
        *stage = (struct pipeline_stage){.stage = shader->stage,
                                         .shader = shader->shader,
                                         .entry_point = shader->entry_point,
                                         .mappings = shader->mappings};
        const struct spirv_entry_point *entry = pipeline_stage_entry(stage);
        pipeline->uses_push_constants |= shader->push_constant_count && entry &&
                                         entry->push_accessed_begin != entry->push_accessed_end;
        pipeline->used_sets |= shader->used_sets;
        draw->objects_interface =
            (draw->objects_interface ^ shader->interface) * 0x9e3779b97f4a7c15ull;
        if (shader->flags & VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT)
            pipeline->flags |= VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT;
    }
    draw->pipeline = pipeline;
    draw->objects = stand_in->objects;
}

/* Makes `draw` forget the pipeline, which is on the stack of the caller. */
static void leave_stages(struct draw *draw)
{
    draw->pipeline = NULL;
    draw->objects = NULL;
}

/* True if the set was bound with a layout that is not compatible for it with the shader object's.
 * False if one of them is not known, or if another rule (13362) already makes them differ. */
static bool has_other_layout(const struct shader_object *shader, const struct bound_set *bound,
                             uint32_t set)
{
    return (bound->kind == BOUND_SET || bound->kind == BOUND_PUSHED) &&
           set < shader->set_layout_count && shader->compatibility[set] &&
           !(shader->flags & VK_SHADER_CREATE_INDEPENDENT_SETS_BIT_KHR) &&
           bound->compatibility != shader->compatibility[set];
}

/* Reports a set that a shader object uses. `bound`: it is bound, with an incompatible layout. */
static COLD void draw_shaders_report_set(struct draw *draw, const struct shader_object *shader,
                                         uint32_t set, bool bound)
{
    const struct value_text stage = value_text(VALUES_VkShaderStageFlagBits, shader->stage);
    const struct finding_objects *objects =
        OBJECT(HANDLE_SHADER_EXT, object_state_handle(&shader->base));
    if (bound)
        BROKEN_OF(&draw->s, objects, RULE_08600, "commandBuffer",
                  "has descriptor set %u bound with a pipeline layout that is not compatible for "
                  "that set with the set layouts and push constant ranges of the shader object of "
                  "%s, which uses it",
                  set, stage.text);
    else
        BROKEN_OF(&draw->s, objects, RULE_08600, "commandBuffer",
                  "has no descriptor set %u bound, which the shader object of %s uses", set,
                  stage.text);
}

/* If a bound shader ... statically uses a set n, a descriptor set must have been bound to n at the
 * same pipeline bind point, with layouts compatible for set n with the layout(s) used to create the
 * shader. "Compatibility is determined as if a the shader was created with a pipeline layout
 * object" of the same sets and push constant ranges (10.2). */
static void check_sets(struct draw *draw, uint32_t point)
{
    const struct bind_point_state *bind = &draw->command_buffer->bind[point];
    uint32_t reported = 0;
    for (uint32_t i = 0; i < draw->pipeline->stage_count; i++) {
        const struct shader_object *shader = draw->objects[i];
        for (uint32_t used = shader->used_sets & ~reported; used; used &= used - 1) {
            const uint32_t set = (uint32_t)__builtin_ctz(used);
            const struct bound_set *bound = bound_set_at(bind, set);
            const bool is_bound = bound && bound->kind != BOUND_NOTHING;
            if (set >= BOUND_SETS || (!is_bound && bind->sets_lost) ||
                (is_bound && !has_other_layout(shader, bound, set)))
                continue;
            reported |= 1u << set;
            draw_shaders_report_set(draw, shader, set, is_bound);
        }
    }
}

/* Notes that the shader consumes descriptors of the set, as command_buffer_draws() does for
 * pipelines. If several stages consume the set, each has its own entry in the cache. */
static void note_set(struct command_buffer *command_buffer, uint64_t set,
                     const struct shader_object *shader, uint32_t number)
{
    assert(set && shader);
    const uint32_t stage = (uint32_t)__builtin_ctz((uint32_t)shader->stage);
    const struct drawn_set drawn = {set, (object_state_id(&shader->base) & ~0xffull) | number};
    const uint32_t place = (object_index(set) + stage) % DRAWN_RECENT;
    const struct drawn_set *recent = &plain_load_acquire(&command_buffer->uses.recent_drawn)[place];
    if (recent->set != drawn.set || recent->with != drawn.with)
        use_list_append_drawn(&command_buffer->uses, drawn, place);
}

/* Notes the sets whose descriptors the shader consumes, for state/object/reach.h. A set with
 * another layout than the shader's is left out, as its bindings are not those that the shader
 * means. */
static void note_sets_of(struct command_buffer *command_buffer, const struct bind_point_state *bind,
                         const struct shader_object *shader)
{
    const struct spirv_reflection *code = shader->shader ? shader->shader->reflection : NULL;
    uint32_t noted = 0;
    if (!code || shader->entry_point >= code->entry_count)
        return;
    const struct spirv_entry_point *entry = &code->entries[shader->entry_point];
    for (uint32_t i = 0; i < entry->binding_count; i++) {
        uint32_t number = code->bindings[entry->first_binding + i].set;
        const struct bound_set *bound = bound_set_at(bind, number);
        if (!bound || number >= shader->set_layout_count || noted >> number & 1 ||
            bound->kind != BOUND_SET)
            continue;
        const struct descriptor_set *set = descriptor_set_by_id(bound->set);
        noted |= 1u << number;
        if (set && set->layout->compatibility == shader->set_layouts[number])
            note_set(command_buffer, bound->set, shader, number);
    }
}

/* Notes the sets that the bound shaders of these stages use. */
static void note_sets(const struct bound_shaders *shaders, VkShaderStageFlags stages,
                      uint32_t point)
{
    struct command_buffer *command_buffer = shaders->draw->command_buffer;
    for (uint32_t i = 0; i < BOUND_SHADERS; i++) {
        if (stages >> i & 1 && shaders->shader[i])
            note_sets_of(command_buffer, &command_buffer->bind[point], shaders->shader[i]);
    }
}

/* True if some shader uses descriptor sets. False for descriptor heaps and buffers, and for shaders
 * whose layouts are not known. */
static bool uses_sets(const struct bound_shaders *shaders, VkShaderStageFlags stages)
{
    for (uint32_t i = 0; i < BOUND_SHADERS; i++) {
        const struct shader_object *shader = stages >> i & 1 ? shaders->shader[i] : NULL;
        if (shader &&
            (shader->flags & VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT || !shader->set_layout_count))
            return false;
    }
    return true;
}

/* Checks the bound graphics shader objects against each other. */
static void check_bound_objects(struct bound_shaders *shaders)
{
    check_stages_named(shaders);
    check_vertex_or_mesh(shaders);
    check_links(shaders);
    check_next_stages(shaders);
    check_interfaces(shaders);
    check_tessellation(shaders);
}

void draw_check_shader_objects(struct draw *draw, uint32_t dirty)
{
    struct bound_shaders shaders = bound_shaders_of(draw, GRAPHICS);
    struct stand_in stand_in = {.pipeline = {.bind_point = VK_PIPELINE_BIND_POINT_GRAPHICS}};
    if (unlikely(draw->s.call->dead_handle))
        return;
    if (dirty & (DIRTY_PIPELINE | DIRTY_SHADERS))
        check_bound_objects(&shaders);
    if (dirty & (DIRTY_PIPELINE | DIRTY_SHADERS | DIRTY_SETS | DIRTY_PUSH_CONSTANTS))
        check_independent(&shaders);
    if (!is_bound(&shaders, GRAPHICS)) {
        /* neither a pipeline nor shaders are bound: drivers would follow a NULL pointer */
        if (draw->s.wrong && !mem_failures())
            draw->s.skip |= call_stop(draw->s.call, draw->s.skip);
        return;
    }
    take_states(&shaders, &stand_in.pipeline);
    take_stages(&shaders, GRAPHICS, &stand_in);
    if (dirty & (DIRTY_PIPELINE | DIRTY_SHADERS | DIRTY_DYNAMIC_STATE | DIRTY_RENDER_PASS |
                 DIRTY_QUERIES)) {
        draw_check_dynamic_state(draw);
        draw_check_rows(draw, 0, dirty);
    }
    if (dirty & (DIRTY_PIPELINE | DIRTY_SHADERS | DIRTY_DYNAMIC_STATE | DIRTY_RENDER_PASS))
        draw_check_rendering(draw, dirty);
    if (dirty & (DIRTY_PIPELINE | DIRTY_SHADERS | DIRTY_RENDER_PASS))
        draw_check_input_indices(draw);
    if (draw->kind != DRAW_MESH &&
        dirty & (DIRTY_PIPELINE | DIRTY_SHADERS | DIRTY_VERTEX_BUFFERS | DIRTY_DYNAMIC_STATE))
        draw_check_vertex_buffers(draw);
    draw_check_vertex_input(draw, dirty);
    if (draw->kind == DRAW_INDICES && dirty & (DIRTY_PIPELINE | DIRTY_INDEX_BUFFER))
        draw_check_index_buffer(draw);
    if (dirty & (DIRTY_PIPELINE | DIRTY_SHADERS | DIRTY_SETS))
        note_sets(&shaders, GRAPHICS, 0);
    if (dirty & (DIRTY_PIPELINE | DIRTY_SHADERS | DIRTY_SETS) && uses_sets(&shaders, GRAPHICS))
        check_sets(draw, 0);
    if (dirty & (DIRTY_PIPELINE | DIRTY_SHADERS | DIRTY_SETS | DIRTY_RENDER_PASS))
        draw_check_descriptors(draw, 0);
    if (dirty & (DIRTY_PIPELINE | DIRTY_SHADERS | DIRTY_PUSH_CONSTANTS))
        draw_check_push_constants(draw, 0);
    if (dirty & (DIRTY_PIPELINE | DIRTY_SHADERS | DIRTY_SETS | DIRTY_PUSH_CONSTANTS))
        draw_check_heaps(draw, 0);
    leave_stages(draw);
}

void dispatch_check_shader_object(struct draw *draw, uint32_t dirty)
{
    struct bound_shaders shaders = bound_shaders_of(draw, VK_SHADER_STAGE_COMPUTE_BIT);
    struct stand_in stand_in = {.pipeline = {.bind_point = VK_PIPELINE_BIND_POINT_COMPUTE}};
    if (unlikely(draw->s.call->dead_handle))
        return;
    /* If there is no bound compute pipeline, a valid VkShaderEXT must be bound to the
     * VK_SHADER_STAGE_COMPUTE_BIT stage. One that was destroyed is reported above. */
    if (!draw->s.wrong && device_has_feature(draw->s.call->device, FEATURE_shaderObject))
        REQUIRE(&draw->s, STOPS(RULE_10743), is_bound(&shaders, VK_SHADER_STAGE_COMPUTE_BIT),
                "commandBuffer", "has neither a compute pipeline nor a compute shader bound");
    take_stages(&shaders, VK_SHADER_STAGE_COMPUTE_BIT, &stand_in);
    if (shaders.bound)
        draw_check_rows(draw, 1, dirty);
    if (dirty & (DIRTY_PIPELINE | DIRTY_SHADERS | DIRTY_SETS))
        note_sets(&shaders, VK_SHADER_STAGE_COMPUTE_BIT, 1);
    if (dirty & (DIRTY_PIPELINE | DIRTY_SHADERS | DIRTY_SETS) &&
        uses_sets(&shaders, VK_SHADER_STAGE_COMPUTE_BIT))
        check_sets(draw, 1);
    if (dirty & (DIRTY_PIPELINE | DIRTY_SHADERS | DIRTY_SETS | DIRTY_RENDER_PASS))
        draw_check_descriptors(draw, 1);
    if (dirty & (DIRTY_PIPELINE | DIRTY_SHADERS | DIRTY_PUSH_CONSTANTS))
        draw_check_push_constants(draw, 1);
    if (dirty & (DIRTY_PIPELINE | DIRTY_SHADERS | DIRTY_SETS | DIRTY_PUSH_CONSTANTS))
        draw_check_heaps(draw, 1);
    leave_stages(draw);
}

void generated_check_shader_objects(struct draw *draw, uint32_t point, uint32_t set)
{
    const VkShaderStageFlags stages = point ? VK_SHADER_STAGE_COMPUTE_BIT : GRAPHICS;
    struct bound_shaders shaders = bound_shaders_of(draw, stages);
    struct stand_in stand_in = {.pipeline = {.bind_point = point
                                                               ? VK_PIPELINE_BIND_POINT_COMPUTE
                                                               : VK_PIPELINE_BIND_POINT_GRAPHICS}};
    if (unlikely(draw->s.call->dead_handle) || point > 1)
        return;
    if (!point)
        check_bound_objects(&shaders);
    /* tokens that push constants name a layout of their own */
    if (!point && !(set & DIRTY_PUSH_CONSTANTS))
        check_independent(&shaders);
    if (!is_bound(&shaders, stages))
        return;
    if (!point)
        take_states(&shaders, &stand_in.pipeline);
    take_stages(&shaders, stages, &stand_in);
    note_sets(&shaders, stages, point);
    if (uses_sets(&shaders, stages))
        check_sets(draw, point);
    draw_check_descriptors(draw, point);
    leave_stages(draw);
}
