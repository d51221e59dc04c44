/* Answers requests for a shader object's binary: makes the shader from the program's own code, and
 * gets the driver's binary for it. */
#include "gpu/pipeline/binaries.h"

#include <string.h>

#include "chassis/hooks.h"
#include "gpu/device/areas.h"
#include "gpu/pipeline/copy.h"
#include "gpu/hooks.h"
#include "state/pipeline/shader.h"
#include "vk/pointer.h"

/* A group of shaders that one call has made linked, or one unlinked shader. Threads: const, except
 * members with a note. The list's lock is taken before a group's. */
struct gpu_originals {
    _Atomic uint32_t references;
    const struct device *device; /* NULL once the device is destroyed */
    struct gpu_shaders *shaders;
    /* in the list of `shaders`; `previous` is NULL once the group has left the list. Lock: the
     * list's lock */
    struct gpu_originals *next, **previous;
    struct arena arena; /* of the copies */
    /* `count` of them, with the driver's handles. NULL: they are not needed any more. Written with
     * the list's lock held, after `state` has left ORIGINALS_COPIED */
    const VkShaderCreateInfoEXT *infos;
    struct lock lock; /* held while the driver makes the shaders */
    enum {
        ORIGINALS_COPIED,
        ORIGINALS_MADE,
        ORIGINALS_FAILED, /* the driver refused */
        ORIGINALS_NONE,   /* the driver does not understand this code, which the layer translates */
    } state GUARDED_BY(lock);
    uint32_t count;
    /* the driver's shaders, `count` of them, in the same allocation. Lock: `lock`, until `state` is
     * ORIGINALS_MADE */
    VkShaderEXT *shaders_made;
    struct gpu_original originals[];
};

/* --- making the originals --- */

/* Destroys the driver's shaders of a group; those that were never made are VK_NULL_HANDLE and are
 * skipped. */
static void destroy_shaders(const struct device *device, uint32_t count, const VkShaderEXT *shaders)
{
    for (uint32_t i = 0; i < count; i++) {
        if (shaders[i])
            device->dispatch.DestroyShaderEXT(device->handle, shaders[i], NULL);
    }
}

/* Asks the driver for the shaders of the program's own code. If it refuses one, the others are
 * destroyed again: a group is complete or has failed. */
static void group_make(struct gpu_originals *group, const VkShaderCreateInfoEXT *infos)
    REQUIRES(group->lock)
{
    const struct device *device = group->device;
    const VkResult result = device->dispatch.CreateShadersEXT(device->handle, group->count, infos,
                                                              NULL, group->shaders_made);
    group->state = result == VK_SUCCESS ? ORIGINALS_MADE : ORIGINALS_FAILED;
    if (result == VK_SUCCESS)
        return;
    destroy_shaders(device, group->count, group->shaders_made);
    memset(group->shaders_made, 0, group->count * sizeof(*group->shaders_made));
}

/* Frees the copies of the create infos, which are not needed once the driver has been asked.
 * `infos` is NULL from here on. */
static void group_forget_copies(struct gpu_originals *group)
{
    struct gpu_shaders *shaders = group->shaders;
    lock_take(&shaders->originals_lock);
    group->infos = NULL;
    struct arena arena = group->arena;
    group->arena = (struct arena){0};
    lock_release(&shaders->originals_lock);
    arena_free(&arena, false);
}

/* Makes the group's shaders unless they exist. If several threads ask at once, the others wait for
 * the group's lock. */
static void group_need(struct gpu_originals *group)
{
    lock_take(&group->lock);
    if (group->state == ORIGINALS_COPIED)
        group_make(group, group->infos);
    lock_release(&group->lock);
    group_forget_copies(group);
}

/* --- references and lists --- */

/* Takes a reference. Returns false if the last one is gone, and the group is about to be freed. */
static bool group_acquire(struct gpu_originals *group)
{
    uint32_t references = atomic_load_explicit(&group->references, memory_order_relaxed);
    while (references &&
           !atomic_compare_exchange_weak_explicit(&group->references, &references, references + 1,
                                                  memory_order_relaxed, memory_order_relaxed))
        ;
    return references;
}

/* Takes the group out of its list; does nothing if it is in no list. The caller holds
 * originals_lock. */
static void group_delist(struct gpu_originals *group)
{
    if (!group->previous)
        return;
    *group->previous = group->next;
    if (group->next)
        group->next->previous = group->previous;
    group->previous = NULL;
}

/* Drops a reference. The last one destroys the driver's shaders, unless the device was destroyed
 * first and `device` is NULL. */
static void group_release(struct gpu_originals *group)
{
    if (atomic_fetch_sub_explicit(&group->references, 1, memory_order_acq_rel) != 1)
        return;
    if (group->device) {
        lock_take(&group->shaders->originals_lock);
        group_delist(group);
        lock_release(&group->shaders->originals_lock);
        destroy_shaders(group->device, group->count, group->shaders_made);
    }
    arena_free(&group->arena, false);
    lock_destroy(&group->lock);
    mem_retire(group);
}

