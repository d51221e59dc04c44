/* A program that `assay run` watches. It does what its arguments say, one after the other: it makes
 * mistakes, ends in all sorts of ways, leaves children, or never uses Vulkan. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rhi.h"

struct program {
    VkInstance instance;
    VkPhysicalDevice physical_device;
    VkDevice device;
    VkQueue queue;
    VkBuffer vertices;
    VkDeviceMemory memory;
    const char *layer;   /* that it asks for; NULL: none */
    const char *setting; /* of that layer, which it switches on; NULL: none */
    PFN_vkSetDebugUtilsObjectNameEXT set_name;
};

static void program_must(VkResult result, const char *what)
{
    if (result == VK_SUCCESS)
        return;
    fprintf(stderr, "program: %s failed: %d\n", what, result);
    exit(9);
}

static void name_program_object(const struct program *program, VkObjectType type, uint64_t handle,
                                const char *name)
{
    const VkDebugUtilsObjectNameInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = type,
        .objectHandle = handle,
        .pObjectName = name};
    program_must(program->set_name(program->device, &info), "vkSetDebugUtilsObjectNameEXT");
}

/* docs/muting.md: from here on nothing of the device is reported whose id one of the globs matches;
 * "" ends that. */
static void mute_globs(const struct program *program, const char *globs)
{
    const VkDebugUtilsObjectTagInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_TAG_INFO_EXT,
        .objectType = VK_OBJECT_TYPE_DEVICE,
        .objectHandle = (uint64_t)(uintptr_t)program->device,
        .tagName = 0x41535341594d5554u,
        .tagSize = strlen(globs) + 1,
        .pTag = globs};
    PFN_vkSetDebugUtilsObjectTagEXT set_tag =
        (PFN_vkSetDebugUtilsObjectTagEXT)vkGetInstanceProcAddr(program->instance,
                                                               "vkSetDebugUtilsObjectTagEXT");
    program_must(set_tag(program->device, &info), "vkSetDebugUtilsObjectTagEXT");
}

/* From here on calls on the queue are within the label; "" ends it. */
static void label_queue(const struct program *program, const char *name)
{
    const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                        .pLabelName = name};
    PFN_vkQueueBeginDebugUtilsLabelEXT begin =
        (PFN_vkQueueBeginDebugUtilsLabelEXT)vkGetInstanceProcAddr(program->instance,
                                                                  "vkQueueBeginDebugUtilsLabelEXT");
    PFN_vkQueueEndDebugUtilsLabelEXT end =
        (PFN_vkQueueEndDebugUtilsLabelEXT)vkGetInstanceProcAddr(program->instance,
                                                                "vkQueueEndDebugUtilsLabelEXT");
    if (*name)
        begin(program->queue, &label);
    else
        end(program->queue);
}

static void start_program(struct program *program)
{
    const char *extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .pApplicationName = "program",
                                           .apiVersion = VK_API_VERSION_1_1};
    const VkBool32 on = VK_TRUE;
    const VkLayerSettingEXT setting = {program->layer, program->setting,
                                       VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &on};
    const VkLayerSettingsCreateInfoEXT settings = {
        .sType = VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT,
        .settingCount = 1,
        .pSettings = &setting};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pNext = program->setting ? &settings : NULL,
                                       .pApplicationInfo = &application,
                                       .enabledLayerCount = program->layer != NULL,
                                       .ppEnabledLayerNames = &program->layer,
                                       .enabledExtensionCount = 1,
                                       .ppEnabledExtensionNames = &extension};
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                       .queueCreateInfoCount = 1,
                                       .pQueueCreateInfos = &queue};
    uint32_t count = 1;
    program_must(vkCreateInstance(&info, NULL, &program->instance), "vkCreateInstance");
    if (vkEnumeratePhysicalDevices(program->instance, &count, &program->physical_device) < 0 ||
        !count)
        program_must(VK_ERROR_INITIALIZATION_FAILED, "finding a device");
    program_must(vkCreateDevice(program->physical_device, &device, NULL, &program->device),
                 "vkCreateDevice");
    vkGetDeviceQueue(program->device, 0, 0, &program->queue);
    program->set_name =
        (PFN_vkSetDebugUtilsObjectNameEXT)vkGetInstanceProcAddr(program->instance,
                                                                "vkSetDebugUtilsObjectNameEXT");
    name_program_object(program, VK_OBJECT_TYPE_DEVICE, (uint64_t)(uintptr_t)program->device,
                        "main device");
}

