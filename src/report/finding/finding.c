/* Builds the report of a finding for a validator (id, objects, callers, text), and hands it to the
 * instance's reporter. */
#include "report/finding/finding.h"

#include <stdio.h>
#include <string.h>

#include "report/sink/callers.h"
#include "report/sink/deliver.h"
#include "report/finding/details.h"
#include "report/finding/fix.h"
#include "report/muting/muting.h"
#include "report/names/object_text.h"
#include "report/finding/parameters.h"
#include "report/names/plural.h"
#include "report/finding/practice.h"
#include "report/names/structures.h"
#include "report/names/text_hash.h"
#include "report/names/vuid_text.h"

/* True if the report names the object already. */
static bool has_object(const struct report *report, enum handle_type type, uint64_t handle)
{
    for (uint32_t i = 0; i < report->object_count; i++) {
        if (report->objects[i].handle == handle && report->objects[i].type == type)
            return true;
    }
    return false;
}

/* Adds the call that created the object, or the call that destroyed it. The latter is only added
 * for an id of the layer, which is never used again; a driver's handle may be another object's by
 * now. */
static void add_history(struct report_object *added, const struct call *call,
                        const struct object *object)
{
    bool is_id = call->wraps && !handle_type_is_dispatchable(added->type);
    if (object)
        added->created = caller_path_of_kept(call, object->creator);
    else if (is_id)
        /* A destroyed object is looked up by its id alone: a driver's handle may be used again. */
        added->destroyed = caller_path_of_kept(call, object_find_destroyer(added->handle));
}

/* Adds an object to the report, which takes `name` over. An object without a type was destroyed by
 * another thread just now, and is left out. */
static void finding_report_add_object(struct report *report, struct reporter *reporter,
                                      const struct call *call, enum handle_type type,
                                      uint64_t handle, struct object *object, char *name)
{
    if (!handle || type == HANDLE_NONE || report->object_count == REPORT_OBJECTS ||
        has_object(report, type, handle)) {
        mem_free(name);
        return;
    }
    struct report_object *added = &report->objects[report->object_count++];
    *added = (struct report_object){type, handle, name, NULL, NULL};
    add_history(added, call, object);
    /* The report has the labels of the first queue and of the first command buffer of the finding.
     */
    if (type == HANDLE_QUEUE && !report->queue_labels.count)
        report->queue_labels = reporter_copy_labels(reporter, object);
    else if (type == HANDLE_COMMAND_BUFFER && !report->command_buffer_labels.count)
        report->command_buffer_labels = reporter_copy_labels(reporter, object);
}

/* Adds the call's own object first, where the users of a messenger look for it, then the objects of
 * the finding. */
static void add_objects(struct report *report, struct reporter *reporter, const struct call *call,
                        const struct finding_objects *objects)
{
    if (call->object && object_type(call->object) != HANDLE_NONE)
        finding_report_add_object(report, reporter, call, object_type(call->object),
                                  object_handle(call->object), call->object,
                                  reporter_copy_name(reporter, call->object));
    for (uint32_t i = 0; objects && i < objects->count; i++) {
        const struct finding_object *about = &objects->list[i];
        finding_report_add_object(report, reporter, call, about->type, about->handle,
                                  told_object(call, about->type, about->handle),
                                  told_object_name(call, about->type, about->handle));
    }
}

/* Frees the members that the report owns; the caller owns the structure itself. */
static void free_report(struct report *report)
{
    for (uint32_t i = 0; i < report->object_count; i++) {
        mem_free(report->objects[i].name);
        mem_free(report->objects[i].created);
        mem_free(report->objects[i].destroyed);
    }
    mem_free(report->queue_labels.labels);
    mem_free(report->command_buffer_labels.labels);
}

/* A thread of the program may have a stack of PTHREAD_STACK_MIN, 16 KB. So large buffers are on the
 * heap, or in functions of their own: no two of them are on the stack at the same time. */

/* Writes a finding to standard error. It is used where there is no reporter, because memory ran out
 * when the instance was made. */
