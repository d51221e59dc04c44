/* Makes, binds and runs the pipeline with an array of descriptors, whatever the array is of and
 * whichever stage reads it. */
#include "gpu/gpu_world.h"

#include <string.h>

#include "raytracing/acceleration_structure_builder.h"
#include "gpu_descriptors.h"

static const VkDescriptorType types[] = {
#define X(name_, type_, access_) VK_DESCRIPTOR_TYPE_##type_,
    GPU_KINDS_X(X)
#undef X
};

static const VkShaderStageFlagBits bits[] = {
#define X(name_, bit_, command_, text_) VK_SHADER_STAGE_##bit_,
    GPU_STAGES_X(X)
#undef X
};

#define CODE(words_) {(words_), sizeof(words_)}
static const struct gpu_code plain[] = {
#define X(name_, bit_, command_, text_) CODE(spirv_plain_##name_),
    GPU_STAGES_X(X)
#undef X
};
static const struct gpu_code codes[][GPU_STAGES] = {
#define X(kind_, type_, access_)                                                            \
    {CODE(spirv_##kind_##_vert),  CODE(spirv_##kind_##_tesc),  CODE(spirv_##kind_##_tese),  \
     CODE(spirv_##kind_##_geom),  CODE(spirv_##kind_##_frag),  CODE(spirv_##kind_##_comp),  \
     CODE(spirv_##kind_##_task),  CODE(spirv_##kind_##_mesh),  CODE(spirv_##kind_##_rgen),  \
     CODE(spirv_##kind_##_rahit), CODE(spirv_##kind_##_rchit), CODE(spirv_##kind_##_rmiss), \
     CODE(spirv_##kind_##_rint),  CODE(spirv_##kind_##_rcall)},
    GPU_KINDS_X(X)
#undef X
};
static const struct gpu_code runtime_codes[][2] = {
#define X(kind_, type_, access_) \
    {CODE(spirv_##kind_##_runtime_frag), CODE(spirv_##kind_##_runtime_comp)},
    GPU_KINDS_X(X)
#undef X
};

static const struct gpu_code constant_codes[][3] = {
#define X(kind_, type_, access_)                                               \
    {CODE(spirv_##kind_##_constant_frag), CODE(spirv_##kind_##_constant_comp), \
     CODE(spirv_##kind_##_constant_rgen)},
    GPU_KINDS_X(X)
#undef X
};

static const struct gpu_code access_codes[][GPU_STAGES] = {{
#define X(name_, bit_, command_, text_) CODE(spirv_storage_word_##name_),
                                                               GPU_STAGES_X(X)
#undef X
                                                           },
                                                           {
#define X(name_, bit_, command_, text_) CODE(spirv_uniform_vector_##name_),
                                                               GPU_STAGES_X(X)
#undef X
                                                           },
                                                           {
#define X(name_, bit_, command_, text_) CODE(spirv_address_word_##name_),
                                                               GPU_STAGES_X(X)
#undef X
                                                           }};

/* --- devices --- */

static const VkPhysicalDeviceVulkan13Features features13 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .synchronization2 = VK_TRUE,
    .dynamicRendering = VK_TRUE,
    .maintenance4 = VK_TRUE};
#define FEATURES12(next_)                                            \
    {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, \
     .pNext = (void *)(next_),                                       \
     .drawIndirectCount = VK_TRUE,                                   \
     .descriptorIndexing = VK_TRUE,                                  \
     .shaderInputAttachmentArrayDynamicIndexing = VK_TRUE,           \
     .shaderUniformTexelBufferArrayDynamicIndexing = VK_TRUE,        \
     .shaderStorageTexelBufferArrayDynamicIndexing = VK_TRUE,        \
     .shaderUniformBufferArrayNonUniformIndexing = VK_TRUE,          \
     .shaderSampledImageArrayNonUniformIndexing = VK_TRUE,           \
     .shaderStorageBufferArrayNonUniformIndexing = VK_TRUE,          \
     .shaderStorageImageArrayNonUniformIndexing = VK_TRUE,           \
     .descriptorBindingUniformBufferUpdateAfterBind = VK_TRUE,       \
     .descriptorBindingSampledImageUpdateAfterBind = VK_TRUE,        \
     .descriptorBindingStorageImageUpdateAfterBind = VK_TRUE,        \
     .descriptorBindingStorageBufferUpdateAfterBind = VK_TRUE,       \
     .descriptorBindingUniformTexelBufferUpdateAfterBind = VK_TRUE,  \
     .descriptorBindingStorageTexelBufferUpdateAfterBind = VK_TRUE,  \
     .descriptorBindingUpdateUnusedWhilePending = VK_TRUE,           \
     .descriptorBindingPartiallyBound = VK_TRUE,                     \
     .descriptorBindingVariableDescriptorCount = VK_TRUE,            \
     .runtimeDescriptorArray = VK_TRUE,                              \
     .scalarBlockLayout = VK_TRUE,                                   \
     .timelineSemaphore = VK_TRUE,                                   \
     .bufferDeviceAddress = VK_TRUE}
#define FEATURES2(next_)                                                                 \
    {                                                                                    \
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = (void *)(next_), \
        .features = {                                                                    \
            .geometryShader = VK_TRUE,                                                   \
            .tessellationShader = VK_TRUE,                                               \
            .multiDrawIndirect = VK_TRUE,                                                \
            .vertexPipelineStoresAndAtomics = VK_TRUE,                                   \
            .fragmentStoresAndAtomics = VK_TRUE,                                         \
            .shaderUniformBufferArrayDynamicIndexing = VK_TRUE,                          \
            .shaderSampledImageArrayDynamicIndexing = VK_TRUE,                           \
            .shaderStorageBufferArrayDynamicIndexing = VK_TRUE,                          \
            .shaderStorageImageArrayDynamicIndexing = VK_TRUE,                           \
            .shaderInt64 = VK_TRUE                                                       \
        }                                                                                \
    }

static const VkPhysicalDeviceVulkan12Features features12 = FEATURES12(&features13);
const VkPhysicalDeviceFeatures2 gpu_features_plain = FEATURES2(&features12);

static const VkPhysicalDeviceMeshShaderFeaturesEXT mesh_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
    .pNext = (void *)&features12,
    .taskShader = VK_TRUE,
    .meshShader = VK_TRUE};
const VkPhysicalDeviceFeatures2 gpu_features_mesh = FEATURES2(&mesh_features);

static const VkPhysicalDeviceRayTracingPipelineFeaturesKHR ray_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR,
    .pNext = (void *)&features12,
    .rayTracingPipeline = VK_TRUE};
static const VkPhysicalDeviceRayQueryFeaturesKHR query_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_QUERY_FEATURES_KHR,
    .pNext = (void *)&ray_features,
    .rayQuery = VK_TRUE};
static const VkPhysicalDeviceAccelerationStructureFeaturesKHR structure_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
    .pNext = (void *)&query_features,
    .accelerationStructure = VK_TRUE};
const VkPhysicalDeviceFeatures2 gpu_features_ray = FEATURES2(&structure_features);

/* --- small things --- */

static bool is_ray(enum gpu_stage stage)
{
    return stage >= gpu_stage_rgen;
}

void gpu_fill(struct baseline *b, VkBuffer buffer, VkDeviceSize offset, const void *data,
              size_t size)
{
    char *memory = NULL;
    VK(vkMapMemory(b->device, buffer_memory(b, buffer), 0, VK_WHOLE_SIZE, 0, (void **)&memory));
    memcpy(memory + offset, data, size);
    vkUnmapMemory(b->device, buffer_memory(b, buffer));
}

void gpu_read(struct baseline *b, VkBuffer buffer, VkDeviceSize offset, void *data, size_t size)
{
    char *memory = NULL;
    VK(vkMapMemory(b->device, buffer_memory(b, buffer), 0, VK_WHOLE_SIZE, 0, (void **)&memory));
    memcpy(data, memory + offset, size);
    vkUnmapMemory(b->device, buffer_memory(b, buffer));
}

void gpu_name(struct baseline *b, VkObjectType type, uint64_t handle, const char *name)
{
    const VkDebugUtilsObjectNameInfoEXT info = name_info(type, handle, name);
    VK(INSTANCE_PROC(b, vkSetDebugUtilsObjectNameEXT)(b->device, &info));
}

struct gpu_code gpu_plain_code(enum gpu_stage stage)
{
    return plain[stage];
}

struct gpu_code gpu_runtime_code(enum gpu_kind kind, enum gpu_stage stage)
{
    ENSURE(stage == gpu_stage_frag || stage == gpu_stage_comp);
    return runtime_codes[kind][stage == gpu_stage_comp];
}

struct gpu_code gpu_constant_code(enum gpu_kind kind, enum gpu_stage stage)
{
    ENSURE(stage == gpu_stage_frag || stage == gpu_stage_comp || stage == gpu_stage_rgen);
    return constant_codes[kind][stage == gpu_stage_frag ? 0 : stage == gpu_stage_comp ? 1 : 2];
}

struct gpu_code gpu_certain_code(void)
{
    return GPU_CODE(spirv_sampled_certain_comp);
}

struct gpu_code gpu_access_code(enum gpu_access access, enum gpu_stage stage)
{
    return access_codes[access][stage];
}

struct gpu gpu_of(struct baseline *b, enum gpu_kind kind, enum gpu_stage stage)
{
    VkPipelineBindPoint bind_point = stage == gpu_stage_comp ? VK_PIPELINE_BIND_POINT_COMPUTE
                                     : is_ray(stage) ? VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR
                                                     : VK_PIPELINE_BIND_POINT_GRAPHICS;
    return (struct gpu){.b = b,
                        .kind = kind,
                        .stage = stage,
                        .code = codes[kind][stage],
                        .fragment = plain[gpu_stage_frag],
                        .count = GPU_LENGTH,
                        .hole = GPU_NO_HOLE,
                        .odd = GPU_NO_HOLE,
                        .range = 64,
                        .bind_point = bind_point};
}

/* --- resources, set --- */

static void make_resource(struct gpu *g, struct gpu_resource *resource)
{
    struct baseline *b = g->b;
    VkImageCreateInfo image = image_info(VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT |
                                         VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    resource->image = make_image_of(b, &image);
    VkImageViewCreateInfo view = image_view_info(resource->image);
    resource->view = create_image_view(b, &view);
    resource->sampler = make_sampler(b);
    resource->buffer =
        make_buffer(b, 256,
                    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
                        VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT |
                        VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);
    VkBufferViewCreateInfo texels = buffer_view_info(resource->buffer);
    resource->buffer_view = create_buffer_view(b, &texels);
    ENSURE(resource->view && resource->buffer_view);
}

void gpu_make_resources(struct gpu *g)
{
    make_resource(g, &g->common);
    make_resource(g, &g->own);
    g->result = make_buffer(g->b, 256,
                            VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
}

static VkDescriptorType beside_type(const struct gpu *g)
{
    return g->kind == gpu_kind_sampler ? VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE
                                       : VK_DESCRIPTOR_TYPE_SAMPLER;
}

static VkDescriptorType array_type(const struct gpu *g)
{
    return g->is_mutable ? VK_DESCRIPTOR_TYPE_MUTABLE_EXT : types[g->kind];
}

/* After the array stands one of the same type that shaders do not use: what is read past the
 * array's end is not garbage. */
static uint32_t binding_count(const struct gpu *g)
{
    return g->allocated ? 3 : 4;
}

void gpu_make_layout(struct gpu *g)
{
    struct baseline *b = g->b;
    const VkShaderStageFlags stages = (VkShaderStageFlags)bits[g->stage] | g->also;
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, stages, NULL},
        {1, beside_type(g), 1, stages, NULL},
        {2, array_type(g), g->count, stages, NULL},
        {3, array_type(g), GPU_LENGTH, stages, NULL},
    };
    const VkMutableDescriptorTypeListEXT all = {GPU_KINDS, types}, lists[4] = {{0}, {0}, all, all};
    const VkMutableDescriptorTypeCreateInfoEXT mutables = {
        .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
        .mutableDescriptorTypeListCount = binding_count(g),
        .pMutableDescriptorTypeLists = lists};
    const VkDescriptorBindingFlags flags[4] = {
        0, 0, g->flags | (g->allocated ? VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT : 0u),
        0};
    const VkDescriptorSetLayoutBindingFlagsCreateInfo binding_flags = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .pNext = g->is_mutable ? &mutables : NULL,
        .bindingCount = binding_count(g),
        .pBindingFlags = flags};
    VkDescriptorSetLayoutCreateInfo info = descriptor_set_layout_info();
    info.pNext = g->flags || g->allocated || g->is_mutable ? &binding_flags : NULL;
    info.flags = g->layout_flags;
    if (g->flags & VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT)
        info.flags |= VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT;
    info.bindingCount = binding_count(g);
    info.pBindings = bindings;
    g->set_layouts[0] = create_descriptor_set_layout(b, &info);
    if (is_ray(g->stage)) {
        const VkDescriptorSetLayoutBinding scene = {0,
                                                    VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR,
                                                    1, VK_SHADER_STAGE_RAYGEN_BIT_KHR, NULL};
        info = descriptor_set_layout_info();
        info.bindingCount = 1;
        info.pBindings = &scene;
        g->set_layouts[1] = create_descriptor_set_layout(b, &info);
    }
    VkPipelineLayoutCreateInfo layout = pipeline_layout_info(g->set_layouts);
    layout.setLayoutCount = is_ray(g->stage) ? 2 : 1;
    g->layout = create_pipeline_layout(b, &layout);
    ENSURE(g->set_layouts[0] && g->layout);
}

static void write_one(struct gpu *g, uint32_t binding, uint32_t element, VkDescriptorType type,
                      const struct gpu_resource *resource)
{
    const VkDescriptorImageInfo image = {resource->sampler, resource->view,
                                         VK_IMAGE_LAYOUT_GENERAL};
    const VkDescriptorBufferInfo buffer = {resource->buffer, 0,
                                           binding == 0 ? VK_WHOLE_SIZE : g->range};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = g->sets[0],
                                        .dstBinding = binding,
                                        .dstArrayElement = element,
                                        .descriptorCount = 1,
                                        .descriptorType = type,
                                        .pImageInfo = &image,
                                        .pBufferInfo = &buffer,
                                        .pTexelBufferView = &resource->buffer_view};
    vkUpdateDescriptorSets(g->b->device, 1, &write, 0, NULL);
}

void gpu_write(struct gpu *g, uint32_t element, const struct gpu_resource *resource)
{
    gpu_write_as(g, element, g->kind, resource);
}

void gpu_write_as(struct gpu *g, uint32_t element, enum gpu_kind kind,
                  const struct gpu_resource *resource)
{
    write_one(g, 2, element, types[kind], resource);
}

static VkDescriptorSet allocate_gpu_set(struct gpu *g, VkDescriptorSetLayout layout,
                                        uint32_t variable)
{
    const VkDescriptorSetVariableDescriptorCountAllocateInfo counts = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO,
        .descriptorSetCount = 1,
        .pDescriptorCounts = &variable};
    const VkDescriptorSetAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .pNext = variable ? &counts : NULL,
                                              .descriptorPool = g->pool,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &layout};
    VkDescriptorSet set = VK_NULL_HANDLE;
    VK(vkAllocateDescriptorSets(g->b->device, &info, &set));
    return set;
}

/* A structure of one instance of one triangle, or one box, where rays that look along z hit it. */
static VkAccelerationStructureKHR make_gpu_scene(struct gpu *g)
{
    struct baseline *b = g->b;
    struct structure_build bottom, top;
    const float triangle[] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, box[] = {0, 0, 0, 1, 1, 1};
    if (g->stage == gpu_stage_rint)
        fill_boxes(b, &bottom);
    else
        fill_triangles(b, &bottom);
    gpu_fill(b, bottom.input, 0, g->stage == gpu_stage_rint ? box : triangle,
             g->stage == gpu_stage_rint ? sizeof(box) : sizeof(triangle));
    fill_instances(b, &top);
    top.ranges[0].primitiveCount = 1;
    const VkAccelerationStructureDeviceAddressInfoKHR where = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR,
        .accelerationStructure = bottom.info.dstAccelerationStructure};
    const VkAccelerationStructureInstanceKHR instance = {
        .transform = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
        .mask = 0xff,
        .accelerationStructureReference =
            DEVICE_PROC(b, vkGetAccelerationStructureDeviceAddressKHR)(b->device, &where)};
    gpu_fill(b, top.input, 0, &instance, sizeof(instance));
    top.info.scratchData.deviceAddress = make_scratch(b, 65536);
    const VkMemoryBarrier built = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                   .srcAccessMask = VK_ACCESS_ACCELERATION_STRUCTURE_WRITE_BIT_KHR,
                                   .dstAccessMask = VK_ACCESS_ACCELERATION_STRUCTURE_READ_BIT_KHR};
    VkCommandBuffer commands = make_recording(b);
    record_build(b, commands, &bottom);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR,
                         VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR, 0, 1, &built, 0,
                         NULL, 0, NULL);
    record_build(b, commands, &top);
    run_commands(b, commands);
    return top.info.dstAccelerationStructure;
}

