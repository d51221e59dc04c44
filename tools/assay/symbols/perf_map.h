/* Names of code that was made at run time, from /tmp/perf-PID.map, which is the file that perf
 * reads. CPython (-X perf), Node, LuaJIT, Mono, .NET and others write it: an address, a size and a
 * name in each line. A process may add to its map at any time, and make other code in the same
 * place: the last line counts.
 *
 * The file must be one of this user's, and not a link: anybody may write to /tmp. Threads: one. */
#ifndef ASSAY_TOOL_PERF_MAP_H
#define ASSAY_TOOL_PERF_MAP_H

#include <stdint.h>

struct perf_maps;
struct perf_maps *perf_maps_new(void); /* NULL: memory is out */
void perf_maps_free(struct perf_maps *maps);

/* The function that the address lies in, and how far from its begin. NULL: no map has it. The text
 * is valid until the next call. `maps` may be NULL. */
const char *perf_maps_function(struct perf_maps *maps, uint64_t process, uint64_t address,
                               uint64_t *from_begin);

#endif