static void end_program(struct program *program)
{
    if (program->vertices)
        vkDestroyBuffer(program->device, program->vertices, NULL);
    if (program->memory)
        vkFreeMemory(program->device, program->memory, NULL);
    vkDestroyDevice(program->device, NULL);
    vkDestroyInstance(program->instance, NULL);
}

#ifdef MOVED
/* Another build: code and lines have moved. */
static int sum_of_squares(int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += i * i;
    return sum;
}
#endif

/* Names of temporary objects are others in each run. */
static void create_temporaries(const struct program *program)
{
    for (int i = 0; i < 3; i++) {
        const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                         .size = 64,
                                         .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT};
        const VkMappedMemoryRange range = {.sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
                                           .size = VK_WHOLE_SIZE};
        VkMemoryAllocateInfo allocation = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                           .allocationSize = 4096};
        VkMappedMemoryRange mapped = range;
        VkBuffer buffer;
        VkDeviceMemory memory;
        char name[64];
        program_must(vkCreateBuffer(program->device, &info, NULL, &buffer), "vkCreateBuffer");
        program_must(vkAllocateMemory(program->device, &allocation, NULL, &memory),
                     "vkAllocateMemory");
        (void)snprintf(name, sizeof(name), "temporary %d of 0x%x", (int)getpid() + i,
                       (unsigned)getpid() * 31u);
        name_program_object(program, VK_OBJECT_TYPE_DEVICE_MEMORY, (uint64_t)memory, name);
        mapped.memory = memory; /* which is not mapped */
        (void)vkFlushMappedMemoryRanges(program->device, 1, &mapped);
        vkFreeMemory(program->device, memory, NULL);
        vkDestroyBuffer(program->device, buffer, NULL);
    }
}

/* An error: it has no size. */
static void create_empty_buffer(const struct program *program)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT};
    VkBuffer buffer = VK_NULL_HANDLE;
    if (vkCreateBuffer(program->device, &info, NULL, &buffer) == VK_SUCCESS)
        vkDestroyBuffer(program->device, buffer, NULL);
}

/* Another one: it is unknown what it is for. */
static void create_useless_buffer(const struct program *program)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 64};
    VkBuffer buffer = VK_NULL_HANDLE;
    if (vkCreateBuffer(program->device, &info, NULL, &buffer) == VK_SUCCESS)
        vkDestroyBuffer(program->device, buffer, NULL);
}

/* The same mistake in functions that C++ compilers name so. Another build has other parameters. */
#ifdef MOVED
#define CPP_SIZE "j"
#define CPP_MORE "i"
#else
#define CPP_SIZE "m"
#define CPP_MORE ""
#endif
/* clang-format off */
#define CPP_FUNCTION(name_, symbol_)                                                     \
    static void name_(const struct program *program) __asm__(symbol_);                   \
    static void name_(const struct program *program)                                     \
    {                                                                                    \
        const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,  \
                                         .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT};     \
        VkBuffer buffer = VK_NULL_HANDLE;                                                \
        if (vkCreateBuffer(program->device, &info, NULL, &buffer) == VK_SUCCESS)         \
            vkDestroyBuffer(program->device, buffer, NULL);                              \
    }
