/* Checks values of dynamic state: viewports, scissors, rasterization, depth, stencil and vertex
 * input (vkCmdSet*; 10.17 "Dynamic State", and each state's chapter). extended3.c has the states of
 * extended dynamic state 3. Hot: the deciding feature is tested first. */
#include "core/hooks.h"
#include "core/dynamic_state/values.h"

#include <inttypes.h>

#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "state/memory/formats.h"
#include "state/command/inheritance.h"
#include "vk/pointer.h"

/* Checks that extendedDynamicState, shaderObject, or Vulkan 1.3 in the instance is enabled.
 * core/promoted_states.c, which is generated, checks this for commands without other rules. */
static bool check_promoted(const struct call *call, enum vuid vuid)
{
    if (likely(call->instance->api_version >= VK_API_VERSION_1_3 ||
               has_feature(call, FEATURE_extendedDynamicState) ||
               has_feature(call, FEATURE_shaderObject)))
        return false;
    return BROKEN_BY(call, vuid, NULL, NULL,
                     "needs the extendedDynamicState or shaderObject feature, or an instance of "
                     "Vulkan 1.3; none of them is enabled");
}

/* A secondary command buffer that inherits its viewports and scissors must not set them itself. */
static bool check_not_inherited(const struct call *call, enum vuid vuid)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    if (likely(!command_buffer || !(command_buffer->scope & SCOPE_SECONDARY)))
        return false;
    const struct command_buffer_inheritance *inheritance = inheritance_of(command_buffer);
    return inheritance && inheritance->viewport_scissor &&
           BROKEN_BY(call, vuid, &LOCATION(NULL, "commandBuffer"), NULL,
                     "is a secondary command buffer that inherits viewports and scissors "
                     "(VkCommandBufferInheritanceViewportScissorInfoNV::viewportScissor2D)");
}

/* Checks that first + count is in [1, maxViewports]. */
static bool check_viewport_range(const struct call *call, const char *first_name, uint32_t first,
                                 const char *count_name, uint32_t count, enum vuid vuid)
{
    uint32_t most = limits_of(call)->maxViewports;
    uint64_t sum = (uint64_t)first + count;
    if (unlikely(!count)) /* the rule about the array's length reports it */
        return false;
    struct subject s = {.call = call};
    REQUIRE(&s, vuid, sum >= 1 && sum <= most, first_name,
            "and %s are %" PRIu64 " together, but must be between 1 and maxViewports (%u)",
            count_name, sum, most);
    return s.skip;
}

/* Checks each rectangle with the rules of its command. */
static bool check_rectangles(const struct call *call, const char *name, uint32_t count,
                             const VkRect2D *rectangles, const struct rectangle_rules *rules)
{
    assert(rules);
    bool skip = false;
    for (uint32_t i = 0; i < count && !pointer_is_bad(rectangles); i++)
        skip |= check_rectangle(call, &LOCATION_INDEX(NULL, name, i), &rectangles[i], rules);
    return skip;
}

/* Checks each viewport. A bad pointer is already reported. */
static bool check_viewports(const struct call *call, uint32_t count, const VkViewport *viewports)
{
    bool skip = false;
    for (uint32_t i = 0; i < count && !pointer_is_bad(viewports); i++)
        skip |= check_viewport(call, &LOCATION_INDEX(NULL, "pViewports", i), &viewports[i]);
    return skip;
}

/* --- viewports and scissors --- */

bool core_validate_CmdSetViewport(struct call *call, VkCommandBuffer commandBuffer,
                                  uint32_t firstViewport, uint32_t viewportCount,
                                  const VkViewport *pViewports)
{
    bool skip = check_viewport_range(call, "firstViewport", firstViewport, "viewportCount",
                                     viewportCount, VUID_vkCmdSetViewport_firstViewport_01223);
    skip |= check_not_inherited(call, VUID_vkCmdSetViewport_commandBuffer_04821);
    return skip | check_viewports(call, viewportCount, pViewports);
}

