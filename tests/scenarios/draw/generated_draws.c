/* Commands that the device generates need what the draws and dispatches need which they stand for
 * (33 "Device-Generated Commands"). */
#include "render/render_pass_builder.h"
#include "shader/shader_objects.h"

#define shader_capture shader_capture_generated
#include "shader_capture.h"
#include "shader_heaps.h"
#define shader_triangle_mesh shader_triangle_mesh_of_generated
#include "shader_triangle_mesh.h"

static const VkPhysicalDeviceVulkan13Features of_13 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .dynamicRendering = VK_TRUE,
    .synchronization2 = VK_TRUE,
    .maintenance4 = VK_TRUE};
static const VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    .pNext = (void *)&of_13,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceMaintenance5Features maintenance5 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES,
    .pNext = (void *)&addresses,
    .maintenance5 = VK_TRUE};
static const VkPhysicalDeviceDeviceGeneratedCommandsFeaturesEXT generated = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_EXT,
    .pNext = (void *)&maintenance5,
    .deviceGeneratedCommands = VK_TRUE};
static const VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
    .pNext = (void *)&generated,
    .transformFeedback = VK_TRUE};
static const VkPhysicalDeviceMultiviewFeatures views = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES,
    .pNext = (void *)&generated,
    .multiview = VK_TRUE};
#define GENERATED                                   \
    .drivers = NULL_DRIVER, .features = &generated, \
    .extensions = {"VK_EXT_device_generated_commands", "VK_KHR_maintenance5"}
#define EXECUTE(name_) "VUID-vkCmdExecuteGeneratedCommandsEXT-" name_
#define TOKEN(name_)   VK_INDIRECT_COMMANDS_TOKEN_TYPE_##name_##_EXT

/* The commands that are executed, of which a scenario changes a few things. */
struct executed {
    VkIndirectCommandsTokenTypeEXT tokens[3];
    uint32_t token_count;
    bool compute, with_set;
    uint32_t view_mask;
    /* of the graphics pipeline */
    VkDynamicState state; /* VK_DYNAMIC_STATE_MAX_ENUM: none */
    bool unbound, other_bound;
    bool outside;
    /* what is executed: as the layout has it, VK_NULL_HANDLE, or a set */
    enum { AS_LAID_OUT, WITHOUT, WITH } set;
    VkShaderStageFlags token_stages; /* 0: those of the layout */
    uint32_t most;                   /* maxDrawCount */
    uint32_t asked;                  /* maxDrawCount of what memory requirements are asked of */
    bool without_layout;             /* pipelineLayout of the layout is VK_NULL_HANDLE */
    bool heaps;                      /* the pipeline uses descriptor heaps */
    bool preprocessed;               /* and not executed */
    bool other_state, ended_state;   /* of the command buffer with the state, then */
    void (*before)(struct baseline *b, VkCommandBuffer c);
};

static void begin_generated_feedback(struct baseline *b, VkCommandBuffer c)
{
    DEVICE_PROC(b, vkCmdBeginTransformFeedbackEXT)(c, 0, 0, NULL, NULL);
}

static void bind_generated_vertices(struct baseline *b, VkCommandBuffer c)
{
    const VkBuffer buffer = make_buffer(b, 256, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    const VkDeviceSize zero = 0, stride = 16;
    DEVICE_PROC(b, vkCmdBindVertexBuffers2)(c, 0, 1, &buffer, &zero, NULL, &stride);
}

static VkIndirectCommandsLayoutEXT make_token_layout(struct baseline *b, const struct executed *e,
                                                     VkPipelineLayout pipeline_layout,
                                                     VkShaderStageFlags stages)
{
    const VkIndirectCommandsPushConstantTokenEXT pushed = {
        .updateRange = {VK_SHADER_STAGE_ALL, 0, 4}};
    const VkIndirectCommandsVertexBufferTokenEXT vertices = {.vertexBindingUnit = 0};
    const VkIndirectCommandsExecutionSetTokenEXT set = {
        .type = VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT,
        .shaderStages = e->token_stages ? e->token_stages : stages};
    VkIndirectCommandsLayoutTokenEXT tokens[3] = {{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO}};
    for (uint32_t i = 0; i < e->token_count; i++) {
        tokens[i] = (VkIndirectCommandsLayoutTokenEXT){
            .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
            .type = e->tokens[i],
            .offset = i * 16};
        if (e->tokens[i] == TOKEN(EXECUTION_SET))
            tokens[i].data.pExecutionSet = &set;
        else if (e->tokens[i] == TOKEN(VERTEX_BUFFER))
            tokens[i].data.pVertexBuffer = &vertices;
        else
            tokens[i].data.pPushConstant = &pushed;
    }
    const VkIndirectCommandsLayoutCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_EXT,
        .shaderStages = stages,
        .indirectStride = 64,
        .flags =
            e->preprocessed ? VK_INDIRECT_COMMANDS_LAYOUT_USAGE_EXPLICIT_PREPROCESS_BIT_EXT : 0,
        .pipelineLayout = e->without_layout ? VK_NULL_HANDLE : pipeline_layout,
        .tokenCount = e->token_count,
        .pTokens = tokens};
    VkIndirectCommandsLayoutEXT made = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateIndirectCommandsLayoutEXT)(b->device, &info, NULL, &made));
    cleanup_add(b, destroy_commands_layout, HANDLE(made));
    return made;
}

/* `captures`: for transform feedback, which pipelines that can be chosen must not have. */
static VkPipeline make_generated_pipeline(struct baseline *b, const struct executed *e,
                                          VkPipelineLayout layout, bool captures)
{
    const VkFormat format = COLOR_FORMAT;
    VkPipelineRenderingCreateInfo made_for = {.sType =
                                                  VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                              .viewMask = e->view_mask,
                                              .colorAttachmentCount = 1,
                                              .pColorAttachmentFormats = &format};
    const VkPipelineCreateFlags2CreateInfo bindable = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .pNext = e->compute ? NULL : &made_for,
        .flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT |
                 (e->heaps ? VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT : 0)};
    if (e->compute) {
        VkComputePipelineCreateInfo info = compute_pipeline_info(make_shader_module(b), layout);
        info.pNext = &bindable;
        return create_compute_pipeline(b, &info);
    }
    struct graphics_pipeline p;
    VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = e->state != VK_DYNAMIC_STATE_MAX_ENUM,
        .pDynamicStates = &e->state};
    begin_graphics_pipeline(b, &p, e->heaps ? VK_NULL_HANDLE : layout, VK_NULL_HANDLE);
    if (captures)
        p.stages[0].module = MAKE_SHADER(b, shader_capture);
    p.info.pNext = captures ? (const void *)&made_for : &bindable;
    p.info.pDynamicState = &dynamic;
    return create_graphics_pipeline(b, &p.info);
}

