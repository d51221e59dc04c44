/* NVIDIA's ray tracing: structures and traces of VK_NV_ray_tracing, spheres of
 * VK_NV_ray_tracing_linear_swept_spheres. */
#include "raytracing/acceleration_structure_builder.h"

#include "shader_heaps.h"

/* programs.c has this shader, too: it needs another name here. */
#define shader_miss_raygen nv_raygen_code
#include "shader_miss_raygen.h"

static const VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceAccelerationStructureFeaturesKHR structures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
    .pNext = (void *)&addresses,
    .accelerationStructure = VK_TRUE,
    .accelerationStructureHostCommands = VK_TRUE};
static const VkPhysicalDeviceRayTracingLinearSweptSpheresFeaturesNV spheres = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_LINEAR_SWEPT_SPHERES_FEATURES_NV,
    .pNext = (void *)&structures,
    .spheres = VK_TRUE,
    .linearSweptSpheres = VK_TRUE};

/* --- VK_NV_ray_tracing --- */

#define NV .drivers = NULL_DRIVER, .extensions = {"VK_NV_ray_tracing"}

static void destroy_structure_nv(struct baseline *b, uint64_t handle)
{
    DEVICE_PROC(b, vkDestroyAccelerationStructureNV)(b->device,
                                                     (VkAccelerationStructureNV)(uintptr_t)handle,
                                                     NULL);
}

static VkAccelerationStructureNV
create_structure_nv(struct baseline *b, const VkAccelerationStructureCreateInfoNV *info)
{
    VkAccelerationStructureNV structure = VK_NULL_HANDLE;
    if (DEVICE_PROC(b, vkCreateAccelerationStructureNV)(b->device, info, NULL, &structure) ==
        VK_SUCCESS)
        cleanup_add(b, destroy_structure_nv, HANDLE(structure));
    return structure;
}

/* A structure of two boxes. */
static void fill_geometries(struct baseline *b, VkAccelerationStructureCreateInfoNV *info,
                            VkGeometryNV *geometries)
{
    for (int i = 0; i < 2; i++)
        geometries[i] = (VkGeometryNV){
            .sType = VK_STRUCTURE_TYPE_GEOMETRY_NV,
            .geometryType = VK_GEOMETRY_TYPE_AABBS_KHR,
            .geometry = {.triangles = {.sType = VK_STRUCTURE_TYPE_GEOMETRY_TRIANGLES_NV,
                                       .vertexFormat = VK_FORMAT_R32G32B32_SFLOAT,
                                       .indexType = VK_INDEX_TYPE_NONE_KHR},
                         .aabbs = {.sType = VK_STRUCTURE_TYPE_GEOMETRY_AABB_NV,
                                   .numAABBs = 1,
                                   .stride = 24}}};
    *info = (VkAccelerationStructureCreateInfoNV){
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_NV,
        .info = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_INFO_NV,
                 .type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_NV,
                 .geometryCount = 2,
                 .pGeometries = geometries}};
    (void)b;
}

