/* Dumps of what lies in memory: addresses among push constants, descriptor buffers, heaps, and
 * structures that commands read. */
#include "gpu/dump_world.h"

#include <string.h>

#include "gpu_dump.h"

#define DESCRIPTORS \
    .ours_only = true, .settings = {"gpu_dump_descriptors=true", "report_flags=error,warn,info"}

#define LINE "\n            " /* lines of a section begin so in messages */

static const VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    .bufferDeviceAddress = VK_TRUE};

static VkBuffer make_named_buffer(struct baseline *b, VkDeviceSize size, VkBufferUsageFlags usage,
                                  const char *name)
{
    VkBuffer buffer = make_buffer(b, size, usage | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    dump_name(b, VK_OBJECT_TYPE_BUFFER, HANDLE(buffer), name);
    return buffer;
}

static void *map_buffer(struct baseline *b, VkBuffer buffer)
{
    void *memory = NULL;
    VK(vkMapMemory(b->device, buffer_memory(b, buffer), 0, VK_WHOLE_SIZE, 0, &memory));
    return memory;
}

/* --- addresses among push constants --- */

#define ADDRESSES DESCRIPTORS, .features = &addresses

struct pushed {
    VkDeviceAddress from, to;
    uint32_t number[2];
    uint32_t count;
};

static VkPipelineLayout make_push_layout(struct baseline *b)
{
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 32};
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .pushConstantRangeCount = 1,
                                             .pPushConstantRanges = &range};
    return create_pipeline_layout(b, &info);
}

/* The first `size` bytes are pushed, and a dispatch is recorded. */
static VkCommandBuffer push_values(struct baseline *b, VkShaderModule module,
                                   const struct pushed *values, uint32_t size)
{
    VkPipelineLayout layout = make_push_layout(b);
    VkComputePipelineCreateInfo info = compute_pipeline_info(module, layout);
    VkCommandBuffer commands = make_recording(b);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, create_compute_pipeline(b, &info));
    if (size)
        vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, size, values);
    vkCmdDispatch(commands, 1, 1, 1);
    return commands;
}

static void push_from(struct baseline *b, VkDeviceAddress from)
{
    const struct pushed values = {
        .from = from,
        .to = buffer_address(b, make_named_buffer(b, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                                  "output"))};
    push_values(b, MAKE_SHADER(b, spirv_dump_addresses), &values, 28);
}

static VkDeviceAddress make_dump_input(struct baseline *b)
{
    return buffer_address(b,
                          make_named_buffer(b, 1024, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, "input"));
}

SCENARIO(addresses_pushed, ADDRESSES)
{
    dump_listen(b);
    push_from(b, make_dump_input(b) + 16);
    EXPECT_EQUAL(dump_count(), 1);
    dump_expect("vkCmdDispatch(): what the pushed addresses of command 2 refer to:\n");
    dump_expect("push constants:\n");
    dump_expect("    byte 0 \"from\": 0x");
    dump_expect(" \"input\", at byte 16, 1008 bytes left\n");
    dump_expect("    byte 8 \"to\": 0x");
    dump_expect(" \"output\", at byte 0, 64 bytes left\n");
    EXPECT(!strstr(dump_text(), "! "));
    EXPECT(!strstr(dump_text(), "number"));
}

SCENARIO(address_of_no_buffer, ADDRESSES)
{
    dump_listen(b);
    push_from(b, make_dump_input(b) + ((VkDeviceAddress)1 << 44));
    dump_expect("refer to, of which 1 looks wrong:\n");
    dump_expect("! no such object: no buffer that lives has this address\n");
}

SCENARIO(address_near_the_end, ADDRESSES)
{
    dump_listen(b);
    push_from(b, make_dump_input(b) + 1008);
    dump_expect(" \"input\", at byte 1008, 16 bytes left\n");
    dump_expect("! out of bounds: 64 bytes are read or written from here, and 16 are left\n");
}

SCENARIO(address_misaligned, ADDRESSES)
{
    dump_listen(b);
    push_from(b, make_dump_input(b) + 2);
    dump_expect("! misaligned: the address is not a multiple of the largest scalar there = 4\n");
}

