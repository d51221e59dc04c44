/* The checks of a render pass's create info share this. Both versions are read into one form first
 * (state/command/render_pass.h), and members are called the same in both, so that each rule is
 * written once. Threads: that of the call. Fields of other objects are read as their own comments
 * allow. */
#ifndef ASSAY_CORE_RENDER_PASS_H
#define ASSAY_CORE_RENDER_PASS_H

#include "core/barrier/layout_sets.h"
#include "objects/device.h"
#include "report/names/names_of_values.h"
#include "state/memory/formats.h"
#include "state/command/render_pass.h"

#include "report/finding/rule.h"

/* One create call at work. */
struct pass_check {
    struct subject s; /* `where` of it is NULL */
    bool version2;    /* vkCreateRenderPass2 */
    const struct render_pass *pass;
    const void *chain;     /* of the create info */
    struct location where; /* pCreateInfo */
};

/* The attachment that a reference names; NULL for VK_ATTACHMENT_UNUSED and numbers beyond (which
 * has a rule of its own). */
static inline const struct attachment_description *pass_attachment(const struct render_pass *pass,
                                                                   uint32_t attachment)
{
    return attachment < pass->attachment_count ? &pass->attachments[attachment] : NULL;
}

/* True if it is an input, color, resolve, depth/stencil (resolve) or preserved attachment of some
 * subpass. */
bool pass_uses_attachment(const struct render_pass *pass, uint32_t attachment);

void check_attachments(struct pass_check *c);
void check_subpasses(struct pass_check *c);
void check_dependencies(struct pass_check *c);

#endif
