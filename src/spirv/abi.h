/* Defines the data that instrumented shaders share with the layer. C and GLSL include it. Offsets
 * and sizes are in 32-bit words unless a comment says otherwise.
 * Threads: shaders take room with atomics, and one thread at a time reads (gpu/device/ring.h). */
#ifndef ASSAY_SPIRV_ABI_H
#define ASSAY_SPIRV_ABI_H

/* A record about the command that ran. The stage has three words, and the error six. Printf writes
 * it in this form. A check writes CHECK_... words, from which the CPU makes a record, as it knows
 * the constant parts. */
/* size in words, with this one; written last: the record is complete if it is not 0 */
#define RECORD_SIZE        0
#define RECORD_SHADER      1 /* spirv_instrument_info::shader */
#define RECORD_INSTRUCTION 2 /* index in the program's own module */
#define RECORD_STAGE       3 /* SpvExecutionModel */
#define RECORD_STAGE_WORDS 4 /* three words, by stage: gpu/report/report.c */
#define RECORD_RECORDING   7 /* number of the recording of a command buffer; 0: unknown */
/* number of the command in the command buffer: command_buffer::command_number */
#define RECORD_COMMAND     8
#define RECORD_ERROR       9 /* ERROR_... */
#define RECORD_ERROR_WORDS 10
/* words of a record that is not printf's: both in the ring (CHECK_...) and when it is complete */
#define RECORD_CHECK_LENGTH 16
/* the most words of a printf record; the rest is left out */
#define RECORD_MOST 128

/* The words that a check writes. The first ones are copied from the command's record. */
#define CHECK_RECORDING 0 /* COMMAND_RECORDING */
#define CHECK_COMMAND   1 /* COMMAND_INDEX */
/* 1; written last. Before that the word holds the ring's address, which is never 1 */
#define CHECK_WHOLE       2
#define CHECK_STAGE_WORDS 4 /* three */
#define CHECK_SHADER      7
/* shader + number of its site (spirv_site) * SITE_FACTOR; unused for SHADER_OF_LAYER */
#define CHECK_SITE  8
#define CHECK_WORDS 9 /* three words that only the shader knows */
/* three more words, which most checks do not write */
#define CHECK_MORE_WORDS 12
#define SHADER_OF_LAYER  0xffffffffu /* CHECK_SHADER: src/gpu/shaders/buffers_*; ERROR_COMMAND */

/* The factors spread numbers that differ little over all bits, so that their sum is a hash. The
 * inverses undo the multiplication (modulo 2^32). */
#define SITE_FACTOR       0x9e3779b1u
#define SITE_INVERSE      0x0e8b2f51u
#define RECORDING_FACTOR  0x27d4eb2fu
#define RECORDING_INVERSE 0xa0fe3bcfu
#define COMMAND_FACTOR    0x165667b1u
#define COMMAND_INVERSE   0xae398151u
/* Return the numbers in COMMAND_RECORDING and COMMAND_INDEX. */
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
/* set | base << 5, binding, index, element, elements, stride: an access to an element of the array
 * at byte `base` */
#define ERROR_STORAGE_BUFFER_ELEMENT 28
#define ERROR_TEXEL_BUFFER_RANGE     6  /* set, binding, index, texel, texels in the view */
#define ERROR_ADDRESS_RANGE          7  /* address low, high, bytes accessed, is a write */
#define ERROR_ADDRESS_ALIGNMENT      8  /* address low, high, bytes, is a write, alignment */
#define ERROR_DIVISION_BY_ZERO       9  /* VALUE_..., dividend, divisor */
#define ERROR_SHIFT                  10 /* VALUE_..., shift, base */
/* VALUE_... with the GLSLstd450 instruction, the first two operands; for a clamp, its limits */
#define ERROR_MATH        11
#define ERROR_MESH_OUTPUT 12 /* vertices, most vertices, primitives, most primitives */
#define ERROR_TASK_GROUPS 13 /* x, y, z, number of the limit (3: of the product), the limit */
/* opcode, TRACE_... bits, flags, bits of Tmin, Tmax, and time */
#define ERROR_TRACE_RAY    14
#define ERROR_VERTEX_FETCH 15 /* from VERTICES_...: place, index, elements, divisor, buffer */
/* id of the variable, its scalar, own shadow word, the other one, SHARED_... masks: known, "who" */
#define ERROR_SHARED_RACE 16
#define ERROR_GATHER      17 /* component, 4 */
#define ERROR_PRINTF      18 /* id of the format string, then the words of the arguments */
#define ERROR_ABORT       19
/* from the layer's own shaders (src/gpu/buffers*): the rule, then its words */
#define ERROR_COMMAND 20
/* VALUE_..., dividend, divisor: the least number divided by -1 */
#define ERROR_DIVISION_OVERFLOW 21
#define ERROR_BIT_FIELD         22 /* opcode | width << 16, offset, count */
#define ERROR_VECTOR_INDEX      23 /* index, components */
#define ERROR_MESH_AGAIN        24 /* vertices that were set before */
/* the built-in or MESH_PER_PRIMITIVE, index of the primitive, primitives, vertex or
 * MESH_NO_VERTEX, vertices */