static VkIndirectExecutionSetEXT make_execution_set(struct baseline *b, VkPipeline pipeline)
{
    const VkIndirectExecutionSetPipelineInfoEXT pipelines = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_PIPELINE_INFO_EXT,
        .initialPipeline = pipeline,
        .maxPipelineCount = 1};
    const VkIndirectExecutionSetCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_CREATE_INFO_EXT,
        .type = VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT,
        .info.pPipelineInfo = &pipelines};
    VkIndirectExecutionSetEXT set = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateIndirectExecutionSetEXT)(b->device, &info, NULL, &set));
    cleanup_add(b, destroy_execution_set, HANDLE(set));
    return set;
}

static void free_preprocess_memory(struct baseline *b, uint64_t memory)
{
    vkFreeMemory(b->device, (VkDeviceMemory)memory, NULL);
}

static VkDeviceAddress make_preprocessed(struct baseline *b, const VkMemoryRequirements *needs)
{
    const VkBufferUsageFlags2CreateInfo usage = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO,
        .usage = VK_BUFFER_USAGE_2_PREPROCESS_BUFFER_BIT_EXT |
                 VK_BUFFER_USAGE_2_SHADER_DEVICE_ADDRESS_BIT};
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .pNext = &usage, .size = needs->size};
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    const VkMemoryAllocateInfo allocation = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                             .pNext = &flags,
                                             .allocationSize = needs->size + 65536,
                                             .memoryTypeIndex =
                                                 (uint32_t)__builtin_ctz(needs->memoryTypeBits)};
    VkDeviceMemory memory;
    VkMemoryRequirements own;
    VK(vkAllocateMemory(b->device, &allocation, NULL, &memory));
    cleanup_add(b, free_preprocess_memory, HANDLE(memory));
    VkBuffer buffer = create_buffer(b, &info);
    vkGetBufferMemoryRequirements(b->device, buffer, &own);
    VK(vkBindBufferMemory(b->device, buffer, memory, 0));
    return buffer_address(b, buffer);
}

static void begin_instance(struct baseline *b, VkCommandBuffer c, uint32_t view_mask)
{
    const VkRenderingAttachmentInfo color =
        rendering_attachment(ATTACHMENT(.layers = view_mask ? 2 : 1));
    VkRenderingInfo info = rendering_info(&color);
    info.viewMask = view_mask;
    vkCmdBeginRendering(c, &info);
}

static void execute_generated(struct baseline *b, const struct executed *e)
{
    const VkShaderStageFlags stages =
        e->compute ? VK_SHADER_STAGE_COMPUTE_BIT
                   : VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
    const VkPushConstantRange range = {VK_SHADER_STAGE_ALL, 0, 4};
    const VkPipelineLayoutCreateInfo layout_of = {.sType =
                                                      VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                                  .pushConstantRangeCount = 1,
                                                  .pPushConstantRanges = &range};
    const VkPipelineLayout layout = e->compute
                                        ? make_pipeline_layout(b, make_descriptor_set_layout(b))
                                        : create_pipeline_layout(b, &layout_of);
    const bool captures = e->before == begin_generated_feedback;
    const VkPipeline pipeline = make_generated_pipeline(b, e, layout, captures && !e->with_set);
    const VkGeneratedCommandsPipelineInfoEXT given = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT, .pipeline = pipeline};
    const VkGeneratedCommandsMemoryRequirementsInfoEXT asked = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_MEMORY_REQUIREMENTS_INFO_EXT,
        .pNext = e->with_set ? NULL : (void *)(uintptr_t)&given,
        .indirectExecutionSet = e->with_set ? make_execution_set(b, pipeline) : VK_NULL_HANDLE,
        .indirectCommandsLayout = make_token_layout(b, e, layout, stages),
        .maxSequenceCount = 1,
        .maxDrawCount = e->asked};
    VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    DEVICE_PROC(b, vkGetGeneratedCommandsMemoryRequirementsEXT)(b->device, &asked, &needs);
    const VkBuffer indirect = make_buffer(b, 64,
                                          VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                                              VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    const VkGeneratedCommandsInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
        .pNext = e->set == WITHOUT ? &given : asked.pNext,
        .shaderStages = stages,
        .indirectExecutionSet = e->set == WITHOUT ? VK_NULL_HANDLE
                                : e->set == WITH  ? make_execution_set(b, pipeline)
                                                  : asked.indirectExecutionSet,
        .indirectCommandsLayout = asked.indirectCommandsLayout,
        .preprocessAddress = make_preprocessed(b, &needs.memoryRequirements),
        .preprocessSize = needs.memoryRequirements.size,
        .indirectAddress = buffer_address(b, indirect),
        .indirectAddressSize = 64,
        .maxSequenceCount = 1,
        .maxDrawCount = e->most};
    const VkPipelineBindPoint point =
        e->compute ? VK_PIPELINE_BIND_POINT_COMPUTE : VK_PIPELINE_BIND_POINT_GRAPHICS;
    VkCommandBuffer c = make_recording(b);
    if (!e->outside)
        begin_instance(b, c, e->view_mask);
    if (!e->unbound)
        vkCmdBindPipeline(c, point,
                          e->other_bound ? make_generated_pipeline(b, e, layout, captures)
                                         : pipeline);
    if (e->before)
        e->before(b, c);
    if (!e->preprocessed) {
        DEVICE_PROC(b, vkCmdExecuteGeneratedCommandsEXT)(c, VK_FALSE, &info);
        return;
    }
    vkCmdEndRendering(c);
    if (e->ended_state)
        VK(vkEndCommandBuffer(c));
    DEVICE_PROC(b, vkCmdPreprocessGeneratedCommandsEXT)(make_recording(b), &info,
                                                        e->other_state ? make_recording(b) : c);
}

#define EXECUTED(...)                                                                         \
    execute_generated(b, &(struct executed){.tokens = {TOKEN(PUSH_CONSTANT), TOKEN(DRAW)},    \
                                            .token_count = 2,                                 \
                                            .state = VK_DYNAMIC_STATE_MAX_ENUM __VA_OPT__(, ) \
                                                __VA_ARGS__})

/* --- draws --- */

SCENARIO(generated_draw, GENERATED)
{
    EXECUTED();
}

SCENARIO(generated_draw_without_a_pipeline, GENERATED, .expect = {EXECUTE("None-08606")})
{
    EXECUTED(.unbound = true);
}

/* The statements are about the bound pipeline, whichever one VkGeneratedCommandsPipelineInfoEXT
 * has.
 */
SCENARIO(generated_draw_of_another_pipeline, GENERATED, .expect = {EXECUTE("None-07831")})
{
    EXECUTED(.other_bound = true, .state = VK_DYNAMIC_STATE_VIEWPORT);
}

