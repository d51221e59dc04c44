/* Keeps the parameters of the calls that this thread is in, so that findings can show them. A
 * validator does it, which is only enabled with the setting message_print_parameters. So it costs
 * nothing while the setting is off. */
#ifndef ASSAY_REPORT_PARAMETERS_H
#define ASSAY_REPORT_PARAMETERS_H

#include "objects/validator.h"

#define PARAMETERS_LIMIT 16 /* parameters of one command; vkCmdWaitEvents has 11 */

extern const struct validator parameters_validator; /* generated: a hook for every command */

/* Keeps the parameters of `call`, each in the low bytes of a word. If memory is out, findings of
 * the call do not show them. Threads: each thread has its own. */
void parameters_note(const struct call *call, const uint64_t *values, uint32_t count);
/* Returns the parameters that were kept for `call`; NULL: none were. */
const uint64_t *parameters_of(const struct call *call);

bool parameters_enabled(const struct settings *settings);

#endif
