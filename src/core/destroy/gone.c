/* Names objects in a finding that are used through other objects, and those among them that were
 * destroyed. */
#include "core/destroy/gone.h"

#include "base/string_builder.h"
#include "objects/object.h"
#include "report/sink/caller.h"
#include "report/names/object_text.h"

#include <stdio.h>

/* The handle of an object. 0: the object was destroyed, and its driver's handle is not known any
 * more. */
static uint64_t handle_of(uint64_t id, bool wraps)
{
    assert(id);
    const struct object *object = object_find_id(id, object_id_type(id));
    return object ? object_handle(object) : wraps ? id : 0;
}

/* Writes an object with its handle, or only its type if the handle is not known any more. */
static void write_object(struct string_builder *text, const struct call *call, uint64_t id)
{
    uint64_t handle = handle_of(id, call->wraps);
    if (handle)
        object_text_write(text, call, object_id_type(id), handle);
    else
        string_builder_add(text, handle_type_name[object_id_type(id)]);
}

/* Ends the builder and copies its text, which is cut if it is too long. */
static void hand_over(struct string_builder *builder, char text[GONE_TEXT])
{
    (void)snprintf(text, GONE_TEXT, "%s", builder->text);
    string_builder_end(builder);
}

void gone_write_way(const struct call *call, const struct reach_chain *chain, char text[GONE_TEXT])
{
    assert(chain->count && chain->count <= REACH_DEPTH);
    char buffer[GONE_TEXT];
    struct string_builder builder;
    string_builder_begin(&builder, buffer, sizeof(buffer));
    for (uint32_t i = chain->count - 1; i-- > 0;) {
        bool set = object_id_type(chain->ids[i]) == HANDLE_DESCRIPTOR_SET;
        if (i + 2 < chain->count)
            string_builder_format(&builder, " and ");
        if (set)
            string_builder_format(&builder, "a descriptor (binding %" PRIu32 " of ",
                                  chain->binding);
        write_object(&builder, call, chain->ids[i]);
        if (set)
            string_builder_format(&builder, ")");
    }
    hand_over(&builder, text);
}

/* The words between an object and the one that it depends on. */
static const char *link_text(enum handle_type from, enum handle_type to)
{
    if (to == HANDLE_DEVICE_MEMORY)
        return ", whose ";
    return from == HANDLE_ACCELERATION_STRUCTURE_KHR ? ", which lies in " : " of ";
}

void gone_write_chain(const struct call *call, const struct reach_chain *chain,
                      char text[GONE_TEXT])
{
    assert(chain->count && chain->count <= REACH_DEPTH);
    char buffer[GONE_TEXT];
    struct string_builder builder;
    string_builder_begin(&builder, buffer, sizeof(buffer));
    for (uint32_t i = 0; i < chain->count; i++) {
        enum handle_type type = object_id_type(chain->ids[i]);
        enum handle_type from = i ? object_id_type(chain->ids[i - 1]) : HANDLE_NONE;
        if (from == HANDLE_DESCRIPTOR_SET)
            string_builder_format(&builder, ", whose binding %" PRIu32 " refers to ",
                                  chain->binding);
        else if (i)
            string_builder_format(&builder, "%s", link_text(from, type));
        write_object(&builder, call, chain->ids[i]);
    }
    uint64_t gone = chain->ids[chain->count - 1];
    const void *destroyer = object_find_destroyer(gone);
    const enum handle_type gone_type = object_id_type(gone);
    const bool freed = gone_type == HANDLE_DEVICE_MEMORY || gone_type == HANDLE_COMMAND_BUFFER ||
                       gone_type == HANDLE_DESCRIPTOR_SET;
    const char *did = freed ? "freed" : "destroyed";
    bool next_to_last = chain->count > 1 && gone_type != HANDLE_DEVICE_MEMORY;
    string_builder_format(&builder, next_to_last ? ", which was %s" : " was %s", did);
    if (destroyer) {
        const struct caller_text caller = caller_text(call, destroyer);
        string_builder_format(&builder, " by %s", caller.text);
    }
    hand_over(&builder, text);
}

struct finding_objects gone_objects(struct finding_object first, const struct reach_chain *chain,
                                    bool wraps)
{
    struct finding_objects objects = {.count = 1, .list = {first}};
    for (uint32_t i = chain->count; i-- > 0 && objects.count < ARRAY_LENGTH(objects.list);) {
        uint64_t handle = handle_of(chain->ids[i], wraps);
        if (handle)
            objects.list[objects.count++] =
                (struct finding_object){object_id_type(chain->ids[i]), handle};
    }
    return objects;
}
