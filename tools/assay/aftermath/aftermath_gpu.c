/* Reads the findings of shaders that the layer had not read when the program died. The ring's
 * records are read as the layer reads them (src/gpu/device/ring.c), and the shader's sites say what
 * each means. The command, its labels and caller are added if the layer has kept them
 * (aftermath_commands.c). The tool does not choose an id by the command, as the layer does: such
 * findings have the general id. */
#include <fcntl.h>
#include <inttypes.h>
#include <json-c/json_object.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assay/aftermath/aftermath.h"
#include "assay/aftermath/aftermath_commands.h"
#include "base/aftermath.h"
#include "gpu/device/ring.h"
#include "assay/run/run.h"
#include "spirv/instrument/instrument.h"
#include "spirv/module/source.h"

#include <spirv/unified1/spirv.h>

#define GENERAL_ID "UNASSIGNED-GPU-Assisted-Validation"
/* The most records that are read. A ring has RING_SEEN_COUNT places for those of checks; those of
 * printf are additional. */
#define RECORDS_MOST (2 * RING_SEEN_COUNT)

/* A file that belongs to a record. It is mapped as a private copy, which the tool may change. */
struct view {
    void *memory; /* NULL: there is none */
    size_t size;
};

struct dead {
    const struct aftermath *record;
    struct view shaders, commands;
    struct run *run;
    void (*take)(struct run *run, char *line, size_t length);
    size_t told, printed;
};

/* The facts about the shader that a record names. */
struct dead_shader {
    const struct aftermath_shader *head; /* NULL: nothing is known */
    const struct spirv_site *sites;
    const uint32_t *words;
    uint64_t module; /* handle; 0: not known */
    const char *name;
};

/* Maps the file beside the record with this suffix as a private copy. `memory` is NULL if there is
 * none, or it is empty. */
static struct view map_view(const struct aftermath_file *file, const char *suffix)
{
    struct view view = {0};
    struct stat status;
    char *path;
    if (asprintf(&path, "%s%s", file->path, suffix) < 0)
        return view;
    const int opened = open(path, O_RDONLY | O_CLOEXEC);
    free(path);
    if (opened >= 0 && fstat(opened, &status) == 0 && status.st_size > 0) {
        view.size = (size_t)status.st_size;
        view.memory = mmap(NULL, view.size, PROT_READ | PROT_WRITE, MAP_PRIVATE, opened, 0);
    }
    if (opened >= 0)
        close(opened);
    if (view.memory == MAP_FAILED)
        view.memory = NULL;
    return view;
}

/* Unmaps a view. It may be called again. */
static void unmap_view(struct view *view)
{
    if (view->memory)
        munmap(view->memory, view->size);
    view->memory = NULL;
}

/* --- shaders --- */

/* Notes the shader in the block if its number is `id`. Its sizes are checked, as the process may
 * have died while it wrote. */
static void read_shader(const uint32_t *words, uint32_t count, uint32_t id,
                        struct dead_shader *found)
{
    const struct aftermath_shader *head = (const void *)words;
    const uint32_t head_words = sizeof(*head) / sizeof(uint32_t);
    if (count < head_words || head->id != id ||
        head->site_words != sizeof(struct spirv_site) / sizeof(uint32_t) ||
        head->site_count > (count - head_words) / head->site_words ||
        head->word_count != count - head_words - head->site_count * head->site_words)
        return;
    found->head = head;
    found->sites = (const void *)(words + head_words);
    found->words = words + head_words + (size_t)head->site_count * head->site_words;
}

/* Notes the handle and name of the module that shader `id` came from. The name is only valid if its
 * last byte is 0. */
static void read_module(const uint32_t *words, uint32_t count, uint32_t id,
                        struct dead_shader *found)
{
    const struct aftermath_module *head = (const void *)words;
    const uint32_t head_words = sizeof(*head) / sizeof(uint32_t);
    if (count <= head_words || head->shader != id || head->name_words != count - head_words ||
        words[count - 1] >> 24 != 0)
        return;
    found->module = head->handle[0] | (uint64_t)head->handle[1] << 32;
    found->name = (const char *)(words + head_words);
}

/* Finds a shader in the file. If it is not there, members stay NULL or "". A block with invalid
 * sizes ends the search. */
static struct dead_shader find_shader(const struct dead *dead, uint32_t id)
{
    struct dead_shader found = {.name = ""};
    const uint32_t *words = dead->shaders.memory;
    size_t left = dead->shaders.size / sizeof(uint32_t);
    while (words && left >= 2 && words[1] >= 2 && words[1] <= left) {
        if (words[0] == AFTERMATH_BLOCK_SHADER)
            read_shader(words, words[1], id, &found);
        else if (words[0] == AFTERMATH_BLOCK_MODULE)
            read_module(words, words[1], id, &found);
        left -= words[1];
        words += words[1];
    }
    return found;
}

