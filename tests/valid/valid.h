/* The steps of a random valid program stand on this. There is a world: an instance, a device with a
 * random configuration, and the objects that the program has made.
 *
 * A program is a list of steps. Each step has a stream of random numbers of its own and looks at
 * the model (what is enabled, what is there) before each choice. So any step can be left out, and
 * the rest is still a valid program. */
#ifndef ASSAY_VALID_H
#define ASSAY_VALID_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "valid_tables.h"

#define STEPS_MOST    16
#define PROGRAM_GROUP 32 /* programs that share a process, its instance and its settings */

#define LENGTH(array_) (sizeof(array_) / sizeof((array_)[0]))

enum settings { SETTINGS_PLAIN, SETTINGS_SYNC, SETTINGS_GPU, SETTINGS_SYNC_GPU, SETTINGS_COUNT };

struct options {
    uint64_t seed, programs, seconds;
    const char *layer;
    uint64_t kinds; /* a bit for each of `kinds`; which may be chosen */
    int settings;   /* enum settings; -1: the seed chooses */
    bool print, witness, keep_going;
    unsigned jobs;
};

struct told {
    char id[160];
    char text[3000];
    unsigned step;
};
#define TOLD_MOST 8

/* In memory that the parent shares: what is known of a child that does not come back. */
struct report {
    volatile uint64_t seed;
    volatile unsigned step;
    const char *volatile command;
    const char *volatile file;
    volatile int line;
    volatile unsigned told_count;
    volatile uint64_t programs, calls, steps[64];
    struct told told[TOLD_MOST];
};

struct cleanup {
    void (*destroy)(void *world, uint64_t handle, uint64_t other);
    uint64_t handle, other;
};
#define CLEANUPS_MOST 4096

struct queue {
    VkQueue handle;
    uint32_t family;
    VkQueueFlags flags;
    uint32_t timestamp_bits;
    VkExtent3D granularity;
    /* VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT: for protected work as well */
    VkDeviceQueueCreateFlags created;
};
#define QUEUES_MOST 8

struct world {
    const struct options *options;
    struct report *report;
    uint64_t random;  /* the running step's stream */
    uint64_t skipped; /* a bit for each step that is left out */
    enum settings settings;

    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger;
    uint32_t instance_version; /* 11 for 1.1 */
    bool instance_extensions[EXTENSION_COUNT];

    VkPhysicalDevice physical_device;
    VkPhysicalDevice group[VK_MAX_DEVICE_GROUP_SIZE]; /* of the first one */
    /* device_count: of the device, which are numbered from 0 */
    uint32_t group_size, device_count;
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceMemoryProperties memory;
    uint32_t version; /* of the device, 13 for 1.3 */
    bool software;    /* it runs what is submitted */
    bool supported[EXTENSION_COUNT], extensions[EXTENSION_COUNT], features[FEATURE_COUNT];

    VkDevice device;
    PFN_vkVoidFunction procs[COMMAND_COUNT];
    struct queue queues[QUEUES_MOST];
    struct queue video; /* decodes; its handle is VK_NULL_HANDLE where there is none */
    uint32_t queue_count;

    unsigned step;
    struct cleanup cleanups[CLEANUPS_MOST];
    unsigned cleanup_count;
    bool idle; /* nothing has been submitted since the last wait for everything */
    bool fine_barriers, sync2_always;
    bool once_at_a_time; /* what is recorded next is not for simultaneous use */
    /* of what is made next */
    enum sharing { SHARING_ANY, SHARING_EXCLUSIVE, SHARING_CONCURRENT } sharing;

    uint8_t *arena;
    size_t arena_used;
    void *unreadable; /* a page that must not be read */
};

#define ON(feature_)     (w->features[FEATURE_##feature_])
#define GROUPED          (w->device_count > 1)
#define HAS(extension_)  (w->extensions[EXTENSION_##extension_])
#define VERSION(number_) (w->version >= (number_))

/* --- random numbers, of the running step --- */
uint32_t below(struct world *w, uint32_t limit);
uint32_t between(struct world *w, uint32_t first, uint32_t last);
bool chance(struct world *w, uint32_t percent);
#define PICK(first_, ...)                                              \
    ({                                                                 \
        const __typeof__((first_) + 0) of__[] = {first_, __VA_ARGS__}; \
        of__[below(w, (uint32_t)LENGTH(of__))];                        \
    })
