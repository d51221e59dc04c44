/* Checks that the stages of a graphics pipeline fit one another, and fit its vertex attributes,
 * topology and attachments. (15 "Shader Interfaces") */
#include <string.h>

#include "core/shader/stage.h"
#include "core/shader/vertex_input.h"
#include "report/names/names_of_values.h"
#include "state/memory/formats.h"
#include "state/command/render_pass.h"
#include "vk/pointer.h"

#include "report/finding/rule.h"

/* The number of locations for which the components are stored. */
#define LOCATIONS_KEPT 256u
/* The output at one component of a location. */
struct slot {
    uint8_t numeric;       /* enum spirv_numeric; NONE if no output has this component */
    uint8_t width;         /* in bits */
    bool is_per_primitive; /* it is decorated PerPrimitiveEXT */
    /* If the output is a variable of a vector type, the number of its components, and the component
     * with which it begins. vector_size is 0 for other types, and for members of blocks. */
    uint8_t vector_size, vector_begin;
    uint32_t name; /* the variable's name, as in spirv_interface::name */
};
/* The components of all locations that a stage outputs to the next stage. */
struct slots {
    struct slot slot[LOCATIONS_KEPT][4];
    bool beyond; /* true if some outputs are at higher locations */
};

/* A function for each component of each location of a leaf, which returns false to stop. A 64-bit
 * component counts as two (15.1.5 "Location and Component Assignment"). */
typedef bool (*slot_visitor)(void *context, const struct spirv_interface *leaf, uint32_t location,
                             uint32_t component);
/* Calls `visit` for each component of each location of a variable, until `visit` returns false.
 * Returns false if it was stopped. */
static bool visit_slots(const struct spirv_interface *leaf, slot_visitor visit, void *context)
{
    assert(leaf && visit);
    uint32_t words = leaf->width == 64 ? 2 : 1;
    uint32_t rows = (leaf->elements ? leaf->elements : 1) * leaf->columns;
    uint32_t location = leaf->location;
    for (uint32_t row = 0; row < rows && location < LOCATIONS_KEPT; row++) {
        uint32_t component = leaf->component;
        for (uint32_t i = 0; i < leaf->components * words; i++, component++) {
            if (component == 4) {
                component = 0;
                location++;
            }
            if (location >= LOCATIONS_KEPT || component > 4)
                break;
            if (!visit(context, leaf, location, component))
                return false;
        }
        location++;
    }
    return true;
}

/* The number of components if the leaf is a variable of a vector type. Returns 0 for other types,
 * for arrays of vectors, and for members of blocks. */
static uint8_t vector_size(const struct spirv_interface *leaf)
{
    const bool is_vector = leaf->components > 1 && leaf->columns == 1 && leaf->elements == 1 &&
                           !(leaf->flags & (SPIRV_ARRAYED | SPIRV_BLOCK_MEMBER));
    return is_vector ? leaf->components : 0;
}

/* Stores that an output has a component. `context` is a struct slots. */
static bool fill_slot(void *context, const struct spirv_interface *leaf, uint32_t location,
                      uint32_t component)
{
    struct slots *slots = context;
    slots->slot[location][component] =
        (struct slot){.numeric = leaf->numeric,
                      .width = leaf->width,
                      .is_per_primitive = (leaf->flags & SPIRV_PER_PRIMITIVE) != 0,
                      .vector_size = vector_size(leaf),
                      .vector_begin = (uint8_t)leaf->component,
                      .name = leaf->name};
    return true;
}

/* True for variables with locations and numbers. Built-ins and structures of built-ins are not
 * included. */
static bool is_user_defined(const struct spirv_interface *leaf, uint32_t storage)
{
    return leaf->storage == storage && leaf->builtin == SPIRV_NONE &&
           leaf->location != SPIRV_NONE && leaf->numeric != SPIRV_NUMERIC_NONE;
}

/* The result of comparing one input leaf with the outputs of the stage before. */
struct comparison {
    const struct slots *outputs;
    uint32_t location, component; /* the place of the first difference */
    const struct slot *slot;      /* the output that has another type; NULL if there is no output */
};

