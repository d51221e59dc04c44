/* Writes a noun after a number in the singular where the number is one. Messages are written with
 * plurals, as their numbers are mostly larger. */
#include "report/names/plural.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Nouns that messages have after numbers. They are one string, as an array of pointers would be
 * larger than the words. */
static const char nouns[] =
    " addresses arguments attachments barriers bits bindings blocks buffers bytes commands "
    "components copies descriptors dimensions dispatches draws elements entries families fences "
    "formats geometries groups handles images instances invocations layers layouts levels "
    "locations memories members names objects pipelines places planes points pointers primitives "
    "pools queries queues ranges rectangles regions resources samplers samples sets semaphores "
    "shaders slices slots stages structures submissions submits subpasses swapchains texels "
    "threads times values vertices views viewports words ";

/* Words before a number that is a count. In "binding 1 descriptors" the 1 is not a count. */
static const char counting[] =
    " a and at by for gives has have holds in is least most needs of only takes than the with ";

/* True if the word is in the list, where each word has a blank on both sides. Words of more than 13
 * letters are not looked up: no list has such a word. */
static bool has_word(const char *words, const char *word, size_t length)
{
    char text[16] = " ";
    if (!length || length > sizeof(text) - 3)
        return false;
    memcpy(text + 1, word, length);
    text[length + 1] = ' ';
    return strstr(words, text) != NULL;
}

/* True if the word that ends at `end` is in `counting`. */
static bool word_counts(const char *begin, const char *end)
{
    const char *word = end;
    while (word > begin && word[-1] != ' ')
        word--;
    return end == begin || has_word(counting, word, (size_t)(end - word));
}

/* Makes the singular of a noun, in place: "queries" becomes "query". Returns its length; 0: the
 * word is not in the list. */
static size_t make_singular(char *word, size_t length)
{
    if (!has_word(nouns, word, length))
        return 0;
    if (length == 8 && !memcmp(word, "vertices", 8)) {
        memcpy(word, "vertex", 6);
        return 6;
    }
    if (!memcmp(word + length - 3, "ies", 3)) {
        word[length - 3] = 'y';
        return length - 2;
    }
    bool sibilant = length > 4 && (!memcmp(word + length - 4, "sses", 4) ||
                                   !memcmp(word + length - 4, "ches", 4));
    return length - (sibilant ? 2 : 1);
}

void plural_mend(char *text)
{
    bool quoted = false;
    for (char *at = text; *at; at++) {
        /* Names of objects are not touched. */
        quoted ^= *at == '"';
        bool begins = at == text || at[-1] == ' ';
        if (quoted || !begins || at[0] != '1' || at[1] != ' ' ||
            !word_counts(text, at == text ? at : at - 1))
            continue;
        char *word = at + 2;
        size_t length = strspn(word, "abcdefghijklmnopqrstuvwxyz");
        size_t singular = make_singular(word, length);
        if (singular)
            /* The singular is never longer. */
            memmove(word + singular, word + length, strlen(word + length) + 1);
    }
}
