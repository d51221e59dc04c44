/* Writes the message for a broken row: "is 17, more than maxViewports of this device, 16". After
 * that it writes the guards, which are the reason. */
#include "stateless/rows.h"

#include <inttypes.h>
#include <string.h>

#include "report/finding/finding.h"
#include "report/finding/fix.h"
#include "report/names/names_of_values.h"
#include "report/names/object_text.h"
#include "report/muting/rows_broken.h"
#include "state/memory/device_address.h"
#include "state/dynamic_states.h"
#include "state/memory/formats.h"
#include "state/memory/image.h"

/* Writes a number in the form of its type. */
static void row_write_number(struct string_builder *text, const struct row_number *number,
                             uint16_t value_type)
{
    if (number->is_real)
        string_builder_format(text, "%g", number->real);
    else if (value_type == ROW_BOOLEAN && number->bits <= VK_TRUE)
        string_builder_add(text, number->bits ? "VK_TRUE" : "VK_FALSE");
    else if (value_type == ROW_ADDRESS)
        string_builder_format(text, "0x%" PRIx64, number->bits);
    /* Any other value_type is 1 + an enum value_type. */
    else if (value_type && value_type != ROW_BOOLEAN)
        value_write(text, (enum value_type)(value_type - 1), number->bits);
    else if (number->negative)
        string_builder_format(text, "%" PRId64, (int64_t)number->bits);
    else
        string_builder_format(text, "%" PRIu64, number->bits);
}

/* Writes a value's number. */
static void row_write_value(struct string_builder *text, const struct row_subject *subject,
                            const struct row_value *value)
{
    struct row_number number = row_read(subject, value);
    row_write_number(text, &number, value->value_type);
}

/* Writes the object of a ROW_FACT: `VkBuffer 0x5 "vertices"`. */
static void row_write_object(struct string_builder *text, const struct row_subject *subject,
                             const struct row_value *value)
{
    const struct object *object = row_fact_object(subject, value);
    if (object)
        object_text_write(text, subject->check->call, object_type(object), object_handle(object));
}

/* True for values that are computed from two others. */
static bool row_is_of_two(const struct row_value *value)
{
    return value->source == ROW_SUM || value->source == ROW_DIFFERENCE ||
           value->source == ROW_PRODUCT;
}

/* Writes the name of a value, with that of the chained structure that contains it. For a sum, both
 * names are written. */
static void row_write_name(struct string_builder *text, const struct row_subject *subject,
                           const struct row_value *value)
{
    if (row_is_of_two(value)) {
        const struct row_value *right = &row_values[value->second];
        row_write_name(text, subject, &row_values[value->first]);
        string_builder_add(text, value->source == ROW_SUM       ? " + "
                                 : value->source == ROW_PRODUCT ? " * "
                                                                : " - ");
        /* A constant without a name is written as a number. */
        if (right->source == ROW_NUMBER && !row_names[right->name])
            row_write_value(text, subject, right);
        else
            row_write_name(text, subject, right);
        return;
    }
    if (value->source == ROW_LEVEL_EXTENT) {
        static const char *const sides[] = {"width", "height", "depth"};
        const VkImageSubresourceLayers *layers = row_member_at(subject, &row_values[value->second]);
        string_builder_format(text, "the %s of mip level %u of ", sides[value->chain],
                              layers ? layers->mipLevel : 0);
        row_write_object(text, subject, &row_values[value->first]);
        return;
    }
    if (value->source == ROW_FACT && row_facts[value->second].way == ROW_RECORDED_SECTIONS) {
        string_builder_add(text, row_names + row_facts[value->second].name);
        return;
    }
    if (value->source == ROW_FACT && row_facts[value->second].way == ROW_OF_PROFILE) {
        string_builder_format(text, "%s of %s", row_names + row_facts[value->second].name,
                              row_names + value->name);
        return;
    }
    if (value->source == ROW_FACT) {
        string_builder_format(text, "%s of ", row_names + row_facts[value->second].name);
        row_write_object(text, subject, value);
        return;
    }
    if (value->source == ROW_QUEUE_FLAGS) {
        string_builder_add(text, "what the queue families support");
        return;
    }
    if (value->source == ROW_HIGHEST_BIT) {
        string_builder_add(text, "the highest bit of ");
        row_write_name(text, subject, &row_values[value->first]);
        return;
    }
    if (value->source == ROW_MEMBER &&
        (value->root == ROW_OF_CHAIN || value->root == ROW_OF_OTHER_CHAIN))
        string_builder_format(text, "%s::", row_names + row_chains[value->chain].name);
    string_builder_add(text, row_names[value->name] ? row_names + value->name : "it");
    if (value->source == ROW_LIMIT)
        string_builder_add(text, " of this device");
}

/* Writes what a value is compared with: "maxViewports of this device, 16", "stageCount, 2",
 * "VK_WHOLE_SIZE", "4". */
static void row_write_operand(struct string_builder *text, const struct row_subject *subject,
                              const struct row_value *value)
{
    if (value->source == ROW_NUMBER) {
        if (row_names[value->name])
            string_builder_add(text, row_names + value->name);
        else
            row_write_value(text, subject, value);
        return;
    }
    row_write_name(text, subject, value);
    string_builder_add(text, ", ");
    row_write_value(text, subject, value);
}

