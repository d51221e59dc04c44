/* Keeps what was found, in all the files, each different finding once: with how often and where it
 * came from.
 *
 * Findings are merged in a table of a bounded size in memory (MERGED_MOST). When it is full it goes
 * to an SQLite database in a temporary file, which merges further and sorts. The text of each
 * different finding's first occurrence is kept in another temporary file. So the memory needed does
 * not grow with the files, nor with how many different findings there are. Temporary files are
 * where SQLITE_TMPDIR or TMPDIR say, else in /var/tmp, and have no name. */
#ifndef ASSAY_TOOL_STORE_H
#define ASSAY_TOOL_STORE_H

#include <sqlite3.h>

#include "assay/report/findings.h"
#include "assay/report/frames.h"
#include "assay/store/identity.h"

/* Different findings, and pairs of finding and file, before they go to the database: about 50 MB of
 * memory. */
#define MERGED_MOST  400000u
#define ORIGINS_MOST 1000000u
/* Different ids: the specification has some 20,000. Further ones count as one, OTHER_RULE. */
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
    ADVICE_NONE, /* a mistake, or a note */
    ADVICE_MEMORY,
    ADVICE_BANDWIDTH,
    ADVICE_GPU,
    ADVICE_CPU,
    ADVICE_PORTABILITY,
    ADVICE_COUNT
};
enum advice advice_of(struct json_object *finding);
const char *advice_name(enum advice advice);  /* as in the JSON: "gpu"; "" for ADVICE_NONE */
const char *advice_title(enum advice advice); /* for people: "time of the GPU" */

/* Against the older run. */
enum status {
    STATUS_NONE, /* there is no older run */
    STATUS_NEW,  /* the older run had nothing like it */
    /* it had it in other places only: the program was changed there, or it is new in this place */
    STATUS_MOVED,
    STATUS_KNOWN,
    STATUS_GONE, /* only the older run had it */
};
const char *status_name(enum status status); /* "new"; "" for STATUS_NONE */

struct rule {
    char *id;
    enum severity_rank severity; /* the gravest that it was reported with */
    uint64_t count, different;
    uint64_t offset; /* in the spool: an example */
    uint32_t length;
    /* graver ones first, then what was found more often; then advice, by what it saves. Index of
     * `ranked` */
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
    uint32_t *ranked; /* by rank: indices of `rules`; after store_finish */
    struct findings_file *files;
    uint32_t file_count;
    char **complaints; /* the first ones, about damaged lines */
    uint32_t complaint_count;
    uint64_t findings, different, damaged; /* of files that are not old */
    bool has_old;
    struct merge *merge; /* store.c */
    /* borrowed; what findings are refined with while they are read, and lines are looked up with.
     * NULL: nothing is */
    const struct frames *frames;
};

/* NULL: it could not be made, which is reported. */
struct store *store_open(void);
void store_close(struct store *store);
/* Reads a file. False: not all of it could be read, which is reported. */
bool store_read(struct store *store, const char *path, bool old);
/* All is read. False: the temporary files could not be written, which is reported. */
bool store_finish(struct store *store);

/* One of the different findings. */
struct found {
    int64_t id;
    uint64_t key[2];
    uint32_t rule; /* index */
    enum severity_rank severity;
    enum status status;
    uint64_t count;
    uint64_t different;          /* of queries that put several together: how many; else 1 */
    struct json_object *finding; /* its first occurrence, with names as people write them (names.h).
                                    Lives until the next one */
    const char *text;            /* of it, JSON */
    size_t length;
};

/* Goes over findings. `rest` is what comes after the FROM clause of a query over `finding AS f JOIN
 * rank USING (rule)`; "?1", "?2" in it are `a` and `b`. */
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
/* The same with a GROUP BY: of each group the most frequent finding stands for it, with the count
 * of all. */
bool cursor_open_grouped(struct cursor *cursor, struct store *store, const char *rest, int64_t a,
                         int64_t b);
/* Those that only the older run had. */
bool cursor_open_gone(struct cursor *cursor, struct store *store);
bool cursor_next(struct cursor *cursor, struct found *found);
void cursor_close(struct cursor *cursor);

/* A number out of the database; 0 on failure, which is reported. */
uint64_t store_number(struct store *store, const char *sql);
/* The example of a rule. The document is the caller's to free; NULL: it cannot be read. */
struct json_object *store_rule_example(struct store *store, const struct rule *rule);
/* Tells what SQLite has to say. Gives false. */
bool store_failed(struct store *store, const char *doing);

#endif
