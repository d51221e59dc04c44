/* Creates and binds shader objects (VK_EXT_shader_object); pipeline caches and executables. */
#include "scenario.h"

static const VkPhysicalDeviceShaderObjectFeaturesEXT objects = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT, .shaderObject = VK_TRUE};
#define OBJECTS_ONLY .extensions = {"VK_EXT_shader_object"}, .settings = {"check_shaders=false"}
#define OBJECTS      OBJECTS_ONLY, .features = &objects

static VkShaderCreateInfoEXT shader_info(VkShaderStageFlagBits stage)
{
    return (VkShaderCreateInfoEXT){.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                   .stage = stage,
                                   .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                   .codeSize = shader_fill_size,
                                   .pCode = shader_fill_code,
                                   .pName = "main"};
}

static VkShaderEXT create_shaders(struct baseline *b, uint32_t count,
                                  const VkShaderCreateInfoEXT *infos)
{
    VkShaderEXT shaders[4] = {0};
    if (DEVICE_PROC(b, vkCreateShadersEXT)(b->device, count, infos, NULL, shaders) != VK_SUCCESS)
        return VK_NULL_HANDLE;
    for (uint32_t i = 0; i < count; i++)
        cleanup_add(b, destroy_shader, HANDLE(shaders[i]));
    return shaders[0];
}

/* A compute shader that needs no set layout of its own: what the code reads is not looked at here.
 */
static VkShaderEXT make_compute_object(struct baseline *b)
{
    VkDescriptorSetLayout layout = make_descriptor_set_layout(b);
    VkShaderCreateInfoEXT info = shader_info(VK_SHADER_STAGE_COMPUTE_BIT);
    info.setLayoutCount = 1;
    info.pSetLayouts = &layout;
    return create_shaders(b, 1, &info);
}

/* The stage is wrong for the code in most of these: what that breaks may come as well. */
#define ANY_CODE                                                                                  \
    .allow = {                                                                                    \
        "VUID-VkShaderCreateInfoEXT-pName-08440",    "VUID-VkShaderCreateInfoEXT-codeType-10383", \
        "VUID-VkShaderCreateInfoEXT-codeType-08872", "VUID-VkShaderCreateInfoEXT-codeType-12226", \
        "VUID-VkShaderCreateInfoEXT-pCode-08454",    "VUID-VkShaderCreateInfoEXT-pCode-08455"}
#define MISTAKE(name_, stage_, id_, change_, ...)                                           \
    SCENARIO(name_, .expect = {"VUID-" id_}, .drivers = NULL_DRIVER, ANY_CODE, __VA_ARGS__) \
    {                                                                                       \
        VkShaderCreateInfoEXT info = shader_info(VK_SHADER_STAGE_##stage_);                 \
        VkDescriptorSetLayout layout = make_descriptor_set_layout(b);                       \
        info.setLayoutCount = 1;                                                            \
        info.pSetLayouts = &layout;                                                         \
        change_;                                                                            \
        create_shaders(b, 1, &info);                                                        \
    }
#define AND(extension_)                                                                      \
    .extensions = {"VK_EXT_shader_object", extension_}, .settings = {"check_shaders=false"}, \
    .features = &objects
#define INFO(id_) "VkShaderCreateInfoEXT-" id_

SCENARIO(shader_in_order, OBJECTS)
{
    ENSURE(make_compute_object(b));
}

SCENARIO(shader_without_feature, OBJECTS_ONLY, .drivers = NULL_DRIVER,
         .expect = {"VUID-vkCreateShadersEXT-None-08400"})
{
    make_compute_object(b);
}

MISTAKE(shader_tessellation, TESSELLATION_CONTROL_BIT, INFO("stage-08419"), , OBJECTS)
MISTAKE(shader_geometry, GEOMETRY_BIT, INFO("stage-08420"), , OBJECTS)
MISTAKE(shader_next_of_vertex, VERTEX_BIT, INFO("nextStage-08427"),
        info.nextStage = VK_SHADER_STAGE_COMPUTE_BIT, OBJECTS)
MISTAKE(shader_next_tessellation, VERTEX_BIT, INFO("nextStage-08428"),
        info.nextStage = VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, OBJECTS)
MISTAKE(shader_next_geometry, VERTEX_BIT, INFO("nextStage-08429"),
        info.nextStage = VK_SHADER_STAGE_GEOMETRY_BIT, OBJECTS)
MISTAKE(shader_next_of_fragment, FRAGMENT_BIT, INFO("nextStage-08434"),
        info.nextStage = VK_SHADER_STAGE_VERTEX_BIT, OBJECTS)

static const VkPhysicalDeviceFeatures2 stages = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)&objects,
    .features = {.geometryShader = VK_TRUE, .tessellationShader = VK_TRUE}};
