/* Valid shaders of unusual kinds, each in a pipeline that a boundary, an exception in a sentence or
 * a feature makes legal. Nothing is found in any of them. The device has every feature that its
 * driver offers. */
#include "scenario.h"

#include <string.h>

#include "valid_shaders.h"

/* --- a device with all features --- */

#define FEATURE_LIST(X)                                                                        \
    X(Vulkan11Features, VULKAN_1_1_FEATURES)                                                   \
    X(Vulkan12Features, VULKAN_1_2_FEATURES)                                                   \
    X(Vulkan13Features, VULKAN_1_3_FEATURES)                                                   \
    X(Vulkan14Features, VULKAN_1_4_FEATURES)                                                   \
    X(MeshShaderFeaturesEXT, MESH_SHADER_FEATURES_EXT)                                         \
    X(FragmentShadingRateFeaturesKHR, FRAGMENT_SHADING_RATE_FEATURES_KHR)                      \
    X(FragmentShaderBarycentricFeaturesKHR, FRAGMENT_SHADER_BARYCENTRIC_FEATURES_KHR)          \
    X(FragmentShaderInterlockFeaturesEXT, FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT)              \
    X(ShaderImageAtomicInt64FeaturesEXT, SHADER_IMAGE_ATOMIC_INT64_FEATURES_EXT)               \
    X(ShaderAtomicFloatFeaturesEXT, SHADER_ATOMIC_FLOAT_FEATURES_EXT)                          \
    X(RayQueryFeaturesKHR, RAY_QUERY_FEATURES_KHR)                                             \
    X(AccelerationStructureFeaturesKHR, ACCELERATION_STRUCTURE_FEATURES_KHR)                   \
    X(WorkgroupMemoryExplicitLayoutFeaturesKHR, WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR) \
    X(ComputeShaderDerivativesFeaturesKHR, COMPUTE_SHADER_DERIVATIVES_FEATURES_KHR)            \
    X(TransformFeedbackFeaturesEXT, TRANSFORM_FEEDBACK_FEATURES_EXT)

static const char *const extensions[] = {
    "VK_EXT_mesh_shader",
    "VK_KHR_fragment_shading_rate",
    "VK_KHR_fragment_shader_barycentric",
    "VK_EXT_fragment_shader_interlock",
    "VK_EXT_shader_image_atomic_int64",
    "VK_EXT_shader_atomic_float",
    "VK_KHR_ray_query",
    "VK_KHR_acceleration_structure",
    "VK_KHR_deferred_host_operations",
    "VK_KHR_workgroup_memory_explicit_layout",
    "VK_NV_compute_shader_derivatives",
    "VK_KHR_compute_shader_derivatives",
    "VK_EXT_transform_feedback",
    "VK_EXT_shader_stencil_export",
};

static void start_valid_shaders(struct baseline *b)
{
    static const float priority = 1.0f;
#define DECLARE(Type_, TYPE_) \
    static VkPhysicalDevice##Type_ Type_ = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE_};
    FEATURE_LIST(DECLARE)
#undef DECLARE
    static VkPhysicalDeviceFeatures2 features = {.sType =
                                                     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
#define LINK(Type_, TYPE_)        \
    Type_.pNext = features.pNext; \
    features.pNext = &Type_;
    FEATURE_LIST(LINK)
#undef LINK
    vkGetPhysicalDeviceFeatures2(b->physical_device, &features);
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueFamilyIndex = b->queue_family,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = &features,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue,
                               .enabledExtensionCount = sizeof(extensions) / sizeof(*extensions),
                               .ppEnabledExtensionNames = extensions};
    VK(vkCreateDevice(b->physical_device, &info, NULL, &b->device));
    vkGetDeviceQueue(b->device, b->queue_family, 0, &b->queue);
}

/* --- a pipeline layout: one set, bindings as the types say --- */

#define NO_TYPE       VK_DESCRIPTOR_TYPE_MAX_ENUM
#define SSBO          VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
#define IMAGE         VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
#define BOTH          VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
#define BINDINGS_MOST 8u

