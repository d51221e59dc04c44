/* Keeps the null driver's objects, and knows whether a handle is one of them.
 *
 * One region is reserved when the first object is made, and never given back: threads may still run
 * at exit. A free slot goes into its thread's cache, and from there in batches into a list under a
 * lock. So creating and destroying is a few instructions. */
#include "null_driver.h"

#include <vulkan/vk_icd.h>

#include <string.h>
#include <sys/mman.h>

/* Address space, not memory: 64 million objects. */
#define REGION_SIZE ((size_t)8 << 30)
/* Slots that move between a thread and the common list at once; large enough that the lock does not
 * show. */
#define BATCH 64

static struct {
    pthread_mutex_t lock;
    _Atomic uintptr_t start; /* 0 until reserved */
    uintptr_t end;           /* of what was ever handed out */
    struct object *free;
} region = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local __attribute__((tls_model("initial-exec"))) struct {
    struct object *free;
    uint32_t count;
} cache;

/* The last bytes of a free slot lead to the next one. Its first belong to the loader and to layers,
 * which write to what they were just given. They do so also where another thread has wrongly
 * destroyed it meanwhile. */
static struct object **free_link(struct object *slot)
{
    return (struct object **)(void *)((char *)slot + OBJECT_SIZE - sizeof(struct object *));
}

static struct object *next_free(struct object *slot)
{
    return *free_link(slot);
}

static void push_free(struct object **list, struct object *slot)
{
    *free_link(slot) = *list;
    *list = slot;
}

static void region_lock(void)
{
    pthread_mutex_lock(&region.lock);
}

static void region_unlock(void)
{
    pthread_mutex_unlock(&region.lock);
}

/* The child of a test that forks goes on creating objects. This comes before the layer's own
 * handlers are there, which run first then: they wait for threads that are in this driver. */
__attribute__((constructor)) static void be_forked(void)
{
    (void)pthread_atfork(region_lock, region_unlock, region_unlock);
}

/* Threads: the region's lock is held. */
static bool region_reserve(void)
{
    if (atomic_load_explicit(&region.start, memory_order_relaxed))
        return true;
    void *start = mmap(NULL, REGION_SIZE, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED)
        return false;
    (void)madvise(start, REGION_SIZE, MADV_DONTDUMP);
    region.end = (uintptr_t)start;
    atomic_store_explicit(&region.start, (uintptr_t)start, memory_order_release);
    return true;
}

static void cache_refill(void)
{
    pthread_mutex_lock(&region.lock);
    if (region_reserve()) {
        while (cache.count < BATCH && region.free) {
            struct object *slot = region.free;
            region.free = next_free(slot);
            push_free(&cache.free, slot);
            cache.count++;
        }
        uintptr_t limit = atomic_load_explicit(&region.start, memory_order_relaxed) + REGION_SIZE;
        /* New slots from the top of the batch downwards, so that they are handed out in the order
         * of their addresses. */
        uint32_t wanted = BATCH - cache.count;
        if (region.end + (size_t)wanted * OBJECT_SIZE <= limit) {
            for (uint32_t i = wanted; i > 0; i--)
                push_free(&cache.free,
                          (struct object *)(region.end + (size_t)(i - 1) * OBJECT_SIZE));
            region.end += (size_t)wanted * OBJECT_SIZE;
            cache.count += wanted;
        }
    }
    pthread_mutex_unlock(&region.lock);
}

static void cache_spill(void)
{
    pthread_mutex_lock(&region.lock);
    while (cache.count > BATCH) {
        struct object *slot = cache.free;
        cache.free = next_free(slot);
        push_free(&region.free, slot);
        cache.count--;
    }
    pthread_mutex_unlock(&region.lock);
}

void *object_new(VkObjectType type)
{
    if (!cache.free)
        cache_refill();
    struct object *slot = cache.free;
    if (!slot)
        return NULL;
    cache.free = next_free(slot);
    cache.count--;
    /* Not the type: a thread that holds a stale handle may look at it. */
    memset((char *)slot + offsetof(struct object, lock), 0,
           OBJECT_SIZE - offsetof(struct object, lock));
    slot->dispatchable = (struct dispatchable){.loader_data = ICD_LOADER_MAGIC};
    atomic_store_explicit(&slot->type, (uint32_t)type, memory_order_release);
    return slot;
}

bool objects_new(VkObjectType type, uint32_t count, void *handles)
{
    void **objects = handles;
    for (uint32_t i = 0; i < count; i++) {
        objects[i] = object_new(type);
        if (objects[i])
            continue;
        while (i > 0)
            object_free(objects[--i], type);
        memset(objects, 0, sizeof(*objects) * count);
        return false;
    }
    return true;
}

void *object_get(const void *handle, VkObjectType type)
{
    uintptr_t start = atomic_load_explicit(&region.start, memory_order_acquire);
    uintptr_t offset = (uintptr_t)handle - start;
    if (!handle || !start || offset >= REGION_SIZE || offset % OBJECT_SIZE)
        return NULL;
    struct object *slot = (struct object *)(start + offset);
    return atomic_load_explicit(&slot->type, memory_order_acquire) == (uint32_t)type ? slot : NULL;
}

void object_free(const void *handle, VkObjectType type)
{
    struct object *slot = object_get(handle, type);
    uint32_t expected = (uint32_t)type;
    /* Two threads that wrongly destroy the same object: only one of them frees the slot. */
    if (!slot ||
        !atomic_compare_exchange_strong_explicit(&slot->type, &expected, 0, memory_order_acq_rel,
                                                 memory_order_relaxed))
        return;
    push_free(&cache.free, slot);
    if (++cache.count > 2 * BATCH)
        cache_spill();
}

/* A correct program never waits here: pools are externally synchronised. */
static void lock_pool(struct object *pool)
{
    while (atomic_flag_test_and_set_explicit(&pool->lock, memory_order_acquire))
        ;
}

static void unlock_pool(struct object *pool)
{
    atomic_flag_clear_explicit(&pool->lock, memory_order_release);
}

void object_adopt(struct object *pool, struct object *child)
{
    lock_pool(pool);
    child->owner = pool;
    child->previous = NULL;
    child->next = pool->children;
    if (child->next)
        child->next->previous = child;
    pool->children = child;
    unlock_pool(pool);
}

void object_orphan(struct object *child)
{
    struct object *pool = child->owner;
    if (!pool)
        return;
    lock_pool(pool);
    if (child->previous)
        child->previous->next = child->next;
    else
        pool->children = child->next;
    if (child->next)
        child->next->previous = child->previous;
    child->owner = NULL;
    unlock_pool(pool);
}

void object_free_children(struct object *pool)
{
    lock_pool(pool);
    struct object *child = pool->children;
    pool->children = NULL;
    while (child) {
        struct object *next = child->next;
        object_free(child, (VkObjectType)atomic_load_explicit(&child->type, memory_order_relaxed));
        child = next;
    }
    unlock_pool(pool);
}
