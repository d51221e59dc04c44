/* A scenario is a C function that makes a valid program and then one mistake (or none). It has the
 * ids of the findings that it must cause: no more and no fewer. Each runs in a process of its own
 * (runner.c), through the real loader, on lavapipe or on the null driver. The command line names
 * the layer.
 *
 *     SCENARIO(buffer_size_zero, .expect = {"VUID-VkBufferCreateInfo-size-00912"},
 *              .text = {"pCreateInfo->size is 0"})
 *     {
 *         VkBufferCreateInfo info = buffer_info(0, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
 *         create_buffer(b, &info);
 *     } */
#ifndef ASSAY_HARNESS_SCENARIO_H
#define ASSAY_HARNESS_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../../src/vk/window_systems.h"

enum driver { LAVAPIPE = 1 << 0, NULL_DRIVER = 1 << 1 };

/* The objects that the harness makes before the function runs. */
enum start { START_DEVICE, START_INSTANCE, START_NOTHING };

#define LIST_LIMIT 16

struct baseline;

/* Threads: constant once registered. */
struct scenario {
    const char *name;
    const char *file; /* tests/scenarios/<file>.c, without directory and suffix */
    void (*run)(struct baseline *b);
    /* ids of all findings (errors and warnings), each once, in any order */
    const char *expect[LIST_LIMIT];
    /* ids that may come as well: what a race decides, the scenario asserts itself */
    const char *allow[LIST_LIMIT];
    /* what a user must be able to read in one of them; our layer only */
    const char *text[LIST_LIMIT];
    /* ids that a layer between ours and the driver may say of the mistake, too, beside those of
     * `expect` and `allow` */
    const char *below[LIST_LIMIT];
    unsigned drivers; /* enum driver; 0 means each of them */
    enum start start;
    uint32_t api_version;                        /* of the instance; 0 means 1.3 */
    const char *instance_extensions[LIST_LIMIT]; /* beside VK_EXT_debug_utils */
    const char *extensions[LIST_LIMIT];          /* of the device */
    const void *features;                        /* pNext chain of VkDeviceCreateInfo */
    const char *settings[LIST_LIMIT];            /* "name=value", given through the environment */
    const char *settings_file;                   /* contents of ./vk_layer_settings.txt */
    const char *null_driver;                     /* contents of the null driver's JSON file */
    bool proceed;     /* the messenger answers VK_FALSE: the mistaken call reaches the driver */
    bool ours_only;   /* about what only our layer promises: not run under the peer */
    int signal;       /* the process must end by this signal; 0: by itself */
    unsigned seconds; /* that it may take on an idle machine; 0 means the default */
    struct scenario *next;
};

void scenario_register(struct scenario *scenario);

/* Names a scenario, with the fields of struct scenario that are not the default, and heads its
 * function. */
