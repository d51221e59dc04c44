/* Validation caches (VK_EXT_validation_cache; 11 "Shaders", "Validation Cache"): keys of shader
 * modules that were found valid. The program stores them between its runs. */
#ifndef ASSAY_CHASSIS_VALIDATION_CACHE_H
#define ASSAY_CHASSIS_VALIDATION_CACHE_H

#include <stddef.h>

#include "objects/object.h"

struct validation_cache;

/* True if the cache holds the key. `cache` may be NULL: it holds nothing. A key is not 0. Threads:
 * any. */
bool validation_cache_has(struct validation_cache *cache, uint64_t key);
/* Adds a key. If out of memory, the key is not kept. Threads: any. */
void validation_cache_add(struct validation_cache *cache, uint64_t key);
void validation_cache_free(struct validation_cache *cache);

/* The kinds of data that a program may give back to a cache. */
enum validation_cache_data {
    CACHE_DATA_OURS,
    /* well-formed, but not of this version of this layer: the cache begins empty */
    CACHE_DATA_FOREIGN,
    CACHE_DATA_CUT,    /* ours, but its size differs from the size that was written */
    CACHE_DATA_BROKEN, /* damaged, or not data of a validation cache */
};
/* Finds the kind of the data. Sets `retrieved` to the size that data of ours had when it was
 * retrieved. */
enum validation_cache_data validation_cache_examine(const void *data, size_t size,
                                                    uint64_t *retrieved);

/* NULL if out of memory. The caller keeps ownership of `data`. */
struct validation_cache *validation_cache_new(const void *data, size_t size) MUST_CHECK;
/* Does what vkGetValidationCacheDataEXT does: true when all was written, or `data` is NULL. */
bool validation_cache_data(struct validation_cache *cache, size_t *size, void *data);
void validation_cache_merge(struct validation_cache *to, struct validation_cache *from);

#endif