#define ERROR_MESH_INDEX 25
#define ERROR_HIT_T      26 /* bits of: T, the least T, the most T */
#define ERROR_HIT_KIND   27 /* the hit kind */
#define ERROR_RAY_QUERY  29 /* opcode of an instruction on an uninitialized ray query */

/* opcode | instruction of GLSL.std.450 << 16, or 0: unknown; component or VALUE_SCALAR; bits of the
 * value and of the operands that made it; NAN_IN_... | number of operands << NAN_OPERANDS_SHIFT */
#define ERROR_NAN          30
#define NAN_IN_BUFFER      0
#define NAN_IN_IMAGE       1
#define NAN_IN_OUTPUT      2
#define NAN_IN_INPUT       3
#define NAN_OPERANDS_SHIFT 8
/* flags of assay_nan(): an infinity counts if no operand is infinite or NaN; a NaN counts only if
 * an operand is NaN; nothing is reported */
#define NAN_INFINITE   1
#define NAN_OF_OPERAND 2
#define NAN_SILENT     4

/* in a check's record: the shader's site has the error */
#define ERROR_OF_SITE 0xffffffffu

/* The value of an invocation's note if there is nothing to report at its end. A note is the site ^
 * the invocation's salt; of several notes, the least one is kept. */
#define LATER_NOTHING 0xffffffffu

/* VALUE_... in the lists above are two words: opcode (or instruction) | width << 16, and the
 * component or VALUE_SCALAR. Values after them are integers cut to 32 bits, or the bits of 32-bit
 * floats. */
#define VALUE_SCALAR 0xffffffffu

/* A shadow word of shared memory: bits 0 and 1 are the use, and from bit 2 on follows the
 * invocation in the workgroup (mask "who"). Then follow the number of the place, as several places
 * share a word, the access (spirv_shared_site; 0: unknown), and the number of barriers before.
 * Place and barriers are the mask "known". */
#define SHARED_READ      0u
#define SHARED_READ_MANY 1u /* in shadow words: read by several invocations */
/* These values are only in the word of a new access, which is compared with shadow words. */
#define SHARED_ATOMIC_LOAD 1u
#define SHARED_ATOMIC      2u
#define SHARED_WRITE       3u
/* About so many workgroups of a dispatch are watched. */
#define SHARED_GROUPS 64u
/* The pairs of uses that race: bit (4 * this access's use + the other one's). */
#define SHARED_RACES 0xfb8cu

/* instead of a built-in: an array that is decorated PerPrimitiveEXT */
#define MESH_PER_PRIMITIVE 0xffffffffu
/* the index of the primitive is wrong, not a vertex */
#define MESH_NO_VERTEX 0xffffffffu

/* The errors of a ray. */
#define TRACE_INFINITE        0x001u /* a component of origin or direction is infinite */
#define TRACE_NAN             0x002u
#define TRACE_NEGATIVE        0x004u /* Tmin or Tmax is negative */
#define TRACE_ORDER           0x008u /* Tmin is more than Tmax */
#define TRACE_SKIPS_BOTH      0x010u
#define TRACE_CULLS_TWICE     0x020u
#define TRACE_OPAQUE_TWICE    0x040u
#define TRACE_SKIPS_TRIANGLES 0x080u /* in a pipeline that skips AABBs */
#define TRACE_SKIPS_AABBS     0x100u /* in a pipeline that skips triangles */
#define TRACE_MICROMAP        0x200u /* without the capability */
#define TRACE_TIME            0x400u

/* The ring of records: host memory, one for each device. For checks, RING_SEEN counts errors by a
 * hash of site and command (RING_SEEN_HASH). Only the error that makes a count 1 becomes a record,
 * in the next place. The layer sets the count to 0 when it has taken the record. So there are never
 * more records than counts, a place for each count is enough, and no shader has to look for room.
 * Records of printf take as many words as they need; shaders write the head, and the layer writes
 * the tail. These and RING_CHECKS only ever grow (modulo 2^32). */
#define RING_SEEN_BITS  13
#define RING_SEEN_COUNT (1 << RING_SEEN_BITS)
#define RING_SEEN_HASH(sum_)                                             \
    ((sum_) >> (32 - RING_SEEN_BITS)) /* of CHECK_SITE + CHECK_RECORDING \
                                       */
