/* Checks that bound descriptors suit the shaders of a draw, dispatch or trace (14.5 "Descriptor
 * validity", and the rules about sampling and image accesses).
 * Each must be written, of the right kind, and in the right layout, and its object must exist. In
 * arrays only elements with constant indices are checked, as other indices are not known before the
 * shader runs. Instrumented shaders (src/gpu) rely on that, and do not check these again. */
#include "core/draw/use.h"
#include "core/destroy/gone.h"
#include "core/barrier/layout_fix.h"
#include "state/command/protected.h"

#include "report/names/names_of_values.h"
#include "spirv/module/reflect.h"
#include "state/memory/buffer.h"
#include "state/descriptor/descriptor_access.h"
#include "state/descriptor/descriptor_resources.h"
#include "state/memory/formats.h"
#include "state/memory/image.h"
#include "state/memory/image_layout.h"
#include "state/descriptor/sampler.h"
#include "state/object/reach.h"
#include "state/command/sections.h"
#include "state/pipeline/shader.h"

/* SPIR-V opcodes, as core does not include the SPIR-V header. */
#define OP_TYPE_IMAGE         25
#define OP_TYPE_SAMPLED_IMAGE 27
enum { DIM_1D, DIM_2D, DIM_3D, DIM_CUBE, DIM_SUBPASS = 6 };

/* The type of the image that the shader declares; NULL: it declares none. One variable of a binding
 * may read a combined image sampler as an image, and another one as a sampler. */
static const struct spirv_type *image_type(const struct use *use)
{
    assert(use->code && use->shader);
    const struct spirv_reflection *code = use->code;
    const struct spirv_type *type =
        use->shader->type < code->type_count ? &code->types[use->shader->type] : NULL;
    if (type && type->opcode == OP_TYPE_SAMPLED_IMAGE)
        type = type->element < code->type_count ? &code->types[type->element] : NULL;
    return type && type->opcode == OP_TYPE_IMAGE ? type : NULL;
}

/* --- views and what shaders declare --- */

/* "Compatibility Between SPIR-V Image Dimensions and Vulkan ImageView Types" */
static VkImageViewType view_type_of(const struct spirv_type *type)
{
    switch (type->image_dim) {
    case DIM_1D:
        return type->image_arrayed ? VK_IMAGE_VIEW_TYPE_1D_ARRAY : VK_IMAGE_VIEW_TYPE_1D;
    case DIM_2D:
        return type->image_arrayed ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
    case DIM_3D:
        return VK_IMAGE_VIEW_TYPE_3D;
    case DIM_CUBE:
        return type->image_arrayed ? VK_IMAGE_VIEW_TYPE_CUBE_ARRAY : VK_IMAGE_VIEW_TYPE_CUBE;
    default:
        return VK_IMAGE_VIEW_TYPE_MAX_ENUM;
    }
}

/* The view's type without layers, which must match Dim whether or not the image is Arrayed
 * (appendix "Compatibility Between SPIR-V Image Dimensions and Vulkan ImageView Types"). */
static VkImageViewType dim_of(VkImageViewType type)
{
    switch (type) {
    case VK_IMAGE_VIEW_TYPE_1D_ARRAY:
        return VK_IMAGE_VIEW_TYPE_1D;
    case VK_IMAGE_VIEW_TYPE_2D_ARRAY:
        return VK_IMAGE_VIEW_TYPE_2D;
    case VK_IMAGE_VIEW_TYPE_CUBE_ARRAY:
        return VK_IMAGE_VIEW_TYPE_CUBE;
    default:
        return type;
    }
}

/* The numeric type of a format's aspects; SPIRV_NUMERIC_NONE: unknown. */
static uint32_t numeric_of(VkFormat format, VkImageAspectFlags aspects)
{
    if (!format_info(format))
        return SPIRV_NUMERIC_NONE;
    if (format_is_depth_stencil(format))
        return aspects == VK_IMAGE_ASPECT_STENCIL_BIT ? SPIRV_NUMERIC_UINT : SPIRV_NUMERIC_FLOAT;
    return format_is_uint(format)   ? SPIRV_NUMERIC_UINT
           : format_is_sint(format) ? SPIRV_NUMERIC_SINT
                                    : SPIRV_NUMERIC_FLOAT;
}

/* The name of a numeric type of a format or shader. */
static const char *numeric_name(uint32_t numeric)
{
    return numeric == SPIRV_NUMERIC_UINT   ? "unsigned integers"
           : numeric == SPIRV_NUMERIC_SINT ? "signed integers"
                                           : "floating-point numbers";
}

/* Checks that a shader reads a view with the numeric type and width of its format. Uses that may
 * not be executed are skipped. */
static COLD void check_numeric(struct use *use, VkFormat format, VkImageAspectFlags aspects,
                               enum handle_type type, uint64_t handle)
{
    const struct spirv_type *image = image_type(use);
    uint32_t numeric = numeric_of(format, aspects);
    if (!image || !numeric || image->numeric == SPIRV_NUMERIC_NONE ||
        image->numeric == SPIRV_NUMERIC_BOOL || !use_is_sure(use))
        return;
    /* "If the instruction's Image Operands contains the SignExtend operand then the access is
     * signed", whatever the Sampled Type ("Signedness of SPIR-V Image Accesses"). */
    const bool matches_access =
        image->numeric != SPIRV_NUMERIC_FLOAT &&
        ((numeric == SPIRV_NUMERIC_SINT && use->shader->access & SPIRV_ACCESS_SIGNED) ||
         (numeric == SPIRV_NUMERIC_UINT && use->shader->access & SPIRV_ACCESS_UNSIGNED));
    if (image->numeric != numeric && !matches_access)
        use_report(use, RULE_07753, (struct wrong){type, handle},
                   "is read as %s there, but its view has the format %s",
                   numeric_name(image->numeric), value_text(VALUES_VkFormat, format).text);
    else if (image->width == 64 && format_info(format)->bits[0] &&
             format_info(format)->bits[0] < 64)
        use_report(use, type == HANDLE_IMAGE_VIEW ? RULE_04471 : RULE_04473,
                   (struct wrong){type, handle},
                   "has a Sampled Type of 64 bits there, but its view has the format %s",
                   value_text(VALUES_VkFormat, format).text);
    else if (image->width && image->width < 64 && format_info(format)->bits[0] == 64)
        use_report(use, type == HANDLE_IMAGE_VIEW ? RULE_04470 : RULE_04472,
                   (struct wrong){type, handle},
                   "has a Sampled Type of %u bits there, but its view has the format %s",
                   image->width, value_text(VALUES_VkFormat, format).text);
}

/* --- samplers --- */

/* The program's handle of the sampler, for findings. */
static uint64_t sampler_handle(const struct sampler *sampler)
{
    return object_state_handle(&sampler->base);
}

/* Checks a sampler with VK_FILTER_CUBIC_EXT, or with the reduction of VK_QCOM_filter_cubic_clamp.
 * If only one of its filters is cubic, it is not known which one is used. */
