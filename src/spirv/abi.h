/* Instrumented shaders and the layer agree on this file: it is included by C and by GLSL. Offsets
 * and sizes are in 32-bit words where nothing else is said.
 * Threads: shaders take room by atomics, and one thread at a time reads (gpu/device/ring.h). */
#ifndef ASSAY_SPIRV_ABI_H
#define ASSAY_SPIRV_ABI_H

/* A record, with the command that ran: the stage's words are three, and the error words six. Printf
 * writes it so. Of a check it is put together on the CPU, which knows what is constant (CHECK_...).
 */
/* in words, with this one; written last, so that a record is whole where it is not 0 */
#define RECORD_SIZE        0
#define RECORD_SHADER      1 /* spirv_instrument_info::shader */
#define RECORD_INSTRUCTION 2 /* index in the module as the program gave it */
#define RECORD_STAGE       3 /* SpvExecutionModel */
#define RECORD_STAGE_WORDS 4 /* three, by the stage: gpu/report/report.c */
#define RECORD_RECORDING   7 /* number of the recording of a command buffer; 0: unknown */
#define RECORD_COMMAND     8 /* number of the command in it: command_buffer::command_number */
#define RECORD_ERROR       9 /* ERROR_... */
#define RECORD_ERROR_WORDS 10
/* words of a record, other than of printf: in the ring (CHECK_...) and after it is put together */
#define RECORD_CHECK_LENGTH 16
/* the most words of a record of printf, the rest of which is left out */
#define RECORD_MOST 128

/* The words that a check writes: first of all those that the command has. */
#define CHECK_RECORDING 0 /* COMMAND_RECORDING */
#define CHECK_COMMAND   1 /* COMMAND_INDEX */
/* 1; written last. Before that the address of the ring stands there, which is not 1 */
#define CHECK_WHOLE       2
#define CHECK_STAGE_WORDS 4 /* three */
#define CHECK_SHADER      7
/* of a shader's sites (spirv_site): shader + number * SITE_FACTOR; SHADER_OF_LAYER: nothing */
#define CHECK_SITE  8
#define CHECK_WORDS 9 /* three, which only the shader knew */
/* three more, which most checks do not write */
#define CHECK_MORE_WORDS 12
#define SHADER_OF_LAYER  0xffffffffu /* CHECK_SHADER: src/gpu/shaders/buffers_*; ERROR_COMMAND */

/* Numbers that differ by little are spread over all bits, so that their sum is a hash. The inverses
 * undo the multiplication (modulo 2^32). */
#define SITE_FACTOR       0x9e3779b1u
#define SITE_INVERSE      0x0e8b2f51u
#define RECORDING_FACTOR  0x27d4eb2fu
#define RECORDING_INVERSE 0xa0fe3bcfu
#define COMMAND_FACTOR    0x165667b1u
#define COMMAND_INVERSE   0xae398151u
/* The numbers, of COMMAND_RECORDING and COMMAND_INDEX. */
#define RECORDING_OF(recording_, command_) (((recording_) - (command_)) * RECORDING_INVERSE)
#define COMMAND_OF(command_)               ((command_) * COMMAND_INVERSE)

/* Error codes, and their words. */
#define ERROR_DESCRIPTOR_INDEX         0 /* set, binding, index, count */
#define ERROR_DESCRIPTOR_UNINITIALIZED 1 /* set, binding, index */
#define ERROR_DESCRIPTOR_DESTROYED     2 /* set, binding, index */
/* set, binding, index, class found, class wanted: CLASS_... */
#define ERROR_DESCRIPTOR_CLASS 3
/* set, binding, index, byte offset, bytes accessed, bytes bound */
#define ERROR_STORAGE_BUFFER_RANGE 4
#define ERROR_UNIFORM_BUFFER_RANGE 5 /* as the error above */
/* set | base << 5, binding, index, element, elements, stride: of the array at byte `base`, whole */
#define ERROR_STORAGE_BUFFER_ELEMENT 28
#define ERROR_TEXEL_BUFFER_RANGE     6  /* set, binding, index, texel, texels in the view */
#define ERROR_ADDRESS_RANGE          7  /* address low, high, bytes accessed, is a write */
#define ERROR_ADDRESS_ALIGNMENT      8  /* address low, high, bytes, is a write, alignment */
#define ERROR_DIVISION_BY_ZERO       9  /* VALUE_..., dividend, divisor */
#define ERROR_SHIFT                  10 /* VALUE_..., shift, base */
/* VALUE_... with the GLSLstd450 instruction, the first two operands: of a clamp its limits */
#define ERROR_MATH        11
#define ERROR_MESH_OUTPUT 12 /* vertices, most vertices, primitives, most primitives */
#define ERROR_TASK_GROUPS 13 /* x, y, z, which limit (3: of the product), the limit */
/* opcode, TRACE_... bits, flags, bits of Tmin, Tmax, and time */
#define ERROR_TRACE_RAY    14
#define ERROR_VERTEX_FETCH 15 /* of VERTICES_...: place, index, elements, divisor, buffer */
/* id of the variable, scalar in it, own shadow word, the other, SHARED_... masks: known, "who" */
#define ERROR_SHARED_RACE 16
#define ERROR_GATHER      17 /* component, 4 */
#define ERROR_PRINTF      18 /* id of the format string, then the words of the arguments */
#define ERROR_ABORT       19
/* from the layer's own shaders (src/gpu/buffers*): which rule, then its words */
#define ERROR_COMMAND           20
#define ERROR_DIVISION_OVERFLOW 21 /* VALUE_..., dividend, divisor: the least number by -1 */
#define ERROR_BIT_FIELD         22 /* opcode | width << 16, offset, count */
#define ERROR_VECTOR_INDEX      23 /* index, components */
#define ERROR_MESH_AGAIN        24 /* vertices that were set before */
/* the built-in or MESH_PER_PRIMITIVE, index of the primitive, primitives, vertex or
 * MESH_NO_VERTEX, vertices */
