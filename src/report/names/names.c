/* Keeps the debug names of objects. It is an open-addressing table by id in 64 stripes. */
#include "report/names/names.h"

#include <string.h>

#include "base/lock.h"
#include "report/names/labels.h"
#include "report/names/long_name.h"

#define STRIPES        64 /* engines name objects from many threads while they load */
#define FIRST_CAPACITY 16 /* entries a stripe; a power of two */

/* The names and labels of one object. */
struct note {
    uint64_t id;                /* 0: free */
    char *name;                 /* owned */
    struct label_stack *labels; /* owned */
    char *muted;                /* owned: globs of message ids (report/muting/muting.h) */
};

/* A part of the table with a lock of its own. */
struct stripe {
    struct lock lock;                    /* held over a look or a change, and no call */
    struct note *notes GUARDED_BY(lock); /* owned */
    uint32_t count GUARDED_BY(lock);     /* of notes */
    uint32_t capacity GUARDED_BY(lock);
};

struct names {
    struct stripe stripes[STRIPES];
};

struct names *names_create(void)
{
    struct names *names = mem_alloc_zeroed(sizeof(*names));
    for (int i = 0; names && i < STRIPES; i++)
        lock_init(&names->stripes[i].lock);
    return names;
}

/* Frees what a note owns; its place stays. */
static void free_note(struct note *note)
{
    mem_free(note->name);
    mem_free(note->muted);
    if (note->labels) {
        label_stack_free(note->labels);
        mem_free(note->labels);
    }
}

void names_destroy(struct names *names)
{
    for (int i = 0; names && i < STRIPES; i++) {
        struct stripe *stripe = &names->stripes[i];
        lock_unneeded(&stripe->lock);
        for (uint32_t j = 0; j < stripe->capacity; j++)
            free_note(&stripe->notes[j]);
        mem_free(stripe->notes);
        lock_destroy(&stripe->lock);
    }
    mem_free(names);
}

void names_fork_child(struct names *names)
{
    for (int i = 0; i < STRIPES; i++) {
        struct stripe *stripe = &names->stripes[i];
        if (lock_try(&stripe->lock)) {
            lock_release(&stripe->lock);
            continue;
        }
        /* Half changed, by a thread that does not exist here: some objects lose their names. */
        *stripe = (struct stripe){0};
        lock_init(&stripe->lock);
    }
}

static uint64_t hash_id(uint64_t id)
{
    assert(id);
    /* Fibonacci hashing; the low byte of an id is its type */
    /* The topmost 6 bits choose the stripe, lower ones the place in it. */
    return (id >> 8) * 0x9e3779b97f4a7c15u;
}

/* The stripe with the notes of this object. */
static struct stripe *stripe_of(struct names *names, uint64_t id)
{
    return &names->stripes[hash_id(id) >> 58];
}

/* The place where the search for an id begins. */
static uint32_t stripe_home(const struct stripe *stripe, uint64_t id) REQUIRES(stripe->lock)
{
    assert(stripe->capacity && !(stripe->capacity & (stripe->capacity - 1)));
    return (uint32_t)(hash_id(id) >> 24) & (stripe->capacity - 1);
}

/* The note of `id`, or the free place where it would be; NULL: the stripe has no places yet. */
static struct note *stripe_find(const struct stripe *stripe, uint64_t id) REQUIRES(stripe->lock)
{
    if (!stripe->capacity)
        return NULL;
    uint32_t i = stripe_home(stripe, id);
    while (stripe->notes[i].id && stripe->notes[i].id != id)
        i = (i + 1) & (stripe->capacity - 1);
    return &stripe->notes[i];
}

/* The note of `id`; NULL: there is none. */
static struct note *find_existing(const struct stripe *stripe, uint64_t id) REQUIRES(stripe->lock)
{
    struct note *note = stripe_find(stripe, id);
    return note && note->id ? note : NULL;
}

/* Makes room for one more note. At most half of the places are taken, so that searches stay short
 * and always end. False: memory is out, and the stripe is full. */
