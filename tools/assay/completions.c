/* Writes the completion scripts for shells. */
#include "assay/completions.h"

#include <string.h>

#include "assay/command.h"
#include "assay/run/environment.h"

/* True if the option needs an argument, which comes after "=" or as the next word. */
static bool has_argument(const struct option_row *row)
{
    return row->argument && !option_is_optional(row);
}

/* Returns what shells offer for the option's argument; NULL: nothing. */
static const char *values_of(const struct option_row *row)
{
    if (row->values || !row->argument)
        return row->values;
    return strstr(row->argument, "FILE") ? VALUES_FILES : NULL;
}

/* Returns the extensions in a value: "jsonl" for VALUES_FINDINGS, "spv spvasm" for VALUES_SHADERS;
 * NULL: it is not a list of extensions. */
static const char *endings_of(const char *values)
{
    static const char *const endings[] = {VALUES_FINDINGS, VALUES_SHADERS, VALUES_PROFILES};
    for (size_t i = 0; values && i < sizeof(endings) / sizeof(*endings); i++) {
        if (!strcmp(values, endings[i]))
            return values + 1;
    }
    return NULL;
}

/* Finds the next extension, to be printed with "%.*s". Returns false if there are no more. */
static bool next_ending(const char **endings, const char **ending, int *length)
{
    *endings += strspn(*endings, " ");
    *ending = *endings;
    *length = (int)strcspn(*endings, " ");
    *endings += *length;
    return *length != 0;
}

/* Writes a text in single quotation marks of the shell. */
static void write_quoted(FILE *file, const char *text)
{
    for (; *text; text++)
        fputs(*text == '\'' ? "'\\''" : (char[]){*text, 0}, file);
}

/* --- bash --- */

/* Writes a shell command that offers files with one of these extensions. */
static void bash_endings(FILE *file, const char *endings)
{
    const char *ending;
    int length;
    fputs("_assay_files", file);
    while (next_ending(&endings, &ending, &length))
        fprintf(file, " '*.%.*s'", length, ending);
}

/* Writes the command that fills COMPREPLY with values of this kind. */
static void bash_values(FILE *file, const char *values)
{
    if (!strcmp(values, VALUES_FILES))
        fputs("_assay_files '*'", file);
    else if (endings_of(values))
        bash_endings(file, endings_of(values));
    else if (!strcmp(values, VALUES_DIRECTORIES))
        fputs("COMPREPLY=($(compgen -d -- \"$2\"))", file);
    else if (!strcmp(values, VALUES_SETTING))
        fputs("_assay_setting \"$2\"", file);
    else if (!strcmp(values, VALUES_COMMAND))
        fputs("COMPREPLY=($(compgen -c -- \"$2\"))", file);
    else
        fprintf(file, "COMPREPLY=($(compgen -W \"%s\" -- \"$2\"))", values);
}

/* Writes the case with a setting's values; nothing for a setting that takes any value. */
static void bash_setting(void *user, const char *key, const char *values)
{
    if (*values)
        fprintf(user, "        %s) words=\"%s\" ;;\n", key, values);
}

/* Writes a setting's name as a word, for the list of all settings. */
static void bash_key(void *user, const char *key, const char *values)
{
    (void)values;
    fprintf(user, "%s= ", key);
}

/* Writes the case of a command: its options' values, its options, and its operands. */
static void bash_command(FILE *file, const struct command *command)
{
    fprintf(file, "    %s)\n        case $option in\n", command->name);
    for (const struct option_row *row = command->options; row && row->key; row++) {
        if (!row->name || !values_of(row))
            continue;
        fprintf(file, "        --%s) ", row->name);
        bash_values(file, values_of(row));
        fputs("; return ;;\n", file);
    }
    fputs("        ?*) return ;;\n        esac\n        if [[ $2 == -* ]]; then\n            "
          "COMPREPLY=($(compgen -W \"",
          file);
    for (const struct option_row *row = command->options; row && row->key; row++) {
        if (row->name)
            fprintf(file, "--%s%s ", row->name, has_argument(row) ? "=" : "");
    }
    fputs("--help\" -- \"$2\"))\n        else\n            ", file);
    bash_values(file, command->operands);
    fputs("\n        fi ;;\n", file);
}

