/* Layouts of VK_NV_device_generated_commands: which tokens they have, and in which order. Also the
 * groups of shaders and the compute pipelines that such tokens bind. */
#include "scenario.h"

static const VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceMeshShaderFeaturesEXT meshes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
    .pNext = (void *)&addresses,
    .taskShader = VK_TRUE,
    .meshShader = VK_TRUE};
static const VkPhysicalDeviceDeviceGeneratedCommandsFeaturesNV generated = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_NV,
    .pNext = (void *)&meshes,
    .deviceGeneratedCommands = VK_TRUE};
static const VkPhysicalDeviceDeviceGeneratedCommandsComputeFeaturesNV compute = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_COMPUTE_FEATURES_NV,
    .pNext = (void *)&generated,
    .deviceGeneratedCompute = VK_TRUE,
    .deviceGeneratedComputePipelines = VK_TRUE};
#define NV                                                                  \
    .drivers = NULL_DRIVER, .features = &compute,                           \
    .extensions = {"VK_NV_device_generated_commands", "VK_EXT_mesh_shader", \
                   "VK_NV_device_generated_commands_compute"}
#define TOKEN(name_) VK_INDIRECT_COMMANDS_TOKEN_TYPE_##name_##_NV

static void destroy_layout(struct baseline *b, uint64_t handle)
{
    DEVICE_PROC(b, vkDestroyIndirectCommandsLayoutNV)(b->device, (VkIndirectCommandsLayoutNV)handle,
                                                      NULL);
}

/* A layout of up to three tokens, 16 bytes apart. */
struct layout {
    VkIndirectCommandsLayoutTokenNV tokens[3];
    uint32_t count, streams;
    VkPipelineBindPoint point;
};

static VkIndirectCommandsLayoutNV create_layout(struct baseline *b, const struct layout *layout)
{
    const uint32_t strides[2] = {64, 64};
    const VkIndirectCommandsLayoutCreateInfoNV info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_NV,
        .pipelineBindPoint = layout->point,
        .tokenCount = layout->count,
        .pTokens = layout->tokens,
        .streamCount = layout->streams,
        .pStreamStrides = strides};
    VkIndirectCommandsLayoutNV made = VK_NULL_HANDLE;
    if (DEVICE_PROC(b, vkCreateIndirectCommandsLayoutNV)(b->device, &info, NULL, &made) ==
        VK_SUCCESS)
        cleanup_add(b, destroy_layout, HANDLE(made));
    return made;
}

static struct layout layout_of(VkIndirectCommandsTokenTypeNV first,
                               VkIndirectCommandsTokenTypeNV second)
{
    const VkIndirectCommandsTokenTypeNV types[] = {first, second};
    struct layout layout = {.count = 2, .streams = 1};
    for (uint32_t i = 0; i < 2; i++)
        layout.tokens[i] = (VkIndirectCommandsLayoutTokenNV){
            .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_NV,
            .tokenType = types[i],
            .offset = i * 16};
    return layout;
}

