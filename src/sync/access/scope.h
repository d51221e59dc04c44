/* Finds what one half of a barrier, subpass dependency, semaphore or event covers. It
 * makes a synchronization scope and an access scope of the program's masks of stages and accesses.
 * (7.1 "Execution and Memory Dependencies", 7.1.2 "Pipeline Stages", 7.1.3 "Access Types")
 *
 * Stages are sync_stage_mask (bit i is enum sync_stage i, basic stages only) everywhere after these
 * functions, accesses are struct usage_mask. The program's flags are converted once, here, when a
 * scope is built, and never again. Masks of version 1 and 2 go in alike: the bits of
 * VkPipelineStageFlags and VkAccessFlags are those of version 2 (VK_PIPELINE_STAGE_TRANSFER_BIT is
 * ALL_TRANSFER).
 *
 * Bits that are not flags of this version of Vulkan mean nothing. A stage that the queue does not
 * have makes no access (core reports both). Threads: any; everything here is pure. */
#ifndef ASSAY_SYNC_SCOPE_H
#define ASSAY_SYNC_SCOPE_H

#include "sync/access/usage_mask.h"

/* The stages and accesses of a queue family, HOST and its accesses included. Made once for a
 * command buffer or queue. */
struct sync_queue {
    sync_stage_mask stages;
    struct usage_mask usages;
};

/* The queue of a family with these abilities (7.1.2, table "Supported Pipeline Stage Flags"); 0 =
 * not known: everything. As in that table, a family with graphics or compute can transfer though
 * its flags need not say so. */
struct sync_queue sync_queue_of(VkQueueFlags flags);

/* One half of a dependency.
 * Threads: immutable once built. */
struct sync_scope {
    /* whose execution is included: those named, and the logically earlier (source) or later
     * (destination) ones */
    sync_stage_mask stages;
    struct usage_mask accesses; /* pairs of a stage that was named and an access that was named */
};

/* The first and the second scope of a command with these masks ("If a synchronization command
 * includes a source stage mask ..."): logically earlier or later stages are in `stages` only, "only
 * the stages the application specifies are considered part of each access scope". TOP_OF_PIPE is
 * nothing as a source and the execution of all commands as a destination, BOTTOM_OF_PIPE the
 * reverse; neither makes accesses. A few instructions a bit set: groups cost no more than their one
 * bit. */
struct sync_scope sync_scope_source(VkPipelineStageFlags2 stages, VkAccessFlags2 accesses,
                                    const struct sync_queue *queue);
struct sync_scope sync_scope_destination(VkPipelineStageFlags2 stages, VkAccessFlags2 accesses,
                                         const struct sync_queue *queue);

/* The accesses that a semaphore wait lets wait (7.4.2 "Semaphore Waiting"): all in the stages and
 * those logically later. "The second synchronization scope includes every command submitted in the
 * same batch". Where that is all stages (here TOP_OF_PIPE is "equivalent to
 * VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT") it includes the layout transitions that commands make,
 * which are in no stage. Their first scope needs not name anything (SYNC_TRANSITIONS). */
#define SYNC_TRANSITIONS ((sync_stage_mask)1 << SYNC_STAGE_NONE)
struct sync_scope sync_scope_wait(VkPipelineStageFlags2 stages, const struct sync_queue *queue);

/* The steps of the functions above, one by one. */

/* Groups (ALL_COMMANDS, ALL_GRAPHICS, ALL_TRANSFER, VERTEX_INPUT, PRE_RASTERIZATION_SHADERS) become
 * their basic stages, as far as the queue has them. TOP_OF_PIPE and BOTTOM_OF_PIPE become nothing:
 * their meaning depends on the half of the barrier. */
sync_stage_mask sync_expand_stages(VkPipelineStageFlags2 stages, const struct sync_queue *queue);

/* `stages` and all that are logically earlier, or later, in a pipeline that has one of them (7.1.2,
 * "logically earlier"). Only an order that the specification states: CONDITIONAL_RENDERING has
 * none, FRAGMENT_DENSITY_PROCESS is before EARLY_FRAGMENT_TESTS and what follows,
 * CLUSTER_CULLING_SHADER and INVOCATION_MASK stand in no pipeline of the registry. DRAW_INDIRECT is
 * the first stage of graphics, compute and ray tracing alike. So it, and ALL_GRAPHICS, which
 * includes it, has COMPUTE_SHADER and RAY_TRACING_SHADER among its later stages. */
sync_stage_mask sync_earlier_stages(sync_stage_mask stages);
sync_stage_mask sync_later_stages(sync_stage_mask stages);

/* Names for several accesses (MEMORY_READ, MEMORY_WRITE, SHADER_READ, SHADER_WRITE) become the
 * accesses that they stand for. SHADER_READ itself stays in the mask: with the stages
 * ACCELERATION_STRUCTURE_BUILD and MICROMAP_BUILD it is an access of its own. */
VkAccessFlags2 sync_expand_accesses(VkAccessFlags2 accesses);

/* The legal pairs of one of `stages` and one of `accesses`, groups of accesses included (7.1.3,
 * table "Supported Access Types"). */
struct usage_mask sync_access_scope(sync_stage_mask stages, VkAccessFlags2 accesses);

/* Back to the program's flags, for reports: each basic stage by its bit. */
VkPipelineStageFlags2 sync_stage_flags(sync_stage_mask stages);

/* The stages and accesses of all pairs in a set, as flags: a barrier that names both covers the
 * set. */
VkPipelineStageFlags2 usage_mask_stage_flags(const struct usage_mask *mask);
VkAccessFlags2 usage_mask_access_flags(const struct usage_mask *mask);

#endif