/* Writes constants from row_numbers[first] on: "A, B or C". `last` stands before the last one. */
static void row_write_list(struct string_builder *text, uint32_t first, uint32_t count,
                           uint16_t value_type, const char *last)
{
    for (uint32_t i = 0; i < count; i++) {
        struct row_number number = {.known = true, .bits = row_numbers[first + i]};
        if (i > 0)
            string_builder_add(text, i + 1 < count ? ", " : last);
        row_write_number(text, &number, value_type);
    }
}

/* Writes bits by their names. */
static void row_write_bits(struct string_builder *text, uint64_t bits, uint16_t value_type)
{
    struct row_number number = {.known = true, .bits = bits};
    row_write_number(text, &number, value_type);
}

/* A message names at most this many of the bits that a value lacks. */
#define ROW_NAMED_BITS 8

/* Writes which bits of an atom's mask a value has, or lacks. */
static void row_write_bit_state(struct string_builder *text, const struct row_atom *atom,
                                const struct row_number *number, const struct row_value *value)
{
    uint64_t mask = row_numbers[atom->right], present = number->bits & mask,
             others = number->bits & ~mask;
    bool all = atom->kind == ROW_ALL_BITS, only = atom->kind == ROW_ONLY_BITS;
    bool has = only || (all ? present == mask : present != 0);
    /* The name of the fact is needed because many members are called "flags". */
    const char *name = value->source == ROW_FACT ? row_names + row_facts[value->second].name : "";
    bool plural = *name && name[strlen(name) - 1] == 's';
    if (!has && !all && __builtin_popcountll(mask) > ROW_NAMED_BITS) {
        string_builder_add(text, plural ? "are " : "is ");
        row_write_bits(text, number->bits, value->value_type);
        string_builder_format(text, ", which has none of the %d bits of which it must have one",
                              __builtin_popcountll(mask));
        return;
    }
    if (has)
        string_builder_add(text, plural ? "contain " : "contains ");
    else if (!all && mask & (mask - 1))
        string_builder_add(text, plural ? "contain none of " : "contains none of ");
    else
        string_builder_add(text, plural ? "do not contain " : "does not contain ");
    uint64_t bits = only  ? (others ? others : number->bits)
                    : has ? present
                    : all ? mask & ~number->bits
                          : mask;
    row_write_bits(text, bits, value->value_type);
}

/* True if the atom compares the number with a constant that has a name, and both are equal. */
static bool row_is_named(const struct row_atom *atom, const struct row_number *number)
{
    if (atom->kind != ROW_EQUAL && atom->kind != ROW_DIFFERENT)
        return false;
    const struct row_value *operand = &row_values[atom->right];
    return operand->source == ROW_NUMBER && row_names[operand->name] && !number->is_real &&
           row_numbers[operand->first] == number->bits;
}

/* True if the value comes from the state of an object, and not from the call. */
static bool row_kept_of_object(uint16_t value)
{
    return row_facts[row_values[value].second].way == ROW_OF_MEMBER;
}

/* The words for formats, by enum row_format_kind. */
static const char *const row_formats[] = {
    "a color format",
    "a format with depth",
    "a format with stencil",
    "a format with color or depth",
    "a depth/stencil format",
    "a format with depth and stencil",
    "a depth format without stencil",
    "a stencil format without depth",
    "an integer color format",
    "a color format that is not an integer format",
    "an sRGB format",
};

/* Writes ", not a depth or stencil format". `are` is true if the format is of one of these kinds
 * and must not be. */
static void row_write_kinds(struct string_builder *text, uint64_t kinds, bool are)
{
    static const char *const names[] = {
        "color",      "depth",        "stencil",          "multi-planar",   "single-plane",
        "compressed", "uncompressed", "unsigned integer", "signed integer", "non-integer color",
        "sRGB",       "UNORM",        "Y'CbCr",           "_422",           "_420"};
    const char *before = are ? ", a" : ", not a";
    for (uint32_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (!(kinds & 1ull << i))
            continue;
        /* The article is "an" before a vowel sound. "UNORM" does not begin with one. */
        if (strchr("aeiouU", names[i][0]) && before[1] != ' ' && strcmp(names[i], "UNORM"))
            string_builder_format(text, "%sn %s", before, names[i]);
        else
            string_builder_format(text, "%s %s", before, names[i]);
        before = " or";
    }
    string_builder_add(text, " format");
}

/* True for the fact that memory is mapped (registry/language/facts.py), for which the message uses
 * a verb. */
static bool row_is_host_mapping(const struct row_value *value)
{
    return value->source == ROW_FACT &&
           !strcmp(row_names + row_facts[value->second].name, "host mapping");
}

/* True for a size or range of VK_WHOLE_SIZE. Timeouts and semaphore values may also have all bits,
 * and have other names. */
