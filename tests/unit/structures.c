/* Checks that structures read well, and that pointers are followed only where they may be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "report/names/device_limits.h"
#include "report/names/structures.h"

static struct string_builder text;
static char text_buffer[256];

static int begin_text(void **state)
{
    string_builder_begin(&text, text_buffer, sizeof(text_buffer));
    return 0;
}

static int end_text(void **state)
{
    string_builder_end(&text);
    return 0;
}

static void print_members(void **state)
{
    uint32_t families[] = {3, 5};
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = 65536,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                              VK_BUFFER_USAGE_VERTEX_BUFFER_BIT,
                                     .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
                                     .pQueueFamilyIndices = families};
    structure_write(&text, STRUCTURE_VkBufferCreateInfo, &info);
    char expected[512];
    (void)snprintf(expected, sizeof(expected),
                   "flags = 0\n"
                   "size = 65536\n"
                   "usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT\n"
                   "sharingMode = VK_SHARING_MODE_EXCLUSIVE\n"
                   "queueFamilyIndexCount = 0\n"
                   /* ignored unless sharing is concurrent: never followed */
                   "pQueueFamilyIndices = %p",
                   (void *)families);
    assert_string_equal(text.text, expected);
}

static void wrong_structure_type_is_shown(void **state)
{
    const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO};
    structure_write(&text, STRUCTURE_VkEventCreateInfo, &info);
    assert_string_equal(text.text, "sType = VK_STRUCTURE_TYPE_APPLICATION_INFO\nflags = 0");
}

static void strings_arrays_and_chains(void **state)
{
    const char *names[] = {"VK_KHR_swapchain", "bad \033[31m name"};
    const float priorities[] = {0.5f, 1.0f};
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = 2,
                                           .queueCount = 2,
                                           .pQueuePriorities = priorities};
    VkPhysicalDeviceMultiviewFeatures multiview = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES, .multiview = VK_TRUE};
    VkPhysicalDeviceTimelineSemaphoreFeatures timeline = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
        .pNext = &multiview,
        .timelineSemaphore = 7};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &timeline,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = 2,
                                     .ppEnabledExtensionNames = names};
    structure_write(&text, STRUCTURE_VkDeviceCreateInfo, &info);
    assert_string_equal(text.text,
                        "pNext = VkPhysicalDeviceTimelineSemaphoreFeatures\n"
                        "  timelineSemaphore = 7\n"
                        "pNext = VkPhysicalDeviceMultiviewFeatures\n"
                        "  multiview = VK_TRUE\n"
                        "  multiviewGeometryShader = VK_FALSE\n"
                        "  multiviewTessellationShader = VK_FALSE\n"
                        "flags = 0\n"
                        "queueCreateInfoCount = 1\n"
                        "pQueueCreateInfos = VkDeviceQueueCreateInfo[1]\n"
                        "  [0]\n"
                        "    flags = 0\n"
                        "    queueFamilyIndex = 2\n"
                        "    queueCount = 2\n"
                        "    pQueuePriorities = {0.5, 1}\n"
                        "enabledLayerCount = 0\n"
                        "ppEnabledLayerNames = NULL\n"
                        "enabledExtensionCount = 2\n"
                        "ppEnabledExtensionNames = {\"VK_KHR_swapchain\", \"bad ?[31m name\"}\n"
                        "pEnabledFeatures = NULL");
}

static void pointers_to_nowhere_are_numbers(void **state)
{
    const VkApplicationInfo info = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                    .pNext = (void *)0x10,
                                    .pApplicationName = (const char *)0xdead0000beef,
                                    .pEngineName = NULL};
    structure_write(&text, STRUCTURE_VkApplicationInfo, &info);
    assert_string_equal(text.text, "pNext = 0x10\n"
                                   "pApplicationName = 0xdead0000beef\n"
                                   "applicationVersion = 0\n"
                                   "pEngineName = NULL\n"
                                   "engineVersion = 0\n"
                                   "apiVersion = 0");
    string_builder_end(&text);
    string_builder_begin(&text, text_buffer, sizeof(text_buffer));
    const uint64_t parameters[] = {0x1000, 0x2000, 0x3000, 0x4000};
    parameters_write(&text, COMMAND_CreateBuffer, parameters);
    assert_string_equal(text.text, "device = 0x1000\npCreateInfo = 0x2000\npAllocator = "
                                   "0x3000\npBuffer = 0x4000");
}

static void chains_in_a_circle_end(void **state)
{
    VkPhysicalDeviceMultiviewFeatures multiview = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES};
    multiview.pNext = &multiview;
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &multiview};
    structure_write(&text, STRUCTURE_VkDeviceCreateInfo, &info);
    unsigned times = 0;
    for (const char *at = text.text; (at = strstr(at, "VkPhysicalDeviceMultiviewFeatures")) != NULL;
         at++)
        times++;
    assert_uint_in_range(times, 1, 8);
}

static void parameters_of_a_command(void **state)
{
    float constants[] = {0, 0.25f, 0.5f, 1};
    uint64_t parameters[] = {0x1234, (uintptr_t)constants};
    parameters_write(&text, COMMAND_CmdSetBlendConstants, parameters);
    assert_string_equal(text.text, "commandBuffer = 0x1234\nblendConstants = {0, 0.25, 0.5, 1}");
    string_builder_end(&text);
    string_builder_begin(&text, text_buffer, sizeof(text_buffer));
    parameters[0] = 0;
    parameters[1] = VK_PIPELINE_BIND_POINT_COMPUTE;
    parameters_write(&text, COMMAND_CmdBindPipeline,
                     (const uint64_t[]){0x1234, VK_PIPELINE_BIND_POINT_COMPUTE, 0});
    assert_string_equal(text.text, "commandBuffer = 0x1234\npipelineBindPoint = "
                                   "VK_PIPELINE_BIND_POINT_COMPUTE\npipeline = VK_NULL_HANDLE");
}

