/* Writes the facts of a hazard for tools: {"hazard": "READ_AFTER_WRITE", "this": {...}, "earlier":
 * {...}, "between": {...}, "mend": {...}} */
#include <inttypes.h>
#include <stdio.h>

#include "report/names/names_of_values.h"
#include "sync/advice/advice.h"
#include "sync/report/report_facts.h"
#include "sync/access/usage_mask.h"

#define SCOPE_STAGES 8 /* the most stages of a barrier that are listed */

/* Writes `,"key":`, without the comma for the first member. */
static void report_json_key(struct string_builder *json, const char *name)
{
    bool first = json->length && json->text[json->length - 1] == '{';
    string_builder_format(json, "%s\"%s\":", first ? "" : ",", name);
}

/* Writes a member whose value is a string; characters that JSON does not take are escaped. */
static void report_json_string(struct string_builder *json, const char *name, const char *value)
{
    report_json_key(json, name);
    string_builder_add(json, "\"");
    string_builder_add_json(json, value);
    string_builder_add(json, "\"");
}

/* Writes a member whose value is a whole number. */
static void report_json_number(struct string_builder *json, const char *name, uint64_t value)
{
    report_json_key(json, name);
    string_builder_format(json, "%" PRIu64, value);
}

/* Writes a member for an object; writes nothing if it is not known. */
static void report_json_object(struct string_builder *json, const char *name,
                               const struct report_object *value)
{
    if (value->type == HANDLE_NONE)
        return;
    report_json_key(json, name);
    message_write_json_object(json, value);
}

/* Writes the text that the function `write` makes, as a string. */
static void report_json_text(struct string_builder *json, const char *name,
                             void (*write)(struct string_builder *text,
                                           const struct report_facts *facts),
                             const struct report_facts *facts)
{
    char buffer[1024];
    struct string_builder builder;
    string_builder_begin(&builder, buffer, sizeof(buffer));
    write(&builder, facts);
    report_json_string(json, name, builder.text);
    string_builder_end(&builder);
}

/* Writes a member with the names of flags, one string each. */
static void report_json_flags(struct string_builder *json, const char *name, enum value_type type,
                              uint64_t bits)
{
    const char *separator = "";
    report_json_key(json, name);
    string_builder_add(json, "[");
    for (uint64_t left = bits; left; left &= left - 1) {
        string_builder_format(json, "%s\"", separator);
        value_write(json, type, left & -left);
        string_builder_add(json, "\"");
        separator = ",";
    }
    string_builder_add(json, "]");
}

/* Writes the member "range": bytes or subresources. */
static void report_json_extent(struct string_builder *json, const struct report_extent *extent)
{
    const VkImageSubresourceRange *range = &extent->range;
    if (extent->kind == EXTENT_UNKNOWN)
        return;
    report_json_key(json, "range");
    string_builder_add(json, "{");
    if (extent->kind == EXTENT_BYTES) {
        report_json_number(json, "offset", extent->offset);
        report_json_number(json, "size", extent->size);
    } else {
        report_json_flags(json, "aspects", VALUES_VkImageAspectFlags, range->aspectMask);
        report_json_number(json, "baseMipLevel", range->baseMipLevel);
        report_json_number(json, "levelCount", range->levelCount);
        report_json_number(json, "baseArrayLayer", range->baseArrayLayer);
        report_json_number(json, "layerCount", range->layerCount);
    }
    if (extent->texels.row_count) {
        report_json_number(json, "firstRow", extent->texels.first_row);
        report_json_number(json, "rowCount", extent->texels.row_count);
    }
    if (extent->texels.column_count) {
        report_json_number(json, "firstColumn", extent->texels.first_column);
        report_json_number(json, "columnCount", extent->texels.column_count);
    }
    string_builder_add(json, "}");
}

/* Writes the role of the resource, and the descriptor that it came from. */
static void report_json_source(struct string_builder *json, const struct access_source *source)
{
    char buffer[128];
    struct string_builder role;
    if (source->role == ROLE_PARAMETER)
        return;
    string_builder_begin(&role, buffer, sizeof(buffer));
    write_role(&role, source);
    report_json_string(json, "role", role.text);
    string_builder_end(&role);
    if (source->role != ROLE_DESCRIPTOR)
        return;
    report_json_number(json, "set", source->set);
    report_json_number(json, "binding", source->binding);
    report_json_number(json, "element", source->index);
}

