/* The end of `assay run`: how the program ended, what was found, and the files that were asked for. */
#include <errno.h>
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "run.h"

/* "assay: ", bold on a terminal */
static void begin_line(const struct run *run)
{
    fputs(run->color ? "\033[1massay:\033[0m " : "assay: ", stderr);
}

static void write_ending(const struct run *run, const char *program)
{
    const struct ending *ending = &run->ending;
    begin_line(run);
    if (ending->signal)
        fprintf(stderr, "%s was killed by signal %d (%s)%s", program, ending->signal, strsignal(ending->signal),
                ending->with_core ? ", core dumped" : "");
    else
        fprintf(stderr, "%s ended with status %d", program, ending->status);
    if (!run->instance_created) {
        fputs(".\n", stderr);
        begin_line(run);
        fputs("No Vulkan instance was created with the layer: the program does not use Vulkan, or did not get that "
              "far,\n"
              "       or the loader did not take the layer, which `assay doctor` looks into.\n",
              stderr);
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
    fputs(".\n", stderr);
}

static void write_limited(const void *node, VISIT visit, int depth)
{
    (void)depth;
    if (visit == postorder || visit == leaf)
        fprintf(stderr, "    %s\n", *(char *const *)node);
}

static void write_notes(const struct run *run)
{
    char *unused = NULL;
    size_t length = 0;
    if (run->ending.still_runs) {
        begin_line(run);
        fputs("Processes that it started still run; what is found in them from here on is not told.\n", stderr);
    }
    if (run->damaged) {
        begin_line(run);
        write_plural(stderr, run->damaged, "line");
        fputs(" of findings came in pieces, from processes that died while they wrote.\n", stderr);
    }
    if (run->limited) {
        begin_line(run);
        fputs("These came as often as each id is told (--limit), and perhaps more often:\n", stderr);
        twalk(run->limited, write_limited);
    }
    FILE *memory = open_memstream(&unused, &length);
    if (!memory)
        return;
    uint32_t count = suppressions_write_unused(memory, &run->suppressions);
    fclose(memory);
    if (count) {
        begin_line(run);
        fprintf(stderr, "%s not needed:\n%s", count == 1 ? "This suppression was" : "These suppressions were", unused);
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
        return suppressions_make(stderr, store);
    }
    FILE *file = fopen(run->made_suppressions, "we");
    bool good = file && suppressions_make(file, store);
    if (file && fclose(file) == 0)
        return good;
    tell("%s: %s", run->made_suppressions, strerror(errno));
    return false;
}

/* In reports the findings come from the program, and not from a file that is gone. */
static void name_source(const struct run *run, struct store *store, const char *program)
{
    char *name = run->json ? NULL : strdup(base_name(program));
    if (!name)
        return;
    free(store->files[0].path);
    store->files[0].path = name;
}

/* Names and messages may hold escape sequences, which are not for the terminal. */
static bool write_text(struct report *report)
{
    char *text = NULL;
    size_t length = 0;
    report->out = open_memstream(&text, &length);
    bool good = report->out && report_text(report);
    if (report->out)
        fclose(report->out);
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        fputc((byte < 0x20 && byte != '\n') || byte == 0x7f ? '?' : byte, stderr);
    }
    free(text);
    return good;
}

static bool write_reports(const struct run *run, struct store *store, const char *program)
{
    struct report report = {.store = store, .out = stderr, .without_total = true};
    if (!store_read(store, run->kept, false) || !store_finish(store))
        return false;
    name_source(run, store, program);
    if (run->symbols)
        report.symbols = symbols_find(store, NULL);
    bool good = !run->told || write_text(&report);
    good &= write_file(&report, run->html, report_html);
    good &= write_file(&report, run->sarif, report_sarif);
    good &= write_file(&report, run->junit, report_junit);
    good &= write_suppressions(run, store);
    symbols_free(report.symbols);
    return good;
}

bool summary_write(struct run *run, const char *program)
{
    write_ending(run, program);
    struct store *store = NULL;
    bool needed = run->told || run->html || run->sarif || run->junit || run->made_suppressions;
    bool good = !needed || ((store = store_open()) && write_reports(run, store, program));
    store_close(store);
    write_notes(run);
    return good;
}
