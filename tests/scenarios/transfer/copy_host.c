/* Copies that the host does (VK_EXT_host_image_copy). */
#include "scenario.h"

#define HOST    VK_IMAGE_USAGE_HOST_TRANSFER_BIT
#define COLOR   VK_IMAGE_ASPECT_COLOR_BIT
#define DEPTH   VK_IMAGE_ASPECT_DEPTH_BIT
#define STENCIL VK_IMAGE_ASPECT_STENCIL_BIT
#define GENERAL VK_IMAGE_LAYOUT_GENERAL
#define D32S8   VK_FORMAT_D32_SFLOAT_S8_UINT
#define PLANES  VK_FORMAT_G8_B8R8_2PLANE_420_UNORM
#define BC1     VK_FORMAT_BC1_RGBA_UNORM_BLOCK

static const VkPhysicalDeviceHostImageCopyFeatures host_image_copy = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_IMAGE_COPY_FEATURES, .hostImageCopy = VK_TRUE};
#define WITH_HOST \
    .features = &host_image_copy, .extensions = {VK_EXT_HOST_IMAGE_COPY_EXTENSION_NAME}

static char bytes[2][IMAGE_EXTENT * IMAGE_EXTENT * 16];

/* A valid copy of a whole image from memory, to memory, or to another image; a scenario breaks one
 * thing. */
enum direction { TO_IMAGE, TO_MEMORY, IMAGE_TO_IMAGE };
struct copy {
    enum direction direction;
    VkImageCreateInfo image, target;
    /* `before`: what both are in; UNDEFINED: never touched */
    VkImageLayout layout, target_layout, before;
    VkHostImageCopyFlags flags;
    VkMemoryToImageCopy regions[2]; /* VkImageToMemoryCopy is the same */
    VkImageCopy2 pair[2];
    uint32_t count;
    bool unbound, same_image;
};

static struct copy plain_host_copy(struct baseline *b)
{
    const VkImageSubresourceLayers layers = {COLOR, 0, 0, 1};
    const VkExtent3D whole = {IMAGE_EXTENT, IMAGE_EXTENT, 1};
    struct copy c = {.image = image_info(HOST),
                     .target = image_info(HOST),
                     .layout = GENERAL,
                     .target_layout = GENERAL,
                     .before = GENERAL,
                     .count = 1};
    for (int i = 0; i < 2; i++) {
        c.regions[i] = (VkMemoryToImageCopy){
            .pHostPointer = bytes[i], .imageSubresource = layers, .imageExtent = whole};
        c.pair[i] = (VkImageCopy2){.sType = VK_STRUCTURE_TYPE_IMAGE_COPY_2,
                                   .srcSubresource = layers,
                                   .dstSubresource = layers,
                                   .extent = whole};
    }
    return c;
}

static void host_transition(struct baseline *b, VkImage image, VkImageAspectFlags aspects,
                            VkImageLayout from, VkImageLayout to)
{
    VkHostImageLayoutTransitionInfo info = {
        .sType = VK_STRUCTURE_TYPE_HOST_IMAGE_LAYOUT_TRANSITION_INFO,
        .image = image,
        .oldLayout = from,
        .newLayout = to,
        .subresourceRange = {aspects, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS}};
    VkResult result = DEVICE_PROC(b, vkTransitionImageLayoutEXT)(b->device, 1, &info);
    EXPECT(result == VK_SUCCESS || result == VK_ERROR_VALIDATION_FAILED_EXT);
}

static VkImage make_copied_image(struct baseline *b, const struct copy *c,
                                 const VkImageCreateInfo *info)
{
    if (c->unbound)
        return create_image(b, info);
    VkImage image = make_image_of(b, info);
    VkImageAspectFlags aspects = info->format == D32S8 ? DEPTH | STENCIL : COLOR;
    if (c->before != VK_IMAGE_LAYOUT_UNDEFINED && info->usage & HOST)
        host_transition(b, image, aspects, VK_IMAGE_LAYOUT_UNDEFINED, c->before);
    return image;
}

