/* Draws: in dynamic rendering and in render passes, with what they read made ready before. */
#include "pipelines.h"

void any_target(struct world *w, struct target *target)
{
    memset(target, 0, sizeof(*target));
    target->color_count = below(w, COLORS_MOST + 1);
    if (target->color_count > w->properties.limits.maxColorAttachments)
        target->color_count = 1;
    for (uint32_t i = 0; i < target->color_count; i++)
        target->colors[i] =
            chance(w, 85) ? any_format(w, "f", VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT) : NULL;
    target->depth =
        chance(w, 50) ? any_format(w, "d", VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT) : NULL;
    target->read_only_depth = target->depth && chance(w, 20);
    const VkPhysicalDeviceLimits *limits = &w->properties.limits;
    target->samples = chance(w, 60)
                          ? VK_SAMPLE_COUNT_1_BIT
                          : any_samples(w, limits->framebufferColorSampleCounts &
                                               limits->framebufferDepthSampleCounts &
                                               limits->framebufferStencilSampleCounts &
                                               limits->framebufferNoAttachmentsSampleCounts);
    target->width = between(w, 1, 64);
    target->height = between(w, 1, 64);
    target->layers = between(w, 1, 3);
    if (ON(multiview) && chance(w, 30))
        target->view_mask = PICK(1u, 3u, 5u, 4u);
    target->rates = ON(attachmentFragmentShadingRate) && chance(w, 25);
    target->dense = ON(fragmentDensityMap) && chance(w, 40);
}

/* --- what pipes read, and draws --- */

