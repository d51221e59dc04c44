/* Writes a hazard as text: a sentence, each access, and the barriers between the two. */
#include <inttypes.h>

#include "sync/report/report_facts.h"
#include "sync/access/usage_mask.h"

/* flags that are listed by name; scopes of whole pipelines have dozens of flags */
#define NAMES_LIMIT 4

/* True if names of synchronization2 are shown, as the device has it enabled. */
static bool report_is_version2(const struct report_facts *facts)
{
    return facts->mend.synchronization2;
}

/* --- the sentence --- */

/* True if both accesses are to the same resource. Then both extents are the same, too, as they come
 * from one place. */
static bool is_same_resource(const struct report_side *a, const struct report_side *b)
{
    return a->resource.type != HANDLE_NONE && a->resource.type == b->resource.type &&
           a->resource.handle == b->resource.handle;
}

/* Says how many other ranges of the resource have the same hazard. */
static void report_write_more(struct string_builder *text, uint32_t ranges)
{
    if (ranges)
        string_builder_format(text, " and %u more %s of it", ranges,
                              ranges == 1 ? "range" : "ranges");
}

/* "reads bytes 0 to 255 of VkBuffer 0x1 in VK_PIPELINE_STAGE_2_COPY_BIT with
 * VK_ACCESS_2_TRANSFER_READ_BIT"; if `named`, the resource was named before, and is called "the
 * same". */
static void write_act(struct string_builder *text, const struct report_side *side, bool named,
                      const char *separator, bool version2)
{
    const struct sync_usage_info *info = &sync_usage_info[side->usage];
    if (side->usage == SYNC_IMAGE_LAYOUT_TRANSITION)
        string_builder_add(text, "transitions the layout of ");
    else if (side->usage == SYNC_QUEUE_FAMILY_OWNERSHIP_TRANSFER)
        string_builder_add(text, "transfers the ownership of ");
    else if (side->usage == SYNC_PRESENT_ENGINE_READ)
        string_builder_add(text, "presents ");
    else if (side->usage == SYNC_PRESENT_ENGINE_ACQUIRE)
        string_builder_add(text, "acquires ");
    else
        string_builder_add(text, info->is_write ? "writes " : "reads ");
    if (!named) {
        write_resource(text, side);
        report_write_more(text, side->more_ranges);
    } else if (side->extent.kind == EXTENT_BYTES) {
        string_builder_add(text, "the same bytes");
    } else if (side->extent.kind == EXTENT_SUBRESOURCES) {
        string_builder_add(text,
                           side->extent.whole ? "the same image" : "the same part of the image");
    } else {
        string_builder_add(text, "the same");
    }
    if (!info->stage_bit)
        return;
    string_builder_format(text, "%sin ", separator);
    write_stages(text, info->stage_bit, version2);
    string_builder_add(text, " with ");
    write_accesses(text, info->access, version2);
}

/* False for the presentation engine and the host, which have no command of a command buffer. */
static bool is_in_command_buffer(const struct report_side *side)
{
    return side->usage != SYNC_PRESENT_ENGINE_READ && side->usage != SYNC_PRESENT_ENGINE_ACQUIRE &&
           side->source.role != ROLE_HOST;
}

/* Writes "(command 3)", and the command buffer if the two differ. */
static void write_position(struct string_builder *text, const struct report_side *side,
                           bool name_command_buffer)
{
    if (!is_in_command_buffer(side))
        return;
    string_builder_format(text, " (command %u", side->command_index);
    if (name_command_buffer && side->command_buffer.type != HANDLE_NONE) {
        string_builder_add(text, " of ");
        write_object(text, &side->command_buffer);
    }
    string_builder_add(text, ")");
}