static void copy_on_host(struct baseline *b, struct copy *c)
{
    VkImage image = make_copied_image(b, c, &c->image);
    for (int i = 0; i < 2; i++)
        c->regions[i].sType = c->direction == TO_IMAGE ? VK_STRUCTURE_TYPE_MEMORY_TO_IMAGE_COPY
                                                       : VK_STRUCTURE_TYPE_IMAGE_TO_MEMORY_COPY;
    if (c->direction == TO_IMAGE) {
        VkCopyMemoryToImageInfo info = {.sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INFO,
                                        .flags = c->flags,
                                        .dstImage = image,
                                        .dstImageLayout = c->layout,
                                        .regionCount = c->count,
                                        .pRegions = c->regions};
        DEVICE_PROC(b, vkCopyMemoryToImageEXT)(b->device, &info);
    } else if (c->direction == TO_MEMORY) {
        VkCopyImageToMemoryInfo info = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_TO_MEMORY_INFO,
                                        .flags = c->flags,
                                        .srcImage = image,
                                        .srcImageLayout = c->layout,
                                        .regionCount = c->count,
                                        .pRegions =
                                            (const VkImageToMemoryCopy *)(const void *)c->regions};
        DEVICE_PROC(b, vkCopyImageToMemoryEXT)(b->device, &info);
    } else {
        VkCopyImageToImageInfo info = {
            .sType = VK_STRUCTURE_TYPE_COPY_IMAGE_TO_IMAGE_INFO,
            .flags = c->flags,
            .srcImage = image,
            .srcImageLayout = c->layout,
            .dstImage = c->same_image ? image : make_copied_image(b, c, &c->target),
            .dstImageLayout = c->target_layout,
            .regionCount = c->count,
            .pRegions = c->pair};
        DEVICE_PROC(b, vkCopyImageToImageEXT)(b->device, &info);
    }
}

#define COPY_WITH(name_, change_, ...)      \
    SCENARIO(name_, WITH_HOST, __VA_ARGS__) \
    {                                       \
        struct copy c = plain_host_copy(b); \
        change_;                            \
        copy_on_host(b, &c);                \
    }
#define IN(name_, vuid_, change_) COPY_WITH(name_, change_, .expect = {"VUID-" vuid_})
#define OUT(name_, vuid_, change_) \
    COPY_WITH(name_, c.direction = TO_MEMORY; change_, .expect = {"VUID-" vuid_})
#define ACROSS(name_, vuid_, change_) \
    COPY_WITH(name_, c.direction = IMAGE_TO_IMAGE; change_, .expect = {"VUID-" vuid_})
#define VALID(name_, change_) COPY_WITH(name_, change_, .seconds = 0)
#define REGION                c.regions[0]
#define PAIR                  c.pair[0]
#define LAYERS                c.regions[0].imageSubresource
#define EXTENT(w_, h_, d_)    c.regions[0].imageExtent = ((VkExtent3D){(w_), (h_), (d_)})
#define NOTHING               (void)0

VALID(host_to_image, NOTHING)
VALID(host_to_memory, c.direction = TO_MEMORY)
VALID(host_across, c.direction = IMAGE_TO_IMAGE)
VALID(host_memcpy, c.flags = VK_HOST_IMAGE_COPY_MEMCPY_BIT)

/* --- layouts ---------------------------------------------------------------------------------- */

IN(host_to_another_layout, "VkCopyMemoryToImageInfo-dstImageLayout-09059",
   c.before = VK_IMAGE_LAYOUT_UNDEFINED)
OUT(host_from_another_layout, "VkCopyImageToMemoryInfo-srcImageLayout-09064",
    c.before = VK_IMAGE_LAYOUT_UNDEFINED)
COPY_WITH(host_across_other_layouts, c.direction = IMAGE_TO_IMAGE;
          c.before = VK_IMAGE_LAYOUT_UNDEFINED,
          .expect = {"VUID-VkCopyImageToImageInfo-srcImageLayout-09070",
                     "VUID-VkCopyImageToImageInfo-dstImageLayout-09071"})
COPY_WITH(host_to_undefined, c.layout = VK_IMAGE_LAYOUT_UNDEFINED;
          c.before = VK_IMAGE_LAYOUT_UNDEFINED,
          .expect = {"VUID-VkCopyMemoryToImageInfo-dstImageLayout-09060"})
COPY_WITH(host_from_undefined, c.direction = TO_MEMORY; c.layout = VK_IMAGE_LAYOUT_UNDEFINED;
          c.before = VK_IMAGE_LAYOUT_UNDEFINED,
          .expect = {"VUID-VkCopyImageToMemoryInfo-srcImageLayout-09065"})
COPY_WITH(host_across_undefined, c.direction = IMAGE_TO_IMAGE;
          c.layout = c.target_layout = VK_IMAGE_LAYOUT_UNDEFINED;
          c.before = VK_IMAGE_LAYOUT_UNDEFINED,
          .expect = {"VUID-VkCopyImageToImageInfo-srcImageLayout-09072",
                     "VUID-VkCopyImageToImageInfo-dstImageLayout-09073"})

