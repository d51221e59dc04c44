/* Adds 8 bytes for the pointer to push constants. All stages get a range that includes the last
 * bytes that the device has. The program's ranges are extended, as a stage may be in one range only
 * (14.2.2 "Pipeline Layouts", VUID 00292). Stages that are in no range get a new one. */
#include "gpu/device/areas.h"
#include "gpu/gpu.h"
#include "gpu/hooks.h"
#include "gpu/pipeline/shader.h"

#include <string.h>

#include "chassis/hooks.h"
#include "chassis/translate.h"
#include "vk/pointer.h"

/* Where the layer's bytes of the push constants begin: the guard, if there is one, and the
 * pointer. */
static uint32_t push_begin(const struct gpu_shaders *shaders)
{
    return shaders->push_offset - shaders->push_guard;
}

/* Where they end. */
static uint32_t push_end(const struct gpu_shaders *shaders)
{
    return shaders->push_offset + GPU_PUSH_BYTES;
}

uint32_t gpu_ranges_extend(const struct gpu_shaders *shaders, const VkPushConstantRange *app,
                           uint32_t count, VkPushConstantRange *ranges)
{
    VkShaderStageFlags seen = 0;
    if (count && pointer_is_bad(app)) /* another check reports this */
        return 0;
    for (uint32_t i = 0; i < count; i++) {
        /* 0: the ranges reach into the last bytes, or break a rule. The layout stays as it is, and
         * the shaders get no pointer by push. */
        if ((uint64_t)app[i].offset + app[i].size > push_begin(shaders) ||
            (app[i].stageFlags & seen) || !app[i].stageFlags)
            return 0;
        seen |= app[i].stageFlags;
        ranges[i] = app[i];
        ranges[i].size = push_end(shaders) - app[i].offset;
    }
    VkShaderStageFlags rest = shaders->all_stages & ~seen;
    if (rest)
        ranges[count++] = (VkPushConstantRange){rest, push_begin(shaders),
                                                push_end(shaders) - push_begin(shaders)};
    return count;
}

/* Returns the stages whose ranges overlap the given bytes. */
static VkShaderStageFlags push_ranges_stages(const VkPushConstantRange *ranges, uint32_t count,
                                             uint32_t begin, uint32_t size)
{
    VkShaderStageFlags stages = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (ranges[i].offset < begin + (uint64_t)size &&
            begin < ranges[i].offset + (uint64_t)ranges[i].size)
            stages |= ranges[i].stageFlags;
    }
    return stages;
}

/* Returns the extended ranges in scratch memory, and sets `count` to their number. NULL: the
 * program's ranges go down unchanged. `failed`: memory is out. */
static const VkPushConstantRange *push_ranges_extended(const struct gpu_shaders *shaders,
                                                       const VkPushConstantRange *app,
                                                       uint32_t *count, bool *failed)
{
    VkPushConstantRange *ranges =
        scratch_alloc(&thread_self()->scratch, (*count + (size_t)1) * sizeof(*ranges));
    *failed = !ranges;
    uint32_t extended_count = ranges ? gpu_ranges_extend(shaders, app, *count, ranges) : 0;
    if (extended_count)
        *count = extended_count;
    return extended_count ? ranges : NULL;
}

/* --- the layer's own layouts, with which the pointer is pushed --- */

/* Finds the entry for exactly these ranges; NULL: there is none yet. Entries stay until the device
 * is destroyed. */
static struct gpu_push_entry *find_push(const struct gpu_shaders *shaders,
                                        const VkPushConstantRange *ranges, uint32_t count)
    REQUIRES(shaders->lock)
{
    for (struct gpu_push_entry *entry = shaders->pushes; entry; entry = entry->next) {
        if (entry->count == count && !memcmp(entry->ranges, ranges, count * sizeof(*ranges)))
            return entry;
    }
    return NULL;
}

/* Makes a pipeline layout with these push constant ranges, by which the layer pushes its pointer.
 * Returns NULL if the driver refused, or memory is out. */
