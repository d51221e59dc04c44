/* Checks that a render pass may be created, and be destroyed (8.1 "Render Pass Creation"). Its
 * attachments, subpasses and dependencies are checked in other files. */
#include "core/hooks.h"
#include "core/destroy/in_use.h"
#include "core/render/pass.h"
#include "vk/chain.h"

#include "report/finding/rule.h"

/* --- what is chained to the create info --- */

/* Checks the fragment density map attachment; VK_ATTACHMENT_UNUSED means that there is none. */
static void render_pass_check_density_map(struct pass_check *c)
{
    const VkAttachmentReference *map = &c->pass->density_map;
    const struct location chained =
        LOCATION_CHAINED(&c->where, "VkRenderPassFragmentDensityMapCreateInfoEXT");
    const struct location where = LOCATION(&chained, "fragmentDensityMapAttachment");
    if (map->attachment == VK_ATTACHMENT_UNUSED)
        return;
    REQUIRE(&c->s, c->version2 ? RULE_06472 : RULE_06471,
            map->attachment < c->pass->attachment_count, &LOCATION(&where, "attachment"),
            "is %u, but attachmentCount is %u", map->attachment, c->pass->attachment_count);
    REQUIRE(&c->s, RULE_02549, layout_set_of(map->layout) & (LAYOUT_DENSITY_MAP | LAYOUT_GENERAL),
            &LOCATION(&where, "layout"),
            "is %s, neither VK_IMAGE_LAYOUT_FRAGMENT_DENSITY_MAP_OPTIMAL_EXT nor "
            "VK_IMAGE_LAYOUT_GENERAL",
            TEXT_OF(VkImageLayout, map->layout));
    /* NULL: no attachment has that number, which is reported above. */
    const struct attachment_description *attachment = pass_attachment(c->pass, map->attachment);
    if (!attachment)
        return;
    REQUIRE(&c->s, RULE_02548, !pass_uses_attachment(c->pass, map->attachment),
            &LOCATION(&where, "attachment"), "is %u, which a subpass uses as another attachment",
            map->attachment);
    REQUIRE(&c->s, RULE_02550,
            attachment->description.loadOp == VK_ATTACHMENT_LOAD_OP_LOAD ||
                attachment->description.loadOp == VK_ATTACHMENT_LOAD_OP_DONT_CARE,
            &LOCATION(&where, "attachment"), "is %u, whose loadOp is %s", map->attachment,
            value_text(VALUES_VkAttachmentLoadOp, attachment->description.loadOp).text);
    REQUIRE(&c->s, RULE_02551, attachment->description.storeOp == VK_ATTACHMENT_STORE_OP_DONT_CARE,
            &LOCATION(&where, "attachment"),
            "is %u, whose storeOp is %s, not VK_ATTACHMENT_STORE_OP_DONT_CARE", map->attachment,
            value_text(VALUES_VkAttachmentStoreOp, attachment->description.storeOp).text);
}

/* Checks the aspects in which input attachments are read, which version 1 has in a chained
 * structure. */
static void render_pass_check_aspects(struct pass_check *c)
{
    const VkRenderPassInputAttachmentAspectCreateInfo *aspects =
        chain_find(c->chain, VK_STRUCTURE_TYPE_RENDER_PASS_INPUT_ATTACHMENT_ASPECT_CREATE_INFO);
    const VkImageAspectFlags memory_planes =
        VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT | VK_IMAGE_ASPECT_MEMORY_PLANE_1_BIT_EXT |
        VK_IMAGE_ASPECT_MEMORY_PLANE_2_BIT_EXT | VK_IMAGE_ASPECT_MEMORY_PLANE_3_BIT_EXT;
    const struct location chained =
        LOCATION_CHAINED(&c->where, "VkRenderPassInputAttachmentAspectCreateInfo");
    for (uint32_t i = 0; aspects && aspects->pAspectReferences && i < aspects->aspectReferenceCount;
         i++) {
        const VkInputAttachmentAspectReference *reference = &aspects->pAspectReferences[i];
        const struct location where = LOCATION_INDEX(&chained, "pAspectReferences", i);
        REQUIRE(&c->s, RULE_02250, !(reference->aspectMask & memory_planes),
                &LOCATION(&where, "aspectMask"), "is %s: memory planes are not aspects to read",
                value_text(VALUES_VkImageAspectFlags, reference->aspectMask).text);
        REQUIRE(&c->s, RULE_01926, reference->subpass < c->pass->subpass_count,
                &LOCATION(&where, "subpass"), "is %u, but subpassCount is %u", reference->subpass,
                c->pass->subpass_count);
        if (reference->subpass >= c->pass->subpass_count) {
            c->s.skip = call_stop(c->s.call, c->s.skip);
            continue;
        }
        uint32_t count = c->pass->subpasses[reference->subpass].input_count;
        REQUIRE(&c->s, RULE_01927, reference->inputAttachmentIndex < count,
                &LOCATION(&where, "inputAttachmentIndex"),
                "is %u, but subpass %u has %u input attachments", reference->inputAttachmentIndex,
                reference->subpass, count);
        if (reference->inputAttachmentIndex >= count)
            c->s.skip = call_stop(c->s.call, c->s.skip);
    }
}

