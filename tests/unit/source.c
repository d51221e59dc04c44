/* Checks which line of source an instruction has, in modules as compilers make them, and in texts
 * with all forms of `#line`. Damaged modules must do no harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>
#include <spirv/unified1/NonSemanticShaderDebugInfo.h>
#include <spirv/unified1/spirv.h>

#include "spirv/module/source.h"

enum file { LINES_G, LINES_GVS, LINES_INLINED, DXC, DXC_DEBUG, FILE_COUNT };
static const char *const files[] = {SOURCE_FILES};
static uint32_t words[1u << 16];

struct loaded {
    struct spirv_module module;
    struct spirv_source_line line;
};

static size_t read_file(enum file which)
{
    static_assert(ARRAY_LENGTH(files) == FILE_COUNT,
                  "tests/unit/meson.build names the files in this order");
    FILE *file = fopen(files[which], "rb");
    assert_non_null(file);
    size_t count = fread(words, sizeof(words[0]), ARRAY_LENGTH(words), file);
    fclose(file);
    return count;
}

static void load_module(struct loaded *loaded, enum file which)
{
    struct spirv_error error;
    memset(loaded, 0, sizeof(*loaded));
    assert_true(spirv_module_parse(&loaded->module, words, read_file(which), &error));
}

static void unload_module(struct loaded *loaded)
{
    spirv_source_line_free(&loaded->line);
    spirv_module_free(&loaded->module);
}

/* The instruction with this opcode, of several the one of this number. */
static uint32_t instruction_of(const struct spirv_module *module, SpvOp opcode, uint32_t number)
{
    for (uint32_t i = 0; i < module->instruction_count; i++)
        if (module->instructions[i].opcode == opcode && number-- == 0)
            return i;
    fail_msg("no instruction %u", opcode);
    return 0;
}

static void expect_nth(struct loaded *loaded, SpvOp opcode, uint32_t number, const char *file,
                       uint32_t line, const char *text, const char *function)
{
    spirv_source_line_free(&loaded->line);
    bool found = spirv_source_find(&loaded->module, instruction_of(&loaded->module, opcode, number),
                                   &loaded->line);
    assert_int_equal(found, line != 0 || *function);
    assert_int_equal(loaded->line.line, line);
    assert_string_equal(loaded->line.file, file);
    if (text) {
        assert_non_null(loaded->line.text);
        assert_string_equal(loaded->line.text, text);
    } else {
        assert_null(loaded->line.text);
    }
    assert_int_equal(loaded->line.function_length, strlen(function));
    assert_memory_equal(loaded->line.function, function, strlen(function));
}

static void expect_source(struct loaded *loaded, SpvOp opcode, const char *file, uint32_t line,
                          const char *text, const char *function)
{
    expect_nth(loaded, opcode, 0, file, line, text, function);
}

/* The file's name is as the build gave it to the compiler: its end is what counts. */
static const char *own_file(const struct loaded *loaded)
{
    const struct spirv_module *module = &loaded->module;
    const uint32_t *string =
        spirv_words(module, &module->instructions[instruction_of(module, SpvOpString, 0)]);
    const char *name = (const char *)&string[2];
    assert_string_equal(name + strlen(name) - strlen("lines.comp"), "lines.comp");
    return name;
}

static void expect_lines_of_glslang(struct loaded *loaded)
{
    const char *own = own_file(loaded);
    expect_source(loaded, SpvOpIMul, own, 7, "    return i * 3u; // an OpIMul", "pick");
    expect_source(loaded, SpvOpAccessChain, "included.glsl", 20,
                  "        atomicAdd(blocks[0].data[1], i); // an OpAtomicIAdd", "main");
    expect_nth(loaded, SpvOpAccessChain, 1, "included.glsl", 101,
               "    blocks[j].data[0] = pick(j); // an OpAccessChain", "helper");
    expect_source(loaded, SpvOpIAdd, "included.glsl", 17,
                  "    uint i = gl_LocalInvocationIndex + pick(2u); // an OpIAdd", "main");
    expect_source(loaded, SpvOpUGreaterThan, "included.glsl", 19, "    if (i > 3u)", "main");
    expect_source(loaded, SpvOpBranchConditional, "included.glsl", 19, "    if (i > 3u)", "main");
    expect_source(loaded, SpvOpReturn, "included.glsl", 21, "}", "main");
    expect_source(loaded, SpvOpTypeVoid, "", 0, NULL, "");
    assert_int_equal(loaded->line.call_count, 0);
}

