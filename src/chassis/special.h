/* Data that the chassis itself keeps with objects. Threads: the one that frees the object's
 * state. */
#ifndef ASSAY_CHASSIS_SPECIAL_H
#define ASSAY_CHASSIS_SPECIAL_H

#include "objects/object.h"

/* Frees the state of a type that belongs to the chassis: a descriptor update template's entries. */
void special_state_destroy(struct object *object);

#endif
