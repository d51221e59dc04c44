/* Reads in which instances the layer was on, and what it checked. The layer writes that to a file
 * beside the findings (src/report/muting/tally.h). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "assay/report/report.h"
#include "assay/run/run.h"

/* The names of the layer's checks, in its order, and the options for those that are off by
 * default. */
static const struct {
    const char *name, *option;
} known_checks[] = {
    {"stateless", NULL}, {"lifetimes", NULL}, {"threads", NULL},
    {"core", NULL},      {"shaders", NULL},   {"sync", "--sync"},
    {"gpu", "--gpu"},    {"printf", NULL},    {"practices", NULL},
};
#define KNOWN_CHECKS (sizeof(known_checks) / sizeof(*known_checks))

static bool has_check(const char *checks, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = checks; at && (at = strstr(at, name)); at += length) {
        bool begins = at == checks || at[-1] == ' ';
        if (begins && (at[length] == ',' || !at[length]))
            return true;
    }
    return false;
}

static void add_checks(struct record *record, const char *checks)
{
    char *both = NULL;
    if (!record->checks) {
        record->checks = strdup(checks);
        return;
    }
    if (!strcmp(record->checks, checks))
        return;
    record->different = true;
    if (asprintf(&both, "%s, %s", record->checks, checks) < 0)
        return;
    free(record->checks);
    record->checks = both;
}

static void add_further(struct record *record, const char *id, uint64_t count)
{
    char **lines = realloc(record->further, (record->further_count + 1) * sizeof(*lines));
    char *text = NULL;
    size_t length = 0;
    FILE *memory = lines ? open_memstream(&text, &length) : NULL;
    if (lines)
        record->further = lines;
    if (!memory)
        return;
    fprintf(memory, "%s, ", id);
    write_count(memory, count);
    fputs(" more", memory);
    fclose(memory);
    record->further[record->further_count++] = text;
}

static void record_take_line(struct record *record, struct json_object *line)
{
    if (json_object_object_get(line, "instance")) {
        record->instances++;
        add_checks(record, json_text_or(line, "checks"));
    }
    record->devices += json_object_object_get(line, "device") != NULL;
    record->ended += json_object_object_get(line, "end") != NULL;
    if (json_text(line, "further"))
        add_further(record, json_text(line, "further"), json_number(line, "count"));
}

void record_read(struct record *record, const char *path)
{
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    while (file && (length = getline(&line, &size, file)) > 0) {
        struct json_object *document = json_read_once(line, (size_t)length);
        if (document)
            record_take_line(record, document);
        json_object_put(document);
    }
    free(line);
    if (file)
        fclose(file);
}

void record_free(struct record *record)
{
    for (uint32_t i = 0; i < record->further_count; i++)
        free(record->further[i]);
    free(record->further);
    free(record->checks);
}

void record_write_checks(FILE *file, const struct record *record)
{
    bool any = false;
    fputs("checked ", file);
    for (size_t i = 0; i < KNOWN_CHECKS; i++) {
        if (!has_check(record->checks, known_checks[i].name))
            continue;
        fprintf(file, "%s%s", any ? ", " : "", known_checks[i].name);
        any = true;
    }
    fputs(any ? "" : "nothing", file);
    fputs(any && record->different ? " (not all in each instance)" : "", file);
    any = false;
    for (size_t i = 0; i < KNOWN_CHECKS; i++) {
        if (!known_checks[i].option || has_check(record->checks, known_checks[i].name))
            continue;
        fprintf(file, "%s%s (%s)", any ? ", " : "; not ", known_checks[i].name,
                known_checks[i].option);
        any = true;
    }
}
