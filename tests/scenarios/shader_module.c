/* Shader modules: is their code SPIR-V, valid, and of this device? */
#include "scenario.h"

SCENARIO(shader_module_of_size_zero, .expect = {"VUID-VkShaderModuleCreateInfo-codeSize-01085"})
{
    VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = 0,
                                     .pCode = shader_fill_code};
    create_shader_module(b, &info);
}

SCENARIO(shader_module_of_half_a_word, .expect = {"VUID-VkShaderModuleCreateInfo-codeSize-08735"},
         .text = {"codeSize is 23, which is no multiple of 4"})
{
    VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = 23,
                                     .pCode = shader_fill_code};
    create_shader_module(b, &info);
}

SCENARIO(shader_module_whole)
{
    VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = shader_fill_size,
                                     .pCode = shader_fill_code};
    EXPECT(create_shader_module(b, &info) != VK_NULL_HANDLE);
    EXPECT(create_shader_module(b, &info) != VK_NULL_HANDLE); /* the same once more: known to be good */
}
