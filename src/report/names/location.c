/* Writes a place in a command's parameters:
 * `pCreateInfo->pNext<VkImageFormatListCreateInfo>.pViewFormats[2]`. */
#include "report/report.h"

/* levels; no structure of the registry is nested so deep, so more levels are a bug of the layer */
#define DEPTH_LIMIT 64

/* Writes a location after its parents. It is recursive, as locations point from the inside out. */
static void location_write_parents(struct string_builder *builder, const struct location *location,
                                   unsigned depth)
{
    if (location->parent && depth < DEPTH_LIMIT) {
        location_write_parents(builder, location->parent, depth + 1);
        /* an element of an array of arrays has an empty name: ppBuildRangeInfos[0][1] */
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
