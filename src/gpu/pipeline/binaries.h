/* Binaries of shader objects are those of the program's own code. Code that the layer has
 * instrumented would be useless in another run, and a program may keep binaries for years.
 *
 * When its binary is requested, the original of a shader object is made. Until then a copy of the
 * program's create info is kept. Linked shaders are made together. */
#ifndef ASSAY_GPU_BINARIES_H
#define ASSAY_GPU_BINARIES_H

#include "base/lock.h"
#include "gpu/pipeline/shader.h"

struct gpu_originals;

/* The original of one shader object: its group, and its index there. Threads: const. */
struct gpu_original {
    struct gpu_originals *group; /* held */
    uint32_t index;
};

/* Keeps the data for making the originals of the call's first `count` shaders, in change->made.
 * `down` is the program's create infos with the driver's handles. Originals that cannot be copied
 * are made at once. */
void gpu_originals_keep(struct gpu_change *change, const VkShaderCreateInfoEXT *down,
                        uint32_t count);
/* Frees a shader object's original; the group is freed with its last one. NULL is allowed. */
void gpu_original_free(struct gpu_original *original);
/* Destroys the driver's objects of all originals, as the device is about to be destroyed. `device`
 * is NULL if the driver's device is out of reach. */
void gpu_originals_end(struct gpu_shaders *shaders, const struct device *device);
/* Steps the locks of the groups through a fork. The caller holds gpu_shaders::originals_lock. */
void gpu_originals_fork(const struct gpu_shaders *shaders, enum fork_step step);

/* True if it is the mark that the layer returns instead of a binary. No driver gets it. */
bool gpu_binary_is_none(const VkShaderCreateInfoEXT *info);
VkResult gpu_down_GetShaderBinaryDataEXT(struct call *call, VkShaderEXT app, VkDevice device,
                                         VkShaderEXT shader, size_t *pDataSize, void *pData);

#endif
