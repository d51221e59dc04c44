/* Checks what extensions require of descriptors that shaders access: tensors, texels of
 * OpImageWrite, cubic filters, registered border colors, tile memory. (VK_ARM_tensors,
 * VK_EXT_filter_cubic, VK_EXT_descriptor_heap, VK_QCOM_tile_memory_heap) */
#include "core/draw/use.h"

#include "core/resource/tensor.h"
#include "report/names/names_of_values.h"
#include "state/memory/buffer.h"
#include "state/object/created.h"
#include "state/memory/formats.h"
#include "state/memory/image.h"
#include "state/descriptor/sampler.h"
#include "state/command/sections.h"

enum { OP_TYPE_TENSOR = 4163 };

/* --- tensors --- */

/* Checks constant coordinates in a tensor with a special tiling or a rolling backing. */
static void check_places(struct use *use, const struct created_tensor_view *view,
                         struct wrong wrong)
{
    const struct spirv_places *places = &use->shader->places;
    /* the object read or written is an array, then the innermost coordinate must be a multiple of
     * the largest power of 2 that is less than or equal to the number of components of the array */
    if (places->askew_count && view->tiling >= VK_TENSOR_TILING_BRICK_16_WIDE_ARM &&
        view->tiling <= VK_TENSOR_TILING_BLOCK_U_INTERLEAVED_64K_ARM)
        use_report(use, RULE_12462, wrong,
                   "is a tensor of %s that is accessed with %u elements from the innermost "
                   "coordinate %u on, which is not a multiple of %u",
                   value_text(VALUES_VkTensorTilingARM, (uint64_t)view->tiling).text,
                   places->askew_count, places->askew_begin,
                   1u << (31 - __builtin_clz(places->askew_count)));
    /* the number of elements accessed must be less than or equal to ... wraps[dimensionCount - 1] -
     * InnermostCoordinate % wraps[dimensionCount - 1] */
    if (view->wrap && places->count > view->wrap - places->begin % view->wrap)
        use_report(use, RULE_12463, wrong,
                   "is a tensor with a rolling backing that is accessed with %u elements from the "
                   "innermost coordinate %u on, but the backing wraps there after %u",
                   places->count, places->begin, view->wrap - places->begin % view->wrap);
}

void use_check_tensor(struct use *use)
{
    const uint64_t id = descriptor_object_id(use->descriptor, HANDLE_TENSOR_VIEW_ARM);
    const struct created_tensor_view *view = created_tensor_view_by_id(id);
    const struct spirv_type *type = use_type(use);
    const uint32_t access = use->shader->access;
    if (!view || !view->dimension_count || !use_is_sure(use) || !type ||
        type->opcode != OP_TYPE_TENSOR || !(access & (SPIRV_ACCESS_READ | SPIRV_ACCESS_WRITE)))
        return;
    const struct wrong wrong = {HANDLE_TENSOR_VIEW_ARM, object_state_handle(&view->base)};
    if (!(view->usage & VK_TENSOR_USAGE_SHADER_BIT_ARM))
        use_report(use, RULE_09900, wrong,
                   "is a tensor that was created without VK_TENSOR_USAGE_SHADER_BIT_ARM");
    if (type->length && type->length != view->dimension_count)
        use_report(use, RULE_09905, wrong,
                   "is a tensor of %u dimensions there, but was created with %u", type->length,
                   view->dimension_count);
    if (!tensor_type_fits(use->code, type, view->format))
        use_report(use, RULE_09906, wrong,
                   "is a tensor whose view has the format %s, which is not compatible with the "
                   "type of its elements there",
                   value_text(VALUES_VkFormat, (uint64_t)view->format).text);
    check_places(use, view, wrong);
}

/* --- texels that are written --- */

void use_check_texels(struct use *use, VkFormat format, struct wrong view, enum rule rule)
{
    const struct format_info *info = format_info(format);
    const uint32_t written = use->shader->texel_components;
    uint32_t count = 0;
    for (uint32_t i = 0; info && i < ARRAY_LENGTH(info->bits); i++)
        count += info->bits[i] != 0;
    if (!written || written == UINT8_MAX || !count || format_is_depth_stencil(format) ||
        !use_is_sure(use))
        return;
    if (format == VK_FORMAT_A8_UNORM && rule == RULE_08795)
        rule = RULE_08796, count = 4;
    if (written < count)
        use_report(use, rule, view,
                   "is written with texels of %u %s, but its view's format %s takes %u", written,
                   written == 1 ? "component" : "components",
                   value_text(VALUES_VkFormat, (uint64_t)format).text, count);
}

/* --- samplers --- */

