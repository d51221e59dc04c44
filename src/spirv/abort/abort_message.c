/* Finds the parts of a message, and emits the code with which a shader writes those that are not
 * constant. Each scalar is followed through composites to the value that it was made from. */
#include "spirv/abort/abort_build.h"

#include <string.h>

#include "spirv/abi.h"
#include "spirv/printf/printf.h"
#include "base/vec.h"

#define DEPTH_MOST 24 /* types within types, and composites of composites */
/* the most parts that are visited in one message; they can be more than its bytes, as strides may
 * be 0, and parts may be empty */
#define STEPS_MOST     (1 << 18)
#define ARGUMENTS_MOST 512 /* more than spirv_abort_format() prints */

/* A value, or the part of it that `path` leads to. */
struct part {
    uint32_t value; /* id; 0: the value is 0 */
    uint32_t path[DEPTH_MOST];
    uint32_t length; /* of `path` */
};

/* A value that the shader writes: a scalar, or an array that a loop writes. */
struct dynamic {
    struct part part;
    uint32_t type; /* type of the part */
    uint32_t word; /* index in the record of the value's first word */
    bool array;    /* an array that a loop writes */
};

/* The state of making one message's site and the code that writes it. */
struct message {
    struct abort_lower *lower;
    uint8_t *image; /* ABORT_BYTES_MOST */
    uint32_t size;
    struct spirv_abort_leaf *leaves; /* owned until the site has them */
    uint32_t leaf_count, leaf_capacity;
    struct spirv_abort_argument *arguments; /* owned */
    uint32_t argument_count, argument_capacity;
    struct dynamic *dynamics; /* owned; sorted by place in the record */
    uint32_t dynamic_count, dynamic_capacity;
    uint32_t words, steps; /* words of the record; steps taken, up to STEPS_MOST */
};

/* Collects sites until all are known: then they are copied into one allocation. */
struct abort_site_list {
    struct spirv_abort_site *sites; /* image, leaves and arguments are owned, each */
    uint32_t count, capacity;
};

/* Returns the definition of a type with at least so many words; NULL: it is shorter, or there is
 * none. */
static const struct spirv_instruction *type_definition(const struct abort_lower *lower,
                                                       uint32_t type, uint32_t words)
{
    const struct spirv_instruction *definition = spirv_definition(lower->module, type);
    return definition && definition->length >= words ? definition : NULL;
}

/* Returns the words of an instruction, which must exist. */
static const uint32_t *message_words(const struct abort_lower *lower,
                                     const struct spirv_instruction *definition)
{
    assert(definition);
    return spirv_words(lower->module, definition);
}

/* --- the origin of values --- */

/* Inserts indices at the beginning of the part's path. Returns false if the path gets too long. */
static bool push_path(struct part *part, const uint32_t *path, uint32_t count)
{
    assert(path || !count);
    if (count > DEPTH_MOST - part->length)
        return false;
    memmove(&part->path[count], part->path, part->length * sizeof(*path));
    memcpy(part->path, path, count * sizeof(*path));
    part->length += count;
    return true;
}

/* Removes the first `count` indices, as the part is now in another value. */
static void pop_path(struct part *part, uint32_t count)
{
    assert(count <= part->length);
    part->length -= count;
    memmove(part->path, &part->path[count], part->length * sizeof(*part->path));
}

/* Follows the part from an OpCompositeConstruct into the operand that contains it. Returns false if
 * several operands do. */
static bool enter_construct(const struct abort_lower *lower, struct part *part,
                            const struct spirv_instruction *definition)
{
    const uint32_t *words = message_words(lower, definition);
    const struct spirv_instruction *type = type_definition(lower, words[1], 3);
    uint32_t index = part->path[0];
    if (!type || type->opcode != SpvOpTypeVector) {
        if (index >= definition->length - 3u)
            return false;
        part->value = words[3 + index];
        pop_path(part, 1);
        return true;
    }
    /* A vector may be made of vectors. */
    for (uint32_t i = 3; i < definition->length; i++) {
        uint32_t count = abort_part_count(lower, abort_type_of(lower, words[i]));
        if (index < (count ? count : 1)) {
            part->value = words[i];
            part->path[0] = index;
            if (!count)
                pop_path(part, 1);
            return true;
        }
        index -= count ? count : 1;
    }
    return false;
}

