/* Handles of extensions' objects: acceleration structures, video sessions, shader objects, pipeline
 * libraries and binaries, deferred operations, device-generated commands; and handles in the chains
 * of structures. On the null driver, which ends the process where an id reaches it. */
#include "scenario.h"

#include "shader_interface.h"

#include <string.h>

#define CHECKED .drivers = NULL_DRIVER, .null_driver = "{\"checkHandles\": true}", .ours_only = true

/* Acceleration structures. */

static const VkPhysicalDeviceAccelerationStructureFeaturesKHR structure_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
    .pNext =
        (void *)&(const VkPhysicalDeviceBufferDeviceAddressFeatures){
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
            .bufferDeviceAddress = VK_TRUE},
    .accelerationStructure = VK_TRUE,
    .accelerationStructureHostCommands = VK_TRUE};
#define RAY_TRACING_EXTENSIONS                                     \
    .features = &structure_features,                               \
    .extensions = {VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,   \
                   VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME, \
                   VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME}

static VkAccelerationStructureKHR make_structure(struct baseline *b,
                                                 VkAccelerationStructureTypeKHR type)
{
    VkAccelerationStructureCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
        .buffer = make_buffer(b, 65536,
                              VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR |
                                  VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT),
        .size = 65536,
        .type = type,
    };
    VkAccelerationStructureKHR structure = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateAccelerationStructureKHR)(b->device, &info, NULL, &structure));
    cleanup_add(b, destroy_acceleration_structure, HANDLE(structure));
    return structure;
}

/* A build of one structure over instances in the program's memory. */
struct host_build {
    VkAccelerationStructureInstanceKHR instances[3];
    const VkAccelerationStructureInstanceKHR *pointers[3];
    VkAccelerationStructureGeometryKHR geometry;
    VkAccelerationStructureBuildGeometryInfoKHR info;
    VkAccelerationStructureBuildRangeInfoKHR range;
    const VkAccelerationStructureBuildRangeInfoKHR *ranges;
    uint64_t scratch[64];
};

static void fill_host_build(struct baseline *b, struct host_build *build, bool pointers)
{
    VkAccelerationStructureKHR bottom =
        make_structure(b, VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR);
    memset(build, 0, sizeof(*build));
    for (int i = 0; i < 3; i++) {
        build->instances[i].accelerationStructureReference = HANDLE(bottom);
        build->instances[i].mask = 0xff;
        build->pointers[i] = &build->instances[i];
    }
    build->geometry.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR;
    build->geometry.geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR;
    build->geometry.geometry.instances = (VkAccelerationStructureGeometryInstancesDataKHR){
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR,
        .arrayOfPointers = pointers,
        .data.hostAddress =
            pointers ? (const void *)build->pointers : (const void *)build->instances,
    };
    build->info = (VkAccelerationStructureBuildGeometryInfoKHR){
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
        .type = VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR,
        .dstAccelerationStructure = make_structure(b, VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR),
        .geometryCount = 1,
        .pGeometries = &build->geometry,
        .scratchData.hostAddress = build->scratch,
    };
    build->range.primitiveCount = 3;
    build->ranges = &build->range;
}

SCENARIO(host_build, RAY_TRACING_EXTENSIONS, CHECKED)
{
    struct host_build build;
    fill_host_build(b, &build, false);
    VK(DEVICE_PROC(b, vkBuildAccelerationStructuresKHR)(b->device, VK_NULL_HANDLE, 1, &build.info,
                                                        &build.ranges));
}

SCENARIO(host_build_of_pointers, RAY_TRACING_EXTENSIONS, CHECKED)
{
    struct host_build build;
    fill_host_build(b, &build, true);
    VK(DEVICE_PROC(b, vkBuildAccelerationStructuresKHR)(b->device, VK_NULL_HANDLE, 1, &build.info,
                                                        &build.ranges));
}

SCENARIO(host_build_leaves_the_instances_alone, RAY_TRACING_EXTENSIONS, CHECKED)
{
    struct host_build build;
    fill_host_build(b, &build, false);
    uint64_t reference = build.instances[1].accelerationStructureReference;
    VK(DEVICE_PROC(b, vkBuildAccelerationStructuresKHR)(b->device, VK_NULL_HANDLE, 1, &build.info,
                                                        &build.ranges));
    EXPECT(build.instances[1].accelerationStructureReference == reference);
}

SCENARIO(build_of_destroyed_structure, RAY_TRACING_EXTENSIONS, .drivers = NULL_DRIVER,
         .ours_only = true, .settings = {"unique_handles=true"},
         .expect = {"VUID-vkBuildAccelerationStructuresKHR-dstAccelerationStructure-03800"})
{
    struct host_build build;
    fill_host_build(b, &build, false);
    build.info.dstAccelerationStructure = GARBAGE(VkAccelerationStructureKHR);
    DEVICE_PROC(b, vkBuildAccelerationStructuresKHR)(b->device, VK_NULL_HANDLE, 1, &build.info,
                                                     &build.ranges);
}

SCENARIO(structure_queries, RAY_TRACING_EXTENSIONS, CHECKED)
{
    struct host_build build;
    fill_host_build(b, &build, false);
    build.info.flags = VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_COMPACTION_BIT_KHR;
    VK(DEVICE_PROC(b, vkBuildAccelerationStructuresKHR)(b->device, VK_NULL_HANDLE, 1, &build.info,
                                                        &build.ranges));
    VkAccelerationStructureKHR structure = build.info.dstAccelerationStructure;
    VkAccelerationStructureDeviceAddressInfoKHR address = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR,
        .accelerationStructure = structure};
    uint64_t sizes[1];
    DEVICE_PROC(b, vkGetAccelerationStructureDeviceAddressKHR)(b->device, &address);
    VK(DEVICE_PROC(b, vkWriteAccelerationStructuresPropertiesKHR)(
        b->device, 1, &structure, VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR,
        sizeof(sizes), sizes, sizeof(sizes)));
    VkCopyAccelerationStructureInfoKHR copy = {
        .sType = VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_INFO_KHR,
        .src = structure,
        .dst = make_structure(b, VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR),
        .mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_CLONE_KHR};
    VK(DEVICE_PROC(b, vkCopyAccelerationStructureKHR)(b->device, VK_NULL_HANDLE, &copy));
}

