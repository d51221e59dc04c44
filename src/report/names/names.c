/* Keeps the debug names, labels and tags of objects in a hash table by id. The table has open
 * addressing and 64 stripes, each with a lock. */
#include "report/names/names.h"

#include <string.h>

#include "base/lock.h"
#include "report/names/labels.h"
#include "report/names/long_name.h"

/* parts of the table; engines name objects from many threads while they load */
#define STRIPES        64
#define FIRST_CAPACITY 16 /* entries a stripe; a power of two */

/* The names and labels of one object. */
struct note {
    uint64_t id;                /* 0: free */
    char *name;                 /* owned */
    struct label_stack *labels; /* owned */
    /* owned: globs of message ids that are muted (report/muting/muting.h); NULL: none */
    char *muted;
};

/* A part of the table with a lock of its own. */
struct stripe {
    /* held while the stripe is read or changed, never over a call of another layer */
    struct lock lock;
    struct note *notes GUARDED_BY(lock); /* owned */
    uint32_t count GUARDED_BY(lock);     /* how many notes it has */
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

/* Frees what a note owns, but not its place in the table. */
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
        /* A thread that the child does not have was changing the stripe. It becomes empty, and its
         * objects lose their names. */
        *stripe = (struct stripe){0};
        lock_init(&stripe->lock);
    }
}

static uint64_t hash_id(uint64_t id)
{
    assert(id);
    /* This is Fibonacci hashing of the id without its low byte, which is the type. */
    /* The topmost 6 bits choose the stripe, lower ones the place in it. */
    return (id >> 8) * 0x9e3779b97f4a7c15u;
}

/* Returns the stripe that this object belongs to. */
static struct stripe *stripe_of(struct names *names, uint64_t id)
{
    return &names->stripes[hash_id(id) >> 58];
}

/* Returns the place at which the search for an id begins. */
static uint32_t stripe_home(const struct stripe *stripe, uint64_t id) REQUIRES(stripe->lock)
{
    assert(stripe->capacity && !(stripe->capacity & (stripe->capacity - 1)));
    return (uint32_t)(hash_id(id) >> 24) & (stripe->capacity - 1);
}

/* Returns the note of `id`, or the free place where it would be; NULL: the stripe has no places
 * yet. */
static struct note *stripe_find(const struct stripe *stripe, uint64_t id) REQUIRES(stripe->lock)
{
    if (!stripe->capacity)
        return NULL;
    uint32_t i = stripe_home(stripe, id);
    while (stripe->notes[i].id && stripe->notes[i].id != id)
        i = (i + 1) & (stripe->capacity - 1);
    return &stripe->notes[i];
}

/* Returns the note of `id`; NULL: there is none. */
static struct note *find_existing(const struct stripe *stripe, uint64_t id) REQUIRES(stripe->lock)
{
    struct note *note = stripe_find(stripe, id);
    return note && note->id ? note : NULL;
}

/* Makes a place free for one more note. At most half of the places are used, so that searches are
 * short and always end. Returns false if memory is out and the stripe is full. */
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
            /* A note's place depends on the capacity, so each is inserted again. Its pointers are
             * copied. */
            *stripe_find(&larger, stripe->notes[i].id) = stripe->notes[i];
    }
    mem_free(stripe->notes);
    stripe->notes = larger.notes;
    stripe->capacity = larger.capacity;
    return true;
}

/* Returns the note of `id`, which is made if there is none; NULL: memory is out. */
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

/* Removes a note, and moves the notes after it into the hole if a search for them would stop
 * there. */
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
        /* The search for this note begins at the hole or before it, and would stop at the hole. */
        if (distance >= ((i - hole) & mask)) {
            stripe->notes[hole] = stripe->notes[i];
            hole = i;
        }
    }
    stripe->notes[hole] = (struct note){0};
}

/* Copies the name, and cuts it if it is too long. The caller frees the copy; NULL: memory is
 * out. */
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
    /* An empty name needs no note, and removes the name from a note that exists. */
    struct note *note = copy ? stripe_find_or_add(stripe, id) : find_existing(stripe, id);
    char *old = copy;
    if (note) {
        old = note->name;
        note->name = copy;
    }
    lock_release(&stripe->lock);
    /* If memory was out for a note, `old` is the copy itself. */
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

/* Returns the labels of an object, which are made if it has none; NULL: memory is out. */
static struct label_stack *find_or_add_labels(struct stripe *stripe, uint64_t id)
    REQUIRES(stripe->lock)
{
    struct note *note = stripe_find_or_add(stripe, id);
    if (note && !note->labels)
        note->labels = mem_alloc_zeroed(sizeof(*note->labels));
    return note ? note->labels : NULL;
}

/* Returns the labels of an object; NULL: the object has none. */
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
