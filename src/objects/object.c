/* Translates handles into ids and finds their objects. It has the slot table, its free lists, and
 * the hash of driver handles. */
#include "objects/object.h"

#include "base/lock.h"
#include "base/plain_atomic.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>

/* 67 million objects alive at once, in 4 GiB of address space. Less is used if that much cannot be
 * reserved. */
#define SLOTS_WANTED (1u << 26)
/* If fewer slots can be reserved, the table stays empty, and no object is known. */
#define SLOTS_LEAST (1u << 16)
/* Slots are made accessible in steps of 4 MiB, as the table grows. */
#define SLOTS_STEP (1u << 16)
/* A thread keeps up to this many unused slots for itself, and takes from them without a lock.
 * Further slots go to the list that its number selects; 16 lists keep two threads apart most of the
 * time. */
#define FREE_SLOTS_KEPT 64u
#define SLOTS_AT_ONCE   16u /* must be fewer than FREE_SLOTS_KEPT */
#define FREE_LISTS      16u
/* 262,144 chains: about one object in each for the largest programs seen. They take up to 2 MiB of
 * memory, committed on first use. */
#define HASH_BUCKETS (1u << 18)
/* The largest generation of a slot, which has 24 bits of an id. */
#define GENERATION_LIMIT ((1u << 24) - 1)
/* Locks for lists of children; parents share them by their index. */
#define CHILDREN_LOCKS 64u
/* A lock-free walk takes the bucket's lock after this many disturbed attempts. */
#define HASH_WALKS 16

struct object *object_slots;
_Atomic uint32_t object_limit;
/* Set when an instance is made. NULL: no instance was made yet. */
_Atomic(object_destroy_function) object_state_destroy;

static uint32_t slots_reserved; /* const after init */
static struct lock grow_lock = LOCK_INITIALIZER;
static uint32_t slots_accessible GUARDED_BY(grow_lock);
/* Held during the second look-up of object_create_or_find(); outermost of all locks. */
static struct lock ask_lock = LOCK_INITIALIZER;
static pthread_once_t init_once = PTHREAD_ONCE_INIT;
static _Atomic bool degraded;

/* Free slots, linked through hash_next. A free slot is in no chain, but a walker of a chain may
 * still be on it, and tolerates what it reads there. (A link of children would not do: a child that
 * is made while its parent is destroyed writes to that link.) A slot's last generation stays in its
 * id. */
struct free_list {
    _Alignas(CACHE_LINE) struct spin_lock lock;
    uint32_t first GUARDED_BY(lock);
};
static struct free_list free_lists[FREE_LISTS];

/* A chain of slots with the same hash. Writers hold `sequence` odd. A reader whose walk saw the
 * same even number before and after saw a chain that no writer changed. A miss is then a true miss.
 * Slots are never unmapped, so a disturbed walk reads old memory at worst, and its length is
 * bounded. Pairs: the writer's release of `sequence` with the reader's acquire. */
struct hash_bucket {
    _Atomic uint32_t sequence;
    _Atomic uint32_t first; /* Lock: sequence (odd) */
};
static struct hash_bucket *buckets;

/* Each lock has its own cache line, so that two threads that reset different pools do not share
 * one. */
static struct {
    _Alignas(CACHE_LINE) struct spin_lock lock;
} children_locks[CHILDREN_LOCKS];

static void give_kept_slots(struct thread *thread);

/* Reserves the addresses of the object table and its hash, which have no memory yet. If the system
 * refuses, the table stays without slots, and no object is known. */
