/* A reflection lists what a module declares, and what its entry points use. It is flat arrays in
 * one allocation, made once from the words. Pipelines, shader objects and the validators read it
 * instead of the module. Knows no Vulkan.
 *
 * All input is untrusted: a module that SPIRV-Tools would refuse gives some reflection or none,
 * never a crash. References between the arrays are indices; SPIRV_NONE means that there is none.
 * Threads: any; a reflection is const once it is made. */
#ifndef ASSAY_SPIRV_REFLECT_H
#define ASSAY_SPIRV_REFLECT_H

#include "spirv/module/module.h"

enum spirv_numeric {
    SPIRV_NUMERIC_NONE,
    SPIRV_NUMERIC_FLOAT,
    SPIRV_NUMERIC_SINT,
    SPIRV_NUMERIC_UINT,
    SPIRV_NUMERIC_BOOL
};

enum spirv_type_flags {
    SPIRV_TYPE_BLOCK = 1 << 0,
    SPIRV_TYPE_BUFFER_BLOCK = 1 << 1,
    SPIRV_TYPE_NON_WRITABLE = 1 << 2, /* a struct whose members are all NonWritable */
    SPIRV_TYPE_NON_READABLE = 1 << 3,
    /* floating point with an encoding of its own, such as BFloat16KHR */
    SPIRV_TYPE_ENCODED = 1 << 4,
    /* the type contains a runtime array, or an array whose length specialization gives: `size` does
     * not cover it */
    SPIRV_TYPE_OPEN = 1 << 5,
};

/* Threads (all structs of this file): immutable once made. */
struct spirv_type {
    uint32_t id;
    uint16_t opcode; /* SpvOpType... */
    /* enum spirv_numeric: of a scalar, of the components of a vector or matrix, or of an image's
     * sampled type */
    uint8_t numeric;
    uint8_t width;               /* bits of the same scalar */
    uint8_t flags;               /* enum spirv_type_flags */
    uint8_t storage_class_known; /* the type is a pointer, and `length` is its storage class */
    uint8_t image_dim, image_depth, image_arrayed, image_multisampled, image_sampled;
    uint16_t image_format;
    /* index of the type of components, columns or elements; of an image's sampled type; of a
     * sampled image's image type; or of what a pointer to PhysicalStorageBuffer points to */
    uint32_t element;
    /* number of components, columns, elements, or dimensions of a tensor; 0: a runtime array, or a
     * length that specialization gives */
    uint32_t length;
    /* id of the constant with the length of an array or tensor, or with the scope of a cooperative
     * matrix */
    uint32_t length_id;
    /* of a struct; for a tensor with a shape, one for each dimension, whose `offset` is the id of
     * the constant with the number of elements */
    uint32_t first_member, member_count;
    uint32_t stride; /* ArrayStride in bytes; 0: not decorated */
    /* bytes by the explicit layout (Offset, ArrayStride, MatrixStride), UINT32_MAX at most; 0: the
     * type has no explicit layout */
    uint32_t size;
};

enum spirv_decoration_flags {
    SPIRV_FLAT = 1 << 0,
    SPIRV_NO_PERSPECTIVE = 1 << 1,
    SPIRV_CENTROID = 1 << 2,
    SPIRV_SAMPLE = 1 << 3,
    SPIRV_PATCH = 1 << 4,
    SPIRV_PER_VERTEX = 1 << 5,    /* PerVertexKHR */
    SPIRV_PER_PRIMITIVE = 1 << 6, /* PerPrimitiveEXT */
    SPIRV_NON_WRITABLE = 1 << 7,
    SPIRV_NON_READABLE = 1 << 8,
    SPIRV_HAS_LOCATION = 1 << 9,
    SPIRV_HAS_COMPONENT = 1 << 10,
    SPIRV_HAS_BUILTIN = 1 << 11,
    SPIRV_HAS_OFFSET = 1 << 12,
    SPIRV_ROW_MAJOR = 1 << 13,
    SPIRV_HAS_XFB = 1 << 14, /* XfbBuffer, XfbStride or Stream */
    SPIRV_INVARIANT = 1 << 15,
    SPIRV_RELAXED_PRECISION = 1 << 16,
    SPIRV_HAS_SET = 1 << 17,
    SPIRV_HAS_BINDING = 1 << 18,
    SPIRV_HAS_ATTACHMENT = 1 << 19,
    SPIRV_HAS_INDEX = 1 << 20,
    SPIRV_HAS_STREAM = 1 << 21,
    SPIRV_COHERENT = 1 << 22,
    /* in struct spirv_interface: the variable is a block or a member of a block */
    SPIRV_BLOCK_MEMBER = 1 << 23,
    /* in struct spirv_interface: the variable has one element for each vertex (or primitive), and
     * `type` is the type of one element */
    SPIRV_ARRAYED = 1 << 24,
    SPIRV_VOLATILE = 1 << 25,
};

