/* Checks that a module is read as it is, and that words that are not a module are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <spirv/unified1/spirv.h>

#include "spirv/module/module.h"

#define WORD(opcode, length) ((uint32_t)(length) << SpvWordCountShift | (opcode))

/* An entry point `main` that does nothing, with a name, a memory model and an execution mode. */
static const uint32_t small[] = {
    SpvMagicNumber,
    0x00010600,
    0,
    5,
    0,
    WORD(SpvOpCapability, 2),
    SpvCapabilityShader,
    WORD(SpvOpMemoryModel, 3),
    SpvAddressingModelLogical,
    SpvMemoryModelGLSL450,
    WORD(SpvOpEntryPoint, 5),
    SpvExecutionModelGLCompute,
    3,
    0x6e69616d,
    0, /* "main" */
    WORD(SpvOpExecutionMode, 6),
    3,
    SpvExecutionModeLocalSize,
    8,
    4,
    1,
    WORD(SpvOpTypeVoid, 2),
    1,
    WORD(SpvOpTypeFunction, 3),
    2,
    1,
    WORD(SpvOpFunction, 5),
    1,
    3,
    SpvFunctionControlMaskNone,
    2,
    WORD(SpvOpLabel, 2),
    4,
    WORD(SpvOpReturn, 1),
    WORD(SpvOpFunctionEnd, 1),
};

static void expect_error(const uint32_t *words, size_t count, const char *text, uint32_t word)
{
    struct spirv_module module;
    struct spirv_error error;
    assert_false(spirv_module_parse(&module, words, count, &error));
    assert_string_equal(error.text, text);
    assert_int_equal(error.word, word);
    assert_null(module.instructions);
}

static void module_is_read(void **state)
{
    struct spirv_module module;
    struct spirv_error error;
    assert_true(spirv_module_parse(&module, small, ARRAY_LENGTH(small), &error));
    assert_int_equal(module.version, 0x00010600);
    assert_int_equal(module.instruction_count, 10);
    assert_int_equal(spirv_definition(&module, 3)->opcode, SpvOpFunction);
    assert_int_equal(spirv_definition(&module, 1)->opcode, SpvOpTypeVoid);
    assert_null(spirv_definition(&module, 0));
    assert_null(spirv_definition(&module, 5));
    assert_null(spirv_definition(&module, UINT32_MAX));
    spirv_module_free(&module);
}

static void other_byte_order_is_read_too(void **state)
{
    uint32_t swapped[ARRAY_LENGTH(small)];
    for (size_t i = 0; i < ARRAY_LENGTH(small); i++)
        swapped[i] = __builtin_bswap32(small[i]);
    struct spirv_module module;
    struct spirv_error error;
    assert_true(spirv_module_parse(&module, swapped, ARRAY_LENGTH(swapped), &error));
    assert_int_equal(module.instruction_count, 10);
    assert_memory_equal(module.words, small, sizeof(small));
    spirv_module_free(&module);
}

static void what_is_no_module_is_refused(void **state)
{
    uint32_t words[ARRAY_LENGTH(small)];
    expect_error(NULL, 0, "is shorter than the header of a module, five words", 0);
    expect_error(small, 4, "is shorter than the header of a module, five words", 0);
    expect_error(small, 5, "has no instructions", 5);
    expect_error(small, ARRAY_LENGTH(small) - 5,
                 "has an instruction that is longer than the module", 26);
    memcpy(words, small, sizeof(small));
    words[0]++;
    expect_error(words, ARRAY_LENGTH(words), "does not begin with SPIR-V's magic number", 0);
    memcpy(words, small, sizeof(small));
    words[3] = UINT32_MAX;
    expect_error(words, ARRAY_LENGTH(words),
                 "has an id bound of 0, or above the limit of 4,194,303", 3);
    memcpy(words, small, sizeof(small));
    words[5] = SpvOpCapability;
    expect_error(words, ARRAY_LENGTH(words), "has an instruction of length 0", 5);
    memcpy(words, small, sizeof(small));
    words[24] = 1;
    expect_error(words, ARRAY_LENGTH(words), "defines an id twice", 24);
    memcpy(words, small, sizeof(small));
    words[24] = 5;
    expect_error(words, ARRAY_LENGTH(words), "defines an id that is 0 or not below the bound", 24);
}

