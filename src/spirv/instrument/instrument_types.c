/* Reads the module's declarations: layouts in bytes, decorations and constants. Follows pointers to
 * their variables. */
#include "spirv/instrument/instrument_build.h"

#include "base/vec.h"

#include <spirv/unified1/spirv.h>
#include <string.h>

/* Allocates an array with a word for each id, whose bytes are all `fill`. NULL: memory is out. */
static uint32_t *per_id(const struct instrument *x, int fill)
{
    uint32_t *array = mem_alloc(x->module->bound * sizeof(*array));
    if (array)
        memset(array, fill, x->module->bound * sizeof(*array));
    return array;
}

/* Returns the entry of a struct member, which is made if there is none. NULL: memory is out. The
 * pointer is valid until the next entry is added. */
static struct instrument_member *add_member(struct instrument *x, uint32_t type, uint32_t member)
{
    for (uint32_t at = x->first_members[type]; at; at = x->members[at - 1].next) {
        if (x->members[at - 1].member == member)
            return &x->members[at - 1];
    }
    if (!vec_room(&x->members, x->member_count, &x->member_capacity, 64, sizeof(*x->members)))
        return NULL;
    x->members[x->member_count] =
        (struct instrument_member){.member = member, .next = x->first_members[type]};
    x->first_members[type] = ++x->member_count;
    return &x->members[x->member_count - 1];
}

/* Notes a decoration of an id, if checks need it. */
static void read_decoration(struct instrument *x, const uint32_t *words, uint32_t length)
{
    uint32_t id = words[1], value = length > 3 ? words[3] : 0;
    if (id >= x->module->bound)
        return;
    switch (words[2]) {
    case SpvDecorationDescriptorSet:
        x->sets[id] = value;
        break;
    case SpvDecorationBinding:
        x->bindings[id] = value;
        break;
    case SpvDecorationBuiltIn:
        x->builtins[id] = value;
        break;
    case SpvDecorationArrayStride:
        x->strides[id] = value;
        break;
    case SpvDecorationPerPrimitiveEXT:
        x->per_primitive[id] = true;
        break;
    case SpvDecorationNonUniform:
        x->non_uniform[id] = true;
        break;
    case SpvDecorationBufferBlock:
        x->buffer_block[id] = true;
        break;
    default:
        break;
    }
}

/* Notes a decoration of a member, if checks need it. Returns false if memory is out. */
static bool read_member_decoration(struct instrument *x, const uint32_t *words, uint32_t length)
{
    if (words[1] < x->module->bound && words[3] == SpvDecorationPerPrimitiveEXT)
        x->per_primitive[words[1]] = true;
    if (words[1] >= x->module->bound ||
        (words[3] != SpvDecorationOffset && words[3] != SpvDecorationMatrixStride &&
         words[3] != SpvDecorationRowMajor))
        return true;
    struct instrument_member *member = add_member(x, words[1], words[2]);
    if (!member)
        return false;
    if (words[3] == SpvDecorationRowMajor)
        member->row_major = true;
    else if (length > 4 && words[3] == SpvDecorationOffset)
        member->offset = words[4];
    else if (length > 4)
        member->matrix_stride = words[4];
    return true;
}

bool instrument_types_read(struct instrument *x)
{
    x->sets = per_id(x, 0xff);
    x->bindings = per_id(x, 0xff);
    x->builtins = per_id(x, 0xff);
    x->strides = per_id(x, 0);
    x->first_members = per_id(x, 0);
    x->last_label = per_id(x, 0);
    x->buffer_block = mem_alloc_zeroed(x->module->bound * sizeof(*x->buffer_block));
    x->non_uniform = mem_alloc_zeroed(x->module->bound * sizeof(*x->non_uniform));
    x->per_primitive = mem_alloc_zeroed(x->module->bound * sizeof(*x->per_primitive));
    x->reached = mem_alloc_zeroed(x->module->bound);
    if (!x->sets || !x->bindings || !x->builtins || !x->strides || !x->first_members ||
        !x->last_label || !x->buffer_block || !x->non_uniform || !x->per_primitive || !x->reached)
        return false;
    for (uint32_t i = 0; i < x->module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &x->module->instructions[i];
        const uint32_t *words = spirv_words(x->module, instruction);
        if (instruction->opcode == SpvOpFunction)
            break;
        if (instruction->opcode == SpvOpDecorate && instruction->length >= 3)
            read_decoration(x, words, instruction->length);
        else if (instruction->opcode == SpvOpMemberDecorate && instruction->length >= 4 &&
                 !read_member_decoration(x, words, instruction->length))
            return false;
    }
    return true;
}

