/* Reports that an allocation of the layer failed, after which calls went on with less validation.
 * There is one warning, at the next submission or wait, or when the device is destroyed. */
#include "core/hooks.h"

#include <inttypes.h>

#include "report/finding/finding.h"

/* Warns once per process, as all instances share the same memory. */
static COLD bool memory_failures_warn(const struct call *call, uint64_t failures)
{
    static _Atomic bool told;
    if (atomic_exchange_explicit(&told, true, memory_order_relaxed))
        return false;
    return finding_with_severity(call, SEVERITY_WARNING, ASSAY_OutOfMemory, NULL, NULL,
                                 "Memory has run out inside the layer (%" PRIu64
                                 " allocation%s failed so far): from now on it misses mistakes of "
                                 "calls and objects that it could not record",
                                 failures, failures == 1 ? "" : "s");
}

/* Warns if an allocation of the layer has failed: mistakes may go unreported since then. */
static inline bool memory_failures_check(const struct call *call)
{
    uint64_t failures = mem_failures();
    return unlikely(failures) && memory_failures_warn(call, failures);
}

bool core_validate_QueueSubmit_memory(struct call *call, VkQueue queue, uint32_t submitCount,
                                      const VkSubmitInfo *pSubmits, VkFence fence)
{
    return memory_failures_check(call);
}

bool core_validate_QueueSubmit2_memory(struct call *call, VkQueue queue, uint32_t submitCount,
                                       const VkSubmitInfo2 *pSubmits, VkFence fence)
{
    return memory_failures_check(call);
}

bool core_validate_DeviceWaitIdle_memory(struct call *call, VkDevice device)
{
    return memory_failures_check(call);
}

bool core_validate_DestroyDevice_memory(struct call *call, VkDevice device,
                                        const VkAllocationCallbacks *pAllocator)
{
    return memory_failures_check(call);
}
