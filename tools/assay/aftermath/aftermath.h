/* Reports what is known of a program that has died, from the records that the layer keeps for that
 * (src/base/aftermath.h). That is what shaders had found and was not read, and what was submitted
 * last. */
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

/* Chooses where the layer keeps its records, and says so in the environment: in the process that
 * becomes the program. */
void aftermath_choose(struct run *run);
void aftermath_enable(const struct run *run);

/* The program has ended: finds its records, and gives each finding that was not read to `take`, as
 * launch() does. */
void aftermath_read(struct run *run, void (*take)(struct run *run, char *line, size_t length));
/* Writes what was submitted last, and what to try next: where the program was killed, or ended with
 * an error. */
void aftermath_write(const struct run *run, FILE *to);
/* Takes the files away. */
void aftermath_end(struct run *run);

/* aftermath_gpu.c: the findings in a device's ring. The number of them. */
size_t aftermath_read_ring(const struct aftermath_file *file, struct run *run,
                           void (*take)(struct run *run, char *line, size_t length));

#endif
