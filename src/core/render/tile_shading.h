/* Says whether the current render pass instance shades tiles (VK_QCOM_tile_shading). Threads: the
 * thread that records the command buffer. */
#ifndef ASSAY_CORE_RENDER_TILE_SHADING_H
#define ASSAY_CORE_RENDER_TILE_SHADING_H

#include "state/command/command_buffer.h"

/* True if tile shading is enabled in the current instance, or that is not known. */
bool render_shades_tiles(const struct command_buffer *command_buffer);

#endif
