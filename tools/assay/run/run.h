/* Declares the parts of `assay run`, which runs a program under the layer, shows findings
 * meanwhile, and then a summary. */
#ifndef ASSAY_TOOL_RUN_H
#define ASSAY_TOOL_RUN_H

#include "assay/command.h"
#include "assay/run/environment.h"
#include "assay/report/findings.h"
#include "assay/report/frames.h"
#include "assay/run/once.h"
#include "assay/report/suppressions.h"
#include "assay/symbols/wrappers.h"

extern const struct command run_command, validate_command, init_command, doctor_command;

/* How the program ended. */
struct ending {
    int status;      /* exit status; 128 + signal if a signal killed it, as in shells */
    int signal;      /* the signal that killed it; 0: none */
    int failed;      /* errno if it could not be started; else 0 */
    bool with_core;  /* a core dump was written */
    bool still_runs; /* processes that it has started still run */
};

/* The instances and devices that the layer was on for, and its checks, in all processes
 * together. */
struct record {
    uint64_t instances, ended, devices;
    char *checks;   /* "stateless, lifetimes", the checks of all instances together; owned */
    bool different; /* not all instances had the same checks */
    char **further; /* lines about ids with findings from more places than are reported; owned */
    uint32_t further_count;
};

/* The state of `assay run`: the options, and what was found. */
struct run {
    const char *json, *html, *sarif, *junit; /* files to write; NULL: none */
    const char *made_suppressions;           /* "-" is standard error */
    bool symbols, quiet, color, all, record_stacks;
    char **options;            /* borrowed: the words between `assay run` and the program */
    int option_count;          /* number of `options` */
    int error_exit;            /* 0: off */
    const char *limit;         /* --limit; NULL: the layer's default */
    const char *gpu_select;    /* --gpu-select; NULL: checks are in all shaders */
    const char *caller_ignore; /* --caller-ignore; NULL: the layer's default */
    const char *only;          /* patterns of ids, with commas between them; NULL: all */
    struct frames frames;      /* its `modules` are owned */
    const char **settings;     /* "key=value"; the array is owned, the texts are not */
    uint32_t setting_count;
    const struct preset *presets[16];
    uint32_t preset_count;
    struct suppressions suppressions;
    struct wrappers wrappers;
    struct layer_place layer;
    bool with_khronos;            /* the Khronos layer's name means the Khronos layer */
    char directory[PATH_MAX];     /* directory of the temporary files */
    char findings[PATH_MAX + 16]; /* the file that the layer writes findings to */
    char record[PATH_MAX + 24];   /* the file that the layer writes its record to (record.c) */
    char layers[PATH_MAX + 16];   /* a directory with the manifest under the Khronos layer's name */
    char khronos[PATH_MAX + 48];  /* that manifest */
    char kept[PATH_MAX + 16];     /* the file with all findings that are not suppressed */
    FILE *kept_file;
    struct ending ending;
    bool loader_looked; /* a Vulkan loader read the manifests */
    struct record coverage;
    uint64_t told, errors, suppressed, damaged;
    uint64_t unwanted; /* findings of other ids than `only` */
    struct muted_counts muted;
    /* path and beginning of the names of the layer's records (aftermath.h) */
    char aftermath[PATH_MAX + 16];
    /* owned; the records of devices that were alive when their process ended */
    struct aftermath_file *aftermath_files;
    size_t aftermath_count;
    uint64_t aftermath_time;  /* when the records were read, by the clock of submissions */
    uint64_t aftermath_found; /* findings that only the records had */
    struct once once;         /* what was written while the program ran; owned */
    void *limited;            /* ids that the layer does not report any more (search.h); owned */
};

/* Returns the value that --set gives a setting of the layer, the last one if there are several;
 * NULL: none (run.c). */
const char *run_setting(const struct run *run, const char *key);

/* Starts the program, and passes each line that the layer writes to `take` at once (launch.c).
 * Returns when the program has ended, and the processes that it started, if they end soon. */
void launch(struct run *run, char **program,
            void (*take)(struct run *run, char *line, size_t length));

/* Reads the record that the layer has written to a file; `record` is empty if there is no such file
 * (record.c). */
void record_read(struct record *record, const char *path);
void record_free(struct record *record);
/* Writes "checked stateless and threads; not sync (--sync), gpu (--gpu)". */
void record_write_checks(FILE *file, const struct record *record);

/* Writes the summary, and the files that were asked for (summary.c). Returns false if one of them
 * could not be written, which is reported. */
bool summary_write(struct run *run, char *const *program);

#endif
