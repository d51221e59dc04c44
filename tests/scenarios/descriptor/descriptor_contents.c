/* Checks that what a descriptor refers to is fit for the shader that a dispatch runs: filters,
 * formats, dimensions, layouts. (20 "Drawing Commands", 28 "Dispatching Commands": rules that both
 * share.) */
#include "scenario.h"

#include "shader_descriptor_contents.h"

/* The contents of binding 0, and the shader that reads it. 0 is the usual: a 2D image of
 * COLOR_FORMAT with one level, sampled to nearest. */
struct reading {
    VkDescriptorType type;
    const uint32_t *code;
    size_t code_size;
    VkFormat format;
    VkImageViewType view_type;
    uint32_t levels, layers;
    VkSampleCountFlagBits samples;
    VkFilter filter;
    VkSamplerMipmapMode mipmaps;
    VkBool32 unnormalized, compares;
    VkSamplerReductionMode reduction;
    /* the image is brought into its layout by a command buffer of its own, which has been executed
     */
    bool apart;
    bool unwritten; /* nothing is written to the binding that is read */
    VkSamplerCreateFlags sampler_flags;
    const void *sampler_next;
    VkSamplerAddressMode u, v; /* 0: VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE */
    VkImageCreateFlags image_flags;
    VkBufferCreateFlags buffer_flags; /* of texels */
    VkImageUsageFlags usage;          /* of the image, with what it needs */
    VkImageLayout layout;             /* 0: VK_IMAGE_LAYOUT_GENERAL */
    VkBorderColor border;
    bool in_tiles; /* the image lies in tile memory */
    bool object;   /* the shader is a shader object: no pipeline is bound */
    /* there is a binding 2: a sampler, or a sampled image of a view with layers */
    bool two;
    VkDescriptorType second;
    /* binding 2 is written with UPDATE_AFTER_BIND: once before it is bound, and again, with a
     * sampler of normalized coordinates, after the dispatch was recorded */
    bool later;
    /* just before and after the dispatch */
    void (*begin)(struct baseline *b, VkCommandBuffer c);
    void (*end)(struct baseline *b, VkCommandBuffer c);
};

/* The recording of a dispatch. */
struct dispatched {
    VkCommandBuffer commands;
    VkBuffer buffer, texel_buffer;
    VkBufferView texels;
    VkImage image;
    VkDescriptorImageInfo read;
};
#define SHADER(name_) .code = spirv_##name_, .code_size = sizeof(spirv_##name_)

static VkSampler make_reading_sampler(struct baseline *b, const struct reading *r)
{
    const VkSamplerReductionModeCreateInfo reduction = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO,
        .reductionMode = r->reduction};
    VkSamplerCreateInfo info = sampler_info();
    info.pNext = r->reduction ? &reduction : NULL;
    info.magFilter = info.minFilter = r->filter;
    info.mipmapMode = r->mipmaps;
    info.compareEnable = r->compares;
    info.addressModeU = info.addressModeV = info.addressModeW =
        VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    info.anisotropyEnable = VK_FALSE;
    info.maxAnisotropy = 0;
    info.minLod = info.maxLod = info.mipLodBias = 0;
    info.unnormalizedCoordinates = r->unnormalized;
    info.flags = r->sampler_flags;
    if (r->sampler_next)
        info.pNext = r->sampler_next;
    info.borderColor = r->border ? r->border : info.borderColor;
    info.addressModeU = r->u ? r->u : info.addressModeU;
    info.addressModeV = r->v ? r->v : info.addressModeV;
    return create_sampler(b, &info);
}

/* The null driver's memory of tiles is of this type, with "specialMemory". */
enum { TILE_TYPE = 2 };
static VkDeviceMemory tile_memory; /* what the image lies in */

static VkImage make_image_in_tiles(struct baseline *b, const VkImageCreateInfo *info)
{
    const VkMemoryAllocateInfo memory = memory_info(1 << 20, TILE_TYPE);
    VkImage image = create_image(b, info);
    tile_memory = create_memory(b, &memory);
    VK(vkBindImageMemory(b->device, image, tile_memory, 0));
    return image;
}

static VkImageView make_reading_view(struct baseline *b, const struct reading *r, VkImage *made)
{
    bool stored = r->type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                                        (VkImageUsageFlags)(stored ? VK_IMAGE_USAGE_STORAGE_BIT
                                                                   : VK_IMAGE_USAGE_SAMPLED_BIT));
    info.format = r->format ? r->format : COLOR_FORMAT;
    info.mipLevels = r->levels ? r->levels : 1;
    info.arrayLayers = r->layers ? r->layers : 1;
    info.samples = r->samples ? r->samples : VK_SAMPLE_COUNT_1_BIT;
    if (r->view_type == VK_IMAGE_VIEW_TYPE_3D)
        info.imageType = VK_IMAGE_TYPE_3D;
    info.flags = r->image_flags;
    info.usage |= r->usage;
    *made = r->in_tiles                                           ? make_image_in_tiles(b, &info)
            : r->image_flags & VK_IMAGE_CREATE_SPARSE_BINDING_BIT ? create_image(b, &info)
                                                                  : make_image_of(b, &info);
    VkImageViewCreateInfo view = image_view_info(*made);
    view.format = info.format;
    view.viewType = r->view_type ? r->view_type : VK_IMAGE_VIEW_TYPE_2D;
    view.subresourceRange.levelCount = info.mipLevels;
    view.subresourceRange.layerCount = info.arrayLayers;
    if (info.format == VK_FORMAT_D16_UNORM)
        view.subresourceRange.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
    return create_image_view(b, &view);
}

static VkBufferView make_texels(struct baseline *b, VkFormat format, VkBufferCreateFlags flags,
                                VkBuffer *made)
{
    const VkBufferCreateInfo sparse = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                       .flags = flags,
                                       .size = 256,
                                       .usage = VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT};
    *made = flags ? create_buffer(b, &sparse)
                  : make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT);
    VkBufferViewCreateInfo info = buffer_view_info(*made);
    info.format = format;
    return create_buffer_view(b, &info);
}

static VkDescriptorSetLayout make_reading_layout(struct baseline *b, const struct reading *r)
{
    const VkShaderStageFlags stage = SHADER_STAGE(b);
    const VkDescriptorSetLayoutBinding bindings[3] = {
        {0, r->type, 1, stage, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, stage, NULL},
        {2, r->second, 1, stage, NULL}};
    const VkDescriptorBindingFlags flags[3] = {0, 0, VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT};
    const VkDescriptorSetLayoutBindingFlagsCreateInfo later = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = 3,
        .pBindingFlags = flags};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .pNext = r->later ? &later : NULL,
        .flags = r->later ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT : 0,
        .bindingCount = r->two ? 3 : 2,
        .pBindings = bindings};
    return create_descriptor_set_layout(b, &info);
}

#define AFTER_BIND (VkDescriptorPoolCreateFlags) VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT
static VkDescriptorSet make_reading_set(struct baseline *b, const struct reading *r,
                                        VkDescriptorSetLayout layout)
{
    const VkDescriptorPoolSize sizes[3] = {
        {r->type, 1}, {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}, {r->second, 1}};
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT | (r->later ? AFTER_BIND : 0),
        .maxSets = 1,
        .poolSizeCount = r->two ? 3 : 2,
        .pPoolSizes = sizes};
    return make_descriptor_set(b, create_descriptor_pool(b, &info), layout);
}

static void transition_read_image(VkCommandBuffer c, VkImage image, const struct reading *r,
                                  VkImageLayout to)
{
    VkImageMemoryBarrier barrier = image_barrier(image, VK_IMAGE_LAYOUT_UNDEFINED, to);
    barrier.subresourceRange.levelCount = VK_REMAINING_MIP_LEVELS;
    barrier.subresourceRange.layerCount = VK_REMAINING_ARRAY_LAYERS;
    if (r->format == VK_FORMAT_D16_UNORM)
        barrier.subresourceRange.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
    vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         0, 0, NULL, 0, NULL, 1, &barrier);
}

