/* The world around a generated case, and the findings that the messenger got. */
#ifndef ASSAY_TESTS_GENERATED_WORLD_H
#define ASSAY_TESTS_GENERATED_WORLD_H

#include "driver.h"

#define LAYER_LIBRARY "libVkLayer_assay.so"

#define FAMILY_LIMIT 16
#define HEARD_LIMIT  32

/* The objects that a call is made on, and others that it must not be made on. */
enum world_number {
    WORLD_MAIN,
    WORLD_OTHER_DEVICE,
    WORLD_OTHER_INSTANCE,
    WORLD_GATED,
    WORLD_ALONE,
    WORLD_ROW,
    WORLD_LIMIT
};

struct test_world {
    enum world_number number;
    unsigned generation; /* how often a world of this number was made */
    VkInstance instance;
    VkPhysicalDevice physical_device;
    VkDevice device, bare_device; /* the second was created without queues */
    VkQueue queue;
    VkCommandPool pool;
    VkCommandBuffer command_buffer;
    VkDebugUtilsMessengerEXT messenger;
    VkQueueFamilyProperties families[FAMILY_LIMIT];
    uint32_t family_count;
};
extern struct test_world worlds[WORLD_LIMIT], *world_in_use;
#define world (*world_in_use)

/* Findings of one call; the messenger answers VK_TRUE to them. Nothing is kept, and all is answered
 * VK_FALSE, while the test does not listen. */
struct heard {
    bool listening;
    /* VK_TRUE also while the test does not listen: what is not enabled must not reach the driver */
    bool refusing;
    /* VK_FALSE always: what must not reach the driver is kept from it all the same */
    bool passing;
    /* A valid call here is valid for the rules that the registry implies. Those with a number of
     * their own, which hand-written checks enforce, are not heard of, unless `expected`. */
    bool named_only;
    const char *expected; /* may be NULL */
    unsigned count;
    unsigned different; /* ids */
    char ids[HEARD_LIMIT][160];
    char texts[HEARD_LIMIT][1024];
};
extern struct heard heard;
bool heard_id(const char *id);

/* Makes the objects of a world, and uses it; the main one is the first. */
void create_world(enum world_number number);
/* Makes and uses a world of Vulkan 1.0 with one extension, beside the messenger's. */
void create_world_with(const char *extension);
/* Makes and uses a world of all extensions but those that `half` leaves out, with the features that
 * `features` gives it. */
struct row_half;
void create_world_for_row(void *(*features)(const struct row_half *half),
                          const struct row_half *half);
/* The physical device as the loader's own functions know it. */
void test_use_loader_device(void);
/* Fills in structures that VkPhysicalDeviceFeatures2 begins. */
void test_read_features(void *features);
VkCommandBuffer make_command_buffer(VkCommandPool pool, VkCommandBufferLevel level);
void fail(const char *what) __attribute__((noreturn)); /* the test cannot go on */

/* driver.c: what the case under way does, for messages. */
void describe_case(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* driver.c: calls with arguments that are filled and changed, and judges what was heard: exactly
 * `expected` and `twin` (either may be NULL). */
void judge_call(const struct test_command_info *command, const void *args, const char *expected,
                const char *twin);

/* The same for one finding, whose message holds `text`. */
void judge_text(const struct test_command_info *command, const void *args, const char *expected,
                const char *text);
/* One of the findings is `expected`, with a message that holds `text` (may be NULL). */
void judge_among(const struct test_command_info *command, const void *args, const char *expected,
                 const char *text);
/* None of the findings is `unwanted` with a message that holds `text`. */
void judge_without(const struct test_command_info *command, const void *args, const char *unwanted,
                   const char *text);
/* One of the findings is `expected`, and none `unwanted` with a message that holds `text`. */
void judge_instead(const struct test_command_info *command, const void *args, const char *expected,
                   const char *unwanted, const char *text);
/* After a case that leaves the process unfit for others; the next ones run in a new one. */
void end_process(void) __attribute__((noreturn));

/* scope.c: the rules of recording, for each command that has some. */
unsigned scope_case_count(const struct test_command_info *command);
void scope_run_case(const struct test_command_info *command, unsigned index);

/* lifetimes.c: every handle dead, garbage, of another type, of another parent; allocation
 * callbacks; dead dispatchable objects. */
unsigned lifetime_case_count(const struct test_command_info *command);
void lifetime_run_case(const struct test_command_info *command, unsigned index);

/* gating.c: everything that needs an extension or version, with and without it. */
unsigned gating_case_count(const struct test_command_info *command);
void gating_run_case(const struct test_command_info *command, unsigned index);
/* Runs a case of what enables a command. */
void command_gating_run_case(const struct test_command_info *command, unsigned index);

/* gating.c: values that are not enabled, and that numbered statements speak of. */
unsigned spoken_case_count(const struct test_command_info *command);
void spoken_run_case(const struct test_command_info *command, unsigned index);

/* rows.c: each statement that is a row, kept and broken. */
unsigned row_case_count(const struct test_command_info *command);
void row_run_case(const struct test_command_info *command, unsigned index);
/* Those that ask what objects were created with. */
unsigned state_row_case_count(const struct test_command_info *command);
void state_row_run_case(const struct test_command_info *command, unsigned index);

/* threads.c: every object that a call uses, while another thread is in it. */
unsigned thread_case_count(const struct test_command_info *command);
void thread_run_case(const struct test_command_info *command, unsigned index);

#endif