static VkDescriptorSetLayout structure_layout(struct baseline *b)
{
    VkDescriptorSetLayoutBinding binding = {.descriptorType =
                                                VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR,
                                            .descriptorCount = 2,
                                            .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    VkDescriptorSetLayoutCreateInfo info = descriptor_set_layout_info();
    info.bindingCount = 1;
    info.pBindings = &binding;
    return create_descriptor_set_layout(b, &info);
}

static VkDescriptorSet structure_set(struct baseline *b, VkDescriptorSetLayout layout)
{
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, 4};
    VkDescriptorPoolCreateInfo info = descriptor_pool_info();
    info.poolSizeCount = 1;
    info.pPoolSizes = &size;
    return make_descriptor_set(b, create_descriptor_pool(b, &info), layout);
}

SCENARIO(structures_in_a_descriptor, RAY_TRACING_EXTENSIONS, CHECKED)
{
    VkAccelerationStructureKHR structures[] = {
        make_structure(b, VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR),
        make_structure(b, VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR)};
    VkWriteDescriptorSetAccelerationStructureKHR chained = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR,
        .accelerationStructureCount = 2,
        .pAccelerationStructures = structures};
    VkWriteDescriptorSet write =
        write_buffer(structure_set(b, structure_layout(b)), (const void *)(uintptr_t)8);
    write.pNext = &chained;
    write.descriptorCount = 2;
    write.descriptorType = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR;
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

SCENARIO(structures_in_a_template, RAY_TRACING_EXTENSIONS, CHECKED)
{
    VkAccelerationStructureKHR structures[] = {
        make_structure(b, VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR),
        make_structure(b, VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR)};
    VkDescriptorSetLayout layout = structure_layout(b);
    VkDescriptorUpdateTemplateEntry entry = {.descriptorCount = 2,
                                             .descriptorType =
                                                 VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR,
                                             .stride = sizeof(structures[0])};
    VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 1,
        .pDescriptorUpdateEntries = &entry,
        .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
        .descriptorSetLayout = layout};
    vkUpdateDescriptorSetWithTemplate(b->device, structure_set(b, layout),
                                      create_descriptor_update_template(b, &info), structures);
}

/* Inline uniform data is not a handle, whatever it looks like. */
SCENARIO(inline_uniform_data_in_a_template, CHECKED,
         .features = &(VkPhysicalDeviceVulkan13Features){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
             .inlineUniformBlock = VK_TRUE})
{
    VkDescriptorSetLayoutBinding binding = {.descriptorType =
                                                VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK,
                                            .descriptorCount = 16,
                                            .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    VkDescriptorSetLayoutCreateInfo layout_info = descriptor_set_layout_info();
    layout_info.bindingCount = 1;
    layout_info.pBindings = &binding;
    VkDescriptorSetLayout layout = create_descriptor_set_layout(b, &layout_info);
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 64};
    VkDescriptorPoolInlineUniformBlockCreateInfo blocks = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO,
        .maxInlineUniformBlockBindings = 4};
    VkDescriptorPoolCreateInfo pool_info = descriptor_pool_info();
    pool_info.pNext = &blocks;
    pool_info.poolSizeCount = 1;
    pool_info.pPoolSizes = &size;
    VkDescriptorSet set = make_descriptor_set(b, create_descriptor_pool(b, &pool_info), layout);
    VkDescriptorUpdateTemplateEntry entry = {.descriptorCount = 16,
                                             .descriptorType =
                                                 VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK,
                                             .stride = 0};
    VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 1,
        .pDescriptorUpdateEntries = &entry,
        .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
        .descriptorSetLayout = layout};
    uint64_t data[2] = {HANDLE(set), 0x6172626167};
    vkUpdateDescriptorSetWithTemplate(b->device, set, create_descriptor_update_template(b, &info),
                                      data);
}

/* Deferred operations: the layer does the work at once, and says so. */

static VkDeferredOperationKHR make_operation(struct baseline *b)
{
    VkDeferredOperationKHR operation = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateDeferredOperationKHR)(b->device, NULL, &operation));
    return operation;
}

static void use_operation(struct baseline *b, VkDeferredOperationKHR operation)
{
    DEVICE_PROC(b, vkDeferredOperationJoinKHR)(b->device, operation);
    DEVICE_PROC(b, vkGetDeferredOperationResultKHR)(b->device, operation);
    DEVICE_PROC(b, vkGetDeferredOperationMaxConcurrencyKHR)(b->device, operation);
    DEVICE_PROC(b, vkDestroyDeferredOperationKHR)(b->device, operation, NULL);
}

SCENARIO(deferred_build_is_done_at_once, RAY_TRACING_EXTENSIONS, .drivers = NULL_DRIVER,
         .ours_only = true, .settings = {"unique_handles=true"},
         .null_driver = "{\"checkHandles\": true, \"deferOperations\": true}")
{
    struct host_build build;
    VkDeferredOperationKHR operation = make_operation(b);
    fill_host_build(b, &build, false);
    EXPECT_EQUAL(DEVICE_PROC(b, vkBuildAccelerationStructuresKHR)(b->device, operation, 1,
                                                                  &build.info, &build.ranges),
                 VK_OPERATION_NOT_DEFERRED_KHR);
    use_operation(b, operation);
}

