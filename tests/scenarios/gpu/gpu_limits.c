/* Programs that leave little room for checks: all sets, all push constants, version 1.0, features
 * that are off, a million mistakes. All of them are still checked. */
#include "gpu/gpu_world.h"

#include <string.h>

#include "gpu_more.h"

#define INDEX_ID "VUID-vkCmdDispatch-None-10068"

/* --- all descriptor sets that the device can bind --- */

static void use_all_sets(struct baseline *b, uint32_t index)
{
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(b->physical_device, &properties);
    ENSURE(properties.limits.maxBoundDescriptorSets == 8);
    struct gpu g = gpu_of(b, gpu_kind_combined, gpu_stage_comp);
    g.code = GPU_CODE(spirv_all_sets);
    g.index = index;
    gpu_make_resources(&g);
    gpu_make_layout(&g);
    VkDescriptorSet sets[8];
    VkDescriptorSetLayout layouts[8];
    for (int i = 0; i < 8; i++) {
        gpu_make_set(&g);
        sets[i] = g.sets[0];
        layouts[i] = g.set_layouts[0];
    }
    VkPipelineLayoutCreateInfo info = pipeline_layout_info(NULL);
    info.setLayoutCount = 8;
    info.pSetLayouts = layouts;
    g.layout = create_pipeline_layout(b, &info);
    gpu_make_pipeline(&g);
    gpu_prepare(&g);
    gpu_begin(&g);
    vkCmdBindPipeline(g.commands, g.bind_point, g.pipeline);
    vkCmdBindDescriptorSets(g.commands, g.bind_point, g.layout, 0, 8, sets, 0, NULL);
    gpu_push(&g);
    gpu_act(&g);
    gpu_submit(&g);
}

SCENARIO(all_sets_past_the_end, GPU, .expect = {INDEX_ID},
         .text = {GPU_TEXT_INDEX(6, 6), "things7[push.index]"})
{
    use_all_sets(b, 6);
}
SCENARIO(all_sets_last, GPU)
{
    use_all_sets(b, 5);
}

/* --- all bytes of push constants, in the layout and in the shader --- */

static void use_all_constants(struct baseline *b, bool in_shader, uint32_t index)
{
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(b->physical_device, &properties);
    uint32_t bytes[64] = {index}, size = properties.limits.maxPushConstantsSize;
    ENSURE(size == sizeof(bytes));
    memset(bytes + 4, 0xff, size - 16);
    struct gpu g = gpu_of(b, gpu_kind_combined, gpu_stage_comp);
    if (in_shader)
        g.code = GPU_CODE(spirv_all_constants);
    gpu_make_resources(&g);
    gpu_make_layout(&g);
    gpu_make_set(&g);
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, size};
    VkPipelineLayoutCreateInfo info = pipeline_layout_info(g.set_layouts);
    info.pushConstantRangeCount = 1;
    info.pPushConstantRanges = &range;
    g.layout = create_pipeline_layout(b, &info);
    gpu_make_pipeline(&g);
    gpu_prepare(&g);
    gpu_begin(&g);
    gpu_bind(&g);
    vkCmdPushConstants(g.commands, g.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, size, bytes);
    gpu_act(&g);
    gpu_submit(&g);
}

/* There is no room to tell the shader which command it runs for: the mistake has a finding all the
 * same. */
SCENARIO(all_constants_past_the_end, GPU, .expect = {"UNASSIGNED-GPU-Assisted-Validation"},
         .text = {GPU_TEXT_INDEX(6, 6), "things[push.index]",
                  GPU_TEXT_STAGE("Compute. Global invocation ID (x,y,z) = (5, 0, 0)")})
{
    use_all_constants(b, true, 6);
}
SCENARIO(all_constants_last, GPU)
{
    use_all_constants(b, true, 5);
}
/* The layout has them all, and the program pushes them; the shader looks at the first only. */
SCENARIO(all_constants_of_layout_past_the_end, GPU,
         .expect = {"UNASSIGNED-GPU-Assisted-Validation"}, .text = {GPU_TEXT_INDEX(6, 6)})
{
    use_all_constants(b, false, 6);
}
SCENARIO(all_constants_of_layout_last, GPU)
{
    use_all_constants(b, false, 5);
}

