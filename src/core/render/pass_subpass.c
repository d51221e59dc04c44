/* Checks each subpass of a render pass: which attachments it uses, in which role, and whether they
 * match (8.1). */
#include "core/render/pass.h"
#include "core/render/texel_size.h"
#include "vk/chain.h"

#include "report/finding/rule.h"

enum role { ROLE_INPUT, ROLE_COLOR, ROLE_RESOLVE, ROLE_DEPTH_STENCIL, ROLE_COUNT };

/* A reference of a subpass, and the role that the attachment has there. */
struct use {
    const struct attachment_reference *reference;
    enum role role;
    uint32_t index; /* index in the array of the role */
};

/* The number of references of a subpass, for use_at(). The last one is depth/stencil. */
static uint32_t use_count(const struct subpass *subpass)
{
    return subpass->input_count + subpass->color_count * (subpass->resolves ? 2 : 1) + 1;
}

/* Reference `n` of a subpass, 0 <= n < use_count(). */
static struct use use_at(const struct subpass *subpass, uint32_t n)
{
    assert(n < use_count(subpass));
    if (n < subpass->input_count)
        return (struct use){&subpass->inputs[n], ROLE_INPUT, n};
    n -= subpass->input_count;
    if (n < subpass->color_count)
        return (struct use){&subpass->colors[n], ROLE_COLOR, n};
    n -= subpass->color_count;
    if (subpass->resolves && n < subpass->color_count)
        return (struct use){&subpass->resolves[n], ROLE_RESOLVE, n};
    return (struct use){&subpass->depth_stencil, ROLE_DEPTH_STENCIL, 0};
}

/* The location of a reference in the parameters. */
static struct location use_location(const struct location *subpass, const struct use *use)
{
    static const char *const names[] = {"pInputAttachments", "pColorAttachments",
                                        "pResolveAttachments"};
    return use->role == ROLE_DEPTH_STENCIL ? LOCATION_POINTER(subpass, "pDepthStencilAttachment")
                                           : LOCATION_INDEX(subpass, names[use->role], use->index);
}

/* The role of an attachment, in words. */
static const char *role_text(enum role role)
{
    assert((unsigned)role < 4);
    static const char *const texts[] = {"an input", "a color", "a resolve", "the depth/stencil"};
    return texts[role];
}

/* Checks the structures chained to a VkAttachmentReference2. The layout of VK_ATTACHMENT_UNUSED is
 * ignored. */
static void check_reference(struct pass_check *c, const struct location *where,
                            const struct attachment_reference *reference)
{
    if (reference->attachment == VK_ATTACHMENT_UNUSED || !reference->has_stencil_layout)
        return;
    const uint32_t others = LAYOUT_UNDEFINED | LAYOUT_PREINITIALIZED | LAYOUT_COLOR_ATTACHMENT |
                            LAYOUTS_DEPTH | LAYOUTS_DEPTH_STENCIL | LAYOUTS_MIXED |
                            LAYOUT_PRESENT_SRC;
    REQUIRE(&c->s, RULE_03318, !(layout_set_of(reference->stencil_layout) & others),
            &LOCATION(&LOCATION_CHAINED(where, "VkAttachmentReferenceStencilLayout"),
                      "stencilLayout"),
            "is %s, which is not a layout to use the stencil aspect alone in",
            TEXT_OF(VkImageLayout, reference->stencil_layout));
}

/* Checks that a reference is to an attachment that exists. */
static void check_number(struct pass_check *c, enum vuid vuid, const struct location *where,
                         const char *name, uint32_t attachment)
{
    REQUIRE(&c->s, vuid,
            attachment == VK_ATTACHMENT_UNUSED || attachment < c->pass->attachment_count,
            &LOCATION(where, name), "is %u, but attachmentCount is %u", attachment,
            c->pass->attachment_count);
}

/* Checks that the format has a feature: "must have image formats whose potential format features
 * contain ..." */
static void pass_subpass_check_features(struct pass_check *c, const struct location *where,
                                        const struct use *use, VkFormat format)
{
    static const enum rule first[] = {RULE_02647, RULE_02648, RULE_02649, RULE_02650},
                           second[] = {RULE_02897, RULE_02898, RULE_09343, RULE_02900};
    static const VkFormatFeatureFlags2 needed[] = {
        VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT,
        VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT, VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT,
        VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT};
    static const char *const names[] = {("VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT nor "
                                         "VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT"),
                                        "VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT",
                                        "VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT",
                                        "VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT"};
    if (format_potential_features(c->s.call->device, format) & needed[use->role])
        return;
    BROKEN_OF(&c->s, NULL, c->version2 ? second[use->role] : first[use->role],
              &LOCATION(where, "attachment"), "is %u, whose format %s has %s %s on this device",
              use->reference->attachment, TEXT_OF(VkFormat, format),
              use->role == ROLE_INPUT ? "neither" : "no", names[use->role]);
}

/* --- depth/stencil attachments and layouts of one aspect --- */

/* Checks layouts for one aspect of a depth/stencil attachment, which only the second version
 * has. */
