/* Finds color attachments that a fragment shader leaves with undefined values (15.1.4 "Fragment
 * Output Interface"). No statement with a number forbids it, so these are warnings, under the names
 * that the field knows. Said only where all that could keep the values away is known. */
#include "core/shader/stage.h"
#include "core/shader/vertex_input.h"

#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "state/memory/formats.h"
#include "state/command/render_pass.h"
#include "vk/chain.h"
#include "vk/pointer.h"

/* Where a color attachment of the pipeline comes from. */
struct outputs {
    const struct graphics_info *graphics;
    const struct subpass *subpass;         /* NULL: of `graphics->rendering` */
    const struct render_pass *render_pass; /* NULL: as `subpass` */
    uint32_t count;                        /* of color attachments */
};

/* True if it is known here what reaches the attachments, and does not depend on state that is set
 * before a draw. */
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
           /* which outputs are whose is another question, then */
           !CHAINED(blend->pNext, PIPELINE_COLOR_WRITE_CREATE_INFO_EXT) &&
           !CHAINED(graphics->info->pNext, RENDERING_ATTACHMENT_LOCATION_INFO);
}

/* Finds the color attachments that a fragment shader writes to. False: they are not known, or there
 * is nothing to check. */
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

/* The format of the attachment that output `i` is written to; VK_FORMAT_UNDEFINED: to none. */
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

/* True if nothing that the shader gives reaches the attachment. */
static bool ignores_source(const VkPipelineColorBlendAttachmentState *state)
{
    return !state->colorWriteMask ||
           (state->blendEnable && (state->colorBlendOp > VK_BLEND_OP_MAX ||
                                   (state->srcColorBlendFactor == VK_BLEND_FACTOR_ZERO &&
                                    state->srcAlphaBlendFactor == VK_BLEND_FACTOR_ZERO)));
}

/* True if the output has the location. Those of index 1 are for dual-source blending. */
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

/* Checks one output at `location` by the format of its color attachment. A source that blending
 * ignores is passed over. */
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
        return false; /* the coverage may take the place of an output */
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
