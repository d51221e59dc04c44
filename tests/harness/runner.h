/* The harness's files share this beside scenario.h. */
#ifndef ASSAY_HARNESS_RUNNER_H
#define ASSAY_HARNESS_RUNNER_H

#include "scenario.h"

/* The one layer that `--below` names, and part of its library's name. */
#define BELOW_LAYER   "VK_LAYER_KHRONOS_validation"
#define BELOW_LIBRARY "VkLayer_khronos_validation"

/* The status of a scenario that is skipped, and of the program if one was and none failed. */
#define EXIT_SKIPPED 77

/* Tells the parent process about a finding at once, so that it knows it even when the scenario
 * crashes. */
void runner_note_finding(const char *id);

/* world.c: what stands around a scenario. Any failure ends the process. */
void world_create(struct baseline *b);  /* instance, messenger, device, as scenario->start says */
void world_destroy(struct baseline *b); /* cleanups, device, messenger, instance */

#endif