#define ERROR_MESH_INDEX 25
#define ERROR_HIT_T      26 /* bits of: t, the least, the most */
#define ERROR_HIT_KIND   27 /* the kind */
#define ERROR_RAY_QUERY  29 /* opcode: of a ray query that is not initialized */

/* in a record that is not put together yet: the shader's site says the error */
#define ERROR_OF_SITE 0xffffffffu

/* The note that an invocation makes of what to report at its end: the site ^ the invocation's salt.
 * Of several, the least stays. */
#define LATER_NOTHING 0xffffffffu

/* VALUE_...: two words, opcode (or instruction) | width << 16, and the component or VALUE_SCALAR.
 * Values after them: integers cut to 32 bits, floating-point numbers as the bits of 32-bit ones. */
#define VALUE_SCALAR 0xffffffffu

/* A shadow word of shared memory: how it was used, and from bit 2 on by which invocation of the
 * workgroup (mask "who"). Then come which of the places that share the word it is, by which access
 * (spirv_shared_site; 0: unknown), and the number of barriers before. Place and barriers are the
 * mask "known". */
#define SHARED_READ      0u
#define SHARED_READ_MANY 1u /* in shadow words: by several invocations */
/* in the word of an access that is compared with shadow words */
#define SHARED_ATOMIC_LOAD 1u
#define SHARED_ATOMIC      2u
#define SHARED_WRITE       3u
/* About so many workgroups of a dispatch are watched. */
#define SHARED_GROUPS 64u
/* The pairs of uses that race: a bit for each 4 * how this one uses it + how the other one did. */
#define SHARED_RACES 0xfb8cu

/* no built-in: an array that is decorated PerPrimitiveEXT */
#define MESH_PER_PRIMITIVE 0xffffffffu
/* the index of the primitive is wrong, not a vertex */
#define MESH_NO_VERTEX 0xffffffffu

/* The mistakes in a ray. */
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

/* The ring of records: host memory, one a device. Of checks: RING_SEEN counts, by a hash of site
 * and command (RING_SEEN_HASH), what was found. Only what makes a count 1 becomes a record, and
 * takes the next place. The layer sets the count to 0 when it has taken the record. So there are
 * never more records than counts, a place for each count is enough, and no shader has to look for
 * room. Of printf: words, taken as many as a record needs; `head` is the shaders', `tail` the
 * layer's. These and RING_CHECKS only ever grow (modulo 2^32). */
#define RING_SEEN_BITS  13
#define RING_SEEN_COUNT (1 << RING_SEEN_BITS)
#define RING_SEEN_HASH(sum_)                                             \
    ((sum_) >> (32 - RING_SEEN_BITS)) /* of CHECK_SITE + CHECK_RECORDING \
                                       */
/* what a record has of four words each */
#define RING_STEP    4
#define RING_STEPS   (RING_STEP * RING_SEEN_COUNT)
#define RING_RECORDS 0 /* RING_SEEN_COUNT times RECORD_CHECK_LENGTH; after them: */
#define RING_COUNTS  (RING_SEEN_COUNT * RECORD_CHECK_LENGTH)
/* each in four words, of which the others may be: */
#define RING_SEEN(hash_) (RING_COUNTS + 4 * (hash_))
/* records of checks that were begun, times RING_STEP */
#define RING_CHECKS (RING_COUNTS + 1)
#define RING_HEAD   (RING_COUNTS + 2)
#define RING_TAIL   (RING_COUNTS + 3)
#define RING_LOST   (RING_COUNTS + 5) /* printf's records for which there was no room */
/* words in the ring less 1; their number is a power of two */
#define RING_MASK       (RING_COUNTS + 6)
#define RING_CHECKS_END (RING_COUNTS + 4 * RING_SEEN_COUNT)