/* Compares one component of an input with the output there. Returns false at the first difference,
 * which ends the walk. `context` is a struct comparison. */
static bool compare_slot(void *context, const struct spirv_interface *leaf, uint32_t location,
                         uint32_t component)
{
    struct comparison *comparison = context;
    const struct slot *slot = &comparison->outputs->slot[location][component];
    if (slot->numeric == leaf->numeric && slot->width == leaf->width)
        return true;
    comparison->location = location;
    comparison->component = component;
    comparison->slot = slot->numeric ? slot : NULL;
    return false;
}

static const char *numeric_name(uint8_t numeric)
{
    switch (numeric) {
    case SPIRV_NUMERIC_FLOAT:
        return "floating-point";
    case SPIRV_NUMERIC_SINT:
        return "signed integer";
    case SPIRV_NUMERIC_UINT:
        return "unsigned integer";
    default:
        return "boolean";
    }
}

/* True for a passthrough geometry shader, which forwards its inputs without declaring outputs (28.3
 * "Geometry Shader Passthrough"). */
static bool passes_through(const struct shader_stage *stage)
{
    return stage->stage == VK_SHADER_STAGE_GEOMETRY_BIT &&
           spirv_has_capability(stage->reflection, SpvCapabilityGeometryShaderPassthroughNV);
}

/* Checks one input of `after`, all components of which have an output of the same type. `slot` is
 * the output at the input's first component. */
static void check_match(struct subject *s, const struct location *where,
                        const struct shader_stage *before, const struct shader_stage *after,
                        const struct spirv_interface *leaf, const struct slot *slot)
{
    const uint8_t size = vector_size(leaf);
    /* If the maintenance4 feature is not enabled, any vector type output interface variables must
     * not have a higher Component Count than a matching vector type input interface variable */
    REQUIRE_OF(s, STAGE_OBJECTS(after, before), VUID_RuntimeSpirv_maintenance4_06817,
               !size || slot->vector_begin != leaf->component || slot->vector_size <= size ||
                   device_has_feature(s->call->device, FEATURE_maintenance4),
               where,
               "has %s that reads location %u (%s) as a vector of %u components, but %s writes it "
               "(%s) as one of %u, and the maintenance4 feature is not enabled%s",
               shader_stage_name(after->stage), leaf->location, shader_text(after, leaf->name),
               size, shader_stage_name(before->stage), shader_text(before, slot->name),
               slot->vector_size, MODULES(s->call, after, before));
    /* Any variable shared between the OpEntryPoint of two shader stages must have matching
     * decorations as defined in interface matching */
    const bool is_per_primitive = (leaf->flags & SPIRV_PER_PRIMITIVE) != 0;
    REQUIRE_OF(s, STAGE_OBJECTS(after, before), VUID_RuntimeSpirv_OpVariable_08746,
               is_per_primitive == slot->is_per_primitive, where,
               "has %s that reads location %u (%s) %s the decoration PerPrimitiveEXT, but %s "
               "writes it (%s) %s%s",
               shader_stage_name(after->stage), leaf->location, shader_text(after, leaf->name),
               is_per_primitive ? "with" : "without", shader_stage_name(before->stage),
               shader_text(before, slot->name), is_per_primitive ? "without it" : "with it",
               MODULES(s->call, after, before));
}

/* Compares the outputs of `before` with the inputs of `after`: those for patches if `patch` is set,
 * otherwise the others. */
