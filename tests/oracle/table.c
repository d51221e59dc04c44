/* Measures what barriers over everything cost, by the number of ranges that are tracked. It prints
 * the table of docs/bench.md ("Barriers over everything"). Builds contexts of 10^2 to 10^6 ranges
 * of 256 bytes, each of them written once. */
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sync/access/access_context.h"

#define BARRIERS_A_ROUND 1000
#define LOOKS            64
#define RANGE            256

static struct sync_queue queue;

static double table_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void touch_range(struct sync_context *context, uint64_t range, enum sync_usage usage,
                        uint64_t tag)
{
    const struct sync_place place = {1, range * RANGE, (range + 1) * RANGE};
    const struct sync_access access = {.tag = tag, .usage = (uint16_t)usage};
    sync_context_access(context, &place, &access);
}

static struct sync_barrier table_barrier(VkPipelineStageFlags2 src, VkAccessFlags2 src_accesses,
                                         VkPipelineStageFlags2 dst, VkAccessFlags2 dst_accesses)
{
    return (struct sync_barrier){.src = sync_scope_source(src, src_accesses, &queue),
                                 .dst = sync_scope_destination(dst, dst_accesses, &queue)};
}

/* Measures one barrier, in ns. */
static double append_barrier(struct sync_context *context, const struct sync_barrier *one)
{
    const struct sync_barriers barriers = {
        .tag = 1, .global_count = 1, .barrier_count = 1, .barriers = one};
    double began = table_now();
    for (unsigned i = 0; i < BARRIERS_A_ROUND; i++)
        sync_context_barriers(context, &barriers);
    return (table_now() - began) / BARRIERS_A_ROUND;
}

/* Measures one access to a range that has not been looked at since the barriers, in ns: the median.
 */
static int by_size(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static double look_at_ranges(struct sync_context *context, uint64_t ranges, uint64_t first,
                             enum sync_usage usage)
{
    double costs[LOOKS];
    for (uint64_t i = 0; i < LOOKS; i++) {
        uint64_t range = (first + i * 7919) % ranges;
        double began = table_now();
        touch_range(context, range, usage, 2);
        costs[i] = table_now() - began;
    }
    qsort(costs, LOOKS, sizeof *costs, by_size);
    return costs[LOOKS / 2];
}

struct row {
    double made, barrier, up_to_date, passed_by, caught_up, bytes;
};

static struct row measure_ranges(uint64_t ranges)
{
    const struct sync_barrier useless =
        table_barrier(VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                      VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, VK_ACCESS_2_SHADER_SAMPLED_READ_BIT);
    const struct sync_barrier useful =
        table_barrier(VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                      VK_PIPELINE_STAGE_2_COPY_BIT,
                      VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT);
    struct sync_context context;
    struct row row;
    sync_context_init(&context, false);
    double began = table_now();
    for (uint64_t i = 0; i < ranges; i++)
        touch_range(&context, i, SYNC_COPY_TRANSFER_WRITE, 1);
    row.made = (table_now() - began) / (double)ranges;
    row.barrier = append_barrier(&context, &useless);
    row.passed_by = look_at_ranges(&context, ranges, 0, SYNC_COPY_TRANSFER_READ);
    append_barrier(&context, &useful);
    row.caught_up = look_at_ranges(&context, ranges, ranges / 2, SYNC_COPY_TRANSFER_READ);
    row.up_to_date = look_at_ranges(&context, ranges, ranges / 2, SYNC_COPY_TRANSFER_READ);
    row.bytes = (double)arena_size(&context.arena) / (double)ranges;
    sync_context_free(&context);
    return row;
}

static double lesser_of(double a, double b)
{
    return a < b ? a : b;
}

/* The best of several rounds: other work on the machine only ever adds time. */
#define ROUNDS 7
static void print_row(uint64_t ranges)
{
    struct row best = measure_ranges(ranges);
    for (unsigned i = 1; i < ROUNDS; i++) {
        struct row row = measure_ranges(ranges);
        best = (struct row){lesser_of(best.made, row.made),
                            lesser_of(best.barrier, row.barrier),
                            lesser_of(best.up_to_date, row.up_to_date),
                            lesser_of(best.passed_by, row.passed_by),
                            lesser_of(best.caught_up, row.caught_up),
                            row.bytes};
    }
    printf("| %llu | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f |\n", (unsigned long long)ranges,
           best.made, best.barrier, best.up_to_date, best.passed_by, best.caught_up, best.bytes);
}

void print_table(void)
{
    queue = sync_queue_of(0);
    puts("| ranges | a range's first access | a barrier | an access | after 1,000 barriers that "
         "add nothing | after 2,000, of which half add | bytes a range |");
    puts("|---|---|---|---|---|---|---|");
    for (uint64_t ranges = 100; ranges <= 1000000; ranges *= 10)
        print_row(ranges);
}
