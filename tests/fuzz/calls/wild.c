/* Chooses what is in a wild call, and which calls come how often. */
#include "wild.h"

#include <stdlib.h>
#include <string.h>

/* --- handles --- */

uint64_t wild_live(struct wild *wild, struct random *r, enum kind kind)
{
    uint32_t choice = (uint32_t)random_next(r);
    pthread_mutex_lock(&wild->lock);
    const struct handles *h = &wild->handles[kind];
    uint64_t handle = h->live_count ? h->live[choice % h->live_count] : 0;
    pthread_mutex_unlock(&wild->lock);
    return handle;
}

static uint64_t pick_from(struct wild *wild, const uint64_t *handles, const unsigned *count,
                          uint32_t choice)
{
    pthread_mutex_lock(&wild->lock);
    uint64_t handle = *count ? handles[choice % *count] : 0;
    pthread_mutex_unlock(&wild->lock);
    return handle;
}

uint64_t wild_pick(struct wild *wild, struct random *r, enum kind kind)
{
    uint32_t choice = random_below(r, 100), which = (uint32_t)random_next(r);
    uint64_t garbage = random_next(r);
    if (choice < 90)
        return wild_live(wild, r, kind);
    if (choice < 94)
        return pick_from(wild, wild->handles[kind].dead, &wild->handles[kind].dead_count, which);
    if (kind == KIND_CommandBuffer) /* it is unknown where a wrong pointer leads */
        return pick_from(wild, wild->foreign[kind].live, &wild->foreign[kind].live_count, which);
    if (choice < 96)
        return pick_from(wild, wild->foreign[kind].live, &wild->foreign[kind].live_count, which);
    if (choice < 97)
        return wild_live(wild, r, (enum kind)(which % KIND_CommandBuffer));
    return choice < 98 ? garbage : 0;
}

static void push_handle(struct handles *h, uint64_t handle)
{
    if (h->live_count == LIVE_MOST)
        memmove(h->live, h->live + 1, --h->live_count * sizeof(h->live[0]));
    h->live[h->live_count++] = handle;
}

void wild_add(struct wild *wild, enum kind kind, uint64_t handle)
{
    if (!handle)
        return;
    pthread_mutex_lock(&wild->lock);
    push_handle(&wild->handles[kind], handle);
    pthread_mutex_unlock(&wild->lock);
}

static void bury_handle(struct handles *h, uint64_t handle)
{
    if (h->dead_count == DEAD_MOST)
        memmove(h->dead, h->dead + 1, --h->dead_count * sizeof(h->dead[0]));
    h->dead[h->dead_count++] = handle;
}

void wild_end(struct wild *wild, enum kind kind, uint64_t handle)
{
    pthread_mutex_lock(&wild->lock);
    struct handles *h = &wild->handles[kind];
    for (unsigned i = 0; i < h->live_count; i++) {
        if (h->live[i] == handle) {
            memmove(h->live + i, h->live + i + 1, (--h->live_count - i) * sizeof(h->live[0]));
            bury_handle(h, handle);
            break;
        }
    }
    pthread_mutex_unlock(&wild->lock);
}

void wild_end_some(struct wild *wild, struct random *r, enum kind kind)
{
    for (unsigned i = 0; i < 4; i++)
        wild_end(wild, kind, wild_live(wild, r, kind));
}

/* --- values --- */

static const uint64_t extremes[] = {0,           1,
                                    0x7f,        0xffff,
                                    0x10000,     INT32_MAX,
                                    0x80000000u, UINT32_MAX - 1,
                                    UINT32_MAX,  0x100000000ull,
                                    INT64_MAX,   UINT64_MAX - 1,
                                    UINT64_MAX};

uint64_t wild_size(struct random *r, uint64_t below_this)
{
    uint32_t choice = random_below(r, 100);
    uint64_t any = random_next(r);
    if (choice < 2)
        return ANY_OF(r, extremes);
    return choice < 3 ? any : any % below_this;
}

uint32_t wild_number(struct random *r, uint32_t below_this)
{
    return (uint32_t)wild_size(r, below_this);
}

uint32_t wild_flags(struct random *r, uint32_t usual)
{
    uint32_t any = (uint32_t)random_next(r), choice = random_below(r, 100);
    if (choice < 2)
        return any;
    return choice < 12 ? usual & any : usual;
}

int32_t wild_enum(struct random *r, int32_t below_this)
{
    return (int32_t)wild_number(r, (uint32_t)below_this);
}

VkFormat wild_format(struct random *r)
{
    static const VkFormat formats[] = {VK_FORMAT_R8G8B8A8_UNORM,
                                       VK_FORMAT_B8G8R8A8_SRGB,
                                       VK_FORMAT_R32_UINT,
                                       VK_FORMAT_R32G32B32A32_SFLOAT,
                                       VK_FORMAT_D32_SFLOAT,
                                       VK_FORMAT_D24_UNORM_S8_UINT,
                                       VK_FORMAT_S8_UINT,
                                       VK_FORMAT_BC1_RGB_UNORM_BLOCK,
                                       VK_FORMAT_ASTC_8x6_UNORM_BLOCK,
                                       VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM,
                                       VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
                                       VK_FORMAT_R64_UINT,
                                       VK_FORMAT_UNDEFINED};
    uint32_t any = (uint32_t)random_next(r);
    return random_chance(r, 3)    ? (VkFormat)any
           : random_chance(r, 10) ? (VkFormat)(any % 200)
                                  : ANY_OF(r, formats);
}

