/* Descriptor buffers (14.3): layouts, descriptors that are got, buffers that are bound, offsets. */
#include "scenario.h"

static const VkPhysicalDeviceBufferDeviceAddressFeatures address = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceDescriptorBufferFeaturesEXT enabled = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT,
    .pNext = (void *)&address,
    .descriptorBuffer = VK_TRUE};
#define DISABLED .extensions = {"VK_EXT_descriptor_buffer"}, .features = &address
#define ENABLED \
    .extensions = {"VK_EXT_descriptor_buffer", "VK_KHR_push_descriptor"}, .features = &enabled

#define BUFFER_FLAG VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT
#define PUSH_FLAG   VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT

static VkDescriptorSetLayout layout_with(struct baseline *b, VkDescriptorSetLayoutCreateFlags flags)
{
    VkDescriptorSetLayoutCreateInfo info = descriptor_set_layout_info();
    info.flags = flags;
    return create_descriptor_set_layout(b, &info);
}

static VkDescriptorSetLayout embedded_layout(struct baseline *b)
{
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = BUFFER_FLAG | VK_DESCRIPTOR_SET_LAYOUT_CREATE_EMBEDDED_IMMUTABLE_SAMPLERS_BIT_EXT};
    return create_descriptor_set_layout(b, &info);
}

static void get_size(struct baseline *b, VkDescriptorSetLayout layout)
{
    VkDeviceSize size;
    DEVICE_PROC(b, vkGetDescriptorSetLayoutSizeEXT)(b->device, layout, &size);
}

static void get_offset(struct baseline *b, VkDescriptorSetLayout layout)
{
    VkDeviceSize offset;
    DEVICE_PROC(b, vkGetDescriptorSetLayoutBindingOffsetEXT)(b->device, layout, 0, &offset);
}

#define SIZE(name_)   "VUID-vkGetDescriptorSetLayoutSizeEXT-" name_
#define OFFSET(name_) "VUID-vkGetDescriptorSetLayoutBindingOffsetEXT-" name_

SCENARIO(layout, ENABLED)
{
    get_size(b, layout_with(b, BUFFER_FLAG));
    get_offset(b, layout_with(b, BUFFER_FLAG));
}

SCENARIO(size_not_enabled, DISABLED, .expect = {SIZE("None-08011"), SIZE("layout-08012")})
{
    get_size(b, layout_with(b, 0));
}

SCENARIO(size_of_other_layout, ENABLED, .expect = {SIZE("layout-08012")})
{
    get_size(b, layout_with(b, 0));
}

SCENARIO(size_of_push_layout, ENABLED, .expect = {SIZE("layout-11811")})
{
    get_size(b, layout_with(b, BUFFER_FLAG | PUSH_FLAG));
}

SCENARIO(size_of_embedded_layout, ENABLED, .expect = {SIZE("layout-11812")})
{
    get_size(b, embedded_layout(b));
}

SCENARIO(offset_not_enabled, DISABLED, .expect = {OFFSET("None-08013"), OFFSET("layout-08014")})
{
    get_offset(b, layout_with(b, 0));
}

SCENARIO(offset_of_other_layout, ENABLED, .expect = {OFFSET("layout-08014")})
{
    get_offset(b, layout_with(b, 0));
}

SCENARIO(offset_of_push_layout, ENABLED, .expect = {OFFSET("layout-11813")})
{
    get_offset(b, layout_with(b, BUFFER_FLAG | PUSH_FLAG));
}

SCENARIO(offset_of_embedded_layout, ENABLED, .drivers = NULL_DRIVER,
         .expect = {OFFSET("layout-11814")})
{
    get_offset(b, embedded_layout(b));
}

/* --- vkGetDescriptorEXT --- */

#define GET(name_)     "VUID-VkDescriptorGetInfoEXT-" name_
#define ADDRESS(name_) "VUID-VkDescriptorAddressInfoEXT-" name_

static VkPhysicalDeviceDescriptorBufferPropertiesEXT limits_of_descriptors(struct baseline *b)
{
    VkPhysicalDeviceDescriptorBufferPropertiesEXT limits = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &limits};
    vkGetPhysicalDeviceProperties2(b->physical_device, &properties);
    return limits;
}

static void get_descriptor_of(struct baseline *b, VkDescriptorType type, VkDescriptorDataEXT data,
                              size_t size)
{
    char room[4096];
    const VkDescriptorGetInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT, .type = type, .data = data};
    DEVICE_PROC(b, vkGetDescriptorEXT)(b->device, &info, size, room);
}

static void get_image(struct baseline *b, VkDescriptorType type, VkImageUsageFlags usage,
                      size_t size)
{
    VkImageViewCreateInfo view = image_view_info(make_image(b, usage));
    const VkDescriptorImageInfo info = {make_sampler(b), create_image_view(b, &view),
                                        VK_IMAGE_LAYOUT_GENERAL};
    get_descriptor_of(b, type, (VkDescriptorDataEXT){.pSampledImage = &info}, size);
}

SCENARIO(get_images, ENABLED)
{
    VkPhysicalDeviceDescriptorBufferPropertiesEXT sizes = limits_of_descriptors(b);
    get_image(b, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_IMAGE_USAGE_SAMPLED_BIT,
              sizes.sampledImageDescriptorSize);
    get_image(b, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_IMAGE_USAGE_STORAGE_BIT,
              sizes.storageImageDescriptorSize);
    get_image(b, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_IMAGE_USAGE_SAMPLED_BIT,
              sizes.combinedImageSamplerDescriptorSize);
    VkSampler sampler = make_sampler(b);
    get_descriptor_of(b, VK_DESCRIPTOR_TYPE_SAMPLER, (VkDescriptorDataEXT){.pSampler = &sampler},
                      sizes.samplerDescriptorSize);
}

SCENARIO(get_not_enabled, DISABLED, .expect = {"VUID-vkGetDescriptorEXT-None-08015"})
{
    VkSampler sampler = make_sampler(b);
    get_descriptor_of(b, VK_DESCRIPTOR_TYPE_SAMPLER, (VkDescriptorDataEXT){.pSampler = &sampler},
                      limits_of_descriptors(b).samplerDescriptorSize);
}

