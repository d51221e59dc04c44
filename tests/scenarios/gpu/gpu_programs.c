/* Programs use pipelines and command buffers in many ways. There are pipelines linked of libraries,
 * several modules that fail, command buffers that are submitted again, at once, within each other.
 * A device has no memory left for checks. */
#include "gpu/gpu_world.h"

#include "gpu_checks.h"

#define OUTSIDE(command_) "VUID-" command_ "-None-10068"
#define VERTEX            "Vertex. Vertex index = 1. Instance index = 0"
#define FRAGMENT          "Fragment. Fragment coord (x,y) = (10.5, 20.5)"

/* --- two stages --- */

/* Each of them reads past the end of the array, or is a plain one. */
static struct gpu two_stages(struct baseline *b, bool bad_vertices, bool bad_fragments)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_vert);
    g.also = VK_SHADER_STAGE_FRAGMENT_BIT;
    g.index = GPU_LENGTH;
    if (!bad_vertices)
        g.code = gpu_plain_code(gpu_stage_vert);
    if (bad_fragments)
        g.fragment = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_frag).code;
    return g;
}

SCENARIO(two_modules_past_the_end, GPU, .expect = {OUTSIDE("vkCmdDraw")},
         .text = {GPU_TEXT_INDEX(6, 6), GPU_TEXT_STAGE(VERTEX), GPU_TEXT_STAGE(FRAGMENT),
                  "command 4: vkCmdDraw"})
{
    struct gpu g = two_stages(b, true, true);
    gpu_make(&g);
    gpu_run(&g);
    EXPECT_EQUAL(seen_count(b, OUTSIDE("vkCmdDraw")), 2);
}

/* --- pipelines that are linked --- */

static const VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT library_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
    .pNext = (void *)&gpu_features_plain,
    .graphicsPipelineLibrary = VK_TRUE};
#define LIBRARIES                                              \
    GPU_SETTINGS(), .features = &library_features,             \
        .extensions = {VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME, \
                       VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME}

#define OF_VERTICES                                                \
    (VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT | \
     VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT)
#define OF_FRAGMENTS                                        \
    (VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT | \
     VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT)

static VkPipeline make_fragment_library(struct gpu *g, bool fragments, VkPipelineCreateFlags flags)
{
    const VkGraphicsPipelineLibraryCreateInfoEXT parts = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
        .flags = fragments ? OF_FRAGMENTS : OF_VERTICES};
    const VkPipelineDepthStencilStateCreateInfo depth = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    const struct gpu_code code = fragments ? g->fragment : g->code;
    const VkPipelineShaderStageCreateInfo stage =
        stage_info(fragments ? VK_SHADER_STAGE_FRAGMENT_BIT : VK_SHADER_STAGE_VERTEX_BIT,
                   make_shader_from(g->b, code.words, code.size));
    struct graphics_pipeline p;
    graphics_pipeline_fill(&p, VK_NULL_HANDLE, VK_NULL_HANDLE, g->layout, g->render_pass);
    p.info.pNext = &parts;
    p.info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR | flags;
    p.info.stageCount = 1;
    p.info.pStages = &stage;
    p.info.pDepthStencilState = &depth;
    VkPipeline library = create_graphics_pipeline(g->b, &p.info);
    ENSURE(library);
    return library;
}

static void draw_linked(struct baseline *b, bool bad_vertices, bool bad_fragments, bool optimized)
{
    struct gpu g = two_stages(b, bad_vertices, bad_fragments);
    gpu_make_resources(&g);
    gpu_make_layout(&g);
    gpu_make_set(&g);
    g.render_pass = make_render_pass(b);
    g.framebuffer = make_framebuffer(b, g.render_pass, make_image_view(b));
    const VkPipelineCreateFlags retain =
        optimized ? VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT : 0;
    const VkPipeline libraries[] = {make_fragment_library(&g, false, retain),
                                    make_fragment_library(&g, true, retain)};
    const VkPipelineLibraryCreateInfoKHR linked = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
        .libraryCount = 2,
        .pLibraries = libraries};
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = &linked,
        .flags = optimized ? VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT : 0,
        .layout = g.layout,
        .basePipelineIndex = -1};
    g.pipeline = create_graphics_pipeline(b, &info);
    ENSURE(g.pipeline);
    gpu_run(&g);
}

