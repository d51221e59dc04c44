/* Gives the registry's names of values, structures, members and parameters. Tables have offsets in
 * one pool of strings. The library contains the pool compressed; it is decompressed when the first
 * name is written. */
#ifndef ASSAY_REPORT_REGISTRY_NAMES_H
#define ASSAY_REPORT_REGISTRY_NAMES_H

#include "base/base.h"

/* Returns the string at `offset` in the pool, which stays valid; "?" if memory is out. Threads:
 * any, without a lock. */
const char *registry_name(uint32_t offset);

/* True if the pool can be decompressed. If not, a caller writes numbers, which say more than
 * "?". */
bool registry_names_known(void);

/* Generated. */
extern const uint32_t registry_names_length; /* bytes of the pool, decompressed */
extern const uint32_t registry_names_size;   /* bytes of registry_names_blob */
extern const unsigned char registry_names_blob[];

#endif
