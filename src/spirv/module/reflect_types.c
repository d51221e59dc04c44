/* Finds the types, constants and global variables of a module, and the sizes of types. */
#include <string.h>

#include <spirv/unified1/spirv.h>

#include "spirv/module/reflect_build.h"

/* Returns a size as 32 bits, UINT32_MAX at most. */
static uint32_t bytes_saturate(uint64_t bytes)
{
    return bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
}

/* Returns the index of a type; SPIRV_NONE: the id is not a type, or is declared later, like the
 * type that a forward pointer is to. */
static uint32_t build_type_index(const struct spirv_build *build, uint32_t id)
{
    return id < build->module->bound ? build->type_index[id] : SPIRV_NONE;
}

/* Copies the operands of OpTypeImage, except the optional access qualifier, which Vulkan does not
 * use. */
static void fill_image(struct spirv_type *type, const uint32_t *words,
                       const struct spirv_type *sampled)
{
    type->image_dim = (uint8_t)words[3];
    type->image_depth = (uint8_t)words[4];
    type->image_arrayed = (uint8_t)words[5];
    type->image_multisampled = (uint8_t)words[6];
    type->image_sampled = (uint8_t)words[7];
    type->image_format = (uint16_t)words[8];
    type->numeric = sampled ? sampled->numeric : SPIRV_NUMERIC_NONE;
    type->width = sampled ? sampled->width : 0;
}

/* Returns the size of a member in bytes, by its own decorations and by those of its type; 0: it is
 * not known. */
static uint32_t member_size(const struct spirv_build *build, uint32_t type_index,
                            const struct spirv_decorations *decorations)
{
    const struct spirv_type *type = spirv_build_type(build, type_index);
    if (!type)
        return 0;
    if (type->opcode != SpvOpTypeMatrix)
        return type->size;
    const struct spirv_type *column = spirv_build_type(build, type->element);
    uint32_t vectors =
        decorations->flags & SPIRV_ROW_MAJOR ? column ? column->length : 0 : type->length;
    return bytes_saturate((uint64_t)decorations->matrix_stride * vectors);
}

/* Reads the decorations of all members in one walk, as a struct may have many members and
 * decorations. The caller frees the array; NULL: memory is out. */
static struct spirv_decorations *member_decorations(struct spirv_build *build, uint32_t id,
                                                    uint32_t count)
{
    struct spirv_decorations *decorations = mem_alloc((count + 1) * sizeof(*decorations));
    if (!decorations) {
        build->failed = true;
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++)
        spirv_decorations_clear(&decorations[i]);
    for (uint32_t i = build->decoration_index[id]; i != SPIRV_NONE;) {
        const struct spirv_decoration *decoration =
            LIST_AT(build, decorations, i, struct spirv_decoration);
        if (decoration->member < count)
            spirv_decoration_apply(&decorations[decoration->member], decoration->kind,
                                   decoration->value);
        i = decoration->next;
    }
    return decorations;
}

/* Reads the shape of a tensor, if `shape` is a composite of constants. */
static void fill_shape(struct spirv_build *build, struct spirv_type *type, uint32_t shape)
{
    const struct spirv_instruction *constant = spirv_definition(build->module, shape);
    if (!constant || (constant->opcode != SpvOpConstantComposite &&
                      constant->opcode != SpvOpSpecConstantComposite))
        return;
    type->first_member = build->members.count;
    for (uint32_t w = 3; w < constant->length; w++) {
        struct spirv_member *member = LIST_ADD(build, members, struct spirv_member);
        if (!member)
            break;
        member->offset = spirv_words(build->module, constant)[w];
        type->member_count++;
    }
}

