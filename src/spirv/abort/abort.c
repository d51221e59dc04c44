/* Converts the words of an abort's record to the message's bytes, and the bytes to text. */
#include "spirv/abort/abort.h"

#include <string.h>

#include "spirv/printf/printf.h"

/* The most values in one piece of text; the rest is left out. */
#define ARGUMENTS_MOST 256u

bool spirv_abort_message(const struct spirv_abort_site *site, const uint32_t *words,
                         uint32_t word_count, uint8_t *out)
{
    assert(site && out);
    if (site->size)
        memcpy(out, site->image, site->size);
    for (uint32_t i = 0; i < site->leaf_count; i++) {
        const struct spirv_abort_leaf *leaf = &site->leaves[i];
        const uint32_t bytes = leaf->bits / 8;
        for (uint32_t j = 0; j < leaf->count; j++) {
            const uint64_t word = leaf->word + (uint64_t)j * leaf->word_stride;
            const uint64_t offset = leaf->offset + (uint64_t)j * leaf->stride;
            uint64_t value = word < word_count ? words[word] : 0;
            if (bytes == 8 && word + 1 < word_count)
                value |= (uint64_t)words[word + 1] << 32;
            for (uint32_t k = 0; k < bytes && offset + k < site->size; k++)
                out[offset + k] = (uint8_t)(value >> 8 * k);
        }
    }
    return word_count >= site->word_count;
}

/* --- as text --- */

/* The state of writing one message as text. First the arguments are read from the message's bytes,
 * as words in the form of shaders' printf. */
struct formatter {
    const struct spirv_abort_site *site;
    const uint8_t *message; /* of site->size bytes */
    struct string_builder *text;
    struct spirv_printf_argument arguments[ARGUMENTS_MOST];
    uint32_t words[ARGUMENTS_MOST * 8];
    uint32_t count, word_count; /* of `arguments` and `words` */
    char *strings;              /* owned: all strings, each terminated */
};

/* Returns a number of up to 8 bytes, the low byte first. Bytes beyond the message are 0. */
static uint64_t read_bytes(const struct formatter *f, uint64_t offset, uint32_t bytes)
{
    assert(bytes <= sizeof(uint64_t));
    uint64_t value = 0;
    for (uint32_t i = 0; i < bytes && offset + i < f->site->size; i++)
        value |= (uint64_t)f->message[offset + i] << 8 * i;
    return value;
}

/* Converts an IEEE 754 binary16 to the bits of a binary32. */
static uint32_t half_widened(uint32_t half)
{
    const uint32_t sign = (half & 0x8000u) << 16, exponent = half >> 10 & 31u,
                   fraction = half & 0x3ffu;
    if (exponent == 31)
        return sign | 0x7f800000u | fraction << 13;
    if (exponent)
        return sign | (exponent + 112) << 23 | fraction << 13;
    const float small = (float)fraction * 0x1p-24f;
    uint32_t bits;
    memcpy(&bits, &small, sizeof(bits));
    return sign | bits;
}

/* Adds one component as the words that a shader writes for printf. */
static void add_component(struct formatter *f, const struct spirv_abort_argument *argument,
                          uint64_t raw)
{
    assert(argument->kind != SPIRV_PRINTF_INT || argument->bits);
    uint32_t low = (uint32_t)raw;
    if (argument->kind == SPIRV_PRINTF_INT && argument->bits < 32 && low >> (argument->bits - 1))
        low |= UINT32_MAX << argument->bits;
    if (argument->kind == SPIRV_PRINTF_FLOAT && argument->bits == 16)
        low = argument->brain ? low << 16 : half_widened(low);
    f->words[f->word_count++] = low;
    if (argument->bits == 64)
        f->words[f->word_count++] = (uint32_t)(raw >> 32);
}

/* Adds an argument of the message. `strings` is where the next string is written; returns where the
 * string after it is written. */