static void bind_reading_object(struct baseline *b, VkCommandBuffer c, const struct reading *r,
                                const VkDescriptorSetLayout *layout)
{
    const VkPipelineLayoutCreateInfo same = pipeline_layout_info(layout);
    const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                        .codeSize = r->code_size,
                                        .pCode = r->code,
                                        .pName = "main",
                                        .setLayoutCount = 1,
                                        .pSetLayouts = layout,
                                        .pushConstantRangeCount = same.pushConstantRangeCount,
                                        .pPushConstantRanges = same.pPushConstantRanges};
    VkShaderEXT shader = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateShadersEXT)(b->device, 1, &info, NULL, &shader));
    cleanup_add(b, destroy_shader, HANDLE(shader));
    DEVICE_PROC(b, vkCmdBindShadersEXT)(c, 1, &info.stage, &shader);
}

static void bind_pipeline(struct baseline *b, VkCommandBuffer c, const struct reading *r,
                          VkPipelineLayout layout)
{
    const VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_from(b, r->code, r->code_size), layout);
    vkCmdBindPipeline(c, SHADER_POINT(b), create_compute_pipeline(b, &info));
}

/* Writes binding 2: the sampler of the reading, and a view of layers where it is an image. */
static void write_second(struct baseline *b, const struct reading *r, VkDescriptorSet set,
                         VkCommandBuffer c)
{
    struct reading layers = *r;
    VkImage image;
    VkDescriptorImageInfo info = {.imageLayout = VK_IMAGE_LAYOUT_GENERAL};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = set,
                                        .dstBinding = 2,
                                        .descriptorCount = 1,
                                        .descriptorType = r->second,
                                        .pImageInfo = &info};
    info.sampler = make_reading_sampler(b, r);
    if (r->second != VK_DESCRIPTOR_TYPE_SAMPLER) {
        layers.view_type = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
        info.imageView = make_reading_view(b, &layers, &image);
        transition_read_image(c, image, r, VK_IMAGE_LAYOUT_GENERAL);
    }
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

/* Writes the bindings, and dispatches; the image is brought into `layout`, though it is written to
 * be in VK_IMAGE_LAYOUT_GENERAL. */
