/* Describes the content of a descriptor, for readers of sets and push descriptors. Threads:
 * readers; state/descriptor/descriptor.h says when a set may be written. */
#ifndef ASSAY_STATE_DESCRIPTOR_ACCESS_H
#define ASSAY_STATE_DESCRIPTOR_ACCESS_H

#include "spirv/module/reflect.h"
#include "state/command/command_buffer.h"
#include "state/descriptor/descriptor.h"

/* --- image layouts in 8 bits --- */

/* Layouts with values beyond 127 that a descriptor may have, or that programs use by mistake.
 * descriptor_short_layout() is the index + 128. */
#define DESCRIPTOR_LAYOUTS_X(X)                                     \
    X(VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL)                            \
    X(VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL)   \
    X(VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL)   \
    X(VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL)                     \
    X(VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL)                      \
    X(VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL)                   \
    X(VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL)                    \
    X(VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL)                           \
    X(VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ)                         \
    X(VK_IMAGE_LAYOUT_PRESENT_SRC_KHR)                              \
    X(VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR)                           \
    X(VK_IMAGE_LAYOUT_FRAGMENT_DENSITY_MAP_OPTIMAL_EXT)             \
    X(VK_IMAGE_LAYOUT_FRAGMENT_SHADING_RATE_ATTACHMENT_OPTIMAL_KHR) \
    X(VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT)         \
    X(VK_IMAGE_LAYOUT_TENSOR_ALIASING_ARM)

#define DESCRIPTOR_LAYOUT_UNKNOWN 255

static inline uint32_t descriptor_short_layout(VkImageLayout layout)
{
    if (likely((uint32_t)layout < 128))
        return (uint32_t)layout;
#define DESCRIPTOR_LAYOUT_VALUE(name_) name_,
    static const VkImageLayout layouts[] = {DESCRIPTOR_LAYOUTS_X(DESCRIPTOR_LAYOUT_VALUE)};
    for (uint32_t i = 0; i < ARRAY_LENGTH(layouts); i++) {
        if (layouts[i] == layout)
            return 128 + i;
    }
    return DESCRIPTOR_LAYOUT_UNKNOWN;
}

/* The layout in the descriptor; VK_IMAGE_LAYOUT_MAX_ENUM: it is one that is not kept, and cannot be
 * checked. */
static inline VkImageLayout descriptor_image_layout(struct descriptor descriptor)
{
    static const VkImageLayout layouts[] = {DESCRIPTOR_LAYOUTS_X(DESCRIPTOR_LAYOUT_VALUE)};
#undef DESCRIPTOR_LAYOUT_VALUE
    uint32_t layout = descriptor.image.layout;
    if (layout < 128)
        return (VkImageLayout)layout;
    return layout - 128 < ARRAY_LENGTH(layouts) ? layouts[layout - 128] : VK_IMAGE_LAYOUT_MAX_ENUM;
}

/* --- objects --- */

static inline uint64_t descriptor_object_id(struct descriptor descriptor, enum handle_type type)
{
    return descriptor.index
               ? (uint64_t)descriptor.index << 32 | (uint64_t)descriptor.generation << 8 | type
               : 0;
}

static inline bool descriptor_is_buffer(enum descriptor_tag tag)
{
    return tag >= DESCRIPTOR_UNIFORM_BUFFER && tag <= DESCRIPTOR_STORAGE_BUFFER_DYNAMIC;
}

static inline bool descriptor_is_texel_buffer(enum descriptor_tag tag)
{
    return tag == DESCRIPTOR_UNIFORM_TEXEL_BUFFER || tag == DESCRIPTOR_STORAGE_TEXEL_BUFFER;
}

/* True if a descriptor of this type has an image view. */
static inline bool descriptor_is_image(enum descriptor_tag tag)
{
    return (tag >= DESCRIPTOR_COMBINED_IMAGE_SAMPLER && tag <= DESCRIPTOR_STORAGE_IMAGE) ||
           tag == DESCRIPTOR_INPUT_ATTACHMENT || tag == DESCRIPTOR_SAMPLE_WEIGHT_IMAGE ||
           tag == DESCRIPTOR_BLOCK_MATCH_IMAGE;
}

/* These return ids; 0 for null objects. The caller must know by the tag that the descriptor has
 * such an object. The object may have been destroyed. */
static inline uint64_t descriptor_view_id(struct descriptor descriptor)
{
    return descriptor_object_id(descriptor, HANDLE_IMAGE_VIEW);
}

static inline uint64_t descriptor_buffer_id(struct descriptor descriptor)
{
    return descriptor_object_id(descriptor, HANDLE_BUFFER);
}

static inline uint64_t descriptor_buffer_view_id(struct descriptor descriptor)
{
    return descriptor_object_id(descriptor, HANDLE_BUFFER_VIEW);
}

/* The id of the view, buffer or acceleration structure, depending on the tag; 0: there is none, or
 * it has no id. */
