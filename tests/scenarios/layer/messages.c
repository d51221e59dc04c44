/* A program gets these of a finding: the callback's data, names, labels, severities, limits,
 * filters, skipping, the older debug_report. */
#include "scenario.h"

#include <stdlib.h>
#include <string.h>

#define MISTAKE "VUID-VkBufferCreateInfo-flags-parameter"

static void make_buffer_mistake(struct baseline *b)
{
    VkBufferCreateInfo info = buffer_info(64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    info.flags = 0x40000000;
    create_buffer(b, &info);
}

static bool names_object(const struct seen *seen, VkObjectType type, const char *name)
{
    for (uint32_t i = 0; i < seen->object_count; i++) {
        const VkDebugUtilsObjectNameInfoEXT *object = &seen->objects[i];
        if (object->objectType == type &&
            (!name || (object->pObjectName && strcmp(object->pObjectName, name) == 0)))
            return true;
    }
    return false;
}

/* The callback's data. */

SCENARIO(callback_data_is_whole, .expect = {MISTAKE})
{
    make_buffer_mistake(b);
    const struct seen *seen = seen_find(b, MISTAKE);
    ENSURE(seen);
    EXPECT(seen->number != 0);
    EXPECT_EQUAL(seen->severity, VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT);
    EXPECT(names_object(seen, VK_OBJECT_TYPE_DEVICE, NULL));
    EXPECT(seen->object_count > 0 && seen->objects[0].objectHandle == HANDLE(b->device));
}

/* Users filter by the number: it belongs to the id, whatever the program. */
SCENARIO(number_is_stable, .expect = {MISTAKE, "VUID-VkFenceCreateInfo-sType-sType"})
{
    VkFenceCreateInfo fence = fence_info();
    fence.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO;
    make_buffer_mistake(b);
    create_fence(b, &fence);
    make_buffer_mistake(b);
    EXPECT_EQUAL(seen_find(b, MISTAKE)->number, -1733013297);
    EXPECT(seen_find(b, MISTAKE)->number !=
           seen_find(b, "VUID-VkFenceCreateInfo-sType-sType")->number);
}

SCENARIO(object_names_come_along, .expect = {"VUID-vkBindBufferMemory-memory-parent"},
         .text = {"vertices of the teapot"})
{
    VkDevice second = make_second_device(b);
    VkMemoryAllocateInfo info = memory_info(65536, 0);
    VkDeviceMemory memory = VK_NULL_HANDLE;
    VK(vkAllocateMemory(second, &info, NULL, &memory));
    VkDebugUtilsObjectNameInfoEXT name =
        name_info(VK_OBJECT_TYPE_DEVICE_MEMORY, HANDLE(memory), "vertices of the teapot");
    VK(INSTANCE_PROC(b, vkSetDebugUtilsObjectNameEXT)(second, &name));
    vkBindBufferMemory(b->device, make_unbound_buffer(b), memory, 0);
    const struct seen *seen = seen_find(b, NULL);
    EXPECT(seen && names_object(seen, VK_OBJECT_TYPE_DEVICE_MEMORY, "vertices of the teapot"));
    vkFreeMemory(second, memory, NULL);
}

SCENARIO(device_name_comes_along, .expect = {MISTAKE})
{
    set_name(b, VK_OBJECT_TYPE_DEVICE, HANDLE(b->device), "the big one");
    make_buffer_mistake(b);
    EXPECT(names_object(seen_find(b, NULL), VK_OBJECT_TYPE_DEVICE, "the big one"));
}

SCENARIO(name_changes, .expect = {"VUID-vkCmdSetLineWidth-commandBuffer-recording"})
{
    VkCommandBuffer command_buffer = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    set_name(b, VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE(command_buffer), "first");
    set_name(b, VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE(command_buffer), "second");
    vkCmdSetLineWidth(command_buffer, 1.0f);
    EXPECT(names_object(seen_find(b, NULL), VK_OBJECT_TYPE_COMMAND_BUFFER, "second"));
}

/* Inside of a character, which goes as a whole. */
SCENARIO(name_is_cut, .expect = {MISTAKE}, .text = {"ööö... (cut, it has 200001 bytes)"})
{
    enum { BYTES = 200001 };
    char *name = malloc(BYTES + 1);
    EXPECT(name);
    name[0] = 'x';
    for (uint32_t i = 1; i < BYTES; i += 2)
        memcpy(&name[i], "ö", 2);
    name[BYTES] = '\0';
    set_name(b, VK_OBJECT_TYPE_DEVICE, HANDLE(b->device), name);
    make_buffer_mistake(b);
    free(name);
}

SCENARIO(name_removed, .expect = {"VUID-vkCmdSetLineWidth-commandBuffer-recording"})
{
    VkCommandBuffer command_buffer = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    set_name(b, VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE(command_buffer), "gone again");
    set_name(b, VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE(command_buffer), NULL);
    vkCmdSetLineWidth(command_buffer, 1.0f);
    EXPECT(!names_object(seen_find(b, NULL), VK_OBJECT_TYPE_COMMAND_BUFFER, "gone again"));
    expect_no_text(b, "gone again");
}

/* A new object in the slot of an old one does not inherit its name. */
SCENARIO(name_dies_with_object, .expect = {"VUID-vkBindBufferMemory-memory-parameter"})
{
    for (int i = 0; i < 100; i++) {
        VkBuffer buffer = make_unbound_buffer(b);
        set_name(b, VK_OBJECT_TYPE_BUFFER, HANDLE(buffer), "of the dead");
        FORGET(b, buffer);
        vkDestroyBuffer(b->device, buffer, NULL);
    }
    vkBindBufferMemory(b->device, make_unbound_buffer(b), GARBAGE(VkDeviceMemory), 0);
    expect_no_text(b, "of the dead");
}

SCENARIO(name_of_garbage, .expect = {"VUID-VkDebugUtilsObjectNameInfoEXT-objectType-02590"},
         .text = {"pNameInfo->objectHandle"})
{
    VkDebugUtilsObjectNameInfoEXT info = name_info(VK_OBJECT_TYPE_BUFFER, 0x6172626167, "nobody");
    INSTANCE_PROC(b, vkSetDebugUtilsObjectNameEXT)(b->device, &info);
}

SCENARIO(name_of_wrong_type, .expect = {"VUID-VkDebugUtilsObjectNameInfoEXT-objectType-02590"})
{
    VkDebugUtilsObjectNameInfoEXT info =
        name_info(VK_OBJECT_TYPE_BUFFER, HANDLE(make_sampler(b)), "a sampler");
    INSTANCE_PROC(b, vkSetDebugUtilsObjectNameEXT)(b->device, &info);
}

SCENARIO(tag_of_an_object)
{
    VkDebugUtilsObjectTagInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_TAG_INFO_EXT,
                                         .objectType = VK_OBJECT_TYPE_SAMPLER,
                                         .objectHandle = HANDLE(make_sampler(b)),
                                         .tagName = 1,
                                         .tagSize = 4,
                                         .pTag = "tag"};
    VK(INSTANCE_PROC(b, vkSetDebugUtilsObjectTagEXT)(b->device, &info));
}

