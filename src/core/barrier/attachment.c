/* Checks image memory barriers within a render pass instance (7.7.1 "Subpass Self-dependency", and
 * after). The image must be an attachment, in the layout that the instance uses. */
#include "core/barrier/attachment.h"
#include "core/barrier/barrier.h"
#include "core/barrier/image_transition.h"
#include "report/names/names_of_values.h"
#include "state/command/rendering.h"

#include "report/finding/rule.h"

/* How the attachments of the current subpass, or of the dynamic instance, use an image. */
struct image_uses {
    const struct render_pass_instance *rendering; /* the active instance */
    uint64_t image;                               /* id */
    const VkImageSubresourceRange *range;         /* the barrier's range */
    VkImageLayout old_layout;                     /* the barrier's oldLayout */
    /* the image of some attachment is not known, or some attachment has other subresources of this
     * image */
    bool unknown;
    bool input, output, other; /* the kinds of uses; `other`: in dynamic rendering */
    bool resolved;             /* a use is as the resolve attachment of a color attachment */
    bool same;                 /* some use is in `old_layout` */
    bool readable;             /* some use is in a layout in which input attachments can be read */
    VkImageLayout layout;      /* layout of one of the uses, for the message */
};

/* Adds one attachment if it is a view of the image. `*kind` becomes true then. Where the view is
 * not known, or the ranges do not overlap, `unknown` becomes true. */
static void add_use(struct image_uses *uses, const struct image_view *view, VkImageLayout layout,
                    VkImageLayout stencil_layout, bool *kind)
{
    if (!view) {
        uses->unknown = true;
        return;
    }
    if (view->image != uses->image)
        return;
    if (!barrier_ranges_overlap(&view->range, uses->range)) {
        uses->unknown = true;
        return;
    }
    *kind = true;
    uses->layout = layout;
    uses->same |= layout == uses->old_layout || stencil_layout == uses->old_layout;
    uses->readable |=
        layout == VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ || layout == VK_IMAGE_LAYOUT_GENERAL;
}

/* --- render pass objects --- */

/* Adds a use by a subpass. `*kind` becomes true if the reference is to the image. */
static void add_reference(struct image_uses *uses, const struct attachment_reference *reference,
                          bool *kind)
{
    if (reference->attachment != VK_ATTACHMENT_UNUSED)
        add_use(uses, rendering_view(uses->rendering, reference->attachment), reference->layout,
                reference->stencil_layout, kind);
}

/* Adds all uses of the image by a subpass. Resolve attachments count as outputs, and also set
 * `resolved`. */
static void add_subpass(struct image_uses *uses, const struct subpass *subpass)
{
    for (uint32_t i = 0; i < subpass->input_count; i++)
        add_reference(uses, &subpass->inputs[i], &uses->input);
    for (uint32_t i = 0; i < subpass->color_count; i++) {
        bool resolves = false;
        add_reference(uses, &subpass->colors[i], &uses->output);
        if (subpass->resolves)
            add_reference(uses, &subpass->resolves[i], &resolves);
        uses->output |= resolves;
        uses->resolved |= resolves && subpass->colors[i].attachment != VK_ATTACHMENT_UNUSED;
    }
    add_reference(uses, &subpass->depth_stencil, &uses->output);
    add_reference(uses, &subpass->depth_stencil_resolve, &uses->output);
}

/* Checks a barrier for an image against the attachments of the subpass. `waits`: the command waits
 * for events. */
static bool attachment_barrier_check_subpass(const struct call *call, const struct image_uses *uses,
                                             VkImage image, bool waits,
                                             const struct location *where)
{
    struct subject s = {.call = call, .where = where, .objects = OBJECT(HANDLE_IMAGE, image)};
    /* If ... the image member of any image memory barrier is a color resolve attachment, the
     * corresponding color attachment must be VK_ATTACHMENT_UNUSED */
    REQUIRE(&s, RULE_09373, !uses->resolved, "image",
            "is a resolve attachment of the current subpass, whose color attachment is used, too");
    if (s.wrong || uses->unknown || waits)
        return s.skip;
    /* ... must be an attachment used in the current subpass both as an input attachment, and as
     * either a color, color resolve, or depth/stencil attachment */
    REQUIRE(&s, RULE_04073, uses->input && uses->output, "image",
            "is %s of the current subpass, where it must be an input attachment and a color, color "
            "resolve or depth/stencil attachment at once",
            uses->input    ? "an input attachment alone"
            : uses->output ? "an attachment, but not an input attachment"
                           : "not an attachment");
    /* ... oldLayout ... must be equal to the layout that the corresponding attachment uses during
     * the subpass */
    REQUIRE_NEXT(&s, RULE_10758, uses->same, "oldLayout", "is %s, but the current subpass uses %s",
                 TEXT_OF(VkImageLayout, uses->old_layout), TEXT_OF(VkImageLayout, uses->layout));
    return s.skip;
}

