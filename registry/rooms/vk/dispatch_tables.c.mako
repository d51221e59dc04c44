/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "vk/dispatch_tables.h"

#include "base/base.h"

<% by_root = {}
for alias, root in m.aliases.items():
    by_root.setdefault(root, []).append(alias)
%>\
/* A command under its own name, or under the first alias that the next one in the chain has. */
struct load_entry {
    uint16_t offset; /* in the dispatch table, in pointers */
    const char *name;
};

static const struct load_entry instance_entries[] = {
% for name, c in m.commands.items():
% if not m.is_device_command(c) and not m.is_global(c) and name != 'vkGetInstanceProcAddr':
% for spelling in [name] + by_root.get(name, []):
    {offsetof(struct instance_dispatch, ${name[2:]}) / sizeof(void *), "${spelling}"},
% endfor
% endif
% endfor
};

static const struct load_entry device_entries[] = {
% for name, c in m.commands.items():
% if m.is_device_command(c):
% for spelling in [name] + by_root.get(name, []):
    {offsetof(struct device_dispatch, ${name[2:]}) / sizeof(void *), "${spelling}"},
% endfor
% endif
% endfor
};

/* An instance of Vulkan 1.0 has what 1.1 took in under the extension's name only, though the one below may answer to both. */
void instance_dispatch_load(struct instance_dispatch *dispatch, VkInstance instance, PFN_vkGetInstanceProcAddr next,
                            bool aliases_first)
{
    PFN_vkVoidFunction *table = (PFN_vkVoidFunction *)(void *)dispatch;
    dispatch->GetInstanceProcAddr = next;
    for (size_t i = 0; i < ARRAY_LENGTH(instance_entries); i++) {
        PFN_vkVoidFunction *command = &table[instance_entries[i].offset];
        PFN_vkVoidFunction found = *command && !aliases_first ? NULL : next(instance, instance_entries[i].name);
        if (found)
            *command = found;
    }
}

void device_dispatch_load(struct device_dispatch *dispatch, VkDevice device, PFN_vkGetDeviceProcAddr next)
{
    PFN_vkVoidFunction *table = (PFN_vkVoidFunction *)(void *)dispatch;
    for (size_t i = 0; i < ARRAY_LENGTH(device_entries); i++) {
        if (!table[device_entries[i].offset])
            table[device_entries[i].offset] = next(device, device_entries[i].name);
    }
}