/* Labels. */

static VkDebugUtilsLabelEXT label_of(const char *name)
{
    return (VkDebugUtilsLabelEXT){.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                  .pLabelName = name};
}

static void begin_shown_label(struct baseline *b, VkCommandBuffer command_buffer, const char *name)
{
    VkDebugUtilsLabelEXT info = label_of(name);
    INSTANCE_PROC(b, vkCmdBeginDebugUtilsLabelEXT)(command_buffer, &info);
}

static void insert_label(struct baseline *b, VkCommandBuffer command_buffer, const char *name)
{
    VkDebugUtilsLabelEXT info = label_of(name);
    INSTANCE_PROC(b, vkCmdInsertDebugUtilsLabelEXT)(command_buffer, &info);
}

#define VIEWPORTS_ZERO "VUID-vkCmdSetViewport-viewportCount-arraylength"

static const struct seen *mistake_in(struct baseline *b, VkCommandBuffer command_buffer)
{
    VkViewport viewport = {.width = 1, .height = 1};
    vkCmdSetViewport(command_buffer, 0, 0, &viewport);
    const struct seen *seen = seen_find(b, VIEWPORTS_ZERO);
    ENSURE(seen);
    return seen;
}

SCENARIO(one_label, .expect = {VIEWPORTS_ZERO})
{
    VkCommandBuffer command_buffer = make_recording(b);
    begin_shown_label(b, command_buffer, "shadows");
    const struct seen *seen = mistake_in(b, command_buffer);
    EXPECT_EQUAL(seen->command_label_count, 1);
    EXPECT(seen->command_label_count == 1 && strcmp(seen->command_labels[0], "shadows") == 0);
}

