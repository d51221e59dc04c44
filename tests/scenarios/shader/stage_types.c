/* Stages that the device does not take (RuntimeSpirv): small numbers in buffers, images without a
 * format, combined outputs, modes of floating-point numbers. */
#include "scenario.h"

#include "stage_types.h"

#define CODE(name_) spirv_types_##name_, sizeof(spirv_types_##name_)

static VkPipelineLayout layout_of_type(struct baseline *b, VkDescriptorType type)
{
    VkDescriptorSetLayoutBinding binding = {
        .descriptorType = type, .descriptorCount = 1, .stageFlags = VK_SHADER_STAGE_ALL};
    VkDescriptorSetLayoutCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .bindingCount = 1, .pBindings = &binding};
    return make_pipeline_layout(b, create_descriptor_set_layout(b, &info));
}

#define COMPUTE(name_, code_, type_, ...)                                         \
    SCENARIO(name_, .drivers = NULL_DRIVER, ##__VA_ARGS__)                        \
    {                                                                             \
        VkComputePipelineCreateInfo info =                                        \
            compute_pipeline_info(make_shader_from(b, CODE(code_)),               \
                                  layout_of_type(b, VK_DESCRIPTOR_TYPE_##type_)); \
        (void)create_compute_pipeline(b, &info);                                  \
    }
/* The module says it, and the pipeline of the same module does not say it again. */
#define RUNTIME(id_) .expect = {"VUID-RuntimeSpirv-" id_}, .proceed = true

/* --- small numbers ---------------------------------------------------------------------------- */

/* Arithmetic alone, and memory of each kind. */
#define NUMBERS(name_, first_, second_)                                                           \
    static const VkPhysicalDeviceVulkan12Features name_##_12 = {                                  \
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .shaderInt8 = VK_TRUE,             \
        .shaderFloat16 = VK_TRUE, first_};                                                        \
    static const VkPhysicalDeviceVulkan11Features name_##_11 = {                                  \
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = (void *)&name_##_12,      \
        second_};                                                                                 \
    static const VkPhysicalDeviceFeatures2 name_ = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, \
                                                    .pNext = (void *)&name_##_11,                 \
                                                    .features = {.shaderInt16 = VK_TRUE}};
NUMBERS(arithmetic, .samplerMirrorClampToEdge = VK_FALSE, .multiview = VK_FALSE)
NUMBERS(storage_8, .storageBuffer8BitAccess = VK_TRUE, .multiview = VK_FALSE)
NUMBERS(storage_16, .samplerMirrorClampToEdge = VK_FALSE, .storageBuffer16BitAccess = VK_TRUE)
NUMBERS(uniform_8, .uniformAndStorageBuffer8BitAccess = VK_TRUE, .multiview = VK_FALSE)
NUMBERS(uniform_16, .samplerMirrorClampToEdge = VK_FALSE,
        .uniformAndStorageBuffer16BitAccess = VK_TRUE)
NUMBERS(push_8, .storagePushConstant8 = VK_TRUE, .multiview = VK_FALSE)
NUMBERS(push_16, .samplerMirrorClampToEdge = VK_FALSE, .storagePushConstant16 = VK_TRUE)

COMPUTE(bytes_in_storage, storage_8, STORAGE_BUFFER, .features = &storage_8)
COMPUTE(bytes_in_storage_without_feature, storage_8, STORAGE_BUFFER, .features = &arithmetic,
        RUNTIME("storageBuffer8BitAccess-06328"),
        .text = {"uses the buffer data with numbers of 8 bits, but the storageBuffer8BitAccess "
                 "feature is not enabled"})
COMPUTE(shorts_in_storage, storage_16, STORAGE_BUFFER, .features = &storage_16)
COMPUTE(shorts_in_storage_with_bytes, storage_16, STORAGE_BUFFER, .features = &storage_8)
COMPUTE(shorts_in_storage_without_feature, storage_16, STORAGE_BUFFER, .features = &arithmetic,
        RUNTIME("storageBuffer16BitAccess-11161"))