static void check_depth_layouts(struct pass_check *c, const struct location *where,
                                const struct attachment_reference *reference, VkFormat format)
{
    uint32_t layout = layout_set_of(reference->layout);
    bool depth = format_has_depth(format), stencil = format_has_stencil(format);
    if (!c->version2)
        return;
    /* layout is either DEPTH_ATTACHMENT or DEPTH_READ_ONLY and no
     * VkAttachmentReferenceStencilLayout is chained: the format must not include both */
    REQUIRE(&c->s, RULE_06244,
            !(layout & LAYOUTS_DEPTH) || reference->has_stencil_layout || !(depth && stencil),
            &LOCATION(where, "layout"),
            "is %s, but the format is %s: the stencil aspect needs a "
            "VkAttachmentReferenceStencilLayout in pNext",
            TEXT_OF(VkImageLayout, reference->layout), TEXT_OF(VkFormat, format));
    /* layout is either STENCIL_ATTACHMENT or STENCIL_READ_ONLY: the format must include only a
     * stencil component */
    REQUIRE(&c->s, RULE_06245,
            !(layout & LAYOUTS_STENCIL) || (stencil && !depth) || !format_info(format),
            &LOCATION(where, "layout"),
            "is %s, but the format is %s, which does not have the stencil aspect alone",
            TEXT_OF(VkImageLayout, reference->layout), TEXT_OF(VkFormat, format));
    REQUIRE(&c->s, RULE_06246, !(layout & LAYOUTS_DEPTH) || !stencil || depth,
            &LOCATION(where, "layout"), "is %s, but the format is %s, which has only stencil",
            TEXT_OF(VkImageLayout, reference->layout), TEXT_OF(VkFormat, format));
    /* if a VkAttachmentReferenceStencilLayout is chained, layout must not be STENCIL_ATTACHMENT or
     * STENCIL_READ_ONLY */
    REQUIRE(&c->s, RULE_06251, !reference->has_stencil_layout || !(layout & LAYOUTS_STENCIL),
            &LOCATION(where, "layout"),
            "is %s, but the layout of the stencil aspect is in the "
            "VkAttachmentReferenceStencilLayout "
            "in pNext",
            TEXT_OF(VkImageLayout, reference->layout));
}

/* Checks that the format of an input attachment has the aspects which are read. */
static void check_input_aspects(struct pass_check *c, const struct location *where,
                                const struct attachment_reference *reference, VkFormat format)
{
    const VkImageAspectFlags memory_planes =
        VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT | VK_IMAGE_ASPECT_MEMORY_PLANE_1_BIT_EXT |
        VK_IMAGE_ASPECT_MEMORY_PLANE_2_BIT_EXT | VK_IMAGE_ASPECT_MEMORY_PLANE_3_BIT_EXT;
    const VkImageAspectFlags known = 0x7f | memory_planes, mask = reference->aspect_mask,
                             never = ~known | VK_IMAGE_ASPECT_METADATA_BIT | memory_planes;
    if (c->version2) {
        REQUIRE(&c->s, RULE_02799, !(mask & ~known), &LOCATION(where, "aspectMask"),
                "is 0x%x, which has bits that are not aspects", mask);
        REQUIRE(&c->s, RULE_04563, !(mask & memory_planes), &LOCATION(where, "aspectMask"),
                "is %s: memory planes are not aspects to read",
                value_text(VALUES_VkImageAspectFlags, mask).text);
    }
    VkImageAspectFlags aspects = format_aspects(format);
    /* must only include aspects that are present in images of the format: of those that may be here
     * at all */
    if (aspects && mask)
        REQUIRE(&c->s, c->version2 ? RULE_02525 : RULE_01963, !(mask & ~aspects & ~never),
                &LOCATION(where, "aspectMask"), "is %s, but images of %s have %s",
                value_text(VALUES_VkImageAspectFlags, mask).text, TEXT_OF(VkFormat, format),
                value_text(VALUES_VkImageAspectFlags, aspects).text);
}

/* Checks one reference of a subpass to an attachment, in any role. */
static void check_use(struct pass_check *c, const struct location *subpass_where,
                      const struct use *use)
{
    const struct location where = use_location(subpass_where, use);
    const struct attachment_reference *reference = use->reference;
    check_number(c, c->version2 ? RULE(c->s.call, 03051) : RULE(c->s.call, 00834), &where,
                 "attachment", reference->attachment);
    check_reference(c, &where, reference);
    if (reference->attachment == VK_ATTACHMENT_UNUSED)
        return;
    const struct attachment_description *attachment =
        pass_attachment(c->pass, reference->attachment);
    if (!attachment)
        return;
    pass_subpass_check_features(c, &where, use, attachment->description.format);
    if (use->role == ROLE_DEPTH_STENCIL)
        check_depth_layouts(c, &where, reference, attachment->description.format);
    if (use->role == ROLE_INPUT)
        check_input_aspects(c, &where, reference, attachment->description.format);
    REQUIRE(&c->s, RULE_02868,
            c->version2 || use->role != ROLE_INPUT ||
                !(c->pass->flags & VK_RENDER_PASS_CREATE_TRANSFORM_BIT_QCOM),
            &LOCATION(&where, "attachment"),
            "is %u, but the render pass has VK_RENDER_PASS_CREATE_TRANSFORM_BIT_QCOM",
            reference->attachment);
}

