/* Does every generated check find its mistake, and nothing else? Each command is called once for each rule that its arguments fall under,
 * with valid arguments but for the one change that breaks the rule; then once with valid arguments, which must find nothing.
 *
 * usage: generated [--fired FILE] [--verbose] --strict FILE [COMMAND ...]
 * --strict names a configuration of the null driver without VK_KHR_maintenance5.
 * The environment names the layer's directory and the driver (VK_LAYER_PATH, VK_DRIVER_FILES), as for any program.
 *
 * Commands run in processes forked off one that has an instance and a device: what one breaks, the next does not see. A process that dies
 * in a case fails that case; another one goes on after it. */
#include "driver.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "valid.h"

#define LAYER "VK_LAYER_ASSAY_validation"
#define FINDING_LIMIT 16
#define ID_SIZE 160
#define CASE_SECONDS 20

/* Shared with the processes that run the cases. */
struct progress {
    unsigned next;    /* case that is under way; case_count is the valid call */
    bool under_way;
    unsigned passed, failed;
};
static struct progress *progress;

static struct {
    VkInstance instance;
    VkPhysicalDevice physical_device;
    VkDevice device, bare_device; /* the second was created without queues */
    VkQueue queue;
    VkCommandPool pool;
    VkCommandBuffer command_buffer;
    VkDebugUtilsMessengerEXT messenger;
} world;
static PFN_vkGetInstanceProcAddr get_instance_proc;
static PFN_vkGetDeviceProcAddr get_device_proc;
static FILE *fired;
static bool verbose;
static const char *strict_configuration;
static bool strict; /* the world under way is one without VK_KHR_maintenance5 */

/* What the messenger heard during one call. */
static char findings[FINDING_LIMIT][ID_SIZE];
static char texts[FINDING_LIMIT][1024];
static unsigned finding_count;
static bool listening;

/* --- memory --- */

void *test_allocate(size_t size)
{
    void *memory = calloc(1, size ? size : 1);
    if (!memory)
        abort();
    return memory;
}

void *test_memory(void)
{
    return test_allocate(4096);
}

void *test_value_array(uint64_t value, size_t size)
{
    void *memory = test_memory();
    memcpy(memory, &value, size < sizeof(value) ? size : sizeof(value));
    return memory;
}

void *test_handle_array(uint64_t handle)
{
    return test_value_array(handle, sizeof(handle));
}

void *test_pointer_array(void *pointer)
{
    return test_value_array((uint64_t)(uintptr_t)pointer, sizeof(pointer));
}

void *test_count(size_t size)
{
    return test_value_array(1, size);
}

const char *const *test_strings(void)
{
    static const char *const strings[] = {"text", "text"};
    return strings;
}

const char *const *test_layer_names(void)
{
    static const char *const names[] = {LAYER};
    return names;
}

const char *const *test_extension_names(void)
{
    static const char *const names[] = {VK_KHR_MAINTENANCE_1_EXTENSION_NAME};
    return names;
}

void test_callback(void)
{
}

void *test_chain(void *head, void *structure, size_t size)
{
    VkBaseOutStructure *base = head, *added = structure;
    if (size < sizeof(*added))
        abort();
    added->pNext = base->pNext;
    base->pNext = added;
    return structure;
}

void *test_unknown_structure(void)
{
    VkBaseOutStructure *structure = test_allocate(sizeof(*structure));
    structure->sType = (VkStructureType)0x7ffffffe;
    return structure;
}

PFN_vkVoidFunction test_proc(const char *name, bool of_device)
{
    if (of_device)
        return get_device_proc(world.device, name);
    PFN_vkVoidFunction function = get_instance_proc(world.instance, name);
    return function ? function : get_instance_proc(NULL, name);
}

/* --- handles that no single call makes --- */

VkInstance handle_VkInstance(void)
{
    return world.instance;
}

VkPhysicalDevice handle_VkPhysicalDevice(void)
{
    return world.physical_device;
}

