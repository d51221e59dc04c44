/* Binds pipelines, shader objects, vertex and index buffers. */
#include "scenario.h"

#define MISTAKE(name_, id_, call_, ...)                     \
    SCENARIO(name_, .expect = {"VUID-" id_}, ##__VA_ARGS__) \
    {                                                       \
        VkCommandBuffer c = make_recording(b);              \
        call_;                                              \
    }

static VkPhysicalDeviceLimits limits_of_binding(struct baseline *b)
{
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(b->physical_device, &properties);
    return properties.limits;
}

/* --- pipelines --- */

SCENARIO(bind_pipelines)
{
    VkCommandBuffer c = make_recording(b);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, make_any_graphics_pipeline(b));
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, make_any_compute_pipeline(b));
}

MISTAKE(bind_graphics_as_compute, "vkCmdBindPipeline-pipelineBindPoint-00779",
        vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, make_any_graphics_pipeline(b)),
        .text = {"pipeline was created for VK_PIPELINE_BIND_POINT_GRAPHICS"})
MISTAKE(bind_compute_as_graphics, "vkCmdBindPipeline-pipelineBindPoint-00780",
        vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, make_any_compute_pipeline(b)))

static const VkPhysicalDeviceRayTracingPipelineFeaturesKHR ray_tracing = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR,
    .rayTracingPipeline = VK_TRUE};
#define RAY_TRACING                                                                \
    .drivers = NULL_DRIVER, .features = &ray_tracing,                              \
    .extensions = {"VK_KHR_ray_tracing_pipeline", "VK_KHR_acceleration_structure", \
                   "VK_KHR_deferred_host_operations"}

MISTAKE(bind_compute_as_ray_tracing, "vkCmdBindPipeline-pipelineBindPoint-02392",
        vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, make_any_compute_pipeline(b)),
        RAY_TRACING)

static VkCommandBuffer record_without(struct baseline *b, VkQueueFlags with, VkQueueFlags without)
{
    uint32_t family = find_queue_family(b->physical_device, with, without);
    ENSURE(family != UINT32_MAX);
    return make_recording_of(b, family);
}

SCENARIO(bind_graphics_on_compute_queue, .drivers = NULL_DRIVER,
         .expect = {"VUID-vkCmdBindPipeline-pipelineBindPoint-00778"})
{
    vkCmdBindPipeline(record_without(b, VK_QUEUE_COMPUTE_BIT, VK_QUEUE_GRAPHICS_BIT),
                      VK_PIPELINE_BIND_POINT_GRAPHICS, make_any_graphics_pipeline(b));
}

SCENARIO(bind_compute_on_compute_queue, .drivers = NULL_DRIVER)
{
    vkCmdBindPipeline(record_without(b, VK_QUEUE_COMPUTE_BIT, VK_QUEUE_GRAPHICS_BIT),
                      VK_PIPELINE_BIND_POINT_COMPUTE, make_any_compute_pipeline(b));
}

SCENARIO(bind_compute_on_graphics_queue, .drivers = NULL_DRIVER,
         .null_driver = "{\"queueFamilies\": [{\"flags\": [\"graphics\", \"compute\", "
                        "\"transfer\"], \"count\": 1}, {\"flags\": [\"graphics\"], \"count\": 1}]}",
         .expect = {"VUID-vkCmdBindPipeline-pipelineBindPoint-00777"})
{
    vkCmdBindPipeline(record_without(b, VK_QUEUE_GRAPHICS_BIT, VK_QUEUE_COMPUTE_BIT),
                      VK_PIPELINE_BIND_POINT_COMPUTE, make_any_compute_pipeline(b));
}

static const VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
    .graphicsPipelineLibrary = VK_TRUE};

SCENARIO(bind_library,
         .extensions = {"VK_KHR_pipeline_library", "VK_EXT_graphics_pipeline_library"},
         .features = &libraries, .expect = {"VUID-vkCmdBindPipeline-pipeline-03382"})
{
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), make_render_pass(b));
    VkGraphicsPipelineLibraryCreateInfoEXT part = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
        .flags = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT};
    p.info.pNext = &part;
    p.info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
    p.info.stageCount = 0;
    VkPipeline pipeline = create_graphics_pipeline(b, &p.info);
    ENSURE(pipeline);
    vkCmdBindPipeline(make_recording(b), VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
}

static const VkPhysicalDeviceProtectedMemoryFeatures protected_memory = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES,
    .protectedMemory = VK_TRUE};
static const VkPhysicalDevicePipelineProtectedAccessFeaturesEXT protected_access = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_PROTECTED_ACCESS_FEATURES_EXT,
    .pNext = (void *)&protected_memory,
    .pipelineProtectedAccess = VK_TRUE};

