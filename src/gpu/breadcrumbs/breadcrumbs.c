/* Records the markers of a command buffer, which show after a loss of the device how far it
 * came. */
#include "gpu/breadcrumbs/breadcrumbs.h"

#include <string.h>

#include "base/plain_atomic.h"
#include "chassis/translate.h"
#include "gpu/device/areas.h"
#include "gpu/device/extensions_below.h"
#include "state/command/rendering.h"

/* The innermost of all locks. Only the lock of joins (state/submit/queue.h), and locks that a
 * driver takes to report checkpoints, are taken within it. */
struct lock breadcrumbs_lock = LOCK_INITIALIZER;

/* --- the device --- */

void breadcrumbs_change_device(struct device *device, VkDeviceCreateInfo *down)
{
    static const char *const names[] = {VK_AMD_BUFFER_MARKER_EXTENSION_NAME,
                                        VK_NV_DEVICE_DIAGNOSTIC_CHECKPOINTS_EXTENSION_NAME};
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
        /* The program has enabled one of the extensions itself, and the layer uses that. */
        if (extension_is_named(down, names[i]))
            return;
    }
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
        if (extension_is_below(device, names[i]) && extension_add(down, names[i]))
            return;
    }
}

/* Allocates memory of a type that the CPU sees without flushes: a lost GPU may not flush any
 * more. */
static bool breadcrumbs_allocate(const struct device *device, struct breadcrumbs *breadcrumbs)
{
    const VkMemoryPropertyFlags needed =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const struct device_dispatch *driver = &device->dispatch;
    VkMemoryRequirements requirements;
    driver->GetBufferMemoryRequirements(device->handle, breadcrumbs->buffer, &requirements);
    for (uint32_t i = 0; i < device->memory_properties.memoryTypeCount; i++) {
        const VkMemoryPropertyFlags flags = device->memory_properties.memoryTypes[i].propertyFlags;
        const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                           .allocationSize = requirements.size,
                                           .memoryTypeIndex = i};
        if ((flags & needed) != needed || !(requirements.memoryTypeBits & 1u << i) ||
            flags & (VK_MEMORY_PROPERTY_PROTECTED_BIT | VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD))
            continue;
        if (driver->AllocateMemory(device->handle, &info, NULL, &breadcrumbs->memory) == VK_SUCCESS)
            return true;
    }
    return false;
}

/* Makes the buffer that markers are written to, mapped and zeroed. Returns false if the driver
 * refused; objects that were made are freed with the breadcrumbs. */
static bool make_buffer(const struct device *device, struct breadcrumbs *breadcrumbs)
{
    uint32_t families[16], count = 0;
    const struct device_dispatch *driver = &device->dispatch;
    /* All families share the buffer, as command buffers of each write markers. */
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
    if (!breadcrumbs_allocate(device, breadcrumbs) ||
        driver->BindBufferMemory(device->handle, breadcrumbs->buffer, breadcrumbs->memory, 0) !=
            VK_SUCCESS ||
        driver->MapMemory(device->handle, breadcrumbs->memory, 0, VK_WHOLE_SIZE, 0, &host) !=
            VK_SUCCESS)
        return false;
    memset(host, 0, (size_t)info.size);
    breadcrumbs->words = host;
    return true;
}

/* Frees the driver's objects, as far as they were made, and the structure. The device still exists,
 * and no work on it is pending. */
static void free_breadcrumbs(const struct device *device, struct breadcrumbs *breadcrumbs)
{
    if (breadcrumbs->buffer)
        device->dispatch.DestroyBuffer(device->handle, breadcrumbs->buffer, NULL);
    if (breadcrumbs->memory)
        device->dispatch.FreeMemory(device->handle, breadcrumbs->memory, NULL);
    mem_free(breadcrumbs);
}

/* Returns the best way that the device's functions allow. Buffer markers show both that a command
 * has begun and that it is done. A fill only shows the latter, as it cannot be written at the top
 * of the pipe. */
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
    /* The serial is never 0 or used again, so that trails of a destroyed device are recognized,
     * even if the new one has its address. */
    breadcrumbs->serial = atomic_fetch_add_explicit(&serials, 1, memory_order_relaxed) + 1;
    breadcrumbs->way = find_way(device);
    if (breadcrumbs->way == BREADCRUMB_CHECKPOINT || make_buffer(device, breadcrumbs))
        gpu_in_device(device)->breadcrumbs = breadcrumbs;
    else
        free_breadcrumbs(device, breadcrumbs);
}

