/* Looks at what commands answer: errors, and other codes than VK_SUCCESS. Threads: that of the
 * call. Fields of other objects are read as their own comments allow. */
#ifndef ASSAY_PRACTICES_RESULTS_H
#define ASSAY_PRACTICES_RESULTS_H

#include "objects/call.h"

/* The driver has answered call->result, which is not VK_SUCCESS. */
void practices_result(const struct call *call) COLD;

#endif
