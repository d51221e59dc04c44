/* Finds the ends of UTF-8 characters. */
#include "base/utf8.h"

size_t utf8_length(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    if (s[0] < 0x80)
        return 1;
    /* Bounds of the second byte: they exclude overlong forms, surrogates, and code points above
     * U+10FFFF (Unicode, table 3-7). */
    unsigned char low = 0x80, high = 0xbf;
    size_t length;
    if (s[0] >= 0xc2 && s[0] <= 0xdf) {
        length = 2;
    } else if (s[0] >= 0xe0 && s[0] <= 0xef) {
        length = 3;
        low = s[0] == 0xe0 ? 0xa0 : 0x80;
        high = s[0] == 0xed ? 0x9f : 0xbf;
    } else if (s[0] >= 0xf0 && s[0] <= 0xf4) {
        length = 4;
        low = s[0] == 0xf0 ? 0x90 : 0x80;
        high = s[0] == 0xf4 ? 0x8f : 0xbf;
    } else {
        return 0;
    }
    if (s[1] < low || s[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++) {
        if (s[i] < 0x80 || s[i] > 0xbf)
            return 0;
    }
    return length;
}
