/* Reports that the device is lost, with its pending work and how far it came. That is one finding,
 * in the first call that returns VK_ERROR_DEVICE_LOST. For each queue with work that may not be
 * done it names the last submissions, if they are recorded (state/object/aftermath.h). It says how
 * many commands of each command buffer are done (gpu/breadcrumbs/breadcrumbs.h), and which faults
 * the driver reports (VK_EXT_device_fault). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gpu/device/areas.h"
#include "gpu/breadcrumbs/breadcrumbs.h"
#include "gpu/gpu.h"
#include "report/sink/caller.h"
#include "report/finding/finding.h"
#include "report/finding/reporter.h"
#include "state/object/aftermath.h"
#include "state/memory/device_address.h"
#include "state/pipeline/pipeline.h"
#include "state/submit/queue.h"

#define FAULTS_MOST 16u /* faults of each kind that are reported */
/* executions that are reported of the secondaries of one command buffer */
#define EXECUTIONS_TOLD 4u

/* The finding while it is being written: the same facts as text and as JSON. */
struct lost {
    const struct call *call;
    struct device *device;
    struct string_builder text, json;
    uint32_t queues; /* number of queues that were written about */
};

/* Appends to the text only. JSON has its own form of the same fact, which the caller adds. */
static void lost_add(struct lost *lost, const char *text)
{
    string_builder_add(&lost->text, text);
}

/* Writes an object: `VkQueue 0x1234 "graphics"`, and in JSON its members. */
static void lost_write_object(struct lost *lost, const char *type, struct object *object,
                              uint64_t handle)
{
    struct reporter *reporter = lost->device->instance->reporter;
    char *name = object && reporter ? reporter_copy_name(reporter, object) : NULL;
    string_builder_format(&lost->text, "%s 0x%" PRIx64, type, handle);
    string_builder_format(&lost->json, "\"type\":\"%s\",\"handle\":\"0x%" PRIx64 "\"", type,
                          handle);
    if (name) {
        string_builder_format(&lost->text, " \"%s\"", name);
        lost_add(lost, "");
        string_builder_add(&lost->json, ",\"name\":\"");
        string_builder_add_json(&lost->json, name);
        string_builder_add(&lost->json, "\"");
    }
    mem_free(name);
}

/* --- command buffers --- */

/* Begins a line of the text, `depth` levels below that of a command buffer in a submission. */
static void lost_begin_line(struct lost *lost, uint32_t depth)
{
    lost_add(lost, "\n        ");
    for (uint32_t i = 0; i < depth; i++)
        lost_add(lost, "    ");
}

/* Writes one command of a trail: its number, name, pipeline, labels and caller. `what` and `key`
 * introduce it in text and JSON. */
static void lost_write_command(struct lost *lost, uint32_t depth, const char *what, const char *key,
                               const struct breadcrumb_trail *trail, uint32_t index)
{
    const struct breadcrumb *crumb = &trail->list[index];
    const struct caller_text caller = caller_text(lost->call, crumb->caller);
    const struct pipeline *pipeline = pipeline_by_id(crumb->pipeline);
    char labels[256];
    breadcrumb_labels(trail, crumb->label, labels, sizeof(labels));
    lost_begin_line(lost, depth);
    string_builder_format(&lost->text, "%s: command %u, %s", what, crumb->number,
                          command_name[crumb->command]);
    string_builder_format(&lost->json, ",\"%s\":{\"number\":%u,\"command\":\"%s\"", key,
                          crumb->number, command_name[crumb->command]);
    if (pipeline) {
        lost_add(lost, ", ");
        string_builder_add(&lost->json, ",\"pipeline\":{");
        lost_write_object(lost, "VkPipeline", pipeline->base.object,
                          object_state_handle(&pipeline->base));
        string_builder_add(&lost->json, "}");
    }
    if (labels[0]) {
        string_builder_format(&lost->text, ", in %s", labels);
        string_builder_add(&lost->json, ",\"labels\":\"");
        string_builder_add_json(&lost->json, labels);
        string_builder_add(&lost->json, "\"");
    }
    string_builder_format(&lost->text, ", by %s", caller.text);
    string_builder_add(&lost->json, ",\"caller\":\"");
    string_builder_add_json(&lost->json, caller.text);
    string_builder_add(&lost->json, "\"}");
}

static void write_executions(struct lost *lost, VkQueue queue,
                             const struct breadcrumb_progress *progress, uint32_t depth);

/* Writes how far the command buffer came, following its name: in text as a sentence, in JSON as
 * members. */
