/* Checks conditional rendering (10.10): its buffer, and where it may begin and end. */
#include "core/memory/address.h"
#include "core/hooks.h"
#include "state/memory/buffer.h"
#include "state/command/rendering.h"
#include "state/command/sections.h"

#include "report/finding/rule.h"

#include <inttypes.h>

/* True if conditional rendering is active in the command buffer. */
static bool is_active(const struct call *call)
{
    const struct command_buffer_sections *sections = sections_of(call_command_buffer(call));
    return sections && sections->conditional;
}

bool core_validate_CmdBeginConditionalRenderingEXT(struct call *call, VkCommandBuffer commandBuffer,
                                                   const VkConditionalRenderingBeginInfoEXT
                                                       *pConditionalRenderingBegin)
{
    const VkConditionalRenderingBeginInfoEXT *info = pConditionalRenderingBegin;
    const struct buffer *buffer = find_buffer(call, info->buffer);
    struct subject s = {.call = call,
                        .where = &LOCATION_POINTER(NULL, "pConditionalRenderingBegin"),
                        .objects = OBJECT(HANDLE_BUFFER, info->buffer)};
    /* Conditional rendering must not already be active */
    REQUIRE_OF(&s, NULL, RULE_01980, !is_active(call), &LOCATION(NULL, "commandBuffer"),
               "has conditional rendering active already");
    if (!buffer)
        return s.skip;
    /* offset must be less than the size of buffer by at least 32 bits */
    REQUIRE(&s, RULE_01983, buffer->size >= 4 && info->offset <= buffer->size - 4, "offset",
            "is %" PRIu64 ", but the buffer has %" PRIu64 " bytes, and the predicate takes 4",
            info->offset, buffer->size);
    return s.skip;
}

bool core_validate_CmdBeginConditionalRendering2EXT(struct call *call,
                                                    VkCommandBuffer commandBuffer,
                                                    const VkConditionalRenderingBeginInfo2EXT
                                                        *pConditionalRenderingBegin)
{
    const VkConditionalRenderingBeginInfo2EXT *info = pConditionalRenderingBegin;
    struct subject s = {.call = call,
                        .where = &LOCATION_POINTER(NULL, "pConditionalRenderingBegin")};
    REQUIRE(&s, RULE_13063, !is_active(call), &LOCATION(NULL, "commandBuffer"),
            "has conditional rendering active already");
    REQUIRE(&s, RULE_13065, info->addressRange.address % 4 == 0, "addressRange.address",
            "is %s, which is not a multiple of 4", ADDRESS(call, info->addressRange.address));
    REQUIRE(&s, RULE_13066, info->addressRange.size >= 4, "addressRange.size",
            "is %" PRIu64 ", but the predicate takes 4 bytes; addressRange.address is %s",
            info->addressRange.size, ADDRESS(call, info->addressRange.address));
    return s.skip;
}

bool core_validate_CmdEndConditionalRenderingEXT(struct call *call, VkCommandBuffer commandBuffer)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const struct command_buffer_sections *sections = sections_of(command_buffer);
    struct subject s = {.call = call};
    if (!sections)
        return false;
    /* Conditional rendering must be active */
    REQUIRE(&s, RULE_01985, sections->conditional, "commandBuffer",
            "has no conditional rendering active");
    if (!sections->conditional)
        return s.skip;
    bool inside = command_buffer->scope & SCOPE_INSIDE_RENDER_PASS;
    /* If conditional rendering was made active outside of a render pass instance, it must not be
     * ended inside a render pass instance */
    REQUIRE(&s, RULE_01986, sections->conditional_in_render_pass || !inside, "commandBuffer",
            "is in a render pass instance, but conditional rendering began outside of it");
    /* If conditional rendering was made active within a subpass it must be ended in the same
     * subpass */
    if (sections->conditional_in_render_pass && command_buffer->rendering)
        REQUIRE(&s, RULE_01987,
                inside && command_buffer->rendering->subpass == sections->conditional_subpass,
                "commandBuffer", "is not in subpass %u any more, where conditional rendering began",
                sections->conditional_subpass);
    return s.skip;
}

bool core_validate_EndCommandBuffer_conditional(struct call *call, VkCommandBuffer commandBuffer)
{
    struct subject s = {.call = call};
    /* Conditional rendering must not be active */
    REQUIRE(&s, RULE_01978, !is_active(call), "commandBuffer",
            "has conditional rendering active, which was not ended");
    return s.skip;
}
