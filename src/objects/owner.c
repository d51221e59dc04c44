/* Keeps the instances and devices that are alive. They are in a table with a 16-bit index, so that
 * each object's slot can name its owner. */
#include "objects/device.h"

_Atomic uintptr_t owner_table[UINT16_MAX + 1];
/* one more than the largest index used; index 0 has no owner */
static _Atomic uint32_t owners_end = 1;

uint16_t owner_add(void *owner, bool is_device)
{
    assert(owner && !((uintptr_t)owner & OWNER_IS_DEVICE));
    uintptr_t tagged = (uintptr_t)owner | (is_device ? OWNER_IS_DEVICE : 0);
    for (uint32_t i = 1; i < ARRAY_LENGTH(owner_table); i++) {
        uintptr_t expected = 0;
        if (atomic_compare_exchange_strong_explicit(&owner_table[i], &expected, tagged,
                                                    memory_order_release, memory_order_relaxed)) {
            uint32_t end = atomic_load_explicit(&owners_end, memory_order_relaxed);
            /* The end only grows: an index that is free again is still below it. */
            while (end <= i && !atomic_compare_exchange_weak_explicit(&owners_end, &end, i + 1,
                                                                      memory_order_release,
                                                                      memory_order_relaxed)) {
            }
            return (uint16_t)i;
        }
    }
    return 0;
}

uint32_t owner_end(void)
{
    return atomic_load_explicit(&owners_end, memory_order_acquire);
}

void owner_remove(uint16_t index)
{
    assert(index);
    atomic_store_explicit(&owner_table[index], 0, memory_order_release);
}

/* The loader keeps its dispatch table's address in a dispatchable object's first word. All children
 * of a device share it, and so do an instance and its physical devices. */
static const void *dispatch_key(const void *dispatchable)
{
    assert(dispatchable);
    return *(const void *const *)dispatchable;
}

struct device *device_by_dispatch_key(const void *dispatchable)
{
    uint32_t end = owner_end();
    for (uint32_t i = 1; dispatchable && i < end; i++) {
        struct device *device = owner_device((uint16_t)i);
        if (device && dispatch_key(device->handle) == dispatch_key(dispatchable))
            return device;
    }
    return NULL;
}

struct instance *instance_by_dispatch_key(const void *dispatchable)
{
    uint32_t end = owner_end();
    for (uint32_t i = 1; dispatchable && i < end; i++) {
        struct instance *instance = owner_device((uint16_t)i) ? NULL : owner_instance((uint16_t)i);
        if (instance && dispatch_key(instance->handle) == dispatch_key(dispatchable))
            return instance;
    }
    return NULL;
}