/* Messages of OpAbortKHR, after the checks' records. The counts have a cache line each (of 128
 * bytes), as shaders that wait for others look at the first of them again and again. Room is taken
 * in units, from the front, and never given back. The first message always has it; an invocation
 * that takes what is not there has none, as have all after it. */
/* not 0: the device is aborted. The first invocations count here before anything else is done */
#define RING_ABORT_COUNT ((RING_CHECKS_END + 31) / 32 * 32)
/* units that are taken, and those that were not there */
#define RING_ABORT_USED (RING_ABORT_COUNT + 32)
#define RING_ABORT_LOST (RING_ABORT_COUNT + 64) /* messages for which there was no room */
#define RING_ABORT      (RING_ABORT_COUNT + 96) /* the messages, one after the other */
#define ABORT_WORDS     (1 << 18)
#define ABORT_UNIT      16 /* words */
#define ABORT_UNITS     (ABORT_WORDS / ABORT_UNIT)
/* the ring's words before the records of printf */
#define RING_WORDS (RING_ABORT + ABORT_WORDS)

/* A message, as a record. */
/* in words, with this one; written last: 0 where the message is not whole (and where none is) */
#define ABORT_SIZE        0
#define ABORT_SHADER      1 /* spirv_instrument_info::shader */
#define ABORT_INSTRUCTION 2 /* index of OpAbortKHR in the module as the program gave it */
#define ABORT_STAGE       3 /* SpvExecutionModel */
#define ABORT_STAGE_WORDS 4 /* three: as RECORD_STAGE_WORDS */
#define ABORT_RECORDING   7 /* COMMAND_RECORDING */
#define ABORT_COMMAND     8 /* COMMAND_INDEX */
#define ABORT_SITE        9 /* index in spirv_abort_sites */
/* the parts of the message that are not constant: spirv_abort_leaf */
#define ABORT_MESSAGE 10
/* The most bytes that are kept of a message
 * (VkPhysicalDeviceShaderAbortPropertiesKHR::maxShaderAbortMessageSize). Each may be a word, and
 * all have room. */
#define ABORT_BYTES_MOST 65536

/* The words that the pointer which a command pushes leads to. Two words each for addresses; what is
 * needed together lies in the same four. */
#define COMMAND_RECORDING   0 /* times RECORDING_FACTOR, and COMMAND_INDEX */
#define COMMAND_INDEX       1 /* times COMMAND_FACTOR */
#define COMMAND_RING        2 /* address */
#define COMMAND_ALIVE       4 /* address of a byte for each slot of the object table */
#define COMMAND_ALIVE_LIMIT 6 /* slots that have a byte */
#define COMMAND_RANGES      8 /* address of the header of the buffers' addresses */
/* address of data that a kind of command adds: vertex buffers of a draw; 0: no such data */
#define COMMAND_EXTRA 10
/* address of the table in which shaders note touched descriptors (TOUCHED_...); 0: not wanted */
#define COMMAND_TOUCHED 12
/* addresses: of each set's table, of as many sets as shaders may ask for; 0: nothing is known of
 * it */
#define COMMAND_TABLES 14

/* COMMAND_EXTRA of a draw: where the vertex buffers end, for the attribute that does so first: once
 * by vertex, and after that by instance. */
#define VERTICES_LIMIT      0 /* indices are below it; 0xffffffff: there is no limit */
#define VERTICES_PLACE      1 /* location | binding << 16 */
#define VERTICES_ELEMENTS   2 /* that the buffer has of the attribute */
#define VERTICES_DIVISOR    3
#define VERTICES_BUFFER     4 /* id, two words */
#define VERTICES_RATE_WORDS 6
#define VERTICES_BY_VERTEX  0xffffffffu /* in place of the divisor */

/* The descriptors that a command's shaders accessed. These are a header, slots of a hash table of
 * keys (open addressing), and a list of what is in them, which the layer reads. */
