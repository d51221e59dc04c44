/* Layouts of generated commands: which tokens they have, and in which order
 * (device_generated_commands/generatedcommands). */
#include "scenario.h"

static const VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceMaintenance5Features maintenance5 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES,
    .pNext = (void *)&addresses,
    .maintenance5 = VK_TRUE};
static const VkPhysicalDeviceDeviceGeneratedCommandsFeaturesEXT generated = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_EXT,
    .pNext = (void *)&maintenance5,
    .deviceGeneratedCommands = VK_TRUE};
#define GENERATED                                   \
    .drivers = NULL_DRIVER, .features = &generated, \
    .extensions = {"VK_EXT_device_generated_commands", "VK_KHR_maintenance5"}
#define LAYOUT(name_) "VUID-VkIndirectCommandsLayoutCreateInfoEXT-" name_

static VkIndirectCommandsLayoutEXT create_layout(struct baseline *b, VkShaderStageFlags stages,
                                                 const VkIndirectCommandsTokenTypeEXT *types,
                                                 uint32_t count)
{
    static const VkIndirectCommandsPushConstantTokenEXT pushed = {
        .updateRange = {VK_SHADER_STAGE_VERTEX_BIT, 0, 4}};
    static const VkIndirectCommandsVertexBufferTokenEXT vertices = {.vertexBindingUnit = 0};
    static const VkIndirectCommandsIndexBufferTokenEXT indices = {
        .mode = VK_INDIRECT_COMMANDS_INPUT_MODE_VULKAN_INDEX_BUFFER_EXT};
    const VkIndirectCommandsExecutionSetTokenEXT set = {
        .type = VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT, .shaderStages = stages};
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, 4};
    const VkPipelineLayoutCreateInfo layout_of = {.sType =
                                                      VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                                  .pushConstantRangeCount = 1,
                                                  .pPushConstantRanges = &range};
    VkIndirectCommandsLayoutTokenEXT tokens[4] = {{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO}};
    for (uint32_t i = 0; i < count; i++) {
        tokens[i] = (VkIndirectCommandsLayoutTokenEXT){
            .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
            .type = types[i],
            .offset = i * 32};
        if (types[i] == VK_INDIRECT_COMMANDS_TOKEN_TYPE_EXECUTION_SET_EXT)
            tokens[i].data.pExecutionSet = &set;
        else if (types[i] == VK_INDIRECT_COMMANDS_TOKEN_TYPE_VERTEX_BUFFER_EXT)
            tokens[i].data.pVertexBuffer = &vertices;
        else if (types[i] == VK_INDIRECT_COMMANDS_TOKEN_TYPE_INDEX_BUFFER_EXT)
            tokens[i].data.pIndexBuffer = &indices;
        else
            tokens[i].data.pPushConstant = &pushed;
    }
    const VkIndirectCommandsLayoutCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_EXT,
        .shaderStages = stages,
        .indirectStride = 128,
        .pipelineLayout = create_pipeline_layout(b, &layout_of),
        .tokenCount = count,
        .pTokens = tokens};
    VkIndirectCommandsLayoutEXT made = VK_NULL_HANDLE;
    if (DEVICE_PROC(b, vkCreateIndirectCommandsLayoutEXT)(b->device, &info, NULL, &made) !=
        VK_SUCCESS)
        return VK_NULL_HANDLE;
    cleanup_add(b, destroy_commands_layout, HANDLE(made));
    return made;
}

#define TOKEN(name_) VK_INDIRECT_COMMANDS_TOKEN_TYPE_##name_##_EXT
#define LAYOUT_OF(stages_, ...)                                                              \
    create_layout(b, stages_, (const VkIndirectCommandsTokenTypeEXT[]){__VA_ARGS__},         \
                  (uint32_t)(sizeof((const VkIndirectCommandsTokenTypeEXT[]){__VA_ARGS__}) / \
                             sizeof(VkIndirectCommandsTokenTypeEXT)))
#define VERTICES VK_SHADER_STAGE_VERTEX_BIT

SCENARIO(layout_of_indexed_draws, GENERATED)
{
    EXPECT(LAYOUT_OF(VERTICES, TOKEN(EXECUTION_SET), TOKEN(VERTEX_BUFFER), TOKEN(INDEX_BUFFER),
                     TOKEN(DRAW_INDEXED)) != VK_NULL_HANDLE);
}

