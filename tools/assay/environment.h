/* Where is the layer, and which variables of the environment make a program run with it? */
#ifndef ASSAY_TOOL_ENVIRONMENT_H
#define ASSAY_TOOL_ENVIRONMENT_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#define LAYER_NAME     "VK_LAYER_ASSAY_validation"
#define LAYER_MANIFEST "VkLayer_assay.json"

struct layer_place {
    char directory[PATH_MAX]; /* of the manifest */
    char manifest[PATH_MAX];
    char library[PATH_MAX]; /* "": the manifest does not say */
};

/* The layer that belongs to this program: beside it, in the build tree that it was built in, or installed with it. False: there is
 * none; `place->directory` is this program's then. */
bool layer_find(struct layer_place *place);

/* Sets and removes variables of this process, which is to become the program. The user's own layers and settings stay. */
void environment_enable(const struct layer_place *place, const char *findings);

/* A named set of settings. */
struct preset {
    const char *name;
    const char *other_name;      /* the Khronos layer's configurators call it so; may be NULL */
    const char *const *settings; /* pairs of key and value; NULL ends them */
};
/* NULL: there is none of that name. Any case; "-", "_" and blanks are the same. */
const struct preset *preset_find(const char *name);
void preset_apply(const struct preset *preset);
/* "standard, light, ..." in a buffer of its own */
const char *preset_names(void);

/* VK_ASSAY_<KEY>=value */
void environment_set(const char *key, const char *value);

#endif
