/* Checks all rows of a structure or command. */
#include "stateless/rows.h"

#include "state/memory/formats.h"

#include <string.h>

#include "report/muting/rows_broken.h"
#include "stateless/device.h"
#include "stateless/pipeline.h"

/* Follows steps from `base`: each is an offset in bytes, and between two of them a pointer is read.
 * NULL if such a pointer points nowhere. */
static const char *row_follow(const void *base, const uint16_t *steps, uint32_t count)
{
    const char *at = base;
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0)
            memcpy(&at, (const void *)at, sizeof(at));
        if (pointer_is_bad(at))
            return NULL;
        at += steps[i];
    }
    return at;
}

/* The structure that contains a value, or NULL if it is not there. */
static const void *row_root(const struct row_subject *subject, const struct row_value *value)
{
    switch (value->root) {
    case ROW_OF_CHAIN:
        return chain_find(subject->chain, (VkStructureType)row_chains[value->chain].type);
    case ROW_OF_ELEMENT:
        return subject->element;
    case ROW_OF_OTHER_CHAIN: {
        /* The chain begins at a pointer, which is a value of its own. */
        struct row_number head = row_read(subject, &row_values[value->second]);
        const void *chain = (const void *)(uintptr_t)head.bits;
        return head.known && chain && !pointer_is_bad(chain)
                   ? chain_find(chain, (VkStructureType)row_chains[value->chain].type)
                   : NULL;
    }
    default:
        return subject->structure;
    }
}

struct row_number row_number_at(const void *at, enum row_type type)
{
    struct row_number number = {.known = true};
    switch (type) {
    case ROW_U8:
        number.bits = *(const uint8_t *)at;
        break;
    case ROW_U16: {
        uint16_t bits;
        memcpy(&bits, at, sizeof(bits));
        number.bits = bits;
        break;
    }
    case ROW_U32: {
        uint32_t bits;
        memcpy(&bits, at, sizeof(bits));
        number.bits = bits;
        break;
    }
    case ROW_U64:
        memcpy(&number.bits, at, sizeof(number.bits));
        break;
    case ROW_I32: {
        int32_t bits;
        memcpy(&bits, at, sizeof(bits));
        number.negative = bits < 0;
        /* Sign-extended, so that bits compare alike in 64 bits. */
        number.bits = (uint64_t)(int64_t)bits;
        break;
    }
    case ROW_F32: {
        float real;
        memcpy(&real, at, sizeof(real));
        number.is_real = true;
        number.real = (double)real;
        break;
    }
    case ROW_F64:
        number.is_real = true;
        memcpy(&number.real, at, sizeof(number.real));
        break;
    }
    return number;
}

/* Adds two values. A sum that would wrap around becomes the largest number, so that comparisons are
 * right. */
static struct row_number row_sum(const struct row_subject *subject, const struct row_value *value)
{
    assert(value->source == ROW_SUM);
    struct row_number left = row_read(subject, &row_values[value->first]);
    struct row_number right = row_read(subject, &row_values[value->second]);
    struct row_number sum = {.known = left.known && right.known, .bits = left.bits + right.bits};
    if (left.negative || right.negative) /* negative values have 32 bits */
        sum.negative = (int64_t)sum.bits < 0;
    else if (sum.bits < left.bits) /* the sum wrapped around */
        sum.bits = UINT64_MAX;
    return sum;
}

/* Subtracts two values. A difference below 0 is not known. */
static struct row_number row_difference(const struct row_subject *subject,
                                        const struct row_value *value)
{
    struct row_number left = row_read(subject, &row_values[value->first]);
    struct row_number right = row_read(subject, &row_values[value->second]);
    return (struct row_number){
        .known = left.known && right.known && left.bits >= right.bits,
        .bits = left.bits - right.bits,
    };
}

/* The index of the highest bit that is set. For 0 the result is not known. */
static struct row_number row_highest_bit(const struct row_subject *subject,
                                         const struct row_value *value)
{
    struct row_number of = row_read(subject, &row_values[value->first]);
    of.known = of.known && of.bits;
    of.bits = of.bits ? 63u - (uint64_t)__builtin_clzll(of.bits) : 0;
    return of;
}

