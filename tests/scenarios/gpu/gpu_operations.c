/* Every operation that consumes an image, and every way in which a descriptor gets there from its
 * array: a wrong index, and a right one. */
#include "gpu/gpu_world.h"

#include "gpu_descriptors.h"
#include "gpu_more.h"

/* --- operations --- */

/* Images of another format, compared or not, where the operation needs them. */
static void use_depth(struct gpu *g)
{
    VkImageCreateInfo image =
        image_info(VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    image.format = VK_FORMAT_D32_SFLOAT;
    g->common.image = make_image_of(g->b, &image);
    VkImageViewCreateInfo view = image_view_info(g->common.image);
    view.format = VK_FORMAT_D32_SFLOAT;
    view.subresourceRange.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
    g->common.view = create_image_view(g->b, &view);
    VkSamplerCreateInfo sampler = sampler_info();
    sampler.magFilter = sampler.minFilter = VK_FILTER_NEAREST;
    sampler.compareEnable = VK_TRUE;
    sampler.compareOp = VK_COMPARE_OP_LESS;
    g->common.sampler = create_sampler(g->b, &sampler);
}

static void use_words(struct gpu *g)
{
    VkImageCreateInfo image =
        image_info(VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    image.format = VK_FORMAT_R32_UINT;
    g->common.image = make_image_of(g->b, &image);
    VkImageViewCreateInfo view = image_view_info(g->common.image);
    view.format = VK_FORMAT_R32_UINT;
    g->common.view = create_image_view(g->b, &view);
}

static void use_as_is(struct gpu *g)
{
    (void)g;
}

static void prepare_image(struct gpu *g, bool depth)
{
    VkImageMemoryBarrier barrier =
        image_barrier(g->common.image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    if (depth)
        barrier.subresourceRange.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
    VkCommandBuffer commands = make_recording(g->b);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    run_commands(g->b, commands);
}

static void operate_on(struct baseline *b, enum gpu_kind kind, enum gpu_stage stage,
                       struct gpu_code code, void (*use)(struct gpu *g), uint32_t index)
{
    struct gpu g = gpu_of(b, kind, stage);
    g.code = code;
    g.index = index;
    gpu_make_resources(&g);
    use(&g);
    gpu_make_layout(&g);
    gpu_make_set(&g);
    gpu_make_pipeline(&g);
    prepare_image(&g, use == use_depth);
    gpu_record(&g);
    gpu_submit(&g);
}

#define OPERATION(name_, kind_, stage_, command_, use_, text_)                                  \
    SCENARIO(name_##_past_the_end, GPU, .expect = {"VUID-" command_ "-None-10068"},             \
             .text = {GPU_TEXT_INDEX(6, 6), text_ "(things[push.index]"})                       \
    {                                                                                           \
        operate_on(b, gpu_kind_##kind_, gpu_stage_##stage_, GPU_CODE(spirv_##name_##_##stage_), \
                   use_, GPU_LENGTH);                                                           \
    }                                                                                           \
    SCENARIO(name_##_last, GPU)                                                                 \
    {                                                                                           \
        operate_on(b, gpu_kind_##kind_, gpu_stage_##stage_, GPU_CODE(spirv_##name_##_##stage_), \
                   use_, GPU_LENGTH - 1);                                                       \
    }
OPERATION(sample_implicit, combined, frag, "vkCmdDraw", use_as_is, "texture")
OPERATION(sample_bias, combined, frag, "vkCmdDraw", use_as_is, "texture")
OPERATION(sample_explicit, combined, comp, "vkCmdDispatch", use_as_is, "textureLod")
OPERATION(sample_gradient, combined, comp, "vkCmdDispatch", use_as_is, "textureGrad")
OPERATION(dref_implicit, combined, frag, "vkCmdDraw", use_depth, "texture")
OPERATION(dref_explicit, combined, comp, "vkCmdDispatch", use_depth, "textureLod")
OPERATION(proj_implicit, combined, frag, "vkCmdDraw", use_as_is, "textureProj")
OPERATION(proj_explicit, combined, comp, "vkCmdDispatch", use_as_is, "textureProjLod")
OPERATION(proj_dref_implicit, combined, frag, "vkCmdDraw", use_depth, "textureProj")
OPERATION(proj_dref_explicit, combined, comp, "vkCmdDispatch", use_depth, "textureProjLod")
OPERATION(gather, combined, comp, "vkCmdDispatch", use_as_is, "textureGather")
OPERATION(dref_gather, combined, comp, "vkCmdDispatch", use_depth, "textureGather")
OPERATION(query_lod, combined, frag, "vkCmdDraw", use_as_is, "textureQueryLod")
OPERATION(query_size_lod, combined, comp, "vkCmdDispatch", use_as_is, "textureSize")
OPERATION(query_levels, combined, comp, "vkCmdDispatch", use_as_is, "textureQueryLevels")
OPERATION(query_size, storage_image, comp, "vkCmdDispatch", use_as_is, "imageSize")
OPERATION(fetch, sampled, comp, "vkCmdDispatch", use_as_is, "texelFetch")
OPERATION(image_read, storage_image, comp, "vkCmdDispatch", use_as_is, "imageLoad")
OPERATION(image_write, storage_image, comp, "vkCmdDispatch", use_as_is, "imageStore")
OPERATION(image_atomic, storage_image, comp, "vkCmdDispatch", use_words, "imageAtomicAdd")

/* --- samples --- */

/* Fetches from images with four samples; `odd` has one. */
static void fetch_sample(struct baseline *b, uint32_t odd)
{
    struct gpu g = gpu_of(b, gpu_kind_sampled, gpu_stage_comp);
    VkImageCreateInfo image = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    image.samples = VK_SAMPLE_COUNT_4_BIT;
    g.code = GPU_CODE(spirv_fetch_sample_comp);
    g.odd = odd;
    g.index = 4;
    gpu_make_resources(&g);
    g.common.image = make_image_of(b, &image);
    VkImageViewCreateInfo view = image_view_info(g.common.image);
    g.common.view = create_image_view(b, &view);
    gpu_make_layout(&g);
    gpu_make_set(&g);
    gpu_make_pipeline(&g);
    gpu_run(&g);
}

SCENARIO(sample_of_one, GPU_SETTINGS("gpuav_safe_mode=true"), .features = &gpu_features_plain,
         .expect = {"VUID-RuntimeSpirv-samples-08726"},
         .text = {"Descriptor index 4 (set 0, binding 2 \"things\") has a view of an image with "
                  "one sample, but the shader accesses it as one with several samples."})
{
    fetch_sample(b, 4);
}

SCENARIO(sample_of_four, GPU)
{
    fetch_sample(b, GPU_NO_HOLE);
}

/* --- ways --- */

static void dispatch_code(struct baseline *b, enum gpu_kind kind, struct gpu_code code,
                          uint32_t index, uint32_t other)
{
    struct gpu g = gpu_of(b, kind, gpu_stage_comp);
    g.code = code;
    g.index = index;
    g.other = other;
    gpu_make(&g);
    gpu_run(&g);
}

#define WAY(scenario_, name_, kind_, index_, other_, ...)                                   \
    SCENARIO(scenario_, GPU, ##__VA_ARGS__)                                                 \
    {                                                                                       \
        dispatch_code(b, gpu_kind_##kind_, GPU_CODE(spirv_##name_##_comp), index_, other_); \
    }
#define WRONG(...) .expect = {"VUID-vkCmdDispatch-None-10068"}, .text = {__VA_ARGS__}
#define IMAGE(name_)                                          \
    WAY(name_##_past_the_end, name_, combined, GPU_LENGTH, 0, \
        WRONG(GPU_TEXT_INDEX(6, 6), #name_ "_comp"))          \
    WAY(name_##_last, name_, combined, GPU_LENGTH - 1, 0)
IMAGE(in_function)
IMAGE(in_nested_function)
IMAGE(in_global_function)
IMAGE(in_loop)
IMAGE(in_branch)
IMAGE(in_switch)
IMAGE(in_selection)
IMAGE(in_short_circuit)
IMAGE(nonuniform)
IMAGE(twice_the_same)
IMAGE(signed)

/* An operation that is not done is not wrong. */
WAY(branch_not_taken, in_branch, combined, 100, 1)
WAY(switch_elsewhere, in_switch, combined, 100, 2)
WAY(not_selected, in_selection, combined, 100, 1)
WAY(not_reached, in_short_circuit, combined, 100, 1)
WAY(negative, signed, combined, 0xffffffff, 0, WRONG("Index of 4294967295"))
WAY(block_of_structs, of_structs, storage_buffer, GPU_LENGTH - 1, 1)
WAY(block_of_structs_past_the_end, of_structs, storage_buffer, GPU_LENGTH, 1,
    WRONG(GPU_TEXT_INDEX(6, 6)))

/* --- lengths that are known late --- */

static void specialize_operation(struct baseline *b, struct gpu_code code, uint32_t value,
                                 uint32_t index)
{
    struct gpu g = gpu_of(b, gpu_kind_combined, gpu_stage_comp);
    const VkSpecializationMapEntry entry = {3, 0, sizeof(value)};
    const VkSpecializationInfo special = {1, &entry, sizeof(value), &value};
    g.code = code;
    g.index = index;
    gpu_make_resources(&g);
    gpu_make_layout(&g);
    gpu_make_set(&g);
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_from(b, g.code.words, g.code.size), g.layout);
    info.stage.pSpecializationInfo = &special;
    g.pipeline = create_compute_pipeline(b, &info);
    gpu_run(&g);
}

/* The shader's array has three elements, the layout's six: the fourth is one of the layout's. */
SCENARIO(specialized_length, GPU)
{
    specialize_operation(b, GPU_CODE(spirv_specialized_comp), 3, 2);
}
SCENARIO(specialized_length_past_the_end, GPU,
         WRONG("Index of 6 used to index descriptor array of length"))
{
    specialize_operation(b, GPU_CODE(spirv_specialized_comp), 3, 6);
}
SCENARIO(specialized_index, GPU)
{
    specialize_operation(b, GPU_CODE(spirv_specialized_index_comp), 5, 0);
}
SCENARIO(specialized_index_past_the_end, GPU, WRONG(GPU_TEXT_INDEX(6, 6)))
{
    specialize_operation(b, GPU_CODE(spirv_specialized_index_comp), 6, 0);
}

static const VkPhysicalDeviceFeatures2 small_integers = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .features = {.shaderInt16 = VK_TRUE, .shaderSampledImageArrayDynamicIndexing = VK_TRUE}};
#define SMALL GPU_SETTINGS(), .features = &small_integers
SCENARIO(of_16_bits_last, SMALL)
{
    dispatch_code(b, gpu_kind_combined, GPU_CODE(spirv_of_16_bits_comp), 5, 0);
}
SCENARIO(of_16_bits_past_the_end, SMALL, WRONG(GPU_TEXT_INDEX(6, 6)))
{
    dispatch_code(b, gpu_kind_combined, GPU_CODE(spirv_of_16_bits_comp), 6, 0);
}
/* 65536 + 5 is 5 in 16 bits. */
SCENARIO(of_16_bits_cut, SMALL)
{
    dispatch_code(b, gpu_kind_combined, GPU_CODE(spirv_of_16_bits_comp), 65541, 0);
}

static const VkPhysicalDeviceFeatures2 large_integers = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .features = {.shaderInt64 = VK_TRUE, .shaderStorageBufferArrayDynamicIndexing = VK_TRUE}};
#define LARGE GPU_SETTINGS(), .features = &large_integers
SCENARIO(of_64_bits_last, LARGE)
{
    dispatch_code(b, gpu_kind_storage_buffer, GPU_CODE(spirv_of_64_bits), 5, 0);
}
/* The lower half would be in bounds. */
SCENARIO(of_64_bits_past_the_end, LARGE, WRONG(GPU_TEXT_INDEX(4294967295, 6)))
{
    dispatch_code(b, gpu_kind_storage_buffer, GPU_CODE(spirv_of_64_bits), 5, 1);
}

/* --- what shaders compute is what it was --- */

static void read_value(struct baseline *b, enum gpu_stage stage, uint32_t element, float wanted)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, stage);
    const float one[] = {1, 1, 1, 1}, two[] = {2, 2, 2, 2};
    float got[4] = {0};
    g.odd = 4;
    g.index = element;
    gpu_make(&g);
    gpu_fill(b, g.common.buffer, 0, one, sizeof(one));
    gpu_fill(b, g.own.buffer, 0, two, sizeof(two));
    gpu_run(&g);
    gpu_read(b, g.result, 0, got, sizeof(got));
    EXPECT_EQUAL(got[0] * 1000, wanted * 1000);
    EXPECT_EQUAL(got[3] * 1000, wanted * 1000);
}

#define VALUE(stage_, device_)                        \
    SCENARIO(value_of_one_in_##stage_, device_)       \
    {                                                 \
        read_value(b, gpu_stage_##stage_, 5, 1);      \
    }                                                 \
    SCENARIO(value_of_the_other_in_##stage_, device_) \
    {                                                 \
        read_value(b, gpu_stage_##stage_, 4, 2);      \
    }
VALUE(vert, GPU)
VALUE(tesc, GPU)
VALUE(tese, GPU)
VALUE(geom, GPU)
VALUE(frag, GPU)
VALUE(comp, GPU)
VALUE(task, GPU_WITH_MESH)
VALUE(mesh, GPU_WITH_MESH)
VALUE(rgen, GPU_WITH_RAYS)
VALUE(rahit, GPU_WITH_RAYS)
VALUE(rchit, GPU_WITH_RAYS)
VALUE(rmiss, GPU_WITH_RAYS)
VALUE(rint, GPU_WITH_RAYS)
VALUE(rcall, GPU_WITH_RAYS)
