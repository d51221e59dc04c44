/* The parameters of the calls that this thread is in, kept for findings while the setting
 * message_print_parameters is on. A validator of its own does it, so that it costs nothing while
 * the setting is off. */
#ifndef ASSAY_REPORT_PARAMETERS_H
#define ASSAY_REPORT_PARAMETERS_H

#include "objects/validator.h"

#define PARAMETERS_LIMIT 16 /* parameters of one command; vkCmdWaitEvents has 11 */

extern const struct validator parameters_validator; /* generated: a hook for every command */

/* Keeps the parameters of `call`, each in the low bytes of a word. Out of memory: the call's
 * findings go without. Threads: the calling thread's own. */
void parameters_note(const struct call *call, const uint64_t *values, uint32_t count);
/* The parameters that were kept of `call`, or NULL. */
const uint64_t *parameters_of(const struct call *call);

bool parameters_enabled(const struct settings *settings);

#endif
