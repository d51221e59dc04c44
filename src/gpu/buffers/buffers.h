/* Small shaders of the layer check data that commands read from buffers on the device: parameters
 * of indirect commands, counts, indices, texels of copies. They write records into the same ring as
 * instrumented shaders. A command's check is a job (gpu/shaders/buffers.h) and a dispatch before
 * the command.
 *
 * The checks disturb the program as little as possible:
 * - The shaders have no descriptors and no push constants: the base of their workgroup gives the
 *   job's address. A dispatch only changes the bound compute pipeline, and the program's is bound
 *   again.
 * - They read the program's buffers by address. Buffers that commands can read so are created
 *   with SHADER_DEVICE_ADDRESS usage, and memory is allocated with DEVICE_ADDRESS
 *   (buffers_create.c), which any program may do itself. Copies to a buffer of the layer's would
 *   need TRANSFER_SRC usage instead, and as much memory again. Storage buffers would need
 *   descriptors. So the program's sets, pushed descriptors and descriptor buffers would have to be
 *   bound again, which is not always possible.
 * - Within a render pass instance no dispatch may be recorded. So draws in it are checked when
 *   the instance ends. Only shaders of the instance itself, after a barrier inside of it, can have
 *   written the data by then; checks before such a barrier are dropped. A draw before the command
 *   instead would need a pipeline for each render pass, and all of the program's graphics state
 *   again. */
#ifndef ASSAY_GPU_BUFFERS_H
#define ASSAY_GPU_BUFFERS_H

#include <string.h>

#include "base/lock.h"
#include "gpu/command/command.h"
#include "gpu/shaders/buffers.h"
#include "state/memory/buffer.h"

enum gpu_job_kind { GPU_JOB_LIMITS, GPU_JOB_INDICES, GPU_JOB_DEPTHS, GPU_JOB_KINDS };

/* The checks of buffers of a device: gpu_device::buffers. It is NULL if gpuav_buffers_validation is
 * off, or the driver lacks a needed feature. Threads: any. */
struct gpu_buffers {
    struct lock lock;
    VkPipelineLayout layout GUARDED_BY(lock); /* made with the first pipeline */
    /* made when first needed; VK_NULL_HANDLE before. Writers hold `lock` */
    VkPipeline _Atomic pipelines[GPU_JOB_KINDS];
    bool failed[GPU_JOB_KINDS] GUARDED_BY(lock);
    /* In safe mode: the driver's functions, which buffers_safe.c replaces in the device's table.
     * Constant */
    PFN_vkCmdCopyMemoryIndirectKHR copy_memory;
    PFN_vkCmdCopyMemoryToImageIndirectKHR copy_to_image;
};

/* Called for a new device, after gpu_shaders_begin(). Sets gpu_device::buffers, and device->down if
 * that is not set yet. */
void gpu_buffers_begin(struct device *device);
/* Frees the checks; `buffers` may be NULL. Threads: no others use the device. */
void gpu_buffers_free(const struct device *device, struct gpu_buffers *buffers);

/* A check of a draw that is put off until the render pass instance ends:
 * gpu_command_buffer::deferred. */
struct gpu_deferred {
    VkDeviceAddress job;
    uint8_t kind;                 /* enum gpu_job_kind */
    bool writable;                /* shaders may write the memory that the check looks at */
    VkPipelineStageFlags readers; /* the stages of the command that read the memory */
};

/* A job that is being built. Threads: on the stack. */
struct gpu_job {
    struct call *call;
    struct gpu_command_buffer *commands;
    enum gpu_job_kind kind;
    VkPipelineStageFlags readers; /* the stages of the command that read the memory */
    bool writable;                /* as gpu_deferred::writable */
    uint32_t used;                /* number of words in use */
    uint32_t words[64];
};

/* Begins a job for the call's command. Returns false if there is no check: `setting` is off, no
 * dispatch may be recorded, or the program would see it. */