SCENARIO(layout_of_pushed_draws, GENERATED)
{
    EXPECT(LAYOUT_OF(VERTICES, TOKEN(PUSH_CONSTANT), TOKEN(VERTEX_BUFFER), TOKEN(DRAW)) !=
           VK_NULL_HANDLE);
}

SCENARIO(layout_with_a_late_execution_set, GENERATED, .expect = {LAYOUT("pTokens-11139")},
         .text = {"pTokens[1] is element 1, not element 0, and type is "
                  "VK_INDIRECT_COMMANDS_TOKEN_TYPE_EXECUTION_SET_EXT"})
{
    LAYOUT_OF(VERTICES, TOKEN(VERTEX_BUFFER), TOKEN(EXECUTION_SET), TOKEN(DRAW));
}

SCENARIO(layout_with_an_early_draw, GENERATED, .expect = {LAYOUT("pTokens-11100")},
         .text = {"pTokens[0] is element 0, not element 1, and type is "
                  "VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_EXT"})
{
    LAYOUT_OF(VERTICES, TOKEN(DRAW), TOKEN(VERTEX_BUFFER));
}

SCENARIO(layout_with_two_indices, GENERATED, .expect = {LAYOUT("pTokens-11145")},
         .text = {"pCreateInfo->pTokens has 2 of "
                  "VK_INDIRECT_COMMANDS_TOKEN_TYPE_SEQUENCE_INDEX_EXT, more than 1"})
{
    LAYOUT_OF(VERTICES, TOKEN(SEQUENCE_INDEX), TOKEN(SEQUENCE_INDEX), TOKEN(DRAW));
}

SCENARIO(layout_with_an_index, GENERATED)
{
    LAYOUT_OF(VERTICES, TOKEN(SEQUENCE_INDEX), TOKEN(DRAW));
}

static const VkPhysicalDeviceDescriptorHeapFeaturesEXT heaps = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT,
    .pNext = (void *)&generated,
    .descriptorHeap = VK_TRUE};
#define GENERATED_IN_HEAPS                                                    \
    .drivers = NULL_DRIVER, .features = &heaps,                               \
    .extensions = {"VK_EXT_device_generated_commands", "VK_KHR_maintenance5", \
                   "VK_EXT_descriptor_heap"}

SCENARIO(layout_with_indices_of_two_kinds, GENERATED_IN_HEAPS, .expect = {LAYOUT("pTokens-11094")},
         .text = {"pCreateInfo->pTokens has 2 of "
                  "VK_INDIRECT_COMMANDS_TOKEN_TYPE_SEQUENCE_INDEX_EXT and "
                  "VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_DATA_SEQUENCE_INDEX_EXT, more than 1"})
{
    LAYOUT_OF(VERTICES, TOKEN(SEQUENCE_INDEX), TOKEN(PUSH_DATA_SEQUENCE_INDEX), TOKEN(DRAW));
}

SCENARIO(layout_with_unused_indices, GENERATED, .expect = {LAYOUT("pTokens-11095")})
{
    LAYOUT_OF(VERTICES, TOKEN(INDEX_BUFFER), TOKEN(DRAW));
}

/* --- tokens against one another, and against the stages --- */

SCENARIO(layout_with_two_sets, GENERATED, .expect = {LAYOUT("pTokens-11093")})
{
    LAYOUT_OF(VERTICES, TOKEN(EXECUTION_SET), TOKEN(EXECUTION_SET), TOKEN(DRAW));
}

static void create_in_ranges(struct baseline *b, uint32_t range_count,
                             const VkPushConstantRange *ranges, VkShaderStageFlags stages,
                             uint32_t count, const VkIndirectCommandsLayoutTokenEXT *tokens)
{
    const VkPipelineLayoutCreateInfo layout_of = {.sType =
                                                      VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                                  .pushConstantRangeCount = range_count,
                                                  .pPushConstantRanges = ranges};
    const VkIndirectCommandsLayoutCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_EXT,
        .shaderStages = stages,
        .indirectStride = 128,
        .pipelineLayout = create_pipeline_layout(b, &layout_of),
        .tokenCount = count,
        .pTokens = tokens};
    VkIndirectCommandsLayoutEXT made = VK_NULL_HANDLE;
    if (DEVICE_PROC(b, vkCreateIndirectCommandsLayoutEXT)(b->device, &info, NULL, &made) ==
        VK_SUCCESS)
        cleanup_add(b, destroy_commands_layout, HANDLE(made));
}