SCENARIO(deferred_operation_destroyed_twice, RAY_TRACING_EXTENSIONS, .drivers = NULL_DRIVER,
         .settings = {"unique_handles=true"},
         .expect = {"VUID-vkDestroyDeferredOperationKHR-operation-parameter"}, .ours_only = true)
{
    VkDeferredOperationKHR operation = make_operation(b);
    DEVICE_PROC(b, vkDestroyDeferredOperationKHR)(b->device, operation, NULL);
    DEVICE_PROC(b, vkDestroyDeferredOperationKHR)(b->device, operation, NULL);
}

/* Ray tracing pipelines and pipeline libraries. */

static const VkPhysicalDeviceRayTracingPipelineFeaturesKHR ray_pipelines = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR,
    .rayTracingPipeline = VK_TRUE};
#define PIPELINE_EXTENSIONS                                        \
    .extensions = {VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME,     \
                   VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,   \
                   VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME, \
                   VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME},        \
    .features = &ray_pipelines

static VkRayTracingPipelineCreateInfoKHR
ray_tracing_info(struct baseline *b, VkPipelineShaderStageCreateInfo *stage,
                 VkRayTracingShaderGroupCreateInfoKHR *group)
{
    *stage = stage_info(VK_SHADER_STAGE_RAYGEN_BIT_KHR, MAKE_SHADER(b, spirv_raygen));
    *group = (VkRayTracingShaderGroupCreateInfoKHR){
        .sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
        .type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
        .closestHitShader = VK_SHADER_UNUSED_KHR,
        .anyHitShader = VK_SHADER_UNUSED_KHR,
        .intersectionShader = VK_SHADER_UNUSED_KHR};
    return (VkRayTracingPipelineCreateInfoKHR){
        .sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
        .stageCount = 1,
        .pStages = stage,
        .groupCount = 1,
        .pGroups = group,
        .maxPipelineRayRecursionDepth = 1,
        .layout = make_empty_pipeline_layout(b),
        .basePipelineIndex = -1};
}

SCENARIO(deferred_pipelines_are_made_at_once, PIPELINE_EXTENSIONS, .drivers = NULL_DRIVER,
         .ours_only = true, .null_driver = "{\"checkHandles\": true, \"deferOperations\": true}")
{
    VkPipelineShaderStageCreateInfo stages[2];
    VkRayTracingShaderGroupCreateInfoKHR groups[2];
    VkRayTracingPipelineCreateInfoKHR infos[] = {ray_tracing_info(b, &stages[0], &groups[0]),
                                                 ray_tracing_info(b, &stages[1], &groups[1])};
    VkPipeline pipelines[2] = {0};
    VkDeferredOperationKHR operation = make_operation(b);
    EXPECT_EQUAL(DEVICE_PROC(b, vkCreateRayTracingPipelinesKHR)(b->device, operation,
                                                                VK_NULL_HANDLE, 2, infos, NULL,
                                                                pipelines),
                 VK_OPERATION_NOT_DEFERRED_KHR);
    EXPECT(pipelines[0] && pipelines[1] && pipelines[0] != pipelines[1]);
    use_operation(b, operation);
    vkDestroyPipeline(b->device, pipelines[0], NULL);
    vkDestroyPipeline(b->device, pipelines[1], NULL);
}

SCENARIO(ray_tracing_pipeline_from_a_library, PIPELINE_EXTENSIONS, CHECKED)
{
    VkPipelineShaderStageCreateInfo stage;
    VkRayTracingShaderGroupCreateInfoKHR group;
    VkRayTracingPipelineInterfaceCreateInfoKHR interface = {
        .sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_INTERFACE_CREATE_INFO_KHR,
        .maxPipelineRayPayloadSize = 16,
        .maxPipelineRayHitAttributeSize = 8};
    VkRayTracingPipelineCreateInfoKHR info = ray_tracing_info(b, &stage, &group);
    VkPipeline library = VK_NULL_HANDLE, linked = VK_NULL_HANDLE;
    info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
    info.pLibraryInterface = &interface;
    VK(DEVICE_PROC(b, vkCreateRayTracingPipelinesKHR)(b->device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1,
                                                      &info, NULL, &library));
    VkPipelineLibraryCreateInfoKHR libraries = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
        .libraryCount = 1,
        .pLibraries = &library};
    info.flags = 0;
    info.pLibraryInfo = &libraries;
    VK(DEVICE_PROC(b, vkCreateRayTracingPipelinesKHR)(b->device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1,
                                                      &info, NULL, &linked));
    uint8_t handles[64];
    VK(DEVICE_PROC(b, vkGetRayTracingShaderGroupHandlesKHR)(b->device, linked, 0, 1,
                                                            sizeof(handles), handles));
    vkDestroyPipeline(b->device, library, NULL);
    vkDestroyPipeline(b->device, linked, NULL);
}

static const VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT library_feature = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
    .graphicsPipelineLibrary = VK_TRUE};

SCENARIO(graphics_pipeline_from_libraries, CHECKED, .features = &library_feature,
         .extensions = {VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME,
                        VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME})
{
    struct graphics_pipeline parts[4];
    VkGraphicsPipelineLibraryCreateInfoEXT kinds[4];
    VkPipeline libraries[4];
    VkPipelineLayout layout = make_empty_pipeline_layout(b);
    VkRenderPass render_pass = make_render_pass(b);
    for (uint32_t i = 0; i < 4; i++) {
        begin_graphics_pipeline(b, &parts[i], layout, render_pass);
        kinds[i] = (VkGraphicsPipelineLibraryCreateInfoEXT){
            .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT, .flags = 1u << i};
        parts[i].info.pNext = &kinds[i];
        parts[i].info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
        parts[i].info.stageCount = i == 1 || i == 2;
        parts[i].info.pStages = &parts[i].stages[i == 2];
        libraries[i] = create_graphics_pipeline(b, &parts[i].info);
        ENSURE(libraries[i]);
    }
    VkPipelineLibraryCreateInfoKHR linked = {.sType =
                                                 VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
                                             .libraryCount = 4,
                                             .pLibraries = libraries};
    VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                         .pNext = &linked,
                                         .layout = layout,
                                         .basePipelineIndex = -1};
    EXPECT(create_graphics_pipeline(b, &info) != VK_NULL_HANDLE);
}