/* Writes "the write by vkCmdFillBuffer (command 3)". */
static void write_earlier(struct string_builder *text, const struct report_facts *facts)
{
    const struct report_side *earlier = &facts->earlier;
    const char *noun = usage_is_transition(earlier->usage) ? "layout transition"
                       : usage_writes(earlier->usage)      ? "write"
                                                           : "read";
    if (earlier->usage == SYNC_QUEUE_FAMILY_OWNERSHIP_TRANSFER)
        noun = "ownership transfer";
    if (!earlier->known) {
        string_builder_format(text, "an earlier %s", noun);
        return;
    }
    string_builder_format(text, "the %s by %s", noun, command_name[earlier->command]);
    write_position(text, earlier, !facts->same_command_buffer);
    if (facts->self.resource.type == HANDLE_NONE || earlier->resource.type == HANDLE_NONE ||
        is_same_resource(earlier, &facts->self))
        return;
    string_builder_add(text, " through ");
    write_object(text, &earlier->resource);
    string_builder_add(text, ", which has the same memory");
}

/* Writes what is missing between the two accesses. */
static void write_reproach(struct string_builder *text, const struct report_facts *facts)
{
    switch (facts->kind) {
    case HAZARD_NONE:
        return;
    case HAZARD_READ_AFTER_WRITE:
        string_builder_add(text, ", but nothing makes ");
        write_earlier(text, facts);
        string_builder_add(text, " visible to it");
        return;
    case HAZARD_WRITE_AFTER_READ:
        string_builder_add(text, ", but nothing makes it wait for ");
        break;
    case HAZARD_WRITE_AFTER_WRITE:
        string_builder_add(text, ", but no memory dependency orders it after ");
        break;
    case HAZARD_READ_RACING_WRITE:
    case HAZARD_WRITE_RACING_READ:
    case HAZARD_WRITE_RACING_WRITE:
        if (facts->mend.kind == MEND_HOST)
            string_builder_add(text, ", but the host has not waited for ");
        else
            string_builder_format(text, ", but nothing orders it and, %s, ",
                                  facts->mend.kind == MEND_SEMAPHORE ? "on another queue"
                                                                     : "in another subpass");
        break;
    case HAZARD_READ_AFTER_PRESENT:
    case HAZARD_WRITE_AFTER_PRESENT:
        string_builder_add(text, facts->earlier.usage == SYNC_PRESENT_ENGINE_ACQUIRE
                                     ? ", but nothing makes it wait for the semaphore or fence of "
                                       "the image's acquisition"
                                     : ", but the image was presented, and nothing makes it wait "
                                       "for a new acquisition");
        return;
    case HAZARD_PRESENT_AFTER_READ:
        string_builder_add(text, ", but nothing makes the presentation wait for ");
        break;
    case HAZARD_PRESENT_AFTER_WRITE:
        string_builder_add(text, ", but nothing makes the presentation wait for, and see, ");
        break;
    }
    write_earlier(text, facts);
}

void write_hazard_sentence(struct string_builder *text, const struct report_facts *facts)
{
    const struct report_side *self = &facts->self;
    if (self->known && self->command != facts->called) {
        string_builder_add(text, command_name[self->command]);
        write_position(text, self, true);
        string_builder_add(text, " ");
    }
    write_act(text, self, false, " ", report_is_version2(facts));
    write_reproach(text, facts);
}

/* --- one side --- */

/* Writes which command an access belongs to, and where its command buffer was submitted. */
static void write_where(struct string_builder *text, const struct report_facts *facts,
                        const struct report_side *side)
{
    if (!side->known) {
        string_builder_add(text, "a command that is not known");
        return;
    }
    string_builder_add(text, command_name[side->command]);
    bool in_command_buffer = is_in_command_buffer(side);
    if (in_command_buffer)
        string_builder_format(text, ", command %u", side->command_index);
    if (in_command_buffer && side == &facts->earlier && facts->same_command_buffer) {
        string_builder_add(text, " of the same command buffer");
    } else if (in_command_buffer && side->command_buffer.type != HANDLE_NONE) {
        string_builder_add(text, " of ");
        write_object(text, &side->command_buffer);
    }
    if (side->executed) {
        string_builder_format(text, ",\nexecuted by vkCmdExecuteCommands, command %u",
                              side->executed_index);
        if (side->executed_by.type != HANDLE_NONE) {
            string_builder_add(text, " of ");
            write_object(text, &side->executed_by);
        }
    }
    if (side->queue.type == HANDLE_NONE)
        return;
    string_builder_add(text, in_command_buffer ? ",\nsubmitted to " : ",\non ");
    write_object(text, &side->queue);
    if (side->submission)
        string_builder_format(text, " (its submission %" PRIu64 ")", side->submission);
}