/* With push constants of 16 bytes. */
static void create_tokens(struct baseline *b, VkShaderStageFlags stages, uint32_t count,
                          const VkIndirectCommandsLayoutTokenEXT *tokens)
{
    const VkPushConstantRange range = {VK_SHADER_STAGE_ALL, 0, 16};
    create_in_ranges(b, 1, &range, stages, count, tokens);
}

static VkIndirectCommandsLayoutTokenEXT token_of(VkIndirectCommandsTokenTypeEXT type,
                                                 uint32_t offset)
{
    return (VkIndirectCommandsLayoutTokenEXT){
        .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
        .type = type,
        .offset = offset};
}

static void create_pushes(struct baseline *b, uint32_t first, uint32_t second, uint32_t size)
{
    const VkIndirectCommandsPushConstantTokenEXT pushed[] = {
        {.updateRange = {VK_SHADER_STAGE_VERTEX_BIT, first, 8}},
        {.updateRange = {VK_SHADER_STAGE_VERTEX_BIT, second, size}}};
    VkIndirectCommandsLayoutTokenEXT tokens[] = {token_of(TOKEN(PUSH_CONSTANT), 0),
                                                 token_of(TOKEN(PUSH_CONSTANT), 16),
                                                 token_of(TOKEN(DRAW), 32)};
    tokens[0].data.pPushConstant = &pushed[0];
    tokens[1].data.pPushConstant = &pushed[1];
    create_tokens(b, VERTICES, 3, tokens);
}

SCENARIO(layout_of_two_ranges, GENERATED)
{
    create_pushes(b, 0, 8, 8);
}

SCENARIO(layout_of_ranges_that_overlap, GENERATED, .expect = {LAYOUT("pTokens-11099")},
         .text = {"has 8 bytes from byte 4 on, but pTokens[0] updates 8 from byte 0 on"})
{
    create_pushes(b, 0, 4, 8);
}

SCENARIO(layout_of_a_range_outside, GENERATED,
         .expect = {"VUID-VkIndirectCommandsPushConstantTokenEXT-updateRange-11132"},
         .text = {"has 12 bytes from byte 8 on, which lie in no push constant range of the layout"})
{
    create_pushes(b, 0, 8, 12);
}

/* Half of the range is one stage's, half the other's. */
SCENARIO(layout_of_a_range_across_two, GENERATED)
{
    const VkPushConstantRange ranges[] = {{VK_SHADER_STAGE_FRAGMENT_BIT, 8, 8},
                                          {VK_SHADER_STAGE_VERTEX_BIT, 0, 8}};
    const VkIndirectCommandsPushConstantTokenEXT pushed = {
        .updateRange = {VERTICES | VK_SHADER_STAGE_FRAGMENT_BIT, 0, 16}};
    VkIndirectCommandsLayoutTokenEXT tokens[] = {token_of(TOKEN(PUSH_CONSTANT), 0),
                                                 token_of(TOKEN(DRAW), 16)};
    tokens[0].data.pPushConstant = &pushed;
    create_in_ranges(b, 2, ranges, VERTICES | VK_SHADER_STAGE_FRAGMENT_BIT, 2, tokens);
}

static void create_vertices(struct baseline *b, uint32_t first, uint32_t second, uint32_t offset)
{
    const VkIndirectCommandsVertexBufferTokenEXT bindings[] = {{.vertexBindingUnit = first},
                                                               {.vertexBindingUnit = second}};
    VkIndirectCommandsLayoutTokenEXT tokens[] = {token_of(TOKEN(VERTEX_BUFFER), 32),
                                                 token_of(TOKEN(VERTEX_BUFFER), offset),
                                                 token_of(TOKEN(DRAW), 80)};
    tokens[0].data.pVertexBuffer = &bindings[0];
    tokens[1].data.pVertexBuffer = &bindings[1];
    create_tokens(b, VERTICES, 3, tokens);
}

SCENARIO(layout_of_two_vertex_buffers, GENERATED)
{
    create_vertices(b, 0, 1, 32);
}

SCENARIO(layout_of_one_vertex_buffer_twice, GENERATED, .expect = {LAYOUT("pTokens-11097")},
         .text = {"is 1, as in pTokens[0]"})
{
    create_vertices(b, 1, 1, 64);
}

