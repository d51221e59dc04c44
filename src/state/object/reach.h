/* Recorded commands reach more than the objects that they name. They reach what those depend on
 * (the image of a view, the memory of an image). They also reach what the descriptors refer to that
 * their draws, dispatches and traces consume.
 *
 * Nothing is kept of that when objects are made. When commands are recorded, only which set is
 * drawn with which pipeline is noted. It is looked up when it is needed. That is at a submit after
 * something was destroyed that others may depend on (descriptor_epoch). It is also at the
 * destruction of an object while work is pending that was not explored yet. */
#ifndef ASSAY_STATE_REACH_H
#define ASSAY_STATE_REACH_H

#include "state/command/command_buffer.h"
#include "state/descriptor/descriptor.h"
#include "state/submit/queue.h"

/* The longest is: set, view, buffer or image, memory. */
#define REACH_DEPTH 6

/* From the object that a command names, or the set that it has bound, to the one in question. */
struct reach_chain {
    uint32_t count;
    uint32_t binding; /* of the set that the chain begins with */
    uint64_t ids[REACH_DEPTH];
};

/* True if something is gone that the object of this id depends on. The first that is, with what
 * leads to it. */
bool reach_find_gone(uint64_t id, struct reach_chain *chain);

/* Gives the ids of objects that the object of this id depends on, the nearest first. Returns how
 * many there are: REACH_DEPTH at most, and no more planes of an image than there is room for. */
uint32_t reach_dependencies(uint64_t id, uint64_t ids[REACH_DEPTH]);

/* True if an object is gone that the commands reach, without naming it. */
bool command_buffer_find_gone(const struct command_buffer *command_buffer,
                              struct reach_chain *chain);

/* True if the commands, or the commands of executed secondaries, name or reach the object. */
bool command_buffer_find_use(const struct command_buffer *command_buffer, uint64_t id,
                             struct reach_chain *chain);

/* --- pending work --- */

/* Counts command buffers that were submitted while it was unknown what they reach.
 * device_state::explored: the count up to which a device has explored them. */
extern HIDDEN _Atomic uint64_t reach_added;

void reach_add_unexplored(struct command_buffer *command_buffer) COLD;
/* Stamps what this device's pending work reaches, so that object_in_use() knows. Threads: any; a
 * lock is held meanwhile. */
void reach_explore(const struct device *device) COLD;

/* Notes that the command buffer is submitted: what it reaches is explored when a call has to know.
 * Called after the command buffer was stamped. */
static ALWAYS_INLINE void reach_submit(struct command_buffer *command_buffer)
{
    if (unlikely(!atomic_load_explicit(&command_buffer->unexplored, memory_order_relaxed)))
        reach_add_unexplored(command_buffer);
}

/* Called before object_in_use() of an object that others may lead to. */
static ALWAYS_INLINE void reach_prepare(const struct device *device)
{
    const struct device_state *state = object_load_state(device->object);
    if (unlikely(state && atomic_load_explicit(&state->explored, memory_order_acquire) !=
                              atomic_load_explicit(&reach_added, memory_order_relaxed)))
        reach_explore(device);
}

/* --- command buffers that are submitted again --- */

/* Objects keep the stamp of the first submission of a recording that uses them. Later ones of the
 * same recording only stamp the command buffer, and stand in a list. The first call that asks
 * whether an object is in use stamps what the command buffers of the list use. Command buffers with
 * events, queries or secondaries are left out, as other things follow from their submission. */

void reach_add_unstamped(struct command_buffer *command_buffer) COLD;
/* Stamps the objects that command buffers use which were submitted again, of all devices. Threads:
 * any; a lock is held meanwhile. */
void reach_stamp(void) COLD;

/* The command buffer, which has its stamp, was submitted again. Either the exchange finds that it
 * is not in the list. Or it comes before that of reach_stamp() in the order of the flag's changes:
 * that thread then finds the command buffer's new stamp. */
static ALWAYS_INLINE void reach_stamp_later(struct command_buffer *command_buffer)
{
    if (unlikely(!atomic_exchange_explicit(&command_buffer->unstamped, true, memory_order_acq_rel)))
        reach_add_unstamped(command_buffer);
}

/* Threads: chassis/fork.c. */
void reach_fork(enum fork_step step);

#endif