/* Writes the command's options whose argument may be the next word. */
static void bash_takers(FILE *file, const struct command *command)
{
    bool any = false;
    for (const struct option_row *row = command->options; row && row->key; row++) {
        if (!row->name || !has_argument(row))
            continue;
        fprintf(file, any ? "|%s:--%s" : "%s:--%s", command->name, row->name);
        if (row->key < OPTION_KEYS)
            fprintf(file, "|%s:-%c", command->name, row->key);
        any = true;
    }
}

void complete_bash(FILE *file)
{
    fputs("# Completion of assay for bash, made from the table that --help is made from.\n"
          "_assay_files() # pattern...\n{\n"
          "    local IFS=$'\\n' path pattern\n"
          "    compopt -o filenames 2>/dev/null\n"
          "    COMPREPLY=()\n"
          "    for path in $(compgen -f -- \"$_assay_word\"); do\n"
          "        for pattern in \"$@\"; do\n"
          "            [[ -d $path || $path == $pattern ]] || continue\n"
          "            COMPREPLY+=(\"$path\")\n"
          "            break\n"
          "        done\n"
          "    done\n}\n\n"
          "_assay_setting() # KEY, or KEY=VALUE\n{\n"
          "    local words=\n"
          "    if [[ $1 != *=* ]]; then\n        COMPREPLY=($(compgen -W \"",
          file);
    settings_each(bash_key, file);
    fputs("\" -- \"$1\"))\n        return\n    fi\n    case ${1%%=*} in\n", file);
    settings_each(bash_setting, file);
    fputs("    esac\n    COMPREPLY=($(compgen -P \"${1%%=*}=\" -W \"$words\" -- "
          "\"${1#*=}\"))\n}\n\n"
          "_assay_takes() # command:option; is the next word its argument?\n{\n    case $1 in\n",
          file);
    for (const struct command *const *command = commands; *command; command++) {
        const struct option_row *row = (*command)->options;
        bool any = false;
        for (; row && row->key; row++)
            any |= row->name && has_argument(row);
        if (!any)
            continue;
        fputs("    ", file);
        bash_takers(file, *command);
        fputs(") return 0 ;;\n", file);
    }
    fputs("    esac\n    return 1\n}\n\n"
          "_assay_values() # command, word; $option is the one that the word belongs to\n{\n    "
          "local _assay_word=$2\n    case $1 in\n",
          file);
    for (const struct command *const *command = commands; *command; command++)
        bash_command(file, *command);
    fputs("    esac\n}\n\n"
          "# (Words are split here, and not by bash, which takes \"=\" for the end of one.)\n"
          "_assay()\n{\n"
          "    local line=${COMP_LINE:0:COMP_POINT} words word option= before=\n"
          "    read -ra words <<<\"$line\"\n"
          "    [[ $line == *' ' ]] && words+=('')\n"
          "    local last=$((${#words[@]} - 1))\n"
          "    word=${words[last]}\n"
          "    COMPREPLY=()\n"
          "    if ((last == 1)); then\n        COMPREPLY=($(compgen -W \"",
          file);
    for (const struct command *const *command = commands; *command; command++)
        fprintf(file, "%s ", (*command)->name);
    fputs("help --help --version\" -- \"$word\"))\n        return\n    fi\n"
          "    local command=${words[1]} i\n"
          "    if [[ $command == help ]]; then\n        COMPREPLY=($(compgen -W \"",
          file);
    for (const struct command *const *command = commands; *command; command++)
        fprintf(file, "%s ", (*command)->name);
    fputs("environment files\" -- \"$word\"))\n        return\n    fi\n"
          "    # From the program on, the words are the program's.\n"
          "    if [[ $command == run ]]; then\n"
          "        for ((i = 2; i < last; i++)); do\n"
          "            if [[ ${words[i]} == -- ]]; then\n                ((i++))\n                "
          "break\n            fi\n"
          "            [[ ${words[i]} == -* ]] || break\n"
          "            _assay_takes \"run:${words[i]}\" && ((i++))\n"
          "        done\n"
          "        if ((i < last)) && declare -F _command_offset >/dev/null; then\n"
          "            for ((i = 2; i < COMP_CWORD; i++)); do\n"
          "                [[ ${COMP_WORDS[i]} == -- ]] && ((i++)) && break\n"
          "                [[ ${COMP_WORDS[i]} == -* || ${COMP_WORDS[i]} == '=' || ${COMP_WORDS[i "
          "- 1]} == '=' ]] && continue\n"
          "                _assay_takes \"run:${COMP_WORDS[i - 1]}\" || break\n"
          "            done\n"
          "            _command_offset \"$i\"\n            return\n"
          "        elif ((i < last)); then\n            COMPREPLY=($(compgen -f -- \"$word\"))\n   "
          "         return\n        fi\n"
          "    fi\n"
          "    if [[ $word == --*=* ]]; then\n"
          "        option=${word%%=*}\n        before=$option=\n        word=${word#*=}\n"
          "    elif _assay_takes \"$command:${words[last - 1]}\"; then\n        "
          "option=${words[last - 1]}\n    fi\n"
          "    [[ $option != -o ]] || option=--output\n"
          "    _assay_values \"$command\" \"$word\"\n"
          "    # bash replaces what stands after the last \"=\".\n"
          "    if [[ $COMP_WORDBREAKS == *=* && $word == *=* ]]; then\n"
          "        COMPREPLY=(\"${COMPREPLY[@]#\"${word%=*}=\"}\")\n"
          "    elif [[ $COMP_WORDBREAKS != *=* && $before ]]; then\n"
          "        COMPREPLY=(\"${COMPREPLY[@]/#/$before}\")\n"
          "    fi\n"
          "    [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace "
          "2>/dev/null\n"
          "}\ncomplete -F _assay assay\n",
          file);
}