/* engine::upload(Mesh*) */
CPP_FUNCTION(cpp_upload, "_ZN6engine6uploadEP4Mesh" CPP_MORE)
/* engine::draw(int) */
CPP_FUNCTION(cpp_draw_int, "_ZN6engine4drawEi")
/* engine::draw(float) */
CPP_FUNCTION(cpp_draw_float, "_ZN6engine4drawEf")
/* engine::Pool<Mesh>::grow(unsigned long) */
CPP_FUNCTION(cpp_grow_meshes, "_ZN6engine4PoolI4MeshE4growE" CPP_SIZE)
/* engine::Pool<Texture>::grow(unsigned long) */
CPP_FUNCTION(cpp_grow_textures, "_ZN6engine4PoolI7TextureE4growE" CPP_SIZE)
/* engine::operator*(Mesh const&, int) */
CPP_FUNCTION(cpp_scale, "_ZN6enginemlERK4Meshi")
/* engine::Pool<Mesh>::operator[](unsigned long) */
CPP_FUNCTION(cpp_at, "_ZN6engine4PoolI4MeshEixE" CPP_SIZE)
/* Wrappers that everybody uses: the Vulkan Memory Allocator, vulkan.hpp, ash. */
CPP_FUNCTION(vma, "vmaCreateBuffer")
CPP_FUNCTION(vma_class, "_ZN14VmaAllocator_T14AllocateMemoryEv")
CPP_FUNCTION(hpp, "_ZNK2vk6Device12createBufferINS_6detail21DispatchLoaderDynamicEEEvRKT_")
CPP_FUNCTION(hpp_raii, "_ZNK2vk4raii6Device12createBufferEv")
CPP_FUNCTION(ash, "_ZN3ash6device6Device13create_buffer17h0123456789abcdefE")
CPP_FUNCTION(ash_new, "_RNvMNtCsbIp5A6fOcU7_3ash6deviceNtB2_6Device13create_buffer")
CPP_FUNCTION(ash_generic, "_RINvMNtCsbIp5A6fOcU7_3ash6deviceNtB3_6Device3gethECs3TxJjhULgwY_4ashy")
/* A method of the program's own for a type of ash. */
CPP_FUNCTION(ash_own, "_RNvXCs3TxJjhULgwY_4ashyNtNtCsbIp5A6fOcU7_3ash6device6DeviceNtB2_4Mine4mine")
/* One of the engine's own: rhi::Device::makeBuffer(unsigned long) */
CPP_FUNCTION(cpp_wrapper, "_ZN3rhi6Device10makeBufferEm")
/* And of its renderer, in C. */
CPP_FUNCTION(c_create, "gfx_create_buffer")
CPP_FUNCTION(c_create_with, "gfx_create_buffer_with_data")
/* Others: names that begin with "_", and a prefix that is too short for a pattern. */
CPP_FUNCTION(c_hidden, "_gpu_create_buffer")
CPP_FUNCTION(c_hidden_with, "_gpu_create_buffer_with_data")
CPP_FUNCTION(c_short, "g_create_buffer")
CPP_FUNCTION(c_short_with, "g_create_buffer_with_data")
/* clang-format on */
#include "vulkan_funcs.hpp"
#include "vulkan_renderer.hpp"

static void render_world(const struct program *program)
{
    create_in_vulkan_hpp(program);
    create_in_renderer(program);
}

static void use_wrappers(const struct program *program)
{
    vma(program);
    vma_class(program);
    hpp(program);
    hpp_raii(program);
    ash(program);
    ash_new(program);
    ash_generic(program);
}

static void make_sky(const struct program *program)
{
    cpp_wrapper(program);
}

static void make_grass(const struct program *program)
{
    c_create(program);
}

static void make_trees(const struct program *program)
{
    c_create_with(program);
}

static void make_clouds(const struct program *program)
{
    c_hidden(program);
}

static void make_rain(const struct program *program)
{
    c_hidden_with(program);
}

static void make_snow(const struct program *program)
{
    c_short(program);
}

static void make_hail(const struct program *program)
{
    c_short_with(program);
}

