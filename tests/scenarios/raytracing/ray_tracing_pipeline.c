/* Creates ray tracing pipelines, and asks about their groups. */
#include "scenario.h"

/* programs.c has these shaders, too: they need other names here. */
#define shader_miss_miss   ray_miss_code
#define shader_miss_raygen ray_raygen_code
#include "shader_miss_miss.h"
#include "shader_miss_raygen.h"

#define FEATURE(...)                                                               \
    {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR, \
     .rayTracingPipeline = VK_TRUE,                                                \
     ##__VA_ARGS__}
static const VkPhysicalDeviceRayTracingPipelineFeaturesKHR
    ray_tracing = FEATURE(),
    culling = FEATURE(.rayTraversalPrimitiveCulling = VK_TRUE),
    replay = FEATURE(.rayTracingPipelineShaderGroupHandleCaptureReplay = VK_TRUE,
                     .rayTraversalPrimitiveCulling = VK_TRUE),
    replay_mixed = FEATURE(.rayTracingPipelineShaderGroupHandleCaptureReplay = VK_TRUE,
                           .rayTracingPipelineShaderGroupHandleCaptureReplayMixed = VK_TRUE);
#define BASE                                                        \
    "VK_KHR_ray_tracing_pipeline", "VK_KHR_acceleration_structure", \
        "VK_KHR_deferred_host_operations"
#define ON(features_, ...)                                                                 \
    .drivers = NULL_DRIVER, .features = &(features_), .settings = {"check_shaders=false"}, \
    .extensions = {BASE, "VK_KHR_pipeline_library", ##__VA_ARGS__}

struct ray_pipeline {
    VkPipelineShaderStageCreateInfo stages[4]; /* ray generation, miss, closest hit, any hit */
    VkRayTracingShaderGroupCreateInfoKHR groups[2];
    VkRayTracingPipelineInterfaceCreateInfoKHR interface;
    VkPipelineLibraryCreateInfoKHR libraries;
    VkPipeline library;
    VkPipelineDynamicStateCreateInfo dynamic;
    VkDynamicState state;
    VkRayTracingPipelineCreateInfoKHR info;
};

static void begin_rays(struct baseline *b, struct ray_pipeline *p)
{
    const VkRayTracingShaderGroupCreateInfoKHR group = {
        .sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
        .type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
        .closestHitShader = VK_SHADER_UNUSED_KHR,
        .anyHitShader = VK_SHADER_UNUSED_KHR,
        .intersectionShader = VK_SHADER_UNUSED_KHR};
    *p = (struct ray_pipeline){.groups = {group, group}};
    VkShaderModule module = MAKE_SHADER(b, shader_miss_raygen);
    p->stages[0] = stage_info(VK_SHADER_STAGE_RAYGEN_BIT_KHR, module);
    p->stages[1] = stage_info(VK_SHADER_STAGE_MISS_BIT_KHR, MAKE_SHADER(b, shader_miss_miss));
    p->stages[2] = stage_info(VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR, module);
    p->stages[3] = stage_info(VK_SHADER_STAGE_ANY_HIT_BIT_KHR, module);
    p->interface = (VkRayTracingPipelineInterfaceCreateInfoKHR){
        .sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_INTERFACE_CREATE_INFO_KHR,
        .maxPipelineRayPayloadSize = 16,
        .maxPipelineRayHitAttributeSize = 8};
    p->libraries = (VkPipelineLibraryCreateInfoKHR){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR};
    p->info = (VkRayTracingPipelineCreateInfoKHR){
        .sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
        .stageCount = 2,
        .pStages = p->stages,
        .groupCount = 2,
        .pGroups = p->groups,
        .maxPipelineRayRecursionDepth = 1,
        .layout = make_empty_pipeline_layout(b),
        .basePipelineIndex = -1};
    p->groups[1].generalShader = 1;
}

static VkPipeline create_rays(struct baseline *b, const struct ray_pipeline *p)
{
    VkPipeline pipeline = VK_NULL_HANDLE;
    if (DEVICE_PROC(b, vkCreateRayTracingPipelinesKHR)(b->device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1,
                                                       &p->info, NULL, &pipeline) != VK_SUCCESS)
        return VK_NULL_HANDLE;
    cleanup_add(b, destroy_pipeline, HANDLE(pipeline));
    return pipeline;
}

#define MISTAKE(name_, id_, change_, ...)                   \
    SCENARIO(name_, .expect = {"VUID-" id_}, ##__VA_ARGS__) \
    {                                                       \
        struct ray_pipeline p;                              \
        begin_rays(b, &p);                                  \
        change_;                                            \
        create_rays(b, &p);                                 \
    }
#define RIGHT(name_, change_, ...) \
    SCENARIO(name_, ##__VA_ARGS__) \
    {                              \
        struct ray_pipeline p;     \
        begin_rays(b, &p);         \
        change_;                   \
        create_rays(b, &p);        \
    }
#define RAY(id_)    "VkRayTracingPipelineCreateInfoKHR-" id_
#define GROUP(id_)  "VkRayTracingShaderGroupCreateInfoKHR-" id_
#define FLAG(name_) VK_PIPELINE_CREATE_RAY_TRACING_##name_##_BIT_KHR

RIGHT(ray_in_order, , ON(ray_tracing))

SCENARIO(ray_without_feature, .drivers = NULL_DRIVER, .extensions = {BASE},
         .settings = {"check_shaders=false"},
         .expect = {"VUID-vkCreateRayTracingPipelinesKHR-rayTracingPipeline-03586"})
{
    struct ray_pipeline p;
    begin_rays(b, &p);
    create_rays(b, &p);
}

/* --- shaders: layouts and specialization, in libraries as in whole pipelines --- */

/* The ray generation shader has a structure at set 0, binding 0, and a storage buffer at binding 1.
 */
static VkPipelineLayout make_ray_layout(struct baseline *b, VkShaderStageFlags stages)
{
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, 1, stages, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, stages, NULL}};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 2,
        .pBindings = bindings};
    VkDescriptorSetLayout layout = create_descriptor_set_layout(b, &info);
    ENSURE(layout);
    return make_pipeline_layout(b, layout);
}

static void as_library(struct ray_pipeline *p)
{
    p->info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
    p->info.pLibraryInterface = &p->interface;
}

#define CHECKED                                       \
    .drivers = NULL_DRIVER, .features = &ray_tracing, \
    .extensions = {BASE, "VK_KHR_pipeline_library"}
#define RAY_LAYOUT "VkRayTracingPipelineCreateInfoKHR-layout-07988"
RIGHT(ray_with_its_layout, p.info.layout = make_ray_layout(b, VK_SHADER_STAGE_RAYGEN_BIT_KHR),
      CHECKED)
RIGHT(ray_library_with_its_layout,
      (as_library(&p), p.info.layout = make_ray_layout(b, VK_SHADER_STAGE_ALL)), CHECKED)
MISTAKE(ray_binding_missing, RAY_LAYOUT, , CHECKED)
MISTAKE(ray_library_binding_missing, RAY_LAYOUT, as_library(&p), CHECKED)
MISTAKE(ray_binding_of_another_stage, RAY_LAYOUT,
        p.info.layout = make_ray_layout(b, VK_SHADER_STAGE_MISS_BIT_KHR), CHECKED)
MISTAKE(ray_library_binding_of_another_stage, RAY_LAYOUT,
        (as_library(&p), p.info.layout = make_ray_layout(b, VK_SHADER_STAGE_MISS_BIT_KHR)), CHECKED)

static const uint32_t special_words[2] = {1, 2};
#define SPECIALIZED(offset_, size_)                                         \
    const VkSpecializationMapEntry entry = {                                \
        .constantID = 77, .offset = (offset_), .size = (size_)};            \
    const VkSpecializationInfo values = {.mapEntryCount = 1,                \
                                         .pMapEntries = &entry,             \
                                         .dataSize = sizeof(special_words), \
                                         .pData = special_words};           \
    p.stages[1].pSpecializationInfo = &values
RIGHT(ray_specialized_to_the_end, SPECIALIZED(4, 4), ON(ray_tracing))
RIGHT(ray_library_specialized_to_the_end, SPECIALIZED(4, 4); as_library(&p), ON(ray_tracing))
MISTAKE(ray_specialized_behind_the_end, "VkSpecializationInfo-offset-00773", SPECIALIZED(8, 4),
        ON(ray_tracing), .proceed = true)
MISTAKE(ray_specialized_over_the_end, "VkSpecializationInfo-pMapEntries-00774",
        SPECIALIZED(4, SIZE_MAX), ON(ray_tracing), .proceed = true)
MISTAKE(ray_library_specialized_behind_the_end, "VkSpecializationInfo-offset-00773",
        SPECIALIZED(8, 4);
        as_library(&p), ON(ray_tracing), .proceed = true)
MISTAKE(ray_library_specialized_over_the_end, "VkSpecializationInfo-pMapEntries-00774",
        SPECIALIZED(4, SIZE_MAX);
        as_library(&p), ON(ray_tracing), .proceed = true)

/* --- stages and groups --- */

MISTAKE(ray_no_stages, RAY("pLibraryInfo-07999"),
        (p.info.stageCount = 0, p.info.groupCount = 0,
         p.info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR,
         p.info.pLibraryInterface = &p.interface),
        ON(ray_tracing))
MISTAKE(ray_no_groups, RAY("flags-08700"), p.info.groupCount = 0, ON(ray_tracing))
MISTAKE(ray_no_generation, RAY("stage-03425"),
        (p.info.pStages = &p.stages[1], p.info.stageCount = 1, p.info.groupCount = 1),
        ON(ray_tracing))
MISTAKE(ray_deep, RAY("maxPipelineRayRecursionDepth-03589"),
        p.info.maxPipelineRayRecursionDepth = 1000, ON(ray_tracing),
        .null_driver = "{\"properties\": {\"maxRayRecursionDepth\": 31}}")
MISTAKE(ray_without_layout, RAY("None-11369"), p.info.layout = VK_NULL_HANDLE, ON(ray_tracing))
MISTAKE(group_general_no_shader, GROUP("type-03474"), p.groups[1].generalShader = 2,
        ON(ray_tracing), .text = {"is 2, but the pipeline has 2 stages"})

static void make_hit_group(struct ray_pipeline *p, VkRayTracingShaderGroupTypeKHR type)
{
    p->info.stageCount = 4;
    p->groups[1].type = type;
    p->groups[1].generalShader = VK_SHADER_UNUSED_KHR;
    p->groups[1].closestHitShader = 2;
    p->groups[1].anyHitShader = 3;
}
#define TRIANGLES make_hit_group(&p, VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR)
RIGHT(group_of_triangles, TRIANGLES, ON(ray_tracing))
MISTAKE(group_procedural_no_shader, GROUP("type-03476"),
        make_hit_group(&p, VK_RAY_TRACING_SHADER_GROUP_TYPE_PROCEDURAL_HIT_GROUP_KHR);
        p.groups[1].intersectionShader = 0, ON(ray_tracing))
MISTAKE(group_closest_of_any, GROUP("closestHitShader-03478"), TRIANGLES;
        p.groups[1].closestHitShader = 3, ON(ray_tracing))
MISTAKE(group_any_of_closest, GROUP("anyHitShader-03479"), TRIANGLES;
        p.groups[1].anyHitShader = 2, ON(ray_tracing))
MISTAKE(group_any_null, RAY("flags-03470"), TRIANGLES;
        (p.groups[1].anyHitShader = VK_SHADER_UNUSED_KHR,
         p.info.flags = FLAG(NO_NULL_ANY_HIT_SHADERS)),
        ON(ray_tracing))
MISTAKE(group_closest_null, RAY("flags-03471"), TRIANGLES;
        (p.groups[1].closestHitShader = VK_SHADER_UNUSED_KHR,
         p.info.flags = FLAG(NO_NULL_CLOSEST_HIT_SHADERS)),
        ON(ray_tracing))

/* --- flags --- */

RIGHT(ray_culls, p.info.flags = FLAG(SKIP_AABBS), ON(culling))
MISTAKE(ray_skips_aabbs, RAY("rayTraversalPrimitiveCulling-03596"), p.info.flags = FLAG(SKIP_AABBS),
        ON(ray_tracing))
MISTAKE(ray_skips_triangles, RAY("rayTraversalPrimitiveCulling-03597"),
        p.info.flags = FLAG(SKIP_TRIANGLES), ON(ray_tracing))
MISTAKE(ray_skips_both, RAY("flags-06546"), p.info.flags = FLAG(SKIP_AABBS) | FLAG(SKIP_TRIANGLES),
        ON(culling))
MISTAKE(ray_replays, RAY("flags-03598"), p.info.flags = FLAG(SHADER_GROUP_HANDLE_CAPTURE_REPLAY),
        ON(ray_tracing))
MISTAKE(ray_dispatches, "vkCreateRayTracingPipelinesKHR-flags-03816",
        p.info.flags = VK_PIPELINE_CREATE_DISPATCH_BASE_BIT, ON(ray_tracing))
MISTAKE(ray_indirect, RAY("flags-02904"),
        p.info.flags = VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV,
        ON(ray_tracing, "VK_NV_device_generated_commands"))

static void set_dynamic(struct ray_pipeline *p, VkDynamicState state)
{
    p->state = state;
    p->dynamic = (VkPipelineDynamicStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 1,
        .pDynamicStates = &p->state};
    p->info.pDynamicState = &p->dynamic;
}
RIGHT(ray_dynamic, set_dynamic(&p, VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR),
      ON(ray_tracing))
MISTAKE(ray_dynamic_viewport, RAY("pDynamicStates-03602"),
        set_dynamic(&p, VK_DYNAMIC_STATE_VIEWPORT), ON(ray_tracing))

/* --- libraries --- */

static VkPipeline make_ray_library(struct baseline *b, VkPipelineCreateFlags flags, uint32_t depth,
                                   uint32_t payload)
{
    struct ray_pipeline p;
    begin_rays(b, &p);
    p.info.flags = flags;
    p.info.maxPipelineRayRecursionDepth = depth;
    p.interface.maxPipelineRayPayloadSize = payload;
    p.info.pLibraryInterface = &p.interface;
    VkPipeline library = create_rays(b, &p);
    ENSURE(library);
    return library;
}

static void link_with(struct ray_pipeline *p, VkPipeline library)
{
    p->library = library;
    p->libraries.libraryCount = 1;
    p->libraries.pLibraries = &p->library;
    p->info.pLibraryInfo = &p->libraries;
    p->info.pLibraryInterface = &p->interface;
}
#define LIBRARY VK_PIPELINE_CREATE_LIBRARY_BIT_KHR
RIGHT(ray_linked, link_with(&p, make_ray_library(b, LIBRARY, 1, 16)), ON(ray_tracing))
RIGHT(ray_linked_only, link_with(&p, make_ray_library(b, LIBRARY, 1, 16));
      p.info.stageCount = p.info.groupCount = 0, ON(ray_tracing))
MISTAKE(ray_library_without_interface, RAY("flags-03465"), p.info.flags = LIBRARY, ON(ray_tracing))
MISTAKE(ray_linked_without_interface, RAY("pLibraryInfo-03590"),
        link_with(&p, make_ray_library(b, LIBRARY, 1, 16));
        p.info.pLibraryInterface = NULL, ON(ray_tracing))
MISTAKE(ray_linked_no_library, "VkPipelineLibraryCreateInfoKHR-pLibraries-03381",
        link_with(&p, make_ray_library(b, 0, 1, 16)), ON(ray_tracing))
MISTAKE(ray_linked_depth, RAY("pLibraries-03591"),
        link_with(&p, make_ray_library(b, LIBRARY, 0, 16)), ON(ray_tracing))
MISTAKE(ray_linked_payload, RAY("pLibraryInfo-03593"),
        link_with(&p, make_ray_library(b, LIBRARY, 1, 32)), ON(ray_tracing))
#define SHARED(name_, number_, flag_)                                                         \
    MISTAKE(name_, RAY("flags-" number_), link_with(&p, make_ray_library(b, LIBRARY, 1, 16)); \
            p.info.flags = FLAG(flag_), ON(replay))
SHARED(ray_linked_replay, "03594", SHADER_GROUP_HANDLE_CAPTURE_REPLAY)
SHARED(ray_linked_aabbs, "04718", SKIP_AABBS)
SHARED(ray_linked_triangles, "04719", SKIP_TRIANGLES)
SHARED(ray_linked_any_hit, "04720", NO_NULL_ANY_HIT_SHADERS)
SHARED(ray_linked_closest_hit, "04721", NO_NULL_CLOSEST_HIT_SHADERS)
SHARED(ray_linked_intersection, "04722", NO_NULL_INTERSECTION_SHADERS)
SHARED(ray_linked_miss, "04723", NO_NULL_MISS_SHADERS)
RIGHT(ray_linked_flags, link_with(&p, make_ray_library(b, LIBRARY | FLAG(SKIP_AABBS), 1, 16));
      p.info.flags = FLAG(SKIP_AABBS), ON(culling))

static const VkPhysicalDeviceOpacityMicromapFeaturesEXT micromaps = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPACITY_MICROMAP_FEATURES_EXT,
    .pNext = (void *)&ray_tracing,
    .micromap = VK_TRUE};
