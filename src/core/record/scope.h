/* Checks that a command may be recorded here and now. The command buffer is recording, of the right
 * level, of a queue family that can do it. It is inside or outside of a render pass instance and a
 * video coding scope as the command asks. (6.1 "Command Buffer Lifecycle", and each command's
 * "Command Properties") Threads: that of the call. Fields of other objects are read as their own
 * comments allow. */
#ifndef ASSAY_CORE_RECORD_SCOPE_H
#define ASSAY_CORE_RECORD_SCOPE_H

#include "report/vuids.h"
#include "state/command/command_buffer.h"

enum scope_rule_kind {
    SCOPE_RULE_RECORDING,
    SCOPE_RULE_SECONDARY, /* must be a primary command buffer */
    SCOPE_RULE_INSIDE_RENDER_PASS,
    SCOPE_RULE_SUSPENDED,
    SCOPE_RULE_INSIDE_VIDEO_CODING,
    SCOPE_RULE_SAMPLER_HEAP,
    SCOPE_RULE_RESOURCE_HEAP,
    SCOPE_RULE_COUNT
};

/* The scope that one command asks for; generated. In `mask` are the bits of the scope that count:
 * exactly the ones in `expected` must be set. */
struct scope_rule {
    uint32_t mask;
    uint32_t expected;
    VkQueueFlags queue_flags; /* the queue must have one of these; 0 = any queue */
    enum vuid pool_vuid;
    enum vuid vuid[SCOPE_RULE_COUNT]; /* of the bits in mask */
};

/* Says what of `rule` does not hold; returns whether to skip. A NULL command buffer is one that
 * nothing is known of: no finding. */
bool scope_report(const struct call *call, const struct command_buffer *command_buffer,
                  const struct scope_rule *rule) COLD;

/* Called after scope_report(): true if the command's other statements are checked as well. They are
 * not if the command buffer is executable or invalid, or if its queue cannot run the command. */
bool scope_lets_ask(const struct call *call, const struct command_buffer *command_buffer,
                    const struct scope_rule *rule) COLD;

/* "commandBuffer must be in the recording state", of a draw, dispatch or trace; generated. */
enum vuid scope_recording_vuid(enum command command);

/* The call's queue supports `flag`. */
bool scope_check_queue(const struct call *call, VkQueueFlags flag, enum vuid vuid);

#endif
