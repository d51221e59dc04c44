/* Calls SPIRV-Tools' validator through its C interface. The last part makes C++ work in a library
 * that any program may load, on any system since glibc 2.34. */
#include "spirv/helper/validate.h"

#include "spirv/helper/memory.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <spirv-tools/libspirv.h>

__attribute__((visibility("default"))) int
assay_spirv_validate(const uint32_t *words, size_t word_count,
                     const struct spirv_validate_options *options, char *text, size_t text_size,
                     size_t *instruction);
__attribute__((visibility("default"))) int assay_spirv_assemble(const char *text, size_t length,
                                                                unsigned minor, uint32_t *words,
                                                                size_t capacity, size_t *word_count,
                                                                char *message, size_t message_size,
                                                                struct spirv_text_place *place);

/* The jump that leaves the validator from any place. Its memory is lost. `broken`: memory was out,
 * and the validator may be in a half-changed state, so it is not called again. */
static _Thread_local jmp_buf *way_out;
static _Atomic bool broken;

/* Leaves the validator because memory is out. Its memory is lost, and it is not called again. */
static void no_memory(void)
{
    broken = true;
    if (way_out)
        longjmp(*way_out, 1);
    abort();
}

/* Is called instead of a throw (the linker's --wrap), and leaves the validator; it is then not
 * known whether the module is valid. SPIRV-Tools itself does not throw, but its containers do. (One
 * release reads past the end of a DebugSource without text when it writes a message.) Without this
 * function an exception would end the program, as nothing catches it. */
_Noreturn void __wrap___cxa_throw(void *exception, void *type, void (*destroy)(void *));
_Noreturn void __wrap___cxa_throw(void *exception, void *type, void (*destroy)(void *))
{
    if (way_out)
        longjmp(*way_out, 1);
    abort();
}

/* Returns SPIRV-Tools' environment for the device's version. */
static spv_target_env target_environment(const struct spirv_validate_options *options)
{
    switch (options->minor) {
    case 0:
        return SPV_ENV_VULKAN_1_0;
    case 1:
        return options->flags & SPIRV_VALIDATE_SPIRV_1_4 ? SPV_ENV_VULKAN_1_1_SPIRV_1_4
                                                         : SPV_ENV_VULKAN_1_1;
    case 2:
        return SPV_ENV_VULKAN_1_2;
    case 3:
        return SPV_ENV_VULKAN_1_3;
    default:
        return SPV_ENV_VULKAN_1_4;
    }
}

/* Gives SPIRV-Tools the options of the device. */
static void set_options(spv_validator_options to, const struct spirv_validate_options *from)
{
    uint32_t flags = from->flags;
    spvValidatorOptionsSetRelaxBlockLayout(to, flags & SPIRV_VALIDATE_RELAX_BLOCK_LAYOUT);
    spvValidatorOptionsSetUniformBufferStandardLayout(
        to, flags & SPIRV_VALIDATE_UNIFORM_BUFFER_STANDARD_LAYOUT);
    spvValidatorOptionsSetScalarBlockLayout(to, flags & SPIRV_VALIDATE_SCALAR_BLOCK_LAYOUT);
    spvValidatorOptionsSetWorkgroupScalarBlockLayout(
        to, flags & SPIRV_VALIDATE_WORKGROUP_SCALAR_BLOCK_LAYOUT);
    spvValidatorOptionsSetAllowLocalSizeId(to, flags & SPIRV_VALIDATE_LOCAL_SIZE_ID);
    spvValidatorOptionsSetAllowOffsetTextureOperand(to,
                                                    flags & SPIRV_VALIDATE_OFFSET_TEXTURE_OPERAND);
    spvValidatorOptionsSetAllowVulkan32BitBitwise(to, flags & SPIRV_VALIDATE_WIDE_BITWISE);
    spvValidatorOptionsSetFriendlyNames(to, from->friendly_names);
    if (from->buffer_descriptor_size) {
        spvValidatorOptionsSetBufferDescriptorLayout(to, from->buffer_descriptor_size,
                                                     from->buffer_descriptor_alignment);
        spvValidatorOptionsSetImageDescriptorLayout(to, from->image_descriptor_size,
                                                    from->image_descriptor_alignment);
        spvValidatorOptionsSetSamplerDescriptorLayout(to, from->sampler_descriptor_size,
                                                      from->sampler_descriptor_alignment);
    }
}

/* Copies a text, cut to `size` bytes with the final 0. */
static void copy_text(char *text, size_t size, const char *from)
{
    size_t length = strlen(from);
    if (length >= size)
        length = size - 1;
    memcpy(text, from, length);
    text[length] = '\0';
}

/* Validates a module. Returns enum spirv_validate_result; `text` and `instruction` describe the
 * error. */
