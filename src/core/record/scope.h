/* Checks that a command may be recorded here and now (6.1 "Command Buffer Lifecycle", and each
 * command's "Command Properties"). The command buffer must be recording, have the right level, and
 * its queue family must support the command. It must be inside or outside of a render pass instance
 * and a video coding scope, as the command requires. Threads: the calling thread. Fields of other
 * objects are read as their own comments allow. */
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

/* The scope that one command requires; generated. `mask` has the bits of the scope that matter: of
 * those, exactly the bits in `expected` must be set. */
struct scope_rule {
    uint32_t mask;
    uint32_t expected;
    VkQueueFlags queue_flags; /* the queue must have one of these; 0 = any queue */
    enum vuid pool_vuid;
    enum vuid vuid[SCOPE_RULE_COUNT]; /* for the bits in `mask` */
};

/* Reports each part of `rule` that the command buffer breaks; returns whether to skip. NULL: the
 * command buffer is not known, and nothing is reported. */
bool scope_report(const struct call *call, const struct command_buffer *command_buffer,
                  const struct scope_rule *rule) COLD;

/* Called after scope_report(): true if the other rules of the command are checked as well. They are
 * not if the command buffer is not being recorded, or if its queue family does not support the
 * command. */
bool scope_lets_ask(const struct call *call, const struct command_buffer *command_buffer,
                    const struct scope_rule *rule) COLD;

/* The id of "commandBuffer must be in the recording state" for a draw, dispatch or trace;
 * generated. */
enum vuid scope_recording_vuid(enum command command);

/* Checks that the queue of the call supports `flag`. */
bool scope_check_queue(const struct call *call, VkQueueFlags flag, enum vuid vuid);

#endif