/* "the first label in either pQueueLabels or pCmdBufLabels will be the first defined (and therefore
 * the oldest)" */
SCENARIO(nested_labels, .expect = {VIEWPORTS_ZERO})
{
    VkCommandBuffer command_buffer = make_recording(b);
    begin_shown_label(b, command_buffer, "frame");
    begin_shown_label(b, command_buffer, "shadows");
    begin_shown_label(b, command_buffer, "cascade 2");
    const struct seen *seen = mistake_in(b, command_buffer);
    EXPECT_EQUAL(seen->command_label_count, 3);
    if (seen->command_label_count == 3) {
        EXPECT(strcmp(seen->command_labels[0], "frame") == 0);
        EXPECT(strcmp(seen->command_labels[2], "cascade 2") == 0);
    }
}

SCENARIO(ended_label, .expect = {VIEWPORTS_ZERO})
{
    VkCommandBuffer command_buffer = make_recording(b);
    begin_shown_label(b, command_buffer, "frame");
    begin_shown_label(b, command_buffer, "shadows");
    end_label(b, command_buffer);
    const struct seen *seen = mistake_in(b, command_buffer);
    EXPECT_EQUAL(seen->command_label_count, 1);
    EXPECT(seen->command_label_count == 1 && strcmp(seen->command_labels[0], "frame") == 0);
}

SCENARIO(inserted_label, .expect = {VIEWPORTS_ZERO})
{
    VkCommandBuffer command_buffer = make_recording(b);
    insert_label(b, command_buffer, "just here");
    const struct seen *seen = mistake_in(b, command_buffer);
    EXPECT_EQUAL(seen->command_label_count, 1);
    EXPECT(seen->command_label_count == 1 && strcmp(seen->command_labels[0], "just here") == 0);
}

/* An inserted label lasts until the next one of any kind. */
SCENARIO(inserted_label_replaced, .expect = {VIEWPORTS_ZERO})
{
    VkCommandBuffer command_buffer = make_recording(b);
    insert_label(b, command_buffer, "before");
    insert_label(b, command_buffer, "after");
    const struct seen *seen = mistake_in(b, command_buffer);
    EXPECT_EQUAL(seen->command_label_count, 1);
    EXPECT(seen->command_label_count == 1 && strcmp(seen->command_labels[0], "after") == 0);
}

SCENARIO(labels_of_another_command_buffer, .expect = {VIEWPORTS_ZERO})
{
    begin_shown_label(b, make_recording(b), "elsewhere");
    EXPECT_EQUAL(mistake_in(b, make_recording(b))->command_label_count, 0);
}

SCENARIO(labels_die_with_reset, .expect = {VIEWPORTS_ZERO})
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkCommandBufferBeginInfo begin = begin_info();
    begin_shown_label(b, command_buffer, "of the last frame");
    VK(vkEndCommandBuffer(command_buffer));
    VK(vkBeginCommandBuffer(command_buffer, &begin));
    EXPECT_EQUAL(mistake_in(b, command_buffer)->command_label_count, 0);
}

