/* Advice on device memory, and on what is bound to it. */
#include "practices.h"

#include "video/video_world.h"

#define BUFFER_ID BP("vkBindBufferMemory-small-dedicated-allocation")
#define IMAGE_ID  BP("vkBindImageMemory-small-dedicated-allocation")

static void make_buffers(struct baseline *b, int count)
{
    for (int i = 0; i < count; i++)
        make_buffer(b, 4096, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
}

static void make_images(struct baseline *b, int count)
{
    for (int i = 0; i < count; i++)
        make_image(b, VK_IMAGE_USAGE_SAMPLED_BIT);
}

SCENARIO(nine_small_buffers, ADVISED, .expect = {BUFFER_ID},
         .text = {"has 4096 bytes, and VkBuffer ",
                  " fills all of it; there are 9 such allocations"})
{
    make_buffers(b, 9);
}

SCENARIO(eight_small_buffers, ADVISED)
{
    make_buffers(b, 8);
}

SCENARIO(nine_small_images, ADVISED, .expect = {IMAGE_ID})
{
    make_images(b, 9);
}

SCENARIO(eight_small_images, ADVISED)
{
    make_images(b, 8);
}

/* Eight of them live at a time. */
SCENARIO(twenty_buffers_in_turn, ADVISED)
{
    make_buffers(b, 7);
    for (int i = 0; i < 13; i++) {
        VkBufferCreateInfo info = buffer_info(4096, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
        VkMemoryAllocateInfo allocation = memory_info(4096, 0);
        VkMemoryRequirements requirements;
        VkBuffer buffer;
        VkDeviceMemory memory;
        VK(vkCreateBuffer(b->device, &info, NULL, &buffer));
        vkGetBufferMemoryRequirements(b->device, buffer, &requirements);
        allocation.allocationSize = requirements.size;
        VK(vkAllocateMemory(b->device, &allocation, NULL, &memory));
        VK(vkBindBufferMemory(b->device, buffer, memory, 0));
        vkDestroyBuffer(b->device, buffer, NULL);
        vkFreeMemory(b->device, memory, NULL);
    }
}

/* Many in one block. */
SCENARIO(twenty_buffers_of_one_block, ADVISED)
{
    VkDeviceMemory block = make_memory(b, 20 * 4096);
    for (int i = 0; i < 20; i++) {
        VkBufferCreateInfo info = buffer_info(4096, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
        VkBuffer buffer = create_buffer(b, &info);
        VkMemoryRequirements requirements;
        vkGetBufferMemoryRequirements(b->device, buffer, &requirements);
        VK(vkBindBufferMemory(b->device, buffer, block, i * 4096));
    }
}

/* As drivers ask for it. */
SCENARIO(nine_dedicated_buffers, ADVISED, .drivers = NULL_DRIVER)
{
    for (int i = 0; i < 9; i++) {
        VkBufferCreateInfo info = buffer_info(4096, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
        VkBuffer buffer = create_buffer(b, &info);
        VkMemoryRequirements requirements;
        vkGetBufferMemoryRequirements(b->device, buffer, &requirements);
        VkMemoryDedicatedAllocateInfo dedicated = {
            .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, .buffer = buffer};
        VkMemoryAllocateInfo memory = memory_info(requirements.size, 1);
        memory.pNext = &dedicated;
        VK(vkBindBufferMemory(b->device, buffer, create_memory(b, &memory), 0));
    }
}

/* --- transient images --- */

enum { HOST_TYPE = 1, LAZY_TYPE = 4 };

static void bind_transient(struct baseline *b, uint32_t type)
{
    VkImageCreateInfo info =
        image_info(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT);
    VkImage image = create_image(b, &info);
    VkMemoryRequirements requirements;
    vkGetImageMemoryRequirements(b->device, image, &requirements);
    VkMemoryAllocateInfo memory = memory_info(requirements.size, type);
    VK(vkBindImageMemory(b->device, image, create_memory(b, &memory), 0));
}

SCENARIO(transient_in_memory, ADVISED, .drivers = NULL_DRIVER,
         .expect = {BP("vkBindImageMemory-non-lazy-transient-image")},
         .text = {"is transient, and memory type 1 of VkDeviceMemory"})
{
    bind_transient(b, HOST_TYPE);
}

SCENARIO(transient_and_lazy, ADVISED, .drivers = NULL_DRIVER)
{
    bind_transient(b, LAZY_TYPE);
}

/* --- binds that fail --- */

#define FAILS(command_)     \
    .drivers = NULL_DRIVER, \
    .null_driver = "{\"fail\": {\"" command_ "\": \"VK_ERROR_OUT_OF_DEVICE_MEMORY\"}}"

static void bind_two_buffers(struct baseline *b, uint32_t count, bool with_status)
{
    VkBindBufferMemoryInfo infos[2];
    VkBindMemoryStatus status[2];
    VkResult results[2] = {VK_SUCCESS, VK_ERROR_OUT_OF_DEVICE_MEMORY};
    VkDeviceMemory memory = make_memory(b, 8192);
    for (uint32_t i = 0; i < 2; i++) {
        VkBuffer buffer = make_unbound_buffer(b);
        VkMemoryRequirements requirements;
        vkGetBufferMemoryRequirements(b->device, buffer, &requirements);
        status[i] = (VkBindMemoryStatus){.sType = VK_STRUCTURE_TYPE_BIND_MEMORY_STATUS,
                                         .pResult = &results[i]};
        infos[i] = (VkBindBufferMemoryInfo){.sType = VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO,
                                            .pNext = with_status ? &status[i] : NULL,
                                            .buffer = buffer,
                                            .memory = memory,
                                            .memoryOffset = 4096 * i};
    }
    vkBindBufferMemory2(b->device, count, infos);
}

SCENARIO(buffers_fail, ADVISED, FAILS("vkBindBufferMemory2"),
         .expect = {BP("Partial-Bound-Buffer"), BP("Error-Result")},
         .text = {"fails for some of 2 buffers, and does not say for which",
                  "answers VK_ERROR_OUT_OF_DEVICE_MEMORY: the device has no memory left for it"})
{
    bind_two_buffers(b, 2, false);
}

SCENARIO(one_buffer_fails, ADVISED, FAILS("vkBindBufferMemory2"), .expect = {BP("Error-Result")})
{
    bind_two_buffers(b, 1, false);
}

SCENARIO(buffers_fail_and_say_so, ADVISED, FAILS("vkBindBufferMemory2"),
         .api_version = VK_API_VERSION_1_4,
         .expect = {BP("Partial-Bound-Buffer-Status"), BP("Error-Result")})
{
    bind_two_buffers(b, 2, true);
}

static void bind_images(struct baseline *b, bool with_status)
{
    VkBindImageMemoryInfo infos[2];
    VkBindMemoryStatus status[2];
    VkResult results[2] = {VK_SUCCESS, VK_ERROR_OUT_OF_DEVICE_MEMORY};
    VkDeviceMemory memory = make_memory(b, 1 << 20);
    for (uint32_t i = 0; i < 2; i++) {
        VkImage image = make_unbound_image(b);
        VkMemoryRequirements requirements;
        vkGetImageMemoryRequirements(b->device, image, &requirements);
        status[i] = (VkBindMemoryStatus){.sType = VK_STRUCTURE_TYPE_BIND_MEMORY_STATUS,
                                         .pResult = &results[i]};
        infos[i] = (VkBindImageMemoryInfo){.sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO,
                                           .pNext = with_status ? &status[i] : NULL,
                                           .image = image,
                                           .memory = memory,
                                           .memoryOffset = (1 << 19) * i};
    }
    vkBindImageMemory2(b->device, 2, infos);
}

SCENARIO(images_fail, ADVISED, FAILS("vkBindImageMemory2"),
         .expect = {BP("Partial-Bound-Image"), BP("Error-Result")})
{
    bind_images(b, false);
}

SCENARIO(images_fail_and_say_so, ADVISED, FAILS("vkBindImageMemory2"),
         .api_version = VK_API_VERSION_1_4,
         .expect = {BP("Partial-Bound-Image-Status"), BP("Error-Result")})
{
    bind_images(b, true);
}

/* --- what the device was never asked --- */

static void bind_video(struct baseline *b, bool asks)
{
    struct video *v = video_of(b, OPERATION(DECODE_H264));
    ENSURE(video_create(v));
    if (asks) {
        video_bind(v);
        return;
    }
    /* as this driver happens to want it */
    v->binding = (VkBindVideoSessionMemoryInfoKHR){
        .sType = VK_STRUCTURE_TYPE_BIND_VIDEO_SESSION_MEMORY_INFO_KHR,
        .memory = make_memory(b, 1 << 20),
        .memorySize = 65536};
    VK(DEVICE_PROC(b, vkBindVideoSessionMemoryKHR)(b->device, v->session, 1, &v->binding));
}

SCENARIO(video_memory_not_asked, ADVISED, VIDEO,
         .expect = {BP("vkBindVideoSessionMemoryKHR-requirements-count-not-retrieved")},
         .text = {"vkBindVideoSessionMemoryKHR(): binds memory, and the program has not asked what "
                  "memory is needed"})
{
    bind_video(b, false);
}

SCENARIO(video_memory_asked, ADVISED, VIDEO)
{
    bind_video(b, true);
}

static void ask_video(struct baseline *b, uint32_t count)
{
    struct video *v = video_of(b, OPERATION(DECODE_H264));
    VkVideoSessionMemoryRequirementsKHR needs[2];
    ENSURE(video_create(v));
    for (int i = 0; i < 2; i++)
        needs[i] = (VkVideoSessionMemoryRequirementsKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_MEMORY_REQUIREMENTS_KHR};
    (void)DEVICE_PROC(b, vkGetVideoSessionMemoryRequirementsKHR)(b->device, v->session, &count,
                                                                 needs);
}

#define TWO_MEMORIES .null_driver = "{\"videoMemory\": 2}"

SCENARIO(video_memory_cut_short, ADVISED, VIDEO, TWO_MEMORIES,
         .expect = {BP("vkGetVideoSessionMemoryRequirementsKHR-count-not-retrieved")},
         .text = {"pMemoryRequirementsCount is 1, and the session has more requirements"})
{
    ask_video(b, 1);
}

SCENARIO(video_memory_of_all, ADVISED, VIDEO, TWO_MEMORIES)
{
    ask_video(b, 2);
}

static void bind_structure(struct baseline *b, bool asks)
{
    const VkAccelerationStructureCreateInfoNV info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_NV,
        .info = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_INFO_NV,
                 .type = VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_NV,
                 .instanceCount = 1}};
    VkAccelerationStructureNV structure;
    VK(DEVICE_PROC(b, vkCreateAccelerationStructureNV)(b->device, &info, NULL, &structure));
    const VkAccelerationStructureMemoryRequirementsInfoNV question = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_MEMORY_REQUIREMENTS_INFO_NV,
        .accelerationStructure = structure};
    VkMemoryRequirements2 answer = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    if (asks)
        DEVICE_PROC(b, vkGetAccelerationStructureMemoryRequirementsNV)(b->device, &question,
                                                                       &answer);
    const VkBindAccelerationStructureMemoryInfoNV bind = {
        .sType = VK_STRUCTURE_TYPE_BIND_ACCELERATION_STRUCTURE_MEMORY_INFO_NV,
        .accelerationStructure = structure,
        .memory = make_memory(b, 65536)};
    VK(DEVICE_PROC(b, vkBindAccelerationStructureMemoryNV)(b->device, 1, &bind));
    DEVICE_PROC(b, vkDestroyAccelerationStructureNV)(b->device, structure, NULL);
}

#define RAY_TRACING_NV .drivers = NULL_DRIVER, .extensions = {"VK_NV_ray_tracing"}

SCENARIO(structure_memory_not_asked, ADVISED, RAY_TRACING_NV,
         .expect = {BP("BindAccelerationStructureMemoryNV-requirements-not-retrieved")})
{
    bind_structure(b, false);
}

SCENARIO(structure_memory_asked, ADVISED, RAY_TRACING_NV)
{
    bind_structure(b, true);
}

/* --- NVIDIA --- */

FEATURES(priority, VkPhysicalDeviceMemoryPriorityFeaturesEXT, MEMORY_PRIORITY_FEATURES_EXT,
         .memoryPriority = VK_TRUE);

static void allocate_with(struct baseline *b, const void *next, uint32_t type)
{
    VkMemoryAllocateInfo info = memory_info(4096, type);
    info.pNext = next;
    create_memory(b, &info);
}

#define PRIORITY_WITH(...)                                             \
    ADVISED_FOR_NVIDIA, .drivers = NULL_DRIVER, .features = &priority, \
        .extensions = {"VK_EXT_memory_priority"}, .expect = {__VA_ARGS__}

SCENARIO(without_priority, PRIORITY_WITH(BP("NVIDIA-AllocateMemory-SetPriority")),
         .text = {"pAllocateInfo has no VkMemoryPriorityAllocateInfoEXT, and memory type 0"})
{
    allocate_with(b, NULL, 0);
}

SCENARIO(with_priority, PRIORITY_WITH())
{
    allocate_with(b,
                  &(VkMemoryPriorityAllocateInfoEXT){
                      .sType = VK_STRUCTURE_TYPE_MEMORY_PRIORITY_ALLOCATE_INFO_EXT,
                      .priority = 1.0f},
                  0);
}

SCENARIO(without_priority_on_the_host, PRIORITY_WITH())
{
    allocate_with(b, NULL, 3);
}

static void bind_with(struct baseline *b, bool sets)
{
    VkBufferCreateInfo info = buffer_info(4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    VkBuffer buffer = create_buffer(b, &info);
    VkMemoryAllocateInfo allocation = memory_info(4096, 0);
    VkDeviceMemory memory = create_memory(b, &allocation);
    VkMemoryRequirements requirements;
    vkGetBufferMemoryRequirements(b->device, buffer, &requirements);
    if (sets)
        DEVICE_PROC(b, vkSetDeviceMemoryPriorityEXT)(b->device, memory, 1.0f);
    VK(vkBindBufferMemory(b->device, buffer, memory, 0));
}

#define PAGES_WITH(...)                                                                  \
    ADVISED_FOR(nvidia), .drivers = NULL_DRIVER, .features = &priority,                  \
        .extensions = {"VK_EXT_memory_priority", "VK_EXT_pageable_device_local_memory"}, \
        .expect = {__VA_ARGS__}

SCENARIO(priority_never_set, PAGES_WITH(BP("NVIDIA-AllocateMemory-SetPriority")),
         .text = {"binds VkBuffer ", ", which has no priority, and memory type 0 is of the device"})
{
    bind_with(b, false);
}

SCENARIO(priority_set_later, PAGES_WITH())
{
    bind_with(b, true);
}

static void churn_allocations(struct baseline *b, int times)
{
    for (int i = 0; i < times; i++) {
        VkMemoryAllocateInfo info = memory_info(65536, 1);
        VkDeviceMemory memory;
        VK(vkAllocateMemory(b->device, &info, NULL, &memory));
        vkFreeMemory(b->device, memory, NULL);
    }
}

SCENARIO(memory_churned, ADVISED_FOR(nvidia), .drivers = NULL_DRIVER,
         .extensions = {"VK_EXT_memory_priority", "VK_EXT_pageable_device_local_memory"},
         .expect = {BP("NVIDIA-AllocateMemory-ReuseAllocations")},
         .text = {"asks for 65536 bytes of memory type 1, and an allocation of that size and type "
                  "was freed shortly before (8 times so far)"})
{
    churn_allocations(b, 9);
}

SCENARIO(memory_churned_a_little, ADVISED_FOR(nvidia), .drivers = NULL_DRIVER,
         .extensions = {"VK_EXT_memory_priority", "VK_EXT_pageable_device_local_memory"})
{
    churn_allocations(b, 8);
}

/* --- much memory --- */

/* Memory of type 0 is of the device, and of type 3 of the host. */
static void allocate_much(struct baseline *b, VkDeviceSize size, uint32_t type)
{
    for (int i = 0; i < 2; i++) {
        VkMemoryAllocateInfo info = memory_info(size, type);
        create_memory(b, &info);
    }
}

SCENARIO(not_pageable, ADVISED_FOR(nvidia), .drivers = NULL_DRIVER,
         .expect = {BP("NVIDIA-CreateDevice-PageableDeviceLocalMemory")},
         .text = {"brings the program to 1024 MiB of the device's memory, and "
                  "VK_EXT_pageable_device_local_memory, which the device has, is not enabled"})
{
    allocate_much(b, 512 << 20, 0);
}

SCENARIO(not_pageable_less, ADVISED_FOR(nvidia), .drivers = NULL_DRIVER)
{
    allocate_much(b, (512 << 20) - 4096, 0);
}

SCENARIO(not_pageable_freed, ADVISED_FOR(nvidia), .drivers = NULL_DRIVER)
{
    for (int i = 0; i < 3; i++) {
        VkMemoryAllocateInfo info = memory_info((512 << 20) + 4096 * i, 0);
        VkDeviceMemory memory;
        VK(vkAllocateMemory(b->device, &info, NULL, &memory));
        vkFreeMemory(b->device, memory, NULL);
    }
}

SCENARIO(not_pageable_on_the_host, ADVISED_FOR(nvidia), .drivers = NULL_DRIVER)
{
    allocate_much(b, 512 << 20, 3);
}

SCENARIO(pageable, ADVISED_FOR(nvidia), .drivers = NULL_DRIVER,
         .extensions = {"VK_EXT_memory_priority", "VK_EXT_pageable_device_local_memory"})
{
    allocate_much(b, 512 << 20, 0);
}

SCENARIO(pageable_nowhere, ADVISED_FOR_NVIDIA, .drivers = NULL_DRIVER)
{
    allocate_much(b, 512 << 20, 0);
}
