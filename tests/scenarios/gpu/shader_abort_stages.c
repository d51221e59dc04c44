/* Some invocations of a stage give up (VK_KHR_shader_abort as the layer has it), of a workgroup, a
 * patch, a quad, a ray. The scenarios check what they still do, and that all others come to their
 * end. Each shader runs twice: with 41 pushed none gives up, with 42 some do. */
#include "gpu/abort_world.h"

#include <stdlib.h>
#include <string.h>

#include "shader_abort_stages.h"

static const VkPhysicalDeviceMeshShaderFeaturesEXT meshes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
    .pNext = (void *)&abort_features13,
    .taskShader = VK_TRUE,
    .meshShader = VK_TRUE};
static const VkPhysicalDeviceRayTracingPipelineFeaturesKHR rays = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR,
    .pNext = (void *)&abort_features13,
    .rayTracingPipeline = VK_TRUE};
static const VkPhysicalDeviceAccelerationStructureFeaturesKHR structures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
    .pNext = (void *)&rays,
    .accelerationStructure = VK_TRUE};
static const VkPhysicalDeviceFeatures2 with_stores =
                                           ABORT_FEATURES(&abort_features13, ABORT_STORES),
                                       with_meshes = ABORT_FEATURES(&meshes, ABORT_STORES),
                                       with_rays = ABORT_FEATURES(&structures, ABORT_STORES);
#define STORES \
    OURS, .features = &with_stores, .extensions = {ABORT_EXTENSIONS}, .expect = {ABORT_ID}
#define MESHES                      \
    OURS, .features = &with_meshes, \
        .extensions = {ABORT_EXTENSIONS, VK_EXT_MESH_SHADER_EXTENSION_NAME}, .expect = {ABORT_ID}
#define RAYS                                                                         \
    OURS, .features = &with_rays, .seconds = 150, .expect = {ABORT_ID},              \
        .extensions = {ABORT_EXTENSIONS, VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME, \
                       VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,                 \
                       VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME}

/* --- running --- */

#define VALUES 64
struct values {
    uint32_t v[VALUES];
};

/* Begins with the stage that has the code; what else is to be other than plain is set before
 * make_abort_stage(). */
static struct gpu begin_abort_stage(struct baseline *b, enum gpu_stage stage, struct gpu_code code)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, stage);
    g.code = code;
    g.count = 1;
    g.also = VK_SHADER_STAGE_ALL;
    return g;
}

static void make_abort_stage(struct gpu *g)
{
    gpu_make(g);
    gpu_prepare(g);
}

/* Records what runs the shaders, after binding and pushing. */
typedef void act(struct gpu *g);

static struct values run_abort_stage(struct gpu *g, act *act_, uint32_t index, VkResult wanted)
{
    struct values values = {0};
    gpu_fill(g->b, g->result, 0, &values, sizeof(values));
    g->index = index;
    gpu_begin(g);
    gpu_bind(g);
    gpu_push(g);
    act_(g);
    VK(vkEndCommandBuffer(g->commands));
    EXPECT_EQUAL(abort_submit_and_wait(g->b, g->commands), wanted);
    gpu_read(g->b, g->result, 0, &values, sizeof(values));
    return values;
}

/* Values from `first` on. */
#define EXPECT_VALUES(values_, first_, ...)                                            \
    do {                                                                               \
        const uint32_t wanted__[] = {__VA_ARGS__};                                     \
        for (size_t i__ = 0; i__ < sizeof(wanted__) / sizeof(wanted__[0]); i__++) {    \
            if ((values_).v[(first_) + i__] != wanted__[i__])                          \
                scenario_fail(__FILE__, __LINE__, "value %u is %u, not %u",            \
                              (unsigned)((first_) + i__), (values_).v[(first_) + i__], \
                              wanted__[i__]);                                          \
        }                                                                              \
    } while (0)

/* --- tasks and meshes --- */

static void draw_four_groups(struct gpu *g)
{
    gpu_begin_pass(g, VK_SUBPASS_CONTENTS_INLINE);
    DEVICE_PROC(g->b, vkCmdDrawMeshTasksEXT)(g->commands, 4, 1, 1);
    vkCmdEndRenderPass(g->commands);
}

/* One of 32 invocations, in one of four workgroups: the meshes of the other workgroups are there.
 * Of its own, the specification does not say. */
