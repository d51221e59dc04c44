/* Checks that the state of a command buffer allows it to be begun, ended, reset, freed or executed
 * (6 "Command Buffers"). */
#include "core/hooks.h"
#include "core/destroy/in_use.h"
#include "core/record/executable.h"
#include "report/finding/finding.h"
#include "report/names/names_of_values.h"
#include "state/command/command_buffer.h"
#include "state/submit/queue.h"
#include "state/command/rendering.h"

#include "report/finding/rule.h"

#include <inttypes.h>

/* True if the pool allows to reset single command buffers, or is not known. */
static bool pool_resets_command_buffers(const struct command_buffer *command_buffer)
{
    assert(command_buffer);
    const struct command_pool *pool = object_load_state(command_buffer->pool);
    return !pool || pool->flags & VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
}

static bool is_secondary(const struct command_buffer *command_buffer)
{
    return (command_buffer->scope & SCOPE_SECONDARY) != 0;
}

bool core_validate_BeginCommandBuffer(struct call *call, VkCommandBuffer commandBuffer,
                                      const VkCommandBufferBeginInfo *pBeginInfo)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer)
        return false;
    const struct location *where = &LOCATION(NULL, "commandBuffer");
    /* commandBuffer must not be in the pending state */
    struct subject s = {.call = call};
    s.skip |= in_use_check(call, &command_buffer->base, RULE(call, 00049), where);
    /* If commandBuffer was allocated from a VkCommandPool which did not have the
     * VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT flag set, commandBuffer must be in the
     * initial state */
    if (!(command_buffer->scope & SCOPE_INITIAL) && !pool_resets_command_buffers(command_buffer))
        BROKEN(&s, RULE_00050, where,
               "%s, and its pool was created without "
               "VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT: only vkResetCommandPool "
               "can reset it",
               command_buffer->scope & SCOPE_RECORDING ? "is being recorded"
                                                       : "has been recorded before");
    /* If commandBuffer is a primary command buffer, then pBeginInfo->flags must not set both ... */
    VkCommandBufferUsageFlags both =
        VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT | VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
    if (!is_secondary(command_buffer) && (pBeginInfo->flags & both) == both)
        BROKEN(&s, RULE_02840, &LOCATION(&LOCATION_POINTER(NULL, "pBeginInfo"), "flags"),
               "has both VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT and "
               "VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, which a primary command "
               "buffer cannot be");
    return s.skip;
}

bool core_validate_EndCommandBuffer(struct call *call, VkCommandBuffer commandBuffer)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer)
        return false;
    const struct location *where = &LOCATION(NULL, "commandBuffer");
    /* commandBuffer must be in the recording state */
    if (!(command_buffer->scope & SCOPE_RECORDING))
        return BROKEN_BY(call, RULE_00059, where, NULL, "is not being recorded");
    struct subject s = {.call = call};
    if (command_buffer->uses.count)
        s.skip |=
            executable_check_recording(call, command_buffer, commandBuffer, RULE_00059, where);
    /* If commandBuffer is a primary command buffer, there must not be an active render pass
     * instance */
    REQUIRE(&s, RULE_00060,
            is_secondary(command_buffer) || !(command_buffer->scope & SCOPE_INSIDE_RENDER_PASS),
            where, "has a render pass instance that was not ended");
    return s.skip;
}

bool core_validate_ResetCommandBuffer(struct call *call, VkCommandBuffer commandBuffer,
                                      VkCommandBufferResetFlags flags)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer)
        return false;
    const struct location *where = &LOCATION(NULL, "commandBuffer");
    /* commandBuffer must not be in the pending state */
    struct subject s = {.call = call};
    s.skip |= in_use_check(call, &command_buffer->base, RULE(call, 00045), where);
    /* commandBuffer must have been allocated from a pool that was created with the
     * VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT */
    REQUIRE_OF(&s, OBJECT(HANDLE_COMMAND_POOL, object_handle(command_buffer->pool)), RULE_00046,
               pool_resets_command_buffers(command_buffer), where,
               "is of a pool that was created without "
               "VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT");
    return s.skip;
}

