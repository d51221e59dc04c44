/* Each subresource of an image is in a layout (12.4 "Image Layouts"). That is kept twice: as
 * submitted work leaves it, with the image; and per command buffer, while commands are recorded.
 * The latter is the layout that its first use of a subresource expects, and the one that its
 * commands so far leave. Submitting compares the first with the image's, and publishes the second.
 *
 * Both are one value as long as all subresources agree, and an array only where they differ. */
#ifndef ASSAY_STATE_IMAGE_LAYOUT_H
#define ASSAY_STATE_IMAGE_LAYOUT_H

#include "base/lock.h"
#include "report/vuids.h"
#include "state/command/command_buffer.h"
#include "state/memory/image.h"

/* Values beside the specification's layouts. */
#define LAYOUT_UNKNOWN VK_IMAGE_LAYOUT_MAX_ENUM /* anything may be right */
/* the command buffer has not used the subresource yet */
#define LAYOUT_UNTOUCHED ((VkImageLayout)0x7ffffffe)

/* Hangs off struct image, once its layout is no longer the initial one everywhere. */
struct image_layouts {
    struct lock lock;                       /* held over the fields below, and no call */
    VkImageLayout uniform GUARDED_BY(lock); /* of all subresources, while `each` is NULL */
    /* [aspect][level][layer]; owned; NULL while they agree */
    VkImageLayout *each GUARDED_BY(lock);
    /* the order in which work changes the layouts is not known: they stay LAYOUT_UNKNOWN */
    bool lost GUARDED_BY(lock);
};

/* Says which of a transfer's two images a layout is expected of. */
enum layout_role { LAYOUT_OF_SOURCE, LAYOUT_OF_TARGET };

/* The command that is the first to expect a layout of a subresource. 12 bytes, as there is one for
 * each subresource of an image where they differ. */
struct layout_user {
    uint32_t command : 12; /* enum command */
    /* the command is in an executed secondary; `number` is the number of vkCmdExecuteCommands */
    uint32_t in_secondary : 1;
    /* command_buffer::command_number; LAYOUT_USER_MOST: that, or any larger one */
    uint32_t number : 19;
    /* layout_user_caller(). 48 bits are enough for what is kept of a call (chassis/mark.h) */
    uint32_t caller_low;
    uint16_t caller_high;
    uint16_t role; /* enum layout_role; 0 of other commands than transfers */
};
static_assert(sizeof(struct layout_user) == 12, "each subresource may have one");
#define LAYOUT_USER_MOST ((1u << 19) - 1)
static_assert(COMMAND_COUNT <= 1u << 12, "layout_user::command is too small");

/* Gives what is kept of the call that recorded the command (call::caller): of the one in the
 * secondary, where it was executed. NULL: nothing. */
static inline const void *layout_user_caller(struct layout_user user)
{
    return (const void *)(uintptr_t)((uint64_t)user.caller_high << 32 | user.caller_low);
}

/* One subresource where something else was found than what is expected. */
struct layout_mismatch {
    VkImageAspectFlagBits aspect;
    uint32_t level, layer;
    VkImageLayout expected, found;
    struct layout_user user; /* of command_buffer_layout_conflicts() */
    /* set by command_buffer_layout_conflicts(): the rule of the command that expects the layout */
    enum vuid vuid;
    /* set by command_buffer_layout_conflicts(): subresources were skipped that a command within a
     * muted label expects in another layout */
    bool muted;
};

/* True if each depth slice of the image has a layout of its own. Barriers can name slices with
 * maintenance9 ("the baseArrayLayer and layerCount members of subresourceRange specify the subset
 * of slices of the 3D image"). Then the layers of all ranges below are slices, and
 * VK_REMAINING_ARRAY_LAYERS is all of a level. */
bool image_3d_has_slices(const struct image *image);
static inline bool image_has_slices(const struct image *image)
{
    return unlikely(image->type == VK_IMAGE_TYPE_3D) && image_3d_has_slices(image);
}

/* True if two layouts match for an aspect. (12.4.1 "Image Layout Matching Rules"; layouts that say
 * the same of the aspect do.) */
bool image_layouts_match(VkImageAspectFlagBits aspect, VkImageLayout a, VkImageLayout b);

/* --- while commands are recorded. `call` is that of the command. All take a range with wild
 * values, VK_REMAINING_* and NULL pointers (nothing happens). No lock; no allocation in steady
 * state. Threads: the command buffer's. --- */

/* The layout in which the commands recorded so far leave all of the image. LAYOUT_UNTOUCHED: they
 * leave several, or not all of it is used, or nothing is known. */
VkImageLayout command_buffer_layout_throughout(const struct command_buffer *command_buffer,
                                               const struct image *image);

