/* What instrumented shaders and the layer agree on: included by C and by GLSL. Offsets and sizes in 32-bit words where nothing else is said. */
#ifndef ASSAY_GPU_ABI_H
#define ASSAY_GPU_ABI_H

/* A record, as seed 000 has it, with the command that ran: the stage's words are three, and the error words six. */
#define RECORD_SIZE         0 /* in words, with this one; written last, so that a record is whole where it is not 0 */
#define RECORD_SHADER       1 /* spirv_instrument_info::shader */
#define RECORD_INSTRUCTION  2 /* index in the module as the app gave it */
#define RECORD_STAGE        3 /* SpvExecutionModel */
#define RECORD_STAGE_WORDS  4 /* see STAGE_WORDS in docs/architecture.md */
#define RECORD_RECORDING    7 /* number of the recording of a command buffer; 0: unknown */
#define RECORD_COMMAND      8 /* number of the action command in it */
#define RECORD_ERROR        9 /* ERROR_... */
#define RECORD_ERROR_WORDS  10
#define RECORD_CHECK_LENGTH 16 /* of all but printf */
#define RECORD_ALIGNMENT \
    16 /* each begins at a multiple of it in the ring, and takes a multiple of it: no check's record is in two pieces */
#define RECORD_MOST 128 /* of printf: the rest of what is longer is left out */

/* Error codes, and their words. */
#define ERROR_DESCRIPTOR_INDEX         0  /* set, binding, index, count */
#define ERROR_DESCRIPTOR_UNINITIALIZED 1  /* set, binding, index */
#define ERROR_DESCRIPTOR_DESTROYED     2  /* set, binding, index */
#define ERROR_DESCRIPTOR_CLASS         3  /* set, binding, index, class found, class wanted, mask of both: CLASS_... */
#define ERROR_STORAGE_BUFFER_RANGE     4  /* set, binding, index, byte offset, bytes accessed, bytes bound */
#define ERROR_UNIFORM_BUFFER_RANGE     5  /* the same */
#define ERROR_TEXEL_BUFFER_RANGE       6  /* set, binding, index, texel, texels in the view */
#define ERROR_ADDRESS_RANGE            7  /* address low, high, bytes accessed, is a write */
#define ERROR_ADDRESS_ALIGNMENT        8  /* address low, high, alignment */
#define ERROR_DIVISION_BY_ZERO         9  /* VALUE_..., dividend, divisor */
#define ERROR_SHIFT                    10 /* VALUE_..., shift, base */
#define ERROR_MATH                     11 /* VALUE_... with the GLSLstd450 instruction, the first two operands: of a clamp its limits */
#define ERROR_MESH_OUTPUT              12 /* vertices, most vertices, primitives, most primitives */
#define ERROR_TASK_GROUPS              13 /* x, y, z, which limit (3: of the product), the limit */
#define ERROR_TRACE_RAY                14 /* opcode, TRACE_... bits, flags, bits of Tmin, Tmax, and time */
#define ERROR_VERTEX_FETCH             15 /* location, binding, index, elements in the buffer, is an instance */
#define ERROR_SHARED_RACE              16 /* byte offset, other invocation, is a write, other is a write */
#define ERROR_GATHER                   17 /* component, 4 */
#define ERROR_PRINTF                   18 /* id of the format string, then the words of the arguments */
#define ERROR_ABORT                    19
#define ERROR_COMMAND                  20 /* from the layer's own shaders (src/gpu/buffers*): which rule, then its words */
#define ERROR_DIVISION_OVERFLOW        21 /* VALUE_..., dividend, divisor: the least number by -1 */
#define ERROR_BIT_FIELD                22 /* opcode | width << 16, offset, count */
#define ERROR_VECTOR_INDEX             23 /* index, components */
#define ERROR_MESH_AGAIN               24 /* vertices that were set before */
#define ERROR_MESH_INDEX \
    25 /* the built-in or MESH_PER_PRIMITIVE, index of the primitive, primitives, vertex or MESH_NO_VERTEX, vertices */
