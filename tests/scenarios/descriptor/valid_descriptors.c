/* Valid updates of descriptors at the edges of their chapter (14.2). Members are ignored, and
 * writes go on into the next binding. There are templates, pushes, copies, null descriptors, and
 * counts that vary. Nothing is found in any of them. */
#include "scenario.h"

#include <string.h>

#define CHAIN(name_, Type_, TYPE_, next_, ...) \
    static const Type_ name_ = {               \
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE_, .pNext = (void *)(next_), __VA_ARGS__}
CHAIN(ycbcr, VkPhysicalDeviceVulkan11Features, VULKAN_1_1_FEATURES, NULL,
      .samplerYcbcrConversion = VK_TRUE);
CHAIN(blocks, VkPhysicalDeviceInlineUniformBlockFeatures, INLINE_UNIFORM_BLOCK_FEATURES, NULL,
      .inlineUniformBlock = VK_TRUE);
CHAIN(indexing, VkPhysicalDeviceVulkan12Features, VULKAN_1_2_FEATURES, NULL,
      .descriptorIndexing = VK_TRUE, .descriptorBindingPartiallyBound = VK_TRUE,
      .descriptorBindingVariableDescriptorCount = VK_TRUE,
      .descriptorBindingUpdateUnusedWhilePending = VK_TRUE,
      .descriptorBindingStorageBufferUpdateAfterBind = VK_TRUE, .runtimeDescriptorArray = VK_TRUE);
CHAIN(nulls, VkPhysicalDeviceRobustness2FeaturesEXT, ROBUSTNESS_2_FEATURES_EXT, NULL,
      .nullDescriptor = VK_TRUE);
CHAIN(mutables, VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT,
      MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT, NULL, .mutableDescriptorType = VK_TRUE);
#define NULLS    .features = &nulls, .extensions = {"VK_EXT_robustness2"}
#define MUTABLES .features = &mutables, .extensions = {"VK_EXT_mutable_descriptor_type"}
#define PUSHES   .extensions = {"VK_KHR_push_descriptor"}

#define TYPE(name_) VK_DESCRIPTOR_TYPE_##name_
#define ALL         VK_SHADER_STAGE_ALL
#define READ        VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL

/* An ignored member may be this. */
static const void *const bad_pointer = (const void *)0xdeadbeefdeadbeefull;

/* --- what is made here --- */

/* A layout of these bindings with flags, and a set of it, from a pool that has enough. */
struct set {
    VkDescriptorSetLayoutBinding bindings[4];
    VkDescriptorBindingFlags flags[4];
    uint32_t count; /* of bindings */
    VkDescriptorSetLayoutCreateFlags layout_flags;
    VkDescriptorPoolCreateFlags pool_flags;
    const void *layout_next, *set_next;
    VkDescriptorSetLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
};

static void make_layout_of_set(struct baseline *b, struct set *s)
{
    const VkDescriptorSetLayoutBindingFlagsCreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .pNext = s->layout_next,
        .bindingCount = s->count,
        .pBindingFlags = s->flags};
    bool flagged = s->flags[0] | s->flags[1] | s->flags[2] | s->flags[3];
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .pNext = flagged ? &flags : s->layout_next,
        .flags = s->layout_flags,
        .bindingCount = s->count,
        .pBindings = s->bindings};
    s->layout = create_descriptor_set_layout(b, &info);
    ENSURE(s->layout);
}

static VkDescriptorSet make_valid_set(struct baseline *b, struct set *s)
{
    VkDescriptorPoolSize sizes[4];
    uint32_t size_count = 0;
    const VkDescriptorPoolInlineUniformBlockCreateInfo inlines = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO,
        .maxInlineUniformBlockBindings = 8};
    VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .flags = s->pool_flags,
                                       .maxSets = 4,
                                       .pPoolSizes = sizes};
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->bindings[i].descriptorCount)
            sizes[size_count++] = (VkDescriptorPoolSize){s->bindings[i].descriptorType, 64};
        if (s->bindings[i].descriptorType == TYPE(INLINE_UNIFORM_BLOCK))
            info.pNext = &inlines;
    }
    info.poolSizeCount = size_count;
    if (!s->layout)
        make_layout_of_set(b, s);
    if (!s->pool)
        s->pool = create_descriptor_pool(b, &info);
    const VkDescriptorSetAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .pNext = s->set_next,
        .descriptorPool = s->pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &s->layout};
    VK(vkAllocateDescriptorSets(b->device, &allocate, &s->set));
    return s->set;
}