static void make_scene_set(struct gpu *g)
{
    const VkAccelerationStructureKHR scene = make_gpu_scene(g);
    const VkWriteDescriptorSetAccelerationStructureKHR chained = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR,
        .accelerationStructureCount = 1,
        .pAccelerationStructures = &scene};
    g->sets[1] = allocate_gpu_set(g, g->set_layouts[1], 0);
    VkWriteDescriptorSet write = write_buffer(g->sets[1], NULL);
    write.pNext = &chained;
    write.descriptorType = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR;
    vkUpdateDescriptorSets(g->b->device, 1, &write, 0, NULL);
}

void gpu_make_set(struct gpu *g)
{
    const VkDescriptorPoolSize sizes[] = {{array_type(g), 64},
                                          {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 8},
                                          {VK_DESCRIPTOR_TYPE_SAMPLER, 8},
                                          {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 8},
                                          {VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, 1}};
    VkDescriptorPoolCreateInfo info = descriptor_pool_info();
    if (g->flags & VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT)
        info.flags |= VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT;
    info.poolSizeCount = is_ray(g->stage) ? 5 : 4;
    info.pPoolSizes = sizes;
    g->pool = create_descriptor_pool(g->b, &info);
    g->sets[0] = allocate_gpu_set(g, g->set_layouts[0], g->allocated);
    struct gpu_resource result = {.buffer = g->result};
    write_one(g, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &result);
    write_one(g, 1, 0, beside_type(g), &g->common);
    for (uint32_t i = 0; i < (g->allocated ? g->allocated : g->count); i++) {
        if (i != g->hole)
            gpu_write(g, i, i == g->odd ? &g->own : &g->common);
    }
    for (uint32_t i = 0; i < GPU_LENGTH && !g->allocated; i++)
        write_one(g, 3, i, types[g->kind], &g->common);
    if (is_ray(g->stage))
        make_scene_set(g);
}