#define STRUCTURE(name_, change_, ...)            \
    SCENARIO(name_, NV, ##__VA_ARGS__)            \
    {                                             \
        VkAccelerationStructureCreateInfoNV info; \
        VkGeometryNV geometries[2];               \
        fill_geometries(b, &info, geometries);    \
        change_;                                  \
        create_structure_nv(b, &info);            \
    }
#define INFO(id_) "VUID-VkAccelerationStructureInfoNV-" id_
#define TOP \
    (info.info.type = VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_NV, info.info.pGeometries = NULL)
STRUCTURE(nv_right, )
STRUCTURE(nv_top, (TOP, info.info.geometryCount = 0, info.info.instanceCount = 3))
STRUCTURE(nv_compacted, (info.compactedSize = 4096, info.info.geometryCount = 0))
STRUCTURE(nv_mixed, geometries[1].geometryType = VK_GEOMETRY_TYPE_TRIANGLES_KHR,
          .expect = {INFO("type-02786")})
STRUCTURE(nv_many_geometries, , .null_driver = "{\"limits\": {\"maxGeometryCount\": 1}}",
          .expect = {INFO("geometryCount-02422")})

#define TRIANGLES(change_)                                                        \
    for (int i = 0; i < 2; i++) {                                                 \
        VkGeometryTrianglesNV *t = &geometries[i].geometry.triangles;             \
        geometries[i].geometryType = VK_GEOMETRY_TYPE_TRIANGLES_KHR;              \
        t->vertexData = make_buffer(b, 4096, VK_BUFFER_USAGE_RAY_TRACING_BIT_NV); \
        t->vertexCount = 6;                                                       \
        t->vertexStride = 12;                                                     \
        t->indexData = t->vertexData;                                             \
        t->indexType = VK_INDEX_TYPE_UINT16;                                      \
        t->indexCount = 9;                                                        \
        change_;                                                                  \
    }
#define OF_TRIANGLES(id_) .expect = {"VUID-VkGeometryTrianglesNV-" id_}
STRUCTURE(nv_triangles, TRIANGLES((t->vertexOffset = 4, t->indexOffset = 2)),
          .null_driver = "{\"properties\": {\"maxTriangleCount\": 6}}")
STRUCTURE(nv_vertices_misaligned, TRIANGLES(t->vertexOffset = 6),
          OF_TRIANGLES("vertexOffset-02429"))
STRUCTURE(nv_indices_misaligned, TRIANGLES(t->indexOffset = 3), OF_TRIANGLES("indexOffset-02432"))
STRUCTURE(nv_many_triangles, TRIANGLES((void)0),
          .null_driver = "{\"properties\": {\"maxTriangleCount\": 5}}",
          .expect = {INFO("maxTriangleCount-02424")})

/* "triangles contains triangle data if VkGeometryNV::geometryType is
 * VK_GEOMETRY_TYPE_TRIANGLES_NV": of boxes it contains none. */
STRUCTURE(nv_boxes_without_triangles,
          for (int i = 0; i < 2; i++) geometries[i].geometry.triangles = (VkGeometryTrianglesNV){
              .sType = VK_STRUCTURE_TYPE_GEOMETRY_TRIANGLES_NV})
STRUCTURE(nv_triangles_without_format,
          TRIANGLES(t->vertexFormat = i ? t->vertexFormat : VK_FORMAT_UNDEFINED),
          OF_TRIANGLES("vertexFormat-02430"))
STRUCTURE(nv_triangles_without_indices, TRIANGLES(t->indexData = i ? t->vertexData : NULL),
          OF_TRIANGLES("indexData-02435"))

/* Pipelines: ray generation and miss, in groups of their own; a hit group of no shader. */
#define PIPELINE(name_, change_, ...)                                                            \
    SCENARIO(name_, .drivers = NULL_DRIVER, .extensions = {"VK_NV_ray_tracing"},                 \
             .settings = {"check_shaders=false"}, ##__VA_ARGS__)                                 \
    {                                                                                            \
        VkPipelineShaderStageCreateInfo stages[2] = {                                            \
            stage_info(VK_SHADER_STAGE_RAYGEN_BIT_KHR, make_shader_module(b)),                   \
            stage_info(VK_SHADER_STAGE_MISS_BIT_KHR, make_shader_module(b))};                    \
        const VkRayTracingShaderGroupCreateInfoNV group = {                                      \
            .sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_NV,                  \
            .type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,                                \
            .closestHitShader = VK_SHADER_UNUSED_KHR,                                            \
            .anyHitShader = VK_SHADER_UNUSED_KHR,                                                \
            .intersectionShader = VK_SHADER_UNUSED_KHR};                                         \
        VkRayTracingShaderGroupCreateInfoNV groups[3] = {group, group, group};                   \
        groups[1].generalShader = 1;                                                             \
        groups[2].type = VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR;               \
        groups[2].generalShader = VK_SHADER_UNUSED_KHR;                                          \
        VkRayTracingPipelineCreateInfoNV info = {                                                \
            VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_NV,                               \
            .stageCount = 2,                                                                     \
            .pStages = stages,                                                                   \
            .groupCount = 3,                                                                     \
            .pGroups = groups,                                                                   \
            .maxRecursionDepth = 1,                                                              \
            .layout = make_empty_pipeline_layout(b),                                             \
            .basePipelineIndex = -1};                                                            \
        VkPipeline pipelines[2] = {VK_NULL_HANDLE, VK_NULL_HANDLE};                              \
        change_;                                                                                 \
        (void)DEVICE_PROC(b, vkCreateRayTracingPipelinesNV)(b->device, VK_NULL_HANDLE, 1, &info, \
                                                            NULL, pipelines);                    \
        vkDestroyPipeline(b->device, pipelines[0], NULL);                                        \
        vkDestroyPipeline(b->device, pipelines[1], NULL);                                        \
    }
#define GROUP_NV(id_) .expect = {"VUID-VkRayTracingShaderGroupCreateInfoNV-" id_}
PIPELINE(nv_pipeline, (void)group)
PIPELINE(nv_general_of_no_stage, groups[1].generalShader = 2, GROUP_NV("type-02413"))
PIPELINE(nv_closest_hit_of_miss, groups[2].closestHitShader = 1, GROUP_NV("closestHitShader-02417"),
         .text = {"is 1, which is a stage of VK_SHADER_STAGE_MISS_BIT_KHR, not of "
                  "VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR"})
PIPELINE(nv_any_hit_of_miss, groups[2].anyHitShader = 1, GROUP_NV("anyHitShader-02418"))
PIPELINE(nv_closest_hit,
         (stages[1].stage = VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR, groups[2].closestHitShader = 1,
          info.groupCount = 1, info.pGroups = &groups[2]))
PIPELINE(nv_intersection_of_miss,
         (groups[2].type = VK_RAY_TRACING_SHADER_GROUP_TYPE_PROCEDURAL_HIT_GROUP_KHR,
          groups[2].intersectionShader = 1),
         GROUP_NV("type-02415"))
#define RESOURCES_NV(most_) .null_driver = "{\"limits\": {\"maxPerStageResources\": " #most_ "}}"
PIPELINE(nv_resources, info.layout = make_pipeline_layout(b, make_descriptor_set_layout(b)),
         RESOURCES_NV(1))
PIPELINE(nv_resources_too_many,
         info.layout = make_pipeline_layout(b, make_descriptor_set_layout(b)), RESOURCES_NV(0),
         .expect = {"VUID-VkRayTracingPipelineCreateInfoNV-layout-03428"},
         .text = {"maxPerStageResources is 0"})
PIPELINE(nv_dispatch_base, info.flags = VK_PIPELINE_CREATE_DISPATCH_BASE_BIT,
         .expect = {"VUID-vkCreateRayTracingPipelinesNV-flags-03816"})
PIPELINE(nv_derived_of_itself,
         (info.flags = VK_PIPELINE_CREATE_DERIVATIVE_BIT, info.basePipelineIndex = 0),
         .expect = {"VUID-vkCreateRayTracingPipelinesNV-flags-03415"})
static VkPipeline make_base_nv(struct baseline *b, const VkRayTracingPipelineCreateInfoNV *like)
{
    VkRayTracingPipelineCreateInfoNV info = *like;
    VkPipeline base = VK_NULL_HANDLE;
    info.flags = VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT;
    (void)DEVICE_PROC(b, vkCreateRayTracingPipelinesNV)(b->device, VK_NULL_HANDLE, 1, &info, NULL,
                                                        &base);
    return base;
}
#define DERIVED_NV                                                   \
    info.basePipelineHandle = pipelines[1] = make_base_nv(b, &info), \
    info.flags = VK_PIPELINE_CREATE_DERIVATIVE_BIT
PIPELINE(nv_derived, (DERIVED_NV))
PIPELINE(nv_derived_of_two, (DERIVED_NV, info.basePipelineIndex = -2),
         .expect = {"VUID-VkRayTracingPipelineCreateInfoNV-flags-07986"},
         .text = {"basePipelineIndex is -2, not -1"})
PIPELINE(nv_derived_of_no_element,
         (info.flags = VK_PIPELINE_CREATE_DERIVATIVE_BIT, info.basePipelineIndex = 1),
         .expect = {"VUID-VkRayTracingPipelineCreateInfoNV-flags-07985"})
static const VkPhysicalDeviceMaintenance5Features five = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES, .maintenance5 = VK_TRUE};
static const VkPhysicalDevicePipelineBinaryFeaturesKHR binaries = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_BINARY_FEATURES_KHR, .pNext = (void *)&five,
    .pipelineBinaries = VK_TRUE};
SCENARIO(nv_captured, .drivers = NULL_DRIVER, .features = &binaries,
         .extensions = {"VK_NV_ray_tracing", "VK_KHR_pipeline_binary", "VK_KHR_maintenance5"},
         .settings = {"check_shaders=false"},
         .expect = {"VUID-vkCreateRayTracingPipelinesNV-pNext-10150"})
{
    const VkPipelineShaderStageCreateInfo stage =
        stage_info(VK_SHADER_STAGE_RAYGEN_BIT_KHR, make_shader_module(b));
    const VkRayTracingShaderGroupCreateInfoNV group = {
        .sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_NV,
        .type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
        .closestHitShader = VK_SHADER_UNUSED_KHR,
        .anyHitShader = VK_SHADER_UNUSED_KHR,
        .intersectionShader = VK_SHADER_UNUSED_KHR};
    const VkPipelineCreateFlags2CreateInfo flags = {
        VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR};
    const VkRayTracingPipelineCreateInfoNV info = {
        VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_NV,
        .pNext = &flags,
        .stageCount = 1,
        .pStages = &stage,
        .groupCount = 1,
        .pGroups = &group,
        .maxRecursionDepth = 1,
        .layout = make_empty_pipeline_layout(b),
        .basePipelineIndex = -1};
    VkPipeline pipeline = VK_NULL_HANDLE;
    (void)DEVICE_PROC(b, vkCreateRayTracingPipelinesNV)(b->device, VK_NULL_HANDLE, 1, &info, NULL,
                                                        &pipeline);
    vkDestroyPipeline(b->device, pipeline, NULL);
}

/* --- the shaders of a pipeline --- */

static const VkPhysicalDeviceRayTracingPipelineFeaturesKHR tracing = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR,
    .pNext = (void *)&five,
    .rayTracingPipeline = VK_TRUE};
