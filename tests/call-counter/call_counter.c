/* Counts a program's Vulkan calls by command, and the frames that it has shown, and notes how it
 * makes its instance.
 *
 * It is a layer that counts and does nothing else. It knows no command by name. Whatever the chain
 * below answers is handed out with a thunk of its own before it, which counts and jumps on. The
 * counts lie in a file, mapped, so that others read them while the program runs:
 * `$CALL_COUNTER_FILE.<pid>`, records of 64 bytes (name, then a 64-bit count), as many as are used.
 * `$CALL_COUNTER_FILE.<pid>.instances` has a line for each vkCreateInstance. One chain of layers
 * and one driver a process: the next layer's doors are kept once. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

/* the registry has some 900 commands with their aliases, at instance and at device level; also
 * in the assembly */
#define RECORD_COUNT 4096
#define NAME_SIZE    56

struct record {
    char name[NAME_SIZE];
    uint64_t count;
};
_Static_assert(sizeof(struct record) == 64, "the thunks and the reader rely on it");

/* Named by the thunks below. Threads: a count is changed by a locked add; the rest under `lock`,
 * before its thunk is handed out. */
__attribute__((visibility("hidden"), aligned(4096),
               used)) struct record call_counter_records[RECORD_COUNT];
__attribute__((visibility("hidden"), used)) PFN_vkVoidFunction call_counter_next[RECORD_COUNT];
extern __attribute__((visibility("hidden"))) const char call_counter_thunks[];

#define THUNK_SIZE 32
__asm__(".text\n"
        ".balign 32\n"
        ".hidden call_counter_thunks\n"
        "call_counter_thunks:\n"
        ".set thunk_index, 0\n"
        ".rept 4096\n"
        ".balign 32\n"
        "lock incq call_counter_records + 56 + thunk_index * 64(%rip)\n"
        "jmp *call_counter_next + thunk_index * 8(%rip)\n"
        ".set thunk_index, thunk_index + 1\n"
        ".endr\n");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t used;
static VkInstance last_instance;
static PFN_vkGetInstanceProcAddr next_instance_proc;
static PFN_vkGetDeviceProcAddr next_device_proc;

static void records_map(void)
{
    const char *prefix = getenv("CALL_COUNTER_FILE");
    char path[4096];
    static bool mapped;
    if (!prefix || mapped)
        return;
    mapped = true;
    snprintf(path, sizeof(path), "%s.%d", prefix, (int)getpid());
    const int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0 || ftruncate(file, sizeof(call_counter_records)) ||
        mmap(call_counter_records, sizeof(call_counter_records), PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED)
        fprintf(stderr, "call counter: cannot write %s\n", path);
    if (file >= 0)
        close(file);
}

/* The thunk that counts as `name` and goes on to `next`. Two levels that lead to different
 * functions have a record each. */
static PFN_vkVoidFunction thunk_for(const char *name, PFN_vkVoidFunction next)
{
    if (!next)
        return NULL;
    pthread_mutex_lock(&lock);
    uint32_t i = 0;
    while (i < used && (call_counter_next[i] != next ||
                        strncmp(call_counter_records[i].name, name, NAME_SIZE - 1)))
        i++;
    if (i == used && used < RECORD_COUNT) {
        strncpy(call_counter_records[i].name, name, NAME_SIZE - 1);
        call_counter_next[i] = next;
        used++;
    }
    const bool full = i == RECORD_COUNT;
    pthread_mutex_unlock(&lock);
    return full ? next
                : (PFN_vkVoidFunction)(uintptr_t)(call_counter_thunks + (size_t)i * THUNK_SIZE);
}

static void list_print(FILE *file, const char *what, const char *const *names, uint32_t count)
{
    fprintf(file, " %s=", what);
    for (uint32_t i = 0; i < count; i++)
        fprintf(file, "%s%s", i ? "," : "", names[i]);
}