#define MICROMAP VK_PIPELINE_CREATE_RAY_TRACING_OPACITY_MICROMAP_BIT_EXT
MISTAKE(ray_linked_micromap, RAY("pLibraries-11598"),
        link_with(&p, make_ray_library(b, LIBRARY, 1, 16));
        p.info.flags = MICROMAP, ON(micromaps, "VK_EXT_opacity_micromap"))
RIGHT(ray_linked_micromap_of_both, link_with(&p, make_ray_library(b, LIBRARY | MICROMAP, 1, 16));
      p.info.flags = MICROMAP, ON(micromaps, "VK_EXT_opacity_micromap"))

static const VkPhysicalDeviceDescriptorBufferFeaturesEXT buffers = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT,
    .pNext = (void *)&ray_tracing,
    .descriptorBuffer = VK_TRUE};
#define DESCRIPTOR_BUFFER VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT
#define WITH_BUFFERS      ON(buffers, "VK_EXT_descriptor_buffer")
MISTAKE(ray_linked_descriptor_buffer, RAY("flags-12361"),
        link_with(&p, make_ray_library(b, LIBRARY, 1, 16));
        p.info.flags = DESCRIPTOR_BUFFER, WITH_BUFFERS)
MISTAKE(ray_linked_descriptor_buffer_of_library, RAY("flags-12362"),
        link_with(&p, make_ray_library(b, LIBRARY | DESCRIPTOR_BUFFER, 1, 16)), WITH_BUFFERS)