/* With nothing made meanwhile, to which a driver may give the address again. */
static void push_only(struct baseline *b, VkDeviceAddress address)
{
    const struct pushed values = {.from = address, .to = address};
    push_values(b, MAKE_SHADER(b, spirv_dump_addresses), &values, 28);
}

SCENARIO(address_of_destroyed_buffer, ADDRESSES)
{
    VkBuffer buffer = make_named_buffer(b, 1024, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, "input");
    const VkDeviceAddress address = buffer_address(b, buffer);
    vkDestroyBuffer(b->device, buffer, NULL);
    FORGET(b, buffer);
    dump_listen(b);
    push_only(b, address);
    dump_expect("! no such object: no buffer that lives has this address\n");
}

SCENARIO(address_of_freed_memory, ADDRESSES)
{
    VkBuffer buffer = make_named_buffer(b, 1024, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, "input");
    const VkDeviceAddress address = buffer_address(b, buffer);
    dump_listen(b);
    vkFreeMemory(b->device, buffer_memory(b, buffer), NULL);
    FORGET(b, buffer_memory(b, buffer));
    push_only(b, address);
    dump_expect("! no memory: the buffer is bound to none that lives\n");
}

SCENARIO(address_never_pushed, ADDRESSES)
{
    const struct pushed values = {.from = make_dump_input(b)};
    dump_listen(b);
    push_values(b, MAKE_SHADER(b, spirv_dump_addresses), &values, 8);
    dump_expect("byte 8 \"to\":" LINE "        ! never pushed\n");
}

/* The next recording does not have what one recording pushed. */
SCENARIO(address_of_the_recording_before, ADDRESSES)
{
    const struct pushed values = {.from = make_dump_input(b), .to = make_dump_input(b)};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VkPipelineLayout layout = make_push_layout(b);
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(MAKE_SHADER(b, spirv_dump_addresses), layout);
    dump_listen(b);
    VkCommandBuffer commands = push_values(b, MAKE_SHADER(b, spirv_dump_addresses), &values, 28);
    EXPECT(!strstr(dump_text(), "! "));
    VK(vkEndCommandBuffer(commands));
    VK(vkBeginCommandBuffer(commands, &begin));
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, create_compute_pipeline(b, &info));
    vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 8, &values);
    vkCmdDispatch(commands, 1, 1, 1);
    dump_expect("byte 8 \"to\":" LINE "        ! never pushed\n");
}

/* A pair of 32-bit numbers that some buffer has as an address is one; 0 is none. */
SCENARIO(number_that_is_an_address, ADDRESSES)
{
    struct pushed values = {.from = make_dump_input(b), .to = make_dump_input(b)};
    const VkDeviceAddress number = make_dump_input(b) + 64;
    memcpy(values.number, &number, sizeof(number));
    dump_listen(b);
    push_values(b, MAKE_SHADER(b, spirv_dump_addresses), &values, 28);
    dump_expect("    byte 16 \"number\": 0x");
    dump_expect(" \"input\", at byte 64, 960 bytes left\n");
}

/* Pointers to what has such pointers, in an array. */
SCENARIO(addresses_in_an_array, ADDRESSES)
{
    const struct pushed values = {.from = make_dump_input(b), .to = make_dump_input(b) + 4};
    dump_listen(b);
    push_values(b, MAKE_SHADER(b, spirv_dump_list), &values, 20);
    dump_expect("    byte 0 \"nodes\": 0x");
    dump_expect("    byte 8 \"nodes\": 0x");
    dump_expect("refer to, of which 1 looks wrong:\n");
    dump_expect("! misaligned: the address is not a multiple of the largest scalar there = 8\n");
}

/* --- descriptor buffers --- */

static const VkPhysicalDeviceDescriptorBufferFeaturesEXT in_buffers = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT,
    .pNext = (void *)&addresses,
    .descriptorBuffer = VK_TRUE};
#define IN_BUFFERS DESCRIPTORS, .features = &in_buffers, .extensions = {"VK_EXT_descriptor_buffer"}
#define SETS       2 /* that the descriptor buffer has room for; the second one is bound */

