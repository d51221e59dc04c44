/* A device's instrumented shaders share this (shader.c, layout.c), for the files that make
 * pipelines and shader objects. */
#ifndef ASSAY_GPU_SHADER_H
#define ASSAY_GPU_SHADER_H

#include <stdatomic.h>

#include "base/lock.h"
#include "gpu/pipeline/pipeline.h"
#include "state/descriptor/descriptor.h"
#include "state/pipeline/shader.h"

/* a program with some thousand shaders finds each in a few steps */
#define GPU_SHADER_CHAINS 1024

/* The code of a VkShaderModule (shader_module::gpu). Threads: const, but for the count. One
 * allocation. */
struct gpu_code {
    _Atomic uint32_t references;
    uint64_t hash;
    size_t size; /* bytes */
    /* the program chained VkValidationFeaturesEXT with GPU_ASSISTED to its create info */
    bool selected;
    uint32_t words[];
};

/* A struct gpu_push with the ranges that it has. */
struct gpu_push_entry {
    struct gpu_push push;
    struct gpu_push_entry *next;
    uint32_t count;
    VkPushConstantRange ranges[];
};

/* Push constant ranges of a pipeline layout of the program's, where different stages have different
 * ones. */
struct gpu_split {
    VkPipelineLayout layout; /* of the driver */
    struct gpu_split *next;
    uint32_t count;
    VkPushConstantRange ranges[]; /* as the driver got them */
};

/* Threads: const, but for what names a lock. */
struct gpu_shaders {
    _Atomic bool active; /* shaders are being instrumented */
    /* why races in shared memory are missed in a shader; NULL: they are not, or it was reported.
     * Relaxed */
    const char *_Atomic missed;
    _Atomic bool told_missed; /* relaxed */
    _Atomic bool told_twin;   /* that a twin could not be compiled. Relaxed */
    _Atomic bool told_binary; /* that binaries are not looked into. Relaxed */
    uint32_t checks;          /* enum spirv_checks that the settings ask for */
    uint32_t push_offset;     /* of the pointer */
    /* bytes of the guard before the pointer; 0: the driver needs none */
    uint32_t push_guard;
    VkShaderStageFlags all_stages; /* that a push constant range may name on this device */
    /* that the layout of any of them has, of BOUND_SETS: only ever grows. Relaxed: what is made
     * with more comes before commands that use it */
    _Atomic uint32_t most_sets;
    /* 0: there is none, and a stage that no push constant reaches is left alone */
    VkDeviceAddress anonymous;
    /* the driver's functions; layout.c puts its own before them */
    PFN_vkCmdPushConstants push_constants;
    PFN_vkCmdPushConstants2 push_constants2;
    struct lock lock;
    struct gpu_shader *chains[GPU_SHADER_CHAINS] GUARDED_BY(lock); /* by id; held */
    /* entries of the list stay as long as the device */
    struct gpu_push_entry *pushes GUARDED_BY(lock);
    struct shared_lock split_lock;
    _Atomic uint32_t
        split_count; /* relaxed: layouts of the program are made before they are used */
    struct gpu_split *splits GUARDED_BY(split_lock) PT_GUARDED_BY(split_lock);
    struct lock originals_lock;
    struct gpu_originals *
        originals GUARDED_BY(originals_lock); /* gpu/pipeline/binaries.h: a list */
};

/* --- layout.c --- */

/* The program's ranges with the pointer's bytes, in `ranges`, which has room for one more than
 * `count`. The number of them; 0 where the program's own reach into these bytes (or make no sense),
 * and go down as they are. */
uint32_t gpu_ranges_extend(const struct gpu_shaders *shaders, const VkPushConstantRange *app,
                           uint32_t count, VkPushConstantRange *ranges);
/* How a pipeline or shader object with these ranges of the program's is reached; NULL: not by push
 * constants. */
const struct gpu_push *gpu_push_of(const struct device *device, const VkPushConstantRange *app,
                                   uint32_t count);
VkResult gpu_down_CreatePipelineLayout(struct call *call, const VkPipelineLayoutCreateInfo *app,
                                       VkDevice device,
                                       const VkPipelineLayoutCreateInfo *pCreateInfo,
                                       const VkAllocationCallbacks *pAllocator,
                                       VkPipelineLayout *pPipelineLayout);
void gpu_layouts_begin(struct device *device);
void gpu_layouts_free(struct gpu_shaders *shaders);

/* --- code.c --- */

struct gpu_code *gpu_code_acquire(struct gpu_code *code); /* NULL when it is going, or is NULL */
void gpu_code_release(struct gpu_code *code);             /* NULL is none */

/* --- shader.c --- */

/* One entry point as a pipeline or shader object has it. */
struct gpu_request {
    const uint32_t *words; /* of the program */
    size_t size;           /* bytes */
    uint64_t hash;         /* of the words */
    struct shader *code;   /* the reflection of the code; not NULL */
    const char *entry;
    VkShaderStageFlagBits stage;
    struct descriptor_layout *const *sets; /* NULL in between: nothing is known of that set */
    uint32_t set_count;
    bool robust_uniform, robust_storage, robust_vertex;
    uint32_t forbidden_ray_flags; /* spirv_instrument_info::forbidden_ray_flags */
    /* the core checks look, for each command, at descriptors that constants choose in plain
     * bindings (core/draw/descriptors.c) */
    bool looked_at;
    bool by_push; /* the shader can be reached by push constants */
    /* for checks: it is lowered where that is needed, and no more */
    bool not_selected;
    const VkSpecializationInfo *specialization; /* NULL is none */
};

/* Held for the caller, and instrumented; NULL: the program's code runs, as there is nothing to
 * check in it, or it could not be done. */
