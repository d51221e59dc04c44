/* Reports errors of the descriptor that a shader accesses. */
#include "gpu/report/report.h"

#include "report/names/names_of_values.h"
#include "spirv/module/reflect.h"
#include "state/descriptor/descriptor_resources.h"

/* Returns the name of the numeric type of a class. If a class has several types, the first one is
 * named. */
static const char *report_numeric_name(uint32_t class)
{
    return class & 1u << (SPIRV_NUMERIC_UINT + CLASS_NUMERIC_SHIFT)   ? "unsigned integers"
           : class & 1u << (SPIRV_NUMERIC_SINT + CLASS_NUMERIC_SHIFT) ? "signed integers"
                                                                      : "floating-point numbers";
}

/* Returns the view type of the lowest bit; VK_IMAGE_VIEW_TYPE_MAX_ENUM: there is none. */
static int64_t view_type(uint32_t class)
{
    const uint32_t types = (class & CLASS_DIM) >> CLASS_DIM_SHIFT;
    return types ? __builtin_ctz(types) : VK_IMAGE_VIEW_TYPE_MAX_ENUM;
}

/* Reports an index beyond the binding's descriptors. The sentence is that of the Khronos layer. */
static void report_descriptor_index(struct gpu_message *message, const char *variable)
{
    gpu_message_tell(message, SEVERITY_ERROR, RULE(&message->call, 10068),
                     "Index of %u used to index descriptor array of length %u (%s).",
                     gpu_message_word(message, 2), gpu_message_word(message, 3), variable);
}

/* True if view types are of one Dim (appendix "Compatibility Between SPIR-V Image Dimensions and
 * Vulkan ImageView Types"). Arrays have the Dim of their layers. */
static bool is_of_one_dim(uint32_t class, uint32_t other)
{
    static const uint32_t dims[] = {1u << VK_IMAGE_VIEW_TYPE_1D | 1u << VK_IMAGE_VIEW_TYPE_1D_ARRAY,
                                    1u << VK_IMAGE_VIEW_TYPE_2D | 1u << VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                                    1u << VK_IMAGE_VIEW_TYPE_CUBE |
                                        1u << VK_IMAGE_VIEW_TYPE_CUBE_ARRAY};
    for (size_t i = 0; i < ARRAY_LENGTH(dims); i++) {
        if (class & dims[i] << CLASS_DIM_SHIFT && other & dims[i] << CLASS_DIM_SHIFT)
            return true;
    }
    return (class & other & CLASS_DIM) != 0;
}

/* Compares the shader's requirements on a view, part by part. Each part has a rule, except the
 * last: if a view is an array, or not, against the shader's type, "the value of the texel returned
 * is poison" (chapter "Image Operations"). */
static void tell_class(struct gpu_message *message, const char *variable)
{
    const uint32_t index = gpu_message_word(message, 2), found = gpu_message_word(message, 3),
                   wanted = gpu_message_word(message, 4), missing = wanted & ~found;
    if (missing & CLASS_RESOURCE) {
        gpu_message_tell(message, SEVERITY_ERROR, RULE(&message->call, 08114),
                         "Descriptor index %u (%s) holds a descriptor of %s, but the shader "
                         "accesses it as a %s.",
                         index, variable,
                         value_text(VALUES_VkDescriptorType, descriptor_type_of(found & CLASS_TAG))
                             .text,
                         spirv_resource_name(__builtin_ctz(missing & CLASS_RESOURCE) -
                                             CLASS_RESOURCE_SHIFT));
        return;
    }
    const bool several = wanted & CLASS_MULTI,
               other_dim = missing & CLASS_DIM && !is_of_one_dim(found, wanted);
    if (missing & (CLASS_SINGLE | CLASS_MULTI) && !other_dim)
        gpu_message_tell(message, SEVERITY_ERROR,
                         several ? VUID_RuntimeSpirv_samples_08726
                                 : VUID_RuntimeSpirv_samples_08725,
                         "Descriptor index %u (%s) has a view of an image with %s, but the shader "
                         "accesses it as one with %s.",
                         index, variable, several ? "one sample" : "several samples",
                         several ? "several samples" : "one sample");
    else if (missing & CLASS_DIM)
        gpu_message_tell(message, SEVERITY_ERROR, RULE(&message->call, 07752),
                         "Descriptor index %u (%s) has a view of type %s, but the shader accesses "
                         "it as %s.",
                         index, variable, value_text(VALUES_VkImageViewType, view_type(found)).text,
                         value_text(VALUES_VkImageViewType, view_type(wanted)).text);
    else
        gpu_message_tell(message, SEVERITY_ERROR, RULE(&message->call, 07753),
                         "Descriptor index %u (%s) has a view with a format of %s, but the shader "
                         "accesses it as %s.",
                         index, variable, report_numeric_name(found), report_numeric_name(wanted));
}

/* Returns the name of the kind of object that a descriptor holds, with its article. */
static const char *held_name(uint32_t class)
{
    switch (class & CLASS_TAG) {
    case DESCRIPTOR_SAMPLER:
        return "a sampler";
    case DESCRIPTOR_COMBINED_IMAGE_SAMPLER:
        return "an image view or sampler";
    case DESCRIPTOR_UNIFORM_TEXEL_BUFFER:
    case DESCRIPTOR_STORAGE_TEXEL_BUFFER:
        return "a buffer view";
    case DESCRIPTOR_UNIFORM_BUFFER:
    case DESCRIPTOR_STORAGE_BUFFER:
    case DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC:
    case DESCRIPTOR_STORAGE_BUFFER_DYNAMIC:
        return "a buffer";
    case DESCRIPTOR_ACCELERATION_STRUCTURE_KHR:
    case DESCRIPTOR_ACCELERATION_STRUCTURE_NV:
        return "an acceleration structure";
    default:
        return "an image view";
    }
}

void gpu_tell_descriptor(struct gpu_message *message)
{
    char variable[GPU_NAME_SIZE];
    gpu_message_variable(message, gpu_message_word(message, 0), gpu_message_word(message, 1),
                         variable);
    const uint32_t index = gpu_message_word(message, 2);
    switch (message->words[RECORD_ERROR]) {
    case ERROR_DESCRIPTOR_INDEX:
        report_descriptor_index(message, variable);
        break;
    case ERROR_DESCRIPTOR_CLASS:
        tell_class(message, variable);
        break;
    case ERROR_DESCRIPTOR_UNINITIALIZED:
        gpu_message_tell(message, SEVERITY_ERROR, RULE(&message->call, 08114),
                         "Descriptor index %u is uninitialized (%s).", index, variable);
        break;
    default:
        gpu_message_tell(message, SEVERITY_ERROR, RULE(&message->call, 08114),
                         "Descriptor index %u references %s that was destroyed, or whose image, "
                         "buffer or memory was (%s).",
                         index, held_name(gpu_message_word(message, 3)), variable);
        break;
    }
}
