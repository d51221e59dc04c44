/* The files of the null driver share this: its objects, its configuration, and the generated
 * tables.
 *
 * The null driver advertises everything that the registry knows and does nothing, quickly. Commands
 * that have behaviour are written here by hand as `null_Foo`; the generator finds them by that name
 * and writes all others (registry/rooms/null_driver/rules.py). */
#pragma once

#include "null_commands.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MUST_CHECK __attribute__((warn_unused_result))

/* Bytes of every opaque datum that a command writes (capture-replay data, descriptors' handles). */
#define OPAQUE_DATA_SIZE 16

#define MAX_QUEUE_FAMILIES   16
#define MAX_PHYSICAL_DEVICES 4
#define MAX_FORMAT_CHANGES   8

#define MEMORY_TYPE_COUNT     6
#define MEMORY_TYPE_LAZY      4
#define MEMORY_TYPE_PROTECTED 5
/* Types that any buffer or image may live in; lazily allocated and protected memory only where
 * usage or flags ask for it. */
#define MEMORY_TYPES_COMMON 0xfu

/* --- commands --------------------------------------------------------------------------------- */

enum command_level { LEVEL_GLOBAL, LEVEL_INSTANCE, LEVEL_PHYSICAL_DEVICE, LEVEL_DEVICE };

/* One name that GetProcAddr answers; aliases share their root's functions. `failing` is used
 * instead of `function` where the configuration makes the command fail. `checking` (which goes on
 * to `failing`) is used where it asks for checked handles, so that it costs nothing otherwise; NULL
 * if the command cannot fail, and if it takes no handle. */
struct command_entry {
    const char *name;
    PFN_vkVoidFunction function;
    PFN_vkVoidFunction failing;
    PFN_vkVoidFunction checking;
    /* the only one that brings it; NULL for a command of a version or of several extensions */
    const char *extension;
    enum null_command command;
    enum command_level level;
};

struct result_name {
    const char *name;
    VkResult result;
};

extern const struct command_entry command_table[]; /* sorted by name */
extern const size_t command_table_count;
extern const char *const command_names[COMMAND_COUNT];
extern const struct result_name result_names[];
extern const size_t result_name_count;
extern const VkExtensionProperties instance_extensions[];
extern const uint32_t instance_extension_count;
extern const VkExtensionProperties device_extensions[];
extern const uint32_t device_extension_count;

/* --- output structures ------------------------------------------------------------------------ */

enum value_kind { VALUE_OTHER, VALUE_U32, VALUE_U64, VALUE_FLOAT, VALUE_STRING, VALUE_BYTES };

struct out_member {
    const char *name;
    uint32_t offset;
    uint32_t size;
    enum value_kind kind;
    uint32_t count; /* elements of an array */
};

enum out_kind { OUT_FEATURES, OUT_PROPERTIES, OUT_OTHER };

/* A structure with an sType that a command may write. Its pointers are the app's and are not
 * members here. */
struct out_struct {
    const char *name;
    const void *defaults; /* an instance of the structure; NULL: all zero (features: all VK_TRUE) */
    VkStructureType stype;
    uint16_t first_member; /* in out_members */
    uint16_t member_count;
    enum out_kind kind;
};

extern const struct out_member out_members[];
extern const struct out_struct out_structs[]; /* sorted by sType */
extern const size_t out_struct_count;
extern const struct out_member limit_members[];
extern const size_t limit_member_count;

/* The table's row for an sType, or NULL. */
const struct out_struct *out_struct_find(VkStructureType stype);
/* Writes the default values into every known structure of a chain; sType, pNext and pointers stay
 * as they are. NULL is allowed. */
void out_chain(void *chain);
/* The same over `config`'s changed features and properties. */
struct config;
void out_chain_configured(const struct config *config, void *chain);
/* Writes `count` default items of `size` bytes; with_stype: they are structures with an sType and a
 * chain. */