static const VkPhysicalDeviceMeshShaderFeaturesEXT mesh = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
    .pNext = (void *)&objects,
    .meshShader = VK_TRUE,
    .taskShader = VK_TRUE};
#define WITH(chain_, ...)                                                                         \
    .drivers = NULL_DRIVER, .features = &(chain_), .settings = {"check_shaders=false"}, ANY_CODE, \
    .extensions = {"VK_EXT_shader_object", ##__VA_ARGS__}
#define NEXT(name_, stage_, number_, next_, ...)                                              \
    SCENARIO(name_, .expect = {"VUID-VkShaderCreateInfoEXT-nextStage-" number_}, __VA_ARGS__) \
    {                                                                                         \
        VkShaderCreateInfoEXT info = shader_info(VK_SHADER_STAGE_##stage_);                   \
        info.nextStage = next_;                                                               \
        create_shaders(b, 1, &info);                                                          \
    }
NEXT(shader_next_of_control, TESSELLATION_CONTROL_BIT, "08430", VK_SHADER_STAGE_FRAGMENT_BIT,
     WITH(stages))
NEXT(shader_next_of_evaluation, TESSELLATION_EVALUATION_BIT, "08431", VK_SHADER_STAGE_VERTEX_BIT,
     WITH(stages))
NEXT(shader_next_of_geometry, GEOMETRY_BIT, "08433", VK_SHADER_STAGE_VERTEX_BIT, WITH(stages))
NEXT(shader_next_of_task, TASK_BIT_EXT, "08435", VK_SHADER_STAGE_FRAGMENT_BIT,
     WITH(mesh, "VK_EXT_mesh_shader"))
NEXT(shader_next_of_mesh, MESH_BIT_EXT, "08436", VK_SHADER_STAGE_VERTEX_BIT,
     WITH(mesh, "VK_EXT_mesh_shader"))

/* --- flags --- */

MISTAKE(shader_links_compute, COMPUTE_BIT, INFO("flags-08412"),
        info.flags = VK_SHADER_CREATE_LINK_STAGE_BIT_EXT, OBJECTS)
MISTAKE(shader_varies, COMPUTE_BIT, INFO("flags-09404"),
        info.flags = VK_SHADER_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT_EXT, OBJECTS)
MISTAKE(shader_full, COMPUTE_BIT, INFO("flags-09405"),
        info.flags = VK_SHADER_CREATE_REQUIRE_FULL_SUBGROUPS_BIT_EXT,
        .null_driver = "{\"properties\": {\"subgroupSize\": 1}}", OBJECTS)
MISTAKE(shader_dispatch_base, VERTEX_BIT, INFO("flags-08485"),
        info.flags = VK_SHADER_CREATE_DISPATCH_BASE_BIT_EXT, OBJECTS)
MISTAKE(shader_no_task, VERTEX_BIT, INFO("flags-08414"),
        info.flags = VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT, AND("VK_EXT_mesh_shader"))
MISTAKE(shader_rate, FRAGMENT_BIT, INFO("flags-08487"),
        info.flags = VK_SHADER_CREATE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_EXT,
        AND("VK_KHR_fragment_shading_rate"))
MISTAKE(shader_density, FRAGMENT_BIT, INFO("flags-08489"),
        info.flags = VK_SHADER_CREATE_FRAGMENT_DENSITY_MAP_ATTACHMENT_BIT_EXT,
        AND("VK_EXT_fragment_density_map"))

/* --- layouts, ranges, alignment --- */

static const VkPushConstantRange ranges[2] = {{VK_SHADER_STAGE_COMPUTE_BIT, 0, 4},
                                              {VK_SHADER_STAGE_COMPUTE_BIT, 4, 4}};
MISTAKE(shader_ranges, COMPUTE_BIT, INFO("pPushConstantRanges-10063"),
        (info.pushConstantRangeCount = 2, info.pPushConstantRanges = ranges), OBJECTS)

/* --- linked objects --- */

static void link_two(struct baseline *b, VkShaderStageFlagBits first,
                     VkShaderCreateFlagsEXT first_flags, VkShaderStageFlagBits second,
                     VkShaderCreateFlagsEXT second_flags, VkShaderStageFlags next)
{
    VkShaderCreateInfoEXT infos[2] = {shader_info(first), shader_info(second)};
    infos[0].flags = first_flags;
    infos[0].nextStage = next;
    infos[1].flags = second_flags;
    create_shaders(b, 2, infos);
}
#define LINK(name_, id_, first_, first_flags_, second_, second_flags_, ...)               \
    SCENARIO(name_, .expect = {"VUID-vkCreateShadersEXT-pCreateInfos-" id_}, __VA_ARGS__) \
    {                                                                                     \
        link_two(b, VK_SHADER_STAGE_##first_, first_flags_, VK_SHADER_STAGE_##second_,    \
                 second_flags_,                                                           \
                 VK_SHADER_STAGE_##first_ == VK_SHADER_STAGE_##second_                    \
                     ? 0                                                                  \
                     : VK_SHADER_STAGE_##second_);                                        \
    }
#define LINKED VK_SHADER_CREATE_LINK_STAGE_BIT_EXT
LINK(link_in_part, "08402", VERTEX_BIT, LINKED, FRAGMENT_BIT, 0, WITH(objects))
LINK(link_not_mesh, "08403", TASK_BIT_EXT, LINKED, MESH_BIT_EXT, 0,
     WITH(mesh, "VK_EXT_mesh_shader"))
SCENARIO(link_mesh_and_vertex, .expect = {"VUID-vkCreateShadersEXT-pCreateInfos-08404"},
         WITH(mesh, "VK_EXT_mesh_shader"))
{
    link_two(b, VK_SHADER_STAGE_VERTEX_BIT, LINKED, VK_SHADER_STAGE_MESH_BIT_EXT, LINKED, 0);
}
LINK(link_no_task, "08405", TASK_BIT_EXT, LINKED, MESH_BIT_EXT,
     LINKED | VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT, WITH(mesh, "VK_EXT_mesh_shader"))
#define HEAPED (LINKED | VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT)
static const VkPhysicalDeviceDescriptorHeapFeaturesEXT linked_heaps = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT,
    .pNext = (void *)&objects,
    .descriptorHeap = VK_TRUE};
#define WITH_HEAPS                                                                          \
    .drivers = NULL_DRIVER, .features = &linked_heaps, .settings = {"check_shaders=false"}, \
    ANY_CODE,                                                                               \
    .extensions = {"VK_EXT_shader_object", "VK_EXT_descriptor_heap", "VK_KHR_maintenance5"}
SCENARIO(link_in_heaps, WITH_HEAPS)
{
    link_two(b, VK_SHADER_STAGE_VERTEX_BIT, HEAPED, VK_SHADER_STAGE_FRAGMENT_BIT, HEAPED,
             VK_SHADER_STAGE_FRAGMENT_BIT);
}
SCENARIO(link_in_heaps_and_not, WITH_HEAPS, .expect = {"VUID-vkCreateShadersEXT-flags-11472"})
{
    link_two(b, VK_SHADER_STAGE_VERTEX_BIT, HEAPED, VK_SHADER_STAGE_FRAGMENT_BIT, LINKED,
             VK_SHADER_STAGE_FRAGMENT_BIT);
}
SCENARIO(link_next_unset, .expect = {"VUID-vkCreateShadersEXT-pCreateInfos-08409"}, WITH(objects))
{
    link_two(b, VK_SHADER_STAGE_VERTEX_BIT, LINKED, VK_SHADER_STAGE_FRAGMENT_BIT, LINKED, 0);
}
SCENARIO(link_next, WITH(objects))
{
    link_two(b, VK_SHADER_STAGE_VERTEX_BIT, LINKED, VK_SHADER_STAGE_FRAGMENT_BIT, LINKED,
             VK_SHADER_STAGE_FRAGMENT_BIT);
}
LINK(link_twice, "08410", VERTEX_BIT, LINKED, VERTEX_BIT, LINKED, WITH(objects))

/* --- binding --- */

static void bind_created(struct baseline *b, VkCommandBuffer c, VkShaderStageFlagBits stage,
                         VkShaderEXT shader)
{
    DEVICE_PROC(b, vkCmdBindShadersEXT)(c, 1, &stage, &shader);
}

SCENARIO(bind_in_order, OBJECTS)
{
    VkCommandBuffer c = make_recording(b);
    bind_created(b, c, VK_SHADER_STAGE_COMPUTE_BIT, make_compute_object(b));
    bind_created(b, c, VK_SHADER_STAGE_FRAGMENT_BIT, VK_NULL_HANDLE);
}

SCENARIO(bind_without_feature, OBJECTS_ONLY, .drivers = NULL_DRIVER,
         .expect = {"VUID-vkCmdBindShadersEXT-None-08462"})
{
    bind_created(b, make_recording(b), VK_SHADER_STAGE_COMPUTE_BIT, VK_NULL_HANDLE);
}

SCENARIO(bind_to_other_stage, OBJECTS, .expect = {"VUID-vkCmdBindShadersEXT-pShaders-08469"})
{
    bind_created(b, make_recording(b), VK_SHADER_STAGE_FRAGMENT_BIT, make_compute_object(b));
}

SCENARIO(bind_twice, OBJECTS, .expect = {"VUID-vkCmdBindShadersEXT-pStages-08463"})
{
    const VkShaderStageFlagBits same[2] = {VK_SHADER_STAGE_FRAGMENT_BIT,
                                           VK_SHADER_STAGE_FRAGMENT_BIT};
    const VkShaderEXT none[2] = {0};
    DEVICE_PROC(b, vkCmdBindShadersEXT)(make_recording(b), 2, same, none);
}

/* --- pipeline caches and executables --- */

static void make_cache(struct baseline *b, VkPipelineCacheCreateFlags flags)
{
    VkPipelineCacheCreateInfo info = pipeline_cache_info();
    info.flags = flags;
    create_pipeline_cache(b, &info);
}
static const VkPhysicalDevicePipelineCreationCacheControlFeatures cache_control = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_CREATION_CACHE_CONTROL_FEATURES,
    .pipelineCreationCacheControl = VK_TRUE};
static const VkPhysicalDeviceMaintenance8FeaturesKHR maintenance8 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_8_FEATURES_KHR,
    .pNext = (void *)&cache_control,
    .maintenance8 = VK_TRUE};