void write_hazard_side(struct string_builder *text, const struct report_facts *facts,
                       const struct report_side *side)
{
    write_where(text, facts, side);
    string_builder_add(text, "\n");
    write_act(text, side, side == &facts->earlier && is_same_resource(side, &facts->self), "\n",
              report_is_version2(facts));
    if (side->source.role != ROLE_PARAMETER && side->source.role != ROLE_PRESENT &&
        side->source.role != ROLE_HOST) {
        string_builder_add(text, side->source.role == ROLE_BARRIER ? "\nby " : "\nas ");
        write_role(text, &side->source);
    }
    for (uint32_t i = 0; i < side->label_count; i++)
        string_builder_format(text, "%s%s", i ? "::" : "\nunder the label ", side->labels[i]);
    if (side->caller.module || side->caller.offset) {
        string_builder_add(text, "\ncalled by ");
        write_caller(text, &side->caller);
        message_write_outer(text, side->path, "    ");
    }
}

/* --- between the two accesses --- */

/* Converts stages to flags. If all stages of a group that some kind of queue has are there, the
 * group's flag is used: the program has written ALL_COMMANDS or ALL_TRANSFER, and not its
 * members. */
static VkPipelineStageFlags2 fold_stages(sync_stage_mask stages)
{
    static const VkPipelineStageFlags2 groups[] = {
        VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT,
        VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT,
        VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT};
    static const VkQueueFlags queues[] = {VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT,
                                          VK_QUEUE_COMPUTE_BIT, VK_QUEUE_TRANSFER_BIT};
    VkPipelineStageFlags2 folded = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(groups); i++) {
        for (size_t k = 0; k < ARRAY_LENGTH(queues); k++) {
            const struct sync_queue queue = sync_queue_of(queues[k]);
            sync_stage_mask members = sync_expand_stages(groups[i], &queue);
            if (!(members & (members - 1)) || members & ~stages ||
                (i == 0 && stages & ~members & queue.stages))
                continue;
            folded |= groups[i];
            stages &= ~members;
            break;
        }
    }
    return folded | sync_stage_flags(stages);
}

/* Writes the stages by name, or only their number if there are more than NAMES_LIMIT. */
static void write_some_stages(struct string_builder *text, sync_stage_mask stages, bool version2)
{
    VkPipelineStageFlags2 flags = fold_stages(stages);
    unsigned count = (unsigned)__builtin_popcountll(flags);
    if (count > NAMES_LIMIT)
        string_builder_format(text, "%u other stages", (unsigned)__builtin_popcountll(stages));
    else
        write_stages(text, flags, version2);
}

/* Returns all stages in which some of the usages happen. */
static sync_stage_mask usages_stages(const struct usage_mask *usages)
{
    sync_stage_mask stages = 0;
    for (unsigned i = 0; i < SYNC_USAGE_COUNT; i++)
        stages |= usage_mask_has(usages, (enum sync_usage)i) ? sync_usage_info[i].stage_mask : 0;
    return stages;
}

/* Converts usages to access flags. If the set has all accesses of a group that its stages can make,
 * the group's flag is used: the program has written SHADER_READ, and not its members. */
