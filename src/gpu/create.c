/* What is asked of the driver beyond what the app asks for? Vulkan 1.1, and the features that instrumented shaders use. */
#include "gpu/gpu.h"

#include "base/thread.h"

void gpu_change_instance(struct instance *instance, VkInstanceCreateInfo *down)
{
    static const VkApplicationInfo unknown = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO};
    if (instance->api_version >= VK_API_VERSION_1_1)
        return;
    VkApplicationInfo *app = scratch_alloc(&thread_self()->scratch, sizeof(*app));
    if (!app)
        return;
    *app = down->pApplicationInfo ? *down->pApplicationInfo : unknown;
    app->apiVersion = VK_API_VERSION_1_1;
    down->pApplicationInfo = app;
}

void gpu_change_device(struct device *device, VkDeviceCreateInfo *down)
{
    VkPhysicalDeviceFeatures *features = scratch_alloc(&thread_self()->scratch, sizeof(*features));
    if (!features || !down->pEnabledFeatures)
        return;
    *features = *down->pEnabledFeatures;
    features->fragmentStoresAndAtomics = VK_TRUE;
    features->vertexPipelineStoresAndAtomics = VK_TRUE;
    down->pEnabledFeatures = features;
}
