/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_CORE_SPIRV_REQUIREMENTS_H
#define ASSAY_CORE_SPIRV_REQUIREMENTS_H

#include "objects/device.h"

/* May a module declare this, says the SPIR-V environment appendix. Known to none of the API; known, but this device has not enabled what it needs; yes. */
enum spirv_support { SPIRV_NOT_OF_THE_API, SPIRV_NOT_ENABLED, SPIRV_ENABLED };

/* `needs`: what would make it so, one of these: "VkPhysicalDeviceFeatures::geometryShader, or VK_KHR_x". */
enum spirv_support spirv_capability_support(const struct device *device, uint32_t capability, const char **needs);
enum spirv_support spirv_extension_support(const struct device *device, const char *name, const char **needs);

/* It is Shader, or declares it implicitly (SPIR-V, "Capability"). */
bool spirv_capability_implies_shader(uint32_t capability);

#endif
