/* The programs of this directory share this. It is an instance, a device and a messenger that
 * collects what it hears; threads that start together and end together. The environment names the
 * layer and the driver, as for any program. */
#ifndef ASSAY_TESTS_THREADS_PROGRAM_H
#define ASSAY_TESTS_THREADS_PROGRAM_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/vk/window_systems.h"

#define THREADS_MOST  8
#define FINDINGS_KEPT 64

/* Threads: `count` is atomic; the texts are under the lock. */
struct findings {
    _Atomic unsigned count;
    pthread_mutex_t lock;
    unsigned kept;
    char ids[FINDINGS_KEPT][160];
    int32_t numbers[FINDINGS_KEPT];
    char texts[FINDINGS_KEPT][2048];
};

#define QUEUES_MOST 4
/* Threads: fixed once made. The queue is of family 0, which can do everything; a thread that uses
 * it holds `queue_lock`. The device has others like it, at least one. */
struct program {
    VkInstance instance;
    VkPhysicalDevice physical_device;
    VkDevice device;
    VkQueue queue;
    uint32_t queue_count; /* of family 0 */
    VkDebugUtilsMessengerEXT messenger;
    pthread_mutex_t queue_lock;
    struct findings findings;
};

/* Any failure ends the process. */
void program_create(struct program *program);
void program_destroy(struct program *program);
/* Instance and device only, into a program whose findings go to another's list: for programs inside
 * programs. */
void program_create_within(struct program *program, struct findings *findings);

/* For programs whose layer may run out of memory: vkCreateInstance, vkCreateDevice and
 * vkCreateDescriptorUpdateTemplate may say so. They are called once more; a program that hears it
 * again gives up. */
#define EXIT_GAVE_UP 3
extern bool memory_may_be_out;
/* Findings of statements that carry a number are kept too, one of each. */
extern bool every_statement;
/* Queues of family 0 that the device is to have, where there are so many: QUEUES_MOST at most; else
 * 2. */
extern uint32_t queues_wanted;
bool memory_was_out(VkResult result);

/* Prints what was found; true when that is nothing. */
bool findings_are_none(struct findings *findings, const char *part);
void findings_forget(struct findings *findings);
/* Makes a mistake, and ends the process unless the layer tells of it: silence proves something only
 * where somebody listens. */
void require_layer(struct program *program);

/* One thread's part of a test. It goes on until going() is false, and does at least one round. */
struct worker {
    struct program *program;
    unsigned index; /* of the thread */
    unsigned count; /* of the threads */
    void *shared;
};
typedef void (*worker_function)(struct worker *worker);

/* Runs the function on `count` threads at once, for about `milliseconds`. */
void run_threads(struct program *program, unsigned count, unsigned milliseconds,
                 worker_function function, void *shared);
bool going(void);
void stop_going(void);

void fail(const char *file, int line, const char *what, long long value) __attribute__((noreturn));
#define VK(call_)                                       \
    do {                                                \
        VkResult result__ = (call_);                    \
        if (result__ != VK_SUCCESS)                     \
            fail(__FILE__, __LINE__, #call_, result__); \
    } while (0)
#define VK_AGAIN(call_)                                     \
    do {                                                    \
        if (memory_was_out(call_) && memory_was_out(call_)) \
            exit(EXIT_GAVE_UP);                             \
    } while (0)
#define ENSURE(condition_)                            \
    do {                                              \
        if (!(condition_))                            \
            fail(__FILE__, __LINE__, #condition_, 0); \
    } while (0)

#define INSTANCE_PROC(program_, name_) \
    ((PFN_##name_)vkGetInstanceProcAddr((program_)->instance, #name_))
#define DEVICE_PROC(program_, name_) ((PFN_##name_)vkGetDeviceProcAddr((program_)->device, #name_))

/* Objects that most tests need; the test that made them destroys them. */
VkBuffer make_buffer(struct program *program);
VkCommandPool make_command_pool(struct program *program);
VkCommandBuffer make_command_buffer(struct program *program, VkCommandPool pool);
VkDescriptorSetLayout make_set_layout(struct program *program, bool update_after_bind);
VkDescriptorPool make_descriptor_pool(struct program *program, bool update_after_bind);
VkDescriptorSet make_set(struct program *program, VkDescriptorPool pool,
                         VkDescriptorSetLayout layout);
VkPipelineLayout make_pipeline_layout(struct program *program, VkDescriptorSetLayout set_layout);
VkSemaphore make_timeline(struct program *program);
VkFence make_fence(struct program *program);
void begin_commands(VkCommandBuffer command_buffer);

#define SET_BINDINGS 8 /* of a set layout: binding 0 is that many storage buffers */

#endif
