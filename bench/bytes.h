/* Measures how much memory an object costs. */
#ifndef BENCH_BYTES_H
#define BENCH_BYTES_H

#include <stdint.h>

/* Prints a line "KIND bytes" for each kind of object: growth of resident memory per object with
 * `count` of the kind alive. */
void bytes_measure(uint32_t count);

/* Makes `count` command buffers, each of memory that no earlier one had, and prints "STEP ns ns"
 * for each step: what the quickest tenth took at most, and the median. fresh_allocate is its
 * allocation, fresh_record begins it, copies and ends it, record_again does the same again. */
void fresh_measure(uint32_t count);

#endif