/* The decorations of an id, or of a member of a struct. */
struct spirv_decorations {
    uint32_t flags; /* enum spirv_decoration_flags */
    uint32_t location, component, index, builtin, offset, matrix_stride, set, binding, attachment,
        stream, xfb_buffer, xfb_stride;
};

struct spirv_member {
    uint32_t type;
    uint32_t flags;    /* enum spirv_decoration_flags */
    uint32_t location; /* SPIRV_NONE: not decorated */
    uint32_t component;
    uint32_t builtin; /* SPIRV_NONE: not decorated */
    uint32_t offset;
    uint32_t size; /* bytes by the explicit layout; 0: not known */
    /* offset of its name in `text`; 0: "". Only a push constant in a module with physical addresses
     * has one */
    uint32_t name;
};

/* A scalar constant or specialization constant. The array is sorted by increasing id. */
struct spirv_constant {
    uint32_t id;
    uint32_t spec_id; /* SpecId; SPIRV_NONE: pipelines cannot specialize it */
    uint32_t type;
    uint32_t name; /* offset in `text`; 0 is "" */
    /* `value` is valid; false for the result of an operation on specialization constants */
    bool known;
    /* size of its type: 1, 2, 4 or 8; 4 for a boolean, which is specialized as VkBool32 */
    uint8_t bytes;
    uint64_t value; /* the default value, zero-extended */
};

struct spirv_execution_mode {
    uint32_t mode; /* SpvExecutionMode */
    bool ids;      /* operands are ids of constants (OpExecutionModeId) */
    uint8_t operand_count;
    uint32_t operands[3];
};