#define LAYOUT(name_, first_, second_, change_, ...)                \
    SCENARIO(name_, NV, ##__VA_ARGS__)                              \
    {                                                               \
        struct layout l = layout_of(TOKEN(first_), TOKEN(second_)); \
        change_;                                                    \
        create_layout(b, &l);                                       \
    }
#define INFO(id_)     .expect = {"VUID-VkIndirectCommandsLayoutCreateInfoNV-" id_}
#define OF_TOKEN(id_) .expect = {"VUID-VkIndirectCommandsLayoutTokenNV-" id_}

LAYOUT(nv_layout_of_draws, INDEX_BUFFER, DRAW_INDEXED, )
LAYOUT(nv_layout_of_meshes, VERTEX_BUFFER, DRAW_MESH_TASKS, )
LAYOUT(nv_layout_with_an_early_draw, DRAW, INDEX_BUFFER, , INFO("pTokens-02934"),
       .text = {"is VK_INDIRECT_COMMANDS_TOKEN_TYPE_INDEX_BUFFER_NV, after a token that draws"})
LAYOUT(nv_layout_of_two_draws, DRAW, DRAW_INDEXED, , INFO("pTokens-02935"),
       .text = {"has 2 tokens that draw or dispatch, 0 of them not for "
                "VK_PIPELINE_BIND_POINT_GRAPHICS"})
LAYOUT(nv_layout_of_no_draw, VERTEX_BUFFER, INDEX_BUFFER, , INFO("pTokens-02935"))
LAYOUT(nv_layout_of_dispatches, PIPELINE, DISPATCH, l.point = VK_PIPELINE_BIND_POINT_COMPUTE)
LAYOUT(nv_layout_of_dispatches_for_graphics, INDEX_BUFFER, DISPATCH, , INFO("pTokens-02935"))
LAYOUT(nv_layout_of_two_streams, INDEX_BUFFER, DRAW_INDEXED,
       (l.tokens[0].stream = 1, l.streams = 2))
LAYOUT(nv_layout_of_a_stream_too_many, INDEX_BUFFER, DRAW_INDEXED, l.tokens[0].stream = 1,
       OF_TOKEN("stream-02951"), .text = {"is 1, but the layout has 1 streams (streamCount)"})
/* Draws have members of 4 bytes, addresses have 8. */
LAYOUT(nv_layout_of_words, INDEX_BUFFER, DRAW_INDEXED, l.tokens[1].offset = 20,
       .null_driver = "{\"properties\": {\"minIndirectCommandsBufferOffsetAlignment\": 64}}")
LAYOUT(nv_layout_of_addresses_misaligned, INDEX_BUFFER, DRAW_INDEXED, l.tokens[0].offset = 4,
       OF_TOKEN("offset-06888"), .text = {"is 4, which is not a multiple of 8"},
       .null_driver = "{\"properties\": {\"minIndirectCommandsBufferOffsetAlignment\": 64}}")
LAYOUT(nv_layout_of_addresses_on_words, INDEX_BUFFER, DRAW_INDEXED, l.tokens[0].offset = 4,
       .null_driver = "{\"properties\": {\"minIndirectCommandsBufferOffsetAlignment\": 4}}")
LAYOUT(nv_layout_of_the_last_binding, VERTEX_BUFFER, DRAW, l.tokens[0].vertexBindingUnit = 15,
       .null_driver = "{\"limits\": {\"maxVertexInputBindings\": 16}}")
LAYOUT(nv_layout_of_a_binding_too_many, VERTEX_BUFFER, DRAW, l.tokens[0].vertexBindingUnit = 16,
       .null_driver = "{\"limits\": {\"maxVertexInputBindings\": 16}}", OF_TOKEN("tokenType-02976"))

/* --- tokens that push constants --- */

/* Bytes 0 to 8 are of vertex shaders, and bytes 8 to 16 of vertex and fragment shaders. */
static void take_ranges(struct baseline *b, struct layout *l, VkShaderStageFlags stages,
                        uint32_t offset, uint32_t size)
{
    const VkPushConstantRange ranges[] = {{VK_SHADER_STAGE_FRAGMENT_BIT, 8, 8},
                                          {VK_SHADER_STAGE_VERTEX_BIT, 0, 16}};
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .pushConstantRangeCount = 2,
                                             .pPushConstantRanges = ranges};
    l->tokens[0].pushconstantPipelineLayout = create_pipeline_layout(b, &info);
    l->tokens[0].pushconstantShaderStageFlags = stages;
    l->tokens[0].pushconstantOffset = offset;
    l->tokens[0].pushconstantSize = size;
    l->tokens[1].offset = 32;
}
#define VERTEX   VK_SHADER_STAGE_VERTEX_BIT
#define FRAGMENT VK_SHADER_STAGE_FRAGMENT_BIT
LAYOUT(nv_layout_that_pushes, PUSH_CONSTANT, DRAW, take_ranges(b, &l, VERTEX | FRAGMENT, 8, 8))
LAYOUT(nv_layout_that_pushes_for_one_stage, PUSH_CONSTANT, DRAW, take_ranges(b, &l, VERTEX, 0, 8))
LAYOUT(nv_layout_that_pushes_without_ranges, PUSH_CONSTANT, DRAW,
       (take_ranges(b, &l, VERTEX, 0, 8), l.tokens[0].pushconstantPipelineLayout = VK_NULL_HANDLE),
       OF_TOKEN("tokenType-02977"))
LAYOUT(nv_layout_that_pushes_elsewhere, PUSH_CONSTANT, DRAW,
       take_ranges(b, &l, VERTEX | FRAGMENT, 4, 8), OF_TOKEN("tokenType-02982"),
       .text = {"has no range of VK_SHADER_STAGE_FRAGMENT_BIT for all of bytes 4 to 11"})
LAYOUT(nv_layout_that_pushes_for_too_few, PUSH_CONSTANT, DRAW, take_ranges(b, &l, VERTEX, 4, 8),
       OF_TOKEN("tokenType-02983"))

/* --- pipelines that tokens bind --- */

static VkComputePipelineIndirectBufferInfoNV metadata_place(struct baseline *b,
                                                            VkBufferUsageFlags usage)
{
    return (VkComputePipelineIndirectBufferInfoNV){
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_INDIRECT_BUFFER_INFO_NV,
        .deviceAddress =
            buffer_address(b,
                           make_buffer(b, 256, usage | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)),
        .size = 256};
}
#define METADATA (VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT)