/* `count` bindings from 0 on of one type, of so many descriptors each. */
static struct set set_of_kind(VkDescriptorType type, uint32_t count, uint32_t first,
                              uint32_t second, uint32_t third)
{
    const uint32_t counts[] = {first, second, third};
    struct set s = {.count = count};
    for (uint32_t i = 0; i < count; i++)
        s.bindings[i] = (VkDescriptorSetLayoutBinding){i, type, counts[i], ALL, NULL};
    return s;
}

/* All pointers that descriptorType does not ask for lead nowhere. */
static VkWriteDescriptorSet write_of_kind(VkDescriptorSet set, VkDescriptorType type,
                                          uint32_t count)
{
    return (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = set,
                                  .descriptorCount = count,
                                  .descriptorType = type,
                                  .pImageInfo = bad_pointer,
                                  .pBufferInfo = bad_pointer,
                                  .pTexelBufferView = bad_pointer};
}

static VkDescriptorBufferInfo storage_info(struct baseline *b)
{
    return (VkDescriptorBufferInfo){make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), 0,
                                    VK_WHOLE_SIZE};
}

static VkDescriptorBufferInfo uniform_info(struct baseline *b)
{
    return (VkDescriptorBufferInfo){make_buffer(b, 1024, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT), 0,
                                    256};
}

static VkImageView view_with_usage(struct baseline *b, VkImageUsageFlags usage)
{
    VkImageViewCreateInfo info = image_view_info(make_image(b, usage));
    return create_image_view(b, &info);
}

static void update_one_set(struct baseline *b, const VkWriteDescriptorSet *write)
{
    vkUpdateDescriptorSets(b->device, 1, write, 0, NULL);
}

/* --- members that are ignored --- */

SCENARIO(write_beside_garbage)
{
    VkDescriptorBufferInfo buffer = storage_info(b);
    struct set s = set_of_kind(TYPE(STORAGE_BUFFER), 1, 1, 0, 0);
    VkWriteDescriptorSet write = write_of_kind(make_valid_set(b, &s), TYPE(STORAGE_BUFFER), 1);
    write.pBufferInfo = &buffer;
    update_one_set(b, &write);

    struct set t = set_of_kind(TYPE(SAMPLER), 1, 1, 0, 0);
    VkDescriptorImageInfo image = {make_sampler(b), GARBAGE(VkImageView),
                                   (VkImageLayout)0x7ffffffe};
    write = write_of_kind(make_valid_set(b, &t), TYPE(SAMPLER), 1);
    write.pImageInfo = &image;
    update_one_set(b, &write);

    struct set u = set_of_kind(TYPE(SAMPLED_IMAGE), 1, 1, 0, 0);
    image = (VkDescriptorImageInfo){GARBAGE(VkSampler),
                                    view_with_usage(b, VK_IMAGE_USAGE_SAMPLED_BIT), READ};
    write = write_of_kind(make_valid_set(b, &u), TYPE(SAMPLED_IMAGE), 1);
    write.pImageInfo = &image;
    update_one_set(b, &write);

    struct set v = set_of_kind(TYPE(STORAGE_IMAGE), 1, 1, 0, 0);
    image =
        (VkDescriptorImageInfo){GARBAGE(VkSampler), view_with_usage(b, VK_IMAGE_USAGE_STORAGE_BIT),
                                VK_IMAGE_LAYOUT_GENERAL};
    write = write_of_kind(make_valid_set(b, &v), TYPE(STORAGE_IMAGE), 1);
    write.pImageInfo = &image;
    update_one_set(b, &write);
    struct set w = set_of_kind(TYPE(STORAGE_TEXEL_BUFFER), 1, 1, 0, 0);
    VkBufferViewCreateInfo texels =
        buffer_view_info(make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT));
    VkBufferView view = create_buffer_view(b, &texels);
    write = write_of_kind(make_valid_set(b, &w), TYPE(STORAGE_TEXEL_BUFFER), 1);
    write.pTexelBufferView = &view;
    update_one_set(b, &write);
}

