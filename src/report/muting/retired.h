/* Keeps the names of destroyed objects, since findings may still mention these. The last
 * RETIRED_LIMIT objects that had a name are kept; objects without a name cost nothing. */
#ifndef ASSAY_REPORT_RETIRED_H
#define ASSAY_REPORT_RETIRED_H

#include "base/lock.h"
#include "vk/handle_types.h"

/* objects, 40 KB; a use of a destroyed object mostly follows soon after its end */
#define RETIRED_LIMIT 1024

struct retired_object {
    uint64_t handle; /* as the program saw it */
    enum handle_type type;
    char *name; /* owned by the ring, or by the caller that found it */
    /* return address of the call that destroyed it; NULL when that is not known */
    const void *destroyer;
};

/* A ring: the newest object takes the place of the oldest. Threads: any; the lock is its own. */
struct retired_ring {
    struct lock lock;
    struct retired_object *objects GUARDED_BY(lock); /* owned; NULL until the first one */
    /* objects that were added so far; the ring has the last RETIRED_LIMIT of them */
    uint64_t count GUARDED_BY(lock);
};

void retired_init(struct retired_ring *ring);
void retired_free(struct retired_ring *ring);
/* Called in the child of a fork: forgets everything if another thread was changing the ring at that
 * moment. Threads: no others exist. */
void retired_fork_child(struct retired_ring *ring);
/* Adds an object, and takes `name` over. If memory is out, the name is freed at once. */
void retired_add(struct retired_ring *ring, uint64_t handle, enum handle_type type, char *name,
                 const void *destroyer);
/* Finds the newest object of this handle and type; its name is a copy that the caller frees.
 * Returns false if there is none. */
bool retired_find(struct retired_ring *ring, uint64_t handle, enum handle_type type,
                  struct retired_object *found) MUST_CHECK;

#endif