static COLD void check_cubic(struct use *use, const struct image_view *view,
                             const struct sampler *sampler, uint64_t handle)
{
    const struct call *call = use->draw->s.call;
    const VkSamplerCreateInfo *info = &sampler->info;
    const bool both =
        info->magFilter == VK_FILTER_CUBIC_EXT && info->minFilter == VK_FILTER_CUBIC_EXT;
    const bool neither =
        info->magFilter != VK_FILTER_CUBIC_EXT && info->minFilter != VK_FILTER_CUBIC_EXT;
    const bool clamps =
        sampler->reduction == VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE_RANGECLAMP_QCOM;
    if (both && !call_has_extension(call, EXTENSION_VK_EXT_filter_cubic) &&
        (view->type == VK_IMAGE_VIEW_TYPE_3D || view->type == VK_IMAGE_VIEW_TYPE_CUBE ||
         view->type == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY))
        use_report(use, RULE_02693, (struct wrong){HANDLE_IMAGE_VIEW, handle},
                   "is sampled with VK_FILTER_CUBIC_EXT without VK_EXT_filter_cubic, but its "
                   "view is of %s",
                   value_text(VALUES_VkImageViewType, view->type).text);
    if (clamps && !device_has_feature(call->device, FEATURE_cubicRangeClamp))
        use_report(use, RULE_09212, (struct wrong){HANDLE_SAMPLER, sampler_handle(sampler)},
                   "is sampled with VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE_RANGECLAMP_QCOM, "
                   "but the feature cubicRangeClamp is not enabled");
    else if (clamps && neither)
        use_report(use, RULE_09213, (struct wrong){HANDLE_SAMPLER, sampler_handle(sampler)},
                   "is sampled with VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE_RANGECLAMP_QCOM, "
                   "but without VK_FILTER_CUBIC_EXT");
    if (both && sampler->cubic_weights != VK_CUBIC_FILTER_WEIGHTS_CATMULL_ROM_QCOM &&
        !device_has_feature(call->device, FEATURE_selectableCubicWeights))
        use_report(use, RULE_09214, (struct wrong){HANDLE_SAMPLER, sampler_handle(sampler)},
                   "is sampled with %s, but the feature selectableCubicWeights is not enabled",
                   value_text(VALUES_VkCubicFilterWeightsQCOM, (uint64_t)sampler->cubic_weights)
                       .text);
}

/* "Any VkImage created with ... VK_IMAGE_CREATE_CORNER_SAMPLED_BIT_NV ... must only be sampled
 * using a VkSamplerAddressMode of VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE" */
static COLD void check_corner_sampled(struct use *use, const struct image_view *view,
                                      const struct sampler *sampler)
{
    const VkSamplerAddressMode modes[] = {sampler->info.addressModeU, sampler->info.addressModeV,
                                          sampler->info.addressModeW};
    const uint32_t count = view->type == VK_IMAGE_VIEW_TYPE_3D   ? 3
                           : view->type == VK_IMAGE_VIEW_TYPE_2D ? 2
                                                                 : 0;
    for (uint32_t i = 0; i < count; i++) {
        if (modes[i] != VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE) {
            use_report(use, RULE_02696, (struct wrong){HANDLE_SAMPLER, sampler_handle(sampler)},
                       "is an image created with VK_IMAGE_CREATE_CORNER_SAMPLED_BIT_NV, but is "
                       "sampled with %s",
                       value_text(VALUES_VkSamplerAddressMode, (uint64_t)modes[i]).text);
            return;
        }
    }
}

/* Accesses by VK_QCOM_image_processing, for which other rules apply. */
#define PROCESSED                                                                 \
    (SPIRV_ACCESS_WEIGHTED | SPIRV_ACCESS_BOX_FILTER | SPIRV_ACCESS_BLOCK_MATCH | \
     SPIRV_ACCESS_SUM_MATCH | SPIRV_ACCESS_WINDOW_MATCH)

/* Checks the format of an image that OpImageSampleWeightedQCOM or a similar instruction reads
 * (VK_QCOM_image_processing). */
static COLD void check_processed(struct use *use, const struct image_view *view,
                                 VkFormatFeatureFlags2 features, uint64_t handle)
{
    static const struct {
        uint32_t access;
        enum rule rule;
        VkFormatFeatureFlags2 any; /* one of these format features is required */
        const char *text;
    } needs[] = {
        {SPIRV_ACCESS_WEIGHTED, RULE_06971, VK_FORMAT_FEATURE_2_WEIGHT_SAMPLED_IMAGE_BIT_QCOM,
         "sampled by OpImageSampleWeightedQCOM"},
        {SPIRV_ACCESS_WEIGHTS, RULE_06972, VK_FORMAT_FEATURE_2_WEIGHT_IMAGE_BIT_QCOM,
         "the weights of OpImageSampleWeightedQCOM"},
        {SPIRV_ACCESS_BOX_FILTER, RULE_06973, VK_FORMAT_FEATURE_2_BOX_FILTER_SAMPLED_BIT_QCOM,
         "sampled by OpImageBoxFilterQCOM"},
        {SPIRV_ACCESS_BLOCK_MATCH, RULE_06974,
         VK_FORMAT_FEATURE_2_BLOCK_MATCHING_BIT_QCOM |
             VK_FORMAT_FEATURE_2_BLOCK_MATCHING_SXD_BIT_QCOM,
         "read by OpImageBlockMatchSSDQCOM"},
        {SPIRV_ACCESS_SUM_MATCH, RULE_12420,
         VK_FORMAT_FEATURE_2_BLOCK_MATCHING_BIT_QCOM |
             VK_FORMAT_FEATURE_2_BLOCK_MATCHING_SXD_BIT_QCOM,
         "read by OpImageBlockMatchSADQCOM"},
        {SPIRV_ACCESS_WINDOW_MATCH, RULE_09215, VK_FORMAT_FEATURE_2_BLOCK_MATCHING_BIT_QCOM,
         "read by OpImageBlockMatchWindow... or OpImageBlockMatchGather...QCOM"},
    };
    const struct format_info *format = format_info(view->format);
    if (use->shader->access & SPIRV_ACCESS_PASSED)
        return;
    for (size_t i = 0; i < ARRAY_LENGTH(needs); i++) {
        if (use->shader->access & needs[i].access && !(features & needs[i].any))
            use_report(use, needs[i].rule, (struct wrong){HANDLE_IMAGE_VIEW, handle},
                       "is %s, but its view's format %s does not support that", needs[i].text,
                       value_text(VALUES_VkFormat, view->format).text);
    }
    if (use->right && use->shader->access & SPIRV_ACCESS_WINDOW_MATCH && format && format->bits[1])
        use_report(use, RULE_09216, (struct wrong){HANDLE_IMAGE_VIEW, handle},
                   "is read by OpImageBlockMatchWindow... or OpImageBlockMatchGather...QCOM, but "
                   "its view's format %s has several components",
                   value_text(VALUES_VkFormat, view->format).text);
}

/* Checks that samplers for image processing are only used by its instructions, and that these use
 * no others. */
