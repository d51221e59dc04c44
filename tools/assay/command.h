/* Describes the commands and options of `assay`. --help, the man page and the completions of shells
 * are all made from one table, so that they cannot differ.
 *
 * To add a command, write a `struct command` beside its code, add a line to `commands`
 * (commands.c), and its file to meson.build. */
#ifndef ASSAY_TOOL_COMMAND_H
#define ASSAY_TOOL_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

/* Keys of options that have no letter of their own begin here; smaller ones are the letter. */
#define OPTION_KEYS 256

struct option_row {
    int key; /* 0 ends a table; a row without a name begins a group with the title `text` */
    const char *name;
    const char *argument; /* NULL: the option takes none; in brackets: it is optional */
    const char *text;     /* one sentence, without a full stop */
    /* what shells offer for the argument: words, or one of VALUES_ below; NULL: files if `argument`
     * is FILE, else nothing */
    const char *values;
};

/* Values of option_row::values and command::operands, which otherwise are words with blanks between
 * them. */
#define VALUES_FILES       "@files"      /* any */
#define VALUES_FINDINGS    "@jsonl"      /* files with this extension */
#define VALUES_SHADERS     "@spv spvasm" /* files with one of these extensions */
#define VALUES_PROFILES    "@json"
#define VALUES_DIRECTORIES "@directories"
#define VALUES_COMMAND     "@command" /* a program and its arguments */
#define VALUES_SETTING     "@setting" /* KEY=VALUE */

/* A name and what it means. */
struct note_row {
    const char *name; /* NULL ends a table */
    const char *text;
};

struct command {
    const char *name;
    const char *arguments; /* the arguments as the usage line shows them */
    const char *summary;   /* half a line */
    /* paragraphs with empty lines between them; lines that begin with blanks are shown unchanged */
    const char *text;
    const struct option_row *options;
    /* what shells offer for its operands, like option_row::values */
    const char *operands;
    const struct note_row *statuses; /* exit statuses; NULL: 0, 1 and 2, as for most commands */
    /* pairs of a command line and what it does; NULL ends them */
    const char *const *examples;
    int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns the exit status */
};

static inline bool option_is_optional(const struct option_row *row)
{
    return row->argument && row->argument[0] == '[';
}

/* All commands (commands.c); NULL ends the list. */
extern const struct command *const commands[];

/* Exit statuses of the tool itself. */
enum { STATUS_GOOD = 0, STATUS_FAILED = 1, STATUS_USAGE = 2 };

/* Reads a command line. `accept` gets each option's key and argument, and each operand with key 0;
 * it returns false after it has reported a mistake. Options end at "--". Returns false if the
 * command line is wrong, which has been reported. */
bool command_parse(const struct command *command, int argc, char **argv,
                   bool (*accept)(void *user, int key, const char *argument), void *user);

/* These write the text of --help, and that of `assay generate man|bash|zsh|fish` (help.c). */
void help_all(FILE *file);
/* Writes a page about all commands: "environment" or "files". Returns false if there is no such
 * page. */
bool help_topic(FILE *file, const char *name);
void help_command(FILE *file, const struct command *command);
bool help_generate(FILE *file, const char *kind);

/* Writes "assay: ..." to standard error. */
void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
