/* Checks the rules of a single memory, buffer or image barrier. */
#include "core/barrier/attachment.h"
#include "core/barrier/barrier.h"
#include "core/barrier/image_transition.h"
#include "core/barrier/stages.h"

#include "objects/device.h"
#include "report/finding/fix.h"
#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "state/memory/buffer.h"
#include "state/object/created.h"
#include "state/memory/device_address.h"

#include <inttypes.h>

/* Kinds of barriers. They share numbers of rules, whose ids depend on the kind. */
enum barrier_kind { BUFFER_1, BUFFER_2, IMAGE_1, IMAGE_2, BARRIER_KINDS };
/* The ids of a rule whose number is the same in each structure of barriers. */
#define BY_KIND(member_, number_)                                       \
    {                                                                   \
        [BUFFER_1] = VUID_VkBufferMemoryBarrier_##member_##_##number_,  \
        [BUFFER_2] = VUID_VkBufferMemoryBarrier2_##member_##_##number_, \
        [IMAGE_1] = VUID_VkImageMemoryBarrier_##member_##_##number_,    \
        [IMAGE_2] = VUID_VkImageMemoryBarrier2_##member_##_##number_,   \
    }
static const enum vuid src_external[BARRIER_KINDS] = BY_KIND(None, 09097);
static const enum vuid dst_external[BARRIER_KINDS] = BY_KIND(None, 09098);
static const enum vuid src_foreign[BARRIER_KINDS] = BY_KIND(srcQueueFamilyIndex, 09099);
static const enum vuid dst_foreign[BARRIER_KINDS] = BY_KIND(dstQueueFamilyIndex, 09100);

/* --- queue families --- */

/* The queue families of one barrier, and how its resource is shared. */
struct families {
    enum barrier_kind kind;
    VkSharingMode sharing_mode;
    uint32_t src, dst;
    const struct finding_objects *objects;
};

/* The text that names a queue family. */
struct family_name {
    char text[32];
};
/* Names a queue family by its number, or by the name of a special value. */
static struct family_name family_name(uint32_t family)
{
    struct family_name name;
    const char *special = family == VK_QUEUE_FAMILY_IGNORED       ? "VK_QUEUE_FAMILY_IGNORED"
                          : family == VK_QUEUE_FAMILY_EXTERNAL    ? "VK_QUEUE_FAMILY_EXTERNAL"
                          : family == VK_QUEUE_FAMILY_FOREIGN_EXT ? "VK_QUEUE_FAMILY_FOREIGN_EXT"
                                                                  : NULL;
    struct string_builder text;
    string_builder_begin(&text, name.text, sizeof(name.text));
    if (special)
        string_builder_add(&text, special);
    else
        string_builder_format(&text, "%u", family);
    string_builder_end(&text);
    return name;
}

/* True for families of the device, and for the two special values that mean owners outside of the
 * device. */
static bool family_is_valid(const struct call *call, uint32_t family)
{
    return family < call->device->queue_family_count || family == VK_QUEUE_FAMILY_EXTERNAL ||
           family == VK_QUEUE_FAMILY_FOREIGN_EXT;
}

/* If the resource was created with VK_SHARING_MODE_EXCLUSIVE, and srcQueueFamilyIndex and
 * dstQueueFamilyIndex are not equal, ... */
static bool check_exclusive(const struct call *call, const struct families *families,
                            const struct location *where)
{
    assert(families->kind < BARRIER_KINDS && families->sharing_mode == VK_SHARING_MODE_EXCLUSIVE);
    struct subject s = {.call = call, .where = where};
    bool image = families->kind == IMAGE_1 || families->kind == IMAGE_2;
    if (families->src == families->dst)
        return false;
    REQUIRE_OF(&s, families->objects, image ? RULE_09117 : RULE_09095,
               family_is_valid(call, families->src), "srcQueueFamilyIndex",
               "is %s and dstQueueFamilyIndex is %s: to move the ownership, both must be queue "
               "families, and the device has %u",
               family_name(families->src).text, family_name(families->dst).text,
               call->device->queue_family_count);
    REQUIRE_OF(&s, families->objects, image ? RULE_09118 : RULE_09096,
               family_is_valid(call, families->dst), "dstQueueFamilyIndex",
               "is %s and srcQueueFamilyIndex is %s: to move the ownership, both must be queue "
               "families, and the device has %u",
               family_name(families->dst).text, family_name(families->src).text,
               call->device->queue_family_count);
    return s.skip;
}

/* If the synchronization2 feature is not enabled, and the resource was created with
 * VK_SHARING_MODE_CONCURRENT, ... */
