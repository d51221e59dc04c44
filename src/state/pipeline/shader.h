/* Shader code in the state tracker: one reflection for all modules, pipelines and shader objects
 * with the same code. Code with the same size and the same 64-bit hash counts as the same. */
#ifndef ASSAY_STATE_SHADER_H
#define ASSAY_STATE_SHADER_H

#include "state/object/object_state.h"

struct spirv_reflection; /* spirv/module/reflect.h */
struct spirv_specialization;
struct spirv_entry_point;
struct stage_mappings;

/* Threads: const, except where a member says otherwise. */
struct shader {
    /* becomes 0, and is incremented by a lookup, only under known_lock */
    _Atomic uint32_t references;
    /* next shader in the same list of the hash table. Lock: known_lock */
    struct shader *next;
    uint64_t hash;                       /* of the code */
    size_t code_size;                    /* bytes */
    struct spirv_reflection *reflection; /* owned; NULL: the code could not be read */
};

struct shader *shader_acquire(struct shader *shader); /* NULL returns NULL */
void shader_release(struct shader *shader);

/* The shader of this code, which is acquired for the caller; the code itself is not kept. It is
 * only read if no existing shader, and none of the last few, has the same code. NULL: memory ran
 * out, or the pointer is bad. */
struct shader *shader_of_code(const void *code, size_t size) MUST_CHECK;

/* The shader of a pipeline's stage, from its module or the VkShaderModuleCreateInfo in its chain;
 * acquired for the caller. NULL: not known. */
struct shader *shader_of_stage(const struct call *call,
                               const VkPipelineShaderStageCreateInfo *stage);

/* The entry point with this name and stage. NULL: there is none, or the shader is not known (NULL,
 * or no reflection). */
const struct spirv_entry_point *shader_entry(const struct shader *shader,
                                             VkShaderStageFlagBits stage, const char *name);
/* The specialization constants of a stage; empty if there are none, or a pointer is bad. */
struct spirv_specialization shader_specialization(const VkSpecializationInfo *info);
/* The SpvExecutionModel of a stage; UINT32_MAX: not a shader stage. */
uint32_t shader_execution_model(VkShaderStageFlagBits stage);

/* The state of a VkShaderModule. Const. */
struct shader_module {
    struct object_state base;
    struct shader *shader; /* acquired; NULL: memory ran out */
    AREA_ROOM(8);
};
STATE_FINDERS(shader_module, VkShaderModule, HANDLE_SHADER_MODULE)
void shader_module_free(struct shader_module *module);

/* The state of a VkShaderEXT. Const. */
struct shader_object {
    struct object_state base;
    struct shader *shader; /* acquired; NULL: memory ran out, or it was created from a binary */
    VkShaderStageFlagBits stage;
    VkShaderStageFlags next_stage;
    VkShaderCreateFlagsEXT flags;
    bool resolve_given, resolves; /* VkCustomResolveCreateInfoEXT::customResolve */
    uint32_t entry_point;         /* index in the shader's entry points; UINT32_MAX: unknown */
    /* equal for all shaders that one vkCreateShadersEXT created with
     * VK_SHADER_CREATE_LINK_STAGE_BIT_EXT; 0: not linked */
    uint64_t link_group;
    VkShaderStageFlags link_stages; /* stages of all shaders of the link group */
    /* state/memory/mapping.h; acquired; NULL: none, or not known */
    struct stage_mappings *mappings;
    uint32_t set_layout_count, push_constant_count;
    uint64_t *set_layouts; /* descriptor_layout::compatibility of each; in the same allocation */
    /* for each set, pipeline_layout::compatibility "as if the shader was created with a pipeline
     * layout object" of the same sets and ranges, without flags (10.2); 0: unknown */
    uint64_t *compatibility;
    VkPushConstantRange *push_constants;
    uint32_t used_sets; /* bit n: it statically uses a variable of descriptor set n */
    /* a hash of its code, its stage, and the layouts of all its sets. Shaders with the same hash
     * share the results of checking a set */
    uint64_t interface;
    AREA_ROOM(16);
};
STATE_FINDERS(shader_object, VkShaderEXT, HANDLE_SHADER_EXT)
void shader_object_free(struct shader_object *shader);
/* Threads: chassis/fork.c. */
void shader_fork(enum fork_step step);

#endif
