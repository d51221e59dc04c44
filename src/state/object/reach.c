/* Finds the objects that recorded commands reach without naming them. */
#include "state/object/reach.h"

#include "base/lock.h"
#include "base/plain_atomic.h"
#include "objects/device.h"
#include "spirv/module/reflect.h"
#include "state/raytracing/acceleration_structure.h"
#include "state/memory/buffer.h"
#include "state/descriptor/descriptor_access.h"
#include "state/memory/image.h"
#include "state/pipeline/pipeline.h"
#include "state/submit/queue.h"
#include "state/pipeline/shader.h"

/* The most levels of secondaries that execute secondaries. Deeper ones are left out, so that a
 * circle in a wrong program ends. */
#define NESTING_MOST 8

/* An object on the way through dependencies. It is on the stack. */
struct reached {
    const struct reached *by; /* previous object; NULL: a command names this one */
    uint64_t id;              /* of the object */
    uint32_t binding;         /* binding, if `by` is a set */
};

/* Called for each object that is reached. Returns true to stop. */
typedef bool (*visit_function)(const struct reached *reached, void *context);

/* A walk through the objects that a command buffer needs. */
struct walk {
    visit_function visit; /* true ends the walk */
    void *context;
};

static bool walk_dependencies(const struct walk *walk, const struct reached *reached);

/* Visits an object and its dependencies. True: the visitor ends the walk. Id 0 is not an object. */
static bool step_to(const struct walk *walk, const struct reached *by, uint64_t id,
                    uint32_t binding)
{
    const struct reached reached = {by, id, binding};
    return id && (walk->visit(&reached, walk->context) || walk_dependencies(walk, &reached));
}

/* Walks to the memory of each plane of an image. */
static bool memory_of_image(const struct walk *walk, const struct reached *reached)
{
    const struct image *image = image_by_id(reached->id);
    for (uint32_t i = 0; image && i < IMAGE_PLANES; i++) {
        if (step_to(walk, reached, image->binding[i].memory, 0))
            return true;
    }
    return false;
}

/* Walks to the dependencies of an object. The recursion ends, as memory has no dependencies. */
static bool walk_dependencies(const struct walk *walk, const struct reached *reached)
{
    switch (object_id_type(reached->id)) {
    case HANDLE_BUFFER: {
        const struct buffer *buffer = buffer_by_id(reached->id);
        return buffer && step_to(walk, reached, buffer->binding.memory, 0);
    }
    case HANDLE_IMAGE:
        return memory_of_image(walk, reached);
    case HANDLE_IMAGE_VIEW: {
        const struct image_view *view = image_view_by_id(reached->id);
        return view && step_to(walk, reached, view->image, 0);
    }
    case HANDLE_BUFFER_VIEW: {
        const struct buffer_view *view = buffer_view_by_id(reached->id);
        return view && step_to(walk, reached, view->buffer, 0);
    }
    case HANDLE_ACCELERATION_STRUCTURE_KHR: {
        const struct acceleration_structure *structure = acceleration_structure_by_id(reached->id);
        return structure && step_to(walk, reached, structure->buffer, 0);
    }
    case HANDLE_ACCELERATION_STRUCTURE_NV: {
        const struct acceleration_structure_nv *structure =
            acceleration_structure_nv_by_id(reached->id);
        return structure && step_to(walk, reached, structure->memory, 0);
    }
    default:
        return false;
    }
}

/* --- descriptors --- */

/* Walks to the resource of a descriptor, and to its sampler. Immutable samplers are left out, as
 * the layout keeps them. */
static bool walk_descriptor(const struct walk *walk, const struct reached *set,
                            const struct descriptor_set *state,
                            const struct descriptor_binding *binding, uint32_t element)
{
    struct descriptor d = descriptor_load(&state->descriptors[binding->first + element]);
    enum descriptor_tag tag = (enum descriptor_tag)d.tag;
    bool has_sampler = tag == DESCRIPTOR_SAMPLER || tag == DESCRIPTOR_COMBINED_IMAGE_SAMPLER;
    if (step_to(walk, set, descriptor_target(d), binding->binding))
        return true;
    return has_sampler && !binding->immutable_samplers &&
           step_to(walk, set, descriptor_sampler_id(state->layout, binding, element, d),
                   binding->binding);
}