static COLD void check_processing_sampler(struct use *use, const struct sampler *sampler)
{
    const struct device *device = use->draw->s.call->device;
    const struct wrong wrong = {HANDLE_SAMPLER, sampler_handle(sampler)};
    const uint32_t access = use->shader->access;
    const bool processes = (sampler->info.flags & VK_SAMPLER_CREATE_IMAGE_PROCESSING_BIT_QCOM) != 0;
    const bool u_to_edge = sampler->info.addressModeU == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    const bool v_to_edge = sampler->info.addressModeV == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    const bool extended = device_has_feature(device, FEATURE_blockMatchExtendedClampToEdge);
    /* The variable is passed to a function, whose use of it is not known. */
    if (access & SPIRV_ACCESS_PASSED)
        return;
    if (access & PROCESSED && !processes)
        use_report(use, RULE_06977, wrong,
                   "is sampled by an instruction of SPV_QCOM_image_processing, but with a "
                   "sampler without VK_SAMPLER_CREATE_IMAGE_PROCESSING_BIT_QCOM");
    if (access & SPIRV_ACCESS_SAMPLE && processes)
        use_report(use, RULE_06978, wrong,
                   "is sampled by an instruction that is not of SPV_QCOM_image_processing, but "
                   "with a sampler with VK_SAMPLER_CREATE_IMAGE_PROCESSING_BIT_QCOM");
    if (!(access & SPIRV_ACCESS_WINDOW_MATCH) || !(u_to_edge || v_to_edge))
        return;
    if (!extended)
        use_report(use, RULE_12421, wrong,
                   "is read by OpImageBlockMatchWindow... or OpImageBlockMatchGather...QCOM with "
                   "VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, but the feature "
                   "blockMatchExtendedClampToEdge is not enabled");
    else if (!u_to_edge || !v_to_edge)
        use_report(use, RULE_12422, wrong,
                   "is read by OpImageBlockMatchWindow... or OpImageBlockMatchGather...QCOM, "
                   "with VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE in one of addressModeU and "
                   "addressModeV only");
}

/* Checks cubic filtering against the driver's answer, which is only known for views of this
 * descriptor. */
static COLD void check_cubic_answer(struct use *use, const struct image_view *view, bool minmax)
{
    struct image_view *of_descriptor = image_view_by_id(descriptor_view_id(use->descriptor));
    const struct image *image = image_by_id(view->image);
    if (of_descriptor == view && image)
        use_check_cubic_answer(use, of_descriptor, image, minmax);
}

/* Checks that the view's format, with `features`, supports the sampler's filters. */
static void check_filters(struct use *use, const struct image_view *view,
                          const struct sampler *sampler, VkFormatFeatureFlags2 features,
                          uint64_t handle)
{
    assert(view && sampler);
    const VkSamplerCreateInfo *info = &sampler->info;
    /* The default if the sampler has no reduction mode. */
    bool average = sampler->reduction == VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE,
         minmax = sampler->reduction == VK_SAMPLER_REDUCTION_MODE_MIN ||
                  sampler->reduction == VK_SAMPLER_REDUCTION_MODE_MAX,
         linear = info->magFilter == VK_FILTER_LINEAR || info->minFilter == VK_FILTER_LINEAR,
         linear_mipmaps = info->mipmapMode == VK_SAMPLER_MIPMAP_MODE_LINEAR,
         cubic = info->magFilter == VK_FILTER_CUBIC_EXT || info->minFilter == VK_FILTER_CUBIC_EXT;
    if (linear && average && !info->compareEnable &&
        !(features & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT))
        use_report(use, RULE_04553, (struct wrong){HANDLE_IMAGE_VIEW, handle},
                   "is sampled with VK_FILTER_LINEAR, but its view's format %s does not support "
                   "that",
                   value_text(VALUES_VkFormat, view->format).text);
    if (linear && minmax && !(features & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_MINMAX_BIT))
        use_report(use, RULE_09598, (struct wrong){HANDLE_IMAGE_VIEW, handle},
                   "is sampled with VK_FILTER_LINEAR and a minimum or maximum, but its view's "
                   "format %s "
                   "does not support that",
                   value_text(VALUES_VkFormat, view->format).text);
    if (linear_mipmaps && average && !info->compareEnable &&
        !(features & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT))
        use_report(use, RULE_04770, (struct wrong){HANDLE_IMAGE_VIEW, handle},
                   "is sampled with VK_SAMPLER_MIPMAP_MODE_LINEAR, but its view's format %s does "
                   "not "
                   "support that",
                   value_text(VALUES_VkFormat, view->format).text);
    if (linear_mipmaps && minmax &&
        !(features & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_MINMAX_BIT))
        use_report(use, RULE_09599, (struct wrong){HANDLE_IMAGE_VIEW, handle},
                   "is sampled with VK_SAMPLER_MIPMAP_MODE_LINEAR and a minimum or maximum, but "
                   "its "
                   "view's format %s does not support that",
                   value_text(VALUES_VkFormat, view->format).text);
    if (cubic && !(features & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_CUBIC_BIT_EXT))
        use_report(use, RULE_02692, (struct wrong){HANDLE_IMAGE_VIEW, handle},
                   "is sampled with VK_FILTER_CUBIC_EXT, but its view's format %s does not "
                   "support that",
                   value_text(VALUES_VkFormat, view->format).text);
    if (unlikely(cubic || sampler->reduction > VK_SAMPLER_REDUCTION_MODE_MAX))
        check_cubic(use, view, sampler, handle);
    if (unlikely(info->magFilter == VK_FILTER_CUBIC_EXT && info->minFilter == VK_FILTER_CUBIC_EXT &&
                 use->right &&
                 call_has_extension(use->draw->s.call, EXTENSION_VK_EXT_filter_cubic)))
        check_cubic_answer(use, view, minmax);
    if (unlikely(sampler->custom_border_color))
        use_check_custom_border(use, view, sampler);
    if (unlikely(sampler->border_index_given))
        use_check_border(use, sampler);
}

/* Accesses by other instructions than the OpImageSample* of 08611, to which the offsets may
 * belong. */
#define OFFSETS_ELSEWHERE (SPIRV_ACCESS_TEXEL | SPIRV_ACCESS_UNSAMPLED)

/* Checks what a sampler with unnormalized coordinates requires of the view and the shader. */
static void check_unnormalized(struct use *use, const struct image_view *view, uint64_t handle)
{
    uint32_t access = use->shader->access;
    if (view->range.levelCount != 1 || view->range.layerCount != 1)
        use_report(use, RULE_09635, (struct wrong){HANDLE_IMAGE_VIEW, handle},
                   "is sampled with unnormalized coordinates, but its view has %u levels and %u "
                   "layers, "
                   "not 1 of each",
                   view->range.levelCount, view->range.layerCount);
    if (view->type != VK_IMAGE_VIEW_TYPE_1D && view->type != VK_IMAGE_VIEW_TYPE_2D)
        use_report(use, RULE_08609, (struct wrong){HANDLE_IMAGE_VIEW, handle},
                   "is sampled with unnormalized coordinates, but its view is of %s",
                   value_text(VALUES_VkImageViewType, view->type).text);
    if (access & (SPIRV_ACCESS_IMPLICIT_LOD | SPIRV_ACCESS_DEPTH_COMPARE | SPIRV_ACCESS_PROJECTED))
        use_report(use, RULE_08610, (struct wrong){HANDLE_IMAGE_VIEW, handle},
                   "has a sampler with unnormalized coordinates, but is sampled with an implicit "
                   "level "
                   "of detail, a depth comparison or a projection");
    if (access & SPIRV_ACCESS_BIAS ||
        (access & SPIRV_ACCESS_OFFSET && !(access & OFFSETS_ELSEWHERE)))
        use_report(use, RULE_08611, (struct wrong){HANDLE_IMAGE_VIEW, handle},
                   "has a sampler with unnormalized coordinates, but is sampled with %s",
                   access & SPIRV_ACCESS_OFFSET ? "an offset" : "a bias of the level of detail");
}

