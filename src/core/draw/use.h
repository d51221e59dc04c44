/* A descriptor that a stage of a draw, dispatch or trace uses, and how a finding about it is
 * reported. Private to this room. Threads: the calling thread. Fields of other objects are read as
 * their own comments allow. */
#ifndef ASSAY_CORE_DRAW_USE_H
#define ASSAY_CORE_DRAW_USE_H

#include "core/draw/draw.h"
#include "spirv/module/reflect.h"
#include "state/descriptor/descriptor_access.h"

#include <stdarg.h>

struct sampler;

/* One descriptor that a stage uses. */
struct use {
    struct draw *draw;
    const struct spirv_reflection *code;
    const struct spirv_binding *shader; /* declaration and accesses in the shader */
    const struct bound_descriptors *bound;
    const struct descriptor_binding *binding;
    struct descriptor descriptor;
    VkShaderStageFlagBits stage;
    bool right; /* no mistake was found so far */
    /* the descriptor is an element of an array, with a constant index: accesses to this element
     * cannot be distinguished from those to others */
    bool of_array;
    uint32_t element; /* 0: the variable is not an array */
};

/* Details of a finding with a text like `has descriptor set 0 bound, whose binding 1 ("albedo" in
 * the shader of VK_SHADER_STAGE_FRAGMENT_BIT) ...`. The descriptor's content follows, unless the
 * text already names it (`says_target`). `handle` becomes an object of the finding. */
struct wrong {
    enum handle_type type;
    uint64_t handle;
    bool says_target;
    const char *fix; /* fix for finding_with_fix(), or NULL */
};

/* Warns of undefined values: the shader declares a storage image or storage texel buffer, and
 * accesses it, with another format than its view has. `declared`: its SpvImageFormat. */
void use_check_format(struct use *use, uint32_t declared, VkFormat format, struct wrong view) COLD;

/* Reports a finding about the descriptor (core/draw/report.c). */
void use_report(struct use *use, enum rule rule, struct wrong wrong, const char *format, ...) COLD
    PRINTF_LIKE(4, 5);
/* Does the same with an id; VUID_COUNT: the command does not have the rule. */
void use_report_as(struct use *use, enum vuid vuid, struct wrong wrong, const char *format,
                   va_list args) COLD PRINTF_LIKE(4, 0);

/* The handle of the descriptor set; 0: the descriptor was pushed. */
static inline uint64_t use_set(const struct use *use)
{
    return use->bound->set ? object_state_handle(&use->bound->set->base) : 0;
}

/* True if the shader certainly accesses the image. A function to which it is passed may not access
 * it, and then its type does not matter. */
static inline bool use_is_sure(const struct use *use)
{
    return use->of_array || !(use->shader->access & SPIRV_ACCESS_PASSED);
}

/* The type that the shader declares; NULL: not known. */
static inline const struct spirv_type *use_type(const struct use *use)
{
    assert(use->code && use->shader);
    return use->shader->type < use->code->type_count ? &use->code->types[use->shader->type] : NULL;
}

/* Each function checks what an extension requires of the descriptor
 * (core/draw/use_extensions.c). */
void use_check_tensor(struct use *use);
/* Checks that an OpImageWrite writes all components that the format has. `rule`: that for views of
 * images or for buffers. */
void use_check_texels(struct use *use, VkFormat format, struct wrong view, enum rule rule);
/* Check the driver's answers about VK_FILTER_CUBIC_EXT, and border colors. */
void use_check_cubic_answer(struct use *use, struct image_view *view, const struct image *image,
                            bool minmax) COLD;
void use_check_border(struct use *use, const struct sampler *sampler) COLD;
void use_check_custom_border(struct use *use, const struct image_view *view,
                             const struct sampler *sampler) COLD;
void use_check_tile_memory(struct use *use) COLD;
/* Checks the descriptor within a render pass instance (core/draw/use_attachments.c). */
void use_check_attachments(struct use *use);

#endif