static void table_init(void)
{
    thread_end_hook = give_kept_slots;
    void *hash = mmap(NULL, HASH_BUCKETS * sizeof(struct hash_bucket), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (hash == MAP_FAILED)
        return;
    for (uint32_t count = SLOTS_WANTED; count >= SLOTS_LEAST; count /= 2) {
        void *slots = mmap(NULL, count * sizeof(struct object), PROT_NONE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (slots != MAP_FAILED) {
            object_slots = slots;
            slots_reserved = count;
            buckets = hash;
            atomic_store_explicit(&object_limit, 1, memory_order_release); /* slot 0 has no owner */
            return;
        }
    }
    munmap(hash, HASH_BUCKETS * sizeof(struct hash_bucket));
}

bool object_table_init(void)
{
    pthread_once(&init_once, table_init);
    return object_slots != NULL;
}

bool object_table_degraded(void)
{
    return atomic_load_explicit(&degraded, memory_order_relaxed);
}

/* --- slots ------------------------------------------------------------------------------------ */

/* Slots that no thread can find are changed with relaxed stores: a lock protects them, or they
 * belong to one thread's own list. */
static uint32_t free_next(uint32_t index)
{
    assert(index);
    return atomic_load_explicit(&object_slots[index].hash_next, memory_order_relaxed);
}

static void free_link(uint32_t index, uint32_t next)
{
    assert(index);
    atomic_store_explicit(&object_slots[index].hash_next, next, memory_order_relaxed);
}

/* Takes the first slot of the list. 0: the list is empty. */
static uint32_t slot_pop(struct free_list *list)
{
    spin_lock_take(&list->lock);
    uint32_t index = list->first;
    if (index)
        list->first = free_next(index);
    spin_lock_release(&list->lock);
    return index;
}

/* Puts a free slot at the head of the list. */
static void slot_push(struct free_list *list, uint32_t index)
{
    assert(index);
    spin_lock_take(&list->lock);
    free_link(index, list->first);
    list->first = index;
    spin_lock_release(&list->lock);
}

/* Takes slots that were never used: one to return, and some for the thread to keep. So two threads
 * do not fill neighbouring cache lines, which processors fetch together. 0 when the table is
 * full. */
static uint32_t slot_new(struct thread *thread)
{
    lock_take(&grow_lock);
    uint32_t limit = atomic_load_explicit(&object_limit, memory_order_relaxed), first = limit,
             count = 0;
    if (limit + SLOTS_AT_ONCE > slots_accessible && slots_accessible < slots_reserved) {
        if (mprotect(object_slots + slots_accessible, SLOTS_STEP * sizeof(struct object),
                     PROT_READ | PROT_WRITE) == 0)
            slots_accessible += SLOTS_STEP;
    }
    while (count < SLOTS_AT_ONCE && limit < slots_accessible) {
        atomic_store_explicit(&object_slots[limit].id, (uint64_t)limit << 32, memory_order_relaxed);
        limit++;
        count++;
    }
    atomic_store_explicit(&object_limit, limit, memory_order_release);
    lock_release(&grow_lock);
    for (uint32_t i = count; i-- > 1;) {
        free_link(first + i, thread->free_slot);
        thread->free_slot = first + i;
        thread->free_count++;
    }
    return count ? first : 0;
}

/* Takes a free slot: the thread's own, one of the lists, or a new one. 0: the table is full. */
static uint32_t slot_take(void)
{
    struct thread *thread = thread_self();
    if (likely(thread->free_slot)) {
        uint32_t index = thread->free_slot;
        thread->free_slot = free_next(index);
        thread->free_count--;
        return index;
    }
    uint32_t own = thread_number() % FREE_LISTS;
    for (uint32_t i = 0; i < FREE_LISTS;
         /* other threads' lists come before growing: a program may create here and destroy there */
         i++) {
        struct free_list *list = &free_lists[(own + i) % FREE_LISTS];
        uint32_t index = slot_pop(list);
        if (index)
            return index;
    }
    return slot_new(thread);
}

/* Gives a slot back, to the thread's own or a list. One without generations left is not used again.
 */
static void slot_give(uint32_t index)
{
    assert(index && object_type(&object_slots[index]) == HANDLE_NONE);
    uint64_t id = atomic_load_explicit(&object_slots[index].id, memory_order_relaxed);
    if (((id >> 8) & GENERATION_LIMIT) == GENERATION_LIMIT)
        return; /* out of generations: never used again, so that no old id can name a new object */
    uint32_t number = thread_number(); /* only a thread with a number runs the hook at its end */
    struct thread *thread = thread_self();
    if (likely(thread->free_count < FREE_SLOTS_KEPT)) {
        free_link(index, thread->free_slot);
        thread->free_slot = index;
        thread->free_count++;
        return;
    }
    slot_push(&free_lists[number % FREE_LISTS], index);
}

/* Gives the slots that a thread has kept to the lists. Called when the thread ends. */
static void give_kept_slots(struct thread *thread)
{
    while (thread->free_slot) {
        uint32_t index = thread->free_slot;
        thread->free_slot = free_next(index);
        slot_push(&free_lists[thread->number % FREE_LISTS], index);
    }
    thread->free_count = 0;
}

/* --- driver handles --------------------------------------------------------------------------- */

/* Returns the bucket of a driver handle. Handles of different types may be the same number, and two
 * drivers may return the same handle. */
static struct hash_bucket *bucket_of(uint64_t driver, enum handle_type type)
{
    assert(driver && type != HANDLE_NONE);
    uint64_t key = (driver ^ (uint64_t)type << 56) * 0x9e3779b97f4a7c15ull;
    return &buckets[key >> 46];
}
static_assert(HASH_BUCKETS == 1u << (64 - 46), "the hash's top bits");

/* Takes the bucket for writing, which makes its number odd. Threads that wait give up the
 * processor: it is held for a few steps only. */
static void bucket_lock(struct hash_bucket *bucket)
{
    for (;;) {
        uint32_t sequence = atomic_load_explicit(&bucket->sequence, memory_order_relaxed) & ~1u;
        if (atomic_compare_exchange_weak_explicit(&bucket->sequence, &sequence, sequence + 1,
                                                  memory_order_acquire, memory_order_relaxed)) {
            /* the odd number is seen before any change to the chain */
            atomic_thread_fence(memory_order_release);
            return;
        }
        sched_yield();
    }
}

/* Makes the number even. Readers that began earlier then see that the number has changed. */
static void bucket_unlock(struct hash_bucket *bucket)
{
    assert(atomic_load_explicit(&bucket->sequence, memory_order_relaxed) & 1);
    uint32_t sequence = atomic_load_explicit(&bucket->sequence, memory_order_relaxed);
    atomic_store_explicit(&bucket->sequence, sequence + 1, memory_order_release);
}

/* Finds an object in a bucket without its lock. `owner` 0: any owner; otherwise an object of this
 * owner is preferred. The walk ends after as many steps as there are slots, because others may
 * change the list. */
static struct object *bucket_walk(const struct hash_bucket *bucket, uint64_t driver,
                                  enum handle_type type, uint16_t owner)
{
    struct object *found = NULL;
    uint32_t limit = atomic_load_explicit(&object_limit, memory_order_acquire);
    uint32_t index = atomic_load_explicit(&bucket->first, memory_order_acquire);
    for (uint32_t steps = 0; index && steps < limit; steps++) {
        struct object *object = &object_slots[index];
        if (object_type(object) == type && object_driver(object) == driver) {
            found = object;
            if (!owner || object->owner == owner)
                break;
        }
        index = atomic_load_explicit(&object->hash_next, memory_order_acquire);
    }
    return found;
}

struct object *object_find_driver(uint64_t handle, enum handle_type type, uint16_t owner)
{
    if (!handle || unlikely(!buckets))
        return NULL;
    struct hash_bucket *bucket = bucket_of(handle, type);
    for (int walk = 0; walk < HASH_WALKS; walk++) {
        uint32_t before = atomic_load_explicit(&bucket->sequence, memory_order_acquire);
        struct object *object = bucket_walk(bucket, handle, type, owner);
        atomic_thread_fence(memory_order_acquire);
        if (!(before & 1) &&
            atomic_load_explicit(&bucket->sequence, memory_order_relaxed) == before)
            return object;
    }
    bucket_lock(bucket);
    struct object *object = bucket_walk(bucket, handle, type, owner);
    bucket_unlock(bucket);
    return object;
}

bool object_read_state(const struct object *object, uint64_t driver, enum handle_type type,
                       void **state)
{
    assert(object > object_slots && state);
    const uint64_t id = atomic_load_explicit(&object->id, memory_order_acquire);
    if (object_id_type(id) != type || object_driver(object) != driver)
        return false;
    *state = plain_load_acquire(&object->state);
    return likely(atomic_load_explicit(&object->id, memory_order_relaxed) == id);
}

struct object *object_find_dispatchable_slow(uint64_t handle, enum handle_type type)
{
    struct object *object = object_find_driver(handle, type, 0);
    if (object)
        thread_self()->dispatchable[object_cache_entry(handle, type)] = object;
    return object;
}

/* Puts an object at the head of its chain, before its id is published. */
static void hash_insert(struct object *object, enum handle_type type)
{
    assert(object > object_slots && object_driver(object));
    uint32_t index = (uint32_t)(object - object_slots);
    struct hash_bucket *bucket = bucket_of(object_driver(object), type);
    bucket_lock(bucket);
    atomic_store_explicit(&object->hash_next,
                          atomic_load_explicit(&bucket->first, memory_order_relaxed),
                          memory_order_relaxed);
    atomic_store_explicit(&bucket->first, index, memory_order_release);
    bucket_unlock(bucket);
}

/* Takes the object out of its bucket, under the bucket's lock. */
static void hash_remove(struct object *object, enum handle_type type)
{
    assert(object > object_slots && object_driver(object));
    uint32_t index = (uint32_t)(object - object_slots);
    struct hash_bucket *bucket = bucket_of(object_driver(object), type);
    bucket_lock(bucket);
    _Atomic uint32_t *link = &bucket->first;
    for (uint32_t at = atomic_load_explicit(link, memory_order_relaxed); at;) {
        struct object *here = &object_slots[at];
        uint32_t next = atomic_load_explicit(&here->hash_next, memory_order_relaxed);
        if (at == index) {
            atomic_store_explicit(link, next, memory_order_release);
            break;
        }
        link = &here->hash_next;
        at = next;
    }
    bucket_unlock(bucket);
}

/* --- children --------------------------------------------------------------------------------- */

/* Returns the lock of the parent's list of children. Other parents share it. */
static struct spin_lock *children_lock(uint32_t parent)
    RETURN_CAPABILITY(children_locks[parent % CHILDREN_LOCKS].lock)
{
    return &children_locks[parent % CHILDREN_LOCKS].lock;
}

/* True for parents of objects that are created with child_of_parent. */
static bool may_have_children(enum handle_type type)
{
    return type == HANDLE_COMMAND_POOL || type == HANDLE_DESCRIPTOR_POOL ||
           type == HANDLE_SWAPCHAIN_KHR;
}

/* Adds a child to its parent. A parent that another thread destroyed meanwhile gets no more
 * children. It has released its children (children_let_go), and its slot may be free, or another
 * object's. */
static void child_link(struct object *parent, struct object *child)
{
    assert(parent > object_slots && child > object_slots && parent != child);
    uint32_t parent_index = (uint32_t)(parent - object_slots);
    uint32_t index = (uint32_t)(child - object_slots);
    spin_lock_take(children_lock(parent_index));
    if (may_have_children(object_type(parent))) {
        child->sibling_prev = 0;
        child->sibling_next = parent->child_first;
        if (parent->child_first)
            object_slots[parent->child_first].sibling_prev = index;
        parent->child_first = index;
        atomic_fetch_or_explicit(&child->flags, OBJECT_CHILD, memory_order_relaxed);
    }
    spin_lock_release(children_lock(parent_index));
}

/* Takes the child out of its parent's list, under the list's lock, unless the parent has released
 * it already. */
static void child_unlink(struct object *child)
{
    uint32_t parent_index = atomic_load_explicit(&child->parent, memory_order_relaxed);
    struct object *parent = &object_slots[parent_index];
    spin_lock_take(children_lock(parent_index));
    if (object_has(child, OBJECT_CHILD)) { /* the parent has not released it */
        if (child->sibling_prev)
            object_slots[child->sibling_prev].sibling_next = child->sibling_next;
        else
            parent->child_first = child->sibling_next;
        if (child->sibling_next)
            object_slots[child->sibling_next].sibling_prev = child->sibling_prev;
        atomic_fetch_and_explicit(&child->flags, (uint8_t)~OBJECT_CHILD, memory_order_relaxed);
    }
    spin_lock_release(children_lock(parent_index));
}

/* Removes the links between a retired parent and its children. Mostly there are none: the children
 * were retired before. */
static void children_let_go(struct object *parent)
{
    uint32_t parent_index = (uint32_t)(parent - object_slots);
    spin_lock_take(children_lock(parent_index));
    while (parent->child_first) {
        struct object *child = &object_slots[parent->child_first];
        parent->child_first = child->sibling_next;
        atomic_fetch_and_explicit(&child->flags, (uint8_t)~OBJECT_CHILD, memory_order_relaxed);
    }
    spin_lock_release(children_lock(parent_index));
}

/* The number of children that are looked up under the lock at once. */
#define CHILDREN_AT_ONCE 16u

/* True if the object is still a child of the parent: another thread may have just freed it. */
static bool is_child(const struct object *object, uint32_t parent_index)
{
    return atomic_load_explicit(&object->parent, memory_order_relaxed) == parent_index &&
           object_has(object, OBJECT_CHILD);
}

void object_for_each_child(struct object *parent,
                           void (*visit)(struct object *child, void *context), void *context)
{
    assert(parent > object_slots && visit);
    const uint32_t parent_index = (uint32_t)(parent - object_slots);
    spin_lock_take(children_lock(parent_index));
    uint32_t index = parent->child_first;
    /* most often: a pool for each command buffer */
    if (!index || !object_slots[index].sibling_next) {
        spin_lock_release(children_lock(parent_index));
        if (index && likely(is_child(&object_slots[index], parent_index)))
            visit(&object_slots[index], context);
        return;
    }
    struct object *children[CHILDREN_AT_ONCE];
    for (uint32_t steps = 0;;) {
        uint32_t count = 0;
        for (; index && count < CHILDREN_AT_ONCE; index = children[count++]->sibling_next)
            children[count] = &object_slots[index];
        spin_lock_release(children_lock(parent_index));
        for (uint32_t i = 0; i < count; i++) {
            if (unlikely(!is_child(children[i], parent_index)))
                return;
            visit(children[i], context);
        }
        steps += count;
        if (likely(!index) || steps >= atomic_load_explicit(&object_limit, memory_order_acquire))
            return;
        spin_lock_take(children_lock(parent_index));
    }
}

void object_for_each_owned(uint16_t owner, void (*visit)(struct object *object, void *context),
                           void *context)
{
    assert(visit);
    uint32_t limit = atomic_load_explicit(&object_limit, memory_order_acquire);
    for (uint32_t index = 1; index < limit; index++) {
        struct object *object = &object_slots[index];
        if (object_type(object) != HANDLE_NONE && object->owner == owner)
            visit(object, context);
    }
}

void object_for_each_device(const struct object *instance,
                            void (*visit)(struct object *device, void *context), void *context)
{
    assert(instance && visit);
    uint32_t limit = atomic_load_explicit(&object_limit, memory_order_acquire);
    for (uint32_t index = 1; index < limit; index++) {
        struct object *object = &object_slots[index];
        if (object_type(object) == HANDLE_DEVICE &&
            object->parent == (uint32_t)(instance - object_slots))
            visit(object, context);
    }
}

/* --- life ------------------------------------------------------------------------------------- */

/* Fills a slot with an object, and publishes its id last. NULL: there is no slot, and the table
 * becomes degraded. */
static ALWAYS_INLINE struct object *object_create_one(const struct object_create_info *info)
{
    assert(info->driver && info->type != HANDLE_NONE);
    assert(!info->wrapped || !handle_type_is_dispatchable(info->type));
    uint32_t index = object_slots ? slot_take() : 0;
    if (unlikely(!index)) {
        atomic_store_explicit(&degraded, true, memory_order_relaxed);
        return NULL;
    }
    struct object *object = &object_slots[index];
    bool hashed = !info->wrapped || info->findable_by_driver;
    uint64_t generation =
        ((atomic_load_explicit(&object->id, memory_order_relaxed) >> 8) & GENERATION_LIMIT) + 1;
    atomic_store_explicit(&object->driver, info->driver, memory_order_relaxed);
    atomic_store_explicit(&object->user, 0, memory_order_relaxed);
    /* another thread may be looking up a stale id at this moment */
    plain_store_relaxed(&object->state, NULL);
    atomic_store_explicit(&object->creator, info->creator, memory_order_relaxed);
    atomic_store_explicit(&object->parent,
                          info->parent ? (uint32_t)(info->parent - object_slots) : 0,
                          memory_order_relaxed);
    object->child_first = 0;
    atomic_store_explicit(&object->owner, info->owner, memory_order_relaxed);
    atomic_store_explicit(&object->flags,
                          (uint8_t)((info->has_allocator ? OBJECT_HAS_ALLOCATOR : 0) |
                                    (info->wrapped ? OBJECT_WRAPPED : 0) |
                                    (hashed ? OBJECT_HASHED : 0)),
                          memory_order_relaxed);
    /* Its places first: a thread that can find the object can retire it, and then it must be found
     * in them. */
    if (hashed)
        hash_insert(object, info->type);
    if (info->child_of_parent)
        child_link(info->parent, object);
    atomic_store_explicit(&object->id, (uint64_t)index << 32 | generation << 8 | info->type,
                          memory_order_release);
    return object;
}

struct object *object_create(const struct object_create_info *info)
{
    return object_create_one(info);
}

/* Finds the object of this driver handle with the same owner. NULL: there is none. */
static struct object *find_own(const struct object_create_info *info)
{
    assert(info->driver);
    struct object *object = object_find_driver(info->driver, info->type, info->owner);
    return object && object->owner == info->owner ? object : NULL;
}

struct object *object_create_or_find(const struct object_create_info *info)
{
    struct object *object = find_own(info);
    if (object)
        return object;
    lock_take(&ask_lock); /* two threads may query the same queue: it gets one object */
    object = find_own(info);
    if (!object)
        object = object_create(info);
    lock_release(&ask_lock);
    return object;
}

uint64_t creation_adopt(struct object_create_info *info, uint64_t driver)
{
    if (!driver)
        return 0;
    info->driver = driver;
    struct object *object =
        unlikely(info->findable_by_driver) ? object_create_or_find(info) : object_create_one(info);
    return object && info->wrapped ? atomic_load_explicit(&object->id, memory_order_relaxed)
                                   : driver;
}

uint64_t object_handle(const struct object *object)
{
    assert(object > object_slots);
    return object_has(object, OBJECT_WRAPPED)
               ? atomic_load_explicit(&object->id, memory_order_relaxed)
               : object_driver(object);
}

uint64_t object_retired_handle(const struct object *object)
{
    assert(object > object_slots);
    uint64_t id = atomic_load_explicit(&object->id, memory_order_relaxed);
    return object_has(object, OBJECT_WRAPPED) ? id | object->retired_type : object_driver(object);
}

/* `creator` of a destroyed object is its destroyer. This bit, which no address of a program has,
 * says so. */
#define DESTROYER ((uintptr_t)1 << 63)

const void *object_retired_by(const struct object *object)
{
    assert(object > object_slots);
    uintptr_t caller = (uintptr_t)atomic_load_explicit(&object->creator, memory_order_relaxed);
    return caller & DESTROYER ? (const void *)(caller & ~DESTROYER) : NULL;
}

const void *object_find_destroyer(uint64_t id)
{
    uint32_t index = object_index(id);
    if (!index || index >= atomic_load_explicit(&object_limit, memory_order_acquire))
        return NULL;
    const struct object *object = &object_slots[index];
    uint64_t retired = id & ~0xffull;
    if (atomic_load_explicit(&object->id, memory_order_acquire) != retired)
        return NULL;
    const void *caller = object_retired_by(object);
    atomic_thread_fence(memory_order_acquire);
    /* If the id has not changed after the load, the address read was not that of a later object's
     * destroyer. */
    return atomic_load_explicit(&object->id, memory_order_relaxed) == retired ? caller : NULL;
}

bool object_retire_by(struct object *object, const void *caller)
{
    assert(object > object_slots);
    uint64_t id = atomic_load_explicit(&object->id, memory_order_acquire);
    do {
        if (object_id_type(id) == HANDLE_NONE)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(&object->id, &id, id & ~0xffull,
                                                    memory_order_acq_rel, memory_order_acquire));
    enum handle_type type = object_id_type(id);
    if (object_has(object, OBJECT_HASHED))
        hash_remove(object, type);
    if (object_has(object, OBJECT_CHILD))
        child_unlink(object);
    if (may_have_children(type))
        children_let_go(object);
    object->retired_type = (uint8_t)type;
    const void *destroyer = caller ? (const void *)((uintptr_t)caller | DESTROYER) : NULL;
    /* Release: a thread that reads this address also sees that the id has changed
     * (object_find_destroyer). */
    atomic_store_explicit(&object->creator, destroyer, memory_order_release);
    return true;
}

void object_release(struct object *object)
{
    assert(object > object_slots && object_type(object) == HANDLE_NONE);
    if (object->state || object_has(object, OBJECT_HAS_NAME)) {
        object_destroy_function destroy =
            atomic_load_explicit(&object_state_destroy, memory_order_relaxed);
        if (destroy)
            destroy(object, (enum handle_type)object->retired_type);
    }
    /* The next object in this slot begins without state. */
    plain_store_relaxed(&object->state, NULL);
    slot_give((uint32_t)(object - object_slots));
}

/* --- fork ------------------------------------------------------------------------------------- */

/* Called in the child of a fork, where no other thread changes a chain or uses an object. Each
 * change of a chain is one store (hash_insert, hash_remove), so a chain is whole at every point
 * where its writer may have stopped. */
static void forget_other_threads(void)
{
    for (uint32_t i = 0; buckets && i < HASH_BUCKETS; i++) {
        uint32_t sequence = atomic_load_explicit(&buckets[i].sequence, memory_order_relaxed);
        if (sequence & 1)
            atomic_store_explicit(&buckets[i].sequence, sequence + 1, memory_order_relaxed);
    }
    uint32_t limit = atomic_load_explicit(&object_limit, memory_order_relaxed);
    for (uint32_t index = 1; index < limit; index++) {
        if (atomic_load_explicit(&object_slots[index].user, memory_order_relaxed) > USER_IS_GONE)
            atomic_store_explicit(&object_slots[index].user, 0, memory_order_relaxed);
    }
}

void object_fork(enum fork_step step) NOT_ANALYSED /* each step takes or releases locks */
{
    if (step == FORK_PREPARE) {
        lock_take(&ask_lock);
        lock_take(&grow_lock);
    }
    for (uint32_t i = 0; i < FREE_LISTS; i++)
        spin_lock_fork(&free_lists[i].lock, step);
    for (uint32_t i = 0; i < CHILDREN_LOCKS; i++)
        spin_lock_fork(&children_locks[i].lock, step);
    if (step == FORK_PREPARE)
        return;
    lock_release(&grow_lock);
    lock_release(&ask_lock);
    if (step == FORK_CHILD)
        forget_other_threads();
}