static void write_progress(struct lost *lost, VkQueue queue,
                           const struct breadcrumb_progress *progress, uint32_t depth)
{
    const struct breadcrumb_trail *trail = progress->trail;
    string_builder_format(&lost->text, ": %u of %u marked commands%s known to be done",
                          progress->done, trail->count, progress->done == 1 ? " is" : " are");
    string_builder_format(&lost->json, ",\"commands\":%u,\"done\":%u", trail->count,
                          progress->done);
    if (progress->begun_known) {
        string_builder_format(&lost->text, ", %u had begun", progress->begun);
        string_builder_format(&lost->json, ",\"begun\":%u", progress->begun);
    }
    if (progress->executions > 1) {
        string_builder_format(&lost->text, ", in one of its %u executions", progress->executions);
        string_builder_format(&lost->json, ",\"executions\":%u", progress->executions);
    }
    if (progress->done)
        lost_write_command(lost, depth + 1, "last known to be done", "lastDone", trail,
                           progress->done - 1);
    if (progress->done < trail->count)
        lost_write_command(lost, depth + 1, "first not known to be done", "firstNotDone", trail,
                           progress->done);
    if (depth < BREADCRUMB_NESTING)
        write_executions(lost, queue, progress, depth + 1);
}

/* True if an execution is listed. Executions that are known to be done are left out, and so are
 * those after the first that has not begun. */
static bool progress_is_interesting(const struct breadcrumb_progress *within, bool first)
{
    if (!within->trail || (within->executions == 1 && within->done == within->trail->count))
        return false;
    return first || within->done || (within->begun_known && within->begun);
}

/* Writes an execution: `command 4 executes VkCommandBuffer 0x1234 "shadows" (its
 * pCommandBuffers[1]): 1 of ...` */
static void write_execution(struct lost *lost, VkQueue queue,
                            const struct breadcrumb_progress *outer,
                            const struct breadcrumb_execution *execution,
                            const struct breadcrumb_progress *within, uint32_t depth)
{
    struct object *object = object_find_id(execution->command_buffer, HANDLE_COMMAND_BUFFER);
    const uint32_t number = outer->trail->list[execution->crumb].number;
    lost_begin_line(lost, depth);
    string_builder_format(&lost->text, "command %u executes ", number);
    string_builder_format(&lost->json, "{\"by\":%u,\"element\":%u,", number, execution->element);
    lost_write_object(lost, "VkCommandBuffer", object, object ? object_driver(object) : 0);
    string_builder_format(&lost->text, " (its pCommandBuffers[%u])", execution->element);
    write_progress(lost, queue, within, depth);
    string_builder_add(&lost->json, "}");
}

/* Writes the executions of secondaries that the command buffer may have reached. */
static void write_executions(struct lost *lost, VkQueue queue,
                             const struct breadcrumb_progress *progress, uint32_t depth)
{
    const struct breadcrumb_trail *trail = progress->trail;
    const uint32_t end = progress->begun_known && progress->begun > progress->done
                             ? progress->begun
                             : progress->done + 1;
    uint32_t told = 0, more = 0;
    for (uint32_t i = 0; i < trail->execution_count; i++) {
        const struct breadcrumb_execution *execution = &trail->executions[i];
        /* Executions before these commands are done, and those after them have not begun. */
        if (execution->crumb < progress->done || execution->crumb >= end)
            continue;
        const struct breadcrumb_progress within =
            breadcrumbs_progress_within(lost->device, queue, progress, execution);
        if (!progress_is_interesting(&within, !told))
            continue;
        if (told == EXECUTIONS_TOLD) {
            more++;
            continue;
        }
        string_builder_add(&lost->json, told++ ? "," : ",\"executed\":[");
        write_execution(lost, queue, progress, execution, &within, depth);
    }
    if (told)
        string_builder_add(&lost->json, "]");
    if (more) {
        lost_begin_line(lost, depth);
        string_builder_format(&lost->text, "and %u more", more);
    }
}

/* Writes one command buffer of a submission by its handle; if it has been freed since, no progress
 * is known. */
static void write_command_buffer(struct lost *lost, VkQueue queue, uint64_t handle)
{
    struct object *object =
        object_find_dispatchable((const void *)(uintptr_t)handle, HANDLE_COMMAND_BUFFER);
    const struct command_buffer *command_buffer = object ? object_load_state(object) : NULL;
    struct breadcrumb_progress progress = {.trail = NULL};
    lost_begin_line(lost, 0);
    string_builder_add(&lost->json, "{");
    lost_write_object(lost, "VkCommandBuffer", object, handle);
    if (command_buffer)
        progress = breadcrumbs_progress(lost->device, queue, command_buffer);
    if (progress.trail)
        write_progress(lost, queue, &progress, 0);
    string_builder_add(&lost->json, "}");
}

/* --- queues --- */

