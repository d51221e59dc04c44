/* Lists the data that this validator keeps in objects of the state tracker (objects/area.h). All of
 * it is initially zero, and none is owned. Its room is larger than needed, so that a new counter
 * does not change structures that others include. */
#ifndef ASSAY_PRACTICES_AREAS_H
#define ASSAY_PRACTICES_AREAS_H

#include "base/lock.h"
#include "objects/area.h"
#include "state/command/command_buffer.h"
#include "state/descriptor/descriptor_pool.h"
#include "state/memory/image.h"
#include "state/memory/memory.h"
#include "state/pipeline/pipeline.h"
#include "state/submit/queue.h"

#define FREED_ALLOCATIONS 8   /* most freed allocations that are kept; the last ones are */
#define JUDGED_INDICES    32  /* most ranges of index buffers that are remembered as read */
#define JUDGED_FEATURES   192 /* most features that only shaders need */

/* Counts what a device has created so far. Threads: all members are relaxed. */
struct practices_of_device {
    _Atomic uint32_t small_allocations;  /* existing allocations that a single resource fills */
    _Atomic uint32_t uncached_graphics;  /* graphics pipelines that were created without a cache */
    _Atomic uint32_t uncached_compute;   /* compute pipelines that were created without a cache */
    _Atomic uint32_t pipelines;          /* existing ones */
    _Atomic uint32_t fences, semaphores; /* existing ones */
    _Atomic uint32_t submissions;        /* since the last present */
    /* consecutive presents that each came after many submissions */
    _Atomic uint32_t busy_frames;
    /* new allocations for which a freed one could have been used */
    _Atomic uint32_t reused_allocations;
    /* new descriptor sets for which a freed set could have been used */
    _Atomic uint32_t reused_sets;
    _Atomic uint32_t next_freed; /* index of the next entry in `freed` */
    /* existing allocations of device-local memory, in bytes */
    _Atomic uint64_t local_bytes;
    /* it was already checked whether pageable memory is enabled */
    _Atomic bool looked_at_pages;
    /* vkGetAccelerationStructureMemoryRequirementsNV was called */
    _Atomic bool acceleration_memory_asked;
    /* vkGetVideoSessionMemoryRequirementsKHR was called */
    _Atomic bool video_memory_asked;
    _Atomic bool lazy_memory;                     /* some memory type is lazily allocated. const */
    _Atomic uint64_t freed[FREED_ALLOCATIONS];    /* size and type; 0: none */
    _Atomic uint32_t freed_at[FREED_ALLOCATIONS]; /* time in seconds */
    _Atomic uint64_t freed_set_layout; /* descriptor_layout::compatibility of the last freed set */
    _Atomic uint64_t freed_set_pool;   /* id of that set's pool */
    /* id of the swapchain that last returned VK_SUBOPTIMAL_KHR */
    _Atomic uint64_t suboptimal;
    _Atomic uint32_t suboptimal_count;               /* number of consecutive times */
    _Atomic uint32_t judged_count;                   /* number of ranges that were read so far */
    _Atomic uint64_t judged_indices[JUDGED_INDICES]; /* checksums of the ranges; 0: none */
    /* with legacy_detection_mode ONLY_SUPPORTED: extensions that the physical device supports.
     * const */
    struct extension_set offered;
    /* With validate_best_practices_redundant: extensions that vkCreateDevice enabled. const */
    struct extension_set named_extensions;
    _Atomic uint64_t used_extensions[(EXTENSION_COUNT + 63) / 64]; /* index: enum extension */
    _Atomic uint64_t used_features[JUDGED_FEATURES / 64];          /* index: judged_features[] */
    _Atomic uint32_t shaders_read;   /* number of shaders whose capabilities are in used_features */
    _Atomic bool has_unread_shaders; /* some shaders are in binaries, or given by identifiers */
};

struct practices_in_device_state {
    union {
        struct practices_of_device kept;
        uint64_t room[96];
    };
};
AREA(practices_in_device_state, device_state, 8)