/* The first reference of the subpass to the attachment, or reference `end` if none before that
 * is. */
static struct use first_use(const struct subpass *subpass, uint32_t attachment, uint32_t end)
{
    uint32_t i = 0;
    while (i < end && use_at(subpass, i).reference->attachment != attachment)
        i++;
    return use_at(subpass, i);
}

/* If an attachment is used by more than one reference, then each use must use the same layout. */
static void check_same_layout(struct pass_check *c, const struct location *where,
                              const struct subpass *subpass)
{
    uint32_t count = use_count(subpass);
    for (uint32_t i = 1; i < count; i++) {
        const struct use use = use_at(subpass, i);
        if (use.reference->attachment == VK_ATTACHMENT_UNUSED)
            continue;
        const struct use first = first_use(subpass, use.reference->attachment, i);
        const struct location at = use_location(where, &use);
        REQUIRE(&c->s, c->version2 ? RULE_02528 : RULE_02519,
                first.reference->layout == use.reference->layout, &LOCATION(&at, "layout"),
                "is %s, but %s attachment of the same subpass has attachment %u in %s",
                TEXT_OF(VkImageLayout, use.reference->layout), role_text(first.role),
                use.reference->attachment, TEXT_OF(VkImageLayout, first.reference->layout));
    }
}

/* An attachment must not be used in both pDepthStencilAttachment and pColorAttachments. */
static void check_depth_is_no_color(struct pass_check *c, const struct location *where,
                                    const struct subpass *subpass)
{
    const struct location at = LOCATION_POINTER(where, "pDepthStencilAttachment");
    uint32_t depth = subpass->depth_stencil.attachment;
    for (uint32_t i = 0; depth != VK_ATTACHMENT_UNUSED && i < subpass->color_count; i++) {
        if (subpass->colors[i].attachment != depth)
            continue;
        BROKEN_OF(&c->s, NULL, c->version2 ? RULE_04440 : RULE_04438, &LOCATION(&at, "attachment"),
                  "is %u, which is a color attachment of the subpass, too", depth);
        return;
    }
}

/* True if the subpass uses the attachment in any role. */
static bool subpass_uses(const struct subpass *subpass, uint32_t attachment)
{
    for (uint32_t i = 0; i < use_count(subpass); i++) {
        if (use_at(subpass, i).reference->attachment == attachment)
            return true;
    }
    return subpass->depth_stencil_resolve.attachment == attachment ||
           subpass->fragment_shading_rate.attachment == attachment;
}

/* True if the subpass lists the attachment in pPreserveAttachments. */
static bool subpass_preserves(const struct subpass *subpass, uint32_t attachment)
{
    for (uint32_t i = 0; i < subpass->preserve_count; i++) {
        if (subpass->preserves[i] == attachment)
            return true;
    }
    return false;
}

/* True if an earlier subpass that uses or preserves the attachment is the source of a dependency.
 * The sentence does not say that the dependency must end in this subpass. */
static bool preserved_from_before(const struct render_pass *pass, uint32_t number,
                                  uint32_t attachment)
{
    assert(number < pass->subpass_count);
    for (uint32_t i = 0; i < pass->dependency_count; i++) {
        const VkSubpassDependency2 *dependency = &pass->dependencies[i];
        if (dependency->srcSubpass < number && dependency->srcSubpass < pass->subpass_count &&
            dependency->srcSubpass != dependency->dstSubpass &&
            (subpass_uses(&pass->subpasses[dependency->srcSubpass], attachment) ||
             subpass_preserves(&pass->subpasses[dependency->srcSubpass], attachment)))
            return true;
    }
    return false;
}

/* Checks the attachments that subpass `number` preserves. */
static void check_preserved(struct pass_check *c, const struct location *where, uint32_t number)
{
    assert(number < c->pass->subpass_count);
    const struct subpass *subpass = &c->pass->subpasses[number];
    for (uint32_t i = 0; i < subpass->preserve_count; i++) {
        uint32_t attachment = subpass->preserves[i];
        const struct location at = LOCATION_INDEX(where, "pPreserveAttachments", i);
        if (attachment == VK_ATTACHMENT_UNUSED)
            continue; /* a row reports it */
        if (attachment >= c->pass->attachment_count) {
            BROKEN_OF(&c->s, NULL, c->version2 ? RULE_03051 : RULE_00834, &at,
                      "is %u, but attachmentCount is %u", attachment, c->pass->attachment_count);
            continue;
        }
        REQUIRE_OF(&c->s, NULL, c->version2 ? RULE_03074 : RULE_00854,
                   !subpass_uses(subpass, attachment), &at, "is %u, which the subpass uses itself",
                   attachment);
        /* there must be a subpass dependency from a prior subpass which uses or preserves that
         * attachment */
        REQUIRE_OF(&c->s, NULL, c->version2 ? RULE_10916 : RULE_10915,
                   preserved_from_before(c->pass, number, attachment), &at,
                   "is %u, but no dependency comes from an earlier subpass that uses or "
                   "preserves it",
                   attachment);
    }
}

