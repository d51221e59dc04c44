/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_VK_EXTENSIONS_H
#define ASSAY_VK_EXTENSIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Every extension of the registry, and the versions of Vulkan past 1.0 as if they were extensions. */
enum extension {
% for name in m.versions:
    EXTENSION_${name},
% endfor
% for name in m.extensions:
    EXTENSION_${name},
% endfor
    EXTENSION_COUNT
};

struct extension_info {
    const char *name;         /* "VK_KHR_swapchain"; "VK_VERSION_1_1" */
    uint32_t spec_version;
    uint16_t promoted_to;     /* the version or extension that includes it, or EXTENSION_COUNT */
    bool instance;            /* else a device extension */
};
extern const struct extension_info extension_info[EXTENSION_COUNT];

struct extension_set {
    uint64_t bits[(EXTENSION_COUNT + 63) / 64];
};

static inline bool extension_set_has(const struct extension_set *set, enum extension extension)
{
    return (set->bits[extension / 64] >> (extension % 64)) & 1;
}

static inline void extension_set_add(struct extension_set *set, enum extension extension)
{
    set->bits[extension / 64] |= 1ull << (extension % 64);
}

/* EXTENSION_COUNT when the registry knows no extension of that name. */
enum extension extension_by_name(const char *name);
/* The names enabled at creation, with the versions up to `api_version`, and every extension that those versions include. */
void extension_set_enable(struct extension_set *set, uint32_t api_version, const char *const *names, uint32_t count);

#endif
