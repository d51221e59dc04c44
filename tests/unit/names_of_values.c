/* Checks that values have the specification's names. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "report/names/names_of_values.h"
#include "vk/vulkan.h"

static void assert_value(enum value_type type, uint64_t value, const char *expected)
{
    assert_string_equal(value_text(type, value).text, expected);
}

static void names_of_enums(void **state)
{
    assert_value(VALUES_VkFormat, VK_FORMAT_R8G8B8A8_UNORM, "VK_FORMAT_R8G8B8A8_UNORM");
    assert_value(VALUES_VkFormat, VK_FORMAT_UNDEFINED, "VK_FORMAT_UNDEFINED");
    assert_value(VALUES_VkStructureType, VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                 "VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO");
    assert_value(VALUES_VkFormat, 123456789, "123456789");
    assert_string_equal(value_type_name(VALUES_VkFormat), "VkFormat");
}

static void negative_values_through_any_conversion(void **state)
{
    assert_value(VALUES_VkResult, (uint64_t)VK_ERROR_DEVICE_LOST, "VK_ERROR_DEVICE_LOST");
    assert_value(VALUES_VkResult, (uint32_t)VK_ERROR_DEVICE_LOST, "VK_ERROR_DEVICE_LOST");
    assert_value(VALUES_VkResult, VK_SUCCESS, "VK_SUCCESS");
    assert_value(VALUES_VkResult, (uint64_t)-77777, "-77777");
}

static void names_of_flags(void **state)
{
    assert_value(VALUES_VkImageUsageFlagBits,
                 VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT,
                 "VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT");
    assert_value(VALUES_VkImageUsageFlags, VK_IMAGE_USAGE_SAMPLED_BIT,
                 "VK_IMAGE_USAGE_SAMPLED_BIT");
    assert_value(VALUES_VkImageUsageFlags, 0, "0");
    assert_value(VALUES_VkPipelineStageFlags2, VK_PIPELINE_STAGE_2_NONE,
                 "VK_PIPELINE_STAGE_2_NONE");
    assert_value(VALUES_VkPipelineStageFlags2,
                 VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_HOST_BIT,
                 "VK_PIPELINE_STAGE_2_HOST_BIT | VK_PIPELINE_STAGE_2_COPY_BIT");
}

static void bits_without_a_name(void **state)
{
    assert_value(VALUES_VkQueryPipelineStatisticFlags, 0x40000000, "0x40000000");
    assert_value(VALUES_VkCullModeFlags, VK_CULL_MODE_FRONT_BIT | 0x100,
                 "VK_CULL_MODE_FRONT_BIT | 0x100");
}

static void values_of_several_bits(void **state)
{
    assert_value(VALUES_VkShaderStageFlags, VK_SHADER_STAGE_ALL_GRAPHICS,
                 "VK_SHADER_STAGE_ALL_GRAPHICS");
    assert_value(VALUES_VkShaderStageFlags, VK_SHADER_STAGE_ALL, "VK_SHADER_STAGE_ALL");
    assert_value(VALUES_VkCullModeFlags, VK_CULL_MODE_FRONT_AND_BACK,
                 "VK_CULL_MODE_FRONT_AND_BACK");
    assert_value(VALUES_VkShaderStageFlags,
                 VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_COMPUTE_BIT,
                 "VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | "
                 "VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT | VK_SHADER_STAGE_GEOMETRY_BIT | "
                 "VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT");
}

/* Every name of every type reads back: begins with VK_, and no two values of a type have the same.
 */
static void every_value_has_its_name(void **state)
{
    for (int type = 0; type < VALUES_COUNT; type++) {
        const struct value_type_info *info = &value_type_info[type];
        struct value_text last = {""};
        for (uint32_t i = info->first; i < (uint32_t)info->first + info->count; i++) {
            struct value_text text = value_text((enum value_type)type, (uint64_t)value_numbers[i]);
            assert_memory_equal(text.text, "VK_", 3);
            assert_string_not_equal(text.text, last.text);
            assert_true(i == info->first || value_numbers[i - 1] < value_numbers[i]);
            assert_true(value_has_name((enum value_type)type, (uint64_t)value_numbers[i]));
            last = text;
        }
    }
}

static void long_texts_are_cut(void **state)
{
    struct value_text text = value_text(VALUES_VkAccessFlagBits2, UINT64_MAX);
    assert_uint_in_range(strlen(text.text), VALUE_TEXT_SIZE - 8, VALUE_TEXT_SIZE - 1);
    assert_string_equal(text.text + strlen(text.text) - 4, " ...");
}

/* The names are compressed until the first is asked for. Where there is no memory for them, numbers
 * stay numbers, and the next one is asked for again. First of all tests. */
static void without_memory(void **state)
{
#ifdef __SANITIZE_ADDRESS__
    skip();
#else
    struct rlimit before, none;
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    none = before;
    none.rlim_cur = 1;
    assert_int_equal(setrlimit(RLIMIT_AS, &none), 0);
    struct value_text format = value_text(VALUES_VkFormat, VK_FORMAT_R8G8B8A8_UNORM),
                      flags = value_text(VALUES_VkImageUsageFlags,
                                         VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT),
                      error = value_text(VALUES_VkResult, (uint64_t)(int64_t)VK_ERROR_DEVICE_LOST);
    const char *type = value_type_name(VALUES_VkFormat);
    bool known = value_has_name(VALUES_VkFormat, VK_FORMAT_R8G8B8A8_UNORM);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_string_equal(format.text, "37");
    assert_string_equal(flags.text, "0xc");
    assert_string_equal(error.text, "-4");
    assert_string_equal(type, "?");
    assert_true(known);
    assert_value(VALUES_VkFormat, VK_FORMAT_R8G8B8A8_UNORM, "VK_FORMAT_R8G8B8A8_UNORM");
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_memory),
        cmocka_unit_test(names_of_enums),
        cmocka_unit_test(negative_values_through_any_conversion),
        cmocka_unit_test(names_of_flags),
        cmocka_unit_test(bits_without_a_name),
        cmocka_unit_test(values_of_several_bits),
        cmocka_unit_test(every_value_has_its_name),
        cmocka_unit_test(long_texts_are_cut),
    };
    return cmocka_run_group_tests_name("names_of_values", tests, NULL, NULL);
}
