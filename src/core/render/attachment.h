/* Names an attachment in findings: its kind, its index, and the view and image that are it.
 * Everything here is for findings that are being reported. Threads: that of the call. Fields of
 * other objects are read as their own comments allow. */
#ifndef ASSAY_CORE_RENDER_ATTACHMENT_H
#define ASSAY_CORE_RENDER_ATTACHMENT_H

#include "report/finding/finding.h"
#include "state/memory/image.h"
#include "state/command/render_pass.h"

enum attachment_kind {
    ATTACHMENT_COLOR, /* with an index, as are the two kinds of the next line */
    ATTACHMENT_RESOLVE,
    ATTACHMENT_INPUT,
    ATTACHMENT_DEPTH, /* there is one of this kind and of those below */
    ATTACHMENT_STENCIL,
    ATTACHMENT_DEPTH_STENCIL,
    ATTACHMENT_DEPTH_STENCIL_RESOLVE,
    ATTACHMENT_SHADING_RATE,
};

struct attachment_text {
    char text[512];
};

/* `VkImageView 0x105 "hdr view" of VkImage 0x104 "hdr"` */
const char *view_text(const struct call *call, const struct image_view *view,
                      struct attachment_text *text) COLD;
#define VIEW(call_, view_) view_text((call_), (view_), &(struct attachment_text){.text = ""})

/* `color attachment 1`, and ` (VkImageView 0x105 "hdr view" of VkImage 0x104 "hdr")` where `view`
 * is not NULL. No article stands before it. `index`: of a kind of which there is one, it is
 * ignored. */
const char *attachment_text(const struct call *call, enum attachment_kind kind, uint32_t index,
                            const struct image_view *view, struct attachment_text *text) COLD;
#define ATTACHMENT(call_, kind_, index_, view_) \
    attachment_text((call_), (kind_), (index_), (view_), &(struct attachment_text){.text = ""})

/* Names an attachment of a subpass: `color attachment 1 of subpass 0 (attachment 3 of the render
 * pass)`, with the view and image after a comma. `attachment`: the index in the render pass. */
const char *subpass_attachment_text(const struct call *call, enum attachment_kind kind,
                                    uint32_t index, uint32_t subpass, uint32_t attachment,
                                    const struct image_view *view,
                                    struct attachment_text *text) COLD;
#define SUBPASS_ATTACHMENT(call_, kind_, index_, subpass_, attachment_, view_)              \
    subpass_attachment_text((call_), (kind_), (index_), (subpass_), (attachment_), (view_), \
                            &(struct attachment_text){.text = ""})

/* The objects of a finding about a view: it and its image, and `render_pass` where that is not
 * VK_NULL_HANDLE. The text of such a finding begins with "(%s) ", for VIEW(). */
const struct finding_objects *view_objects(const struct image_view *view, VkRenderPass render_pass,
                                           struct finding_objects *objects) COLD;
#define VIEW_OBJECTS(view_, render_pass_) \
    view_objects((view_), (render_pass_), &(struct finding_objects){.count = 0})

/* "Memory can be freed whilst still bound to resources, but those resources must not be used
 * afterwards" (11.2). `where`: the view, for which image_view_has_memory() is false. Whether to
 * skip the call. */
bool attachment_report_memory(const struct call *call, enum vuid vuid, const struct location *where,
                              const struct image_view *view) COLD;

#endif
