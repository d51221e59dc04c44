/* Writes the text of --help and the man page from the table of command.h. */
#include "assay/command.h"

#include <string.h>

#include "assay/completions.h"
#include "assay/run/terminal.h"

/* columns if the output is not a terminal, and at most, as longer lines are hard to read */
#define HELP_WIDTH  100
#define TEXT_COLUMN 26 /* the column at which an option's text begins */

/* Writes the words of a text in lines of the terminal's width. Each line begins at `column`; the
 * first one is at that column already. */
static void write_words(FILE *file, const char *text, int column)
{
    int at = column, width = terminal_width();
    width = width && width < HELP_WIDTH ? width : HELP_WIDTH;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (at > column && at + 1 + length > width) {
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

/* Writes paragraphs, which are a line each in the table. Lines that begin with a blank are written
 * unchanged. */
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

/* Writes an option's name, "-o, --output=FILE", and returns its length. */
static int write_option_name(FILE *file, const struct option_row *row)
{
    int length =
        row->key < OPTION_KEYS ? fprintf(file, "  -%c, ", row->key) : fprintf(file, "      ");
    length += fprintf(file, "--%s", row->name);
    if (option_is_optional(row))
        length += fprintf(file, "[=%s", row->argument + 1);
    else if (row->argument)
        length += fprintf(file, "=%s", row->argument);
    return length;
}

/* Writes the rows in two columns. A row without a name is a heading. */
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

static const struct note_row common_statuses[] = {
    {"0", "where all went well"},
    {"1", "where something could not be read or written"},
    {"2", "where the command line is wrong"},
    {NULL, NULL},
};

static const struct note_row environment_notes[] = {
    {"VK_ASSAY_<KEY>", "a setting of the layer, such as VK_ASSAY_VALIDATE_SYNC=true; options of "
                       "assay run win over them"},
    {"VK_LAYER_SETTINGS_PATH", "a vk_layer_settings.txt, or the directory that has one"},
    {"VK_ADD_LAYER_PATH",
     "where the loader looks for layers first; assay run puts the layer's directory before it, and "
     "does so with VK_LAYER_PATH, VK_INSTANCE_LAYERS, VK_LOADER_LAYERS_ENABLE and "
     "VK_LOADER_LAYERS_ALLOW where the program needs it"},
    {"VK_DRIVER_FILES", "the drivers' manifests; the loader's, as the others that begin with VK_"},
    {"TMPDIR",
     "where temporary files are; of large reports SQLITE_TMPDIR wins, and /var/tmp is the default"},
    {"PATH", "where llvm-symbolizer or addr2line is looked for (--symbols)"},
    {"NO_COLOR", "set and not empty: no colours on terminals"},
    {"COLUMNS", "the width of lines on a terminal, where it is not to be the terminal's own"},
    {"LC_ALL, LC_CTYPE, LANG",
     "the first of these that is set says whether text may have more than ASCII (UTF-8)"},
    {NULL, NULL},
};

static const struct note_row file_notes[] = {
    {"vk_layer_settings.txt",
     "settings, in the program's working directory; assay init writes one with every setting"},
    {"VkLayer_assay.json", "the layer's manifest: beside this program, in its build tree, or below "
                           "share/vulkan/explicit_layer.d of the installation"},
    {"libVkLayer_assay.so", "the layer; libVkLayer_assay_spirv.so beside it validates shaders"},
    {"*.jsonl", "findings, a line of JSON each (--json of assay run, the setting json_filename)"},
    {"*.supp", "suppressions, as assay run --help describes them"},
    {NULL, NULL},
};

/* Writes names and texts in two columns below a title. */
static void write_notes(FILE *file, const char *title, const struct note_row *row)
{
    fprintf(file, "\n%s:\n", title);
    for (; row->name; row++) {
        int length = fprintf(file, "  %s", row->name);
        if (length + 2 > TEXT_COLUMN) {
            fputc('\n', file);
            length = 0;
        }
        fprintf(file, "%*s", TEXT_COLUMN - length, "");
        write_words(file, row->text, TEXT_COLUMN);
    }
}

bool help_topic(FILE *file, const char *name)
{
    bool environment = !strcmp(name, "environment");
    if (!environment && strcmp(name, "files") != 0)
        return false;
    fputs(environment ? "what assay and the layer read of the environment"
                      : "what assay and the layer read and write",
          file);
    write_notes(file, name, environment ? environment_notes : file_notes);
    return true;
}

void help_command(FILE *file, const struct command *command)
{
    fprintf(file, "usage: assay %s %s\n\n", command->name, command->arguments);
    write_paragraphs(file, command->text);
    write_options(file, command->options);
    write_notes(file, "exit status", command->statuses ? command->statuses : common_statuses);
    if (command->examples && *command->examples)
        fprintf(file, "\nexamples:\n");
    for (const char *const *example = command->examples; example && *example; example += 2)
        fprintf(file, "  %s\n        %s\n", example[0], example[1]);
}

void help_all(FILE *file)
{
    fprintf(file,
            "usage: assay COMMAND [ARGUMENTS]\n\n"
            "Assay is a Vulkan validation layer; this is the program beside it.\n\ncommands:\n");
    for (const struct command *const *command = commands; *command; command++)
        fprintf(file, "  %-10s %s\n", (*command)->name, (*command)->summary);
    fprintf(file, "\nassay COMMAND --help says more about one command, assay help environment and "
                  "assay help files\n"
                  "what all of them look at, assay --version which version this is.\n");
}

/* --- the man page --- */

/* Writes a text for roff: backslashes and leading dots are escaped, and hyphens stay those that
 * users type. */
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

/* Writes text as roff. Indented lines are examples, and an empty one begins a paragraph. */
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

/* Writes one option with its argument, which is in brackets if it is optional. */
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

/* Writes names and texts as a list of definitions. */
static void write_man_notes(FILE *file, const struct note_row *row)
{
    for (; row->name; row++) {
        fputs(".TP\n\\fB", file);
        write_roff(file, row->name);
        fputs("\\fR\n", file);
        write_roff(file, row->text);
        fputs(".\n", file);
    }
}

/* Writes a command's section: text, options, exit statuses and examples. */
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
    fprintf(file, ".PP\nExit status:\n");
    write_man_notes(file, command->statuses ? command->statuses : common_statuses);
    for (const char *const *example = command->examples; example && *example; example += 2) {
        fprintf(file, ".PP\n.EX\n");
        write_roff(file, example[0]);
        fprintf(file, "\n.EE\n.RS\n");
        write_roff(file, example[1]);
        fprintf(file, "\n.RE\n");
    }
}

/* Writes the whole manual page, which is made of the same rows as the help. */
static void write_man(FILE *file)
{
    fprintf(file,
            ".TH ASSAY 1 \"\" \"assay %s\" \"Assay\"\n.SH NAME\nassay \\- use the Vulkan "
            "validation layer Assay\n",
            ASSAY_VERSION);
    fprintf(file,
            ".SH SYNOPSIS\n\\fBassay\\fR \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]\n.SH COMMANDS\n");
    for (const struct command *const *command = commands; *command; command++)
        write_man_command(file, *command);
    fprintf(file, ".SH EXIT STATUS\n");
    write_man_notes(file, common_statuses);
    fprintf(file, ".PP\nThat of \\fBassay run\\fR is the program's, and other commands say what "
                  "theirs means: see there.\n");
    fprintf(file, ".SH ENVIRONMENT\n");
    write_man_notes(file, environment_notes);
    fprintf(file, ".SH FILES\n");
    write_man_notes(file, file_notes);
    fprintf(file, ".SH SEE ALSO\n\\fBvulkaninfo\\fR(1), \\fBspirv\\-val\\fR(1)\n");
}

bool help_generate(FILE *file, const char *kind)
{
    static const struct {
        const char *kind;
        void (*write)(FILE *file);
    } kinds[] = {{"man", write_man},
                 {"bash", complete_bash},
                 {"zsh", complete_zsh},
                 {"fish", complete_fish}};
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        if (!strcmp(kinds[i].kind, kind)) {
            kinds[i].write(file);
            return true;
        }
    }
    tell("generate makes man, bash, zsh or fish");
    return false;
}