static void set_generated_viewport(struct baseline *b, VkCommandBuffer c)
{
    const VkViewport viewport = {0, 0, 4, 4, 0, 1};
    (void)b;
    vkCmdSetViewport(c, 0, 1, &viewport);
}

SCENARIO(generated_draw_with_a_viewport, GENERATED)
{
    EXECUTED(.state = VK_DYNAMIC_STATE_VIEWPORT, .before = set_generated_viewport);
}

SCENARIO(generated_draw_without_a_viewport, GENERATED, .expect = {EXECUTE("None-07831")},
         .text = {"vkCmdSetViewport was not called"})
{
    EXECUTED(.state = VK_DYNAMIC_STATE_VIEWPORT);
}

/* A draw after it is looked at by its own rules. */
static void draw_twice(struct baseline *b, VkCommandBuffer c)
{
    (void)b;
    vkCmdDraw(c, 3, 1, 0, 0);
}

SCENARIO(generated_draw_after_a_draw, GENERATED,
         .expect = {"VUID-vkCmdDraw-None-07831", EXECUTE("None-07831")})
{
    EXECUTED(.state = VK_DYNAMIC_STATE_VIEWPORT, .before = draw_twice);
}

SCENARIO(generated_draw_with_a_fixed_state_set, GENERATED, .expect = {EXECUTE("None-08608")})
{
    EXECUTED(.before = set_generated_viewport);
}

SCENARIO(generated_draw_outside, GENERATED, .expect = {EXECUTE("indirectCommandsLayout-10769")})
{
    EXECUTED(.outside = true);
}

SCENARIO(generated_draw_of_a_set, GENERATED)
{
    EXECUTED(.tokens = {TOKEN(EXECUTION_SET), TOKEN(DRAW)}, .with_set = true);
}

SCENARIO(generated_draw_of_no_set, GENERATED,
         .expect = {"VUID-VkGeneratedCommandsInfoEXT-indirectCommandsLayout-11083"})
{
    EXECUTED(.tokens = {TOKEN(EXECUTION_SET), TOKEN(DRAW)}, .with_set = true, .set = WITHOUT);
}

SCENARIO(generated_draw_of_an_unused_set, GENERATED,
         .expect = {"VUID-VkGeneratedCommandsInfoEXT-indirectCommandsLayout-10241"})
{
    EXECUTED(.set = WITH);
}

/* The layout has the stages of its token. */
SCENARIO(generated_draw_of_a_set_of_other_stages, GENERATED,
         .expect =
             {"VUID-VkGeneratedCommandsInfoEXT-indirectCommandsLayout-11002",
              "VUID-VkGeneratedCommandsMemoryRequirementsInfoEXT-indirectCommandsLayout-11151"},
         .text = {"but shaderStages of the token in the layout is VK_SHADER_STAGE_VERTEX_BIT"})
{
    EXECUTED(.tokens = {TOKEN(EXECUTION_SET), TOKEN(DRAW)}, .with_set = true,
             .token_stages = VK_SHADER_STAGE_VERTEX_BIT);
}

#define COUNTED                                                                                  \
    .drivers = NULL_DRIVER, .features = &generated,                                              \
    .null_driver = "{\"properties\": {\"deviceGeneratedCommandsMultiDrawIndirectCount\": true, " \
                   "\"maxIndirectSequenceCount\": 1048576}}",                                    \
    .extensions = {"VK_EXT_device_generated_commands", "VK_KHR_maintenance5"}

SCENARIO(generated_draws_counted, COUNTED)
{
    EXECUTED(.tokens = {TOKEN(PUSH_CONSTANT), TOKEN(DRAW_COUNT)}, .most = (1 << 24) - 1);
}

SCENARIO(generated_draws_asked_of_as_many, COUNTED)
{
    EXECUTED(.tokens = {TOKEN(PUSH_CONSTANT), TOKEN(DRAW_COUNT)}, .asked = (1 << 24) - 1);
}

SCENARIO(generated_draws_asked_of_too_many, COUNTED,
         .expect = {"VUID-VkGeneratedCommandsMemoryRequirementsInfoEXT-maxDrawCount-11146"},
         .text = {"is 16777216, which times maxSequenceCount (1) is not less than 2^24"})
{
    EXECUTED(.tokens = {TOKEN(PUSH_CONSTANT), TOKEN(DRAW_COUNT)}, .asked = 1 << 24);
}

SCENARIO(generated_draws_of_too_many, COUNTED,
         .expect = {"VUID-VkGeneratedCommandsInfoEXT-maxDrawCount-11078"},
         .text = {"is 16777216, which times maxSequenceCount (1) is not less than 2^24"})
{
    EXECUTED(.tokens = {TOKEN(PUSH_CONSTANT), TOKEN(DRAW_COUNT)}, .most = 1 << 24);
}

/* Without such a token the count is ignored. */
SCENARIO(generated_draws_of_ignored_count, COUNTED)
{
    EXECUTED(.most = 1 << 24);
}

SCENARIO(generated_draw_with_vertices, GENERATED,
         .expect = {"VUID-VkGeneratedCommandsInfoEXT-indirectCommandsLayout-11079"})
{
    EXECUTED(.tokens = {TOKEN(VERTEX_BUFFER), TOKEN(DRAW)});
}

SCENARIO(generated_draw_with_strides, GENERATED)
{
    EXECUTED(.tokens = {TOKEN(VERTEX_BUFFER), TOKEN(DRAW)},
             .state = VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE,
             .before = bind_generated_vertices);
}

/* Without a layout, pipelines use descriptor heaps. */
SCENARIO(generated_draw_of_a_set_without_layout, GENERATED,
         .expect = {"VUID-VkGeneratedCommandsInfoEXT-indirectCommandsLayout-11328"})
{
    EXECUTED(.tokens = {TOKEN(EXECUTION_SET), TOKEN(DRAW)}, .with_set = true,
             .without_layout = true);
}

static const VkPhysicalDeviceDescriptorHeapFeaturesEXT in_heaps = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT,
    .pNext = (void *)&generated,
    .descriptorHeap = VK_TRUE};
#define IN_HEAPS                                                              \
    .drivers = NULL_DRIVER, .features = &in_heaps,                            \
    .extensions = {"VK_EXT_device_generated_commands", "VK_KHR_maintenance5", \
                   "VK_EXT_descriptor_heap"}

SCENARIO(generated_draw_of_a_set_in_heaps, IN_HEAPS)
{
    EXECUTED(.tokens = {TOKEN(EXECUTION_SET), TOKEN(DRAW)}, .with_set = true, .heaps = true,
             .without_layout = true);
}

