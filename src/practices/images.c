/* Notes how a command buffer last used an image, and advises if a load operation makes that
 * useless, or is expensive after it. Advice is only given if no command has acted in between, as
 * accesses by shaders are not tracked. */
#include "practices/advise.h"
#include "practices/hooks.h"
#include "practices/passes.h"

/* The use of layers of one level. Layers beyond the 65535th are not distinguished. */
struct image_place {
    enum image_use use;
    uint32_t level, first_layer, layer_count;
};

/* Packs a use into a word, so that readers see all of it. */
static uint64_t place_word(const struct image_place *place)
{
    return (uint64_t)place->use | (uint64_t)(place->level & 0xff) << 8 |
           (uint64_t)(place->layer_count & 0xffff) << 16 | (uint64_t)place->first_layer << 32;
}

/* Unpacks a use. */
static struct image_place place_of_word(uint64_t word)
{
    return (struct image_place){.use = (enum image_use)(word & 0xff),
                                .level = word >> 8 & 0xff,
                                .layer_count = word >> 16 & 0xffff,
                                .first_layer = (uint32_t)(word >> 32)};
}

/* The recording's number and the count of its actions, which are the same while no command acts. */
static uint64_t now_word(const struct practices_of_command_buffer *kept, uint32_t actions)
{
    return (uint64_t)kept->recording << 32 | actions;
}

/* Notes the last use of an image, in two words. Two threads may write them at once, for different
 * command buffers, and a third thread may read one word of each. That looks like a use by another
 * command buffer: the first word has the recording's number, and is written last and read first. */
static void note_use(const struct call *call, const struct image *image,
                     const struct image_place *place)
{
    struct practices_of_command_buffer *kept = practices_of_command_buffer(call);
    struct practices_in_image *last = practices_in_image(image);
    if (!kept)
        return;
    kept->noted = practices_actions(kept);
    atomic_store_explicit(&last->last, 0, memory_order_relaxed);
    atomic_store_explicit(&last->what, place_word(place), memory_order_release);
    atomic_store_explicit(&last->last, now_word(kept, kept->noted), memory_order_release);
}

/* The last use of the image by this command buffer; IMAGE_UNUSED: not known, or a command has acted
 * since. */
static struct image_place last_use(const struct call *call, const struct image *image)
{
    const struct practices_of_command_buffer *kept = practices_of_command_buffer(call);
    struct practices_in_image *last = practices_in_image(image);
    if (!kept || atomic_load_explicit(&last->last, memory_order_acquire) !=
                     now_word(kept, practices_actions(kept)))
        return (struct image_place){IMAGE_UNUSED, 0, 0, 0};
    return place_of_word(atomic_load_explicit(&last->what, memory_order_acquire));
}

/* A phrase for the use. */
static const char *image_use_words(enum image_use use)
{
    switch (use) {
    case IMAGE_CLEARED:
        return "was cleared";
    case IMAGE_BLITTED:
        return "was blitted to";
    case IMAGE_COPIED:
    case IMAGE_FILLED:
        return "was copied to";
    case IMAGE_RESOLVED:
        return "was resolved to";
    case IMAGE_DISCARDED:
        return "was discarded by a store operation";
    default:
        return "was stored";
    }
}

const char *images_written(const struct call *call, const struct image *image,
                           const VkImageSubresourceRange *range)
{
    const struct practices_of_command_buffer *kept = practices_of_command_buffer(call);
    struct practices_in_image *last = practices_in_image(image);
    /* the written aspects are not kept */
    if (!kept || range->aspectMask != image->aspects ||
        atomic_load_explicit(&last->last, memory_order_acquire) >> 32 != kept->recording)
        return NULL;
    const struct image_place place =
        place_of_word(atomic_load_explicit(&last->what, memory_order_acquire));
    const VkImageSubresourceRange all = image_resolve_range(image, range, false);
    const bool meets = place.level - all.baseMipLevel < all.levelCount &&
                       place.first_layer < all.baseArrayLayer + all.layerCount &&
                       all.baseArrayLayer < place.first_layer + place.layer_count;
    return meets && place.use != IMAGE_UNUSED && place.use != IMAGE_DISCARDED
               ? image_use_words(place.use)
               : NULL;
}

/* True if the place contains all of the view's subresources. */
static bool place_has(const struct image_place *place, const struct image_view *view)
{
    return view->range.levelCount == 1 && view->range.baseMipLevel == place->level &&
           view->range.baseArrayLayer >= place->first_layer &&
           view->range.baseArrayLayer + view->range.layerCount <=
               place->first_layer + place->layer_count;
}