static void long_trees_are_cut(void **state)
{
    VkClearAttachment clears[4] = {{.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT}};
    VkPhysicalDeviceProperties2 properties = {.sType =
                                                  VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    VkBaseOutStructure *head = (VkBaseOutStructure *)(void *)&properties;
    head->pNext = head; /* eight times 120 members */
    structure_write(&text, STRUCTURE_VkPhysicalDeviceProperties2, &properties);
    assert_uint_in_range(text.length, 4000, 8400);
    string_builder_end(&text);
    string_builder_begin(&text, text_buffer, sizeof(text_buffer));
    const VkClearRect rects[5] = {0};
    const uint64_t parameters[] = {1, 4, (uintptr_t)clears, 5, (uintptr_t)rects};
    parameters_write(&text, COMMAND_CmdClearAttachments, parameters);
    assert_non_null(strstr(text.text, "pAttachments = VkClearAttachment[4]\n  [0]\n    aspectMask "
                                      "= VK_IMAGE_ASPECT_COLOR_BIT\n"));
    assert_non_null(strstr(text.text, "rectCount = 5\npRects = 0x")); /* more than are shown */
}

/* Whatever bytes a structure holds, it can be written: random ones of every structure. */
static void any_bytes(void **state)
{
    static union {
        uint64_t words[2048 / 8];
        char bytes[2048];
    } memory;
    uint64_t random = 88172645463325252u;
    for (int structure = 0; structure < STRUCTURE_COUNT; structure++) {
        for (size_t i = 0; i < ARRAY_LENGTH(memory.words); i++) {
            random ^= random << 13, random ^= random >> 7, random ^= random << 17;
            memory.words[i] = i % 3 == 0 ? random : i % 3 == 1 ? random % 5 : 0;
        }
        assert_true(structure_info[structure].size <= sizeof(memory));
        structure_write(&text, (enum structure)structure, memory.bytes);
        if (structure_info[structure].count)
            assert_true(text.length > 0);
        string_builder_end(&text);
        string_builder_begin(&text, text_buffer, sizeof(text_buffer));
    }
}

static void limits_by_name(void **state)
{
    const struct limit push = limit_find("maxPushConstantsSize");
    assert_int_equal(push.structure, STRUCTURE_VkPhysicalDeviceLimits);
    assert_int_equal(limit_type(push), LIMIT_MAX);
    assert_string_equal(limit_type_name(limit_type(push)), "max");
    const VkPhysicalDeviceLimits limits = {.maxPushConstantsSize = 128, .pointSizeRange = {1, 64}};
    limit_write_value(&text, push, &limits);
    string_builder_add(&text, " ");
    limit_write_value(&text, limit_find("VkPhysicalDeviceLimits::pointSizeRange"), &limits);
    assert_string_equal(text.text, "128 {1, 64}");
    assert_int_equal(limit_type(limit_find("pointSizeRange")), LIMIT_RANGE);
    assert_int_equal(limit_type(limit_find("minStorageBufferOffsetAlignment")), LIMIT_MIN);
    assert_int_equal(limit_type(limit_find("framebufferColorSampleCounts")), LIMIT_BITMASK);
    /* of the extension, of core where both have it */
    assert_int_equal(limit_find("maxMeshWorkGroupCount").structure,
                     STRUCTURE_VkPhysicalDeviceMeshShaderPropertiesEXT);
    assert_int_equal(limit_type(limit_find("maxTimelineSemaphoreValueDifference")), LIMIT_MAX);
    assert_null(limit_find("maxNonsense").member);
    assert_null(limit_find("VkPhysicalDeviceFeatures::geometryShader").member);
}

static void VKAPI_CALL fake_properties(VkPhysicalDevice physical_device,
                                       VkPhysicalDeviceProperties2 *properties)
{
    VkPhysicalDeviceTimelineSemaphoreProperties *timeline = properties->pNext;
    assert_int_equal(timeline->sType,
                     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_PROPERTIES);
    timeline->maxTimelineSemaphoreValueDifference = 1000;
}

static void limits_of_a_device(void **state)
{
    static struct instance instance;
    static struct device device = {.instance = &instance};
    device.properties.limits.maxPushConstantsSize = 256;
    limit_write(&text, &device, "maxPushConstantsSize");
    string_builder_add(&text, "; ");
    limit_write(&text, &device,
                "VkPhysicalDeviceTimelineSemaphoreProperties::maxTimelineSemaphoreValueDifference");
    string_builder_add(&text, "; ");
    instance.dispatch.GetPhysicalDeviceProperties2 = fake_properties;
    limit_write(&text, &device,
                "VkPhysicalDeviceTimelineSemaphoreProperties::maxTimelineSemaphoreValueDifference");
    string_builder_add(&text, "; ");
    limit_write(&text, &device, "maxNonsense");
    assert_string_equal(text.text,
                        "maxPushConstantsSize (256); maxTimelineSemaphoreValueDifference; "
                        "maxTimelineSemaphoreValueDifference (1000); maxNonsense");
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin_text, end_text)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(print_members),
        TEST(wrong_structure_type_is_shown),
        TEST(strings_arrays_and_chains),
        TEST(pointers_to_nowhere_are_numbers),
        TEST(chains_in_a_circle_end),
        TEST(parameters_of_a_command),
        TEST(long_trees_are_cut),
        TEST(any_bytes),
        TEST(limits_by_name),
        TEST(limits_of_a_device),
    };
    return cmocka_run_group_tests_name("structures", tests, NULL, NULL);
}
