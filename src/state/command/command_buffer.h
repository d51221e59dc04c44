/* The state of a command buffer, as its recorded commands have made it. It tells whether a command
 * may be recorded here and now. Hot: `scope` and `queue_flags` answer that for most commands with
 * two tests. */
#ifndef ASSAY_STATE_COMMAND_BUFFER_H
#define ASSAY_STATE_COMMAND_BUFFER_H

#include "base/plain_atomic.h"
#include "chassis/recorded.h"
#include "state/dynamic_states.h" /* generated */
#include "state/object/object_state.h"

/* Bits of struct command_buffer.scope. */
enum command_buffer_scope {
    /* lifecycle (6.1): exactly one of these four. The pending state is not kept here */
    SCOPE_INITIAL = 1 << 0,
    SCOPE_RECORDING = 1 << 1,
    SCOPE_EXECUTABLE = 1 << 2,
    SCOPE_INVALID = 1 << 3,
    SCOPE_PRIMARY = 1 << 4,
    SCOPE_SECONDARY = 1 << 5,
    /* a render pass instance is active: it was begun here, or a secondary continues it */
    SCOPE_INSIDE_RENDER_PASS = 1 << 6,
    /* the render pass instance is suspended (VK_RENDERING_SUSPENDING_BIT) */
    SCOPE_SUSPENDED = 1 << 7,
    SCOPE_INSIDE_VIDEO_CODING = 1 << 8,
    /* a secondary that inherits a heap (VkCommandBufferInheritanceDescriptorHeapInfoEXT) */
    SCOPE_SAMPLER_HEAP = 1 << 9,
    SCOPE_RESOURCE_HEAP = 1 << 10,
};

/* A descriptor set whose descriptors a pipeline's draws, dispatches or traces consume. */
struct drawn_set {
    uint64_t set; /* id */
    /* id of the pipeline, with its type byte replaced by the number to which the set was bound */
    uint64_t with;
};

/* Ids of the objects that recorded commands use. A submit checks that they exist, and stamps them.
 * An object may be in the list more than once; a small direct-mapped cache makes that rare. */
#define USE_RECENT   64
#define DRAWN_RECENT 32
struct use_list {
    uint64_t *ids; /* owned, kept over resets */
    /* owned, kept over resets. For a descriptor set that must not be updated any more: 1 + its
     * version. For a secondary: 1 + the number of its recording. Otherwise 0 */
    uint32_t *versions;
    uint32_t count, capacity;
    uint32_t version_capacity;
    uint32_t drawn_count, drawn_capacity;
    /* memory ran out: objects may be missing in the list, and nothing is reported about these */
    bool incomplete;
    bool executes; /* secondaries are among the objects */
    /* owned, kept over resets; like `ids` it has few duplicates */
    struct drawn_set *drawn;
    /* The caches: USE_RECENT ids, and DRAWN_RECENT sets. Owned, kept over resets, never NULL.
     * Before the first object, or set, is noted they are `no_recent_uses` and `no_recent_drawn`,
     * which are empty and only read. `recent` is published before a `capacity` that is not 0. */
    uint64_t *recent;
    struct drawn_set *recent_drawn;
};
extern HIDDEN const uint64_t no_recent_uses[USE_RECENT];
extern HIDDEN const struct drawn_set no_recent_drawn[DRAWN_RECENT];

/* Ids of the secondaries that the recording executes. Open addressing; at most half full. */
struct executed_secondaries {
    uint32_t capacity; /* const; a power of two */
    uint32_t count;
    uint64_t ids[]; /* 0: free */
};

/* most descriptor sets that are tracked; maxBoundDescriptorSets is 32 on most hardware */
#define BOUND_SETS 32
/* initial capacity for the sets of a bind point; most programs do not bind more */
#define BOUND_SETS_FIRST     4
#define BOUND_VERTEX_BUFFERS 32
/* initial capacity for vertex input bindings */
#define BOUND_VERTEX_BUFFERS_FIRST 4
/* number of stages that shader objects are bound to: vertex to mesh, by the index of the stage's
 * bit */