/* --- sentences --- */

/* The sentence for an error. In `text`, %0 to %5 stand for that word of the error as a number, and
 * %x01 for the words 0 and 1 as an address. */
struct sentence {
    uint32_t error;
    const char *id, *severity, *text;
};

static const struct sentence sentences[] = {
    {ERROR_DESCRIPTOR_INDEX, GENERAL_ID, "error",
     "Index of %2 used to index descriptor array of length %3 (set %0, binding %1)."},
    {ERROR_DESCRIPTOR_UNINITIALIZED, GENERAL_ID, "error",
     "Descriptor index %2 is uninitialized (set %0, binding %1)."},
    {ERROR_DESCRIPTOR_DESTROYED, GENERAL_ID, "error",
     "Descriptor index %2 references what was destroyed (set %0, binding %1)."},
    {ERROR_DESCRIPTOR_CLASS, GENERAL_ID, "error",
     "Descriptor index %2 holds a descriptor of another kind than the shader accesses (set %0, "
     "binding %1)."},
    {ERROR_STORAGE_BUFFER_RANGE, GENERAL_ID, "error",
     "Access of %4 bytes at byte %3 of a storage buffer that has %5 bytes bound (set %0, binding "
     "%1, descriptor index %2)."},
    {ERROR_UNIFORM_BUFFER_RANGE, GENERAL_ID, "error",
     "Access of %4 bytes at byte %3 of a uniform buffer that has %5 bytes bound (set %0, binding "
     "%1, descriptor index %2)."},
    {ERROR_STORAGE_BUFFER_ELEMENT, GENERAL_ID, "error",
     "Access of element %3 of an array of %4 elements of %5 bytes at the end of a storage buffer "
     "(binding %1, descriptor index %2)."},
    {ERROR_TEXEL_BUFFER_RANGE, "UNASSIGNED-Descriptor-Texel-Buffer-texel-out-of-bounds", "error",
     "Access of texel %3 of a texel buffer whose view has %4 texels (set %0, binding %1, "
     "descriptor index %2)."},
    {ERROR_ADDRESS_RANGE, "VUID-RuntimeSpirv-PhysicalStorageBuffer64-11819", "error",
     "Access of %2 bytes at device address %x01, which no buffer has."},
    {ERROR_ADDRESS_ALIGNMENT, "VUID-RuntimeSpirv-PhysicalStorageBuffer64-06315", "error",
     "Access at device address %x01, which is not a multiple of the %4 bytes that the shader's "
     "Aligned operand says."},
    {ERROR_DIVISION_BY_ZERO, "SPIRV-Sanitizer-Divide-By-Zero", "error", "Division by zero."},
    {ERROR_DIVISION_OVERFLOW, "SPIRV-Sanitizer-Divide-Overflow", "error",
     "Division of the least number by -1: the behavior is undefined."},
    {ERROR_SHIFT, "SPIRV-Sanitizer-Shift", "warning",
     "Shift by %2, as many bits as the value has or more."},
    {ERROR_BIT_FIELD, "SPIRV-Sanitizer-Bit-Field", "warning",
     "%2 bits from bit %1 on, more than the value has: the result is undefined."},
    {ERROR_MATH, "SPIRV-Sanitizer-Math", "warning",
     "A function of GLSL.std.450 was given operands for which its result is undefined."},
    {ERROR_GATHER, "SPIRV-Sanitizer-Image-Gather", "error",
     "OpImageGather of component %0: it must be 0, 1, 2 or 3."},
    {ERROR_VECTOR_INDEX, "SPIRV-Sanitizer-Vector-Index", "error",
     "Index of %0 into a vector of %1 components."},
    {ERROR_MESH_OUTPUT, GENERAL_ID, "error",
     "OpSetMeshOutputsEXT with a Vertex Count of %0 and a Primitive Count of %2: there is room for "
     "%1 and %3."},
    {ERROR_MESH_AGAIN, "VUID-RuntimeSpirv-MeshEXT-07118", "error",
     "OpSetMeshOutputsEXT a second time: it must be called at most once."},
    {ERROR_MESH_INDEX, GENERAL_ID, "error",
     "Primitive %1 was written, or names a vertex, that OpSetMeshOutputsEXT has no room for."},
    {ERROR_TASK_GROUPS, GENERAL_ID, "error",
     "OpEmitMeshTasksEXT with Group Counts of (%0, %1, %2), beyond a limit, which is %4."},
    {ERROR_TRACE_RAY, GENERAL_ID, "error",
     "A ray was traced with an origin, direction, range or flags that are wrong."},
    {ERROR_HIT_T, GENERAL_ID, "error",
     "A hit was reported at a distance outside of the ray's range."},
    {ERROR_HIT_KIND, GENERAL_ID, "error", "A hit was reported with hit kind %0."},
    {ERROR_VERTEX_FETCH, GENERAL_ID, "error",
     "Index %1 is beyond the vertex buffer, which has %2 elements."},
    {ERROR_SHARED_RACE, GENERAL_ID, "error",
     "Data race in shared memory: two invocations of a workgroup used the same place, with no "
     "barrier in between."},
    {ERROR_ABORT, GENERAL_ID, "error", "The shader aborted."},
    {ERROR_COMMAND, GENERAL_ID, "error",
     "What a command read from a buffer (indirect commands, indices, instances) breaks a rule."},
};