SCENARIO(get_sampler_of_other_size, ENABLED, .expect = {"VUID-vkGetDescriptorEXT-dataSize-08125"})
{
    VkSampler sampler = make_sampler(b);
    get_descriptor_of(b, VK_DESCRIPTOR_TYPE_SAMPLER, (VkDescriptorDataEXT){.pSampler = &sampler},
                      limits_of_descriptors(b).samplerDescriptorSize + 4);
}

SCENARIO(get_combined_usage, ENABLED, .expect = {GET("type-12216")})
{
    get_image(b, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_IMAGE_USAGE_STORAGE_BIT,
              limits_of_descriptors(b).combinedImageSamplerDescriptorSize);
}

SCENARIO(get_sampled_usage, ENABLED, .expect = {GET("type-12217")})
{
    get_image(b, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_IMAGE_USAGE_STORAGE_BIT,
              limits_of_descriptors(b).sampledImageDescriptorSize);
}

SCENARIO(get_storage_usage, ENABLED, .expect = {GET("type-12218")})
{
    get_image(b, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_IMAGE_USAGE_SAMPLED_BIT,
              limits_of_descriptors(b).storageImageDescriptorSize);
}

SCENARIO(get_input_usage, ENABLED, .expect = {GET("type-12219")})
{
    get_image(b, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, VK_IMAGE_USAGE_SAMPLED_BIT,
              limits_of_descriptors(b).inputAttachmentDescriptorSize);
}

static VkDeviceAddress make_addressed_of(struct baseline *b, VkBufferUsageFlags usage,
                                         VkBuffer *made)
{
    VkBufferCreateInfo info = buffer_info(1024, usage | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    VkBuffer buffer = create_buffer(b, &info);
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(b->device, buffer, &needs);
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkMemoryAllocateInfo memory =
        memory_info(needs.size, (uint32_t)__builtin_ctz(needs.memoryTypeBits));
    memory.pNext = &flags;
    VkDeviceMemory bound = create_memory(b, &memory);
    VK(vkBindBufferMemory(b->device, buffer, bound, 0));
    const VkBufferDeviceAddressInfo address_info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffer};
    *made = buffer;
    return vkGetBufferDeviceAddress(b->device, &address_info);
}

static VkDeviceAddress address_of_new(struct baseline *b, VkBufferUsageFlags usage)
{
    VkBuffer made;
    return make_addressed_of(b, usage, &made);
}

static void get_buffer(struct baseline *b, VkDescriptorType type, VkDeviceAddress at,
                       VkDeviceSize range, VkFormat format, size_t size)
{
    const VkDescriptorAddressInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT,
                                             .address = at,
                                             .range = range,
                                             .format = format};
    get_descriptor_of(b, type, (VkDescriptorDataEXT){.pUniformBuffer = &info}, size);
}

#define STORAGE VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
#define UNIFORM VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
#define USAGES                                                                \
    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | \
        VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT

/* "format is the format of the data elements in the buffer view and is ignored for buffers." */
SCENARIO(get_buffers_of_any_format, ENABLED)
{
    VkDeviceAddress at = address_of_new(b, USAGES);
    VkPhysicalDeviceDescriptorBufferPropertiesEXT sizes = limits_of_descriptors(b);
    get_buffer(b, STORAGE, at, 1024, (VkFormat)0x7ffffffe, sizes.storageBufferDescriptorSize);
    get_buffer(b, UNIFORM, at, 1024, VK_FORMAT_G8_B8R8_2PLANE_444_UNORM,
               sizes.uniformBufferDescriptorSize);
}

SCENARIO(get_texels_of_no_format, ENABLED, .drivers = NULL_DRIVER,
         .expect = {ADDRESS("format-parameter")})
{
    get_buffer(b, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, address_of_new(b, USAGES), 1024,
               (VkFormat)0x7ffffffe, limits_of_descriptors(b).uniformTexelBufferDescriptorSize);
}

SCENARIO(get_buffers, ENABLED)
{
    VkDeviceAddress at = address_of_new(b, USAGES);
    VkPhysicalDeviceDescriptorBufferPropertiesEXT sizes = limits_of_descriptors(b);
    get_buffer(b, STORAGE, at, 1024, 0, sizes.storageBufferDescriptorSize);
    get_buffer(b, UNIFORM, at, 1024, 0, sizes.uniformBufferDescriptorSize);
    get_buffer(b, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, at, 1024, VK_FORMAT_R32_UINT,
               sizes.uniformTexelBufferDescriptorSize);
}

