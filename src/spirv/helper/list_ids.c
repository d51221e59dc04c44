/* Prints the ids of all statements under which SPIRV-Tools can report an error, one a line. The
 * build runs it, for registry/claims/statements.py. It calls the function of the library that makes
 * all ids. No header declares that function, so it has its linker name here. If a release of the
 * library has another name for it, nothing is printed and the exit status is 1. */
#include <stdint.h>
#include <stdio.h>

#include <spirv-tools/libspirv.h>

#define ID_LIMIT 100000u /* ids end in five digits */

/* libstdc++'s layout of std::string; it is returned in memory that the caller provides. */
struct text {
    const char *data;
    size_t length;
    char inside[16]; /* short strings are stored here */
};

/* std::string spvtools::val::ValidationState_t::VkErrorID(uint32_t id, const char *) const. The
 * text is "[VUID-...] ", or empty. It only reads the state's first member, the context. */
struct text
error_id(const void *state, uint32_t id,
         const char
             *reference) __asm__("_ZNK8spvtools3val17ValidationState_t9VkErrorIDB5cxx11EjPKc")
    __attribute__((weak));

int main(void)
{
    static union {
        spv_context context;
        char bytes[1 << 16];
    } state;
    spv_diagnostic diagnostic = NULL;
    uint32_t nothing[1] = {0};
    uint32_t found = 0;
    state.context = spvContextCreate(SPV_ENV_VULKAN_1_4);
    /* The call makes the linker take the validator out of the archive. */
    spvValidateBinary(state.context, nothing, 1, &diagnostic);
    spvDiagnosticDestroy(diagnostic);
    for (uint32_t id = 0; error_id && id < ID_LIMIT; id++) {
        struct text text = error_id(&state, id, NULL);
        if (text.length > sizeof(text.inside)) {
            printf("%s\n", text.data);
            found++;
        }
    }
    spvContextDestroy(state.context);
    return found ? 0 : 1;
}