/* --- sample counts and resolves --- */

/* The sample count of a reference's attachment; 0: it is unused, or does not exist. */
static VkSampleCountFlagBits samples_of(const struct pass_check *c,
                                        const struct attachment_reference *reference)
{
    const struct attachment_description *attachment =
        pass_attachment(c->pass, reference->attachment);
    return attachment ? attachment->description.samples : 0;
}

/* The name of a sample count, which is kept in `text`. */
static const char *samples_text(VkSampleCountFlagBits samples, struct value_text *text)
{
    *text = value_text(VALUES_VkSampleCountFlagBits, samples);
    return text->text;
}

/* Checks that color and depth/stencil attachments of a subpass have sample counts that go together.
 */
static void pass_subpass_check_samples(struct pass_check *c, const struct location *where,
                                       const struct subpass *subpass)
{
    struct value_text one, two;
    bool mixed = call_has_extension(c->s.call, EXTENSION_VK_AMD_mixed_attachment_samples) ||
                 call_has_extension(c->s.call, EXTENSION_VK_NV_framebuffer_mixed_samples);
    bool single = c->version2 &&
                  device_has_feature(c->s.call->device, FEATURE_multisampledRenderToSingleSampled);
    VkSampleCountFlagBits depth = samples_of(c, &subpass->depth_stencil), first = 0;
    uint32_t first_at = 0;
    for (uint32_t i = 0; i < subpass->color_count; i++) {
        VkSampleCountFlagBits samples = samples_of(c, &subpass->colors[i]);
        const struct location at = LOCATION_INDEX(where, "pColorAttachments", i);
        if (!samples)
            continue;
        if (!first) {
            first = samples;
            first_at = i;
        }
        /* all attachments in pColorAttachments must have the same sample count */
        REQUIRE(&c->s, c->version2 ? RULE_06869 : RULE_09430, samples == first || single,
                &LOCATION(&at, "attachment"),
                "is %u, which has %s, but pColorAttachments[%u].attachment is %u, which has %s",
                subpass->colors[i].attachment, samples_text(samples, &one), first_at,
                subpass->colors[first_at].attachment, samples_text(first, &two));
        if (!depth)
            continue;
        if (mixed)
            REQUIRE(&c->s, c->version2 ? RULE_09456 : RULE_09431, samples <= depth,
                    &LOCATION(&at, "attachment"),
                    "is %u, which has %s, more than the depth/stencil attachment, %u, which has %s",
                    subpass->colors[i].attachment, samples_text(samples, &one),
                    subpass->depth_stencil.attachment, samples_text(depth, &two));
        else
            REQUIRE(&c->s, c->version2 ? RULE_06872 : RULE_01418, samples == depth || single,
                    &LOCATION(&at, "attachment"),
                    "is %u, which has %s, but the depth/stencil attachment, %u, has %s",
                    subpass->colors[i].attachment, samples_text(samples, &one),
                    subpass->depth_stencil.attachment, samples_text(depth, &two));
    }
}

/* Checks the resolve attachments of a subpass, each with the color attachment that it resolves. */
static void check_resolves(struct pass_check *c, const struct location *where,
                           const struct subpass *subpass)
{
    struct value_text text;
    for (uint32_t i = 0; subpass->resolves && i < subpass->color_count; i++) {
        const struct attachment_description *to = pass_attachment(c->pass,
                                                                  subpass->resolves[i].attachment),
                                            *from = pass_attachment(c->pass,
                                                                    subpass->colors[i].attachment);
        const struct location at = LOCATION_INDEX(where, "pResolveAttachments", i);
        if (subpass->resolves[i].attachment == VK_ATTACHMENT_UNUSED)
            continue;
        REQUIRE(&c->s, c->version2 ? RULE_09335 : RULE_00847,
                subpass->colors[i].attachment != VK_ATTACHMENT_UNUSED, &LOCATION(&at, "attachment"),
                "is %u, but pColorAttachments[%u].attachment, which it resolves, is "
                "VK_ATTACHMENT_UNUSED",
                subpass->resolves[i].attachment, i);
        REQUIRE(&c->s, c->version2 ? RULE_04907 : RULE_03341,
                !(subpass->flags & VK_SUBPASS_DESCRIPTION_CUSTOM_RESOLVE_BIT_EXT),
                &LOCATION(&at, "attachment"),
                "is %u, but the subpass has VK_SUBPASS_DESCRIPTION_CUSTOM_RESOLVE_BIT_EXT",
                subpass->resolves[i].attachment);
        if (!to)
            continue;
        REQUIRE(&c->s, c->version2 ? RULE_03067 : RULE_00849,
                to->description.samples == VK_SAMPLE_COUNT_1_BIT, &LOCATION(&at, "attachment"),
                "is %u, which has %s, but one is resolved to", subpass->resolves[i].attachment,
                samples_text(to->description.samples, &text));
        if (!from)
            continue;
        REQUIRE(&c->s, c->version2 ? RULE_09338 : RULE_00848,
                from->description.samples != VK_SAMPLE_COUNT_1_BIT, &LOCATION(&at, "attachment"),
                "is %u, but pColorAttachments[%u].attachment is %u, which has one sample: there is "
                "nothing to resolve",
                subpass->resolves[i].attachment, i, subpass->colors[i].attachment);
        REQUIRE(&c->s, c->version2 ? RULE_09339 : RULE_00850,
                from->description.format == to->description.format, &LOCATION(&at, "attachment"),
                "is %u, which has the format %s, but pColorAttachments[%u].attachment is %u, which "
                "has %s",
                subpass->resolves[i].attachment, TEXT_OF(VkFormat, to->description.format), i,
                subpass->colors[i].attachment, TEXT_OF(VkFormat, from->description.format));
    }
}