/* The use of depth by draws with a pipeline: the direction of the test, and whether only depth is
 * written. If any of that is dynamic, it is PIPELINE_OTHER. */
enum pipeline_class {
    PIPELINE_OTHER,
    PIPELINE_LESS,    /* VK_COMPARE_OP_LESS, ..._LESS_OR_EQUAL */
    PIPELINE_GREATER, /* VK_COMPARE_OP_GREATER, ..._GREATER_OR_EQUAL */
    PIPELINE_EQUAL,
    PIPELINE_DEPTH_ONLY = 4, /* a bit that is added to the other values */
    PIPELINE_CLASSES = 8
};

/* Whether the store operations of a render pass instance store or discard, for any of its
 * attachments. */
enum ended_stores { ENDED_STORED = 1, ENDED_DISCARDED = 2 };

#define BOUND_PIPELINES 8 /* most different pipelines that are kept */
#define SET_EVENTS      4 /* most events that are kept; the last ones are */
#define INDEXED_DRAWS   4 /* most indexed draws that are kept; those with the most indices are */

/* A vkCmdDrawIndexed, and the place of its indices. */
struct indexed_draw {
    uint64_t buffer;     /* id */
    VkDeviceSize offset; /* offset of its first index in the buffer, in bytes */
    uint32_t count;      /* number of indices */
    VkIndexType type;
    uint32_t restart; /* index that restarts primitives; 0: none does */
};

/* Checksums of the values that vkCmdSet* commands have set. Threads: those of the command
 * buffer. */
struct redundant_states {
    uint32_t recording;                   /* practices_of_command_buffer::recording */
    uint64_t values[DYNAMIC_STATE_COUNT]; /* 0: not known */
};

/* Notes what a command buffer has recorded since it was begun. Threads: those of the command
 * buffer. */
struct practices_of_command_buffer {
    uint32_t recording; /* a number that is unique in the process, but may wrap */
    /* number of dispatches, copies and other commands that may access images; draws are counted
     * separately */
    uint32_t actions;
    uint32_t draws;       /* draws in earlier render pass instances */
    uint32_t small_draws; /* indexed draws with few indices */
    /* draws with fewer indices are not kept in `indexed` */
    uint32_t least_indices;
    uint32_t barriers;
    uint32_t noted;            /* `actions` when an image was last noted (practices_in_image) */
    uint32_t ended;            /* `actions` when a dynamic render pass instance ended */
    uint32_t pipeline_changes; /* binds of graphics pipelines that were not already bound */
    uint32_t stage_switches;   /* changes between pipelines with and without geometry stages */
    /* draws in the active render pass instance, by class */
    uint32_t class_draws[PIPELINE_CLASSES];
    uint8_t bound; /* enum pipeline_class of the bound graphics pipeline */
    bool has_geometry;
    bool depth_cleared; /* depth was cleared between draws of the active instance */
    /* for the dynamic render pass instance that begins: its attachments are to be checked */
    bool attachments_matter;
    /* enum ended_stores of the dynamic render pass instance that ended last; 0: none, or they were
     * noted already */
    uint8_t stores;
    bool one_time;          /* begun with VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT */
    uint8_t pipeline_count; /* length of `pipelines`; BOUND_PIPELINES + 1: there are more */
    uint8_t next_event;
    /* consecutive earlier recordings that were each submitted once, without ONE_TIME_SUBMIT */
    uint32_t single_submits;
    uint32_t buffer_actions; /* fills and copies of buffers, which `actions` does not include */
    /* The number of submissions of this recording. Relaxed: with simultaneous use, several threads
     * may submit it. */
    _Atomic uint32_t submits;
    /* a secondary, or commands that the device generates, were recorded */
    bool others_recorded;
    uint64_t bound_id;           /* id of the bound graphics pipeline */
    uint32_t events[SET_EVENTS]; /* indices of the last events that were set */
    uint32_t indexed_count;
    /* pipeline_count and indexed_count are the lengths of these arrays. vkBeginCommandBuffer zeroes
     * the members above. */
    uint64_t pipelines[BOUND_PIPELINES];
    struct indexed_draw indexed[INDEXED_DRAWS];
    /* Owned, kept for the next command buffer; NULL before first use */
    struct redundant_states *states;
};

