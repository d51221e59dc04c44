/* Random programs of accesses and synchronization commands over a few bytes: what both the oracle
 * (oracle.c) and the model (model.c) are asked about. */
#ifndef ASSAY_ORACLE_PROGRAM_H
#define ASSAY_ORACLE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <vulkan/vulkan_core.h>

#define SPACES       3
#define BYTES        6 /* of a space */
#define QUEUES       3
#define SEMAPHORES   4
#define EVENTS       2
#define LISTS        6 /* command buffers, and what is done with the queues */
#define TOP_LIST     (LISTS - 1)
#define OPS          28 /* of a list */
#define BARRIERS     3  /* of a command */
#define RANGES       2
#define GRAPHS       2
#define SUBPASSES    3
#define DEPENDENCIES 6

/* Kinds of programs: --features takes their sum. */
enum feature {
    FEATURE_RANGES = 1,      /* barriers of ranges */
    FEATURE_TRANSITIONS = 2, /* of layouts */
    FEATURE_MANY = 4,        /* several barriers in a command */
    FEATURE_EVENTS = 8,
    FEATURE_ORDER = 16,  /* dynamic rendering: rasterization order, load and store operations */
    FEATURE_PASSES = 32, /* render pass objects */
    FEATURE_SECONDARIES = 64,
    FEATURE_QUEUES = 128,        /* command buffers on several queues, with semaphores */
    FEATURE_SIGNAL_SCOPES = 256, /* semaphores signaled in a few stages only */
    FEATURE_SWEEPS = 512,        /* memory given back, resources destroyed */
    FEATURES_ALL = 1023
};

/* Stages that the programs use, as bits of a small mask; the graphics pipeline's first, in their
 * logical order. */
enum stage {
    DRAW_INDIRECT,
    VERTEX_INPUT,
    VERTEX,
    EARLY,
    FRAGMENT,
    LATE,
    COLOR,
    COMPUTE,
    COPY,
    CLEAR,
    STAGES
};

/* One legal pair of a stage and an access; the last one is a layout transition. */
struct usage {
    const char *name;
    enum stage stage;
    VkPipelineStageFlags2 stage_flag;
    VkAccessFlags2 access;
    bool write;
};
#define USAGES     18
#define TRANSITION USAGES
extern const struct usage usages[USAGES + 1];

struct place {
    uint8_t space, begin, end;
};

struct scopes {
    VkPipelineStageFlags2 src_stages, dst_stages;
    VkAccessFlags2 src_accesses, dst_accesses;
};

struct range {
    struct place place;
    uint8_t barrier;
    bool transition;
};

enum op_kind {
    OP_ACCESS,
    OP_BARRIERS,
    OP_SET_EVENT,
    OP_WAIT_EVENTS,
    OP_BEGIN_PASS,
    OP_NEXT_SUBPASS,
    OP_END_PASS,
    OP_BEGIN_INSTANCE,
    OP_END_INSTANCE,
    OP_EXECUTE, /* a secondary */
    /* of the last list only: */
    OP_SUBMIT,
    OP_SIGNAL,
    OP_WAIT,
    OP_SWEEP,
    OP_FORGET,
};

struct op {
    enum op_kind kind;
    struct place place; /* OP_ACCESS, OP_FORGET */
    uint8_t usage, ordering;
    uint8_t barrier_count, global_count, range_count;
    /* of OP_SET_EVENT, too: more than one of vkCmdSetEvent2; [0] of semaphores */
    struct scopes barriers[BARRIERS];
    struct range ranges[RANGES];
    uint8_t event_count, events[EVENTS];
    /* OP_WAIT_EVENTS: each event with the dependency that it was set with */
    bool version2;
    /* of which event each of the barriers then is: its place in `events`, from 1; 0: all */
    uint8_t event_of[BARRIERS];
    uint8_t list, graph, queue, semaphore;
    /* repeated: OP_BARRIERS over everything, so often that they fill blocks of a log */
    bool resumed, repeated;
};

struct dependency {
    uint8_t src, dst; /* subpass or EXTERNAL */
    struct scopes scopes;
};
#define EXTERNAL 255

struct graph {
    uint8_t subpass_count, dependency_count;
    struct dependency dependencies[DEPENDENCIES];
};

struct list {
    uint8_t op_count;
    bool secondary, continues; /* continues: is executed in a subpass or an instance */
    struct op ops[OPS];
};

/* Lists execute only lists with lower numbers; those are secondaries. TOP_LIST submits. */
struct program {
    struct list lists[LISTS];
    struct graph graphs[GRAPHS];
};

void program_generate(struct program *program, uint64_t seed, unsigned features);
/* Changes a program that has its first hazard at this operation, so that it may get further:
 * `random` says how. */
void program_mend(struct program *program, unsigned list, unsigned op, uint64_t random);
/* Takes out what must not be where it is, and ends what is left open. Programs are valid
 * afterwards, but for hazards. */
void program_repair(struct program *program);
void program_print(const struct program *program, FILE *file);

#endif