/* --- VkSubpassDescriptionDepthStencilResolve --- */

/* A number that is equal for formats whose depth components have the same bits and numeric type. */
static unsigned depth_component(VkFormat format)
{
    switch (format) {
    case VK_FORMAT_D16_UNORM:
    case VK_FORMAT_D16_UNORM_S8_UINT:
        return 16;
    case VK_FORMAT_X8_D24_UNORM_PACK32:
    case VK_FORMAT_D24_UNORM_S8_UINT:
        return 24;
    case VK_FORMAT_D32_SFLOAT:
    case VK_FORMAT_D32_SFLOAT_S8_UINT:
        return 32;
    default:
        return 0;
    }
}

/* Checks that the device supports the depth and stencil resolve modes. `rules`: for depth, for
 * stencil, and two for modes that differ. */
static void check_resolve_modes(struct pass_check *c, const struct location *where,
                                const struct subpass *subpass, VkFormat format,
                                const enum rule rules[4])
{
    const VkPhysicalDeviceDepthStencilResolveProperties *properties =
        &c->s.call->device->extended.DepthStencilResolveProperties;
    bool depth = format_has_depth(format), stencil = format_has_stencil(format);
    VkResolveModeFlags depth_mode = subpass->depth_resolve_mode,
                       stencil_mode = subpass->stencil_resolve_mode;
    /* the properties are not known, as every device supports VK_RESOLVE_MODE_SAMPLE_ZERO_BIT */
    if (!properties->supportedDepthResolveModes)
        return;
    REQUIRE(&c->s, rules[0], !depth || !(depth_mode & ~properties->supportedDepthResolveModes),
            &LOCATION(where, "depthResolveMode"), "is %s, but supportedDepthResolveModes is %s",
            value_text(VALUES_VkResolveModeFlagBits, depth_mode).text,
            value_text(VALUES_VkResolveModeFlags, properties->supportedDepthResolveModes).text);
    REQUIRE(&c->s, rules[1],
            !stencil || !(stencil_mode & ~properties->supportedStencilResolveModes),
            &LOCATION(where, "stencilResolveMode"), "is %s, but supportedStencilResolveModes is %s",
            value_text(VALUES_VkResolveModeFlagBits, stencil_mode).text,
            value_text(VALUES_VkResolveModeFlags, properties->supportedStencilResolveModes).text);
    if (!depth || !stencil || properties->independentResolve || depth_mode == stencil_mode)
        return;
    if (!properties->independentResolveNone)
        BROKEN_OF(&c->s, NULL, rules[2], &LOCATION(where, "stencilResolveMode"),
                  "is not depthResolveMode, but the device resolves both aspects only "
                  "alike (independentResolve and independentResolveNone are VK_FALSE)");
    else
        REQUIRE(&c->s, rules[3], !depth_mode || !stencil_mode,
                &LOCATION(where, "stencilResolveMode"),
                "is neither depthResolveMode nor VK_RESOLVE_MODE_NONE, but "
                "independentResolve is VK_FALSE");
}

