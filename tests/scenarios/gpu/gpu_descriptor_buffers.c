/* GPU-assisted validation where descriptors lie in memory of the program's: nothing is known of
 * them, and shaders with checks do what they do without. */
#include "gpu/gpu_world.h"

#include <string.h>

#include "gpu_more.h"

static const VkPhysicalDeviceVulkan12Features features12 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    .runtimeDescriptorArray = VK_TRUE,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceDescriptorBufferFeaturesEXT descriptor_buffers = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT,
    .pNext = (void *)&features12,
    .descriptorBuffer = VK_TRUE};
static const VkPhysicalDeviceFeatures2 features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)&descriptor_buffers,
    .features = {.shaderStorageBufferArrayDynamicIndexing = VK_TRUE}};
#define IN_BUFFERS \
    GPU_SETTINGS(), .features = &features, .extensions = {VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME}

#define COUNT 2 /* descriptors of the array in the layout */

struct world {
    struct baseline *b;
    VkPhysicalDeviceDescriptorBufferPropertiesEXT sizes;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkBuffer descriptors;
    unsigned char *memory; /* mapped: the descriptors */
    VkBuffer which, pointers, value;
};

static VkBuffer make_descriptor_buffer(struct baseline *b, VkDeviceSize size,
                                       VkBufferUsageFlags usage)
{
    return make_buffer(b, size, usage | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
}

static struct world make_world(struct baseline *b)
{
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, COUNT, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT,
        .bindingCount = 2,
        .pBindings = bindings};
    struct world w = {
        .b = b,
        .sizes = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT}};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &w.sizes};
    VkDeviceSize size = 0;
    void *memory = NULL;
    vkGetPhysicalDeviceProperties2(b->physical_device, &properties);
    w.set_layout = create_descriptor_set_layout(b, &info);
    w.layout = make_pipeline_layout(b, w.set_layout);
    DEVICE_PROC(b, vkGetDescriptorSetLayoutSizeEXT)(b->device, w.set_layout, &size);
    w.descriptors =
        make_descriptor_buffer(b, size, VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT);
    VK(vkMapMemory(b->device, buffer_memory(b, w.descriptors), 0, VK_WHOLE_SIZE, 0, &memory));
    memset(memory, 0, size);
    w.memory = memory;
    w.which = make_descriptor_buffer(b, 16, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    w.pointers = make_descriptor_buffer(b, 16, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    w.value = make_descriptor_buffer(b, 16, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    return w;
}

static void get_descriptor(const struct world *w, uint32_t binding, uint32_t element,
                           VkBuffer buffer)
{
    const bool storage = binding == 1;
    const VkDescriptorAddressInfoEXT at = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT,
                                           .address = buffer_address(w->b, buffer),
                                           .range = 16};
    const size_t size =
        storage ? w->sizes.storageBufferDescriptorSize : w->sizes.uniformBufferDescriptorSize;
    VkDescriptorGetInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT,
                                   .type = storage ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
                                                   : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER};
    VkDeviceSize offset = 0;
    info.data.pStorageBuffer = &at;
    DEVICE_PROC(w->b, vkGetDescriptorSetLayoutBindingOffsetEXT)(w->b->device, w->set_layout,
                                                                binding, &offset);
    DEVICE_PROC(w->b, vkGetDescriptorEXT)(w->b->device, &info, size,
                                          w->memory + offset + element * size);
}

static void run_from_buffers(struct world *w, VkShaderModule module)
{
    struct baseline *b = w->b;
    const VkDescriptorBufferBindingInfoEXT binding = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT,
        .address = buffer_address(b, w->descriptors),
        .usage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT};
    const VkDeviceSize set = 0;
    const uint32_t zero = 0;
    VkComputePipelineCreateInfo info = compute_pipeline_info(module, w->layout);
    VkCommandBuffer commands = make_recording(b);
    info.flags = VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, create_compute_pipeline(b, &info));
    DEVICE_PROC(b, vkCmdBindDescriptorBuffersEXT)(commands, 1, &binding);
    DEVICE_PROC(b, vkCmdSetDescriptorBufferOffsetsEXT)
    (commands, VK_PIPELINE_BIND_POINT_COMPUTE, w->layout, 0, 1, &zero, &set);
    vkCmdDispatch(commands, 1, 1, 1);
    run_commands(b, commands);
}

/* Stores 7 through the pointer in the buffer of descriptor `element`, the only one there is. */
static void store_through(struct baseline *b, uint32_t element)
{
    struct world w = make_world(b);
    const VkDeviceAddress address = buffer_address(b, w.value);
    uint32_t value = 0;
    gpu_fill(b, w.which, 0, &element, sizeof(element));
    gpu_fill(b, w.pointers, 0, &address, sizeof(address));
    gpu_fill(b, w.value, 0, &value, sizeof(value));
    get_descriptor(&w, 0, 0, w.which);
    get_descriptor(&w, 1, element, w.pointers);
    run_from_buffers(&w, MAKE_SHADER(b, spirv_pointers_of_buffers));
    gpu_read(b, w.value, 0, &value, sizeof(value));
    EXPECT_EQUAL(value, 7);
}
SCENARIO(pointer_in_the_first_buffer, IN_BUFFERS)
{
    store_through(b, 0);
}
SCENARIO(pointer_in_the_last_buffer, IN_BUFFERS)
{
    store_through(b, COUNT - 1);
}