/* "If the binding being updated uses immutable samplers", sampler is not used. */
SCENARIO(immutable_sampler_beside_garbage)
{
    VkSampler sampler = make_sampler(b);
    struct set s = set_of_kind(TYPE(COMBINED_IMAGE_SAMPLER), 1, 1, 0, 0);
    s.bindings[0].pImmutableSamplers = &sampler;
    const VkDescriptorImageInfo image = {GARBAGE(VkSampler),
                                         view_with_usage(b, VK_IMAGE_USAGE_SAMPLED_BIT), READ};
    VkWriteDescriptorSet write =
        write_of_kind(make_valid_set(b, &s), TYPE(COMBINED_IMAGE_SAMPLER), 1);
    write.pImageInfo = &image;
    update_one_set(b, &write);
}

SCENARIO(inline_block_beside_garbage, .features = &blocks)
{
    struct set s = set_of_kind(TYPE(INLINE_UNIFORM_BLOCK), 2, 16, 16, 0);
    const uint32_t words[8] = {0};
    VkWriteDescriptorSetInlineUniformBlock data = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK,
        .dataSize = 16,
        .pData = words};
    VkWriteDescriptorSet write =
        write_of_kind(make_valid_set(b, &s), TYPE(INLINE_UNIFORM_BLOCK), 16);
    write.pNext = &data;
    update_one_set(b, &write);
    write.descriptorCount = data.dataSize = 4;
    write.dstArrayElement = 12;
    update_one_set(b, &write);
    /* on into the next binding */
    write.descriptorCount = data.dataSize = 20;
    update_one_set(b, &write);
}

/* --- more than one binding --- */

static VkSamplerYcbcrConversion make_conversion(struct baseline *b, int filler)
{
    VkSamplerYcbcrConversionCreateInfo info;
    memset(&info, filler, sizeof(info));
    info.sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO;
    info.pNext = NULL;
    info.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
    info.ycbcrModel = VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709;
    info.ycbcrRange = VK_SAMPLER_YCBCR_RANGE_ITU_FULL;
    memset(&info.components, 0, sizeof(info.components));
    info.xChromaOffset = info.yChromaOffset = VK_CHROMA_LOCATION_COSITED_EVEN;
    info.chromaFilter = VK_FILTER_NEAREST;
    info.forceExplicitReconstruction = VK_FALSE;
    return create_sampler_ycbcr_conversion(b, &info);
}

static VkSampler sampler_of_conversion(struct baseline *b, VkSamplerYcbcrConversion conversion)
{
    const VkSamplerYcbcrConversionInfo chained = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO, .conversion = conversion};
    VkSamplerCreateInfo info = sampler_info();
    info.pNext = &chained;
    return create_sampler(b, &info);
}

static VkImageView converting_view(struct baseline *b, VkSamplerYcbcrConversion conversion)
{
    const VkSamplerYcbcrConversionInfo chained = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO, .conversion = conversion};
    VkImageCreateInfo image = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    image.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
    VkImageViewCreateInfo info = image_view_info(make_image_of(b, &image));
    info.format = image.format;
    info.pNext = &chained;
    return create_image_view(b, &info);
}

/* The second element's sampler is the next binding's. */
SCENARIO(write_over_two_conversions, .features = &ycbcr)
{
    VkSamplerYcbcrConversion conversion = make_conversion(b, 0);
    VkSampler sampler = sampler_of_conversion(b, conversion);
    struct set s = set_of_kind(TYPE(COMBINED_IMAGE_SAMPLER), 3, 1, 0, 1);
    s.bindings[0].pImmutableSamplers = s.bindings[2].pImmutableSamplers = &sampler;
    const VkDescriptorImageInfo image = {VK_NULL_HANDLE, converting_view(b, conversion), READ},
                                images[] = {image, image};
    VkWriteDescriptorSet write =
        write_of_kind(make_valid_set(b, &s), TYPE(COMBINED_IMAGE_SAMPLER), 2);
    write.pImageInfo = images;
    update_one_set(b, &write);
}

/* Bytes after the last member do not define a conversion. */
SCENARIO(conversions_beside_garbage, .features = &ycbcr)
{
    VkSampler sampler = sampler_of_conversion(b, make_conversion(b, 0x55));
    struct set s = set_of_kind(TYPE(COMBINED_IMAGE_SAMPLER), 1, 1, 0, 0);
    s.bindings[0].pImmutableSamplers = &sampler;
    const VkDescriptorImageInfo image = {VK_NULL_HANDLE,
                                         converting_view(b, make_conversion(b, 0xaa)), READ};
    VkWriteDescriptorSet write =
        write_of_kind(make_valid_set(b, &s), TYPE(COMBINED_IMAGE_SAMPLER), 1);
    write.pImageInfo = &image;
    update_one_set(b, &write);
}

