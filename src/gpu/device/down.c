/* Changes a call's structures on the way to the driver: copies them, and makes shader modules that
 * live until the call ends. The after hook attaches data to new objects once they have handles. */
#include "gpu/device/areas.h"
#include "gpu/pipeline/binaries.h"

#include <string.h>

#include "chassis/translate.h"
#include "gpu/pipeline/compile.h"
#include "report/finding/finding.h"
#include "spirv/instrument/instrument.h"

/* A module of the driver's that exists for one call. The list lies in scratch memory. */
struct gpu_temporary {
    VkShaderModule module; /* the driver's handle */
    struct gpu_temporary *next;
};

/* The pipelines and shaders that a call has made, until its after hook takes them. Calls nest, as
 * the program's callbacks may make pipelines, too. */
struct pending {
    const struct call *call;
    struct pending *outer; /* the call around this one; NULL: none */
    uint32_t count;
    struct gpu_made made[]; /* `count` of them */
};

static __thread struct pending *innermost __attribute__((tls_model("initial-exec")));

struct gpu_change gpu_change_begin(struct call *call, uint32_t count)
{
    struct gpu_change change = {.call = call,
                                .device = call->device,
                                .shaders = gpu_in_device(call->device)->shaders,
                                .count = count};
    struct pending *pending = mem_alloc_zeroed(sizeof(*pending) + count * sizeof(struct gpu_made));
    /* Memory is out: `made` stays NULL, and no shader of this call is instrumented. */
    if (!pending)
        return change;
    pending->call = call;
    /* The after hook frees it, on the same thread, so no lock is needed. */
    pending->outer = innermost;
    pending->count = count;
    innermost = pending;
    change.made = pending->made;
    return change;
}

VkResult gpu_change_failed(const struct gpu_change *change, const void *infos)
{
    if (change->failed)
        (void)finding_with_severity(change->call, SEVERITY_WARNING, WARNING_GPU_Assisted_Validation,
                                    NULL, NULL,
                                    "a shader with OpAbortKHR or OpConstantDataKHR, which the "
                                    "layer implements, could not be translated for the driver: the "
                                    "layer answers VK_ERROR_OUT_OF_HOST_MEMORY");
    return infos && !change->failed ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VkShaderModule gpu_change_module(struct gpu_change *change, const uint32_t *words, size_t size)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size, .pCode = words};
    struct gpu_temporary *temporary = scratch_alloc(&thread_self()->scratch, sizeof(*temporary));
    if (!temporary ||
        change->device->dispatch.CreateShaderModule(change->device->handle, &info, NULL,
                                                    &temporary->module) != VK_SUCCESS)
        return VK_NULL_HANDLE;
    /* Large modules: giving their memory back to the system at the end is worthwhile. */
    change->large |= size >= MEM_TRIM_CODE;
    temporary->next = change->temporaries;
    change->temporaries = temporary;
    return temporary->module;
}

void gpu_change_end(struct gpu_change *change)
{
    for (; change->temporaries; change->temporaries = change->temporaries->next)
        change->device->dispatch.DestroyShaderModule(change->device->handle,
                                                     change->temporaries->module, NULL);
    if (unlikely(change->large))
        mem_trim();
}

struct gpu_made gpu_change_take(const struct call *call, uint32_t index)
{
    struct pending *pending = innermost;
    struct gpu_made made = {NULL};
    if (!pending || pending->call != call || index >= pending->count)
        return made;
    made = pending->made[index];
    /* The caller owns the result from here on; gpu_change_forget() frees results that were not
     * taken. */
    pending->made[index] = (struct gpu_made){NULL};
    return made;
}

void gpu_change_forget(const struct call *call)
{
    struct pending *pending = innermost;
    /* Memory was out in gpu_change_begin(): the innermost entry belongs to an outer call. */
    if (!pending || pending->call != call)
        return;
    for (uint32_t i = 0; i < pending->count; i++) {
        gpu_pipeline_free(pending->made[i].pipeline);
        gpu_compile_free(pending->made[i].job);
        gpu_original_free(pending->made[i].original);
    }
    innermost = pending->outer;
    mem_free(pending);
}

const VkSpecializationInfo *gpu_specialization(const struct gpu_shaders *shaders,
                                               const VkSpecializationInfo *app)
{
    static const VkSpecializationInfo none;
    const VkSpecializationInfo *old = app ? app : &none;
    struct scratch *scratch = &thread_self()->scratch;
    VkSpecializationInfo *info = scratch_alloc(scratch, sizeof(*info));
    VkSpecializationMapEntry *entries =
        /* Two constants of 32 bits each are used, as a specialization constant of 64 bits needs a
         * capability. */
        scratch_alloc(scratch, (old->mapEntryCount + (size_t)2) * sizeof(*entries));
    unsigned char *data = scratch_alloc(scratch, old->dataSize + sizeof(uint64_t));
    if (!info || !entries || !data)
        return NULL;
    if (old->mapEntryCount)
        memcpy(entries, old->pMapEntries, old->mapEntryCount * sizeof(*entries));
    if (old->dataSize)
        memcpy(data, old->pData, old->dataSize);
    /* the low word first, as in this machine's memory */
    memcpy(data + old->dataSize, &shaders->anonymous, sizeof(uint64_t));
    for (uint32_t i = 0; i < 2; i++)
        entries[old->mapEntryCount + i] =
            (VkSpecializationMapEntry){.constantID = SPIRV_POINTER_SPEC_ID + i,
                                       .offset = (uint32_t)(old->dataSize + i * sizeof(uint32_t)),
                                       .size = sizeof(uint32_t)};
    *info = (VkSpecializationInfo){.mapEntryCount = old->mapEntryCount + 2,
                                   .pMapEntries = entries,
                                   .dataSize = old->dataSize + sizeof(uint64_t),
                                   .pData = data};
    return info;
}
