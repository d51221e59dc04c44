/* Checks that a range of device addresses ends in the buffer that it begins in (3.3.1 "Device
 * Address Ranges"). Of ranges in other structures their own statements speak. */
#include "stateless/structs.h"

#include <inttypes.h>

#include "objects/device.h"
#include "report/finding/rule.h"
#include "report/names/object_text.h"
#include "state/memory/device_address.h"

void rule_VkDeviceAddressRangeKHR(struct check *c, const struct location *where,
                                  const VkDeviceAddressRangeKHR *s)
{
    struct subject subject = {.call = c->call, .where = where};
    const struct call *call = c->call;
    if (!s->address || !s->size || !call->device)
        return;
    /* Other statements speak of a range that begins in no buffer. */
    const struct address_search found = device_address_find(call->device, s->address, s->size, 0);
    REQUIRE(&subject, VUID_VkDeviceAddressRangeKHR_address_11365, found.match != ADDRESS_TOO_SHORT,
            "size", "is %" PRIu64 ", but %s ends %" PRIu64 " bytes after address", s->size,
            NAMED_STATE(call, &found.buffer->base), found.rest);
    c->skip |= subject.skip;
}