/* words that shaders write together are in one group of four */
#define RING_STEP  4
#define RING_STEPS (RING_STEP * RING_SEEN_COUNT)
/* RING_SEEN_COUNT records of RECORD_CHECK_LENGTH words; RING_COUNTS follows */
#define RING_RECORDS 0
#define RING_COUNTS  (RING_SEEN_COUNT * RECORD_CHECK_LENGTH)
/* one of four words; the other three may be used for the following: */
#define RING_SEEN(hash_) (RING_COUNTS + 4 * (hash_))
/* number of records of checks that were begun, times RING_STEP */
#define RING_CHECKS (RING_COUNTS + 1)
#define RING_HEAD   (RING_COUNTS + 2)
#define RING_TAIL   (RING_COUNTS + 3)
#define RING_LOST   (RING_COUNTS + 5) /* number of printf records for which there was no room */
/* words for printf less 1; their number is a power of two */
#define RING_MASK       (RING_COUNTS + 6)
#define RING_CHECKS_END (RING_COUNTS + 4 * RING_SEEN_COUNT)

/* Messages of OpAbortKHR, after the checks' records. The counts have a cache line each (of 128
 * bytes), as shaders that wait for others read the first of them again and again. Room is taken in
 * units, from the front, and never given back. The first message always gets room; an invocation
 * that takes units beyond the end gets none, and neither do later ones. */
/* not 0: the device is aborted. Aborting invocations first add to this count */
#define RING_ABORT_COUNT ((RING_CHECKS_END + 31) / 32 * 32)
/* units that were taken, with those beyond the end */
#define RING_ABORT_USED (RING_ABORT_COUNT + 32)
#define RING_ABORT_LOST                                                                       \
    (RING_ABORT_COUNT + 64)                 /* number of messages for which there was no room \
                                             */
#define RING_ABORT  (RING_ABORT_COUNT + 96) /* the messages, one after the other */
#define ABORT_WORDS (1 << 18)
#define ABORT_UNIT  16 /* words */
#define ABORT_UNITS (ABORT_WORDS / ABORT_UNIT)
/* the ring's words before the records of printf */
#define RING_WORDS (RING_ABORT + ABORT_WORDS)

/* A message, as a record. */
/* size in words, with this one; written last: 0 if the message is not complete, or there is none */
#define ABORT_SIZE        0
#define ABORT_SHADER      1 /* spirv_instrument_info::shader */
#define ABORT_INSTRUCTION 2 /* index of OpAbortKHR in the program's own module */
#define ABORT_STAGE       3 /* SpvExecutionModel */
#define ABORT_STAGE_WORDS 4 /* three words, as RECORD_STAGE_WORDS */
#define ABORT_RECORDING   7 /* COMMAND_RECORDING */
#define ABORT_COMMAND     8 /* COMMAND_INDEX */
#define ABORT_SITE        9 /* index in spirv_abort_sites */
/* the dynamic parts of the message: spirv_abort_leaf */
#define ABORT_MESSAGE 10
/* The most bytes that are kept of a message
 * (VkPhysicalDeviceShaderAbortPropertiesKHR::maxShaderAbortMessageSize). There is room for all of
 * them, even if each takes a word. */
#define ABORT_BYTES_MOST 65536

/* The words of a command's record, to which a command pushes a pointer. Addresses have two words;
 * words that are needed together are in the same group of four. */
#define COMMAND_RECORDING   0 /* times RECORDING_FACTOR, plus COMMAND_INDEX */
#define COMMAND_INDEX       1 /* times COMMAND_FACTOR */
#define COMMAND_RING        2 /* address */
#define COMMAND_ALIVE       4 /* address of a byte for each slot of the object table */
#define COMMAND_ALIVE_LIMIT 6 /* number of slots with such a byte */
#define COMMAND_RANGES      8 /* address of the header of the buffers' addresses */
/* address of data of some kinds of commands: vertex buffers of a draw; 0: none */
#define COMMAND_EXTRA 10
/* address of the table in which shaders report accessed descriptors (TOUCHED_...); 0: not wanted */
#define COMMAND_TOUCHED 12
/* addresses of the sets' tables, for as many sets as shaders may look up; 0: the set is not
 * known */
#define COMMAND_TABLES 14

/* COMMAND_EXTRA of a draw: where the vertex buffers end, for the attribute that ends first: once by
 * vertex, then by instance. */
#define VERTICES_LIMIT      0 /* valid indices are below it; 0xffffffff: there is no limit */
#define VERTICES_PLACE      1 /* location | binding << 16 */
#define VERTICES_ELEMENTS   2 /* elements of the attribute that the buffer has */
#define VERTICES_DIVISOR    3
#define VERTICES_BUFFER     4 /* id, two words */
#define VERTICES_RATE_WORDS 6
#define VERTICES_BY_VERTEX  0xffffffffu /* instead of a divisor */