void breadcrumbs_device_end(struct call *call)
{
    /* Trails of command buffers keep their memory; their serial shows later that they belong to
     * another device. */
    struct breadcrumbs *breadcrumbs = gpu_in_device(call->device)->breadcrumbs;
    gpu_in_device(call->device)->breadcrumbs = NULL;
    if (breadcrumbs)
        free_breadcrumbs(call->device, breadcrumbs);
}

/* --- markers --- */

/* Returns the trail of the call's command buffer, which is being recorded; NULL: it has none. */
static struct breadcrumb_trail *trail_of(const struct call *call)
{
    const struct breadcrumbs *breadcrumbs = gpu_in_device(call->device)->breadcrumbs;
    const struct command_buffer *command_buffer = breadcrumbs ? call_command_buffer(call) : NULL;
    struct breadcrumb_trail *trail =
        command_buffer ? gpu_in_command_buffer(command_buffer)->breadcrumbs : NULL;
    return trail && trail->serial == breadcrumbs->serial && trail->slot ? trail : NULL;
}

/* True if the layer may record a command of its own here: the scope and the queue allow the command
 * that this way uses. */
static bool may_write(const struct command_buffer *command_buffer, enum breadcrumb_way way)
{
    const uint32_t never = SCOPE_SUSPENDED | SCOPE_INSIDE_VIDEO_CODING;
    const struct render_pass_instance *rendering = active_rendering(command_buffer);
    if (command_buffer->scope & never ||
        !(command_buffer->queue_flags &
          (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT)))
        return false;
    if (!(command_buffer->scope & SCOPE_INSIDE_RENDER_PASS))
        return true;
    if (way == BREADCRUMB_FILL || !rendering)
        return false;
    /* If secondaries have the instance's contents, a primary may record no other commands. */
    return rendering->contents == VK_SUBPASS_CONTENTS_INLINE ||
           command_buffer->scope & SCOPE_SECONDARY;
}

/* Writes a marker with a fill, after a barrier: all earlier commands are done before it is
 * written. */
static void breadcrumbs_fill_word(const struct device *device, VkCommandBuffer handle,
                                  VkDeviceSize place, uint32_t value)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT};
    device->dispatch.CmdPipelineBarrier(handle, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                        VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier, 0, NULL, 0,
                                        NULL);
    device->dispatch.CmdFillBuffer(handle, gpu_in_device(device)->breadcrumbs->buffer, place,
                                   sizeof(uint32_t), value);
}

/* Returns a checkpoint's marker, a pointer that is never followed: the slot, and how many commands
 * of the list have begun. */
static const void *trail_checkpoint(const struct breadcrumb_trail *trail, uint32_t begun)
{
    return (const void *)(uintptr_t)((uint64_t)trail->slot << 32 | begun);
}

/* Records the marker of the trail's last command: that the command has begun, or that it is
 * done. */
static void write_markers(const struct call *call, const struct breadcrumb_trail *trail, bool done)
{
    const struct device *device = call->device;
    const struct breadcrumbs *breadcrumbs = gpu_in_device(device)->breadcrumbs;
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
                                                 breadcrumb_place(trail, done ? BREADCRUMB_DONE
                                                                              : BREADCRUMB_BEGUN),
                                                 trail->count);
        break;
    case BREADCRUMB_CHECKPOINT:
        /* Checkpoints are not memory: the driver gives the last one back after the loss. */
        device->dispatch.CmdSetCheckpointNV(handle, trail_checkpoint(trail, done ? trail->count + 1
                                                                                 : trail->count));
        break;
    case BREADCRUMB_FILL:
        /* A fill comes after the commands before it, and cannot show that a command has begun. */
        if (done)
            breadcrumbs_fill_word(device, handle, breadcrumb_place(trail, BREADCRUMB_DONE),
                                  trail->count);
        break;
    }
}

/* --- recording --- */

/* Returns the command buffer's trail, made for this device; NULL: memory is out. Its previous slot
 * may belong to another device, and is not used then. */