/* Notes what matters to a layer about how a program makes its instance. */
static void instance_note(const VkInstanceCreateInfo *info)
{
    const char *prefix = getenv("CALL_COUNTER_FILE");
    char path[4096];
    bool messenger = false;
    if (!prefix)
        return;
    snprintf(path, sizeof(path), "%s.%d.instances", prefix, (int)getpid());
    FILE *file = fopen(path, "a");
    if (!file)
        return;
    for (const VkBaseInStructure *next = info->pNext; next; next = next->pNext)
        messenger |= next->sType == VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT ||
                     next->sType == VK_STRUCTURE_TYPE_DEBUG_REPORT_CALLBACK_CREATE_INFO_EXT;
    const uint32_t version = info->pApplicationInfo ? info->pApplicationInfo->apiVersion : 0;
    fprintf(file, "api=%u.%u messenger=%d global=%d", VK_API_VERSION_MAJOR(version),
            VK_API_VERSION_MINOR(version), messenger,
            dlsym(RTLD_DEFAULT, "vkGetInstanceProcAddr") != NULL);
    list_print(file, "layers", info->ppEnabledLayerNames, info->enabledLayerCount);
    list_print(file, "extensions", info->ppEnabledExtensionNames, info->enabledExtensionCount);
    fputc('\n', file);
    fclose(file);
}

static VKAPI_ATTR VkResult VKAPI_CALL
counter_create_instance(const VkInstanceCreateInfo *info, const VkAllocationCallbacks *allocator,
                        VkInstance *instance)
{
    VkLayerInstanceCreateInfo *link = (VkLayerInstanceCreateInfo *)info->pNext;
    while (link && (link->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO ||
                    link->function != VK_LAYER_LINK_INFO))
        link = (VkLayerInstanceCreateInfo *)link->pNext;
    if (!link)
        return VK_ERROR_INITIALIZATION_FAILED;
    instance_note(info);
    next_instance_proc = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    PFN_vkCreateInstance create =
        (PFN_vkCreateInstance)thunk_for("vkCreateInstance",
                                        next_instance_proc(NULL, "vkCreateInstance"));
    const VkResult result = create(info, allocator, instance);
    if (result == VK_SUCCESS)
        last_instance = *instance;
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL counter_create_device(VkPhysicalDevice physical_device,
                                                            const VkDeviceCreateInfo *info,
                                                            const VkAllocationCallbacks *allocator,
                                                            VkDevice *device)
{
    VkLayerDeviceCreateInfo *link = (VkLayerDeviceCreateInfo *)info->pNext;
    while (link && (link->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ||
                    link->function != VK_LAYER_LINK_INFO))
        link = (VkLayerDeviceCreateInfo *)link->pNext;
    if (!link)
        return VK_ERROR_INITIALIZATION_FAILED;
    next_device_proc = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    PFN_vkGetInstanceProcAddr instance_proc = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    PFN_vkCreateDevice create =
        (PFN_vkCreateDevice)thunk_for("vkCreateDevice",
                                      instance_proc(last_instance, "vkCreateDevice"));
    return create(physical_device, info, allocator, device);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL counter_device_proc(VkDevice device,
                                                                    const char *name)
{
    if (!strcmp(name, "vkGetDeviceProcAddr"))
        return (PFN_vkVoidFunction)counter_device_proc;
    return thunk_for(name, next_device_proc(device, name));
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL counter_instance_proc(VkInstance instance,
                                                                      const char *name)
{
    if (!strcmp(name, "vkGetInstanceProcAddr"))
        return (PFN_vkVoidFunction)counter_instance_proc;
    if (!strcmp(name, "vkGetDeviceProcAddr"))
        return (PFN_vkVoidFunction)counter_device_proc;
    if (!strcmp(name, "vkCreateInstance"))
        return (PFN_vkVoidFunction)counter_create_instance;
    if (!strcmp(name, "vkCreateDevice"))
        return (PFN_vkVoidFunction)counter_create_device;
    return instance ? thunk_for(name, next_instance_proc(instance, name)) : NULL;
}

__attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *interface)
{
    if (interface->loaderLayerInterfaceVersion < 2)
        return VK_ERROR_INITIALIZATION_FAILED;
    records_map();
    interface->loaderLayerInterfaceVersion = 2;
    interface->pfnGetInstanceProcAddr = counter_instance_proc;
    interface->pfnGetDeviceProcAddr = counter_device_proc;
    interface->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