/* The descriptors that a command's shaders accessed. The table has a header, slots of a hash table
 * of keys (open addressing), and a list of the entries, which the layer reads. */
#define TOUCHED_MASK  0 /* slots less 1; their number is a power of two */
#define TOUCHED_COUNT 1 /* number of list entries; those beyond the limit are lost */
#define TOUCHED_LIMIT 2 /* the most entries of the list */
#define TOUCHED_SLOTS 4
#define TOUCHED_TRIES 64u /* the most slots that are tried for one key */
/* The words of a list entry; the list follows the slots: */
#define TOUCHED_KEY 0
/* ENTRY_OBJECT of the descriptor when it was accessed; 0 or ENTRY_NULL: not known */
#define TOUCHED_OBJECT 1
#define TOUCHED_SIZE   2 /* bytes of the block that the shader sees; 0: not known */
#define TOUCHED_WORDS  4
/* A key has the descriptor's number in its set, the set, a bit for a write, and the stage:
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
#define TABLE_VARIABLE_COUNT 0 /* descriptors of the last binding, if their number is variable */
#define TABLE_ENTRIES        4
/* the slot of the view, buffer or sampler | generation << GENERATION_SHIFT */
#define ENTRY_OBJECT 0
#define ENTRY_NULL   0xffffffff /* instead of ENTRY_OBJECT: an object that cannot be destroyed */
#define ENTRY_CLASS  1          /* CLASS_...; 0: never written */
/* bytes of a buffer, texels of a texel buffer; 0xffffffff: that many or more, or not known, or
 * never written. For a combined image sampler it is the sampler, as ENTRY_OBJECT */
#define ENTRY_RANGE      2
#define ENTRY_WORDS      4
#define GENERATION_SHIFT 25
/* A byte of the table of live objects: ALIVE_BIT | generation (7 bits). */
#define ALIVE_BIT       0x80u
#define GENERATION_BITS 0x7fu

/* The class of a descriptor. Besides the tag, it has a bit for each use that it allows. It fits a
 * shader if it has all bits that the shader requires. */
#define CLASS_TAG     0x0000ff /* enum descriptor_tag */
#define CLASS_DIM     0x007f00 /* a bit for each VkImageViewType */
#define CLASS_SINGLE  0x008000 /* one sample */
#define CLASS_MULTI   0x010000 /* several samples */
#define CLASS_NUMERIC 0x0e0000 /* a bit for each enum spirv_numeric that the format allows */
#define CLASS_WRITTEN 0x100000 /* set in every written entry, and required by every shader */
#define CLASS_ANY     (CLASS_DIM | CLASS_SINGLE | CLASS_MULTI | CLASS_NUMERIC | CLASS_WRITTEN)
/* only in requirements: the shader samples through a combined image sampler */
#define CLASS_HAS_SAMPLER 0x200000
/* a bit for each enum spirv_resource up to SPIRV_RESOURCE_ACCELERATION_STRUCTURE; only required of
 * mutable descriptors */
#define CLASS_RESOURCE       0xffc00000u
#define CLASS_DIM_SHIFT      8
#define CLASS_NUMERIC_SHIFT  16 /* SPIRV_NUMERIC_FLOAT, which is 1, has bit 17 */
#define CLASS_RESOURCE_SHIFT 21 /* SPIRV_RESOURCE_SAMPLER, which is 1, has bit 22 */
#define CLASS_COMBINED       2  /* DESCRIPTOR_COMBINED_IMAGE_SAMPLER */

/* The addresses of buffers: a header with the number of the current list, and the address and
 * length of each list. A list is not written while shaders may read it, and the current number
 * changes in one store. A list has the address and size of each range, in two words each, sorted by
 * address; they do not overlap. The last range is followed by one without bytes. */
#define RANGES_CURRENT  0
#define RANGES_LISTS    4 /* four words for each: the address, the number of ranges, 0 */
#define RANGES_VERSIONS 63
/* number of a further list, which has RANGES_ALL: the ranges are not known, and all addresses are
 * valid */
#define RANGES_UNKNOWN RANGES_VERSIONS
#define RANGES_ALL     (RANGES_LISTS + 4 * (RANGES_VERSIONS + 1))
/* For each hash of a check in a shader, the index of the range in which it last found an address.
 * Shaders write these hints, try them first, and always compare with the list. */
#define RANGES_HINTS     (RANGES_ALL + 8)
#define RANGES_HINT_BITS 10
#define RANGES_WORDS     (RANGES_HINTS + (1 << RANGES_HINT_BITS))

#endif
