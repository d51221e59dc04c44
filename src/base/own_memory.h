/* Reads memory of this process that may not be mapped. Threads: any. */
#ifndef ASSAY_BASE_OWN_MEMORY_H
#define ASSAY_BASE_OWN_MEMORY_H

#include <stdint.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/base.h"

/* Copies memory with the kernel, so that there is no fault, even if another thread unmaps it at
 * this moment. False: some of it is not mapped, or the system refuses, as some sandboxes do.
 * Threads: any. */
static inline MUST_CHECK bool own_memory_read(void *copy, const void *address, size_t size)
{
    struct iovec local = {.iov_base = copy, .iov_len = size};
    struct iovec remote = {.iov_base = (void *)(uintptr_t)address, .iov_len = size};
    return syscall(SYS_process_vm_readv, getpid(), &local, 1ul, &remote, 1ul, 0ul) == (long)size;
}

#endif
