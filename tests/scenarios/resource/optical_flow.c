/* Sessions of optical flow, and what they execute (VK_NV_optical_flow). */
#include "scenario.h"

static const VkPhysicalDeviceOpticalFlowFeaturesNV flow = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPTICAL_FLOW_FEATURES_NV, .opticalFlow = VK_TRUE};
#define REGIONS(most_)                                                                          \
    .null_driver = "{\"listFormats\": true, "                                                   \
                   "\"queueFamilies\": [{\"flags\": [\"graphics\", \"compute\", \"transfer\", " \
                   "\"opticalFlow\"]}], \"properties\": {\"maxNumRegionsOfInterest\": " most_ "}}"
#define FLOW                                   \
    .drivers = NULL_DRIVER, .features = &flow, \
    .extensions = {"VK_NV_optical_flow", "VK_KHR_format_feature_flags2"}

static void destroy_session(struct baseline *b, uint64_t handle)
{
    DEVICE_PROC(b, vkDestroyOpticalFlowSessionNV)(b->device,
                                                  (VkOpticalFlowSessionNV)(uintptr_t)handle, NULL);
}

static VkOpticalFlowSessionNV make_session(struct baseline *b, VkFormat format, VkFormat vectors,
                                           VkFormat cost, VkOpticalFlowSessionCreateFlagsNV flags)
{
    const VkOpticalFlowSessionCreateInfoNV info = {
        .sType = VK_STRUCTURE_TYPE_OPTICAL_FLOW_SESSION_CREATE_INFO_NV,
        .width = 256,
        .height = 256,
        .imageFormat = format,
        .flowVectorFormat = vectors,
        .costFormat = cost,
        .outputGridSize = VK_OPTICAL_FLOW_GRID_SIZE_4X4_BIT_NV,
        .flags = flags};
    VkOpticalFlowSessionNV session = VK_NULL_HANDLE;
    if (DEVICE_PROC(b, vkCreateOpticalFlowSessionNV)(b->device, &info, NULL, &session) ==
        VK_SUCCESS)
        cleanup_add(b, destroy_session, HANDLE(session));
    return session;
}
#define IMAGE        VK_FORMAT_R8_UNORM
#define VECTORS      VK_FORMAT_R16G16_S10_5_NV
#define COST         VK_FORMAT_R8_UINT
#define INFO(id_)    .expect = {"VUID-VkOpticalFlowSessionCreateInfoNV-" id_}
#define WITH_COST    VK_OPTICAL_FLOW_SESSION_CREATE_ENABLE_COST_BIT_NV
#define WITH_REGIONS VK_OPTICAL_FLOW_SESSION_CREATE_ALLOW_REGIONS_BIT_NV

SCENARIO(flow_session, FLOW, REGIONS("1"))
{
    make_session(b, IMAGE, VECTORS, COST, WITH_COST | WITH_REGIONS);
}

SCENARIO(flow_session_of_another_format, FLOW, REGIONS("1"), INFO("imageFormat-07583"))
{
    make_session(b, VK_FORMAT_R32_SFLOAT, VECTORS, COST, WITH_COST);
}

SCENARIO(flow_session_of_other_vectors, FLOW, REGIONS("1"), INFO("flowVectorFormat-07584"))
{
    make_session(b, IMAGE, VK_FORMAT_R32_SFLOAT, COST, WITH_COST);
}

SCENARIO(flow_session_of_another_cost, FLOW, REGIONS("1"), INFO("costFormat-07585"))
{
    make_session(b, IMAGE, VECTORS, VK_FORMAT_R32_SFLOAT, WITH_COST);
}

/* Without a cost its format does not count. */
SCENARIO(flow_session_without_cost, FLOW, REGIONS("1"))
{
    make_session(b, IMAGE, VECTORS, VK_FORMAT_UNDEFINED, 0);
}

SCENARIO(flow_session_of_regions_without_support, FLOW, REGIONS("0"), INFO("flags-07591"))
{
    make_session(b, IMAGE, VECTORS, COST, WITH_REGIONS);
}

static void execute_flow(struct baseline *b, VkOpticalFlowSessionCreateFlagsNV flags,
                         uint32_t count)
{
    static const VkRect2D region = {{0, 0}, {64, 64}};
    const VkOpticalFlowExecuteInfoNV info = {.sType =
                                                 VK_STRUCTURE_TYPE_OPTICAL_FLOW_EXECUTE_INFO_NV,
                                             .regionCount = count,
                                             .pRegions = &region};
    DEVICE_PROC(b, vkCmdOpticalFlowExecuteNV)(make_recording(b),
                                              make_session(b, IMAGE, VECTORS, COST, flags), &info);
}

SCENARIO(flow_executed, FLOW, REGIONS("1"))
{
    execute_flow(b, WITH_REGIONS, 1);
    execute_flow(b, 0, 0);
}

SCENARIO(flow_executed_of_regions, FLOW, REGIONS("1"),
         .expect = {"VUID-VkOpticalFlowExecuteInfoNV-regionCount-07593"})
{
    execute_flow(b, 0, 1);
}