static VkPipeline protection_pipeline(struct baseline *b, VkPipelineCreateFlags flags)
{
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), make_render_pass(b));
    p.info.flags = flags;
    VkPipeline pipeline = create_graphics_pipeline(b, &p.info);
    ENSURE(pipeline);
    return pipeline;
}

static VkCommandBuffer record_protected(struct baseline *b)
{
    VkCommandPoolCreateInfo pool_info = command_pool_info(b->queue_family);
    pool_info.flags |= VK_COMMAND_POOL_CREATE_PROTECTED_BIT;
    VkCommandBufferAllocateInfo info =
        command_buffer_info(create_command_pool(b, &pool_info), VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkCommandBufferBeginInfo begin = begin_info();
    VkCommandBuffer c = VK_NULL_HANDLE;
    VK(vkAllocateCommandBuffers(b->device, &info, &c));
    VK(vkBeginCommandBuffer(c, &begin));
    return c;
}
#define PROTECTED                                                                                \
    .drivers = NULL_DRIVER, .features = &protected_access,                                       \
    .extensions = {"VK_EXT_pipeline_protected_access"},                                          \
    .null_driver = "{\"queueFamilies\": [{\"flags\": [\"graphics\", \"compute\", \"transfer\", " \
                   "\"protected\"], \"count\": 1}]}"

SCENARIO(bind_protected, PROTECTED)
{
    vkCmdBindPipeline(record_protected(b), VK_PIPELINE_BIND_POINT_GRAPHICS,
                      protection_pipeline(b, VK_PIPELINE_CREATE_PROTECTED_ACCESS_ONLY_BIT_EXT));
    vkCmdBindPipeline(make_recording(b), VK_PIPELINE_BIND_POINT_GRAPHICS,
                      protection_pipeline(b, VK_PIPELINE_CREATE_NO_PROTECTED_ACCESS_BIT_EXT));
}

SCENARIO(bind_unprotected_in_protected, PROTECTED,
         .expect = {"VUID-vkCmdBindPipeline-pipelineProtectedAccess-07408"})
{
    vkCmdBindPipeline(record_protected(b), VK_PIPELINE_BIND_POINT_GRAPHICS,
                      protection_pipeline(b, VK_PIPELINE_CREATE_NO_PROTECTED_ACCESS_BIT_EXT));
}

SCENARIO(bind_protected_in_unprotected, PROTECTED,
         .expect = {"VUID-vkCmdBindPipeline-pipelineProtectedAccess-07409"})
{
    vkCmdBindPipeline(make_recording(b), VK_PIPELINE_BIND_POINT_GRAPHICS,
                      protection_pipeline(b, VK_PIPELINE_CREATE_PROTECTED_ACCESS_ONLY_BIT_EXT));
}

/* --- vertex buffers --- */

static VkBuffer vertex_buffer(struct baseline *b)
{
    return make_buffer(b, 256, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
}

static void bind_one_vertex_buffer(VkCommandBuffer c, uint32_t first, VkBuffer buffer,
                                   VkDeviceSize offset)
{
    vkCmdBindVertexBuffers(c, first, 1, &buffer, &offset);
}

static void bind_many(struct baseline *b, VkCommandBuffer c, uint32_t first, uint32_t count)
{
    VkBuffer buffers[64], buffer = vertex_buffer(b);
    VkDeviceSize offsets[64] = {0};
    for (uint32_t i = 0; i < 64; i++)
        buffers[i] = buffer;
    vkCmdBindVertexBuffers(c, first, count, buffers, offsets);
}

static const VkPhysicalDeviceRobustness2FeaturesEXT null_descriptor = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT,
    .nullDescriptor = VK_TRUE};
#define NULL_ALLOWED .features = &null_descriptor, .extensions = {"VK_EXT_robustness2"}

SCENARIO(vertex_buffers)
{
    VkCommandBuffer c = make_recording(b);
    uint32_t most = limits_of_binding(b).maxVertexInputBindings;
    bind_one_vertex_buffer(c, most - 1, vertex_buffer(b), 255);
    bind_many(b, c, most - 2, 2);
}

SCENARIO(vertex_buffer_null, NULL_ALLOWED)
{
    bind_one_vertex_buffer(make_recording(b), 0, VK_NULL_HANDLE, 0);
}

MISTAKE(vertex_binding_large, "vkCmdBindVertexBuffers-firstBinding-00624",
        bind_one_vertex_buffer(c, limits_of_binding(b).maxVertexInputBindings, vertex_buffer(b), 0))
MISTAKE(vertex_bindings_many, "vkCmdBindVertexBuffers-firstBinding-00625",
        bind_many(b, c, limits_of_binding(b).maxVertexInputBindings - 1, 2))
MISTAKE(vertex_buffer_offset, "vkCmdBindVertexBuffers-pOffsets-00626",
        bind_one_vertex_buffer(c, 0, vertex_buffer(b), 256),
        .text = {"pOffsets[0] is 256, but the buffer has 256 bytes"})
MISTAKE(vertex_buffer_usage, "vkCmdBindVertexBuffers-pBuffers-00627",
        bind_one_vertex_buffer(c, 0, make_buffer(b, 64, VK_BUFFER_USAGE_INDEX_BUFFER_BIT), 0))
MISTAKE(vertex_buffer_null_without_feature, "vkCmdBindVertexBuffers-pBuffers-04001",
        bind_one_vertex_buffer(c, 0, VK_NULL_HANDLE, 0))
MISTAKE(vertex_buffer_null_offset, "vkCmdBindVertexBuffers-pBuffers-04002",
        bind_one_vertex_buffer(c, 0, VK_NULL_HANDLE, 4), NULL_ALLOWED)

static VkBuffer unbound_buffer(struct baseline *b, VkBufferUsageFlags usage)
{
    VkBufferCreateInfo info = buffer_info(64, usage);
    return create_buffer(b, &info);
}

MISTAKE(vertex_buffer_unbound, "vkCmdBindVertexBuffers-pBuffers-00628",
        bind_one_vertex_buffer(c, 0, unbound_buffer(b, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT), 0))

static void bind_vertices2(VkCommandBuffer c, uint32_t first, VkBuffer buffer, VkDeviceSize offset,
                           VkDeviceSize size, VkDeviceSize stride)
{
    vkCmdBindVertexBuffers2(c, first, 1, &buffer, &offset, &size, &stride);
}

SCENARIO(vertex_buffers2)
{
    VkCommandBuffer c = make_recording(b);
    bind_vertices2(c, 0, vertex_buffer(b), 128, 128,
                   limits_of_binding(b).maxVertexInputBindingStride);
    bind_vertices2(c, limits_of_binding(b).maxVertexInputBindings - 1, vertex_buffer(b), 128,
                   VK_WHOLE_SIZE, 0);
}

SCENARIO(vertex_buffers2_null, NULL_ALLOWED)
{
    bind_vertices2(make_recording(b), 0, VK_NULL_HANDLE, 0, VK_WHOLE_SIZE, 0);
}

#define TWO(id_) "vkCmdBindVertexBuffers2-" id_
MISTAKE(vertex_binding2_large, TWO("firstBinding-03355"),
        bind_vertices2(c, limits_of_binding(b).maxVertexInputBindings, vertex_buffer(b), 0, 4, 0))
MISTAKE(vertex_buffer2_offset, TWO("pOffsets-03357"),
        bind_vertices2(c, 0, vertex_buffer(b), 256, 4, 0))
MISTAKE(vertex_buffer2_size, TWO("pSizes-03358"),
        bind_vertices2(c, 0, vertex_buffer(b), 128, 129, 0))
MISTAKE(vertex_buffer2_usage, TWO("pBuffers-03359"),
        bind_vertices2(c, 0, make_buffer(b, 64, VK_BUFFER_USAGE_INDEX_BUFFER_BIT), 0, 4, 0))
MISTAKE(vertex_buffer2_unbound, TWO("pBuffers-03360"),
        bind_vertices2(c, 0, unbound_buffer(b, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT), 0, 4, 0))
MISTAKE(vertex_buffer2_null_without_feature, TWO("pBuffers-04111"),
        bind_vertices2(c, 0, VK_NULL_HANDLE, 0, VK_WHOLE_SIZE, 0))
MISTAKE(vertex_buffer2_null_offset, TWO("pBuffers-04112"),
        bind_vertices2(c, 0, VK_NULL_HANDLE, 4, VK_WHOLE_SIZE, 0), NULL_ALLOWED)
MISTAKE(vertex_buffer2_stride, TWO("pStrides-03362"),
        bind_vertices2(c, 0, vertex_buffer(b), 0, 4,
                       (VkDeviceSize)limits_of_binding(b).maxVertexInputBindingStride + 1))

SCENARIO(vertex_bindings2_many, .expect = {"VUID-vkCmdBindVertexBuffers2-firstBinding-03356"})
{
    VkBuffer buffers[2] = {vertex_buffer(b), vertex_buffer(b)};
    VkDeviceSize offsets[2] = {0};
    vkCmdBindVertexBuffers2(make_recording(b), limits_of_binding(b).maxVertexInputBindings - 1, 2,
                            buffers, offsets, NULL, NULL);
}

SCENARIO(vertex_buffers2_without_feature, .api_version = VK_API_VERSION_1_2,
         .extensions = {"VK_EXT_extended_dynamic_state"},
         .expect = {"VUID-vkCmdBindVertexBuffers2-None-08971"})
{
    VkBuffer buffer = vertex_buffer(b);
    VkDeviceSize offset = 0;
    DEVICE_PROC(b, vkCmdBindVertexBuffers2EXT)(make_recording(b), 0, 1, &buffer, &offset, NULL,
                                               NULL);
}

/* --- index buffers --- */

static VkBuffer index_buffer(struct baseline *b)
{
    return make_buffer(b, 256, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
}

static const VkPhysicalDeviceIndexTypeUint8FeaturesEXT bytes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INDEX_TYPE_UINT8_FEATURES_EXT,
    .indexTypeUint8 = VK_TRUE};
static const VkPhysicalDeviceMaintenance6FeaturesKHR maintenance6 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_6_FEATURES_KHR, .maintenance6 = VK_TRUE};