static bool check_concurrent(const struct call *call, const struct families *families,
                             const struct location *where)
{
    assert(families->kind < BARRIER_KINDS && families->sharing_mode != VK_SHARING_MODE_EXCLUSIVE);
    struct subject s = {.call = call, .where = where};
    bool image = families->kind == IMAGE_1 || families->kind == IMAGE_2;
    bool src_ignored = families->src == VK_QUEUE_FAMILY_IGNORED,
         dst_ignored = families->dst == VK_QUEUE_FAMILY_IGNORED;
    if (device_has_feature(call->device, FEATURE_synchronization2))
        return false;
    bool wrong = (!src_ignored && families->src != VK_QUEUE_FAMILY_EXTERNAL) ||
                 (!dst_ignored && families->dst != VK_QUEUE_FAMILY_EXTERNAL);
    REQUIRE_OF(&s, families->objects, image ? RULE_09053 : RULE_09050,
               src_ignored || families->src == VK_QUEUE_FAMILY_EXTERNAL, "srcQueueFamilyIndex",
               "is %s, but the resource is shared by queue families (VK_SHARING_MODE_CONCURRENT)",
               family_name(families->src).text);
    REQUIRE_OF(&s, families->objects, image ? RULE_09054 : RULE_09051,
               dst_ignored || families->dst == VK_QUEUE_FAMILY_EXTERNAL, "dstQueueFamilyIndex",
               "is %s, but the resource is shared by queue families (VK_SHARING_MODE_CONCURRENT)",
               family_name(families->dst).text);
    /* If one of the members is wrong by itself, only that is reported. */
    REQUIRE_OF(&s, families->objects, image ? RULE_09052 : RULE_09049,
               wrong || src_ignored || dst_ignored, where,
               "has srcQueueFamilyIndex %s and dstQueueFamilyIndex %s, but the resource "
               "is shared by queue families (VK_SHARING_MODE_CONCURRENT): one must be "
               "VK_QUEUE_FAMILY_IGNORED",
               family_name(families->src).text, family_name(families->dst).text);
    return s.skip;
}

/* True unless a family is VK_QUEUE_FAMILY_EXTERNAL where the VK_KHR_external_memory extension is
 * not enabled and the instance's version is below 1.1. */
static bool external_is_known(const struct call *call, uint32_t family)
{
    return family != VK_QUEUE_FAMILY_EXTERNAL ||
           call->instance->api_version >= VK_API_VERSION_1_1 ||
           call_has_extension(call, EXTENSION_VK_KHR_external_memory);
}

#define EXTERNAL_UNKNOWN "is VK_QUEUE_FAMILY_EXTERNAL, but VK_KHR_external_memory is not enabled"

/* Checks the special values of queue families. `*known` becomes false where the device does not
 * have a family, and other rules cannot be checked. */
static bool check_special_families(const struct call *call, const struct families *families,
                                   const struct location *where, bool *known)
{
    assert(families->kind < BARRIER_KINDS && *known);
    struct subject s = {.call = call};
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t family = i ? families->dst : families->src;
        const struct location at =
            LOCATION(where, i ? "dstQueueFamilyIndex" : "srcQueueFamilyIndex");
        /* If the VK_KHR_external_memory extension is not enabled, and the instance's version is
         * below 1.1, ... must not be EXTERNAL */
        if (!external_is_known(call, family)) {
            *known = false;
            BROKEN_OF(&s, families->objects, (i ? dst_external : src_external)[families->kind], &at,
                      EXTERNAL_UNKNOWN);
        }
        /* If the VK_EXT_queue_family_foreign extension is not enabled ... must not be
         * VK_QUEUE_FAMILY_FOREIGN_EXT */
        if (family == VK_QUEUE_FAMILY_FOREIGN_EXT &&
            !call_has_extension(call, EXTENSION_VK_EXT_queue_family_foreign)) {
            *known = false;
            BROKEN_OF(&s, families->objects, (i ? dst_foreign : src_foreign)[families->kind], &at,
                      "is VK_QUEUE_FAMILY_FOREIGN_EXT, but VK_EXT_queue_family_foreign is "
                      "not enabled");
        }
    }
    return s.skip;
}

/* Checks families of which at least one is not VK_QUEUE_FAMILY_IGNORED. A wrong special value ends
 * the check. */
static COLD bool check_differing_families(const struct call *call, const struct families *families,
                                          const struct location *where)
{
    assert(families->src != VK_QUEUE_FAMILY_IGNORED || families->dst != VK_QUEUE_FAMILY_IGNORED);
    bool known = true, skip = check_special_families(call, families, where, &known);
    if (!known)
        return skip;
    return skip | (families->sharing_mode == VK_SHARING_MODE_EXCLUSIVE
                       ? check_exclusive(call, families, where)
                       : check_concurrent(call, families, where));
}

/* Checks the queue families of a barrier. Without an ownership transfer, both are
 * VK_QUEUE_FAMILY_IGNORED. */
static bool check_families(const struct call *call, const struct families *families,
                           const struct location *where)
{
    if (likely(families->src == VK_QUEUE_FAMILY_IGNORED &&
               families->dst == VK_QUEUE_FAMILY_IGNORED))
        return false;
    return check_differing_families(call, families, where);
}

enum ownership barrier_ownership(VkSharingMode mode, uint32_t src_family, uint32_t dst_family,
                                 uint32_t own_family)
{
    if (!moves_ownership(mode, src_family, dst_family))
        return OWNERSHIP_STAYS;
    return barrier_acquires(src_family, dst_family, own_family) ? OWNERSHIP_ACQUIRED
                                                                : OWNERSHIP_RELEASED;
}

