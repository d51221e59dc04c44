/* The kernels and the program that runs them agree on this file: it is included by C and by GLSL.
 */
#ifndef BENCH_GPU_CONSTANTS_H
#define BENCH_GPU_CONSTANTS_H

#define GROUP_SIZE      128
#define TEXTURE_COUNT   64
#define TILE_SIDE       8 /* the tiles of a product are GROUP_SIZE / TILE_SIDE by TILE_SIDE */
#define TILES           16
#define TEXTURE_SIDE    64  /* texels */
#define BLURRED         4   /* textures of the blur */
#define BINS            128 /* of the histogram: at most GROUP_SIZE */
#define SCREEN_TEXTURES 4   /* that a screen samples */
#define SCREEN_COLUMNS  50  /* of small triangles on a screen */
#define SCREEN_ROWS     40
/* Every result is XORed with it. The program looks for it among the module's constants, and puts
 * another in its place where it needs code that is new to all drivers and layers. Hence it is a
 * number that is nothing else in there. */
#define SALT 0x5a17c0deu

#endif