static void glslang_with_lines(void **state)
{
    struct loaded loaded;
    load_module(&loaded, LINES_G);
    expect_lines_of_glslang(&loaded);
    /* A line before a function reaches into its first block. */
    expect_source(&loaded, SpvOpVariable, "", 0, NULL, "");
    expect_nth(&loaded, SpvOpFunction, 1, own_file(&loaded), 5, "uint pick(uint i)", "pick");
    assert_int_equal(loaded.line.column, 17);
    assert_string_equal(loaded.line.function, "pick(u1;");
    spirv_source_line_free(&loaded.line);
    assert_false(spirv_source_find(&loaded.module, loaded.module.instruction_count, &loaded.line));
    assert_false(spirv_source_find(&loaded.module, UINT32_MAX, &loaded.line));
    assert_string_equal(loaded.line.function, "");
    unload_module(&loaded);
}

static void glslang_with_debug_info(void **state)
{
    struct loaded loaded;
    load_module(&loaded, LINES_GVS);
    expect_lines_of_glslang(&loaded);
    unload_module(&loaded);
}

static void expect_call(const struct spirv_source_call *call, const char *file, uint32_t line,
                        const char *function)
{
    assert_string_equal(call->file, file);
    assert_int_equal(call->line, line);
    assert_int_equal(call->function_length, strlen(function));
    assert_memory_equal(call->function, function, strlen(function));
}

static void inlined_lines(void **state)
{
    struct loaded loaded;
    load_module(&loaded, LINES_INLINED);
    const char *own = own_file(&loaded);
    expect_source(&loaded, SpvOpIMul, own, 7, "    return i * 3u; // an OpIMul", "pick");
    assert_int_equal(loaded.line.call_count, 1);
    expect_call(&loaded.line.calls[0], "included.glsl", 17, "main");
    expect_nth(&loaded, SpvOpIMul, 1, own, 7, "    return i * 3u; // an OpIMul", "pick");
    assert_int_equal(loaded.line.call_count, 2);
    expect_call(&loaded.line.calls[0], "included.glsl", 101, "helper");
    expect_call(&loaded.line.calls[1], "included.glsl", 18, "main");
    unload_module(&loaded);
}

static void dxc_with_lines(void **state)
{
    struct loaded loaded;
    load_module(&loaded, DXC);
    const char *own = "C:\\work\\shader.hlsl";
    /* from before the function */
    expect_source(&loaded, SpvOpFNegate, own, 6, "void main()", "main");
    expect_source(&loaded, SpvOpFunctionCall, own, 8, "    twice(1);", "main");
    expect_source(&loaded, SpvOpBranchConditional, own, 8, "    twice(1);", "main");
    expect_source(&loaded, SpvOpFSub, "", 0, NULL, "main"); /* the block has ended */
    expect_source(&loaded, SpvOpFMul, "inc/common.hlsli", 1,
                  "float thrice(float x) { return 3 * x; }", "main");
    assert_int_equal(loaded.line.column, 32);
    expect_source(&loaded, SpvOpFDiv, "lost.hlsli", 3, NULL, "main");
    expect_source(&loaded, SpvOpFRem, "", 0, NULL, "main");
    expect_source(&loaded, SpvOpFMod, own, 4000, NULL, "main");
    expect_source(&loaded, SpvOpFOrdEqual, "", 8, "    twice(1);",
                  "main"); /* the id names no string: as if it were compiled from memory */
    expect_source(&loaded, SpvOpReturn, "", 0, NULL, "main");
    expect_source(&loaded, SpvOpFAdd, own, 3, "    return x + x;", "twice");
    unload_module(&loaded);
}

static void dxc_with_debug_info(void **state)
{
    struct loaded loaded;
    load_module(&loaded, DXC_DEBUG);
    /* by the definition in the function's block */
    expect_source(&loaded, SpvOpFNegate, "", 0, NULL, "main");
    expect_source(&loaded, SpvOpFSub, "/work/shader.hlsl", 4, "    twice(1);", "main");
    assert_int_equal(loaded.line.column, 5);
    expect_source(&loaded, SpvOpFAdd, "/work/common.hlsli", 2, "    return x + x;", "twice");
    assert_int_equal(loaded.line.call_count, 1);
    expect_call(&loaded.line.calls[0], "/work/shader.hlsl", 4, "main");
    expect_source(&loaded, SpvOpFMul, "", 0, NULL, "twice");
    expect_source(&loaded, SpvOpFDiv, "", 0, NULL, "main");
    assert_int_equal(loaded.line.call_count, 0);
    expect_source(&loaded, SpvOpReturn, "", 0, NULL, "main");
    unload_module(&loaded);
}