/* --- pipelines --- */

static VkPipelineShaderStageCreateInfo make_stage(struct gpu *g, enum gpu_stage stage)
{
    struct gpu_code code = stage == g->stage         ? g->code
                           : g->instead[stage].words ? g->instead[stage]
                           : stage == gpu_stage_frag ? g->fragment
                                                     : plain[stage];
    VkPipelineShaderStageCreateInfo info =
        stage_info(bits[stage], make_shader_from(g->b, code.words, code.size));
    info.pNext = stage == g->stage ? g->stage_next : NULL;
    return info;
}

VkPipeline gpu_compute_pipeline(struct baseline *b, struct gpu_code code, VkPipelineLayout layout)
{
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_from(b, code.words, code.size), layout);
    VkPipeline pipeline = create_compute_pipeline(b, &info);
    ENSURE(pipeline);
    return pipeline;
}

static void make_compute_pipeline_of(struct gpu *g)
{
    VkComputePipelineCreateInfo info = compute_pipeline_info(VK_NULL_HANDLE, g->layout);
    info.stage = make_stage(g, gpu_stage_comp);
    info.flags = g->pipeline_flags;
    info.pNext = g->pipeline_next;
    g->pipeline = create_compute_pipeline(g->b, &info);
}

static void make_graphics_pipeline_of(struct gpu *g)
{
    bool mesh = g->stage == gpu_stage_task || g->stage == gpu_stage_mesh;
    bool patches = g->stage == gpu_stage_tesc || g->stage == gpu_stage_tese;
    VkPipelineShaderStageCreateInfo stages[5];
    uint32_t count = 0;
    if (g->stage == gpu_stage_task)
        stages[count++] = make_stage(g, gpu_stage_task);
    stages[count++] = make_stage(g, mesh ? gpu_stage_mesh : gpu_stage_vert);
    if (patches) {
        stages[count++] = make_stage(g, gpu_stage_tesc);
        stages[count++] = make_stage(g, gpu_stage_tese);
    }
    if (g->stage == gpu_stage_geom)
        stages[count++] = make_stage(g, gpu_stage_geom);
    stages[count++] = make_stage(g, gpu_stage_frag);
    g->render_pass = make_render_pass(g->b);
    g->framebuffer = make_framebuffer(g->b, g->render_pass, make_image_view(g->b));
    struct graphics_pipeline pipeline;
    graphics_pipeline_fill(&pipeline, VK_NULL_HANDLE, VK_NULL_HANDLE, g->layout, g->render_pass);
    const VkPipelineTessellationStateCreateInfo tessellation = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
        .patchControlPoints = 3};
    pipeline.info.pStages = stages;
    pipeline.info.stageCount = count;
    pipeline.info.flags = g->pipeline_flags;
    pipeline.info.pNext = g->pipeline_next;
    if (patches) {
        pipeline.info.pTessellationState = &tessellation;
        pipeline.input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    }
    g->pipeline = create_graphics_pipeline(g->b, &pipeline.info);
}

