/* The state of a command buffer is what its recorded commands have made of it. It says whether a
 * command may be recorded here and now. Hot: `scope` and `queue_flags` answer for most commands
 * with two tests. */
#ifndef ASSAY_STATE_COMMAND_BUFFER_H
#define ASSAY_STATE_COMMAND_BUFFER_H

#include "base/plain_atomic.h"
#include "chassis/recorded.h"
#include "state/dynamic_states.h" /* generated */
#include "state/object/object_state.h"

/* Bits of struct command_buffer.scope. */
enum command_buffer_scope {
    /* lifecycle (6.1): exactly one of these four; the pending state is not kept here */
    SCOPE_INITIAL = 1 << 0,
    SCOPE_RECORDING = 1 << 1,
    SCOPE_EXECUTABLE = 1 << 2,
    SCOPE_INVALID = 1 << 3,
    SCOPE_PRIMARY = 1 << 4,
    SCOPE_SECONDARY = 1 << 5,
    /* a render pass instance is active here: begun, or continued by a secondary */
    SCOPE_INSIDE_RENDER_PASS = 1 << 6,
    /* the render pass instance is suspended (VK_RENDERING_SUSPENDING_BIT) */
    SCOPE_SUSPENDED = 1 << 7,
    SCOPE_INSIDE_VIDEO_CODING = 1 << 8,
    /* a secondary that inherits a heap (VkCommandBufferInheritanceDescriptorHeapInfoEXT) */
    SCOPE_SAMPLER_HEAP = 1 << 9,
    SCOPE_RESOURCE_HEAP = 1 << 10,
};

/* A descriptor set whose descriptors draws, dispatches or traces of a pipeline consume. */
struct drawn_set {
    uint64_t set; /* id */
    /* id of the pipeline, with the number that the set was bound to in place of the type */
    uint64_t with;
};

/* Objects that recorded commands use, by id: what a submit looks through (are they alive?) and
 * stamps. The same object may stand in it more than once; a small direct-mapped memory keeps that
 * rare. */
#define USE_RECENT   64
#define DRAWN_RECENT 32
struct use_list {
    uint64_t *ids; /* owned, kept over resets */
    /* owned, kept over resets: for a descriptor set that may not be updated any more, 1 plus its
     * version; for a secondary, 1 plus the number of its recording; else 0 */
    uint32_t *versions;
    uint32_t count, capacity;
    uint32_t version_capacity;
    uint32_t drawn_count, drawn_capacity;
    /* memory was out: the list may lack objects, and nothing can be said of those */
    bool incomplete;
    bool executes; /* secondaries are among the objects */
    /* owned, kept over resets; kept nearly free of repetitions, as `ids` are */
    struct drawn_set *drawn;
    /* The memories: USE_RECENT ids, DRAWN_RECENT sets. Owned, kept over resets. Before the first
     * object, or set, is noted they are `no_recent_uses` and `no_recent_drawn`, which are empty and
     * only read. Never NULL. `recent` is published before a `capacity` that is not 0. */
    uint64_t *recent;
    struct drawn_set *recent_drawn;
};
extern HIDDEN const uint64_t no_recent_uses[USE_RECENT];
extern HIDDEN const struct drawn_set no_recent_drawn[DRAWN_RECENT];

/* Secondaries that the recording executes. Open addressing by id; at most half full. */
struct executed_secondaries {
    uint32_t capacity; /* const; a power of two */
    uint32_t count;
    uint64_t ids[]; /* 0: free */
};

/* descriptor sets that are tracked; maxBoundDescriptorSets is 32 on most hardware */
#define BOUND_SETS 32
/* sets of a bind point that there is room for at first: most programs bind no more */
#define BOUND_SETS_FIRST     4
#define BOUND_VERTEX_BUFFERS 32
/* vertex input bindings that there is room for at first */
#define BOUND_VERTEX_BUFFERS_FIRST 4
/* stages that shader objects are bound to: vertex to mesh, by the position of the stage's bit */
#define BOUND_SHADERS 8
/* graphics, compute, ray tracing, subpass shading, data graphs: bind_point_index() */
#define BIND_POINTS 5