SCENARIO(layout_with_tokens_backwards, GENERATED, .expect = {LAYOUT("pTokens-11103")},
         .text = {"is 16, but that of pTokens[0] is 32"})
{
    create_vertices(b, 0, 1, 16);
}

SCENARIO(layout_of_dispatches, GENERATED)
{
    EXPECT(LAYOUT_OF(VK_SHADER_STAGE_COMPUTE_BIT, TOKEN(PUSH_CONSTANT), TOKEN(DISPATCH)) !=
           VK_NULL_HANDLE);
}

SCENARIO(layout_for_draws_and_dispatches, GENERATED, .expect = {LAYOUT("shaderStages-11112")})
{
    LAYOUT_OF(VERTICES | VK_SHADER_STAGE_COMPUTE_BIT, TOKEN(DRAW));
}

static const VkPhysicalDeviceMeshShaderFeaturesEXT meshes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
    .pNext = (void *)&generated,
    .taskShader = VK_TRUE,
    .meshShader = VK_TRUE};

SCENARIO(layout_with_unused_vertices, .drivers = NULL_DRIVER, .features = &meshes,
         .extensions = {"VK_EXT_device_generated_commands", "VK_KHR_maintenance5",
                        "VK_EXT_mesh_shader"},
         .expect = {LAYOUT("pTokens-11096")},
         .text = {
             "pCreateInfo->pTokens has 1 of VK_INDIRECT_COMMANDS_TOKEN_TYPE_VERTEX_BUFFER_EXT, "
             "not 0"})
{
    LAYOUT_OF(VK_SHADER_STAGE_MESH_BIT_EXT, TOKEN(VERTEX_BUFFER), TOKEN(DRAW_MESH_TASKS));
}

#define MESH_EXTENSIONS \
    .extensions = {"VK_EXT_device_generated_commands", "VK_KHR_maintenance5", "VK_EXT_mesh_shader"}
SCENARIO(layout_of_meshes, .drivers = NULL_DRIVER, .features = &meshes, MESH_EXTENSIONS)
{
    LAYOUT_OF(VK_SHADER_STAGE_MESH_BIT_EXT, TOKEN(PUSH_CONSTANT), TOKEN(DRAW_MESH_TASKS));
}

SCENARIO(layout_of_meshes_without_the_feature, .drivers = NULL_DRIVER, .features = &generated,
         MESH_EXTENSIONS, .expect = {"VUID-VkIndirectCommandsLayoutTokenEXT-meshShader-11126"})
{
    LAYOUT_OF(VK_SHADER_STAGE_MESH_BIT_EXT, TOKEN(PUSH_CONSTANT), TOKEN(DRAW_MESH_TASKS));
}

/* The index of a sequence is a word. */
static void create_index(struct baseline *b, uint32_t size)
{
    const VkIndirectCommandsPushConstantTokenEXT pushed = {
        .updateRange = {VK_SHADER_STAGE_VERTEX_BIT, 4, size}};
    VkIndirectCommandsLayoutTokenEXT tokens[] = {token_of(TOKEN(SEQUENCE_INDEX), 0),
                                                 token_of(TOKEN(DRAW), 16)};
    tokens[0].data.pPushConstant = &pushed;
    create_tokens(b, VERTICES, 2, tokens);
}

SCENARIO(layout_of_an_index, GENERATED)
{
    create_index(b, 4);
}

SCENARIO(layout_of_a_long_index, GENERATED,
         .expect = {"VUID-VkIndirectCommandsPushConstantTokenEXT-size-11133"},
         .text = {"is 8, but an index has 4 bytes"})
{
    create_index(b, 8);
}

#define SUPPORTED(stages_)                                                                   \
    .null_driver = "{\"properties\": {"                                                      \
                   "\"supportedIndirectCommandsShaderStagesPipelineBinding\": " stages_ ", " \
                   "\"supportedIndirectCommandsShaderStagesShaderBinding\": 32}}"
SCENARIO(layout_of_a_supported_set, GENERATED, SUPPORTED("1"))
{
    LAYOUT_OF(VERTICES, TOKEN(EXECUTION_SET), TOKEN(DRAW));
}

SCENARIO(layout_of_an_unsupported_set, GENERATED, SUPPORTED("16"),
         .expect = {"VUID-VkIndirectCommandsExecutionSetTokenEXT-shaderStages-11137"})
{
    LAYOUT_OF(VERTICES, TOKEN(EXECUTION_SET), TOKEN(DRAW));
}