COMPUTE(halves_in_storage_without_feature, storage_half, STORAGE_BUFFER, .features = &arithmetic,
        RUNTIME("storageBuffer16BitAccess-11161"))
COMPUTE(bytes_in_uniforms, uniform_8, UNIFORM_BUFFER, .features = &uniform_8)
COMPUTE(bytes_in_uniforms_without_feature, uniform_8, UNIFORM_BUFFER, .features = &arithmetic,
        RUNTIME("uniformAndStorageBuffer8BitAccess-06329"))
COMPUTE(shorts_in_uniforms, uniform_16, UNIFORM_BUFFER, .features = &uniform_16)
COMPUTE(shorts_in_uniforms_without_feature, uniform_16, UNIFORM_BUFFER, .features = &storage_16,
        RUNTIME("uniformAndStorageBuffer16BitAccess-06332"))
COMPUTE(bytes_pushed, push_8, STORAGE_BUFFER, .features = &push_8)
COMPUTE(bytes_pushed_without_feature, push_8, STORAGE_BUFFER, .features = &storage_8,
        RUNTIME("storagePushConstant8-06330"))
COMPUTE(shorts_pushed, push_16, STORAGE_BUFFER, .features = &push_16)
COMPUTE(shorts_pushed_without_feature, push_16, STORAGE_BUFFER, .features = &storage_16,
        RUNTIME("storagePushConstant16-06333"))

#define SHARED_FEATURES(name_, eight_, sixteen_)                                         \
    static const VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR name_ = {      \
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR, \
        .pNext = (void *)&arithmetic, .workgroupMemoryExplicitLayout = VK_TRUE,          \
        .workgroupMemoryExplicitLayout8BitAccess = eight_,                               \
        .workgroupMemoryExplicitLayout16BitAccess = sixteen_};
SHARED_FEATURES(shared_8_16, VK_TRUE, VK_TRUE)
SHARED_FEATURES(shared_8_alone, VK_TRUE, VK_FALSE)
SHARED_FEATURES(shared_16_alone, VK_FALSE, VK_TRUE)
SHARED_FEATURES(shared_neither, VK_FALSE, VK_FALSE)
#define LAID_OUT   .extensions = {"VK_KHR_workgroup_memory_explicit_layout"}
#define CAPABILITY "VUID-VkShaderModuleCreateInfo-pCode-08740"
COMPUTE(bytes_shared, shared_8, STORAGE_BUFFER, LAID_OUT, .features = &shared_8_16)
/* The module declares both capabilities, of which one is a mistake by itself. */
COMPUTE(bytes_shared_without_feature, shared_8, STORAGE_BUFFER, LAID_OUT,
        .features = &shared_16_alone, .proceed = true,
        .expect = {CAPABILITY, "VUID-RuntimeSpirv-workgroupMemoryExplicitLayout8BitAccess-10756"})
COMPUTE(shorts_shared_with_bytes, shared_16, STORAGE_BUFFER, LAID_OUT, .features = &shared_8_alone,
        .proceed = true, .expect = {CAPABILITY})
COMPUTE(shorts_shared_without_feature, shared_16, STORAGE_BUFFER, LAID_OUT,
        .features = &shared_neither, .proceed = true,
        .expect = {CAPABILITY, CAPABILITY,
                   "VUID-RuntimeSpirv-workgroupMemoryExplicitLayout16BitAccess-10757"},
        .text = {"uses the shared block (without a name) with numbers of 16 bits"})

/* --- where it is reported ------------------------------------------------------------------- */

