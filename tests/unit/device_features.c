/* Checks which features the program enables, however it spells them. */
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "base/base.h"
#include "report/names/feature_names.h"
#include "vk/device_features.h"

static struct feature_set read_features(const VkDeviceCreateInfo *info)
{
    struct feature_set set = {0};
    feature_set_read(&set, info);
    return set;
}

static unsigned count_features(const struct feature_set *set)
{
    unsigned bits = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(set->bits); i++)
        bits += (unsigned)__builtin_popcountll(set->bits[i]);
    return bits;
}

static void no_features(void **state)
{
    const struct feature_set set = read_features(&(VkDeviceCreateInfo){0});
    assert_int_equal(count_features(&set), 0);
}

static void of_version_1_0(void **state)
{
    const VkPhysicalDeviceFeatures features = {.geometryShader = VK_TRUE,
                                               .inheritedQueries = VK_TRUE};
    struct feature_set set = read_features(&(VkDeviceCreateInfo){.pEnabledFeatures = &features});
    assert_true(feature_set_has(&set, FEATURE_geometryShader));
    assert_true(feature_set_has(&set, FEATURE_Features_inheritedQueries));
    assert_int_equal(count_features(&set), 2);
    const VkPhysicalDeviceFeatures2 features2 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .features = features};
    struct feature_set again = read_features(&(VkDeviceCreateInfo){.pNext = &features2});
    assert_memory_equal(&set, &again, sizeof(set));
}

static void two_places_of_one_feature(void **state)
{
    const VkPhysicalDeviceVulkan12Features vulkan12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .bufferDeviceAddress = VK_TRUE};
    const VkPhysicalDeviceBufferDeviceAddressFeatures alone = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
        .bufferDeviceAddress = VK_TRUE};
    struct feature_set one = read_features(&(VkDeviceCreateInfo){.pNext = &vulkan12});
    struct feature_set other = read_features(&(VkDeviceCreateInfo){.pNext = &alone});
    assert_memory_equal(&one, &other, sizeof(one));
    assert_int_equal(count_features(&one), 1);
    assert_true(feature_set_has(&one, FEATURE_bufferDeviceAddress));
    assert_int_equal(FEATURE_bufferDeviceAddress, FEATURE_Vulkan12Features_bufferDeviceAddress);
    assert_string_equal(feature_name(FEATURE_bufferDeviceAddress), "bufferDeviceAddress");
    assert_string_equal(feature_structure(FEATURE_bufferDeviceAddress),
                        "VkPhysicalDeviceVulkan12Features");
}

/* VK_EXT_buffer_device_address is another extension than the one that was promoted. */
static void one_member_name_of_two_features(void **state)
{
    const VkPhysicalDeviceBufferDeviceAddressFeaturesEXT old = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES_EXT,
        .bufferDeviceAddress = VK_TRUE};
    struct feature_set set = read_features(&(VkDeviceCreateInfo){.pNext = &old});
    assert_false(feature_set_has(&set, FEATURE_bufferDeviceAddress));
    assert_true(feature_set_has(&set, FEATURE_BufferDeviceAddressFeaturesEXT_bufferDeviceAddress));
    assert_string_equal(
        feature_structure(FEATURE_BufferDeviceAddressFeaturesEXT_bufferDeviceAddress),
        "VkPhysicalDeviceBufferDeviceAddressFeaturesEXT");
    assert_int_not_equal(FEATURE_MeshShaderFeaturesNV_meshShader,
                         FEATURE_MeshShaderFeaturesEXT_meshShader);
}

static void enabled_by_an_extension(void **state)
{
    const char *names[] = {VK_KHR_DRAW_INDIRECT_COUNT_EXTENSION_NAME, NULL, "VK_NONE_such"};
    struct feature_set set = read_features(&(VkDeviceCreateInfo){.enabledExtensionCount = 3,
                                                                 .ppEnabledExtensionNames = names});
    assert_true(feature_set_has(&set, FEATURE_drawIndirectCount));
    assert_int_equal(count_features(&set), 1);
}

static void a_chain_in_a_circle_ends(void **state)
{
    VkPhysicalDeviceMultiviewFeatures multiview = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES, .multiview = VK_TRUE};
    multiview.pNext = &multiview;
    struct feature_set set = read_features(&(VkDeviceCreateInfo){.pNext = &multiview});
    assert_true(feature_set_has(&set, FEATURE_multiview));
    assert_int_equal(count_features(&set), 1);
}

/* Each feature by itself: its bit, and that bit only; the tables of names agree with those of
 * places. */
static void every_feature_of_version_1_0(void **state)
{
    for (size_t i = 0; i < sizeof(VkPhysicalDeviceFeatures) / sizeof(VkBool32); i++) {
        VkPhysicalDeviceFeatures features = {0};
        ((VkBool32 *)&features)[i] = VK_TRUE;
        struct feature_set set =
            read_features(&(VkDeviceCreateInfo){.pEnabledFeatures = &features});
        assert_true(feature_set_has(&set, (enum feature)(FEATURE_robustBufferAccess + i)));
        assert_int_equal(count_features(&set), 1);
        assert_string_equal(feature_structure((enum feature)(FEATURE_robustBufferAccess + i)),
                            "VkPhysicalDeviceFeatures");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_features),
        cmocka_unit_test(of_version_1_0),
        cmocka_unit_test(two_places_of_one_feature),
        cmocka_unit_test(one_member_name_of_two_features),
        cmocka_unit_test(enabled_by_an_extension),
        cmocka_unit_test(a_chain_in_a_circle_ends),
        cmocka_unit_test(every_feature_of_version_1_0),
    };
    return cmocka_run_group_tests_name("device_features", tests, NULL, NULL);
}
