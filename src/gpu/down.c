/* What becomes of a call's structures on the way to the driver: copies that are changed, shader modules that live as long as the call, and what the after hook is to hang on the new
 * objects once they have their handles. */
#include "gpu/shader.h"

#include <string.h>

#include "chassis/translate.h"
#include "spirv/instrument.h"

struct gpu_temporary {
    VkShaderModule module;
    struct gpu_temporary *next;
};

/* What a call has made, until its after hook takes it. Calls nest: the program's callbacks may make pipelines, too. */
struct pending {
    const struct call *call;
    struct pending *outer;
    uint32_t count;
    struct gpu_pipeline *made[];
};

static __thread struct pending *innermost __attribute__((tls_model("initial-exec")));

struct gpu_change gpu_change_begin(struct call *call, uint32_t count)
{
    struct gpu_change change = {
        .call = call, .device = call->device, .shaders = call->device->gpu_shaders, .count = count};
    struct pending *pending = mem_alloc_zeroed(sizeof(*pending) + count * sizeof(struct gpu_pipeline *));
    if (!pending)
        return change;
    pending->call = call;
    pending->outer = innermost;
    pending->count = count;
    innermost = pending;
    change.made = pending->made;
    return change;
}

VkShaderModule gpu_change_module(struct gpu_change *change, const struct gpu_shader *shader)
{
    const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = shader->instrumented_count * sizeof(uint32_t),
                                           .pCode = shader->instrumented};
    struct gpu_temporary *temporary = scratch_alloc(&thread_self()->scratch, sizeof(*temporary));
    if (!temporary || change->device->dispatch.CreateShaderModule(change->device->handle, &info, NULL,
                                                                  &temporary->module) != VK_SUCCESS)
        return VK_NULL_HANDLE;
    temporary->next = change->temporaries;
    change->temporaries = temporary;
    return temporary->module;
}

void gpu_change_end(struct gpu_change *change)
{
    for (; change->temporaries; change->temporaries = change->temporaries->next)
        change->device->dispatch.DestroyShaderModule(change->device->handle, change->temporaries->module, NULL);
}

struct gpu_pipeline *gpu_change_take(const struct call *call, uint32_t index)
{
    struct pending *pending = innermost;
    if (!pending || pending->call != call || index >= pending->count)
        return NULL;
    struct gpu_pipeline *made = pending->made[index];
    pending->made[index] = NULL;
    return made;
}

void gpu_change_forget(const struct call *call)
{
    struct pending *pending = innermost;
    if (!pending || pending->call != call)
        return;
    for (uint32_t i = 0; i < pending->count; i++)
        gpu_pipeline_free(pending->made[i]);
    innermost = pending->outer;
    mem_free(pending);
}

/* The loader's own stand in front of the app's. 0: unknown. */
static size_t size_of(VkStructureType type)
{
    return type == VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ? sizeof(VkLayerDeviceCreateInfo) : structure_size(type);
}

const void *gpu_chain_replace(const void *chain, const void *target, void *replacement)
{
    const VkBaseInStructure *in = chain;
    const void *first = NULL, **link = &first;
    for (; in && (const void *)in != target; in = in->pNext) {
        size_t size = size_of(in->sType);
        VkBaseInStructure *copy = size ? scratch_alloc(&thread_self()->scratch, size) : NULL;
        if (!copy)
            return NULL;
        memcpy(copy, in, size);
        *link = copy;
        link = (const void **)&copy->pNext;
    }
    if (!in)
        return NULL;
    ((VkBaseInStructure *)replacement)->pNext = in->pNext;
    *link = replacement;
    return first;
}

const VkSpecializationInfo *gpu_specialization(const struct gpu_shaders *shaders, const VkSpecializationInfo *app)
{
    static const VkSpecializationInfo none;
    const VkSpecializationInfo *old = app ? app : &none;
    struct scratch *scratch = &thread_self()->scratch;
    VkSpecializationInfo *info = scratch_alloc(scratch, sizeof(*info));
    VkSpecializationMapEntry *entries = scratch_alloc(scratch, (old->mapEntryCount + (size_t)2) * sizeof(*entries));
    unsigned char *data = scratch_alloc(scratch, old->dataSize + sizeof(uint64_t));
    if (!info || !entries || !data)
        return NULL;
    if (old->mapEntryCount)
        memcpy(entries, old->pMapEntries, old->mapEntryCount * sizeof(*entries));
    if (old->dataSize)
        memcpy(data, old->pData, old->dataSize);
    memcpy(data + old->dataSize, &shaders->anonymous, sizeof(uint64_t)); /* the low word first, as this machine has it */
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
