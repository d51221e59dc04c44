/* Shader code as the state tracker keeps it: one reflection for all modules, pipelines and shader
 * objects with the same code. The same is what has the same size and hash of 64 bits. */
#ifndef ASSAY_STATE_SHADER_H
#define ASSAY_STATE_SHADER_H

#include "state/object/object_state.h"

struct spirv_reflection; /* spirv/module/reflect.h */
struct spirv_specialization;
struct spirv_entry_point;
struct stage_mappings;

/* Threads: const, but for what says otherwise. */
struct shader {
    _Atomic uint32_t references; /* becomes 0, and is added to by a look-up, under known_lock */
    /* next shader at the same place of the table of known shaders. Lock: known_lock */
    struct shader *next;
    uint64_t hash;                       /* of the code */
    size_t code_size;                    /* bytes */
    struct spirv_reflection *reflection; /* owned; NULL when the code could not be read */
};

struct shader *shader_acquire(struct shader *shader); /* NULL stays NULL */
void shader_release(struct shader *shader);

/* The shader of this code, which is not kept; the caller holds it. The code is read where no other
 * shader has the same, nor one of the last few that were read. NULL when memory is out, or the
 * pointer is none. */
struct shader *shader_of_code(const void *code, size_t size) MUST_CHECK;

/* The shader of a pipeline's stage: of its module, or of the VkShaderModuleCreateInfo in its chain;
 * held for the caller. NULL when nothing is known of it. */
struct shader *shader_of_stage(const struct call *call,
                               const VkPipelineShaderStageCreateInfo *stage);

/* The entry point that the name and stage select, or NULL: there is none, or nothing is known of
 * the shader (NULL, or no reflection). */
const struct spirv_entry_point *shader_entry(const struct shader *shader,
                                             VkShaderStageFlagBits stage, const char *name);
/* The constants that a stage is given; none where there are none, or a pointer is none. */
struct spirv_specialization shader_specialization(const VkSpecializationInfo *info);
/* The SpvExecutionModel of a stage; UINT32_MAX for what is not a stage of a shader. */
uint32_t shader_execution_model(VkShaderStageFlagBits stage);

/* The state of a VkShaderModule. const. */
struct shader_module {
    struct object_state base;
    struct shader *shader; /* held; NULL when memory was out */
    AREA_ROOM(8);
};
STATE_FINDERS(shader_module, VkShaderModule, HANDLE_SHADER_MODULE)
void shader_module_free(struct shader_module *module);

/* The state of a VkShaderEXT. const. */
struct shader_object {
    struct object_state base;
    struct shader *shader; /* held; NULL when memory was out, or made of a binary */
    VkShaderStageFlagBits stage;
    VkShaderStageFlags next_stage;
    VkShaderCreateFlagsEXT flags;
    bool resolve_given, resolves; /* VkCustomResolveCreateInfoEXT::customResolve */
    uint32_t entry_point;         /* index in the shader's entry points; UINT32_MAX: unknown */
    /* the same number for all shaders that one vkCreateShadersEXT made with
     * VK_SHADER_CREATE_LINK_STAGE_BIT_EXT; 0 = not linked */
    uint64_t link_group;
    VkShaderStageFlags link_stages;  /* stages of all shaders of the link group */
    struct stage_mappings *mappings; /* state/memory/mapping.h; held; NULL: none, or not known */
    uint32_t set_layout_count, push_constant_count;
    uint64_t *set_layouts; /* compatibility of each descriptor_layout; in the same allocation */
    /* pipeline_layout::compatibility of each set, "as if the shader was created with a pipeline
     * layout object" of the same sets and ranges, without flags (10.2); 0: unknown */
    uint64_t *compatibility;
    VkPushConstantRange *push_constants;
    uint32_t used_sets; /* bit n: it statically uses something of descriptor set n */
    /* a hash of its code, its stage, and the layouts of all its sets: what of a set is in order for
     * it is so for others with the same */
    uint64_t interface;
    AREA_ROOM(16);
};
STATE_FINDERS(shader_object, VkShaderEXT, HANDLE_SHADER_EXT)
void shader_object_free(struct shader_object *shader);
/* Threads: chassis/fork.c. */
void shader_fork(enum fork_step step);

#endif
