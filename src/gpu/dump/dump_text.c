/* Writes objects, addresses and marks of suspicious values in a dump. */
#include "gpu/dump/dump_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/own_memory.h"
#include "report/names/names_of_values.h"
#include "report/names/plural.h"
#include "report/finding/reporter.h"

void dump_mark(struct dump *dump, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    /* "1 bytes" becomes "1 byte", so that formats need not distinguish. */
    plural_mend(text);
    string_builder_format(&dump->marks, "\n        ! %s", text);
    string_builder_add(&dump->marks_json, dump->marks_json.length ? ",\"" : "\"");
    string_builder_add_json(&dump->marks_json, text);
    string_builder_add(&dump->marks_json, "\"");
    dump->wrong++;
}

/* Empties the builder, and keeps its memory for the next object. */
static void builder_empty(struct string_builder *builder)
{
    builder->length = 0;
    builder->text[0] = '\0';
}

void dump_marks_end(struct dump *dump)
{
    if (!dump->marks.length)
        return;
    string_builder_add(&dump->text, dump->marks.text);
    string_builder_format(&dump->json, ",\"wrong\":[%s]", dump->marks_json.text);
    builder_empty(&dump->marks);
    builder_empty(&dump->marks_json);
}

void dump_json_text(struct dump *dump, const char *key, const char *text)
{
    string_builder_format(&dump->json, ",\"%s\":\"", key);
    string_builder_add_json(&dump->json, text);
    string_builder_add(&dump->json, "\"");
}

void dump_object(struct dump *dump, const char *key, enum handle_type type, struct object *object)
{
    /* NULL while the instance is being made or destroyed: then no object has a name. */
    struct reporter *reporter = dump->call->instance->reporter;
    char *name = object && reporter ? reporter_copy_name(reporter, object) : NULL;
    string_builder_format(&dump->json, ",\"%s\":{\"type\":\"%s\"", key, handle_type_name[type]);
    string_builder_format(&dump->text, " %s", handle_type_name[type]);
    if (object) {
        string_builder_format(&dump->text, " 0x%" PRIx64, object_handle(object));
        string_builder_format(&dump->json, ",\"handle\":\"0x%" PRIx64 "\"", object_handle(object));
    }
    if (name) {
        string_builder_format(&dump->text, " \"%s\"", name);
        dump_json_text(dump, "name", name);
    }
    string_builder_add(&dump->json, "}");
    mem_free(name);
}

/* --- addresses --- */

/* Marks problems of the buffer that has an address: too few bytes, another usage, no memory. */
static void mark_buffer(struct dump *dump, const struct address_search *search,
                        const struct dump_wanted *wanted)
{
    const struct buffer *buffer = search->buffer;
    if (search->match == ADDRESS_TOO_SHORT)
        dump_mark(dump,
                  "out of bounds: %" PRIu64 " bytes are read or written from here, and %" PRIu64
                  " are left",
                  wanted->size, search->rest);
    if (wanted->usage && !(buffer->usage & wanted->usage))
        dump_mark(dump, "wrong usage: the buffer was not created with %s",
                  value_text(VALUES_VkBufferUsageFlags2, wanted->usage).text);
    if (!buffer_is_bound(buffer))
        dump_mark(dump, "no memory: the buffer is bound to none that lives");
}

void dump_address(struct dump *dump, VkDeviceAddress address, const struct dump_wanted *wanted)
{
    const struct address_search search =
        device_address_find(dump->device, address, wanted->size, wanted->usage);
    string_builder_format(&dump->json, ",\"address\":\"0x%" PRIx64 "\"", address);
    if (!address) {
        string_builder_add(&dump->text, " 0");
        if (!wanted->may_be_null)
            dump_mark(dump, "no such object: the address is 0");
        return;
    }
    string_builder_format(&dump->text, " 0x%" PRIx64, address);
    if (search.buffer) {
        const VkDeviceSize at =
            /* The search gives the bytes up to the buffer's end, from which the offset follows. */
            search.buffer->size > search.rest ? search.buffer->size - search.rest : 0;
        string_builder_add(&dump->text, " in");
        dump_object(dump, "object", HANDLE_BUFFER, search.buffer->base.object);
        string_builder_format(&dump->text, ", at byte %" PRIu64 ", %" PRIu64 " byte%s left", at,
                              search.rest, search.rest == 1 ? "" : "s");
        string_builder_format(&dump->json, ",\"at\":%" PRIu64 ",\"left\":%" PRIu64, at,
                              search.rest);
        mark_buffer(dump, &search, wanted);
    } else if (search.match == ADDRESS_NOWHERE && !wanted->may_be_none) {
        dump_mark(dump, "no such object: no buffer that lives has this address");
    }
    if (wanted->alignment && address % wanted->alignment)
        dump_mark(dump, "misaligned: the address is not a multiple of %s%s%" PRIu64,
                  wanted->alignment_of ? wanted->alignment_of : "",
                  wanted->alignment_of ? " = " : "", wanted->alignment);
}

bool dump_read(const struct dump *dump, VkDeviceAddress address, void *copy, size_t size)
{
    const struct address_search search = device_address_find(dump->device, address, size, 0);
    if (search.match != ADDRESS_FOUND || !search.buffer->binding.memory)
        return false;
    const struct memory_binding *binding = &search.buffer->binding;
    const struct device_memory *memory = device_memory_by_id(binding->memory);
    const VkDeviceSize at = binding->offset + search.buffer->size - search.rest;
    /* The range must be wholly within the program's mapping; all offsets are bytes of the memory
     * object. */
    if (!memory || !memory->mapped || at < memory->map_offset || size > memory->map_size ||
        at - memory->map_offset > memory->map_size - size)
        return false;
    /* The program may unmap the memory in another thread at this moment, which must not be a
     * crash. */
    return own_memory_read(copy, (const char *)memory->map_pointer + (at - memory->map_offset),
                           size);
}
