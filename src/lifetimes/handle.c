/* Finds out what a wrong handle really is. */
#include "lifetimes/handle.h"

#include <inttypes.h>
#include <stdio.h>

#include "lifetimes/first.h"
#include "lifetimes/lifetimes.h"
#include "report/sink/caller.h"
#include "report/finding/reporter.h"

/* Keeps the handle from reaching the driver. Returns words for the message that say how. Elements
 * of vkUpdateDescriptorSets are left out one by one. */
static const char *keep_from_driver(struct call *call, const struct location *where)
{
    const struct location *first = where;
    while (first && first->parent)
        first = first->parent;
    if (command_root[call->command] == COMMAND_UpdateDescriptorSets && first &&
        /* If there is an index, only that element is wrong; otherwise the call itself is. */
        first->index != LOCATION_NO_INDEX) {
        call->dead_element = true;
        return "the driver does not see this element";
    }
    call->dead_handle = true;
    return "the call does not reach the driver";
}

bool lifetimes_enabled(const struct settings *settings)
{
    return settings->object_lifetime;
}

/* Returns the type's name, or a phrase for a type that the registry does not know. */
static const char *handle_type_text(enum handle_type type)
{
    return type > HANDLE_NONE && type < HANDLE_TYPE_COUNT ? handle_type_name[type]
                                                          : "object of unknown type";
}

/* Finds the live object, of any type, that the handle names. NULL: there is none. */
static const struct object *find_any_type(const struct call *call, uint64_t handle)
{
    bool wrapped = call->wraps;
    enum handle_type own = object_id_type(handle);
    if (wrapped && own > HANDLE_NONE && own < HANDLE_TYPE_COUNT &&
        !handle_type_is_dispatchable(own)) {
        const struct object *object = object_find_id(handle, own);
        if (object)
            return object;
    }
    /* The same number may be a driver's handle of several types. */
    for (int type = HANDLE_NONE + 1; type < HANDLE_TYPE_COUNT; type++) {
        if (wrapped && !handle_type_is_dispatchable(type))
            continue;
        const struct object *object = object_find_driver(handle, (enum handle_type)type, 0);
        if (object)
            return object;
    }
    return NULL;
}

/* True if `handle` was once an id. Its slot has been handed out, and has since moved on to a later
 * generation (or is free). */
static bool was_an_id(uint64_t handle)
{
    uint32_t index = object_index(handle);
    enum handle_type type = object_id_type(handle);
    if (index == 0 || index >= atomic_load_explicit(&object_limit, memory_order_acquire))
        return false;
    if (type <= HANDLE_NONE || type >= HANDLE_TYPE_COUNT || handle_type_is_dispatchable(type))
        return false;
    uint64_t now = atomic_load_explicit(&object_slots[index].id, memory_order_acquire);
    /* A number that was never an id usually has a generation that the slot has not reached. */
    uint32_t generation = (uint32_t)(handle >> 8) & 0xffffff;
    return generation <= ((uint32_t)(now >> 8) & 0xffffff);
}

/* The facts that the layer still knows of a destroyed object, as parts of a sentence. A part that
 * is not known is empty. */
struct past {
    char name[96];                  /* ` "terrain view"` */
    char by[CALLER_TEXT_SIZE + 16]; /* ` (by ./app+0x1234)` */
};

/* Finds what the layer still knows of an object that has been destroyed. */
static struct past find_past(const struct call *call, uint64_t id, enum handle_type type)
{
    struct past past = {"", ""};
    struct retired_object retired;
    const void *destroyer = object_find_destroyer(id);
    if (reporter_find_retired(call->instance->reporter, id, type, &retired)) {
        (void)snprintf(past.name, sizeof(past.name), " \"%.*s\"", (int)sizeof(past.name) - 8,
                       retired.name);
        destroyer = retired.destroyer;
        mem_free(retired.name);
    }
    if (destroyer) {
        const struct caller_text caller = caller_text(call, destroyer);
        (void)snprintf(past.by, sizeof(past.by), " (by %s)", caller.text);
    }
    return past;
}

