/* Sets the vertex input: vkCmdSetVertexInputEXT. */
#include "dynamic_state/dynamic_state.h"

static const VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT vertex_input_feature = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT,
    .vertexInputDynamicState = VK_TRUE};
static const VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT divisors = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT,
    .pNext = (void *)&vertex_input_feature,
    .vertexAttributeInstanceRateDivisor = VK_TRUE,
    .vertexAttributeInstanceRateZeroDivisor = VK_TRUE};

struct vertex_input {
    VkVertexInputBindingDescription2EXT bindings[64];
    VkVertexInputAttributeDescription2EXT attributes[64];
    uint32_t binding_count, attribute_count;
};

/* Two bindings with an attribute each. */
static struct vertex_input vertex_input(void)
{
    struct vertex_input input = {.binding_count = 2, .attribute_count = 2};
    for (uint32_t i = 0; i < 64; i++) {
        input.bindings[i] = (VkVertexInputBindingDescription2EXT){
            .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT,
            .binding = i,
            .stride = 16,
            .divisor = 1};
        input.attributes[i] = (VkVertexInputAttributeDescription2EXT){
            .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT,
            .location = i,
            .binding = i,
            .format = VK_FORMAT_R32G32B32A32_SFLOAT};
    }
    return input;
}

static void set_vertex_input(struct baseline *b, const struct vertex_input *input)
{
    DEVICE_PROC(b, vkCmdSetVertexInputEXT)
    (make_recording(b), input->binding_count, input->bindings, input->attribute_count,
     input->attributes);
}
#define INPUT_MISTAKE(name_, id_, features_, change_)            \
    SCENARIO(name_, .expect = {"VUID-" id_},                     \
             .extensions = {"VK_EXT_vertex_input_dynamic_state", \
                            "VK_EXT_vertex_attribute_divisor"},  \
             .features = features_)                              \
    {                                                            \
        struct vertex_input in = vertex_input();                 \
        change_;                                                 \
        set_vertex_input(b, &in);                                \
    }

SCENARIO(vertex_input_in_order,
         .extensions = {"VK_EXT_vertex_input_dynamic_state", "VK_EXT_vertex_attribute_divisor"},
         .features = &divisors)
{
    struct vertex_input in = vertex_input();
    in.bindings[1].inputRate = VK_VERTEX_INPUT_RATE_INSTANCE;
    in.bindings[1].divisor = 0;
    set_vertex_input(b, &in);
    in.bindings[1].divisor = 2;
    in.bindings[0].stride = limits_of_device(b).maxVertexInputBindingStride;
    in.attributes[0].offset = limits_of_device(b).maxVertexInputAttributeOffset;
    set_vertex_input(b, &in);
}

INPUT_MISTAKE(vertex_input_without_feature, "vkCmdSetVertexInputEXT-None-08546", NULL, )
INPUT_MISTAKE(vertex_input_too_many_bindings,
              "vkCmdSetVertexInputEXT-vertexBindingDescriptionCount-04791", &divisors,
              (in.bindings[limits_of_device(b).maxVertexInputBindings].binding = 0,
               in.binding_count = limits_of_device(b).maxVertexInputBindings + 1))
INPUT_MISTAKE(vertex_input_too_many_attributes,
              "vkCmdSetVertexInputEXT-vertexAttributeDescriptionCount-04792", &divisors,
              (in.attributes[limits_of_device(b).maxVertexInputAttributes].location = 0,
               in.attributes[limits_of_device(b).maxVertexInputAttributes].binding = 0,
               in.attribute_count = limits_of_device(b).maxVertexInputAttributes + 1))
INPUT_MISTAKE(vertex_input_no_binding, "vkCmdSetVertexInputEXT-binding-04793", &divisors,
              in.attributes[0].binding = 5)
INPUT_MISTAKE(vertex_input_binding_twice, "vkCmdSetVertexInputEXT-pVertexBindingDescriptions-04794",
              &divisors, (in.bindings[1].binding = 0, in.attributes[1].binding = 0))
INPUT_MISTAKE(vertex_input_location_twice,
              "vkCmdSetVertexInputEXT-pVertexAttributeDescriptions-04795", &divisors,
              in.attributes[1].location = 0)
INPUT_MISTAKE(vertex_input_format, "VkVertexInputAttributeDescription2EXT-format-04805", &divisors,
              in.attributes[1].format = VK_FORMAT_BC1_RGB_UNORM_BLOCK)

SCENARIO(vertex_input_offset_large, .extensions = {"VK_EXT_vertex_input_dynamic_state"},
         .features = &vertex_input_feature, .drivers = NULL_DRIVER,
         .null_driver = "{\"limits\": {\"maxVertexInputAttributeOffset\": 2047}}",
         .expect = {"VUID-VkVertexInputAttributeDescription2EXT-offset-06230"})
{
    struct vertex_input in = vertex_input();
    in.attributes[1].offset = 2048;
    set_vertex_input(b, &in);
}

SCENARIO(vertex_input_divisor_large,
         .extensions = {"VK_EXT_vertex_input_dynamic_state", "VK_EXT_vertex_attribute_divisor"},
         .features = &divisors, .drivers = NULL_DRIVER,
         .null_driver = "{\"properties\": {\"maxVertexAttribDivisor\": 1000}}",
         .expect = {"VUID-VkVertexInputBindingDescription2EXT-divisor-06226"})
{
    struct vertex_input in = vertex_input();
    in.bindings[1].inputRate = VK_VERTEX_INPUT_RATE_INSTANCE;
    in.bindings[1].divisor = 1001;
    set_vertex_input(b, &in);
}
