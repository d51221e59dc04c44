/* Data graph pipelines, their sessions and dispatches (VK_ARM_data_graph). */
#include "scenario.h"

#include "data_graphs.h"

static const VkPhysicalDeviceTensorFeaturesARM tensor_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TENSOR_FEATURES_ARM,
    .shaderTensorAccess = VK_TRUE,
    .tensors = VK_TRUE};
static const VkPhysicalDeviceVulkan12Features of_12 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    .pNext = (void *)&tensor_features,
    .shaderInt8 = VK_TRUE,
    .vulkanMemoryModel = VK_TRUE};
static const VkPhysicalDeviceMaintenance5FeaturesKHR maintenance5 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES_KHR,
    .pNext = (void *)&of_12,
    .maintenance5 = VK_TRUE};
static const VkPhysicalDeviceProtectedMemoryFeatures protected_memory = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES,
    .pNext = (void *)&maintenance5,
    .protectedMemory = VK_TRUE};
static const VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT mutable_types = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT,
    .pNext = (void *)&protected_memory,
    .mutableDescriptorType = VK_TRUE};
static const VkPhysicalDeviceVulkan13Features of_13 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .pNext = (void *)&mutable_types,
    .pipelineCreationCacheControl = VK_TRUE};
static const VkPhysicalDeviceDataGraphFeaturesARM graph_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DATA_GRAPH_FEATURES_ARM,
    .pNext = (void *)&of_13,
    .dataGraph = VK_TRUE,
    .dataGraphShaderModule = VK_TRUE};
static const VkPhysicalDeviceDataGraphModelFeaturesQCOM model_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DATA_GRAPH_MODEL_FEATURES_QCOM,
    .pNext = (void *)&graph_features,
    .dataGraphModel = VK_TRUE};
#define GRAPHS GRAPHS_WITH(graph_features)
#define GRAPHS_WITH(features_)                                                                   \
    .drivers = NULL_DRIVER, .features = &features_, .api_version = VK_API_VERSION_1_3,           \
    .extensions = {"VK_ARM_data_graph",                                                          \
                   "VK_KHR_maintenance5",                                                        \
                   "VK_KHR_deferred_host_operations",                                            \
                   "VK_ARM_data_graph_optical_flow",                                             \
                   "VK_ARM_tensors",                                                             \
                   "VK_ARM_data_graph_neural_accelerator_statistics",                            \
                   "VK_EXT_mutable_descriptor_type",                                             \
                   "VK_QCOM_data_graph_model"},                                                  \
    .null_driver = "{\"queueFamilies\": [{\"flags\": [\"graphics\", \"compute\", \"transfer\", " \
                   "\"dataGraph\"]}]}"

/* A pipeline that a cache has under a name, which takes no module. */
struct graph {
    VkDataGraphPipelineCreateInfoARM info;
    VkDataGraphPipelineIdentifierCreateInfoARM identifier;
    VkDataGraphPipelineShaderModuleCreateInfoARM module;
    VkDataGraphPipelineConstantARM constant;
    VkDataGraphPipelineConstantTensorSemiStructuredSparsityInfoARM sparsity[2];
    VkTensorDescriptionARM tensor;
    VkTensorDescriptionARM copied, other;
    VkDataGraphPipelineResourceInfoARM resource[2];
    VkDataGraphPipelineSingleNodeCreateInfoARM node;
    VkDataGraphPipelineOpticalFlowCreateInfoARM flow;
    VkDataGraphPipelineSingleNodeConnectionARM connections[4];
    VkDataGraphProcessingEngineCreateInfoARM engines;
    VkPhysicalDeviceDataGraphProcessingEngineARM engine[2];
    VkPipelineCache cache;
    VkPipeline pipeline;
    VkDataGraphPipelineSessionCreateInfoARM session_info;
    VkDataGraphPipelineSessionARM session;
    VkBindDataGraphPipelineSessionMemoryInfoARM binding;
};

static void destroy_session(struct baseline *b, uint64_t handle)
{
    DEVICE_PROC(b, vkDestroyDataGraphPipelineSessionARM)(b->device,
                                                         (VkDataGraphPipelineSessionARM)(uintptr_t)
                                                             handle,
                                                         NULL);
}

static void create_graph(struct baseline *b, struct graph *g)
{
    if (DEVICE_PROC(b, vkCreateDataGraphPipelinesARM)(b->device, VK_NULL_HANDLE, g->cache, 1,
                                                      &g->info, NULL, &g->pipeline) == VK_SUCCESS)
        cleanup_add(b, destroy_pipeline, HANDLE(g->pipeline));
}

/* No sets and no push constants. */
static VkPipelineLayout make_plain_layout(struct baseline *b)
{
    VkPipelineLayoutCreateInfo info = pipeline_layout_info(NULL);
    info.setLayoutCount = info.pushConstantRangeCount = 0;
    info.pPushConstantRanges = NULL;
    return create_pipeline_layout(b, &info);
}

static void start_graph(struct baseline *b, struct graph *g)
{
    static const uint8_t name[4] = {1, 2, 3, 4};
    *g = (struct graph){
        .identifier = {.sType = VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_IDENTIFIER_CREATE_INFO_ARM,
                       .identifierSize = 4,
                       .pIdentifier = name},
        .info = {.sType = VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_CREATE_INFO_ARM,
                 .flags = VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT,
                 .layout = make_plain_layout(b)},
        .cache = make_pipeline_cache(b)};
    g->info.pNext = &g->identifier;
}