static void make_ground(const struct program *program)
{
    cpp_wrapper(program);
}

static void run_engine(const struct program *program)
{
    cpp_upload(program);
    cpp_draw_int(program);
    cpp_grow_meshes(program);
    cpp_scale(program);
    cpp_at(program);
}

static void run_overloads(const struct program *program)
{
    cpp_draw_float(program);
    cpp_grow_textures(program);
}

/* A module without a memory model: only SPIRV-Tools' validator says so. */
static void create_bad_shader(const struct program *program)
{
    const uint32_t words[] = {0x07230203, 0x00010000, 0, 1, 0, 0x00020011, 1};
    const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = sizeof(words),
                                           .pCode = words};
    VkShaderModule module = VK_NULL_HANDLE;
    if (vkCreateShaderModule(program->device, &info, NULL, &module) == VK_SUCCESS)
        vkDestroyShaderModule(program->device, module, NULL);
}

/* Nothing destroys it. */
static void create_sampler(const struct program *program)
{
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    VkSampler sampler;
    program_must(vkCreateSampler(program->device, &info, NULL, &sampler), "vkCreateSampler");
}

/* The same mistake in two places, through the engine's wrapper. */
static void upload_mesh(const struct program *program)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .usage = VK_BUFFER_USAGE_VERTEX_BUFFER_BIT};
    VkBuffer buffer = VK_NULL_HANDLE;
    if (rhi_create_buffer(program->device, &info, &buffer) == VK_SUCCESS)
        vkDestroyBuffer(program->device, buffer, NULL);
}

static void upload_texture(const struct program *program)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT};
    VkBuffer buffer = VK_NULL_HANDLE;
    if (rhi_create_buffer(program->device, &info, &buffer) == VK_SUCCESS)
        vkDestroyBuffer(program->device, buffer, NULL);
}

static void create_vertices(struct program *program)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = 4096,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkMemoryRequirements requirements;
    VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    program_must(vkCreateBuffer(program->device, &info, NULL, &program->vertices),
                 "vkCreateBuffer");
    vkGetBufferMemoryRequirements(program->device, program->vertices, &requirements);
    memory.allocationSize = requirements.size;
    while (!(requirements.memoryTypeBits >> memory.memoryTypeIndex & 1))
        memory.memoryTypeIndex++;
    program_must(vkAllocateMemory(program->device, &memory, NULL, &program->memory),
                 "vkAllocateMemory");
    program_must(vkBindBufferMemory(program->device, program->vertices, program->memory, 0),
                 "vkBindBufferMemory");
    name_program_object(program, VK_OBJECT_TYPE_BUFFER, (uint64_t)program->vertices, "vertices");
}

/* A command buffer that is being recorded. */
static VkCommandBuffer begin_commands(const struct program *program, VkCommandPool *pool)
{
    const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VkCommandBuffer commands;
    program_must(vkCreateCommandPool(program->device, &pool_info, NULL, pool),
                 "vkCreateCommandPool");
    const VkCommandBufferAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = *pool,
                                              .commandBufferCount = 1};
    program_must(vkAllocateCommandBuffers(program->device, &info, &commands),
                 "vkAllocateCommandBuffers");
    name_program_object(program, VK_OBJECT_TYPE_COMMAND_BUFFER, (uint64_t)(uintptr_t)commands,
                        "upload");
    program_must(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    return commands;
}