VkDevice handle_VkDevice(void)
{
    return world.device;
}

VkQueue handle_VkQueue(void)
{
    return world.queue;
}

static VkCommandBuffer make_command_buffer(VkCommandBufferLevel level)
{
    PFN_vkAllocateCommandBuffers allocate = (PFN_vkAllocateCommandBuffers)test_proc("vkAllocateCommandBuffers", true);
    VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                        .commandPool = world.pool,
                                        .level = level,
                                        .commandBufferCount = 1};
    VkCommandBuffer command_buffer = NULL;
    allocate(world.device, &info, &command_buffer);
    return command_buffer;
}

VkCommandBuffer handle_VkCommandBuffer(void)
{
    return world.command_buffer;
}

void test_make_secondary(VkCommandBuffer *command_buffer)
{
    *command_buffer = make_command_buffer(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
}

VkPipelineBinaryKHR handle_VkPipelineBinaryKHR(void)
{
    struct args_CreatePipelineBinariesKHR *a = test_allocate(sizeof(*a));
    fill_args_CreatePipelineBinariesKHR(a);
    invoke_CreatePipelineBinariesKHR(a);
    return a->pBinaries->pPipelineBinaries[0];
}

/* --- the world --- */

static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types,
                                                 const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
    (void)severity, (void)types, (void)user;
    const char *id = data->pMessageIdName ? data->pMessageIdName : "(none)";
    if (!listening || !strncmp(id, "Loader", 6))
        return VK_FALSE;
    for (unsigned i = 0; i < finding_count; i++) {
        if (!strcmp(findings[i], id))
            return VK_TRUE;
    }
    if (finding_count < FINDING_LIMIT) {
        snprintf(findings[finding_count], ID_SIZE, "%s", id);
        snprintf(texts[finding_count++], sizeof(texts[0]), "%s", data->pMessage ? data->pMessage : "");
    }
    return VK_TRUE;
}

static VkDebugUtilsMessengerCreateInfoEXT messenger_info(void)
{
    return (VkDebugUtilsMessengerCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_message,
    };
}

void test_prepare_instance(const VkInstanceCreateInfo *info)
{
    static const char *const extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
    VkDebugUtilsMessengerCreateInfoEXT *messenger = test_allocate(sizeof(*messenger));
    *messenger = messenger_info();
    SET(info->pNext, messenger);
    SET(info->ppEnabledExtensionNames, extensions);
    SET(info->pApplicationInfo->apiVersion, VK_API_VERSION_1_3);
}

static void fail(const char *what)
{
    fprintf(stderr, "generated: %s\n", what);
    exit(EXIT_FAILURE);
}

/* The names of what a list of extensions holds. */
static const char **extension_names(const VkExtensionProperties *extensions, uint32_t count)
{
    const char **names = test_allocate(count * sizeof(*names));
    for (uint32_t i = 0; i < count; i++)
        names[i] = extensions[i].extensionName;
    return names;
}

static void create_instance(void)
{
    PFN_vkEnumerateInstanceExtensionProperties enumerate =
        (PFN_vkEnumerateInstanceExtensionProperties)get_instance_proc(NULL, "vkEnumerateInstanceExtensionProperties");
    PFN_vkCreateInstance create = (PFN_vkCreateInstance)get_instance_proc(NULL, "vkCreateInstance");
    uint32_t count = 0;
    enumerate(NULL, &count, NULL);
    VkExtensionProperties *extensions = test_allocate((count + 1) * sizeof(*extensions));
    enumerate(NULL, &count, extensions);
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_4};
    VkDebugUtilsMessengerCreateInfoEXT messenger = messenger_info();
    const char *layer = LAYER;
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pNext = &messenger,
                                 .pApplicationInfo = &application,
                                 .enabledLayerCount = 1,
                                 .ppEnabledLayerNames = &layer,
                                 .enabledExtensionCount = count,
                                 .ppEnabledExtensionNames = extension_names(extensions, count)};
    if (create(&info, NULL, &world.instance) != VK_SUCCESS)
        fail("no instance");
    PFN_vkCreateDebugUtilsMessengerEXT create_messenger =
        (PFN_vkCreateDebugUtilsMessengerEXT)get_instance_proc(world.instance, "vkCreateDebugUtilsMessengerEXT");
    messenger.pNext = NULL;
    if (create_messenger(world.instance, &messenger, NULL, &world.messenger) != VK_SUCCESS)
        fail("no messenger");
    PFN_vkEnumeratePhysicalDevices enumerate_devices =
        (PFN_vkEnumeratePhysicalDevices)get_instance_proc(world.instance, "vkEnumeratePhysicalDevices");
    count = 1;
    if (enumerate_devices(world.instance, &count, &world.physical_device) < 0 || !count)
        fail("no physical device");
}

