/* Checks that the attributes which vkCmdSetVertexInputEXT has set fit the variables that the vertex
 * shader reads (22.2 "Vertex Input"). For a pipeline's own attributes, core/shader/link.c checks
 * this when it is created. */
#include "core/draw/draw.h"
#include "core/shader/vertex_input.h"

#include "report/names/names_of_values.h"
#include "state/pipeline/shader.h"

#include <spirv/unified1/spirv.h>

static const char *const numeric_names[] = {[SPIRV_NUMERIC_FLOAT] = "floating-point",
                                            [SPIRV_NUMERIC_SINT] = "signed integer",
                                            [SPIRV_NUMERIC_UINT] = "unsigned integer"};

/* The attributes that were set, and the input variable that reads them. */
struct input {
    const struct vertex_attribute *attributes; /* `count` attributes */
    uint32_t count;
    const struct spirv_reflection *code;
    const struct spirv_interface *leaf; /* input variable of the shader */
    uint32_t location;                  /* location of the part of `leaf` that is being checked */
};

/* The attribute for the current location; NULL: there is none. */
static const struct vertex_attribute *attribute_of(const struct input *input)
{
    for (uint32_t i = 0; i < input->count; i++) {
        if (input->attributes[i].location == input->location)
            return &input->attributes[i];
    }
    return NULL;
}

/* Checks the attribute's format. True: it fits. */
static bool vertex_input_check_format(struct draw *draw, const struct input *input,
                                      const struct vertex_attribute *attribute)
{
    const struct spirv_interface *leaf = input->leaf;
    const struct format_info *format = format_info(attribute->format);
    const bool legacy = device_has_feature(draw->s.call->device, FEATURE_legacyVertexAttributes);
    if (!format || leaf->numeric == SPIRV_NUMERIC_NONE || leaf->numeric == SPIRV_NUMERIC_BOOL)
        return true;
    const struct value_text name = value_text(VALUES_VkFormat, (uint64_t)attribute->format);
    const char *variable = input->code->text + leaf->name;
    const bool wide = format->bits[0] == 64;
    /* either the legacyVertexAttributes feature is not enabled or the SPIR-V Type is 64-bit, then
     * the numeric type associated with all Input variables of the corresponding Location must be
     * the same as VkVertexInputAttributeDescription2EXT::format */
    if (format_spirv_numeric(format) != leaf->numeric && (!legacy || leaf->width == 64)) {
        BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_08734, "commandBuffer",
                  "has an attribute of location %u with the format %s, which "
                  "vkCmdSetVertexInputEXT "
                  "has set, but the vertex shader reads it (%s) as %s",
                  input->location, name.text, variable, numeric_names[leaf->numeric]);
        return false;
    }
    /* format has a 64-bit component: the scalar width of all Input variables must be 64-bit */
    if (wide && leaf->width != 64) {
        BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_08936, "commandBuffer",
                  "has an attribute of location %u with the format %s, which "
                  "vkCmdSetVertexInputEXT "
                  "has set, but the vertex shader reads it (%s) as %u-bit",
                  input->location, name.text, variable, leaf->width);
        return false;
    }
    /* the scalar width is 64-bit: the corresponding format must have a 64-bit component */
    if (!wide && leaf->width == 64) {
        BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_08937, "commandBuffer",
                  "has an attribute of location %u with the format %s, which "
                  "vkCmdSetVertexInputEXT "
                  "has set, but the vertex shader reads it (%s) as 64-bit",
                  input->location, name.text, variable);
        return false;
    }
    /* format has a 64-bit component: all Input variables must not use components that are not
     * present in the format */
    if (wide && vertex_lacks_components(format, leaf)) {
        BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_09203, "commandBuffer",
                  "has an attribute of location %u with the format %s, which "
                  "vkCmdSetVertexInputEXT "
                  "has set, but the vertex shader uses %u components of it (%s)",
                  input->location, name.text, vertex_used_components(leaf), variable);
        return false;
    }
    return true;
}

/* Checks that each location of an input variable has an attribute with a fitting format. */
static void check_variable(struct draw *draw, struct input *input)
{
    const struct device *device = draw->s.call->device;
    const uint32_t rows = vertex_input_rows(input->leaf), step = vertex_input_step(input->leaf);
    const bool may_miss = device_has_feature(device, FEATURE_vertexAttributeRobustness) ||
                          device_has_feature(device, FEATURE_maintenance9) ||
                          input->count == DYNAMIC_VERTEX_ATTRIBUTES; /* some may not be kept */
    for (uint32_t row = 0; row < rows && row < 64; row++) {
        input->location = input->leaf->location + row * step;
        const struct vertex_attribute *attribute = attribute_of(input);
        /* all variables with the Input storage class decorated with Location must contain a
         * location in VkVertexInputAttributeDescription2EXT::location */
        if (!attribute && !may_miss)
            BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_07939, "commandBuffer",
                      "has no attribute of location %u, which the vertex shader reads (%s): "
                      "vkCmdSetVertexInputEXT has set %u attributes",
                      input->location, input->code->text + input->leaf->name, input->count);
        if (!attribute || !vertex_input_check_format(draw, input, attribute))
            return;
    }
}

/* The vertex shader's stage; NULL: the pipeline has none, as with mesh shaders. */
static const struct pipeline_stage *vertex_stage(const struct pipeline *pipeline)
{
    for (uint32_t i = 0; i < pipeline->stage_count; i++) {
        if (pipeline->stage[i].stage == VK_SHADER_STAGE_VERTEX_BIT)
            return &pipeline->stage[i];
    }
    return NULL;
}

void draw_check_vertex_input(struct draw *draw, uint32_t dirty)
{
    const struct dynamic_state_set *changed = &draw->command_buffer->dynamic_changed;
    if (draw->kind == DRAW_MESH || !draw_takes(draw, DYNAMIC_VERTEX_INPUT_EXT) ||
        !draw_has(draw, DYNAMIC_VERTEX_INPUT_EXT) ||
        (!(dirty & (DIRTY_PIPELINE | DIRTY_SHADERS)) &&
         !dynamic_state_set_has(changed, DYNAMIC_VERTEX_INPUT_EXT)))
        return;
    const struct pipeline_stage *stage = vertex_stage(draw->pipeline);
    const struct spirv_entry_point *entry = stage ? pipeline_stage_entry(stage) : NULL;
    struct input input = {0};
    input.attributes =
        current_vertex_attributes(draw->pipeline, draw->command_buffer, &input.count);
    if (!entry || !draw->values || entry->truncated)
        return;
    input.code = stage->shader->reflection;
    for (uint32_t i = 0; i < entry->interface_count; i++) {
        input.leaf = &input.code->interfaces[entry->first_interface + i];
        if (input.leaf->storage == SpvStorageClassInput && input.leaf->location != SPIRV_NONE &&
            input.leaf->builtin == SPIRV_NONE)
            check_variable(draw, &input);
    }
}