static inline uint64_t descriptor_target(struct descriptor descriptor)
{
    enum descriptor_tag tag = (enum descriptor_tag)descriptor.tag;
    if (descriptor_is_image(tag))
        return descriptor_view_id(descriptor);
    if (descriptor_is_buffer(tag))
        return descriptor_buffer_id(descriptor);
    if (descriptor_is_texel_buffer(tag))
        return descriptor_buffer_view_id(descriptor);
    if (tag == DESCRIPTOR_ACCELERATION_STRUCTURE_KHR)
        return descriptor_object_id(descriptor, HANDLE_ACCELERATION_STRUCTURE_KHR);
    if (tag == DESCRIPTOR_ACCELERATION_STRUCTURE_NV)
        return descriptor_object_id(descriptor, HANDLE_ACCELERATION_STRUCTURE_NV);
    return tag == DESCRIPTOR_TENSOR ? descriptor_object_id(descriptor, HANDLE_TENSOR_VIEW_ARM) : 0;
}

/* The id of the sampler of descriptor `element` of the binding; 0: the descriptor has no
 * sampler. */
static inline uint64_t descriptor_sampler_id(const struct descriptor_layout *layout,
                                             const struct descriptor_binding *binding,
                                             uint32_t element, struct descriptor descriptor)
{
    if (binding->immutable_samplers)
        return element < binding->count ? layout->samplers[binding->first_sampler + element] : 0;
    if (descriptor.tag == DESCRIPTOR_SAMPLER)
        return descriptor_object_id(descriptor, HANDLE_SAMPLER);
    uint32_t index = descriptor.image.sampler_index;
    return index ? (uint64_t)index << 32 | (uint64_t)descriptor.image.sampler_generation << 8 |
                       HANDLE_SAMPLER
                 : 0;
}

/* Gives the descriptor's offset in the buffer, in bytes. False: the offset is not kept. */
static inline bool descriptor_buffer_offset(struct descriptor descriptor, VkDeviceSize *offset)
{
    *offset = (VkDeviceSize)descriptor.buffer.offset * 4;
    return descriptor.buffer.offset != UINT32_MAX;
}

/* The range in bytes; VK_WHOLE_SIZE: up to the end of the buffer, or more than 4 GiB. */
static inline VkDeviceSize descriptor_buffer_range(struct descriptor descriptor)
{
    return descriptor.buffer.range == UINT32_MAX ? VK_WHOLE_SIZE : descriptor.buffer.range;
}

/* --- what shaders consume --- */

/* Flags with which the binding's descriptors need not be valid, or may still be written, before the
 * shader accesses them. */
#define DESCRIPTOR_WRITTEN_LATER                                                               \
    (VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT | VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT | \
     VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT |                                   \
     VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT)

/* True if a shader that declares `shader` certainly consumes the binding's descriptor. Which
 * element of an array it reads is not known before it executes. Partially bound descriptors need
 * not be valid unless a shader reads them. Descriptors with update-after-bind may still be
 * written. */
static inline bool descriptor_is_consumed(const struct descriptor_binding *binding,
                                          const struct spirv_binding *shader)
{
    return binding->count == 1 && !(binding->flags & DESCRIPTOR_WRITTEN_LATER) &&
           !shader->arrayed &&
           shader->access & ~(uint32_t)(SPIRV_ACCESS_USED | SPIRV_ACCESS_PASSED);
}

/* The elements of an array of descriptors that a shader which declares `shader` certainly consumes:
 * those with constant indices. Bit i is element i. 0: none is known, or the binding is not an
 * array. "VkDescriptorBindingFlagBits ... determine if validity is defined in terms of the
 * descriptor being statically accessed, or dynamically accessed" (14.2.7): without flags,
 * statically. */
static inline uint64_t descriptor_elements_consumed(const struct descriptor_binding *binding,
                                                    const struct spirv_binding *shader)
{
    if ((binding->count == 1 && !shader->arrayed) || binding->flags & DESCRIPTOR_WRITTEN_LATER ||
        binding->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK)
        return 0;
    return binding->count < 64 ? shader->accessed & ((UINT64_C(1) << binding->count) - 1)
                               : shader->accessed;
}

/* --- bound sets --- */

/* The descriptors of a bound set, or push descriptors, for reading; `count` of them. `layout` NULL:
 * none are bound, or they are not known. */
struct bound_descriptors {
    const struct descriptor_layout *layout;
    const struct descriptor *descriptors;
    uint32_t count;
    uint32_t variable_count;
    const struct descriptor_set *set; /* NULL: push descriptors */
    const uint32_t *dynamic_offsets;  /* indexed by descriptor_binding::first_dynamic */
    uint32_t dynamic_count;
};
bool bound_set_read(const struct bind_point_state *bind, uint32_t set,
                    struct bound_descriptors *result);

#endif