#define SCENARIO(name_, ...)                                            \
    static void name_(struct baseline *b);                              \
    static struct scenario scenario_##name_ = {                         \
        .name = #name_, .file = __FILE__, .run = name_, ##__VA_ARGS__}; \
    __attribute__((constructor)) static void register_##name_(void)     \
    {                                                                   \
        scenario_register(&scenario_##name_);                           \
    }                                                                   \
    static void name_(struct baseline *b)

/* One finding, as the messenger got it. */
struct seen {
    char *id;
    char *text;
    int32_t number;
    VkDebugUtilsMessageSeverityFlagBitsEXT severity;
    uint32_t object_count;
    VkDebugUtilsObjectNameInfoEXT objects[8]; /* pObjectName is a copy */
    uint32_t queue_label_count, command_label_count;
    char *queue_labels[8], *command_labels[8]; /* in the order of the callback */
    struct seen *next;
};

/* An object that the harness destroys when the scenario ends, in the reverse order. */
struct cleanup {
    void (*destroy)(struct baseline *b, uint64_t handle);
    uint64_t handle;
};
#define CLEANUP_LIMIT 4096

/* The running scenario. Threads: the findings have a lock of their own; all else belongs to the
 * scenario's first thread. */
struct baseline {
    const struct scenario *scenario;
    const char *layer; /* name of the layer under test */
    bool ours;         /* it is Assay */
    /* another layer, between it and the driver, which must find nothing wrong with what it makes of
     * the calls; NULL: none */
    const char *below;
    enum driver driver;
    VkInstance instance;
    VkPhysicalDevice physical_device;
    VkDevice device;
    VkQueue queue; /* graphics and compute */
    uint32_t queue_family;
    VkDebugUtilsMessengerEXT messenger;
    bool skip; /* what the messenger answers */
    struct cleanup cleanups[CLEANUP_LIMIT];
    unsigned cleanup_count;
    struct seen *first_seen, **last_seen; /* in order. Lock: seen_lock (findings.c) */
    /* what the layer below says, the last one first. Lock: likewise */
    struct seen *first_below;
};

/* findings.c: what came in, and what must have. */
/* errors and warnings into b's list */
VkDebugUtilsMessengerCreateInfoEXT messenger_info(struct baseline *b);
/* how often; NULL counts everything */
unsigned seen_count(struct baseline *b, const char *id);
const struct seen *seen_find(struct baseline *b, const char *id); /* the first one, or NULL */
/* some finding's text has this part */
void expect_text(struct baseline *b, const char *part);
void expect_no_text(struct baseline *b, const char *part);
bool below_says(struct baseline *b, const char *id); /* the layer below has, or there is none */
/* compares with scenario->expect and ->text; fails the scenario on a difference */
void findings_judge(struct baseline *b);

/* Notes a failure and goes on. */
void scenario_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Notes a failure and ends the process: nothing that follows would mean anything. */
void scenario_abort(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));
/* Ends the process, and the scenario counts as skipped: this driver does not have the limit or the
 * format that it is about. It comes before anything that the layer reports. */
void scenario_skip(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
bool scenario_failed(void);

#define EXPECT(condition_)                                                      \
    do {                                                                        \
        if (!(condition_))                                                      \
            scenario_fail(__FILE__, __LINE__, "%s does not hold", #condition_); \
    } while (0)
#define EXPECT_EQUAL(got_, wanted_)                                                            \
    do {                                                                                       \
        long long got__ = (long long)(got_), wanted__ = (long long)(wanted_);                  \
        if (got__ != wanted__)                                                                 \
            scenario_fail(__FILE__, __LINE__, "%s is %lld, not %lld", #got_, got__, wanted__); \
    } while (0)
/* The scenario makes no sense where this does not hold: it ends the process. */
/* The rest of the scenario makes no sense where this does not hold: the process ends. */
#define ENSURE(condition_)                                                       \
    do {                                                                         \
        if (!(condition_))                                                       \
            scenario_abort(__FILE__, __LINE__, "%s does not hold", #condition_); \
    } while (0)
/* The call must succeed. */
#define VK(call_)                                                                   \
    do {                                                                            \
        VkResult result__ = (call_);                                                \
        if (result__ != VK_SUCCESS)                                                 \
            scenario_abort(__FILE__, __LINE__, "%s answered %d", #call_, result__); \
    } while (0)

/* A command of an extension, by its own type. */
#define DEVICE_PROC(b_, name_)   ((PFN_##name_)device_proc((b_), #name_))
#define INSTANCE_PROC(b_, name_) ((PFN_##name_)instance_proc((b_), #name_))
PFN_vkVoidFunction device_proc(struct baseline *b, const char *name);
PFN_vkVoidFunction instance_proc(struct baseline *b, const char *name);

/* A handle that nothing ever gave out. */
#define GARBAGE(type_)  ((type_)(uintptr_t)0x6172626167ull)
#define HANDLE(handle_) ((uint64_t)(uintptr_t)(handle_))

#include "structures.h"
#include "objects.h"
#include "instead.h"

#endif