SCENARIO(generated_draw_of_a_set_in_heaps_with_layout, IN_HEAPS,
         .expect = {"VUID-VkGeneratedCommandsInfoEXT-indirectCommandsLayout-11329"})
{
    EXECUTED(.tokens = {TOKEN(EXECUTION_SET), TOKEN(DRAW)}, .with_set = true, .heaps = true);
}

SCENARIO(generated_draw_preprocessed, GENERATED)
{
    EXECUTED(.tokens = {TOKEN(EXECUTION_SET), TOKEN(DRAW)}, .with_set = true, .preprocessed = true);
}

SCENARIO(generated_draw_preprocessed_without_state, GENERATED,
         .expect = {"VUID-vkCmdPreprocessGeneratedCommandsEXT-indirectCommandsLayout-11084"})
{
    EXECUTED(.tokens = {TOKEN(EXECUTION_SET), TOKEN(DRAW)}, .with_set = true, .preprocessed = true,
             .other_state = true);
}

SCENARIO(generated_draw_preprocessed_after_the_end, GENERATED,
         .expect = {"VUID-vkCmdPreprocessGeneratedCommandsEXT-stateCommandBuffer-11138"},
         .text = {"is not in the recording state"})
{
    EXECUTED(.tokens = {TOKEN(EXECUTION_SET), TOKEN(DRAW)}, .with_set = true, .preprocessed = true,
             .ended_state = true);
}

SCENARIO(generated_draw_of_a_set_with_another_pipeline, GENERATED,
         .expect = {EXECUTE("indirectCommandsLayout-11053")})
{
    EXECUTED(.tokens = {TOKEN(EXECUTION_SET), TOKEN(DRAW)}, .with_set = true, .other_bound = true);
}

SCENARIO(generated_draw_in_views, .drivers = NULL_DRIVER, .features = &views,
         .extensions = {"VK_EXT_device_generated_commands", "VK_KHR_maintenance5"})
{
    EXECUTED(.view_mask = 3);
}

SCENARIO(generated_draw_of_a_set_in_views, .drivers = NULL_DRIVER, .features = &views,
         .extensions = {"VK_EXT_device_generated_commands", "VK_KHR_maintenance5"},
         .expect = {EXECUTE("None-11062")})
{
    EXECUTED(.tokens = {TOKEN(EXECUTION_SET), TOKEN(DRAW)}, .with_set = true, .view_mask = 3);
}

#define FEEDBACK(supported_)                                                                \
    .drivers = NULL_DRIVER, .features = &feedback,                                          \
    .null_driver =                                                                          \
        "{\"properties\": {\"deviceGeneratedCommandsTransformFeedback\": " supported_ "}}", \
    .extensions = {"VK_EXT_device_generated_commands", "VK_KHR_maintenance5",               \
                   "VK_EXT_transform_feedback"}

SCENARIO(generated_draw_in_feedback, FEEDBACK("true"))
{
    EXECUTED(.before = begin_generated_feedback);
}

SCENARIO(generated_draw_in_unsupported_feedback, FEEDBACK("false"),
         .expect = {EXECUTE("deviceGeneratedCommandsTransformFeedback-11057")})
{
    EXECUTED(.before = begin_generated_feedback);
}

SCENARIO(generated_draw_of_a_set_in_feedback, FEEDBACK("true"),
         .expect = {EXECUTE("indirectExecutionSet-11058")})
{
    EXECUTED(.tokens = {TOKEN(EXECUTION_SET), TOKEN(DRAW)}, .with_set = true, .other_bound = true,
             .before = begin_generated_feedback);
}

/* --- dispatches --- */

static void bind_generated_set(struct baseline *b, VkCommandBuffer c)
{
    const VkDescriptorSetLayout set_layout = make_descriptor_set_layout(b);
    const VkPipelineLayout layout = make_pipeline_layout(b, set_layout);
    const VkDescriptorBufferInfo values = {make_buffer(b, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
                                           0, VK_WHOLE_SIZE};
    const VkDescriptorSet set = make_descriptor_set(b, make_descriptor_pool(b), set_layout);
    const VkWriteDescriptorSet write = write_buffer(set, &values);
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
    vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
}

#define DISPATCHED(...) EXECUTED(.compute = true, .outside = true __VA_OPT__(, ) __VA_ARGS__)

/* The tokens push what the shader reads. */
SCENARIO(generated_dispatch, GENERATED)
{
    DISPATCHED(.tokens = {TOKEN(PUSH_CONSTANT), TOKEN(DISPATCH)}, .before = bind_generated_set);
}

SCENARIO(generated_dispatch_without_constants, GENERATED, .expect = {EXECUTE("None-08601")})
{
    DISPATCHED(.tokens = {TOKEN(DISPATCH)}, .token_count = 1, .before = bind_generated_set);
}

SCENARIO(generated_dispatch_without_a_set, GENERATED, .expect = {EXECUTE("None-08600")})
{
    DISPATCHED(.tokens = {TOKEN(PUSH_CONSTANT), TOKEN(DISPATCH)});
}

/* --- dispatches with a shader object --- */

static const VkPhysicalDeviceShaderObjectFeaturesEXT generated_objects = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
    .pNext = (void *)&generated,
    .shaderObject = VK_TRUE};
static const VkPhysicalDeviceFeatures2 generated_stages = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)&generated_objects,
    .features = {.tessellationShader = VK_TRUE, .geometryShader = VK_TRUE}};
#define GENERATED_OBJECTS                                                     \
    .drivers = NULL_DRIVER, .features = &generated_objects,                   \
    .extensions = {"VK_EXT_device_generated_commands", "VK_KHR_maintenance5", \
                   "VK_EXT_shader_object"}

static void bind_generated_object(struct baseline *b, VkCommandBuffer c)
{
    const VkDescriptorSetLayout set_layout = make_descriptor_set_layout(b);
    const VkPipelineLayoutCreateInfo same = pipeline_layout_info(&set_layout);
    const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                        .codeSize = shader_fill_size,
                                        .pCode = shader_fill_code,
                                        .pName = "main",
                                        .setLayoutCount = 1,
                                        .pSetLayouts = &set_layout,
                                        .pushConstantRangeCount = same.pushConstantRangeCount,
                                        .pPushConstantRanges = same.pPushConstantRanges};
    VkShaderEXT shader = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateShadersEXT)(b->device, 1, &info, NULL, &shader));
    cleanup_add(b, destroy_shader_object, HANDLE(shader));
    DEVICE_PROC(b, vkCmdBindShadersEXT)(c, 1, &info.stage, &shader);
}

static void bind_object_and_set(struct baseline *b, VkCommandBuffer c)
{
    bind_generated_object(b, c);
    bind_generated_set(b, c);
}

