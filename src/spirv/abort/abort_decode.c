/* Decodes the message of an abort of which only the bytes are known, as a driver gives them.
 * glslang's abortEXT writes a format, zero-terminated, and its arguments after it. Each argument
 * lies at a multiple of the size of its components. All other messages are shown as bytes. */
#include "spirv/abort/abort.h"

#include <string.h>

#include "spirv/printf/printf.h"

/* The most arguments of a message; one with more is shown as bytes. */
#define ARGUMENTS_MOST 64u
/* The bytes of an unknown value that are shown. */
#define BYTES_SHOWN 64u

/* True if the message begins with a readable string that ends within the message. */
static bool is_text(const uint8_t *message, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (!message[i])
            return i > 0;
        if (message[i] < ' ' && !strchr("\t\n\r\033", message[i]))
            return false;
    }
    return false;
}

/* Describes the argument that a conversion takes. Returns false if the conversion is unknown. */
static bool abort_read_conversion(const struct spirv_printf_piece *piece,
                                  struct spirv_abort_argument *argument)
{
    const uint32_t bits = piece->specifier == 'p' || piece->length == 'l' ? 64
                          : piece->length == 'h'                          ? 16
                          : piece->length == 'H'                          ? 8
                                                                          : 32;
    *argument = (struct spirv_abort_argument){.kind = SPIRV_PRINTF_UINT,
                                              .bits = (uint8_t)bits,
                                              .components = piece->vector ? piece->vector : 1,
                                              .count = 1,
                                              .stride = bits / 8};
    if (!piece->specifier || !strchr("diuxXobBcpfFeEgGaA", piece->specifier) ||
        piece->width_argument != SPIRV_PRINTF_NO_ARGUMENT ||
        piece->precision_argument != SPIRV_PRINTF_NO_ARGUMENT)
        return false;
    if (strchr("di", piece->specifier))
        argument->kind = SPIRV_PRINTF_INT;
    else if (strchr("fFeEgGaA", piece->specifier))
        argument->kind = SPIRV_PRINTF_FLOAT;
    else if (piece->specifier == 'p')
        argument->kind = SPIRV_PRINTF_POINTER;
    return true;
}

/* Lists the arguments that the format needs, in `arguments` after the format itself. Returns false
 * if they do not fill the message exactly. */
static bool find_arguments(const struct spirv_printf *format, size_t size,
                           struct spirv_abort_argument *arguments, uint32_t *count)
{
    assert(format && arguments && count);
    uint64_t at = strlen(format->format) + 1;
    arguments[0] = (struct spirv_abort_argument){.kind = SPIRV_PRINTF_STRING,
                                                 .bits = 8,
                                                 .components = 1,
                                                 .count = (uint32_t)at,
                                                 .stride = 1};
    *count = 1;
    for (uint32_t i = 0; i < format->piece_count; i++) {
        const struct spirv_printf_piece *piece = &format->pieces[i];
        if (!piece->conversion_length || piece->specifier == '%')
            continue;
        struct spirv_abort_argument *argument = &arguments[*count];
        if (*count == ARGUMENTS_MOST || !abort_read_conversion(piece, argument))
            return false;
        at = (at + argument->stride - 1) / argument->stride * argument->stride;
        argument->offset = (uint32_t)at;
        at += (uint64_t)argument->components * argument->stride;
        ++*count;
        if (at > size)
            return false;
    }
    return size - at < 8;
}

/* Writes the bytes in hexadecimal, BYTES_SHOWN of them. */
static void write_bytes(const uint8_t *message, size_t size, struct string_builder *text)
{
    string_builder_format(text, "%zu bytes:", size);
    for (size_t i = 0; i < size && i < BYTES_SHOWN; i++)
        string_builder_format(text, " %02x", message[i]);
    if (size > BYTES_SHOWN)
        string_builder_add(text, " ...");
}

void spirv_abort_decode(const uint8_t *message, size_t size, struct string_builder *text)
{
    assert(message || !size);
    struct spirv_abort_argument arguments[ARGUMENTS_MOST];
    struct spirv_printf format;
    uint32_t count;
    bool known = is_text(message, size) && size <= UINT32_MAX &&
                 spirv_printf_parse(&format, (const char *)message, NULL, 0);
    if (known) {
        const bool fits = find_arguments(&format, size, arguments, &count);
        spirv_printf_free(&format);
        if (!fits) {
            string_builder_format(text, "\"%s\", and after it ", (const char *)message);
            const size_t length = strlen((const char *)message) + 1;
            write_bytes(message + length, size - length, text);
            return;
        }
        const struct spirv_abort_site site = {
            .size = (uint32_t)size, .argument_count = count, .arguments = arguments};
        spirv_abort_format(&site, message, text);
        return;
    }
    write_bytes(message, size, text);
}
