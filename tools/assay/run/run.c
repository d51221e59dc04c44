/* Implements `assay run`: reads the command line, and handles each finding. */
#include "assay/run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assay/aftermath/aftermath.h"
#include "assay/run/outside.h"
#include "assay/symbols/perf_map.h"
#include "assay/run/stream.h"
#include "assay/run/terminal.h"

enum option {
    OPTION_SYNC = OPTION_KEYS,
    OPTION_GPU,
    OPTION_SAFE,
    OPTION_PRACTICES,
    OPTION_PRINTF,
    OPTION_THREADS_ONLY,
    OPTION_PRESET,
    OPTION_SET,
    OPTION_LIMIT,
    OPTION_CALLER_IGNORE,
    OPTION_GPU_SELECT,
    OPTION_RECORD_STACKS,
    OPTION_ONLY,
    OPTION_SUPPRESS,
    OPTION_MAKE_SUPPRESSIONS,
    OPTION_JSON,
    OPTION_HTML,
    OPTION_SARIF,
    OPTION_JUNIT,
    OPTION_SYMBOLS,
    OPTION_QUIET,
    OPTION_ERROR_EXIT,
    OPTION_WITH_KHRONOS,
    OPTION_ALL,
};

static const struct option_row options[] = {
    {1, NULL, NULL, "what is checked, beside what always is"},
    {OPTION_SYNC, "sync", NULL, "hazards: accesses to memory that nothing orders"},
    {OPTION_GPU, "gpu", "[MODES]",
     "what can only be known while shaders run: indices, addresses, ranges. MODES add what costs "
     "more: nan (NaN and infinities that shaders store), or all",
     "nan all"},
    {OPTION_GPU_SELECT, "gpu-select", "NAMES",
     "only in these shaders: regular expressions, with commas between, for the debug name of a "
     "module or the name of an entry point; means --gpu"},
    {OPTION_SAFE, "safe", NULL,
     "with --gpu: leave out the accesses that are wrong, so that a program which crashes at them "
     "lives to tell"},
    {OPTION_PRACTICES, "practices", "[VENDORS]",
     "where the program does more than it needs to; means --sync. VENDORS add what their GPUs "
     "want: arm, amd, img, nvidia, with commas between, or all",
     "arm amd img nvidia all"},
    {OPTION_PRINTF, "printf", NULL, "what shaders print with debugPrintfEXT, on standard output"},
    {OPTION_THREADS_ONLY, "threads-only", NULL,
     "nothing but threads in one object at once, looked for harder than else"},
    {OPTION_PRESET, "preset", "NAME",
     "a set of settings: standard, light, sync, gpu, safe, practices, printf (and nothing else), "
     "prints (beside the rest), threads or all",
     "standard light sync gpu safe practices printf prints threads all"},
    {OPTION_SET, "set", "KEY=VALUE",
     "any setting of the layer, as assay init lists them; may be given several times",
     VALUES_SETTING},
    {OPTION_LIMIT, "limit", "N",
     "report each id N times and not 10; 0: as often as it comes, in full each time"},
    {OPTION_CALLER_IGNORE, "caller-ignore", "NAMES",
     "libraries, functions and source files whose calls are their callers', such as an engine's "
     "wrapper: librhi.so*,rhi_*,*/rhi/*.cpp; means --record-stacks"},
    {OPTION_RECORD_STACKS, "record-stacks", NULL,
     "keep the call stacks of recorded commands and of objects: both sides of a hazard have one"},
    {1, NULL, NULL, "what is not reported"},
    {OPTION_ONLY, "only", "IDS",
     "leave out other ids than these: patterns as in shells, with commas between them"},
    {OPTION_SUPPRESS, "suppress", "FILE",
     "leave out what FILE lists (see below); may be given several times; means --record-stacks "
     "where "
     "a suppression has several callers"},
    {OPTION_MAKE_SUPPRESSIONS, "make-suppressions", "[FILE]",
     "in the end, write suppressions of everything that was found, to FILE or standard error; "
     "means "
     "--record-stacks"},
    {1, NULL, NULL, "where it goes, beside standard error"},
    {OPTION_JSON, "json", "FILE", "the findings, a line of JSON each, as assay report reads them"},
    {OPTION_HTML, "html", "FILE", "a page for a browser"},
    {OPTION_SARIF, "sarif", "FILE", "SARIF 2.1.0"},
    {OPTION_JUNIT, "junit", "FILE", "JUnit XML"},
    {OPTION_SYMBOLS, "symbols", NULL,
     "file and line of callers, where they are reported; --html, --sarif and --junit imply it"},
    {'q', "quiet", NULL, "the summary only"},
    {OPTION_ALL, "all", NULL,
     "every place, object and text in the summary, however many there are, and again in full"},
    {OPTION_ERROR_EXIT, "error-exit", "N",
     "end with status N where there were errors, or where the program ended well but the layer was "
     "never on"},
    {1, NULL, NULL, "beside other layers"},
    {OPTION_WITH_KHRONOS, "with-khronos", NULL,
     "where the program asks for " KHRONOS_NAME
     ", run it under that layer, too; without this option the name means this layer"},
    {0, NULL, NULL, NULL},
};

