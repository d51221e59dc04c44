/* Puts checks into one entry point of a module. It does not depend on Vulkan: a pipeline layout's
 * descriptors are passed as numbers. The code of the checks is in src/gpu/shaders (GLSL, compiled
 * at build time); the data that they share with the layer is in src/spirv/abi.h. */
#ifndef ASSAY_SPIRV_INSTRUMENT_H
#define ASSAY_SPIRV_INSTRUMENT_H

#include "spirv/abort/abort.h"
#include "spirv/module/module.h"

enum spirv_checks {
    SPIRV_CHECK_DESCRIPTORS = 1 << 0, /* the index, and the contents of the descriptor */
    SPIRV_CHECK_BUFFERS = 1 << 1,     /* ranges of uniform, storage and texel buffers */
    SPIRV_CHECK_ADDRESSES = 1 << 2,
    SPIRV_CHECK_SANITIZER = 1 << 3,
    SPIRV_CHECK_MESH = 1 << 4,
    SPIRV_CHECK_TRACE = 1 << 5,
    SPIRV_CHECK_SHARED = 1 << 6,
    SPIRV_CHECK_VERTEX_FETCH = 1 << 7,
    SPIRV_CHECK_PRINTF = 1 << 8,
    SPIRV_CHECK_ABORT =
        /* This is not a check: OpAbortKHR and constant data are lowered, that is, replaced by code
         * for drivers without them. Loops that may wait for other invocations test for aborts. */
    1 << 9,
    /* This is not a check: shaders report which descriptors they access (TOUCHED_..., spirv/abi.h).
     */
    SPIRV_CHECK_TOUCHED = 1 << 10,
    SPIRV_CHECK_NAN = 1 << 11,
};

/* A binding of the pipeline's layout. */
struct spirv_instrument_binding {
    uint32_t set, binding;
    uint32_t count; /* number of descriptors; ignored with `variable` */
    uint32_t first; /* index of its first descriptor in the set's table */
    bool variable;  /* the number of descriptors is in the set's table, in memory */
    /* the type is VK_DESCRIPTOR_TYPE_MUTABLE_EXT, so that the type of a descriptor has to be
     * checked, too */
    bool is_mutable;
    /* the contents of descriptors have to be checked at each access, as the binding is partially
     * bound, updated after bind, an array ... */
    bool checked;
    /* bit i is set if the layer checks the contents of element i when the command is recorded; then
     * an access with a constant index needs no check of these */
    uint64_t known;
};

struct spirv_instrument_info {
    const char *entry;
    uint32_t model;  /* SpvExecutionModel */
    uint32_t checks; /* enum spirv_checks */
    bool safe;       /* an access that a check finds wrong is not made: a read gives 0 */
    uint32_t shader; /* the shader's number in its records (RECORD_SHADER, spirv/abi.h) */
    /* byte offset of the command's pointer in push constants, a multiple of 8; SPIRV_NONE: it is in
     * the specialization constants SPIRV_POINTER_SPEC_ID and the one after it */
    uint32_t push_offset;
    /* src/gpu/shaders/checks.glsl, compiled for the module's memory model:
     * spirv_uses_vulkan_memory_model() */
    const struct spirv_module *library;
    const struct spirv_instrument_binding *bindings; /* sorted by set, then binding */
    uint32_t binding_count;
    /* out-of-range accesses to such a buffer are defined, and not checked */
    bool robust_uniform, robust_storage, robust_vertex;
    /* the feature nullDescriptor is enabled: a buffer of length 0 may be a null descriptor, which
     * reads as zero */
    bool null_descriptors;
    uint32_t most_mesh_groups[3],
        /* VkPhysicalDeviceMeshShaderPropertiesEXT::maxMeshWorkGroupCount and
         * maxMeshWorkGroupTotalCount; 0: the group counts of task shaders are not checked */
        most_mesh_groups_total;
    /* SpvRayFlagsSkipTrianglesKHRMask in a pipeline that skips AABBs, SpvRayFlagsSkipAABBsKHRMask
     * in one that skips triangles */
    uint32_t forbidden_ray_flags;
    /* bytes of Workgroup variables that the model may have; 0: races in them are not looked for */
    uint32_t most_shared;
    uint32_t most_checks; /* the most sites that get a check; 0: no limit */
    /* In a shader with more checks than this, each invocation notes findings and reports one of
     * them at its end. Otherwise compilers copy the code that reports into each check. Wrong
     * descriptors and addresses are reported at once in any case. 0: all checks report at once. */
    uint32_t later_from;
    /* accesses past the end of a buffer are reported at the invocation's end as well, since such an
     * access does not lose the device */
    bool later_accesses;
    /* the pipeline's whole specialization, in any order, for SPIRV_CHECK_ABORT if
     * spirv_has_constant_data(). If several entries have one id, the first one counts */
    const struct spirv_abort_constant *constants;
    uint32_t constant_count;
};
#define SPIRV_POINTER_SPEC_ID 0x41535359u

/* A place in a shader that has a check, and the parts of its record that are known in advance. The
 * shader only writes the number of the site and the words that only it knows. */
struct spirv_site {
    uint32_t where;    /* index of the instruction in the program's own module */
    uint32_t error;    /* ERROR_... (spirv/abi.h) */
    uint32_t words[6]; /* the words of the error's record */
    /* where each word comes from: 0: `words`; n: the n-th word that the shader writes */
    uint8_t from[6];
    /* where the error comes from: 0: `error`; n: the n-th word that the shader writes */
    uint8_t error_from;
};

struct spirv_instrumented {
    uint32_t *words; /* owned (mem_free) */
    uint32_t word_count;
    struct spirv_site *sites; /* owned (mem_free) */
    uint32_t site_count;
    uint32_t checks; /* number of sites that got a check */
    /* a check needs the numbers of vertices, which the layer must write to COMMAND_EXTRA
     * (spirv/abi.h) */
    bool fetches;
    /* why some races in shared memory may not be found; NULL: all are found */
    const char *shared_missed;
    bool touches; /* the shader reports which descriptors it accesses */
    /* owned (mem_free); indexed by ABORT_SITE. NULL: the shader never aborts */
    struct spirv_abort_sites *aborts;
    /* push_offset was given, but the module's push constants have no space for the pointer. The
     * module is not instrumented then: call again with push_offset SPIRV_NONE */
    bool pointer_unreachable;
};

bool spirv_uses_vulkan_memory_model(const struct spirv_module *module);

/* Puts checks into an entry point. Returns false if the module is to be used unchanged: there is
 * nothing to check, memory is out, or SPIRV-Tools would not accept the result. The result is
 * deterministic. Threads: any. */
bool spirv_instrument(const struct spirv_module *module, const struct spirv_instrument_info *info,
                      struct spirv_instrumented *result) MUST_CHECK;

#endif
