/* More of images, their views, memory and pipeline layouts. There are flags and structures of newer
 * extensions, formats that lack something, and memory that needs a feature or must be dedicated. */
#include "scenario.h"

#define IMAGE(id_) "VUID-VkImageCreateInfo-" id_

/* --- images --- */

static const VkPhysicalDeviceMaintenance11FeaturesKHR maintenance11 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_11_FEATURES_KHR,
    .maintenance11 = VK_TRUE};
#define ELEVEN .drivers = NULL_DRIVER, .extensions = {"VK_KHR_maintenance11"}

static void create_aliased(struct baseline *b, VkImageType type)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.flags = VK_IMAGE_CREATE_ALIAS_SINGLE_LAYER_DESCRIPTOR_BIT_KHR;
    info.imageType = type;
    create_image(b, &info);
}

SCENARIO(image_alias_of_layer, ELEVEN, .features = &maintenance11)
{
    create_aliased(b, VK_IMAGE_TYPE_2D);
}

SCENARIO(image_alias_of_layer_without_feature, ELEVEN, .expect = {IMAGE("flags-13355")},
         .text = {"maintenance11"})
{
    create_aliased(b, VK_IMAGE_TYPE_2D);
}

SCENARIO(image_alias_of_layer_of_volume, ELEVEN, .features = &maintenance11,
         .expect = {IMAGE("flags-13356")},
         .text = {"imageType is VK_IMAGE_TYPE_3D, not VK_IMAGE_TYPE_1D or VK_IMAGE_TYPE_2D, but "
                  "flags contains "
                  "VK_IMAGE_CREATE_ALIAS_SINGLE_LAYER_DESCRIPTOR_BIT_KHR"})
{
    create_aliased(b, VK_IMAGE_TYPE_3D);
}

static const VkPhysicalDeviceExtendedFlagsFeaturesKHR wide_flags = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_FLAGS_FEATURES_KHR,
    .extendedFlags = VK_TRUE};
#define WIDE \
    .drivers = NULL_DRIVER, .extensions = {"VK_KHR_extended_flags"}, .features = &wide_flags

static void create_with_stencil(struct baseline *b, bool narrow, bool wide)
{
    VkImageStencilUsageCreateInfo usage = {.sType =
                                               VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO,
                                           .stencilUsage = VK_IMAGE_USAGE_SAMPLED_BIT};
    const VkImageStencilUsage2CreateInfoKHR usage2 = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_2_CREATE_INFO_KHR,
        .pNext = narrow ? &usage : NULL,
        .stencilUsage = VK_IMAGE_USAGE_2_SAMPLED_BIT_KHR};
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.format = VK_FORMAT_D32_SFLOAT_S8_UINT;
    info.pNext = wide ? (const void *)&usage2 : (const void *)&usage;
    create_image(b, &info);
}

SCENARIO(image_stencil_usage, WIDE)
{
    create_with_stencil(b, true, false);
    create_with_stencil(b, false, true);
}

SCENARIO(image_stencil_usage_twice, WIDE, .expect = {IMAGE("pNext-12442")},
         .text = {"has a VkImageStencilUsage2CreateInfoKHR in its pNext chain"})
{
    create_with_stencil(b, true, true);
}

#define PLANES VK_FORMAT_G8_B8R8_2PLANE_420_UNORM
static VkImage create_disjoint(struct baseline *b, const void *modifiers)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.flags = VK_IMAGE_CREATE_DISJOINT_BIT;
    info.format = PLANES;
    info.pNext = modifiers;
    if (modifiers)
        info.tiling = VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT;
    return create_image(b, &info);
}

SCENARIO(image_disjoint, .drivers = NULL_DRIVER)
{
    create_disjoint(b, NULL);
}

SCENARIO(image_disjoint_of_format_without, .drivers = NULL_DRIVER,
         .null_driver = "{\"withoutFormatFeatures\": {\"1000156003\": 4194304}}",
         .expect = {IMAGE("imageCreateFormatFeatures-02260")},
         .text = {"flags contains VK_IMAGE_CREATE_DISJOINT_BIT, but "
                  "VK_FORMAT_G8_B8R8_2PLANE_420_UNORM cannot be disjoint on this device"})
{
    create_disjoint(b, NULL);
}

