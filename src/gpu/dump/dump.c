/* Builds a command's dump from its parts, if it is requested, and delivers it. Suspicious values
 * are marked with an exclamation mark, whether or not a rule forbids them. */
#include "gpu/dump/dump.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gpu/dump/dump_text.h"
#include "report/finding/finding.h"
#include "report/finding/reporter.h"
#include "spirv/module/reflect.h"
#include "state/pipeline/pipeline.h"
#include "vk/pointer.h"

/* Index of the compute bind point in command_buffer::bind. */
#define COMPUTE_POINT 1
/* The index of the compute stage in command_buffer::shaders, among the graphics stages. */
#define COMPUTE_SHADER 5

/* The initial memory of the builders of a dump, on the stack. */
struct room {
    char text[4096], json[4096], marks[512], marks_json[512];
};

/* True if gpu_dump_commands selects the command, by its name or by the name of a surrounding
 * label. */
static bool is_chosen(const struct call *call)
{
    const struct setting_list *globs = &call->instance->settings.gpu_dump_commands;
    return !globs->count || setting_list_matches(globs, command_name[call->command]) ||
           reporter_is_label_named(call->instance->reporter, call->object, globs);
}

/* Begins a dump for the call's command. Returns false if the command is not selected; nothing is
 * written then. */
static bool dump_begin(struct dump *dump, struct room *room, const struct call *call)
{
    *dump = (struct dump){
        .call = call, .device = call->device, .command_buffer = call_command_buffer(call)};
    if (!dump->command_buffer || !is_chosen(call))
        return false;
    string_builder_begin(&dump->text, room->text, sizeof(room->text));
    string_builder_begin(&dump->json, room->json, sizeof(room->json));
    string_builder_begin(&dump->marks, room->marks, sizeof(room->marks));
    string_builder_begin(&dump->marks_json, room->marks_json, sizeof(room->marks_json));
    string_builder_format(&dump->json, "{\"command\":%u", dump->command_buffer->command_number);
    return true;
}

/* Frees what the builders allocated beyond the room on the stack. */
static void dump_end(struct dump *dump)
{
    string_builder_end(&dump->text);
    string_builder_end(&dump->json);
    string_builder_end(&dump->marks);
    string_builder_end(&dump->marks_json);
}

/* Returns the object that the dump's finding is about: the pipeline, or one shader object. NULL:
 * none is known. */
static const struct finding_objects *objects_of(const struct dump *dump,
                                                struct finding_objects *objects)
{
    objects->count = 1;
    if (dump->pipeline)
        objects->list[0] =
            (struct finding_object){HANDLE_PIPELINE, object_state_handle(&dump->pipeline->base)};
    else if (dump->object)
        objects->list[0] =
            (struct finding_object){HANDLE_SHADER_EXT, object_state_handle(&dump->object->base)};
    else
        return NULL;
    return objects;
}

/* Delivers the dump, as an information or to stdout. `what` names its contents, such as "the
 * descriptors". */
static void dump_report(struct dump *dump, const char *what)
{
    struct finding_details details = {.json_key = "gpuDump"};
    struct finding_objects objects;
    char wrong[64] = "", sentence[256];
    if (dump->wrong)
        snprintf(wrong, sizeof(wrong), ", of which %u look%s wrong", dump->wrong,
                 dump->wrong == 1 ? "s" : "");
    snprintf(sentence, sizeof(sentence), "what %s of command %u refer to%s:", what,
             dump->command_buffer->command_number, wrong);
    string_builder_add(&dump->json, "}");
    if (dump->call->instance->settings.gpu_dump_to_stdout) {
        printf("%s(): %s\n%s\n", command_name[dump->call->command], sentence, dump->text.text);
        (void)fflush(stdout);
        return;
    }
    details.sections[0] = (struct finding_section){"bound", dump->text.text};
    details.section_count = 1;
    details.json = dump->json.text;
    (void)finding_with_details(dump->call, SEVERITY_INFO, ASSAY_GpuDump, objects_of(dump, &objects),
                               &details, sentence);
}

/* --- descriptors of shaders --- */

/* Adds a shader to those whose bindings are dumped. A shader without reflection, or beyond
 * DUMP_STAGES, is left out. */
static void add_stage(struct dump *dump, const struct shader *shader, uint32_t entry_point)
{
    const struct spirv_reflection *code = shader ? shader->reflection : NULL;
    if (code && entry_point < code->entry_count && dump->stage_count < DUMP_STAGES)
        dump->stages[dump->stage_count++] = (struct dump_stage){code, &code->entries[entry_point]};
}

