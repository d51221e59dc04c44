/* Compares structures that are chained to a secondary's VkCommandBufferInheritanceInfo with the
 * command buffer that executes it (6.6 "Secondary Command Buffer Execution"). They are about tile
 * shading and custom resolves. */
#include "core/record/execute_commands.h"
#include "report/names/names_of_values.h"
#include "state/command/sections.h"

#include "report/finding/rule.h"

/* --- tile shading of VK_QCOM_tile_shading --- */

static bool same_apron(VkExtent2D a, VkExtent2D b)
{
    return a.width == b.width && a.height == b.height;
}

/* Checks a secondary with tile shading that is executed outside of a render pass instance. */
static bool check_outside(const struct execution *e, bool enabled)
{
    const VkExtent2D apron = e->inheritance->tiles.apron;
    /* ... VK_TILE_SHADING_RENDER_PASS_ENABLE_BIT_QCOM ..., this command must be recorded in a
     * render pass that has tile shading enabled */
    if (enabled)
        return execution_report(e, RULE(e->call, 10623),
                                "was recorded with VK_TILE_SHADING_RENDER_PASS_ENABLE_BIT_QCOM, "
                                "but no render pass instance is active");
    /* If this command is not being recorded into a render pass instance, ... tileApronSize ... must
     * equal (0,0) */
    return (apron.width || apron.height) &&
           execution_report(e, RULE(e->call, 10625),
                            "was recorded with a tileApronSize of %ux%u, but no render pass "
                            "instance is active",
                            apron.width, apron.height);
}

bool execution_check_tiles(const struct execution *e)
{
    const struct call *call = e->call;
    const struct render_pass_instance *rendering = active_rendering(e->primary);
    const struct render_pass *pass = active_render_pass(e->primary);
    const struct command_buffer_sections *sections = sections_of(e->primary);
    const bool enabled = e->inheritance->tiles.flags & VK_TILE_SHADING_RENDER_PASS_ENABLE_BIT_QCOM;
    bool skip = false;
    if (!(e->primary->scope & SCOPE_INSIDE_RENDER_PASS))
        return check_outside(e, enabled);
    if (!rendering || rendering->inherited || (rendering->kind == RENDERING_RENDER_PASS && !pass))
        return false;
    const bool shades = pass ? pass->tiles.flags & VK_TILE_SHADING_RENDER_PASS_ENABLE_BIT_QCOM
                             : rendering->tile_shading;
    const VkExtent2D mine = pass ? pass->tiles.apron : rendering->tile_apron,
                     theirs = e->inheritance->tiles.apron;
    /* If ... within a render pass instance with tile shading enabled, all elements ... must have
     * been recorded with VK_TILE_SHADING_RENDER_PASS_ENABLE_BIT_QCOM. 10618 forbids that where
     * renderPass is VK_NULL_HANDLE, as for a dynamic instance. */
    if (shades && !enabled && !pass)
        return false;
    if (shades != enabled)
        return execution_report(e, shades ? RULE(call, 10620) : RULE(call, 10623),
                                "was recorded %s VK_TILE_SHADING_RENDER_PASS_ENABLE_BIT_QCOM, but "
                                "the render pass instance has %stile shading",
                                enabled ? "with" : "without", shades ? "" : "no ");
    /* ... the tileApronSize used to create the render pass instance must equal the one used to
     * record all elements */
    if (shades && !same_apron(mine, theirs))
        skip |= execution_report(e, RULE(call, 10622),
                                 "was recorded with a tileApronSize of %ux%u, but that of the "
                                 "render pass instance is %ux%u",
                                 theirs.width, theirs.height, mine.width, mine.height);
    /* ... VK_TILE_SHADING_RENDER_PASS_PER_TILE_EXECUTION_BIT_QCOM, if and only if the per-tile
     * execution model is enabled */
    const bool per_tile =
        e->inheritance->tiles.flags & VK_TILE_SHADING_RENDER_PASS_PER_TILE_EXECUTION_BIT_QCOM;
    if (sections && sections->per_tile != per_tile)
        skip |= execution_report(e, per_tile ? RULE(call, 10624) : RULE(call, 10621),
                                 "was recorded %s "
                                 "VK_TILE_SHADING_RENDER_PASS_PER_TILE_EXECUTION_BIT_QCOM, but the "
                                 "per-tile execution model is %senabled",
                                 per_tile ? "with" : "without", sections->per_tile ? "" : "not ");
    return skip;
}

