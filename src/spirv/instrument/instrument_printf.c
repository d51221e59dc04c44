/* Replaces a NonSemantic.DebugPrintf by code that writes a record with the words of its arguments
 * (spirv/printf/printf.h). The instruction itself is removed, so that no layer or driver below
 * prints the text as well. */
#include "spirv/instrument/instrument_build.h"

#include <spirv/unified1/spirv.h>

#include "spirv/abi.h"
#include "spirv/printf/printf.h"

/* WORDS_MOST is how many words of arguments fit into a record. GROUP words are written at a
 * time. */
#define GROUP      4u
#define WORDS_MOST ((RECORD_MOST - RECORD_ERROR_WORDS - 1) / GROUP * GROUP)

/* The words of one print that have been converted so far. */
struct print {
    struct instrument *x;
    uint32_t words[WORDS_MOST]; /* ids */
    uint32_t count;             /* of `words` */
};

/* Adds a value of 64 bits as two words, the low one first. */
static void add_pair(struct print *print, uint32_t value)
{
    struct instrument *x = print->x;
    uint32_t u32 = spirv_edit_type_u32(&x->edit);
    uint32_t pair =
        instrument_emit(x, SpvOpBitcast, spirv_edit_type_vector(&x->edit, u32, 2), &value, 1);
    for (uint32_t i = 0; i < 2; i++)
        print->words[print->count++] =
            instrument_emit(x, SpvOpCompositeExtract, u32, (const uint32_t[]){pair, i}, 2);
}

/* Emits the conversion of an argument to a word of the record. */
static uint32_t printf_convert(struct instrument *x, const struct spirv_printf_argument *argument,
                               uint32_t value)
{
    uint32_t u32 = spirv_edit_type_u32(&x->edit);
    switch (argument->kind) {
    case SPIRV_PRINTF_BOOL:
        return instrument_emit(x, SpvOpSelect, u32,
                               (const uint32_t[]){value, instrument_u32(x, 1),
                                                  instrument_u32(x, 0)},
                               3);
    case SPIRV_PRINTF_FLOAT:
        if (argument->bits == 16)
            value =
                instrument_emit(x, SpvOpFConvert, spirv_edit_type_float(&x->edit, 32), &value, 1);
        return instrument_emit(x, SpvOpBitcast, u32, &value, 1);
    case SPIRV_PRINTF_INT:
        return instrument_emit(x, argument->bits == 32 ? SpvOpBitcast : SpvOpSConvert, u32, &value,
                               1);
    default:
        return argument->bits == 32 ? value : instrument_emit(x, SpvOpUConvert, u32, &value, 1);
    }
}

/* Adds the words of an argument. Returns false if they do not fit into the record; then this
 * argument and all after it are left out. */
static bool printf_add_argument(struct print *print, uint32_t id)
{
    struct instrument *x = print->x;
    const struct spirv_printf_argument argument = spirv_printf_read_argument(x->module, id);
    uint32_t count = spirv_printf_argument_words(&argument);
    if (count > WORDS_MOST - print->count)
        return false;
    const uint32_t *vector =
        argument.components > 1
            ? instrument_definition(x, instrument_type_of(x, id), SpvOpTypeVector, 4)
            : NULL;
    for (uint32_t i = 0; count && i < argument.components; i++) {
        uint32_t value = vector ? instrument_emit(x, SpvOpCompositeExtract, vector[2],
                                                  (const uint32_t[]){id, i}, 2)
                                : id;
        if (argument.bits == 64)
            add_pair(print, value);
        else
            print->words[print->count++] = printf_convert(x, &argument, value);
    }
    return true;
}

/* Emits the writes of the words, a group at a time; the last group is padded with zeros. */
static void printf_write_words(struct print *print, uint32_t record)
{
    struct instrument *x = print->x;
    uint32_t group = spirv_edit_type_vector(&x->edit, spirv_edit_type_u32(&x->edit), GROUP);
    uint32_t nothing = spirv_edit_type_void(&x->edit);
    for (uint32_t i = 0; i < print->count; i += GROUP) {
        uint32_t words[GROUP];
        for (uint32_t j = 0; j < GROUP; j++)
            words[j] = i + j < print->count ? print->words[i + j] : instrument_u32(x, 0);
        const uint32_t arguments[] = {
            record, instrument_u32(x, i),
            instrument_emit(x, SpvOpCompositeConstruct, group, words, GROUP)};
        (void)instrument_call(x, "assay_printf_words", nothing, arguments, ARRAY_LENGTH(arguments));
    }
}

bool instrument_printf(struct instrument *x, const struct spirv_instruction *instruction,
                       const uint32_t *words)
{
    if (!(x->info->checks & SPIRV_CHECK_PRINTF) || !spirv_printf_is_call(x->module, instruction) ||
        words[1] != spirv_edit_type_void(&x->edit))
        return false;
    struct print print = {.x = x};
    for (uint32_t i = SPIRV_PRINTF_ARGUMENTS_WORD;
         i < instruction->length && printf_add_argument(&print, words[i]); i++)
        ;
    uint32_t groups = (print.count + GROUP - 1) / GROUP;
    uint32_t length = RECORD_ERROR_WORDS + 1 + groups * GROUP;
    uint32_t size = instrument_u32(x, length);
    uint32_t place = spirv_edit_type_vector(&x->edit, spirv_edit_type_u32(&x->edit), 4);
    const uint32_t begin[] = {instrument_where(x),
                              instrument_u32(x, words[SPIRV_PRINTF_FORMAT_WORD]), size};
    uint32_t record = instrument_call(x, "assay_printf_begin", place, begin, ARRAY_LENGTH(begin));
    printf_write_words(&print, record);
    uint32_t end = spirv_link_function(&x->link, "assay_printf_end");
    if (!end)
        x->failed = true;
    /* The module may refer to the instruction's result id (a void result), so the last call has it.
     */
    spirv_edit_emit(&x->edit, SpvOpFunctionCall, words[1], words[2], end, record, size);
    x->result->checks++;
    return true;
}
