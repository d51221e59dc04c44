/* Finds the missing dependency, and writes the code for it. The dependency is the smallest one. It
 * has the two stages, their accesses if there is a write to be seen, and the resource's known part.
 * A write after a read needs execution to be ordered, and nothing else (7.1 "Execution and Memory
 * Dependencies"). */
#include <inttypes.h>

#include "report/names/names_of_values.h"
#include "sync/report/report_facts.h"
#include "sync/access/usage_mask.h"

/* The stages and accesses that a dependency between the two has to name. */
struct needed {
    VkPipelineStageFlags2 src_stage, dst_stage;
    VkAccessFlags2 src_access, dst_access; /* if both are 0, an execution dependency is enough */
};

/* True if the access is the transition of an attachment: its dependency names the stages that use
 * the attachment. */
static bool transitions_attachment(const struct report_side *side)
{
    return usage_is_transition(side->usage) && side->source.role == ROLE_ATTACHMENT_TRANSITION;
}

/* True if the place has the aspect color, or is not an image's. */
static bool is_color(const struct report_side *side)
{
    return side->extent.kind != EXTENT_SUBRESOURCES ||
           side->extent.range.aspectMask & VK_IMAGE_ASPECT_COLOR_BIT;
}

/* Returns the stage that a barrier names for this access. Two stages cover copies of acceleration
 * structures: the narrower one is named if the program may use it. */
static VkPipelineStageFlags2 mend_stage(const struct report_facts *facts,
                                        const struct report_side *side)
{
    VkPipelineStageFlags2 stage = sync_usage_info[side->usage].stage_bit;
    if (stage == VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR &&
        !facts->mend.structure_copies)
        return VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR;
    if (!transitions_attachment(side))
        return stage;
    return is_color(side) ? VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT
                          : VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT |
                                VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT;
}

/* Returns the accesses that a barrier names for this side. */
static VkAccessFlags2 access_of(const struct report_side *side)
{
    if (!transitions_attachment(side))
        return sync_usage_info[side->usage].access;
    return is_color(side)
               ? VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT
               : VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
                     VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
}

/* Returns the smallest dependency between the two. A write after a read only needs an execution
 * dependency (7.1). */
static struct needed needed_between(const struct report_facts *facts)
{
    struct needed needed = {.src_stage = mend_stage(facts, &facts->earlier),
                            .dst_stage = mend_stage(facts, &facts->self)};
    if (usage_writes(facts->earlier.usage)) {
        needed.src_access = access_of(&facts->earlier);
        needed.dst_access = access_of(&facts->self);
    }
    return needed;
}

/* --- barriers as code --- */

/* Writes ".srcStageMask = ...," and the other masks, each on a line. `accesses_only`: the stages
 * are parameters of vkCmdPipelineBarrier. */
static void write_masks(struct string_builder *text, const struct barrier_code *code,
                        bool accesses_only)
{
    if (!accesses_only) {
        string_builder_add(text, "\n    .srcStageMask = ");
        write_stages(text, code->src_stages, code->version2);
        string_builder_add(text, ",");
    }
    if (code->src_accesses) {
        string_builder_add(text, "\n    .srcAccessMask = ");
        write_accesses(text, code->src_accesses, code->version2);
        string_builder_add(text, ",");
    }
    if (!accesses_only) {
        string_builder_add(text, "\n    .dstStageMask = ");
        write_stages(text, code->dst_stages, code->version2);
        string_builder_add(text, ",");
    }
    if (code->dst_accesses) {
        string_builder_add(text, "\n    .dstAccessMask = ");
        write_accesses(text, code->dst_accesses, code->version2);
        string_builder_add(text, ",");
    }
}

/* Writes the queue families. A barrier that is shown never transfers ownership. */
static void write_families(struct string_builder *text)
{
    string_builder_add(text, "\n    .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,\n    "
                             ".dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,");
}

/* Writes the members that only buffer barriers have. The object's name is in a comment, as the
 * program's variable is not known. */
