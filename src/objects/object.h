/* Every Vulkan object that the program can name has one slot in a table. One lookup finds whether a
 * handle is alive, its type, its owner, and the driver's handle for it.
 *
 * With handle wrapping (`unique_handles`, the default) a non-dispatchable handle is an id,
 * `index:32 | generation:24 | type:8`. The lookup is one bounds check, one load and one compare.
 * Dispatchable handles, and all handles without wrapping, are the driver's own and are found
 * through a lock-free hash table whose chains run through the slots.
 *
 * Slots are never unmapped, and a slot's generation grows with each use. So a stale id cannot find
 * a newer object, and a pointer to a slot may always be read. (It may then belong to another
 * object; compare `id`.) */
#ifndef ASSAY_OBJECTS_OBJECT_H
#define ASSAY_OBJECTS_OBJECT_H

#include <stdatomic.h>

#include "base/base.h"
#include "base/thread.h"
#include "vk/handle_types.h" /* generated: enum handle_type */
#include "vk/vulkan.h"

struct device;
struct instance;

enum object_flags {
    OBJECT_HAS_ALLOCATOR = 1 << 0, /* created with a VkAllocationCallbacks */
    OBJECT_HAS_NAME = 1 << 1,      /* report/names/names.c knows a debug name */
    OBJECT_WRAPPED = 1 << 6,       /* the program sees the id, not the driver's handle */
    OBJECT_HASHED = 1 << 3,        /* its driver handle is in the hash table */
    OBJECT_CHILD = 1 << 4,     /* in its parent's list of children. Lock: children_lock(parent) */
    OBJECT_SECONDARY = 1 << 5, /* a command buffer of level secondary */
    /* for src/state: descriptors may refer to the object, or to an object that was made from it */
    OBJECT_DESCRIBED = 1 << 7,
};

/* One cache line. Threads: fields without a note are written before the object is published and not
 * after. */
struct object {
    /* index:32 | generation:24 | type:8; type 0 while the slot is free. Release on publish */
    _Atomic uint64_t id;
    /* the driver's handle; relaxed (chains are walked while slots are reused), ordered by `id` */
    _Atomic uint64_t driver;
    /* state of the room that tracks this type; NULL: no room does, or out of memory */
    void *state;
    /* mark of the call that needs the object for itself now, or the thread of the last such call
     * (chassis/mark.h); relaxed */
    _Atomic uint64_t user;
    /* return address of the call that created it; after it is retired, of the call that destroyed
     * it (object_find_destroyer). Relaxed */
    const void *_Atomic creator;
    /* slot index of the pool, swapchain, device ... that it came from; 0 = none. Atomic for the
     * same reason as `owner` */
    _Atomic uint32_t parent;
    /* next slot in the hash chain, or in a list of free slots. Lock: that of the bucket or the
     * list */
    _Atomic uint32_t hash_next;
    /* slot of a pool's or swapchain's first child. Lock: children_lock(parent) */
    uint32_t child_first;
    uint32_t sibling_next; /* Lock: children_lock(parent) */
    uint32_t sibling_prev; /* Lock: children_lock(parent) */
    /* index of the device or instance in the table of owners. Atomic because walks over all slots
     * meet some that are being reused */
    _Atomic uint16_t owner;
    _Atomic uint8_t flags; /* enum object_flags */
    /* type that the object had; written by object_retire for object_release */
    uint8_t retired_type;
};
static_assert(sizeof(struct object) == 64, "one cache line");

/* The largest value of object::user with which no call needs the object for itself. */
#define USER_IS_GONE UINT16_MAX

static inline uint32_t object_index(uint64_t id)
{
    return (uint32_t)(id >> 32);
}

static inline enum handle_type object_id_type(uint64_t id)
{
    return (enum handle_type)(id & 0xff);
}

/* HANDLE_NONE once the object is retired. */
static inline enum handle_type object_type(const struct object *object)
{
    return object_id_type(atomic_load_explicit(&object->id, memory_order_acquire));
}

static inline uint64_t object_driver(const struct object *object)
{
    return atomic_load_explicit(&object->driver, memory_order_relaxed);
}

