/* What a device's instrumented shaders share (shader.c, layout.c), for the files that make pipelines and shader objects. */
#ifndef ASSAY_GPU_SHADER_H
#define ASSAY_GPU_SHADER_H

#include <pthread.h>
#include <stdatomic.h>

#include "gpu/pipeline.h"
#include "state/descriptor.h"
#include "state/shader.h"

#define GPU_SHADER_CHAINS 1024 /* a program with some thousand shaders finds each in a few steps */

/* The code of a VkShaderModule (shader_module::gpu). Threads: const. One allocation. */
struct gpu_code {
    uint64_t hash;
    size_t size;   /* bytes */
    bool selected; /* the program chained VkValidationFeaturesEXT with GPU_ASSISTED to its create info */
    uint32_t words[];
};

/* A struct gpu_push with the ranges that it has. */
struct gpu_push_entry {
    struct gpu_push push;
    struct gpu_push_entry *next;
    uint32_t count;
    VkPushConstantRange ranges[];
};

/* Push constant ranges of a pipeline layout of the app's, where different stages have different ones. */
struct gpu_split {
    VkPipelineLayout layout; /* of the driver */
    struct gpu_split *next;
    uint32_t count;
    VkPushConstantRange ranges[]; /* as they went down */
};

/* Threads: const, but for what names a lock. */
struct gpu_shaders {
    _Atomic bool active;      /* shaders are being instrumented */
    _Atomic bool told_missed; /* that races in shared memory are missed in a shader */
    uint32_t checks;          /* enum spirv_checks that the settings ask for */
    uint32_t push_offset;
    VkShaderStageFlags all_stages; /* that a push constant range may name on this device */
    _Atomic uint32_t
        most_sets; /* that the layout of any of them has, of BOUND_SETS: only ever grows. Relaxed: what is made with more comes before commands that use it */
    VkDeviceAddress anonymous; /* 0: there is none, and a stage that no push constant reaches is left alone */
    PFN_vkCmdPushConstants push_constants; /* the driver's; layout.c stands in front of them */
    PFN_vkCmdPushConstants2 push_constants2;
    pthread_mutex_t lock;
    struct gpu_shader *chains[GPU_SHADER_CHAINS]; /* by id; held. Lock: lock */
    struct gpu_push_entry *pushes;                /* Lock: lock; what is in the list stays */
    pthread_rwlock_t split_lock;
    _Atomic uint32_t split_count; /* relaxed: layouts of the app are made before they are used */
    struct gpu_split *splits;     /* Lock: split_lock */
};

/* --- layout.c --- */

/* The app's ranges with the pointer's bytes, in `ranges`, which has room for one more than `count`. The number of them; 0 where the app's own reach into these bytes (or make no
 * sense), and go down as they are. */
uint32_t gpu_ranges_extend(const struct gpu_shaders *shaders, const VkPushConstantRange *app, uint32_t count,
                           VkPushConstantRange *ranges);
/* How a pipeline or shader object with these ranges of the app's is reached; NULL: not by push constants. */
const struct gpu_push *gpu_push_of(const struct device *device, const VkPushConstantRange *app, uint32_t count);
VkResult gpu_down_CreatePipelineLayout(struct call *call, const VkPipelineLayoutCreateInfo *app, VkDevice device,
                                       const VkPipelineLayoutCreateInfo *pCreateInfo,
                                       const VkAllocationCallbacks *pAllocator, VkPipelineLayout *pPipelineLayout);
void gpu_layouts_begin(struct device *device);
void gpu_layouts_free(struct gpu_shaders *shaders);

/* --- shader.c --- */

/* One entry point as a pipeline or shader object has it. */
struct gpu_request {
    const uint32_t *words; /* of the app */
    size_t size;           /* bytes */
    uint64_t hash;         /* of the words */
    struct shader *code;   /* what is known of them; not NULL */
    const char *entry;
    VkShaderStageFlagBits stage;
    struct descriptor_layout *const *sets; /* NULL in between: nothing is known of that set */
    uint32_t set_count;
    bool robust_uniform, robust_storage, robust_vertex;
    uint32_t forbidden_ray_flags;               /* spirv_instrument_info::forbidden_ray_flags */
    bool by_push;                               /* it can be reached by push constants */
    bool not_selected;                          /* for checks: it is lowered where that is needed, and no more */
    const VkSpecializationInfo *specialization; /* NULL is none */
};

/* Held for the caller, and instrumented; NULL: the app's code runs, as there is nothing to check in it, or it could not be done. */
struct gpu_shader *gpu_shader_acquire(struct call *call, const struct gpu_request *request);
/* Does the code have instructions that the driver must not see, as it is the layer that has their extension? */
bool gpu_must_be_lowered(const struct device *device, const struct shader *code);
void gpu_shader_hold(struct gpu_shader *shader);
void gpu_shader_release(struct gpu_shader *shader);

/* --- select.c --- */

/* Does the chain have VkValidationFeaturesEXT that enables VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT? */
bool gpu_chain_selects(const void *chain);
/* Does the user want this one instrumented, which the program has not selected? `name` may be NULL. */
bool gpu_name_is_selected(const struct settings *settings, const char *name, const char *entry);

/* An expression of gpuav_shaders_to_instrument that is none, with the reason in `error`; NULL when all are good. */
const char *gpu_bad_expression(const struct settings *settings, char *error, size_t size);

/* --- down.c --- */

/* The structures of a call that goes down, as they are changed. On the stack of the call; its memory is the thread's scratch memory. */
struct gpu_change {
    struct call *call;
    struct device *device;
    struct gpu_shaders *shaders;
    struct gpu_temporary *temporaries; /* modules of the driver's, until the call is done */
    struct gpu_pipeline **made;        /* per create info; owned, handed on to the after hook. NULL: memory is out */
    uint32_t count;
    bool failed; /* code that must not go down as it is (gpu_must_be_lowered) could not be changed: nothing goes down */
};

struct gpu_change gpu_change_begin(struct call *call, uint32_t count);
/* Why nothing may go down (memory is out: `infos` is NULL, or code could not be lowered), or VK_SUCCESS. */
VkResult gpu_change_failed(const struct gpu_change *change, const void *infos);
/* The driver has answered. */
void gpu_change_end(struct gpu_change *change);
/* A module of the driver's with the shader's instrumented code, until then; VK_NULL_HANDLE when it could not be made. */
VkShaderModule gpu_change_module(struct gpu_change *change, const struct gpu_shader *shader);
/* What the call, of which this is the after hook, has made of its create info `index`, for the caller to own; NULL: nothing. */
struct gpu_pipeline *gpu_change_take(const struct call *call, uint32_t index);
/* The last thing that the after hook does: nothing is left behind. */
void gpu_change_forget(const struct call *call);

/* The app's specialization with the anonymous record's address; NULL when memory is out. */
const VkSpecializationInfo *gpu_specialization(const struct gpu_shaders *shaders, const VkSpecializationInfo *app);

/* --- pipeline.c, shader_object.c --- */

/* Fills in what the app says of robustness for this stage; the pipeline's chain may be NULL (VkPipelineRobustnessCreateInfo; else the device's features, as the app enabled them). */
void gpu_read_robustness(const struct device *device, const void *pipeline_chain, const void *stage_chain,
                         struct gpu_request *request);
VkResult gpu_down_CreateShadersEXT(struct call *call, const VkShaderCreateInfoEXT *app, VkDevice device,
                                   uint32_t createInfoCount, const VkShaderCreateInfoEXT *pCreateInfos,
                                   const VkAllocationCallbacks *pAllocator, VkShaderEXT *pShaders);

#endif
