/* Lists what this validator keeps in objects of the state tracker (objects/area.h). All begins as
 * zeroes, and nothing of it is owned. Rooms are larger than what is kept, so that a new counter
 * does not change the structures that others include. */
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

#define FREED_ALLOCATIONS 8   /* freed allocations that are kept, the last ones */
#define JUDGED_INDICES    32  /* ranges of index buffers that were looked at last */
#define JUDGED_FEATURES   192 /* features that only shaders need, at most */

/* Counts what a device has made so far. Threads: all relaxed. */
struct practices_of_device {
    _Atomic uint32_t small_allocations;  /* live allocations that one resource fills */
    _Atomic uint32_t uncached_graphics;  /* graphics pipelines made without a cache */
    _Atomic uint32_t uncached_compute;   /* compute pipelines made without a cache */
    _Atomic uint32_t pipelines;          /* that live */
    _Atomic uint32_t fences, semaphores; /* that live */
    _Atomic uint32_t submissions;        /* since the last present */
    _Atomic uint32_t busy_frames;        /* presents in a row after many submissions */
    /* new allocations that a freed one could have been */
    _Atomic uint32_t reused_allocations;
    /* new descriptor sets that a freed set could have been */
    _Atomic uint32_t reused_sets;
    _Atomic uint32_t next_freed;               /* place of the next one in `freed` */
    _Atomic uint64_t local_bytes;              /* of the device's memory, that live */
    _Atomic bool looked_at_pages;              /* whether pageable memory is on was looked at */
    _Atomic bool acceleration_memory_asked;    /* vkGetAccelerationStructureMemoryRequirementsNV */
    _Atomic bool video_memory_asked;           /* vkGetVideoSessionMemoryRequirementsKHR */
    _Atomic bool lazy_memory;                  /* a memory type is lazily allocated. const */
    _Atomic uint64_t freed[FREED_ALLOCATIONS]; /* size and type; 0 = none */
    _Atomic uint32_t freed_at[FREED_ALLOCATIONS]; /* seconds */
    _Atomic uint64_t freed_set_layout; /* descriptor_layout::compatibility of the last set */
    _Atomic uint64_t freed_set_pool;   /* and of its pool */
    _Atomic uint64_t suboptimal;       /* id of the swapchain that answered it last */
    _Atomic uint32_t suboptimal_count; /* how often in a row */
    _Atomic uint32_t judged_count;     /* ranges that were looked at so far */
    _Atomic uint64_t judged_indices[JUDGED_INDICES]; /* checksums of the ranges; 0 = none */
    /* extensions that the physical device has, with legacy_detection_mode ONLY_SUPPORTED. const */
    struct extension_set offered;
    /* With validate_best_practices_redundant: extensions that vkCreateDevice named. const */
    struct extension_set named_extensions;
    _Atomic uint64_t used_extensions[(EXTENSION_COUNT + 63) / 64]; /* by enum extension */
    _Atomic uint64_t used_features[JUDGED_FEATURES / 64];          /* by judged_features[] */
    _Atomic uint32_t shaders_read;   /* whose capabilities are in used_features */
    _Atomic bool has_unread_shaders; /* in binaries, or by identifiers */
};

struct practices_in_device_state {
    union {
        struct practices_of_device kept;
        uint64_t room[96];
    };
};
AREA(practices_in_device_state, device_state, 8)

/* The use that draws make of depth, by the bound pipeline: its direction, and whether it writes
 * depth alone. A pipeline that leaves any of that to the command buffer is PIPELINE_OTHER. */
enum pipeline_class {
    PIPELINE_OTHER,
    PIPELINE_LESS,    /* VK_COMPARE_OP_LESS, ..._LESS_OR_EQUAL */
    PIPELINE_GREATER, /* VK_COMPARE_OP_GREATER, ..._GREATER_OR_EQUAL */
    PIPELINE_EQUAL,
    PIPELINE_DEPTH_ONLY = 4, /* a bit that is added to the other values */
    PIPELINE_CLASSES = 8
};

/* The result of the store operations of a render pass instance for any of its attachments. */
enum ended_stores { ENDED_STORED = 1, ENDED_DISCARDED = 2 };

#define BOUND_PIPELINES 8 /* different pipelines that are kept */
#define SET_EVENTS      4 /* events that are kept, the last ones */
#define INDEXED_DRAWS   4 /* indexed draws that are kept, those with the most indices */

/* A vkCmdDrawIndexed, and where its indices lie. */
struct indexed_draw {
    uint64_t buffer;     /* id */
    VkDeviceSize offset; /* of its first index in the buffer, in bytes */
    uint32_t count;      /* of indices */
    VkIndexType type;
    uint32_t restart; /* the index that restarts primitives; 0 where none does */
};

/* The values that vkCmdSet* commands have set, as checksums. Threads: as the command buffer. */
struct redundant_states {
    uint32_t recording;                   /* of practices_of_command_buffer */
    uint64_t values[DYNAMIC_STATE_COUNT]; /* 0: not known */
};

