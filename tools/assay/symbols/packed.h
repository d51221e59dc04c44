/* Makes a stream that writes into a page, compressed (zlib) and in base64. A browser's
 * DecompressionStream decompresses it. */
#ifndef ASSAY_TOOL_PACKED_H
#define ASSAY_TOOL_PACKED_H

#include <stdio.h>

/* Opens such a stream; NULL: memory is out. To close it writes the rest, and leaves `page` open. */
FILE *packed_open(FILE *page);

#endif
