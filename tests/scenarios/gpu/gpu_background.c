/* Instrumented pipelines that are compiled while the program goes on. Whatever it does meanwhile,
 * what it binds is checked, and is its own pipeline in every other way. */
#include "gpu/gpu_world.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define OUTSIDE(command_) "VUID-" command_ "-None-10068"
#define FOUND(number_, command_)                                                         \
    .expect = {OUTSIDE(command_)}, .text = {GPU_TEXT_INDEX(6, 6), "command " number_ ":" \
                                                                  " " command_}

/* All but the pipeline. */
static struct gpu without_pipeline(struct baseline *b, enum gpu_stage stage)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, stage);
    g.index = GPU_LENGTH;
    gpu_make_resources(&g);
    gpu_make_layout(&g);
    gpu_make_set(&g);
    return g;
}

static VkPipelineLayout same_layout(struct gpu *g)
{
    VkPipelineLayoutCreateInfo info = pipeline_layout_info(g->set_layouts);
    return create_pipeline_layout(g->b, &info);
}

static void destroy_layout(struct baseline *b, VkPipelineLayout layout)
{
    FORGET(b, layout);
    vkDestroyPipelineLayout(b->device, layout, NULL);
}

/* --- what it was made of is gone --- */

/* Everything that the create info points to is overwritten as soon as the pipeline is there. */
static void make_and_forget(struct gpu *g)
{
    struct baseline *b = g->b;
    struct everything {
        VkComputePipelineCreateInfo info;
        VkSpecializationInfo specialization;
        VkSpecializationMapEntry entry;
        VkPipelineCreationFeedback feedback;
        VkPipelineCreationFeedbackCreateInfo feedbacks;
        uint32_t data;
        char name[8];
    } *all = malloc(sizeof(*all));
    ENSURE(all);
    const VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = g->code.size,
                                           .pCode = g->code.words};
    VkShaderModule module = create_shader_module(b, &code);
    VkPipelineLayout layout = same_layout(g);
    all->info = compute_pipeline_info(module, layout);
    all->entry = (VkSpecializationMapEntry){.constantID = 77, .size = sizeof(all->data)};
    all->data = 5;
    strcpy(all->name, "main");
    all->specialization = (VkSpecializationInfo){1, &all->entry, sizeof(all->data), &all->data};
    all->feedback = (VkPipelineCreationFeedback){0};
    all->feedbacks = (VkPipelineCreationFeedbackCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO,
        .pPipelineCreationFeedback = &all->feedback};
    all->info.pNext = &all->feedbacks;
    all->info.stage.pName = all->name;
    all->info.stage.pSpecializationInfo = &all->specialization;
    g->pipeline = create_compute_pipeline(b, &all->info);
    ENSURE(g->pipeline);
    EXPECT(all->feedback.flags & VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT);
    memset(all, 0xcd, sizeof(*all));
    free(all);
    FORGET(b, module);
    vkDestroyShaderModule(b->device, module, NULL);
    destroy_layout(b, layout);
}

SCENARIO(all_destroyed_behind_creation, GPU, FOUND("3", "vkCmdDispatch"))
{
    struct gpu g = without_pipeline(b, gpu_stage_comp);
    make_and_forget(&g);
    gpu_run(&g);
}
SCENARIO(all_destroyed_behind_creation_in_bounds, GPU)
{
    struct gpu g = without_pipeline(b, gpu_stage_comp);
    g.index = GPU_LENGTH - 1;
    make_and_forget(&g);
    gpu_run(&g);
}

/* The render pass, too; what is drawn in is compatible. */
SCENARIO(render_pass_destroyed_behind_creation, GPU, FOUND("4", "vkCmdDraw"))
{
    struct gpu g = without_pipeline(b, gpu_stage_frag);
    VkPipelineLayout kept = g.layout, layout = same_layout(&g);
    g.layout = layout;
    gpu_make_pipeline(&g);
    FORGET(b, g.render_pass);
    vkDestroyRenderPass(b->device, g.render_pass, NULL);
    destroy_layout(b, layout);
    g.layout = kept;
    g.render_pass = make_render_pass(b);
    gpu_run(&g);
}

/* --- the pipeline itself --- */

static void destroy_made_pipeline(struct baseline *b, VkPipeline pipeline)
{
    FORGET(b, pipeline);
    vkDestroyPipeline(b->device, pipeline, NULL);
}

SCENARIO(destroyed_before_it_is_bound, GPU)
{
    struct gpu g = without_pipeline(b, gpu_stage_comp);
    for (int i = 0; i < 32; i++)
        destroy_made_pipeline(b, gpu_compute_pipeline(b, g.code, g.layout));
}

SCENARIO(destroyed_when_it_was_bound, GPU, FOUND("3", "vkCmdDispatch"))
{
    struct gpu g = without_pipeline(b, gpu_stage_comp);
    gpu_make_pipeline(&g);
    gpu_run(&g);
    destroy_made_pipeline(b, g.pipeline);
}

/* The device goes while there is work to do for it. */
SCENARIO(left_unbound, GPU)
{
    struct gpu g = without_pipeline(b, gpu_stage_comp);
    for (int i = 0; i < 8; i++)
        (void)gpu_compute_pipeline(b, g.code, g.layout);
}

