/* Checks that every handle that the program passes lives, has the right type, and belongs here. It
 * also checks that nothing is left when its device or instance goes. The walks are generated
 * (registry/rooms/lifetimes); this room's own files know the rules that the registry does not.
 * Threads: that of the call; the validator is const. */
#ifndef ASSAY_LIFETIMES_LIFETIMES_H
#define ASSAY_LIFETIMES_LIFETIMES_H

#include "base/base.h"
#include "objects/validator.h"

extern const struct validator lifetimes_validator; /* generated: commands.c */

/* The setting object_lifetime. */
bool lifetimes_enabled(const struct settings *settings);

/* The dispatchable first parameter is not a live object (call->object is NULL). Reports it, and
 * marks the call as one that must not reach the driver. Called by the entry of any command, before
 * its hooks. */
void lifetimes_unknown_object(struct call *call, const void *handle) COLD;

#endif
