/* Checks that an invocation that aborts has done what it would have done until then, and nothing
 * more. Runs the pairs of shaders of abort_flow.py, each with several inputs, with the layer
 * between. What the plain one notes is what the other one must have done. abort_flow DIRECTORY
 * SEED:SIZE... */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vulkan.h>

#define GROUPS         2
#define MOST           (GROUPS * 16)
#define INPUTS         4
#define ITEMS          32
#define SECONDS_AT_END 100

struct invocation {
    uint32_t a, b, mask, key;          /* in */
    uint32_t count, hash, ended, adds; /* what it has done */
    uint32_t up, up_hash, up_adds,
        /* the plain one: 1 more than count where it would have aborted, and what was done until
           then */
        up_site;
    /* `foreign`: of others, which may be anything once one has aborted */
    uint32_t up_x, foreign, turns, pad;
    uint32_t items[ITEMS];
};

struct data {
    uint32_t total, pad[15];
    struct invocation v[MOST];
};

struct world {
    VkInstance instance;
    VkPhysicalDevice physical;
    uint32_t family, bad_findings;
    char finding[2048];
    /* Until the device is lost: */
    VkDevice device;
    VkQueue queue;
    VkBuffer buffer;
    VkDeviceMemory memory;
    struct data *data; /* mapped */
    VkDescriptorSetLayout set_layout;
    VkDescriptorPool descriptor_pool;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence fence;
    PFN_vkGetDeviceFaultDebugInfoKHR get_debug_info;
};

/* One of a pair. */
struct shader {
    char name[64];
    uint32_t *words;
    size_t size;
    uint32_t groups_size; /* invocations of a workgroup */
    VkPipeline pipeline;
};

static uint32_t runs, aborts, pairs;

static void flow_must(VkResult result, const char *what)
{
    if (result == VK_SUCCESS)
        return;
    (void)fprintf(stderr, "abort-flow: %s: error %d\n", what, (int)result);
    exit(2);
}

/* --- instance and devices --- */

static VKAPI_ATTR VkBool32 VKAPI_CALL
hear_abort_flow(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                VkDebugUtilsMessageTypeFlagsEXT types,
                const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
    struct world *w = user;
    (void)severity;
    (void)types;
    if (data->pMessageIdName && !strcmp(data->pMessageIdName, "UNASSIGNED-Shader-Abort"))
        return VK_FALSE;
    if (!w->bad_findings++)
        (void)snprintf(w->finding, sizeof(w->finding), "%s", data->pMessage);
    return VK_FALSE;
}

static void abort_instance_create(struct world *w)
{
    static const char *const layers[] = {"VK_LAYER_ASSAY_validation"};
    static const char *const extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
    const VkDebugUtilsMessengerCreateInfoEXT messenger = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
        .pfnUserCallback = hear_abort_flow,
        .pUserData = w};
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_3};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pNext = &messenger,
                                       .pApplicationInfo = &application,
                                       .enabledLayerCount = 1,
                                       .ppEnabledLayerNames = layers,
                                       .enabledExtensionCount = 1,
                                       .ppEnabledExtensionNames = extensions};
    VkDebugUtilsMessengerEXT heard;
    uint32_t count = 1;
    flow_must(vkCreateInstance(&info, NULL, &w->instance), "vkCreateInstance");
    PFN_vkCreateDebugUtilsMessengerEXT create =
        (PFN_vkCreateDebugUtilsMessengerEXT)vkGetInstanceProcAddr(w->instance,
                                                                  "vkCreateDebugUtilsMessengerEXT");
    flow_must(create(w->instance, &messenger, NULL, &heard), "vkCreateDebugUtilsMessengerEXT");
    VkResult result = vkEnumeratePhysicalDevices(w->instance, &count, &w->physical);
    flow_must(count    ? VK_SUCCESS
              : result ? result
                       : VK_ERROR_INITIALIZATION_FAILED,
              "finding a device");
    VkQueueFamilyProperties families[16];
    count = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(w->physical, &count, families);
    while (w->family + 1 < count && !(families[w->family].queueFlags & VK_QUEUE_COMPUTE_BIT))
        w->family++;
}

