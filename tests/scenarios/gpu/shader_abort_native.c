/* VK_KHR_shader_abort on a driver that has it: what its lost device says of shaders' aborts is
 * reported. So is the layer's own, where the setting asks for it all the same. */
#include "gpu/abort_world.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include <spirv/unified1/spirv.h>

#include "shader_abort.h"

#define NATIVE_ONLY                                                               \
    .drivers = NULL_DRIVER, .ours_only = true, .features = &abort_features_plain, \
    .extensions = {ABORT_EXTENSIONS}
#define NATIVE NATIVE_ONLY, .proceed = true
#define LOST_WITH(bytes_) \
    .null_driver = "{\"loseDeviceAfter\": 0, \"abortMessages\": \"" bytes_ "\"}"
/* The sizes of messages, and their parts. */
#define SIZE_16   "1000000000000000"
#define SIZE_8    "0800000000000000"
#define TEST_U    "746573743a20257500" /* "test: %u" and its end */
#define PADDING   "000000"
#define N_65536   "00000100"
#define N_MINUS_1 "ffffffff"
#define V2F       "25763266" /* "%v2f" */
#define TWO       "00000040" /* 2.0 */

/* OpAbortKHR in the shaders that were dumped into the working directory after their
 * instrumentation. */
static uint32_t count_aborts_dumped(void)
{
    uint32_t count = 0;
    DIR *directory = opendir(".");
    ENSURE(directory);
    for (struct dirent *entry; (entry = readdir(directory));) {
        static uint32_t words[1 << 16];
        FILE *file = strstr(entry->d_name, "-after.spv") ? fopen(entry->d_name, "rb") : NULL;
        const size_t read =
            file ? fread(words, sizeof(*words), sizeof(words) / sizeof(*words), file) : 0;
        for (size_t at = 5; at < read && words[at] >> 16; at += words[at] >> 16)
            count += (words[at] & 0xffff) == SpvOpAbortKHR;
        if (file)
            (void)fclose(file);
    }
    (void)closedir(directory);
    return count;
}

static void lose_native(struct baseline *b)
{
    EXPECT_EQUAL(vkQueueSubmit(b->queue, 0, NULL, VK_NULL_HANDLE), VK_ERROR_DEVICE_LOST);
    EXPECT_EQUAL(vkQueueWaitIdle(b->queue), VK_ERROR_DEVICE_LOST);
}

/* The specification's example. */
SCENARIO(message_of_the_driver, NATIVE, LOST_WITH(SIZE_16 TEST_U PADDING N_65536),
         .expect = {ABORT_ID},
         .text = {"The device is lost, as a shader has aborted: test: 65536. (The driver does not "
                  "say which shader"})
{
    lose_native(b);
    EXPECT_EQUAL(seen_count(b, ABORT_ID), 1);
}

SCENARIO(two_messages_of_the_driver, NATIVE,
         LOST_WITH(SIZE_16 TEST_U PADDING N_MINUS_1 SIZE_16 V2F "00" PADDING TWO TWO),
         .expect = {ABORT_ID},
         .text = {"a shader has aborted: test: 4294967295.",
                  "a shader has aborted: 2.000000, 2.000000."})
{
    lose_native(b);
    EXPECT_EQUAL(seen_count(b, ABORT_ID), 2);
}

/* Bytes that are not abortEXT's are shown as they are. */
SCENARIO(bytes_of_the_driver, NATIVE, LOST_WITH(SIZE_8 "0102030405060708"), .expect = {ABORT_ID},
         .text = {"a shader has aborted: 8 bytes: 01 02 03 04 05 06 07 08."})
{
    lose_native(b);
}

SCENARIO(format_with_other_arguments, NATIVE, LOST_WITH(SIZE_16 "2575256c750001020304050607080910"),
         .expect = {ABORT_ID},
         .text = {"a shader has aborted: \"%u%lu\", and after it 10 bytes: 01 02 03 04 05 06 07 08 "
                  "09 10."})
{
    lose_native(b);
}

/* A size that the data do not have. */
SCENARIO(damaged_messages, NATIVE, LOST_WITH("ff000000000000000102030405060708"))
{
    lose_native(b);
}

SCENARIO(lost_without_a_message, NATIVE, .null_driver = "{\"loseDeviceAfter\": 0}")
{
    lose_native(b);
}

/* Checks are put into a shader that gives up by the driver's own means, which stay as they are;
 * nothing is run here. */
SCENARIO(checks_in_shaders_of_the_driver, NATIVE_ONLY,
         .settings = {"gpuav_enable=true", "gpuav_debug_validate_instrumented_shaders=true",
                      "gpuav_debug_dump_instrumented_shaders=true"})
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    g.code = GPU_CODE(spirv_loop_in_loop_flow);
    g.count = 1;
    gpu_make(&g);
    gpu_prepare(&g);
    gpu_record(&g);
    VK(vkEndCommandBuffer(g.commands));
    EXPECT_EQUAL(count_aborts_dumped(), 1);
}

/* The layer's in its place: what the driver would say is not asked. */
SCENARIO(emulated_all_the_same, NATIVE, .settings = {"shader_abort=emulate"})
{
    uint32_t count = 7;
    EXPECT_EQUAL(DEVICE_PROC(b, vkGetDeviceFaultReportsKHR)(b->device, 3000000, &count, NULL),
                 VK_TIMEOUT);
    EXPECT_EQUAL(count, 0);
    VK(vkQueueSubmit(b->queue, 0, NULL, VK_NULL_HANDLE));
    VK(vkQueueWaitIdle(b->queue));
    VK(vkDeviceWaitIdle(b->device));
}

SCENARIO(info_ext_of_a_good_device, .drivers = NULL_DRIVER, .ours_only = true, .proceed = true,
         .extensions = {VK_EXT_DEVICE_FAULT_EXTENSION_NAME},
         .expect = {"VUID-vkGetDeviceFaultInfoEXT-device-07336"})
{
    VkDeviceFaultCountsEXT counts = {.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT};
    EXPECT_EQUAL(DEVICE_PROC(b, vkGetDeviceFaultInfoEXT)(b->device, &counts, NULL), VK_SUCCESS);
}

SCENARIO(info_ext_of_a_lost_device, .drivers = NULL_DRIVER, .ours_only = true, .proceed = true,
         .extensions = {VK_EXT_DEVICE_FAULT_EXTENSION_NAME},
         .null_driver = "{\"loseDeviceAfter\": 0}")
{
    VkDeviceFaultCountsEXT counts = {.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT};
    lose_native(b);
    EXPECT_EQUAL(DEVICE_PROC(b, vkGetDeviceFaultInfoEXT)(b->device, &counts, NULL), VK_SUCCESS);
}
