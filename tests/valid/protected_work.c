/* Protected queues, memory, images and command buffers, and what unprotected and protected work may
 * share. */
#include "valid.h"

struct shielded {
    VkBuffer buffers[2]; /* protected */
    struct image *image; /* protected */
    struct buffer *plain;
    bool no_fault;
};

static VkDeviceMemory protected_memory(struct world *w, VkMemoryRequirements needs)
{
    for (uint32_t i = 0; i < w->memory.memoryTypeCount; i++) {
        VkMemoryPropertyFlags flags = w->memory.memoryTypes[i].propertyFlags;
        if (!((needs.memoryTypeBits >> i) & 1) || !(flags & VK_MEMORY_PROPERTY_PROTECTED_BIT))
            continue;
        VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                     .allocationSize = needs.size,
                                     .memoryTypeIndex = i};
        VkDeviceMemory memory = VK_NULL_HANDLE;
        MUST(AllocateMemory, w->device, &info, NULL, &memory);
        own(w, destroy_memory, U64(memory), 0);
        return memory;
    }
    return VK_NULL_HANDLE;
}

static bool make_shielded(struct world *w, struct shielded *s)
{
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .flags = VK_BUFFER_CREATE_PROTECTED_BIT,
                               .size = 1024,
                               .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                        VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                               .pQueueFamilyIndices = IGNORED};
    VkMemoryRequirements needs;
    for (unsigned i = 0; i < 2; i++) {
        MUST(CreateBuffer, w->device, &info, NULL, &s->buffers[i]);
        OWN(Buffer, s->buffers[i]);
        CALL(GetBufferMemoryRequirements, w->device, s->buffers[i], &needs);
        VkDeviceMemory memory = protected_memory(w, needs);
        if (!memory)
            return false;
        MUST(BindBufferMemory, w->device, s->buffers[i], memory, 0);
    }
    VkImageCreateInfo image =
        image_info(VK_FORMAT_R8G8B8A8_UNORM, 16, 16,
                   VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    image.flags = VK_IMAGE_CREATE_PROTECTED_BIT;
    image.pQueueFamilyIndices = IGNORED;
    if (image_supported(w, &image)) {
        s->image = NEW(struct image, .info = image, .format = format_of(image.format));
        MUST(CreateImage, w->device, &image, NULL, &s->image->handle);
        OWN(Image, s->image->handle);
        CALL(GetImageMemoryRequirements, w->device, s->image->handle, &needs);
        VkDeviceMemory memory = protected_memory(w, needs);
        if (!memory)
            return false;
        MUST(BindImageMemory, w->device, s->image->handle, memory, 0);
    }
    w->sharing = SHARING_EXCLUSIVE;
    s->plain =
        make_buffer(w, 1024, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                    false);
    w->sharing = SHARING_ANY;
    VkPhysicalDeviceProtectedMemoryProperties properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_PROPERTIES};
    s->no_fault = properties_of(w, &properties) && properties.protectedNoFault;
    return true;
}