/* --- dynamic rendering --- */

/* Adds the uses of the image by an attachment of dynamic rendering. */
static void add_attachment(struct image_uses *uses, const struct rendering_attachment *attachment)
{
    if (attachment->view)
        add_use(uses, image_view_by_id(attachment->view), attachment->layout, attachment->layout,
                &uses->other);
    if (attachment->resolve_view)
        add_use(uses, image_view_by_id(attachment->resolve_view), attachment->resolve_layout,
                attachment->resolve_layout, &uses->other);
}

/* Adds all uses of the image by dynamic rendering. */
static void add_rendering(struct image_uses *uses)
{
    for (uint32_t i = 0; i < PIPELINE_COLORS; i++)
        add_attachment(uses, &uses->rendering->colors[i]);
    add_attachment(uses, &uses->rendering->depth);
    add_attachment(uses, &uses->rendering->stencil);
}

/* Checks a barrier for an attachment of dynamic rendering. */
static bool attachment_barrier_check_dynamic(const struct call *call, const struct image_uses *uses,
                                             VkImage image, const struct location *where)
{
    struct subject s = {.call = call, .where = where, .objects = OBJECT(HANDLE_IMAGE, image)};
    if (!uses->other || uses->unknown)
        return false;
    /* If ... is used as an attachment in the current render pass instance, it must be in the
     * VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ or VK_IMAGE_LAYOUT_GENERAL layout */
    REQUIRE(&s, RULE_09555, uses->readable, "image",
            "is an attachment of the render pass instance in %s, neither "
            "VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ nor VK_IMAGE_LAYOUT_GENERAL",
            TEXT_OF(VkImageLayout, uses->layout));
    /* ... oldLayout ... must be equal to the layout that the corresponding attachment uses during
     * the render pass instance */
    REQUIRE_NEXT(&s, RULE_10759, uses->same, "oldLayout",
                 "is %s, but the render pass instance uses %s",
                 TEXT_OF(VkImageLayout, uses->old_layout), TEXT_OF(VkImageLayout, uses->layout));
    return s.skip;
}

bool attachment_barrier_check(const struct call *call, VkImage image,
                              const VkImageSubresourceRange *range, VkImageLayout old_layout,
                              bool waits, const struct location *where)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const struct render_pass_instance *rendering = active_rendering(command_buffer);
    const struct image *state = find_image(call, image);
    if (!rendering || rendering->inherited || !state)
        return false;
    struct image_uses uses = {.rendering = rendering,
                              .image = object_state_id(&state->base),
                              .range = range,
                              .old_layout = old_layout};
    if (rendering->kind == RENDERING_DYNAMIC) {
        if (waits)
            return false;
        add_rendering(&uses);
        return attachment_barrier_check_dynamic(call, &uses, image, where);
    }
    const struct subpass *subpass = active_subpass(command_buffer);
    if (!subpass)
        return false;
    add_subpass(&uses, subpass);
    return attachment_barrier_check_subpass(call, &uses, image, waits, where);
}

bool attachment_barrier_differs(const struct call *call, VkImage image,
                                const VkImageSubresourceRange *range, VkImageLayout old_layout)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const struct render_pass_instance *rendering = active_rendering(command_buffer);
    const struct subpass *subpass = active_subpass(command_buffer);
    const struct image *state = find_image(call, image);
    if (command_root[call->command] != COMMAND_CmdPipelineBarrier || !rendering ||
        rendering->inherited || !subpass || !state)
        return false;
    struct image_uses uses = {.rendering = rendering,
                              .image = object_state_id(&state->base),
                              .range = range,
                              .old_layout = old_layout};
    add_subpass(&uses, subpass);
    return !uses.unknown && !uses.resolved && uses.input && uses.output && !uses.same;
}