#define LINKED(name_, optimized_)                                                              \
    SCENARIO(name_##_vertices_past_the_end, LIBRARIES, .expect = {OUTSIDE("vkCmdDraw")},       \
             .text = {GPU_TEXT_INDEX(6, 6), GPU_TEXT_STAGE(VERTEX), "command 4: vkCmdDraw",    \
                      "things[push.index].value"})                                             \
    {                                                                                          \
        draw_linked(b, true, false, optimized_);                                               \
        EXPECT_EQUAL(seen_count(b, OUTSIDE("vkCmdDraw")), 1);                                  \
    }                                                                                          \
    SCENARIO(name_##_fragments_past_the_end, LIBRARIES, .expect = {OUTSIDE("vkCmdDraw")},      \
             .text = {GPU_TEXT_INDEX(6, 6), GPU_TEXT_STAGE(FRAGMENT), "command 4: vkCmdDraw",  \
                      "things[push.index].value"})                                             \
    {                                                                                          \
        draw_linked(b, false, true, optimized_);                                               \
        EXPECT_EQUAL(seen_count(b, OUTSIDE("vkCmdDraw")), 1);                                  \
    }                                                                                          \
    SCENARIO(name_##_both_past_the_end, LIBRARIES, .expect = {OUTSIDE("vkCmdDraw")},           \
             .text = {GPU_TEXT_INDEX(6, 6), GPU_TEXT_STAGE(VERTEX), GPU_TEXT_STAGE(FRAGMENT)}) \
    {                                                                                          \
        draw_linked(b, true, true, optimized_);                                                \
        EXPECT_EQUAL(seen_count(b, OUTSIDE("vkCmdDraw")), 2);                                  \
    }                                                                                          \
    SCENARIO(name_##_in_order, LIBRARIES)                                                      \
    {                                                                                          \
        draw_linked(b, false, false, optimized_);                                              \
    }
LINKED(linked, false)
LINKED(optimized, true)

/* --- command buffers that run more than once --- */

static void submit_programs(struct baseline *b, uint32_t count, const VkCommandBuffer *commands)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = count,
                               .pCommandBuffers = commands};
    VK(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE));
    VK(vkQueueWaitIdle(b->queue));
}

static void record_gpu(struct gpu *g, const VkCommandBufferBeginInfo *info)
{
    VK(vkBeginCommandBuffer(g->commands, info));
    gpu_bind(g);
    gpu_push(g);
    gpu_act(g);
    VK(vkEndCommandBuffer(g->commands));
}

/* A dispatch that reads this element, in a command buffer that is ended. */
static struct gpu gpu_recorded(struct baseline *b, uint32_t index, VkCommandBufferUsageFlags usage)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    g.index = index;
    gpu_make(&g);
    gpu_prepare(&g);
    VkCommandBufferBeginInfo info = begin_info();
    info.flags = usage;
    g.commands = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    record_gpu(&g, &info);
    return g;
}

SCENARIO(submitted_again_past_the_end, GPU, .expect = {OUTSIDE("vkCmdDispatch")},
         .text = {GPU_TEXT_INDEX(6, 6), "command 3: vkCmdDispatch"})
{
    struct gpu g = gpu_recorded(b, GPU_LENGTH, 0);
    for (unsigned i = 1; i <= 3; i++) {
        submit_programs(b, 1, &g.commands);
        EXPECT_EQUAL(seen_count(b, OUTSIDE("vkCmdDispatch")), i);
    }
}
SCENARIO(submitted_again_last, GPU)
{
    struct gpu g = gpu_recorded(b, GPU_LENGTH - 1, 0);
    for (int i = 0; i < 3; i++)
        submit_programs(b, 1, &g.commands);
}

