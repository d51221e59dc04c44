/* Puts objects into the table and takes them out, as commands create and destroy them. */
#include "chassis/hooks.h"
#include "chassis/translate.h"

void *call_find_state_driver(const struct call *call, uint64_t handle, enum handle_type type)
{
    const struct object *object = object_find_driver(handle, type, call->owner);
    void *state;
    return object && object_read_state(object, handle, type, &state) ? state : NULL;
}

void call_name_driver(struct call *call, uint32_t which, uint64_t handle, enum handle_type type)
{
    struct object *object = object_find_driver(handle, type, call->owner);
    void *state;
    call->named[which] = object && object_read_state(object, handle, type, &state)
                             ? (struct named_object){object, state}
                             : (struct named_object){0};
}

void call_name_rarely(struct call *call, uint32_t which, uint64_t handle, enum handle_type type)
{
    call_name(call, which, handle, type);
}

/* Takes the object out of the table, and adds it to the list of `dying`. Its sibling_next is not
 * needed any more, and links the list. */
static void retire_one(struct object *object, void *context)
{
    struct destruction *dying = context;
    if (object != dying->object && object_retire_by(object, dying->caller)) {
        object->sibling_next = dying->first;
        dying->first = (uint32_t)(object - object_slots);
    }
}

/* Retires the children of a parent, which are released with it. */
static void begin_children(struct destruction *dying, struct object *parent)
{
    if (parent->child_first)
        object_for_each_child(parent, retire_one, dying);
}

void destruction_begin(struct destruction *dying, const struct call *call, enum handle_type type,
                       uint64_t handle)
{
    /* Without an object the driver gets the program's handle if handles are not wrapped, otherwise
     * VK_NULL_HANDLE. */
    bool translates = call->wraps && !handle_type_is_dispatchable(type) && !object_table_degraded();
    *dying = (struct destruction){.driver = translates ? 0 : handle, .caller = call->caller};
    struct object *object = call_find(call, handle, type);
    if (!object)
        return;
    dying->driver = object_driver(object);
    begin_children(dying, object);
    if (object_retire_by(object, call->caller))
        dying->object = object;
}

void destruction_begin_children(struct destruction *dying, const struct call *call,
                                enum handle_type type, uint64_t handle)
{
    *dying = (struct destruction){.caller = call->caller};
    struct object *parent = call_find(call, handle, type);
    if (parent)
        begin_children(dying, parent);
}

void destruction_begin_array(struct destruction *dying, const struct call *call,
                             enum handle_type type, const void *handles, uint32_t count)
{
    const uint64_t *ids = handles; /* dispatchable handles are pointers of the same size */
    struct scratch *scratch = &thread_self()->scratch;
    *dying = (struct destruction){.mark = scratch_mark(scratch),
                                  .drivers = ids,
                                  .driver_count = count,
                                  .caller = call->caller};
    if (!handles || !count)
        return;
    bool translates = call->wraps && !handle_type_is_dispatchable(type);
    uint64_t *drivers = translates ? scratch_alloc(scratch, count * sizeof(*drivers)) : NULL;
    for (uint32_t i = 0; i < count; i++) {
        struct object *object =
            handle_type_is_dispatchable(type)
                ? object_find_dispatchable((const void *)(uintptr_t)ids[i], type)
                : call_find(call, ids[i], type);
        if (drivers)
            /* VK_NULL_HANDLE may be freed; unknown handles become VK_NULL_HANDLE. */
            drivers[i] = object ? object_driver(object) : 0;
        if (object)
            retire_one(object, dying);
    }
    if (translates) {
        dying->drivers = drivers;
        dying->driver_count = drivers ? count : 0;
    }
}
static_assert(sizeof(void *) == sizeof(uint64_t),
              "arrays of dispatchable handles are read as 64-bit words");

bool destruction_begin_owner(struct destruction *dying, struct object *object)
{
    assert(object->owner);
    *dying = (struct destruction){.object = object};
    if (!object_retire(object))
        return false;
    object_for_each_owned(object->owner, retire_one, dying);
    return true;
}

void destruction_end(struct destruction *dying)
{
    while (dying->first) {
        struct object *object = &object_slots[dying->first];
        /* sibling_next is read before the release, as the slot may then be another object's. */
        dying->first = object->sibling_next;
        object_release(object);
    }
    if (dying->object)
        object_release(dying->object);
    if (dying->mark.chunk || dying->drivers)
        scratch_rewind(&thread_self()->scratch, dying->mark);
}

/* --- handles inside structures that the driver returns --- */

/* Returns the program's handle of a display or mode. The same driver handle gives the same one each
 * time. */
static uint64_t adopt_display(const struct call *call, enum handle_type type, uint64_t driver)
{
    struct object_create_info creation = creation_begin(call, type, call->object);
    creation.findable_by_driver = true;
    return creation_adopt(&creation, driver);
}

void adopt_VkDisplayPropertiesKHR(const struct call *call, VkDisplayPropertiesKHR *properties)
{
    properties->display = adopt_display(call, HANDLE_DISPLAY_KHR, properties->display);
}

void adopt_VkDisplayPlanePropertiesKHR(const struct call *call,
                                       VkDisplayPlanePropertiesKHR *properties)
{
    properties->currentDisplay =
        adopt_display(call, HANDLE_DISPLAY_KHR, properties->currentDisplay);
}

void adopt_VkDisplayModePropertiesKHR(const struct call *call,
                                      VkDisplayModePropertiesKHR *properties)
{
    properties->displayMode = adopt_display(call, HANDLE_DISPLAY_MODE_KHR, properties->displayMode);
}

void adopt_VkDisplayProperties2KHR(const struct call *call, VkDisplayProperties2KHR *properties)
{
    adopt_VkDisplayPropertiesKHR(call, &properties->displayProperties);
}

void adopt_VkDisplayPlaneProperties2KHR(const struct call *call,
                                        VkDisplayPlaneProperties2KHR *properties)
{
    adopt_VkDisplayPlanePropertiesKHR(call, &properties->displayPlaneProperties);
}

void adopt_VkDisplayModeProperties2KHR(const struct call *call,
                                       VkDisplayModeProperties2KHR *properties)
{
    adopt_VkDisplayModePropertiesKHR(call, &properties->displayModeProperties);
}
