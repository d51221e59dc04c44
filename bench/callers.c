/* Measures what it costs to describe addresses in a large library (report/sink/caller.c), as the
 * call stacks of findings need. Prints one line for each row. With --budget it ends with status 1
 * where that is more than the budget, which holds for an optimized build. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report/report.h"

/* The number of the library's symbols, each of CODE_BYTES bytes: bench/many_symbols.S. */
#define SYMBOLS    76000
#define CODE_BYTES 16

/* Addresses of one finding: its own stack, and that of the access it collides with. */
#define ADDRESSES 64

static uint64_t callers_now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static const char *code_of(void *library)
{
    return library ? dlsym(library, "many_symbols_first") : NULL;
}

/* ns for ADDRESSES addresses that were not described before, spread over the library. */
static uint64_t time_finding(const char *code, uint32_t number)
{
    const uint32_t apart = SYMBOLS / ADDRESSES;
    const uint64_t start = callers_now();
    for (uint32_t i = 0; i < ADDRESSES; i++) {
        const char *address = code + (uint64_t)(i * apart + number) * CODE_BYTES + 5;
        const struct caller caller = caller_describe(address);
        if (!caller.symbol || caller.symbol_offset != 4) {
            fprintf(stderr, "an address has the wrong symbol\n");
            exit(2);
        }
    }
    return callers_now() - start;
}

/* True: it is within its budget. */
static bool tell_callers(const char *what, uint64_t took, uint64_t budget)
{
    printf("%-52s %9.3f ms (budget %.3f)\n", what, (double)took / 1e6, (double)budget / 1e6);
    return took <= budget;
}

int main(int argc, char **argv)
{
    const bool strict = argc > 2 && !strcmp(argv[2], "--budget");
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    const char *code = code_of(library);
    if (!code) {
        fprintf(stderr, "usage: bench_callers LIBRARY [--budget]\n");
        return 2;
    }
    const uint64_t first = time_finding(code, 0);
    uint64_t later = UINT64_MAX;
    for (uint32_t number = 1; number < 20; number++) {
        const uint64_t took = time_finding(code, number);
        later = took < later ? took : later;
    }
    bool held = tell_callers("a finding with 64 addresses, the first one", first, 10000000);
    held &= tell_callers("a later finding with 64 new addresses", later, 200000);
    caller_forget();
    (void)dlclose(library);
    return strict && !held;
}