bool core_validate_CmdSetScissor(struct call *call, VkCommandBuffer commandBuffer,
                                 uint32_t firstScissor, uint32_t scissorCount,
                                 const VkRect2D *pScissors)
{
    static const struct rectangle_rules rules = {VUID_vkCmdSetScissor_x_00595,
                                                 VUID_vkCmdSetScissor_offset_00596,
                                                 VUID_vkCmdSetScissor_offset_00597};
    bool skip = check_viewport_range(call, "firstScissor", firstScissor, "scissorCount",
                                     scissorCount, VUID_vkCmdSetScissor_firstScissor_00592);
    skip |= check_not_inherited(call, VUID_vkCmdSetScissor_viewportScissor2D_04789);
    return skip | check_rectangles(call, "pScissors", scissorCount, pScissors, &rules);
}

bool core_validate_CmdSetViewportWithCount(struct call *call, VkCommandBuffer commandBuffer,
                                           uint32_t viewportCount, const VkViewport *pViewports)
{
    bool skip = check_promoted(call, VUID_vkCmdSetViewportWithCount_None_08971);
    skip |= check_not_inherited(call, VUID_vkCmdSetViewportWithCount_commandBuffer_04819);
    return skip | check_viewports(call, viewportCount, pViewports);
}

bool core_validate_CmdSetScissorWithCount(struct call *call, VkCommandBuffer commandBuffer,
                                          uint32_t scissorCount, const VkRect2D *pScissors)
{
    static const struct rectangle_rules rules = {VUID_vkCmdSetScissorWithCount_x_03399,
                                                 VUID_vkCmdSetScissorWithCount_offset_03400,
                                                 VUID_vkCmdSetScissorWithCount_offset_03401};
    bool skip = check_promoted(call, VUID_vkCmdSetScissorWithCount_None_08971);
    skip |= check_not_inherited(call, VUID_vkCmdSetScissorWithCount_commandBuffer_04820);
    return skip | check_rectangles(call, "pScissors", scissorCount, pScissors, &rules);
}

bool core_validate_CmdSetViewportWScalingNV(struct call *call, VkCommandBuffer commandBuffer,
                                            uint32_t firstViewport, uint32_t viewportCount,
                                            const VkViewportWScalingNV *pViewportWScalings)
{
    return check_viewport_range(call, "firstViewport", firstViewport, "viewportCount",
                                viewportCount, VUID_vkCmdSetViewportWScalingNV_firstViewport_01324);
}

bool core_validate_CmdSetViewportShadingRatePaletteNV(struct call *call,
                                                      VkCommandBuffer commandBuffer,
                                                      uint32_t firstViewport,
                                                      uint32_t viewportCount,
                                                      const VkShadingRatePaletteNV
                                                          *pShadingRatePalettes)
{
    return check_viewport_range(call, "firstViewport", firstViewport, "viewportCount",
                                viewportCount,
                                VUID_vkCmdSetViewportShadingRatePaletteNV_firstViewport_02067) |
           check_shading_palettes(call, NULL, "pShadingRatePalettes", viewportCount,
                                  pShadingRatePalettes);
}

bool core_validate_CmdSetExclusiveScissorNV(struct call *call, VkCommandBuffer commandBuffer,
                                            uint32_t firstExclusiveScissor,
                                            uint32_t exclusiveScissorCount,
                                            const VkRect2D *pExclusiveScissors)
{
    static const struct rectangle_rules rules = {VUID_vkCmdSetExclusiveScissorNV_x_02037,
                                                 VUID_vkCmdSetExclusiveScissorNV_offset_02038,
                                                 VUID_vkCmdSetExclusiveScissorNV_offset_02039};
    bool skip = check_viewport_range(call, "firstExclusiveScissor", firstExclusiveScissor,
                                     "exclusiveScissorCount", exclusiveScissorCount,
                                     VUID_vkCmdSetExclusiveScissorNV_firstExclusiveScissor_02034);
    return skip | check_rectangles(call, "pExclusiveScissors", exclusiveScissorCount,
                                   pExclusiveScissors, &rules);
}

