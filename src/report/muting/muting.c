/* Keeps the tags by which a program mutes findings in a thread. (The tags of objects are in
 * report/names/names.c.) Decides whether a finding is muted, and counts it. */
#include "report/muting/muting.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "base/lock.h"
#include "report/names/vuid_text.h"

#define TAG_LIMIT 4096 /* bytes of a tag that are read; real lists of ids are shorter */

/* A thread for which the program has muted findings. */
struct muted_thread {
    uint64_t serial; /* own_serial() */
    char *globs;     /* owned: globs of message ids, separated by commas */
};

/* The tags and labels that mute findings of an instance. */
struct muting {
    const struct settings *settings;
    struct names *names; /* the reporter's names, where the tags of objects are kept */
    /* Some tag was set. Relaxed: the program itself orders the tag before the calls that it mutes
     */
    _Atomic bool has_tags;
    /* how many findings were muted, by enum muted_by. Relaxed */
    _Atomic uint64_t counts[MUTED_BY_TAG + 1];
    /* guards the list of threads; not held over a call */
    struct lock lock;
    struct muted_thread *threads GUARDED_BY(lock); /* owned */
    uint32_t thread_count GUARDED_BY(lock);
    /* the list is being changed: the child of a fork at this moment cannot use it */
    bool changing GUARDED_BY(lock);
};

/* Returns the number of the calling thread. Unlike thread_number(), it is never used again: a new
 * thread does not inherit the muting that an old thread did not end. */
static uint64_t own_serial(void)
{
    static _Atomic uint64_t last;
    static __thread uint64_t serial __attribute__((tls_model("initial-exec")));
    if (!serial)
        serial = atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
    return serial;
}

struct muting *muting_create(const struct settings *settings, struct names *names)
{
    struct muting *muting = mem_alloc_zeroed(sizeof(*muting));
    if (!muting)
        return NULL;
    muting->settings = settings;
    muting->names = names;
    lock_init(&muting->lock);
    return muting;
}

void muting_destroy(struct muting *muting)
{
    if (!muting)
        return;
    lock_unneeded(&muting->lock);
    for (uint32_t i = 0; i < muting->thread_count; i++)
        mem_free(muting->threads[i].globs);
    mem_free(muting->threads);
    lock_destroy(&muting->lock);
    mem_free(muting);
}

void muting_fork_child(struct muting *muting)
{
    if (!muting)
        return;
    lock_unneeded(&muting->lock);
    for (size_t i = 0; i < ARRAY_LENGTH(muting->counts); i++) /* the parent reports these */
        atomic_store_explicit(&muting->counts[i], 0, memory_order_relaxed);
    if (muting->changing) { /* a thread that the child does not have was changing it */
        muting->threads = NULL;
        muting->thread_count = 0;
        muting->changing = false;
    }
    lock_init(&muting->lock);
}

bool muting_names_label(const struct muting *muting, const char *name)
{
    const struct setting_list *globs = muting ? &muting->settings->mute_labels : NULL;
    return globs && setting_list_matches(globs, name);
}

/* --- tags --- */

/* Copies the tag's text without the blanks and commas at its ends. The caller frees it. Returns
 * NULL for an empty tag, which ends the muting, and if memory is out. */
static char *copy_globs(const char *bytes, size_t size)
{
    assert(bytes || !size);
    /* A tag has a length, and need not end with a zero. */
    size_t length = strnlen(bytes, size < TAG_LIMIT ? size : TAG_LIMIT);
    while (length && strchr(" ,", bytes[length - 1]))
        length--;
    while (length && strchr(" ,", *bytes)) {
        bytes++;
        length--;
    }
    char *copy = length ? mem_alloc(length + 1) : NULL;
    if (!copy)
        return NULL;
    memcpy(copy, bytes, length);
    copy[length] = '\0';
    return copy;
}

/* Finds the entry of the thread with this number; NULL: it has muted nothing. */
static struct muted_thread *find_thread(const struct muting *muting, uint64_t serial)
    REQUIRES(muting->lock)
{
    for (uint32_t i = 0; i < muting->thread_count; i++) {
        if (muting->threads[i].serial == serial)
            return &muting->threads[i];
    }
    return NULL;
}

/* Sets or ends the muting of the calling thread. `globs` is taken over; NULL ends it. */
static void set_thread(struct muting *muting, char *globs)
{
    uint64_t serial = own_serial();
    lock_take(&muting->lock);
    /* In the child of a fork the list may be half changed. */
    muting->changing = true;
    struct muted_thread *thread = find_thread(muting, serial);
    if (!thread && globs) {
        struct muted_thread *threads =
            mem_resize(muting->threads, (muting->thread_count + 1) * sizeof(*threads));
        if (threads) {
            muting->threads = threads;
            thread = &threads[muting->thread_count++];
            *thread = (struct muted_thread){.serial = serial};
        }
    }
    char *old = globs;
    if (thread) {
        old = thread->globs;
        thread->globs = globs;
    }
    if (thread && !globs)
        /* The last entry takes the free place, as the order does not matter. */
        *thread = muting->threads[--muting->thread_count];
    muting->changing = false;
    lock_release(&muting->lock);
    /* If no entry could be made, `old` is the new string, which is freed as well. */
    mem_free(old);
}

