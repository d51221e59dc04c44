/* Private data (3.3.3): may slots be created, and these objects' data be set? */
#include "core/hooks.h"
#include "core/require.h"

bool core_validate_CreatePrivateDataSlot(struct call *call, VkDevice device,
                                         const VkPrivateDataSlotCreateInfo *pCreateInfo,
                                         const VkAllocationCallbacks *pAllocator, VkPrivateDataSlot *pPrivateDataSlot)
{
    struct subject s = {.call = call};
    /* The privateData feature must be enabled */
    REQUIRE(&s, 04564, has(&s, FEATURE_privateData), "device", "was created without the feature privateData");
    return s.skip;
}