#define ERROR_HIT_T    26 /* bits of: t, the least, the most */
#define ERROR_HIT_KIND 27 /* the kind */

/* VALUE_...: two words, opcode (or instruction) | width << 16, and the component or VALUE_SCALAR. Values behind them: integers cut to 32 bits, floating-point numbers as the bits of 32-bit ones. */
#define VALUE_SCALAR 0xffffffffu

#define MESH_PER_PRIMITIVE 0xffffffffu /* no built-in: an array that is decorated PerPrimitiveEXT */
#define MESH_NO_VERTEX     0xffffffffu /* it is the primitive's index that is wrong */

/* What is wrong with a ray. */
#define TRACE_INFINITE        0x001u /* a component of origin or direction */
#define TRACE_NAN             0x002u
#define TRACE_NEGATIVE        0x004u /* Tmin or Tmax */
#define TRACE_ORDER           0x008u /* Tmin is more than Tmax */
#define TRACE_SKIPS_BOTH      0x010u
#define TRACE_CULLS_TWICE     0x020u
#define TRACE_OPAQUE_TWICE    0x040u
#define TRACE_SKIPS_TRIANGLES 0x080u /* in a pipeline that skips AABBs */
#define TRACE_SKIPS_AABBS     0x100u /* in a pipeline that skips triangles */
#define TRACE_MICROMAP        0x200u /* without the capability */
#define TRACE_TIME            0x400u

/* The ring of records: host memory, one a device. `head` is the shaders', `tail` the layer's; both only ever grow (modulo 2^32). */
#define RING_HEAD     0
#define RING_TAIL     1
#define RING_LOST     2 /* records for which there was no room */
#define RING_REPEATED 3 /* records that were not written as one like them was (RING_SEEN) */
#define RING_MASK     4 /* words in the ring less 1; their number is a power of two */
#define RING_SEEN \
    16 /* a bit for each value of a hash of shader, instruction, error and command: it has a record already */
#define RING_SEEN_WORDS 1024
#define RING_WORDS      (RING_SEEN + RING_SEEN_WORDS)

/* What the pointer that a command pushes leads to. Two words each for addresses. */
#define COMMAND_RECORDING   0
#define COMMAND_INDEX       1
#define COMMAND_RING        2  /* address */
#define COMMAND_ALIVE       4  /* address of a byte for each slot of the object table */
#define COMMAND_RANGES      6  /* address of the header of the buffers' addresses */
#define COMMAND_ALIVE_LIMIT 8  /* slots that have a byte */
#define COMMAND_SET_COUNT   9  /* tables that follow */
#define COMMAND_EXTRA       10 /* address of what a kind of command adds: vertex buffers of a draw; 0 without */
#define COMMAND_TOUCHED     12 /* address of what shaders say that they touched (TOUCHED_...); 0: nobody asks */
#define COMMAND_TABLES      14 /* addresses: of each bound set's table; 0: there is none */

/* COMMAND_EXTRA of a draw: how many elements the vertex buffers have, by the attribute that has the fewest, and which that is. */
#define VERTICES_COUNT     0 /* by vertex; 0xffffffff: no limit */
#define VERTICES_LOCATION  1
#define VERTICES_BINDING   2
#define INSTANCES_COUNT    3 /* by instance, of those with a divisor of 1; likewise */
#define INSTANCES_LOCATION 4
#define INSTANCES_BINDING  5
#define VERTICES_WORDS     6