/* Binding numbers that the layout skips are bindings of no descriptors. */
SCENARIO(write_over_holes)
{
    struct set s = set_of_kind(TYPE(STORAGE_BUFFER), 3, 2, 1, 3);
    s.bindings[1].binding = 7;
    s.bindings[2].binding = 40;
    const VkDescriptorBufferInfo buffer = storage_info(b),
                                 buffers[] = {buffer, buffer, buffer, buffer, buffer};
    VkWriteDescriptorSet write = write_of_kind(make_valid_set(b, &s), TYPE(STORAGE_BUFFER), 5);
    write.dstArrayElement = 1;
    write.pBufferInfo = buffers;
    update_one_set(b, &write);
    /* "dstArrayElement: the starting element in that array"; the next binding's first may be named
     * by its own number */
    write.dstBinding = 7;
    write.dstArrayElement = 0;
    write.descriptorCount = 4;
    update_one_set(b, &write);
}

SCENARIO(copy_over_bindings)
{
    struct set s = set_of_kind(TYPE(STORAGE_BUFFER), 3, 2, 2, 2),
               t = set_of_kind(TYPE(STORAGE_BUFFER), 2, 1, 5, 0);
    const VkDescriptorBufferInfo buffer = storage_info(b),
                                 buffers[] = {buffer, buffer, buffer, buffer, buffer, buffer};
    VkWriteDescriptorSet write = write_of_kind(make_valid_set(b, &s), TYPE(STORAGE_BUFFER), 6);
    write.pBufferInfo = buffers;
    const VkCopyDescriptorSet copies[] = {
        {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
         .srcSet = s.set,
         .dstSet = make_valid_set(b, &t),
         .descriptorCount = 6},
        /* beside each other in one set */
        {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
         .srcSet = s.set,
         .dstSet = s.set,
         .srcArrayElement = 1,
         .dstBinding = 2,
         .descriptorCount = 2},
        {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
         .srcSet = s.set,
         .srcBinding = 1,
         .srcArrayElement = 1,
         .dstSet = s.set,
         .descriptorCount = 2,
         .dstArrayElement = 1},
    };
    vkUpdateDescriptorSets(b->device, 1, &write, 2, copies);
}

SCENARIO(copy_nothing_that_was_written)
{
    struct set s = set_of_kind(TYPE(STORAGE_BUFFER), 1, 2, 0, 0), t = s;
    const VkCopyDescriptorSet copy = {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                      .srcSet = make_valid_set(b, &s),
                                      .dstSet = make_valid_set(b, &t),
                                      .descriptorCount = 2};
    vkUpdateDescriptorSets(b->device, 0, NULL, 1, &copy);
}

SCENARIO(update_nothing)
{
    vkUpdateDescriptorSets(b->device, 0, bad_pointer, 0, bad_pointer);
}

SCENARIO(copy_bytes_of_inline_blocks, .features = &blocks)
{
    struct set s = set_of_kind(TYPE(INLINE_UNIFORM_BLOCK), 2, 32, 32, 0);
    const uint32_t words[16] = {0};
    VkWriteDescriptorSetInlineUniformBlock data = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK,
        .dataSize = 32,
        .pData = words};
    VkWriteDescriptorSet write =
        write_of_kind(make_valid_set(b, &s), TYPE(INLINE_UNIFORM_BLOCK), 32);
    write.pNext = &data;
    const VkCopyDescriptorSet copy = {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                      .srcSet = s.set,
                                      .srcArrayElement = 28,
                                      .dstSet = s.set,
                                      .dstBinding = 1,
                                      .dstArrayElement = 4,
                                      .descriptorCount = 4};
    vkUpdateDescriptorSets(b->device, 1, &write, 1, &copy);
}

/* --- mutable ones --- */