static inline bool object_has(const struct object *object, enum object_flags flag)
{
    return (atomic_load_explicit(&object->flags, memory_order_relaxed) & flag) != 0;
}

/* The table. `object_slots` is reserved address space, committed on first use; `object_limit`
 * grows. */
extern HIDDEN struct object *object_slots;
/* every index below it was handed out at least once */
extern HIDDEN _Atomic uint32_t object_limit;

/* Sets the table up at the first instance. False when no address space could be reserved. */
bool object_table_init(void) MUST_CHECK;

/* True if the slot is that of the live object with this id. The acquire pairs with the release that
 * publishes the object. On x86 a fence lets the compiler compare with memory, at no cost; TSan does
 * not know fences. */
static ALWAYS_INLINE bool object_is(const struct object *object, uint64_t id)
{
#if defined(__x86_64__) && !THREAD_SANITIZER
    if (unlikely(atomic_load_explicit(&object->id, memory_order_relaxed) != id))
        return false;
    atomic_thread_fence(memory_order_acquire);
    return true;
#else
    return likely(atomic_load_explicit(&object->id, memory_order_acquire) == id);
#endif
}

/* Returns the live object that the program means by `handle`. NULL: it was never created, is
 * destroyed, or has another type. `wrapped` is the device's (or instance's) `wrap_handles`.
 * Threads: any; lock-free. The limit is loaded without order: the id orders the contents of a slot,
 * and a slot that was made accessible is accessible to all threads. */
static ALWAYS_INLINE struct object *object_find_id(uint64_t handle, enum handle_type type)
{
    uint32_t index = object_index(handle);
    if (unlikely(index >= atomic_load_explicit(&object_limit, memory_order_relaxed) ||
                 (handle & 0xff) != (uint64_t)type))
        return NULL;
    struct object *object = &object_slots[index];
    if (unlikely(!object_is(object, handle)))
        return NULL;
    if (!object) /* a hint for the compiler, so that callers do not test the result again */
        __builtin_unreachable();
    return object;
}
/* Finds an object by the driver's handle. If several share it, one of `owner` is preferred.
 * Lock-free except under contention. */
struct object *object_find_driver(uint64_t handle, enum handle_type type, uint16_t owner);

/* Reads the state of an object that was found by the driver's handle. Its slot may belong to
 * another object by now, so the id is read before and after. False: the object is gone. */
bool object_read_state(const struct object *object, uint64_t driver, enum handle_type type,
                       void **state) MUST_CHECK;

static ALWAYS_INLINE struct object *object_find(bool wrapped, uint64_t handle,
                                                enum handle_type type, uint16_t owner)
{
    return likely(wrapped && !handle_type_is_dispatchable(type))
               ? object_find_id(handle, type)
               : object_find_driver(handle, type, owner);
}

/* Returns the entry of a dispatchable handle in the thread's cache. Types that a thread uses in
 * turn (command buffers, a queue, a device) have their own entries. Handles are addresses: those of
 * one driver differ in few of their low bits. */
static ALWAYS_INLINE uint32_t object_cache_entry(uint64_t handle, enum handle_type type)
{
    switch (type) {
    case HANDLE_COMMAND_BUFFER:
        return (uint32_t)(handle >> 6 ^ handle >> 12) % 4;
    case HANDLE_DEVICE:
        return 4;
    case HANDLE_QUEUE:
        return 5 + (uint32_t)(handle >> 6) % 2;
    default:
        return 7;
    }
}
static_assert(THREAD_CACHE_ENTRIES == 8, "as object_cache_entry deals them out");

/* Finds a dispatchable handle's object, through the thread's cache. NULL when unknown. */
struct object *object_find_dispatchable_slow(uint64_t handle, enum handle_type type);
/* Sets `id` to the object's id, if an object was found. */
static ALWAYS_INLINE struct object *object_find_dispatchable_id(const void *handle,
                                                                enum handle_type type, uint64_t *id)
{
    uint64_t key = (uint64_t)(uintptr_t)handle;
    const struct object *object = thread_self()->dispatchable[object_cache_entry(key, type)];
    /* The id, which contains the type, is read first. The acquire pairs with the release that
     * publishes an object, so that `driver` belongs to that object. */
    if (likely(object &&
               object_id_type(*id = atomic_load_explicit(&object->id, memory_order_acquire)) ==
                   type &&
               object_driver(object) == key))
        return (struct object *)object;
    object = object_find_dispatchable_slow(key, type);
    if (object)
        *id = atomic_load_explicit(&object->id, memory_order_acquire);
    return (struct object *)(object && object_id_type(*id) == type ? object : NULL);
}

