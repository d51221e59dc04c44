/* Checks that each attachment of a render pass is described as it may be: VkAttachmentDescription
 * and its second version (8.1). */
#include "core/render/pass.h"
#include "core/rule.h"
#include "vk/chain.h"

/* Which components a format has, for tables. */
enum format_kind {
    KIND_COLOR = 1,
    KIND_DEPTH = 2,
    KIND_STENCIL = 4,
    KIND_BOTH = 8,
    KIND_DEPTH_STENCIL = 14
};

static unsigned format_kind(VkFormat format)
{
    bool depth = format_has_depth(format), stencil = format_has_stencil(format);
    if (depth)
        return stencil ? KIND_BOTH : KIND_DEPTH;
    return stencil ? KIND_STENCIL : format_is_color(format) ? KIND_COLOR : 0;
}

static const char *kind_text(VkFormat format)
{
    switch (format_kind(format)) {
    case KIND_COLOR:
        return "a color format";
    case KIND_DEPTH:
        return "a depth format without stencil";
    case KIND_STENCIL:
        return "a stencil format without depth";
    default:
        return "a format with depth and stencil";
    }
}

enum versions { FIRST = 1, SECOND = 2, BOTH = 3 };

/* If format is of such a kind, initialLayout (finalLayout) must not be one of these. */
static const struct {
    enum rule initial, final;
    uint8_t kinds;
    uint8_t versions;
    bool without_stencil; /* only where no VkAttachmentDescriptionStencilLayout is chained */
    uint32_t layouts;
} format_rules[] = {
    {RULE_03280, RULE_03282, KIND_COLOR, BOTH, false, LAYOUTS_DEPTH_STENCIL},
    {RULE_03281, RULE_03283, KIND_DEPTH_STENCIL, BOTH, false, LAYOUT_COLOR_ATTACHMENT},
    {RULE_03286, RULE_03287, KIND_COLOR, BOTH, false, LAYOUTS_SEPARATE},
    {RULE_03290, RULE_03291, KIND_DEPTH, BOTH, false, LAYOUTS_STENCIL},
    {RULE_03292, RULE_03293, KIND_STENCIL, FIRST, false, LAYOUTS_DEPTH},
    {RULE_06242, RULE_06243, KIND_BOTH, FIRST, false, LAYOUTS_DEPTH},
    {RULE_06247, RULE_06248, KIND_STENCIL, SECOND, true, LAYOUTS_DEPTH},
    {RULE_06249, RULE_06250, KIND_BOTH, SECOND, true, LAYOUTS_DEPTH},
    {RULE_06487, RULE_06488, KIND_COLOR, BOTH, false, LAYOUTS_MIXED},
    {RULE_06906, RULE_06907, KIND_BOTH, BOTH, false, LAYOUTS_STENCIL},
};

/* If the feature is not enabled, the layout must not be one of these. */
static const struct {
    enum rule rules[3]; /* by enum layout_place; 0: a row says it */
    enum feature feature;
    uint32_t layouts;
    const char *name;
} feature_rules[] = {
    {{RULE_03284, RULE_03285, RULE_03313},
     FEATURE_separateDepthStencilLayouts,
     LAYOUTS_SEPARATE,
     "separateDepthStencilLayouts"},
    {{0, 0, RULE_06910},
     FEATURE_synchronization2,
     LAYOUT_ATTACHMENT | LAYOUT_READ_ONLY,
     "synchronization2"},
    {{0, 0, RULE_07311},
     FEATURE_attachmentFeedbackLoopLayout,
     LAYOUT_FEEDBACK_LOOP,
     "attachmentFeedbackLoopLayout"},
    {{0, 0, RULE_09546},
     FEATURE_dynamicRenderingLocalRead,
     LAYOUT_LOCAL_READ,
     "dynamicRenderingLocalRead"},
};

void check_layout_feature(struct pass_check *c, const struct location *where,
                          enum layout_place place, VkImageLayout layout)
{
    static const char *const members[] = {"initialLayout", "finalLayout", "layout"};
    uint32_t set = layout_set_of(layout);
    for (uint32_t i = 0; i < ARRAY_LENGTH(feature_rules); i++) {
        if (set & feature_rules[i].layouts && feature_rules[i].rules[place] &&
            !device_has_feature(c->s.call->device, feature_rules[i].feature))
            BROKEN_OF(&c->s, NULL, feature_rules[i].rules[place], &LOCATION(where, members[place]),
                      "is %s, but the feature %s is not enabled", TEXT_OF(VkImageLayout, layout),
                      feature_rules[i].name);
    }
}