/* --- zsh --- */

/* Writes a text, with the characters escaped that have a meaning in a specification of
 * _arguments. */
static void zsh_text(FILE *file, const char *text)
{
    for (; *text; text++) {
        if (strchr("[]:\\", *text))
            fputc('\\', file);
        fputs(*text == '\'' ? "'\\''" : (char[]){*text, 0}, file);
    }
}

/* Writes a glob for files with one of these extensions. */
static void zsh_endings(FILE *file, const char *endings)
{
    const char *ending, *before = "_files -g \"*.(";
    int length;
    for (; next_ending(&endings, &ending, &length); before = "|")
        fprintf(file, "%s%.*s", before, length, ending);
    fputs(")(-.)\"", file);
}

/* Writes the part `:WHAT:ACTION` for an argument. `values` NULL: nothing is offered. */
static void zsh_values(FILE *file, const char *what, const char *values)
{
    fputc(':', file);
    zsh_text(file, what);
    fputc(':', file);
    if (!values)
        fputs("( )", file);
    else if (!strcmp(values, VALUES_FILES))
        fputs("_files", file);
    else if (endings_of(values))
        zsh_endings(file, endings_of(values));
    else if (!strcmp(values, VALUES_DIRECTORIES))
        fputs("_directories", file);
    else if (!strcmp(values, VALUES_SETTING))
        fputs("_assay_setting", file);
    else
        fprintf(file, "(%s)", values);
}

/* Writes a specification for _values; a setting that takes any value has an empty action. */
static void zsh_setting(void *user, const char *key, const char *values)
{
    fprintf(user, "        '%s%s%s%s'\n", key, *values ? ":value:(" : ":value:", values,
            *values ? ")" : "");
}