SCENARIO(queue_label, .expect = {"VUID-VkSubmitInfo-sType-sType"})
{
    VkDebugUtilsLabelEXT info = label_of("upload");
    VkSubmitInfo submit = submit_info(NULL);
    submit.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    INSTANCE_PROC(b, vkQueueBeginDebugUtilsLabelEXT)(b->queue, &info);
    vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE);
    INSTANCE_PROC(b, vkQueueEndDebugUtilsLabelEXT)(b->queue);
    const struct seen *seen = seen_find(b, NULL);
    ENSURE(seen);
    EXPECT_EQUAL(seen->queue_label_count, 1);
    EXPECT(seen->queue_label_count == 1 && strcmp(seen->queue_labels[0], "upload") == 0);
}

SCENARIO(label_name_null, .expect = {"VUID-VkDebugUtilsLabelEXT-pLabelName-parameter"},
         .text = {"pLabelInfo->pLabelName is NULL"})
{
    begin_shown_label(b, make_recording(b), NULL);
}

/* Skipping. */

SCENARIO(callback_skips_the_call, .expect = {"VUID-VkFenceCreateInfo-flags-parameter"})
{
    VkFenceCreateInfo info = fence_info();
    VkFence fence = VK_NULL_HANDLE;
    info.flags = 0x100;
    EXPECT_EQUAL(vkCreateFence(b->device, &info, NULL, &fence), VK_ERROR_VALIDATION_FAILED_EXT);
    EXPECT(fence == VK_NULL_HANDLE);
}

SCENARIO(callback_lets_the_call_through, .expect = {"VUID-VkFenceCreateInfo-flags-parameter"},
         .proceed = true)
{
    VkFenceCreateInfo info = fence_info();
    VkFence fence = VK_NULL_HANDLE;
    info.flags = 0x100;
    EXPECT_EQUAL(vkCreateFence(b->device, &info, NULL, &fence), VK_SUCCESS);
    vkDestroyFence(b->device, fence, NULL);
}

/* A mistaken call that goes on is tracked like any other: its object lives. */
SCENARIO(object_of_mistaken_call_lives, .expect = {"VUID-VkFenceCreateInfo-flags-parameter"},
         .proceed = true)
{
    VkFenceCreateInfo info = fence_info();
    info.flags = 0x100;
    VkFence fence = create_fence(b, &info);
    EXPECT(vkGetFenceStatus(b->device, fence) >= 0);
}

/* Messengers. */

struct counter {
    unsigned count;
    VkBool32 answer;
    VkDebugUtilsMessageSeverityFlagsEXT severities;
};

static VkBool32 VKAPI_PTR count_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                        VkDebugUtilsMessageTypeFlagsEXT types,
                                        const VkDebugUtilsMessengerCallbackDataEXT *data,
                                        void *user)
{
    struct counter *counter = user;
    if (data->pMessageIdName && strcmp(data->pMessageIdName, "Loader Message") == 0)
        return VK_FALSE;
    counter->count++;
    counter->severities |= severity;
    return counter->answer;
}

static VkDebugUtilsMessengerEXT add_messenger(struct baseline *b, struct counter *counter,
                                              VkDebugUtilsMessageTypeFlagsEXT types,
                                              VkDebugUtilsMessageSeverityFlagsEXT severities)
{
    VkDebugUtilsMessengerCreateInfoEXT info = messenger_info(b);
    VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
    info.pfnUserCallback = count_message;
    info.pUserData = counter;
    info.messageType = types;
    info.messageSeverity = severities;
    VK(INSTANCE_PROC(b, vkCreateDebugUtilsMessengerEXT)(b->instance, &info, NULL, &messenger));
    return messenger;
}

static void remove_messenger(struct baseline *b, VkDebugUtilsMessengerEXT messenger)
{
    INSTANCE_PROC(b, vkDestroyDebugUtilsMessengerEXT)(b->instance, messenger, NULL);
}

#define ERRORS     VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT
#define VALIDATION VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT

