/* Rows about built-ins (registry/spirv_rows.txt): each has a module that breaks just this row, and
 * the nearest one that does not. registry/cases/spirv.py makes both. Capabilities that the device
 * lacks are another rule. */
#include "scenario.h"

#include "spirv_rows.h"

#define MODULE(name_, ...)                                                            \
    SCENARIO(name_, .drivers = NULL_DRIVER, .extensions = {"VK_NV_mesh_shader"},      \
             .allow = {"VUID-VkShaderModuleCreateInfo-pCode-08740",                   \
                       "VUID-VkShaderModuleCreateInfo-pCode-08742"},                  \
             ##__VA_ARGS__)                                                           \
    {                                                                                 \
        VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, \
                                         .codeSize = sizeof(spirv_##name_),           \
                                         .pCode = spirv_##name_};                     \
        create_shader_module(b, &info);                                               \
    }
#define BROKEN(number_, vuid_) MODULE(broken_##number_, .expect = {vuid_})
#define HOLDS(number_)         MODULE(holds_##number_, .proceed = true)

#include "spirv_rows.inc"