/* A hazard: nothing orders the copy after the fill. */
static void copy_what_is_filled(struct program *program)
{
    const VkBufferCopy region = {.srcOffset = 0, .dstOffset = 2048, .size = 1024};
    VkCommandPool pool;
    create_vertices(program);
    VkCommandBuffer commands = begin_commands(program, &pool);
    vkCmdFillBuffer(commands, program->vertices, 0, 1024, 0);
    vkCmdCopyBuffer(commands, program->vertices, program->vertices, 1, &region);
    program_must(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    vkDestroyCommandPool(program->device, pool, NULL);
}

#define FRAMES 200

/* The program has that hazard in each frame, and is right otherwise. */
static void draw_frames(struct program *program)
{
    const VkBufferCopy region = {.srcOffset = 0, .dstOffset = 2048, .size = 1024};
    create_vertices(program);
    for (int i = 0; i < FRAMES; i++) {
        VkCommandPool pool;
        VkCommandBuffer commands = begin_commands(program, &pool);
        const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                     .commandBufferCount = 1,
                                     .pCommandBuffers = &commands};
        vkCmdFillBuffer(commands, program->vertices, 0, 1024, 0);
        vkCmdCopyBuffer(commands, program->vertices, program->vertices, 1, &region);
        program_must(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
        program_must(vkQueueSubmit(program->queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
        program_must(vkQueueWaitIdle(program->queue), "vkQueueWaitIdle");
        vkDestroyCommandPool(program->device, pool, NULL);
    }
}

/* The same through the engine's wrapper, in two places. */
static void clear_particles(VkCommandBuffer commands, VkBuffer particles)
{
    rhi_fill(commands, particles, 1024);
}

static void clear_smoke(VkCommandBuffer commands, VkBuffer smoke)
{
    rhi_fill(commands, smoke, 1024);
}

static void move_particles(VkCommandBuffer commands, VkBuffer particles)
{
    rhi_copy(commands, particles, 1024);
}

static void simulate_world(struct program *program,
                           void (*clear)(VkCommandBuffer commands, VkBuffer buffer))
{
    VkCommandPool pool;
    if (!program->vertices)
        create_vertices(program);
    VkCommandBuffer commands = begin_commands(program, &pool);
    clear(commands, program->vertices);
    move_particles(commands, program->vertices);
    program_must(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    vkDestroyCommandPool(program->device, pool, NULL);
}

/* The same in two command buffers: the submit finds it. */
static void simulate_in_two(struct program *program)
{
    VkCommandPool pools[2];
    VkCommandBuffer commands[2];
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .commandBufferCount = 2,
                                 .pCommandBuffers = commands};
    if (!program->vertices)
        create_vertices(program);
    for (int i = 0; i < 2; i++) {
        commands[i] = begin_commands(program, &pools[i]);
        if (i)
            move_particles(commands[i], program->vertices);
        else
            clear_particles(commands[i], program->vertices);
        program_must(vkEndCommandBuffer(commands[i]), "vkEndCommandBuffer");
    }
    program_must(vkQueueSubmit(program->queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
    program_must(vkQueueWaitIdle(program->queue), "vkQueueWaitIdle");
    for (int i = 0; i < 2; i++)
        vkDestroyCommandPool(program->device, pools[i], NULL);
}

/* A buffer that is used after it was destroyed, and another one that nothing destroys; through the
 * wrapper. */
static VkBuffer load_level(const struct program *program)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = 1024,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkBuffer buffer = VK_NULL_HANDLE;
    program_must(rhi_create_buffer(program->device, &info, &buffer), "vkCreateBuffer");
    return buffer;
}

static void unload_level(const struct program *program, VkBuffer buffer)
{
    rhi_destroy_buffer(program->device, buffer);
}

static void play_level(const struct program *program)
{
    VkCommandPool pool;
    VkCommandBuffer commands = begin_commands(program, &pool);
    VkBuffer buffer = load_level(program);
    unload_level(program, buffer);
    rhi_fill(commands, buffer, 1024);
    vkDestroyCommandPool(program->device, pool, NULL);
    (void)load_level(program);
}

/* An error: the command buffer is still being recorded. */
static void submit_too_early(const struct program *program)
{
    VkCommandPool pool;
    VkCommandBuffer commands = begin_commands(program, &pool);
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &commands};
    (void)vkQueueSubmit(program->queue, 1, &submit, VK_NULL_HANDLE);
    (void)vkQueueWaitIdle(program->queue);
    vkDestroyCommandPool(program->device, pool, NULL);
}

static void clear_sky(VkCommandBuffer commands, VkImage sky)
{
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    const VkClearColorValue blue = {.float32 = {0, 0, 1, 1}};
    vkCmdClearColorImage(commands, sky, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &blue, 1, &range);
}

static void paint_sky(VkCommandBuffer commands, VkImage sky)
{
    clear_sky(commands, sky);
}

static void upload_sky(const struct program *program, VkCommandBuffer commands, VkImage sky)
{
    const VkBufferImageCopy region = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {16, 16, 1},
    };
    vkCmdCopyBufferToImage(commands, program->vertices, sky, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                           1, &region);
}

/* An error that the submit finds: the image was never brought to the layout. */
static void submit_wrong_layout(struct program *program, bool upload)
{
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = VK_FORMAT_R8G8B8A8_UNORM,
                                    .extent = {16, 16, 1},
                                    .mipLevels = 1,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT};
    VkMemoryRequirements requirements;
    VkMemoryAllocateInfo allocation = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    VkDeviceMemory memory;
    VkImage sky;
    VkCommandPool pool;
    program_must(vkCreateImage(program->device, &info, NULL, &sky), "vkCreateImage");
    vkGetImageMemoryRequirements(program->device, sky, &requirements);
    allocation.allocationSize = requirements.size;
    while (!(requirements.memoryTypeBits >> allocation.memoryTypeIndex & 1))
        allocation.memoryTypeIndex++;
    program_must(vkAllocateMemory(program->device, &allocation, NULL, &memory), "vkAllocateMemory");
    program_must(vkBindImageMemory(program->device, sky, memory, 0), "vkBindImageMemory");
    name_program_object(program, VK_OBJECT_TYPE_IMAGE, (uint64_t)sky, "sky");
    VkCommandBuffer commands = begin_commands(program, &pool);
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &commands};
    if (upload && !program->vertices)
        create_vertices(program);
    if (upload)
        upload_sky(program, commands, sky);
    else
        paint_sky(commands, sky);
    program_must(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    (void)vkQueueSubmit(program->queue, 1, &submit, VK_NULL_HANDLE);
    (void)vkQueueWaitIdle(program->queue);
    vkDestroyCommandPool(program->device, pool, NULL);
    vkDestroyImage(program->device, sky, NULL);
    vkFreeMemory(program->device, memory, NULL);
}

/* Two threads in one pool, in any case. The driver asks for memory for the first one's command
 * buffer, and until the second one's call has come back it gets none. */
struct race {
    const struct program *program;
    VkCommandPool pool;
    sem_t entered, ended;
    bool waits;
};

static void *allocate_late(void *user, size_t size, size_t alignment, VkSystemAllocationScope scope)
{
    struct race *race = user;
    void *memory = NULL;
    (void)scope;
    if (race->waits) {
        race->waits = false;
        sem_post(&race->entered);
        sem_wait(&race->ended);
    }
    return posix_memalign(&memory, alignment < sizeof(void *) ? sizeof(void *) : alignment, size)
               ? NULL
               : memory;
}

static void *allocate_again(void *user, void *memory, size_t size, size_t alignment,
                            VkSystemAllocationScope scope)
{
    (void)user;
    (void)alignment;
    (void)scope;
    return realloc(memory, size);
}

static void free_host_memory(void *user, void *memory)
{
    (void)user;
    free(memory);
}

static void reset_racing_pool(const struct race *race)
{
    (void)vkResetCommandPool(race->program->device, race->pool, 0);
}

static void *run_loader(void *user)
{
    struct race *race = user;
    sem_wait(&race->entered);
    reset_racing_pool(race);
    sem_post(&race->ended);
    return NULL;
}

static void allocate_commands(const struct race *race)
{
    const VkCommandBufferAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = race->pool,
                                              .commandBufferCount = 1};
    VkCommandBuffer commands;
    program_must(vkAllocateCommandBuffers(race->program->device, &info, &commands),
                 "vkAllocateCommandBuffers");
}

