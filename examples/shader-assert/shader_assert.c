/* Assertions in a shader: particles.comp gives up with a message (abortEXT of GL_EXT_abort) when a
 * particle is not as it must be. This program runs it once with good particles, and once with a bad
 * one among them; then the device is lost, and it prints what the shader had to say, and goes on
 * with a new device.
 *
 * Nothing of Assay's is included or linked: these are VK_KHR_shader_abort,
 * VK_KHR_shader_constant_data and VK_KHR_device_fault as any driver may have them. Where the driver
 * has not, the layer has: run it with Assay on (./dev demo does). */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vulkan.h>

#include "particles.comp.h"

#define PARTICLES 1000

struct particle {
    float place[3], mass, speed[3];
    uint32_t kind;
};

struct app {
    VkInstance instance;
    VkPhysicalDevice physical_device;
    VkDevice device;
    uint32_t queue_family;
    VkQueue queue;
    VkBuffer buffer;
    VkDeviceMemory memory;
    struct particle *particles; /* mapped */
    VkDescriptorSetLayout set_layout;
    VkDescriptorPool descriptor_pool;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkCommandPool command_pool;
    VkCommandBuffer commands;
    PFN_vkGetDeviceFaultDebugInfoKHR get_debug_info;
};

static void example_must(VkResult result, const char *what)
{
    if (result == VK_SUCCESS)
        return;
    fprintf(stderr, "shader_assert: %s: error %d\n", what, (int)result);
    exit(1);
}

/* --- what the shader said --- */

/* A message of abortEXT is its format, zero-terminated, and then the arguments, each at a multiple
 * of the size of its components: here all have components of 4 bytes (%u, %f, %v3f ...). The type
 * is the shader's, and so the program's to know: of messages that another shader has made otherwise
 * this would print nonsense. */
static void print_message(const unsigned char *message, uint64_t size)
{
    const char *format = (const char *)message;
    const char *end = memchr(format, 0, size);
    uint64_t at = end ? (uint64_t)(end - format) + 1 : size + 1;
    for (const char *c = format; at <= size && *c; c++) {
        if (c[0] != '%' || c[1] == '%') {
            putchar(*c);
            c += c[0] == '%';
            continue;
        }
        const int components = c[1] == 'v' ? c[2] - '0' : 1;
        c += components > 1 ? 3 : 1; /* on the conversion */
        for (int i = 0; i < components; i++) {
            uint32_t bits = 0;
            float real;
            at = (at + 3) & ~UINT64_C(3);
            if (at + sizeof(bits) <= size)
                memcpy(&bits, message + at, sizeof(bits));
            memcpy(&real, &bits, sizeof(real));
            at += sizeof(bits);
            printf(*c == 'f' ? "%s%g" : "%s%.0f", i ? ", " : "",
                   *c == 'f' ? (double)real : (double)bits);
        }
    }
    putchar('\n');
}

/* pMessageData is a row of pairs: 8 bytes that say how many bytes follow, and these. The next pair
 * begins at the next multiple of 8 bytes from the beginning; behind the last message there may be
 * less than that. */
static void print_messages(const unsigned char *data, uint64_t size)
{
    uint64_t at = 0, length;
    while (at < size && size - at >= sizeof(length)) {
        memcpy(&length, data + at, sizeof(length));
        at += sizeof(length);
        if (length > size - at)
            break;
        printf("  the shader says: ");
        print_message(data + at, length);
        at = (at + length + 7) & ~UINT64_C(7);
    }
}

static void tell_of_abort(const struct app *app)
{
    VkDeviceFaultShaderAbortMessageInfoKHR messages = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_SHADER_ABORT_MESSAGE_INFO_KHR};
    VkDeviceFaultDebugInfoKHR info = {.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_DEBUG_INFO_KHR,
                                      .pNext = &messages};
    /* how many bytes? */
    example_must(app->get_debug_info(app->device, &info), "vkGetDeviceFaultDebugInfoKHR");
    if (!messages.messageDataSize)
        return;
    messages.pMessageData = malloc(messages.messageDataSize);
    if (!messages.pMessageData)
        return;
    example_must(app->get_debug_info(app->device, &info), "vkGetDeviceFaultDebugInfoKHR");
    print_messages(messages.pMessageData, messages.messageDataSize);
    free(messages.pMessageData);
}

/* --- a device --- */