/* True if the view contains all of the place. */
static bool view_has(const struct image_view *view, const struct image_place *place)
{
    return view->range.levelCount == 1 && view->range.baseMipLevel == place->level &&
           view->range.baseArrayLayer <= place->first_layer &&
           view->range.baseArrayLayer + view->range.layerCount >=
               place->first_layer + place->layer_count;
}

/* The id of the advice on a load after this use; VUID_COUNT: there is none. */
static enum vuid id_of_load(enum image_use use)
{
    switch (use) {
    case IMAGE_CLEARED:
        return BestPractices_RenderPass_inefficient_clear;
    case IMAGE_BLITTED:
        return BestPractices_RenderPass_blitimage_loadopload;
    case IMAGE_COPIED:
        return BestPractices_RenderPass_copyimage_loadopload;
    case IMAGE_DISCARDED:
        return BestPractices_StoreOpDontCareThenLoadOpLoad;
    default:
        return VUID_COUNT;
    }
}

void images_load(const struct call *call, const struct location *where,
                 const struct image_view *view, VkAttachmentLoadOp op, bool whole)
{
    const struct image *image = op <= VK_ATTACHMENT_LOAD_OP_CLEAR ? image_by_id(view->image) : NULL;
    /* Parts of a sparse image may have no memory. */
    if (!image || image_is_sparse(image))
        return;
    const struct image_place last = last_use(call, image);
    const bool has_all = whole && view_has(view, &last);
    enum vuid id = VUID_COUNT;
    /* A load operation can replace a command that has the same effect. */
    if (op == VK_ATTACHMENT_LOAD_OP_LOAD && place_has(&last, view) &&
        (has_all || last.use == IMAGE_DISCARDED))
        id = id_of_load(last.use);
    else if (op == VK_ATTACHMENT_LOAD_OP_CLEAR && has_all)
        id = last.use == IMAGE_CLEARED  ? BestPractices_RenderPass_redundant_clear
             : last.use == IMAGE_STORED ? BestPractices_RenderPass_redundant_store
                                        : VUID_COUNT;
    /* validate_sync reports this as well, with more information */
    if (id == VUID_COUNT || (id == BestPractices_StoreOpDontCareThenLoadOpLoad &&
                             call->instance->settings.validate_sync))
        return;
    advise(call, id, where, OBJECT(HANDLE_IMAGE, object_state_handle(&image->base)),
           "%s %s, which %s just before", op == VK_ATTACHMENT_LOAD_OP_LOAD ? "loads" : "clears",
           NAMED_STATE(call, &image->base), image_use_words(last.use));
}

void images_store(const struct call *call, const struct image_view *view, VkAttachmentStoreOp op,
                  bool whole)
{
    const struct image *image = image_by_id(view->image);
    const struct image_place place = {
        .use = op == VK_ATTACHMENT_STORE_OP_STORE && whole       ? IMAGE_STORED
               : op == VK_ATTACHMENT_STORE_OP_DONT_CARE && whole ? IMAGE_DISCARDED
                                                                 : IMAGE_UNUSED,
        .level = view->range.baseMipLevel,
        .first_layer = view->range.baseArrayLayer,
        .layer_count = view->range.layerCount};
    if (image && view->range.levelCount == 1)
        note_use(call, image, &place);
}

/* --- commands that write images --- */

/* True if a command writes all texels and aspects of a level. 3D images are left out, as views may
 * have slices as layers. */
static bool is_all(const struct image *image, const VkImageSubresourceLayers *layers,
                   const VkOffset3D *from, const VkOffset3D *to)
{
    return image->type != VK_IMAGE_TYPE_3D && layers->aspectMask == image->aspects && !from->x &&
           !from->y && to->x > 0 && to->y > 0 &&
           (uint32_t)to->x >= image_level_extent(image, layers, 0) &&
           (uint32_t)to->y >= image_level_extent(image, layers, 1);
}

/* The end of a region, without depth. */
static VkOffset3D end_of(const VkOffset3D *from, const VkExtent3D *extent)
{
    return (VkOffset3D){from->x + (int32_t)extent->width, from->y + (int32_t)extent->height, 0};
}

/* Notes the use of layers of one level. */
static void note_layers(const struct call *call, const struct image *image, enum image_use use,
                        const VkImageSubresourceLayers *layers)
{
    note_use(call, image,
             &(struct image_place){.use = use,
                                   .level = layers->mipLevel,
                                   .first_layer = layers->baseArrayLayer,
                                   .layer_count = layers->layerCount == VK_REMAINING_ARRAY_LAYERS
                                                      ? image->array_layers - layers->baseArrayLayer
                                                      : layers->layerCount});
}