struct practices_in_command_buffer {
    union {
        struct practices_of_command_buffer kept;
        uint64_t room[41];
    };
};
AREA(practices_in_command_buffer, command_buffer, 32)

/* Notes the last use of an image by a command buffer. */
struct practices_in_image {
    _Atomic uint64_t last; /* recording:32 | actions:32 at that time. Relaxed */
    _Atomic uint64_t what; /* enum image_use:8 | level:8 | layers:16 | first layer:32. Relaxed */
};
AREA(practices_in_image, image, 24)

/* No memory is unmapped while this is held, as practices/indices.c reads mapped memory. */
extern HIDDEN struct lock practices_mapping_lock;

struct practices_in_memory {
    /* 1: it is counted in practices_of_device::small_allocations. Relaxed */
    _Atomic uint32_t small;
    _Atomic uint32_t has_priority; /* 1: the program gave it a priority. Relaxed */
    /* host address, if index buffers are to be read; NULL: not mapped */
    const void *map_pointer GUARDED_BY(practices_mapping_lock);
    VkDeviceSize map_offset GUARDED_BY(practices_mapping_lock);
    VkDeviceSize map_size GUARDED_BY(practices_mapping_lock);
};
AREA(practices_in_memory, device_memory, 136)

#define LACKS_SETS (DESCRIPTOR_TAG_COUNT + 1)

/* The descriptors of which the current allocation needs more than are left. Threads: those of the
 * pool. */
struct practices_in_descriptor_pool {
    uint32_t lacks; /* 0: none; LACKS_SETS; otherwise 1 + enum descriptor_tag */
    uint32_t left;  /* the number left before the allocation */
};
AREA(practices_in_descriptor_pool, descriptor_pool, 0)

struct practices_in_pipeline {
    /* 0: not known yet; otherwise PIPELINE_KNOWN, enum pipeline_class, and PIPELINE_GEOMETRY if it
     * has tessellation, geometry or mesh shaders. Relaxed */
    _Atomic uint64_t traits;
};
AREA(practices_in_pipeline, pipeline, 48)
#define PIPELINE_CLASS    0xffu
#define PIPELINE_GEOMETRY 0x100u
#define PIPELINE_KNOWN    0x200u

static inline struct practices_of_device *practices_of_device(const struct device *device)
{
    const struct device_state *state = device ? object_load_state(device->object) : NULL;
    if (unlikely(!state) && device)
        state = device_state_make(device);
    return state ? &practices_in_device_state(state)->kept : NULL;
}

static inline struct practices_of_command_buffer *
practices_of_command_buffer(const struct call *call)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    return command_buffer ? &practices_in_command_buffer(command_buffer)->kept : NULL;
}

/* The number of draws in the active render pass instance. */
static inline uint32_t practices_instance_draws(const struct practices_of_command_buffer *kept)
{
    uint32_t draws = 0;
    for (uint32_t i = 0; i < PIPELINE_CLASSES; i++)
        draws += kept->class_draws[i];
    return draws;
}

/* The number of all action commands so far, including draws. */
static inline uint32_t practices_actions(const struct practices_of_command_buffer *kept)
{
    return kept->actions + practices_instance_draws(kept);
}

/* True if one of these memory types is lazily allocated. `types`: a bit for each. */
static inline bool practices_lazy_memory(const struct device *device, uint32_t types)
{
    const VkPhysicalDeviceMemoryProperties *all = &device->memory_properties;
    for (uint32_t i = 0; i < all->memoryTypeCount && i < VK_MAX_MEMORY_TYPES; i++) {
        if (types >> i & 1 &&
            all->memoryTypes[i].propertyFlags & VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT)
            return true;
    }
    return false;
}

/* Increments a counter, and returns its new value. */
static inline uint32_t practices_count(_Atomic uint32_t *counter)
{
    return atomic_fetch_add_explicit(counter, 1, memory_order_relaxed) + 1;
}

#endif
