/* Declarations that the checks of a render pass's create info share. state/command/render_pass.h
 * first converts both versions into one form with the same members, so that each rule is written
 * once. Threads: the calling thread. Fields of other objects are read as their own comments
 * allow. */
#ifndef ASSAY_CORE_RENDER_PASS_H
#define ASSAY_CORE_RENDER_PASS_H

#include "core/barrier/layout_sets.h"
#include "objects/device.h"
#include "report/names/names_of_values.h"
#include "state/memory/formats.h"
#include "state/command/render_pass.h"

#include "report/finding/rule.h"

/* The state of one create call's checks. */
struct pass_check {
    struct subject s; /* s.where is NULL */
    bool version2;    /* vkCreateRenderPass2 */
    const struct render_pass *pass;
    const void *chain;     /* pNext of the create info */
    struct location where; /* pCreateInfo */
};

/* The attachment with this number; NULL for VK_ATTACHMENT_UNUSED, and for numbers that do not exist
 * (another rule reports these). */
static inline const struct attachment_description *pass_attachment(const struct render_pass *pass,
                                                                   uint32_t attachment)
{
    return attachment < pass->attachment_count ? &pass->attachments[attachment] : NULL;
}

/* True if some subpass uses or preserves the attachment, in any role. */
bool pass_uses_attachment(const struct render_pass *pass, uint32_t attachment);

void check_attachments(struct pass_check *c);
void check_subpasses(struct pass_check *c);
void check_dependencies(struct pass_check *c);

#endif