/* Returns the sentence of an error; NULL: this version does not know the error. */
static const struct sentence *find_sentence(uint32_t error)
{
    for (size_t i = 0; i < sizeof(sentences) / sizeof(*sentences); i++) {
        if (sentences[i].error == error)
            return &sentences[i];
    }
    return NULL;
}

/* Writes the text with the record's words: %N is word N as a number, %xNM words N (low) and M
 * (high) in hexadecimal. */
static void write_sentence(FILE *to, const struct sentence *sentence, const uint32_t words[6])
{
    for (const char *at = sentence->text; *at; at++) {
        if (*at != '%') {
            fputc(*at, to);
        } else if (at[1] == 'x') {
            fprintf(to, "0x%" PRIx64, words[at[2] - '0'] | (uint64_t)words[at[3] - '0'] << 32);
            at += 3;
        } else {
            fprintf(to, "%u", words[*++at - '0']);
        }
    }
}

/* --- the rows of a finding --- */

/* Writes " compute invocation (3, 0, 0)". */
static void write_invocation(FILE *to, uint32_t model, const uint32_t w[3])
{
    static const struct {
        uint32_t model;
        const char *format;
    } stages[] = {
        {SpvExecutionModelVertex, " vertex %u, instance %u"},
        {SpvExecutionModelTessellationControl, " tessellation control invocation %u, primitive %u"},
        {SpvExecutionModelTessellationEvaluation, " tessellation evaluation, primitive %u"},
        {SpvExecutionModelGeometry, " geometry primitive %u, invocation %u"},
        {SpvExecutionModelGLCompute, " compute invocation (%u, %u, %u)"},
        {SpvExecutionModelTaskEXT, " task invocation (%u, %u, %u)"},
        {SpvExecutionModelMeshEXT, " mesh invocation (%u, %u, %u)"},
        {SpvExecutionModelRayGenerationKHR, " ray generation launch (%u, %u, %u)"},
        {SpvExecutionModelIntersectionKHR, " intersection launch (%u, %u, %u)"},
        {SpvExecutionModelAnyHitKHR, " any hit launch (%u, %u, %u)"},
        {SpvExecutionModelClosestHitKHR, " closest hit launch (%u, %u, %u)"},
        {SpvExecutionModelMissKHR, " miss launch (%u, %u, %u)"},
        {SpvExecutionModelCallableKHR, " callable launch (%u, %u, %u)"},
    };
    float at[2];
    if (model == SpvExecutionModelFragment) {
        memcpy(at, w, sizeof(at));
        fprintf(to, " pixel (%.1f, %.1f)", (double)at[0], (double)at[1]);
    }
    for (size_t i = 0; i < sizeof(stages) / sizeof(*stages); i++) {
        if (stages[i].model == model)
            fprintf(to, stages[i].format, w[0], w[1], w[2]);
    }
}

/* Finds the source line of an instruction. Without one all members are empty, and nothing need be
 * freed. */
static struct spirv_source_line find_line(const struct dead_shader *shader, uint32_t instruction,
                                          struct spirv_module *module)
{
    struct spirv_error error;
    struct spirv_source_line line = {.file = ""};
    *module = (struct spirv_module){0};
    if (!shader->head || !shader->head->word_count ||
        !spirv_module_parse(module, shader->words, shader->head->word_count, &error)) {
        *module = (struct spirv_module){0};
        return line;
    }
    if (!spirv_source_find(module, instruction, &line))
        line = (struct spirv_source_line){.file = ""};
    return line;
}

/* Writes the text of the row "shader", as the layer does: "crash.comp:9 compute invocation (0, 0,
 * 0)", and the source line. */