struct shaders {
    struct code {
        const uint32_t *words;
        size_t size;
    } code[5];
    VkShaderStageFlagBits stages[5];
    struct binding {
        VkDescriptorType type;
        uint32_t count; /* 0: 1 */
    } bindings[BINDINGS_MOST];
    uint32_t binding_count;
    VkPushConstantRange push; /* size 0: none */
    VkSpecializationInfo specialization;
    /* of graphics pipelines */
    VkFormat attribute_formats[2];
    uint32_t attribute_locations[2];
    VkPrimitiveTopology topology;
    VkFormat color_formats[8];
    uint32_t color_count, view_mask;
    VkBlendFactor factor;
    VkSampleCountFlagBits samples;
    bool discard, render_pass_with_input;
};

static VkPipelineLayout make_shaders_layout(struct baseline *b, const struct shaders *s)
{
    VkDescriptorSetLayoutBinding bindings[BINDINGS_MOST];
    VkDescriptorBindingFlags flags[BINDINGS_MOST];
    VkDescriptorSetLayoutBindingFlagsCreateInfo binding_flags = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .pBindingFlags = flags};
    VkDescriptorSetLayoutCreateInfo info = {.sType =
                                                VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .pNext = &binding_flags,
                                            .pBindings = bindings};
    for (uint32_t i = 0; i < s->binding_count; i++) {
        if (s->bindings[i].type == NO_TYPE)
            continue;
        flags[info.bindingCount] = VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT;
        bindings[info.bindingCount++] = (VkDescriptorSetLayoutBinding){
            .binding = i,
            .descriptorType = s->bindings[i].type,
            .descriptorCount = s->bindings[i].count ? s->bindings[i].count : 1,
            .stageFlags = VK_SHADER_STAGE_ALL};
        if (s->bindings[i].type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT)
            bindings[info.bindingCount - 1].stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT;
        if (s->bindings[i].type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC ||
            s->bindings[i].type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC)
            flags[info.bindingCount - 1] = 0;
    }
    binding_flags.bindingCount = info.bindingCount;
    VkDescriptorSetLayout set_layout = create_descriptor_set_layout(b, &info);
    VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                         .setLayoutCount = s->binding_count ? 1 : 0,
                                         .pSetLayouts = &set_layout,
                                         .pushConstantRangeCount = s->push.size ? 1 : 0,
                                         .pPushConstantRanges = &s->push};
    return create_pipeline_layout(b, &layout);
}

static VkPipelineShaderStageCreateInfo make_stage(struct baseline *b, const struct shaders *s,
                                                  uint32_t i)
{
    VkPipelineShaderStageCreateInfo stage =
        stage_info(s->stages[i], make_shader_from(b, s->code[i].words, s->code[i].size));
    if (s->specialization.mapEntryCount)
        stage.pSpecializationInfo = &s->specialization;
    return stage;
}

static void compute_with(struct baseline *b, const struct shaders *s)
{
    start_valid_shaders(b);
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(VK_NULL_HANDLE, make_shaders_layout(b, s));
    info.stage = make_stage(b, s, 0);
    (void)create_compute_pipeline(b, &info);
}

#define CODE(name_) {spirv_##name_, sizeof(spirv_##name_)}
#define BINDINGS(...)          \
    .bindings = {__VA_ARGS__}, \
    .binding_count = sizeof((struct binding[]){__VA_ARGS__}) / sizeof(struct binding)