RIGHT(ray_linked_descriptor_buffer_of_both,
      link_with(&p, make_ray_library(b, LIBRARY | DESCRIPTOR_BUFFER, 1, 16));
      p.info.flags = DESCRIPTOR_BUFFER, WITH_BUFFERS)

static const VkPhysicalDeviceMaintenance5Features maintenance_5 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES,
    .pNext = (void *)&ray_tracing,
    .maintenance5 = VK_TRUE};
static const VkPhysicalDeviceDescriptorHeapFeaturesEXT heaps = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT,
    .pNext = (void *)&maintenance_5,
    .descriptorHeap = VK_TRUE};

/* Links a pipeline with a library; either may use descriptor heaps. */
static void link_heaps(struct baseline *b, bool of_library, bool of_pipeline)
{
    const VkPipelineCreateFlags2CreateInfo wide = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT};
    const VkPipelineCreateFlags2CreateInfo wide_library = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .flags =
            VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT | VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR};
    struct ray_pipeline p, library;
    begin_rays(b, &library);
    library.info.flags = LIBRARY;
    library.info.pLibraryInterface = &library.interface;
    library.interface.maxPipelineRayPayloadSize = 16;
    if (of_library) {
        library.info.pNext = &wide_library;
        library.info.layout = VK_NULL_HANDLE;
    }
    begin_rays(b, &p);
    link_with(&p, create_rays(b, &library));
    if (of_pipeline) {
        p.info.pNext = &wide;
        p.info.layout = VK_NULL_HANDLE;
    }
    create_rays(b, &p);
}
#define WITH_HEAPS ON(heaps, "VK_KHR_maintenance5", "VK_EXT_descriptor_heap")
SCENARIO(ray_linked_heap, WITH_HEAPS, .expect = {"VUID-" RAY("flags-11275")})
{
    link_heaps(b, false, true);
}

