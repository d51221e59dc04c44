/* Finds the command that a shader's record names, in a process that has ended. It reads the
 * commands that the layer has kept (".commands" of src/base/aftermath.h). Everything there is
 * checked, as the process may have died while it wrote. */
#ifndef ASSAY_TOOL_AFTERMATH_COMMANDS_H
#define ASSAY_TOOL_AFTERMATH_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct aftermath;
struct aftermath_caller;
struct aftermath_commands;
struct aftermath_object;
struct json_object;

/* nested labels that are reported; further outer ones are left out */
#define DEAD_LABELS 16

/* A command as far as it is known. Its pointers lead into the records. */
struct dead_command {
    const struct aftermath *record;
    const struct aftermath_commands *commands; /* NULL: the layer has left nothing */
    /* the command buffer; NULL: it was recorded again since */
    const struct aftermath_object *recorded;
    uint32_t recording, number; /* as the record has them */
    const char *name; /* "vkCmdDraw"; NULL: it is not known, and neither is what follows */
    const struct aftermath_caller *caller; /* NULL: not known */
    uint32_t label_count;
    const char *labels[DEAD_LABELS]; /* the outermost first */
};

/* True if the mapped file has the layout of this layer. */
bool dead_commands_are_whole(const struct aftermath_commands *commands, size_t size);

struct dead_command dead_command_find(const struct aftermath *record,
                                      const struct aftermath_commands *commands, uint32_t recording,
                                      uint32_t number);

/* Writes " Command buffer (frame 2)(0x1234), command 5: vkCmdDispatch. Executed by ..."; nothing if
 * the command buffer is not known. */
void dead_command_write(const struct dead_command *command, FILE *to);
/* Adds the members "command", "commandBuffer", "labels", "executions" and "executedBy", as far as
 * they are known. */
void dead_command_describe(const struct dead_command *command, struct json_object *to);
/* Adds the members "caller" and "stack". */
void dead_command_add_caller(const struct dead_command *command, struct json_object *to);

#endif
