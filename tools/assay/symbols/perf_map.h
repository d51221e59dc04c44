/* Finds the names of code that was made at run time, in /tmp/perf-PID.map, which the tool perf
 * reads as well. CPython (-X perf), Node, LuaJIT, Mono, .NET and others write it: an address, a
 * size and a name in each line. A process may add lines at any time, also for new code at an old
 * address: the last line counts.
 *
 * The file must belong to this user and not be a link, since anybody may write to /tmp. Threads:
 * one. */
#ifndef ASSAY_TOOL_PERF_MAP_H
#define ASSAY_TOOL_PERF_MAP_H

#include <stdint.h>

struct perf_maps;
struct perf_maps *perf_maps_new(void); /* makes an empty set of maps; NULL: memory is out */
void perf_maps_free(struct perf_maps *maps);

/* Returns the name of the function at an address, and the offset in it; NULL: no map has it. The
 * name is valid until the next call. `maps` may be NULL. */
const char *perf_maps_function(struct perf_maps *maps, uint64_t process, uint64_t address,
                               uint64_t *from_begin);

#endif