static struct breadcrumb_trail *adopt_trail(struct breadcrumbs *breadcrumbs,
                                            struct command_buffer *command_buffer)
{
    struct gpu_in_command_buffer *area = gpu_in_command_buffer(command_buffer);
    struct breadcrumb_trail *trail = area->breadcrumbs;
    if (!trail)
        trail = mem_make(&area->breadcrumbs, NULL, sizeof(*trail));
    if (!trail || trail->serial == breadcrumbs->serial)
        return trail;
    const uint32_t slot =
        atomic_fetch_add_explicit(&breadcrumbs->slot_end, 1, memory_order_relaxed) + 1;
    trail->slot = slot <= BREADCRUMB_SLOTS ? slot : 0;
    trail->serial = breadcrumbs->serial;
    return trail;
}

/* Records markers of 0 before the first command, so that each execution clears the markers of the
 * previous one. */
static void write_first(const struct call *call, const struct breadcrumb_trail *trail)
{
    write_markers(call, trail, true);
    if (gpu_in_device(call->device)->breadcrumbs->way == BREADCRUMB_BUFFER_MARKER)
        write_markers(call, trail, false);
}

void breadcrumbs_clear(const struct breadcrumbs *breadcrumbs, const struct breadcrumb_trail *trail)
{
    /* NULL if the device uses checkpoints, or no slot was free: there is no memory to clear. */
    _Atomic uint32_t *words =
        trail->slot && breadcrumbs->words
            ? &breadcrumbs->words[breadcrumb_place(trail, 0) / sizeof(uint32_t)]
            : NULL;
    for (uint32_t i = 0; words && i < BREADCRUMB_WORDS; i++)
        atomic_store_explicit(&words[i], 0, memory_order_relaxed);
}

void breadcrumbs_begin(struct call *call)
{
    struct breadcrumbs *breadcrumbs = gpu_in_device(call->device)->breadcrumbs;
    struct command_buffer *command_buffer = breadcrumbs ? call_command_buffer(call) : NULL;
    struct breadcrumb_trail *trail = command_buffer && call->result == VK_SUCCESS
                                         ? adopt_trail(breadcrumbs, command_buffer)
                                         : NULL;
    if (!trail)
        return;
    /* The arena keeps its memory between recordings, so that recording in steady state allocates
     * nothing. */
    trail->count = trail->label_count = trail->open_label = trail->execution_count = 0;
    trail->recording++;
    arena_rewind(&trail->arena);
    /* Protected command buffers may not write to unprotected memory. The layer does not look up
     * which are protected, and so writes no markers on devices with that feature. */
    trail->writes = trail->slot && !device_has_feature(call->device, FEATURE_protectedMemory);
    breadcrumbs_clear(breadcrumbs, trail);
    lock_take(&breadcrumbs_lock);
    trail->submitted = trail->submitted_count = 0;
    trail->submitted_to_several = trail->has_run = false;
    lock_release(&breadcrumbs_lock);
}

/* Stops markers in a command buffer that resumes a render pass instance: no command of the layer
 * may come between a suspended instance and this one. */
void breadcrumbs_resumes(struct call *call)
{
    struct breadcrumb_trail *trail = trail_of(call);
    if (trail)
        trail->writes = false;
}

/* True if an element can be appended at `count`; the list may grow for that. False: memory is out,
 * and the list is unchanged. */
static bool breadcrumbs_make_room(void *list, uint32_t *capacity, uint32_t count, size_t size)
{
    const uint32_t had = plain_load_acquire(capacity);
    return count < had || mem_grow(list, capacity, count, had ? had * 2 : 64, size);
}

