/* Holds the window of some calls open. A call that has left its mark in an object waits for a
 * moment, so that another thread's call meets the mark. Calls are short here, and two that no lock
 * keeps apart seldom overlap by themselves.
 *
 * Only a call that finds another thread's trace in an object is held (mark.h), and only where that
 * thread still lives. So nothing is ever held where one thread alone uses an object, nor where it
 * is created on one thread and used on another. Calls that a program orders by other means (a lock,
 * a fence) are held for nothing; window.c bounds that. A held window makes no finding by itself: it
 * is a call that takes longer, as a call may.
 * Threads: that of the call, which holds no lock of the layer's. */
#ifndef ASSAY_THREADS_WINDOW_H
#define ASSAY_THREADS_WINDOW_H

#include "objects/call.h"

/* Called when the call has just left its mark in `object`, where it found the trace of thread
 * `other`. True: it has waited, and the mark has been overwritten meanwhile. The caller holds no
 * lock of the layer's. */
bool window_hold(const struct call *call, const struct object *object, uint32_t other) COLD;

#endif
