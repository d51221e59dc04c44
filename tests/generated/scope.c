/* Checks where a command may be recorded: for each rule it makes a command buffer that is right in
 * every way but the one. */
#include "scopes.h"
#include "valid.h"
#include "world.h"

/* The difference from what the command asks. */
enum wrong {
    WRONG_NOTHING,
    WRONG_RECORDING,
    WRONG_POOL,
    WRONG_LEVEL,
    WRONG_RENDER_PASS,
    WRONG_SUSPENDED,
    WRONG_VIDEO_CODING,
    WRONG_QUEUE
};

static const struct scope_test *scope_of(const struct test_command_info *command)
{
    for (unsigned i = 0; i < scope_test_count; i++) {
        if (scope_tests[i].command == command)
            return &scope_tests[i];
    }
    return NULL;
}

static const char *vuid_of(const struct scope_test *test, enum wrong wrong)
{
    const char *const vuids[] = {
        [WRONG_RECORDING] = test->recording, [WRONG_POOL] = test->cmdpool,
        [WRONG_LEVEL] = test->bufferlevel,   [WRONG_RENDER_PASS] = test->renderpass,
        [WRONG_SUSPENDED] = test->suspended, [WRONG_VIDEO_CODING] = test->videocoding,
        [WRONG_QUEUE] = test->queuetype,
    };
    return wrong ? vuids[wrong] : NULL;
}

unsigned scope_case_count(const struct test_command_info *command)
{
    return scope_of(command) ? WRONG_QUEUE + 1 : 0;
}

/* A family that supports one of `flags`, or none of them. */
static uint32_t family_with(VkQueueFlags flags, bool some)
{
    for (uint32_t i = 0; i < world.family_count; i++) {
        if (!flags || !!(world.families[i].queueFlags & flags) == some)
            return i;
    }
    fail("no queue family for a case");
}

static void begin_rendering(VkCommandBuffer command_buffer, VkRenderingFlags flags)
{
    VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .flags = flags, .layerCount = 1};
    ((PFN_vkCmdBeginRendering)test_proc("vkCmdBeginRendering", true))(command_buffer, &info);
}

static VkCommandBuffer make_in_scope(const struct scope_test *test, enum wrong wrong)
{
    VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                    .queueFamilyIndex =
                                        family_with(test->queues, wrong != WRONG_POOL)};
    VkCommandPool pool = VK_NULL_HANDLE;
    ((PFN_vkCreateCommandPool)test_proc("vkCreateCommandPool", true))(world.device, &info, NULL,
                                                                      &pool);
    VkCommandBuffer command_buffer =
        make_command_buffer(pool, wrong == WRONG_LEVEL ? VK_COMMAND_BUFFER_LEVEL_SECONDARY
                                                       : VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    if (wrong == WRONG_RECORDING)
        return command_buffer;
    VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .pInheritanceInfo = &inheritance};
    ((PFN_vkBeginCommandBuffer)test_proc("vkBeginCommandBuffer", true))(command_buffer, &begin);
    if (wrong == WRONG_SUSPENDED) {
        begin_rendering(command_buffer, VK_RENDERING_SUSPENDING_BIT);
        ((PFN_vkCmdEndRendering)test_proc("vkCmdEndRendering", true))(command_buffer);
    }
    /* between suspended render pass instances is outside of any */
    if (wrong != WRONG_SUSPENDED &&
        (test->render_pass == SCOPE_INSIDE) != (wrong == WRONG_RENDER_PASS))
        begin_rendering(command_buffer, 0);
    if ((test->video_coding == SCOPE_INSIDE) != (wrong == WRONG_VIDEO_CODING)) {
        VkVideoBeginCodingInfoKHR *coding = new_VkVideoBeginCodingInfoKHR();
        ((PFN_vkCmdBeginVideoCodingKHR)test_proc("vkCmdBeginVideoCodingKHR", true))(command_buffer,
                                                                                    coding);
    }
    return command_buffer;
}

void scope_run_case(const struct test_command_info *command, unsigned index)
{
    const struct scope_test *test = scope_of(command);
    enum wrong wrong = (enum wrong)index;
    const char *vuid = vuid_of(test, wrong);
    if (wrong && !vuid)
        return;
    void *args = test_allocate(command->size);
    command->fill(args);
    if (test->queuetype) {
        VkQueue queue = NULL;
        ((PFN_vkGetDeviceQueue)test_proc("vkGetDeviceQueue",
                                         true))(world.device, family_with(test->queues, !wrong), 0,
                                                &queue);
        memcpy(args, &queue, sizeof(queue));
    } else {
        VkCommandBuffer command_buffer = make_in_scope(test, wrong);
        memcpy(args, &command_buffer, sizeof(command_buffer));
    }
    /* Outside of what the command needs is such a command buffer, too. */
    const char *outside = NULL;
    if ((wrong == WRONG_SUSPENDED || wrong == WRONG_RECORDING) && test->render_pass == SCOPE_INSIDE)
        outside = test->renderpass;
    else if (wrong == WRONG_RECORDING && test->video_coding == SCOPE_INSIDE)
        outside = test->videocoding;
    judge_call(command, args, vuid, outside);
}
