/* Allocations that fail: the linker puts these in place of the layer's own (--wrap), and the test
 * says, in memory_is_out(), which one fails. */
#ifndef ASSAY_UNIT_FAILING_MEMORY_H
#define ASSAY_UNIT_FAILING_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

bool memory_is_out(void);

void *__real_mem_alloc(size_t size);
void *__real_mem_alloc_zeroed(size_t size);
void *__real_mem_resize(void *memory, size_t size);
void *__wrap_mem_alloc(size_t size);
void *__wrap_mem_alloc_zeroed(size_t size);
void *__wrap_mem_resize(void *memory, size_t size);

void *__wrap_mem_alloc(size_t size)
{
    return memory_is_out() ? NULL : __real_mem_alloc(size);
}

void *__wrap_mem_alloc_zeroed(size_t size)
{
    return memory_is_out() ? NULL : __real_mem_alloc_zeroed(size);
}

void *__wrap_mem_resize(void *memory, size_t size)
{
    return memory_is_out() ? NULL : __real_mem_resize(memory, size);
}

#endif