SCENARIO(every_messenger_is_called, .expect = {MISTAKE})
{
    struct counter first = {0}, second = {0};
    VkDebugUtilsMessengerEXT one = add_messenger(b, &first, VALIDATION, ERRORS);
    VkDebugUtilsMessengerEXT two = add_messenger(b, &second, VALIDATION, ERRORS);
    make_buffer_mistake(b);
    EXPECT_EQUAL(first.count, 1);
    EXPECT_EQUAL(second.count, 1);
    remove_messenger(b, one);
    make_buffer_mistake(b);
    EXPECT_EQUAL(first.count, 1);
    EXPECT_EQUAL(second.count, 2);
    remove_messenger(b, two);
}

SCENARIO(messenger_for_other_severities, .expect = {MISTAKE})
{
    struct counter counter = {0};
    VkDebugUtilsMessengerEXT messenger =
        add_messenger(b, &counter, VALIDATION, VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT);
    make_buffer_mistake(b);
    EXPECT_EQUAL(counter.count, 0);
    remove_messenger(b, messenger);
}

SCENARIO(messenger_for_other_types, .expect = {MISTAKE})
{
    struct counter counter = {0};
    VkDebugUtilsMessengerEXT messenger =
        add_messenger(b, &counter, VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT, ERRORS);
    make_buffer_mistake(b);
    EXPECT_EQUAL(counter.count, 0);
    remove_messenger(b, messenger);
}

/* One messenger that says VK_TRUE is enough. */
SCENARIO(any_messenger_skips, .expect = {"VUID-VkFenceCreateInfo-flags-parameter"}, .proceed = true)
{
    struct counter counter = {.answer = VK_TRUE};
    VkDebugUtilsMessengerEXT messenger = add_messenger(b, &counter, VALIDATION, ERRORS);
    VkFenceCreateInfo info = fence_info();
    VkFence fence;
    info.flags = 0x100;
    EXPECT_EQUAL(vkCreateFence(b->device, &info, NULL, &fence), VK_ERROR_VALIDATION_FAILED_EXT);
    remove_messenger(b, messenger);
}

SCENARIO(messenger_destroyed_twice,
         .expect = {"VUID-vkDestroyDebugUtilsMessengerEXT-messenger-parameter"})
{
    struct counter counter = {0};
    VkDebugUtilsMessengerEXT messenger = add_messenger(b, &counter, VALIDATION, ERRORS);
    remove_messenger(b, messenger);
    remove_messenger(b, messenger);
}

SCENARIO(messenger_without_callback,
         .expect = {"VUID-VkDebugUtilsMessengerCreateInfoEXT-pfnUserCallback-parameter"},
         .drivers = NULL_DRIVER)
{
    VkDebugUtilsMessengerCreateInfoEXT info = messenger_info(b);
    VkDebugUtilsMessengerEXT messenger;
    info.pfnUserCallback = NULL;
    INSTANCE_PROC(b, vkCreateDebugUtilsMessengerEXT)(b->instance, &info, NULL, &messenger);
}

SCENARIO(messenger_without_severity,
         .expect = {"VUID-VkDebugUtilsMessengerCreateInfoEXT-messageSeverity-parameter"})
{
    VkDebugUtilsMessengerCreateInfoEXT info = messenger_info(b);
    VkDebugUtilsMessengerEXT messenger;
    info.messageSeverity = 0;
    INSTANCE_PROC(b, vkCreateDebugUtilsMessengerEXT)(b->instance, &info, NULL, &messenger);
}

/* The app sends messages of its own, which reach all messengers. */
SCENARIO(app_submits_a_message, .expect = {"app-message"})
{
    VkDebugUtilsMessengerCallbackDataEXT data = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT,
        .pMessageIdName = "app-message",
        .pMessage = "hello"};
    INSTANCE_PROC(b, vkSubmitDebugUtilsMessageEXT)(b->instance, ERRORS, VALIDATION, &data);
}

/* VK_EXT_debug_report, which older programs still use. */

struct report {
    unsigned count;
    VkDebugReportFlagsEXT flags;
    char prefix[32];
    char text[256];
};

