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
    /* sync/record/recording.h; kept for the next command buffer of this memory. NULL before it was
     * first needed */
    struct sync_command_buffer *sync;
};
AREA(sync_in_command_buffer, command_buffer, 0)

/* With what an image shares its memory (sync/access/aliases.c). */
struct sync_in_image {
    /* size of the memory object that the image is bound to; 0: the image is not compared with
     * other resources */
    VkDeviceSize memory_size;
    /* id of the image in the same memory that it is identical to; 0: none. Both const once bound */
    uint64_t space;
    _Atomic bool shares; /* some of the memory is another resource's, too; relaxed */
    /* blocks that a strip is wide (sync/access/ranges.h); 0: not decided, as no part of a slice was
     * accessed. Then it is const. Relaxed: the value is all that is read */
    _Atomic uint32_t strip;
};
AREA(sync_in_image, image, 0)

/* Where whole layers of a view's first mip level lie in the space of its image
 * (sync/record/attachments.c). Const once `layer_size` is not 0. */
struct sync_in_image_view {
    /* the view's first layer, in the image's first aspect and the one after it */
    uint64_t begin[2];
    _Atomic uint64_t layer_size; /* 0: such layers are not one place, or nothing is known */
    uint32_t width, height;      /* of the mip level */
};
AREA(sync_in_image_view, image_view, 0)

/* The lists of resources that are bound to a memory object: one list of images, and several of
 * buffers, each for a few of the threads that bind them. */
#define BOUND_LISTS 16

/* The resources of a memory object, by place (sync/access/aliases.c). */
struct sync_in_memory {
    /* Owned: one block each; NULL until it is needed. */
    struct bound_resources *_Atomic bound[BOUND_LISTS];
    /* Something may be in `bound`: it was set before. Never false again; relaxed */
    _Atomic bool has_lists;
    /* the last time that an image which others may have used began to share it; 0 = never. Relaxed
     */
    _Atomic uint32_t shared_since;
};
AREA(sync_in_memory, device_memory, 0)

#endif