static void write_buffer_members(struct string_builder *text, const struct barrier_code *code)
{
    write_families(text);
    string_builder_add(text, "\n    .buffer = buffer, /* ");
    write_object(text, code->resource);
    string_builder_format(text, " */\n    .offset = %" PRIu64 ",\n    .size = ", code->offset);
    if (code->size == VK_WHOLE_SIZE)
        string_builder_add(text, "VK_WHOLE_SIZE,");
    else
        string_builder_format(text, "%" PRIu64 ",", code->size);
}

/* Writes a count of levels or layers. VK_REMAINING_MIP_LEVELS and VK_REMAINING_ARRAY_LAYERS have
 * one value. */
static void write_count(struct string_builder *text, uint32_t count, const char *remaining)
{
    if (count == VK_REMAINING_MIP_LEVELS) /* VK_REMAINING_ARRAY_LAYERS is equal */
        string_builder_add(text, remaining);
    else
        string_builder_format(text, "%u", count);
}

/* Writes the members of an image barrier that other barriers do not have. */
static void write_image_members(struct string_builder *text, const struct barrier_code *code)
{
    const VkImageSubresourceRange *range = &code->range;
    string_builder_add(text, "\n    .oldLayout = ");
    value_write(text, VALUES_VkImageLayout, code->old_layout);
    string_builder_add(text, code->old_layout == code->new_layout
                                 ? ", /* as it is: no transition */\n"
                                 : ",\n");
    string_builder_add(text, "    .newLayout = ");
    value_write(text, VALUES_VkImageLayout, code->new_layout);
    string_builder_add(text, ",");
    write_families(text);
    string_builder_add(text, "\n    .image = image, /* ");
    write_object(text, code->resource);
    string_builder_add(text, " */\n    .subresourceRange = {");
    value_write(text, VALUES_VkImageAspectFlags, range->aspectMask);
    string_builder_format(text, ", %u, ", range->baseMipLevel);
    write_count(text, range->levelCount, "VK_REMAINING_MIP_LEVELS");
    string_builder_format(text, ", %u, ", range->baseArrayLayer);
    write_count(text, range->layerCount, "VK_REMAINING_ARRAY_LAYERS");
    string_builder_add(text, "},");
}

/* Writes the members that this form of barrier has; a memory barrier has none of its own. */
static void write_members(struct string_builder *text, const struct barrier_code *code)
{
    if (code->form == FORM_BUFFER)
        write_buffer_members(text, code);
    else if (code->form == FORM_IMAGE)
        write_image_members(text, code);
}

/* Writes the code of a barrier with synchronization2. */
static void write_barrier2(struct string_builder *text, const struct barrier_code *code)
{
    static const struct {
        const char *type, *structure_type, *count, *pointer;
    } names[] = {
        [FORM_MEMORY] = {"VkMemoryBarrier2", "MEMORY_BARRIER_2", "memoryBarrierCount",
                         "pMemoryBarriers"},
        [FORM_BUFFER] = {"VkBufferMemoryBarrier2", "BUFFER_MEMORY_BARRIER_2",
                         "bufferMemoryBarrierCount", "pBufferMemoryBarriers"},
        [FORM_IMAGE] = {"VkImageMemoryBarrier2", "IMAGE_MEMORY_BARRIER_2",
                        "imageMemoryBarrierCount", "pImageMemoryBarriers"},
    };
    string_builder_format(text, "\nconst %s barrier = {\n    .sType = VK_STRUCTURE_TYPE_%s,",
                          names[code->form].type, names[code->form].structure_type);
    write_masks(text, code, false);
    write_members(text, code);
    string_builder_format(text,
                          "\n};\nconst VkDependencyInfo dependency = {\n"
                          "    .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,\n    .%s = 1,\n    .%s "
                          "= &barrier,\n};\n"
                          "vkCmdPipelineBarrier2(commandBuffer, &dependency);",
                          names[code->form].count, names[code->form].pointer);
}

/* Writes the code of a barrier without synchronization2. A barrier without accesses is an execution
 * dependency. */
