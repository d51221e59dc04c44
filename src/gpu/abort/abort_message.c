/* Reports the messages of shaders that aborted as findings. They are read from the ring
 * (RING_ABORT, spirv/abi.h). */
#include "gpu/abort/abort.h"

#include <string.h>

#include "gpu/device/areas.h"
#include "gpu/device/drain.h"
#include "gpu/pipeline/pipeline.h"
#include "report/finding/finding.h"
#include "spirv/abort/abort.h"

/* The most findings of one device. vkGetDeviceFaultDebugInfoKHR gives the messages of all
 * invocations. */
#define TOLD_MOST 1000u

/* Reports one abort message as a finding of the command that it came from. `parsed` caches a parsed
 * shader. */
static void abort_message_report(struct call *call, struct gpu_aborts *aborts, uint32_t index,
                                 struct gpu_parsed *parsed)
{
    struct gpu_device *gpu = gpu_in_device(aborts->device)->gpu;
    const uint32_t *record = aborts->messages[index].record;
    struct gpu_found found = {.size = RECORD_CHECK_LENGTH};
    memcpy(&found.words[RECORD_SHADER], &record[ABORT_SHADER],
           (RECORD_ERROR - RECORD_SHADER) * sizeof(*record));
    found.words[RECORD_RECORDING] = RECORDING_OF(record[ABORT_RECORDING], record[ABORT_COMMAND]);
    found.words[RECORD_COMMAND] = COMMAND_OF(record[ABORT_COMMAND]);
    found.words[RECORD_ERROR] = ERROR_ABORT;
    found.words[RECORD_ERROR_WORDS] = index;
    lock_take(&gpu->drain_lock);
    found.origin =
        gpu_command_find(gpu, found.words[RECORD_RECORDING], found.words[RECORD_COMMAND]);
    lock_release(&gpu->drain_lock);
    gpu_report(call, &found, parsed);
}

void aborts_tell(struct call *call, struct gpu_aborts *aborts)
{
    struct gpu_parsed parsed = {0};
    /* The first call that sees the loss reports all messages; threads that see it later report
     * nothing. */
    if (!aborts_lost(aborts) || atomic_exchange_explicit(&aborts->told, true, memory_order_relaxed))
        return;
    for (uint32_t i = 0; i < aborts->message_count && i < TOLD_MOST; i++)
        abort_message_report(call, aborts, i, &parsed);
    const uint32_t kept = aborts->message_count;
    if (!kept)
        (void)
            finding(call, UNASSIGNED_Shader_Abort, NULL, NULL,
                    "A shader has aborted, and the device is lost. Its message could not be read");
    else if (kept > TOLD_MOST || aborts->missing)
        (void)finding_with_severity(call, SEVERITY_WARNING, WARNING_GPU_Assisted_Validation, NULL,
                                    NULL,
                                    "%u messages of shaders that aborted are not shown: %u found "
                                    "no more room, and the others are given by "
                                    "vkGetDeviceFaultDebugInfoKHR",
                                    (kept > TOLD_MOST ? kept - TOLD_MOST : 0) + aborts->missing,
                                    aborts->missing);
    /* One parsed module is kept from message to message, since most messages come from one
     * shader. */
    spirv_module_free(&parsed.module);
}