/* --- buffers --- */

/* A buffer barrier of either version. */
struct buffer_barrier {
    VkBuffer handle;
    VkDeviceSize offset, size; /* bytes; the size may be VK_WHOLE_SIZE */
    uint32_t src_family, dst_family;
    bool version2;
};

/* Checks the range of a buffer barrier, and the memory and families of its buffer. */
static bool barrier_check_buffer(const struct call *call, const struct buffer_barrier *barrier,
                                 const struct location *where)
{
    const struct buffer *buffer = find_buffer(call, barrier->handle);
    if (!buffer)
        return false;
    const struct finding_objects *objects = OBJECT(HANDLE_BUFFER, barrier->handle);
    struct subject s = {.call = call, .where = where, .objects = objects};
    /* offset must be less than the size of buffer */
    if (unlikely(barrier->offset >= buffer->size))
        BROKEN(&s, RULE_01187, "offset", "is %" PRIu64 ", but the buffer has %" PRIu64 " bytes",
               barrier->offset, buffer->size);
    if (barrier->size != VK_WHOLE_SIZE) {
        /* If size is not equal to VK_WHOLE_SIZE, size must be greater than 0 */
        if (unlikely(barrier->size == 0))
            BROKEN(&s, RULE_01188, "size", "is 0");
        /* ... size must be less than or equal to than the size of buffer minus offset */
        if (unlikely(barrier->offset < buffer->size &&
                     barrier->size > buffer->size - barrier->offset))
            BROKEN(&s, RULE_01189, "size",
                   "is %" PRIu64 " from offset %" PRIu64 " on, but the buffer has %" PRIu64
                   " bytes",
                   barrier->size, barrier->offset, buffer->size);
    }
    /* If buffer is non-sparse then it must be bound completely and contiguously to a single
     * VkDeviceMemory object */
    if (unlikely(!buffer_is_bound(buffer)))
        BROKEN(&s, RULE_01931, "buffer", "is not bound to memory that still exists");
    const struct families families = {barrier->version2 ? BUFFER_2 : BUFFER_1, buffer->sharing_mode,
                                      barrier->src_family, barrier->dst_family, objects};
    return s.skip | check_families(call, &families, where);
}

/* --- images --- */

/* The barriers before this one in the same command. For vkCmdWaitEvents2 they include barriers of
 * its other events. */
struct barriers_before {
    /* `count` barriers; NULL: the command is of version 2 */
    const VkImageMemoryBarrier *list;
    uint32_t count;
    /* `info_count` whole dependencies, which come before `count` barriers of `list2` */
    const VkDependencyInfo *infos;
    uint32_t info_count;
    const VkImageMemoryBarrier2 *list2;
};

/* True if the earlier barrier `before` takes part of the range to the layout in which `barrier`
 * begins. */
static bool leaves_layout(const struct image_barrier *before, const struct image_barrier *barrier)
{
    return before->handle == barrier->handle && before->new_layout == barrier->old_layout &&
           barrier_ranges_overlap(before->range, barrier->range);
}

/* True if an earlier barrier of the command ends in the layout in which this one begins. The
 * specification does not give an order for the barriers of one command, so such a barrier is not
 * reported. */
static COLD bool follows_another(const struct barriers_before *before,
                                 const struct image_barrier *barrier)
{
    assert(!before->count || before->list || before->list2);
    assert(!before->info_count || before->infos);
    for (uint32_t k = 0; k < before->count; k++) {
        const struct image_barrier other = before->list ? image_barrier_of(&before->list[k], 0, 0)
                                                        : image_barrier_of2(&before->list2[k]);
        if (leaves_layout(&other, barrier))
            return true;
    }
    for (uint32_t i = 0; i < before->info_count; i++) {
        const VkDependencyInfo *info = &before->infos[i];
        for (uint32_t k = 0; info->pImageMemoryBarriers && k < info->imageMemoryBarrierCount; k++) {
            const struct image_barrier other = image_barrier_of2(&info->pImageMemoryBarriers[k]);
            if (leaves_layout(&other, barrier))
                return true;
        }
    }
    return false;
}

/* If layouts are not ignored, oldLayout must be VK_IMAGE_LAYOUT_UNDEFINED or the current layout of
 * the image subresources. Between vkCmdSetEvent2 and the wait the layout may change, so for events
 * it is checked when the command waits. */