static void instance_create(struct app *app)
{
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .pApplicationName = "shader_assert",
                                           .apiVersion = VK_API_VERSION_1_2};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application};
    uint32_t count = 1;
    example_must(vkCreateInstance(&info, NULL, &app->instance), "vkCreateInstance");
    VkResult result = vkEnumeratePhysicalDevices(app->instance, &count, &app->physical_device);
    example_must(result == VK_INCOMPLETE ? VK_SUCCESS : result, "vkEnumeratePhysicalDevices");
    if (!count)
        example_must(VK_ERROR_INITIALIZATION_FAILED, "finding a device");
}

static bool has_shader_abort(const struct app *app)
{
    VkPhysicalDeviceShaderAbortFeaturesKHR have = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ABORT_FEATURES_KHR};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &have};
    vkGetPhysicalDeviceFeatures2(app->physical_device, &features);
    return have.shaderAbort;
}

static void device_create(struct app *app)
{
    static const char *const extensions[] = {VK_KHR_SHADER_ABORT_EXTENSION_NAME,
                                             VK_KHR_SHADER_CONSTANT_DATA_EXTENSION_NAME,
                                             VK_KHR_DEVICE_FAULT_EXTENSION_NAME};
    VkPhysicalDeviceFaultFeaturesKHR fault = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR, .deviceFault = VK_TRUE};
    VkPhysicalDeviceShaderConstantDataFeaturesKHR data = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CONSTANT_DATA_FEATURES_KHR,
        .pNext = &fault,
        .shaderConstantData = VK_TRUE};
    VkPhysicalDeviceVulkan12Features version = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .pNext = &data,
        .shaderInt8 = VK_TRUE}; /* the bytes of formats */
    const VkPhysicalDeviceShaderAbortFeaturesKHR abort_features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ABORT_FEATURES_KHR,
        .pNext = &version,
        .shaderAbort = VK_TRUE};
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = app->queue_family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &abort_features,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount =
                                         sizeof(extensions) / sizeof(extensions[0]),
                                     .ppEnabledExtensionNames = extensions};
    example_must(vkCreateDevice(app->physical_device, &info, NULL, &app->device), "vkCreateDevice");
    vkGetDeviceQueue(app->device, app->queue_family, 0, &app->queue);
    app->get_debug_info =
        (PFN_vkGetDeviceFaultDebugInfoKHR)vkGetDeviceProcAddr(app->device,
                                                              "vkGetDeviceFaultDebugInfoKHR");
}

static void find_queue_family(struct app *app)
{
    VkQueueFamilyProperties families[16];
    uint32_t count = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(app->physical_device, &count, families);
    while (app->queue_family + 1 < count &&
           !(families[app->queue_family].queueFlags & VK_QUEUE_COMPUTE_BIT))
        app->queue_family++;
}

/* --- what the shader needs --- */

static uint32_t example_memory_type(const struct app *app, uint32_t type_bits)
{
    const VkMemoryPropertyFlags wanted =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(app->physical_device, &memory);
    uint32_t i = 0;
    while (!(type_bits >> i & 1u) || (memory.memoryTypes[i].propertyFlags & wanted) != wanted)
        i++; /* there is always one for a buffer */
    return i;
}

static void particles_create(struct app *app)
{
    const VkBufferCreateInfo buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                       .size = PARTICLES * sizeof(struct particle),
                                       .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    VkMemoryRequirements need;
    void *mapped;
    example_must(vkCreateBuffer(app->device, &buffer, NULL, &app->buffer), "vkCreateBuffer");
    vkGetBufferMemoryRequirements(app->device, app->buffer, &need);
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .allocationSize = need.size,
                                       .memoryTypeIndex =
                                           example_memory_type(app, need.memoryTypeBits)};
    example_must(vkAllocateMemory(app->device, &info, NULL, &app->memory), "vkAllocateMemory");
    example_must(vkBindBufferMemory(app->device, app->buffer, app->memory, 0),
                 "vkBindBufferMemory");
    example_must(vkMapMemory(app->device, app->memory, 0, VK_WHOLE_SIZE, 0, &mapped),
                 "vkMapMemory");
    app->particles = mapped;
    for (uint32_t i = 0; i < PARTICLES; i++)
        app->particles[i] =
            (struct particle){.mass = 1.0f, .speed = {1.0f, 0.0f, 0.0f}, .kind = i % 3};
}

static void descriptors_create(struct app *app)
{
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                  VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    const VkDescriptorSetLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    example_must(vkCreateDescriptorSetLayout(app->device, &layout, NULL, &app->set_layout),
                 "vkCreateDescriptorSetLayout");
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = 1,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    example_must(vkCreateDescriptorPool(app->device, &pool, NULL, &app->descriptor_pool),
                 "vkCreateDescriptorPool");
    const VkDescriptorSetAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = app->descriptor_pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &app->set_layout};
    example_must(vkAllocateDescriptorSets(app->device, &allocate, &app->set),
                 "vkAllocateDescriptorSets");
    const VkDescriptorBufferInfo buffer = {app->buffer, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = app->set,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        .pBufferInfo = &buffer};
    vkUpdateDescriptorSets(app->device, 1, &write, 0, NULL);
}

