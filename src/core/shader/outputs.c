/* Finds color attachments that a fragment shader leaves with undefined values (15.1.4 "Fragment
 * Output Interface"). No valid usage id forbids it, so these are warnings under well-known names.
 * The layer warns only where it knows everything that could keep the values from the
 * attachments. */
#include "core/shader/stage.h"
#include "core/shader/vertex_input.h"

#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "state/memory/formats.h"
#include "state/command/render_pass.h"
#include "vk/chain.h"
#include "vk/pointer.h"

/* The color attachments of the pipeline, and where their formats come from. */
struct outputs {
    const struct graphics_info *graphics;
    /* NULL if the formats are those of `graphics->rendering` */
    const struct subpass *subpass;
    const struct render_pass *render_pass; /* NULL if `subpass` is */
    uint32_t count;                        /* the number of color attachments */
};

/* True if the pipeline alone decides which values reach the attachments, so that no state set
 * before a draw changes that. */
static bool writes_are_known(const struct graphics_info *graphics)
{
    const enum dynamic_state dynamic_states[] = {
        DYNAMIC_RASTERIZER_DISCARD_ENABLE, DYNAMIC_COLOR_WRITE_ENABLE_EXT,
        DYNAMIC_COLOR_WRITE_MASK_EXT,      DYNAMIC_COLOR_BLEND_ENABLE_EXT,
        DYNAMIC_COLOR_BLEND_EQUATION_EXT,  DYNAMIC_COLOR_BLEND_ADVANCED_EXT,
        DYNAMIC_LOGIC_OP_ENABLE_EXT};
    const VkPipelineColorBlendStateCreateInfo *blend = graphics->color_blend;
    for (uint32_t i = 0; i < ARRAY_LENGTH(dynamic_states); i++) {
        if (graphics_is_dynamic(graphics, dynamic_states[i]))
            return false;
    }
    return graphics->rasterizes && blend && !blend->logicOpEnable && blend->pAttachments &&
           !pointer_is_bad(blend->pAttachments) &&
           /* another setting would then decide which outputs are written */
           !CHAINED(blend->pNext, PIPELINE_COLOR_WRITE_CREATE_INFO_EXT) &&
           !CHAINED(graphics->info->pNext, RENDERING_ATTACHMENT_LOCATION_INFO);
}

/* Finds the color attachments that a fragment shader writes. False if they are not known, or if
 * there is nothing to check. */
static bool outputs_begin(const struct call *call, const struct graphics_info *graphics,
                          struct outputs *outputs)
{
    const VkGraphicsPipelineLibraryFlagsEXT both = PART_FRAGMENT_SHADER | PART_FRAGMENT_OUTPUT;
    if ((graphics->own & both) != both || !writes_are_known(graphics))
        return false;
    *outputs = (struct outputs){.graphics = graphics};
    if (!graphics->info->renderPass) {
        const VkPipelineRenderingCreateInfo *rendering = graphics->rendering;
        if (!rendering || !rendering->colorAttachmentCount ||
            pointer_is_bad(rendering->pColorAttachmentFormats))
            return false;
        outputs->count = rendering->colorAttachmentCount;
    } else {
        outputs->render_pass = find_render_pass(call, graphics->info->renderPass);
        if (!outputs->render_pass || graphics->info->subpass >= outputs->render_pass->subpass_count)
            return false;
        outputs->subpass = &outputs->render_pass->subpasses[graphics->info->subpass];
        outputs->count = outputs->subpass->color_count;
    }
    if (outputs->count > graphics->color_blend->attachmentCount)
        outputs->count = graphics->color_blend->attachmentCount;
    return true;
}

/* The format of the attachment that output `i` is written to; VK_FORMAT_UNDEFINED if it is not
 * written. */
static VkFormat output_format(const struct outputs *outputs, uint32_t i)
{
    assert(i < outputs->count);
    if (!outputs->subpass)
        return outputs->graphics->rendering->pColorAttachmentFormats[i];
    uint32_t attachment = outputs->subpass->colors[i].attachment;
    return attachment < outputs->render_pass->attachment_count
               ? outputs->render_pass->attachments[attachment].description.format
               : VK_FORMAT_UNDEFINED;
}

/* True if no value of the shader reaches the attachment. */
static bool ignores_source(const VkPipelineColorBlendAttachmentState *state)
{
    return !state->colorWriteMask ||
           (state->blendEnable && (state->colorBlendOp > VK_BLEND_OP_MAX ||
                                   (state->srcColorBlendFactor == VK_BLEND_FACTOR_ZERO &&
                                    state->srcAlphaBlendFactor == VK_BLEND_FACTOR_ZERO)));
}

/* True if the output has the location. Outputs of index 1 are ignored: they are for dual-source
 * blending. */