/* Reports an id whose object was destroyed. Its type and name are still known, because ids are not
 * used twice. */
static bool report_past_id(struct call *call, uint64_t handle, enum handle_type type,
                           enum vuid alive, const struct location *where, const char *kept)
{
    assert(type > HANDLE_NONE && type < HANDLE_TYPE_COUNT);
    enum handle_type was = object_id_type(handle);
    const struct past past = find_past(call, handle, was);
    if (was == type)
        return finding(call, alive, where, OBJECT(type, handle),
                       "is a %s (0x%" PRIx64 ")%s that was already destroyed%s; %s",
                       handle_type_name[type], handle, past.name, past.by, kept);
    return finding(call, alive, where, OBJECT(was, handle),
                   "0x%" PRIx64 " was a %s%s, not a %s, and was already destroyed%s; %s", handle,
                   handle_type_text(was), past.name, handle_type_name[type], past.by, kept);
}

/* Reports a driver's handle that no object has now. Drivers return handles again, so the layer
 * cannot know which object the program means. */
static bool report_driver_handle(struct call *call, uint64_t handle, enum handle_type type,
                                 enum vuid alive, const struct location *where, const char *kept)
{
    assert(type > HANDLE_NONE && type < HANDLE_TYPE_COUNT);
    struct retired_object retired;
    if (!reporter_find_retired(call->instance->reporter, handle, type, &retired))
        return finding(call, alive, where, OBJECT(type, handle),
                       "0x%" PRIx64
                       " is not a live %s: it was never created, or it was already destroyed; %s",
                       handle, handle_type_name[type], kept);
    const struct caller_text caller = caller_text(call, retired.destroyer);
    bool skip = finding(call, alive, where, OBJECT(type, handle),
                        "0x%" PRIx64
                        " is not a live %s: a %s \"%s\" of this handle was destroyed by %s; %s",
                        handle, handle_type_name[type], handle_type_name[type], retired.name,
                        caller.text, kept);
    mem_free(retired.name);
    return skip;
}

/* Reports a handle that is not alive here, with the reason: it is of another device, of another
 * type, destroyed, or was never created. */
static bool report_dead(struct call *call, uint64_t handle, enum handle_type type, enum vuid alive,
                        enum vuid parent, const struct location *where)
{
    bool wrapped = call->wraps;
    const struct object *object = find_of_anybody(call, handle, type);
    const char *wanted = handle_type_name[type];
    if (!object && object_table_degraded())
        return false;
    const char *kept = keep_from_driver(call, where);
    if (object) {
        const struct device *owner = owner_device(object->owner);
        if (owner)
            return finding(call, parent, where,
                           OBJECT2(type, handle, HANDLE_DEVICE, (uintptr_t)owner->handle),
                           "is a %s (0x%" PRIx64 ") of another device, %p; %s", wanted, handle,
                           (void *)owner->handle, kept);
        return finding(call, parent, where, OBJECT(type, handle),
                       "is a %s (0x%" PRIx64 ") of another instance; %s", wanted, handle, kept);
    }
    const struct object *other = find_any_type(call, handle);
    if (other) {
        enum handle_type actual = object_type(other);
        return finding(call, alive, where, OBJECT(actual, handle),
                       "0x%" PRIx64 " is a %s, not a %s; %s", handle, handle_type_text(actual),
                       wanted, kept);
    }
    if (wrapped && !handle_type_is_dispatchable(type)) {
        if (was_an_id(handle))
            return report_past_id(call, handle, type, alive, where, kept);
        return finding(call, alive, where, OBJECT(type, handle),
                       "0x%" PRIx64 " is not a handle: no %s of this value was ever created; %s",
                       handle, wanted, kept);
    }
    return report_driver_handle(call, handle, type, alive, where, kept);
}

bool lifetimes_report(struct call *call, uint64_t handle, enum handle_type type, enum vuid alive,
                      enum vuid parent, const struct location *where)
{
    assert(handle);
    return report_dead(call, handle, type, alive, parent, where) || call->dead_handle;
}

