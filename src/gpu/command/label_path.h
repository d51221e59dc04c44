/* Writes the names of open labels as "outer > inner", beginning with the innermost one at the end
 * of a buffer. Names that do not fit are left out, the outermost first.
 * Threads: the buffer is the caller's. */
#ifndef ASSAY_GPU_LABEL_PATH_H
#define ASSAY_GPU_LABEL_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define LABEL_PATH_MOST 16 /* the most labels that are named */

struct label_path {
    char *to;
    size_t size, at;
};

/* Begins a path in a buffer of `size` bytes, 1 at least. */
static inline struct label_path label_path_begin(char *to, size_t size)
{
    to[size - 1] = 0;
    return (struct label_path){.to = to, .size = size, .at = size - 1};
}

/* Adds the label around the previous ones; returns false if it does not fit. `name` is NULL if it
 * is not known. */
static inline bool label_path_add(struct label_path *path, const char *name)
{
    const char *between = path->at == path->size - 1 ? "" : " > ";
    name = name ? name : "?";
    const size_t length = strnlen(name, path->size), all = length + strlen(between);
    if (all > path->at)
        return false;
    path->at -= all;
    memcpy(path->to + path->at, name, length);
    memcpy(path->to + path->at + length, between, all - length);
    return true;
}

/* Ends the path: moves the text to the beginning of the buffer. */
static inline void label_path_end(struct label_path *path)
{
    memmove(path->to, path->to + path->at, path->size - path->at);
}

#endif
