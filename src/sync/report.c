/* How does a hazard read? */
#include "sync/report.h"

#include "report/finding.h"

static enum vuid hazard_id(enum hazard kind)
{
    static const enum vuid ids[] = {
        [HAZARD_READ_AFTER_WRITE] = SYNC_HAZARD_READ_AFTER_WRITE,
        [HAZARD_WRITE_AFTER_READ] = SYNC_HAZARD_WRITE_AFTER_READ,
        [HAZARD_WRITE_AFTER_WRITE] = SYNC_HAZARD_WRITE_AFTER_WRITE,
        [HAZARD_READ_RACING_WRITE] = SYNC_HAZARD_READ_RACING_WRITE,
        [HAZARD_WRITE_RACING_READ] = SYNC_HAZARD_WRITE_RACING_READ,
        [HAZARD_WRITE_RACING_WRITE] = SYNC_HAZARD_WRITE_RACING_WRITE,
        [HAZARD_READ_AFTER_PRESENT] = SYNC_HAZARD_READ_AFTER_PRESENT,
        [HAZARD_WRITE_AFTER_PRESENT] = SYNC_HAZARD_WRITE_AFTER_PRESENT,
        [HAZARD_PRESENT_AFTER_READ] = SYNC_HAZARD_PRESENT_AFTER_READ,
        [HAZARD_PRESENT_AFTER_WRITE] = SYNC_HAZARD_PRESENT_AFTER_WRITE,
    };
    return ids[kind];
}

void sync_report_hazard(const struct recording *recording, const struct sync_place *place,
                        const struct sync_access *access, const struct sync_barrier *barrier,
                        const struct sync_hazard *hazard)
{
    const struct command_log *log = recording->sync->log;
    struct access_origin own, prior;
    if (!command_log_find(log, access->tag, &own) || !command_log_find(log, hazard->prior.tag, &prior))
        return;
    const struct object *object = object_find_id(own.entry->resource, object_id_type(own.entry->resource));
    finding(recording->call, hazard_id(hazard->kind), NULL,
            object ? OBJECT(object_id_type(own.entry->resource), object_handle(object)) : NULL,
            "%s comes too early after %s by %s (command %u)", sync_usage_name((enum sync_usage)access->usage),
            sync_usage_name((enum sync_usage)hazard->prior.usage), command_name[prior.entry->command],
            prior.entry->command_index);
}