SCENARIO(host_transition_from_another_layout, WITH_HOST,
         .expect = {"VUID-VkHostImageLayoutTransitionInfo-oldLayout-09229"})
{
    VkImage image = make_image(b, HOST | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    host_transition(b, image, COLOR, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
    host_transition(b, image, COLOR, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, GENERAL);
}

SCENARIO(host_transition_to_present, WITH_HOST,
         .expect = {"VUID-VkHostImageLayoutTransitionInfo-newLayout-09057"}, .drivers = NULL_DRIVER)
{
    host_transition(b, make_image(b, HOST), COLOR, VK_IMAGE_LAYOUT_UNDEFINED,
                    VK_IMAGE_LAYOUT_UNDEFINED);
}

SCENARIO(host_transition_usage, WITH_HOST,
         .expect = {"VUID-VkHostImageLayoutTransitionInfo-image-09055"})
{
    host_transition(b, make_image(b, VK_IMAGE_USAGE_TRANSFER_DST_BIT), COLOR,
                    VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
}

SCENARIO(host_transitions, WITH_HOST)
{
    VkImage image = make_image(b, HOST);
    host_transition(b, image, COLOR, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
    host_transition(b, image, COLOR, GENERAL, GENERAL);
}

/* --- images ----------------------------------------------------------------------------------- */

COPY_WITH(host_usage, c.image.usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
          c.before = VK_IMAGE_LAYOUT_UNDEFINED,
          .expect = {"VUID-VkCopyMemoryToImageInfo-dstImage-09113",
                     "VUID-VkCopyMemoryToImageInfo-dstImageLayout-09059"})
COPY_WITH(host_stencil_usage, c.image.usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
          c.before = VK_IMAGE_LAYOUT_UNDEFINED; c.image.format = D32S8;
          LAYERS.aspectMask = STENCIL,
          .expect = {"VUID-VkCopyMemoryToImageInfo-dstImage-09111",
                     "VUID-VkCopyMemoryToImageInfo-dstImageLayout-09059"},
          .drivers = NULL_DRIVER)
static const VkImageStencilUsageCreateInfo stencil_usage = {
    .sType = VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO,
    .stencilUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT};
COPY_WITH(host_separate_stencil_usage, c.image.usage |= VK_IMAGE_USAGE_TRANSFER_DST_BIT;
          c.image.pNext = &stencil_usage; c.image.format = D32S8;
          LAYERS.aspectMask = STENCIL, .expect = {"VUID-VkCopyMemoryToImageInfo-dstImage-09112"},
          .drivers = NULL_DRIVER)
COPY_WITH(host_unbound, c.unbound = true, .expect = {"VUID-VkCopyMemoryToImageInfo-dstImage-07966"})
IN(host_samples, "VkCopyMemoryToImageInfo-dstImage-07973", c.image.samples = VK_SAMPLE_COUNT_4_BIT;
   c.image.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)
ACROSS(host_other_parameters, "VkCopyImageToImageInfo-srcImage-09069", c.target.mipLevels = 2)

/* --- regions ---------------------------------------------------------------------------------- */

IN(host_x, "VkCopyMemoryToImageInfo-imageSubresource-07971", REGION.imageOffset.x = 1)
OUT(host_y, "VkCopyImageToMemoryInfo-imageSubresource-07972", REGION.imageOffset.y = 1)
ACROSS(host_target_x, "VkCopyImageToImageInfo-dstSubresource-07971", PAIR.dstOffset.x = 1)
ACROSS(host_source_y, "VkCopyImageToImageInfo-srcSubresource-07972", PAIR.srcOffset.y = -1)
IN(host_mip_level, "VkCopyMemoryToImageInfo-imageSubresource-07967", LAYERS.mipLevel = 1)
OUT(host_layer, "VkCopyImageToMemoryInfo-imageSubresource-07968", LAYERS.baseArrayLayer = 1)
IN(host_row_length, "VkMemoryToImageCopy-memoryRowLength-09101", REGION.memoryRowLength = 7;
   EXTENT(8, 8, 1))
OUT(host_image_height, "VkImageToMemoryCopy-memoryImageHeight-09102", REGION.memoryImageHeight = 7;
    EXTENT(8, 8, 1))
IN(host_aspect, "VkCopyMemoryToImageInfo-imageSubresource-09105", LAYERS.aspectMask = DEPTH)
ACROSS(host_target_aspect, "VkCopyImageToImageInfo-dstSubresource-09105",
       PAIR.dstSubresource.aspectMask = DEPTH)
IN(host_texels_twice, "VkCopyMemoryToImageInfo-pRegions-12474", c.count = 2)
OUT(host_bytes_twice, "VkCopyImageToMemoryInfo-pRegions-12475", c.count = 2;
    c.regions[1].pHostPointer = bytes[0] + 4)
VALID(host_bytes_to_two_places, c.direction = TO_MEMORY; c.count = 2)
ACROSS(host_onto_itself, "VkCopyImageToImageInfo-pRegions-12476", c.same_image = true)
ACROSS(host_across_twice, "VkCopyImageToImageInfo-pRegions-12477", c.count = 2)

#define MEMCPY c.flags = VK_HOST_IMAGE_COPY_MEMCPY_BIT
COPY_WITH(host_memcpy_offset, MEMCPY; REGION.imageOffset.x = 8;
          EXTENT(8, 8, 1), .expect = {"VUID-VkCopyMemoryToImageInfo-imageOffset-09114",
                                      "VUID-VkCopyMemoryToImageInfo-dstImage-09115"})
IN(host_memcpy_extent, "VkCopyMemoryToImageInfo-dstImage-09115", MEMCPY; EXTENT(8, 8, 1))
IN(host_memcpy_row_length, "VkCopyMemoryToImageInfo-flags-09393", MEMCPY;
   REGION.memoryRowLength = IMAGE_EXTENT)
OUT(host_memcpy_row_length_back, "VkCopyImageToMemoryInfo-flags-09394", MEMCPY;
    REGION.memoryRowLength = IMAGE_EXTENT)

SCENARIO(host_transition_from_attachment, WITH_HOST, .drivers = NULL_DRIVER,
         .expect = {"VUID-VkHostImageLayoutTransitionInfo-oldLayout-09230"},
         .text = {"oldLayout is VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL"})
{
    VkImage image = make_image(b, HOST | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    VkCommandBuffer command_buffer = make_recording(b);
    VkImageMemoryBarrier barrier =
        image_barrier(image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    run_commands(b, command_buffer);
    host_transition(b, image, COLOR, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, GENERAL);
}

/* --- zero-initialized memory --- */

static const VkPhysicalDeviceZeroInitializeDeviceMemoryFeaturesEXT zero_initialize = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ZERO_INITIALIZE_DEVICE_MEMORY_FEATURES_EXT,
    .pNext = (void *)(uintptr_t)&host_image_copy,
    .zeroInitializeDeviceMemory = VK_TRUE};

/* Moves the first `levels` of two mip levels out of the layout of zeros. */
static void move_zeros(struct baseline *b, uint32_t levels)
{
    VkImageCreateInfo info = image_info(HOST);
    info.mipLevels = 2;
    info.initialLayout = VK_IMAGE_LAYOUT_ZERO_INITIALIZED_EXT;
    const VkImage image = create_image(b, &info);
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(b->device, image, &needs);
    const VkMemoryAllocateFlagsInfo zeros = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_ZERO_INITIALIZE_BIT_EXT};
    VkMemoryAllocateInfo memory =
        memory_info(needs.size, (uint32_t)__builtin_ctz(needs.memoryTypeBits));
    memory.pNext = &zeros;
    VK(vkBindImageMemory(b->device, image, create_memory(b, &memory), 0));
    const VkHostImageLayoutTransitionInfo transition = {
        .sType = VK_STRUCTURE_TYPE_HOST_IMAGE_LAYOUT_TRANSITION_INFO,
        .image = image,
        .oldLayout = VK_IMAGE_LAYOUT_ZERO_INITIALIZED_EXT,
        .newLayout = GENERAL,
        .subresourceRange = {COLOR, 0, levels, 0, 1}};
    (void)DEVICE_PROC(b, vkTransitionImageLayoutEXT)(b->device, 1, &transition);
}
#define ZEROS(name_, levels_, ...)                                        \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &zero_initialize, \
             .extensions = {VK_EXT_HOST_IMAGE_COPY_EXTENSION_NAME,        \
                            "VK_EXT_zero_initialize_device_memory"},      \
             ##__VA_ARGS__)                                               \
    {                                                                     \
        move_zeros(b, levels_);                                           \
    }
ZEROS(zeros_whole, 2)
ZEROS(zeros_of_all_that_remains, VK_REMAINING_MIP_LEVELS)
ZEROS(zeros_in_part, 1, .expect = {"VUID-VkHostImageLayoutTransitionInfo-oldLayout-10768"},
      .text = {"oldLayout is VK_IMAGE_LAYOUT_ZERO_INITIALIZED_EXT, but subresourceRange is not the "
               "whole image"})
