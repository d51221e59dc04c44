/* Keeps the names that objects had before they were destroyed. They are those of the last objects
 * with a name that a finding may still be about. Only objects with a name come here; those without
 * cost nothing. */
#ifndef ASSAY_REPORT_RETIRED_H
#define ASSAY_REPORT_RETIRED_H

#include "base/lock.h"
#include "vk/handle_types.h"

/* 40 KB; a use after the end follows soon, or the name is the least of the worries */
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
    uint64_t count GUARDED_BY(lock);                 /* that ever came */
};

void retired_init(struct retired_ring *ring);
void retired_free(struct retired_ring *ring);
/* Called in the child of a fork: forgets everything if another thread was changing the ring at that
 * moment. Threads: no others exist. */
void retired_fork_child(struct retired_ring *ring);
/* Takes `name` over. Out of memory: it is forgotten at once. */
void retired_add(struct retired_ring *ring, uint64_t handle, enum handle_type type, char *name,
                 const void *destroyer);
/* The newest one of this handle and type; its name is a copy that the caller frees. False when
 * there is none. */
bool retired_find(struct retired_ring *ring, uint64_t handle, enum handle_type type,
                  struct retired_object *found) MUST_CHECK;

#endif
