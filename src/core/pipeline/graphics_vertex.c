/* Checks the vertex input interface of a graphics pipeline (22.2 "Vertex Input", 21.1 "Primitive
 * Topologies", 23 "Tessellation"). */
#include "core/pipeline/checks.h"

#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "state/memory/formats.h"
#include "vk/chain.h"

/* --- vertex input --- */

/* True if one of the first `count` bindings has this number. */
static bool has_binding(const VkPipelineVertexInputStateCreateInfo *info, uint32_t count,
                        uint32_t binding)
{
    for (uint32_t i = 0; i < count; i++) {
        if (info->pVertexBindingDescriptions[i].binding == binding)
            return true;
    }
    return false;
}

/* Checks that each binding number occurs once. */
static bool check_bindings(const struct call *call, const struct location *where,
                           const VkPipelineVertexInputStateCreateInfo *info)
{
    assert(info);
    struct subject s = {.call = call};
    for (uint32_t i = 0; i < info->vertexBindingDescriptionCount; i++) {
        const VkVertexInputBindingDescription *binding = &info->pVertexBindingDescriptions[i];
        const struct location *at = &LOCATION_INDEX(where, "pVertexBindingDescriptions", i);
        REQUIRE(&s, VUID_VkPipelineVertexInputStateCreateInfo_pVertexBindingDescriptions_00616,
                !has_binding(info, i, binding->binding), &LOCATION(at, "binding"),
                "is %u, as is that of an earlier element", binding->binding);
    }
    return s.skip;
}

/* Checks the format of an attribute. */
static bool check_attribute(const struct call *call, const struct location *at,
                            const VkVertexInputAttributeDescription *attribute)
{
    assert(attribute);
    struct subject s = {.call = call, .where = at};
    /* The stateless validator reports values that are not formats. */
    REQUIRE(&s, VUID_VkVertexInputAttributeDescription_format_00623,
            (!format_info(attribute->format) && attribute->format != VK_FORMAT_UNDEFINED) ||
                format_buffer_features(call->device, attribute->format) &
                    VK_FORMAT_FEATURE_2_VERTEX_BUFFER_BIT,
            "format", "is %s, which the device cannot use for vertex buffers",
            value_text(VALUES_VkFormat, attribute->format).text);
    return s.skip;
}

/* Checks the vertex attributes: each on its own, against its binding, and against earlier ones. */
static bool check_attributes(const struct call *call, const struct location *where,
                             const VkPipelineVertexInputStateCreateInfo *info)
{
    struct subject s = {.call = call};
    for (uint32_t i = 0; i < info->vertexAttributeDescriptionCount; i++) {
        const VkVertexInputAttributeDescription *attribute = &info->pVertexAttributeDescriptions[i];
        const struct location *at = &LOCATION_INDEX(where, "pVertexAttributeDescriptions", i);
        s.skip |= check_attribute(call, at, attribute);
        /* 00621 has reported bindings beyond the limit. */
        REQUIRE(&s, VUID_VkPipelineVertexInputStateCreateInfo_binding_00615,
                has_binding(info, info->vertexBindingDescriptionCount, attribute->binding) ||
                    attribute->binding >= limits_of(call)->maxVertexInputBindings,
                &LOCATION(at, "binding"),
                "is %u, but no element of pVertexBindingDescriptions has that binding",
                attribute->binding);
        for (uint32_t k = 0; k < i; k++) {
            if (info->pVertexAttributeDescriptions[k].location == attribute->location) {
                BROKEN(&s,
                       VUID_VkPipelineVertexInputStateCreateInfo_pVertexAttributeDescriptions_00617,
                       &LOCATION(at, "location"),
                       "is %u, as is that of pVertexAttributeDescriptions[%u]", attribute->location,
                       k);
                break;
            }
        }
    }
    return s.skip;
}

/* True if the binding advances per instance. */
static bool is_instanced(const VkPipelineVertexInputStateCreateInfo *info, uint32_t binding)
{
    for (uint32_t i = 0; i < info->vertexBindingDescriptionCount; i++) {
        if (info->pVertexBindingDescriptions[i].binding == binding)
            return info->pVertexBindingDescriptions[i].inputRate == VK_VERTEX_INPUT_RATE_INSTANCE;
    }
    return false;
}