#define OTHER_USAGE(name_, type_, usage_, id_, size_)                                   \
    SCENARIO(name_, ENABLED, .expect = {GET(id_)})                                      \
    {                                                                                   \
        get_buffer(b, type_, address_of_new(b, VK_BUFFER_USAGE_##usage_##_BIT), 256,    \
                   VK_FORMAT_R32_UINT, limits_of_descriptors(b).size_##DescriptorSize); \
    }
OTHER_USAGE(get_uniform_usage, UNIFORM, STORAGE_BUFFER, "type-12220", uniformBuffer)
OTHER_USAGE(get_storage_buffer_usage, STORAGE, UNIFORM_BUFFER, "type-12221", storageBuffer)
OTHER_USAGE(get_uniform_texels_usage, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, STORAGE_TEXEL_BUFFER,
            "type-12222", uniformTexelBuffer)
OTHER_USAGE(get_storage_texels_usage, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, UNIFORM_TEXEL_BUFFER,
            "type-12223", storageTexelBuffer)

SCENARIO(get_storage_of_no_buffer, ENABLED, .drivers = NULL_DRIVER, .expect = {GET("type-12221")})
{
    get_buffer(b, STORAGE, 0x7000000000000000ull, 256, 0,
               limits_of_descriptors(b).storageBufferDescriptorSize);
}

SCENARIO(get_texels_odd, ENABLED, .drivers = NULL_DRIVER, .expect = {GET("type-12269")},
         .null_driver = "{\"properties\": {\"uniformTexelBufferOffsetAlignmentBytes\": 16, "
                        "\"uniformTexelBufferOffsetSingleTexelAlignment\": false}}")
{
    get_buffer(b, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, address_of_new(b, USAGES) + 4, 64,
               VK_FORMAT_R32_UINT, limits_of_descriptors(b).uniformTexelBufferDescriptorSize);
}

static void get_structure(struct baseline *b, VkDeviceAddress at)
{
    get_descriptor_of(b, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR,
                      (VkDescriptorDataEXT){.accelerationStructure = at},
                      limits_of_descriptors(b).accelerationStructureDescriptorSize);
}

static const VkPhysicalDeviceRobustness2FeaturesEXT nullable = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT,
    .pNext = (void *)&enabled,
    .nullDescriptor = VK_TRUE};
#define STRUCTURES \
    "VK_EXT_descriptor_buffer", "VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations"
SCENARIO(get_null_structure, .extensions = {STRUCTURES, "VK_EXT_robustness2"},
         .features = &nullable)
{
    get_structure(b, 0);
}
SCENARIO(get_no_structure, .extensions = {STRUCTURES}, .features = &enabled,
         .expect = {"VUID-VkDescriptorDataEXT-type-08041"})
{
    get_structure(b, 0);
}

SCENARIO(get_range_of_nothing, ENABLED, .expect = {ADDRESS("range-08940")})
{
    get_buffer(b, STORAGE, address_of_new(b, USAGES), 0, 0,
               limits_of_descriptors(b).storageBufferDescriptorSize);
}

SCENARIO(get_whole_range, ENABLED, .drivers = NULL_DRIVER,
         .expect = {ADDRESS("nullDescriptor-08939")})
{
    get_buffer(b, STORAGE, address_of_new(b, USAGES), VK_WHOLE_SIZE, 0,
               limits_of_descriptors(b).storageBufferDescriptorSize);
}

SCENARIO(get_range_behind_the_end, ENABLED, .drivers = NULL_DRIVER,
         .expect = {ADDRESS("range-08045")})
{
    get_buffer(b, STORAGE, address_of_new(b, USAGES) + 512, 1024, 0,
               limits_of_descriptors(b).storageBufferDescriptorSize);
}

SCENARIO(get_null_not_enabled, ENABLED, .expect = {ADDRESS("address-08043")})
{
    get_buffer(b, STORAGE, 0, VK_WHOLE_SIZE, 0,
               limits_of_descriptors(b).storageBufferDescriptorSize);
}

SCENARIO(get_null_with_range, ENABLED,
         .expect = {ADDRESS("address-08043"), ADDRESS("nullDescriptor-08938")})
{
    get_buffer(b, STORAGE, 0, 16, 0, limits_of_descriptors(b).storageBufferDescriptorSize);
}

SCENARIO(get_null_with_range_where_it_may_be,
         .extensions = {"VK_EXT_descriptor_buffer", "VK_EXT_robustness2"}, .features = &nullable,
         .expect = {ADDRESS("nullDescriptor-08938")})
{
    get_buffer(b, STORAGE, 0, 16, 0, limits_of_descriptors(b).storageBufferDescriptorSize);
}

SCENARIO(get_texel_without_format, ENABLED, .expect = {ADDRESS("None-09508")})
{
    get_buffer(b, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, address_of_new(b, USAGES), 64,
               VK_FORMAT_UNDEFINED, limits_of_descriptors(b).uniformTexelBufferDescriptorSize);
}

#define LIMITS(values_) .drivers = NULL_DRIVER, .null_driver = "{\"limits\": {" values_ "}}"

SCENARIO(get_uniform_odd, ENABLED, LIMITS("\"minUniformBufferOffsetAlignment\": 64"),
         .expect = {GET("type-12265")})
{
    get_buffer(b, UNIFORM, address_of_new(b, USAGES) + 16, 64, 0,
               limits_of_descriptors(b).uniformBufferDescriptorSize);
}

SCENARIO(get_storage_odd, ENABLED, LIMITS("\"minStorageBufferOffsetAlignment\": 64"),
         .expect = {GET("type-12266")})
{
    get_buffer(b, STORAGE, address_of_new(b, USAGES) + 16, 64, 0,
               limits_of_descriptors(b).storageBufferDescriptorSize);
}

SCENARIO(get_uniform_large, ENABLED, LIMITS("\"maxUniformBufferRange\": 256"),
         .expect = {GET("type-12492")})
{
    get_buffer(b, UNIFORM, address_of_new(b, USAGES), 512, 0,
               limits_of_descriptors(b).uniformBufferDescriptorSize);
}

SCENARIO(get_storage_large, ENABLED, LIMITS("\"maxStorageBufferRange\": 256"),
         .expect = {GET("type-12493")})
{
    get_buffer(b, STORAGE, address_of_new(b, USAGES), 512, 0,
               limits_of_descriptors(b).storageBufferDescriptorSize);
}

SCENARIO(get_dynamic, ENABLED, .drivers = NULL_DRIVER, .expect = {GET("type-08018")})
{
    get_buffer(b, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, address_of_new(b, USAGES), 64, 0, 16);
}

/* --- binding --- */

#define BIND(name_) "VUID-vkCmdBindDescriptorBuffersEXT-" name_
#define INFO(name_) "VUID-VkDescriptorBufferBindingInfoEXT-" name_
#define RESOURCES   VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT
#define SAMPLERS    VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT
#define PUSHES      VK_BUFFER_USAGE_PUSH_DESCRIPTORS_DESCRIPTOR_BUFFER_BIT_EXT

static VkCommandBuffer bind_with(struct baseline *b, uint32_t count, VkBufferUsageFlags usage,
                                 VkDeviceSize offset, bool with_handle)
{
    VkDescriptorBufferBindingInfoEXT infos[4];
    VkDescriptorBufferBindingPushDescriptorBufferHandleEXT handle = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_PUSH_DESCRIPTOR_BUFFER_HANDLE_EXT};
    VkDeviceAddress at = make_addressed_of(b, usage ? usage : RESOURCES, &handle.buffer) + offset;
    for (uint32_t i = 0; i < 4; i++)
        infos[i] = (VkDescriptorBufferBindingInfoEXT){
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT,
            .pNext = with_handle ? &handle : NULL,
            .address = at,
            .usage = usage};
    VkCommandBuffer commands = make_recording(b);
    DEVICE_PROC(b, vkCmdBindDescriptorBuffersEXT)(commands, count, infos);
    return commands;
}

