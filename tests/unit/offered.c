/* Checks which of the extensions that a program enables go down. Those that the layer offers do
 * only where something below has them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "chassis/offered.h"

static const char *const names[] = {"VK_KHR_swapchain", "VK_EXT_validation_cache",
                                    "VK_XYZ_unheard_of", "VK_EXT_tooling_info",
                                    "VK_EXT_debug_marker"};

static void kept_where_nobody_has_them(void **state)
{
    const char *kept[5];
    assert_int_equal(offered_keep(names, 5, NULL, 0, kept), 2);
    assert_string_equal(kept[0], "VK_KHR_swapchain");
    assert_string_equal(kept[1], "VK_XYZ_unheard_of");
}

static void kept_where_somebody_has_one(void **state)
{
    static const VkExtensionProperties below[] = {{"VK_KHR_swapchain", 1},
                                                  {"VK_EXT_tooling_info", 1}};
    const char *kept[5];
    assert_int_equal(offered_keep(names, 5, below, 2, kept), 3);
    assert_string_equal(kept[1], "VK_XYZ_unheard_of");
    assert_string_equal(kept[2], "VK_EXT_tooling_info");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_where_nobody_has_them),
        cmocka_unit_test(kept_where_somebody_has_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
