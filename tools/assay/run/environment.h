/* Finds the layer, and sets the environment variables with which a program runs under it. */
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
    char directory[PATH_MAX]; /* the manifest's directory */
    char manifest[PATH_MAX];
    char library[PATH_MAX]; /* "": the manifest does not name it */
};

/* Finds the layer that belongs to this program: beside it, in its build tree, or installed with it.
 * Returns false if there is none; then `place->directory` is this program's. */
bool layer_find(struct layer_place *place);

/* Writes a manifest to `path` by which the Khronos layer's name means this layer: a meta-layer with
 * one component. If both names are asked for, the loader loads the layer once. Returns false on
 * failure, with errno set. */
bool khronos_manifest_write(const struct layer_place *place, const char *path);

/* Sets and removes variables of this process, which will become the program. The user's own layers
 * and settings stay. `layers` is a directory in which the loader looks first, or NULL. */
void environment_enable(const struct layer_place *place, const char *layers, const char *findings);

/* A named set of settings. */
struct preset {
    const char *name;
    /* its name in tools that configure the Khronos layer; may be NULL */
    const char *other_name;
    const char *const *settings; /* pairs of key and value; NULL ends them */
};
/* Returns the preset with this name; NULL: there is none. Case does not count, and "-", "_" and
 * blanks are the same. */
const struct preset *preset_find(const char *name);
void preset_apply(const struct preset *preset);
/* Returns "standard, light, ..." in a static buffer. */
const char *preset_names(void);

/* True if the layer has a setting of that name. */
bool setting_is_known(const char *name, size_t length);
/* Returns the setting with the most similar name; NULL: none is similar. */
const char *setting_nearest(const char *name, size_t length);
/* Returns how much the name, of `length` letters, differs from another one: 1 if one is the
 * beginning of the other, else the number of letters that differ; UINT_MAX if they are too many for
 * a spelling mistake. */
unsigned name_distance(const char *name, size_t length, const char *other);
/* Calls `take` for all settings, with the key and its values, which have blanks between them.
 * Completions use it. */
void settings_each(void (*take)(void *user, const char *key, const char *values), void *user);

/* Sets the variable VK_ASSAY_<KEY>. */
void environment_set(const char *key, const char *value);

#endif