SCENARIO(ray_linked_heap_of_library, WITH_HEAPS, .expect = {"VUID-" RAY("flags-11276")})
{
    link_heaps(b, true, false);
}

SCENARIO(ray_linked_heap_of_both, WITH_HEAPS)
{
    link_heaps(b, true, true);
}

/* A library of a library: groups name stages after the pipeline's own. */
RIGHT(ray_linked_groups_of_theirs, link_with(&p, make_ray_library(b, LIBRARY, 1, 16));
      (p.info.pStages = NULL, p.info.stageCount = 0, p.info.groupCount = 1,
       p.groups[0].generalShader = 0),
      ON(ray_tracing))
RIGHT(ray_library_of_libraries, link_with(&p, make_ray_library(b, LIBRARY, 1, 16));
      p.info.flags = LIBRARY; p.info.stageCount = p.info.groupCount = 0;
      p.info.pGroups = NULL, ON(ray_tracing))
RIGHT(ray_libraries_of_none, p.info.pLibraryInfo = &p.libraries, ON(ray_tracing))
/* A library needs neither a ray generation shader nor groups. */
RIGHT(ray_library_of_misses, p.info.flags = LIBRARY; p.info.pLibraryInterface = &p.interface;
      (p.info.pStages = &p.stages[1], p.info.stageCount = 1, p.info.groupCount = 0,
       p.info.pGroups = NULL),
      ON(ray_tracing))