#define EXTERNAL VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT
#define MERGED   VK_PIPELINE_CACHE_CREATE_INTERNALLY_SYNCHRONIZED_MERGE_BIT_KHR
#define EIGHT    .drivers = NULL_DRIVER, .extensions = {"VK_KHR_maintenance8"}

SCENARIO(cache_external, .features = &cache_control)
{
    make_cache(b, EXTERNAL);
}
SCENARIO(cache_external_without_feature,
         .expect = {"VUID-VkPipelineCacheCreateInfo-pipelineCreationCacheControl-02892"})
{
    make_cache(b, EXTERNAL);
}
SCENARIO(cache_merged, EIGHT, .features = &maintenance8)
{
    make_cache(b, MERGED);
}
SCENARIO(cache_merged_without_feature, EIGHT,
         .expect = {"VUID-VkPipelineCacheCreateInfo-maintenance8-10200"})
{
    make_cache(b, MERGED);
}
SCENARIO(cache_both, EIGHT, .features = &maintenance8,
         .expect = {"VUID-VkPipelineCacheCreateInfo-flags-10201"})
{
    make_cache(b, MERGED | EXTERNAL);
}
SCENARIO(cache_into_itself, .expect = {"VUID-vkMergePipelineCaches-dstCache-00770"})
{
    VkPipelineCache caches[2] = {make_pipeline_cache(b), make_pipeline_cache(b)};
    vkMergePipelineCaches(b->device, caches[1], 1, caches);
    vkMergePipelineCaches(b->device, caches[1], 2, caches);
}