static void COLD deliver_alone(const struct report *report)
{
    char buffer[2048];
    struct string_builder text;
    string_builder_begin(&text, buffer, sizeof(buffer));
    message_write(&text, report, false, false);
    string_builder_add(&text, "\n\n");
    (void)fwrite(text.text, 1, text.length, stderr);
    string_builder_end(&text);
}

/* Hands the report to the reporter's listeners. Returns whether one of them wants the call skipped.
 * `reporter` is NULL if memory ran out when the instance was made. */
static bool finding_report_deliver(struct reporter *reporter, const struct report *report)
{
    assert(report);
    if (reporter)
        return reporter_deliver(reporter, report);
    deliver_alone(report);
    return false;
}

/* Writes the call's parameters, if the setting message_print_parameters is on. Returns false if
 * they were not kept. */
static bool add_parameters(struct string_builder *text, const struct call *call)
{
    const uint64_t *values = NULL;
    if (call->instance && parameters_enabled(&call->instance->settings))
        values = parameters_of(call);
    if (values)
        parameters_write(text, call->command, values);
    return values != NULL;
}

/* --- places --- */

/* Adds the text of a section about another call: one side of a hazard, or the command that expected
 * an image layout. The line "called by ..." counts with its digits, as most functions of a program
 * have no name that the layer knows. The indented lines below it, which are the outer callers, do
 * not count: a bug is repaired where the call is made, whatever led there. */
static uint64_t hash_side(uint64_t hash, const char *text)
{
    static const char called_by[] = "called by ", outer[] = "    ";
    while (*text) {
        size_t length = strcspn(text, "\n");
        char line[512];
        (void)snprintf(line, sizeof(line), "%.*s", (int)length, text);
        if (strncmp(line, called_by, sizeof(called_by) - 1) == 0) {
            for (const char *at = line; *at; at++)
                hash = text_hash_word(hash, (unsigned char)*at);
        } else if (strncmp(line, outer, sizeof(outer) - 1) != 0) {
            hash = text_hash(hash, line);
        }
        text += length + (text[length] == '\n');
    }
    return hash;
}

/* Adds a section of the details to the hash of the place. */
static uint64_t hash_section(uint64_t hash, const struct finding_section *section)
{
    bool is_side = strcmp(section->key, "this") == 0 || strcmp(section->key, "earlier") == 0 ||
                   strcmp(section->key, "wanted") == 0;
    return is_side ? hash_side(hash, section->text) : text_hash(hash, section->text);
}

/* Adds the object's debug name to the hash, if the object has one. */
static uint64_t hash_name(uint64_t hash, struct reporter *reporter, struct object *object)
{
    char *name =
        object && object_has(object, OBJECT_HAS_NAME) ? reporter_copy_name(reporter, object) : NULL;
    hash = text_hash(hash, name);
    mem_free(name);
    return hash;
}

/* Adds the names of the labels that are open in the queue or command buffer to the hash. */
static uint64_t hash_labels(uint64_t hash, struct reporter *reporter, struct object *object)
{
    if (!object || !object_has(object, OBJECT_HAS_NAME))
        return hash;
    struct label_list list = reporter_copy_labels(reporter, object);
    for (uint32_t i = 0; i < list.count; i++)
        hash = text_hash(hash, list.labels[i].pLabelName);
    mem_free(list.labels);
    return hash;
}

/* frames in the hash of a place if a tool chooses which is shown; wrappers are rarely deeper */
#define PLACE_FRAMES 4

/* Adds the frame that a message shows to the hash. If a tool chooses that frame later, the
 * PLACE_FRAMES frames that it most likely chooses among are added. */
static uint64_t hash_callers(uint64_t hash, const struct call *call)
{
    struct callers callers;
    if (!callers_are_chosen_by_tools(call))
        return text_hash_word(hash, (uint64_t)(uintptr_t)callers_first(call));
    /* Any of these frames may be the one that the tool shows. */
    callers_find(&callers, call);
    for (uint32_t i = callers.first; i < callers.count && i < callers.first + PLACE_FRAMES; i++)
        hash = text_hash_word(hash, (uint64_t)(uintptr_t)callers.addresses[i]);
    return hash;
}

