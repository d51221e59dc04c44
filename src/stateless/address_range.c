/* Checks that a range of device addresses ends in the buffer that it begins in (3.3.1 "Device
 * Address Ranges"). Of ranges in other structures their own statements speak. */
#include "stateless/structs.h"

#include <inttypes.h>

#include "objects/device.h"
#include "report/finding/finding.h"
#include "report/names/object_text.h"
#include "state/memory/device_address.h"

void rule_VkDeviceAddressRangeKHR(struct check *c, const struct location *where,
                                  const VkDeviceAddressRangeKHR *s)
{
    const struct call *call = c->call;
    if (!s->address || !s->size || !call->device)
        return;
    /* Of a range that begins in no buffer, other statements speak. */
    const struct address_search found = device_address_find(call->device, s->address, s->size, 0);
    MUST(c, VUID_VkDeviceAddressRangeKHR_address_11365, found.match != ADDRESS_TOO_SHORT, where,
         "size", "is %" PRIu64 ", but %s ends %" PRIu64 " bytes after address", s->size,
         NAMED_STATE(call, &found.buffer->base), found.rest);
}
