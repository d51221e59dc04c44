<% from model import sync_tables
t = sync_tables.tables(m) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_CORE_SYNC_TABLES_H
#define ASSAY_CORE_SYNC_TABLES_H

#include "objects/device.h"
#include "report/vuids.h"

/* Masks of stages and accesses for which valid-usage statements name features and stages. */
enum mask_place {
% for owner, member in t.places:
    MASK_${owner}_${member},
% endfor
    MASK_PLACE_COUNT
};

/* Stages that ask for one of these features (or an extension). */
struct stage_feature_rule {
    VkPipelineStageFlags2 stages;
    uint16_t features[4]; /* enum feature; the rest FEATURE_COUNT */
    uint16_t extension;   /* enum extension, or EXTENSION_COUNT */
};
#define STAGE_FEATURE_RULES ${len(t.feature_rules)}
extern const struct stage_feature_rule stage_feature_rules[STAGE_FEATURE_RULES];
/* All of their stages together. */
#define STAGES_WITH_FEATURES ${hex(eval('|'.join(str(r['stages']) for r in t.feature_rules.values())))}ull
/* VUID_COUNT where the mask has no such rule. */
enum vuid stage_feature_vuid(enum mask_place place, uint32_t rule);

/* Accesses of version 2 that ask for one of these stages. */
enum ray_query { RAY_QUERY_ANY, RAY_QUERY_ENABLED, RAY_QUERY_DISABLED };
struct access_rule {
    VkAccessFlags2 accesses;
    VkPipelineStageFlags2 stages;
    enum ray_query ray_query; /* the rule holds only where the feature is so */
};
#define ACCESS_RULES ${len(t.access_rules)}
extern const struct access_rule access_rules[ACCESS_RULES];
enum vuid access_vuid(enum mask_place place, uint32_t rule);

/* By number of the bit: queues that can do the stage (0 = all), stages that can make the access. */
extern const VkQueueFlags stage_queues[64];
extern const VkPipelineStageFlags2 access_stages[64];

#endif