/* Libraries may have more flags of these than what is linked of them. */
RIGHT(ray_linked_fewer_flags,
      link_with(&p, make_ray_library(b, LIBRARY | FLAG(NO_NULL_MISS_SHADERS), 1, 16)),
      ON(ray_tracing))
RIGHT(ray_no_recursion, p.info.maxPipelineRayRecursionDepth = 0, ON(ray_tracing))
RIGHT(ray_flags_of_other_groups,
      p.info.flags = FLAG(NO_NULL_ANY_HIT_SHADERS) | FLAG(NO_NULL_CLOSEST_HIT_SHADERS) |
                     FLAG(NO_NULL_INTERSECTION_SHADERS),
      ON(ray_tracing))
RIGHT(group_of_triangles_without_shaders, TRIANGLES;
      (p.groups[1].closestHitShader = VK_SHADER_UNUSED_KHR,
       p.groups[1].anyHitShader = VK_SHADER_UNUSED_KHR),
      ON(ray_tracing))
/* basePipelineHandle and basePipelineIndex count for derivatives alone. */
RIGHT(ray_base_ignored,
      (p.info.basePipelineHandle = GARBAGE(VkPipeline), p.info.basePipelineIndex = 77),
      ON(ray_tracing))
static void no_dynamic_states(struct ray_pipeline *p)
{
    p->dynamic = (VkPipelineDynamicStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
    p->info.pDynamicState = &p->dynamic;
}
RIGHT(ray_no_dynamic_states, no_dynamic_states(&p), ON(ray_tracing))

SCENARIO(ray_interface_without_extension, .drivers = NULL_DRIVER, .extensions = {BASE},
         .features = &ray_tracing, .settings = {"check_shaders=false"},
         .expect = {"VUID-VkRayTracingPipelineCreateInfoKHR-pLibraryInfo-03595"})
{
    struct ray_pipeline p;
    begin_rays(b, &p);
    p.info.pLibraryInterface = &p.interface;
    create_rays(b, &p);
}

static void bind_linked(struct baseline *b, bool gone)
{
    struct ray_pipeline p;
    begin_rays(b, &p);
    link_with(&p, make_ray_library(b, LIBRARY, 1, 16));
    VkPipeline pipeline = create_rays(b, &p);
    if (gone) {
        FORGET(b, p.library);
        vkDestroyPipeline(b->device, p.library, NULL);
    }
    vkCmdBindPipeline(make_recording(b), VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, pipeline);
}

SCENARIO(ray_bound_without_its_library, .expect = {"VUID-vkCmdBindPipeline-pipeline-parameter"},
         .text = {"pipeline was linked from a pipeline library that has been destroyed since"},
         ON(ray_tracing))
{
    bind_linked(b, true);
}

SCENARIO(ray_bound_with_its_library, ON(ray_tracing))
{
    bind_linked(b, false);
}

/* --- what is asked of groups --- */

static uint8_t handles[4096];
#define HANDLES(pipeline_, first_, count_, size_)                                              \
    DEVICE_PROC(b, vkGetRayTracingShaderGroupHandlesKHR)(b->device, pipeline_, first_, count_, \
                                                         size_, handles)
#define REPLAYS(pipeline_, first_, count_, size_)                                            \
    DEVICE_PROC(b, vkGetRayTracingCaptureReplayShaderGroupHandlesKHR)(b->device, pipeline_,  \
                                                                      first_, count_, size_, \
                                                                      handles)
#define ASKED(name_, id_, flags_, call_, ...)               \
    SCENARIO(name_, .expect = {"VUID-" id_}, ##__VA_ARGS__) \
    {                                                       \
        struct ray_pipeline p;                              \
        begin_rays(b, &p);                                  \
        p.info.flags = flags_;                              \
        p.info.pLibraryInterface = &p.interface;            \
        VkPipeline pipeline = create_rays(b, &p);           \
        ENSURE(pipeline);                                   \
        call_;                                              \
    }

SCENARIO(handles_in_order, ON(replay))
{
    struct ray_pipeline p;
    begin_rays(b, &p);
    p.info.flags = FLAG(SHADER_GROUP_HANDLE_CAPTURE_REPLAY);
    VkPipeline pipeline = create_rays(b, &p);
    HANDLES(pipeline, 0, 2, sizeof(handles));
    HANDLES(pipeline, 1, 1, sizeof(handles));
    REPLAYS(pipeline, 0, 2, sizeof(handles));
    DEVICE_PROC(b, vkGetRayTracingShaderGroupStackSizeKHR)(b->device, pipeline, 1,
                                                           VK_SHADER_GROUP_SHADER_GENERAL_KHR);
}

/* Groups of a linked pipeline: its own, then those of its libraries. */
SCENARIO(handles_of_linked, ON(ray_tracing))
{
    struct ray_pipeline p;
    begin_rays(b, &p);
    link_with(&p, make_ray_library(b, LIBRARY, 1, 16));
    VkPipeline pipeline = create_rays(b, &p);
    HANDLES(pipeline, 3, 1, 32);
    HANDLES(pipeline, 0, 4, sizeof(handles));
    DEVICE_PROC(b, vkGetRayTracingShaderGroupStackSizeKHR)(b->device, pipeline, 3,
                                                           VK_SHADER_GROUP_SHADER_GENERAL_KHR);
}

static const VkPhysicalDevicePipelineLibraryGroupHandlesFeaturesEXT library_handles = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_LIBRARY_GROUP_HANDLES_FEATURES_EXT,
    .pNext = (void *)&ray_tracing,
    .pipelineLibraryGroupHandles = VK_TRUE};
SCENARIO(handles_of_library_enabled, ON(library_handles, "VK_EXT_pipeline_library_group_handles"))
{
    HANDLES(make_ray_library(b, LIBRARY, 1, 16), 0, 2, sizeof(handles));
}

static const VkPhysicalDevicePipelineLibraryGroupHandlesFeaturesEXT library_replays = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_LIBRARY_GROUP_HANDLES_FEATURES_EXT,
    .pNext = (void *)&replay,
    .pipelineLibraryGroupHandles = VK_TRUE};
