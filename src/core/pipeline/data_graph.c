/* Checks data graph pipelines, their sessions and dispatches (VK_ARM_data_graph, "Graphs"). */
#include <string.h>

#include "core/destroy/in_use.h"
#include "core/hooks.h"
#include "core/resource/tensor.h"
#include "report/names/object_text.h"
#include "report/muting/rows_broken.h"
#include "state/command/inheritance.h"
#include "state/object/created.h"
#include "state/descriptor/descriptor_resources.h"
#include "state/pipeline/pipeline.h"
#include "state/pipeline/shader.h"
#include "vk/chain.h"

#include "report/finding/rule.h"

#include <inttypes.h>

/* --- pipelines --- */

/* An id of VkDataGraphPipelineCreateInfoARM. NODE() and the macros after it are for other
 * structures. */
#define PIPELINE(rule_) VUID_VkDataGraphPipelineCreateInfoARM_##rule_

/* Checks that exactly one structure defines the content of the pipeline. */
static void check_kind(struct subject *s, const void *chain)
{
    const bool module = CHAINED(chain, DATA_GRAPH_PIPELINE_SHADER_MODULE_CREATE_INFO_ARM) != NULL,
               identifier = CHAINED(chain, DATA_GRAPH_PIPELINE_IDENTIFIER_CREATE_INFO_ARM) != NULL,
               builtin = CHAINED(chain, DATA_GRAPH_PIPELINE_BUILTIN_MODEL_CREATE_INFO_QCOM) != NULL,
               node = CHAINED(chain, DATA_GRAPH_PIPELINE_SINGLE_NODE_CREATE_INFO_ARM) != NULL;
    const int count = module + identifier + builtin + node;
    REQUIRE(s, PIPELINE(pNext_09977), count == 1, "pNext",
            "has %d of the structures that say what the pipeline is made of, where it needs one",
            count);
}

/* Checks the flags that data graph pipelines may have. */
static void check_flags(struct subject *s, VkPipelineCreateFlags2 flags)
{
    const VkPipelineCreateFlags2 allowed =
        VK_PIPELINE_CREATE_2_NO_PROTECTED_ACCESS_BIT_EXT |
        VK_PIPELINE_CREATE_2_PROTECTED_ACCESS_ONLY_BIT_EXT |
        VK_PIPELINE_CREATE_2_DISABLE_OPTIMIZATION_BIT |
        VK_PIPELINE_CREATE_2_DESCRIPTOR_BUFFER_BIT_EXT |
        VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT_KHR |
        VK_PIPELINE_CREATE_2_EARLY_RETURN_ON_FAILURE_BIT_KHR;
    REQUIRE(s, PIPELINE(flags_09764), !(flags & ~allowed), "flags",
            "contains %s, which a data graph pipeline cannot have",
            TEXT_OF(VkPipelineCreateFlags2, flags & ~allowed));
}

/* Checks set layout `set` of a data graph pipeline's layout. */
static void check_set_layout(struct subject *s, const struct descriptor_layout *layout,
                             uint32_t set)
{
    REQUIRE(s, PIPELINE(dataGraphUpdateAfterBind_09768),
            !(layout->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT) ||
                subject_has(s, FEATURE_dataGraphUpdateAfterBind),
            "layout",
            "has set layout %u, which was created with "
            "VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT, but the feature "
            "dataGraphUpdateAfterBind is not enabled",
            set);
    for (uint32_t i = 0; i < layout->binding_count; i++)
        REQUIRE(s, PIPELINE(pSetLayouts_09770),
                layout->bindings[i].type != VK_DESCRIPTOR_TYPE_MUTABLE_EXT, "layout",
                "has set layout %u with binding %u of VK_DESCRIPTOR_TYPE_MUTABLE_EXT", set,
                layout->bindings[i].binding);
}

/* Checks the pipeline's layout: it has no push constants, and its sets are of kinds that graphs
 * support. */
static void data_graph_check_layout(struct subject *s, const struct pipeline_layout *layout)
{
    REQUIRE(s, PIPELINE(layout_09767), !layout->push_constant_count, "layout",
            "was created with %u push constant ranges, which data graphs do not have",
            layout->push_constant_count);
    for (uint32_t i = 0; i < layout->set_count; i++) {
        if (layout->sets[i])
            check_set_layout(s, layout->sets[i], i);
    }
}

/* True for descriptors of images. */
static bool is_image_type(VkDescriptorType type)
{
    return type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER ||
           type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE || type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
}

/* If descriptorSet and binding identify an image resource or an array of image resources, then a
 * VkDataGraphPipelineResourceInfoImageLayoutARM structure must be included in the pNext chain,
 * unless the unifiedImageLayouts feature is enabled */
