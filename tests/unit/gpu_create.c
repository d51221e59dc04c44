/* Checks what the GPU side makes of the program's structures on the way down: it is all legal, and
 * the program's own is never written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/device/areas.h"
#include "gpu/gpu.h"
#include "chassis/translate.h"
#include "gpu/pipeline/shader.h"
#include "spirv/instrument/instrument.h"
#include "vk/chain.h"

/* --- a physical device --- */

static VkPhysicalDeviceFeatures supported;
static bool has_addresses, has_khr_extension;

static VKAPI_ATTR void VKAPI_CALL get_features(VkPhysicalDevice physical_device,
                                               VkPhysicalDeviceFeatures *features)
{
    *features = supported;
}

static VKAPI_ATTR void VKAPI_CALL get_features2(VkPhysicalDevice physical_device,
                                                VkPhysicalDeviceFeatures2 *features)
{
    VkPhysicalDeviceBufferDeviceAddressFeatures *addresses = (void *)(uintptr_t)
        chain_find(features->pNext,
                   VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES);
    VkPhysicalDeviceBufferDeviceAddressFeaturesEXT *old = (void *)(uintptr_t)
        chain_find(features->pNext,
                   VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES_EXT);
    features->features = supported;
    if (addresses)
        addresses->bufferDeviceAddress = has_addresses;
    if (old)
        old->bufferDeviceAddress = has_addresses;
}

static VKAPI_ATTR VkResult VKAPI_CALL list_extensions(VkPhysicalDevice physical_device,
                                                      const char *layer, uint32_t *count,
                                                      VkExtensionProperties *properties)
{
    if (properties && *count && has_khr_extension)
        strcpy(properties->extensionName, VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME);
    *count = has_khr_extension;
    return VK_SUCCESS;
}

struct fixture {
    struct instance instance;
    struct device device;
    VkDeviceCreateInfo down;
};

static int setup_create(void **state)
{
    struct fixture *fixture = calloc(1, sizeof(*fixture));
    supported = (VkPhysicalDeviceFeatures){.fragmentStoresAndAtomics = VK_TRUE,
                                           .vertexPipelineStoresAndAtomics = VK_TRUE,
                                           .robustBufferAccess = VK_TRUE};
    has_addresses = has_khr_extension = true;
    settings_defaults(&fixture->instance.settings);
    fixture->instance.settings.gpuav_enable = true;
    fixture->instance.api_version = VK_API_VERSION_1_3;
    fixture->instance.dispatch.GetPhysicalDeviceFeatures = get_features;
    fixture->instance.dispatch.GetPhysicalDeviceFeatures2 = get_features2;
    fixture->instance.dispatch.EnumerateDeviceExtensionProperties = list_extensions;
    fixture->device.instance = &fixture->instance;
    fixture->device.properties.apiVersion = VK_API_VERSION_1_3;
    fixture->down.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    *state = fixture;
    return 0;
}

static int teardown_create(void **state)
{
    struct fixture *fixture = *state;
    settings_free(&fixture->instance.settings);
    free(fixture);
    return 0;
}

static const void *chained_structure(const struct fixture *fixture, VkStructureType type)
{
    return chain_find(fixture->down.pNext, type);
}

static VkBool32 addresses_of(const struct fixture *fixture)
{
    const VkPhysicalDeviceBufferDeviceAddressFeatures *features =
        chained_structure(fixture,
                          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES);
    return features && features->bufferDeviceAddress;
}

/* --- features --- */

static void device_without_features_gets_those_of_shaders(void **state)
{
    struct fixture *fixture = *state;
    gpu_change_device(&fixture->device, &fixture->down);
    assert_true(addresses_of(fixture));
    assert_true(fixture->down.pEnabledFeatures->fragmentStoresAndAtomics);
    assert_true(fixture->down.pEnabledFeatures->vertexPipelineStoresAndAtomics);
    assert_false(fixture->down.pEnabledFeatures->robustBufferAccess);
    assert_int_equal(fixture->down.enabledExtensionCount, 0);
    assert_true(gpu_in_device(&fixture->device)->stages & VK_SHADER_STAGE_FRAGMENT_BIT);
    assert_true(gpu_in_device(&fixture->device)->stages & VK_SHADER_STAGE_VERTEX_BIT);
}