void pipe_prepare(struct record *rec, struct pipe *pipe)
{
    struct world *w = rec->w;
    if (pipe->textured && !pipe->texture) {
        VkImageCreateInfo info =
            image_info(VK_FORMAT_R8G8B8A8_UNORM, 8, 8,
                       VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
        pipe->texture = make_image(w, &info);
        VkImageLayout layout =
            PICK(VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL);
        needs_layout(rec, pipe->texture, layout);
        set_write_image(w, pipe, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
                        make_view(w, pipe->texture, VK_IMAGE_VIEW_TYPE_2D,
                                  VK_IMAGE_ASPECT_COLOR_BIT),
                        layout);
    }
    VkBufferUsageFlags addressed =
        VK_BUFFER_USAGE_TRANSFER_DST_BIT |
        (ON(bufferDeviceAddress) ? VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT : 0);
    pipe->indices = make_buffer(w, 64, VK_BUFFER_USAGE_INDEX_BUFFER_BIT | addressed, false);
    pipe->indirect = make_buffer(w, 256, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | addressed, false);
    ready(rec, USE(CLEAR));
    CALL(CmdFillBuffer, rec->c, pipe->indices->handle, 0, VK_WHOLE_SIZE, 0);
    CALL(CmdFillBuffer, rec->c, pipe->indirect->handle, 0, VK_WHOLE_SIZE, 0);
}

static void bind_pipe_objects(struct record *rec, struct pipe *pipe)
{
    struct world *w = rec->w;
    VkShaderStageFlagBits stages[10];
    VkShaderEXT shaders[10];
    uint32_t count = 0;
    const struct {
        VkShaderStageFlagBits stage;
        bool there;
    } all[] = {{VK_SHADER_STAGE_VERTEX_BIT, true},
               {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, ON(tessellationShader)},
               {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, ON(tessellationShader)},
               {VK_SHADER_STAGE_GEOMETRY_BIT, ON(geometryShader)},
               {VK_SHADER_STAGE_FRAGMENT_BIT, true},
               {VK_SHADER_STAGE_TASK_BIT_EXT,
                ON(MeshShaderFeaturesEXT_taskShader) || ON(MeshShaderFeaturesNV_taskShader)},
               {VK_SHADER_STAGE_MESH_BIT_EXT,
                ON(MeshShaderFeaturesEXT_meshShader) || ON(MeshShaderFeaturesNV_meshShader)}};
    for (size_t i = 0; i < LENGTH(all); i++) {
        if (!all[i].there)
            continue;
        stages[count] = all[i].stage;
        shaders[count] = VK_NULL_HANDLE;
        for (uint32_t j = 0; j < pipe->shader_count; j++) {
            if (pipe->shader_stages[j] == all[i].stage)
                shaders[count] = pipe->shaders[j];
        }
        count++;
    }
    if (chance(w, 50)) {
        CALL(CmdBindShadersEXT, rec->c, count, stages, shaders);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        CALL(CmdBindShadersEXT, rec->c, 1, &stages[i],
             shaders[i]      ? &shaders[i]
             : chance(w, 50) ? NULL
                             : &shaders[i]);
}

static void bind_pipe_sets(struct record *rec, const struct pipe *pipe)
{
    struct world *w = rec->w;
    if (!pipe->set)
        return;
    if (ON(maintenance6) && chance(w, 30)) {
        VkBindDescriptorSetsInfo info = {
            .sType = VK_STRUCTURE_TYPE_BIND_DESCRIPTOR_SETS_INFO,
            .stageFlags = PICK(VK_SHADER_STAGE_ALL_GRAPHICS,
                               VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT),
            .layout = pipe->layout,
            .descriptorSetCount = 1,
            .pDescriptorSets = &pipe->set,
            .pDynamicOffsets = IGNORED};
        CALL(CmdBindDescriptorSets2, rec->c, &info);
        return;
    }
    CALL(CmdBindDescriptorSets, rec->c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipe->layout, 0, 1,
         &pipe->set, 0, IGNORED);
}

static void push_any_constants(struct record *rec, const struct pipe *pipe)
{
    struct world *w = rec->w;
    static const uint32_t words[4] = {1, 2, 3, 4};
    if (!pipe->pushes)
        return;
    if (ON(maintenance6) && chance(w, 30)) {
        VkPushConstantsInfo info = {.sType = VK_STRUCTURE_TYPE_PUSH_CONSTANTS_INFO,
                                    .layout = pipe->layout,
                                    .stageFlags = pipe->push_stages,
                                    .size = 16,
                                    .pValues = words};
        CALL(CmdPushConstants2, rec->c, &info);
    } else if (chance(w, 30)) {
        CALL(CmdPushConstants, rec->c, pipe->layout, pipe->push_stages, 0, 4, words);
        CALL(CmdPushConstants, rec->c, pipe->layout, pipe->push_stages, 4, 12, words);
    } else {
        CALL(CmdPushConstants, rec->c, pipe->layout, pipe->push_stages, 0, 16, words);
    }
}

static void bind_pipe_vertices(struct record *rec, const struct pipe *pipe)
{
    struct world *w = rec->w;
    if (!pipe->vertices)
        return;
    VkBuffer buffers[] = {pipe->other_vertices->handle, pipe->vertices->handle};
    VkDeviceSize offsets[] = {0, 0}, sizes[] = {VK_WHOLE_SIZE, 128}, strides[] = {8, 16};
    bool second = ON(extendedDynamicState) || VERSION(13) || pipe->shader_count;
    bool strided = pipe->dynamic & STATE(STRIDE);
    if (strided || (second && THERE(CmdBindVertexBuffers2) && chance(w, 30)))
        CALL(CmdBindVertexBuffers2, rec->c, 0, 2, buffers, offsets, chance(w, 50) ? sizes : NULL,
             strided ? strides : NULL);
    else
        CALL(CmdBindVertexBuffers, rec->c, 0, 2, buffers, offsets);
}

void pipe_bind(struct record *rec, struct pipe *pipe)
{
    struct world *w = rec->w;
    bool states_first = chance(w, 30);
    if (states_first)
        set_states(rec, pipe, pipe->values);
    if (pipe->shader_count) {
        bind_pipe_objects(rec, pipe);
        set_rare_states(rec, pipe);
    }
    if (!pipe->shader_count) {
        CALL(CmdBindPipeline, rec->c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipe->handle);
        rec->live &= pipe->dynamic; /* its static states take the others' place */
    }
    if (!states_first)
        set_states(rec, pipe, pipe->values);
    if (chance(w, 50)) {
        push_any_constants(rec, pipe);
        bind_pipe_sets(rec, pipe);
    } else {
        bind_pipe_sets(rec, pipe);
        push_any_constants(rec, pipe);
    }
    bind_pipe_vertices(rec, pipe);
}

static void draw_pipe_mesh(struct record *rec, struct pipe *pipe)
{
    struct world *w = rec->w;
    VkBuffer indirect = pipe->indirect->handle;
    uint32_t many = ON(multiDrawIndirect) ? 3 : 1;
    switch (below(w, 4)) {
    case 0:
        CALL(CmdDrawMeshTasksIndirectEXT, rec->c, indirect, 16, below(w, many + 1), PICK(12u, 16u));
        break;
    case 1:
        if (ON(drawIndirectCount)) {
            CALL(CmdDrawMeshTasksIndirectCountEXT, rec->c, indirect, 0, indirect, 252, 2, 12);
            break;
        }
        /* fall through */
    default:
        CALL(CmdDrawMeshTasksEXT, rec->c, below(w, 3), 1, 1);
        break;
    }
}

static void bind_pipe_indices(struct record *rec, struct pipe *pipe)
{
    struct world *w = rec->w;
    bool bytes = (ON(indexTypeUint8) || false);
    VkIndexType type = bytes ? PICK(VK_INDEX_TYPE_UINT16, VK_INDEX_TYPE_UINT32, VK_INDEX_TYPE_UINT8)
                             : PICK(VK_INDEX_TYPE_UINT16, VK_INDEX_TYPE_UINT32);
    if (ON(deviceAddressCommands) && pipe->indices->address && chance(w, 40)) {
        VkBindIndexBuffer3InfoKHR info = {
            .sType = VK_STRUCTURE_TYPE_BIND_INDEX_BUFFER_3_INFO_KHR,
            .addressRange = {pipe->indices->address + 4, PICK(24, 60)},
            .addressFlags = PICK(0u, VK_ADDRESS_COMMAND_FULLY_BOUND_BIT_KHR),
            .indexType = type};
        CALL(CmdBindIndexBuffer3KHR, rec->c, &info);
    } else if (ON(maintenance5) && chance(w, 40))
        CALL(CmdBindIndexBuffer2, rec->c, pipe->indices->handle, 4, PICK(VK_WHOLE_SIZE, 24), type);
    else
        CALL(CmdBindIndexBuffer, rec->c, pipe->indices->handle, PICK(0, 4), type);
}

/* Records the draws that take addresses instead of buffers. The count may be exactly what the range
 * has room for. */
static void draw_there(struct record *rec, struct pipe *pipe)
{
    struct world *w = rec->w;
    bool indexed = chance(w, 50);
    uint32_t size = indexed ? sizeof(VkDrawIndexedIndirectCommand) : sizeof(VkDrawIndirectCommand),
             count = below(w, ON(multiDrawIndirect) ? 4 : 2),
             stride = count > 1 ? PICK(size, size + 4) : PICK(0u, size);
    uint32_t room = count ? (count - 1) * stride + size : size;
    VkStridedDeviceAddressRangeKHR range = {pipe->indirect->address + 4, PICK(room, 252u), stride};
    VkDrawIndirect2InfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_DRAW_INDIRECT_2_INFO_KHR,
        .addressRange = range,
        .addressFlags = PICK(0u, VK_ADDRESS_COMMAND_UNKNOWN_STORAGE_BUFFER_USAGE_BIT_KHR),
        .drawCount = count};
    VkDrawIndirectCount2InfoKHR counted = {.sType =
                                               VK_STRUCTURE_TYPE_DRAW_INDIRECT_COUNT_2_INFO_KHR,
                                           .addressRange = {pipe->indirect->address, 200, 20},
                                           .countAddressRange = {pipe->indirect->address + 252, 4},
                                           .maxDrawCount = PICK(0u, 3u)};
    bool by_count = ON(drawIndirectCount) && chance(w, 30);
    if (indexed)
        bind_pipe_indices(rec, pipe);
    if (by_count && indexed)
        CALL(CmdDrawIndexedIndirectCount2KHR, rec->c, &counted);
    else if (by_count)
        CALL(CmdDrawIndirectCount2KHR, rec->c, &counted);
    else if (indexed)
        CALL(CmdDrawIndexedIndirect2KHR, rec->c, &info);
    else
        CALL(CmdDrawIndirect2KHR, rec->c, &info);
}

void pipe_draw(struct record *rec, struct pipe *pipe)
{
    struct world *w = rec->w;
    VkBuffer indirect = pipe->indirect->handle;
    uint32_t many = ON(multiDrawIndirect) ? 3 : 1, instances = between(w, 0, 2);
    if (pipe->geometry == GEOMETRY_MESH) {
        draw_pipe_mesh(rec, pipe);
        return;
    }
    if (ON(deviceAddressCommands) && pipe->indirect->address && chance(w, 20)) {
        draw_there(rec, pipe);
        return;
    }
    switch (below(w, 9)) {
    case 5:
        if (ON(multiDraw)) {
            VkMultiDrawIndexedInfoEXT draws[] = {{0, 3, 77}, {1, 3, 0}};
            uint32_t count = below(w, 3);
            int32_t same = 0;
            bind_pipe_indices(rec, pipe);
            CALL(CmdDrawMultiIndexedEXT, rec->c, count, count ? draws : IGNORED, instances, 0,
                 sizeof(draws[0]), &same);
            break;
        }
        CALL(CmdDraw, rec->c, 3, instances, 0, 0);
        break;
    case 6:
        if (ON(drawIndirectCount)) {
            bind_pipe_indices(rec, pipe);
            CALL(CmdDrawIndexedIndirectCount, rec->c, indirect, 0, indirect, 252, PICK(0u, 3u), 20);
            break;
        }
        CALL(CmdDraw, rec->c, 3, instances, 0, 0);
        break;
    case 0:
        bind_pipe_indices(rec, pipe);
        CALL(CmdDrawIndexed, rec->c, 3, instances, 0, PICK(0, 1), 0);
        break;
    case 1:
        CALL(CmdDrawIndirect, rec->c, indirect, 4, below(w, many + 1), PICK(16u, 20u));
        break;
    case 2:
        bind_pipe_indices(rec, pipe);
        CALL(CmdDrawIndexedIndirect, rec->c, indirect, 0, 1, PICK(0u, 20u, 77u));
        break;
    case 3:
        if (ON(drawIndirectCount)) {
            CALL(CmdDrawIndirectCount, rec->c, indirect, 0, indirect, 252, PICK(0u, 3u), 16);
            break;
        }
        /* fall through */
    case 4:
        if (ON(multiDraw)) {
            VkMultiDrawInfoEXT draws[] = {{0, 3}, {3, 3}};
            uint32_t count = below(w, 3);
            CALL(CmdDrawMultiEXT, rec->c, count, count ? draws : IGNORED, instances, 0,
                 sizeof(draws[0]));
            break;
        }
        /* fall through */
    default:
        CALL(CmdDraw, rec->c, PICK(3u, 6u, 0u), instances, below(w, 3), 0);
        break;
    }
}

/* --- attachments --- */

struct attachments {
    struct image *colors[COLORS_MOST], *resolves[COLORS_MOST], *depth, *depth_resolve, *rates,
        *density;
    VkImageView views[COLORS_MOST], resolve_views[COLORS_MOST], depth_view, depth_resolve_view;
    VkImageLayout layouts[COLORS_MOST], depth_layout, rates_layout, density_layout;
    VkImageView rates_view, density_view;
    VkExtent2D texel;
};

static uint32_t layers_needed(const struct target *target)
{
    return target->view_mask ? 32 - (uint32_t)__builtin_clz(target->view_mask) : target->layers;
}

static VkImageView attachment_view(struct world *w, const struct image *image, uint32_t level,
                                   uint32_t layers, bool arrayed)
{
    VkImageViewCreateInfo info =
        view_info(image,
                  arrayed || layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D,
                  image->format->aspects);
    info.subresourceRange.baseMipLevel = level;
    info.subresourceRange.layerCount = layers == image->info.arrayLayers && chance(w, 40) &&
                                               info.viewType == VK_IMAGE_VIEW_TYPE_2D_ARRAY
                                           ? VK_REMAINING_ARRAY_LAYERS
                                           : layers;
    return make_view_of(w, &info);
}

static struct image *attachment_image(struct world *w, const struct target *target,
                                      const struct format *format, VkSampleCountFlagBits samples,
                                      VkImageUsageFlags usage, VkImageView *view)
{
    VkImageCreateFlags flags = target->dense ? subsampled(w) : 0; /* those have one level */
    uint32_t level = !flags && samples == VK_SAMPLE_COUNT_1_BIT && chance(w, 20) ? 1 : 0,
             layers = layers_needed(target);
    VkImageCreateInfo info = image_info(format->format, (target->width + below(w, 3)) << level,
                                        (target->height + below(w, 3)) << level, usage);
    info.mipLevels = level + 1;
    info.arrayLayers = layers + below(w, 2);
    info.samples = samples;
    info.flags = flags;
    struct image *image = make_image(w, &info);
    if (!image)
        return NULL;
    *view = attachment_view(w, image, level, layers, target->view_mask != 0);
    return image;
}

static bool make_attachments(struct world *w, const struct target *target, struct attachments *a)
{
    memset(a, 0, sizeof(*a));
    bool resolves = target->samples != VK_SAMPLE_COUNT_1_BIT && chance(w, 60);
    for (uint32_t i = 0; i < target->color_count; i++) {
        if (!target->colors[i])
            continue;
        a->colors[i] = attachment_image(w, target, target->colors[i], target->samples,
                                        VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                            PICK(0, VK_IMAGE_USAGE_SAMPLED_BIT,
                                                 VK_IMAGE_USAGE_TRANSFER_SRC_BIT),
                                        &a->views[i]);
        if (!a->colors[i])
            return false;
        a->layouts[i] = PICK(VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL,
                             ON(synchronization2) ? VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL
                                                  : VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
        if (resolves && chance(w, 70)) {
            a->resolves[i] =
                attachment_image(w, target, target->colors[i], VK_SAMPLE_COUNT_1_BIT,
                                 VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, &a->resolve_views[i]);
            if (!a->resolves[i])
                return false;
        }
    }
    if (target->depth) {
        a->depth = attachment_image(w, target, target->depth, target->samples,
                                    VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, &a->depth_view);
        if (!a->depth)
            return false;
        a->depth_layout =
            target->read_only_depth
                ? VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL
                : PICK(VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL);
        if (resolves && chance(w, 40)) {
            a->depth_resolve = attachment_image(w, target, target->depth, VK_SAMPLE_COUNT_1_BIT,
                                                VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
                                                &a->depth_resolve_view);
            if (!a->depth_resolve)
                return false;
        }
    }
    if (target->dense)
        a->density = make_density(w, target->width, target->height,
                                  target->view_mask ? layers_needed(target) : 1, &a->density_view);
    a->density_layout =
        PICK(VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_FRAGMENT_DENSITY_MAP_OPTIMAL_EXT);
    if (target->rates) {
        a->rates = make_rates(w, target->width, target->height, layers_needed(target), &a->texel,
                              &a->rates_view);
        a->rates_layout = PICK(VK_IMAGE_LAYOUT_GENERAL,
                               VK_IMAGE_LAYOUT_FRAGMENT_SHADING_RATE_ATTACHMENT_OPTIMAL_KHR);
    }
    return true;
}

static VkAttachmentLoadOp any_load(struct world *w)
{
    if ((VERSION(14) || HAS(KHR_load_store_op_none) || HAS(EXT_load_store_op_none)) &&
        chance(w, 15))
        return VK_ATTACHMENT_LOAD_OP_NONE;
    return PICK(VK_ATTACHMENT_LOAD_OP_CLEAR, VK_ATTACHMENT_LOAD_OP_LOAD,
                VK_ATTACHMENT_LOAD_OP_DONT_CARE);
}

static VkAttachmentStoreOp any_store(struct world *w)
{
    if (has_either(w, 13, EXTENSION_KHR_dynamic_rendering) && chance(w, 15))
        return VK_ATTACHMENT_STORE_OP_NONE;
    return PICK(VK_ATTACHMENT_STORE_OP_STORE, VK_ATTACHMENT_STORE_OP_DONT_CARE);
}

static void clear_attachments(struct record *rec, const struct target *target)
{
    struct world *w = rec->w;
    VkClearAttachment clears[2];
    uint32_t count = 0;
    if (target->color_count && target->colors[0])
        clears[count++] = (VkClearAttachment){VK_IMAGE_ASPECT_COLOR_BIT, 0, {{{0}}}};
    if (target->depth && !target->read_only_depth)
        clears[count++] =
            (VkClearAttachment){target->depth->aspects, below(w, 100), {.depthStencil = {1.0f, 0}}};
    if (!count)
        return;
    VkClearRect rect = {
        {{0, 0}, {target->width, target->height}}, 0, target->view_mask ? 1 : target->layers};
    if (chance(w, 50)) {
        rect.rect.offset.x = (int32_t)below(w, target->width);
        rect.rect.extent.width -= (uint32_t)rect.rect.offset.x;
    }
    CALL(CmdClearAttachments, rec->c, count, clears, 1, &rect);
}

static void rendering_contents(struct record *rec, const struct target *target, struct pipe **pipes,
                               uint32_t pipe_count)
{
    struct world *w = rec->w;
    for (uint32_t i = below(w, 4); i > 0; i--) {
        if (chance(w, 15)) {
            clear_attachments(rec, target);
            continue;
        }
        if (!pipe_count)
            continue;
        struct pipe *pipe = pipes[below(w, pipe_count)];
        pipe_bind(rec, pipe);
        for (uint32_t j = between(w, 1, 2); j > 0; j--)
            pipe_draw(rec, pipe);
    }
}

/* --- dynamic rendering --- */

static VkRenderingAttachmentInfo color_info(struct world *w, const struct attachments *a,
                                            uint32_t i)
{
    VkRenderingAttachmentInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                      .imageView = a->views[i],
                                      .imageLayout = a->layouts[i],
                                      .loadOp = any_load(w),
                                      .storeOp = any_store(w)};
    if (!a->views[i]) {
        info.imageLayout = PICK(VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
        info.resolveImageLayout = VK_IMAGE_LAYOUT_UNDEFINED;
    }
    if (a->resolves[i]) {
        info.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
        info.resolveImageView = a->resolve_views[i];
        info.resolveImageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    }
    return info;
}

static void rendering_needs(struct record *rec, const struct target *target,
                            const struct attachments *a)
{
    for (uint32_t i = 0; i < target->color_count; i++) {
        if (a->colors[i])
            needs_layout(rec, a->colors[i], a->layouts[i]);
        if (a->resolves[i])
            needs_layout(rec, a->resolves[i], VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    }
    if (a->depth)
        needs_layout(rec, a->depth, a->depth_layout);
    if (a->depth_resolve)
        needs_layout(rec, a->depth_resolve, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL);
    if (a->rates)
        needs_layout(rec, a->rates, a->rates_layout);
    if (a->density)
        needs_layout(rec, a->density, a->density_layout);
}

/* --- one instance, in one piece or suspended, inline or in secondaries --- */

struct rendering {
    const struct target *target;
    VkRenderingInfo info;
    struct pipe *pipes[3];
    uint32_t pipe_count;
    bool cut; /* the area is not the whole: a scissor or a clear could be outside */
    VkQueryPool queries;
    struct buffer *condition;
};

static void draw_contents(struct record *rec, struct rendering *r, bool plain)
{
    struct world *w = rec->w;
    bool condition = !plain && r->condition && chance(w, 60),
         query = !plain && r->queries && chance(w, 60);
    VkConditionalRenderingBeginInfoEXT begin = {
        .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
        .buffer = condition ? r->condition->handle : VK_NULL_HANDLE,
        .offset = PICK(0, 4, 60),
        .flags = PICK(0u, VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT)};
    if (condition && ON(deviceAddressCommands) && r->condition->address && chance(w, 50)) {
        VkConditionalRenderingBeginInfo2EXT there = {
            .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_2_EXT,
            .addressRange = {r->condition->address + begin.offset, 4},
            .addressFlags = PICK(0u, VK_ADDRESS_COMMAND_FULLY_BOUND_BIT_KHR),
            .flags = begin.flags};
        CALL(CmdBeginConditionalRendering2EXT, rec->c, &there);
    } else if (condition)
        CALL(CmdBeginConditionalRenderingEXT, rec->c, &begin);
    if (query)
        CALL(CmdBeginQuery, rec->c, r->queries, 0, 0);
    if (!r->cut) {
        rendering_contents(rec, r->target, r->pipes, r->pipe_count);
    } else if (r->pipe_count) {
        pipe_bind(rec, r->pipes[0]);
        pipe_draw(rec, r->pipes[0]);
    }
    if (query) {
        CALL(CmdEndQuery, rec->c, r->queries, 0);
        r->queries = VK_NULL_HANDLE; /* once */
    }
    if (condition)
        CALL(CmdEndConditionalRenderingEXT, rec->c);
}

static VkCommandBuffer rendering_secondary(struct record *rec, struct rendering *r)
{
    struct world *w = rec->w;
    const struct target *target = r->target;
    VkFormat colors[COLORS_MOST];
    for (uint32_t i = 0; i < target->color_count; i++)
        colors[i] = target->colors[i] ? target->colors[i]->format : VK_FORMAT_UNDEFINED;
    VkImageAspectFlags aspects = target->depth ? target->depth->aspects : 0;
    VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .flags =
            r->info.flags & ~(VkRenderingFlags)VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT,
        .viewMask = target->view_mask,
        .colorAttachmentCount = target->color_count,
        .pColorAttachmentFormats = target->color_count ? colors : IGNORED,
        .depthAttachmentFormat =
            aspects & VK_IMAGE_ASPECT_DEPTH_BIT ? target->depth->format : VK_FORMAT_UNDEFINED,
        .stencilAttachmentFormat =
            aspects & VK_IMAGE_ASPECT_STENCIL_BIT ? target->depth->format : VK_FORMAT_UNDEFINED,
        .rasterizationSamples = target->samples};
    VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .pNext = &rendering,
        .subpass = PICK(0u, 77u)};
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                                      .pInheritanceInfo = &inheritance};
    struct record inner = *rec;
    inner.c = make_command_buffer(w, rec->queue, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    inner.secondary = true;
    inner.live = 0;
    MUST(BeginCommandBuffer, inner.c, &begin);
    draw_contents(&inner, r, true);
    MUST(EndCommandBuffer, inner.c);
    return inner.c;
}

/* Commands that are neither actions nor synchronization may stand between the parts. */
static void between_parts(struct record *rec, struct rendering *r)
{
    struct world *w = rec->w;
    if (r->pipe_count && chance(w, 40))
        pipe_bind(rec, r->pipes[below(w, r->pipe_count)]);
    if (chance(w, 30)) {
        CALL(CmdSetLineWidth, rec->c, 1.0f);
        CALL(CmdSetStencilReference, rec->c, VK_STENCIL_FACE_FRONT_AND_BACK, 9);
    }
}

/* Records a part of an instance. Only one in a single piece may have both kinds of contents: all
 * parts must have that flag, or none. */
static void rendering_part(struct record *rec, struct rendering *r, VkRenderingFlags flags)
{
    struct world *w = rec->w;
    bool secondary = chance(w, 30), both = secondary && !flags && ON(maintenance7) && chance(w, 50);
    r->info.flags = flags | (secondary ? VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT : 0) |
                    (both ? VK_RENDERING_CONTENTS_INLINE_BIT_KHR : 0);
    VkCommandBuffer inner = secondary ? rendering_secondary(rec, r) : VK_NULL_HANDLE;
    CALL(CmdBeginRendering, rec->c, &r->info);
    if (!secondary || both)
        draw_contents(rec, r, false);
    if (secondary && chance(w, 90)) {
        CALL(CmdExecuteCommands, rec->c, 1, &inner);
        rec->live = 0;
    }
    if (both && chance(w, 50))
        draw_contents(rec, r, true);
    if (!(flags & VK_RENDERING_SUSPENDING_BIT) && has_either(w, 99, EXTENSION_KHR_maintenance10) &&
        ON(maintenance10) && chance(w, 50))
        CALL(CmdEndRendering2KHR, rec->c, NULL);
    else
        CALL(CmdEndRendering, rec->c);
}

static VkCommandBuffer next_buffer(struct record *rec)
{
    struct world *w = rec->w;
    VkCommandBuffer c = make_command_buffer(w, rec->queue, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .pInheritanceInfo = IGNORED};
    MUST(BeginCommandBuffer, c, &begin);
    rec->live = 0;
    return rec->c = c;
}

static void record_parts(struct record *rec, struct rendering *r)
{
    struct world *w = rec->w;
    uint32_t parts = chance(w, 70) ? 1 : between(w, 2, 4), count = 1;
    VkCommandBuffer buffers[8] = {rec->c};
    for (uint32_t i = 0; i < parts; i++) {
        if (i) {
            between_parts(rec, r);
            /* A command buffer of its own; or one without anything of interest between. */
            for (uint32_t j = chance(w, 50) ? between(w, 1, 2) : 0; j > 0; j--) {
                MUST(EndCommandBuffer, rec->c);
                buffers[count++] = next_buffer(rec);
                between_parts(rec, r);
            }
        }
        rendering_part(rec, r,
                       (i ? VK_RENDERING_RESUMING_BIT : 0) |
                           (i + 1 < parts ? VK_RENDERING_SUSPENDING_BIT : 0));
    }
    if (count == 1) {
        record_finish(rec);
        return;
    }
    MUST(EndCommandBuffer, rec->c);
    submit(w, rec->queue, count, buffers);
}

static VkResolveModeFlagBits any_resolve(struct world *w, const struct target *target)
{
    VkPhysicalDeviceDepthStencilResolveProperties properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_STENCIL_RESOLVE_PROPERTIES};
    VkResolveModeFlagBits mode = PICK(VK_RESOLVE_MODE_SAMPLE_ZERO_BIT, VK_RESOLVE_MODE_AVERAGE_BIT,
                                      VK_RESOLVE_MODE_MIN_BIT, VK_RESOLVE_MODE_MAX_BIT);
    if (!properties_of(w, &properties))
        return VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
    bool depth = target->depth->aspects & VK_IMAGE_ASPECT_DEPTH_BIT,
         stencil = target->depth->aspects & VK_IMAGE_ASPECT_STENCIL_BIT;
    if ((depth && !(properties.supportedDepthResolveModes & mode)) ||
        (stencil && !(properties.supportedStencilResolveModes & mode)))
        return VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
    return mode;
}

