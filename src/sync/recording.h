/* What does a recorded command access? The hooks of commands say it here (sync/<topic>.c: sync_after_Cmd*); where it lies, who made it, and whether it comes too early is
 * found out behind it.
 *
 *     void sync_after_CmdFillBuffer(struct call *call, VkCommandBuffer commandBuffer, VkBuffer dstBuffer, ...)
 *     {
 *         struct recording recording;
 *         if (!recording_begin(&recording, call))
 *             return;
 *         recording_buffer(&recording, find_buffer(call, dstBuffer), dstOffset, size, SYNC_CLEAR_TRANSFER_WRITE, NULL);
 *         recording_end(&recording);
 *     }
 *
 * Commands are looked at in their after hooks, once: the state tracker has taken note of them by then, and a hazard is no reason to skip a recorded command.
 * Threads: the command buffer's; a program that breaks that loses accesses, and no more (recording_begin() turns a second thread away). */
#ifndef ASSAY_SYNC_RECORDING_H
#define ASSAY_SYNC_RECORDING_H

#include "state/buffer.h"
#include "state/command_buffer.h"
#include "state/image.h"
#include "sync/access_context.h"
#include "sync/usage_mask.h"

/* In which role a command accesses a resource, for reports. */
enum access_role {
    ROLE_PARAMETER, /* the command names it: srcBuffer, dstImage ... */
    ROLE_DESCRIPTOR,
    ROLE_VERTEX_BUFFER, /* index: the binding */
    ROLE_INDEX_BUFFER,
    ROLE_INDIRECT_BUFFER,
    ROLE_COUNT_BUFFER,
    ROLE_COLOR_ATTACHMENT, /* index: its number in the subpass */
    ROLE_DEPTH_STENCIL_ATTACHMENT,
    ROLE_INPUT_ATTACHMENT,
    ROLE_RESOLVE_ATTACHMENT,
    ROLE_SHADING_RATE_ATTACHMENT,
    ROLE_BARRIER,               /* index: of the image barrier */
    ROLE_ATTACHMENT_TRANSITION, /* of a render pass object: index: the attachment */
    ROLE_PRESENT,
};

/* Which of the resources of a command. */
struct access_source {
    enum access_role role;
    uint32_t set, binding; /* of ROLE_DESCRIPTOR */
    uint32_t index;        /* array element of a descriptor, and see above */
};

/* One access that a command made: what a tag stands for. */
struct access_entry {
    uint64_t resource; /* id of the buffer, image or acceleration structure */
    const void *caller;
    uint32_t command_index; /* in the command buffer, from 0 */
    uint32_t label;         /* command_log::labels: index of the innermost label that was open, and 1; 0 = none */
    enum command command;
    struct access_source source;
};

/* A run of tags that an executed secondary made: tag first + n here is tag n there. */
struct access_span {
    uint64_t first, count;
    struct command_log *log; /* held */
    uint32_t command_index;  /* of vkCmdExecuteCommands */
};

struct access_label {
    char *name;      /* in the arena */
    uint32_t parent; /* as access_entry::label: the one around it */
};

/* Who made the accesses of a command buffer. Outlives its recording where submitted work, or a primary, may still be compared with it.
 * Threads: written by the recording thread, const once the command buffer is executable, but for the count. */
struct command_log {
    _Atomic uint32_t references;
    struct arena arena;
    struct access_entry *entries;
    uint32_t count, capacity;
    struct access_span *spans; /* by growing `first`; their tags are in none of the `entries` */
    uint32_t span_count, span_capacity;
    struct access_label *labels;
    uint32_t label_count, label_capacity;
    uint64_t command_buffer; /* id */
    uint32_t recording;      /* how many times it had been begun */
};

/* Sub-state of a command buffer: command_buffer::sync. NULL where validate_sync is off, or memory was out. */
struct sync_command_buffer {
    struct sync_context context;
    struct sync_queue queue; /* of its pool's family */
    struct command_log *log; /* held */
    uint64_t next_tag;
    uint32_t command_count; /* action and synchronization commands recorded so far */
    uint32_t open_label;    /* as access_entry::label */
    _Atomic bool busy;      /* a thread is recording into it */
};

/* One command that is being recorded. */
struct recording {
    const struct call *call;
    struct command_buffer *command_buffer;
    struct sync_command_buffer *sync;
    uint32_t command_index;
};

/* False: nothing to be done (no state, or another thread is in this command buffer). Counts the command. */
bool recording_begin(struct recording *recording, struct call *call) MUST_CHECK;
void recording_end(struct recording *recording);

/* The tag of the access that comes next; each access of a resource has one of its own. 0: memory is out. */
uint64_t recording_tag(struct recording *recording, uint64_t resource, const struct access_source *source);

/* Resources may be NULL (unknown: nothing happens); not bound or sparse ones are looked at as a space of their own. `source` may be NULL: ROLE_PARAMETER. */

/* `size` may be VK_WHOLE_SIZE; what lies behind the buffer's end is not looked at. */
void recording_buffer(struct recording *recording, const struct buffer *buffer, VkDeviceSize offset, VkDeviceSize size,
                      enum sync_usage usage, const struct access_source *source);

/* All of the range's subresources; VK_REMAINING_* are resolved. */
void recording_image(struct recording *recording, const struct image *image, const VkImageSubresourceRange *range,
                     enum sync_usage usage, enum sync_ordering ordering, const struct access_source *source);

/* A region of one mip level, texels: rows of texel blocks where it is not as wide as the level. */
void recording_image_region(struct recording *recording, const struct image *image,
                            const VkImageSubresourceLayers *subresource, VkOffset3D offset, VkExtent3D extent,
                            enum sync_usage usage, enum sync_ordering ordering, const struct access_source *source);

#endif
