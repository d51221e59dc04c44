/* Keeps the different cases of one id for the summary: each text with its objects once, and the
 * places of its findings. */
#ifndef ASSAY_TOOL_CASES_H
#define ASSAY_TOOL_CASES_H

#include "assay/report/report.h"

#define TEXT_INDENT 14 /* the column of the text after a key */

/* Writes a key: "    caller    ". */
void write_key(FILE *out, const char *key);
/* Writes "new: " before a finding that the older run does not have. */
void write_status(FILE *out, enum status status);

struct place {
    struct json_object *caller, *stack; /* owned; `stack` may be NULL */
    /* owned; the other thread's call in a race, with its stack; may be NULL */
    struct json_object *race;
    enum status status;
    uint64_t count;
};

/* One text with its objects. */
struct finding_case {
    char *key; /* owned */
    char *message;
    struct json_object *objects; /* owned */
    /* owned; the fix of the first finding; NULL: there is none */
    struct json_object *fix;
    /* owned; finding_rows() and the member "wanted" of the first finding; may be NULL */
    struct json_object *rows, *wanted;
    /* owned; finding_statement() of the first finding; may be NULL */
    struct json_object *statement;
    struct place *places;
    uint32_t place_count;
    uint64_t count, more_places; /* findings in further places than PLACES_SHOWN */
};

struct cases {
    struct finding_case *rows;
    uint32_t count;
    bool all;            /* there are no limits */
    bool partial;        /* not all of the id's different findings were added */
    uint64_t more_cases; /* different findings beyond CASES_SHOWN, and those that were not added */
};

/* Adds a finding. Returns false if memory is out, which is reported. */
bool cases_add(struct cases *cases, const struct found *found);
void cases_write(struct report *report, const struct cases *cases, const char *id);
void cases_free(struct cases *cases);

#endif