static void make_mutable(struct baseline *b, struct set *s, bool backwards)
{
    static const VkDescriptorType types[] = {TYPE(STORAGE_BUFFER), TYPE(UNIFORM_BUFFER),
                                             TYPE(SAMPLED_IMAGE)},
                                  back[] = {TYPE(SAMPLED_IMAGE), TYPE(UNIFORM_BUFFER),
                                            TYPE(STORAGE_BUFFER)};
    const VkMutableDescriptorTypeListEXT list = {3, backwards ? back : types},
                                         lists[] = {list, list};
    const VkMutableDescriptorTypeCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
        .mutableDescriptorTypeListCount = 2,
        .pMutableDescriptorTypeLists = lists};
    *s = set_of_kind(TYPE(MUTABLE_EXT), 2, 2, 2, 0);
    s->layout_next = &info;
    make_valid_set(b, s);
}

SCENARIO(mutable_write_each, MUTABLES)
{
    struct set s, t, plain = set_of_kind(TYPE(UNIFORM_BUFFER), 1, 4, 0, 0);
    make_mutable(b, &s, false);
    make_mutable(b, &t, true);
    make_valid_set(b, &plain);
    const VkDescriptorBufferInfo buffer = storage_info(b), other = uniform_info(b),
                                 others[] = {other, other, other};
    const VkDescriptorImageInfo image = {GARBAGE(VkSampler),
                                         view_with_usage(b, VK_IMAGE_USAGE_SAMPLED_BIT), READ};
    VkWriteDescriptorSet write = write_of_kind(s.set, TYPE(STORAGE_BUFFER), 1);
    write.pBufferInfo = &buffer;
    update_one_set(b, &write);
    write = write_of_kind(s.set, TYPE(UNIFORM_BUFFER), 3);
    write.dstArrayElement = 1;
    write.pBufferInfo = others;
    update_one_set(b, &write);
    VkCopyDescriptorSet copy = {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                .srcSet = s.set,
                                .dstSet = t.set,
                                .descriptorCount = 4};
    vkUpdateDescriptorSets(b->device, 0, NULL, 1, &copy);
    /* what is a uniform buffer now */
    copy.srcArrayElement = 1;
    copy.descriptorCount = 3;
    copy.dstSet = plain.set;
    vkUpdateDescriptorSets(b->device, 0, NULL, 1, &copy);
    write = write_of_kind(s.set, TYPE(SAMPLED_IMAGE), 1);
    write.dstBinding = 1;
    write.pImageInfo = &image;
    update_one_set(b, &write);
}

/* "A host-only set may be copied from without being in a pool for updates after bind." */
SCENARIO(host_only_copies, MUTABLES)
{
    struct set host = set_of_kind(TYPE(STORAGE_BUFFER), 1, 2, 0, 0), device = host;
    host.layout_flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_HOST_ONLY_POOL_BIT_EXT;
    host.pool_flags = VK_DESCRIPTOR_POOL_CREATE_HOST_ONLY_BIT_EXT;
    device.layout_flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT;
    device.pool_flags = VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT;
    const VkCopyDescriptorSet copy = {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                      .srcSet = make_valid_set(b, &host),
                                      .dstSet = make_valid_set(b, &device),
                                      .descriptorCount = 2};
    vkUpdateDescriptorSets(b->device, 0, NULL, 1, &copy);
}

/* --- null descriptors --- */

SCENARIO(null_of_each_type, NULLS)
{
    static const VkDescriptorType buffers[] = {TYPE(UNIFORM_BUFFER), TYPE(STORAGE_BUFFER),
                                               TYPE(UNIFORM_BUFFER_DYNAMIC),
                                               TYPE(STORAGE_BUFFER_DYNAMIC)},
                                  images[] = {TYPE(SAMPLED_IMAGE), TYPE(STORAGE_IMAGE),
                                              TYPE(COMBINED_IMAGE_SAMPLER)},
                                  texels[] = {TYPE(UNIFORM_TEXEL_BUFFER),
                                              TYPE(STORAGE_TEXEL_BUFFER)};
    for (uint32_t i = 0; i < 4; i++) {
        struct set s = set_of_kind(buffers[i], 1, 1, 0, 0);
        const VkDescriptorBufferInfo none = {VK_NULL_HANDLE, 0, VK_WHOLE_SIZE};
        VkWriteDescriptorSet write = write_of_kind(make_valid_set(b, &s), buffers[i], 1);
        write.pBufferInfo = &none;
        update_one_set(b, &write);
        /* An offset is given for it all the same: 0, as for each range that is VK_WHOLE_SIZE. */
        const uint32_t offset = 0;
        if (i >= 2)
            vkCmdBindDescriptorSets(make_recording(b), VK_PIPELINE_BIND_POINT_COMPUTE,
                                    make_pipeline_layout(b, s.layout), 0, 1, &s.set, 1, &offset);
    }
    for (uint32_t i = 0; i < 3; i++) {
        struct set s = set_of_kind(images[i], 1, 1, 0, 0);
        /* The layout of no image is none. */
        const VkDescriptorImageInfo none = {make_sampler(b), VK_NULL_HANDLE,
                                            VK_IMAGE_LAYOUT_UNDEFINED};
        VkWriteDescriptorSet write = write_of_kind(make_valid_set(b, &s), images[i], 1);
        write.pImageInfo = &none;
        update_one_set(b, &write);
    }
    for (uint32_t i = 0; i < 2; i++) {
        struct set s = set_of_kind(texels[i], 1, 1, 0, 0);
        const VkBufferView none = VK_NULL_HANDLE;
        VkWriteDescriptorSet write = write_of_kind(make_valid_set(b, &s), texels[i], 1);
        write.pTexelBufferView = &none;
        update_one_set(b, &write);
    }
}