static void data_graph_check_resources(struct subject *s,
                                       const VkDataGraphPipelineCreateInfoARM *info,
                                       const struct pipeline_layout *layout)
{
    if (subject_has(s, FEATURE_unifiedImageLayouts) || pointer_is_bad(info->pResourceInfos))
        return;
    for (uint32_t i = 0; i < info->resourceInfoCount; i++) {
        const VkDataGraphPipelineResourceInfoARM *resource = &info->pResourceInfos[i];
        const struct descriptor_layout *set = resource->descriptorSet < layout->set_count
                                                  ? layout->sets[resource->descriptorSet]
                                                  : NULL;
        const struct descriptor_binding *binding =
            set ? descriptor_layout_find(set, resource->binding) : NULL;
        REQUIRE(s, VUID_VkDataGraphPipelineResourceInfoARM_descriptorSet_09962,
                !binding || !is_image_type(binding->type) ||
                    CHAINED(resource->pNext, DATA_GRAPH_PIPELINE_RESOURCE_INFO_IMAGE_LAYOUT_ARM),
                &LOCATION(&LOCATION_INDEX(s->where, "pResourceInfos", i), "pNext"),
                "has no VkDataGraphPipelineResourceInfoImageLayoutARM, but binding %u of set %u is "
                "of %s",
                resource->binding, resource->descriptorSet,
                TEXT_OF(VkDescriptorType, binding->type));
    }
}

/* --- shader modules and constants --- */

#define CONSTANT(number_) VUID_VkDataGraphPipelineConstantARM_pNext_##number_

/* Checks VkDataGraphPipelineConstantTensorSemiStructuredSparsityInfoARM, which may occur several
 * times. */
static void check_constant(struct subject *s, const VkDataGraphPipelineConstantARM *constant)
{
    const VkTensorDescriptionARM *tensor = CHAINED(constant->pNext, TENSOR_DESCRIPTION_ARM);
    const struct location where =
        LOCATION_CHAINED(s->where,
                         "VkDataGraphPipelineConstantTensorSemiStructuredSparsityInfoARM");
    uint64_t dimensions = 0; /* bit i: there is a structure for dimension i */
    for (struct chain_walk walk = chain_begin(constant->pNext); walk.at; chain_step(&walk)) {
        const VkDataGraphPipelineConstantTensorSemiStructuredSparsityInfoARM *info =
            (const void *)walk.at;
        if (walk.at->sType !=
            VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_CONSTANT_TENSOR_SEMI_STRUCTURED_SPARSITY_INFO_ARM)
            continue;
        const uint64_t bit = info->dimension < 64 ? 1ull << info->dimension : 0;
        REQUIRE(s, CONSTANT(09870), !(dimensions & bit), &LOCATION(&where, "dimension"),
                "is %u, which another of these structures has", info->dimension);
        dimensions |= bit;
        if (!tensor)
            continue;
        REQUIRE(s, CONSTANT(09776), info->dimension < tensor->dimensionCount,
                &LOCATION(&where, "dimension"), "is %u, but the tensor has %u dimensions",
                info->dimension, tensor->dimensionCount);
        if (info->dimension >= tensor->dimensionCount || pointer_is_bad(tensor->pDimensions) ||
            !info->groupSize)
            continue;
        REQUIRE(s, CONSTANT(09777), tensor->pDimensions[info->dimension] % info->groupSize == 0,
                &LOCATION(&where, "groupSize"),
                "is %u, but dimension %u of the tensor has %" PRIi64 " elements", info->groupSize,
                info->dimension, tensor->pDimensions[info->dimension]);
    }
}

#define MODULE(rule_) VUID_VkDataGraphPipelineShaderModuleCreateInfoARM_##rule_

/* Checks the structure for a module. Structures in a chain have no order, so `chain` is the whole
 * chain of the pipeline's create info. */
static void check_module(struct subject *s, const void *chain,
                         const VkDataGraphPipelineShaderModuleCreateInfoARM *info)
{
    const bool inlined = CHAINED(chain, SHADER_MODULE_CREATE_INFO) != NULL;
    const struct location where =
        LOCATION_CHAINED(s->where, "VkDataGraphPipelineShaderModuleCreateInfoARM");
    struct subject of = {.call = s->call, .where = &where};
    REQUIRE(&of, MODULE(pNext_09873), !inlined || !info->module, "module",
            "is %s, but the pNext chain has a VkShaderModuleCreateInfo",
            NAMED(s->call, HANDLE_SHADER_MODULE, info->module));
    REQUIRE(&of, STOPS(MODULE(pNext_09874)), inlined || info->module, "module",
            "is VK_NULL_HANDLE, and the pNext chain has no VkShaderModuleCreateInfo");
    REQUIRE(&of, MODULE(dataGraphSpecializationConstants_09849),
            !info->pSpecializationInfo || subject_has(s, FEATURE_dataGraphSpecializationConstants),
            "pSpecializationInfo",
            "is not NULL, but the feature dataGraphSpecializationConstants is not enabled");
    for (uint32_t i = 0; !pointer_is_bad(info->pConstants) && i < info->constantCount; i++) {
        struct subject constant = {.call = s->call,
                                   .where = &LOCATION_INDEX(&where, "pConstants", i)};
        check_constant(&constant, &info->pConstants[i]);
        of.skip |= constant.skip;
    }
    s->skip |= of.skip;
}

/* A graph in a module, and the values of the module's specialization constants. */
struct graph {
    const struct spirv_reflection *code;
    struct spirv_specialization specialization;
};