static void expect_line(const char *source, const char *file, uint32_t line, const char *text)
{
    size_t length = 99;
    const char *found = spirv_source_text_line(source, file, line, &length);
    if (!text) {
        assert_null(found);
        return;
    }
    if (!found)
        fail_msg("no line %u of %s; \"%s\" is expected", line, file, text);
    assert_true(found >= source && found + length <= source + strlen(source));
    assert_int_equal(length, strlen(text));
    assert_memory_equal(found, text, length);
}

static void texts_without_directives(void **state)
{
    expect_line("one\ntwo\nthree", "", 1, "one");
    expect_line("one\ntwo\nthree", "", 3, "three");
    expect_line("one\ntwo\nthree", "a.frag", 2, "two");
    expect_line("one\ntwo\nthree", "", 4, NULL);
    expect_line("one\ntwo\nthree\n", "", 4, NULL);
    expect_line("one\ntwo\nthree", "", 0, NULL);
    expect_line("one\ntwo\nthree", "", UINT32_MAX, NULL);
    expect_line("one\r\n  two \t\r\n\r\nfour\r", "", 2, "  two");
    expect_line("one\r\n  two \t\r\n\r\nfour\r", "", 3, "");
    expect_line("one\r\n  two \t\r\n\r\nfour\r", "", 4, "four");
    expect_line("", "", 1, NULL);
    expect_line("\n", "", 1, "");
    assert_null(spirv_source_text_line("one", NULL, 2, &(size_t){0}));
}

static void texts_with_directives(void **state)
{
    const char *source = "first\n#line 10\nten\neleven\n  #  line 30 \"a.h\"\nthirty\n#line 100 "
                         "2\nhundred\n# 50 \"b.h\" 1 3\nfifty\n";
    expect_line(source, "x.comp", 1, "first");
    expect_line(source, "x.comp", 10, "ten");
    expect_line(source, "x.comp", 11, "eleven");
    expect_line(source, "a.h", 30, "thirty");
    /* a source string's number leaves the name as it is */
    expect_line(source, "a.h", 100, "hundred");
    expect_line(source, "b.h", 50, "fifty");
    expect_line(source, "b.h", 51, NULL);
    /* that is line 12, whatever it says */
    expect_line(source, "x.comp", 12, "  #  line 30 \"a.h\"");
    /* Names are as the directive has them, or one is the end of the other. */
    expect_line(source, "/home/me/a.h", 30, "thirty");
    expect_line("#line 3 \"C:\\\\x\\\\y.hlsl\"\nthree\n", "C:\\x\\y.hlsl", 3, "three");
    expect_line("#line 3 \"C:\\\\x\\\\y.hlsl\"\nthree\n", "C:/x/y.hlsl", 3, "three");
    expect_line("#line 3 \"x/y.hlsl\"\nthree\n#line 3 \"z/y.hlsl\"\nother\n", "x/y.hlsl", 3,
                "three");
    expect_line("#line 3 \"x/y.hlsl\"\nthree\n#line 3 \"z/y.hlsl\"\nother\n", "z/y.hlsl", 3,
                "other");
    expect_line("#line 3 \"xy.hlsl\"\nthree\n", "y.hlsl", 3, NULL);
    expect_line("#line 3 \"a.h\"\nthree\n", "", 3, "three");
    expect_line("\n\n#line 1 \"a.h\"\na\n", "b.h", 4,
                "a"); /* nothing says what the text's own name is, or where it goes on */
}

/* A text with "#line 10" on line 40, and with its own number on each other line. */
static const char *text_of_the_seed(const char *version)
{
    static char source[4096];
    int length = sprintf(source, "%s\n", version);
    for (int i = 2; i < 60; i++)
        length += sprintf(source + length, i == 40 ? "#line 10\n" : "line %d\n", i);
    return source;
}