/* Writes the case of a command. Its options may be given several times. */
static void zsh_command(FILE *file, const struct command *command)
{
    fprintf(file, "%s)\n    _arguments -S", command->name);
    for (const struct option_row *row = command->options; row && row->key; row++) {
        if (!row->name)
            continue;
        fprintf(file, " \\\n        '*--%s%s[", row->name,
                !row->argument            ? ""
                : option_is_optional(row) ? "=-"
                                          : "=");
        zsh_text(file, row->text);
        fputc(']', file);
        if (row->argument)
            zsh_values(file, row->argument, values_of(row));
        fputc('\'', file);
        if (row->key < OPTION_KEYS) {
            fprintf(file, " \\\n        '-%c[", row->key);
            zsh_text(file, row->text);
            fputc(']', file);
            if (row->argument)
                zsh_values(file, row->argument, values_of(row));
            fputc('\'', file);
        }
    }
    fputs(" \\\n        '--help[this text]' \\\n        ", file);
    if (!strcmp(command->operands, VALUES_COMMAND)) {
        fputs("'(-):program:_command_names -e' '*::arguments:_normal' ;;\n", file);
        return;
    }
    fputs("'*", file);
    zsh_values(file, "file", command->operands);
    fputs("' ;;\n", file);
}

void complete_zsh(FILE *file)
{
    fputs("#compdef assay\n# Completion of assay for zsh, made from the table that --help is made "
          "from.\n"
          "_assay_setting()\n{\n    local -a settings=(\n",
          file);
    settings_each(zsh_setting, file);
    fputs("    )\n    _values -S = setting $settings\n}\n\nif (( CURRENT == 2 )); then\n    "
          "_values command",
          file);
    for (const struct command *const *command = commands; *command; command++)
        fprintf(file, " '%s[%s]'", (*command)->name, (*command)->summary);
    fputs(" 'help[what a command does]'\n    return\nfi\nshift words; (( CURRENT-- ))\ncase "
          "$words[1] in\n",
          file);
    for (const struct command *const *command = commands; *command; command++)
        zsh_command(file, *command);
    fputs("help)\n    _values topic", file);
    for (const struct command *const *command = commands; *command; command++)
        fprintf(file, " %s", (*command)->name);
    fputs(" environment files ;;\nesac\n", file);
}

/* --- fish --- */

/* Writes the arguments of `complete` for files with one of these extensions. */
static void fish_endings(FILE *file, const char *endings)
{
    fprintf(file, " -x -a '(__assay_files %s)'", endings);
}

/* Writes the arguments of `complete` for values of this kind. NULL: neither words nor files are
 * offered. */
static void fish_values(FILE *file, const char *values)
{
    if (!values)
        fputs(" -x", file);
    else if (!strcmp(values, VALUES_FILES))
        fputs(" -r -F", file);
    else if (endings_of(values))
        fish_endings(file, endings_of(values));
    else if (!strcmp(values, VALUES_DIRECTORIES))
        fputs(" -x -a '(__fish_complete_directories)'", file);
    else if (!strcmp(values, VALUES_SETTING))
        fputs(" -x -a '(__assay_settings)'", file);
    else if (!strcmp(values, VALUES_COMMAND))
        fputs(" -x -a '(__assay_program)'", file);
    else
        fprintf(file, " -x -a '%s'", values);
}

/* Writes a line `key=value` for each value of the setting, or one line `key=` if it takes any
 * value. */
static void fish_setting(void *user, const char *key, const char *values)
{
    char word[128];
    if (!*values)
        fprintf(user, "    echo %s=\n", key);
    for (; *values; values += strspn(values, " ")) {
        int length = (int)strcspn(values, " ");
        snprintf(word, sizeof(word), "%.*s", length, values);
        fprintf(user, "    echo %s=%s\n", key, word);
        values += length;
    }
}

/* Writes the command's options whose argument may be the next word. */
static void fish_takers(FILE *file, const struct command *command)
{
    for (const struct option_row *row = command->options; row && row->key; row++) {
        if (!row->name || !has_argument(row))
            continue;
        fprintf(file, " --%s", row->name);
        if (row->key < OPTION_KEYS)
            fprintf(file, " -%c", row->key);
    }
}