/* Reads the members of a structure: their decorations and sizes. */
static void fill_struct(struct spirv_build *build, struct spirv_type *type, const uint32_t *words,
                        uint32_t length)
{
    /* The structure is NonWritable or NonReadable if all of its members are. */
    uint32_t count = length - 2, every = SPIRV_NON_WRITABLE | SPIRV_NON_READABLE;
    struct spirv_decorations *decorations = member_decorations(build, words[1], count);
    type->first_member = build->members.count;
    for (uint32_t i = 0; decorations && i < count; i++) {
        const struct spirv_decorations *d = &decorations[i];
        struct spirv_member *member = LIST_ADD(build, members, struct spirv_member);
        if (!member)
            break;
        uint32_t of = build_type_index(build, words[2 + i]);
        *member = (struct spirv_member){.type = of,
                                        .flags = d->flags,
                                        .location = d->location,
                                        .component = d->component,
                                        .builtin = d->builtin,
                                        .offset = d->offset,
                                        .size = member_size(build, of, d)};
        const struct spirv_type *inner = spirv_build_type(build, of);
        /* If the size of one member is not known, that of the structure is not known. */
        type->flags |= (uint8_t)(!inner ? SPIRV_TYPE_OPEN : inner->flags & SPIRV_TYPE_OPEN);
        type->member_count++;
        every &= d->flags;
        if (d->flags & SPIRV_HAS_OFFSET &&
            bytes_saturate((uint64_t)member->offset + member->size) > type->size)
            type->size = bytes_saturate((uint64_t)member->offset + member->size);
    }
    if (count)
        type->flags |= (uint8_t)((every & SPIRV_NON_WRITABLE ? SPIRV_TYPE_NON_WRITABLE : 0) |
                                 (every & SPIRV_NON_READABLE ? SPIRV_TYPE_NON_READABLE : 0));
    mem_free(decorations);
}

/* Reads the decorations of the type itself. */
static void fill_decorations(const struct spirv_build *build, struct spirv_type *type)
{
    for (uint32_t i = build->decoration_index[type->id]; i != SPIRV_NONE;) {
        const struct spirv_decoration *decoration =
            LIST_AT(build, decorations, i, struct spirv_decoration);
        i = decoration->next;
        if (decoration->member != SPIRV_NONE)
            continue;
        if (decoration->kind == SpvDecorationBlock)
            type->flags |= SPIRV_TYPE_BLOCK;
        else if (decoration->kind == SpvDecorationBufferBlock)
            type->flags |= SPIRV_TYPE_BUFFER_BLOCK;
        else if (decoration->kind == SpvDecorationArrayStride)
            type->stride = decoration->value;
    }
}

/* Adds a type. A forward-declared pointer is added when it is defined. */
static void add_type(struct spirv_build *build, const struct spirv_instruction *instruction)
{
    const uint32_t *words = spirv_words(build->module, instruction);
    uint32_t length = instruction->length, id = length > 1 ? words[1] : 0;
    if (length < 2 || id >= build->module->bound || build->type_index[id] != SPIRV_NONE)
        return;
    struct spirv_type type = {.id = id, .opcode = instruction->opcode, .element = SPIRV_NONE};
    const struct spirv_type *element = NULL;
    fill_decorations(build, &type);
    /* The first operand of these types is not the type of an element. */
    if (length > 2 && type.opcode != SpvOpTypeInt && type.opcode != SpvOpTypeFloat &&
        type.opcode != SpvOpTypeStruct && type.opcode != SpvOpTypePointer &&
        type.opcode != SpvOpTypeFunction) {
        type.element = build_type_index(build, words[2]);
        element = spirv_build_type(build, type.element);
    }
    switch (type.opcode) {
    case SpvOpTypeBool:
        type.numeric = SPIRV_NUMERIC_BOOL;
        /* The type has no width in SPIR-V; 32 bits are the common size in drivers. */
        type.width = 32;
        type.size = 4;
        break;
    case SpvOpTypeInt:
        type.numeric = length > 3 && words[3] ? SPIRV_NUMERIC_SINT : SPIRV_NUMERIC_UINT;
        type.width = length > 2 && words[2] <= 64 ? (uint8_t)words[2] : 0;
        type.size = type.width / 8;
        break;
    case SpvOpTypeFloat:
        type.numeric = SPIRV_NUMERIC_FLOAT;
        type.width = length > 2 && words[2] <= 64 ? (uint8_t)words[2] : 0;
        type.size = type.width / 8;
        /* The operand "FP Encoding" means bfloat16 and others, which are not IEEE 754 numbers. */
        type.flags |= length > 3 ? SPIRV_TYPE_ENCODED : 0;
        break;
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
        type.length = length > 3 ? words[3] : 0;
        type.numeric = element ? element->numeric : SPIRV_NUMERIC_NONE;
        type.width = element ? element->width : 0;
        type.size = element ? bytes_saturate((uint64_t)type.length * element->size) : 0;
        break;
    case SpvOpTypeArray: {
        uint64_t count = 0;
        type.length_id = length > 3 ? words[3] : 0;
        const struct spirv_instruction *constant = spirv_definition(build->module, type.length_id);
        if (constant && constant->opcode == SpvOpConstant &&
            spirv_default_value(build, type.length_id, &count))
            type.length = bytes_saturate(count);
        type.size = bytes_saturate((uint64_t)type.length * (type.stride ? type.stride
                                                            : element   ? element->size
                                                                        : 0));
        if (!type.length || (element && element->flags & SPIRV_TYPE_OPEN))
            type.flags |= SPIRV_TYPE_OPEN;
        break;
    }
    case SpvOpTypeRuntimeArray:
        type.flags |= SPIRV_TYPE_OPEN;
        break;
    case SpvOpTypeTensorARM: {
        uint64_t rank = 0;
        type.length_id = length > 3 ? words[3] : 0;
        const struct spirv_instruction *constant = spirv_definition(build->module, type.length_id);
        if (constant && constant->opcode == SpvOpConstant &&
            spirv_default_value(build, type.length_id, &rank))
            type.length = bytes_saturate(rank);
        if (length > 4)
            fill_shape(build, &type, words[4]);
        break;
    }
    case SpvOpTypeStruct:
        fill_struct(build, &type, words, length);
        break;
    case SpvOpTypeImage:
        if (length > 8)
            fill_image(&type, words, element);
        break;
    case SpvOpTypeSampledImage:
        if (element && element->opcode == SpvOpTypeImage) {
            uint32_t image = type.element;
            type = *element;
            /* A sampled image has the members of its image type, with its own id and opcode. */
            type.id = id;
            type.opcode = SpvOpTypeSampledImage;
            type.element = image;
        }
        break;
    case SpvOpTypeCooperativeMatrixKHR:
        type.length_id = length > 3 ? words[3] : 0;
        break;
    case SpvOpTypePointer:
        type.storage_class_known = length > 2;
        type.length = length > 2 ? words[2] : 0;
        /* Only physical addresses can be stored in memory, and these have 64 bits. */
        type.size = 8;
        break;
    default:
        break;
    }
    struct spirv_type *place = LIST_ADD(build, types, struct spirv_type);
    if (!place)
        return;
    *place = type;
    build->type_index[id] = build->types.count - 1;
}