/* Notes that the image is written from `from` to `to`. */
static void image_written(const struct call *call, VkImage handle, enum image_use use,
                          const VkImageSubresourceLayers *layers, const VkOffset3D *from,
                          const VkOffset3D *to)
{
    const struct image *image = find_image(call, handle);
    if (image && is_all(image, layers, from, to))
        note_layers(call, image, use, layers);
}

/* AMD: advises if an attachment is cleared by a command of its own. Also notes the clear for the
 * next load operation. */
static void image_cleared(const struct call *call, VkImage handle, uint32_t count,
                          const VkImageSubresourceRange *ranges, enum vuid id,
                          VkImageUsageFlags usage)
{
    struct practices_of_command_buffer *kept = practices_of_command_buffer(call);
    const struct image *image = find_image(call, handle);
    if (!kept || !image)
        return;
    kept->actions++;
    if (image->any_usage & usage)
        advise(call, id, &LOCATION(NULL, "image"), OBJECT(HANDLE_IMAGE, handle),
               "is %s, which can be an attachment: its usage is %s",
               NAMED(call, HANDLE_IMAGE, handle), TEXT_OF(VkImageUsageFlags, image->any_usage));
    const bool all_aspects =
        count == 1 && ranges->aspectMask == image->aspects && image->type != VK_IMAGE_TYPE_3D;
    const VkImageSubresourceRange range =
        all_aspects ? image_resolve_range(image, ranges, false) : (VkImageSubresourceRange){0};
    /* If a clear is not fully known, the use becomes unknown. */
    note_use(call, image,
             &(struct image_place){.use = range.levelCount == 1 ? IMAGE_CLEARED : IMAGE_UNUSED,
                                   .level = range.baseMipLevel,
                                   .first_layer = range.baseArrayLayer,
                                   .layer_count = range.layerCount});
}