static void make_tables(struct gpu *g)
{
    struct baseline *b = g->b;
    VkPhysicalDeviceRayTracingPipelinePropertiesKHR rays = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &rays};
    vkGetPhysicalDeviceProperties2(b->physical_device, &properties);
    uint32_t base = rays.shaderGroupBaseAlignment, handle = rays.shaderGroupHandleSize;
    uint8_t handles[256];
    ENSURE(4 * handle <= sizeof(handles) && base >= handle);
    VK(DEVICE_PROC(b, vkGetRayTracingShaderGroupHandlesKHR)(b->device, g->pipeline, 0, 4,
                                                            4 * handle, handles));
    VkBuffer table = make_buffer(b, 5 * base,
                                 VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR |
                                     VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    VkDeviceAddress start = (address_of(b, table) + base - 1) / base * base;
    for (uint32_t i = 0; i < 4; i++) {
        gpu_fill(b, table, start - address_of(b, table) + i * base, handles + i * handle, handle);
        g->tables[i] = (VkStridedDeviceAddressRegionKHR){start + i * base, base, base};
    }
}

static void make_ray_pipeline_of(struct gpu *g)
{
    struct baseline *b = g->b;
    const bool box = g->stage == gpu_stage_rint;
    const VkPipelineShaderStageCreateInfo stages[] = {
        make_stage(g, gpu_stage_rgen),  make_stage(g, gpu_stage_rmiss),
        make_stage(g, gpu_stage_rchit), make_stage(g, gpu_stage_rahit),
        make_stage(g, gpu_stage_rcall), make_stage(g, gpu_stage_rint)};
    const uint32_t general[] = {0, 1, VK_SHADER_UNUSED_KHR, 4};
    VkRayTracingShaderGroupCreateInfoKHR groups[4];
    for (uint32_t i = 0; i < 4; i++)
        groups[i] = (VkRayTracingShaderGroupCreateInfoKHR){
            .sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
            .type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
            .generalShader = general[i],
            .closestHitShader = VK_SHADER_UNUSED_KHR,
            .anyHitShader = VK_SHADER_UNUSED_KHR,
            .intersectionShader = VK_SHADER_UNUSED_KHR};
    groups[2].type = box ? VK_RAY_TRACING_SHADER_GROUP_TYPE_PROCEDURAL_HIT_GROUP_KHR
                         : VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR;
    groups[2].closestHitShader = 2;
    groups[2].anyHitShader = 3;
    groups[2].intersectionShader = box ? 5 : VK_SHADER_UNUSED_KHR;
    VkRayTracingPipelineCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
        .pNext = g->pipeline_next,
        .flags = g->pipeline_flags,
        .stageCount = box ? 6 : 5,
        .pStages = stages,
        .groupCount = 4,
        .pGroups = groups,
        .maxPipelineRayRecursionDepth = 1,
        .layout = g->layout,
        .basePipelineIndex = -1};
    VK(DEVICE_PROC(b, vkCreateRayTracingPipelinesKHR)(b->device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1,
                                                      &info, NULL, &g->pipeline));
    cleanup_add(b, destroy_pipeline, HANDLE(g->pipeline));
    make_tables(g);
}