static struct gpu_push_entry *make_push(const struct device *device,
                                        const VkPushConstantRange *ranges, uint32_t count)
{
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .pushConstantRangeCount = count,
                                             .pPushConstantRanges = ranges};
    struct gpu_push_entry *entry = mem_alloc(sizeof(*entry) + count * sizeof(*ranges));
    if (!entry)
        return NULL;
    const struct gpu_shaders *shaders = gpu_in_device(device)->shaders;
    entry->push.offset = push_begin(shaders);
    entry->push.size = push_end(shaders) - push_begin(shaders);
    entry->push.stages = push_ranges_stages(ranges, count, entry->push.offset, entry->push.size);
    entry->count = count;
    memcpy(entry->ranges, ranges, count * sizeof(*ranges));
    if (device->dispatch.CreatePipelineLayout(device->handle, &info, NULL, &entry->push.layout) ==
        VK_SUCCESS)
        return entry;
    mem_free(entry);
    return NULL;
}

const struct gpu_push *gpu_push_of(const struct device *device, const VkPushConstantRange *app,
                                   uint32_t count)
{
    struct gpu_shaders *shaders = gpu_in_device(device)->shaders;
    bool failed;
    const VkPushConstantRange *ranges = push_ranges_extended(shaders, app, &count, &failed);
    if (!ranges)
        return NULL;
    /* The lock is held while the layout is made, so that two threads do not make the same one. */
    lock_take(&shaders->lock);
    struct gpu_push_entry *entry = find_push(shaders, ranges, count);
    if (!entry) {
        entry = make_push(device, ranges, count);
        if (entry) {
            entry->next = shaders->pushes;
            shaders->pushes = entry;
        }
    }
    lock_release(&shaders->lock);
    return entry ? &entry->push : NULL;
}

void gpu_shaders_destroy_layouts(struct device *device)
{
    struct gpu_shaders *shaders = gpu_in_device(device)->shaders;
    if (!shaders)
        return;
    lock_unneeded(&shaders->lock);
    for (struct gpu_push_entry *entry = shaders->pushes; entry; entry = entry->next) {
        device->dispatch.DestroyPipelineLayout(device->handle, entry->push.layout, NULL);
        entry->push.layout = VK_NULL_HANDLE;
    }
}

/* --- the program's layouts --- */

/* Remembers a layout of the program's with several ranges. An extended range may overlap another
 * stage's: pushes there must name both (VUID-vkCmdPushConstants-offset-01796). */
static void remember_split(struct gpu_shaders *shaders, VkPipelineLayout layout,
                           struct gpu_split *split)
{
    split->layout = layout;
    shared_lock_take(&shaders->split_lock);
    split->next = shaders->splits;
    shaders->splits = split;
    atomic_fetch_add_explicit(&shaders->split_count, 1, memory_order_relaxed);
    shared_lock_release(&shaders->split_lock);
}

/* Forgets the layout, which the program destroys. The driver may reuse its handle. */
static void forget_split(struct gpu_shaders *shaders, VkPipelineLayout layout)
{
    shared_lock_take(&shaders->split_lock);
    for (struct gpu_split **at = &shaders->splits; *at; at = &(*at)->next) {
        struct gpu_split *split = *at;
        if (split->layout != layout)
            continue;
        *at = split->next;
        atomic_fetch_sub_explicit(&shaders->split_count, 1, memory_order_relaxed);
        mem_free(split);
        break;
    }
    shared_lock_release(&shaders->split_lock);
}

VkResult gpu_down_CreatePipelineLayout(struct call *call, const VkPipelineLayoutCreateInfo *app,
                                       VkDevice device,
                                       const VkPipelineLayoutCreateInfo *pCreateInfo,
                                       const VkAllocationCallbacks *pAllocator,
                                       VkPipelineLayout *pPipelineLayout)
{
    struct gpu_shaders *shaders = gpu_in_device(call->device)->shaders;
    VkPipelineLayoutCreateInfo info = *pCreateInfo;
    bool failed;
    info.pPushConstantRanges = push_ranges_extended(shaders, pCreateInfo->pPushConstantRanges,
                                                    &info.pushConstantRangeCount, &failed);
    /* a layout without the ranges that its pipelines rely on would be worse than none */
    if (failed)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (!info.pPushConstantRanges)
        return call->device->dispatch.CreatePipelineLayout(device, pCreateInfo, pAllocator,
                                                           pPipelineLayout);
    struct gpu_split *split = NULL;
    if (pCreateInfo->pushConstantRangeCount > 1) {
        size_t size = info.pushConstantRangeCount * sizeof(*split->ranges);
        split = mem_alloc(sizeof(*split) + size);
        if (!split)
            return VK_ERROR_OUT_OF_HOST_MEMORY;
        split->count = info.pushConstantRangeCount;
        memcpy(split->ranges, info.pPushConstantRanges, size);
    }
    VkResult result =
        call->device->dispatch.CreatePipelineLayout(device, &info, pAllocator, pPipelineLayout);
    if (result == VK_SUCCESS && split)
        remember_split(shaders, *pPipelineLayout, split);
    else
        mem_free(split);
    return result;
}