/* Checks the depth/stencil resolve attachment, if the subpass has one. */
static void check_depth_resolve(struct pass_check *c, const struct location *subpass_where,
                                const struct subpass *subpass)
{
    static const enum rule mode_rules[] = {RULE_03183, RULE_03184, RULE_03185, RULE_03186};
    const struct location where =
        LOCATION_CHAINED(subpass_where, "VkSubpassDescriptionDepthStencilResolve");
    const struct location at = LOCATION_POINTER(&where, "pDepthStencilResolveAttachment");
    const struct attachment_reference *reference = &subpass->depth_stencil_resolve;
    if (reference->attachment == VK_ATTACHMENT_UNUSED)
        return;
    const struct attachment_description *to = pass_attachment(c->pass, reference->attachment),
                                        *from = pass_attachment(c->pass,
                                                                subpass->depth_stencil.attachment);
    check_number(c, RULE(c->s.call, 06473), &at, "attachment", reference->attachment);
    check_reference(c, &at, reference);
    REQUIRE(&c->s, RULE_03177, subpass->depth_stencil.attachment != VK_ATTACHMENT_UNUSED,
            &LOCATION(&at, "attachment"),
            "is %u, but the subpass has no depth/stencil attachment to resolve",
            reference->attachment);
    if (subpass->depth_stencil.attachment == VK_ATTACHMENT_UNUSED)
        /* Drivers use the attachment's number without a check. */
        c->s.skip = call_stop(c->s.call, c->s.skip);
    REQUIRE(&c->s, RULE_03178, subpass->depth_resolve_mode || subpass->stencil_resolve_mode,
            &LOCATION(&where, "depthResolveMode"),
            "and stencilResolveMode are both VK_RESOLVE_MODE_NONE, but attachment %u is to be "
            "resolved to",
            reference->attachment);
    REQUIRE(&c->s, RULE_04908, !(subpass->flags & VK_SUBPASS_DESCRIPTION_CUSTOM_RESOLVE_BIT_EXT),
            &LOCATION(&at, "attachment"),
            "is %u, but the subpass has VK_SUBPASS_DESCRIPTION_CUSTOM_RESOLVE_BIT_EXT",
            reference->attachment);
    if (!to)
        return;
    VkFormat format = to->description.format;
    REQUIRE(&c->s, RULE_02651,
            format_potential_features(c->s.call->device, format) &
                VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT,
            &LOCATION(&at, "attachment"),
            "is %u, whose format %s has no VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT "
            "on this device",
            reference->attachment, TEXT_OF(VkFormat, format));
    REQUIRE(&c->s, RULE_03180, to->description.samples == VK_SAMPLE_COUNT_1_BIT,
            &LOCATION(&at, "attachment"), "is %u, which has %s, but one is resolved to",
            reference->attachment,
            value_text(VALUES_VkSampleCountFlagBits, to->description.samples).text);
    check_resolve_modes(c, &where, subpass, format, mode_rules);
    if (!from)
        return;
    REQUIRE(&c->s, RULE_03179, from->description.samples != VK_SAMPLE_COUNT_1_BIT,
            &LOCATION(&at, "attachment"),
            "is %u, but the depth/stencil attachment, %u, has one sample: there is nothing to "
            "resolve",
            reference->attachment, subpass->depth_stencil.attachment);
    REQUIRE(&c->s, RULE_03181,
            !format_has_depth(format) ||
                depth_component(from->description.format) == depth_component(format),
            &LOCATION(&at, "attachment"),
            "is %u, which has the format %s, whose depth component is not that of the "
            "depth/stencil "
            "attachment, %u, which has %s",
            reference->attachment, TEXT_OF(VkFormat, format), subpass->depth_stencil.attachment,
            TEXT_OF(VkFormat, from->description.format));
    REQUIRE(&c->s, RULE_03182,
            !format_has_stencil(format) || format_has_stencil(from->description.format),
            &LOCATION(&at, "attachment"),
            "is %u, which has the format %s, but the depth/stencil attachment, %u, has "
            "%s, without stencil",
            reference->attachment, TEXT_OF(VkFormat, format), subpass->depth_stencil.attachment,
            TEXT_OF(VkFormat, from->description.format));
}

/* Checks VkMultisampledRenderToSingleSampledInfoEXT in a subpass's chain. */
static void check_single_sampled(struct pass_check *c, const struct location *where,
                                 const struct subpass *subpass)
{
    static const enum rule mode_rules[] = {RULE_06874, RULE_06875, RULE_06876, RULE_06877};
    struct value_text one, two;
    const struct location chained =
        LOCATION_CHAINED(where, "VkSubpassDescriptionDepthStencilResolve");
    for (uint32_t i = 0; i <= subpass->color_count; i++) {
        const struct use use = i < subpass->color_count
                                   ? (struct use){&subpass->colors[i], ROLE_COLOR, i}
                                   : (struct use){&subpass->depth_stencil, ROLE_DEPTH_STENCIL, 0};
        VkSampleCountFlagBits samples = samples_of(c, use.reference);
        const struct location at = use_location(where, &use);
        REQUIRE(&c->s, RULE_06870,
                !samples || samples == VK_SAMPLE_COUNT_1_BIT ||
                    samples == subpass->single_sampled_samples,
                &LOCATION(&at, "attachment"),
                "is %u, which has %s, neither one sample nor the %s of "
                "VkMultisampledRenderToSingleSampledInfoEXT",
                use.reference->attachment, samples_text(samples, &one),
                samples_text(subpass->single_sampled_samples, &two));
    }
    const struct attachment_description *depth =
        pass_attachment(c->pass, subpass->depth_stencil.attachment);
    if (!depth)
        return;
    REQUIRE(&c->s, RULE_06871,
            depth->description.samples != VK_SAMPLE_COUNT_1_BIT ||
                (subpass->has_depth_stencil_resolve &&
                 subpass->depth_stencil_resolve.attachment == VK_ATTACHMENT_UNUSED),
            &LOCATION(where, "pNext"),
            "must have a VkSubpassDescriptionDepthStencilResolve without an attachment: the "
            "depth/stencil attachment, %u, has one sample, and "
            "multisampledRenderToSingleSampledEnable is VK_TRUE",
            subpass->depth_stencil.attachment);
    if (!subpass->has_depth_stencil_resolve)
        return;
    REQUIRE(&c->s, RULE_06873, subpass->depth_resolve_mode || subpass->stencil_resolve_mode,
            &LOCATION(&chained, "depthResolveMode"),
            "and stencilResolveMode are both VK_RESOLVE_MODE_NONE, but "
            "multisampledRenderToSingleSampledEnable is VK_TRUE");
    check_resolve_modes(c, &chained, subpass, depth->description.format, mode_rules);
}

