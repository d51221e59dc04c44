/* Finds the command that a shader's record names, in a process that has ended. */
#include "assay/aftermath/aftermath_commands.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json_object.h>

#include "base/aftermath.h"
#include "assay/store/json.h"

bool dead_commands_are_whole(const struct aftermath_commands *commands, size_t size)
{
    return commands && size >= sizeof(*commands) && commands->layout == AFTERMATH_LAYOUT;
}

/* --- finding --- */

/* Returns the command buffer with this recording; NULL: it was recorded again since, or is not
 * known. */
static const struct aftermath_object *find_recording(const struct aftermath *record,
                                                     uint32_t recording)
{
    for (size_t i = 0; recording && i < AFTERMATH_OBJECTS; i++) {
        if (record->objects[i].recording == recording && record->objects[i].handle)
            return &record->objects[i];
    }
    return NULL;
}

/* Returns the entry of a command; NULL: its place was used again, or was half written when the
 * process died. */
static const struct aftermath_command *find_entry(const struct aftermath_commands *commands,
                                                  uint32_t recording, uint32_t number)
{
    const struct aftermath_command *entry =
        &commands->commands[aftermath_place(recording, number) % AFTERMATH_COMMAND_PLACES];
    return entry->recording == recording && entry->number == number &&
                   entry->name < AFTERMATH_COMMAND_NAMES &&
                   entry->check == aftermath_check(entry, AFTERMATH_CHECKED(*entry))
               ? entry
               : NULL;
}

/* Returns a label, whose name is terminated; NULL: its place was used again, or was half
 * written. */
static const struct aftermath_label *find_label(const struct aftermath_commands *commands,
                                                uint32_t recording, uint32_t number)
{
    const struct aftermath_label *label =
        &commands->labels[aftermath_place(recording, number) % AFTERMATH_LABEL_PLACES];
    return label->recording == recording && label->number == number &&
                   label->check == aftermath_check(label, AFTERMATH_CHECKED(*label)) &&
                   memchr(label->name, 0, sizeof(label->name))
               ? label
               : NULL;
}

/* Finds the labels around a command, from the innermost outwards. A label whose place was used
 * again is "?", and the labels around that are not known. */
static void find_labels(struct dead_command *command, uint32_t innermost)
{
    const char *found[DEAD_LABELS];
    uint32_t count = 0;
    for (uint32_t number = innermost; number && count < DEAD_LABELS;) {
        const struct aftermath_label *label =
            find_label(command->commands, command->recording, number);
        found[count++] = label ? label->name : "?";
        number = label && label->parent < number ? label->parent : 0;
    }
    for (uint32_t i = 0; i < count; i++)
        command->labels[i] = found[count - 1 - i];
    command->label_count = count;
}

/* Returns the kept caller with this key; NULL: there is none, or it was half written. */
static const struct aftermath_caller *find_caller(const struct aftermath_commands *commands,
                                                  uint64_t key)
{
    for (uint32_t i = 0; key && i < AFTERMATH_CALLER_TRIES; i++) {
        const struct aftermath_caller *caller =
            &commands->callers[(aftermath_caller_place(key) + i) % AFTERMATH_CALLER_PLACES];
        if (caller->key == key)
            return caller->whole == 1 && memchr(caller->json, 0, sizeof(caller->json)) ? caller
                                                                                       : NULL;
    }
    return NULL;
}

struct dead_command dead_command_find(const struct aftermath *record,
                                      const struct aftermath_commands *commands, uint32_t recording,
                                      uint32_t number)
{
    struct dead_command command = {.record = record,
                                   .commands = commands,
                                   .recorded = find_recording(record, recording),
                                   .recording = recording,
                                   .number = number};
    const struct aftermath_command *entry =
        command.recorded && commands ? find_entry(commands, recording, number) : NULL;
    const char *name = entry ? commands->names[entry->name] : "";
    if (!name[0] || !memchr(name, 0, sizeof(commands->names[0])))
        return command;
    command.name = name;
    command.caller = find_caller(commands, entry->caller[0] | (uint64_t)entry->caller[1] << 32);
    find_labels(&command, entry->label);
    return command;
}

/* Finds the execution of the secondary command buffer with the command; NULL: there is none, or it
 * is not known. */
