/* Which memory outlives the process, and what has to lie beside it? */
#include "gpu/survive.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "spirv/instrument.h"
#include "state/aftermath.h"

/* The largest alignment that drivers ask of memory that they import, as far as is known. */
#define IMPORT_ALIGNMENT 65536u
/* Beyond this size of the file, code is left out, and lines of source with it. */
#define CODE_MOST (64 << 20)

/* --- the ring --- */

/* At an address that is a multiple of IMPORT_ALIGNMENT, as `size` is; MAP_FAILED: it cannot be had. */
static void *map_aligned(int file, size_t size)
{
    unsigned char *all = mmap(NULL, size + IMPORT_ALIGNMENT, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        return MAP_FAILED;
    const size_t skip = (IMPORT_ALIGNMENT - (uintptr_t)all % IMPORT_ALIGNMENT) % IMPORT_ALIGNMENT;
    void *memory = mmap(all + skip, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
    if (memory == MAP_FAILED)
        (void)munmap(all, size + IMPORT_ALIGNMENT);
    return memory;
}

static void *map_ring(const char *path, size_t size)
{
    const int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    void *memory = MAP_FAILED;
    if (file < 0)
        return MAP_FAILED;
    /* Allocated now: a full disk must not be a signal later. */
    if (posix_fallocate(file, 0, (off_t)size) == 0)
        memory = map_aligned(file, size);
    (void)close(file);
    return memory;
}

bool gpu_survive_ring(struct gpu_device *gpu, VkDeviceSize size, struct gpu_memory *memory)
{
    struct aftermath *aftermath = gpu->device->aftermath;
    /* A buffer may need more than its size. */
    const size_t all = ((size_t)size + 2 * IMPORT_ALIGNMENT - 1) / IMPORT_ALIGNMENT * IMPORT_ALIGNMENT;
    char path[4096];
    if (!aftermath || !gpu->device->imports_host_memory ||
        !aftermath_file_name(aftermath, AFTERMATH_RING, path, sizeof(path)))
        return false;
    void *host = map_ring(path, all);
    if (host != MAP_FAILED && gpu_memory_import(&gpu->memory, host, (uint32_t)size, (uint32_t)all, memory)) {
        aftermath->ring = 1;
        return true;
    }
    (void)unlink(path);
    if (host != MAP_FAILED)
        (void)munmap(host, all);
    return false;
}

/* --- what is needed to tell of records --- */

/* In one piece: other threads append as well. */
static void append(const struct device *device, const struct iovec *parts, int count)
{
    char path[4096];
    if (!aftermath_file_name(device->aftermath, AFTERMATH_SHADERS, path, sizeof(path)))
        return;
    const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    (void)!writev(file, parts, count);
    (void)close(file);
}

static bool has_room(const struct device *device)
{
    char path[4096];
    struct stat status;
    return aftermath_file_name(device->aftermath, AFTERMATH_SHADERS, path, sizeof(path)) &&
           (stat(path, &status) != 0 || status.st_size < CODE_MOST);
}

void gpu_survive_shader(const struct device *device, const struct gpu_shader *shader)
{
    if (!device->aftermath || !device->aftermath->ring)
        return;
    const size_t site_bytes = shader->site_count * sizeof(*shader->sites);
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
    const struct iovec parts[] = {{&head, sizeof(head)},
                                  {shader->sites, site_bytes},
                                  {(void *)(uintptr_t)shader->words, word_count * sizeof(uint32_t)}};
    append(device, parts, ARRAY_LENGTH(parts));
}

void gpu_survive_stage(const struct device *device, const struct gpu_shader *shader, uint64_t module, const char *name)
{
    uint32_t text[AFTERMATH_NAME / sizeof(uint32_t)] = {0};
    if (!device->aftermath || !device->aftermath->ring || !(name || module))
        return;
    memcpy(text, name ? name : "", strnlen(name ? name : "", sizeof(text) - 1));
    struct aftermath_module head = {
        .shader = shader->id, .name_words = ARRAY_LENGTH(text), .handle = {(uint32_t)module, (uint32_t)(module >> 32)}};
    head.block.kind = AFTERMATH_BLOCK_MODULE;
    head.block.words = (uint32_t)((sizeof(head) + sizeof(text)) / sizeof(uint32_t));
    const struct iovec parts[] = {{&head, sizeof(head)}, {text, sizeof(text)}};
    append(device, parts, ARRAY_LENGTH(parts));
}
