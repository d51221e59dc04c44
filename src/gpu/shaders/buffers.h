/* Defines the data that the layer shares with its own shaders (buffers_*.comp), which check data
 * that commands read from buffers. C and GLSL include it. Offsets are in 32-bit words.
 * Threads: the layer writes the memory before the submission that reads it. */
#ifndef ASSAY_GPU_SHADERS_BUFFERS_H
#define ASSAY_GPU_SHADERS_BUFFERS_H

/* A job describes the check of one command. It has words in the layer's memory, at a multiple of 64
 * bytes below 2^51. A dispatch of one workgroup runs it. The base of that workgroup encodes the
 * job's address: 15 bits of (address / 64) in each dimension. All devices have 65,535 workgroups in
 * each. */
#define JOB_BITS        15
#define JOB_GRANULE     64
#define JOB_INVOCATIONS 128 /* all devices support that many */

/* Words of all jobs. Addresses have two words. */
#define JOB_RECORD 0 /* address of the command's record (COMMAND_...) */
#define JOB_DATA   2 /* address of the memory that is checked */

/* buffers_limits.comp: checks structures whose members have limits. */
/* address of a word with the number of structures; 0: there are LIMITS_COUNT */
#define LIMITS_COUNT_ADDRESS 4
#define LIMITS_COUNT         6 /* the most structures that are checked */
#define LIMITS_STRIDE        7 /* words from one to the next */
#define LIMITS_COUNT_LIMIT   8 /* the most that the word at LIMITS_COUNT_ADDRESS may be */
#define LIMITS_RULE_COUNT    9
/* address of RANGES_..., of the buffers or of the acceleration structures. It is always set, as
 * drivers may load from it even if no rule needs it */
#define LIMITS_TABLE 10
/* Address to which the structures are copied, without gaps, for the command to read; 0: they are
 * not copied. In the copy of a structure that breaks a rule some words are zero, so that it has no
 * effect. */
#define LIMITS_SAFE 12
/* words of a structure | first word that is zeroed << 8 | number of zeroed words << 16 */
#define LIMITS_SAFE_WORDS 14
/* LIMITS_RULE_WORDS words for each rule: the rule | word << 8 | another word << 16 | LIMIT_... <<
 * 24; then the 64 bits of the limit */
#define LIMITS_RULES      16
#define LIMITS_RULE_WORDS 3
#define LIMITS_RULES_MOST 16
#define LIMIT_WORD        0 /* the word is at most the limit */
#define LIMIT_WORD64      1 /* two words are at most the limit */
#define LIMIT_PRODUCT     2 /* the product of three words is at most the limit */
#define LIMIT_SUM         3 /* the sum of the word and the other word is at most the limit */
#define LIMIT_MULTIPLE    4 /* two words are a multiple of the limit, a power of two */
/* a float is at most the one three words later; the limit holds the numbers of the build and its
 * geometry, for the report */
#define LIMIT_ORDERED 5
/* three rows of four floats, whose first three columns are an invertible matrix: no row and no
 * column is zero. The limit is as for LIMIT_ORDERED */
#define LIMIT_INVERTIBLE 6
/* like LIMIT_INVERTIBLE, for an instance that names an acceleration structure */
#define LIMIT_INSTANCE 7
/* two words are 0 or the address of an acceleration structure in the table. The limit is as for
 * LIMIT_ORDERED */
#define LIMIT_REFERENCE 8
/* an address, and as many bytes as the two other words say, are in one buffer of the table. The
 * bytes are reported as the limit */
#define LIMIT_RANGE 9
/* the destination range (two words of address, and two of the size four words later) overlaps no
 * other structure's destination, and no source, whose address is in the two words before. The other
 * structure's number times 2, | 1 for a destination, is reported as the limit */
#define LIMIT_APART 10
#define LIMIT_EQUAL 11 /* the word is the limit */
/* the word is 0 or at least the other word, which is reported as the limit */
#define LIMIT_LEAST 12
#define LIMIT_ONE   0xffu /* instead of another word's number: the other value is 1 */

/* buffers_indices.comp: checks that the indices of one or several draws, with the vertex offset,
 * are below a limit. JOB_DATA is the index buffer's range. */
#define INDICES_SHIFT    4 /* an index has 1 << this bytes */
#define INDICES_IN_RANGE 5 /* whole indices in that range; further ones are not checked */
#define INDICES_LIMIT    6 /* number of vertices */
#define INDICES_RESTART  7 /* 1: the highest index restarts the primitive */
/* the rule | binding << 8 | location << 16, of the attribute that ends first */
#define INDICES_RULE 8
/* address of VkDrawIndexedIndirectCommand structures; 0: there is one in the job, at
 * INDICES_DRAW */
#define INDICES_PARAMETERS    9
#define INDICES_COUNT_ADDRESS 11 /* as LIMITS_COUNT_ADDRESS */
#define INDICES_DRAWS         13
#define INDICES_STRIDE        14
#define INDICES_MOST          15 /* the most indices of a draw that are checked */
#define INDICES_PRIMITIVE     16 /* indices of a primitive; a remainder is not used */
#define INDICES_LEAST         17 /* fewer indices make no primitive */
#define INDICES_DRAW          18 /* indexCount, instanceCount, firstIndex, vertexOffset */

/* buffers_depths.comp: checks that the floats of a copy's region are between 0 and 1. JOB_DATA is
 * its first texel. */