static void abort_device_create(struct world *w)
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
        .shaderInt8 = VK_TRUE};
    const VkPhysicalDeviceShaderAbortFeaturesKHR abort_features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ABORT_FEATURES_KHR,
        .pNext = &version,
        .shaderAbort = VK_TRUE};
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = w->family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &abort_features,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount =
                                         sizeof(extensions) / sizeof(extensions[0]),
                                     .ppEnabledExtensionNames = extensions};
    flow_must(vkCreateDevice(w->physical, &info, NULL, &w->device), "vkCreateDevice");
    vkGetDeviceQueue(w->device, w->family, 0, &w->queue);
    w->get_debug_info =
        (PFN_vkGetDeviceFaultDebugInfoKHR)vkGetDeviceProcAddr(w->device,
                                                              "vkGetDeviceFaultDebugInfoKHR");
}

static void buffer_create(struct world *w)
{
    const VkMemoryPropertyFlags wanted =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const VkBufferCreateInfo buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                       .size = sizeof(*w->data),
                                       .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    VkMemoryRequirements need;
    VkPhysicalDeviceMemoryProperties memory;
    VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    void *mapped;
    flow_must(vkCreateBuffer(w->device, &buffer, NULL, &w->buffer), "vkCreateBuffer");
    vkGetBufferMemoryRequirements(w->device, w->buffer, &need);
    vkGetPhysicalDeviceMemoryProperties(w->physical, &memory);
    while (!(need.memoryTypeBits >> allocate.memoryTypeIndex & 1u) ||
           (memory.memoryTypes[allocate.memoryTypeIndex].propertyFlags & wanted) != wanted)
        allocate.memoryTypeIndex++; /* there is always one for a buffer */
    allocate.allocationSize = need.size;
    flow_must(vkAllocateMemory(w->device, &allocate, NULL, &w->memory), "vkAllocateMemory");
    flow_must(vkBindBufferMemory(w->device, w->buffer, w->memory, 0), "vkBindBufferMemory");
    flow_must(vkMapMemory(w->device, w->memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
    w->data = mapped;
}

static void abort_descriptors_create(struct world *w)
{
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                  VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    const VkDescriptorSetLayoutCreateInfo set_layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    flow_must(vkCreateDescriptorSetLayout(w->device, &set_layout, NULL, &w->set_layout),
              "vkCreateDescriptorSetLayout");
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = 1,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    flow_must(vkCreateDescriptorPool(w->device, &pool, NULL, &w->descriptor_pool),
              "vkCreateDescriptorPool");
    const VkDescriptorSetAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = w->descriptor_pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &w->set_layout};
    flow_must(vkAllocateDescriptorSets(w->device, &allocate, &w->set), "vkAllocateDescriptorSets");
    const VkDescriptorBufferInfo buffer = {w->buffer, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = w->set,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        .pBufferInfo = &buffer};
    vkUpdateDescriptorSets(w->device, 1, &write, 0, NULL);
    const VkPipelineLayoutCreateInfo layout = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &w->set_layout};
    flow_must(vkCreatePipelineLayout(w->device, &layout, NULL, &w->layout),
              "vkCreatePipelineLayout");
}

static void prepare_world(struct world *w)
{
    abort_device_create(w);
    buffer_create(w);
    abort_descriptors_create(w);
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                          .queueFamilyIndex = w->family};
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    flow_must(vkCreateCommandPool(w->device, &pool, NULL, &w->pool), "vkCreateCommandPool");
    const VkCommandBufferAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = w->pool,
        .commandBufferCount = 1};
    flow_must(vkAllocateCommandBuffers(w->device, &allocate, &w->commands),
              "vkAllocateCommandBuffers");
    flow_must(vkCreateFence(w->device, &fence, NULL, &w->fence), "vkCreateFence");
}

static void let_go(struct world *w)
{
    vkDestroyFence(w->device, w->fence, NULL);
    vkDestroyCommandPool(w->device, w->pool, NULL);
    vkDestroyPipelineLayout(w->device, w->layout, NULL);
    vkDestroyDescriptorPool(w->device, w->descriptor_pool, NULL);
    vkDestroyDescriptorSetLayout(w->device, w->set_layout, NULL);
    vkDestroyBuffer(w->device, w->buffer, NULL);
    vkFreeMemory(w->device, w->memory, NULL);
    vkDestroyDevice(w->device, NULL);
}

/* --- a shader --- */

/* False: there is none. */
static bool shader_read(struct shader *shader, const char *directory, const char *seed,
                        const char *kind, const char *way)
{
    char path[512];
    (void)snprintf(shader->name, sizeof(shader->name), "%s.%s.%s", seed, kind, way);
    (void)snprintf(path, sizeof(path), "%s/%s.spv", directory, shader->name);
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    shader->words = malloc(1u << 22);
    shader->size = shader->words ? fread(shader->words, 1, 1u << 22, file) : 0;
    (void)fclose(file);
    return true;
}

