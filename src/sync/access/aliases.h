/* Compares the accesses of resources that lie in the same memory (12 "Memory Aliasing").
 *
 * - Buffers lie in the space of their memory object anyway (sync/access/ranges.h).
 * - An image may be identical to another one in the same memory. (They have the same parameters,
 *   both with VK_IMAGE_CREATE_ALIAS_BIT, or are bound to the same image of a swapchain.) It then
 *   has the other image's space: their texel blocks are the same.
 * - For any other image that shares its memory it is unknown which texel lies where, but "all
 *   image subresources of the image overlap the range". So an access to a part of it is also noted
 *   for all of its memory, in the space of the memory object (SYNC_ORDER_ALIAS). There it meets
 *   other resources, and is not compared with the image's own accesses. Barriers and layout
 *   transitions of a part of it hold for all of its memory there, which orders more than the
 *   specification says. So do barriers of the other resources.
 *
 * That an image shares its memory is known from the moment that the second resource is bound. A
 * command buffer that was recorded before has no barriers of the image in the memory object's
 * space. When it is executed, the accesses in that space are forgotten (sync_aliases_forget()). */
#ifndef ASSAY_SYNC_ALIASES_H
#define ASSAY_SYNC_ALIASES_H

#include "state/memory/buffer.h"
#include "state/memory/image.h"
#include "sync/access/access_context.h"
#include "sync/access/areas.h"

/* Returns the space that the image's texel blocks lie in. */
static inline uint64_t image_space(const struct image *image)
{
    return unlikely(sync_in_image(image)->space != 0) ? sync_in_image(image)->space
                                                      : object_state_id(&image->base);
}

/* True if some of the image's memory is bound to another resource that is not identical. */
static inline bool image_shares_memory(const struct image *image)
{
    return atomic_load_explicit(&sync_in_image(image)->shares, memory_order_relaxed);
}

/* Returns all of the image's memory as a place. */
static inline struct sync_place image_memory_place(const struct image *image)
{
    const struct memory_binding *binding = &image->binding[0];
    /* programs can bind an image beyond the end of memory */
    const VkDeviceSize begin = binding->offset < UINT64_MAX ? binding->offset : UINT64_MAX - 1,
                       size = sync_in_image(image)->memory_size, rest = UINT64_MAX - begin;
    return (struct sync_place){binding->memory, begin,
                               begin + (!size         ? 1
                                        : size < rest ? size
                                                      : rest)};
}

/* Returns the number of the image in records of its memory: sync_access::instance. Never 0. */
static inline uint32_t image_alias_number(const struct image *image)
{
    return object_index(image_space(image));
}

/* True if nothing else is bound to any of the buffer's memory. False also if that is not known. */
bool sync_buffer_is_alone(const struct buffer *buffer) COLD;

/* Returns a count that grows when an image that may have been used begins to share its memory. */
uint32_t sync_aliases_now(void);
/* Forgets accesses to memory objects that began to be shared after `since` (from
 * sync_aliases_now()), because commands recorded since then are about to be executed. */
void sync_aliases_forget(struct sync_context *context, uint32_t since);

/* Frees the lists of a memory object that is being freed. */
void sync_aliases_end(struct object *memory);

/* Threads: chassis/fork.c. */
void sync_aliases_fork(enum fork_step step);

#endif
