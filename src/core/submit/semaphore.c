/* Checks that a semaphore may be created, destroyed, waited for and signaled by the host, exported
 * and imported (7.4). */
#include "core/hooks.h"
#include "core/destroy/in_use.h"

#include "objects/device.h"
#include "report/finding/finding.h"
#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "state/submit/semaphore.h"
#include "vk/chain.h"

#include <inttypes.h>

/* The bits in handleTypes must be supported and compatible, as reported by
 * VkExternalSemaphoreProperties */
static COLD bool check_export(const struct call *call, VkExternalSemaphoreHandleTypeFlags types,
                              const VkSemaphoreTypeCreateInfo *type, const struct location *parent)
{
    const struct instance *instance = call->device->instance;
    const struct location info = LOCATION_CHAINED(parent, "VkExportSemaphoreCreateInfo");
    VkSemaphoreTypeCreateInfo asked = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                       .semaphoreType =
                                           type ? type->semaphoreType : VK_SEMAPHORE_TYPE_BINARY,
                                       .initialValue = type ? type->initialValue : 0};
    if (!instance->dispatch.GetPhysicalDeviceExternalSemaphoreProperties)
        return false;
    for (VkExternalSemaphoreHandleTypeFlags left = types; left; left &= left - 1) {
        const VkPhysicalDeviceExternalSemaphoreInfo question = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO,
            .pNext = type ? &asked : NULL,
            .handleType = (VkExternalSemaphoreHandleTypeFlagBits)(left & -left)};
        VkExternalSemaphoreProperties answer = {
            .sType = VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES};
        instance->dispatch
            .GetPhysicalDeviceExternalSemaphoreProperties(call->device->physical_device, &question,
                                                          &answer);
        VkExternalSemaphoreHandleTypeFlags wrong =
            types & ~answer.compatibleHandleTypes & ~(left & -left);
        if (!(answer.externalSemaphoreFeatures & VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT))
            return BROKEN_BY(call, VUID_VkExportSemaphoreCreateInfo_handleTypes_01124,
                             &LOCATION(&info, "handleTypes"), NULL,
                             "contains %s, but such a semaphore cannot be exported so",
                             value_text(VALUES_VkExternalSemaphoreHandleTypeFlags,
                                        question.handleType)
                                 .text);
        if (wrong)
            return BROKEN_BY(call, VUID_VkExportSemaphoreCreateInfo_handleTypes_01124,
                             &LOCATION(&info, "handleTypes"), NULL,
                             "contains %s, which does not go with %s",
                             value_text(VALUES_VkExternalSemaphoreHandleTypeFlags, wrong).text,
                             value_text(VALUES_VkExternalSemaphoreHandleTypeFlags,
                                        question.handleType)
                                 .text);
    }
    return false;
}