static void bind_object_and_unwritten(struct baseline *b, VkCommandBuffer c)
{
    const VkDescriptorSetLayout set_layout = make_descriptor_set_layout(b);
    const VkDescriptorSet set = make_descriptor_set(b, make_descriptor_pool(b), set_layout);
    bind_generated_object(b, c);
    vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, make_pipeline_layout(b, set_layout),
                            0, 1, &set, 0, NULL);
}

#define DISPATCHED_OBJECT(before_)                                                 \
    DISPATCHED(.tokens = {TOKEN(PUSH_CONSTANT), TOKEN(DISPATCH)}, .unbound = true, \
               .before = before_)
SCENARIO(generated_dispatch_of_an_object, GENERATED_OBJECTS)
{
    DISPATCHED_OBJECT(bind_object_and_set);
}

SCENARIO(generated_dispatch_of_an_object_without_a_set, GENERATED_OBJECTS,
         .expect = {EXECUTE("None-08600")})
{
    DISPATCHED_OBJECT(bind_generated_object);
}

SCENARIO(generated_dispatch_of_an_object_never_written, GENERATED_OBJECTS,
         .expect = {EXECUTE("None-08114")})
{
    DISPATCHED_OBJECT(bind_object_and_unwritten);
}

/* --- draws with shader objects --- */

/* The shader objects of a draw, with the push constants of the layout; a scenario breaks one of
 * them. */
static VkShaderCreateInfoEXT generated_infos[2];
static VkPushConstantRange generated_range;
static void fill_generated_infos(void)
{
    const VkShaderCreateInfoEXT vertex = INFO(vertex, VERTEX), fragment = INFO(fragment, FRAGMENT);
    generated_range = (VkPushConstantRange){VK_SHADER_STAGE_ALL, 0, 4};
    generated_infos[0] = vertex;
    generated_infos[1] = fragment;
    generated_infos[0].nextStage = VK_SHADER_STAGE_FRAGMENT_BIT;
    for (uint32_t i = 0; i < 2; i++) {
        generated_infos[i].pushConstantRangeCount = 1;
        generated_infos[i].pPushConstantRanges = &generated_range;
    }
}

static void bind_generated_infos(struct baseline *b, VkCommandBuffer c)
{
    set_object_states(b, c, NOTHING);
    for (uint32_t i = 0; i < 2; i++)
        bind_shader_object(b, c, generated_infos[i].stage,
                           make_shader_object(b, &generated_infos[i]));
}

static void bind_objects(struct baseline *b, VkCommandBuffer c)
{
    fill_generated_infos();
    bind_generated_infos(b, c);
}

static void bind_no_objects(struct baseline *b, VkCommandBuffer c)
{
    set_object_states(b, c, NOTHING);
}

static void bind_without_next(struct baseline *b, VkCommandBuffer c)
{
    fill_generated_infos();
    generated_infos[0].nextStage = 0;
    bind_generated_infos(b, c);
}

static void bind_other_constants(struct baseline *b, VkCommandBuffer c)
{
    fill_generated_infos();
    generated_infos[1].pushConstantRangeCount = 0;
    bind_generated_infos(b, c);
}

static void bind_other_sets(struct baseline *b, VkCommandBuffer c)
{
    const VkDescriptorSetLayout layout = make_descriptor_set_layout(b);
    fill_generated_infos();
    generated_infos[1].setLayoutCount = 1;
    generated_infos[1].pSetLayouts = &layout;
    bind_generated_infos(b, c);
}

static void bind_half_linked(struct baseline *b, VkCommandBuffer c)
{
    VkShaderEXT linked[2];
    bind_objects(b, c);
    generated_infos[0].flags = generated_infos[1].flags = VK_SHADER_CREATE_LINK_STAGE_BIT_EXT;
    make_objects(b, 2, generated_infos, linked);
    bind_shader_object(b, c, VK_SHADER_STAGE_VERTEX_BIT, linked[0]);
}

#define DRAWN_OBJECTS(before_) EXECUTED(.unbound = true, .before = before_)
SCENARIO(generated_draw_of_objects, GENERATED_OBJECTS)
{
    DRAWN_OBJECTS(bind_objects);
}

SCENARIO(generated_draw_of_no_objects, GENERATED_OBJECTS, .proceed = true,
         .expect = {EXECUTE("None-08684"), EXECUTE("None-08688")})
{
    DRAWN_OBJECTS(bind_no_objects);
}

SCENARIO(generated_draw_of_unnamed_stages, GENERATED_OBJECTS, .features = &generated_stages,
         .proceed = true,
         .expect = {EXECUTE("None-08685"), EXECUTE("None-08686"), EXECUTE("None-08687")})
{
    DRAWN_OBJECTS(bind_objects);
}

SCENARIO(generated_draw_of_objects_in_another_order, GENERATED_OBJECTS,
         .expect = {EXECUTE("nextStage-10745")})
{
    DRAWN_OBJECTS(bind_without_next);
}

SCENARIO(generated_draw_of_objects_with_other_constants, GENERATED_OBJECTS,
         .expect = {EXECUTE("None-08878")})
{
    DRAWN_OBJECTS(bind_other_constants);
}

SCENARIO(generated_draw_of_objects_with_other_sets, GENERATED_OBJECTS,
         .expect = {EXECUTE("None-08879")})
{
    DRAWN_OBJECTS(bind_other_sets);
}

SCENARIO(generated_draw_of_objects_half_linked, GENERATED_OBJECTS,
         .expect = {EXECUTE("None-08698")})
{
    DRAWN_OBJECTS(bind_half_linked);
}

SCENARIO(generated_dispatch_inside, GENERATED, .expect = {EXECUTE("indirectCommandsLayout-12202")})
{
    EXECUTED(.compute = true, .tokens = {TOKEN(PUSH_CONSTANT), TOKEN(DISPATCH)},
             .before = bind_generated_set);
}

/* --- VK_NV_device_generated_commands --- */

static const VkPhysicalDeviceDeviceGeneratedCommandsFeaturesNV generated_nv = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_NV,
    .pNext = (void *)&addresses,
    .deviceGeneratedCommands = VK_TRUE};
#define GENERATED_NV                                   \
    .drivers = NULL_DRIVER, .features = &generated_nv, \
    .extensions = {"VK_NV_device_generated_commands", "VK_EXT_transform_feedback"}
static const VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback_nv = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
    .pNext = (void *)&generated_nv,
    .transformFeedback = VK_TRUE};
#define EXECUTE_NV(name_) "VUID-vkCmdExecuteGeneratedCommandsNV-" name_
#define TOKEN_NV(name_)   VK_INDIRECT_COMMANDS_TOKEN_TYPE_##name_##_NV

