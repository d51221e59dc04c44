/* Writes a place in a command's parameters:
 * `pCreateInfo->pNext<VkImageFormatListCreateInfo>.pViewFormats[2]`. */
#include "report/report.h"

/* deeper than any structure of the registry nests; a chain of locations that long is a mistake
 * of ours */
#define DEPTH_LIMIT 64

/* Writes the outer places first. Recursive, as locations lead from the inside out. */
static void location_write_parents(struct string_builder *builder, const struct location *location,
                                   unsigned depth)
{
    if (location->parent && depth < DEPTH_LIMIT) {
        location_write_parents(builder, location->parent, depth + 1);
        /* an element of an array of arrays has none: ppBuildRangeInfos[0][1] */
        if (*location->name)
            string_builder_add(builder, location->parent->pointer ? "->" : ".");
    }
    string_builder_format(builder, location->chained ? "pNext<%s>" : "%s", location->name);
    if (location->index != LOCATION_NO_INDEX)
        string_builder_format(builder, "[%u]", location->index);
}

void location_write(struct string_builder *builder, const struct location *location)
{
    if (location)
        location_write_parents(builder, location, 0);
}