static struct dispatched dispatch_in(struct baseline *b, const struct reading *r,
                                     VkImageLayout layout)
{
    VkDescriptorSetLayout set_layout = make_reading_layout(b, r);
    VkPipelineLayout pipeline_layout = make_pipeline_layout(b, set_layout);
    VkDescriptorSet set = make_reading_set(b, r, set_layout);
    VkCommandBuffer c = make_recording(b);
    struct dispatched made = {c, make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
                              .read.imageLayout = r->layout ? r->layout : VK_IMAGE_LAYOUT_GENERAL};
    const VkDescriptorBufferInfo buffer = {made.buffer, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet writes[2] = {write_buffer(set, &buffer), write_buffer(set, &buffer)};
    writes[0].descriptorType = r->type;
    writes[1].dstBinding = 1;
    if (r->type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER) {
        made.texels = make_texels(b, r->format, r->buffer_flags, &made.texel_buffer);
        writes[0].pTexelBufferView = &made.texels;
    } else {
        made.read.imageView = make_reading_view(b, r, &made.image);
        if (r->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER)
            made.read.sampler = make_reading_sampler(b, r);
        writes[0].pImageInfo = &made.read;
        VkCommandBuffer before = r->apart ? make_recording(b) : c;
        transition_read_image(before, made.image, r, layout);
        if (r->apart)
            run_commands(b, before);
    }
    vkUpdateDescriptorSets(b->device, r->unwritten ? 1 : 2, writes, 0, NULL);
    if (r->two)
        write_second(b, r, set, c);
    if (r->object)
        bind_reading_object(b, c, r, &set_layout);
    else
        bind_pipeline(b, c, r, pipeline_layout);
    vkCmdBindDescriptorSets(c, SHADER_POINT(b), pipeline_layout, 0, 1, &set, 0, NULL);
    if (r->begin)
        r->begin(b, c);
    instead_run(b, c);
    if (r->later) {
        struct reading normalized = *r;
        normalized.unnormalized = VK_FALSE;
        write_second(b, &normalized, set, c);
    }
    if (r->end)
        r->end(b, c);
    return made;
}

#define COMBINED    .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
#define STORED      .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
#define TEXELS      .type = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER
#define UNWRAP(...) __VA_ARGS__
#define RIGHT(name_, reading_, ...)                                                          \
    SCENARIO(name_, .drivers = NULL_DRIVER, ##__VA_ARGS__)                                   \
    {                                                                                        \
        const struct reading reading = {UNWRAP reading_};                                    \
        dispatch_in(b, &reading, reading.layout ? reading.layout : VK_IMAGE_LAYOUT_GENERAL); \
    }
#define MISTAKE(name_, id_, reading_, ...) \
    RIGHT(name_, reading_, .expect = {"VUID-vkCmdDispatch-" id_}, ##__VA_ARGS__)

/* --- layouts --- */

SCENARIO(sampled_in_its_layout)
{
    dispatch_in(b, &(const struct reading){COMBINED, SHADER(sampled)}, VK_IMAGE_LAYOUT_GENERAL);
}

SCENARIO(sampled_in_other_layout, .expect = {"VUID-vkCmdDispatch-imageLayout-00344"})
{
    dispatch_in(b, &(const struct reading){COMBINED, SHADER(sampled)},
                VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
}

/* --- filters and formats --- */

#define UINT .format = VK_FORMAT_R32_UINT
RIGHT(uint_nearest, (COMBINED, SHADER(sampled_uint), UINT))
MISTAKE(uint_linear, "magFilter-04553",
        (COMBINED, SHADER(sampled_uint), UINT, .filter = VK_FILTER_LINEAR))
MISTAKE(uint_linear_mipmaps, "mipmapMode-04770",
        (COMBINED, SHADER(sampled_uint), UINT, .mipmaps = VK_SAMPLER_MIPMAP_MODE_LINEAR))
RIGHT(float_linear, (COMBINED, SHADER(sampled), .filter = VK_FILTER_LINEAR,
                     .mipmaps = VK_SAMPLER_MIPMAP_MODE_LINEAR))
/* OpImageFetch: "No sampler is used". */
RIGHT(uint_fetched, (COMBINED, SHADER(fetched_uint), UINT, .filter = VK_FILTER_LINEAR,
                     .mipmaps = VK_SAMPLER_MIPMAP_MODE_LINEAR))
static const VkPhysicalDeviceVulkan12Features minmax = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .samplerFilterMinmax = VK_TRUE};
#define LEAST .reduction = VK_SAMPLER_REDUCTION_MODE_MIN
MISTAKE(uint_minimum, "magFilter-09598",
        (COMBINED, SHADER(sampled_uint), UINT, LEAST, .filter = VK_FILTER_LINEAR),
        .features = &minmax)
MISTAKE(uint_minimum_mipmaps, "mipmapMode-09599",
        (COMBINED, SHADER(sampled_uint), UINT, LEAST, .mipmaps = VK_SAMPLER_MIPMAP_MODE_LINEAR),
        .features = &minmax)
RIGHT(float_minimum, (COMBINED, SHADER(sampled), LEAST, .filter = VK_FILTER_LINEAR),
      .features = &minmax)
#define CUBIC .extensions = {"VK_EXT_filter_cubic"}
MISTAKE(uint_cubic, "None-02692",
        (COMBINED, SHADER(sampled_uint), UINT, .filter = VK_FILTER_CUBIC_EXT), CUBIC)
RIGHT(float_cubic, (COMBINED, SHADER(sampled), .filter = VK_FILTER_CUBIC_EXT), CUBIC)
MISTAKE(shadow_of_color, "None-06479", (COMBINED, SHADER(sampled_shadow), .compares = VK_TRUE))
RIGHT(shadow_of_depth,
      (COMBINED, SHADER(sampled_shadow), .compares = VK_TRUE, .format = VK_FORMAT_D16_UNORM))
/* Without VkFormatProperties3, every depth format that can be sampled compares. */
#define OF_1_2 .api_version = VK_API_VERSION_1_2, .null_driver = "{\"apiVersion\": \"1.2.0\"}"
RIGHT(shadow_of_depth_before_1_3,
      (COMBINED, SHADER(sampled_shadow), .compares = VK_TRUE, .format = VK_FORMAT_D16_UNORM),
      OF_1_2)
MISTAKE(shadow_of_color_before_1_3, "None-06479",
        (COMBINED, SHADER(sampled_shadow), .compares = VK_TRUE), OF_1_2)
MISTAKE(float_of_uint, "format-07753", (COMBINED, SHADER(sampled), UINT))
MISTAKE(uint_of_float, "format-07753", (COMBINED, SHADER(sampled_uint)))
/* SignExtend in the image operands says that the access is signed, whatever the Sampled Type. */
#define STORES_SIGNED VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, .format = VK_FORMAT_R32_SINT
RIGHT(signed_by_its_operands, (STORES_SIGNED, SHADER(fetched_signed)))
MISTAKE(unsigned_by_its_operands, "format-07753", (STORES_SIGNED, SHADER(fetched_unsigned)))
/* A second variable of the binding, of another type, is handed to a function that does nothing with
 * it. */
RIGHT(handed_over_and_ignored, (VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, SHADER(handed_over)))

/* --- dimensions --- */

MISTAKE(flat_as_3d, "viewType-07752", (COMBINED, SHADER(sampled_3d)))
RIGHT(deep_as_3d, (COMBINED, SHADER(sampled_3d), .view_type = VK_IMAGE_VIEW_TYPE_3D))
MISTAKE(array_as_flat, "viewType-07752",
        (COMBINED, SHADER(sampled), .view_type = VK_IMAGE_VIEW_TYPE_2D_ARRAY))
MISTAKE(flat_as_array, "viewType-07752", (COMBINED, SHADER(sampled_array)))
RIGHT(array_as_array, (COMBINED, SHADER(sampled_array), .view_type = VK_IMAGE_VIEW_TYPE_2D_ARRAY))

/* --- samples --- */

#define FOUR .samples = VK_SAMPLE_COUNT_4_BIT
RIGHT(samples_of_four, (COMBINED, SHADER(sampled_samples), FOUR))
RIGHT(samples_of_one, (COMBINED, SHADER(sampled_samples)),
      .expect = {"VUID-RuntimeSpirv-samples-08726"},
      .text = {
          "is an image with several samples there, but its view's image has VK_SAMPLE_COUNT_1_BIT"})
RIGHT(one_of_four, (COMBINED, SHADER(sampled), FOUR), .expect = {"VUID-RuntimeSpirv-samples-08725"},
      .text = {"is an image with one sample there, but its view's image has VK_SAMPLE_COUNT_4_BIT"})

/* --- unnormalized coordinates --- */

#define UNNORMALIZED COMBINED, .unnormalized = VK_TRUE
RIGHT(unnormalized, (UNNORMALIZED, SHADER(sampled)))
MISTAKE(unnormalized_levels, "unnormalizedCoordinates-09635",
        (UNNORMALIZED, SHADER(sampled), .levels = 2))
MISTAKE(unnormalized_3d, "None-08609",
        (UNNORMALIZED, SHADER(sampled_3d), .view_type = VK_IMAGE_VIEW_TYPE_3D))
MISTAKE(unnormalized_projected, "None-08610", (UNNORMALIZED, SHADER(sampled_projected)))
MISTAKE(unnormalized_offset, "None-08611", (UNNORMALIZED, SHADER(sampled_offset)))
RIGHT(normalized_offset, (COMBINED, SHADER(sampled_offset)))
static const VkPhysicalDeviceComputeShaderDerivativesFeaturesKHR derivatives = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COMPUTE_SHADER_DERIVATIVES_FEATURES_KHR,
    .computeDerivativeGroupQuads = VK_TRUE};
/* A bias goes with an implicit level of detail. */
RIGHT(unnormalized_bias, (UNNORMALIZED, SHADER(sampled_bias)),
      .expect = {"VUID-vkCmdDispatch-None-08610", "VUID-vkCmdDispatch-None-08611"},
      .extensions = {"VK_KHR_compute_shader_derivatives", "VK_NV_compute_shader_derivatives"},
      .features = &derivatives)
/* The image and the sampler are two descriptors, which the shader puts together. */
#define APART \
    .type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, .two = true, .second = VK_DESCRIPTOR_TYPE_SAMPLER
#define APART_UNNORMALIZED APART, .unnormalized = VK_TRUE
RIGHT(apart_unnormalized, (APART_UNNORMALIZED, SHADER(apart)))
RIGHT(apart_normalized_array,
      (APART, SHADER(apart_array), .view_type = VK_IMAGE_VIEW_TYPE_2D_ARRAY))
MISTAKE(apart_unnormalized_array, "None-08609",
        (APART_UNNORMALIZED, SHADER(apart_array), .view_type = VK_IMAGE_VIEW_TYPE_2D_ARRAY))
MISTAKE(apart_unnormalized_projected, "None-08610", (APART_UNNORMALIZED, SHADER(apart_projected)))
MISTAKE(apart_unnormalized_offset, "None-08611", (APART_UNNORMALIZED, SHADER(apart_offset)))
MISTAKE(apart_unnormalized_levels, "unnormalizedCoordinates-09635",
        (APART_UNNORMALIZED, SHADER(apart), .levels = 2))
RIGHT(apart_offset, (APART, SHADER(apart_offset)))
/* It is not followed with which of two samplers an access of the image is. */
RIGHT(apart_with_two_samplers, (APART_UNNORMALIZED, SHADER(apart_by_two)))
RIGHT(apart_fetched, (APART_UNNORMALIZED, SHADER(apart_fetched)))
/* 08611 is about OpImageSample* alone, and the offset may be the fetch's. */
RIGHT(apart_sampled_and_fetched, (APART_UNNORMALIZED, SHADER(apart_sampled_and_fetched)))
/* "with UPDATE_AFTER_BIND": the sampler of the dispatch is the one that is written last. */
static const VkPhysicalDeviceVulkan12Features indexing = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    .descriptorIndexing = VK_TRUE,
    .descriptorBindingSampledImageUpdateAfterBind = VK_TRUE};
RIGHT(apart_written_later, (APART_UNNORMALIZED, SHADER(apart_offset), .later = true),
      .features = &indexing)
MISTAKE(apart_linear, "magFilter-04553",
        (APART, SHADER(apart_uint), UINT, .filter = VK_FILTER_LINEAR))

/* --- storage --- */

/* "using R32ui with VK_FORMAT_R8_UINT ... still result in undefined values. Validation layers will
 * provide a warning" */
#define UNDEFINED(name_, view_, reading_, ...)                                               \
    RIGHT(name_, reading_, .expect = {"Undefined-Value-StorageImage-FormatMismatch-" view_}, \
          ##__VA_ARGS__)
#define SMALLER .format = VK_FORMAT_R8_UINT
UNDEFINED(stored_with_another_format, "ImageView", (STORED, SHADER(stored_read_plainly), SMALLER),
          .text = {"is declared with the image format of VK_FORMAT_R32_UINT, but its view is of "
                   "VK_FORMAT_R8_UINT"})
UNDEFINED(texels_with_another_format, "BufferView", (TEXELS, SHADER(texels_read_plainly), SMALLER))
RIGHT(stored_with_its_format, (STORED, SHADER(stored_read_plainly), UINT))
RIGHT(texels_with_their_format, (TEXELS, SHADER(texels_read_plainly), UINT))
UNDEFINED(stored_in_another_order, "ImageView",
          (STORED, SHADER(stored_bytes), .format = VK_FORMAT_B8G8R8A8_UINT))
/* On the hosts that run this, it has the bytes of the format that the shader declares. */
RIGHT(stored_in_packed_bytes,
      (STORED, SHADER(stored_bytes), .format = VK_FORMAT_A8B8G8R8_UINT_PACK32))
/* The shader chooses between two declarations of one binding. */
RIGHT(stored_with_a_choice_of_formats, (STORED, SHADER(stored_either), UINT))

MISTAKE(atomic_of_16_bits, "None-02691",
        (STORED, SHADER(stored_atomic), .format = VK_FORMAT_R16_UINT))
RIGHT(atomic_of_32_bits, (STORED, SHADER(stored_atomic), UINT))
MISTAKE(atomic_texels_of_16_bits, "None-07888",
        (TEXELS, SHADER(texels_atomic), .format = VK_FORMAT_R16_UINT))
RIGHT(atomic_texels_of_32_bits, (TEXELS, SHADER(texels_atomic), UINT))

static const VkPhysicalDeviceFeatures2 int64 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .features = {.shaderInt64 = VK_TRUE}};
static const VkPhysicalDeviceShaderImageAtomicInt64FeaturesEXT wide = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_IMAGE_ATOMIC_INT64_FEATURES_EXT,
    .pNext = (void *)(uintptr_t)&int64,
    .shaderImageInt64Atomics = VK_TRUE};
