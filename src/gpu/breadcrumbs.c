/* Which markers does a command buffer write, and what do they say when the device is lost? */
#include "gpu/breadcrumbs.h"

#include <string.h>

#include "chassis/translate.h"
#include "gpu/extensions_below.h"
#include "state/rendering.h"

/* --- the device --- */

void breadcrumbs_change_device(struct device *device, VkDeviceCreateInfo *down)
{
    static const char *const names[] = {VK_AMD_BUFFER_MARKER_EXTENSION_NAME,
                                        VK_NV_DEVICE_DIAGNOSTIC_CHECKPOINTS_EXTENSION_NAME};
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
        if (extension_is_named(down, names[i]))
            return;
    }
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
        if (extension_is_below(device, names[i]) && extension_add(down, names[i]))
            return;
    }
}

/* Of a type that the CPU sees without flushes: the GPU may not live to flush anything. */
static bool allocate(const struct device *device, struct breadcrumbs *breadcrumbs)
{
    const VkMemoryPropertyFlags needed = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const struct device_dispatch *driver = &device->dispatch;
    VkMemoryRequirements requirements;
    driver->GetBufferMemoryRequirements(device->handle, breadcrumbs->buffer, &requirements);
    for (uint32_t i = 0; i < device->memory_properties.memoryTypeCount; i++) {
        const VkMemoryPropertyFlags flags = device->memory_properties.memoryTypes[i].propertyFlags;
        const VkMemoryAllocateInfo info = {
            .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = requirements.size, .memoryTypeIndex = i};
        if ((flags & needed) != needed || !(requirements.memoryTypeBits & 1u << i) ||
            flags & (VK_MEMORY_PROPERTY_PROTECTED_BIT | VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD))
            continue;
        if (driver->AllocateMemory(device->handle, &info, NULL, &breadcrumbs->memory) == VK_SUCCESS)
            return true;
    }
    return false;
}

static bool make_buffer(const struct device *device, struct breadcrumbs *breadcrumbs)
{
    uint32_t families[16], count = 0;
    const struct device_dispatch *driver = &device->dispatch;
    for (uint32_t i = 0; i < device->queue_family_count && count < ARRAY_LENGTH(families); i++)
        families[count++] = i;
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = (VkDeviceSize)BREADCRUMB_SLOTS * BREADCRUMB_WORDS * sizeof(uint32_t),
        .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT,
        .sharingMode = count > 1 ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE,
        .queueFamilyIndexCount = count > 1 ? count : 0,
        .pQueueFamilyIndices = families,
    };
    void *host;
    if (driver->CreateBuffer(device->handle, &info, NULL, &breadcrumbs->buffer) != VK_SUCCESS)
        return false;
    if (!allocate(device, breadcrumbs) ||
        driver->BindBufferMemory(device->handle, breadcrumbs->buffer, breadcrumbs->memory, 0) != VK_SUCCESS ||
        driver->MapMemory(device->handle, breadcrumbs->memory, 0, VK_WHOLE_SIZE, 0, &host) != VK_SUCCESS)
        return false;
    memset(host, 0, (size_t)info.size);
    breadcrumbs->words = host;
    return true;
}

static void free_breadcrumbs(const struct device *device, struct breadcrumbs *breadcrumbs)
{
    if (breadcrumbs->buffer)
        device->dispatch.DestroyBuffer(device->handle, breadcrumbs->buffer, NULL);
    if (breadcrumbs->memory)
        device->dispatch.FreeMemory(device->handle, breadcrumbs->memory, NULL);
    mem_free(breadcrumbs);
}

static enum breadcrumb_way find_way(const struct device *device)
{
    if (device->dispatch.CmdWriteBufferMarkerAMD)
        return BREADCRUMB_BUFFER_MARKER;
    if (device->dispatch.CmdSetCheckpointNV && device->dispatch.GetQueueCheckpointDataNV)
        return BREADCRUMB_CHECKPOINT;
    return BREADCRUMB_FILL;
}

