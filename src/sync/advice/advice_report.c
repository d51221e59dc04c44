/* Writes advice on a barrier in the form of a hazard: this barrier, what stands before and after
 * it, and the narrower barrier as code. */
#include "sync/advice/advice.h"

#include "report/sink/callers.h"
#include "report/finding/finding.h"

/* --- words --- */

/* Writes a command as "vkCmdPipelineBarrier2 (command 3)". */
static void advice_write_command(struct string_builder *text, enum command command, uint32_t index)
{
    string_builder_format(text, "%s (command %u)", command_name[command], index);
}

/* Names the command that the advice is about. */
static void write_advised(struct string_builder *text, const struct advised *advised)
{
    advice_write_command(text, advised->command, advised->command_index);
}

/* Returns the name of the stage ALL_COMMANDS in the program's version of the API. */
static const char *all_commands(const struct advice_facts *facts)
{
    return facts->synchronization2 ? "VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT"
                                   : "VK_PIPELINE_STAGE_ALL_COMMANDS_BIT";
}

/* --- the sentence --- */

/* Writes that ALL_COMMANDS could be narrower, and by what. */
static void write_all_commands(struct string_builder *text, const struct advice_facts *facts)
{
    write_advised(text, facts->advised);
    if (facts->src.stages) {
        string_builder_format(text, " waits for %s where ", all_commands(facts));
        write_stages(text, facts->src.stages, facts->synchronization2);
        string_builder_add(text, " would do");
    }
    if (facts->src.stages && facts->dst.stages)
        string_builder_add(text, ", and");
    if (facts->dst.stages) {
        string_builder_format(text, " makes %s wait where ", all_commands(facts));
        write_stages(text, facts->dst.stages, facts->synchronization2);
        string_builder_add(text, " would do");
    }
}

/* Writes the sentence of the advice. */
static void advice_write_sentence(struct string_builder *text, const struct advice_facts *facts)
{
    switch (facts->kind) {
    case ADVICE_EMPTY_FIRST_SCOPE:
        write_advised(text, facts->advised);
        string_builder_add(text, " has nothing in its first scope that ");
        write_advised(text, facts->other);
        string_builder_add(text,
                           " has not ordered already: no command since is in its source stages");
        return;
    case ADVICE_EMPTY_SECOND_SCOPE:
        write_advised(text, facts->advised);
        string_builder_add(text, " has nothing in its second scope that ");
        write_advised(text, facts->other);
        string_builder_add(text, " does not order, too: no command up to there is in its "
                                 "destination stages");
        return;
    case ADVICE_ALL_COMMANDS:
        write_all_commands(text, facts);
        return;
    }
}

/* --- the barrier --- */

/* Writes one half of a barrier as a line: "from STAGES with ACCESSES". */
static void write_scope(struct string_builder *text, const char *word, VkPipelineStageFlags2 stages,
                        VkAccessFlags2 accesses, bool version2)
{
    string_builder_format(text, "\n%s ", word);
    write_stages(text, stages, version2);
    if (!accesses)
        return;
    string_builder_add(text, " with ");
    write_accesses(text, accesses, version2);
}

/* Writes the section about the command that the advice is about. */
static void write_self(struct string_builder *text, const struct advice_facts *facts)
{
    const struct report_side *self = &facts->self;
    const struct advised *advised = facts->advised;
    const struct advised_barrier *barrier = facts->barrier ? facts->barrier : &advised->barriers[0];
    string_builder_format(text, "%s, command %u of ", command_name[self->command],
                          self->command_index);
    write_object(text, &self->command_buffer);
    if (advised->count > 1 && facts->barrier)
        string_builder_format(text, "\nbarrier %u of %u",
                              (unsigned)(barrier - advised->barriers) + 1, advised->count);
    else if (advised->count > 1)
        string_builder_format(text, "\nwith %u barriers", advised->count);
    if (advised->count == 1 || facts->barrier) {
        write_scope(text, "from", barrier->src_stages, barrier->src_accesses, advised->version2);
        write_scope(text, "to", barrier->dst_stages, barrier->dst_accesses, advised->version2);
    }
    if (self->resource.type != HANDLE_NONE && (advised->count == 1 || facts->barrier)) {
        string_builder_add(text, "\nfor ");
        write_resource(text, self);
    }
    for (uint32_t i = 0; i < self->label_count; i++)
        string_builder_format(text, "%s%s", i ? "::" : "\nunder the label ", self->labels[i]);
    if (self->caller.module || self->caller.offset) {
        string_builder_add(text, "\ncalled by ");
        write_caller(text, &self->caller);
        message_write_outer(text, self->path, "    ");
    }
}

/* Writes the section about the other barrier. Its scopes are shown where it has one barrier
 * only. */
