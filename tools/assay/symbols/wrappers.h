/* Finds out whether a program calls Vulkan through a wrapper of its own. The first frame of most
 * findings is the wrapper's then, and not that of the code that is to be mended.
 *
 * There are two signs of a wrapper. Different functions call Vulkan through it. Or it is named like
 * the command that it calls (rhi_create_buffer, vkCreateBuffer). */
#ifndef ASSAY_TOOL_WRAPPERS_H
#define ASSAY_TOOL_WRAPPERS_H

#include <stdbool.h>
#include <stdint.h>

#include "assay/store/json.h"

/* Zeroes to begin with. */
struct wrappers {
    void *groups;     /* struct group (search.h): frames that may belong to one wrapper; owned */
    uint64_t looked;  /* findings that have a first frame */
    uint32_t counted; /* groups */
};

/* Looks at a finding, as it is reported. */
void wrappers_note(struct wrappers *wrappers, struct json_object *finding);
void wrappers_free(struct wrappers *wrappers);

/* Most findings that were looked at have their first frame in this, which is likely to be a
 * wrapper. */
struct wrapper {
    const char *pattern; /* as caller_ignore takes it; lives as long as the wrappers do */
    const char *kind;    /* "library" */
    uint64_t findings;   /* that begin there */
};
/* False: there is none. */
bool wrappers_find(const struct wrappers *wrappers, struct wrapper *found);

/* True if frame `index` of the stack is likely to be a wrapper's: what it calls is then no sign of
 * where in the program that was. `command` may be NULL. */
bool wrappers_has(const struct wrappers *wrappers, struct json_object *stack, size_t index,
                  const char *command);

#endif
