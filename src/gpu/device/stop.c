/* Stops instrumenting shaders when there is no memory for it. */
#include "gpu/device/device.h"

#include "gpu/pipeline/shader.h"
#include "report/finding/finding.h"

void gpu_device_tell_no_memory(const struct call *call, const char *what)
{
    (void)finding_with_severity(call, SEVERITY_WARNING, WARNING_GPU_Assisted_Validation, NULL, NULL,
                                "found no memory for GPU-assisted validation: %s", what);
}

void gpu_device_stop(const struct call *call, struct gpu_device *gpu)
{
    /* Only one thread stops the device and reports it. Shaders that are instrumented already
     * continue with the anonymous record. */
    if (atomic_exchange_explicit(&gpu->stopped, true, memory_order_relaxed))
        return;
    gpu_shaders_end(gpu->device);
    gpu_device_tell_no_memory(call,
                              "no more shaders are instrumented, and those that are cannot say any "
                              "more which command ran them");
}