static const char *const examples[] = {
    "assay run ./cube",
    "what is always checked",
    "assay run --sync --html=report.html -- ./cube --frames 100",
    "hazards too, and a page with pictures of them",
    "assay run --make-suppressions=known.supp -- ./cube; assay run --suppress=known.supp "
    "--error-exit=3 -- ./cube",
    "for CI: only what is new fails",
    NULL,
};

static const struct note_row statuses[] = {
    {"the program's", "where it ended by itself"},
    {"128 + N", "where signal N killed it"},
    {"127", "where there is no such program"},
    {"126", "where it cannot be run"},
    {"N of --error-exit", "where there were errors, or the layer was never on"},
    {"1", "where a report could not be written, and the program ended well"},
    {"2", "where the command line is wrong"},
    {NULL, NULL},
};

static int run_main(int argc, char **argv);

const struct command run_command = {
    .name = "run",
    .arguments = "[OPTIONS] [--] PROGRAM [ARGUMENTS]",
    .summary = "run a program under the layer, and report what is found",
    .text = "Switches the layer on for a program and all that it starts, reports what is found "
            "while it runs, and ends with a summary: by id, with how often, the first message and "
            "the callers, and hazards by the two places that race. The environment and files stay "
            "as they are; the program needs no change. Settings of a vk_layer_settings.txt and of "
            "the environment hold as ever; options win over them.\n\n"
            "Suppressions are a file that people write. A line that begins in the first column is "
            "a pattern of ids; indented lines narrow it down to objects (names or types), call "
            "sites (functions, modules, module+offset; several lines are a way, innermost first), "
            "and the first so many findings. Patterns "
            "are those of shells; \\* is a star. Functions of C++ have the names that people "
            "write, with or without parameters and template arguments. Suppressions that were not "
            "needed are listed in the end:\n\n"
            "  # the engine's debug overlay; ticket 123\n"
            "  VUID-vkCmdDraw-None-*\n"
            "      object  overlay *\n"
            "      caller  libengine.so*\n"
            "      count   20\n\n",
    .options = options,
    .operands = VALUES_COMMAND,
    .statuses = statuses,
    .examples = examples,
    .run = run_main,
};

static bool add_preset(struct run *run, const char *name)
{
    const struct preset *preset = preset_find(name);
    if (!preset) {
        tell("there is no preset \"%s\"; there are %s", name, preset_names());
        return false;
    }
    if (run->preset_count < sizeof(run->presets) / sizeof(*run->presets))
        run->presets[run->preset_count++] = preset;
    return true;
}