enum spirv_access {
    SPIRV_ACCESS_USED = 1 << 0, /* statically used */
    SPIRV_ACCESS_READ = 1 << 1,
    SPIRV_ACCESS_WRITE = 1 << 2,
    SPIRV_ACCESS_ATOMIC = 1 << 3,
    SPIRV_ACCESS_SAMPLE = 1 << 4,        /* by an OpImageSample... or an OpImage...Gather */
    SPIRV_ACCESS_DEPTH_COMPARE = 1 << 5, /* by an instruction with Dref in its name */
    /* passed to a function as an argument: READ and WRITE are guesses */
    SPIRV_ACCESS_PASSED = 1 << 6,
    SPIRV_ACCESS_IMPLICIT_LOD = 1 << 7,
    SPIRV_ACCESS_PROJECTED = 1 << 8, /* OpImageSampleProj... */
    SPIRV_ACCESS_OFFSET = 1 << 9,    /* with ConstOffset, Offset or ConstOffsets */
    SPIRV_ACCESS_PLAIN = 1 << 10,    /* read or written by an instruction that is not atomic */
    /* These six are reads, in this order: by OpImageSampleWeightedQCOM; as the weights of that; by
     * OpImageBoxFilterQCOM; by OpImageBlockMatchSSDQCOM; by OpImageBlockMatchSADQCOM; by
     * OpImageBlockMatchWindow...QCOM or OpImageBlockMatchGather...QCOM. */
    SPIRV_ACCESS_WEIGHTED = 1 << 11,
    SPIRV_ACCESS_WEIGHTS = 1 << 12,
    SPIRV_ACCESS_BOX_FILTER = 1 << 13,
    SPIRV_ACCESS_BLOCK_MATCH = 1 << 14,
    SPIRV_ACCESS_SUM_MATCH = 1 << 15,
    SPIRV_ACCESS_WINDOW_MATCH = 1 << 16,
    /* read, or written, by each invocation that is not terminated early: the access is outside of
     * selections and loops, and before the function can return */
    SPIRV_ACCESS_SURE_READ = 1 << 17,
    SPIRV_ACCESS_SURE_WRITE = 1 << 18,
    SPIRV_ACCESS_LENGTH = 1 << 19, /* OpArrayLength asks for the length of its runtime array */
    /* texels of an image are accessed by their coordinates, without a sampler */
    SPIRV_ACCESS_TEXEL = 1 << 20,
    SPIRV_ACCESS_SURE_FIXED = 1 << 21, /* SURE_READ of an image at constant coordinates */
    /* the image operands of an access of integers say its signedness: SignExtend, ZeroExtend */
    SPIRV_ACCESS_SIGNED = 1 << 22,
    SPIRV_ACCESS_UNSIGNED = 1 << 23,
    /* SURE_READ, or SURE_WRITE, of an image whose coordinates are GlobalInvocationId or its first
     * components */
    SPIRV_ACCESS_EACH_READ = 1 << 24,
    SPIRV_ACCESS_EACH_WRITE = 1 << 25,
    /* some access makes its write available or its read visible: an atomic, or one with
     * MakePointerAvailable and the like */
    SPIRV_ACCESS_COHERENT = 1 << 26,
    /* a sampled image is read by an instruction that is neither OpImage nor OpImageSample... */
    SPIRV_ACCESS_UNSAMPLED = 1 << 27,
    SPIRV_ACCESS_CHOSEN = 1 << 28, /* an index that is not constant chooses the element */
    SPIRV_ACCESS_BIAS = 1 << 29,   /* sampled with the image operand Bias */
    SPIRV_ACCESS_SURE = SPIRV_ACCESS_SURE_READ | SPIRV_ACCESS_SURE_WRITE | SPIRV_ACCESS_SURE_FIXED |
                        SPIRV_ACCESS_EACH_READ | SPIRV_ACCESS_EACH_WRITE,
};

/* Bytes of a buffer's block, from `begin` to before `end`. If both are equal, the span is empty. */
struct spirv_span {
    uint32_t begin, end; /* an `end` of UINT32_MAX: to the end of the buffer */
};

/* The value that an invocation uses as an index into an array. */
enum spirv_number {
    SPIRV_NUMBER_UNKNOWN,
    SPIRV_NUMBER_GLOBAL_X, /* the x of GlobalInvocationId */
    SPIRV_NUMBER_LOCAL,    /* LocalInvocationIndex */
};

/* An array in a buffer of which each invocation accesses the element with its own number. */
struct spirv_each {
    struct spirv_span first; /* bytes that the invocation with number 0 accesses; empty: none */
    uint32_t stride;         /* bytes from an element to the next */
    /* elements of the array; 0: the array extends to the end of the buffer */
    uint32_t length;
    uint8_t number; /* enum spirv_number */
};

/* The bytes that a shader accesses in a block, as far as they are known. */
struct spirv_spans {
    /* Each invocation that is not terminated early reads, or writes, all of these bytes. */
    struct spirv_span read, written;
    /* Each such invocation reads, or writes, some byte of these spans; it is not known which one.
     */
    struct spirv_span some_read, some_written;
    /* Each such invocation reads, or writes, its own element of these arrays. */
    struct spirv_each each_read, each_written;
};

/* One variable of an entry point's interface: a scalar, vector or matrix, an array of these, or a
 * built-in. Each member of a block or struct is an entry of its own. */