/* A resource that is not named takes this at least. */
static void take_resource(struct graph *g)
{
    g->resource[0] = (VkDataGraphPipelineResourceInfoARM){
        .sType = VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_RESOURCE_INFO_ARM};
    g->info.flags = 0;
    g->info.resourceInfoCount = 1;
    g->info.pResourceInfos = g->resource;
}

#define GRAPH(name_, change_, ...)         \
    SCENARIO(name_, GRAPHS, ##__VA_ARGS__) \
    {                                      \
        struct graph made, *g = &made;     \
        start_graph(b, g);                 \
        change_;                           \
        create_graph(b, g);                \
    }
#define INFO(id_) .expect = {"VUID-VkDataGraphPipelineCreateInfoARM-" id_}
GRAPH(data_graph, )
GRAPH(data_graph_of_nothing, (g->info.pNext = NULL, take_resource(g)), INFO("pNext-09977"))
GRAPH(data_graph_with_other_flags, g->info.flags |= VK_PIPELINE_CREATE_2_DERIVATIVE_BIT,
      INFO("flags-09764"), .text = {"contains VK_PIPELINE_CREATE_2_DERIVATIVE_BIT, which"})
GRAPH(data_graph_without_cache, g->cache = VK_NULL_HANDLE,
      .expect = {"VUID-vkCreateDataGraphPipelinesARM-pNext-09928"})

/* --- its layout --- */

static void push_graph_constants(struct baseline *b, struct graph *g)
{
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
    VkPipelineLayoutCreateInfo info = pipeline_layout_info(NULL);
    info.setLayoutCount = 0;
    info.pushConstantRangeCount = 1;
    info.pPushConstantRanges = &range;
    g->info.layout = create_pipeline_layout(b, &info);
}
GRAPH(data_graph_with_push_constants, push_graph_constants(b, g), INFO("layout-09767"))

static void take_set(struct baseline *b, struct graph *g,
                     const VkDescriptorSetLayoutCreateInfo *info)
{
    const VkDescriptorSetLayout set = create_descriptor_set_layout(b, info);
    VkPipelineLayoutCreateInfo layout = pipeline_layout_info(&set);
    layout.pushConstantRangeCount = 0;
    layout.pPushConstantRanges = NULL;
    g->info.layout = create_pipeline_layout(b, &layout);
}

static void update_after_bind(struct baseline *b, struct graph *g)
{
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT};
    take_set(b, g, &info);
}
GRAPH(data_graph_update_after_bind, update_after_bind(b, g), INFO("dataGraphUpdateAfterBind-09768"))

static void take_mutable(struct baseline *b, struct graph *g)
{
    static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                             VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER};
    const VkMutableDescriptorTypeListEXT list = {2, types};
    const VkMutableDescriptorTypeCreateInfoEXT lists = {
        .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
        .mutableDescriptorTypeListCount = 1,
        .pMutableDescriptorTypeLists = &list};
    const VkDescriptorSetLayoutBinding binding = {.descriptorType = VK_DESCRIPTOR_TYPE_MUTABLE_EXT,
                                                  .descriptorCount = 1,
                                                  .stageFlags = VK_SHADER_STAGE_ALL};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .pNext = &lists,
        .bindingCount = 1,
        .pBindings = &binding};
    take_set(b, g, &info);
}
GRAPH(data_graph_of_mutable_descriptors, take_mutable(b, g), INFO("pSetLayouts-09770"))

/* --- modules --- */

/* A set layout with two bindings of one type. */
static void take_bindings(struct baseline *b, struct graph *g, VkDescriptorType type,
                          uint32_t count)
{
    VkDescriptorSetLayoutBinding bindings[2];
    for (uint32_t i = 0; i < 2; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){.binding = i,
                                                     .descriptorType = type,
                                                     .descriptorCount = count,
                                                     .stageFlags = VK_SHADER_STAGE_ALL};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 2,
        .pBindings = bindings};
    take_set(b, g, &info);
}

