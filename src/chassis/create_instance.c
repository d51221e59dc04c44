/* Makes and destroys instances. */
#include "chassis/create.h"
#include "chassis/emulated.h"
#include "chassis/entries.h"
#include "chassis/hooks.h"
#include "report/finding/reporter.h"
#include "vk/chain.h"

#include <stdio.h>
#include <vulkan/vk_layer.h>

/* Finds the loader's link to the next layer in the chain of VkInstanceCreateInfo. NULL: the call is
 * not from a loader. */
static VkLayerInstanceCreateInfo *find_link(const VkInstanceCreateInfo *info)
{
    for (struct chain_walk walk = chain_begin(info ? info->pNext : NULL); walk.at;
         chain_step(&walk)) {
        VkLayerInstanceCreateInfo *link = (VkLayerInstanceCreateInfo *)(uintptr_t)walk.at;
        if (walk.at->sType == VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO &&
            link->function == VK_LAYER_LINK_INFO)
            return link;
    }
    return NULL;
}

/* The loader has the layer twice in its chain if both of its names are enabled. The outer copy
 * works, and it calls what comes after the inner copy. */
static void skip_second_name(VkLayerInstanceCreateInfo *link)
{
    while (link->u.pLayerInfo->pfnNextGetInstanceProcAddr == entry_vkGetInstanceProcAddr &&
           link->u.pLayerInfo->pNext)
        link->u.pLayerInfo = link->u.pLayerInfo->pNext;
}

/* The chain of the instance that is being made, or the last one if several threads make instances.
 * Relaxed order is enough: only the thread that stored its own chain finds that address here. */
static const VkLayerInstanceCreateInfo *_Atomic chain_in_work;

/* Fails the call, as another layer is between the two copies: its calls would come back to the
 * outer copy forever. */
static VkResult refuse_second_name(void)
{
    (void)fputs("Assay: the layer is asked for by both of its names, VK_LAYER_ASSAY_validation and "
                "VK_LAYER_KHRONOS_validation, with another layer between: take one of them away\n",
                stderr);
    return VK_ERROR_INITIALIZATION_FAILED;
}

/* Frees an instance that calls do not find any more, or never did. Its reporter may be NULL. */
static void instance_free(struct instance *instance)
{
    hook_table_free(&instance->hooks);
    if (instance->reporter)
        reporter_destroy(instance->reporter);
    settings_free(&instance->settings);
    mem_free(instance->application_name);
    mem_free(instance->engine_name);
    mem_free(instance);
}

/* Makes the state of an instance from what is known before the driver's instance exists. NULL:
 * memory is out. */
static struct instance *instance_new(const VkInstanceCreateInfo *info)
{
    /* The table is made once for the process; later instances use the same one. */
    if (!object_table_init())
        return NULL;
    fork_prepare();
    atomic_store_explicit(&object_state_destroy, validators_destroy_state, memory_order_relaxed);
    struct instance *instance = mem_alloc_lines_zeroed(sizeof(*instance));
    if (!instance)
        return NULL;
    const VkApplicationInfo *app = info->pApplicationInfo;
    /* "... providing an apiVersion of 0 is equivalent to" 1.0. */
    instance->api_version = app && app->apiVersion ? app->apiVersion : VK_API_VERSION_1_0;
    extension_set_enable(&instance->extensions, instance->api_version,
                         info->ppEnabledExtensionNames,
                         info->ppEnabledExtensionNames ? info->enabledExtensionCount : 0);

    struct settings_diagnostics diagnostics = {0};
    /* The reporter needs the settings, so diagnostics are kept until the reporter exists. */
    settings_load(&instance->settings, info, &diagnostics);
    instance->wrap_handles = instance->settings.unique_handles;
    instance->reporter = reporter_create(&instance->settings, info);
    reporter_emit_diagnostics(instance->reporter, &diagnostics);
    settings_diagnostics_free(&diagnostics);
    instance->validator_count = validators_select(&instance->settings, instance->validators);
    if (!hook_table_build(&instance->hooks, instance->validators, instance->validator_count)) {
        instance_free(instance);
        return NULL;
    }
    return instance;
}

/* Copies the names of the program and its engine, once they have been found to be strings. If out
 * of memory, they stay NULL. */
static void instance_read_names(struct instance *instance, const VkApplicationInfo *app)
{
    if (app && app->pApplicationName)
        instance->application_name = mem_copy_string(app->pApplicationName);
    if (app && app->pEngineName)
        instance->engine_name = mem_copy_string(app->pEngineName);
}

/* Completes the instance's state, so that calls find it. Returns false if there is no slot or index
 * left. */
static bool instance_publish(struct instance *instance, VkInstance handle,
                             PFN_vkGetInstanceProcAddr next, const void *caller, bool has_allocator)
{
    instance->handle = handle;
    instance_dispatch_load(&instance->dispatch, handle, next,
                           instance->api_version < VK_API_VERSION_1_1);
    /* This replaces functions of the table that was just loaded. */
    emulated_instance_begin(instance);
    instance->owner = owner_add(instance, false);
    if (!instance->owner)
        return false;
    const struct object_create_info info = {.type = HANDLE_INSTANCE,
                                            .driver = (uint64_t)(uintptr_t)handle,
                                            .owner = instance->owner,
                                            .has_allocator = has_allocator,
                                            .creator = caller};
    instance->object = object_create(&info);
    if (!instance->object)
        owner_remove(instance->owner);
    return instance->object != NULL;
}