static bool check_pair(const struct call *call, const struct location *where,
                       const struct shader_stage *before, const struct shader_stage *after,
                       bool patch)
{
    assert(before->entry && after->entry);
    struct slots outputs;
    struct subject s = {.call = call};
    const bool passes = passes_through(before);
    memset(&outputs, 0, sizeof(outputs));
    for (uint32_t i = 0; i < before->entry->interface_count; i++) {
        const struct spirv_interface *leaf = shader_leaf(before, i);
        if (is_user_defined(leaf, passes ? leaf->storage : SpvStorageClassOutput) &&
            !(leaf->flags & SPIRV_PATCH) == !patch)
            (void)visit_slots(leaf, fill_slot, &outputs);
    }
    for (uint32_t i = 0; i < after->entry->interface_count; i++) {
        const struct spirv_interface *leaf = shader_leaf(after, i);
        struct comparison comparison = {.outputs = &outputs};
        if (!is_user_defined(leaf, SpvStorageClassInput) || !(leaf->flags & SPIRV_PATCH) != !patch)
            continue;
        if (visit_slots(leaf, compare_slot, &comparison)) {
            if (!passes && leaf->location < LOCATIONS_KEPT && leaf->component < 4)
                check_match(&s, where, before, after, leaf,
                            &outputs.slot[leaf->location][leaf->component]);
            continue;
        }
        const struct slot *slot = comparison.slot;
        /* Any user-defined variables shared between two stages, and declared with Input for the
         * subsequent one, must have all Location slots and Component words declared in the
         * preceding stage's OpEntryPoint with Output */
        if (!slot)
            BROKEN_OF(&s, STAGE_OBJECTS(after, before), VUID_RuntimeSpirv_OpEntryPoint_08743, where,
                      "has %s that reads location %u, component %u (%s), which %s "
                      "does not write%s",
                      shader_stage_name(after->stage), comparison.location, comparison.component,
                      shader_text(after, leaf->name), shader_stage_name(before->stage),
                      MODULES(call, after, before));
        /* Any user-defined variables between two stages must have the same type and width for each
         * Component */
        else
            BROKEN_OF(&s, STAGE_OBJECTS(after, before), VUID_RuntimeSpirv_OpEntryPoint_07754, where,
                      "has %s that reads location %u, component %u (%s) as %u-bit %s, but %s "
                      "writes it (%s) as %u-bit %s%s",
                      shader_stage_name(after->stage), comparison.location, comparison.component,
                      shader_text(after, leaf->name), leaf->width, numeric_name(leaf->numeric),
                      shader_stage_name(before->stage), shader_text(before, slot->name),
                      slot->width, numeric_name(slot->numeric), MODULES(call, after, before));
    }
    return s.skip;
}