struct buffered {
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkBuffer buffer;
    unsigned char *memory; /* mapped, of the second set */
    VkDeviceSize set;      /* its offset */
    VkPhysicalDeviceDescriptorBufferPropertiesEXT sizes;
};

static VkDeviceSize multiple_of(VkDeviceSize size, VkDeviceSize unit)
{
    return unit ? (size + unit - 1) / unit * unit : size;
}

static struct buffered make_buffered(struct baseline *b,
                                     const VkDescriptorSetLayoutBinding *bindings, uint32_t count)
{
    struct buffered w = {
        .sizes = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT}};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &w.sizes};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT,
        .bindingCount = count,
        .pBindings = bindings};
    VkDeviceSize size = 0;
    vkGetPhysicalDeviceProperties2(b->physical_device, &properties);
    w.set_layout = create_descriptor_set_layout(b, &info);
    w.layout = make_pipeline_layout(b, w.set_layout);
    DEVICE_PROC(b, vkGetDescriptorSetLayoutSizeEXT)(b->device, w.set_layout, &size);
    w.set = multiple_of(size, w.sizes.descriptorBufferOffsetAlignment);
    w.buffer = make_named_buffer(b, w.set * SETS,
                                 VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT |
                                     VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT,
                                 "descriptors");
    w.memory = map_buffer(b, w.buffer);
    memset(w.memory, 0xa5, w.set * SETS);
    w.memory += w.set;
    return w;
}

static void get_descriptor(struct baseline *b, const struct buffered *w, uint32_t binding,
                           VkDescriptorType type, const void *data, size_t size)
{
    VkDescriptorGetInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT,
                                   .type = type};
    VkDeviceSize offset = 0;
    info.data.pSampledImage = data;
    DEVICE_PROC(b, vkGetDescriptorSetLayoutBindingOffsetEXT)(b->device, w->set_layout, binding,
                                                             &offset);
    DEVICE_PROC(b, vkGetDescriptorEXT)(b->device, &info, size, w->memory + offset);
}

static void dispatch_buffered(struct baseline *b, const struct buffered *w, VkShaderModule module)
{
    const VkDescriptorBufferBindingInfoEXT binding = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT,
        .address = buffer_address(b, w->buffer),
        .usage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT |
                 VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT};
    const uint32_t zero = 0;
    VkComputePipelineCreateInfo info = compute_pipeline_info(module, w->layout);
    VkCommandBuffer commands = make_recording(b);
    info.flags = VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, create_compute_pipeline(b, &info));
    vkCmdPushConstants(commands, w->layout, VK_SHADER_STAGE_ALL, 0, 4, &zero);
    DEVICE_PROC(b, vkCmdBindDescriptorBuffersEXT)(commands, 1, &binding);
    DEVICE_PROC(b, vkCmdSetDescriptorBufferOffsetsEXT)
    (commands, VK_PIPELINE_BIND_POINT_COMPUTE, w->layout, 0, 1, &zero, &w->set);
    dump_listen(b);
    vkCmdDispatch(commands, 1, 1, 1);
}

static struct buffered make_values(struct baseline *b)
{
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                  VK_SHADER_STAGE_ALL, NULL};
    return make_buffered(b, &binding, 1);
}

/* A descriptor of a buffer of 1,024 bytes, from byte `at` on. */
static VkBuffer get_buffer(struct baseline *b, const struct buffered *w, VkDescriptorType type,
                           VkDeviceSize at)
{
    VkBuffer values =
        make_named_buffer(b, 1024,
                          VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT,
                          "values");
    const VkDescriptorAddressInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT,
                                             .address = buffer_address(b, values) + at,
                                             .range = 256};
    get_descriptor(b, w, 0, type, &info,
                   type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
                       ? w->sizes.storageBufferDescriptorSize
                       : w->sizes.uniformBufferDescriptorSize);
    return values;
}

SCENARIO(descriptor_in_memory, IN_BUFFERS)
{
    struct buffered w = make_values(b);
    get_buffer(b, &w, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 512);
    dispatch_buffered(b, &w, make_shader_module(b));
    dump_expect("vkCmdDispatch(): what the descriptors of command 4 refer to:\n");
    dump_expect("set 0: descriptor buffer 0, offset ");
    dump_expect(" \"descriptors\", at byte ");
    dump_expect(", VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, at 0x");
    dump_expect(" \"values\", at byte 512, 512 bytes left, 256 bytes bound\n");
    EXPECT(!strstr(dump_text(), "! "));
}

