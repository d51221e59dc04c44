/* `assay report`: what the files of findings say, put together, in a form for people, for CI, for
 * code-scanning sites or for a database. */
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
    FILE *colored;       /* what `out` writes to, if that is a terminal with colours; or NULL */
    bool without_total;  /* of the text: how much there is has been said already */
    bool brief;          /* of the text: each finding has been said in full already */
    bool all;            /* of the text: every place, object and text, however many there are */
    bool without_source; /* of the page: no lines of source are put into it */
    struct once once;    /* of the text: what it has said; owned */
};

/* One form each. False: it could not be made, which is reported. That `out` could not be written is
 * the caller's to notice. */
bool report_text(struct report *report);
bool report_sarif(struct report *report);
bool report_junit(struct report *report);
bool report_html(struct report *report);
bool report_sqlite(struct report *report, const char *path);

/* words.c: what several forms have in common. */

/* "error VUID-...", as a heading. */
void write_heading(struct report *report, enum severity_rank severity, const char *id);

/* "1,204" */
void write_count(FILE *file, uint64_t count);
/* `VkBuffer "vertices"`; without a name `VkBuffer 0x100000107`. */
void write_object(FILE *file, struct json_object *object);
/* Text in lines as wide as the terminal (terminal.h), those after the first indented; line breaks
 * of its own are kept. */
void write_wrapped(FILE *file, const char *text, int indent);
/* The rows of what a shader found: `line`, which begins a line, the key, and the text. */
void write_row_lines(FILE *file, struct json_object *finding, const char *line);
/* "vkCmdDraw, command 3": what wants a layout (the member "wanted"). */
void write_wanting(FILE *file, struct json_object *wanted);
/* "a.jsonl 1,000, b.jsonl 3 and 2 more files": where findings came from, those of a rule (`column`
 * "rule") or one (`column` "id"). */
void write_origins(FILE *file, struct store *store, const char *column, int64_t value);
/* "VK_PIPELINE_STAGE_2_COPY_BIT" ... -> "COPY | CLEAR" */
void write_flags(FILE *file, struct json_object *flags);
/* "reads VkBuffer "vertices" in COPY with TRANSFER_READ" */
void write_access(FILE *file, struct json_object *side);
const char *severity_rank_name(enum severity_rank severity);
/* "3 findings", "1 finding" */
void write_plural(FILE *file, uint64_t count, const char *noun);

#endif
