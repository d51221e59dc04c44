/* Tracks bound descriptor heaps and push data. */
#include "state/descriptor/heaps.h"
#include "base/plain_atomic.h"
#include "state/object/created.h"
#include "state/hooks.h"

#include <string.h>

#include "vk/chain.h"
#include "vk/pointer.h"

/* The bytes of push data that are tracked. */
#define DATA_BYTES (PUSH_DATA_WORDS * 4u)

/* True if this word of push data was set. Words have 4 bytes. */
static bool has_word(const struct bound_heaps *heaps, uint32_t word)
{
    return heaps->data_set[word / 64] >> word % 64 & 1;
}

bool push_data_is_unset(const struct command_buffer *command_buffer, uint32_t offset)
{
    const struct bound_heaps *heaps = &command_buffer->heaps;
    if (heaps->unknown_data || offset >= DATA_BYTES)
        return false;
    return heaps_are_invalid(command_buffer) || !has_word(heaps, offset / 4);
}

bool push_data_read(const struct command_buffer *command_buffer, uint32_t offset, uint32_t words,
                    uint64_t *value)
{
    assert(words == 1 || words == 2);
    const struct bound_heaps *heaps = &command_buffer->heaps;
    const uint32_t word = offset / 4, *data = plain_load_acquire(&command_buffer->push_data);
    if (!data || heaps->unknown_data || offset % 4 || offset > DATA_BYTES - words * 4 ||
        heaps_are_invalid(command_buffer) || !has_word(heaps, word) ||
        !has_word(heaps, word + words - 1))
        return false;
    *value = 0;
    memcpy(value, &data[word], words * sizeof(uint32_t));
    return true;
}

void heaps_forget(struct bound_heaps *heaps)
{
    assert(heaps);
    for (uint32_t i = 0; i < HEAP_KINDS; i++) {
        heaps->heaps[i].undefined |= heaps->heaps[i].bound;
        heaps->heaps[i].bound = false;
    }
    memset(heaps->data_set, 0, sizeof(heaps->data_set));
    heaps->unknown = heaps->unknown_data = false;
}

/* The heaps, for a command that changes them. Such a command "immediately invalidates all
 * descriptor set and descriptor buffer state". Heap state from before commands that changed those
 * is invalid as well. */
static struct bound_heaps *take_heaps(struct command_buffer *command_buffer, enum draw_dirty dirty)
{
    if (heaps_are_invalid(command_buffer)) {
        heaps_forget(&command_buffer->heaps);
        command_buffer->descriptor_buffer_count = 0;
        dirty |= DIRTY_SETS | DIRTY_PUSH_CONSTANTS;
    }
    for (uint32_t i = 0; i < BIND_POINTS; i++) {
        struct bind_point_state *bind = &command_buffer->bind[i];
        bind_point_forget(bind);
        command_buffer->dirty[i] |= dirty;
    }
    return &command_buffer->heaps;
}

struct bound_heap bound_heap_by(const VkBindHeapInfoEXT *info)
{
    assert(info);
    return (struct bound_heap){.bound = true,
                               .address = info->heapRange.address,
                               .size = info->heapRange.size,
                               .reserved_offset = info->reservedRangeOffset,
                               .reserved_size = info->reservedRangeSize};
}

void state_before_CmdBindSamplerHeapEXT(struct call *call, VkCommandBuffer commandBuffer,
                                        const VkBindHeapInfoEXT *pBindInfo)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (command_buffer)
        take_heaps(command_buffer, DIRTY_SETS)->heaps[HEAP_SAMPLERS] = bound_heap_by(pBindInfo);
}

void state_before_CmdBindResourceHeapEXT(struct call *call, VkCommandBuffer commandBuffer,
                                         const VkBindHeapInfoEXT *pBindInfo)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (command_buffer)
        take_heaps(command_buffer, DIRTY_SETS)->heaps[HEAP_RESOURCES] = bound_heap_by(pBindInfo);
}

void state_before_CmdPushDataEXT(struct call *call, VkCommandBuffer commandBuffer,
                                 const VkPushDataInfoEXT *pPushDataInfo)
{
    const VkPushDataInfoEXT *info = pPushDataInfo;
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer || info->offset >= DATA_BYTES || pointer_is_bad(info->data.address))
        return;
    struct bound_heaps *heaps = take_heaps(command_buffer, DIRTY_PUSH_CONSTANTS);
    /* Another bank has its own values, and another rule reports a wrong alignment. These are not
     * noted. */
    uint32_t *data = plain_load_acquire(&command_buffer->push_data);
    if (unlikely(!data))
        data = mem_make(&command_buffer->push_data, NULL, PUSH_DATA_WORDS * sizeof(*data));
    if (!data || chain_find(info->pNext, VK_STRUCTURE_TYPE_PUSH_CONSTANT_BANK_INFO_NV) ||
        info->offset % 4 || info->data.size % 4) {
        heaps->unknown_data = true;
        return;
    }
    const uint32_t first = info->offset / 4;
    const uint32_t count = info->data.size / 4 < PUSH_DATA_WORDS - first
                               ? (uint32_t)(info->data.size / 4)
                               : PUSH_DATA_WORDS - first;
    memcpy(&data[first], info->data.address, count * sizeof(uint32_t));
    for (uint32_t i = first; i < first + count; i++)
        heaps->data_set[i / 64] |= UINT64_C(1) << i % 64;
}

/* Only the device knows which data tokens push. */
void state_after_CmdExecuteGeneratedCommandsEXT_heaps(struct call *call,
                                                      VkCommandBuffer commandBuffer,
                                                      VkBool32 isPreprocessed,
                                                      const VkGeneratedCommandsInfoEXT
                                                          *pGeneratedCommandsInfo)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    const struct created_commands_layout *layout =
        find_created_commands_layout(call, pGeneratedCommandsInfo->indirectCommandsLayout);
    if (command_buffer && (!layout || layout->what & (GENERATED_CONSTANTS | GENERATED_UNKNOWN)))
        command_buffer->heaps.unknown_data = true;
}

void state_after_CmdExecuteGeneratedCommandsNV_heaps(struct call *call,
                                                     VkCommandBuffer commandBuffer,
                                                     VkBool32 isPreprocessed,
                                                     const VkGeneratedCommandsInfoNV
                                                         *pGeneratedCommandsInfo)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    const struct created_commands_layout_nv *layout =
        find_created_commands_layout_nv(call, pGeneratedCommandsInfo->indirectCommandsLayout);
    if (command_buffer && (!layout || layout->what & (GENERATED_CONSTANTS | GENERATED_UNKNOWN)))
        command_buffer->heaps.unknown_data = true;
}