static void write_barrier1(struct string_builder *text, const struct barrier_code *code)
{
    static const struct {
        const char *type, *structure_type, *arguments;
    } names[] = {
        [FORM_MEMORY] = {"VkMemoryBarrier", "MEMORY_BARRIER", "1, &barrier, 0, NULL, 0, NULL"},
        [FORM_BUFFER] = {"VkBufferMemoryBarrier", "BUFFER_MEMORY_BARRIER",
                         "0, NULL, 1, &barrier, 0, NULL"},
        [FORM_IMAGE] = {"VkImageMemoryBarrier", "IMAGE_MEMORY_BARRIER",
                        "0, NULL, 0, NULL, 1, &barrier"},
    };
    /* A call with an execution dependency needs no structure. */
    bool execution = code->form == FORM_MEMORY && !code->src_accesses && !code->dst_accesses;
    if (!execution) {
        string_builder_format(text, "\nconst %s barrier = {\n    .sType = VK_STRUCTURE_TYPE_%s,",
                              names[code->form].type, names[code->form].structure_type);
        write_masks(text, code, true);
        write_members(text, code);
        string_builder_add(text, "\n};");
    }
    string_builder_add(text, "\nvkCmdPipelineBarrier(commandBuffer, ");
    write_stages(text, code->src_stages, false);
    string_builder_add(text, ", ");
    write_stages(text, code->dst_stages, false);
    string_builder_format(text, ", 0,\n                     %s);",
                          execution ? "0, NULL, 0, NULL, 0, NULL" : names[code->form].arguments);
}

void write_barrier_code(struct string_builder *text, const struct barrier_code *code)
{
    if (code->version2)
        write_barrier2(text, code);
    else
        write_barrier1(text, code);
}

/* --- the barrier between the two --- */

/* True if this access needs the image in another layout than it has: then the barrier makes the
 * transition. */
static bool layout_changes(const struct report_facts *facts)
{
    const struct report_mend *mend = &facts->mend;
    return mend->kind == MEND_BARRIER && mend->wanted != VK_IMAGE_LAYOUT_UNDEFINED &&
           mend->layout != VK_IMAGE_LAYOUT_MAX_ENUM && mend->layout != VK_IMAGE_LAYOUT_UNDEFINED &&
           mend->wanted != VK_IMAGE_LAYOUT_MAX_ENUM && mend->wanted != mend->layout;
}

/* Returns the form of the barrier that is shown. It names a part of a resource only if all of that
 * part is known, it is the only one, and there is memory to be made visible. */
static enum barrier_form form_of(const struct report_facts *facts)
{
    const struct report_side *self = &facts->self;
    bool same = self->resource.handle == facts->earlier.resource.handle &&
                self->resource.type == facts->earlier.resource.type;
    if (layout_changes(facts) && same && self->extent.kind == EXTENT_SUBRESOURCES)
        return FORM_IMAGE;
    if (!needed_between(facts).src_access || !same || self->more_ranges)
        return FORM_MEMORY;
    if (self->resource.type == HANDLE_BUFFER && self->extent.kind == EXTENT_BYTES)
        return FORM_BUFFER;
    if (self->resource.type == HANDLE_IMAGE && self->extent.kind == EXTENT_SUBRESOURCES &&
        facts->mend.layout != VK_IMAGE_LAYOUT_MAX_ENUM &&
        facts->mend.layout != VK_IMAGE_LAYOUT_UNDEFINED)
        return FORM_IMAGE;
    return FORM_MEMORY;
}

