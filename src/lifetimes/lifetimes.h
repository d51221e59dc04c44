/* Checks that every handle that the program passes is alive, has the right type, and belongs to
 * this device or instance. Also checks that a device or instance has no objects left when it is
 * destroyed. The walks are generated (registry/rooms/lifetimes); the files of this room have the
 * rules that the registry does not. Threads: that of the call; the validator is const. */
#ifndef ASSAY_LIFETIMES_LIFETIMES_H
#define ASSAY_LIFETIMES_LIFETIMES_H

#include "base/base.h"
#include "objects/validator.h"

extern const struct validator lifetimes_validator; /* generated: commands.c */

/* True if the setting object_lifetime is on. */
bool lifetimes_enabled(const struct settings *settings);

/* Reports that the dispatchable first parameter is not a live object (call->object is NULL). Marks
 * the call as one that must not reach the driver. The entry of any command calls it before its
 * hooks. */
void lifetimes_unknown_object(struct call *call, const void *handle) COLD;

#endif
