/* The settings of an instance. They are loaded at vkCreateInstance, and constant after that.
 *
 * These are the sources, of which a later one wins over an earlier one: the defaults;
 * VK_EXT_validation_flags and VK_EXT_validation_features; VK_EXT_layer_settings; the settings file;
 * the environment. Within one source the layer's own spelling (`assay.`, `assay_validation.`,
 * VK_ASSAY_) wins over the Khronos layer's. A process with raised privileges (setuid) reads no file
 * and no environment. */
#ifndef ASSAY_SETTINGS_SETTINGS_H
#define ASSAY_SETTINGS_SETTINGS_H

#include "base/base.h"
#include "settings/settings_table.h" /* generated: struct settings */
#include "vk/vulkan.h"

#define SETTINGS_LAYER_NAME         "VK_LAYER_ASSAY_validation"
#define SETTINGS_KHRONOS_LAYER_NAME "VK_LAYER_KHRONOS_validation"
#define SETTINGS_FILE_NAME          "vk_layer_settings.txt"

/* The mistakes in the user's settings, kept until they can be reported (reporter_emit_diagnostics).
 * Owned. Threads: one. */
struct settings_diagnostics {
    uint32_t count;
    uint32_t dropped; /* how many more there were than are kept */
    /* each is one sentence that names its place: `vk_layer_settings.txt:3: unknown setting ...` */
    char **texts;
};

/* Fills in all of `settings` and `diagnostics`. `info` may be NULL. Never fails: a setting that
 * cannot be read keeps its default. */
void settings_load(struct settings *settings, const VkInstanceCreateInfo *info,
                   struct settings_diagnostics *diagnostics);
void settings_free(struct settings *settings);
void settings_diagnostics_free(struct settings_diagnostics *diagnostics);

/* The parts of settings_load, for tests and fuzzers. */
void settings_defaults(struct settings *settings);
/* Reads settings from `length` bytes of a file called `path`. They may be any bytes. */
void settings_read_text(struct settings *settings, const char *bytes, size_t length,
                        const char *path, struct settings_diagnostics *diagnostics);
/* Reads settings from an array like environ: NULL-terminated, of `NAME=value` strings. */
void settings_read_environment(struct settings *settings, char *const *environment,
                               struct settings_diagnostics *diagnostics);
void settings_read_create_info(struct settings *settings, const VkInstanceCreateInfo *info,
                               struct settings_diagnostics *diagnostics);
/* Applies the old spellings `disables` and `enables` and the preset printf_only_preset, after all
 * sources are read. */
void settings_conclude(struct settings *settings);

/* True if one of the list's globs matches the whole name. A `name` of NULL is "". */
bool setting_list_matches(const struct setting_list *globs, const char *name);

#endif
