/* Checks that each attachment of a render pass is described as it may be: VkAttachmentDescription
 * and its second version (8.1). */
#include "core/render/pass.h"
#include "vk/chain.h"

#include "report/finding/rule.h"

void check_attachments(struct pass_check *c)
{
    /* An external format of Android's may take its place, which Linux does not have. */
    if (!c->version2)
        return;
    for (uint32_t i = 0; i < c->pass->attachment_count; i++) {
        const struct location where = LOCATION_INDEX(&c->where, "pAttachments", i);
        REQUIRE(&c->s, RULE_09332,
                c->pass->attachments[i].description.format != VK_FORMAT_UNDEFINED,
                &LOCATION(&where, "format"), "is VK_FORMAT_UNDEFINED");
    }
}