SCENARIO(replays_of_library_enabled, ON(library_replays, "VK_EXT_pipeline_library_group_handles"))
{
    REPLAYS(make_ray_library(b, LIBRARY | FLAG(SHADER_GROUP_HANDLE_CAPTURE_REPLAY), 1, 16), 0, 2,
            sizeof(handles));
}

#define OF_HANDLES(id_) "vkGetRayTracingShaderGroupHandlesKHR-" id_
#define OF_REPLAYS(id_) "vkGetRayTracingCaptureReplayShaderGroupHandlesKHR-" id_
ASKED(handles_of_compute, OF_HANDLES("pipeline-04619"), 0, (void)pipeline;
      HANDLES(make_any_compute_pipeline(b), 0, 1, 64), ON(ray_tracing))
ASKED(handles_first, OF_HANDLES("firstGroup-04050"), 0, HANDLES(pipeline, 2, 1, sizeof(handles)),
      ON(ray_tracing))
ASKED(handles_sum, OF_HANDLES("firstGroup-02419"), 0, HANDLES(pipeline, 1, 2, sizeof(handles)),
      ON(ray_tracing))
ASKED(handles_size, OF_HANDLES("dataSize-02420"), 0, HANDLES(pipeline, 0, 2, 1), ON(ray_tracing))
ASKED(handles_of_library, OF_HANDLES("pipeline-07828"), LIBRARY,
      HANDLES(pipeline, 0, 1, sizeof(handles)), ON(ray_tracing))
#define REPLAY FLAG(SHADER_GROUP_HANDLE_CAPTURE_REPLAY)
ASKED(replays_of_compute, OF_REPLAYS("pipeline-04620"), 0, (void)pipeline;
      REPLAYS(make_any_compute_pipeline(b), 0, 1, 64), ON(replay))
ASKED(replays_first, OF_REPLAYS("firstGroup-04051"), REPLAY,
      REPLAYS(pipeline, 2, 1, sizeof(handles)), ON(replay))
ASKED(replays_sum, OF_REPLAYS("firstGroup-03483"), REPLAY, REPLAYS(pipeline, 1, 2, sizeof(handles)),
      ON(replay))
ASKED(replays_size, OF_REPLAYS("dataSize-03484"), REPLAY, REPLAYS(pipeline, 0, 2, 1), ON(replay))
ASKED(replays_of_library, OF_REPLAYS("pipeline-07829"), REPLAY | LIBRARY,
      REPLAYS(pipeline, 0, 1, sizeof(handles)), ON(replay))
ASKED(replays_without_flag, OF_REPLAYS("pipeline-03607"), 0,
      REPLAYS(pipeline, 0, 1, sizeof(handles)), ON(replay))
ASKED(stack_of_compute, "vkGetRayTracingShaderGroupStackSizeKHR-pipeline-04622", 0, (void)pipeline;
      DEVICE_PROC(b, vkGetRayTracingShaderGroupStackSizeKHR)(b->device,
                                                             make_any_compute_pipeline(b), 0,
                                                             VK_SHADER_GROUP_SHADER_GENERAL_KHR),
      ON(ray_tracing))
ASKED(stack_of_no_group, "vkGetRayTracingShaderGroupStackSizeKHR-group-03608", 0,
      DEVICE_PROC(b, vkGetRayTracingShaderGroupStackSizeKHR)(b->device, pipeline, 2,
                                                             VK_SHADER_GROUP_SHADER_GENERAL_KHR),
      ON(ray_tracing))

ASKED(stack_of_no_shader, "vkGetRayTracingShaderGroupStackSizeKHR-groupShader-03609", 0,
      DEVICE_PROC(b,
                  vkGetRayTracingShaderGroupStackSizeKHR)(b->device, pipeline, 1,
                                                          VK_SHADER_GROUP_SHADER_CLOSEST_HIT_KHR),
      ON(ray_tracing))