/* Checks the vertex attributes against the inputs of the vertex shader at the same locations. */
bool check_vertex_attributes(const struct call *call, const struct location *where,
                             const struct graphics_info *graphics,
                             const struct shader_stage *vertex)
{
    assert(vertex->entry);
    const VkPipelineVertexInputStateCreateInfo *input = graphics->vertex_input;
    struct subject s = {.call = call};
    if (!(graphics->own & PART_VERTEX_INPUT) || !input ||
        graphics_is_dynamic(graphics, DYNAMIC_VERTEX_INPUT_EXT) || vertex->entry->truncated ||
        (input->vertexAttributeDescriptionCount &&
         pointer_is_bad(input->pVertexAttributeDescriptions)))
        return false;
    bool may_miss = device_has_feature(call->device, FEATURE_vertexAttributeRobustness) ||
                    device_has_feature(call->device, FEATURE_maintenance9);
    const struct location *state = &LOCATION_POINTER(where, "pVertexInputState");
    for (uint32_t i = 0; i < vertex->entry->interface_count; i++) {
        const struct spirv_interface *leaf = shader_leaf(vertex, i);
        if (!is_user_defined(leaf, SpvStorageClassInput))
            continue;
        const uint32_t rows = vertex_input_rows(leaf), step = vertex_input_step(leaf);
        for (uint32_t row = 0; row < rows && row < 64; row++) {
            uint32_t location = leaf->location + row * step;
            const VkVertexInputAttributeDescription *attribute = NULL;
            uint32_t index = 0;
            for (; index < input->vertexAttributeDescriptionCount && !attribute; index++)
                attribute = input->pVertexAttributeDescriptions[index].location == location
                                ? &input->pVertexAttributeDescriptions[index]
                                : NULL;
            /* all variables with the Input storage class decorated with Location must contain a
             * location in VkVertexInputAttributeDescription::location */
            if (!attribute) {
                if (!may_miss)
                    BROKEN_OF(&s, STAGE_OBJECT(vertex), RULE_07904, state,
                              "has no attribute of location %u, which the vertex shader "
                              "reads (%s)",
                              location, shader_text(vertex, leaf->name));
                break;
            }
            const struct format_info *format = format_info(attribute->format);
            if (!format)
                continue;
            const struct location *place =
                &LOCATION(&LOCATION_INDEX(state, "pVertexAttributeDescriptions", index - 1),
                          "format");
            const uint8_t numeric = format_spirv_numeric(format);
            /* the numeric type associated with all Input variables of the corresponding Location
             * must be the same as VkVertexInputAttributeDescription::format */
            if (numeric != leaf->numeric)
                BROKEN_OF(&s, STAGE_OBJECT(vertex), RULE_08733, place,
                          "has %s components, but the vertex shader reads location %u (%s) as %s",
                          numeric_name(numeric), location, shader_text(vertex, leaf->name),
                          numeric_name(leaf->numeric));
            /* format has a 64-bit component: the scalar width of all Input variables of the
             * Location must be 64-bit */
            bool wide = format->bits[0] == 64;
            if (wide && leaf->width != 64)
                BROKEN_OF(&s, STAGE_OBJECT(vertex), RULE_08929, place,
                          "has 64-bit components, but the vertex shader reads location %u "
                          "(%s) as %u-bit",
                          location, shader_text(vertex, leaf->name), leaf->width);
            /* the scalar width of a Location decorated Input variable is 64-bit: the corresponding
             * format must have a 64-bit component */
            if (!wide && leaf->width == 64)
                BROKEN_OF(&s, STAGE_OBJECT(vertex), RULE_08930, place,
                          "has no 64-bit component, but the vertex shader reads location %u "
                          "(%s) as 64-bit",
                          location, shader_text(vertex, leaf->name));
            /* format has a 64-bit component: Input variables at the Location must not use
             * components that are not present in the format */
            if (wide && leaf->width == 64 && vertex_lacks_components(format, leaf))
                BROKEN_OF(&s, STAGE_OBJECT(vertex), RULE_09198, place,
                          "has %u components, but the vertex shader uses %u of location %u (%s)",
                          format->component_count, vertex_used_components(leaf), location,
                          shader_text(vertex, leaf->name));
        }
    }
    return s.skip;
}

/* The given stage, or NULL if the pipeline does not have it here, or if its code is not known. */
static const struct shader_stage *find_stage(const struct shader_stage *stages, uint32_t count,
                                             VkShaderStageFlagBits stage)
{
    for (uint32_t i = 0; i < count; i++) {
        if (stages[i].stage == stage && stages[i].entry)
            return &stages[i];
    }
    return NULL;
}

/* True if the entry point has the execution mode. */
static bool has_mode(const struct shader_stage *stage, uint32_t mode)
{
    assert(stage->entry);
    return spirv_mode_find(stage->reflection, stage->entry, mode) != NULL;
}

/* The first of the modes that the stage has, or UINT32_MAX if it has none. */
static uint32_t mode_among(const struct shader_stage *stage, const uint32_t *modes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (has_mode(stage, modes[i]))
            return modes[i];
    }
    return UINT32_MAX;
}

static const char *mode_name(uint32_t mode)
{
    const struct spirv_enumerant *enumerant = spirv_enumerant(SPIRV_KIND_ExecutionMode, mode);
    return enumerant ? enumerant->name : "nothing";
}

/* Checks that both tessellation shaders together declare all modes that are needed, and do not
 * contradict each other. */
