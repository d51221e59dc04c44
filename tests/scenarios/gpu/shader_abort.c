/* VK_KHR_shader_abort as the layer has it where the driver does not. Shaders give up, in each stage
 * and any control flow, with messages of any type. The device ends, and findings and
 * VK_KHR_device_fault report it. */
#include "gpu/abort_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shader_abort.h"

/* --- running a shader --- */

struct result {
    uint32_t began, ended, done, gave_up;
};

static struct gpu abort_world_of(struct baseline *b, enum gpu_stage stage, struct gpu_code code,
                                 uint32_t index)
{
    return abort_world(b, stage, code, index, 16);
}

static void run_lost(struct baseline *b, enum gpu_stage stage, struct gpu_code code, uint32_t index)
{
    struct gpu g = abort_world_of(b, stage, code, index);
    EXPECT_EQUAL(abort_run(&g), VK_ERROR_DEVICE_LOST);
}

/* --- stages --- */

#define IN_STAGE(name_, bit_, command_, text_, ...)                                              \
    SCENARIO(stage_##name_, ##__VA_ARGS__, .expect = {ABORT_ID},                                 \
             .text = {"The shader has aborted: " #name_ " gives up at 42 with 2.500000.",        \
                      command_, "Stage = " text_, "aborts_" #name_ "." #name_ " at line ",       \
                      "abortEXT(\"" #name_ " gives up"})                                         \
    {                                                                                            \
        run_lost(b, gpu_stage_##name_, GPU_CODE(spirv_aborts_##name_), 42);                      \
    }                                                                                            \
    SCENARIO(stage_##name_##_not, ##__VA_ARGS__)                                                 \
    {                                                                                            \
        struct gpu g = abort_world_of(b, gpu_stage_##name_, GPU_CODE(spirv_aborts_##name_), 41); \
        EXPECT_EQUAL(abort_run(&g), VK_SUCCESS);                                                 \
        EXPECT_EQUAL(abort_run(&g), VK_SUCCESS);                                                 \
    }
#define PLAIN(...) \
    IN_STAGE(__VA_ARGS__, OURS, .features = &abort_features_plain, .extensions = {ABORT_EXTENSIONS})
#define MESH(...)                                                 \
    IN_STAGE(__VA_ARGS__, OURS, .features = &abort_features_mesh, \
             .extensions = {ABORT_EXTENSIONS, VK_EXT_MESH_SHADER_EXTENSION_NAME})
#define RAYS(...)                                                                         \
    IN_STAGE(__VA_ARGS__, OURS, .features = &abort_features_rays, .seconds = 150,         \
             .extensions = {ABORT_EXTENSIONS, VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME, \
                            VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,                 \
                            VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME})
GPU_GRAPHICS_STAGES_X(PLAIN)
GPU_COMPUTE_STAGES_X(PLAIN)
GPU_MESH_STAGES_X(MESH)
GPU_RAY_STAGES_X(RAYS)

/* --- control flow --- */

static struct result run_flow(struct baseline *b, struct gpu *g, uint32_t index, VkResult wanted)
{
    struct result result = {0};
    g->index = index;
    gpu_fill(b, g->result, 0, &result, sizeof(result));
    EXPECT_EQUAL(abort_run(g), wanted);
    gpu_read(b, g->result, 0, &result, sizeof(result));
    return result;
}

/* Until it gives up the shader does what the plain one does, and nothing then. Where it does not
 * give up, it does all that the plain one does. */
static void check_flow(struct baseline *b, struct gpu_code flow, struct gpu_code plain_code,
                       uint32_t end)
{
    static const uint32_t values[] = {0, 3, 7, 8, 9, 11, 50, 100};
    struct gpu g = abort_world_of(b, gpu_stage_comp, flow, 0),
               p = abort_world_of(b, gpu_stage_comp, plain_code, 0);
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        const struct result wanted = run_flow(b, &p, values[i], VK_SUCCESS);
        if (wanted.gave_up)
            continue;
        const struct result found = run_flow(b, &g, values[i], VK_SUCCESS);
        EXPECT_EQUAL(found.began, 1);
        EXPECT_EQUAL(found.ended, 1);
        EXPECT_EQUAL(found.done, wanted.done);
    }
    const struct result wanted = run_flow(b, &p, end, VK_SUCCESS);
    ENSURE(wanted.gave_up);
    const struct result found = run_flow(b, &g, end, VK_ERROR_DEVICE_LOST);
    EXPECT_EQUAL(found.began, 1);
    EXPECT_EQUAL(found.ended, 0);
    EXPECT_EQUAL(found.done, wanted.gave_up - 1);
}

#define FLOW(name_)                                                                         \
    SCENARIO(flow_##name_, ABORT, .text = {"The shader has aborted: stopped at 42."})       \
    {                                                                                       \
        check_flow(b, GPU_CODE(spirv_##name_##_flow), GPU_CODE(spirv_##name_##_plain), 42); \
    }
FLOW(straight)
FLOW(else)
FLOW(nested)
FLOW(called)
FLOW(while_head)
FLOW(for_head)
FLOW(for_step)
FLOW(for_step_later)
FLOW(for_step_twice)
FLOW(do_while)
FLOW(do_while_break)
FLOW(switch_head)
FLOW(switch_through)
FLOW(operands)
FLOW(in_argument)
FLOW(loop_in_loop)
SCENARIO(flow_deep, ABORT, .text = {"The shader has aborted: stopped at 42."})
{
    check_flow(b, GPU_CODE(spirv_deep_flow), GPU_CODE(spirv_deep_plain), 40);
}
SCENARIO(flow_with_all_checks, OURS, .features = &abort_features_plain,
         .extensions = {ABORT_EXTENSIONS}, .settings = {"gpuav_enable=true", "validate_sync=true"},
         .expect = {ABORT_ID})
{
    check_flow(b, GPU_CODE(spirv_loop_in_loop_flow), GPU_CODE(spirv_loop_in_loop_plain), 42);
}

/* --- messages --- */

static VkDeviceFaultShaderAbortMessageInfoKHR messages_of(struct baseline *b, void *data,
                                                          uint64_t size, VkResult wanted)
{
    VkDeviceFaultShaderAbortMessageInfoKHR messages = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_SHADER_ABORT_MESSAGE_INFO_KHR,
        .messageDataSize = size,
        .pMessageData = data};
    VkDeviceFaultDebugInfoKHR info = {.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_DEBUG_INFO_KHR,
                                      .pNext = &messages};
    EXPECT_EQUAL(DEVICE_PROC(b, vkGetDeviceFaultDebugInfoKHR)(b->device, &info), wanted);
    EXPECT_EQUAL(info.vendorBinarySize, 0);
    return messages;
}

#define MESSAGE(name_, text_)                                                        \
    SCENARIO(message_##name_, ABORT, .text = {"The shader has aborted: " text_ "."}) \
    {                                                                                \
        run_lost(b, gpu_stage_comp, GPU_CODE(spirv_##name_##_message), 65536);       \
    }
MESSAGE(nothing, "no argument")
MESSAGE(integers, "-65536 65536 10000")
MESSAGE(floats, "2.500000 -2.5")
MESSAGE(vectors, "2.500000, -2.500000 65536, 1, 2 -1, 2, -3, 65536")
MESSAGE(bytes, "-3 128")
MESSAGE(short, "-300 32768 7")
MESSAGE(wide, "68719476736 -68719476736")
MESSAGE(doubles, "25000000000.000000")
MESSAGE(half, "2.500000")

/* "the string, 3 indeterminate characters used to pad %testval to 4-byte boundaries, and then
 * finally the value" */
SCENARIO(message_specification, ABORT, .text = {"The shader has aborted: test: 65536."})
{
    static const unsigned char wanted[24] = {16,  0,   0,   0,   0, 0, 0, 0, 't', 'e', 's', 't',
                                             ':', ' ', '%', 'u', 0, 0, 0, 0, 0,   0,   1,   0};
    unsigned char bytes[32];
    memset(bytes, 0xcd, sizeof(bytes));
    run_lost(b, gpu_stage_comp, GPU_CODE(spirv_specification_message), 65536);
    EXPECT_EQUAL(messages_of(b, NULL, 0, VK_SUCCESS).messageDataSize, sizeof(wanted));
    EXPECT_EQUAL(messages_of(b, bytes, sizeof(bytes), VK_SUCCESS).messageDataSize, sizeof(wanted));
    EXPECT(!memcmp(bytes, wanted, sizeof(wanted)));
    EXPECT_EQUAL(bytes[sizeof(wanted)], 0xcd);
    /* The same each time. */
    memset(bytes, 0xcd, sizeof(bytes));
    EXPECT_EQUAL(messages_of(b, bytes, sizeof(wanted), VK_SUCCESS).messageDataSize, sizeof(wanted));
    EXPECT(!memcmp(bytes, wanted, sizeof(wanted)));
}

/* The pairs of a whole message data. */
static uint32_t count_messages(const unsigned char *data, uint64_t size, uint32_t bytes_each)
{
    uint32_t count = 0;
    uint64_t at = 0, length;
    while (at < size) {
        ENSURE(at % 8 == 0 && size - at >= sizeof(length));
        memcpy(&length, data + at, sizeof(length));
        EXPECT_EQUAL(length, bytes_each);
        ENSURE(length <= size - at - sizeof(length));
        EXPECT(!strcmp((const char *)data + at + sizeof(length), "invocation %u"));
        at = (at + sizeof(length) + length + 7) & ~7ull;
        count++;
    }
    return count;
}

static void run_many(struct baseline *b, uint32_t groups)
{
    struct gpu g = abort_world_of(b, gpu_stage_comp, GPU_CODE(spirv_every_abort), 42);
    EXPECT_EQUAL(abort_dispatch(&g, groups), VK_ERROR_DEVICE_LOST);
}

/* "invocation %u" is 14 bytes, and 2 more before the number: 20. */
SCENARIO(several_messages, ABORT, .text = {"The shader has aborted: invocation "})
{
    unsigned char bytes[64 * 32];
    run_many(b, 1);
    EXPECT_EQUAL(messages_of(b, NULL, 0, VK_SUCCESS).messageDataSize, 64 * 32 - 4);
    EXPECT_EQUAL(messages_of(b, bytes, sizeof(bytes), VK_SUCCESS).messageDataSize, 64 * 32 - 4);
    EXPECT_EQUAL(count_messages(bytes, 64 * 32 - 4, 20), 64);
    /* A message for which there is no room as a whole is not given. */
    const VkDeviceFaultShaderAbortMessageInfoKHR two =
        messages_of(b, bytes, 32 + 28 + 31, VK_INCOMPLETE);
    EXPECT_EQUAL(two.messageDataSize, 32 + 28);
    EXPECT_EQUAL(count_messages(bytes, two.messageDataSize, 20), 2);
    EXPECT_EQUAL(messages_of(b, bytes, 27, VK_INCOMPLETE).messageDataSize, 0);
}

SCENARIO(a_million_invocations, ABORT_QUIET,
         .expect = {ABORT_ID, "WARNING-GPU-Assisted-Validation"}, .seconds = 60,
         .text = {"The shader has aborted: invocation ", "found no more room"})
{
    run_many(b, 15625);
    const VkDeviceFaultShaderAbortMessageInfoKHR all = messages_of(b, NULL, 0, VK_SUCCESS);
    unsigned char *bytes = malloc(all.messageDataSize);
    ENSURE(bytes);
    EXPECT_EQUAL(messages_of(b, bytes, all.messageDataSize, VK_SUCCESS).messageDataSize,
                 all.messageDataSize);
    EXPECT(count_messages(bytes, all.messageDataSize, 20) > 10000);
    free(bytes);
}

/* --- reports of faults --- */

static VkDeviceFaultInfoKHR report_info(void)
{
    return (VkDeviceFaultInfoKHR){.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_KHR};
}

SCENARIO(reports, ABORT, .text = {"The shader has aborted: test: 65536."})
{
    PFN_vkGetDeviceFaultReportsKHR get = DEVICE_PROC(b, vkGetDeviceFaultReportsKHR);
    VkDeviceFaultInfoKHR report = report_info();
    uint32_t count = 1;
    EXPECT_EQUAL(get(b->device, 0, &count, &report), VK_TIMEOUT);
    EXPECT_EQUAL(get(b->device, 5000000, &count, NULL), VK_TIMEOUT);
    EXPECT_EQUAL(count, 0);
    run_lost(b, gpu_stage_comp, GPU_CODE(spirv_specification_message), 65536);
    EXPECT_EQUAL(get(b->device, UINT64_MAX, &count, NULL), VK_SUCCESS);
    EXPECT_EQUAL(count, 1);
    EXPECT_EQUAL(get(b->device, UINT64_MAX, &count, &report), VK_SUCCESS);
    EXPECT_EQUAL(count, 1);
    EXPECT_EQUAL(report.flags, VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR);
    EXPECT(!strcmp(report.description, "Shader abort: test: 65536"));
    /* Each is given once; the device is lost, so that there will be no more to wait for. */
    EXPECT_EQUAL(get(b->device, UINT64_MAX, &count, &report), VK_TIMEOUT);
    EXPECT_EQUAL(count, 0);
}

SCENARIO(reports_in_parts, ABORT, .text = {"The shader has aborted: invocation "})
{
    PFN_vkGetDeviceFaultReportsKHR get = DEVICE_PROC(b, vkGetDeviceFaultReportsKHR);
    VkDeviceFaultInfoKHR reports[64];
    uint32_t count = 3;
    for (uint32_t i = 0; i < 64; i++)
        reports[i] = report_info();
    run_many(b, 1);
    EXPECT_EQUAL(get(b->device, 0, &count, reports), VK_INCOMPLETE);
    EXPECT_EQUAL(count, 3);
    EXPECT_EQUAL(reports[0].flags, 0);
    count = 64;
    EXPECT_EQUAL(get(b->device, 0, &count, reports), VK_SUCCESS);
    EXPECT_EQUAL(count, 61);
    EXPECT_EQUAL(reports[59].flags, 0);
    EXPECT_EQUAL(reports[60].flags, VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR);
    EXPECT_EQUAL(reports[60].groupId, reports[0].groupId);
    EXPECT(!strncmp(reports[60].description, "Shader abort: invocation ", 25));
}

SCENARIO(info_of_a_good_device, ABORT_QUIET,
         .expect = {"VUID-vkGetDeviceFaultDebugInfoKHR-device-12383"})
{
    EXPECT_EQUAL(messages_of(b, NULL, 5, VK_SUCCESS).messageDataSize, 0);
}

/* A report that says so is enough. */
SCENARIO(info_after_a_report, ABORT)
{
    struct gpu g = abort_world_of(b, gpu_stage_comp, GPU_CODE(spirv_specification_message), 65536);
    VkDeviceFaultInfoKHR report = report_info();
    uint32_t count = 1;
    gpu_record(&g);
    vkEndCommandBuffer(g.commands);
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &g.commands};
    const VkResult result = vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE);
    EXPECT(result == VK_SUCCESS || result == VK_ERROR_DEVICE_LOST);
    EXPECT_EQUAL(DEVICE_PROC(b, vkGetDeviceFaultReportsKHR)(b->device, UINT64_MAX, &count, &report),
                 VK_SUCCESS);
    EXPECT_EQUAL(messages_of(b, NULL, 0, VK_SUCCESS).messageDataSize, 24);
}

/* --- the end of the device --- */

/* All that may say that the device is lost does, and nothing waits for what will not come. */
SCENARIO(everything_is_lost, ABORT)
{
    const VkSemaphoreTypeCreateInfo timeline = {.sType =
                                                    VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                                .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    VkSemaphoreCreateInfo semaphore_create = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                              .pNext = &timeline};
    VkSemaphore semaphore = create_semaphore(b, &semaphore_create);
    const VkFenceCreateInfo fence_create = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkFence fence = create_fence(b, &fence_create);
    const uint64_t never = 7;
    uint64_t value;
    const VkSemaphoreWaitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                      .semaphoreCount = 1,
                                      .pSemaphores = &semaphore,
                                      .pValues = &never};
    run_lost(b, gpu_stage_comp, GPU_CODE(spirv_specification_message), 65536);
    EXPECT_EQUAL(vkQueueSubmit(b->queue, 0, NULL, fence), VK_ERROR_DEVICE_LOST);
    EXPECT_EQUAL(vkQueueSubmit2(b->queue, 0, NULL, fence), VK_ERROR_DEVICE_LOST);
    EXPECT_EQUAL(vkWaitForFences(b->device, 1, &fence, VK_TRUE, UINT64_MAX), VK_ERROR_DEVICE_LOST);
    EXPECT_EQUAL(vkGetFenceStatus(b->device, fence), VK_ERROR_DEVICE_LOST);
    EXPECT_EQUAL(vkWaitSemaphores(b->device, &wait, UINT64_MAX), VK_ERROR_DEVICE_LOST);
    EXPECT_EQUAL(vkGetSemaphoreCounterValue(b->device, semaphore, &value), VK_ERROR_DEVICE_LOST);
    EXPECT_EQUAL(vkQueueWaitIdle(b->queue), VK_ERROR_DEVICE_LOST);
    EXPECT_EQUAL(vkDeviceWaitIdle(b->device), VK_ERROR_DEVICE_LOST);
    EXPECT_EQUAL(seen_count(b, ABORT_ID), 1);
}

/* Work after the abort waits for a value that the program would have signaled. It is not waited
 * for, and what it uses can be destroyed. */
SCENARIO(another_submission_waits, ABORT)
{
    const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                            .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    VkSemaphoreCreateInfo create = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                    .pNext = &type};
    VkSemaphore semaphore = create_semaphore(b, &create);
    const uint64_t value = 3;
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = 1,
        .pWaitSemaphoreValues = &value};
    struct gpu g = abort_world_of(b, gpu_stage_comp, GPU_CODE(spirv_every_abort), 42);
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    gpu_record(&g);
    vkEndCommandBuffer(g.commands);
    VkSubmitInfo first = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                          .commandBufferCount = 1,
                          .pCommandBuffers = &g.commands};
    const VkSubmitInfo second = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .pNext = &values,
                                 .waitSemaphoreCount = 1,
                                 .pWaitSemaphores = &semaphore,
                                 .pWaitDstStageMask = &stage};
    VkResult result = vkQueueSubmit(b->queue, 1, &first, VK_NULL_HANDLE);
    if (result == VK_SUCCESS)
        result = vkQueueSubmit(b->queue, 1, &second, VK_NULL_HANDLE);
    if (result == VK_SUCCESS)
        result = vkQueueWaitIdle(b->queue);
    EXPECT_EQUAL(result, VK_ERROR_DEVICE_LOST);
}

/* An invocation that would wait for ever for what the one that gave up would have written. */
SCENARIO(an_invocation_waits, ABORT, .text = {"The shader has aborted: nobody waits for me."})
{
    struct gpu g = abort_world_of(b, gpu_stage_comp, GPU_CODE(spirv_waits), 42);
    const struct result found = run_flow(b, &g, 42, VK_ERROR_DEVICE_LOST);
    EXPECT_EQUAL(found.ended, 0);
}

SCENARIO(an_invocation_waits_not_in_vain, ABORT_QUIET)
{
    struct gpu g = abort_world_of(b, gpu_stage_comp, GPU_CODE(spirv_waits), 7);
    const struct result found = run_flow(b, &g, 7, VK_SUCCESS);
    EXPECT_EQUAL(found.ended, 1);
}

/* A shader of the same device without an abort in it ends in finite time, too, and the next device
 * is a good one. */
SCENARIO(the_next_device, ABORT)
{
    static const char *const names[] = {ABORT_EXTENSIONS};
    VkDevice lost = b->device;
    VkQueue queue = b->queue;
    run_lost(b, gpu_stage_comp, GPU_CODE(spirv_specification_message), 65536);
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queues = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                            .queueFamilyIndex = b->queue_family,
                                            .queueCount = 1,
                                            .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &abort_features_plain,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queues,
                                     .enabledExtensionCount = 3,
                                     .ppEnabledExtensionNames = names};
    VK(vkCreateDevice(b->physical_device, &info, NULL, &b->device));
    vkGetDeviceQueue(b->device, b->queue_family, 0, &b->queue);
    const unsigned kept = b->cleanup_count;
    struct gpu g = abort_world_of(b, gpu_stage_comp, GPU_CODE(spirv_called_flow), 7);
    EXPECT_EQUAL(run_flow(b, &g, 7, VK_SUCCESS).ended, 1);
    while (b->cleanup_count > kept) {
        const struct cleanup *cleanup = &b->cleanups[--b->cleanup_count];
        cleanup->destroy(b, cleanup->handle);
    }
    vkDestroyDevice(b->device, NULL);
    b->device = lost;
    b->queue = queue;
}

/* --- devices that are offered it --- */

static bool is_listed(struct baseline *b, const char *name)
{
    uint32_t count = 0;
    VK(vkEnumerateDeviceExtensionProperties(b->physical_device, NULL, &count, NULL));
    VkExtensionProperties *list = calloc(count + 1, sizeof(*list));
    ENSURE(list);
    bool found = false;
    uint32_t less = count ? count - 1 : 0;
    EXPECT_EQUAL(vkEnumerateDeviceExtensionProperties(b->physical_device, NULL, &less, list),
                 VK_INCOMPLETE);
    VK(vkEnumerateDeviceExtensionProperties(b->physical_device, NULL, &count, list));
    for (uint32_t i = 0; i < count; i++)
        found |= !strcmp(list[i].extensionName, name);
    free(list);
    return found;
}

static bool has_features(struct baseline *b)
{
    VkPhysicalDeviceFaultFeaturesKHR fault = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR};
    VkPhysicalDeviceShaderConstantDataFeaturesKHR data = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CONSTANT_DATA_FEATURES_KHR,
        .pNext = &fault};
    VkPhysicalDeviceShaderAbortFeaturesKHR aborts = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ABORT_FEATURES_KHR, .pNext = &data};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &aborts};
    vkGetPhysicalDeviceFeatures2(b->physical_device, &features);
    EXPECT(aborts.shaderAbort == data.shaderConstantData &&
           data.shaderConstantData == fault.deviceFault);
    return aborts.shaderAbort;
}

