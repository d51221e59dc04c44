/* Keeps the different cases of an id, by text and objects, with their places. */
#include "assay/validate/cases.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define CASES_SHOWN  10u
#define PLACES_SHOWN 10u
#define OUTER_SHOWN  3u /* most frames outside of the caller */

void write_key(FILE *out, const char *key)
{
    fprintf(out, "    %-9s ", key);
}

void write_status(FILE *out, enum status status)
{
    if (status == STATUS_NEW || status == STATUS_MOVED)
        fprintf(out, "%s: ", status_name(status));
}

/* Writes a text without numbers, as for identities (identity.h). */
static void write_without_numbers(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (text[0] == '0' && text[1] == 'x') {
            text++;
            while (isxdigit((unsigned char)text[1]))
                text++;
        } else if (!isdigit((unsigned char)*text)) {
            fputc(*text, out);
        }
    }
    fputc('\n', out);
}

/* Makes the key of a case: the message without numbers, the place in the shader, and the objects.
 * The caller frees it; NULL: memory is out. */
static char *key_of(struct json_object *finding)
{
    struct json_object *objects = json_object_object_get(finding, "objects"), *object;
    size_t index, count, length;
    char *key = NULL;
    FILE *memory = open_memstream(&key, &length);
    if (!memory)
        return NULL;
    write_without_numbers(memory, json_text_or(finding, "message"));
    if (finding_rows(finding)) {
        char place[SHADER_PLACE_SIZE];
        identity_shader_place(finding, place);
        fputs(place, memory);
        write_without_numbers(memory, json_text_or(finding_rows(finding), "shader"));
    }
    JSON_EACH_ELEMENT(objects, index, count, object)
    {
        fputs(json_text_or(object, "type"), memory);
        write_without_numbers(memory, json_text_or(object, "name"));
    }
    fclose(memory);
    return key;
}

/* Finds the case with a key, or adds it. The key is taken over. NULL: there are too many, or memory
 * is out. */
static struct finding_case *find_case(struct cases *cases, struct json_object *finding, char *key)
{
    for (uint32_t i = 0; i < cases->count; i++) {
        if (!strcmp(cases->rows[i].key, key)) {
            free(key);
            return &cases->rows[i];
        }
    }
    if (cases->count >= CASES_SHOWN && !cases->all) {
        free(key);
        return NULL;
    }
    struct finding_case *rows = realloc(cases->rows, (cases->count + 1) * sizeof(*rows));
    char *message = strdup(json_text_or(finding, "message"));
    if (rows)
        cases->rows = rows;
    if (!rows || !message) {
        free(message);
        free(key);
        return NULL;
    }
    rows[cases->count] = (struct finding_case){
        .key = key,
        .message = message,
        .objects = json_object_get(json_object_object_get(finding, "objects")),
        .fix = json_object_get(json_object_object_get(finding, "fix")),
        .rows = json_object_get(finding_rows(finding)),
        .wanted = json_object_get(json_object_object_get(finding, "wanted")),
        .statement = json_object_get(json_object_object_get(finding, "statement"))};
    return &rows[cases->count++];
}

static bool is_place(const struct place *place, struct json_object *caller)
{
    return !strcmp(json_text_or(place->caller, "module"), json_text_or(caller, "module")) &&
           !strcmp(json_text_or(place->caller, "offset"), json_text_or(caller, "offset"));
}

/* Counts a finding at its place in the case. */
static void add_place(struct finding_case *row, const struct found *found, bool all)
{
    struct json_object *caller = finding_place(found->finding);
    if (!json_text(caller, "offset"))
        return;
    for (uint32_t i = 0; i < row->place_count; i++) {
        if (is_place(&row->places[i], caller)) {
            row->places[i].count += found->count;
            return;
        }
    }
    struct place *places = row->place_count >= PLACES_SHOWN && !all
                               ? NULL
                               : realloc(row->places, (row->place_count + 1) * sizeof(*places));
    if (!places) {
        row->more_places++;
        return;
    }
    row->places = places;
    places[row->place_count++] =
        (struct place){.caller = json_object_get(caller),
                       .stack = json_object_get(json_object_object_get(found->finding, "stack")),
                       .race = json_object_get(json_object_object_get(found->finding, "race")),
                       .status = found->status,
                       .count = found->count};
}

bool cases_add(struct cases *cases, const struct found *found)
{
    char *key = key_of(found->finding);
    if (!key) {
        tell("memory is out");
        return false;
    }
    struct finding_case *row = find_case(cases, found->finding, key);
    if (!row) {
        cases->more_cases++;
        return true;
    }
    row->count += found->count;
    add_place(row, found, cases->all);
    return true;
}

void cases_free(struct cases *cases)
{
    for (uint32_t i = 0; i < cases->count; i++) {
        struct finding_case *row = &cases->rows[i];
        for (uint32_t k = 0; k < row->place_count; k++) {
            json_object_put(row->places[k].caller);
            json_object_put(row->places[k].stack);
            json_object_put(row->places[k].race);
        }
        json_object_put(row->objects);
        json_object_put(row->fix);
        json_object_put(row->rows);
        json_object_put(row->wanted);
        json_object_put(row->statement);
        free(row->places);
        free(row->message);
        free(row->key);
    }
    free(cases->rows);
}

/* --- as text --- */

static void write_objects(FILE *out, struct json_object *objects)
{
    size_t index, count;
    struct json_object *object;
    JSON_EACH_ELEMENT(objects, index, count, object)
    {
        if (index == 0)
            write_key(out, count == 1 ? "object" : "objects");
        else
            fprintf(out, "%*s", TEXT_INDENT, "");
        write_object(out, object);
        fputc('\n', out);
    }
}