static int helper_validate(const uint32_t *words, size_t word_count,
                           const struct spirv_validate_options *options, char *text,
                           size_t text_size, size_t *instruction)
{
    spv_context context = spvContextCreate(target_environment(options));
    spv_validator_options validator_options = spvValidatorOptionsCreate();
    spv_const_binary_t binary = {words, word_count};
    spv_diagnostic diagnostic = NULL;
    set_options(validator_options, options);
    spv_result_t result = spvValidateWithOptions(context, validator_options, &binary, &diagnostic);
    *instruction = 0;
    if (diagnostic) {
        copy_text(text, text_size, diagnostic->error);
        *instruction = diagnostic->position.index;
    }
    spvDiagnosticDestroy(diagnostic);
    spvValidatorOptionsDestroy(validator_options);
    spvContextDestroy(context);
    if (result == SPV_SUCCESS)
        return SPIRV_VALIDATE_GOOD;
    return result == SPV_ERROR_OUT_OF_MEMORY || result == SPV_ERROR_INTERNAL ? SPIRV_VALIDATE_FAILED
                                                                             : SPIRV_VALIDATE_BAD;
}

__attribute__((visibility("default"))) int
assay_spirv_validate(const uint32_t *words, size_t word_count,
                     const struct spirv_validate_options *options, char *text, size_t text_size,
                     size_t *instruction)
{
    text[0] = '\0';
    if (broken || options->version != SPIRV_HELPER_VERSION)
        return SPIRV_VALIDATE_FAILED;
    jmp_buf here;
    /* Memory was out, or a container threw: the validator's frames are abandoned. */
    if (setjmp(here)) {
        way_out = NULL;
        helper_memory_end();
        return SPIRV_VALIDATE_FAILED;
    }
    way_out = &here;
    helper_memory_begin(no_memory);
    int result = helper_validate(words, word_count, options, text, text_size, instruction);
    helper_memory_end();
    way_out = NULL;
    return result;
}

/* Assembles a text of SPIR-V. Words beyond `capacity` are counted, but not written. */
static int helper_assemble(const char *text, size_t length, unsigned minor, uint32_t *words,
                           size_t capacity, size_t *word_count, char *message, size_t message_size,
                           struct spirv_text_place *place)
{
    static const spv_target_env versions[] = {
        SPV_ENV_UNIVERSAL_1_0, SPV_ENV_UNIVERSAL_1_1, SPV_ENV_UNIVERSAL_1_2, SPV_ENV_UNIVERSAL_1_3,
        SPV_ENV_UNIVERSAL_1_4, SPV_ENV_UNIVERSAL_1_5, SPV_ENV_UNIVERSAL_1_6};
    spv_context context = spvContextCreate(versions[minor]);
    spv_binary binary = NULL;
    spv_diagnostic diagnostic = NULL;
    /* Numbers of ids stay as they are written, so that findings use the ids of the author's
     * text. */
    spv_result_t result = spvTextToBinaryWithOptions(context, text, length,
                                                     SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS,
                                                     &binary, &diagnostic);
    if (result == SPV_SUCCESS) {
        *word_count = binary->wordCount;
        if (binary->wordCount <= capacity)
            memcpy(words, binary->code, binary->wordCount * sizeof(*words));
    }
    if (diagnostic) {
        copy_text(message, message_size, diagnostic->error);
        *place = (struct spirv_text_place){diagnostic->position.line + 1,
                                           diagnostic->position.column + 1};
    }
    spvDiagnosticDestroy(diagnostic);
    spvBinaryDestroy(binary);
    spvContextDestroy(context);
    if (result == SPV_SUCCESS)
        return SPIRV_VALIDATE_GOOD;
    return result == SPV_ERROR_OUT_OF_MEMORY || result == SPV_ERROR_INTERNAL ? SPIRV_VALIDATE_FAILED
                                                                             : SPIRV_VALIDATE_BAD;
}

__attribute__((visibility("default"))) int assay_spirv_assemble(const char *text, size_t length,
                                                                unsigned minor, uint32_t *words,
                                                                size_t capacity, size_t *word_count,
                                                                char *message, size_t message_size,
                                                                struct spirv_text_place *place)
{
    message[0] = '\0';
    *word_count = 0;
    *place = (struct spirv_text_place){1, 1};
    if (broken || minor > 6)
        return SPIRV_VALIDATE_FAILED;
    jmp_buf here;
    if (setjmp(here)) {
        way_out = NULL;
        helper_memory_end();
        return SPIRV_VALIDATE_FAILED;
    }
    way_out = &here;
    helper_memory_begin(no_memory);
    int result = helper_assemble(text, length, minor, words, capacity, word_count, message,
                                 message_size, place);
    helper_memory_end();
    way_out = NULL;
    return result;
}

/* The functions that libstdc++ needs from a newer glibc than 2.34 (base/older_glibc.c has the
 * rest), and those that it must not use. These names are bound within the library, as the version
 * script hides them. */

/* Does not register static objects of SPIRV-Tools to be destroyed at exit(), as a thread may be
 * validating then. */
int __cxa_atexit(void (*function)(void *), void *argument, void *library);
int __cxa_atexit(void (*function)(void *), void *argument, void *library)
{
    return 0;
}

/* With glibc 2.35, the unwinder finds a function's tables by this. No stack is unwound here, as
 * each throw ends in __wrap___cxa_throw. */
int _dl_find_object(void *address, void *result);
int _dl_find_object(void *address, void *result)
{
    return -1;
}