#define MATCHED (SPIRV_ACCESS_BLOCK_MATCH | SPIRV_ACCESS_SUM_MATCH | SPIRV_ACCESS_WINDOW_MATCH)

/* Checks that constant reference coordinates lie in the image: "the specified reference coordinates
 * must not fail integer texel coordinate validation", unless the input sampler clamps them to the
 * edge. With which image the reference is compared is not known, and so neither is that sampler.
 */
static COLD void check_block_reference(struct use *use, const struct image_view *view,
                                       const struct image *image)
{
    const uint32_t level = view->range.baseMipLevel < 32 ? view->range.baseMipLevel : 0;
    const uint32_t width = image->extent.width >> level, height = image->extent.height >> level;
    const bool may_clamp =
        device_has_feature(use->draw->s.call->device, FEATURE_blockMatchExtendedClampToEdge);
    for (uint32_t i = 0; i < 2 && !may_clamp; i++) {
        /* the first and the last coordinate */
        const uint32_t *end = use->shader->places.reference[i];
        if (end[0] <= (width ? width : 1) && end[1] <= (height ? height : 1))
            continue;
        use_report(use, i ? RULE_09217 : RULE_06976,
                   (struct wrong){HANDLE_IMAGE_VIEW, object_state_handle(&view->base)},
                   "is a reference image that is read at (%u, %u), but its view has %ux%u texels",
                   end[0] ? end[0] - 1 : 0, end[1] ? end[1] - 1 : 0, width ? width : 1,
                   height ? height : 1);
    }
}

/* The sampler of another descriptor with which an image is sampled. NULL: it is not known, or not
 * all accesses of the image use it. */
static const struct sampler *separate_sampler(const struct use *use)
{
    const struct spirv_binding *shader = use->shader;
    const struct pipeline *pipeline = use->draw->pipeline;
    struct bound_descriptors other = *use->bound;
    if (shader->sampler_set == SPIRV_NONE || shader->access & SPIRV_ACCESS_PASSED)
        return NULL;
    if (shader->sampler_set != shader->set) {
        const struct bind_point_state *bind =
            &use->draw->command_buffer->bind[bind_point_index(pipeline->bind_point)];
        const struct bound_set *slot = bound_set_at(bind, shader->sampler_set);
        if (use->draw->objects || !pipeline->layout || !slot ||
            shader->sampler_set >= pipeline->layout->set_count ||
            slot->compatibility != pipeline->layout->compatibility[shader->sampler_set] ||
            !bound_set_read(bind, shader->sampler_set, &other))
            return NULL;
    }
    const struct descriptor_binding *binding =
        descriptor_layout_find(other.layout, shader->sampler_binding);
    if (!binding || shader->sampler_element >= binding->count ||
        binding->first + shader->sampler_element >= other.count ||
        (binding->flags & DESCRIPTOR_WRITTEN_LATER && !binding->immutable_samplers))
        return NULL;
    const struct descriptor descriptor =
        descriptor_load(&other.descriptors[binding->first + shader->sampler_element]);
    if (!binding->immutable_samplers && descriptor.tag != DESCRIPTOR_SAMPLER &&
        descriptor.tag != DESCRIPTOR_COMBINED_IMAGE_SAMPLER)
        return NULL;
    return sampler_by_id(descriptor_sampler_id(other.layout, binding, shader->sampler_element,
                                               descriptor));
}

/* The sampler with which the image is read. A shader may declare only the image of a combined image
 * sampler, and sample it with the sampler of another descriptor. */
static const struct sampler *sampler_of_use(const struct use *use)
{
    if (use->shader->resource == SPIRV_RESOURCE_COMBINED_IMAGE_SAMPLER)
        return use->descriptor.tag == DESCRIPTOR_COMBINED_IMAGE_SAMPLER
                   ? sampler_by_id(descriptor_sampler_id(use->bound->layout, use->binding, 0,
                                                         use->descriptor))
                   : NULL;
    return use->shader->resource == SPIRV_RESOURCE_SAMPLED_IMAGE ? separate_sampler(use) : NULL;
}

/* --- images --- */

/* The format features of a view. Those of images with DRM format modifiers are not known, so all
 * bits are set. */
static VkFormatFeatureFlags2 view_features(const struct draw *draw, const struct image_view *view,
                                           const struct image *image)
{
    return image->tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT
               ? UINT64_MAX
               : format_features(draw->s.call->device, view->format, image->tiling);
}

/* The rules that storage images and storage texel buffers have under different numbers. */
struct storage_rules {
    VkFormatFeatureFlags2 atomic_feature; /* format feature for atomic operations */
    enum rule atomic, write, read, sparse, texels;
};
static const struct storage_rules image_rules = {VK_FORMAT_FEATURE_2_STORAGE_IMAGE_ATOMIC_BIT,
                                                 RULE_02691,
                                                 RULE_07027,
                                                 RULE_07028,
                                                 RULE_04474,
                                                 RULE_08795};
static const struct storage_rules texel_buffer_rules = {
    VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_ATOMIC_BIT,
    RULE_07888,
    RULE_07029,
    RULE_07030,
    RULE_04475,
    RULE_04469};

/* Checks that the view's format supports the shader's accesses. `sparse`: the image or buffer was
 * created with sparse residency. */
static void check_storage(struct use *use, VkFormat format, VkFormatFeatureFlags2 features,
                          struct wrong view, const struct storage_rules *rules, bool sparse)
{
    const struct spirv_type *type = image_type(use);
    uint32_t access = use->shader->access;
    if (access & SPIRV_ACCESS_ATOMIC && !(features & rules->atomic_feature))
        use_report(use, rules->atomic, view,
                   "is accessed by atomic operations, but its view's format %s does not support "
                   "them",
                   value_text(VALUES_VkFormat, format).text);
    if (type && access & SPIRV_ACCESS_ATOMIC && type->width == 64 && sparse &&
        !device_has_feature(use->draw->s.call->device, FEATURE_sparseImageInt64Atomics))
        use_report(use, rules->sparse, view,
                   "is accessed by atomic operations of 64 bits and was created with "
                   "VK_%s_CREATE_SPARSE_RESIDENCY_BIT, but the feature sparseImageInt64Atomics "
                   "is not enabled",
                   view.type == HANDLE_IMAGE_VIEW ? "IMAGE" : "BUFFER");
    if (type && type->image_format && use->shader->surely_accessed & 1)
        use_check_format(use, type->image_format, format, view);
    /* A format in the shader makes the remaining rules not apply. */
    if (!type || type->image_format || access & SPIRV_ACCESS_PASSED)
        return;
    use_check_texels(use, format, view, rules->texels);
    if (access & SPIRV_ACCESS_WRITE &&
        !(features & VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT))
        use_report(use, rules->write, view,
                   "is written without a format in the shader, but its view's format %s does not "
                   "support that",
                   value_text(VALUES_VkFormat, format).text);
    if (access & SPIRV_ACCESS_READ &&
        !(features & VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT))
        use_report(use, rules->read, view,
                   "is read without a format in the shader, but its view's format %s does "
                   "not support that",
                   value_text(VALUES_VkFormat, format).text);
}