/* Takes KEY=VALUE of --set. Returns false if there is no such setting, or memory is out. */
static bool add_setting(struct run *run, const char *text)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text) {
        tell("--set takes KEY=VALUE, not \"%s\"", text);
        return false;
    }
    if (!setting_is_known(text, (size_t)(equals - text))) {
        const char *nearest = setting_nearest(text, (size_t)(equals - text));
        tell("there is no setting \"%.*s\"; %s%s%sassay init - lists all", (int)(equals - text),
             text, nearest ? "the nearest is " : "", nearest ? nearest : "", nearest ? "; " : "");
        return false;
    }
    const char **settings = realloc(run->settings, (run->setting_count + 1) * sizeof(*settings));
    if (!settings) {
        tell("memory is out");
        return false;
    }
    run->settings = settings;
    settings[run->setting_count++] = text;
    return true;
}

/* A word that an option takes, and the setting that it switches on. */
struct word {
    const char *name, *setting;
};

/* Switches on the settings of words with commas between, or of "all". The last row has no name.
 * Returns false if a word is not known, which has been reported with `choice`. */
static bool add_words(struct run *run, const char *option, const struct word *words,
                      const char *choice, const char *text)
{
    while (*text) {
        const size_t length = strcspn(text, ",");
        const bool all = length == strlen("all") && !strncmp(text, "all", length);
        bool known = false;
        for (size_t i = 0; words[i].name; i++) {
            if (!all &&
                (strncmp(text, words[i].name, length) != 0 || words[i].name[length] != '\0'))
                continue;
            known = true;
            if (!add_setting(run, words[i].setting))
                return false;
        }
        if (!known) {
            tell("--%s takes %s, with commas between, not \"%.*s\"", option, choice, (int)length,
                 text);
            return false;
        }
        text += length + (text[length] == ',');
    }
    return true;
}

/* Takes VENDORS of --practices. */
static bool add_vendors(struct run *run, const char *text)
{
    static const struct word vendors[] = {
        {"arm", "validate_best_practices_arm=true"},
        {"amd", "validate_best_practices_amd=true"},
        {"img", "validate_best_practices_img=true"},
        {"nvidia", "validate_best_practices_nvidia=true"},
        {NULL, NULL},
    };
    return add_words(run, "practices", vendors, "arm, amd, img, nvidia or all", text);
}

/* Takes MODES of --gpu. */
static bool add_gpu_modes(struct run *run, const char *text)
{
    static const struct word modes[] = {{"nan", "gpuav_nan=true"}, {NULL, NULL}};
    return add_words(run, "gpu", modes, "nan or all", text);
}

static bool read_number(const char *option, const char *text, long least, long most, long *number)
{
    char *end;
    errno = 0;
    *number = strtol(text, &end, 10);
    if (*text && !*end && !errno && *number >= least && *number <= most)
        return true;
    tell("--%s takes a number from %ld to %ld, not \"%s\"", option, least, most, text);
    return false;
}

