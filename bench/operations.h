/* The operations that the bench measures: each a loop over calls that a program makes often. */
#ifndef BENCH_OPERATIONS_H
#define BENCH_OPERATIONS_H

#include "context.h"

struct operation {
    const char *name;
    const char *what; /* the calls of one operation, for the reader */
    bool needs_queue; /* skipped on a thread that has no queue of its own */
    bool records;     /* RECORDED at a time into a command buffer */
    void (*run)(struct worker *worker, uint64_t count);
};

extern const struct operation operations[];
extern const uint32_t operation_count;

/* NULL when there is none of that name. */
const struct operation *operation_find(const char *name);

/* The parts of churn_commands: a command buffer of the pool, and one copy recorded into it. */
VkCommandBuffer small_commands_allocate(struct worker *worker, VkCommandPool pool);
void small_commands_record(struct worker *worker, VkCommandBuffer commands);

#endif