/* Hashes the place of a finding in the program: findings with the same hash and id count as
 * repetitions. The caller alone is not enough, as an engine may call Vulkan from one line. So names
 * of objects, open labels, and the details count as well. For advice they do not, and all calls of
 * a superseded command are one place. */
static uint64_t finding_place(const struct call *call, struct reporter *reporter,
                              const struct location *where, const struct finding_objects *objects,
                              const struct finding_details *details,
                              const struct practice *practice)
{
    const bool of_all_calls = practice && practice->vendors & PRACTICE_LEGACY && !where;
    uint64_t hash = (uint64_t)call->command;
    hash = of_all_calls ? text_hash_word(hash, 0) : hash_callers(hash, call);
    for (const struct location *at = where; at; at = at->parent)
        hash = text_hash(hash, at->name);
    /* For advice the names of objects do not count: otherwise one line of the program would be many
     * places. */
    if (practice)
        return hash;
    hash = hash_name(hash, reporter, call->object);
    hash = hash_labels(hash, reporter, call->object);
    for (uint32_t i = 0; objects && i < objects->count; i++)
        hash = hash_name(hash, reporter,
                         told_object(call, objects->list[i].type, objects->list[i].handle));
    for (uint32_t i = details ? details->row_count : 0; details && i < details->section_count; i++)
        hash = hash_section(hash, &details->sections[i]);
    return hash;
}

/* --- muting --- */

/* True for text of the program itself: what its shaders print, and the message of an abort in a
 * shader. Labels do not mute these. */
static bool is_programs_own(enum vuid vuid)
{
    return vuid == VVL_DEBUG_PRINTF || vuid == UNASSIGNED_Shader_Abort;
}

/* True if a repetition from the same place is left out. That is so for mistakes and advice; what
 * the program asked for (prints, dumps) is reported each time. */
static bool is_said_once(enum severity severity, enum vuid vuid)
{
    return severity < SEVERITY_INFO && !is_programs_own(vuid);
}

/* Hashes a report as people read it: of two reports with the same hash the log shows the second one
 * in one line. The place may be one line of a wrapper for all calls of a program, so the frames
 * that called the wrapper count as well. */
static uint64_t same_to_people(uint64_t place, enum vuid vuid, const char *text,
                               const struct finding_details *details, const struct callers *callers)
{
    uint64_t hash = text_hash(text_hash_word(place, vuid), text);
    if (details)
        hash = text_hash_word(hash, details->mistake);
    for (uint32_t i = callers->first; i < callers->count && i < callers->first + PLACE_FRAMES; i++)
        hash = text_hash_word(hash, (uint64_t)(uintptr_t)callers->addresses[i]);
    return hash | 1;
}

/* Returns what mutes the finding: a label, or a tag of the call's objects, of the finding's objects
 * or of the thread. */
static enum muted_by judge_muting(struct muting *muting, const struct call *call, enum vuid vuid,
                                  const struct finding_objects *objects)
{
    assert((unsigned)vuid < VUID_COUNT);
    if (!muting_is_in_use(muting) || is_programs_own(vuid))
        return MUTED_NOT;
    struct object *about[MUTING_OBJECTS] = {call->object,
                                            call->device ? call->device->object : NULL,
                                            call->instance ? call->instance->object : NULL};
    for (uint32_t i = 0; objects && i < objects->count && i + 3 < MUTING_OBJECTS; i++)
        about[i + 3] = told_object(call, objects->list[i].type, objects->list[i].handle);
    return muting_judge(muting, call, vuid, about);
}

/* --- from a validator's words to a report --- */

/* A finding while it is being reported. */
struct finding_case {
    const struct call *call;
    enum severity severity; /* of the report; a practice has its own */
    enum vuid vuid;
    const struct location *where;          /* NULL: the call as a whole */
    const struct finding_objects *objects; /* NULL: the call's own alone */
    const struct finding_details *details; /* NULL: none */
    const char *fix;                       /* NULL: the fix of the id */
    struct reporter *reporter;             /* NULL: memory was out */
    const struct practice *practice;       /* NULL: a mistake, no advice */
    uint64_t place;                        /* finding_place() */
    /* how often the finding came, as reporter_lets_through() says */
    struct mute_told told;
};

