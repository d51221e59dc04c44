/* A lost device, as the layer's log tells of it: from the member "deviceLost" of a finding. */
#ifndef ASSAY_TOOL_STREAM_LOST_H
#define ASSAY_TOOL_STREAM_LOST_H

#include "assay/store/json.h"

/* Lines of text: what was not known to be done, and what the driver says. Owned by the caller;
 * NULL: there is nothing, or memory is out. */
char *lost_pending(struct json_object *lost);
char *lost_fault(struct json_object *lost);

#endif