#define WIDE .extensions = {"VK_EXT_shader_image_atomic_int64"}, .features = &wide
MISTAKE(wide_of_32_bits, "SampledType-04471", (STORED, SHADER(stored_wide), UINT), WIDE)
RIGHT(wide_of_64_bits, (STORED, SHADER(stored_wide), .format = VK_FORMAT_R64_UINT), WIDE)
#define UINT64 .format = VK_FORMAT_R64_UINT
MISTAKE(narrow_of_64_bits, "SampledType-04470", (STORED, SHADER(stored_read_plainly), UINT64), WIDE)
MISTAKE(wide_texels_of_32_bits, "SampledType-04473", (TEXELS, SHADER(texels_wide_atomic), UINT),
        WIDE)
MISTAKE(narrow_texels_of_64_bits, "SampledType-04472",
        (TEXELS, SHADER(texels_read_plainly), UINT64), WIDE)
RIGHT(wide_texels_of_64_bits, (TEXELS, SHADER(texels_wide_atomic), UINT64), WIDE)

static const VkPhysicalDeviceFeatures2 sparse64 = {.sType =
                                                       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                                   .features = {.shaderInt64 = VK_TRUE,
                                                                .sparseBinding = VK_TRUE,
                                                                .sparseResidencyBuffer = VK_TRUE,
                                                                .sparseResidencyImage2D = VK_TRUE}};
#define SPARSE_ATOMICS(name_, sparse_)                                                     \
    static const VkPhysicalDeviceShaderImageAtomicInt64FeaturesEXT name_ = {               \
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_IMAGE_ATOMIC_INT64_FEATURES_EXT, \
        .pNext = (void *)(uintptr_t)&sparse64,                                             \
        .shaderImageInt64Atomics = VK_TRUE,                                                \
        .sparseImageInt64Atomics = (sparse_)}
SPARSE_ATOMICS(wide_dense, VK_FALSE);
SPARSE_ATOMICS(wide_sparse, VK_TRUE);
#define SPARSE_OF(features_) \
    .extensions = {"VK_EXT_shader_image_atomic_int64"}, .features = &features_
#define SPARSE_IMAGE                            \
    STORED, SHADER(stored_wide_atomic), UINT64, \
        .image_flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT
#define SPARSE_TEXELS                           \
    TEXELS, SHADER(texels_wide_atomic), UINT64, \
        .buffer_flags =                         \
            VK_BUFFER_CREATE_SPARSE_BINDING_BIT | VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT
MISTAKE(wide_atomics_of_sparse, "sparseImageInt64Atomics-04474", (SPARSE_IMAGE),
        SPARSE_OF(wide_dense))
RIGHT(wide_atomics_of_sparse_enabled, (SPARSE_IMAGE), SPARSE_OF(wide_sparse))
MISTAKE(wide_atomics_of_sparse_texels, "sparseImageInt64Atomics-04475", (SPARSE_TEXELS),
        SPARSE_OF(wide_dense))
RIGHT(wide_atomics_of_sparse_texels_enabled, (SPARSE_TEXELS), SPARSE_OF(wide_sparse))

/* --- VK_NV_corner_sampled_image --- */

static const VkPhysicalDeviceCornerSampledImageFeaturesNV corners = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CORNER_SAMPLED_IMAGE_FEATURES_NV,
    .cornerSampledImage = VK_TRUE};
#define CORNERS .extensions = {"VK_NV_corner_sampled_image"}, .features = &corners
#define CORNER  COMBINED, SHADER(sampled), .image_flags = VK_IMAGE_CREATE_CORNER_SAMPLED_BIT_NV
RIGHT(corner_sampled, (CORNER), CORNERS)
MISTAKE(corner_sampled_to_the_border, "flags-02696",
        (CORNER, .v = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER), CORNERS)

/* --- VK_IMG_filter_cubic, VK_QCOM_filter_cubic_clamp, VK_QCOM_filter_cubic_weights --- */

#define CUBIC_BOTH COMBINED, .filter = VK_FILTER_CUBIC_EXT
MISTAKE(cubic_3d_without_extension, "None-02693",
        (CUBIC_BOTH, SHADER(sampled_3d), .view_type = VK_IMAGE_VIEW_TYPE_3D),
        .extensions = {"VK_IMG_filter_cubic"})
static const VkPhysicalDeviceCubicClampFeaturesQCOM clamps = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUBIC_CLAMP_FEATURES_QCOM,
    .pNext = (void *)(uintptr_t)&minmax,
    .cubicRangeClamp = VK_TRUE};
#define CLAMP_EXTENSIONS .extensions = {"VK_EXT_filter_cubic", "VK_QCOM_filter_cubic_clamp"}
#define CLAMPED \
    SHADER(sampled), .reduction = VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE_RANGECLAMP_QCOM
MISTAKE(clamped_without_feature, "cubicRangeClamp-09212", (CUBIC_BOTH, CLAMPED), CLAMP_EXTENSIONS,
        .features = &minmax)
MISTAKE(clamped_without_cubic, "reductionMode-09213", (COMBINED, CLAMPED), CLAMP_EXTENSIONS,
        .features = &clamps)
RIGHT(clamped_cubic, (CUBIC_BOTH, CLAMPED), CLAMP_EXTENSIONS, .features = &clamps)
static const VkSamplerCubicWeightsCreateInfoQCOM b_spline = {
    .sType = VK_STRUCTURE_TYPE_SAMPLER_CUBIC_WEIGHTS_CREATE_INFO_QCOM,
    .cubicWeights = VK_CUBIC_FILTER_WEIGHTS_B_SPLINE_QCOM};
static const VkPhysicalDeviceCubicWeightsFeaturesQCOM weights_chosen = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUBIC_WEIGHTS_FEATURES_QCOM,
    .selectableCubicWeights = VK_TRUE};
#define WEIGHT_EXTENSIONS .extensions = {"VK_EXT_filter_cubic", "VK_QCOM_filter_cubic_weights"}
MISTAKE(weights_without_feature, "selectableCubicWeights-09214",
        (CUBIC_BOTH, SHADER(sampled), .sampler_next = &b_spline), WEIGHT_EXTENSIONS)
