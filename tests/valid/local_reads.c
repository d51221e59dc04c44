/* Dynamic rendering that reads its own attachments: with attachments at other locations, with
 * indices of input attachments, and barriers inside of the instance. */
#include "pipelines.h"

#define ATTACHMENTS 2

struct reads {
    struct target target, plain, reading;
    struct image *images[ATTACHMENTS];
    VkImageView views[ATTACHMENTS];
    uint32_t locations[ATTACHMENTS], inputs[ATTACHMENTS];
    bool mapped, indexed; /* the reading part has other locations, other indices */
};

static void inner_barrier(struct record *rec)
{
    struct world *w = rec->w;
    if (ON(synchronization2) && chance(w, 50)) {
        VkMemoryBarrier2 memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                   .srcStageMask = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT |
                                                   VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
                                   .srcAccessMask = VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
                                   .dstStageMask = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT |
                                                   VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                                   .dstAccessMask = VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT |
                                                    VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT |
                                                    VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT};
        VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                 .dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT,
                                 .memoryBarrierCount = 1,
                                 .pMemoryBarriers = &memory,
                                 .pBufferMemoryBarriers = IGNORED,
                                 .pImageMemoryBarriers = IGNORED};
        CALL(CmdPipelineBarrier2, rec->c, &info);
        return;
    }
    VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                              .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                              .dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT |
                                               VK_ACCESS_COLOR_ATTACHMENT_READ_BIT |
                                               VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT};
    VkPipelineStageFlags stages =
        VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
    CALL(CmdPipelineBarrier, rec->c, stages, stages, VK_DEPENDENCY_BY_REGION_BIT, 1, &memory, 0,
         IGNORED, 0, IGNORED);
}

static void set_maps(struct record *rec, const struct reads *r, bool reading)
{
    struct world *w = rec->w;
    static const uint32_t same[ATTACHMENTS] = {0, 1};
    VkRenderingAttachmentLocationInfo locations = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO,
        .colorAttachmentCount = ATTACHMENTS,
        .pColorAttachmentLocations = reading         ? r->locations
                                     : chance(w, 50) ? same
                                                     : NULL};
    VkRenderingInputAttachmentIndexInfo inputs = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO,
        .colorAttachmentCount = ATTACHMENTS,
        .pColorAttachmentInputIndices = reading         ? r->inputs
                                        : chance(w, 50) ? same
                                                        : NULL};
    if (r->mapped)
        CALL(CmdSetRenderingAttachmentLocations, rec->c, &locations);
    if (r->indexed)
        CALL(CmdSetRenderingInputAttachmentIndices, rec->c, &inputs);
}

static void draw_local(struct record *rec, struct pipe *pipe)
{
    struct world *w = rec->w;
    pipe_bind(rec, pipe);
    for (uint32_t i = between(w, 1, 2); i > 0; i--) {
        pipe_draw(rec, pipe);
        inner_barrier(rec);
    }
}

void step_local_reads(struct world *w)
{
    if (!ON(dynamicRenderingLocalRead) || !ON(dynamicRendering) ||
        w->properties.limits.maxColorAttachments < ATTACHMENTS)
        return;
    struct reads *r = NEW(struct reads, .mapped = chance(w, 60), .indexed = chance(w, 50));
    const struct format *format = any_format(w, "f", VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT);
    if (!format)
        return;
    VkImageLayout layout = PICK(VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ,
                                VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ, VK_IMAGE_LAYOUT_GENERAL);
    r->target = (struct target){.color_count = ATTACHMENTS,
                                .colors = {format, format},
                                .samples = VK_SAMPLE_COUNT_1_BIT,
                                .width = between(w, 1, 40),
                                .height = between(w, 1, 40),
                                .layers = 1};
    uint32_t read = r->indexed ? below(w, ATTACHMENTS) : 0;
    for (uint32_t i = 0; i < ATTACHMENTS; i++) {
        VkImageCreateInfo info =
            image_info(format->format, r->target.width, r->target.height,
                       VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT);
        r->images[i] = make_image(w, &info);
        if (!r->images[i])
            return;
        r->views[i] = make_view(w, r->images[i], VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT);
        r->inputs[i] = i == read ? 0 : PICK(VK_ATTACHMENT_UNUSED, 1u);
        r->locations[i] = i == read ? VK_ATTACHMENT_UNUSED : 0;
    }
    r->plain = r->reading = r->target;
    r->reading.input = true;
    r->reading.locations = r->mapped ? r->locations : NULL;
    r->reading.inputs = r->indexed ? r->inputs : NULL;
    struct pipe *plain = make_pipe(w, &r->plain), *reading = make_pipe(w, &r->reading);
    if (reading->set)
        set_write_image(w, reading, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 0, r->views[read], layout);
    struct record *rec = record_begin(w, any_queue(w, VK_QUEUE_GRAPHICS_BIT));
    pipe_prepare(rec, plain);
    pipe_prepare(rec, reading);
    VkRenderingAttachmentInfo colors[ATTACHMENTS];
    for (uint32_t i = 0; i < ATTACHMENTS; i++) {
        needs_layout(rec, r->images[i], layout);
        colors[i] = (VkRenderingAttachmentInfo){
            .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
            .imageView = r->views[i],
            .imageLayout = layout,
            .loadOp = PICK(VK_ATTACHMENT_LOAD_OP_CLEAR, VK_ATTACHMENT_LOAD_OP_LOAD),
            .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    }
    ready(rec, PIPE_USES | USE(COLOR));
    VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                            .renderArea = {{0, 0}, {r->target.width, r->target.height}},
                            .layerCount = 1,
                            .colorAttachmentCount = ATTACHMENTS,
                            .pColorAttachments = colors};
    CALL(CmdBeginRendering, rec->c, &info);
    for (uint32_t i = between(w, 1, 3); i > 0; i--) {
        if (chance(w, 70))
            draw_local(rec, plain);
        inner_barrier(rec);
        set_maps(rec, r, true);
        draw_local(rec, reading);
        inner_barrier(rec);
        set_maps(rec, r, false);
    }
    CALL(CmdEndRendering, rec->c);
    record_finish(rec);
}