/* Writes the caller of the command; writes nothing if the stack was not walked. */
static void report_json_caller(struct string_builder *json, const struct caller *caller)
{
    if (!caller->module && !caller->offset)
        return;
    report_json_key(json, "caller");
    message_write_json_caller(json, caller);
}

/* Writes the whole stack if it was kept, else its first caller. */
static void report_json_path(struct string_builder *json, const struct report_side *side)
{
    if (!side->path) {
        report_json_caller(json, &side->caller);
        return;
    }
    string_builder_add(json, ",");
    message_write_json_path(json, side->path);
}

/* Writes the labels around the command, the outermost first; an empty list if there are none. */
static void report_json_labels(struct string_builder *json, const struct report_side *side)
{
    report_json_key(json, "labels");
    string_builder_add(json, "[");
    for (uint32_t i = 0; i < side->label_count; i++) {
        string_builder_add(json, i ? ",\"" : "\"");
        string_builder_add_json(json, side->labels[i]);
        string_builder_add(json, "\"");
    }
    string_builder_add(json, "]");
}

/* Writes one of the two accesses as an object of this name. */
static void report_json_side(struct string_builder *json, const char *name,
                             const struct report_side *side)
{
    const struct sync_usage_info *info = &sync_usage_info[side->usage];
    report_json_key(json, name);
    string_builder_add(json, "{");
    if (side->known) {
        report_json_string(json, "command", command_name[side->command]);
        report_json_number(json, "index", side->command_index);
    }
    report_json_object(json, "commandBuffer", &side->command_buffer);
    if (side->executed) {
        report_json_number(json, "executedBy", side->executed_index);
        report_json_object(json, "primary", &side->executed_by);
    }
    report_json_object(json, "queue", &side->queue);
    if (side->submission)
        report_json_number(json, "submission", side->submission);
    report_json_string(json, "usage", sync_usage_name(side->usage));
    report_json_key(json, "write");
    string_builder_add(json, info->is_write ? "true" : "false");
    report_json_flags(json, "stages", VALUES_VkPipelineStageFlags2, info->stage_bit);
    report_json_flags(json, "accesses", VALUES_VkAccessFlags2, info->access);
    report_json_object(json, "resource", &side->resource);
    report_json_extent(json, &side->extent);
    if (side->more_ranges)
        report_json_number(json, "moreRanges", side->more_ranges);
    report_json_source(json, &side->source);
    report_json_labels(json, side);
    report_json_path(json, side);
    string_builder_add(json, "}");
}

/* Returns the words for a fault. They must not change, as tools compare them. */
static const char *fault_name(enum barrier_fault fault)
{
    static const char *const names[] = {
        [FAULT_NOTHING_THERE] = "no barrier",
        [FAULT_ELSEWHERE] = "elsewhere",
        [FAULT_EVENT] = "event set before",
        [FAULT_NOT_IN_FIRST_SCOPE] = "not in first scope",
        [FAULT_NOT_AVAILABLE] = "not made available",
        [FAULT_NOT_IN_SECOND_SCOPE] = "not in second scope",
        [FAULT_NOT_VISIBLE] = "not made visible",
    };
    return names[fault];
}

/* Writes the stages of one half of a barrier: the named stages only, if the half names accesses
 * too. If there are many, it writes the stages of the two accesses, and their total number. */
static void report_json_scope(struct string_builder *json, const char *side,
                              const struct sync_scope *scope, const struct report_facts *facts)
{
    char name[32];
    VkPipelineStageFlags2 stages = usage_mask_stage_flags(&scope->accesses);
    if (!stages)
        stages = sync_stage_flags(scope->stages);
    uint32_t count = (uint32_t)__builtin_popcountll(stages);
    if (count > SCOPE_STAGES)
        stages &= sync_usage_info[facts->self.usage].stage_bit |
                  sync_usage_info[facts->earlier.usage].stage_bit;
    snprintf(name, sizeof(name), "%sStages", side);
    report_json_flags(json, name, VALUES_VkPipelineStageFlags2, stages);
    snprintf(name, sizeof(name), "%sStageCount", side);
    report_json_number(json, name, count);
    snprintf(name, sizeof(name), "%sAccesses", side);
    report_json_flags(json, name, VALUES_VkAccessFlags2, usage_mask_access_flags(&scope->accesses));
}