#define PICK_OF(array_) ((array_)[below(w, (uint32_t)LENGTH(array_))])

/* --- memory that ends with the step, and is overwritten then --- */
void *temporary(struct world *w, size_t size);
#define NEW(type_, ...)                             \
    ({                                              \
        type_ *new__ = temporary(w, sizeof(type_)); \
        *new__ = (type_){__VA_ARGS__};              \
        new__;                                      \
    })
#define NEW_ARRAY(type_, count_) ((type_ *)temporary(w, sizeof(type_) * (count_)))
/* A pointer that is ignored may be anything: one that must not be followed, or NULL. lavapipe
 * follows some. */
#define IGNORED (chance(w, 50) && !w->software ? w->unreadable : NULL)
/* sType with the structure's name: CHAIN(VkFoo, STYPE, .member = ...) puts a structure before
 * *next_. */
#define CHAIN(next_, type_, stype_, ...)                                                       \
    ({                                                                                         \
        type_ *chained__ =                                                                     \
            NEW(type_, .sType = (stype_), .pNext = (void *)(uintptr_t)(next_), ##__VA_ARGS__); \
        (next_) = (void *)chained__;                                                           \
        chained__;                                                                             \
    })

/* --- calls --- */
PFN_vkVoidFunction command_find(struct world *w, enum command command);
void note_call(struct world *w, const char *name, const char *arguments, const char *file,
               int line);
void note(struct world *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
void fail(struct world *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define CALL(name_, ...)                                          \
    (note_call(w, "vk" #name_, #__VA_ARGS__, __FILE__, __LINE__), \
     ((PFN_vk##name_)command_find(w, COMMAND_##name_))(__VA_ARGS__))
#define MUST(name_, ...)                                        \
    do {                                                        \
        VkResult result__ = CALL(name_, __VA_ARGS__);           \
        if (result__ != VK_SUCCESS)                             \
            fail(w, "vk" #name_ " answered %d", (int)result__); \
    } while (0)
/* Declares a command of the instance or the loader. */
#define OUTER(name_, ...) \
    (note_call(w, #name_, #__VA_ARGS__, __FILE__, __LINE__), name_(__VA_ARGS__))
bool command_there(struct world *w, enum command command);
#define THERE(name_) command_there(w, COMMAND_##name_)

/* --- what is destroyed when the step or the program ends --- */
void own(struct world *w, void (*destroy)(void *world, uint64_t handle, uint64_t other),
         uint64_t handle, uint64_t other);
void disown(struct world *w, uint64_t handle);
#define U64(handle_)        ((uint64_t)(uintptr_t)(handle_))
#define OWN(name_, handle_) own(w, destroy_##name_, U64(handle_), 0)
/* clang-format off */
#define DESTROYED_LIST(X) \
    X(Buffer) X(Image) X(ImageView) X(BufferView) \
    X(Sampler) X(RenderPass) X(Framebuffer) X(DescriptorSetLayout) \
    X(DescriptorPool) X(PipelineLayout) X(ShaderModule) X(PipelineCache) \
    X(CommandPool) X(Semaphore) X(Fence) X(Event) \
    X(QueryPool) X(SamplerYcbcrConversion) X(DescriptorUpdateTemplate) X(Pipeline) \
    X(PrivateDataSlot) X(ShaderEXT) X(AccelerationStructureKHR) X(MicromapEXT) \
    X(TensorARM) X(TensorViewARM) X(CuModuleNVX) X(CuFunctionNVX)
/* clang-format on */
#define X(name_) void destroy_##name_(void *world, uint64_t handle, uint64_t other);
DESTROYED_LIST(X)
#undef X
void destroy_memory(void *world, uint64_t handle, uint64_t other);
void destroy_to(struct world *w, unsigned count); /* down to so many cleanups */
/* Destroys one of the objects now. */
void destroy_now(struct world *w, uint64_t handle);
#define DESTROY_NOW(handle_) destroy_now(w, U64(handle_))

/* --- world.c --- */
void instance_create(struct world *w, uint64_t group);
void instance_destroy(struct world *w);
void device_create(struct world *w);
void device_destroy(struct world *w);
bool has_either(const struct world *w, uint32_t version, enum extension extension);
/* Fills the structures of this chain; false: this instance has no command that could. */
bool properties_of(struct world *w, void *chain);

/* --- formats.c --- */
struct format {
    VkFormat format;
    uint8_t bytes, block_width, block_height;
    VkImageAspectFlags aspects;
    uint8_t planes;
    /* f float-like, u uint, i sint, d depth or stencil, b block, y Y'CbCr */
    char kind;
    uint8_t shift_x, shift_y; /* of planes after the first */
    VkFormat plane_formats[3];
};
extern const struct format formats[];
extern const uint32_t format_count;
const struct format *format_of(VkFormat format);
VkFormatFeatureFlags format_features(struct world *w, VkFormat format, VkImageTiling tiling);
const struct format *any_format(struct world *w, const char *kinds, VkFormatFeatureFlags features);

/* --- objects.c --- */
struct buffer {
    VkBuffer handle;
    VkDeviceSize size;
    VkBufferUsageFlags usage;
    VkDeviceMemory memory;
    VkDeviceSize offset;
    VkDeviceAddress address; /* with that usage */
    bool visible;
    bool concurrent;
};

struct image {
    VkImage handle;
    VkImageCreateInfo info; /* without its chain */
    const struct format *format;
    VkImageLayout layout; /* of all of it, after what has been recorded */
    VkDeviceMemory memory;
    bool concurrent;
};

struct buffer *make_buffer(struct world *w, VkDeviceSize size, VkBufferUsageFlags usage,
                           bool visible);
/* NULL: not supported. The chain of `info` is kept. */
struct image *make_image(struct world *w, const VkImageCreateInfo *info);
bool image_supported(struct world *w, const VkImageCreateInfo *info);
VkImageCreateInfo image_info(VkFormat format, uint32_t width, uint32_t height,
                             VkImageUsageFlags usage);
VkExtent3D level_extent(const struct image *image, uint32_t level);
VkExtent3D plane_extent(const struct image *image, uint32_t level, VkImageAspectFlags aspect);
VkImageView make_view(struct world *w, const struct image *image, VkImageViewType type,
                      VkImageAspectFlags aspects);
VkImageView make_view_of(struct world *w, const VkImageViewCreateInfo *info);
VkImageViewCreateInfo view_info(const struct image *image, VkImageViewType type,
                                VkImageAspectFlags aspects);
VkSampler make_sampler(struct world *w);
/* The queue families that may use what is made now, or 0 where it is exclusive. */
uint32_t any_sharing(struct world *w, uint32_t *families);
VkDeviceMemory make_memory(struct world *w, VkMemoryRequirements requirements, bool visible,
                           bool address, uint64_t dedicated_buffer, uint64_t dedicated_image);
VkShaderModule make_module(struct world *w, unsigned shader);
VkSampleCountFlagBits any_samples(struct world *w, VkSampleCountFlags counts);

/* --- shaders.c --- */
/* clang-format off */
#define SHADERS(X) \
    X(fill_comp) X(store_comp) X(all_comp) X(empty_comp) \
    X(plain_vert) X(inputs_vert) X(plain_frag) X(two_frag) \
    X(depth_frag) X(input_frag) X(empty_frag) X(control_tesc) \
    X(evaluate_tese) X(points_geom) X(mesh_mesh) X(task_task) \
    X(multiview_vert) X(capture_vert) X(textured_frag) X(push_vert) \
    X(query_comp) X(trace_rgen) X(trace_rmiss) X(trace_rchit) \
    X(inline_comp) X(sampled_comp) X(array_comp) X(sets_comp) \
    X(heap_comp)
/* clang-format on */
enum shader {
#define X(name_) SHADER_##name_,
    SHADERS(X)
#undef X
        SHADER_COUNT
};
struct shader_code {
    const uint32_t *words;
    size_t size;
};
extern const struct shader_code shader_codes[SHADER_COUNT];

/* --- record.c --- */
/* Ways in which a command uses memory. */
enum use {
    USE_COPY_READ,
    USE_COPY_WRITE,
    USE_BLIT_READ,
    USE_BLIT_WRITE,
    USE_RESOLVE_READ,
    USE_RESOLVE_WRITE,
    USE_CLEAR,
    USE_UPDATE,
    USE_COMPUTE_READ,
    USE_COMPUTE_WRITE,
    USE_INDIRECT,
    USE_INDEX,
    USE_VERTEX,
    USE_SHADER_READ,
    USE_SHADER_WRITE,
    USE_COLOR,
    USE_DEPTH,
    USE_HOST_READ,
    USE_CONDITIONAL,
    USE_BUILD,
    USE_TRACE,
    USE_FEEDBACK, /* captured vertices and their counters */
    USE_QUERY,    /* of rays, in a compute shader */
    USE_RATES,    /* of fragment shading */
    USE_DENSITY,  /* of fragments */
    USE_MICROMAP, /* builds and copies */
    USE_ALL,
    USE_COUNT
};
#define USE(name_) (1u << USE_##name_)

#define TRANSITIONS_MOST 24
struct record {
    struct world *w;
    VkCommandBuffer c;
    const struct queue *queue;
    VkCommandBufferUsageFlags flags;
    bool secondary, once; /* once: cannot be submitted a second time */
    uint32_t before;      /* uses since the beginning */
    bool unknown;         /* whatever was submitted before may still run */
    /* dynamic states that still hold (enum state), as they were set for this target */
    uint64_t live;
    const void *live_target;
    unsigned transition_count;
    struct {
        struct image *image;
        VkImageLayout from, to;
    } transitions[TRANSITIONS_MOST];
};
/* A mask of some of them. */
uint32_t any_devices(struct world *w);
const struct queue *any_queue(struct world *w, VkQueueFlags flags);
struct record *record_begin(struct world *w, const struct queue *queue);
/* Ends, submits, and perhaps waits. */
void record_finish(struct record *rec);
/* Brings an image into a layout before the next command: `ready` does it. */
void needs_layout(struct record *rec, struct image *image, VkImageLayout layout);
/* Orders what comes next after all that came before. Outside of render passes. */
void ready(struct record *rec, uint32_t uses);
void wait_for_all(struct world *w);
void submit(struct world *w, const struct queue *queue, uint32_t count,
            const VkCommandBuffer *buffers);
VkCommandBuffer make_command_buffer(struct world *w, const struct queue *queue,
                                    VkCommandBufferLevel level);
VkSemaphore make_semaphore(struct world *w, bool timeline);

/* The command buffers that one element of a submission runs, and what it waits for and signals. */
struct batch {
    uint32_t count; /* of command buffers; at most 8 */
    const VkCommandBuffer *buffers;
    VkSemaphore waits[2], signals[2];
    uint64_t wait_values[2], signal_values[2];
    uint32_t wait_count, signal_count;
    bool timeline, protected;
};
/* At most four batches, in the old form or the new one. */
void submit_batches(struct world *w, VkQueue queue, uint32_t count, const struct batch *batches,
                    VkFence fence);

/* --- kinds of steps --- */
struct kind {
    const char *name;
    void (*step)(struct world *w);
    uint32_t weight;
};
extern const struct kind kinds[];
extern const uint32_t kind_count;
/* clang-format off */
#define KINDS(X) \
    X(buffer_copies) X(image_copies) X(clears) X(blits) \
    X(resolves) X(draws) X(dispatches) X(descriptor_sets) \
    X(queries) X(events) X(semaphores) X(secondaries) \
    X(passes) X(images) X(sharing) X(tracing) \
    X(descriptor_kinds) X(local_reads) X(host_copies) X(swapchains) \
    X(captures) X(generated_commands) X(sparse_images) X(tools) \
    X(bindings) X(vertices) X(submissions) X(nested) \
    X(binaries) X(externals) X(protected_work) X(addresses) \
    X(heaps) X(groups) X(host_tracing) X(corners) \
    X(micromaps) X(tensors) X(vendors) X(videos)
/* clang-format on */
#define X(name_) void step_##name_(struct world *w);
KINDS(X)
#undef X

#endif