/* Writes the code of the barrier that the two accesses need. */
static void write_barrier(struct string_builder *text, const struct report_facts *facts)
{
    const struct report_side *self = &facts->self;
    struct needed needed = needed_between(facts);
    bool changes = form_of(facts) == FORM_IMAGE && layout_changes(facts);
    if (changes) /* the transition writes, which this access has to see */
        needed.dst_access = access_of(self);
    write_barrier_code(text, &(struct barrier_code){.form = form_of(facts),
                                                    .version2 = facts->mend.synchronization2,
                                                    .src_stages = needed.src_stage,
                                                    .dst_stages = needed.dst_stage,
                                                    .src_accesses = needed.src_access,
                                                    .dst_accesses = needed.dst_access,
                                                    .resource = &self->resource,
                                                    .offset = self->extent.offset,
                                                    .size = self->extent.size,
                                                    .old_layout = facts->mend.layout,
                                                    .new_layout = changes ? facts->mend.wanted
                                                                          : facts->mend.layout,
                                                    .range = self->extent.range});
}

/* --- other repairs --- */

/* The half of a transition's barrier that has to be wider. */
enum scope_half { HALF_SRC, HALF_DST };

/* Writes a subpass as in code: the name of VK_SUBPASS_EXTERNAL, else the number. */
static void write_subpass_number(struct string_builder *text, uint32_t subpass)
{
    if (subpass == VK_SUBPASS_EXTERNAL)
        string_builder_add(text, "VK_SUBPASS_EXTERNAL");
    else
        string_builder_format(text, "%u", subpass);
}

/* True if each sample of this access only depends on the earlier access to the same sample. That is
 * so for attachments, but not for places that shaders address themselves. */
static bool is_by_region(const struct report_facts *facts)
{
    const VkAccessFlags2 attachments =
        VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT |
        VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
        VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
    const struct report_mend *mend = &facts->mend;
    return mend->src_subpass != VK_SUBPASS_EXTERNAL && mend->dst_subpass != VK_SUBPASS_EXTERNAL &&
           access_of(&facts->earlier) & attachments && access_of(&facts->self) & attachments;
}

/* Writes the subpass dependency as code. It uses the masks of VkSubpassDependency, which are of
 * version 1. Those of version 2 would need a chained VkMemoryBarrier2, which is longer. */
static void write_dependency(struct string_builder *text, const struct report_facts *facts)
{
    const struct report_mend *mend = &facts->mend;
    struct needed needed = needed_between(facts);
    string_builder_add(text, "a dependency of the render pass\nconst VkSubpassDependency "
                             "dependency = {\n    .srcSubpass = ");
    write_subpass_number(text, mend->src_subpass);
    string_builder_add(text, ",\n    .dstSubpass = ");
    write_subpass_number(text, mend->dst_subpass);
    string_builder_add(text, ",\n    .srcStageMask = ");
    write_stages(text, needed.src_stage, false);
    string_builder_add(text, ",\n    .dstStageMask = ");
    write_stages(text, needed.dst_stage, false);
    string_builder_add(text, ",");
    if (needed.src_access) {
        string_builder_add(text, "\n    .srcAccessMask = ");
        write_accesses(text, needed.src_access, false);
        string_builder_add(text, ",");
    }
    if (needed.dst_access) {
        string_builder_add(text, "\n    .dstAccessMask = ");
        write_accesses(text, needed.dst_access, false);
        string_builder_add(text, ",");
    }
    if (is_by_region(facts))
        string_builder_add(text, "\n    .dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT, /* each "
                                 "pixel needs its own */");
    string_builder_add(text, "\n};");
    if (mend->src_subpass == mend->dst_subpass)
        string_builder_add(text,
                           "\nand, between the two, a vkCmdPipelineBarrier with the same masks");
}

/* True if the command makes final transitions. */
static bool ends_render_pass(enum command command)
{
    enum command root = command_root[command];
    return root == COMMAND_CmdEndRenderPass || root == COMMAND_CmdEndRenderPass2;
}

#define STAGES_BY_NAME 4 /* so many stages are named; ALL_COMMANDS is easier to read than more */

/* The stages that the barrier of a transition has to wait for: that of the earlier access. If that
 * is a transition too, which is in no stage, they are the stages ordered after it. */
