/* Describes a device address in findings: its buffer, and the offset in that. All functions are
 * only for findings that are being reported. Threads: the calling thread. Fields of other objects
 * are read as their own comments allow. */
#ifndef ASSAY_CORE_MEMORY_ADDRESS_H
#define ASSAY_CORE_MEMORY_ADDRESS_H

#include "report/finding/finding.h"
#include "state/memory/device_address.h"

/* Writes, for example, `0x7f0000001200 (offset 4608 of VkBuffer 0x100000107 "vertices")`, or `0x0
 * (in no buffer whose address was asked for)`. `buffer`: the buffer that the finding is about;
 * NULL: look up one with the address. */
struct address_text {
    char text[320];
};
const char *address_text(const struct call *call, VkDeviceAddress address,
                         const struct buffer *buffer, struct address_text *text) COLD;
#define ADDRESS(call_, address_) \
    address_text((call_), (address_), NULL, &(struct address_text){.text = ""})
#define ADDRESS_IN(call_, address_, buffer_) \
    address_text((call_), (address_), (buffer_), &(struct address_text){.text = ""})

/* The buffer that ADDRESS() names, as an object of a finding; NULL: no buffer has the address. */
const struct finding_objects *address_objects(const struct call *call, VkDeviceAddress address,
                                              struct finding_objects *objects) COLD;
#define OBJECT_AT(call_, address_) \
    address_objects((call_), (address_), &(struct finding_objects){.count = 0})

/* The buffer that a search found, as an object of a finding; NULL: it found none. */
#define ADDRESS_OBJECT(found_) \
    ((found_)->buffer ? OBJECT(HANDLE_BUFFER, object_state_handle(&(found_)->buffer->base)) : NULL)

/* Reports "is 0x7f00 (offset 0 of VkBuffer ...), but that buffer was created with usage ...,
 * without ...". `usage`: the usages that the search required. */
bool address_report_usage(const struct call *call, enum vuid vuid, const struct location *where,
                          VkDeviceAddress address, const struct address_search *found,
                          VkBufferUsageFlags2 usage) COLD;
/* Reports "is 0x7f00, which lies in no buffer whose address was asked for", and which destroyed
 * buffer had the address. `what`: text that follows, or "". */
bool address_report_nowhere(const struct call *call, enum vuid vuid, const struct location *where,
                            VkDeviceAddress address, const char *what) COLD;
/* Reports "is 0x7f00 (offset 4 of VkBuffer ...), where that buffer has 12 bytes left, but the
 * parameters take 16". `what`: for example "the parameters take". */
bool address_report_short(const struct call *call, enum vuid vuid, const struct location *where,
                          VkDeviceAddress address, const struct address_search *found,
                          VkDeviceSize size, const char *what) COLD;
/* Reports an address whose buffer is not bound to memory. `found`: of a search with ADDRESS_BOUND,
 * whose match is ADDRESS_USAGE. */
bool address_report_unbound(const struct call *call, enum vuid vuid, const struct location *where,
                            VkDeviceAddress address, const struct address_search *found) COLD;

/* If a VkDeviceAddress was retrieved from a non-sparse buffer, that buffer must be bound completely
 * and contiguously to a single VkDeviceMemory object (3.3.1). Other rules report an address without
 * a buffer. `where`: the member with the address. Returns whether to skip the call. */
bool address_check_bound(const struct call *call, const struct location *where,
                         VkDeviceAddress address);

#endif
