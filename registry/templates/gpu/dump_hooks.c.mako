<%
import rules_gpu
points = {name: point for name, point in rules_gpu.actions(m).items() if point.isdigit()}
%>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit.
 * The commands that run a pipeline's shaders tell what is bound for these (gpu/dump.h): a validator of its own, which is there with the setting
 * `gpu_dump_descriptors` alone. In front of the checks, so that what they refuse is told as well. */
#include "gpu/dump.h"

static bool enabled(const struct settings *settings)
{
    return settings->gpu_dump_descriptors;
}
% for name, point in points.items():

static bool validate_${name[2:]}(struct call *call, ${m.parameter_list(m.commands[name])})
{
    dump_command(call, ${point});
    return false;
}
% endfor

struct validator dump_validator;

void dump_validator_fill(void)
{
    dump_validator.name = "dump";
    dump_validator.tells_numbers = true;
    dump_validator.enabled = enabled;
% for name in points:
    dump_validator.validate_${name[2:]} = validate_${name[2:]};
% endfor
}