/* The texts of a finding's report. Short texts are in the buffers here, on the stack; longer ones
 * are on the heap. */
struct finding_words {
    struct string_builder text, location, fix, parameters;
    char text_buffer[256], location_buffer[128], fix_buffer[128];
    char parameters_buffer[64]; /* the setting is off by default */
    bool has_parameters;
    /* `quoted`: the statement that people read, where that is another one */
    struct vuid_text id, quoted;
    const struct finding_details *details;
    struct practice_details advice; /* only with a practice */
    struct callers callers;         /* of the call */
    struct caller *stack; /* callers.count of them; NULL: memory was out, or there are none */
};

/* Returns whether labels or tags mute the finding, and counts it if they do. */
static bool finding_is_muted(const struct finding_case *c)
{
    struct muting *muting = reporter_muting(c->reporter);
    enum muted_by muted = judge_muting(muting, c->call, c->vuid, c->objects);
    if (muted && reporter_would_let_through(c->reporter, c->severity, c->vuid))
        muting_count(muting, muted);
    return muted != MUTED_NOT;
}

/* Decides whether the finding is reported, and counts it. If it is not, `*skip` is what the caller
 * returns to the validator: whether the call is skipped. */
static bool finding_gather(struct finding_case *c, bool *skip)
{
    assert((unsigned)c->vuid <= VUID_COUNT);
    *skip = false;
    c->reporter = c->call->instance ? c->call->instance->reporter : NULL;
    if (!vuid_is_enforced(c->vuid)) /* or rule_vuid: the command has no such rule */
        return false;
    if (c->call->not_enabled)
        return false;
    c->practice = practice_of(c->vuid);
    if (c->reporter && reporter_is_filtered(c->reporter, c->vuid))
        return false;
    if (finding_is_muted(c))
        return false;
    if (!c->reporter)
        return true;
    /* The setting debug_action makes a call fail whether the finding is shown or not. */
    *skip = reporter_fails_call(c->reporter, c->severity);
    if (!reporter_would_let_through(c->reporter, c->severity, c->vuid)) {
        /* An id that is exhausted is only counted: all that is expensive comes after this. */
        reporter_count_untold(c->reporter, c->vuid);
        return false;
    }
    c->place = finding_place(c->call, c->reporter, c->where, c->objects, c->details, c->practice);
    return reporter_lets_through(c->reporter, c->vuid, c->place, &c->told);
}

/* Finds the call's stack, and describes each frame once for all listeners. */
static void word_callers(struct finding_words *words, const struct call *call)
{
    struct callers *callers = &words->callers;
    callers_find(callers, call);
    words->stack = callers->count ? mem_alloc(callers->count * sizeof(*words->stack)) : NULL;
    for (uint32_t i = 0; words->stack && i < callers->count; i++)
        words->stack[i] = caller_describe(callers->addresses[i]);
}

/* Formats all texts of the report. The caller frees them with finding_words_end(). */
static void finding_word(struct finding_words *words, const struct finding_case *c,
                         const char *format, va_list args)
{
    const struct finding_details *details = c->details;
    const char *fix = details && details->fix ? details->fix : c->fix;
    string_builder_begin(&words->text, words->text_buffer, sizeof(words->text_buffer));
    string_builder_vformat(&words->text, format, args);
    /* The text may become shorter in place. */
    plural_mend(words->text.text);
    words->text.length = strlen(words->text.text);
    string_builder_begin(&words->location, words->location_buffer, sizeof(words->location_buffer));
    location_write(&words->location, c->where);
    vuid_text_open(&words->id, c->vuid);
    words->quoted = (struct vuid_text){0};
    if (details && details->quoted)
        vuid_text_open(&words->quoted, *details->quoted);
    words->details =
        /* Advice has details from registry/practices.toml: the reason, and the cost. */
        c->practice ? practice_details_begin(&words->advice, c->practice, words->id.text) : details;
    string_builder_begin(&words->fix, words->fix_buffer, sizeof(words->fix_buffer));
    if (fix)
        string_builder_add(&words->fix, fix);
    else
        fix_write(&words->fix, c->call, c->objects, words->id.fix);
    string_builder_begin(&words->parameters, words->parameters_buffer,
                         sizeof(words->parameters_buffer));
    words->has_parameters = add_parameters(&words->parameters, c->call);
    word_callers(words, c->call);
}