#define TOUCHED_MASK  0 /* slots less 1; their number is a power of two */
#define TOUCHED_COUNT 1 /* of the list; more than the limit: the rest is lost */
#define TOUCHED_LIMIT 2 /* entries that the list has room for */
#define TOUCHED_SLOTS 4
#define TOUCHED_TRIES 64u /* slots that are looked at for one key */
/* The words of the list, after the slots: */
#define TOUCHED_KEY 0
/* ENTRY_OBJECT of the descriptor when it was accessed; 0 or ENTRY_NULL: not known */
#define TOUCHED_OBJECT 1
#define TOUCHED_SIZE   2 /* bytes of the block that the shader sees there; 0: not known */
#define TOUCHED_WORDS  4
/* A key: the descriptor's number in its set, the set, whether it is written, and the stage:
 * SpvExecutionModel + 1 up to GLCompute, then TOUCHED_STAGE_... */
#define TOUCHED_DESCRIPTOR_BITS 22
#define TOUCHED_DESCRIPTOR_MASK 0x3fffffu
#define TOUCHED_SET_SHIFT       22
#define TOUCHED_SET_MASK        0x1fu
#define TOUCHED_WRITE           0x08000000u
#define TOUCHED_STAGE_SHIFT     28
#define TOUCHED_STAGE_TASK      7u
#define TOUCHED_STAGE_MESH      8u
#define TOUCHED_STAGE_RAYS      9u

/* A set's table: a header of 4 words, then 4 words for each descriptor, in the order of
 * descriptor_binding::first. */
#define TABLE_VARIABLE_COUNT 0 /* descriptors of the last binding, where that is variable */
#define TABLE_ENTRIES        4
/* the slot of the view, buffer or sampler | generation << GENERATION_SHIFT */
#define ENTRY_OBJECT 0
#define ENTRY_NULL   0xffffffff /* as ENTRY_OBJECT: of no object that could go */
#define ENTRY_CLASS  1          /* CLASS_...; 0: never written */
/* bytes of a buffer, texels of a texel buffer; 0xffffffff: that many or more, or not known, or
 * never written. Of a combined image sampler: the sampler as ENTRY_OBJECT */
#define ENTRY_RANGE      2
#define ENTRY_WORDS      4
#define GENERATION_SHIFT 25
/* A byte of the table of live objects: ALIVE_BIT | generation (7 bits). */
#define ALIVE_BIT       0x80u
#define GENERATION_BITS 0x7fu

/* The class of a descriptor. But for the tag, it has a bit for each thing that it can be taken for.
 * It is right for a shader when it has all bits that this wants. */
#define CLASS_TAG     0x0000ff /* enum descriptor_tag */
#define CLASS_DIM     0x007f00 /* a bit for each VkImageViewType */
#define CLASS_SINGLE  0x008000 /* one sample */
#define CLASS_MULTI   0x010000 /* several samples */
#define CLASS_NUMERIC 0x0e0000 /* a bit for each enum spirv_numeric: of the format */
#define CLASS_WRITTEN 0x100000 /* of every entry that was written, and wanted of all */
#define CLASS_ANY     (CLASS_DIM | CLASS_SINGLE | CLASS_MULTI | CLASS_NUMERIC | CLASS_WRITTEN)
/* wanted alone: the shader samples through a combined image sampler */
#define CLASS_HAS_SAMPLER 0x200000
/* a bit for each enum spirv_resource up to SPIRV_RESOURCE_ACCELERATION_STRUCTURE; wanted of
 * mutable descriptors alone */
#define CLASS_RESOURCE       0xffc00000u
#define CLASS_DIM_SHIFT      8
#define CLASS_NUMERIC_SHIFT  16 /* of SPIRV_NUMERIC_FLOAT, which is 1, comes bit 17 */
#define CLASS_RESOURCE_SHIFT 21 /* of SPIRV_RESOURCE_SAMPLER, which is 1, comes bit 22 */
#define CLASS_COMBINED       2  /* DESCRIPTOR_COMBINED_IMAGE_SAMPLER */

/* The buffers whose addresses the program has: a header with the number of the list that holds now,
 * and address and length of each list. A list is not written while shaders may look at it, and its
 * number changes in one store. In a list stand address and size of each range, in two words each,
 * by increasing address; they do not overlap. After the last stands one without bytes. */
#define RANGES_CURRENT  0
#define RANGES_LISTS    4 /* four words each: the address, how many ranges, 0 */
#define RANGES_VERSIONS 63
/* number of one more list, which has RANGES_ALL: nothing is known, and all addresses are good */
#define RANGES_UNKNOWN RANGES_VERSIONS
#define RANGES_ALL     (RANGES_LISTS + 4 * (RANGES_VERSIONS + 1))
/* For each hash of a check in a shader, which range of the list it last found an address in.
 * Shaders write them, look there first, and believe nothing that the list does not say. */
#define RANGES_HINTS     (RANGES_ALL + 8)
#define RANGES_HINT_BITS 10
#define RANGES_WORDS     (RANGES_HINTS + (1 << RANGES_HINT_BITS))

#endif
