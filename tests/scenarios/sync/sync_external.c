/* Fences and semaphores whose payloads are exported and imported ("Importing Fence Payloads",
 * "Importing Semaphore Payloads"). */
#include "scenario.h"

static const VkPhysicalDeviceVulkan12Features timeline = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .timelineSemaphore = VK_TRUE};

/* A batch without command buffers: `wait` and `signal` may be NULL. */
static void submit_external(struct baseline *b, const VkSemaphore *wait, const VkSemaphore *signal,
                            VkFence fence)
{
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .waitSemaphoreCount = wait ? 1 : 0,
                               .pWaitSemaphores = wait,
                               .pWaitDstStageMask = &stage,
                               .signalSemaphoreCount = signal ? 1 : 0,
                               .pSignalSemaphores = signal};
    (void)vkQueueSubmit(b->queue, 1, &info, fence);
}

static void wait_idle(struct baseline *b)
{
    VK(vkDeviceWaitIdle(b->device));
}

static void host_signal(struct baseline *b, VkSemaphore semaphore, uint64_t value)
{
    const VkSemaphoreSignalInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = semaphore, .value = value};
    (void)vkSignalSemaphore(b->device, &info);
}

#define FENCE_FD .extensions = {"VK_KHR_external_fence_fd"}, .drivers = NULL_DRIVER
#define SEMAPHORE_FD \
    .extensions = {"VK_KHR_external_semaphore_fd"}, .drivers = NULL_DRIVER, .features = &timeline

static void export_fence(struct baseline *b, VkFence fence, VkExternalFenceHandleTypeFlagBits type)
{
    VkFenceGetFdInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_FENCE_GET_FD_INFO_KHR, .fence = fence, .handleType = type};
    int fd = -1;
    (void)DEVICE_PROC(b, vkGetFenceFdKHR)(b->device, &info, &fd);
}

static VkFence exportable_fence(struct baseline *b, VkExternalFenceHandleTypeFlags types)
{
    VkExportFenceCreateInfo export_info = {.sType = VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO,
                                           .handleTypes = types};
    VkFenceCreateInfo info = fence_info();
    info.pNext = &export_info;
    return create_fence(b, &info);
}

SCENARIO(fence_not_exportable, .expect = {"VUID-VkFenceGetFdInfoKHR-handleType-01453"}, FENCE_FD)
{
    export_fence(b, make_fence(b), VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT);
}

SCENARIO(fence_exported_unsignaled, .expect = {"VUID-VkFenceGetFdInfoKHR-handleType-01454"},
         FENCE_FD)
{
    export_fence(b, exportable_fence(b, VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT),
                 VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT);
}

SCENARIO(fence_exported_as_no_fd, .expect = {"VUID-VkFenceGetFdInfoKHR-handleType-01456"}, FENCE_FD)
{
    export_fence(b, exportable_fence(b, VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT),
                 VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_WIN32_BIT);
}

SCENARIO(fence_exported, FENCE_FD)
{
    VkFence fence = exportable_fence(b, VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT |
                                            VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT);
    submit_external(b, NULL, NULL, fence);
    export_fence(b, fence, VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT);
    wait_idle(b);
}

static void import_fence(struct baseline *b, VkFence fence, VkFenceImportFlags flags,
                         VkExternalFenceHandleTypeFlagBits type)
{
    VkImportFenceFdInfoKHR info = {.sType = VK_STRUCTURE_TYPE_IMPORT_FENCE_FD_INFO_KHR,
                                   .fence = fence,
                                   .flags = flags,
                                   .handleType = type,
                                   .fd = -1};
    (void)DEVICE_PROC(b, vkImportFenceFdKHR)(b->device, &info);
}

SCENARIO(fence_imported_as_no_fd, .expect = {"VUID-VkImportFenceFdInfoKHR-handleType-01464"},
         FENCE_FD)
{
    import_fence(b, make_fence(b), 0, VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_WIN32_BIT);
}

SCENARIO(fence_imported_for_ever, .expect = {"VUID-VkImportFenceFdInfoKHR-handleType-07306"},
         FENCE_FD)
{
    import_fence(b, make_fence(b), 0, VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT);
}

