/* Finds out whether a program calls Vulkan through a wrapper of its own. In that case the first
 * frame of most findings is the wrapper's, and not that of the code with the mistake.
 *
 * There are two signs of a wrapper. Different functions call Vulkan through it; or it is named like
 * the command that it calls (rhi_create_buffer, vkCreateBuffer). */
#ifndef ASSAY_TOOL_WRAPPERS_H
#define ASSAY_TOOL_WRAPPERS_H

#include <stdbool.h>
#include <stdint.h>

#include "assay/store/json.h"

/* The counts of a run; all zeros at the beginning. */
struct wrappers {
    void *groups;     /* struct group (search.h): frames that may belong to one wrapper; owned */
    uint64_t looked;  /* findings with a first frame */
    uint32_t counted; /* number of groups */
};

/* Counts a reported finding. */
void wrappers_note(struct wrappers *wrappers, struct json_object *finding);
void wrappers_free(struct wrappers *wrappers);

/* The probable wrapper, which has the first frame of most findings. */
struct wrapper {
    const char *pattern; /* a pattern for caller_ignore; valid as long as the wrappers */
    const char *kind;    /* for messages: "library" */
    uint64_t findings;   /* findings whose first frame is in it */
};
/* Finds the probable wrapper. Returns false if there is none. */
bool wrappers_find(const struct wrappers *wrappers, struct wrapper *found);

/* True if frame `index` of the stack is probably a wrapper's, so that the frame does not identify a
 * place in the program. `command` may be NULL. */
bool wrappers_has(const struct wrappers *wrappers, struct json_object *stack, size_t index,
                  const char *command);

#endif