static void race_in_pool(const struct program *program)
{
    const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    struct race race = {.program = program};
    const VkAllocationCallbacks allocator = {.pUserData = &race,
                                             .pfnAllocation = allocate_late,
                                             .pfnReallocation = allocate_again,
                                             .pfnFree = free_host_memory};
    pthread_t loader;
    sem_init(&race.entered, 0, 0);
    sem_init(&race.ended, 0, 0);
    program_must(vkCreateCommandPool(program->device, &info, &allocator, &race.pool),
                 "vkCreateCommandPool");
    name_program_object(program, VK_OBJECT_TYPE_COMMAND_POOL, (uint64_t)race.pool, "frame pool");
    (void)pthread_create(&loader, NULL, run_loader, &race);
    (void)pthread_setname_np(loader, "loader");
    (void)pthread_setname_np(pthread_self(), "renderer");
    race.waits = true;
    allocate_commands(&race);
    (void)pthread_join(loader, NULL);
    vkDestroyCommandPool(program->device, race.pool, &allocator);
}

static void *make_mistakes(void *user)
{
    const struct program *program = user;
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    VkBuffer buffer;
    program_must(vkCreateBuffer(program->device, &info, NULL, &buffer), "vkCreateBuffer");
    vkDestroyBuffer(program->device, buffer, NULL);
    vkDestroyBuffer(program->device, buffer, NULL);
    return NULL;
}

