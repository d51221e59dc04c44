/* The sections that a command buffer's commands have begun and not ended. They are conditional
 * rendering (10.10), transform feedback (27.1), video coding (42), per-tile execution, shader
 * instrumentation, and debug labels and markers (47). It also counts how deep the command buffers
 * nest that it executes. */
#ifndef ASSAY_STATE_SECTIONS_H
#define ASSAY_STATE_SECTIONS_H

#include "state/command/command_buffer.h"

/* transform feedback bindings that are tracked; maxTransformFeedbackBuffers is 4 on most
 * hardware */
#define FEEDBACK_BUFFERS 32

/* Labels or markers. */
struct label_balance {
    uint32_t open;      /* begun here and not ended */
    uint32_t unmatched; /* ended here, and not begun */
};

/* Threads: as the command buffer that owns it. */
struct command_buffer_sections {
    bool conditional;                /* conditional rendering is active, begun here */
    bool conditional_in_render_pass; /* begun inside of one: */
    uint32_t conditional_subpass;
    bool feedback;             /* transform feedback is active */
    uint32_t feedback_buffers; /* bits of transform feedback bindings that are bound */
    struct label_balance labels, markers;
    bool per_tile;        /* per-tile execution (VK_QCOM_tile_shading) was begun here */
    uint64_t tile_memory; /* id; vkCmdBindTileMemoryQCOM bound it; 0: none, or: */
    bool tile_memory_unknown;
    bool instrumented;      /* shader instrumentation was begun here */
    bool video_coding;      /* a video coding scope was begun here, with: */
    uint64_t video_session; /* id; 0: unknown */
    /* of the devices of a group (6.11): what recording began with, and what is set now; 0: unknown
     */
    uint32_t initial_mask, device_mask;
    /* state/video/video_scope.h; of the last scope that was begun. Owned, kept over resets */
    struct video_scope *video;
    /* The sum of stripeInfoCount of render pass instances that were begun here with a
     * VkRenderPassStripeBeginInfoARM, and do not resume another instance. `stripes_unknown`:
     * secondaries may have stripes that are not known. */
    bool striped, stripes_unknown;
    uint32_t stripes;
    bool muted; /* the setting mute_labels names one of the open labels */
    /* 1 more than the deepest of the command buffers that it executes; 0: it executes none */
    uint32_t nesting;
};

/* NULL where nothing is known of the command buffer, or memory was out: then there is no finding.
 */
static inline const struct command_buffer_sections *
sections_of(const struct command_buffer *command_buffer)
{
    return command_buffer ? command_buffer->sections : NULL;
}

/* True if what is recorded now is within a label that the setting mute_labels names. What the first
 * use of something expects is then not reported at the submit. */
static inline bool command_buffer_is_muted(const struct command_buffer *command_buffer)
{
    const struct command_buffer_sections *sections = sections_of(command_buffer);
    return sections && sections->muted;
}

/* The balance of the queue's labels when the command buffer has run (`open`), with the number of
 * its ends that find nothing to end (`unmatched`). */
struct label_balance labels_after(uint32_t open, const struct label_balance *balance);
struct queue;
/* A command buffer is submitted to the queue: its labels and markers go on there. */
void sections_submit(struct queue *queue, const struct command_buffer *command_buffer);

/* Recording begins, or a render pass instance that has a device mask of its own. */
void sections_begin_recording(const struct call *call, struct command_buffer *command_buffer,
                              const VkCommandBufferBeginInfo *info);
void sections_begin_masked_instance(struct command_buffer *command_buffer);

void command_buffer_reset_sections(struct command_buffer *command_buffer);

#endif