SCENARIO(bound_in_a_secondary, GPU, .expect = {OUTSIDE("vkCmdDispatch")},
         .text = {GPU_TEXT_INDEX(6, 6)})
{
    struct gpu g = without_pipeline(b, gpu_stage_comp);
    gpu_make_pipeline(&g);
    gpu_prepare(&g);
    g.commands = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    const VkCommandBufferInheritanceInfo inherits = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo begin = begin_info();
    begin.pInheritanceInfo = &inherits;
    VK(vkBeginCommandBuffer(g.commands, &begin));
    gpu_bind(&g);
    gpu_push(&g);
    gpu_act(&g);
    VK(vkEndCommandBuffer(g.commands));
    VkCommandBuffer primary = make_recording(b);
    vkCmdExecuteCommands(primary, 1, &g.commands);
    run_commands(b, primary);
}

/* --- threads --- */

#define THREAD_PIPELINES 12

struct maker {
    struct gpu *g;
    VkShaderModule module;
    VkPipeline pipelines[THREAD_PIPELINES];
};

/* Every other one is destroyed at once. */
static void *make_in_thread(void *argument)
{
    struct maker *maker = argument;
    VkDevice device = maker->g->b->device;
    for (uint32_t i = 0; i < THREAD_PIPELINES; i++) {
        const VkComputePipelineCreateInfo info =
            compute_pipeline_info(maker->module, maker->g->layout);
        VK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &maker->pipelines[i]));
        if (i % 2) {
            vkDestroyPipeline(device, maker->pipelines[i], NULL);
            maker->pipelines[i] = VK_NULL_HANDLE;
        }
    }
    return NULL;
}

SCENARIO(made_by_two_threads, GPU, .expect = {OUTSIDE("vkCmdDispatch")},
         .text = {GPU_TEXT_INDEX(6, 6), "command 47: vkCmdDispatch"})
{
    struct gpu g = without_pipeline(b, gpu_stage_comp);
    struct maker makers[2];
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        makers[i] =
            (struct maker){.g = &g, .module = make_shader_from(b, g.code.words, g.code.size)};
        ENSURE(pthread_create(&threads[i], NULL, make_in_thread, &makers[i]) == 0);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    gpu_prepare(&g);
    gpu_begin(&g);
    for (uint32_t i = 0; i < 2 * THREAD_PIPELINES; i += 2) {
        g.pipeline = makers[i / THREAD_PIPELINES].pipelines[i % THREAD_PIPELINES];
        g.index = i + 2 == 2 * THREAD_PIPELINES ? GPU_LENGTH : 0; /* only the last one errs */
        gpu_bind(&g);
        gpu_push(&g);
        gpu_act(&g);
    }
    gpu_submit(&g);
    for (uint32_t i = 0; i < 2 * THREAD_PIPELINES; i += 2)
        vkDestroyPipeline(b->device, makers[i / THREAD_PIPELINES].pipelines[i % THREAD_PIPELINES],
                          NULL);
}

/* --- a fork between creation and binding --- */

SCENARIO(bound_in_a_child, GPU, FOUND("3", "vkCmdDispatch"))
{
    struct gpu g = without_pipeline(b, gpu_stage_comp);
    VkPipeline others[4];
    gpu_prepare(&g);
    for (int i = 0; i < 4; i++)
        others[i] = gpu_compute_pipeline(b, g.code, g.layout);
    gpu_make_pipeline(&g);
    pid_t child = fork();
    if (!child) {
        alarm(300);
        gpu_begin(&g);
        gpu_bind(&g);
        VK(vkEndCommandBuffer(g.commands));
        for (int i = 0; i < 4; i++)
            vkDestroyPipeline(b->device, others[i], NULL);
        _exit(0);
    }
    int status = -1;
    EXPECT_EQUAL(waitpid(child, &status, 0), child);
    EXPECT_EQUAL(status, 0);
    gpu_run(&g);
}

/* --- what else is the pipeline's --- */

static const VkPhysicalDevicePrivateDataFeatures private_data = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIVATE_DATA_FEATURES, .privateData = VK_TRUE};
static const VkPhysicalDeviceFeatures2 with_private_data = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)&private_data,
    .features = {.shaderStorageBufferArrayDynamicIndexing = VK_TRUE}};

SCENARIO(private_data_stays, GPU_SETTINGS(), .features = &with_private_data,
         FOUND("3", "vkCmdDispatch"))
{
    struct gpu g = without_pipeline(b, gpu_stage_comp);
    VkPrivateDataSlot slot = make_private_data_slot(b);
    uint64_t data = 0;
    gpu_make_pipeline(&g);
    VK(vkSetPrivateData(b->device, VK_OBJECT_TYPE_PIPELINE, HANDLE(g.pipeline), slot, 1234));
    gpu_run(&g);
    vkGetPrivateData(b->device, VK_OBJECT_TYPE_PIPELINE, HANDLE(g.pipeline), slot, &data);
    EXPECT_EQUAL(data, 1234);
}

/* --- in the foreground --- */

SCENARIO(compiled_at_once, GPU_SETTINGS("gpuav_background_compile=false"),
         .features = &gpu_features_plain, FOUND("3", "vkCmdDispatch"), .ours_only = true)
{
    struct gpu g = without_pipeline(b, gpu_stage_comp);
    gpu_make_pipeline(&g);
    gpu_run(&g);
}
SCENARIO(compiled_at_once_graphics, GPU_SETTINGS("gpuav_background_compile=false"),
         .features = &gpu_features_plain, FOUND("4", "vkCmdDraw"), .ours_only = true)
{
    struct gpu g = without_pipeline(b, gpu_stage_frag);
    gpu_make_pipeline(&g);
    gpu_run(&g);
}
