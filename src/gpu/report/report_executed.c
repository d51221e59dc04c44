/* Names the vkCmdExecuteCommands that ran a record's secondary. It writes a sentence, and a section
 * with labels and caller. */
#include "gpu/report/report.h"

#include <inttypes.h>

#include "report/sink/caller.h"
#include "report/finding/reporter.h"

void gpu_write_command_buffer(struct string_builder *to, const struct gpu_message *message,
                              const char *what, uint64_t id)
{
    struct reporter *reporter = message->call.instance ? message->call.instance->reporter : NULL;
    struct object *object = id ? object_find_id(id, HANDLE_COMMAND_BUFFER) : NULL;
    char *name = object && reporter ? reporter_copy_name(reporter, object) : NULL;
    if (object)
        string_builder_format(to, " of %s 0x%" PRIx64, what, (uint64_t)object_driver(object));
    if (name)
        string_builder_format(to, " \"%s\"", name);
    mem_free(name);
}

void gpu_message_executed(const struct gpu_message *message, struct string_builder *to)
{
    const struct gpu_origin *origin = &message->found->origin;
    if (!origin->executor_count)
        return;
    string_builder_add(to, " Executed");
    if (origin->execution_count > 1)
        string_builder_format(to, " %u times, and which of them it was is not known:",
                              origin->execution_count);
    for (uint32_t i = 0; i < origin->executor_count; i++) {
        /* One execution: the list is a chain in which each recording is executed by the next.
         * Several executions: the list has alternatives. */
        string_builder_add(to, !i                            ? " by"
                               : origin->execution_count > 1 ? ", by"
                                                             : ", which is executed by");
        string_builder_format(to, " command %u", origin->executors[i].number);
        gpu_write_command_buffer(to, message, "command buffer",
                                 origin->executors[i].command_buffer);
    }
    string_builder_add(to, ".");
}

bool gpu_message_primary(const struct gpu_message *message, struct string_builder *to)
{
    const struct gpu_origin *origin = &message->found->origin;
    for (uint32_t i = 0; i < origin->executor_count; i++) {
        const struct gpu_executor *executor = &origin->executors[i];
        string_builder_format(to, "%svkCmdExecuteCommands, command %u", i ? "\n" : "",
                              executor->number);
        gpu_write_command_buffer(to, message, "VkCommandBuffer", executor->command_buffer);
        if (executor->labels[0])
            string_builder_format(to, "\nunder the label %s", executor->labels);
        if (executor->caller)
            string_builder_format(to, "\ncalled by %s",
                                  caller_text(&message->call, executor->caller).text);
    }
    return origin->executor_count != 0;
}