static VkCommandBuffer bind_descriptor_buffers(struct baseline *b, uint32_t count,
                                               VkBufferUsageFlags usage, VkDeviceSize offset)
{
    return bind_with(b, count, usage, offset, false);
}

SCENARIO(bind_buffer, ENABLED)
{
    bind_descriptor_buffers(b, 1, RESOURCES | SAMPLERS, 0);
}

static void bind_at(struct baseline *b, VkDeviceAddress at, VkBufferUsageFlags usage)
{
    const VkDescriptorBufferBindingInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT,
        .address = at,
        .usage = usage};
    DEVICE_PROC(b, vkCmdBindDescriptorBuffersEXT)(make_recording(b), 1, &info);
}

/* There are more usages in 64 bits, but not here. */
SCENARIO(bind_with_unknown_usage, ENABLED, .expect = {INFO("None-09499")})
{
    bind_at(b, address_of_new(b, RESOURCES), RESOURCES | 1u << 30);
}

SCENARIO(bind_resources_as_samplers, ENABLED, .expect = {INFO("usage-08122")})
{
    bind_at(b, address_of_new(b, RESOURCES), SAMPLERS);
}

SCENARIO(bind_samplers_as_resources, ENABLED, .expect = {INFO("usage-08123")})
{
    bind_at(b, address_of_new(b, SAMPLERS), RESOURCES);
}

SCENARIO(bind_resources_as_pushes, ENABLED, .drivers = NULL_DRIVER,
         .null_driver = "{\"properties\": {\"bufferlessPushDescriptors\": true}}",
         .expect = {INFO("usage-08124")})
{
    bind_at(b, address_of_new(b, RESOURCES), RESOURCES | PUSHES);
}

