/* A device with VK_KHR_shader_abort, which a scenario loses. It then gets the messages, and
 * compares each byte of them. */
#ifndef ASSAY_SCENARIOS_ABORT_WORLD_H
#define ASSAY_SCENARIOS_ABORT_WORLD_H

#include "gpu/gpu_world.h"

#define ABORT_ID "UNASSIGNED-Shader-Abort"
#define ABORT_EXTENSIONS                                                            \
    VK_KHR_SHADER_ABORT_EXTENSION_NAME, VK_KHR_SHADER_CONSTANT_DATA_EXTENSION_NAME, \
        VK_KHR_DEVICE_FAULT_EXTENSION_NAME
/* Shader stages of all kinds, but for meshes and rays, which have features of their own. */
extern const VkPhysicalDeviceFeatures2 abort_features_plain, abort_features_mesh,
    abort_features_rays;
/* The features after which a scenario's own are chained. */
extern const VkPhysicalDeviceVulkan13Features abort_features13;
#define OURS        .drivers = LAVAPIPE, .ours_only = true, .proceed = true
#define ABORT_QUIET OURS, .features = &abort_features_plain, .extensions = {ABORT_EXTENSIONS}
#define ABORT       ABORT_QUIET, .expect = {ABORT_ID}
#define ABORT_FEATURES(next_, ...)                                                       \
    {                                                                                    \
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = (void *)(next_), \
        .features = {                                                                    \
            .geometryShader = VK_TRUE,                                                   \
            .tessellationShader = VK_TRUE,                                               \
            .shaderInt16 = VK_TRUE,                                                      \
            .shaderInt64 = VK_TRUE,                                                      \
            .shaderFloat64 = VK_TRUE,                                                    \
            ##__VA_ARGS__                                                                \
        }                                                                                \
    }
/* For shaders of all stages that write to buffers of their own. */
#define ABORT_STORES .vertexPipelineStoresAndAtomics = VK_TRUE, .fragmentStoresAndAtomics = VK_TRUE

/* A pipeline of the stage with the code, whose result (binding 0) has `size` bytes, all 0; `index`
 * is pushed. */
struct gpu abort_world(struct baseline *b, enum gpu_stage stage, struct gpu_code code,
                       uint32_t index, size_t size);
VkResult abort_submit_and_wait(struct baseline *b, VkCommandBuffer commands);
/* Records, submits and waits: of compute shaders with this many workgroups. */
VkResult abort_run(struct gpu *g);
VkResult abort_dispatch(struct gpu *g, uint32_t groups);

/* The messages of a lost device, in any order. Threads: the scenario's. */
struct abort_messages {
    unsigned char *data; /* the pairs; freed by abort_messages_end */
    uint64_t size;
    uint32_t count;
    bool *claimed; /* of each message; freed likewise */
};
struct abort_messages abort_messages_read(struct baseline *b);
/* The message of this number. */
const unsigned char *abort_message_at(const struct abort_messages *messages, uint32_t number,
                                      uint64_t *size);
/* One message that was not asked for has these bytes; `name` is what a failure says. */
void abort_message_expect(struct abort_messages *messages, const char *name,
                          const unsigned char *bytes, uint64_t size);
/* Every one has been asked for. */
void abort_messages_end(struct abort_messages *messages);

#endif
