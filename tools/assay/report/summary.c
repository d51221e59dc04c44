/* Writes the end of `assay run`: how the program ended, what was found, and the files that were
 * asked for. */
#include <errno.h>
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assay/aftermath/aftermath.h"
#include "assay/run/privileges.h"
#include "assay/report/report.h"
#include "assay/run/run.h"
#include "assay/run/stream.h"
#include "assay/run/terminal.h"

/* Writes "assay: ", bold on a terminal. */
static void begin_line(const struct run *run)
{
    fputs(run->color ? "\033[1massay:\033[0m " : "assay: ", stderr);
}

#define LINE_INDENT 7 /* columns of "assay: " */

/* Writes that no instance had the layer, so that nothing was checked. */
static void write_unchecked(const struct run *run, const char *program)
{
    char text[2 * PATH_MAX + 512], path[PATH_MAX];
    const char *privileges = program_find(program, path) ? program_privileges(path) : NULL;
    if (privileges)
        snprintf(text, sizeof(text),
                 "Nothing was checked: no Vulkan instance was made with the layer. The program "
                 "runs with raised privileges (%s), and the loader takes no layers from the "
                 "environment then: run a copy of it without these rights (cp %s copy).",
                 privileges, path);
    else if (run->loader_looked)
        snprintf(text, sizeof(text),
                 "Nothing was checked: no Vulkan instance was made with the layer. A Vulkan loader "
                 "has looked for it, so either the program made no instance or the loader could "
                 "not load %s; `assay doctor %s` looks into it.",
                 run->layer.library[0] ? run->layer.library : "the layer", program);
    else
        snprintf(text, sizeof(text),
                 "Nothing was checked: no Vulkan instance was made with the layer, and no Vulkan "
                 "loader has looked for it. The program does not use Vulkan, or did not get that "
                 "far, or does not have this environment (sudo, a container); `assay doctor %s` "
                 "looks into it.",
                 program);
    write_wrapped(stderr, text, LINE_INDENT);
    fputc('\n', stderr);
}

/* Writes for how many instances and devices the layer was on, and what it checked. */
static void write_coverage(const struct run *run)
{
    const struct record *record = &run->coverage;
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    if (!memory)
        return;
    fputs("The layer was on for ", memory);
    write_plural(memory, record->instances, "instance");
    fputs(" and ", memory);
    if (record->devices)
        write_plural(memory, record->devices, "device");
    else
        fputs("no device", memory);
    fputs(", and ", memory);
    record_write_checks(memory, record);
    fputc('.', memory);
    fclose(memory);
    fprintf(stderr, "%*s", LINE_INDENT, "");
    write_wrapped(stderr, text, LINE_INDENT);
    fputc('\n', stderr);
    free(text);
}

/* Writes how many findings labels and tags have muted. */
static void write_muted(const struct run *run)
{
    const struct muted_counts *muted = &run->muted;
    if (!muted->by_labels && !muted->by_tags)
        return;
    fputs(run->told || run->suppressed ? ", and " : ", but ", stderr);
    write_count(stderr, muted->by_labels ? muted->by_labels : muted->by_tags);
    fputs(muted->by_labels ? " muted by labels" : " muted by tags", stderr);
    if (muted->by_labels && muted->by_tags) {
        fputs(", and ", stderr);
        write_count(stderr, muted->by_tags);
        fputs(" by tags", stderr);
    }
}

/* Writes how the program ended, and what the layer saw of it. */
static void write_ending(const struct run *run, const char *program)
{
    const struct ending *ending = &run->ending;
    begin_line(run);
    if (ending->signal)
        fprintf(stderr, "%s was killed by signal %d (%s)%s", program, ending->signal,
                strsignal(ending->signal), ending->with_core ? ", core dumped" : "");
    else
        fprintf(stderr, "%s ended with status %d", program, ending->status);
    if (!run->coverage.instances && !run->told) {
        fputs(".\n", stderr);
        begin_line(run);
        write_unchecked(run, program);
        return;
    }
    fputs(run->told ? ": " : ": nothing was found", stderr);
    if (run->told)
        write_plural(stderr, run->told, "finding");
    if (run->told) {
        fputs(", ", stderr);
        write_plural(stderr, run->errors, "error");
    }
    if (run->suppressed) {
        fputs(run->told ? ", and " : ", but ", stderr);
        write_count(stderr, run->suppressed);
        fputs(" suppressed", stderr);
    }
    write_muted(run);
    if (run->unwanted) {
        fputs(run->told || run->suppressed ? ", and " : ", but ", stderr);
        write_count(stderr, run->unwanted);
        fputs(" of other ids (--only)", stderr);
    }
    fputs(".\n", stderr);
    write_coverage(run);
}

static void write_limited(const void *node, VISIT visit, int depth)
{
    (void)depth;
    if (visit == postorder || visit == leaf)
        fprintf(stderr, "    %s\n", *(char *const *)node);
}

/* Writes notes about the run itself: processes that still run, damaged lines, limits, and
 * suppressions that were not needed. */