struct spirv_interface {
    uint32_t variable; /* id */
    uint32_t member;   /* index of the member, if `variable` is a block; else SPIRV_NONE */
    uint32_t name;     /* offset in `text`; 0 is "" */
    uint8_t storage;   /* SpvStorageClassInput or Output */
    uint8_t numeric;   /* enum spirv_numeric */
    uint8_t width;
    uint8_t components; /* components of the vector or of one column; 1 for a scalar */
    bool initialized;   /* the variable has an initializer */
    /* for an input that is a vector of 64-bit components: a bit for each component that is
     * certainly used */
    uint8_t used_components;
    uint32_t flags;    /* enum spirv_decoration_flags */
    uint32_t access;   /* enum spirv_access, in all functions that the entry point reaches */
    uint32_t builtin;  /* SPIRV_NONE: not decorated */
    uint32_t location; /* SPIRV_NONE: not decorated */
    uint32_t component;
    uint32_t index;
    uint32_t columns;        /* columns of a matrix, else 1 */
    uint32_t elements;       /* elements of an array, else 1; 0: specialization gives the length */
    uint32_t location_count; /* locations of all elements and columns together */
    uint32_t type;           /* index of its type, without the per-vertex array */
    uint32_t outer_length;   /* length of the per-vertex array; 0: unknown or none */
    uint32_t stream;
    uint32_t xfb_buffer, xfb_stride; /* SPIRV_NONE: not decorated */
};

enum spirv_resource {
    SPIRV_RESOURCE_UNKNOWN,
    SPIRV_RESOURCE_SAMPLER,
    SPIRV_RESOURCE_SAMPLED_IMAGE,
    SPIRV_RESOURCE_COMBINED_IMAGE_SAMPLER,
    SPIRV_RESOURCE_STORAGE_IMAGE,
    SPIRV_RESOURCE_UNIFORM_TEXEL_BUFFER,
    SPIRV_RESOURCE_STORAGE_TEXEL_BUFFER,
    SPIRV_RESOURCE_UNIFORM_BUFFER,
    SPIRV_RESOURCE_STORAGE_BUFFER,
    SPIRV_RESOURCE_INPUT_ATTACHMENT,
    SPIRV_RESOURCE_ACCELERATION_STRUCTURE,
    SPIRV_RESOURCE_TENSOR,
};
const char *spirv_resource_name(enum spirv_resource resource); /* for messages: "storage buffer" */

/* Constant coordinates of accesses that each invocation makes which is not terminated early. */
struct spirv_places {
    /* one access of several elements of a tensor: how many, and the innermost coordinate at which
     * it begins. `count` 0: there is none */
    uint32_t count, begin;
    /* one such access that does not begin at a multiple of the largest power of two up to its
     * count; `askew_count` 0: there is none */
    uint32_t askew_count, askew_begin;
    /* x and y, plus 1, of the largest reference coordinates: [0] of OpImageBlockMatchS...QCOM, [1]
     * of the instructions with Window or Gather in their names. 0: none */
    uint32_t reference[2][2];
};

/* A descriptor binding that the entry point statically uses. */
struct spirv_binding {
    uint32_t variable; /* id */
    uint32_t name;     /* offset in `text`; 0 is "" */
    uint32_t set, binding;
    uint8_t resource; /* enum spirv_resource */
    uint8_t storage;  /* SpvStorageClass */
    bool arrayed;     /* the variable is an array of descriptors */
    /* most components of a texel that an OpImageWrite writes; 0: there is no write; UINT8_MAX:
     * unknown */
    uint8_t texel_components;
    /* descriptors of the binding, 1 if it is not an array; 0: a runtime array, or specialization
     * gives the length (then `count_id` is not 0) */
    uint32_t count;
    uint32_t count_id;   /* id of the constant that is the length; 0 for a runtime array */
    uint32_t type;       /* index of the type of one descriptor: image, struct ... */
    uint32_t flags;      /* NON_WRITABLE, NON_READABLE, HAS_SET, HAS_BINDING, HAS_ATTACHMENT ... */
    uint32_t access;     /* enum spirv_access */
    uint32_t attachment; /* InputAttachmentIndex; SPIRV_NONE: not decorated */
    uint32_t size;       /* bytes of a buffer's block, without a runtime array at its end */
    uint64_t elements;   /* for an array: bit i is set if a constant index chooses element i */
    /* the array is also used with an index that is not constant, or as a whole */
    bool any_element;
    /* bit i is set if element i, chosen by a constant, is read or written; bit 0 for a binding that
     * is not an array. Passing it to a function and querying its size do not count */
    uint64_t accessed;
    /* the bits of `accessed` for accesses by each invocation that is not terminated early */
    uint64_t surely_accessed;
    struct spirv_spans spans; /* the bytes that are accessed, for a buffer */
    /* for an image that is separate from its sampler: the sampler that all of its OpSampledImage
     * use. SPIRV_NONE: there is none, or there are several */
    uint32_t sampler_set, sampler_binding, sampler_element;
    struct spirv_places places; /* constant coordinates, for a tensor or a reference image */
};

