/* Finds the options of SPIRV-Tools' validator that a device needs. */
#include "objects/spirv_options.h"

/* Sets the flag where the condition holds, and leaves it alone where it does not. */
static void set_flag(struct spirv_validate_options *options, bool condition,
                     enum spirv_validate_flags flag)
{
    options->flags |= condition ? flag : 0;
}

struct spirv_validate_options spirv_tools_options(const struct device *device)
{
    /* "A Vulkan 1.4 implementation must support the 1.0, 1.1, ... and 1.6 versions of SPIR-V": the
     * device's version, not what the program asked for. */
    uint32_t version = device->properties.apiVersion;
    struct spirv_validate_options options = {.version = SPIRV_HELPER_VERSION,
                                             .minor = VK_API_VERSION_MINOR(version)};
    if (VK_API_VERSION_MAJOR(version) > 1)
        /* With a major version above 1, every SPIR-V version 1.x is supported. */
        options.minor = UINT32_MAX;
    const struct extension_set *extensions = &device->extensions;
    set_flag(&options, extension_set_has(extensions, EXTENSION_VK_KHR_relaxed_block_layout),
             SPIRV_VALIDATE_RELAX_BLOCK_LAYOUT);
    set_flag(&options, extension_set_has(extensions, EXTENSION_VK_KHR_spirv_1_4),
             SPIRV_VALIDATE_SPIRV_1_4);
    set_flag(&options, device_has_feature(device, FEATURE_uniformBufferStandardLayout),
             SPIRV_VALIDATE_UNIFORM_BUFFER_STANDARD_LAYOUT);
    set_flag(&options, device_has_feature(device, FEATURE_scalarBlockLayout),
             SPIRV_VALIDATE_SCALAR_BLOCK_LAYOUT);
    set_flag(&options,
             device_has_feature(device, FEATURE_workgroupMemoryExplicitLayoutScalarBlockLayout),
             SPIRV_VALIDATE_WORKGROUP_SCALAR_BLOCK_LAYOUT);
    set_flag(&options, device_has_feature(device, FEATURE_maintenance4),
             SPIRV_VALIDATE_LOCAL_SIZE_ID);
    set_flag(&options, device_has_feature(device, FEATURE_maintenance8),
             SPIRV_VALIDATE_OFFSET_TEXTURE_OPERAND);
    set_flag(&options, device_has_feature(device, FEATURE_maintenance9),
             SPIRV_VALIDATE_WIDE_BITWISE);
    if (device_has_feature(device, FEATURE_descriptorHeap)) {
        const VkPhysicalDeviceDescriptorHeapPropertiesEXT *heap =
            &device->extended.DescriptorHeapPropertiesEXT;
        options.buffer_descriptor_size = (uint32_t)heap->bufferDescriptorSize;
        options.buffer_descriptor_alignment = (uint32_t)heap->bufferDescriptorAlignment;
        options.image_descriptor_size = (uint32_t)heap->imageDescriptorSize;
        options.image_descriptor_alignment = (uint32_t)heap->imageDescriptorAlignment;
        options.sampler_descriptor_size = (uint32_t)heap->samplerDescriptorSize;
        options.sampler_descriptor_alignment = (uint32_t)heap->samplerDescriptorAlignment;
    }
    return options;
}