/* --- VkFragmentShadingRateAttachmentInfoKHR --- */

bool pass_uses_attachment(const struct render_pass *pass, uint32_t attachment)
{
    assert(pass);
    for (uint32_t i = 0; i < pass->subpass_count; i++) {
        const struct subpass *subpass = &pass->subpasses[i];
        for (uint32_t j = 0; j < use_count(subpass); j++) {
            if (use_at(subpass, j).reference->attachment == attachment)
                return true;
        }
        if (subpass->depth_stencil_resolve.attachment == attachment ||
            subpass_preserves(subpass, attachment))
            return true;
    }
    return false;
}

/* Checks the fragment shading rate attachment, if the subpass has one. */
static void pass_subpass_check_shading_rate(struct pass_check *c,
                                            const struct location *subpass_where,
                                            const struct subpass *subpass)
{
    const struct location where =
        LOCATION_CHAINED(subpass_where, "VkFragmentShadingRateAttachmentInfoKHR");
    const struct location at = LOCATION_POINTER(&where, "pFragmentShadingRateAttachment");
    const struct attachment_reference *reference = &subpass->fragment_shading_rate;
    if (reference->attachment == VK_ATTACHMENT_UNUSED)
        return;
    check_reference(c, &at, reference);
    REQUIRE(&c->s, RULE_04521, !(c->pass->flags & VK_RENDER_PASS_CREATE_TRANSFORM_BIT_QCOM),
            &LOCATION(&at, "attachment"),
            "is %u, but the render pass has VK_RENDER_PASS_CREATE_TRANSFORM_BIT_QCOM",
            reference->attachment);
    texel_size_check(&c->s, &where, subpass->shading_rate_texel_size, RULE_04531, RULE_04532);
    const struct attachment_description *attachment =
        pass_attachment(c->pass, reference->attachment);
    if (!attachment)
        return;
    REQUIRE(&c->s, RULE_04585, !pass_uses_attachment(c->pass, reference->attachment),
            &LOCATION(&at, "attachment"),
            "is %u, which the render pass uses as another attachment, too", reference->attachment);
    REQUIRE(&c->s, RULE_09387, attachment->description.loadOp != VK_ATTACHMENT_LOAD_OP_CLEAR,
            &LOCATION(&at, "attachment"), "is %u, whose loadOp is VK_ATTACHMENT_LOAD_OP_CLEAR",
            reference->attachment);
    REQUIRE(&c->s, RULE_04586,
            format_potential_features(c->s.call->device, attachment->description.format) &
                VK_FORMAT_FEATURE_2_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR,
            &LOCATION(&at, "attachment"),
            "is %u, whose format %s has no "
            "VK_FORMAT_FEATURE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR "
            "on this device",
            reference->attachment, TEXT_OF(VkFormat, attachment->description.format));
}

/* --- the subpass itself --- */

/* True if no other subpass depends on this one. */
static bool last_in_chain(const struct render_pass *pass, uint32_t subpass)
{
    for (uint32_t i = 0; i < pass->dependency_count; i++) {
        const VkSubpassDependency2 *dependency = &pass->dependencies[i];
        if (dependency->srcSubpass == subpass && dependency->dstSubpass != subpass &&
            dependency->dstSubpass != VK_SUBPASS_EXTERNAL)
            return false;
    }
    return true;
}

/* Checks the flags of subpass `number`, which restrict its dependencies and depend on the render
 * pass's tile shading. */
static void check_subpass_flags(struct pass_check *c, const struct location *where, uint32_t number)
{
    assert(number < c->pass->subpass_count);
    VkSubpassDescriptionFlags flags = c->pass->subpasses[number].flags;
    REQUIRE(&c->s, c->version2 ? RULE_04909 : RULE_03343,
            !(flags & VK_SUBPASS_DESCRIPTION_CUSTOM_RESOLVE_BIT_EXT) ||
                last_in_chain(c->pass, number),
            &LOCATION(where, "flags"),
            "includes VK_SUBPASS_DESCRIPTION_CUSTOM_RESOLVE_BIT_EXT, but another subpass depends "
            "on "
            "this one");
    const VkRenderPassTileShadingCreateInfoQCOM *tiles =
        chain_find(c->chain, VK_STRUCTURE_TYPE_RENDER_PASS_TILE_SHADING_CREATE_INFO_QCOM);
    REQUIRE(&c->s, RULE_10683,
            !(flags & VK_SUBPASS_DESCRIPTION_TILE_SHADING_APRON_BIT_QCOM) ||
                (tiles && (tiles->tileApronSize.width || tiles->tileApronSize.height)),
            &LOCATION(where, "flags"),
            "includes VK_SUBPASS_DESCRIPTION_TILE_SHADING_APRON_BIT_QCOM, but the render pass "
            "has no tileApronSize");
}