/* True if the view matches the shader's declaration. Its viewType must match Dim wherever it is
 * used. Layers only count if the shader certainly accesses it: "The SPIR-V instruction's image
 * variable's properties are not compatible with the image view: ... VK_IMAGE_VIEW_TYPE_2D, ... the
 * instruction must have Arrayed = 0" (chapter "Image Operations", about the access itself). */
static bool suits_view(const struct use *use, VkImageViewType wanted, const struct image_view *view)
{
    if (dim_of(wanted) != dim_of(view->type))
        return false;
    return wanted == view->type ||
           view->image_flags & VK_IMAGE_CREATE_ALIAS_SINGLE_LAYER_DESCRIPTOR_BIT_KHR ||
           !(use->shader->surely_accessed >> use->element & 1);
}

/* Compares an element of an array only with the shader's declaration, as it is not known whether
 * the shader filters, compares or writes this element. */
static void draw_descriptors_check_view(struct use *use, const struct image_view *view,
                                        const struct image *image)
{
    assert(view && image);
    const struct spirv_type *type = image_type(use);
    uint64_t handle = object_state_handle(&view->base);
    VkFormatFeatureFlags2 features = view_features(use->draw, view, image);
    VkImageViewType wanted =
        type && use_is_sure(use) ? view_type_of(type) : VK_IMAGE_VIEW_TYPE_MAX_ENUM;
    if (wanted != VK_IMAGE_VIEW_TYPE_MAX_ENUM && !suits_view(use, wanted, view))
        use_report(use, RULE_07752, (struct wrong){HANDLE_IMAGE_VIEW, handle},
                   "is %s there, but its view is of %s",
                   value_text(VALUES_VkImageViewType, wanted).text,
                   value_text(VALUES_VkImageViewType, view->type).text);
    check_numeric(use, view->format, view->range.aspectMask, HANDLE_IMAGE_VIEW, handle);
    if (wanted != VK_IMAGE_VIEW_TYPE_MAX_ENUM && !type->image_multisampled &&
        view->samples > VK_SAMPLE_COUNT_1_BIT)
        use_report(use, RULE_08725, (struct wrong){HANDLE_IMAGE_VIEW, handle},
                   "is an image with one sample there, but its view's image has %s",
                   value_text(VALUES_VkSampleCountFlagBits, view->samples).text);
    if (wanted != VK_IMAGE_VIEW_TYPE_MAX_ENUM && type->image_multisampled &&
        view->samples == VK_SAMPLE_COUNT_1_BIT)
        use_report(use, RULE_08726, (struct wrong){HANDLE_IMAGE_VIEW, handle},
                   "is an image with several samples there, but its view's image has "
                   "VK_SAMPLE_COUNT_1_BIT");
    if (use->of_array)
        return;
    if (use->shader->access & SPIRV_ACCESS_DEPTH_COMPARE &&
        !(features & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_DEPTH_COMPARISON_BIT))
        use_report(use, RULE_06479, (struct wrong){HANDLE_IMAGE_VIEW, handle},
                   "is sampled with depth comparison, but its view's format %s does not support "
                   "that",
                   value_text(VALUES_VkFormat, view->format).text);
    if (use->shader->resource == SPIRV_RESOURCE_STORAGE_IMAGE)
        check_storage(use, view->format, features, (struct wrong){HANDLE_IMAGE_VIEW, handle},
                      &image_rules, (image->flags & VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT) != 0);
    const struct sampler *sampler = sampler_of_use(use);
    if (unlikely(use->shader->access & (PROCESSED | SPIRV_ACCESS_WEIGHTS)))
        check_processed(use, view, features, handle);
    if (unlikely(use->shader->access & MATCHED))
        check_block_reference(use, view, image);
    if (sampler && unlikely(use->shader->access & PROCESSED ||
                            sampler->info.flags & VK_SAMPLER_CREATE_IMAGE_PROCESSING_BIT_QCOM))
        check_processing_sampler(use, sampler);
    if (!sampler || !(use->shader->access & SPIRV_ACCESS_SAMPLE))
        return;
    if (unlikely(image->flags & VK_IMAGE_CREATE_CORNER_SAMPLED_BIT_NV))
        check_corner_sampled(use, view, sampler);
    check_filters(use, view, sampler, features, handle);
    if (sampler->info.unnormalizedCoordinates)
        check_unnormalized(use, view, handle);
}

/* --- texel buffers --- */

/* Checks the format of a texel buffer view. For arrays, it is not known which element is
 * accessed. */
static void check_texel_buffer(struct use *use, const struct buffer_view *view)
{
    assert(view);
    uint64_t handle = object_state_handle(&view->base);
    VkFormatFeatureFlags2 features =
        format_buffer_features(use->draw->s.call->device, view->format);
    check_numeric(use, view->format, VK_IMAGE_ASPECT_COLOR_BIT, HANDLE_BUFFER_VIEW, handle);
    if (use->shader->resource != SPIRV_RESOURCE_STORAGE_TEXEL_BUFFER || use->of_array)
        return;
    const struct buffer *buffer = buffer_by_id(view->buffer);
    check_storage(use, view->format, features, (struct wrong){HANDLE_BUFFER_VIEW, handle},
                  &texel_buffer_rules,
                  buffer && buffer->flags & VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT);
}

/* --- protected resources --- */

/* "If commandBuffer is an unprotected command buffer and protectedNoFault is not supported, any
 * resource accessed by bound shaders must not be a protected resource"; of a protected one, "any
 * resource written to ... must not be an unprotected resource". */
static void draw_descriptors_check_protection(struct use *use, bool is_protected,
                                              enum handle_type type, uint64_t handle)
{
    const struct draw *draw = use->draw;
    const struct device *device = draw->s.call->device;
    if (likely(!device_has_feature(device, FEATURE_protectedMemory)) || use->of_array)
        return;
    if (device->extended.ProtectedMemoryProperties.protectedNoFault ||
        device->extended.Vulkan11Properties.protectedNoFault || !use_is_sure(use))
        return;
    const bool of_protected = command_buffer_is_protected(draw->command_buffer);
    if (is_protected && !of_protected)
        use_report(use, RULE_02707, (struct wrong){type, handle},
                   "is a protected resource, but commandBuffer is unprotected and the device "
                   "does not support protectedNoFault");
    /* "... pipeline stages other than the framebuffer-space and compute stages ... must not write
     * to any resource" */
    else if (of_protected && use->shader->access & SPIRV_ACCESS_WRITE &&
             use->stage != VK_SHADER_STAGE_FRAGMENT_BIT &&
             use->stage != VK_SHADER_STAGE_COMPUTE_BIT)
        use_report(use, RULE_02713, (struct wrong){type, handle},
                   "is written there, but commandBuffer is protected and the device does not "
                   "support protectedNoFault");
    else if (!is_protected && of_protected && use->shader->access & SPIRV_ACCESS_WRITE)
        use_report(use, RULE_02712, (struct wrong){type, handle},
                   "is written there and is not protected, but commandBuffer is "
                   "protected and the device does not support protectedNoFault");
}

