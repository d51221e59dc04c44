/* Elements of arrays of descriptors that a constant chooses. In a plain binding they are looked at
 * when the command is recorded, and the shader does not look at them again. */
#include "gpu/gpu_world.h"

#define PARTIAL VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT
#define SAFE    GPU_SETTINGS("gpuav_safe_mode=true"), .features = &gpu_features_plain

#define ELEMENT "whose binding 2, element 2 (\"things\" in the shader of VK_SHADER_STAGE_"
/* The commands that are wrong do not run. */
#define RECORDED                                            \
    .drivers = LAVAPIPE, .settings = {"gpuav_enable=true"}, \
    .allow = {"VALIDATION-SETTINGS", "WARNING-Setting-Limit-Adjusted"}
#define RECORDED_PLAIN RECORDED, .features = &gpu_features_plain
#define RECORDED_RAYS  RECORDED, .features = &gpu_features_ray, .extensions = {GPU_RAY_EXTENSIONS}

/* Element `hole` is not written, and the shader reads element 2. */
static struct gpu with_hole(struct baseline *b, enum gpu_kind kind, enum gpu_stage stage,
                            VkDescriptorBindingFlags flags, uint32_t hole)
{
    struct gpu g = gpu_of(b, kind, stage);
    g.code = gpu_constant_code(kind, stage);
    g.flags = flags;
    g.hole = hole;
    gpu_make(&g);
    return g;
}

static void record_hole(struct baseline *b, enum gpu_kind kind, enum gpu_stage stage)
{
    struct gpu g = with_hole(b, kind, stage, 0, 2);
    gpu_prepare(&g);
    gpu_record(&g);
}

static void run_hole(struct baseline *b, enum gpu_kind kind, enum gpu_stage stage,
                     VkDescriptorBindingFlags flags, uint32_t hole)
{
    struct gpu g = with_hole(b, kind, stage, flags, hole);
    gpu_run(&g);
}

/* --- never written --- */

