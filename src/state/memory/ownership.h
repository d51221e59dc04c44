/* Queue family ownership transfers (7.7.4): those of recorded barriers, and the releases of
 * submitted work. */
#ifndef ASSAY_STATE_OWNERSHIP_H
#define ASSAY_STATE_OWNERSHIP_H

#include "state/command/command_buffer.h"

/* One half of an ownership transfer, for a range of a buffer or image. Release and acquire have
 * everything except `acquires` in common; if they match, each byte of `range` is equal. */
struct ownership_transfer {
    struct transfer_range {
        uint64_t resource; /* id */
        uint32_t src_family, dst_family;
        uint64_t first,
            /* a buffer's offset and size; an image's mip levels and array layers, as first:32 |
             * count:32 */
            second;
        /* aspects of an image; 0 for planes, which can be named one by one or as a whole */
        uint32_t aspects;
        uint32_t reserved;
        VkImageLayout old_layout, new_layout; /* for an image */
    } range;
    bool acquires;
    /* matched with a release in the same command buffer, or cannot be judged */
    bool concluded;
};

/* Threads: those of the command buffer that owns it. */
struct command_buffer_transfers {
    struct ownership_transfer *list; /* owned, kept over resets */
    uint32_t count, capacity;
    bool incomplete; /* memory ran out: nothing can be judged */
};

void command_buffer_reset_transfers(struct command_buffer *command_buffer);
/* Frees the released ranges, when the device is destroyed. */
struct released_ranges;
void ownership_destroy(struct released_ranges *released);
/* Called in the child of a fork: forgets all ranges if another thread was changing them. `released`
 * may be NULL. */
void ownership_fork_child(struct released_ranges *released);

/* Notes that a command buffer is submitted: the ranges that it releases may be acquired. */
void ownership_submit(const struct device *device, const struct command_buffer *command_buffer);
/* True if a matching release was submitted to this device, or that is not known. Threads: any. */
bool ownership_is_released(const struct device *device, const struct ownership_transfer *acquire);

/* One subresource of an image. */
struct owned_subresource {
    uint64_t image; /* id */
    VkImageAspectFlagBits aspect;
    uint32_t level, layer;
};

/* Finds a release of the subresource that was submitted to this device, or that is in the `earlier`
 * command buffers of a submission. A release to `family` is preferred. False: none is known. Later
 * acquires are not considered. Threads: any. */
bool ownership_find_release(const struct device *device,
                            const struct command_buffer *const *earlier, uint32_t earlier_count,
                            const struct owned_subresource *subresource, uint32_t family,
                            struct transfer_range *release) COLD;

#endif