/* "Objects containing an 8-bit integer element": the module has one, whichever entry is chosen. */
SCENARIO(small_in_one_of_two_entries, .drivers = NULL_DRIVER, .features = &arithmetic,
         RUNTIME("storageBuffer8BitAccess-06328"))
{
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_from(b, CODE(of_two_entries)),
                              layout_of_type(b, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER));
    EXPECT_EQUAL(seen_count(b, NULL), 1);
    (void)create_compute_pipeline(b, &info);
    info.stage.pName = "none";
    (void)create_compute_pipeline(b, &info);
}
/* Code without a module of its own. */
static const VkPhysicalDeviceMaintenance5Features inlined = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES, .pNext = (void *)&arithmetic,
    .maintenance5 = VK_TRUE};
SCENARIO(small_in_inlined_code, .drivers = NULL_DRIVER, .features = &inlined,
         .extensions = {"VK_KHR_maintenance5"}, RUNTIME("storageBuffer8BitAccess-06328"))
{
    const VkShaderModuleCreateInfo code = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = sizeof(spirv_types_storage_8),
                                           .pCode = spirv_types_storage_8};
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(VK_NULL_HANDLE, layout_of_type(b, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER));
    info.stage.pNext = &code;
    (void)create_compute_pipeline(b, &info);
}

/* --- buffers and images ----------------------------------------------------------------------- */

static const VkPhysicalDeviceShaderUniformBufferUnsizedArrayFeaturesEXT unsized = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_UNIFORM_BUFFER_UNSIZED_ARRAY_FEATURES_EXT,
    .shaderUniformBufferUnsizedArray = VK_TRUE};
#define UNSIZED .extensions = {"VK_EXT_shader_uniform_buffer_unsized_array"}
COMPUTE(unsized_uniforms, unsized, UNIFORM_BUFFER, UNSIZED, .features = &unsized)
COMPUTE(unsized_uniforms_without_feature, unsized, UNIFORM_BUFFER, UNSIZED,
        RUNTIME("shaderUniformBufferUnsizedArray-11806"))

/* A device of Vulkan 1.2 */
#define OLD(...)                                                  \
    .null_driver = "{\"apiVersion\": \"1.2.0\", \"extensions\": " \
                   "{\"VK_KHR_format_feature_flags2\": false}}",  \
    .api_version = VK_API_VERSION_1_2, ##__VA_ARGS__
static const VkPhysicalDeviceFeatures2 formatless = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .features = {.shaderStorageImageReadWithoutFormat = VK_TRUE,
                 .shaderStorageImageWriteWithoutFormat = VK_TRUE}};
COMPUTE(image_without_format, image, STORAGE_IMAGE)
COMPUTE(old_image_without_format, image_unwritten, STORAGE_IMAGE, OLD(RUNTIME("apiVersion-07955")))
COMPUTE(old_image_without_format_written, image_unread, STORAGE_IMAGE,
        OLD(RUNTIME("apiVersion-07954")))
COMPUTE(old_image_neither_read_nor_written, image_neither, STORAGE_IMAGE, OLD())
COMPUTE(old_image_with_features, image, STORAGE_IMAGE, OLD(.features = &formatless))

/* --- fragment shaders ------------------------------------------------------------------------- */

static const VkPhysicalDeviceFeatures2 stores = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                                 .features = {.fragmentStoresAndAtomics = VK_TRUE}};
static const VkPhysicalDeviceTileShadingFeaturesQCOM tiles = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TILE_SHADING_FEATURES_QCOM, .tileShading = VK_TRUE,
    .tileShadingPerTileDraw = VK_TRUE, .tileShadingFragmentStage = VK_TRUE};