/* The same command, three times in one batch. It is reported at least once, by when its records are
 * read, and once at most for each of them. */
SCENARIO(simultaneous_past_the_end, GPU, .expect = {OUTSIDE("vkCmdDispatch")},
         .text = {GPU_TEXT_INDEX(6, 6), "command 3: vkCmdDispatch"})
{
    struct gpu g = gpu_recorded(b, GPU_LENGTH, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    submit_programs(b, 3, (const VkCommandBuffer[]){g.commands, g.commands, g.commands});
    EXPECT(seen_count(b, OUTSIDE("vkCmdDispatch")) <= 3);
}
SCENARIO(simultaneous_last, GPU)
{
    struct gpu g = gpu_recorded(b, GPU_LENGTH - 1, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    submit_programs(b, 3, (const VkCommandBuffer[]){g.commands, g.commands, g.commands});
}

/* --- secondaries within secondaries --- */

static const VkPhysicalDeviceNestedCommandBufferFeaturesEXT nested_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NESTED_COMMAND_BUFFER_FEATURES_EXT,
    .pNext = (void *)&gpu_features_plain,
    .nestedCommandBuffer = VK_TRUE};
#define NESTED                                    \
    GPU_SETTINGS(), .features = &nested_features, \
        .extensions = {VK_EXT_NESTED_COMMAND_BUFFER_EXTENSION_NAME}

static VkCommandBuffer begin_simultaneous(struct baseline *b)
{
    static const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo info = begin_info();
    info.pInheritanceInfo = &inheritance;
    VkCommandBuffer commands = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VK(vkBeginCommandBuffer(commands, &info));
    return commands;
}

/* The primary's own dispatch, in order, comes first; after it one in each secondary. */
static void run_nested(struct baseline *b, uint32_t outer_index, uint32_t inner_index)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    gpu_make(&g);
    gpu_prepare(&g);
    gpu_record(&g);
    VkCommandBuffer primary = g.commands, outer = begin_simultaneous(b),
                    inner = begin_simultaneous(b);
    gpu_name(b, VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE(outer), "the outer one");
    gpu_name(b, VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE(inner), "the inner one");
    for (int i = 0; i < 2; i++) {
        g.commands = i ? inner : outer;
        g.index = i ? inner_index : outer_index;
        gpu_bind(&g);
        gpu_push(&g);
        gpu_act(&g);
    }
    VK(vkEndCommandBuffer(inner));
    vkCmdExecuteCommands(outer, 1, &inner);
    VK(vkEndCommandBuffer(outer));
    vkCmdExecuteCommands(primary, 1, &outer);
    run_commands(b, primary);
}

SCENARIO(nested_inner_past_the_end, NESTED, .expect = {OUTSIDE("vkCmdDispatch")},
         .text = {GPU_TEXT_INDEX(6, 6),
                  "command 3: vkCmdDispatch. Executed by command 4 of command buffer 0x",
                  "\"the outer one\", which is executed by command 4 of command buffer 0x",
                  "\"the inner one\"", "vkCmdExecuteCommands, command 4 of VkCommandBuffer 0x"})
{
    run_nested(b, 0, GPU_LENGTH);
}
SCENARIO(nested_both_past_the_end, NESTED, .expect = {OUTSIDE("vkCmdDispatch")},
         .text = {GPU_TEXT_INDEX(7, 6), GPU_TEXT_INDEX(8, 6), "\"the outer one\"",
                  "\"the inner one\""})
{
    run_nested(b, 7, 8);
    EXPECT_EQUAL(seen_count(b, OUTSIDE("vkCmdDispatch")), 2);
}
SCENARIO(nested_last, NESTED)
{
    run_nested(b, GPU_LENGTH - 1, GPU_LENGTH - 1);
}