static bool check_old_layout(const struct call *call, const struct command_buffer *command_buffer,
                             const struct image *image, const struct image_barrier *barrier,
                             const struct barriers_before *before, const struct location *where)
{
    assert(command_buffer && image && barrier->range);
    struct layout_mismatch mismatch;
    if (barrier->old_layout == VK_IMAGE_LAYOUT_UNDEFINED ||
        command_root[call->command] == COMMAND_CmdSetEvent2 ||
        barrier_ownership(image->sharing_mode, barrier->src_family, barrier->dst_family,
                          command_buffer->queue_family) == OWNERSHIP_ACQUIRED)
        return false;
    if (likely(!command_buffer_layout_differs(command_buffer, image, barrier->range,
                                              barrier->old_layout, &mismatch)) ||
        follows_another(before, barrier) ||
        attachment_barrier_differs(call, barrier->handle, barrier->range, barrier->old_layout))
        return false;
    return finding_with_fix(call, RULE(call, 01197), &LOCATION(where, "oldLayout"),
                            OBJECT(HANDLE_IMAGE, barrier->handle),
                            FIX("set oldLayout to %s, or to VK_IMAGE_LAYOUT_UNDEFINED if the "
                                "image's contents are not needed",
                                value_text(VALUES_VkImageLayout, (uint64_t)mismatch.found).text),
                            "is %s, but the commands recorded before leave the image in %s (%s, "
                            "mip level %u, array layer %u)",
                            value_text(VALUES_VkImageLayout, (uint64_t)barrier->old_layout).text,
                            value_text(VALUES_VkImageLayout, (uint64_t)mismatch.found).text,
                            value_text(VALUES_VkImageAspectFlags, mismatch.aspect).text,
                            mismatch.level, mismatch.layer);
}

/* Checks both layouts of an image barrier, unless they are ignored. */
static bool barrier_check_layouts(const struct call *call,
                                  const struct command_buffer *command_buffer,
                                  const struct image *image, const struct image_barrier *barrier,
                                  const struct barriers_before *before,
                                  const struct location *where)
{
    const struct finding_objects *objects = OBJECT(HANDLE_IMAGE, barrier->handle);
    struct subject s = {.call = call, .where = where, .objects = objects};
    s.skip |= check_old_layout(call, command_buffer, image, barrier, before, where);
    /* If layouts are not ignored, newLayout must not be UNDEFINED or ZERO_INITIALIZED or
     * PREINITIALIZED */
    if (unlikely(barrier->new_layout == VK_IMAGE_LAYOUT_UNDEFINED ||
                 barrier->new_layout == VK_IMAGE_LAYOUT_PREINITIALIZED ||
                 barrier->new_layout == VK_IMAGE_LAYOUT_ZERO_INITIALIZED_EXT))
        BROKEN(&s, RULE_01198, "newLayout", "is %s",
               value_text(VALUES_VkImageLayout, (uint64_t)barrier->new_layout).text);
    return s.skip;
}

/* Checks the rules of version 2 about host stages. */
static COLD bool check_host_stages(const struct call *call, const struct image *image,
                                   const struct image_barrier *barrier,
                                   const struct location *where)
{
    assert(image && barrier->version2);
    const struct finding_objects *objects = OBJECT(HANDLE_IMAGE, barrier->handle);
    VkImageLayout old = barrier->old_layout;
    struct subject s = {.call = call, .where = where, .objects = objects};
    /* If either srcStageMask or dstStageMask includes HOST, srcQueueFamilyIndex and
     * dstQueueFamilyIndex must be equal */
    if (barrier->src_family != barrier->dst_family)
        BROKEN(&s, RULE_03854, "dstQueueFamilyIndex",
               "is %s, but srcQueueFamilyIndex is %s, and the host stage does "
               "not transfer ownership",
               family_name(barrier->dst_family).text, family_name(barrier->src_family).text);
    /* If srcStageMask includes HOST, and ... define an ownership transfer or ... an image layout
     * transition, oldLayout must be one of ... */
    if (barrier->src_stages & VK_PIPELINE_STAGE_2_HOST_BIT &&
        (old != barrier->new_layout ||
         moves_ownership(image->sharing_mode, barrier->src_family, barrier->dst_family)) &&
        old != VK_IMAGE_LAYOUT_PREINITIALIZED && old != VK_IMAGE_LAYOUT_ZERO_INITIALIZED_EXT &&
        old != VK_IMAGE_LAYOUT_UNDEFINED && old != VK_IMAGE_LAYOUT_GENERAL)
        BROKEN(&s, RULE_03855, "oldLayout",
               "is %s, which the host cannot have left an image in (srcStageMask includes "
               "VK_PIPELINE_STAGE_2_HOST_BIT)",
               value_text(VALUES_VkImageLayout, (uint64_t)old).text);
    return s.skip;
}

/* Gives the advice of the note on slices (7.7.3): "Validation layers are expected to flag a warning
 * for the scenario where the maintenance9 feature is not enabled, and the application uses
 * layerCount equal to 1 on this kind of 3D image." A mip level with one slice needs no advice. */
static COLD bool advise_on_slices(const struct call *call, const struct image *image,
                                  const VkImageSubresourceRange *range,
                                  const struct location *where)
{
    assert(image->type == VK_IMAGE_TYPE_3D && range->layerCount == 1);
    const uint32_t depth = mip_extent(image->extent.depth, range->baseMipLevel);
    const bool one_level = range->levelCount == 1 || range->baseMipLevel + 1 >= image->mip_levels;
    if (!(image->flags & VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT) || (depth <= 1 && one_level) ||
        device_has_slices(call->device))
        return false;
    const struct location range_where = LOCATION(where, "subresourceRange");
    return finding_with_severity(call, SEVERITY_WARNING,
                                 WARNING_VkImageSubresourceRange_layerCount_compatibility,
                                 &LOCATION(&range_where, "layerCount"),
                                 OBJECT(HANDLE_IMAGE, object_state_handle(&image->base)),
                                 "is 1, which is all %u slices of mip level %u of this 3D image "
                                 "(VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT), but would be one "
                                 "slice if the feature maintenance9 were enabled: "
                                 "VK_REMAINING_ARRAY_LAYERS is all slices with the feature and "
                                 "without it",
                                 depth, range->baseMipLevel);
}