static void pipeline_create(struct app *app)
{
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 8};
    const VkPipelineLayoutCreateInfo layout = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &app->set_layout,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &range};
    example_must(vkCreatePipelineLayout(app->device, &layout, NULL, &app->layout),
                 "vkCreatePipelineLayout");
    const VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = sizeof(particles_comp),
                                           .pCode = particles_comp};
    VkShaderModule module;
    example_must(vkCreateShaderModule(app->device, &code, NULL, &module), "vkCreateShaderModule");
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"},
        .layout = app->layout};
    example_must(vkCreateComputePipelines(app->device, VK_NULL_HANDLE, 1, &info, NULL,
                                          &app->pipeline),
                 "vkCreateComputePipelines");
    vkDestroyShaderModule(app->device, module, NULL);
}

static void commands_record(struct app *app)
{
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .queueFamilyIndex = app->queue_family};
    example_must(vkCreateCommandPool(app->device, &pool, NULL, &app->command_pool),
                 "vkCreateCommandPool");
    const VkCommandBufferAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = app->command_pool,
        .commandBufferCount = 1};
    example_must(vkAllocateCommandBuffers(app->device, &allocate, &app->commands),
                 "vkAllocateCommandBuffers");
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const struct {
        uint32_t count;
        float time;
    } step = {PARTICLES, 1.0f / 60.0f};
    example_must(vkBeginCommandBuffer(app->commands, &begin), "vkBeginCommandBuffer");
    vkCmdBindPipeline(app->commands, VK_PIPELINE_BIND_POINT_COMPUTE, app->pipeline);
    vkCmdBindDescriptorSets(app->commands, VK_PIPELINE_BIND_POINT_COMPUTE, app->layout, 0, 1,
                            &app->set, 0, NULL);
    vkCmdPushConstants(app->commands, app->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(step),
                       &step);
    vkCmdDispatch(app->commands, (PARTICLES + 63) / 64, 1, 1);
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(app->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    example_must(vkEndCommandBuffer(app->commands), "vkEndCommandBuffer");
}

static void device_destroy(const struct app *app)
{
    vkDestroyCommandPool(app->device, app->command_pool, NULL);
    vkDestroyPipeline(app->device, app->pipeline, NULL);
    vkDestroyPipelineLayout(app->device, app->layout, NULL);
    vkDestroyDescriptorPool(app->device, app->descriptor_pool, NULL);
    vkDestroyDescriptorSetLayout(app->device, app->set_layout, NULL);
    vkDestroyBuffer(app->device, app->buffer, NULL);
    vkFreeMemory(app->device, app->memory, NULL);
    vkDestroyDevice(app->device, NULL);
}

/* --- one step of the particles --- */

/* Was the device lost? */
static bool step_particles(const struct app *app, const char *what)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &app->commands};
    VkResult result = vkQueueSubmit(app->queue, 1, &info, VK_NULL_HANDLE);
    if (result == VK_SUCCESS)
        result = vkQueueWaitIdle(app->queue);
    if (result == VK_ERROR_DEVICE_LOST) {
        printf("%s: the device is lost\n", what);
        tell_of_abort(app);
        return true;
    }
    example_must(result, "a step");
    printf("%s: all particles are as they must be\n", what);
    return false;
}

static void prepare_particles(struct app *app)
{
    device_create(app);
    particles_create(app);
    descriptors_create(app);
    pipeline_create(app);
    commands_record(app);
}

int main(void)
{
    struct app app = {0};
    instance_create(&app);
    find_queue_family(&app);
    if (!has_shader_abort(&app)) {
        fprintf(stderr, "shader_assert: neither the driver nor a layer has VK_KHR_shader_abort\n");
        vkDestroyInstance(app.instance, NULL);
        return 77;
    }
    prepare_particles(&app);
    bool right = !step_particles(&app, "good particles");
    app.particles[321].mass = -2.5f;
    right = step_particles(&app, "a bad particle") && right;
    device_destroy(&app);
    prepare_particles(&app); /* the next device is a good one */
    right = !step_particles(&app, "good particles again") && right;
    device_destroy(&app);
    vkDestroyInstance(app.instance, NULL);
    return right ? 0 : 1;
}