#define RESOURCES(name_, most_, ...)                                                               \
    SCENARIO(name_, ON(ray_tracing),                                                               \
             .null_driver = "{\"limits\": {\"maxPerStageResources\": " #most_ "}}", ##__VA_ARGS__) \
    {                                                                                              \
        struct ray_pipeline p;                                                                     \
        begin_rays(b, &p);                                                                         \
        p.info.layout = make_pipeline_layout(b, make_descriptor_set_layout(b));                    \
        (void)create_rays(b, &p);                                                                  \
    }
RESOURCES(ray_resources, 1)
RESOURCES(ray_resources_too_many, 0,
          .expect = {"VUID-VkRayTracingPipelineCreateInfoKHR-layout-03428"})

#define COMPILED(pipeline_) DEVICE_PROC(b, vkCompileDeferredNV)(b->device, pipeline_, 0)
#define DEFERRING           ON(ray_tracing, "VK_NV_ray_tracing")
SCENARIO(deferred_compiled, DEFERRING)
{
    struct ray_pipeline p;
    begin_rays(b, &p);
    p.info.flags = VK_PIPELINE_CREATE_DEFER_COMPILE_BIT_NV;
    COMPILED(create_rays(b, &p));
}
ASKED(deferred_without_flag, "vkCompileDeferredNV-pipeline-02237", 0, COMPILED(pipeline), DEFERRING)
SCENARIO(deferred_of_compute, DEFERRING, .expect = {"VUID-vkCompileDeferredNV-pipeline-04621"},
         .allow = {"VUID-vkCompileDeferredNV-pipeline-02237"})
{
    COMPILED(make_any_compute_pipeline(b));
}

/* --- derivatives, deferred operations, binding --- */

static VkPipeline make_parent(struct baseline *b, VkPipelineCreateFlags flags)
{
    struct ray_pipeline p;
    begin_rays(b, &p);
    p.info.flags = flags;
    return create_rays(b, &p);
}
#define DERIVED p.info.flags = VK_PIPELINE_CREATE_DERIVATIVE_BIT
RIGHT(ray_derived,
      (DERIVED,
       p.info.basePipelineHandle = make_parent(b, VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT)),
      ON(ray_tracing))
MISTAKE(ray_derived_of_other, "vkCreateRayTracingPipelinesKHR-flags-03416",
        (DERIVED, p.info.basePipelineHandle = make_parent(b, 0)), ON(ray_tracing),
        .text = {"basePipelineHandle was created without VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT"})
MISTAKE(ray_derived_of_itself, "vkCreateRayTracingPipelinesKHR-flags-03415",
        (DERIVED, p.info.basePipelineIndex = 0), ON(ray_tracing),
        .text = {"basePipelineIndex is 0, but must be less than the element's own index, 0"})

static const VkPhysicalDevicePipelineCreationCacheControlFeatures cache_control = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_CREATION_CACHE_CONTROL_FEATURES,
    .pNext = (void *)&ray_tracing,
    .pipelineCreationCacheControl = VK_TRUE};

static void create_deferred(struct baseline *b, VkPipelineCreateFlags flags, bool deferred)
{
    VkDeferredOperationKHR operation = VK_NULL_HANDLE;
    VkPipeline pipeline = VK_NULL_HANDLE;
    struct ray_pipeline p;
    begin_rays(b, &p);
    p.info.flags = flags;
    if (deferred)
        VK(DEVICE_PROC(b, vkCreateDeferredOperationKHR)(b->device, NULL, &operation));
    DEVICE_PROC(b, vkCreateRayTracingPipelinesKHR)(b->device, operation, VK_NULL_HANDLE, 1, &p.info,
                                                   NULL, &pipeline);
    if (pipeline)
        cleanup_add(b, destroy_pipeline, HANDLE(pipeline));
    if (operation)
        DEVICE_PROC(b, vkDestroyDeferredOperationKHR)(b->device, operation, NULL);
}

SCENARIO(ray_early_return, ON(cache_control))
{
    create_deferred(b, VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT, false);
    create_deferred(b, 0, true);
}

SCENARIO(ray_early_return_deferred, ON(cache_control),
         .expect = {"VUID-vkCreateRayTracingPipelinesKHR-deferredOperation-03587"},
         .text = {"flags has VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT, but the operation is "
                  "deferred"})
{
    create_deferred(b, VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT, true);
}

/* Whatever was deferred has not completed. */
#define NOT_READY ON(ray_tracing), .null_driver = "{\"operationsRun\": true}", .proceed = true
#define DESTROYED "VUID-vkDestroyDeferredOperationKHR-operation-03436"
SCENARIO(ray_deferred_again, NOT_READY,
         .expect = {"VUID-vkCreateRayTracingPipelinesKHR-deferredOperation-03678", DESTROYED},
         .text = {"deferredOperation is not complete"})
{
    create_deferred(b, 0, true);
}

SCENARIO(operation_destroyed_early, NOT_READY, .expect = {DESTROYED},
         .text = {"operation is not complete"})
{
    VkDeferredOperationKHR operation = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateDeferredOperationKHR)(b->device, NULL, &operation));
    DEVICE_PROC(b, vkDestroyDeferredOperationKHR)(b->device, operation, NULL);
}

#define QUEUES                                                                                    \
    .null_driver =                                                                                \
        "{\"queueFamilies\": [{\"flags\": [\"graphics\", \"compute\", \"transfer\"], \"count\": " \
        "1}, "                                                                                    \
        "{\"flags\": [\"graphics\"], \"count\": 1}, {\"flags\": [\"compute\"], \"count\": 1}]}"
static void bind_on(struct baseline *b, VkQueueFlags with, VkQueueFlags without)
{
    VkPipeline pipeline = make_parent(b, 0);
    vkCmdBindPipeline(make_recording_of(b, find_queue_family(b->physical_device, with, without)),
                      VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, pipeline);
}

SCENARIO(ray_bound_on_compute_queue, ON(ray_tracing), QUEUES)
{
    bind_on(b, VK_QUEUE_COMPUTE_BIT, VK_QUEUE_GRAPHICS_BIT);
}

