/* Answers vkGetDeviceFaultReportsKHR, vkGetDeviceFaultDebugInfoKHR and vkGetDeviceFaultInfoEXT for
 * a device that a shader's abort has lost. For any other device the driver's answer is passed on.
 * If the driver lacks these commands, the answer is empty. */
#include "gpu/abort/abort.h"
#include "gpu/device/areas.h"

#include <string.h>
#include <time.h>

#include "base/string_builder.h"
#include "vk/chain.h"

/* The most reports that are given of one device; chassis/emulated.c reports this limit. */
#define REPORTS_MOST 1024u
/* Nanoseconds between two polls if the driver has no function to wait in. */
#define PAUSE 2000000u

/* Writes a description such as "Shader abort: out of range: 7", cut off if there is no room. */
static void fault_describe_abort(const struct abort_message *message,
                                 char to[VK_MAX_DESCRIPTION_SIZE])
{
    char buffer[512];
    struct string_builder text;
    string_builder_begin(&text, buffer, sizeof(buffer));
    string_builder_add(&text, "Shader abort: ");
    aborts_describe(message, &text);
    size_t length = strlen(text.text);
    if (length >= VK_MAX_DESCRIPTION_SIZE)
        length = VK_MAX_DESCRIPTION_SIZE - 1;
    while (length && length == VK_MAX_DESCRIPTION_SIZE - 1 &&
           ((unsigned char)text.text[length] & 0xc0) == 0x80)
        length--; /* do not cut a UTF-8 character in two */
    memcpy(to, text.text, length);
    to[length] = 0;
    string_builder_end(&text);
}

/* Returns the smaller of two counts. */
static uint32_t fault_least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* --- reports --- */

/* Returns how many reports there are, never 0: without a message, one report says only that a
 * shader aborted. */
static uint32_t report_count(const struct gpu_aborts *aborts)
{
    return aborts->message_count ? fault_least(aborts->message_count, REPORTS_MOST) : 1;
}

/* Writes one report of a device that an abort has lost. The last report has the flag of the loss.
 * All have the same group, as they have one cause. */
static void write_report(const struct gpu_aborts *aborts, uint32_t index, VkDeviceFaultInfoKHR *to)
{
    assert(index < report_count(aborts));
    const VkStructureType type = to->sType;
    void *next = to->pNext;
    *to = (VkDeviceFaultInfoKHR){.sType = type, .pNext = next, .groupId = 1};
    if (index + 1 == report_count(aborts))
        to->flags = VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR;
    if (index < aborts->message_count)
        fault_describe_abort(&aborts->messages[index], to->description);
    else
        strcpy(to->description, "Shader abort");
}

/* Returns reports that were not returned before; each is returned once. With `to` NULL only their
 * number is written. Takes the lock of the aborts. */
static VkResult give_reports(struct gpu_aborts *aborts, uint32_t *count, VkDeviceFaultInfoKHR *to)
{
    VkResult result = VK_SUCCESS;
    lock_take(&aborts->lock);
    const uint32_t left = report_count(aborts) - aborts->reports_taken,
                   given = to ? fault_least(*count, left) : left;
    for (uint32_t i = 0; to && i < given; i++)
        write_report(aborts, aborts->reports_taken + i, &to[i]);
    if (to)
        aborts->reports_taken += given;
    lock_release(&aborts->lock);
    if (!left)
        result = VK_TIMEOUT; /* the device is lost, so no reports will follow */
    else if (given < left)
        result = VK_INCOMPLETE;
    *count = given;
    return result;
}

/* Returns the nanoseconds of CLOCK_MONOTONIC. */
static uint64_t fault_now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* Replaces vkGetDeviceFaultReportsKHR: waits for an abort, or a report of the driver's, up to the
 * timeout. */
static VKAPI_ATTR VkResult VKAPI_CALL get_reports(VkDevice device, uint64_t timeout,
                                                  uint32_t *pFaultCounts,
                                                  VkDeviceFaultInfoKHR *pFaultInfo)
{
    struct gpu_aborts *aborts = aborts_of_device(device);
    if (!aborts)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    PFN_vkGetDeviceFaultReportsKHR below = aborts->device->emulated & EMULATED_DEVICE_FAULT
                                               ? NULL
                                               : aborts->below.GetDeviceFaultReportsKHR;
    const uint64_t begin = fault_now(), room = *pFaultCounts;
    for (;;) {
        const uint64_t passed = fault_now() - begin, left = passed < timeout ? timeout - passed : 0;
        if (aborts_lost(aborts))
            return give_reports(aborts, pFaultCounts, pFaultInfo);
        if (below) {
            *pFaultCounts = (uint32_t)room;
            VkResult result =
                /* the wait is cut into slices, since an abort would not wake the driver */
                below(device, left < ABORT_SLICE ? left : ABORT_SLICE, pFaultCounts, pFaultInfo);
            if (result != VK_TIMEOUT)
                return result;
        } else if (left) {
            const struct timespec pause = {.tv_nsec = left < PAUSE ? (long)left : (long)PAUSE};
            (void)nanosleep(&pause, NULL);
        }
        /* At least one poll is made, also with a timeout of 0. */
        if (!left) {
            *pFaultCounts = 0;
            return VK_TIMEOUT;
        }
    }
}