static bool output_gives(const struct spirv_interface *leaf, uint32_t location)
{
    return leaf->storage == SpvStorageClassOutput && leaf->builtin == SPIRV_NONE &&
           leaf->location != SPIRV_NONE && !leaf->index && location >= leaf->location &&
           location - leaf->location < leaf->location_count;
}

/* True if the fragment shader has the output SampleMask. */
static bool writes_sample_mask(const struct shader_stage *fragment)
{
    for (uint32_t i = 0; i < fragment->entry->interface_count; i++) {
        const struct spirv_interface *leaf =
            &fragment->reflection->interfaces[fragment->entry->first_interface + i];
        if (leaf->storage == SpvStorageClassOutput && leaf->builtin == SpvBuiltInSampleMask)
            return true;
    }
    return false;
}

static const char *numeric_text(uint8_t numeric)
{
    return numeric == SPIRV_NUMERIC_SINT   ? "signed integers"
           : numeric == SPIRV_NUMERIC_UINT ? "unsigned integers"
                                           : "floating-point values";
}

/* Checks one output at `location` against the format of its color attachment. It is not checked if
 * blending ignores the source. */
static bool check_leaf(const struct call *call, const struct location *where,
                       const struct outputs *outputs, const struct shader_stage *fragment,
                       const struct spirv_interface *leaf, uint32_t location)
{
    VkFormat format = output_format(outputs, location);
    const struct format_info *info = format_info(format);
    const bool dynamic = !outputs->subpass;
    const struct location *place =
        &LOCATION_INDEX(&LOCATION_POINTER(where, "pColorBlendState"), "pAttachments", location);
    if (!info || ignores_source(&outputs->graphics->color_blend->pAttachments[location]))
        return false;
    const uint8_t numeric = format_spirv_numeric(info);
    /* If the type of the values written by the fragment shader do not match the format of the
     * corresponding color attachment, the resulting values are undefined */
    if (numeric != leaf->numeric &&
        (leaf->numeric == SPIRV_NUMERIC_SINT || leaf->numeric == SPIRV_NUMERIC_UINT ||
         leaf->numeric == SPIRV_NUMERIC_FLOAT))
        return finding_with_severity(
            call, SEVERITY_WARNING,
            dynamic ? Undefined_Value_ShaderFragmentOutputMismatch_DynamicRendering
                    : Undefined_Value_ShaderFragmentOutputMismatch,
            place, STAGE_OBJECT(fragment),
            "is of a color attachment of %s, which holds %s, but the fragment shader writes %s to "
            "location %u (%s): what the attachment then holds is undefined",
            value_text(VALUES_VkFormat, format).text, numeric_text(numeric),
            numeric_text(leaf->numeric), location, shader_text(fragment, leaf->name));
    if (leaf->access & (SPIRV_ACCESS_WRITE | SPIRV_ACCESS_PASSED) || leaf->initialized)
        return false;
    /* If a color attachment at a given Location does not have an output variable declared, the
     * values must not be modified. So it is the declaration without a write that matters. */
    return finding_with_severity(call, SEVERITY_WARNING,
                                 dynamic ? Undefined_Value_OutputNotWritten_DynamicRendering
                                         : Undefined_Value_OutputNotWritten,
                                 place, STAGE_OBJECT(fragment),
                                 "has a colorWriteMask of %s, but the fragment shader declares the "
                                 "output of location %u "
                                 "(%s) and never writes it: draws leave undefined values in the "
                                 "attachment. Take the "
                                 "declaration out of the shader, or set colorWriteMask to 0",
                                 value_text(VALUES_VkColorComponentFlags,
                                            outputs->graphics->color_blend->pAttachments[location]
                                                .colorWriteMask)
                                     .text,
                                 location, shader_text(fragment, leaf->name));
}

bool check_fragment_outputs(const struct call *call, const struct location *where,
                            const struct graphics_info *graphics,
                            const struct shader_stage *fragment)
{
    struct outputs outputs;
    bool skip = false;
    assert(fragment->entry);
    if (call_has_extension(call, EXTENSION_VK_NV_fragment_coverage_to_color))
        return false; /* the coverage may replace an output */
    if (fragment->entry->truncated || writes_sample_mask(fragment) ||
        !outputs_begin(call, graphics, &outputs))
        return false;
    for (uint32_t i = 0; i < fragment->entry->interface_count; i++) {
        const struct spirv_interface *leaf =
            &fragment->reflection->interfaces[fragment->entry->first_interface + i];
        for (uint32_t location = 0; location < outputs.count; location++) {
            if (output_gives(leaf, location))
                skip |= check_leaf(call, where, &outputs, fragment, leaf, location);
        }
    }
    return skip;
}