static void features_are_added_where_the_program_has_its_own(void **state)
{
    struct fixture *fixture = *state;
    VkPhysicalDeviceVulkan12Features all = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .timelineSemaphore = VK_TRUE};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &all,
                                          .features.logicOp = VK_TRUE};
    const VkLayerDeviceCreateInfo loader = {.sType = VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO,
                                            .pNext = &features,
                                            .function = VK_LAYER_LINK_INFO};
    fixture->down.pNext = &loader;
    gpu_change_device(&fixture->device, &fixture->down);
    const VkPhysicalDeviceVulkan12Features *all_down =
        chained_structure(fixture, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    const VkPhysicalDeviceFeatures2 *down =
        chained_structure(fixture, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
    assert_true(all_down->bufferDeviceAddress && all_down->timelineSemaphore);
    assert_true(down->features.fragmentStoresAndAtomics && down->features.logicOp);
    assert_null(fixture->down.pEnabledFeatures); /* VUID-VkDeviceCreateInfo-pNext-00373 */
    assert_null(chained_structure(
        fixture, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES));
    assert_false(all.bufferDeviceAddress || features.features.fragmentStoresAndAtomics);
    assert_ptr_equal(features.pNext, &all);
    assert_ptr_equal(loader.pNext, &features);
}

static void structure_of_the_feature_is_not_doubled(void **state)
{
    struct fixture *fixture = *state;
    VkPhysicalDeviceMultiviewFeatures after = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES};
    const VkPhysicalDeviceBufferDeviceAddressFeatures own = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
        .pNext = &after,
        .bufferDeviceAddressCaptureReplay = VK_TRUE};
    const VkPhysicalDeviceFeatures given = {.geometryShader = VK_TRUE};
    fixture->down.pNext = &own;
    fixture->down.pEnabledFeatures = &given;
    gpu_change_device(&fixture->device, &fixture->down);
    const VkPhysicalDeviceBufferDeviceAddressFeatures *down =
        chained_structure(fixture,
                          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES);
    assert_ptr_not_equal(down, &own);
    assert_true(down->bufferDeviceAddress && down->bufferDeviceAddressCaptureReplay);
    assert_ptr_equal(down->pNext, &after);
    assert_true(fixture->down.pEnabledFeatures->geometryShader &&
                fixture->down.pEnabledFeatures->fragmentStoresAndAtomics);
    assert_false(given.fragmentStoresAndAtomics);
}

static void version_1_1_gets_the_extension(void **state)
{
    struct fixture *fixture = *state;
    const char *const names[] = {"VK_KHR_swapchain"};
    fixture->instance.api_version = VK_API_VERSION_1_0; /* the instance goes down as one of 1.1 */
    fixture->down.enabledExtensionCount = 1;
    fixture->down.ppEnabledExtensionNames = names;
    gpu_change_device(&fixture->device, &fixture->down);
    assert_true(addresses_of(fixture));
    assert_int_equal(fixture->down.enabledExtensionCount, 2);
    assert_string_equal(fixture->down.ppEnabledExtensionNames[0], "VK_KHR_swapchain");
    assert_string_equal(fixture->down.ppEnabledExtensionNames[1],
                        VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME);
}

static void extension_of_old_keeps_the_new_one_out(void **state)
{
    struct fixture *fixture = *state;
    const char *const names[] = {VK_EXT_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME};
    fixture->down.enabledExtensionCount = 1;
    fixture->down.ppEnabledExtensionNames = names;
    gpu_change_device(&fixture->device, &fixture->down);
    const VkPhysicalDeviceBufferDeviceAddressFeaturesEXT *old =
        chained_structure(fixture,
                          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES_EXT);
    assert_true(old && old->bufferDeviceAddress);
    assert_false(addresses_of(fixture));
    assert_int_equal(fixture->down.enabledExtensionCount, 1);
}

static void device_without_addresses_goes_down_as_it_came(void **state)
{
    struct fixture *fixture = *state;
    has_addresses = false;
    gpu_change_device(&fixture->device, &fixture->down);
    assert_null(fixture->down.pNext);
    assert_null(fixture->down.pEnabledFeatures);
    assert_int_equal(gpu_in_device(&fixture->device)->stages, 0);
    has_addresses = true;
    has_khr_extension = false;
    fixture->instance.api_version = VK_API_VERSION_1_1;
    gpu_change_device(&fixture->device, &fixture->down);
    assert_null(fixture->down.pNext);
    assert_int_equal(gpu_in_device(&fixture->device)->stages, 0);
}

