/* Decompresses the tables that the library contains compressed. */
#ifndef ASSAY_REPORT_UNPACK_H
#define ASSAY_REPORT_UNPACK_H

#include "base/base.h"

/* Decompresses a frame of libzstd, whose content must have exactly `length` bytes. Returns false if
 * memory is out. Threads: any. */
bool unpack(char *text, size_t length, const unsigned char *packed, size_t size);

/* The same with static memory, for use when memory is out. Returns false if that memory is not
 * enough for libzstd. Threads: one at a time; the caller holds a lock of its own. */
bool unpack_without_memory(char *text, size_t length, const unsigned char *packed, size_t size);

#endif