/* Makes a group of `count` shaders, each of which will hold a reference. It is in no list yet.
 * Returns NULL if memory is out. */
static struct gpu_originals *group_new(const struct gpu_change *change, uint32_t count)
{
    const size_t size = sizeof(struct gpu_originals) + count * sizeof(struct gpu_original);
    struct gpu_originals *group = mem_alloc_zeroed(size + count * sizeof(VkShaderEXT));
    if (!group)
        return NULL;
    atomic_init(&group->references, count);
    group->device = change->device;
    group->shaders = change->shaders;
    group->count = count;
    group->shaders_made = (VkShaderEXT *)((char *)group + size);
    lock_init(&group->lock);
    for (uint32_t i = 0; i < count; i++)
        group->originals[i] = (struct gpu_original){group, i};
    return group;
}

/* Copies the create infos. Returns false if memory is out, or one of them may have a part that
 * cannot be copied. */
static bool group_copy(struct gpu_originals *group, const VkShaderCreateInfoEXT *infos)
{
    VkShaderCreateInfoEXT *copies = arena_take(&group->arena, group->count * sizeof(*copies));
    for (uint32_t i = 0; copies && i < group->count; i++) {
        const VkShaderCreateInfoEXT *copy = gpu_copy_create_info(&group->arena, &infos[i]);
        if (!copy)
            return false;
        copies[i] = *copy;
    }
    group->infos = copies;
    return copies != NULL;
}

/* Enters the group into the list that is searched when a set layout or the device is destroyed. */
static void group_enlist(struct gpu_originals *group)
{
    struct gpu_shaders *shaders = group->shaders;
    lock_take(&shaders->originals_lock);
    group->next = shaders->originals;
    group->previous = &shaders->originals;
    if (group->next)
        group->next->previous = &group->next;
    shaders->originals = group;
    lock_release(&shaders->originals_lock);
}

/* Makes the group of the create infos at these indices. `translated`: the layer translates the code
 * of one of them, and the driver never gets it. */
static void keep_group(struct gpu_change *change, const VkShaderCreateInfoEXT *down,
                       const uint32_t *indices, uint32_t count, bool translated)
{
    struct scratch *scratch = &thread_self()->scratch;
    struct scratch_mark mark = scratch_mark(scratch);
    VkShaderCreateInfoEXT *infos = scratch_alloc(scratch, count * sizeof(*infos));
    struct gpu_originals *group = infos ? group_new(change, count) : NULL;
    if (group) {
        for (uint32_t i = 0; i < count; i++) {
            infos[i] = down[indices[i]];
            change->made[indices[i]].original = &group->originals[i];
        }
        lock_take(&group->lock);
        if (translated)
            group->state = ORIGINALS_NONE;
        else if (!group_copy(group, infos))
            group_make(group, infos);
        lock_release(&group->lock);
        group_enlist(group);
    }
    scratch_rewind(scratch, mark);
}

void gpu_originals_keep(struct gpu_change *change, const VkShaderCreateInfoEXT *down,
                        uint32_t count)
{
    uint32_t *linked =
        scratch_alloc(&thread_self()->scratch, (count + (size_t)1) * sizeof(*linked));
    uint32_t linked_count = 0;
    bool translated = false;
    for (uint32_t i = 0; linked && change->made && i < count; i++) {
        /* A shader made from a binary is the driver's own already. */
        if (down[i].codeType != VK_SHADER_CODE_TYPE_SPIRV_EXT)
            continue;
        if (down[i].flags & VK_SHADER_CREATE_LINK_STAGE_BIT_EXT) {
            linked[linked_count++] = i;
            translated |= change->made[i].translated;
        } else {
            keep_group(change, down, &i, 1, change->made[i].translated);
        }
    }
    /* Linked shaders are made in one call, as the driver may optimize over all of them. */
    if (linked_count)
        keep_group(change, down, linked, linked_count, translated);
}

void gpu_original_free(struct gpu_original *original)
{
    if (original)
        group_release(original->group);
}

void gpu_originals_end(struct gpu_shaders *shaders, const struct device *device)
{
    lock_take(&shaders->originals_lock);
    while (shaders->originals) {
        struct gpu_originals *group = shaders->originals;
        group_delist(group);
        if (device)
            destroy_shaders(device, group->count, group->shaders_made);
        /* Releasing a remaining reference frees only the layer's memory from here on. */
        group->device = NULL;
    }
    lock_release(&shaders->originals_lock);
}

/* the list's lock is held during the fork */
void gpu_originals_fork(const struct gpu_shaders *shaders, enum fork_step step) NOT_ANALYSED
{
    for (struct gpu_originals *group = shaders->originals; group; group = group->next)
        lock_fork(&group->lock, step);
}