#define ALL .start = START_INSTANCE, .drivers = NULL_DRIVER, .api_version = VK_API_VERSION_1_4
#define COMPUTE_WITH(name_, fields_, ...)                                          \
    SCENARIO(name_, ALL, ##__VA_ARGS__)                                            \
    {                                                                              \
        compute_with(b, &(struct shaders){.code = {CODE(name_)},                   \
                                          .stages = {VK_SHADER_STAGE_COMPUTE_BIT}, \
                                          fields_});                               \
    }
#define LIST(...) __VA_ARGS__

static const uint32_t numbers[] = {16, 1, 2, 3};
static const VkSpecializationMapEntry two_entries[] = {{0, 0, 4}, {1, 0, 4}},
                                      first_entry[] = {{0, 8, 4}, {77, 0, 3}},
                                      sizes[] = {{4, 0, 4}, {5, 4, 4}, {6, 8, 4}};
#define SPECIALIZED(entries_)                                                   \
    .specialization = {.mapEntryCount = sizeof(entries_) / sizeof(*(entries_)), \
                       .pMapEntries = (entries_),                               \
                       .dataSize = sizeof(numbers),                             \
                       .pData = numbers}

COMPUTE_WITH(shared_specialized, LIST(BINDINGS({SSBO}), SPECIALIZED(two_entries)))
COMPUTE_WITH(shared_two_by_one_constant, LIST(BINDINGS({SSBO}), SPECIALIZED(two_entries)))
COMPUTE_WITH(shared_exact, BINDINGS({SSBO}),
             .null_driver = "{\"limits\": {\"maxComputeSharedMemorySize\": 32768}}")
COMPUTE_WITH(shared_laid_out_twice, BINDINGS({SSBO}),
             .null_driver = "{\"limits\": {\"maxComputeSharedMemorySize\": 32768}}")
COMPUTE_WITH(workgroup_exact, .binding_count = 0)
COMPUTE_WITH(workgroup_by_constants, LIST(BINDINGS({SSBO}), SPECIALIZED(sizes)))
COMPUTE_WITH(push_members_behind, LIST(BINDINGS({SSBO}), .push = {VK_SHADER_STAGE_ALL, 240, 16}))
COMPUTE_WITH(push_array_by_index,
             LIST(BINDINGS({SSBO}), .push = {VK_SHADER_STAGE_COMPUTE_BIT, 16, 32}))
COMPUTE_WITH(push_unused, LIST(BINDINGS({SSBO})))
COMPUTE_WITH(bindings_unused, BINDINGS({SSBO}))
COMPUTE_WITH(bindings_aliased, BINDINGS({SSBO}, {BOTH}))
COMPUTE_WITH(arrays_shorter_than_layouts, BINDINGS({SSBO, 4}, {BOTH, 9}))
COMPUTE_WITH(array_by_specialization, LIST(BINDINGS({SSBO, 2}), SPECIALIZED(first_entry)))
COMPUTE_WITH(array_without_end, BINDINGS({SSBO}, {BOTH, 1000}))
COMPUTE_WITH(dynamic_buffers, BINDINGS({VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC},
                                       {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC},
                                       {VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 48}))
COMPUTE_WITH(images_of_any_format,
             BINDINGS({IMAGE}, {IMAGE}, {IMAGE}, {VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER}))
COMPUTE_WITH(image_atomics, BINDINGS({IMAGE}, {IMAGE}, {IMAGE}))
static const struct {
    VkBool32 doubled;
    int16_t half_word;
    double precise;
    int64_t wide;
} small_values = {VK_TRUE, 7, 2.0, 9};
static const VkSpecializationMapEntry small_entries[] = {
    {0, 0, 4}, {1, 4, 2}, {2, 8, 8}, {3, 16, 8}};
COMPUTE_WITH(small_types,
             LIST(BINDINGS({SSBO}), .push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4},
                  .specialization = {4, small_entries, sizeof(small_values), &small_values}))
COMPUTE_WITH(subgroups, BINDINGS({SSBO}))
COMPUTE_WITH(memory_model, BINDINGS({SSBO}))
COMPUTE_WITH(addresses_and_atomics,
             LIST(BINDINGS({SSBO}), .push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 8}))
COMPUTE_WITH(scalar_layout, BINDINGS({SSBO}, {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER}))
COMPUTE_WITH(gathers, LIST(BINDINGS({SSBO}, {BOTH}, {BOTH}, {BOTH})))
COMPUTE_WITH(queries_of_images, BINDINGS({SSBO}, {IMAGE}, {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE},
                                         {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER}))
COMPUTE_WITH(ray_query, BINDINGS({SSBO}, {VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR}))
COMPUTE_WITH(derivatives, BINDINGS({SSBO}, {BOTH}))
COMPUTE_WITH(zero_shared, BINDINGS({SSBO}))
COMPUTE_WITH(assumes, BINDINGS({SSBO}))

/* --- graphics --- */