/* `usage`: 0: it has no place for its metadata. */
static VkComputePipelineCreateInfo bindable_info(struct baseline *b,
                                                 VkComputePipelineIndirectBufferInfoNV *place,
                                                 VkBufferUsageFlags usage)
{
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_module(b),
                              make_pipeline_layout(b, make_descriptor_set_layout(b)));
    *place = metadata_place(b, usage ? usage : METADATA);
    info.flags = VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV;
    info.pNext = usage ? place : NULL;
    return info;
}

static VkPipeline make_bindable_nv(struct baseline *b, VkBufferUsageFlags usage)
{
    VkComputePipelineIndirectBufferInfoNV place;
    const VkComputePipelineCreateInfo info = bindable_info(b, &place, usage);
    return create_compute_pipeline(b, &info);
}

SCENARIO(nv_bindable_pipeline, NV)
{
    const VkPipeline pipeline = make_bindable_nv(b, METADATA);
    const VkPipelineIndirectDeviceAddressInfoNV asked = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INDIRECT_DEVICE_ADDRESS_INFO_NV,
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE,
        .pipeline = pipeline};
    DEVICE_PROC(b, vkGetPipelineIndirectDeviceAddressNV)(b->device, &asked);
    DEVICE_PROC(b, vkCmdUpdatePipelineIndirectBufferNV)(make_recording(b),
                                                        VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
}

SCENARIO(nv_bindable_pipeline_in_another_buffer, NV,
         .expect = {"VUID-VkComputePipelineIndirectBufferInfoNV-deviceAddress-09012"})
{
    make_bindable_nv(b, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
}

SCENARIO(nv_place_of_a_plain_pipeline, NV,
         .expect = {"VUID-VkComputePipelineIndirectBufferInfoNV-flags-09010"})
{
    VkComputePipelineIndirectBufferInfoNV place;
    VkComputePipelineCreateInfo info = bindable_info(b, &place, METADATA);
    info.flags = 0;
    create_compute_pipeline(b, &info);
}

SCENARIO(nv_place_asked_of_a_plain_pipeline, NV,
         .expect = {"VUID-vkGetPipelineIndirectMemoryRequirementsNV-pCreateInfo-09083"})
{
    VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    const VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_module(b),
                              make_pipeline_layout(b, make_descriptor_set_layout(b)));
    DEVICE_PROC(b, vkGetPipelineIndirectMemoryRequirementsNV)(b->device, &info, &needs);
}

SCENARIO(nv_place_asked_for, NV)
{
    VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    VkComputePipelineIndirectBufferInfoNV place;
    VkComputePipelineCreateInfo info = bindable_info(b, &place, METADATA);
    /* The place is not known before it is asked for. */
    info.pNext = NULL;
    DEVICE_PROC(b, vkGetPipelineIndirectMemoryRequirementsNV)(b->device, &info, &needs);
}

/* The driver makes them all the same. */
#define PLACELESS "VUID-VkComputePipelineCreateInfo-flags-09008"
SCENARIO(nv_updated_without_a_place, NV, .proceed = true,
         .expect = {PLACELESS, "VUID-vkCmdUpdatePipelineIndirectBufferNV-pipeline-09020"})
{
    DEVICE_PROC(b, vkCmdUpdatePipelineIndirectBufferNV)(make_recording(b),
                                                        VK_PIPELINE_BIND_POINT_COMPUTE,
                                                        make_bindable_nv(b, 0));
}

SCENARIO(nv_asked_without_a_place, NV, .proceed = true,
         .expect = {PLACELESS, "VUID-VkPipelineIndirectDeviceAddressInfoNV-pipeline-09081"})
{
    const VkPipelineIndirectDeviceAddressInfoNV asked = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INDIRECT_DEVICE_ADDRESS_INFO_NV,
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE,
        .pipeline = make_bindable_nv(b, 0)};
    DEVICE_PROC(b, vkGetPipelineIndirectDeviceAddressNV)(b->device, &asked);
}

/* --- memory requirements --- */

static void ask_of_dispatches(struct baseline *b, bool token, bool given)
{
    struct layout l = layout_of(TOKEN(PIPELINE), TOKEN(DISPATCH));
    l.point = VK_PIPELINE_BIND_POINT_COMPUTE;
    l.count = token ? 2 : 1;
    if (!token)
        l.tokens[0] = l.tokens[1];
    const VkGeneratedCommandsMemoryRequirementsInfoNV asked = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_MEMORY_REQUIREMENTS_INFO_NV,
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE,
        .pipeline = given ? make_bindable_nv(b, METADATA) : VK_NULL_HANDLE,
        .indirectCommandsLayout = create_layout(b, &l),
        .maxSequencesCount = 1};
    VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    DEVICE_PROC(b, vkGetGeneratedCommandsMemoryRequirementsNV)(b->device, &asked, &needs);
}
#define ASKED(id_) \
    .expect = {"VUID-VkGeneratedCommandsMemoryRequirementsInfoNV-pipelineBindPoint-" id_}

