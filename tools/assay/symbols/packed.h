/* A stream into a page: what is written to it stands there compressed (zlib) in base64, which a
 * browser's DecompressionStream undoes. */
#ifndef ASSAY_TOOL_PACKED_H
#define ASSAY_TOOL_PACKED_H

#include <stdio.h>

/* NULL: memory is out. Closing it writes what is left, and leaves `page` open. */
FILE *packed_open(FILE *page);

#endif