struct gpu_shader *gpu_shader_acquire(const struct call *call, const struct gpu_request *request);
/* True if the code has instructions that the driver must not see, because the layer emulates their
 * extension. */
bool gpu_must_be_lowered(const struct device *device, const struct shader *code);
/* Reports once what is missed in the shaders made so far. A call that has acquired some does so,
 * when callbacks of the program may be called. */
void gpu_shaders_tell(const struct call *call);
void gpu_shader_hold(struct gpu_shader *shader);
void gpu_shader_release(struct gpu_shader *shader);

/* --- select.c --- */

/* True if the chain has VkValidationFeaturesEXT that enables
 * VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT. */
bool gpu_chain_selects(const void *chain);
/* True if the user wants this one instrumented, which the program has not selected. `name` may be
 * NULL. */
bool gpu_name_is_selected(const struct settings *settings, const char *name, const char *entry);

/* An expression of gpuav_shaders_to_instrument that is none, with the reason in `error`; NULL when
 * all are good. */
const char *gpu_bad_expression(const struct settings *settings, char *error, size_t size);

/* --- down.c --- */

struct gpu_compile;  /* gpu/pipeline/compile.h */
struct gpu_original; /* gpu/pipeline/binaries.h */

/* The things that a call makes of one create info, until its after hook takes them. Owned. */
struct gpu_made {
    struct gpu_pipeline *pipeline; /* NULL: nothing of it is instrumented, or a job will do that */
    struct gpu_compile *job;       /* NULL: there is none */
    struct gpu_original *original; /* of a shader object. NULL: there is none */
    bool translated;               /* the code must not go down unchanged (gpu_must_be_lowered) */
};

/* The structures of a call that goes down, as they are changed. On the stack of the call; its
 * memory is the thread's scratch memory. */
struct gpu_change {
    const struct call *call;
    struct device *device;
    struct gpu_shaders *shaders;
    struct gpu_temporary *temporaries; /* modules of the driver's, until the call is done */
    /* per create info; handed on to the after hook. NULL: memory is out */
    struct gpu_made *made;
    uint32_t count;
    /* code that must not go down as it is (gpu_must_be_lowered) could not be changed: nothing goes
     * down */
    bool failed;
    bool large; /* there is large code among the modules: MEM_TRIM_CODE */
};

struct gpu_change gpu_change_begin(struct call *call, uint32_t count);
/* Why nothing may go down (memory is out: `infos` is NULL, or code could not be lowered), or
 * VK_SUCCESS. */
VkResult gpu_change_failed(const struct gpu_change *change, const void *infos);
/* The driver has answered. */
void gpu_change_end(struct gpu_change *change);
/* A module of the driver's with this code, until then; VK_NULL_HANDLE when it could not be made. */
VkShaderModule gpu_change_module(struct gpu_change *change, const uint32_t *words, size_t size);
/* Takes what the call, of which this is the after hook, has made of its create info `index`, for
 * the caller to own. */
struct gpu_made gpu_change_take(const struct call *call, uint32_t index);
/* The last thing that the after hook does: everything is released. */
void gpu_change_forget(const struct call *call);

/* The program's specialization with the anonymous record's address; NULL when memory is out. */
const VkSpecializationInfo *gpu_specialization(const struct gpu_shaders *shaders,
                                               const VkSpecializationInfo *app);

/* --- stage.c --- */

/* The parts that one create info gives, of any kind of pipeline. */
struct gpu_source {
    const void *next; /* the program's chain */
    VkPipelineCreateFlags2 flags;
    struct pipeline_layout *layout; /* NULL: unknown */
    uint32_t stage_count;
    const VkPipelineShaderStageCreateInfo *app, *down;
    const VkPipelineLibraryCreateInfoKHR *libraries; /* NULL: none */
    bool deferred;                                   /* the pipeline's state is not kept */
};

/* One stage of a pipeline. */
struct gpu_stage_request {
    struct gpu_request request; /* of which `code` is held; points into the create info */
    struct gpu_code *code;      /* held; NULL: the code stands in the stage's chain */
    bool known;                 /* the code is */
    bool wanted;                /* the stage is to be instrumented */
    bool must;                  /* gpu_must_be_lowered() */
    uint64_t module;            /* as the program sees it */
    char *module_name;          /* owned; NULL: none */
};

/* True if the core checks look at each draw, dispatch and trace, with what is bound for it. In safe
 * mode shaders look themselves, right before each access. */
bool gpu_commands_are_looked_at(const struct call *call);
struct gpu_stage_request gpu_stage_read(const struct call *call, const struct gpu_source *source,
                                        uint32_t index, bool by_push);
void gpu_stage_request_end(struct gpu_stage_request *stage);
/* Changes a copy of what goes down, so that the instrumented code runs. False: that could not be
 * done, and nothing has changed. */
bool gpu_stage_replace(struct gpu_change *change, const struct gpu_shader *shader,
                       VkPipelineShaderStageCreateInfo *down);

/* --- pipeline.c, shader_object.c --- */

/* Fills in what the program says of robustness for this stage. The pipeline's chain may be NULL.
 * (It has VkPipelineRobustnessCreateInfo; else the device's features count, as the program enabled
 * them.) */
void gpu_read_robustness(const struct device *device, const void *pipeline_chain,
                         const void *stage_chain, struct gpu_request *request);
VkResult gpu_down_CreateShadersEXT(struct call *call, const VkShaderCreateInfoEXT *app,
                                   VkDevice device, uint32_t createInfoCount,
                                   const VkShaderCreateInfoEXT *pCreateInfos,
                                   const VkAllocationCallbacks *pAllocator, VkShaderEXT *pShaders);

#endif