enum bound_set_kind {
    BOUND_NOTHING, /* never bound, or disturbed (14.2.2) */
    BOUND_SET,
    BOUND_NULL_SET, /* VK_NULL_HANDLE */
    BOUND_PUSHED,   /* the set has pushed descriptors: bind_point_state::pushed */
    BOUND_OFFSET,   /* into a descriptor buffer */
    BOUND_EMBEDDED, /* embedded immutable samplers of a descriptor buffer layout */
};

struct bound_set {
    uint64_t set;    /* id, of BOUND_SET */
    uint64_t layout; /* id of the pipeline layout that it was bound with */
    /* of the layout that it was bound with, for sets 0 to this one: pipeline_layout::compatibility
     */
    uint64_t compatibility;
    enum bound_set_kind kind;
    uint32_t version; /* descriptor_set::version when it was bound */
    uint32_t dynamic_count;
    uint32_t dynamic_first; /* in `dynamic_offsets` of its bind point */
    uint32_t dynamic_capacity;
    uint32_t buffer_index; /* of BOUND_OFFSET: in command_buffer::descriptor_buffers */
    VkDeviceSize buffer_offset;
};

/* The first render pass instance that a command buffer begins, also in a secondary. It decides
 * whether an instance that an earlier command buffer suspended is resumed. */
enum first_instance { FIRST_INSTANCE_NONE, FIRST_INSTANCE_PLAIN, FIRST_INSTANCE_RESUMES };

struct descriptor; /* state/descriptor/descriptor.h */

struct bind_point_state {
    uint64_t pipeline;                             /* id; 0 = none */
    uint64_t layout_compatibility_for_push;        /* of the last vkCmdPushConstants; 0 = none */
    VkPipelineLayoutCreateFlags push_layout_flags; /* of its layout */
    uint32_t set_count;                            /* sets beyond are not bound: bound_set_at() */
    /* memory was out for a set that was bound: what is not bound is not known */
    bool sets_lost;
    /* owned, kept over resets; NULL before the first bind. First of the members that are kept */
    struct bound_set *sets;
    uint32_t set_capacity;
    uint32_t *dynamic_offsets; /* owned, kept over resets */
    uint32_t dynamic_offset_count, dynamic_offset_capacity;
    /* owned, kept over resets: descriptors of the set that is BOUND_PUSHED, of which there is one
     * at most */
    struct descriptor *pushed;
    uint32_t pushed_count, pushed_capacity;
    uint32_t pushed_version; /* grows with each push */
    uint64_t pushed_layout;  /* id of the pipeline layout that they were pushed with */
};

/* The set that was bound to `number`; NULL: none was. Its kind may be BOUND_NOTHING. Of a wrong
 * program another thread may be binding sets meanwhile. A count is stored with release after its
 * thread has seen an array with room for as many (take_slot() in state/descriptor/bound_sets.c).
 * Its acquire here orders the load of the pointer after that. So this array or a later one is
 * found, none of which is smaller, and outgrown ones are readable until the call has ended
 * (mem_grow()). */
static ALWAYS_INLINE struct bound_set *bound_set_at(const struct bind_point_state *bind,
                                                    uint32_t number)
{
    if (unlikely(number >= plain_load_acquire(&bind->set_count)))
        return NULL;
    return &plain_load_relaxed(&bind->sets)[number];
}

/* Sets and push constants are not bound any more. */
static inline void bind_point_forget(struct bind_point_state *bind)
{
    bind->layout_compatibility_for_push = 0;
    bind->set_count = bind->dynamic_offset_count = bind->pushed_count = 0;
    bind->sets_lost = false;
}

/* The descriptor buffers that vkCmdBindDescriptorBuffersEXT bound. */
/* tracked; maxDescriptorBufferBindings is less on all hardware */
#define BOUND_DESCRIPTOR_BUFFERS 32
/* that there is room for at first */
#define BOUND_DESCRIPTOR_BUFFERS_FIRST 4
struct bound_descriptor_buffer {
    VkDeviceAddress address;
    VkBufferUsageFlags2 usage;
};

