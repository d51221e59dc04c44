/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_CORE_EXTENSION_NEEDS_H
#define ASSAY_CORE_EXTENSION_NEEDS_H

#include "vk/extensions.h"

#define EXTENSION_NEED_OR  0x8000u
#define EXTENSION_NEED_END 0xffffu

/* A device extension that needs others, or a version. */
struct extension_need {
    uint16_t extension;
    uint16_t words; /* the first of extension_need_words: enum extension, the last of an alternative marked EXTENSION_NEED_OR; END */
    const char *text;
};

<% needs = rules.extension_needs(m) %>\
static const uint16_t extension_need_words[] = {
% for words in needs.words:
    ${words},
% endfor
};

static const struct extension_need extension_needs[] = {
% for name, offset, text in needs.extensions:
    {EXTENSION_${name}, ${offset}, "${text}"},
% endfor
};

#endif
