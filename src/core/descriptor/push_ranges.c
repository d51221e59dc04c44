/* Writes the push constant ranges of a layout, for a finding. */
#include "core/descriptor/push_ranges.h"

#include <stdio.h>

#include "base/string_builder.h"
#include "report/names/names_of_values.h"

/* The most ranges that a message lists. */
#define RANGES_SHOWN 6

const char *push_ranges_write(const struct pipeline_layout *layout, struct push_ranges_text *text)
{
    assert(layout && text);
    char buffer[512];
    struct string_builder to;
    const uint32_t count = layout->push_constant_count,
                   shown = count < RANGES_SHOWN ? count : RANGES_SHOWN;
    string_builder_begin(&to, buffer, sizeof(buffer));
    string_builder_add(&to, !count       ? "it has none"
                            : count == 1 ? "its only range is "
                                         : "its ranges are ");
    for (uint32_t i = 0; i < shown; i++) {
        const VkPushConstantRange *range = &layout->push_constants[i];
        string_builder_format(&to, "%sbytes %u to %u for %s",
                              !i               ? ""
                              : i + 1 == count ? ", and "
                                               : ", ",
                              range->offset, range->offset + range->size - 1,
                              value_text(VALUES_VkShaderStageFlags, range->stageFlags).text);
    }
    if (shown < count)
        string_builder_format(&to, ", and %u more", count - shown);
    (void)snprintf(text->text, sizeof(text->text), "%s", to.text);
    string_builder_end(&to);
    return text->text;
}
