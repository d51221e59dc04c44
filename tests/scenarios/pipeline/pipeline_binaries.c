/* Binaries of pipelines (VK_KHR_pipeline_binary): what they are made of, and what is made of them.
 */
#include "scenario.h"

static const VkPhysicalDeviceMaintenance5Features five = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES, .maintenance5 = VK_TRUE};
static const VkPhysicalDevicePipelineBinaryFeaturesKHR binaries = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_BINARY_FEATURES_KHR, .pNext = (void *)&five,
    .pipelineBinaries = VK_TRUE};
#define BINARIES                                   \
    .drivers = NULL_DRIVER, .features = &binaries, \
    .extensions = {"VK_KHR_pipeline_binary", "VK_KHR_maintenance5"}

static VkComputePipelineCreateInfo compute_info(struct baseline *b, const void *next)
{
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_module(b),
                              make_pipeline_layout(b, make_descriptor_set_layout(b)));
    info.pNext = next;
    return info;
}

static const VkPipelineCreateFlags2CreateInfo capture = {
    VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
    .flags = VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR};

static VkPipeline make_captured(struct baseline *b)
{
    const VkComputePipelineCreateInfo info = compute_info(b, &capture);
    VkPipeline pipeline = create_compute_pipeline(b, &info);
    ENSURE(pipeline);
    return pipeline;
}

static void release_captured(struct baseline *b, VkPipeline pipeline)
{
    const VkReleaseCapturedPipelineDataInfoKHR info = {
        VK_STRUCTURE_TYPE_RELEASE_CAPTURED_PIPELINE_DATA_INFO_KHR, .pipeline = pipeline};
    (void)DEVICE_PROC(b, vkReleaseCapturedPipelineDataKHR)(b->device, &info, NULL);
}

/* How many there are. */
static void count_binaries(struct baseline *b, VkPipeline pipeline,
                           const VkPipelineCreateInfoKHR *create_info)
{
    const VkPipelineBinaryCreateInfoKHR info = {VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR,
                                                .pipeline = pipeline,
                                                .pPipelineCreateInfo = create_info};
    VkPipelineBinaryHandlesInfoKHR handles = {VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR};
    (void)DEVICE_PROC(b, vkCreatePipelineBinariesKHR)(b->device, &info, NULL, &handles);
}

SCENARIO(data_captured, BINARIES)
{
    VkPipeline pipeline = make_captured(b);
    count_binaries(b, pipeline, NULL);
    release_captured(b, pipeline);
    /* of another pipeline, which has its data */
    count_binaries(b, make_captured(b), NULL);
}

SCENARIO(data_released_before, BINARIES,
         .expect = {"VUID-VkPipelineBinaryCreateInfoKHR-pipeline-09608"})
{
    VkPipeline pipeline = make_captured(b);
    release_captured(b, pipeline);
    count_binaries(b, pipeline, NULL);
}

SCENARIO(data_released_twice, BINARIES,
         .expect = {"VUID-VkReleaseCapturedPipelineDataInfoKHR-pipeline-09618"})
{
    VkPipeline pipeline = make_captured(b);
    release_captured(b, pipeline);
    release_captured(b, pipeline);
}

