/* The different cases of one id, as the summary shows them: each text and objects once, with the
 * places where it came from. */
#ifndef ASSAY_TOOL_CASES_H
#define ASSAY_TOOL_CASES_H

#include "assay/report/report.h"

#define TEXT_INDENT 14 /* where the text after a key stands */

/* "    caller    " */
void write_key(FILE *out, const char *key);
/* "new: " before what the older run did not have. */
void write_status(FILE *out, enum status status);

struct place {
    struct json_object *caller, *stack; /* owned; `stack` may be NULL */
    /* owned: another thread's call that was under way, with its stack; may be NULL */
    struct json_object *race;
    enum status status;
    uint64_t count;
};

/* One text with its objects. */
struct finding_case {
    char *key; /* owned */
    char *message;
    struct json_object *objects;       /* owned */
    struct json_object *fix;           /* owned: of the first; NULL: there is none */
    struct json_object *rows, *wanted; /* likewise: finding_rows(), "wanted" */
    struct json_object *statement;     /* likewise */
    struct place *places;
    uint32_t place_count;
    uint64_t count, more_places; /* places past PLACES_SHOWN */
};

struct cases {
    struct finding_case *rows;
    uint32_t count;
    bool all;            /* no bounds */
    bool partial;        /* not all of the id's different findings were added */
    uint64_t more_cases; /* different findings past CASES_SHOWN, or that were not added */
};

/* False: memory is out, which is reported. */
bool cases_add(struct cases *cases, const struct found *found);
void cases_write(struct report *report, const struct cases *cases, const char *id);
void cases_free(struct cases *cases);

#endif
