/* Makes a device that does nothing, for a profile, so that the layer can check shaders without a
 * driver. */
#ifndef ASSAY_TOOL_OFFLINE_DEVICE_H
#define ASSAY_TOOL_OFFLINE_DEVICE_H

#include "assay/validate/device_profile.h"

struct offline_device {
    void *library; /* handle of the layer's library */
    VkInstance instance;
    VkDevice device;
    PFN_vkCreateShaderModule create_module;
    PFN_vkDestroyShaderModule destroy_module;
    PFN_vkCreateShadersEXT create_shaders;
    PFN_vkDestroyShaderEXT destroy_shader;
    PFN_vkDestroyDevice destroy_device;
    PFN_vkDestroyInstance destroy_instance;
};

/* Loads the layer from `library`, as a loader would, and creates an instance and a device through
 * it, with all that the profile has. The profile must stay valid, and there can be only one device
 * at a time. Returns false on failure, which is reported. */
bool offline_device_open(struct offline_device *offline, const char *library,
                         const struct device_profile *profile);
void offline_device_close(struct offline_device *offline);

#endif
