/* Writes objects into texts of findings: `VkBuffer 0x100000107 "vertices"`. The functions take
 * locks and may allocate, so they are only called for a finding that is being reported.
 * Threads: the thread of the call, which holds no lock. */
#ifndef ASSAY_REPORT_OBJECT_TEXT_H
#define ASSAY_REPORT_OBJECT_TEXT_H

#include "base/string_builder.h"
#include "objects/call.h"

/* All functions accept HANDLE_NONE as the type, and find nothing then. object_type() returns it for
 * an object that another thread has just destroyed. */

/* Returns the live object of a handle in this call; NULL: there is none. */
struct object *told_object(const struct call *call, enum handle_type type, uint64_t handle) COLD;
/* Returns the object's debug name, also if the object was destroyed lately. The caller frees it;
 * NULL: no name is known. */
char *told_object_name(const struct call *call, enum handle_type type,
                       uint64_t handle) COLD MUST_CHECK;

/* Writes an object with its name. Control characters in the name become "?". */
void object_text_write(struct string_builder *to, const struct call *call, enum handle_type type,
                       uint64_t handle) COLD;
/* Writes the object of an id. If it was destroyed, that is added, with the call that destroyed it
 * if that is known. */
void object_text_write_id(struct string_builder *to, const struct call *call, uint64_t id) COLD;
/* Writes " (created by ./cube+0x8f3a)"; nothing if the creator is not known. */
void object_text_write_creator(struct string_builder *to, const struct call *call,
                               enum handle_type type, uint64_t handle) COLD;

/* The text of an object as an argument of finding(): `NAMED(call, HANDLE_BUFFER, buffer)`. Long
 * names are cut. */
struct object_text {
    char text[192];
};
const char *object_text(const struct call *call, enum handle_type type, uint64_t handle,
                        struct object_text *text) COLD;
#define NAMED(call_, type_, handle_) \
    object_text((call_), (type_), (uint64_t)(handle_), &(struct object_text){.text = ""})
/* Gives the text of the object that a state of the room state/ belongs to. */
#define NAMED_STATE(call_, state_)                                                   \
    object_text((call_), object_type((state_)->object), object_state_handle(state_), \
                &(struct object_text){.text = ""})

#endif
