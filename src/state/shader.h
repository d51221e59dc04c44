/* Shader code as the state tracker keeps it: one reflection per module, shared by the module's object, the pipelines and shader objects made of it. */
#ifndef ASSAY_STATE_SHADER_H
#define ASSAY_STATE_SHADER_H

#include "state/object_state.h"

struct spirv_reflection; /* spirv/reflect.h */

/* Threads: const, but for the count. */
struct shader {
    _Atomic uint32_t references;
    uint64_t hash;                       /* of the code */
    struct spirv_reflection *reflection; /* owned; NULL when the code could not be read */
};

struct shader *shader_acquire(struct shader *shader);
void shader_release(struct shader *shader);

/* The state of a VkShaderModule. const. */
struct shader_module {
    struct object_state base;
    struct shader *shader; /* held; NULL when memory was out */
};
STATE_FINDERS(shader_module, VkShaderModule, HANDLE_SHADER_MODULE)

#endif