static bool row_is_whole_size(const struct row_value *value, const struct row_number *number)
{
    static const char *const ends[] = {"size", "Size", "range", "Range"};
    const char *name = row_names[value->name] ? row_names + value->name : "";
    const size_t length = strlen(name);
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        const size_t end = strlen(ends[i]);
        if (value->source == ROW_MEMBER && !number->is_real && number->bits == VK_WHOLE_SIZE &&
            length >= end && !strcmp(name + length - end, ends[i]))
            return true;
    }
    return false;
}

/* Writes the value of an atom as the predicate of a sentence: "is VK_IMAGE_TYPE_2D", "contains
 * VK_...", "is NULL". */
static void row_write_state(struct string_builder *text, const struct row_atom *atom,
                            const struct row_number *number)
{
    const struct row_value *value = &row_values[atom->left];
    uint16_t value_type = value->value_type;
    if (value->source == ROW_COUNT) {
        string_builder_format(text, "has %" PRIu64 " of ", number->bits);
        row_write_list(text, value->second, value->steps, value_type, " and ");
        return;
    }
    switch (atom->kind) {
    case ROW_NULL:
        if (row_is_host_mapping(value))
            string_builder_add(text, number->bits ? "is mapped already" : "is not mapped");
        else if (row_values[atom->left].source == ROW_FACT && row_kept_of_object(atom->left))
            string_builder_add(text, number->bits ? "is there" : "is missing");
        else if (row_values[atom->left].source == ROW_FACT)
            string_builder_add(text, number->bits ? "is active" : "is not active");
        else
            string_builder_add(text, number->bits ? "is not NULL" : "is NULL");
        break;
    case ROW_ANY_BIT:
    case ROW_ALL_BITS:
    case ROW_ONLY_BITS:
        row_write_bit_state(text, atom, number, &row_values[atom->left]);
        break;
    case ROW_FORMAT:
        string_builder_add(text, "is ");
        row_write_number(text, number, value_type);
        string_builder_format(text, ", %s%s", atom->positive ? "" : "not ",
                              row_formats[atom->right]);
        break;
    case ROW_FORMAT_TRAITS:
        string_builder_add(text, "is ");
        row_write_number(text, number, value_type);
        row_write_kinds(text, row_numbers[atom->right],
                        (format_kinds((VkFormat)number->bits) & row_numbers[atom->right]) != 0);
        break;
    default:
        string_builder_add(text, "is ");
        if (row_is_named(atom, number))
            string_builder_add(text, row_names + row_values[atom->right].name);
        else if (row_is_whole_size(value, number))
            string_builder_add(text, "VK_WHOLE_SIZE");
        else
            row_write_number(text, number, value_type);
        break;
    }
}

/* The words for a comparison that does not hold. */
static const char *const row_comparisons[] = {
    [ROW_EQUAL] = ", not ",
    [ROW_DIFFERENT] = ", the same as ",
    [ROW_LESS] = ", not less than ",
    [ROW_AT_MOST] = ", more than ",
    [ROW_MORE] = ", not more than ",
    [ROW_AT_LEAST] = ", less than ",
    [ROW_MULTIPLE] = ", not a multiple of ",
    [ROW_WITHIN_BITS] = ", not within ",
    [ROW_SHARED_BITS] = ", and has nothing of ",
};

/* Writes ", more than maxViewports of this device, 16". It writes nothing if the value is enough,
 * as in "is 0". */
static void row_write_comparison(struct string_builder *text, const struct row_subject *subject,
                                 const struct row_atom *atom, const struct row_number *number)
{
    const struct row_value *operand = &row_values[atom->right];
    struct row_number other = row_read(subject, operand);
    if (operand->source == ROW_NUMBER &&
        (atom->kind == ROW_DIFFERENT || (atom->kind == ROW_MORE && !other.bits && !number->bits)))
        return;
    string_builder_add(text, row_comparisons[atom->kind]);
    row_write_operand(text, subject, operand);
}

/* A buffer that contains the address, or NULL if there is none or it is not known. */
static const struct buffer *row_buffer_at(const struct call *call, VkDeviceAddress address)
{
    return call->device && object_load_state(call->device->object)
               ? device_address_find(call->device, address, 1, 0).buffer
               : NULL;
}

/* Writes the buffer of an address: " (offset 64 of VkBuffer 0x5)". It writes nothing if that is not
 * known. */
static void row_write_offset(struct string_builder *text, const struct call *call,
                             VkDeviceAddress address)
{
    const struct buffer *buffer = row_buffer_at(call, address);
    if (!buffer)
        return;
    string_builder_format(text, " (offset %" PRIu64 " of ",
                          address - atomic_load_explicit(&buffer->address, memory_order_relaxed));
    object_text_write(text, call, HANDLE_BUFFER, object_state_handle(&buffer->base));
    string_builder_add(text, ")");
}

/* True for atoms about the buffer that contains an address. */
static bool row_is_of_address(const struct row_atom *atom)
{
    return atom->kind == ROW_ADDRESS_USAGE || atom->kind == ROW_ADDRESS_VALID ||
           atom->kind == ROW_ADDRESS_FLAGS;
}

/* Writes that the buffer of an address has or lacks a usage or flag: "is 0x10000, in VkBuffer 0x5,
 * whose usage does not contain VK_...". It may also write that the address is in no buffer. */
