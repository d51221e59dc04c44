/* Finds which bytes of a buffer's block a shader accesses. For constant indices it finds the exact
 * bytes, for other indices the bytes of the whole array. */
#include <spirv/unified1/spirv.h>

#include "spirv/module/reflect_build.h"

/* True if the span has no bytes. */
static bool span_is_empty(const struct spirv_span *span)
{
    return span->end <= span->begin;
}

/* Merges two spans if they touch; else the longer one is kept. */
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

/* Keeps the shorter one of two spans, which is more exact. */
static void span_narrow(struct spirv_span *span, const struct spirv_span *other)
{
    if (!span_is_empty(other) &&
        (span_is_empty(span) || other->end - other->begin < span->end - span->begin))
        *span = *other;
}

/* True for arrays of known and of unknown length. */
static bool is_array(const struct spirv_type *type)
{
    return type->opcode == SpvOpTypeArray || type->opcode == SpvOpTypeRuntimeArray;
}

/* Returns the span of a whole type, which begins at `begin`. The end is UINT32_MAX if the size is
 * not known. */
static struct spirv_span span_of(const struct spirv_type *type, uint64_t begin, uint64_t size)
{
    bool open = !type || type->flags & SPIRV_TYPE_OPEN || begin + size >= UINT32_MAX;
    return (struct spirv_span){begin < UINT32_MAX ? (uint32_t)begin : UINT32_MAX - 1,
                               open ? UINT32_MAX : (uint32_t)(begin + size)};
}

/* Moves the origin on to a part that begins `offset` bytes after the beginning of the pointer's
 * type. */
static void point_to(struct spirv_origin *origin, const struct spirv_type *type, uint64_t offset,
                     uint64_t size)
{
    if (!origin->chosen)
        origin->span = span_of(type, origin->span.begin + offset, size);
    else if (!span_is_empty(&origin->each.first))
        origin->each.first = span_of(type, origin->each.first.begin + offset, size);
}

/* Moves the origin on to an element with an index that is not constant. `number` says whether it is
 * the invocation's number; `element` is the type of one element. */
static void point_to_some(struct spirv_origin *origin, const struct spirv_type *array,
                          const struct spirv_type *element, uint8_t number)
{
    const bool runtime = array->opcode == SpvOpTypeRuntimeArray;
    const bool each = number != SPIRV_NUMBER_UNKNOWN && !origin->chosen && element &&
                      array->stride && (runtime || array->length);
    origin->each = (struct spirv_each){0};
    if (each)
        origin->each =
            (struct spirv_each){.first = span_of(element, origin->span.begin, element->size),
                                .stride = array->stride,
                                .length = runtime ? 0 : array->length,
                                .number = number};
    origin->chosen = true;
}

void spirv_spans_begin(const struct spirv_build *build, const struct spirv_variable *variable,
                       struct spirv_origin *origin)
{
    const struct spirv_type *type = spirv_build_type(build, variable->type);
    uint32_t depth = 0;
    origin->type = variable->type;
    /* The index of an array of descriptors selects a descriptor, and no bytes. */
    while (type && is_array(type) && depth++ < 16) {
        origin->type = type->element;
        type = spirv_build_type(build, type->element);
    }
    origin->span = span_of(type, 0, type ? type->size : 0);
}

/* Moves the origin on to the member that a constant index selects. */
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
    point_to(origin, spirv_build_type(build, member->type), member->offset, member->size);
}

/* Moves the origin on to an element of an array, by a constant or another index. */
static void follow_array(const struct spirv_build *build, struct spirv_origin *origin,
                         const struct spirv_type *type, uint32_t index)
{
    const struct spirv_type *element = spirv_build_type(build, type->element);
    uint64_t number, size = element ? element->size : 0, stride = type->stride;
    bool known = spirv_constant_index(build, index, &number) && number <= UINT32_MAX &&
                 (number < type->length || !type->length);
    origin->type = type->element;
    if (known)
        point_to(origin, element, number * stride, size);
    else
        point_to_some(origin, type, element, spirv_invocation_number(build, index));
}

/* Moves the origin on to a component of a vector. An index into a matrix keeps the whole matrix,
 * since its columns may have gaps. */
static void follow_components(const struct spirv_build *build, struct spirv_origin *origin,
                              const struct spirv_type *type, uint32_t index)
{
    uint64_t number;
    bool known = type->opcode == SpvOpTypeVector && spirv_constant_index(build, index, &number) &&
                 number < type->length;
    origin->type = type->element;
    if (known)
        point_to(origin, spirv_build_type(build, type->element), number * (type->width / 8),
                 type->width / 8);
    else
        point_to_some(origin, type, NULL, SPIRV_NUMBER_UNKNOWN);
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

/* True if an access to the pointer's type accesses all bytes of the span. Aggregates may have
 * gaps. */
static bool is_exact(const struct spirv_build *build, const struct spirv_origin *origin,
                     const struct spirv_span *span)
{
    const struct spirv_type *type = spirv_build_type(build, origin->type);
    if (!type || span->end == UINT32_MAX)
        return false;
    return type->opcode == SpvOpTypeInt || type->opcode == SpvOpTypeFloat ||
           type->opcode == SpvOpTypeVector || type->opcode == SpvOpTypePointer;
}

/* Merges the accessed parts of elements if both are in the same array and touch; else one of them
 * is kept. */
static void each_join(struct spirv_each *each, const struct spirv_each *other)
{
    if (span_is_empty(&each->first))
        *each = *other;
    else if (each->number == other->number && each->stride == other->stride &&
             each->length == other->length)
        span_join(&each->first, &other->first);
}

void spirv_spans_note(const struct spirv_build *build, struct spirv_spans *spans,
                      const struct spirv_origin *origin, uint32_t access)
{
    const struct spirv_span *span = &origin->span;
    const bool exact = !origin->chosen && is_exact(build, origin, span);
    const bool each = origin->chosen && !span_is_empty(&origin->each.first) &&
                      is_exact(build, origin, &origin->each.first);
    if (access & SPIRV_ACCESS_READ && exact)
        span_join(&spans->read, span);
    else if (access & SPIRV_ACCESS_READ)
        span_narrow(&spans->some_read, span);
    if (access & SPIRV_ACCESS_READ && each)
        each_join(&spans->each_read, &origin->each);
    if (access & SPIRV_ACCESS_WRITE && exact)
        span_join(&spans->written, span);
    else if (access & SPIRV_ACCESS_WRITE)
        span_narrow(&spans->some_written, span);
    if (access & SPIRV_ACCESS_WRITE && each)
        each_join(&spans->each_written, &origin->each);
}

void spirv_spans_add(struct spirv_spans *total, const struct spirv_spans *spans)
{
    span_join(&total->read, &spans->read);
    span_join(&total->written, &spans->written);
    span_narrow(&total->some_read, &spans->some_read);
    span_narrow(&total->some_written, &spans->some_written);
    if (!span_is_empty(&spans->each_read.first))
        each_join(&total->each_read, &spans->each_read);
    if (!span_is_empty(&spans->each_written.first))
        each_join(&total->each_written, &spans->each_written);
}