/* A thread with the least stack that a system grants. */
static void use_small_stack(struct program *program)
{
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes) ||
        pthread_attr_setstacksize(&attributes, (size_t)sysconf(_SC_THREAD_STACK_MIN)) ||
        pthread_create(&thread, &attributes, make_mistakes, program))
        exit(8);
    (void)pthread_join(thread, NULL);
}

/* The rest of the arguments is what a child does; `wait`: the program waits for it. */
static bool fork_child(bool wait)
{
    pid_t child = fork();
    if (child == 0)
        return true;
    if (wait)
        (void)waitpid(child, NULL, 0);
    return false;
}

static void show_environment(void)
{
    extern char **environ;
    for (char **variable = environ; *variable; variable++) {
        if (!strncmp(*variable, "VK_", 3))
            puts(*variable);
    }
}

/* Those of the loader, and what the instance's extensions are of the Khronos layer's. */
static void show_layers(void)
{
    VkLayerProperties layers[64];
    uint32_t count = 64, extensions = 0;
    program_must(vkEnumerateInstanceLayerProperties(&count, layers),
                 "vkEnumerateInstanceLayerProperties");
    for (uint32_t i = 0; i < count; i++)
        printf("%s: %s\n", layers[i].layerName, layers[i].description);
    program_must(vkEnumerateInstanceExtensionProperties("VK_LAYER_KHRONOS_validation", &extensions,
                                                        NULL),
                 "its extensions");
    printf("%u extensions\n", extensions);
}