/* --- what a layout asks of calls --- */

static VkPipeline make_bindable(struct baseline *b)
{
    const VkPipelineCreateFlags2CreateInfo chained = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT};
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_module(b),
                              make_pipeline_layout(b, make_descriptor_set_layout(b)));
    info.pNext = &chained;
    return create_compute_pipeline(b, &info);
}

/* Asks for the memory of commands of a layout with the token or without it. */
static void ask_memory(struct baseline *b, bool token, bool set)
{
    const VkPipeline pipeline = make_bindable(b);
    const VkIndirectExecutionSetPipelineInfoEXT pipelines = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_PIPELINE_INFO_EXT,
        .initialPipeline = pipeline,
        .maxPipelineCount = 1};
    const VkIndirectExecutionSetCreateInfoEXT set_of = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_CREATE_INFO_EXT,
        .type = VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT,
        .info.pPipelineInfo = &pipelines};
    VkIndirectExecutionSetEXT made = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateIndirectExecutionSetEXT)(b->device, &set_of, NULL, &made));
    cleanup_add(b, destroy_execution_set, HANDLE(made));
    const VkGeneratedCommandsPipelineInfoEXT chained = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT, .pipeline = pipeline};
    const VkIndirectCommandsLayoutEXT layout =
        token ? LAYOUT_OF(VK_SHADER_STAGE_COMPUTE_BIT, TOKEN(EXECUTION_SET), TOKEN(DISPATCH))
              : LAYOUT_OF(VERTICES, TOKEN(PUSH_CONSTANT), TOKEN(DRAW));
    const VkGeneratedCommandsMemoryRequirementsInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_MEMORY_REQUIREMENTS_INFO_EXT,
        .pNext = set ? NULL : &chained,
        .indirectExecutionSet = set ? made : VK_NULL_HANDLE,
        .indirectCommandsLayout = layout,
        .maxSequenceCount = 1,
        .maxDrawCount = 1};
    VkMemoryRequirements2 requirements = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    DEVICE_PROC(b, vkGetGeneratedCommandsMemoryRequirementsEXT)(b->device, &info, &requirements);
}

#define REQUIREMENTS(name_) \
    "VUID-VkGeneratedCommandsMemoryRequirementsInfoEXT-indirectCommandsLayout-" name_

SCENARIO(memory_of_a_set, GENERATED)
{
    ask_memory(b, true, true);
}

SCENARIO(memory_of_no_set, GENERATED)
{
    ask_memory(b, false, false);
}

SCENARIO(memory_without_the_set, GENERATED, .expect = {REQUIREMENTS("11010")},
         .text = {"indirectExecutionSet is NULL, but execution set token of "
                  "VkIndirectCommandsLayoutEXT 0x",
                  " is there"})
{
    ask_memory(b, true, false);
}

SCENARIO(memory_with_a_needless_set, GENERATED, .expect = {REQUIREMENTS("11011")})
{
    ask_memory(b, false, true);
}

/* --- VK_NV_device_generated_commands --- */

static const VkPhysicalDeviceDeviceGeneratedCommandsFeaturesNV generated_nv = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_NV,
    .pNext = (void *)&addresses,
    .deviceGeneratedCommands = VK_TRUE};
static const VkPhysicalDeviceDeviceGeneratedCommandsComputeFeaturesNV compute_nv = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_COMPUTE_FEATURES_NV,
    .pNext = (void *)&generated_nv,
    .deviceGeneratedCompute = VK_TRUE};
static const VkPhysicalDeviceDeviceGeneratedCommandsComputeFeaturesNV pipelines_nv = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_COMPUTE_FEATURES_NV,
    .pNext = (void *)&generated_nv,
    .deviceGeneratedCompute = VK_TRUE,
    .deviceGeneratedComputePipelines = VK_TRUE};
#define GENERATED_NV(features_)                     \
    .drivers = NULL_DRIVER, .features = &features_, \
    .extensions = {"VK_NV_device_generated_commands", "VK_NV_device_generated_commands_compute"}
#define LAYOUT_NV(name_) "VUID-VkIndirectCommandsLayoutCreateInfoNV-" name_