SCENARIO(one_task_of_a_workgroup, MESHES,
         .text = {"The shader has aborted: task 5. ",
                  "Stage = Task. Global invocation ID (x,y,z) = (37, 0, 0)"})
{
    struct gpu g = begin_abort_stage(b, gpu_stage_task, GPU_CODE(spirv_some_task));
    g.instead[gpu_stage_mesh] = GPU_CODE(spirv_counting_mesh);
    make_abort_stage(&g);
    struct values values = run_abort_stage(&g, draw_four_groups, 41, VK_SUCCESS);
    EXPECT_VALUES(values, 0, 32, 32, 32, 32);
    EXPECT_VALUES(values, 8, 2, 2, 2, 2);
    values = run_abort_stage(&g, draw_four_groups, 42, VK_ERROR_DEVICE_LOST);
    EXPECT_VALUES(values, 0, 32, 31, 32, 32);
    EXPECT_VALUES(values, 8, 2);
    EXPECT_VALUES(values, 10, 2, 2);
}

static void run_mesh(struct baseline *b, struct gpu_code code)
{
    struct gpu g = begin_abort_stage(b, gpu_stage_mesh, code);
    make_abort_stage(&g);
    struct values values = run_abort_stage(&g, draw_four_groups, 41, VK_SUCCESS);
    EXPECT_VALUES(values, 0, 32, 32, 32, 32);
    values = run_abort_stage(&g, draw_four_groups, 42, VK_ERROR_DEVICE_LOST);
    EXPECT_VALUES(values, 0, 32, 31, 32, 32);
}

SCENARIO(one_mesh_before_its_outputs, MESHES, .text = {"The shader has aborted: mesh 5. "})
{
    run_mesh(b, GPU_CODE(spirv_mesh_before));
}

SCENARIO(one_mesh_behind_its_outputs, MESHES, .text = {"The shader has aborted: mesh 5. "})
{
    run_mesh(b, GPU_CODE(spirv_mesh_behind));
}

/* --- vertices, patches, primitives --- */