static const VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executables = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
    .pipelineExecutableInfo = VK_TRUE};
#define EXECUTABLES .drivers = NULL_DRIVER, .extensions = {"VK_KHR_pipeline_executable_properties"}

static VkPipelineExecutableInfoKHR executable_info(struct baseline *b, VkPipelineCreateFlags flags)
{
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), make_render_pass(b));
    p.info.flags = flags;
    return (VkPipelineExecutableInfoKHR){.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
                                         .pipeline = create_graphics_pipeline(b, &p.info)};
}

#define ASK_PROPERTIES                                                      \
    uint32_t count = 0;                                                     \
    VkPipelineInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, \
                              .pipeline = make_any_graphics_pipeline(b)};   \
    DEVICE_PROC(b, vkGetPipelineExecutablePropertiesKHR)(b->device, &info, &count, NULL)
#define ASK(command_, flags_)                                      \
    uint32_t count = 0;                                            \
    VkPipelineExecutableInfoKHR info = executable_info(b, flags_); \
    DEVICE_PROC(b, command_)(b->device, &info, &count, NULL)
#define STATISTICS VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR
#define INTERNAL   VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR

SCENARIO(executable_properties, EXECUTABLES, .features = &executables)
{
    ASK_PROPERTIES;
}
SCENARIO(executable_properties_without_feature, EXECUTABLES,
         .expect = {"VUID-vkGetPipelineExecutablePropertiesKHR-pipelineExecutableInfo-03270"})
{
    ASK_PROPERTIES;
}
SCENARIO(executable_statistics, EXECUTABLES, .features = &executables)
{
    ASK(vkGetPipelineExecutableStatisticsKHR, STATISTICS);
}
SCENARIO(executable_statistics_without_feature, EXECUTABLES,
         .expect = {"VUID-vkGetPipelineExecutableStatisticsKHR-pipelineExecutableInfo-03272"})
{
    ASK(vkGetPipelineExecutableStatisticsKHR, STATISTICS);
}
SCENARIO(executable_internals, EXECUTABLES, .features = &executables)
{
    ASK(vkGetPipelineExecutableInternalRepresentationsKHR, INTERNAL);
}
SCENARIO(executable_internals_without_feature, EXECUTABLES,
         .expect = {
             "VUID-vkGetPipelineExecutableInternalRepresentationsKHR-pipelineExecutableInfo-03276"})
{
    ASK(vkGetPipelineExecutableInternalRepresentationsKHR, INTERNAL);
}