static void write_shader(FILE *to, const struct dead_shader *shader, const uint32_t *words)
{
    struct spirv_module module;
    const uint32_t instruction = words[RECORD_INSTRUCTION];
    struct spirv_source_line line = find_line(shader, instruction, &module);
    if (line.line && line.file[0])
        fprintf(to, "%s:%u", line.file, line.line);
    else if (line.line)
        fprintf(to, "line %u", line.line);
    else
        fprintf(to, "instruction %u", instruction);
    if (shader->module && (!line.line || !line.file[0]))
        fprintf(to, " of VkShaderModule 0x%" PRIx64, shader->module);
    write_invocation(to, words[RECORD_STAGE], &words[RECORD_STAGE_WORDS]);
    if (line.line && line.text)
        fprintf(to, "\n%u: %s", line.line, line.text + strspn(line.text, " \t"));
    spirv_source_line_free(&line);
    spirv_module_free(&module);
}

/* --- findings --- */

/* Adds a copy of the text. */
static void add_text(struct json_object *to, const char *key, const char *text)
{
    json_object_object_add(to, key, json_object_new_string(text));
}

/* Adds an object to the objects of a finding. An empty `name` is left out. */
static void aftermath_gpu_add_object(struct json_object *objects, const char *type, uint64_t handle,
                                     const char *name)
{
    struct json_object *object = json_object_new_object();
    char text[32];
    snprintf(text, sizeof(text), "0x%" PRIx64, handle);
    add_text(object, "type", type);
    add_text(object, "handle", text);
    if (name[0])
        add_text(object, "name", name);
    json_object_array_add(objects, object);
}

/* Adds the member "shader" of a live finding's JSON, as far as it is known. */
static void add_shader(struct json_object *finding, const struct dead_shader *shader,
                       const struct dead_command *command)
{
    struct json_object *about = json_object_new_object();
    char handle[32];
    dead_command_describe(command, about);
    if (shader->module) {
        snprintf(handle, sizeof(handle), "0x%" PRIx64, shader->module);
        add_text(about, "module", handle);
    }
    if (shader->module && shader->name[0])
        add_text(about, "name", shader->name);
    json_object_object_add(finding, "shader", about);
}

/* Adds a row, if it has a text. */
static void add_row(struct json_object *rows, const char *key, const char *text)
{
    text += strspn(text, " ");
    if (*text)
        add_text(rows, key, text);
}

/* Makes the rows of a finding, as in the layer's log. */
static struct json_object *make_rows(const struct dead_shader *shader,
                                     const struct dead_command *command, const uint32_t *words)
{
    struct json_object *rows = json_object_new_object();
    for (int i = 0; i < 2; i++) {
        char *text = NULL;
        size_t length;
        FILE *to = open_memstream(&text, &length);
        if (!to)
            continue;
        if (i)
            dead_command_write(command, to);
        else if (words[RECORD_ERROR] != ERROR_COMMAND)
            write_shader(to, shader, words);
        if (fclose(to) == 0)
            add_row(rows, i ? "command" : "shader", text);
        free(text);
    }
    return rows;
}

/* Makes the JSON of a finding, and passes it on. `rows` is taken over. */
static void give_finding(struct dead *dead, const struct sentence *sentence, const char *message,
                         const struct dead_shader *shader, const struct dead_command *command,
                         struct json_object *rows)
{
    const struct aftermath_object *recorded = command->recorded;
    struct json_object *finding = json_object_new_object(), *objects = json_object_new_array();
    add_text(finding, "vuid", sentence->id);
    add_text(finding, "severity", sentence->severity);
    add_text(finding, "message", message);
    add_text(finding, "location", "");
    if (recorded)
        aftermath_gpu_add_object(objects, "VkCommandBuffer", recorded->handle, recorded->name);
    if (shader->module)
        aftermath_gpu_add_object(objects, "VkShaderModule", shader->module, shader->name);
    json_object_object_add(finding, "objects", objects);
    if (command->name) {
        add_text(finding, "command", command->name);
        dead_command_add_caller(command, finding);
    }
    if (recorded)
        add_shader(finding, shader, command);
    if (json_object_object_length(rows))
        json_object_object_add(finding, "details", rows);
    else
        json_object_put(rows);
    const char *line = json_object_to_json_string_ext(finding, JSON_C_TO_STRING_PLAIN);
    char *copy = line ? strdup(line) : NULL;
    if (copy)
        dead->take(dead->run, copy, strlen(copy));
    dead->told += copy != NULL;
    free(copy);
    json_object_put(finding);
}

