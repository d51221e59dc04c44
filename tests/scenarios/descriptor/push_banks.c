/* Banks of push constants and push data (VK_NV_push_constant_bank). */
#include "scenario.h"

static const VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceMaintenance5Features maintenance5 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES,
    .pNext = (void *)&addresses,
    .maintenance5 = VK_TRUE};
static const VkPhysicalDeviceMaintenance6Features maintenance6 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_6_FEATURES,
    .pNext = (void *)&maintenance5,
    .maintenance6 = VK_TRUE};
static const VkPhysicalDeviceDescriptorHeapFeaturesEXT heaps = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT,
    .pNext = (void *)&maintenance6,
    .descriptorHeap = VK_TRUE};
static const VkPhysicalDevicePushConstantBankFeaturesNV banks = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PUSH_CONSTANT_BANK_FEATURES_NV,
    .pNext = (void *)&heaps,
    .pushConstantBank = VK_TRUE};
#define BANKS                                                                                   \
    .drivers = NULL_DRIVER, .features = &banks,                                                 \
    .extensions = {"VK_NV_push_constant_bank", "VK_EXT_descriptor_heap", "VK_KHR_maintenance5", \
                   "VK_KHR_maintenance6"},                                                      \
    .null_driver =                                                                              \
        "{\"properties\": {\"maxGraphicsPushConstantBanks\": 4, "                               \
        "\"maxComputePushConstantBanks\": 2, \"maxGraphicsPushDataBanks\": 4, "                 \
        "\"maxComputePushDataBanks\": 2}, \"queueFamilies\": [{\"flags\": [\"graphics\", "      \
        "\"compute\", \"transfer\"]}, {\"flags\": [\"compute\", \"transfer\"]}, "               \
        "{\"flags\": [\"graphics\", \"transfer\"]}]}"
#define BANK(id_) .expect = {"VUID-VkPushConstantBankInfoNV-bank-" id_}

static VkPushConstantBankInfoNV bank_info(uint32_t bank)
{
    return (VkPushConstantBankInfoNV){.sType = VK_STRUCTURE_TYPE_PUSH_CONSTANT_BANK_INFO_NV,
                                      .bank = bank};
}

static void push_constants(struct baseline *b, VkShaderStageFlags stages, uint32_t bank)
{
    const VkPushConstantBankInfoNV chained = bank_info(bank);
    const VkPushConstantRange range = {stages, 0, 4};
    const VkPipelineLayoutCreateInfo layout = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &range};
    const uint32_t value = 0;
    const VkPushConstantsInfo info = {.sType = VK_STRUCTURE_TYPE_PUSH_CONSTANTS_INFO,
                                      .pNext = &chained,
                                      .layout = create_pipeline_layout(b, &layout),
                                      .stageFlags = stages,
                                      .size = 4,
                                      .pValues = &value};
    DEVICE_PROC(b, vkCmdPushConstants2KHR)(make_recording(b), &info);
}

SCENARIO(constants_in_the_last_banks, BANKS)
{
    push_constants(b, VK_SHADER_STAGE_VERTEX_BIT, 3);
    push_constants(b, VK_SHADER_STAGE_COMPUTE_BIT, 1);
}

SCENARIO(constants_in_no_bank_of_graphics, BANKS, BANK("12344"))
{
    push_constants(b, VK_SHADER_STAGE_VERTEX_BIT, 4);
}

SCENARIO(constants_in_no_bank_of_compute, BANKS, BANK("12345"),
         .text = {"is 2, but compute shaders have 2 banks"})
{
    push_constants(b, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_COMPUTE_BIT, 2);
}

static void push_data(struct baseline *b, VkQueueFlags with, VkQueueFlags without, uint32_t bank)
{
    const VkPushConstantBankInfoNV chained = bank_info(bank);
    uint32_t value = 0;
    const VkPushDataInfoEXT info = {.sType = VK_STRUCTURE_TYPE_PUSH_DATA_INFO_EXT,
                                    .pNext = &chained,
                                    .data = {&value, sizeof(value)}};
    DEVICE_PROC(b, vkCmdPushDataEXT)(make_recording_of(b, find_queue_family(b->physical_device,
                                                                            with, without)),
                                     &info);
}
#define GRAPHICS VK_QUEUE_GRAPHICS_BIT
#define COMPUTE  VK_QUEUE_COMPUTE_BIT

/* Where the queue has both, only the program knows which of them will read the data. */
SCENARIO(data_in_the_last_banks, BANKS)
{
    push_data(b, GRAPHICS, COMPUTE, 3);
    push_data(b, COMPUTE, GRAPHICS, 1);
    push_data(b, GRAPHICS | COMPUTE, 0, 3);
}

SCENARIO(data_in_no_bank_of_graphics, BANKS, BANK("12342"))
{
    push_data(b, GRAPHICS, COMPUTE, 4);
}

SCENARIO(data_in_no_bank_of_compute, BANKS, BANK("12343"))
{
    push_data(b, COMPUTE, GRAPHICS, 2);
}

SCENARIO(data_in_no_bank, BANKS, BANK("12342"))
{
    push_data(b, GRAPHICS | COMPUTE, 0, 4);
}

/* --- mappings that read push data of a bank --- */

/* The compute shader's buffer lies at an address in push data. */
static void map_bank(struct baseline *b, VkShaderStageFlagBits stage, uint32_t bank)
{
    const VkPushConstantBankInfoNV chained = bank_info(bank);
    const VkDescriptorSetAndBindingMappingEXT mapping = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT,
        .pNext = &chained,
        .bindingCount = 1,
        .resourceMask = VK_SPIRV_RESOURCE_TYPE_READ_WRITE_STORAGE_BUFFER_BIT_EXT,
        .source = VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_ADDRESS_EXT};
    const VkShaderDescriptorSetAndBindingMappingInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
        .mappingCount = 1,
        .pMappings = &mapping};
    const VkPipelineCreateFlags2CreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT};
    if (stage == VK_SHADER_STAGE_COMPUTE_BIT) {
        VkComputePipelineCreateInfo pipeline =
            compute_pipeline_info(make_shader_module(b), VK_NULL_HANDLE);
        pipeline.pNext = &flags;
        pipeline.stage.pNext = &info;
        create_compute_pipeline(b, &pipeline);
        return;
    }
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, VK_NULL_HANDLE, make_render_pass(b));
    p.info.pNext = &flags;
    p.stages[0].pNext = &info;
    create_graphics_pipeline(b, &p.info);
}

SCENARIO(mapped_to_the_last_banks, BANKS)
{
    map_bank(b, VK_SHADER_STAGE_VERTEX_BIT, 3);
    map_bank(b, VK_SHADER_STAGE_COMPUTE_BIT, 1);
}

SCENARIO(mapped_to_no_bank_of_graphics, BANKS, BANK("12346"),
         .text = {"is 4, but graphics shaders have 4 banks of push data"})
{
    map_bank(b, VK_SHADER_STAGE_VERTEX_BIT, 4);
}

SCENARIO(mapped_to_no_bank_of_compute, BANKS, BANK("12347"))
{
    map_bank(b, VK_SHADER_STAGE_COMPUTE_BIT, 2);
}