/* Follows the part from an OpCompositeInsert into the inserted value, or into the original
 * composite, whichever contains it. Returns false if the part itself contains the inserted
 * value. */
static bool enter_insert(const struct abort_lower *lower, struct part *part,
                         const struct spirv_instruction *definition)
{
    const uint32_t *words = message_words(lower, definition);
    uint32_t count = definition->length - 5u, same = 0;
    while (same < count && same < part->length && part->path[same] == words[5 + same])
        same++;
    if (same == count) {
        part->value = words[3];
        pop_path(part, count);
        return true;
    }
    if (same == part->length) /* the part contains the inserted value */
        return false;
    part->value = words[4];
    return true;
}

/* Follows the part to an operand of the instruction that made it. Returns false if that is not
 * possible. */
static bool part_step(const struct abort_lower *lower, struct part *part)
{
    const struct spirv_instruction *definition = spirv_definition(lower->module, part->value);
    const uint32_t *words = definition ? message_words(lower, definition) : NULL;
    if (!definition || definition->length < 3)
        return false;
    switch (definition->opcode) {
    case SpvOpConstantNull:
    case SpvOpUndef:
        /* All parts of the value are zero, which `value` 0 means. */
        part->value = 0;
        return false;
    case SpvOpConstantComposite:
    case SpvOpSpecConstantComposite:
    case SpvOpCompositeConstruct:
        /* Without a path the part is the whole composite, and no single constituent. */
        return part->length && enter_construct(lower, part, definition);
    case SpvOpCopyLogical:
    case SpvOpCopyObject:
        if (definition->length < 4)
            return false;
        part->value = words[3];
        return true;
    case SpvOpCompositeInsert:
        return definition->length > 5 && enter_insert(lower, part, definition);
    case SpvOpCompositeExtract:
        if (definition->length < 5 || !push_path(part, &words[4], definition->length - 4u))
            return false;
        part->value = words[3];
        return true;
    default:
        return false;
    }
}

/* Follows the part as far as possible. The bound is for modules with circular definitions. */
static void part_resolve(const struct abort_lower *lower, struct part *part)
{
    for (uint32_t steps = 0; steps < 1024 && part_step(lower, part); steps++)
        continue;
}

/* Returns the opcode of the id's definition; SpvOpNop: there is none. */
static uint16_t opcode_of(const struct abort_lower *lower, uint32_t id)
{
    const struct spirv_instruction *definition = spirv_definition(lower->module, id);
    return definition ? definition->opcode : SpvOpNop;
}

/* Finds the bits of a constant scalar. Returns false if it is not constant. */
static bool constant_bits(const struct abort_lower *lower, const struct part *part, uint32_t bits,
                          uint64_t *value)
{
    const struct spirv_instruction *definition = spirv_definition(lower->module, part->value);
    size_t size;
    const uint8_t *data;
    *value = 0;
    if (!part->value)
        return true;
    if (!definition)
        return false;
    const uint32_t *words = message_words(lower, definition);
    if (definition->opcode == SpvOpConstant && definition->length > 3 && !part->length) {
        *value = words[3] | (definition->length > 4 ? (uint64_t)words[4] << 32 : 0);
        *value &= bits < 64 ? (1ull << bits) - 1 : UINT64_MAX;
        return true;
    }
    if (part->length != 1 || !(data = constant_data(lower, part->value, &size)))
        return false;
    for (uint32_t i = 0; i < bits / 8; i++) {
        uint64_t at = (uint64_t)part->path[0] * (bits / 8) + i;
        *value |= at < size ? (uint64_t)data[at] << 8 * i : 0;
    }
    return true;
}

/* --- the layout of messages --- */

/* The layout that a structure's member gives to the matrices in it. */
struct layout {
    uint32_t matrix_stride;
    bool row_major;
};

/* Adds an argument for the text. Beyond ARGUMENTS_MOST the text is cut, and the bytes stay
 * complete. */
static void message_add_argument(struct message *m, const struct spirv_abort_argument *argument)
{
    if (m->argument_count >= ARGUMENTS_MOST)
        return;
    if (vec_room(&m->arguments, m->argument_count, &m->argument_capacity, 8, sizeof(*argument)))
        m->arguments[m->argument_count++] = *argument;
    else
        m->lower->failed = true;
}

