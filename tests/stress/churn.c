/* Checks that the layer's memory stays where it is, however many objects come and go. ASSAY_CHURN
 * says how many pairs of vkCreateBuffer and vkDestroyBuffer; 2 million unless it is set, of which
 * some are made while other objects are alive. */
#include "threads/program.h"

#include <time.h>
#include <unistd.h>

#define PAIRS_DEFAULT 2000000
#define WARM_UP       20000
#define ALIVE         64 /* buffers at once */
/* Bytes: what the C library keeps for itself; a slot of the layer for each pair would be 128 MB. A
 * sanitizer keeps what is freed. */
#define GROWTH_MOST (SANITIZED ? 1l << 30 : 1l << 20)

static long churn_resident_bytes(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    ENSURE(file && fscanf(file, "%*d %ld", &pages) == 1);
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

static double churn_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Through a window of buffers, so that slots are not only taken from and given to the top of a
 * list. */
static void churn_buffers(struct program *program, unsigned long pairs)
{
    VkBuffer window[ALIVE] = {VK_NULL_HANDLE};
    for (unsigned long i = 0; i < pairs; i++) {
        VkBuffer *place = &window[i * 7 % ALIVE];
        vkDestroyBuffer(program->device, *place, NULL);
        *place = make_buffer(program);
    }
    for (int i = 0; i < ALIVE; i++)
        vkDestroyBuffer(program->device, window[i], NULL);
}

int main(void)
{
    const char *given = getenv("ASSAY_CHURN");
    unsigned long pairs = given ? strtoul(given, NULL, 10) : PAIRS_DEFAULT;
    struct program program;
    program_create(&program);
    require_layer(&program);
    churn_buffers(&program, WARM_UP);
    long before = churn_resident_bytes();
    double start = churn_seconds();
    churn_buffers(&program, pairs);
    double took = churn_seconds() - start;
    long after = churn_resident_bytes();
    printf("%lu pairs in %.1f s, %.0f ns a pair; resident before %ld KiB, after %ld KiB\n", pairs,
           took, took * 1e9 / (double)pairs, before / 1024, after / 1024);
    ENSURE(after - before <= GROWTH_MOST);
    bool silent = findings_are_none(&program.findings, "churn");
    program_destroy(&program);
    return silent && findings_are_none(&program.findings, "churn") ? EXIT_SUCCESS : EXIT_FAILURE;
}
