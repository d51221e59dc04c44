/* Lists the validators. It is the one place that knows them all. */
#include "chassis/create.h"

#include <pthread.h>

#include "chassis/special.h"
#include "chassis/waiting.h"
#include "core/areas.h"
#include "core/core.h"
#include "core/draw/draw.h"
#include "chassis/debug.h"
#include "chassis/hooks.h"
#include "chassis/validation_cache.h"
#include "gpu/device/areas.h"
#include "gpu/breadcrumbs/breadcrumbs.h"
#include "gpu/dump/dump.h"
#include "gpu/gpu.h"
#include "lifetimes/lifetimes.h"
#include "practices/areas.h"
#include "practices/practices.h"
#include "report/sink/callers.h"
#include "report/finding/parameters.h"
#include "report/finding/reporter.h"
#include "spirv/helper/load.h"
#include "state/object/aftermath.h"
#include "state/command/command_buffer.h"
#include "state/object/reach.h"
#include "state/pipeline/shader.h"
#include "state/state.h"
#include "stateless/stateless.h"
#include "sync/access/aliases.h"
#include "sync/access/areas.h"
#include "sync/record/draw.h"
#include "sync/queue/queue.h"
#include "sync/sync.h"
#include "threads/mark.h"
#include "threads/threads.h"

/* In the order in which they run. Those of callers change what all others keep as the call's
 * caller. parameters notes for all others what the call was made with. stateless goes before those
 * that follow pointers: a call that it stops is not looked at further. */
static const struct validator *const all_validators[] = {
    &recorded_callers_validator,
    &loader_callers_validator,
    &parameters_validator,
    &debug_validator,
    &state_validator,
    &tracking_validator,
    &aftermath_validator,
    &dump_validator,
    &stateless_validator,
    &lifetimes_validator,
    &threads_validator,
    &core_validator,
    &core_without_scope_validator,
    &practices_validator,
    &legacy_validator,
    &redundant_validator,
    &advice_validator,
    &sync_validator,
    &touched_validator,
    &gpu_validator,
    &breadcrumbs_validator,
};
static_assert(ARRAY_LENGTH(all_validators) <= VALIDATOR_LIMIT, "room for all");

/* Areas of validators in objects (objects/area.h), room by room. */
AREA_BEGINS(gpu_in_device);
AREA_FOLLOWS(aftermath_in_device, gpu_in_device);
AREA_ENDS(aftermath_in_device, device);

AREA_BEGINS(sync_in_command_buffer);
AREA_FOLLOWS(gpu_in_command_buffer, sync_in_command_buffer);
AREA_FOLLOWS(practices_in_command_buffer, gpu_in_command_buffer);
AREA_ENDS(practices_in_command_buffer, command_buffer);

AREA_BEGINS(sync_in_device_state);
AREA_FOLLOWS(practices_in_device_state, sync_in_device_state);
AREA_ENDS(practices_in_device_state, device_state);

AREA_BEGINS(sync_in_image);
AREA_FOLLOWS(practices_in_image, sync_in_image);
AREA_ENDS(practices_in_image, image);

AREA_BEGINS(sync_in_memory);
AREA_FOLLOWS(practices_in_memory, sync_in_memory);
AREA_ENDS(practices_in_memory, device_memory);

AREA_BEGINS(gpu_in_pipeline);
AREA_FOLLOWS(core_in_pipeline, gpu_in_pipeline);
AREA_FOLLOWS(practices_in_pipeline, core_in_pipeline);
AREA_ENDS(practices_in_pipeline, pipeline);

AREA_FILLS(sync_in_image_view, image_view);
AREA_FILLS(gpu_in_shader_object, shader_object);
AREA_FILLS(gpu_in_shader_module, shader_module);
AREA_FILLS(gpu_in_descriptor_set, descriptor_set);
AREA_FILLS(practices_in_descriptor_pool, descriptor_pool);
AREA_FILLS(gpu_in_buffer, buffer);
AREA_FILLS(gpu_in_acceleration_structure, acceleration_structure);

/* Each has its own half of what the state tracker says has changed since the last draw. */
static_assert((int)DIRTY_FOR_CORE != (int)DIRTY_FOR_SYNC, "two halves");

/* The functions that free areas of an object that goes, by its type, with a NULL at the end. */
#define AREA_ENDS_MOST 2
static void (*area_ends[HANDLE_TYPE_COUNT][AREA_ENDS_MOST + 1])(struct object *object);

