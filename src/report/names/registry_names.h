/* The registry's names of values, structures, members and parameters. Tables hold offsets in one
 * pool, which is compressed in the library and opened when the first of them is to be written. */
#ifndef ASSAY_REPORT_REGISTRY_NAMES_H
#define ASSAY_REPORT_REGISTRY_NAMES_H

#include "base/base.h"

/* The string at `offset` of the pool; "?" when there is no memory for it. Valid for the process's
 * life. Threads: any, without a lock. */
const char *registry_name(uint32_t offset);

/* True if names can be written. Where not, a number says more than "?". */
bool registry_names_known(void);

/* Generated. */
extern const uint32_t registry_names_length; /* opened */
extern const uint32_t registry_names_size;   /* compressed */
extern const unsigned char registry_names_blob[];

#endif
