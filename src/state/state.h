/* The shared state tracker: what calls have made of each object, kept once for all validators. Runs
 * before them. */
#ifndef ASSAY_STATE_STATE_H
#define ASSAY_STATE_STATE_H

#include "objects/validator.h"

struct object;
struct settings;

/* There are two sets of hooks (registry/rooms/state/rules.py): one keeps what any validator may ask
 * for, the other one what only some need. */
extern const struct validator state_validator;    /* always on */
extern const struct validator tracking_validator; /* where tracking_enabled() */

/* True if a validator is on that needs to know what calls have made of objects. Otherwise commands,
 * updates and submits leave no trace, and finders of buffers, images, command buffers ...
 * (state/object/object_state.h) find nothing. */
bool tracking_enabled(const struct settings *settings);

/* Frees `object->state`, which belongs to an object of `type` that has been destroyed. For
 * object_state_destroy (objects/object.h). */
void state_object_destroy(struct object *object, enum handle_type type);

/* Called in the child of a fork: releases locks of objects that threads of the parent held.
 * Threads: chassis/fork.c. */
void state_fork_child(void);

#endif
