/* Messages of shaders that give up (VK_KHR_shader_abort as the layer has it), byte for byte and as
 * text. Layouts are some that no compiler makes, and formats as glslang's abortEXT writes them.
 * There are constants, what is loaded, and the longest message that there may be. */
#include "gpu/abort_world.h"

#include <stdlib.h>
#include <string.h>

#include "shader_abort_messages.h"

#define INDEX 0x89abcdefu /* pushed to the shaders in assembly; 65536 to those in GLSL */

/* Each is reported, however many there are. */
#define NO_LIMIT    "duplicate_message_limit=1000"
#define ALL_OF_THEM .settings = {NO_LIMIT}

/* --- what is wanted --- */

#define PIECES_LIMIT 32

/* Bytes of a message that are not 0: an integer of 1 to 8 bytes, or a text. */
struct piece {
    uint32_t at, bytes;
    uint64_t value;
    const char *text;
};
struct wanted {
    uint32_t size;
    const char *text; /* what a person reads */
    struct piece pieces[PIECES_LIMIT];
};

static unsigned char *bytes_of(const struct wanted *wanted)
{
    unsigned char *bytes = calloc(1, wanted->size + (size_t)1);
    ENSURE(bytes);
    for (uint32_t i = 0; i < PIECES_LIMIT && wanted->pieces[i].bytes; i++) {
        const struct piece *piece = &wanted->pieces[i];
        ENSURE(piece->at + piece->bytes <= wanted->size);
        memcpy(bytes + piece->at, piece->text ? (const void *)piece->text : &piece->value,
               piece->bytes);
    }
    return bytes;
}

/* A report says this and no more, and so does a finding. */
static void expect_said(struct baseline *b, const VkDeviceFaultInfoKHR *reports, uint32_t count,
                        const char *text)
{
    char said[512];
    uint32_t i = 0;
    (void)snprintf(said, sizeof(said), "Shader abort: %s", text);
    while (i < count && strcmp(reports[i].description, said))
        i++;
    if (i == count)
        scenario_fail(__FILE__, __LINE__, "no report says \"%s\"", said);
    const int first = (int)strcspn(text, "\n"); /* findings indent further lines */
    (void)snprintf(said, sizeof(said), "The shader has aborted: %.*s%s%s. Command buffer (", first,
                   text, text[first] ? "\n  " : "", text[first] ? text + first + 1 : "");
    expect_text(b, said);
}

static void expect_all(struct baseline *b, const struct wanted *wanted, uint32_t count)
{
    VkDeviceFaultInfoKHR reports[64];
    uint32_t report_count = 64;
    for (uint32_t i = 0; i < report_count; i++)
        reports[i] = (VkDeviceFaultInfoKHR){.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_KHR};
    VK(DEVICE_PROC(b, vkGetDeviceFaultReportsKHR)(b->device, 0, &report_count, reports));
    EXPECT_EQUAL(report_count, count);
    EXPECT_EQUAL(seen_count(b, ABORT_ID), count);
    struct abort_messages messages = abort_messages_read(b);
    for (uint32_t i = 0; i < count; i++) {
        unsigned char *bytes = bytes_of(&wanted[i]);
        abort_message_expect(&messages, wanted[i].text, bytes, wanted[i].size);
        free(bytes);
        expect_said(b, reports, report_count, wanted[i].text);
    }
    abort_messages_end(&messages);
    if (!scenario_failed())
        return;
    for (uint32_t i = 0; i < report_count; i++)
        fprintf(stderr, "%s\n", reports[i].description);
}

/* --- layouts --- */

/* Values, by the name in shaders/shader_abort_messages.py. */
#define A                 INDEX
#define B                 0xef
#define H                 0xcdef
#define W                 0x89abcdef0000000aull
#define F                 0x40200000u
#define F1                0x40600000u
#define NF                0xc0200000u
#define ONE               0x3f800000u
#define FH                0x40400000u
#define D                 0x4004000000000000ull
#define DN                0xc004000000000000ull
#define U1(at_, value_)   {(at_), 1, (value_), NULL}
#define U2(at_, value_)   {(at_), 2, (value_), NULL}
#define U4(at_, value_)   {(at_), 4, (value_), NULL}
#define U8(at_, value_)   {(at_), 8, (value_), NULL}
#define TEXT(at_, value_) {(at_), sizeof(value_) - 1, 0, (value_)}
/* A matrix of 2 x 3, by rows that are 8 bytes apart. It has the vectors (2.5, 3.5, -2.5) and (1, 3,
 * 2.5), in this order and in the other one. */
