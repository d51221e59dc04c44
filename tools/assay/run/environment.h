/* Finds the layer, and the variables of the environment that make a program run with it. */
#ifndef ASSAY_TOOL_ENVIRONMENT_H
#define ASSAY_TOOL_ENVIRONMENT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LAYER_NAME     "VK_LAYER_ASSAY_validation"
#define LAYER_MANIFEST "VkLayer_assay.json"
#define KHRONOS_NAME   "VK_LAYER_KHRONOS_validation"

struct layer_place {
    char directory[PATH_MAX]; /* of the manifest */
    char manifest[PATH_MAX];
    char library[PATH_MAX]; /* "": the manifest does not say */
};

/* The layer that belongs to this program: beside it, in the build tree that it was built in, or
 * installed with it. False: there is none; `place->directory` is this program's then. */
bool layer_find(struct layer_place *place);

/* Writes a manifest to `path` that makes the Khronos layer's name mean this layer: a meta-layer
 * with the one component. However many of the two names are asked for, the loader loads the layer
 * once. False: errno says why. */
bool khronos_manifest_write(const struct layer_place *place, const char *path);

/* Sets and removes variables of this process, which is to become the program. The user's own layers
 * and settings stay. `layers` is a directory in which the loader looks first; it may be NULL. */
void environment_enable(const struct layer_place *place, const char *layers, const char *findings);

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

/* True if the layer has a setting of that name. */
bool setting_is_known(const char *name, size_t length);
/* The setting whose name is nearest; NULL where none is near. */
const char *setting_nearest(const char *name, size_t length);
/* How far the name, of `length` letters, is from another one: 1 where one is the beginning of the
 * other, else the letters that differ; UINT_MAX where they are too many for a mistake. */
unsigned name_distance(const char *name, size_t length, const char *other);
/* For completions: all settings, "key" and its values with blanks between. */
void settings_each(void (*take)(void *user, const char *key, const char *values), void *user);

/* VK_ASSAY_<KEY>=value */
void environment_set(const char *key, const char *value);

#endif