/* Writes the barriers that stood between the accesses, with what each lacks. */
static void report_json_barriers(struct string_builder *json, const struct report_facts *facts)
{
    const struct report_between *between = &facts->between;
    report_json_key(json, "barriers");
    string_builder_add(json, "[");
    for (uint32_t i = 0; i < between->shown_count; i++) {
        const struct report_barrier *barrier = &between->shown[i];
        string_builder_add(json, i ? ",{" : "{");
        report_json_string(json, "command", command_name[barrier->command]);
        report_json_number(json, "index", barrier->command_index);
        if (barrier->count > 1)
            report_json_number(json, "barrierCount", barrier->count);
        report_json_string(json, "fault", fault_name(barrier->fault));
        report_json_scope(json, "src", &barrier->barrier.src, facts);
        report_json_scope(json, "dst", &barrier->barrier.dst, facts);
        if (barrier->all_memory)
            string_builder_add(json, ",\"allMemory\":true");
        report_json_object(json, "resource", &barrier->resource);
        if (barrier->path) {
            string_builder_add(json, ",");
            message_write_json_path(json, barrier->path);
        } else {
            report_json_caller(json, &barrier->caller);
        }
        string_builder_add(json, "}");
    }
    string_builder_add(json, "]");
}

/* Writes what stood between the two accesses. */
static void report_json_between(struct string_builder *json, const struct report_facts *facts)
{
    const struct report_between *between = &facts->between;
    report_json_key(json, "between");
    string_builder_add(json, "{");
    if (between->looked) {
        report_json_string(json, "fault", fault_name(between->fault));
        report_json_number(json, "barrierCommands", between->barrier_commands);
    }
    if (between->fault != FAULT_NOTHING_THERE && !between->dependency && !between->own) {
        report_json_string(json, "command", command_name[between->command]);
        report_json_number(json, "index", between->command_index);
    }
    report_json_flags(json, "orderedStages", VALUES_VkPipelineStageFlags2,
                      sync_stage_flags(between->ordered));
    report_json_flags(json, "visibleAccesses", VALUES_VkAccessFlags2,
                      usage_mask_access_flags(&between->visible));
    if (between->shown_count)
        report_json_barriers(json, facts);
    report_json_text(json, "text", write_hazard_between, facts);
    string_builder_add(json, "}");
}

/* Writes the operations on semaphores of the two submissions, those between them, and the host, the
 * earliest first. */
static void report_json_semaphores(struct string_builder *json, const struct report_facts *facts)
{
    report_json_key(json, "semaphores");
    string_builder_add(json, "[");
    for (uint32_t i = facts->semaphore_count; i--;) {
        const struct report_semaphore *semaphore = &facts->semaphores[i];
        string_builder_add(json, "{");
        report_json_key(json, "wait");
        string_builder_add(json, semaphore->operation.wait ? "true" : "false");
        report_json_object(json, "semaphore", &semaphore->semaphore);
        if (semaphore->operation.value)
            report_json_number(json, "value", semaphore->operation.value);
        if (semaphore->operation.ended_by > semaphore->operation.value)
            report_json_number(json, "signaledValue", semaphore->operation.ended_by);
        report_json_object(json, "queue", &semaphore->queue);
        if (semaphore->operation.host)
            string_builder_add(json, ",\"host\":true");
        else
            report_json_number(json, "submission", semaphore->operation.submission);
        report_json_flags(json, "stages", VALUES_VkPipelineStageFlags2,
                          semaphore->operation.stages);
        string_builder_add(json, i ? "}," : "}");
    }
    string_builder_add(json, "]");
}

/* Writes how the hazard is mended. */
static void report_json_mend(struct string_builder *json, const struct report_facts *facts)
{
    static const char *const names[] = {
        [MEND_BARRIER] = "barrier",
        [MEND_BARRIER_BEFORE] = "barrier",
        [MEND_SPLIT_BUILDS] = "barrier",
        [MEND_SPLIT_RENDERING] = "barrier",
        [MEND_WIDEN_SOURCE] = "wider first scope",
        [MEND_WIDEN_DESTINATION] = "wider second scope",
        [MEND_MOVE_BARRIER] = "barrier",
        [MEND_DEPENDENCY] = "subpass dependency",
        [MEND_SEMAPHORE] = "semaphore",
        [MEND_ACQUIRE] = "semaphore",
        [MEND_PRESENT] = "semaphore",
        [MEND_HOST] = "host wait",
    };
    report_json_key(json, "mend");
    string_builder_add(json, "{");
    report_json_string(json, "kind", names[facts->mend.kind]);
    report_json_text(json, "text", write_hazard_mend, facts);
    string_builder_add(json, "}");
}