SCENARIO(descriptor_in_memory_of_a_destroyed_buffer, IN_BUFFERS)
{
    struct buffered w = make_values(b);
    VkBuffer values = get_buffer(b, &w, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0);
    vkDestroyBuffer(b->device, values, NULL);
    FORGET(b, values);
    dispatch_buffered(b, &w, make_shader_module(b));
    dump_expect(", 256 bytes bound" LINE
                "        ! no such object: no buffer that lives has this address\n");
}

SCENARIO(descriptor_in_memory_of_another_type, IN_BUFFERS)
{
    struct buffered w = make_values(b);
    get_buffer(b, &w, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 0);
    dispatch_buffered(b, &w, make_shader_module(b));
    dump_expect("! wrong type: it was got as a VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER\n");
}

SCENARIO(descriptor_in_memory_that_nobody_got, IN_BUFFERS)
{
    struct buffered w = make_values(b);
    dispatch_buffered(b, &w, make_shader_module(b));
    dump_expect(": bytes that no known descriptor has\n");
}

SCENARIO(descriptor_in_memory_that_is_not_mapped, IN_BUFFERS)
{
    struct buffered w = make_values(b);
    get_buffer(b, &w, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0);
    vkUnmapMemory(b->device, buffer_memory(b, w.buffer));
    dispatch_buffered(b, &w, make_shader_module(b));
    dump_expect(": not read, as its memory is not mapped\n");
}

SCENARIO(image_in_memory, IN_BUFFERS)
{
    const VkDescriptorSetLayoutBinding bindings[2] = {
        {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_ALL, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL}};
    struct buffered w = make_buffered(b, bindings, 2);
    VkImageViewCreateInfo view_of = image_view_info(make_image(b, VK_IMAGE_USAGE_SAMPLED_BIT));
    VkImageView view = create_image_view(b, &view_of);
    const VkDescriptorImageInfo info = {make_sampler(b), view,
                                        VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    get_descriptor(b, &w, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, &info,
                   w.sizes.combinedImageSamplerDescriptorSize);
    dispatch_buffered(b, &w, MAKE_SHADER(b, spirv_dump_image));
    dump_expect(" VkImageView 0x");
    dump_expect(" in VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_");
    dump_expect(", mip levels 0 to 0, layers 0 to 0 of VkImage 0x");
    dump_expect(" VkSampler 0x");
    vkDestroyImageView(b->device, view, NULL);
    FORGET(b, view);
    dispatch_buffered(b, &w, MAKE_SHADER(b, spirv_dump_image));
    dump_expect("! no such object: the view was destroyed\n");
}

/* --- shader objects --- */

static const VkPhysicalDeviceShaderObjectFeaturesEXT shader_objects = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
    .pNext = (void *)&addresses,
    .shaderObject = VK_TRUE};

SCENARIO(shader_object, DESCRIPTORS, .features = &shader_objects,
         .extensions = {"VK_EXT_shader_object"})
{
    VkDescriptorSetLayout set_layout = make_descriptor_set_layout(b);
    VkPipelineLayout layout = make_pipeline_layout(b, set_layout);
    VkDescriptorSet set = make_descriptor_set(b, make_descriptor_pool(b), set_layout);
    const VkPushConstantRange range = {VK_SHADER_STAGE_ALL, 0, 16};
    const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                        .codeSize = shader_fill_size,
                                        .pCode = shader_fill_code,
                                        .pName = "main",
                                        .setLayoutCount = 1,
                                        .pSetLayouts = &set_layout,
                                        .pushConstantRangeCount = 1,
                                        .pPushConstantRanges = &range};
    const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
    const VkDescriptorBufferInfo buffer = {
        make_named_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, "values"), 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = set,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        .pBufferInfo = &buffer};
    const uint32_t zero = 0;
    VkShaderEXT shader = VK_NULL_HANDLE;
    VkCommandBuffer commands = make_recording(b);
    VK(DEVICE_PROC(b, vkCreateShadersEXT)(b->device, 1, &info, NULL, &shader));
    cleanup_add(b, destroy_shader, HANDLE(shader));
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
    DEVICE_PROC(b, vkCmdBindShadersEXT)(commands, 1, &stage, &shader);
    vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_ALL, 0, 4, &zero);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
    dump_listen(b);
    vkCmdDispatch(commands, 1, 1, 1);
    dump_expect("vkCmdDispatch(): what the descriptors of command 3 refer to:\n");
    dump_expect(" \"values\", from byte 0 to its end\n");
    dump_expect("VkShaderEXT 0x");
}