SCENARIO(index_buffers, .features = &bytes, .extensions = {"VK_EXT_index_type_uint8"})
{
    VkCommandBuffer c = make_recording(b);
    vkCmdBindIndexBuffer(c, index_buffer(b), 252, VK_INDEX_TYPE_UINT32);
    vkCmdBindIndexBuffer(c, index_buffer(b), 254, VK_INDEX_TYPE_UINT16);
    vkCmdBindIndexBuffer(c, index_buffer(b), 255, VK_INDEX_TYPE_UINT8_EXT);
}

SCENARIO(index_buffer_null, .features = &maintenance6, .extensions = {"VK_KHR_maintenance6"})
{
    vkCmdBindIndexBuffer(make_recording(b), VK_NULL_HANDLE, 0, VK_INDEX_TYPE_UINT32);
}

#define INDEX(id_) "vkCmdBindIndexBuffer-" id_
MISTAKE(index_buffer_offset, INDEX("offset-08782"),
        vkCmdBindIndexBuffer(c, index_buffer(b), 256, VK_INDEX_TYPE_UINT16),
        .text = {"offset is 256, but the buffer has 256 bytes"})
MISTAKE(index_buffer_alignment, INDEX("offset-08783"),
        vkCmdBindIndexBuffer(c, index_buffer(b), 2, VK_INDEX_TYPE_UINT32))
