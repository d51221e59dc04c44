/* Writes what was submitted to a lost device, and how far the device came. */
#include "assay/run/stream_lost.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void write_object(FILE *to, struct json_object *object)
{
    const char *name = json_text(object, "name");
    fprintf(to, "%s %s", json_text_or(object, "type"), json_text_or(object, "handle"));
    if (name)
        fprintf(to, " \"%s\"", name);
}

static void begin_line(FILE *to, int depth)
{
    fprintf(to, "\n%*s", 8 + 4 * depth, "");
}

static void write_command(FILE *to, int depth, const char *what, struct json_object *command)
{
    struct json_object *pipeline = json_object_object_get(command, "pipeline");
    if (!command)
        return;
    begin_line(to, depth);
    fprintf(to, "%s: command %" PRIu64 ", %s", what, json_number(command, "number"),
            json_text_or(command, "command"));
    if (pipeline) {
        fputs(", ", to);
        write_object(to, pipeline);
    }
    if (json_text(command, "labels"))
        fprintf(to, ", in %s", json_text(command, "labels"));
    fprintf(to, ", by %s", json_text_or(command, "caller"));
}

/* Writes how far a command buffer came, after its name. A secondary in it is one level deeper. */
static void write_progress(FILE *to, struct json_object *command_buffer, int depth)
{
    const uint64_t done = json_number(command_buffer, "done");
    struct json_object *executed = json_object_object_get(command_buffer, "executed"), *secondary;
    size_t index, count;
    if (!json_object_object_get(command_buffer, "commands"))
        return;
    fprintf(to, ": %" PRIu64 " of %" PRIu64 " marked commands %s known to be done", done,
            json_number(command_buffer, "commands"), done == 1 ? "is" : "are");
    if (json_object_object_get(command_buffer, "begun"))
        fprintf(to, ", %" PRIu64 " had begun", json_number(command_buffer, "begun"));
    if (json_object_object_get(command_buffer, "executions"))
        fprintf(to, ", in one of its %" PRIu64 " executions",
                json_number(command_buffer, "executions"));
    write_command(to, depth + 1, "last known to be done",
                  json_object_object_get(command_buffer, "lastDone"));
    write_command(to, depth + 1, "first not known to be done",
                  json_object_object_get(command_buffer, "firstNotDone"));
    JSON_EACH_ELEMENT(executed, index, count, secondary)
    {
        begin_line(to, depth + 1);
        fprintf(to, "command %" PRIu64 " executes ", json_number(secondary, "by"));
        write_object(to, secondary);
        fprintf(to, " (its pCommandBuffers[%" PRIu64 "])", json_number(secondary, "element"));
        write_progress(to, secondary, depth + 1);
    }
}

static void write_submission(FILE *to, struct json_object *submission)
{
    struct json_object *command_buffers = json_object_object_get(submission, "commandBuffers"),
                       *command_buffer;
    size_t index, count;
    fprintf(to, "\n    submission %" PRIu64, json_number(submission, "number"));
    if (json_text(submission, "labels"))
        fprintf(to, ", in %s", json_text(submission, "labels"));
    JSON_EACH_ELEMENT(command_buffers, index, count, command_buffer)
    {
        begin_line(to, 0);
        write_object(to, command_buffer);
        write_progress(to, command_buffer, 0);
    }
}

char *lost_pending(struct json_object *lost)
{
    struct json_object *queues = json_object_object_get(lost, "queues"), *queue, *submission;
    size_t index, count, of_queue, submissions, length;
    char *text = NULL;
    FILE *to = json_length(queues) ? open_memstream(&text, &length) : NULL;
    if (!to)
        return NULL;
    JSON_EACH_ELEMENT(queues, index, count, queue)
    {
        fputs(index ? "\n" : "", to);
        write_object(to, queue);
        fprintf(to, " of family %" PRIu64, json_number(queue, "family"));
        JSON_EACH_ELEMENT(json_object_object_get(queue, "submissions"), of_queue, submissions,
                          submission)
        write_submission(to, submission);
    }
    fclose(to);
    return text;
}

char *lost_fault(struct json_object *lost)
{
    struct json_object *fault = json_object_object_get(lost, "fault"), *address, *vendor;
    size_t index, count, length;
    char *text = NULL;
    const char *description = json_text_or(fault, "description");
    FILE *to = json_text(fault, "description") ? open_memstream(&text, &length) : NULL;
    if (!to)
        return NULL;
    fputs(description, to);
    JSON_EACH_ELEMENT(json_object_object_get(fault, "addresses"), index, count, address)
    {
        fprintf(to, "%s%s at %s", index || *description ? "\n" : "", json_text_or(address, "type"),
                json_text_or(address, "address"));
        if (json_number(address, "precision") > 1)
            fprintf(to, " (give or take %" PRIu64 " bytes)", json_number(address, "precision"));
    }
    JSON_EACH_ELEMENT(json_object_object_get(fault, "vendor"), index, count, vendor)
    fprintf(to, "\n%s", json_string(vendor) ? json_string(vendor) : "?");
    fclose(to);
    return text;
}