void out_items(void *items, uint32_t count, size_t size, bool with_stype);
/* The two-call idiom over `total` default items. */
VkResult enumerate_out(uint32_t *count, void *items, uint32_t total, size_t size, bool with_stype);
/* The two-call idiom over an array of plain values. */
VkResult enumerate_values(uint32_t *count, void *items, const void *values, uint32_t total,
                          size_t size);
/* The two-call idiom over a blob of bytes that is the same for every object. */
VkResult blob_read(size_t *size, void *data);
/* The structure with that sType in the chain, or NULL. */
const void *chain_find(const void *chain, VkStructureType stype);

/* --- formats ---------------------------------------------------------------------------------- */

enum format_flag {
    FORMAT_DEPTH = 1,
    FORMAT_STENCIL = 2,
    FORMAT_COMPRESSED = 4,
    FORMAT_YCBCR = 8,
    FORMAT_INTEGER = 16,
    FORMAT_ATOMIC = 32,
};

struct format_plane {
    uint8_t width_divisor;
    uint8_t height_divisor;
    uint8_t block_size;
};

struct format_info {
    VkFormat format;
    uint8_t block_size; /* bytes */
    uint8_t block_extent[3];
    uint8_t plane_count; /* 0 for a format of one plane */
    uint8_t flags;
    struct format_plane planes[3];
};

extern const struct format_info format_table[]; /* sorted by format */
extern const size_t format_table_count;

/* NULL for VK_FORMAT_UNDEFINED and for formats that the registry does not know. */
const struct format_info *format_find(VkFormat format);

/* --- checked handles -------------------------------------------------------------------------- */

enum check_kind { CHECK_HANDLE, CHECK_STRUCT, CHECK_TYPED };
enum guard_kind { GUARD_NONE, GUARD_EQUAL, GUARD_SET, GUARD_CLEAR };

/* A member of a structure that is a handle, or leads to one. */
struct checked_member {
    const char *name;
    uint32_t offset;
    enum check_kind kind;
    uint8_t indirection; /* 0: inline, 1: by a pointer, 2: by an array of pointers */
    bool counted;        /* count is the offset of the number, not the number */
    uint32_t count;
    /* the object type; the index in checked_structs; the offset of the object type */
    uint32_t what;
    /* the member is ignored unless the word at guard_offset equals, has or lacks the value */
    enum guard_kind guard;
    uint32_t guard_offset;
    uint32_t guard_value;
};

struct checked_struct {
    const char *name;
    VkStructureType stype;
    uint32_t size;
    uint16_t first_member; /* in checked_members */
    uint16_t member_count;
    bool chained;
};

extern const struct checked_member checked_members[];
extern const struct checked_struct checked_structs[];
extern const size_t checked_struct_count;

/* Each says on stderr which command got, in which parameter and structure, a handle that is not a
 * live object of its type, and aborts. */
void check_handles(enum null_command command, const char *where, const void *handles,
                   uint32_t count, VkObjectType type);
void check_typed(enum null_command command, const char *where, uint64_t handle, VkObjectType type);
void check_structs(enum null_command command, const char *where, const void *structures,
                   uint32_t count, uint32_t index);

/* --- configuration ---------------------------------------------------------------------------- */

/* One member of one structure that the configuration changes. */
struct override {
    const struct out_struct *target; /* NULL: VkPhysicalDeviceProperties or its limits */
    /* in the structure; in VkPhysicalDeviceProperties where target is NULL */
    uint32_t offset;
    uint32_t size;
    unsigned char bytes[256];
};

/* The failure of a command that the configuration makes fail. Threads: remaining is atomic, the
 * rest is fixed. */
struct failure {
    VkResult result;
    /* of an array of created handles: these indices are VK_NULL_HANDLE, the rest is created */
    uint32_t nulled_count;
    uint32_t *nulled;
    atomic_uint remaining; /* calls that still succeed */
    bool with_device;      /* fails once the device is lost, not before */
    bool crashes;          /* the process gets SIGSEGV instead of a result */
};

/* The JSON file that ASSAY_NULL_DRIVER names, as read when the instance was created. Threads: fixed
 * once loaded. */
/* Features that a format lacks, whatever the tiling. */
struct format_change {
    VkFormat format;
    VkFormatFeatureFlags2 without;
};

