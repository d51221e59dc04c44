/* Loses a scenario's device by an abort, and reads the device's last word. */
#include "gpu/abort_world.h"

#include <stdlib.h>
#include <string.h>

/* --- devices --- */

static const VkPhysicalDeviceFaultFeaturesKHR fault_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR, .deviceFault = VK_TRUE};
static const VkPhysicalDeviceShaderConstantDataFeaturesKHR data_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CONSTANT_DATA_FEATURES_KHR,
    .pNext = (void *)&fault_features,
    .shaderConstantData = VK_TRUE};
static const VkPhysicalDeviceShaderAbortFeaturesKHR shader_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ABORT_FEATURES_KHR,
    .pNext = (void *)&data_features,
    .shaderAbort = VK_TRUE};
static const VkPhysicalDeviceVulkan12Features features12 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    .pNext = (void *)&shader_features,
    .shaderInt8 = VK_TRUE,
    .shaderFloat16 = VK_TRUE,
    .hostQueryReset = VK_TRUE,
    .timelineSemaphore = VK_TRUE,
    .bufferDeviceAddress = VK_TRUE,
    .scalarBlockLayout = VK_TRUE};
const VkPhysicalDeviceVulkan13Features abort_features13 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .pNext = (void *)&features12,
    .shaderDemoteToHelperInvocation = VK_TRUE,
    .synchronization2 = VK_TRUE,
    .dynamicRendering = VK_TRUE,
    .maintenance4 = VK_TRUE};
static const VkPhysicalDeviceMeshShaderFeaturesEXT mesh_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
    .pNext = (void *)&abort_features13,
    .taskShader = VK_TRUE,
    .meshShader = VK_TRUE};
static const VkPhysicalDeviceRayTracingPipelineFeaturesKHR ray_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR,
    .pNext = (void *)&abort_features13,
    .rayTracingPipeline = VK_TRUE};
static const VkPhysicalDeviceAccelerationStructureFeaturesKHR structure_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
    .pNext = (void *)&ray_features,
    .accelerationStructure = VK_TRUE};
const VkPhysicalDeviceFeatures2 abort_features_plain = ABORT_FEATURES(&abort_features13),
                                abort_features_mesh = ABORT_FEATURES(&mesh_features),
                                abort_features_rays = ABORT_FEATURES(&structure_features);

/* --- running --- */

struct gpu abort_world(struct baseline *b, enum gpu_stage stage, struct gpu_code code,
                       uint32_t index, size_t size)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, stage);
    g.code = code;
    g.count = 1;
    g.index = index;
    g.other = 10; /* 2.5 where it is a float */
    gpu_make_resources(&g);
    if (size > 256)
        g.result =
            make_buffer(b, size,
                        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    void *nothing = calloc(1, size ? size : 1);
    ENSURE(nothing);
    gpu_fill(b, g.result, 0, nothing, size);
    free(nothing);
    gpu_make_layout(&g);
    gpu_make_set(&g);
    gpu_make_pipeline(&g);
    gpu_prepare(&g);
    return g;
}

VkResult abort_submit_and_wait(struct baseline *b, VkCommandBuffer commands)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &commands};
    VkResult result = vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE);
    return result == VK_SUCCESS ? vkQueueWaitIdle(b->queue) : result;
}

VkResult abort_run(struct gpu *g)
{
    gpu_record(g);
    vkEndCommandBuffer(g->commands);
    return abort_submit_and_wait(g->b, g->commands);
}

VkResult abort_dispatch(struct gpu *g, uint32_t groups)
{
    gpu_begin(g);
    gpu_bind(g);
    gpu_push(g);
    vkCmdDispatch(g->commands, groups, 1, 1);
    vkEndCommandBuffer(g->commands);
    return abort_submit_and_wait(g->b, g->commands);
}

/* --- messages --- */

/* Reads the pair at `at`: its payload, and where the next one is. */
static const unsigned char *read_pair(const struct abort_messages *messages, uint64_t *at,
                                      uint64_t *size)
{
    ENSURE(*at % 8 == 0 && messages->size - *at >= sizeof(*size));
    memcpy(size, messages->data + *at, sizeof(*size));
    *at += sizeof(*size);
    ENSURE(*size <= messages->size - *at);
    const unsigned char *payload = messages->data + *at;
    const uint64_t end = *at + *size, next = (end + 7) & ~UINT64_C(7);
    for (uint64_t i = end; i < next && i < messages->size; i++)
        EXPECT_EQUAL(messages->data[i], 0);
    *at = next;
    return payload;
}

struct abort_messages abort_messages_read(struct baseline *b)
{
    PFN_vkGetDeviceFaultDebugInfoKHR get = DEVICE_PROC(b, vkGetDeviceFaultDebugInfoKHR);
    VkDeviceFaultShaderAbortMessageInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_SHADER_ABORT_MESSAGE_INFO_KHR};
    VkDeviceFaultDebugInfoKHR debug = {.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_DEBUG_INFO_KHR,
                                       .pNext = &info};
    struct abort_messages messages = {0};
    VK(get(b->device, &debug));
    messages.size = info.messageDataSize;
    info.pMessageData = messages.data = malloc(messages.size + 1);
    ENSURE(messages.size && messages.data);
    memset(messages.data, 0xcd, messages.size + 1);
    VK(get(b->device, &debug));
    EXPECT_EQUAL(info.messageDataSize, messages.size);
    EXPECT_EQUAL(messages.data[messages.size], 0xcd);
    for (uint64_t at = 0, size; at < messages.size; messages.count++)
        (void)read_pair(&messages, &at, &size);
    messages.claimed = calloc(messages.count + 1, sizeof(*messages.claimed));
    ENSURE(messages.claimed);
    return messages;
}

const unsigned char *abort_message_at(const struct abort_messages *messages, uint32_t number,
                                      uint64_t *size)
{
    const unsigned char *payload = NULL;
    ENSURE(number < messages->count);
    uint64_t at = 0;
    for (uint32_t i = 0; i <= number; i++)
        payload = read_pair(messages, &at, size);
    return payload;
}

static void print_bytes(const char *what, const unsigned char *bytes, uint64_t size)
{
    fprintf(stderr, "%s (%u bytes):", what, (unsigned)size);
    for (uint64_t i = 0; i < size && i < 256; i++)
        fprintf(stderr, "%s%02x", i % 4 ? "" : " ", bytes[i]);
    fputc('\n', stderr);
}

void abort_message_expect(struct abort_messages *messages, const char *name,
                          const unsigned char *bytes, uint64_t size)
{
    uint64_t length, at = 0;
    for (uint32_t i = 0; i < messages->count; i++) {
        const unsigned char *payload = read_pair(messages, &at, &length);
        if (!messages->claimed[i] && length == size && (!size || !memcmp(payload, bytes, size))) {
            messages->claimed[i] = true;
            return;
        }
    }
    scenario_fail(__FILE__, __LINE__, "there is no message %s", name);
    print_bytes("wanted", bytes, size);
}

void abort_messages_end(struct abort_messages *messages)
{
    uint64_t size, at = 0;
    for (uint32_t i = 0; i < messages->count; i++) {
        const unsigned char *payload = read_pair(messages, &at, &size);
        if (messages->claimed[i])
            continue;
        scenario_fail(__FILE__, __LINE__, "nobody has asked for message %u", i);
        print_bytes("found", payload, size);
    }
    free(messages->data);
    free(messages->claimed);
}