/* --- heaps --- */

static const VkPhysicalDeviceMaintenance5Features maintenance5 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES,
    .pNext = (void *)&addresses,
    .maintenance5 = VK_TRUE};
static const VkPhysicalDeviceDescriptorHeapFeaturesEXT in_heaps = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT,
    .pNext = (void *)&maintenance5,
    .descriptorHeap = VK_TRUE};
#define IN_HEAPS                                                \
    DESCRIPTORS, .drivers = NULL_DRIVER, .features = &in_heaps, \
        .extensions = {"VK_EXT_descriptor_heap", "VK_KHR_maintenance5"}

/* A dispatch with a heap of `size` bytes, bound from byte `at` of its buffer on. The driver has all
 * of it that it reserves, or `less`. */
static void dispatch_heap(struct baseline *b, VkBuffer heap, VkDeviceSize at, VkDeviceSize size,
                          VkDeviceSize less)
{
    VkPhysicalDeviceDescriptorHeapPropertiesEXT limits = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &limits};
    vkGetPhysicalDeviceProperties2(b->physical_device, &properties);
    const VkBindHeapInfoEXT bind = {.sType = VK_STRUCTURE_TYPE_BIND_HEAP_INFO_EXT,
                                    .heapRange = {buffer_address(b, heap) + at, size},
                                    .reservedRangeOffset = 4096,
                                    .reservedRangeSize =
                                        limits.minResourceHeapReservedRange - less};
    const struct pushed values = {.from = make_dump_input(b), .to = make_dump_input(b)};
    const VkPushDataInfoEXT data = {.sType = VK_STRUCTURE_TYPE_PUSH_DATA_INFO_EXT,
                                    .data = {&values, 28}};
    const VkPipelineCreateFlags2CreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT};
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(MAKE_SHADER(b, spirv_dump_addresses), VK_NULL_HANDLE);
    VkCommandBuffer commands = make_recording(b);
    info.pNext = &flags;
    dump_listen(b);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, create_compute_pipeline(b, &info));
    DEVICE_PROC(b, vkCmdBindResourceHeapEXT)(commands, &bind);
    DEVICE_PROC(b, vkCmdPushDataEXT)(commands, &data);
    vkCmdDispatch(commands, 1, 1, 1);
}

static void dispatch_with_heap(struct baseline *b, VkDeviceSize at, VkDeviceSize less)
{
    const VkDeviceSize size = 65536;
    dispatch_heap(b, make_named_buffer(b, size, VK_BUFFER_USAGE_DESCRIPTOR_HEAP_BIT_EXT, "heap"),
                  at, size, less);
}

SCENARIO(heap, IN_HEAPS)
{
    dispatch_with_heap(b, 0, 0);
    dump_expect("vkCmdDispatch(): what the heaps and pushed addresses of command 3 refer to:\n");
    dump_expect("sampler heap: none is bound\n");
    dump_expect("resource heap, ");
    dump_expect(" from byte 4096 are reserved: 0x");
    dump_expect(" \"heap\", at byte 0, ");
    dump_expect("    what lies there is not read, as its memory is not mapped\n");
    dump_expect("    byte 8 \"to\": 0x");
}