/* --- what is pushed stays pushed --- */

/* Push constants of the program's live through dispatches, pipelines of other layouts, and what the
 * layer pushes. */
static void push_once(struct baseline *b, uint32_t index)
{
    struct gpu g = gpu_of(b, gpu_kind_combined, gpu_stage_comp);
    g.index = index;
    gpu_make(&g);
    gpu_prepare(&g);
    gpu_begin(&g);
    gpu_bind(&g);
    gpu_push(&g);
    for (int i = 0; i < 3; i++)
        gpu_act(&g);
    vkCmdBindPipeline(g.commands, g.bind_point, gpu_compute_pipeline(b, g.code, g.layout));
    gpu_act(&g);
    gpu_submit(&g);
}

SCENARIO(pushed_once_last, GPU)
{
    push_once(b, 5);
}
SCENARIO(pushed_once_past_the_end, GPU, .expect = {INDEX_ID}, .text = {GPU_TEXT_INDEX(9, 6)})
{
    push_once(b, 9);
    EXPECT(seen_count(b, INDEX_ID) == 4);
}

/* --- programs of version 1.0 --- */

static const VkPhysicalDeviceFeatures2 features10 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .features = {.shaderSampledImageArrayDynamicIndexing = VK_TRUE,
                 .vertexPipelineStoresAndAtomics = VK_TRUE}};
#define LEGACY                                                                  \
    GPU_SETTINGS(), .features = &features10, .api_version = VK_API_VERSION_1_0, \
        .instance_extensions = {VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME}

static void run_legacy(struct baseline *b, enum gpu_stage stage, uint32_t index)
{
    struct gpu g = gpu_of(b, gpu_kind_combined, stage);
    g.code = stage == gpu_stage_comp ? GPU_CODE(spirv_legacy) : GPU_CODE(spirv_legacy_vertex);
    g.fragment = GPU_CODE(spirv_legacy_fragment);
    g.index = index;
    gpu_make(&g);
    gpu_run(&g);
}

SCENARIO(version_1_0_past_the_end, LEGACY, .expect = {INDEX_ID},
         .text = {GPU_TEXT_INDEX(6, 6),
                  "result.value = textureLod(things[push.index], vec2(0.5), 0.0);"})
{
    run_legacy(b, gpu_stage_comp, 6);
}
SCENARIO(version_1_0_last, LEGACY)
{
    run_legacy(b, gpu_stage_comp, 5);
}
SCENARIO(version_1_0_vertex_past_the_end, LEGACY, .expect = {"VUID-vkCmdDraw-None-10068"},
         .text = {GPU_TEXT_INDEX(6, 6)})
{
    run_legacy(b, gpu_stage_vert, 6);
}
SCENARIO(version_1_0_vertex_last, LEGACY)
{
    run_legacy(b, gpu_stage_vert, 5);
}

/* --- nothing enabled that checks need --- */

static const VkPhysicalDeviceFeatures2 few_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .features = {.shaderSampledImageArrayDynamicIndexing = VK_TRUE}};
#define FEW GPU_SETTINGS(), .features = &few_features, .api_version = VK_API_VERSION_1_1

/* Neither device addresses nor stores of vertex and fragment shaders: the layer enables them for
 * itself. */
SCENARIO(no_address_feature_past_the_end, FEW, .expect = {INDEX_ID}, .text = {GPU_TEXT_INDEX(6, 6)})
{
    run_legacy(b, gpu_stage_comp, 6);
}
SCENARIO(no_address_feature_last, FEW)
{
    run_legacy(b, gpu_stage_comp, 5);
}

/* --- very many mistakes --- */

static void make_many_worlds(struct baseline *b, struct gpu_code code, uint32_t index,
                             uint32_t other, uint32_t groups)
{
    struct gpu g = gpu_of(b, gpu_kind_combined, gpu_stage_comp);
    g.code = code;
    g.index = index;
    g.other = other;
    gpu_make(&g);
    gpu_prepare(&g);
    gpu_begin(&g);
    gpu_bind(&g);
    gpu_push(&g);
    vkCmdDispatch(g.commands, groups, 1, 1);
    gpu_submit(&g);
}

