/* Does every handle that the app passes live, has it the right type, does it belong here, and is
 * nothing left when its device or instance goes? The walks are generated
 * (registry/templates/lifetimes); this room's own files know the rules that the registry does not.
 */
#ifndef ASSAY_LIFETIMES_LIFETIMES_H
#define ASSAY_LIFETIMES_LIFETIMES_H

#include "base/base.h"
#include "chassis/validator.h"

extern const struct validator lifetimes_validator; /* generated: commands.c */

/* The setting object_lifetime. */
bool lifetimes_enabled(const struct settings *settings);

/* The dispatchable first parameter is no live object (call->object is NULL): reports it, and marks
 * the call as one that must not reach the driver. Called by the entry of any command, before its
 * hooks. */
void lifetimes_unknown_object(struct call *call, const void *handle) COLD;

#endif
