/* `assay run`: a program under the layer, what is found while it runs, and the summary when it has
 * ended. */
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
    int status;      /* as a shell has it: 128 + signal */
    int signal;      /* 0: it ended by itself */
    int failed;      /* errno of starting it; 0: it was started */
    bool with_core;  /* a core dump was written */
    bool still_runs; /* processes that it started */
};

/* The things that the layer was on for, in all processes. */
struct record {
    uint64_t instances, ended, devices;
    char *checks;   /* "stateless, lifetimes", of all instances together; owned */
    bool different; /* not all instances had the same */
    char **further; /* lines about ids that came from more places than are reported; owned */
    uint32_t further_count;
};

/* The things that the command line asks for, and those that were found. */
struct run {
    const char *json, *html, *sarif, *junit; /* files to write; NULL */
    const char *made_suppressions;           /* "-" is standard error */
    bool symbols, quiet, color, all, record_stacks;
    char **options;            /* borrowed: the words between `assay run` and the program */
    int option_count;          /* of them */
    int error_exit;            /* 0: off */
    const char *limit;         /* NULL: the layer's */
    const char *caller_ignore; /* likewise */
    const char *only;          /* patterns of ids, with commas between them; NULL: all */
    struct frames frames;      /* its modules are owned */
    const char **settings;     /* "key=value"; owned, the texts are not */
    uint32_t setting_count;
    const struct preset *presets[16];
    uint32_t preset_count;
    struct suppressions suppressions;
    struct wrappers wrappers;
    struct layer_place layer;
    bool with_khronos;            /* the Khronos layer's name stays the Khronos layer's */
    char directory[PATH_MAX];     /* of the temporary files */
    char findings[PATH_MAX + 16]; /* what the layer writes to */
    char record[PATH_MAX + 24];   /* likewise: what it was on for (record.c) */
    char layers[PATH_MAX + 16];   /* a directory with the manifest under the Khronos layer's name */
    char khronos[PATH_MAX + 48];  /* that manifest */
    char kept[PATH_MAX + 16];     /* what is not suppressed */
    FILE *kept_file;
    struct ending ending;
    bool loader_looked; /* a Vulkan loader read the manifests */
    struct record coverage;
    uint64_t told, errors, suppressed, damaged;
    uint64_t unwanted; /* of other ids than `only` */
    struct muted_counts muted;
    /* what the names of the layer's records begin with (aftermath.h) */
    char aftermath[PATH_MAX + 16];
    /* owned; of devices that were alive when their process ended */
    struct aftermath_file *aftermath_files;
    size_t aftermath_count;
    uint64_t aftermath_time;  /* when they were read, as their submissions' times */
    uint64_t aftermath_found; /* findings that only they had */
    struct once once;         /* what was said while the program ran; owned */
    void *limited;            /* ids that the layer fell silent about (search.h); owned */
};

/* run.c: the value that --set gives a setting of the layer; the last one holds. NULL: none. */
const char *run_setting(const struct run *run, const char *key);

/* launch.c: starts the program, and hands each line that the layer writes to `take` as soon as it
 * is there. It comes back when the program has ended (and the processes that it started, if they
 * end soon). */
void launch(struct run *run, char **program,
            void (*take)(struct run *run, char *line, size_t length));

/* record.c: what the layer says of its instances in the file of that name; empty where there is
 * none. */
void record_read(struct record *record, const char *path);
void record_free(struct record *record);
/* "checked stateless and threads; not sync (--sync), gpu (--gpu)" */
void record_write_checks(FILE *file, const struct record *record);

/* summary.c: what is reported in the end, and the files that were asked for. False: one of them
 * could not be written, which is reported. */
bool summary_write(struct run *run, char *const *program);

#endif