void write_hazard_json(struct string_builder *json, const struct report_facts *facts)
{
    string_builder_add(json, "{");
    report_json_string(json, "hazard", hazard_name(facts->kind));
    report_json_side(json, "this", &facts->self);
    report_json_side(json, "earlier", &facts->earlier);
    report_json_between(json, facts);
    if (facts->semaphore_count)
        report_json_semaphores(json, facts);
    report_json_mend(json, facts);
    string_builder_add(json, "}");
}

/* --- advice --- */

/* Writes the masks of a barrier as the program gave them. */
static void report_json_scopes(struct string_builder *json, const char *name,
                               const struct advised_barrier *barrier)
{
    report_json_key(json, name);
    string_builder_add(json, "{");
    report_json_flags(json, "srcStages", VALUES_VkPipelineStageFlags2, barrier->src_stages);
    report_json_flags(json, "srcAccesses", VALUES_VkAccessFlags2, barrier->src_accesses);
    report_json_flags(json, "dstStages", VALUES_VkPipelineStageFlags2, barrier->dst_stages);
    report_json_flags(json, "dstAccesses", VALUES_VkAccessFlags2, barrier->dst_accesses);
    string_builder_add(json, "}");
}

/* Writes the other barrier that the advice is about. */
static void report_json_other(struct string_builder *json, const char *name,
                              const struct advice_facts *facts)
{
    const struct advised *advised = facts->other;
    report_json_key(json, name);
    string_builder_add(json, "{");
    report_json_string(json, "command", command_name[advised->command]);
    report_json_number(json, "index", advised->command_index);
    report_json_number(json, "barrierCount", advised->count);
    if (advised->count == 1)
        report_json_scopes(json, "barrier", &advised->barriers[0]);
    report_json_caller(json, &facts->other_caller);
    string_builder_add(json, "}");
}

/* Returns the barrier that the advice is about. NULL: the advice is about all of several
 * barriers. */
static const struct advised_barrier *only_barrier(const struct advice_facts *facts)
{
    const struct advised *advised = facts->advised;
    return facts->barrier || advised->count != 1 ? facts->barrier : &advised->barriers[0];
}

void write_advice_json(struct string_builder *json, const struct advice_facts *facts,
                       const struct advised_barrier *narrower, const struct advice_words *words)
{
    static const char *const names[] = {
        [ADVICE_EMPTY_FIRST_SCOPE] = "EMPTY_FIRST_SCOPE",
        [ADVICE_EMPTY_SECOND_SCOPE] = "EMPTY_SECOND_SCOPE",
        [ADVICE_ALL_COMMANDS] = "ALL_COMMANDS",
    };
    const struct report_side *self = &facts->self;
    const struct advised_barrier *barrier = only_barrier(facts);
    string_builder_add(json, "{");
    report_json_string(json, "advice", names[facts->kind]);
    report_json_key(json, "this");
    string_builder_add(json, "{");
    report_json_string(json, "command", command_name[self->command]);
    report_json_number(json, "index", self->command_index);
    report_json_number(json, "barrierCount", facts->advised->count);
    if (facts->barrier)
        report_json_number(json, "barrierIndex",
                           (uint64_t)(facts->barrier - facts->advised->barriers));
    report_json_object(json, "commandBuffer", &self->command_buffer);
    report_json_object(json, "resource", &self->resource);
    report_json_extent(json, &self->extent);
    report_json_labels(json, self);
    report_json_path(json, self);
    string_builder_add(json, "}");
    if (facts->other)
        report_json_other(json, facts->kind == ADVICE_EMPTY_FIRST_SCOPE ? "earlier" : "later",
                          facts);
    if (barrier)
        report_json_scopes(json, "barrier", barrier);
    if (narrower)
        report_json_scopes(json, "narrower", narrower);
    if (words->before)
        report_json_string(json, "before", words->before);
    if (words->after)
        report_json_string(json, "after", words->after);
    report_json_string(json, "text", words->advice);
    string_builder_add(json, "}");
}
