/* `assay run`: a program under the layer, what is found while it runs, and the summary when it has ended. */
#ifndef ASSAY_TOOL_RUN_H
#define ASSAY_TOOL_RUN_H

#include "command.h"
#include "environment.h"
#include "findings.h"
#include "suppressions.h"

extern const struct command run_command, init_command, doctor_command;

/* How the program ended. */
struct ending {
    int status;      /* as a shell has it: 128 + signal */
    int signal;      /* 0: it ended by itself */
    int failed;      /* errno of starting it; 0: it was started */
    bool with_core;  /* a core dump was written */
    bool still_runs; /* processes that it started */
};

/* What the command line asks for, and what was found. */
struct run {
    const char *json, *html, *sarif, *junit; /* files to write; NULL */
    const char *made_suppressions;           /* "-" is standard error */
    bool symbols, quiet, color;
    int error_exit;            /* 0: off */
    const char *limit;         /* NULL: the layer's */
    const char *caller_ignore; /* likewise */
    const struct preset *presets[16];
    uint32_t preset_count;
    struct suppressions suppressions;
    struct layer_place layer;
    char directory[PATH_MAX];     /* of the temporary files */
    char findings[PATH_MAX + 16]; /* what the layer writes to */
    char kept[PATH_MAX + 16];     /* what is not suppressed */
    FILE *kept_file;
    struct ending ending;
    bool instance_created;
    uint64_t told, errors, suppressed, damaged;
    void *limited; /* ids that the layer fell silent about (search.h); owned */
};

/* launch.c: starts the program, hands each line that the layer writes to `take` as soon as it is there, and comes back when the program has ended (and the processes that it
 * started, if they end soon). */
void launch(struct run *run, char **program, void (*take)(struct run *run, char *line, size_t length));

/* summary.c: what is told in the end, and the files that were asked for. False: one of them could not be written, which is told. */
bool summary_write(struct run *run, const char *program);

#endif
