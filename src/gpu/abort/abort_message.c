/* Reads the messages of shaders that gave up. They are in the ring (RING_ABORT, spirv/abi.h),
 * and become bytes for the program, and findings. */
#include "gpu/abort/abort.h"

#include <string.h>

#include "base/string_builder.h"
#include "gpu/device/areas.h"
#include "gpu/device/drain.h"
#include "gpu/pipeline/pipeline.h"
#include "base/vec.h"
#include "report/finding/finding.h"
#include "spirv/abort/abort.h"

/* Findings of one device: what a million invocations have to say is there for
 * vkGetDeviceFaultDebugInfoKHR. */
#define TOLD_MOST 1000u

static uint32_t load(const struct gpu_aborts *aborts, uint32_t word)
{
    return atomic_load_explicit(&gpu_in_device(aborts->device)->gpu->ring.words[word],
                                memory_order_acquire);
}

/* --- finding them --- */

static const struct spirv_abort_site *find_site(const struct gpu_aborts *aborts,
                                                const uint32_t *record, uint32_t words)
{
    const struct gpu_shader *shader = gpu_shader_find(aborts->device, record[ABORT_SHADER]);
    const struct spirv_abort_sites *sites = shader ? shader->aborts : NULL;
    if (!sites || record[ABORT_SITE] >= sites->count)
        return NULL;
    const struct spirv_abort_site *site = &sites->sites[record[ABORT_SITE]];
    return words - ABORT_MESSAGE >= site->word_count ? site : NULL;
}

void aborts_collect(struct gpu_aborts *aborts)
{
    const uint32_t units = load(aborts, RING_ABORT_USED),
                   end = (units < ABORT_UNITS ? units : ABORT_UNITS) * ABORT_UNIT;
    uint32_t capacity = 0;
    aborts->missing = load(aborts, RING_ABORT_LOST);
    for (uint32_t at = 0, size; at < end; at += (size + ABORT_UNIT - 1) / ABORT_UNIT * ABORT_UNIT) {
        /* A program that writes where it may not can have written here, too: nothing is believed.
         * 0: a shader that never came to an end. */
        size = load(aborts, RING_ABORT + at + ABORT_SIZE);
        if (size < ABORT_MESSAGE || size > end - at)
            break;
        const struct gpu_ring *ring = &gpu_in_device(aborts->device)->gpu->ring;
        /* no shader writes there now */
        const uint32_t *record = (const uint32_t *)(const void *)&ring->words[RING_ABORT + at];
        const struct spirv_abort_site *site = find_site(aborts, record, size);
        if (!vec_room(&aborts->messages, aborts->message_count, &capacity, 16,
                      sizeof(*aborts->messages)))
            break;
        if (site)
            aborts->messages[aborts->message_count++] = (struct abort_message){site, record, size};
    }
}

/* --- their bytes --- */

static void put_together(const struct abort_message *message, unsigned char *to)
{
    (void)spirv_abort_message(message->site, message->record + ABORT_MESSAGE,
                              message->words - ABORT_MESSAGE, to);
}

uint64_t aborts_write(const struct gpu_aborts *aborts, unsigned char *to, uint64_t room, bool *all)
{
    uint64_t end = 0;
    *all = true;
    for (uint32_t i = 0; i < aborts->message_count; i++) {
        const struct abort_message *message = &aborts->messages[i];
        /* of a pair: 8-byte aligned */
        const uint64_t begin = (end + 7) & ~UINT64_C(7), size = message->site->size;
        if (to && begin + sizeof(size) + size > room) {
            *all = false;
            break;
        }
        if (to) {
            memset(to + end, 0, (size_t)(begin - end));
            memcpy(to + begin, &size, sizeof(size));
            put_together(message, to + begin + sizeof(size));
        }
        end = begin + sizeof(size) + size;
    }
    return end;
}

/* --- in words --- */

void aborts_describe(const struct abort_message *message, struct string_builder *to)
{
    unsigned char *bytes = mem_alloc(message->site->size + (size_t)1);
    if (!bytes)
        return;
    put_together(message, bytes);
    spirv_abort_format(message->site, bytes, to);
    mem_free(bytes);
}

static void tell(struct call *call, struct gpu_aborts *aborts, uint32_t index,
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
    if (!aborts_lost(aborts) || atomic_exchange_explicit(&aborts->told, true, memory_order_relaxed))
        return;
    for (uint32_t i = 0; i < aborts->message_count && i < TOLD_MOST; i++)
        tell(call, aborts, i, &parsed);
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
    spirv_module_free(&parsed.module);
}