/* --- templates --- */

/* Bytes for a template, with data at odd places. */
struct packed {
    char before;
    VkDescriptorBufferInfo first;
    char between;
    VkDescriptorImageInfo second;
} __attribute__((packed));

SCENARIO(template_of_packed_data)
{
    struct set s = set_of_kind(TYPE(STORAGE_BUFFER), 2, 1, 1, 0);
    s.bindings[1].descriptorType = TYPE(SAMPLED_IMAGE);
    const VkDescriptorUpdateTemplateEntry entries[] = {
        {1, 0, 1, TYPE(SAMPLED_IMAGE), offsetof(struct packed, second), 0},
        {0, 0, 1, TYPE(STORAGE_BUFFER), offsetof(struct packed, first), 3}};
    make_valid_set(b, &s);
    const VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 2,
        .pDescriptorUpdateEntries = entries,
        .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
        .descriptorSetLayout = s.layout,
        /* ignored */
        .pipelineBindPoint = (VkPipelineBindPoint)77,
        .pipelineLayout = GARBAGE(VkPipelineLayout),
        .set = 99};
    struct packed data = {
        1,
        storage_info(b),
        2,
        {GARBAGE(VkSampler), view_with_usage(b, VK_IMAGE_USAGE_SAMPLED_BIT), READ}};
    vkUpdateDescriptorSetWithTemplate(b->device, s.set, create_descriptor_update_template(b, &info),
                                      &data);
}

/* "The set layout ... may be destroyed once the template has been made." */
SCENARIO(template_without_its_layout)
{
    struct set s = set_of_kind(TYPE(STORAGE_BUFFER), 2, 1, 2, 0);
    const VkDescriptorUpdateTemplateEntry entry = {
        0, 0, 3, TYPE(STORAGE_BUFFER), 0, sizeof(VkDescriptorBufferInfo)};
    make_valid_set(b, &s);
    VkDescriptorSetLayoutCreateInfo again = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 2,
        .pBindings = s.bindings};
    VkDescriptorSetLayout layout;
    VK(vkCreateDescriptorSetLayout(b->device, &again, NULL, &layout));
    const VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 1,
        .pDescriptorUpdateEntries = &entry,
        .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
        .descriptorSetLayout = layout};
    VkDescriptorUpdateTemplate template = create_descriptor_update_template(b, &info);
    vkDestroyDescriptorSetLayout(b->device, layout, NULL);
    const VkDescriptorBufferInfo buffer = storage_info(b), buffers[] = {buffer, buffer, buffer};
    vkUpdateDescriptorSetWithTemplate(b->device, s.set, template, buffers);
}

