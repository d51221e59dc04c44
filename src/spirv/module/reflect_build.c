/* Keeps the lists, texts and decorations that the steps of spirv_reflect() find, and looks up names
 * and values of constants for them. */
#include "spirv/module/reflect_build.h"

#include <string.h>

#include <spirv/unified1/spirv.h>

#include "base/vec.h"

void *spirv_list_add(struct spirv_build *build, struct spirv_list *list, size_t size)
{
    if (build->failed || !vec_room(&list->data, list->count, &list->capacity, 16, size)) {
        build->failed = true;
        return NULL;
    }
    return memset((char *)list->data + list->count++ * size, 0, size);
}

uint32_t spirv_text_add(struct spirv_build *build, const char *text)
{
    uint32_t begin = build->text.count;
    for (const char *c = text;; c++) {
        char *place = LIST_ADD(build, text, char);
        if (!place)
            return 0;
        *place = *c;
        if (!*c)
            return begin;
    }
}

uint32_t spirv_name_of(struct spirv_build *build, uint32_t id)
{
    if (id >= build->module->bound || build->name_instruction[id] == SPIRV_NONE)
        return 0;
    const struct spirv_instruction *instruction =
        &build->module->instructions[build->name_instruction[id]];
    uint32_t taken;
    const char *name =
        spirv_string(spirv_words(build->module, instruction) + 2, instruction->length - 2u, &taken);
    return name && *name ? spirv_text_add(build, name) : 0;
}

void spirv_decoration_apply(struct spirv_decorations *d, uint32_t kind, uint32_t value)
{
    switch (kind) {
/* A decoration that sets a flag. */
#define MARK(kind_, flag_)     \
    case SpvDecoration##kind_: \
        d->flags |= flag_;     \
        break
/* A decoration that sets a flag, and whose operand is kept. */
#define TAKE(kind_, flag_, field_) \
    case SpvDecoration##kind_:     \
        d->flags |= flag_;         \
        d->field_ = value;         \
        break
        MARK(Flat, SPIRV_FLAT);
        MARK(NoPerspective, SPIRV_NO_PERSPECTIVE);
        MARK(Centroid, SPIRV_CENTROID);
        MARK(Sample, SPIRV_SAMPLE);
        MARK(Patch, SPIRV_PATCH);
        MARK(PerVertexKHR, SPIRV_PER_VERTEX);
        MARK(PerPrimitiveEXT, SPIRV_PER_PRIMITIVE);
        MARK(NonWritable, SPIRV_NON_WRITABLE);
        MARK(NonReadable, SPIRV_NON_READABLE);
        MARK(RowMajor, SPIRV_ROW_MAJOR);
        MARK(Invariant, SPIRV_INVARIANT);
        MARK(RelaxedPrecision, SPIRV_RELAXED_PRECISION);
        MARK(Coherent, SPIRV_COHERENT);
        MARK(Volatile, SPIRV_VOLATILE);
        TAKE(Location, SPIRV_HAS_LOCATION, location);
        TAKE(Component, SPIRV_HAS_COMPONENT, component);
        TAKE(Index, SPIRV_HAS_INDEX, index);
        TAKE(BuiltIn, SPIRV_HAS_BUILTIN, builtin);
        TAKE(Offset, SPIRV_HAS_OFFSET, offset);
        TAKE(MatrixStride, 0, matrix_stride);
        TAKE(DescriptorSet, SPIRV_HAS_SET, set);
        TAKE(Binding, SPIRV_HAS_BINDING, binding);
        TAKE(InputAttachmentIndex, SPIRV_HAS_ATTACHMENT, attachment);
        TAKE(Stream, SPIRV_HAS_XFB | SPIRV_HAS_STREAM, stream);
        TAKE(XfbBuffer, SPIRV_HAS_XFB, xfb_buffer);
        TAKE(XfbStride, SPIRV_HAS_XFB, xfb_stride);
#undef MARK
#undef TAKE
    default:
        break;
    }
}

void spirv_decorations_clear(struct spirv_decorations *decorations)
{
    *decorations = (struct spirv_decorations){.location = SPIRV_NONE,
                                              .builtin = SPIRV_NONE,
                                              .attachment = SPIRV_NONE,
                                              .xfb_buffer = SPIRV_NONE,
                                              .xfb_stride = SPIRV_NONE};
}

void spirv_decorations_read(const struct spirv_build *build, uint32_t id,
                            struct spirv_decorations *decorations)
{
    spirv_decorations_clear(decorations);
    for (uint32_t i = id < build->module->bound ? build->decoration_index[id] : SPIRV_NONE;
         i != SPIRV_NONE;) {
        const struct spirv_decoration *decoration =
            LIST_AT(build, decorations, i, struct spirv_decoration);
        if (decoration->member == SPIRV_NONE)
            spirv_decoration_apply(decorations, decoration->kind, decoration->value);
        i = decoration->next;
    }
}

bool spirv_default_value(const struct spirv_build *build, uint32_t id, uint64_t *value)
{
    const struct spirv_instruction *constant = spirv_definition(build->module, id);
    if (!constant || (constant->opcode != SpvOpConstant && constant->opcode != SpvOpSpecConstant) ||
        constant->length < 4)
        return false;
    const uint32_t *words = spirv_words(build->module, constant);
    *value = words[3] | (constant->length > 4 ? (uint64_t)words[4] << 32 : 0);
    return true;
}

bool spirv_constant_index(const struct spirv_build *build, uint32_t id, uint64_t *value)
{
    const struct spirv_instruction *constant = spirv_definition(build->module, id);
    return constant && constant->opcode == SpvOpConstant && spirv_default_value(build, id, value);
}
