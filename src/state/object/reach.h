/* Recorded commands reach more objects than they name. They also reach the objects on which those
 * depend (the image of a view, the memory of an image). And they reach the objects in descriptors
 * that their draws, dispatches and traces consume.
 *
 * None of that is stored when objects are created. Recording only notes which set is drawn with
 * which pipeline, and the rest is found when it is needed. One case is a submit after an object was
 * destroyed on which others may depend (descriptor_epoch). The other is the destruction of an
 * object while there is pending work that was not explored yet. */
#ifndef ASSAY_STATE_REACH_H
#define ASSAY_STATE_REACH_H

#include "state/command/command_buffer.h"
#include "state/descriptor/descriptor.h"
#include "state/submit/queue.h"

/* The longest chain has: set, view, buffer or image, memory. */
#define REACH_DEPTH 6

/* The chain from the object that a command names, or the set that it has bound, to the object in
 * question. */
struct reach_chain {
    uint32_t count;
    uint32_t binding; /* binding of the set with which the chain begins */
    uint64_t ids[REACH_DEPTH];
};

/* True if an object on which the object with this id depends was destroyed. `chain`: leads to the
 * first one found. */
bool reach_find_gone(uint64_t id, struct reach_chain *chain);

/* Writes the ids of objects on which the object with this id depends, the nearest first. Returns
 * their number, at most REACH_DEPTH; planes of an image that do not fit are left out. */
uint32_t reach_dependencies(uint64_t id, uint64_t ids[REACH_DEPTH]);

/* True if an object was destroyed that the commands reach, but do not name. */
bool command_buffer_find_gone(const struct command_buffer *command_buffer,
                              struct reach_chain *chain);

/* True if the commands, or the commands of executed secondaries, name or reach the object. */
bool command_buffer_find_use(const struct command_buffer *command_buffer, uint64_t id,
                             struct reach_chain *chain);

/* --- pending work --- */

/* Counts command buffers that were submitted before it was known what they reach.
 * device_state::explored is the count up to which a device has explored them. */
extern HIDDEN _Atomic uint64_t reach_added;

void reach_add_unexplored(struct command_buffer *command_buffer) COLD;
/* Stamps the objects that this device's pending work reaches, for object_in_use(). Threads: any;
 * holds a lock. */
void reach_explore(const struct device *device) COLD;

/* Notes that the command buffer is submitted. The objects that it reaches are explored when a call
 * needs that. Called after the command buffer was stamped. */
static ALWAYS_INLINE void reach_submit(struct command_buffer *command_buffer)
{
    if (unlikely(!atomic_load_explicit(&command_buffer->unexplored, memory_order_relaxed)))
        reach_add_unexplored(command_buffer);
}

/* Called before object_in_use(), for an object that may be reached through others. */
static ALWAYS_INLINE void reach_prepare(const struct device *device)
{
    const struct device_state *state = object_load_state(device->object);
    if (unlikely(state && atomic_load_explicit(&state->explored, memory_order_acquire) !=
                              atomic_load_explicit(&reach_added, memory_order_relaxed)))
        reach_explore(device);
}

/* --- command buffers that are submitted again --- */

/* Objects keep the stamp of the first submission of a recording that uses them. Later submissions
 * of the same recording only stamp the command buffer, and add it to a list. The first call that
 * needs to know whether an object is in use stamps the objects of the command buffers in the list.
 * Command buffers with events, queries or secondaries are not handled so, as their submission has
 * other effects. */

void reach_add_unstamped(struct command_buffer *command_buffer) COLD;
/* Stamps the objects of command buffers that were submitted again, for all devices. Threads: any;
 * holds a lock. */
void reach_stamp(void) COLD;

/* Notes that a command buffer that already has its new stamp was submitted again. If the exchange
 * finds that it is not in the list, it is added. Otherwise the exchange is before that of
 * reach_stamp() in the order of the flag's changes, and that thread sees the new stamp. */
static ALWAYS_INLINE void reach_stamp_later(struct command_buffer *command_buffer)
{
    if (unlikely(!atomic_exchange_explicit(&command_buffer->unstamped, true, memory_order_acq_rel)))
        reach_add_unstamped(command_buffer);
}

/* Threads: chassis/fork.c. */
void reach_fork(enum fork_step step);

#endif
