/* One stage of a pipeline, or one shader object, with its code. The checks of shaders pass it to
 * one another. */
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
    struct shader *shader; /* a reference that this struct holds; NULL if the code is not known */
    const struct spirv_reflection *reflection;
    /* NULL if the module does not have an entry point of that name, or if the module is not
     * known */
    const struct spirv_entry_point *entry;
    struct spirv_specialization specialization; /* empty if there is none */
    VkShaderStageFlagBits stage;
    const char *name;
    /* the program's handle, or VK_NULL_HANDLE if the code is not in a module object */
    uint64_t module;
    /* the place of the VkPipelineShaderStageCreateInfo or VkShaderCreateInfoEXT */
    const struct location *where;
    bool object; /* a shader object, whose rules have other valid usage ids */
    /* the stage chains a VkShaderDescriptorSetAndBindingMappingInfoEXT, so that no layout describes
     * its bindings */
    bool mapped;
};

struct shader_stage shader_stage_begin(const struct call *call,
                                       const VkPipelineShaderStageCreateInfo *info,
                                       const struct location *where);
void shader_stage_end(struct shader_stage *stage);

/* --- what is asked of a stage (core/shader/stage_facts.c) --- */

/* The name of the stage's bit, such as "VK_SHADER_STAGE_VERTEX_BIT". */
const char *shader_stage_name(VkShaderStageFlagBits stage);
/* The size of the stage's Workgroup variables in bytes, or 0 if blocks with an explicit layout may
 * overlap. */
uint64_t stage_shared_bytes(const struct shader_stage *stage);
/* The name of something in the module, or "(without a name)". */
static inline const char *shader_text(const struct shader_stage *stage, uint32_t text)
{
    return text ? stage->reflection->text + text : "(without a name)";
}

/* A text that names the modules of two stages that do not fit, or "" if there are none: `
 * (VkShaderModule 0x2 "lit.frag", VkShaderModule 0x1 "lit.vert")`. */
struct modules_text {
    char text[448];
};
const char *shader_modules(const struct call *call, const struct shader_stage *one,
                           const struct shader_stage *other, struct modules_text *text) COLD;
#define MODULES(call_, one_, other_) \
    shader_modules((call_), (one_), (other_), &(struct modules_text){.text = ""})
/* The built-in in the interface of the stage's entry point, or NULL if it is not there. */
const struct spirv_interface *shader_builtin(const struct shader_stage *stage, uint32_t storage,
                                             uint32_t builtin);
/* Variable or member `i` of the interface of the stage's entry point. */
static inline const struct spirv_interface *shader_leaf(const struct shader_stage *stage,
                                                        uint32_t i)
{
    assert(i < stage->entry->interface_count);
    return &stage->reflection->interfaces[stage->entry->first_interface + i];
}

/* The objects that findings about stages name. */
#define STAGE_OBJECT(stage_) OBJECT(HANDLE_SHADER_MODULE, (stage_)->module)
#define STAGE_OBJECTS(one_, other_) \
    OBJECT2(HANDLE_SHADER_MODULE, (one_)->module, HANDLE_SHADER_MODULE, (other_)->module)

/* A rule of pipelines, or for a shader object the rule that corresponds to it. */
static inline enum rule stage_rule(const struct shader_stage *stage, enum rule rule,
                                   enum vuid of_object)
{
    return stage->object ? (enum rule)of_object : rule;
}

/* The checks of one stage alone. `layout` is NULL if it is not known, or if there is none. All
 * return whether to skip. */
bool check_stage_limits(const struct call *call, const struct shader_stage *stage);
bool check_stage_interface_limits(const struct call *call, const struct shader_stage *stage);
/* The checks of rules that an entry point breaks by itself, with any specialization and in any
 * pipeline. */
bool check_entry_limits(const struct call *call, const struct shader_stage *stage);
bool check_entry_uses(const struct call *call, const struct shader_stage *stage);
bool check_entry_types(const struct call *call, const struct shader_stage *stage);
bool check_entry_interface(const struct call *call, const struct shader_stage *stage);
/* Checks rules of variables that an entry point uses. The module breaks these rules with any of its
 * entry points. */
void check_entry_variables(struct subject *s, const struct shader_stage *stage);
bool check_stage_uses(const struct call *call, const struct shader_stage *stage);
/* True if the entry point uses cooperative matrices, and the module has some of that SpvScope. */
bool stage_uses_matrices_of(const struct shader_stage *stage, uint32_t scope);
bool check_stage_types(const struct call *call, const struct shader_stage *stage);
/* Checks 64-bit numbers. `wide` is true if the flags enable 64-bit indexing. */
bool check_stage_indexing(const struct call *call, const struct shader_stage *stage, bool wide);
/* Checks that the pipeline's `flags` have the bits that micromaps and motion need. */
bool check_stage_flags(const struct call *call, const struct shader_stage *stage,
                       VkPipelineCreateFlags2 flags);
/* Checks full subgroups. `required` is true if the flags require them. */
bool check_stage_full_subgroups(const struct call *call, const struct shader_stage *stage,
                                bool required);
bool check_stage_specialization(const struct call *call, const struct shader_stage *stage,
                                const VkSpecializationInfo *info);
bool check_stage_layout(const struct call *call, const struct shader_stage *stage,
                        const struct pipeline_layout *layout);

/* Checks a `mapped` stage against the mapping structure in its chain. `heap` is true if the flags
 * say that all of its variables are mapped to heaps. */
bool check_stage_mappings(const struct call *call, const struct shader_stage *stage,
                          const void *chain, bool heap);

/* Checks how the shader uses a variable whose samplers all convert from Y'CbCr. */
void check_stage_conversion(struct subject *s, const struct shader_stage *stage,
                            const struct spirv_binding *binding);
/* True if all immutable samplers of a binding, or the embedded sampler of a mapping, convert from
 * Y'CbCr. */
bool layout_converts(const struct descriptor_layout *layout,
                     const struct descriptor_binding *binding);
bool mapping_converts(const VkDescriptorSetAndBindingMappingEXT *mapping);

/* Checks that the stages of a graphics pipeline fit together. There are `count` stages, in the
 * order in which work passes through them. */
bool check_stages_linked(const struct call *call, const struct location *where,
                         const struct graphics_info *graphics, const struct shader_stage *stages,
                         uint32_t count);
/* Warns of outputs of a fragment shader that leave undefined values in attachments. */
bool check_fragment_outputs(const struct call *call, const struct location *where,
                            const struct graphics_info *graphics,
                            const struct shader_stage *fragment);
/* Checks the pipeline state that the stages need, one stage after the other. */
bool check_graphics_uses(const struct call *call, const struct location *where,
                         const struct graphics_info *graphics, const struct shader_stage *stages,
                         uint32_t count);
bool check_vertex_attributes(const struct call *call, const struct location *where,
                             const struct graphics_info *graphics,
                             const struct shader_stage *vertex);

#endif