/* Two descriptors, of which the buffer of one and the image of the other are given. */
static void write_heap(struct baseline *b, VkBuffer heap, VkBuffer values, VkImage image)
{
    VkPhysicalDeviceDescriptorHeapPropertiesEXT limits = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &limits};
    vkGetPhysicalDeviceProperties2(b->physical_device, &properties);
    unsigned char *memory = map_buffer(b, heap);
    const VkDeviceAddressRangeEXT range = {buffer_address(b, values), 256};
    const VkImageViewCreateInfo view = image_view_info(image);
    const VkImageDescriptorInfoEXT image_info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_DESCRIPTOR_INFO_EXT,
        .pView = &view,
        .layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    const VkResourceDescriptorInfoEXT infos[2] = {
        {.sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
         .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
         .data.pAddressRange = &range},
        {.sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
         .type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
         .data.pImage = &image_info}};
    const VkHostAddressRangeEXT places[2] = {{memory + 256, limits.bufferDescriptorSize},
                                             {memory + 1024, limits.imageDescriptorSize}};
    memset(memory, 0, 4096);
    VK(DEVICE_PROC(b, vkWriteResourceDescriptorsEXT)(b->device, 2, infos, places));
}

SCENARIO(heap_with_descriptors, IN_HEAPS)
{
    const VkDeviceSize size = 65536;
    VkBuffer heap = make_named_buffer(b, size, VK_BUFFER_USAGE_DESCRIPTOR_HEAP_BIT_EXT, "heap");
    VkBuffer values = make_named_buffer(b, 1024, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, "values");
    VkImage image = make_image(b, VK_IMAGE_USAGE_SAMPLED_BIT);
    dump_name(b, VK_OBJECT_TYPE_IMAGE, HANDLE(image), "sky");
    write_heap(b, heap, values, image);
    dispatch_heap(b, heap, 0, size, 0);
    dump_expect("byte 256, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER: 0x");
    dump_expect(" \"values\", at byte 0, 1024 bytes left, 256 bytes bound" LINE
                "    byte 1024, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE: VkImage 0x");
    dump_expect(" \"sky\" in VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL");
    EXPECT(!strstr(dump_text(), "! "));
    vkDestroyBuffer(b->device, values, NULL);
    FORGET(b, values);
    dispatch_heap(b, heap, 0, size, 0);
    dump_expect("! no such object: no buffer that lives has this address\n");
}

SCENARIO(heap_beyond_its_buffer, IN_HEAPS, .proceed = true,
         .expect = {"VUID-vkCmdBindResourceHeapEXT-pBindInfo-11233",
                    "VUID-vkCmdBindResourceHeapEXT-pBindInfo-11235",
                    "VUID-VkDeviceAddressRangeKHR-address-11365"})
{
    dispatch_with_heap(b, 4, 1);
    dump_expect("! out of bounds: ");
    dump_expect("! misaligned: the address is not a multiple of resourceHeapAlignment = ");
    dump_expect("! too short: the driver reserves ");
}

/* --- indirect copies --- */

static const VkPhysicalDeviceCopyMemoryIndirectFeaturesKHR copies_enabled = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COPY_MEMORY_INDIRECT_FEATURES_KHR,
    .pNext = (void *)&addresses,
    .indirectMemoryCopy = VK_TRUE};
#define COPIES                                                                          \
    .ours_only = true,                                                                  \
    .settings = {"gpu_dump_copy_memory_indirect=true", "report_flags=error,warn,info"}, \
    .features = &copies_enabled, .extensions = {"VK_KHR_copy_memory_indirect"}

static VkBuffer copy_by_list(struct baseline *b, const VkCopyMemoryIndirectCommandKHR *copies,
                             uint32_t count)
{
    VkBuffer buffer = make_named_buffer(b, count * sizeof(*copies),
                                        VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, "copies");
    memcpy(map_buffer(b, buffer), copies, count * sizeof(*copies));
    const VkCopyMemoryIndirectInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_COPY_MEMORY_INDIRECT_INFO_KHR,
        .copyCount = count,
        .copyAddressRange = {buffer_address(b, buffer), count * sizeof(*copies), sizeof(*copies)}};
    dump_listen(b);
    DEVICE_PROC(b, vkCmdCopyMemoryIndirectKHR)(make_recording(b), &info);
    return buffer;
}