/* Descriptor heaps (VK_EXT_descriptor_heap): what is bound, and what was pushed. */
enum heap_kind { HEAP_SAMPLERS, HEAP_RESOURCES, HEAP_KINDS };
struct bound_heap {
    bool bound;
    /* one was bound since vkBeginCommandBuffer, and what became of it is undefined (6 "Command
     * Buffers") or invalid: neither a heap nor none is known to be bound */
    bool undefined;
    VkDeviceAddress address;
    VkDeviceSize size, reserved_offset, reserved_size;
};

/* push data that is kept; maxPushDataSize is 256 on most hardware */
#define PUSH_DATA_WORDS 128
struct bound_heaps {
    struct bound_heap heaps[HEAP_KINDS];
    /* nothing of the heaps is known: executed secondaries leave their own heaps bound */
    bool unknown;
    /* the pushed words are not known: they went to another bank than the first, or the device
     * pushed them */
    bool unknown_data;
    uint64_t data_set[PUSH_DATA_WORDS / 64]; /* a bit for each word that was pushed */
};

struct bound_buffer {
    uint64_t buffer; /* id; 0 = none (VK_NULL_HANDLE) */
    VkDeviceSize offset, size, stride;
    bool bound;   /* since vkBeginCommandBuffer, also as VK_NULL_HANDLE */
    bool null;    /* as address 0, and no rule of the bind was found broken */
    bool strided; /* by vkCmdBindVertexBuffers3KHR with setStride */
};

/* The changes since the last draw (dispatch, trace) that found everything in order: the next one
 * looks at these. Each bit is there twice: two validators can look at draws, each with bits of its
 * own, and the state tracker sets all of them with one instruction. Their headers say which bits
 * they have, and src/validators.c that they are not the same. */
enum draw_dirty {
    DIRTY_PIPELINE = 0x10001 << 0,
    DIRTY_SETS = 0x10001 << 1,
    DIRTY_DYNAMIC_STATE = 0x10001 << 2,
    DIRTY_VERTEX_BUFFERS = 0x10001 << 3,
    DIRTY_INDEX_BUFFER = 0x10001 << 4,
    DIRTY_PUSH_CONSTANTS = 0x10001 << 5,
    DIRTY_RENDER_PASS = 0x10001 << 6, /* began, next subpass, attachment locations ... */
    DIRTY_QUERIES = 0x10001 << 7,
    DIRTY_SHADERS = 0x10001 << 8, /* shader objects */
    DIRTY_FOR_FIRST = 0x7fff,
    DIRTY_FOR_SECOND = 0x7fff0000,
    DIRTY_ALL = DIRTY_FOR_FIRST | DIRTY_FOR_SECOND
};

#define DRAWN_IN_ORDER 4u

/* Hangs off the object's `state`. Threads: the command buffer is externally synchronised (and its
 * pool with it). A program that breaks that rule can make these words inconsistent, never unsafe to
 * read. The memory is only ever used for command buffers, and what it owns is not given back while
 * it lives, but retired. So a call may keep the state that it found when it began (struct call).
 * Another thread may free the command buffer meanwhile, and its memory may be used for another one.
 * Pointers in it that were not NULL once are not NULL again (command_buffer_clear). */
struct command_buffer {
    struct object_state base;
    uint32_t scope; /* enum command_buffer_scope */
    /* How many commands were recorded since vkBeginCommandBuffer: to hooks of a command its own
     * number. The entries count (chassis/recorded.h). */
    uint32_t command_number;
    /* how many of these commands may order what commands before and after them do with an event:
     * pipeline barriers, waits for events, render passes; commands of executed secondaries count */
    uint32_t orders;
    /* of the pool's queue family; const. 0 when the app named a family that does not exist */
    VkQueueFlags queue_flags;
    uint32_t queue_family;           /* const */
    VkCommandBufferUsageFlags usage; /* of the last vkBeginCommandBuffer */
    /* of the dynamic render pass instance that is active, or was last */
    VkRenderingFlags rendering_flags;
    bool submitted; /* since vkBeginCommandBuffer */
    /* everything that the command buffer uses has been stamped since then. Later submissions only
     * give the command buffer its stamp (state/object/reach.h, reach_stamp_later()) */
    bool stamped;
    /* Counts the recordings of this command buffer. A secondary gets another one when another
     * primary takes it over (6.6); atomic, as several threads may execute it. Relaxed. */
    _Atomic uint64_t recording;
    /* id of the primary that executes it, where it was not recorded for simultaneous use. Relaxed
     */
    _Atomic uint64_t taken_by;
    /* a vkCmdBeginRendering was recorded since vkBeginCommandBuffer, in a secondary too */
    bool began_rendering;
    /* enum first_instance, for what was recorded since vkBeginCommandBuffer */
    uint8_t first_instance;
    /* an action or synchronization command was recorded before that instance */
    bool acted;
    uint32_t dirty[BIND_POINTS]; /* enum draw_dirty */
    /* of the draw that was looked at last: enum draw_kind (core/draw/draw.h) */
    uint8_t draw_kind;
    bool watch_instances; /* the instances of each draw are looked at: multiview */