/* Writes one submission of a queue that is not known to be done. */
static void lost_write_submission(struct lost *lost, VkQueue queue,
                                  const struct aftermath_submission *submission)
{
    static const char *const kinds[] = {"", " (sparse binding)", " (present)"};
    const uint32_t count = submission->command_buffer_count;
    const uint32_t shown = count < AFTERMATH_COMMAND_BUFFERS ? count : AFTERMATH_COMMAND_BUFFERS;
    string_builder_format(&lost->text, "\n    submission %" PRIu64 "%s", submission->number,
                          kinds[submission->kind]);
    string_builder_format(&lost->json, "{\"number\":%" PRIu64, submission->number);
    if (submission->labels[0]) {
        string_builder_format(&lost->text, ", in %s", submission->labels);
        string_builder_add(&lost->json, ",\"labels\":\"");
        string_builder_add_json(&lost->json, submission->labels);
        string_builder_add(&lost->json, "\"");
    }
    string_builder_add(&lost->json, ",\"commandBuffers\":[");
    for (uint32_t i = 0; i < shown; i++) {
        string_builder_add(&lost->json, i ? "," : "");
        write_command_buffer(lost, queue, submission->command_buffers[i]);
    }
    if (shown < count)
        string_builder_format(&lost->text, "\n        and %u more", count - shown);
    string_builder_add(&lost->json, "]}");
}

/* Writes the submissions of one queue that are not known to be done, the oldest first, as the GPU
 * runs them. */
static void write_submissions(struct lost *lost, VkQueue handle,
                              const struct aftermath_queue *record, uint64_t completed)
{
    const uint64_t kept =
        record->count < AFTERMATH_SUBMISSIONS ? record->count : AFTERMATH_SUBMISSIONS;
    bool first = true;
    for (uint64_t i = kept; i-- > 0;) {
        const struct aftermath_submission *submission =
            &record->submissions[(record->count - i) % AFTERMATH_SUBMISSIONS];
        const uint64_t sequence = atomic_load_explicit(&submission->sequence, memory_order_acquire);
        if (!sequence || sequence <= completed || submission->kind > AFTERMATH_PRESENT)
            continue;
        string_builder_add(&lost->json, first ? "" : ",");
        lost_write_submission(lost, handle, submission);
        first = false;
    }
}

/* Writes a queue that has work which is not known to be done. */
static void lost_write_queue(struct lost *lost, const struct queue *queue)
{
    const struct aftermath *aftermath = aftermath_in_device(lost->device)->aftermath;
    const uint64_t completed = atomic_load_explicit(&queue->completed, memory_order_relaxed);
    const bool pending = atomic_load_explicit(&queue->submitted, memory_order_relaxed) > completed;
    const uint64_t handle = object_driver(queue->base.object);
    if (!pending)
        return;
    lost_add(lost, lost->queues ? "\n" : "");
    string_builder_add(&lost->json, lost->queues++ ? ",{" : "{");
    lost_write_object(lost, "VkQueue", queue->base.object, handle);
    string_builder_format(&lost->text, " of family %u", queue->family);
    string_builder_format(&lost->json, ",\"family\":%u,\"submissions\":[", queue->family);
    if (aftermath && queue->number && queue->number <= AFTERMATH_QUEUES)
        write_submissions(lost, (VkQueue)handle, &aftermath->queues[queue->number - 1], completed);
    string_builder_add(&lost->json, "]}");
}

/* --- the driver's report --- */

/* Writes an address at which the device faulted, and the buffer that has the address. */
static void write_address(struct lost *lost, const VkDeviceFaultAddressInfoEXT *info, bool first)
{
    static const char *const types[] = {"nothing",
                                        "an invalid read",
                                        "an invalid write",
                                        "an invalid execution",
                                        "an instruction pointer",
                                        "an instruction pointer",
                                        "an instruction pointer"};
    const char *type =
        (uint32_t)info->addressType < ARRAY_LENGTH(types) ? types[info->addressType] : "an access";
    const struct address_search near =
        device_address_find(lost->device, info->reportedAddress, 1, 0);
    string_builder_format(&lost->text, "%s%s at 0x%" PRIx64, first ? "" : "\n", type,
                          info->reportedAddress);
    if (info->addressPrecision > 1)
        string_builder_format(&lost->text, " (give or take %" PRIu64 " bytes)",
                              info->addressPrecision);
    if (near.match == ADDRESS_FOUND)
        string_builder_format(&lost->text, ", in VkBuffer 0x%" PRIx64,
                              object_state_handle(&near.buffer->base));
    else if (near.match == ADDRESS_NOWHERE)
        lost_add(lost, ", in no buffer whose address the program has asked for");
    string_builder_format(&lost->json,
                          "%s{\"type\":\"%s\",\"address\":\"0x%" PRIx64 "\",\"precision\":%" PRIu64
                          "}",
                          first ? "" : ",", type, info->reportedAddress, info->addressPrecision);
}

