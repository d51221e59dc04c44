/* Programs of several submissions to several queues, as a line of text that says what runs when:
 *
 *     "[w +1] c [?1 r]"   a write of the buffer that signals semaphore 1, then on the compute queue
 *                         a read of it that waits for that
 *
 * Outside of brackets:
 *     g c t  submits what follows to this queue: graphics (the first one), compute, transfer
 *     ! |    vkQueueWaitIdle, vkDeviceWaitIdle
 *     F      a fence is submitted and waited for
 *     E      vkSetEvent
 *     h5 H5  vkSignalSemaphore of the timeline semaphore with 5, vkWaitSemaphores for 5
 *     [...]  vkQueueSubmit: `/` begins the next batch, `,` the next command buffer
 * In a vkQueueSubmit:
 *     w r W  vkCmdFillBuffer of the buffer, vkCmdCopyBuffer from it, vkCmdCopyBuffer to it
 *     f0 d0  vkCmdFillBuffer of the first of four parts of the buffer, vkCmdCopyBuffer from it
 *     b x m  a barrier: for everything; without accesses, transfer; transfer write to transfer
 *            read and write
 *     u U    the image becomes GENERAL, after and before transfer writes; the same, after nothing
 *     k      vkCmdClearColorImage of the image
 *     {...}  a secondary command buffer
 *     e q    vkCmdFillBuffer of a buffer that one queue family owns, vkCmdCopyBuffer from it
 *     o a    releases it from transfer to graphics, acquires it there; O and A the other way round
 *     s v V  vkCmdSetEvent after transfers; vkCmdWaitEvents before transfers; the same, of what the
 *            host has set
 *     ?1 +1  the batch waits for binary semaphore 1, signals it; ~5 and ^5 the timeline semaphore
 *            with 5. After it `T` (transfer) or `C` (compute shader) is the stage, else it is all
 *            commands (only of vkQueueSubmit2 for signals). */
#ifndef ASSAY_SCENARIOS_SYNC_PROGRAM_H
#define ASSAY_SCENARIOS_SYNC_PROGRAM_H

#include "scenario.h"

/* timelineSemaphore, synchronization2 */
extern const VkPhysicalDeviceVulkan12Features program_features;

void run_program(struct baseline *b, const char *program, bool version2);

/* As it is, with vkQueueSubmit and vkQueueSubmit2: one finding, or none. */
#define PROGRAM_FIELDS .features = &program_features, .settings = {"validate_sync=true"}
#define PROGRAM(name_, program_, ...)                  \
    SCENARIO(name_, PROGRAM_FIELDS, ##__VA_ARGS__)     \
    {                                                  \
        run_program(b, program_, false);               \
    }                                                  \
    SCENARIO(name_##_2, PROGRAM_FIELDS, ##__VA_ARGS__) \
    {                                                  \
        run_program(b, program_, true);                \
    }
/* Only vkQueueSubmit2 can say it. */
#define PROGRAM2(name_, program_, ...)             \
    SCENARIO(name_, PROGRAM_FIELDS, ##__VA_ARGS__) \
    {                                              \
        run_program(b, program_, true);            \
    }

#endif
