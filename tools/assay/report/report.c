/* Implements `assay report`: reads the command line and the files, and writes the report in the
 * form that is asked for. */
#include "assay/report/report.h"
#include "assay/run/terminal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assay/run/outside.h"
#include "assay/symbols/perf_map.h"
#include "assay/run/stream.h"

enum option {
    OPTION_TEXT = OPTION_KEYS,
    OPTION_HTML,
    OPTION_SARIF,
    OPTION_JUNIT,
    OPTION_SQLITE,
    OPTION_SYMBOLS,
    OPTION_MODULES,
    OPTION_SINCE,
    OPTION_ALL,
    OPTION_NO_SOURCE,
    OPTION_CALLER_IGNORE,
};

static const struct option_row options[] = {
    {1, NULL, NULL, "the form of the report; one of"},
    {OPTION_TEXT, "text", NULL,
     "a summary for people: by id, and hazards by the two places that race (this is the default)"},
    {OPTION_HTML, "html", NULL,
     "one page for a browser, with everything in it, and pictures of what was not synchronized"},
    {OPTION_SARIF, "sarif", NULL,
     "SARIF 2.1.0, which code-scanning sites and editors show on the line"},
    {OPTION_JUNIT, "junit", NULL,
     "JUnit XML for CI: a suite for each file, in which an error fails its case"},
    {OPTION_SQLITE, "sqlite", "FILE",
     "an SQLite database, FILE, to be queried with the tools that there are for those"},
    {1, NULL, NULL, "what goes into it"},
    {OPTION_SYMBOLS, "symbols", NULL,
     "file and line of callers, by llvm-symbolizer or addr2line; --html, --sarif and --junit have "
     "them without it"},
    {OPTION_MODULES, "modules", "DIRECTORIES",
     "where programs and libraries are looked for by their names if they are not where they ran, "
     "separated by colons; means --symbols",
     VALUES_DIRECTORIES},
    {OPTION_CALLER_IGNORE, "caller-ignore", "NAMES",
     "functions and source files whose calls are their callers', such as an engine's wrapper: "
     "rhi::*,*/rhi/*.cpp,rhi.h",
     NULL},
    {OPTION_ALL, "all", NULL, "in the text, every place, object and text, however many there are"},
    {OPTION_NO_SOURCE, "no-source", NULL,
     "put no lines of source into the page, which has those around each caller where their files "
     "can be read"},
    {OPTION_SINCE, "since", "OLD",
     "an older run to compare with: tells what is new, known and gone; may be given several times",
     VALUES_FINDINGS},
    {1, NULL, NULL, "where it goes"},
    {'o', "output", "FILE", "write to FILE and not to standard output"},
    {0, NULL, NULL, NULL},
};

static const char *const examples[] = {
    "assay report findings.jsonl",
    "what was found, as text",
    "assay report --html -o report.html run-*.jsonl",
    "one page of the findings of many runs, with the lines of source",
    "assay report --junit --since last-week.jsonl today.jsonl",
    "for CI: only what is new fails",
    "assay report --sqlite findings.db fleet/*.jsonl; sqlite3 findings.db 'SELECT * FROM summary'",
    "a database of the findings of a fleet",
    NULL,
};

static int report_run(int argc, char **argv);

const struct command report_command = {
    .name = "report",
    .arguments = "FINDINGS.jsonl... [OPTIONS]",
    .summary = "what files of findings say, as text, HTML, SARIF, JUnit or a database",
    .text =
        "Puts together what the layer wrote to files (its setting json_filename), of one run or of "
        "many. Findings that are the same, by id, place in the program and kind and names of "
        "objects, are reported once, with how often they came and from which files.\n\n"
        "Files may be of any size. \"-\" is standard input. A damaged line, as a process leaves "
        "that dies while it writes, is reported and left out; nothing else is lost by it.",
    .options = options,
    .operands = VALUES_FINDINGS,
    .examples = examples,
    .run = report_run,
};

struct request {
    int form; /* enum option; 0: none was asked for */
    const char *database, *output, *modules;
    const char *caller_ignore;
    bool symbols, all, without_source;
    const char **files, **old; /* owned */
    int file_count, old_count;
};

static bool take_form(struct request *request, int form)
{
    if (request->form && request->form != form) {
        tell("one form at a time: of --text, --html, --sarif, --junit and --sqlite only one "
             "can be given");
        return false;
    }
    request->form = form;
    return true;
}

/* Takes one option or file of `assay report`. Returns false if it is wrong, which has been
 * reported. */