static VkAccessFlags2 fold_groups(const struct usage_mask *usages)
{
    static const VkAccessFlags2 groups[] = {
        VK_ACCESS_2_MEMORY_READ_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT, VK_ACCESS_2_SHADER_READ_BIT,
        VK_ACCESS_2_SHADER_WRITE_BIT};
    VkAccessFlags2 accesses = usage_mask_access_flags(usages);
    for (size_t i = 0; i < ARRAY_LENGTH(groups); i++) {
        VkAccessFlags2 members = accesses & sync_expand_accesses(groups[i]);
        struct usage_mask all = sync_access_scope(usages_stages(usages), groups[i]);
        struct usage_mask missing = usage_mask_andnot(all, *usages);
        if (members & (members - 1) && usage_mask_is_empty(&missing))
            accesses = (accesses & ~members) | groups[i];
    }
    return accesses;
}

/* Writes accesses and stages by name, or only their number if there are more than NAMES_LIMIT. */
static void write_some_accesses(struct string_builder *text, const struct usage_mask *usages,
                                bool version2)
{
    VkAccessFlags2 accesses = fold_groups(usages);
    VkPipelineStageFlags2 stages = fold_stages(usages_stages(usages));
    unsigned count = (unsigned)__builtin_popcountll(accesses),
             stage_count = (unsigned)__builtin_popcountll(stages);
    if (count > NAMES_LIMIT)
        string_builder_format(text, "%u other accesses", count);
    else
        write_accesses(text, accesses, version2);
    string_builder_add(text, " in ");
    if (stage_count > NAMES_LIMIT)
        string_builder_format(text, "%u stages", stage_count);
    else
        write_stages(text, stages, version2);
}

/* Writes "VK_ACCESS_2_TRANSFER_READ_BIT in VK_PIPELINE_STAGE_2_COPY_BIT"; transitions and presents
 * are described in other words. */
static void write_usage(struct string_builder *text, enum sync_usage usage, bool version2)
{
    struct usage_mask mask = usage_mask_of(usage);
    if (sync_usage_info[usage].stage_bit)
        write_some_accesses(text, &mask, version2);
    else
        string_builder_add(text, usage_is_transition(usage) ? "the layout transition"
                                                            : "the presentation engine");
}

/* Writes the stage of a usage in the same way, without its access. */
static void write_stage_of(struct string_builder *text, enum sync_usage usage, bool version2)
{
    if (sync_usage_info[usage].stage_bit)
        write_stages(text, sync_usage_info[usage].stage_bit, version2);
    else
        string_builder_add(text, usage_is_transition(usage) ? "the layout transition"
                                                            : "the presentation engine");
}

/* Writes masks as the program wrote them. */
static void write_masks(struct string_builder *text, VkAccessFlags2 accesses,
                        VkPipelineStageFlags2 stages, bool version2)
{
    write_accesses(text, accesses, version2);
    string_builder_add(text, " in ");
    write_stages(text, stages, version2);
}

/* True if the stages and accesses of the barrier in between get the names of synchronization2, as
 * its command takes them. VkSubpassDependency has the older names. */
static bool between_version2(const struct report_facts *facts)
{
    const struct report_between *between = &facts->between;
    const struct report_side *transition =
        usage_is_transition(facts->earlier.usage) ? &facts->earlier : NULL;
    if (between->fault != FAULT_NOTHING_THERE && between->own)
        transition = &facts->self;
    if (between->dependency)
        return between->written.version2;
    if (transition && transition->source.role == ROLE_ATTACHMENT_TRANSITION)
        return false;
    if (between->fault != FAULT_NOTHING_THERE && !between->own)
        return command_is_version2(between->command);
    return transition && transition->known ? command_is_version2(transition->command)
                                           : report_is_version2(facts);
}

/* Writes the accesses that a write was made visible to. */
static void write_visible(struct string_builder *text, const struct report_facts *facts,
                          const struct usage_mask *visible)
{
    const struct report_masks *written = &facts->between.written;
    bool names2 = between_version2(facts);
    if (usage_mask_is_empty(visible)) {
        string_builder_add(text, "to no access at all");
        return;
    }
    string_builder_add(text, "only to ");
    if (written->known)
        write_masks(text, written->dst_accesses, written->dst_stages, names2);
    else
        write_some_accesses(text, visible, names2);
    string_builder_add(text, ", not to ");
    write_usage(text, facts->self.usage, names2);
}