/* The areas of validators that run later go first. */
static void collect_area_ends(void)
{
    uint32_t counts[HANDLE_TYPE_COUNT] = {0};
    for (size_t i = ARRAY_LENGTH(all_validators); i-- > 0;) {
        const struct area_end *area = all_validators[i]->areas;
        for (; area && area->type != HANDLE_NONE; area++) {
            assert(counts[area->type] < AREA_ENDS_MOST);
            area_ends[area->type][counts[area->type]++] = area->destroy;
        }
    }
}

static void validators_fill(void)
{
    collect_area_ends();
    for (size_t i = 0; i < ARRAY_LENGTH(all_validators); i++)
        all_validators[i]->fill(all_validators[i]->hooks);
}

uint32_t validators_select(const struct settings *settings,
                           const struct validator *chosen[VALIDATOR_LIMIT])
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    uint32_t count = 0;
    pthread_once(&once, validators_fill);
    for (size_t i = 0; i < ARRAY_LENGTH(all_validators); i++) {
        if (!all_validators[i]->enabled || all_validators[i]->enabled(settings))
            chosen[count++] = all_validators[i];
    }
    return count;
}

uint32_t validators_select_for_device(const struct device *device,
                                      const struct validator *chosen[VALIDATOR_LIMIT])
{
    const struct instance *instance = device->instance;
    const bool lowers = emulated_lowers_shaders(device);
    uint32_t count = 0;
    struct settings *without = lowers ? NULL : mem_alloc(sizeof(*without));
    if (without) {
        *without = instance->settings;
        without->shader_abort = SHADER_ABORT_OFF;
    }
    for (uint32_t i = 0; i < instance->validator_count; i++) {
        const struct validator *validator = instance->validators[i];
        if (!without || !validator->enabled || validator->enabled(without))
            chosen[count++] = validator;
    }
    mem_free(without);
    return count;
}

/* lifetimes reports it, where that is switched on; without it the call goes on as it came. */
static bool report_unknown(struct call *call, const void *handle)
{
    if (lifetimes_enabled(&call->instance->settings))
        lifetimes_unknown_object(call, handle);
    return !call->dead_handle;
}

bool call_begin_unknown_device(struct call *call, const void *handle)
{
    struct device *device = device_by_dispatch_key(handle);
    if (!device)
        return false;
    call_set_device(call, device);
    return report_unknown(call, handle);
}

bool call_begin_unknown_instance(struct call *call, const void *handle)
{
    struct instance *instance = instance_by_dispatch_key(handle);
    if (!instance)
        return false;
    call_set_instance(call, instance);
    return report_unknown(call, handle);
}

void call_refuse(struct call *call)
{
    call->result = VK_ERROR_VALIDATION_FAILED_EXT;
}

void call_device_lost(struct call *call)
{
    gpu_device_lost(call);
}

void call_take_back(const struct call *call)
{
    core_take_back(call);
    sync_take_back(call);
}

void validators_reserve_limits(const struct instance *instance, VkPhysicalDeviceLimits *limits)
{
    gpu_reserve_limits(instance, limits);
}

bool validators_begin_device(struct device *device)
{
    return !device->emulated || aborts_begin(device);
}

void validators_end_device(struct device *device)
{
    aborts_end(device);
}

/* In this order, as chassis/fork.c has it. */
void validators_fork(enum fork_step step)
{
    dump_fork(step);
    gpu_devices_fork(step);
    spirv_tools_fork(step);
    sync_devices_fork(step);
    sync_aliases_fork(step);
}

void validators_fork_leaves(enum fork_step step)
{
    command_buffer_fork(step);
    shader_fork(step);
    reach_fork(step);
    command_log_fork(step);
    practices_fork(step);
    if (step == FORK_CHILD)
        state_fork_child();
}

void mark_enter_marked(const struct call *call, struct object *object, const char *parameter)
{
    threads_enter_marked(call, object, parameter);
}

void mark_leave_marked(const struct call *call, struct object *object, const char *parameter)
{
    threads_leave_marked(call, object, parameter);
}

void validators_destroy_state(struct object *object, enum handle_type type)
{
    if (object_has(object, OBJECT_HAS_NAME)) {
        struct instance *instance = owner_instance(object->owner);
        reporter_forget(instance ? instance->reporter : NULL, object);
    }
    if (!object->state)
        return;
    for (uint32_t i = 0; area_ends[type][i]; i++)
        area_ends[type][i](object);
    if (type == HANDLE_DESCRIPTOR_UPDATE_TEMPLATE)
        special_state_destroy(object);
    else if (type == HANDLE_VALIDATION_CACHE_EXT)
        validation_cache_free(object->state);
    else
        state_object_destroy(object, type);
}