SCENARIO(fence_imported_while_pending, .expect = {"VUID-vkImportFenceFdKHR-fence-01463"}, FENCE_FD)
{
    VkFence fence = make_fence(b);
    submit_external(b, NULL, NULL, fence);
    import_fence(b, fence, VK_FENCE_IMPORT_TEMPORARY_BIT,
                 VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT);
    wait_idle(b);
}

SCENARIO(fence_imported, FENCE_FD)
{
    import_fence(b, make_fence(b), VK_FENCE_IMPORT_TEMPORARY_BIT,
                 VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT);
}

static void export_semaphore(struct baseline *b, VkSemaphore semaphore,
                             VkExternalSemaphoreHandleTypeFlagBits type)
{
    VkSemaphoreGetFdInfoKHR info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR,
                                    .semaphore = semaphore,
                                    .handleType = type};
    int fd = -1;
    (void)DEVICE_PROC(b, vkGetSemaphoreFdKHR)(b->device, &info, &fd);
}

static VkSemaphore exportable_semaphore(struct baseline *b, VkSemaphoreType type)
{
    VkSemaphoreTypeCreateInfo type_info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                           .semaphoreType = type};
    VkExportSemaphoreCreateInfo export_info = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
        .pNext = &type_info,
        .handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT};
    VkSemaphoreCreateInfo info = semaphore_info();
    info.pNext = &export_info;
    return create_semaphore(b, &info);
}

SCENARIO(fence_of_types_that_cannot_be,
         .expect = {"VUID-VkExportFenceCreateInfo-handleTypes-01446"}, FENCE_FD)
{
    exportable_fence(b, VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT |
                            VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_WIN32_BIT);
}

SCENARIO(semaphore_of_types_that_cannot_be,
         .expect = {"VUID-VkExportSemaphoreCreateInfo-handleTypes-01124"}, SEMAPHORE_FD)
{
    VkExportSemaphoreCreateInfo export_info = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
        .handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT |
                       VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32_BIT};
    VkSemaphoreCreateInfo info = semaphore_info();
    info.pNext = &export_info;
    create_semaphore(b, &info);
}

static VkCommandBuffer submit_recorded(struct baseline *b, const VkSemaphore *signal, VkFence fence,
                                       const void *next)
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkSubmitInfo info = submit_info(&command_buffer);
    info.pNext = next;
    info.signalSemaphoreCount = signal ? 1 : 0;
    info.pSignalSemaphores = signal;
    VK(vkEndCommandBuffer(command_buffer));
    VK(vkQueueSubmit(b->queue, 1, &info, fence));
    return command_buffer;
}

/* Others may have shown the program that the work is done: a poll of the file, another fence or
 * semaphore with the payload. */
SCENARIO(work_with_exported_fences, FENCE_FD)
{
    const VkExternalFenceHandleTypeFlagBits types[] = {VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT,
                                                       VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT};
    for (uint32_t i = 0; i < 2; i++) {
        VkFence fence = exportable_fence(b, types[i]);
        VkCommandBuffer command_buffer = submit_recorded(b, NULL, fence, NULL);
        export_fence(b, fence, types[i]);
        VK(vkResetCommandBuffer(command_buffer, 0));
    }
    VkFence shared = exportable_fence(b, types[1]);
    export_fence(b, shared, types[1]);
    VK(vkResetCommandBuffer(submit_recorded(b, NULL, shared, NULL), 0));
    wait_idle(b);
}

SCENARIO(work_with_exported_semaphores, SEMAPHORE_FD)
{
    VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                      .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    VkExportSemaphoreCreateInfo export_info = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
        .pNext = &type,
        .handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT};
    VkSemaphoreCreateInfo info = semaphore_info();
    info.pNext = &export_info;
    VkSemaphore semaphore = create_semaphore(b, &info);
    for (uint64_t value = 1; value < 3; value++) {
        VkTimelineSemaphoreSubmitInfo values = {
            .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
            .signalSemaphoreValueCount = 1,
            .pSignalSemaphoreValues = &value};
        VkCommandBuffer command_buffer = submit_recorded(b, &semaphore, VK_NULL_HANDLE, &values);
        if (value == 1)
            export_semaphore(b, semaphore, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT);
        VK(vkResetCommandBuffer(command_buffer, 0));
    }
    wait_idle(b);
}

/* A later batch that others may have shown done says nothing about a value that the host is to
 * signal. */