static VkDevice create_device(uint32_t queue_infos)
{
    PFN_vkEnumerateDeviceExtensionProperties enumerate =
        (PFN_vkEnumerateDeviceExtensionProperties)get_instance_proc(world.instance, "vkEnumerateDeviceExtensionProperties");
    PFN_vkCreateDevice create = (PFN_vkCreateDevice)get_instance_proc(world.instance, "vkCreateDevice");
    uint32_t count = 0;
    enumerate(world.physical_device, NULL, &count, NULL);
    VkExtensionProperties *extensions = test_allocate((count + 1) * sizeof(*extensions));
    enumerate(world.physical_device, NULL, &count, extensions);
    static const float priority = 1;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .queueCreateInfoCount = queue_infos,
                               .pQueueCreateInfos = &queue,
                               .enabledExtensionCount = count,
                               .ppEnabledExtensionNames = extension_names(extensions, count)};
    VkDevice device = VK_NULL_HANDLE;
    if (create(world.physical_device, &info, NULL, &device) != VK_SUCCESS)
        fail("no device");
    return device;
}

static void create_world(void)
{
    void *loader = dlopen("libvulkan.so.1", RTLD_NOW);
    get_instance_proc = loader ? (PFN_vkGetInstanceProcAddr)dlsym(loader, "vkGetInstanceProcAddr") : NULL;
    if (!get_instance_proc)
        fail("no libvulkan.so.1");
    create_instance();
    get_device_proc = (PFN_vkGetDeviceProcAddr)get_instance_proc(world.instance, "vkGetDeviceProcAddr");
    world.device = create_device(1);
    world.bare_device = create_device(0);
    ((PFN_vkGetDeviceQueue)test_proc("vkGetDeviceQueue", true))(world.device, 0, 0, &world.queue);
    VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    if (((PFN_vkCreateCommandPool)test_proc("vkCreateCommandPool", true))(world.device, &pool, NULL, &world.pool) != VK_SUCCESS)
        fail("no command pool");
    world.command_buffer = make_command_buffer(VK_COMMAND_BUFFER_LEVEL_PRIMARY);
}

/* --- the cases --- */

static bool found(const char *id)
{
    for (unsigned i = 0; i < finding_count; i++) {
        if (!strcmp(findings[i], id))
            return true;
    }
    return false;
}

/* Calls, and compares what was found with `expected` (NULL: nothing). */
static void run_call(const struct test_command_info *command, const struct test_case *test)
{
    void *args = test_allocate(command->size);
    command->fill(args);
    if (test)
        test->change(args);
    if (test && test->second_device)
        memcpy(args, &world.bare_device, sizeof(world.bare_device));
    finding_count = 0;
    listening = true;
    command->call(args);
    listening = false;
    const char *expected = test ? test->vuid : NULL;
    bool good = expected ? found(expected) && finding_count == (test->twin ? 2 : 1) : finding_count == 0;
    good = good && (!test || !test->twin || found(test->twin));
    for (unsigned i = 0; i < finding_count && fired; i++)
        fprintf(fired, "%s\n", findings[i]);
    progress->passed += good;
    progress->failed += !good;
    if (good && !verbose)
        return;
    printf("%s %s: %s\n", good ? "ok  " : "FAIL", command->name, expected ? expected : "valid call");
    for (unsigned i = 0; i < finding_count; i++)
        printf("     found %s: %s\n", findings[i], texts[i]);
}

