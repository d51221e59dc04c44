/* Finds whether a lost device is due to a shader's abort, on a driver that has VK_KHR_shader_abort
 * itself. Then its messages are reported like those of emulated aborts. */
#include "gpu/abort/abort.h"

#include <inttypes.h>
#include <string.h>

#include "base/string_builder.h"
#include "gpu/device/areas.h"
#include "gpu/gpu.h"
#include "report/finding/finding.h"
#include "spirv/abort/abort.h"

/* The most bytes that are requested from a driver, and the most messages that are reported. */
#define BYTES_MOST (16u << 20)
#define TOLD_MOST  100u

/* Reports one message of the driver's, whose types are not known: it is read as one of abortEXT if
 * it looks like that. */
static void abort_native_report(const struct call *call, const uint8_t *message, size_t size)
{
    char buffer[1024];
    struct string_builder text;
    string_builder_begin(&text, buffer, sizeof(buffer));
    spirv_abort_decode(message, size, &text);
    (void)finding(call, UNASSIGNED_Shader_Abort, NULL, NULL,
                  "The device is lost, as a shader has aborted: %s. (The driver does not say which "
                  "shader it was)",
                  text.text);
    string_builder_end(&text);
}

/* Reports all messages in the data: pairs of a size and as many bytes, each at a multiple of 8
 * bytes. */
static void tell_all(const struct call *call, const uint8_t *data, uint64_t size)
{
    uint64_t at = 0, length;
    for (uint32_t i = 0; i < TOLD_MOST && at < size && size - at >= sizeof(length); i++) {
        memcpy(&length, data + at, sizeof(length));
        at += sizeof(length);
        if (length > size - at)
            break;
        abort_native_report(call, data + at, (size_t)length);
        at = (at + length + 7) & ~UINT64_C(7);
    }
}

/* Reports the abort messages of a driver that has the extension itself. First their size is
 * requested, and then at most BYTES_MOST bytes. */
static void tell_of_driver(const struct call *call)
{
    const struct device *device = call->device;
    PFN_vkGetDeviceFaultDebugInfoKHR get = device->dispatch.GetDeviceFaultDebugInfoKHR;
    VkDeviceFaultShaderAbortMessageInfoKHR messages = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_SHADER_ABORT_MESSAGE_INFO_KHR};
    VkDeviceFaultDebugInfoKHR info = {.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_DEBUG_INFO_KHR,
                                      .pNext = &messages};
    if (!get || get(device->handle, &info) < VK_SUCCESS || !messages.messageDataSize)
        return;
    const uint64_t size =
        messages.messageDataSize < BYTES_MOST ? messages.messageDataSize : BYTES_MOST;
    messages.messageDataSize = size;
    messages.pMessageData = mem_alloc_zeroed(size);
    /* the driver has returned the size of its own dump, which is not wanted */
    info.vendorBinarySize = 0;
    if (messages.pMessageData && get(device->handle, &info) >= VK_SUCCESS)
        tell_all(call, messages.pMessageData,
                 messages.messageDataSize < size ? messages.messageDataSize : size);
    mem_free(messages.pMessageData);
}

void gpu_device_lost(struct call *call)
{
    struct device *device = call->device;
    /* Several threads may see the loss at once: only the one that sets the flag first reports
     * it. */
    const bool known = atomic_exchange_explicit(&device->lost, true, memory_order_relaxed);
    if (gpu_in_device(device)->aborts)
        aborts_tell(call, gpu_in_device(device)->aborts);
    if (!known && !(gpu_in_device(device)->aborts && aborts_lost(gpu_in_device(device)->aborts)))
        gpu_tell_lost(call);
    if ((device->emulated & EMULATED_SHADER_ABORT) ||
        !device_has_feature(device, FEATURE_ShaderAbortFeaturesKHR_shaderAbort) ||
        !device_has_feature(device, FEATURE_FaultFeaturesKHR_deviceFault) ||
        atomic_exchange_explicit(&gpu_in_device(device)->asked_why, true, memory_order_relaxed))
        return;
    tell_of_driver(call);
}
