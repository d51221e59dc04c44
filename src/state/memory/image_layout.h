/* Each subresource of an image is in a layout (12.4 "Image Layouts"). That is tracked twice: with
 * the image, as submitted work leaves it; and with each command buffer, while commands are
 * recorded. The latter has the layout that the first use of a subresource expects, and the one that
 * the commands so far leave. A submit compares the first with the image's, and makes the second the
 * image's.
 *
 * Each is one value while all subresources agree, and an array only when they differ. */
#ifndef ASSAY_STATE_IMAGE_LAYOUT_H
#define ASSAY_STATE_IMAGE_LAYOUT_H

#include "base/lock.h"
#include "report/vuids.h"
#include "state/command/command_buffer.h"
#include "state/memory/image.h"

/* Values in addition to the specification's layouts. */
#define LAYOUT_UNKNOWN VK_IMAGE_LAYOUT_MAX_ENUM /* any layout may be right */
/* the command buffer has not used the subresource yet */
#define LAYOUT_UNTOUCHED ((VkImageLayout)0x7ffffffe)

/* The layouts of an image, which struct image points to once they are no longer the initial one
 * everywhere. */
struct image_layouts {
    /* held while the fields below are used, never during a call */
    struct lock lock;
    VkImageLayout uniform GUARDED_BY(lock); /* layout of all subresources, while `each` is NULL */
    /* [aspect][level][layer]; owned; NULL while all subresources agree */
    VkImageLayout *each GUARDED_BY(lock);
    /* the order in which work changes the layouts is not known: they stay LAYOUT_UNKNOWN */
    bool lost GUARDED_BY(lock);
};

/* The image of a transfer whose layout is expected. */
enum layout_role { LAYOUT_OF_SOURCE, LAYOUT_OF_TARGET };

/* The command that is the first to expect a layout of a subresource. It has 12 bytes, as an image
 * whose subresources differ has one for each. */
struct layout_user {
    uint32_t command : 12; /* enum command */
    /* the command is in an executed secondary; `number` is the number of vkCmdExecuteCommands */
    uint32_t in_secondary : 1;
    /* command_buffer::command_number; LAYOUT_USER_MOST: that, or any larger number */
    uint32_t number : 19;
    /* layout_user_caller(). 48 bits are enough for the pointer (chassis/mark.h) */
    uint32_t caller_low;
    uint16_t caller_high;
    uint16_t role; /* enum layout_role; 0 for commands that are not transfers */
};
static_assert(sizeof(struct layout_user) == 12, "each subresource may have one");
#define LAYOUT_USER_MOST ((1u << 19) - 1)
static_assert(COMMAND_COUNT <= 1u << 12, "layout_user::command is too small");

/* The code that recorded the command (call::caller). For a command in a secondary: the code that
 * executed that. NULL: not known. */
static inline const void *layout_user_caller(struct layout_user user)
{
    return (const void *)(uintptr_t)((uint64_t)user.caller_high << 32 | user.caller_low);
}

/* A subresource that is in another layout than the expected one. */
struct layout_mismatch {
    VkImageAspectFlagBits aspect;
    uint32_t level, layer;
    VkImageLayout expected, found;
    struct layout_user user; /* from command_buffer_layout_conflicts() */
    /* set by command_buffer_layout_conflicts(): the rule of the command that expects the layout */
    enum vuid vuid;
    /* set by command_buffer_layout_conflicts(): subresources were skipped whose layout a command
     * within a muted label expects */
    bool muted;
};

/* True if each depth slice of the image has its own layout. With maintenance9, barriers can name
 * slices ("the baseArrayLayer and layerCount members of subresourceRange specify the subset of
 * slices of the 3D image"). The layers of all ranges below are then slices, and
 * VK_REMAINING_ARRAY_LAYERS means all of a level. */
bool image_3d_has_slices(const struct image *image);
static inline bool image_has_slices(const struct image *image)
{
    return unlikely(image->type == VK_IMAGE_TYPE_3D) && image_3d_has_slices(image);
}

/* True if two layouts match for an aspect (12.4.1 "Image Layout Matching Rules"). Layouts that mean
 * the same for the aspect match. */
bool image_layouts_match(VkImageAspectFlagBits aspect, VkImageLayout a, VkImageLayout b);

/* --- while commands are recorded. `call` is that of the command. All take a range with wild
 * values, VK_REMAINING_* and NULL pointers (nothing happens). No lock; no allocation in steady
 * state. Threads: the command buffer's. --- */

