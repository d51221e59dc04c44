/* Writes objects, and the calls that created or destroyed them, into texts of findings. */
#include "report/names/object_text.h"

#include <inttypes.h>
#include <stdio.h>

#include "report/sink/caller.h"
#include "report/finding/reporter.h"

struct object *told_object(const struct call *call, enum handle_type type, uint64_t handle)
{
    if (type == HANDLE_NONE || (!call->instance && !call->device))
        return NULL;
    uint16_t owner = call->device ? call->device->owner : call->instance->owner;
    bool wraps = call->device ? call->device->wrap_handles : call->instance->wrap_handles;
    return object_find(wraps, handle, type, owner);
}

char *told_object_name(const struct call *call, enum handle_type type, uint64_t handle)
{
    struct reporter *reporter = call->instance ? call->instance->reporter : NULL;
    struct object *object = told_object(call, type, handle);
    struct retired_object found = {0};
    if (object)
        return reporter ? reporter_copy_name(reporter, object) : NULL;
    /* Destroyed objects are only looked up by an id of the layer, which is never used again. A
     * driver's handle may be another object's by now. */
    if (reporter && call->wraps && !handle_type_is_dispatchable(type))
        /* The caller frees the name, which is a copy. */
        (void)!reporter_find_retired(reporter, handle, type, &found);
    return found.name;
}

/* Writes a name in quotation marks, with control characters replaced. */
static void write_name(struct string_builder *to, const char *name)
{
    assert(name);
    string_builder_add(to, " \"");
    string_builder_add_shown(to, name);
    string_builder_add(to, "\"");
}

void object_text_write(struct string_builder *to, const struct call *call, enum handle_type type,
                       uint64_t handle)
{
    char *name = told_object_name(call, type, handle);
    const char *kind = type == HANDLE_NONE ? "a destroyed object" : handle_type_name[type];
    string_builder_format(to, "%s 0x%" PRIx64, kind, handle);
    if (name)
        write_name(to, name);
    mem_free(name);
}

/* Returns the kept caller of the call that destroyed the object; NULL: it is not known. If another
 * object has the slot by now, it is only known for an object that had a name. */
static const void *find_destroyer(const struct call *call, uint64_t id)
{
    const void *destroyer = object_find_destroyer(id);
    struct reporter *reporter = call->instance ? call->instance->reporter : NULL;
    struct retired_object found = {0};
    if (destroyer || !reporter || !call->wraps || handle_type_is_dispatchable(object_id_type(id)))
        return destroyer;
    (void)!reporter_find_retired(reporter, id, object_id_type(id), &found);
    mem_free(found.name);
    return found.destroyer;
}

void object_text_write_id(struct string_builder *to, const struct call *call, uint64_t id)
{
    assert(id);
    const enum handle_type type = object_id_type(id);
    const struct object *object = object_find_id(id, type);
    if (object) {
        object_text_write(to, call, type, object_handle(object));
        return;
    }
    const void *destroyer = find_destroyer(call, id);
    /* If the layer wraps handles, the id is the program's handle, and is never used again.
     * Otherwise the handle may be another object's by now. */
    if (call->wraps && !handle_type_is_dispatchable(type))
        object_text_write(to, call, type, id);
    else
        string_builder_format(to, "a %s", handle_type_name[type]);
    string_builder_add(to, type == HANDLE_DEVICE_MEMORY ? ", which was freed"
                                                        : ", which was destroyed");
    if (destroyer) {
        string_builder_add(to, " by ");
        string_builder_add(to, caller_text(call, destroyer).text);
    }
}

void object_text_write_creator(struct string_builder *to, const struct call *call,
                               enum handle_type type, uint64_t handle)
{
    const struct object *object = told_object(call, type, handle);
    const void *creator =
        object ? atomic_load_explicit(&object->creator, memory_order_relaxed) : NULL;
    if (!creator)
        return;
    string_builder_add(to, " (created by ");
    string_builder_add(to, caller_text(call, creator).text);
    string_builder_add(to, ")");
}

const char *object_text(const struct call *call, enum handle_type type, uint64_t handle,
                        struct object_text *text)
{
    assert(text);
    char buffer[192];
    struct string_builder to;
    string_builder_begin(&to, buffer, sizeof(buffer));
    object_text_write(&to, call, type, handle);
    (void)snprintf(text->text, sizeof(text->text), "%s", to.text);
    string_builder_end(&to);
    return text->text;
}