/* "Usage flags other than ... are ignored." */
SCENARIO(bind_with_other_usages, ENABLED)
{
    bind_at(b, address_of_new(b, RESOURCES), RESOURCES | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
}

/* Two buffers in the same memory, and so at the same address: each has one of the usages. */
SCENARIO(bind_without_all_usages, ENABLED, .drivers = LAVAPIPE,
         .expect = {BIND("pBindingInfos-08055")})
{
    static const VkBufferUsageFlags usages[2] = {RESOURCES, SAMPLERS};
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkDeviceMemory bound = VK_NULL_HANDLE;
    VkDeviceAddress at = 0;
    for (uint32_t i = 0; i < 2; i++) {
        VkBufferCreateInfo info =
            buffer_info(1024, usages[i] | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
        VkBuffer buffer = create_buffer(b, &info);
        VkMemoryRequirements needs;
        vkGetBufferMemoryRequirements(b->device, buffer, &needs);
        VkMemoryAllocateInfo memory =
            memory_info(needs.size, (uint32_t)__builtin_ctz(needs.memoryTypeBits));
        memory.pNext = &flags;
        bound = bound ? bound : create_memory(b, &memory);
        VK(vkBindBufferMemory(b->device, buffer, bound, 0));
        const VkBufferDeviceAddressInfo address_info = {
            .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffer};
        at = vkGetBufferDeviceAddress(b->device, &address_info);
    }
    bind_at(b, at, RESOURCES);
    bind_at(b, at, SAMPLERS);
    bind_at(b, at, RESOURCES | SAMPLERS);
}

SCENARIO(bind_address_of_nothing, ENABLED, .expect = {INFO("usage-08123")})
{
    bind_at(b, (VkDeviceAddress)1 << 40, RESOURCES);
}

SCENARIO(bind_not_enabled, DISABLED, .drivers = NULL_DRIVER, .expect = {BIND("None-08047")})
{
    bind_descriptor_buffers(b, 1, RESOURCES, 0);
}

SCENARIO(bind_usage_zero, ENABLED, .drivers = NULL_DRIVER, .expect = {INFO("None-09500")})
{
    bind_descriptor_buffers(b, 1, 0, 0);
}

SCENARIO(bind_usage_of_others, ENABLED, .drivers = NULL_DRIVER, .expect = {INFO("usage-10998")})
{
    bind_descriptor_buffers(b, 1, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0);
}

SCENARIO(bind_odd, ENABLED, LIMITS("\"descriptorBufferOffsetAlignment\": 64"),
         .expect = {INFO("address-08057")})
{
    bind_descriptor_buffers(b, 1, RESOURCES, 16);
}

SCENARIO(bind_too_many, ENABLED, LIMITS("\"maxDescriptorBufferBindings\": 1"),
         .expect = {BIND("bufferCount-08051")})
{
    bind_descriptor_buffers(b, 2, RESOURCES, 0);
}

SCENARIO(bind_too_many_samplers, ENABLED, LIMITS("\"maxSamplerDescriptorBufferBindings\": 1"),
         .expect = {BIND("maxSamplerDescriptorBufferBindings-08048")})
{
    bind_descriptor_buffers(b, 2, SAMPLERS, 0);
}

SCENARIO(bind_too_many_resources, ENABLED, LIMITS("\"maxResourceDescriptorBufferBindings\": 1"),
         .expect = {BIND("maxResourceDescriptorBufferBindings-08049")})
{
    bind_descriptor_buffers(b, 2, RESOURCES, 0);
}

static const VkPhysicalDeviceDescriptorBufferFeaturesEXT pushes_enabled = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT,
    .pNext = (void *)&address,
    .descriptorBuffer = VK_TRUE,
    .descriptorBufferPushDescriptors = VK_TRUE};
#define WITH_PUSHES                                                                               \
    .extensions = {"VK_EXT_descriptor_buffer", "VK_KHR_push_descriptor"}, .drivers = NULL_DRIVER, \
    .features = &pushes_enabled,                                                                  \
    .null_driver = "{\"properties\": {\"bufferlessPushDescriptors\": false}}"

SCENARIO(bind_for_pushes, WITH_PUSHES)
{
    bind_with(b, 1, RESOURCES | PUSHES, 0, true);
}

SCENARIO(bind_two_for_pushes, WITH_PUSHES, .expect = {BIND("None-08050")})
{
    bind_with(b, 2, RESOURCES | PUSHES, 0, true);
}

SCENARIO(bind_for_pushes_without_buffer, WITH_PUSHES,
         .expect = {INFO("bufferlessPushDescriptors-08056")})
{
    bind_descriptor_buffers(b, 1, RESOURCES | PUSHES, 0);
}

/* --- offsets --- */

#define SET(name_) "VUID-vkCmdSetDescriptorBufferOffsetsEXT-" name_

static void set_offset(struct baseline *b, VkDescriptorSetLayout set_layout, uint32_t first,
                       uint32_t index, VkDeviceSize offset)
{
    VkCommandBuffer commands = bind_descriptor_buffers(b, 1, RESOURCES, 0);
    DEVICE_PROC(b, vkCmdSetDescriptorBufferOffsetsEXT)(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                                                       make_pipeline_layout(b, set_layout), first,
                                                       1, &index, &offset);
}

SCENARIO(set_offsets, ENABLED)
{
    set_offset(b, layout_with(b, BUFFER_FLAG), 0, 0, 0);
}

SCENARIO(set_offsets_not_enabled, DISABLED, .drivers = NULL_DRIVER,
         .expect = {SET("None-08060"), BIND("None-08047")})
{
    set_offset(b, layout_with(b, 0), 0, 0, 0);
}

SCENARIO(set_offset_odd, ENABLED, LIMITS("\"descriptorBufferOffsetAlignment\": 64"),
         .expect = {SET("pOffsets-08061")})
{
    set_offset(b, layout_with(b, BUFFER_FLAG), 0, 0, 16);
}

SCENARIO(set_offset_of_index_beyond, ENABLED, LIMITS("\"maxDescriptorBufferBindings\": 2"),
         .expect = {SET("pBufferIndices-08064")})
{
    set_offset(b, layout_with(b, BUFFER_FLAG), 0, 2, 0);
}

SCENARIO(set_offset_of_index_not_bound, ENABLED, .drivers = NULL_DRIVER,
         .expect = {SET("pBufferIndices-08065")})
{
    set_offset(b, layout_with(b, BUFFER_FLAG), 0, 1, 0);
}

SCENARIO(set_offset_behind_the_layout, ENABLED, .drivers = NULL_DRIVER,
         .expect = {SET("firstSet-08066")})
{
    set_offset(b, layout_with(b, BUFFER_FLAG), 1, 0, 0);
}

SCENARIO(set_offset_of_other_layout, ENABLED, .drivers = NULL_DRIVER,
         .expect = {SET("firstSet-09006")})
{
    set_offset(b, layout_with(b, 0), 0, 0, 0);
}

SCENARIO(set_offset_of_push_layout, ENABLED, .drivers = NULL_DRIVER,
         .expect = {SET("firstSet-11803")})
{
    set_offset(b, layout_with(b, BUFFER_FLAG | PUSH_FLAG), 0, 0, 0);
}

SCENARIO(set_offset_of_embedded_layout, ENABLED, .drivers = NULL_DRIVER,
         .expect = {SET("firstSet-11804")})
{
    set_offset(b, embedded_layout(b), 0, 0, 0);
}

/* A dispatch with a pipeline that takes descriptors from buffers or from sets, which come in one of
 * these two ways. */
static void dispatch_taking(struct baseline *b, bool takes_buffers, bool gives_buffers)
{
    VkDescriptorSetLayoutCreateInfo info = descriptor_set_layout_info();
    info.flags = takes_buffers ? BUFFER_FLAG : 0;
    VkComputePipelineCreateInfo pipeline_info =
        compute_pipeline_info(make_shader_module(b),
                              make_pipeline_layout(b, create_descriptor_set_layout(b, &info)));
    pipeline_info.flags = takes_buffers ? VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT : 0;
    VkPipeline pipeline = create_compute_pipeline(b, &pipeline_info);
    info.flags = gives_buffers ? BUFFER_FLAG : 0;
    VkDescriptorSetLayout set_layout = create_descriptor_set_layout(b, &info);
    VkPipelineLayout layout = make_pipeline_layout(b, set_layout);
    VkCommandBuffer commands = bind_descriptor_buffers(b, 1, RESOURCES, 0);
    if (gives_buffers) {
        DEVICE_PROC(b, vkCmdSetDescriptorBufferOffsetsEXT)
        (commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &(uint32_t){0},
         &(VkDeviceSize){0});
    } else {
        VkDescriptorSet set = make_descriptor_set(b, make_descriptor_pool(b), set_layout);
        const VkDescriptorBufferInfo buffer = {
            make_buffer(b, 4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), 0, VK_WHOLE_SIZE};
        const VkWriteDescriptorSet write = write_buffer(set, &buffer);
        vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                                NULL);
    }
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_ALL, 0, 4, &(uint32_t){0});
    vkCmdDispatch(commands, 1, 1, 1);
}

SCENARIO(dispatch_with_buffers, ENABLED, .drivers = NULL_DRIVER)
{
    dispatch_taking(b, true, true);
}

SCENARIO(dispatch_with_sets, ENABLED, .drivers = NULL_DRIVER)
{
    dispatch_taking(b, false, false);
}

SCENARIO(dispatch_with_sets_for_buffers, ENABLED, .drivers = NULL_DRIVER,
         .expect = {"VUID-vkCmdDispatch-None-08115"})
{
    dispatch_taking(b, true, false);
}

SCENARIO(dispatch_with_buffers_for_sets, ENABLED, .drivers = NULL_DRIVER,
         .expect = {"VUID-vkCmdDispatch-None-08117"})
{
    dispatch_taking(b, false, true);
}