static void row_write_address(struct string_builder *text, const struct row_subject *subject,
                              const struct row_atom *atom, VkDeviceAddress address, bool has)
{
    const struct call *call = subject->check->call;
    const bool of_flags = atom->kind == ROW_ADDRESS_FLAGS;
    const uint64_t bits = row_numbers[atom->right];
    struct address_search found =
        /* One byte is enough: the size that the program uses is not checked here. */
        device_address_find(call->device, address, 1, of_flags ? 0 : bits);
    const struct memory_binding *binding = found.buffer ? &found.buffer->binding : NULL;
    string_builder_format(text, "is 0x%" PRIx64 ", ", address);
    if (found.match == ADDRESS_NOWHERE) {
        const uint64_t id = device_address_find_destroyed(call->device, address);
        string_builder_add(text, "which lies in no buffer whose address was asked for");
        if (id) {
            string_builder_add(text, "; it lay in ");
            object_text_write_id(text, call, id);
        }
        return;
    }
    string_builder_add(text, "in ");
    if (found.buffer)
        object_text_write(text, call, HANDLE_BUFFER, object_state_handle(&found.buffer->base));
    if (of_flags && !bits) {
        string_builder_format(text, ", which is %s",
                              has ? "bound to memory, or sparse"
                              : binding && binding->memory
                                  ? "not bound to memory any more: that was freed"
                                  : "not bound to memory");
        return;
    }
    string_builder_add(text, of_flags ? ", whose flags" : ", whose usage");
    string_builder_add(text, has        ? of_flags ? " contain " : " contains "
                             : of_flags ? " do not contain "
                                        : " does not contain ");
    row_write_bits(text, bits,
                   of_flags ? VALUES_VkBufferCreateFlags + 1 : VALUES_VkBufferUsageFlagBits2 + 1);
}

/* Writes "is VkBuffer 0x5, which is not bound to memory". */
static void row_write_unbound(struct string_builder *text, const struct row_subject *subject,
                              enum handle_type type, uint64_t handle)
{
    const struct call *call = subject->check->call;
    const void *state = call_find_state(call, handle, type);
    const bool bound =
        state && (type == HANDLE_BUFFER  ? ((const struct buffer *)state)->binding.memory
                  : type == HANDLE_IMAGE ? ((const struct image *)state)->binding[0].memory
                                         : 0);
    string_builder_add(text, "is ");
    object_text_write(text, call, type, handle);
    string_builder_format(text, "%s is %s",
                          type == HANDLE_MICROMAP_EXT ? ", whose buffer" : ", which",
                          bound ? "bound to memory that has been freed" : "not bound to memory");
}

/* Writes the predicate of an atom that does not hold: "is 3, not a power of two". */
static void row_write_fault(struct string_builder *text, const struct row_subject *subject,
                            const struct row_atom *atom)
{
    const struct row_value *value = &row_values[atom->left];
    struct row_number number = row_read(subject, value);
    if (value->source == ROW_QUEUE_FLAGS) {
        string_builder_add(text, "no queue family of this device supports ");
        row_write_bits(text, row_numbers[atom->right], value->value_type);
        return;
    }
    if (atom->kind == ROW_BOUND) {
        if ((atom->right & 0xff) == HANDLE_IMAGE) {
            row_write_unbound(text, subject, HANDLE_IMAGE, number.bits);
            return;
        }
        string_builder_add(text, "is ");
        object_text_write(text, subject->check->call, (enum handle_type)(atom->right & 0xff),
                          number.bits);
        string_builder_add(text, ", ");
        row_write_bound(text, subject->check->call, number.bits, atom->right);
        return;
    }
    if (row_is_of_address(atom)) {
        row_write_address(text, subject, atom, number.bits, !atom->positive);
        return;
    }
    if (atom->kind == ROW_POINTER) {
        string_builder_format(text,
                              number.bits ? "is 0x%" PRIx64 ", which is not an address of "
                                            "memory"
                                          : "is NULL",
                              number.bits);
        return;
    }
    if (value->source == ROW_INDEX) {
        struct row_number other = row_read(subject, &row_values[atom->right]);
        string_builder_format(text, "is element %" PRIu64 ", not element %" PRIu64, number.bits,
                              other.bits);
        return;
    }
    if (atom->kind == ROW_FORMAT) { /* names the kind that the format does not have */
        string_builder_add(text, "is ");
        row_write_number(text, &number, value->value_type);
        string_builder_format(text, ", %s%s", atom->positive ? "not " : "",
                              row_formats[atom->right]);
        return;
    }
    row_write_state(text, atom, &number);
    if (value->value_type == ROW_ADDRESS)
        row_write_offset(text, subject->check->call, number.bits);
    if (atom->kind <= ROW_SHARED_BITS) {
        row_write_comparison(text, subject, atom, &number);
    } else if (atom->kind == ROW_AMONG && atom->positive) {
        string_builder_add(text, ", not ");
        row_write_list(text, atom->right, atom->count, value->value_type, " or ");
    } else if (atom->kind == ROW_POWER_OF_TWO) {
        string_builder_add(text, ", not a power of two");
    } else if (atom->kind == ROW_ONE_BIT) {
        string_builder_add(text, ", which is not one bit");
    }
}