/* A line 15 of OpLine. */
static void example_of_the_seed(void **state)
{
    const char *old = text_of_the_seed("#version 150");
    expect_line(old, "", 15, "line 45");
    expect_line(old, "", 11, "line 41");
    expect_line(old, "", 9, "line 9");
    /* From GLSL 3.30 on it is another way ("behave as if it is compiling at line number line"), and
     * so it is in HLSL. */
    static const char *const versions[] = {"#version 450", "#version 310 es", " # version 330 core",
                                           "float4 hlsl;"};
    for (size_t i = 0; i < ARRAY_LENGTH(versions); i++) {
        expect_line(text_of_the_seed(versions[i]), "", 15, "line 46");
        expect_line(text_of_the_seed(versions[i]), "", 10, "line 41");
    }
}

static void closest_directive(void **state)
{
    /* The lines that glslang adds in front are not lines 1 and 2. */
    const char *source = "// OpModuleProcessed client vulkan100\n// OpModuleProcessed entry-point "
                         "main\n#line 1\n#version 450\nreal\n";
    expect_line(source, "", 2, "real");
    expect_line(source, "", 1, "#version 450");
    /* The closest of several that fit is taken. */
    expect_line("#line 1\na1\na2\na3\n#line 3\nb3\nb4\n", "", 3, "b3");
    expect_line("#line 1\na1\na2\na3\n#line 100\nb3\nb4\n", "", 3, "a3");
    /* The closest one does not help where its lines have ended. */
    expect_line("#line 10\na\nb\nc\nd\ne\nf\n#line 12 \"x.h\"\nother\n", "y.h", 14, "e");
    expect_line("#line 10 \"x.h\"\na\nb\nc\nd\ne\nf\n#line 12 \"x.h\"\nother\n", "x.h", 14, "e");
}

static void directives_that_are_none(void **state)
{
    expect_line("#line LINE\ntwo\n", "", 2, "two");
    expect_line("#line 10+LINE\ntwo\n", "", 2, "two");
    expect_line("#line (3)\ntwo\n", "", 2, "two");
    expect_line("#line 99999999999999999999\ntwo\n", "", 2, "two");
    expect_line("#line\ntwo\n", "", 2, "two");
    expect_line("#liner 5\ntwo\n", "", 2, "two");
    expect_line("#\n#", "", 2, "#");
    expect_line("/*\n#line 10\n*/\nfour\n", "", 4, "four");
    expect_line("// /*\n#line 10\nten\n", "", 10, "ten");
    expect_line("printf(\"/*\");\n#line 10\nten\n", "", 10, "ten");
    expect_line("printf(\"\\\"/*\n#line 10\nten\n", "", 10, "ten");
    expect_line("#line 10 \"unclosed\nten\n", "anything", 10, "ten");
    expect_line("#line 4294967295\nlast\nbeyond\n", "", UINT32_MAX, "last");
    expect_line("#version 150\n#line 4294967295\nlast\n", "", 3, "last");
    /* A directive that the compiler has left out with its group: no line has the number then, and
     * the seed's arithmetic finds it. */
    expect_line("one\n#if 0\n#line 500\n#endif\nfive\n", "", 5, "five");
}

static void lines_that_are_long(void **state)
{
    char *source = malloc(100000);
    assert_non_null(source);
    memset(source, 'x', 99999);
    source[99999] = '\0';
    size_t length;
    assert_ptr_equal(spirv_source_text_line(source, "", 1, &length), source);
    assert_int_equal(length, 99999);
    free(source);
}

/* All that is said of every instruction of damaged copies: nothing is checked but that it ends,
 * under the sanitizers. */
static void damaged_lines(void **state)
{
    static uint32_t copy[ARRAY_LENGTH(words)];
    srand(5);
    uint32_t parsed = 0;
    for (enum file file = 0; file < FILE_COUNT; file++) {
        size_t count = read_file(file);
        for (int round = 0; round < 150; round++) {
            memcpy(copy, words, count * sizeof(*copy));
            for (int hits = rand() % 6 + 1; hits; hits--)
                copy[5 + (size_t)rand() % (count - 5)] =
                    rand() % 3 == 0 ? (uint32_t)rand() * 2u + 1u : (uint32_t)rand() % 150;
            struct loaded loaded;
            struct spirv_error error;
            if (!spirv_module_parse(&loaded.module, copy, count, &error))
                continue;
            parsed++;
            for (uint32_t i = 0; i < loaded.module.instruction_count; i++) {
                bool found = spirv_source_find(&loaded.module, i, &loaded.line);
                assert_true(found || (!loaded.line.text && !loaded.line.line));
                spirv_source_line_free(&loaded.line);
            }
            spirv_module_free(&loaded.module);
        }
    }
    assert_true(parsed > 50);
}