#define COMPUTE_FAMILY                                                                          \
    .drivers = NULL_DRIVER, .null_driver =                                                      \
                                "{\"queueFamilies\": [{\"flags\": [\"graphics\", \"compute\", " \
                                "\"transfer\"], \"count\": 1}, "                                \
                                "{\"flags\": [\"compute\", \"transfer\"], \"count\": 1}]}"

static void set_offset_in(struct baseline *b, VkCommandBuffer commands, VkPipelineBindPoint point)
{
    const uint32_t index = 0;
    const VkDeviceSize offset = 0;
    const VkDescriptorBufferBindingInfoEXT binding = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT,
        .address = address_of_new(b, RESOURCES),
        .usage = RESOURCES};
    DEVICE_PROC(b, vkCmdBindDescriptorBuffersEXT)(commands, 1, &binding);
    DEVICE_PROC(b, vkCmdSetDescriptorBufferOffsetsEXT)
    (commands, point, make_pipeline_layout(b, layout_with(b, BUFFER_FLAG)), 0, 1, &index, &offset);
}

SCENARIO(set_compute_offset_in_compute_family, ENABLED, COMPUTE_FAMILY)
{
    set_offset_in(b, make_recording_of(b, 1), VK_PIPELINE_BIND_POINT_COMPUTE);
}

SCENARIO(set_graphics_offset_in_compute_family, ENABLED, COMPUTE_FAMILY,
         .expect = {SET("pipelineBindPoint-08067")},
         .text = {"pipelineBindPoint is VK_PIPELINE_BIND_POINT_GRAPHICS"})
{
    set_offset_in(b, make_recording_of(b, 1), VK_PIPELINE_BIND_POINT_GRAPHICS);
}

/* --- the second form --- */

#define SET2(name_) "VUID-vkCmdSetDescriptorBufferOffsets2EXT-" name_
static const VkPhysicalDeviceMaintenance6FeaturesKHR maintenance6 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_6_FEATURES_KHR,
    .pNext = (void *)&enabled,
    .maintenance6 = VK_TRUE};
static const VkPhysicalDeviceMaintenance6FeaturesKHR maintenance6_alone = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_6_FEATURES_KHR,
    .pNext = (void *)&address,
    .maintenance6 = VK_TRUE};
#define SECOND .extensions = {"VK_EXT_descriptor_buffer", "VK_KHR_maintenance6"}

static void set_offset2(struct baseline *b, VkCommandBuffer commands, VkShaderStageFlags stages)
{
    const uint32_t index = 0;
    const VkDeviceSize offset = 0;
    const VkDescriptorBufferBindingInfoEXT binding = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT,
        .address = address_of_new(b, RESOURCES),
        .usage = RESOURCES};
    const VkSetDescriptorBufferOffsetsInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_SET_DESCRIPTOR_BUFFER_OFFSETS_INFO_EXT,
        .stageFlags = stages,
        .layout = make_pipeline_layout(b, layout_with(b, BUFFER_FLAG)),
        .setCount = 1,
        .pBufferIndices = &index,
        .pOffsets = &offset};
    DEVICE_PROC(b, vkCmdBindDescriptorBuffersEXT)(commands, 1, &binding);
    DEVICE_PROC(b, vkCmdSetDescriptorBufferOffsets2EXT)(commands, &info);
}

SCENARIO(set_offsets2, SECOND, .features = &maintenance6, COMPUTE_FAMILY)
{
    set_offset2(b, make_recording(b), VK_SHADER_STAGE_ALL);
    set_offset2(b, make_recording_of(b, 1), VK_SHADER_STAGE_COMPUTE_BIT);
}

SCENARIO(set_offsets2_not_enabled, SECOND, .features = &maintenance6_alone, .drivers = NULL_DRIVER,
         .proceed = true, .expect = {SET2("descriptorBuffer-09470"), BIND("None-08047")},
         .text = {"descriptorBuffer"})
{
    set_offset2(b, make_recording(b), VK_SHADER_STAGE_COMPUTE_BIT);
}

SCENARIO(set_offsets2_of_vertices_in_compute_family, SECOND, .features = &maintenance6,
         COMPUTE_FAMILY, .expect = {SET2("pSetDescriptorBufferOffsetsInfo-09471")},
         .text = {"VK_SHADER_STAGE_VERTEX_BIT"})
{
    set_offset2(b, make_recording_of(b, 1), VK_SHADER_STAGE_VERTEX_BIT);
}

/* --- sets of layouts for buffers --- */

SCENARIO(bind_set_for_buffers, ENABLED, .drivers = NULL_DRIVER, .proceed = true,
         .expect = {"VUID-VkDescriptorSetAllocateInfo-pSetLayouts-08009",
                    "VUID-vkCmdBindDescriptorSets-pDescriptorSets-08010"},
         .text = {"has a layout with VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT"})
{
    VkDescriptorSetLayout layout = layout_with(b, BUFFER_FLAG);
    VkDescriptorSet set = make_descriptor_set(b, make_descriptor_pool(b), layout);
    vkCmdBindDescriptorSets(make_recording(b), VK_PIPELINE_BIND_POINT_COMPUTE,
                            make_pipeline_layout(b, layout), 0, 1, &set, 0, NULL);
}

/* --- descriptors of what is not there --- */

static const VkPhysicalDeviceRobustness2FeaturesEXT null_descriptors = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT,
    .pNext = (void *)&enabled,
    .nullDescriptor = VK_TRUE};
#define NULLS \
    .extensions = {"VK_EXT_descriptor_buffer", "VK_EXT_robustness2"}, .features = &null_descriptors

SCENARIO(get_combined_null, NULLS)
{
    const VkDescriptorImageInfo info = {.sampler = make_sampler(b)};
    get_descriptor_of(b, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                      (VkDescriptorDataEXT){.pCombinedImageSampler = &info},
                      limits_of_descriptors(b).combinedImageSamplerDescriptorSize);
}

SCENARIO(get_combined_null_of_other_size, NULLS, .drivers = NULL_DRIVER,
         .expect = {"VUID-vkGetDescriptorEXT-pDescriptorInfo-09507"},
         .text = {
             "but imageView is VK_NULL_HANDLE, which needs combinedImageSamplerDescriptorSize"})
{
    const VkDescriptorImageInfo info = {.sampler = make_sampler(b)};
    get_descriptor_of(b, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                      (VkDescriptorDataEXT){.pCombinedImageSampler = &info},
                      limits_of_descriptors(b).combinedImageSamplerDescriptorSize + 8);
}