static void destroy_layout_nv(struct baseline *b, uint64_t handle)
{
    DEVICE_PROC(b, vkDestroyIndirectCommandsLayoutNV)(b->device, (VkIndirectCommandsLayoutNV)handle,
                                                      NULL);
}

struct executed_nv {
    VkIndirectCommandsTokenTypeNV first; /* beside VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_NV */
    VkIndirectCommandsTokenTypeNV draw;  /* 0: that one */
    bool bindable, groups; /* the pipeline may be chosen by a token; it has groups of shaders */
    bool mesh;             /* it has a mesh shader */
    bool vertices, other_bound, unbound, indices;
    bool outside;        /* of a render pass instance */
    bool compute, plain; /* dispatches of a compute pipeline are generated; a plain one */
    void (*before)(struct baseline *b, VkCommandBuffer c);
};

static VkPipeline make_pipeline_nv(struct baseline *b, const struct executed_nv *e)
{
    const bool vertices = e->vertices, captures = e->before == begin_generated_feedback;
    const VkFormat format = COLOR_FORMAT;
    const VkPipelineRenderingCreateInfo made_for = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format};
    static const VkVertexInputBindingDescription binding = {0, 16, VK_VERTEX_INPUT_RATE_VERTEX};
    static const VkVertexInputAttributeDescription attribute = {2, 0, VK_FORMAT_R32G32B32A32_SFLOAT,
                                                                0};
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), VK_NULL_HANDLE);
    const VkGraphicsShaderGroupCreateInfoNV group = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_SHADER_GROUP_CREATE_INFO_NV,
        .stageCount = p.info.stageCount,
        .pStages = p.stages,
        .pVertexInputState = p.info.pVertexInputState};
    const VkGraphicsShaderGroupCreateInfoNV both[] = {group, group};
    const VkGraphicsPipelineShaderGroupsCreateInfoNV groups = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_SHADER_GROUPS_CREATE_INFO_NV,
        .pNext = &made_for,
        .groupCount = 2,
        .pGroups = both};
    p.info.pNext = e->groups ? (const void *)&groups : &made_for;
    if (e->bindable)
        p.info.flags |= VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV;
    if (e->mesh) {
        p.stages[0] =
            stage_info(VK_SHADER_STAGE_MESH_BIT_EXT, MAKE_SHADER(b, shader_triangle_mesh));
        p.info.pVertexInputState = NULL;
        p.info.pInputAssemblyState = NULL;
    }
    if (captures)
        p.stages[0].module = MAKE_SHADER(b, shader_capture);
    if (vertices) {
        p.vertex_input.vertexBindingDescriptionCount = 1;
        p.vertex_input.pVertexBindingDescriptions = &binding;
        p.vertex_input.vertexAttributeDescriptionCount = 1;
        p.vertex_input.pVertexAttributeDescriptions = &attribute;
        p.stages[0].module = MAKE_SHADER(b, spirv_vertex_attribute);
    }
    return create_graphics_pipeline(b, &p.info);
}

static VkPipeline make_compute_pipeline_nv(struct baseline *b, bool plain)
{
    if (plain) {
        const VkComputePipelineCreateInfo info =
            compute_pipeline_info(MAKE_SHADER(b, spirv_compute), make_empty_pipeline_layout(b));
        return create_compute_pipeline(b, &info);
    }
    const VkBuffer metadata =
        make_buffer(b, 256,
                    VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                        VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    const VkComputePipelineIndirectBufferInfoNV saved = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_INDIRECT_BUFFER_INFO_NV,
        .deviceAddress = buffer_address(b, metadata),
        .size = 256};
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(MAKE_SHADER(b, spirv_compute), make_empty_pipeline_layout(b));
    info.pNext = &saved;
    info.flags = VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV;
    return create_compute_pipeline(b, &info);
}

static void execute_nv(struct baseline *b, const struct executed_nv *e)
{
    const uint32_t stride = 64;
    const VkPipelineBindPoint point =
        e->compute ? VK_PIPELINE_BIND_POINT_COMPUTE : VK_PIPELINE_BIND_POINT_GRAPHICS;
    const VkIndirectCommandsLayoutTokenNV tokens[2] = {
        {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_NV, .tokenType = e->first},
        {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_NV,
         .tokenType = e->compute ? TOKEN_NV(DISPATCH)
                      : e->draw  ? e->draw
                                 : TOKEN_NV(DRAW),
         .offset = 32}};
    const VkIndirectCommandsLayoutCreateInfoNV layout_of = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_NV,
        .flags = e->indices ? VK_INDIRECT_COMMANDS_LAYOUT_USAGE_INDEXED_SEQUENCES_BIT_NV : 0,
        .pipelineBindPoint = point,
        .tokenCount = e->compute ? 1 : 2,
        .pTokens = e->compute ? &tokens[1] : tokens,
        .streamCount = 1,
        .pStreamStrides = &stride};
    VkIndirectCommandsLayoutNV layout = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateIndirectCommandsLayoutNV)(b->device, &layout_of, NULL, &layout));
    cleanup_add(b, destroy_layout_nv, HANDLE(layout));
    const VkPipeline pipeline =
        e->compute ? make_compute_pipeline_nv(b, e->plain) : make_pipeline_nv(b, e);
    const VkGeneratedCommandsMemoryRequirementsInfoNV asked = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_MEMORY_REQUIREMENTS_INFO_NV,
        .pipelineBindPoint = point,
        .pipeline = pipeline,
        .indirectCommandsLayout = layout,
        .maxSequencesCount = 1};
    VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    DEVICE_PROC(b, vkGetGeneratedCommandsMemoryRequirementsNV)(b->device, &asked, &needs);
    const VkIndirectCommandsStreamNV stream = {
        make_buffer(b, 64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT), 0};
    const VkGeneratedCommandsInfoNV info = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_NV,
        .pipelineBindPoint = point,
        .pipeline = pipeline,
        .indirectCommandsLayout = layout,
        .streamCount = 1,
        .pStreams = &stream,
        .sequencesCount = 1,
        .preprocessBuffer =
            make_buffer(b, needs.memoryRequirements.size, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT),
        .preprocessSize = needs.memoryRequirements.size};
    VkCommandBuffer c = make_recording(b);
    if (!e->outside)
        begin_instance(b, c, 0);
    if (!e->unbound)
        vkCmdBindPipeline(c, point, e->other_bound ? make_pipeline_nv(b, e) : pipeline);
    if (e->before)
        e->before(b, c);
    DEVICE_PROC(b, vkCmdExecuteGeneratedCommandsNV)(c, VK_FALSE, &info);
}
#define EXECUTED_NV(...) \
    execute_nv(b, &(struct executed_nv){.first = TOKEN_NV(INDEX_BUFFER) __VA_OPT__(, ) __VA_ARGS__})