/* Writes the frames that called the caller, a line each. `stack` has the innermost frame first, and
 * contains the caller. */
static void write_outer(struct report *report, struct json_object *caller,
                        struct json_object *stack)
{
    size_t count = json_length(stack), at = 0, shown = 0;
    while (at < count && !json_object_equal(json_object_array_get_idx(stack, at), caller))
        at++;
    for (at++; at < count && shown < OUTER_SHOWN; at++, shown++) {
        fprintf(report->out, "%*sfrom ", TEXT_INDENT + 3, "");
        write_site(report->out, report->symbols, json_object_array_get_idx(stack, at));
        fputc('\n', report->out);
    }
    if (at < count)
        fprintf(report->out, "%*sand %zu more\n", TEXT_INDENT + 3, "", count - at);
}

/* Writes the other call of a race between threads, if it has a stack (record_stacks). Without one,
 * the message has all that is known. */
static void write_race(struct report *report, struct json_object *race)
{
    struct json_object *caller = json_object_object_get(race, "caller"),
                       *stack = json_object_object_get(race, "stack");
    if (!json_length(stack))
        return;
    fprintf(report->out, "%*swhile the other thread was in ", TEXT_INDENT + 3, "");
    write_site(report->out, report->symbols, caller);
    fputc('\n', report->out);
    write_outer(report, caller, stack);
}

/* Writes the places of a case. */
static void write_places(struct report *report, const struct finding_case *row, bool partial)
{
    for (uint32_t i = 0; i < row->place_count; i++) {
        const struct place *place = &row->places[i];
        if (i)
            fprintf(report->out, "%*s", TEXT_INDENT, "");
        else
            write_key(report->out, row->place_count + row->more_places > 1 ? "callers" : "caller");
        write_count(report->out, place->count);
        fputs("  ", report->out);
        write_status(report->out, place->status);
        write_site(report->out, report->symbols, place->caller);
        fputc('\n', report->out);
        if (!report->brief) {
            write_outer(report, place->caller, place->stack);
            write_race(report, place->race);
        }
    }
    if (row->more_places) {
        fprintf(report->out, "%*sand %s", TEXT_INDENT, "", partial ? "at least " : "");
        write_plural(report->out, row->more_places, "more place");
        fputs(" (--all shows them)\n", report->out);
    }
}

/* Writes the fix, once for each id. */
static void write_fix(struct report *report, const struct finding_case *row, const char *id)
{
    if (!row->fix || report->brief)
        return;
    const char *fix = json_object_get_string(row->fix);
    write_key(report->out, "fix");
    write_wrapped(report->out, once_has_fix(&report->once, id, fix) ? ONCE_FIX : fix, TEXT_INDENT);
    fputc('\n', report->out);
}

static void write_row(FILE *out, const char *key, const char *text)
{
    write_key(out, key);
    for (; *text; text++) {
        fputc(*text, out);
        if (*text == '\n')
            fprintf(out, "%*s", TEXT_INDENT, "");
    }
    fputc('\n', out);
}

/* Writes the rows of a shader's finding, those of the first invocation. In a brief report only the
 * place is written. */
static void write_rows(const struct report *report, struct json_object *rows)
{
    struct json_object_iterator at = json_members(rows);
    struct json_object *text;
    const char *key, *place = json_text(rows, "shader");
    if (report->brief && place) {
        write_key(report->out, "shader");
        fprintf(report->out, "%.*s\n", (int)strcspn(place, "\n"), place);
    }
    while (!report->brief && json_next_member(&at, &key, &text)) {
        if (json_string(text)) /* in a damaged line the member may be of any type */
            write_row(report->out, key, json_string(text));
    }
}

/* Writes the command that expects another image layout, with its caller. */
static void write_wanted(struct report *report, const struct finding_case *row)
{
    FILE *out = report->out;
    struct json_object *caller = json_object_object_get(row->wanted, "caller");
    if (!row->wanted)
        return;
    write_key(out, "wanted");
    write_wanting(out, row->wanted);
    if (caller) {
        fprintf(out, "\n%*sby ", TEXT_INDENT, "");
        write_site(out, report->symbols, caller);
    }
    fputc('\n', out);
    if (report->brief)
        return;
    write_outer(report, caller, json_object_object_get(row->wanted, "stack"));
    if (!row->statement)
        return;
    write_key(out, "states");
    write_wrapped(out, json_text_or(row->statement, "spec"), TEXT_INDENT);
    fprintf(out, "\n%*s%s\n", TEXT_INDENT, "", json_text_or(row->statement, "url"));
}

void cases_write(struct report *report, const struct cases *cases, const char *id)
{
    FILE *out = report->out;
    const bool several = cases->count + cases->more_cases > 1;
    for (uint32_t i = 0; i < cases->count; i++) {
        const struct finding_case *row = &cases->rows[i];
        fputs("  ", out);
        write_wrapped(out, row->message, 2);
        fputc('\n', out);
        if (several) {
            write_key(out, "count");
            fputs(cases->partial ? "at least " : "", out);
            write_plural(out, row->count, "time");
            fputc('\n', out);
        }
        write_rows(report, row->rows);
        write_wanted(report, row);
        /* (Cases with the same text differ in their objects.) */
        if (several || !report->brief)
            write_objects(out, row->objects);
        write_fix(report, row, id);
        write_places(report, row, cases->partial);
    }
    if (cases->more_cases) {
        fputs("  and ", out);
        write_plural(out, cases->more_cases, "more different finding");
        fputs(" of this id (--all shows them)\n", out);
    }
}