RIGHT(weights_with_feature, (CUBIC_BOTH, SHADER(sampled), .sampler_next = &b_spline),
      WEIGHT_EXTENSIONS, .features = &weights_chosen)

/* --- VK_QCOM_image_processing --- */

static const VkPhysicalDeviceImageProcessingFeaturesQCOM processing = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_PROCESSING_FEATURES_QCOM,
    .textureSampleWeighted = VK_TRUE,
    .textureBoxFilter = VK_TRUE,
    .textureBlockMatch = VK_TRUE};
#define PROCESSING .extensions = {"VK_QCOM_image_processing"}, .features = &processing
static const VkPhysicalDeviceImageProcessing2FeaturesQCOM windows = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_PROCESSING_2_FEATURES_QCOM,
    .pNext = (void *)(uintptr_t)&processing,
    .textureBlockMatch2 = VK_TRUE};
#define WINDOWS \
    .extensions = {"VK_QCOM_image_processing", "VK_QCOM_image_processing2"}, .features = &windows
#define PROCESSOR COMBINED, .sampler_flags = VK_SAMPLER_CREATE_IMAGE_PROCESSING_BIT_QCOM
#define WEIGHTED  PROCESSOR, .two = true, .second = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
#define TO_BORDER \
    .u = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, .v = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER
/* of VK_FORMAT_R8G8B8A8_UNORM */
#define WITHOUT(bits_) .null_driver = "{\"withoutFormatFeatures\": {\"37\": " bits_ "}}"
RIGHT(box_filtered, (PROCESSOR, SHADER(box_filtered)), PROCESSING)
MISTAKE(box_filtered_by_a_plain_sampler, "OpImageSampleWeightedQCOM-06977",
        (COMBINED, SHADER(box_filtered)), PROCESSING)
MISTAKE(sampled_by_a_processing_sampler, "OpImageSampleWeightedQCOM-06978",
        (PROCESSOR, SHADER(sampled)), PROCESSING)
MISTAKE(box_filtered_without_support, "OpImageBoxFilterQCOM-06973",
        (PROCESSOR, SHADER(box_filtered)), PROCESSING, WITHOUT("137438953472"))
MISTAKE(weighted_without_support, "OpImageSampleWeightedQCOM-06971", (WEIGHTED, SHADER(weighted)),
        PROCESSING, WITHOUT("34359738368"))
MISTAKE(weights_without_support, "OpImageSampleWeightedQCOM-06972", (WEIGHTED, SHADER(weighted)),
        PROCESSING, WITHOUT("17179869184"))
RIGHT(weighted, (WEIGHTED, SHADER(weighted)), PROCESSING)
RIGHT(block_matched, (PROCESSOR, SHADER(block_matched)), PROCESSING)
/* VK_FORMAT_FEATURE_2_BLOCK_MATCHING_BIT_QCOM; the null driver has no ..._SXD_BIT_QCOM */
#define MATCHING "68719476736"
MISTAKE(block_matched_without_support, "OpImageBlockMatchSSDQCOM-06974",
        (PROCESSOR, SHADER(block_matched)), PROCESSING, WITHOUT(MATCHING))
MISTAKE(block_matched_by_sums_without_support, "OpImageBlockMatchSADQCOM-12420",
        (PROCESSOR, SHADER(block_matched_by_sums)), PROCESSING, WITHOUT(MATCHING))
MISTAKE(window_of_four_components, "OpImageBlockMatchWindow-09216",
        (PROCESSOR, SHADER(window_matched), TO_BORDER), WINDOWS)
MISTAKE(window_without_support, "OpImageBlockMatchWindow-09215",
        (PROCESSOR, SHADER(window_matched), TO_BORDER), WINDOWS, WITHOUT(MATCHING))
MISTAKE(block_matched_far, "OpImageBlockMatchSADQCOM-06976", (PROCESSOR, SHADER(block_matched_far)),
        PROCESSING,
        .text = {"is a reference image that is read at (8, 64), but its view has 64x64 texels"})
RIGHT(block_matched_last, (PROCESSOR, SHADER(block_matched_last)), PROCESSING)
RIGHT(block_matched_sometimes, (PROCESSOR, SHADER(block_matched_sometimes)), PROCESSING)
MISTAKE(window_matched_far, "OpImageBlockMatchWindow-09217",
        (PROCESSOR, SHADER(window_matched_far), .format = VK_FORMAT_R8_UNORM, TO_BORDER), WINDOWS)
#define ONE_COMPONENT PROCESSOR, SHADER(window_matched), .format = VK_FORMAT_R8_UNORM
RIGHT(window_of_one_component, (ONE_COMPONENT, TO_BORDER), WINDOWS)
MISTAKE(window_clamped_to_the_edge, "OpImageBlockMatchWindow-12421", (ONE_COMPONENT), WINDOWS)
static const VkPhysicalDeviceImageProcessing3FeaturesQCOM extended = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_PROCESSING_3_FEATURES_QCOM,
    .pNext = (void *)(uintptr_t)&windows,
    .blockMatchExtendedClampToEdge = VK_TRUE};
#define EXTENDED                                                            \
    .extensions = {"VK_QCOM_image_processing", "VK_QCOM_image_processing2", \
                   "VK_QCOM_image_processing3"},                            \
    .features = &extended
RIGHT(window_clamped_twice, (ONE_COMPONENT), EXTENDED)
/* The sampler of the image that is compared may clamp to the edge. */
RIGHT(window_matched_far_and_clamped,
      (PROCESSOR, SHADER(window_matched_far), .format = VK_FORMAT_R8_UNORM), EXTENDED)
MISTAKE(window_clamped_once, "addressModeU-12422",
        (ONE_COMPONENT, .u = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER), EXTENDED)

/* --- protected resources --- */

static const VkPhysicalDeviceProtectedMemoryFeatures protects = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES,
    .protectedMemory = VK_TRUE};
#define FAULTS .null_driver = "{\"properties\": {\"protectedNoFault\": false}}"
RIGHT(plain_in_plain, (COMBINED, SHADER(sampled)), FAULTS, .features = &protects)
MISTAKE(protected_in_plain, "commandBuffer-02707",
        (COMBINED, SHADER(sampled), .image_flags = VK_IMAGE_CREATE_PROTECTED_BIT), FAULTS,
        .features = &protects)

/* --- destroyed while submitted work uses it through a descriptor ------------------------------ */

#define SAMPLED_APART (&(const struct reading){COMBINED, SHADER(sampled), .apart = true})
#define TEXELS_OF     (&(const struct reading){TEXELS, SHADER(texels_atomic), UINT})

/* A dispatch is submitted, and `destroy_` destroys what it uses before it is waited for. */
#define IN_USE(name_, reading_, destroy_, id_, ...)                                            \
    SCENARIO(name_, .drivers = NULL_DRIVER, .expect = {id_},                                   \
             .text = {"is used through ", "a descriptor (binding ", ") by VkCommandBuffer 0x", \
                      "and is not known to be done"},                                          \
             ##__VA_ARGS__)                                                                    \
    {                                                                                          \
        struct dispatched made = dispatch_in(b, reading_, VK_IMAGE_LAYOUT_GENERAL);            \
        VkSubmitInfo info = submit_info(&made.commands);                                       \
        VK(vkEndCommandBuffer(made.commands));                                                 \
        VK(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE));                                 \
        destroy_;                                                                              \
        EXPECT_EQUAL(seen_count(b, NULL), 1);                                                  \
        VK(vkQueueWaitIdle(b->queue));                                                         \
    }
IN_USE(destroy_buffer_of_descriptor, SAMPLED_APART, vkDestroyBuffer(b->device, made.buffer, NULL),
       "VUID-vkDestroyBuffer-buffer-00922")