/* Adds the argument for a scalar or vector. */
static void add_value_argument(struct message *m, uint32_t type, uint32_t components,
                               uint64_t offset, uint32_t stride)
{
    const struct spirv_instruction *definition = type_definition(m->lower, type, 3);
    if (!definition || offset > UINT32_MAX || !abort_scalar_bits(m->lower, type))
        return;
    const uint32_t *words = message_words(m->lower, definition);
    struct spirv_abort_argument argument = {.bits = (uint8_t)abort_scalar_bits(m->lower, type),
                                            .components =
                                                (uint8_t)(components < 255 ? components : 255),
                                            .offset = (uint32_t)offset,
                                            .count = 1,
                                            .stride = stride};
    argument.kind = SPIRV_PRINTF_POINTER;
    if (definition->opcode == SpvOpTypeFloat) { /* floats of 8 bits are shown as integers */
        argument.kind = argument.bits == 8 ? SPIRV_PRINTF_UINT : SPIRV_PRINTF_FLOAT;
        argument.brain = definition->length > 3 && words[3] == SpvFPEncodingBFloat16KHR;
    } else if (definition->opcode == SpvOpTypeInt) {
        argument.kind = definition->length > 3 && words[3] ? SPIRV_PRINTF_INT : SPIRV_PRINTF_UINT;
    }
    message_add_argument(m, &argument);
}

/* Adds a scalar that the shader writes, with its place in the message's bytes. */
static void add_leaf(struct message *m, const struct spirv_abort_leaf *leaf)
{
    assert(leaf);
    if (vec_room(&m->leaves, m->leaf_count, &m->leaf_capacity, 8, sizeof(*leaf)))
        m->leaves[m->leaf_count++] = *leaf;
    else
        m->lower->failed = true;
}

/* Adds a value that the shader writes, and returns its first word; SPIRV_NONE: there is no room for
 * it, and its bytes stay 0. */
static uint32_t add_dynamic(struct message *m, const struct part *part, uint32_t type,
                            uint32_t words, bool array)
{
    uint32_t word = m->words;
    if (words > (uint32_t)ABORT_WORDS - ABORT_MESSAGE - m->words)
        return SPIRV_NONE;
    if (!vec_room(&m->dynamics, m->dynamic_count, &m->dynamic_capacity, 8, sizeof(*m->dynamics))) {
        m->lower->failed = true;
        return SPIRV_NONE;
    }
    m->dynamics[m->dynamic_count++] =
        (struct dynamic){.part = *part, .type = type, .word = word, .array = array};
    m->words += words;
    return word;
}

/* Extends the message's size so that it has these bytes. Returns false if they are beyond the
 * largest message. */
static bool take_bytes(struct message *m, uint64_t offset, uint64_t bytes)
{
    if (offset + bytes > ABORT_BYTES_MOST || offset + bytes < bytes)
        return false;
    if (offset + bytes > m->size)
        m->size = (uint32_t)(offset + bytes);
    return true;
}

/* Adds a scalar to the message's image: a constant as its bytes, else as a leaf that the shader
 * writes. */
static void add_scalar(struct message *m, uint32_t type, const struct part *from, uint64_t offset)
{
    struct part part = *from;
    uint64_t value;
    uint32_t bits = abort_scalar_bits(m->lower, type);
    if (!bits || !take_bytes(m, offset, bits / 8))
        return;
    part_resolve(m->lower, &part);
    if (constant_bits(m->lower, &part, bits, &value)) {
        for (uint32_t i = 0; i < bits / 8; i++)
            m->image[offset + i] = (uint8_t)(value >> 8 * i);
        return;
    }
    const struct spirv_abort_leaf leaf = {
        .offset = (uint32_t)offset,
        .bits = bits,
        .word = add_dynamic(m, &part, type, bits == 64 ? 2 : 1, false),
        .count = 1};
    if (leaf.word != SPIRV_NONE)
        add_leaf(m, &leaf);
}

/* How often a leaf occurs in an array that a loop writes, and from one to the next the distance in
 * bytes (`stride`) and in words (`word_stride`). */