/* True if the structure describes the tensor, or the first tensor of an array. */
static bool graph_is_described(const struct graph *graph, const struct spirv_binding *tensor,
                               const VkDataGraphPipelineResourceInfoARM *resource)
{
    const struct spirv_type *type = &graph->code->types[tensor->type];
    const VkTensorDescriptionARM *is = CHAINED(resource->pNext, TENSOR_DESCRIPTION_ARM);
    if (resource->descriptorSet != tensor->set || resource->binding != tensor->binding ||
        resource->arrayElement || !is || (type->length && type->length != is->dimensionCount) ||
        !tensor_type_fits(graph->code, type, is->format))
        return false;
    for (uint32_t i = 0; i < type->member_count && i < is->dimensionCount; i++) {
        uint64_t elements;
        if (spirv_constant_value(graph->code, graph->code->members[type->first_member + i].offset,
                                 &graph->specialization, &elements) &&
            !pointer_is_bad(is->pDimensions) && (uint64_t)is->pDimensions[i] != elements)
            return false;
    }
    return true;
}

/* Checks the binding of the layout that a variable in the graph's interface takes. */
static void check_graph_binding(struct subject *s, const struct graph *graph,
                                const struct spirv_binding *variable,
                                const struct descriptor_binding *binding)
{
    const char *name = graph->code->text + variable->name;
    const enum spirv_resource resource = variable->resource;
    uint64_t length = variable->count;
    REQUIRE(s, PIPELINE(layout_09769),
            resource == SPIRV_RESOURCE_UNKNOWN ||
                descriptor_resources(descriptor_tag_of(binding->type)) >> resource & 1,
            "layout", "has binding %u of set %u of %s, but the graph uses it as the %s %s",
            variable->binding, variable->set, TEXT_OF(VkDescriptorType, binding->type),
            spirv_resource_name(resource), name);
    REQUIRE(s, PIPELINE(layout_09934),
            !variable->arrayed ||
                (!length &&
                 (!variable->count_id || !spirv_constant_value(graph->code, variable->count_id,
                                                               &graph->specialization, &length))) ||
                length <= binding->count,
            "layout",
            "has %u descriptors in binding %u of set %u, but the graph uses %s there, an array of "
            "%" PRIu64,
            binding->count, variable->binding, variable->set, name, length);
}

/* Checks the graph of a module against the pipeline's layout and resources. `layout`: NULL if it
 * is not known. */
static void check_graph(struct subject *s, const VkDataGraphPipelineCreateInfoARM *info,
                        const VkDataGraphPipelineShaderModuleCreateInfoARM *module,
                        const struct pipeline_layout *layout)
{
    struct shader *shader =
        shader_of_stage(s->call, &(VkPipelineShaderStageCreateInfo){.pNext = info->pNext,
                                                                    .module = module->module});
    const struct location where =
        LOCATION_CHAINED(s->where, "VkDataGraphPipelineShaderModuleCreateInfoARM");
    const struct graph graph = {shader ? shader->reflection : NULL,
                                shader_specialization(module->pSpecializationInfo)};
    const uint32_t placed = SPIRV_HAS_SET | SPIRV_HAS_BINDING,
                   count = graph.code ? graph.code->graph_count : 0;
    uint32_t at = 0;
    while (at < count && strcmp(graph.code->text + graph.code->graphs[at].name, module->pName) != 0)
        at++;
    REQUIRE(s, MODULE(pName_09872), !graph.code || at < count, &LOCATION(&where, "pName"),
            "is \"%s\", but the module has no OpGraphEntryPointARM of that name", module->pName);
    for (uint32_t i = 0; at < count && i < graph.code->graphs[at].binding_count; i++) {
        const struct spirv_binding *variable =
            &graph.code->bindings[graph.code->graphs[at].first_binding + i];
        const struct descriptor_layout *set =
            layout && variable->set < layout->set_count ? layout->sets[variable->set] : NULL;
        const struct descriptor_binding *binding =
            set ? descriptor_layout_find(set, variable->binding) : NULL;
        uint32_t resources = 0;
        if ((variable->flags & placed) != placed)
            continue;
        if (binding)
            check_graph_binding(s, &graph, variable, binding);
        if (variable->resource != SPIRV_RESOURCE_TENSOR || pointer_is_bad(info->pResourceInfos))
            continue;
        for (uint32_t r = 0; r < info->resourceInfoCount; r++)
            resources += graph_is_described(&graph, variable, &info->pResourceInfos[r]);
        REQUIRE(s, VUID_RuntimeSpirv_pNext_09923, resources == 1, "pResourceInfos",
                "has %u elements with the set (%u), binding (%u), rank, shape and format of the "
                "graph's tensor %s, where it needs one",
                resources, variable->set, variable->binding, graph.code->text + variable->name);
    }
    shader_release(shader);
}

/* --- single nodes --- */

#define NODE(number_) VUID_VkDataGraphPipelineSingleNodeCreateInfoARM_nodeType_##number_

/* The number of the node's connections with this type. */
static uint32_t count_connections(const VkDataGraphPipelineSingleNodeCreateInfoARM *node,
                                  VkDataGraphPipelineNodeConnectionTypeARM connection)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < node->connectionCount; i++)
        count += node->pConnections[i].connection == connection;
    return count;
}

/* Checks a single optical flow node: its structures in the chain, and its connections. Other nodes
 * are not checked. */