#define BOUND_SHADERS 8
/* bind points: graphics, compute, ray tracing, subpass shading, data graphs; index:
 * bind_point_index() */
#define BIND_POINTS 5

enum bound_set_kind {
    BOUND_NOTHING, /* never bound, or disturbed (14.2.2) */
    BOUND_SET,
    BOUND_NULL_SET, /* VK_NULL_HANDLE */
    BOUND_PUSHED,   /* pushed descriptors: bind_point_state::pushed */
    BOUND_OFFSET,   /* offset into a descriptor buffer */
    BOUND_EMBEDDED, /* embedded immutable samplers of a descriptor buffer layout */
};

struct bound_set {
    uint64_t set;    /* id; for BOUND_SET */
    uint64_t layout; /* id of the pipeline layout with which it was bound */
    /* pipeline_layout::compatibility of that layout, for sets 0 to this one */
    uint64_t compatibility;
    enum bound_set_kind kind;
    uint32_t version; /* descriptor_set::version when it was bound */
    uint32_t dynamic_count;
    uint32_t dynamic_first; /* index in `dynamic_offsets` of the bind point */
    uint32_t dynamic_capacity;
    uint32_t buffer_index; /* for BOUND_OFFSET: index in command_buffer::descriptor_buffers */
    VkDeviceSize buffer_offset;
};

/* The kind of the first render pass instance that a command buffer begins, also in a secondary. It
 * decides whether an instance that an earlier command buffer suspended is resumed. */
enum first_instance { FIRST_INSTANCE_NONE, FIRST_INSTANCE_PLAIN, FIRST_INSTANCE_RESUMES };

struct descriptor; /* state/descriptor/descriptor.h */

struct bind_point_state {
    uint64_t pipeline; /* id; 0 = none */
    /* layout's compatibility, for the last vkCmdPushConstants; 0 = none */
    uint64_t layout_compatibility_for_push;
    VkPipelineLayoutCreateFlags push_layout_flags; /* flags of that layout */
    uint32_t set_count;                            /* further sets are not bound: bound_set_at() */
    /* memory ran out for a set that was bound, so a missing set may be bound */
    bool sets_lost;
    /* owned, kept over resets; NULL before the first bind. This is the first of the members that
     * are kept */
    struct bound_set *sets;
    uint32_t set_capacity;
    uint32_t *dynamic_offsets; /* owned, kept over resets */
    uint32_t dynamic_offset_count, dynamic_offset_capacity;
    /* owned, kept over resets: descriptors of the one set that may be BOUND_PUSHED */
    struct descriptor *pushed;
    uint32_t pushed_count, pushed_capacity;
    uint32_t pushed_version; /* grows with each push */
    uint64_t pushed_layout;  /* id of the pipeline layout with which they were pushed */
};

/* The entry of set `number`; NULL: no set was ever bound there. Its kind may be BOUND_NOTHING.
 * In a wrong program another thread may be binding sets meanwhile. That thread stores the count
 * with release, after it has an array with room for as many (take_slot() in
 * state/descriptor/bound_sets.c). The acquire here orders the load of the pointer after that of the
 * count. So it finds this array or a later one, and none of these is smaller. A replaced array
 * stays readable until the call has ended (mem_grow()). */
static ALWAYS_INLINE struct bound_set *bound_set_at(const struct bind_point_state *bind,
                                                    uint32_t number)
{
    if (unlikely(number >= plain_load_acquire(&bind->set_count)))
        return NULL;
    return &plain_load_relaxed(&bind->sets)[number];
}

/* Unbinds all sets and push constants. */
static inline void bind_point_forget(struct bind_point_state *bind)
{
    bind->layout_compatibility_for_push = 0;
    bind->set_count = bind->dynamic_offset_count = bind->pushed_count = 0;
    bind->sets_lost = false;
}

