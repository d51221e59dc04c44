/* Binaries of shader objects are those of the program's own code. What the layer puts into code
 * would be of no use in another run, and a program may keep binaries for years.
 *
 * The driver makes the original of a shader object when its binary is asked for, of the create info
 * that the program gave. Copies of that are kept until then. Shaders that are linked are made
 * together. */
#ifndef ASSAY_GPU_BINARIES_H
#define ASSAY_GPU_BINARIES_H

#include "base/lock.h"
#include "gpu/pipeline/shader.h"

struct gpu_originals;

/* The original of one shader object, in those that are linked. Threads: const. */
struct gpu_original {
    struct gpu_originals *group; /* held */
    uint32_t index;
};

/* Keeps what it takes to make the originals of the call's first `count` shaders, in change->made.
 * `down` is what would go down without a layer. What cannot be copied is made at once. */
void gpu_originals_keep(struct gpu_change *change, const VkShaderCreateInfoEXT *down,
                        uint32_t count);
/* The shader object goes, and its original with the last of those that are linked. NULL is none. */
void gpu_original_free(struct gpu_original *original);
/* Destroys the driver's objects of all originals, as the device is about to be destroyed. `device`:
 * NULL where the driver's device is out of reach. */
void gpu_originals_end(struct gpu_shaders *shaders, const struct device *device);
/* Steps the locks of the groups through a fork. The caller holds gpu_shaders::originals_lock. */
void gpu_originals_fork(const struct gpu_shaders *shaders, enum fork_step step);

/* True if it is what the layer answers in place of a binary that cannot be had. No driver gets it.
 */
bool gpu_binary_is_none(const VkShaderCreateInfoEXT *info);
VkResult gpu_down_GetShaderBinaryDataEXT(struct call *call, VkShaderEXT app, VkDevice device,
                                         VkShaderEXT shader, size_t *pDataSize, void *pData);

#endif
