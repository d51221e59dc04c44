/* Finds the names of enum values and flag bits. */
#include "report/names/names_of_values.h"

#include <inttypes.h>

#include "report/names/registry_names.h"

#define NONE UINT32_MAX

const char *value_type_name(enum value_type type)
{
    assert((unsigned)type < VALUES_COUNT);
    return registry_name(value_type_info[type].name);
}

/* Returns the index of the value in the tables, or NONE. */
static uint32_t value_find(const struct value_type_info *info, int64_t number)
{
    uint32_t low = info->first, high = low + info->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (value_numbers[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < info->first + info->count && value_numbers[low] == number ? low : NONE;
}

/* Writes the name at this index: the prefix of the type, and the rest of the name. */
static void value_add_name(struct string_builder *builder, const struct value_type_info *info,
                           uint32_t place)
{
    assert(info && place < info->first + info->count);
    string_builder_add(builder, registry_name(info->prefix));
    string_builder_add(builder, registry_name(value_names[place]));
}

/* Writes the separator and a flag, and sets the separator to " | ". */
static void add_flag(struct string_builder *builder, const struct value_type_info *info,
                     uint32_t place, const char **separator)
{
    string_builder_add(builder, *separator);
    value_add_name(builder, info, place);
    *separator = " | ";
}

/* True if exactly one bit is set. */
static bool is_one_bit(uint64_t bits)
{
    return bits && !(bits & (bits - 1));
}

/* Writes the names of flags: first the names of single bits, then the values of several bits that
 * cover bits without a name of their own, then the rest as a number. */
static void add_flags(struct string_builder *builder, const struct value_type_info *info,
                      uint64_t bits)
{
    const char *separator = "";
    uint64_t rest = bits;
    for (uint32_t i = info->first; i < info->first + info->count; i++) {
        uint64_t flag = (uint64_t)value_numbers[i];
        if (is_one_bit(flag) && (bits & flag)) {
            add_flag(builder, info, i, &separator);
            rest &= ~flag;
        }
    }
    /* A value of several bits is written if it has a bit that no name before it has. */
    for (uint32_t i = info->first; rest && i < info->first + info->count; i++) {
        uint64_t flag = (uint64_t)value_numbers[i];
        if ((flag & rest) && (flag & bits) == flag) {
            add_flag(builder, info, i, &separator);
            rest &= ~flag;
        }
    }
    if (rest)
        string_builder_format(builder, "%s0x%" PRIx64, separator, rest);
}

/* Returns the number in the form of the tables. An enum has 32 bits and may be negative, so its
 * upper 32 bits, which depend on the caller's conversion, are replaced. */
static int64_t value_number(const struct value_type_info *info, uint64_t value)
{
    return info->flags ? (int64_t)value : (int64_t)(int32_t)(uint32_t)value;
}

void value_write(struct string_builder *builder, enum value_type type, uint64_t value)
{
    assert((unsigned)type < VALUES_COUNT);
    const struct value_type_info *info = &value_type_info[type];
    int64_t number = value_number(info, value);
    /* If memory was out for the names, a number says more than "?". */
    if (!registry_names_known()) {
        string_builder_format(builder, info->flags ? "0x%" PRIx64 : "%" PRId64, number);
        return;
    }
    uint32_t place = value_find(info, number);
    if (place != NONE)
        value_add_name(builder, info, place);
    else if (!info->flags || !value)
        string_builder_format(builder, "%" PRId64, number);
    else
        add_flags(builder, info, value);
}

bool value_has_name(enum value_type type, uint64_t value)
{
    assert((unsigned)type < VALUES_COUNT);
    const struct value_type_info *info = &value_type_info[type];
    return value_find(info, value_number(info, value)) != NONE;
}

struct value_text value_text(enum value_type type, uint64_t value)
{
    struct value_text result;
    struct string_builder builder;
    string_builder_begin(&builder, result.text, sizeof(result.text));
    value_write(&builder, type, value);
    if (builder.owned) {
        static const char cut[] = " ...";
        for (size_t i = 0; i < sizeof(result.text); i++)
            result.text[i] = builder.text[i];
        for (size_t i = 0; i < sizeof(cut); i++)
            result.text[sizeof(result.text) - sizeof(cut) + i] = cut[i];
    }
    string_builder_end(&builder);
    return result;
}