/* Checks an image barrier. `before`: the barriers before it in the same command. */
static bool barrier_check_image(const struct call *call,
                                const struct command_buffer *command_buffer,
                                const struct image_barrier *barrier,
                                const struct barriers_before *before, const struct location *where)
{
    const struct image *image = find_image(call, barrier->handle);
    if (!image)
        return false;
    const struct image_transition transition = {.image = image,
                                                .old_layout = barrier->old_layout,
                                                .new_layout = barrier->new_layout,
                                                .ignored =
                                                    image_barrier_ignores_layouts(call, barrier),
                                                .range = barrier->range};
    struct subject s = {.call = call, .where = where};
    s.skip |= image_transition_check(call, &transition, where);
    if (unlikely(image->type == VK_IMAGE_TYPE_3D && barrier->range->layerCount == 1))
        s.skip |= advise_on_slices(call, image, barrier->range, where);
    if (!transition.ignored)
        s.skip |= barrier_check_layouts(call, command_buffer, image, barrier, before, where);
    if (unlikely(barrier->version2 &&
                 (barrier->src_stages | barrier->dst_stages) & VK_PIPELINE_STAGE_2_HOST_BIT))
        s.skip |= check_host_stages(call, image, barrier, where);
    const struct families families = {barrier->version2 ? IMAGE_2 : IMAGE_1, image->sharing_mode,
                                      barrier->src_family, barrier->dst_family,
                                      OBJECT(HANDLE_IMAGE, barrier->handle)};
    return s.skip | check_families(call, &families, where);
}

/* --- version 1 --- */

/* Checks the accesses of a barrier that this queue executes: "if its srcQueueFamilyIndex and
 * dstQueueFamilyIndex are equal, or if its srcQueueFamilyIndex is the queue family index that was
 * used to create the command pool". */
static bool check_accesses(const struct call *call, const struct command_buffer *command_buffer,
                           const struct barriers *barriers, const enum rule rules[2],
                           uint32_t src_family, uint32_t dst_family, VkAccessFlags src,
                           VkAccessFlags dst, const struct location *where)
{
    assert(command_buffer && barriers && rules);
    bool skip = false;
    if ((src_family == dst_family || src_family == command_buffer->queue_family) &&
        unlikely(accesses_unsupported(barriers->src_stages, src)))
        skip |=
            accesses_check_supported(call, rule_vuid(call->command, rules[0]), barriers->src_stages,
                                     src, &LOCATION(where, "srcAccessMask"));
    if ((src_family == dst_family || dst_family == command_buffer->queue_family) &&
        unlikely(accesses_unsupported(barriers->dst_stages, dst)))
        skip |=
            accesses_check_supported(call, rule_vuid(call->command, rules[1]), barriers->dst_stages,
                                     dst, &LOCATION(where, "dstAccessMask"));
    return skip;
}

/* Without the feature rayQuery, only these stages can read acceleration structures. */
#define RAY_QUERY_STAGES                            \
    (VK_PIPELINE_STAGE_RAY_TRACING_SHADER_BIT_KHR | \
     VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR | VK_PIPELINE_STAGE_ALL_COMMANDS_BIT)

/* If the rayQuery feature is not enabled and a memory barrier's access mask includes
 * ACCELERATION_STRUCTURE_READ, the stage mask must include ... */
static COLD bool check_ray_query(const struct call *call, VkPipelineStageFlags stages,
                                 VkAccessFlags accesses, bool source, const struct location *where)
{
    if (!(accesses & VK_ACCESS_ACCELERATION_STRUCTURE_READ_BIT_KHR) || stages & RAY_QUERY_STAGES ||
        device_has_feature(call->device, FEATURE_rayQuery) ||
        accesses_unsupported(stages, VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR))
        return false; /* none of the stages can make the access, which is already reported */
    bool events = call->command == COMMAND_CmdWaitEvents;
    enum vuid vuid = events ? (source ? VUID_vkCmdWaitEvents_srcAccessMask_06257
                                      : VUID_vkCmdWaitEvents_dstAccessMask_06257)
                            : (source ? VUID_vkCmdPipelineBarrier_srcAccessMask_06257
                                      : VUID_vkCmdPipelineBarrier_dstAccessMask_06257);
    return BROKEN_BY(call, vuid, &LOCATION(where, source ? "srcAccessMask" : "dstAccessMask"), NULL,
                     "includes VK_ACCESS_ACCELERATION_STRUCTURE_READ_BIT_KHR, which without the "
                     "feature rayQuery none of the stages %s can make",
                     value_text(VALUES_VkPipelineStageFlags, stages).text);
}