/* Multiplies two values, by row_times(). */
static struct row_number row_product(const struct row_subject *subject,
                                     const struct row_value *value)
{
    struct row_number left = row_read(subject, &row_values[value->first]);
    struct row_number right = row_read(subject, &row_values[value->second]);
    return (struct row_number){
        .known = left.known && right.known,
        .bits = row_times(left.bits, right.bits),
    };
}

/* Counts the elements of an array whose member is one of some values. */
static struct row_number row_count(const struct row_subject *subject, const struct row_value *value)
{
    assert(value->source == ROW_COUNT);
    const struct row_array *array = &row_arrays[value->chain];
    uint32_t count = 0;
    const char *at;
    (void)row_find_array(subject->structure, array, &at, &count);
    struct row_number found = {.known = at != NULL};
    for (uint32_t i = 0; at && i < count; i++) {
        int32_t member;
        memcpy(&member, at + (size_t)i * array->size + row_steps[value->first], sizeof(member));
        for (uint32_t k = 0; k < value->steps; k++)
            /* Numbers of the table have 64 bits, and the sign of an enumeration's value. */
            found.bits += row_numbers[value->second + k] == (uint64_t)(int64_t)member;
    }
    return found;
}

const void *row_member_at(const struct row_subject *subject, const struct row_value *value)
{
    return row_follow(row_root(subject, value), &row_steps[value->first], value->steps);
}

struct row_number row_read_member(const struct row_subject *subject, const struct row_value *value,
                                  enum row_type type)
{
    const void *at = row_member_at(subject, value);
    return at ? row_number_at(at, type) : (struct row_number){.known = false};
}

struct row_number row_read(const struct row_subject *subject, const struct row_value *value)
{
    const struct device *device = subject->check->call->device;
    switch (value->source) {
    case ROW_NUMBER: {
        /* Constants are words of 64 bits. ROW_I32 says that this constant is negative. */
        struct row_number number = row_number_at(&row_numbers[value->first],
                                                 value->type == ROW_I32 ? ROW_U64 : value->type);
        number.negative = value->type == ROW_I32;
        return number;
    }
    case ROW_SUM:
        return row_sum(subject, value);
    case ROW_DIFFERENCE:
        return row_difference(subject, value);
    case ROW_PRODUCT:
        return row_product(subject, value);
    case ROW_COUNT:
        return row_count(subject, value);
    case ROW_INDEX:
        return (struct row_number){.known = subject->element, .bits = subject->index};
    case ROW_FACT:
        return row_read_fact(subject, value);
    case ROW_HIGHEST_BIT:
        return row_highest_bit(subject, value);
    case ROW_LEVEL_EXTENT:
        return row_read_level_extent(subject, value);
    case ROW_QUEUE_FLAGS:
        return device && device->queue_family_count
                   ? (struct row_number){.known = true, .bits = device->queue_flags}
                   : (struct row_number){.known = false};
    case ROW_LIMIT: {
        if (!device)
            return (struct row_number){.known = false};
        const char *at = (const char *)device + row_steps[value->first];
        struct row_number limit = row_number_at(at, value->type);
        limit.known =
            value->value_type == ROW_BOOLEAN || (limit.is_real ? limit.real > 0 : limit.bits > 0);
        return limit;
    }
    default: {
        const struct row_value *instead = value->root == ROW_OF_STRUCTURE && value->second
                                              ? &row_values[value->second - 1]
                                              : NULL;
        /* A chained structure replaces the member. */
        if (instead && row_root(subject, instead))
            value = instead;
        return row_read_member(subject, value, (enum row_type)value->type);
    }
    }
}

/* Compares two real numbers. A NaN is not equal to, less than or more than any number. */
static enum row_answer row_compare_reals(enum row_kind kind, double left, double right)
{
    switch (kind) {
    case ROW_EQUAL:
        return left >= right && left <= right ? ROW_YES : ROW_NO;
    case ROW_DIFFERENT:
        return left < right || left > right ? ROW_YES : ROW_NO;
    case ROW_LESS:
        return left < right ? ROW_YES : ROW_NO;
    case ROW_AT_MOST:
        return left <= right ? ROW_YES : ROW_NO;
    case ROW_MORE:
        return left > right ? ROW_YES : ROW_NO;
    case ROW_AT_LEAST:
        return left >= right ? ROW_YES : ROW_NO;
    default:
        return ROW_UNKNOWN;
    }
}