SCENARIO(pipeline_of_destroyed_library, PIPELINE_EXTENSIONS, .drivers = NULL_DRIVER,
         .ours_only = true, .settings = {"unique_handles=true"},
         .expect = {"VUID-VkPipelineLibraryCreateInfoKHR-pLibraries-parameter"})
{
    VkPipelineShaderStageCreateInfo stage;
    VkRayTracingShaderGroupCreateInfoKHR group;
    VkPipeline garbage = GARBAGE(VkPipeline), pipeline = VK_NULL_HANDLE;
    VkPipelineLibraryCreateInfoKHR libraries = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
        .libraryCount = 1,
        .pLibraries = &garbage};
    VkRayTracingPipelineInterfaceCreateInfoKHR interface = {
        .sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_INTERFACE_CREATE_INFO_KHR};
    VkRayTracingPipelineCreateInfoKHR info = ray_tracing_info(b, &stage, &group);
    info.pLibraryInfo = &libraries;
    info.pLibraryInterface = &interface;
    DEVICE_PROC(b, vkCreateRayTracingPipelinesKHR)(b->device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1,
                                                   &info, NULL, &pipeline);
}

/* The key of a pipeline that does not exist: its creation info stands in the chain, which no
 * attribute of the registry says. */
static void get_key(struct baseline *b, const void *creation)
{
    const VkPipelineCreateInfoKHR info = {VK_STRUCTURE_TYPE_PIPELINE_CREATE_INFO_KHR,
                                          .pNext = (void *)(uintptr_t)creation};
    VkPipelineBinaryKeyKHR key = {VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR};
    VK(DEVICE_PROC(b, vkGetPipelineKeyKHR)(b->device, &info, &key));
}

SCENARIO(pipeline_keys, CHECKED,
         .extensions = {VK_KHR_PIPELINE_BINARY_EXTENSION_NAME, VK_KHR_MAINTENANCE_5_EXTENSION_NAME})
{
    const VkComputePipelineCreateInfo compute =
        compute_pipeline_info(make_shader_module(b),
                              make_pipeline_layout(b, make_descriptor_set_layout(b)));
    get_key(b, &compute);
    struct graphics_pipeline graphics;
    begin_graphics_pipeline(b, &graphics, make_empty_pipeline_layout(b), make_render_pass(b));
    get_key(b, &graphics.info);
}

SCENARIO(pipeline_binaries, CHECKED,
         .extensions = {VK_KHR_PIPELINE_BINARY_EXTENSION_NAME, VK_KHR_MAINTENANCE_5_EXTENSION_NAME})
{
    const VkPipelineCreateFlags2CreateInfo captures = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR};
    VkComputePipelineCreateInfo captured =
        compute_pipeline_info(make_shader_module(b),
                              make_pipeline_layout(b, make_descriptor_set_layout(b)));
    captured.pNext = &captures;
    VkPipeline pipeline = create_compute_pipeline(b, &captured);
    VkPipelineBinaryCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR, .pipeline = pipeline};
    VkPipelineBinaryKHR binaries[8] = {0};
    VkPipelineBinaryHandlesInfoKHR handles = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR};
    VK(DEVICE_PROC(b, vkCreatePipelineBinariesKHR)(b->device, &info, NULL, &handles));
    ENSURE(handles.pipelineBinaryCount >= 1 && handles.pipelineBinaryCount <= 8);
    handles.pPipelineBinaries = binaries;
    VK(DEVICE_PROC(b, vkCreatePipelineBinariesKHR)(b->device, &info, NULL, &handles));
    for (uint32_t i = 0; i < handles.pipelineBinaryCount; i++) {
        VkPipelineBinaryDataInfoKHR data = {.sType =
                                                VK_STRUCTURE_TYPE_PIPELINE_BINARY_DATA_INFO_KHR,
                                            .pipelineBinary = binaries[i]};
        VkPipelineBinaryKeyKHR key = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR};
        size_t size = 0;
        VK(DEVICE_PROC(b, vkGetPipelineBinaryDataKHR)(b->device, &data, &key, &size, NULL));
    }
    VkPipelineBinaryInfoKHR used = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR,
                                    .binaryCount = handles.pipelineBinaryCount,
                                    .pPipelineBinaries = binaries};
    VkComputePipelineCreateInfo again =
        compute_pipeline_info(make_shader_module(b),
                              make_pipeline_layout(b, make_descriptor_set_layout(b)));
    again.pNext = &used;
    EXPECT(create_compute_pipeline(b, &again) != VK_NULL_HANDLE);
    for (uint32_t i = 0; i < handles.pipelineBinaryCount; i++)
        DEVICE_PROC(b, vkDestroyPipelineBinaryKHR)(b->device, binaries[i], NULL);
}

/* Shader objects. */

static const VkPhysicalDeviceShaderObjectFeaturesEXT shader_object_feature = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT, .shaderObject = VK_TRUE};

