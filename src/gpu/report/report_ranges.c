/* Reports shaders' accesses outside of a buffer, or of all buffers. */
#include "gpu/report/report.h"

#include <inttypes.h>

#include "state/memory/device_address.h"

/* Returns the statement for an access outside of a buffer's range. Shader objects have rules of
 * their own: "any VkShaderEXT bound to a stage". */
static enum vuid buffer_rule(const struct gpu_message *message, bool storage)
{
    if (message->found->origin.action.pipeline)
        return storage ? RULE(&message->call, 06936) : RULE(&message->call, 06935);
    return storage ? RULE(&message->call, 08613) : RULE(&message->call, 08612);
}

/* True if the length that the driver gave the shader is not reliable: if more than 2 GiB are bound,
 * NVIDIA's OpArrayLength is 0 (580.159). */
static bool length_is_doubtful(const struct gpu_message *message, uint64_t end)
{
    const VkDeviceSize bound = gpu_message_bound_bytes(message);
    return bound > INT32_MAX && end <= bound;
}

/* Reports an access to the runtime array at the end of a block. The shader knew the array's length
 * in whole elements, but not the bound bytes. */
static void tell_element(struct gpu_message *message)
{
    char variable[GPU_NAME_SIZE];
    const uint32_t set = gpu_message_word(message, 0) & 31u, element = gpu_message_word(message, 3),
                   count = gpu_message_word(message, 4), stride = gpu_message_word(message, 5);
    const uint64_t byte = gpu_message_word(message, 0) / 32 + (uint64_t)element * stride;
    if (length_is_doubtful(message, byte + stride))
        return;
    gpu_message_variable(message, set, gpu_message_word(message, 1), variable);
    gpu_message_tell(message, SEVERITY_ERROR, buffer_rule(message, true),
                     "Access of element %u of an array of %u element%s at the end of a storage "
                     "buffer: bytes %" PRIu64 " to %" PRIu64 " (%s, descriptor index %u).",
                     element, count, count == 1 ? "" : "s", byte, byte + stride - 1, variable,
                     gpu_message_word(message, 2));
}

/* Reports an access outside of a buffer. Words: 0 to 2 set, binding and index; 3 the first byte; 4
 * the number of bytes; 5 the bound bytes. */
static void tell_buffer(struct gpu_message *message, bool storage)
{
    char variable[GPU_NAME_SIZE];
    gpu_message_variable(message, gpu_message_word(message, 0), gpu_message_word(message, 1),
                         variable);
    const uint32_t offset = gpu_message_word(message, 3), size = gpu_message_word(message, 4),
                   bound = gpu_message_word(message, 5);
    gpu_message_tell(message, SEVERITY_ERROR, buffer_rule(message, storage),
                     "Access of %u byte%s at byte %u of a %s buffer that has %u byte%s bound (%s, "
                     "descriptor index %u).",
                     size, size == 1 ? "" : "s", offset, storage ? "storage" : "uniform", bound,
                     bound == 1 ? "" : "s", variable, gpu_message_word(message, 2));
}

/* Reports a texel beyond a texel buffer's view. No numbered statement covers this, but without
 * robustBufferAccess the access is undefined (chapter "Shaders"). The id is known from other
 * tools. */
static void tell_texel(struct gpu_message *message)
{
    char variable[GPU_NAME_SIZE];
    gpu_message_variable(message, gpu_message_word(message, 0), gpu_message_word(message, 1),
                         variable);
    const uint32_t texels = gpu_message_word(message, 4);
    gpu_message_tell(message, SEVERITY_ERROR,
                     UNASSIGNED_Descriptor_Texel_Buffer_texel_out_of_bounds,
                     "Access of texel %u of a texel buffer whose view has %u texel%s (%s, "
                     "descriptor index %u).",
                     gpu_message_word(message, 3), texels, texels == 1 ? "" : "s", variable,
                     gpu_message_word(message, 2));
}

/* Returns the device address of an access: word 0 is its low half. */
static VkDeviceAddress address_of(const struct gpu_message *message)
{
    return (VkDeviceAddress)gpu_message_word(message, 1) << 32 | gpu_message_word(message, 0);
}

/* Reports an access by an address that lies in no buffer, or whose end lies outside of its
 * buffer. */
static void tell_address(struct gpu_message *message)
{
    const VkDeviceAddress address = address_of(message);
    const uint32_t size = gpu_message_word(message, 2);
    const enum vuid vuid = VUID_RuntimeSpirv_PhysicalStorageBuffer64_11819;
    const char *what = gpu_message_word(message, 3) ? "Write" : "Read",
               *plural = size == 1 ? "" : "s";
    struct address_search near = device_address_find(message->call.device, address, size, 0);
    if (near.match == ADDRESS_TOO_SHORT)
        gpu_message_tell(message, SEVERITY_ERROR, vuid,
                         "%s of %u byte%s at device address 0x%" PRIx64 ": the VkBuffer 0x%" PRIx64
                         " there has only %" PRIu64 " byte%s left.",
                         what, size, plural, address, object_state_handle(&near.buffer->base),
                         near.rest, near.rest == 1 ? "" : "s");
    else
        gpu_message_tell(message, SEVERITY_ERROR, vuid,
                         "%s of %u byte%s at device address 0x%" PRIx64
                         ", which lies in no buffer that %s.",
                         what, size, plural, address,
                         near.match == ADDRESS_FOUND ? "lived when the work was submitted"
                                                     : "lives");
}

/* Reports an address that is not a multiple of the access's operand "Aligned", which is in word
 * 4. */
static void tell_alignment(struct gpu_message *message)
{
    gpu_message_tell(message, SEVERITY_ERROR, VUID_RuntimeSpirv_PhysicalStorageBuffer64_06315,
                     "Access at device address 0x%" PRIx64
                     ", which is not a multiple of the %u bytes that the shader's "
                     "Aligned operand says.",
                     address_of(message), gpu_message_word(message, 4));
}

void gpu_tell_range(struct gpu_message *message)
{
    switch (message->words[RECORD_ERROR]) {
    case ERROR_STORAGE_BUFFER_RANGE:
    case ERROR_UNIFORM_BUFFER_RANGE:
        tell_buffer(message, message->words[RECORD_ERROR] == ERROR_STORAGE_BUFFER_RANGE);
        break;
    case ERROR_STORAGE_BUFFER_ELEMENT:
        tell_element(message);
        break;
    case ERROR_TEXEL_BUFFER_RANGE:
        tell_texel(message);
        break;
    case ERROR_ADDRESS_RANGE:
        tell_address(message);
        break;
    default:
        tell_alignment(message);
        break;
    }
}
