/* vkUpdateDescriptorSets: what may be written where, and copied whence (14.2.5 "Descriptor Set
 * Updates"). */
#include "scenario.h"

#define WRITE(name_)  "VUID-VkWriteDescriptorSet-" name_
#define COPY(name_)   "VUID-VkCopyDescriptorSet-" name_
#define BUFFER(name_) "VUID-VkDescriptorBufferInfo-" name_
#define IMAGE(name_)  "VUID-VkDescriptorImageInfo-" name_

/* A set of bindings 0, 1 and 2: `counts` descriptors of `type` each. */
static VkDescriptorSet set_of_type(struct baseline *b, VkDescriptorType type, uint32_t first,
                                   uint32_t second, uint32_t third)
{
    VkShaderStageFlags stages = type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT
                                    ? VK_SHADER_STAGE_FRAGMENT_BIT
                                    : VK_SHADER_STAGE_ALL;
    const VkDescriptorSetLayoutBinding bindings[] = {
        {.binding = 0, .descriptorType = type, .descriptorCount = first, .stageFlags = stages},
        {.binding = 1, .descriptorType = type, .descriptorCount = second, .stageFlags = stages},
        {.binding = 2, .descriptorType = type, .descriptorCount = third, .stageFlags = stages},
    };
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = third    ? 3
                        : second ? 2
                                 : 1,
        .pBindings = bindings};
    const VkDescriptorPoolSize size = {type, 64};
    const VkDescriptorPoolInlineUniformBlockCreateInfo blocks = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO,
        .maxInlineUniformBlockBindings = 8};
    VkDescriptorPoolCreateInfo pool = descriptor_pool_info();
    pool.pNext = type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK ? &blocks : NULL;
    pool.poolSizeCount = 1;
    pool.pPoolSizes = &size;
    return make_descriptor_set(b, create_descriptor_pool(b, &pool),
                               create_descriptor_set_layout(b, &info));
}

static VkWriteDescriptorSet write_of(VkDescriptorSet set, VkDescriptorType type)
{
    return (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = set,
                                  .descriptorCount = 1,
                                  .descriptorType = type};
}

/* --- buffers --- */

#define STORAGE VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
#define UNIFORM VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER

/* One write of buffer descriptors: binding 0 has one, binding 1 two. */
#define BUFFER_WRITE(name_, type_, usage_, changes_, ...)                               \
    SCENARIO(name_, ##__VA_ARGS__)                                                      \
    {                                                                                   \
        VkDescriptorBufferInfo infos[4];                                                \
        VkDescriptorBufferInfo info = {make_buffer(b, 1024, usage_), 0, VK_WHOLE_SIZE}; \
        VkWriteDescriptorSet write = write_of(set_of_type(b, type_, 1, 2, 0), type_);   \
        write.pBufferInfo = infos;                                                      \
        changes_;                                                                       \
        for (unsigned i = 0; i < 4; i++)                                                \
            infos[i] = info;                                                            \
        vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);                          \
    }
#define STORAGE_WRITE(name_, changes_, ...) \
    BUFFER_WRITE(name_, STORAGE, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, changes_, ##__VA_ARGS__)

STORAGE_WRITE(storage_buffer, info.offset = 512)
STORAGE_WRITE(storage_buffer_range, info.range = 1024)
STORAGE_WRITE(storage_buffers_of_two_bindings, write.descriptorCount = 3)
STORAGE_WRITE(storage_buffers_beyond, write.descriptorCount = 4,
              .expect = {WRITE("dstArrayElement-00321")})
STORAGE_WRITE(storage_buffers_beyond_one, (write.dstBinding = 1, write.dstArrayElement = 2),
              .expect = {WRITE("dstArrayElement-00321")})
STORAGE_WRITE(binding_beyond, write.dstBinding = 2, .expect = {WRITE("dstBinding-00315")},
              .text = {"pDescriptorWrites[0].dstBinding is 2, but the highest binding of the set's "
                       "layout is 1"})
STORAGE_WRITE(type_of_other_binding, write.descriptorType = UNIFORM,
              .expect = {WRITE("descriptorType-00319")},
              .text = {"descriptorType is VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, but binding 0 is of "
                       "VK_DESCRIPTOR_TYPE_STORAGE_BUFFER"})
STORAGE_WRITE(offset_behind, info.offset = 1024, .expect = {BUFFER("offset-00340")})
STORAGE_WRITE(range_of_nothing, info.range = 0, .expect = {BUFFER("range-00341")})
STORAGE_WRITE(range_beyond, (info.offset = 512, info.range = 513),
              .expect = {BUFFER("range-00342")})
STORAGE_WRITE(buffer_null, info.buffer = VK_NULL_HANDLE, .expect = {BUFFER("buffer-02998")})
STORAGE_WRITE(buffers_missing, write.pBufferInfo = NULL, .expect = {WRITE("descriptorType-00324")})
STORAGE_WRITE(storage_offset_odd, info.offset = 4, .drivers = NULL_DRIVER,
              .null_driver = "{\"limits\": {\"minStorageBufferOffsetAlignment\": 16}}",
              .expect = {WRITE("descriptorType-00328")})
STORAGE_WRITE(storage_range_large, info.range = 257, .drivers = NULL_DRIVER,
              .null_driver = "{\"limits\": {\"maxStorageBufferRange\": 256}}",
              .expect = {WRITE("descriptorType-00333")})
STORAGE_WRITE(storage_whole_large, info.offset = 0, .drivers = NULL_DRIVER,
              .null_driver = "{\"limits\": {\"maxStorageBufferRange\": 256}}",
              .expect = {WRITE("descriptorType-00333")},
              .text = {
                  "range is VK_WHOLE_SIZE, 1024 bytes here, more than maxStorageBufferRange, 256"})
BUFFER_WRITE(storage_usage_missing, STORAGE, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, info.offset = 0,
             .expect = {WRITE("descriptorType-00331")})
BUFFER_WRITE(uniform_usage_missing, UNIFORM, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, info.offset = 0,
             .expect = {WRITE("descriptorType-00330")})
BUFFER_WRITE(uniform_buffer, UNIFORM, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, info.offset = 256)
BUFFER_WRITE(uniform_offset_odd, UNIFORM, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, info.offset = 4,
             .drivers = NULL_DRIVER,
             .null_driver = "{\"limits\": {\"minUniformBufferOffsetAlignment\": 16}}",
             .expect = {WRITE("descriptorType-00327")})
BUFFER_WRITE(uniform_range_large, UNIFORM, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, info.range = 257,
             .drivers = NULL_DRIVER,
             .null_driver = "{\"limits\": {\"maxUniformBufferRange\": 256}}",
             .expect = {WRITE("descriptorType-00332")})

static const VkPhysicalDeviceRobustness2FeaturesEXT null_descriptor = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT,
    .nullDescriptor = VK_TRUE};