static const uint64_t linear_modifier;
static const VkImageDrmFormatModifierListCreateInfoEXT modifiers = {
    .sType = VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_LIST_CREATE_INFO_EXT,
    .drmFormatModifierCount = 1,
    .pDrmFormatModifiers = &linear_modifier};
#define DRM .drivers = NULL_DRIVER, .extensions = {"VK_EXT_image_drm_format_modifier"}

static void ask_requirements(struct baseline *b, VkImage image, const void *next)
{
    const VkImageMemoryRequirementsInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2, .pNext = next, .image = image};
    VkMemoryRequirements2 requirements = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    vkGetImageMemoryRequirements2(b->device, &info, &requirements);
}

SCENARIO(requirements_of_drm_plane, DRM)
{
    const VkImagePlaneMemoryRequirementsInfo plane = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_PLANE_MEMORY_REQUIREMENTS_INFO,
        .planeAspect = VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT};
    ask_requirements(b, create_disjoint(b, &modifiers), &plane);
}

SCENARIO(requirements_of_a_third_drm_plane, DRM,
         .expect = {"VUID-VkImagePlaneMemoryRequirementsInfo-planeAspect-02282"},
         .text = {"is VK_IMAGE_ASPECT_MEMORY_PLANE_2_BIT_EXT, which is not a memory plane of"})
{
    const VkImagePlaneMemoryRequirementsInfo plane = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_PLANE_MEMORY_REQUIREMENTS_INFO,
        .planeAspect = VK_IMAGE_ASPECT_MEMORY_PLANE_2_BIT_EXT};
    ask_requirements(b, create_disjoint(b, &modifiers), &plane);
}

/* The first planes, of an image with two. */
static void bind_drm_planes(struct baseline *b, uint32_t count)
{
    VkBindImagePlaneMemoryInfo planes[3];
    VkBindImageMemoryInfo infos[3];
    VkImage image = create_disjoint(b, &modifiers);
    for (uint32_t i = 0; i < count; i++) {
        planes[i] = (VkBindImagePlaneMemoryInfo){
            .sType = VK_STRUCTURE_TYPE_BIND_IMAGE_PLANE_MEMORY_INFO,
            .planeAspect = VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT << i};
        infos[i] = (VkBindImageMemoryInfo){.sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO,
                                           .pNext = &planes[i],
                                           .image = image,
                                           .memory = make_memory(b, 1 << 20)};
    }
    vkBindImageMemory2(b->device, count, infos);
}

SCENARIO(bind_two_drm_planes, DRM)
{
    bind_drm_planes(b, 2);
}

SCENARIO(bind_a_third_drm_plane, DRM, .allow = {"VUID-vkBindImageMemory2-pBindInfos-02858"},
         .expect = {"VUID-VkBindImagePlaneMemoryInfo-planeAspect-02284"})
{
    bind_drm_planes(b, 3);
}

SCENARIO(requirements_of_no_drm_plane, DRM,
         .expect = {"VUID-VkImageMemoryRequirementsInfo2-image-02279"},
         .text = {
             "pInfo->pNext has no VkImagePlaneMemoryRequirementsInfo, but the image is disjoint"})
{
    ask_requirements(b, create_disjoint(b, &modifiers), NULL);
}

/* --- views --- */

static void create_view_with(struct baseline *b, bool narrow, bool wide)
{
    VkImageViewUsageCreateInfo usage = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
                                        .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
    const VkImageViewUsage2CreateInfoKHR usage2 = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_2_CREATE_INFO_KHR,
        .pNext = narrow ? &usage : NULL,
        .usage = VK_IMAGE_USAGE_2_SAMPLED_BIT_KHR};
    VkImageViewCreateInfo info = image_view_info(make_image(b, VK_IMAGE_USAGE_SAMPLED_BIT));
    info.pNext = wide ? (const void *)&usage2 : (const void *)&usage;
    create_image_view(b, &info);
}

SCENARIO(view_usage, WIDE)
{
    create_view_with(b, true, false);
    create_view_with(b, false, true);
}

SCENARIO(view_usage_twice, WIDE, .expect = {"VUID-VkImageViewCreateInfo-pNext-12508"},
         .text = {"has a VkImageViewUsage2CreateInfoKHR in its pNext chain"})
{
    create_view_with(b, true, true);
}