static char *formatter_add_argument(struct formatter *f,
                                    const struct spirv_abort_argument *argument, char *strings)
{
    const uint32_t components = argument->components <= 4 ? argument->components : 4;
    struct spirv_printf_argument *to = &f->arguments[f->count++];
    *to = (struct spirv_printf_argument){
        .kind = argument->kind, .bits = argument->bits, .components = (uint8_t)components};
    if (argument->kind == SPIRV_PRINTF_STRING) {
        to->text = strings;
        for (uint32_t i = 0; i < argument->count &&
                             argument->offset + (uint64_t)i * argument->stride < f->site->size;
             i++) {
            *strings = (char)f->message[argument->offset + i * argument->stride];
            if (!*strings)
                break;
            strings++;
        }
        *strings++ = '\0';
        return strings;
    }
    for (uint32_t i = 0; i < components; i++)
        add_component(f, argument,
                      read_bytes(f, argument->offset + (uint64_t)i * argument->stride,
                                 argument->bits / 8u));
    return strings;
}

/* Reads all arguments, ARGUMENTS_MOST at most. Returns false if memory is out for their strings;
 * the text stays empty then. */
static bool read_arguments(struct formatter *f)
{
    uint64_t bytes = 1;
    for (uint32_t i = 0; i < f->site->argument_count; i++)
        bytes += f->site->arguments[i].kind == SPIRV_PRINTF_STRING
                     ? f->site->arguments[i].count + 1ull
                     : 0;
    char *at = f->strings = mem_alloc(bytes);
    if (!at)
        return false;
    for (uint32_t i = 0; i < f->site->argument_count && f->count < ARGUMENTS_MOST; i++)
        at = formatter_add_argument(f, &f->site->arguments[i], at);
    return true;
}

/* Writes a format for a value that no format of the message prints. */
static void plain_format(const struct spirv_printf_argument *argument,
                         struct string_builder *format)
{
    static const char *const specifiers[] = {
        [SPIRV_PRINTF_INT] = "d",  [SPIRV_PRINTF_UINT] = "u",    [SPIRV_PRINTF_FLOAT] = "g",
        [SPIRV_PRINTF_BOOL] = "u", [SPIRV_PRINTF_POINTER] = "p", [SPIRV_PRINTF_STRING] = "s"};
    string_builder_add(format, "%");
    if (argument->components > 1)
        string_builder_format(format, "v%u", argument->components);
    if (argument->bits == 64 && argument->kind != SPIRV_PRINTF_POINTER)
        string_builder_add(format, "l");
    string_builder_add(format, argument->kind < ARRAY_LENGTH(specifiers)
                                   ? specifiers[argument->kind]
                                   : "x");
}

/* Returns how many words the arguments before this one have. */
static uint32_t words_before(const struct formatter *f, uint32_t argument)
{
    uint32_t words = 0;
    for (uint32_t i = 0; i < argument; i++)
        words += spirv_printf_argument_words(&f->arguments[i]);
    return words;
}

/* Prints with as many of the arguments from `first` on as the format needs. Returns how many it
 * needs. */
static uint32_t formatter_print(struct formatter *f, const char *format, uint32_t first)
{
    struct spirv_printf parsed;
    if (!spirv_printf_parse(&parsed, format, &f->arguments[first], f->count - first))
        return f->count - first;
    const uint32_t words = words_before(f, first), used = parsed.arguments_used;
    spirv_printf_format(&parsed, &f->words[words], f->word_count - words, f->text);
    spirv_printf_free(&parsed);
    return used;
}

void spirv_abort_format(const struct spirv_abort_site *site, const uint8_t *message,
                        struct string_builder *text)
{
    assert(site && message && text);
    struct formatter *f = mem_alloc_zeroed(sizeof(*f));
    if (!f)
        return;
    f->site = site;
    f->message = message;
    f->text = text;
    /* If the message does not begin with a string, no string is used as a format. */
    bool formats = read_arguments(f) && f->count && f->arguments[0].kind == SPIRV_PRINTF_STRING;
    for (uint32_t i = 0; i < f->count;) {
        if (formats && f->arguments[i].kind == SPIRV_PRINTF_STRING) {
            i++;
            i += formatter_print(f, f->arguments[i - 1].text, i);
            continue;
        }
        char buffer[16];
        struct string_builder plain;
        string_builder_begin(&plain, buffer, sizeof(buffer));
        plain_format(&f->arguments[i], &plain);
        if (i)
            string_builder_add(text, " ");
        formatter_print(f, plain.text, i);
        string_builder_end(&plain);
        i++;
    }
    if (f->count < site->argument_count)
        string_builder_add(text, " ...");
    mem_free(f->strings);
    mem_free(f);
}