/* Checks the divisors of vertex bindings. A limit of 0 is not known. */
static bool check_divisors(const struct call *call, const struct location *where,
                           const VkPipelineVertexInputStateCreateInfo *info,
                           const VkPipelineVertexInputDivisorStateCreateInfo *divisors)
{
    assert(info && divisors);
    const VkPhysicalDeviceLimits *limits = limits_of(call);
    uint32_t most = call->device->extended.VertexAttributeDivisorProperties.maxVertexAttribDivisor;
    struct subject s = {.call = call};
    if (pointer_is_bad(divisors->pVertexBindingDivisors))
        return false;
    if (!most)
        most = call->device->extended.VertexAttributeDivisorPropertiesEXT.maxVertexAttribDivisor;
    for (uint32_t i = 0; i < divisors->vertexBindingDivisorCount; i++) {
        const VkVertexInputBindingDivisorDescription *divisor =
            &divisors->pVertexBindingDivisors[i];
        const struct location *at = &LOCATION_INDEX(where, "pVertexBindingDivisors", i),
                              *value = &LOCATION(at, "divisor");
        if (most)
            REQUIRE(&s, VUID_VkVertexInputBindingDivisorDescription_divisor_01870,
                    divisor->divisor <= most, value, "is %u, but maxVertexAttribDivisor is %u",
                    divisor->divisor, most);
        REQUIRE(&s, VUID_VkVertexInputBindingDivisorDescription_inputRate_01871,
                is_instanced(info, divisor->binding) ||
                    divisor->binding >= limits->maxVertexInputBindings,
                &LOCATION(at, "binding"),
                "is %u, but no binding of that number has VK_VERTEX_INPUT_RATE_INSTANCE for "
                "its inputRate",
                divisor->binding);
    }
    return s.skip;
}

/* Checks the vertex input state, if its arrays are readable and not too long. */
static bool check_vertex_input(const struct call *call, const struct location *parent,
                               const struct graphics_info *graphics)
{
    const VkPipelineVertexInputStateCreateInfo *info = graphics->vertex_input;
    const VkPhysicalDeviceLimits *limits = limits_of(call);
    const struct location *where = &LOCATION_POINTER(parent, "pVertexInputState");
    const VkPipelineVertexInputDivisorStateCreateInfo *divisors =
        CHAINED(info->pNext, PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO);
    bool skip = false;
    /* rows report it */
    if (info->vertexBindingDescriptionCount > limits->maxVertexInputBindings ||
        info->vertexAttributeDescriptionCount > limits->maxVertexInputAttributes)
        return false;
    if (info->vertexBindingDescriptionCount && pointer_is_bad(info->pVertexBindingDescriptions))
        return false;
    if (info->vertexAttributeDescriptionCount && pointer_is_bad(info->pVertexAttributeDescriptions))
        return false;
    skip |= check_bindings(call, where, info);
    skip |= check_attributes(call, where, info);
    if (divisors)
        skip |=
            check_divisors(call,
                           &LOCATION_CHAINED(where, "VkPipelineVertexInputDivisorStateCreateInfo"),
                           info, divisors);
    return skip;
}

/* --- input assembly and tessellation --- */

/* True for topologies whose primitives share no vertices. */
static bool is_list(VkPrimitiveTopology topology)
{
    return topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST ||
           topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST ||
           topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST ||
           topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY ||
           topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY;
}

/* True for topologies with adjacency, whose values are consecutive. */
static bool has_adjacency(VkPrimitiveTopology topology)
{
    return topology >= VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY &&
           topology <= VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY;
}

/* The two stages of tessellation. */
#define STAGES_TESSELLATION \
    (VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT)