static void finding_words_end(struct finding_words *words, const struct finding_case *c)
{
    mem_free(words->stack);
    if (c->practice)
        practice_details_end(&words->advice);
    vuid_text_close(&words->id);
    vuid_text_close(&words->quoted);
    string_builder_end(&words->fix);
    string_builder_end(&words->parameters);
    string_builder_end(&words->location);
    string_builder_end(&words->text);
}

/* Hands the report to the listeners. Returns whether one of them said VK_TRUE. */
static bool finding_deliver(const struct finding_case *c, const struct finding_words *words)
{
    const struct callers *callers = &words->callers;
    struct report report = {
        .severity = c->severity,
        .number = vuid_number[c->vuid],
        .id = words->id.name,
        /* Advice does not quote the specification; its sentence is among the details. */
        .spec_text = c->practice ? "" : words->id.text,
        .spec_page = words->id.page,
        .quoted = words->quoted.text && *words->quoted.text ? &words->quoted : NULL,
        .command = command_name[c->call->command],
        .location = words->location.text,
        .text = words->text.text,
        .fix = words->fix.length ? words->fix.text : NULL,
        .caller = callers->count ? caller_describe(callers->addresses[callers->first])
                                 : (struct caller){0},
        .stack = words->stack,
        .stack_count = words->stack ? callers->count : 0,
        .stack_first = callers->first,
        .application = c->reporter ? reporter_application(c->reporter) : NULL,
        .parameters = words->has_parameters ? words->parameters.text : NULL,
        .details = words->details,
        .last_of = c->told.last ? (c->practice ? 1 : reporter_message_limit(c->reporter)) : 0,
        .once = c->practice != NULL,
        .place = c->told.place,
        .nth = c->told.nth,
        .same = c->told.place && is_said_once(c->severity, c->vuid)
                    ? same_to_people(c->place, c->vuid, words->text.text, words->details, callers)
                    : 0,
    };
    caller_note_thread(&report);
    add_objects(&report, c->reporter, c->call, c->objects);
    bool skip = finding_report_deliver(c->reporter, &report);
    /* This frees the copies of names and labels; the caller frees the texts. */
    free_report(&report);
    return skip;
}

/* Decides whether a finding is reported, formats it, and delivers it. Returns whether the call
 * shall be skipped. */
static bool report_finding(struct finding_case *c, const char *format, va_list args)
{
    assert(format);
    bool skip;
    struct finding_words words;
    if (!finding_gather(c, &skip))
        return skip;
    finding_word(&words, c, format, args);
    skip |= finding_deliver(c, &words);
    finding_words_end(&words, c);
    return skip;
}

bool finding(const struct call *call, enum vuid vuid, const struct location *where,
             const struct finding_objects *objects, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    bool skip = report_finding(&(struct finding_case){.call = call,
                                                      .severity = SEVERITY_ERROR,
                                                      .vuid = vuid,
                                                      .where = where,
                                                      .objects = objects},
                               format, args);
    va_end(args);
    return skip;
}

bool finding_list(const struct call *call, enum vuid vuid, const struct location *where,
                  const struct finding_objects *objects, const char *format, va_list args)
{
    return report_finding(&(struct finding_case){.call = call,
                                                 .severity = SEVERITY_ERROR,
                                                 .vuid = vuid,
                                                 .where = where,
                                                 .objects = objects},
                          format, args);
}