void breadcrumbs_before(struct call *call, uint32_t point)
{
    assert(point <= BIND_POINTS);
    struct breadcrumb_trail *trail = trail_of(call);
    const struct command_buffer *command_buffer = call_command_buffer(call);
    if (!trail || !(command_buffer->scope & SCOPE_RECORDING) ||
        !breadcrumbs_make_room(&trail->list, &trail->capacity, trail->count, sizeof(*trail->list)))
        return;
    /* Before the first command of the recording, each execution clears its markers. */
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

/* Begins an execution of a secondary: from here on both words of its slot belong to that. The token
 * is written after the 0, so a word beside a token was written by that token's execution. */
static void write_token(const struct call *call, const struct breadcrumb_trail *secondary,
                        uint32_t token)
{
    const struct device *device = call->device;
    const struct breadcrumbs *breadcrumbs = gpu_in_device(device)->breadcrumbs;
    const VkCommandBuffer handle = (VkCommandBuffer)object_driver(call->object);
    const struct {
        VkPipelineStageFlagBits stage;
        uint32_t word, value;
    } markers[] = {{VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, BREADCRUMB_BEGUN, 0},
                   {VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, BREADCRUMB_BEGUN_BY, token},
                   {VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, BREADCRUMB_DONE, 0},
                   {VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, BREADCRUMB_DONE_BY, token}};
    for (size_t i = 0; i < ARRAY_LENGTH(markers); i++) {
        const VkDeviceSize place = breadcrumb_place(secondary, markers[i].word);
        if (breadcrumbs->way == BREADCRUMB_BUFFER_MARKER)
            device->dispatch.CmdWriteBufferMarkerAMD(handle, markers[i].stage, breadcrumbs->buffer,
                                                     place, markers[i].value);
        else if (markers[i].stage == VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT)
            breadcrumbs_fill_word(device, handle, place, markers[i].value);
    }
}

/* Returns a number for this execution of the secondary, which is written beside its markers. 0: the
 * number cannot be written here. If the command lists a secondary twice, both executions get the
 * same number. */
static uint32_t next_token(const struct call *call, const struct breadcrumb_trail *trail,
                           const struct breadcrumb_trail *secondary,
                           const struct breadcrumb_execution *execution)
{
    struct breadcrumbs *breadcrumbs = gpu_in_device(call->device)->breadcrumbs;
    if (breadcrumbs->way == BREADCRUMB_CHECKPOINT || !trail->writes || !secondary->writes ||
        !may_write(call_command_buffer(call), breadcrumbs->way))
        return 0;
    for (uint32_t i = trail->execution_count;
         i-- > 0 && trail->executions[i].crumb == execution->crumb;) {
        if (trail->executions[i].command_buffer == execution->command_buffer)
            return trail->executions[i].token;
    }
    const uint32_t token =
        atomic_fetch_add_explicit(&breadcrumbs->tokens, 1, memory_order_relaxed) + 1;
    write_token(call, secondary, token);
    return token;
}

void breadcrumbs_executes(struct call *call, uint32_t count, const VkCommandBuffer *command_buffers)
{
    struct breadcrumb_trail *trail = trail_of(call);
    if (!trail || !trail->count || !(call_command_buffer(call)->scope & SCOPE_RECORDING))
        return;
    trail->list[trail->count - 1].elements = count;
    for (uint32_t i = 0; i < count && trail->execution_count < BREADCRUMB_EXECUTIONS; i++) {
        const struct command_buffer *executed = find_command_buffer(command_buffers[i]);
        const struct breadcrumb_trail *secondary =
            executed ? gpu_in_command_buffer(executed)->breadcrumbs : NULL;
        /* A trail of another device, or without a slot, has no readable markers. */
        if (!secondary || secondary == trail || secondary->serial != trail->serial ||
            !secondary->slot)
            continue;
        if (!breadcrumbs_make_room(&trail->executions, &trail->execution_capacity,
                                   trail->execution_count, sizeof(*trail->executions)))
            return;
        struct breadcrumb_execution execution = {.command_buffer = object_state_id(&executed->base),
                                                 .recording = secondary->recording,
                                                 .crumb = trail->count - 1,
                                                 .element = i};
        execution.token = next_token(call, trail, secondary, &execution);
        trail->executions[trail->execution_count++] = execution;
    }
}

/* If memory is out, the label's entry repeats the surrounding label, since its end will come,
 * too. */
void breadcrumbs_label_begin(struct call *call, const VkDebugUtilsLabelEXT *label)
{
    struct breadcrumb_trail *trail = trail_of(call);
    if (!trail || !breadcrumbs_make_room(&trail->labels, &trail->label_capacity, trail->label_count,
                                         sizeof(*trail->labels)))
        return;
    const char *name = label->pLabelName ? label->pLabelName : "";
    const size_t size = strlen(name) + 1;
    char *copy = arena_take(&trail->arena, size);
    if (copy)
        memcpy(copy, name, size);
    trail->labels[trail->label_count] =
        (struct breadcrumb_label){.name = copy, .parent = trail->open_label};
    trail->open_label = ++trail->label_count;
}

void breadcrumbs_label_end(struct call *call)
{
    struct breadcrumb_trail *trail = trail_of(call);
    /* Labels are numbered from 1; 0: none is open. An end without a beginning may close a label of
     * another command buffer. */
    if (trail && trail->open_label)
        trail->open_label = trail->labels[trail->open_label - 1].parent;
}
