/* Checks that the layer stays silent over correct programs of many threads. Each part is one way in
 * which threads share Vulkan objects as the specification allows it (3.6 "Threading Behavior"). It
 * runs on 2, 4 and 8 threads; any finding fails it.
 *
 * usage: threads_correct [--milliseconds N] [PART...] */
#include "parts.h"

static bool run_part(const struct part *part, unsigned milliseconds)
{
    struct program program;
    struct world world;
    program_create(&program);
    require_layer(&program);
    world_create(&world, &program, part->after_bind);
    for (unsigned count = 2; count <= THREADS_MOST; count *= 2)
        run_threads(&program, count, milliseconds, part->function, &world);
    if (part->end)
        part->end(&world);
    world_destroy(&world);
    bool silent = findings_are_none(&program.findings, part->name);
    program_destroy(&program);
    return silent && findings_are_none(&program.findings, part->name);
}

static bool is_chosen(const char *name, char **chosen, int count)
{
    for (int i = 0; i < count; i++) {
        if (!strcmp(chosen[i], name))
            return true;
    }
    return count == 0;
}

int main(int argc, char **argv)
{
    int first = 1;
    unsigned milliseconds = 60;
    if (argc > 2 && !strcmp(argv[1], "--milliseconds")) {
        milliseconds = (unsigned)atoi(argv[2]);
        first = 3;
    }
    unsigned failed = 0;
    for (size_t i = 0; i < PART_COUNT; i++) {
        if (!is_chosen(parts[i].name, argv + first, argc - first))
            continue;
        bool good = run_part(&parts[i], milliseconds);
        printf("%s %s\n", good ? "ok    " : "FAILED", parts[i].name);
        failed += !good;
    }
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
