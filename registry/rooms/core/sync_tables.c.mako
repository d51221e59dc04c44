<% from model import sync_tables
t = sync_tables.tables(m)
def bit(value):
    return value.bit_length() - 1
lenient = dict(t.access_rows())
def allowed(rule):
    mask = rule['stages']
    for b, stages in lenient.items():
        if b & rule['accesses']:
            mask |= stages
    return mask & (1 << 64) - 1
ray = {None: 'RAY_QUERY_ANY', True: 'RAY_QUERY_ENABLED', False: 'RAY_QUERY_DISABLED'}
def allowed_ray(rule):
    return rule['stages'] if rule['ray_query'] is False else allowed(rule)
%>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "core/sync_tables.h"

const struct stage_feature_rule stage_feature_rules[STAGE_FEATURE_RULES] = {
% for number, rule in t.feature_rules.items():
    {${hex(rule['stages'])}ull, {${', '.join((rule['features'] + ['FEATURE_COUNT'] * 4)[:4])}}, ${'EXTENSION_' + rule['extensions'][0] if rule['extensions'] else 'EXTENSION_COUNT'}}, /* ${number} */
% endfor
};

static const uint16_t stage_feature_vuids[STAGE_FEATURE_RULES][MASK_PLACE_COUNT] = {
% for number, rule in t.feature_rules.items():
    {${', '.join(m.vuid_constant(rule['vuids'][p]) if p in rule['vuids'] else 'VUID_COUNT' for p in t.places)}},
% endfor
};

enum vuid stage_feature_vuid(enum mask_place place, uint32_t rule)
{
    return stage_feature_vuids[rule][place];
}

/* The stages of the sentence, and those that the table of supported access types has beside them: there is no finding in doubt. */
const struct access_rule access_rules[ACCESS_RULES] = {
% for number, rule in t.access_rules.items():
    {${hex(rule['accesses'])}ull, ${hex(allowed_ray(rule))}ull, ${ray[rule['ray_query']]}}, /* ${number} */
% endfor
};

static const uint16_t access_vuids[ACCESS_RULES][MASK_PLACE_COUNT] = {
% for number, rule in t.access_rules.items():
    {${', '.join(m.vuid_constant(rule['vuids'][p]) if p in rule['vuids'] else 'VUID_COUNT' for p in t.places)}},
% endfor
};

enum vuid access_vuid(enum mask_place place, uint32_t rule)
{
    return access_vuids[rule][place];
}

const VkQueueFlags stage_queues[64] = {
% for value, queues in t.stage_rows():
    [${bit(value)}] = ${' | '.join(queues) or 0},
% endfor
};

const VkPipelineStageFlags2 access_stages[64] = {
% for value, stages in t.access_rows():
    [${bit(value)}] = ${hex(stages)}ull,
% endfor
};