SCENARIO(shader_objects, CHECKED, .extensions = {VK_EXT_SHADER_OBJECT_EXTENSION_NAME},
         .features = &shader_object_feature)
{
    VkDescriptorSetLayout layout = make_descriptor_set_layout(b);
    VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 16};
    VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                  .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                  .codeSize = shader_fill_size,
                                  .pCode = shader_fill_code,
                                  .pName = "main",
                                  .setLayoutCount = 1,
                                  .pSetLayouts = &layout,
                                  .pushConstantRangeCount = 1,
                                  .pPushConstantRanges = &range};
    VkShaderCreateInfoEXT infos[] = {info, info};
    VkShaderEXT shaders[2] = {0};
    VK(DEVICE_PROC(b, vkCreateShadersEXT)(b->device, 2, infos, NULL, shaders));
    EXPECT(shaders[0] && shaders[1] && shaders[0] != shaders[1]);
    VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
    VkCommandBuffer command_buffer = make_recording(b);
    DEVICE_PROC(b, vkCmdBindShadersEXT)(command_buffer, 1, &stage, &shaders[1]);
    DEVICE_PROC(b, vkCmdBindShadersEXT)(command_buffer, 1, &stage, NULL);
    size_t size = 0;
    VK(DEVICE_PROC(b, vkGetShaderBinaryDataEXT)(b->device, shaders[0], &size, NULL));
    DEVICE_PROC(b, vkDestroyShaderEXT)(b->device, shaders[0], NULL);
    DEVICE_PROC(b, vkDestroyShaderEXT)(b->device, shaders[1], NULL);
}

SCENARIO(shader_objects_made_in_part, .drivers = NULL_DRIVER, .ours_only = true,
         .features = &shader_object_feature, .extensions = {VK_EXT_SHADER_OBJECT_EXTENSION_NAME},
         .null_driver = "{\"checkHandles\": true, \"fail\": {\"vkCreateShadersEXT\": {\"result\": "
                        "\"VK_INCOMPATIBLE_SHADER_BINARY_EXT\", \"null\": [0]}}}")
{
    VkDescriptorSetLayout layout = make_descriptor_set_layout(b);
    VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 16};
    VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                  .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                  .codeSize = shader_fill_size,
                                  .pCode = shader_fill_code,
                                  .pName = "main",
                                  .setLayoutCount = 1,
                                  .pSetLayouts = &layout,
                                  .pushConstantRangeCount = 1,
                                  .pPushConstantRanges = &range};
    VkShaderCreateInfoEXT infos[] = {info, info};
    VkShaderEXT shaders[2];
    EXPECT_EQUAL(DEVICE_PROC(b, vkCreateShadersEXT)(b->device, 2, infos, NULL, shaders),
                 VK_INCOMPATIBLE_SHADER_BINARY_EXT);
    EXPECT(!shaders[0] && shaders[1]);
    DEVICE_PROC(b, vkDestroyShaderEXT)(b->device, shaders[1], NULL);
}

/* Video. */

SCENARIO(video_session, CHECKED,
         .extensions = {VK_KHR_VIDEO_QUEUE_EXTENSION_NAME, VK_KHR_VIDEO_DECODE_QUEUE_EXTENSION_NAME,
                        VK_KHR_VIDEO_DECODE_H264_EXTENSION_NAME})
{
    VkVideoDecodeH264ProfileInfoKHR codec = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PROFILE_INFO_KHR,
        .stdProfileIdc = STD_VIDEO_H264_PROFILE_IDC_HIGH};
    VkVideoProfileInfoKHR profile = {.sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_INFO_KHR,
                                     .pNext = &codec,
                                     .videoCodecOperation =
                                         VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR,
                                     .chromaSubsampling = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,
                                     .lumaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
                                     .chromaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR};
    VkExtensionProperties version = {
        .extensionName = VK_STD_VULKAN_VIDEO_CODEC_H264_DECODE_EXTENSION_NAME,
        .specVersion = VK_STD_VULKAN_VIDEO_CODEC_H264_DECODE_SPEC_VERSION};
    VkVideoSessionCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_CREATE_INFO_KHR,
        .queueFamilyIndex = find_queue_family(b->physical_device, VK_QUEUE_VIDEO_DECODE_BIT_KHR, 0),
        .pVideoProfile = &profile,
        .pictureFormat = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
        .maxCodedExtent = {64, 64},
        .referencePictureFormat = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
        .pStdHeaderVersion = &version};
    VkVideoSessionKHR session = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateVideoSessionKHR)(b->device, &info, NULL, &session));
    VkVideoSessionMemoryRequirementsKHR requirements[8];
    uint32_t count = 8;
    for (int i = 0; i < 8; i++)
        requirements[i] = (VkVideoSessionMemoryRequirementsKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_MEMORY_REQUIREMENTS_KHR};
    VK(DEVICE_PROC(b, vkGetVideoSessionMemoryRequirementsKHR)(b->device, session, &count,
                                                              requirements));
    for (uint32_t i = 0; i < count; i++) {
        VkBindVideoSessionMemoryInfoKHR bind = {
            .sType = VK_STRUCTURE_TYPE_BIND_VIDEO_SESSION_MEMORY_INFO_KHR,
            .memoryBindIndex = requirements[i].memoryBindIndex,
            .memory = make_memory(b, requirements[i].memoryRequirements.size),
            .memorySize = requirements[i].memoryRequirements.size};
        VK(DEVICE_PROC(b, vkBindVideoSessionMemoryKHR)(b->device, session, 1, &bind));
    }
    VkVideoDecodeH264SessionParametersCreateInfoKHR codec_parameters = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .maxStdSPSCount = 1,
        .maxStdPPSCount = 1};
    VkVideoSessionParametersCreateInfoKHR parameters_info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .pNext = &codec_parameters,
        .videoSession = session};
    VkVideoSessionParametersKHR first = VK_NULL_HANDLE, second = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateVideoSessionParametersKHR)(b->device, &parameters_info, NULL,
                                                         &first));
    parameters_info.videoSessionParametersTemplate = first;
    VK(DEVICE_PROC(b, vkCreateVideoSessionParametersKHR)(b->device, &parameters_info, NULL,
                                                         &second));
    VkVideoBeginCodingInfoKHR begin = {.sType = VK_STRUCTURE_TYPE_VIDEO_BEGIN_CODING_INFO_KHR,
                                       .videoSession = session,
                                       .videoSessionParameters = second};
    VkVideoEndCodingInfoKHR end = {.sType = VK_STRUCTURE_TYPE_VIDEO_END_CODING_INFO_KHR};
    VkCommandBuffer command_buffer = make_recording_of(b, info.queueFamilyIndex);
    DEVICE_PROC(b, vkCmdBeginVideoCodingKHR)(command_buffer, &begin);
    DEVICE_PROC(b, vkCmdEndVideoCodingKHR)(command_buffer, &end);
    VK(vkEndCommandBuffer(command_buffer));
    DEVICE_PROC(b, vkDestroyVideoSessionParametersKHR)(b->device, second, NULL);
    DEVICE_PROC(b, vkDestroyVideoSessionParametersKHR)(b->device, first, NULL);
    DEVICE_PROC(b, vkDestroyVideoSessionKHR)(b->device, session, NULL);
}