static void check_node(struct subject *s, const void *chain,
                       const VkDataGraphPipelineSingleNodeCreateInfoARM *node)
{
    const VkDataGraphPipelineOpticalFlowCreateInfoARM *flow =
        CHAINED(chain, DATA_GRAPH_PIPELINE_OPTICAL_FLOW_CREATE_INFO_ARM);
    const struct location where =
        LOCATION_CHAINED(s->where, "VkDataGraphPipelineSingleNodeCreateInfoARM");
    struct subject of = {.call = s->call, .where = &where};
    if (node->nodeType != VK_DATA_GRAPH_PIPELINE_NODE_TYPE_OPTICAL_FLOW_ARM)
        return;
    REQUIRE(&of, NODE(09963), flow, "pNext",
            "has no VkDataGraphPipelineOpticalFlowCreateInfoARM, but nodeType is "
            "VK_DATA_GRAPH_PIPELINE_NODE_TYPE_OPTICAL_FLOW_ARM");
    static const VkDataGraphPipelineNodeConnectionTypeARM needed[] = {
        VK_DATA_GRAPH_PIPELINE_NODE_CONNECTION_TYPE_OPTICAL_FLOW_INPUT_ARM,
        VK_DATA_GRAPH_PIPELINE_NODE_CONNECTION_TYPE_OPTICAL_FLOW_REFERENCE_ARM,
        VK_DATA_GRAPH_PIPELINE_NODE_CONNECTION_TYPE_OPTICAL_FLOW_FLOW_VECTOR_ARM};
    for (uint32_t i = 0;
         !pointer_is_bad(node->pConnections) && i < ARRAY_LENGTH(needed) && !of.wrong; i++) {
        const uint32_t count = count_connections(node, needed[i]);
        REQUIRE(&of, NODE(09978), count == 1, "pConnections",
                "has %u elements of %s, where there must be one", count,
                TEXT_OF(VkDataGraphPipelineNodeConnectionTypeARM, needed[i]));
    }
    /* If the connections cannot be read, they are not counted: 1 is a valid count. */
    const uint32_t hints =
        pointer_is_bad(node->pConnections)
            ? 1
            : count_connections(node,
                                VK_DATA_GRAPH_PIPELINE_NODE_CONNECTION_TYPE_OPTICAL_FLOW_HINT_ARM);
    REQUIRE(&of, NODE(09979), !flow || !flow->hintGridSize || hints == 1, "pConnections",
            "has %u elements of "
            "VK_DATA_GRAPH_PIPELINE_NODE_CONNECTION_TYPE_OPTICAL_FLOW_HINT_ARM, where there must "
            "be one: hintGridSize is not 0",
            hints);
    s->skip |= of.skip;
}

/* --- engines --- */

#define ENGINES(number_) VUID_VkDataGraphProcessingEngineCreateInfoARM_pProcessingEngines_##number_

/* True for engines on which only Qualcomm's models run. */
static bool is_of_qcom(VkPhysicalDeviceDataGraphProcessingEngineTypeARM type)
{
    return type == VK_PHYSICAL_DEVICE_DATA_GRAPH_PROCESSING_ENGINE_TYPE_NEURAL_QCOM ||
           type == VK_PHYSICAL_DEVICE_DATA_GRAPH_PROCESSING_ENGINE_TYPE_COMPUTE_QCOM;
}

/* Checks VkDataGraphProcessingEngineCreateInfoARM, in the chains of pipelines, command pools,
 * descriptor pools and tensors. */
static void check_engines(struct subject *s, const void *chain)
{
    const VkDataGraphProcessingEngineCreateInfoARM *info =
        CHAINED(chain, DATA_GRAPH_PROCESSING_ENGINE_CREATE_INFO_ARM);
    if (!info || pointer_is_bad(info->pProcessingEngines))
        return;
    const struct location where =
        LOCATION_CHAINED(s->where, "VkDataGraphProcessingEngineCreateInfoARM");
    for (uint32_t i = 0; i < info->processingEngineCount; i++) {
        const VkPhysicalDeviceDataGraphProcessingEngineARM *engine = &info->pProcessingEngines[i];
        const struct location at = LOCATION_INDEX(&where, "pProcessingEngines", i);
        uint32_t same = 0;
        while (same < i && (info->pProcessingEngines[same].type != engine->type ||
                            info->pProcessingEngines[same].isForeign != engine->isForeign))
            same++;
        REQUIRE(s, ENGINES(09918), same == i, &at, "is identical to pProcessingEngines[%u]", same);
        REQUIRE(s, ENGINES(11843),
                !is_of_qcom(engine->type) || engine->isForeign != VK_TRUE ||
                    info->processingEngineCount == 1,
                &at, "is a foreign engine of %s, but processingEngineCount is %u",
                TEXT_OF(VkPhysicalDeviceDataGraphProcessingEngineTypeARM, engine->type),
                info->processingEngineCount);
        REQUIRE(s, ENGINES(11844),
                !is_of_qcom(engine->type) || subject_has(s, FEATURE_dataGraphModel), &at,
                "is of %s, but the feature dataGraphModel is not enabled",
                TEXT_OF(VkPhysicalDeviceDataGraphProcessingEngineTypeARM, engine->type));
    }
}

