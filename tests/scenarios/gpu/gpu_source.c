/* The line of source that a finding names: from each kind of debug information, with directives
 * that move lines, and without any. Names of objects, too. */
#include <string.h>

#include "gpu/gpu_world.h"

#include "gpu_more.h"

#define INDEX_ID "VUID-vkCmdDispatch-None-10068"
#define LINE     "result.value = textureLod(things[push.index], vec2(0.5), 0.0);"

static struct gpu run_code(struct baseline *b, struct gpu_code code, uint32_t index, uint32_t other)
{
    struct gpu g = gpu_of(b, gpu_kind_combined, gpu_stage_comp);
    g.code = code;
    g.index = index;
    g.other = other;
    gpu_make(&g);
    gpu_run(&g);
    return g;
}

/* `#version 460` is the first line of all of them. */
SCENARIO(op_line, GPU, .expect = {INDEX_ID},
         .text = {"in file: several_lines.comp at line 12.\n  12:", "things[push.index]",
                  "/* the second */"})
{
    run_code(b, GPU_CODE(spirv_several_lines), 6, 0);
    expect_no_text(b, "the first");
}
SCENARIO(op_line_of_the_first, GPU, .expect = {INDEX_ID},
         .text = {"in file: several_lines.comp at line 11.\n  11:", "/* the first */"})
{
    run_code(b, GPU_CODE(spirv_several_lines), 0, 6);
    expect_no_text(b, "the second");
}
SCENARIO(op_line_of_both, GPU, .expect = {INDEX_ID},
         .text = {"/* the first */", "/* the second */"})
{
    run_code(b, GPU_CODE(spirv_several_lines), 6, 7);
    EXPECT_EQUAL(seen_count(b, INDEX_ID), 2);
}
SCENARIO(op_line_of_none, GPU)
{
    run_code(b, GPU_CODE(spirv_several_lines), 5, 0);
}

SCENARIO(debug_info, GPU, .expect = {INDEX_ID},
         .text = {GPU_TEXT_INDEX(6, 6), "in file: debug_info.comp at line 9.\n  9:", LINE})
{
    run_code(b, GPU_CODE(spirv_debug_info), 6, 0);
}
/* Tools get the shader, the line, and the lines around it. */
SCENARIO(debug_info_in_json, GPU_SETTINGS("json_filename=found.jsonl"),
         .features = &gpu_features_plain, .ours_only = true, .expect = {INDEX_ID})
{
    char line[16384] = "";
    run_code(b, GPU_CODE(spirv_debug_info), 6, 0);
    FILE *file = fopen("found.jsonl", "r");
    size_t length = file ? fread(line, 1, sizeof(line) - 1, file) : 0;
    if (file)
        fclose(file);
    line[length] = '\0';
    static const char *const parts[] = {
        "\"shader\":{\"command\":", "\"stage\":\"Compute\",\"instruction\":",
        ",\"function\":\"main\",\"file\":\"debug_info.comp\",\"line\":9,",
        "\"text\":\"        " LINE "\",\"firstLine\":5,\"lines\":[\"",
        "\"        " LINE "\",\"}\"]"};
    for (uint32_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        if (!strstr(line, parts[i]))
            scenario_fail(__FILE__, __LINE__, "%s does not have %s", line, parts[i]);
    }
}
SCENARIO(debug_info_in_order, GPU)
{
    run_code(b, GPU_CODE(spirv_debug_info), 5, 0);
}

SCENARIO(no_debug_information, GPU, .expect = {INDEX_ID},
         .text = {GPU_TEXT_INDEX(6, 6), "Shader Instruction Index = "})
{
    run_code(b, GPU_CODE(spirv_debug_none), 6, 0);
    expect_no_text(b, "at line");
}

/* #line 400 is on line 6, so what stands on line 10 is its line 403. */
SCENARIO(line_directive, GPU, .expect = {INDEX_ID}, .text = {"at line 403.\n  403:", LINE})
{
    run_code(b, GPU_CODE(spirv_line_directive), 6, 0);
}
SCENARIO(line_directive_file, GPU, .expect = {INDEX_ID},
         .text = {"in file: included/body.glsl at line 73.\n  73:", LINE})
{
    run_code(b, GPU_CODE(spirv_line_directive_file), 6, 0);
}

/* --- names --- */