/* Descriptor buffers that vkCmdBindDescriptorBuffersEXT bound. */
/* most that are tracked; maxDescriptorBufferBindings is less on all hardware */
#define BOUND_DESCRIPTOR_BUFFERS 32
/* initial capacity */
#define BOUND_DESCRIPTOR_BUFFERS_FIRST 4
struct bound_descriptor_buffer {
    VkDeviceAddress address;
    VkBufferUsageFlags2 usage;
};

/* Descriptor heaps (VK_EXT_descriptor_heap): the bound heaps and the push data. */
enum heap_kind { HEAP_SAMPLERS, HEAP_RESOURCES, HEAP_KINDS };
struct bound_heap {
    bool bound;
    /* a heap was bound since vkBeginCommandBuffer, and is undefined (6 "Command Buffers") or
     * invalid now: it is not known whether one is bound */
    bool undefined;
    VkDeviceAddress address;
    VkDeviceSize size, reserved_offset, reserved_size;
};

/* words of push data that are kept; maxPushDataSize is 256 on most hardware */
#define PUSH_DATA_WORDS 128
struct bound_heaps {
    struct bound_heap heaps[HEAP_KINDS];
    /* the heaps are not known: executed secondaries leave their own heaps bound */
    bool unknown;
    /* the pushed words are not known: they went to another bank than the first one, or the device
     * pushed them */
    bool unknown_data;
    uint64_t data_set[PUSH_DATA_WORDS / 64]; /* a bit for each pushed word */
};

struct bound_buffer {
    uint64_t buffer; /* id; 0 = none (VK_NULL_HANDLE) */
    VkDeviceSize offset, size, stride;
    bool bound;   /* bound since vkBeginCommandBuffer, even as VK_NULL_HANDLE */
    bool null;    /* bound as address 0, and no rule about that was broken */
    bool strided; /* vkCmdBindVertexBuffers3KHR bound it with setStride */
};

/* Changes since the last draw (dispatch, trace) that broke no rule; the next one checks these. Each
 * bit exists twice: two validators can check draws, each with its own bits, and the state tracker
 * sets all with one instruction. Their headers define the bits, and src/validators.c asserts that
 * they differ. */
enum draw_dirty {
    DIRTY_PIPELINE = 0x10001 << 0,
    DIRTY_SETS = 0x10001 << 1,
    DIRTY_DYNAMIC_STATE = 0x10001 << 2,
    DIRTY_VERTEX_BUFFERS = 0x10001 << 3,
    DIRTY_INDEX_BUFFER = 0x10001 << 4,
    DIRTY_PUSH_CONSTANTS = 0x10001 << 5,
    DIRTY_RENDER_PASS = 0x10001 << 6, /* begin, next subpass, attachment locations ... */
    DIRTY_QUERIES = 0x10001 << 7,
    DIRTY_SHADERS = 0x10001 << 8, /* shader objects */
    DIRTY_FOR_FIRST = 0x7fff,
    DIRTY_FOR_SECOND = 0x7fff0000,
    DIRTY_ALL = DIRTY_FOR_FIRST | DIRTY_FOR_SECOND
};

#define DRAWN_IN_ORDER 4u

/* The state of a command buffer's object.
 * Threads: the command buffer, and its pool, are externally synchronised. A program that breaks
 * that rule can make these words inconsistent, never unsafe to read. The memory is only ever used
 * for command buffers, and what it owns is retired instead of freed. So a call may keep the state
 * that it found at its beginning (struct call). Another thread may free the command buffer
 * meanwhile, and its memory may be used for another one. Pointers in it that are not NULL never
 * become NULL again (command_buffer_clear). */
