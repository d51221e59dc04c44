/* Implements the commands of validation caches, and writes and reads their data. Drivers do not
 * have these objects. */
#include "chassis/validation_cache.h"

#include <string.h>

#include "base/lock.h"
#include "base/plain_atomic.h"
#include "chassis/entries.h"
#include "chassis/hooks.h"
#include "chassis/version.h" /* generated: ASSAY_VERSION */

/* A hash set with open addressing: a key's hash chooses its place, or the next free one if that is
 * taken. Threads: under the lock. */
struct validation_cache {
    /* held during a look-up or a copy, but never during a call */
    struct lock lock;
    uint64_t *keys GUARDED_BY(lock);    /* owned; 0: a free place */
    uint32_t capacity GUARDED_BY(lock); /* a power of two, at least twice `count`; or 0 */
    uint32_t count GUARDED_BY(lock);
};

/* The most places that a cache may have: 128 MiB of keys. */
#define CAPACITY_MOST (1u << 24)

/* --- the set --- */

/* Returns the place of the key, or the free place where it would be. A free place always exists. */
static uint64_t *validation_cache_place(uint64_t *keys, uint32_t capacity, uint64_t key)
{
    uint32_t i = (uint32_t)(key * 0x9e3779b97f4a7c15ull >> 32) & (capacity - 1);
    while (keys[i] && keys[i] != key)
        i = (i + 1) & (capacity - 1);
    return &keys[i];
}

/* Doubles the room. False: out of memory, or the cache has reached CAPACITY_MOST. */
static bool validation_cache_grow(struct validation_cache *cache) REQUIRES(cache->lock)
{
    uint32_t capacity = cache->capacity ? cache->capacity * 2 : 64;
    uint64_t *keys = capacity <= CAPACITY_MOST ? mem_alloc_zeroed(capacity * sizeof(*keys)) : NULL;
    if (!keys)
        return false;
    for (uint32_t i = 0; i < cache->capacity; i++) {
        if (cache->keys[i])
            /* Each key is placed again, because places depend on the capacity. */
            *validation_cache_place(keys, capacity, cache->keys[i]) = cache->keys[i];
    }
    mem_free(cache->keys);
    cache->keys = keys;
    cache->capacity = capacity;
    return true;
}

/* Adds a key. If out of memory it is left out, and its module is validated again next time. */
static void validation_cache_insert(struct validation_cache *cache, uint64_t key)
    REQUIRES(cache->lock)
{
    if ((cache->count + 1) * 2 > cache->capacity && !validation_cache_grow(cache))
        return;
    uint64_t *place = validation_cache_place(cache->keys, cache->capacity, key);
    cache->count += *place == 0;
    *place = key;
}

bool validation_cache_has(struct validation_cache *cache, uint64_t key)
{
    if (!cache)
        return false;
    lock_take(&cache->lock);
    bool has = cache->capacity && *validation_cache_place(cache->keys, cache->capacity, key) == key;
    lock_release(&cache->lock);
    return has;
}

void validation_cache_add(struct validation_cache *cache, uint64_t key)
{
    if (!cache)
        return;
    lock_take(&cache->lock);
    validation_cache_insert(cache, key);
    lock_release(&cache->lock);
}

/* --- the bytes --- */

/* The header that the specification defines, followed by the layer's own members. Numbers are
 * little-endian, as on all machines that the layer runs on. */
struct data_head {
    /* length of the standard header in bytes, and version of its form */
    uint32_t length, version;
    uint8_t layer[VK_UUID_SIZE]; /* this_layer */
    uint64_t size;               /* size of all of the data, in bytes, as it was retrieved */
    uint64_t check;              /* checksum of the keys after it */
};
/* The size of the header that the specification defines. */
#define STANDARD_HEAD offsetof(struct data_head, size)
static_assert(STANDARD_HEAD == 24 && sizeof(struct data_head) == 40, "as it is laid down");
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers go out as they lie in memory");