static void stages_that_cannot_write_are_left_alone(void **state)
{
    struct fixture *fixture = *state;
    supported.fragmentStoresAndAtomics = VK_FALSE;
    gpu_change_device(&fixture->device, &fixture->down);
    assert_false(fixture->down.pEnabledFeatures->fragmentStoresAndAtomics);
    assert_int_equal(gpu_in_device(&fixture->device)->stages &
                         (VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_COMPUTE_BIT),
                     (VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_COMPUTE_BIT) &
                         ~VK_SHADER_STAGE_FRAGMENT_BIT);
}

static void robustness_is_forced_where_the_user_asks_for_it(void **state)
{
    struct fixture *fixture = *state;
    fixture->instance.settings.gpuav_force_on_robustness = true;
    gpu_change_device(&fixture->device, &fixture->down);
    assert_true(fixture->down.pEnabledFeatures->robustBufferAccess);
    assert_false(device_has_feature(&fixture->device, FEATURE_robustBufferAccess));
}

static void structures_in_front_are_copied(void **state)
{
    VkPhysicalDeviceVulkan11Features third = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
    VkPhysicalDeviceVulkan12Features second = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &third};
    VkPhysicalDeviceVulkan13Features first = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .pNext = &second,
        .synchronization2 = VK_TRUE};
    VkPhysicalDeviceVulkan12Features replacement = second;
    const VkPhysicalDeviceVulkan13Features *copy = chain_replace(&first, &second, &replacement);
    assert_ptr_not_equal(copy, &first);
    assert_true(copy->synchronization2);
    assert_ptr_equal(copy->pNext, &replacement);
    assert_ptr_equal(replacement.pNext, &third);
    assert_ptr_equal(first.pNext, &second);
    assert_null(chain_replace(&first, state, &replacement));
    first.sType = (VkStructureType)0x7ffffff0; /* of unknown size */
    assert_null(chain_replace(&first, &second, &replacement));
}

/* --- push constants --- */

static const struct gpu_shaders shaders = {.push_offset = 248,
                                           .all_stages = VK_SHADER_STAGE_ALL_GRAPHICS |
                                                         VK_SHADER_STAGE_COMPUTE_BIT,
                                           .anonymous = 0x1122334455667788};

static void no_ranges_become_one(void **state)
{
    VkPushConstantRange ranges[1];
    assert_int_equal(gpu_ranges_extend(&shaders, NULL, 0, ranges), 1);
    assert_int_equal(ranges[0].stageFlags,
                     VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_COMPUTE_BIT);
    assert_int_equal(ranges[0].offset, 248);
    assert_int_equal(ranges[0].size, 8);
}

/* VUID-VkPipelineLayoutCreateInfo-pPushConstantRanges-00292: no stage twice. */
static void ranges_are_made_longer(void **state)
{
    const VkPushConstantRange app[] = {{VK_SHADER_STAGE_VERTEX_BIT, 0, 64},
                                       {VK_SHADER_STAGE_FRAGMENT_BIT, 64, 16}};
    VkPushConstantRange ranges[3];
    assert_int_equal(gpu_ranges_extend(&shaders, app, 2, ranges), 3);
    assert_int_equal(ranges[0].size, 256);
    assert_int_equal(ranges[1].offset, 64);
    assert_int_equal(ranges[1].size, 192);
    assert_int_equal(ranges[2].stageFlags, shaders.all_stages & ~(VK_SHADER_STAGE_VERTEX_BIT |
                                                                  VK_SHADER_STAGE_FRAGMENT_BIT));
    const VkPushConstantRange all[] = {{VK_SHADER_STAGE_ALL, 0, 248}};
    assert_int_equal(gpu_ranges_extend(&shaders, all, 1, ranges), 1);
    assert_int_equal(ranges[0].size, 256);
}

