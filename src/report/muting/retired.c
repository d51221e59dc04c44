/* Keeps the names of objects that were destroyed. */
#include "report/muting/retired.h"

void retired_init(struct retired_ring *ring)
{
    *ring = (struct retired_ring){0};
    lock_init(&ring->lock);
}

void retired_free(struct retired_ring *ring)
{
    lock_unneeded(&ring->lock);
    for (uint32_t i = 0; ring->objects && i < RETIRED_LIMIT; i++)
        mem_free(ring->objects[i].name);
    mem_free(ring->objects);
    lock_destroy(&ring->lock);
}

void retired_fork_child(struct retired_ring *ring)
{
    if (lock_try(&ring->lock))
        lock_release(&ring->lock);
    else
        retired_init(ring);
}

void retired_add(struct retired_ring *ring, uint64_t handle, enum handle_type type, char *name,
                 const void *destroyer)
{
    assert(name);
    lock_take(&ring->lock);
    if (!ring->objects)
        ring->objects = mem_alloc_zeroed(RETIRED_LIMIT * sizeof(*ring->objects));
    char *old = name;
    if (ring->objects) {
        struct retired_object *place = &ring->objects[ring->count++ % RETIRED_LIMIT];
        old = place->name;
        *place = (struct retired_object){handle, type, name, destroyer};
    }
    lock_release(&ring->lock);
    mem_free(old);
}

bool retired_find(struct retired_ring *ring, uint64_t handle, enum handle_type type,
                  struct retired_object *found)
{
    assert(found);
    *found = (struct retired_object){0};
    lock_take(&ring->lock);
    for (uint64_t i = 1; ring->objects && i <= ring->count && i <= RETIRED_LIMIT; i++) {
        const struct retired_object *object = &ring->objects[(ring->count - i) % RETIRED_LIMIT];
        if (object->handle != handle || object->type != type)
            continue;
        *found = *object;
        found->name = mem_copy_string(object->name);
        break;
    }
    lock_release(&ring->lock);
    return found->name != NULL;
}