/* Checks that the stages of the command support the accesses of a memory barrier. */
static bool barrier_check_memory(const struct call *call, const struct barriers *barriers,
                                 const VkMemoryBarrier *barrier, const struct location *where)
{
    bool skip = false;
    if (unlikely(accesses_unsupported(barriers->src_stages, barrier->srcAccessMask)))
        skip |= accesses_check_supported(call, RULE(call, 02815), barriers->src_stages,
                                         barrier->srcAccessMask, &LOCATION(where, "srcAccessMask"));
    if (unlikely(accesses_unsupported(barriers->dst_stages, barrier->dstAccessMask)))
        skip |= accesses_check_supported(call, RULE(call, 02816), barriers->dst_stages,
                                         barrier->dstAccessMask, &LOCATION(where, "dstAccessMask"));
    if (unlikely((barrier->srcAccessMask | barrier->dstAccessMask) &
                 VK_ACCESS_ACCELERATION_STRUCTURE_READ_BIT_KHR)) {
        skip |= check_ray_query(call, barriers->src_stages, barrier->srcAccessMask, true, where);
        skip |= check_ray_query(call, barriers->dst_stages, barrier->dstAccessMask, false, where);
    }
    return skip;
}

bool barriers_check(const struct call *call, const struct command_buffer *command_buffer,
                    const struct barriers *barriers)
{
    assert(command_buffer && barriers);
    static const enum rule buffer_rules[2] = {RULE_02817, RULE_02818},
                           image_rules[2] = {RULE_02819, RULE_02820};
    /* The order of reports is that of the parameters: memory, buffers, images. */
    bool skip = false;
    for (uint32_t i = 0; barriers->memory && i < barriers->memory_count; i++)
        skip |= barrier_check_memory(call, barriers, &barriers->memory[i],
                                     &LOCATION_INDEX(NULL, "pMemoryBarriers", i));
    for (uint32_t i = 0; barriers->buffers && i < barriers->buffer_count; i++) {
        const VkBufferMemoryBarrier *b = &barriers->buffers[i];
        const struct buffer_barrier barrier = {
            b->buffer, b->offset, b->size, b->srcQueueFamilyIndex, b->dstQueueFamilyIndex, false};
        const struct location where = LOCATION_INDEX(NULL, "pBufferMemoryBarriers", i);
        skip |= barrier_check_buffer(call, &barrier, &where);
        skip |= check_accesses(call, command_buffer, barriers, buffer_rules, b->srcQueueFamilyIndex,
                               b->dstQueueFamilyIndex, b->srcAccessMask, b->dstAccessMask, &where);
    }
    for (uint32_t i = 0; barriers->images && i < barriers->image_count; i++) {
        const VkImageMemoryBarrier *b = &barriers->images[i];
        const struct image_barrier barrier =
            image_barrier_of(b, barriers->src_stages, barriers->dst_stages);
        /* Earlier barriers of the call are given along: two for one subresource must not
         * overlap. */
        const struct location where = LOCATION_INDEX(NULL, "pImageMemoryBarriers", i);
        skip |= barrier_check_image(call, command_buffer, &barrier,
                                    &(struct barriers_before){.list = barriers->images, .count = i},
                                    &where);
        skip |= check_accesses(call, command_buffer, barriers, image_rules, b->srcQueueFamilyIndex,
                               b->dstQueueFamilyIndex, b->srcAccessMask, b->dstAccessMask, &where);
    }
    return skip;
}

/* --- version 2 --- */

/* Checks the stages and accesses of the source and destination of a barrier. */
#define CHECK_MASKS(Structure_, barrier_)                                                     \
    (stages_check_features(call, MASK_##Structure_##_srcStageMask, (barrier_)->srcStageMask,  \
                           &LOCATION(&where, "srcStageMask")) |                               \
     stages_check_features(call, MASK_##Structure_##_dstStageMask, (barrier_)->dstStageMask,  \
                           &LOCATION(&where, "dstStageMask")) |                               \
     accesses_check_stages(call, MASK_##Structure_##_srcAccessMask, (barrier_)->srcStageMask, \
                           (barrier_)->srcAccessMask, &LOCATION(&where, "srcAccessMask")) |   \
     accesses_check_stages(call, MASK_##Structure_##_dstAccessMask, (barrier_)->dstStageMask, \
                           (barrier_)->dstAccessMask, &LOCATION(&where, "dstAccessMask")))

/* If the buffer from which address was queried was created with VK_SHARING_MODE_EXCLUSIVE, and
 * srcQueueFamilyIndex and dstQueueFamilyIndex are not equal, each must be
 * VK_QUEUE_FAMILY_EXTERNAL, VK_QUEUE_FAMILY_FOREIGN_EXT, or a valid queue family */
