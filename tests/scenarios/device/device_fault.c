/* VK_EXT_device_fault of a driver (here: of a layer below ours, tests/layers) beside
 * VK_KHR_shader_abort, which is ours. It says why a device is lost by a shader's abort. */
#include "gpu/abort_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shader_abort.h"

#define TEST_LAYER "VK_LAYER_ASSAY_test_device_fault"

static const VkPhysicalDeviceFaultFeaturesEXT with_fault = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT,
    .pNext = (void *)&abort_features_plain,
    .deviceFault = VK_TRUE};
#define WITH_FAULT                                         \
    OURS, .start = START_NOTHING, .features = &with_fault, \
        .extensions = {ABORT_EXTENSIONS, VK_EXT_DEVICE_FAULT_EXTENSION_NAME}

/* The device, with the test's layer between ours and the driver. */
static void start_with_fault_layer(struct baseline *b)
{
    char path[8192];
    const char *layers = getenv("VK_LAYER_PATH");
    (void)snprintf(path, sizeof(path), "%s:%s", layers ? layers : "", TEST_LAYER_PATH);
    setenv("VK_LAYER_PATH", path, 1);
    b->below = TEST_LAYER;
    world_start(b, NULL);
}

static void lose_faulty_device(struct baseline *b, struct gpu_code code, uint32_t index)
{
    struct gpu g = abort_world(b, gpu_stage_comp, code, index, 16);
    EXPECT_EQUAL(abort_run(&g), VK_ERROR_DEVICE_LOST);
}

static VkDeviceFaultCountsEXT no_counts(void)
{
    return (VkDeviceFaultCountsEXT){.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT};
}

SCENARIO(of_an_abort, WITH_FAULT, .expect = {ABORT_ID},
         .text = {"The shader has aborted: test: 65536."})
{
    VkDeviceFaultVendorInfoEXT vendor[2] = {{.vendorFaultCode = 77}, {.vendorFaultCode = 77}};
    VkDeviceFaultInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT,
                                 .pVendorInfos = vendor};
    VkDeviceFaultCountsEXT counts = no_counts();
    start_with_fault_layer(b);
    PFN_vkGetDeviceFaultInfoEXT get = DEVICE_PROC(b, vkGetDeviceFaultInfoEXT);
    lose_faulty_device(b, GPU_CODE(spirv_specification_message), 65536);
    EXPECT_EQUAL(get(b->device, &counts, NULL), VK_SUCCESS);
    EXPECT_EQUAL(counts.vendorInfoCount, 1);
    EXPECT_EQUAL(counts.addressInfoCount, 0);
    EXPECT_EQUAL(counts.vendorBinarySize, 0);
    counts.vendorInfoCount = 2; /* more room than there is to say */
    EXPECT_EQUAL(get(b->device, &counts, &info), VK_SUCCESS);
    EXPECT_EQUAL(counts.vendorInfoCount, 1);
    EXPECT(!strcmp(info.description, "Shader abort: test: 65536"));
    EXPECT(!strcmp(vendor[0].description, "Shader abort: test: 65536"));
    EXPECT_EQUAL(vendor[0].vendorFaultCode, 0);
    EXPECT_EQUAL(vendor[1].vendorFaultCode, 77);
}

SCENARIO(of_many_aborts, WITH_FAULT, .expect = {ABORT_ID},
         .text = {"The shader has aborted: invocation "})
{
    VkDeviceFaultVendorInfoEXT vendor[3] = {0};
    VkDeviceFaultInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT,
                                 .pVendorInfos = vendor};
    VkDeviceFaultCountsEXT counts = no_counts();
    start_with_fault_layer(b);
    PFN_vkGetDeviceFaultInfoEXT get = DEVICE_PROC(b, vkGetDeviceFaultInfoEXT);
    lose_faulty_device(b, GPU_CODE(spirv_every_abort), 42);
    EXPECT_EQUAL(get(b->device, &counts, NULL), VK_SUCCESS);
    EXPECT_EQUAL(counts.vendorInfoCount, 128); /* two groups of 64 */
    counts.vendorInfoCount = 3;                /* less room */
    EXPECT_EQUAL(get(b->device, &counts, &info), VK_INCOMPLETE);
    EXPECT_EQUAL(counts.vendorInfoCount, 3);
    for (uint32_t i = 0; i < 3; i++)
        EXPECT(!strncmp(vendor[i].description, "Shader abort: invocation ", 25));
    EXPECT(strcmp(vendor[0].description, vendor[1].description) != 0);
    counts = no_counts(); /* the description alone */
    info.pVendorInfos = NULL;
    EXPECT_EQUAL(get(b->device, &counts, &info), VK_INCOMPLETE);
    EXPECT_EQUAL(counts.vendorInfoCount, 0);
    EXPECT(!strncmp(info.description, "Shader abort: invocation ", 25));
}

/* Until then it is the driver's to answer. */
SCENARIO(of_a_good_device, WITH_FAULT, .expect = {"VUID-vkGetDeviceFaultInfoEXT-device-07336"})
{
    VkDeviceFaultInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT};
    VkDeviceFaultCountsEXT counts = no_counts();
    start_with_fault_layer(b);
    EXPECT_EQUAL(DEVICE_PROC(b, vkGetDeviceFaultInfoEXT)(b->device, &counts, &info), VK_SUCCESS);
    EXPECT(!strcmp(info.description, "nothing is known"));
}