/* Writes the stages that wait, as the program wrote them if that is known. */
static void write_waiting(struct string_builder *text, const struct report_facts *facts,
                          sync_stage_mask stages)
{
    const struct report_masks *written = &facts->between.written;
    if (written->known)
        write_stages(text, written->dst_stages, between_version2(facts));
    else
        write_some_stages(text, stages, between_version2(facts));
}

/* Writes what orders the two accesses, as far as the earlier access's record shows it. */
static void write_reach(struct string_builder *text, const struct report_facts *facts)
{
    const struct report_between *between = &facts->between;
    sync_stage_mask stage = sync_usage_info[facts->self.usage].stage_mask;
    if (!between->ordered && facts->mend.kind == MEND_SEMAPHORE) {
        string_builder_add(text, "nothing: no semaphore that this queue waited for was signaled "
                                 "after the earlier access");
    } else if (!between->ordered) {
        string_builder_format(text, "nothing that waits for the earlier access%s",
                              usage_writes(facts->earlier.usage) ? " and makes it available" : "");
    } else if (!(between->ordered & stage)) {
        string_builder_add(text, "a dependency that orders only ");
        write_waiting(text, facts, between->ordered);
        string_builder_add(text, " after the earlier access, not ");
        write_stage_of(text, facts->self.usage, between_version2(facts));
    } else {
        string_builder_add(text, "a dependency that makes the earlier access visible ");
        write_visible(text, facts, &between->visible);
    }
}

/* Writes that no barrier or dependency between the two is known. */
static void write_nothing(struct string_builder *text, const struct report_facts *facts)
{
    const struct report_mend *mend = &facts->mend;
    if (mend->kind == MEND_DEPENDENCY && facts->between.looked) {
        string_builder_add(text, "nothing: the render pass has no dependency from ");
        write_subpass(text, mend->src_subpass);
        string_builder_add(text, " to ");
        write_subpass(text, mend->dst_subpass);
    } else if (facts->between.looked && !facts->between.ordered) {
        string_builder_add(text, "nothing: no barrier was recorded between the two");
    } else {
        write_reach(text, facts);
    }
}

/* Writes what is missing in the barrier that comes nearest to ordering the two. */
static void write_fault(struct string_builder *text, const struct report_facts *facts)
{
    const struct report_between *between = &facts->between;
    const struct report_side *self = &facts->self, *earlier = &facts->earlier;
    switch (between->fault) {
    case FAULT_NOTHING_THERE:
        return;
    case FAULT_ELSEWHERE:
        string_builder_add(text, between->other_parts
                                     ? "is for other parts of this resource"
                                     : "is for other resources, or for other parts of this one");
        return;
    case FAULT_EVENT:
        string_builder_add(text, "waits for events that were not set after the earlier access");
        return;
    case FAULT_NOT_IN_FIRST_SCOPE:
        if (!between->barrier.src.stages) {
            string_builder_add(text, "waits for nothing: its source stages are none, so that it "
                                     "forms no chain with what comes before it");
            return;
        }
        if (usage_is_transition(earlier->usage)) {
            string_builder_add(text, "does not wait for the layout transition: none of its source "
                                     "stages is among the destination stages of that");
            return;
        }
        string_builder_add(text, "does not wait for the earlier access: ");
        write_stage_of(text, earlier->usage, between_version2(facts));
        string_builder_add(text, " is not among its source stages");
        return;
    case FAULT_NOT_AVAILABLE:
        string_builder_add(text,
                           usage_mask_is_empty(&between->barrier.src.accesses)
                               ? "orders execution only: "
                               : "waits for the earlier access, but does not make it available: ");
        write_accesses(text, sync_usage_info[earlier->usage].access, between_version2(facts));
        string_builder_add(text, " of the earlier access is not among its source accesses");
        if (usage_mask_is_empty(&between->barrier.src.accesses)) {
            string_builder_add(text, ", so that the write is not made available");
        } else {
            string_builder_add(text, ", which are ");
            if (between->written.known)
                write_masks(text, between->written.src_accesses, between->written.src_stages,
                            between_version2(facts));
            else
                write_some_accesses(text, &between->barrier.src.accesses, between_version2(facts));
        }
        return;
    case FAULT_NOT_IN_SECOND_SCOPE:
        if (!between->barrier.dst.stages) {
            string_builder_add(text, "makes no later command wait: its destination stages are "
                                     "none, so that no later barrier forms a chain with it");
            return;
        }
        string_builder_add(text, "makes only ");
        write_waiting(text, facts, between->barrier.dst.stages);
        string_builder_add(text, " wait, not ");
        write_stage_of(text, self->usage, between_version2(facts));
        return;
    case FAULT_NOT_VISIBLE:
        string_builder_add(text, "makes the write visible ");
        write_visible(text, facts, &between->barrier.dst.accesses);
        return;
    }
}

