/* Data and functions about a device's instrumented shaders (shader.c, layout.c), for the files that
 * make pipelines and shader objects. */
#ifndef ASSAY_GPU_SHADER_H
#define ASSAY_GPU_SHADER_H

#include <stdatomic.h>

#include "base/lock.h"
#include "gpu/pipeline/pipeline.h"
#include "state/descriptor/descriptor.h"
#include "state/pipeline/shader.h"

/* chains of the hash table: a program with some thousand shaders finds each in a few steps */
#define GPU_SHADER_CHAINS 1024

/* The code of a VkShaderModule (shader_module::gpu). Threads: const, except the count. It is one
 * allocation. */
struct gpu_code {
    _Atomic uint32_t references;
    uint64_t hash;
    size_t size; /* bytes */
    /* the program chained VkValidationFeaturesEXT with GPU_ASSISTED to its create info */
    bool selected;
    uint32_t words[];
};

/* A struct gpu_push and its ranges. */
struct gpu_push_entry {
    struct gpu_push push;
    struct gpu_push_entry *next;
    uint32_t count;
    VkPushConstantRange ranges[];
};

/* Push constant ranges of a program's pipeline layout in which stages have different ranges. */
struct gpu_split {
    VkPipelineLayout layout; /* the driver's handle */
    struct gpu_split *next;
    uint32_t count;
    VkPushConstantRange ranges[]; /* as the driver got them, extended */
};

/* Threads: const, except members that name a lock. */
struct gpu_shaders {
    _Atomic bool active; /* shaders are being instrumented */
    /* the reason why races in shared memory are missed in a shader; NULL: none are missed, or it
     * was reported. Relaxed */
    const char *_Atomic missed;
    _Atomic bool told_missed; /* relaxed */
    _Atomic bool told_twin;   /* a report was made that a twin could not be compiled. Relaxed */
    _Atomic bool told_binary; /* a report was made that binaries are not checked. Relaxed */
    uint32_t checks;          /* the checks that the settings enable, of enum spirv_checks */
    uint32_t push_offset;
    /* bytes of the guard before the pointer; 0: the driver needs none */
    uint32_t push_guard;
    /* all stages that a push constant range may name on this device */
    VkShaderStageFlags all_stages;
    /* the largest number of sets of any shader, at most BOUND_SETS; it only grows. Relaxed: shaders
     * are made before commands use them */
    _Atomic uint32_t most_sets;
    /* address of the anonymous record; 0: there is none, and a stage that no push constant reaches
     * is not instrumented */
    VkDeviceAddress anonymous;
    /* the driver's functions, which those of layout.c replace */
    PFN_vkCmdPushConstants push_constants;
    PFN_vkCmdPushConstants2 push_constants2;
    struct lock lock;
    struct gpu_shader *chains[GPU_SHADER_CHAINS] GUARDED_BY(lock); /* by id; held */
    /* the list's entries stay as long as the device */
    struct gpu_push_entry *pushes GUARDED_BY(lock);
    struct shared_lock split_lock;
    _Atomic uint32_t
        split_count; /* relaxed: the program orders the use of a layout after its creation */
    struct gpu_split *splits GUARDED_BY(split_lock) PT_GUARDED_BY(split_lock);
    struct lock originals_lock;
    struct gpu_originals *
        originals GUARDED_BY(originals_lock); /* gpu/pipeline/binaries.h: a list */
};

/* --- layout.c --- */

/* Adds the pointer's bytes to the program's ranges, in `ranges`, which has room for one more than
 * `count`. Returns their number; 0: the program's ranges reach into these bytes or are invalid, and
 * go down unchanged. */
uint32_t gpu_ranges_extend(const struct gpu_shaders *shaders, const VkPushConstantRange *app,
                           uint32_t count, VkPushConstantRange *ranges);
/* Returns how the pointer is pushed to a pipeline or shader object with these ranges of the
 * program's; NULL: it cannot be pushed. */
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

/* returns NULL if `code` is NULL or being freed */
struct gpu_code *gpu_code_acquire(struct gpu_code *code);
void gpu_code_release(struct gpu_code *code); /* NULL is allowed */

/* --- shader.c --- */

/* A request to instrument one entry point of a pipeline or shader object. */
struct gpu_request {
    const uint32_t *words; /* the program's code */
    size_t size;           /* bytes */
    uint64_t hash;         /* of the words */
    struct shader *code;   /* the reflection of the code; not NULL */
    const char *entry;
    VkShaderStageFlagBits stage;
    struct descriptor_layout *const *sets; /* an element is NULL if that set is not known */
    uint32_t set_count;
    bool robust_uniform, robust_storage, robust_vertex;
    uint32_t forbidden_ray_flags; /* spirv_instrument_info::forbidden_ray_flags */
    /* the core checks check, for each command, descriptors that constants select in plain bindings
     * (core/draw/descriptors.c) */
    bool looked_at;
    bool by_push; /* the shader can be reached by push constants */
    /* the shader gets no checks, as settings do not select it; OpAbortKHR in it is still replaced
     * for drivers without it */
    bool not_selected;
    const VkSpecializationInfo *specialization; /* NULL: there is none */
};

/* Returns the instrumented shader, with a reference for the caller. NULL: the program's code runs,
 * as there is nothing to check, or instrumenting failed. */