/* A module with a constant, of a tensor whose dimensions are 8 and 6. */
static void of_module(struct baseline *b, struct graph *g)
{
    static const int64_t dimensions[] = {8, 6};
    take_resource(g);
    take_bindings(b, g, VK_DESCRIPTOR_TYPE_TENSOR_ARM, 1);
    g->copied = (VkTensorDescriptionARM){.sType = VK_STRUCTURE_TYPE_TENSOR_DESCRIPTION_ARM,
                                         .tiling = VK_TENSOR_TILING_LINEAR_ARM,
                                         .format = VK_FORMAT_R8_SINT,
                                         .dimensionCount = 2,
                                         .pDimensions = dimensions,
                                         .usage = VK_TENSOR_USAGE_DATA_GRAPH_BIT_ARM};
    g->info.resourceInfoCount = 2;
    for (uint32_t i = 0; i < 2; i++)
        g->resource[i] = (VkDataGraphPipelineResourceInfoARM){
            .sType = VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_RESOURCE_INFO_ARM,
            .pNext = &g->copied,
            .binding = i};
    g->module = (VkDataGraphPipelineShaderModuleCreateInfoARM){
        .sType = VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_SHADER_MODULE_CREATE_INFO_ARM,
        .module = MAKE_SHADER(b, spirv_graph_copy),
        .pName = "copy",
        .constantCount = 1,
        .pConstants = &g->constant};
    g->constant = (VkDataGraphPipelineConstantARM){
        .sType = VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_CONSTANT_ARM,
        .pNext = &g->sparsity[0],
        .pConstantData = dimensions};
    for (uint32_t i = 0; i < 2; i++)
        g->sparsity[i] = (VkDataGraphPipelineConstantTensorSemiStructuredSparsityInfoARM){
            .sType =
                VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_CONSTANT_TENSOR_SEMI_STRUCTURED_SPARSITY_INFO_ARM,
            .pNext = i ? (const void *)&g->tensor : &g->sparsity[1],
            .dimension = i,
            .zeroCount = 1,
            .groupSize = 2};
    g->tensor = (VkTensorDescriptionARM){.sType = VK_STRUCTURE_TYPE_TENSOR_DESCRIPTION_ARM,
                                         .tiling = VK_TENSOR_TILING_LINEAR_ARM,
                                         .format = VK_FORMAT_R8_UINT,
                                         .dimensionCount = 2,
                                         .pDimensions = dimensions,
                                         .usage = VK_TENSOR_USAGE_DATA_GRAPH_BIT_ARM};
    g->info.pNext = &g->module;
}
#define MODULE(id_)   .expect = {"VUID-VkDataGraphPipelineShaderModuleCreateInfoARM-" id_}
#define CONSTANT(id_) .expect = {"VUID-VkDataGraphPipelineConstantARM-pNext-" id_}
GRAPH(data_graph_of_module, of_module(b, g))
/* The order of structures in a chain means nothing. */
GRAPH(data_graph_of_code_before_module, (of_module(b, g), g->module.module = VK_NULL_HANDLE,
                                         g->info.pNext = &(VkShaderModuleCreateInfo){
                                             .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                             .pNext = &g->module,
                                             .codeSize = sizeof(spirv_graph_copy),
                                             .pCode = spirv_graph_copy}))
GRAPH(data_graph_of_code_before_another_module,
      (of_module(b, g),
       g->info.pNext =
           &(VkShaderModuleCreateInfo){.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                       .pNext = &g->module,
                                       .codeSize = sizeof(spirv_graph_copy),
                                       .pCode = spirv_graph_copy}),
      MODULE("pNext-09873"))
GRAPH(data_graph_of_no_module, (of_module(b, g), g->module.module = VK_NULL_HANDLE),
      MODULE("pNext-09874"))
GRAPH(data_graph_specialized,
      (of_module(b, g), g->module.pSpecializationInfo = &(VkSpecializationInfo){.dataSize = 0}),
      MODULE("dataGraphSpecializationConstants-09849"))
GRAPH(data_graph_of_beyond, (of_module(b, g), g->sparsity[1].dimension = 2), CONSTANT("09776"),
      .text = {"is 2, but the tensor has 2 dimensions"})
GRAPH(data_graph_of_other_groups, (of_module(b, g), g->sparsity[1].groupSize = 4),
      CONSTANT("09777"), .text = {"groupSize is 4, but dimension 1 of the tensor has 6 elements"})
GRAPH(data_graph_of_same_dimension, (of_module(b, g), g->sparsity[1].dimension = 0),
      CONSTANT("09870"))
SCENARIO(data_graph_of_two_modules, GRAPHS, MODULE("pNext-09873"))
{
    const VkShaderModuleCreateInfo inlined = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                              .codeSize = sizeof(spirv_graph_copy),
                                              .pCode = spirv_graph_copy};
    struct graph made, *g = &made;
    start_graph(b, g);
    of_module(b, g);
    g->module.pNext = &inlined;
    create_graph(b, g);
}

/* The graph takes arrays of 4 tensors in place of tensors. */
static void of_arrays(struct baseline *b, struct graph *g, uint32_t count)
{
    of_module(b, g);
    take_bindings(b, g, VK_DESCRIPTOR_TYPE_TENSOR_ARM, count);
    g->module.module = MAKE_SHADER(b, spirv_graph_copies);
    g->module.constantCount = 0;
    g->module.pConstants = NULL;
}

/* Gives the second tensor a description of its own, like that of the first one. */
static VkTensorDescriptionARM *describe_other(struct graph *g)
{
    g->other = g->copied;
    g->resource[1].pNext = &g->other;
    return &g->other;
}
#define RESOURCE(text_) .expect = {"VUID-RuntimeSpirv-pNext-09923"}, .text = {text_}
GRAPH(data_graph_of_other_name, (of_module(b, g), g->module.pName = "main"), MODULE("pName-09872"),
      .text = {"pName is \"main\", but"})
GRAPH(data_graph_of_shader, (of_module(b, g), g->module.module = make_shader_module(b)),
      MODULE("pName-09872"))
GRAPH(data_graph_of_buffers,
      (of_module(b, g), take_bindings(b, g, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1)),
      .expect = {"VUID-VkDataGraphPipelineCreateInfoARM-layout-09769",
                 "VUID-VkDataGraphPipelineCreateInfoARM-layout-09769"},
      .text = {"layout has binding 0 of set 0 of VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, but the graph "
               "uses it as the tensor in_tensor"})
