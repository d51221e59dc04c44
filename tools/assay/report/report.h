/* Merges the findings of files into a report, for `assay report`: in a form for people, for CI, for
 * code-scanning sites, or as a database. */
#ifndef ASSAY_TOOL_REPORT_H
#define ASSAY_TOOL_REPORT_H

#include "assay/command.h"
#include "assay/run/once.h"
#include "assay/store/store.h"
#include "assay/symbols/symbols.h"

extern const struct command report_command;

struct report {
    struct store *store;
    struct symbols *symbols; /* NULL: not asked for */
    FILE *out;
    /* the file that `out` writes to, if it is a terminal with colours; else NULL */
    FILE *colored;
    bool without_total;  /* in the text: the total was written already */
    bool brief;          /* in the text: each finding was written in full already */
    bool all;            /* in the text: there is no limit to places, objects and texts */
    bool without_source; /* in the page: there are no source lines */
    struct once once;    /* in the text: what was written already; owned */
};

/* These write one form each. They return false if it could not be made, which is reported. The
 * caller checks whether `out` could be written. */
bool report_text(struct report *report);
bool report_sarif(struct report *report);
bool report_junit(struct report *report);
bool report_html(struct report *report);
bool report_sqlite(struct report *report, const char *path);

/* The following functions are for several forms (words.c). */

/* Writes a heading, "error VUID-...". */
void write_heading(struct report *report, enum severity_rank severity, const char *id);

/* Writes a number as "1,204". */
void write_count(FILE *file, uint64_t count);
/* Writes an object: `VkBuffer "vertices"`, or without a name `VkBuffer 0x100000107`. */
void write_object(FILE *file, struct json_object *object);
/* Writes text in lines of the terminal's width (terminal.h). Lines after the first one are
 * indented; line breaks in the text are kept. */
void write_wrapped(FILE *file, const char *text, int indent);
/* Writes the rows of a shader's finding: each has `line`, which begins a line, the key, and the
 * text. */
void write_row_lines(FILE *file, struct json_object *finding, const char *line);
/* Writes the command that expects an image layout (the member "wanted"): "vkCmdDraw, command 3". */
void write_wanting(FILE *file, struct json_object *wanted);
/* Writes which files findings came from: "a.jsonl 1,000, b.jsonl 3 and 2 more files". `column` is
 * "rule" for all findings of a rule, or "id" for one finding. */
void write_origins(FILE *file, struct store *store, const char *column, int64_t value);
/* Writes flags without prefix and suffix: "VK_PIPELINE_STAGE_2_COPY_BIT" ... as "COPY | CLEAR". */
void write_flags(FILE *file, struct json_object *flags);
/* Writes an access: `reads VkBuffer "vertices" in COPY with TRANSFER_READ`. */
void write_access(FILE *file, struct json_object *side);
const char *severity_rank_name(enum severity_rank severity);
/* Writes a number and a noun: "3 findings", "1 finding". */
void write_plural(FILE *file, uint64_t count, const char *noun);

#endif
