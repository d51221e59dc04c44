/* What is left, and with which allocator, when something is destroyed? */
#include "lifetimes/destroy.h"

#include <inttypes.h>
#include <string.h>

#include "report/caller.h"

/* Leaked objects of one type that get a finding each; the others are counted in one more. A program that forgets one
 * object a frame would otherwise drown everything else. */
#define LEAKS_PER_TYPE 5

bool lifetimes_allocator(struct call *call, uint64_t handle, enum handle_type type, bool has_allocator, enum vuid with,
                         enum vuid without)
{
    const struct object *object = handle_type_dispatchable[type]
                                      ? object_find_dispatchable((const void *)(uintptr_t)handle, type)
                                      : find_of_anybody(call, handle, type);
    if (!object)
        return false;
    bool had_allocator = atomic_load_explicit(&object->flags, memory_order_relaxed) & OBJECT_HAS_ALLOCATOR;
    if (likely(had_allocator == has_allocator))
        return false;
    if (had_allocator)
        return finding(call, with, &LOCATION(NULL, "pAllocator"), OBJECT(type, handle),
                       "is NULL, but the %s was created with VkAllocationCallbacks", handle_type_name[type]);
    return finding(call, without, &LOCATION(NULL, "pAllocator"), OBJECT(type, handle),
                   "is not NULL, but the %s was created without VkAllocationCallbacks", handle_type_name[type]);
}

struct leaks {
    struct call *call;
    enum vuid vuid;
    bool skip;
    uint32_t count[HANDLE_TYPE_COUNT];
};

/* Freed with its pool or swapchain. */
static bool dies_with_parent(const struct object *object, enum handle_type type)
{
    if (type == HANDLE_COMMAND_BUFFER || type == HANDLE_DESCRIPTOR_SET)
        return true;
    return type == HANDLE_IMAGE && object->parent && object_type(&object_slots[object->parent]) == HANDLE_SWAPCHAIN_KHR;
}

static void add_leak(struct object *object, void *context)
{
    struct leaks *leaks = context;
    enum handle_type type = object_type(object);
    if (!lifetimes_leakable[type] || object == leaks->call->object || dies_with_parent(object, type))
        return;
    if (++leaks->count[type] > LEAKS_PER_TYPE)
        return;
    const struct caller_text creator = caller_text(object->creator);
    leaks->skip |= finding(leaks->call, leaks->vuid, NULL, OBJECT(type, object_handle(object)),
                           "%s 0x%" PRIx64 " is still alive; it was created by %s", handle_type_name[type], object_handle(object),
                           creator.text);
}

static void count_the_rest(struct leaks *leaks)
{
    for (int type = 0; type < HANDLE_TYPE_COUNT; type++) {
        if (leaks->count[type] > LEAKS_PER_TYPE)
            leaks->skip |= finding(leaks->call, leaks->vuid, NULL, NULL, "%" PRIu32 " more objects of type %s are still alive",
                                   leaks->count[type] - LEAKS_PER_TYPE, handle_type_name[type]);
    }
}

bool lifetimes_device_leaks(struct call *call)
{
    if (!call->object || !call->device)
        return false;
    struct leaks leaks = {.call = call, .vuid = VUID_vkDestroyDevice_device_05137};
    object_for_each_owned(call->device->owner, add_leak, &leaks);
    count_the_rest(&leaks);
    return leaks.skip;
}

bool lifetimes_instance_leaks(struct call *call)
{
    if (!call->object || !call->instance)
        return false;
    struct leaks leaks = {.call = call, .vuid = VUID_vkDestroyInstance_instance_00629};
    object_for_each_owned(call->instance->owner, add_leak, &leaks);
    for (uint32_t index = 1; index <= UINT16_MAX; index++) {
        const struct device *device = owner_device((uint16_t)index);
        if (device && device->instance == call->instance && device->object)
            add_leak(device->object, &leaks);
    }
    count_the_rest(&leaks);
    return leaks.skip;
}