bool core_validate_CmdSetExclusiveScissorEnableNV(struct call *call, VkCommandBuffer commandBuffer,
                                                  uint32_t firstExclusiveScissor,
                                                  uint32_t exclusiveScissorCount,
                                                  const VkBool32 *pExclusiveScissorEnables)
{
    struct subject s = {.call = call};
    REQUIRE(&s, VUID_vkCmdSetExclusiveScissorEnableNV_exclusiveScissor_07853,
            has_feature(call, FEATURE_exclusiveScissor), NULL,
            "needs the exclusiveScissor feature, which is not enabled");
    return s.skip;
}

bool core_validate_CmdSetDiscardRectangleEXT(struct call *call, VkCommandBuffer commandBuffer,
                                             uint32_t firstDiscardRectangle,
                                             uint32_t discardRectangleCount,
                                             const VkRect2D *pDiscardRectangles)
{
    static const struct rectangle_rules rules = {VUID_vkCmdSetDiscardRectangleEXT_x_00587,
                                                 VUID_vkCmdSetDiscardRectangleEXT_offset_00588,
                                                 VUID_vkCmdSetDiscardRectangleEXT_offset_00589};
    return check_not_inherited(call, VUID_vkCmdSetDiscardRectangleEXT_viewportScissor2D_04788) |
           check_rectangles(call, "pDiscardRectangles", discardRectangleCount, pDiscardRectangles,
                            &rules);
}

bool core_validate_CmdSetCoarseSampleOrderNV(struct call *call, VkCommandBuffer commandBuffer,
                                             VkCoarseSampleOrderTypeNV sampleOrderType,
                                             uint32_t customSampleOrderCount,
                                             const VkCoarseSampleOrderCustomNV *pCustomSampleOrders)
{
    return check_coarse_orders(call, NULL, customSampleOrderCount, pCustomSampleOrders,
                               VUID_vkCmdSetCoarseSampleOrderNV_pCustomSampleOrders_02235);
}

/* --- depth and stencil --- */

bool core_validate_CmdSetDepthBounds(struct call *call, VkCommandBuffer commandBuffer,
                                     float minDepthBounds, float maxDepthBounds)
{
    if (call_has_extension(call, EXTENSION_VK_EXT_depth_range_unrestricted))
        return false;
    struct subject s = {.call = call};
    REQUIRE(&s, VUID_vkCmdSetDepthBounds_minDepthBounds_00600,
            minDepthBounds >= 0.0f && minDepthBounds <= 1.0f, "minDepthBounds",
            "is %g, but must be between 0 and 1 without VK_EXT_depth_range_unrestricted",
            (double)minDepthBounds);
    REQUIRE(&s, VUID_vkCmdSetDepthBounds_maxDepthBounds_00601,
            maxDepthBounds >= 0.0f && maxDepthBounds <= 1.0f, "maxDepthBounds",
            "is %g, but must be between 0 and 1 without VK_EXT_depth_range_unrestricted",
            (double)maxDepthBounds);
    return s.skip;
}

/* --- vertex input, tessellation, colors --- */

static bool check_dynamic_binding(const struct call *call, const struct location *where,
                                  const VkVertexInputBindingDescription2EXT *binding)
{
    assert(binding);
    uint32_t most =
        call->device->extended.VertexAttributeDivisorPropertiesEXT.maxVertexAttribDivisor;
    const struct location *divisor = &LOCATION(where, "divisor");
    struct subject s = {.call = call, .where = where};
    /* The divisor is only checked if the limit is known. Without the feature, 04799 reports it. */
    if (most && has_feature(call, FEATURE_vertexAttributeInstanceRateDivisor))
        REQUIRE(&s, VUID_VkVertexInputBindingDescription2EXT_divisor_06226,
                binding->divisor <= most, divisor, "is %u, but maxVertexAttribDivisor is %u",
                binding->divisor, most);
    return s.skip;
}

