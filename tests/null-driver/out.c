/* Writes the values of a command's output structures. */
#include "null_driver.h"

#include <string.h>

const struct out_struct *out_struct_find(VkStructureType stype)
{
    size_t low = 0, high = out_struct_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (out_structs[middle].stype < stype)
            low = middle + 1;
        else
            high = middle;
    }
    return low < out_struct_count && out_structs[low].stype == stype ? &out_structs[low] : NULL;
}

static void out_defaults(const struct out_struct *desc, void *structure)
{
    for (uint32_t i = 0; i < desc->member_count; i++) {
        const struct out_member *member = &out_members[desc->first_member + i];
        char *to = (char *)structure + member->offset;
        if (desc->kind == OUT_FEATURES)
            memcpy(to, &(VkBool32){VK_TRUE}, sizeof(VkBool32));
        else if (desc->defaults)
            memcpy(to, (const char *)desc->defaults + member->offset, member->size);
        else
            memset(to, 0, member->size);
    }
}

static void out_overrides(const struct config *config, const struct out_struct *desc,
                          void *structure)
{
    for (size_t i = 0; i < config->override_count; i++) {
        const struct override *override = &config->overrides[i];
        if (override->target == desc)
            memcpy((char *)structure + override->offset, override->bytes, override->size);
    }
}

void out_chain_configured(const struct config *config, void *chain)
{
    for (VkBaseOutStructure *structure = chain; structure; structure = structure->pNext) {
        const struct out_struct *desc = out_struct_find(structure->sType);
        if (!desc)
            continue;
        out_defaults(desc, structure);
        if (config)
            out_overrides(config, desc, structure);
    }
}

void out_chain(void *chain)
{
    out_chain_configured(NULL, chain);
}

void out_items(void *items, uint32_t count, size_t size, bool with_stype)
{
    for (uint32_t i = 0; i < count; i++) {
        if (with_stype)
            out_chain((char *)items + i * size);
        else
            memset((char *)items + i * size, 0, size);
    }
}

VkResult enumerate_out(uint32_t *count, void *items, uint32_t total, size_t size, bool with_stype)
{
    if (!items) {
        *count = total;
        return VK_SUCCESS;
    }
    uint32_t written = *count < total ? *count : total;
    out_items(items, written, size, with_stype);
    *count = written;
    return written < total ? VK_INCOMPLETE : VK_SUCCESS;
}

VkResult enumerate_values(uint32_t *count, void *items, const void *values, uint32_t total,
                          size_t size)
{
    if (!items) {
        *count = total;
        return VK_SUCCESS;
    }
    uint32_t written = *count < total ? *count : total;
    memcpy(items, values, written * size);
    *count = written;
    return written < total ? VK_INCOMPLETE : VK_SUCCESS;
}

VkResult blob_read(size_t *size, void *data)
{
    static const char blob[64] = "Assay null driver: stands for compiled code or a cache";
    if (!data) {
        *size = sizeof(blob);
        return VK_SUCCESS;
    }
    if (*size < sizeof(blob)) {
        *size = 0;
        return VK_INCOMPLETE;
    }
    memcpy(data, blob, sizeof(blob));
    *size = sizeof(blob);
    return VK_SUCCESS;
}

const void *chain_find(const void *chain, VkStructureType stype)
{
    for (const VkBaseInStructure *structure = chain; structure; structure = structure->pNext) {
        if (structure->sType == stype)
            return structure;
    }
    return NULL;
}