static void view_as_srgb(struct baseline *b)
{
    VkImageCreateInfo image = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    image.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
    VkImageViewCreateInfo info = image_view_info(make_image_of(b, &image));
    info.format = VK_FORMAT_R8G8B8A8_SRGB;
    create_image_view(b, &info);
}

SCENARIO(view_sampled)
{
    view_as_srgb(b);
}

SCENARIO(view_sampled_of_format_without, .drivers = NULL_DRIVER,
         .null_driver = "{\"withoutFormatFeatures\": {\"43\": 1}}",
         .expect = {"VUID-VkImageViewCreateInfo-usage-02274"}, .text = {"VK_FORMAT_R8G8B8A8_SRGB"})
{
    view_as_srgb(b);
}

/* --- memory --- */

#define SPECIAL .drivers = NULL_DRIVER, .null_driver = "{\"specialMemory\": true}"
static const VkPhysicalDeviceCoherentMemoryFeaturesAMD coherent = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COHERENT_MEMORY_FEATURES_AMD,
    .deviceCoherentMemory = VK_TRUE};
static const VkPhysicalDeviceTileMemoryHeapFeaturesQCOM tiles = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TILE_MEMORY_HEAP_FEATURES_QCOM,
    .tileMemoryHeap = VK_TRUE};
static const VkPhysicalDeviceTileMemoryHeapFeaturesQCOM both = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TILE_MEMORY_HEAP_FEATURES_QCOM,
    .pNext = (void *)&coherent,
    .tileMemoryHeap = VK_TRUE};

static void allocate_of_extension(struct baseline *b, uint32_t type)
{
    VkMemoryAllocateInfo info = memory_info(65536, type);
    create_memory(b, &info);
}

SCENARIO(memory_of_features, SPECIAL, .features = &both,
         .extensions = {"VK_AMD_device_coherent_memory", "VK_QCOM_tile_memory_heap"})
{
    allocate_of_extension(b, 2);
    allocate_of_extension(b, 3);
}

SCENARIO(memory_of_tiles, SPECIAL, .expect = {"VUID-vkAllocateMemory-tileMemoryHeap-10976"},
         .text = {"memoryTypeIndex is 2, whose heap is tile memory, but the feature tileMemoryHeap "
                  "is not enabled"})
{
    allocate_of_extension(b, 2);
}

SCENARIO(memory_coherent_with_devices, SPECIAL, .features = &tiles,
         .extensions = {"VK_QCOM_tile_memory_heap"},
         .expect = {"VUID-vkAllocateMemory-deviceCoherentMemory-02790"},
         .text = {"memoryTypeIndex is 3, which is device-coherent, but the feature "
                  "deviceCoherentMemory is not enabled"})
{
    allocate_of_extension(b, 3);
}

/* --- dedicated memory --- */

#define DEDICATED .drivers = NULL_DRIVER, .null_driver = "{\"dedicated\": true}"
static VkDeviceMemory allocate_for(struct baseline *b, VkBuffer buffer, VkImage image,
                                   bool dedicated)
{
    const VkMemoryDedicatedAllocateInfo alone = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO,
        .buffer = buffer,
        .image = image};
    VkMemoryRequirements needs;
    if (buffer)
        vkGetBufferMemoryRequirements(b->device, buffer, &needs);
    else
        vkGetImageMemoryRequirements(b->device, image, &needs);
    VkMemoryAllocateInfo info = memory_info(needs.size, 0);
    info.pNext = dedicated ? &alone : NULL;
    return create_memory(b, &info);
}

SCENARIO(dedicated, DEDICATED)
{
    VkBuffer buffer = make_unbound_buffer(b);
    VkImage image = make_unbound_image(b);
    vkBindBufferMemory(b->device, buffer, allocate_for(b, buffer, VK_NULL_HANDLE, true), 0);
    vkBindImageMemory(b->device, image, allocate_for(b, VK_NULL_HANDLE, image, true), 0);
}

SCENARIO(dedicated_buffer_shares, DEDICATED, .expect = {"VUID-vkBindBufferMemory-buffer-01444"},
         .text = {
             "memory was not allocated for this buffer alone, which needs a dedicated allocation"})
{
    VkBuffer buffer = make_unbound_buffer(b);
    vkBindBufferMemory(b->device, buffer, allocate_for(b, buffer, VK_NULL_HANDLE, false), 0);
}