static void abort_pipeline_create(const struct world *w, struct shader *shader)
{
    const VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = shader->size,
                                           .pCode = shader->words};
    VkShaderModule module;
    flow_must(vkCreateShaderModule(w->device, &code, NULL, &module), shader->name);
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"},
        .layout = w->layout};
    flow_must(vkCreateComputePipelines(w->device, VK_NULL_HANDLE, 1, &info, NULL,
                                       &shader->pipeline),
              shader->name);
    vkDestroyShaderModule(w->device, module, NULL);
}

static VkResult run_abort_shader(const struct world *w, const struct shader *shader,
                                 const struct data *input)
{
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &w->commands};
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    *w->data = *input;
    runs++;
    flow_must(vkBeginCommandBuffer(w->commands, &begin), "vkBeginCommandBuffer");
    vkCmdBindPipeline(w->commands, VK_PIPELINE_BIND_POINT_COMPUTE, shader->pipeline);
    vkCmdBindDescriptorSets(w->commands, VK_PIPELINE_BIND_POINT_COMPUTE, w->layout, 0, 1, &w->set,
                            0, NULL);
    vkCmdDispatch(w->commands, GROUPS, 1, 1);
    vkCmdPipelineBarrier(w->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    flow_must(vkEndCommandBuffer(w->commands), "vkEndCommandBuffer");
    VkResult result = vkQueueSubmit(w->queue, 1, &submit, w->fence);
    if (result == VK_SUCCESS)
        result = vkWaitForFences(w->device, 1, &w->fence, VK_TRUE,
                                 SECONDS_AT_END * UINT64_C(1000000000));
    if (result == VK_SUCCESS)
        flow_must(vkResetFences(w->device, 1, &w->fence), "vkResetFences");
    return result;
}

/* --- what it must have done --- */

