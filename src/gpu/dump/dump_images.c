/* Dumps image views and samplers by id, for descriptors of all kinds. */
#include "gpu/dump/dump_text.h"

#include "report/names/names_of_values.h"
#include "state/memory/image.h"

VkImageUsageFlags dump_image_usage(VkDescriptorType type)
{
    switch ((int64_t)type) {
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
        return VK_IMAGE_USAGE_STORAGE_BIT;
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        return VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
        return VK_IMAGE_USAGE_SAMPLED_BIT;
    default:
        return 0;
    }
}

void dump_view(struct dump *dump, uint64_t id, VkImageLayout layout, VkImageUsageFlags usage)
{
    struct object *object = object_find_id(id, HANDLE_IMAGE_VIEW);
    const struct image_view *view = object ? object_load_state(object) : NULL;
    dump_object(dump, "object", HANDLE_IMAGE_VIEW, object);
    /* VK_IMAGE_LAYOUT_MAX_ENUM stands for a layout that is not known. */
    if (layout != VK_IMAGE_LAYOUT_MAX_ENUM) {
        string_builder_format(&dump->text, " in %s", value_text(VALUES_VkImageLayout, layout).text);
        string_builder_format(&dump->json, ",\"layout\":\"%s\"",
                              value_text(VALUES_VkImageLayout, layout).text);
    }
    if (!object) {
        dump_mark(dump, "no such object: the view was destroyed");
        return;
    }
    struct object *image = view ? object_find_id(view->image, HANDLE_IMAGE) : NULL;
    const struct image *state = image ? object_load_state(image) : NULL;
    /* The view exists, but memory was out for its state: no more is known of it. */
    if (!view)
        return;
    const struct value_text type = value_text(VALUES_VkImageViewType, view->type),
                            format = value_text(VALUES_VkFormat, view->format);
    const VkImageSubresourceRange *range = &view->range;
    string_builder_format(&dump->text, ", %s, %s, mip levels %u to %u, layers %u to %u of",
                          type.text, format.text, range->baseMipLevel,
                          range->baseMipLevel + range->levelCount - 1, range->baseArrayLayer,
                          range->baseArrayLayer + range->layerCount - 1);
    string_builder_format(&dump->json,
                          ",\"viewType\":\"%s\",\"format\":\"%s\",\"baseMipLevel\":%u,"
                          "\"levelCount\":%u,\"baseArrayLayer\":%u,\"layerCount\":%u",
                          type.text, format.text, range->baseMipLevel, range->levelCount,
                          range->baseArrayLayer, range->layerCount);
    dump_object(dump, "of", HANDLE_IMAGE, image);
    if (!image)
        dump_mark(dump, "no such object: the view's image was destroyed");
    if (usage && view->usage && !(view->usage & usage))
        dump_mark(dump, "wrong usage: the view lacks %s",
                  value_text(VALUES_VkImageUsageFlags, usage).text);
    if (state && !image_is_bound(state))
        dump_mark(dump, "no memory: the image is bound to none that lives");
}

void dump_sampler(struct dump *dump, uint64_t id, bool immutable)
{
    struct object *object = id ? object_find_id(id, HANDLE_SAMPLER) : NULL;
    /* The descriptor has no sampler. */
    if (!id)
        return;
    dump_object(dump, "sampler", HANDLE_SAMPLER, object);
    if (!object && !immutable) /* immutable samplers may be destroyed */
        dump_mark(dump, "no such object: the sampler was destroyed");
}
