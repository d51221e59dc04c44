/* Finds pointers of a program that are wrong without following them. Threads: any; nothing is
 * kept. */
#ifndef ASSAY_VK_POINTER_H
#define ASSAY_VK_POINTER_H

#include <stdbool.h>
#include <stdint.h>

/* The first page of a process is never mapped. */
#define FIRST_PAGE 4096

/* True for a pointer that no program can have, or NULL. On x86-64 the upper half of the addresses
 * is the kernel's; elsewhere the top bits may be a tag that the hardware ignores. */
static inline bool pointer_is_bad(const void *pointer)
{
#if defined(__x86_64__)
    return (intptr_t)pointer < FIRST_PAGE;
#else
    return (uintptr_t)pointer < FIRST_PAGE;
#endif
}

#endif