SCENARIO(copies, COPIES)
{
    const VkDeviceAddress from =
                              buffer_address(b, make_named_buffer(b, 256,
                                                                  VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                                                                  "source")),
                          to = buffer_address(b, make_named_buffer(b, 256,
                                                                   VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                                                   "target"));
    const VkCopyMemoryIndirectCommandKHR copies[] = {
        {from, to, 64}, {from + 128, to, 256}, {to, from + 2, 6}};
    copy_by_list(b, copies, 3);
    EXPECT_EQUAL(dump_count(), 1);
    dump_expect("vkCmdCopyMemoryIndirectKHR(): what the structures of command 0 refer to, of which "
                "5 look wrong:\n");
    dump_expect("copyAddressRange: 0x");
    dump_expect(" \"copies\", at byte 0, 72 bytes left\n");
    dump_expect("3 structures, one each 24 bytes\n");
    dump_expect("copy 0, VkCopyMemoryIndirectCommandKHR: size = 64" LINE "    srcAddress: 0x");
    dump_expect(" \"source\", at byte 128, 128 bytes left" LINE
                "        ! out of bounds: 256 bytes are read or written from here, and "
                "128 are left" LINE "    dstAddress: 0x");
    dump_expect("! wrong usage: the buffer was not created with "
                "VK_BUFFER_USAGE_2_TRANSFER_SRC_BIT");
    dump_expect("! wrong usage: the buffer was not created with "
                "VK_BUFFER_USAGE_2_TRANSFER_DST_BIT");
    dump_expect("! misaligned: the address is not a multiple of 4\n");
    dump_expect("! misaligned: size is not a multiple of 4\n");
}

SCENARIO(copies_not_mapped, COPIES)
{
    VkBuffer buffer = make_named_buffer(b, 48, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, "copies");
    const VkCopyMemoryIndirectInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_COPY_MEMORY_INDIRECT_INFO_KHR,
        .copyCount = 2,
        .copyAddressRange = {buffer_address(b, buffer), 48, 24}};
    dump_listen(b);
    DEVICE_PROC(b, vkCmdCopyMemoryIndirectKHR)(make_recording(b), &info);
    dump_expect("what lies there is not read, as its memory is not mapped\n");
    EXPECT(!strstr(dump_text(), "! "));
}

SCENARIO(copies_not_asked_for, DESCRIPTORS, .features = &copies_enabled,
         .extensions = {"VK_KHR_copy_memory_indirect"})
{
    const VkDeviceAddress place =
        buffer_address(b, make_named_buffer(b, 256,
                                            VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                                VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                            "place"));
    const VkCopyMemoryIndirectCommandKHR copies[] = {{place, place + 128, 64}};
    copy_by_list(b, copies, 1);
    EXPECT_EQUAL(dump_count(), 0);
}

/* --- generated commands --- */

static const VkPhysicalDeviceDeviceGeneratedCommandsFeaturesEXT generated = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_EXT,
    .pNext = (void *)&maintenance5,
    .deviceGeneratedCommands = VK_TRUE};
#define GENERATED                                                                            \
    .ours_only = true,                                                                       \
    .settings = {"gpu_dump_device_generated_commands=true", "report_flags=error,warn,info"}, \
    .drivers = NULL_DRIVER, .features = &generated,                                          \
    .extensions = {"VK_EXT_device_generated_commands", "VK_KHR_maintenance5"}

struct sequence {
    uint32_t pushed;
    VkDispatchIndirectCommand groups;
};

static VkIndirectCommandsLayoutEXT make_sequence_layout(struct baseline *b, VkPipelineLayout layout)
{
    const VkIndirectCommandsPushConstantTokenEXT pushed = {
        .updateRange = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4}};
    const VkIndirectCommandsLayoutTokenEXT tokens[] = {
        {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
         .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_EXT,
         .data.pPushConstant = &pushed},
        {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
         .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_EXT,
         .offset = offsetof(struct sequence, groups)}};
    const VkIndirectCommandsLayoutCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_EXT,
        .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT,
        .indirectStride = sizeof(struct sequence),
        .pipelineLayout = layout,
        .tokenCount = 2,
        .pTokens = tokens};
    VkIndirectCommandsLayoutEXT made = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateIndirectCommandsLayoutEXT)(b->device, &info, NULL, &made));
    cleanup_add(b, destroy_commands_layout, HANDLE(made));
    return made;
}