void breadcrumbs_device_begin(struct call *call)
{
    static _Atomic uint64_t serials;
    struct device *device = call->device;
    struct breadcrumbs *breadcrumbs =
        call->result == VK_SUCCESS && device ? mem_alloc_zeroed(sizeof(*breadcrumbs)) : NULL;
    if (!breadcrumbs)
        return;
    breadcrumbs->serial = atomic_fetch_add_explicit(&serials, 1, memory_order_relaxed) + 1;
    breadcrumbs->way = find_way(device);
    if (breadcrumbs->way == BREADCRUMB_CHECKPOINT || make_buffer(device, breadcrumbs))
        device->breadcrumbs = breadcrumbs;
    else
        free_breadcrumbs(device, breadcrumbs);
}

void breadcrumbs_device_end(struct call *call)
{
    struct breadcrumbs *breadcrumbs = call->device->breadcrumbs;
    call->device->breadcrumbs = NULL;
    if (breadcrumbs)
        free_breadcrumbs(call->device, breadcrumbs);
}

/* --- markers --- */

/* The trail of the call's command buffer, which is being recorded; NULL: there is none. */
static struct breadcrumb_trail *trail_of(const struct call *call)
{
    const struct breadcrumbs *breadcrumbs = call->device->breadcrumbs;
    const struct command_buffer *command_buffer = breadcrumbs ? call_command_buffer(call) : NULL;
    struct breadcrumb_trail *trail = command_buffer ? command_buffer->breadcrumbs : NULL;
    return trail && trail->serial == breadcrumbs->serial && trail->slot ? trail : NULL;
}

/* May the layer put a command of its own here? */
static bool may_write(const struct command_buffer *command_buffer, enum breadcrumb_way way)
{
    const uint32_t never = SCOPE_SUSPENDED | SCOPE_INSIDE_VIDEO_CODING;
    const struct render_pass_instance *rendering = active_rendering(command_buffer);
    if (command_buffer->scope & never ||
        !(command_buffer->queue_flags & (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT)))
        return false;
    if (!(command_buffer->scope & SCOPE_INSIDE_RENDER_PASS))
        return true;
    if (way == BREADCRUMB_FILL || !rendering)
        return false;
    /* Where secondaries have the contents, a primary may do nothing else. */
    return rendering->contents == VK_SUBPASS_CONTENTS_INLINE || command_buffer->scope & SCOPE_SECONDARY;
}

static VkDeviceSize place(const struct breadcrumb_trail *trail, uint32_t word)
{
    return ((VkDeviceSize)(trail->slot - 1) * BREADCRUMB_WORDS + word) * sizeof(uint32_t);
}

/* All commands before are done before the marker is written. */
static void fill(const struct device *device, VkCommandBuffer handle, const struct breadcrumb_trail *trail,
                 uint32_t value)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT};
    device->dispatch.CmdPipelineBarrier(handle, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                                        1, &barrier, 0, NULL, 0, NULL);
    device->dispatch.CmdFillBuffer(handle, device->breadcrumbs->buffer, place(trail, BREADCRUMB_DONE), sizeof(uint32_t),
                                   value);
}

/* A checkpoint is a pointer that nobody follows: the slot, and how many commands of the list have begun there. */
static const void *checkpoint(const struct breadcrumb_trail *trail, uint32_t begun)
{
    return (const void *)(uintptr_t)((uint64_t)trail->slot << 32 | begun);
}

static void write_markers(const struct call *call, const struct breadcrumb_trail *trail, bool done)
{
    const struct device *device = call->device;
    const struct breadcrumbs *breadcrumbs = device->breadcrumbs;
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const VkCommandBuffer handle = (VkCommandBuffer)object_driver(call->object);
    if (!trail->writes || !may_write(command_buffer, breadcrumbs->way))
        return;
    switch (breadcrumbs->way) {
    case BREADCRUMB_BUFFER_MARKER:
        device->dispatch.CmdWriteBufferMarkerAMD(handle,
                                                 done ? VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT
                                                      : VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                                                 breadcrumbs->buffer,
                                                 place(trail, done ? BREADCRUMB_DONE : BREADCRUMB_BEGUN), trail->count);
        break;
    case BREADCRUMB_CHECKPOINT:
        device->dispatch.CmdSetCheckpointNV(handle, checkpoint(trail, done ? trail->count + 1 : trail->count));
        break;
    case BREADCRUMB_FILL:
        if (done)
            fill(device, handle, trail, trail->count);
        break;
    }
}

