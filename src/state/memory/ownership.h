/* The queue family ownership transfers (7.7.4) that recorded barriers make, and the releases that
 * submitted work has made. */
#ifndef ASSAY_STATE_OWNERSHIP_H
#define ASSAY_STATE_OWNERSHIP_H

#include "state/command/command_buffer.h"

/* One half of a transfer of a buffer's or image's range. What release and acquire must have in
 * common is all but `acquires`; two that match are equal in every byte of `range`. */
struct ownership_transfer {
    struct transfer_range {
        uint64_t resource; /* id */
        uint32_t src_family, dst_family;
        uint64_t first,
            /* a buffer's offset and size; an image's mip levels and array layers: first:32 |
               count:32 */
            second;
        /* aspects of an image; 0 where planes and the whole may stand for each other */
        uint32_t aspects;
        uint32_t reserved;
        VkImageLayout old_layout, new_layout; /* of an image */
    } range;
    bool acquires;
    /* matched with a release in the same command buffer, or nothing can be said of it */
    bool concluded;
};

/* Threads: as the command buffer that owns it. */
struct command_buffer_transfers {
    struct ownership_transfer *list; /* owned, kept over resets */
    uint32_t count, capacity;
    bool incomplete; /* memory was out: nothing can be said */
};

void command_buffer_reset_transfers(struct command_buffer *command_buffer);
/* Frees the released ranges, when the device is destroyed. */
struct released_ranges;
void ownership_destroy(struct released_ranges *released);
/* Called in the child of a fork: forgets all ranges if another thread was changing them. `released`
 * may be NULL. */
void ownership_fork_child(struct released_ranges *released);

/* Notes that a command buffer is submitted: ranges that it releases may be acquired from now on. */
void ownership_submit(const struct device *device, const struct command_buffer *command_buffer);
/* True if a release that goes with this acquire has been submitted to this device. True, too, where
 * nothing is known. Threads: any. */
bool ownership_is_released(const struct device *device, const struct ownership_transfer *acquire);

/* One subresource of an image. */
struct owned_subresource {
    uint64_t image; /* id */
    VkImageAspectFlagBits aspect;
    uint32_t level, layer;
};

/* A release of the subresource that was submitted to this device, or that a submission has in its
 * `earlier` command buffers. One to `family` is preferred. False where none is known. Whether it
 * was acquired since is not looked at. Threads: any. */
bool ownership_find_release(const struct device *device,
                            const struct command_buffer *const *earlier, uint32_t earlier_count,
                            const struct owned_subresource *subresource, uint32_t family,
                            struct transfer_range *release) COLD;

#endif