/* Walks to the descriptors that one shader consumes of the set that is bound to `number`. */
static bool walk_shader(const struct walk *walk, const struct reached *set,
                        const struct descriptor_set *state, uint32_t number,
                        const struct spirv_reflection *code, uint32_t entry_point)
{
    assert(set && state);
    if (!code || entry_point >= code->entry_count)
        return false;
    const struct spirv_entry_point *entry = &code->entries[entry_point];
    for (uint32_t i = 0; i < entry->binding_count; i++) {
        const struct spirv_binding *shader = &code->bindings[entry->first_binding + i];
        const struct descriptor_binding *binding =
            shader->set == number ? descriptor_layout_find(state->layout, shader->binding) : NULL;
        if (!binding)
            continue;
        /* 1 if a single element is consumed, otherwise a bit for each of the first 64. */
        for (uint64_t elements = descriptor_is_consumed(binding, shader)
                                     ? 1
                                     : descriptor_elements_consumed(binding, shader);
             elements; elements &= elements - 1) {
            const uint32_t element = (uint32_t)__builtin_ctzll(elements);
            if (binding->first + element < state->descriptor_count &&
                walk_descriptor(walk, set, state, binding, element))
                return true;
        }
    }
    return false;
}

/* Walks to the descriptors that a draw, dispatch or trace consumed of a set, with a pipeline or
 * with one of its shader objects. */
static bool walk_drawn(const struct walk *walk, const struct drawn_set *drawn)
{
    const struct reached set = {.id = plain_load_relaxed(&drawn->set)};
    const uint64_t with = plain_load_relaxed(&drawn->with);
    const struct descriptor_set *state = descriptor_set_by_id(set.id);
    /* `with` is an id with its type byte replaced by the number of the set. */
    const struct pipeline *pipeline = pipeline_by_id((with & ~0xffull) | HANDLE_PIPELINE);
    const struct shader_object *object =
        pipeline ? NULL : shader_object_by_id((with & ~0xffull) | HANDLE_SHADER_EXT);
    if (state && object && object->shader)
        return walk_shader(walk, &set, state, with & 0xff, object->shader->reflection,
                           object->entry_point);
    for (uint32_t i = 0; state && pipeline && i < pipeline->stage_count; i++) {
        const struct pipeline_stage *stage = &pipeline->stage[i];
        if (stage->shader && walk_shader(walk, &set, state, with & 0xff, stage->shader->reflection,
                                         stage->entry_point))
            return true;
    }
    return false;
}

/* --- command buffers --- */

/* Walks to everything that a command buffer reaches.
 * `named`: also visits the objects that commands name. `nesting`: levels of secondaries to walk
 * through.
 * Another thread may be recording the command buffer again (use_list_put()), so counts are loaded
 * before arrays, which only grow. */
static bool walk_command_buffer(const struct walk *walk,
                                const struct command_buffer *command_buffer, bool named,
                                uint32_t nesting)
{
    const struct use_list *uses = &command_buffer->uses;
    const uint32_t count = plain_load_acquire(&uses->count);
    const uint64_t *ids = plain_load_acquire(&uses->ids);
    for (uint32_t i = 0; i < count; i++) {
        const struct reached root = {.id = plain_load_relaxed(&ids[i])};
        if ((named && walk->visit(&root, walk->context)) || walk_dependencies(walk, &root))
            return true;
        const struct command_buffer *secondary =
            nesting && object_id_type(root.id) == HANDLE_COMMAND_BUFFER
                ? command_buffer_by_id(root.id)
                : NULL;
        if (secondary && walk_command_buffer(walk, secondary, named, nesting - 1))
            return true;
    }
    /* Sets are noted with the pipeline that was used; their descriptors are read here. */
    const uint32_t drawn_count = plain_load_acquire(&uses->drawn_count);
    const struct drawn_set *drawn = plain_load_acquire(&uses->drawn);
    for (uint32_t i = 0; i < drawn_count; i++) {
        if (walk_drawn(walk, &drawn[i]))
            return true;
    }
    return false;
}

/* Stores the chain to the last object, beginning with the first one, and the binding at which it
 * left the descriptor set. */
static void keep_chain(const struct reached *last, struct reach_chain *chain)
{
    assert(last && chain);
    uint32_t count = 0;
    for (const struct reached *reached = last; reached && count < REACH_DEPTH;
         reached = reached->by)
        count++;
    chain->count = count;
    for (const struct reached *reached = last; count; reached = reached->by) {
        chain->ids[--count] = reached->id;
        if (count == 1)
            chain->binding = reached->binding;
    }
}

