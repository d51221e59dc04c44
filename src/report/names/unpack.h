/* Opens what the library has compressed. */
#ifndef ASSAY_REPORT_UNPACK_H
#define ASSAY_REPORT_UNPACK_H

#include "base/base.h"

/* Opens a frame of libzstd, which must be just `length` bytes long; false when memory is out.
 * Threads: any. */
bool unpack(char *text, size_t length, const unsigned char *packed, size_t size);

/* The same with static memory, for when memory is out. False: libzstd needs more than that.
 * Threads: one at a time; the lock of the caller. */
bool unpack_without_memory(char *text, size_t length, const unsigned char *packed, size_t size);

#endif