/* The number as a double, for comparisons with another double. */
static double row_real(const struct row_number *number)
{
    return number->is_real    ? number->real
           : number->negative ? (double)(int64_t)number->bits
                              : (double)number->bits;
}

/* Compares two whole numbers. Returns -1, 0 or 1. */
static int row_order(const struct row_number *left, const struct row_number *right)
{
    if (left->negative != right->negative)
        return left->negative ? -1 : 1;
    return left->bits < right->bits ? -1 : left->bits > right->bits;
}

/* Compares two values. ROW_UNKNOWN if one of them is not known, or if the comparison is not
 * meaningful. */
static enum row_answer row_compare(enum row_kind kind, const struct row_number *left,
                                   const struct row_number *right)
{
    if (!left->known || !right->known)
        return ROW_UNKNOWN;
    if (left->is_real || right->is_real)
        return row_compare_reals(kind, row_real(left), row_real(right));
    if (kind == ROW_MULTIPLE) {
        if (right->bits == 0)
            return ROW_UNKNOWN;
        const uint64_t size = left->negative ? 0 - left->bits : left->bits;
        return size % right->bits == 0 ? ROW_YES : ROW_NO;
    }
    /* if the right value has no bits, the answer is not known */
    if (kind >= ROW_WITHIN_BITS && right->bits == 0)
        return ROW_UNKNOWN;
    if (kind == ROW_WITHIN_BITS)
        return left->bits & ~right->bits ? ROW_NO : ROW_YES;
    if (kind == ROW_SHARED_BITS)
        return left->bits & right->bits ? ROW_YES : ROW_NO;
    int order = row_order(left, right);
    switch (kind) {
    case ROW_EQUAL:
        return order == 0 ? ROW_YES : ROW_NO;
    case ROW_DIFFERENT:
        return order != 0 ? ROW_YES : ROW_NO;
    case ROW_LESS:
        return order < 0 ? ROW_YES : ROW_NO;
    case ROW_AT_MOST:
        return order <= 0 ? ROW_YES : ROW_NO;
    case ROW_MORE:
        return order > 0 ? ROW_YES : ROW_NO;
    default:
        return order >= 0 ? ROW_YES : ROW_NO;
    }
}

/* Answers whether an extension is enabled. If a version includes the extension, "enabled" in the
 * rule's sentence is ambiguous. */
static enum row_answer row_extension(const struct device *device, const struct row_atom *atom)
{
    const enum extension extension = (enum extension)atom->left;
    if (!device)
        return ROW_UNKNOWN;
    if (extension_set_has(&device->named_extensions, extension))
        return ROW_YES;
    if (!extension_set_has(&device->extensions, extension))
        return ROW_NO;
    /* A version enables the extension, and its name is not enabled. */
    return !atom->right ? ROW_UNKNOWN : atom->right == ROW_BY_NAME ? ROW_NO : ROW_YES;
}

/* True if the number is one of the atom's list. */
static bool row_is_among(uint64_t bits, const struct row_atom *atom)
{
    for (uint32_t i = 0; i < atom->count; i++) {
        if (row_numbers[atom->right + i] == bits)
            return true;
    }
    return false;
}