static void check_layouts(struct pass_check *c, const struct location *where,
                          const struct attachment_description *attachment)
{
    const VkAttachmentDescription *d = &attachment->description;
    unsigned kind = format_kind(d->format), version = c->version2 ? SECOND : FIRST;
    uint32_t initial = layout_set_of(d->initialLayout), final = layout_set_of(d->finalLayout);
    for (uint32_t i = 0; i < ARRAY_LENGTH(format_rules); i++) {
        if (!(kind & format_rules[i].kinds) || !(version & format_rules[i].versions) ||
            (format_rules[i].without_stencil && attachment->has_stencil_layouts))
            continue;
        REQUIRE(&c->s, format_rules[i].initial, !(initial & format_rules[i].layouts),
                &LOCATION(where, "initialLayout"), "is %s, but the format is %s, %s",
                TEXT_OF(VkImageLayout, d->initialLayout), TEXT_OF(VkFormat, d->format),
                kind_text(d->format));
        REQUIRE(&c->s, format_rules[i].final, !(final & format_rules[i].layouts),
                &LOCATION(where, "finalLayout"), "is %s, but the format is %s, %s",
                TEXT_OF(VkImageLayout, d->finalLayout), TEXT_OF(VkFormat, d->format),
                kind_text(d->format));
    }
    check_layout_feature(c, where, LAYOUT_INITIAL, d->initialLayout);
    check_layout_feature(c, where, LAYOUT_FINAL, d->finalLayout);
}

static void check_load(struct pass_check *c, const struct location *where,
                       const struct attachment_description *attachment)
{
    const VkAttachmentDescription *d = &attachment->description;
    bool undefined = d->initialLayout == VK_IMAGE_LAYOUT_UNDEFINED;
    /* If format includes a color or depth component and loadOp is LOAD, initialLayout must not be
     * UNDEFINED */
    REQUIRE(&c->s, RULE_06699,
            !(format_kind(d->format) & (KIND_COLOR | KIND_DEPTH | KIND_BOTH)) ||
                d->loadOp != VK_ATTACHMENT_LOAD_OP_LOAD || !undefined,
            &LOCATION(where, "initialLayout"),
            "is VK_IMAGE_LAYOUT_UNDEFINED, in which there is nothing to load, but loadOp is "
            "VK_ATTACHMENT_LOAD_OP_LOAD");
    if (!format_has_stencil(d->format) || d->stencilLoadOp != VK_ATTACHMENT_LOAD_OP_LOAD)
        return;
    if (attachment->has_stencil_layouts)
        REQUIRE(&c->s, RULE_06705, attachment->stencil_initial_layout != VK_IMAGE_LAYOUT_UNDEFINED,
                &LOCATION(&LOCATION_CHAINED(where, "VkAttachmentDescriptionStencilLayout"),
                          "stencilInitialLayout"),
                "is VK_IMAGE_LAYOUT_UNDEFINED, but stencilLoadOp is VK_ATTACHMENT_LOAD_OP_LOAD");
    else
        REQUIRE(&c->s, c->version2 ? RULE_06704 : RULE_06700, !undefined,
                &LOCATION(where, "initialLayout"),
                "is VK_IMAGE_LAYOUT_UNDEFINED, but stencilLoadOp is VK_ATTACHMENT_LOAD_OP_LOAD");
}

static void check_flags_of_resolve(struct pass_check *c, const struct location *where,
                                   const VkAttachmentDescription *d)
{
    const VkAttachmentDescriptionFlags
        skip = VK_ATTACHMENT_DESCRIPTION_RESOLVE_SKIP_TRANSFER_FUNCTION_BIT_KHR,
        enable = VK_ATTACHMENT_DESCRIPTION_RESOLVE_ENABLE_TRANSFER_FUNCTION_BIT_KHR;
    if (!(d->flags & (skip | enable)))
        return;
    const struct device *device = c->s.call->device;
    /* resolveSrgbFormatSupportsTransferFunctionControl must be VK_TRUE */
    REQUIRE(&c->s, RULE_11774,
            device->extended.Maintenance10PropertiesKHR
                    .resolveSrgbFormatSupportsTransferFunctionControl ||
                !call_has_extension(c->s.call, EXTENSION_VK_KHR_maintenance10),
            &LOCATION(where, "flags"),
            "controls the transfer function of resolves, which the device cannot "
            "(resolveSrgbFormatSupportsTransferFunctionControl is VK_FALSE)");
    REQUIRE(&c->s, RULE_11776, format_is_srgb(d->format) || !format_info(d->format),
            &LOCATION(where, "format"),
            "is %s, which is not an sRGB format, but flags controls the transfer function of "
            "resolves",
            TEXT_OF(VkFormat, d->format));
}

void check_attachments(struct pass_check *c)
{
    for (uint32_t i = 0; i < c->pass->attachment_count; i++) {
        const struct attachment_description *attachment = &c->pass->attachments[i];
        const struct location where = LOCATION_INDEX(&c->where, "pAttachments", i);
        /* An external format of Android's may take its place, which Linux does not have. */
        if (c->version2)
            REQUIRE(&c->s, RULE_09332, attachment->description.format != VK_FORMAT_UNDEFINED,
                    &LOCATION(&where, "format"), "is VK_FORMAT_UNDEFINED");
        check_layouts(c, &where, attachment);
        check_load(c, &where, attachment);
        check_flags_of_resolve(c, &where, &attachment->description);
    }
}