static void operands_are_named_by_the_grammar(void **state)
{
    struct spirv_module module;
    struct spirv_error error;
    struct spirv_operand_walk walk;
    struct spirv_operand operand;
    assert_true(spirv_module_parse(&module, small, ARRAY_LENGTH(small), &error));
    assert_true(spirv_operands_begin(&walk, &module, &module.instructions[2])); /* OpEntryPoint */
    assert_true(spirv_operands_next(&walk, &operand));
    assert_int_equal(operand.kind, SPIRV_KIND_ExecutionModel);
    assert_true(spirv_operands_next(&walk, &operand));
    assert_int_equal(operand.kind, SPIRV_KIND_IdRef);
    assert_true(spirv_operands_next(&walk, &operand));
    assert_int_equal(operand.kind, SPIRV_KIND_LiteralString);
    assert_int_equal(operand.length, 2);
    assert_false(spirv_operands_next(&walk, &operand));
    assert_false(walk.malformed);

    assert_true(spirv_operands_begin(&walk, &module,
                                     /* OpExecutionMode with three parameters */
                                     &module.instructions[3]));
    int literals = 0;
    while (spirv_operands_next(&walk, &operand))
        literals += operand.kind == SPIRV_KIND_LiteralInteger;
    assert_int_equal(literals, 3);
    assert_false(walk.malformed);
    spirv_module_free(&module);
}

/* Every word of every instruction of a real module is some operand. */
static void check_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    static uint32_t words[1u << 20];
    size_t count = fread(words, sizeof(words[0]), ARRAY_LENGTH(words), file);
    fclose(file);
    struct spirv_module module;
    struct spirv_error error;
    assert_true(spirv_module_parse(&module, words, count, &error));
    for (uint32_t i = 0; i < module.instruction_count; i++) {
        struct spirv_operand_walk walk;
        struct spirv_operand operand;
        uint32_t covered = 1;
        assert_true(spirv_operands_begin(&walk, &module, &module.instructions[i]));
        while (spirv_operands_next(&walk, &operand)) {
            assert_int_equal(operand.word, covered);
            covered += operand.length;
        }
        if (walk.malformed || covered != module.instructions[i].length)
            fail_msg("%s: instruction %u (%s) has %u words, %u are operands", path, i,
                     spirv_instruction_rule(module.instructions[i].opcode)->name,
                     module.instructions[i].length, covered);
    }
    spirv_module_free(&module);
}

static void real_modules_are_read_to_the_last_word(void **state)
{
    const char *const files[] = {SPIRV_FILES};
    for (size_t i = 0; i < ARRAY_LENGTH(files); i++)
        check_file(files[i]);
}

/* Bounded: garbage in any word of a module is refused or read, never a crash (the sanitizer builds
 * watch). */
static void damaged_modules_do_not_crash(void **state)
{
    uint32_t random = 1;
    for (int round = 0; round < 20000; round++) {
        uint32_t words[ARRAY_LENGTH(small)];
        memcpy(words, small, sizeof(small));
        for (int changes = 0; changes < 1 + round % 4; changes++) {
            random = random * 1664525 + 1013904223;
            uint32_t at = 3 + (random >> 8) % (ARRAY_LENGTH(words) - 3);
            random = random * 1664525 + 1013904223;
            words[at] = random % 3 ? random : words[at] ^ 1u << (random >> 27);
        }
        struct spirv_module module;
        struct spirv_error error;
        if (!spirv_module_parse(&module, words, ARRAY_LENGTH(words), &error)) {
            assert_non_null(error.text);
            continue;
        }
        for (uint32_t i = 0; i < module.instruction_count; i++) {
            struct spirv_operand_walk walk;
            struct spirv_operand operand;
            if (!spirv_operands_begin(&walk, &module, &module.instructions[i]))
                continue;
            while (spirv_operands_next(&walk, &operand))
                assert_true(operand.word + operand.length <= module.instructions[i].length);
        }
        spirv_module_free(&module);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(module_is_read),
        cmocka_unit_test(other_byte_order_is_read_too),
        cmocka_unit_test(what_is_no_module_is_refused),
        cmocka_unit_test(operands_are_named_by_the_grammar),
        cmocka_unit_test(real_modules_are_read_to_the_last_word),
        cmocka_unit_test(damaged_modules_do_not_crash),
    };
    return cmocka_run_group_tests_name("spirv", tests, NULL, NULL);
}