int main(int argc, char **argv)
{
    struct program program = {0};
    setvbuf(stdout, NULL, _IONBF, 0);
    for (int i = 1; i < argc; i++) {
        const char *what = argv[i];
        if (!strcmp(what, "start"))
            start_program(&program);
        else if (!strcmp(what, "khronos"))
            program.layer = "VK_LAYER_KHRONOS_validation";
        else if (!strcmp(what, "sync"))
            program.setting = "validate_sync";
        else if (!strcmp(what, "layers"))
            show_layers();
        else if (!strcmp(what, "empty"))
            create_empty_buffer(&program);
        else if (!strcmp(what, "temporaries"))
            create_temporaries(&program);
#ifdef MOVED
        else if (!strcmp(what, "squares"))
            printf("%d\n", sum_of_squares(argc));
#endif
        else if (!strcmp(what, "useless"))
            create_useless_buffer(&program);
        else if (!strcmp(what, "engine"))
            run_engine(&program);
        else if (!strcmp(what, "overloads"))
            run_overloads(&program);
        else if (!strcmp(what, "wrappers"))
            use_wrappers(&program);
        else if (!strcmp(what, "render"))
            render_world(&program);
        else if (!strcmp(what, "own method"))
            ash_own(&program);
        else if (!strcmp(what, "sky"))
            make_sky(&program);
        else if (!strcmp(what, "ground"))
            make_ground(&program);
        else if (!strcmp(what, "grass"))
            make_grass(&program);
        else if (!strcmp(what, "trees"))
            make_trees(&program);
        else if (!strcmp(what, "clouds"))
            make_clouds(&program);
        else if (!strcmp(what, "rain"))
            make_rain(&program);
        else if (!strcmp(what, "snow"))
            make_snow(&program);
        else if (!strcmp(what, "hail"))
            make_hail(&program);
        else if (!strcmp(what, "mesh"))
            upload_mesh(&program);
        else if (!strcmp(what, "texture"))
            upload_texture(&program);
        else if (!strcmp(what, "shader"))
            create_bad_shader(&program);
        else if (!strcmp(what, "leak"))
            create_sampler(&program);
        else if (!strncmp(what, "name ", 5))
            name_program_object(&program, VK_OBJECT_TYPE_DEVICE,
                                (uint64_t)(uintptr_t)program.device, what + 5);
        else if (!strncmp(what, "mute ", 5))
            mute_globs(&program, what + 5);
        else if (!strncmp(what, "label ", 6))
            label_queue(&program, what + 6);
        else if (!strcmp(what, "escape"))
            name_program_object(&program, VK_OBJECT_TYPE_DEVICE,
                                (uint64_t)(uintptr_t)program.device, "\033[31mred\007");
        else if (!strcmp(what, "single escape")) /* U+009B is ESC [ for a terminal */
            name_program_object(&program, VK_OBJECT_TYPE_DEVICE,
                                (uint64_t)(uintptr_t)program.device,
                                "\302\23331mred \23332m \377 gr\303\274n");
        else if (!strncmp(what, "chdir ", 6)) {
            if (chdir(what + 6))
                return 8;
        } else if (!strcmp(what, "hazard"))
            copy_what_is_filled(&program);
        else if (!strcmp(what, "frames"))
            draw_frames(&program);
        else if (!strcmp(what, "particles"))
            simulate_world(&program, clear_particles);
        else if (!strcmp(what, "submitted particles"))
            simulate_in_two(&program);
        else if (!strcmp(what, "smoke"))
            simulate_world(&program, clear_smoke);
        else if (!strcmp(what, "level"))
            play_level(&program);
        else if (!strcmp(what, "submit"))
            submit_too_early(&program);
        else if (!strcmp(what, "layout"))
            submit_wrong_layout(&program, false);
        else if (!strcmp(what, "other layout"))
            submit_wrong_layout(&program, true);
        else if (!strcmp(what, "small stack"))
            use_small_stack(&program);
        else if (!strcmp(what, "race"))
            race_in_pool(&program);
        else if (!strcmp(what, "end"))
            end_program(&program);
        else if (!strcmp(what, "say"))
            puts("the program is at work");
        else if (!strcmp(what, "environment"))
            show_environment();
        else if (!strcmp(what, "crash"))
            raise(SIGSEGV);
        else if (!strcmp(what, "kill"))
            kill(getpid(), SIGKILL);
        else if (!strcmp(what, "abort"))
            abort();
        else if (!strcmp(what, "_exit"))
            _exit(5);
        else if (!strcmp(what, "fail"))
            return 7;
        else if (!strcmp(what, "sleep"))
            sleep(600);
        else if (!strcmp(what, "nap"))
            usleep(300000);
        else if (!strcmp(what, "fork") || !strcmp(what, "leave")) {
            if (!fork_child(what[0] == 'f'))
                return 0;
        }
    }
    return 0;
}