void practices_after_CmdClearColorImage(struct call *call, VkCommandBuffer commandBuffer,
                                        VkImage image, VkImageLayout imageLayout,
                                        const VkClearColorValue *pColor, uint32_t rangeCount,
                                        const VkImageSubresourceRange *pRanges)
{
    image_cleared(call, image, rangeCount, pRanges,
                  BestPractices_AMD_ClearAttachment_ClearImage_color,
                  VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
}

void practices_after_CmdClearDepthStencilImage(struct call *call, VkCommandBuffer commandBuffer,
                                               VkImage image, VkImageLayout imageLayout,
                                               const VkClearDepthStencilValue *pDepthStencil,
                                               uint32_t rangeCount,
                                               const VkImageSubresourceRange *pRanges)
{
    image_cleared(call, image, rangeCount, pRanges,
                  BestPractices_AMD_ClearAttachment_ClearImage_depth_stencil,
                  VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
}

/* Counts an action command, after which earlier uses give no advice. */
static void images_act(const struct call *call)
{
    struct practices_of_command_buffer *kept = practices_of_command_buffer(call);
    if (kept)
        kept->actions++;
}

void practices_after_CmdBlitImage(struct call *call, VkCommandBuffer commandBuffer,
                                  VkImage srcImage, VkImageLayout srcImageLayout, VkImage dstImage,
                                  VkImageLayout dstImageLayout, uint32_t regionCount,
                                  const VkImageBlit *pRegions, VkFilter filter)
{
    images_act(call);
    if (regionCount == 1)
        image_written(call, dstImage, IMAGE_BLITTED, &pRegions->dstSubresource,
                      &pRegions->dstOffsets[0], &pRegions->dstOffsets[1]);
}

void practices_after_CmdBlitImage2(struct call *call, VkCommandBuffer commandBuffer,
                                   const VkBlitImageInfo2 *pBlitImageInfo)
{
    const VkImageBlit2 *region = pBlitImageInfo->pRegions;
    images_act(call);
    if (pBlitImageInfo->regionCount == 1)
        image_written(call, pBlitImageInfo->dstImage, IMAGE_BLITTED, &region->dstSubresource,
                      &region->dstOffsets[0], &region->dstOffsets[1]);
}

/* Arm: advises that a render pass could do the resolve. */
static void images_resolved(const struct call *call, VkImage source, VkImage target)
{
    images_act(call);
    advise(call, BestPractices_Arm_vkCmdResolveImage_resolving_image, NULL,
           OBJECT2(HANDLE_IMAGE, source, HANDLE_IMAGE, target), "resolves %s to %s",
           NAMED(call, HANDLE_IMAGE, source), NAMED(call, HANDLE_IMAGE, target));
}

void practices_after_CmdResolveImage(struct call *call, VkCommandBuffer commandBuffer,
                                     VkImage srcImage, VkImageLayout srcImageLayout,
                                     VkImage dstImage, VkImageLayout dstImageLayout,
                                     uint32_t regionCount, const VkImageResolve *pRegions)
{
    images_resolved(call, srcImage, dstImage);
    if (regionCount == 1) {
        const VkOffset3D end = end_of(&pRegions->dstOffset, &pRegions->extent);
        image_written(call, dstImage, IMAGE_RESOLVED, &pRegions->dstSubresource,
                      &pRegions->dstOffset, &end);
    }
}

void practices_after_CmdResolveImage2(struct call *call, VkCommandBuffer commandBuffer,
                                      const VkResolveImageInfo2 *pResolveImageInfo)
{
    const VkResolveImageInfo2 *info = pResolveImageInfo;
    const VkImageResolve2 *region = info->pRegions;
    images_resolved(call, info->srcImage, info->dstImage);
    if (info->regionCount == 1) {
        const VkOffset3D end = end_of(&region->dstOffset, &region->extent);
        image_written(call, info->dstImage, IMAGE_RESOLVED, &region->dstSubresource,
                      &region->dstOffset, &end);
    }
}

/* AMD: advises if a copy is between linear and optimal tiling. */
static void images_copied(const struct call *call, VkImage source, VkImage target)
{
    images_act(call);
    if (!practices_want(call, PRACTICE_AMD))
        return;
    const struct image *from = find_image(call, source), *to = find_image(call, target);
    if (from && to && from->tiling != to->tiling &&
        (from->tiling == VK_IMAGE_TILING_LINEAR || to->tiling == VK_IMAGE_TILING_LINEAR))
        advise(call, BestPractices_AMD_vkImage_AvoidImageToImageCopy, NULL,
               OBJECT2(HANDLE_IMAGE, source, HANDLE_IMAGE, target), "copies %s, which is %s, to %s",
               NAMED(call, HANDLE_IMAGE, source),
               from->tiling == VK_IMAGE_TILING_LINEAR ? "linear" : "not linear",
               NAMED(call, HANDLE_IMAGE, target));
}

void practices_after_CmdCopyImage(struct call *call, VkCommandBuffer commandBuffer,
                                  VkImage srcImage, VkImageLayout srcImageLayout, VkImage dstImage,
                                  VkImageLayout dstImageLayout, uint32_t regionCount,
                                  const VkImageCopy *pRegions)
{
    images_copied(call, srcImage, dstImage);
    if (regionCount == 1) {
        const VkOffset3D end = end_of(&pRegions->dstOffset, &pRegions->extent);
        image_written(call, dstImage, IMAGE_COPIED, &pRegions->dstSubresource, &pRegions->dstOffset,
                      &end);
    }
}

void practices_after_CmdCopyImage2(struct call *call, VkCommandBuffer commandBuffer,
                                   const VkCopyImageInfo2 *pCopyImageInfo)
{
    const VkCopyImageInfo2 *info = pCopyImageInfo;
    const VkImageCopy2 *region = info->pRegions;
    images_copied(call, info->srcImage, info->dstImage);
    if (info->regionCount == 1) {
        const VkOffset3D end = end_of(&region->dstOffset, &region->extent);
        image_written(call, info->dstImage, IMAGE_COPIED, &region->dstSubresource,
                      &region->dstOffset, &end);
    }
}

/* Notes that an image was filled from a buffer. No advice on load operations uses this, so the
 * first region is enough. */
static void image_filled(const struct call *call, VkImage target,
                         const VkImageSubresourceLayers *layers)
{
    const struct image *image = find_image(call, target);
    images_act(call);
    if (image)
        note_layers(call, image, IMAGE_FILLED, layers);
}

void practices_after_CmdCopyBufferToImage(struct call *call, VkCommandBuffer commandBuffer,
                                          VkBuffer srcBuffer, VkImage dstImage,
                                          VkImageLayout dstImageLayout, uint32_t regionCount,
                                          const VkBufferImageCopy *pRegions)
{
    if (regionCount)
        image_filled(call, dstImage, &pRegions->imageSubresource);
}

void practices_after_CmdCopyBufferToImage2(struct call *call, VkCommandBuffer commandBuffer,
                                           const VkCopyBufferToImageInfo2 *pCopyBufferToImageInfo)
{
    const VkCopyBufferToImageInfo2 *info = pCopyBufferToImageInfo;
    if (info->regionCount)
        image_filled(call, info->dstImage, &info->pRegions->imageSubresource);
}