void gpu_make_pipeline(struct gpu *g)
{
    if (g->bind_point == VK_PIPELINE_BIND_POINT_COMPUTE)
        make_compute_pipeline_of(g);
    else if (g->bind_point == VK_PIPELINE_BIND_POINT_GRAPHICS)
        make_graphics_pipeline_of(g);
    else
        make_ray_pipeline_of(g);
    ENSURE(g->pipeline);
}

void gpu_make(struct gpu *g)
{
    gpu_make_resources(g);
    gpu_make_layout(g);
    gpu_make_set(g);
    gpu_make_pipeline(g);
}

/* --- commands --- */

void gpu_prepare(struct gpu *g)
{
    const VkImageMemoryBarrier barriers[] = {
        image_barrier(g->common.image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL),
        image_barrier(g->own.image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL)};
    VkCommandBuffer commands = make_recording(g->b);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 2, barriers);
    run_commands(g->b, commands);
}

void gpu_begin(struct gpu *g)
{
    if (!g->commands) {
        g->commands = make_recording(g->b);
        return;
    }
    const VkCommandBufferBeginInfo info = begin_info();
    VK(vkBeginCommandBuffer(g->commands, &info));
}

void gpu_bind(struct gpu *g)
{
    vkCmdBindPipeline(g->commands, g->bind_point, g->pipeline);
    vkCmdBindDescriptorSets(g->commands, g->bind_point, g->layout, 0, is_ray(g->stage) ? 2 : 1,
                            g->sets, 0, NULL);
}

