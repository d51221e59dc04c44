/* While a driver's function waits for long, or compiles, the call is not counted as a reader of the
 * layer's memory. So memory that other threads retire meanwhile can be freed. After the function
 * the call is counted again (base/retire.c has the proof). It is for the entries of the commands in
 * MAY_BLOCK of registry/rooms/chassis/rules.py. Threads: the thread of the call, which changes its
 * own counter alone. */
#ifndef ASSAY_CHASSIS_WAITING_H
#define ASSAY_CHASSIS_WAITING_H

#include "chassis/hooks.h"

/* Stops counting the call as a reader. Until call_come_back() no memory that the layer has made for
 * the device may be read, so the caller reads the function's pointer before. Returns the argument
 * for call_come_back(). If the device has replaced functions (gpu/abort/abort.h), the call stays a
 * reader, as those functions read such memory. */
static ALWAYS_INLINE uint32_t call_go_waiting(const struct call *call)
{
    uint32_t entered = likely(!call->device->emulated) ? call->entered : 0;
    if (likely(entered))
        thread_leave_to_wait(entered);
    return entered;
}

/* Counts the call as a reader again. If another thread has destroyed the device meanwhile,
 * call->device becomes NULL; then nothing of the device may be read, and the entry returns the
 * driver's result. Pointers that the call had before must be looked up again. */
static ALWAYS_INLINE void call_come_back(struct call *call, uint32_t entered)
{
    if (likely(entered))
        thread_enter_again(entered);
    if (unlikely(owner_device(call->owner) != call->device))
        call->device = NULL;
}

/* Called when a call has returned VK_ERROR_DEVICE_LOST (src/validators.c). */
void call_device_lost(struct call *call) COLD;

/* Looks up the hooks of the last phase again, because the device may have other hooks by now. */
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
