/* Keeps lists of the resources that are bound to each memory object. They are compared when a
 * resource is bound. A destroyed resource needs no work: its id finds no object any more. */
#include "sync/access/aliases.h"

#include <string.h>

#include "base/lock.h"
#include "state/memory/buffer.h"
#include "state/wsi/swapchain.h"
#include "sync/access/areas.h"
#include "sync/hooks.h"
#include "vk/chain.h"

/* A resource and its range, in bytes of the memory object. */
struct bound_resource {
    uint64_t begin, end; /* of the memory object */
    uint64_t id;         /* of the resource */
};

/* A list of resources bound to one memory object, sorted by `begin`. Lock: of the list */
struct bound_resources {
    uint32_t count, capacity;
    uint64_t longest;             /* the longest range that the list ever had */
    struct bound_resource list[]; /* `count` of them */
};

/* The number of the list of images; the others are lists of buffers. A thread puts all buffers that
 * it binds into one list, so that threads do not contend that bind buffers to memory without
 * images. */
#define IMAGES 0

/* One lock for each list number, shared by all memory objects. The lock of IMAGES is taken before
 * any other lock. */
static struct {
    _Alignas(CACHE_LINE) struct lock lock;
} locks[BOUND_LISTS] = {[0 ... BOUND_LISTS - 1] = {LOCK_INITIALIZER}};
/* Counts how often an image was found to share its memory. A recording keeps the count from its
 * beginning, and so knows whether it is older than such a find. */
static _Atomic uint32_t shared_count;

void sync_aliases_fork(enum fork_step step)
{
    for (uint32_t i = 0; i < BOUND_LISTS; i++)
        lock_fork(&locks[i].lock, step);
}

void sync_aliases_end(struct object *memory)
{
    struct sync_in_memory *kept = sync_in_memory(memory->state);
    if (!atomic_load_explicit(&kept->has_lists, memory_order_relaxed))
        return;
    for (uint32_t i = 0; i < BOUND_LISTS; i++)
        mem_retire(atomic_exchange(&kept->bound[i], NULL));
}

uint32_t sync_aliases_now(void)
{
    return atomic_load_explicit(&shared_count, memory_order_acquire);
}

/* --- what is bound --- */

/* True if the resource still exists. A destroyed one stays in the list; its id finds no object. */
static bool bound_resource_lives(const struct bound_resource *resource)
{
    return object_find_id(resource->id, object_id_type(resource->id)) != NULL;
}

/* Removes destroyed resources from the list, in place. Readers hold its lock. */
static void drop_dead(struct bound_resources *bound)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < bound->count; i++) {
        if (bound_resource_lives(&bound->list[i]))
            bound->list[kept++] = bound->list[i];
    }
    bound->count = kept;
}

/* Returns the list with room for one more; NULL: memory is out, or another thread frees the memory
 * object. */
static struct bound_resources *bound_resources_make_room(struct device_memory *memory,
                                                         uint32_t list)
{
    struct bound_resources *bound =
        atomic_load_explicit(&sync_in_memory(memory)->bound[list], memory_order_acquire);
    if (bound && bound->count < bound->capacity)
        return bound;
    if (bound)
        drop_dead(bound);
    /* Half of the resources were destroyed: there is room without a larger list. */
    if (bound && bound->count <= bound->capacity / 2)
        return bound;
    uint32_t capacity = bound ? bound->capacity * 2 : 4;
    struct bound_resources *grown =
                               mem_alloc_lines(sizeof(*grown) + capacity * sizeof(grown->list[0])),
                           *old = bound;
    if (!grown)
        return NULL;
    *grown = (struct bound_resources){.capacity = capacity};
    atomic_store_explicit(&sync_in_memory(memory)->has_lists, true, memory_order_relaxed);
    if (bound) {
        grown->count = bound->count;
        grown->longest = bound->longest;
        /* Readers may be in the old list: it stays as it is, and is retired below. */
        memcpy(grown->list, bound->list, bound->count * sizeof(grown->list[0]));
    }
    if (!atomic_compare_exchange_strong_explicit(&sync_in_memory(memory)->bound[list], &old, grown,
                                                 memory_order_acq_rel, memory_order_relaxed)) {
        mem_free(grown);
        return NULL;
    }
    mem_retire(bound);
    return grown;
}

