/* Scenarios of dumps share a listener to them, and what was last dumped. */
#ifndef ASSAY_SCENARIOS_DUMP_WORLD_H
#define ASSAY_SCENARIOS_DUMP_WORLD_H

#include "scenario.h"

#include "objects.h"

/* A messenger for ASSAY-GpuDump. */
void dump_listen(struct baseline *b);
/* How many were delivered so far, and the last one's text; "" before. */
unsigned dump_count(void);
const char *dump_text(void);
/* The last one has this. */
void dump_expect(const char *text);

void dump_name(struct baseline *b, VkObjectType type, uint64_t handle, const char *name);

#endif