/* True if the commands recorded so far leave some subresource of the range in another layout than
 * `layout`. Layouts from before the command buffer are not looked at, which is for the submit. For
 * validate hooks. */
bool command_buffer_layout_differs(const struct command_buffer *command_buffer,
                                   const struct image *image, const VkImageSubresourceRange *range,
                                   VkImageLayout layout, struct layout_mismatch *mismatch);
/* Notes a recorded command that needs the range in `layout`. The submit checks the first such
 * command of a range. `vuid`: the rule that is broken if the submit finds another layout. For after
 * hooks. */
void command_buffer_expect_layout_by(const struct call *call, struct command_buffer *command_buffer,
                                     const struct image *image,
                                     const VkImageSubresourceRange *range, VkImageLayout layout,
                                     enum vuid vuid);
/* The same for commands without a rule of their own for the submit. One id stands for all of
 * them. */
static inline void command_buffer_expect_layout(const struct call *call,
                                                struct command_buffer *command_buffer,
                                                const struct image *image,
                                                const VkImageSubresourceRange *range,
                                                VkImageLayout layout)
{
    command_buffer_expect_layout_by(call, command_buffer, image, range, layout,
                                    VUID_vkCmdDraw_None_09600);
}
/* The same for one of the two images of a transfer, which `role` names. */
void command_buffer_expect_layout_as(const struct call *call, struct command_buffer *command_buffer,
                                     const struct image *image,
                                     const VkImageSubresourceRange *range, VkImageLayout layout,
                                     enum layout_role role);
/* A command that is being checked needs the range in `layout`, as above. Where it is refused, all
 * that the check has expected is taken back. `check` is not 0, and no other check's in this
 * recording. For validate hooks. */
void command_buffer_expect_layout_in_check(const struct call *call,
                                           struct command_buffer *command_buffer,
                                           const struct image *image,
                                           const VkImageSubresourceRange *range,
                                           VkImageLayout layout, uint32_t check);
void command_buffer_take_back_layouts(struct command_buffer *command_buffer, uint32_t check) COLD;
/* A command that leaves the range in `layout` has been recorded. Where it transitions from a
 * certain layout, expect that one first. */
void command_buffer_set_layout(struct command_buffer *command_buffer, const struct image *image,
                               const VkImageSubresourceRange *range, VkImageLayout layout);
/* Notes a recorded command that needs the range in `from` and leaves it in `to`. */
void command_buffer_change_layout(const struct call *call, struct command_buffer *command_buffer,
                                  const struct image *image, const VkImageSubresourceRange *range,
                                  VkImageLayout from, VkImageLayout to);
/* The layout of the range if the commands recorded so far leave all of it in one, else
 * LAYOUT_UNKNOWN. */
VkImageLayout command_buffer_layout(const struct command_buffer *command_buffer,
                                    const struct image *image,
                                    const VkImageSubresourceRange *range);
/* vkCmdExecuteCommands: what the secondary expects and leaves. */
void command_buffer_merge_layouts(struct command_buffer *primary,
                                  const struct command_buffer *secondary);
/* Forgets all, and keeps the memory. */
void command_buffer_reset_layouts(struct command_buffer *command_buffer);

/* --- images, as submitted work leaves them. Threads: any. --- */

/* The layout of the range if all of it is in one, else LAYOUT_UNKNOWN. */
VkImageLayout image_layout(struct image *image, const VkImageSubresourceRange *range);
/* True if some subresource of the range is in another layout than `layout`. */
bool image_layout_differs(struct image *image, const VkImageSubresourceRange *range,
                          VkImageLayout layout, struct layout_mismatch *mismatch);
/* A host command, or something outside of Vulkan, leaves the range in `layout`. NULL range: all of
 * it. */
void image_set_layout(struct image *image, const VkImageSubresourceRange *range,
                      VkImageLayout layout);
/* Frees the layouts, when the image is destroyed. */
void image_layouts_destroy(struct image_layouts *layouts);

/* A command buffer was submitted: its images are in the layouts that it leaves them in. When the
 * submit failed, or waits for work that is submitted later, their layouts are unknown from now on.
 */
void image_layouts_publish(const struct command_buffer *command_buffer);
void image_layouts_forget(const struct command_buffer *command_buffer);

/* Images that a command buffer has to do with: i counts from 0 until it answers false. The state is
 * NULL once the image is destroyed. */
bool command_buffer_layout_image(const struct command_buffer *command_buffer, uint32_t i,
                                 struct image **image);
/* True if the i-th image's layout differs from what the command buffer expects to find. The
 * `earlier` ones (NULL elements are passed over) of the same submit have run by then. */
bool command_buffer_layout_conflicts(const struct command_buffer *command_buffer, uint32_t i,
                                     const struct command_buffer *const *earlier,
                                     uint32_t earlier_count, struct layout_mismatch *mismatch);

#endif
