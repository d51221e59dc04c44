/* A device that does nothing, for a profile: what the layer stands on when shaders are checked
 * without a driver. */
#ifndef ASSAY_TOOL_OFFLINE_DEVICE_H
#define ASSAY_TOOL_OFFLINE_DEVICE_H

#include "assay/validate/device_profile.h"

struct offline_device {
    void *library; /* the layer's */
    VkInstance instance;
    VkDevice device;
    PFN_vkCreateShaderModule create_module;
    PFN_vkDestroyShaderModule destroy_module;
    PFN_vkCreateShadersEXT create_shaders;
    PFN_vkDestroyShaderEXT destroy_shader;
    PFN_vkDestroyDevice destroy_device;
    PFN_vkDestroyInstance destroy_instance;
};

/* Loads the layer from `library`, as a loader would. Has it make an instance and a device of the
 * profile, with all that it has enabled. The profile must stay, and there can be one at a time.
 * False: it could not be done, which is reported. */
bool offline_device_open(struct offline_device *offline, const char *library,
                         const struct device_profile *profile);
void offline_device_close(struct offline_device *offline);

#endif