/* Checks the format of a vertex attribute. Values that are not formats are left to the stateless
 * validator. */
static bool check_dynamic_attribute(const struct call *call, const struct location *where,
                                    const VkVertexInputAttributeDescription2EXT *attribute)
{
    assert(attribute);
    struct subject s = {.call = call, .where = where};
    REQUIRE(&s, VUID_VkVertexInputAttributeDescription2EXT_format_04805,
            !format_info(attribute->format) ||
                format_buffer_features(call->device, attribute->format) &
                    VK_FORMAT_FEATURE_2_VERTEX_BUFFER_BIT,
            "format", "is %s, which the device cannot use for vertex buffers",
            value_text(VALUES_VkFormat, attribute->format).text);
    return s.skip;
}

/* True if one of the first `count` bindings has this number. */
static bool has_dynamic_binding(uint32_t count, const VkVertexInputBindingDescription2EXT *bindings,
                                uint32_t binding)
{
    assert(bindings || !count);
    for (uint32_t i = 0; i < count; i++) {
        if (bindings[i].binding == binding)
            return true;
    }
    return false;
}

bool core_validate_CmdSetVertexInputEXT(struct call *call, VkCommandBuffer commandBuffer,
                                        uint32_t vertexBindingDescriptionCount,
                                        const VkVertexInputBindingDescription2EXT
                                            *pVertexBindingDescriptions,
                                        uint32_t vertexAttributeDescriptionCount,
                                        const VkVertexInputAttributeDescription2EXT
                                            *pVertexAttributeDescriptions)
{
    const VkPhysicalDeviceLimits *limits = limits_of(call);
    struct subject s = {.call = call};
    /* rows report it */
    if (vertexBindingDescriptionCount > limits->maxVertexInputBindings ||
        vertexAttributeDescriptionCount > limits->maxVertexInputAttributes)
        return false;
    for (uint32_t i = 0; i < vertexBindingDescriptionCount; i++) {
        const struct location *where = &LOCATION_INDEX(NULL, "pVertexBindingDescriptions", i);
        uint32_t binding = pVertexBindingDescriptions[i].binding;
        s.skip |= check_dynamic_binding(call, where, &pVertexBindingDescriptions[i]);
        REQUIRE(&s, VUID_vkCmdSetVertexInputEXT_pVertexBindingDescriptions_04794,
                !has_dynamic_binding(i, pVertexBindingDescriptions, binding),
                &LOCATION(where, "binding"), "is %u, as is that of an earlier element", binding);
    }
    for (uint32_t i = 0; i < vertexAttributeDescriptionCount; i++) {
        const struct location *where = &LOCATION_INDEX(NULL, "pVertexAttributeDescriptions", i);
        const VkVertexInputAttributeDescription2EXT *attribute = &pVertexAttributeDescriptions[i];
        s.skip |= check_dynamic_attribute(call, where, attribute);
        REQUIRE(&s, VUID_vkCmdSetVertexInputEXT_binding_04793,
                attribute->binding >= limits->maxVertexInputBindings ||
                    has_dynamic_binding(vertexBindingDescriptionCount, pVertexBindingDescriptions,
                                        attribute->binding),
                &LOCATION(where, "binding"),
                "is %u, but no element of pVertexBindingDescriptions has that binding",
                attribute->binding);
        for (uint32_t k = 0; k < i; k++) {
            if (pVertexAttributeDescriptions[k].location == attribute->location) {
                BROKEN(&s, VUID_vkCmdSetVertexInputEXT_pVertexAttributeDescriptions_04795,
                       &LOCATION(where, "location"),
                       "is %u, as is that of pVertexAttributeDescriptions[%u]", attribute->location,
                       k);
                break;
            }
        }
    }
    return s.skip;
}
