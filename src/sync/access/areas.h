/* Lists what this validator keeps in objects of the state tracker (objects/area.h).
 * Threads: a device's pointer is set once, a command buffer's by the thread that records. */
#ifndef ASSAY_SYNC_AREAS_H
#define ASSAY_SYNC_AREAS_H

#include "objects/area.h"
#include "state/command/command_buffer.h"
#include "state/memory/image.h"
#include "state/memory/memory.h"
#include "state/submit/queue.h"

struct sync_in_device_state {
    _Atomic(struct sync_device *) sync; /* sync/queue/queue.h; made when first needed */
};
AREA(sync_in_device_state, device_state, 0)

struct sync_in_command_buffer {
    /* sync/record/recording.h; kept for the next command buffer that reuses this one's memory. NULL
     * until it is first needed */
    struct sync_command_buffer *sync;
};
AREA(sync_in_command_buffer, command_buffer, 0)

/* Says with which resources an image shares its memory (sync/access/aliases.c). */
struct sync_in_image {
    /* size of the memory object that the image is bound to; 0: the image is not compared with
     * other resources */
    VkDeviceSize memory_size;
    /* id of the image in the same memory that this one is identical to; 0: none. Both fields are
     * const once the image is bound */
    uint64_t space;
    _Atomic bool shares; /* another resource has some of the memory, too; relaxed */
    /* width of a strip in blocks (sync/access/ranges.h); 0: not decided, as no part of a slice was
     * accessed. Once decided it is const. Relaxed: no other data depends on it */
    _Atomic uint32_t strip;
};
AREA(sync_in_image, image, 0)

/* Where whole layers of a view's first mip level lie in the space of its image
 * (sync/record/attachments.c). Const once `layer_size` is not 0. */
struct sync_in_image_view {
    /* places of the view's first layer, in the image's first and second aspect */
    uint64_t begin[2];
    /* in texel blocks; 0: such layers are not one place, or it is not known yet */
    _Atomic uint64_t layer_size;
    uint32_t width, height; /* size of the mip level in texels */
};
AREA(sync_in_image_view, image_view, 0)

/* The lists of resources that are bound to a memory object: one list of images, and several of
 * buffers, each for a few of the threads that bind them. */
#define BOUND_LISTS 16

/* The resources of a memory object, by place (sync/access/aliases.c). */
struct sync_in_memory {
    /* Owned: one memory block each; NULL until it is needed. */
    struct bound_resources *_Atomic bound[BOUND_LISTS];
    /* `bound` was set, and may have resources. Never false again; relaxed */
    _Atomic bool has_lists;
    /* the count (sync_aliases_now()) when an image that may have been used last began to share the
     * memory; 0 = never. Relaxed */
    _Atomic uint32_t shared_since;
};
AREA(sync_in_memory, device_memory, 0)

#endif