static void write_other(struct string_builder *text, const struct advice_facts *facts)
{
    const struct advised *other = facts->other;
    string_builder_format(text, "%s, command %u of the same command buffer",
                          command_name[other->command], other->command_index);
    if (other->count == 1) {
        write_scope(text, "from", other->barriers[0].src_stages, other->barriers[0].src_accesses,
                    other->version2);
        write_scope(text, "to", other->barriers[0].dst_stages, other->barriers[0].dst_accesses,
                    other->version2);
    }
    string_builder_add(text, "\ncalled by ");
    write_caller(text, &facts->other_caller);
}

/* --- the commands around the barrier --- */

/* Writes why the narrower source stages are enough. */
static void write_before(struct string_builder *text, const struct advice_facts *facts)
{
    if (facts->for_resource) {
        string_builder_add(text, "nothing was done with ");
        write_resource(text, &facts->self);
        string_builder_add(text, "\nsince it was overwritten in ");
        write_stages(text, facts->src.stages, facts->synchronization2);
        string_builder_add(text, ", which is ordered after all that was done with it earlier");
        return;
    }
    advice_write_command(text, facts->advised->src_bound_command, facts->advised->src_bound);
    string_builder_add(text,
                       " orders all that was recorded before it;\nthe commands since are in ");
    write_stages(text, facts->src.stages, facts->synchronization2);
}

/* Writes why the narrower destination stages are enough. */
static void write_after(struct string_builder *text, const struct advice_facts *facts)
{
    if (facts->for_resource) {
        string_builder_add(text, "the next use of ");
        write_resource(text, &facts->self);
        string_builder_add(text, "\noverwrites it in ");
        write_stages(text, facts->dst.stages, facts->synchronization2);
        string_builder_add(text, ", which is ordered before all that comes later");
        return;
    }
    advice_write_command(text, facts->advised->dst_bound_command, facts->advised->dst_bound);
    string_builder_add(text,
                       " orders all that is recorded after it;\nthe commands up to there are in ");
    write_stages(text, facts->dst.stages, facts->synchronization2);
}

/* --- the repair --- */

/* Writes the code of the barrier as it could be. */
static void write_code(struct string_builder *text, const struct advice_facts *facts,
                       const struct advised_barrier *barrier)
{
    write_barrier_code(text, &(struct barrier_code){.form = barrier->form,
                                                    .version2 = facts->synchronization2,
                                                    .src_stages = barrier->src_stages,
                                                    .dst_stages = barrier->dst_stages,
                                                    .src_accesses = barrier->src_accesses,
                                                    .dst_accesses = barrier->dst_accesses,
                                                    .resource = &facts->written,
                                                    .offset = barrier->offset,
                                                    .size = barrier->size,
                                                    .old_layout = barrier->old_layout,
                                                    .new_layout = barrier->new_layout,
                                                    .range = barrier->range});
}

/* Writes that one barrier can be left out, and the code of the other where it has one barrier. */
static void write_removal(struct string_builder *text, const struct advice_facts *facts)
{
    string_builder_add(text, "leave ");
    write_advised(text, facts->advised);
    string_builder_add(text, " out: ");
    write_advised(text, facts->other);
    if (facts->other->count != 1) {
        string_builder_add(text, " does all that it does");
        return;
    }
    string_builder_add(text, " does all that it does, as it is:");
    write_code(text, facts, &facts->other->barriers[0]);
}

/* Writes the section that says what to do. `narrower`: the barrier as it could be; used only for
 * ADVICE_ALL_COMMANDS. */
static void write_advice(struct string_builder *text, const struct advice_facts *facts,
                         const struct advised_barrier *narrower)
{
    if (facts->kind != ADVICE_ALL_COMMANDS) {
        write_removal(text, facts);
        return;
    }
    string_builder_add(text, "this is enough for what this command buffer does");
    if (facts->for_resource)
        string_builder_add(text, " with it; where the order of other resources\n"
                                 "relies on this barrier, they need one of their own");
    write_code(text, facts, narrower);
}

/* --- reports --- */

/* Returns the barrier with the narrower scopes; a half without a narrower scope stays as it is. */
static struct advised_barrier advice_narrowed(const struct advice_facts *facts)
{
    struct advised_barrier barrier = *facts->barrier;
    if (facts->src.stages) {
        barrier.src_stages = facts->src.stages;
        barrier.src_accesses = facts->src.accesses;
    }
    if (facts->dst.stages) {
        barrier.dst_stages = facts->dst.stages;
        barrier.dst_accesses = facts->dst.accesses;
    }
    return barrier;
}