static bool check_tessellation(const struct call *call, const struct location *where,
                               const struct shader_stage *control,
                               const struct shader_stage *evaluation)
{
    static const uint32_t subdivisions[] = {SpvExecutionModeTriangles, SpvExecutionModeQuads,
                                            SpvExecutionModeIsolines};
    uint32_t first = mode_among(control, subdivisions, 3),
             second = mode_among(evaluation, subdivisions, 3);
    struct subject s = {.call = call};
    /* the shader code of at least one stage must contain an OpExecutionMode instruction specifying
     * the type of subdivision in the pipeline */
    if (first == UINT32_MAX && second == UINT32_MAX)
        BROKEN_OF(&s, STAGE_OBJECTS(control, evaluation), RULE_00732, where,
                  "has tessellation shaders of which none has the execution mode Triangles, "
                  "Quads or Isolines");
    /* if both do, they must both specify the same subdivision mode */
    if (first != UINT32_MAX && second != UINT32_MAX && first != second)
        BROKEN_OF(&s, STAGE_OBJECTS(control, evaluation), RULE_00733, where,
                  "has a tessellation control shader with the execution mode %s and an "
                  "evaluation shader with %s%s",
                  mode_name(first), mode_name(second), MODULES(call, control, evaluation));
    const struct spirv_execution_mode *size =
        spirv_mode_find(control->reflection, control->entry, SpvExecutionModeOutputVertices);
    const struct spirv_execution_mode *other =
        spirv_mode_find(evaluation->reflection, evaluation->entry, SpvExecutionModeOutputVertices);
    /* the shader code of at least one stage must contain an OpExecutionMode instruction specifying
     * the output patch size in the pipeline */
    if (!size && !other)
        BROKEN_OF(&s, STAGE_OBJECTS(control, evaluation), RULE_00734, where,
                  "has tessellation shaders of which none has the execution mode OutputVertices");
    /* if both do, they must both specify the same patch size */
    if (size && other && size->operands[0] != other->operands[0])
        BROKEN_OF(&s, STAGE_OBJECTS(control, evaluation), RULE_00735, where,
                  "has a tessellation control shader with patches of %u vertices and an "
                  "evaluation shader with patches of %u%s",
                  size->operands[0], other->operands[0], MODULES(call, control, evaluation));
    return s.skip;
}

/* The input primitive of a geometry shader that fits a topology; UINT32_MAX if none does. */
static uint32_t primitive_of(VkPrimitiveTopology topology)
{
    switch (topology) {
    case VK_PRIMITIVE_TOPOLOGY_POINT_LIST:
        return SpvExecutionModeInputPoints;
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
        return SpvExecutionModeInputLines;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN:
        return SpvExecutionModeTriangles;
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
        return SpvExecutionModeInputLinesAdjacency;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY:
        return SpvExecutionModeInputTrianglesAdjacency;
    default:
        return UINT32_MAX;
    }
}

/* True if one of the two tessellation stages declares the mode. A stage may be NULL. */
static bool stages_tessellate(const struct shader_stage *control,
                              const struct shader_stage *evaluation, uint32_t mode)
{
    return (control && has_mode(control, mode)) || (evaluation && has_mode(evaluation, mode));
}

/* Checks that a geometry shader takes the primitives that the stages before it make. `evaluation`
 * is NULL without tessellation. */