static COLD bool check_memory_ranges(const struct call *call, const VkDependencyInfo *info,
                                     const struct location *parent)
{
    const VkMemoryRangeBarriersInfoKHR *ranges =
        CHAINED(info->pNext, MEMORY_RANGE_BARRIERS_INFO_KHR);
    struct subject s = {.call = call};
    for (uint32_t i = 0;
         ranges && ranges->pMemoryRangeBarriers && i < ranges->memoryRangeBarrierCount; i++) {
        const VkMemoryRangeBarrierKHR *b = &ranges->pMemoryRangeBarriers[i];
        const struct location chained = LOCATION_CHAINED(parent, "VkMemoryRangeBarriersInfoKHR"),
                              where = LOCATION_INDEX(&chained, "pMemoryRangeBarriers", i);
        REQUIRE(&s, VUID_VkMemoryRangeBarrierKHR_None_09097,
                external_is_known(call, b->srcQueueFamilyIndex),
                &LOCATION(&where, "srcQueueFamilyIndex"), EXTERNAL_UNKNOWN);
        REQUIRE(&s, VUID_VkMemoryRangeBarrierKHR_None_09098,
                external_is_known(call, b->dstQueueFamilyIndex),
                &LOCATION(&where, "dstQueueFamilyIndex"), EXTERNAL_UNKNOWN);
        if (b->srcQueueFamilyIndex == b->dstQueueFamilyIndex)
            continue;
        const struct address_search found =
            /* One byte finds the buffer, of which only the sharing mode is needed. */
            device_address_find(call->device, b->addressRange.address, 1, 0);
        if (found.match != ADDRESS_FOUND || found.buffer->sharing_mode != VK_SHARING_MODE_EXCLUSIVE)
            continue;
        const struct finding_objects *objects =
            OBJECT(HANDLE_BUFFER, object_state_handle(&found.buffer->base));
        REQUIRE_OF(&s, objects, RULE_13087, family_is_valid(call, b->srcQueueFamilyIndex),
                   &LOCATION(&where, "srcQueueFamilyIndex"),
                   "is %s and dstQueueFamilyIndex is %s: to move the ownership, both must be queue "
                   "families, and the device has %u",
                   family_name(b->srcQueueFamilyIndex).text,
                   family_name(b->dstQueueFamilyIndex).text, call->device->queue_family_count);
        REQUIRE_OF(&s, objects, RULE_13088, family_is_valid(call, b->dstQueueFamilyIndex),
                   &LOCATION(&where, "dstQueueFamilyIndex"),
                   "is %s and srcQueueFamilyIndex is %s: to move the ownership, both must be queue "
                   "families, and the device has %u",
                   family_name(b->dstQueueFamilyIndex).text,
                   family_name(b->srcQueueFamilyIndex).text, call->device->queue_family_count);
    }
    return s.skip;
}

/* The most structures of a chain that are looked at, which is more than any chain has. */
#define CHAIN_MOST 64

/* For each element of pMemoryBarriers, the sType value of each structure in the pNext chain must be
 * unique; pNext must be either NULL or a pointer to a valid instance of
 * VkMemoryBarrierAccessFlags3KHR */
static COLD bool check_memory_chain(const struct call *call, const void *chain,
                                    const struct location *where)
{
    const VkBaseInStructure *next = chain;
    struct subject s = {.call = call, .where = where};
    for (uint32_t i = 0; i < CHAIN_MOST && !pointer_is_bad(next) && !s.wrong; i++) {
        const bool known = next->sType == VK_STRUCTURE_TYPE_MEMORY_BARRIER_ACCESS_FLAGS_3_KHR;
        /* A structure that this registry does not have may belong to a later version. */
        REQUIRE(&s, RULE_10606, known || !value_has_name(VALUES_VkStructureType, next->sType),
                "pNext", "has a structure of %s, which is not a VkMemoryBarrierAccessFlags3KHR",
                TEXT_OF(VkStructureType, next->sType));
        if (known && i)
            BROKEN(&s, RULE_10605, "pNext", "has two VkMemoryBarrierAccessFlags3KHR");
        next = next->pNext;
    }
    return s.skip;
}

/* Checks the memory binding and the queue families of a tensor barrier. */
static void check_tensor_barrier(struct subject *s, const struct command_buffer *command_buffer,
                                 const VkTensorMemoryBarrierARM *b)
{
    const struct created_tensor *tensor =
        call_find_state(s->call, (uint64_t)b->tensor, HANDLE_TENSOR_ARM);
    const uint32_t src = b->srcQueueFamilyIndex, dst = b->dstQueueFamilyIndex;
    const uint32_t ignored = VK_QUEUE_FAMILY_IGNORED;
    if (!tensor)
        return;
    s->objects = OBJECT(HANDLE_TENSOR_ARM, b->tensor);
    /* If tensor is non-sparse then it must be bound completely and contiguously to a single
     * VkDeviceMemory object */
    REQUIRE(s, RULE_09758, atomic_load_explicit(&tensor->bound, memory_order_relaxed), "tensor",
            "was never bound to memory");
    if (tensor->sharing_mode != VK_SHARING_MODE_EXCLUSIVE)
        return;
    /* ... srcQueueFamilyIndex and dstQueueFamilyIndex must both be either VK_QUEUE_FAMILY_IGNORED,
     * or a valid queue family */
    const bool src_valid = src == ignored || family_is_valid(s->call, src),
               dst_valid = dst == ignored || family_is_valid(s->call, dst);
    REQUIRE(s, RULE_09756, src_valid && dst_valid,
            src_valid ? "dstQueueFamilyIndex" : "srcQueueFamilyIndex",
            "is %s, which is neither VK_QUEUE_FAMILY_IGNORED nor one of the %u queue families",
            family_name(src_valid ? dst : src).text, s->call->device->queue_family_count);
    /* ... at least one of them must be the same as the family of the queue that will execute this
     * barrier */
    if (src != ignored && dst != ignored && src != dst && src_valid && dst_valid)
        REQUIRE(s, RULE_09757,
                src == command_buffer->queue_family || dst == command_buffer->queue_family,
                "srcQueueFamilyIndex",
                "is %s and dstQueueFamilyIndex is %s, but the command buffer is of queue family %u",
                family_name(src).text, family_name(dst).text, command_buffer->queue_family);
}

