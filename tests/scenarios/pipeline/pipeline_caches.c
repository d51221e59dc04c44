/* Pipeline caches that begin with the data of a cache of data graphs (VK_QCOM_data_graph_model). */
#include "scenario.h"

#include <string.h>

static const VkPhysicalDeviceDataGraphFeaturesARM graphs = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DATA_GRAPH_FEATURES_ARM, .dataGraph = VK_TRUE};
static const VkPhysicalDeviceDataGraphModelFeaturesQCOM models = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DATA_GRAPH_MODEL_FEATURES_QCOM,
    .pNext = (void *)&graphs,
    .dataGraphModel = VK_TRUE};
#define CACHES                                                                        \
    .drivers = NULL_DRIVER, .features = &models,                                      \
    .extensions = {"VK_ARM_data_graph", "VK_QCOM_data_graph_model", "VK_ARM_tensors", \
                   "VK_KHR_maintenance5", "VK_KHR_deferred_host_operations"}
#define HEADER(id_) .expect = {"VUID-VkPipelineCacheHeaderVersionDataGraphQCOM-" id_}

static VkPipelineCache make_graph_cache(struct baseline *b, uint32_t header_size, size_t size)
{
    const uint32_t head[2] = {header_size, VK_PIPELINE_CACHE_HEADER_VERSION_DATA_GRAPH_QCOM};
    uint8_t data[64] = {0};
    VkPipelineCacheCreateInfo info = pipeline_cache_info();
    memcpy(data, head, sizeof(head));
    info.initialDataSize = size;
    info.pInitialData = data;
    return create_pipeline_cache(b, &info);
}

SCENARIO(cache_of_data_graphs, CACHES)
{
    make_graph_cache(b, 28, 28);
}

SCENARIO(cache_of_data_graphs_with_a_short_header, CACHES, HEADER("headerSize-11836"))
{
    make_graph_cache(b, 24, 28);
}

SCENARIO(cache_of_data_graphs_cut_off, CACHES, HEADER("headerSize-11838"),
         .text = {"is 28, but the data has 27 bytes (initialDataSize)"})
{
    make_graph_cache(b, 28, 27);
}

SCENARIO(cache_of_data_graphs_without_the_feature, .drivers = NULL_DRIVER, HEADER("None-11835"))
{
    make_graph_cache(b, 28, 28);
}

SCENARIO(data_of_a_cache_of_data_graphs, CACHES,
         .expect = {"VUID-vkGetPipelineCacheData-pipelineCache-11834"})
{
    size_t size = 0;
    vkGetPipelineCacheData(b->device, make_graph_cache(b, 28, 28), &size, NULL);
}

SCENARIO(caches_merged_into_one_of_data_graphs, CACHES,
         .expect = {"VUID-vkMergePipelineCaches-dstCache-11832"})
{
    const VkPipelineCache source = make_pipeline_cache(b);
    vkMergePipelineCaches(b->device, make_graph_cache(b, 28, 28), 1, &source);
}

SCENARIO(cache_of_data_graphs_merged, CACHES,
         .expect = {"VUID-vkMergePipelineCaches-headerVersion-11833"})
{
    const VkPipelineCache source = make_graph_cache(b, 28, 28);
    vkMergePipelineCaches(b->device, make_pipeline_cache(b), 1, &source);
}

/* Any other data is the driver's own. */
SCENARIO(caches_merged_beside_data_graphs, CACHES)
{
    const VkPipelineCache source = make_pipeline_cache(b);
    size_t size = 0;
    make_graph_cache(b, 28, 28);
    vkMergePipelineCaches(b->device, make_pipeline_cache(b), 1, &source);
    vkGetPipelineCacheData(b->device, source, &size, NULL);
}
