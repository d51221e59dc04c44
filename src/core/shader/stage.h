/* One stage of a pipeline, or one shader object, with the code that it selects: what the checks of
 * shaders hand around. */
#ifndef ASSAY_CORE_SHADER_STAGE_H
#define ASSAY_CORE_SHADER_STAGE_H

#include <spirv/unified1/spirv.h>

#include "core/hooks.h"
#include "report/finding/finding.h"
#include "spirv/module/reflect.h"
#include "state/pipeline/graphics_info.h"
#include "state/pipeline/shader.h"

struct subject; /* report/finding/rule.h */

/* Threads: on the stack of one call. */
struct shader_stage {
    struct shader *shader; /* held by this; NULL: nothing is known */
    const struct spirv_reflection *reflection;
    /* NULL: the module has no entry point of that name, or nothing is known of the module */
    const struct spirv_entry_point *entry;
    struct spirv_specialization specialization; /* empty: not at all */
    VkShaderStageFlagBits stage;
    const char *name;
    /* the program's handle; VK_NULL_HANDLE: the code is not in a module of its own */
    uint64_t module;
    /* of the VkPipelineShaderStageCreateInfo or VkShaderCreateInfoEXT */
    const struct location *where;
    bool object; /* a shader object: its rules have names of their own */
    /* VkShaderDescriptorSetAndBindingMappingInfoEXT: no layout says what its bindings are */
    bool mapped;
};

struct shader_stage shader_stage_begin(const struct call *call,
                                       const VkPipelineShaderStageCreateInfo *info,
                                       const struct location *where);
void shader_stage_end(struct shader_stage *stage);

/* --- what is asked of a stage (core/shader/stage_facts.c) --- */

/* "VK_SHADER_STAGE_VERTEX_BIT" */
const char *shader_stage_name(VkShaderStageFlagBits stage);
/* Bytes of its Workgroup variables; 0 where blocks with an explicit layout may lie over one
 * another. */
uint64_t stage_shared_bytes(const struct shader_stage *stage);
/* The name of something in the module, or "without a name". */
static inline const char *shader_text(const struct shader_stage *stage, uint32_t text)
{
    return text ? stage->reflection->text + text : "(without a name)";
}

/* The modules of two stages that do not fit: ` (VkShaderModule 0x2 "lit.frag", VkShaderModule 0x1
 * "lit.vert")`; "" without. */
struct modules_text {
    char text[448];
};
const char *shader_modules(const struct call *call, const struct shader_stage *one,
                           const struct shader_stage *other, struct modules_text *text) COLD;
#define MODULES(call_, one_, other_) \
    shader_modules((call_), (one_), (other_), &(struct modules_text){.text = ""})
/* The built-in in the interface of an entry point, or NULL. */
const struct spirv_interface *shader_builtin(const struct shader_stage *stage, uint32_t storage,
                                             uint32_t builtin);
/* One variable of that interface, or a member of it. */
static inline const struct spirv_interface *shader_leaf(const struct shader_stage *stage,
                                                        uint32_t i)
{
    assert(i < stage->entry->interface_count);
    return &stage->reflection->interfaces[stage->entry->first_interface + i];
}

/* The objects that findings name. */
#define STAGE_OBJECT(stage_) OBJECT(HANDLE_SHADER_MODULE, (stage_)->module)
#define STAGE_OBJECTS(one_, other_) \
    OBJECT2(HANDLE_SHADER_MODULE, (one_)->module, HANDLE_SHADER_MODULE, (other_)->module)

/* A rule of pipelines, or the rule of shader objects in its place. */
static inline enum rule stage_rule(const struct shader_stage *stage, enum rule rule,
                                   enum vuid of_object)
{
    return stage->object ? (enum rule)of_object : rule;
}

/* The rules of one stage by itself. `layout` may be NULL: unknown, or none. All return whether to
 * skip. */
bool check_stage_limits(const struct call *call, const struct shader_stage *stage);
bool check_stage_interface_limits(const struct call *call, const struct shader_stage *stage);
/* Checks rules that an entry point breaks by itself, whatever it is specialized to and used
 * with. */
bool check_entry_limits(const struct call *call, const struct shader_stage *stage);
bool check_entry_uses(const struct call *call, const struct shader_stage *stage);
bool check_entry_types(const struct call *call, const struct shader_stage *stage);
/* Checks rules of variables that an entry point uses: a module breaks them, whichever entry point
 * is chosen. */
void check_entry_variables(struct subject *s, const struct shader_stage *stage);
bool check_stage_uses(const struct call *call, const struct shader_stage *stage);
/* The entry point uses cooperative matrices, and the module has some of that SpvScope. */
bool stage_uses_matrices_of(const struct shader_stage *stage, uint32_t scope);
bool check_stage_types(const struct call *call, const struct shader_stage *stage);
/* Checks numbers of 64 bits. `wide`: the flags ask for 64-bit indexing. */
bool check_stage_indexing(const struct call *call, const struct shader_stage *stage, bool wide);
/* Checks the bits that `flags`, the flags of the pipeline, must have for micromaps and motion. */
bool check_stage_flags(const struct call *call, const struct shader_stage *stage,
                       VkPipelineCreateFlags2 flags);
/* `required`: the flags ask for full subgroups. */
bool check_stage_full_subgroups(const struct call *call, const struct shader_stage *stage,
                                bool required);
bool check_stage_specialization(const struct call *call, const struct shader_stage *stage,
                                const VkSpecializationInfo *info);
bool check_stage_layout(const struct call *call, const struct shader_stage *stage,
                        const struct pipeline_layout *layout);

/* Checks a stage that is `mapped`, by the structure in its chain. `heap`: the flags say that all of
 * its variables are mapped to heaps. */
bool check_stage_mappings(const struct call *call, const struct shader_stage *stage,
                          const void *chain, bool heap);

/* Checks what the shader does with a variable whose samplers all convert from Y'CbCr. */
void check_stage_conversion(struct subject *s, const struct shader_stage *stage,
                            const struct spirv_binding *binding);
/* True if samplers convert: all immutable samplers of a binding, or the embedded sampler of a
 * mapping. */
bool layout_converts(const struct descriptor_layout *layout,
                     const struct descriptor_binding *binding);
bool mapping_converts(const VkDescriptorSetAndBindingMappingEXT *mapping);

/* The rules of a graphics pipeline's stages together: `count` of them, in the order that work goes
 * through them. */
bool check_stages_linked(const struct call *call, const struct location *where,
                         const struct graphics_info *graphics, const struct shader_stage *stages,
                         uint32_t count);
/* Outputs of a fragment shader that leave undefined values in attachments: warnings. */
bool check_fragment_outputs(const struct call *call, const struct location *where,
                            const struct graphics_info *graphics,
                            const struct shader_stage *fragment);
/* Checks the pipeline state that the stages need, stage by stage. */
bool check_graphics_uses(const struct call *call, const struct location *where,
                         const struct graphics_info *graphics, const struct shader_stage *stages,
                         uint32_t count);
bool check_vertex_attributes(const struct call *call, const struct location *where,
                             const struct graphics_info *graphics,
                             const struct shader_stage *vertex);

#endif
