/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "vk/extensions.h"

#include <string.h>

#include "vk/vulkan.h"

const struct extension_info extension_info[EXTENSION_COUNT] = {
% for i, name in enumerate(m.versions):
    [EXTENSION_${name}] = {"${name}", ${i + 1}, EXTENSION_COUNT, false},
% endfor
% for name, e in m.extensions.items():
    [EXTENSION_${name}] = {"${name}", ${e.specVersionValue}, ${m.promotion_constant(e)}, ${'true' if e.instance else 'false'}},
% endfor
};

enum extension extension_by_name(const char *name)
{
    for (int i = 0; i < EXTENSION_COUNT; i++) {
        if (!strcmp(extension_info[i].name, name))
            return (enum extension)i;
    }
    return EXTENSION_COUNT;
}

void extension_set_enable(struct extension_set *set, uint32_t api_version, const char *const *names, uint32_t count)
{
    static const uint32_t versions[] = {
% for name in m.versions:
        VK_MAKE_API_VERSION(0, ${name.split('_')[2]}, ${name.split('_')[3]}, 0),
% endfor
    };
    for (uint32_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
        if (api_version >= versions[i])
            extension_set_add(set, (enum extension)i);
    }
    for (uint32_t i = 0; names && i < count; i++) {
        enum extension extension = names[i] ? extension_by_name(names[i]) : EXTENSION_COUNT;
        if (extension != EXTENSION_COUNT)
            extension_set_add(set, extension);
    }
    /* An extension that an enabled version (or extension) includes counts as enabled; promotions chain, so repeat until stable. */
    for (bool grown = true; grown;) {
        grown = false;
        for (int i = 0; i < EXTENSION_COUNT; i++) {
            uint16_t into = extension_info[i].promoted_to;
            if (into < ${len(m.versions)} && extension_set_has(set, (enum extension)into) && !extension_set_has(set, (enum extension)i)) {
                extension_set_add(set, (enum extension)i);
                grown = true;
            }
        }
    }
}