static VkPipelineStageFlags2 widened_source(const struct report_facts *facts)
{
    if (!usage_is_transition(facts->earlier.usage))
        return mend_stage(facts, &facts->earlier);
    VkPipelineStageFlags2 ordered = sync_stage_flags(facts->between.ordered);
    return ordered && __builtin_popcountll(ordered) <= STAGES_BY_NAME
               ? ordered
               : VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
}

/* Writes which barrier or dependency has to be wider. */
static void write_whose_barrier(struct string_builder *text, const struct report_side *barrier)
{
    bool attachment = barrier->source.role == ROLE_ATTACHMENT_TRANSITION;
    if (attachment && ends_render_pass(barrier->command))
        string_builder_format(text,
                              "add to the dependency from the last subpass with attachment %u to "
                              "VK_SUBPASS_EXTERNAL (there is an implicit one where the render pass "
                              "has none)",
                              barrier->source.index);
    else if (attachment)
        string_builder_format(text,
                              "add to the dependency into the subpass that attachment %u is "
                              "transitioned for (there is an implicit one where the render pass "
                              "has none)",
                              barrier->source.index);
    else if (barrier->known)
        string_builder_format(text, "add to the image barrier of %s (command %u)",
                              command_name[barrier->command], barrier->command_index);
    else
        string_builder_add(text, "add to the barrier that makes the transition");
}

/* Writes that a transition's own barrier or dependency needs the other access in its first or
 * second scope, too. Stages of version 1 are parameters of the command. */
static void write_widened(struct string_builder *text, const struct report_facts *facts,
                          const struct report_side *barrier, enum scope_half half)
{
    bool attachment = barrier->source.role == ROLE_ATTACHMENT_TRANSITION;
    bool version2 =
        barrier->known ? command_is_version2(barrier->command) : facts->mend.synchronization2;
    VkPipelineStageFlags2 stage =
        half == HALF_SRC ? widened_source(facts) : mend_stage(facts, &facts->self);
    /* transitions write */
    VkAccessFlags2 access = half == HALF_DST ? access_of(&facts->self)
                            : usage_writes(facts->earlier.usage)
                                ? sync_usage_info[facts->earlier.usage].access
                                : 0;
    const char *prefix = half == HALF_SRC ? "src" : "dst";
    write_whose_barrier(text, barrier);
    const char *name = attachment ? "dependency." : "barrier.";
    string_builder_format(text, "\n%s%sStageMask |= ", attachment || version2 ? name : "", prefix);
    write_stages(text, stage, version2);
    string_builder_format(text, attachment || version2 ? ";" : "; /* the command's */");
    if (!access)
        return;
    string_builder_format(text, "\n%s%sAccessMask |= ", name, prefix);
    write_accesses(text, access, version2);
    string_builder_add(text, ";");
}

/* Writes that a barrier must be moved before the render pass instance. "If vkCmdPipelineBarrier was
 * recorded inside a render pass instance, the second synchronization scope includes only commands
 * that occur later in submission order within the same subpass" (7.7). */
static void write_moved(struct string_builder *text, const struct report_facts *facts)
{
    string_builder_format(text,
                          "%s (command %u), moved before the render pass instance that it is in: "
                          "inside, it orders the commands of its subpass alone, whatever its masks "
                          "are",
                          command_name[facts->earlier.command], facts->earlier.command_index);
    if (facts->between.in_scope)
        return;
    string_builder_add(text, ". And ");
    write_widened(text, facts, &facts->earlier, HALF_DST);
}

/* Writes the wait for a semaphore in the stage of this access; it covers all memory (7.4.1
 * "Semaphore Signaling", 7.4.2 "Semaphore Waiting"). */
static void write_semaphore_wait(struct string_builder *text, const struct report_facts *facts)
{
    VkPipelineStageFlags2 stage = needed_between(facts).dst_stage;
    if (!stage)
        stage = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    if (facts->mend.synchronization2) {
        string_builder_add(text, "\nconst VkSemaphoreSubmitInfo wait = { /* "
                                 "VkSubmitInfo2::pWaitSemaphoreInfos */\n"
                                 "    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,\n"
                                 "    .semaphore = semaphore,\n    .stageMask = ");
        write_stages(text, stage, true);
        string_builder_add(text, ",\n};");
        return;
    }
    string_builder_add(text, "\nconst VkPipelineStageFlags wait = ");
    write_stages(text, stage, false);
    string_builder_add(text, "; /* VkSubmitInfo::pWaitDstStageMask */");
}