bool core_validate_CreateCommandPool_engines(struct call *call, VkDevice device,
                                             const VkCommandPoolCreateInfo *pCreateInfo,
                                             const VkAllocationCallbacks *pAllocator,
                                             VkCommandPool *pCommandPool)
{
    struct subject s = {.call = call, .where = &LOCATION_POINTER(NULL, "pCreateInfo")};
    const uint32_t family = pCreateInfo->queueFamilyIndex;
    check_engines(&s, pCreateInfo->pNext);
    /* If the pNext chain includes a VkDataGraphProcessingEngineCreateInfoARM structure, then
     * queueFamilyIndex must designate a queue family that supports VK_QUEUE_DATA_GRAPH_BIT_ARM */
    if (CHAINED(pCreateInfo->pNext, DATA_GRAPH_PROCESSING_ENGINE_CREATE_INFO_ARM) &&
        family < call->device->queue_family_count)
        REQUIRE(&s, VUID_VkCommandPoolCreateInfo_pNext_09908,
                call->device->queue_families[family].queueFlags & VK_QUEUE_DATA_GRAPH_BIT_ARM,
                "queueFamilyIndex",
                "is %u, a family of %s, but the pNext chain has a "
                "VkDataGraphProcessingEngineCreateInfoARM",
                family, TEXT_OF(VkQueueFlags, call->device->queue_families[family].queueFlags));
    return s.skip;
}

bool core_validate_CreateDescriptorPool_engines(struct call *call, VkDevice device,
                                                const VkDescriptorPoolCreateInfo *pCreateInfo,
                                                const VkAllocationCallbacks *pAllocator,
                                                VkDescriptorPool *pDescriptorPool)
{
    struct subject s = {.call = call, .where = &LOCATION_POINTER(NULL, "pCreateInfo")};
    check_engines(&s, pCreateInfo->pNext);
    return s.skip;
}

bool core_validate_CreateDataGraphPipelinesARM(struct call *call, VkDevice device,
                                               VkDeferredOperationKHR deferredOperation,
                                               VkPipelineCache pipelineCache,
                                               uint32_t createInfoCount,
                                               const VkDataGraphPipelineCreateInfoARM *pCreateInfos,
                                               const VkAllocationCallbacks *pAllocator,
                                               VkPipeline *pPipelines)
{
    bool skip = false, identified = false;
    for (uint32_t i = 0; i < createInfoCount; i++) {
        const VkDataGraphPipelineCreateInfoARM *info = &pCreateInfos[i];
        const struct pipeline_layout *layout = find_pipeline_layout(call, info->layout);
        const VkDataGraphPipelineShaderModuleCreateInfoARM *module =
            CHAINED(info->pNext, DATA_GRAPH_PIPELINE_SHADER_MODULE_CREATE_INFO_ARM);
        const VkDataGraphPipelineSingleNodeCreateInfoARM *node =
            CHAINED(info->pNext, DATA_GRAPH_PIPELINE_SINGLE_NODE_CREATE_INFO_ARM);
        struct subject s = {.call = call, .where = &LOCATION_INDEX(NULL, "pCreateInfos", i)};
        identified |= CHAINED(info->pNext, DATA_GRAPH_PIPELINE_IDENTIFIER_CREATE_INFO_ARM) != NULL;
        check_kind(&s, info->pNext);
        check_flags(&s, info->flags);
        check_engines(&s, info->pNext);
        if (module)
            check_module(&s, info->pNext, module);
        if (node)
            check_node(&s, info->pNext, node);
        s.objects = OBJECT(HANDLE_PIPELINE_LAYOUT, info->layout);
        if (layout) {
            data_graph_check_layout(&s, layout);
            data_graph_check_resources(&s, info, layout);
        }
        if (module && !pointer_is_bad(module->pName) && call->instance->settings.check_shaders)
            check_graph(&s, info, module, layout);
        skip |= s.skip;
    }
    struct subject s = {.call = call, .skip = skip};
    /* If at least one has a VkDataGraphPipelineIdentifierCreateInfoARM, then pipelineCache must not
     * be VK_NULL_HANDLE */
    REQUIRE(&s, RULE_09928, !identified || pipelineCache, "pipelineCache",
            "is VK_NULL_HANDLE, but a pipeline is named by an identifier");
    return s.skip;
}

/* --- properties --- */

/* Checks that the pipeline is a data graph pipeline. */
static void check_is_graph(struct subject *s, const struct pipeline *pipeline, enum vuid vuid,
                           const struct location *where)
{
    REQUIRE(s, vuid, pipeline->bind_point == VK_PIPELINE_BIND_POINT_DATA_GRAPH_ARM, where,
            "was not created with vkCreateDataGraphPipelinesARM, but for %s",
            TEXT_OF(VkPipelineBindPoint, pipeline->bind_point));
}

/* Checks `pPipelineInfo`, and returns the pipeline that it names, or NULL. */
static const struct pipeline *check_pipeline_info(struct subject *s,
                                                  const VkDataGraphPipelineInfoARM *info)
{
    const struct pipeline *pipeline = find_pipeline(s->call, info->dataGraphPipeline);
    const struct location where = LOCATION_POINTER(NULL, "pPipelineInfo");
    if (pipeline)
        check_is_graph(s, pipeline, VUID_VkDataGraphPipelineInfoARM_dataGraphPipeline_09803,
                       &LOCATION(&where, "dataGraphPipeline"));
    return pipeline;
}

