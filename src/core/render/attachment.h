/* Names an attachment in findings: its kind, its index, its view and its image. All functions are
 * only for findings that are being reported. Threads: the calling thread. Fields of other objects
 * are read as their own comments allow. */
#ifndef ASSAY_CORE_RENDER_ATTACHMENT_H
#define ASSAY_CORE_RENDER_ATTACHMENT_H

#include "report/finding/finding.h"
#include "state/memory/image.h"
#include "state/command/render_pass.h"

enum attachment_kind {
    ATTACHMENT_COLOR, /* has an index, as have the kinds on the next line */
    ATTACHMENT_RESOLVE,
    ATTACHMENT_INPUT,
    ATTACHMENT_DEPTH, /* from here on, there is only one attachment of the kind */
    ATTACHMENT_STENCIL,
    ATTACHMENT_DEPTH_STENCIL,
    ATTACHMENT_DEPTH_STENCIL_RESOLVE,
    ATTACHMENT_SHADING_RATE,
};

struct attachment_text {
    char text[512];
};

/* Writes, for example, `VkImageView 0x105 "hdr view" of VkImage 0x104 "hdr"`. */
const char *view_text(const struct call *call, const struct image_view *view,
                      struct attachment_text *text) COLD;
#define VIEW(call_, view_) view_text((call_), (view_), &(struct attachment_text){.text = ""})

/* Writes `color attachment 1`, and ` (VkImageView 0x105 "hdr view" of VkImage 0x104 "hdr")` if
 * `view` is not NULL. There is no article before it. `index`: ignored for kinds with a single
 * attachment. */
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

/* The objects of a finding about a view: the view, its image, and `render_pass` unless that is
 * VK_NULL_HANDLE. The text of such a finding begins with "(%s) ", for VIEW(). */
const struct finding_objects *view_objects(const struct image_view *view, VkRenderPass render_pass,
                                           struct finding_objects *objects) COLD;
#define VIEW_OBJECTS(view_, render_pass_) \
    view_objects((view_), (render_pass_), &(struct finding_objects){.count = 0})

/* Reports a view whose memory was freed: "Memory can be freed whilst still bound to resources, but
 * those resources must not be used afterwards" (11.2). `where`: the location of the view, for which
 * image_view_has_memory() is false. Returns whether to skip the call. */
bool attachment_report_memory(const struct call *call, enum vuid vuid, const struct location *where,
                              const struct image_view *view) COLD;

/* True if the view's image lies in tile memory (VK_QCOM_tile_memory_heap). False if its memory is
 * not known, and for sparse and disjoint images. */
bool attachment_is_in_tiles(const struct call *call, const struct image_view *view);

#endif
