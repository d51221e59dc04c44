/* Reports what is known of a program that has died, from the records that the layer keeps for that
 * (src/base/aftermath.h). These are findings of shaders that the layer had not read yet, and the
 * last submissions. */
#ifndef ASSAY_TOOL_AFTERMATH_H
#define ASSAY_TOOL_AFTERMATH_H

#include <stdbool.h>
#include <stdio.h>

struct run;
struct aftermath;

/* A device that was alive when its process ended. */
struct aftermath_file {
    char *path;                     /* owned */
    const struct aftermath *record; /* mapped */
};

/* aftermath_choose() chooses where the layer keeps its records. aftermath_enable() says so in the
 * environment; it is called in the process that becomes the program. */
void aftermath_choose(struct run *run);
void aftermath_enable(const struct run *run);

/* Called when the program has ended. Finds its records, and passes each finding that the layer had
 * not read to `take`, like launch(). */
void aftermath_read(struct run *run, void (*take)(struct run *run, char *line, size_t length));
/* Writes the last submissions, and what to try next, if the program was killed or ended with an
 * error. */
void aftermath_write(const struct run *run, FILE *to);
/* Removes the files, and frees the records. */
void aftermath_end(struct run *run);

/* Passes the findings in a device's ring to `take` (aftermath_gpu.c). Returns how many there
 * are. */
size_t aftermath_read_ring(const struct aftermath_file *file, struct run *run,
                           void (*take)(struct run *run, char *line, size_t length));

#endif