static bool check_geometry(const struct call *call, const struct location *where,
                           const struct graphics_info *graphics,
                           const struct shader_stage *geometry, const struct shader_stage *control,
                           const struct shader_stage *evaluation)
{
    static const uint32_t inputs[] = {
        SpvExecutionModeInputPoints, SpvExecutionModeInputLines, SpvExecutionModeTriangles,
        SpvExecutionModeInputLinesAdjacency, SpvExecutionModeInputTrianglesAdjacency};
    uint32_t takes = mode_among(geometry, inputs, ARRAY_LENGTH(inputs));
    if (takes == UINT32_MAX)
        return false;
    struct subject s = {.call = call};
    if (evaluation) {
        uint32_t gives = stages_tessellate(control, evaluation, SpvExecutionModePointMode)
                             ? SpvExecutionModeInputPoints
                         : stages_tessellate(control, evaluation, SpvExecutionModeIsolines)
                             ? SpvExecutionModeInputLines
                             : SpvExecutionModeTriangles;
        /* its shader code must contain an OpExecutionMode instruction specifying an input primitive
         * type that is compatible with the primitive topology that is output by the tessellation
         * stages */
        REQUIRE(&s, RULE_00739, takes == gives, where,
                "has a geometry shader that takes %s, but its tessellation shaders give %s",
                mode_name(takes), mode_name(gives));
        return s.skip;
    }
    if (!(graphics->own & PART_VERTEX_INPUT) || !graphics->input_assembly ||
        graphics_is_dynamic(graphics, DYNAMIC_PRIMITIVE_TOPOLOGY) ||
        graphics->all_stages & (VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT |
                                VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT))
        return false;
    uint32_t gives = primitive_of(graphics->input_assembly->topology);
    /* specifying an input primitive type that is compatible with the primitive topology specified
     * in pInputAssembly */
    if (gives == UINT32_MAX || gives == takes)
        return false;
    char buffer[128];
    struct string_builder text;
    string_builder_begin(&text, buffer, sizeof(buffer));
    value_write(&text, VALUES_VkPrimitiveTopology, (uint64_t)graphics->input_assembly->topology);
    return BROKEN_BY(call, RULE_00738, where, NULL,
                     "has a geometry shader that takes %s, but pInputAssemblyState->topology is %s",
                     mode_name(takes), text.text);
}

/* Checks a pipeline whose shaders use transform feedback. If the entry point of any stage is not
 * known, nothing is checked. */
static bool check_transform_feedback(const struct call *call, const struct location *where,
                                     const struct shader_stage *stages, uint32_t count,
                                     VkPipelineCreateFlags2 flags)
{
    uint32_t captures = 0;
    const struct shader_stage *last = NULL, *captured = NULL;
    struct subject s = {.call = call};
    for (uint32_t i = 0; i < count; i++) {
        if (!stages[i].entry)
            return false;
        if (stages[i].stage == VK_SHADER_STAGE_FRAGMENT_BIT)
            continue;
        last = &stages[i];
        if (has_mode(last, SpvExecutionModeXfb)) {
            captures++;
            captured = last;
        }
    }
    if (!last || !captured)
        return false;
    REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_flags_11001,
            !(flags & VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT), where,
            "has a shader with the execution mode Xfb, but flags has "
            "VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT");
    REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_flags_02966,
            !(flags & VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_NV), where,
            "has a shader with the execution mode Xfb, but flags has "
            "VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV");
    /* the Xfb execution mode can be specified by no more than one shader stage in pStages */
    if (captures > 1)
        BROKEN(&s, RULE_02317, where, "has %u shader stages with the execution mode Xfb", captures);
    /* any shader stage that specifies Xfb execution mode must be the last pre-rasterization shader
     * stage. (Of several, one is not.) */
    else if (captured != last)
        BROKEN(&s, RULE_02318, where,
               "has the execution mode Xfb in a stage that is not the last one before "
               "rasterization, %s",
               shader_stage_name(last->stage));
    /* there are any mesh shader stages: there must not be any shader stage with a Xfb execution
     * mode */
    if (find_stage(stages, count, VK_SHADER_STAGE_MESH_BIT_EXT))
        BROKEN(&s, RULE_02322, where,
               "has a mesh shader, and a shader with the execution mode Xfb");
    return s.skip;
}

/* The view mask of the subpass or of dynamic rendering; 0 if multiview is off, or if the mask is
 * not known. */
static uint32_t view_mask_of(const struct call *call, const struct graphics_info *graphics)
{
    if (graphics->info->renderPass) {
        const struct render_pass *render_pass = find_render_pass(call, graphics->info->renderPass);
        return render_pass && graphics->info->subpass < render_pass->subpass_count
                   ? render_pass->subpasses[graphics->info->subpass].view_mask
                   : 0;
    }
    return graphics->rendering ? graphics->rendering->viewMask : 0;
}

