/* Checks that a handle is alive, of the type that it is passed as, and of this device or instance.
 * Each check is one lookup; the other functions report a wrong handle. This room does not check
 * VK_NULL_HANDLE. Threads: that of the call. Fields of other objects are read as their own comments
 * allow. */
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

/* Does the same for an object that was looked up before, which may be NULL, and for
 * call->named[which]. */
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

/* Does the same for an object of the instance. */
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

/* Finds the live object of `handle`, of any device or instance. If several share the handle, one of
 * the call's own device is preferred. */
static inline struct object *find_of_anybody(const struct call *call, uint64_t handle,
                                             enum handle_type type)
{
    return object_find(call->wraps, handle, type, call->owner);
}

/* True if the live object `handle` came from the pool `pool`. Also true when one of the two is not
 * known or they belong to different devices: another check reports that. */
bool comes_from(const struct call *call, uint64_t handle, enum handle_type type, uint64_t pool,
                enum handle_type pool_type);
/* Does the same for an object that was looked up before, and the pool call->named[which]. */
static inline bool comes_from_named(const struct call *call, const struct object *object,
                                    uint32_t which)
{
    const struct object *pool = call->named[which].object;
    return !object || !pool || object->owner != pool->owner ||
           object->parent == (uint32_t)(pool - object_slots);
}

/* Reports a handle that was never created, is destroyed, or is of another type (rule `alive`). Also
 * reports one of another device or instance (rule `parent`). Marks the call as one that must not
 * reach the driver. Reports nothing when nothing can be proved. */
bool lifetimes_report(struct call *call, uint64_t handle, enum handle_type type, enum vuid alive,
                      enum vuid parent, const struct location *where) COLD;

/* Reports that a handle is VK_NULL_HANDLE where the driver reads it; else as lifetimes_report(). */
bool lifetimes_report_null(struct call *call, enum vuid vuid, const struct location *where) COLD;

/* Reports that `handle` was freed through another pool than the one that it came from. */
bool lifetimes_report_pool(struct call *call, uint64_t handle, enum handle_type type,
                           enum vuid parent, const struct location *where) COLD;

/* Checks a 64-bit handle whose type another parameter gives. HANDLE_NONE: the registry does not
 * know that type. */
bool lifetimes_typed(struct call *call, uint64_t handle, enum handle_type type, enum vuid alive,
                     enum vuid parent, const struct location *where);

/* Checks the handles in the memory that an update through the template `handle` reads. `set` is
 * VK_NULL_HANDLE for push descriptors. Findings have the ids that they have for
 * VkWriteDescriptorSet. */
bool lifetimes_template_data(struct call *call, VkDescriptorUpdateTemplate handle,
                             VkDescriptorSet set, const void *data, const struct location *where);

#endif