/* Checks that the protection of the buffer fits that of the command buffer. NULL: the buffer is not
 * known. */
static void check_buffer_protection(struct use *use, const struct buffer *buffer)
{
    if (buffer)
        draw_descriptors_check_protection(use,
                                          (buffer->flags & VK_BUFFER_CREATE_PROTECTED_BIT) != 0,
                                          HANDLE_BUFFER, object_state_handle(&buffer->base));
}

/* --- one descriptor --- */

/* Stops the command in safe mode (gpuav_safe_mode). Otherwise instrumented shaders do not access
 * the descriptor. */
static void refuse_if_safe(struct use *use)
{
    const struct settings *settings = &use->draw->s.call->instance->settings;
    if (settings->gpuav_enable && settings->gpuav_safe_mode)
        use->draw->s.skip = call_stop(use->draw->s.call, true);
}

/* Reports a descriptor whose resource was destroyed. In safe mode the draw is refused. */
static COLD void report_gone(struct use *use, const char *what)
{
    refuse_if_safe(use);
    use_report(use, RULE_08114, (struct wrong){HANDLE_DESCRIPTOR_SET, (uint64_t)use_set(use)},
               "refers to a %s that has been destroyed", what);
}

/* True if all objects exist on which the descriptor's object depends: "Memory can be freed whilst
 * still bound to resources, but those resources must not be used afterwards". */
static bool is_whole(struct use *use, uint64_t id)
{
    struct reach_chain chain;
    if (likely(!reach_find_gone(id, &chain)))
        return true;
    const struct object *object = object_find_id(id, object_id_type(id));
    char text[GONE_TEXT];
    gone_write_chain(use->draw->s.call, &chain, text);
    refuse_if_safe(use);
    use_report(use, RULE_08114,
               (struct wrong){.type = object_id_type(id),
                              .handle = object ? object_handle(object) : 0,
                              .says_target = true},
               "refers to %s", text);
    return false;
}

/* Checks that the descriptor was written, and that its object exists. A null descriptor is valid,
 * as writing it required the feature nullDescriptor. */
static void draw_descriptors_check_content(struct use *use)
{
    enum descriptor_tag tag = (enum descriptor_tag)use->descriptor.tag;
    if (tag == DESCRIPTOR_NOTHING) {
        if (use->binding->type != VK_DESCRIPTOR_TYPE_SAMPLER || !use->binding->immutable_samplers)
            use_report(use, RULE_08114,
                       (struct wrong){HANDLE_DESCRIPTOR_SET, (uint64_t)use_set(use)},
                       "was never written");
        return;
    }
    /* If a descriptor is a mutable descriptor, the consuming descriptor type in the pipeline must
     * match the active descriptor type for the descriptor to be considered valid. */
    if (use->binding->type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT &&
        !descriptor_is_resource(tag, use->shader->resource)) {
        use_report(use, RULE_08114, (struct wrong){HANDLE_DESCRIPTOR_SET, (uint64_t)use_set(use)},
                   "is a %s there, but holds a descriptor of %s",
                   spirv_resource_name(use->shader->resource),
                   value_text(VALUES_VkDescriptorType, descriptor_type_of(tag)).text);
        return;
    }
    if (!use->descriptor.index)
        return;
    if (descriptor_is_image(tag)) {
        const struct object *object =
            object_find_id(descriptor_view_id(use->descriptor), HANDLE_IMAGE_VIEW);
        struct image_view *view = object_load_state_typed(object, HANDLE_IMAGE_VIEW);
        struct image *image = view ? image_by_id(view->image) : NULL;
        if (!object)
            report_gone(use, "VkImageView");
        else if (is_whole(use, descriptor_view_id(use->descriptor)) && image) {
            draw_descriptors_check_view(use, view, image);
            draw_descriptors_check_protection(use,
                                              (image->flags & VK_IMAGE_CREATE_PROTECTED_BIT) != 0,
                                              HANDLE_IMAGE, object_state_handle(&image->base));
        }
    } else if (descriptor_is_texel_buffer(tag)) {
        const struct object *object =
            object_find_id(descriptor_buffer_view_id(use->descriptor), HANDLE_BUFFER_VIEW);
        struct buffer_view *view = object_load_state_typed(object, HANDLE_BUFFER_VIEW);
        if (!object)
            report_gone(use, "VkBufferView");
        else if (is_whole(use, descriptor_buffer_view_id(use->descriptor)) && view) {
            check_texel_buffer(use, view);
            check_buffer_protection(use, buffer_by_id(view->buffer));
        }
    } else if (descriptor_is_buffer(tag)) {
        if (!object_find_id(descriptor_buffer_id(use->descriptor), HANDLE_BUFFER))
            report_gone(use, "VkBuffer");
        else if (is_whole(use, descriptor_buffer_id(use->descriptor)))
            check_buffer_protection(use, buffer_by_id(descriptor_buffer_id(use->descriptor)));
    } else if (tag == DESCRIPTOR_ACCELERATION_STRUCTURE_KHR ||
               tag == DESCRIPTOR_ACCELERATION_STRUCTURE_NV) {
        uint64_t id = descriptor_target(use->descriptor);
        if (!object_find_id(id, object_id_type(id)))
            report_gone(use, handle_type_name[object_id_type(id)]);
        else
            (void)is_whole(use, id);
    } else if (tag == DESCRIPTOR_TENSOR && use->shader->resource == SPIRV_RESOURCE_TENSOR &&
               !use->of_array) {
        use_check_tensor(use);
    } else if (tag == DESCRIPTOR_SAMPLER && !use->binding->immutable_samplers) {
        if (!object_find_id(descriptor_object_id(use->descriptor, HANDLE_SAMPLER), HANDLE_SAMPLER))
            report_gone(use, "VkSampler");
    }
    uint64_t sampler =
        tag == DESCRIPTOR_COMBINED_IMAGE_SAMPLER && !use->binding->immutable_samplers
            ? descriptor_sampler_id(use->bound->layout, use->binding, use->element, use->descriptor)
            : 0;
    if (sampler && use->right && !object_find_id(sampler, HANDLE_SAMPLER))
        report_gone(use, "VkSampler");
}

/* Checks a rule about feedback loop layouts: "If this command is recorded where per-tile execution
 * model is enabled, there must be no access to any image while" it is in that layout. */
static COLD void check_feedback_layout(struct use *use, uint64_t image)
{
    const struct command_buffer_sections *sections = sections_of(use->draw->command_buffer);
    if (sections && sections->per_tile && use_is_sure(use) &&
        use->shader->access & (SPIRV_ACCESS_READ | SPIRV_ACCESS_WRITE))
        use_report(use, RULE_10679, (struct wrong){HANDLE_IMAGE, image},
                   "is accessed in VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT, but the "
                   "command is in a per-tile execution");
}

/* Checks that the image is in the layout with which the descriptor was written, as far as this
 * command buffer shows. Submits check the rest. */
