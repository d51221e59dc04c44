/* Checks that a handle is alive, of the type that it is passed as, and of this device or instance.
 * That is one lookup each; the rest of the file words the message when it is not. VK_NULL_HANDLE is
 * not checked in this room. Threads: that of the call. Fields of other objects are read as their
 * own comments allow. */
#ifndef ASSAY_LIFETIMES_HANDLE_H
#define ASSAY_LIFETIMES_HANDLE_H

#include "objects/device.h"
#include "report/finding/finding.h"

/* True if the call's device knows `handle` as a live object of `type`. */
static ALWAYS_INLINE bool device_knows(const struct call *call, uint64_t handle,
                                       enum handle_type type)
{
    const struct object *object = object_find(call->wraps, handle, type, call->owner);
    return likely(object && object->owner == call->owner) || !call->device;
}

/* The same for an object that was looked up before, or NULL; and for call->named[which]. */
static ALWAYS_INLINE bool device_owns(const struct call *call, const struct object *object)
{
    return likely(object && object->owner == call->owner) || !call->device;
}

static ALWAYS_INLINE bool device_knows_named(const struct call *call, uint32_t which)
{
    return device_owns(call, call->named[which].object);
}

static inline bool device_knows_dispatchable(const struct call *call, const void *handle,
                                             enum handle_type type)
{
    const struct object *object = object_find_dispatchable(handle, type);
    return object && (!call->device || object->owner == call->owner);
}

/* The same for an object of the instance. */
static inline bool instance_knows(const struct call *call, uint64_t handle, enum handle_type type)
{
    const struct object *object = object_find(call->wraps, handle, type, call->instance->owner);
    return object && object->owner == call->instance->owner;
}

static inline bool instance_knows_dispatchable(const struct call *call, const void *handle,
                                               enum handle_type type)
{
    const struct object *object = object_find_dispatchable(handle, type);
    return object && object->owner == call->instance->owner;
}

/* The live object that `handle` names, of any device or instance; an object of the call's own
 * device if several share the handle. */
static inline struct object *find_of_anybody(const struct call *call, uint64_t handle,
                                             enum handle_type type)
{
    return object_find(call->wraps, handle, type, call->owner);
}

/* True if the live object `handle` came from the pool `pool`. True, too, when one of the two is not
 * known or they belong to different devices: that is another finding. */
bool comes_from(const struct call *call, uint64_t handle, enum handle_type type, uint64_t pool,
                enum handle_type pool_type);
/* The same for an object that was looked up before, and the pool call->named[which]. */
static inline bool comes_from_named(const struct call *call, const struct object *object,
                                    uint32_t which)
{
    const struct object *pool = call->named[which].object;
    return !object || !pool || object->owner != pool->owner ||
           object->parent == (uint32_t)(pool - object_slots);
}

/* Reports that `handle` is not what it is passed as: never created, destroyed, or of another type
 * (rule `alive`). Or it is of another device or instance (rule `parent`). Marks the call as one
 * that must not reach the driver. Silent when nothing can be proved. */
bool lifetimes_report(struct call *call, uint64_t handle, enum handle_type type, enum vuid alive,
                      enum vuid parent, const struct location *where) COLD;

/* Reports that a handle is VK_NULL_HANDLE where the driver reads it; else as lifetimes_report(). */
bool lifetimes_report_null(struct call *call, enum vuid vuid, const struct location *where) COLD;

/* Reports that `handle` was freed through another pool than the one that it came from. */
bool lifetimes_report_pool(struct call *call, uint64_t handle, enum handle_type type,
                           enum vuid parent, const struct location *where) COLD;

/* A 64-bit handle whose type another parameter tells; HANDLE_NONE when that parameter does not have
 * a type that the registry knows. */
bool lifetimes_typed(struct call *call, uint64_t handle, enum handle_type type, enum vuid alive,
                     enum vuid parent, const struct location *where);

/* The handles in the memory that an update through the template `handle` reads; `set` is
 * VK_NULL_HANDLE for push descriptors. Faults have the ids that they have in VkWriteDescriptorSet.
 */
bool lifetimes_template_data(struct call *call, VkDescriptorUpdateTemplate handle,
                             VkDescriptorSet set, const void *data, const struct location *where);

#endif