/* Checks subpass `number` of a render pass that is to be created. */
static void pass_subpass_check(struct pass_check *c, uint32_t number)
{
    assert(number < c->pass->subpass_count);
    const struct subpass *subpass = &c->pass->subpasses[number];
    const struct location where = LOCATION_INDEX(&c->where, "pSubpasses", number);
    for (uint32_t i = 0; i < use_count(subpass); i++) {
        const struct use use = use_at(subpass, i);
        check_use(c, &where, &use);
    }
    check_same_layout(c, &where, subpass);
    check_depth_is_no_color(c, &where, subpass);
    check_preserved(c, &where, number);
    pass_subpass_check_samples(c, &where, subpass);
    check_resolves(c, &where, subpass);
    check_depth_resolve(c, &where, subpass);
    pass_subpass_check_shading_rate(c, &where, subpass);
    if (subpass->single_sampled_enable)
        check_single_sampled(c, &where, subpass);
    check_subpass_flags(c, &where, number);
}

/* --- the first use of each attachment --- */

/* Checks the layout of an attachment in subpass `number`, which is the first to use it, against its
 * load operations. */
static void check_first_use(struct pass_check *c, uint32_t attachment, uint32_t number)
{
    assert(attachment < c->pass->attachment_count && number < c->pass->subpass_count);
    const struct subpass *subpass = &c->pass->subpasses[number];
    const VkAttachmentDescription *d = &c->pass->attachments[attachment].description;
    const struct location where = LOCATION_INDEX(&c->where, "pSubpasses", number);
    bool clears = d->loadOp == VK_ATTACHMENT_LOAD_OP_CLEAR &&
                  format_aspects(d->format) & ~(VkImageAspectFlags)VK_IMAGE_ASPECT_STENCIL_BIT;
    bool clears_stencil =
        d->stencilLoadOp == VK_ATTACHMENT_LOAD_OP_CLEAR && format_has_stencil(d->format);
    bool input = false, other = false, first = true;
    for (uint32_t i = 0; i < use_count(subpass); i++) {
        const struct use use = use_at(subpass, i);
        if (use.reference->attachment != attachment)
            continue;
        input |= use.role == ROLE_INPUT;
        other |= use.role == ROLE_COLOR || use.role == ROLE_DEPTH_STENCIL;
        if (!first) /* by another rule, further references have the same layout */
            continue;
        first = false;
        const struct location at = use_location(&where, &use);
        uint32_t layout = layout_set_of(use.reference->layout);
        const char *text = "is %s, which is read-only, but attachment %u is cleared there (%s)";
        const uint32_t read_only = LAYOUT_SHADER_READ_ONLY | LAYOUT_DEPTH_STENCIL_READ_ONLY;
        if (clears && layout & (read_only | LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT))
            BROKEN_OF(&c->s, NULL,
                      c->version2          ? RULE_02522
                      : layout & read_only ? RULE_00836
                                           : RULE_01566,
                      &LOCATION(&at, "layout"), text, TEXT_OF(VkImageLayout, use.reference->layout),
                      attachment, "loadOp");
        if (clears_stencil && layout & (read_only | LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY))
            BROKEN_OF(&c->s, NULL,
                      c->version2          ? RULE_02523
                      : layout & read_only ? RULE_02511
                                           : RULE_01567,
                      &LOCATION(&at, "layout"), text, TEXT_OF(VkImageLayout, use.reference->layout),
                      attachment, "stencilLoadOp");
    }
    /* first use as an input attachment, not also as a color or depth/stencil attachment of the
     * subpass: loadOp must not be CLEAR */
    REQUIRE(&c->s, RULE_00846, !input || other || !clears,
            &LOCATION(&LOCATION_INDEX(&c->where, "pAttachments", attachment), "loadOp"),
            "is VK_ATTACHMENT_LOAD_OP_CLEAR, but the first use of the attachment, in subpass %u, "
            "is "
            "as an input attachment alone",
            number);
}

void check_subpasses(struct pass_check *c)
{
    for (uint32_t i = 0; i < c->pass->subpass_count; i++)
        pass_subpass_check(c, i);
    for (uint32_t attachment = 0; attachment < c->pass->attachment_count; attachment++) {
        for (uint32_t i = 0; i < c->pass->subpass_count; i++) {
            if (!subpass_uses(&c->pass->subpasses[i], attachment))
                continue;
            check_first_use(c, attachment, i);
            break;
        }
    }
}