IN_USE(destroy_buffer_of_texels, TEXELS_OF, vkDestroyBuffer(b->device, made.texel_buffer, NULL),
       "VUID-vkDestroyBuffer-buffer-00922")
IN_USE(destroy_texels, TEXELS_OF, vkDestroyBufferView(b->device, made.texels, NULL),
       "VUID-vkDestroyBufferView-bufferView-00936")
IN_USE(destroy_view_of_descriptor, SAMPLED_APART,
       vkDestroyImageView(b->device, made.read.imageView, NULL),
       "VUID-vkDestroyImageView-imageView-01026")
IN_USE(destroy_image_of_descriptor, SAMPLED_APART, vkDestroyImage(b->device, made.image, NULL),
       "VUID-vkDestroyImage-image-01000")
IN_USE(destroy_sampler_of_descriptor, SAMPLED_APART,
       vkDestroySampler(b->device, made.read.sampler, NULL), "VUID-vkDestroySampler-sampler-01082")

/* Not submitted; done; recorded again without it since. */
SCENARIO(destroy_what_descriptors_used, .drivers = NULL_DRIVER)
{
    struct dispatched recorded = dispatch_in(b, SAMPLED_APART, VK_IMAGE_LAYOUT_GENERAL),
                      done = dispatch_in(b, SAMPLED_APART, VK_IMAGE_LAYOUT_GENERAL),
                      again = dispatch_in(b, SAMPLED_APART, VK_IMAGE_LAYOUT_GENERAL);
    VK(vkEndCommandBuffer(recorded.commands));
    run_commands(b, done.commands);
    run_commands(b, again.commands);
    const VkCommandBufferBeginInfo begin = begin_info();
    VkSubmitInfo info = submit_info(&again.commands);
    VK(vkBeginCommandBuffer(again.commands, &begin));
    VK(vkEndCommandBuffer(again.commands));
    VK(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE));
    const VkBuffer buffers[] = {recorded.buffer, done.buffer, again.buffer};
    const VkSampler samplers[] = {recorded.read.sampler, done.read.sampler, again.read.sampler};
    for (int i = 0; i < 3; i++) {
        FORGET(b, buffers[i]);
        FORGET(b, samplers[i]);
        vkDestroyBuffer(b->device, buffers[i], NULL);
        vkDestroySampler(b->device, samplers[i], NULL);
    }
    VK(vkQueueWaitIdle(b->queue));
}

/* The two ways of access that name no format, which the format may lack (by its number). */
#define FORMATLESS                                                           \
    .features = &(const VkPhysicalDeviceFeatures2)                           \
    {                                                                        \
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .features = { \
            .shaderStorageImageReadWithoutFormat = VK_TRUE,                  \
            .shaderStorageImageWriteWithoutFormat = VK_TRUE                  \
        }                                                                    \
    }
#define LACKS(bits_) FORMATLESS, .null_driver = "{\"withoutFormatFeatures\": {\"37\": " bits_ "}}"
#define LACKS_READ   LACKS("2147483648")
#define LACKS_WRITE  LACKS("4294967296")
#define COLORS       TEXELS, .format = COLOR_FORMAT
MISTAKE(stored_without_format, "OpTypeImage-07027", (STORED, SHADER(stored_write)), LACKS_WRITE,
        .text = {"is written without a format in the shader, but its view's format "
                 "VK_FORMAT_R8G8B8A8_UNORM does not support that"})
RIGHT(stored_where_reads_need_one, (STORED, SHADER(stored_write)), LACKS_READ)
MISTAKE(loaded_without_format, "OpTypeImage-07028", (STORED, SHADER(stored_read)), LACKS_READ,
        .text = {"is read without a format in the shader, but its view's format "
                 "VK_FORMAT_R8G8B8A8_UNORM does not support that"})
RIGHT(loaded_where_writes_need_one, (STORED, SHADER(stored_read)), LACKS_WRITE)
MISTAKE(texels_stored_without_format, "OpTypeImage-07029", (COLORS, SHADER(texels_write)),
        LACKS_WRITE, .text = {"is written without a format in the shader"})
RIGHT(texels_stored_where_reads_need_one, (COLORS, SHADER(texels_write)), LACKS_READ)
MISTAKE(texels_loaded_without_format, "OpTypeImage-07030", (COLORS, SHADER(texels_read)),
        LACKS_READ, .text = {"is read without a format in the shader"})
RIGHT(texels_loaded_where_writes_need_one, (COLORS, SHADER(texels_read)), LACKS_WRITE)
/* Without VkFormatProperties3, the features alone tell. */
RIGHT(texels_stored_before_1_3, (COLORS, SHADER(texels_write)), FORMATLESS, OF_1_2)
RIGHT(texels_loaded_before_1_3, (COLORS, SHADER(texels_read)), FORMATLESS, OF_1_2)

MISTAKE(never_written, "None-08114", (COMBINED, SHADER(sampled), .unwritten = true),
        .text = {"was never written"})

/* --- components of what is written --- */

MISTAKE(stored_one_of_four, "OpImageWrite-08795", (STORED, SHADER(stored_one)), FORMATLESS,
        .text = {"is written with texels of 1 component, but its view's format "
                 "VK_FORMAT_R8G8B8A8_UNORM takes 4"})
RIGHT(stored_one_of_one, (STORED, SHADER(stored_one), .format = VK_FORMAT_R8_UNORM), FORMATLESS)
/* It is not known which of the writes there is: the widest one counts. */
RIGHT(stored_three_of_three,
      (STORED, SHADER(stored_three), .format = VK_FORMAT_B10G11R11_UFLOAT_PACK32), FORMATLESS)
static const VkPhysicalDeviceMaintenance5Features alpha = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES,
    .pNext =
        (void *)(uintptr_t)&(const VkPhysicalDeviceFeatures2){
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
            .features = {.shaderStorageImageReadWithoutFormat = VK_TRUE,
                         .shaderStorageImageWriteWithoutFormat = VK_TRUE}},
    .maintenance5 = VK_TRUE};
#define ALPHA .features = &alpha, .extensions = {"VK_KHR_maintenance5"}
MISTAKE(stored_three_of_alpha, "OpImageWrite-08796",
        (STORED, SHADER(stored_three), .format = VK_FORMAT_A8_UNORM), ALPHA)
RIGHT(stored_four_of_alpha, (STORED, SHADER(stored_write), .format = VK_FORMAT_A8_UNORM), ALPHA)
MISTAKE(texels_stored_one_of_four, "OpImageWrite-04469", (COLORS, SHADER(texels_stored_one)),
        FORMATLESS)
RIGHT(texels_stored_one_of_one, (TEXELS, SHADER(texels_stored_one), .format = VK_FORMAT_R8_UNORM),
      FORMATLESS)

/* --- what the device says of cubic filters --- */

/* The null driver filters views that are flat so, and the minimum of those that have no layers. */
MISTAKE(cubic_of_a_volume, "filterCubic-02694",
        (CUBIC_BOTH, SHADER(sampled_3d), .view_type = VK_IMAGE_VIEW_TYPE_3D), CUBIC)
MISTAKE(cubic_minimum_of_layers, "filterCubicMinmax-02695",
        (CUBIC_BOTH, SHADER(sampled_array), LEAST, .view_type = VK_IMAGE_VIEW_TYPE_2D_ARRAY), CUBIC,
        .features = &minmax)
RIGHT(cubic_of_layers,
      (CUBIC_BOTH, SHADER(sampled_array), .view_type = VK_IMAGE_VIEW_TYPE_2D_ARRAY), CUBIC)
RIGHT(cubic_minimum, (CUBIC_BOTH, SHADER(sampled), LEAST), CUBIC, .features = &minmax)

/* --- border colors with an index --- */