/* Answers an atom about a value. */
static enum row_answer row_ask_value(const struct row_subject *subject, const struct row_atom *atom)
{
    struct row_number number = row_read(subject, &row_values[atom->left]);
    if (atom->kind <= ROW_SHARED_BITS) {
        struct row_number right = row_read(subject, &row_values[atom->right]);
        return row_compare((enum row_kind)atom->kind, &number, &right);
    }
    if (!number.known)
        return ROW_UNKNOWN;
    if (atom->kind == ROW_FORMAT)
        return row_format_is(number.bits, (enum row_format_kind)atom->right);
    if (atom->kind == ROW_BOUND)
        return row_ask_bound(subject->check->call, number.bits, atom->right);
    uint64_t bits = number.bits, mask = row_numbers[atom->right];
    switch (atom->kind) {
    case ROW_FORMAT_TRAITS: {
        const uint32_t kinds = format_kinds((VkFormat)bits);
        return !kinds ? ROW_UNKNOWN : kinds & mask ? ROW_YES : ROW_NO;
    }
    case ROW_ADDRESS_USAGE:
    case ROW_ADDRESS_VALID:
    case ROW_ADDRESS_FLAGS:
        return row_ask_address(subject->check->call, bits, mask, (enum row_kind)atom->kind);
    case ROW_POINTER:
        return pointer_is_bad((const void *)(uintptr_t)bits) ? ROW_NO : ROW_YES;
    case ROW_AMONG:
        return row_is_among(bits, atom) ? ROW_YES : ROW_NO;
    case ROW_ANY_BIT:
        return bits & mask ? ROW_YES : ROW_NO;
    case ROW_ALL_BITS:
        return (bits & mask) == mask ? ROW_YES : ROW_NO;
    case ROW_ONLY_BITS:
        return bits & ~mask ? ROW_NO : ROW_YES;
    case ROW_ONE_BIT:
    case ROW_POWER_OF_TWO:
        return bits && !(bits & (bits - 1)) ? ROW_YES : ROW_NO;
    default:
        return bits == 0 ? ROW_YES : ROW_NO; /* ROW_NULL */
    }
}

/* Answers whether the chain at a value contains a structure. ROW_UNKNOWN if the chain cannot be
 * followed. */
static enum row_answer row_ask_chain(const struct row_subject *subject, const struct row_atom *atom)
{
    struct row_number head = row_read(subject, &row_values[atom->right]);
    if (!head.known || (head.bits && pointer_is_bad((const void *)(uintptr_t)head.bits)))
        return ROW_UNKNOWN;
    VkStructureType type = (VkStructureType)row_chains[atom->left].type;
    return chain_find((const void *)(uintptr_t)head.bits, type) ? ROW_YES : ROW_NO;
}

/* Answers whether a feature is enabled. At vkCreateDevice the features of the new device count. */
static enum row_answer row_ask_feature(const struct check *c, enum feature feature)
{
    if (c->call->device)
        return device_has_feature(c->call->device, feature) ? ROW_YES : ROW_NO;
    if (c->of_device)
        return feature_set_has(&((const struct device_check *)c)->features, feature) ? ROW_YES
                                                                                     : ROW_NO;
    return ROW_UNKNOWN;
}

enum row_answer row_find_array(const void *base, const struct row_array *array,
                               const char **elements, uint32_t *count)
{
    const char *at = base;
    *elements = NULL;
    for (uint32_t i = 0; i < array->steps; i++) {
        at += row_steps[array->first + i];
        memcpy(&at, (const void *)at, sizeof(at));
        if (!at)
            return ROW_NO;
        if (pointer_is_bad(at))
            return ROW_UNKNOWN;
    }
    const char *counted = row_follow(base, &row_steps[array->count_first], array->count_steps);
    if (!counted)
        return ROW_UNKNOWN;
    memcpy(count, counted, sizeof(*count));
    *elements = at;
    return *count ? ROW_YES : ROW_NO;
}

/* Answers whether an atom holds for some element of an array. */
static enum row_answer row_ask_some(const struct row_subject *subject, const struct row_atom *atom)
{
    const struct row_array *array = &row_arrays[atom->left];
    struct row_subject one = *subject;
    const char *elements;
    uint32_t count = 0;
    enum row_answer answer = row_find_array(subject->structure, array, &elements, &count);
    if (answer != ROW_YES)
        return answer;
    answer = ROW_NO;
    for (uint32_t i = 0; i < count && answer != ROW_YES; i++) {
        one.element = elements + (size_t)i * array->size;
        enum row_answer of_one = row_ask(&one, &row_atoms[atom->right]);
        /* If one element is not known, the answer is ROW_UNKNOWN, unless the atom holds for another
         * element. */
        answer = of_one == ROW_NO ? answer : of_one;
    }
    return answer;
}

