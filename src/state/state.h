/* The shared state tracker: how calls have changed each object, kept once for all validators. Its
 * hooks run before theirs. */
#ifndef ASSAY_STATE_STATE_H
#define ASSAY_STATE_STATE_H

#include "objects/validator.h"

struct object;
struct settings;

/* There are two sets of hooks (registry/rooms/state/rules.py): one tracks what any validator may
 * use, the other what only some use. */
extern const struct validator state_validator;    /* always on */
extern const struct validator tracking_validator; /* on if tracking_enabled() */

/* True if a validator is on that needs to know how calls change objects. Otherwise commands,
 * updates and submits are not tracked, and finders of buffers, images, command buffers and others
 * (state/object/object_state.h) return NULL. */
bool tracking_enabled(const struct settings *settings);

/* Frees `object->state`, which belongs to a destroyed object of `type`. For object_state_destroy
 * (objects/object.h). */
void state_object_destroy(struct object *object, enum handle_type type);

/* Called in the child of a fork: releases locks of objects that threads of the parent held.
 * Threads: chassis/fork.c. */
void state_fork_child(void);

#endif
