/* How do the commands read as --help, as a man page, and as completions of shells? All from the table of command.h. */
#include "command.h"

#include <string.h>

#define HELP_WIDTH  100
#define TEXT_COLUMN 26 /* where an option's text stands */

/* Words of a text in lines of HELP_WIDTH, from `column` on, where the first line stands already. */
static void write_words(FILE *file, const char *text, int column)
{
    int at = column;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (at > column && at + 1 + length > HELP_WIDTH) {
            fprintf(file, "\n%*s", column, "");
            at = column;
        } else if (at > column) {
            fputc(' ', file);
            at++;
        }
        fprintf(file, "%.*s", length, text);
        at += length;
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', file);
}

/* Paragraphs: a line each in the table. Lines that begin with a blank are kept. */
static void write_paragraphs(FILE *file, const char *text)
{
    char line[1024];
    while (*text) {
        int length = (int)strcspn(text, "\n");
        snprintf(line, sizeof(line), "%.*s", length, text);
        if (line[0] == ' ' || !line[0])
            fprintf(file, "%s\n", line);
        else
            write_words(file, line, 0);
        text += length;
        text += *text == '\n';
    }
}

/* "-o, --output=FILE" */
static int write_option_name(FILE *file, const struct option_row *row)
{
    int length = row->key < OPTION_KEYS ? fprintf(file, "  -%c, ", row->key) : fprintf(file, "      ");
    length += fprintf(file, "--%s", row->name);
    if (option_is_optional(row))
        length += fprintf(file, "[=%s", row->argument + 1);
    else if (row->argument)
        length += fprintf(file, "=%s", row->argument);
    return length;
}

static void write_options(FILE *file, const struct option_row *row)
{
    for (; row && row->key; row++) {
        if (!row->name) {
            fprintf(file, "\n%s:\n", row->text);
            continue;
        }
        int length = write_option_name(file, row);
        if (length + 2 > TEXT_COLUMN) {
            fputc('\n', file);
            length = 0;
        }
        fprintf(file, "%*s", TEXT_COLUMN - length, "");
        write_words(file, row->text, TEXT_COLUMN);
    }
    fprintf(file, "      --help              this text\n");
}

void help_command(FILE *file, const struct command *command)
{
    fprintf(file, "usage: assay %s %s\n\n", command->name, command->arguments);
    write_paragraphs(file, command->text);
    write_options(file, command->options);
    if (command->examples && *command->examples)
        fprintf(file, "\nexamples:\n");
    for (const char *const *example = command->examples; example && *example; example += 2)
        fprintf(file, "  %s\n        %s\n", example[0], example[1]);
}

void help_all(FILE *file)
{
    fprintf(file, "usage: assay COMMAND [ARGUMENTS]\n\n"
                  "Assay is a Vulkan validation layer; this is the program beside it.\n\ncommands:\n");
    for (const struct command *const *command = commands; *command; command++)
        fprintf(file, "  %-10s %s\n", (*command)->name, (*command)->summary);
    fprintf(file, "\nassay COMMAND --help says more about one command, assay --version which version this is.\n");
}

/* --- the man page --- */

/* Backslashes and leading dots mean something to roff, and hyphens are to be copied as they are typed. */
static void write_roff(FILE *file, const char *text)
{
    bool begins = true;
    for (; *text; text++) {
        if (begins && (*text == '.' || *text == '\''))
            fputs("\\&", file);
        begins = *text == '\n';
        if (*text == '\\')
            fputs("\\e", file);
        else if (*text == '-')
            fputs("\\-", file);
        else
            fputc(*text, file);
    }
}

static void write_man_paragraphs(FILE *file, const char *text)
{
    char line[1024];
    bool shown = false;
    while (*text) {
        int length = (int)strcspn(text, "\n");
        snprintf(line, sizeof(line), "%.*s", length, text);
        if (shown != (line[0] == ' ')) {
            fprintf(file, shown ? ".EE\n" : ".EX\n");
            shown = !shown;
        }
        if (line[0])
            write_roff(file, line);
        fprintf(file, line[0] ? "\n" : ".PP\n");
        text += length;
        text += *text == '\n';
    }
    if (shown)
        fprintf(file, ".EE\n");
}

static void write_man_option(FILE *file, const struct option_row *row)
{
    fprintf(file, ".TP\n");
    if (row->key < OPTION_KEYS)
        fprintf(file, "\\fB\\-%c\\fR, ", row->key);
    fprintf(file, "\\fB\\-\\-");
    write_roff(file, row->name);
    fprintf(file, "\\fR");
    if (option_is_optional(row))
        fprintf(file, "[=\\fI%.*s\\fR]", (int)strlen(row->argument) - 2, row->argument + 1);
    else if (row->argument)
        fprintf(file, "=\\fI%s\\fR", row->argument);
    fputc('\n', file);
    write_roff(file, row->text);
    fputs(".\n", file);
}

