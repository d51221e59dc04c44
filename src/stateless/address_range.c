/* Checks that a range of device addresses ends in the buffer that it begins in (3.3.1 "Device
 * Address Ranges"), and that the buffer is bound to memory. */
#include "stateless/structs.h"

#include <inttypes.h>

#include "objects/device.h"
#include "report/finding/rule.h"
#include "report/muting/rows_broken.h"
#include "report/names/object_text.h"
#include "state/memory/device_address.h"

/* Checks a range of either kind. "The sum of address and size must be less than or equal to the sum
 * of an address retrieved from a VkBuffer and" its size: 11365. "If a VkDeviceAddress was retrieved
 * from a non-sparse buffer, that buffer must be bound completely and contiguously to a single
 * VkDeviceMemory object": 10894. Other rules report a range that begins in no buffer. */
static void range_check(struct check *c, const struct location *where, VkDeviceAddress address,
                        VkDeviceSize size, enum vuid too_short)
{
    struct subject subject = {.call = c->call, .where = where};
    if (!address || !size || !c->call->device)
        return;
    const struct address_search found =
        device_address_find(c->call->device, address, size, ADDRESS_BOUND);
    if (likely(found.match != ADDRESS_TOO_SHORT && found.match != ADDRESS_USAGE) ||
        rows_were_broken())
        return;
    subject.objects = OBJECT(HANDLE_BUFFER, object_state_handle(&found.buffer->base));
    if (found.match == ADDRESS_TOO_SHORT)
        BROKEN(&subject, too_short, "size",
               "is %" PRIu64 ", but %s ends %" PRIu64 " bytes after address", size,
               NAMED_STATE(c->call, &found.buffer->base), found.rest);
    else
        BROKEN(&subject, VUID_VkDeviceAddress_None_10894, "address",
               "is 0x%" PRIx64 ", in %s, which is not bound to memory%s", address,
               NAMED_STATE(c->call, &found.buffer->base),
               found.buffer->binding.memory ? " any more: that was freed" : "");
    c->skip |= subject.skip;
}

void rule_VkDeviceAddressRangeKHR(struct check *c, const struct location *where,
                                  const VkDeviceAddressRangeKHR *s)
{
    range_check(c, where, s->address, s->size, VUID_VkDeviceAddressRangeKHR_address_11365);
}

void rule_VkStridedDeviceAddressRangeKHR(struct check *c, const struct location *where,
                                         const VkStridedDeviceAddressRangeKHR *s)
{
    range_check(c, where, s->address, s->size, VUID_VkStridedDeviceAddressRangeKHR_address_11365);
}
