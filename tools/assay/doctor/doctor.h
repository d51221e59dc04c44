/* Declares the parts of `assay doctor`. */
#ifndef ASSAY_TOOL_DOCTOR_H
#define ASSAY_TOOL_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "assay/run/environment.h"

enum verdict { VERDICT_OK, VERDICT_WARNING, VERDICT_ERROR };

/* Writes a verdict to standard output, "warning  loader       ...", in lines of the terminal's
 * width, and remembers the worst one. */
void verdict(enum verdict verdict, const char *what, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
enum verdict verdict_worst(void);

/* Checks the layer's files (doctor_files.c). Returns false if there is no layer to load. */
bool doctor_layer(struct layer_place *place);
/* Checks the variables that change what the loader and the layer do (doctor_files.c). */
void doctor_environment(const struct layer_place *place);

/* Checks the settings file that the layer reads (doctor_settings.c). */
void doctor_settings(void);

/* Checks the loader, the driver, and an instance with the layer (doctor_vulkan.c). */
void doctor_vulkan(const struct layer_place *place);

/* Checks whether the loader will load the layer into the program (doctor_files.c). `name` is looked
 * up as a shell does. */
void doctor_program(const char *name);

/* Returns how many letters must be changed, added or removed to turn `word`, of `length` bytes,
 * into `other`. */
unsigned doctor_distance(const char *word, size_t length, const char *other);

/* Runs `work` in a process of its own, as loaders and drivers may crash. Its verdicts count. If it
 * crashes, a verdict about `what` says so. */
void doctor_apart(const char *what, void (*work)(const void *user), const void *user);

#endif
