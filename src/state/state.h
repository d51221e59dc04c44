/* The shared state tracker: what calls have made of each object, kept once for all validators. Runs before them. */
#ifndef ASSAY_STATE_STATE_H
#define ASSAY_STATE_STATE_H

#include "chassis/validator.h"

struct object;

extern const struct validator state_validator; /* always on */

/* Frees `object->state`, which belongs to an object of `type` that has been destroyed. For object_state_destroy (chassis/object.h). */
void state_object_destroy(struct object *object, enum handle_type type);

#endif