struct repeated {
    uint32_t count, stride, word_stride;
};

static void add_repeated(struct message *m, uint32_t type, struct layout layout, uint64_t offset,
                         uint32_t word, struct repeated repeated, uint32_t depth);

/* Returns the byte offset of a member; 0 without the decoration. */
static uint64_t member_offset(const struct abort_lower *lower, uint32_t type, uint32_t member)
{
    const uint32_t *words = abort_decoration(lower, type, member, SpvDecorationOffset);
    return words && spirv_word_length(words[0]) > 4 ? words[4] : 0;
}

/* Returns the layout of matrices in a member; without decorations of its own, the layout of the
 * surrounding type. */
static struct layout member_layout(const struct abort_lower *lower, uint32_t type, uint32_t member,
                                   struct layout layout)
{
    const uint32_t *stride = abort_decoration(lower, type, member, SpvDecorationMatrixStride);
    if (stride && spirv_word_length(stride[0]) > 4)
        layout = (struct layout){
            .matrix_stride = stride[4],
            .row_major = abort_decoration(lower, type, member, SpvDecorationRowMajor) != NULL};
    return layout;
}

/* Returns the byte offset of part `index` of a type. For a vector in a row-major matrix, `layout`
 * gives the distance of its components. */
static uint64_t part_offset(const struct abort_lower *lower, uint32_t type, uint32_t index,
                            struct layout *layout)
{
    const struct spirv_instruction *definition = type_definition(lower, type, 2);
    const uint32_t *words;
    uint32_t scalar, rows;
    switch (definition ? definition->opcode : SpvOpNop) {
    case SpvOpTypeStruct:
        *layout = member_layout(lower, type, index, (struct layout){0});
        return member_offset(lower, type, index);
    case SpvOpTypeArray:
        words = abort_decoration(lower, type, SPIRV_NONE, SpvDecorationArrayStride);
        return (uint64_t)index * (words && spirv_word_length(words[0]) > 3 ? words[3] : 0);
    case SpvOpTypeMatrix:
        scalar =
            abort_scalar_bits(lower, abort_part_type(lower, abort_part_type(lower, type, 0), 0)) /
            8;
        rows = abort_part_count(lower, abort_part_type(lower, type, 0));
        /* A matrix in a value has no layout: its columns follow each other without padding. */
        if (!layout->matrix_stride)
            *layout = (struct layout){.matrix_stride = rows * scalar};
        if (layout->row_major)
            /* In a row-major matrix columns are next to each other, and their components are a
             * stride apart. */
            return (uint64_t)index * scalar;
        uint32_t stride = layout->matrix_stride;
        *layout = (struct layout){0};
        return (uint64_t)index * stride;
    case SpvOpTypeVector:
    case SpvOpTypeVectorIdEXT:
        scalar = abort_scalar_bits(lower, abort_part_type(lower, type, 0)) / 8;
        return (uint64_t)index * (layout->row_major ? layout->matrix_stride : scalar);
    default:
        return 0;
    }
}

/* True for a vector, also for one whose length is an id. */
static bool is_vector(const struct abort_lower *lower, uint32_t type)
{
    uint16_t opcode = opcode_of(lower, type);
    return opcode == SpvOpTypeVector || opcode == SpvOpTypeVectorIdEXT;
}

/* Returns the type of a part. */
static uint32_t type_of_part(const struct abort_lower *lower, const struct part *part)
{
    uint32_t type = abort_type_of(lower, part->value);
    for (uint32_t i = 0; i < part->length; i++)
        type = abort_part_type(lower, type, part->path[i]);
    return type;
}

/* True for a string: its elements have 8 bits, and its type, or the constant's type, is decorated
 * as UTF-encoded. */
static bool is_string(const struct abort_lower *lower, uint32_t type, const struct part *part)
{
    if (opcode_of(lower, type) != SpvOpTypeArray ||
        opcode_of(lower, abort_part_type(lower, type, 0)) != SpvOpTypeInt ||
        abort_scalar_bits(lower, abort_part_type(lower, type, 0)) != 8)
        return false;
    return abort_decoration(lower, type, SPIRV_NONE, SpvDecorationUTFEncodedKHR) ||
           abort_decoration(lower, type_of_part(lower, part), SPIRV_NONE,
                            SpvDecorationUTFEncodedKHR);
}

