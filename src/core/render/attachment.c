/* Writes the names of attachments for findings. */
#include "core/render/attachment.h"

#include <stdarg.h>
#include <stdio.h>

#include "report/finding/rule.h"
#include "report/names/object_text.h"
#include "state/memory/memory.h"

const char *view_text(const struct call *call, const struct image_view *view,
                      struct attachment_text *text)
{
    assert(view && text);
    const struct image *image = image_by_id(view->image);
    (void)snprintf(text->text, sizeof(text->text), "%s%s%s", NAMED_STATE(call, &view->base),
                   image ? " of " : "", image ? NAMED_STATE(call, &image->base) : "");
    return text->text;
}

struct kind_text {
    char text[48];
};

/* The name of a kind of attachment in a message. Kinds before ATTACHMENT_DEPTH have an index. */
static struct kind_text kind_text(enum attachment_kind kind, uint32_t index)
{
    static const char *const names[] = {
        [ATTACHMENT_COLOR] = "color attachment",
        [ATTACHMENT_RESOLVE] = "resolve attachment",
        [ATTACHMENT_INPUT] = "input attachment",
        [ATTACHMENT_DEPTH] = "depth attachment",
        [ATTACHMENT_STENCIL] = "stencil attachment",
        [ATTACHMENT_DEPTH_STENCIL] = "depth/stencil attachment",
        [ATTACHMENT_DEPTH_STENCIL_RESOLVE] = "depth/stencil resolve attachment",
        [ATTACHMENT_SHADING_RATE] = "fragment shading rate attachment",
    };
    struct kind_text text;
    if (kind < ATTACHMENT_DEPTH)
        (void)snprintf(text.text, sizeof(text.text), "%s %u", names[kind], index);
    else
        (void)snprintf(text.text, sizeof(text.text), "%s", names[kind]);
    return text;
}

const char *attachment_text(const struct call *call, enum attachment_kind kind, uint32_t index,
                            const struct image_view *view, struct attachment_text *text)
{
    assert(text);
    (void)snprintf(text->text, sizeof(text->text), "%s%s%s%s", kind_text(kind, index).text,
                   view ? " (" : "", view ? VIEW(call, view) : "", view ? ")" : "");
    return text->text;
}

const char *subpass_attachment_text(const struct call *call, enum attachment_kind kind,
                                    uint32_t index, uint32_t subpass, uint32_t attachment,
                                    const struct image_view *view, struct attachment_text *text)
{
    assert(text);
    (void)snprintf(text->text, sizeof(text->text),
                   "%s of subpass %u (attachment %u of the render pass%s%s)",
                   kind_text(kind, index).text, subpass, attachment, view ? ", " : "",
                   view ? VIEW(call, view) : "");
    return text->text;
}

const struct finding_objects *view_objects(const struct image_view *view, VkRenderPass render_pass,
                                           struct finding_objects *objects)
{
    assert(view && objects);
    const struct image *image = image_by_id(view->image);
    *objects = (struct finding_objects){
        .count = 1, .list = {{HANDLE_IMAGE_VIEW, object_state_handle(&view->base)}}};
    if (image)
        objects->list[objects->count++] =
            (struct finding_object){HANDLE_IMAGE, object_state_handle(&image->base)};
    if (render_pass)
        objects->list[objects->count++] =
            (struct finding_object){HANDLE_RENDER_PASS, (uint64_t)render_pass};
    return objects;
}

bool attachment_report_memory(const struct call *call, enum vuid vuid, const struct location *where,
                              const struct image_view *view)
{
    assert(view);
    return BROKEN_BY(call, vuid, where, VIEW_OBJECTS(view, VK_NULL_HANDLE),
                     "(%s) is of an image whose memory was freed", VIEW(call, view));
}

bool attachment_is_in_tiles(const struct call *call, const struct image_view *view)
{
    const struct image *image = image_by_id(view->image);
    const struct device_memory *memory =
        image && !image_is_sparse(image) && !image_is_disjoint(image)
            ? device_memory_by_id(image->binding[0].memory)
            : NULL;
    return memory && device_memory_is_of_tiles(call->device, memory);
}
