/* Writes a finding about an element of vkCmdExecuteCommands. */
#include "core/record/execute_commands.h"

#include "report/finding/rule.h"

#include <stdio.h>

/* The secondary as the only object of a finding, which is kept in `storage`. */
static const struct finding_objects *objects_of(const struct execution *e,
                                                struct finding_objects *storage)
{
    *storage = (struct finding_objects){
        .count = 1, .list = {{HANDLE_COMMAND_BUFFER, (uint64_t)(uintptr_t)e->handle}}};
    return storage;
}

bool execution_report(const struct execution *e, enum vuid vuid, const char *format, ...)
{
    assert(e->where && format);
    struct finding_objects objects;
    char text[1024]; /* with up to four names of 192 bytes */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    return BROKEN_BY(e->call, vuid, e->where, objects_of(e, &objects), "%s", text);
}