void instrument_types_free(struct instrument *x)
{
    mem_free(x->sets);
    mem_free(x->bindings);
    mem_free(x->builtins);
    mem_free(x->strides);
    mem_free(x->first_members);
    mem_free(x->last_label);
    mem_free(x->buffer_block);
    mem_free(x->non_uniform);
    mem_free(x->per_primitive);
    mem_free(x->reached);
    mem_free(x->members);
    mem_free(x->phis);
    mem_free(x->block_numbers);
}

const struct instrument_member *instrument_member(const struct instrument *x, uint32_t type,
                                                  uint32_t member)
{
    for (uint32_t at = type < x->module->bound ? x->first_members[type] : 0; at;
         at = x->members[at - 1].next) {
        if (x->members[at - 1].member == member)
            return &x->members[at - 1];
    }
    return NULL;
}

const uint32_t *instrument_definition(const struct instrument *x, uint32_t id, SpvOp opcode,
                                      uint32_t words)
{
    const struct spirv_instruction *definition = spirv_definition(x->module, id);
    return definition && definition->opcode == opcode && definition->length >= words
               ? spirv_words(x->module, definition)
               : NULL;
}

uint16_t instrument_opcode(const struct instrument *x, uint32_t id)
{
    const struct spirv_instruction *definition = spirv_definition(x->module, id);
    return definition ? definition->opcode : SpvOpNop;
}

uint32_t instrument_type_of(const struct instrument *x, uint32_t id)
{
    const struct spirv_instruction *definition = spirv_definition(x->module, id);
    const struct spirv_instruction_rule *rule =
        definition ? spirv_instruction_rule(definition->opcode) : NULL;
    if (!rule || !rule->has_type || definition->length < 3)
        return 0;
    uint32_t type = spirv_words(x->module, definition)[1];
    return type < x->module->bound ? type : 0;
}

bool instrument_value(const struct instrument *x, uint32_t id, uint64_t *value)
{
    const uint32_t *words = instrument_definition(x, id, SpvOpConstant, 4);
    if (words) {
        const struct spirv_instruction *definition = spirv_definition(x->module, id);
        if (!instrument_definition(x, words[1], SpvOpTypeInt, 4))
            return false;
        *value = definition->length > 4 ? words[3] | (uint64_t)words[4] << 32 : words[3];
        return true;
    }
    *value = 0;
    return instrument_definition(x, id, SpvOpConstantNull, 3) != NULL;
}

/* Returns the bytes of `count` elements that are `stride` bytes apart, the last of which has `size`
 * bytes; 0: the result does not fit into 32 bits. */
static uint32_t strided_size(uint64_t count, uint64_t stride, uint64_t size)
{
    uint64_t bytes = count ? (count - 1) * stride + size : 0;
    return bytes <= UINT32_MAX ? (uint32_t)bytes : 0;
}

/* Returns the bytes of a type; 0: they are not known. `in` is the struct member that has this type,
 * for the layout of matrices; NULL: none. */
static uint32_t size_of(const struct instrument *x, uint32_t type,
                        const struct instrument_member *in, uint32_t depth)
{
    const struct spirv_instruction *definition = spirv_definition(x->module, type);
    if (!definition || depth > 16 || definition->length < 2)
        return 0;
    const uint32_t *words = spirv_words(x->module, definition);
    uint64_t count;
    switch (definition->opcode) {
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
        return definition->length > 2 ? words[2] / 8 : 0;
    case SpvOpTypePointer: /* only physical addresses are in memory */
        return 8;
    case SpvOpTypeVector:
        return definition->length > 3 && words[3] <= 16
                   ? words[3] * size_of(x, words[2], NULL, depth + 1)
                   : 0;
    case SpvOpTypeMatrix: {
        const uint32_t *column =
            definition->length > 3 ? instrument_definition(x, words[2], SpvOpTypeVector, 4) : NULL;
        if (!column || !in || !in->matrix_stride)
            return 0;
        uint32_t scalar = size_of(x, column[2], NULL, depth + 1);
        return in->row_major
                   ? strided_size(column[3], in->matrix_stride, (uint64_t)words[3] * scalar)
                   : strided_size(words[3], in->matrix_stride, (uint64_t)column[3] * scalar);
    }
    case SpvOpTypeArray:
        return definition->length > 3 && instrument_value(x, words[3], &count) && x->strides[type]
                   ? strided_size(count, x->strides[type], size_of(x, words[2], in, depth + 1))
                   : 0;
    case SpvOpTypeStruct: {
        uint64_t most = 0;
        for (uint32_t i = 0; i + 2 < definition->length; i++) {
            const struct instrument_member *member = instrument_member(x, type, i);
            uint64_t end =
                member ? (uint64_t)member->offset + size_of(x, words[2 + i], member, depth + 1) : 0;
            most = end > most ? end : most;
        }
        return most <= UINT32_MAX ? (uint32_t)most : 0;
    }
    default:
        return 0;
    }
}