struct command_buffer {
    struct object_state base;
    uint32_t scope; /* enum command_buffer_scope */
    /* The number of commands that were recorded since vkBeginCommandBuffer. For hooks of a command
     * it is that command's number. The entries count it (chassis/recorded.h). */
    uint32_t command_number;
    /* the number of these commands that may order operations on events before and after them:
     * pipeline barriers, waits for events, render passes. Commands of executed secondaries count */
    uint32_t orders;
    /* of the pool's queue family; const. 0 if the program named a family that does not exist */
    VkQueueFlags queue_flags;
    uint32_t queue_family;           /* const */
    VkCommandBufferUsageFlags usage; /* from the last vkBeginCommandBuffer */
    /* of the dynamic render pass instance that is active or was the last */
    VkRenderingFlags rendering_flags;
    bool submitted; /* submitted since vkBeginCommandBuffer */
    /* the profiling lock was not held at a time of the recording; before its end: at its begin */
    bool profiling_lost;
    uint32_t profiling_releases; /* device_state::profiling_releases at vkBeginCommandBuffer */
    /* everything that the command buffer uses was stamped since then. Later submissions only stamp
     * the command buffer itself (state/object/reach.h, reach_stamp_later()) */
    bool stamped;
    /* Number of the command buffer's recording. It also changes for a secondary when another
     * primary executes it (6.6); atomic, as several threads may execute it. Relaxed. */
    _Atomic uint64_t recording;
    /* id of the primary that executes it, if it was not recorded for simultaneous use. Relaxed */
    _Atomic uint64_t taken_by;
    /* vkCmdBeginRendering was recorded since vkBeginCommandBuffer, even in a secondary */
    bool began_rendering;
    /* enum first_instance, since vkBeginCommandBuffer */
    uint8_t first_instance;
    /* an action or synchronization command was recorded before that instance */
    bool acted;
    uint32_t dirty[BIND_POINTS]; /* enum draw_dirty */
    /* enum draw_kind (core/draw/draw.h) of the last draw that was checked */
    uint8_t draw_kind;
    bool watch_instances; /* the instances of each draw are checked: multiview */

    struct use_list uses;
    /* descriptor_epoch when it was begun, or when a submit last found that all objects exist on
     * which its objects depend. Relaxed */
    _Atomic uint32_t epoch;
    _Atomic bool unexplored;                /* in the list of state/object/reach.c. Relaxed */
    struct command_buffer *next_unexplored; /* Lock: state/object/reach.c */
    /* uses_epoch when a submit last found all objects in `uses` valid; 0: not yet. Relaxed */
    _Atomic uint64_t valid_since;
    _Atomic bool unstamped;                /* in another list of state/object/reach.c */
    struct command_buffer *next_unstamped; /* Lock: state/object/reach.c */
    struct bind_point_state bind[BIND_POINTS];
    /* memory ran out for a vertex buffer, so a missing one may be bound */
    bool vertex_buffers_lost;
    struct bound_buffer index_buffer;
    VkIndexType index_type;
    /* value of vkCmdSetPrimitiveRestartIndexEXT; binding an index buffer makes it invalid */
    uint32_t restart_index;
    bool restart_index_set;
    uint64_t shaders[BOUND_SHADERS]; /* ids of shader objects; 0 = none */
    /* stages for which vkCmdBindShadersEXT was called, also with VK_NULL_HANDLE, since the last
     * pipeline of their bind point */
    uint32_t shaders_set;
    uint32_t descriptor_buffer_count; /* length of `descriptor_buffers`; some may not be kept */
    struct bound_heaps heaps;         /* state/descriptor/heaps.h says which parts are valid */
    /* states that were set since vkBeginCommandBuffer, and that no pipeline with the state as
     * static has made invalid */
    struct dynamic_state_set dynamic_set;
    /* memory ran out for values: those of states that are set are not known */
    bool values_lost;
    /* states that were set, or changed their value, since a validator of draws last read and
     * emptied this */
    struct dynamic_state_set dynamic_changed;
    /* pipelines with which draws broke no rule since anything else that the rows depend on last
     * changed (core/draw/rows.c); belongs to the core validator */
    struct drawn_in_order {
        uint64_t pipelines[DRAWN_IN_ORDER]; /* ids; 0 = none */
        uint16_t commands[DRAWN_IN_ORDER];  /* command_root of the draw */
        uint32_t next;                      /* index of the entry to replace next */
    } in_order;
    /* Owned; NULL before the first buffer is bound; see bound_vertex_buffer(). This is the first of
     * the members that are kept when the memory is used again */
    struct bound_buffer *vertex_buffers;
    uint32_t vertex_buffer_capacity;
    /* Owned, for dumps; NULL before any are bound */
    struct bound_descriptor_buffer *descriptor_buffers;
    uint32_t descriptor_buffer_capacity;
    /* PUSH_DATA_WORDS words; `heaps` says which were pushed. Owned; NULL before the first push */
    uint32_t *push_data;
    /* values of dynamic states: state/dynamic_values.h; owned; NULL before the first value is
     * set */
    struct command_buffer_dynamic *dynamic;
    /* state/command/rendering.h; owned, never NULL. Before the first instance it is `no_rendering`,
     * which is RENDERING_NONE and only read. command_buffer_own_rendering() gives write access */
    const struct render_pass_instance *rendering;
    /* state/memory/image_layout.h; owned; NULL before first use */
    struct command_buffer_layouts *layouts;
    struct command_buffer_queries *queries; /* state/query/query.h; owned; NULL before first use */
    /* state/command/event.h; owned; NULL before first use */
    struct command_buffer_events *events;
    struct command_buffer_inheritance
        *inheritance; /* state/command/inheritance.h; owned; for secondaries */
    /* state/raytracing/acceleration_structure.h; owned; NULL before first use */
    struct command_buffer_builds *builds;
    /* state/command/sections.h; owned; NULL before first use */
    struct command_buffer_sections *sections;
    /* state/memory/ownership.h; owned; NULL before the first one is recorded */
    struct command_buffer_transfers *transfers;
    struct executed_secondaries *executed; /* owned; NULL before the first secondary is executed */
    struct touched_recording
        *touched;        /* state/command/touched.h; owned; NULL if shaders' notes are not used */
    AREA_ROOM(360);      /* kept for the next command buffer, like the pointers above */
    struct object *pool; /* const; never NULL */