/* Writes "an element whose stage is A or B". For an array of numbers it writes "A". */
static void row_write_element(struct string_builder *text, const struct row_atom *atom)
{
    const struct row_atom *inner = &row_atoms[atom->right];
    const struct row_value *value = &row_values[inner->left];
    const char *name = row_names + value->name;
    if (*name)
        string_builder_format(text, "%s element whose %s is ", atom->positive ? "an" : "no", name);
    else if (!atom->positive)
        string_builder_add(text, "no ");
    row_write_list(text, inner->right, inner->count, value->value_type, " or ");
}

static const char *const row_parts[] = {"vertex input", "pre-rasterization shader",
                                        "fragment shader", "fragment output interface"};

/* Writes "pre-rasterization shader or fragment shader state". The bits are
 * VkGraphicsPipelineLibraryFlagsEXT, in this order. */
static void row_write_parts(struct string_builder *text, uint32_t parts)
{
    bool first = true;
    for (uint32_t i = 0; i < sizeof(row_parts) / sizeof(row_parts[0]); i++) {
        if (!(parts & 1u << i))
            continue;
        string_builder_format(text, "%s%s", first ? "" : " or ", row_parts[i]);
        first = false;
    }
    string_builder_add(text, " state");
}

/* The name of the member for an atom without a value, or "" if there is none. */
static const char *row_place(const struct row_atom *atom)
{
    return atom->kind == ROW_SOME || atom->kind == ROW_NAMED
               ? row_names + row_arrays[atom->left].name
           : atom->kind == ROW_DYNAMIC ? "pDynamicState->pDynamicStates"
                                       : "";
}

/* Writes the predicate for row_place(): "has no element whose stage is A". */
static void row_write_having(struct string_builder *text, const struct row_atom *atom)
{
    string_builder_add(text, "has ");
    if (atom->kind == ROW_SOME) {
        row_write_element(text, atom);
        return;
    }
    if (!atom->positive)
        string_builder_add(text, "no ");
    if (atom->kind == ROW_NAMED)
        string_builder_add(text, extension_info[atom->right].name);
    else if (atom->kind == ROW_PART)
        row_write_parts(text, atom->left);
    else if (atom->kind == ROW_DYNAMIC)
        value_write(text, VALUES_VkDynamicState, (uint64_t)dynamic_state_value[atom->left]);
    else
        string_builder_format(text, "%s%s", atom->positive ? "a " : "",
                              row_names + row_chains[atom->left].name);
}

/* Writes an atom that holds, as a clause with its subject: "imageType is VK_IMAGE_TYPE_2D". */
static void row_write_fact(struct string_builder *text, const struct row_subject *subject,
                           const struct row_atom *atom)
{
    switch (atom->kind) {
    case ROW_FEATURE:
        string_builder_format(text, "the feature %s is %senabled", row_names + atom->right,
                              atom->positive ? "" : "not ");
        return;
    case ROW_EXTENSION:
        string_builder_format(text, "%s is %senabled", extension_info[atom->left].name,
                              atom->positive ? "" : "not ");
        return;
    case ROW_CHAINED_OF:
        row_write_name(text, subject, &row_values[atom->right]);
        string_builder_format(text, " has %s%s", atom->positive ? "a " : "no ",
                              row_names + row_chains[atom->left].name);
        return;
    case ROW_CHAINED:
    case ROW_PART:
    case ROW_DYNAMIC:
    case ROW_SOME:
    case ROW_NAMED:
        string_builder_format(text, "%s ",
                              *row_place(atom)            ? row_place(atom)
                              : atom->kind == ROW_CHAINED ? "the pNext chain"
                                                          : "the pipeline");
        row_write_having(text, atom);
        return;
    default:
        break;
    }
    struct row_number number = row_read(subject, &row_values[atom->left]);
    row_write_name(text, subject, &row_values[atom->left]);
    string_builder_add(text, " ");
    if (row_is_of_address(atom))
        row_write_address(text, subject, atom, number.bits, atom->positive);
    else
        row_write_state(text, atom, &number);
}

/* True if the atom is about a member of the structure. */
static bool row_has_subject(const struct row_atom *atom)
{
    return atom->kind < ROW_CHAINED && row_values[atom->left].source == ROW_MEMBER;
}

/* Finds the atom that holds in the clause that begins at `atom`. */
static const struct row_atom *row_holding(const struct row_subject *subject,
                                          const struct row_atom *atom)
{
    while (atom->alternative && row_ask(subject, atom) != ROW_YES)
        atom++;
    return atom;
}

/* The first atom after the clause that `atom` is in. */
static const struct row_atom *row_next_clause(const struct row_atom *atom)
{
    while (atom->alternative)
        atom++;
    return atom + 1;
}

/* True if the atom is about bits that its value has. */
static bool row_has_bits(const struct row_atom *atom)
{
    return atom->positive && (atom->kind == ROW_ANY_BIT || atom->kind == ROW_ALL_BITS);
}

