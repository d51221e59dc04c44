/* The record of the last submissions, which survives the process (base/aftermath.h). Its own
 * validator writes it, which only exists under `assay run`: otherwise it costs nothing. */
#ifndef ASSAY_STATE_AFTERMATH_H
#define ASSAY_STATE_AFTERMATH_H

#include "base/aftermath.h"
#include "objects/area.h"
#include "objects/device.h"

struct aftermath_in_device {
    struct aftermath *aftermath; /* NULL: no record is wanted */
};
AREA(aftermath_in_device, device, 48)

extern const struct validator aftermath_validator;

/* True if `assay run` wants a record. Threads: any. */
bool aftermath_is_wanted(void);

/* Writes the name of a file of the record. `suffix`: "" for the record itself, or AFTERMATH_RING
 * and the others. False: the name does not fit, or the record is not wanted any more. */
bool aftermath_file_name(const struct aftermath *aftermath, const char *suffix, char *to,
                         size_t size) MUST_CHECK;

/* Notes that the command buffer has begun this recording (gpu_command_buffer::recording). */
void aftermath_note_recording(struct aftermath *aftermath, VkCommandBuffer command_buffer,
                              uint32_t recording);

#endif