/* The UUID in the header. Data with another UUID is not used. The last number is the version of
 * this format. */
#define THIS_LAYER "Assay " ASSAY_VERSION "/1"
static const uint8_t this_layer[VK_UUID_SIZE] = THIS_LAYER;
static_assert(sizeof(THIS_LAYER) <= VK_UUID_SIZE, "room for the version");

/* The FNV-1a hash of the keys' bytes. */
static uint64_t check_of(const unsigned char *keys, uint64_t count)
{
    uint64_t check = 0xcbf29ce484222325ull;
    for (uint64_t i = 0; i < count * sizeof(uint64_t); i++)
        check = (check ^ keys[i]) * 0x100000001b3ull;
    return check;
}

enum validation_cache_data validation_cache_examine(const void *data, size_t size,
                                                    uint64_t *retrieved)
{
    struct data_head head = {0};
    *retrieved = size;
    if (size < STANDARD_HEAD)
        return CACHE_DATA_BROKEN; /* the layer never writes so little */
    memcpy(&head, data, size < sizeof(head) ? STANDARD_HEAD : sizeof(head));
    if (head.version != VK_VALIDATION_CACHE_HEADER_VERSION_ONE_EXT)
        return CACHE_DATA_FOREIGN;
    if (head.length != STANDARD_HEAD)
        return CACHE_DATA_BROKEN;
    if (memcmp(head.layer, this_layer, sizeof(head.layer)) != 0)
        return CACHE_DATA_FOREIGN;
    if (size == STANDARD_HEAD)
        return CACHE_DATA_OURS; /* the program's buffer had no room for more */
    if (size >= sizeof(head))
        *retrieved = head.size;
    if (size < sizeof(head) || head.size != size)
        return CACHE_DATA_CUT;
    uint64_t count = (size - sizeof(head)) / sizeof(uint64_t);
    return check_of((const unsigned char *)data + sizeof(head), count) == head.check
               ? CACHE_DATA_OURS
               : CACHE_DATA_BROKEN;
}

struct validation_cache *validation_cache_new(const void *data, size_t size)
{
    struct validation_cache *cache = mem_alloc_zeroed(sizeof(*cache));
    uint64_t retrieved, key;
    if (!cache)
        return NULL;
    lock_init(&cache->lock);
    lock_unneeded(&cache->lock);
    if (!size || !data || validation_cache_examine(data, size, &retrieved) != CACHE_DATA_OURS)
        return cache;
    const unsigned char *bytes = data;
    for (size_t at = sizeof(struct data_head); at + sizeof(key) <= size; at += sizeof(key)) {
        memcpy(&key, bytes + at, sizeof(key));
        if (key)
            validation_cache_insert(cache, key);
    }
    return cache;
}

void validation_cache_free(struct validation_cache *cache)
{
    if (!cache)
        return;
    lock_unneeded(&cache->lock);
    mem_retire(cache->keys);
    mem_retire(cache);
}

bool validation_cache_data(struct validation_cache *cache, size_t *size, void *data)
{
    struct data_head head = {.length = STANDARD_HEAD,
                             .version = VK_VALIDATION_CACHE_HEADER_VERSION_ONE_EXT};
    unsigned char *bytes = data;
    bool whole = true;
    memcpy(head.layer, this_layer, sizeof(head.layer));
    lock_take(&cache->lock);
    size_t room = data ? *size : SIZE_MAX, count = cache->count;
    /* Only whole keys that fit are written: the caller answers VK_INCOMPLETE. */
    if (room < sizeof(head) + count * sizeof(uint64_t)) {
        whole = false;
        count = room < sizeof(head) ? 0 : (room - sizeof(head)) / sizeof(uint64_t);
    }
    head.size = sizeof(head) + count * sizeof(uint64_t);
    *size = room < STANDARD_HEAD ? 0 : room < sizeof(head) ? STANDARD_HEAD : (size_t)head.size;
    if (data && *size >= sizeof(head)) {
        size_t at = sizeof(head);
        for (uint32_t i = 0; i < cache->capacity && at < head.size; i++) {
            if (!cache->keys[i])
                continue;
            memcpy(bytes + at, &cache->keys[i], sizeof(uint64_t));
            at += sizeof(uint64_t);
        }
        head.check = check_of(bytes + sizeof(head), count);
    }
    lock_release(&cache->lock);
    if (data)
        memcpy(data, &head, *size < sizeof(head) ? *size : sizeof(head));
    return whole;
}

