/* Tracks the descriptor sets, push descriptors, push constants and descriptor buffers that are
 * bound in a command buffer (14.2.2, 14.2.7 to 14.2.9, 14.3). Hot: no lock, no allocation in steady
 * state. */
#include "base/plain_atomic.h"
#include "chassis/update_template.h"
#include "state/descriptor/descriptor_access.h"
#include "state/descriptor/descriptor_set.h"
#include "state/hooks.h"

#include <string.h>

/* The stages of ray tracing pipelines. */
#define RAY_TRACING_STAGES                                                \
    (VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_ANY_HIT_BIT_KHR |   \
     VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR | \
     VK_SHADER_STAGE_INTERSECTION_BIT_KHR | VK_SHADER_STAGE_CALLABLE_BIT_KHR)
/* Stages of the graphics bind point. */
#define GRAPHICS_STAGES \
    (VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT)

/* The bind points of the stages, as bits 1 << bind_point_index. */
static uint32_t bind_points_of_stages(VkShaderStageFlags stages)
{
    return (stages & GRAPHICS_STAGES ? 1u << 0 : 0) |
           (stages & VK_SHADER_STAGE_COMPUTE_BIT ? 1u << 1 : 0) |
           (stages & RAY_TRACING_STAGES ? 1u << 2 : 0) |
           (stages & VK_SHADER_STAGE_SUBPASS_SHADING_BIT_HUAWEI ? 1u << 3 : 0);
}

/* The bit of a bind point; 0: the bind point is not tracked. */
static uint32_t bind_points_of(VkPipelineBindPoint point)
{
    uint32_t index = bind_point_index(point);
    return index < BIND_POINTS ? 1u << index : 0;
}

/* Makes room for set `number` and those below. False: it is beyond those that are tracked, or
 * memory ran out. */
static COLD bool grow_sets(struct bind_point_state *bind, uint32_t number)
{
    uint32_t wanted = BOUND_SETS_FIRST;
    if (number >= BOUND_SETS)
        return false;
    while (wanted <= number)
        wanted *= 2;
    if (mem_grow(&bind->sets, &bind->set_capacity, BOUND_SETS, wanted, sizeof(*bind->sets)))
        return true;
    bind->sets_lost = true;
    return false;
}

/* The entry for set `number`, which is to be bound with `layout`. It first unbinds the sets that
 * this disturbs (14.2.2). NULL: the set is beyond those that are tracked, or memory ran out. */
static struct bound_set *take_slot(struct bind_point_state *bind,
                                   const struct pipeline_layout *layout, uint32_t number)
{
    assert(bind && layout);
    if (unlikely(number >= layout->set_count) ||
        (unlikely(number >= plain_load_acquire(&bind->set_capacity)) && !grow_sets(bind, number)))
        return NULL;
    struct bound_set *sets = plain_load_relaxed(&bind->sets), *slot = &sets[number];
    uint32_t count = bind->set_count;
    if (count <= number) {
        memset(&sets[count], 0, (number + 1 - count) * sizeof(*sets));
        count = number + 1;
        plain_store_release(&bind->set_count, count);
    }
    slot->layout = object_state_id(&layout->base);
    /* "a previously bound descriptor set bound with lower index M than N is disturbed if the
     * pipeline layouts for set M and N are not compatible for set M" */
    for (uint32_t m = 0; m < number; m++) {
        if (sets[m].compatibility != layout->compatibility[m])
            sets[m].kind = BOUND_NOTHING;
    }
    if (likely(slot->compatibility == layout->compatibility[number]))
        return slot;
    /* "If, additionally, the previously bound descriptor set for set N was bound using a pipeline
     * layout not compatible for set N, then all bindings in sets numbered greater than N are
     * disturbed." */
    for (uint32_t m = number + 1; slot->kind != BOUND_NOTHING && m < count; m++)
        sets[m].kind = BOUND_NOTHING;
    slot->compatibility = layout->compatibility[number];
    slot->kind = BOUND_NOTHING;
    return slot;
}

/* Makes room for dynamic offsets, of which the first `kept` stay. False: out of memory. */
static COLD bool grow_offsets(struct bind_point_state *bind, uint32_t kept, uint32_t needed)
{
    return mem_grow(&bind->dynamic_offsets, &bind->dynamic_offset_capacity, kept,
                    needed < 32 ? 64 : needed * 2, sizeof(*bind->dynamic_offsets));
}