static void draw_descriptors_check_layout(struct use *use)
{
    enum descriptor_tag tag = (enum descriptor_tag)use->descriptor.tag;
    VkImageLayout layout = descriptor_image_layout(use->descriptor);
    const struct image_view *view =
        descriptor_is_image(tag) ? image_view_by_id(descriptor_view_id(use->descriptor)) : NULL;
    const struct image *image = view ? image_by_id(view->image) : NULL;
    struct layout_mismatch mismatch;
    if (!image || layout == VK_IMAGE_LAYOUT_MAX_ENUM)
        return;
    /* In a subpass, an attachment is in the layout of its reference, whatever layout commands have
     * left it in. */
    if (tag == DESCRIPTOR_INPUT_ATTACHMENT &&
        !(use->draw->rendering && use->draw->rendering->kind == RENDERING_DYNAMIC))
        return;
    VkImageSubresourceRange range = view->range;
    if (unlikely(view->type == VK_IMAGE_VIEW_TYPE_3D)) {
        /* VkImageViewSlicedCreateInfoEXT: the view has only some slices */
        if (tag == DESCRIPTOR_STORAGE_IMAGE &&
            device_has_feature(use->draw->s.call->device, FEATURE_imageSlicedViewOf3D))
            return;
        range.layerCount = VK_REMAINING_ARRAY_LAYERS;
    }
    if (command_buffer_layout_differs(use->draw->command_buffer, image, &range, layout,
                                      &mismatch)) {
        uint64_t handle = object_state_handle(&image->base);
        if (tag == DESCRIPTOR_COMBINED_IMAGE_SAMPLER || tag == DESCRIPTOR_INPUT_ATTACHMENT)
            use_report(use, RULE_00344,
                       (struct wrong){.type = HANDLE_IMAGE,
                                      .handle = handle,
                                      .fix = fix_transition(mismatch.found, layout)},
                       "was written with %s, but the commands before leave level %u, layer %u of "
                       "its image in %s",
                       value_text(VALUES_VkImageLayout, layout).text, mismatch.level,
                       mismatch.layer, value_text(VALUES_VkImageLayout, mismatch.found).text);
        else
            use_report(use, RULE_09600,
                       (struct wrong){.type = HANDLE_IMAGE,
                                      .handle = handle,
                                      .fix = fix_transition(mismatch.found, layout)},
                       "was written with %s, but the commands before leave level %u, layer %u of "
                       "its image in %s",
                       value_text(VALUES_VkImageLayout, layout).text, mismatch.level,
                       mismatch.layer, value_text(VALUES_VkImageLayout, mismatch.found).text);
        return;
    }
    command_buffer_expect_layout_in_check(use->draw->s.call, use->draw->command_buffer, image,
                                          &range, layout, draw_check_name());
    if (unlikely(layout == VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT))
        check_feedback_layout(use, object_state_handle(&image->base));
}

/* --- one set --- */

/* Checks the elements with constant indices. Their layouts are not checked: an image need only be
 * in its layout when it is accessed, and programs choose elements by branches. */
static bool check_elements(struct draw *draw, const struct bound_descriptors *bound,
                           const struct spirv_reflection *code, const struct spirv_binding *shader,
                           const struct descriptor_binding *binding, uint64_t elements,
                           VkShaderStageFlagBits stage)
{
    bool right = true;
    for (; elements; elements &= elements - 1) {
        const uint32_t element = (uint32_t)__builtin_ctzll(elements);
        if (binding->first + element >= bound->count)
            break;
        struct use use = {.draw = draw,
                          .code = code,
                          .shader = shader,
                          .bound = bound,
                          .binding = binding,
                          .descriptor =
                              descriptor_load(&bound->descriptors[binding->first + element]),
                          .stage = stage,
                          .right = true,
                          .of_array = true,
                          .element = element};
        draw_descriptors_check_content(&use);
        if (unlikely(!use.right))
            refuse_if_safe(&use);
        right &= use.right;
    }
    return right;
}

/* Checks what one stage reads through one binding. `content`: check the descriptors, too, not only
 * the layouts of their images. False: something was reported. */
static bool draw_descriptors_check_binding(struct draw *draw, const struct bound_descriptors *bound,
                                           const struct spirv_reflection *code,
                                           const struct spirv_binding *shader,
                                           VkShaderStageFlagBits stage, bool content)
{
    const struct descriptor_binding *binding =
        descriptor_layout_find(bound->layout, shader->binding);
    if (!binding || binding->first >= bound->count)
        return true;
    if (!descriptor_is_consumed(binding, shader)) {
        const uint64_t elements = content ? descriptor_elements_consumed(binding, shader) : 0;
        return !elements || check_elements(draw, bound, code, shader, binding, elements, stage);
    }
    struct use use = {.draw = draw,
                      .code = code,
                      .shader = shader,
                      .bound = bound,
                      .binding = binding,
                      .descriptor = descriptor_load(&bound->descriptors[binding->first]),
                      .stage = stage,
                      .right = true};
    if (content)
        draw_descriptors_check_content(&use);
    if (unlikely(device_has_feature(draw->s.call->device, FEATURE_tileMemoryHeap)) && use.right)
        use_check_tile_memory(&use);
    if (use.right && use.descriptor.index)
        draw_descriptors_check_layout(&use);
    if (use.right && draw->rendering &&
        descriptor_is_image((enum descriptor_tag)use.descriptor.tag))
        use_check_attachments(&use);
    return use.right;
}

/* True if no mistake was found in the set for these shaders, and neither the set nor the existing
 * objects have changed since `stamp`. */
static ALWAYS_INLINE bool is_verified(const struct descriptor_set *set, uint64_t interface,
                                      uint64_t stamp)
{
    assert(set && interface);
    return atomic_load_explicit(&set->verified[interface % SET_VERIFIED], memory_order_relaxed) ==
           interface + stamp;
}

/* True if a descriptor that is valid in another command buffer may not be in this one. With tile
 * memory, that depends on the memory that the command buffer has bound. For protected command
 * buffers, which are rare, no results are shared. */
static bool depends_on_command_buffer(const struct draw *draw)
{
    const struct device *device = draw->s.call->device;
    return device_has_feature(device, FEATURE_tileMemoryHeap) ||
           (device_has_feature(device, FEATURE_protectedMemory) &&
            command_buffer_is_protected(draw->command_buffer));
}

/* True if draws with the pipeline look for sets by their numbers, and the results for a set can be
 * kept with it. */
static ALWAYS_INLINE bool keeps_results(const struct call *call,
                                        const struct command_buffer *command_buffer,
                                        const struct pipeline *pipeline)
{
    const VkPipelineCreateFlags2 other = VK_PIPELINE_CREATE_2_DESCRIPTOR_BUFFER_BIT_EXT |
                                         VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT;
    const struct device *device = call->device;
    return pipeline->layout && !(pipeline->flags & other) &&
           !(pipeline->layout->flags & VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT) &&
           !device_has_feature(device, FEATURE_descriptorBuffer) &&
           !device_has_feature(device, FEATURE_tileMemoryHeap) &&
           !(device_has_feature(device, FEATURE_protectedMemory) &&
             command_buffer_is_protected(command_buffer));
}

/* True if no mistake was found in the set that is bound to `number` for the pipeline's shaders. */
static ALWAYS_INLINE bool slot_is_verified(const struct pipeline *pipeline,
                                           const struct bound_set *slot, uint32_t number)
{
    const struct descriptor_set *set =
        slot->kind == BOUND_SET ? descriptor_set_by_id(slot->set) : NULL;
    return set && !set->layout->has_images &&
           is_verified(set, pipeline->interface[number % PIPELINE_INTERFACES],
                       descriptor_set_stamp(set));
}