/* Writes a function that finds where the program's own words begin after `assay run`, as in `assay
 * run --limit 3 -- bash --norc`. */
static void fish_program(FILE *file)
{
    fputs("function __assay_program_at # of the words before the cursor; past them: the program is "
          "not there yet\n"
          "    set -l words (commandline -opc)\n"
          "    set -l at 3\n"
          "    while test $at -le (count $words)\n"
          "        switch $words[$at]\n"
          "            case --\n"
          "                set at (math $at + 1)\n"
          "                break\n"
          "            case",
          file);
    for (const struct command *const *command = commands; *command; command++) {
        if (!strcmp((*command)->operands, VALUES_COMMAND))
            fish_takers(file, *command);
    }
    fputs("\n                set at (math $at + 2)\n"
          "            case '-*'\n"
          "                set at (math $at + 1)\n"
          "            case '*'\n"
          "                break\n"
          "        end\n"
          "    end\n"
          "    echo $at\n"
          "end\n"
          "function __assay_before_program\n"
          "    not contains -- -- (commandline -opc)[3..-1]\n"
          "    and test (__assay_program_at) -gt (count (commandline -opc))\n"
          "end\n"
          "function __assay_program\n"
          "    set -l words (commandline -opc)\n"
          "    set -l at (__assay_program_at)\n"
          "    set -l word (commandline -ct)\n"
          "    test $at -le (math (count $words) + 1); or return\n"
          "    __assay_before_program; and string match -q -- '-*' $word; and return\n"
          "    set -l own\n"
          "    test $at -le (count $words); and set own (string escape -- $words[$at..-1])\n"
          "    complete --do-complete=(string join ' ' -- $own $word)\n"
          "end\n",
          file);
}

void complete_fish(FILE *file)
{
    fputs("# Completion of assay for fish, made from the table that --help is made from.\nfunction "
          "__assay_settings\n",
          file);
    settings_each(fish_setting, file);
    fputs("end\n"
          "function __assay_files # ending...\n"
          "    for path in (__fish_complete_path (commandline -ct | string replace -r -- "
          "'^-[^=]*=' ''))\n"
          "        set -l file (string replace -r '\\t.*' '' -- $path)\n"
          "        for ending in $argv\n"
          "            string match -q -- \"*.$ending\" $file; and echo $file\n"
          "        end\n"
          "        string match -q -- '*/' $file; and echo $file\n"
          "    end\n"
          "end\n",
          file);
    fish_program(file);
    fputs("complete -c assay -f\n", file);
    for (const struct command *const *command = commands; *command; command++) {
        fprintf(file, "complete -c assay -n __fish_use_subcommand -f -a %s -d '", (*command)->name);
        write_quoted(file, (*command)->summary);
        fprintf(file, "'\ncomplete -c assay -n '__fish_seen_subcommand_from help' -f -a %s\n",
                (*command)->name);
        fprintf(file, "complete -c assay -n '__fish_seen_subcommand_from %s'", (*command)->name);
        fish_values(file, (*command)->operands);
        fputc('\n', file);
        for (const struct option_row *row = (*command)->options; row && row->key; row++) {
            if (!row->name)
                continue;
            fprintf(file, "complete -c assay -n '__fish_seen_subcommand_from %s%s' -l %s",
                    (*command)->name,
                    strcmp((*command)->operands, VALUES_COMMAND) ? ""
                                                                 : "; and __assay_before_program",
                    row->name);
            if (row->key < OPTION_KEYS)
                fprintf(file, " -s %c", row->key);
            if (has_argument(row))
                fish_values(file, values_of(row));
            fputs(" -d '", file);
            write_quoted(file, row->text);
            fputs("'\n", file);
        }
    }
    fputs("complete -c assay -n __fish_use_subcommand -f -a help -d 'what a command does'\n"
          "complete -c assay -n '__fish_seen_subcommand_from help' -f -a 'environment files'\n",
          file);
}