bool core_validate_GetDataGraphPipelineAvailablePropertiesARM(struct call *call, VkDevice device,
                                                              const VkDataGraphPipelineInfoARM
                                                                  *pPipelineInfo,
                                                              uint32_t *pPropertiesCount,
                                                              VkDataGraphPipelinePropertyARM
                                                                  *pProperties)
{
    struct subject s = {.call = call,
                        .objects = OBJECT(HANDLE_PIPELINE, pPipelineInfo->dataGraphPipeline)};
    check_pipeline_info(&s, pPipelineInfo);
    return s.skip;
}

bool core_validate_GetDataGraphPipelinePropertiesARM(struct call *call, VkDevice device,
                                                     const VkDataGraphPipelineInfoARM
                                                         *pPipelineInfo,
                                                     uint32_t propertiesCount,
                                                     VkDataGraphPipelinePropertyQueryResultARM
                                                         *pProperties)
{
    struct subject s = {.call = call,
                        .objects = OBJECT(HANDLE_PIPELINE, pPipelineInfo->dataGraphPipeline)};
    const struct pipeline *pipeline = check_pipeline_info(&s, pPipelineInfo);
    for (uint32_t i = 0; i < propertiesCount && !s.wrong; i++) {
        const VkDataGraphPipelinePropertyARM property = pProperties[i].property;
        const struct location at = LOCATION_INDEX(NULL, "pProperties", i),
                              member = LOCATION(&at, "property");
        uint32_t same = 0;
        while (same < i && pProperties[same].property != property)
            same++;
        REQUIRE(&s, RULE_09889, same == i, &member, "is %s, which pProperties[%u] has as well",
                TEXT_OF(VkDataGraphPipelinePropertyARM, property), same);
        REQUIRE(&s, RULE_09856,
                !pipeline || pipeline->graph_statistics ||
                    property !=
                        VK_DATA_GRAPH_PIPELINE_PROPERTY_NEURAL_ACCELERATOR_STATISTICS_INFO_ARM,
                &member,
                "is "
                "VK_DATA_GRAPH_PIPELINE_PROPERTY_NEURAL_ACCELERATOR_STATISTICS_INFO_ARM, but the "
                "pipeline was created without allowNeuralStatistics");
    }
    return s.skip;
}

/* --- sessions --- */

bool core_validate_CreateDataGraphPipelineSessionARM(struct call *call, VkDevice device,
                                                     const VkDataGraphPipelineSessionCreateInfoARM
                                                         *pCreateInfo,
                                                     const VkAllocationCallbacks *pAllocator,
                                                     VkDataGraphPipelineSessionARM *pSession)
{
    const struct location where = LOCATION_POINTER(NULL, "pCreateInfo");
    const struct pipeline *pipeline = find_pipeline(call, pCreateInfo->dataGraphPipeline);
    struct subject s = {.call = call,
                        .where = &where,
                        .objects = OBJECT(HANDLE_PIPELINE, pCreateInfo->dataGraphPipeline)};
    if (!pipeline)
        return false;
    check_is_graph(&s, pipeline,
                   VUID_VkDataGraphPipelineSessionCreateInfoARM_dataGraphPipeline_09781,
                   &LOCATION(&where, "dataGraphPipeline"));
    const bool statistics =
        CHAINED(pCreateInfo->pNext,
                DATA_GRAPH_PIPELINE_SESSION_NEURAL_STATISTICS_CREATE_INFO_ARM) != NULL;
    /* may only be included if and only if ... allowNeuralStatistics member was VK_TRUE. (That it
     * must be there then is not said: "may only".) */
    REQUIRE_NEXT(&s, VUID_VkDataGraphPipelineSessionCreateInfoARM_pNext_09852,
                 !statistics || pipeline->graph_statistics, "pNext",
                 "has VkDataGraphPipelineSessionNeuralStatisticsCreateInfoARM, but the pipeline "
                 "was "
                 "created without allowNeuralStatistics");
    return s.skip;
}

bool core_validate_DestroyDataGraphPipelineSessionARM(struct call *call, VkDevice device,
                                                      VkDataGraphPipelineSessionARM session,
                                                      const VkAllocationCallbacks *pAllocator)
{
    const struct created_graph_session *state = named_created_graph_session(call, 0, session);
    /* All submitted commands that refer to session must have completed execution */
    return state && in_use_check(call, &state->base, RULE(call, 09793), &LOCATION(NULL, "session"));
}

/* Checks that vkGetDataGraphPipelineSessionBindPointRequirementsARM has returned the bind point,
 * with more objects than `object`. */
static void check_bind_point(struct subject *s, const struct created_graph_session *session,
                             VkDataGraphPipelineSessionBindPointARM bind_point, uint32_t object,
                             enum vuid unknown, enum vuid too_many)
{
    const uint32_t point = graph_bind_point_index(bind_point);
    if (point == GRAPH_BIND_POINTS)
        return;
    const uint32_t objects =
        atomic_load_explicit(&session->objects[point], memory_order_relaxed); /* and 1 */
    REQUIRE(s, unknown, objects, "bindPoint",
            "is %s, which vkGetDataGraphPipelineSessionBindPointRequirementsARM has not returned "
            "for the session as one of memory",
            TEXT_OF(VkDataGraphPipelineSessionBindPointARM, bind_point));
    REQUIRE(s, too_many, !objects || object < objects - 1, "objectIndex",
            "is %u, but the session has %u objects at %s", object, objects - 1,
            TEXT_OF(VkDataGraphPipelineSessionBindPointARM, bind_point));
}

