/* Checks that a device or instance has no objects left when it is destroyed. Also checks that an
 * object's allocator is the one that created it. */
#include "lifetimes/destroy.h"

#include <inttypes.h>

#include "base/string_builder.h"
#include "report/finding/rule.h"
#include "report/sink/caller.h"

/* The number of leaked objects that a finding names; further objects of the type are only counted.
 * It is the size of a finding's list of objects. */
#define LEAKS_NAMED 4
static_assert(LEAKS_NAMED == ARRAY_LENGTH(((struct finding_objects *)0)->list),
              "all that a finding can list");

bool lifetimes_allocator(struct call *call, uint64_t handle, enum handle_type type,
                         bool has_allocator, enum vuid with, enum vuid without)
{
    assert(type > HANDLE_NONE && type < HANDLE_TYPE_COUNT);
    const struct object *object =
        handle_type_is_dispatchable(type)
            ? object_find_dispatchable((const void *)(uintptr_t)handle, type)
            : find_of_anybody(call, handle, type);
    if (!object)
        return false;
    /* 11.1: an object that was created with an allocator is destroyed with a compatible one; only
     * its presence can be compared. */
    bool had_allocator =
        atomic_load_explicit(&object->flags, memory_order_relaxed) & OBJECT_HAS_ALLOCATOR;
    if (likely(had_allocator == has_allocator))
        return false;
    if (had_allocator)
        return finding(call, with, &LOCATION(NULL, "pAllocator"), OBJECT(type, handle),
                       "is NULL, but the %s was created with VkAllocationCallbacks",
                       handle_type_name[type]);
    return finding(call, without, &LOCATION(NULL, "pAllocator"), OBJECT(type, handle),
                   "is not NULL, but the %s was created without VkAllocationCallbacks",
                   handle_type_name[type]);
}

/* The objects of one device or instance that are alive, by type. */
struct leaks {
    const struct call *call;
    struct {
        uint32_t count;
        const struct object *first[LEAKS_NAMED];
    } types[HANDLE_TYPE_COUNT];
};

/* True for images that vkGetSwapchainImagesKHR has returned. */
static bool is_of_swapchain(const struct object *object)
{
    return object->parent && object_type(&object_slots[object->parent]) == HANDLE_SWAPCHAIN_KHR;
}

bool lifetimes_swapchain_image(struct call *call, uint64_t image)
{
    const struct object *object = image ? find_of_anybody(call, image, HANDLE_IMAGE) : NULL;
    if (likely(!object || !is_of_swapchain(object)))
        return false;
    /* The driver would free the image now, and again with the swapchain. */
    call->dead_handle = true;
    return BROKEN_BY(call, VUID_vkDestroyImage_image_04882, &LOCATION(NULL, "image"),
                     OBJECT(HANDLE_IMAGE, image),
                     "belongs to a swapchain, and is destroyed with it; the call does not "
                     "reach the driver");
}

/* True for objects that are freed with their pool or swapchain, and are not leaked by
 * themselves. */
static bool dies_with_parent(const struct object *object, enum handle_type type)
{
    if (type == HANDLE_COMMAND_BUFFER || type == HANDLE_DESCRIPTOR_SET)
        return true;
    return type == HANDLE_IMAGE && is_of_swapchain(object);
}

/* Notes an object that is still alive, for object_for_each_owned(). `context`: struct leaks. */
static void add_leak(struct object *object, void *context)
{
    assert(object_type(object) < HANDLE_TYPE_COUNT);
    struct leaks *leaks = context;
    enum handle_type type = object_type(object);
    if (!lifetimes_leakable[type] || object == leaks->call->object ||
        dies_with_parent(object, type))
        return;
    /* All objects are counted, and the first ones are also kept by name. */
    uint32_t nth = leaks->types[type].count++;
    if (nth < LEAKS_NAMED)
        leaks->types[type].first[nth] = object;
}

/* Reports the objects of one type that were not destroyed, the first of them by name. Returns
 * whether to skip the call. */
static bool report_type(const struct leaks *leaks, enum handle_type type, enum vuid vuid)
{
    assert(leaks->types[type].count);
    uint32_t count = leaks->types[type].count;
    uint32_t named = count < LEAKS_NAMED ? count : LEAKS_NAMED;
    struct finding_objects objects = {.count = named};
    char buffer[1024];
    struct string_builder list;
    string_builder_begin(&list, buffer, sizeof(buffer));
    /* Each is listed with the call that created it: leaks of one type often have one cause. */
    for (uint32_t i = 0; i < named; i++) {
        const struct object *object = leaks->types[type].first[i];
        const struct caller_text creator = caller_text(leaks->call, object->creator);
        objects.list[i] = (struct finding_object){.type = type, .handle = object_handle(object)};
        string_builder_format(&list, "%s0x%" PRIx64 " created by %s", i ? ", " : "",
                              object_handle(object), creator.text);
    }
    if (count > named)
        string_builder_format(&list, ", and %" PRIu32 " more", count - named);
    bool skip =
        finding(leaks->call, vuid, NULL, &objects, "%" PRIu32 " %s%s still alive: %s", count,
                handle_type_name[type], count == 1 ? " is" : " objects are", list.text);
    string_builder_end(&list);
    return skip;
}

/* Reports each type on its own. Returns whether to skip the call. */
static bool report_leaks(const struct leaks *leaks, enum vuid vuid)
{
    bool skip = false;
    for (int type = HANDLE_NONE + 1; type < HANDLE_TYPE_COUNT; type++) {
        if (leaks->types[type].count)
            skip |= report_type(leaks, (enum handle_type)type, vuid);
    }
    return skip;
}

bool lifetimes_device_leaks(struct call *call)
{
    if (!call->object || !call->device)
        return false;
    struct leaks leaks = {.call = call};
    object_for_each_owned(call->device->owner, add_leak, &leaks);
    return report_leaks(&leaks, VUID_vkDestroyDevice_device_05137);
}

bool lifetimes_instance_leaks(struct call *call)
{
    if (!call->object || !call->instance)
        return false;
    struct leaks leaks = {.call = call};
    object_for_each_owned(call->instance->owner, add_leak, &leaks);
    /* A device is its own owner, so it is not among the objects that the instance owns. */
    object_for_each_device(call->object, add_leak, &leaks);
    return report_leaks(&leaks, VUID_vkDestroyInstance_instance_00629);
}