static const VkPhysicalDeviceCustomBorderColorFeaturesEXT border_colors = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT,
    .customBorderColors = VK_TRUE,
    .customBorderColorWithoutFormat = VK_TRUE};
static const VkPhysicalDeviceDescriptorHeapFeaturesEXT border_heaps = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT,
    .pNext = (void *)(uintptr_t)&border_colors,
    .descriptorHeap = VK_TRUE};
static const VkSamplerCustomBorderColorCreateInfoEXT border_color = {
    .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
    .format = VK_FORMAT_R8G8B8A8_UNORM};
static const VkSamplerCustomBorderColorIndexCreateInfoEXT border_index = {
    .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_INDEX_CREATE_INFO_EXT,
    .pNext = &border_color,
    .index = 2};
#define BORDER                                                             \
    COMBINED, SHADER(sampled), .border = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT, \
        .sampler_next = &border_index
#define INDEXED                                                                                    \
    .features = &border_heaps,                                                                     \
    .extensions = {"VK_EXT_custom_border_color", "VK_EXT_descriptor_heap", "VK_KHR_maintenance5"}, \
    .null_driver = "{\"properties\": {\"maxCustomBorderColorSamplers\": 4}}"
static void register_border(struct baseline *b, float red)
{
    VkSamplerCustomBorderColorCreateInfoEXT color = border_color;
    uint32_t index = 2;
    color.customBorderColor.float32[0] = red;
    VK(DEVICE_PROC(b, vkRegisterCustomBorderColorEXT)(b->device, &color, VK_TRUE, &index));
}
static void register_it(struct baseline *b, VkCommandBuffer c)
{
    (void)c;
    register_border(b, 0);
}
static void register_another(struct baseline *b, VkCommandBuffer c)
{
    (void)c;
    register_border(b, 1);
}
static void register_for_a_while(struct baseline *b, VkCommandBuffer c)
{
    (void)c;
    register_border(b, 0);
    DEVICE_PROC(b, vkUnregisterCustomBorderColorEXT)(b->device, 2);
}
#define TO_THE_BORDER .u = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER
RIGHT(border_registered, (BORDER, TO_THE_BORDER, .begin = register_it), INDEXED)
RIGHT(border_never_reached, (BORDER), INDEXED)
MISTAKE(border_not_registered, "index-11450", (BORDER, TO_THE_BORDER, .end = register_it), INDEXED,
        .text = {"is sampled with the border color of index 2, which is not registered"})
MISTAKE(border_unregistered, "index-11450", (BORDER, TO_THE_BORDER, .begin = register_for_a_while),
        INDEXED)
MISTAKE(border_of_another_color, "index-11450", (BORDER, TO_THE_BORDER, .begin = register_another),
        INDEXED,
        .text = {"with the border color of index 2, which is registered with another color"})

/* --- custom border colors without a format --- */

static const VkPhysicalDeviceCustomBorderColorFeaturesEXT formatless_colors = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT,
    .customBorderColors = VK_TRUE,
    .customBorderColorWithoutFormat = VK_TRUE};
static const VkSamplerCustomBorderColorCreateInfoEXT
    formatless_color = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT},
    formatted_color = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
                       .format = VK_FORMAT_B5G6R5_UNORM_PACK16};
#define BORDERED(name_, format_, color_, border_, ...)                                  \
    RIGHT(name_,                                                                        \
          (COMBINED, SHADER(sampled), TO_THE_BORDER, .format = format_,                 \
           .border = VK_BORDER_COLOR_FLOAT_##border_, .sampler_next = &color_),         \
          .features = &formatless_colors, .extensions = {"VK_EXT_custom_border_color"}, \
          .null_driver = "{\"properties\": {\"maxCustomBorderColorSamplers\": 4}}", ##__VA_ARGS__)
#define OF_FORMATLESS .expect = {"VUID-VkSamplerCustomBorderColorCreateInfoEXT-format-04015"}
BORDERED(formatless_border, VK_FORMAT_R5G6B5_UNORM_PACK16, formatless_color, CUSTOM_EXT)
BORDERED(formatless_border_of_b5g6r5, VK_FORMAT_B5G6R5_UNORM_PACK16, formatless_color, CUSTOM_EXT,
         OF_FORMATLESS,
         .text = {"is sampled with a custom border color without a format, but its view has the "
                  "format VK_FORMAT_B5G6R5_UNORM_PACK16"})
BORDERED(formatless_border_of_b4g4r4a4, VK_FORMAT_B4G4R4A4_UNORM_PACK16, formatless_color,
         CUSTOM_EXT, OF_FORMATLESS)
BORDERED(formatless_border_of_b5g5r5a1, VK_FORMAT_B5G5R5A1_UNORM_PACK16, formatless_color,
         CUSTOM_EXT, OF_FORMATLESS)
BORDERED(formatted_border_of_b5g6r5, VK_FORMAT_B5G6R5_UNORM_PACK16, formatted_color, CUSTOM_EXT)
BORDERED(formatless_border_not_custom, VK_FORMAT_B5G6R5_UNORM_PACK16, formatless_color,
         OPAQUE_BLACK)

/* --- VK_QCOM_tile_memory_heap --- */

static const VkPhysicalDeviceTileMemoryHeapFeaturesQCOM tile_heap = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TILE_MEMORY_HEAP_FEATURES_QCOM,
    .tileMemoryHeap = VK_TRUE};
#define TILE_HEAP                                                       \
    .features = &tile_heap, .extensions = {"VK_QCOM_tile_memory_heap"}, \
    .null_driver = "{\"specialMemory\": true}"
#define IN_TILES \
    COMBINED, SHADER(sampled), .in_tiles = true, .usage = VK_IMAGE_USAGE_TILE_MEMORY_BIT_QCOM
static void bind_tiles(struct baseline *b, VkCommandBuffer c)
{
    const VkTileMemoryBindInfoQCOM info = {.sType = VK_STRUCTURE_TYPE_TILE_MEMORY_BIND_INFO_QCOM,
                                           .memory = tile_memory};
    DEVICE_PROC(b, vkCmdBindTileMemoryQCOM)(c, &info);
}
/* The same set once more, without anything that is bound. */
static void unbind_tiles(struct baseline *b, VkCommandBuffer c)
{
    bind_tiles(b, c);
    vkCmdDispatch(c, 1, 1, 1);
    DEVICE_PROC(b, vkCmdBindTileMemoryQCOM)(c, NULL);
}
RIGHT(tiles_bound, (IN_TILES, .begin = bind_tiles), TILE_HEAP)
RIGHT(tiles_not_used, (COMBINED, SHADER(sampled)), TILE_HEAP)
MISTAKE(tiles_not_bound, "commandBuffer-10746", (IN_TILES), TILE_HEAP)
MISTAKE(tiles_unbound, "commandBuffer-10746", (IN_TILES, .begin = unbind_tiles), TILE_HEAP)

/* --- feedback loops and tiles --- */

static const VkPhysicalDeviceVulkan13Features of_13 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .dynamicRendering = VK_TRUE};
static const VkPhysicalDeviceAttachmentFeedbackLoopLayoutFeaturesEXT loops = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ATTACHMENT_FEEDBACK_LOOP_LAYOUT_FEATURES_EXT,
    .pNext = (void *)(uintptr_t)&of_13,
    .attachmentFeedbackLoopLayout = VK_TRUE};
static const VkPhysicalDeviceTileShadingFeaturesQCOM tiles = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TILE_SHADING_FEATURES_QCOM,
    .pNext = (void *)(uintptr_t)&loops,
    .tileShading = VK_TRUE,
    .tileShadingPerTileDispatch = VK_TRUE};
#define PER_TILE .begin = begin_per_tile, .end = end_per_tile
#define LOOPED                                                                                 \
    COMBINED, SHADER(sampled), .layout = VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT, \
        .usage =                                                                               \
            VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT
#define LOOPS                                                                             \
    .features = &tiles, .extensions = {"VK_QCOM_tile_shading", "VK_QCOM_tile_properties", \
                                       "VK_EXT_attachment_feedback_loop_layout"}
static void begin_per_tile(struct baseline *b, VkCommandBuffer c)
{
    const VkRenderPassTileShadingCreateInfoQCOM shading = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_TILE_SHADING_CREATE_INFO_QCOM,
        .flags = VK_TILE_SHADING_RENDER_PASS_ENABLE_BIT_QCOM};
    const VkPerTileBeginInfoQCOM begun = {.sType = VK_STRUCTURE_TYPE_PER_TILE_BEGIN_INFO_QCOM};
    VkRenderingInfo rendering = rendering_info(NULL);
    rendering.pNext = &shading;
    rendering.colorAttachmentCount = 0;
    vkCmdBeginRendering(c, &rendering);
    DEVICE_PROC(b, vkCmdBeginPerTileExecutionQCOM)(c, &begun);
}
static void end_per_tile(struct baseline *b, VkCommandBuffer c)
{
    const VkPerTileEndInfoQCOM ended = {.sType = VK_STRUCTURE_TYPE_PER_TILE_END_INFO_QCOM};
    DEVICE_PROC(b, vkCmdEndPerTileExecutionQCOM)(c, &ended);
    vkCmdEndRendering(c);
}
MISTAKE(looped_per_tile, "None-10679", (LOOPED, PER_TILE), LOOPS)
RIGHT(looped_before_tiles, (LOOPED), LOOPS)
RIGHT(sampled_per_tile, (COMBINED, SHADER(sampled), PER_TILE), LOOPS)

/* --- the same of shader objects --- */

static const VkPhysicalDeviceFeatures2 of_objects = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .features = {.shaderStorageImageReadWithoutFormat = VK_TRUE,
                 .shaderStorageImageWriteWithoutFormat = VK_TRUE}};
static const VkPhysicalDeviceVulkan12Features minmax_of_objects = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    .pNext = (void *)(uintptr_t)&of_objects,
    .samplerFilterMinmax = VK_TRUE};
static const VkPhysicalDeviceVulkan13Features rendering_of_objects = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .pNext = (void *)(uintptr_t)&minmax_of_objects,
    .dynamicRendering = VK_TRUE};
static const VkPhysicalDeviceShaderObjectFeaturesEXT shader_objects = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
    .pNext = (void *)(uintptr_t)&rendering_of_objects,
    .shaderObject = VK_TRUE};
#define OF_OBJECTS .features = &shader_objects, .extensions = {"VK_EXT_shader_object"}
#define RIGHT_OBJECT(name_, reading_, ...) \
    RIGHT(object_##name_, (UNWRAP reading_, .object = true), OF_OBJECTS, ##__VA_ARGS__)
#define WRONG_OBJECT(name_, id_, reading_, ...) \
    MISTAKE(object_##name_, id_, (UNWRAP reading_, .object = true), OF_OBJECTS, ##__VA_ARGS__)

SCENARIO(object_in_other_layout, .drivers = NULL_DRIVER, OF_OBJECTS,
         .expect = {"VUID-vkCmdDispatch-imageLayout-00344"})
{
    dispatch_in(b, &(const struct reading){COMBINED, SHADER(sampled), .object = true},
                VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
}
SCENARIO(object_stored_in_other_layout, .drivers = NULL_DRIVER, OF_OBJECTS,
         .expect = {"VUID-vkCmdDispatch-None-09600"})
{
    dispatch_in(b, &(const struct reading){STORED, SHADER(stored_write), .object = true},
                VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
}
/* The layout that another command buffer left is known when both are submitted. */
SCENARIO(object_submitted_in_other_layout, .drivers = NULL_DRIVER, OF_OBJECTS,
         .expect = {"VUID-vkCmdDraw-None-09600"})
{
    struct dispatched made = dispatch_in(b,
                                         &(const struct reading){COMBINED, SHADER(sampled),
                                                                 .apart = true, .object = true},
                                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    const VkSubmitInfo info = submit_info(&made.commands);
    VK(vkEndCommandBuffer(made.commands));
    (void)vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE);
}
RIGHT_OBJECT(sampled, (COMBINED, SHADER(sampled)))
WRONG_OBJECT(never_written, "None-08114", (COMBINED, SHADER(sampled), .unwritten = true),
             .text = {
                 "binding 1 (\"Result\" in the shader of VK_SHADER_STAGE_COMPUTE_BIT) was never "
                 "written"})
WRONG_OBJECT(uint_linear, "magFilter-04553",
             (COMBINED, SHADER(sampled_uint), UINT, .filter = VK_FILTER_LINEAR))
RIGHT_OBJECT(uint_fetched, (COMBINED, SHADER(fetched_uint), UINT, .filter = VK_FILTER_LINEAR))
WRONG_OBJECT(uint_minimum, "magFilter-09598",
             (COMBINED, SHADER(sampled_uint), UINT, LEAST, .filter = VK_FILTER_LINEAR))
RIGHT_OBJECT(float_minimum, (COMBINED, SHADER(sampled), LEAST, .filter = VK_FILTER_LINEAR))
WRONG_OBJECT(shadow_of_color, "None-06479", (COMBINED, SHADER(sampled_shadow), .compares = VK_TRUE))
RIGHT_OBJECT(shadow_of_depth,
             (COMBINED, SHADER(sampled_shadow), .compares = VK_TRUE, .format = VK_FORMAT_D16_UNORM))
WRONG_OBJECT(float_of_uint, "format-07753", (COMBINED, SHADER(sampled), UINT))
RIGHT_OBJECT(signed_by_its_operands, (STORES_SIGNED, SHADER(fetched_signed)))
WRONG_OBJECT(flat_as_3d, "viewType-07752", (COMBINED, SHADER(sampled_3d)))
WRONG_OBJECT(array_as_flat, "viewType-07752",
             (COMBINED, SHADER(sampled), .view_type = VK_IMAGE_VIEW_TYPE_2D_ARRAY))
WRONG_OBJECT(unnormalized_levels, "unnormalizedCoordinates-09635",
             (UNNORMALIZED, SHADER(sampled), .levels = 2))
RIGHT_OBJECT(unnormalized, (UNNORMALIZED, SHADER(sampled)))
WRONG_OBJECT(atomic_of_16_bits, "None-02691",
             (STORED, SHADER(stored_atomic), .format = VK_FORMAT_R16_UINT))
RIGHT_OBJECT(atomic_of_32_bits, (STORED, SHADER(stored_atomic), UINT))
WRONG_OBJECT(atomic_texels_of_16_bits, "None-07888",
             (TEXELS, SHADER(texels_atomic), .format = VK_FORMAT_R16_UINT))
RIGHT_OBJECT(atomic_texels_of_32_bits, (TEXELS, SHADER(texels_atomic), UINT))
WRONG_OBJECT(stored_one_of_four, "OpImageWrite-08795", (STORED, SHADER(stored_one)))
RIGHT_OBJECT(stored_one_of_one, (STORED, SHADER(stored_one), .format = VK_FORMAT_R8_UNORM))
WRONG_OBJECT(texels_stored_one_of_four, "OpImageWrite-04469", (COLORS, SHADER(texels_stored_one)))
RIGHT(object_samples_of_one, (COMBINED, SHADER(sampled_samples), .object = true), OF_OBJECTS,
      .expect = {"VUID-RuntimeSpirv-samples-08726"})
IN_USE(destroy_buffer_of_object,
       (&(const struct reading){COMBINED, SHADER(sampled), .apart = true, .object = true}),
       vkDestroyBuffer(b->device, made.buffer, NULL), "VUID-vkDestroyBuffer-buffer-00922",
       OF_OBJECTS)