MISTAKE(index_buffer_usage, INDEX("buffer-08784"),
        vkCmdBindIndexBuffer(c, vertex_buffer(b), 0, VK_INDEX_TYPE_UINT16))
MISTAKE(index_buffer_unbound, INDEX("buffer-08785"),
        vkCmdBindIndexBuffer(c, unbound_buffer(b, VK_BUFFER_USAGE_INDEX_BUFFER_BIT), 0,
                             VK_INDEX_TYPE_UINT16))
MISTAKE(index_buffer_none, INDEX("indexType-08786"),
        vkCmdBindIndexBuffer(c, index_buffer(b), 0, VK_INDEX_TYPE_NONE_KHR), RAY_TRACING)
MISTAKE(index_buffer_bytes, INDEX("indexType-08787"),
        vkCmdBindIndexBuffer(c, index_buffer(b), 0, VK_INDEX_TYPE_UINT8_EXT),
        .extensions = {"VK_EXT_index_type_uint8"})
MISTAKE(index_buffer_null_without_feature, INDEX("None-09493"),
        vkCmdBindIndexBuffer(c, VK_NULL_HANDLE, 0, VK_INDEX_TYPE_UINT16))
MISTAKE(index_buffer_null_offset, INDEX("buffer-09494"),
        vkCmdBindIndexBuffer(c, VK_NULL_HANDLE, 4, VK_INDEX_TYPE_UINT16), .features = &maintenance6,
        .extensions = {"VK_KHR_maintenance6"})

static const VkPhysicalDeviceMaintenance5FeaturesKHR maintenance5 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES_KHR, .maintenance5 = VK_TRUE};
#define MAINTENANCE5 .features = &maintenance5, .extensions = {"VK_KHR_maintenance5"}
#define BIND2(offset_, size_)                                                    \
    DEVICE_PROC(b, vkCmdBindIndexBuffer2KHR)(c, index_buffer(b), offset_, size_, \
                                             VK_INDEX_TYPE_UINT32)

SCENARIO(index_buffer2, MAINTENANCE5)
{
    VkCommandBuffer c = make_recording(b);
    BIND2(128, 128);
    BIND2(128, VK_WHOLE_SIZE);
}

MISTAKE(index_buffer2_offset, "vkCmdBindIndexBuffer2-offset-08782", BIND2(256, VK_WHOLE_SIZE),
        MAINTENANCE5)
MISTAKE(index_buffer2_size_alignment, "vkCmdBindIndexBuffer2-size-08767", BIND2(0, 126),
        MAINTENANCE5)
MISTAKE(index_buffer2_size, "vkCmdBindIndexBuffer2-size-08768", BIND2(128, 132), MAINTENANCE5)