/* Returns a copy of the calling thread's globs, which the caller frees; NULL: it has muted
 * nothing. */
static char *copy_of_thread(struct muting *muting)
{
    lock_take(&muting->lock);
    const struct muted_thread *thread =
        muting->thread_count ? find_thread(muting, own_serial()) : NULL;
    char *copy = thread ? mem_copy_string(thread->globs) : NULL;
    lock_release(&muting->lock);
    return copy;
}

void muting_set_tag(struct muting *muting, struct object *object, uint64_t tag, const void *bytes,
                    size_t size)
{
    bool thread = tag == MUTING_TAG_THREAD;
    if (!muting || !muting->settings->mute_tags || (!thread && tag != MUTING_TAG_OBJECT) ||
        (!thread && !object))
        return;
    char *globs = bytes ? copy_globs(bytes, size) : NULL;
    if (globs)
        atomic_store_explicit(&muting->has_tags, true, memory_order_relaxed);
    if (thread)
        set_thread(muting, globs);
    else
        names_set_muted(muting->names, object, globs);
}

/* True if the glob of this length matches the name. A glob that is longer than any id matches
 * nothing. */
static bool glob_matches(const char *glob, size_t length, const char *name)
{
    assert(glob && name);
    char copy[256];
    if (length >= sizeof(copy))
        return false;
    memcpy(copy, glob, length);
    copy[length] = '\0';
    return fnmatch(copy, name, 0) == 0;
}

/* True if one of the globs matches the id's name. `globs` is freed. NULL: nothing matches. */
static bool take_match(char *globs, enum vuid vuid)
{
    assert((unsigned)vuid < VUID_COUNT);
    /* For the usual tag, "*", the id's name need not be looked up. */
    bool found = globs && !strcmp(globs, "*");
    if (!globs || found) {
        mem_free(globs);
        return found;
    }
    struct vuid_text id;
    vuid_text_open(&id, vuid);
    for (const char *at = globs; !found && *at;) {
        at += strspn(at, " ,");
        size_t length = strcspn(at, " ,");
        found = length && glob_matches(at, length, id.name);
        at += length;
    }
    vuid_text_close(&id);
    mem_free(globs);
    return found;
}

/* --- findings --- */

bool muting_is_in_use(const struct muting *muting)
{
    return muting && (muting->settings->mute_labels.count ||
                      atomic_load_explicit(&muting->has_tags, memory_order_relaxed));
}

/* True if the finding's command was called while a muted label was open. Findings of shaders come
 * long after their command buffer was recorded, so its open labels do not count for them. The call
 * of such a finding has no `command_buffer` (gpu/report/report.c). */
static bool is_in_muted_label(const struct muting *muting, const struct call *call)
{
    if (!muting->settings->mute_labels.count || !call->object)
        return false;
    enum handle_type type = object_type(call->object);
    return (type == HANDLE_QUEUE || (type == HANDLE_COMMAND_BUFFER && call->command_buffer)) &&
           names_are_labels_muted(muting->names, call->object);
}

enum muted_by muting_judge(struct muting *muting, const struct call *call, enum vuid vuid,
                           struct object *const objects[MUTING_OBJECTS])
{
    assert(muting && (unsigned)vuid < VUID_COUNT);
    if (is_in_muted_label(muting, call))
        return MUTED_BY_LABEL;
    if (!atomic_load_explicit(&muting->has_tags, memory_order_relaxed))
        return MUTED_NOT;
    if (take_match(copy_of_thread(muting), vuid))
        return MUTED_BY_TAG;
    for (uint32_t i = 0; i < MUTING_OBJECTS; i++) {
        if (objects[i] && take_match(names_copy_muted(muting->names, objects[i]), vuid))
            return MUTED_BY_TAG;
    }
    return MUTED_NOT;
}

void muting_count(struct muting *muting, enum muted_by by)
{
    assert(by < ARRAY_LENGTH(muting->counts));
    if (muting)
        atomic_fetch_add_explicit(&muting->counts[by], 1, memory_order_relaxed);
}

/* Returns the count, and sets it to 0. */
static uint64_t muting_take(_Atomic uint64_t *count)
{
    return atomic_exchange_explicit(count, 0, memory_order_relaxed);
}

struct muted_counts muting_take_counts(struct muting *muting)
{
    return muting ? (struct muted_counts){muting_take(&muting->counts[MUTED_BY_LABEL]),
                                          muting_take(&muting->counts[MUTED_BY_TAG])}
                  : (struct muted_counts){0};
}

void muted_counts_write(struct string_builder *text, struct muted_counts counts)
{
    const uint64_t all = counts.by_labels + counts.by_tags;
    string_builder_format(text, "%" PRIu64 " finding%s muted", all, all == 1 ? " was" : "s were");
    if (counts.by_labels && counts.by_tags)
        string_builder_format(text,
                              ": %" PRIu64 " by labels (mute_labels), %" PRIu64
                              " by tags of the program (mute_tags)",
                              counts.by_labels, counts.by_tags);
    else
        string_builder_add(text, counts.by_labels ? " by labels (mute_labels)"
                                                  : " by tags of the program (mute_tags)");
}
