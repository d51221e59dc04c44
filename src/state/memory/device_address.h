/* Finds the buffer at a device address. A buffer is known here once the program has queried its
 * address. */
#ifndef ASSAY_STATE_DEVICE_ADDRESS_H
#define ASSAY_STATE_DEVICE_ADDRESS_H

#include "state/memory/buffer.h"

enum address_match {
    ADDRESS_UNKNOWN,   /* memory ran out at some time: it is not known */
    ADDRESS_NOWHERE,   /* no existing buffer has the address */
    ADDRESS_TOO_SHORT, /* a buffer has the address, but not all bytes from there on */
    /* a buffer has the address and all the bytes, but was not created with the usage */
    ADDRESS_USAGE,
    ADDRESS_FOUND,
};

/* `buffer`: the best candidate; NULL for the first two results. A wrong program may destroy it at
 * any time while using it; its state stays readable. */
struct address_search {
    enum address_match match;
    const struct buffer *buffer;
    VkDeviceSize rest; /* bytes from the address to the buffer's end */
};

/* In addition to usages: find a buffer that has all of them. */
#define ADDRESS_ALL_OF ((VkBufferUsageFlags2)1 << 63)
/* Instead of usages: find a buffer that is sparse, or bound to memory that was not freed. */
#define ADDRESS_BOUND ((VkBufferUsageFlags2)1 << 62)

/* Finds an existing buffer that has all of [address, address + size), and one of these usages; 0:
 * any. Several buffers may share memory: one is enough. Threads: any; it never waits. */
struct address_search device_address_find(const struct device *device, VkDeviceAddress address,
                                          VkDeviceSize size, VkBufferUsageFlags2 usage);

/* The only existing buffer that has the address. NULL: none or several have it, or memory ran out
 * at some time. Threads: any; it never waits. */
const struct buffer *device_address_find_sole(const struct device *device, VkDeviceAddress address);

/* The id of a destroyed buffer that had the address; 0: none is known. Destroyed buffers are known
 * until their entries are needed. Threads: any. */
uint64_t device_address_find_destroyed(const struct device *device, VkDeviceAddress address) COLD;

/* Notes that the program has queried the buffer's address. Threads: any. */
void device_address_add(const struct device *device, const struct buffer *buffer);

struct address_map;
void address_map_free(struct address_map *map);
/* Called in the child of a fork: forgets everything if another thread was changing the map at that
 * moment. `map` may be NULL. */
void address_map_fork_child(struct address_map *map);

#endif