/* Adds the keys of `from`. They are copied first, and no two locks are held: two threads may merge
 * two caches into each other. */
void validation_cache_merge(struct validation_cache *to, struct validation_cache *from)
{
    lock_take(&from->lock);
    uint32_t capacity = from->capacity;
    uint64_t *keys = capacity ? mem_alloc(capacity * sizeof(*keys)) : NULL;
    if (keys)
        memcpy(keys, from->keys, capacity * sizeof(*keys));
    lock_release(&from->lock);
    lock_take(&to->lock);
    for (uint32_t i = 0; keys && i < capacity; i++) {
        if (keys[i])
            validation_cache_insert(to, keys[i]);
    }
    lock_release(&to->lock);
    mem_free(keys);
}

/* --- the commands --- */

/* Finds the data of a cache. NULL: the cache is not known. */
static struct validation_cache *cache_of(const struct call *call, VkValidationCacheEXT handle)
{
    const struct object *object = call_find(call, (uint64_t)handle, HANDLE_VALIDATION_CACHE_EXT);
    return object ? plain_load_acquire(&object->state) : NULL;
}

/* The handle that a driver would have given is the address of the cache's data. */
VkResult dispatch_CreateValidationCacheEXT(struct call *call, VkDevice device,
                                           const VkValidationCacheCreateInfoEXT *pCreateInfo,
                                           const VkAllocationCallbacks *pAllocator,
                                           VkValidationCacheEXT *pValidationCache)
{
    struct validation_cache *cache =
        validation_cache_new(pCreateInfo->pInitialData, pCreateInfo->initialDataSize);
    *pValidationCache = (VkValidationCacheEXT)(uintptr_t)cache;
    return cache ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

void created_CreateValidationCacheEXT(struct call *call, VkDevice device,
                                      const VkValidationCacheCreateInfoEXT *pCreateInfo,
                                      const VkAllocationCallbacks *pAllocator,
                                      VkValidationCacheEXT *pValidationCache)
{
    struct object *object =
        call_find(call, (uint64_t)*pValidationCache, HANDLE_VALIDATION_CACHE_EXT);
    if (object)
        plain_store_release(&object->state, (void *)(uintptr_t)object_driver(object));
}

/* The data go with the object (validators_destroy_state). */
void dispatch_DestroyValidationCacheEXT(struct call *call, VkDevice device,
                                        VkValidationCacheEXT validationCache,
                                        const VkAllocationCallbacks *pAllocator)
{
}

VkResult dispatch_MergeValidationCachesEXT(struct call *call, VkDevice device,
                                           VkValidationCacheEXT dstCache, uint32_t srcCacheCount,
                                           const VkValidationCacheEXT *pSrcCaches)
{
    struct validation_cache *to = cache_of(call, dstCache);
    for (uint32_t i = 0; to && i < srcCacheCount; i++) {
        struct validation_cache *from = cache_of(call, pSrcCaches[i]);
        if (from && from != to)
            validation_cache_merge(to, from);
    }
    return VK_SUCCESS;
}

VkResult dispatch_GetValidationCacheDataEXT(struct call *call, VkDevice device,
                                            VkValidationCacheEXT validationCache, size_t *pDataSize,
                                            void *pData)
{
    struct validation_cache *cache = cache_of(call, validationCache);
    if (!cache) {
        *pDataSize = 0;
        return VK_SUCCESS;
    }
    return validation_cache_data(cache, pDataSize, pData) ? VK_SUCCESS : VK_INCOMPLETE;
}