/* Writes the report of VK_EXT_device_fault. Returns false if it has none, or the program did not
 * enable it. */
static bool write_faults(struct lost *lost)
{
    const PFN_vkGetDeviceFaultInfoEXT get = lost->device->dispatch.GetDeviceFaultInfoEXT;
    VkDeviceFaultCountsEXT counts = {.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT};
    VkDeviceFaultAddressInfoEXT addresses[FAULTS_MOST];
    VkDeviceFaultVendorInfoEXT vendors[FAULTS_MOST];
    VkDeviceFaultInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT,
                                 .pAddressInfos = addresses,
                                 .pVendorInfos = vendors};
    if (!get || !device_has_feature(lost->device, FEATURE_FaultFeaturesEXT_deviceFault) ||
        get(lost->device->handle, &counts, NULL) < VK_SUCCESS)
        return false;
    counts.addressInfoCount =
        counts.addressInfoCount < FAULTS_MOST ? counts.addressInfoCount : FAULTS_MOST;
    counts.vendorInfoCount =
        counts.vendorInfoCount < FAULTS_MOST ? counts.vendorInfoCount : FAULTS_MOST;
    /* The vendor's binary is for the vendor's tools; the program may query it itself. */
    counts.vendorBinarySize = 0;
    if (get(lost->device->handle, &counts, &info) < VK_SUCCESS)
        return false;
    /* A driver in trouble may have left the description without a terminating zero. */
    info.description[VK_MAX_DESCRIPTION_SIZE - 1] = 0;
    string_builder_add(&lost->json, "\"description\":\"");
    string_builder_add_json(&lost->json, info.description);
    string_builder_add(&lost->json, "\",\"addresses\":[");
    lost_add(lost, info.description);
    for (uint32_t i = 0; i < counts.addressInfoCount; i++) {
        lost_add(lost, !i && info.description[0] ? "\n" : "");
        write_address(lost, &addresses[i], i == 0);
    }
    string_builder_add(&lost->json, "],\"vendor\":[");
    for (uint32_t i = 0; i < counts.vendorInfoCount; i++) {
        vendors[i].description[VK_MAX_DESCRIPTION_SIZE - 1] = 0;
        string_builder_format(&lost->text, "\n%s (code %" PRIu64 ", data %" PRIu64 ")",
                              vendors[i].description, vendors[i].vendorFaultCode,
                              vendors[i].vendorFaultData);
        string_builder_add(&lost->json, i ? ",\"" : "\"");
        string_builder_add_json(&lost->json, vendors[i].description);
        string_builder_add(&lost->json, "\"");
    }
    string_builder_add(&lost->json, "]");
    return lost->text.length != 0;
}

/* --- the finding --- */

/* Reports the lost device: pending work by queue, and the driver's report of the fault. */
static void lost_report(struct lost *lost)
{
    struct finding_details details = {.json_key = "deviceLost"};
    char fault_buffer[1024];
    /* The text is kept aside while the text of the fault is written to another buffer. */
    struct string_builder queues = lost->text;
    string_builder_add(&lost->json, "{\"queues\":[");
    for (const struct queue *queue = device_queues(lost->device); queue; queue = queue->next)
        lost_write_queue(lost, queue);
    queues = lost->text;
    string_builder_begin(&lost->text, fault_buffer, sizeof(fault_buffer));
    string_builder_add(&lost->json, "],\"fault\":{");
    const bool faults = write_faults(lost);
    string_builder_add(&lost->json, "}}");
    if (lost->queues)
        details.sections[details.section_count++] =
            (struct finding_section){"pending", queues.text};
    if (faults)
        details.sections[details.section_count++] =
            (struct finding_section){"fault", lost->text.text};
    details.json = lost->json.text;
    const char *text = "the device is lost. What was not known to be done:";
    if (!lost->queues)
        text = "the device is lost. No queue had work that was not known to be done.";
    else if (!gpu_in_device(lost->device)->breadcrumbs)
        text = "the device is lost. Work of these queues was not known to be done; the setting "
               "breadcrumbs tells which commands were.";
    if (lost->queues || faults)
        (void)finding_with_details(lost->call, SEVERITY_WARNING, ASSAY_DeviceLost,
                                   OBJECT(HANDLE_DEVICE, object_driver(lost->device->object)),
                                   &details, text);
    string_builder_end(&lost->text);
    lost->text = queues;
}

void gpu_tell_lost(const struct call *call)
{
    /* Room on the stack for most reports; a builder that needs more allocates it. */
    char text[4096], json[4096];
    struct lost lost = {.call = call, .device = call->device};
    string_builder_begin(&lost.text, text, sizeof(text));
    string_builder_begin(&lost.json, json, sizeof(json));
    lost_report(&lost);
    string_builder_end(&lost.text);
    string_builder_end(&lost.json);
}