bool draw_sets_are_verified(const struct call *call, struct command_buffer *command_buffer,
                            uint32_t point)
{
    assert(command_buffer && point < BIND_POINTS);
    const struct bind_point_state *bind = &command_buffer->bind[point];
    const struct pipeline *pipeline = pipeline_by_id(bind->pipeline);
    if (unlikely(!pipeline || !keeps_results(call, command_buffer, pipeline) ||
                 (pipeline->uses_push_constants && !bind->layout_compatibility_for_push)))
        return false;
    const struct pipeline_layout *layout = pipeline->layout;
    for (uint32_t used = pipeline->used_sets; used; used &= used - 1) {
        const uint32_t number = (uint32_t)__builtin_ctz(used);
        const struct bound_set *slot =
            number < layout->set_count && number < BOUND_SETS ? bound_set_at(bind, number) : NULL;
        if (unlikely(!slot || !layout->sets[number] ||
                     slot->compatibility != layout->compatibility[number] ||
                     !slot_is_verified(pipeline, slot, number)))
            return false;
        (void)command_buffer_draws(command_buffer, slot->set, bind->pipeline, number);
    }
    return true;
}

/* Looks at the bindings that one stage uses. */
static bool draw_descriptors_check_stage(struct draw *draw, const struct bound_descriptors *bound,
                                         uint32_t number, const struct pipeline_stage *stage,
                                         bool content)
{
    const struct spirv_entry_point *entry = pipeline_stage_entry(stage);
    bool right = true;
    for (uint32_t k = 0; entry && k < entry->binding_count; k++) {
        const struct spirv_reflection *code = stage->shader->reflection;
        const struct spirv_binding *shader = &code->bindings[entry->first_binding + k];
        if (shader->set == number)
            right &=
                draw_descriptors_check_binding(draw, bound, code, shader, stage->stage, content);
    }
    return right;
}

/* Checks bound set `number` for all stages. A set found right for the same interface is not looked
 * at again until it changes. */
static void draw_descriptors_check_set(struct draw *draw, const struct bind_point_state *bind,
                                       uint32_t number)
{
    const struct pipeline *pipeline = draw->pipeline;
    const bool depends = depends_on_command_buffer(draw);
    const struct bound_set *slot = bound_set_at(bind, number);
    struct bound_descriptors bound;
    if (!slot || slot->compatibility != pipeline->layout->compatibility[number])
        return;
    struct descriptor_set *set = descriptor_set_by_id(slot->set);
    const uint64_t interface = pipeline->interface[number % PIPELINE_INTERFACES];
    const uint64_t stamp = set ? descriptor_set_stamp(set) : 0;
    if (likely(set && slot->kind == BOUND_SET && !set->layout->has_images && !depends &&
               is_verified(set, interface, stamp))) {
        (void)command_buffer_draws(draw->command_buffer, slot->set, bind->pipeline, number);
        return;
    }
    if (!bound_set_read(bind, number, &bound))
        return;
    /* Its bindings are not those that the shader means: nothing can be said of them. */
    if (unlikely(bound.layout->compatibility != pipeline->layout->sets[number]->compatibility)) {
        draw_report_set_layout(draw, number);
        return;
    }
    if (set && slot->kind == BOUND_SET)
        (void)command_buffer_draws(draw->command_buffer, slot->set, bind->pipeline, number);
    bool content = !bound.set || bound.set != set || !is_verified(set, interface, stamp) || depends,
         right = true;
    if (!content && !bound.layout->has_images)
        return;
    for (uint32_t i = 0; i < pipeline->stage_count; i++)
        right &= draw_descriptors_check_stage(draw, &bound, number, &pipeline->stage[i], content);
    if (set && bound.set == set && content && right && !depends)
        atomic_store_explicit(&set->verified[interface % SET_VERIFIED], interface + stamp,
                              memory_order_relaxed);
}

/* --- shader objects --- */

/* True if the bindings of the set are those that the shader object means: it was made with the same
 * layout. Of one that has independent sets, no more is known than that. */
static bool object_means(const struct shader_object *object, const struct bound_set *slot,
                         const struct descriptor_layout *layout, uint32_t number)
{
    return number < object->set_layout_count &&
           object->set_layouts[number] == layout->compatibility &&
           (object->flags & VK_SHADER_CREATE_INDEPENDENT_SETS_BIT_KHR ||
            object->compatibility[number] == slot->compatibility);
}

/* Does the same with shader objects, each of which has its own layouts. 08114 is only about
 * pipelines. But "all descriptors in that binding that are statically used must have been populated
 * before the descriptor set is consumed" (14.2.3) is about all shaders. */
static void check_set_of_objects(struct draw *draw, const struct bind_point_state *bind,
                                 uint32_t number)
{
    const uint64_t interface =
        ((draw->objects_interface ^ number) * 0x9e3779b97f4a7c15ull) % INTERFACE_FIRST +
        INTERFACE_FIRST;
    const bool depends = depends_on_command_buffer(draw);
    const struct bound_set *slot = bound_set_at(bind, number);
    struct descriptor_set *set = slot ? descriptor_set_by_id(slot->set) : NULL;
    const uint64_t stamp = set ? descriptor_set_stamp(set) : 0;
    struct bound_descriptors bound;
    if (!slot || !bound_set_read(bind, number, &bound))
        return;
    const bool content =
        !bound.set || bound.set != set || !is_verified(set, interface, stamp) || depends;
    bool right = true;
    if (!content && !bound.layout->has_images)
        return;
    for (uint32_t i = 0; i < draw->pipeline->stage_count; i++) {
        if (object_means(draw->objects[i], slot, bound.layout, number))
            right &= draw_descriptors_check_stage(draw, &bound, number, &draw->pipeline->stage[i],
                                                  content);
        else
            right &= !(draw->objects[i]->used_sets >> number & 1);
    }
    if (set && bound.set == set && content && right && !depends)
        atomic_store_explicit(&set->verified[interface % SET_VERIFIED], interface + stamp,
                              memory_order_relaxed);
}

/* Checks the sets that shader objects use. */
static COLD void check_sets_of_objects(struct draw *draw, const struct bind_point_state *bind)
{
    for (uint32_t used = draw->pipeline->used_sets; used; used &= used - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(used);
        if (i < BOUND_SETS)
            check_set_of_objects(draw, bind, i);
    }
}

void draw_check_descriptors(struct draw *draw, uint32_t point)
{
    assert(draw->pipeline && point < BIND_POINTS);
    const struct pipeline_layout *layout = draw->pipeline->layout;
    const VkPipelineCreateFlags2 other = VK_PIPELINE_CREATE_2_DESCRIPTOR_BUFFER_BIT_EXT |
                                         VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT;
    if (unlikely(!layout)) {
        if (draw->objects && !(draw->pipeline->flags & other))
            check_sets_of_objects(draw, &draw->command_buffer->bind[point]);
        return;
    }
    if (draw->pipeline->flags & other)
        return;
    for (uint32_t used = draw->pipeline->used_sets; used; used &= used - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(used);
        if (i < layout->set_count && i < BOUND_SETS && layout->sets[i])
            draw_descriptors_check_set(draw, &draw->command_buffer->bind[point], i);
    }
}