static void protected_transfers(struct record *rec, struct shielded *s)
{
    struct world *w = rec->w;
    VkBufferCopy region = {0, 64, between(w, 1, 960)};
    for (uint32_t i = between(w, 1, 4); i > 0; i--) {
        switch (below(w, 4)) {
        case 0:
            ready(rec, USE(CLEAR));
            CALL(CmdFillBuffer, rec->c, s->buffers[below(w, 2)], 0, VK_WHOLE_SIZE, 3);
            break;
        case 1: /* what is not protected may be read, and written where that does no harm */
            ready(rec, USE(COPY_READ) | USE(COPY_WRITE));
            CALL(CmdCopyBuffer, rec->c, s->plain->handle, s->buffers[0], 1, &region);
            break;
        case 2:
            ready(rec, USE(COPY_READ) | USE(COPY_WRITE));
            CALL(CmdCopyBuffer, rec->c, s->buffers[0],
                 s->no_fault && chance(w, 30) ? s->plain->handle : s->buffers[1], 1, &region);
            break;
        default:
            if (!s->image)
                break;
            needs_layout(rec, s->image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
            ready(rec, USE(COPY_READ) | USE(COPY_WRITE));
            VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      .imageExtent = {16, 16, 1}};
            CALL(CmdCopyBufferToImage, rec->c, s->buffers[0], s->image->handle,
                 VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
            break;
        }
    }
}

/* A pipeline that only protected command buffers may bind, or one for both. */
static void protected_dispatch(struct record *rec, struct shielded *s)
{
    struct world *w = rec->w;
    VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                            VK_SHADER_STAGE_COMPUTE_BIT, IGNORED};
    VkDescriptorSetLayoutCreateInfo sets = {.sType =
                                                VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .bindingCount = 1,
                                            .pBindings = &binding};
    VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
    MUST(CreateDescriptorSetLayout, w->device, &sets, NULL, &set_layout);
    OWN(DescriptorSetLayout, set_layout);
    VkPipelineLayoutCreateInfo layout_info = {.sType =
                                                  VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                              .setLayoutCount = 1,
                                              .pSetLayouts = &set_layout,
                                              .pPushConstantRanges = IGNORED};
    VkPipelineLayout layout = VK_NULL_HANDLE;
    MUST(CreatePipelineLayout, w->device, &layout_info, NULL, &layout);
    OWN(PipelineLayout, layout);
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    VkDescriptorPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                            .maxSets = 1,
                                            .poolSizeCount = 1,
                                            .pPoolSizes = &size};
    VkDescriptorPool pool = VK_NULL_HANDLE;
    MUST(CreateDescriptorPool, w->device, &pool_info, NULL, &pool);
    OWN(DescriptorPool, pool);
    VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                            .descriptorPool = pool,
                                            .descriptorSetCount = 1,
                                            .pSetLayouts = &set_layout};
    VkDescriptorSet set = VK_NULL_HANDLE;
    MUST(AllocateDescriptorSets, w->device, &allocate, &set);
    VkDescriptorBufferInfo buffer = {s->buffers[1], 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = set,
                                  .descriptorCount = 1,
                                  .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                  .pBufferInfo = &buffer};
    CALL(UpdateDescriptorSets, w->device, 1, &write, 0, IGNORED);
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .flags =
            ON(pipelineProtectedAccess) ? PICK(0, VK_PIPELINE_CREATE_PROTECTED_ACCESS_ONLY_BIT) : 0,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = make_module(w, SHADER_fill_comp),
                  .pName = "main"},
        .layout = layout,
        .basePipelineIndex = -1};
    VkPipeline pipeline = VK_NULL_HANDLE;
    MUST(CreateComputePipelines, w->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline);
    OWN(Pipeline, pipeline);
    CALL(CmdBindPipeline, rec->c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    CALL(CmdBindDescriptorSets, rec->c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
         IGNORED);
    ready(rec, USE(COMPUTE_READ) | USE(COMPUTE_WRITE));
    CALL(CmdDispatch, rec->c, 1, 1, 1);
}

void step_protected_work(struct world *w)
{
    const struct queue *queue = NULL;
    for (uint32_t i = 0; i < w->queue_count; i++)
        queue = w->queues[i].created ? &w->queues[i] : queue;
    struct shielded *s = NEW(struct shielded, {VK_NULL_HANDLE});
    if (!queue || !make_shielded(w, s))
        return;
    VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                         .flags = VK_COMMAND_POOL_CREATE_PROTECTED_BIT,
                                         .queueFamilyIndex = queue->family};
    VkCommandPool pool = VK_NULL_HANDLE;
    MUST(CreateCommandPool, w->device, &pool_info, NULL, &pool);
    OWN(CommandPool, pool);
    VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                            .commandPool = pool,
                                            .commandBufferCount = 1};
    struct record *rec =
        NEW(struct record, .w = w, .queue = queue, .unknown = !w->idle, .once = true);
    MUST(AllocateCommandBuffers, w->device, &allocate, &rec->c);
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .pInheritanceInfo = IGNORED};
    MUST(BeginCommandBuffer, rec->c, &begin);
    protected_transfers(rec, s);
    if (chance(w, 50))
        protected_dispatch(rec, s);
    if (rec->transition_count)
        ready(rec, USE(ALL));
    MUST(EndCommandBuffer, rec->c);
    struct batch batch = {.count = 1, .buffers = &rec->c, .protected = true};
    submit_batches(w, queue->handle, 1, &batch, VK_NULL_HANDLE);
    w->idle = false;
    if (chance(w, 50)) { /* the same queue runs the other kind as well, and none at all */
        struct record *plain = record_begin(w, queue);
        plain->once = true;
        ready(plain, USE(CLEAR));
        CALL(CmdFillBuffer, plain->c,
             s->no_fault && chance(w, 30) ? s->buffers[0] : s->plain->handle, 0, 16, 1);
        record_finish(plain);
        batch.count = 0;
        submit_batches(w, queue->handle, 1, &batch, VK_NULL_HANDLE);
        w->idle = false;
    }
}