/* Returns the bytes from one part to the next. */
static uint32_t part_stride(const struct abort_lower *lower, uint32_t type, struct layout layout)
{
    struct layout unused = layout;
    return (uint32_t)part_offset(lower, type, 1, &unused);
}

/* Adds the arguments of a value of the message: scalars, vectors and strings, in order. */
static void add_arguments(struct message *m, uint32_t type, struct layout layout, uint64_t offset,
                          const struct part *part, uint32_t depth)
{
    uint32_t count = abort_part_count(m->lower, type);
    /* Nested arrays of a hostile module could take hours, so steps are bounded, too. */
    if (depth > DEPTH_MOST || m->argument_count >= ARGUMENTS_MOST || m->steps++ > STEPS_MOST)
        return;
    if (abort_scalar_bits(m->lower, type)) {
        add_value_argument(m, type, 1, offset, 0);
    } else if (is_vector(m->lower, type)) {
        add_value_argument(m, abort_part_type(m->lower, type, 0), count, offset,
                           part_stride(m->lower, type, layout));
    } else if (is_string(m->lower, type, part) && offset <= UINT32_MAX) {
        const struct spirv_abort_argument argument = {.kind = SPIRV_PRINTF_STRING,
                                                      .bits = 8,
                                                      .components = 1,
                                                      .offset = (uint32_t)offset,
                                                      .count = count,
                                                      .stride =
                                                          part_stride(m->lower, type, layout)};
        message_add_argument(m, &argument);
    } else {
        for (uint32_t i = 0;
             i < count && m->argument_count < ARGUMENTS_MOST && m->steps < STEPS_MOST; i++) {
            struct part inner = *part;
            struct layout of_part = layout;
            uint64_t at = offset + part_offset(m->lower, type, i, &of_part);
            if (inner.length < DEPTH_MOST)
                inner.path[inner.length++] = i;
            part_resolve(m->lower, &inner);
            add_arguments(m, abort_part_type(m->lower, type, i), of_part, at, &inner, depth + 1);
        }
    }
}

/* --- arrays that loops write --- */

/* True for an array that a loop writes, instead of code for each element. */
static bool is_large(const struct abort_lower *lower, uint32_t type)
{
    return opcode_of(lower, type) == SpvOpTypeArray &&
           abort_part_count(lower, type) > ABORT_ARRAY_LEAST && abort_type_words(lower, type);
}

/* Adds the leaves of an array that a loop writes. If two types differ only in their layout, the
 * message and the value have the same words. */
static void add_repeated(struct message *m, uint32_t type, struct layout layout, uint64_t offset,
                         uint32_t word, struct repeated repeated, uint32_t depth)
{
    struct abort_lower *lower = m->lower;
    uint32_t bits = abort_scalar_bits(lower, type), count = abort_part_count(lower, type);
    if (depth > DEPTH_MOST || m->steps++ > STEPS_MOST)
        return;
    if (bits) {
        uint64_t last = repeated.count ? (uint64_t)(repeated.count - 1) * repeated.stride : 0;
        struct spirv_abort_leaf leaf = {.offset = (uint32_t)offset,
                                        .bits = bits,
                                        .word = word,
                                        .count = repeated.count,
                                        .stride = repeated.stride,
                                        .word_stride = repeated.word_stride};
        if (offset > ABORT_BYTES_MOST - bits / 8)
            return;
        /* Elements beyond the message's bytes are left out, from the last one on. */
        while (leaf.count > 1 && offset + last > ABORT_BYTES_MOST - bits / 8) {
            leaf.count--;
            last -= repeated.stride;
        }
        if (take_bytes(m, offset + last, bits / 8))
            add_leaf(m, &leaf);
        return;
    }
    uint32_t words = count ? abort_type_words(lower, abort_part_type(lower, type, 0)) : 0;
    /* The innermost large array becomes one repeated leaf; outer arrays are unrolled. */
    if (repeated.count == 1 && is_large(lower, type) &&
        !is_large(lower, abort_part_type(lower, type, 0))) {
        const struct repeated elements = {
            .count = count, .stride = part_stride(lower, type, layout), .word_stride = words};
        add_repeated(m, abort_part_type(lower, type, 0), layout, offset, word, elements, depth + 1);
        return;
    }
    for (uint32_t i = 0; i < count && m->steps < STEPS_MOST && !lower->failed; i++) {
        struct layout of_part = layout;
        uint64_t at = offset + part_offset(lower, type, i, &of_part);
        if (at < ABORT_BYTES_MOST)
            add_repeated(m, abort_part_type(lower, type, i), of_part, at, word, repeated,
                         depth + 1);
        /* Words are also counted for parts that are cut off, as the shader writes them all. */
        word += abort_type_words(lower, abort_part_type(lower, type, i));
    }
}