/* Finds the pipeline or shader objects of a bind point, and their stages. */
static void find_stages(struct dump *dump, uint32_t point)
{
    dump->bind = &dump->command_buffer->bind[point];
    dump->pipeline = pipeline_by_id(dump->bind->pipeline);
    if (dump->pipeline)
        dump->heaps = dump->pipeline->flags & VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT;
    for (uint32_t i = 0; dump->pipeline && i < dump->pipeline->stage_count; i++)
        add_stage(dump, dump->pipeline->stage[i].shader, dump->pipeline->stage[i].entry_point);
    for (uint32_t i = 0; !dump->bind->pipeline && i < BOUND_SHADERS; i++) {
        const struct shader_object *object =
            (i == COMPUTE_SHADER) == (point == COMPUTE_POINT) && dump->command_buffer->shaders[i]
                ? shader_object_by_id(dump->command_buffer->shaders[i])
                : NULL;
        if (!object)
            continue;
        /* Shader objects that run together have the same sets; the one with the most sets is
         * kept. */
        if (!dump->object || object->set_layout_count > dump->object->set_layout_count)
            dump->object = object;
        dump->heaps |= (object->flags & VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT) != 0;
        add_stage(dump, object->shader, object->entry_point);
    }
}

/* Returns a mask: bit n is set if a shader statically uses set n. */
static uint32_t used_sets(const struct dump *dump)
{
    uint32_t used = dump->pipeline ? dump->pipeline->used_sets : 0;
    for (uint32_t i = 0; i < dump->stage_count && !dump->pipeline; i++) {
        const struct spirv_entry_point *entry = dump->stages[i].entry;
        for (uint32_t k = 0; k < entry->binding_count; k++) {
            const uint32_t set = dump->stages[i].code->bindings[entry->first_binding + k].set;
            used |= set < BOUND_SETS ? 1u << set : 0;
        }
    }
    return used;
}

/* Writes the sets whose bits are set in `used`, in the order of their numbers. */
static void write_sets(struct dump *dump, uint32_t used)
{
    string_builder_add(&dump->json, ",\"sets\":[");
    for (bool first = true; used; used &= used - 1, first = false) {
        const uint32_t number = (uint32_t)__builtin_ctz(used);
        string_builder_add(&dump->json, first ? "" : ",");
        dump_set(dump, number);
    }
    string_builder_add(&dump->json, "]");
}

void dump_command(struct call *call, uint32_t point)
{
    assert(point <= BIND_POINTS);
    struct dump dump;
    struct room room;
    if (point >= BIND_POINTS || !call->instance->settings.gpu_dump_descriptors ||
        !dump_begin(&dump, &room, call))
        return;
    find_stages(&dump, point);
    /* With heaps, sets and bindings of shaders are mapped to places in the heaps, which the state
     * tracker does not know. */
    const uint32_t used = dump.heaps ? 0 : used_sets(&dump);
    write_sets(&dump, used);
    if (dump.heaps)
        dump_heaps(&dump);
    /* No dump is reported if the shaders use neither descriptors nor addresses. */
    const bool addresses = dump_pushed(&dump);
    if (dump.heaps)
        dump_report(&dump, addresses ? "the heaps and pushed addresses" : "the heaps");
    else if (used)
        dump_report(&dump, addresses ? "the descriptors and pushed addresses" : "the descriptors");
    else if (addresses)
        dump_report(&dump, "the pushed addresses");
    dump_end(&dump);
}

/* --- structures that commands read from memory --- */

void dump_indirect_copies(struct call *call, const VkStridedDeviceAddressRangeKHR *range,
                          uint32_t count, bool to_image)
{
    struct dump dump;
    struct room room;
    if (!call->instance->settings.gpu_dump_copy_memory_indirect || pointer_is_bad(range) ||
        !dump_begin(&dump, &room, call))
        return;
    dump_copies(&dump, range, count, to_image);
    dump_report(&dump, "the structures");
    dump_end(&dump);
}

void dump_generated_commands(struct call *call, const VkGeneratedCommandsInfoEXT *info)
{
    struct dump dump;
    struct room room;
    if (!call->instance->settings.gpu_dump_device_generated_commands || pointer_is_bad(info) ||
        !dump_begin(&dump, &room, call))
        return;
    dump_generated(&dump, info);
    dump_report(&dump, "the sequences");
    dump_end(&dump);
}
