/* A program ends in the midst of a call, or of a shader. Everything that was found before must have
 * reached the messenger, the log and the file of findings. */
#include "gpu/gpu_world.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu_descriptors.h"

#define FENCE_FLAGS "VUID-VkFenceCreateInfo-flags-parameter"
#define RANGE_ID    "VUID-RuntimeSpirv-PhysicalStorageBuffer64-11819"
#define NO_BUFFER   0x10000 /* an address at which a process has no memory */
#define FILES       "log_filename=log.txt", "json_filename=findings.jsonl"

/* --- in the driver --- */

static void find_something(struct baseline *b)
{
    VkFenceCreateInfo info = fence_info();
    info.flags = 0x100;
    (void)create_fence(b, &info);
}

SCENARIO(crash_in_submit, .drivers = NULL_DRIVER, .null_driver = "{\"crash\": [\"vkQueueSubmit\"]}",
         .proceed = true, .ours_only = true, .signal = SIGSEGV,
         .expect = {FENCE_FLAGS, "VUID-vkQueueSubmit-pCommandBuffers-00070"}, .text = {"0x100"})
{
    VkCommandBuffer empty = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkSubmitInfo submit = submit_info(&empty);
    find_something(b);
    (void)vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE);
}

SCENARIO(crash_in_the_call_that_is_wrong, .drivers = NULL_DRIVER,
         .null_driver = "{\"crash\": [\"vkCreateFence\"]}", .proceed = true, .ours_only = true,
         .signal = SIGSEGV, .expect = {FENCE_FLAGS})
{
    find_something(b);
}

/* Hazards too are found before the driver's part. */
SCENARIO(crash_behind_a_hazard, .drivers = NULL_DRIVER,
         .null_driver = "{\"crash\": [\"vkEndCommandBuffer\"]}", .settings = {"validate_sync=true"},
         .proceed = true, .ours_only = true, .signal = SIGSEGV,
         .expect = {"SYNC-HAZARD-WRITE-AFTER-WRITE"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkBuffer buffer = make_buffer(b, 256, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    vkCmdFillBuffer(command_buffer, buffer, 0, 64, 0);
    vkCmdFillBuffer(command_buffer, buffer, 0, 64, 1);
    (void)vkEndCommandBuffer(command_buffer);
}

SCENARIO(crash_behind_a_hazard_between_submits, .drivers = NULL_DRIVER,
         .null_driver = "{\"crash\": [\"vkQueueSubmit\"], \"failAfter\": {\"vkQueueSubmit\": 1}}",
         .settings = {"validate_sync=true"}, .proceed = true, .ours_only = true, .signal = SIGSEGV,
         .expect = {"SYNC-HAZARD-WRITE-AFTER-WRITE"})
{
    VkBuffer buffer = make_buffer(b, 256, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    for (uint32_t i = 0; i < 2; i++) {
        VkCommandBuffer command_buffer = make_recording(b);
        VkSubmitInfo submit = submit_info(&command_buffer);
        vkCmdFillBuffer(command_buffer, buffer, 0, 64, i);
        VK(vkEndCommandBuffer(command_buffer));
        (void)vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE);
    }
}

/* --- in a shader --- */

static struct gpu prepare_access(struct baseline *b, VkDeviceAddress address)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    g.code = gpu_access_code(GPU_ADDRESS_WORD, gpu_stage_comp);
    g.address = address;
    gpu_make(&g);
    gpu_prepare(&g);
    gpu_record(&g);
    return g;
}

static void crash_in_shader(struct baseline *b)
{
    struct gpu g = prepare_access(b, NO_BUFFER);
    gpu_submit(&g);
    EXPECT(!"the driver survives an access to no memory");
}

SCENARIO(crash_in_a_shader, GPU, .ours_only = true, .signal = SIGSEGV, .expect = {RANGE_ID},
         .text = {"Read of 4 bytes at device address 0x10000, which lies in no buffer that lives",
                  "vkCmdDispatch", "Words(push.address).values[push.index]"})
{
    crash_in_shader(b);
}

SCENARIO(crash_in_a_fragment_shader, GPU, .ours_only = true, .signal = SIGSEGV,
         .expect = {RANGE_ID}, .text = {"vkCmdDraw", "Stage = Fragment"})
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_frag);
    g.code = gpu_access_code(GPU_ADDRESS_WORD, gpu_stage_frag);
    g.address = NO_BUFFER;
    gpu_make(&g);
    gpu_run(&g);
}

/* A pointer that was loaded leads to another: the list's second node lies nowhere. */
SCENARIO(crash_at_a_chained_pointer, GPU, .ours_only = true, .signal = SIGSEGV,
         .expect = {RANGE_ID}, .text = {"node"})
{
    const VkDeviceAddress next[2] = {NO_BUFFER};
    VkBuffer list =
        make_buffer(b, 256,
                    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                        VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                            .buffer = list};
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    gpu_fill(b, list, 0, next, sizeof(next));
    g.code = GPU_CODE(spirv_address_list_comp);
    g.address = vkGetBufferDeviceAddress(b->device, &info);
    gpu_make(&g);
    gpu_run(&g);
}