static uint32_t next_of_state(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

/* The input says which invocations may abort: none (but for what aborts without a condition), one,
 * half of them, all. */
static struct data make_input_of_seed(uint64_t seed, uint32_t number, uint32_t count)
{
    struct data input = {0};
    uint64_t state = seed * 16 + number;
    (void)next_of_state(&state);
    const uint32_t only = next_of_state(&state) % count;
    for (uint32_t i = 0; i < count; i++) {
        struct invocation *v = &input.v[i];
        bool may =
            number == 3 || (number == 2 && next_of_state(&state) % 2) || (number == 1 && i == only);
        v->a = next_of_state(&state) % 16;
        v->b = next_of_state(&state) % 16;
        v->mask = may ? (2u << next_of_state(&state) % 4) - 1 : 0;
        v->key = may ? next_of_state(&state) & v->mask : 1;
    }
    return input;
}

static bool same_word(const char *what, const char *name, uint32_t number, uint32_t i,
                      uint32_t found, uint32_t wanted)
{
    if (found == wanted)
        return true;
    (void)printf("%s, input %" PRIu32 ", invocation %" PRIu32 ": %s is %" PRIu32
                 ", should be %" PRIu32 "\n",
                 name, number, i, what, found, wanted);
    return false;
}

/* Shows what an invocation has done, as far as there was room to say. */
static void show_invocation(const char *who, const struct invocation *v)
{
    (void)printf("  %s: a %" PRIu32 " b %" PRIu32 " mask %" PRIu32 " key %" PRIu32 " count %" PRIu32
                 " ended %" PRIu32 " up %" PRIu32 " site %" PRIu32 ":",
                 who, v->a, v->b, v->mask, v->key, v->count, v->ended, v->up, v->up_site);
    for (uint32_t i = 0; i < ITEMS && i < v->count; i++)
        (void)printf(" %" PRIu32, v->items[i]);
    (void)printf("\n");
}

/* A loop with atomic accesses looks every 128 iterations whether another invocation has aborted,
 * and ends its own then (docs/shader-abort.md). */
static bool may_be_cut_off(const struct invocation *f, const struct invocation *w)
{
    return w->turns >= 127 && !f->ended && f->count < (w->up ? w->up - 1 : w->count);
}

static bool compare_one(const char *name, uint32_t number, uint32_t i, const struct invocation *f,
                        const struct invocation *w, bool cut)
{
    const uint32_t done = cut ? f->count : w->up ? w->up - 1 : w->count;
    bool right =
        cut || (same_word("count", name, number, i, f->count, done) &&
                same_word("hash", name, number, i, f->hash, w->up ? w->up_hash : w->hash) &&
                same_word("adds", name, number, i, f->adds, w->up ? w->up_adds : w->adds) &&
                same_word("ended", name, number, i, f->ended, w->up ? 0 : w->ended));
    for (uint32_t k = 0; k < ITEMS && right; k++)
        right = same_word("an item", name, number, i, f->items[k], k < done ? w->items[k] : 0);
    if (!right) {
        show_invocation("the plain one", w);
        show_invocation("the other one", f);
    }
    return right;
}

static bool compare_data(const char *name, uint32_t number, const struct data *found,
                         const struct data *wanted, uint32_t count, bool aborted)
{
    uint32_t total = 0;
    bool right = true;
    for (uint32_t i = 0; i < count && right; i++) {
        const struct invocation *f = &found->v[i], *w = &wanted->v[i];
        const bool cut = aborted && may_be_cut_off(f, w);
        right = compare_one(name, number, i, f, w, cut);
        total += cut ? f->adds : w->up ? w->up_adds : w->adds;
    }
    return right && same_word("the sum", name, number, 0, found->total, total);
}

/* One message of each that aborts. It begins with "sSITE xX iINVOCATION", and these numbers come
 * after the NUL. */
static bool read_message(const char *name, uint32_t number, const unsigned char *message,
                         uint64_t size, const struct data *wanted, bool *had)
{
    const unsigned char *end = memchr(message, 0, size);
    uint64_t at = end ? (uint64_t)(end - message + 4) & ~UINT64_C(3) : size;
    uint32_t values[6], words = end && (size - at) / 4 == 6 ? 6 : 3;
    const char *format = words == 6 ? "s%u x%u i%u v%v3u" : "s%u x%u i%u";
    if (at > size || size - at != words * 4u || strcmp((const char *)message, format) != 0) {
        (void)printf("%s, input %" PRIu32 ": a message of %" PRIu64
                     " bytes is none of the shader's\n",
                     name, number, size);
        return false;
    }
    memcpy(values, message + at, words * sizeof(*values));
    if (values[2] >= MOST || had[values[2]] || !wanted->v[values[2]].up) {
        (void)printf("%s, input %" PRIu32 ": invocation %" PRIu32
                     " should have no message (more)\n",
                     name, number, values[2]);
        return false;
    }
    had[values[2]] = true;
    bool right = same_word("the message's site", name, number, values[2], values[0],
                           wanted->v[values[2]].up_site) &&
                 same_word("the message's value", name, number, values[2], values[1],
                           wanted->v[values[2]].up_x);
    for (uint32_t i = 3; i < words && right; i++)
        right = same_word("a member of the message's vector", name, number, values[2], values[i],
                          values[1] + i - 3);
    return right;
}

static bool compare_messages(const struct world *w, const char *name, uint32_t number,
                             const struct data *wanted, uint32_t count)
{
    static unsigned char bytes[1u << 16];
    bool had[MOST] = {false}, right = true;
    VkDeviceFaultShaderAbortMessageInfoKHR messages = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_SHADER_ABORT_MESSAGE_INFO_KHR,
        .messageDataSize = sizeof(bytes),
        .pMessageData = bytes};
    VkDeviceFaultDebugInfoKHR info = {.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_DEBUG_INFO_KHR,
                                      .pNext = &messages};
    flow_must(w->get_debug_info(w->device, &info), "vkGetDeviceFaultDebugInfoKHR");
    uint64_t at = 0, length;
    while (right && at + sizeof(length) <= messages.messageDataSize) {
        memcpy(&length, bytes + at, sizeof(length));
        at += sizeof(length);
        right = length <= messages.messageDataSize - at &&
                read_message(name, number, bytes + at, length, wanted, had);
        at = (at + length + 7) & ~UINT64_C(7);
    }
    for (uint32_t i = 0; i < count && right; i++) {
        if (had[i] || !may_be_cut_off(&w->data->v[i], &wanted->v[i]))
            right = same_word("messages", name, number, i, had[i], wanted->v[i].up != 0);
    }
    return right;
}

/* --- a pair --- */