/* Returns whether the message mentions one of the row's guards. */
static bool row_has_said_guard(const struct row *row)
{
    const struct row_atom *atom = &row_atoms[row->atoms], *must = atom + row->guards;
    for (; atom < must; atom++) {
        if (atom->kind == ROW_AMONG || atom->count != ROW_UNSAID)
            return true;
    }
    return false;
}

/* Writes the guards: ", but the feature sparseBinding is not enabled, and imageType is
 * VK_IMAGE_TYPE_2D". It omits the guard `but`, and guards about `value`, the finding's subject,
 * unless they are about other bits. `beside` is true if the text has already named bits that the
 * value must not have. */
static void row_write_guards(struct string_builder *text, const struct row *row,
                             const struct row_subject *subject, const struct row_value *value,
                             const struct row_atom *but, bool first, bool beside)
{
    const struct row_atom *atom = &row_atoms[row->atoms], *must = atom + row->guards;
    for (; atom < must; atom = row_next_clause(atom)) {
        const struct row_atom *holding = row_holding(subject, atom);
        if (holding->kind != ROW_AMONG && holding->count == ROW_UNSAID)
            continue;
        const bool same = value && row_has_subject(holding) && &row_values[holding->left] == value;
        if (holding == but || (same && !row_has_bits(holding)))
            continue; /* the message already says so */
        if (value && value->source == ROW_FACT && holding->kind == ROW_NULL &&
            row_values[holding->left].name == value->name)
            continue; /* the message already names the object */
        if (same && beside) {
            string_builder_add(text, ", beside ");
            row_write_bits(text, row_read(subject, value).bits & row_numbers[holding->right],
                           value->value_type);
            continue;
        }
        string_builder_add(text, first ? ", but " : ", and ");
        if (same) {
            struct row_number number = row_read(subject, value);
            row_write_bit_state(text, holding, &number, value);
        } else {
            row_write_fact(text, subject, holding);
        }
        first = false;
    }
}

/* The first guard of the row that is about a member, or NULL if there is none. */
static const struct row_atom *row_guard_with_subject(const struct row *row,
                                                     const struct row_subject *subject)
{
    const struct row_atom *atom = &row_atoms[row->atoms], *must = atom + row->guards;
    for (; atom < must; atom = row_next_clause(atom)) {
        const struct row_atom *holding = row_holding(subject, atom);
        if (row_has_subject(holding) && (holding->kind == ROW_AMONG || !holding->count))
            return holding;
    }
    return NULL;
}

/* The number of features in a clause that requires one of them; 0 if it requires anything else. */
static uint32_t row_count_features(const struct row_atom *atom)
{
    for (uint32_t count = 1;; count++, atom++) {
        if (atom->kind != ROW_FEATURE || !atom->positive)
            return 0;
        if (!atom->alternative)
            return count;
    }
}

/* Writes "needs the feature x, which is not enabled", or "needs the feature x or y, and neither is
 * enabled". */
static void row_write_needed(struct string_builder *text, const struct row_atom *atom,
                             uint32_t count)
{
    string_builder_add(text, "needs the feature ");
    for (uint32_t i = 0; i < count; i++)
        string_builder_format(text, "%s%s",
                              !i              ? ""
                              : i + 1 < count ? ", "
                                              : " or ",
                              row_names + atom[i].right);
    string_builder_add(text, count == 1   ? ", which is not enabled"
                             : count == 2 ? ", and neither is enabled"
                                          : ", and none of them is enabled");
}

/* Writes a broken clause without a member as its subject: "the feature x is not enabled". `alone`
 * is true if no other text of the row comes before; `of_structure` is true if a structure does. */
static void row_write_lacking(struct string_builder *text, const struct row_subject *subject,
                              const struct row_atom *broken, bool alone, bool of_structure)
{
    const uint32_t features = alone ? row_count_features(broken) : 0;
    if (features) {
        row_write_needed(text, broken, features);
        return;
    }
    if (alone && of_structure && broken->kind == ROW_CHAINED) {
        string_builder_format(text, "has %s%s in its pNext chain", broken->positive ? "no " : "a ",
                              row_names + row_chains[broken->left].name);
        return;
    }
    if (alone && of_structure && broken->kind == ROW_FEATURE && !broken->positive) {
        string_builder_format(text, "enables the feature %s", row_names + broken->right);
        return;
    }
    /* The alternatives follow each other in the array, and none of them is true. The text says the
     * opposite of each. */
    const struct row_atom *atom = broken;
    bool first = true, more;
    do {
        struct row_atom opposite = *atom;
        opposite.positive = !atom->positive;
        if (!first)
            string_builder_add(text, ", and ");
        if (first && alone && *row_place(atom))
            row_write_having(text, &opposite);
        else
            row_write_fact(text, subject, &opposite);
        first = false;
        more = atom->alternative;
        atom++;
    } while (more);
}