static const VkPhysicalDeviceBufferDeviceAddressFeatures of_heaps = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    .pNext = (void *)&tracing,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceDescriptorHeapFeaturesEXT heaps = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT,
    .pNext = (void *)&of_heaps,
    .descriptorHeap = VK_TRUE};
#define BOTH_EXTENSIONS                                                                  \
    "VK_NV_ray_tracing", "VK_KHR_ray_tracing_pipeline", "VK_KHR_acceleration_structure", \
        "VK_KHR_deferred_host_operations", "VK_KHR_maintenance5", "VK_EXT_descriptor_heap"

/* Creates a pipeline of one ray generation shader. */
static void create_shader_nv(struct baseline *b, VkPipelineShaderStageCreateInfo stage,
                             const void *next, VkPipelineLayout layout)
{
    const VkRayTracingShaderGroupCreateInfoNV group = {
        .sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_NV,
        .type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
        .closestHitShader = VK_SHADER_UNUSED_KHR,
        .anyHitShader = VK_SHADER_UNUSED_KHR,
        .intersectionShader = VK_SHADER_UNUSED_KHR};
    const VkRayTracingPipelineCreateInfoNV info = {
        VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_NV,
        .pNext = next,
        .stageCount = 1,
        .pStages = &stage,
        .groupCount = 1,
        .pGroups = &group,
        .maxRecursionDepth = 1,
        .layout = layout,
        .basePipelineIndex = -1};
    VkPipeline pipeline = VK_NULL_HANDLE;
    (void)DEVICE_PROC(b, vkCreateRayTracingPipelinesNV)(b->device, VK_NULL_HANDLE, 1, &info, NULL,
                                                        &pipeline);
    vkDestroyPipeline(b->device, pipeline, NULL);
}