struct config {
    uint32_t api_version;
    uint32_t physical_device_count;
    bool device_group;   /* all physical devices are of one group; otherwise each has its own */
    bool multi_instance; /* heap 0 is VK_MEMORY_HEAP_MULTI_INSTANCE_BIT */
    bool check_handles;  /* a handle that is none of the driver's ends the process */
    /* a deferred host operation answers VK_OPERATION_DEFERRED_KHR, though it is done */
    bool defer_operations;
    bool operations_run; /* operations that were deferred never complete */
    /* what builds of clusters and of partitioned structures take, for the result and for scratch */
    uint32_t build_size;
    uint32_t video_memory; /* memory bindings of a video session */
    /* memory that only a feature allows: type 3 is coherent with devices, heap 1 is tile memory */
    bool special_memory;
    bool dedicated;       /* every buffer and image needs memory of its own */
    bool plain_surfaces;  /* they neither scale nor protect */
    bool portability;     /* VK_KHR_portability_subset is listed */
    bool list_formats;    /* of optical flow, and types of cooperative vectors */
    bool reorder_planes;  /* of displays: planeReorderPossible */
    bool no_presentation; /* no queue family presents to any surface */
    bool windows_go;      /* nor once an image was acquired, as if the window had been closed */
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceFeatures features;
    struct override *overrides; /* sorted by target */
    size_t override_count;
    struct format_change format_changes[MAX_FORMAT_CHANGES];
    size_t format_change_count;
    VkDeviceSize heap_size;     /* of each of the two heaps */
    bool has_markers;           /* markers.c. One thread submits, as for the next three */
    unsigned markers_left;      /* that still take effect */
    unsigned markers_ahead;     /* and of those at the top of the pipe, so many more */
    const void *checkpoints[2]; /* the last one at the bottom and at the top of the pipe */
    /* milliseconds after which a wait that would last longer loses the device; 0: never */
    uint32_t hang_timeout;
    bool loses_device;
    atomic_uint submits_left;          /* until the device is lost */
    unsigned char abort_messages[256]; /* of shaders, as the lost device tells them */
    uint32_t abort_size;
    uint32_t queue_family_count;
    VkQueueFamilyProperties queue_families[MAX_QUEUE_FAMILIES];
    const char **disabled_extensions;
    size_t disabled_extension_count;
    struct failure *failures[COMMAND_COUNT];
};

/* Reads the file, if the environment names one. NULL: it cannot be read or has an error, which is
 * reported on stderr. The caller owns the result. */
struct config *config_load(void);
void config_free(struct config *config);
/* NULL stands for a configuration that changes nothing. */
bool config_has_extension(const struct config *config, const char *name);

/* --- objects ---------------------------------------------------------------------------------- */

/* The beginning of every dispatchable object. `loader_data` is the loader's. */
struct dispatchable {
    uintptr_t loader_data;
    struct config *config;
};

/* The failure that a call to this command through this object has to answer, or NULL if it is to
 * succeed. */
struct failure *failure_due(const void *dispatchable, enum null_command command);
/* Destroys the handles that the failure names and returns its result. */
VkResult failure_null_handles(const struct failure *failure, VkObjectType type, uint32_t count,
                              void *handles);

#define OBJECT_SIZE 128

/* The head of every object but instances, devices and queues. Objects live in slots of OBJECT_SIZE
 * bytes of one region that is never unmapped. So a stale or garbage handle is recognised instead of
 * followed. Threads: type is atomic; siblings are under the owner's lock; the rest as Vulkan's
 * external synchronisation says. */
struct object {
    struct dispatchable dispatchable;
    _Atomic uint32_t type;   /* VkObjectType; 0 while free */
    atomic_flag lock;        /* of a pool: guards its list of children */
    struct object *children; /* of a pool: what was allocated from it */
    struct object *owner;
    struct object *previous;
    struct object *next;
};

/* A new zeroed object, NULL when the region is full. */
void *object_new(VkObjectType type);
/* Creates `count` objects into an array of handles; false (and all handles VK_NULL_HANDLE) when the
 * region is full. */
