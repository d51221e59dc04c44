/* Where in the program a call came from. The only file that needs GNU extensions: they must not change what the C library's
 * functions elsewhere resolve to. */
#define _GNU_SOURCE
#include "report/report.h"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

struct caller caller_describe(const void *return_address)
{
    struct caller caller = {0};
    if (!return_address)
        return caller;
    /* One byte back is inside the call instruction: the line of the call, not of what follows it. */
    const char *address = (const char *)return_address - 1;
    Dl_info info = {0};
    if (!dladdr(address, &info) || !info.dli_fname) {
        caller.offset = (uint64_t)(uintptr_t)address;
        return caller;
    }
    caller.module = info.dli_fname;
    caller.offset = (uint64_t)(address - (const char *)info.dli_fbase);
    if (info.dli_sname) {
        caller.symbol = info.dli_sname;
        caller.symbol_offset = (uint64_t)(address - (const char *)info.dli_saddr);
    }
    return caller;
}

uint32_t caller_thread(void)
{
    return (uint32_t)syscall(SYS_gettid);
}