void use_check_cubic_answer(struct use *use, struct image_view *view, const struct image *image,
                            bool minmax)
{
    const uint32_t answer = image_view_cubic(use->draw->s.call->device, view, image);
    const struct wrong wrong = {HANDLE_IMAGE_VIEW, object_state_handle(&view->base)};
    if (!(answer & CUBIC_KNOWN) || !use->right)
        return;
    if (!(answer & CUBIC_FILTERED))
        use_report(use, RULE_02694, wrong,
                   "is sampled with VK_FILTER_CUBIC_EXT, but the device does not support that for "
                   "views of %s and %s (filterCubic)",
                   value_text(VALUES_VkImageViewType, (uint64_t)view->type).text,
                   value_text(VALUES_VkFormat, (uint64_t)view->format).text);
    else if (minmax && !(answer & CUBIC_FILTERED_MINMAX))
        use_report(use, RULE_02695, wrong,
                   "is sampled with VK_FILTER_CUBIC_EXT and a minimum or maximum, but the device "
                   "does not support that for views of %s and %s (filterCubicMinmax)",
                   value_text(VALUES_VkImageViewType, (uint64_t)view->type).text,
                   value_text(VALUES_VkFormat, (uint64_t)view->format).text);
}

void use_check_custom_border(struct use *use, const struct image_view *view,
                             const struct sampler *sampler)
{
    const VkBorderColor color = sampler->info.borderColor;
    const VkFormat format = view->format;
    /* If the sampler is used to sample an image view of VK_FORMAT_B4G4R4A4_UNORM_PACK16,
     * VK_FORMAT_B5G6R5_UNORM_PACK16, VK_FORMAT_A1B5G5R5_UNORM_PACK16, or
     * VK_FORMAT_B5G5R5A1_UNORM_PACK16 format then format must not be VK_FORMAT_UNDEFINED */
    if (sampler->custom_border_color_format == VK_FORMAT_UNDEFINED &&
        (color == VK_BORDER_COLOR_FLOAT_CUSTOM_EXT || color == VK_BORDER_COLOR_INT_CUSTOM_EXT) &&
        (format == VK_FORMAT_B4G4R4A4_UNORM_PACK16 || format == VK_FORMAT_B5G6R5_UNORM_PACK16 ||
         format == VK_FORMAT_A1B5G5R5_UNORM_PACK16 || format == VK_FORMAT_B5G5R5A1_UNORM_PACK16))
        use_report(use, (enum rule)VUID_VkSamplerCustomBorderColorCreateInfoEXT_format_04015,
                   (struct wrong){HANDLE_SAMPLER, object_state_handle(&sampler->base)},
                   "is sampled with a custom border color without a format, but its view has the "
                   "format %s",
                   TEXT_OF(VkFormat, format));
}

void use_check_border(struct use *use, const struct sampler *sampler)
{
    const VkSamplerCreateInfo *info = &sampler->info;
    const struct wrong wrong = {HANDLE_SAMPLER, object_state_handle(&sampler->base)};
    if (info->addressModeU != VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER &&
        info->addressModeV != VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER &&
        info->addressModeW != VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER)
        return;
    switch (border_color_registered(use->draw->s.call->device, sampler)) {
    case BORDER_COLOR_MISSING:
        use_report(use, RULE_11450, wrong,
                   "is sampled with the border color of index %u, which is not registered",
                   sampler->border_index);
        break;
    case BORDER_COLOR_DIFFERS:
        use_report(use, RULE_11450, wrong,
                   "is sampled with the border color of index %u, which is registered with another "
                   "color",
                   sampler->border_index);
        break;
    case BORDER_COLOR_UNKNOWN:
    case BORDER_COLOR_SAME:
        break;
    }
}

/* --- tile memory --- */

/* The id of the memory to which the whole resource is bound; 0: not known, or there is none. */
static uint64_t memory_of(const struct descriptor descriptor, enum handle_type *type,
                          uint64_t *handle)
{
    const enum descriptor_tag tag = (enum descriptor_tag)descriptor.tag;
    if (descriptor_is_image(tag)) {
        const struct image_view *view = image_view_by_id(descriptor_view_id(descriptor));
        const struct image *image = view ? image_by_id(view->image) : NULL;
        if (!image || image_is_sparse(image) || image_is_disjoint(image))
            return 0;
        *type = HANDLE_IMAGE;
        *handle = object_state_handle(&image->base);
        return image->binding[0].memory;
    }
    const struct buffer_view *texels =
        descriptor_is_texel_buffer(tag) ? buffer_view_by_id(descriptor_buffer_view_id(descriptor))
                                        : NULL;
    const struct buffer *buffer = texels ? buffer_by_id(texels->buffer)
                                  : descriptor_is_buffer(tag)
                                      ? buffer_by_id(descriptor_buffer_id(descriptor))
                                      : NULL;
    if (!buffer || buffer->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT)
        return 0;
    *type = HANDLE_BUFFER;
    *handle = object_state_handle(&buffer->base);
    return buffer->binding.memory;
}

void use_check_tile_memory(struct use *use)
{
    const struct command_buffer_sections *sections = sections_of(use->draw->command_buffer);
    struct wrong wrong = {.type = HANDLE_IMAGE};
    if (!sections || sections->tile_memory_unknown || !use_is_sure(use) || !use->descriptor.index)
        return;
    const uint64_t id = memory_of(use->descriptor, &wrong.type, &wrong.handle);
    const struct device_memory *memory = device_memory_by_id(id);
    if (memory && id != sections->tile_memory &&
        device_memory_is_of_tiles(use->draw->s.call->device, memory))
        use_report(use, RULE_10746, wrong,
                   "lies in tile memory that is not what vkCmdBindTileMemoryQCOM has bound");
}