GRAPH(data_graph_of_arrays, of_arrays(b, g, 4))
GRAPH(data_graph_of_short_arrays, of_arrays(b, g, 3),
      .expect = {"VUID-VkDataGraphPipelineCreateInfoARM-layout-09934",
                 "VUID-VkDataGraphPipelineCreateInfoARM-layout-09934"},
      .text = {"layout has 3 descriptors in binding 0 of set 0, but the graph uses in_tensor "
               "there, an array of 4"})
GRAPH(data_graph_of_undescribed_tensor, (of_module(b, g), g->info.resourceInfoCount = 1),
      RESOURCE("pResourceInfos has 0 elements with the set (0), binding (1), rank, shape and "
               "format of the graph's tensor out_tensor, where it needs one"))
GRAPH(data_graph_of_tensor_described_twice, (of_module(b, g), g->resource[1].binding = 0),
      .expect = {"VUID-RuntimeSpirv-pNext-09923", "VUID-RuntimeSpirv-pNext-09923"},
      .text = {"pResourceInfos has 2 elements", "pResourceInfos has 0 elements"})
GRAPH(data_graph_of_second_tensors, (of_arrays(b, g, 4), g->resource[1].arrayElement = 1),
      RESOURCE("has 0 elements with the set (0), binding (1)"))
GRAPH(data_graph_of_unsigned_tensor,
      (of_module(b, g), describe_other(g)->format = VK_FORMAT_R8_UINT))
GRAPH(data_graph_of_wide_tensor, (of_module(b, g), describe_other(g)->format = VK_FORMAT_R16_UINT),
      RESOURCE("has 0 elements with the set (0), binding (1)"))
GRAPH(data_graph_of_vector, (of_module(b, g), describe_other(g)->dimensionCount = 1),
      RESOURCE("has 0 elements with the set (0), binding (1)"))
GRAPH(data_graph_of_other_shape,
      (of_module(b, g), describe_other(g)->pDimensions = (const int64_t[]){8, 4}),
      RESOURCE("has 0 elements with the set (0), binding (1)"))

/* --- nodes for optical flow --- */

static void of_flow(struct graph *g)
{
    static const VkDataGraphPipelineNodeConnectionTypeARM types[] = {
        VK_DATA_GRAPH_PIPELINE_NODE_CONNECTION_TYPE_OPTICAL_FLOW_INPUT_ARM,
        VK_DATA_GRAPH_PIPELINE_NODE_CONNECTION_TYPE_OPTICAL_FLOW_REFERENCE_ARM,
        VK_DATA_GRAPH_PIPELINE_NODE_CONNECTION_TYPE_OPTICAL_FLOW_FLOW_VECTOR_ARM,
        VK_DATA_GRAPH_PIPELINE_NODE_CONNECTION_TYPE_OPTICAL_FLOW_HINT_ARM};
    take_resource(g);
    g->node = (VkDataGraphPipelineSingleNodeCreateInfoARM){
        .sType = VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_SINGLE_NODE_CREATE_INFO_ARM,
        .pNext = &g->flow,
        .nodeType = VK_DATA_GRAPH_PIPELINE_NODE_TYPE_OPTICAL_FLOW_ARM,
        .connectionCount = 4,
        .pConnections = g->connections};
    g->flow = (VkDataGraphPipelineOpticalFlowCreateInfoARM){
        .sType = VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_OPTICAL_FLOW_CREATE_INFO_ARM,
        .width = 64,
        .height = 32,
        .imageFormat = VK_FORMAT_R8_UNORM,
        .flowVectorFormat = VK_FORMAT_R16G16_SFLOAT,
        .outputGridSize = VK_DATA_GRAPH_OPTICAL_FLOW_GRID_SIZE_4X4_BIT_ARM,
        .hintGridSize = VK_DATA_GRAPH_OPTICAL_FLOW_GRID_SIZE_4X4_BIT_ARM,
        .performanceLevel = VK_DATA_GRAPH_OPTICAL_FLOW_PERFORMANCE_LEVEL_SLOW_ARM,
        .flags = VK_DATA_GRAPH_OPTICAL_FLOW_CREATE_ENABLE_HINT_BIT_ARM};
    for (uint32_t i = 0; i < 4; i++)
        g->connections[i] = (VkDataGraphPipelineSingleNodeConnectionARM){
            .sType = VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_SINGLE_NODE_CONNECTION_ARM,
            .binding = i,
            .connection = types[i]};
    g->info.pNext = &g->node;
}
#define NODE(id_) .expect = {"VUID-VkDataGraphPipelineSingleNodeCreateInfoARM-nodeType-" id_}
GRAPH(data_graph_of_flow, of_flow(g))
GRAPH(data_graph_of_flow_in_the_other_order,
      (of_flow(g), g->node.pNext = NULL, g->flow.pNext = &g->node, g->info.pNext = &g->flow))
GRAPH(data_graph_of_flow_of_nothing, (of_flow(g), g->node.pNext = NULL), NODE("09963"))
GRAPH(data_graph_of_flow_without_reference,
      (of_flow(g), g->connections[1].connection = g->connections[0].connection), NODE("09978"))