static VkRenderPass make_input_pass(struct baseline *b)
{
    VkAttachmentDescription attachments[2];
    VkRenderPassCreateInfo info = render_pass_info();
    attachments[0] = attachments[1] = info.pAttachments[0];
    attachments[1].initialLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    attachments[1].loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
    attachments[1].finalLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    const VkAttachmentReference input = {1, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    VkSubpassDescription subpass = info.pSubpasses[0];
    subpass.inputAttachmentCount = 1;
    subpass.pInputAttachments = &input;
    info.attachmentCount = 2;
    info.pAttachments = attachments;
    info.pSubpasses = &subpass;
    return create_render_pass(b, &info);
}

static void graphics_with(struct baseline *b, const struct shaders *s)
{
    start_valid_shaders(b);
    struct graphics_pipeline p;
    VkPipelineShaderStageCreateInfo stages[5];
    uint32_t count = 0;
    begin_graphics_pipeline(b, &p, make_shaders_layout(b, s),
                            s->render_pass_with_input ? make_input_pass(b) : VK_NULL_HANDLE);
    VkShaderStageFlags all = 0;
    for (; count < 5 && s->stages[count]; count++) {
        stages[count] = make_stage(b, s, count);
        all |= s->stages[count];
    }
    p.info.pStages = stages;
    p.info.stageCount = count;
    /* vertices */
    const VkVertexInputBindingDescription binding = {.binding = 0, .stride = 64};
    VkVertexInputAttributeDescription attributes[2];
    for (uint32_t i = 0; i < 2 && s->attribute_formats[i]; i++) {
        attributes[i] = (VkVertexInputAttributeDescription){.location = s->attribute_locations[i],
                                                            .format = s->attribute_formats[i]};
        p.vertex_input.vertexAttributeDescriptionCount = i + 1;
        p.vertex_input.vertexBindingDescriptionCount = 1;
    }
    p.vertex_input.pVertexBindingDescriptions = &binding;
    p.vertex_input.pVertexAttributeDescriptions = attributes;
    p.input_assembly.topology = s->topology;
    const VkPipelineTessellationStateCreateInfo tessellation = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
        .patchControlPoints = 32};
    if (all & VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT)
        p.info.pTessellationState = &tessellation;
    if (all & VK_SHADER_STAGE_MESH_BIT_EXT)
        p.info.pVertexInputState = NULL, p.info.pInputAssemblyState = NULL;
    /* attachments */
    const uint32_t colors = s->color_count ? s->color_count : 1;
    VkPipelineColorBlendAttachmentState blends[8];
    VkPipelineRenderingCreateInfo rendering = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                               .viewMask = s->view_mask,
                                               .colorAttachmentCount = colors,
                                               .pColorAttachmentFormats = s->color_formats};
    struct shaders with_formats = *s;
    if (!s->color_count)
        with_formats.color_formats[0] = COLOR_FORMAT;
    rendering.pColorAttachmentFormats = with_formats.color_formats;
    for (uint32_t i = 0; i < colors; i++) {
        blends[i] = p.blend_attachment;
        if (s->factor) {
            blends[i].blendEnable = VK_TRUE;
            blends[i].srcColorBlendFactor = s->factor;
        }
    }
    p.color_blend.attachmentCount = colors;
    p.color_blend.pAttachments = blends;
    if (!s->render_pass_with_input)
        p.info.pNext = &rendering;
    if (s->samples)
        p.multisample.rasterizationSamples = s->samples;
    p.rasterization.rasterizerDiscardEnable = s->discard;
    (void)create_graphics_pipeline(b, &p.info);
}