/* Adds a pointer type of OpTypeForwardPointer: a struct may have a member of this type before the
 * type itself is declared. */
static void add_forward_pointer(struct spirv_build *build,
                                const struct spirv_instruction *instruction)
{
    const uint32_t *words = spirv_words(build->module, instruction);
    const struct spirv_instruction *pointer =
        instruction->length > 1 ? spirv_definition(build->module, words[1]) : NULL;
    if (pointer && pointer->opcode == SpvOpTypePointer)
        add_type(build, pointer);
}

/* Returns the index of the type that a pointer type is to; SPIRV_NONE: the id is not a pointer
 * type. */
static uint32_t build_pointee(const struct spirv_build *build, uint32_t pointer_id)
{
    const struct spirv_instruction *pointer = spirv_definition(build->module, pointer_id);
    if (!pointer || pointer->opcode != SpvOpTypePointer || pointer->length < 4)
        return SPIRV_NONE;
    return build_type_index(build, spirv_words(build->module, pointer)[3]);
}

/* Adds a global variable, and its own id as a pointer to it. */
static void add_variable(struct spirv_build *build, const struct spirv_instruction *instruction)
{
    const uint32_t *words = spirv_words(build->module, instruction);
    if (instruction->length < 4 || words[2] >= build->module->bound ||
        build->variable_index[words[2]] != SPIRV_NONE)
        return;
    struct spirv_variable *variable = LIST_ADD(build, variables, struct spirv_variable);
    if (!variable)
        return;
    *variable = (struct spirv_variable){.id = words[2],
                                        .storage = words[3],
                                        .type = build_pointee(build, words[1]),
                                        .initialized = instruction->opcode == SpvOpVariable &&
                                                       instruction->length > 4,
                                        .seen = SPIRV_NONE};
    build->variable_index[words[2]] = build->variables.count - 1;
    const struct spirv_type *type = spirv_build_type(build, variable->type);
    const bool arrayed =
        /* The element of an array of descriptors is not known until an access chain selects one. */
        type && (type->opcode == SpvOpTypeArray || type->opcode == SpvOpTypeRuntimeArray);
    build->origins[words[2]] =
        (struct spirv_origin){.variable = build->variables.count - 1,
                              .member = SPIRV_NONE,
                              .whole = true,
                              .element = type && !arrayed ? 0 : SPIRV_NO_ELEMENT};
    spirv_spans_begin(build, variable, &build->origins[words[2]]);
    if (variable->storage == SpvStorageClassInput) {
        struct spirv_decorations decorations;
        spirv_decorations_read(build, words[2], &decorations);
        spirv_numbers_builtin(build, words[2], decorations.builtin);
    }
}

