/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit.
 * Gives each command to the advice on barriers. This is a validator of its own, so that it costs nothing
 * where no advice is wanted. */
#include "sync/advice/advice.h"
#include "sync/sync.h"

#include "settings/settings.h"

static bool enabled(const struct settings *settings)
{
    return settings->validate_sync && settings->validate_best_practices;
}
% for name, act in rules.advice_hooks(m):

static ${rules.declaration(m, name, 'validate', f'hears_{name[2:]}')}
{
    if (!call_is_refused(call))
        ${act};
    return false;
}
% endfor

static void fill(struct validator_hooks *hooks)
{
% for name, _ in rules.advice_hooks(m):
    hooks->validate_${name[2:]} = hears_${name[2:]};
% endfor
}

static struct validator_hooks own_hooks;
const struct validator advice_validator = {
    .name = "advice",
    .enabled = enabled,
    .hooks = &own_hooks,
    .fill = fill,
};