bool core_validate_GetDataGraphPipelineSessionMemoryRequirementsARM(
    struct call *call, VkDevice device,
    const VkDataGraphPipelineSessionMemoryRequirementsInfoARM *pInfo,
    VkMemoryRequirements2 *pMemoryRequirements)
{
    const struct created_graph_session *session = find_created_graph_session(call, pInfo->session);
    struct subject s = {.call = call,
                        .where = &LOCATION_POINTER(NULL, "pInfo"),
                        .objects = OBJECT(HANDLE_DATA_GRAPH_PIPELINE_SESSION_ARM, pInfo->session)};
    if (session)
        check_bind_point(
            &s, session, pInfo->bindPoint, pInfo->objectIndex, RULE(call, 09784),
            VUID_VkDataGraphPipelineSessionMemoryRequirementsInfoARM_objectIndex_09855);
    return s.skip;
}

#define BIND(rule_) VUID_VkBindDataGraphPipelineSessionMemoryInfoARM_##rule_

/* Checks that the memory is as large and as aligned as the driver says that the object takes. */
static void check_requirements(struct subject *s,
                               const VkBindDataGraphPipelineSessionMemoryInfoARM *info,
                               const struct created_graph_session *session,
                               const struct device_memory *memory)
{
    const struct device *device = s->call->device;
    PFN_vkGetDataGraphPipelineSessionMemoryRequirementsARM ask =
        device->dispatch.GetDataGraphPipelineSessionMemoryRequirementsARM;
    const VkDataGraphPipelineSessionMemoryRequirementsInfoARM of = {
        .sType = VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_SESSION_MEMORY_REQUIREMENTS_INFO_ARM,
        .session = (VkDataGraphPipelineSessionARM)object_driver(session->base.object),
        .bindPoint = info->bindPoint,
        .objectIndex = info->objectIndex};
    VkMemoryRequirements2 out = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    if (!ask)
        return;
    ask(device->handle, &of, &out);
    const VkMemoryRequirements *needs = &out.memoryRequirements;
    REQUIRE(s, BIND(memory_09788), memory->type >= 32 || needs->memoryTypeBits & 1u << memory->type,
            "memory", "is of memory type %u, but the session takes memoryTypeBits 0x%x",
            memory->type, needs->memoryTypeBits);
    REQUIRE(s, BIND(memoryOffset_09789),
            !needs->alignment || info->memoryOffset % needs->alignment == 0, "memoryOffset",
            "is %" PRIu64 ", which is not a multiple of %" PRIu64 ", as the session needs",
            info->memoryOffset, needs->alignment);
    if (!memory->import_type && info->memoryOffset < memory->size)
        REQUIRE(s, BIND(size_09790), needs->size <= memory->size - info->memoryOffset, "memory",
                "has %" PRIu64 " bytes from memoryOffset (%" PRIu64
                ") on, but the session needs %" PRIu64,
                memory->size - info->memoryOffset, info->memoryOffset, needs->size);
}

/* Checks one binding of memory to a session, first its bind point. `memory`: NULL if it is not
 * known. */
static void check_bind(struct subject *s, const VkBindDataGraphPipelineSessionMemoryInfoARM *info,
                       const struct created_graph_session *session,
                       const struct device_memory *memory)
{
    const uint32_t point = graph_bind_point_index(info->bindPoint);
    const bool protected =
        (session->flags & VK_DATA_GRAPH_PIPELINE_SESSION_CREATE_PROTECTED_BIT_ARM) != 0;
    check_bind_point(s, session, info->bindPoint, info->objectIndex, BIND(bindPoint_09786),
                     BIND(objectIndex_09805));
    if (s->wrong || point == GRAPH_BIND_POINTS)
        return;
    const uint32_t bound = atomic_load_explicit(&session->bound[point], memory_order_relaxed);
    REQUIRE(s, BIND(session_09785), info->objectIndex >= 32 || !(bound >> info->objectIndex & 1),
            "session", "has memory at %s already, for object %u",
            TEXT_OF(VkDataGraphPipelineSessionBindPointARM, info->bindPoint), info->objectIndex);
    if (!memory || s->wrong)
        return;
    REQUIRE(s, BIND(session_09791),
            !protected || memory->properties & VK_MEMORY_PROPERTY_PROTECTED_BIT, "memory",
            "is of a type without VK_MEMORY_PROPERTY_PROTECTED_BIT, but the session was created "
            "with VK_DATA_GRAPH_PIPELINE_SESSION_CREATE_PROTECTED_BIT_ARM");
    REQUIRE(s, BIND(session_09792),
            protected || !(memory->properties & VK_MEMORY_PROPERTY_PROTECTED_BIT), "memory",
            "is of a type with VK_MEMORY_PROPERTY_PROTECTED_BIT, but the session was created "
            "without VK_DATA_GRAPH_PIPELINE_SESSION_CREATE_PROTECTED_BIT_ARM");
    if (!s->wrong)
        check_requirements(s, info, session, memory);
}