/* Ends the walk at a destroyed object. `context`: the struct reach_chain that stores the way
 * there. */
static bool visit_gone(const struct reached *reached, void *context)
{
    if (likely(object_find_id(reached->id, object_id_type(reached->id))))
        return false;
    keep_chain(reached, context);
    return true;
}

bool reach_find_gone(uint64_t id, struct reach_chain *chain)
{
    assert(chain);
    const struct reached root = {.id = id};
    return walk_dependencies(&(struct walk){visit_gone, chain}, &root);
}

/* The context of a visitor that collects ids. */
struct collecting {
    uint32_t count;
    uint64_t *ids; /* room for REACH_DEPTH ids; the caller owns it */
};

/* Collects up to REACH_DEPTH ids. `context`: struct collecting. */
static bool visit_collect(const struct reached *reached, void *context)
{
    struct collecting *collecting = context;
    if (collecting->count < REACH_DEPTH)
        collecting->ids[collecting->count++] = reached->id;
    return false;
}

uint32_t reach_dependencies(uint64_t id, uint64_t ids[REACH_DEPTH])
{
    assert(id && ids);
    struct collecting collecting = {0, ids};
    const struct reached root = {.id = id};
    walk_dependencies(&(struct walk){visit_collect, &collecting}, &root);
    return collecting.count;
}

bool command_buffer_find_gone(const struct command_buffer *command_buffer,
                              struct reach_chain *chain)
{
    assert(command_buffer && chain);
    return walk_command_buffer(&(struct walk){visit_gone, chain}, command_buffer, false, 0);
}

/* The context of a visitor that searches for an object. */
struct wanted {
    uint64_t id;
    struct reach_chain *chain; /* stores the way to it */
};

/* Ends the walk at the object that is searched for. `context`: struct wanted. */
static bool visit_wanted(const struct reached *reached, void *context)
{
    const struct wanted *wanted = context;
    if (reached->id != wanted->id)
        return false;
    keep_chain(reached, wanted->chain);
    return true;
}

/* True if a command names the object. */
static bool is_named(const struct command_buffer *command_buffer, uint64_t id)
{
    for (uint32_t i = 0; i < command_buffer->uses.count; i++) {
        if (command_buffer->uses.ids[i] == id)
            return true;
    }
    return false;
}

bool command_buffer_find_use(const struct command_buffer *command_buffer, uint64_t id,
                             struct reach_chain *chain)
{
    assert(command_buffer && id && chain);
    struct wanted wanted = {id, chain};
    if (is_named(command_buffer, id)) {
        *chain = (struct reach_chain){.count = 1, .ids = {id}};
        return true;
    }
    return walk_command_buffer(&(struct walk){visit_wanted, &wanted}, command_buffer, true,
                               NESTING_MOST);
}

/* --- pending work --- */

_Atomic uint64_t reach_added;
static struct lock lock = LOCK_INITIALIZER;
/* Command buffers whose uses are not explored yet. Their memory is only ever used for command
 * buffers (state/command/command_buffer.c). A freed command buffer stays in the list until that is
 * explored. */
static struct command_buffer *unexplored GUARDED_BY(lock);

void reach_add_unexplored(struct command_buffer *command_buffer)
{
    assert(command_buffer);
    lock_take(&lock);
    if (!atomic_exchange_explicit(&command_buffer->unexplored, true, memory_order_relaxed)) {
        command_buffer->next_unexplored = unexplored;
        unexplored = command_buffer;
        atomic_fetch_add_explicit(&reach_added, 1, memory_order_relaxed);
    }
    lock_release(&lock);
}

/* The context of a visitor that stamps everything which a submission needs. */
struct stamping {
    const struct device *device;
    uint64_t stamp;
};

/* Stamps an object. Later work may have stamped the object already: of two stamps of one queue the
 * later one counts. */
static bool visit_stamp(const struct reached *reached, void *context)
{
    assert(((const struct stamping *)context)->stamp);
    const struct stamping *stamping = context;
    struct object_state *state = object_state_by_id(reached->id, object_id_type(reached->id));
    if (!state)
        return false;
    uint64_t before = atomic_load_explicit(&state->last_use, memory_order_relaxed),
             now = stamping->stamp;
    /* The upper eight bits are the queue's number. */
    bool plain = !((before ^ now) >> 56) && now >> 56 != QUEUE_OF_JOINS;
    if (plain && before >= now)
        return false;
    if (!plain && before)
        /* Two queues use the object: a join represents both stamps. */
        now = stamp_join(stamping->device, before, now);
    atomic_store_explicit(&state->last_use, now, memory_order_relaxed);
    return false;
}