/* --- recording --- */

/* The one before may be of another device. */
static struct breadcrumb_trail *adopt_trail(struct breadcrumbs *breadcrumbs, struct command_buffer *command_buffer)
{
    if (!command_buffer->breadcrumbs)
        command_buffer->breadcrumbs = mem_alloc_lines_zeroed(sizeof(*command_buffer->breadcrumbs));
    struct breadcrumb_trail *trail = command_buffer->breadcrumbs;
    if (!trail || trail->serial == breadcrumbs->serial)
        return trail;
    const uint32_t slot = atomic_fetch_add_explicit(&breadcrumbs->slot_end, 1, memory_order_relaxed) + 1;
    trail->slot = slot <= BREADCRUMB_SLOTS ? slot : 0;
    trail->serial = breadcrumbs->serial;
    return trail;
}

/* The first command begins: each execution begins with markers of 0, whatever the one before has left. */
static void write_first(const struct call *call, const struct breadcrumb_trail *trail)
{
    write_markers(call, trail, true);
    if (call->device->breadcrumbs->way == BREADCRUMB_BUFFER_MARKER)
        write_markers(call, trail, false);
}

void breadcrumbs_begin(struct call *call)
{
    struct breadcrumbs *breadcrumbs = call->device->breadcrumbs;
    struct command_buffer *command_buffer = breadcrumbs ? call_command_buffer(call) : NULL;
    struct breadcrumb_trail *trail =
        command_buffer && call->result == VK_SUCCESS ? adopt_trail(breadcrumbs, command_buffer) : NULL;
    if (!trail)
        return;
    trail->count = trail->label_count = trail->open_label = 0;
    arena_rewind(&trail->arena);
    /* Protected command buffers may write nothing that others read; which these are is not looked up. */
    trail->writes = trail->slot && !device_has_feature(call->device, FEATURE_protectedMemory);
    for (uint32_t i = 0; trail->slot && breadcrumbs->words && i < BREADCRUMB_WORDS; i++)
        atomic_store_explicit(&breadcrumbs->words[place(trail, i) / sizeof(uint32_t)], 0, memory_order_relaxed);
}

/* No command of the layer's may stand between a render pass instance that is suspended, in whatever command buffer, and this
 * one. */
void breadcrumbs_resumes(struct call *call)
{
    struct breadcrumb_trail *trail = trail_of(call);
    if (trail)
        trail->writes = false;
}

static bool make_room(void *list, uint32_t *capacity, uint32_t count, size_t size)
{
    return count < *capacity || mem_grow(list, capacity, count, *capacity ? *capacity * 2 : 64, size);
}

void breadcrumbs_before(struct call *call, uint32_t point)
{
    struct breadcrumb_trail *trail = trail_of(call);
    const struct command_buffer *command_buffer = call_command_buffer(call);
    if (!trail || !(command_buffer->scope & SCOPE_RECORDING) ||
        !make_room(&trail->list, &trail->capacity, trail->count, sizeof(*trail->list)))
        return;
    if (!trail->count)
        write_first(call, trail);
    trail->list[trail->count] = (struct breadcrumb){
        .caller = call->caller,
        .pipeline = point < BIND_POINTS ? command_buffer->bind[point].pipeline : 0,
        .command = call->command,
        .number = command_buffer->command_number,
        .label = trail->open_label,
    };
    trail->count++;
    write_markers(call, trail, false);
}

void breadcrumbs_after(struct call *call)
{
    const struct breadcrumb_trail *trail = trail_of(call);
    if (trail && trail->count && call_command_buffer(call)->scope & SCOPE_RECORDING)
        write_markers(call, trail, true);
}