void write_hazard_between(struct string_builder *text, const struct report_facts *facts)
{
    const struct report_between *between = &facts->between;
    if (facts->mend.kind == MEND_MOVE_BARRIER && between->fault <= FAULT_ELSEWHERE) {
        string_builder_add(text, "only the barrier of the layout transition, which is in a render "
                                 "pass instance and orders the commands of its subpass alone");
        return;
    }
    /* There is no barrier between the two that could be faulty. */
    if (between->fault == FAULT_NOTHING_THERE) {
        write_nothing(text, facts);
        return;
    }
    if (between->own) {
        string_builder_format(text, "only the %s that makes the transition, which ",
                              facts->self.source.role == ROLE_ATTACHMENT_TRANSITION ? "dependency"
                                                                                    : "barrier");
    } else if (between->dependency) {
        string_builder_add(text, "the dependency of the render pass from ");
        write_subpass(text, between->src_subpass);
        string_builder_add(text, " to ");
        write_subpass(text, between->dst_subpass);
        string_builder_add(text, ", which ");
    } else {
        string_builder_format(text, "%s (command %u), which ", command_name[between->command],
                              between->command_index);
    }
    write_fault(text, facts);
    if (between->barrier_commands > 1)
        string_builder_format(text,
                              "\n(of %u commands with barriers, the one that comes nearest "
                              "to a remedy)",
                              between->barrier_commands);
}

/* --- properties --- */

/* Writes one property "key = value"; users of other tools search for these names. */
static void write_flags_property(struct string_builder *text, const char *key,
                                 const struct report_side *side)
{
    string_builder_format(text, "\n%s = %s", key, sync_usage_name(side->usage));
}

/* Writes the command, its number and its labels as properties, with `prefix`, which marks the
 * earlier access. */
static void write_side_properties(struct string_builder *text, const struct report_side *side,
                                  const char *prefix)
{
    if (side->known)
        string_builder_format(text, "\n%scommand = %s\n%sseq_no = %u", prefix,
                              command_name[side->command], prefix, side->command_index);
    if (side->label_count)
        string_builder_format(text, "\n%sdebug_region = ", prefix);
    for (uint32_t i = 0; i < side->label_count; i++)
        string_builder_format(text, "%s%s", i ? "::" : "", side->labels[i]);
}

void write_hazard_properties(struct string_builder *text, const struct report_facts *facts)
{
    string_builder_format(text, "hazard_type = %s", hazard_name(facts->kind));
    write_flags_property(text, "access", &facts->self);
    write_flags_property(text, "prior_access", &facts->earlier);
    if (usage_writes(facts->earlier.usage)) {
        string_builder_add(text, "\nwrite_barriers = ");
        write_accesses(text, usage_mask_access_flags(&facts->between.visible), true);
    } else {
        string_builder_add(text, "\nread_barriers = ");
        write_stages(text, sync_stage_flags(facts->between.ordered), true);
    }
    write_side_properties(text, &facts->self, "");
    write_side_properties(text, &facts->earlier, "prior_");
    if (facts->self.submission)
        string_builder_format(text, "\nsubmit_index = %" PRIu64, facts->self.submission);
}