/* Copies the dynamic offsets of a bound set. If memory runs out, the entry has no offsets. */
static void keep_offsets(struct bind_point_state *bind, struct bound_set *slot,
                         const uint32_t *offsets, uint32_t count)
{
    assert(bind && slot);
    slot->dynamic_count = 0;
    if (!count)
        return;
    uint32_t first = slot->dynamic_first;
    /* Room is taken at the end. The entry's previous room stays unused until the next recording. */
    if (slot->dynamic_capacity < count) {
        first = bind->dynamic_offset_count;
        if (first + count > plain_load_acquire(&bind->dynamic_offset_capacity) &&
            !grow_offsets(bind, first, first + count))
            return;
        slot->dynamic_first = first;
        slot->dynamic_capacity = count;
        bind->dynamic_offset_count = first + count;
    }
    memcpy(&bind->dynamic_offsets[first], offsets, count * sizeof(*offsets));
    slot->dynamic_count = count;
}

/* The version that the command buffer keeps of a set. It becomes invalid if the set is updated,
 * unless some binding may be updated after it is bound, or while it is unused. */
static uint32_t version_to_keep(const struct descriptor_set *set)
{
    assert(set && set->layout);
    VkDescriptorBindingFlags free = VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT |
                                    VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT;
    return set->layout->all_flags & free
               ? 0
               : atomic_load_explicit(&set->version, memory_order_relaxed) + 1;
}

/* Binds descriptor sets at several bind points. `points`: a bit each. */
static ALWAYS_INLINE void bind_sets(const struct call *call, uint32_t points,
                                    const struct pipeline_layout *layout,
                                    const VkBindDescriptorSetsInfo *info)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (unlikely(!command_buffer || !layout || !info->pDescriptorSets))
        return;
    uint32_t offset = 0, offset_count = info->pDynamicOffsets ? info->dynamicOffsetCount : 0;
    for (uint32_t i = 0; i < info->descriptorSetCount; i++) {
        const struct descriptor_set *set = find_descriptor_set(call, info->pDescriptorSets[i]);
        uint32_t dynamic = set ? set->layout->dynamic_count : 0;
        /* Too few offsets are reported elsewhere. */
        if (dynamic > offset_count - offset)
            dynamic = offset_count - offset;
        if (set && unlikely(!command_buffer_knows(command_buffer, set->base.id)))
            command_buffer_uses_version(command_buffer, set->base.object, version_to_keep(set));
        for (uint32_t rest = points; rest; rest &= rest - 1) {
            uint32_t p = (uint32_t)__builtin_ctz(rest);
            struct bind_point_state *bind = &command_buffer->bind[p];
            uint64_t number = (uint64_t)info->firstSet + i;
            struct bound_set *slot =
                number < BOUND_SETS ? take_slot(bind, layout, (uint32_t)number) : NULL;
            if (unlikely(!slot))
                continue;
            /* An unknown handle counts as "nothing", about which nothing is reported. */
            slot->kind = set                        ? BOUND_SET
                         : info->pDescriptorSets[i] ? BOUND_NOTHING
                                                    : BOUND_NULL_SET;
            slot->set = set ? set->base.id : 0;
            slot->version = set ? atomic_load_explicit(&set->version, memory_order_relaxed) : 0;
            keep_offsets(bind, slot, info->pDynamicOffsets + offset, dynamic);
            command_buffer->dirty[p] |= DIRTY_SETS;
        }
        offset += dynamic;
    }
}

void state_before_CmdBindDescriptorSets(struct call *call, VkCommandBuffer commandBuffer,
                                        VkPipelineBindPoint pipelineBindPoint,
                                        VkPipelineLayout layout, uint32_t firstSet,
                                        uint32_t descriptorSetCount,
                                        const VkDescriptorSet *pDescriptorSets,
                                        uint32_t dynamicOffsetCount,
                                        const uint32_t *pDynamicOffsets)
{
    const VkBindDescriptorSetsInfo info = {.firstSet = firstSet,
                                           .descriptorSetCount = descriptorSetCount,
                                           .pDescriptorSets = pDescriptorSets,
                                           .dynamicOffsetCount = dynamicOffsetCount,
                                           .pDynamicOffsets = pDynamicOffsets};
    bind_sets(call, bind_points_of(pipelineBindPoint), named_pipeline_layout(call, 0, layout),
              &info);
}