static void run_cases(const struct test_command_info *command)
{
    for (unsigned i = progress->next; i <= command->case_count; i++) {
        progress->next = i;
        progress->under_way = true;
        alarm(CASE_SECONDS);
        if (i < command->case_count && command->cases[i].strict == strict)
            run_call(command, &command->cases[i]);
        else if (i == command->case_count && !command->no_valid_call && !strict)
            run_call(command, NULL);
        progress->under_way = false;
        fflush(NULL);
    }
    progress->next = command->case_count + 1;
}

static void run_command(const struct test_command_info *command)
{
    progress->next = 0;
    while (progress->next <= command->case_count) {
        progress->under_way = false;
        fflush(NULL);
        pid_t child = fork();
        if (child < 0)
            fail("cannot fork");
        if (child == 0) {
            run_cases(command);
            _exit(EXIT_SUCCESS);
        }
        int status = 0;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            continue;
        if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS)
            continue;
        unsigned at = progress->next++;
        progress->failed++;
        printf("FAIL %s: %s: %s\n", command->name, at < command->case_count ? command->cases[at].vuid : "valid call",
               WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "ended early");
    }
}

static bool is_chosen(const char *name, char **chosen, int count)
{
    for (int i = 0; i < count; i++) {
        if (!strcmp(chosen[i], name))
            return true;
    }
    return count == 0;
}

static bool has_strict_case(const struct test_command_info *command)
{
    for (unsigned i = 0; i < command->case_count; i++) {
        if (command->cases[i].strict)
            return true;
    }
    return false;
}

/* In a process of its own, as the driver reads its configuration once. */
static void run_world(bool without_maintenance5, char **chosen, int chosen_count)
{
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        fail("cannot fork");
    if (child == 0) {
        strict = without_maintenance5;
        if (strict)
            setenv("ASSAY_NULL_DRIVER", strict_configuration, 1);
        create_world();
        for (unsigned i = 0; i < test_command_count; i++) {
            if (is_chosen(test_command_list[i]->name, chosen, chosen_count) && (!strict || has_strict_case(test_command_list[i])))
                run_command(test_command_list[i]);
        }
        fflush(NULL);
        _exit(EXIT_SUCCESS);
    }
    int status = 0;
    if (waitpid(child, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != EXIT_SUCCESS)
        fail("a world ended early");
}

int main(int argc, char **argv)
{
    int first = 1;
    for (; first < argc && argv[first][0] == '-'; first++) {
        if (!strcmp(argv[first], "--verbose"))
            verbose = true;
        else if (!strcmp(argv[first], "--fired") && first + 1 < argc)
            fired = fopen(argv[++first], "a");
        else if (!strcmp(argv[first], "--strict") && first + 1 < argc)
            strict_configuration = argv[++first];
        else
            fail("usage: generated [--fired FILE] [--verbose] --strict FILE [COMMAND ...]");
    }
    if (!strict_configuration)
        fail("--strict FILE is missing");
    progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (progress == MAP_FAILED)
        fail("no memory");
    /* Only the rules of parameters: the handles here are as good as the calls that made them. */
    setenv("VK_ASSAY_VALIDATE_CORE", "false", 1);
    setenv("VK_ASSAY_OBJECT_LIFETIME", "false", 1);
    setenv("VK_ASSAY_THREAD_SAFETY", "false", 1);
    setenv("VK_ASSAY_ENABLE_MESSAGE_LIMIT", "false", 1);
    run_world(false, argv + first, argc - first);
    run_world(true, argv + first, argc - first);
    printf("%u passed, %u failed\n", progress->passed, progress->failed);
    return progress->failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