GRAPH(data_graph_of_flow_without_hint, (of_flow(g), g->node.connectionCount = 3), NODE("09979"))
GRAPH(data_graph_of_flow_without_grid,
      (of_flow(g), g->node.connectionCount = 3, g->flow.hintGridSize = 0, g->flow.flags = 0))

/* --- engines --- */

static void on_engines(struct graph *g, VkPhysicalDeviceDataGraphProcessingEngineTypeARM type)
{
    for (uint32_t i = 0; i < 2; i++)
        g->engine[i] = (VkPhysicalDeviceDataGraphProcessingEngineARM){.type = type, .isForeign = i};
    g->engines = (VkDataGraphProcessingEngineCreateInfoARM){
        .sType = VK_STRUCTURE_TYPE_DATA_GRAPH_PROCESSING_ENGINE_CREATE_INFO_ARM,
        .pNext = g->info.pNext,
        .processingEngineCount = 2,
        .pProcessingEngines = g->engine};
    g->info.pNext = &g->engines;
}
#define DEFAULT_ENGINE VK_PHYSICAL_DEVICE_DATA_GRAPH_PROCESSING_ENGINE_TYPE_DEFAULT_ARM
#define NEURAL_ENGINE  VK_PHYSICAL_DEVICE_DATA_GRAPH_PROCESSING_ENGINE_TYPE_NEURAL_QCOM
#define ENGINES(id_)   "VUID-VkDataGraphProcessingEngineCreateInfoARM-pProcessingEngines-" id_
GRAPH(data_graph_on_engines, on_engines(g, DEFAULT_ENGINE))
GRAPH(data_graph_on_one_engine_twice,
      (on_engines(g, DEFAULT_ENGINE), g->engine[1].isForeign = VK_FALSE),
      .expect = {ENGINES("09918")})
GRAPH(data_graph_on_neural_engine,
      (on_engines(g, NEURAL_ENGINE), g->engines.processingEngineCount = 1),
      .expect = {ENGINES("11844")})
SCENARIO(data_graph_on_foreign_and_own, GRAPHS_WITH(model_features), .expect = {ENGINES("11843")})
{
    struct graph made, *g = &made;
    start_graph(b, g);
    on_engines(g, NEURAL_ENGINE);
    create_graph(b, g);
}

static void create_pool_on_engines(struct baseline *b)
{
    struct graph made, *g = &made;
    start_graph(b, g);
    g->info.pNext = NULL;
    on_engines(g, DEFAULT_ENGINE);
    VkCommandPoolCreateInfo info = command_pool_info(0);
    info.pNext = &g->engines;
    create_command_pool(b, &info);
}

SCENARIO(pool_on_engines, GRAPHS)
{
    create_pool_on_engines(b);
}

#define TWO_FAMILIES                                                                              \
    .drivers = NULL_DRIVER, .features = &graph_features, .api_version = VK_API_VERSION_1_3,       \
    .extensions = {"VK_ARM_data_graph", "VK_KHR_maintenance5", "VK_KHR_deferred_host_operations", \
                   "VK_ARM_tensors", "VK_EXT_mutable_descriptor_type"},                           \
    .null_driver = "{\"queueFamilies\": [{\"flags\": [\"graphics\", \"compute\", "                \
                   "\"transfer\"]}, {\"flags\": [\"dataGraph\"]}]}"
SCENARIO(pool_on_engines_of_another_family, TWO_FAMILIES,
         .expect = {"VUID-VkCommandPoolCreateInfo-pNext-09908"})
{
    create_pool_on_engines(b);
}

/* --- resources that are images --- */

static void take_image(struct baseline *b, struct graph *g, VkDescriptorType type)
{
    const VkDescriptorSetLayoutBinding binding = {.binding = 2,
                                                  .descriptorType = type,
                                                  .descriptorCount = 1,
                                                  .stageFlags = VK_SHADER_STAGE_ALL};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    take_set(b, g, &info);
    of_flow(g);
    take_resource(g);
    g->resource[0].binding = 2;
}
static const VkDataGraphPipelineResourceInfoImageLayoutARM image_layout = {
    .sType = VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_RESOURCE_INFO_IMAGE_LAYOUT_ARM,
    .layout = VK_IMAGE_LAYOUT_GENERAL};
GRAPH(data_graph_of_an_image,
      (take_image(b, g, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE), g->resource[0].pNext = &image_layout))
GRAPH(data_graph_of_an_image_without_layout, take_image(b, g, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE),
      .expect = {"VUID-VkDataGraphPipelineResourceInfoARM-descriptorSet-09962"},
      .text = {"but binding 2 of set 0 is of VK_DESCRIPTOR_TYPE_STORAGE_IMAGE"})
GRAPH(data_graph_of_a_buffer, take_image(b, g, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER))

/* --- sessions --- */

static void create_session(struct baseline *b, struct graph *g)
{
    g->session_info.sType = VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_SESSION_CREATE_INFO_ARM;
    g->session_info.dataGraphPipeline = g->pipeline;
    if (DEVICE_PROC(b, vkCreateDataGraphPipelineSessionARM)(b->device, &g->session_info, NULL,
                                                            &g->session) == VK_SUCCESS)
        cleanup_add(b, destroy_session, HANDLE(g->session));
    g->binding = (VkBindDataGraphPipelineSessionMemoryInfoARM){
        .sType = VK_STRUCTURE_TYPE_BIND_DATA_GRAPH_PIPELINE_SESSION_MEMORY_INFO_ARM,
        .session = g->session,
        .bindPoint = VK_DATA_GRAPH_PIPELINE_SESSION_BIND_POINT_TRANSIENT_ARM,
        .memory = make_memory(b, 1048576)};
}

