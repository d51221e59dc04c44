/* Shader modules: their code must be SPIR-V, valid, and of this device. */
#include "scenario.h"

#include "shader_interface.h"

SCENARIO(shader_module_of_size_zero, .expect = {"VUID-VkShaderModuleCreateInfo-codeSize-01085"})
{
    VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = 0,
                                     .pCode = shader_fill_code};
    create_shader_module(b, &info);
}

SCENARIO(shader_module_of_half_a_word, .expect = {"VUID-VkShaderModuleCreateInfo-codeSize-08735"},
         .text = {"codeSize is 23, which is not a multiple of 4"})
{
    VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = 23,
                                     .pCode = shader_fill_code};
    create_shader_module(b, &info);
}

SCENARIO(shader_module_whole)
{
    VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                     .codeSize = shader_fill_size, .pCode = shader_fill_code};
    EXPECT(create_shader_module(b, &info) != VK_NULL_HANDLE);
    /* the same once more: known to be good */
    EXPECT(create_shader_module(b, &info) != VK_NULL_HANDLE);
}

/* Capabilities and extensions */
static void create_module(struct baseline *b, const uint32_t *code, size_t size)
{
    VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size,
                                     .pCode = code};
    create_shader_module(b, &info);
}
SCENARIO(shader_module_of_garbage, .expect = {"VUID-VkShaderModuleCreateInfo-pCode-08736"},
         .text = {"pCode does not begin with SPIR-V's magic number (word 0)"})
{
    static const uint32_t garbage[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    create_module(b, garbage, sizeof(garbage));
}
SCENARIO(shader_module_capability_not_enabled,
         .expect = {"VUID-VkShaderModuleCreateInfo-pCode-08740"},
         .text = {"declares the capability Geometry, which needs "
                  "VkPhysicalDeviceFeatures::geometryShader; the device was created without"})
{
    create_module(b, spirv_geometry, sizeof(spirv_geometry));
}
static const VkPhysicalDeviceFeatures2 with_geometry = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .features = {.geometryShader = VK_TRUE}};
SCENARIO(shader_module_capability_enabled, .features = &with_geometry)
{
    create_module(b, spirv_geometry, sizeof(spirv_geometry));
}
/* "The corresponding core version is supported (as returned by
 * VkPhysicalDeviceProperties::apiVersion)", whatever the app asked for. */
SCENARIO(shader_module_extension_of_the_device, .api_version = VK_API_VERSION_1_0)
{
    create_module(b, spirv_with_storage_class, sizeof(spirv_with_storage_class));
}
SCENARIO(shader_module_extension_not_enabled, .api_version = VK_API_VERSION_1_0,
         .drivers = NULL_DRIVER, .null_driver = "{\"apiVersion\": \"1.0.0\"}",
         .expect = {"VUID-VkShaderModuleCreateInfo-pCode-08742"},
         .text = {"declares the extension SPV_KHR_storage_buffer_storage_class, which needs "})
{
    create_module(b, spirv_with_storage_class, sizeof(spirv_with_storage_class));
}
SCENARIO(shader_module_extension_enabled)
{
    create_module(b, spirv_with_storage_class, sizeof(spirv_with_storage_class));
}
SCENARIO(shader_module_extension_unknown, .expect = {"VUID-VkShaderModuleCreateInfo-pCode-08741"},
         .allow = {"VUID-VkShaderModuleCreateInfo-pCode-08737"})
{
    create_module(b, spirv_with_unknown_extension, sizeof(spirv_with_unknown_extension));
}
SCENARIO(shader_module_capability_unknown, .expect = {"VUID-VkShaderModuleCreateInfo-pCode-08739"},
         .allow = {"VUID-VkShaderModuleCreateInfo-pCode-08737"})
{
    create_module(b, spirv_with_pipes, sizeof(spirv_with_pipes));
}
SCENARIO(shader_module_without_shader, .drivers = NULL_DRIVER,
         .expect = {"VUID-VkShaderModuleCreateInfo-pCode-08738"},
         .allow = {"VUID-VkShaderModuleCreateInfo-pCode-08737",
                   "VUID-VkShaderModuleCreateInfo-pCode-08739"})
{
    create_module(b, spirv_no_shader, sizeof(spirv_no_shader));
}
SCENARIO(shader_module_checks_off, .settings = {"check_shaders=false"}, .ours_only = true,
         .drivers = NULL_DRIVER)
{
    create_module(b, spirv_with_pipes, sizeof(spirv_with_pipes));
}
SCENARIO(shader_module_validator_off, .settings = {"debug_disable_spirv_val=true"},
         .ours_only = true, .drivers = NULL_DRIVER,
         .expect = {"VUID-VkShaderModuleCreateInfo-pCode-08739"})
{
    create_module(b, spirv_with_pipes, sizeof(spirv_with_pipes));
}
