/* Writes the words of hazard reports for stages, accesses, resources and roles. */
#include <inttypes.h>

#include "report/names/names_of_values.h"
#include "state/memory/formats.h"
#include "sync/report/report_facts.h"

/* --- flags --- */

/* Returns the stage under its name without synchronization2 (VkPipelineStageFlags; 7.1.2 "Pipeline
 * Stages"). A stage without a name there becomes ALL_COMMANDS. */
static VkPipelineStageFlags legacy_stage(VkPipelineStageFlags2 stage)
{
    static const struct {
        VkPipelineStageFlags2 stages;
        VkPipelineStageFlags legacy;
    } map[] = {
        {VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_RESOLVE_BIT |
             VK_PIPELINE_STAGE_2_BLIT_BIT | VK_PIPELINE_STAGE_2_CLEAR_BIT,
         VK_PIPELINE_STAGE_TRANSFER_BIT},
        {VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT | VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT,
         VK_PIPELINE_STAGE_VERTEX_INPUT_BIT},
        {VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR,
         VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(map); i++) {
        if (stage & map[i].stages)
            return map[i].legacy;
    }
    return stage <= UINT32_MAX && value_has_name(VALUES_VkPipelineStageFlags, stage)
               ? (VkPipelineStageFlags)stage
               : VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
}

/* Returns the access under its name without synchronization2. An access without a name there
 * becomes a read or write of any memory. */
static VkAccessFlags legacy_access(VkAccessFlags2 access)
{
    static const VkAccessFlags2 reads = VK_ACCESS_2_SHADER_SAMPLED_READ_BIT |
                                        VK_ACCESS_2_SHADER_STORAGE_READ_BIT |
                                        VK_ACCESS_2_SHADER_BINDING_TABLE_READ_BIT_KHR;
    if (access & reads)
        return VK_ACCESS_SHADER_READ_BIT;
    if (access & VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT)
        return VK_ACCESS_SHADER_WRITE_BIT;
    if (access <= UINT32_MAX && value_has_name(VALUES_VkAccessFlags, access))
        return (VkAccessFlags)access;
    return VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
}

bool command_is_version2(enum command command)
{
    enum command root = command_root[command];
    return root == COMMAND_CmdPipelineBarrier2 || root == COMMAND_CmdWaitEvents2;
}

void write_stages(struct string_builder *text, VkPipelineStageFlags2 stages, bool version2)
{
    VkPipelineStageFlags legacy = 0;
    if (version2) {
        value_write(text, VALUES_VkPipelineStageFlags2, stages);
        return;
    }
    for (VkPipelineStageFlags2 left = stages; left; left &= left - 1)
        legacy |= legacy_stage(left & -left);
    value_write(text, VALUES_VkPipelineStageFlags, legacy);
}

void write_accesses(struct string_builder *text, VkAccessFlags2 accesses, bool version2)
{
    VkAccessFlags legacy = 0;
    if (version2) {
        value_write(text, VALUES_VkAccessFlags2, accesses);
        return;
    }
    for (VkAccessFlags2 left = accesses; left; left &= left - 1)
        legacy |= legacy_access(left & -left);
    value_write(text, VALUES_VkAccessFlags, legacy);
}

/* --- resources --- */

void write_object(struct string_builder *text, const struct report_object *object)
{
    string_builder_format(text, "%s 0x%" PRIx64, handle_type_name[object->type], object->handle);
    if (object->name)
        string_builder_format(text, " \"%s\"", object->name);
}

void write_caller(struct string_builder *text, const struct caller *caller)
{
    if (!caller->module)
        string_builder_format(text, "0x%" PRIx64 ", in no module", caller->offset);
    else
        string_builder_format(text, "%s+0x%" PRIx64, caller->module, caller->offset);
    if (caller->module && caller->symbol)
        string_builder_format(text, " (%s+0x%" PRIx64 ")", caller->symbol, caller->symbol_offset);
}

void write_aspects(struct string_builder *text, VkImageAspectFlags aspects)
{
    static const struct {
        VkImageAspectFlags aspect;
        const char *name;
    } names[] = {
        {VK_IMAGE_ASPECT_COLOR_BIT, "color"},     {VK_IMAGE_ASPECT_DEPTH_BIT, "depth"},
        {VK_IMAGE_ASPECT_STENCIL_BIT, "stencil"}, {VK_IMAGE_ASPECT_METADATA_BIT, "metadata"},
        {VK_IMAGE_ASPECT_PLANE_0_BIT, "plane 0"}, {VK_IMAGE_ASPECT_PLANE_1_BIT, "plane 1"},
        {VK_IMAGE_ASPECT_PLANE_2_BIT, "plane 2"},
    };
    const char *separator = "";
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
        if (!(aspects & names[i].aspect))
            continue;
        string_builder_format(text, "%s%s", separator, names[i].name);
        separator = " and ";
    }
}