/* Fills in the names, labels, callers and extents that the advice mentions. */
static void find_self(struct advice_facts *facts, const struct call *call,
                      const struct command_log *log)
{
    const struct advised *advised = facts->advised;
    const struct advised_barrier *barrier = facts->barrier ? facts->barrier : &advised->barriers[0];
    uint64_t written = facts->other ? facts->other->barriers[0].resource : barrier->resource;
    struct report_side *self = &facts->self;
    *self = (struct report_side){.known = true,
                                 .command = advised->command,
                                 .command_index = advised->command_index,
                                 .caller =
                                     caller_describe(callers_first_of_kept(call, advised->caller)),
                                 .path = caller_path_of_kept(call, advised->caller)};
    if (facts->other)
        facts->other_caller = caller_describe(callers_first_of_kept(call, facts->other->caller));
    self->command_buffer = report_look_up(call, log->command_buffer);
    report_find_labels(self, log, advised->label);
    facts->written = report_look_up(call, written);
    if (!barrier->resource)
        return;
    self->resource = report_look_up(call, barrier->resource);
    if (barrier->range_count == 1)
        report_find_extent(&self->extent, &advised->ranges[barrier->first_range].place,
                           barrier->resource);
}

#define TEXTS 6 /* the sentence, four sections, JSON */
/* Memory for the texts of one finding, which live until it is delivered. */
struct advice_texts {
    uint32_t count; /* of `builders` */
    struct string_builder builders[TEXTS];
    char buffers[TEXTS][1024];
};

/* Begins the next text; there are TEXTS at most. */
static struct string_builder *next_text(struct advice_texts *texts)
{
    struct string_builder *builder = &texts->builders[texts->count];
    string_builder_begin(builder, texts->buffers[texts->count], sizeof(texts->buffers[0]));
    texts->count++;
    return builder;
}

/* Adds a section; its text must live as long as the details. */
static void add_section(struct finding_details *details, const char *name,
                        const struct string_builder *text)
{
    details->sections[details->section_count++] = (struct finding_section){name, text->text};
}

/* Writes the sections of the advice, and its JSON. Returns the sentence. */
static const char *write_sections(struct advice_texts *texts, struct finding_details *details,
                                  const struct advice_facts *facts)
{
    struct advised_barrier narrower = {0};
    bool narrows = facts->kind == ADVICE_ALL_COMMANDS;
    if (narrows)
        narrower = advice_narrowed(facts);
    struct string_builder *text = next_text(texts), *section = next_text(texts);
    advice_write_sentence(text, facts);
    write_self(section, facts);
    add_section(details, "this", section);
    if (facts->other) {
        /* Each section has a text of its own, as the details keep pointers to all of them. */
        write_other(section = next_text(texts), facts);
        add_section(details, facts->kind == ADVICE_EMPTY_FIRST_SCOPE ? "earlier" : "later",
                    section);
    }
    struct advice_words words = {0};
    if (narrows && facts->src.stages) {
        write_before(section = next_text(texts), facts);
        add_section(details, "before", section);
        words.before = section->text;
    }
    if (narrows && facts->dst.stages) {
        write_after(section = next_text(texts), facts);
        add_section(details, "after", section);
        words.after = section->text;
    }
    write_advice(section = next_text(texts), facts, &narrower);
    add_section(details, "advice", section);
    words.advice = section->text;
    struct string_builder *json = next_text(texts);
    write_advice_json(json, facts, narrows ? &narrower : NULL, &words);
    details->json_key = "sync";
    details->json = json->text;
    return text->text;
}

void advice_tell(const struct call *call, const struct command_log *log, struct advice_facts *facts)
{
    static const enum vuid ids[] = {
        [ADVICE_EMPTY_FIRST_SCOPE] = BestPractices_SyncBarrier_EmptyFirstScope,
        [ADVICE_EMPTY_SECOND_SCOPE] = BestPractices_SyncBarrier_EmptySecondScope,
        [ADVICE_ALL_COMMANDS] = BestPractices_SyncBarrier_AllCommands,
    };
    struct advice_texts texts = {0};
    struct finding_details details = {.tells_objects = true};
    struct finding_objects objects = {0};
    /* Writing the texts costs much more than the judgement, so they are only written if they are
     * delivered. */
    if (!finding_is_heard(call, SEVERITY_PERFORMANCE, ids[facts->kind]))
        return;
    facts->synchronization2 =
        call->device && device_has_feature(call->device, FEATURE_synchronization2);
    find_self(facts, call, log);
    const char *sentence = write_sections(&texts, &details, facts);
    const struct report_object *told[] = {&facts->self.command_buffer, &facts->self.resource};
    for (size_t i = 0; i < ARRAY_LENGTH(told); i++) {
        if (told[i]->type != HANDLE_NONE)
            objects.list[objects.count++] = (struct finding_object){told[i]->type, told[i]->handle};
    }
    finding_with_details(call, SEVERITY_PERFORMANCE, ids[facts->kind], &objects, &details,
                         sentence);
    for (uint32_t i = 0; i < texts.count; i++)
        string_builder_end(&texts.builders[i]);
    report_free_side(&facts->self);
    mem_free(facts->written.name);
}
