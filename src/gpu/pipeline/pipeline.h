/* Instruments the shaders of pipelines and shader objects, to which a command gives a pointer.
 *
 * The pointer (to the words COMMAND_..., spirv/abi.h) is the last 8 bytes of push constants. Every
 * pipeline layout and shader object goes down with ranges that include these bytes (layout.c). A
 * stage without such a push constant has the address of the device's anonymous record in its
 * specialization constants. It is checked, but does not name its command. */
#ifndef ASSAY_GPU_PIPELINE_H
#define ASSAY_GPU_PIPELINE_H

#include "objects/device.h"

/* Says how push constants reach the shaders. Before each action command:
 *     dispatch.CmdPushConstants(commandBuffer, push->layout, push->stages, push->offset, 8,
 *                               &pointer);
 * Shaders with the same push constant ranges share one. Threads: const; lives as long as the
 * device. */
struct gpu_push {
    /* the driver's handle: it has no sets, and the ranges of the program's layout with the
     * layer's */
    VkPipelineLayout layout;
    VkShaderStageFlags stages; /* all stages in the ranges of `layout` that have these bytes */
    uint32_t offset;           /* bytes; a multiple of 8 */
    uint32_t size;             /* bytes: those of the guard, if there is one, and the pointer's 8 */
};

/* One instrumented entry point, shared by all stages that run the same code in the same way.
 * Threads: const, except the count and `next`. Records find it as long as its device exists
 * (gpu_shader_find()). */
struct gpu_shader {
    _Atomic uint32_t references;
    uint32_t id;  /* RECORD_SHADER: a hash of the code and of how it was instrumented, never 0 */
    uint64_t key; /* the whole hash */
    VkShaderStageFlagBits stage;
    uint32_t checks;          /* the enabled checks, of enum spirv_checks */
    uint32_t model;           /* SpvExecutionModel */
    uint32_t checked;         /* number of places that got a check */
    struct spirv_site *sites; /* owned; the sites that records refer to */
    uint32_t site_count;
    bool fetches; /* the shader needs the numbers of vertices and instances */
    bool touches; /* the shader reports which descriptors it accesses (gpu/command/touched.h) */
    /* the pointer is a push constant; otherwise specialization constants */
    bool by_push;
    /* the pointer should be a push constant, but cannot be: nothing is instrumented */
    bool unreachable;
    /* the program's code, which RECORD_INSTRUCTION counts instructions in; in the same
     * allocation */
    const uint32_t *words;
    uint32_t word_count;
    struct spirv_abort_sites
        *aborts; /* owned; the places where it may abort (spirv/abort/abort.h), or NULL */
    /* owned; NULL: there is nothing to check, and the program's code runs */
    uint32_t *instrumented;
    uint32_t instrumented_count;
    struct gpu_shader *next; /* in the device's table. Lock: struct gpu_shaders */
};

/* A stage and its module, for messages. */
struct gpu_stage {
    VkShaderStageFlagBits stage;
    struct gpu_shader *shader; /* held; never NULL, and instrumented */
    /* the program's handle; 0: the code was in the create info, or belongs to a shader object */
    uint64_t module;
    char *module_name; /* owned; NULL: the module has no name */
};

/* The instrumented part of a pipeline (gpu_in_pipeline::changed); NULL if nothing is instrumented.
 * A linked pipeline has its libraries' stages too. Threads: const once it is attached, except
 * `plain`. Freed with the pipeline's state. */
struct gpu_pipeline {
    /* the driver's pipeline from the program's own code, which a twin replaces
     * (gpu/device/background.h); 0: there is only one pipeline. Relaxed */
    _Atomic uint64_t plain;
    /* NULL: no stage gets the pointer as a push constant */
    const struct gpu_push *push;
    VkShaderStageFlags push_stages; /* stages that get the pointer as a push constant */
    uint32_t checks;                /* the checks of all stages together, of enum spirv_checks */
    /* its vertex shader needs the numbers of vertices and instances */
    bool fetches;
    uint32_t stage_count;
    struct gpu_stage stages[];
};
void gpu_pipeline_free(struct gpu_pipeline *pipeline); /* in shader.c; NULL is allowed */
/* Adds a stage, for which there must be room, and takes over its references. `push` says how push
 * constants reach the stage; NULL: they do not. */
void gpu_pipeline_add(struct gpu_pipeline *pipeline, struct gpu_stage stage,
                      const struct gpu_push *push);

/* A shader object has a pipeline of one stage: gpu_in_shader_object::changed. */

/* --- shaders of a device (shader.c) --- */

struct gpu_shaders;
/* Creates the device's data for shaders, together with the device, before any shader is
 * instrumented. NULL: memory is out. */
struct gpu_shaders *gpu_shaders_create(struct device *device) MUST_CHECK;
/* Returns the number of sets whose tables shaders may need. */
uint32_t gpu_shaders_most_sets(const struct device *device);
/* Makes shaders be instrumented from now on: `anonymous` is the address of a record (COMMAND_...)
 * for stages that get no pointer from commands. Sets device->down. Called before the program has
 * the device. */
void gpu_shaders_begin(struct device *device, VkDeviceAddress anonymous);
/* Stops instrumenting, as memory is out or the device is lost; instrumented shaders stay. Threads:
 * any. */
void gpu_shaders_end(struct device *device);
/* Destroys the driver's pipeline layouts, as the device is about to be destroyed. */
void gpu_shaders_destroy_layouts(struct device *device);
void gpu_shaders_free(struct gpu_shaders *shaders);

/* Finds the shader that writes records with this id, or NULL; it lives as long as the device.
 * Threads: any. */
const struct gpu_shader *gpu_shader_find(const struct device *device, uint32_t id);

extern const struct down_calls gpu_down_calls;

#endif