/* --- which vkCmdExecuteCommands ran a secondary --- */

#define SIMULTANEOUS VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT

/* A dispatch that reads beyond the end, in a secondary that is ended. */
static struct gpu wrong_secondary(struct baseline *b, VkCommandBufferUsageFlags usage)
{
    static const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    VkCommandBufferBeginInfo info = begin_info();
    g.index = GPU_LENGTH;
    gpu_make(&g);
    gpu_prepare(&g);
    info.flags = usage;
    info.pInheritanceInfo = &inheritance;
    g.commands = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    record_gpu(&g, &info);
    return g;
}

/* Under labels; the command itself has the number 2. */
static void execute_in(struct baseline *b, VkCommandBuffer primary, VkCommandBuffer secondary)
{
    const VkDebugUtilsLabelEXT outer = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                        .pLabelName = "frame 12"};
    const VkDebugUtilsLabelEXT inner = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                        .pLabelName = "shadows"};
    const VkCommandBufferBeginInfo info = begin_info();
    VK(vkBeginCommandBuffer(primary, &info));
    INSTANCE_PROC(b, vkCmdBeginDebugUtilsLabelEXT)(primary, &outer);
    INSTANCE_PROC(b, vkCmdBeginDebugUtilsLabelEXT)(primary, &inner);
    vkCmdExecuteCommands(primary, 1, &secondary);
    INSTANCE_PROC(b, vkCmdEndDebugUtilsLabelEXT)(primary);
    INSTANCE_PROC(b, vkCmdEndDebugUtilsLabelEXT)(primary);
}

static VkCommandBuffer make_primary(struct baseline *b, const char *name)
{
    VkCommandBuffer primary = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    gpu_name(b, VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE(primary), name);
    return primary;
}

SCENARIO(secondary_executed_once, GPU, .expect = {OUTSIDE("vkCmdDispatch")},
         .text = {"command 3: vkCmdDispatch. Executed by command 2 of command buffer 0x",
                  " \"first\". Pipeline (0x",
                  "    primary vkCmdExecuteCommands, command 2 of VkCommandBuffer 0x",
                  "            under the label frame 12 > shadows\n            called by "})
{
    struct gpu g = wrong_secondary(b, 0);
    VkCommandBuffer primary = make_primary(b, "first");
    execute_in(b, primary, g.commands);
    VK(vkEndCommandBuffer(primary));
    submit_programs(b, 1, &primary);
}

/* Recorded again, the primary is the only one again; what another one had recorded is invalid. */
SCENARIO(secondary_executed_once_again, GPU, .expect = {OUTSIDE("vkCmdDispatch")},
         .text = {"Executed by command 2 of command buffer 0x", "\"first\". Pipeline",
                  "\"second\". Pipeline"})
{
    struct gpu g = wrong_secondary(b, 0);
    VkCommandBuffer primaries[] = {make_primary(b, "first"), make_primary(b, "second")};
    for (int i = 0; i < 3; i++) {
        execute_in(b, primaries[i / 2], g.commands);
        VK(vkEndCommandBuffer(primaries[i / 2]));
        submit_programs(b, 1, &primaries[i / 2]);
    }
    EXPECT_EQUAL(seen_count(b, OUTSIDE("vkCmdDispatch")), 3);
    expect_no_text(b, "is not known");
}

SCENARIO(secondary_executed_twice, GPU, .expect = {OUTSIDE("vkCmdDispatch")},
         .text = {"Executed 2 times, and which of them it was is not known: by command 2 of "
                  "command buffer 0x",
                  "\"first\", by command 5 of command buffer 0x",
                  "vkCmdExecuteCommands, command 5 of VkCommandBuffer 0x"})
{
    struct gpu g = wrong_secondary(b, SIMULTANEOUS);
    VkCommandBuffer primary = make_primary(b, "first");
    execute_in(b, primary, g.commands);
    vkCmdExecuteCommands(primary, 1, &g.commands);
    VK(vkEndCommandBuffer(primary));
    submit_programs(b, 1, &primary);
}