/* The layout in which the commands recorded so far leave the whole image. LAYOUT_UNTOUCHED: they
 * leave several, do not use all of it, or that is not known. */
VkImageLayout command_buffer_layout_throughout(const struct command_buffer *command_buffer,
                                               const struct image *image);

/* True if the commands recorded so far leave some subresource of the range in another layout than
 * `layout`. Layouts from before the command buffer are not considered; the submit checks these. For
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
/* Does the same for commands without their own rule for the submit, which share one id. */
static inline void command_buffer_expect_layout(const struct call *call,
                                                struct command_buffer *command_buffer,
                                                const struct image *image,
                                                const VkImageSubresourceRange *range,
                                                VkImageLayout layout)
{
    command_buffer_expect_layout_by(call, command_buffer, image, range, layout,
                                    VUID_vkCmdDraw_None_09600);
}
/* Does the same for one of the two images of a transfer, which `role` names. */
void command_buffer_expect_layout_as(const struct call *call, struct command_buffer *command_buffer,
                                     const struct image *image,
                                     const VkImageSubresourceRange *range, VkImageLayout layout,
                                     enum layout_role role);
/* Notes that a command which is being checked needs the range in `layout`, as above. If the command
 * is refused, everything that the check expected is removed again. `check`: a number that is not 0,
 * and unique in this recording. For validate hooks. */
void command_buffer_expect_layout_in_check(const struct call *call,
                                           struct command_buffer *command_buffer,
                                           const struct image *image,
                                           const VkImageSubresourceRange *range,
                                           VkImageLayout layout, uint32_t check);
void command_buffer_take_back_layouts(struct command_buffer *command_buffer, uint32_t check) COLD;
/* Notes that a recorded command leaves the range in `layout`. If it transitions from a certain
 * layout, expect that one first. */
void command_buffer_set_layout(struct command_buffer *command_buffer, const struct image *image,
                               const VkImageSubresourceRange *range, VkImageLayout layout);
/* Notes a recorded command that needs the range in `from` and leaves it in `to`. */
void command_buffer_change_layout(const struct call *call, struct command_buffer *command_buffer,
                                  const struct image *image, const VkImageSubresourceRange *range,
                                  VkImageLayout from, VkImageLayout to);
/* The layout in which the commands recorded so far leave all of the range; LAYOUT_UNKNOWN if there
 * is not a single one. */
VkImageLayout command_buffer_layout(const struct command_buffer *command_buffer,
                                    const struct image *image,
                                    const VkImageSubresourceRange *range);
/* Adds the layouts that an executed secondary expects and leaves (vkCmdExecuteCommands). */
void command_buffer_merge_layouts(struct command_buffer *primary,
                                  const struct command_buffer *secondary);
/* Forgets all layouts, and keeps the memory. */
void command_buffer_reset_layouts(struct command_buffer *command_buffer);

/* --- images, as submitted work leaves them. Threads: any. --- */

/* The layout of the range if all of it is in the same one; otherwise LAYOUT_UNKNOWN. */
VkImageLayout image_layout(struct image *image, const VkImageSubresourceRange *range);
/* True if some subresource of the range is in another layout than `layout`. */
bool image_layout_differs(struct image *image, const VkImageSubresourceRange *range,
                          VkImageLayout layout, struct layout_mismatch *mismatch);
/* Notes that a host command, or something outside of Vulkan, leaves the range in `layout`. NULL
 * range: the whole image. */
void image_set_layout(struct image *image, const VkImageSubresourceRange *range,
                      VkImageLayout layout);
/* Frees the layouts, when the image is destroyed. */
void image_layouts_destroy(struct image_layouts *layouts);

/* Notes that a command buffer was submitted, which leaves its images in their layouts. After a
 * failed submit, or one that waits for work submitted later, image_layouts_forget() makes them
 * unknown. */
void image_layouts_publish(const struct command_buffer *command_buffer);
void image_layouts_forget(const struct command_buffer *command_buffer);

/* Gives the images whose layouts a command buffer uses: `i` counts from 0 until it returns false.
 * `*image`: NULL if the image was destroyed. */
bool command_buffer_layout_image(const struct command_buffer *command_buffer, uint32_t i,
                                 struct image **image);
/* True if the layout of image `i` differs from the one that the command buffer expects. The command
 * buffers `earlier` of the same submit execute before it; NULL elements are skipped. */
bool command_buffer_layout_conflicts(const struct command_buffer *command_buffer, uint32_t i,
                                     const struct command_buffer *const *earlier,
                                     uint32_t earlier_count, struct layout_mismatch *mismatch);

#endif