/* Returns the index of the first resource that begins after an address, or `count` if there is
 * none. */
static uint32_t first_after(const struct bound_resources *bound, uint64_t address)
{
    uint32_t low = 0, high = bound->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (bound->list[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* --- resources that share memory --- */

/* True if the texels of two images are the same: "created with identical creation parameters [...]
 * VK_IMAGE_CREATE_ALIAS_BIT [...] bound identically to memory". */
static bool are_identical(const struct image *a, const struct image *b)
{
    return a->flags & VK_IMAGE_CREATE_ALIAS_BIT && a->flags == b->flags && a->type == b->type &&
           a->format == b->format && a->extent.width == b->extent.width &&
           a->extent.height == b->extent.height && a->extent.depth == b->extent.depth &&
           a->mip_levels == b->mip_levels && a->array_layers == b->array_layers &&
           a->samples == b->samples && a->tiling == b->tiling && a->usage == b->usage &&
           a->stencil_usage == b->stencil_usage && a->drm_modifier == b->drm_modifier &&
           a->binding[0].memory == b->binding[0].memory &&
           a->binding[0].offset == b->binding[0].offset;
}

/* True if an access to the image counts as one to all of its memory. */
static bool image_is_opaque(const struct image *image)
{
    return image->tiling == VK_IMAGE_TILING_OPTIMAL;
}

/* Notes that a resource lies where another one does. `image` is NULL for a buffer. Two buffers need
 * no note, as both lie in the memory's space. */
static void bound_resource_meet(struct device_memory *memory, struct image *image,
                                const struct bound_resource *other)
{
    struct image *older = object_id_type(other->id) == HANDLE_IMAGE ? image_by_id(other->id) : NULL;
    if (image && older && are_identical(image, older)) {
        sync_in_image(image)->space = image_space(older);
        return;
    }
    if (image && image_is_opaque(image))
        atomic_store_explicit(&sync_in_image(image)->shares, true, memory_order_relaxed);
    if (!older || !image_is_opaque(older) || image_shares_memory(older))
        return;
    atomic_store_explicit(&sync_in_image(older)->shares, true, memory_order_relaxed);
    uint32_t now = atomic_fetch_add_explicit(&shared_count, 1, memory_order_release) + 1;
    atomic_store_explicit(&sync_in_memory(memory)->shared_since, now, memory_order_relaxed);
}

/* Finds the resources of a list that have memory in common with a new one. The list's `longest`
 * bounds how far before it they may begin. */
static void meet_list(struct device_memory *memory, uint32_t list, struct image *image,
                      const struct bound_resource *resource) REQUIRES(locks[list].lock)
{
    assert(list < BOUND_LISTS);
    const struct bound_resources *bound =
        atomic_load_explicit(&sync_in_memory(memory)->bound[list], memory_order_acquire);
    if (!bound)
        return;
    uint64_t from = resource->begin > bound->longest ? resource->begin - bound->longest : 0;
    for (uint32_t i = from ? first_after(bound, from) : 0;
         i < bound->count && bound->list[i].begin < resource->end; i++) {
        if (bound->list[i].end > resource->begin && bound_resource_lives(&bound->list[i]))
            bound_resource_meet(memory, image, &bound->list[i]);
    }
}

/* Adds the resource to the sorted list. If memory is out, it is missing, and an image that shares
 * memory with it seems to be alone. */
static void bound_resource_insert(struct device_memory *memory, uint32_t list,
                                  const struct bound_resource *resource) REQUIRES(locks[list].lock)
{
    assert(list < BOUND_LISTS);
    struct bound_resources *bound = bound_resources_make_room(memory, list);
    if (!bound)
        return;
    uint32_t place = first_after(bound, resource->begin);
    memmove(&bound->list[place + 1], &bound->list[place],
            (bound->count - place) * sizeof(bound->list[0]));
    bound->list[place] = *resource;
    bound->count++;
    if (resource->end - resource->begin > bound->longest)
        bound->longest = resource->end - resource->begin;
}

/* If two threads bind a buffer and an image at the same time, one of the threads notices that they
 * meet. The image is in its list before its thread takes the lock of the buffer's list. If that is
 * after the buffer was put there, the image's thread finds it. If it is before, the buffer's
 * thread, which took that lock later, sees that the memory has images. */
static void add_buffer(struct device_memory *memory, const struct bound_resource *resource)
{
    uint32_t list = 1 + thread_number() % (BOUND_LISTS - 1);
    lock_take(&locks[list].lock);
    bound_resource_insert(memory, list, resource);
    lock_release(&locks[list].lock);
    if (!atomic_load_explicit(&sync_in_memory(memory)->bound[IMAGES], memory_order_acquire))
        return;
    lock_take(&locks[IMAGES].lock);
    meet_list(memory, IMAGES, NULL, resource);
    lock_release(&locks[IMAGES].lock);
}

/* Compares an image with all lists, and adds it to the list of images. Locks are taken in the order
 * of their numbers. */
static void bound_image_add(struct device_memory *memory, struct image *image,
                            const struct bound_resource *resource)
{
    lock_take(&locks[IMAGES].lock);
    meet_list(memory, IMAGES, image, resource);
    bound_resource_insert(memory, IMAGES, resource);
    for (uint32_t list = IMAGES + 1; list < BOUND_LISTS; list++) {
        lock_take(&locks[list].lock);
        meet_list(memory, list, image, resource);
        lock_release(&locks[list].lock);
    }
    lock_release(&locks[IMAGES].lock);
}

/* Returns the memory of a binding if several resources may be bound to it. NULL: it is dedicated to
 * one, or freed, or the resource is sparse. */
static struct device_memory *memory_sharable(const struct memory_binding *binding)
{
    struct device_memory *memory = binding->memory ? device_memory_by_id(binding->memory) : NULL;
    return memory && !memory->dedicated_buffer && !memory->dedicated_image ? memory : NULL;
}

/* True if the binding is for a device group, whose other devices may use other memory. */
static bool is_for_device_group(const void *chain)
{
    return chain_find(chain, VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_DEVICE_GROUP_INFO) ||
           chain_find(chain, VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_DEVICE_GROUP_INFO);
}

/* Notes where a buffer lies in its memory. Sparse buffers have no known place. */
static void bind_buffer(const struct call *call, VkBuffer handle, const void *chain)
{
    const struct buffer *buffer = find_buffer(call, handle);
    struct device_memory *memory = buffer ? memory_sharable(&buffer->binding) : NULL;
    if (!memory || is_for_device_group(chain) ||
        buffer->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT)
        return;
    uint64_t begin = buffer->binding.offset;
    add_buffer(memory, &(struct bound_resource){begin, begin + buffer->size,
                                                object_state_id(&buffer->base)});
}

/* An image that the program bound to a swapchain's memory has the space of the swapchain's own
 * image. */
static void bind_to_swapchain(struct image *image)
{
    const struct swapchain *swapchain = swapchain_by_id(image->swapchain);
    const struct image *shown =
        swapchain ? swapchain_find_image(swapchain, image->swapchain_index) : NULL;
    if (shown && shown != image)
        sync_in_image(image)->space = object_state_id(&shown->base);
}

/* Notes where an image lies in its memory, if another resource may lie there as well. */
static void bind_image(const struct call *call, VkImage handle, const void *chain)
{
    struct image *image = find_image(call, handle);
    if (!image || sync_in_image(image)->memory_size || sync_in_image(image)->space ||
        image->from_swapchain)
        return;
    if (image->swapchain)
        return bind_to_swapchain(image);
    struct device_memory *memory = memory_sharable(&image->binding[0]);
    if (!memory || is_for_device_group(chain) || image_is_sparse(image) || image_is_disjoint(image))
        return;
    uint64_t begin = image->binding[0].offset, size = image_requirements(call->device, image).size;
    if (!size || begin + size < begin)
        return;
    sync_in_image(image)->memory_size = size;
    bound_image_add(memory, image,
                    &(struct bound_resource){begin, begin + size, object_state_id(&image->base)});
}

/* Counts the live resources of a list that meet the range. Lock: of the list. */
static uint32_t count_in(const struct bound_resources *bound, uint64_t begin, uint64_t end)
{
    uint32_t count = 0;
    for (uint32_t i = 0; bound && i < bound->count && bound->list[i].begin < end; i++)
        count += bound->list[i].end > begin && bound_resource_lives(&bound->list[i]);
    return count;
}

bool sync_buffer_is_alone(const struct buffer *buffer)
{
    struct device_memory *memory = memory_sharable(&buffer->binding);
    uint64_t begin = buffer->binding.offset, end = begin + buffer->size;
    uint32_t count = 0;
    if (!memory) /* dedicated, or freed */
        return device_memory_by_id(buffer->binding.memory) != NULL;
    for (uint32_t list = 0; list < BOUND_LISTS; list++) {
        lock_take(&locks[list].lock);
        count += count_in(atomic_load_explicit(&sync_in_memory(memory)->bound[list],
                                               memory_order_acquire),
                          begin, end);
        lock_release(&locks[list].lock);
    }
    return count == 1; /* only the buffer itself */
}

/* These hooks run after the state tracker's, which notes bindings that have succeeded. */
void sync_after_BindBufferMemory(struct call *call, VkDevice device, VkBuffer buffer,
                                 VkDeviceMemory memory, VkDeviceSize memoryOffset)
{
    if (call->result == VK_SUCCESS)
        bind_buffer(call, buffer, NULL);
}

void sync_after_BindBufferMemory2(struct call *call, VkDevice device, uint32_t bindInfoCount,
                                  const VkBindBufferMemoryInfo *pBindInfos)
{
    for (uint32_t i = 0; i < bindInfoCount; i++)
        bind_buffer(call, pBindInfos[i].buffer, pBindInfos[i].pNext);
}

void sync_after_BindImageMemory(struct call *call, VkDevice device, VkImage image,
                                VkDeviceMemory memory, VkDeviceSize memoryOffset)
{
    if (call->result == VK_SUCCESS)
        bind_image(call, image, NULL);
}

void sync_after_BindImageMemory2(struct call *call, VkDevice device, uint32_t bindInfoCount,
                                 const VkBindImageMemoryInfo *pBindInfos)
{
    for (uint32_t i = 0; i < bindInfoCount; i++)
        bind_image(call, pBindInfos[i].image, pBindInfos[i].pNext);
}

/* --- command buffers that were recorded before an image shared its memory --- */

/* Forgets the accesses to memory objects in which an image was found to share memory since the
 * recording began. */
static void forget_in(struct sync_context *context, const struct sync_view *view, uint32_t since)
{
    for (uint32_t i = 0; i < view->space_capacity; i++) {
        struct sync_space *space = view->spaces[i];
        const struct device_memory *memory =
            space && object_id_type(space->id) == HANDLE_DEVICE_MEMORY
                ? device_memory_by_id(space->id)
                : NULL;
        if (memory && atomic_load_explicit(&sync_in_memory(memory)->shared_since,
                                           memory_order_relaxed) > since)
            range_map_init(&space->map, &context->arena);
    }
}

void sync_aliases_forget(struct sync_context *context, uint32_t since)
{
    forget_in(context, &context->root, since);
    for (uint32_t i = 0; context->graph && i <= context->subpass; i++)
        forget_in(context, &context->subpasses[i], since);
}