#define NULLABLE .extensions = {"VK_EXT_robustness2"}, .features = &null_descriptor

STORAGE_WRITE(buffer_null_enabled, info.buffer = VK_NULL_HANDLE, NULLABLE)
STORAGE_WRITE(buffer_null_with_range, (info.buffer = VK_NULL_HANDLE, info.range = 4), NULLABLE,
              .expect = {BUFFER("buffer-02999")})

SCENARIO(buffer_without_memory, .expect = {WRITE("descriptorType-00329")})
{
    VkBufferCreateInfo buffer = buffer_info(256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    const VkDescriptorBufferInfo info = {create_buffer(b, &buffer), 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = write_of(set_of_type(b, STORAGE, 1, 0, 0), STORAGE);
    write.pBufferInfo = &info;
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

SCENARIO(binding_of_nothing, .expect = {WRITE("dstBinding-00316")})
{
    const VkDescriptorBufferInfo info = {make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), 0,
                                         VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = write_of(set_of_type(b, STORAGE, 1, 0, 1), STORAGE);
    write.dstBinding = 1;
    write.pBufferInfo = &info;
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

SCENARIO(binding_of_nothing_skipped)
{
    const VkDescriptorBufferInfo info = {make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), 0,
                                         VK_WHOLE_SIZE};
    const VkDescriptorBufferInfo infos[] = {info, info};
    VkWriteDescriptorSet write = write_of(set_of_type(b, STORAGE, 1, 0, 1), STORAGE);
    write.descriptorCount = 2;
    write.pBufferInfo = infos;
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

SCENARIO(layout_without_bindings, .expect = {WRITE("dstBinding-10009")})
{
    const VkDescriptorSetLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    const VkDescriptorBufferInfo info = {make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), 0,
                                         VK_WHOLE_SIZE};
    VkWriteDescriptorSet write =
        write_buffer(make_descriptor_set(b, make_descriptor_pool(b),
                                         create_descriptor_set_layout(b, &layout)),
                     &info);
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

/* --- a write that goes on into the next binding --- */

static void write_two(struct baseline *b, VkDescriptorType type, VkShaderStageFlags stages,
                      VkDescriptorBindingFlags flags, VkSampler *immutable)
{
    const VkDescriptorSetLayoutBinding bindings[] = {
        {.binding = 0,
         .descriptorType = immutable ? VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER : STORAGE,
         .descriptorCount = 1,
         .stageFlags = VK_SHADER_STAGE_ALL},
        {.binding = 1,
         .descriptorType = type,
         .descriptorCount = 1,
         .stageFlags = stages,
         .pImmutableSamplers = immutable}};
    const VkDescriptorBindingFlags list[] = {0, flags};
    const VkDescriptorSetLayoutBindingFlagsCreateInfo chained = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = 2,
        .pBindingFlags = list};
    const VkDescriptorSetLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .pNext = &chained,
        .bindingCount = 2,
        .pBindings = bindings};
    const VkDescriptorBufferInfo buffer = {
        make_buffer(b, 256,
                    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT),
        0, VK_WHOLE_SIZE};
    const VkDescriptorBufferInfo buffers[] = {buffer, buffer};
    VkWriteDescriptorSet write =
        write_of(make_descriptor_set(b, make_descriptor_pool(b),
                                     create_descriptor_set_layout(b, &layout)),
                 bindings[0].descriptorType);
    VkDescriptorImageInfo images[2] = {{0}};
    if (immutable) {
        VkImageViewCreateInfo view = image_view_info(make_image(b, VK_IMAGE_USAGE_SAMPLED_BIT));
        images[0] = images[1] = (VkDescriptorImageInfo){
            make_sampler(b), create_image_view(b, &view), VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    }
    write.descriptorCount = 2;
    write.pBufferInfo = buffers;
    write.pImageInfo = images;
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

SCENARIO(next_binding)
{
    write_two(b, STORAGE, VK_SHADER_STAGE_ALL, 0, NULL);
}

SCENARIO(next_binding_of_other_type, .expect = {WRITE("descriptorCount-00317")})
{
    write_two(b, UNIFORM, VK_SHADER_STAGE_ALL, 0, NULL);
}

SCENARIO(next_binding_for_other_stages, .expect = {WRITE("descriptorCount-10776")})
{
    write_two(b, STORAGE, VK_SHADER_STAGE_COMPUTE_BIT, 0, NULL);
}

SCENARIO(next_binding_with_other_flags, .expect = {WRITE("descriptorCount-10777")},
         .features = &(VkPhysicalDeviceVulkan12Features){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
             .descriptorBindingPartiallyBound = VK_TRUE})
{
    write_two(b, STORAGE, VK_SHADER_STAGE_ALL, VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT, NULL);
}

SCENARIO(next_binding_with_immutable_samplers, .expect = {WRITE("descriptorCount-00318")})
{
    VkSampler sampler = make_sampler(b);
    write_two(b, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_SHADER_STAGE_ALL, 0, &sampler);
}

/* --- images --- */

#define SAMPLED  VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE
#define COMBINED VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
#define STORED   VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
#define INPUT    VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT

#define IMAGE_WRITE(name_, type_, usage_, changes_, ...)                                         \
    SCENARIO(name_, ##__VA_ARGS__)                                                               \
    {                                                                                            \
        VkImageViewCreateInfo view = image_view_info(make_image(b, usage_));                     \
        VkDescriptorImageInfo info = {make_sampler(b), VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL}; \
        VkWriteDescriptorSet write = write_of(set_of_type(b, type_, 1, 0, 0), type_);            \
        bool null = false;                                                                       \
        write.pImageInfo = &info;                                                                \
        changes_;                                                                                \
        info.imageView = null ? VK_NULL_HANDLE : create_image_view(b, &view);                    \
        vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);                                   \
    }

IMAGE_WRITE(sampled_image, SAMPLED, VK_IMAGE_USAGE_SAMPLED_BIT,
            info.imageLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)
IMAGE_WRITE(combined_image, COMBINED, VK_IMAGE_USAGE_SAMPLED_BIT,
            info.imageLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)
IMAGE_WRITE(storage_image, STORED, VK_IMAGE_USAGE_STORAGE_BIT,
            view.components.r = VK_COMPONENT_SWIZZLE_R)
IMAGE_WRITE(input_attachment, INPUT,
            VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
            info.imageLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)
IMAGE_WRITE(sampled_usage_missing, SAMPLED, VK_IMAGE_USAGE_STORAGE_BIT, null = false,
            .expect = {WRITE("descriptorType-00337")},
            .text = {"imageView has the usage VK_IMAGE_USAGE_STORAGE_BIT; a descriptor of type "
                     "VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE needs VK_IMAGE_USAGE_SAMPLED_BIT"})
IMAGE_WRITE(storage_usage_missing_of_image, STORED, VK_IMAGE_USAGE_SAMPLED_BIT, null = false,
            .expect = {WRITE("descriptorType-00339")})
IMAGE_WRITE(input_usage_missing, INPUT, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, null = false,
            .expect = {WRITE("descriptorType-00338")})
IMAGE_WRITE(sampled_layout_wrong, SAMPLED, VK_IMAGE_USAGE_SAMPLED_BIT,
            info.imageLayout = VK_IMAGE_LAYOUT_UNDEFINED, .expect = {WRITE("descriptorType-04149")})
IMAGE_WRITE(combined_layout_wrong, COMBINED, VK_IMAGE_USAGE_SAMPLED_BIT,
            info.imageLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
            .expect = {WRITE("descriptorType-04150")})
IMAGE_WRITE(input_layout_wrong, INPUT,
            VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
            info.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
            .expect = {WRITE("descriptorType-04151")})
IMAGE_WRITE(storage_layout_wrong, STORED, VK_IMAGE_USAGE_STORAGE_BIT,
            info.imageLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
            .expect = {WRITE("descriptorType-04152")})
IMAGE_WRITE(storage_swizzled, STORED, VK_IMAGE_USAGE_STORAGE_BIT,
            view.components.r = VK_COMPONENT_SWIZZLE_G, .expect = {WRITE("descriptorType-00336")})
IMAGE_WRITE(sampled_swizzled, SAMPLED, VK_IMAGE_USAGE_SAMPLED_BIT,
            view.components.r = VK_COMPONENT_SWIZZLE_G)
IMAGE_WRITE(image_null, SAMPLED, VK_IMAGE_USAGE_SAMPLED_BIT, null = true,
            .expect = {WRITE("descriptorType-02997")})
IMAGE_WRITE(image_null_enabled, SAMPLED, VK_IMAGE_USAGE_SAMPLED_BIT, null = true, NULLABLE)
IMAGE_WRITE(input_null, INPUT, VK_IMAGE_USAGE_SAMPLED_BIT, null = true, NULLABLE,
            .expect = {WRITE("descriptorType-07683")})
IMAGE_WRITE(images_missing, SAMPLED, VK_IMAGE_USAGE_SAMPLED_BIT, write.pImageInfo = NULL,
            .expect = {"VUID-vkUpdateDescriptorSets-pDescriptorWrites-06493"})
IMAGE_WRITE(color_in_depth_layout, SAMPLED, VK_IMAGE_USAGE_SAMPLED_BIT,
            info.imageLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL,
            .expect = {IMAGE("imageLayout-09426")})

static VkImage bound_image(struct baseline *b, const VkImageCreateInfo *info)
{
    VkImage image = create_image(b, info);
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(b->device, image, &needs);
    VkMemoryAllocateInfo memory =
        memory_info(needs.size, (uint32_t)__builtin_ctz(needs.memoryTypeBits));
    VkDeviceMemory bound = create_memory(b, &memory);
    VK(vkBindImageMemory(b->device, image, bound, 0));
    return image;
}

/* A view of a depth/stencil image. */
static void write_depth(struct baseline *b, VkImageAspectFlags aspects, VkImageLayout layout)
{
    VkImageCreateInfo image =
        image_info(VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
    image.format = VK_FORMAT_D32_SFLOAT_S8_UINT;
    VkImageViewCreateInfo view = image_view_info(bound_image(b, &image));
    view.format = image.format;
    view.subresourceRange.aspectMask = aspects;
    const VkDescriptorImageInfo info = {VK_NULL_HANDLE, create_image_view(b, &view), layout};
    VkWriteDescriptorSet write = write_of(set_of_type(b, SAMPLED, 1, 0, 0), SAMPLED);
    write.pImageInfo = &info;
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

SCENARIO(depth)
{
    write_depth(b, VK_IMAGE_ASPECT_DEPTH_BIT, VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL);
    write_depth(b, VK_IMAGE_ASPECT_STENCIL_BIT, VK_IMAGE_LAYOUT_GENERAL);
}

SCENARIO(depth_and_stencil, .expect = {IMAGE("imageView-01976")})
{
    write_depth(b, VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT,
                VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL);
}

SCENARIO(depth_in_color_layout, .expect = {IMAGE("imageLayout-09425")})
{
    write_depth(b, VK_IMAGE_ASPECT_DEPTH_BIT, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
}

/* Views of slices of a 3D image. */
static void write_slice(struct baseline *b, VkImageCreateFlags flags, VkImageViewType view_type,
                        VkDescriptorType type)
{
    VkImageCreateInfo image =
        image_info(VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT |
                   VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    image.flags = flags;
    image.imageType = VK_IMAGE_TYPE_3D;
    image.extent.depth = 4;
    VkImageViewCreateInfo view = image_view_info(bound_image(b, &image));
    view.viewType = view_type;
    const VkDescriptorImageInfo info = {make_sampler(b), create_image_view(b, &view),
                                        VK_IMAGE_LAYOUT_GENERAL};
    VkWriteDescriptorSet write = write_of(set_of_type(b, type, 1, 0, 0), type);
    write.pImageInfo = &info;
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

#define ARRAY_FLAG VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT
#define VIEW_FLAG  VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT
static const VkPhysicalDeviceImage2DViewOf3DFeaturesEXT views_of_3d = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_2D_VIEW_OF_3D_FEATURES_EXT,
    .image2DViewOf3D = VK_TRUE,
    .sampler2DViewOf3D = VK_TRUE};
#define SLICES .extensions = {"VK_EXT_image_2d_view_of_3d"}, .features = &views_of_3d

SCENARIO(slice, SLICES)
{
    write_slice(b, ARRAY_FLAG | VIEW_FLAG, VK_IMAGE_VIEW_TYPE_2D, STORED);
    write_slice(b, ARRAY_FLAG | VIEW_FLAG, VK_IMAGE_VIEW_TYPE_2D, COMBINED);
}

SCENARIO(slices_as_array, SLICES, .expect = {IMAGE("imageView-06712")})
{
    write_slice(b, ARRAY_FLAG | VIEW_FLAG, VK_IMAGE_VIEW_TYPE_2D_ARRAY, SAMPLED);
}

SCENARIO(slice_as_input, SLICES, .expect = {IMAGE("imageView-07795")})
{
    write_slice(b, ARRAY_FLAG | VIEW_FLAG, VK_IMAGE_VIEW_TYPE_2D, INPUT);
}

SCENARIO(slice_of_image_without_flag, SLICES, .expect = {IMAGE("imageView-07796")})
{
    write_slice(b, ARRAY_FLAG, VK_IMAGE_VIEW_TYPE_2D, STORED);
}

SCENARIO(slice_stored_not_enabled, .extensions = {"VK_EXT_image_2d_view_of_3d"},
         .expect = {IMAGE("descriptorType-06713")})
{
    write_slice(b, ARRAY_FLAG, VK_IMAGE_VIEW_TYPE_2D, STORED);
}

SCENARIO(slice_sampled_not_enabled, .extensions = {"VK_EXT_image_2d_view_of_3d"},
         .expect = {IMAGE("descriptorType-06714")})
{
    write_slice(b, ARRAY_FLAG, VK_IMAGE_VIEW_TYPE_2D, SAMPLED);
}

SCENARIO(immutable_sampler_written, .expect = {WRITE("descriptorType-02752")})
{
    VkSampler sampler = make_sampler(b);
    const VkDescriptorSetLayoutBinding binding = {.descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER,
                                                  .descriptorCount = 1,
                                                  .stageFlags = VK_SHADER_STAGE_ALL,
                                                  .pImmutableSamplers = &sampler};
    VkDescriptorSetLayoutCreateInfo layout = descriptor_set_layout_info();
    layout.pBindings = &binding;
    const VkDescriptorImageInfo info = {.sampler = sampler};
    VkWriteDescriptorSet write =
        write_of(make_descriptor_set(b, make_descriptor_pool(b),
                                     create_descriptor_set_layout(b, &layout)),
                 VK_DESCRIPTOR_TYPE_SAMPLER);
    write.pImageInfo = &info;
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

/* --- Y'CbCr conversions of views and samplers --- */

static const VkPhysicalDeviceVulkan11Features ycbcr = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
    .samplerYcbcrConversion = VK_TRUE};
static const VkPhysicalDeviceVulkan11Features ycbcr_and_null = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
    .pNext = (void *)&null_descriptor,
    .samplerYcbcrConversion = VK_TRUE};

static VkSamplerYcbcrConversion conversion_of(struct baseline *b, VkSamplerYcbcrRange range)
{
    const VkSamplerYcbcrConversionCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO,
        .format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
        .ycbcrModel = VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709,
        .ycbcrRange = range,
    };
    return create_sampler_ycbcr_conversion(b, &info);
}

static VkSampler converting_sampler(struct baseline *b, VkSamplerYcbcrConversion conversion)
{
    VkSamplerYcbcrConversionInfo chained = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO, .conversion = conversion};
    VkSamplerCreateInfo info = sampler_info();
    info.pNext = conversion ? &chained : NULL;
    return create_sampler(b, &info);
}

static VkImageView converting_view(struct baseline *b, VkSamplerYcbcrConversion conversion)
{
    VkSamplerYcbcrConversionInfo chained = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO, .conversion = conversion};
    VkImageCreateInfo image = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    image.format = conversion ? VK_FORMAT_G8_B8R8_2PLANE_420_UNORM : COLOR_FORMAT;
    VkImageViewCreateInfo info = image_view_info(bound_image(b, &image));
    info.format = image.format;
    info.pNext = conversion ? &chained : NULL;
    return create_image_view(b, &info);
}

static void write_converted(struct baseline *b, VkDescriptorType type, VkSampler immutable,
                            VkImageView view)
{
    const VkDescriptorSetLayoutBinding binding = {.descriptorType = type,
                                                  .descriptorCount = 1,
                                                  .stageFlags = VK_SHADER_STAGE_ALL,
                                                  .pImmutableSamplers =
                                                      immutable ? &immutable : NULL};
    VkDescriptorSetLayoutCreateInfo layout = descriptor_set_layout_info();
    layout.pBindings = &binding;
    const VkDescriptorImageInfo info = {make_sampler(b), view,
                                        VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    VkWriteDescriptorSet write =
        write_of(make_descriptor_set(b, make_descriptor_pool(b),
                                     create_descriptor_set_layout(b, &layout)),
                 type);
    write.pImageInfo = &info;
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

#define CONVERSIONS .features = &ycbcr

SCENARIO(converted_image, CONVERSIONS)
{
    VkSamplerYcbcrConversion conversion = conversion_of(b, VK_SAMPLER_YCBCR_RANGE_ITU_FULL),
                             twin = conversion_of(b, VK_SAMPLER_YCBCR_RANGE_ITU_FULL);
    write_converted(b, COMBINED, converting_sampler(b, conversion), converting_view(b, conversion));
    write_converted(b, COMBINED, converting_sampler(b, conversion), converting_view(b, twin));
}

SCENARIO(converted_image_without_sampler, CONVERSIONS, .expect = {WRITE("descriptorType-01946")})
{
    write_converted(b, SAMPLED, VK_NULL_HANDLE,
                    converting_view(b, conversion_of(b, VK_SAMPLER_YCBCR_RANGE_ITU_FULL)));
}

SCENARIO(converted_image_with_mutable_sampler, CONVERSIONS,
         .expect = {WRITE("descriptorType-02738")})
{
    write_converted(b, COMBINED, VK_NULL_HANDLE,
                    converting_view(b, conversion_of(b, VK_SAMPLER_YCBCR_RANGE_ITU_FULL)));
}

SCENARIO(converted_image_with_other_conversion, CONVERSIONS,
         .expect = {WRITE("descriptorType-02738")})
{
    write_converted(b, COMBINED,
                    converting_sampler(b, conversion_of(b, VK_SAMPLER_YCBCR_RANGE_ITU_NARROW)),
                    converting_view(b, conversion_of(b, VK_SAMPLER_YCBCR_RANGE_ITU_FULL)));
}

SCENARIO(image_with_converting_sampler, CONVERSIONS, .expect = {WRITE("descriptorType-01948")})
{
    write_converted(b, COMBINED,
                    converting_sampler(b, conversion_of(b, VK_SAMPLER_YCBCR_RANGE_ITU_FULL)),
                    converting_view(b, VK_NULL_HANDLE));
}

SCENARIO(null_with_converting_sampler, .features = &ycbcr_and_null,
         .extensions = {"VK_EXT_robustness2"}, .drivers = NULL_DRIVER,
         .expect = {WRITE("descriptorType-09506")})
{
    write_converted(b, COMBINED,
                    converting_sampler(b, conversion_of(b, VK_SAMPLER_YCBCR_RANGE_ITU_FULL)),
                    VK_NULL_HANDLE);
}

/* --- texel buffers --- */

static void write_texel(struct baseline *b, VkDescriptorType type, VkBufferUsageFlags usage,
                        bool null)
{
    VkBufferViewCreateInfo info = buffer_view_info(make_buffer(b, 256, usage));
    VkBufferView view = null ? VK_NULL_HANDLE : create_buffer_view(b, &info);
    VkWriteDescriptorSet write = write_of(set_of_type(b, type, 1, 0, 0), type);
    write.pTexelBufferView = &view;
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

#define UNIFORM_TEXEL VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER
#define STORAGE_TEXEL VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER

SCENARIO(texel_buffers, NULLABLE)
{
    write_texel(b, UNIFORM_TEXEL, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, false);
    write_texel(b, STORAGE_TEXEL, VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT, false);
    write_texel(b, STORAGE_TEXEL, VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT, true);
}

SCENARIO(texel_null, .expect = {WRITE("descriptorType-02995")})
{
    write_texel(b, UNIFORM_TEXEL, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, true);
}

SCENARIO(uniform_texel_usage_missing, .expect = {WRITE("descriptorType-08765")})
{
    write_texel(b, UNIFORM_TEXEL, VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT, false);
}

SCENARIO(storage_texel_usage_missing, .expect = {WRITE("descriptorType-08766")})
{
    write_texel(b, STORAGE_TEXEL, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, false);
}

/* --- inline uniform blocks --- */

static const VkPhysicalDeviceVulkan13Features inline_uniform = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .inlineUniformBlock = VK_TRUE};
#define BLOCK VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK

static void write_inline(struct baseline *b, uint32_t element, uint32_t count, uint32_t size,
                         bool chain)
{
    static const uint32_t data[16];
    VkWriteDescriptorSetInlineUniformBlock block = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK,
        .dataSize = size,
        .pData = data};
    VkWriteDescriptorSet write = write_of(set_of_type(b, BLOCK, 32, 0, 0), BLOCK);
    write.pNext = chain ? &block : NULL;
    write.dstArrayElement = element;
    write.descriptorCount = count;
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

SCENARIO(inline_block, .features = &inline_uniform)
{
    write_inline(b, 16, 16, 16, true);
}

SCENARIO(inline_block_element_odd, .features = &inline_uniform,
         .expect = {WRITE("descriptorType-02219")})
{
    write_inline(b, 2, 8, 8, true);
}

SCENARIO(inline_block_count_odd, .features = &inline_uniform,
         .expect = {WRITE("descriptorType-02220")})
{
    write_inline(b, 0, 6, 6, true);
}

SCENARIO(inline_block_of_other_size, .features = &inline_uniform,
         .expect = {WRITE("descriptorType-02221")})
{
    write_inline(b, 0, 8, 4, true);
}

SCENARIO(inline_block_of_odd_size, .features = &inline_uniform,
         .expect = {"VUID-VkWriteDescriptorSetInlineUniformBlock-dataSize-02222"})
{
    write_inline(b, 0, 8, 6, true);
}

SCENARIO(inline_block_missing, .features = &inline_uniform,
         .expect = {WRITE("descriptorType-02221")})
{
    write_inline(b, 0, 8, 8, false);
}

SCENARIO(inline_block_beyond, .features = &inline_uniform,
         .expect = {WRITE("dstArrayElement-00321")})
{
    write_inline(b, 24, 12, 12, true);
}

/* --- acceleration structures, tensors --- */

#define RAYS                \
    .drivers = NULL_DRIVER, \
    .extensions = {"VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations"}

static void write_tree(struct baseline *b, uint32_t count, bool chain)
{
    VkAccelerationStructureKHR none = VK_NULL_HANDLE;
    VkWriteDescriptorSetAccelerationStructureKHR trees = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR,
        .accelerationStructureCount = 1,
        .pAccelerationStructures = &none};
    VkWriteDescriptorSet write =
        write_of(set_of_type(b, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, 2, 0, 0),
                 VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR);
    write.pNext = chain ? &trees : NULL;
    write.descriptorCount = count;
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

SCENARIO(tree_null, RAYS,
         .expect = {
             "VUID-VkWriteDescriptorSetAccelerationStructureKHR-pAccelerationStructures-03580"})
{
    write_tree(b, 1, true);
}

SCENARIO(tree_missing, RAYS, .expect = {WRITE("descriptorType-02382")})
{
    write_tree(b, 1, false);
}

SCENARIO(trees_of_other_count, .drivers = NULL_DRIVER,
         .extensions = {"VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations",
                        "VK_EXT_robustness2"},
         .features = &null_descriptor, .expect = {WRITE("descriptorType-02382")})
{
    write_tree(b, 2, true);
}

SCENARIO(tree_null_enabled, .drivers = NULL_DRIVER,
         .extensions = {"VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations",
                        "VK_EXT_robustness2"},
         .features = &null_descriptor)
{
    write_tree(b, 1, true);
}

static void write_tree_nv(struct baseline *b, bool chain)
{
    VkAccelerationStructureNV none = VK_NULL_HANDLE;
    VkWriteDescriptorSetAccelerationStructureNV trees = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_NV,
        .accelerationStructureCount = 1,
        .pAccelerationStructures = &none};
    VkWriteDescriptorSet write =
        write_of(set_of_type(b, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV, 2, 0, 0),
                 VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV);
    write.pNext = chain ? &trees : NULL;
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

#define RAYS_NV .drivers = NULL_DRIVER, .extensions = {"VK_NV_ray_tracing"}

SCENARIO(tree_nv_null, RAYS_NV,
         .expect = {
             "VUID-VkWriteDescriptorSetAccelerationStructureNV-pAccelerationStructures-03749"})
{
    write_tree_nv(b, true);
}

static void destroy_tree_nv(struct baseline *b, uint64_t handle)
{
    DEVICE_PROC(b, vkDestroyAccelerationStructureNV)(b->device,
                                                     (VkAccelerationStructureNV)(uintptr_t)handle,
                                                     NULL);
}

/* Its memory is bound later. */
static void write_new_tree_nv(struct baseline *b, VkAccelerationStructureTypeNV type)
{
    const VkAccelerationStructureCreateInfoNV info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_NV,
        .info = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_INFO_NV, .type = type}};
    VkAccelerationStructureNV tree = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateAccelerationStructureNV)(b->device, &info, NULL, &tree));
    cleanup_add(b, destroy_tree_nv, HANDLE(tree));
    const VkWriteDescriptorSetAccelerationStructureNV trees = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_NV,
        .accelerationStructureCount = 1,
        .pAccelerationStructures = &tree};
    VkWriteDescriptorSet write =
        write_of(set_of_type(b, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV, 2, 0, 0),
                 VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV);
    write.pNext = &trees;
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

SCENARIO(tree_nv_of_top_level, RAYS_NV)
{
    write_new_tree_nv(b, VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_NV);
}

SCENARIO(tree_nv_of_bottom_level, RAYS_NV,
         .expect = {
             "VUID-VkWriteDescriptorSetAccelerationStructureNV-pAccelerationStructures-03748"})
{
    write_new_tree_nv(b, VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_NV);
}

static const VkPhysicalDevicePartitionedAccelerationStructureFeaturesNV partitions = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PARTITIONED_ACCELERATION_STRUCTURE_FEATURES_NV,
    .partitionedAccelerationStructure = VK_TRUE};
#define PARTITIONS                                                                              \
    .drivers = NULL_DRIVER, .features = &partitions,                                            \
    .extensions = {"VK_NV_partitioned_acceleration_structure", "VK_KHR_acceleration_structure", \
                   "VK_KHR_deferred_host_operations", "VK_KHR_ray_tracing_pipeline"}

static void write_partitions(struct baseline *b, uint32_t count)
{
    const VkDeviceAddress places[2] = {0};
    const VkWriteDescriptorSetPartitionedAccelerationStructureNV trees = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_PARTITIONED_ACCELERATION_STRUCTURE_NV,
        .accelerationStructureCount = count,
        .pAccelerationStructures = places};
    VkWriteDescriptorSet write =
        write_of(set_of_type(b, VK_DESCRIPTOR_TYPE_PARTITIONED_ACCELERATION_STRUCTURE_NV, 2, 0, 0),
                 VK_DESCRIPTOR_TYPE_PARTITIONED_ACCELERATION_STRUCTURE_NV);
    write.pNext = &trees;
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

SCENARIO(partitioned_tree, PARTITIONS)
{
    write_partitions(b, 1);
}

SCENARIO(partitioned_trees_of_one_write, PARTITIONS,
         .expect = {"VUID-VkWriteDescriptorSetPartitionedAccelerationStructureNV-"
                    "accelerationStructureCount-10511"})
{
    write_partitions(b, 2);
}

SCENARIO(tree_nv_missing, RAYS_NV, .expect = {WRITE("descriptorType-03817")})
{
    write_tree_nv(b, false);
}

static void write_tensor(struct baseline *b, bool chain)
{
    VkTensorViewARM none = VK_NULL_HANDLE;
    VkWriteDescriptorSetTensorARM tensors = {.sType =
                                                 VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_TENSOR_ARM,
                                             .tensorViewCount = 1,
                                             .pTensorViews = &none};
    VkWriteDescriptorSet write = write_of(set_of_type(b, VK_DESCRIPTOR_TYPE_TENSOR_ARM, 2, 0, 0),
                                          VK_DESCRIPTOR_TYPE_TENSOR_ARM);
    write.pNext = chain ? &tensors : NULL;
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

#define TENSORS .drivers = NULL_DRIVER, .extensions = {"VK_ARM_tensors"}

SCENARIO(tensor_null, TENSORS,
         .expect = {"VUID-VkWriteDescriptorSetTensorARM-nullDescriptor-09898"})
{
    write_tensor(b, true);
}

SCENARIO(tensor_missing, TENSORS, .expect = {WRITE("descriptorType-09945")})
{
    write_tensor(b, false);
}

/* --- copies --- */

static VkCopyDescriptorSet copy_of_set(VkDescriptorSet from, VkDescriptorSet to)
{
    return (VkCopyDescriptorSet){.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                 .srcSet = from,
                                 .dstSet = to,
                                 .descriptorCount = 1};
}

/* Copies between two sets, with bindings of two and one descriptors. */
#define COPY_OF(name_, from_, to_, changes_, ...)                                      \
    SCENARIO(name_, ##__VA_ARGS__)                                                     \
    {                                                                                  \
        VkCopyDescriptorSet copy =                                                     \
            copy_of_set(set_of_type(b, from_, 2, 1, 0), set_of_type(b, to_, 2, 1, 0)); \
        changes_;                                                                      \
        vkUpdateDescriptorSets(b->device, 0, NULL, 1, &copy);                          \
    }

COPY_OF(copy_all, STORAGE, STORAGE, copy.descriptorCount = 3)
COPY_OF(copy_from_nowhere, STORAGE, STORAGE, copy.srcBinding = 2,
        .expect = {COPY("srcBinding-00345")})
COPY_OF(copy_to_nowhere, STORAGE, STORAGE, copy.dstBinding = 2,
        .expect = {COPY("dstBinding-00347")})
COPY_OF(copy_too_many, STORAGE, STORAGE, (copy.descriptorCount = 3, copy.srcArrayElement = 1),
        .expect = {COPY("srcArrayElement-00346")})
COPY_OF(copy_into_too_few, STORAGE, STORAGE, (copy.descriptorCount = 2, copy.dstBinding = 1),
        .expect = {COPY("dstArrayElement-00348")})
COPY_OF(copy_to_other_type, STORAGE, UNIFORM, copy.descriptorCount = 1,
        .expect = {COPY("dstBinding-02632")})
COPY_OF(copy_inside, STORAGE, STORAGE, (copy.dstSet = copy.srcSet, copy.dstBinding = 1))
COPY_OF(copy_over_itself, STORAGE, STORAGE,
        (copy.dstSet = copy.srcSet, copy.dstArrayElement = 1, copy.descriptorCount = 2),
        .expect = {COPY("srcSet-00349")})

#define COPY_BYTES(name_, changes_, ...)                                                   \
    SCENARIO(name_, .features = &inline_uniform, ##__VA_ARGS__)                            \
    {                                                                                      \
        VkCopyDescriptorSet copy =                                                         \
            copy_of_set(set_of_type(b, BLOCK, 32, 0, 0), set_of_type(b, BLOCK, 32, 0, 0)); \
        copy.descriptorCount = 8;                                                          \
        changes_;                                                                          \
        vkUpdateDescriptorSets(b->device, 0, NULL, 1, &copy);                              \
    }

COPY_BYTES(copy_bytes, copy.dstArrayElement = 4)
COPY_BYTES(copy_bytes_from_odd, copy.srcArrayElement = 2, .expect = {COPY("srcBinding-02223")})
COPY_BYTES(copy_bytes_to_odd, copy.dstArrayElement = 2, .expect = {COPY("dstBinding-02224")})
COPY_BYTES(copy_bytes_odd, copy.descriptorCount = 6, .expect = {COPY("srcBinding-02225")})

/* Copies between sets whose layouts and pools have these flags. */
static void copy_flagged(struct baseline *b, VkDescriptorSetLayoutCreateFlags from,
                         VkDescriptorPoolCreateFlags from_pool, VkDescriptorSetLayoutCreateFlags to,
                         VkDescriptorPoolCreateFlags to_pool)
{
    VkDescriptorSetLayoutCreateInfo first = descriptor_set_layout_info(), second = first;
    VkDescriptorPoolCreateInfo first_pool = descriptor_pool_info(), second_pool = first_pool;
    first.flags = from;
    second.flags = to;
    first_pool.flags |= from_pool;
    second_pool.flags |= to_pool;
    VkCopyDescriptorSet copy =
        copy_of_set(make_descriptor_set(b, create_descriptor_pool(b, &first_pool),
                                        create_descriptor_set_layout(b, &first)),
                    make_descriptor_set(b, create_descriptor_pool(b, &second_pool),
                                        create_descriptor_set_layout(b, &second)));
    vkUpdateDescriptorSets(b->device, 0, NULL, 1, &copy);
}

#define LAYOUT_AFTER VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT
#define POOL_AFTER   VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT

SCENARIO(copy_after_bind)
{
    copy_flagged(b, LAYOUT_AFTER, POOL_AFTER, LAYOUT_AFTER, POOL_AFTER);
}

SCENARIO(copy_from_after_bind_layout, .expect = {COPY("srcSet-01918")})
{
    copy_flagged(b, LAYOUT_AFTER, POOL_AFTER, 0, POOL_AFTER);
}

SCENARIO(copy_to_after_bind_layout, .expect = {COPY("srcSet-04885")})
{
    copy_flagged(b, 0, POOL_AFTER, LAYOUT_AFTER, POOL_AFTER);
}

SCENARIO(copy_from_after_bind_pool, .expect = {COPY("srcSet-01920")})
{
    copy_flagged(b, 0, POOL_AFTER, 0, 0);
}

SCENARIO(copy_to_after_bind_pool, .expect = {COPY("srcSet-04887")})
{
    copy_flagged(b, 0, 0, 0, POOL_AFTER);
}

SCENARIO(copy_to_immutable_sampler, .expect = {COPY("dstBinding-02753")})
{
    VkSampler sampler = make_sampler(b);
    const VkDescriptorSetLayoutBinding binding = {.descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER,
                                                  .descriptorCount = 1,
                                                  .stageFlags = VK_SHADER_STAGE_ALL,
                                                  .pImmutableSamplers = &sampler};
    VkDescriptorSetLayoutCreateInfo layout = descriptor_set_layout_info();
    layout.pBindings = &binding;
    VkCopyDescriptorSet copy =
        copy_of_set(set_of_type(b, VK_DESCRIPTOR_TYPE_SAMPLER, 1, 0, 0),
                    make_descriptor_set(b, make_descriptor_pool(b),
                                        create_descriptor_set_layout(b, &layout)));
    vkUpdateDescriptorSets(b->device, 0, NULL, 1, &copy);
}

/* --- mutable descriptors --- */

static const VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT mutable_type = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT,
    .mutableDescriptorType = VK_TRUE};
#define MUTABLE .extensions = {"VK_EXT_mutable_descriptor_type"}, .features = &mutable_type

static VkDescriptorSet mutable_set(struct baseline *b, VkDescriptorType first,
                                   VkDescriptorType second)
{
    const VkDescriptorType types[] = {first, second};
    const VkMutableDescriptorTypeListEXT list = {2, types};
    const VkMutableDescriptorTypeCreateInfoEXT lists = {
        .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
        .mutableDescriptorTypeListCount = 1,
        .pMutableDescriptorTypeLists = &list};
    const VkDescriptorSetLayoutBinding binding = {.descriptorType = VK_DESCRIPTOR_TYPE_MUTABLE_EXT,
                                                  .descriptorCount = 1,
                                                  .stageFlags = VK_SHADER_STAGE_ALL};
    VkDescriptorSetLayoutCreateInfo layout = descriptor_set_layout_info();
    layout.pNext = &lists;
    layout.pBindings = &binding;
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 16};
    VkDescriptorPoolCreateInfo pool = descriptor_pool_info();
    pool.poolSizeCount = 1;
    pool.pPoolSizes = &size;
    return make_descriptor_set(b, create_descriptor_pool(b, &pool),
                               create_descriptor_set_layout(b, &layout));
}

static void write_storage(struct baseline *b, VkDescriptorSet set)
{
    const VkDescriptorBufferInfo info = {make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), 0,
                                         VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = write_buffer(set, &info);
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

static void copy_one(struct baseline *b, VkDescriptorSet from, VkDescriptorSet to)
{
    const VkCopyDescriptorSet copy = copy_of_set(from, to);
    vkUpdateDescriptorSets(b->device, 0, NULL, 1, &copy);
}

SCENARIO(mutable_descriptor, MUTABLE)
{
    VkDescriptorSet set = mutable_set(b, STORAGE, UNIFORM);
    write_storage(b, set);
    copy_one(b, set, mutable_set(b, UNIFORM, STORAGE));
    copy_one(b, set, set_of_type(b, STORAGE, 1, 0, 0));
    copy_one(b, set_of_type(b, UNIFORM, 1, 0, 0), set);
}

SCENARIO(mutable_to_unlisted, MUTABLE, .expect = {WRITE("dstSet-04611")})
{
    write_storage(b, mutable_set(b, SAMPLED, UNIFORM));
}

SCENARIO(copy_unlisted_to_mutable, MUTABLE, .expect = {COPY("dstSet-04612")})
{
    copy_one(b, set_of_type(b, STORAGE, 1, 0, 0), mutable_set(b, SAMPLED, UNIFORM));
}

SCENARIO(copy_mutable_to_other, MUTABLE, .expect = {COPY("srcSet-04613")})
{
    VkDescriptorSet set = mutable_set(b, STORAGE, UNIFORM);
    write_storage(b, set);
    copy_one(b, set, set_of_type(b, UNIFORM, 1, 0, 0));
}

SCENARIO(copy_mutable_to_other_list, MUTABLE, .expect = {COPY("dstSet-04614")})
{
    copy_one(b, mutable_set(b, STORAGE, UNIFORM), mutable_set(b, STORAGE, SAMPLED));
}