/* The internal cache has binaries of what a pipeline would be made from */
#define INTERNAL .null_driver = "{\"properties\": {\"pipelineBinaryInternalCache\": true}}"
#define CREATED(name_, next_, chain_, ...)                                                \
    SCENARIO(name_, BINARIES, INTERNAL, ##__VA_ARGS__)                                    \
    {                                                                                     \
        VkComputePipelineCreateInfo compute = compute_info(b, next_);                     \
        const VkPipelineCreateInfoKHR info = {VK_STRUCTURE_TYPE_PIPELINE_CREATE_INFO_KHR, \
                                              .pNext = (chain_)};                         \
        VkPipelineBinaryKeyKHR key = {VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR};         \
        compute.basePipelineIndex = -1;                                                   \
        (void)compute;                                                                    \
        if (KEY)                                                                          \
            (void)DEVICE_PROC(b, vkGetPipelineKeyKHR)(b->device, &info, &key);            \
        else                                                                              \
            count_binaries(b, VK_NULL_HANDLE, &info);                                     \
    }
static const VkPipelineBinaryInfoKHR none = {VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR};
static const VkPipelineBinaryKHR no_binary = VK_NULL_HANDLE;
static const VkPipelineBinaryInfoKHR one = {VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR,
                                            .binaryCount = 1, .pPipelineBinaries = &no_binary};
#define NO_INFO .expect = {"VUID-VkPipelineCreateInfoKHR-pNext-09604"}
#define KEY     false
CREATED(binaries_of_info, NULL, &compute)
CREATED(binaries_of_info_without_binaries, &none, &compute)
CREATED(binaries_of_info_with_binaries, &one, &compute,
        .expect = {"VUID-VkPipelineBinaryCreateInfoKHR-pPipelineCreateInfo-09606"},
        .allow = {"VUID-VkPipelineBinaryInfoKHR-pPipelineBinaries-parameter"})
CREATED(binaries_of_no_info, NULL, NULL, NO_INFO)
#undef KEY
#define KEY true
CREATED(key_of_info, NULL, &compute)
CREATED(key_of_no_info, NULL, NULL, NO_INFO)
#undef KEY

SCENARIO(key_of_a_destroyed_layout, BINARIES,
         .expect = {"VUID-VkComputePipelineCreateInfo-layout-parameter"})
{
    const VkPipelineLayoutCreateInfo empty = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    VkPipelineLayout layout = VK_NULL_HANDLE;
    VK(vkCreatePipelineLayout(b->device, &empty, NULL, &layout));
    VkComputePipelineCreateInfo compute = compute_pipeline_info(make_shader_module(b), layout);
    const VkPipelineCreateInfoKHR info = {VK_STRUCTURE_TYPE_PIPELINE_CREATE_INFO_KHR,
                                          .pNext = &compute};
    VkPipelineBinaryKeyKHR key = {VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR};
    (void)DEVICE_PROC(b, vkGetPipelineKeyKHR)(b->device, &info, &key);
    vkDestroyPipelineLayout(b->device, layout, NULL);
    (void)DEVICE_PROC(b, vkGetPipelineKeyKHR)(b->device, &info, &key);
}

/* A cache beside them */
#define CACHED(name_, info_, cache_, ...)                                                         \
    SCENARIO(name_, BINARIES, ##__VA_ARGS__)                                                      \
    {                                                                                             \
        VkPipeline pipeline = VK_NULL_HANDLE;                                                     \
        const VkComputePipelineCreateInfo info = info_;                                           \
        if (vkCreateComputePipelines(b->device, cache_, 1, &info, NULL, &pipeline) == VK_SUCCESS) \
            vkDestroyPipeline(b->device, pipeline, NULL);                                         \
    }
CACHED(captured_without_cache, compute_info(b, &capture), VK_NULL_HANDLE)
CACHED(captured_with_cache, compute_info(b, &capture), make_pipeline_cache(b),
       .expect = {"VUID-vkCreateComputePipelines-pNext-09617"})
CACHED(not_captured_with_cache, compute_info(b, NULL), make_pipeline_cache(b))

/* Makes the binary that a pipeline is made from */
static VkPipelineBinaryKHR make_binary(struct baseline *b)
{
    VkPipelineBinaryKHR made[8] = {0};
    const VkPipelineBinaryCreateInfoKHR info = {VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR,
                                                .pipeline = make_captured(b)};
    VkPipelineBinaryHandlesInfoKHR handles = {VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR};
    VK(DEVICE_PROC(b, vkCreatePipelineBinariesKHR)(b->device, &info, NULL, &handles));
    ENSURE(handles.pipelineBinaryCount && handles.pipelineBinaryCount <= 8);
    handles.pPipelineBinaries = made;
    VK(DEVICE_PROC(b, vkCreatePipelineBinariesKHR)(b->device, &info, NULL, &handles));
    for (uint32_t i = 1; i < handles.pipelineBinaryCount; i++)
        DEVICE_PROC(b, vkDestroyPipelineBinaryKHR)(b->device, made[i], NULL);
    return made[0];
}
static const VkPhysicalDevicePipelineCreationCacheControlFeatures cache_control = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_CREATION_CACHE_CONTROL_FEATURES,
    .pNext = (void *)&binaries, .pipelineCreationCacheControl = VK_TRUE};
#define MADE(name_, flags_, cache_, ...)                                                          \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &cache_control,                           \
             .extensions = {"VK_KHR_pipeline_binary", "VK_KHR_maintenance5"}, ##__VA_ARGS__)      \
    {                                                                                             \
        VkPipeline pipeline = VK_NULL_HANDLE;                                                     \
        const VkPipelineBinaryKHR binary = make_binary(b);                                        \
        const VkPipelineBinaryInfoKHR used = {VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR,         \
                                              .binaryCount = 1, .pPipelineBinaries = &binary};    \
        VkComputePipelineCreateInfo info = compute_info(b, &used);                                \
        info.flags = (flags_);                                                                    \
        if (vkCreateComputePipelines(b->device, cache_, 1, &info, NULL, &pipeline) == VK_SUCCESS) \
            vkDestroyPipeline(b->device, pipeline, NULL);                                         \
        DEVICE_PROC(b, vkDestroyPipelineBinaryKHR)(b->device, binary, NULL);                      \
    }
MADE(made_of_binaries, 0, VK_NULL_HANDLE)
MADE(made_of_binaries_with_cache, 0, make_pipeline_cache(b),
     .expect = {"VUID-vkCreateComputePipelines-pNext-09616"},
     .text = {"pCreateInfos[0].pNext<VkPipelineBinaryInfoKHR>.binaryCount is 1, but pipelineCache "
              "is given"})
MADE(made_of_binaries_or_not_at_all, VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT,
     VK_NULL_HANDLE, .expect = {"VUID-vkCreateComputePipelines-binaryCount-09622"})
SCENARIO(graphics_captured_with_cache, BINARIES,
         .expect = {"VUID-vkCreateGraphicsPipelines-pNext-09617"})
{
    struct graphics_pipeline p;
    VkPipeline pipeline = VK_NULL_HANDLE;
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), make_render_pass(b));
    p.info.pNext = &capture;
    if (vkCreateGraphicsPipelines(b->device, make_pipeline_cache(b), 1, &p.info, NULL, &pipeline) ==
        VK_SUCCESS)
        vkDestroyPipeline(b->device, pipeline, NULL);
}

