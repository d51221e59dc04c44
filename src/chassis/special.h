/* Frees the data that this room keeps with objects. Threads: the one that frees the object's
 * state. */
#ifndef ASSAY_CHASSIS_SPECIAL_H
#define ASSAY_CHASSIS_SPECIAL_H

#include "objects/object.h"

/* Frees the state of a descriptor update template. */
void special_state_destroy(struct object *object);

#endif