/* --- abort messages --- */

/* Writes the abort messages to the program's memory. Returns VK_INCOMPLETE if there was no room for
 * all of them. */
static VkResult give_messages(const struct gpu_aborts *aborts,
                              VkDeviceFaultShaderAbortMessageInfoKHR *info)
{
    bool all;
    info->messageDataSize = aborts_write(aborts, info->pMessageData, info->messageDataSize, &all);
    return all ? VK_SUCCESS : VK_INCOMPLETE;
}

/* Replaces vkGetDeviceFaultDebugInfoKHR: returns the abort messages of a device that aborts have
 * lost. */
static VKAPI_ATTR VkResult VKAPI_CALL get_debug_info(VkDevice device,
                                                     VkDeviceFaultDebugInfoKHR *pDebugInfo)
{
    struct gpu_aborts *aborts = aborts_of_device(device);
    if (!aborts)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkDeviceFaultShaderAbortMessageInfoKHR *messages =
        (void *)(uintptr_t)chain_find(pDebugInfo->pNext,
                                      VK_STRUCTURE_TYPE_DEVICE_FAULT_SHADER_ABORT_MESSAGE_INFO_KHR);
    const bool lost = aborts_lost(aborts);
    if (!lost && !(aborts->device->emulated & EMULATED_DEVICE_FAULT) &&
        aborts->below.GetDeviceFaultDebugInfoKHR)
        return aborts->below.GetDeviceFaultDebugInfoKHR(device, pDebugInfo);
    pDebugInfo->vendorBinarySize = 0; /* the feature for vendor binaries is not offered */
    if (messages && lost)
        return give_messages(aborts, messages);
    if (messages)
        messages->messageDataSize = 0;
    return VK_SUCCESS;
}

/* --- the driver's VK_EXT_device_fault --- */

/* Answers vkGetDeviceFaultInfoEXT for a device that an abort has lost. The answer is the same each
 * time, unlike reports, which are returned once. */
static VkResult give_info(const struct gpu_aborts *aborts, VkDeviceFaultCountsEXT *counts,
                          VkDeviceFaultInfoEXT *info)
{
    const uint32_t all = fault_least(aborts->message_count, REPORTS_MOST);
    const uint32_t given =
        info ? fault_least(info->pVendorInfos ? counts->vendorInfoCount : 0, all) : all;
    counts->addressInfoCount = 0;
    counts->vendorBinarySize = 0;
    counts->vendorInfoCount = given;
    if (!info)
        return VK_SUCCESS;
    strcpy(info->description, "Shader abort");
    if (aborts->message_count)
        fault_describe_abort(&aborts->messages[0], info->description);
    for (uint32_t i = 0; i < given; i++) {
        info->pVendorInfos[i] = (VkDeviceFaultVendorInfoEXT){.vendorFaultCode = i};
        fault_describe_abort(&aborts->messages[i], info->pVendorInfos[i].description);
    }
    return given < all ? VK_INCOMPLETE : VK_SUCCESS;
}

/* Replaces vkGetDeviceFaultInfoEXT: the layer answers for a device that an abort has lost, else the
 * driver. */
static VKAPI_ATTR VkResult VKAPI_CALL get_info_ext(VkDevice device,
                                                   VkDeviceFaultCountsEXT *pFaultCounts,
                                                   VkDeviceFaultInfoEXT *pFaultInfo)
{
    struct gpu_aborts *aborts = aborts_of_device(device);
    if (!aborts)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (aborts_lost(aborts))
        return give_info(aborts, pFaultCounts, pFaultInfo);
    return aborts->below.GetDeviceFaultInfoEXT(device, pFaultCounts, pFaultInfo);
}

void aborts_answer_faults(struct device *device)
{
    const struct device_dispatch *below = &gpu_in_device(device)->aborts->below;
    /* Functions that neither the driver nor the layer has stay NULL, so that vkGetDeviceProcAddr
     * gives NULL. */
    const bool emulated = device->emulated & EMULATED_DEVICE_FAULT;
    if (emulated || below->GetDeviceFaultReportsKHR)
        device->dispatch.GetDeviceFaultReportsKHR = get_reports;
    if (emulated || below->GetDeviceFaultDebugInfoKHR)
        device->dispatch.GetDeviceFaultDebugInfoKHR = get_debug_info;
    if (below->GetDeviceFaultInfoEXT)
        device->dispatch.GetDeviceFaultInfoEXT = get_info_ext;
}
