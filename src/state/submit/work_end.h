/* Finds the fence or semaphore that would show the program that submitted work has completed, for
 * findings about objects in use. */
#ifndef ASSAY_STATE_WORK_END_H
#define ASSAY_STATE_WORK_END_H

#include "state/submit/queue.h"

struct work_end {
    /* HANDLE_FENCE, HANDLE_SEMAPHORE (a timeline), or HANDLE_NONE: only the queue shows it */
    enum handle_type type;
    uint64_t handle; /* as the program sees it */
    uint64_t value;  /* value that the semaphore then has */
};

/* Finds the object that is signaled first after the pending submission with this stamp has
 * completed. It searches all objects of the device. HANDLE_NONE also for the stamp of a join, which
 * is of several queues. Threads: any. */
struct work_end work_end_find(const struct device *device, uint64_t stamp) COLD;

#endif