static ALWAYS_INLINE struct object *object_find_dispatchable(const void *handle,
                                                             enum handle_type type)
{
    uint64_t id;
    return object_find_dispatchable_id(handle, type, &id);
}

/* The facts that object_create needs. */
struct object_create_info {
    enum handle_type type;
    uint64_t driver; /* not VK_NULL_HANDLE */
    uint16_t owner;  /* owner_index() of the device or instance */
    bool wrapped;    /* the program gets an id; not for dispatchable types */
    bool has_allocator;
    bool child_of_parent; /* destroyed with its parent: pool or swapchain */
    /* a wrapped handle that the driver may return again: swapchain images, displays */
    bool findable_by_driver;
    struct object *parent; /* may be NULL */
    const void *creator;   /* return address */
};

/* Takes a slot and publishes it. NULL when no slot is left: the program then gets the driver's
 * handle. `object_table_degraded()` is true from then on (an unknown handle is no longer proof of
 * an error). */
struct object *object_create(const struct object_create_info *info) MUST_CHECK;
/* Like object_create, but returns the object that already exists for this driver handle, type and
 * owner, if any. It is for handles that are queried, not created: queues, physical devices,
 * displays, swapchain images. */
struct object *object_create_or_find(const struct object_create_info *info) MUST_CHECK;
/* Gives the driver's new handle an object, and returns the handle for the program (VK_NULL_HANDLE
 * stays). With findable_by_driver the handle is queried, not created: the same one again gives the
 * same object. */
uint64_t creation_adopt(struct object_create_info *info, uint64_t driver);
/* Returns the handle that the program sees. */
uint64_t object_handle(const struct object *object);
/* Returns the driver handle of an object that is retired and not yet released. */
uint64_t object_retired_handle(const struct object *object);
/* Returns the caller that was given to object_retire_by, or NULL. Threads: the one that retired the
 * object, until it releases it. */
const void *object_retired_by(const struct object *object);
/* Returns the caller that destroyed the object with this id, as long as its slot has had no other
 * object since. NULL: it is not known. Threads: any. */
const void *object_find_destroyer(uint64_t id);
bool object_table_degraded(void);

/* Destruction has two steps. retire: no lookup finds the object any more. It comes before the call
 * down, as the driver may reuse the handle at once. release: the slot may be reused. It comes after
 * the last hook has seen the object. retire returns false when another thread was first. After
 * retire the object's id, which findings name, is gone. */
bool object_retire_by(struct object *object,
                      /* the program's return address, kept for findings; or NULL */
                      const void *caller) MUST_CHECK;
static inline bool MUST_CHECK object_retire(struct object *object)
{
    return object_retire_by(object, NULL);
}
void object_release(struct object *object);

/* object_release calls it once for an object with state or a name. The chassis sets it before the
 * first object exists. Relaxed: every instance sets the same value. */
typedef void (*object_destroy_function)(struct object *object, enum handle_type type);
extern _Atomic(object_destroy_function) object_state_destroy;

/* Calls `visit` for each child (an object created with child_of_parent). The visitor may retire and
 * release it. */
void object_for_each_child(struct object *parent,
                           void (*visit)(struct object *child, void *context), void *context);

/* Takes or releases the table's locks. In the child it also ends what other threads were doing at
 * that moment: changes of chains and uses of objects. Threads: chassis/fork.c. */
void object_fork(enum fork_step step);

/* Calls `visit` for each live object whose owner is `owner`; used at vkDestroyDevice and
 * vkDestroyInstance. */
void object_for_each_owned(uint16_t owner, void (*visit)(struct object *object, void *context),
                           void *context);

/* Calls `visit` for each live device of the instance whose object is `instance`. */
void object_for_each_device(const struct object *instance,
                            void (*visit)(struct object *device, void *context), void *context);

#endif