/* --- custom resolves of VK_EXT_custom_resolve --- */

/* Checks the format of a custom resolve against one attachment.
 * `same`: the id if the attachment has a view to resolve into; `none`: the id if it does not. */
static bool execute_chained_check_format(const struct execution *e,
                                         const struct rendering_attachment *attachment,
                                         VkFormat format, enum vuid same, enum vuid none,
                                         const char *name, uint32_t index)
{
    const struct image_view *view =
        attachment->resolve_view ? image_view_by_id(attachment->resolve_view) : NULL;
    if (view && view->format != format && same != VUID_COUNT)
        return execution_report(e, same,
                                "was recorded for a custom resolve into %s of %s attachment %u, "
                                "but its resolveImageView is of %s",
                                TEXT_OF(VkFormat, format), name, index,
                                TEXT_OF(VkFormat, view->format));
    return attachment->view && !attachment->resolve_given && format != VK_FORMAT_UNDEFINED &&
           execution_report(e, none,
                            "was recorded for a custom resolve into %s of %s attachment %u, which "
                            "has no resolveImageView",
                            TEXT_OF(VkFormat, format), name, index);
}

/* Checks that a resolve attachment has the sample count with which the secondary was recorded. */
static bool execute_chained_check_samples(const struct execution *e,
                                          const struct rendering_attachment *attachment,
                                          enum vuid vuid, const char *name, uint32_t index)
{
    const struct image_view *view =
        attachment->resolve_view ? image_view_by_id(attachment->resolve_view) : NULL;
    const VkSampleCountFlagBits samples = e->inheritance->samples;
    return view && view->samples != samples &&
           execution_report(e, vuid,
                            "was recorded with %s, but the resolveImageView of %s attachment %u "
                            "has %s, and vkCmdBeginCustomResolveEXT has been recorded",
                            TEXT_OF(VkSampleCountFlagBits, samples), name, index,
                            TEXT_OF(VkSampleCountFlagBits, view->samples));
}

bool execution_check_resolves(const struct execution *e,
                              const struct render_pass_instance *rendering)
{
    const struct command_buffer_inheritance *inheritance = e->inheritance;
    const struct call *call = e->call;
    const uint32_t count = rendering->formats.color_count,
                   theirs = inheritance->resolve.color_count;
    bool skip = false;
    /* ... colorAttachmentCount ... must be equal to the VkRenderingInfo::colorAttachmentCount */
    if (count != theirs && count < PIPELINE_COLORS && theirs < PIPELINE_COLORS)
        skip |= execution_report(e, RULE(call, 11532),
                                 "was recorded for a custom resolve of %u color attachments, but "
                                 "the render pass instance has %u",
                                 theirs, count);
    for (uint32_t i = 0; i < count && i < theirs && i < PIPELINE_COLORS; i++)
        skip |=
            execute_chained_check_format(e, &rendering->colors[i], inheritance->resolve.colors[i],
                                         RULE(call, 11533), RULE(call, 11534), "color", i);
    skip |= execute_chained_check_format(e, &rendering->depth, inheritance->resolve.depth,
                                         VUID_COUNT, RULE(call, 11537), "depth", 0);
    skip |= execute_chained_check_format(e, &rendering->stencil, inheritance->resolve.stencil,
                                         RULE(call, 11536), RULE(call, 11538), "stencil", 0);
    if (!rendering->custom_resolve || inheritance->has_sample_counts)
        return skip;
    /* ... the value of rasterizationSamples must be equal to the sample count used to create that
     * resolveImageView */
    for (uint32_t i = 0; i < count && i < PIPELINE_COLORS; i++) {
        if (execute_chained_check_samples(e, &rendering->colors[i], RULE(call, 11526), "color", i))
            return true;
    }
    return skip |
           execute_chained_check_samples(e, &rendering->depth, RULE(call, 11527), "depth", 0) |
           execute_chained_check_samples(e, &rendering->stencil, RULE(call, 11528), "stencil", 0);
}