/* Takes one option of `assay run`. Returns false if it is wrong, which has been reported. */
static bool run_accept(void *user, int key, const char *argument)
{
    struct run *run = user;
    long number;
    switch (key) {
    case OPTION_SYNC:
        return add_preset(run, "sync");
    case OPTION_GPU:
        return add_preset(run, "gpu") && (!argument || add_gpu_modes(run, argument));
    case OPTION_SAFE:
        return add_preset(run, "safe");
    case OPTION_PRACTICES:
        return add_preset(run, "practices") && (!argument || add_vendors(run, argument));
    case OPTION_PRINTF:
        return add_preset(run, "prints");
    case OPTION_THREADS_ONLY:
        return add_preset(run, "threads");
    case OPTION_PRESET:
        return add_preset(run, argument);
    case OPTION_SET:
        return add_setting(run, argument);
    case OPTION_LIMIT:
        run->limit = argument;
        return read_number("limit", argument, 0, 4294967295, &number);
    case OPTION_GPU_SELECT:
        run->gpu_select = argument;
        return add_preset(run, "gpu");
    case OPTION_CALLER_IGNORE:
        run->caller_ignore = argument;
        return true;
    case OPTION_RECORD_STACKS:
        run->record_stacks = true;
        return true;
    case OPTION_ONLY:
        run->only = argument;
        return true;
    case OPTION_SUPPRESS:
        if (!suppressions_read(&run->suppressions, argument))
            return false;
        run->record_stacks |= suppressions_need_stacks(&run->suppressions);
        return true;
    case OPTION_MAKE_SUPPRESSIONS:
        run->made_suppressions = argument ? argument : "-";
        run->record_stacks = true; /* a wrapper's frame alone would suppress too much */
        return true;
    case OPTION_JSON:
        run->json = argument;
        return true;
    case OPTION_HTML:
        run->html = argument;
        return true;
    case OPTION_SARIF:
        run->sarif = argument;
        return true;
    case OPTION_JUNIT:
        run->junit = argument;
        return true;
    case OPTION_SYMBOLS:
        run->symbols = true;
        return true;
    case 'q':
        run->quiet = true;
        return true;
    case OPTION_ERROR_EXIT:
        if (!read_number("error-exit", argument, 1, 255, &number))
            return false;
        run->error_exit = (int)number;
        return true;
    case OPTION_WITH_KHRONOS:
        run->with_khronos = true;
        return true;
    case OPTION_ALL:
        run->all = true;
        return true;
    default:
        return true;
    }
}

/* Writes a finding: in full once, with --limit=0 each time. It is written in one piece, as the
 * program may write to the same terminal. */
static void run_show(struct run *run, struct json_object *finding)
{
    char *text = NULL;
    size_t length = 0;
    uint64_t count = 1;
    const bool each = run->limit && !strtol(run->limit, NULL, 10);
    const enum once_saying saying = each ? ONCE_ALL : once_say(&run->once, finding, &count);
    FILE *memory = saying != ONCE_NOTHING ? open_memstream(&text, &length) : NULL;
    if (!memory)
        return;
    FILE *filter = terminal_filter(memory, true);
    if (saying == ONCE_COUNT)
        stream_write_count(filter, &run->frames, finding, count);
    else
        stream_write(filter, &run->frames, finding, run->color,
                     each ? (struct once_parts){0} : once_parts(&run->once, finding));
    if (filter != memory)
        fclose(filter);
    fclose(memory);
    fwrite(text, 1, length, stderr);
    fflush(stderr);
    free(text);
}

static int run_compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void note_limit(struct run *run, const char *id)
{
    char *copy = tfind(id, &run->limited, run_compare) ? NULL : strdup(id);
    if (copy && !tsearch(copy, &run->limited, run_compare))
        free(copy);
}

/* True if one of the patterns matches the id, or `patterns` is NULL. */
static bool is_wanted(const char *patterns, const char *id)
{
    char pattern[256];
    while (patterns && *patterns) {
        const int length = (int)strcspn(patterns, ",");
        snprintf(pattern, sizeof(pattern), "%.*s", length, patterns);
        if (fnmatch(pattern, id, 0) == 0)
            return true;
        patterns += length;
        if (!*patterns)
            return false;
        patterns++;
    }
    return true;
}

/* Takes one finding of the program: counts it, keeps it, and shows it if it is wanted. */
static void take_finding(struct run *run, struct json_object *finding, const char *text,
                         size_t length)
{
    uint64_t repeats = json_number(finding, "repeats"), count = repeats ? repeats : 1;
    if (findings_add_muted(finding, &run->muted)) {
        fprintf(run->kept_file, "%.*s\n", (int)length, text);
        fflush(run->kept_file);
        return;
    }
    if (!is_wanted(run->only, json_text_or(finding, "vuid"))) {
        run->unwanted += count;
        return;
    }
    if (frames_refine(&run->frames, finding))
        text = json_object_to_json_string_length(finding,
                                                 JSON_C_TO_STRING_PLAIN |
                                                     JSON_C_TO_STRING_NOSLASHESCAPE,
                                                 &length);
    if (suppressions_match(&run->suppressions, finding)) {
        run->suppressed += count;
        return;
    }
    if (!repeats)
        wrappers_note(&run->wrappers, finding);
    run->told += count;
    run->errors += !strcmp(json_text_or(finding, "severity"), "error") ? count : 0;
    json_write_line(run->kept_file, text, length);
    fflush(run->kept_file);
    if (json_number(finding, "lastOf"))
        note_limit(run, json_text_or(finding, "vuid"));
    if (!run->quiet && !repeats)
        run_show(run, finding);
}