/* One that was recorded again without it executes it no more. */
SCENARIO(secondary_executed_by_another, GPU, .expect = {OUTSIDE("vkCmdDispatch")},
         .text = {"Executed by command 2 of command buffer 0x", " \"second\". Pipeline"})
{
    struct gpu g = wrong_secondary(b, SIMULTANEOUS);
    VkCommandBuffer first = make_primary(b, "first"), second = make_primary(b, "second");
    const VkCommandBufferBeginInfo info = begin_info();
    execute_in(b, first, g.commands);
    VK(vkEndCommandBuffer(first));
    VK(vkBeginCommandBuffer(first, &info));
    execute_in(b, second, g.commands);
    VK(vkEndCommandBuffer(second));
    submit_programs(b, 1, &second);
    expect_no_text(b, "\"first\"");
}

/* More than are distinguished. */
SCENARIO(secondary_executed_often, GPU, .expect = {OUTSIDE("vkCmdDispatch")},
         .text = {"Executed 24 times, and which of them it was is not known: by command 0 of "
                  "command buffer 0x"})
{
    struct gpu g = wrong_secondary(b, SIMULTANEOUS);
    const VkCommandBuffer twice[] = {g.commands, g.commands};
    VkCommandBuffer primary = make_primary(b, "first");
    const VkCommandBufferBeginInfo info = begin_info();
    VK(vkBeginCommandBuffer(primary, &info));
    for (int i = 0; i < 12; i++)
        vkCmdExecuteCommands(primary, 2, twice);
    VK(vkEndCommandBuffer(primary));
    submit_programs(b, 1, &primary);
}

/* Whichever it was, it was within the label. */
SCENARIO(secondary_executed_where_muted, GPU_SETTINGS("mute_labels=frame*"),
         .features = &gpu_features_plain, .ours_only = true)
{
    struct gpu g = wrong_secondary(b, SIMULTANEOUS);
    VkCommandBuffer primaries[] = {make_primary(b, "first"), make_primary(b, "second")};
    for (int i = 0; i < 2; i++) {
        execute_in(b, primaries[i], g.commands);
        VK(vkEndCommandBuffer(primaries[i]));
    }
    submit_programs(b, 2, primaries);
}
SCENARIO(secondary_executed_where_perhaps_muted, GPU_SETTINGS("mute_labels=frame*"),
         .features = &gpu_features_plain, .ours_only = true, .expect = {OUTSIDE("vkCmdDispatch")})
{
    struct gpu g = wrong_secondary(b, SIMULTANEOUS);
    VkCommandBuffer primary = make_primary(b, "first");
    execute_in(b, primary, g.commands);
    vkCmdExecuteCommands(primary, 1, &g.commands);
    VK(vkEndCommandBuffer(primary));
    submit_programs(b, 1, &primary);
}

/* --- a device that has no memory left; nothing runs on the null driver --- */

#define NO_MEMORY(json_)                                                              \
    .drivers = NULL_DRIVER, .settings = {"gpuav_enable=true", "validate_core=false"}, \
    .null_driver = (json_), .ours_only = true, .expect = {"WARNING-GPU-Assisted-Validation"}

static VkPipeline dividing_pipeline(struct baseline *b, VkPipelineLayout layout)
{
    return gpu_compute_pipeline(b, GPU_CODE(spirv_udiv_comp), layout);
}