/* Adds the objects whose creation parameters a value comes from. */
static void row_add_objects(struct finding_objects *objects, const struct row_subject *subject,
                            const struct row_value *value)
{
    if (row_is_of_two(value)) {
        row_add_objects(objects, subject, &row_values[value->first]);
        row_add_objects(objects, subject, &row_values[value->second]);
    }
    const struct object *object =
        value->source == ROW_FACT ? row_fact_object(subject, value) : NULL;
    if (value->value_type == ROW_ADDRESS && value->source == ROW_MEMBER) {
        const struct row_number address = row_read(subject, value);
        const struct buffer *buffer =
            address.known ? row_buffer_at(subject->check->call, address.bits) : NULL;
        object = buffer ? buffer->base.object : NULL;
    }
    if (!object || object_type(object) == HANDLE_DEVICE ||
        objects->count == sizeof(objects->list) / sizeof(objects->list[0]))
        return;
    for (uint32_t i = 0; i < objects->count; i++) {
        if (objects->list[i].handle == object_handle(object))
            return;
    }
    const enum handle_type type = object_type(object);
    if (type == HANDLE_NONE) /* another thread is destroying the object */
        return;
    objects->list[objects->count].type = type;
    objects->list[objects->count++].handle = object_handle(object);
}

/* Adds the object that must be bound, if there is room and the object is alive. */
static void row_add_bound(struct finding_objects *objects, const struct row_subject *subject,
                          const struct row_atom *atom)
{
    const struct row_number handle = row_read(subject, &row_values[atom->left]);
    const enum handle_type type = (enum handle_type)(atom->right & 0xff);
    if (!handle.known || !call_find(subject->check->call, handle.bits, type) ||
        objects->count == sizeof(objects->list) / sizeof(objects->list[0]))
        return;
    objects->list[objects->count].type = type;
    objects->list[objects->count++].handle = handle.bits;
}

/* Collects the objects that the finding is about. */
static void row_find_objects(struct finding_objects *objects, const struct row *row,
                             const struct row_subject *subject)
{
    const struct row_atom *atom = &row_atoms[row->atoms], *end = atom + row->count;
    /* Guards are included: their objects are the reason why the rule applies. */
    for (; atom < end; atom++) {
        if (atom->kind < ROW_CHAINED)
            row_add_objects(objects, subject, &row_values[atom->left]);
        if (atom->kind == ROW_BOUND)
            row_add_bound(objects, subject, atom);
        if (atom->kind <= ROW_SHARED_BITS)
            row_add_objects(objects, subject, &row_values[atom->right]);
    }
}

/* True if the row's array may be an array of pointers, as for geometries. */
static bool row_is_nested(const struct row *row)
{
    return row->array != ROW_NO_ARRAY && row_arrays[row->array].other;
}

/* Reports the text at the member of `value`. If that is NULL, it is at the member `name` of the
 * structure. If `name` is "", it is at the structure or the call. */
static void row_finding(struct check *c, const struct location *where, const struct row *row,
                        const struct row_subject *subject, const struct row_value *value,
                        const char *name, uint32_t index, const char *text, bool nowhere)
{
    struct finding_objects objects = {.count = 0};
    row_find_objects(&objects, row, subject);
    struct location chained, array, outer, holder, at;
    char holding[48];
    const struct location *parent = where;
    if (value && value->root == ROW_OF_CHAIN) {
        chained = LOCATION_CHAINED(where, row_names + row_chains[value->chain].name);
        parent = &chained;
    } else if ((value && value->root == ROW_OF_ELEMENT) || row_is_nested(row)) {
        if (subject->outer) {
            outer = LOCATION_INDEX(where, row_names + row_arrays[subject->array->outer - 1].name,
                                   subject->outer_index);
            parent = &outer;
        }
        array = LOCATION_INDEX(parent, row_names + subject->array->name, index);
        array.pointer = subject->array->pointers;
        parent = &array;
    }
    if (value && value->root == ROW_OF_OTHER_CHAIN) { /* the head's name is X.pNext, or pNext */
        const char *head = row_names + row_values[value->second].name;
        const size_t length = strlen(head);
        if (length > sizeof("pNext") && length < sizeof(holding)) {
            memcpy(holding, head, length);
            holding[length - sizeof("pNext")] = 0;
            holder = LOCATION(parent, holding);
            parent = &holder;
        }
        chained = LOCATION_CHAINED(parent, row_names + row_chains[value->chain].name);
        parent = &chained;
    }
    if (value && value->source != ROW_INDEX)
        name = row_names + value->name;
    if (*name) {
        at = LOCATION(parent, name);
        parent = &at;
    }
    rows_note_broken(parent);
    const struct finding_objects *list = objects.count ? &objects : NULL;
    if (nowhere)
        c->skip |= finding_with_fix(c->call, (enum vuid)row->vuid, parent, list,
                                    "give it an address that vkGetBufferDeviceAddress has answered "
                                    "for a live buffer, or one within that buffer",
                                    "%s", text);
    else
        c->skip |= finding(c->call, (enum vuid)row->vuid, parent, list, "%s", text);
}

/* Writes " of VK_FORMAT_..., with VK_...", because an image's format features depend on its format
 * and tiling. It writes nothing for other facts. */
static void row_write_format(struct string_builder *text, const struct row_subject *subject,
                             const struct row_value *value)
{
    const struct row_fact *fact = &row_facts[value->second];
    const struct image *image =
        fact->handle == HANDLE_IMAGE && fact->offset == offsetof(struct image, format_features)
            ? object_load_state_typed(row_fact_object(subject, value), HANDLE_IMAGE)
            : NULL;
    if (image)
        string_builder_format(text, " of %s with %s",
                              value_text(VALUES_VkFormat, (uint64_t)image->format).text,
                              value_text(VALUES_VkImageTiling, (uint64_t)image->tiling).text);
}