/* Adds the bytes of a value of the message to its image. Large arrays that are not constant are
 * written in a loop. */
static void add_bytes(struct message *m, uint32_t type, struct layout layout, uint64_t offset,
                      const struct part *from, uint32_t depth)
{
    struct abort_lower *lower = m->lower;
    struct part part = *from;
    uint32_t count = abort_part_count(lower, type);
    if (depth > DEPTH_MOST || offset > ABORT_BYTES_MOST || m->steps++ > STEPS_MOST)
        return;
    if (abort_scalar_bits(lower, type)) {
        add_scalar(m, type, &part, offset);
        return;
    }
    /* Composites are followed to the values that they were made from, which may be constant. */
    part_resolve(lower, &part);
    uint16_t opcode = opcode_of(lower, part.value);
    /* The parts of these are visited one by one; the shader need not write them. */
    bool constant = !part.value || opcode == SpvOpConstantComposite ||
                    opcode == SpvOpSpecConstantComposite || opcode == SpvOpCompositeConstruct ||
                    opcode == SpvOpCompositeInsert ||
                    constant_data(lower, part.value, &(size_t){0});
    uint32_t value_type = constant ? 0 : type_of_part(lower, &part);
    if (!constant && is_large(lower, type) && abort_writes_in_loop(lower, value_type)) {
        uint32_t word =
            add_dynamic(m, &part, value_type, abort_type_words(lower, value_type), true);
        if (word != SPIRV_NONE)
            add_repeated(m, type, layout, offset, word, (struct repeated){.count = 1}, depth);
        return;
    }
    for (uint32_t i = 0; i < count && m->steps < STEPS_MOST && !lower->failed; i++) {
        struct part inner = part;
        struct layout of_part = layout;
        uint64_t at = offset + part_offset(lower, type, i, &of_part);
        if (inner.length == DEPTH_MOST || at > ABORT_BYTES_MOST)
            return;
        inner.path[inner.length++] = i;
        add_bytes(m, abort_part_type(lower, type, i), of_part, at, &inner, depth + 1);
    }
}

/* --- making a message --- */

/* Emits the code that writes the dynamic parts of a message. */
static void write_dynamics(struct flow_point *point, const struct message *m, uint32_t where)
{
    struct abort_lower *lower = point->lower;
    struct spirv_edit *edit = &lower->edit;
    uint32_t four = spirv_edit_type_vector(edit, spirv_edit_type_u32(edit), 4),
             nothing = spirv_edit_type_void(edit);
    uint32_t words = spirv_edit_constant_u32(edit, m->words);
    uint32_t record =
        FLOW_VALUE(point, SpvOpFunctionCall, four, abort_stub(lower, ABORT_STUB_BEGIN),
                   spirv_edit_constant_u32(edit, where),
                   spirv_edit_constant_u32(edit, lower->sites->count), words);
    struct abort_writer writer = {.point = point, .record = record};
    for (uint32_t i = 0; i < m->dynamic_count && !lower->failed; i++) {
        const struct dynamic *dynamic = &m->dynamics[i];
        uint32_t value = dynamic->part.value, operands[DEPTH_MOST + 1] = {value};
        memcpy(&operands[1], dynamic->part.path, dynamic->part.length * sizeof(*operands));
        if (dynamic->part.length)
            value = flow_value(point, SpvOpCompositeExtract, dynamic->type, operands,
                               dynamic->part.length + 1);
        abort_write_value(&writer, dynamic->type, value, dynamic->word, dynamic->array);
    }
    abort_write_flush(&writer);
    (void)FLOW_VALUE(point, SpvOpFunctionCall, nothing, abort_stub(lower, ABORT_STUB_END), record,
                     words);
}

