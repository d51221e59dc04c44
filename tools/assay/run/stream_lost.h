/* Describes a lost device as the layer's log does, from the member "deviceLost" of a finding. */
#ifndef ASSAY_TOOL_STREAM_LOST_H
#define ASSAY_TOOL_STREAM_LOST_H

#include "assay/store/json.h"

/* Return lines of text: the work that was not known to be done, and what the driver reports. The
 * caller frees them; NULL: there is nothing, or memory is out. */
char *lost_pending(struct json_object *lost);
char *lost_fault(struct json_object *lost);

#endif