SCENARIO(ray_bound_on_graphics_queue, ON(ray_tracing), QUEUES,
         .expect = {"VUID-vkCmdBindPipeline-pipelineBindPoint-02391"}, .text = {"compute"})
{
    bind_on(b, VK_QUEUE_GRAPHICS_BIT, VK_QUEUE_COMPUTE_BIT);
}

static const VkPhysicalDeviceProtectedMemoryFeatures protected_memory = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES,
    .pNext = (void *)&ray_tracing,
    .protectedMemory = VK_TRUE};
SCENARIO(ray_bound_in_protected, ON(protected_memory),
         .expect = {"VUID-vkCmdBindPipeline-pipelineBindPoint-06721"},
         .text = {"commandBuffer is protected, which ray tracing does not support"})
{
    VkPipeline pipeline = make_parent(b, 0);
    vkCmdBindPipeline(make_protected_recording(b), VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR,
                      pipeline);
}

/* --- advice --- */

/* AMD's advice on many pipelines counts those of graphics and compute. */
SCENARIO(ray_pipelines_are_not_counted, .drivers = NULL_DRIVER, .ours_only = true,
         .features = &ray_tracing, .extensions = {BASE},
         .settings = {"validate_best_practices=true", "validate_best_practices_amd=true",
                      "check_shaders=false"})
{
    struct ray_pipeline p;
    begin_rays(b, &p);
    for (int i = 0; i < 2; i++) {
        VkPipeline pipeline = VK_NULL_HANDLE;
        VK(DEVICE_PROC(b, vkCreateRayTracingPipelinesKHR)(b->device, VK_NULL_HANDLE, VK_NULL_HANDLE,
                                                          1, &p.info, NULL, &pipeline));
        vkDestroyPipeline(b->device, pipeline, NULL);
    }
    make_any_graphics_pipeline(b);
}

/* --- layouts of libraries, identifiers, handles to replay --- */

static VkPipeline make_library_of_layout(struct baseline *b, VkPipelineLayout layout)
{
    struct ray_pipeline p;
    begin_rays(b, &p);
    p.info.flags = LIBRARY;
    p.info.layout = layout;
    p.info.pLibraryInterface = &p.interface;
    VkPipeline library = create_rays(b, &p);
    ENSURE(library);
    return library;
}

static VkPipelineLayout make_layout_of(struct baseline *b, VkDescriptorType type)
{
    const VkDescriptorSetLayoutBinding binding = {0, type, 1, VK_SHADER_STAGE_ALL, NULL};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    return make_pipeline_layout(b, create_descriptor_set_layout(b, &info));
}
RIGHT(ray_linked_same_layout, p.info.layout = make_layout_of(b, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
      link_with(&p,
                make_library_of_layout(b, make_layout_of(b, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER))),
      ON(ray_tracing))
MISTAKE(ray_linked_other_layout, RAY("pLibraryInfo-03592"),
        p.info.layout = make_layout_of(b, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
        link_with(&p,
                  make_library_of_layout(b, make_layout_of(b, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER))),
        ON(ray_tracing))

static void replay_group(struct baseline *b, struct ray_pipeline *p, bool plain_before)
{
    static const uint8_t handle[256];
    struct ray_pipeline before;
    if (plain_before) {
        begin_rays(b, &before);
        ENSURE(create_rays(b, &before));
    }
    p->info.flags = FLAG(SHADER_GROUP_HANDLE_CAPTURE_REPLAY);
    p->groups[0].pShaderGroupCaptureReplayHandle = handle;
}
RIGHT(ray_replayed_from_the_first, replay_group(b, &p, false), ON(replay))
RIGHT(ray_replayed_mixed, replay_group(b, &p, true), ON(replay_mixed))
MISTAKE(ray_replayed_after_others,
        GROUP("rayTracingPipelineShaderGroupHandleCaptureReplayMixed-03603"),
        replay_group(b, &p, true), ON(replay))

/* --- libraries whose stages have identifiers --- */

static const VkPhysicalDeviceShaderModuleIdentifierFeaturesEXT identifiers = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MODULE_IDENTIFIER_FEATURES_EXT,
    .pNext = (void *)&ray_tracing,
    .shaderModuleIdentifier = VK_TRUE};
static const VkPhysicalDevicePipelineCreationCacheControlFeatures identified = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_CREATION_CACHE_CONTROL_FEATURES,
    .pNext = (void *)&identifiers,
    .pipelineCreationCacheControl = VK_TRUE};
#define MAY_FAIL VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT

static VkPipeline make_identified_library(struct baseline *b)
{
    static const uint8_t bytes[32];
    static const VkPipelineShaderStageModuleIdentifierCreateInfoEXT identifier = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT,
        .identifierSize = sizeof(bytes),
        .pIdentifier = bytes};
    struct ray_pipeline p;
    begin_rays(b, &p);
    p.info.flags = LIBRARY | MAY_FAIL;
    p.info.pLibraryInterface = &p.interface;
    p.stages[0].module = VK_NULL_HANDLE;
    p.stages[0].pNext = &identifier;
    VkPipeline library = create_rays(b, &p);
    ENSURE(library);
    return library;
}
RIGHT(ray_linked_identified, link_with(&p, make_identified_library(b));
      p.info.flags = MAY_FAIL, ON(identified, "VK_EXT_shader_module_identifier"))
MISTAKE(ray_linked_identified_without_flag, "VkPipelineLibraryCreateInfoKHR-pLibraries-06855",
        link_with(&p, make_identified_library(b)),
        ON(identified, "VK_EXT_shader_module_identifier"))