/* Notes what a command buffer has recorded since it was begun. Threads: as the command buffer. */
struct practices_of_command_buffer {
    uint32_t recording;   /* a number of its own, of the process; it may wrap */
    uint32_t actions;     /* dispatches, copies and all else that may act on images; with `draws` */
    uint32_t draws;       /* draws in render pass instances before the active one */
    uint32_t small_draws; /* indexed draws of few indices */
    /* a draw of fewer indices is not kept in `indexed` */
    uint32_t least_indices;
    uint32_t barriers;
    uint32_t noted;            /* actions when an image was noted last (practices_in_image) */
    uint32_t ended;            /* actions when a dynamic render pass instance ended */
    uint32_t pipeline_changes; /* binds of graphics pipelines that were not bound */
    uint32_t stage_switches;   /* switches between pipelines with and without geometry stages */
    /* in the render pass instance that is active: the one count of a draw */
    uint32_t class_draws[PIPELINE_CLASSES];
    uint8_t bound; /* enum pipeline_class of the bound graphics pipeline */
    bool has_geometry;
    bool depth_cleared;      /* between draws of the active instance */
    bool attachments_matter; /* of the dynamic render pass instance that begins */
    /* enum ended_stores: the stores of that instance which have not been noted */
    uint8_t stores;
    bool one_time;          /* begun with VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT */
    uint8_t pipeline_count; /* in `pipelines`; BOUND_PIPELINES + 1: there are more */
    uint8_t next_event;
    /* of recordings before: how many in a row were submitted once, without ONE_TIME_SUBMIT */
    uint32_t single_submits;
    uint32_t buffer_actions; /* fills and copies of buffers: not among `actions` */
    /* The submissions of this recording. Relaxed: one for simultaneous use may be submitted by
     * several threads. */
    _Atomic uint32_t submits;
    bool others_recorded;        /* a secondary, or commands that the device generates */
    uint64_t bound_id;           /* of the bound graphics pipeline */
    uint32_t events[SET_EVENTS]; /* indices of the events that were set last */
    uint32_t indexed_count;
    /* pipeline_count and indexed_count say how many elements of these arrays are in use.
     * vkBeginCommandBuffer zeroes the members above. */
    uint64_t pipelines[BOUND_PIPELINES];
    struct indexed_draw indexed[INDEXED_DRAWS];
    /* Owned, kept for the next command buffer; NULL before the first is set */
    struct redundant_states *states;
};

struct practices_in_command_buffer {
    union {
        struct practices_of_command_buffer kept;
        uint64_t room[41];
    };
};
AREA(practices_in_command_buffer, command_buffer, 32)

/* Notes what a command buffer did with an image last. */
struct practices_in_image {
    _Atomic uint64_t last; /* recording:32 | actions:32 at that time. Relaxed */
    _Atomic uint64_t what; /* enum image_use:8 | level:8 | layers:16 | first layer:32. Relaxed */
};
AREA(practices_in_image, image, 24)

/* While it is held no memory is unmapped: practices/indices.c reads what is mapped. */
extern HIDDEN struct lock practices_mapping_lock;

struct practices_in_memory {
    _Atomic uint32_t small; /* 1: it is one of practices_of_device::small_allocations. Relaxed */
    _Atomic uint32_t has_priority; /* 1: one was given. Relaxed */
    /* mapped memory, if index buffers are looked at; NULL: no memory is mapped */
    const void *map_pointer GUARDED_BY(practices_mapping_lock);
    VkDeviceSize map_offset GUARDED_BY(practices_mapping_lock);
    VkDeviceSize map_size GUARDED_BY(practices_mapping_lock);
};
AREA(practices_in_memory, device_memory, 136)

#define LACKS_SETS (DESCRIPTOR_TAG_COUNT + 1)

/* The descriptors that the allocation which is going down takes more of than are left. Threads: as
 * the pool. */
struct practices_in_descriptor_pool {
    uint32_t lacks; /* 0: nothing; LACKS_SETS; else 1 + enum descriptor_tag */
    uint32_t left;  /* how many of these are left before the allocation */
};
AREA(practices_in_descriptor_pool, descriptor_pool, 0)

struct practices_in_pipeline {
    /* 0: not known yet; else PIPELINE_KNOWN, with enum pipeline_class, and PIPELINE_GEOMETRY where
     * it has tessellation, geometry or mesh shaders. Relaxed */
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

/* The draws of the render pass instance that is active. */
static inline uint32_t practices_instance_draws(const struct practices_of_command_buffer *kept)
{
    uint32_t draws = 0;
    for (uint32_t i = 0; i < PIPELINE_CLASSES; i++)
        draws += kept->class_draws[i];
    return draws;
}

/* All that has acted so far, draws too. */
static inline uint32_t practices_actions(const struct practices_of_command_buffer *kept)
{
    return kept->actions + practices_instance_draws(kept);
}

/* True if one of these memory types takes no memory before it is needed. `types`: a bit for
 * each. */
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

/* Counts one more. Returns how many there are then. */
static inline uint32_t practices_count(_Atomic uint32_t *counter)
{
    return atomic_fetch_add_explicit(counter, 1, memory_order_relaxed) + 1;
}

#endif