/* Checks the primitive topology and primitive restart, unless they are dynamic. */
static bool check_input_assembly(const struct call *call, const struct location *parent,
                                 const struct graphics_info *graphics)
{
    const VkPipelineInputAssemblyStateCreateInfo *info = graphics->input_assembly;
    const struct location *where = &LOCATION_POINTER(parent, "pInputAssemblyState"),
                          *topology = &LOCATION(where, "topology");
    struct subject s = {.call = call, .where = where};
    bool dynamic = graphics_is_dynamic(graphics, DYNAMIC_PRIMITIVE_TOPOLOGY);
    struct value_text text = value_text(VALUES_VkPrimitiveTopology, info->topology);
    if (dynamic && call->device->extended.ExtendedDynamicState3PropertiesEXT
                       .dynamicPrimitiveTopologyUnrestricted)
        return false; /* the input assembly state is ignored */
    REQUIRE(&s, VUID_VkPipelineInputAssemblyStateCreateInfo_topology_00429,
            !has_adjacency(info->topology) || has_feature(call, FEATURE_geometryShader), topology,
            "is %s, which needs the geometryShader feature", text.text);
    /* If there are tessellation shaders, 00705 reports it: they require patches. */
    REQUIRE(&s, VUID_VkPipelineInputAssemblyStateCreateInfo_topology_00430,
            info->topology != VK_PRIMITIVE_TOPOLOGY_PATCH_LIST ||
                has_feature(call, FEATURE_tessellationShader) ||
                graphics->stages & STAGES_TESSELLATION,
            topology, "is %s, which needs the tessellationShader feature", text.text);
    if (dynamic || graphics_is_dynamic(graphics, DYNAMIC_PRIMITIVE_RESTART_ENABLE) ||
        !info->primitiveRestartEnable)
        return s.skip;
    REQUIRE(&s, VUID_VkPipelineInputAssemblyStateCreateInfo_topology_06252,
            !is_list(info->topology) || has_feature(call, FEATURE_primitiveTopologyListRestart),
            "primitiveRestartEnable",
            "is VK_TRUE, but topology is %s, and the primitiveTopologyListRestart feature "
            "is not enabled",
            text.text);
    REQUIRE(&s, VUID_VkPipelineInputAssemblyStateCreateInfo_topology_06253,
            info->topology != VK_PRIMITIVE_TOPOLOGY_PATCH_LIST ||
                has_feature(call, FEATURE_primitiveTopologyPatchListRestart),
            "primitiveRestartEnable",
            "is VK_TRUE, but topology is %s, and the primitiveTopologyPatchListRestart "
            "feature is not enabled",
            text.text);
    return s.skip;
}

/* Checks topology and stages of one create info: patches require tessellation, and the reverse. */
static bool check_patches(const struct call *call, const struct location *where,
                          const struct graphics_info *graphics)
{
    struct subject s = {.call = call, .where = where};
    bool unrestricted = call->device->extended.ExtendedDynamicState3PropertiesEXT
                            .dynamicPrimitiveTopologyUnrestricted;
    if (graphics_is_dynamic(graphics, DYNAMIC_PRIMITIVE_TOPOLOGY) && unrestricted)
        return false;
    const VkGraphicsPipelineCreateInfo *info = graphics->info;
    VkPrimitiveTopology topology = graphics->input_assembly->topology;
    bool patches = topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
         tessellates = (graphics->stages & STAGES_TESSELLATION) != 0;
    /* Without the feature 00430 and 00705 report it; for an element with all stages, 00706 does. */
    if (!has_feature(call, FEATURE_tessellationShader))
        return false;
    for (uint32_t i = 0; i < info->stageCount && !pointer_is_bad(info->pStages); i++) {
        if (info->pStages[i].stage & (info->pStages[i].stage - 1))
            return false;
    }
    REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_pStages_08888, !tessellates || patches,
            &LOCATION(&LOCATION_POINTER(where, "pInputAssemblyState"), "topology"),
            "is %s, but must be VK_PRIMITIVE_TOPOLOGY_PATCH_LIST with tessellation shaders",
            value_text(VALUES_VkPrimitiveTopology, topology).text);
    REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_topology_08889, !patches || tessellates,
            "pStages",
            "has no tessellation shaders, but the topology is VK_PRIMITIVE_TOPOLOGY_PATCH_LIST");
    return s.skip;
}

bool check_graphics_vertex_input(const struct call *call, const struct location *where,
                                 const struct graphics_info *graphics)
{
    struct subject s = {.call = call};
    if (graphics->vertex_input)
        s.skip |= check_vertex_input(call, where, graphics);
    if (graphics->input_assembly)
        s.skip |= check_input_assembly(call, where, graphics);
    if (graphics->input_assembly && graphics->own & PART_PRE_RASTERIZATION)
        s.skip |= check_patches(call, where, graphics);
    return s.skip;
}