void gpu_push(struct gpu *g)
{
    const uint32_t pushed[4] = {g->index, g->other, (uint32_t)g->address,
                                (uint32_t)(g->address >> 32)};
    vkCmdPushConstants(g->commands, g->layout, VK_SHADER_STAGE_ALL, 0, sizeof(pushed), pushed);
}

void gpu_begin_pass(struct gpu *g, VkSubpassContents contents)
{
    const VkRenderPassBeginInfo info = render_pass_begin_info(g->render_pass, g->framebuffer);
    vkCmdBeginRenderPass(g->commands, &info, contents);
}

void gpu_act(struct gpu *g)
{
    if (g->bind_point == VK_PIPELINE_BIND_POINT_COMPUTE) {
        vkCmdDispatch(g->commands, 2, 1, 1);
        return;
    }
    if (is_ray(g->stage)) {
        DEVICE_PROC(g->b, vkCmdTraceRaysKHR)
        (g->commands, &g->tables[0], &g->tables[1], &g->tables[2], &g->tables[3], 2, 1, 1);
        return;
    }
    gpu_begin_pass(g, VK_SUBPASS_CONTENTS_INLINE);
    if (g->stage == gpu_stage_task || g->stage == gpu_stage_mesh)
        DEVICE_PROC(g->b, vkCmdDrawMeshTasksEXT)(g->commands, 1, 1, 1);
    else
        vkCmdDraw(g->commands, 3, 1, 0, 0);
    vkCmdEndRenderPass(g->commands);
}