/* Writes " before vkCmdDraw (command 4)", or which command executes the secondary that has the
 * access. */
static void write_before_command(struct string_builder *text, const struct report_side *side)
{
    string_builder_format(text, " before %s (command %u", command_name[side->command],
                          side->command_index);
    if (side->executed) {
        string_builder_add(text, " of ");
        write_object(text, &side->command_buffer);
        string_builder_format(text, ", or before command %u, which executes it",
                              side->executed_index);
    }
    string_builder_add(text, ")");
}

/* Writes which dependency is needed, and before which command. */
static void write_before(struct string_builder *text, const struct report_facts *facts)
{
    if (layout_changes(facts))
        string_builder_add(text, "a memory dependency with a layout transition");
    else if (!needed_between(facts).src_access)
        string_builder_add(text, "an execution dependency");
    else
        string_builder_add(text, "a memory dependency");
    if (facts->mend.kind == MEND_BARRIER_BEFORE)
        string_builder_add(text, ", before the render pass instance");
    else if (facts->mend.kind == MEND_SPLIT_RENDERING)
        string_builder_add(text, ", with the render pass instance ended before it and begun again "
                                 "after it");
    else if (facts->mend.kind == MEND_SPLIT_BUILDS)
        string_builder_add(text, " between the two builds, each in a command of its own");
    else if (facts->self.known)
        write_before_command(text, &facts->self);
    else
        string_builder_add(text, " before this access");
}

void write_hazard_mend(struct string_builder *text, const struct report_facts *facts)
{
    switch (facts->mend.kind) {
    case MEND_BARRIER:
    case MEND_BARRIER_BEFORE:
    case MEND_SPLIT_BUILDS:
    case MEND_SPLIT_RENDERING:
        write_before(text, facts);
        write_barrier(text, facts);
        if (facts->between.fault == FAULT_EVENT && facts->earlier.known)
            string_builder_format(text,
                                  "\nor the event that is waited for, set after %s (command %u)",
                                  command_name[facts->earlier.command],
                                  facts->earlier.command_index);
        return;
    case MEND_WIDEN_SOURCE:
        write_widened(text, facts, &facts->self, HALF_SRC);
        return;
    case MEND_WIDEN_DESTINATION:
        write_widened(text, facts, &facts->earlier, HALF_DST);
        return;
    case MEND_MOVE_BARRIER:
        write_moved(text, facts);
        return;
    case MEND_DEPENDENCY:
        write_dependency(text, facts);
        return;
    case MEND_SEMAPHORE:
        string_builder_add(text, "a semaphore: signaled after the earlier access");
        if (facts->earlier.queue.type != HANDLE_NONE) {
            string_builder_add(text, " on ");
            write_object(text, &facts->earlier.queue);
        }
        string_builder_add(text, ", waited for by the submission of this one");
        write_semaphore_wait(text, facts);
        return;
    case MEND_ACQUIRE:
        string_builder_add(text,
                           "a wait for the semaphore that was given to vkAcquireNextImageKHR");
        write_semaphore_wait(text, facts);
        return;
    case MEND_PRESENT:
        string_builder_add(text, "a semaphore that the submission of the earlier access signals, "
                                 "in VkPresentInfoKHR::pWaitSemaphores");
        return;
    case MEND_HOST:
        string_builder_format(text, "a wait of the host before %s, for the earlier access",
                              command_name[facts->called]);
        if (facts->earlier.queue.type != HANDLE_NONE) {
            string_builder_add(text, " on ");
            write_object(text, &facts->earlier.queue);
        }
        string_builder_add(text, ": vkWaitForFences, vkWaitSemaphores or vkQueueWaitIdle");
        return;
    }
}