/* A variable in Workgroup or TaskPayloadWorkgroupEXT memory. If the module has one entry point,
 * that has all such variables; otherwise each entry point has those that it statically uses. */
struct spirv_shared_variable {
    uint32_t storage; /* SpvStorageClass */
    uint32_t type;
};

enum spirv_uses {
    SPIRV_USES_ATOMICS = 1 << 0,
    /* derivative instructions, and instructions with an implicit derivative */
    SPIRV_USES_DERIVATIVES = 1 << 1,
    SPIRV_USES_KILL = 1 << 2, /* OpKill, OpTerminateInvocation, OpDemoteToHelperInvocation */
    SPIRV_USES_ABORT = 1 << 3,
    SPIRV_USES_EMIT_STREAM = 1 << 4, /* OpEmitStreamVertex */
    SPIRV_USES_CONTROL_BARRIER = 1 << 5,
    SPIRV_USES_RAY_QUERY = 1 << 6,
    SPIRV_USES_TRACE_RAY = 1 << 7,
    SPIRV_USES_EMIT_MESH_TASKS = 1 << 8,
    SPIRV_USES_PHYSICAL_POINTERS = 1 << 9,
    SPIRV_USES_GROUP_OPERATIONS = 1 << 10,   /* OpGroupNonUniform..., whose scope is the subgroup */
    SPIRV_USES_QUAD_OPERATIONS = 1 << 11,    /* some of the group operations are quad operations */
    SPIRV_USES_COOPERATIVE_MATRIX = 1 << 12, /* of VK_KHR_cooperative_matrix */
    SPIRV_USES_COOPERATIVE_MATRIX_NV = 1 << 13,
    SPIRV_USES_COOPERATIVE_VECTOR = 1 << 14,
    SPIRV_USES_TENSOR = 1 << 15,
    SPIRV_USES_SPLIT_BARRIER = 1 << 16, /* OpControlBarrierArriveEXT, OpControlBarrierWaitEXT */
    SPIRV_USES_INTERPOLATE_AT_SAMPLE = 1 << 17, /* of GLSL.std.450 */
    SPIRV_USES_EMIT_VERTEX = 1 << 18,           /* to any stream */
    /* OpColorAttachmentReadEXT; the next two are likewise */
    SPIRV_USES_COLOR_READ = 1 << 19,
    SPIRV_USES_DEPTH_READ = 1 << 20,
    SPIRV_USES_STENCIL_READ = 1 << 21,
    /* the interface has a variable that is decorated SamplerHeapEXT */
    SPIRV_USES_SAMPLER_HEAP = 1 << 22,
    /* the shader uses a variable with the decoration ResourceHeapEXT */
    SPIRV_USES_RESOURCE_HEAP = 1 << 23,
    SPIRV_USES_TRACE_MOTION = 1 << 24,  /* OpTraceRayMotionNV */
    SPIRV_USES_HIT_MOTION_NV = 1 << 25, /* OpHitObjectTraceRayMotionNV */
    SPIRV_USES_HIT_MOTION = 1 << 26,    /* ...MotionEXT, OpHitObjectTraceMotionReorderExecuteEXT */
    /* OpArrayLength, or OpUntypedArrayLengthKHR, gives 64 bits */
    SPIRV_USES_WIDE_LENGTH = 1 << 27,
    /* A cooperative vector is multiplied (the first), or accessed (the second), at an offset of 64
     * bits. */
    SPIRV_USES_WIDE_PRODUCT = 1 << 28,
    SPIRV_USES_WIDE_VECTOR = 1 << 29,
    /* the module has an OpConstantSizeOfEXT of 64 bits, and no other entry point */
    SPIRV_USES_WIDE_SIZE = 1 << 30,
};

