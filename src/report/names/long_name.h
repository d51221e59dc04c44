/* Cuts names and labels of a program that are longer than anybody reads. Each finding shows them,
 * and they are copied with each. Threads: any; nothing is kept. */
#ifndef ASSAY_REPORT_LONG_NAME_H
#define ASSAY_REPORT_LONG_NAME_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"

/* Bytes of a name that are kept. A path is at most four times as long, and a sentence is far
 * shorter. */
#define NAME_LONGEST 1024

/* The beginning of a name, and what stands for the rest of it. */
struct cut_name {
    size_t kept;     /* bytes of the name */
    size_t end_size; /* of `end`, without its 0 */
    char end[48];
};

static inline struct cut_name cut_name(const char *name)
{
    struct cut_name cut = {.kept = strnlen(name, NAME_LONGEST + 1)};
    if (likely(cut.kept <= NAME_LONGEST))
        return cut;
    cut.kept = NAME_LONGEST;
    while (cut.kept && ((unsigned char)name[cut.kept] & 0xc0) == 0x80) /* inside of a character */
        cut.kept--;
    cut.end_size =
        (size_t)snprintf(cut.end, sizeof(cut.end), "... (cut, it has %zu bytes)", strlen(name));
    return cut;
}

/* Bytes that cut_name_write() needs, with the 0. */
static inline size_t cut_name_size(const struct cut_name *cut)
{
    return cut->kept + cut->end_size + 1;
}

static inline void cut_name_write(const struct cut_name *cut, const char *name, char *to)
{
    memcpy(to, name, cut->kept);
    memcpy(to + cut->kept, cut->end, cut->end_size);
    to[cut->kept + cut->end_size] = '\0';
}

#endif