SCENARIO(nv_asked_of_bound_pipelines, NV)
{
    ask_of_dispatches(b, true, false);
    ask_of_dispatches(b, false, true);
}

SCENARIO(nv_asked_of_no_pipeline, NV, ASKED("09076"))
{
    ask_of_dispatches(b, false, false);
}

SCENARIO(nv_asked_of_a_pipeline_beside_a_token, NV, ASKED("09077"))
{
    ask_of_dispatches(b, true, true);
}

/* --- groups of shaders --- */

struct grouped {
    struct graphics_pipeline p;
    VkGraphicsPipelineShaderGroupsCreateInfoNV groups;
    VkGraphicsShaderGroupCreateInfoNV group[2];
    VkPipelineShaderStageCreateInfo stages[2][2];
    VkPipeline named;
};

static void start_grouped(struct baseline *b, struct grouped *g)
{
    begin_graphics_pipeline(b, &g->p, make_empty_pipeline_layout(b), make_render_pass(b));
    for (uint32_t i = 0; i < 2; i++) {
        g->stages[i][0] = g->p.stages[0];
        g->stages[i][1] = g->p.stages[1];
        g->group[i] = (VkGraphicsShaderGroupCreateInfoNV){
            .sType = VK_STRUCTURE_TYPE_GRAPHICS_SHADER_GROUP_CREATE_INFO_NV,
            .stageCount = 2,
            .pStages = g->stages[i],
            .pVertexInputState = g->p.info.pVertexInputState,
            .pTessellationState = g->p.info.pTessellationState};
    }
    g->groups = (VkGraphicsPipelineShaderGroupsCreateInfoNV){
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_SHADER_GROUPS_CREATE_INFO_NV,
        .groupCount = 2,
        .pGroups = g->group};
    g->p.info.pNext = &g->groups;
    g->p.info.flags |= VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV;
}

static VkPipeline make_grouped(struct baseline *b)
{
    struct grouped g;
    start_grouped(b, &g);
    return create_graphics_pipeline(b, &g.p.info);
}

#define GROUPED(name_, change_, ...)            \
    SCENARIO(name_, NV, ##__VA_ARGS__)          \
    {                                           \
        struct grouped g;                       \
        start_grouped(b, &g);                   \
        change_;                                \
        create_graphics_pipeline(b, &g.p.info); \
    }
#define GROUPS(id_) .expect = {"VUID-VkGraphicsPipelineShaderGroupsCreateInfoNV-" id_}
#define NAME_ANOTHER(g_) \
    (g_.named = make_grouped(b), g_.groups.pipelineCount = 1, g_.groups.pPipelines = &g_.named)
GROUPED(nv_groups, )
GROUPED(nv_groups_of_another, NAME_ANOTHER(g),
        .null_driver = "{\"properties\": {\"maxGraphicsShaderGroupCount\": 4}}")
GROUPED(nv_groups_too_many, NAME_ANOTHER(g),
        .null_driver = "{\"properties\": {\"maxGraphicsShaderGroupCount\": 3}}",
        GROUPS("groupCount-02880"))
GROUPED(nv_groups_of_other_stages, g.group[1].stageCount = 1, GROUPS("pGroups-02884"))
GROUPED(nv_groups_of_meshes_beside_vertices, (g.stages[1][0].stage = VK_SHADER_STAGE_MESH_BIT_EXT),
        GROUPS("pGroups-02885"))

static void bind_group(struct baseline *b, uint32_t index)
{
    DEVICE_PROC(b, vkCmdBindPipelineShaderGroupNV)(make_recording(b),
                                                   VK_PIPELINE_BIND_POINT_GRAPHICS, make_grouped(b),
                                                   index);
}

SCENARIO(nv_group_bound, NV)
{
    bind_group(b, 1);
}

SCENARIO(nv_group_bound_too_far, NV,
         .expect = {"VUID-vkCmdBindPipelineShaderGroupNV-groupIndex-02893"},
         .text = {"is 2, but the pipeline has 2 groups of shaders"})
{
    bind_group(b, 2);
}

/* "groupIndex must be 0 or less than": a pipeline without groups has group 0. */
SCENARIO(nv_group_of_a_plain_pipeline, NV)
{
    struct grouped g;
    start_grouped(b, &g);
    g.p.info.pNext = NULL;
    DEVICE_PROC(b, vkCmdBindPipelineShaderGroupNV)(make_recording(b),
                                                   VK_PIPELINE_BIND_POINT_GRAPHICS,
                                                   create_graphics_pipeline(b, &g.p.info), 0);
}