/* Device-generated commands. */

static const VkPhysicalDeviceBufferDeviceAddressFeatures generated_addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceMaintenance5Features generated_maintenance = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES,
    .pNext = (void *)&generated_addresses,
    .maintenance5 = VK_TRUE};
static const VkPhysicalDeviceDeviceGeneratedCommandsFeaturesEXT generated_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_EXT,
    .pNext = (void *)&generated_maintenance,
    .deviceGeneratedCommands = VK_TRUE};

SCENARIO(generated_commands_ext, CHECKED, .features = &generated_features,
         .extensions = {VK_EXT_DEVICE_GENERATED_COMMANDS_EXTENSION_NAME,
                        VK_KHR_MAINTENANCE_5_EXTENSION_NAME})
{
    const VkPipelineCreateFlags2CreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT};
    VkDescriptorSetLayout set_layout = make_descriptor_set_layout(b);
    VkPipelineLayout layout = make_pipeline_layout(b, set_layout);
    VkComputePipelineCreateInfo pipeline_info =
        compute_pipeline_info(make_shader_module(b), layout);
    VkDescriptorSet read = make_descriptor_set(b, make_descriptor_pool(b), set_layout);
    const uint32_t pushed = 0;
    pipeline_info.pNext = &flags;
    VkPipeline pipeline = create_compute_pipeline(b, &pipeline_info);
    VkIndirectCommandsExecutionSetTokenEXT execution_set = {
        .type = VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT,
        .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT};
    VkIndirectCommandsLayoutTokenEXT tokens[] = {
        {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
         .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_EXECUTION_SET_EXT,
         .data.pExecutionSet = &execution_set},
        {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
         .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_EXT,
         .offset = 4},
    };
    VkIndirectCommandsLayoutCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_EXT,
        .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT,
        .indirectStride = 16,
        .pipelineLayout = layout,
        .tokenCount = 2,
        .pTokens = tokens};
    VkIndirectCommandsLayoutEXT commands = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateIndirectCommandsLayoutEXT)(b->device, &info, NULL, &commands));
    VkIndirectExecutionSetPipelineInfoEXT pipelines = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_PIPELINE_INFO_EXT,
        .initialPipeline = pipeline,
        .maxPipelineCount = 4};
    VkIndirectExecutionSetCreateInfoEXT set_info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_CREATE_INFO_EXT,
        .type = VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT,
        .info.pPipelineInfo = &pipelines};
    VkIndirectExecutionSetEXT set = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateIndirectExecutionSetEXT)(b->device, &set_info, NULL, &set));
    VkWriteIndirectExecutionSetPipelineEXT write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_INDIRECT_EXECUTION_SET_PIPELINE_EXT,
        .index = 1,
        .pipeline = pipeline};
    DEVICE_PROC(b, vkUpdateIndirectExecutionSetPipelineEXT)(b->device, set, 1, &write);
    VkGeneratedCommandsMemoryRequirementsInfoEXT query = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_MEMORY_REQUIREMENTS_INFO_EXT,
        .indirectExecutionSet = set,
        .indirectCommandsLayout = commands,
        .maxSequenceCount = 1};
    VkMemoryRequirements2 requirements = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    DEVICE_PROC(b, vkGetGeneratedCommandsMemoryRequirementsEXT)(b->device, &query, &requirements);
    VkGeneratedCommandsInfoEXT generated = {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
                                            .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT,
                                            .indirectExecutionSet = set,
                                            .indirectCommandsLayout = commands,
                                            .indirectAddress = 0x10000,
                                            .indirectAddressSize = 16,
                                            .maxSequenceCount = 1};
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &read, 0,
                            NULL);
    vkCmdPushConstants(command_buffer, layout, VK_SHADER_STAGE_ALL, 0, sizeof(pushed), &pushed);
    DEVICE_PROC(b, vkCmdExecuteGeneratedCommandsEXT)(command_buffer, VK_FALSE, &generated);
    VK(vkEndCommandBuffer(command_buffer));
    DEVICE_PROC(b, vkDestroyIndirectExecutionSetEXT)(b->device, set, NULL);
    DEVICE_PROC(b, vkDestroyIndirectCommandsLayoutEXT)(b->device, commands, NULL);
}

static const VkPhysicalDeviceDeviceGeneratedCommandsFeaturesNV generated_commands_nv_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_NV,
    .deviceGeneratedCommands = VK_TRUE};