static bool stripe_make_room(struct stripe *stripe) REQUIRES(stripe->lock)
{
    if (stripe->count * 2 < stripe->capacity)
        return true;
    struct stripe larger = {.capacity = stripe->capacity ? stripe->capacity * 2 : FIRST_CAPACITY};
    larger.notes = mem_alloc_zeroed(larger.capacity * sizeof(struct note));
    lock_unneeded(&larger.lock);
    if (!larger.notes)
        return stripe->count + 1 < stripe->capacity;
    for (uint32_t i = 0; i < stripe->capacity; i++) {
        if (stripe->notes[i].id)
            /* Places depend on the capacity. What notes own moves with them. */
            *stripe_find(&larger, stripe->notes[i].id) = stripe->notes[i];
    }
    mem_free(stripe->notes);
    stripe->notes = larger.notes;
    stripe->capacity = larger.capacity;
    return true;
}

/* The note of `id`, a new one where there is none. NULL: memory is out. */
static struct note *stripe_find_or_add(struct stripe *stripe, uint64_t id) REQUIRES(stripe->lock)
{
    assert(id);
    struct note *note = find_existing(stripe, id);
    if (note || !stripe_make_room(stripe))
        return note;
    note = stripe_find(stripe, id);
    note->id = id;
    stripe->count++;
    return note;
}

/* Takes a note out and moves those that stood after it closer to their homes, so that no search
 * stops short. */
static void remove_note(struct stripe *stripe, struct note *note) REQUIRES(stripe->lock)
{
    assert(note->id && stripe->count);
    assert(note >= stripe->notes && note < stripe->notes + stripe->capacity);
    uint32_t mask = stripe->capacity - 1;
    uint32_t hole = (uint32_t)(note - stripe->notes);
    free_note(note);
    stripe->count--;
    for (uint32_t i = (hole + 1) & mask; stripe->notes[i].id; i = (i + 1) & mask) {
        uint32_t distance = (i - stripe_home(stripe, stripe->notes[i].id)) & mask;
        /* Its home is at the hole or before it: a search would stop at the hole. */
        if (distance >= ((i - hole) & mask)) {
            stripe->notes[hole] = stripe->notes[i];
            hole = i;
        }
    }
    stripe->notes[hole] = (struct note){0};
}

/* A copy of the name, shortened where it is too long. The caller frees it; NULL: memory is out. */
static char *copy_cut(const char *name)
{
    const struct cut_name cut = cut_name(name);
    char *copy = mem_alloc(cut_name_size(&cut));
    if (copy)
        cut_name_write(&cut, name, copy);
    return copy;
}

void names_set(struct names *names, uint64_t id, const char *name)
{
    char *copy = name && *name ? copy_cut(name) : NULL;
    struct stripe *stripe = stripe_of(names, id);
    lock_take(&stripe->lock);
    /* An empty name needs no note, and ends the one that is there. */
    struct note *note = copy ? stripe_find_or_add(stripe, id) : find_existing(stripe, id);
    char *old = copy;
    if (note) {
        old = note->name;
        note->name = copy;
    }
    lock_release(&stripe->lock);
    /* The copy itself, where there was no memory for a note. */
    mem_free(old);
}

char *names_copy(struct names *names, uint64_t id)
{
    struct stripe *stripe = stripe_of(names, id);
    lock_take(&stripe->lock);
    const struct note *note = find_existing(stripe, id);
    char *copy = note && note->name ? mem_copy_string(note->name) : NULL;
    lock_release(&stripe->lock);
    return copy;
}

char *names_take(struct names *names, uint64_t id)
{
    struct stripe *stripe = stripe_of(names, id);
    lock_take(&stripe->lock);
    struct note *note = find_existing(stripe, id);
    char *name = note ? note->name : NULL;
    if (note) {
        note->name = NULL;
        remove_note(stripe, note);
    }
    lock_release(&stripe->lock);
    return name;
}

void names_forget(struct names *names, uint64_t id)
{
    mem_free(names_take(names, id));
}

