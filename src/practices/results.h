/* Judges the results of commands: errors, and other codes than VK_SUCCESS. Threads: the calling
 * thread. Fields of other objects are read as their own comments allow. */
#ifndef ASSAY_PRACTICES_RESULTS_H
#define ASSAY_PRACTICES_RESULTS_H

#include "objects/call.h"

/* Called when the driver has returned call->result, which is not VK_SUCCESS. */
void practices_result(const struct call *call) COLD;

#endif