SCENARIO(nv_generated_draw, GENERATED_NV)
{
    EXECUTED_NV();
}

SCENARIO(nv_generated_draw_of_another_pipeline, GENERATED_NV,
         .expect = {EXECUTE_NV("pipeline-02909")})
{
    EXECUTED_NV(.other_bound = true);
}

SCENARIO(nv_generated_draw_without_vertices, GENERATED_NV, .expect = {EXECUTE_NV("None-04007")})
{
    EXECUTED_NV(.vertices = true);
}

/* A token binds them. */
SCENARIO(nv_generated_draw_with_vertices, GENERATED_NV)
{
    EXECUTED_NV(.vertices = true, .first = TOKEN_NV(VERTEX_BUFFER));
}

SCENARIO(nv_generated_draw_with_a_fixed_state_set, GENERATED_NV,
         .expect = {EXECUTE_NV("None-08608")})
{
    EXECUTED_NV(.before = set_generated_viewport);
}

SCENARIO(nv_generated_draw_of_groups, GENERATED_NV)
{
    EXECUTED_NV(.first = TOKEN_NV(SHADER_GROUP), .bindable = true, .groups = true);
}

SCENARIO(nv_generated_draw_of_no_groups, GENERATED_NV,
         .expect = {"VUID-VkGeneratedCommandsInfoNV-indirectCommandsLayout-02913"})
{
    EXECUTED_NV(.first = TOKEN_NV(SHADER_GROUP), .bindable = true);
}

static const VkPhysicalDeviceMeshShaderFeaturesEXT meshes_nv = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
    .pNext = (void *)&generated_nv,
    .taskShader = VK_TRUE,
    .meshShader = VK_TRUE};
static const VkPhysicalDeviceMeshShaderFeaturesNV meshes_of_nv = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_NV,
    .pNext = (void *)&generated_nv,
    .taskShader = VK_TRUE,
    .meshShader = VK_TRUE};

SCENARIO(nv_generated_draw_of_meshes, .drivers = NULL_DRIVER, .features = &meshes_nv,
         .extensions = {"VK_NV_device_generated_commands", "VK_EXT_mesh_shader"})
{
    EXECUTED_NV(.first = TOKEN_NV(INDEX_BUFFER), .draw = TOKEN_NV(DRAW_MESH_TASKS), .mesh = true);
}

SCENARIO(nv_generated_draw_of_no_meshes, .drivers = NULL_DRIVER, .features = &meshes_nv,
         .extensions = {"VK_NV_device_generated_commands", "VK_EXT_mesh_shader"},
         .expect = {"VUID-VkGeneratedCommandsInfoNV-indirectCommandsLayout-07079"})
{
    EXECUTED_NV(.draw = TOKEN_NV(DRAW_MESH_TASKS));
}

SCENARIO(nv_generated_draw_of_no_tasks, .drivers = NULL_DRIVER, .features = &meshes_of_nv,
         .extensions = {"VK_NV_device_generated_commands", "VK_NV_mesh_shader"},
         .expect = {"VUID-VkGeneratedCommandsInfoNV-indirectCommandsLayout-07078"})
{
    EXECUTED_NV(.draw = TOKEN_NV(DRAW_TASKS));
}

SCENARIO(nv_generated_draw_without_sequences, GENERATED_NV,
         .expect = {"VUID-VkGeneratedCommandsInfoNV-sequencesIndexBuffer-02924"})
{
    EXECUTED_NV(.indices = true);
}

SCENARIO(nv_generated_draw_in_feedback, .drivers = NULL_DRIVER, .features = &feedback_nv,
         .extensions = {"VK_NV_device_generated_commands", "VK_EXT_transform_feedback"},
         .expect = {EXECUTE_NV("None-02910")})
{
    EXECUTED_NV(.before = begin_generated_feedback);
}

SCENARIO(nv_generated_draw_outside, GENERATED_NV, .expect = {EXECUTE_NV("renderpass")})
{
    EXECUTED_NV(.outside = true);
}

/* VK_NV_device_generated_commands_compute: the dispatches are outside, as others are. */
static const VkPhysicalDeviceDeviceGeneratedCommandsComputeFeaturesNV compute_nv = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_COMPUTE_FEATURES_NV,
    .pNext = (void *)&generated_nv,
    .deviceGeneratedCompute = VK_TRUE,
    .deviceGeneratedComputePipelines = VK_TRUE};
SCENARIO(nv_generated_dispatch, .drivers = NULL_DRIVER, .features = &compute_nv,
         .extensions = {"VK_NV_device_generated_commands",
                        "VK_NV_device_generated_commands_compute"})
{
    EXECUTED_NV(.outside = true, .compute = true);
}
/* The program binds it, and no token. */
SCENARIO(nv_generated_dispatch_of_a_plain_pipeline, .drivers = NULL_DRIVER, .features = &compute_nv,
         .extensions = {"VK_NV_device_generated_commands",
                        "VK_NV_device_generated_commands_compute"})
{
    EXECUTED_NV(.outside = true, .compute = true, .plain = true);
}

/* --- VK_QCOM_tile_shading --- */

static const VkPhysicalDeviceTileShadingFeaturesQCOM tiles = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TILE_SHADING_FEATURES_QCOM,
    .pNext = (void *)&of_13,
    .tileShading = VK_TRUE,
    .tileShadingDispatchTile = VK_TRUE,
    .tileShadingPerTileDispatch = VK_TRUE};
#define TILES                                   \
    .drivers = NULL_DRIVER, .features = &tiles, \
    .extensions = {"VK_QCOM_tile_shading", "VK_QCOM_tile_properties"}

enum tile_dispatch { TILE_DISPATCH, TILE_DISPATCH_PLAINLY, TILE_DISPATCH_OUTSIDE };