static bool report_accept(void *user, int key, const char *argument)
{
    struct request *request = user;
    switch (key) {
    case 0:
        request->files[request->file_count++] = argument;
        return true;
    case 'o':
        request->output = argument;
        return true;
    case OPTION_SQLITE:
        request->database = argument;
        return take_form(request, key);
    case OPTION_MODULES:
        request->modules = argument;
        request->symbols = true;
        return true;
    case OPTION_SYMBOLS:
        request->symbols = true;
        return true;
    case OPTION_CALLER_IGNORE:
        request->caller_ignore = argument;
        return true;
    case OPTION_ALL:
        request->all = true;
        return true;
    case OPTION_NO_SOURCE:
        request->without_source = true;
        return true;
    case OPTION_SINCE:
        request->old[request->old_count++] = argument;
        return true;
    default:
        return take_form(request, key);
    }
}

/* Reads all files. Those that cannot be read are reported, and the others are used. Returns false
 * if no file could be read. */
static bool read_files(struct store *store, const struct request *request, bool *all)
{
    for (int i = 0; i < request->old_count; i++) {
        if (!store_read(store, request->old[i], true))
            return false; /* without the older run all findings would be new */
    }
    int good = 0;
    for (int i = 0; i < request->file_count; i++)
        good += store_read(store, request->files[i], false);
    *all = good == request->file_count;
    return good > 0 && store_finish(store);
}

static bool report_make(struct report *report, const struct request *request)
{
    switch (request->form) {
    case OPTION_HTML:
        return report_html(report);
    case OPTION_SARIF:
        return report_sarif(report);
    case OPTION_JUNIT:
        return report_junit(report);
    case OPTION_SQLITE:
        return report_sqlite(report, request->database);
    default:
        return report_text(report);
    }
}

/* Writes the report in the form that was asked for. Returns false if it could not be written. */
static bool write_report(struct store *store, const struct request *request)
{
    struct report report = {.store = store,
                            .out = stdout,
                            .all = request->all,
                            .without_source = request->without_source};
    if (request->output && !(report.out = fopen(request->output, "we"))) {
        int error = errno;
        tell("%s: %s%s", request->output, strerror(error), outside_hint(request->output, error));
        return false;
    }
    if (request->symbols)
        report.symbols = symbols_find(store);
    bool text = !request->form || request->form == OPTION_TEXT;
    FILE *to = report.out;
    if (text && to == stdout)
        terminal_begin(stdout);
    if (text)
        report.out = to == stdout ? terminal_filter(to, false) : terminal_clean(to);
    if (to == stdout && report.out != to && stream_wants_color(STDOUT_FILENO))
        report.colored = to;
    bool good = report_make(&report, request);
    symbols_free(report.symbols);
    if (report.out != to)
        good &= fclose(report.out) == 0;
    if (!request->output)
        return good;
    bool written = !ferror(to) & (fclose(to) == 0);
    if (!written)
        tell("%s: %s", request->output, strerror(errno));
    return good && written;
}

static int report_write(const struct request *request)
{
    bool all = false;
    struct store *store = store_open();
    const struct frames frames = {.modules = modules_new(request->modules),
                                  .maps = perf_maps_new(),
                                  .ignored = request->caller_ignore,
                                  .sentences = request->symbols};
    if (store)
        store->frames = frames.modules ? &frames : NULL;
    bool good = store && read_files(store, request, &all) && write_report(store, request);
    store_close(store);
    modules_free(frames.modules);
    perf_maps_free(frames.maps);
    return good && all ? STATUS_GOOD : STATUS_FAILED;
}

/* Runs `assay report`. Returns the exit status. */
static int report_run(int argc, char **argv)
{
    struct request request = {.files = calloc((size_t)argc + 1, sizeof(char *)),
                              .old = calloc((size_t)argc + 1, sizeof(char *))};
    int status = STATUS_USAGE;
    if (!request.files || !request.old) {
        tell("memory is out");
        status = STATUS_FAILED;
    } else if (command_parse(&report_command, argc, argv, report_accept, &request)) {
        /* Code-scanning sites, browsers and CI show lines of source. */
        request.symbols |= request.form == OPTION_HTML || request.form == OPTION_SARIF ||
                           request.form == OPTION_JUNIT;
        if (request.file_count)
            status = report_write(&request);
        else
            tell("which files? assay report FINDINGS.jsonl...");
    }
    free(request.files);
    free(request.old);
    return status;
}