void write_subpass(struct string_builder *text, uint32_t subpass)
{
    if (subpass == VK_SUBPASS_EXTERNAL)
        string_builder_add(text, "VK_SUBPASS_EXTERNAL");
    else
        string_builder_format(text, "subpass %u", subpass);
}

/* Writes "mip level 2" or "layers 0 to 5"; the singular is used if `count` is 1. */
static void write_span(struct string_builder *text, const char *one, const char *more,
                       uint64_t first, uint64_t count)
{
    if (count == 1)
        string_builder_format(text, "%s %" PRIu64, one, first);
    else
        string_builder_format(text, "%s %" PRIu64 " to %" PRIu64, more, first, first + count - 1);
}

/* Writes the subresources of an extent, and the rows and columns if the extent is part of one
 * subresource. */
static void write_subresources(struct string_builder *text, const struct report_extent *extent)
{
    const VkImageSubresourceRange *range = &extent->range;
    string_builder_add(text, " (");
    write_aspects(text, range->aspectMask);
    string_builder_add(text, ", ");
    write_span(text, "mip level", "mip levels", range->baseMipLevel, range->levelCount);
    string_builder_add(text, ", ");
    write_span(text, "layer", "layers", range->baseArrayLayer, range->layerCount);
    if (extent->texels.row_count) {
        string_builder_add(text, ", ");
        write_span(text, "row", "rows", extent->texels.first_row, extent->texels.row_count);
    }
    if (extent->texels.column_count) {
        string_builder_add(text, ", ");
        write_span(text, "column", "columns", extent->texels.first_column,
                   extent->texels.column_count);
    }
    string_builder_add(text, ")");
}

void write_resource(struct string_builder *text, const struct report_side *side)
{
    const struct report_extent *extent = &side->extent;
    if (extent->kind == EXTENT_BYTES) {
        write_span(text, "byte", "bytes", extent->offset, extent->size);
        string_builder_add(text, " of ");
    }
    if (side->resource.type == HANDLE_NONE)
        string_builder_add(text, "a resource that does not exist any more");
    else
        write_object(text, &side->resource);
    if (extent->kind == EXTENT_SUBRESOURCES && !extent->whole)
        write_subresources(text, extent);
}

void write_role(struct string_builder *text, const struct access_source *source)
{
    switch (source->role) {
    case ROLE_PARAMETER:
        return;
    case ROLE_DESCRIPTOR:
        string_builder_format(text, "descriptor set %u, binding %u, element %u", source->set,
                              source->binding, source->index);
        return;
    case ROLE_VERTEX_BUFFER:
        string_builder_format(text, "vertex buffer binding %u", source->index);
        return;
    case ROLE_INDEX_BUFFER:
        string_builder_add(text, "index buffer");
        return;
    case ROLE_INDIRECT_BUFFER:
        string_builder_add(text, "indirect buffer");
        return;
    case ROLE_COUNT_BUFFER:
        string_builder_add(text, "count buffer");
        return;
    case ROLE_COLOR_ATTACHMENT:
        string_builder_format(text, "color attachment %u", source->index);
        return;
    case ROLE_DEPTH_STENCIL_ATTACHMENT:
        string_builder_add(text, "depth/stencil attachment");
        return;
    case ROLE_INPUT_ATTACHMENT:
        string_builder_format(text, "input attachment %u", source->index);
        return;
    case ROLE_RESOLVE_ATTACHMENT:
        string_builder_format(text, "resolve attachment %u", source->index);
        return;
    case ROLE_BARRIER:
        string_builder_format(text, "image barrier %u", source->index);
        return;
    case ROLE_ATTACHMENT_TRANSITION:
        string_builder_format(text, "attachment %u of the render pass", source->index);
        return;
    case ROLE_HOST:
        string_builder_add(text, "the host");
        return;
    case ROLE_PRESENT:
        string_builder_add(text, "presented image");
        return;
    }
}

const char *hazard_name(enum hazard kind)
{
    static const char *const names[] = {
        [HAZARD_NONE] = "NONE",
        [HAZARD_READ_AFTER_WRITE] = "READ_AFTER_WRITE",
        [HAZARD_WRITE_AFTER_READ] = "WRITE_AFTER_READ",
        [HAZARD_WRITE_AFTER_WRITE] = "WRITE_AFTER_WRITE",
        [HAZARD_READ_RACING_WRITE] = "READ_RACING_WRITE",
        [HAZARD_WRITE_RACING_READ] = "WRITE_RACING_READ",
        [HAZARD_WRITE_RACING_WRITE] = "WRITE_RACING_WRITE",
        [HAZARD_READ_AFTER_PRESENT] = "READ_AFTER_PRESENT",
        [HAZARD_WRITE_AFTER_PRESENT] = "WRITE_AFTER_PRESENT",
        [HAZARD_PRESENT_AFTER_READ] = "PRESENT_AFTER_READ",
        [HAZARD_PRESENT_AFTER_WRITE] = "PRESENT_AFTER_WRITE",
    };
    assert((unsigned)kind < ARRAY_LENGTH(names));
    return names[kind];
}
