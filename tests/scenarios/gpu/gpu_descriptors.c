/* A descriptor that a shader picks when it runs holds nothing, what was destroyed, or what is of
 * another type. Where the count is variable, there may be fewer descriptors. */
#include "gpu/gpu_world.h"

#include "gpu_more.h"

#define PARTIAL VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT
#define LATE \
    (VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT | VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT)
#define SAFE GPU_SETTINGS("gpuav_safe_mode=true"), .features = &gpu_features_plain

/* --- variable counts, and arrays without a length in the shader --- */

static void read_runtime_array(struct baseline *b, enum gpu_kind kind, enum gpu_stage stage,
                               uint32_t allocated, uint32_t index)
{
    struct gpu g = gpu_of(b, kind, stage);
    g.code = gpu_runtime_code(kind, stage);
    g.allocated = allocated;
    g.index = index;
    gpu_make(&g);
    gpu_run(&g);
}

#define RUNTIME(stage_, kind_, command_, text_)                               \
    SCENARIO(stage_##_##kind_##_of_no_length_past_the_end, SAFE,              \
             .expect = {"VUID-" command_ "-None-10068"},                      \
             .text = {GPU_TEXT_INDEX(6, 6), GPU_TEXT_STAGE(text_), command_}) \
    {                                                                         \
        read_runtime_array(b, gpu_kind_##kind_, gpu_stage_##stage_, 0, 6);    \
    }                                                                         \
    SCENARIO(stage_##_##kind_##_of_no_length_last, GPU)                       \
    {                                                                         \
        read_runtime_array(b, gpu_kind_##kind_, gpu_stage_##stage_, 0, 5);    \
    }                                                                         \
    SCENARIO(stage_##_##kind_##_variable_past_the_end, SAFE,                  \
             .expect = {"VUID-" command_ "-None-10068"},                      \
             .text = {GPU_TEXT_INDEX(3, 3), GPU_TEXT_STAGE(text_), command_}) \
    {                                                                         \
        read_runtime_array(b, gpu_kind_##kind_, gpu_stage_##stage_, 3, 3);    \
    }                                                                         \
    SCENARIO(stage_##_##kind_##_variable_last, GPU)                           \
    {                                                                         \
        read_runtime_array(b, gpu_kind_##kind_, gpu_stage_##stage_, 3, 2);    \
    }
#define RUNTIME_KIND(kind_, type_, access_)          \
    RUNTIME(comp, kind_, "vkCmdDispatch", "Compute") \
    RUNTIME(frag, kind_, "vkCmdDraw", "Fragment")
GPU_KINDS_X(RUNTIME_KIND)

/* A length that is longer in the shader than in the layout, or shorter: the layout's counts. */
SCENARIO(layout_shorter_than_shader, SAFE, .expect = {"VUID-vkCmdDispatch-None-10068"},
         .text = {GPU_TEXT_INDEX(4, 4)})
{
    struct gpu g = gpu_of(b, gpu_kind_combined, gpu_stage_comp);
    g.code = gpu_runtime_code(gpu_kind_combined, gpu_stage_comp);
    g.count = 4;
    g.index = 4;
    gpu_make(&g);
    gpu_run(&g);
}

SCENARIO(huge_index, SAFE, .expect = {"VUID-vkCmdDispatch-None-10068"},
         .text = {GPU_TEXT_INDEX(4294967295, 6)})
{
    read_runtime_array(b, gpu_kind_combined, gpu_stage_comp, 0, 0xffffffff);
}

/* --- never written --- */

static void read_hole(struct baseline *b, enum gpu_kind kind, enum gpu_stage stage,
                      VkDescriptorBindingFlags flags, uint32_t index)
{
    struct gpu g = gpu_of(b, kind, stage);
    g.flags = flags;
    g.hole = 2;
    g.index = index;
    gpu_make(&g);
    gpu_run(&g);
}

#define HOLE(stage_, kind_, command_, text_, device_)                        \
    SCENARIO(stage_##_##kind_##_never_written, DEVICE_##device_,             \
             .expect = {"VUID-" command_ "-None-08114"},                     \
             .text = {"things[push.index]", GPU_TEXT_STAGE(text_), command_, \
                      GPU_TEXT_UNWRITTEN(2)})                                \
    {                                                                        \
        read_hole(b, gpu_kind_##kind_, gpu_stage_##stage_, PARTIAL, 2);      \
    }                                                                        \
    SCENARIO(stage_##_##kind_##_beside_the_hole, DEVICE_##device_##_unsafe)  \
    {                                                                        \
        read_hole(b, gpu_kind_##kind_, gpu_stage_##stage_, PARTIAL, 3);      \
    }
#define DEVICE_plain        SAFE
#define DEVICE_plain_unsafe GPU
#define DEVICE_mesh                                                       \
    GPU_SETTINGS("gpuav_safe_mode=true"), .features = &gpu_features_mesh, \
        .extensions = {VK_EXT_MESH_SHADER_EXTENSION_NAME}
#define DEVICE_mesh_unsafe GPU_WITH_MESH
/* An unwritten buffer of lavapipe's has no bytes, so that reading it does no harm. */
#define DEVICE_rays        GPU_WITH_RAYS
#define DEVICE_rays_unsafe GPU_WITH_RAYS

#define HOLE_KIND(kind_, type_, access_) HOLE(comp, kind_, "vkCmdDispatch", "Compute", plain)

#define HOLE_STAGE(stage_, bit_, command_, text_) HOLE(stage_, combined, command_, text_, plain)

#define HOLE_MESH_STAGE(stage_, bit_, command_, text_) HOLE(stage_, combined, command_, text_, mesh)

#define HOLE_RAY_STAGE(stage_, bit_, command_, text_) \
    HOLE(stage_, storage_buffer, command_, text_, rays)
GPU_KINDS_X(HOLE_KIND)
GPU_GRAPHICS_STAGES_X(HOLE_STAGE)
GPU_MESH_STAGES_X(HOLE_MESH_STAGE)
GPU_RAY_STAGES_X(HOLE_RAY_STAGE)

/* --- one mistake, and what comes of it --- */

/* Accesses a descriptor at two places, divides by what it has read, and indexes with it. */
static void read_twice(struct baseline *b, uint32_t index)
{
    static const uint32_t nothing[4];
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    g.code = GPU_CODE(spirv_one_cause);
    g.flags = PARTIAL;
    g.hole = 2;
    g.index = index;
    gpu_make(&g);
    gpu_fill(b, g.common.buffer, 0, nothing, sizeof(nothing));
    gpu_run(&g);
}

SCENARIO(consequences_of_one_cause, SAFE, .expect = {"VUID-vkCmdDispatch-None-08114"},
         .text = {GPU_TEXT_UNWRITTEN(2)})
{
    read_twice(b, 2);
    EXPECT_EQUAL(b->ours ? seen_count(b, NULL) : 1, 1);
}
/* The descriptor was written; the shader divides by the value that it reads there. */
SCENARIO(causes_of_their_own, SAFE,
         .expect = {"SPIRV-Sanitizer-Divide-By-Zero", "SPIRV-Sanitizer-Vector-Index"})
{
    read_twice(b, 3);
}

/* --- written when the command buffer is recorded already --- */

static void write_late(struct baseline *b, enum gpu_kind kind, bool written)
{
    struct gpu g = gpu_of(b, kind, gpu_stage_comp);
    g.flags = LATE;
    g.hole = 2;
    g.index = 2;
    gpu_make(&g);
    gpu_prepare(&g);
    gpu_record(&g);
    if (written)
        gpu_write(&g, 2, &g.common);
    gpu_submit(&g);
}

#define LATE_KIND(kind_, type_, access_)                                                          \
    SCENARIO(kind_##_never_written_after_bind, SAFE, .expect = {"VUID-vkCmdDispatch-None-08114"}, \
             .text = {GPU_TEXT_UNWRITTEN(2), "things[push.index]"})                               \
    {                                                                                             \
        write_late(b, gpu_kind_##kind_, false);                                                   \
    }                                                                                             \
    SCENARIO(kind_##_written_after_bind, GPU)                                                     \
    {                                                                                             \
        write_late(b, gpu_kind_##kind_, true);                                                    \
    }
GPU_KINDS_X(LATE_KIND)

/* --- destroyed since --- */

static void destroy_view(struct gpu *g)
{
    FORGET(g->b, g->own.view);
    vkDestroyImageView(g->b->device, g->own.view, NULL);
}

static void destroy_sampler(struct gpu *g)
{
    FORGET(g->b, g->own.sampler);
    vkDestroySampler(g->b->device, g->own.sampler, NULL);
}

static void destroy_buffer_view(struct gpu *g)
{
    FORGET(g->b, g->own.buffer_view);
    vkDestroyBufferView(g->b->device, g->own.buffer_view, NULL);
}

static void destroy_buffer(struct gpu *g)
{
    destroy_buffer_view(g);
    FORGET(g->b, g->own.buffer);
    vkDestroyBuffer(g->b->device, g->own.buffer, NULL);
}

static void destroy_image(struct gpu *g)
{
    destroy_view(g);
    FORGET(g->b, g->own.image);
    vkDestroyImage(g->b->device, g->own.image, NULL);
}

/* The view lives on, and so does the buffer whose memory is freed. */
static void destroy_image_of_view(struct gpu *g)
{
    FORGET(g->b, g->own.image);
    vkDestroyImage(g->b->device, g->own.image, NULL);
}

static void destroy_buffer_of_view(struct gpu *g)
{
    FORGET(g->b, g->own.buffer);
    vkDestroyBuffer(g->b->device, g->own.buffer, NULL);
}

static void destroy_memory(struct gpu *g)
{
    VkDeviceMemory memory = buffer_memory(g->b, g->own.buffer);
    FORGET(g->b, memory);
    vkFreeMemory(g->b->device, memory, NULL);
}

static void read_destroyed(struct baseline *b, enum gpu_kind kind, VkDescriptorBindingFlags flags,
                           uint32_t index, void (*destroy)(struct gpu *g))
{
    struct gpu g = gpu_of(b, kind, gpu_stage_comp);
    g.flags = flags;
    g.odd = 4;
    g.index = index;
    gpu_make(&g);
    gpu_prepare(&g);
    destroy(&g);
    gpu_record(&g);
    gpu_submit(&g);
}

#define DESTROYED(kind_, what_, held_)                                                          \
    SCENARIO(kind_##_with_destroyed_##what_, SAFE, .expect = {"VUID-vkCmdDispatch-None-08114"}, \
             .text = {"things[push.index]", GPU_TEXT_STAGE("Compute"),                          \
                      GPU_TEXT_DESTROYED(4, held_)})                                            \
    {                                                                                           \
        read_destroyed(b, gpu_kind_##kind_, LATE, 4, destroy_##what_);                          \
    }                                                                                           \
    SCENARIO(kind_##_beside_destroyed_##what_, GPU)                                             \
    {                                                                                           \
        read_destroyed(b, gpu_kind_##kind_, LATE, 3, destroy_##what_);                          \
    }
DESTROYED(sampled, view, "an image view")
DESTROYED(sampled, image, "an image view")
DESTROYED(combined, view, "an image view or sampler")
DESTROYED(combined, sampler, "an image view or sampler")
DESTROYED(sampler, sampler, "a sampler")
DESTROYED(storage_image, view, "an image view")
DESTROYED(uniform_texel, buffer_view, "a buffer view")
DESTROYED(storage_texel, buffer_view, "a buffer view")
DESTROYED(storage_buffer, buffer, "a buffer")
DESTROYED(uniform_buffer, buffer, "a buffer")
DESTROYED(sampled, image_of_view, "an image view")
DESTROYED(storage_texel, buffer_of_view, "a buffer view")
DESTROYED(storage_buffer, memory, "a buffer")
DESTROYED(uniform_texel, memory, "a buffer view")

/* The image goes in the right order: no view of it is named any more, and what has its slot next is
 * not concerned. */
SCENARIO(images_destroyed_in_turn, GPU)
{
    struct gpu g = gpu_of(b, gpu_kind_sampled, gpu_stage_comp);
    g.flags = LATE;
    g.odd = 4;
    g.index = 3;
    gpu_make(&g);
    gpu_prepare(&g);
    for (int i = 0; i < 3; i++) {
        destroy_image(&g);
        const VkImageCreateInfo image = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
        g.own.image = make_image_of(b, &image);
        VkImageViewCreateInfo info = image_view_info(g.own.image);
        g.own.view = create_image_view(b, &info);
        gpu_write(&g, 4, &g.own);
    }
    gpu_record(&g);
    gpu_submit(&g);
}

/* A new object may have the old one's place, in the driver and in tables of ours: the descriptor is
 * of the old one still. */
SCENARIO(view_destroyed_and_made_anew, SAFE, .expect = {"VUID-vkCmdDispatch-None-08114"},
         .text = {GPU_TEXT_DESTROYED(4, "an image view or sampler"), " What VkDescriptorSet 0x",
                  " has there is VkImageView 0x", ", which was destroyed"})
{
    struct gpu g = gpu_of(b, gpu_kind_combined, gpu_stage_comp);
    g.flags = LATE;
    g.odd = 4;
    g.index = 4;
    gpu_make(&g);
    gpu_prepare(&g);
    destroy_view(&g);
    VkImageViewCreateInfo info = image_view_info(g.own.image);
    EXPECT(create_image_view(b, &info));
    gpu_record(&g);
    gpu_submit(&g);
}

SCENARIO(view_destroyed_and_written_anew, GPU)
{
    struct gpu g = gpu_of(b, gpu_kind_combined, gpu_stage_comp);
    g.flags = LATE;
    g.odd = 4;
    g.index = 4;
    gpu_make(&g);
    gpu_prepare(&g);
    destroy_view(&g);
    VkImageViewCreateInfo info = image_view_info(g.own.image);
    g.own.view = create_image_view(b, &info);
    gpu_write(&g, 4, &g.own);
    gpu_record(&g);
    gpu_submit(&g);
}

/* --- views that are not what the shader says --- */

static void read_view_by(struct baseline *b, struct gpu_code code, const VkImageCreateInfo *image,
                         VkImageViewType type)
{
    struct gpu g = gpu_of(b, gpu_kind_sampled, gpu_stage_comp);
    if (code.words)
        g.code = code;
    g.odd = 4;
    g.index = 4;
    gpu_make_resources(&g);
    g.own.image = make_image_of(b, image);
    VkImageViewCreateInfo view = image_view_info(g.own.image);
    view.viewType = type;
    view.format = image->format;
    g.own.view = create_image_view(b, &view);
    gpu_make_layout(&g);
    gpu_make_set(&g);
    gpu_make_pipeline(&g);
    gpu_run(&g);
}

static void read_view(struct baseline *b, const VkImageCreateInfo *image, VkImageViewType type)
{
    read_view_by(b, (struct gpu_code){0}, image, type);
}

#define VIEW(name_, type_, change_, device_, ...)                        \
    SCENARIO(name_, device_, ##__VA_ARGS__)                              \
    {                                                                    \
        VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT); \
        change_;                                                         \
        read_view(b, &info, VK_IMAGE_VIEW_TYPE_##type_);                 \
    }
VIEW(view_as_it_should, 2D, info.format = VK_FORMAT_R8G8B8A8_UNORM, GPU)
VIEW(view_of_three_dimensions, 3D, (info.imageType = VK_IMAGE_TYPE_3D, info.extent.depth = 2), SAFE,
     .expect = {"VUID-vkCmdDispatch-viewType-07752"},
     .text = {"Descriptor index 4 (set 0, binding 2 \"things\") has a view of type "
              "VK_IMAGE_VIEW_TYPE_3D, but the shader accesses it as VK_IMAGE_VIEW_TYPE_2D."})
VIEW(view_of_an_array, 2D_ARRAY, info.arrayLayers = 2, SAFE,
     .expect = {"VUID-vkCmdDispatch-viewType-07752"},
     .text = {"has a view of type VK_IMAGE_VIEW_TYPE_2D_ARRAY, but the shader accesses it as "
              "VK_IMAGE_VIEW_TYPE_2D."})
VIEW(view_of_samples, 2D, info.samples = VK_SAMPLE_COUNT_4_BIT, SAFE,
     .expect = {"VUID-RuntimeSpirv-samples-08725"},
     .text = {"has a view of an image with several samples, but the shader accesses it as one with "
              "one sample."})
VIEW(view_of_integers, 2D, info.format = VK_FORMAT_R32_UINT, SAFE,
     .expect = {"VUID-vkCmdDispatch-format-07753"},
     .text = {"has a view with a format of unsigned integers, but the shader accesses it as "
              "floating-point numbers."})

/* The image operands say that the access is signed, whatever the Sampled Type. */
static void read_signed(struct baseline *b, VkFormat format)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.format = format;
    read_view_by(b, GPU_CODE(spirv_of_a_sign), &info, VK_IMAGE_VIEW_TYPE_2D);
}
SCENARIO(view_of_signed_integers, GPU)
{
    read_signed(b, VK_FORMAT_R32_SINT);
}
SCENARIO(view_of_unsigned_integers, GPU, .expect = {"VUID-vkCmdDispatch-format-07753"},
         .text = {"has a view with a format of unsigned integers, but the shader accesses it as "
                  "signed integers."})
{
    read_signed(b, VK_FORMAT_R32_UINT);
}

/* --- null descriptors --- */

static const VkPhysicalDeviceRobustness2FeaturesEXT null_descriptors = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT,
    .pNext = (void *)&gpu_features_plain,
    .nullDescriptor = VK_TRUE};
#define WITH_NULL                                  \
    GPU_SETTINGS(), .features = &null_descriptors, \
        .extensions = {VK_EXT_ROBUSTNESS_2_EXTENSION_NAME}

static void read_null(struct baseline *b, enum gpu_kind kind)
{
    struct gpu g = gpu_of(b, kind, gpu_stage_comp);
    const struct gpu_resource nothing = {.image = VK_NULL_HANDLE};
    g.flags = PARTIAL;
    g.hole = 2;
    g.index = 2;
    g.range = VK_WHOLE_SIZE;
    gpu_make(&g);
    struct gpu_resource null = nothing;
    null.sampler = g.common.sampler;
    gpu_write(&g, 2, &null);
    gpu_run(&g);
}

#define NULL_KIND(kind_)                \
    SCENARIO(kind_##_null, WITH_NULL)   \
    {                                   \
        read_null(b, gpu_kind_##kind_); \
    }
NULL_KIND(sampled)
NULL_KIND(combined)
NULL_KIND(storage_image)
NULL_KIND(uniform_texel)
NULL_KIND(storage_texel)
NULL_KIND(storage_buffer)
NULL_KIND(uniform_buffer)

/* --- copied, and pushed by a template --- */

static void copy_element(struct baseline *b, uint32_t index)
{
    struct gpu g = gpu_of(b, gpu_kind_combined, gpu_stage_comp);
    g.flags = PARTIAL;
    g.hole = 2;
    g.index = index;
    gpu_make(&g);
    /* Element 2 becomes what 3 was, and 1 what nothing ever was. */
    const VkCopyDescriptorSet copies[] = {{.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                           .srcSet = g.sets[0],
                                           .srcBinding = 2,
                                           .srcArrayElement = 2,
                                           .dstSet = g.sets[0],
                                           .dstBinding = 2,
                                           .dstArrayElement = 1,
                                           .descriptorCount = 1},
                                          {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                           .srcSet = g.sets[0],
                                           .srcBinding = 2,
                                           .srcArrayElement = 3,
                                           .dstSet = g.sets[0],
                                           .dstBinding = 2,
                                           .dstArrayElement = 2,
                                           .descriptorCount = 1}};
    vkUpdateDescriptorSets(b->device, 0, NULL, 2, copies);
    gpu_run(&g);
}

SCENARIO(copied_from_a_hole, SAFE, .expect = {"VUID-vkCmdDispatch-None-08114"},
         .text = {GPU_TEXT_UNWRITTEN(1)})
{
    copy_element(b, 1);
}

SCENARIO(copied_into_a_hole, GPU)
{
    copy_element(b, 2);
}

/* A set that is freed and allocated again holds nothing. */
static void allocate_anew(struct baseline *b, bool written)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    g.flags = PARTIAL;
    g.index = 2;
    gpu_make(&g);
    gpu_run(&g);
    VK(vkResetDescriptorPool(b->device, g.pool, 0));
    g.hole = written ? GPU_NO_HOLE : 2;
    FORGET(b, g.pool);
    vkDestroyDescriptorPool(b->device, g.pool, NULL);
    gpu_make_set(&g);
    gpu_record(&g);
    gpu_submit(&g);
}

SCENARIO(allocated_anew_and_not_written, SAFE, .expect = {"VUID-vkCmdDispatch-None-08114"},
         .text = {GPU_TEXT_UNWRITTEN(2)})
{
    allocate_anew(b, false);
}

SCENARIO(allocated_anew_and_written, GPU)
{
    allocate_anew(b, true);
}