/* --- set layouts of originals --- */

/* True if the group is not made yet, and needs this set layout of the driver's. The caller holds
 * originals_lock, which guards `infos`. */
static bool group_uses(const struct gpu_originals *group, uint64_t layout)
{
    for (uint32_t i = 0; group->infos && i < group->count; i++) {
        const VkShaderCreateInfoEXT *info = &group->infos[i];
        for (uint32_t k = 0; info->pSetLayouts && k < info->setLayoutCount; k++) {
            if ((uint64_t)info->pSetLayouts[k] == layout)
                return true;
        }
    }
    return false;
}

/* Finds a group that is not made yet and needs the driver's set layout. The caller gets a
 * reference. NULL: there is none. */
static struct gpu_originals *find_user(struct gpu_shaders *shaders, uint64_t layout)
{
    lock_take(&shaders->originals_lock);
    struct gpu_originals *group = shaders->originals;
    while (group && !(group_uses(group, layout) && group_acquire(group)))
        group = group->next;
    lock_release(&shaders->originals_lock);
    return group;
}

/* Makes the originals that use a set layout before it is destroyed, as they could not be made
 * later. */
void gpu_before_DestroyDescriptorSetLayout(struct call *call, VkDevice device,
                                           VkDescriptorSetLayout descriptorSetLayout,
                                           const VkAllocationCallbacks *pAllocator)
{
    struct gpu_shaders *shaders = gpu_in_device(call->device)->shaders;
    const struct object *object = shaders ? call->named[0].object : NULL;
    struct gpu_originals *group;
    while (object && (group = find_user(shaders, object_driver(object)))) {
        group_need(group);
        group_release(group);
    }
}

void gpu_before_DestroyShaderEXT(struct call *call, VkDevice device, VkShaderEXT shader,
                                 const VkAllocationCallbacks *pAllocator)
{
    const struct shader_object *object = named_shader_object(call, 0, shader);
    if (object)
        gpu_original_free(atomic_exchange_explicit(&gpu_in_shader_object(object)->original, NULL,
                                                   memory_order_acq_rel));
}

/* --- vkGetShaderBinaryDataEXT --- */

/* A program gets this if there is no binary. It can be kept like one; creating a shader from it
 * gives VK_INCOMPATIBLE_SHADER_BINARY_EXT, which each program must expect. */
static const char none[32] = "Assay: no shader binary";

bool gpu_binary_is_none(const VkShaderCreateInfoEXT *info)
{
    return info->codeType == VK_SHADER_CODE_TYPE_BINARY_EXT && info->codeSize == sizeof(none) &&
           !pointer_is_bad(info->pCode) && !memcmp(info->pCode, none, sizeof(none));
}

/* Returns the mark for "no binary", by the rules of vkGetShaderBinaryDataEXT: only the size without
 * `data`, and VK_INCOMPLETE if there is no room. */
static VkResult give_none(size_t *size, void *data)
{
    if (!data) {
        *size = sizeof(none);
        return VK_SUCCESS;
    }
    if (*size < sizeof(none)) {
        *size = 0;
        return VK_INCOMPLETE;
    }
    memcpy(data, none, sizeof(none));
    *size = sizeof(none);
    return VK_SUCCESS;
}

/* Returns the binary of one shader of the group, which is made first if needed. If that failed, the
 * mark for "no binary" is returned. */
static VkResult group_answer(struct gpu_originals *group, uint32_t index, size_t *size, void *data)
{
    group_need(group);
    lock_take(&group->lock);
    const bool made = group->state == ORIGINALS_MADE;
    lock_release(&group->lock);
    return made && group->device
               ? group->device->dispatch.GetShaderBinaryDataEXT(group->device->handle,
                                                                group->shaders_made[index], size,
                                                                data)
               : give_none(size, data);
}

VkResult gpu_down_GetShaderBinaryDataEXT(struct call *call, VkShaderEXT app, VkDevice device,
                                         VkShaderEXT shader, size_t *pDataSize, void *pData)
{
    const struct shader_object *object = find_shader_object(call, app);
    struct gpu_in_shader_object *area = object ? gpu_in_shader_object(object) : NULL;
    const struct gpu_original *original =
        area ? atomic_load_explicit(&area->original, memory_order_acquire) : NULL;
    /* The reference is held during the driver's call, as an invalid program may destroy the shader
     * meanwhile. */
    if (original && group_acquire(original->group)) {
        const VkResult result = group_answer(original->group, original->index, pDataSize, pData);
        group_release(original->group);
        return result;
    }
    /* The shader was made from a binary, and is unchanged. */
    if (!area || !area->changed)
        return call->device->dispatch.GetShaderBinaryDataEXT(device, shader, pDataSize, pData);
    return give_none(pDataSize, pData);
}