bool core_validate_BindDataGraphPipelineSessionMemoryARM(
    struct call *call, VkDevice device, uint32_t bindInfoCount,
    const VkBindDataGraphPipelineSessionMemoryInfoARM *pBindInfos)
{
    bool skip = false;
    for (uint32_t i = 0; i < bindInfoCount; i++) {
        const VkBindDataGraphPipelineSessionMemoryInfoARM *info = &pBindInfos[i];
        const struct created_graph_session *session =
            find_created_graph_session(call, info->session);
        struct subject s = {.call = call,
                            .where = &LOCATION_INDEX(NULL, "pBindInfos", i),
                            .objects = OBJECT2(HANDLE_DATA_GRAPH_PIPELINE_SESSION_ARM,
                                               info->session, HANDLE_DEVICE_MEMORY, info->memory)};
        if (session && !rows_were_broken_in(s.where))
            check_bind(&s, info, session, find_device_memory(call, info->memory));
        skip |= s.skip;
    }
    return skip;
}

/* --- dispatches --- */

#define DATA_GRAPH_POINT 4 /* bind_point_index() */

/* Checks what the chain of pInfo has for a node of optical flow. */
static void check_flow(struct subject *s, const VkDataGraphPipelineOpticalFlowDispatchInfoARM *flow,
                       const struct pipeline *pipeline, const struct created_graph_session *session)
{
    const VkDataGraphOpticalFlowExecuteFlagsARM cached =
        VK_DATA_GRAPH_OPTICAL_FLOW_EXECUTE_INPUT_UNCHANGED_BIT_ARM |
        VK_DATA_GRAPH_OPTICAL_FLOW_EXECUTE_REFERENCE_UNCHANGED_BIT_ARM |
        VK_DATA_GRAPH_OPTICAL_FLOW_EXECUTE_INPUT_IS_PREVIOUS_REFERENCE_BIT_ARM |
        VK_DATA_GRAPH_OPTICAL_FLOW_EXECUTE_REFERENCE_IS_PREVIOUS_INPUT_BIT_ARM;
    const struct location info = LOCATION_POINTER(NULL, "pInfo"),
                          where = LOCATION_CHAINED(&info,
                                                   "VkDataGraphPipelineOpticalFlowDispatchInfoARM");
    REQUIRE(s, RULE_09980, pipeline->optical_flow, &where,
            "is there, but the bound pipeline has no node for optical flow");
    if (s->wrong)
        return;
    REQUIRE(s, RULE_09964,
            !session || !(flow->flags & cached) ||
                session->flags & VK_DATA_GRAPH_PIPELINE_SESSION_CREATE_OPTICAL_FLOW_CACHE_BIT_ARM,
            &LOCATION(&where, "flags"),
            "is %s, but the session was created without "
            "VK_DATA_GRAPH_PIPELINE_SESSION_CREATE_OPTICAL_FLOW_CACHE_BIT_ARM",
            TEXT_OF(VkDataGraphOpticalFlowExecuteFlagsARM, flow->flags));
    REQUIRE(s, VUID_VkDataGraphPipelineOpticalFlowDispatchInfoARM_meanFlowL1NormHint_09976,
            !pipeline->flow_size || flow->meanFlowL1NormHint <= pipeline->flow_size,
            &LOCATION(&where, "meanFlowL1NormHint"),
            "is %u, but the larger of width and height of the pipeline is %u",
            flow->meanFlowL1NormHint, pipeline->flow_size);
}

/* Checks that the session belongs to the pipeline, and has all its memory. */
static void check_session(struct subject *s, const struct created_graph_session *session,
                          uint64_t pipeline)
{
    REQUIRE(s, RULE_09951, !session->pipeline || session->pipeline == pipeline, "session",
            "was created for another pipeline than the one that is bound");
    for (uint32_t i = 0; i < GRAPH_BIND_POINTS; i++) {
        const uint32_t objects =
            atomic_load_explicit(&session->objects[i], memory_order_relaxed); /* and 1 */
        const uint32_t bound = atomic_load_explicit(&session->bound[i], memory_order_relaxed);
        if (objects && objects - 1 < 32)
            REQUIRE(s, RULE_09796,
                    (bound & ((1u << (objects - 1)) - 1)) == (1u << (objects - 1)) - 1, "session",
                    "has %u objects that take memory, but not all have it", objects - 1);
    }
}

bool core_validate_CmdDispatchDataGraphARM(struct call *call, VkCommandBuffer commandBuffer,
                                           VkDataGraphPipelineSessionARM session,
                                           const VkDataGraphPipelineDispatchInfoARM *pInfo)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const struct created_graph_session *state = named_created_graph_session(call, 0, session);
    const VkDataGraphPipelineOpticalFlowDispatchInfoARM *flow =
        pInfo ? CHAINED(pInfo->pNext, DATA_GRAPH_PIPELINE_OPTICAL_FLOW_DISPATCH_INFO_ARM) : NULL;
    struct subject s = {.call = call,
                        .objects = OBJECT(HANDLE_DATA_GRAPH_PIPELINE_SESSION_ARM, session)};
    if (!command_buffer || command_buffer_inherits_state(call, command_buffer))
        return false;
    const uint64_t bound = command_buffer->bind[DATA_GRAPH_POINT].pipeline;
    const struct pipeline *pipeline = pipeline_by_id(bound);
    REQUIRE(&s, STOPS(RULE_09799), bound, "commandBuffer", "has no data graph pipeline bound");
    if (!s.wrong && state)
        check_session(&s, state, bound);
    if (s.wrong || !pipeline)
        return s.skip;
    if (flow)
        check_flow(&s, flow, pipeline, state);
    return s.skip;
}