static bool run_input(struct world *w, struct shader *shader, const struct data *wanted,
                      uint64_t seed, uint32_t number, bool *lost)
{
    const uint32_t count = GROUPS * shader->groups_size;
    const struct data input = make_input_of_seed(seed, number, count);
    bool aborted = false;
    for (uint32_t i = 0; i < count; i++)
        aborted = aborted || wanted->v[i].up;
    const VkResult result = run_abort_shader(w, shader, &input);
    *lost = result != VK_SUCCESS;
    if (result != (aborted ? VK_ERROR_DEVICE_LOST : VK_SUCCESS)) {
        (void)printf("%s, input %" PRIu32 ": result %d, and %s should have aborted\n", shader->name,
                     number, (int)result, aborted ? "an invocation" : "none");
        return false;
    }
    if (!compare_data(shader->name, number, w->data, wanted, count, aborted))
        return false;
    aborts += aborted;
    return !aborted || compare_messages(w, shader->name, number, wanted, count);
}

static bool run_shader(struct world *w, struct shader *shader, const struct data *wanted,
                       uint64_t seed)
{
    bool right = true;
    for (uint32_t number = 0; number < INPUTS && right; number++) {
        bool lost = false;
        if (!shader->pipeline)
            abort_pipeline_create(w, shader);
        right = run_input(w, shader, &wanted[number], seed, number, &lost);
        if (!lost && number + 1 < INPUTS)
            continue;
        vkDestroyPipeline(w->device, shader->pipeline, NULL);
        shader->pipeline = VK_NULL_HANDLE;
        if (lost) {
            let_go(w);
            prepare_world(w);
        }
    }
    vkDestroyPipeline(w->device, shader->pipeline, NULL);
    shader->pipeline = VK_NULL_HANDLE;
    if (w->bad_findings) {
        (void)printf("%s: %s\n", shader->name, w->finding);
        right = false;
        w->bad_findings = 0;
    }
    free(shader->words);
    return right;
}

/* Runs the plain module. `wanted`: the result of the one that is not optimized, where it is another
 * one. */
static bool run_plain(struct world *w, const char *directory, const char *seed, const char *way,
                      uint32_t size, struct data *done, const struct data *wanted)
{
    struct shader shader = {.groups_size = size};
    bool right = true;
    if (!shader_read(&shader, directory, seed, "plain", way)) /* without --plain */
        return true;
    abort_pipeline_create(w, &shader);
    for (uint32_t number = 0; number < INPUTS; number++) {
        const struct data input =
            make_input_of_seed(strtoull(seed, NULL, 10), number, GROUPS * size);
        flow_must(run_abort_shader(w, &shader, &input), shader.name);
        done[number] = *w->data;
        for (uint32_t i = 0; i < MOST; i++)
            done[number].v[i].foreign = 0;
        right = right && (!wanted || memcmp(&wanted[number], &done[number], sizeof(*done)) == 0);
    }
    vkDestroyPipeline(w->device, shader.pipeline, NULL);
    free(shader.words);
    return right;
}

static bool run_pair(struct world *w, const char *directory, const char *argument)
{
    static const char *const ways[] = {"none", "O", "Os", "ssa"};
    static struct data wanted[INPUTS], done[INPUTS];
    char seed[32];
    char *rest;
    const uint64_t number = strtoull(argument, &rest, 10);
    const uint32_t groups_size = *rest == ':' ? (uint32_t)strtoul(rest + 1, NULL, 10) : 1;
    (void)snprintf(seed, sizeof(seed), "%" PRIu64, number);
    bool right = true;
    (void)run_plain(w, directory, seed, "none", groups_size, wanted, NULL);
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        struct shader shader = {.groups_size = groups_size};
        /* the optimizer made nothing valid */
        if (!shader_read(&shader, directory, seed, "abort", ways[i]))
            continue;
        pairs++;
        if (run_shader(w, &shader, wanted, number))
            continue;
        right = false;
        if (i && !run_plain(w, directory, seed, ways[i], groups_size, done, wanted))
            (void)printf("%s: nor does the plain one do what the one that is not optimized does\n",
                         shader.name);
    }
    return right;
}

int main(int argc, char **argv)
{
    struct world w = {0};
    uint32_t wrong = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    abort_instance_create(&w);
    prepare_world(&w);
    for (int i = 2; i < argc; i++)
        wrong += !run_pair(&w, argv[1], argv[i]);
    (void)printf("%" PRIu32 " pairs of shaders, %" PRIu32 " runs, %" PRIu32
                 " of them aborted; %" PRIu32 " seeds went wrong\n",
                 pairs, runs, aborts, wrong);
    let_go(&w);
    vkDestroyInstance(w.instance, NULL);
    return argc < 3 || wrong ? 1 : 0;
}
