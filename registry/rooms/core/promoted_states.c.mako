/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit.
 *
 * vkCmdSet* commands of extensions that Vulkan 1.3 has, too: one of the feature, shaderObject, and an instance of that version. */
#include "core/hooks.h"

#include "report/finding/rule.h"

static COLD bool report(const struct call *call, enum vuid vuid, const char *feature)
{
    return BROKEN_BY(call, vuid, NULL, NULL,
                     "needs the %s or shaderObject feature, or an instance of Vulkan 1.3; none of them is enabled", feature);
}
% for name, feature, vuid in rules.promoted_states(m):

${rules.declaration(m, name, 'validate', f'core_validate_{name[2:]}')}
{
    if (likely(call->instance->api_version >= VK_API_VERSION_1_3 || device_has_feature(call->device, FEATURE_${feature}) ||
               device_has_feature(call->device, FEATURE_shaderObject)))
        return false;
    return report(call, ${m.vuid_constant(vuid)}, "${feature}");
}
% endfor