static VkBool32 VKAPI_PTR on_report(VkDebugReportFlagsEXT flags, VkDebugReportObjectTypeEXT type,
                                    uint64_t object, size_t location, int32_t code,
                                    const char *prefix, const char *message, void *user)
{
    struct report *report = user;
    if (strcmp(prefix, "Loader Message") == 0 || strcmp(prefix, "loader") == 0)
        return VK_FALSE;
    report->count++;
    report->flags |= flags;
    snprintf(report->prefix, sizeof(report->prefix), "%s", prefix);
    snprintf(report->text, sizeof(report->text), "%s", message);
    return VK_FALSE;
}

static VkDebugReportCallbackCreateInfoEXT report_info(struct report *report)
{
    return (VkDebugReportCallbackCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_DEBUG_REPORT_CALLBACK_CREATE_INFO_EXT,
        .flags = VK_DEBUG_REPORT_ERROR_BIT_EXT | VK_DEBUG_REPORT_WARNING_BIT_EXT,
        .pfnCallback = on_report,
        .pUserData = report};
}

SCENARIO(debug_report_callback, .expect = {MISTAKE},
         .instance_extensions = {VK_EXT_DEBUG_REPORT_EXTENSION_NAME})
{
    struct report report = {0};
    VkDebugReportCallbackCreateInfoEXT info = report_info(&report);
    VkDebugReportCallbackEXT callback = VK_NULL_HANDLE;
    VK(INSTANCE_PROC(b, vkCreateDebugReportCallbackEXT)(b->instance, &info, NULL, &callback));
    make_buffer_mistake(b);
    EXPECT_EQUAL(report.count, 1);
    EXPECT_EQUAL(report.flags, VK_DEBUG_REPORT_ERROR_BIT_EXT);
    EXPECT(strstr(report.text, "flags") != NULL);
    INSTANCE_PROC(b, vkDestroyDebugReportCallbackEXT)(b->instance, callback, NULL);
    make_buffer_mistake(b);
    EXPECT_EQUAL(report.count, 1);
}

SCENARIO(debug_report_destroyed_twice,
         .expect = {"VUID-vkDestroyDebugReportCallbackEXT-callback-parameter"},
         .instance_extensions = {VK_EXT_DEBUG_REPORT_EXTENSION_NAME})
{
    struct report report = {0};
    VkDebugReportCallbackCreateInfoEXT info = report_info(&report);
    VkDebugReportCallbackEXT callback = VK_NULL_HANDLE;
    VK(INSTANCE_PROC(b, vkCreateDebugReportCallbackEXT)(b->instance, &info, NULL, &callback));
    INSTANCE_PROC(b, vkDestroyDebugReportCallbackEXT)(b->instance, callback, NULL);
    INSTANCE_PROC(b, vkDestroyDebugReportCallbackEXT)(b->instance, callback, NULL);
}

/* VK_EXT_debug_marker, which the layer offers where the driver lacks it: names and labels of
 * findings. */
SCENARIO(debug_marker_of_the_layer, .drivers = LAVAPIPE,
         .extensions = {VK_EXT_DEBUG_MARKER_EXTENSION_NAME},
         .expect = {"VUID-vkCmdFillBuffer-dstOffset-00024"},
         .text = {"named by a marker", "of a marker"})
{
    VkBuffer buffer = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkCommandBuffer command_buffer = make_recording(b);
    const VkDebugMarkerObjectNameInfoEXT name = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_MARKER_OBJECT_NAME_INFO_EXT,
        .objectType = VK_DEBUG_REPORT_OBJECT_TYPE_BUFFER_EXT,
        .object = HANDLE(buffer),
        .pObjectName = "named by a marker"};
    const uint64_t tag = 7;
    const VkDebugMarkerObjectTagInfoEXT tags = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_MARKER_OBJECT_TAG_INFO_EXT,
        .objectType = VK_DEBUG_REPORT_OBJECT_TYPE_BUFFER_EXT,
        .object = HANDLE(buffer),
        .tagSize = sizeof(tag),
        .pTag = &tag};
    const VkDebugMarkerMarkerInfoEXT marker = {.sType =
                                                   VK_STRUCTURE_TYPE_DEBUG_MARKER_MARKER_INFO_EXT,
                                               .pMarkerName = "region of a marker"};
    VK(DEVICE_PROC(b, vkDebugMarkerSetObjectNameEXT)(b->device, &name));
    VK(DEVICE_PROC(b, vkDebugMarkerSetObjectTagEXT)(b->device, &tags));
    DEVICE_PROC(b, vkCmdDebugMarkerBeginEXT)(command_buffer, &marker);
    DEVICE_PROC(b, vkCmdDebugMarkerInsertEXT)(command_buffer, &marker);
    vkCmdFillBuffer(command_buffer, buffer, 64, VK_WHOLE_SIZE, 0);
    DEVICE_PROC(b, vkCmdDebugMarkerEndEXT)(command_buffer);
}

