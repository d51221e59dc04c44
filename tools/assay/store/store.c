/* Merges findings: each different one is kept once. */
#include "assay/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "assay/command.h"
#include "assay/symbols/names.h"

#define TABLE_SIZE (1u << 20) /* a power of two, at least twice MERGED_MOST */
/* entries of the table of rules: a power of two, at least twice RULES_MOST */
#define RULE_TABLE   (1u << 21)
#define COMPLAINTS   100 /* complaints that are kept for reports */
#define SPOOL_BUFFER (1u << 20)
#define NO_ORIGIN    UINT32_MAX
#define SQL_OF_FINDING                                                                           \
    "(id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, rule INTEGER, severity INTEGER, count "  \
    "INTEGER, "                                                                                  \
    "site INTEGER, loose INTEGER, place INTEGER, pair INTEGER, offset INTEGER, length INTEGER, " \
    "status INTEGER "                                                                            \
    "DEFAULT 0)"

/* A finding that is merged in memory. */
struct merged {
    struct identity identity;
    uint64_t count, offset;
    uint32_t length, rule, origins;
    enum severity_rank severity;
};

/* How often a finding is in one file. */
struct origin {
    uint32_t file, next;
    uint64_t count;
};

/* A cache of texts that were parsed, with the results. A hash chooses the place. An engine has the
 * same findings in every frame, and parsing takes most of the time for a finding. */
#define KNOWN_TEXTS 16384u /* 1.3 MB; a power of 2 */
struct known_text {
    XXH128_hash_t hash; /* 0: the place is free */
    struct identity identity;
    uint64_t count; /* how many findings a line with this text stands for */
    uint32_t rule;
    enum severity_rank severity;
};

struct merge {
    struct known_text *known; /* KNOWN_TEXTS of them */
    struct merged *merged;
    uint32_t merged_count;
    uint32_t *table; /* open addressing: indices of `merged` + 1 */
    struct origin *origins;
    uint32_t origin_count;
    uint32_t *rule_table; /* indices of `rules` + 1 */
    uint32_t rule_capacity;
    uint32_t file; /* the file that is being read */
    bool old;
    int spool;
    uint64_t spool_length;
    char *spool_buffer;
    size_t spool_used;
};

const char *status_name(enum status status)
{
    static const char *const names[] = {"", "new", "moved", "known", "gone"};
    return names[status];
}

bool store_failed(struct store *store, const char *doing)
{
    tell("%s: %s", doing, sqlite3_errmsg(store->database));
    return false;
}

static bool store_sql(struct store *store, const char *text)
{
    return sqlite3_exec(store->database, text, NULL, NULL, NULL) == SQLITE_OK ||
           store_failed(store, "the temporary database");
}

/* --- the spool: first occurrences --- */