#define ROWS(at_)                                                                              \
    U4(at_, F), U4((at_) + 4, ONE), U4((at_) + 8, F1), U4((at_) + 12, FH), U4((at_) + 16, NF), \
        U4((at_) + 20, F)
#define ROWS_BACK(at_)                                                                        \
    U4(at_, ONE), U4((at_) + 4, F), U4((at_) + 8, FH), U4((at_) + 12, F1), U4((at_) + 16, F), \
        U4((at_) + 20, NF)
#define V3  "2.5, 3.5, -2.5"
#define V3B "1, 3, 2.5"

static const struct wanted layouts[] = {
    {24, "239 52719 2.5 -17 2.5", {U1(0, B), U2(4, H), U4(8, F), U1(13, B), U8(16, D)}},
    {37,
     "2309737967 52719 10 52719 2309737967 52719 239",
     {U4(0, A), U2(4, H), U4(12, 10), U2(16, H), U4(24, A), U2(28, H), U1(36, B)}},
    {56,
     V3 " " V3B " " V3 " " V3B,
     {U4(0, F), U4(4, F1), U4(8, NF), U4(16, ONE), U4(20, FH), U4(24, F), ROWS(32)}},
    {27, "52719 10 52719 10 239", {U2(0, H), U2(8, 10), U2(16, H), U2(24, 10), U1(26, B)}},
    {23, "9920249030594527242 239 -12817 -17", {U8(8, W), U1(0, B), U2(2, H), U1(22, B)}},
    {16, "2309737967 is %u| 10", {U4(0, A), TEXT(4, "is %u|"), U4(12, 10)}},
    {33,
     "first 10|second -1985229329 239",
     {TEXT(0, "first %u|"), U4(12, 10), TEXT(16, "second %d"), U4(28, A), U1(32, B)}},
    {16, "7 -0.5", {U4(0, 7), U8(8, 0xbfe0000000000000ull)}},
    {6, "0 0", {{0, 0, 0, NULL}}},
    {1, "239", {U1(0, B)}},
    {2, "-12817", {U2(0, H)}},
    {4, "2.5", {U4(0, F)}},
    {8, "-8526495043115024374", {U8(0, W)}},
    {12, V3, {U4(0, F), U4(4, F1), U4(8, NF)}},
    {48,
     "239, 7, 239, 7 -12817, -12817, -12817 2.5, -2.5 9920249030594527242, 2309737967 2.5, -2.5",
     {U1(0, B), U1(1, 7), U1(2, B), U1(3, 7), U2(4, H), U2(6, H), U2(8, H), U2(10, 0x4100),
      U2(12, 0xc100), U8(16, W), U8(24, A), U8(32, D), U8(40, DN)}},
    {120,
     V3 " " V3B " " V3B " " V3 " " V3B " " V3 " " V3B " " V3,
     {ROWS(4), ROWS_BACK(32), ROWS_BACK(68), ROWS_BACK(96)}},
    {16, "tag 10tag 2309737967", {TEXT(0, "tag"), U4(4, 10), TEXT(8, "tag"), U4(12, A)}},
    {16, "2309737967 2309737967, 7", {U4(0, A), U4(8, A), U4(12, 7)}},
    {16, "52719 239 2309737967", {U2(2, H), U1(8, B), U4(12, A)}},
    {0, "", {{0, 0, 0, NULL}}},
    {1, "", {{0, 0, 0, NULL}}},
    {5, "2309737967 239", {U4(0, A), U1(4, B)}},
};
#define COUNT(array_) (uint32_t)(sizeof(array_) / sizeof((array_)[0]))

static void run_layouts(struct baseline *b)
{
    struct gpu g = abort_world(b, gpu_stage_comp, GPU_CODE(spirv_layouts_abort), INDEX, 16);
    EXPECT_EQUAL(abort_dispatch(&g, COUNT(layouts)), VK_ERROR_DEVICE_LOST);
    expect_all(b, layouts, COUNT(layouts));
}

