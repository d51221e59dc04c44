/* Checks that two threads do not use an object at once that the program must synchronise
 * ("externally synchronized", 3.6 "Threading Behavior"). The uses are generated
 * (registry/rooms/threads) from every externsync of the registry; mark.h describes how conflicts
 * are found. Threads: any; the validator is const. */
#ifndef ASSAY_THREADS_THREADS_H
#define ASSAY_THREADS_THREADS_H

#include "objects/validator.h"

extern const struct validator threads_validator; /* generated: commands.c */

/* True if the setting thread_safety is on. */
bool threads_enabled(const struct settings *settings);

#endif
