/* Lists the commands that the state tracker hooks, and frees an object's state when the object is
 * destroyed. */
#include "state/state.h"

#include "base/plain_atomic.h"
#include "objects/device.h"
#include "settings/settings.h"
#include "state/raytracing/acceleration_structure.h"
#include "state/command/command_buffer.h"
#include "state/descriptor/descriptor.h"
#include "state/memory/device_address.h"
#include "state/memory/formats.h"
#include "state/memory/image_layout.h"
#include "state/memory/ownership.h"
#include "state/pipeline/pipeline.h"
#include "state/pipeline/pipeline_cache.h"
#include "state/submit/queue.h"
#include "state/descriptor/sampler.h"
#include "state/submit/semaphore.h"
#include "state/pipeline/shader.h"
#include "state/video/video_session.h"

bool tracking_enabled(const struct settings *settings)
{
    return settings->validate_core || settings->validate_sync || settings->gpuav_enable ||
           settings->printf_enable || settings->validate_best_practices ||
           settings->shader_abort != SHADER_ABORT_OFF;
}

/* Notes that an object was destroyed which submitted command buffers may use. They may be submitted
 * again. */
static void used_object_gone(enum handle_type type)
{
    if (type != HANDLE_FENCE && type != HANDLE_SEMAPHORE && type != HANDLE_COMMAND_BUFFER)
        atomic_fetch_add_explicit(&uses_epoch, 1, memory_order_relaxed);
}

void state_object_destroy(struct object *object, enum handle_type type)
{
    /* The state is unlinked before it is retired, as base/retire.c requires: code that has the
     * slot, and not the id, reads the state from it. */
    void *state = object_load_state(object);
    if (!state)
        return;
    plain_store_release(&object->state, NULL);
    if (atomic_load_explicit(&((struct object_state *)state)->last_use, memory_order_relaxed))
        used_object_gone(type);
    switch (type) {
    case HANDLE_COMMAND_BUFFER:
        command_buffer_free(state);
        break;
    case HANDLE_DESCRIPTOR_SET_LAYOUT:
        descriptor_layout_release(state);
        break;
    case HANDLE_DESCRIPTOR_SET:
        descriptor_set_destroy(state);
        break;
    case HANDLE_SHADER_MODULE:
        shader_module_free(state);
        break;
    case HANDLE_SHADER_EXT:
        shader_object_free(state);
        break;
    case HANDLE_PIPELINE:
        pipeline_destroy(state);
        break;
    case HANDLE_IMAGE:
        image_layouts_destroy(((struct image *)state)->layouts);
        mem_retire(state);
        break;
    case HANDLE_DEVICE:
        address_map_free(atomic_load(&((struct device_state *)state)->addresses));
        ownership_destroy(atomic_load(&((struct device_state *)state)->released));
        use_joins_destroy(atomic_load(&((struct device_state *)state)->joins));
        format_answers_destroy(state);
        border_colors_destroy(atomic_load(&((struct device_state *)state)->border_colors));
        mem_retire(state);
        break;
    case HANDLE_ACCELERATION_STRUCTURE_KHR:
        acceleration_structure_destroy(state);
        break;
    case HANDLE_SEMAPHORE:
        semaphore_destroy(state);
        break;
    case HANDLE_QUEUE:
        queue_destroy(state);
        break;
    case HANDLE_PIPELINE_LAYOUT:
        pipeline_layout_release(state);
        break;
    case HANDLE_VIDEO_SESSION_PARAMETERS_KHR:
        video_parameters_free(state);
        break;
    default:
        mem_retire(state);
        break;
    }
}

/* Initializes a lock again if a thread held it that does not exist in the child. The data that it
 * protects may be half changed. At worst, the remaining thread then reads wrong values. */
static void renew_lock(const struct object *object)
{
    struct image_layouts *layouts = NULL;
    void *state = object_load_state(object);
    if (!state)
        return;
    switch (object_type(object)) {
    case HANDLE_DEVICE:
        use_joins_renew_lock(atomic_load(&((struct device_state *)state)->joins));
        border_colors_renew_lock(atomic_load(&((struct device_state *)state)->border_colors));
        address_map_fork_child(atomic_load(&((struct device_state *)state)->addresses));
        ownership_fork_child(atomic_load(&((struct device_state *)state)->released));
        break;
    case HANDLE_QUEUE:
        lock_init(&((struct queue *)state)->lock);
        break;
    case HANDLE_SEMAPHORE:
        lock_init(&((struct semaphore *)state)->lock);
        break;
    case HANDLE_ACCELERATION_STRUCTURE_KHR:
        lock_init(&((struct acceleration_structure *)state)->lock);
        break;
    case HANDLE_VIDEO_SESSION_PARAMETERS_KHR:
        lock_init(&((struct created_video_parameters *)state)->lock);
        break;
    case HANDLE_IMAGE:
        layouts = plain_load_acquire(&((struct image *)state)->layouts);
        if (layouts)
            lock_init(&layouts->lock);
        break;
    default:
        break;
    }
}

void state_fork_child(void)
{
    uint32_t limit = atomic_load_explicit(&object_limit, memory_order_acquire);
    for (uint32_t index = 1; index < limit; index++)
        renew_lock(&object_slots[index]);
}