    /* next free command buffer, while the memory is not in use. Lock: command_buffer.c */
    struct command_buffer *next_free;
};

static_assert(offsetof(struct command_buffer, command_number) == COMMAND_NUMBER_OFFSET,
              "entries count there");

/* The changes that a validator of draws has not seen yet. `whose`: its bits, DIRTY_FOR_... */
static ALWAYS_INLINE uint32_t command_buffer_dirty(const struct command_buffer *command_buffer,
                                                   uint32_t point, enum draw_dirty whose)
{
    assert(point < BIND_POINTS && whose);
    return command_buffer->dirty[point] & (uint32_t)whose;
}

static inline void command_buffer_set_dirty(struct command_buffer *command_buffer, uint32_t point,
                                            enum draw_dirty whose, bool dirty)
{
    assert(point < BIND_POINTS && whose);
    uint32_t others = command_buffer->dirty[point] & ~(uint32_t)whose;
    command_buffer->dirty[point] = others | (dirty ? (uint32_t)whose : 0);
}

extern HIDDEN const struct bound_buffer no_vertex_buffer;

/* The buffer of a vertex input binding; all 0 if none was ever bound. In a wrong program another
 * thread may be binding meanwhile. mem_grow() publishes the array before its capacity. The array
 * never becomes smaller, and a replaced one stays readable until the call has ended. */
static ALWAYS_INLINE const struct bound_buffer *
bound_vertex_buffer(const struct command_buffer *command_buffer, uint32_t binding)
{
    return binding < plain_load_acquire(&command_buffer->vertex_buffer_capacity)
               ? &plain_load_relaxed(&command_buffer->vertex_buffers)[binding]
               : &no_vertex_buffer;
}

/* The entry of a vertex input binding, for a command that binds it or sets its stride. NULL: the
 * binding is beyond those that are tracked, or memory ran out. */
struct bound_buffer *vertex_buffer_place_slow(struct command_buffer *command_buffer,
                                              uint32_t binding) COLD;
static ALWAYS_INLINE struct bound_buffer *vertex_buffer_place(struct command_buffer *command_buffer,
                                                              uint32_t binding)
{
    return likely(binding < plain_load_acquire(&command_buffer->vertex_buffer_capacity))
               ? &plain_load_relaxed(&command_buffer->vertex_buffers)[binding]
               : vertex_buffer_place_slow(command_buffer, binding);
}