static void run_named(struct baseline *b, uint32_t index, bool destroy_module)
{
    struct gpu g = gpu_of(b, gpu_kind_combined, gpu_stage_comp);
    g.index = index;
    gpu_make_resources(&g);
    gpu_make_layout(&g);
    gpu_make_set(&g);
    VkShaderModule module = make_shader_from(b, g.code.words, g.code.size);
    gpu_name(b, VK_OBJECT_TYPE_SHADER_MODULE, HANDLE(module), "CubeShader");
    VkComputePipelineCreateInfo info = compute_pipeline_info(module, g.layout);
    g.pipeline = create_compute_pipeline(b, &info);
    gpu_name(b, VK_OBJECT_TYPE_PIPELINE, HANDLE(g.pipeline), "CubePipeline");
    gpu_begin(&g);
    VK(vkEndCommandBuffer(g.commands));
    gpu_name(b, VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE(g.commands), "CubeDrawCommandBuf");
    if (destroy_module) {
        FORGET(b, module);
        vkDestroyShaderModule(b->device, module, NULL);
    }
    gpu_run(&g);
}

SCENARIO(names, GPU, .expect = {INDEX_ID},
         .text = {"Command buffer (CubeDrawCommandBuf)(0x", "Pipeline (CubePipeline)(0x",
                  "Shader Module (CubeShader)(0x", "Shader Instruction Index = "})
{
    run_named(b, 6, false);
}
/* The module need not live when its pipeline runs. */
SCENARIO(names_of_a_destroyed_module, GPU, .expect = {INDEX_ID},
         .text = {"Shader Module (CubeShader)(0x", LINE})
{
    run_named(b, 6, true);
}
SCENARIO(names_in_order, GPU)
{
    run_named(b, 5, true);
}

/* The objects of the callback's data, for programs that read those. */
SCENARIO(objects, GPU, .expect = {INDEX_ID})
{
    struct gpu g = run_code(b, GPU_CODE(spirv_debug_info), 6, 0);
    const struct seen *seen = seen_find(b, INDEX_ID);
    bool commands = false, pipeline = false;
    for (uint32_t i = 0; seen && i < seen->object_count; i++) {
        commands |= seen->objects[i].objectHandle == HANDLE(g.commands);
        pipeline |= seen->objects[i].objectHandle == HANDLE(g.pipeline);
    }
    EXPECT(commands || !b->ours);
    EXPECT(pipeline || !b->ours);
}

/* The labels around the command. */
static void act_in_labels(struct baseline *b)
{
    struct gpu g = gpu_of(b, gpu_kind_combined, gpu_stage_comp);
    const VkDebugUtilsLabelEXT outer = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                        .pLabelName = "frame 12"},
                               inner = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                        .pLabelName = "shadows"},
                               later = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                        .pLabelName = "later"};
    g.index = 6;
    gpu_make(&g);
    gpu_prepare(&g);
    gpu_begin(&g);
    gpu_bind(&g);
    gpu_push(&g);
    INSTANCE_PROC(b, vkCmdBeginDebugUtilsLabelEXT)(g.commands, &outer);
    INSTANCE_PROC(b, vkCmdBeginDebugUtilsLabelEXT)(g.commands, &inner);
    gpu_act(&g);
    INSTANCE_PROC(b, vkCmdEndDebugUtilsLabelEXT)(g.commands);
    INSTANCE_PROC(b, vkCmdBeginDebugUtilsLabelEXT)(g.commands, &later);
    INSTANCE_PROC(b, vkCmdEndDebugUtilsLabelEXT)(g.commands);
    INSTANCE_PROC(b, vkCmdEndDebugUtilsLabelEXT)(g.commands);
    gpu_submit(&g);
    expect_no_text(b, "later");
}

SCENARIO(labels, GPU, .expect = {INDEX_ID}, .text = {"frame 12 > shadows"})
{
    act_in_labels(b);
}

/* The setting mute_labels: of the inner one, the outer one, and one that the command is not within.
 */
#define GPU_MUTED(labels_) \
    GPU_SETTINGS("mute_labels=" labels_), .features = &gpu_features_plain, .ours_only = true
SCENARIO(labels_inner_muted, GPU_MUTED("shadow*"))
{
    act_in_labels(b);
}
SCENARIO(labels_outer_muted, GPU_MUTED("frame ??"))
{
    act_in_labels(b);
}
SCENARIO(labels_other_muted, GPU_MUTED("later"), .expect = {INDEX_ID})
{
    act_in_labels(b);
}
