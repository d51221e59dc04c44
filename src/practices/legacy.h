/* Advice on extensions and commands that newer ones supersede (setting legacy_detection). Threads:
 * the calling thread. Fields of other objects are read as their own comments allow. */
#ifndef ASSAY_PRACTICES_LEGACY_H
#define ASSAY_PRACTICES_LEGACY_H

#include "objects/device.h"
#include "report/finding/finding.h"

#define SUPERSEDED_NEEDS 4

/* Immutable after it is made. */
struct superseded_command {
    enum vuid id;
    /* the command to be called instead; COMMAND_COUNT: no single command does the same */
    enum command by;
    uint32_t need_count; /* never 0 */
    /* versions and extensions that have the newer command: one of them is enough */
    enum extension needs[SUPERSEDED_NEEDS];
};

/* Advises that the call's command is superseded. The setting legacy_detection_mode decides whether
 * it is reported. */
void legacy_command(const struct call *call, const struct superseded_command *superseded) COLD;

#endif
