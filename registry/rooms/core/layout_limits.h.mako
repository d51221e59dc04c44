<% t = rules.layout_limits(m) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit.
 *
 * How many descriptors the set layouts of a pipeline layout may have together (registry/rooms/core/layout_limits.py). */
#ifndef ASSAY_CORE_LAYOUT_LIMITS_H
#define ASSAY_CORE_LAYOUT_LIMITS_H

#include "objects/device.h"
#include "report/finding/finding.h"
#include "state/descriptor/descriptor.h"

/* One statement: the descriptors of these types, of layouts without update-after-bind or of all, to each stage or all together, are at
 * most as many as the larger one of the limits says. */
struct layout_limit {
    uint16_t vuid;       /* enum vuid */
    uint16_t extension;  /* without which there is no such limit; EXTENSION_COUNT: there always is */
    uint16_t feature;    /* that must be on, or (`feature_off`) must not be; FEATURE_COUNT: it counts always */
    bool feature_off;
    bool per_stage, after_bind;
    uint16_t most[2];    /* offsets of the limits in struct device; the same twice where there is one */
    uint16_t name, what; /* in layout_limit_names: of the last limit; what it counts */
    uint32_t tags;       /* 1 << enum descriptor_tag */
};

static const struct layout_limit layout_limits[] = {
% for x in t.limits:
    {${m.vuid_constant(x.vuid)}, ${f'EXTENSION_{x.extension}' if x.extension else 'EXTENSION_COUNT'}, ${f'FEATURE_{x.feature}' if x.feature else 'FEATURE_COUNT'}, ${'true' if x.off else 'false'}, ${'true' if x.per_stage else 'false'}, ${'true' if x.after_bind else 'false'},
     {${', '.join(f'offsetof(struct device, {p})' for p in (x.places[0], x.places[-1]))}}, ${t.pool.offset(x.name)}, ${t.pool.offset(x.words)},
     ${' | '.join(f'1u << DESCRIPTOR_{tag}' for tag in x.tags)}},
% endfor
};

/* For each type of descriptors, the limits that count it: a bit for each of layout_limits. */
static_assert(ARRAY_LENGTH(layout_limits) <= 64, "a bit each");
static const uint64_t layout_limits_of_tag[DESCRIPTOR_TAG_COUNT] = {
% for tag, bits in t.of_tags.items():
    [DESCRIPTOR_${tag}] = 0x${f'{bits:x}'},
% endfor
};

static const char layout_limit_names[] =
% for text in bytes(t.pool.data).decode('ascii').split('\0')[:-1]:
    "${text}\0"
% endfor
    "";

#endif
