/* A call leaves the layer's readers around a function of the driver that may wait for long, or
 * compile. So memory that other threads retire meanwhile can be freed; the call enters again after
 * (base/retire.c has the proof). For the entries of commands that MAY_BLOCK in
 * registry/rooms/chassis/rules.py names.
 * Threads: that of the call, which changes its own counter alone. */
#ifndef ASSAY_CHASSIS_WAITING_H
#define ASSAY_CHASSIS_WAITING_H

#include "chassis/hooks.h"

/* Until call_come_back() nothing that the layer has made for the device may be read; the function's
 * pointer is read before. Returns what call_come_back() is given. Calls of devices whose functions
 * the layer stands in for (gpu/abort/abort.h) stay: those functions read such memory. */
static ALWAYS_INLINE uint32_t call_go_waiting(const struct call *call)
{
    uint32_t entered = likely(!call->device->emulated) ? call->entered : 0;
    if (likely(entered))
        thread_leave_to_wait(entered);
    return entered;
}

/* The call goes on. Where another thread has destroyed the device meanwhile, call->device is NULL
 * after. Then nothing of it may be read, and the entry answers what the driver has answered.
 * Pointers from before are looked up again. */
static ALWAYS_INLINE void call_come_back(struct call *call, uint32_t entered)
{
    if (likely(entered))
        thread_enter_again(entered);
    if (unlikely(owner_device(call->owner) != call->device))
        call->device = NULL;
}

/* The call has been answered with VK_ERROR_DEVICE_LOST. (src/validators.c) */
void call_device_lost(struct call *call) COLD;

/* The hooks of the last phase, looked up again: the device may have other hooks by now. */
static inline const void *hook_list_after(const struct hook_table *table, enum command command)
{
    void (*const *hook)(void) = hook_list(table, command);
    for (int phase = 1; phase < HOOK_PHASES; phase++) {
        while (*hook)
            hook++;
        hook++;
    }
    return hook;
}

#endif