SCENARIO(host_signals_beside_exported_semaphore, SEMAPHORE_FD)
{
    VkSemaphore awaited = make_timeline_semaphore(b, 0);
    VkSemaphore exported = exportable_semaphore(b, VK_SEMAPHORE_TYPE_BINARY);
    const uint64_t value = 1;
    const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkTimelineSemaphoreSubmitInfo values = {.sType =
                                                VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                            .waitSemaphoreValueCount = 1,
                                            .pWaitSemaphoreValues = &value};
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .pNext = &values,
                         .waitSemaphoreCount = 1,
                         .pWaitSemaphores = &awaited,
                         .pWaitDstStageMask = &stages};
    VK(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE));
    submit_external(b, NULL, &exported, VK_NULL_HANDLE);
    export_semaphore(b, exported, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT);
    host_signal(b, awaited, 1);
    wait_idle(b);
}

SCENARIO(semaphore_not_exportable, .expect = {"VUID-VkSemaphoreGetFdInfoKHR-handleType-01132"},
         SEMAPHORE_FD)
{
    export_semaphore(b, make_semaphore(b), VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT);
}

SCENARIO(semaphore_exported_as_no_fd, .expect = {"VUID-VkSemaphoreGetFdInfoKHR-handleType-01136"},
         SEMAPHORE_FD)
{
    export_semaphore(b, make_semaphore(b), VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32_BIT);
}

SCENARIO(timeline_exported_as_copy, .expect = {"VUID-VkSemaphoreGetFdInfoKHR-handleType-03253"},
         SEMAPHORE_FD)
{
    export_semaphore(b, exportable_semaphore(b, VK_SEMAPHORE_TYPE_TIMELINE),
                     VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT);
}

SCENARIO(semaphore_exported_unsignaled, .expect = {"VUID-VkSemaphoreGetFdInfoKHR-handleType-03254"},
         SEMAPHORE_FD)
{
    export_semaphore(b, exportable_semaphore(b, VK_SEMAPHORE_TYPE_BINARY),
                     VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT);
}

SCENARIO(semaphore_exported, SEMAPHORE_FD)
{
    VkSemaphore semaphore = exportable_semaphore(b, VK_SEMAPHORE_TYPE_BINARY);
    submit_external(b, NULL, &semaphore, VK_NULL_HANDLE);
    export_semaphore(b, semaphore, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT);
    submit_external(b, NULL, &semaphore, VK_NULL_HANDLE);
    submit_external(b, &semaphore, NULL, VK_NULL_HANDLE);
    wait_idle(b);
}

static void import_semaphore(struct baseline *b, VkSemaphore semaphore,
                             VkSemaphoreImportFlags flags,
                             VkExternalSemaphoreHandleTypeFlagBits type)
{
    VkImportSemaphoreFdInfoKHR info = {.sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR,
                                       .semaphore = semaphore,
                                       .flags = flags,
                                       .handleType = type,
                                       .fd = -1};
    (void)DEVICE_PROC(b, vkImportSemaphoreFdKHR)(b->device, &info);
}

SCENARIO(semaphore_imported_as_no_fd,
         .expect = {"VUID-VkImportSemaphoreFdInfoKHR-handleType-01143"}, SEMAPHORE_FD)
{
    import_semaphore(b, make_semaphore(b), 0, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32_BIT);
}

SCENARIO(semaphore_imported_for_ever,
         .expect = {"VUID-VkImportSemaphoreFdInfoKHR-handleType-07307"}, SEMAPHORE_FD)
{
    import_semaphore(b, make_semaphore(b), 0, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT);
}

SCENARIO(semaphore_imported_while_pending,
         .expect = {"VUID-vkImportSemaphoreFdKHR-semaphore-01142"}, SEMAPHORE_FD)
{
    VkSemaphore semaphore = make_semaphore(b);
    submit_external(b, NULL, &semaphore, VK_NULL_HANDLE);
    import_semaphore(b, semaphore, VK_SEMAPHORE_IMPORT_TEMPORARY_BIT,
                     VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT);
    wait_idle(b);
}

SCENARIO(semaphore_imported, SEMAPHORE_FD)
{
    VkSemaphore semaphore = make_semaphore(b);
    import_semaphore(b, semaphore, VK_SEMAPHORE_IMPORT_TEMPORARY_BIT,
                     VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT);
    submit_external(b, &semaphore, NULL, VK_NULL_HANDLE);
    wait_idle(b);
}