/* Writes the subject of the row if it is not a member. Returns the value that the finding's
 * location names, or NULL. */
static const struct row_value *row_write_subject(struct string_builder *text, const struct row *row,
                                                 const struct row_subject *subject,
                                                 const struct row_value *value)
{
    if (value->source == ROW_MEMBER && (value->root != ROW_OF_OTHER_CHAIN || row_is_nested(row)))
        return value;
    if (value->source == ROW_QUEUE_FLAGS)
        return NULL; /* row_write_fault() writes the whole sentence */
    if (value->source == ROW_HIGHEST_BIT) {
        value = &row_values[value->first];
        string_builder_add(text, "is ");
        row_write_value(text, subject, value);
        string_builder_add(text, ", whose highest bit ");
        return value;
    }
    if (value->source == ROW_INDEX || value->source == ROW_COUNT)
        return value;
    if (value->source == ROW_FACT && row_facts[value->second].way == ROW_OF_MEMBER) {
        string_builder_add(text, "is ");
        row_write_object(text, subject, value);
        row_write_format(text, subject, value);
        if (row_is_host_mapping(value))
            string_builder_add(text, ", which ");
        else
            string_builder_format(text, ", whose %s ", row_names + row_facts[value->second].name);
        return value;
    }
    const bool sum = value->source == ROW_SUM || value->source == ROW_DIFFERENCE;
    if (sum && row_values[value->first].source == ROW_MEMBER &&
        row_values[value->first].root != ROW_OF_OTHER_CHAIN) {
        const struct row_value *right = &row_values[value->second];
        string_builder_add(text, value->source == ROW_SUM ? "+ " : "- ");
        if (right->source == ROW_NUMBER && !row_names[right->name])
            row_write_value(text, subject, right);
        else
            row_write_name(text, subject, right);
        string_builder_add(text, " ");
        return &row_values[value->first];
    }
    row_write_name(text, subject, value);
    string_builder_add(text, " ");
    return NULL;
}

/* Writes ", and b is not NULL": the other members that could have fulfilled a clause. */
static void row_write_others(struct string_builder *text, const struct row_subject *subject,
                             const struct row_atom *broken)
{
    for (const struct row_atom *atom = broken; atom->alternative; atom++) {
        if (!row_has_subject(atom + 1) || atom[1].left == broken->left)
            continue;
        string_builder_add(text, ", and ");
        row_write_fact(text, subject, atom + 1);
    }
}

/* True for an address that is in no buffer. No usage of a buffer would correct that. */
static bool row_is_nowhere(const struct row_subject *subject, const struct row_atom *broken)
{
    const struct call *call = subject->check->call;
    if (broken->kind != ROW_ADDRESS_VALID)
        return false;
    const struct row_number address = row_read(subject, &row_values[broken->left]);
    return device_address_find(call->device, address.bits, 1, 0).match == ADDRESS_NOWHERE;
}

#define ROW_TEXT_SIZE 512

void row_report(struct check *c, const struct location *where, const struct row *row,
                const struct row_subject *subject, const struct row_atom *broken, uint32_t index)
{
    char buffer[ROW_TEXT_SIZE];
    struct string_builder text;
    string_builder_begin(&text, buffer, sizeof(buffer));
    const struct row_value *value = NULL;
    const char *name = "";
    if (broken->kind < ROW_CHAINED) {
        value = row_write_subject(&text, row, subject, &row_values[broken->left]);
        row_write_fault(&text, subject, broken);
        row_write_others(&text, subject, broken);
        const bool alone = !row_has_said_guard(row);
        if (alone && !broken->positive && broken->kind == ROW_AMONG)
            string_builder_add(&text, ", which it must not be");
        else if (alone && !broken->positive && broken->kind == ROW_ANY_BIT)
            string_builder_add(&text, ", which it must not");
        row_write_guards(&text, row, subject, value, NULL, true,
                         broken->kind == ROW_ANY_BIT && !broken->positive);
    } else if (broken->kind == ROW_CHAINED_OF) {
        value = &row_values[broken->right];
        string_builder_format(&text, "has %s%s", broken->positive ? "no " : "a ",
                              row_names + row_chains[broken->left].name);
        row_write_guards(&text, row, subject, value, NULL, true, false);
    } else {
        name = row_place(broken);
        /* a row with a place of its own needs no other subject */
        const struct row_atom *guard = *name ? NULL : row_guard_with_subject(row, subject);
        if (guard) {
            value = &row_values[guard->left];
            struct row_number number = row_read(subject, value);
            row_write_state(&text, guard, &number);
            string_builder_add(&text, ", but ");
        }
        row_write_lacking(&text, subject, broken, !guard, where);
        row_write_guards(&text, row, subject, value, guard, !value, false);
    }
    row_finding(c, where, row, subject, value, name, index, text.text,
                row_is_nowhere(subject, broken));
    string_builder_end(&text);
}