static const VkPhysicalDeviceTileShadingFeaturesQCOM no_fragment_tiles = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TILE_SHADING_FEATURES_QCOM, .tileShading = VK_TRUE};
static void create_fragment(struct baseline *b, const uint32_t *code, size_t size)
{
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, layout_of_type(b, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER),
                            make_render_pass(b));
    VkPipelineShaderStageCreateInfo stages[] = {
        stage_info(VK_SHADER_STAGE_VERTEX_BIT, make_shader_from(b, CODE(vertex))),
        stage_info(VK_SHADER_STAGE_FRAGMENT_BIT, make_shader_from(b, code, size))};
    p.info.pStages = stages;
    (void)create_graphics_pipeline(b, &p.info);
}
#define FRAGMENT(name_, code_, ...)                        \
    SCENARIO(name_, .drivers = NULL_DRIVER, ##__VA_ARGS__) \
    {                                                      \
        create_fragment(b, CODE(code_));                   \
    }
NUMBERS(input_16, .samplerMirrorClampToEdge = VK_FALSE, .storageInputOutput16 = VK_TRUE)
SCENARIO(halves_in_input, .drivers = NULL_DRIVER, .features = &input_16)
{
    make_shader_from(b, CODE(output_16));
}
SCENARIO(halves_in_input_without_feature, .drivers = NULL_DRIVER, .features = &storage_16,
         .expect = {"VUID-VkShaderModuleCreateInfo-pCode-08740",
                    "VUID-RuntimeSpirv-storageInputOutput16-11162"},
         .text = {"has the input shade with numbers of 16 bits"})
{
    const VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = sizeof(spirv_types_output_16),
                                           .pCode = spirv_types_output_16};
    VkShaderModule module = VK_NULL_HANDLE;
    EXPECT_EQUAL(vkCreateShaderModule(b->device, &info, NULL, &module),
                 VK_ERROR_VALIDATION_FAILED_EXT);
}
#define OUTPUTS(most_) \
    .null_driver = "{\"limits\": {\"maxFragmentCombinedOutputResources\": " #most_ "}}"
FRAGMENT(two_outputs, fragment, OUTPUTS(2), .features = &stores)
FRAGMENT(two_outputs_of_one, fragment, OUTPUTS(1), .features = &stores, RUNTIME("Location-06428"),
         .text = {"writes 1 storage buffers and images and 1 color attachments, together more than "
                  "1 (maxFragmentCombinedOutputResources)"})
#define TILES .extensions = {"VK_QCOM_tile_shading", "VK_QCOM_tile_properties"}
FRAGMENT(tile_in_fragment, tile, TILES, .features = &tiles)
FRAGMENT(tile_in_fragment_without_feature, tile, TILES, .features = &no_fragment_tiles,
         RUNTIME("TileShadingQCOM-10699"))

/* --- modes of floating-point numbers ---------------------------------------------------------- */

/* 0: 32 bits only, 1: all, 2: none */
#define DENORMS(value_) \
    .null_driver = "{\"properties\": {\"denormBehaviorIndependence\": " #value_ "}}"
#define ROUNDING(value_) \
    .null_driver = "{\"properties\": {\"roundingModeIndependence\": " #value_ "}}"
COMPUTE(denormals_differ, denorm_16_64, STORAGE_BUFFER, DENORMS(1))
COMPUTE(denormals_differ_outside_of_32, denorm_16_64, STORAGE_BUFFER, DENORMS(0),
        RUNTIME("denormBehaviorIndependence-06289"))
COMPUTE(denormals_of_32_differ, denorm_16_32, STORAGE_BUFFER, DENORMS(0))
COMPUTE(denormals_differ_at_all, denorm_16_32, STORAGE_BUFFER, DENORMS(2),
        RUNTIME("denormBehaviorIndependence-06290"))
COMPUTE(denormals_same, denorm_same, STORAGE_BUFFER, DENORMS(2))
COMPUTE(rounding_differs, round_16_64, STORAGE_BUFFER, ROUNDING(1))
COMPUTE(rounding_differs_outside_of_32, round_16_64, STORAGE_BUFFER, ROUNDING(0),
        RUNTIME("roundingModeIndependence-06291"))
COMPUTE(rounding_of_32_differs, round_16_32, STORAGE_BUFFER, ROUNDING(0))
COMPUTE(rounding_differs_at_all, round_16_32, STORAGE_BUFFER, ROUNDING(2),
        RUNTIME("roundingModeIndependence-06292"))
COMPUTE(rounding_same, round_same, STORAGE_BUFFER, ROUNDING(2))