/* 1,000,000 invocations say the same. */
SCENARIO(million, GPU_SETTINGS("gpuav_safe_mode=true"), .features = &gpu_features_plain,
         .seconds = 240, .expect = {INDEX_ID},
         .text = {GPU_TEXT_INDEX(6, 6), "999999 more invocations of this command do the same"})
{
    make_many_worlds(b, GPU_CODE(spirv_many), 6, 0, 1000000 / 64);
    EXPECT(seen_count(b, INDEX_ID) == 1);
}

SCENARIO(million_in_order, GPU, .seconds = 240)
{
    make_many_worlds(b, GPU_CODE(spirv_many), 5, 0, 1000000 / 64);
}

/* --- other layers of loops: many command buffers, each with a mistake --- */

SCENARIO(hundred_command_buffers, GPU_SETTINGS("enable_message_limit=false"),
         .features = &gpu_features_plain, .expect = {INDEX_ID},
         .text = {"Index of 7 used", "Index of 106 used"})
{
    struct gpu g = gpu_of(b, gpu_kind_combined, gpu_stage_comp);
    gpu_make(&g);
    gpu_prepare(&g);
    for (uint32_t i = 0; i < 100; i++) {
        g.commands = VK_NULL_HANDLE;
        g.index = 7 + i;
        gpu_record(&g);
        gpu_submit(&g);
    }
    EXPECT_EQUAL(seen_count(b, INDEX_ID), 100);
}

/* One command buffer begun again and again: memory of the layer's does not grow without an end, and
 * each mistake is reported. */
SCENARIO(thousand_recordings, GPU, .seconds = 120)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    gpu_make(&g);
    gpu_prepare(&g);
    for (uint32_t i = 0; i < 1000; i++) {
        g.index = i % GPU_LENGTH;
        gpu_record(&g);
        gpu_submit(&g);
    }
}

/* --- waiting with the host in the middle --- */

static void wait_for_event(struct baseline *b, VkPipelineStageFlags stage)
{
    VkEvent event = make_event(b);
    VkCommandBuffer commands = make_recording(b);
    VK(vkSetEvent(b->device, event));
    if (stage != VK_PIPELINE_STAGE_HOST_BIT) {
        VK(vkResetEvent(b->device, event));
        vkCmdSetEvent(commands, event, stage);
    }
    vkCmdWaitEvents(commands, 1, &event, stage, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, NULL, 0,
                    NULL, 0, NULL);
    run_commands(b, commands);
}

SCENARIO(wait_for_the_host, GPU, .expect = {"WARNING-GPU-Assisted-Validation"},
         .text = {"vkCmdWaitEvents", "VK_PIPELINE_STAGE_HOST_BIT", "deadlock"})
{
    wait_for_event(b, VK_PIPELINE_STAGE_HOST_BIT);
}
SCENARIO(wait_for_commands, GPU)
{
    wait_for_event(b, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
}
SCENARIO(wait_for_the_host_without_checks, .drivers = LAVAPIPE, .features = &gpu_features_plain)
{
    wait_for_event(b, VK_PIPELINE_STAGE_HOST_BIT);
}

static void wait_for_event2(struct baseline *b, VkPipelineStageFlags2 stage)
{
    const VkMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                      .srcStageMask = stage,
                                      .dstStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .memoryBarrierCount = 1,
                                   .pMemoryBarriers = &barrier};
    VkEvent event = make_event(b);
    VkCommandBuffer commands = make_recording(b);
    if (stage != VK_PIPELINE_STAGE_2_HOST_BIT)
        vkCmdSetEvent2(commands, event, &info);
    else
        VK(vkSetEvent(b->device, event));
    vkCmdWaitEvents2(commands, 1, &event, &info);
    run_commands(b, commands);
}

SCENARIO(wait2_for_the_host, GPU, .expect = {"WARNING-GPU-Assisted-Validation"},
         .text = {"vkCmdWaitEvents2", "VK_PIPELINE_STAGE_HOST_BIT"})
{
    wait_for_event2(b, VK_PIPELINE_STAGE_2_HOST_BIT);
}
SCENARIO(wait2_for_commands, GPU)
{
    wait_for_event2(b, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT);
}
