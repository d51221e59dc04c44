/* Checks where per-tile execution may begin and end (8.14 "Tile Shading Render Pass"). */
#include "core/render/tile_shading.h"

#include "core/hooks.h"

#include "report/finding/rule.h"
#include "state/command/rendering.h"
#include "state/command/sections.h"

bool render_shades_tiles(const struct command_buffer *command_buffer)
{
    const struct render_pass_instance *rendering = active_rendering(command_buffer);
    const struct render_pass *pass = active_render_pass(command_buffer);
    if (!rendering || rendering->inherited)
        return true;
    if (rendering->kind == RENDERING_DYNAMIC)
        return rendering->tile_shading;
    return !pass || pass->tiles.flags & VK_TILE_SHADING_RENDER_PASS_ENABLE_BIT_QCOM;
}

/* Checks that the instance was begun for tile shading. */
static bool tile_shading_check_tiles(struct call *call, enum rule rule)
{
    struct subject s = {.call = call};
    REQUIRE(&s, rule, render_shades_tiles(call_command_buffer(call)), NULL,
            "is recorded in a render pass instance that was begun without "
            "VK_TILE_SHADING_RENDER_PASS_ENABLE_BIT_QCOM");
    return s.skip;
}

bool core_validate_CmdBeginPerTileExecutionQCOM(struct call *call, VkCommandBuffer commandBuffer,
                                                const VkPerTileBeginInfoQCOM *pPerTileBeginInfo)
{
    return tile_shading_check_tiles(call, RULE_10664);
}

bool core_validate_CmdEndPerTileExecutionQCOM(struct call *call, VkCommandBuffer commandBuffer,
                                              const VkPerTileEndInfoQCOM *pPerTileEndInfo)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const struct render_pass_instance *rendering = active_rendering(command_buffer);
    struct subject s = {.call = call};
    if (!render_shades_tiles(command_buffer))
        return tile_shading_check_tiles(call, RULE_10667);
    if (rendering && !rendering->inherited && command_buffer->sections)
        REQUIRE(&s, RULE_10666, command_buffer->sections->per_tile, NULL,
                "ends per-tile execution that was not begun");
    return s.skip;
}