/* Tools (VK_EXT_tooling_info, Vulkan 1.3). */

static void expect_tool(struct baseline *b, PFN_vkGetPhysicalDeviceToolProperties get)
{
    VkPhysicalDeviceToolProperties tools[8];
    uint32_t count = 0, found = 0, fewer = 0;
    VK(get(b->physical_device, &count, NULL));
    ENSURE(count >= 1 && count <= 8);
    for (uint32_t i = 0; i < 8; i++)
        tools[i] = (VkPhysicalDeviceToolProperties){
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TOOL_PROPERTIES};
    EXPECT_EQUAL(get(b->physical_device, &fewer, tools), VK_INCOMPLETE);
    EXPECT_EQUAL(fewer, 0);
    fewer = 8;
    VK(get(b->physical_device, &fewer, tools));
    EXPECT_EQUAL(fewer, count);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(tools[i].layer, b->layer) != 0)
            continue;
        found++;
        EXPECT(strcmp(tools[i].name, "Assay validation layer") == 0);
        EXPECT(strlen(tools[i].version) > 0 && strlen(tools[i].description) > 0);
        EXPECT_EQUAL(tools[i].purposes, VK_TOOL_PURPOSE_VALIDATION_BIT |
                                            VK_TOOL_PURPOSE_DEBUG_REPORTING_BIT_EXT |
                                            VK_TOOL_PURPOSE_DEBUG_MARKERS_BIT_EXT);
    }
    EXPECT_EQUAL(found, 1);
}

SCENARIO(layer_is_a_tool, .ours_only = true)
{
    expect_tool(b, INSTANCE_PROC(b, vkGetPhysicalDeviceToolProperties));
}

SCENARIO(layer_is_a_tool_of_the_extension, .ours_only = true, .api_version = VK_API_VERSION_1_1,
         .extensions = {VK_EXT_TOOLING_INFO_EXTENSION_NAME})
{
    VkExtensionProperties extensions[4];
    uint32_t count = 4;
    VK(vkEnumerateDeviceExtensionProperties(b->physical_device, b->layer, &count, extensions));
    EXPECT_EQUAL(count, 3);
    EXPECT(strcmp(extensions[1].extensionName, VK_EXT_TOOLING_INFO_EXTENSION_NAME) == 0);
    expect_tool(b, INSTANCE_PROC(b, vkGetPhysicalDeviceToolPropertiesEXT));
}

SCENARIO(tool_count_null, .expect = {"VUID-vkGetPhysicalDeviceToolProperties-pToolCount-parameter"},
         .text = {"pToolCount is NULL"})
{
    INSTANCE_PROC(b, vkGetPhysicalDeviceToolProperties)(b->physical_device, NULL, NULL);
}

static void ask_for_tools_without_type(struct baseline *b,
                                       PFN_vkGetPhysicalDeviceToolProperties get)
{
    VkPhysicalDeviceToolProperties tools[8] = {0};
    uint32_t count = 8;
    get(b->physical_device, &count, tools);
}

/* A program that makes room for the tools and forgets what they are, as vulkan-caps-viewer 4.11
 * does: without a layer there is no tool, and so no mistake. */
