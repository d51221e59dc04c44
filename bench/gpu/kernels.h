/* The kernels whose cost is measured, each with all that it reads and writes. */
#ifndef BENCH_GPU_KERNELS_H
#define BENCH_GPU_KERNELS_H

#include "constants.h"
#include "device.h"

#define BINDING_LIMIT 4
#define SMALL_GROUPS  8

/* Threads: immutable. */
struct kernel {
    const char *name;
    const char *text; /* what it does, for people */
    const uint32_t *code;
    size_t size;                           /* of the code in bytes */
    uint32_t binding_count;                /* 0: it is given addresses in push constants instead */
    VkDescriptorType types[BINDING_LIMIT]; /* of index, target, then what it reads */
    uint32_t counts[BINDING_LIMIT];
    /* dispatches of SMALL_GROUPS workgroups that are timed together; 0: one of all elements */
    uint32_t small_dispatches;
    bool pushes; /* push constants that it does not read, before each of these */
    /* Writes the results of a workgroup without the salt; NULL: source[index[i]]. */
    void (*result)(uint32_t elements, uint32_t group, uint32_t sums[GROUP_SIZE]);
};

extern const struct kernel kernels[];
extern const uint32_t kernel_count;

struct textures {
    VkImage images[TEXTURE_COUNT];
    VkImageView views[TEXTURE_COUNT];
    VkDeviceMemory memory;
    VkSampler sampler;
};

/* A kernel that can be dispatched. Threads: one alone. */
struct job {
    const struct device *device;
    const struct kernel *kernel;
    uint32_t elements; /* invocations: a multiple of GROUP_SIZE */
    struct buffer index, target, source, staging;
    uint64_t addresses[3]; /* of the kernel that is given them: index, target, source */
    struct textures textures;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    VkPipeline pipeline;
};

/* With `bad` one element reads what it must not: past the end of the source, or of a texture whose
 * view is gone. */
void job_create(struct job *job, const struct device *device, const struct kernel *kernel,
                uint32_t elements, bool bad);
void job_destroy(struct job *job);

/* A module of the kernel's code with `salt` in it, and its pipeline. The code is patched in
 * `scratch` (as long as the kernel's). */
VkPipeline pipeline_create(const struct job *job, uint32_t salt, uint32_t *scratch);

/* Binds everything. */
void job_bind(const struct job *job, VkCommandBuffer commands);
/* How many elements are not as the processor has them. */
uint32_t job_wrong_results(struct job *job);

#endif