/* No set is bound, and nothing pushed: the null driver does not mind. */
static VkPipelineLayout layout_for_dividing(struct baseline *b)
{
    static const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 16};
    static const VkDescriptorSetLayoutBinding result = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                        VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    VkDescriptorSetLayoutCreateInfo set = descriptor_set_layout_info();
    set.bindingCount = 1;
    set.pBindings = &result;
    const VkDescriptorSetLayout set_layout = create_descriptor_set_layout(b, &set);
    VkPipelineLayoutCreateInfo info = pipeline_layout_info(&set_layout);
    info.pushConstantRangeCount = 1;
    info.pPushConstantRanges = &range;
    return create_pipeline_layout(b, &info);
}

SCENARIO(no_memory_at_all,
         NO_MEMORY("{\"fail\": {\"vkAllocateMemory\": \"VK_ERROR_OUT_OF_DEVICE_MEMORY\"}}"),
         .text = {"vkCreateDevice(): found no memory for GPU-assisted validation: shaders run as "
                  "they are"})
{
    dividing_pipeline(b, layout_for_dividing(b));
    EXPECT_EQUAL(seen_count(b, NULL), 1);
}

/* Memory ends while commands are recorded: the program goes on, with shaders that are still there,
 * and hears of it once. */
SCENARIO(no_memory_any_more, NO_MEMORY("{\"failAfter\": {\"vkAllocateMemory\": 6}}"),
         .text = {
             "vkCmdDispatch(): found no memory for GPU-assisted validation: no more shaders are "
             "instrumented, and those that are cannot say any more which command ran them"})
{
    VkPipelineLayout layout = layout_for_dividing(b);
    VkPipeline pipeline = dividing_pipeline(b, layout);
    VkCommandBuffer commands = make_recording(b);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    for (unsigned i = 0; i < 400000 && !seen_count(b, NULL); i++)
        vkCmdDispatch(commands, 1, 1, 1);
    ENSURE(seen_count(b, NULL) == 1);
    for (int i = 0; i < 1000; i++)
        vkCmdDispatch(commands, 1, 1, 1);
    dividing_pipeline(b, layout);
    run_commands(b, commands);
    EXPECT_EQUAL(seen_count(b, NULL), 1);
}

/* --- modules of which there is but an identifier --- */

static const VkPhysicalDeviceShaderModuleIdentifierFeaturesEXT identifiers = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MODULE_IDENTIFIER_FEATURES_EXT,
    .shaderModuleIdentifier = VK_TRUE};
static const VkPhysicalDevicePipelineCreationCacheControlFeatures cache_control = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_CREATION_CACHE_CONTROL_FEATURES,
    .pNext = (void *)&identifiers,
    .pipelineCreationCacheControl = VK_TRUE};

/* The code is not known: the pipeline goes down as it is, and runs. */
SCENARIO(shader_identifier, .drivers = NULL_DRIVER, .settings = {"gpuav_enable=true"},
         .features = &cache_control, .extensions = {VK_EXT_SHADER_MODULE_IDENTIFIER_EXTENSION_NAME},
         .allow = {"VALIDATION-SETTINGS", "WARNING-Setting-Limit-Adjusted"})
{
    const VkPipelineLayout layout = make_empty_pipeline_layout(b);
    const VkPipelineShaderStageModuleIdentifierCreateInfoEXT identifier = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT,
        .identifierSize = 32,
        .pIdentifier = (const uint8_t[32]){1}};
    VkComputePipelineCreateInfo info = compute_pipeline_info(VK_NULL_HANDLE, layout);
    info.flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
    info.stage.pNext = &identifier;
    VkPipeline pipeline = create_compute_pipeline(b, &info);
    ENSURE(pipeline);
    VkCommandBuffer commands = make_recording(b);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdDispatch(commands, 1, 1, 1);
    run_commands(b, commands);
}

/* --- settings --- */

/* A read past the end lies within the same set. */
SCENARIO(descriptor_checks_off, GPU_SETTINGS("gpuav_descriptor_checks=false"),
         .features = &gpu_features_plain)
{
    struct gpu g = two_stages(b, true, true);
    gpu_make(&g);
    gpu_run(&g);
}