SCENARIO(dedicated_image_shares, DEDICATED, .expect = {"VUID-vkBindImageMemory-image-01445"},
         .text = {
             "memory was not allocated for this image alone, which needs a dedicated allocation"})
{
    VkImage image = make_unbound_image(b);
    vkBindImageMemory(b->device, image, allocate_for(b, VK_NULL_HANDLE, image, false), 0);
}

/* --- pipeline layouts --- */

static const VkPhysicalDeviceFragmentDensityMapFeaturesEXT density = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_DENSITY_MAP_FEATURES_EXT,
    .fragmentDensityMap = VK_TRUE};
#define SUBSAMPLED                                                                 \
    .drivers = NULL_DRIVER, .features = &density,                                  \
    .extensions = {"VK_EXT_fragment_density_map", "VK_EXT_fragment_density_map2"}, \
    .null_driver = "{\"properties\": {\"maxDescriptorSetSubsampledSamplers\": 2}}"

static void create_layout_of_subsampled(struct baseline *b, uint32_t count)
{
    VkSamplerCreateInfo info = sampler_info();
    info.flags = VK_SAMPLER_CREATE_SUBSAMPLED_BIT_EXT;
    info.addressModeU = info.addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    VkSampler samplers[4];
    for (uint32_t i = 0; i < 4; i++)
        samplers[i] = create_sampler(b, &info);
    const VkDescriptorSetLayoutBinding binding = {.descriptorType =
                                                      VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                                  .descriptorCount = count,
                                                  .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT,
                                                  .pImmutableSamplers = samplers};
    const VkDescriptorSetLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    make_pipeline_layout(b, create_descriptor_set_layout(b, &layout));
}

SCENARIO(subsampled_samplers, SUBSAMPLED)
{
    create_layout_of_subsampled(b, 2);
}

SCENARIO(subsampled_samplers_many, SUBSAMPLED, .proceed = true,
         .expect = {"VUID-VkPipelineLayoutCreateInfo-pImmutableSamplers-03566"},
         .text = {"has layouts with 3 subsampled immutable samplers together, but "
                  "maxDescriptorSetSubsampledSamplers is 2"})
{
    create_layout_of_subsampled(b, 3);
}

static const VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
    .pNext = (void *)&maintenance11,
    .graphicsPipelineLibrary = VK_TRUE};
#define LIBRARIES                                                            \
    .drivers = NULL_DRIVER, .features = &libraries,                          \
    .extensions = {"VK_KHR_maintenance11", "VK_KHR_pipeline_library",        \
                   "VK_EXT_graphics_pipeline_library", "VK_EXT_mesh_shader", \
                   "VK_EXT_shader_object"}

static void create_layout_with(struct baseline *b, VkPipelineLayoutCreateFlags flags)
{
    VkPipelineLayoutCreateInfo info = pipeline_layout_info(NULL);
    info.flags = flags;
    create_pipeline_layout(b, &info);
}

SCENARIO(layout_without_tasks, LIBRARIES)
{
    create_layout_with(b, VK_PIPELINE_LAYOUT_CREATE_NO_TASK_SHADER_BIT_KHR |
                              VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT);
}

SCENARIO(layout_without_tasks_of_dependent_sets, LIBRARIES,
         .expect = {"VUID-VkPipelineLayoutCreateInfo-flags-13352"},
         .text = {"VK_PIPELINE_LAYOUT_CREATE_NO_TASK_SHADER_BIT_KHR"})
{
    create_layout_with(b, VK_PIPELINE_LAYOUT_CREATE_NO_TASK_SHADER_BIT_KHR);
}

/* --- what a secondary inherits --- */

SCENARIO(inherit_garbage_pass, .expect = {"VUID-VkCommandBufferBeginInfo-flags-06000"},
         .text = {"pBeginInfo->pInheritanceInfo->renderPass"})
{
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .renderPass = GARBAGE(VkRenderPass)};
    VkCommandBufferBeginInfo begin = begin_info();
    begin.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
    begin.pInheritanceInfo = &inheritance;
    vkBeginCommandBuffer(make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY), &begin);
}