#define HOLE(stage_, kind_, command_, shader_, recorded_, run_)  \
    SCENARIO(stage_##_##kind_##_never_written, recorded_,        \
             .expect = {"VUID-" command_ "-None-08114"},         \
             .text = {ELEMENT shader_, "was never written"})     \
    {                                                            \
        record_hole(b, gpu_kind_##kind_, gpu_stage_##stage_);    \
        EXPECT_EQUAL(b->ours ? seen_count(b, NULL) : 1, 1);      \
    }                                                            \
    SCENARIO(stage_##_##kind_##_beside_the_hole, run_)           \
    {                                                            \
        run_hole(b, gpu_kind_##kind_, gpu_stage_##stage_, 0, 3); \
    }
#define HOLE_KIND(kind_, type_, access_)                                   \
    HOLE(comp, kind_, "vkCmdDispatch", "COMPUTE_BIT", RECORDED_PLAIN, GPU) \
    HOLE(frag, kind_, "vkCmdDraw", "FRAGMENT_BIT", RECORDED_PLAIN, GPU)
GPU_KINDS_X(HOLE_KIND)
HOLE(rgen, storage_buffer, "vkCmdTraceRaysKHR", "RAYGEN_BIT_KHR", RECORDED_RAYS, GPU_WITH_RAYS)

/* A partially bound element must be valid where it is accessed: the shader says so. */
#define PARTLY(kind_, type_, access_)                                                    \
    SCENARIO(kind_##_partially_bound, SAFE, .expect = {"VUID-vkCmdDispatch-None-08114"}, \
             .text = {GPU_TEXT_STAGE("Compute"), GPU_TEXT_UNWRITTEN(2)})                 \
    {                                                                                    \
        run_hole(b, gpu_kind_##kind_, gpu_stage_comp, PARTIAL, 2);                       \
    }
GPU_KINDS_X(PARTLY)

/* Without the core checks the shader looks, as the command does not. */
SCENARIO(without_core_checks, GPU_SETTINGS("validate_core=false"), .features = &gpu_features_plain,
         .expect = {"VUID-vkCmdDispatch-None-08114"}, .text = {GPU_TEXT_UNWRITTEN(2)})
{
    run_hole(b, gpu_kind_storage_buffer, gpu_stage_comp, 0, 2);
}

/* --- destroyed --- */

static struct gpu with_own(struct baseline *b, enum gpu_kind kind)
{
    struct gpu g = gpu_of(b, kind, gpu_stage_comp);
    g.code = gpu_constant_code(kind, gpu_stage_comp);
    g.odd = 2;
    gpu_make(&g);
    gpu_prepare(&g);
    return g;
}

static void destroy_view(const struct gpu *g)
{
    FORGET(g->b, g->own.view);
    vkDestroyImageView(g->b->device, g->own.view, NULL);
}

static void destroy_sampler(const struct gpu *g)
{
    FORGET(g->b, g->own.sampler);
    vkDestroySampler(g->b->device, g->own.sampler, NULL);
}

static void destroy_buffer_view(const struct gpu *g)
{
    FORGET(g->b, g->own.buffer_view);
    vkDestroyBufferView(g->b->device, g->own.buffer_view, NULL);
}

static void destroy_buffer(const struct gpu *g)
{
    FORGET(g->b, g->own.buffer);
    vkDestroyBuffer(g->b->device, g->own.buffer, NULL);
}

#define DESTROYED(kind_, what_, type_)                                                         \
    SCENARIO(kind_##_with_destroyed_##what_, RECORDED_PLAIN,                                   \
             .expect = {"VUID-vkCmdDispatch-None-08114"},                                      \
             .text = {ELEMENT "COMPUTE_BIT", "refers to a " type_ " that has been destroyed"}) \
    {                                                                                          \
        struct gpu g = with_own(b, gpu_kind_##kind_);                                          \
        destroy_##what_(&g);                                                                   \
        gpu_record(&g);                                                                        \
    }                                                                                          \
    /* between recording and submitting */                                                     \
    SCENARIO(kind_##_with_##what_##_destroyed_later, RECORDED_PLAIN,                           \
             .expect = {"VUID-vkQueueSubmit-pCommandBuffers-00070"},                           \
             .text = {", whose binding 2 refers to " type_})                                   \
    {                                                                                          \
        struct gpu g = with_own(b, gpu_kind_##kind_);                                          \
        gpu_record(&g);                                                                        \
        VK(vkEndCommandBuffer(g.commands));                                                    \
        destroy_##what_(&g);                                                                   \
        const VkSubmitInfo info = submit_info(&g.commands);                                    \
        (void)vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE);                               \
    }
DESTROYED(sampled, view, "VkImageView")
DESTROYED(combined, view, "VkImageView")
DESTROYED(combined, sampler, "VkSampler")
DESTROYED(sampler, sampler, "VkSampler")
DESTROYED(storage_image, view, "VkImageView")
DESTROYED(uniform_texel, buffer_view, "VkBufferView")
DESTROYED(storage_buffer, buffer, "VkBuffer")

/* --- views that are not what the shader says --- */

static void record_view(struct baseline *b, struct gpu_code code, const VkImageCreateInfo *info,
                        VkImageViewType type)
{
    struct gpu g = gpu_of(b, gpu_kind_sampled, gpu_stage_comp);
    g.code = code;
    g.odd = 2;
    gpu_make_resources(&g);
    g.own.image = make_image_of(b, info);
    VkImageViewCreateInfo view = image_view_info(g.own.image);
    view.viewType = type;
    view.format = info->format;
    g.own.view = create_image_view(b, &view);
    gpu_make_layout(&g);
    gpu_make_set(&g);
    gpu_make_pipeline(&g);
    gpu_prepare(&g);
    gpu_record(&g);
}

#define VIEW(name_, type_, change_, ...)                                           \
    SCENARIO(name_, RECORDED_PLAIN, ##__VA_ARGS__)                                 \
    {                                                                              \
        VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);           \
        change_;                                                                   \
        record_view(b, gpu_constant_code(gpu_kind_sampled, gpu_stage_comp), &info, \
                    VK_IMAGE_VIEW_TYPE_##type_);                                   \
    }
VIEW(view_as_it_should, 2D, info.format = VK_FORMAT_R8G8B8A8_UNORM)
VIEW(view_of_three_dimensions, 3D, (info.imageType = VK_IMAGE_TYPE_3D, info.extent.depth = 2),
     .expect = {"VUID-vkCmdDispatch-viewType-07752"}, .text = {ELEMENT})
/* The shader may not come there, and the values alone are poison. */
VIEW(view_of_an_array_behind_a_branch, 2D_ARRAY, info.arrayLayers = 2)
SCENARIO(view_of_an_array, RECORDED_PLAIN, .expect = {"VUID-vkCmdDispatch-viewType-07752"},
         .text = {ELEMENT, "is VK_IMAGE_VIEW_TYPE_2D there, but its view is of "
                           "VK_IMAGE_VIEW_TYPE_2D_ARRAY"})
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.arrayLayers = 2;
    record_view(b, gpu_certain_code(), &info, VK_IMAGE_VIEW_TYPE_2D_ARRAY);
}
VIEW(view_of_samples, 2D, info.samples = VK_SAMPLE_COUNT_4_BIT,
     .expect = {"VUID-RuntimeSpirv-samples-08725"}, .text = {ELEMENT})
VIEW(view_of_integers, 2D, info.format = VK_FORMAT_R32_UINT,
     .expect = {"VUID-vkCmdDispatch-format-07753"}, .text = {ELEMENT})

/* --- pushed --- */

static void push_with_hole(struct baseline *b, uint32_t hole)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    g.code = gpu_constant_code(gpu_kind_storage_buffer, gpu_stage_comp);
    g.layout_flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT;
    gpu_make_resources(&g);
    gpu_make_layout(&g);
    gpu_make_pipeline(&g);
    gpu_prepare(&g);
    gpu_begin(&g);
    vkCmdBindPipeline(g.commands, g.bind_point, g.pipeline);
    const VkDescriptorBufferInfo result = {g.result, 0, VK_WHOLE_SIZE},
                                 thing = {g.common.buffer, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet writes[1 + GPU_LENGTH];
    uint32_t count = 0;
    writes[count++] = write_buffer(VK_NULL_HANDLE, &result);
    for (uint32_t i = 0; i < GPU_LENGTH; i++) {
        if (i == hole)
            continue;
        writes[count] = write_buffer(VK_NULL_HANDLE, &thing);
        writes[count].dstBinding = 2;
        writes[count++].dstArrayElement = i;
    }
    DEVICE_PROC(b, vkCmdPushDescriptorSetKHR)
    (g.commands, g.bind_point, g.layout, 0, count, writes);
    gpu_push(&g);
    gpu_act(&g);
    if (hole != 2)
        gpu_submit(&g);
}
#define PUSHED .extensions = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME}
SCENARIO(pushed_beside_the_hole, GPU, PUSHED)
{
    push_with_hole(b, 3);
}
SCENARIO(pushed_never, RECORDED_PLAIN, PUSHED, .expect = {"VUID-vkCmdDispatch-None-08114"},
         .text = {ELEMENT "COMPUTE_BIT", "was never written"})
{
    push_with_hole(b, 2);
}

/* --- shader objects --- */

static const VkPhysicalDeviceShaderObjectFeaturesEXT shader_objects = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
    .pNext = (void *)&gpu_features_plain,
    .shaderObject = VK_TRUE};
#define OBJECTS_WITH(...)                                   \
    GPU_SETTINGS(__VA_ARGS__), .features = &shader_objects, \
        .extensions = {VK_EXT_SHADER_OBJECT_EXTENSION_NAME}
#define OBJECTS OBJECTS_WITH()

static void dispatch_with_hole(struct baseline *b, uint32_t hole)
{
    const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    VkShaderEXT shader = VK_NULL_HANDLE;
    g.hole = hole;
    gpu_make_resources(&g);
    gpu_make_layout(&g);
    gpu_make_set(&g);
    g.code = gpu_constant_code(gpu_kind_storage_buffer, gpu_stage_comp);
    const VkPipelineLayoutCreateInfo layout = pipeline_layout_info(g.set_layouts);
    const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                        .stage = stage,
                                        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                        .codeSize = g.code.size,
                                        .pCode = g.code.words,
                                        .pName = "main",
                                        .setLayoutCount = 1,
                                        .pSetLayouts = g.set_layouts,
                                        .pushConstantRangeCount = 1,
                                        .pPushConstantRanges = layout.pPushConstantRanges};
    VK(DEVICE_PROC(b, vkCreateShadersEXT)(b->device, 1, &info, NULL, &shader));
    gpu_prepare(&g);
    gpu_begin(&g);
    DEVICE_PROC(b, vkCmdBindShadersEXT)(g.commands, 1, &stage, &shader);
    vkCmdBindDescriptorSets(g.commands, g.bind_point, g.layout, 0, 1, g.sets, 0, NULL);
    gpu_push(&g);
    gpu_act(&g);
    gpu_submit(&g);
    DEVICE_PROC(b, vkDestroyShaderEXT)(b->device, shader, NULL);
}
/* The command is found wrong, once. */
SCENARIO(shader_object_never_written, OBJECTS, .expect = {"VUID-vkCmdDispatch-None-08114"},
         .text = {ELEMENT "COMPUTE_BIT", "was never written"})
{
    dispatch_with_hole(b, 2);
    EXPECT_EQUAL(b->ours ? seen_count(b, "VUID-vkCmdDispatch-None-08114") : 1, 1);
}
SCENARIO(shader_object_beside_the_hole, OBJECTS)
{
    dispatch_with_hole(b, 3);
}
/* In safe mode, and without the core checks, shaders look themselves. */
SCENARIO(shader_object_without_core_checks, OBJECTS_WITH("validate_core=false"),
         .expect = {"VUID-vkCmdDispatch-None-08114"}, .text = {GPU_TEXT_UNWRITTEN(2)})
{
    dispatch_with_hole(b, 2);
}