uint32_t instrument_size(const struct instrument *x, uint32_t type,
                         const struct instrument_member *in)
{
    return size_of(x, type, in, 0);
}

/* Collects the indices of access chains; those nearest to the variable come first. Returns the
 * words of the variable; NULL: the pointer has another origin. */
static const uint32_t *follow_chains(const struct instrument *x, uint32_t pointer,
                                     struct instrument_access *access)
{
    uint32_t at = INSTRUMENT_CHAIN;
    for (uint32_t steps = 0; steps < 64; steps++) {
        const struct spirv_instruction *definition = spirv_definition(x->module, pointer);
        if (!definition)
            return NULL;
        const uint32_t *words = spirv_words(x->module, definition);
        uint32_t count;
        switch (definition->opcode) {
        case SpvOpVariable:
            access->index_count = INSTRUMENT_CHAIN - at;
            memmove(access->indices, &access->indices[at],
                    access->index_count * sizeof(*access->indices));
            return definition->length >= 4 ? words : NULL;
        case SpvOpAccessChain:
        case SpvOpInBoundsAccessChain:
            if (definition->length < 4)
                return NULL;
            count = definition->length - 4u;
            if (count > at)
                return NULL;
            /* The list is filled from its end, since the chain nearest to the variable is found
             * last. */
            at -= count;
            memcpy(&access->indices[at], &words[4], count * sizeof(*words));
            pointer = words[3];
            break;
        case SpvOpCopyObject:
            if (definition->length < 4)
                return NULL;
            pointer = words[3];
            break;
        default:
            return NULL;
        }
    }
    return NULL;
}

/* Returns the binding in the pipeline's layout; NULL: the layout does not have it, which the room
 * src/core/ reports. */
static const struct spirv_instrument_binding *find_layout(const struct instrument *x, uint32_t set,
                                                          uint32_t binding)
{
    for (uint32_t i = 0; i < x->info->binding_count; i++) {
        if (x->info->bindings[i].set == set && x->info->bindings[i].binding == binding)
            return &x->info->bindings[i];
    }
    return NULL;
}

bool instrument_resolve(const struct instrument *x, uint32_t pointer,
                        struct instrument_access *access)
{
    *access = (struct instrument_access){.declared = 1};
    const uint32_t *variable = follow_chains(x, pointer, access);
    if (!variable)
        return false;
    access->variable = variable[2];
    access->storage = variable[3];
    access->set = x->sets[variable[2]];
    access->binding = x->bindings[variable[2]];
    const uint32_t *type = instrument_definition(x, variable[1], SpvOpTypePointer, 4);
    if (!type)
        return false;
    access->resource_type = type[3];
    if (access->set == SPIRV_NONE || access->binding == SPIRV_NONE)
        return true;
    access->layout = find_layout(x, access->set, access->binding);
    const uint32_t *array = instrument_definition(x, access->resource_type, SpvOpTypeArray, 4);
    const uint32_t *runtime =
        array ? NULL : instrument_definition(x, access->resource_type, SpvOpTypeRuntimeArray, 3);
    uint64_t count;
    if (array || runtime) {
        access->descriptors = 1;
        access->declared = array && instrument_value(x, array[3], &count) && count <= UINT32_MAX
                               ? (uint32_t)count
                               : 0;
        access->resource_type = array ? array[2] : runtime[2];
    }
    return access->descriptors <= access->index_count;
}

bool instrument_numbers(const struct instrument *x, uint32_t type,
                        struct instrument_numbers *numbers)
{
    const uint32_t *vector = instrument_definition(x, type, SpvOpTypeVector, 4);
    uint32_t element = vector ? vector[2] : type;
    const uint32_t *integer = instrument_definition(x, element, SpvOpTypeInt, 4);
    const struct spirv_instruction *definition = spirv_definition(x->module, element);
    bool real = definition && definition->opcode == SpvOpTypeFloat &&
                /* an encoding operand means another format than IEEE 754 */
                definition->length == 3;
    if ((!integer && !real) || (vector && (vector[3] < 2 || vector[3] > 4)))
        return false;
    uint32_t width = integer ? integer[2] : spirv_words(x->module, definition)[2];
    *numbers = (struct instrument_numbers){.type = type,
                                           .element = element,
                                           .count = vector ? vector[3] : 1,
                                           .width = width,
                                           .real = real,
                                           .is_signed = integer && integer[3]};
    return (width == 8 || width == 16 || width == 32 || width == 64) && !(real && width == 8);
}