    struct use_list uses;
    /* descriptor_epoch when it was begun, or when a submit last found all alive that its objects
     * depend on. Relaxed */
    _Atomic uint32_t epoch;
    _Atomic bool unexplored;                /* in the list of state/object/reach.c. Relaxed */
    struct command_buffer *next_unexplored; /* Lock: state/object/reach.c */
    /* uses_epoch when a submit last found all in order that `uses` names; 0: not yet. Relaxed */
    _Atomic uint64_t valid_since;
    _Atomic bool unstamped;                /* in another list of state/object/reach.c */
    struct command_buffer *next_unstamped; /* Lock: state/object/reach.c */
    struct bind_point_state bind[BIND_POINTS];
    /* memory was out for a vertex buffer: what is not bound is not known */
    bool vertex_buffers_lost;
    struct bound_buffer index_buffer;
    VkIndexType index_type;
    /* vkCmdSetPrimitiveRestartIndexEXT; binding an index buffer makes it invalid */
    uint32_t restart_index;
    bool restart_index_set;
    uint64_t shaders[BOUND_SHADERS]; /* ids of shader objects; 0 = none */
    /* stages that vkCmdBindShadersEXT was called for, also with VK_NULL_HANDLE, since the last
     * pipeline of their bind point */
    uint32_t shaders_set;
    uint32_t descriptor_buffer_count; /* of `descriptor_buffers`; some may not be kept */
    struct bound_heaps heaps;         /* state/descriptor/heaps.h says which of it is valid */
    /* states set since vkBeginCommandBuffer and not made invalid by a pipeline that has them static
     */
    struct dynamic_state_set dynamic_set;
    /* memory was out for values: the values of states that are set are not known */
    bool values_lost;
    /* states that were set, or set to another value, since a validator of draws last looked at this
     * and emptied it */
    struct dynamic_state_set dynamic_changed;
    /* pipelines that draws were in order with, since everything else that the rows look at has last
     * changed (core/draw/rows.c); belongs to the core validator */
    struct drawn_in_order {
        uint64_t pipelines[DRAWN_IN_ORDER]; /* ids; 0 = none */
        uint16_t commands[DRAWN_IN_ORDER];  /* command_root of the draw */
        uint32_t next;                      /* that is replaced */
    } in_order;
    /* Owned; NULL before the first buffer is bound: bound_vertex_buffer(). First of the members
     * that are kept when the command buffer is used again */
    struct bound_buffer *vertex_buffers;
    uint32_t vertex_buffer_capacity;
    /* Owned, for dumps; NULL before the first are bound */
    struct bound_descriptor_buffer *descriptor_buffers;
    uint32_t descriptor_buffer_capacity;
    /* PUSH_DATA_WORDS words, of which `heaps` says which were pushed; owned; NULL before the first
     * were */
    uint32_t *push_data;
    /* values of dynamic states: state/dynamic_values.h; owned; NULL before the first is set */
    struct command_buffer_dynamic *dynamic;
    /* state/command/rendering.h; owned. Before the first instance `no_rendering`, which is none and
     * only read; never NULL. Written by way of command_buffer_own_rendering() */
    const struct render_pass_instance *rendering;
    struct command_buffer_layouts *layouts; /* state/memory/image_layout.h; owned, likewise */
    struct command_buffer_queries *queries; /* state/query/query.h; owned, likewise */
    struct command_buffer_events *events;   /* state/command/event.h; owned, likewise */
    struct command_buffer_inheritance
        *inheritance; /* state/command/inheritance.h; owned; of secondaries */
    /* state/raytracing/acceleration_structure.h; owned, likewise */
    struct command_buffer_builds *builds;
    struct command_buffer_sections *sections; /* state/command/sections.h; owned, likewise */
    /* state/memory/ownership.h; owned; NULL before the first one is recorded */
    struct command_buffer_transfers *transfers;
    struct executed_secondaries *executed; /* owned; NULL before the first secondary is executed */
    struct touched_recording
        *touched;   /* state/command/touched.h; owned; NULL where shaders' notes are not wanted */
    AREA_ROOM(360); /* kept for the next command buffer, as are the pointers above */
    struct object *pool; /* const; never NULL */