static void ask_bind_points(struct baseline *b, const struct graph *g)
{
    const VkDataGraphPipelineSessionBindPointRequirementsInfoARM info = {
        .sType = VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_SESSION_BIND_POINT_REQUIREMENTS_INFO_ARM,
        .session = g->session};
    VkDataGraphPipelineSessionBindPointRequirementARM requirement = {
        .sType = VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_SESSION_BIND_POINT_REQUIREMENT_ARM};
    uint32_t count = 1;
    DEVICE_PROC(b, vkGetDataGraphPipelineSessionBindPointRequirementsARM)(b->device, &info, &count,
                                                                          &requirement);
}

static void need_session_memory(struct baseline *b, const struct graph *g, uint32_t object)
{
    const VkDataGraphPipelineSessionMemoryRequirementsInfoARM info = {
        .sType = VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_SESSION_MEMORY_REQUIREMENTS_INFO_ARM,
        .session = g->session,
        .bindPoint = VK_DATA_GRAPH_PIPELINE_SESSION_BIND_POINT_TRANSIENT_ARM,
        .objectIndex = object};
    VkMemoryRequirements2 out = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    DEVICE_PROC(b, vkGetDataGraphPipelineSessionMemoryRequirementsARM)(b->device, &info, &out);
}

static void bind_session(struct baseline *b, const struct graph *g)
{
    DEVICE_PROC(b, vkBindDataGraphPipelineSessionMemoryARM)(b->device, 1, &g->binding);
}