#define GARBAGE_OF(name_, TYPE_, member_, id_)                                                    \
    SCENARIO(name_, ENABLED, .drivers = NULL_DRIVER, .expect = {GET("type-" id_)},                \
             .text = {#member_})                                                                  \
    {                                                                                             \
        const VkDescriptorImageInfo info = {.sampler = make_sampler(b),                           \
                                            .imageView = GARBAGE(VkImageView)};                   \
        get_descriptor_of(b, VK_DESCRIPTOR_TYPE_##TYPE_, (VkDescriptorDataEXT){.member_ = &info}, \
                          limits_of_descriptors(b).combinedImageSamplerDescriptorSize);           \
    }
GARBAGE_OF(get_combined_garbage, COMBINED_IMAGE_SAMPLER, pCombinedImageSampler, "08020")
GARBAGE_OF(get_input_garbage, INPUT_ATTACHMENT, pInputAttachmentImage, "08021")
GARBAGE_OF(get_sampled_garbage, SAMPLED_IMAGE, pSampledImage, "08022")
GARBAGE_OF(get_storage_garbage, STORAGE_IMAGE, pStorageImage, "08023")

SCENARIO(get_garbage_sampler, ENABLED, .drivers = NULL_DRIVER, .expect = {GET("type-08019")},
         .text = {"sampler"})
{
    const VkImageViewCreateInfo view_info =
        image_view_info(make_image(b, VK_IMAGE_USAGE_SAMPLED_BIT));
    VkImageView view = create_image_view(b, &view_info);
    const VkDescriptorImageInfo info = {.sampler = GARBAGE(VkSampler), .imageView = view};
    get_descriptor_of(b, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                      (VkDescriptorDataEXT){.pCombinedImageSampler = &info},
                      limits_of_descriptors(b).combinedImageSamplerDescriptorSize);
}

/* --- descriptors of nothing --- */

#define NOTHING(name_, type_, number_)                                                            \
    SCENARIO(name_, ENABLED, .drivers = NULL_DRIVER,                                              \
             .expect = {"VUID-VkDescriptorDataEXT-type-" number_})                                \
    {                                                                                             \
        get_descriptor_of(b, VK_DESCRIPTOR_TYPE_##type_, (VkDescriptorDataEXT){.pSampler = NULL}, \
                          limits_of_descriptors(b).sampledImageDescriptorSize);                   \
    }
NOTHING(get_no_sampled_image, SAMPLED_IMAGE, "08035")
NOTHING(get_no_storage_image, STORAGE_IMAGE, "08036")
NOTHING(get_no_uniform_texels, UNIFORM_TEXEL_BUFFER, "08037")
NOTHING(get_no_storage_texels, STORAGE_TEXEL_BUFFER, "08038")
NOTHING(get_no_uniform_buffer, UNIFORM_BUFFER, "08039")
NOTHING(get_no_storage_buffer, STORAGE_BUFFER, "08040")

static void get_image_without_view(struct baseline *b, VkDescriptorType type, size_t size)
{
    const VkDescriptorImageInfo info = {make_sampler(b), VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL};
    get_descriptor_of(b, type, (VkDescriptorDataEXT){.pSampledImage = &info}, size);
}

SCENARIO(get_combined_without_view, ENABLED, .drivers = NULL_DRIVER,
         .expect = {"VUID-VkDescriptorDataEXT-type-08034"})
{
    get_image_without_view(b, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                           limits_of_descriptors(b).combinedImageSamplerDescriptorSize);
}

SCENARIO(get_sampled_without_view, ENABLED, .drivers = NULL_DRIVER,
         .expect = {"VUID-VkDescriptorDataEXT-type-08035"})
{
    get_image_without_view(b, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                           limits_of_descriptors(b).sampledImageDescriptorSize);
}

/* With nullDescriptor all of them may be missing. */
SCENARIO(get_null_descriptors, .extensions = {"VK_EXT_descriptor_buffer", "VK_EXT_robustness2"},
         .features = &nullable, .drivers = NULL_DRIVER)
{
    VkPhysicalDeviceDescriptorBufferPropertiesEXT sizes = limits_of_descriptors(b);
    get_descriptor_of(b, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                      (VkDescriptorDataEXT){.pSampledImage = NULL},
                      sizes.sampledImageDescriptorSize);
    get_descriptor_of(b, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                      (VkDescriptorDataEXT){.pStorageBuffer = NULL},
                      sizes.storageBufferDescriptorSize);
    get_descriptor_of(b, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
                      (VkDescriptorDataEXT){.pUniformTexelBuffer = NULL},
                      sizes.uniformTexelBufferDescriptorSize);
    get_image_without_view(b, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, sizes.storageImageDescriptorSize);
}

/* --- texels --- */

#define FEW_TEXELS LIMITS("\"maxTexelBufferElements\": 16")
#define FOR_READS  VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT
#define TEXELS     (FOR_READS | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT)

SCENARIO(get_too_many_uniform_texels, ENABLED, FEW_TEXELS, .expect = {GET("type-09427")},
         .text = {"range is 68, which is 17 texels of VK_FORMAT_R32_UINT, but "
                  "maxTexelBufferElements is 16"})
{
    get_buffer(b, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, address_of_new(b, TEXELS), 68,
               VK_FORMAT_R32_UINT, limits_of_descriptors(b).uniformTexelBufferDescriptorSize);
}

SCENARIO(get_too_many_storage_texels, ENABLED, FEW_TEXELS, .expect = {GET("type-09428")})
{
    get_buffer(b, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, address_of_new(b, TEXELS), 68,
               VK_FORMAT_R32_UINT, limits_of_descriptors(b).storageTexelBufferDescriptorSize);
}

SCENARIO(get_all_texels, ENABLED, FEW_TEXELS)
{
    get_buffer(b, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, address_of_new(b, TEXELS), 64,
               VK_FORMAT_R32_UINT, limits_of_descriptors(b).uniformTexelBufferDescriptorSize);
}

static const VkPhysicalDeviceYcbcr2Plane444FormatsFeaturesEXT two_planes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_YCBCR_2_PLANE_444_FORMATS_FEATURES_EXT,
    .pNext = (void *)&enabled,
    .ycbcr2plane444Formats = VK_TRUE};
#define OLD_444                                                                   \
    .extensions = {"VK_EXT_descriptor_buffer", "VK_EXT_ycbcr_2plane_444_formats", \
                   "VK_KHR_synchronization2"},                                    \
    .api_version = VK_API_VERSION_1_2, .drivers = NULL_DRIVER,                    \
    .null_driver = "{\"apiVersion\": \"1.2.0\"}"
SCENARIO(get_texels_of_two_planes_not_enabled, OLD_444, .features = &enabled,
         .expect = {ADDRESS("None-12271")})
{
    get_buffer(b, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, address_of_new(b, TEXELS), 64,
               VK_FORMAT_G8_B8R8_2PLANE_444_UNORM,
               limits_of_descriptors(b).uniformTexelBufferDescriptorSize);
}
SCENARIO(get_texels_of_two_planes, OLD_444, .features = &two_planes)
{
    get_buffer(b, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, address_of_new(b, TEXELS), 64,
               VK_FORMAT_G8_B8R8_2PLANE_444_UNORM,
               limits_of_descriptors(b).uniformTexelBufferDescriptorSize);
}

/* --- embedded samplers --- */

#define EMBEDDED(name_)  "VUID-vkCmdBindDescriptorBufferEmbeddedSamplersEXT-" name_
#define EMBEDDED2(name_) "VUID-VkBindDescriptorBufferEmbeddedSamplersInfoEXT-" name_

static void bind_embedded(struct baseline *b, VkCommandBuffer commands, VkPipelineBindPoint point,
                          VkPipelineLayout layout, uint32_t set)
{
    DEVICE_PROC(b, vkCmdBindDescriptorBufferEmbeddedSamplersEXT)
    (commands, point, layout, set);
}

static void bind_embedded2(struct baseline *b, VkCommandBuffer commands, VkShaderStageFlags stages,
                           VkPipelineLayout layout, uint32_t set)
{
    const VkBindDescriptorBufferEmbeddedSamplersInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_BIND_DESCRIPTOR_BUFFER_EMBEDDED_SAMPLERS_INFO_EXT,
        .stageFlags = stages,
        .layout = layout,
        .set = set};
    DEVICE_PROC(b, vkCmdBindDescriptorBufferEmbeddedSamplers2EXT)(commands, &info);
}