/* Two sequences, of `more` after them. */
static void generate_sequences(struct baseline *b, uint32_t more, uint32_t counted)
{
    const struct sequence sequences[] = {{7, {1, 2, 3}}, {8, {4, 1, 1}}};
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 32};
    const VkPipelineLayoutCreateInfo layout_of = {.sType =
                                                      VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                                  .pushConstantRangeCount = 1,
                                                  .pPushConstantRanges = &range};
    VkPipelineLayout layout = create_pipeline_layout(b, &layout_of);
    const VkPipelineCreateFlags2CreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT};
    VkComputePipelineCreateInfo pipeline_of =
        compute_pipeline_info(MAKE_SHADER(b, spirv_dump_addresses), layout);
    pipeline_of.pNext = &flags;
    const VkGeneratedCommandsPipelineInfoEXT chained = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT,
        .pipeline = create_compute_pipeline(b, &pipeline_of)};
    VkBuffer buffer = make_named_buffer(b, sizeof(sequences), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT,
                                        "sequences"),
             counter = make_named_buffer(b, 4, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, "counter");
    const VkBufferUsageFlags2CreateInfo usage = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO,
        .usage = VK_BUFFER_USAGE_2_PREPROCESS_BUFFER_BIT_EXT |
                 VK_BUFFER_USAGE_2_SHADER_DEVICE_ADDRESS_BIT};
    const VkMemoryAllocateFlagsInfo addressed = {.sType =
                                                     VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                                 .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkMemoryAllocateInfo memory_of = memory_info(65536, 0);
    memory_of.pNext = &addressed;
    VkDeviceMemory memory = create_memory(b, &memory_of);
    VkBufferCreateInfo scratch_of = buffer_info(65536, 0);
    scratch_of.pNext = &usage;
    VkBuffer scratch = create_buffer(b, &scratch_of);
    VK(vkBindBufferMemory(b->device, scratch, memory, 0));
    memcpy(map_buffer(b, buffer), sequences, sizeof(sequences));
    memcpy(map_buffer(b, counter), &counted, sizeof(counted));
    const VkGeneratedCommandsInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
        .pNext = &chained,
        .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT,
        .indirectCommandsLayout = make_sequence_layout(b, layout),
        .indirectAddress = buffer_address(b, buffer),
        .indirectAddressSize = sizeof(sequences),
        .preprocessAddress = buffer_address(b, scratch),
        .preprocessSize = 65536,
        .maxSequenceCount = 2 + more,
        .sequenceCountAddress = counted ? buffer_address(b, counter) : 0};
    VkCommandBuffer commands = make_recording(b);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, chained.pipeline);
    dump_listen(b);
    DEVICE_PROC(b, vkCmdExecuteGeneratedCommandsEXT)(commands, VK_FALSE, &info);
}

SCENARIO(sequences, GENERATED)
{
    generate_sequences(b, 0, 0);
    dump_expect("vkCmdExecuteGeneratedCommandsEXT(): what the sequences of command 1 refer to:\n");
    dump_expect("indirectAddress: 0x");
    dump_expect(" \"sequences\", at byte 0, 32 bytes left\n");
    dump_expect("preprocessAddress: 0x");
    dump_expect("2 sequences, one each 16 bytes\n");
    dump_expect("sequence 0, byte 0, VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_EXT: from byte "
                "0 on 0x00000007\n");
    dump_expect("sequence 1, byte 4, VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_EXT, "
                "VkDispatchIndirectCommand: x = 4, y = 1, z = 1\n");
    EXPECT(!strstr(dump_text(), "! "));
}

SCENARIO(sequences_counted, GENERATED)
{
    generate_sequences(b, 10, 1);
    dump_expect("sequenceCountAddress: 0x");
    dump_expect(LINE "1 sequence, one each 16 bytes\n");
    EXPECT(!strstr(dump_text(), "sequence 1"));
    EXPECT(!strstr(dump_text(), "! "));
}

SCENARIO(more_sequences_than_there_are, GENERATED)
{
    generate_sequences(b, 1, 0);
    dump_expect("! out of bounds: the sequences take 48 bytes, and indirectAddressSize is 32\n");
}
