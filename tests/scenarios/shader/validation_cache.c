/* Validation caches (11 "Shaders"): an extension that the layer offers by itself, on devices whose
 * driver lacks it. */
#include "scenario.h"

#include <string.h>

#define WITH_CACHES .extensions = {VK_EXT_VALIDATION_CACHE_EXTENSION_NAME}
#define HEADER      24u

static VkValidationCacheEXT create_cache(struct baseline *b, const void *data, size_t size)
{
    const VkValidationCacheCreateInfoEXT info = {VK_STRUCTURE_TYPE_VALIDATION_CACHE_CREATE_INFO_EXT,
                                                 .initialDataSize = size, .pInitialData = data};
    VkValidationCacheEXT cache = VK_NULL_HANDLE;
    DEVICE_PROC(b, vkCreateValidationCacheEXT)(b->device, &info, NULL, &cache);
    return cache;
}

static void destroy_cache(struct baseline *b, uint64_t handle)
{
    DEVICE_PROC(b, vkDestroyValidationCacheEXT)(b->device, (VkValidationCacheEXT)handle, NULL);
}

static VkValidationCacheEXT make_cache_of(struct baseline *b, const void *data, size_t size)
{
    VkValidationCacheEXT cache = create_cache(b, data, size);
    ENSURE(cache != VK_NULL_HANDLE);
    cleanup_add(b, destroy_cache, HANDLE(cache));
    return cache;
}

static VkValidationCacheEXT make_cache(struct baseline *b)
{
    return make_cache_of(b, NULL, 0);
}

static VkResult use_cache(struct baseline *b, VkValidationCacheEXT cache, const uint32_t *code,
                          size_t size)
{
    const VkShaderModuleValidationCacheCreateInfoEXT chained = {
        VK_STRUCTURE_TYPE_SHADER_MODULE_VALIDATION_CACHE_CREATE_INFO_EXT, .validationCache = cache};
    const VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .pNext = &chained, .codeSize = size, .pCode = code};
    return create_shader_module(b, &info) ? VK_SUCCESS : VK_ERROR_UNKNOWN;
}

static size_t data_of(struct baseline *b, VkValidationCacheEXT cache, void *data, size_t room)
{
    size_t size = room;
    VK(DEVICE_PROC(b, vkGetValidationCacheDataEXT)(b->device, cache, &size, data));
    return size;
}

static size_t size_of(struct baseline *b, VkValidationCacheEXT cache)
{
    return data_of(b, cache, NULL, 0);
}

/* The layer says in its manifest what it says when asked, too. */
SCENARIO(cache_is_offered, .ours_only = true)
{
    VkExtensionProperties extensions[4];
    uint32_t count = 4, found = 0;
    VK(vkEnumerateDeviceExtensionProperties(b->physical_device, b->layer, &count, extensions));
    for (uint32_t i = 0; i < count; i++)
        found += strcmp(extensions[i].extensionName, VK_EXT_VALIDATION_CACHE_EXTENSION_NAME) == 0;
    EXPECT_EQUAL(found, 1);
    EXPECT(!vkGetDeviceProcAddr(b->device, "vkCreateValidationCacheEXT")); /* not enabled */
}

/* A driver that does not know the extension is not asked for it, nor does it hear of caches. */
SCENARIO(cache_that_the_driver_lacks, WITH_CACHES,
         .null_driver = "{\"extensions\": {\"VK_EXT_validation_cache\": false}}")
{
    VkValidationCacheEXT cache = make_cache(b);
    EXPECT_EQUAL(use_cache(b, cache, shader_fill_code, shader_fill_size), VK_SUCCESS);
    EXPECT(size_of(b, cache) > HEADER);
}