void gpu_before_DestroyPipelineLayout(struct call *call, VkDevice device,
                                      VkPipelineLayout pipelineLayout,
                                      const VkAllocationCallbacks *pAllocator)
{
    struct gpu_shaders *shaders = gpu_in_device(call->device)->shaders;
    const struct object *object = call->named[0].object;
    if (object && shaders && atomic_load_explicit(&shaders->split_count, memory_order_relaxed))
        forget_split(shaders, (VkPipelineLayout)object_driver(object));
}

/* --- pushes by the program --- */

/* Returns the stages that a push through this layout must name: the given ones, and those whose
 * extended ranges overlap it. */
static VkShaderStageFlags stages_to_name(struct gpu_shaders *shaders, VkPipelineLayout layout,
                                         VkShaderStageFlags given, uint32_t offset, uint32_t size)
{
    if (!atomic_load_explicit(&shaders->split_count, memory_order_relaxed))
        return given;
    shared_lock_read(&shaders->split_lock);
    for (const struct gpu_split *split = shaders->splits; split; split = split->next) {
        if (split->layout == layout) {
            given |= push_ranges_stages(split->ranges, split->count, offset, size);
            break;
        }
    }
    shared_lock_read_end(&shaders->split_lock);
    return given;
}

/* Finds the data by the program's handle or, if the table of objects does not have it, by the
 * loader's key. NULL: the command buffer is unknown. */
static struct gpu_shaders *shaders_of(VkCommandBuffer command_buffer)
{
    const struct object *object = object_find_dispatchable(command_buffer, HANDLE_COMMAND_BUFFER);
    const struct device *device =
        object ? device_of(object) : device_by_dispatch_key(command_buffer);
    return device ? gpu_in_device(device)->shaders : NULL;
}

/* Replaces vkCmdPushConstants: also names the stages whose ranges the layer has extended. */
static VKAPI_ATTR void VKAPI_CALL push_constants(VkCommandBuffer commandBuffer,
                                                 VkPipelineLayout layout,
                                                 VkShaderStageFlags stageFlags, uint32_t offset,
                                                 uint32_t size, const void *pValues)
{
    struct gpu_shaders *shaders = shaders_of(commandBuffer);
    if (!shaders)
        return; /* an unknown command buffer */
    stageFlags = stages_to_name(shaders, layout, stageFlags, offset, size);
    shaders->push_constants(commandBuffer, layout, stageFlags, offset, size, pValues);
}

/* Replaces vkCmdPushConstants2 in the same way. */
static VKAPI_ATTR void VKAPI_CALL push_constants2(VkCommandBuffer commandBuffer,
                                                  const VkPushConstantsInfo *pPushConstantsInfo)
{
    struct gpu_shaders *shaders = shaders_of(commandBuffer);
    if (!shaders)
        return;
    VkPushConstantsInfo info = *pPushConstantsInfo;
    info.stageFlags = stages_to_name(shaders, info.layout, info.stageFlags, info.offset, info.size);
    shaders->push_constants2(commandBuffer, &info);
}

/* Puts the layer's functions before the driver's own, for the life of the device. If the layer
 * changes no shaders, pushes cost nothing more. */
void gpu_layouts_begin(struct device *device)
{
    struct gpu_shaders *shaders = gpu_in_device(device)->shaders;
    shaders->push_constants = device->dispatch.CmdPushConstants;
    shaders->push_constants2 = device->dispatch.CmdPushConstants2;
    device->dispatch.CmdPushConstants = push_constants;
    if (shaders->push_constants2)
        device->dispatch.CmdPushConstants2 = push_constants2;
}

void gpu_layouts_free(struct gpu_shaders *shaders)
{
    /* gpu_shaders_destroy_layouts() has destroyed the driver's layouts, or they are out of
     * reach. */
    lock_unneeded(&shaders->lock);
    shared_lock_unneeded(&shaders->split_lock);
    while (shaders->pushes) {
        struct gpu_push_entry *entry = shaders->pushes;
        shaders->pushes = entry->next;
        mem_free(entry);
    }
    while (shaders->splits) {
        struct gpu_split *split = shaders->splits;
        shaders->splits = split->next;
        mem_free(split);
    }
}