void step_draws(struct world *w)
{
    if (!ON(dynamicRendering))
        return;
    struct target *target = NEW(struct target, 0);
    any_target(w, target);
    struct attachments *a = NEW(struct attachments, {0});
    if (!make_attachments(w, target, a))
        return;
    struct rendering *r = NEW(struct rendering, .target = target, .pipe_count = below(w, 4));
    for (uint32_t i = 0; i < r->pipe_count; i++)
        r->pipes[i] = make_pipe(w, target);
    struct record *rec = record_begin(w, any_queue(w, VK_QUEUE_GRAPHICS_BIT));
    for (uint32_t i = 0; i < r->pipe_count; i++)
        pipe_prepare(rec, r->pipes[i]);
    if (ON(conditionalRendering) && chance(w, 20)) {
        r->condition =
            make_buffer(w, 64,
                        VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT |
                            VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                            (ON(bufferDeviceAddress) ? VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT
                                                     : 0),
                        false);
        CALL(CmdFillBuffer, rec->c, r->condition->handle, 0, VK_WHOLE_SIZE, PICK(0u, 1u));
        rec->before |= USE(CLEAR);
    }
    if (chance(w, 20)) {
        VkQueryPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                      .queryType = VK_QUERY_TYPE_OCCLUSION,
                                      .queryCount = 4};
        MUST(CreateQueryPool, w->device, &pool, NULL, &r->queries);
        OWN(QueryPool, r->queries);
        CALL(CmdResetQueryPool, rec->c, r->queries, 0, 4);
    }
    rendering_needs(rec, target, a);
    ready(rec, PIPE_USES | USE(COLOR) | USE(DEPTH) | (r->condition ? USE(CONDITIONAL) : 0) |
                   (a->rates ? USE(RATES) : 0) | (a->density ? USE(DENSITY) : 0));
    VkRenderingAttachmentInfo colors[COLORS_MOST], depth, stencil;
    for (uint32_t i = 0; i < target->color_count; i++)
        colors[i] = color_info(w, a, i);
    depth = (VkRenderingAttachmentInfo){
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = a->depth_view,
        .imageLayout = a->depth_layout,
        .loadOp = target->read_only_depth ? VK_ATTACHMENT_LOAD_OP_LOAD : any_load(w),
        .storeOp = any_store(w)};
    if (a->depth_resolve) {
        depth.resolveMode = any_resolve(w, target);
        depth.resolveImageView = a->depth_resolve_view;
        depth.resolveImageLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
    }
    stencil = depth;
    VkImageAspectFlags aspects = target->depth ? target->depth->aspects : 0;
    r->info = (VkRenderingInfo){
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea = {{0, 0}, {target->width, target->height}},
        .layerCount = target->view_mask ? PICK(0u, 1u, 77u) : target->layers,
        .viewMask = target->view_mask,
        .colorAttachmentCount = target->color_count,
        .pColorAttachments = target->color_count ? colors : IGNORED,
        .pDepthAttachment = aspects & VK_IMAGE_ASPECT_DEPTH_BIT ? &depth : NULL,
        .pStencilAttachment = aspects & VK_IMAGE_ASPECT_STENCIL_BIT ? &stencil : NULL};
    if (a->density)
        CHAIN(r->info.pNext, VkRenderingFragmentDensityMapAttachmentInfoEXT,
              VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_INFO_EXT,
              .imageView = a->density_view, .imageLayout = a->density_layout);
    /* without a view, the size is ignored */
    if (a->rates || (HAS(KHR_fragment_shading_rate) && chance(w, 20)))
        CHAIN(r->info.pNext, VkRenderingFragmentShadingRateAttachmentInfoKHR,
              VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR,
              .imageView = a->rates_view,
              .imageLayout = a->rates ? a->rates_layout : VK_IMAGE_LAYOUT_UNDEFINED,
              .shadingRateAttachmentTexelSize = a->rates ? a->texel : (VkExtent2D){77, 0});
    if (chance(w, 20)) {
        VkRect2D *area = &r->info.renderArea;
        area->offset =
            (VkOffset2D){(int32_t)below(w, target->width), (int32_t)below(w, target->height)};
        area->extent.width -= (uint32_t)area->offset.x;
        area->extent.height -= (uint32_t)area->offset.y;
        r->cut = area->offset.x || area->offset.y;
    }
    /* the group's areas count, the other is ignored */
    if (VERSION(11) && !r->cut && !w->software && chance(w, 15)) {
        VkRect2D *areas = NEW_ARRAY(VkRect2D, VK_MAX_DEVICE_GROUP_SIZE);
        for (uint32_t i = 0; i < w->device_count; i++)
            areas[i] = r->info.renderArea;
        CHAIN(r->info.pNext, VkDeviceGroupRenderPassBeginInfo,
              VK_STRUCTURE_TYPE_DEVICE_GROUP_RENDER_PASS_BEGIN_INFO, .deviceMask = 1,
              .deviceRenderAreaCount = w->device_count, .pDeviceRenderAreas = areas);
        r->info.renderArea = (VkRect2D){{-7, 77}, {0, 0x7fffffffu}};
    }
    record_parts(rec, r);
}