/* --- a device without an internal cache --- */

static const VkDevicePipelineBinaryInternalCacheControlKHR no_cache = {
    VK_STRUCTURE_TYPE_DEVICE_PIPELINE_BINARY_INTERNAL_CACHE_CONTROL_KHR, .pNext = (void *)&binaries,
    .disableInternalCache = VK_TRUE};
#define NO_CACHE                                                                      \
    .drivers = NULL_DRIVER, .features = &no_cache,                                    \
    .extensions = {"VK_KHR_pipeline_binary", "VK_KHR_maintenance5"},                  \
    .null_driver = "{\"properties\": {\"pipelineBinaryInternalCacheControl\": true, " \
                   "\"pipelineBinaryInternalCache\": true}}"

SCENARIO(no_internal_cache, NO_CACHE)
{
    count_binaries(b, make_captured(b), NULL);
}

SCENARIO(no_internal_cache_for_create_info, NO_CACHE,
         .expect = {"VUID-VkPipelineBinaryCreateInfoKHR-device-09610"})
{
    const VkComputePipelineCreateInfo compute = compute_info(b, NULL);
    const VkPipelineCreateInfoKHR info = {VK_STRUCTURE_TYPE_PIPELINE_CREATE_INFO_KHR,
                                          .pNext = (void *)&compute};
    count_binaries(b, VK_NULL_HANDLE, &info);
}
