/* What stands around a generated case, and what the messenger heard. */
#ifndef ASSAY_TESTS_GENERATED_WORLD_H
#define ASSAY_TESTS_GENERATED_WORLD_H

#include "driver.h"

#define FAMILY_LIMIT 16
#define HEARD_LIMIT  16

struct world {
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
extern struct world world;

/* Findings of one call, each id once; the messenger answers VK_TRUE to them. Nothing is kept, and all is answered VK_FALSE, while nobody listens. */
struct heard {
    bool listening;
    unsigned count;
    char ids[HEARD_LIMIT][160];
    char texts[HEARD_LIMIT][1024];
};
extern struct heard heard;
bool heard_id(const char *id);

void create_world(void);
VkCommandBuffer make_command_buffer(VkCommandPool pool, VkCommandBufferLevel level);
void fail(const char *what) __attribute__((noreturn)); /* the test cannot go on */

/* driver.c: calls with arguments that are filled and changed, and judges what was heard: exactly `expected` and `twin` (either may be NULL). */
void judge_call(const struct test_command_info *command, const void *args, const char *expected, const char *twin);

/* scope.c: the rules of recording, for each command that has some. */
unsigned scope_case_count(const struct test_command_info *command);
void scope_run_case(const struct test_command_info *command, unsigned index);

#endif