struct spirv_entry_point {
    uint32_t name;     /* offset in `text` */
    uint32_t model;    /* SpvExecutionModel */
    uint32_t function; /* id */
    uint32_t first_mode, mode_count;
    uint32_t first_interface, interface_count;
    uint32_t first_binding, binding_count; /* bindings are sorted by set and binding */
    /* type of the push constant block that it statically uses; SPIRV_NONE: none */
    uint32_t push_constant_type;
    /* the bytes that the block declares, from begin to before end; equal: none */
    uint32_t push_constant_begin, push_constant_end;
    uint32_t push_accessed_begin, push_accessed_end; /* bytes that may be accessed; equal: none */
    uint32_t uses;                                   /* enum spirv_uses */
    uint32_t first_shared, shared_count;             /* its variables in shared memory */
    bool truncated; /* the interface was too large, and only its beginning is kept */
};

struct spirv_reflection {
    uint32_t version, generator;
    uint64_t hash; /* spirv_hash() of the words as they were given */
    uint32_t addressing_model, memory_model;
    uint32_t capability_count, extension_count, type_count, member_count, constant_count,
        mode_count, interface_count, binding_count, shared_count, entry_count, graph_count;
    /* ids of the constants in the object decorated WorkgroupSize; 0: there is none */
    uint32_t workgroup_size_id[3];
    const uint32_t *capabilities; /* SpvCapability, as declared */
    const uint32_t *extensions;   /* offsets in `text` */
    const struct spirv_type *types;
    const struct spirv_member *members;
    const struct spirv_constant *constants;
    const struct spirv_execution_mode *modes;
    const struct spirv_interface *interfaces;
    const struct spirv_binding *bindings;
    const struct spirv_shared_variable *shared;
    const struct spirv_entry_point *entries;
    const struct spirv_entry_point *graphs; /* OpGraphEntryPointARM: names and bindings alone */
    const char *text; /* names and extensions, each terminated; text[0] is '\0' */
    size_t bytes;     /* bytes of the whole allocation */
};

/* Makes the reflection of a parsed module. It keeps no pointer to the module's words. `hash` is
 * spirv_hash() of the words. NULL: memory is out. Free with mem_free. */
struct spirv_reflection *spirv_reflect(const struct spirv_module *module, uint64_t hash) MUST_CHECK;

/* Returns the xxHash of a module's words, which is the same in every process. */
uint64_t spirv_hash(const void *words, size_t bytes);

/* Returns the entry point with this name and execution model; NULL: there is none. */
const struct spirv_entry_point *spirv_entry_find(const struct spirv_reflection *reflection,
                                                 const char *name, uint32_t model);
const struct spirv_execution_mode *spirv_mode_find(const struct spirv_reflection *reflection,
                                                   const struct spirv_entry_point *entry,
                                                   uint32_t mode);
bool spirv_has_capability(const struct spirv_reflection *reflection, uint32_t capability);

/* The values that a pipeline gives specialization constants; the layout of VkSpecializationInfo. */
struct spirv_specialization {
    uint32_t count;
    const struct {
        uint32_t id, offset;
        size_t size;
    } *entries;
    size_t bytes;
    const void *data;
};

const struct spirv_constant *spirv_constant_find(const struct spirv_reflection *reflection,
                                                 uint32_t id);
const struct spirv_constant *spirv_spec_constant_find(const struct spirv_reflection *reflection,
                                                      uint32_t spec_id);
/* Finds the constant's value with the values of `specialization` (NULL: none). Returns false if it
 * is unknown. */
bool spirv_constant_value(const struct spirv_reflection *reflection, uint32_t id,
                          const struct spirv_specialization *specialization, uint64_t *value);
/* Returns the bytes of the entry point's variables of this storage class (Workgroup or
 * TaskPayloadWorkgroupEXT), without padding. Types of unknown size count as 0. */
uint64_t spirv_shared_bytes(const struct spirv_reflection *reflection,
                            const struct spirv_entry_point *entry, uint32_t storage,
                            const struct spirv_specialization *specialization);
/* Finds the workgroup's size: by the object decorated WorkgroupSize, else by LocalSizeId, else by
 * LocalSize. Returns false if there is none, or it is unknown. */
bool spirv_workgroup_size(const struct spirv_reflection *reflection,
                          const struct spirv_entry_point *entry,
                          const struct spirv_specialization *specialization, uint32_t size[3]);

#endif