/* `make_`: before the pipeline is created; `use_`: with its session. */
#define SESSION(name_, make_, use_, ...)   \
    SCENARIO(name_, GRAPHS, ##__VA_ARGS__) \
    {                                      \
        struct graph made, *g = &made;     \
        start_graph(b, g);                 \
        make_;                             \
        create_graph(b, g);                \
        create_session(b, g);              \
        use_;                              \
    }
#define BIND(id_) .expect = {"VUID-VkBindDataGraphPipelineSessionMemoryInfoARM-" id_}
SESSION(data_graph_session, ,
        (ask_bind_points(b, g), need_session_memory(b, g, 0), bind_session(b, g)))
SESSION(data_graph_session_of_unasked, , need_session_memory(b, g, 0),
        .expect = {"VUID-vkGetDataGraphPipelineSessionMemoryRequirementsARM-bindPoint-09784"})
SESSION(data_graph_session_of_many, , (ask_bind_points(b, g), need_session_memory(b, g, 1)),
        .expect = {"VUID-VkDataGraphPipelineSessionMemoryRequirementsInfoARM-objectIndex-09855"},
        .text = {"objectIndex is 1, but the session has 1 object"})
SESSION(data_graph_session_bound_unasked, , bind_session(b, g), BIND("bindPoint-09786"))
SESSION(data_graph_session_bound_beyond, ,
        (ask_bind_points(b, g), g->binding.objectIndex = 1, bind_session(b, g)),
        BIND("objectIndex-09805"))
SESSION(data_graph_session_bound_twice, ,
        (ask_bind_points(b, g), bind_session(b, g), bind_session(b, g)), BIND("session-09785"))
SESSION(data_graph_session_misaligned, ,
        (ask_bind_points(b, g), g->binding.memoryOffset = 8, bind_session(b, g)),
        BIND("memoryOffset-09789"))
SESSION(data_graph_session_too_far, ,
        (ask_bind_points(b, g), g->binding.memoryOffset = 1048576 - 256, bind_session(b, g)),
        BIND("size-09790"))
static void take_memory(struct baseline *b, struct graph *g, uint32_t type)
{
    const VkMemoryAllocateInfo info = memory_info(1048576, type);
    g->binding.memory = create_memory(b, &info);
}
/* of the null driver */
#define LAZY_TYPE      4
#define PROTECTED_TYPE 5
SESSION(data_graph_session_in_lazy_memory, ,
        (ask_bind_points(b, g), take_memory(b, g, LAZY_TYPE), bind_session(b, g)),
        BIND("memory-09788"))
SESSION(data_graph_session_in_protected_memory, ,
        (ask_bind_points(b, g), take_memory(b, g, PROTECTED_TYPE), bind_session(b, g)),
        BIND("session-09792"))
SESSION(data_graph_session_in_unprotected_memory,
        g->session_info.flags = VK_DATA_GRAPH_PIPELINE_SESSION_CREATE_PROTECTED_BIT_ARM,
        (ask_bind_points(b, g), bind_session(b, g)), BIND("session-09791"))

static const VkDataGraphPipelineNeuralStatisticsCreateInfoARM allowed = {
    .sType = VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_NEURAL_STATISTICS_CREATE_INFO_ARM,
    .allowNeuralStatistics = VK_TRUE};
static const VkDataGraphPipelineSessionNeuralStatisticsCreateInfoARM statistics = {
    .sType = VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_SESSION_NEURAL_STATISTICS_CREATE_INFO_ARM};
SESSION(data_graph_session_with_statistics,
        (g->identifier.pNext = &allowed, g->session_info.pNext = &statistics), )
SESSION(data_graph_session_with_refused_statistics, g->session_info.pNext = &statistics, ,
        .expect = {"VUID-VkDataGraphPipelineSessionCreateInfoARM-pNext-09852"})
SCENARIO(data_graph_session_of_compute, GRAPHS,
         .expect = {"VUID-VkDataGraphPipelineSessionCreateInfoARM-dataGraphPipeline-09781"})
{
    struct graph made = {.pipeline = make_any_compute_pipeline(b)};
    create_session(b, &made);
}

/* --- properties --- */

static void ask_properties(struct baseline *b, VkPipeline pipeline,
                           VkDataGraphPipelinePropertyARM second)
{
    const VkDataGraphPipelineInfoARM info = {
        .sType = VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_INFO_ARM, .dataGraphPipeline = pipeline};
    VkDataGraphPipelinePropertyQueryResultARM results[2] = {
        {.sType = VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_PROPERTY_QUERY_RESULT_ARM,
         .property = VK_DATA_GRAPH_PIPELINE_PROPERTY_CREATION_LOG_ARM},
        {.sType = VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_PROPERTY_QUERY_RESULT_ARM,
         .property = second}};
    DEVICE_PROC(b, vkGetDataGraphPipelinePropertiesARM)(b->device, &info, 2, results);
}
SESSION(data_graph_properties, ,
        ask_properties(b, g->pipeline, VK_DATA_GRAPH_PIPELINE_PROPERTY_IDENTIFIER_ARM))
SESSION(data_graph_property_twice, ,
        ask_properties(b, g->pipeline, VK_DATA_GRAPH_PIPELINE_PROPERTY_CREATION_LOG_ARM),
        .expect = {"VUID-vkGetDataGraphPipelinePropertiesARM-pProperties-09889"})
SESSION(data_graph_property_of_refused_statistics, ,
        ask_properties(b, g->pipeline,
                       VK_DATA_GRAPH_PIPELINE_PROPERTY_NEURAL_ACCELERATOR_STATISTICS_INFO_ARM),
        .expect = {"VUID-vkGetDataGraphPipelinePropertiesARM-pProperties-09856"})
SCENARIO(data_graph_properties_of_compute, GRAPHS,
         .expect = {"VUID-VkDataGraphPipelineInfoARM-dataGraphPipeline-09803"})
{
    ask_properties(b, make_any_compute_pipeline(b), VK_DATA_GRAPH_PIPELINE_PROPERTY_IDENTIFIER_ARM);
}
SCENARIO(data_graph_property_list_of_compute, GRAPHS,
         .expect = {"VUID-VkDataGraphPipelineInfoARM-dataGraphPipeline-09803"})
{
    const VkDataGraphPipelineInfoARM info = {.sType =
                                                 VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_INFO_ARM,
                                             .dataGraphPipeline = make_any_compute_pipeline(b)};
    uint32_t count = 0;
    DEVICE_PROC(b, vkGetDataGraphPipelineAvailablePropertiesARM)(b->device, &info, &count, NULL);
}

/* --- of another device --- */

/* These ask of a session or pipeline, by a device. */
static void ask_bind_points_of(struct baseline *b, const struct graph *g, VkDevice device)
{
    const VkDataGraphPipelineSessionBindPointRequirementsInfoARM info = {
        .sType = VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_SESSION_BIND_POINT_REQUIREMENTS_INFO_ARM,
        .session = g->session};
    uint32_t count = 0;
    (void)DEVICE_PROC(b, vkGetDataGraphPipelineSessionBindPointRequirementsARM)(device, &info,
                                                                                &count, NULL);
}

static void ask_memory_of(struct baseline *b, const struct graph *g, VkDevice device)
{
    const VkDataGraphPipelineSessionMemoryRequirementsInfoARM info = {
        .sType = VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_SESSION_MEMORY_REQUIREMENTS_INFO_ARM,
        .session = g->session,
        .bindPoint = VK_DATA_GRAPH_PIPELINE_SESSION_BIND_POINT_TRANSIENT_ARM};
    VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    ask_bind_points(b, g);
    DEVICE_PROC(b, vkGetDataGraphPipelineSessionMemoryRequirementsARM)(device, &info, &needs);
}

static void ask_available_of(struct baseline *b, const struct graph *g, VkDevice device)
{
    const VkDataGraphPipelineInfoARM info = {
        .sType = VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_INFO_ARM, .dataGraphPipeline = g->pipeline};
    uint32_t count = 0;
    (void)DEVICE_PROC(b, vkGetDataGraphPipelineAvailablePropertiesARM)(device, &info, &count, NULL);
}

static void ask_properties_of(struct baseline *b, const struct graph *g, VkDevice device)
{
    const VkDataGraphPipelineInfoARM info = {
        .sType = VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_INFO_ARM, .dataGraphPipeline = g->pipeline};
    VkDataGraphPipelinePropertyQueryResultARM result = {
        .sType = VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_PROPERTY_QUERY_RESULT_ARM,
        .property = VK_DATA_GRAPH_PIPELINE_PROPERTY_CREATION_LOG_ARM};
    (void)DEVICE_PROC(b, vkGetDataGraphPipelinePropertiesARM)(device, &info, 1, &result);
}
#define OF_DEVICES(name_, asks_, id_)                                                     \
    SESSION(data_graph_##name_##_of_this_device, ,                                        \
            ((void)make_second_device(b), asks_(b, g, b->device)))                        \
    SESSION(data_graph_##name_##_of_another_device, , asks_(b, g, make_second_device(b)), \
            .expect = {"VUID-vkGetDataGraphPipeline" id_})
OF_DEVICES(bind_points, ask_bind_points_of, "SessionBindPointRequirementsARM-session-09783")
OF_DEVICES(memory, ask_memory_of, "SessionMemoryRequirementsARM-session-09950")
OF_DEVICES(property_list, ask_available_of, "AvailablePropertiesARM-dataGraphPipeline-09888")
OF_DEVICES(property, ask_properties_of, "PropertiesARM-dataGraphPipeline-09802")

/* --- dispatches --- */

static VkCommandBuffer record_graph(struct baseline *b, VkPipeline pipeline)
{
    VkCommandBuffer c = make_recording(b);
    if (pipeline)
        vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_DATA_GRAPH_ARM, pipeline);
    return c;
}

