/* Shaders of a pipeline or shader object are instrumented, and a command hands them its pointer.
 *
 * The pointer (to the words COMMAND_..., spirv/abi.h) is the last 8 bytes of push constants.
 * Every pipeline layout and shader object goes down with ranges that take these bytes in
 * (layout.c). A stage that cannot be reached so has the address of the device's anonymous record in
 * its specialization constants. It is checked, but does not name its command. */
#ifndef ASSAY_GPU_PIPELINE_H
#define ASSAY_GPU_PIPELINE_H

#include "objects/device.h"

/* How push constants reach the shaders: before each action command
 *     dispatch.CmdPushConstants(commandBuffer, push->layout, push->stages, push->offset,
 *                               push->size, values);
 * where `values` ends with the pointer. One struct is made for all that have the same push constant
 * ranges. Threads: const; lives as long as the device. */
struct gpu_push {
    /* of the driver: no sets, and the ranges of the program's layout with ours */
    VkPipelineLayout layout;
    VkShaderStageFlags stages; /* all that a range of `layout` with these bytes has */
    uint32_t offset;           /* bytes; a multiple of 4 */
    uint32_t size;             /* bytes: those of the guard, if there is one, and the pointer's 8 */
};

/* One entry point, instrumented; shared by all that run the same code in the same way.
 * Threads: const, but for the count and `next`. Found by the records that it writes for as long as
 * its device lives (gpu_shader_find). */
struct gpu_shader {
    _Atomic uint32_t references;
    uint32_t id;  /* RECORD_SHADER: a hash of the code and of how it was instrumented, never 0 */
    uint64_t key; /* the whole hash */
    VkShaderStageFlagBits stage;
    uint32_t checks;          /* enum spirv_checks that were asked for */
    uint32_t model;           /* SpvExecutionModel */
    uint32_t checked;         /* places that were given a check */
    struct spirv_site *sites; /* owned; of records */
    uint32_t site_count;
    bool fetches; /* the shader asks how many vertices there are */
    bool touches; /* the shader writes which descriptors it accesses (gpu/command/touched.h) */
    /* the pointer comes in push constants; else in specialization constants */
    bool by_push;
    /* it was to come in push constants, and cannot: nothing was instrumented here */
    bool unreachable;
    /* as the program gave them, which RECORD_INSTRUCTION counts in; in the same allocation */
    const uint32_t *words;
    uint32_t word_count;
    struct spirv_abort_sites
        *aborts; /* owned; where it may give up (spirv/abort/abort.h), or NULL */
    /* owned; NULL: there is nothing to check in it, and the program's code runs */
    uint32_t *instrumented;
    uint32_t instrumented_count;
    struct gpu_shader *next; /* in the device's table. Lock: struct gpu_shaders */
};

/* A stage, and whose code it runs: for messages. */
struct gpu_stage {
    VkShaderStageFlagBits stage;
    struct gpu_shader *shader; /* held; never NULL, and instrumented */
    /* as the program sees it; 0: the code stood in the create info, or belongs to a shader
     * object */
    uint64_t module;
    char *module_name; /* owned; NULL where the module has no name */
};

/* The instrumented part of a pipeline; pipeline::gpu, NULL where nothing is instrumented. A linked
 * pipeline has its libraries' stages too. Threads: const once it hangs there, but for `plain`.
 * Freed with the pipeline's state. */
struct gpu_pipeline {
    /* the driver's pipeline that the program has made, of its own code, in whose place a twin runs
     * (gpu/device/background.h); 0: there is one pipeline. Relaxed */
    _Atomic uint64_t plain;
    /* NULL: no stage gets its pointer so, and a command has nothing to push */
    const struct gpu_push *push;
    VkShaderStageFlags push_stages; /* that get theirs by push constants */
    uint32_t checks;                /* enum spirv_checks of all stages together */
    /* its vertex shader asks how many vertices there are, and must get the number */
    bool fetches;
    uint32_t stage_count;
    struct gpu_stage stages[];
};
void gpu_pipeline_free(struct gpu_pipeline *pipeline); /* shader.c; NULL: nothing happens */
/* Adds a stage, for which there is room, and takes over what it holds. `push`: how push constants
 * reach the stage; NULL: they do not. */
void gpu_pipeline_add(struct gpu_pipeline *pipeline, struct gpu_stage stage,
                      const struct gpu_push *push);

/* A shader object has a pipeline of one stage, shader_object::gpu. */

/* --- of a device (shader.c) --- */

struct gpu_shaders;
/* Creates what the device's shaders need: with the device, before anything is instrumented. NULL
 * when memory is out. */
struct gpu_shaders *gpu_shaders_create(struct device *device) MUST_CHECK;
/* Shaders may ask for the tables of so many sets. */
uint32_t gpu_shaders_most_sets(const struct device *device);
/* From now on shaders are instrumented: `anonymous` is the address of a record (COMMAND_...) for
 * stages that no command can hand one. Sets device->down. Before the program has the device. */
void gpu_shaders_begin(struct device *device, VkDeviceAddress anonymous);
/* Nothing more is instrumented (memory is out, the device is lost); what is instrumented stays so.
 * Threads: any. */
void gpu_shaders_end(struct device *device);
/* Destroys the driver's pipeline layouts, as the device is about to be destroyed. */
void gpu_shaders_destroy_layouts(struct device *device);
void gpu_shaders_free(struct gpu_shaders *shaders);

/* The shader that writes records with this id, or NULL; lives as long as the device. Threads: any.
 */
const struct gpu_shader *gpu_shader_find(const struct device *device, uint32_t id);

extern const struct down_calls gpu_down_calls;

#endif