static void destroy_layout_nv(struct baseline *b, uint64_t handle)
{
    DEVICE_PROC(b, vkDestroyIndirectCommandsLayoutNV)(b->device, (VkIndirectCommandsLayoutNV)handle,
                                                      NULL);
}

static void create_layout_nv(struct baseline *b, VkPipelineBindPoint point,
                             const VkIndirectCommandsTokenTypeNV *types, uint32_t count)
{
    const uint32_t stride = 256;
    VkIndirectCommandsLayoutTokenNV tokens[4] = {{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO}};
    for (uint32_t i = 0; i < count; i++)
        tokens[i] = (VkIndirectCommandsLayoutTokenNV){
            .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_NV,
            .tokenType = types[i],
            .offset = i * 32,
            .indirectStateFlags = types[i] == VK_INDIRECT_COMMANDS_TOKEN_TYPE_STATE_FLAGS_NV
                                      ? VK_INDIRECT_STATE_FLAG_FRONTFACE_BIT_NV
                                      : 0};
    const VkIndirectCommandsLayoutCreateInfoNV info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_NV,
        .pipelineBindPoint = point,
        .tokenCount = count,
        .pTokens = tokens,
        .streamCount = 1,
        .pStreamStrides = &stride};
    VkIndirectCommandsLayoutNV made = VK_NULL_HANDLE;
    if (DEVICE_PROC(b, vkCreateIndirectCommandsLayoutNV)(b->device, &info, NULL, &made) ==
        VK_SUCCESS)
        cleanup_add(b, destroy_layout_nv, HANDLE(made));
}

#define TOKEN_NV(name_) VK_INDIRECT_COMMANDS_TOKEN_TYPE_##name_##_NV
#define LAYOUT_NV_OF(point_, ...)                                                              \
    create_layout_nv(b, VK_PIPELINE_BIND_POINT_##point_,                                       \
                     (const VkIndirectCommandsTokenTypeNV[]){__VA_ARGS__},                     \
                     (uint32_t)(sizeof((const VkIndirectCommandsTokenTypeNV[]){__VA_ARGS__}) / \
                                sizeof(VkIndirectCommandsTokenTypeNV)))

SCENARIO(nv_layout_of_groups, GENERATED_NV(compute_nv))
{
    LAYOUT_NV_OF(GRAPHICS, TOKEN_NV(SHADER_GROUP), TOKEN_NV(STATE_FLAGS), TOKEN_NV(DRAW));
}

SCENARIO(nv_layout_of_pipelines, GENERATED_NV(pipelines_nv))
{
    LAYOUT_NV_OF(COMPUTE, TOKEN_NV(PIPELINE), TOKEN_NV(DISPATCH));
}

SCENARIO(nv_layout_with_a_late_group, GENERATED_NV(compute_nv),
         .expect = {LAYOUT_NV("pTokens-02932")})
{
    LAYOUT_NV_OF(GRAPHICS, TOKEN_NV(STATE_FLAGS), TOKEN_NV(SHADER_GROUP), TOKEN_NV(DRAW));
}

SCENARIO(nv_layout_with_two_flags, GENERATED_NV(compute_nv), .expect = {LAYOUT_NV("pTokens-02933")})
{
    LAYOUT_NV_OF(GRAPHICS, TOKEN_NV(STATE_FLAGS), TOKEN_NV(STATE_FLAGS), TOKEN_NV(DRAW));
}

SCENARIO(nv_layout_with_two_pipelines, GENERATED_NV(pipelines_nv),
         .expect = {LAYOUT_NV("pTokens-09585")})
{
    LAYOUT_NV_OF(COMPUTE, TOKEN_NV(PIPELINE), TOKEN_NV(PIPELINE), TOKEN_NV(DISPATCH));
}

SCENARIO(nv_layout_of_draws_for_compute, GENERATED_NV(compute_nv),
         .expect = {LAYOUT_NV("pipelineBindPoint-09089")})
{
    LAYOUT_NV_OF(COMPUTE, TOKEN_NV(STATE_FLAGS), TOKEN_NV(DISPATCH));
}

SCENARIO(nv_layout_of_pipelines_without_the_feature, GENERATED_NV(compute_nv),
         .expect = {LAYOUT_NV("pipelineBindPoint-09090")})
{
    LAYOUT_NV_OF(COMPUTE, TOKEN_NV(PIPELINE), TOKEN_NV(DISPATCH));
}