bool lifetimes_report_null(struct call *call, enum vuid vuid, const struct location *where)
{
    const char *kept = keep_from_driver(call, where);
    return finding(call, vuid, where, NULL, "is VK_NULL_HANDLE; %s", kept) || call->dead_handle;
}

bool comes_from(const struct call *call, uint64_t handle, enum handle_type type, uint64_t pool,
                enum handle_type pool_type)
{
    const struct object *object = find_of_anybody(call, handle, type);
    const struct object *from = find_of_anybody(call, pool, pool_type);
    return !object || !from || object->owner != from->owner ||
           object->parent == (uint32_t)(from - object_slots);
}

/* Reports a handle that belongs to another pool than the call's. */
static bool report_pool(struct call *call, uint64_t handle, enum handle_type type, enum vuid parent,
                        const struct location *where)
{
    const struct object *object = find_of_anybody(call, handle, type);
    const struct object *pool = object && object->parent ? &object_slots[object->parent] : NULL;
    const char *kept = keep_from_driver(call, where);
    if (!pool)
        return finding(call, parent, where, OBJECT(type, handle),
                       "is a %s (0x%" PRIx64 ") of another pool; %s", handle_type_text(type),
                       handle, kept);
    return finding(call, parent, where,
                   OBJECT2(type, handle, object_type(pool), object_handle(pool)),
                   "is a %s (0x%" PRIx64 ") of another pool, %s 0x%" PRIx64 "; %s",
                   handle_type_text(type), handle, handle_type_text(object_type(pool)),
                   object_handle(pool), kept);
}

bool lifetimes_report_pool(struct call *call, uint64_t handle, enum handle_type type,
                           enum vuid parent, const struct location *where)
{
    return report_pool(call, handle, type, parent, where) || call->dead_handle;
}

void lifetimes_unknown_object(struct call *call, const void *handle)
{
    const struct lifetimes_first *first = &lifetimes_first[command_root[call->command]];
    if (handle)
        lifetimes_report(call, (uint64_t)(uintptr_t)handle, (enum handle_type)first->type,
                         first->alive, first->alive, &LOCATION(NULL, first->name));
}

/* Returns the rule for an object of another instance. Commands have one rule for objects of the
 * instance, and one for those of a physical device. */
static enum vuid parent_of_level(const struct call *call, enum handle_type type, enum vuid parent)
{
    const bool of_physical_device = type == HANDLE_DISPLAY_KHR || type == HANDLE_DISPLAY_MODE_KHR;
    if (!of_physical_device && type != HANDLE_SURFACE_KHR &&
        type != HANDLE_DEBUG_UTILS_MESSENGER_EXT && type != HANDLE_DEBUG_REPORT_CALLBACK_EXT)
        return parent;
    switch (command_root[call->command]) {
    case COMMAND_SetDebugUtilsObjectNameEXT:
        return of_physical_device ? VUID_vkSetDebugUtilsObjectNameEXT_pNameInfo_07873
                                  : VUID_vkSetDebugUtilsObjectNameEXT_pNameInfo_07872;
    case COMMAND_SetDebugUtilsObjectTagEXT:
        return of_physical_device ? VUID_vkSetDebugUtilsObjectTagEXT_pNameInfo_07876
                                  : VUID_vkSetDebugUtilsObjectTagEXT_pNameInfo_07875;
    default:
        return parent;
    }
}

bool lifetimes_typed(struct call *call, uint64_t handle, enum handle_type type, enum vuid alive,
                     enum vuid parent, const struct location *where)
{
    /* For the first two types the loader may return handles of its own. Those that it passes down
     * are not in our table. */
    if (handle == 0 || type == HANDLE_NONE || type == HANDLE_INSTANCE ||
        type == HANDLE_PHYSICAL_DEVICE)
        return false;
    const struct object *object = find_of_anybody(call, handle, type);
    if (object) {
        /* Objects of the instance may be used with each of its devices. */
        if (!call->device || object->owner == call->device->owner ||
            object->owner == call->instance->owner)
            return false;
    }
    return lifetimes_report(call, handle, type, alive, parent_of_level(call, type, parent), where);
}