/* Checks rules of one stage that apply in some graphics pipelines only. */
static bool check_one(const struct call *call, const struct location *where,
                      const struct graphics_info *graphics, const struct shader_stage *stage,
                      uint32_t view_mask)
{
    const struct spirv_reflection *reflection = stage->reflection;
    struct subject s = {.call = call};
    bool render_pass = graphics->info->renderPass,
         fragment = stage->stage == VK_SHADER_STAGE_FRAGMENT_BIT;
    /* viewMask is not 0: all of the shaders in the pipeline must not include variables decorated
     * with the Layer built-in decoration in their interfaces */
    if (view_mask && graphics->own & PART_PRE_RASTERIZATION &&
        (shader_builtin(stage, SpvStorageClassOutput, SpvBuiltInLayer) ||
         shader_builtin(stage, SpvStorageClassInput, SpvBuiltInLayer)))
        BROKEN_OF(&s, STAGE_OBJECT(stage), render_pass ? RULE_06050 : RULE_06059, stage->where,
                  "has the built-in Layer in its interface, but the view mask is 0x%x", view_mask);
    /* dynamicRenderingLocalRead is not enabled, renderPass is VK_NULL_HANDLE: fragment shaders must
     * not include the InputAttachment capability */
    if (fragment && !render_pass &&
        !device_has_feature(call->device, FEATURE_dynamicRenderingLocalRead) &&
        spirv_has_capability(reflection, SpvCapabilityInputAttachment))
        BROKEN_OF(&s, STAGE_OBJECT(stage), RULE_06061, stage->where,
                  "declares the capability InputAttachment in a pipeline for dynamic "
                  "rendering, and the dynamicRenderingLocalRead feature is not enabled");
    /* renderPass is not VK_NULL_HANDLE: fragment shaders must not include any of the TileImage
     * capabilities */
    if (fragment && render_pass &&
        (spirv_has_capability(reflection, SpvCapabilityTileImageColorReadAccessEXT) ||
         spirv_has_capability(reflection, SpvCapabilityTileImageDepthReadAccessEXT) ||
         spirv_has_capability(reflection, SpvCapabilityTileImageStencilReadAccessEXT)))
        BROKEN_OF(&s, STAGE_OBJECT(stage), RULE_08710, stage->where,
                  "declares a TileImage capability in a pipeline for a render pass");
    return s.skip;
}

/* Checks combinations of stages of a pipeline. Stages that the pipeline does not have here are
 * ignored. */