void gpu_submit(struct gpu *g)
{
    run_commands(g->b, g->commands);
}

void gpu_record(struct gpu *g)
{
    gpu_begin(g);
    gpu_bind(g);
    gpu_push(g);
    gpu_act(g);
}

void gpu_run(struct gpu *g)
{
    gpu_prepare(g);
    gpu_record(g);
    gpu_submit(g);
}

/* --- information --- */

static const char *listened_for;
static unsigned heard;

static VKAPI_ATTR VkBool32 VKAPI_CALL
on_information(VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT of,
               const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
    heard += strstr(data->pMessage, listened_for) != NULL;
    return VK_FALSE;
}

static void destroy_listener(struct baseline *b, uint64_t handle)
{
    INSTANCE_PROC(b, vkDestroyDebugUtilsMessengerEXT)(b->instance,
                                                      (VkDebugUtilsMessengerEXT)(uintptr_t)handle,
                                                      NULL);
}

void gpu_listen(struct baseline *b, const char *part)
{
    const VkDebugUtilsMessengerCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_information};
    VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
    listened_for = part;
    VK(INSTANCE_PROC(b, vkCreateDebugUtilsMessengerEXT)(b->instance, &info, NULL, &messenger));
    cleanup_add(b, destroy_listener, HANDLE(messenger));
}

unsigned gpu_heard(void)
{
    return heard;
}