static bool take_json(struct run *run, const char *text, size_t length)
{
    struct json_object *document = json_read_once(text, length);
    bool good = json_text(document, "vuid") != NULL;
    if (good)
        take_finding(run, document, text, length);
    json_object_put(document);
    return good;
}

/* Takes a line that the layer has written. If a process died in the middle of it, the finding of
 * another process may follow in the same line. */
static void run_take_line(struct run *run, char *line, size_t length)
{
    static const char start[] = "{\"vuid\":";
    if (!length || take_json(run, line, length))
        return;
    run->damaged++;
    for (char *next = line + 1;
         (next = memmem(next, length - (size_t)(next - line), start, sizeof(start) - 1)); next++) {
        if (take_json(run, next, length - (size_t)(next - line)))
            return;
    }
}

/* True if the file can be written, which is checked before the program runs. An existing file keeps
 * its contents. */
static bool can_be_written(const char *path)
{
    if (!path || !strcmp(path, "-"))
        return true;
    bool is_new = access(path, F_OK) != 0;
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) {
        int error = errno;
        tell("%s: %s%s", path, strerror(error), outside_hint(path, error));
        return false;
    }
    close(file);
    if (is_new)
        unlink(path);
    return true;
}

/* Makes the record file (record.c), and the manifest with the Khronos layer's name. Returns false
 * if that failed. */
static bool prepare_layers(struct run *run)
{
    snprintf(run->record, sizeof(run->record), "%s.record", run->findings);
    snprintf(run->layers, sizeof(run->layers), "%s/layers", run->directory);
    snprintf(run->khronos, sizeof(run->khronos), "%s/VkLayer_khronos.json", run->layers);
    FILE *record = fopen(run->record, "we");
    if (!record || fclose(record) != 0) {
        tell("%s: %s", run->record, strerror(errno));
        return false;
    }
    if (mkdir(run->layers, 0777) == 0 &&
        (run->with_khronos || khronos_manifest_write(&run->layer, run->khronos)))
        return true;
    tell("%s: %s", run->layers, strerror(errno));
    return false;
}

const char *run_setting(const struct run *run, const char *key)
{
    const size_t length = strlen(key);
    for (uint32_t i = run->setting_count; i; i--) {
        const char *setting = run->settings[i - 1];
        if (!strncmp(setting, key, length) && setting[length] == '=')
            return setting + length + 1;
    }
    return NULL;
}

/* Returns the value of the layer's setting caller_ignore (launch.c); NULL: the tool does not set
 * it. */
static const char *ignored_callers(const struct run *run)
{
    const char *set = run_setting(run, "caller_ignore");
    if (set)
        return set;
    return run->caller_ignore ? run->caller_ignore : getenv("VK_ASSAY_CALLER_IGNORE");
}

/* Makes the directory of the run, with all that the layer needs. Returns false if that failed. */
static bool run_prepare(struct run *run)
{
    const char *temporary = getenv("TMPDIR");
    if (!layer_find(&run->layer)) {
        tell("the layer's manifest, " LAYER_MANIFEST
             ", is neither beside this program (%s) nor where it is built or installed",
             run->layer.directory);
        return false;
    }
    snprintf(run->directory, sizeof(run->directory), "%s/assay-run-XXXXXX",
             temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(run->directory)) {
        tell("%s: %s", run->directory, strerror(errno));
        run->directory[0] = 0;
        return false;
    }
    snprintf(run->findings, sizeof(run->findings), "%s/findings.jsonl", run->directory);
    if (!prepare_layers(run))
        return false;
    if (run->json)
        snprintf(run->kept, sizeof(run->kept), "%s", run->json);
    else
        snprintf(run->kept, sizeof(run->kept), "%s/kept.jsonl", run->directory);
    run->kept_file = fopen(run->kept, "we");
    if (!run->kept_file)
        tell("%s: %s", run->kept, strerror(errno));
    run->color = stream_wants_color(STDERR_FILENO);
    run->frames = (struct frames){.modules = modules_new(NULL),
                                  .maps = perf_maps_new(),
                                  .ignored = ignored_callers(run),
                                  .lines = run->symbols};
    terminal_begin(stderr);
    return run->kept_file != NULL;
}