bool MUST_CHECK objects_new(VkObjectType type, uint32_t count, void *handles);
/* NULL, foreign and stale handles are ignored. */
void object_free(const void *handle, VkObjectType type);
/* The object, or NULL if the handle is not a live object of this type. */
void *object_get(const void *handle, VkObjectType type);
/* Makes `child` a child of the pool, and undoes that. */
void object_adopt(struct object *pool, struct object *child);
void object_orphan(struct object *child);
/* Frees every child of the pool. */
void object_free_children(struct object *pool);

/* markers.c: the command buffer is executed, as far as its markers go. */
void markers_execute(VkQueue queue, VkCommandBuffer commands);

struct physical_device {
    struct dispatchable dispatchable;
    struct instance *instance;
    uint32_t index;
};

struct instance {
    struct dispatchable dispatchable;
    struct physical_device physical_devices[MAX_PHYSICAL_DEVICES];
};

struct submission;

struct queue {
    struct dispatchable dispatchable;
    struct device *device;
    uint32_t family;
    VkDeviceQueueCreateFlags flags;
    struct submission *first; /* waiting for semaphores; under the device's lock */
    struct submission *last;
};

/* Threads: `pending` is atomic; the queues' lists are under `lock`; all else is fixed at creation.
 */
struct device {
    struct dispatchable dispatchable;
    struct physical_device *physical_device;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* a fence or semaphore was signalled */
    atomic_uint waiters;    /* threads that wait for `changed` */
    atomic_uint pending;    /* submissions that wait for semaphores */
    uint32_t queue_count;
    struct queue *queues;
};

struct memory {
    struct object object;
    VkDeviceSize size;
    VkDeviceAddress address;
    _Atomic(void *) host; /* mapped once, stays until the memory is freed */
    uint32_t type_index;
    bool host_is_ours;
};

struct buffer {
    struct object object;
    VkDeviceSize size;
    _Atomic VkDeviceAddress address; /* given when first asked for or bound */
    struct memory *memory;           /* that it is bound to; NULL: none */
    VkDeviceSize memory_offset;
    bool protected;
};

struct image {
    struct object object;
    VkFormat format;
    VkExtent3D extent;
    uint32_t mip_levels;
    uint32_t array_layers;
    uint8_t type;
    uint8_t samples;
    bool linear;
    bool transient;
    bool sparse;
    bool disjoint;
    bool protected;
};

struct fence {
    struct object object;
    _Atomic uint32_t signaled;
};

struct event {
    struct object object;
    _Atomic uint32_t set;
};

struct semaphore {
    struct object object;
    _Atomic uint64_t value; /* of a timeline */
    bool timeline;
    /* of a binary semaphore, by submissions that wait; under the device's lock */
    uint32_t pending_signals;
};

struct query_pool {
    struct object object;
    VkQueryType type;
    uint32_t count;
    VkQueryPipelineStatisticFlags statistics;
};

struct deferred_operation {
    struct object object;
};

static_assert(sizeof(struct image) <= OBJECT_SIZE && sizeof(struct semaphore) <= OBJECT_SIZE &&
                  sizeof(struct memory) <= OBJECT_SIZE && sizeof(struct buffer) <= OBJECT_SIZE,
              "an object fits its slot");

/* Called in vkSetDebugUtilsObjectNameEXT, where a test has set it: so that the test can hold a
 * thread in a call. The one symbol that the driver exports beside the loader's. Threads: set before
 * other threads call the driver. */
extern void (*null_driver_naming_hook)(void);

/* The answer of a command with a deferred operation. */
VkResult deferred_result(VkDevice device, VkDeferredOperationKHR operation);
/* Signals what an acquired image signals; NULL handles are allowed. */
void signal_now(VkDevice device, VkSemaphore semaphore, VkFence fence);
/* A range of device addresses that nothing else has. */
VkDeviceAddress address_reserve(VkDeviceSize size);
/* An image that a swapchain owns. */
struct image *image_new(const VkImageCreateInfo *info);