VkImageLayout wild_layout(struct random *r)
{
    static const VkImageLayout layouts[] = {
        VK_IMAGE_LAYOUT_UNDEFINED,
        VK_IMAGE_LAYOUT_GENERAL,
        VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
        VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL,
        VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
        VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
        VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
        VK_IMAGE_LAYOUT_PREINITIALIZED,
        VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL,
        VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL,
        VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL,
        VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL,
        VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ,
        VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
        VK_IMAGE_LAYOUT_MAX_ENUM};
    return ANY_OF(r, layouts);
}

float wild_float(struct random *r)
{
    static const float values[] = {0,     1,      -1,          0.5f,        64,
                                   1e30f, -1e30f, 1.0f / 0.0f, 0.0f / 0.0f, 16384};
    return ANY_OF(r, values);
}

uint32_t wild_count(struct random *r, uint32_t there)
{
    uint32_t count = 1 + random_below(r, there);
    return random_chance(r, 5) ? 0 : count;
}

uint64_t wild_stages2(struct random *r)
{
    uint64_t any = random_next(r);
    return random_chance(r, 2)    ? any
           : random_chance(r, 50) ? VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT
                                  : 1ull << (any % 42);
}

uint64_t wild_accesses2(struct random *r)
{
    uint64_t any = random_next(r);
    return random_chance(r, 2)    ? any
           : random_chance(r, 50) ? VK_ACCESS_2_MEMORY_WRITE_BIT
                                  : 1ull << (any % 48);
}

const void *wild_next(struct random *r, struct wild_chain *memory)
{
    /* Any structure fits into the memory, which is empty: it has no arrays, and leads nowhere. */
    static const VkStructureType types[] = {
        VK_STRUCTURE_TYPE_APPLICATION_INFO,
        VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO,
        VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
        VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,
        VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO,
        VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
        VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO,
        VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO,
        VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO,
        VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
        VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO,
        VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO,
        VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENTS_CREATE_INFO,
        VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO,
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO,
        VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK,
        VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
        VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
        VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
        VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_DEVICE_GROUP_INFO};
    if (!random_chance(r, 4))
        return NULL;
    memset(memory, 0, sizeof(*memory));
    VkBaseOutStructure *head = (VkBaseOutStructure *)memory->memory;
    uint32_t word = random_below(r, 4);
    head->sType = random_chance(r, 10) ? (VkStructureType)random_next(r) : ANY_OF(r, types);
    if (random_chance(r, 50))
        /* flags, a count, a small pointer */
        memcpy(memory->memory + sizeof(*head), &word, sizeof(word));
    if (random_chance(r, 1))
        head->pNext = head; /* without an end */
    return head;
}

/* --- destroying --- */