bool core_validate_CreateSemaphore(struct call *call, VkDevice device,
                                   const VkSemaphoreCreateInfo *pCreateInfo,
                                   const VkAllocationCallbacks *pAllocator, VkSemaphore *pSemaphore)
{
    const VkSemaphoreTypeCreateInfo *type =
        chain_find(pCreateInfo->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
    const struct location parent = LOCATION_POINTER(NULL, "pCreateInfo");
    const VkExportSemaphoreCreateInfo *export_info =
        chain_find(pCreateInfo->pNext, VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO);
    return export_info && export_info->handleTypes &&
           check_export(call, export_info->handleTypes, type, &parent);
}

bool core_validate_DestroySemaphore(struct call *call, VkDevice device, VkSemaphore semaphore,
                                    const VkAllocationCallbacks *pAllocator)
{
    /* All submitted batches that refer to semaphore must have completed execution */
    const struct semaphore *state = named_semaphore(call, 0, semaphore);
    return state &&
           in_use_check(call, &state->base, RULE(call, 05149), &LOCATION(NULL, "semaphore"));
}

/* --- timeline semaphores and the host --- */

/* Checks that the semaphore is a timeline semaphore. An unknown handle is left to the validator of
 * lifetimes. */
static bool check_timeline(const struct call *call, VkSemaphore handle, enum rule rule,
                           const struct location *where)
{
    const struct semaphore *semaphore = find_semaphore(call, handle);
    return semaphore && semaphore->type != VK_SEMAPHORE_TYPE_TIMELINE &&
           BROKEN_BY(call, rule, where, OBJECT(HANDLE_SEMAPHORE, handle),
                     "is a binary semaphore, which has no value that the host could see");
}

bool core_validate_WaitSemaphores(struct call *call, VkDevice device,
                                  const VkSemaphoreWaitInfo *pWaitInfo, uint64_t timeout)
{
    const struct location parent = LOCATION_POINTER(NULL, "pWaitInfo");
    bool skip = false;
    /* All of the elements of pSemaphores must reference a semaphore that was created with a
     * VkSemaphoreType of VK_SEMAPHORE_TYPE_TIMELINE */
    for (uint32_t i = 0; pWaitInfo->pSemaphores && i < pWaitInfo->semaphoreCount; i++)
        skip |= check_timeline(call, pWaitInfo->pSemaphores[i], RULE_03256,
                               &LOCATION_INDEX(&parent, "pSemaphores", i));
    return skip;
}

bool core_validate_SignalSemaphore(struct call *call, VkDevice device,
                                   const VkSemaphoreSignalInfo *pSignalInfo)
{
    const struct location parent = LOCATION_POINTER(NULL, "pSignalInfo"),
                          where = LOCATION(&parent, "value");
    const struct finding_objects *objects = OBJECT(HANDLE_SEMAPHORE, pSignalInfo->semaphore);
    uint64_t value = pSignalInfo->value, most = call->device->extended.TimelineSemaphoreProperties
                                                    .maxTimelineSemaphoreValueDifference;
    struct semaphore *semaphore = find_semaphore(call, pSignalInfo->semaphore);
    if (semaphore && semaphore->type != VK_SEMAPHORE_TYPE_TIMELINE)
        return false; /* a row reports it */
    struct timeline timeline = semaphore_timeline(semaphore, NULL);
    if (!timeline.known)
        return false;
    /* value must have a value greater than the current value of the semaphore */
    if (value <= timeline.completed)
        return BROKEN_BY(call, RULE_03258, &where, objects,
                         "is %" PRIu64 ", but the semaphore has reached %" PRIu64, value,
                         timeline.completed);
    /* value must be less than the value of any pending semaphore signal operations */
    if (timeline.signal_pending && value >= timeline.signal_min)
        return BROKEN_BY(call, RULE_03259, &where, objects,
                         "is %" PRIu64 ", but a pending operation will signal %" PRIu64, value,
                         timeline.signal_min);
    /* ... does not differ from the current value or the value of any outstanding ... operation by
     * more than maxTimelineSemaphoreValueDifference */
    if (most && (value - timeline.completed > most ||
                 (timeline.outstanding_max > value && timeline.outstanding_max - value > most)))
        return BROKEN_BY(call, RULE_03260, &where, objects,
                         "is %" PRIu64 ", more than maxTimelineSemaphoreValueDifference (%" PRIu64
                         ") away from %" PRIu64,
                         value, most,
                         value - timeline.completed > most ? timeline.completed
                                                           : timeline.outstanding_max);
    return false;
}

/* --- payloads of others --- */

/* True for handle types that are file descriptors. */
static bool is_fd(VkExternalSemaphoreHandleTypeFlagBits type)
{
    return type == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT ||
           type == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
}

bool core_validate_GetSemaphoreFdKHR(struct call *call, VkDevice device,
                                     const VkSemaphoreGetFdInfoKHR *pGetFdInfo, int *pFd)
{
    const struct location parent = LOCATION_POINTER(NULL, "pGetFdInfo");
    const struct semaphore *semaphore = find_semaphore(call, pGetFdInfo->semaphore);
    const struct finding_objects *objects = OBJECT(HANDLE_SEMAPHORE, pGetFdInfo->semaphore);
    VkExternalSemaphoreHandleTypeFlagBits type = pGetFdInfo->handleType;
    struct subject s = {.call = call, .where = &parent, .objects = objects};
    /* handleType must be defined as a POSIX file descriptor handle */
    if (!is_fd(type)) {
        BROKEN_OF(&s, NULL, RULE_01136, "handleType", "is %s, which is not a file descriptor",
                  value_text(VALUES_VkExternalSemaphoreHandleTypeFlags, type).text);
        return s.skip;
    }
    if (!semaphore || semaphore_is_shared(semaphore))
        return false;
    /* handleType must have been included in VkExportSemaphoreCreateInfo::handleTypes when
     * semaphore's current payload was created */
    if (!(semaphore->export_types & type))
        BROKEN(&s, RULE_01132, "handleType",
               "is %s, but the semaphore was created with "
               "VkExportSemaphoreCreateInfo::handleTypes %s",
               value_text(VALUES_VkExternalSemaphoreHandleTypeFlags, type).text,
               value_text(VALUES_VkExternalSemaphoreHandleTypeFlags, semaphore->export_types).text);
    if (type != VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT)
        return s.skip;
    /* If handleType refers to a handle type with copy payload transference semantics, semaphore
     * must have been created ... BINARY */
    if (semaphore->type != VK_SEMAPHORE_TYPE_BINARY) {
        BROKEN(&s, RULE_03253, "semaphore",
               "is a timeline semaphore, whose payload cannot be copied to a sync file");
        return s.skip;
    }
    /* ... semaphore must be signaled, or have an associated semaphore signal operation pending
     * execution */
    uint64_t stamp;
    enum semaphore_last last = semaphore_last(semaphore, &stamp);
    if (last == SEMAPHORE_LAST_NONE || last == SEMAPHORE_LAST_WAIT)
        BROKEN(&s, RULE_03254, "semaphore",
               "is not signaled, and nothing that was submitted will signal it");
    return s.skip;
}

bool core_validate_ImportSemaphoreFdKHR(struct call *call, VkDevice device,
                                        const VkImportSemaphoreFdInfoKHR *pImportSemaphoreFdInfo)
{
    const struct location parent = LOCATION_POINTER(NULL, "pImportSemaphoreFdInfo");
    const struct semaphore *semaphore = find_semaphore(call, pImportSemaphoreFdInfo->semaphore);
    VkExternalSemaphoreHandleTypeFlagBits type = pImportSemaphoreFdInfo->handleType;
    struct subject s = {.call = call, .where = &parent};
    /* handleType must be a value included in the Handle Types Supported by
     * VkImportSemaphoreFdInfoKHR table */
    if (!is_fd(type))
        BROKEN(&s, RULE_01143, "handleType", "is %s, which is not a file descriptor",
               value_text(VALUES_VkExternalSemaphoreHandleTypeFlags, type).text);
    /* If handleType refers to a handle type with copy payload transference semantics, flags must
     * contain VK_SEMAPHORE_IMPORT_TEMPORARY_BIT */
    if (type == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT &&
        !(pImportSemaphoreFdInfo->flags & VK_SEMAPHORE_IMPORT_TEMPORARY_BIT))
        BROKEN(&s, RULE_07307, "flags",
               "has no VK_SEMAPHORE_IMPORT_TEMPORARY_BIT, but a sync file's "
               "payload is copied");
    /* semaphore must not be associated with any queue command that has not yet completed execution
     * on that queue */
    if (semaphore)
        s.skip |= in_use_check(call, &semaphore->base, RULE(call, 01142),
                               &LOCATION(&parent, "semaphore"));
    return s.skip;
}