/* Unbinds all vertex buffers and strides. */
void command_buffer_forget_vertex_buffers(struct command_buffer *command_buffer);

/* Notes that a dynamic state of graphics was set, perhaps to another value. */
static ALWAYS_INLINE void command_buffer_set_dynamic(struct command_buffer *command_buffer,
                                                     enum dynamic_state state)
{
    dynamic_state_set_add(&command_buffer->dynamic_set, state);
    dynamic_state_set_add(&command_buffer->dynamic_changed, state);
    command_buffer->dirty[0] |= DIRTY_DYNAMIC_STATE;
}

/* Notes an action or synchronization command outside of every render pass instance. There may be
 * none between a suspended instance and the one that resumes it (10 "Render Pass"). */
static ALWAYS_INLINE void command_buffer_acts(struct command_buffer *command_buffer)
{
    if (command_buffer->first_instance == FIRST_INSTANCE_NONE)
        command_buffer->acted = true;
}

/* Notes a command that may order operations on events. `command_buffer` may be NULL. */
static ALWAYS_INLINE void command_buffer_orders(struct command_buffer *command_buffer)
{
    if (likely(command_buffer))
        command_buffer->orders++;
}

/* The state of a VkCommandBuffer that is not the call's first parameter; NULL: not known. */
static inline struct command_buffer *find_command_buffer(VkCommandBuffer handle)
{
    uint64_t id = 0;
    const struct object *object =
        handle ? object_find_dispatchable_id(handle, HANDLE_COMMAND_BUFFER, &id) : NULL;
    return object_load_state_of(object, id);
}

static inline struct command_buffer *command_buffer_by_id(uint64_t id)
{
    return object_state_by_id(id, HANDLE_COMMAND_BUFFER);
}

/* The index of a bind point, 0 to BIND_POINTS - 1; BIND_POINTS for bind points that are not
 * tracked. */
static inline uint32_t bind_point_index(VkPipelineBindPoint point)
{
    return point == VK_PIPELINE_BIND_POINT_GRAPHICS                 ? 0
           : point == VK_PIPELINE_BIND_POINT_COMPUTE                ? 1
           : point == VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR        ? 2
           : point == VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI ? 3
           : point == VK_PIPELINE_BIND_POINT_DATA_GRAPH_ARM         ? 4
                                                                    : BIND_POINTS;
}

/* True if the recording already executes the secondary with this id. False also if memory ran
 * out. */
bool command_buffer_has_executed(const struct command_buffer *primary, uint64_t secondary);

/* Grows when an object that submitted work has used is destroyed, or a descriptor set that it has
 * used is updated. While it stays the same, the objects of a submitted recording stay valid.
 * Relaxed: a program orders such a call and a later submission that it makes wrong. */
extern HIDDEN _Atomic uint64_t uses_epoch;

/* Initializes the list of a new command buffer. Nothing writes through its first pointers. */
void use_list_begin(struct use_list *uses);
/* Empties the cache of recent objects, or of recent sets. */
void use_list_forget_recent(struct use_list *uses);
void use_list_forget_drawn(struct use_list *uses);
void use_list_append(struct use_list *uses, uint64_t id, uint32_t version) COLD;

/* Writes entry `at`, for which there is room. Atomic: another thread may be reading the list at
 * this moment, because the command buffer was pending when that thread began
 * (state/object/reach.c). It was recorded again meanwhile, so what that thread reads only affects
 * completed work. */
static ALWAYS_INLINE void use_list_put(struct use_list *uses, uint32_t at, uint64_t id,
                                       uint32_t version)
{
    uses->versions[at] = version;
    plain_store_relaxed(&uses->ids[at], id);
    plain_store_release(&uses->count, at + 1);
}