/* The shader has a structure at binding 0, and a storage buffer at binding 1. */
#define LAID_OUT(name_, type_, count_, stages_, ...)                                               \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &heaps, .extensions = {BOTH_EXTENSIONS},   \
             ##__VA_ARGS__)                                                                        \
    {                                                                                              \
        const VkDescriptorSetLayoutBinding bindings[] = {                                          \
            {0, VK_DESCRIPTOR_TYPE_##type_, 1, stages_, NULL},                                     \
            {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, stages_, NULL}};                             \
        const VkDescriptorSetLayoutCreateInfo layout = {                                           \
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,                          \
            .bindingCount = count_,                                                                \
            .pBindings = bindings};                                                                \
        create_shader_nv(b,                                                                        \
                         stage_info(VK_SHADER_STAGE_RAYGEN_BIT_KHR,                                \
                                    MAKE_SHADER(b, shader_miss_raygen)),                           \
                         NULL, make_pipeline_layout(b, create_descriptor_set_layout(b, &layout))); \
    }
#define LAYOUT_NV(id_) .expect = {"VUID-VkRayTracingPipelineCreateInfoNV-layout-" id_}
LAID_OUT(nv_with_its_layout, ACCELERATION_STRUCTURE_NV, 2, VK_SHADER_STAGE_RAYGEN_BIT_KHR)
LAID_OUT(nv_structure_of_khr, ACCELERATION_STRUCTURE_KHR, 2, VK_SHADER_STAGE_ALL)
LAID_OUT(nv_binding_missing, ACCELERATION_STRUCTURE_NV, 1, VK_SHADER_STAGE_ALL, LAYOUT_NV("07988"))
LAID_OUT(nv_binding_of_another_stage, ACCELERATION_STRUCTURE_NV, 2, VK_SHADER_STAGE_MISS_BIT_KHR,
         .expect = {"VUID-VkRayTracingPipelineCreateInfoNV-layout-07988",
                    "VUID-VkRayTracingPipelineCreateInfoNV-layout-07988"})
LAID_OUT(nv_binding_of_another_type, UNIFORM_BUFFER, 2, VK_SHADER_STAGE_ALL, LAYOUT_NV("07990"))

/* Maps both bindings of a shader to heaps, or binding 1 alone. `sampler`: embedded, or NULL. */
static void map_heaps_nv(struct baseline *b, VkShaderModule module, uint32_t count,
                         const VkSamplerCreateInfo *sampler)
{
    VkDescriptorSetAndBindingMappingEXT mappings[2];
    for (uint32_t i = 0; i < 2; i++)
        mappings[i] = (VkDescriptorSetAndBindingMappingEXT){
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT,
            .firstBinding = 1 - i,
            .bindingCount = 1,
            .resourceMask = VK_SPIRV_RESOURCE_TYPE_ALL_EXT,
            .source = VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT};
    mappings[1].sourceData.constantOffset.pEmbeddedSampler = sampler;
    const VkShaderDescriptorSetAndBindingMappingInfoEXT mapped = {
        .sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
        .mappingCount = count,
        .pMappings = mappings};
    const VkPipelineCreateFlags2CreateInfo flags = {
        VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT};
    VkPipelineShaderStageCreateInfo stage = stage_info(VK_SHADER_STAGE_RAYGEN_BIT_KHR, module);
    stage.pNext = &mapped;
    create_shader_nv(b, stage, &flags, VK_NULL_HANDLE);
}
#define MAPPED_NV(name_, shader_, count_, sampler_, ...)                                         \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &heaps, .extensions = {BOTH_EXTENSIONS}, \
             ##__VA_ARGS__)                                                                      \
    {                                                                                            \
        const VkSamplerCreateInfo sampler = {                                                    \
            .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,                                      \
            .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,                               \
            .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,                               \
            .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE};                              \
        (void)make_sampler(b);                                                                   \
        map_heaps_nv(b, MAKE_SHADER(b, spirv_heap_##shader_), count_, sampler_);                 \
        (void)sampler;                                                                           \
    }
MAPPED_NV(nv_mapped, raygen, 2, NULL)
MAPPED_NV(nv_without_mapping, raygen, 1, NULL,
          .expect = {"VUID-VkRayTracingPipelineCreateInfoNV-flags-11312"},
          .text = {"uses \"values\" (set 0, binding 0) in a shader of descriptor heaps, which no "
                   "element of pMappings maps"})
/* An embedded sampler takes its place of those that a device has. */
#define PLACES(count_)                                                           \
    .null_driver = "{\"limits\": {\"maxSamplerAllocationCount\": " #count_ "}, " \
                   "\"properties\": {\"samplerDescriptorSize\": 16, "            \
                   "\"minSamplerHeapReservedRangeWithEmbedded\": 32}}"
MAPPED_NV(nv_embedded_with_room, sampling_raygen, 2, &sampler, PLACES(4))
MAPPED_NV(nv_embedded_without_room, sampling_raygen, 2, &sampler, PLACES(3),
          .expect = {"VUID-vkCreateRayTracingPipelinesNV-pCreateInfos-11414"},
          .text = {"to an embedded sampler, but 1 samplers exist"})

/* Where they lie, and what they are called. */
#define PLACED(name_, memory_, offset_, more_, ...)                                \
    SCENARIO(name_, NV, ##__VA_ARGS__)                                             \
    {                                                                              \
        VkAccelerationStructureCreateInfoNV info;                                  \
        VkGeometryNV geometries[2];                                                \
        fill_geometries(b, &info, geometries);                                     \
        VkMemoryAllocateInfo lazy = memory_info(65536, 4);                         \
        (void)lazy;                                                                \
        const VkBindAccelerationStructureMemoryInfoNV bind = {                     \
            .sType = VK_STRUCTURE_TYPE_BIND_ACCELERATION_STRUCTURE_MEMORY_INFO_NV, \
            .accelerationStructure = create_structure_nv(b, &info),                \
            .memory = memory_,                                                     \
            .memoryOffset = offset_};                                              \
        DEVICE_PROC(b, vkBindAccelerationStructureMemoryNV)(b->device, 1, &bind);  \
        more_;                                                                     \
    }
#define BIND_NV(id_) .expect = {"VUID-VkBindAccelerationStructureMemoryInfoNV-" id_}
#define ASK(bytes_)                                                                           \
    uint64_t answer;                                                                          \
    DEVICE_PROC(b, vkGetAccelerationStructureHandleNV)(b->device, bind.accelerationStructure, \
                                                       bytes_, &answer)
PLACED(nv_bind, make_memory(b, 65536 + 256), 256, ASK(8))
PLACED(nv_bind_again, make_memory(b, 65536), 0,
       DEVICE_PROC(b, vkBindAccelerationStructureMemoryNV)(b->device, 1, &bind),
       BIND_NV("accelerationStructure-03620"))
PLACED(nv_bind_to_a_wrong_type, create_memory(b, &lazy), 0, , BIND_NV("memory-03622"))
PLACED(nv_bind_misaligned, make_memory(b, 65536 + 256), 8, , BIND_NV("memoryOffset-03623"))
PLACED(nv_bind_too_far, make_memory(b, 65536), 256, , BIND_NV("size-03624"))

/* A row that speaks of the first element does not keep the second one from being looked at. */
SCENARIO(nv_bind_two_mistakes, NV,
         .expect = {"VUID-VkBindAccelerationStructureMemoryInfoNV-memoryOffset-03621",
                    "VUID-VkBindAccelerationStructureMemoryInfoNV-memoryOffset-03623"})
{
    VkBindAccelerationStructureMemoryInfoNV binds[2];
    for (uint32_t i = 0; i < 2; i++) {
        VkAccelerationStructureCreateInfoNV info;
        VkGeometryNV geometries[2];
        fill_geometries(b, &info, geometries);
        binds[i] = (VkBindAccelerationStructureMemoryInfoNV){
            .sType = VK_STRUCTURE_TYPE_BIND_ACCELERATION_STRUCTURE_MEMORY_INFO_NV,
            .accelerationStructure = create_structure_nv(b, &info),
            .memory = make_memory(b, 65536 + 256),
            .memoryOffset = i ? 8 : 1 << 20};
    }
    DEVICE_PROC(b, vkBindAccelerationStructureMemoryNV)(b->device, 2, binds);
}
#define ASKED(id_) .expect = {"VUID-vkGetAccelerationStructureHandleNV-" id_}
PLACED(nv_short_answer, make_memory(b, 65536), 0, ASK(4), ASKED("dataSize-02240"))
SCENARIO(nv_handle_of_unbound, NV, ASKED("accelerationStructure-02787"))
{
    VkAccelerationStructureCreateInfoNV info;
    VkGeometryNV geometries[2];
    fill_geometries(b, &info, geometries);
    uint64_t answer;
    DEVICE_PROC(b, vkGetAccelerationStructureHandleNV)(b->device, create_structure_nv(b, &info), 8,
                                                       &answer);
}

/* `info`: of a structure that lies in memory of its own. */
static VkAccelerationStructureNV create_bound(struct baseline *b,
                                              const VkAccelerationStructureCreateInfoNV *info)
{
    const VkBindAccelerationStructureMemoryInfoNV bind = {
        .sType = VK_STRUCTURE_TYPE_BIND_ACCELERATION_STRUCTURE_MEMORY_INFO_NV,
        .accelerationStructure = create_structure_nv(b, info),
        .memory = make_memory(b, 65536)};
    DEVICE_PROC(b, vkBindAccelerationStructureMemoryNV)(b->device, 1, &bind);
    return bind.accelerationStructure;
}

#define BUILD(name_, scratch_, instances_, ...)                                                \
    SCENARIO(name_, NV, ##__VA_ARGS__)                                                         \
    {                                                                                          \
        VkAccelerationStructureCreateInfoNV info;                                              \
        VkGeometryNV geometries[2];                                                            \
        fill_geometries(b, &info, geometries);                                                 \
        DEVICE_PROC(b, vkCmdBuildAccelerationStructureNV)(make_recording(b), &info.info,       \
                                                          make_buffer(b, 4096, instances_), 0, \
                                                          VK_FALSE, create_bound(b, &info),    \
                                                          VK_NULL_HANDLE,                      \
                                                          make_buffer(b, 65536, scratch_), 0); \
    }
#define RAY_TRACING VK_BUFFER_USAGE_RAY_TRACING_BIT_NV
#define STORAGE     VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
BUILD(nv_build, RAY_TRACING, RAY_TRACING)
BUILD(nv_build_scratch, STORAGE, RAY_TRACING, .expect = {INFO("scratch-02781")})
BUILD(nv_build_instances, RAY_TRACING, STORAGE, .expect = {INFO("instanceData-02782")})

/* Commands whose first one builds this structure. */
static VkCommandBuffer begin_with_build(struct baseline *b,
                                        const VkAccelerationStructureInfoNV *info,
                                        VkAccelerationStructureNV structure)
{
    const VkMemoryBarrier built = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                   .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                   .dstAccessMask =
                                       VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const VkCommandBuffer command_buffer = make_recording(b);
    DEVICE_PROC(b, vkCmdBuildAccelerationStructureNV)
    (command_buffer, info, VK_NULL_HANDLE, 0, VK_FALSE, structure, VK_NULL_HANDLE,
     make_buffer(b, 65536, VK_BUFFER_USAGE_RAY_TRACING_BIT_NV), 0);
    vkCmdPipelineBarrier(command_buffer, all, all, 0, 1, &built, 0, NULL, 0, NULL);
    return command_buffer;
}

/* A build, or an update of `source`, with what may be changed before. */
struct nv_build {
    VkAccelerationStructureInfoNV info; /* what it is built with */
    VkAccelerationStructureNV target, source;
    VkBool32 update;
    VkBuffer scratch;
    VkDeviceSize offset;
};
#define BUILT(name_, flags_, change_, ...)                                                     \
    SCENARIO(name_, NV, ##__VA_ARGS__)                                                         \
    {                                                                                          \
        VkAccelerationStructureCreateInfoNV info;                                              \
        VkGeometryNV geometries[2];                                                            \
        fill_geometries(b, &info, geometries);                                                 \
        info.info.flags = flags_;                                                              \
        struct nv_build build = {.info = info.info,                                            \
                                 .target = create_bound(b, &info),                             \
                                 .source = create_bound(b, &info),                             \
                                 .scratch = make_buffer(b, 65536, RAY_TRACING)};               \
        change_;                                                                               \
        const VkCommandBuffer command_buffer =                                                 \
            build.update ? begin_with_build(b, &build.info, build.source) : make_recording(b); \
        DEVICE_PROC(b, vkCmdBuildAccelerationStructureNV)                                      \
        (command_buffer, &build.info, VK_NULL_HANDLE, 0, build.update, build.target,           \
         build.update ? build.source : VK_NULL_HANDLE, build.scratch, build.offset);           \
    }
#define BUILT_ID(id_) .expect = {"VUID-vkCmdBuildAccelerationStructureNV-" id_}
#define UPDATABLE     VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_UPDATE_BIT_NV
BUILT(nv_built, 0, )
BUILT(nv_built_of_less, 0, build.info.geometryCount = 1)
BUILT(nv_built_of_more, 0, (info.info.geometryCount = 1, build.target = create_bound(b, &info)),
      BUILT_ID("dst-02488"),
      .text = {"was created for 0 instances and 1 geometry, but is built of 0 and 2"})
BUILT(nv_built_with_other_flags, 0, build.info.flags = UPDATABLE, BUILT_ID("dst-02488"),
      .text = {"is built with VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_UPDATE_BIT_KHR"})
BUILT(nv_built_nowhere, 0, build.target = create_structure_nv(b, &info), BUILT_ID("dst-07787"))
BUILT(nv_built_with_little_scratch, 0, build.offset = 65536 - 256, BUILT_ID("update-02491"))
BUILT(nv_updated, UPDATABLE, build.update = VK_TRUE)
BUILT(nv_updated_in_place, UPDATABLE, (build.update = VK_TRUE, build.source = build.target))
BUILT(nv_updated_with_little_scratch, UPDATABLE,
      (build.update = VK_TRUE, build.offset = 65536 - 256), BUILT_ID("update-02492"))
BUILT(nv_updated_for_good, 0, build.update = VK_TRUE, BUILT_ID("update-02490"))
static void update_aliased(struct baseline *b, const VkAccelerationStructureCreateInfoNV *info,
                           struct nv_build *build)
{
    VkBindAccelerationStructureMemoryInfoNV binds[2];
    const VkDeviceMemory memory = make_memory(b, 65536);
    for (uint32_t i = 0; i < 2; i++)
        binds[i] = (VkBindAccelerationStructureMemoryInfoNV){
            .sType = VK_STRUCTURE_TYPE_BIND_ACCELERATION_STRUCTURE_MEMORY_INFO_NV,
            .accelerationStructure = create_structure_nv(b, info),
            .memory = memory};
    DEVICE_PROC(b, vkBindAccelerationStructureMemoryNV)(b->device, 2, binds);
    build->update = VK_TRUE;
    build->target = binds[0].accelerationStructure;
    build->source = binds[1].accelerationStructure;
}
BUILT(nv_updated_aliased, UPDATABLE, update_aliased(b, &info, &build), BUILT_ID("update-03526"))

#define COPIED(name_, flags_, mode_, change_, ...)                                            \
    SCENARIO(name_, NV, ##__VA_ARGS__)                                                        \
    {                                                                                         \
        VkAccelerationStructureCreateInfoNV info;                                             \
        VkGeometryNV geometries[2];                                                           \
        fill_geometries(b, &info, geometries);                                                \
        info.info.flags = flags_;                                                             \
        struct nv_build build = {.target = create_bound(b, &info),                            \
                                 .source = create_bound(b, &info)};                           \
        const VkCommandBuffer command_buffer = begin_with_build(b, &info.info, build.source); \
        change_;                                                                              \
        DEVICE_PROC(b, vkCmdCopyAccelerationStructureNV)(command_buffer, build.target,        \
                                                         build.source, mode_);                \
    }
#define COPIED_ID(id_) .expect = {"VUID-vkCmdCopyAccelerationStructureNV-" id_}
#define CLONE          VK_COPY_ACCELERATION_STRUCTURE_MODE_CLONE_KHR
#define COMPACT        VK_COPY_ACCELERATION_STRUCTURE_MODE_COMPACT_KHR
COPIED(nv_cloned, 0, CLONE, )
COPIED(nv_compacted_copy, VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_COMPACTION_BIT_NV, COMPACT, )
COPIED(nv_compacted_for_good, 0, COMPACT, , COPIED_ID("src-03411"))
COPIED(nv_cloned_from_nowhere, 0, CLONE, build.source = create_structure_nv(b, &info),
       COPIED_ID("buffer-03718"))
COPIED(nv_cloned_to_nowhere, 0, CLONE, build.target = create_structure_nv(b, &info),
       COPIED_ID("buffer-03719"))
COPIED(nv_cloned_to_itself, 0, CLONE, build.target = build.source, COPIED_ID("dst-07791"))

#define COMPACTED VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_NV
#define QUERIED(name_, change_, ...)                                                              \
    SCENARIO(name_, NV, ##__VA_ARGS__)                                                            \
    {                                                                                             \
        VkAccelerationStructureCreateInfoNV info;                                                 \
        VkGeometryNV geometries[2];                                                               \
        fill_geometries(b, &info, geometries);                                                    \
        info.info.flags = VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_COMPACTION_BIT_NV;                \
        VkQueryPoolCreateInfo queries = query_pool_info();                                        \
        queries.queryType = COMPACTED;                                                            \
        const VkQueryPool pool = create_query_pool(b, &queries);                                  \
        const VkAccelerationStructureNV structure = create_bound(b, &info);                       \
        const VkCommandBuffer command_buffer = make_recording(b);                                 \
        vkCmdResetQueryPool(command_buffer, pool, 0, 4);                                          \
        DEVICE_PROC(b, vkCmdWriteAccelerationStructuresPropertiesNV)(command_buffer, 1,           \
                                                                     &structure, COMPACTED, pool, \
                                                                     0);                          \
        change_;                                                                                  \
        DEVICE_PROC(b, vkCmdWriteAccelerationStructuresPropertiesNV)(command_buffer, 1,           \
                                                                     &structure, COMPACTED, pool, \
                                                                     0);                          \
    }
QUERIED(nv_queried_twice, ,
        .expect = {"VUID-vkCmdWriteAccelerationStructuresPropertiesNV-queryPool-03756"})
#define QUERIED_ID(id_) .expect = {"VUID-vkCmdWriteAccelerationStructuresPropertiesNV-" id_}
#define QUERIED_ONCE(name_, flags_, create_, ...)                                                 \
    SCENARIO(name_, NV, ##__VA_ARGS__)                                                            \
    {                                                                                             \
        VkAccelerationStructureCreateInfoNV info;                                                 \
        VkGeometryNV geometries[2];                                                               \
        fill_geometries(b, &info, geometries);                                                    \
        info.info.flags = flags_;                                                                 \
        VkQueryPoolCreateInfo queries = query_pool_info();                                        \
        queries.queryType = COMPACTED;                                                            \
        const VkQueryPool pool = create_query_pool(b, &queries);                                  \
        const VkAccelerationStructureNV structure = create_(b, &info);                            \
        const VkCommandBuffer command_buffer = make_recording(b);                                 \
        vkCmdResetQueryPool(command_buffer, pool, 0, 4);                                          \
        DEVICE_PROC(b, vkCmdWriteAccelerationStructuresPropertiesNV)(command_buffer, 1,           \
                                                                     &structure, COMPACTED, pool, \
                                                                     0);                          \
    }
QUERIED_ONCE(nv_queried_for_good, 0, create_bound, QUERIED_ID("pAccelerationStructures-06215"))
QUERIED_ONCE(nv_queried_nowhere, VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_COMPACTION_BIT_NV,
             create_structure_nv, QUERIED_ID("accelerationStructure-03757"))
QUERIED(nv_queried_again, vkCmdResetQueryPool(command_buffer, pool, 0, 1))

/* The parameters of one trace; no pipeline is bound, which is one finding more. */
struct trace {
    VkBuffer table;
    VkDeviceSize raygen, miss, miss_stride, hit, hit_stride, callable, callable_stride;
    uint32_t width, height, depth;
};
#define TRACE_ID(id_) "VUID-vkCmdTraceRaysNV-" id_
#define TRACE(name_, id_, change_, ...)                                                          \
    SCENARIO(name_, NV, .proceed = true, .expect = {TRACE_ID("None-08606"), id_}, ##__VA_ARGS__) \
    {                                                                                            \
        struct trace t = {                                                                       \
            make_buffer(b, 1024, RAY_TRACING), 0, 64, 32, 128, 32, 192, 32, 16, 1, 1};           \
        change_;                                                                                 \
        DEVICE_PROC(b, vkCmdTraceRaysNV)(make_recording(b), t.table, t.raygen, t.table, t.miss,  \
                                         t.miss_stride, t.table, t.hit, t.hit_stride, t.table,   \
                                         t.callable, t.callable_stride, t.width, t.height,       \
                                         t.depth);                                               \
    }
TRACE(nv_trace, NULL, )
TRACE(nv_raygen_end, TRACE_ID("raygenShaderBindingOffset-02455"), t.raygen = 1024)
TRACE(nv_raygen_alignment, TRACE_ID("raygenShaderBindingOffset-02456"), t.raygen = 32)
TRACE(nv_miss_end, TRACE_ID("missShaderBindingOffset-02457"), t.miss = 1024)
TRACE(nv_miss_alignment, TRACE_ID("missShaderBindingOffset-02458"), t.miss = 32)
TRACE(nv_hit_end, TRACE_ID("hitShaderBindingOffset-02459"), t.hit = 1024)
TRACE(nv_hit_alignment, TRACE_ID("hitShaderBindingOffset-02460"), t.hit = 32)
TRACE(nv_callable_end, TRACE_ID("callableShaderBindingOffset-02461"), t.callable = 1024)
TRACE(nv_callable_alignment, TRACE_ID("callableShaderBindingOffset-02462"), t.callable = 32)
TRACE(nv_miss_stride, TRACE_ID("missShaderBindingStride-02463"), t.miss_stride = 24)
TRACE(nv_hit_stride, TRACE_ID("hitShaderBindingStride-02464"), t.hit_stride = 24)
TRACE(nv_callable_stride, TRACE_ID("callableShaderBindingStride-02465"), t.callable_stride = 24)
TRACE(nv_miss_stride_far, TRACE_ID("missShaderBindingStride-02466"), t.miss_stride = 8192)
TRACE(nv_hit_stride_far, TRACE_ID("hitShaderBindingStride-02467"), t.hit_stride = 8192)
TRACE(nv_callable_stride_far, TRACE_ID("callableShaderBindingStride-02468"),
      t.callable_stride = 8192)
#define COUNTS .null_driver = "{\"limits\": {\"maxComputeWorkGroupCount\": [32, 32, 32]}}"
TRACE(nv_wide, TRACE_ID("width-02469"), t.width = 33, COUNTS)
TRACE(nv_high, TRACE_ID("height-02470"), t.height = 33, COUNTS)
TRACE(nv_deep, TRACE_ID("depth-02471"), t.depth = 33, COUNTS)

/* At the edge: the last place of a table, the longest stride, as many invocations as there may be.
 */
TRACE(nv_last_places, NULL,
      (t.raygen = t.miss = 960, t.miss_stride = 4096, t.width = t.height = t.depth = 32), COUNTS)

/* Tables that are not there, with offsets that would be past their end. */
SCENARIO(nv_without_tables, NV, .proceed = true, .expect = {TRACE_ID("None-08606")})
{
    DEVICE_PROC(b, vkCmdTraceRaysNV)(make_recording(b), make_buffer(b, 1024, RAY_TRACING), 0,
                                     VK_NULL_HANDLE, 1 << 20, 0, VK_NULL_HANDLE, 1 << 20, 0,
                                     VK_NULL_HANDLE, 1 << 20, 64, 1, 1, 1);
}

STRUCTURE(nv_as_many_geometries, , .null_driver = "{\"limits\": {\"maxGeometryCount\": 2}}")
SCENARIO(nv_build_without_instances, NV)
{
    VkAccelerationStructureCreateInfoNV info;
    VkGeometryNV geometries[2];
    fill_geometries(b, &info, geometries);
    DEVICE_PROC(b, vkCmdBuildAccelerationStructureNV)(make_recording(b), &info.info, VK_NULL_HANDLE,
                                                      1 << 20, VK_FALSE, create_bound(b, &info),
                                                      VK_NULL_HANDLE,
                                                      make_buffer(b, 65536, RAY_TRACING), 0);
}

/* --- spheres --- */

#define ON(features_)                                                                  \
    .drivers = NULL_DRIVER, .features = &(features_),                                  \
    .extensions = {"VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations", \
                   "VK_KHR_ray_tracing_pipeline", "VK_NV_ray_tracing_linear_swept_spheres"}
#define NOWHERE 0x7000000000000000ull

/* The members of either kind: the second structure is the swept ones', which has the same members
 * and two more. */
#define MEMBERS(build_)                                                                        \
    .vertexFormat = VK_FORMAT_R32G32B32_SFLOAT,                                                \
    .vertexData.deviceAddress = (build_)->input_address, .vertexStride = 12,                   \
    .radiusFormat = VK_FORMAT_R32_SFLOAT, .radiusData.deviceAddress = (build_)->input_address, \
    .radiusStride = 4, .indexType = VK_INDEX_TYPE_NONE_KHR

static void fill_spheres(struct baseline *b, struct structure_build *build,
                         VkAccelerationStructureGeometrySpheresDataNV *data)
{
    fill_boxes(b, build);
    *data = (VkAccelerationStructureGeometrySpheresDataNV){
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_SPHERES_DATA_NV, MEMBERS(build)};
    build->geometries[0].geometryType = VK_GEOMETRY_TYPE_SPHERES_NV;
    build->geometries[0].pNext = data;
}

static void fill_swept(struct baseline *b, struct structure_build *build,
                       VkAccelerationStructureGeometryLinearSweptSpheresDataNV *data)
{
    fill_boxes(b, build);
    *data = (VkAccelerationStructureGeometryLinearSweptSpheresDataNV){
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_LINEAR_SWEPT_SPHERES_DATA_NV,
        MEMBERS(build)};
    build->geometries[0].geometryType = VK_GEOMETRY_TYPE_LINEAR_SWEPT_SPHERES_NV;
    build->geometries[0].pNext = data;
}

/* Each rule of both kinds. */
#define ONE(name_, kind_, Type_, id_, change_, ...)          \
    SCENARIO(name_, .expect = {id_}, ##__VA_ARGS__)          \
    {                                                        \
        struct structure_build build;                        \
        VkAccelerationStructureGeometry##Type_##DataNV data; \
        fill_##kind_(b, &build, &data);                      \
        change_;                                             \
        record_build(b, make_recording(b), &build);          \
    }
#define DATA(Type_, id_) "VUID-VkAccelerationStructureGeometry" #Type_ "DataNV-" id_
#define BUILD_ID(id_)    "VUID-vkCmdBuildAccelerationStructuresKHR-pInfos-" id_
#define BOTH(name_, id1_, id2_, change_)                               \
    ONE(spheres_##name_, spheres, Spheres, id1_, change_, ON(spheres)) \
    ONE(swept_##name_, swept, LinearSweptSpheres, id2_, change_, ON(spheres))
#define BOTH_OF(name_, id1_, id2_, change_) \
    BOTH(name_, DATA(Spheres, id1_), DATA(LinearSweptSpheres, id2_), change_)

BOTH(right, NULL, NULL, )
BOTH_OF(stride, "vertexStride-10431", "vertexStride-10421", data.vertexStride = 14)
BOTH_OF(stride_far, "vertexStride-10432", "vertexStride-10422", data.radiusStride = 1ull << 32)
BOTH_OF(format, "vertexFormat-10434", "vertexFormat-10423", data.vertexFormat = VK_FORMAT_D16_UNORM)
BOTH_OF(radius_format, "radiusFormat-10435", "radiusFormat-10424",
        data.radiusFormat = VK_FORMAT_D16_UNORM)
BOTH(no_index_address, BUILD_ID("11846"), BUILD_ID("11850"),
     data.indexData.deviceAddress = build.input_address)
BOTH(index_address, BUILD_ID("11847"), BUILD_ID("11851"),
     (data.indexType = VK_INDEX_TYPE_UINT32, data.indexData.deviceAddress = NOWHERE))
BOTH(vertex_address, BUILD_ID("11848"), BUILD_ID("11852"), data.vertexData.deviceAddress = NOWHERE)
BOTH(radius_address, BUILD_ID("11849"), BUILD_ID("11853"), data.radiusData.deviceAddress = NOWHERE)
ONE(swept_successive, swept, LinearSweptSpheres, DATA(LinearSweptSpheres, "indexingMode-10427"),
    data.indexingMode = VK_RAY_TRACING_LSS_INDEXING_MODE_SUCCESSIVE_NV, ON(spheres))
ONE(spheres_without_feature, spheres, Spheres, DATA(Spheres, "None-10429"), , ON(structures))
ONE(swept_without_feature, swept, LinearSweptSpheres, DATA(LinearSweptSpheres, "None-10419"), ,
    ON(structures))

#define INDEX8                                                                              \
    .drivers = NULL_DRIVER, .features = &spheres,                                           \
    .extensions = {"VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations",      \
                   "VK_KHR_ray_tracing_pipeline", "VK_NV_ray_tracing_linear_swept_spheres", \
                   "VK_KHR_index_type_uint8"}
ONE(spheres_index, spheres, Spheres, DATA(Spheres, "indexData-10437"),
    (data.indexType = VK_INDEX_TYPE_UINT8, data.indexData.deviceAddress = build.input_address),
    INDEX8)
ONE(swept_index, swept, LinearSweptSpheres, DATA(LinearSweptSpheres, "indexData-10428"),
    (data.indexType = VK_INDEX_TYPE_UINT8, data.indexData.deviceAddress = build.input_address),
    INDEX8)

#define HOST_ONE(name_, kind_, Type_, id_, change_)                                          \
    SCENARIO(name_, ON(spheres), .expect = {id_})                                            \
    {                                                                                        \
        static const float input[64];                                                        \
        static unsigned char scratch[65536];                                                 \
        struct structure_build build;                                                        \
        VkAccelerationStructureGeometry##Type_##DataNV data;                                 \
        fill_##kind_(b, &build, &data);                                                      \
        build.info.scratchData.hostAddress = scratch;                                        \
        data.vertexData.hostAddress = data.radiusData.hostAddress = input;                   \
        change_;                                                                             \
        (void)DEVICE_PROC(b, vkBuildAccelerationStructuresKHR)(b->device, VK_NULL_HANDLE, 1, \
                                                               &build.info, &build.range);   \
    }
#define HOST_ID(id_) "VUID-vkBuildAccelerationStructuresKHR-pInfos-" id_
#define HOST_BOTH(name_, id1_, id2_, change_)                       \
    HOST_ONE(host_spheres_##name_, spheres, Spheres, id1_, change_) \
    HOST_ONE(host_swept_##name_, swept, LinearSweptSpheres, id2_, change_)
HOST_BOTH(right, NULL, NULL, )
HOST_BOTH(no_index, HOST_ID("11822"), HOST_ID("11826"), data.indexData.hostAddress = input)
HOST_BOTH(index, HOST_ID("11823"), HOST_ID("11827"), data.indexType = VK_INDEX_TYPE_UINT32)
HOST_BOTH(vertex, HOST_ID("11824"), HOST_ID("11828"), data.vertexData.hostAddress = NULL)
HOST_BOTH(radius, HOST_ID("11825"), HOST_ID("11829"), data.radiusData.hostAddress = NULL)

/* --- clusters --- */

static const VkPhysicalDeviceClusterAccelerationStructureFeaturesNV clusters = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CLUSTER_ACCELERATION_STRUCTURE_FEATURES_NV,
    .pNext = (void *)&structures,
    .clusterAccelerationStructure = VK_TRUE};
#define CLUSTER(name_, change_, id_)                                                             \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &clusters,                               \
             .extensions = {"VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations",  \
                            "VK_NV_cluster_acceleration_structure"},                             \
             .null_driver = "{\"limits\": {\"maxTrianglesPerCluster\": 256, "                    \
                            "\"maxVerticesPerCluster\": 128}}",                                  \
             .expect = {id_})                                                                    \
    {                                                                                            \
        VkClusterAccelerationStructureTriangleClusterInputNV input = {                           \
            .sType = VK_STRUCTURE_TYPE_CLUSTER_ACCELERATION_STRUCTURE_TRIANGLE_CLUSTER_INPUT_NV, \
            .vertexFormat = VK_FORMAT_R32G32B32_SFLOAT,                                          \
            .maxClusterTriangleCount = 256,                                                      \
            .maxClusterVertexCount = 128,                                                        \
            .minPositionTruncateBitCount = 32};                                                  \
        const VkClusterAccelerationStructureInputInfoNV info = {                                 \
            .sType = VK_STRUCTURE_TYPE_CLUSTER_ACCELERATION_STRUCTURE_INPUT_INFO_NV,             \
            .maxAccelerationStructureCount = 1,                                                  \
            .opType = VK_CLUSTER_ACCELERATION_STRUCTURE_OP_TYPE_BUILD_TRIANGLE_CLUSTER_NV,       \
            .opMode = VK_CLUSTER_ACCELERATION_STRUCTURE_OP_MODE_IMPLICIT_DESTINATIONS_NV,        \
            .opInput.pTriangleClusters = &input};                                                \
        VkAccelerationStructureBuildSizesInfoKHR sizes = {                                       \
            .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};             \
        change_;                                                                                 \
        DEVICE_PROC(b, vkGetClusterAccelerationStructureBuildSizesNV)(b->device, &info, &sizes); \
    }
#define CLUSTER_INPUT(id_) "VUID-VkClusterAccelerationStructureTriangleClusterInputNV-" id_
CLUSTER(cluster_largest, , NULL)
CLUSTER(cluster_format, input.vertexFormat = VK_FORMAT_D16_UNORM,
        CLUSTER_INPUT("vertexFormat-10439"))
CLUSTER(cluster_triangles, input.maxClusterTriangleCount++,
        CLUSTER_INPUT("maxClusterTriangleCount-10440"))
CLUSTER(cluster_vertices, input.maxClusterVertexCount++,
        CLUSTER_INPUT("maxClusterVertexCount-10441"))
CLUSTER(cluster_truncates, input.minPositionTruncateBitCount++,
        CLUSTER_INPUT("minPositionTruncateBitCount-10442"))

/* --- builds of clusters and of partitioned structures --- */

/* The bytes that a build takes at each address on this device. */
#define BUILD_TAKES 1024
#define OF_1024     .null_driver = "{\"buildSize\": 1024}"
#define AT(size_)                                                         \
    address_of(b, make_buffer(b, size_,                                   \
                              VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | \
                                  VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |    \
                                  VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR))
#define INPUT(size_)                                               \
    address_of(                                                    \
        b, make_buffer(b, size_,                                   \
                       VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | \
                           VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |    \
                           VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR))
#define BUILDS(name_, change_, ...)                                                               \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &clusters, OF_1024,                       \
             .extensions = {"VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations",   \
                            "VK_NV_cluster_acceleration_structure"},                              \
             ##__VA_ARGS__)                                                                       \
    {                                                                                             \
        VkClusterAccelerationStructureClustersBottomLevelInputNV input = {                        \
            .sType =                                                                              \
                VK_STRUCTURE_TYPE_CLUSTER_ACCELERATION_STRUCTURE_CLUSTERS_BOTTOM_LEVEL_INPUT_NV}; \
        VkClusterAccelerationStructureCommandsInfoNV info = {                                     \
            .sType = VK_STRUCTURE_TYPE_CLUSTER_ACCELERATION_STRUCTURE_COMMANDS_INFO_NV,           \
            .input =                                                                              \
                {.sType = VK_STRUCTURE_TYPE_CLUSTER_ACCELERATION_STRUCTURE_INPUT_INFO_NV,         \
                 .maxAccelerationStructureCount = 1,                                              \
                 .opType =                                                                        \
                     VK_CLUSTER_ACCELERATION_STRUCTURE_OP_TYPE_BUILD_CLUSTERS_BOTTOM_LEVEL_NV,    \
                 .opMode = VK_CLUSTER_ACCELERATION_STRUCTURE_OP_MODE_IMPLICIT_DESTINATIONS_NV,    \
                 .opInput.pClustersBottomLevel = &input},                                         \
            .dstImplicitData = AT(BUILD_TAKES),                                                   \
            .scratchData = AT(BUILD_TAKES + 256),                                                 \
            .srcInfosCount = INPUT(4),                                                            \
            .dstAddressesArray = {INPUT(64), 8, 64},                                              \
            .srcInfosArray = {INPUT(64), 16, 64}};                                                \
        change_;                                                                                  \
        DEVICE_PROC(b, vkCmdBuildClusterAccelerationStructureIndirectNV)(make_recording(b),       \
                                                                         &info);                  \
    }
#define BUILDS_ID(id_) .expect = {"VUID-" id_}
BUILDS(clusters_built, info.scratchData += 256)
BUILDS(clusters_scratch_short, info.scratchData += 512,
       BUILDS_ID("vkCmdBuildClusterAccelerationStructureIndirectNV-scratchData-12300"))
BUILDS(clusters_target_short, info.dstImplicitData += 256,
       BUILDS_ID("VkClusterAccelerationStructureCommandsInfoNV-opMode-12310"))
BUILDS(clusters_overlap, info.dstImplicitData = info.scratchData,
       BUILDS_ID("vkCmdBuildClusterAccelerationStructureIndirectNV-dstImplicitData-12303"))

static const VkPhysicalDevicePartitionedAccelerationStructureFeaturesNV partitions = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PARTITIONED_ACCELERATION_STRUCTURE_FEATURES_NV,
    .pNext = (void *)&structures,
    .partitionedAccelerationStructure = VK_TRUE};
#define PARTITIONED(name_, change_, ...)                                                         \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &partitions, OF_1024,                    \
             .extensions = {"VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations",  \
                            "VK_NV_partitioned_acceleration_structure"},                         \
             ##__VA_ARGS__)                                                                      \
    {                                                                                            \
        VkBuildPartitionedAccelerationStructureInfoNV info = {                                   \
            .sType = VK_STRUCTURE_TYPE_BUILD_PARTITIONED_ACCELERATION_STRUCTURE_INFO_NV,         \
            .input =                                                                             \
                {.sType =                                                                        \
                     VK_STRUCTURE_TYPE_PARTITIONED_ACCELERATION_STRUCTURE_INSTANCES_INPUT_NV},   \
            .srcAccelerationStructureData = AT(4096),                                            \
            .dstAccelerationStructureData = AT(4096),                                            \
            .scratchData = AT(4096),                                                             \
            .srcInfos = INPUT(64),                                                               \
            .srcInfosCount = INPUT(64)};                                                         \
        change_;                                                                                 \
        DEVICE_PROC(b, vkCmdBuildPartitionedAccelerationStructuresNV)(make_recording(b), &info); \
    }
#define PARTITIONED_ID(id_)  "VkBuildPartitionedAccelerationStructureInfoNV-" id_
#define PARTITIONED_CMD(id_) "vkCmdBuildPartitionedAccelerationStructuresNV-pBuildInfo-" id_
PARTITIONED(partitions_built, info.scratchData += 4096 - BUILD_TAKES)
PARTITIONED(partitions_updated,
            info.srcAccelerationStructureData = info.dstAccelerationStructureData)
PARTITIONED(partitions_from_nothing, info.srcAccelerationStructureData = 0)
PARTITIONED(partitions_scratch_short, info.scratchData += 4096 - 512,
            BUILDS_ID(PARTITIONED_ID("scratchData-10559")))
PARTITIONED(partitions_target_short, info.dstAccelerationStructureData += 4096 - 512,
            BUILDS_ID(PARTITIONED_ID("dstAccelerationStructureData-10562")))
PARTITIONED(partitions_source_in_scratch,
            info.srcAccelerationStructureData = info.scratchData + 512,
            BUILDS_ID(PARTITIONED_CMD("10547")))
PARTITIONED(partitions_target_in_scratch,
            info.dstAccelerationStructureData = info.scratchData + 512,
            BUILDS_ID(PARTITIONED_CMD("10548")))
PARTITIONED(partitions_source_in_target,
            info.srcAccelerationStructureData = info.dstAccelerationStructureData + 512,
            BUILDS_ID(PARTITIONED_CMD("10549")))
