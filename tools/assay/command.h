/* Describes the commands and options of `assay`. They are one table, from which --help, the man
 * page and the shells' completions come, so that they cannot differ.
 *
 * A new command: a `struct command` beside its code, a line in `commands` (commands.c), its file in
 * meson.build. */
#ifndef ASSAY_TOOL_COMMAND_H
#define ASSAY_TOOL_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

/* Keys of options that have no letter of their own begin here; smaller ones are the letter. */
#define OPTION_KEYS 256

struct option_row {
    int key; /* 0 ends a table; a row without a name begins a group, `text` is its title */
    const char *name;
    const char *argument; /* NULL: it takes none; in brackets: it may be left out */
    const char *text;     /* one sentence, without a full stop */
    /* what shells complete its argument with (enum below the table); NULL: nothing, or files for
     * FILE */
    const char *values;
};

/* For option_row's `values` and command's `operands`: words with blanks between, or one of these.
 */
#define VALUES_FILES       "@files"      /* any */
#define VALUES_FINDINGS    "@jsonl"      /* files of that ending */
#define VALUES_SHADERS     "@spv spvasm" /* files of one of these endings */
#define VALUES_PROFILES    "@json"
#define VALUES_DIRECTORIES "@directories"
#define VALUES_COMMAND     "@command" /* a program, and what completes its arguments */
#define VALUES_SETTING     "@setting" /* KEY=VALUE */

/* A name and what it means. */
struct note_row {
    const char *name; /* NULL ends a table */
    const char *text;
};

struct command {
    const char *name;
    const char *arguments; /* as the usage line shows them */
    const char *summary;   /* half a line */
    /* paragraphs, separated by empty lines; lines that begin with blanks are shown as they are */
    const char *text;
    const struct option_row *options;
    const char *operands;            /* what its arguments are, as `values` of options */
    const struct note_row *statuses; /* exit statuses; NULL: 0, 1 and 2 as all have them */
    /* pairs of a command line and what it does; NULL ends them */
    const char *const *examples;
    int (*run)(int argc, char **argv); /* argv[0] is the command's name; gives the exit status */
};

static inline bool option_is_optional(const struct option_row *row)
{
    return row->argument && row->argument[0] == '[';
}

/* commands.c: NULL ends them. */
extern const struct command *const commands[];

/* Exit statuses of the tool itself. */
enum { STATUS_GOOD = 0, STATUS_FAILED = 1, STATUS_USAGE = 2 };

/* Reads a command line: `accept` gets each option's key and argument, and each other argument with
 * the key 0. It says false after telling what is wrong. False: the command line is wrong, and that
 * has been reported. Options end at "--". */
bool command_parse(const struct command *command, int argc, char **argv,
                   bool (*accept)(void *user, int key, const char *argument), void *user);

/* help.c: what --help shows, and what `assay generate man|bash|zsh|fish` writes. */
void help_all(FILE *file);
/* "environment", "files": what all commands look at. False: there is no such page. */
bool help_topic(FILE *file, const char *name);
void help_command(FILE *file, const struct command *command);
bool help_generate(FILE *file, const char *kind);

/* "assay: ..." on standard error. */
void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