/* Removes the directory of the run, and frees all that it has. */
static void clean_up(struct run *run)
{
    aftermath_end(run);
    if (run->kept_file)
        fclose(run->kept_file);
    if (run->directory[0]) {
        unlink(run->findings);
        unlink(run->record);
        unlink(run->khronos);
        rmdir(run->layers);
        if (!run->json)
            unlink(run->kept);
        rmdir(run->directory);
    }
    suppressions_free(&run->suppressions);
    modules_free(run->frames.modules);
    perf_maps_free(run->frames.maps);
    once_free(&run->once);
    tdestroy(run->limited, free);
    wrappers_free(&run->wrappers);
    record_free(&run->coverage);
    free(run->settings);
}

/* Runs the program, and reports. Returns the exit status of `assay run`. */
static int run_program(struct run *run, char **program)
{
    const char *const outputs[] = {run->json, run->html, run->sarif, run->junit,
                                   run->made_suppressions};
    for (size_t i = 0; i < sizeof(outputs) / sizeof(*outputs); i++) {
        if (!can_be_written(outputs[i]))
            return STATUS_FAILED;
    }
    if (!run_prepare(run))
        return STATUS_FAILED;
    aftermath_choose(run);
    launch(run, program, run_take_line);
    aftermath_read(run, run_take_line);
    record_read(&run->coverage, run->record);
    if (run->ending.failed) {
        tell("%s: %s%s", program[0], strerror(run->ending.failed),
             outside_hint(program[0], run->ending.failed));
        return run->ending.status;
    }
    bool good = !ferror(run->kept_file);
    if (!good)
        tell("%s: the findings could not be written", run->kept);
    good &= summary_write(run, program);
    bool unchecked = !run->coverage.instances && !run->ending.status;
    if ((run->errors || unchecked) && run->error_exit)
        return run->error_exit;
    return run->ending.status || good ? run->ending.status : STATUS_FAILED;
}

/* True if the next word belongs to this option. "--limit 5", but not "--limit=5" and "--sync". */
static bool takes_next_word(const char *word)
{
    const struct option_row *row = options;
    if (strncmp(word, "--", 2) != 0 || strchr(word, '='))
        return false;
    while (row->key && (!row->name || strcmp(row->name, word + 2) != 0))
        row++;
    return row->key && row->argument && !option_is_optional(row);
}

/* Runs the command. The tool's own words end at "--", or before the first word that is neither an
 * option nor an option's argument. The other words are the program's, and are not passed to
 * argp. */
static int run_main(int argc, char **argv)
{
    struct run run = {0};
    int own = 1, status = STATUS_USAGE;
    while (own < argc && argv[own][0] == '-' && strcmp(argv[own], "--") != 0)
        own += 1 + takes_next_word(argv[own]);
    own = own < argc ? own : argc;
    char **program = argv + own;
    if (*program && !strcmp(*program, "--"))
        program++;
    run.options = argv + 1;
    run.option_count = own - 1;
    if (command_parse(&run_command, own, argv, run_accept, &run)) {
        run.symbols |= run.html || run.sarif || run.junit;
        if (*program)
            status = run_program(&run, program);
        else
            tell("which program? assay run [OPTIONS] PROGRAM [ARGUMENTS]");
    }
    clean_up(&run);
    return status;
}