/* The labels of an object, made if it has none; NULL: memory is out. */
static struct label_stack *find_or_add_labels(struct stripe *stripe, uint64_t id)
    REQUIRES(stripe->lock)
{
    struct note *note = stripe_find_or_add(stripe, id);
    if (note && !note->labels)
        note->labels = mem_alloc_zeroed(sizeof(*note->labels));
    return note ? note->labels : NULL;
}

/* The labels of an object; NULL: the object has none. */
static struct label_stack *find_labels(const struct stripe *stripe, uint64_t id)
    REQUIRES(stripe->lock)
{
    const struct note *note = find_existing(stripe, id);
    return note ? note->labels : NULL;
}

void names_begin_label(struct names *names, uint64_t id, const char *name, const float color[4],
                       bool muted)
{
    assert(name);
    struct stripe *stripe = stripe_of(names, id);
    lock_take(&stripe->lock);
    struct label_stack *labels = find_or_add_labels(stripe, id);
    if (labels)
        label_stack_begin(labels, name, color, muted);
    lock_release(&stripe->lock);
}

void names_insert_label(struct names *names, uint64_t id, const char *name, const float color[4])
{
    struct stripe *stripe = stripe_of(names, id);
    lock_take(&stripe->lock);
    struct label_stack *labels = find_or_add_labels(stripe, id);
    if (labels)
        label_stack_insert(labels, name, color);
    lock_release(&stripe->lock);
}

void names_end_label(struct names *names, uint64_t id)
{
    struct stripe *stripe = stripe_of(names, id);
    lock_take(&stripe->lock);
    struct label_stack *labels = find_labels(stripe, id);
    if (labels)
        label_stack_end(labels);
    lock_release(&stripe->lock);
}

void names_clear_labels(struct names *names, uint64_t id)
{
    struct stripe *stripe = stripe_of(names, id);
    lock_take(&stripe->lock);
    struct label_stack *labels = find_labels(stripe, id);
    if (labels)
        label_stack_clear(labels);
    lock_release(&stripe->lock);
}

uint32_t names_open_labels(struct names *names, uint64_t id)
{
    struct stripe *stripe = stripe_of(names, id);
    lock_take(&stripe->lock);
    struct label_stack *labels = find_labels(stripe, id);
    uint32_t open = labels ? label_stack_open(labels) : 0;
    lock_release(&stripe->lock);
    return open;
}

bool names_are_labels_muted(struct names *names, const struct object *object)
{
    if (!object_has(object, OBJECT_HAS_NAME))
        return false;
    struct stripe *stripe = stripe_of(names, names_key(object));
    lock_take(&stripe->lock);
    const struct label_stack *labels = find_labels(stripe, names_key(object));
    bool muted = labels && labels->muted;
    lock_release(&stripe->lock);
    return muted;
}

void names_set_muted(struct names *names, struct object *object, char *globs)
{
    if (globs)
        names_mark(object);
    struct stripe *stripe = stripe_of(names, names_key(object));
    lock_take(&stripe->lock);
    struct note *note = globs ? stripe_find_or_add(stripe, names_key(object))
                              : find_existing(stripe, names_key(object));
    char *old = globs;
    if (note) {
        old = note->muted;
        note->muted = globs;
    }
    lock_release(&stripe->lock);
    mem_free(old);
}

char *names_copy_muted(struct names *names, const struct object *object)
{
    if (!object_has(object, OBJECT_HAS_NAME))
        return NULL;
    struct stripe *stripe = stripe_of(names, names_key(object));
    lock_take(&stripe->lock);
    const struct note *note = find_existing(stripe, names_key(object));
    char *copy = note && note->muted ? mem_copy_string(note->muted) : NULL;
    lock_release(&stripe->lock);
    return copy;
}

struct label_list names_copy_labels(struct names *names, uint64_t id)
{
    struct stripe *stripe = stripe_of(names, id);
    lock_take(&stripe->lock);
    const struct label_stack *labels = find_labels(stripe, id);
    struct label_list list = labels ? label_stack_copy(labels) : (struct label_list){0};
    lock_release(&stripe->lock);
    return list;
}