SCENARIO(messages_of_all_layouts, ABORT, ALL_OF_THEM)
{
    run_layouts(b);
}

SCENARIO(messages_of_all_layouts_with_all_checks, ABORT,
         .settings = {NO_LIMIT, "gpuav_enable=true", "validate_sync=true"})
{
    run_layouts(b);
}

/* --- what is loaded --- */

/* The buffer's layout is not the message's: what is loaded as a whole is taken apart. */
SCENARIO(message_from_a_buffer, ABORT)
{
    struct gpu g = abort_world(b, gpu_stage_comp, GPU_CODE(spirv_loaded_abort), INDEX, 256);
    unsigned char stored[204], wanted[492];
    uint64_t size;
    for (uint32_t i = 0; i < sizeof(stored); i++)
        stored[i] = (unsigned char)(i + 1);
    memset(wanted, 0, sizeof(wanted));
    memcpy(wanted + 8, stored, 4);
    memcpy(wanted + 12, stored + 16, 12);
    for (size_t i = 0; i < 36; i++)
        memcpy(wanted + 24 + 12 * i, stored + 32 + 4 * i, 4);
    for (size_t i = 0; i < 2; i++)
        memcpy(wanted + 456 + 24 * i, stored + 176 + 16 * i, 12);
    gpu_fill(b, g.result, 0, stored, sizeof(stored));
    EXPECT_EQUAL(abort_dispatch(&g, 1), VK_ERROR_DEVICE_LOST);
    struct abort_messages messages = abort_messages_read(b);
    abort_message_expect(&messages, "from the buffer", wanted, sizeof(wanted));
    EXPECT_EQUAL(abort_message_at(&messages, 0, &size)[491], 204);
    abort_messages_end(&messages);
}

/* --- where values come from --- */

#define MANY 40

static void put_bytes(unsigned char *bytes, uint32_t at, uint64_t value, size_t size)
{
    memcpy(bytes + at, &value, size);
}

/* The messages of VALUES in the shaders' source, by their number there; gives the size. */
static uint32_t wanted_value(uint32_t number, unsigned char bytes[2048])
{
    static const uint32_t sizes[] = {236, 328, 40, 39 * 28 + 24, 6, 28, 324, 12, 79};
    static const struct piece selected[] = {U4(0, A), U2(4, H)},
                              shuffled[] = {U4(0, F),  U4(4, F),  U4(8, FH),
                                            U4(16, A), U4(20, 7), U4(24, A)},
                              address[] = {U8(0, W), U4(8, 10)};
    const struct piece *pieces = number == 4 ? selected : number == 5 ? shuffled : address;
    const uint32_t count = number == 4 ? 2 : number == 5 ? 6 : number == 7 ? 2 : 0;
    memset(bytes, 0, 2048);
    if (number == 1)
        bytes[0] = B;
    for (uint32_t i = 0; i < count; i++)
        put_bytes(bytes, pieces[i].at, pieces[i].value, pieces[i].bytes);
    for (uint32_t i = 0; i < MANY; i++) {
        const double wide = A + i;
        const float narrow = (float)i;
        const uint32_t rows[6] = {F, 0, F1, F, NF, ONE};
        if (number == 0)
            put_bytes(bytes, 6 * i, A + i, 2);
        if (number == 1)
            memcpy(bytes + 8 + 8 * (size_t)i, &wide, 8);
        if (number == 2)
            bytes[i] = i == 3 ? 7 : (unsigned char)(A + i);
        if (number == 3) {
            memcpy(bytes + 28 * (size_t)i, rows, sizeof(rows));
            memcpy(bytes + 28 * (size_t)i + 4, &narrow, 4);
        }
        if (number == 6) {
            put_bytes(bytes, 4 * i, A + i, 4);
            put_bytes(bytes, 164 + 4 * i, A + i, 4);
        }
        if (number == 8)
            bytes[2 * i] = 7;
    }
    return sizes[number];
}

