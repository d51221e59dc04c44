/* Keeps the findings of all files, each different one once, with the number of times that each file
 * has it.
 *
 * Findings are merged in a table of limited size in memory (MERGED_MOST). When it is full, it is
 * moved to an SQLite database in a temporary file, which merges further and sorts. The text of each
 * different finding's first occurrence is in another temporary file, the spool. So the memory
 * needed does not grow with the files, nor with the number of different findings. Temporary files
 * have no name; they are in the directory that SQLITE_TMPDIR or TMPDIR names, else in /var/tmp. */
#ifndef ASSAY_TOOL_STORE_H
#define ASSAY_TOOL_STORE_H

#include <sqlite3.h>

#include "assay/report/findings.h"
#include "assay/report/frames.h"
#include "assay/store/identity.h"

/* The most different findings, and pairs of a finding and a file, that are kept in memory: about 50
 * MB. */
#define MERGED_MOST  400000u
#define ORIGINS_MOST 1000000u
/* The most different ids; the specification has some 20,000. Further ones count as one,
 * OTHER_RULE. */
#define RULES_MOST 1000000u
#define OTHER_RULE "(more ids than a report can have)"

enum severity_rank {
    RANK_ERROR,
    RANK_WARNING,
    RANK_PERFORMANCE,
    RANK_INFO,
    RANK_DEBUG,
    RANK_COUNT
};

/* The resource that a program saves by taking a piece of advice ("practice": {"saves": ...}). */
enum advice {
    ADVICE_NONE, /* the finding is a mistake or information, and not advice */
    ADVICE_MEMORY,
    ADVICE_BANDWIDTH,
    ADVICE_GPU,
    ADVICE_CPU,
    ADVICE_PORTABILITY,
    ADVICE_COUNT
};
enum advice advice_of(struct json_object *finding);
const char *advice_name(enum advice advice);  /* its name in JSON: "gpu"; "" for ADVICE_NONE */
const char *advice_title(enum advice advice); /* its name for people: "time of the GPU" */

/* How a finding compares with the older run (--since). */
enum status {
    STATUS_NONE, /* there is no older run */
    STATUS_NEW,  /* the older run does not have it, nor one with the same `loose` identity */
    /* the older run has it in other places only: the program was changed, or the finding is new in
     * this place */
    STATUS_MOVED,
    STATUS_KNOWN,
    STATUS_GONE, /* only the older run has it */
};
const char *status_name(enum status status); /* for messages: "new"; "" for STATUS_NONE */

struct rule {
    char *id;
    enum severity_rank severity; /* the gravest severity that it was reported with */
    uint64_t count, different;
    uint64_t offset; /* place of an example in the spool */
    uint32_t length;
    /* its index in `ranked`: graver rules come first, then more frequent ones; then advice, by what
     * it saves */
    uint32_t rank;
    enum advice advice;
};

struct findings_file {
    char *path;
    bool old, failed;
    struct findings_counts counts;
};

struct store {
    sqlite3 *database;
    struct rule *rules;
    uint32_t rule_count;
    uint32_t *ranked; /* indices of `rules` by rank; after store_finish() */
    struct findings_file *files;
    uint32_t file_count;
    char **complaints; /* the first messages about damaged lines */
    uint32_t complaint_count;
    uint64_t findings, different, damaged; /* without those of the older run */
    bool has_old;
    struct merge *merge; /* store.c */
    /* borrowed; refines findings while they are read, and looks up source lines; NULL: neither is
     * done */
    const struct frames *frames;
};

/* Makes a store; NULL: that failed, which is reported. */
struct store *store_open(void);
void store_close(struct store *store);
/* Reads a file; `old`: it is of the older run. Returns false if not all of it could be read, which
 * is reported. */
bool store_read(struct store *store, const char *path, bool old);
/* Called when all files were read. Returns false if the temporary files could not be written, which
 * is reported. */
bool store_finish(struct store *store);

/* One of the different findings. */
struct found {
    int64_t id;
    uint64_t key[2];
    uint32_t rule; /* index */
    enum severity_rank severity;
    enum status status;
    uint64_t count;
    /* how many different findings a row of a grouped query stands for; else 1 */
    uint64_t different;
    /* its first occurrence, with demangled names (names.h), valid until the next call */
    struct json_object *finding;
    const char *text; /* its JSON */
    size_t length;
};

/* Iterates over findings. `rest` is the part after the FROM clause of a query over `finding AS f
 * JOIN rank USING (rule)`; "?1" and "?2" in it stand for `a` and `b`. */
struct cursor {
    struct store *store;
    sqlite3_stmt *query;
    struct json_object *document;
    char *text;
    size_t capacity;
    bool grouped;
};
#define BY_RANK        "ORDER BY rank, count DESC, id"
#define WITHOUT_LIMITS 0, 0
bool cursor_open(struct cursor *cursor, struct store *store, const char *rest, int64_t a,
                 int64_t b);
/* The same with a GROUP BY: each group is represented by its most frequent finding, with the count
 * of all. */
bool cursor_open_grouped(struct cursor *cursor, struct store *store, const char *rest, int64_t a,
                         int64_t b);
/* Iterates over findings that only the older run has. */
bool cursor_open_gone(struct cursor *cursor, struct store *store);
bool cursor_next(struct cursor *cursor, struct found *found);
void cursor_close(struct cursor *cursor);

/* Returns the number that a query yields; 0 on failure, which is reported. */
uint64_t store_number(struct store *store, const char *sql);
/* Returns an example of a rule's findings, which the caller frees; NULL: it cannot be read. */
struct json_object *store_rule_example(struct store *store, const struct rule *rule);
/* Reports SQLite's error. Always returns false. */
bool store_failed(struct store *store, const char *doing);

#endif