static uint64_t message_size(struct baseline *b)
{
    VkPhysicalDeviceShaderAbortPropertiesKHR aborts = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ABORT_PROPERTIES_KHR};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &aborts};
    vkGetPhysicalDeviceProperties2(b->physical_device, &properties);
    return aborts.maxShaderAbortMessageSize;
}

SCENARIO(offered, OURS)
{
    EXPECT(is_listed(b, VK_KHR_SHADER_ABORT_EXTENSION_NAME));
    EXPECT(is_listed(b, VK_KHR_SHADER_CONSTANT_DATA_EXTENSION_NAME));
    EXPECT(is_listed(b, VK_KHR_DEVICE_FAULT_EXTENSION_NAME));
    EXPECT(has_features(b));
    EXPECT(message_size(b) >= 65536);
    /* this device has not enabled it */
    EXPECT(!vkGetDeviceProcAddr(b->device, "vkGetDeviceFaultReportsKHR"));
}

SCENARIO(not_offered_when_off, OURS, .settings = {"shader_abort=off"})
{
    EXPECT(!is_listed(b, VK_KHR_SHADER_ABORT_EXTENSION_NAME));
    EXPECT(!is_listed(b, VK_KHR_DEVICE_FAULT_EXTENSION_NAME));
    EXPECT(!has_features(b));
}

SCENARIO(not_offered_to_vulkan_1_0, OURS, .api_version = VK_API_VERSION_1_0)
{
    EXPECT(!is_listed(b, VK_KHR_SHADER_ABORT_EXTENSION_NAME));
}

/* Faults alone, without aborts. */
static const VkPhysicalDeviceFaultFeaturesKHR only_faults = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR, .deviceFault = VK_TRUE};
SCENARIO(faults_alone, OURS, .features = &only_faults,
         .extensions = {VK_KHR_DEVICE_FAULT_EXTENSION_NAME})
{
    uint32_t count = 4;
    EXPECT_EQUAL(DEVICE_PROC(b, vkGetDeviceFaultReportsKHR)(b->device, 1000000, &count, NULL),
                 VK_TIMEOUT);
    EXPECT_EQUAL(count, 0);
}