/* Answers whether an array of names contains the name of an extension. */
static enum row_answer row_ask_named(const struct row_subject *subject, const struct row_atom *atom)
{
    const char *elements;
    uint32_t count = 0;
    enum row_answer answer =
        row_find_array(subject->structure, &row_arrays[atom->left], &elements, &count);
    if (answer != ROW_YES)
        return answer;
    for (uint32_t i = 0; i < count; i++) {
        const char *name = ((const char *const *)(const void *)elements)[i];
        if (pointer_is_bad(name))
            return ROW_UNKNOWN;
        if (!strcmp(name, extension_info[atom->right].name))
            return ROW_YES;
    }
    return ROW_NO;
}

/* Answers an atom about a graphics pipeline: its dynamic states, its parts, and which of its
 * structures are read. */
static enum row_answer row_ask_pipeline(const struct check *c, const struct row_atom *atom)
{
    if (atom->kind == ROW_DYNAMIC)
        return pipeline_makes_dynamic(c, (enum dynamic_state)atom->left) ? ROW_YES : ROW_NO;
    if (!c->of_pipeline)
        return ROW_UNKNOWN;
    const struct graphics_info *graphics = pipeline_graphics(c);
    if (atom->kind == ROW_PART)
        return !graphics->known ? ROW_UNKNOWN : graphics->own & atom->left ? ROW_YES : ROW_NO;
    const void *pointer;
    memcpy(&pointer, (const char *)graphics + atom->left, sizeof(pointer));
    return pointer ? ROW_YES : ROW_NO;
}

/* Answers whether an element of an array of lists has a primitiveCount other than 0. The answer is
 * yes if that cannot be read: the rules apply to all but empty lists. */
static enum row_answer row_has_primitives(const struct row_subject *subject,
                                          const struct row_atom *atom)
{
    const char *lists, *list;
    uint32_t count;
    memcpy(&lists, (const char *)subject->structure + row_steps[atom->left], sizeof(lists));
    if (!subject->outer || pointer_is_bad(lists))
        return ROW_YES;
    memcpy(&list, lists + (size_t)subject->outer_index * sizeof(list), sizeof(list));
    if (pointer_is_bad(list))
        return ROW_YES;
    memcpy(&count, list + (size_t)subject->index * atom->right, sizeof(count));
    return count ? ROW_YES : ROW_NO;
}

/* Answers an atom that is not about a single value, but about chains, features, arrays or
 * pipelines. */
static enum row_answer row_ask_whole(const struct row_subject *subject, const struct row_atom *atom)
{
    switch (atom->kind) {
    case ROW_CHAINED:
        return chain_find(subject->chain, (VkStructureType)row_chains[atom->left].type) ? ROW_YES
                                                                                        : ROW_NO;
    case ROW_CHAINED_OF:
        return row_ask_chain(subject, atom);
    case ROW_FEATURE:
        return row_ask_feature(subject->check, (enum feature)atom->left);
    case ROW_EXTENSION:
        return row_extension(subject->check->call->device, atom);
    case ROW_SETTING: {
        const struct instance *instance = subject->check->call->instance;
        return !instance || *((const bool *)&instance->settings + atom->left) ? ROW_YES : ROW_NO;
    }
    case ROW_SOME:
        return row_ask_some(subject, atom);
    case ROW_NAMED:
        return row_ask_named(subject, atom);
    case ROW_INTACT:
        return subject->broken >> (atom->left - 1) & 1 ? ROW_NO : ROW_YES;
    case ROW_PRIMITIVES:
        return row_has_primitives(subject, atom);
    default:
        return row_ask_pipeline(subject->check, atom);
    }
}

enum row_answer row_ask(const struct row_subject *subject, const struct row_atom *atom)
{
    enum row_answer answer =
        atom->kind < ROW_CHAINED ? row_ask_value(subject, atom) : row_ask_whole(subject, atom);
    if (answer == ROW_UNKNOWN || atom->positive)
        return answer;
    return answer == ROW_YES ? ROW_NO : ROW_YES;
}

/* Answers one clause: the atom at *atom and its alternatives. *atom becomes the first atom of the
 * next clause. ROW_UNKNOWN if an alternative is unknown and none holds. */
