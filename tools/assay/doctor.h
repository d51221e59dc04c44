/* What the parts of `assay doctor` have in common. */
#ifndef ASSAY_TOOL_DOCTOR_H
#define ASSAY_TOOL_DOCTOR_H

#include <stdbool.h>

#include "environment.h"

enum verdict { VERDICT_OK, VERDICT_WARNING, VERDICT_ERROR };

/* One line on standard output: "warning  loader       ..."; remembers the worst. */
void verdict(enum verdict verdict, const char *what, const char *format, ...) __attribute__((format(printf, 3, 4)));
enum verdict verdict_worst(void);

/* doctor_files.c: the layer's files. False: there is nothing to load. */
bool doctor_layer(struct layer_place *place);
/* Variables that change what the loader and the layer do, and the settings file. */
void doctor_environment(const struct layer_place *place);
void doctor_settings(void);

/* doctor_vulkan.c: the loader, the driver, and an instance with the layer. */
void doctor_vulkan(const struct layer_place *place);

/* Does `work` in a process of its own, as loaders and drivers may crash: its verdicts count. `what` is told of a crash. */
void doctor_apart(const char *what, void (*work)(const void *user), const void *user);

#endif