#define DEPTHS_WIDTH       4 /* texels */
#define DEPTHS_HEIGHT      5
#define DEPTHS_DEPTH       6 /* depth, or number of layers */
#define DEPTHS_ROW         7 /* texels from one row to the next */
#define DEPTHS_SLICE       8 /* texels from one slice to the next */
#define DEPTHS_REGION      9 /* the rule | number of the region << 8 */
#define DEPTHS_FIRST_ROW   10
#define DEPTHS_FIRST_SLICE 11

/* The rules, which are the first error word of ERROR_COMMAND. The other words are the number of the
 * structure, draw or region, then the value and the limit (64 bits each), unless a comment says
 * otherwise. */
#define BUFFER_RULE_DISPATCH_X                  0
#define BUFFER_RULE_DISPATCH_Y                  1
#define BUFFER_RULE_DISPATCH_Z                  2
#define BUFFER_RULE_FIRST_INSTANCE              3
#define BUFFER_RULE_FIRST_INSTANCE_INDEXED      4
#define BUFFER_RULE_INDEX_RANGE                 5
#define BUFFER_RULE_TASK_X                      6
#define BUFFER_RULE_TASK_Y                      7
#define BUFFER_RULE_TASK_Z                      8
#define BUFFER_RULE_TASK_TOTAL                  9
#define BUFFER_RULE_MESH_X                      10
#define BUFFER_RULE_MESH_Y                      11
#define BUFFER_RULE_MESH_Z                      12
#define BUFFER_RULE_MESH_TOTAL                  13
#define BUFFER_RULE_TASK_COUNT_NV               14
#define BUFFER_RULE_TRACE_WIDTH                 15
#define BUFFER_RULE_TRACE_HEIGHT                16
#define BUFFER_RULE_TRACE_DEPTH                 17
#define BUFFER_RULE_TRACE_TOTAL                 18
#define BUFFER_RULE_TRACE2_WIDTH                19
#define BUFFER_RULE_TRACE2_HEIGHT               20
#define BUFFER_RULE_TRACE2_DEPTH                21
#define BUFFER_RULE_TRACE2_TOTAL                22
#define BUFFER_RULE_TRACE2_RAYGEN               23
#define BUFFER_RULE_TRACE2_MISS                 24
#define BUFFER_RULE_TRACE2_HIT                  25
#define BUFFER_RULE_TRACE2_CALLABLE             26
#define BUFFER_RULE_TRACE2_MISS_STRIDE          27
#define BUFFER_RULE_TRACE2_HIT_STRIDE           28
#define BUFFER_RULE_TRACE2_CALLABLE_STRIDE      29
#define BUFFER_RULE_TRACE2_MISS_STRIDE_MOST     30
#define BUFFER_RULE_TRACE2_HIT_STRIDE_MOST      31
#define BUFFER_RULE_TRACE2_CALLABLE_STRIDE_MOST 32
#define BUFFER_RULE_COPY_SRC                    33
#define BUFFER_RULE_COPY_DST                    34
#define BUFFER_RULE_COPY_SIZE                   35
#define BUFFER_RULE_COPY_IMAGE_SRC              36
#define BUFFER_RULE_INSTANCE_POINTER            37
#define BUFFER_RULE_COPY_IMAGE_TEXEL            38
#define BUFFER_RULE_COPY_IMAGE_ROW              39
#define BUFFER_RULE_COPY_IMAGE_ROWS             40
#define BUFFER_RULE_COPY_IMAGE_X                41
#define BUFFER_RULE_COPY_IMAGE_Y                42
#define BUFFER_RULE_COPY_IMAGE_ASPECT           43
#define BUFFER_RULE_COPY_IMAGE_MIP              44
#define BUFFER_RULE_COPY_IMAGE_LAYER            45
#define BUFFER_RULE_COPY_IMAGE_LAYERS           46
#define BUFFER_RULE_COPY_IMAGE_Z                47
#define BUFFER_RULE_COPY_IMAGE_DEPTH            48
/* number of the rules above, all of which have a value and a limit */
#define BUFFER_RULES_OF_LIMITS 49
#define BUFFER_RULE_COUNT      49 /* 0, count, 0, limit, 0 */
/* draw, position in the index buffer, index, vertex offset, vertices. The first word is as
 * INDICES_RULE, with the rule in the low byte */
#define BUFFER_RULE_INDEX 50
/* x, y, z or layer, bits of the value. The first word is as DEPTHS_REGION */
#define BUFFER_RULE_DEPTH 51
/* 52 to 57: number of the primitive or instance, two values, numbers of the build and its
 * geometry */
#define BUFFER_RULE_AABB_X             52
#define BUFFER_RULE_AABB_Y             53
#define BUFFER_RULE_AABB_Z             54
#define BUFFER_RULE_TRANSFORM          55
#define BUFFER_RULE_INSTANCE_TRANSFORM 56
#define BUFFER_RULE_INSTANCE_REFERENCE 57
#define BUFFER_RULE_COPY_SRC_RANGE     58 /* 58 to 60: number of the structure, address, bytes */
#define BUFFER_RULE_COPY_DST_RANGE     59
#define BUFFER_RULE_COPY_IMAGE_RANGE   60
/* number of the structure, address, and the limit of LIMIT_APART */
#define BUFFER_RULE_COPY_OVERLAP 61

#endif
