/* Makes memory that outlives the process, and writes files with the data for reading it. */
#include "gpu/device/survive.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/stack_depot.h"
#include "report/report.h"
#include "spirv/instrument/instrument.h"
#include "state/object/aftermath.h"
#include "gpu/device/areas.h"

/* The largest known alignment that drivers require for imported memory. */
#define IMPORT_ALIGNMENT 65536u
/* If the file is larger than this, shaders' code is left out, and so source lines cannot be
 * shown. */
#define CODE_MOST (64 << 20)

/* --- the ring --- */

/* Maps `size` bytes of the file at an address that is a multiple of IMPORT_ALIGNMENT; so must
 * `size` be. Returns MAP_FAILED if that is impossible. */
static void *map_aligned(int file, size_t size)
{
    unsigned char *all =
        mmap(NULL, size + IMPORT_ALIGNMENT, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        return MAP_FAILED;
    const size_t skip = (IMPORT_ALIGNMENT - (uintptr_t)all % IMPORT_ALIGNMENT) % IMPORT_ALIGNMENT;
    void *memory = mmap(all + skip, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
    if (memory == MAP_FAILED)
        (void)munmap(all, size + IMPORT_ALIGNMENT);
    return memory;
}

/* Makes and maps a new file of zeros. Returns MAP_FAILED if that is impossible. */
static void *map_new(const char *path, size_t size)
{
    const int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    void *memory = MAP_FAILED;
    if (file < 0)
        return MAP_FAILED;
    /* Space is allocated now, as a full disk would raise a signal later. */
    if (posix_fallocate(file, 0, (off_t)size) == 0)
        memory = map_aligned(file, size);
    (void)close(file);
    return memory;
}

/* Maps the file of commands, beside the file of the ring. If that fails, `surviving` stays NULL,
 * and no command is noted. */
static void map_commands(struct gpu_device *gpu, const struct aftermath *aftermath)
{
    const size_t size = (sizeof(struct aftermath_commands) + IMPORT_ALIGNMENT - 1) /
                        IMPORT_ALIGNMENT * IMPORT_ALIGNMENT;
    char path[4096];
    void *memory = aftermath_file_name(aftermath, AFTERMATH_COMMANDS, path, sizeof(path))
                       ? map_new(path, size)
                       : MAP_FAILED;
    if (memory == MAP_FAILED)
        return;
    gpu->surviving = memory;
    gpu->surviving->layout = AFTERMATH_LAYOUT;
}

void gpu_survive_end(struct gpu_device *gpu)
{
    if (gpu->surviving)
        (void)munmap(gpu->surviving, sizeof(*gpu->surviving));
    gpu->surviving = NULL;
}

bool gpu_survive_ring(struct gpu_device *gpu, VkDeviceSize size, struct gpu_memory *memory)
{
    struct aftermath *aftermath = aftermath_in_device(gpu->device)->aftermath;
    /* A buffer may need more bytes than its size. */
    const size_t all =
        ((size_t)size + 2 * IMPORT_ALIGNMENT - 1) / IMPORT_ALIGNMENT * IMPORT_ALIGNMENT;
    char path[4096];
    if (!aftermath || !gpu_in_device(gpu->device)->imports_host_memory ||
        !aftermath_file_name(aftermath, AFTERMATH_RING, path, sizeof(path)))
        return false;
    void *host = map_new(path, all);
    if (host != MAP_FAILED &&
        gpu_memory_import(&gpu->memory, host, (uint32_t)size, (uint32_t)all, memory)) {
        aftermath->ring = 1;
        map_commands(gpu, aftermath);
        return true;
    }
    /* The driver refused the import: the ring gets memory of its own then, and the empty file is
     * removed. */
    (void)unlink(path);
    if (host != MAP_FAILED)
        (void)munmap(host, all);
    return false;
}

/* --- data for reporting records --- */

/* Appends a block to the file of shaders with one write, as other threads append as well. */
static void aftermath_append(const struct device *device, const struct iovec *parts, int count)
{
    char path[4096];
    if (!aftermath_file_name(aftermath_in_device(device)->aftermath, AFTERMATH_SHADERS, path,
                             sizeof(path)))
        return;
    const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    (void)!writev(file, parts, count);
    (void)close(file);
}

/* True if code may still be added to the file of shaders. A file that does not exist yet has
 * room. */
static bool has_room(const struct device *device)
{
    char path[4096];
    struct stat status;
    return aftermath_file_name(aftermath_in_device(device)->aftermath, AFTERMATH_SHADERS, path,
                               sizeof(path)) &&
           (stat(path, &status) != 0 || status.st_size < CODE_MOST);
}

void gpu_survive_shader(const struct device *device, const struct gpu_shader *shader)
{
    if (!aftermath_in_device(device)->aftermath || !aftermath_in_device(device)->aftermath->ring)
        return;
    const size_t site_bytes = shader->site_count * sizeof(*shader->sites);
    /* Without the code, findings still name the site and instruction, but no source line. */
    const uint32_t word_count = has_room(device) ? shader->word_count : 0;
    struct aftermath_shader head = {
        .id = shader->id,
        .model = shader->model,
        .site_count = shader->site_count,
        .site_words = (uint32_t)(sizeof(*shader->sites) / sizeof(uint32_t)),
        .word_count = word_count,
    };
    head.block.kind = AFTERMATH_BLOCK_SHADER;
    head.block.words = (uint32_t)((sizeof(head) + site_bytes) / sizeof(uint32_t)) + word_count;
    const struct iovec parts[] = {
        {&head, sizeof(head)},
        {shader->sites, site_bytes},
        {(void *)(uintptr_t)shader->words, word_count * sizeof(uint32_t)}};
    aftermath_append(device, parts, ARRAY_LENGTH(parts));
}

void gpu_survive_stage(const struct device *device, const struct gpu_shader *shader,
                       uint64_t module, const char *name)
{
    uint32_t text[AFTERMATH_NAME / sizeof(uint32_t)] = {0};
    if (!aftermath_in_device(device)->aftermath || !aftermath_in_device(device)->aftermath->ring ||
        !(name || module))
        return;
    memcpy(text, name ? name : "", strnlen(name ? name : "", sizeof(text) - 1));
    struct aftermath_module head = {.shader = shader->id,
                                    .name_words = ARRAY_LENGTH(text),
                                    .handle = {(uint32_t)module, (uint32_t)(module >> 32)}};
    head.block.kind = AFTERMATH_BLOCK_MODULE;
    head.block.words = (uint32_t)((sizeof(head) + sizeof(text)) / sizeof(uint32_t));
    const struct iovec parts[] = {{&head, sizeof(head)}, {text, sizeof(text)}};
    aftermath_append(device, parts, ARRAY_LENGTH(parts));
}

/* --- commands --- */

static_assert(AFTERMATH_RECORDING_SLOTS == GPU_RECORDING_SLOT_BITS,
              "recordings of a command buffer share a place");
static_assert((int)COMMAND_COUNT <= AFTERMATH_COMMAND_NAMES, "each has a place");

/* Writes the JSON of the caller that a finding of the command would have. `kept` is
 * gpu_action::caller. */
static void survive_write_caller(const struct call *call, const void *kept,
                                 struct aftermath_caller *place)
{
    /* `other` has no caller, so that only the kept stack is described and none is walked */
    const struct call other = {.instance = call->instance, .device = call->device};
    struct caller_path *path = caller_path_of_kept(&other, kept);
    char buffer[1024];
    struct string_builder json;
    string_builder_begin(&json, buffer, sizeof(buffer));
    if (path)
        message_write_json_path(&json, path);
    if (path && json.length >= sizeof(place->json)) { /* the stack is too long, and left out */
        string_builder_end(&json);
        string_builder_begin(&json, buffer, sizeof(buffer));
        string_builder_add(&json, "\"caller\":");
        message_write_json_caller(&json, &path->frames[path->first]);
    }
    if (path && json.length < sizeof(place->json)) {
        memcpy(place->json, json.text, json.length);
        atomic_store_explicit(&place->whole, 1, memory_order_release);
    }
    string_builder_end(&json);
    mem_free(path);
}

/* Notes the command's call stack. Returns false if there is no place for it. A program has a few
 * hundred lines that record commands, and more stacks that lead to them. */
static bool note_path(const struct call *call, struct aftermath_commands *surviving,
                      const void *kept)
{
    const uint64_t key = (uint64_t)(uintptr_t)kept;
    for (uint32_t i = 0; i < AFTERMATH_CALLER_TRIES; i++) {
        struct aftermath_caller *place =
            &surviving->callers[(aftermath_caller_place(key) + i) % AFTERMATH_CALLER_PLACES];
        uint64_t there = atomic_load_explicit(&place->key, memory_order_relaxed);
        if (likely(there == key))
            return true;
        if (there)
            continue;
        if (atomic_compare_exchange_strong_explicit(&place->key, &there, key, memory_order_relaxed,
                                                    memory_order_relaxed)) {
            survive_write_caller(call, kept, place);
            return true;
        }
        if (there == key)
            return true;
    }
    return false;
}

/* Notes the stack, or only its first caller if there is no place for another stack. Returns the key
 * of the note; 0: neither was noted. */
static uint64_t note_caller(const struct call *call, struct aftermath_commands *surviving,
                            const void *kept)
{
    if (!kept || note_path(call, surviving, kept))
        return (uint64_t)(uintptr_t)kept;
    const void *address = kept_address(kept);
    return address && note_path(call, surviving, address) ? (uint64_t)(uintptr_t)address : 0;
}

void gpu_survive_command(const struct call *call, const struct gpu_command_buffer *commands,
                         const struct gpu_action *action)
{
    struct aftermath_commands *surviving = gpu_in_device(call->device)->gpu->surviving;
    const uint32_t recording = atomic_load_explicit(&commands->recording, memory_order_relaxed);
    struct aftermath_command entry = {.recording = recording,
                                      .number = action->number,
                                      .name = (uint32_t)action->command,
                                      .label = action->label};
    char *name = surviving->names[action->command];
    if (!recording)
        return;
    /* Several threads may write the same name at once, with the same bytes. */
    if (unlikely(!name[0])) {
        const char *text = command_name[action->command];
        memcpy(name, text, strnlen(text, sizeof(surviving->names[0]) - 1));
    }
    const uint64_t caller = note_caller(call, surviving, action->caller);
    entry.caller[0] = (uint32_t)caller;
    entry.caller[1] = (uint32_t)(caller >> 32);
    /* A reader ignores entries with a wrong checksum: those were cut short by the crash, or
     * overwritten by another recording's. */
    entry.check = aftermath_check(&entry, AFTERMATH_CHECKED(entry));
    surviving->commands[aftermath_place(recording, action->number) % AFTERMATH_COMMAND_PLACES] =
        entry;
}

void gpu_survive_label(const struct gpu_device *gpu, const struct gpu_command_buffer *commands)
{
    const struct gpu_label *label = &commands->labels[commands->label_count - 1];
    const uint32_t recording = atomic_load_explicit(&commands->recording, memory_order_relaxed);
    struct aftermath_label entry = {
        .recording = recording, .number = commands->label_count, .parent = label->parent};
    const char *name = label->name ? label->name : "?";
    memcpy(entry.name, name, strnlen(name, sizeof(entry.name) - 1));
    entry.check = aftermath_check(&entry, AFTERMATH_CHECKED(entry));
    gpu->surviving->labels[aftermath_place(recording, entry.number) % AFTERMATH_LABEL_PLACES] =
        entry;
}

void gpu_survive_execution(const struct gpu_device *gpu, uint32_t recording, uint32_t count,
                           const struct gpu_execution *execution)
{
    struct aftermath_execution entry = {.recording = recording, .count = count};
    if (execution) {
        entry.primary = execution->recording;
        entry.number = execution->number;
    }
    entry.check = aftermath_check(&entry, AFTERMATH_CHECKED(entry));
    gpu->surviving->executions[aftermath_place(recording, 0) % AFTERMATH_EXECUTION_PLACES] = entry;
}