/* --- binaries --- */

static void ask_binary(struct baseline *b, VkShaderEXT shader, size_t offset)
{
    static _Alignas(16) uint8_t data[65536 + 16];
    size_t size = 0;
    DEVICE_PROC(b, vkGetShaderBinaryDataEXT)(b->device, shader, &size, NULL);
    if (size <= 65536)
        DEVICE_PROC(b, vkGetShaderBinaryDataEXT)(b->device, shader, &size, data + offset);
}

SCENARIO(binary, OBJECTS)
{
    ask_binary(b, make_compute_object(b), 0);
}

SCENARIO(binary_without_feature, OBJECTS_ONLY, .drivers = NULL_DRIVER, .proceed = true,
         .expect = {"VUID-vkCreateShadersEXT-None-08400",
                    "VUID-vkGetShaderBinaryDataEXT-None-08461"},
         .allow = {"VUID-vkDestroyShaderEXT-None-08481"},
         .text = {"needs the feature shaderObject"})
{
    ask_binary(b, make_compute_object(b), 0);
}

SCENARIO(link_code_and_binary, .expect = {"VUID-vkCreateShadersEXT-pCreateInfos-08411"},
         WITH(objects),
         .text = {"pCreateInfos[1].codeType is not that of pCreateInfos[0], which is linked, too"})
{
    static const _Alignas(16) uint32_t binary[64];
    VkShaderCreateInfoEXT infos[2] = {shader_info(VK_SHADER_STAGE_VERTEX_BIT),
                                      shader_info(VK_SHADER_STAGE_FRAGMENT_BIT)};
    infos[0].flags = infos[1].flags = LINKED;
    infos[0].nextStage = VK_SHADER_STAGE_FRAGMENT_BIT;
    infos[1].codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
    infos[1].pCode = binary;
    infos[1].codeSize = sizeof(binary);
    create_shaders(b, 2, infos);
}