bool core_validate_FreeCommandBuffers(struct call *call, VkDevice device, VkCommandPool commandPool,
                                      uint32_t commandBufferCount,
                                      const VkCommandBuffer *pCommandBuffers)
{
    bool skip = false;
    /* All elements of pCommandBuffers must not be in the pending state */
    for (uint32_t i = 0; pCommandBuffers && i < commandBufferCount; i++) {
        const struct command_buffer *command_buffer = find_command_buffer(pCommandBuffers[i]);
        if (command_buffer)
            skip |= in_use_check(call, &command_buffer->base, RULE(call, 00047),
                                 &LOCATION_INDEX(NULL, "pCommandBuffers", i));
    }
    return skip;
}

/* The search for a pending command buffer of a pool. */
struct pending_search {
    const struct device *device;
    const struct command_buffer *found; /* NULL: none so far */
};

/* Notes a command buffer that is in use. object_for_each_child() calls it. `context`: struct
 * pending_search. */
static void look_for_pending(struct object *child, void *context)
{
    struct pending_search *search = context;
    const struct command_buffer *command_buffer =
        object_load_state_typed(child, HANDLE_COMMAND_BUFFER);
    if (!search->found && command_buffer && object_in_use(search->device, &command_buffer->base))
        search->found = command_buffer;
}

/* All VkCommandBuffer objects allocated from commandPool must not be in the pending state */
static bool check_pool_at_rest(const struct call *call, struct object *object, enum rule rule)
{
    struct pending_search search = {.device = call->device};
    if (!object || !call->instance->settings.check_object_in_use)
        return false;
    object_for_each_child(object, look_for_pending, &search);
    return search.found && in_use_check(call, &search.found->base, rule_vuid(call->command, rule),
                                        &LOCATION(NULL, "commandPool"));
}

bool core_validate_ResetCommandPool(struct call *call, VkDevice device, VkCommandPool commandPool,
                                    VkCommandPoolResetFlags flags)
{
    return check_pool_at_rest(call, call->named[0].object, RULE_00040);
}

bool core_validate_DestroyCommandPool(struct call *call, VkDevice device, VkCommandPool commandPool,
                                      const VkAllocationCallbacks *pAllocator)
{
    return check_pool_at_rest(call, call->named[0].object, RULE_00041);
}

bool core_validate_CreateCommandPool(struct call *call, VkDevice device,
                                     const VkCommandPoolCreateInfo *pCreateInfo,
                                     const VkAllocationCallbacks *pAllocator,
                                     VkCommandPool *pCommandPool)
{
    const struct location *info = &LOCATION_POINTER(NULL, "pCreateInfo");
    struct subject s = {.call = call, .where = info};
    /* pCreateInfo->queueFamilyIndex must be the index of a queue family available in the logical
     * device */
    REQUIRE(&s, RULE_01937, pCreateInfo->queueFamilyIndex < call->device->queue_family_count,
            "queueFamilyIndex", "is %u, but the physical device has %u queue families",
            pCreateInfo->queueFamilyIndex, call->device->queue_family_count);
    return s.skip;
}

bool core_validate_CmdSetDeviceMask(struct call *call, VkCommandBuffer commandBuffer,
                                    uint32_t deviceMask)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const struct render_pass_instance *rendering =
        command_buffer && command_buffer->scope & SCOPE_INSIDE_RENDER_PASS
            ? active_rendering(command_buffer)
            : NULL;
    struct subject s = {.call = call};
    /* If vkCmdSetDeviceMask is called inside a render pass instance, deviceMask must not include
     * any set bits that were not in the VkDeviceGroupRenderPassBeginInfo::deviceMask value */
    if (rendering && rendering->device_mask)
        REQUIRE(&s, RULE_00111, !(deviceMask & ~rendering->device_mask), "deviceMask",
                "is 0x%x, but the render pass instance was begun with the deviceMask 0x%x",
                deviceMask, rendering->device_mask);
    return s.skip;
}