bool finding_with_fix(const struct call *call, enum vuid vuid, const struct location *where,
                      const struct finding_objects *objects, const char *fix, const char *format,
                      ...)
{
    va_list args;
    va_start(args, format);
    bool skip = report_finding(&(struct finding_case){.call = call,
                                                      .severity = SEVERITY_ERROR,
                                                      .vuid = vuid,
                                                      .where = where,
                                                      .objects = objects,
                                                      .fix = fix},
                               format, args);
    va_end(args);
    return skip;
}

bool finding_told_with(const struct call *call, enum vuid vuid, const struct location *where,
                       const struct finding_objects *objects, const struct finding_details *details,
                       const char *format, ...)
{
    va_list args;
    va_start(args, format);
    bool skip = report_finding(&(struct finding_case){.call = call,
                                                      .severity = SEVERITY_ERROR,
                                                      .vuid = vuid,
                                                      .where = where,
                                                      .objects = objects,
                                                      .details = details},
                               format, args);
    va_end(args);
    return skip;
}

bool finding_that_speaks_alone(struct call *call, enum vuid vuid, const char *format, ...)
{
    const struct reporter *reporter = call->instance ? call->instance->reporter : NULL;
    bool muted = judge_muting(reporter_muting(reporter), call, vuid, NULL) != MUTED_NOT;
    va_list args;
    va_start(args, format);
    bool skip = report_finding(&(struct finding_case){.call = call,
                                                      .severity = SEVERITY_ERROR,
                                                      .vuid = vuid},
                               format, args);
    va_end(args);
    call->not_enabled = !reporter || (!reporter_is_filtered(reporter, vuid) && !muted);
    return skip;
}

bool finding_with_severity(const struct call *call, enum severity severity, enum vuid vuid,
                           const struct location *where, const struct finding_objects *objects,
                           const char *format, ...)
{
    va_list args;
    va_start(args, format);
    bool skip = report_finding(&(struct finding_case){.call = call,
                                                      .severity = severity,
                                                      .vuid = vuid,
                                                      .where = where,
                                                      .objects = objects},
                               format, args);
    va_end(args);
    return skip;
}

bool finding_list_with_severity(const struct call *call, enum severity severity, enum vuid vuid,
                                const struct location *where, const struct finding_objects *objects,
                                const char *format, va_list args)
{
    return report_finding(&(struct finding_case){.call = call,
                                                 .severity = severity,
                                                 .vuid = vuid,
                                                 .where = where,
                                                 .objects = objects},
                          format, args);
}

bool advice_is_repeated(const struct call *call, enum vuid vuid, const struct location *where)
{
    struct reporter *reporter = call->instance ? call->instance->reporter : NULL;
    const struct practice *practice = practice_of(vuid);
    assert(practice);
    return reporter &&
           reporter_counts_repeat(reporter, vuid,
                                  finding_place(call, reporter, where, NULL, NULL, practice));
}

bool finding_is_heard(const struct call *call, enum severity severity, enum vuid vuid)
{
    assert((unsigned)vuid <= VUID_COUNT);
    struct reporter *reporter = call->instance ? call->instance->reporter : NULL;
    if (!vuid_is_enforced(vuid))
        return false;
    return !reporter || (!reporter_is_filtered(reporter, vuid) &&
                         reporter_would_let_through(reporter, severity, vuid));
}

/* Does what report_finding() does, with variable arguments in place of a va_list. */
static bool PRINTF_LIKE(6, 7) tell(const struct call *call, enum severity severity, enum vuid vuid,
                                   const struct finding_objects *objects,
                                   const struct finding_details *details, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    bool skip = report_finding(&(struct finding_case){.call = call,
                                                      .severity = severity,
                                                      .vuid = vuid,
                                                      .objects = objects,
                                                      .details = details},
                               format, args);
    va_end(args);
    return skip;
}

bool finding_with_details(const struct call *call, enum severity severity, enum vuid vuid,
                          const struct finding_objects *objects,
                          const struct finding_details *details, const char *text)
{
    assert(text);
    return tell(call, severity, vuid, objects, details, "%s", text);
}
