/* The parts of `assay doctor` have this in common. */
#ifndef ASSAY_TOOL_DOCTOR_H
#define ASSAY_TOOL_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "assay/run/environment.h"

enum verdict { VERDICT_OK, VERDICT_WARNING, VERDICT_ERROR };

/* One line on standard output, "warning  loader       ...", or several that fit the terminal;
 * remembers the worst. */
void verdict(enum verdict verdict, const char *what, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
enum verdict verdict_worst(void);

/* doctor_files.c: the layer's files. False: there is nothing to load. */
bool doctor_layer(struct layer_place *place);
/* Variables that change what the loader and the layer do. */
void doctor_environment(const struct layer_place *place);

/* doctor_settings.c: the settings file in force. */
void doctor_settings(void);

/* doctor_vulkan.c: the loader, the driver, and an instance with the layer. */
void doctor_vulkan(const struct layer_place *place);

/* doctor_files.c: looks whether the loader loads the layer into the program. `name` is looked up as
 * a shell does. */
void doctor_program(const char *name);

/* How many letters one must change, add or leave out to make `word`, of `length` bytes, the other
 * one. */
unsigned doctor_distance(const char *word, size_t length, const char *other);

/* Does `work` in a process of its own, as loaders and drivers may crash: its verdicts count. `what`
 * is named where it crashes. */
void doctor_apart(const char *what, void (*work)(const void *user), const void *user);

#endif