static enum row_answer row_ask_clause(const struct row_subject *subject,
                                      const struct row_atom **atom)
{
    enum row_answer answer = ROW_NO;
    bool more;
    do {
        enum row_answer one = answer == ROW_YES ? ROW_YES : row_ask(subject, *atom);
        answer = one == ROW_YES ? ROW_YES : one == ROW_UNKNOWN ? ROW_UNKNOWN : answer;
        more = (*atom)->alternative;
        ++*atom;
    } while (more);
    return answer;
}

/* Checks a row for one structure or element. True if the row is broken and was reported. The check
 * ends at a guard not known to hold, or a clause not known to be broken. */
static bool row_check(struct check *c, const struct location *where, const struct row *row,
                      const struct row_subject *subject, uint32_t index)
{
    const struct row_atom *atom = &row_atoms[row->atoms], *must = atom + row->guards,
                          *end = atom + row->count;
    while (atom < must) {
        if (row_ask_clause(subject, &atom) != ROW_YES)
            return false;
    }
    while (atom < end) {
        const struct row_atom *clause = atom;
        if (unlikely(row_ask_clause(subject, &atom) == ROW_NO)) {
            /* The row only follows from other rows, which were reported. */
            if (row->quiet && rows_were_broken())
                return false;
            row_report(c, where, row, subject, clause, index);
            if (row->stops)
                /* Drivers crash with such values. */
                c->skip = call_stop(c->call, c->skip);
            return true;
        }
    }
    return false;
}

/* Checks the elements of an array in `base`. */
static bool row_check_array(struct check *c, const struct location *where, const struct row *row,
                            struct row_subject *subject, const struct row_array *array,
                            const void *base)
{
    const char *at;
    uint32_t count = 0;
    bool broken = false;
    enum row_answer found = row_find_array(base, array, &at, &count);
    /* One of two members gives the array: the first one that is not NULL. */
    if (!at && array->other) {
        array = &row_arrays[array->other - 1];
        found = row_find_array(base, array, &at, &count);
    }
    if (found != ROW_YES)
        return false;
    subject->array = array;
    for (uint32_t i = 0; i < count; i++) {
        const char *element = at + (size_t)i * array->size;
        if (array->pointers)
            /* The array has pointers. Another check reports a bad one. */
            memcpy(&element, at + (size_t)i * sizeof(element), sizeof(element));
        if (array->pointers && pointer_is_bad(element))
            continue;
        subject->element = element;
        subject->index = i;
        broken |= row_check(c, where, row, subject, i);
    }
    /* The atoms that follow are not about an element. */
    subject->element = NULL;
    return broken;
}

/* Checks a row for each element of its array, which may be inside the elements of another array.
 * True if the row is broken. */
static bool row_check_elements(struct check *c, const struct location *where, const struct row *row,
                               struct row_subject *subject)
{
    assert(row->array != ROW_NO_ARRAY);
    const struct row_array *array = &row_arrays[row->array];
    if (!array->outer)
        return row_check_array(c, where, row, subject, array, subject->structure);
    const struct row_array *outer = &row_arrays[array->outer - 1];
    const char *at;
    uint32_t count = 0;
    bool broken = false;
    if (row_find_array(subject->structure, outer, &at, &count) != ROW_YES)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        subject->outer = at + (size_t)i * outer->size;
        subject->outer_index = i;
        broken |= row_check_array(c, where, row, subject, array, subject->outer);
    }
    subject->outer = NULL;
    return broken;
}

void rows_check(struct check *c, const struct location *where, const void *structure,
                bool has_chain, uint32_t first, uint32_t count)
{
    struct row_subject subject = {
        .check = c,
        .structure = structure,
        .chain = !has_chain                ? NULL
                 : c->chained == structure ? c->chain
                                           : ((const VkBaseInStructure *)structure)->pNext,
    };
    for (const struct row *row = &rows[first], *end = row + count; row < end; row++) {
        const bool broken = row->array == ROW_NO_ARRAY
                                ? row_check(c, where, row, &subject, 0)
                                : row_check_elements(c, where, row, &subject);
        /* Each earlier row has a bit, which later rows may read. */
        subject.broken = subject.broken << 1 | broken;
    }
}