SCENARIO(messages_of_values_from_everywhere, ABORT, ALL_OF_THEM,
         .text = {"aborted: 52719 52720 52721", "aborted: 2309737967 52719.",
                  "aborted: 2.5, 2.5, 3 2309737967, 7, 2309737967.",
                  "aborted: 0x89abcdef0000000a 10.", "aborted: 7 7 7 7"})
{
    static unsigned char bytes[2048];
    struct gpu g = abort_world(b, gpu_stage_comp, GPU_CODE(spirv_values_abort), INDEX, 16);
    EXPECT_EQUAL(abort_dispatch(&g, 9), VK_ERROR_DEVICE_LOST);
    struct abort_messages messages = abort_messages_read(b);
    for (uint32_t i = 0; i < 9; i++) {
        char name[32];
        const uint32_t size = wanted_value(i, bytes);
        (void)snprintf(name, sizeof(name), "of value %u", i);
        abort_message_expect(&messages, name, bytes, size);
    }
    abort_messages_end(&messages);
}

/* --- the longest --- */

#define LONGEST 65536u

/* Runs so many invocations, each with a message of 65,536 bytes: 257 of its members are not
 * constant, and the bytes between them are 0. */
static struct abort_messages run_longest(struct baseline *b, uint32_t groups)
{
    static unsigned char wanted[LONGEST];
    uint32_t stored[256];
    struct gpu g =
        abort_world(b, gpu_stage_comp, GPU_CODE(spirv_longest_abort), INDEX, sizeof(stored));
    for (uint32_t i = 0; i < 256; i++) {
        stored[i] = i * 0x01010101u + 1;
        memcpy(wanted + 256 * (size_t)i, &stored[i], 4);
    }
    wanted[LONGEST - 1] = B;
    gpu_fill(b, g.result, 0, stored, sizeof(stored));
    EXPECT_EQUAL(abort_dispatch(&g, groups), VK_ERROR_DEVICE_LOST);
    struct abort_messages messages = abort_messages_read(b);
    EXPECT_EQUAL(messages.size, messages.count * (LONGEST + 8ull));
    for (uint32_t i = 0; i < messages.count; i++)
        abort_message_expect(&messages, "of 65,536 bytes", wanted, LONGEST);
    return messages;
}

SCENARIO(longest_message, ABORT)
{
    struct abort_messages messages = run_longest(b, 1);
    EXPECT_EQUAL(messages.count, 1);
    abort_messages_end(&messages);
}

SCENARIO(longest_messages, ABORT)
{
    struct abort_messages messages = run_longest(b, 64);
    EXPECT_EQUAL(messages.count, 64);
    abort_messages_end(&messages);
}

/* More than are kept: those that are there are whole, and the others are counted. */
SCENARIO(too_many_long_messages, ABORT_QUIET,
         .expect = {ABORT_ID, "WARNING-GPU-Assisted-Validation"}, .text = {"found no more room"})
{
    struct abort_messages messages = run_longest(b, 1200);
    EXPECT(messages.count >= 1 && messages.count < 1200);
    char text[128];
    (void)snprintf(text, sizeof(text), "%u messages of shaders that aborted are not shown",
                   1200 - messages.count);
    expect_text(b, text);
    abort_messages_end(&messages);
}

/* A shader writes what is not constant: there is room for all of these. */
SCENARIO(longest_messages_of_strings, ABORT, ALL_OF_THEM, .text = {"xxx 63 ends. Command buffer"})
{
    static unsigned char wanted[LONGEST];
    struct gpu g = abort_world(b, gpu_stage_comp, GPU_CODE(spirv_long_string_abort), INDEX, 16);
    EXPECT_EQUAL(abort_dispatch(&g, 64), VK_ERROR_DEVICE_LOST);
    struct abort_messages messages = abort_messages_read(b);
    EXPECT_EQUAL(messages.count, 64);
    memset(wanted, 'x', 65521);
    memcpy(wanted + 65521, " %u ends", 8);
    for (unsigned char i = 0; i < 64; i++) {
        wanted[65532] = i;
        abort_message_expect(&messages, "of a long string", wanted, LONGEST);
    }
    abort_messages_end(&messages);
}

/* --- specialization --- */