static void destroy_wild_handle(struct wild *wild, struct random *r, enum kind kind,
                                uint64_t handle)
{
    struct world *w = wild->w;
    /* first: another thread may hold it still, which is as it should be */
    wild_end(wild, kind, handle);
    switch (kind) {
#define CASE(Type_, destroy_)                                             \
    case KIND_##Type_:                                                    \
        CALL(w, destroy_, w->device, (Vk##Type_)(uintptr_t)handle, NULL); \
        break;
        KINDS(CASE)
#undef CASE
    default:
        break;
    }
    if (kind == KIND_CommandPool)
        wild_end_some(wild, r, KIND_CommandBuffer);
    if (kind == KIND_DescriptorPool)
        wild_end_some(wild, r, KIND_DescriptorSet);
}

void wild_destroy_step(struct wild *wild, struct random *r)
{
    struct world *w = wild->w;
    uint32_t choice = random_below(r, KIND_COUNT + 4);
    if (choice < KIND_DescriptorSet) {
        destroy_wild_handle(wild, r, (enum kind)choice, wild_pick(wild, r, (enum kind)choice));
    } else if (choice == KIND_DescriptorSet) {
        VkDescriptorSet sets[2] = {PICK(DescriptorSet), PICK(DescriptorSet)};
        wild_end(wild, KIND_DescriptorSet, (uint64_t)(uintptr_t)sets[0]);
        wild_end(wild, KIND_DescriptorSet, (uint64_t)(uintptr_t)sets[1]);
        (void)TRY(w, FreeDescriptorSets, w->device, PICK(DescriptorPool), 1 + random_below(r, 2),
                  sets);
    } else if (choice == KIND_CommandBuffer) {
        VkCommandBuffer buffers[2] = {PICK(CommandBuffer), PICK(CommandBuffer)};
        wild_end(wild, KIND_CommandBuffer, (uint64_t)(uintptr_t)buffers[0]);
        wild_end(wild, KIND_CommandBuffer, (uint64_t)(uintptr_t)buffers[1]);
        CALL(w, FreeCommandBuffers, w->device, PICK(CommandPool), 1 + random_below(r, 2),
             OR_NULL(buffers));
    } else if (choice == KIND_COUNT) {
        (void)TRY(w, ResetDescriptorPool, w->device, PICK(DescriptorPool), wild_flags(r, 0));
        wild_end_some(wild, r, KIND_DescriptorSet);
    } else if (choice == KIND_COUNT + 1) {
        (void)TRY(w, ResetCommandPool, w->device, PICK(CommandPool), wild_flags(r, 1));
    } else if (choice == KIND_COUNT + 2) {
        CALL(w, TrimCommandPool, w->device, PICK(CommandPool), wild_flags(r, 0));
    } else {
        enum kind kind = (enum kind)random_below(r, KIND_DescriptorSet);
        destroy_wild_handle(wild, r, kind, wild_live(wild, r, kind));
    }
}

/* --- steps --- */

static const struct {
    uint32_t weight;
    void (*step)(struct wild *wild, struct random *r);
} steps[] = {{16, wild_create_step},    {6, wild_destroy_step},  {6, wild_memory_step},
             {8, wild_descriptor_step}, {6, wild_pipeline_step}, {45, wild_record_step},
             {8, wild_queue_step},      {5, wild_sync_step}};

void wild_step(struct wild *wild, struct random *r)
{
    uint32_t total = 0;
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
        total += steps[i].weight;
    uint32_t choice = random_below(r, total);
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        if (choice < steps[i].weight) {
            steps[i].step(wild, r);
            return;
        }
        choice -= steps[i].weight;
    }
}

/* Some objects of the other device, whose handles do not belong in calls on the first. */
static void create_foreign(struct wild *wild)
{
    VkDevice device = wild->w->other_device;
    VkBufferCreateInfo buffer_info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 256, .usage = 0x1ff};
    VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkSemaphoreCreateInfo semaphore_info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    VkEventCreateInfo event_info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    VkPipelineLayoutCreateInfo layout_info = {.sType =
                                                  VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    VkBuffer buffer = VK_NULL_HANDLE;
    VkFence fence = VK_NULL_HANDLE;
    VkSemaphore semaphore = VK_NULL_HANDLE;
    VkEvent event = VK_NULL_HANDLE;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    VkCommandPool pool = VK_NULL_HANDLE;
    VkCommandBuffer command_buffer = VK_NULL_HANDLE;
    (void)vkCreateBuffer(device, &buffer_info, NULL, &buffer);
    (void)vkCreateFence(device, &fence_info, NULL, &fence);
    (void)vkCreateSemaphore(device, &semaphore_info, NULL, &semaphore);
    (void)vkCreateEvent(device, &event_info, NULL, &event);
    (void)vkCreatePipelineLayout(device, &layout_info, NULL, &layout);
    (void)vkCreateCommandPool(device, &pool_info, NULL, &pool);
    VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                        .commandPool = pool,
                                        .commandBufferCount = 1};
    (void)vkAllocateCommandBuffers(device, &info, &command_buffer);
    push_handle(&wild->foreign[KIND_Buffer], (uint64_t)(uintptr_t)buffer);
    push_handle(&wild->foreign[KIND_Fence], (uint64_t)(uintptr_t)fence);
    push_handle(&wild->foreign[KIND_Semaphore], (uint64_t)(uintptr_t)semaphore);
    push_handle(&wild->foreign[KIND_Event], (uint64_t)(uintptr_t)event);
    push_handle(&wild->foreign[KIND_PipelineLayout], (uint64_t)(uintptr_t)layout);
    push_handle(&wild->foreign[KIND_CommandPool], (uint64_t)(uintptr_t)pool);
    push_handle(&wild->foreign[KIND_CommandBuffer], (uint64_t)(uintptr_t)command_buffer);
}

struct wild *wild_create(struct world *w)
{
    struct wild *wild = calloc(1, sizeof(*wild));
    if (!wild)
        abort();
    wild->w = w;
    (void)pthread_mutex_init(&wild->lock, NULL);
    create_foreign(wild);
    struct random r = random_of(w->options->seed, UINT64_MAX - 2);
    for (int i = 0; i < 60; i++)
        wild_create_step(wild, &r);
    return wild;
}

/* Half of the runs clean up after themselves; the others leave everything to vkDestroyDevice. */
void wild_destroy(struct wild *wild)
{
    struct random r = random_of(wild->w->options->seed, UINT64_MAX - 1);
    bool cleans = random_chance(&r, 50);
    for (unsigned kind = 0; cleans && kind < KIND_DescriptorSet; kind++) {
        while (wild->handles[kind].live_count)
            destroy_wild_handle(wild, &r, (enum kind)kind, wild->handles[kind].live[0]);
    }
    (void)pthread_mutex_destroy(&wild->lock);
    free(wild);
}
