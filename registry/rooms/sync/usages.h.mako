<% from rooms.sync import usages as sync_usages
t = sync_usages.tables(m) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit.
 * Every basic pipeline stage, and every legal pair of one with an access, by number (7.1.2 "Pipeline Stages", 7.1.3 "Access Types"). */
#ifndef ASSAY_SYNC_USAGES_H
#define ASSAY_SYNC_USAGES_H

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include "base/base.h"

/* Basic stages, the graphics pipelines' first and in their logical order. Groups (ALL_COMMANDS, ALL_GRAPHICS, ALL_TRANSFER, VERTEX_INPUT,
 * PRE_RASTERIZATION_SHADERS) and TOP/BOTTOM_OF_PIPE are none. */
enum sync_stage {
% for s in t.stages:
    ${s.constant},
% endfor
    SYNC_STAGE_BASIC_COUNT, /* of stages that masks can name */
    SYNC_STAGE_PRESENT_ENGINE = SYNC_STAGE_BASIC_COUNT, /* in no queue, in no scope: only semaphores and fences reach it */
    SYNC_STAGE_COUNT,
    SYNC_STAGE_NONE = SYNC_STAGE_COUNT /* of what is in no stage: layout transitions */
};

/* Bit i: enum sync_stage i. */
typedef uint64_t sync_stage_mask;

/* Legal pairs in the order of their stages; before them what is not a pair. SYNC_<stage>_<access>. */
enum sync_usage {
    SYNC_NONE,                            /* no access */
    SYNC_IMAGE_LAYOUT_TRANSITION,         /* reads and writes all of its subresources (7.1.1 "Image Layout Transitions") */
    SYNC_QUEUE_FAMILY_OWNERSHIP_TRANSFER, /* the same, of a transfer without a transition ("Queue Family Ownership Transfer") */
    SYNC_PRESENT_ENGINE_READ,             /* from vkQueuePresentKHR's waits until the image is acquired again */
    SYNC_PRESENT_ENGINE_ACQUIRE,          /* counts as a write: nothing may touch the image before it has waited for the acquire */
% for u in t.usages:
    ${u.name},
% endfor
    SYNC_USAGE_COUNT,
    SYNC_USAGE_FIRST_PAIR = ${t.usages[0].name}
};

/* A set of usages. Helpers: sync/access/usage_mask.h. */
#define USAGE_MASK_WORDS ${t.words}
struct usage_mask {
    uint64_t bits[USAGE_MASK_WORDS];
};

/* The flags' own names are value_text(VALUES_VkPipelineStageFlags2, stage_bit) and value_text(VALUES_VkAccessFlags2, access). */
struct sync_usage_info {
    VkPipelineStageFlags2 stage_bit; /* 0 of what is not a pair */
    VkAccessFlags2 access;           /* one bit, or 0 */
    sync_stage_mask stage_mask;      /* 1 << stage; 0 where the stage is SYNC_STAGE_NONE */
    uint16_t name;                   /* offset in sync_usage_names */
    uint8_t stage;                   /* enum sync_stage */
    bool is_write;
};
extern HIDDEN const struct sync_usage_info sync_usage_info[SYNC_USAGE_COUNT];
extern HIDDEN const char sync_usage_names[];

/* All usages that read, and that write; SYNC_NONE is in neither. */
extern HIDDEN const struct usage_mask sync_reads, sync_writes;

/* The flag of each basic stage; 0 of the presentation engine. */
extern HIDDEN const VkPipelineStageFlags2 sync_stage_bit[SYNC_STAGE_COUNT];

/* The stages that a bit of a VkPipelineStageFlags2 stands for, by the bit's number; groups as their
 * members. TOP_OF_PIPE and BOTTOM_OF_PIPE have no stages and no usages, but are all commands as a
 * destination and as a source. ALL_COMMANDS is without HOST, which no command executes. */
struct sync_stage_row {
    sync_stage_mask stages;      /* the basic stages */
    sync_stage_mask source;      /* with the logically earlier ones */
    sync_stage_mask destination; /* with the logically later ones */
    struct usage_mask usages;    /* pairs of `stages` */
};
extern HIDDEN const struct sync_stage_row sync_stage_rows[64];

/* The same for a VkAccessFlags2. */
struct sync_access_row {
    VkAccessFlags2 accesses; /* those with pairs */
    struct usage_mask usages;
};
extern HIDDEN const struct sync_access_row sync_access_rows[64];

/* The abilities of a queue beyond HOST, by the number of each bit of its VkQueueFlags. */
#define SYNC_QUEUE_BITS ${max(number for number, _, _, _ in t.queue_rows()) + 1}
struct sync_queue_row {
    sync_stage_mask stages;
    struct usage_mask usages;
};
extern HIDDEN const struct sync_queue_row sync_queue_rows[SYNC_QUEUE_BITS];

#endif