static VkPipeline specialized_pipeline(struct gpu *g, const VkSpecializationInfo *specialization)
{
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_from(g->b, g->code.words, g->code.size), g->layout);
    info.stage.pSpecializationInfo = specialization;
    VkPipeline pipeline = create_compute_pipeline(g->b, &info);
    ENSURE(pipeline);
    return pipeline;
}

static void run_specialized(struct baseline *b, const VkSpecializationInfo *specialization,
                            const struct wanted *wanted)
{
    struct gpu g = abort_world(b, gpu_stage_comp, GPU_CODE(spirv_specialized_abort), INDEX, 16);
    if (specialization)
        g.pipeline = specialized_pipeline(&g, specialization);
    EXPECT_EQUAL(abort_dispatch(&g, 1), VK_ERROR_DEVICE_LOST);
    expect_all(b, wanted, 1);
}

static const struct wanted as_it_is = {
    32, "is 5 6, 7 2309737967", {TEXT(0, "is %u"), U4(16, 5), U4(20, 6), U4(24, 7), U4(28, A)}};
SCENARIO(message_not_specialized, ABORT)
{
    run_specialized(b, NULL, &as_it_is);
}

SCENARIO(message_of_a_specialized_number, ABORT)
{
    static const uint32_t number = 99;
    static const VkSpecializationMapEntry entry = {2, 0, 4};
    const VkSpecializationInfo specialization = {1, &entry, sizeof(number), &number};
    static const struct wanted wanted = {
        32,
        "is 99 100, 7 2309737967",
        {TEXT(0, "is %u"), U4(16, 99), U4(20, 100), U4(24, 7), U4(28, A)}};
    run_specialized(b, &specialization, &wanted);
}

/* A string of another length than the module's, and its length with it. */
SCENARIO(message_of_a_specialized_string, ABORT)
{
    static const struct {
        uint32_t length, number;
        char text[16];
    } data = {15, 3, "%x, %v2u and %u"};
    static const VkSpecializationMapEntry entries[] = {{1, 0, 4}, {2, 4, 4}, {3, 8, 15}};
    const VkSpecializationInfo specialization = {3, entries, sizeof(data), &data};
    static const struct wanted wanted = {
        32,
        "3, 4, 7 and 2309737967",
        {TEXT(0, "%x, %v2u and %u"), U4(16, 3), U4(20, 4), U4(24, 7), U4(28, A)}};
    run_specialized(b, &specialization, &wanted);
}

/* --- formats --- */

/* As glslang packs them: the string with its end and up to the next multiple of 4. Then comes each
 * argument at a multiple of its component's size. */
struct formatted {
    const char *format, *text;
    struct {
        uint32_t bytes, components;
        uint64_t values[4];
    } arguments[8];
};

#define ARG4(...)                                 \
    {                                             \
        4, sizeof((uint64_t[]){__VA_ARGS__}) / 8, \
        {                                         \
            __VA_ARGS__                           \
        }                                         \
    }
#define ARG1(...)                                 \
    {                                             \
        1, sizeof((uint64_t[]){__VA_ARGS__}) / 8, \
        {                                         \
            __VA_ARGS__                           \
        }                                         \
    }
#define ARG2(...)                                 \
    {                                             \
        2, sizeof((uint64_t[]){__VA_ARGS__}) / 8, \
        {                                         \
            __VA_ARGS__                           \
        }                                         \
    }
#define ARG8(...)                                 \
    {                                             \
        8, sizeof((uint64_t[]){__VA_ARGS__}) / 8, \
        {                                         \
            __VA_ARGS__                           \
        }                                         \
    }
#define U  65536u
#define NU 0xffff0000u

