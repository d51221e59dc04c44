/* How does a hazard read? Called for each hazard that is found while a command buffer is recorded. */
#ifndef ASSAY_SYNC_REPORT_H
#define ASSAY_SYNC_REPORT_H

#include "sync/recording.h"

/* `barrier`: of a layout or ownership transition; NULL of other accesses. */
void sync_report_hazard(const struct recording *recording, const struct sync_place *place,
                        const struct sync_access *access, const struct sync_barrier *barrier,
                        const struct sync_hazard *hazard) COLD;

#endif