bool gpu_job_begin(struct gpu_job *job, struct call *call, bool setting, enum gpu_job_kind kind,
                   VkPipelineStageFlags readers) MUST_CHECK;
static inline void gpu_job_address(struct gpu_job *job, uint32_t at, VkDeviceAddress address)
{
    assert(at + 1 < ARRAY_LENGTH(job->words));
    memcpy(&job->words[at], &address, sizeof(address));
}
/* Records the check, or puts it off to the end of the render pass instance. Each of several in a
 * row needs a barrier. `point` is the command's bind point, or BIND_POINTS. Returns false if memory
 * was out, and nothing is checked. */
bool gpu_job_run(struct gpu_job *job, uint32_t point);

/* Returns the address of `size` bytes at `offset` in a buffer. 0: the layer may not ask for its
 * address, or the buffer is shorter. Marks the job if shaders may write the memory. */
VkDeviceAddress gpu_job_buffer(struct gpu_job *job, const struct buffer *buffer,
                               VkDeviceSize offset, VkDeviceSize size);
/* The same for an address that the program gave. Returns 0 if no known buffer has the address. */
VkDeviceAddress gpu_job_range(struct gpu_job *job, VkDeviceAddress address, VkDeviceSize size);

/* Adds a limit of structures to a GPU_JOB_LIMITS job, and counts it in
 * job->words[LIMITS_RULE_COUNT]. `how` is LIMIT_...; `word` is the index of the checked word in the
 * structure. */
void gpu_job_limit(struct gpu_job *job, uint32_t rule, uint32_t how, uint32_t word, uint64_t limit);

/* --- buffers_safe.c: structures that indirect copies read in safe mode --- */

/* Called at the end of gpu_buffers_begin(): replaces the driver's functions if the setting asks for
 * it. */
void gpu_safe_copies_begin(struct device *device);
/* Called before gpu_job_run(): makes the driver read copies of the job's structures. In the copy of
 * a structure that breaks a rule, `zero_count` words from `first_zero` on are zero. Without safe
 * mode it does nothing. */
void gpu_safe_copies_ask(struct gpu_job *job, uint32_t words, uint32_t first_zero,
                         uint32_t zero_count);
/* Lets the driver read the copies of the job. Called after gpu_job_run() has returned true. */
void gpu_safe_copies_use(struct gpu_job *job);

/* True if buffers with these creation parameters get an address (buffers_create.c). */
bool gpu_buffer_has_address(const struct buffer *buffer);

/* --- buffers_create.c: functions of gpu_down_calls --- */
VkResult gpu_down_CreateBuffer(struct call *call, const VkBufferCreateInfo *app, VkDevice device,
                               const VkBufferCreateInfo *pCreateInfo,
                               const VkAllocationCallbacks *pAllocator, VkBuffer *pBuffer);
VkResult gpu_down_AllocateMemory(struct call *call, const VkMemoryAllocateInfo *app,
                                 VkDevice device, const VkMemoryAllocateInfo *pAllocateInfo,
                                 const VkAllocationCallbacks *pAllocator, VkDeviceMemory *pMemory);

/* --- buffers_index.c --- */

/* An indexed draw, as INDICES_PARAMETERS to INDICES_DRAW of the job describe it. */
struct gpu_indexed_draw {
    uint32_t index_count, instance_count, first_index;
    int32_t vertex_offset;
    /* 0: the members above are used instead of `parameters`, and `draw_count` instead of a count in
     * memory */
    VkDeviceAddress parameters, count_address;
    uint32_t draw_count, stride; /* stride in words */
    bool writable;               /* shaders may write the parameters */
};
/* Checks the draw's indices. Returns true if all of them are checked. */
bool gpu_check_indices(struct call *call, const struct gpu_indexed_draw *draw);

/* Binds the program's compute pipeline or shader object again, if it has bound any. */
void gpu_compute_bind_again(const struct device *device,
                            const struct command_buffer *command_buffer);

#endif