SCENARIO(bind_embedded_samplers, ENABLED, COMPUTE_FAMILY)
{
    bind_embedded(b, make_recording_of(b, 1), VK_PIPELINE_BIND_POINT_COMPUTE,
                  make_pipeline_layout(b, embedded_layout(b)), 0);
}

/* "set must be less than or equal to setLayoutCount" */
SCENARIO(bind_embedded_samplers_after_the_last, ENABLED, .drivers = NULL_DRIVER)
{
    bind_embedded(b, make_recording(b), VK_PIPELINE_BIND_POINT_COMPUTE,
                  make_pipeline_layout(b, embedded_layout(b)), 1);
}

SCENARIO(bind_embedded_samplers_of_no_set, ENABLED, .drivers = NULL_DRIVER,
         .expect = {EMBEDDED("set-08071")})
{
    bind_embedded(b, make_recording(b), VK_PIPELINE_BIND_POINT_COMPUTE,
                  make_pipeline_layout(b, embedded_layout(b)), 2);
}

SCENARIO(bind_embedded_samplers_of_other_set, ENABLED, .drivers = NULL_DRIVER,
         .expect = {EMBEDDED("set-08070")})
{
    bind_embedded(b, make_recording(b), VK_PIPELINE_BIND_POINT_COMPUTE,
                  make_pipeline_layout(b, layout_with(b, BUFFER_FLAG)), 0);
}

SCENARIO(bind_embedded_samplers_in_compute_family, ENABLED, COMPUTE_FAMILY,
         .expect = {EMBEDDED("pipelineBindPoint-08069")})
{
    bind_embedded(b, make_recording_of(b, 1), VK_PIPELINE_BIND_POINT_GRAPHICS,
                  make_pipeline_layout(b, embedded_layout(b)), 0);
}

SCENARIO(bind_embedded_samplers2, SECOND, .features = &maintenance6, COMPUTE_FAMILY)
{
    bind_embedded2(b, make_recording_of(b, 1), VK_SHADER_STAGE_COMPUTE_BIT,
                   make_pipeline_layout(b, embedded_layout(b)), 0);
}

SCENARIO(bind_embedded_samplers2_of_no_set, SECOND, .features = &maintenance6,
         .drivers = NULL_DRIVER, .expect = {EMBEDDED2("set-08071")})
{
    bind_embedded2(b, make_recording(b), VK_SHADER_STAGE_COMPUTE_BIT,
                   make_pipeline_layout(b, embedded_layout(b)), 2);
}

SCENARIO(bind_embedded_samplers2_of_other_set, SECOND, .features = &maintenance6,
         .drivers = NULL_DRIVER, .expect = {EMBEDDED2("set-08070")})
{
    bind_embedded2(b, make_recording(b), VK_SHADER_STAGE_COMPUTE_BIT,
                   make_pipeline_layout(b, layout_with(b, BUFFER_FLAG)), 0);
}

SCENARIO(bind_embedded_samplers2_of_vertices, SECOND, .features = &maintenance6, COMPUTE_FAMILY,
         .expect = {"VUID-vkCmdBindDescriptorBufferEmbeddedSamplers2EXT-"
                    "pBindDescriptorBufferEmbeddedSamplersInfo-09473"})
{
    bind_embedded2(b, make_recording_of(b, 1), VK_SHADER_STAGE_VERTEX_BIT,
                   make_pipeline_layout(b, embedded_layout(b)), 0);
}