static bool check_together(const struct call *call, const struct location *where,
                           const struct graphics_info *graphics, const struct shader_stage *stages,
                           uint32_t count)
{
    const struct shader_stage *vertex = find_stage(stages, count, VK_SHADER_STAGE_VERTEX_BIT),
                              *control = find_stage(stages, count,
                                                    VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT),
                              *evaluation = find_stage(stages, count,
                                                       VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT),
                              *geometry = find_stage(stages, count, VK_SHADER_STAGE_GEOMETRY_BIT),
                              *task = find_stage(stages, count, VK_SHADER_STAGE_TASK_BIT_EXT),
                              *mesh = find_stage(stages, count, VK_SHADER_STAGE_MESH_BIT_EXT),
                              *fragment = find_stage(stages, count, VK_SHADER_STAGE_FRAGMENT_BIT);
    struct subject s = {.call = call};
    if (control && evaluation)
        s.skip |= check_tessellation(call, where, control, evaluation);
    if (geometry)
        s.skip |= check_geometry(call, where, graphics, geometry, control, evaluation);
    /* and pStages contains both task and mesh shaders, then the mesh shader's entry point must not
     * declare a variable with a DrawIndex BuiltIn decoration */
    if (task && mesh && shader_builtin(mesh, SpvStorageClassInput, SpvBuiltInDrawIndex))
        BROKEN(&s, RULE_09631, where,
               "has a task shader, and a mesh shader that has the built-in DrawIndex in "
               "its interface");
    /* The task and mesh stages must use either the TaskNV and MeshNV Execution Model or the TaskEXT
     * and MeshEXT Execution Model, but must not use both */
    if (task && mesh &&
        (task->entry->model == SpvExecutionModelTaskNV) !=
            (mesh->entry->model == SpvExecutionModelMeshNV))
        BROKEN(&s, RULE_07063, where,
               "has a task and a mesh shader of which one is of VK_NV_mesh_shader and the "
               "other of VK_EXT_mesh_shader");
    /* the fragment shader reads from an input variable that is decorated with PrimitiveId: the
     * geometry shader must write to a matching output variable */
    const struct spirv_interface *primitive =
        fragment && geometry && !passes_through(geometry)
            ? shader_builtin(fragment, SpvStorageClassInput, SpvBuiltInPrimitiveId)
            : NULL;
    if (primitive && primitive->access & SPIRV_ACCESS_READ) {
        const struct spirv_interface *written =
            shader_builtin(geometry, SpvStorageClassOutput, SpvBuiltInPrimitiveId);
        if (!written ||
            !(written->initialized || written->access & (SPIRV_ACCESS_WRITE | SPIRV_ACCESS_PASSED)))
            BROKEN(&s, RULE_00740, where,
                   "has a fragment shader that reads PrimitiveId, which its geometry "
                   "shader does not write");
    }
    /* the last one before rasterization is a geometry shader that uses GeometryStreams: the
     * geometryStreams feature must be enabled */
    if (geometry && spirv_has_capability(geometry->reflection, SpvCapabilityGeometryStreams) &&
        !device_has_feature(call->device, FEATURE_geometryStreams))
        BROKEN(&s, RULE_02321, where,
               "has a geometry shader with the capability GeometryStreams, and the "
               "geometryStreams feature is not enabled");
    /* a Vertex Execution Model and no TessellationEvaluation or Geometry one, the topology is
     * VK_PRIMITIVE_TOPOLOGY_POINT_LIST: a PointSize decorated variable must be written to if the
     * maintenance5 feature is not enabled */
    if (vertex &&
        !(graphics->all_stages &
          (VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT | VK_SHADER_STAGE_GEOMETRY_BIT)) &&
        graphics->own & PART_VERTEX_INPUT && graphics->input_assembly &&
        graphics->input_assembly->topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST &&
        !graphics_is_dynamic(graphics, DYNAMIC_PRIMITIVE_TOPOLOGY) &&
        !device_has_feature(call->device, FEATURE_maintenance5)) {
        const struct spirv_interface *size =
            shader_builtin(vertex, SpvStorageClassOutput, SpvBuiltInPointSize);
        if (!vertex->entry->truncated &&
            (!size ||
             !(size->initialized || size->access & (SPIRV_ACCESS_WRITE | SPIRV_ACCESS_PASSED))))
            BROKEN(&s, RULE_08773, where,
                   "draws VK_PRIMITIVE_TOPOLOGY_POINT_LIST, but its vertex shader does "
                   "not write PointSize, and the maintenance5 feature is not enabled");
    }
    return s.skip | check_transform_feedback(call, where, stages, count, graphics->flags);
}

bool check_stages_linked(const struct call *call, const struct location *where,
                         const struct graphics_info *graphics, const struct shader_stage *stages,
                         uint32_t count)
{
    assert(stages || !count);
    uint32_t view_mask = view_mask_of(call, graphics);
    bool skip = false;
    for (uint32_t i = 0; i < count; i++) {
        const struct shader_stage *before = i ? &stages[i - 1] : NULL, *after = &stages[i];
        if (!after->entry)
            continue;
        skip |= check_one(call, where, graphics, after, view_mask);
        if (!before || !before->entry || before->entry->truncated || after->entry->truncated ||
            before->stage == VK_SHADER_STAGE_TASK_BIT_EXT)
            continue;
        skip |= check_pair(call, where, before, after, false);
        if (before->stage == VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT)
            skip |= check_pair(call, where, before, after, true);
    }
    skip |= check_graphics_uses(call, where, graphics, stages, count);
    return skip | check_together(call, where, graphics, stages, count);
}
