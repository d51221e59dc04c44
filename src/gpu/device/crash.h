/* Reads what shaders found before the process ends by a signal. A driver that runs shaders on the
 * processor crashes in a shader that uses a wrong address. By then the shader has written down that
 * it does. */
#ifndef ASSAY_GPU_CRASH_H
#define ASSAY_GPU_CRASH_H

#include "base/base.h"

/* Handles fatal signals from now on, once a process. `drain` reports what the shaders of all
 * devices have found. `ends`: the process is about to end, so that records which are not finished
 * never will be. Lock: devices_lock (gpu/device/device.c). Threads: `drain` is called by the one
 * that this makes. */
void gpu_crash_begin(void (*drain)(bool ends));

/* The child of a fork does not have the thread that reads: its crashes are the program's alone
 * until the next gpu_crash_begin(). Lock: devices_lock. */
void gpu_crash_fork_child(void);

#endif
