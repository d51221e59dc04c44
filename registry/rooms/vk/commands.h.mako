/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_VK_COMMANDS_H
#define ASSAY_VK_COMMANDS_H

#include <stdbool.h>
#include <stdint.h>

#include "vk/vulkan.h"

/* Every command that the layer knows. Those that are not an alias come first: hooks are kept for them. */
enum command {
% for name in m.commands:
    ${m.command_constant(name)},
% endfor
    COMMAND_ROOT_COUNT,
    COMMAND_BEFORE_ALIASES = COMMAND_ROOT_COUNT - 1,
% for name in m.aliases:
    ${m.command_constant(name)},
% endfor
    COMMAND_COUNT
};

extern const char *const command_name[COMMAND_COUNT];            /* "vkCmdDraw" */
/* True if it only fills in structures of the program. Such a call is never refused, whatever a callback
 * answers; but it does not go down with pointers or handles that cannot be used. */
extern const bool command_only_answers[COMMAND_ROOT_COUNT];
extern const uint16_t command_root[COMMAND_COUNT];               /* itself, or what it is an alias of */

#endif