/* Completes a record as gpu_report() does: the shader's site has the words that are known in
 * advance. */
static void put_together(const struct dead_shader *shader, uint32_t words[RECORD_CHECK_LENGTH])
{
    const uint32_t number =
        shader->head ? (words[RECORD_INSTRUCTION] - shader->head->id) * SITE_INVERSE : 0;
    uint32_t told[6];
    if (!shader->head || words[RECORD_ERROR] != ERROR_OF_SITE || number >= shader->head->site_count)
        return;
    const struct spirv_site *site = &shader->sites[number];
    memcpy(told, &words[RECORD_ERROR_WORDS], sizeof(told));
    words[RECORD_INSTRUCTION] = site->where;
    words[RECORD_STAGE] = shader->head->model;
    words[RECORD_ERROR] =
        site->error_from && site->error_from <= 6 ? told[site->error_from - 1] : site->error;
    for (uint32_t i = 0; i < 6; i++)
        words[RECORD_ERROR_WORDS + i] =
            site->from[i] && site->from[i] <= 6 ? told[site->from[i] - 1] : site->words[i];
}

/* Makes a finding of a record. `repeated` is the number of further records with the same
 * content. */
static void take_record(struct dead *dead, uint32_t *words, uint32_t repeated)
{
    static const struct sentence unknown = {
        0, GENERAL_ID, "error", "A shader made a finding, but what it was is not known any more."};
    const struct dead_shader shader = find_shader(dead, words[RECORD_SHADER]);
    const struct dead_command command =
        dead_command_find(dead->record, dead->commands.memory, words[RECORD_RECORDING],
                          words[RECORD_COMMAND]);
    char *message = NULL;
    size_t length = 0;
    put_together(&shader, words);
    const struct sentence *sentence = find_sentence(words[RECORD_ERROR]);
    FILE *to = open_memstream(&message, &length);
    if (!to)
        return;
    if (command.name)
        fprintf(to, "%s(): ", command.name);
    write_sentence(to, sentence ? sentence : &unknown, &words[RECORD_ERROR_WORDS]);
    if (repeated)
        fprintf(to, "\n%u more invocation%s of this command %s the same.", repeated,
                repeated == 1 ? "" : "s", repeated == 1 ? "does" : "do");
    fputs("\nThis was read when the program had died", to);
    fputs(command.name ? "."
                       : ": the name of the command, its labels and its caller are not known.",
          to);
    fclose(to);
    give_finding(dead, sentence ? sentence : &unknown, message, &shader, &command,
                 make_rows(&shader, &command, words));
    free(message);
}

/* Returns the ring in a view. The layer's count of records that it has read is lost, but it wipes
 * what it has read. */
static struct gpu_ring ring_of(struct view *view)
{
    struct gpu_ring ring = {.words = view->memory};
    const size_t words = view->size / sizeof(uint32_t);
    if (words <= RING_WORDS)
        return (struct gpu_ring){0};
    const uint32_t mask = ring.words[RING_MASK];
    if ((mask & (mask + 1)) != 0 || mask >= words - RING_WORDS)
        return (struct gpu_ring){0};
    ring.mask = mask;
    ring.lost = ring.words[RING_LOST];
    ring.checks = ring.words[RING_CHECKS] > RING_STEPS ? ring.words[RING_CHECKS] - RING_STEPS : 0;
    return ring;
}

size_t aftermath_read_ring(const struct aftermath_file *file, struct run *run,
                           void (*take)(struct run *run, char *line, size_t length))
{
    struct dead dead = {.record = file->record, .run = run, .take = take};
    struct view view = file->record->ring ? map_view(file, AFTERMATH_RING) : (struct view){0};
    struct gpu_ring ring = view.memory ? ring_of(&view) : (struct gpu_ring){0};
    if (ring.words) {
        uint32_t words[RECORD_MOST], repeated;
        dead.shaders = map_view(file, AFTERMATH_SHADERS);
        dead.commands = map_view(file, AFTERMATH_COMMANDS);
        if (!dead_commands_are_whole(dead.commands.memory, dead.commands.size))
            unmap_view(&dead.commands);
        for (uint32_t i = 0; i < RECORDS_MOST; i++) {
            const uint32_t size = gpu_ring_take(&ring, words, &repeated);
            if (!size && !gpu_ring_skip(&ring))
                break;
            if (size >= RECORD_CHECK_LENGTH && words[RECORD_ERROR] != ERROR_PRINTF)
                take_record(&dead, words, repeated);
        }
        unmap_view(&dead.shaders);
        unmap_view(&dead.commands);
    }
    unmap_view(&view);
    return dead.told;
}