static bool spool_write_out(struct merge *merge)
{
    for (size_t done = 0; done < merge->spool_used;) {
        ssize_t wrote = write(merge->spool, merge->spool_buffer + done, merge->spool_used - done);
        if (wrote < 0 && errno != EINTR) {
            tell("a temporary file: %s (TMPDIR names another place for it)", strerror(errno));
            return false;
        }
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    merge->spool_used = 0;
    return true;
}

static bool spool_add(struct merge *merge, const char *text, size_t length, uint64_t *offset)
{
    *offset = merge->spool_length;
    merge->spool_length += length;
    while (length) {
        size_t part =
            SPOOL_BUFFER - merge->spool_used < length ? SPOOL_BUFFER - merge->spool_used : length;
        memcpy(merge->spool_buffer + merge->spool_used, text, part);
        merge->spool_used += part;
        text += part;
        length -= part;
        if (merge->spool_used == SPOOL_BUFFER && !spool_write_out(merge))
            return false;
    }
    return true;
}

static int spool_open(void)
{
    const char *directories[] = {getenv("SQLITE_TMPDIR"), getenv("TMPDIR"), "/var/tmp", "/tmp"};
    for (size_t i = 0; i < sizeof(directories) / sizeof(*directories); i++) {
        char path[4096];
        if (!directories[i])
            continue;
        snprintf(path, sizeof(path), "%s/assay-report-XXXXXX", directories[i]);
        int file = mkostemp(path, O_CLOEXEC);
        if (file < 0)
            continue;
        unlink(path);
        return file;
    }
    tell("a temporary file cannot be made: %s (TMPDIR names another place for it)",
         strerror(errno));
    return -1;
}

/* --- rules --- */

static uint32_t hash_text(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return (uint32_t)(hash ^ hash >> 32);
}

/* Returns the index of the rule for an id, which is added if it is new; UINT32_MAX: memory is
 * out. */
static uint32_t rule_of(struct store *store, const char *id)
{
    struct merge *merge = store->merge;
    if (store->rule_count >= RULES_MOST)
        id = OTHER_RULE;
    uint32_t slot = hash_text(id) & (RULE_TABLE - 1);
    for (; merge->rule_table[slot]; slot = (slot + 1) & (RULE_TABLE - 1)) {
        if (!strcmp(store->rules[merge->rule_table[slot] - 1].id, id))
            return merge->rule_table[slot] - 1;
    }
    if (store->rule_count == merge->rule_capacity) {
        uint32_t capacity = merge->rule_capacity ? merge->rule_capacity * 2 : 256;
        struct rule *rules = realloc(store->rules, capacity * sizeof(*rules));
        if (!rules)
            return UINT32_MAX;
        store->rules = rules;
        merge->rule_capacity = capacity;
    }
    char *copy = strdup(id);
    if (!copy)
        return UINT32_MAX;
    store->rules[store->rule_count] = (struct rule){.id = copy, .severity = RANK_COUNT};
    merge->rule_table[slot] = ++store->rule_count;
    return store->rule_count - 1;
}

static const char *const advice_names[ADVICE_COUNT] = {"",    "memory", "bandwidth",
                                                       "gpu", "cpu",    "portability"};

const char *advice_name(enum advice advice)
{
    return advice_names[advice];
}

const char *advice_title(enum advice advice)
{
    static const char *const titles[ADVICE_COUNT] = {"",
                                                     "memory",
                                                     "bandwidth",
                                                     "time of the GPU",
                                                     "time of the CPU",
                                                     "trouble on other devices"};
    return titles[advice];
}

enum advice advice_of(struct json_object *finding)
{
    const char *saves = json_text_or(json_object_object_get(finding, "practice"), "saves");
    for (uint32_t i = 1; i < ADVICE_COUNT; i++) {
        if (!strcmp(saves, advice_names[i]))
            return (enum advice)i;
    }
    /* Advice of the setting validate_sync is about barriers that wait for more than necessary,
     * which costs time of the GPU. */
    return strncmp(json_text_or(finding, "vuid"), "BestPractices-", 14) ? ADVICE_NONE : ADVICE_GPU;
}

static enum severity_rank severity_of(struct json_object *finding)
{
    static const char *const names[] = {"error", "warning", "performance", "info", "debug"};
    const char *name = json_text_or(finding, "severity");
    for (int i = 0; i < RANK_COUNT; i++) {
        if (!strcmp(names[i], name))
            return (enum severity_rank)i;
    }
    return RANK_ERROR; /* an unknown severity counts as an error, so that it is not overlooked */
}

/* --- to the database --- */

static int compare_keys(const void *a, const void *b)
{
    const struct merged *first = a, *second = b;
    return memcmp(first->identity.key, second->identity.key, sizeof(first->identity.key));
}

static bool put_origins(struct store *store, sqlite3_stmt *insert, int64_t id, uint32_t origin)
{
    struct merge *merge = store->merge;
    for (; origin != NO_ORIGIN; origin = merge->origins[origin].next) {
        sqlite3_bind_int64(insert, 1, id);
        sqlite3_bind_int64(insert, 2, merge->origins[origin].file);
        sqlite3_bind_int64(insert, 3, (int64_t)merge->origins[origin].count);
        if (sqlite3_step(insert) != SQLITE_DONE)
            return store_failed(store, "the temporary database");
        sqlite3_reset(insert);
    }
    return true;
}

/* Moves all merged findings into the database. Returns false if it cannot be written. */
static bool put_merged(struct store *store, sqlite3_stmt *insert, sqlite3_stmt *origins)
{
    struct merge *merge = store->merge;
    for (uint32_t i = 0; i < merge->merged_count; i++) {
        const struct merged *merged = &merge->merged[i];
        const struct identity *identity = &merged->identity;
        const uint64_t numbers[] = {merged->rule,   merged->severity, merged->count,
                                    identity->site, identity->loose,  identity->place,
                                    identity->pair, merged->offset,   merged->length};
        sqlite3_bind_blob(insert, 1, identity->key, sizeof(identity->key), SQLITE_STATIC);
        for (int k = 0; k < 9; k++)
            sqlite3_bind_int64(insert, k + 2, (int64_t)numbers[k]);
        if (sqlite3_step(insert) != SQLITE_ROW)
            return store_failed(store, "the temporary database");
        int64_t id = sqlite3_column_int64(insert, 0);
        if (sqlite3_step(insert) != SQLITE_DONE)
            return store_failed(store, "the temporary database");
        sqlite3_reset(insert);
        if (!merge->old && !put_origins(store, origins, id, merged->origins))
            return false;
    }
    return true;
}

/* Writes the findings that were merged in memory to the database, sorted by key, so that neighbours
 * in the database's tree are written together. */
static bool store_flush(struct store *store)
{
    struct merge *merge = store->merge;
    sqlite3_stmt *insert = NULL, *origins = NULL;
    char text[512];
    qsort(merge->merged, merge->merged_count, sizeof(*merge->merged), compare_keys);
    snprintf(text, sizeof(text),
             "INSERT INTO %s (key, rule, severity, count, site, loose, place, pair, offset, "
             "length) VALUES (?,?,?,?,?,?,?,?,?,?) ON CONFLICT (key) DO UPDATE SET count = count + "
             "excluded.count, severity = min(severity, excluded.severity) RETURNING id",
             merge->old ? "was" : "finding");
    bool good = store_sql(store, "BEGIN") &&
                sqlite3_prepare_v2(store->database, text, -1, &insert, NULL) == SQLITE_OK &&
                sqlite3_prepare_v2(store->database,
                                   "INSERT INTO origin VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET "
                                   "count = count + excluded.count",
                                   -1, &origins, NULL) == SQLITE_OK;
    good = good && put_merged(store, insert, origins) && spool_write_out(merge);
    sqlite3_finalize(insert);
    sqlite3_finalize(origins);
    merge->merged_count = merge->origin_count = 0;
    memset(merge->table, 0, TABLE_SIZE * sizeof(*merge->table));
    return good && store_sql(store, "COMMIT");
}

/* --- merging --- */

/* Finds the merged finding with this identity, or adds it. NULL: the database failed. */
static struct merged *find_or_add(struct store *store, const struct identity *identity, bool *added)
{
    struct merge *merge = store->merge;
    *added = false;
    for (;;) {
        uint32_t slot = (uint32_t)identity->key[0] & (TABLE_SIZE - 1);
        for (; merge->table[slot]; slot = (slot + 1) & (TABLE_SIZE - 1)) {
            struct merged *merged = &merge->merged[merge->table[slot] - 1];
            if (!memcmp(merged->identity.key, identity->key, sizeof(identity->key)))
                return merged;
        }
        if (merge->merged_count < MERGED_MOST) {
            struct merged *merged = &merge->merged[merge->merged_count++];
            merge->table[slot] = merge->merged_count;
            *merged = (struct merged){
                .identity = *identity, .origins = NO_ORIGIN, .severity = RANK_COUNT};
            *added = true;
            return merged;
        }
        if (!store_flush(store))
            return NULL;
    }
}

static bool count_origin(struct store *store, struct merged *merged, uint64_t count)
{
    struct merge *merge = store->merge;
    struct origin *last = merged->origins == NO_ORIGIN ? NULL : &merge->origins[merged->origins];
    if (last && last->file == merge->file) {
        last->count += count;
        return true;
    }
    merge->origins[merge->origin_count] = (struct origin){merge->file, merged->origins, count};
    merged->origins = merge->origin_count++;
    return merge->origin_count < ORIGINS_MOST || store_flush(store);
}

/* Counts a finding. Returns false if that failed, which is reported. */
static bool count_finding(struct store *store, const struct known_text *known, const char *text,
                          size_t length)
{
    struct merge *merge = store->merge;
    bool added;
    struct merged *merged = find_or_add(store, &known->identity, &added);
    if (!merged)
        return false;
    struct rule *rule = &store->rules[known->rule];
    if (added) {
        merged->rule = known->rule;
        merged->length = (uint32_t)length;
        if (!spool_add(merge, text, length, &merged->offset))
            return false;
        if (!rule->length) {
            rule->offset = merged->offset;
            rule->length = merged->length;
        }
    }
    enum severity_rank severity = known->severity;
    merged->count += known->count;
    merged->severity = severity < merged->severity ? severity : merged->severity;
    if (merge->old)
        return true;
    store->findings += known->count;
    rule->count += known->count;
    rule->severity = severity < rule->severity ? severity : rule->severity;
    return count_origin(store, merged, known->count);
}

static struct known_text *known_text(struct merge *merge, XXH128_hash_t hash)
{
    return &merge->known[hash.low64 & (KNOWN_TEXTS - 1)];
}

/* Hashes a line without the time at its end, which is different in each line:
 * `,"time":"2026-11-24T02:28:43.123456Z"}`. */
static XXH128_hash_t hash_line(const char *text, size_t length)
{
    static const char begin[] = ",\"time\":\"";
    const size_t size = sizeof(begin) - 1 + 27 + 2;
    if (length > size && !memcmp(text + length - size, begin, sizeof(begin) - 1))
        length -= size;
    return XXH3_128bits(text, length);
}

/* Takes one finding of a file, and merges it with those of the same identity. Returns false if the
 * store failed. */
static bool store_take(void *user, struct json_object *finding, const char *text, size_t length)
{
    struct store *store = user;
    uint64_t repeats = json_number(finding, "repeats");
    struct known_text known = {.hash = hash_line(text, length),
                               .severity = severity_of(finding),
                               .count = repeats ? repeats : 1};
    if (frames_refine(store->frames, finding))
        text = json_object_to_json_string_length(finding,
                                                 JSON_C_TO_STRING_PLAIN |
                                                     JSON_C_TO_STRING_NOSLASHESCAPE,
                                                 &length);
    identity_find(&known.identity, finding);
    known.rule = rule_of(store, json_text(finding, "vuid"));
    if (known.rule == UINT32_MAX) {
        tell("memory is out");
        return false;
    }
    store->rules[known.rule].advice = advice_of(finding);
    *known_text(store->merge, known.hash) = known;
    return count_finding(store, &known, text, length);
}

static bool store_take_again(void *user, const char *text, size_t length, bool *stop)
{
    struct store *store = user;
    XXH128_hash_t hash = hash_line(text, length);
    const struct known_text *known = known_text(store->merge, hash);
    if (!XXH128_isEqual(known->hash, hash))
        return false;
    *stop = !count_finding(store, known, text, length);
    return true;
}

static void keep_complaint(void *user, const char *message)
{
    struct store *store = user;
    tell("%s", message);
    char *copy = store->complaint_count < COMPLAINTS ? strdup(message) : NULL;
    if (copy)
        store->complaints[store->complaint_count++] = copy;
}

bool store_read(struct store *store, const char *path, bool old)
{
    struct merge *merge = store->merge;
    struct findings_file *files = realloc(store->files, (store->file_count + 1) * sizeof(*files));
    char *copy = strdup(path);
    if (files)
        store->files = files;
    if (!files || !copy) {
        free(copy);
        tell("memory is out");
        return false;
    }
    if (merge->old != old && !store_flush(store)) {
        free(copy);
        return false;
    }
    merge->old = old;
    merge->file = store->file_count;
    struct findings_file *file = &files[store->file_count++];
    *file = (struct findings_file){.path = copy, .old = old};
    const struct findings_sink sink = {
        .take = store_take, .repeat = store_take_again, .complain = keep_complaint, .user = store};
    file->failed = !findings_read(path, &sink, &file->counts);
    if (!old)
        store->damaged += file->counts.damaged;
    store->has_old |= old;
    return !file->failed;
}

/* --- after all files are read --- */

static const struct rule *comparing; /* qsort has no argument for it */

static int compare_rules(const void *a, const void *b)
{
    const struct rule *first = &comparing[*(const uint32_t *)a],
                      *second = &comparing[*(const uint32_t *)b];
    if (first->advice != second->advice)
        return first->advice < second->advice ? -1 : 1;
    if (first->severity != second->severity)
        return first->severity < second->severity ? -1 : 1;
    if (first->count != second->count)
        return first->count > second->count ? -1 : 1;
    return strcmp(first->id, second->id);
}

/* Sorts the ids in the order of the report. Returns false if memory is out, or the database
 * failed. */
static bool rank_rules(struct store *store)
{
    sqlite3_stmt *insert = NULL, *query = NULL;
    store->ranked = malloc((store->rule_count + 1) * sizeof(*store->ranked));
    if (!store->ranked)
        return false;
    for (uint32_t i = 0; i < store->rule_count; i++)
        store->ranked[i] = i;
    comparing = store->rules;
    qsort(store->ranked, store->rule_count, sizeof(*store->ranked), compare_rules);
    bool good = store_sql(store, "BEGIN") &&
                sqlite3_prepare_v2(store->database, "INSERT INTO rank VALUES (?, ?)", -1, &insert,
                                   NULL) == SQLITE_OK;
    for (uint32_t i = 0; good && i < store->rule_count; i++) {
        store->rules[store->ranked[i]].rank = i;
        sqlite3_bind_int64(insert, 1, store->ranked[i]);
        sqlite3_bind_int64(insert, 2, i);
        good = sqlite3_step(insert) == SQLITE_DONE && sqlite3_reset(insert) == SQLITE_OK;
    }
    sqlite3_finalize(insert);
    good = good && store_sql(store, "COMMIT") &&
           sqlite3_prepare_v2(store->database, "SELECT rule, count(*) FROM finding GROUP BY rule",
                              -1, &query, NULL) == SQLITE_OK;
    while (good && sqlite3_step(query) == SQLITE_ROW) {
        uint64_t different = (uint64_t)sqlite3_column_int64(query, 1);
        store->rules[sqlite3_column_int64(query, 0)].different = different;
        store->different += different;
    }
    sqlite3_finalize(query);
    return good || store_failed(store, "the temporary database");
}

bool store_finish(struct store *store)
{
    static const char compare[] =
        "CREATE INDEX was_site ON was (site); CREATE INDEX was_loose ON was (loose);CREATE INDEX "
        "finding_site ON finding (site); CREATE INDEX finding_loose ON finding (loose);UPDATE "
        "finding SET status = CASE WHEN EXISTS (SELECT 1 FROM was WHERE was.site = finding.site) "
        "THEN 3 WHEN EXISTS (SELECT 1 FROM was WHERE was.loose = finding.loose) THEN 2 ELSE 1 END;";
    return store_flush(store) && rank_rules(store) &&
           (!store->has_old || store_sql(store, compare)) &&
           store_sql(store,
                     "CREATE INDEX finding_rule ON finding (rule, place, pair, count, severity, "
                     "status, offset, length, key);" /* has all columns that summaries read */
                     "CREATE INDEX finding_pair ON finding (pair) WHERE pair <> 0;CREATE INDEX "
                     "origin_file ON origin (file);");
}

/* --- opening and closing --- */

static bool make_tables(struct store *store)
{
    return store_sql(store,
                     "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = "
                     "EXCLUSIVE; PRAGMA cache_size = -65536;PRAGMA temp_store = FILE;CREATE TABLE "
                     "finding " SQL_OF_FINDING "; CREATE TABLE was " SQL_OF_FINDING
                     ";CREATE TABLE origin (finding INTEGER, file INTEGER, count INTEGER, PRIMARY "
                     "KEY (finding, file)) WITHOUT ROWID;CREATE TABLE rank (rule INTEGER PRIMARY "
                     "KEY, rank INTEGER);");
}

struct store *store_open(void)
{
    struct store *store = calloc(1, sizeof(*store));
    struct merge *merge = calloc(1, sizeof(*merge));
    if (!store || !merge) {
        free(store);
        free(merge);
        tell("memory is out");
        return NULL;
    }
    store->merge = merge;
    merge->merged = malloc(MERGED_MOST * sizeof(*merge->merged));
    merge->origins = malloc(ORIGINS_MOST * sizeof(*merge->origins));
    merge->known = calloc(KNOWN_TEXTS, sizeof(*merge->known));
    merge->table = calloc(TABLE_SIZE, sizeof(*merge->table));
    merge->rule_table = calloc(RULE_TABLE, sizeof(*merge->rule_table));
    merge->spool_buffer = malloc(SPOOL_BUFFER);
    store->complaints = calloc(COMPLAINTS, sizeof(*store->complaints));
    merge->spool = -1;
    bool memory = merge->merged && merge->origins && merge->known && merge->table &&
                  merge->rule_table && merge->spool_buffer && store->complaints;
    if (!memory)
        tell("memory is out");
    if (memory && (merge->spool = spool_open()) >= 0 &&
        sqlite3_open("", &store->database) == SQLITE_OK && make_tables(store))
        return store;
    store_close(store);
    return NULL;
}

void store_close(struct store *store)
{
    if (!store)
        return;
    struct merge *merge = store->merge;
    for (uint32_t i = 0; i < store->rule_count; i++)
        free(store->rules[i].id);
    for (uint32_t i = 0; i < store->file_count; i++)
        free(store->files[i].path);
    for (uint32_t i = 0; i < store->complaint_count; i++)
        free(store->complaints[i]);
    sqlite3_close(store->database);
    if (merge->spool >= 0)
        close(merge->spool);
    free(merge->known);
    free(merge->merged);
    free(merge->origins);
    free(merge->table);
    free(merge->rule_table);
    free(merge->spool_buffer);
    free(merge);
    free(store->rules);
    free(store->ranked);
    free(store->files);
    free(store->complaints);
    free(store);
}

/* --- reading it --- */

/* Reads the text of a finding back into `*text`, which grows, and parses it. The caller frees the
 * object; NULL: it cannot be read. */
static struct json_object *read_spool(struct store *store, uint64_t offset, uint32_t length,
                                      char **text, size_t *capacity)
{
    if (*capacity < length + 1u) {
        char *larger = realloc(*text, length + 1u);
        if (!larger)
            return NULL;
        *text = larger;
        *capacity = length + 1u;
    }
    for (size_t done = 0; done < length;) {
        ssize_t got =
            pread(store->merge->spool, *text + done, length - done, (off_t)(offset + done));
        if (got <= 0 && errno != EINTR)
            return NULL;
        done += got > 0 ? (size_t)got : 0;
    }
    (*text)[length] = '\0';
    return json_read_once(*text, length);
}

struct json_object *store_rule_example(struct store *store, const struct rule *rule)
{
    char *text = NULL;
    size_t capacity = 0;
    struct json_object *document = read_spool(store, rule->offset, rule->length, &text, &capacity);
    free(text);
    return document;
}

static bool open_query(struct cursor *cursor, struct store *store, const char *text, int64_t a,
                       int64_t b)
{
    *cursor = (struct cursor){.store = store};
    if (sqlite3_prepare_v2(store->database, text, -1, &cursor->query, NULL) != SQLITE_OK)
        return store_failed(store, "the temporary database");
    if (sqlite3_bind_parameter_count(cursor->query) > 0)
        sqlite3_bind_int64(cursor->query, 1, a);
    if (sqlite3_bind_parameter_count(cursor->query) > 1)
        sqlite3_bind_int64(cursor->query, 2, b);
    return true;
}

#define COLUMNS "f.id AS id, f.key, f.rule, f.severity, f.status, f.offset, f.length, "

bool cursor_open(struct cursor *cursor, struct store *store, const char *rest, int64_t a, int64_t b)
{
    char text[1024];
    snprintf(text, sizeof(text),
             "SELECT " COLUMNS "f.count AS count, 1, 0 FROM finding AS f JOIN rank USING (rule) %s",
             rest);
    return open_query(cursor, store, text, a, b);
}

bool cursor_open_grouped(struct cursor *cursor, struct store *store, const char *rest, int64_t a,
                         int64_t b)
{
    char text[1024];
    /* (For a group's other columns SQLite returns the values of the row with the maximum.) */
    snprintf(text, sizeof(text),
             "SELECT " COLUMNS "sum(f.count) AS count, count(*), max(f.count) FROM finding AS f "
             "JOIN rank USING (rule) %s",
             rest);
    return open_query(cursor, store, text, a, b);
}

bool cursor_open_gone(struct cursor *cursor, struct store *store)
{
    return open_query(cursor, store,
                      "SELECT f.id AS id, f.key, f.rule, f.severity, 4, f.offset, f.length, "
                      "f.count, 1, 0 FROM was AS f WHERE NOT EXISTS (SELECT 1 FROM finding WHERE "
                      "finding.site = f.site) AND NOT EXISTS (SELECT 1 FROM finding WHERE "
                      "finding.loose = f.loose) ORDER BY f.severity, f.count DESC, f.id",
                      0, 0);
}

bool cursor_next(struct cursor *cursor, struct found *found)
{
    sqlite3_stmt *query = cursor->query;
    json_object_put(cursor->document);
    cursor->document = NULL;
    if (!query)
        return false;
    int status = sqlite3_step(query);
    if (status != SQLITE_ROW)
        return status != SQLITE_DONE && store_failed(cursor->store, "the temporary database");
    *found = (struct found){
        .id = sqlite3_column_int64(query, 0),
        .rule = (uint32_t)sqlite3_column_int64(query, 2),
        .severity = (enum severity_rank)sqlite3_column_int(query, 3),
        .status = (enum status)sqlite3_column_int(query, 4),
        .length = (size_t)sqlite3_column_int64(query, 6),
        .count = (uint64_t)sqlite3_column_int64(query, 7),
        .different = (uint64_t)sqlite3_column_int64(query, 8),
    };
    const void *key = sqlite3_column_blob(query, 1);
    if (key)
        memcpy(found->key, key, sizeof(found->key));
    cursor->document = read_spool(cursor->store, (uint64_t)sqlite3_column_int64(query, 5),
                                  (uint32_t)found->length, &cursor->text, &cursor->capacity);
    if (!cursor->document) {
        tell("a temporary file cannot be read");
        return false;
    }
    /* (Findings from a cursor are shown to people; they were compared before.) */
    if (strstr(cursor->text, "_Z"))
        names_show(cursor->document);
    found->finding = cursor->document;
    found->text = cursor->text;
    return true;
}

void cursor_close(struct cursor *cursor)
{
    json_object_put(cursor->document);
    sqlite3_finalize(cursor->query);
    free(cursor->text);
    *cursor = (struct cursor){0};
}

uint64_t store_number(struct store *store, const char *text)
{
    sqlite3_stmt *query = NULL;
    uint64_t number = 0;
    if (sqlite3_prepare_v2(store->database, text, -1, &query, NULL) == SQLITE_OK &&
        sqlite3_step(query) == SQLITE_ROW)
        number = (uint64_t)sqlite3_column_int64(query, 0);
    else
        store_failed(store, "the temporary database");
    sqlite3_finalize(query);
    return number;
}