/* True if the list has the object with this id. False also if that is not known. */
static ALWAYS_INLINE bool command_buffer_knows(const struct command_buffer *command_buffer,
                                               uint64_t id)
{
    return plain_load_acquire(&command_buffer->uses.recent)[object_index(id) % USE_RECENT] == id;
}

/* Notes a recent object. The list must have room, and thus its own cache: its capacity was loaded
 * with acquire. */
static ALWAYS_INLINE void use_list_remember(struct use_list *uses, uint64_t id)
{
    plain_load_relaxed(&uses->recent)[object_index(id) % USE_RECENT] = id;
}

/* Notes that a recorded command uses the object. NULL: nothing happens. Hot: no lock, and no
 * allocation in steady state. */
static ALWAYS_INLINE void command_buffer_uses_version(struct command_buffer *command_buffer,
                                                      const struct object *object, uint32_t version)
{
    if (!object)
        return;
    uint64_t id = atomic_load_explicit(&object->id, memory_order_relaxed);
    if (likely(command_buffer_knows(command_buffer, id)))
        return;
    struct use_list *uses = &command_buffer->uses;
    uint32_t at = uses->count;
    /* mem_grow() explains the order of these loads */
    if (unlikely(at >= plain_load_acquire(&uses->capacity))) {
        use_list_append(uses, id, version);
        return;
    }
    use_list_remember(uses, id);
    use_list_put(uses, at, id, version);
}

static ALWAYS_INLINE void command_buffer_uses(struct command_buffer *command_buffer,
                                              const struct object *object)
{
    command_buffer_uses_version(command_buffer, object, 0);
}

/* Notes that the command buffer uses the object with the program's handle, which may be
 * VK_NULL_HANDLE. An object that is already in the list is not looked up again. */
static ALWAYS_INLINE void command_buffer_uses_handle(const struct call *call,
                                                     struct command_buffer *command_buffer,
                                                     uint64_t handle, enum handle_type type)
{
    bool known = command_buffer_knows(command_buffer, handle);
    if (likely(known && call->wraps && handle))
        return;
    command_buffer_uses(command_buffer, call_find(call, handle, type));
}

/* Appends a set, and caches it at index `place`, below DRAWN_RECENT. */
void use_list_append_drawn(struct use_list *uses, struct drawn_set drawn, uint32_t place) COLD;
/* Removes the last `count` of `drawn`, because the command was refused. */
void use_list_shorten_drawn(struct use_list *uses, uint32_t count) COLD;

/* Notes that a recorded draw, dispatch or trace consumes descriptors of the set that is bound to
 * `number`. Hot. True: it was noted now; false: it was noted before. */
static ALWAYS_INLINE bool command_buffer_draws(struct command_buffer *command_buffer, uint64_t set,
                                               uint64_t pipeline, uint32_t number)
{
    const struct drawn_set drawn = {set, (pipeline & ~0xffull) | number};
    /* the sum, so that two pipelines that draws alternate with one set mostly have two entries */
    const uint32_t place = object_index(set + pipeline) % DRAWN_RECENT;
    const struct drawn_set *recent = &plain_load_acquire(&command_buffer->uses.recent_drawn)[place];
    if (likely(recent->set == drawn.set && recent->with == drawn.with))
        return false;
    use_list_append_drawn(&command_buffer->uses, drawn, place);
    return true;
}

/* The state of a command pool's object. const. */
struct command_pool {
    struct object_state base;
    VkCommandPoolCreateFlags flags;
    uint32_t queue_family;
    VkQueueFlags queue_flags;
};

STATE_FINDERS(command_pool, VkCommandPool, HANDLE_COMMAND_POOL)

/* The state of the call's command buffer, which does not change during the call. NULL: unknown
 * handle, another kind of call, or memory ran out. Nothing can be reported then. */
static ALWAYS_INLINE struct command_buffer *call_command_buffer(const struct call *call)
{
    return call->command_buffer;
}

/* Frees the state, whose memory is used again for other command buffers. */
void command_buffer_free(struct command_buffer *command_buffer);
/* Threads: chassis/fork.c. */
void command_buffer_fork(enum fork_step step);

#endif
