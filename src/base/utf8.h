/* Handles characters of text that a program, a file or another layer wrote. It is displayed to a
 * person, whose terminal obeys control characters. Threads: any; nothing is kept. */
#ifndef ASSAY_BASE_UTF8_H
#define ASSAY_BASE_UTF8_H

#include "base/base.h"

/* The number of bytes of the well-formed UTF-8 sequence with which `text` begins (Unicode 15, table
 * 3-7); 0: it does not begin with one. `text` is terminated. */
size_t utf8_length(const char *text);

/* True if it begins with a character that terminals obey instead of displaying: U+0000 to U+001F,
 * U+007F, and U+0080 to U+009F, which are escape sequences of one character. */
static inline bool utf8_is_control(const char *text)
{
    const unsigned char first = (unsigned char)text[0];
    return first < 0x20 || first == 0x7f ||
           (first == 0xc2 && ((unsigned char)text[1] & 0xe0) == 0x80);
}

#define UTF8_REPLACEMENT "\xef\xbf\xbd" /* U+FFFD, which replaces a byte that is not UTF-8 */

#endif