static void write_notes(const struct run *run)
{
    char *unused = NULL;
    size_t length = 0;
    if (run->ending.still_runs) {
        begin_line(run);
        fputs("Processes that it started still run; what is found in them from here on is not "
              "reported.\n",
              stderr);
    }
    if (run->damaged) {
        begin_line(run);
        write_plural(stderr, run->damaged, "line");
        fputs(" of findings came in pieces, from processes that died while they wrote.\n", stderr);
    }
    if (run->limited && run->coverage.ended < run->coverage.instances) {
        begin_line(run);
        fputs("These came as often as each id is reported (--limit), and perhaps more often:\n",
              stderr);
        twalk(run->limited, write_limited);
    }
    if (run->coverage.further_count) {
        begin_line(run);
        fputs("These came from more places than are reported (--limit=0 reports all):\n", stderr);
        for (uint32_t i = 0; i < run->coverage.further_count; i++)
            fprintf(stderr, "    %s\n", run->coverage.further[i]);
    }
    FILE *memory = open_memstream(&unused, &length);
    if (!memory)
        return;
    uint32_t count = suppressions_write_unused(memory, &run->suppressions);
    fclose(memory);
    if (count) {
        begin_line(run);
        fprintf(stderr, "%s not needed:\n%s",
                count == 1 ? "This suppression was" : "These suppressions were", unused);
    }
    free(unused);
}

static bool write_file(struct report *report, const char *path, bool (*form)(struct report *report))
{
    if (!path)
        return true;
    report->out = fopen(path, "we");
    bool good = report->out && form(report);
    bool written = report->out && !ferror(report->out);
    if (report->out && fclose(report->out) != 0)
        written = false;
    if (!written)
        tell("%s: %s", path, strerror(errno));
    return good && written;
}

static bool write_suppressions(const struct run *run, struct store *store)
{
    if (!run->made_suppressions)
        return true;
    if (!strcmp(run->made_suppressions, "-")) {
        fputc('\n', stderr);
        return suppressions_make(stderr, store, run->kept, &run->wrappers);
    }
    FILE *file = fopen(run->made_suppressions, "we");
    bool good = file && suppressions_make(file, store, run->kept, &run->wrappers);
    if (file && fclose(file) == 0)
        return good;
    tell("%s: %s", run->made_suppressions, strerror(errno));
    return false;
}

/* Makes the program's name the origin of findings in reports, in place of a temporary file. */
static void name_source(const struct run *run, struct store *store, const char *program)
{
    char *name = run->json ? NULL : strdup(base_name(program));
    if (!name)
        return;
    free(store->files[0].path);
    store->files[0].path = name;
}

/* Writes the report as text, through a filter, since names and messages may have escape
 * sequences. */
static bool summary_write_text(struct report *report)
{
    report->out = terminal_filter(stderr, false);
    report->colored = report->out != stderr && stream_wants_color(STDERR_FILENO) ? stderr : NULL;
    bool good = report_text(report);
    if (report->out != stderr)
        fclose(report->out);
    return good;
}

/* Writes the summary, and each report that was asked for. Returns false if one could not be
 * written. */
static bool write_reports(const struct run *run, struct store *store, const char *program)
{
    struct report report = {.store = store,
                            .out = stderr,
                            .without_total = true,
                            .brief = !run->quiet && !run->all,
                            .all = run->all};
    /* Findings were refined already, so the frames are only for source lines. */
    store->frames = run->frames.modules ? &run->frames : NULL;
    if (!store_read(store, run->kept, false) || !store_finish(store))
        return false;
    name_source(run, store, program);
    if (run->symbols)
        report.symbols = symbols_find(store);
    bool good = !run->told || summary_write_text(&report);
    good &= write_file(&report, run->html, report_html);
    good &= write_file(&report, run->sarif, report_sarif);
    good &= write_file(&report, run->junit, report_junit);
    good &= write_suppressions(run, store);
    symbols_free(report.symbols);
    return good;
}

/* Writes a word, quoted for a shell if necessary. */
static void write_word(FILE *to, const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                "0123456789_@%+=:,./-";
    if (*word && !word[strspn(word, plain)]) {
        fprintf(to, " %s", word);
        return;
    }
    fputs(" '", to);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", to);
        else
            fputc(*word, to);
    }
    fputc('\'', to);
}

/* Begins a line with a command. It is written through a filter, since names may have escape
 * sequences. */
static FILE *begin_command(const struct run *run)
{
    begin_line(run);
    return terminal_filter(stderr, false);
}

static void end_command(FILE *to)
{
    fputc('\n', to);
    if (to != stderr)
        fclose(to);
}

/* Returns how many words (1 or 2) an option that writes a file has; 0: it is another option. */
static int file_words(char *const *words, int count)
{
    static const char *const names[] = {"--json", "--html", "--sarif", "--junit",
                                        "--make-suppressions"};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        const size_t length = strlen(names[i]);
        const bool has_next = i + 1 < sizeof(names) / sizeof(*names) && count > 1;
        if (!strncmp(*words, names[i], length) && (!(*words)[length] || (*words)[length] == '='))
            return 1 + ((*words)[length] != '=' && has_next);
    }
    return 0;
}

