/* Measures how much memory an object costs. */
#ifndef BENCH_BYTES_H
#define BENCH_BYTES_H

#include <stdint.h>

/* Prints a line "KIND bytes" for each kind of object: growth of resident memory per object with
 * `count` of the kind alive. */
void bytes_measure(uint32_t count);

#endif