    /* next free one, while the memory is not in use. Lock: command_buffer.c */
    struct command_buffer *next_free;
};

static_assert(offsetof(struct command_buffer, command_number) == COMMAND_NUMBER_OFFSET,
              "entries count there");

/* The changes that a validator which looks at draws has not seen yet. `whose`: DIRTY_FOR_... */
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

/* Returns the buffer of a vertex input binding: all of it is 0 where none was ever bound. In a
 * wrong program another thread may be binding meanwhile. mem_grow() has published the array before
 * its capacity. The array never becomes smaller, and an outgrown one is readable until the call
 * has ended.
 */
static ALWAYS_INLINE const struct bound_buffer *
bound_vertex_buffer(const struct command_buffer *command_buffer, uint32_t binding)
{
    return binding < plain_load_acquire(&command_buffer->vertex_buffer_capacity)
               ? &plain_load_relaxed(&command_buffer->vertex_buffers)[binding]
               : &no_vertex_buffer;
}

/* Returns the buffer of a vertex input binding for a command that binds it, or sets its stride.
 * NULL: the binding is beyond what is tracked, or memory is out. */
struct bound_buffer *vertex_buffer_place_slow(struct command_buffer *command_buffer,
                                              uint32_t binding) COLD;
static ALWAYS_INLINE struct bound_buffer *vertex_buffer_place(struct command_buffer *command_buffer,
                                                              uint32_t binding)
{
    return likely(binding < plain_load_acquire(&command_buffer->vertex_buffer_capacity))
               ? &plain_load_relaxed(&command_buffer->vertex_buffers)[binding]
               : vertex_buffer_place_slow(command_buffer, binding);
}

/* No vertex buffer is bound any more, and no stride is set. */
void command_buffer_forget_vertex_buffers(struct command_buffer *command_buffer);

/* Notes that a dynamic state of graphics is set, or set to another value. */
static ALWAYS_INLINE void command_buffer_set_dynamic(struct command_buffer *command_buffer,
                                                     enum dynamic_state state)
{
    dynamic_state_set_add(&command_buffer->dynamic_set, state);
    dynamic_state_set_add(&command_buffer->dynamic_changed, state);
    command_buffer->dirty[0] |= DIRTY_DYNAMIC_STATE;
}

/* An action or synchronization command outside of every render pass instance is recorded. (10
 * "Render Pass": none may stand between a suspended instance and the one that resumes it.) */
static ALWAYS_INLINE void command_buffer_acts(struct command_buffer *command_buffer)
{
    if (command_buffer->first_instance == FIRST_INSTANCE_NONE)
        command_buffer->acted = true;
}

/* A command that may order operations on events is recorded. `command_buffer`: may be NULL. */
static ALWAYS_INLINE void command_buffer_orders(struct command_buffer *command_buffer)
{
    if (likely(command_buffer))
        command_buffer->orders++;
}

/* The state of a VkCommandBuffer that is not the call's first parameter; NULL when unknown. */
static inline struct command_buffer *find_command_buffer(VkCommandBuffer handle)
{
    return handle ? object_load_state(object_find_dispatchable(handle, HANDLE_COMMAND_BUFFER))
                  : NULL;
}

static inline struct command_buffer *command_buffer_by_id(uint64_t id)
{
    return object_load_state(object_find_id(id, HANDLE_COMMAND_BUFFER));
}

