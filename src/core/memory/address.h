/* Describes a device address in findings: the buffer that it lies in, and where in it. Everything
 * here is for findings that are being reported. Threads: that of the call. Fields of other objects
 * are read as their own comments allow. */
#ifndef ASSAY_CORE_MEMORY_ADDRESS_H
#define ASSAY_CORE_MEMORY_ADDRESS_H

#include "report/finding/finding.h"
#include "state/memory/device_address.h"

/* `0x7f0000001200 (offset 4608 of VkBuffer 0x100000107 "vertices")`, or `0x0 (in no buffer whose
 * address was asked for)`. `buffer`: the one that the finding is about; NULL: one that has the
 * address is looked up. */
struct address_text {
    char text[320];
};
const char *address_text(const struct call *call, VkDeviceAddress address,
                         const struct buffer *buffer, struct address_text *text) COLD;
#define ADDRESS(call_, address_) \
    address_text((call_), (address_), NULL, &(struct address_text){.text = ""})
#define ADDRESS_IN(call_, address_, buffer_) \
    address_text((call_), (address_), (buffer_), &(struct address_text){.text = ""})

/* The buffer that ADDRESS() names, among the objects of finding(); NULL where no buffer has the
 * address. */
const struct finding_objects *address_objects(const struct call *call, VkDeviceAddress address,
                                              struct finding_objects *objects) COLD;
#define OBJECT_AT(call_, address_) \
    address_objects((call_), (address_), &(struct finding_objects){.count = 0})

/* The object of the buffer that a search came upon, likewise. */
#define ADDRESS_OBJECT(found_) \
    ((found_)->buffer ? OBJECT(HANDLE_BUFFER, object_state_handle(&(found_)->buffer->base)) : NULL)

/* "is 0x7f00 (offset 0 of VkBuffer ...), but that buffer was created with usage ..., without ..."
 * `usage`: what the search asked for. */
bool address_report_usage(const struct call *call, enum vuid vuid, const struct location *where,
                          VkDeviceAddress address, const struct address_search *found,
                          VkBufferUsageFlags2 usage) COLD;
/* "is 0x7f00, which lies in no buffer whose address was asked for", and which destroyed buffer had
 * it. `what`: more to say of it, or "". */
bool address_report_nowhere(const struct call *call, enum vuid vuid, const struct location *where,
                            VkDeviceAddress address, const char *what) COLD;
/* "is 0x7f00 (offset 4 of VkBuffer ...), where that buffer has 12 bytes left, but the parameters
 * take 16". `what`: "the parameters take". */
bool address_report_short(const struct call *call, enum vuid vuid, const struct location *where,
                          VkDeviceAddress address, const struct address_search *found,
                          VkDeviceSize size, const char *what) COLD;

/* If a VkDeviceAddress was retrieved from a non-sparse buffer, that buffer must be bound completely
 * and contiguously to a single VkDeviceMemory object (3.3.1). Of an address that lies nowhere other
 * statements speak. `where`: the member that is the address. Whether to skip the call. */
bool address_check_bound(const struct call *call, const struct location *where,
                         VkDeviceAddress address);

#endif