SCENARIO(generated_commands_nv, CHECKED,
         .extensions = {VK_NV_DEVICE_GENERATED_COMMANDS_EXTENSION_NAME},
         .features = &generated_commands_nv_features)
{
    VkPipeline pipeline = make_any_graphics_pipeline(b);
    VkIndirectCommandsLayoutTokenNV token = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_NV,
        .tokenType = VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_NV,
        .pushconstantPipelineLayout = make_empty_pipeline_layout(b),
        .pushconstantShaderStageFlags = VK_SHADER_STAGE_ALL,
        .pushconstantSize = 16};
    VkIndirectCommandsLayoutTokenNV tokens[] = {
        token,
        {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_NV,
         .tokenType = VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_NV}};
    uint32_t stride = 32;
    VkIndirectCommandsLayoutCreateInfoNV info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_NV,
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .tokenCount = 2,
        .pTokens = tokens,
        .streamCount = 1,
        .pStreamStrides = &stride};
    VkIndirectCommandsLayoutNV commands = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateIndirectCommandsLayoutNV)(b->device, &info, NULL, &commands));
    VkIndirectCommandsStreamNV stream = {
        .buffer = make_buffer(b, 4096, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT)};
    VkGeneratedCommandsInfoNV generated = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_NV,
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .pipeline = pipeline,
        .indirectCommandsLayout = commands,
        .streamCount = 1,
        .pStreams = &stream,
        .sequencesCount = 1,
        .preprocessBuffer = make_buffer(b, 4096, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT),
        .preprocessSize = 4096};
    VkCommandBuffer command_buffer = make_recording(b);
    begin_rendering(b, command_buffer);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    DEVICE_PROC(b, vkCmdExecuteGeneratedCommandsNV)(command_buffer, VK_FALSE, &generated);
    vkCmdEndRenderPass(command_buffer);
    VK(vkEndCommandBuffer(command_buffer));
    DEVICE_PROC(b, vkDestroyIndirectCommandsLayoutNV)(b->device, commands, NULL);
}

/* Handles in chains. */

SCENARIO(dedicated_memory, CHECKED)
{
    VkMemoryDedicatedAllocateInfo dedicated = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, .image = make_unbound_image(b)};
    VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                       .pNext = &dedicated};
    VkMemoryAllocateInfo info = memory_info(65536, 0);
    info.pNext = &flags;
    EXPECT(create_memory(b, &info) != VK_NULL_HANDLE);
}

SCENARIO(conversion_in_sampler_and_view, CHECKED,
         .features = &(VkPhysicalDeviceVulkan11Features){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
             .samplerYcbcrConversion = VK_TRUE})
{
    VkSamplerYcbcrConversionInfo chained = {.sType =
                                                VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO,
                                            .conversion = make_sampler_ycbcr_conversion(b)};
    VkSamplerCreateInfo sampler = sampler_info();
    sampler.pNext = &chained;
    EXPECT(create_sampler(b, &sampler) != VK_NULL_HANDLE);
    VkImageCreateInfo image = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    image.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
    VkImageViewCreateInfo view = image_view_info(create_image(b, &image));
    VkMemoryRequirements requirements;
    vkGetImageMemoryRequirements(b->device, view.image, &requirements);
    VK(vkBindImageMemory(b->device, view.image, make_memory(b, requirements.size), 0));
    view.format = image.format;
    view.pNext = &chained;
    EXPECT(create_image_view(b, &view) != VK_NULL_HANDLE);
}

SCENARIO(imageless_framebuffer, CHECKED,
         .features = &(VkPhysicalDeviceVulkan12Features){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
             .imagelessFramebuffer = VK_TRUE})
{
    VkFormat format = COLOR_FORMAT;
    VkFramebufferAttachmentImageInfo image = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENT_IMAGE_INFO,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
        .width = IMAGE_EXTENT,
        .height = IMAGE_EXTENT,
        .layerCount = 1,
        .viewFormatCount = 1,
        .pViewFormats = &format};
    VkFramebufferAttachmentsCreateInfo attachments = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENTS_CREATE_INFO,
        .attachmentImageInfoCount = 1,
        .pAttachmentImageInfos = &image};
    VkRenderPass render_pass = make_render_pass(b);
    /* ignored: imageless */
    VkFramebufferCreateInfo info = framebuffer_info(render_pass, (const void *)(uintptr_t)8);
    info.pNext = &attachments;
    info.flags = VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT;
    VkFramebuffer framebuffer = create_framebuffer(b, &info);
    ENSURE(framebuffer);
    VkImageView view = make_image_view(b);
    VkRenderPassAttachmentBeginInfo views = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO,
        .attachmentCount = 1,
        .pAttachments = &view};
    VkRenderPassBeginInfo begin = render_pass_begin_info(render_pass, framebuffer);
    begin.pNext = &views;
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBeginRenderPass(command_buffer, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdEndRenderPass(command_buffer);
    VK(vkEndCommandBuffer(command_buffer));
}

/* One sample, and a view that is not a shading rate attachment: mistakes, but the call goes down
 * with the driver's handles. */
SCENARIO(rendering_attachments, CHECKED, .proceed = true,
         .extensions = {VK_KHR_FRAGMENT_SHADING_RATE_EXTENSION_NAME,
                        VK_EXT_FRAGMENT_DENSITY_MAP_EXTENSION_NAME},
         .expect = {"VUID-VkRenderingAttachmentInfo-imageView-06861",
                    "VUID-VkRenderingFragmentShadingRateAttachmentInfoKHR-imageView-06148"},
         .features = &(VkPhysicalDeviceVulkan13Features){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
             .dynamicRendering = VK_TRUE})
{
    VkRenderingAttachmentInfo color = rendering_attachment(make_image_view(b)),
                              empty = rendering_attachment(VK_NULL_HANDLE);
    VkRenderingAttachmentInfo colors[] = {color, empty};
    colors[0].resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
    colors[0].resolveImageView = make_image_view(b);
    colors[0].resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
    VkRenderingFragmentShadingRateAttachmentInfoKHR rate = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR,
        .imageView = make_image_view(b),
        .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .shadingRateAttachmentTexelSize = {8, 8}};
    VkRenderingInfo info = rendering_info(colors);
    info.pNext = &rate;
    info.colorAttachmentCount = 2;
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBeginRendering(command_buffer, &info);
    vkCmdEndRendering(command_buffer);
    VK(vkEndCommandBuffer(command_buffer));
}