/* --- the program's own handlers --- */

static struct baseline *handled;
static volatile sig_atomic_t handler_calls;

static bool file_says(const char *path, const char *part)
{
    char text[8192] = "";
    FILE *file = fopen(path, "r");
    ENSURE(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    (void)fclose(file);
    return strstr(text, part) != NULL;
}

/* Not what a handler may do, but nothing else runs any more. */
static void look_at_files(int number)
{
    EXPECT_EQUAL(number, SIGSEGV);
    EXPECT(file_says("log.txt", RANGE_ID) && file_says("findings.jsonl", RANGE_ID));
    findings_judge(handled);
    _exit(scenario_failed() ? EXIT_FAILURE : EXIT_SUCCESS);
}

SCENARIO(crash_with_a_handler, GPU_SETTINGS(FILES), .features = &gpu_features_plain,
         .ours_only = true, .start = START_NOTHING, .expect = {RANGE_ID})
{
    const struct sigaction action = {.sa_handler = look_at_files};
    handled = b;
    ENSURE(sigaction(SIGSEGV, &action, NULL) == 0);
    world_start(b, NULL);
    crash_in_shader(b);
}

static void count_calls(int number, siginfo_t *info, void *context)
{
    (void)context;
    handler_calls++;
    EXPECT(number == SIGSEGV && info->si_code <= 0);
}

static bool wait_for_shader(const struct gpu *g)
{
    volatile uint32_t *result = NULL;
    VK(vkMapMemory(g->b->device, buffer_memory(g->b, g->result), 0, VK_WHOLE_SIZE, 0,
                   (void **)&result));
    for (unsigned i = 0; i < 300000 && *result == UINT32_MAX; i++)
        (void)usleep(1000);
    const bool ran = *result != UINT32_MAX;
    vkUnmapMemory(g->b->device, buffer_memory(g->b, g->result));
    return ran;
}

/* The shader reads at an address that is in no buffer any more, but in memory; no call says when it
 * is done. */
static void submit_and_watch(struct baseline *b)
{
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    const uint32_t unread = UINT32_MAX;
    VkMemoryAllocateInfo allocate = memory_info(65536, 0);
    VkBufferCreateInfo info = buffer_info(4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                                    VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    VkBuffer buffer = create_buffer(b, &info);
    VkMemoryRequirements requirements;
    vkGetBufferMemoryRequirements(b->device, buffer, &requirements);
    allocate.pNext = &flags;
    VK(vkBindBufferMemory(b->device, buffer, create_memory(b, &allocate), 0));
    const VkBufferDeviceAddressInfo address = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffer};
    struct gpu g = prepare_access(b, vkGetBufferDeviceAddress(b->device, &address) + 8192);
    gpu_fill(b, g.result, 0, &unread, sizeof(unread));
    VK(vkEndCommandBuffer(g.commands));
    VkSubmitInfo submit = submit_info(&g.commands);
    VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
    EXPECT(wait_for_shader(&g));
}

SCENARIO(interrupted_before_anybody_waits, GPU, .ours_only = true, .signal = SIGINT,
         .expect = {RANGE_ID})
{
    submit_and_watch(b);
    ENSURE(raise(SIGINT) == 0);
}

SCENARIO(aborted_before_anybody_waits, GPU, .ours_only = true, .signal = SIGABRT,
         .expect = {RANGE_ID})
{
    submit_and_watch(b);
    abort();
}

/* A program that survives the signal goes on as before; each finding is reported once. */
SCENARIO(handler_that_goes_on, GPU, .ours_only = true, .start = START_NOTHING, .expect = {RANGE_ID})
{
    struct sigaction action = {.sa_sigaction = count_calls, .sa_flags = SA_SIGINFO};
    ENSURE(sigaction(SIGSEGV, &action, NULL) == 0);
    world_start(b, NULL);
    submit_and_watch(b);
    ENSURE(raise(SIGSEGV) == 0);
    EXPECT_EQUAL(handler_calls, 1);
    EXPECT_EQUAL(seen_count(b, RANGE_ID), 1);
    VK(vkQueueWaitIdle(b->queue));
    EXPECT_EQUAL(seen_count(b, RANGE_ID), 1);
}

/* The layer takes no signal that the program ignores or handles itself. */
SCENARIO(ignored_signals_stay_ignored, GPU, .ours_only = true, .start = START_NOTHING)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction now;
    ENSURE(sigaction(SIGHUP, &ignore, NULL) == 0);
    world_start(b, NULL);
    ENSURE(sigaction(SIGHUP, NULL, &now) == 0);
    EXPECT(now.sa_handler == SIG_IGN);
    ENSURE(raise(SIGHUP) == 0);
}

/* Without anything that runs on the GPU for the layer, signals are the program's alone. */
SCENARIO(signals_without_gpu_assisted_validation, .drivers = LAVAPIPE, .ours_only = true)
{
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGINT, SIGTERM};
    struct sigaction now;
    (void)b;
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        ENSURE(sigaction(numbers[i], NULL, &now) == 0);
        EXPECT(!(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_DFL);
    }
}