static VkCommandBuffer dispatch_graph(struct baseline *b, const struct graph *g,
                                      VkPipeline pipeline, const void *chain)
{
    const VkDataGraphPipelineDispatchInfoARM info = {
        .sType = VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_DISPATCH_INFO_ARM, .pNext = (void *)chain};
    VkCommandBuffer c = record_graph(b, pipeline);
    DEVICE_PROC(b, vkCmdDispatchDataGraphARM)(c, g->session, &info);
    return c;
}

static void destroy_pending(struct baseline *b, const struct graph *g)
{
    ask_bind_points(b, g);
    bind_session(b, g);
    VkCommandBuffer c = dispatch_graph(b, g, g->pipeline, NULL);
    VK(vkEndCommandBuffer(c));
    VkSubmitInfo info = submit_info(&c);
    VK(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE));
    DEVICE_PROC(b, vkDestroyDataGraphPipelineSessionARM)(b->device, g->session, NULL);
    VK(vkDeviceWaitIdle(b->device));
}
static const VkDataGraphPipelineOpticalFlowDispatchInfoARM hinted = {
    .sType = VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_OPTICAL_FLOW_DISPATCH_INFO_ARM,
    .meanFlowL1NormHint = 64};
static const VkDataGraphPipelineOpticalFlowDispatchInfoARM hinted_more = {
    .sType = VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_OPTICAL_FLOW_DISPATCH_INFO_ARM,
    .meanFlowL1NormHint = 65};
static const VkDataGraphPipelineOpticalFlowDispatchInfoARM unchanged = {
    .sType = VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_OPTICAL_FLOW_DISPATCH_INFO_ARM,
    .flags = VK_DATA_GRAPH_OPTICAL_FLOW_EXECUTE_INPUT_UNCHANGED_BIT_ARM};
#define CMD(id_) .expect = {"VUID-vkCmdDispatchDataGraphARM-" id_}
SESSION(data_graph_dispatch, ,
        (ask_bind_points(b, g), bind_session(b, g), dispatch_graph(b, g, g->pipeline, NULL)))
SESSION(data_graph_session_in_use, , destroy_pending(b, g),
        .expect = {"VUID-vkDestroyDataGraphPipelineSessionARM-session-09793"},
        .text = {"session is in use by VkCommandBuffer 0x"})
SESSION(data_graph_dispatch_without_memory, ,
        (ask_bind_points(b, g), dispatch_graph(b, g, g->pipeline, NULL)), CMD("session-09796"))
SESSION(data_graph_dispatch_of_nothing, , dispatch_graph(b, g, VK_NULL_HANDLE, NULL),
        CMD("None-09799"))
SESSION(data_graph_dispatch_with_other_session, ,
        (create_graph(b, g), dispatch_graph(b, g, g->pipeline, NULL)),
        CMD("dataGraphPipeline-09951"))
SESSION(data_graph_dispatch_of_flow, of_flow(g), dispatch_graph(b, g, g->pipeline, &hinted))
SESSION(data_graph_dispatch_with_large_hint, of_flow(g),
        dispatch_graph(b, g, g->pipeline, &hinted_more),
        .expect = {"VUID-VkDataGraphPipelineOpticalFlowDispatchInfoARM-meanFlowL1NormHint-09976"})
SESSION(data_graph_dispatch_without_flow, , dispatch_graph(b, g, g->pipeline, &hinted),
        CMD("nodeType-09980"))
SESSION(data_graph_dispatch_without_flow_cache, of_flow(g),
        dispatch_graph(b, g, g->pipeline, &unchanged), CMD("pInfo-09964"))
SESSION(data_graph_bound_to_compute, ,
        vkCmdBindPipeline(record_graph(b, VK_NULL_HANDLE), VK_PIPELINE_BIND_POINT_COMPUTE,
                          g->pipeline),
        .expect = {"VUID-vkCmdBindPipeline-pipelineBindPoint-00779"})
SCENARIO(data_graph_point_with_compute, GRAPHS,
         .expect = {"VUID-vkCmdBindPipeline-pipelineBindPoint-09911"})
{
    record_graph(b, make_any_compute_pipeline(b));
}