#define V         VK_SHADER_STAGE_VERTEX_BIT
#define F         VK_SHADER_STAGE_FRAGMENT_BIT
#define TRIANGLES .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST
#define DRAW(name_, vertex_, fragment_, ...)                                         \
    SCENARIO(name_, ALL)                                                             \
    {                                                                                \
        graphics_with(b, &(struct shaders){.code = {CODE(vertex_), CODE(fragment_)}, \
                                           .stages = {V, F},                         \
                                           TRIANGLES,                                \
                                           ##__VA_ARGS__});                          \
    }
#define STAGES(name_, ...)                                \
    SCENARIO(name_, ALL)                                  \
    {                                                     \
        graphics_with(b, &(struct shaders){__VA_ARGS__}); \
    }

STAGES(vertices_alone, .code = {CODE(plain)}, .stages = {V}, TRIANGLES, .discard = true)
STAGES(vertices_without_fragments, .code = {CODE(plain)}, .stages = {V}, TRIANGLES)
DRAW(last_locations, last_locations, last_locations_in,
     .attribute_formats = {VK_FORMAT_R8G8_SNORM, VK_FORMAT_R8G8B8A8_SINT},
     .attribute_locations = {31, 30}, .color_formats = {0, 0, 0, 0, 0, 0, 0, COLOR_FORMAT},
     .color_count = 8)
DRAW(members_of_blocks, blocks_out, members_in)
DRAW(doubles, doubles_out, doubles_in,
     .attribute_formats = {VK_FORMAT_R64G64B64A64_SFLOAT, VK_FORMAT_R64G64_SFLOAT},
     .attribute_locations = {0, 2})
DRAW(draw_parameters, draw_parameters, writes_nothing, .view_mask = 5)
DRAW(reads_buffers, reads_buffers, writes_nothing, BINDINGS({SSBO}, {SSBO}, {IMAGE}))
DRAW(layer_and_viewport, layer_and_viewport, layer_and_viewport_in)
DRAW(shading_rate, shading_rate, shading_rate_in)
DRAW(writes_more_than_there_is, plain, writes_more_than_there_is)
DRAW(writes_to_unused_attachments, plain, writes_more_than_there_is,
     .color_formats = {COLOR_FORMAT, VK_FORMAT_UNDEFINED, COLOR_FORMAT,
                       VK_FORMAT_R32G32B32A32_UINT},
     .color_count = 4)
DRAW(writes_parts, plain, writes_parts)
DRAW(writes_two_sources, plain, writes_two_sources, .factor = VK_BLEND_FACTOR_SRC1_COLOR)
DRAW(writes_integers, plain, writes_integers, .color_formats = {VK_FORMAT_R16G16_SINT},
     .color_count = 1)
DRAW(depth_and_mask, plain, depth_and_mask)
DRAW(depth_and_mask_of_samples, plain, depth_and_mask, .samples = VK_SAMPLE_COUNT_8_BIT)
DRAW(stencil_written, plain, stencil_written)
DRAW(interpolates, interpolated_out, interpolates)
DRAW(barycentric, one_color, barycentric)
DRAW(interlocked, plain, interlocked, BINDINGS({IMAGE}))
DRAW(demotes, plain, demotes)
DRAW(inputs, plain, inputs, BINDINGS({VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT}),
     .render_pass_with_input = true)
DRAW(captures, captures, color_in)
#define G VK_SHADER_STAGE_GEOMETRY_BIT
STAGES(passes_points, .code = {CODE(one_color), CODE(passes_points), CODE(color_in)},
       .stages = {V, G, F}, .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST)
STAGES(streams, .code = {CODE(one_color), CODE(streams)}, .stages = {V, G},
       .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST, .discard = true)
STAGES(adjacent, .code = {CODE(one_color), CODE(adjacent), CODE(color_in)}, .stages = {V, G, F},
       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY)
#define CONTROL    VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT
#define EVALUATION VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT
STAGES(patches, .code = {CODE(one_color), CODE(patches), CODE(patches_in), CODE(color_in)},
       .stages = {V, CONTROL, EVALUATION, F}, .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST)
STAGES(patches_to_points,
       .code = {CODE(one_color), CODE(patches), CODE(patches_in), CODE(passes_points),
                CODE(color_in)},
       .stages = {V, CONTROL, EVALUATION, G, F}, .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST)
#define TASK VK_SHADER_STAGE_TASK_BIT_EXT
#define MESH VK_SHADER_STAGE_MESH_BIT_EXT
STAGES(meshes, .code = {CODE(task), CODE(mesh), CODE(mesh_in)}, .stages = {TASK, MESH, F})
STAGES(mesh_alone, .code = {CODE(mesh_alone), CODE(color_in)}, .stages = {MESH, F})