/* 0 to BIND_POINTS - 1; BIND_POINTS for bind points that are not tracked. */
static inline uint32_t bind_point_index(VkPipelineBindPoint point)
{
    return point == VK_PIPELINE_BIND_POINT_GRAPHICS                 ? 0
           : point == VK_PIPELINE_BIND_POINT_COMPUTE                ? 1
           : point == VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR        ? 2
           : point == VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI ? 3
           : point == VK_PIPELINE_BIND_POINT_DATA_GRAPH_ARM         ? 4
                                                                    : BIND_POINTS;
}

/* True if the recording executes the secondary of this id already. False where memory was out. */
bool command_buffer_has_executed(const struct command_buffer *primary, uint64_t secondary);

/* Grows when an object is destroyed that submitted work has used, or a descriptor set is updated
 * that it has. While it does not grow, what a submitted recording uses stays as it is. Relaxed: the
 * program orders such a call and a submission that would be wrong after it. */
extern HIDDEN _Atomic uint64_t uses_epoch;

/* Begins the list of a new command buffer. Nothing writes through these pointers. */
void use_list_begin(struct use_list *uses);
/* Forgets which objects, or sets, are in the list already. */
void use_list_forget_recent(struct use_list *uses);
void use_list_forget_drawn(struct use_list *uses);
void use_list_append(struct use_list *uses, uint64_t id, uint32_t version) COLD;

/* There is room. Atomic: another thread may look at the list at this moment (state/object/reach.c).
 * It was pending when that thread began, and has been recorded again meanwhile. So what that thread
 * makes of it is of work that is done, and does no harm. */
static ALWAYS_INLINE void use_list_put(struct use_list *uses, uint32_t at, uint64_t id,
                                       uint32_t version)
{
    uses->versions[at] = version;
    plain_store_relaxed(&uses->ids[at], id);
    plain_store_release(&uses->count, at + 1);
}

/* True if the object of this id is in the list already. False where that is not known. */
static ALWAYS_INLINE bool command_buffer_knows(const struct command_buffer *command_buffer,
                                               uint64_t id)
{
    return plain_load_acquire(&command_buffer->uses.recent)[object_index(id) % USE_RECENT] == id;
}

/* The list has room, and so a memory of its own: its capacity was loaded with acquire. */
static ALWAYS_INLINE void use_list_remember(struct use_list *uses, uint64_t id)
{
    plain_load_relaxed(&uses->recent)[object_index(id) % USE_RECENT] = id;
}

/* A recorded command uses the object (may be NULL: nothing happens). Hot: no lock, and no
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
    /* mem_grow() says why like this */
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
 * VK_NULL_HANDLE. An object that is in the list is not looked up again. */
static ALWAYS_INLINE void command_buffer_uses_handle(const struct call *call,
                                                     struct command_buffer *command_buffer,
                                                     uint64_t handle, enum handle_type type)
{
    bool known = command_buffer_knows(command_buffer, handle);
    if (likely(known && call->wraps && handle))
        return;
    command_buffer_uses(command_buffer, call_find(call, handle, type));
}

/* The set is remembered in `place`, below DRAWN_RECENT. */
void use_list_append_drawn(struct use_list *uses, struct drawn_set drawn, uint32_t place) COLD;
/* Forgets the last `count` of `drawn`: the command was refused. */
void use_list_shorten_drawn(struct use_list *uses, uint32_t count) COLD;

/* A recorded draw, dispatch or trace consumes descriptors of the set, which is bound to `number`.
 * Hot, as above. true: that is noted now. */
static ALWAYS_INLINE bool command_buffer_draws(struct command_buffer *command_buffer, uint64_t set,
                                               uint64_t pipeline, uint32_t number)
{
    const struct drawn_set drawn = {set, (pipeline & ~0xffull) | number};
    /* the sum: two pipelines that draws with one set use in turn mostly have two places */
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

/* The state of the call's command buffer, or NULL (unknown handle, another kind of call, or memory
 * was out): then nothing can be said. The same all through the call. */
static ALWAYS_INLINE struct command_buffer *call_command_buffer(const struct call *call)
{
    return call->command_buffer;
}

/* Gives the memory back, for other command buffers. */
void command_buffer_free(struct command_buffer *command_buffer);
/* Threads: chassis/fork.c. */
void command_buffer_fork(enum fork_step step);

#endif