/* A module that is good is kept once; a second run begins with what the first one kept. */
SCENARIO(cache_over_two_runs, WITH_CACHES, .ours_only = true)
{
    unsigned char data[256];
    uint32_t head[2];
    VkValidationCacheEXT first = make_cache(b);
    size_t empty = size_of(b, first);
    EXPECT_EQUAL(use_cache(b, first, shader_fill_code, shader_fill_size), VK_SUCCESS);
    size_t size = size_of(b, first);
    EXPECT_EQUAL(size, empty + 8);
    EXPECT_EQUAL(use_cache(b, first, shader_fill_code, shader_fill_size), VK_SUCCESS);
    EXPECT_EQUAL(size_of(b, first), size);
    EXPECT_EQUAL(data_of(b, first, data, sizeof(data)), size);
    memcpy(head, data, sizeof(head));
    EXPECT_EQUAL(head[0], HEADER);
    EXPECT_EQUAL(head[1], VK_VALIDATION_CACHE_HEADER_VERSION_ONE_EXT);

    VkValidationCacheEXT second = make_cache_of(b, data, size);
    EXPECT_EQUAL(size_of(b, second), size);
    EXPECT_EQUAL(use_cache(b, second, shader_fill_code, shader_fill_size), VK_SUCCESS);
    EXPECT_EQUAL(size_of(b, second), size);
    VkValidationCacheEXT third = make_cache(b);
    VK(DEVICE_PROC(b, vkMergeValidationCachesEXT)(b->device, third, 2,
                                                  (VkValidationCacheEXT[]){first, second}));
    EXPECT_EQUAL(size_of(b, third), size);
}

