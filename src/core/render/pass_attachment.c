/* Checks the description of each attachment of a render pass: VkAttachmentDescription and its
 * second version (8.1). */
#include "core/render/pass.h"
#include "vk/chain.h"

#include "report/finding/rule.h"

void check_attachments(struct pass_check *c)
{
    /* Only Android has external formats, which would be allowed instead; the layer is for Linux. */
    if (!c->version2)
        return;
    for (uint32_t i = 0; i < c->pass->attachment_count; i++) {
        const struct location where = LOCATION_INDEX(&c->where, "pAttachments", i);
        REQUIRE(&c->s, RULE_09332,
                c->pass->attachments[i].description.format != VK_FORMAT_UNDEFINED,
                &LOCATION(&where, "format"), "is VK_FORMAT_UNDEFINED");
    }
}