/* Checks barriers of tensors. The chain may have a single barrier or an array of them. */
static COLD bool check_tensor_barriers(const struct call *call,
                                       const struct command_buffer *command_buffer,
                                       const VkDependencyInfo *info, const struct location *parent)
{
    const VkTensorDependencyInfoARM *several = CHAINED(info->pNext, TENSOR_DEPENDENCY_INFO_ARM);
    const VkTensorMemoryBarrierARM *one = CHAINED(info->pNext, TENSOR_MEMORY_BARRIER_ARM);
    bool skip = false;
    if (one) {
        struct subject s = {.call = call,
                            .where = &LOCATION_CHAINED(parent, "VkTensorMemoryBarrierARM")};
        check_tensor_barrier(&s, command_buffer, one);
        skip |= s.skip;
    }
    for (uint32_t i = 0; several && !pointer_is_bad(several->pTensorMemoryBarriers) &&
                         i < several->tensorMemoryBarrierCount;
         i++) {
        const struct location chained = LOCATION_CHAINED(parent, "VkTensorDependencyInfoARM");
        struct subject s = {.call = call,
                            .where = &LOCATION_INDEX(&chained, "pTensorMemoryBarriers", i)};
        check_tensor_barrier(&s, command_buffer, &several->pTensorMemoryBarriers[i]);
        skip |= s.skip;
    }
    return skip;
}

bool dependency_check(const struct call *call, const struct command_buffer *command_buffer,
                      const VkDependencyInfo *infos, uint32_t index, const struct location *parent)
{
    assert(command_buffer && infos);
    const VkDependencyInfo *info = &infos[index];
    struct subject s = {.call = call};
    if (unlikely(info->pNext))
        s.skip |= check_memory_ranges(call, info, parent) |
                  check_tensor_barriers(call, command_buffer, info, parent);
    for (uint32_t i = 0; info->pMemoryBarriers && i < info->memoryBarrierCount; i++) {
        const struct location where = LOCATION_INDEX(parent, "pMemoryBarriers", i);
        if (unlikely(info->pMemoryBarriers[i].pNext))
            s.skip |= check_memory_chain(call, info->pMemoryBarriers[i].pNext, &where);
        s.skip |= CHECK_MASKS(VkMemoryBarrier2, &info->pMemoryBarriers[i]);
    }
    for (uint32_t i = 0; info->pBufferMemoryBarriers && i < info->bufferMemoryBarrierCount; i++) {
        const VkBufferMemoryBarrier2 *b = &info->pBufferMemoryBarriers[i];
        const struct buffer_barrier barrier = {
            b->buffer, b->offset, b->size, b->srcQueueFamilyIndex, b->dstQueueFamilyIndex, true};
        const struct location where = LOCATION_INDEX(parent, "pBufferMemoryBarriers", i);
        s.skip |= CHECK_MASKS(VkBufferMemoryBarrier2, b);
        s.skip |= barrier_check_buffer(call, &barrier, &where);
        /* If either srcStageMask or dstStageMask includes HOST, srcQueueFamilyIndex and
         * dstQueueFamilyIndex must be equal */
        if (unlikely((b->srcStageMask | b->dstStageMask) & VK_PIPELINE_STAGE_2_HOST_BIT &&
                     b->srcQueueFamilyIndex != b->dstQueueFamilyIndex))
            BROKEN_OF(&s, OBJECT(HANDLE_BUFFER, b->buffer), RULE_03851,
                      &LOCATION(&where, "dstQueueFamilyIndex"),
                      "is %s, but srcQueueFamilyIndex is %s, and the host stage does not "
                      "transfer ownership",
                      family_name(b->dstQueueFamilyIndex).text,
                      family_name(b->srcQueueFamilyIndex).text);
    }
    for (uint32_t i = 0; info->pImageMemoryBarriers && i < info->imageMemoryBarrierCount; i++) {
        const struct image_barrier barrier = image_barrier_of2(&info->pImageMemoryBarriers[i]);
        const struct location where = LOCATION_INDEX(parent, "pImageMemoryBarriers", i);
        s.skip |= CHECK_MASKS(VkImageMemoryBarrier2, &info->pImageMemoryBarriers[i]);
        s.skip |= barrier_check_image(call, command_buffer, &barrier,
                                      &(struct barriers_before){.infos = infos,
                                                                .info_count = index,
                                                                .list2 = info->pImageMemoryBarriers,
                                                                .count = i},
                                      &where);
    }
    return s.skip;
}