/* Hands image, leaves and arguments over to the list of sites. The image has room for the largest
 * message, and is cut to this one's size. */
static void message_add_site(struct message *m, uint32_t where)
{
    struct abort_site_list *list = m->lower->sites;
    uint8_t *image = mem_resize(m->image, m->size ? m->size : 1);
    m->image = image ? image : m->image;
    if (!vec_room(&list->sites, list->count, &list->capacity, 8, sizeof(*list->sites))) {
        m->lower->failed = true;
        return;
    }
    list->sites[list->count++] = (struct spirv_abort_site){.instruction = where,
                                                           .size = m->size,
                                                           .word_count = m->words,
                                                           .leaf_count = m->leaf_count,
                                                           .argument_count = m->argument_count,
                                                           .image = m->image,
                                                           .leaves = m->leaves,
                                                           .arguments = m->arguments};
    m->image = NULL;
    m->leaves = NULL;
    m->arguments = NULL;
}

void abort_message(struct flow_point *point, uint32_t type, uint32_t value, uint32_t where)
{
    struct abort_lower *lower = point->lower;
    struct message m = {.lower = lower, .image = mem_alloc_zeroed(ABORT_BYTES_MOST)};
    struct part whole = {.value = value};
    part_resolve(lower, &whole);
    if (!lower->sites)
        lower->sites = mem_alloc_zeroed(sizeof(*lower->sites));
    if (m.image && lower->sites) {
        add_bytes(&m, type, (struct layout){0}, 0, &whole, 0);
        /* The second walk has its own limit of steps. */
        m.steps = 0;
        add_arguments(&m, type, (struct layout){0}, 0, &whole, 0);
        write_dynamics(point, &m, where);
    } else {
        lower->failed = true;
    }
    if (!lower->failed)
        message_add_site(&m, where);
    mem_free(m.image);
    mem_free(m.leaves);
    mem_free(m.arguments);
    mem_free(m.dynamics);
}

/* --- the list of sites --- */

void abort_message_free(struct abort_lower *lower)
{
    for (uint32_t i = 0; lower->sites && i < lower->sites->count; i++) {
        /* The sites own these until abort_message_end() has copied all into one allocation. */
        mem_free((void *)lower->sites->sites[i].image);
        mem_free((void *)lower->sites->sites[i].leaves);
        mem_free((void *)lower->sites->sites[i].arguments);
    }
    if (lower->sites)
        mem_free(lower->sites->sites);
    mem_free(lower->sites);
    lower->sites = NULL;
}

/* Copies to `*at`, which is moved on, and returns the copy. */
static const void *message_place(uint8_t **at, const void *from, size_t size)
{
    assert(at && *at);
    const void *to = *at;
    if (size)
        memcpy(*at, from, size);
    *at += size;
    return to;
}

void abort_message_end(struct abort_lower *lower)
{
    const struct abort_site_list *list = lower->sites;
    size_t size = sizeof(*lower->result->sites);
    abort_write_arrays(lower);
    for (uint32_t i = 0; list && i < list->count; i++) {
        const struct spirv_abort_site *site = &list->sites[i];
        size += sizeof(*site) + site->leaf_count * sizeof(*site->leaves) +
                site->argument_count * sizeof(*site->arguments) + site->size;
    }
    if (!list || lower->failed)
        return;
    struct spirv_abort_sites *sites = lower->result->sites = mem_alloc(size);
    if (!sites) {
        lower->failed = true;
        return;
    }
    sites->count = list->count;
    uint8_t *at = (uint8_t *)&sites->sites[list->count];
    for (uint32_t i = 0; i < list->count; i++) {
        struct spirv_abort_site *site = &sites->sites[i];
        *site = list->sites[i];
        site->leaves = message_place(&at, site->leaves, site->leaf_count * sizeof(*site->leaves));
        site->arguments =
            message_place(&at, site->arguments, site->argument_count * sizeof(*site->arguments));
    }
    for (uint32_t i = 0; i < list->count;
         i++) /* images come last, as they are bytes and need no alignment */
        sites->sites[i].image = message_place(&at, sites->sites[i].image, sites->sites[i].size);
}
