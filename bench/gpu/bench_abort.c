/* Measures what assertions in a shader (abortEXT) cost that hold. Two kernels run with them, with
 * their conditions alone (which return), and without. They run in turn on the same device, with
 * VK_KHR_shader_abort as the driver or a layer has it.
 *
 *   bench_abort [--elements N] [--rounds N]
 *
 * It prints a line for each pair: medians, the shortest, and their ratios. It exits with 77 where
 * no device has the extension. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abort_device.h"

#include "abort_gather.h" /* made by glslang from shaders/abort.comp */
#include "abort_gather_asserted.h"
#include "abort_gather_tested.h"
#include "abort_loop.h"
#include "abort_loop_asserted.h"
#include "abort_loop_tested.h"

#define GROUP       128
#define ROUND_LIMIT 1000

/* Recorded: one dispatch between two timestamps. */
static VkCommandBuffer kernel_record(const uint32_t *code, size_t size)
{
    const VkPipeline pipeline = pipeline_create(code, size);
    VkCommandBuffer commands = commands_begin();
    vkCmdResetQueryPool(commands, the.queries, 0, 2);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, the.layout, 0, 1, &the.set, 0,
                            NULL);
    vkCmdPushConstants(commands, the.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(the.elements),
                       &the.elements);
    barrier(commands);
    vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, the.queries, 0);
    vkCmdDispatch(commands, the.elements / GROUP, 1, 1);
    vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, the.queries, 1);
    device_must(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    return commands;
}

static double kernel_time(VkCommandBuffer commands)
{
    uint64_t ticks[2];
    run(commands);
    device_must(vkGetQueryPoolResults(the.device, the.queries, 0, 2, sizeof(ticks), ticks,
                                      sizeof(ticks[0]),
                                      VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
                "vkGetQueryPoolResults");
    return (double)(ticks[1] - ticks[0]) * the.tick;
}

static int compare_times(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure_aborts(const char *name, VkCommandBuffer without, VkCommandBuffer with,
                           uint32_t rounds)
{
    static double times[2][ROUND_LIMIT];
    for (uint32_t i = 0; i < 20; i++) { /* warm up */
        (void)kernel_time(without);
        (void)kernel_time(with);
    }
    for (uint32_t i = 0; i < rounds; i++) {
        times[0][i] = kernel_time(without);
        times[1][i] = kernel_time(with);
    }
    for (uint32_t i = 0; i < 2; i++)
        qsort(times[i], rounds, sizeof(times[i][0]), compare_times);
    printf("%s: median %.0f ns without, %.0f with: %.3f; shortest %.0f and %.0f: %.3f\n", name,
           times[0][rounds / 2], times[1][rounds / 2], times[1][rounds / 2] / times[0][rounds / 2],
           times[0][0], times[1][0], times[1][0] / times[0][0]);
}

int main(int count, char **arguments)
{
    uint32_t rounds = 100;
    the.elements = 1 << 18;
    for (int i = 1; i + 1 < count; i += 2) {
        if (!strcmp(arguments[i], "--elements"))
            the.elements = (uint32_t)strtoul(arguments[i + 1], NULL, 10) / GROUP * GROUP;
        else if (!strcmp(arguments[i], "--rounds"))
            rounds = (uint32_t)strtoul(arguments[i + 1], NULL, 10);
    }
    if (!the.elements || !rounds || rounds > ROUND_LIMIT) {
        fprintf(stderr, "usage: bench_abort [--elements N] [--rounds N]; N from %u and 1 to %u\n",
                GROUP, ROUND_LIMIT);
        return 1;
    }
    if (!instance_create()) {
        fprintf(stderr, "bench_abort: neither the driver nor a layer has VK_KHR_shader_abort\n");
        return 77;
    }
    device_create();
    buffers_create();
    layouts_create();
    const VkQueryPoolCreateInfo queries = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                           .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                           .queryCount = 2};
    device_must(vkCreateQueryPool(the.device, &queries, NULL, &the.queries), "vkCreateQueryPool");
    VkCommandBuffer gather = kernel_record(abort_gather, sizeof(abort_gather)),
                    gather_asserted =
                        kernel_record(abort_gather_asserted, sizeof(abort_gather_asserted)),
                    gather_tested = kernel_record(abort_gather_tested, sizeof(abort_gather_tested)),
                    loop = kernel_record(abort_loop, sizeof(abort_loop)),
                    loop_tested = kernel_record(abort_loop_tested, sizeof(abort_loop_tested)),
                    loop_asserted = kernel_record(abort_loop_asserted, sizeof(abort_loop_asserted));
    measure_aborts("gather, against none", gather, gather_asserted, rounds);
    measure_aborts("gather, against the condition", gather_tested, gather_asserted, rounds);
    measure_aborts("loop, against none", loop, loop_asserted, rounds);
    measure_aborts("loop, against the condition", loop_tested, loop_asserted, rounds);
    measure_aborts("gather without, against itself", gather, gather, rounds);
    return 0; /* all goes with the process */
}
