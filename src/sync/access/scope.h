/* Finds what one half of a barrier, subpass dependency, semaphore or event covers. The program's
 * masks of stages and accesses are made into a synchronization scope and an access scope. (7.1
 * "Execution and Memory Dependencies", 7.1.2 "Pipeline Stages", 7.1.3 "Access Types")
 *
 * In the rest of the code, stages are a sync_stage_mask, whose bit i is the basic stage i of enum
 * sync_stage. Accesses are a struct usage_mask. The program's flags are converted once, here, when
 * a scope is built, and never again. Masks of version 1 and 2 are passed alike: the bits of
 * VkPipelineStageFlags and VkAccessFlags are those of version 2 (VK_PIPELINE_STAGE_TRANSFER_BIT is
 * ALL_TRANSFER).
 *
 * Bits that are not flags of this version of Vulkan are ignored. A stage that the queue does not
 * have makes no access (core reports both). Threads: any; everything here is pure. */
#ifndef ASSAY_SYNC_SCOPE_H
#define ASSAY_SYNC_SCOPE_H

#include "sync/access/usage_mask.h"

/* The stages and accesses of a queue family, with HOST and its accesses. It is made once for a
 * command buffer or queue. */
struct sync_queue {
    sync_stage_mask stages;
    struct usage_mask usages;
};

/* Returns the queue of a family with these flags (7.1.2, table "Supported Pipeline Stage Flags").
 * 0: the flags are not known, and the queue can do everything. As in that table, a family with
 * graphics or compute can transfer, though its flags need not say so. */
struct sync_queue sync_queue_of(VkQueueFlags flags);

/* One half of a dependency.
 * Threads: immutable once built. */
struct sync_scope {
    /* stages whose execution is included: those that were named, and all logically earlier (for a
     * source) or later (for a destination) stages */
    sync_stage_mask stages;
    struct usage_mask accesses; /* pairs of a stage and an access that were both named */
};

/* The first and the second scope of a command with these masks ("If a synchronization command
 * includes a source stage mask ..."): logically earlier or later stages are in `stages` only, "only
 * the stages the application specifies are considered part of each access scope". TOP_OF_PIPE is
 * nothing as a source and the execution of all commands as a destination, BOTTOM_OF_PIPE the
 * reverse; neither makes accesses. Each bit that is set costs a few instructions; so does the bit
 * of a group. */
struct sync_scope sync_scope_source(VkPipelineStageFlags2 stages, VkAccessFlags2 accesses,
                                    const struct sync_queue *queue);
struct sync_scope sync_scope_destination(VkPipelineStageFlags2 stages, VkAccessFlags2 accesses,
                                         const struct sync_queue *queue);

/* Returns what a semaphore wait lets wait (7.4.2 "Semaphore Waiting"): all accesses in the stages
 * and in logically later ones. "The second synchronization scope includes every command submitted
 * in the same batch". If that is all stages, it includes the commands' layout transitions, which
 * are in no stage. (TOP_OF_PIPE is "equivalent to VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT" here.) Then
 * the first scopes of these transitions need not name a stage (SYNC_TRANSITIONS). */
#define SYNC_TRANSITIONS ((sync_stage_mask)1 << SYNC_STAGE_NONE)
struct sync_scope sync_scope_wait(VkPipelineStageFlags2 stages, const struct sync_queue *queue);

/* --- the steps of the functions above, one by one --- */

/* Expands groups (ALL_COMMANDS, ALL_GRAPHICS, ALL_TRANSFER, VERTEX_INPUT,
 * PRE_RASTERIZATION_SHADERS) to their basic stages, as far as the queue has them. TOP_OF_PIPE and
 * BOTTOM_OF_PIPE become no stage: their meaning depends on the half of the barrier. */
sync_stage_mask sync_expand_stages(VkPipelineStageFlags2 stages, const struct sync_queue *queue);

/* Return `stages` and all that are logically earlier, or later, in a pipeline that has one of them
 * (7.1.2, "logically earlier"). Only orders that the specification states count.
 * CONDITIONAL_RENDERING has none. FRAGMENT_DENSITY_PROCESS is before EARLY_FRAGMENT_TESTS and later
 * stages. CLUSTER_CULLING_SHADER and INVOCATION_MASK are in no pipeline of the registry.
 * DRAW_INDIRECT is the first stage of graphics, compute and ray tracing alike. So COMPUTE_SHADER
 * and RAY_TRACING_SHADER are later than DRAW_INDIRECT, and than ALL_GRAPHICS, which includes it. */
sync_stage_mask sync_earlier_stages(sync_stage_mask stages);
sync_stage_mask sync_later_stages(sync_stage_mask stages);

/* Expands names for several accesses (MEMORY_READ, MEMORY_WRITE, SHADER_READ, SHADER_WRITE) to
 * those accesses. SHADER_READ itself stays in the mask: with the stages
 * ACCELERATION_STRUCTURE_BUILD and MICROMAP_BUILD it is an access of its own. */
VkAccessFlags2 sync_expand_accesses(VkAccessFlags2 accesses);

/* Returns the legal pairs of one of `stages` and one of `accesses`, which may have groups of
 * accesses (7.1.3, table "Supported Access Types"). */
struct usage_mask sync_access_scope(sync_stage_mask stages, VkAccessFlags2 accesses);

/* Converts stages back to the program's flags, for reports: one bit for each basic stage. */
VkPipelineStageFlags2 sync_stage_flags(sync_stage_mask stages);

/* Return the stages and accesses of all pairs in a set, as flags: a barrier with both covers the
 * set. */
VkPipelineStageFlags2 usage_mask_stage_flags(const struct usage_mask *mask);
VkAccessFlags2 usage_mask_access_flags(const struct usage_mask *mask);

#endif
