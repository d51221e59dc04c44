/* The layer's own shaders (buffers_*.comp), which look at what commands read from buffers, and the
 * layer agree on this file. It is included by C and by GLSL. Offsets are in 32-bit words.
 * Threads: memory that the layer has written before the submission that reads it. */
#ifndef ASSAY_GPU_SHADERS_BUFFERS_H
#define ASSAY_GPU_SHADERS_BUFFERS_H

/* A job is what one command has to be looked at for. It is words in memory of the layer's, at a
 * multiple of 64 bytes below 2^51. A dispatch of one workgroup does it. The base of its workgroup
 * says where the job is: 15 bits of (address / 64) in each dimension. All devices have 65,535
 * workgroups in each. */
#define JOB_BITS        15
#define JOB_GRANULE     64
#define JOB_INVOCATIONS 128 /* all devices have that many */

/* All jobs. Addresses are two words. */
#define JOB_RECORD 0 /* address: the command's COMMAND_... */
#define JOB_DATA   2 /* address of the memory that is looked at */

/* buffers_limits.comp: structures, each of whose members has limits. */
/* address of a word that says how many structures there are; 0: LIMITS_COUNT of them */
#define LIMITS_COUNT_ADDRESS 4
#define LIMITS_COUNT         6 /* structures at most */
#define LIMITS_STRIDE        7 /* words from one to the next */
#define LIMITS_COUNT_LIMIT   8 /* the most that the word at LIMITS_COUNT_ADDRESS may say */
#define LIMITS_RULE_COUNT    9
/* address of RANGES_...: of the buffers, or of the acceleration structures; always there, as
 * drivers may load from it all the same */
#define LIMITS_TABLE 10
/* Address of where the structures are copied, close together, for the command to read instead; 0:
 * nowhere. One that breaks a rule is copied with zeros in some words, so that nothing is done for
 * it. */
#define LIMITS_SAFE 12
/* words of a structure | the first that becomes 0 << 8 | how many do << 16 */
#define LIMITS_SAFE_WORDS 14
/* LIMITS_RULE_WORDS each: the rule, | word << 8 | another word << 16 | LIMIT_... << 24; then 64
 * bits of the limit */
#define LIMITS_RULES      16
#define LIMITS_RULE_WORDS 3
#define LIMITS_RULES_MOST 16
#define LIMIT_WORD        0 /* is at most the limit */
#define LIMIT_WORD64      1 /* two words are at most the limit */
#define LIMIT_PRODUCT     2 /* the product of three words is at most the limit */
#define LIMIT_SUM         3 /* the sum of the word and the other word is at most the limit */
#define LIMIT_MULTIPLE    4 /* two words are a multiple of the limit, a power of two */
/* a float is at most the one three words on; the limit says where that is: numbers of the build
 * and its geometry */
#define LIMIT_ORDERED 5
/* three rows of four floats, whose first three columns are a matrix that has an inverse: no row,
 * and no column, is zero. Likewise */
#define LIMIT_INVERTIBLE 6
/* like LIMIT_INVERTIBLE, for an instance that names an acceleration structure */
#define LIMIT_INSTANCE 7
/* two words are 0 or the address of an acceleration structure in the table. Likewise */
#define LIMIT_REFERENCE 8
/* an address, and as many bytes as the two other words say, lie in a buffer of the table. The bytes
 * are reported as the limit */
#define LIMIT_RANGE 9
/* two words, and four on two of the size, are not bytes of another structure's, nor of what the two
 * words before say of any. Which one is reported as the limit: twice its number, | 1 in the first
 * case */
#define LIMIT_APART 10
#define LIMIT_EQUAL 11    /* is the limit */
#define LIMIT_LEAST 12    /* is 0 or at least the other word, which is reported as the limit */
#define LIMIT_ONE   0xffu /* in the place of the other word's number: its value is 1 */

/* buffers_indices.comp: indices of one draw or of several, which, with the vertex offset, are below
 * a limit. JOB_DATA: the index buffer's range. */
#define INDICES_SHIFT    4 /* an index has 1 << this bytes */
#define INDICES_IN_RANGE 5 /* whole indices in that range; those beyond are not looked at */
#define INDICES_LIMIT    6 /* vertices there are */
#define INDICES_RESTART  7 /* 1: the highest index ends a primitive */
/* the rule, | binding << 8 | location << 16: of the attribute that is the first to end */
#define INDICES_RULE 8
/* address of VkDrawIndexedIndirectCommand structures; 0: of one, in the job, INDICES_DRAW */
#define INDICES_PARAMETERS    9
#define INDICES_COUNT_ADDRESS 11 /* as LIMITS_COUNT_ADDRESS */
#define INDICES_DRAWS         13
#define INDICES_STRIDE        14
#define INDICES_MOST          15 /* indices of a draw that are looked at */
#define INDICES_PRIMITIVE     16 /* indices of a primitive: those that are left over are not used */
#define INDICES_LEAST         17 /* fewer make no primitive */
#define INDICES_DRAW          18 /* indexCount, instanceCount, firstIndex, vertexOffset */

/* buffers_depths.comp: floats of a region of a copy, which are between 0 and 1. JOB_DATA: its first
 * texel. */
#define DEPTHS_WIDTH       4 /* texels */
#define DEPTHS_HEIGHT      5
#define DEPTHS_DEPTH       6 /* or layers */
#define DEPTHS_ROW         7 /* texels from one row to the next */
#define DEPTHS_SLICE       8 /* texels from one slice to the next */
#define DEPTHS_REGION      9 /* the rule, | number of the region << 8 */
#define DEPTHS_FIRST_ROW   10
#define DEPTHS_FIRST_SLICE 11

/* The rules (first error word of ERROR_COMMAND). The others: which structure, draw, or region; the
 * value and the limit (64 bits each), or as said. */
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
#define BUFFER_RULES_OF_LIMITS                  49 /* all above have a value and a limit */
#define BUFFER_RULE_COUNT                       49 /* 0, count, 0, limit, 0 */
/* draw, place in the index buffer, index, vertex offset, vertices; with the attribute, as
 * INDICES_RULE: the rule is the low byte */
#define BUFFER_RULE_INDEX 50
/* x, y, z or layer, bits of the value; with the region, as DEPTHS_REGION */
#define BUFFER_RULE_DEPTH 51
/* 52 to 57: which primitive or instance, two values, numbers of the build and its geometry */
#define BUFFER_RULE_AABB_X             52
#define BUFFER_RULE_AABB_Y             53
#define BUFFER_RULE_AABB_Z             54
#define BUFFER_RULE_TRANSFORM          55
#define BUFFER_RULE_INSTANCE_TRANSFORM 56
#define BUFFER_RULE_INSTANCE_REFERENCE 57
#define BUFFER_RULE_COPY_SRC_RANGE     58 /* 58 to 60: which structure, address, bytes */
#define BUFFER_RULE_COPY_DST_RANGE     59
#define BUFFER_RULE_COPY_IMAGE_RANGE   60
#define BUFFER_RULE_COPY_OVERLAP       61 /* which structure, address, LIMIT_APART */

#endif