void state_before_CmdBindDescriptorSets2(struct call *call, VkCommandBuffer commandBuffer,
                                         const VkBindDescriptorSetsInfo *pBindDescriptorSetsInfo)
{
    bind_sets(call, bind_points_of_stages(pBindDescriptorSetsInfo->stageFlags),
              find_pipeline_layout(call, pBindDescriptorSetsInfo->layout), pBindDescriptorSetsInfo);
}

/* --- push descriptors --- */

/* Makes room for push descriptors. False: out of memory. */
static COLD bool grow_pushed(struct bind_point_state *bind, uint32_t needed)
{
    return mem_grow(&bind->pushed, &bind->pushed_capacity, bind->pushed_count,
                    needed < 32 ? 32 : needed, sizeof(*bind->pushed));
}

/* The room for push descriptors of this set; count 0: there is none. Descriptors that were pushed
 * before with a compatible layout stay. */
static struct descriptor_room push_room(struct command_buffer *command_buffer, uint32_t point,
                                        const struct pipeline_layout *layout, uint32_t set)
{
    assert(layout && point < BIND_POINTS);
    struct descriptor_room nowhere = {0};
    struct bind_point_state *bind = &command_buffer->bind[point];
    struct bound_set *slot = take_slot(bind, layout, set);
    const struct descriptor_layout *set_layout = slot ? layout->sets[set] : NULL;
    if (!set_layout || set_layout->descriptor_count > UINT16_MAX)
        return nowhere;
    bool kept = slot->kind == BOUND_PUSHED;
    if (!kept)
        bind->pushed_count = 0;
    if (plain_load_acquire(&bind->pushed_capacity) < set_layout->descriptor_count &&
        !grow_pushed(bind, set_layout->descriptor_count)) {
        slot->kind = BOUND_NOTHING;
        return nowhere;
    }
    if (!kept && set_layout->descriptor_count)
        memset(bind->pushed, 0, set_layout->descriptor_count * sizeof(*bind->pushed));
    struct bound_set *other;
    for (uint32_t i = 0; !kept && (other = bound_set_at(bind, i)); i++) {
        /* its descriptors are lost, as a pipeline layout has only one push descriptor set */
        if (other->kind == BOUND_PUSHED)
            other->kind = BOUND_NOTHING;
    }
    bind->pushed_count = set_layout->descriptor_count;
    bind->pushed_version++;
    bind->pushed_layout = object_state_id(&layout->base);
    slot->kind = BOUND_PUSHED;
    slot->set = 0;
    slot->dynamic_count = 0;
    slot->version = bind->pushed_version;
    command_buffer->dirty[point] |= DIRTY_SETS;
    return (struct descriptor_room){set_layout, bind->pushed, set_layout->descriptor_count};
}

/* Notes the objects of push descriptors. They are part of the command buffer, which becomes invalid
 * if one of these objects is destroyed. */
static void use_pushed(struct command_buffer *command_buffer, struct descriptor_room room,
                       uint32_t number, uint32_t element, uint32_t count)
{
    const struct descriptor_binding *binding = descriptor_layout_find(room.layout, number);
    /* An element beyond its binding continues in the next one ("consecutive binding updates"). */
    uint64_t first = binding ? (uint64_t)binding->first + element : room.count;
    for (uint64_t i = first; i < room.count && i < first + count; i++) {
        struct descriptor d = descriptor_load(&room.descriptors[i]);
        bool has_sampler =
            d.tag == DESCRIPTOR_SAMPLER || d.tag == DESCRIPTOR_COMBINED_IMAGE_SAMPLER;
        uint64_t id = descriptor_target(d);
        command_buffer_uses(command_buffer, object_find_id(id, object_id_type(id)));
        if (has_sampler && !binding->immutable_samplers)
            command_buffer_uses(command_buffer,
                                object_find_id(descriptor_sampler_id(room.layout, binding, 0, d),
                                               HANDLE_SAMPLER));
    }
}

