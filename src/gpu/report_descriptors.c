/* What is wrong with the descriptor that a shader accesses? */
#include "gpu/report.h"

#include "report/names_of_values.h"
#include "spirv/reflect.h"
#include "state/descriptor.h"

static const char *numeric_name(uint32_t class)
{
    return class & 1u << (SPIRV_NUMERIC_UINT + CLASS_NUMERIC_SHIFT)   ? "unsigned integers"
           : class & 1u << (SPIRV_NUMERIC_SINT + CLASS_NUMERIC_SHIFT) ? "signed integers"
                                                                      : "floating-point numbers";
}

static const char *view_type_name(uint32_t class)
{
    const uint32_t types = (class & CLASS_DIM) >> CLASS_DIM_SHIFT;
    return types ? value_text(VALUES_VkImageViewType, __builtin_ctz(types)).text : "unknown";
}

/* "Index of 6 used to index descriptor array of length 6" is seed 000's. */
static void tell_index(struct gpu_message *message, const char *variable)
{
    gpu_message_tell(message, SEVERITY_ERROR, RULE(&message->call, 10068),
                     "Index of %u used to index descriptor array of length %u (%s).", gpu_message_word(message, 2),
                     gpu_message_word(message, 3), variable);
}

/* What the shader wants of a view is compared in parts, each of which has a rule. */
static void tell_class(struct gpu_message *message, const char *variable)
{
    const uint32_t index = gpu_message_word(message, 2), found = gpu_message_word(message, 3),
                   wanted = gpu_message_word(message, 4), missing = wanted & ~found;
    if (missing & CLASS_DIM)
        gpu_message_tell(message, SEVERITY_ERROR, RULE(&message->call, 07752),
                         "Descriptor index %u (%s) has a view of type %s, but the shader accesses it as %s.", index,
                         variable, view_type_name(found), view_type_name(wanted));
    else if (missing & (CLASS_SINGLE | CLASS_MULTI))
        gpu_message_tell(message, SEVERITY_ERROR, UNASSIGNED_GPU_Assisted_Validation,
                         "Descriptor index %u (%s) has a view of an image with %s, but the shader accesses it as one "
                         "with %s.",
                         index, variable, found & CLASS_MULTI ? "several samples" : "one sample",
                         wanted & CLASS_MULTI ? "several samples" : "one sample");
    else
        gpu_message_tell(message, SEVERITY_ERROR, RULE(&message->call, 07753),
                         "Descriptor index %u (%s) has a view with a format of %s, but the shader accesses it as %s.",
                         index, variable, numeric_name(found), numeric_name(wanted));
}

/* What a descriptor holds, in a word. */
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
    gpu_message_variable(message, gpu_message_word(message, 0), gpu_message_word(message, 1), variable);
    const uint32_t index = gpu_message_word(message, 2);
    switch (message->words[RECORD_ERROR]) {
    case ERROR_DESCRIPTOR_INDEX:
        tell_index(message, variable);
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
                         "Descriptor index %u references %s that was destroyed (%s).", index,
                         held_name(gpu_message_word(message, 3)), variable);
        break;
    }
}