SCENARIO(inheritance_of_a_secondary, CHECKED)
{
    VkRenderPass render_pass = make_render_pass(b);
    VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .renderPass = render_pass,
        .framebuffer = make_framebuffer(b, render_pass, make_image_view(b))};
    VkCommandBufferBeginInfo begin = begin_info();
    begin.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
    begin.pInheritanceInfo = &inheritance;
    VkCommandBuffer secondary = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VK(vkBeginCommandBuffer(secondary, &begin));
    VK(vkEndCommandBuffer(secondary));
}

/* A primary command buffer ignores pInheritanceInfo, whatever it points to. */
SCENARIO(inheritance_ignored_by_a_primary, CHECKED)
{
    VkCommandBufferBeginInfo begin = begin_info();
    begin.pInheritanceInfo = (const void *)(uintptr_t)8;
    VkCommandBuffer primary = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VK(vkBeginCommandBuffer(primary, &begin));
}

SCENARIO(submit2_of_everything, CHECKED,
         .features = &(VkPhysicalDeviceVulkan13Features){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
             .synchronization2 = VK_TRUE})
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkSemaphore semaphore = make_semaphore(b);
    VK(vkEndCommandBuffer(command_buffer));
    VkCommandBufferSubmitInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                          .commandBuffer = command_buffer};
    VkSemaphoreSubmitInfo signal = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                    .semaphore = semaphore,
                                    .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
    VkSubmitInfo2 infos[] = {{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                              .commandBufferInfoCount = 1,
                              .pCommandBufferInfos = &commands,
                              .signalSemaphoreInfoCount = 1,
                              .pSignalSemaphoreInfos = &signal},
                             {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                              .waitSemaphoreInfoCount = 1,
                              .pWaitSemaphoreInfos = &signal}};
    VK(vkQueueSubmit2(b->queue, 2, infos, make_fence(b)));
}

SCENARIO(sparse_binding_of_everything, CHECKED,
         .features = &(VkPhysicalDeviceFeatures2){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
             .features = {.sparseBinding = VK_TRUE, .sparseResidencyImage2D = VK_TRUE}})
{
    VkBufferCreateInfo buffer = buffer_info(65536, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    buffer.flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT;
    VkImageCreateInfo image = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    image.flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT;
    VkDeviceMemory memory = make_memory(b, 131072);
    VkSparseMemoryBind bind = {.size = 65536, .memory = memory};
    VkSparseImageMemoryBind image_bind = {.subresource.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
                                          .extent = {IMAGE_EXTENT, IMAGE_EXTENT, 1},
                                          .memory = memory};
    VkSparseBufferMemoryBindInfo buffers = {
        .buffer = create_buffer(b, &buffer), .bindCount = 1, .pBinds = &bind};
    VkImage sparse = create_image(b, &image);
    VkSparseImageOpaqueMemoryBindInfo opaque = {.image = sparse, .bindCount = 1, .pBinds = &bind};
    VkSparseImageMemoryBindInfo images = {.image = sparse, .bindCount = 1, .pBinds = &image_bind};
    VkSemaphore semaphore = make_semaphore(b);
    VkBindSparseInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                             .bufferBindCount = 1,
                             .pBufferBinds = &buffers,
                             .imageOpaqueBindCount = 1,
                             .pImageOpaqueBinds = &opaque,
                             .imageBindCount = 1,
                             .pImageBinds = &images,
                             .signalSemaphoreCount = 1,
                             .pSignalSemaphores = &semaphore};
    VK(vkQueueBindSparse(b->queue, 1, &info, make_fence(b)));
}

SCENARIO(conditional_rendering, CHECKED,
         .extensions = {VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME})
{
    VkConditionalRenderingBeginInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
        .buffer = make_buffer(b, 64, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT)};
    VkCommandBuffer command_buffer = make_recording(b);
    DEVICE_PROC(b, vkCmdBeginConditionalRenderingEXT)(command_buffer, &info);
    DEVICE_PROC(b, vkCmdEndConditionalRenderingEXT)(command_buffer);
    VK(vkEndCommandBuffer(command_buffer));
}

static const VkPhysicalDeviceTransformFeedbackFeaturesEXT transform_feedback = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
    .transformFeedback = VK_TRUE};

SCENARIO(transform_feedback_buffers, CHECKED, .features = &transform_feedback,
         .extensions = {VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME})
{
    VkBuffer buffers[] = {make_buffer(b, 256, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT),
                          make_buffer(b, 256, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT)};
    VkDeviceSize offsets[2] = {0, 0};
    DEVICE_PROC(b, vkCmdBindTransformFeedbackBuffersEXT)(make_recording(b), 0, 2, buffers, offsets,
                                                         NULL);
}

SCENARIO(barriers_of_everything, CHECKED)
{
    VkBuffer buffer = make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    VkBufferMemoryBarrier buffers[2] = {{.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                         .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                         .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                         .buffer = buffer,
                                         .size = VK_WHOLE_SIZE}};
    buffers[1] = buffers[0];
    VkImageMemoryBarrier images[2] = {
        image_barrier(make_image(b, VK_IMAGE_USAGE_SAMPLED_BIT), VK_IMAGE_LAYOUT_UNDEFINED,
                      VK_IMAGE_LAYOUT_GENERAL),
        image_barrier(make_image(b, VK_IMAGE_USAGE_SAMPLED_BIT), VK_IMAGE_LAYOUT_UNDEFINED,
                      VK_IMAGE_LAYOUT_GENERAL)};
    VkEvent events[] = {make_event(b), make_event(b)};
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 2, buffers, 2, images);
    vkCmdWaitEvents(command_buffer, 2, events, VK_PIPELINE_STAGE_HOST_BIT,
                    VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, NULL, 2, buffers, 2, images);
    VK(vkEndCommandBuffer(command_buffer));
}