static void draw_six(struct gpu *g)
{
    gpu_begin_pass(g, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdDraw(g->commands, 6, 1, 0, 0);
    vkCmdEndRenderPass(g->commands);
}

/* One control point of a patch, before the barrier that the others reach. */
SCENARIO(one_control_point, STORES,
         .text = {"The shader has aborted: control point 1. ", "Stage = Tessellation Control"})
{
    struct gpu g = begin_abort_stage(b, gpu_stage_tesc, GPU_CODE(spirv_tesc_barrier));
    make_abort_stage(&g);
    struct values values = run_abort_stage(&g, draw_six, 41, VK_SUCCESS);
    EXPECT_VALUES(values, 0, 1, 1, 1);
    EXPECT_VALUES(values, 8, 1, 1, 1);
    values = run_abort_stage(&g, draw_six, 42, VK_ERROR_DEVICE_LOST);
    EXPECT_VALUES(values, 0, 1, 0, 1);
    EXPECT_VALUES(values, 8, 1, 1, 1);
}

/* Vertices are out before it gives up. */
SCENARIO(one_primitive, STORES,
         .text = {"The shader has aborted: primitive 1. ", "Stage = Geometry. Primitive ID = 1"})
{
    struct gpu g = begin_abort_stage(b, gpu_stage_geom, GPU_CODE(spirv_some_geom));
    g.fragment = GPU_CODE(spirv_drawn_frag);
    make_abort_stage(&g);
    struct values values = run_abort_stage(&g, draw_six, 41, VK_SUCCESS);
    EXPECT_VALUES(values, 0, 1, 1);
    EXPECT_VALUES(values, 8, 1, 1);
    EXPECT_VALUES(values, 16, 1);
    values = run_abort_stage(&g, draw_six, 42, VK_ERROR_DEVICE_LOST);
    EXPECT_VALUES(values, 0, 1, 1);
    EXPECT_VALUES(values, 8, 1, 0);
    EXPECT_VALUES(values, 16, 1);
}

static VkBuffer indices;

static void draw_instances(struct gpu *g)
{
    gpu_begin_pass(g, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindIndexBuffer(g->commands, indices, 0, VK_INDEX_TYPE_UINT16);
    vkCmdDrawIndexed(g->commands, 3, 3, 0, 5, 1);
    vkCmdEndRenderPass(g->commands);
}

SCENARIO(one_vertex_of_an_instance, STORES,
         .text = {"The shader has aborted: vertex 6 of instance 2. ", "vkCmdDrawIndexed",
                  "Stage = Vertex. Vertex index = 6. Instance index = 2"})
{
    static const uint16_t triangle[] = {0, 1, 2};
    indices = make_buffer(b, sizeof(triangle), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    gpu_fill(b, indices, 0, triangle, sizeof(triangle));
    struct gpu g = begin_abort_stage(b, gpu_stage_vert, GPU_CODE(spirv_some_vert));
    make_abort_stage(&g);
    struct values values = run_abort_stage(&g, draw_instances, 41, VK_SUCCESS);
    for (uint32_t i = 1; i <= 3; i++)
        EXPECT_VALUES(values, 8 * i, 1, 1, 1);
    values = run_abort_stage(&g, draw_instances, 42, VK_ERROR_DEVICE_LOST);
    EXPECT_VALUES(values, 8, 1, 1, 1);
    EXPECT_VALUES(values, 16, 1, 0, 1);
    EXPECT_VALUES(values, 24, 1, 1, 1);
}

/* --- fragments --- */

#define PIXELS  (IMAGE_EXTENT * IMAGE_EXTENT)
#define CLEARED 0xff000000u /* as rendering_attachment() has it */

/* Two attachments, and buffers that they are copied to. */
static struct {
    VkImage images[2];
    VkImageView views[2];
    VkBuffer copies[2];
} targets;

static void make_targets(struct baseline *b)
{
    for (int i = 0; i < 2; i++) {
        const VkImageCreateInfo image =
            image_info(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
        targets.images[i] = make_image_of(b, &image);
        VkImageViewCreateInfo view = image_view_info(targets.images[i]);
        targets.views[i] = create_image_view(b, &view);
        targets.copies[i] = make_buffer(b, PIXELS * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    }
}

static void make_two_target_pipeline(struct gpu *g, struct gpu_code fragment)
{
    static const VkFormat formats[] = {COLOR_FORMAT, COLOR_FORMAT};
    const VkPipelineRenderingCreateInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = 2,
        .pColorAttachmentFormats = formats};
    const VkShaderModule vertex = MAKE_SHADER(g->b, spirv_half_vert);
    struct graphics_pipeline pipeline;
    graphics_pipeline_fill(&pipeline, vertex, make_shader_from(g->b, fragment.words, fragment.size),
                           g->layout, VK_NULL_HANDLE);
    const VkPipelineColorBlendAttachmentState blend[2] = {pipeline.blend_attachment,
                                                          pipeline.blend_attachment};
    pipeline.color_blend.attachmentCount = 2;
    pipeline.color_blend.pAttachments = blend;
    pipeline.info.pNext = &rendering;
    g->pipeline = create_graphics_pipeline(g->b, &pipeline.info);
    ENSURE(g->pipeline);
}

static void draw_to_both(struct gpu *g)
{
    VkImageMemoryBarrier barriers[2];
    VkRenderingAttachmentInfo attachments[2];
    for (int i = 0; i < 2; i++) {
        barriers[i] =
            image_barrier(targets.images[i], VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
        attachments[i] = rendering_attachment(targets.views[i]);
        attachments[i].imageLayout = VK_IMAGE_LAYOUT_GENERAL;
        attachments[i].loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
        attachments[i].storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    }
    VkRenderingInfo rendering = rendering_info(attachments);
    rendering.colorAttachmentCount = 2;
    vkCmdPipelineBarrier(g->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 2, barriers);
    vkCmdBeginRendering(g->commands, &rendering);
    vkCmdDraw(g->commands, 3, 1, 0, 0);
    vkCmdEndRendering(g->commands);
    const VkMemoryBarrier drawn = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                   .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                   .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT};
    vkCmdPipelineBarrier(g->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &drawn, 0, NULL, 0, NULL);
    const VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                    .imageExtent = {IMAGE_EXTENT, IMAGE_EXTENT, 1}};
    for (int i = 0; i < 2; i++)
        vkCmdCopyImageToBuffer(g->commands, targets.images[i], VK_IMAGE_LAYOUT_GENERAL,
                               targets.copies[i], 1, &copy);
}

static uint32_t pixel_at(struct baseline *b, int target, uint32_t x, uint32_t y)
{
    uint32_t value;
    gpu_read(b, targets.copies[target], 4ull * (y * IMAGE_EXTENT + x), &value, sizeof(value));
    return value;
}

static uint32_t count_pixels(struct baseline *b, int target, uint32_t color)
{
    static uint32_t pixels[PIXELS];
    uint32_t count = 0;
    gpu_read(b, targets.copies[target], 0, pixels, sizeof(pixels));
    for (uint32_t i = 0; i < PIXELS; i++)
        count += pixels[i] == color;
    return count;
}

static struct gpu two_targets(struct baseline *b, struct gpu_code code)
{
    struct gpu g = begin_abort_stage(b, gpu_stage_frag, code);
    gpu_make_resources(&g);
    gpu_make_layout(&g);
    gpu_make_set(&g);
    make_targets(b);
    make_two_target_pipeline(&g, code);
    gpu_prepare(&g);
    return g;
}

/* One fragment gives up, and one is discarded: neither attachment has anything of them, and all
 * others have all of it. Derivatives of quads with none of them are what they were. */
static void run_fragments(struct baseline *b, struct gpu_code code)
{
    struct gpu g = two_targets(b, code);
    struct values values = run_abort_stage(&g, draw_to_both, 41, VK_SUCCESS);
    const uint32_t all = values.v[0];
    EXPECT(all > PIXELS / 3);
    EXPECT_EQUAL(count_pixels(b, 1, UINT32_MAX), all);
    EXPECT_EQUAL(pixel_at(b, 0, 9, 40), CLEARED);
    EXPECT_EQUAL(pixel_at(b, 0, 10, 20), UINT32_MAX);
    values = run_abort_stage(&g, draw_to_both, 42, VK_ERROR_DEVICE_LOST);
    EXPECT_EQUAL(values.v[0], all - 1);
    EXPECT_EQUAL(count_pixels(b, 1, UINT32_MAX), all - 1);
    for (int i = 0; i < 2; i++) {
        EXPECT_EQUAL(pixel_at(b, i, 9, 40), CLEARED);
        EXPECT_EQUAL(pixel_at(b, i, 10, 20), CLEARED);
        EXPECT_EQUAL(pixel_at(b, i, 12, 20), UINT32_MAX);
    }
    EXPECT(count_pixels(b, 0, UINT32_MAX) >= all - 3 - 3);
    EXPECT_EQUAL(count_pixels(b, 0, CLEARED), count_pixels(b, 1, CLEARED));
}

SCENARIO(one_fragment, STORES, .text = {"The shader has aborted: fragment 10, 20. "})
{
    run_fragments(b, GPU_CODE(spirv_some_frag));
}

SCENARIO(one_fragment_with_early_tests, STORES,
         .text = {"The shader has aborted: fragment 10, 20. "})
{
    run_fragments(b, GPU_CODE(spirv_early_frag));
}

/* All fragments along the triangle's edge, and helper invocations of their quads, which have no
 * effects: no message is theirs. */
SCENARIO(fragments_with_helpers, STORES, .text = {"The shader has aborted: fragment "})
{
    struct gpu g = two_targets(b, GPU_CODE(spirv_helpers_frag));
    const uint32_t all = run_abort_stage(&g, draw_to_both, 41, VK_SUCCESS).v[0];
    const uint32_t left = run_abort_stage(&g, draw_to_both, 42, VK_ERROR_DEVICE_LOST).v[0];
    EXPECT(left < all);
    EXPECT_EQUAL(count_pixels(b, 0, UINT32_MAX), left);
    struct abort_messages messages = abort_messages_read(b);
    EXPECT_EQUAL(messages.count, all - left);
    for (uint32_t i = 0; i < messages.count; i++) {
        uint64_t size;
        float at[2];
        memcpy(at, abort_message_at(&messages, i, &size) + 16, sizeof(at));
        EXPECT_EQUAL(size, 24);
        EXPECT(at[0] + at[1] > 60 && at[0] + at[1] < 65);
        messages.claimed[i] = true;
    }
    abort_messages_end(&messages);
}

/* --- rays --- */

static void trace_abort(struct gpu *g)
{
    gpu_act(g);
}

static struct gpu ray_world(struct baseline *b, enum gpu_stage stage, struct gpu_code code)
{
    struct gpu g = begin_abort_stage(b, stage, code);
    g.instead[gpu_stage_rgen] = GPU_CODE(spirv_goes_on_rgen);
    return g;
}

/* Called by a closest hit: both go on, as does the ray generation shader. */
SCENARIO(callable_of_a_closest_hit, RAYS,
         .text = {"The shader has aborted: called by ray 1. ", "Stage = Callable"})
{
    struct gpu g = ray_world(b, gpu_stage_rcall, GPU_CODE(spirv_called_rcall));
    g.instead[gpu_stage_rchit] = GPU_CODE(spirv_calls_rchit);
    make_abort_stage(&g);
    struct values values = run_abort_stage(&g, trace_abort, 41, VK_SUCCESS);
    EXPECT_VALUES(values, 0, 2, 3, 10, 1, 8);
    EXPECT_VALUES(values, 8, 2, 3, 10, 1, 8);
    values = run_abort_stage(&g, trace_abort, 42, VK_ERROR_DEVICE_LOST);
    EXPECT_VALUES(values, 0, 2, 3, 10, 1, 8);
    EXPECT_VALUES(values, 8, 2, 3, 10, 1, 7);
}

/* The hit is ignored: the ray misses. */
SCENARIO(any_hit_of_a_ray, RAYS, .text = {"The shader has aborted: any hit of ray 1. "})
{
    struct gpu g = ray_world(b, gpu_stage_rahit, GPU_CODE(spirv_some_rahit));
    make_abort_stage(&g);
    struct values values = run_abort_stage(&g, trace_abort, 41, VK_SUCCESS);
    EXPECT_VALUES(values, 0, 2, 3, 4, 1, 0, 1);
    EXPECT_VALUES(values, 8, 2, 3, 4, 1, 0, 1);
    values = run_abort_stage(&g, trace_abort, 42, VK_ERROR_DEVICE_LOST);
    EXPECT_VALUES(values, 0, 2, 3, 4, 1, 0, 1);
    EXPECT_VALUES(values, 8, 3, 3, 4, 1, 0, 0);
}

SCENARIO(intersection_of_a_ray, RAYS, .text = {"The shader has aborted: intersection of ray 1. "})
{
    struct gpu g = ray_world(b, gpu_stage_rint, GPU_CODE(spirv_some_rint));
    make_abort_stage(&g);
    struct values values = run_abort_stage(&g, trace_abort, 41, VK_SUCCESS);
    EXPECT_VALUES(values, 0, 2, 3, 4, 1);
    EXPECT_VALUES(values, 8, 2, 3, 4, 1);
    values = run_abort_stage(&g, trace_abort, 42, VK_ERROR_DEVICE_LOST);
    EXPECT_VALUES(values, 0, 2, 3, 4, 1);
    EXPECT_VALUES(values, 8, 3, 3, 4, 1);
}

/* --- barriers that an invocation never reaches --- */

static void dispatch_four(struct gpu *g)
{
    vkCmdDispatch(g->commands, 4, 1, 1);
}

/* Runs workgroups that count together. The caller knows the count of the second one, in which some
 * give up. */
static struct values run_barrier(struct baseline *b, struct gpu_code code, uint32_t all)
{
    struct gpu g = begin_abort_stage(b, gpu_stage_comp, code);
    make_abort_stage(&g);
    struct values values = run_abort_stage(&g, dispatch_four, 41, VK_SUCCESS);
    EXPECT_VALUES(values, 0, all, all, all, all);
    values = run_abort_stage(&g, dispatch_four, 42, VK_ERROR_DEVICE_LOST);
    EXPECT_VALUES(values, 0, all);
    EXPECT_VALUES(values, 2, all, all);
    return values;
}

#define BARRIER(name_, text_, all_, less_)                                       \
    SCENARIO(name_, STORES, .text = {"The shader has aborted: " text_ ". "})     \
    {                                                                            \
        EXPECT_EQUAL(run_barrier(b, GPU_CODE(spirv_##name_), all_).v[1], less_); \
    }
BARRIER(barrier_behind, "before the barrier", 64, 63)
BARRIER(barrier_loop, "turn 2", 256, 254)
BARRIER(barrier_called, "before the barrier", 64, 63)
BARRIER(subgroup_behind, "before the barrier", 64, 63)
BARRIER(group_behind, "all of a group", 64, 0)

/* All that run in one go on the processor. lavapipe ends the workgroup with them, instead of
 * waiting at the barrier for what does not come. It ends. */
SCENARIO(half_behind, STORES, .text = {"The shader has aborted: half of a group. "})
{
    const uint32_t counted = run_barrier(b, GPU_CODE(spirv_half_behind), 128).v[1];
    EXPECT(counted == 0 || counted == 64);
}
