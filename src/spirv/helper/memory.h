/* Gives SPIRV-Tools memory in the helper library: between begin and end the calling thread has a
 * heap of its own. Threads: the heap is the calling thread's own. */
#ifndef ASSAY_SPIRV_HELPER_MEMORY_H
#define ASSAY_SPIRV_HELPER_MEMORY_H

/* `no_memory` is called when memory is out, and does not return. */
void helper_memory_begin(void (*no_memory)(void));
void helper_memory_end(void);

#endif