/* A module that is not good is not kept: the mistake is reported each time. */
SCENARIO(cache_keeps_no_bad_module, WITH_CACHES,
         .expect = {"VUID-VkShaderModuleCreateInfo-pCode-08736"}, .ours_only = true)
{
    static const uint32_t garbage[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    VkValidationCacheEXT cache = make_cache(b);
    size_t empty = size_of(b, cache);
    use_cache(b, cache, garbage, sizeof(garbage));
    use_cache(b, cache, garbage, sizeof(garbage));
    EXPECT_EQUAL(size_of(b, cache), empty);
    EXPECT_EQUAL(seen_count(b, "VUID-VkShaderModuleCreateInfo-pCode-08736"), 2);
}

/* Room for less than all: what fits is written, and is data that can be given back. */
SCENARIO(cache_data_in_little_room, WITH_CACHES, .ours_only = true)
{
    unsigned char data[64];
    VkValidationCacheEXT cache = make_cache(b);
    EXPECT_EQUAL(use_cache(b, cache, shader_fill_code, shader_fill_size), VK_SUCCESS);
    size_t whole = size_of(b, cache);
    for (size_t room = 0; room < whole; room++) {
        size_t size = room;
        EXPECT_EQUAL(DEVICE_PROC(b, vkGetValidationCacheDataEXT)(b->device, cache, &size, data),
                     VK_INCOMPLETE);
        EXPECT(size <= room);
        if (room < HEADER)
            EXPECT_EQUAL(size, 0);
        else
            make_cache_of(b, data, size);
    }
}

/* The data of another layer, or a later version, is not used, and is not a mistake. */
SCENARIO(cache_data_of_another_layer, WITH_CACHES, .ours_only = true)
{
    unsigned char data[64];
    VkValidationCacheEXT cache = make_cache(b);
    size_t empty = size_of(b, cache);
    EXPECT_EQUAL(use_cache(b, cache, shader_fill_code, shader_fill_size), VK_SUCCESS);
    size_t size = data_of(b, cache, data, sizeof(data));
    data[8] ^= 1;
    EXPECT_EQUAL(size_of(b, make_cache_of(b, data, size)), empty);
}

SCENARIO(cache_data_cut_off, WITH_CACHES,
         .expect = {"VUID-VkValidationCacheCreateInfoEXT-initialDataSize-01534"},
         .text = {"pCreateInfo->initialDataSize is 44, but the data was retrieved with 48 bytes"})
{
    unsigned char data[64];
    VkValidationCacheEXT cache = make_cache(b);
    EXPECT_EQUAL(use_cache(b, cache, shader_fill_code, shader_fill_size), VK_SUCCESS);
    create_cache(b, data, data_of(b, cache, data, sizeof(data)) - 4);
}

SCENARIO(cache_data_of_nobody, WITH_CACHES,
         .expect = {"VUID-VkValidationCacheCreateInfoEXT-initialDataSize-01535"},
         .text = {"pCreateInfo->pInitialData is not data of a validation cache, or was changed "
                  "since it was retrieved (7 bytes)"})
{
    create_cache(b, "garbage", 7);
}

SCENARIO(cache_data_changed, WITH_CACHES,
         .expect = {"VUID-VkValidationCacheCreateInfoEXT-initialDataSize-01535"}, .ours_only = true)
{
    unsigned char data[64];
    VkValidationCacheEXT cache = make_cache(b);
    EXPECT_EQUAL(use_cache(b, cache, shader_fill_code, shader_fill_size), VK_SUCCESS);
    size_t size = data_of(b, cache, data, sizeof(data));
    data[size - 1] ^= 1;
    create_cache(b, data, size);
}

SCENARIO(cache_merged_into_itself, WITH_CACHES,
         .expect = {"VUID-vkMergeValidationCachesEXT-dstCache-01536"},
         .text = {"pSrcCaches[1] is dstCache"})
{
    VkValidationCacheEXT cache = make_cache(b), other = make_cache(b);
    DEVICE_PROC(b, vkMergeValidationCachesEXT)(b->device, cache, 2,
                                               (VkValidationCacheEXT[]){other, cache});
}

/* Objects like any other: named, of this device, dead once destroyed. */
SCENARIO(cache_destroyed_and_used, WITH_CACHES,
         .expect = {"VUID-VkShaderModuleValidationCacheCreateInfoEXT-validationCache-parameter"},
         .text = {"\"of last run\"", "destroyed"}, .ours_only = true)
{
    VkValidationCacheEXT cache = create_cache(b, NULL, 0);
    VkDebugUtilsObjectNameInfoEXT name =
        name_info(VK_OBJECT_TYPE_VALIDATION_CACHE_EXT, HANDLE(cache), "of last run");
    VK(INSTANCE_PROC(b, vkSetDebugUtilsObjectNameEXT)(b->device, &name));
    destroy_cache(b, HANDLE(cache));
    use_cache(b, cache, shader_fill_code, shader_fill_size);
}

SCENARIO(cache_leaked, WITH_CACHES, .expect = {"VUID-vkDestroyDevice-device-05137"},
         .text = {"VkValidationCacheEXT"})
{
    EXPECT(create_cache(b, NULL, 0) != VK_NULL_HANDLE);
}

SCENARIO(cache_null_destroyed, WITH_CACHES)
{
    destroy_cache(b, 0);
}

SCENARIO(cache_with_callbacks_not_given_again, WITH_CACHES,
         .expect = {"VUID-vkDestroyValidationCacheEXT-validationCache-01537"}, .ours_only = true)
{
    const VkValidationCacheCreateInfoEXT info = {
        VK_STRUCTURE_TYPE_VALIDATION_CACHE_CREATE_INFO_EXT};
    VkValidationCacheEXT cache = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateValidationCacheEXT)(b->device, &info, allocator(), &cache));
    destroy_cache(b, HANDLE(cache));
    DEVICE_PROC(b, vkDestroyValidationCacheEXT)(b->device, cache, allocator());
}

SCENARIO(cache_without_callbacks_given_some, WITH_CACHES,
         .expect = {"VUID-vkDestroyValidationCacheEXT-validationCache-01538"}, .ours_only = true)
{
    VkValidationCacheEXT cache = create_cache(b, NULL, 0);
    DEVICE_PROC(b, vkDestroyValidationCacheEXT)(b->device, cache, allocator());
    destroy_cache(b, HANDLE(cache));
}