/* --- views --- */

static bool all_views_zero(const struct render_pass *pass)
{
    return !pass->multiview;
}

/* True if some subpass has no views. Then no subpass may have views. */
static bool some_view_zero(const struct render_pass *pass)
{
    for (uint32_t i = 0; i < pass->subpass_count; i++) {
        if (!pass->subpasses[i].view_mask)
            return true;
    }
    return false;
}

/* Checks that no view is in two correlation masks. */
static void check_correlation(struct pass_check *c, const struct location *where, const char *name)
{
    uint32_t seen = 0;
    for (uint32_t i = 0; i < c->pass->correlated_view_mask_count; i++) {
        uint32_t mask = c->pass->correlated_view_masks[i];
        REQUIRE_OF(&c->s, NULL, c->version2 ? RULE_03056 : RULE_00841, !(seen & mask),
                   &LOCATION_INDEX(where, name, i), "is 0x%x, but earlier elements have 0x%x of it",
                   mask, seen & mask);
        seen |= mask;
    }
}

/* Checks VkRenderPassMultiviewCreateInfo of version 1, and the members that replace it in version
 * 2. */
static void render_pass_check_views(struct pass_check *c)
{
    const VkRenderPassMultiviewCreateInfo *multiview =
        chain_find(c->chain, VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO);
    const struct location chained = LOCATION_CHAINED(&c->where, "VkRenderPassMultiviewCreateInfo");
    if (!c->version2 && !multiview)
        return;
    const struct location *where = c->version2 ? &c->where : &chained;
    check_correlation(c, where, c->version2 ? "pCorrelatedViewMasks" : "pCorrelationMasks");
    /* must either all be 0, or all not be 0 */
    REQUIRE(&c->s, c->version2 ? RULE_03058 : RULE_02513,
            all_views_zero(c->pass) || !some_view_zero(c->pass),
            &LOCATION(where, c->version2 ? "pSubpasses" : "pViewMasks"), "%s",
            c->version2 ? "have view masks of which some are 0 and some are not"
                        : "has elements that are 0 and others that are not");
    if (!all_views_zero(c->pass))
        return;
    REQUIRE(&c->s, c->version2 ? RULE_03057 : RULE_02515, !c->pass->correlated_view_mask_count,
            &LOCATION(where, c->version2 ? "correlatedViewMaskCount" : "correlationMaskCount"),
            "is %u, but all view masks are 0", c->pass->correlated_view_mask_count);
    for (uint32_t i = 0; i < c->pass->dependency_count; i++)
        REQUIRE(&c->s, c->version2 ? RULE_03059 : RULE_02514,
                !(c->pass->dependencies[i].dependencyFlags & VK_DEPENDENCY_VIEW_LOCAL_BIT),
                &LOCATION(&LOCATION_INDEX(&c->where, "pDependencies", i), "dependencyFlags"),
                "includes VK_DEPENDENCY_VIEW_LOCAL_BIT, but all view masks are 0");
}

/* --- the whole --- */

/* Checks a render pass that is to be created, and frees `pass`. NULL: an allocation failed, and
 * nothing is checked. */
static bool check_pass(struct call *call, bool version2, struct render_pass *pass,
                       const void *chain)
{
    if (!pass)
        return false;
    struct pass_check c = {.s = {.call = call},
                           .version2 = version2,
                           .pass = pass,
                           .chain = chain,
                           .where = LOCATION_POINTER(NULL, "pCreateInfo")};
    check_attachments(&c);
    check_subpasses(&c);
    check_dependencies(&c);
    render_pass_check_views(&c);
    render_pass_check_density_map(&c);
    if (!version2)
        render_pass_check_aspects(&c);
    mem_free(pass);
    return c.s.skip;
}

bool core_validate_CreateRenderPass(struct call *call, VkDevice device,
                                    const VkRenderPassCreateInfo *pCreateInfo,
                                    const VkAllocationCallbacks *pAllocator,
                                    VkRenderPass *pRenderPass)
{
    return check_pass(call, false, render_pass_read(pCreateInfo), pCreateInfo->pNext);
}

bool core_validate_CreateRenderPass2(struct call *call, VkDevice device,
                                     const VkRenderPassCreateInfo2 *pCreateInfo,
                                     const VkAllocationCallbacks *pAllocator,
                                     VkRenderPass *pRenderPass)
{
    return check_pass(call, true, render_pass_read2(pCreateInfo), pCreateInfo->pNext);
}

bool core_validate_DestroyRenderPass(struct call *call, VkDevice device, VkRenderPass renderPass,
                                     const VkAllocationCallbacks *pAllocator)
{
    const struct render_pass *pass = named_render_pass(call, 0, renderPass);
    /* All submitted commands that refer to renderPass must have completed execution */
    return pass &&
           in_use_check(call, &pass->base, RULE(call, 00873), &LOCATION(NULL, "renderPass"));
}