static const struct formatted formats[] = {
    {"100%% of %u", "100% of 65536", {ARG4(U)}},
    {"[%8u] [%-8u] [%08u] [%+d] [% d] [%#x] [%.7u]",
     "[   65536] [65536   ] [00065536] [+65536] [ 65536] [0x10000] [0065536]",
     {ARG4(U), ARG4(U), ARG4(U), ARG4(U), ARG4(U), ARG4(U), ARG4(U)}},
    {"%x %X %o %lx %lu",
     "1000a 1000A 200000 1000000000000 281474976710656",
     {ARG4(U + 10), ARG4(U + 10), ARG4(U), ARG8((uint64_t)U << 32), ARG8((uint64_t)U << 32)}},
    {"%v3f|%v2u|%1.2v4f|%v2d",
     "2.500000, -2.500000, 1.000000|65536, 7|2.50, 2.50, 2.50, 2.50|-65536, 3",
     {ARG4(F, NF, ONE), ARG4(U, 7), ARG4(F, F, F, F), ARG4(NU, 3)}},
    {"few %u and %u", "few 65536 and %u", {ARG4(U)}},
    {"many %u", "many 65536 7 2.5", {ARG4(U), ARG4(7), ARG4(F)}},
    {"%q and %u", "%q and 65536", {ARG4(U)}},
    {"%s?", "65536?", {ARG4(U)}},
    {"%s?", "%s?", {{0, 0, {0}}}},
    {"Größe %u €, 日本 🜍", "Größe 65536 €, 日本 🜍", {ARG4(U)}},
    {"", "", {{0, 0, {0}}}},
    {"", " 65536", {ARG4(U)}},
    {"%u%u%u", "6553613", {ARG4(U), ARG4(1), ARG1(3)}},
    {"%hhd %hd %5.1lf", "-128 -16384   2.5", {ARG1(0x80), ARG2(0xc000), ARG8(D)}},
    {"at the end 50%", "at the end 50% 65536", {ARG4(U)}},
    {"[%*u]", "[  65536]", {ARG4(7), ARG4(U)}},
    {"[%5000u]", NULL, {ARG4(U)}},
    {"%f as %d, %d as %f",
     "65536.000000 as 2, 2 as 65536.000000",
     {ARG4(U), ARG4(F), ARG4(F), ARG4(U)}},
    {"line\n%u", "line\n65536", {ARG4(U)}},
    {"%n %u", "%n %u", {ARG4(U)}},
    {"0123456789abc", "0123456789abc", {{0, 0, {0}}}},
    {"%v4x", "ffff, ffff, ffff, ffff", {ARG2(0xffff, 0xffff, 0xffff, 0xffff)}},
    {"%u", "65536, 1, 2", {ARG8(U, 1, 2)}},
    {"%c%c", "H€", {ARG4(72), ARG4(0x20ac)}},
};

static void expect_formatted(struct abort_messages *messages, const struct formatted *formatted)
{
    unsigned char bytes[256] = {0};
    uint32_t at = (uint32_t)(strlen(formatted->format) + 4) & ~3u;
    memcpy(bytes, formatted->format, strlen(formatted->format));
    for (uint32_t i = 0; i < 8 && formatted->arguments[i].bytes; i++) {
        const uint32_t size = formatted->arguments[i].bytes;
        at = (at + size - 1) / size * size;
        for (uint32_t k = 0; k < formatted->arguments[i].components; k++, at += size)
            memcpy(bytes + at, &formatted->arguments[i].values[k], size);
    }
    ENSURE(at <= sizeof(bytes));
    abort_message_expect(messages, formatted->format, bytes, at);
}

SCENARIO(messages_of_all_formats, ABORT, ALL_OF_THEM)
{
    VkDeviceFaultInfoKHR reports[COUNT(formats)];
    uint32_t count = COUNT(formats);
    struct gpu g = abort_world(b, gpu_stage_comp, GPU_CODE(spirv_formats_abort), U, 16);
    EXPECT_EQUAL(abort_dispatch(&g, COUNT(formats)), VK_ERROR_DEVICE_LOST);
    for (uint32_t i = 0; i < COUNT(formats); i++)
        reports[i] = (VkDeviceFaultInfoKHR){.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_KHR};
    VK(DEVICE_PROC(b, vkGetDeviceFaultReportsKHR)(b->device, 0, &count, reports));
    EXPECT_EQUAL(count, COUNT(formats));
    struct abort_messages messages = abort_messages_read(b);
    for (uint32_t i = 0; i < COUNT(formats); i++) {
        expect_formatted(&messages, &formats[i]);
        if (formats[i].text)
            expect_said(b, reports, count, formats[i].text);
    }
    abort_messages_end(&messages);
    for (uint32_t i = 0; scenario_failed() && i < count; i++)
        fprintf(stderr, "%s\n", reports[i].description);
}