/* Pushes descriptors at several bind points. `points`: a bit each. */
static void push_writes(const struct call *call, uint32_t points,
                        const struct pipeline_layout *layout, uint32_t set, uint32_t count,
                        const VkWriteDescriptorSet *writes)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (unlikely(!command_buffer || !layout || !writes))
        return;
    for (uint32_t p = 0; p < BIND_POINTS; p++) {
        struct descriptor_room room = {0};
        if (points & 1u << p)
            /* The set stays the same across calls: descriptors that are not written keep their
             * content. */
            room = push_room(command_buffer, p, layout, set);
        for (uint32_t i = 0; room.count && i < count; i++) {
            descriptor_write(call, room, &writes[i]);
            use_pushed(command_buffer, room, writes[i].dstBinding, writes[i].dstArrayElement,
                       writes[i].descriptorCount);
        }
    }
}

void state_before_CmdPushDescriptorSet(struct call *call, VkCommandBuffer commandBuffer,
                                       VkPipelineBindPoint pipelineBindPoint,
                                       VkPipelineLayout layout, uint32_t set,
                                       uint32_t descriptorWriteCount,
                                       const VkWriteDescriptorSet *pDescriptorWrites)
{
    push_writes(call, bind_points_of(pipelineBindPoint), named_pipeline_layout(call, 0, layout),
                set, descriptorWriteCount, pDescriptorWrites);
}

void state_before_CmdPushDescriptorSet2(struct call *call, VkCommandBuffer commandBuffer,
                                        const VkPushDescriptorSetInfo *pPushDescriptorSetInfo)
{
    const VkPushDescriptorSetInfo *info = pPushDescriptorSetInfo;
    push_writes(call, bind_points_of_stages(info->stageFlags),
                find_pipeline_layout(call, info->layout), info->set, info->descriptorWriteCount,
                info->pDescriptorWrites);
}

/* Pushes descriptors with a template, at its bind points. */
static void push_template(const struct call *call, VkDescriptorUpdateTemplate handle,
                          const struct pipeline_layout *layout, uint32_t set, const void *data)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    const struct update_template *template =
        call_find_state(call, handle, HANDLE_DESCRIPTOR_UPDATE_TEMPLATE);
    if (unlikely(!command_buffer || !layout || !template || !data))
        return;
    uint32_t points = bind_points_of(template->bind_point);
    for (uint32_t p = 0; p < BIND_POINTS; p++) {
        struct descriptor_room room = {0};
        if (points & 1u << p)
            room = push_room(command_buffer, p, layout, set);
        if (!room.count)
            continue;
        descriptor_write_template(call, room, template, data);
        for (uint32_t i = 0; i < template->count; i++) {
            const VkDescriptorUpdateTemplateEntry *entry = &template->entries[i].given;
            /* Resources in push descriptors are used when they are pushed, not when they are drawn
             * with. */
            use_pushed(command_buffer, room, entry->dstBinding, entry->dstArrayElement,
                       entry->descriptorCount);
        }
    }
}

void state_before_CmdPushDescriptorSetWithTemplate(struct call *call, VkCommandBuffer commandBuffer,
                                                   VkDescriptorUpdateTemplate
                                                       descriptorUpdateTemplate,
                                                   VkPipelineLayout layout, uint32_t set,
                                                   const void *pData)
{
    push_template(call, descriptorUpdateTemplate, named_pipeline_layout(call, 1, layout), set,
                  pData);
}

void state_before_CmdPushDescriptorSetWithTemplate2(struct call *call,
                                                    VkCommandBuffer commandBuffer,
                                                    const VkPushDescriptorSetWithTemplateInfo
                                                        *pPushDescriptorSetWithTemplateInfo)
{
    const VkPushDescriptorSetWithTemplateInfo *info = pPushDescriptorSetWithTemplateInfo;
    push_template(call, info->descriptorUpdateTemplate, find_pipeline_layout(call, info->layout),
                  info->set, info->pData);
}

/* --- push constants --- */

/* Notes the layout with which push constants were set, at the bind points of the stages. */
static void push_constants(const struct call *call, const struct pipeline_layout *layout,
                           VkShaderStageFlags stages)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (unlikely(!command_buffer || !layout))
        return;
    for (uint32_t rest = bind_points_of_stages(stages); rest; rest &= rest - 1) {
        uint32_t p = (uint32_t)__builtin_ctz(rest);
        struct bind_point_state *bind = &command_buffer->bind[p];
        if (bind->layout_compatibility_for_push != layout->push_constant_compatibility ||
            /* Usually the layout is the same as before, and draws need no new check. */
            bind->push_layout_flags != layout->flags) {
            bind->layout_compatibility_for_push = layout->push_constant_compatibility;
            bind->push_layout_flags = layout->flags;
            command_buffer->dirty[p] |= DIRTY_PUSH_CONSTANTS;
        }
    }
}