/* Stamps everything that a pending command buffer needs, so that it counts as in use. */
static void reach_explore_all(const struct device *device,
                              const struct command_buffer *command_buffer)
{
    struct stamping stamping = {
        device, atomic_load_explicit(&command_buffer->base.last_use, memory_order_relaxed)};
    if (stamping.stamp && stamp_pending(device, stamping.stamp))
        walk_command_buffer(&(struct walk){visit_stamp, &stamping}, command_buffer, false,
                            NESTING_MOST);
}

void reach_explore(const struct device *device)
{
    struct command_buffer *others = NULL;
    struct device_state *state = object_load_state(device->object);
    lock_take(&lock);
    for (struct command_buffer *next, *at = unexplored; at; at = next) {
        next = at->next_unexplored;
        const struct object *object = at->base.object;
        bool alive = object && object_load_state(object) == at;
        if (alive && object->owner != device->owner) {
            at->next_unexplored = others;
            others = at;
            continue;
        }
        atomic_store_explicit(&at->unexplored, false, memory_order_relaxed);
        if (alive)
            reach_explore_all(device, at);
    }
    unexplored = others;
    /* Release: a thread that sees this count also sees the stamps. */
    if (state)
        atomic_store_explicit(&state->explored,
                              atomic_load_explicit(&reach_added, memory_order_relaxed),
                              memory_order_release);
    lock_release(&lock);
}

/* --- command buffers that are submitted again --- */

/* Command buffers that were submitted again, linked like `unexplored`. */
static struct command_buffer *unstamped GUARDED_BY(lock);
/* Their number. Relaxed: a program orders a call that depends on it after the submission. */
static _Atomic uint32_t unstamped_count;

void reach_add_unstamped(struct command_buffer *command_buffer)
{
    assert(command_buffer);
    lock_take(&lock);
    command_buffer->next_unstamped = unstamped;
    unstamped = command_buffer;
    atomic_fetch_add_explicit(&unstamped_count, 1, memory_order_relaxed);
    lock_release(&lock);
}

/* Stamps the objects that a command buffer uses. Another thread may be recording it again: see
 * walk_command_buffer(). */
static void stamp_again(const struct device *device, const struct command_buffer *command_buffer)
{
    struct stamping stamping = {
        device, atomic_load_explicit(&command_buffer->base.last_use, memory_order_relaxed)};
    const struct use_list *uses = &command_buffer->uses;
    const uint32_t count = plain_load_acquire(&uses->count);
    const uint64_t *ids = plain_load_acquire(&uses->ids);
    if (!stamping.stamp || !stamp_pending(device, stamping.stamp))
        return;
    for (uint32_t i = 0; i < count; i++)
        visit_stamp(&(struct reached){.id = plain_load_relaxed(&ids[i])}, &stamping);
}

void reach_stamp(void)
{
    lock_take(&lock);
    for (struct command_buffer *next, *at = unstamped; at; at = next) {
        next = at->next_unstamped;
        atomic_fetch_sub_explicit(&unstamped_count, 1, memory_order_relaxed);
        /* This comes before its objects are stamped: a submission from here on adds it to the list
         * again. */
        (void)atomic_exchange_explicit(&at->unstamped, false, memory_order_acq_rel);
        const struct object *object = at->base.object;
        const struct device *device =
            object && object_load_state(object) == at ? device_of(object) : NULL;
        if (device)
            stamp_again(device, at);
    }
    unstamped = NULL;
    lock_release(&lock);
}

/* True for types that no command of a command buffer names: submissions stamp them directly. */
static bool is_stamped_at_once(enum handle_type type)
{
    return type == HANDLE_COMMAND_BUFFER || type == HANDLE_FENCE || type == HANDLE_SEMAPHORE ||
           type == HANDLE_SWAPCHAIN_KHR;
}

struct queue *used_object_in_use(const struct device *device, const struct object_state *state)
{
    if (unlikely(atomic_load_explicit(&unstamped_count, memory_order_relaxed)) &&
        !is_stamped_at_once(object_type(state->object)))
        reach_stamp();
    return stamp_in_use(device, atomic_load_explicit(&state->last_use, memory_order_relaxed));
}

void reach_fork(enum fork_step step)
{
    lock_fork(&lock, step);
}
