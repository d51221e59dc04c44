/* Reads the records of shaders before a signal ends the process. A driver that runs shaders on the
 * processor crashes in a shader that uses a wrong address. By then the shader has written a record
 * about it. */
#ifndef ASSAY_GPU_CRASH_H
#define ASSAY_GPU_CRASH_H

#include "base/base.h"

/* Handles fatal signals from now on; it acts once in a process. `drain` reports the records of all
 * devices. `ends`: the process is about to end, so unfinished records never will be finished. Lock:
 * devices_lock (gpu/device/device.c). Threads: the thread that this function makes calls
 * `drain`. */
void gpu_crash_begin(void (*drain)(bool ends));

/* Called in the child of a fork, which does not have the reading thread: the layer ignores crashes
 * until the next gpu_crash_begin(). Lock: devices_lock. */
void gpu_crash_fork_child(void);

#endif
