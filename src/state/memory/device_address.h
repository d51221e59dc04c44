/* Finds the buffer that a device address lies in. Buffers are known here from the moment that the
 * program asked for their address. */
#ifndef ASSAY_STATE_DEVICE_ADDRESS_H
#define ASSAY_STATE_DEVICE_ADDRESS_H

#include "state/memory/buffer.h"

enum address_match {
    ADDRESS_UNKNOWN,   /* memory was out some time: nothing can be said */
    ADDRESS_NOWHERE,   /* in no buffer that lives */
    ADDRESS_TOO_SHORT, /* a buffer has the address, but not all the bytes from there on */
    /* a buffer has the address and all the bytes, but was not created with the usage */
    ADDRESS_USAGE,
    ADDRESS_FOUND,
};

/* `buffer`: the one that came nearest, NULL for the first two. It may be destroyed at any time in a
 * program that does so while it uses it; its state stays readable. */
struct address_search {
    enum address_match match;
    const struct buffer *buffer;
    VkDeviceSize rest; /* bytes from the address to the buffer's end */
};

/* Beside usages: a buffer that has all of them. */
#define ADDRESS_ALL_OF ((VkBufferUsageFlags2)1 << 63)
/* Instead of usages: a buffer that is sparse, or bound to memory that was not freed. */
#define ADDRESS_BOUND ((VkBufferUsageFlags2)1 << 62)

/* A live buffer that has all of [address, address + size), and any of these usages (0: whichever).
 * Several buffers may share memory: one is enough. Threads: any; it never waits. */
struct address_search device_address_find(const struct device *device, VkDeviceAddress address,
                                          VkDeviceSize size, VkBufferUsageFlags2 usage);

/* The only live buffer that has the address. NULL: no buffer or several have it, or memory was out
 * at some time. Threads: any; it never waits. */
const struct buffer *device_address_find_sole(const struct device *device, VkDeviceAddress address);

/* The id of a destroyed buffer that had the address, or 0: none is known. Such buffers are known
 * until their room is needed. Threads: any. */
uint64_t device_address_find_destroyed(const struct device *device, VkDeviceAddress address) COLD;

/* The program has asked for the buffer's address. Threads: any. */
void device_address_add(const struct device *device, const struct buffer *buffer);

struct address_map;
void address_map_free(struct address_map *map);
/* Called in the child of a fork: forgets everything if another thread was changing the map at that
 * moment. `map` may be NULL. */
void address_map_fork_child(struct address_map *map);

#endif
