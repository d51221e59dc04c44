/* Extensions and commands that newer ones have superseded (setting legacy_detection). */
#ifndef ASSAY_PRACTICES_LEGACY_H
#define ASSAY_PRACTICES_LEGACY_H

#include "objects/device.h"
#include "report/finding.h"

/* The call's command is superseded, as `since` is enabled. `by`: the command to call;
 * COMMAND_COUNT: there is not one that does the same. */
void legacy_command(const struct call *call, enum vuid id, enum command by,
                    enum extension since) COLD;

#endif
