<% r = rules.rules(m).rows %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_STATELESS_ROW_PARAMETERS_H
#define ASSAY_STATELESS_ROW_PARAMETERS_H

#include "state/raytracing/acceleration_structure.h"
#include "state/memory/buffer.h"
#include "state/command/command_buffer.h"
#include "state/object/created.h"
#include "state/descriptor/descriptor.h"
#include "state/descriptor/descriptor_pool.h"
#include "state/memory/formats.h"
#include "state/pipeline/graphics_info.h"
#include "state/memory/image.h"
#include "state/memory/memory.h"
#include "state/pipeline/pipeline.h"
#include "state/query/query.h"
#include "state/submit/queue.h"
#include "state/descriptor/sampler.h"
#include "state/command/sections.h"
#include "state/submit/semaphore.h"
#include "state/pipeline/shader.h"
#include "state/wsi/swapchain.h"
#include "stateless/rows.h"

/* A sum that is too large stays larger than all that it is compared with. */
static inline uint64_t row_add(uint64_t left, uint64_t right)
{
    return left + right < left ? UINT64_MAX : left + right;
}

/* The state that is kept of the object of that handle; NULL where nothing is known, or may be said
 * (validate_core is off). */
static inline const void *row_state(const struct call *call, uint64_t handle, enum handle_type type)
{
    return row_may_ask(call) ? call_find_state(call, handle, type) : NULL;
}

/* The same for call->named[which]. */
static inline const void *row_named(const struct call *call, uint32_t which)
{
    return row_may_ask(call) ? call->named[which].state : NULL;
}

/* Likewise of the pool that the recorded command buffer is of. */
static inline const struct command_pool *row_pool(const struct call *call)
{
    const struct command_buffer *command_buffer = row_may_ask(call) ? call_command_buffer(call) : NULL;
    return command_buffer ? object_load_state(command_buffer->pool) : NULL;
}

/* The properties of that pool's queue family; NULL where they are not known. */
static inline const VkQueueFamilyProperties *row_family(const struct call *call)
{
    const struct command_pool *pool = row_pool(call);
    return pool && pool->queue_family < call->device->queue_family_count ? &call->device->queue_families[pool->queue_family] : NULL;
}

/* The sections that the recorded command buffer has begun; what is kept of the device. */
static inline const struct command_buffer_sections *row_sections(const struct call *call)
{
    return row_may_ask(call) ? sections_of(call_command_buffer(call)) : NULL;
}

static inline const struct device_state *row_device(const struct call *call)
{
    return row_may_ask(call) ? object_load_state(call->device->object) : NULL;
}

/* Flags, or those of a structure of that type in the chain, which are used instead: a VkFooFlags2CreateInfo. */
static inline uint64_t row_flags(const void *chain, VkStructureType type, uint64_t flags)
{
    const VkBufferUsageFlags2CreateInfo *instead = unlikely(chain) ? chain_find(chain, type) : NULL;
    return instead ? instead->usage : flags;
}

/* The parameters of commands that have rows, as a structure. */
% for name in r.owners:
% if name in m.commands:
struct parameters_${name[2:]} {
% for p in m.commands[name].params:
    ${rules.parameter_field(m, p)};
% endfor
};
% endif
% endfor

#endif
