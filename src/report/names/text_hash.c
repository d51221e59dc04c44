/* Hashes texts without their numbers. */
#include "report/names/text_hash.h"

#include <string.h>

uint64_t text_hash_word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
    return hash ^ hash >> 29;
}

/* Returns the length of the number at the beginning of the text; 0: there is none. */
static size_t number_length(const char *text)
{
    const bool hexadecimal = text[0] == '0' && text[1] == 'x';
    return hexadecimal ? 2 + strspn(text + 2, "0123456789abcdef") : strspn(text, "0123456789");
}

uint64_t text_hash(uint64_t hash, const char *text)
{
    while (text && *text) {
        const size_t number = number_length(text);
        if (!number)
            hash = text_hash_word(hash, (unsigned char)*text);
        text += number ? number : 1;
    }
    return hash;
}

uint64_t text_hash_nameless(uint64_t hash, const char *text)
{
    bool named = false;
    while (text && *text) {
        const size_t number = number_length(text);
        named ^= *text == '"';
        if (!number && !named)
            hash = text_hash_word(hash, (unsigned char)*text);
        text += number ? number : 1;
    }
    return hash;
}
