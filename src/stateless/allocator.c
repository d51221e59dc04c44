/* Checks that the driver can call the program's allocation callbacks. (11.1 "Host Memory") */
#include "stateless/structs.h"

/* Reports a callback that cannot be called, and keeps the call from the driver, which would
 * crash. */
static void check_callback(struct check *c, enum vuid vuid, const struct location *where,
                           const char *name, const void *function)
{
    if (likely(!pointer_is_bad(function)))
        return;
    report_pointer(c, vuid, where, name, function);
    c->call->dead_handle = c->skip = true;
}

void rule_VkAllocationCallbacks(struct check *c, const struct location *where,
                                const VkAllocationCallbacks *s)
{
    check_callback(c, VUID_VkAllocationCallbacks_pfnAllocation_00632, where, "pfnAllocation",
                   (const void *)s->pfnAllocation);
    check_callback(c, VUID_VkAllocationCallbacks_pfnReallocation_00633, where, "pfnReallocation",
                   (const void *)s->pfnReallocation);
    check_callback(c, VUID_VkAllocationCallbacks_pfnFree_00634, where, "pfnFree",
                   (const void *)s->pfnFree);
    if (s->pfnInternalAllocation || s->pfnInternalFree) {
        const enum vuid vuid = VUID_VkAllocationCallbacks_pfnInternalAllocation_00635;
        check_callback(c, vuid, where, "pfnInternalAllocation",
                       (const void *)s->pfnInternalAllocation);
        check_callback(c, vuid, where, "pfnInternalFree", (const void *)s->pfnInternalFree);
    }
}
