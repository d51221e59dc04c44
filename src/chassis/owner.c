/* Which instances and devices are alive? A table of them by a 16-bit index, so that each object's slot can name its owner. */
#include "chassis.h"

#define OWNER_LIMIT 65536u
#define OWNER_IS_DEVICE ((uintptr_t)1) /* tag in the pointer's low bit */

static _Atomic uintptr_t owners[OWNER_LIMIT]; /* 0 = free; 1 = being set up. Lock-free */
static _Atomic uint32_t owners_end = 1;       /* indices below it have been used; index 0 is nobody's */

uint16_t owner_add(void *owner, bool is_device)
{
    uintptr_t tagged = (uintptr_t)owner | (is_device ? OWNER_IS_DEVICE : 0);
    for (uint32_t i = 1; i < OWNER_LIMIT; i++) {
        uintptr_t expected = 0;
        if (atomic_compare_exchange_strong_explicit(&owners[i], &expected, tagged, memory_order_release, memory_order_relaxed)) {
            uint32_t end = atomic_load_explicit(&owners_end, memory_order_relaxed);
            while (end <= i && !atomic_compare_exchange_weak_explicit(&owners_end, &end, i + 1, memory_order_release,
                                                                      memory_order_relaxed)) {
            }
            return (uint16_t)i;
        }
    }
    return 0;
}

void owner_remove(uint16_t index)
{
    atomic_store_explicit(&owners[index], 0, memory_order_release);
}

struct device *owner_device(uint16_t index)
{
    uintptr_t owner = atomic_load_explicit(&owners[index], memory_order_acquire);
    return owner & OWNER_IS_DEVICE ? (struct device *)(owner & ~OWNER_IS_DEVICE) : NULL;
}

struct instance *owner_instance(uint16_t index)
{
    uintptr_t owner = atomic_load_explicit(&owners[index], memory_order_acquire);
    if (owner & OWNER_IS_DEVICE)
        return ((struct device *)(owner & ~OWNER_IS_DEVICE))->instance;
    return (struct instance *)owner;
}

/* The loader keeps its dispatch table's address in a dispatchable object's first word; all children of a device share it, and
 * so do an instance and its physical devices. */
static const void *dispatch_key(const void *dispatchable)
{
    return *(const void *const *)dispatchable;
}

struct device *device_by_dispatch_key(const void *dispatchable)
{
    uint32_t end = atomic_load_explicit(&owners_end, memory_order_acquire);
    for (uint32_t i = 1; dispatchable && i < end; i++) {
        struct device *device = owner_device((uint16_t)i);
        if (device && dispatch_key(device->handle) == dispatch_key(dispatchable))
            return device;
    }
    return NULL;
}

struct instance *instance_by_dispatch_key(const void *dispatchable)
{
    uint32_t end = atomic_load_explicit(&owners_end, memory_order_acquire);
    for (uint32_t i = 1; dispatchable && i < end; i++) {
        struct instance *instance = owner_device((uint16_t)i) ? NULL : owner_instance((uint16_t)i);
        if (instance && dispatch_key(instance->handle) == dispatch_key(dispatchable))
            return instance;
    }
    return NULL;
}
