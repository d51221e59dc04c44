/* Checks sessions of optical flow, and what they execute (VK_NV_optical_flow). Most of their
 * rules are rows of registry/rows.txt; the others are here. */
#include "core/hooks.h"
#include "report/muting/rows_broken.h"
#include "state/object/created.h"

#include "report/finding/rule.h"

/* Formats of one usage that are asked for; devices have a few. */
#define FORMATS_ASKED 64

/* One of a session's formats, and where it is used. */
struct flow_format {
    const char *member;
    VkFormat format;
    VkOpticalFlowUsageFlagBitsNV usage;
    enum vuid vuid;
};

/* Checks that the driver returns the format for the usage. It may return more formats than there is
 * room for, or none at all: then nothing is said. */
static void optical_flow_check_format(struct subject *s, const struct flow_format *format)
{
    const struct device *device = s->call->device;
    PFN_vkGetPhysicalDeviceOpticalFlowImageFormatsNV ask =
        s->call->instance->dispatch.GetPhysicalDeviceOpticalFlowImageFormatsNV;
    const VkOpticalFlowImageFormatInfoNV info = {
        .sType = VK_STRUCTURE_TYPE_OPTICAL_FLOW_IMAGE_FORMAT_INFO_NV, .usage = format->usage};
    VkOpticalFlowImageFormatPropertiesNV formats[FORMATS_ASKED];
    uint32_t count = FORMATS_ASKED;
    bool found = false;
    for (uint32_t i = 0; i < FORMATS_ASKED; i++)
        formats[i] = (VkOpticalFlowImageFormatPropertiesNV){
            .sType = VK_STRUCTURE_TYPE_OPTICAL_FLOW_IMAGE_FORMAT_PROPERTIES_NV};
    if (!ask || ask(device->physical_device, &info, &count, formats) != VK_SUCCESS || !count ||
        count > FORMATS_ASKED)
        return;
    for (uint32_t i = 0; i < count; i++)
        found |= formats[i].format == format->format;
    REQUIRE(s, format->vuid, found, format->member,
            "is %s, which vkGetPhysicalDeviceOpticalFlowImageFormatsNV does not return for %s",
            TEXT_OF(VkFormat, format->format), TEXT_OF(VkOpticalFlowUsageFlagsNV, format->usage));
}

bool core_validate_CreateOpticalFlowSessionNV(struct call *call, VkDevice device,
                                              const VkOpticalFlowSessionCreateInfoNV *pCreateInfo,
                                              const VkAllocationCallbacks *pAllocator,
                                              VkOpticalFlowSessionNV *pSession)
{
    const VkOpticalFlowSessionCreateInfoNV *info = pCreateInfo;
    const VkPhysicalDeviceOpticalFlowPropertiesNV *limits =
        &call->device->extended.OpticalFlowPropertiesNV;
    const struct flow_format
        input = {"imageFormat", info->imageFormat, VK_OPTICAL_FLOW_USAGE_INPUT_BIT_NV,
                 VUID_VkOpticalFlowSessionCreateInfoNV_imageFormat_07583},
        output = {"flowVectorFormat", info->flowVectorFormat, VK_OPTICAL_FLOW_USAGE_OUTPUT_BIT_NV,
                  VUID_VkOpticalFlowSessionCreateInfoNV_flowVectorFormat_07584},
        cost = {"costFormat", info->costFormat, VK_OPTICAL_FLOW_USAGE_COST_BIT_NV,
                VUID_VkOpticalFlowSessionCreateInfoNV_costFormat_07585};
    struct subject s = {.call = call, .where = &LOCATION_POINTER(NULL, "pCreateInfo")};
    /* VK_OPTICAL_FLOW_SESSION_CREATE_ALLOW_REGIONS_BIT_NV must not be set in flags if
     * maxNumRegionsOfInterest is 0. (A device of which nothing is known has no grid sizes.) */
    REQUIRE(&s, VUID_VkOpticalFlowSessionCreateInfoNV_flags_07591,
            limits->maxNumRegionsOfInterest || !limits->supportedOutputGridSizes ||
                !(info->flags & VK_OPTICAL_FLOW_SESSION_CREATE_ALLOW_REGIONS_BIT_NV),
            "flags",
            "has VK_OPTICAL_FLOW_SESSION_CREATE_ALLOW_REGIONS_BIT_NV, but maxNumRegionsOfInterest "
            "is 0");
    if (rows_were_broken())
        return s.skip;
    optical_flow_check_format(&s, &input);
    optical_flow_check_format(&s, &output);
    if (info->flags & VK_OPTICAL_FLOW_SESSION_CREATE_ENABLE_COST_BIT_NV)
        optical_flow_check_format(&s, &cost);
    return s.skip;
}

bool core_validate_CmdOpticalFlowExecuteNV(struct call *call, VkCommandBuffer commandBuffer,
                                           VkOpticalFlowSessionNV session,
                                           const VkOpticalFlowExecuteInfoNV *pExecuteInfo)
{
    const struct created_optical_flow *state = find_created_optical_flow(call, session);
    struct subject s = {.call = call,
                        .where = &LOCATION_POINTER(NULL, "pExecuteInfo"),
                        .objects = OBJECT(HANDLE_OPTICAL_FLOW_SESSION_NV, session)};
    /* regionCount must be 0 if VK_OPTICAL_FLOW_SESSION_CREATE_ALLOW_REGIONS_BIT_NV was not set for
     * VkOpticalFlowSessionNV on which this command is operating */
    REQUIRE(&s, VUID_VkOpticalFlowExecuteInfoNV_regionCount_07593,
            !state || !pExecuteInfo->regionCount ||
                state->flags & VK_OPTICAL_FLOW_SESSION_CREATE_ALLOW_REGIONS_BIT_NV,
            "regionCount",
            "is %u, but the session was created without "
            "VK_OPTICAL_FLOW_SESSION_CREATE_ALLOW_REGIONS_BIT_NV",
            pExecuteInfo->regionCount);
    return s.skip;
}
