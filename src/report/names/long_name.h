/* Cuts overlong names and labels of a program, since each finding copies and shows them. Threads:
 * any; there is no state. */
#ifndef ASSAY_REPORT_LONG_NAME_H
#define ASSAY_REPORT_LONG_NAME_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"

/* Bytes of a name that are kept. Real names are shorter: even a path has at most 4096 bytes. */
#define NAME_LONGEST 1024

/* A name that is cut: how much of its beginning is kept, and the text that replaces the rest. */
struct cut_name {
    size_t kept;     /* bytes of the name */
    size_t end_size; /* bytes of `end`, without its final 0 */
    char end[48];
};

static inline struct cut_name cut_name(const char *name)
{
    struct cut_name cut = {.kept = strnlen(name, NAME_LONGEST + 1)};
    if (likely(cut.kept <= NAME_LONGEST))
        return cut;
    cut.kept = NAME_LONGEST;
    /* within a UTF-8 character */
    while (cut.kept && ((unsigned char)name[cut.kept] & 0xc0) == 0x80)
        cut.kept--;
    cut.end_size =
        (size_t)snprintf(cut.end, sizeof(cut.end), "... (cut, it has %zu bytes)", strlen(name));
    return cut;
}

/* Returns how many bytes cut_name_write() writes, with the final 0. */
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
