/* Texts of findings name an object like this: `VkBuffer 0x100000107 "vertices"`. Everything here is
 * for findings that are being reported: it takes locks, and may allocate.
 * Threads: that of the call, which holds no lock. */
#ifndef ASSAY_REPORT_OBJECT_TEXT_H
#define ASSAY_REPORT_OBJECT_TEXT_H

#include "base/string_builder.h"
#include "objects/call.h"

/* HANDLE_NONE is what object_type() gives for an object that another thread has just destroyed. It
 * is a type for all of these: nothing is found by it. */

/* The live object that a handle of this call means, or NULL. */
struct object *told_object(const struct call *call, enum handle_type type, uint64_t handle) COLD;
/* Its debug name, or the one that it had before it was destroyed. NULL: none is known. The caller
 * frees it. */
char *told_object_name(const struct call *call, enum handle_type type,
                       uint64_t handle) COLD MUST_CHECK;

/* Control characters of a name become "?". */
void object_text_write(struct string_builder *to, const struct call *call, enum handle_type type,
                       uint64_t handle) COLD;
/* Writes the object of an id; "destroyed" is added if the object does not live any more, with the
 * call that destroyed it, if that is known. */
void object_text_write_id(struct string_builder *to, const struct call *call, uint64_t id) COLD;
/* " (created by ./cube+0x8f3a)", or nothing where that is not known. */
void object_text_write_creator(struct string_builder *to, const struct call *call,
                               enum handle_type type, uint64_t handle) COLD;

/* Names an object as a parameter of finding(): `NAMED(call, HANDLE_BUFFER, buffer)`. Long names are
 * cut. */
struct object_text {
    char text[192];
};
const char *object_text(const struct call *call, enum handle_type type, uint64_t handle,
                        struct object_text *text) COLD;
#define NAMED(call_, type_, handle_) \
    object_text((call_), (type_), (uint64_t)(handle_), &(struct object_text){.text = ""})
/* Names the object that a state belongs to. */
#define NAMED_STATE(call_, state_)                                                   \
    object_text((call_), object_type((state_)->object), object_state_handle(state_), \
                &(struct object_text){.text = ""})

#endif
