/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit.
 * What the registry says of extensions: special uses, and what has taken their place. */
#ifndef ASSAY_PRACTICES_EXTENSION_FACTS_H
#define ASSAY_PRACTICES_EXTENSION_FACTS_H

#include "vk/extensions.h"

/* The purpose that an extension is made for. */
static const struct {
    uint16_t extension;
    const char *uses;
} special_uses[] = {
% for name, uses in rules.special_uses(m):
    {EXTENSION_${name}, "${uses}"},
% endfor
};

/* The successor of an extension: a version, an extension, or EXTENSION_COUNT. */
static const struct {
    uint16_t extension, by;
} superseded_extensions[] = {
% for name, by in rules.superseded_extensions(m):
    {EXTENSION_${name}, ${by}},
% endfor
};

#endif