void state_before_CmdPushConstants(struct call *call, VkCommandBuffer commandBuffer,
                                   VkPipelineLayout layout, VkShaderStageFlags stageFlags,
                                   uint32_t offset, uint32_t size, const void *pValues)
{
    push_constants(call, named_pipeline_layout(call, 0, layout), stageFlags);
}

void state_before_CmdPushConstants2(struct call *call, VkCommandBuffer commandBuffer,
                                    const VkPushConstantsInfo *pPushConstantsInfo)
{
    push_constants(call, find_pipeline_layout(call, pPushConstantsInfo->layout),
                   pPushConstantsInfo->stageFlags);
}

/* --- descriptor buffers --- */

/* Makes room for descriptor buffers. The old ones are not kept, as a bind replaces all. */
static COLD bool grow_descriptor_buffers(struct command_buffer *command_buffer, uint32_t count)
{
    const uint32_t first = BOUND_DESCRIPTOR_BUFFERS_FIRST;
    return mem_grow(&command_buffer->descriptor_buffers,
                    &command_buffer->descriptor_buffer_capacity, 0, count < first ? first : count,
                    sizeof(*command_buffer->descriptor_buffers));
}

void state_before_CmdBindDescriptorBuffersEXT(struct call *call, VkCommandBuffer commandBuffer,
                                              uint32_t bufferCount,
                                              const VkDescriptorBufferBindingInfoEXT *pBindingInfos)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer || !pBindingInfos)
        return;
    const uint32_t count =
        bufferCount < BOUND_DESCRIPTOR_BUFFERS ? bufferCount : BOUND_DESCRIPTOR_BUFFERS;
    uint32_t room = plain_load_acquire(&command_buffer->descriptor_buffer_capacity);
    if (count > room && grow_descriptor_buffers(command_buffer, count))
        room = count;
    struct bound_descriptor_buffer *kept = plain_load_acquire(&command_buffer->descriptor_buffers);
    for (uint32_t i = 0; i < count && i < room; i++)
        kept[i] = (struct bound_descriptor_buffer){.address = pBindingInfos[i].address,
                                                   .usage = pBindingInfos[i].usage};
    command_buffer->descriptor_buffer_count = count;
    for (uint32_t p = 0; p < BIND_POINTS; p++) {
        /* "This causes any offsets previously set by this command ... to be invalidated": 14.3.3 */
        struct bound_set *set;
        for (uint32_t i = 0; (set = bound_set_at(&command_buffer->bind[p], i)); i++) {
            if (set->kind == BOUND_OFFSET)
                set->kind = BOUND_NOTHING;
        }
        command_buffer->dirty[p] |= DIRTY_SETS;
    }
}

/* Binds sets as offsets into descriptor buffers. `points`: a bit each. */
static void set_offsets(const struct call *call, uint32_t points,
                        const struct pipeline_layout *layout,
                        const VkSetDescriptorBufferOffsetsInfoEXT *info)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer || !layout || !info->pBufferIndices || !info->pOffsets)
        return;
    for (uint32_t i = 0; i < info->setCount; i++) {
        for (uint32_t p = 0; p < BIND_POINTS; p++) {
            uint64_t number = (uint64_t)info->firstSet + i;
            struct bound_set *slot =
                points & 1u << p && number < BOUND_SETS
                    ? take_slot(&command_buffer->bind[p], layout, (uint32_t)number)
                    : NULL;
            if (!slot)
                continue;
            slot->kind = BOUND_OFFSET;
            slot->set = 0;
            /* Sets in descriptor buffers have no dynamic offsets. */
            slot->dynamic_count = 0;
            slot->buffer_index = info->pBufferIndices[i];
            slot->buffer_offset = info->pOffsets[i];
            command_buffer->dirty[p] |= DIRTY_SETS;
        }
    }
}