static void ranges_that_leave_no_room_stay(void **state)
{
    VkPushConstantRange ranges[3];
    const VkPushConstantRange full[] = {{VK_SHADER_STAGE_VERTEX_BIT, 0, 252}};
    const VkPushConstantRange wrong[] = {{VK_SHADER_STAGE_VERTEX_BIT, 0xfffffffc, 8}};
    const VkPushConstantRange twice[] = {{VK_SHADER_STAGE_VERTEX_BIT, 0, 4},
                                         {VK_SHADER_STAGE_VERTEX_BIT, 4, 4}};
    assert_int_equal(gpu_ranges_extend(&shaders, full, 1, ranges), 0);
    assert_int_equal(gpu_ranges_extend(&shaders, wrong, 1, ranges), 0);
    assert_int_equal(gpu_ranges_extend(&shaders, twice, 2, ranges), 0);
}

/* --- specialization --- */

static void specialization_gets_the_address_behind_the_programs_own(void **state)
{
    const uint32_t value = 7;
    const VkSpecializationMapEntry entry = {.constantID = 3, .offset = 0, .size = 4};
    const VkSpecializationInfo app = {1, &entry, sizeof(value), &value};
    const VkSpecializationInfo *merged = gpu_specialization(&shaders, &app);
    assert_int_equal(merged->mapEntryCount, 3);
    assert_int_equal(merged->pMapEntries[0].constantID, 3);
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t word;
        const VkSpecializationMapEntry *map = &merged->pMapEntries[1 + i];
        assert_int_equal(map->constantID, SPIRV_POINTER_SPEC_ID + i);
        assert_true(map->offset + map->size <= merged->dataSize);
        memcpy(&word, (const char *)merged->pData + map->offset, sizeof(word));
        assert_int_equal(word, i ? 0x11223344 : 0x55667788);
    }
    assert_memory_equal(merged->pData, &value, sizeof(value));
    assert_int_equal(gpu_specialization(&shaders, NULL)->mapEntryCount, 2);
}

/* --- selection --- */

static void names_are_selected_by_expressions(void **state)
{
    struct settings settings;
    char error[64];
    char *items[] = {"shadow.*", "light(s|ing)"};
    settings_defaults(&settings);
    settings.gpuav_shaders_to_instrument = (struct setting_list){2, items};
    assert_true(gpu_name_is_selected(&settings, "shadow map", "main"));
    assert_true(gpu_name_is_selected(&settings, NULL, "lighting"));
    assert_false(gpu_name_is_selected(&settings, "a shadow", "main"));
    assert_false(gpu_name_is_selected(&settings, "lights on", NULL));
    assert_null(gpu_bad_expression(&settings, error, sizeof(error)));
    items[1] = "(";
    assert_string_equal(gpu_bad_expression(&settings, error, sizeof(error)), "(");
    assert_true(gpu_name_is_selected(&settings, "shadows", "main"));
    settings.gpuav_shaders_to_instrument = (struct setting_list){0};
    settings_free(&settings);
}

static void programs_select_by_a_structure(void **state)
{
    const VkValidationFeatureEnableEXT enables[] = {VK_VALIDATION_FEATURE_ENABLE_DEBUG_PRINTF_EXT,
                                                    VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT};
    VkValidationFeaturesEXT features = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                        .enabledValidationFeatureCount = 2,
                                        .pEnabledValidationFeatures = enables};
    assert_true(gpu_chain_selects(&features));
    features.enabledValidationFeatureCount = 1;
    assert_false(gpu_chain_selects(&features));
    assert_false(gpu_chain_selects(NULL));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup_create, teardown_create)
    const struct CMUnitTest tests[] = {
        TEST(device_without_features_gets_those_of_shaders),
        TEST(features_are_added_where_the_program_has_its_own),
        TEST(structure_of_the_feature_is_not_doubled),
        TEST(version_1_1_gets_the_extension),
        TEST(extension_of_old_keeps_the_new_one_out),
        TEST(device_without_addresses_goes_down_as_it_came),
        TEST(stages_that_cannot_write_are_left_alone),
        TEST(robustness_is_forced_where_the_user_asks_for_it),
        cmocka_unit_test(structures_in_front_are_copied),
        cmocka_unit_test(no_ranges_become_one),
        cmocka_unit_test(ranges_are_made_longer),
        cmocka_unit_test(ranges_that_leave_no_room_stay),
        cmocka_unit_test(specialization_gets_the_address_behind_the_programs_own),
        cmocka_unit_test(names_are_selected_by_expressions),
        cmocka_unit_test(programs_select_by_a_structure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