/* A label without memory for it has the place of the one around it: its end comes, too. */
void breadcrumbs_label_begin(struct call *call, const VkDebugUtilsLabelEXT *label)
{
    struct breadcrumb_trail *trail = trail_of(call);
    if (!trail || !make_room(&trail->labels, &trail->label_capacity, trail->label_count, sizeof(*trail->labels)))
        return;
    const char *name = label->pLabelName ? label->pLabelName : "";
    const size_t size = strlen(name) + 1;
    char *copy = arena_take(&trail->arena, size);
    if (copy)
        memcpy(copy, name, size);
    trail->labels[trail->label_count] = (struct breadcrumb_label){.name = copy, .parent = trail->open_label};
    trail->open_label = ++trail->label_count;
}

void breadcrumbs_label_end(struct call *call)
{
    struct breadcrumb_trail *trail = trail_of(call);
    if (trail && trail->open_label)
        trail->open_label = trail->labels[trail->open_label - 1].parent;
}

/* --- the device is lost --- */

void breadcrumb_labels(const struct breadcrumb_trail *trail, uint32_t label, char *to, size_t size)
{
    size_t at = size - 1;
    to[at] = 0;
    for (uint32_t depth = 0; label && label <= trail->label_count && depth < 16; depth++) {
        const struct breadcrumb_label *open = &trail->labels[label - 1];
        const char *name = open->name ? open->name : "?", *between = at == size - 1 ? "" : " > ";
        const size_t length = strnlen(name, size), all = length + strlen(between);
        if (all > at)
            break;
        at -= all;
        memcpy(to + at, name, length);
        memcpy(to + at + length, between, all - length);
        label = open->parent;
    }
    memmove(to, to + at, size - at);
}

/* The last checkpoints that the queues have come to, of this slot: at the top of the pipe a command has begun, at its
 * bottom all before it is done. Other stages lie in between. */
static void read_checkpoints(const struct device *device, VkQueue queue, const struct breadcrumb_trail *trail,
                             struct breadcrumb_progress *progress)
{
    VkCheckpointDataNV data[32];
    uint32_t count = ARRAY_LENGTH(data);
    for (uint32_t i = 0; i < count; i++)
        data[i] = (VkCheckpointDataNV){.sType = VK_STRUCTURE_TYPE_CHECKPOINT_DATA_NV};
    device->dispatch.GetQueueCheckpointDataNV(queue, &count, data);
    for (uint32_t i = 0; i < count && i < ARRAY_LENGTH(data); i++) {
        const uint64_t marker = (uint64_t)(uintptr_t)data[i].pCheckpointMarker;
        const uint32_t number = (uint32_t)marker;
        if (marker >> 32 != trail->slot || !number)
            continue;
        if (data[i].stage == VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT && number - 1 > progress->done)
            progress->done = number - 1;
        if (data[i].stage == VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT && number > progress->begun)
            progress->begun = number;
    }
    progress->begun_known = progress->begun != 0;
}

struct breadcrumb_progress breadcrumbs_progress(const struct device *device, VkQueue queue,
                                                const struct command_buffer *command_buffer)
{
    const struct breadcrumbs *breadcrumbs = device->breadcrumbs;
    const struct breadcrumb_trail *trail = command_buffer->breadcrumbs;
    struct breadcrumb_progress progress = {.trail = NULL};
    if (!breadcrumbs || !trail || trail->serial != breadcrumbs->serial || !trail->writes)
        return progress;
    progress.trail = trail;
    if (breadcrumbs->way == BREADCRUMB_CHECKPOINT) {
        read_checkpoints(device, queue, trail, &progress);
    } else {
        const _Atomic uint32_t *words = &breadcrumbs->words[place(trail, 0) / sizeof(uint32_t)];
        progress.done = atomic_load_explicit(&words[BREADCRUMB_DONE], memory_order_relaxed);
        progress.begun = atomic_load_explicit(&words[BREADCRUMB_BEGUN], memory_order_relaxed);
        progress.begun_known = breadcrumbs->way == BREADCRUMB_BUFFER_MARKER;
    }
    if (progress.done > trail->count)
        progress.done = trail->count;
    if (progress.begun > trail->count)
        progress.begun = trail->count;
    return progress;
}