struct writer {
    uint32_t *words;
    uint32_t count;
};

static void put_instruction(struct writer *writer, SpvOp opcode, const uint32_t *operands,
                            uint32_t count)
{
    writer->words[writer->count++] = (count + 1) << SpvWordCountShift | opcode;
    memcpy(&writer->words[writer->count], operands, count * sizeof(*operands));
    writer->count += count;
}
#define PUT(writer_, opcode_, ...)                                         \
    put_instruction((writer_), (opcode_), (const uint32_t[]){__VA_ARGS__}, \
                    sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* A string of 65530 words, made of `text` over and over. */
static void put_long_string(struct writer *writer, uint32_t id, const char *text)
{
    static char string[65530 * 4];
    size_t length = strlen(text);
    for (size_t i = 0; i < sizeof(string); i++)
        string[i] = text[i % length];
    string[sizeof(string) - 1] = '\0';
    static uint32_t operands[65531];
    operands[0] = id;
    memcpy(&operands[1], string, sizeof(string));
    put_instruction(writer, SpvOpString, operands, 65531);
}

/* The processor's time for a module of so many sources. All name the longest possible text and file
 * name, with a directive every few characters. */
static clock_t time_of(uint32_t sources)
{
    struct writer writer = {.words = malloc(8u << 20)};
    assert_non_null(writer.words);
    const uint32_t header[] = {SpvMagicNumber, 0x00010600, 0, 200000, 0};
    memcpy(writer.words, header, sizeof(header));
    writer.count = 5;
    static const char import[] = "NonSemantic.Shader.DebugInfo.100";
    uint32_t name[1 + sizeof(import) / 4 + 1] = {1};
    memcpy(&name[1], import, sizeof(import));
    put_instruction(&writer, SpvOpExtInstImport, name, ARRAY_LENGTH(name));
    put_long_string(&writer, 2, "#line 1 \"/\"\n");
    put_long_string(&writer, 3, "/");
    PUT(&writer, SpvOpTypeVoid, 4);
    PUT(&writer, SpvOpTypeInt, 5, 32, 0);
    PUT(&writer, SpvOpConstant, 5, 6, 77);
    uint32_t id = 7;
    for (uint32_t i = 0; i < sources; i++) {
        PUT(&writer, SpvOpExtInst, 4, id, 1, NonSemanticShaderDebugInfoDebugSource, 3, 2);
        id++;
    }
    PUT(&writer, SpvOpFunction, 4, id, 0, 4);
    PUT(&writer, SpvOpLabel, id + 1);
    PUT(&writer, SpvOpExtInst, 4, id + 2, 1, NonSemanticShaderDebugInfoDebugLine, 7, 6, 6, 6, 6);
    PUT(&writer, SpvOpFNegate, 4, id + 3, 6);
    struct spirv_module module;
    struct spirv_error error;
    assert_true(spirv_module_parse(&module, writer.words, writer.count, &error));
    struct spirv_source_line line;
    clock_t begin = clock();
    assert_true(spirv_source_find(&module, module.instruction_count - 1, &line));
    assert_int_equal(line.line, 77);
    clock_t took = clock() - begin;
    spirv_source_line_free(&line);
    spirv_module_free(&module);
    free(writer.words);
    return took + 1;
}

static clock_t least_time_of(uint32_t sources)
{
    clock_t least = time_of(sources);
    for (int i = 0; i < 4; i++) {
        clock_t took = time_of(sources);
        least = took < least ? took : least;
    }
    return least;
}

/* The text is read once, however many sources name it: 10,000 times the sources take some times as
 * long, not 10,000 times. */
static void takes_linear_time(void **state)
{
    clock_t few = least_time_of(13), many = least_time_of(130000);
    print_message("13 sources take %ld, 130,000 sources %ld\n", (long)few, (long)many);
    assert_true(many < 256 * few);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(glslang_with_lines),    cmocka_unit_test(glslang_with_debug_info),
        cmocka_unit_test(inlined_lines),         cmocka_unit_test(dxc_with_lines),
        cmocka_unit_test(dxc_with_debug_info),   cmocka_unit_test(texts_without_directives),
        cmocka_unit_test(texts_with_directives), cmocka_unit_test(example_of_the_seed),
        cmocka_unit_test(closest_directive),     cmocka_unit_test(directives_that_are_none),
        cmocka_unit_test(lines_that_are_long),   cmocka_unit_test(damaged_lines),
        cmocka_unit_test(takes_linear_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