/* Which descriptors a command's shaders accessed: a header, slots of a hash table of keys (open addressing), and a list of what is in them, which the layer reads. */
#define TOUCHED_MASK  0 /* slots less 1; their number is a power of two */
#define TOUCHED_COUNT 1 /* of the list; more than the limit: the rest is lost */
#define TOUCHED_LIMIT 2 /* entries that the list has room for */
#define TOUCHED_SLOTS 4
#define TOUCHED_TRIES 64u /* slots that are looked at for one key */
/* Of the list, behind the slots: */
#define TOUCHED_KEY    0
#define TOUCHED_OBJECT 1 /* ENTRY_OBJECT of the descriptor when it was accessed; 0: not known */
#define TOUCHED_SIZE   2 /* bytes of the block that the shader sees there; 0: not known */
#define TOUCHED_WORDS  4
/* A key: the descriptor's number in its set, the set, whether it is written, and the stage: SpvExecutionModel + 1 up to GLCompute, then TOUCHED_STAGE_... */
#define TOUCHED_DESCRIPTOR_BITS 22
#define TOUCHED_DESCRIPTOR_MASK 0x3fffffu
#define TOUCHED_SET_SHIFT       22
#define TOUCHED_SET_MASK        0x1fu
#define TOUCHED_WRITE           0x08000000u
#define TOUCHED_STAGE_SHIFT     28
#define TOUCHED_STAGE_TASK      7u
#define TOUCHED_STAGE_MESH      8u
#define TOUCHED_STAGE_RAYS      9u

/* A set's table: a header of 4 words, then 4 words for each descriptor, in the order of descriptor_binding::first. */
#define TABLE_VARIABLE_COUNT 0 /* descriptors of the last binding, where that is variable */
#define TABLE_ENTRIES        4
#define ENTRY_OBJECT \
    0 /* 0: never written; ENTRY_NULL: a null descriptor; else the slot of the view, buffer or sampler */
#define ENTRY_NULL  0xffffffffu
#define ENTRY_CLASS 1 /* CLASS_... | generation << 24 */
#define ENTRY_RANGE \
    2 /* bytes of a buffer, texels of a texel buffer; 0xffffffff: that many or more. Of a combined image sampler: the sampler's slot | generation << 25; 0: not known */
#define ENTRY_WORDS              4
#define SAMPLER_GENERATION_SHIFT 25
/* A byte of the table of what is alive: ALIVE_BIT | generation (7 bits). */
#define ALIVE_BIT       0x80u
#define GENERATION_BITS 0x7fu

/* What a descriptor is, in 24 bits: what shaders want of it is compared under a mask. */
#define CLASS_TAG           0x0000ffu /* enum descriptor_tag */
#define CLASS_DIM           0x000f00u /* VkImageViewType + 1 */
#define CLASS_NUMERIC       0x007000u /* enum spirv_numeric of the format; 0: not known, and good for all */
#define CLASS_MULTI         0x008000u /* multisampled */
#define CLASS_DIM_SHIFT     8
#define CLASS_NUMERIC_SHIFT 12
#define CLASS_COMBINED      2u /* DESCRIPTOR_COMBINED_IMAGE_SAMPLER */

/* The buffers whose addresses the app has: a header with the number of the list that holds now, and addresses of lists; a list is not written while shaders may look at it, and its number changes in
 * one store. A list: how many ranges, and from word LIST_RANGES on [begin, end) as two addresses each, by increasing begin, that do not overlap. */
#define RANGES_CURRENT  0
#define RANGES_UNKNOWN  0xffffffffu /* instead of a number: nothing is known, and all addresses are good */
#define RANGES_LISTS    2           /* addresses */
#define RANGES_VERSIONS 63
/* Behind the lists: for each hash of a check in a shader, which range of the list it last found an address in. Shaders write them, look there first, and believe nothing that the list does not say. */
#define RANGES_HINTS     (RANGES_LISTS + 2 * RANGES_VERSIONS)
#define RANGES_HINT_BITS 10
#define RANGES_WORDS     (RANGES_HINTS + (1 << RANGES_HINT_BITS))
#define LIST_COUNT       0
#define LIST_RANGES      4

#endif