static const struct aftermath_execution *find_execution(const struct dead_command *command)
{
    const struct aftermath_execution *execution =
        command->commands
            ? &command->commands
                   ->executions[aftermath_place(command->recording, 0) % AFTERMATH_EXECUTION_PLACES]
            : NULL;
    return execution && execution->recording == command->recording && execution->count &&
                   execution->check == aftermath_check(execution, AFTERMATH_CHECKED(*execution))
               ? execution
               : NULL;
}

/* --- writing --- */

/* Writes the name, if there is one, and the handle, each in parentheses. */
static void write_command_buffer(const struct aftermath_object *object, FILE *to)
{
    if (object->name[0])
        fprintf(to, "(%s)", object->name);
    fprintf(to, "(0x%" PRIx64 ")", (uint64_t)object->handle);
}

/* Writes which primary command buffer has executed the command's; nothing if it was submitted
 * itself. For several executions only their number is written. */
static void write_execution(const struct dead_command *command, FILE *to)
{
    const struct aftermath_execution *execution = find_execution(command);
    const struct aftermath_object *primary =
        execution && execution->count == 1 ? find_recording(command->record, execution->primary)
                                           : NULL;
    if (execution && execution->count > 1)
        fprintf(to, " Executed %u times, and which of them it was is not known.", execution->count);
    if (!primary)
        return;
    fprintf(to, " Executed by command %u of command buffer ", execution->number);
    write_command_buffer(primary, to);
    fputc('.', to);
}

void dead_command_write(const struct dead_command *command, FILE *to)
{
    if (!command->recorded)
        return;
    fputs(" Command buffer ", to);
    write_command_buffer(command->recorded, to);
    fprintf(to, ", command %u", command->number);
    if (command->name)
        fprintf(to, ": %s", command->name);
    fputc('.', to);
    write_execution(command, to);
}

/* Describes a command buffer as JSON, in the form of findings. The caller owns the result. */
static struct json_object *describe_command_buffer(const struct aftermath_object *object)
{
    struct json_object *described = json_object_new_object();
    char handle[32];
    snprintf(handle, sizeof(handle), "0x%" PRIx64, (uint64_t)object->handle);
    json_object_object_add(described, "type", json_object_new_string("VkCommandBuffer"));
    json_object_object_add(described, "handle", json_object_new_string(handle));
    if (object->name[0])
        json_object_object_add(described, "name", json_object_new_string(object->name));
    return described;
}

/* Adds the command's number, command buffer and labels to a finding, as far as they are known. */
static void dead_command_tell(const struct dead_command *command, struct json_object *to)
{
    json_object_object_add(to, "command", json_object_new_int64(command->number));
    if (command->recorded)
        json_object_object_add(to, "commandBuffer", describe_command_buffer(command->recorded));
    struct json_object *labels = command->label_count ? json_object_new_array() : NULL;
    for (uint32_t i = 0; i < command->label_count; i++)
        json_object_array_add(labels, json_object_new_string(command->labels[i]));
    if (labels)
        json_object_object_add(to, "labels", labels);
}

void dead_command_describe(const struct dead_command *command, struct json_object *to)
{
    const struct aftermath_execution *execution = find_execution(command);
    dead_command_tell(command, to);
    if (!execution)
        return;
    json_object_object_add(to, "executions", json_object_new_int64(execution->count));
    if (execution->count != 1)
        return;
    struct json_object *list = json_object_new_array(), *element = json_object_new_object();
    const struct dead_command outer = dead_command_find(command->record, command->commands,
                                                        execution->primary, execution->number);
    dead_command_tell(&outer, element);
    dead_command_add_caller(&outer, element);
    json_object_array_add(list, element);
    json_object_object_add(to, "executedBy", list);
}

void dead_command_add_caller(const struct dead_command *command, struct json_object *to)
{
    const struct json_object_iterator none = {0};
    char *text = NULL;
    if (!command->caller || asprintf(&text, "{%s}", command->caller->json) < 0)
        return;
    struct json_object *members = json_read_once(text, strlen(text)), *value;
    struct json_object_iterator at = members ? json_members(members) : none;
    const char *name;
    while (members && json_next_member(&at, &name, &value))
        json_object_object_add(to, name, json_object_get(value));
    json_object_put(members);
    free(text);
}
