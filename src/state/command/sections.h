/* The sections that a command buffer's commands have begun and not ended. They are conditional
 * rendering (10.10), transform feedback (27.1), video coding (42), per-tile execution, shader
 * instrumentation, and debug labels and markers (47). The nesting depth of executed command buffers
 * is also counted here. */
#ifndef ASSAY_STATE_SECTIONS_H
#define ASSAY_STATE_SECTIONS_H

#include "state/command/command_buffer.h"

/* transform feedback bindings that are tracked; maxTransformFeedbackBuffers is 4 on most
 * hardware */
#define FEEDBACK_BUFFERS 32

/* A balance of labels or of markers. */
struct label_balance {
    uint32_t open;      /* begun here and not ended */
    uint32_t unmatched; /* ended here, and not begun */
};

struct queue;
/* Threads: those of the command buffer that owns it. */
struct command_buffer_sections {
    bool conditional; /* conditional rendering is active and was begun here */
    /* conditional rendering was begun inside of a render pass instance: */
    bool conditional_in_render_pass;
    uint32_t conditional_subpass;
    bool feedback;             /* transform feedback is active */
    uint32_t feedback_buffers; /* transform feedback bindings that are bound, a bit each */
    struct label_balance labels, markers;
    bool per_tile;        /* per-tile execution (VK_QCOM_tile_shading) was begun here */
    uint64_t tile_memory; /* id of the memory that vkCmdBindTileMemoryQCOM bound; 0: none, or: */
    bool tile_memory_unknown;
    bool instrumented;      /* shader instrumentation was begun here */
    bool video_coding;      /* a video coding scope was begun here, with: */
    uint64_t video_session; /* id; 0: unknown */
    /* device masks of a device group (6.11): the initial one, and the current one; 0: unknown */
    uint32_t initial_mask, device_mask;
    /* state/video/video_scope.h; the last scope that was begun. Owned, kept over resets */
    struct video_scope *video;
    /* Called when the command buffer is submitted; NULL: nothing that was recorded wants that.
     * NULL `queue`: the order in which it executes is not known. */
    void (*submitted)(const struct command_buffer_sections *sections, const struct queue *queue);
    /* The sum of stripeInfoCount over render pass instances that were begun here with a
     * VkRenderPassStripeBeginInfoARM and do not resume another instance. `stripes_unknown`:
     * secondaries may have stripes that are not known. */
    bool striped, stripes_unknown;
    uint32_t stripes;
    bool muted; /* an open label is one that the setting mute_labels names */
    /* 1 + the largest nesting of the command buffers that it executes; 0: it does not execute
     * any */
    uint32_t nesting;
};

/* The sections of a command buffer. NULL: they are not known, or memory ran out, and nothing is
 * reported. */
static inline const struct command_buffer_sections *
sections_of(const struct command_buffer *command_buffer)
{
    return command_buffer ? command_buffer->sections : NULL;
}

/* True if the commands recorded now are within a label that the setting mute_labels names. If their
 * first use expects another layout, the submit does not report that. */
static inline bool command_buffer_is_muted(const struct command_buffer *command_buffer)
{
    const struct command_buffer_sections *sections = sections_of(command_buffer);
    return sections && sections->muted;
}

/* The labels of a queue after a command buffer has run on it: the number that is open, and
 * `unmatched`, the number of ends without a begin. `open`: the number before. */
struct label_balance labels_after(uint32_t open, const struct label_balance *balance);
/* Notes that a command buffer is submitted to the queue, which changes the queue's open labels and
 * markers. `ahead`: it executes after work that is not submitted yet. NULL `queue`: it is not
 * known. */
void sections_submit(struct queue *queue, const struct command_buffer *command_buffer, bool ahead);
/* Notes that it is not known whether a submitted command buffer executes. */
void sections_forget_submission(const struct command_buffer *command_buffer);

/* Notes that recording begins, or a render pass instance with its own device mask. */
void sections_begin_recording(const struct call *call, struct command_buffer *command_buffer,
                              const VkCommandBufferBeginInfo *info);
void sections_begin_masked_instance(struct command_buffer *command_buffer);

void command_buffer_reset_sections(struct command_buffer *command_buffer);

#endif
