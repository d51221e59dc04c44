/* Small shaders of the layer's own look at what commands read from buffers on the device:
 * parameters of indirect commands, counts, indices, texels of copies. They write records into the
 * same ring as instrumented ones. A command's check is a job (gpu/shaders/buffers.h) and a dispatch
 * before the command.
 *
 * How it disturbs the program least:
 * - The shaders have no descriptors and no push constants: the base of their workgroup says where
 * the job is. All that a dispatch changes is which compute pipeline is bound, and that is bound
 * again.
 * - They read the program's buffers by address. Buffers that commands can read so are created with
 *   SHADER_DEVICE_ADDRESS usage, and memory is allocated with DEVICE_ADDRESS (buffers_create.c),
 *   which any program may do itself. Copies to a buffer of the layer's would need TRANSFER_SRC
 *   usage instead, and as much memory again. Storage buffers would need descriptors. So the
 *   program's sets, pushed descriptors and descriptor buffers would have to be bound again, which
 *   is not always possible.
 * - Within a render pass instance no dispatch may be recorded. What draws there read is looked at
 *   when the instance ends. Only shaders of the instance itself could have written it by then,
 *   after a barrier inside of it; checks before such a barrier are dropped. A draw before the
 *   command instead would need a pipeline for each render pass, and all of the program's graphics
 *   state again. */
#ifndef ASSAY_GPU_BUFFERS_H
#define ASSAY_GPU_BUFFERS_H

#include <string.h>

#include "base/lock.h"
#include "gpu/command/command.h"
#include "gpu/shaders/buffers.h"
#include "state/memory/buffer.h"

enum gpu_job_kind { GPU_JOB_LIMITS, GPU_JOB_INDICES, GPU_JOB_DEPTHS, GPU_JOB_KINDS };

/* The checks of buffers of a device: gpu_device::buffers. NULL: gpuav_buffers_validation is off, or
 * the driver lacks what is needed. Threads: any. */
struct gpu_buffers {
    struct lock lock;
    VkPipelineLayout layout GUARDED_BY(lock); /* made with the first pipeline */
    /* made when first needed; VK_NULL_HANDLE before. Writes: lock */
    VkPipeline _Atomic pipelines[GPU_JOB_KINDS];
    bool failed[GPU_JOB_KINDS] GUARDED_BY(lock);
    /* The driver's functions, in safe mode: the device's table then has the functions of
     * buffers_safe.c instead. Constant */
    PFN_vkCmdCopyMemoryIndirectKHR copy_memory;
    PFN_vkCmdCopyMemoryToImageIndirectKHR copy_to_image;
};

/* Called with the device, before the program has it and after gpu_shaders_begin(). Sets
 * gpu_device::buffers, and device->down where that is not set yet. */
void gpu_buffers_begin(struct device *device);
/* NULL: nothing happens. Threads: no others use the device. */
void gpu_buffers_free(const struct device *device, struct gpu_buffers *buffers);

/* A check of a draw inside of a render pass instance, until that ends:
 * gpu_command_buffer::deferred. */
struct gpu_deferred {
    VkDeviceAddress job;
    uint8_t kind;                 /* enum gpu_job_kind */
    bool writable;                /* shaders may write the memory that the check looks at */
    VkPipelineStageFlags readers; /* the stages of the command that read the memory */
};

/* One job that is being put together. Threads: on the stack. */
struct gpu_job {
    struct call *call;
    struct gpu_command_buffer *commands;
    enum gpu_job_kind kind;
    VkPipelineStageFlags readers; /* the stages of the command that read the memory */
    bool writable;                /* as gpu_deferred::writable */
    uint32_t used;                /* words that are sent */
    uint32_t words[64];
};

/* True if the command of this call is to be looked at. False: its check is off (`setting`), the
 * command buffer cannot run dispatches, or a dispatch would be seen by the program. */
bool gpu_job_begin(struct gpu_job *job, struct call *call, bool setting, enum gpu_job_kind kind,
                   VkPipelineStageFlags readers) MUST_CHECK;
static inline void gpu_job_address(struct gpu_job *job, uint32_t at, VkDeviceAddress address)
{
    assert(at + 1 < ARRAY_LENGTH(job->words));
    memcpy(&job->words[at], &address, sizeof(address));
}
/* Records the check, or puts it off to the end of the render pass instance. Several in a row cost
 * one barrier each. `point`: the command's bind point, or BIND_POINTS. False: memory was out, and
 * nothing is looked at. */
bool gpu_job_run(struct gpu_job *job, uint32_t point);

/* The address of `size` bytes at `offset` in a buffer. 0: the layer may not ask for its address, or
 * the buffer is shorter. Marks the job as one that looks at memory which shaders may write. */
VkDeviceAddress gpu_job_buffer(struct gpu_job *job, const struct buffer *buffer,
                               VkDeviceSize offset, VkDeviceSize size);
/* The same for an address that the program gave. 0: no buffer is known to have the address. */
VkDeviceAddress gpu_job_range(struct gpu_job *job, VkDeviceAddress address, VkDeviceSize size);

/* A limit of structures (GPU_JOB_LIMITS), of which job->words[LIMITS_RULE_COUNT] counts how many
 * there are. `how`: LIMIT_...; `word` in the structure. */
void gpu_job_limit(struct gpu_job *job, uint32_t rule, uint32_t how, uint32_t word, uint64_t limit);

/* --- buffers_safe.c: what indirect copies read in safe mode --- */

/* At the end of gpu_buffers_begin(): takes the place of the driver's functions, where the setting
 * asks for it. */
void gpu_safe_copies_begin(struct device *device);
/* Called before gpu_job_run(): the driver is to read copies of the job's structures. A copy of one
 * that breaks a rule has `zero_count` zeros from word `first_zero` on. Nothing happens without safe
 * mode. */
void gpu_safe_copies_ask(struct gpu_job *job, uint32_t words, uint32_t first_zero,
                         uint32_t zero_count);
/* Lets the driver read the copies of the job. Called after gpu_job_run() has answered true. */
void gpu_safe_copies_use(struct gpu_job *job);

/* True if buffers that were created so get an address (buffers_create.c). */
bool gpu_buffer_has_address(const struct buffer *buffer);

/* --- buffers_create.c: members of gpu_down_calls --- */
VkResult gpu_down_CreateBuffer(struct call *call, const VkBufferCreateInfo *app, VkDevice device,
                               const VkBufferCreateInfo *pCreateInfo,
                               const VkAllocationCallbacks *pAllocator, VkBuffer *pBuffer);
VkResult gpu_down_AllocateMemory(struct call *call, const VkMemoryAllocateInfo *app,
                                 VkDevice device, const VkMemoryAllocateInfo *pAllocateInfo,
                                 const VkAllocationCallbacks *pAllocator, VkDeviceMemory *pMemory);

/* --- buffers_index.c --- */

/* An indexed draw of the parameters that `draw` fills in (INDICES_PARAMETERS to INDICES_DRAW). */
struct gpu_indexed_draw {
    uint32_t index_count, instance_count, first_index;
    int32_t vertex_offset;
    VkDeviceAddress parameters, count_address; /* 0: the members above; 0: draw_count */
    uint32_t draw_count, stride;               /* words */
    bool writable;                             /* shaders may write the parameters */
};
/* True: all of them are looked at. */
bool gpu_check_indices(struct call *call, const struct gpu_indexed_draw *draw);

/* Binds again what the program has bound for dispatches: a pipeline or a shader object, if any. */
void gpu_compute_bind_again(const struct device *device,
                            const struct command_buffer *command_buffer);

#endif