void state_before_CmdSetDescriptorBufferOffsetsEXT(struct call *call, VkCommandBuffer commandBuffer,
                                                   VkPipelineBindPoint pipelineBindPoint,
                                                   VkPipelineLayout layout, uint32_t firstSet,
                                                   uint32_t setCount,
                                                   const uint32_t *pBufferIndices,
                                                   const VkDeviceSize *pOffsets)
{
    const VkSetDescriptorBufferOffsetsInfoEXT info = {.firstSet = firstSet,
                                                      .setCount = setCount,
                                                      .pBufferIndices = pBufferIndices,
                                                      .pOffsets = pOffsets};
    set_offsets(call, bind_points_of(pipelineBindPoint), named_pipeline_layout(call, 0, layout),
                &info);
}

void state_before_CmdSetDescriptorBufferOffsets2EXT(struct call *call,
                                                    VkCommandBuffer commandBuffer,
                                                    const VkSetDescriptorBufferOffsetsInfoEXT
                                                        *pSetDescriptorBufferOffsetsInfo)
{
    set_offsets(call, bind_points_of_stages(pSetDescriptorBufferOffsetsInfo->stageFlags),
                find_pipeline_layout(call, pSetDescriptorBufferOffsetsInfo->layout),
                pSetDescriptorBufferOffsetsInfo);
}

/* Binds a set of embedded samplers. `points`: a bit each. */
static void bind_embedded(const struct call *call, uint32_t points,
                          const struct pipeline_layout *layout, uint32_t set)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer || !layout)
        return;
    for (uint32_t p = 0; p < BIND_POINTS; p++) {
        struct bound_set *slot =
            points & 1u << p ? take_slot(&command_buffer->bind[p], layout, set) : NULL;
        if (!slot)
            continue;
        slot->kind = BOUND_EMBEDDED;
        /* There is no VkDescriptorSet: the layout has the samplers. */
        slot->set = 0;
        slot->dynamic_count = 0;
        command_buffer->dirty[p] |= DIRTY_SETS;
    }
}

void state_before_CmdBindDescriptorBufferEmbeddedSamplersEXT(struct call *call,
                                                             VkCommandBuffer commandBuffer,
                                                             VkPipelineBindPoint pipelineBindPoint,
                                                             VkPipelineLayout layout, uint32_t set)
{
    bind_embedded(call, bind_points_of(pipelineBindPoint), named_pipeline_layout(call, 0, layout),
                  set);
}

void state_before_CmdBindDescriptorBufferEmbeddedSamplers2EXT(
    struct call *call, VkCommandBuffer commandBuffer,
    const VkBindDescriptorBufferEmbeddedSamplersInfoEXT *pBindDescriptorBufferEmbeddedSamplersInfo)
{
    const VkBindDescriptorBufferEmbeddedSamplersInfoEXT *info =
        pBindDescriptorBufferEmbeddedSamplersInfo;
    bind_embedded(call, bind_points_of_stages(info->stageFlags),
                  find_pipeline_layout(call, info->layout), info->set);
}

/* --- reading --- */

bool bound_set_read(const struct bind_point_state *bind, uint32_t number,
                    struct bound_descriptors *result)
{
    assert(bind && result);
    const struct bound_set *slot = bound_set_at(bind, number);
    if (slot && slot->kind == BOUND_SET) {
        const struct descriptor_set *set = descriptor_set_by_id(slot->set);
        if (!set)
            return false;
        *result = (struct bound_descriptors){
            .layout = set->layout,
            .descriptors = set->descriptors,
            .count = set->descriptor_count,
            .variable_count = set->variable_count,
            .set = set,
            .dynamic_offsets =
                slot->dynamic_count ? &bind->dynamic_offsets[slot->dynamic_first] : NULL,
            .dynamic_count = slot->dynamic_count,
        };
        return true;
    }
    if (!slot || slot->kind != BOUND_PUSHED)
        return false;
    /* Push descriptors have the layout of the last push; only one set number is pushed at a
     * time. */
    const struct pipeline_layout *layout = pipeline_layout_by_id(bind->pushed_layout);
    if (!layout || number >= layout->set_count || !layout->sets[number])
        return false;
    *result = (struct bound_descriptors){
        .layout = layout->sets[number], .descriptors = bind->pushed, .count = bind->pushed_count};
    return true;
}
