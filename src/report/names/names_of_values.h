/* Gives a number its name. Names are those of enum values and flag bits, for messages. */
#ifndef ASSAY_REPORT_NAMES_OF_VALUES_H
#define ASSAY_REPORT_NAMES_OF_VALUES_H

#include "base/string_builder.h"
#include "report/value_types.h" /* generated: enum value_type */

/* "VkFormat", "VkImageUsageFlagBits". */
const char *value_type_name(enum value_type type);

/* Adds `value` as the specification spells it: "VK_FORMAT_R8_UNORM"; for a type of flags
 * "VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT". Of flags, a value that stands for all
 * of them is written where there is one ("VK_SHADER_STAGE_ALL_GRAPHICS"), and bits without a name
 * are hexadecimal. "0" stands where no bit is set and nothing has that name. A number without a
 * name stays one. Of an enum only the low 32 bits count. Threads: any. */
void value_write(struct string_builder *builder, enum value_type type, uint64_t value);

/* True if just this number has a name. */
bool value_has_name(enum value_type type, uint64_t value);

/* The name of a value as an argument of a format string: finding(..., "is %s",
 * value_text(VALUES_VkFormat, format).text). Longer texts are cut. */
#define VALUE_TEXT_SIZE 512
struct value_text {
    char text[VALUE_TEXT_SIZE];
};
struct value_text value_text(enum value_type type, uint64_t value);

/* Generated. Strings are offsets for registry_name(): the tables need no relocation. */
struct value_type_info {
    uint32_t name;   /* of the type */
    uint32_t prefix; /* that all its values' names begin with */
    /* the type's values in value_numbers and value_names, in increasing order */
    uint16_t first;
    uint16_t count;
    bool flags;
};
extern const struct value_type_info value_type_info[VALUES_COUNT];
extern const int64_t value_numbers[];
extern const uint32_t value_names[]; /* what stands after the prefix */

#endif
