/* Names the fence or semaphore that would show the program that submitted work is done, for
 * findings about objects in use. */
#ifndef ASSAY_STATE_WORK_END_H
#define ASSAY_STATE_WORK_END_H

#include "state/submit/queue.h"

struct work_end {
    /* HANDLE_FENCE, HANDLE_SEMAPHORE (a timeline), or HANDLE_NONE: nothing but the queue's end */
    enum handle_type type;
    uint64_t handle; /* as the program sees it */
    uint64_t value;  /* that the semaphore has then */
};

/* Finds what is signaled first once the submission of this stamp, which is not known to be done, is
 * done. Looks at all objects of the device. HANDLE_NONE also for the stamp of a join, which is of
 * several queues. Threads: any. */
struct work_end work_end_find(const struct device *device, uint64_t stamp) COLD;

#endif