struct gpu_shader *gpu_shader_acquire(const struct call *call, const struct gpu_request *request);
/* True if the code has instructions that the driver must not see, because the layer emulates their
 * extension. */
bool gpu_must_be_lowered(const struct device *device, const struct shader *code);
/* Reports once what is missed in the shaders made so far. A call that has acquired shaders calls it
 * when callbacks of the program may be called. */
void gpu_shaders_tell(const struct call *call);
void gpu_shader_hold(struct gpu_shader *shader);
void gpu_shader_release(struct gpu_shader *shader);

/* --- select.c --- */

/* True if the chain has VkValidationFeaturesEXT that enables
 * VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT. */
bool gpu_chain_selects(const void *chain);
/* True if the user selects this shader, which the program has not selected. `name` may be NULL. */
bool gpu_name_is_selected(const struct settings *settings, const char *name, const char *entry);

/* Returns an expression of gpuav_shaders_to_instrument that is invalid, with the reason in `error`;
 * NULL: all are valid. */
const char *gpu_bad_expression(const struct settings *settings, char *error, size_t size);

/* --- down.c --- */

struct gpu_compile;  /* gpu/pipeline/compile.h */
struct gpu_original; /* gpu/pipeline/binaries.h */

/* The results of a call for one create info, until its after hook takes them. Owned. */
struct gpu_made {
    struct gpu_pipeline *pipeline; /* NULL: no stage is instrumented, or a job will do that */
    struct gpu_compile *job;       /* NULL: there is none */
    struct gpu_original *original; /* for a shader object. NULL: there is none */
    bool translated;               /* the code must not go down unchanged (gpu_must_be_lowered) */
};

/* The structures of a call that are changed on their way to the driver. On the stack of the call;
 * its memory is the thread's scratch memory. */
struct gpu_change {
    const struct call *call;
    struct device *device;
    struct gpu_shaders *shaders;
    /* the driver's modules, which exist until the call is done */
    struct gpu_temporary *temporaries;
    /* one for each create info; handed to the after hook. NULL: memory is out */
    struct gpu_made *made;
    uint32_t count;
    /* code that must not go down unchanged (gpu_must_be_lowered) could not be changed: the call
     * fails */
    bool failed;
    bool large; /* there is large code among the modules (MEM_TRIM_CODE) */
};

struct gpu_change gpu_change_begin(struct call *call, uint32_t count);
/* Returns the error with which the call must fail, or VK_SUCCESS. It fails if memory is out
 * (`infos` is NULL), or code could not be lowered. */
VkResult gpu_change_failed(const struct gpu_change *change, const void *infos);
/* Called when the driver has returned. */
void gpu_change_end(struct gpu_change *change);
/* Makes a module of the driver's with this code, which exists until gpu_change_end();
 * VK_NULL_HANDLE: it could not be made. */
VkShaderModule gpu_change_module(struct gpu_change *change, const uint32_t *words, size_t size);
/* Takes the results of the call for its create info `index`, which the caller owns then. For the
 * call's after hook. */
struct gpu_made gpu_change_take(const struct call *call, uint32_t index);
/* Releases the remaining results. The last step of the after hook. */
void gpu_change_forget(const struct call *call);

/* Returns the program's specialization with the anonymous record's address; NULL: memory is out. */
const VkSpecializationInfo *gpu_specialization(const struct gpu_shaders *shaders,
                                               const VkSpecializationInfo *app);

/* --- stage.c --- */

/* The parts of one create info of a pipeline of any kind. */
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
    struct gpu_request request; /* its `code` is held; other pointers lead into the create info */
    struct gpu_code *code;      /* held; NULL: the code is in the stage's chain */
    bool known;                 /* the code is known */
    bool wanted;                /* the stage is to be instrumented */
    bool must;                  /* gpu_must_be_lowered() */
    uint64_t module;            /* the program's handle */
    char *module_name;          /* owned; NULL: it has no name */
};

/* True if the core checks check the bound resources of each draw, dispatch and trace. In safe mode
 * the shaders check right before each access. */
bool gpu_commands_are_looked_at(const struct call *call);
struct gpu_stage_request gpu_stage_read(const struct call *call, const struct gpu_source *source,
                                        uint32_t index, bool by_push);
void gpu_stage_request_end(struct gpu_stage_request *stage);
/* Changes a copy of the stage that goes down, so that the instrumented code runs. Returns false if
 * that failed; nothing has changed then. */
bool gpu_stage_replace(struct gpu_change *change, const struct gpu_shader *shader,
                       VkPipelineShaderStageCreateInfo *down);

/* --- pipeline.c, shader_object.c --- */

/* Fills in the robustness of this stage, from VkPipelineRobustnessCreateInfo in a chain, or else
 * from the features that the program enabled. The pipeline's chain may be NULL. */
void gpu_read_robustness(const struct device *device, const void *pipeline_chain,
                         const void *stage_chain, struct gpu_request *request);
VkResult gpu_down_CreateShadersEXT(struct call *call, const VkShaderCreateInfoEXT *app,
                                   VkDevice device, uint32_t createInfoCount,
                                   const VkShaderCreateInfoEXT *pCreateInfos,
                                   const VkAllocationCallbacks *pAllocator, VkShaderEXT *pShaders);

#endif