/* Writes a command that can be pasted: "assay run" with the options that were given, and further
 * ones. Without `files`, options that write files are left out. */
static void write_run(FILE *to, const struct run *run, char *const *program, bool files,
                      const char *const *further)
{
    fputs(" assay run", to);
    for (int i = 0; i < run->option_count; i++) {
        const int words = files ? 0 : file_words(run->options + i, run->option_count - i);
        if (words)
            i += words - 1;
        else if (strcmp(run->options[i], "--") != 0)
            write_word(to, run->options[i]);
    }
    for (; *further; further++)
        write_word(to, *further);
    fputs(" --", to);
    for (int i = 0; program[i]; i++)
        write_word(to, program[i]);
}

/* Writes the option --caller-ignore, if most callers are frames of one wrapper. */
static void write_wrapper(const struct run *run, char *const *program)
{
    const char *const ignored = run->frames.ignored;
    /* (--set wins over --caller-ignore.) */
    const bool set = run_setting(run, "caller_ignore") != NULL;
    struct wrapper wrapper;
    char *option = NULL;
    if (!wrappers_find(&run->wrappers, &wrapper) ||
        asprintf(&option, "--%s=%s%s%s", set ? "set=caller_ignore" : "caller-ignore",
                 ignored ? ignored : "", ignored && *ignored ? "," : "", wrapper.pattern) < 0)
        return;
    FILE *to = begin_command(run);
    fprintf(to, "%" PRIu64 " of %" PRIu64 " begin in the %s %s; what called it is shown by:",
            wrapper.findings, run->wrappers.looked, wrapper.kind, wrapper.pattern);
    write_run(to, run, program, true, (const char *const[]){option, NULL});
    end_command(to);
    free(option);
}

static bool has_stacks(const struct run *run)
{
    return run->record_stacks || (run->frames.ignored && *run->frames.ignored);
}

static bool has_option(const struct run *run, const char *option)
{
    for (int i = 0; i < run->option_count; i++) {
        if (!strcmp(run->options[i], option))
            return true;
    }
    return false;
}

/* Writes a command that reports only the gravest id. */
static void write_only(const struct run *run, char *const *program, const char *id)
{
    const char *further[4] = {NULL};
    char *option = NULL;
    int count = 0;
    if (!id || asprintf(&option, "--only=%s", id) < 0)
        return;
    further[count++] = option;
    if (!has_option(run, "--symbols"))
        further[count++] = "--symbols";
    if (!has_option(run, "--record-stacks") && !run->frames.ignored)
        further[count++] = "--record-stacks";
    FILE *to = begin_command(run);
    fprintf(to, "%s alone, with lines and stacks:", id);
    write_run(to, run, program, false, further);
    end_command(to);
    free(option);
}

/* Writes commands that report everything with source lines, and with the stacks of objects. */
static void write_page(const struct run *run, char *const *program)
{
    const char *further[3] = {NULL};
    int count = 0;
    if (run->html && has_stacks(run))
        return;
    FILE *to = begin_command(run);
    if (run->json && !run->html) {
        fputs("as a page, with the lines of source: assay report --html -o report.html", to);
        write_word(to, run->json);
        end_command(to);
        return;
    }
    fputs(run->html ? "with the stacks of objects and recorded commands:"
                    : "as a page, with lines of source and the stacks of objects:",
          to);
    if (!has_stacks(run))
        further[count++] = "--record-stacks";
    if (!run->html)
        further[count++] = "--html=report.html";
    write_run(to, run, program, true, further);
    end_command(to);
}

/* Writes commands that show more of the findings. `id` is the gravest of several ids; NULL: there
 * is only one. */
static void write_more(const struct run *run, char *const *program, const char *id)
{
    if (!run->told)
        return;
    write_wrapper(run, program);
    write_only(run, program, id);
    write_page(run, program);
}

/* Returns the id that comes first in reports, if there are several; else NULL. The caller frees
 * it. */
static char *gravest_id(const struct store *store)
{
    const char *first = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; store && i < store->rule_count; i++) {
        const struct rule *rule = &store->rules[store->ranked[i]];
        first = first || !rule->count ? first : rule->id;
        count += rule->count != 0;
    }
    return count > 1 ? strdup(first) : NULL;
}

bool summary_write(struct run *run, char *const *words)
{
    const char *program = words[0];
    write_ending(run, program);
    if (run->aftermath_found) {
        begin_line(run);
        write_plural(stderr, run->aftermath_found, "finding");
        fputs(" of shaders had not been read when the program died.\n", stderr);
    }
    aftermath_write(run, stderr);
    struct store *store = NULL;
    bool needed = run->told || run->html || run->sarif || run->junit || run->made_suppressions;
    bool good = !needed || ((store = store_open()) && write_reports(run, store, program));
    char *id = good ? gravest_id(store) : NULL;
    store_close(store);
    write_notes(run);
    write_more(run, words, id);
    free(id);
    return good;
}
