/* Ways in which programs use Vulkan from several threads as the specification allows it (3.6
 * "Threading Behavior"). Together they make, use and destroy most kinds of objects. */
#ifndef ASSAY_TESTS_THREADS_PARTS_H
#define ASSAY_TESTS_THREADS_PARTS_H

#include "program.h"

/* The objects that several parts use, made once per part and read only while its threads run, but
 * where a part says how. */
struct world {
    struct program *program;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout pipeline_layout;
    VkBuffer buffer;
    VkDescriptorPool descriptor_pool;
    VkDescriptorSet set;
    VkShaderModule shader;
    VkPipelineCache cache;
    VkPrivateDataSlot slot;
    VkDescriptorUpdateTemplate template;
    VkSemaphore timeline;
    VkSurfaceKHR surface;
    VkSwapchainKHR swapchain;
    VkCommandPool pool; /* lock, as all below */
    VkCommandBuffer command_buffer;
    VkFence fence;
    VkEvent event;
    uint64_t timeline_value;
    pthread_mutex_t lock;
};

/* Any failure ends the process. `after_bind`: the set's layout lets it be updated while command
 * buffers that bind it are recorded. */
void world_create(struct world *world, struct program *program, bool after_bind);
void world_destroy(struct world *world);

struct part {
    const char *name;
    worker_function function;
    bool after_bind;                  /* the world that it needs */
    void (*end)(struct world *world); /* may be NULL */
};

#define PART_COUNT 18
extern const struct part parts[PART_COUNT];

#endif