SCENARIO(template_of_samplers)
{
    VkSampler sampler = make_sampler(b);
    struct set s = set_of_kind(TYPE(COMBINED_IMAGE_SAMPLER), 2, 1, 1, 0);
    s.bindings[0].pImmutableSamplers = &sampler;
    s.bindings[1].descriptorType = TYPE(SAMPLER);
    const VkDescriptorUpdateTemplateEntry entries[] = {
        {0, 0, 1, TYPE(COMBINED_IMAGE_SAMPLER), 0, 0},
        {1, 0, 1, TYPE(SAMPLER), sizeof(VkDescriptorImageInfo), sizeof(VkDescriptorImageInfo)}};
    make_valid_set(b, &s);
    const VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 2,
        .pDescriptorUpdateEntries = entries,
        .descriptorSetLayout = s.layout};
    const VkDescriptorImageInfo data[] = {
        {GARBAGE(VkSampler), view_with_usage(b, VK_IMAGE_USAGE_SAMPLED_BIT), READ},
        {sampler, GARBAGE(VkImageView), (VkImageLayout)0x7ffffffe}};
    vkUpdateDescriptorSetWithTemplate(b->device, s.set, create_descriptor_update_template(b, &info),
                                      data);
}

SCENARIO(template_of_inline_bytes, .features = &blocks)
{
    struct set s = set_of_kind(TYPE(INLINE_UNIFORM_BLOCK), 2, 16, 16, 0);
    const VkDescriptorUpdateTemplateEntry entry = {0, 4, 24, TYPE(INLINE_UNIFORM_BLOCK), 1, 77};
    make_valid_set(b, &s);
    const VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 1,
        .pDescriptorUpdateEntries = &entry,
        .descriptorSetLayout = s.layout};
    const char data[32] = {0};
    vkUpdateDescriptorSetWithTemplate(b->device, s.set, create_descriptor_update_template(b, &info),
                                      data);
}

/* --- pushes --- */

static VkPipelineLayout push_layout(struct baseline *b, struct set *s)
{
    s->layout_flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT;
    make_layout_of_set(b, s);
    return make_pipeline_layout(b, s->layout);
}

/* dstSet is ignored. */
SCENARIO(push_to_no_set, PUSHES)
{
    struct set s = set_of_kind(TYPE(STORAGE_BUFFER), 2, 2, 1, 0);
    VkPipelineLayout layout = push_layout(b, &s);
    const VkDescriptorBufferInfo buffer = storage_info(b), buffers[] = {buffer, buffer, buffer};
    VkWriteDescriptorSet write = write_of_kind(GARBAGE(VkDescriptorSet), TYPE(STORAGE_BUFFER), 3);
    write.pBufferInfo = buffers;
    DEVICE_PROC(b, vkCmdPushDescriptorSetKHR)
    (make_recording(b), VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &write);
}

/* "The pImageInfo parameter is ignored, and the immutable sampler is taken from the push descriptor
 * set layout." */
SCENARIO(push_immutable_samplers, PUSHES)
{
    VkSampler sampler = make_sampler(b);
    struct set s = set_of_kind(TYPE(SAMPLER), 2, 1, 1, 0);
    s.bindings[1].descriptorType = TYPE(COMBINED_IMAGE_SAMPLER);
    s.bindings[0].pImmutableSamplers = s.bindings[1].pImmutableSamplers = &sampler;
    VkPipelineLayout layout = push_layout(b, &s);
    const VkDescriptorImageInfo image = {GARBAGE(VkSampler),
                                         view_with_usage(b, VK_IMAGE_USAGE_SAMPLED_BIT), READ};
    VkWriteDescriptorSet writes[] = {
        write_of_kind(VK_NULL_HANDLE, TYPE(SAMPLER), 1),
        write_of_kind(VK_NULL_HANDLE, TYPE(COMBINED_IMAGE_SAMPLER), 1)};
    writes[0].pImageInfo = &image;
    writes[1].dstBinding = 1;
    writes[1].pImageInfo = &image;
    DEVICE_PROC(b, vkCmdPushDescriptorSetKHR)
    (make_recording(b), VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 2, writes);
}

SCENARIO(push_template_ignores_the_set_layout, PUSHES)
{
    struct set s = set_of_kind(TYPE(STORAGE_BUFFER), 1, 1, 0, 0);
    VkPipelineLayout layout = push_layout(b, &s);
    const VkDescriptorUpdateTemplateEntry entry = {0, 0, 1, TYPE(STORAGE_BUFFER), 0, 0};
    const VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 1,
        .pDescriptorUpdateEntries = &entry,
        .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS,
        .descriptorSetLayout = GARBAGE(VkDescriptorSetLayout),
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE,
        .pipelineLayout = layout};
    const VkDescriptorBufferInfo buffer = storage_info(b);
    /* through another layout, which is compatible */
    DEVICE_PROC(b, vkCmdPushDescriptorSetWithTemplateKHR)
    (make_recording(b), create_descriptor_update_template(b, &info),
     make_pipeline_layout(b, s.layout), 0, &buffer);
}

