/* Writes enum values and flag bits by their names, for messages. */
#ifndef ASSAY_REPORT_NAMES_OF_VALUES_H
#define ASSAY_REPORT_NAMES_OF_VALUES_H

#include "base/string_builder.h"
#include "report/value_types.h" /* generated: enum value_type */

/* Returns the name of a type: "VkFormat", "VkImageUsageFlagBits". */
const char *value_type_name(enum value_type type);

/* Writes an enum value ("VK_FORMAT_R8_UNORM") or flags ("VK_IMAGE_USAGE_SAMPLED_BIT |
 * VK_IMAGE_USAGE_STORAGE_BIT").
 *
 * Flags that together have a name of their own are written by it ("VK_SHADER_STAGE_ALL_GRAPHICS");
 * bits without a name are hexadecimal. If no bit is set, and that has no name, "0" is written. An
 * enum value without a name is written as a number; only its low 32 bits count. Threads: any. */
void value_write(struct string_builder *builder, enum value_type type, uint64_t value);

/* True if this number, as a whole, has a name. */
bool value_has_name(enum value_type type, uint64_t value);

/* The text of a value as an argument of a format string: finding(..., "is %s",
 * value_text(VALUES_VkFormat, format).text). A text that does not fit is cut. */
#define VALUE_TEXT_SIZE 512
struct value_text {
    char text[VALUE_TEXT_SIZE];
};
struct value_text value_text(enum value_type type, uint64_t value);

/* The names of one type. The tables are generated. Strings are offsets for registry_name(), so that
 * the tables need no relocation. */
struct value_type_info {
    uint32_t name;   /* the name of the type */
    uint32_t prefix; /* the prefix of all its values' names */
    /* the type's values in value_numbers and value_names, in increasing order */
    uint16_t first;
    uint16_t count;
    bool flags;
};
extern const struct value_type_info value_type_info[VALUES_COUNT];
extern const int64_t value_numbers[];
extern const uint32_t value_names[]; /* the rest of each name, after the prefix */

#endif
