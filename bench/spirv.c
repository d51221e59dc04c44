/* Measures how fast modules of SPIR-V are parsed, changed and linked. bench_spirv LIBRARY.spv
 * [MEGABYTES]: a module of that size is made by linking functions of the library again and again.
 * Prints the fastest of several rounds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "spirv/edit/link.h"

#define ROUNDS 7

static const char *const names[] = {"chase", "power", "count", "both"};

static double spirv_now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void expect_parsed(bool condition, const char *text)
{
    if (condition)
        return;
    (void)fprintf(stderr, "bench_spirv: %s\n", text);
    exit(1);
}

static struct spirv_module parse_all(const uint32_t *words, size_t count)
{
    struct spirv_module module;
    struct spirv_error error;
    expect_parsed(spirv_module_parse(&module, words, count, &error), "no module");
    return module;
}

static uint32_t *read_file(const char *path, size_t *count)
{
    static uint32_t words[1u << 18];
    FILE *file = fopen(path, "rb");
    expect_parsed(file != NULL, "cannot open the library");
    *count = fread(words, sizeof(words[0]), ARRAY_LENGTH(words), file);
    (void)fclose(file);
    return words;
}

static void link_once(struct spirv_edit *edit, const struct spirv_module *library)
{
    struct spirv_link link;
    expect_parsed(spirv_link_begin(&link, edit, library), "cannot link");
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++)
        expect_parsed(spirv_link_function(&link, names[i]) != 0, "a function is missing");
    spirv_link_end(&link);
}

/* The library in itself, until it is that large. */
static uint32_t *grow_words(const struct spirv_module *library, size_t bytes, uint32_t *count)
{
    struct spirv_edit edit;
    expect_parsed(spirv_edit_begin(&edit, library), "memory");
    spirv_edit_copy_run(&edit, edit.first_function, library->instruction_count);
    while (edit.sections[SPIRV_SECTION_FUNCTIONS].count * sizeof(uint32_t) < bytes)
        link_once(&edit, library);
    uint32_t *words = spirv_edit_end(&edit, count);
    expect_parsed(words != NULL, "larger than a module can be");
    return words;
}

static void bench_parse(const uint32_t *words, uint32_t count)
{
    double best = 1e9;
    for (int i = 0; i < ROUNDS; i++) {
        double began = spirv_now();
        struct spirv_module module = parse_all(words, count);
        double took = spirv_now() - began;
        spirv_module_free(&module);
        best = took < best ? took : best;
    }
    (void)printf("parse: %.0f MB/s (%.1f MB in %.2f ms)\n", count * 4.0 / 1e6 / best,
                 count * 4.0 / 1e6, best * 1e3);
}

/* Begin, copy every instruction by itself, a constant for each function, end. */
static void bench_edit(const uint32_t *words, uint32_t count)
{
    struct spirv_module module = parse_all(words, count);
    double best = 1e9;
    for (int i = 0; i < ROUNDS; i++) {
        double began = spirv_now();
        struct spirv_edit edit;
        uint32_t edited_count;
        expect_parsed(spirv_edit_begin(&edit, &module), "memory");
        for (uint32_t at = edit.first_function; at < module.instruction_count; at++) {
            if (module.instructions[at].opcode == SpvOpFunction)
                (void)spirv_edit_constant_u32(&edit, at);
            spirv_edit_copy(&edit, &module.instructions[at]);
        }
        uint32_t *edited = spirv_edit_end(&edit, &edited_count);
        double took = spirv_now() - began;
        expect_parsed(edited && edited_count > count, "memory");
        mem_free(edited);
        best = took < best ? took : best;
    }
    spirv_module_free(&module);
    (void)printf("edit and write: %.0f MB/s (%.2f ms)\n", count * 4.0 / 1e6 / best, best * 1e3);
}

/* Measures what a pipeline pays: a small module parsed, changed, all functions of the library in
 * it, written. */
static void bench_link(const struct spirv_module *library, const uint32_t *words, size_t count)
{
    double best = 1e9;
    for (int i = 0; i < ROUNDS * 100; i++) {
        double began = spirv_now();
        struct spirv_module module = parse_all(words, count);
        struct spirv_edit edit;
        uint32_t linked_count;
        expect_parsed(spirv_edit_begin(&edit, &module), "memory");
        spirv_edit_copy_run(&edit, edit.first_function, module.instruction_count);
        link_once(&edit, library);
        uint32_t *linked = spirv_edit_end(&edit, &linked_count);
        double took = spirv_now() - began;
        mem_free(linked);
        spirv_module_free(&module);
        best = took < best ? took : best;
    }
    (void)printf("parse, link %zu functions, write: %.1f us (module and library of %zu bytes)\n",
                 ARRAY_LENGTH(names), best * 1e6, count * sizeof(*words));
}

int main(int argc, char **argv)
{
    expect_parsed(argc == 2 || argc == 3, "usage: bench_spirv LIBRARY.spv [MEGABYTES]");
    size_t count, megabytes = argc == 3 ? strtoul(argv[2], NULL, 10) : 20;
    const uint32_t *words = read_file(argv[1], &count);
    struct spirv_module library = parse_all(words, count);
    uint32_t large_count;
    uint32_t *large = grow_words(&library, megabytes * 1000000, &large_count);
    bench_parse(large, large_count);
    bench_edit(large, large_count);
    bench_link(&library, words, count);
    mem_free(large);
    spirv_module_free(&library);
    return 0;
}