/* --- counts that vary --- */

static struct set variable_set(uint32_t most)
{
    struct set s = set_of_kind(TYPE(STORAGE_BUFFER), 2, 1, most, 0);
    s.flags[1] = VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT |
                 VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT;
    return s;
}

SCENARIO(variable_counts, .features = &indexing)
{
    const uint32_t counts[] = {0, 3, 16};
    for (uint32_t i = 0; i < 3; i++) {
        const VkDescriptorSetVariableDescriptorCountAllocateInfo info = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO,
            .descriptorSetCount = 1,
            .pDescriptorCounts = &counts[i]};
        struct set s = variable_set(16);
        s.set_next = &info;
        make_valid_set(b, &s);
        const VkDescriptorBufferInfo buffer = storage_info(b), buffers[] = {buffer, buffer, buffer};
        VkWriteDescriptorSet write = write_of_kind(s.set, TYPE(STORAGE_BUFFER), 3);
        write.dstBinding = 1;
        write.dstArrayElement = counts[i] - 3;
        write.pBufferInfo = buffers;
        if (counts[i])
            update_one_set(b, &write);
    }
}

/* "If descriptorSetCount is zero, or this structure is not included", the count is zero; of layouts
 * without the flag it is ignored. */
SCENARIO(variable_counts_of_others, .features = &indexing)
{
    const uint32_t large = 5000;
    VkDescriptorSetVariableDescriptorCountAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO,
        .descriptorSetCount = 1,
        .pDescriptorCounts = &large};
    struct set s = set_of_kind(TYPE(STORAGE_BUFFER), 1, 2, 0, 0), t = variable_set(16);
    s.set_next = &info;
    make_valid_set(b, &s);
    info.descriptorSetCount = 0;
    info.pDescriptorCounts = bad_pointer;
    t.set_next = &info;
    make_valid_set(b, &t);
}

/* --- dynamic offsets --- */

/* They are in the order of binding numbers, not of pBindings, and by element within. */
SCENARIO(dynamic_offsets_by_binding, .drivers = NULL_DRIVER,
         .null_driver = "{\"limits\": {\"minUniformBufferOffsetAlignment\": 256, "
                        "\"minStorageBufferOffsetAlignment\": 4}}")
{
    struct set s = {.count = 3};
    s.bindings[0] = (VkDescriptorSetLayoutBinding){9, TYPE(STORAGE_BUFFER_DYNAMIC), 1, ALL, NULL};
    s.bindings[1] = (VkDescriptorSetLayoutBinding){2, TYPE(UNIFORM_BUFFER_DYNAMIC), 2, ALL, NULL};
    s.bindings[2] = (VkDescriptorSetLayoutBinding){5, TYPE(STORAGE_BUFFER), 1, ALL, NULL};
    make_valid_set(b, &s);
    const VkDescriptorBufferInfo first = uniform_info(b), firsts[] = {first, first},
                                 last = {make_buffer(b, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), 4,
                                         8};
    VkWriteDescriptorSet writes[] = {write_of_kind(s.set, TYPE(UNIFORM_BUFFER_DYNAMIC), 2),
                                     write_of_kind(s.set, TYPE(STORAGE_BUFFER_DYNAMIC), 1)};
    writes[0].dstBinding = 2;
    writes[0].pBufferInfo = firsts;
    writes[1].dstBinding = 9;
    writes[1].pBufferInfo = &last;
    vkUpdateDescriptorSets(b->device, 2, writes, 0, NULL);
    const uint32_t offsets[] = {768, 256, 52};
    vkCmdBindDescriptorSets(make_recording(b), VK_PIPELINE_BIND_POINT_COMPUTE,
                            make_pipeline_layout(b, s.layout), 0, 1, &s.set, 3, offsets);
}

SCENARIO(dynamic_offsets_of_no_sets)
{
    struct set s = set_of_kind(TYPE(UNIFORM_BUFFER), 1, 1, 0, 0);
    make_valid_set(b, &s);
    vkCmdBindDescriptorSets(make_recording(b), VK_PIPELINE_BIND_POINT_GRAPHICS,
                            make_pipeline_layout(b, s.layout), 0, 1, &s.set, 0, bad_pointer);
}
