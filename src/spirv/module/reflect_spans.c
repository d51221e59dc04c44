/* Finds which bytes of a buffer's block a shader accesses: those that constants choose. Of an index
 * that only the running shader knows, it finds the bounds. */
#include <spirv/unified1/spirv.h>

#include "spirv/module/reflect_build.h"

static bool span_is_empty(const struct spirv_span *span)
{
    return span->end <= span->begin;
}

/* Both, where they touch; else the longer one. */
static void span_join(struct spirv_span *span, const struct spirv_span *other)
{
    if (span_is_empty(other))
        return;
    bool touch = !span_is_empty(span) && other->begin <= span->end && span->begin <= other->end;
    if (touch) {
        span->begin = other->begin < span->begin ? other->begin : span->begin;
        span->end = other->end > span->end ? other->end : span->end;
    } else if (other->end - other->begin > span->end - span->begin) {
        *span = *other;
    }
}

/* The shorter one: it says more. */
static void span_narrow(struct spirv_span *span, const struct spirv_span *other)
{
    if (!span_is_empty(other) &&
        (span_is_empty(span) || other->end - other->begin < span->end - span->begin))
        *span = *other;
}

static bool is_array(const struct spirv_type *type)
{
    return type->opcode == SpvOpTypeArray || type->opcode == SpvOpTypeRuntimeArray;
}

/* The span is all of the type, which begins at `begin`. */
static void point_to(struct spirv_origin *origin, const struct spirv_type *type, uint64_t begin,
                     uint64_t size)
{
    bool open = !type || type->flags & SPIRV_TYPE_OPEN || begin + size >= UINT32_MAX;
    origin->span.begin = begin < UINT32_MAX ? (uint32_t)begin : UINT32_MAX - 1;
    origin->span.end = open ? UINT32_MAX : (uint32_t)(begin + size);
}

void spirv_spans_begin(const struct spirv_build *build, const struct spirv_variable *variable,
                       struct spirv_origin *origin)
{
    const struct spirv_type *type = spirv_build_type(build, variable->type);
    uint32_t depth = 0;
    origin->type = variable->type;
    /* The first index of an array of descriptors chooses a descriptor, and no bytes. */
    while (type && is_array(type) && depth++ < 16) {
        origin->type = type->element;
        type = spirv_build_type(build, type->element);
    }
    point_to(origin, type, 0, type ? type->size : 0);
}

static void follow_struct(const struct spirv_build *build, struct spirv_origin *origin,
                          const struct spirv_type *type, uint32_t index)
{
    uint64_t number;
    if (!spirv_constant_index(build, index, &number) || number >= type->member_count) {
        origin->type = SPIRV_NONE; /* an invalid module */
        return;
    }
    const struct spirv_member *member =
        LIST_AT(build, members, type->first_member + (uint32_t)number, struct spirv_member);
    origin->type = member->type;
    if (!origin->chosen)
        point_to(origin, spirv_build_type(build, member->type),
                 (uint64_t)origin->span.begin + member->offset, member->size);
}

static void follow_array(const struct spirv_build *build, struct spirv_origin *origin,
                         const struct spirv_type *type, uint32_t index)
{
    const struct spirv_type *element = spirv_build_type(build, type->element);
    uint64_t number, size = element ? element->size : 0, stride = type->stride;
    bool known = spirv_constant_index(build, index, &number) && number <= UINT32_MAX &&
                 (number < type->length || !type->length);
    origin->type = type->element;
    if (!known)
        origin->chosen = true;
    else if (!origin->chosen)
        point_to(origin, element, origin->span.begin + number * stride, size);
}

/* A component of a vector. Of matrices the whole is looked at, since their columns may have gaps.
 */
static void follow_components(const struct spirv_build *build, struct spirv_origin *origin,
                              const struct spirv_type *type, uint32_t index)
{
    uint64_t number;
    bool known = type->opcode == SpvOpTypeVector && spirv_constant_index(build, index, &number) &&
                 number < type->length;
    origin->type = type->element;
    if (!known)
        origin->chosen = true;
    else if (!origin->chosen)
        point_to(origin, spirv_build_type(build, type->element),
                 origin->span.begin + number * (type->width / 8), type->width / 8);
}

void spirv_spans_follow(const struct spirv_build *build, struct spirv_origin *origin,
                        const uint32_t *indices, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct spirv_type *type = spirv_build_type(build, origin->type);
        if (type && type->opcode == SpvOpTypeStruct)
            follow_struct(build, origin, type, indices[i]);
        else if (type && is_array(type))
            follow_array(build, origin, type, indices[i]);
        else if (type && (type->opcode == SpvOpTypeVector || type->opcode == SpvOpTypeMatrix))
            follow_components(build, origin, type, indices[i]);
        else
            origin->type = SPIRV_NONE;
    }
}

/* True if all bytes of the span are accessed with what the pointer points to: aggregates may have
 * gaps. */
static bool is_exact(const struct spirv_build *build, const struct spirv_origin *origin)
{
    const struct spirv_type *type = spirv_build_type(build, origin->type);
    if (!type || origin->chosen || origin->span.end == UINT32_MAX)
        return false;
    return type->opcode == SpvOpTypeInt || type->opcode == SpvOpTypeFloat ||
           type->opcode == SpvOpTypeVector || type->opcode == SpvOpTypePointer;
}

void spirv_spans_note(const struct spirv_build *build, struct spirv_spans *spans,
                      const struct spirv_origin *origin, uint32_t access)
{
    const struct spirv_span *span = &origin->span;
    bool exact = is_exact(build, origin);
    if (access & SPIRV_ACCESS_READ && exact)
        span_join(&spans->read, span);
    else if (access & SPIRV_ACCESS_READ)
        span_narrow(&spans->some_read, span);
    if (access & SPIRV_ACCESS_WRITE && exact)
        span_join(&spans->written, span);
    else if (access & SPIRV_ACCESS_WRITE)
        span_narrow(&spans->some_written, span);
}

void spirv_spans_add(struct spirv_spans *total, const struct spirv_spans *spans)
{
    span_join(&total->read, &spans->read);
    span_join(&total->written, &spans->written);
    span_narrow(&total->some_read, &spans->some_read);
    span_narrow(&total->some_written, &spans->some_written);
}