VKAPI_ATTR VkResult VKAPI_CALL entry_vkCreateInstance(const VkInstanceCreateInfo *pCreateInfo,
                                                      const VkAllocationCallbacks *pAllocator,
                                                      VkInstance *pInstance)
{
    VkLayerInstanceCreateInfo *link = find_link(pCreateInfo);
    if (!link || !link->u.pLayerInfo)
        return VK_ERROR_INITIALIZATION_FAILED;
    if (link == atomic_load_explicit(&chain_in_work, memory_order_relaxed))
        return refuse_second_name();
    skip_second_name(link);
    PFN_vkGetInstanceProcAddr next = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    PFN_GetPhysicalDeviceProcAddr next_physical =
        link->u.pLayerInfo->pfnNextGetPhysicalDeviceProcAddr;
    PFN_vkCreateInstance create = (PFN_vkCreateInstance)next(NULL, "vkCreateInstance");
    if (!create)
        return VK_ERROR_INITIALIZATION_FAILED;
    struct instance *instance = instance_new(pCreateInfo);
    if (!instance)
        return VK_ERROR_OUT_OF_HOST_MEMORY;

    struct call call = {.command = COMMAND_CreateInstance, .caller = __builtin_return_address(0)};
    call_set_instance(&call, instance);
    bool (*const *validate)(struct call *, const VkInstanceCreateInfo *,
                            const VkAllocationCallbacks *, VkInstance *) =
        (void *)hook_list(&instance->hooks, COMMAND_CreateInstance);
    bool skip = false;
    for (; *validate && !call.dead_handle; validate++)
        skip |= (*validate)(&call, pCreateInfo, pAllocator, pInstance);
    if (skip || call.dead_handle) {
        instance_free(instance);
        return VK_ERROR_VALIDATION_FAILED_EXT;
    }
    instance_read_names(instance, pCreateInfo->pApplicationInfo);
    void (*const *hook)(struct call *, const VkInstanceCreateInfo *, const VkAllocationCallbacks *,
                        VkInstance *) = (void *)(validate + 1);
    for (; *hook; hook++)
        (*hook)(&call, pCreateInfo, pAllocator, pInstance);

    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    VkInstanceCreateInfo down = *pCreateInfo;
    struct scratch_mark mark = scratch_mark(&thread_self()->scratch);
    for (uint32_t i = 0; i < instance->validator_count; i++) {
        if (instance->validators[i]->change_instance)
            instance->validators[i]->change_instance(instance, &down);
    }
    /* The outer value is restored after the call: another layer's callback may make an instance in
     * it. */
    const VkLayerInstanceCreateInfo *outer =
        atomic_exchange_explicit(&chain_in_work, link, memory_order_relaxed);
    call.result = create(&down, pAllocator, pInstance);
    atomic_store_explicit(&chain_in_work, outer, memory_order_relaxed);
    scratch_rewind(&thread_self()->scratch, mark);
    if (call.result != VK_SUCCESS) {
        instance_free(instance);
        return call.result;
    }
    if (!instance_publish(instance, *pInstance, next, call.caller, pAllocator != NULL)) {
        instance->dispatch.DestroyInstance(*pInstance, pAllocator);
        instance_free(instance);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    instance->dispatch.GetPhysicalDeviceProcAddr = next_physical;
    call_set_instance(&call, instance); /* the instance has its index now */
    call.object = instance->object;
    for (hook++; *hook; hook++)
        (*hook)(&call, pCreateInfo, pAllocator, pInstance);
    reporter_creation_ends(instance->reporter);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL entry_vkDestroyInstance(VkInstance instance,
                                                   const VkAllocationCallbacks *pAllocator)
{
    CALL(call, COMMAND_DestroyInstance);
    if (!instance || !call_begin_instance(&call, COMMAND_DestroyInstance,
                                          __builtin_return_address(0), instance, HANDLE_INSTANCE))
        return;
    struct instance *state = call.instance;
    /* The messengers of VkInstanceCreateInfo receive the findings of the destruction. */
    reporter_destruction_begins(state->reporter);
    bool (*const *validate)(struct call *, VkInstance, const VkAllocationCallbacks *) =
        (void *)hook_list(&state->hooks, COMMAND_DestroyInstance);
    /* The instance is destroyed whatever callbacks answer. The loader frees its own in any case,
     * and another instance may get the same address. */
    for (; *validate; validate++) {
        if (!call.dead_handle)
            (void)(*validate)(&call, instance, pAllocator);
    }
    void (*const *hook)(struct call *, VkInstance, const VkAllocationCallbacks *) =
        (void *)(validate + 1);
    for (; *hook; hook++)
        (*hook)(&call, instance, pAllocator);
    struct destruction dying; /* with the objects that the program leaked */
    if (!destruction_begin_owner(&dying, state->object))
        return; /* another thread is destroying the instance */
    /* Devices that the program has leaked must no longer refer to the instance, which is freed
     * next. */
    object_for_each_device(state->object, device_abandon, NULL);
    if (!call.dead_handle)
        state->dispatch.DestroyInstance(instance, pAllocator);
    for (hook++; *hook; hook++)
        (*hook)(&call, instance, pAllocator);
    destruction_end(&dying);
    owner_remove(state->owner);
    instance_free(state);
}