/* Adds a scalar constant, with its SpecId if it has one. */
static void add_constant(struct spirv_build *build, const struct spirv_instruction *instruction)
{
    const uint32_t *words = spirv_words(build->module, instruction);
    if (instruction->length < 3)
        return;
    uint32_t type_index = build_type_index(build, words[1]);
    const struct spirv_type *type = spirv_build_type(build, type_index);
    if (!type || (type->opcode != SpvOpTypeInt && type->opcode != SpvOpTypeFloat &&
                  type->opcode != SpvOpTypeBool))
        return;
    if (instruction->opcode == SpvOpConstant && type->opcode == SpvOpTypeFloat)
        return; /* constants of floating point are not needed */
    uint32_t spec_id = SPIRV_NONE;
    bool special = instruction->opcode == SpvOpSpecConstant ||
                   instruction->opcode == SpvOpSpecConstantTrue ||
                   instruction->opcode == SpvOpSpecConstantFalse;
    for (uint32_t i = special && words[2] < build->module->bound ? build->decoration_index[words[2]]
                                                                 : SPIRV_NONE;
         i != SPIRV_NONE;) {
        const struct spirv_decoration *decoration =
            LIST_AT(build, decorations, i, struct spirv_decoration);
        if (decoration->kind == SpvDecorationSpecId && decoration->member == SPIRV_NONE)
            spec_id = decoration->value;
        i = decoration->next;
    }
    uint64_t value = 0;
    bool known = instruction->opcode != SpvOpSpecConstantOp;
    if (instruction->opcode == SpvOpConstantTrue || instruction->opcode == SpvOpSpecConstantTrue)
        value = 1;
    else if (instruction->opcode == SpvOpConstant || instruction->opcode == SpvOpSpecConstant)
        known = spirv_default_value(build, words[2], &value);
    uint8_t bytes = (uint8_t)(type->width / 8);
    uint32_t name = special ? spirv_name_of(build, words[2]) : 0;
    struct spirv_constant *constant = LIST_ADD(build, constants, struct spirv_constant);
    if (constant)
        *constant = (struct spirv_constant){.id = words[2],
                                            .spec_id = spec_id,
                                            .type = type_index,
                                            .name = name,
                                            .known = known,
                                            .bytes = bytes,
                                            .value = value};
}

/* Notes which types physical pointers are to, once all types are known. */
static void fill_pointees(const struct spirv_build *build)
{
    for (uint32_t i = 0;
         i < build->types.count && build->addressing_model != SpvAddressingModelLogical; i++) {
        struct spirv_type *type = spirv_build_type(build, i);
        if (type->opcode == SpvOpTypePointer &&
            type->length == SpvStorageClassPhysicalStorageBuffer)
            type->element = build_pointee(build, type->id);
    }
}

/* Reads types, constants and global variables, up to the first function. */
static void read_declarations(struct spirv_build *build)
{
    const struct spirv_module *module = build->module;
    for (uint32_t i = 0; i < module->instruction_count && !build->failed; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        const struct spirv_instruction_rule *rule;
        switch (instruction->opcode) {
        case SpvOpFunction:
            return; /* all declarations come before the first function */
        case SpvOpVariable:
            add_variable(build, instruction);
            break;
        case SpvOpConstant:
        case SpvOpConstantTrue:
        case SpvOpConstantFalse:
        case SpvOpSpecConstant:
        case SpvOpSpecConstantTrue:
        case SpvOpSpecConstantFalse:
        case SpvOpSpecConstantOp:
            add_constant(build, instruction);
            break;
        case SpvOpTypeForwardPointer:
            add_forward_pointer(build, instruction);
            break;
        default:
            rule = spirv_instruction_rule(instruction->opcode);
            if (rule && strncmp(rule->name, "OpType", 6) == 0)
                add_type(build, instruction);
            break;
        }
    }
}

void spirv_build_types(struct spirv_build *build)
{
    read_declarations(build);
    fill_pointees(build);
}