SCENARIO(tool_without_type, .expect = {"VUID-VkPhysicalDeviceToolProperties-sType-sType"},
         .text = {"pToolProperties[0].sType is 0"})
{
    ask_for_tools_without_type(b, INSTANCE_PROC(b, vkGetPhysicalDeviceToolProperties));
}

SCENARIO(tool_of_the_extension_without_type,
         .expect = {"VUID-VkPhysicalDeviceToolProperties-sType-sType"},
         .api_version = VK_API_VERSION_1_1, .extensions = {VK_EXT_TOOLING_INFO_EXTENSION_NAME},
         .text = {"pToolProperties[0].sType is 0"})
{
    ask_for_tools_without_type(b, INSTANCE_PROC(b, vkGetPhysicalDeviceToolPropertiesEXT));
}

SCENARIO(no_room_for_tools)
{
    VkPhysicalDeviceToolProperties none = {0};
    uint32_t count = 0;
    EXPECT_EQUAL(INSTANCE_PROC(b, vkGetPhysicalDeviceToolProperties)(b->physical_device, &count,
                                                                     &none),
                 VK_INCOMPLETE);
}

/* Parameters of the call. */

SCENARIO(parameters_are_shown, .expect = {"VUID-VkFenceCreateInfo-flags-parameter"},
         .ours_only = true, .settings = {"message_print_parameters=true"},
         .text = {"is VK_FENCE_CREATE_SIGNALED_BIT | 0x100, of which 0x100 is not a bit of "
                  "VkFenceCreateFlagBits",
                  "params  device = 0x", "pCreateInfo = VkFenceCreateInfo\n",
                  "    flags = VK_FENCE_CREATE_SIGNALED_BIT | 0x100\n", "pAllocator = NULL\n"})
{
    VkFenceCreateInfo info = fence_info();
    info.flags = VK_FENCE_CREATE_SIGNALED_BIT | 0x100;
    create_fence(b, &info);
}

SCENARIO(parameters_are_not_shown_unasked, .expect = {MISTAKE}, .ours_only = true)
{
    make_buffer_mistake(b);
    expect_no_text(b, "params");
}

/* Names outlive their objects, for findings about a use after the end. */

static VkEvent destroyed_event(struct baseline *b, const char *name)
{
    VkEvent event = make_event(b);
    if (name)
        set_name(b, VK_OBJECT_TYPE_EVENT, HANDLE(event), name);
    FORGET(b, event);
    vkDestroyEvent(b->device, event, NULL);
    return event;
}

SCENARIO(name_of_a_destroyed_object, .expect = {"VUID-vkGetEventStatus-event-parameter"},
         .ours_only = true, .settings = {"unique_handles=true"},
         .text = {"\"upload done\" that was already destroyed (by "})
{
    VkEvent event = destroyed_event(b, "upload done");
    for (int i = 0; i < 100; i++) /* its slot has other objects since, one of them with a name */
        destroyed_event(b, i == 50 ? "another" : NULL);
    vkGetEventStatus(b->device, event);
    EXPECT(names_object(seen_find(b, NULL), VK_OBJECT_TYPE_EVENT, "upload done"));
    expect_no_text(b, "another");
}

/* The driver gives a handle out again: which object is meant cannot be known, and the text does not
 * pretend it. */
SCENARIO(name_of_a_destroyed_driver_handle, .expect = {"VUID-vkGetEventStatus-event-parameter"},
         .ours_only = true, .settings = {"unique_handles=false"},
         .text = {"is not a live VkEvent",
                  "a VkEvent \"upload done\" of this handle was destroyed by "})
{
    vkGetEventStatus(b->device, destroyed_event(b, "upload done"));
}

SCENARIO(destroyer_of_an_object_without_name, .expect = {"VUID-vkGetEventStatus-event-parameter"},
         .ours_only = true, .settings = {"unique_handles=true"},
         .text = {"that was already destroyed (by "})
{
    vkGetEventStatus(b->device, destroyed_event(b, NULL));
}