/* Plainly: by vkCmdDispatch. Outside: of per-tile execution. */
static void dispatch_tile(struct baseline *b, bool set, enum tile_dispatch how)
{
    const VkPipelineLayout layout = make_pipeline_layout(b, make_descriptor_set_layout(b));
    const VkComputePipelineCreateInfo pipeline_of =
        compute_pipeline_info(make_shader_module(b), layout);
    const VkPipeline pipeline = create_compute_pipeline(b, &pipeline_of);
    const VkRenderingAttachmentInfo color = rendering_attachment(ATTACHMENT());
    const VkRenderPassTileShadingCreateInfoQCOM shading = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_TILE_SHADING_CREATE_INFO_QCOM,
        .flags = VK_TILE_SHADING_RENDER_PASS_ENABLE_BIT_QCOM};
    const VkPerTileBeginInfoQCOM begun = {.sType = VK_STRUCTURE_TYPE_PER_TILE_BEGIN_INFO_QCOM};
    const VkPerTileEndInfoQCOM ended = {.sType = VK_STRUCTURE_TYPE_PER_TILE_END_INFO_QCOM};
    const VkDispatchTileInfoQCOM info = {.sType = VK_STRUCTURE_TYPE_DISPATCH_TILE_INFO_QCOM};
    VkRenderingInfo rendering = rendering_info(&color);
    rendering.pNext = &shading;
    VkCommandBuffer c = make_recording(b);
    const uint32_t number = 0;
    if (set)
        bind_generated_set(b, c);
    vkCmdPushConstants(c, layout, VK_SHADER_STAGE_ALL, 0, 4, &number);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBeginRendering(c, &rendering);
    if (how != TILE_DISPATCH_OUTSIDE)
        DEVICE_PROC(b, vkCmdBeginPerTileExecutionQCOM)(c, &begun);
    if (how == TILE_DISPATCH_PLAINLY)
        vkCmdDispatch(c, 1, 1, 1);
    else
        DEVICE_PROC(b, vkCmdDispatchTileQCOM)(c, &info);
    if (how != TILE_DISPATCH_OUTSIDE)
        DEVICE_PROC(b, vkCmdEndPerTileExecutionQCOM)(c, &ended);
    vkCmdEndRendering(c);
}

SCENARIO(tile_dispatch, TILES)
{
    dispatch_tile(b, true, TILE_DISPATCH);
}

SCENARIO(tile_dispatch_without_a_set, TILES, .expect = {"VUID-vkCmdDispatchTileQCOM-None-08600"})
{
    dispatch_tile(b, false, TILE_DISPATCH);
}

SCENARIO(tile_dispatch_outside, TILES, .expect = {"VUID-vkCmdDispatchTileQCOM-None-10668"})
{
    dispatch_tile(b, true, TILE_DISPATCH_OUTSIDE);
}

SCENARIO(dispatch_per_tile, TILES)
{
    dispatch_tile(b, true, TILE_DISPATCH_PLAINLY);
}

static const VkPhysicalDeviceTileShadingFeaturesQCOM tiles_alone = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TILE_SHADING_FEATURES_QCOM,
    .pNext = (void *)&of_13,
    .tileShading = VK_TRUE,
    .tileShadingPerTileDraw = VK_TRUE};
SCENARIO(dispatch_per_tile_without_the_feature, .drivers = NULL_DRIVER, .features = &tiles_alone,
         .extensions = {"VK_QCOM_tile_shading", "VK_QCOM_tile_properties"},
         .expect = {"VUID-vkCmdDispatch-None-10674"})
{
    dispatch_tile(b, true, TILE_DISPATCH_PLAINLY);
}

/* --- shaders that shade tiles --- */

static const VkPhysicalDeviceTileShadingFeaturesQCOM tiles_of_fragments = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TILE_SHADING_FEATURES_QCOM,
    .pNext = (void *)&of_13,
    .tileShading = VK_TRUE,
    .tileShadingFragmentStage = VK_TRUE,
    .tileShadingPerTileDispatch = VK_TRUE};
#define OF_FRAGMENTS                                         \
    .drivers = NULL_DRIVER, .features = &tiles_of_fragments, \
    .extensions = {"VK_QCOM_tile_shading", "VK_QCOM_tile_properties"}
#define OUTSIDE_OF_TILES(number_) .expect = {"VUID-RuntimeSpirv-TileShadingQCOM-" number_}

static void shade_in_tiles(struct baseline *b, VkTileShadingRenderPassFlagsQCOM flags, bool draws)
{
    const VkRenderingAttachmentInfo color = rendering_attachment(ATTACHMENT());
    const VkRenderPassTileShadingCreateInfoQCOM shading = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_TILE_SHADING_CREATE_INFO_QCOM, .flags = flags};
    const VkPerTileBeginInfoQCOM begun = {.sType = VK_STRUCTURE_TYPE_PER_TILE_BEGIN_INFO_QCOM};
    const VkPerTileEndInfoQCOM ended = {.sType = VK_STRUCTURE_TYPE_PER_TILE_END_INFO_QCOM};
    const VkPipelineLayout layout = make_empty_pipeline_layout(b);
    const VkComputePipelineCreateInfo dispatched =
        compute_pipeline_info(MAKE_SHADER(b, spirv_shades_tiles), layout);
    const VkFormat format = COLOR_FORMAT;
    VkPipelineRenderingCreateInfo made_for = {.sType =
                                                  VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                              .colorAttachmentCount = 1,
                                              .pColorAttachmentFormats = &format};
    struct graphics_pipeline drawn;
    VkRenderingInfo rendering = rendering_info(&color);
    VkCommandBuffer c = make_recording(b);
    rendering.pNext = &shading;
    begin_graphics_pipeline(b, &drawn, layout, VK_NULL_HANDLE);
    drawn.info.pNext = &made_for;
    drawn.stages[1].module = MAKE_SHADER(b, spirv_shades_fragments_of_tiles);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, create_compute_pipeline(b, &dispatched));
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, create_graphics_pipeline(b, &drawn.info));
    if (!flags && !draws) {
        vkCmdDispatch(c, 1, 1, 1);
        return;
    }
    vkCmdBeginRendering(c, &rendering);
    if (draws) {
        vkCmdDraw(c, 3, 1, 0, 0);
    } else {
        DEVICE_PROC(b, vkCmdBeginPerTileExecutionQCOM)(c, &begun);
        vkCmdDispatch(c, 1, 1, 1);
        DEVICE_PROC(b, vkCmdEndPerTileExecutionQCOM)(c, &ended);
    }
    vkCmdEndRendering(c);
}

SCENARIO(dispatch_of_tiles, OF_FRAGMENTS)
{
    shade_in_tiles(b, VK_TILE_SHADING_RENDER_PASS_ENABLE_BIT_QCOM, false);
}

SCENARIO(draw_of_tiles, OF_FRAGMENTS)
{
    shade_in_tiles(b, VK_TILE_SHADING_RENDER_PASS_ENABLE_BIT_QCOM, true);
}

SCENARIO(dispatch_of_tiles_outside, OF_FRAGMENTS, OUTSIDE_OF_TILES("10701"),
         .text = {"commandBuffer is not in per-tile execution, but the shader of "
                  "VK_SHADER_STAGE_COMPUTE_BIT of the bound pipeline declares TileShadingQCOM"})
{
    shade_in_tiles(b, 0, false);
}

SCENARIO(draw_of_tiles_outside, OF_FRAGMENTS, OUTSIDE_OF_TILES("10700"),
         .text = {"commandBuffer is not in a tile shading render pass, but the shader of "
                  "VK_SHADER_STAGE_FRAGMENT_BIT"})
{
    shade_in_tiles(b, 0, true);
}