static void write_man_command(FILE *file, const struct command *command)
{
    fprintf(file, ".SS assay %s ", command->name);
    write_roff(file, command->arguments);
    fputc('\n', file);
    write_man_paragraphs(file, command->text);
    for (const struct option_row *row = command->options; row && row->key; row++) {
        if (row->name)
            write_man_option(file, row);
        else
            fprintf(file, ".PP\n\\fI%s\\fR\n", row->text);
    }
    for (const char *const *example = command->examples; example && *example; example += 2) {
        fprintf(file, ".PP\n.EX\n");
        write_roff(file, example[0]);
        fprintf(file, "\n.EE\n.RS\n");
        write_roff(file, example[1]);
        fprintf(file, "\n.RE\n");
    }
}

static void write_man(FILE *file)
{
    fprintf(file, ".TH ASSAY 1 \"\" \"assay %s\" \"Assay\"\n.SH NAME\nassay \\- use the Vulkan validation layer Assay\n",
            ASSAY_VERSION);
    fprintf(file, ".SH SYNOPSIS\n\\fBassay\\fR \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]\n.SH COMMANDS\n");
    for (const struct command *const *command = commands; *command; command++)
        write_man_command(file, *command);
    fprintf(file, ".SH EXIT STATUS\n0 where all went well, 1 where something could not be read or written, "
                  "2 where the command line is wrong.\n");
}

/* --- completions --- */

static void write_bash(FILE *file)
{
    fprintf(file, "# Completion of assay for bash, made from the table that --help is made from.\n_assay()\n{\n"
                  "    local word=${COMP_WORDS[COMP_CWORD]}\n"
                  "    if [[ $COMP_CWORD -eq 1 ]]; then\n        COMPREPLY=($(compgen -W \"");
    for (const struct command *const *command = commands; *command; command++)
        fprintf(file, "%s ", (*command)->name);
    fprintf(file, "help --help --version\" -- \"$word\"))\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n");
    for (const struct command *const *command = commands; *command; command++) {
        fprintf(file, "    %s) [[ $word != -* ]] || COMPREPLY=($(compgen -W \"", (*command)->name);
        for (const struct option_row *row = (*command)->options; row && row->key; row++) {
            if (row->name)
                fprintf(file, "--%s%s ", row->name, row->argument && !option_is_optional(row) ? "=" : "");
        }
        fprintf(file, "--help\" -- \"$word\")) ;;\n");
    }
    fprintf(file, "    esac\n}\ncomplete -o default -o nospace -F _assay assay\n");
}

static void write_zsh(FILE *file)
{
    fprintf(file, "#compdef assay\n# Completion of assay for zsh, made from the table that --help is made from.\n"
                  "if (( CURRENT == 2 )); then\n    _values command");
    for (const struct command *const *command = commands; *command; command++)
        fprintf(file, " '%s[%s]'", (*command)->name, (*command)->summary);
    fprintf(file, "\n    return\nfi\ncase $words[2] in\n");
    for (const struct command *const *command = commands; *command; command++) {
        fprintf(file, "%s)\n    shift words; (( CURRENT-- ))\n    _arguments", (*command)->name);
        for (const struct option_row *row = (*command)->options; row && row->key; row++) {
            if (row->name)
                fprintf(file, " \\\n        '--%s%s[%s]%s'", row->name,
                        row->argument && !option_is_optional(row) ? "=" : "", row->text,
                        row->argument && !option_is_optional(row) ? ":file:_files" : "");
        }
        fprintf(file, " \\\n        '*:file:_files' ;;\n");
    }
    fprintf(file, "esac\n");
}

static void write_fish(FILE *file)
{
    fprintf(file, "# Completion of assay for fish, made from the table that --help is made from.\n");
    for (const struct command *const *command = commands; *command; command++) {
        fprintf(file, "complete -c assay -n __fish_use_subcommand -f -a %s -d '%s'\n", (*command)->name,
                (*command)->summary);
        for (const struct option_row *row = (*command)->options; row && row->key; row++) {
            if (!row->name)
                continue;
            fprintf(file, "complete -c assay -n '__fish_seen_subcommand_from %s' -l %s", (*command)->name, row->name);
            if (row->key < OPTION_KEYS)
                fprintf(file, " -s %c", row->key);
            fprintf(file, "%s -d '%s'\n", row->argument && !option_is_optional(row) ? " -r" : "", row->text);
        }
    }
}

bool help_generate(FILE *file, const char *kind)
{
    static const struct {
        const char *kind;
        void (*write)(FILE *file);
    } kinds[] = {{"man", write_man}, {"bash", write_bash}, {"zsh", write_zsh}, {"fish", write_fish}};
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        if (!strcmp(kinds[i].kind, kind)) {
            kinds[i].write(file);
            return true;
        }
    }
    tell("generate makes man, bash, zsh or fish");
    return false;
}
