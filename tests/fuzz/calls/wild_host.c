/* The host's part of the wild mode: memory, descriptors, submissions, synchronization. */
#include "wild.h"

#include <string.h>

/* Nanoseconds that a wait may last. */
#define PATIENCE 1000

/* --- memory --- */

static void allocate_wild_memory(struct wild *wild, struct random *r)
{
    struct wild_chain chain;
    VkMemoryDedicatedAllocateInfo dedicated = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO};
    if (random_chance(r, 50))
        dedicated.image = PICK(Image);
    else
        dedicated.buffer = PICK(Buffer);
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .pNext = random_chance(r, 10) ? &dedicated : wild_next(r, &chain),
                                 .allocationSize = wild_size(r, 1 << 20),
                                 .memoryTypeIndex = wild_number(r, 6)};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    if (TRY(wild->w, AllocateMemory, wild->w->device, &info, NULL, &memory) == VK_SUCCESS)
        ADD(DeviceMemory, memory);
}

static void bind_wild_memory(struct wild *wild, struct random *r)
{
    struct world *w = wild->w;
    struct wild_chain chain;
    VkMemoryRequirements requirements;
    VkBuffer buffer = PICK(Buffer);
    VkImage image = PICK(Image);
    VkBindBufferMemoryInfo buffer_info = {.sType = VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO,
                                          .pNext = wild_next(r, &chain),
                                          .buffer = buffer,
                                          .memory = PICK(DeviceMemory),
                                          .memoryOffset = wild_size(r, 4) * 256};
    VkBindImagePlaneMemoryInfo plane = {
        .sType = VK_STRUCTURE_TYPE_BIND_IMAGE_PLANE_MEMORY_INFO,
        .planeAspect = (VkImageAspectFlagBits)(VK_IMAGE_ASPECT_PLANE_0_BIT << random_below(r, 3))};
    VkBindImageMemorySwapchainInfoKHR swapchain = {
        .sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_SWAPCHAIN_INFO_KHR,
        .swapchain = PICK(SwapchainKHR),
        .imageIndex = wild_number(r, 4)};
    VkBindImageMemoryInfo image_info = {.sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO,
                                        .pNext = random_chance(r, 10)   ? (void *)&plane
                                                 : random_chance(r, 10) ? &swapchain
                                                                        : NULL,
                                        .image = image,
                                        .memory = PICK(DeviceMemory),
                                        .memoryOffset = wild_size(r, 4) * 1024};
    switch (random_below(r, 6)) {
    case 0:
        (void)TRY(w, BindBufferMemory, w->device, buffer, PICK(DeviceMemory),
                  wild_size(r, 4) * 256);
        break;
    case 1:
        (void)TRY(w, BindBufferMemory2, w->device, 1, OR_NULL(&buffer_info));
        break;
    case 2:
        (void)TRY(w, BindImageMemory, w->device, image, PICK(DeviceMemory), wild_size(r, 4) * 1024);
        break;
    case 3:
        (void)TRY(w, BindImageMemory2, w->device, 1, OR_NULL(&image_info));
        break;
    case 4:
        CALL(w, GetBufferMemoryRequirements, w->device, buffer, &requirements);
        break;
    default:
        CALL(w, GetImageMemoryRequirements, w->device, image, &requirements);
        break;
    }
}

static void map_wild_memory(struct wild *wild, struct random *r)
{
    struct world *w = wild->w;
    void *data = NULL;
    VkDeviceMemory memory = PICK(DeviceMemory);
    VkMappedMemoryRange range = {.sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
                                 .memory = memory,
                                 .offset = wild_size(r, 256),
                                 .size = random_chance(r, 50) ? VK_WHOLE_SIZE : wild_size(r, 4096)};
    VkMemoryMapInfo map_info = {.sType = VK_STRUCTURE_TYPE_MEMORY_MAP_INFO,
                                .flags = wild_flags(r, 0) & ~(uint32_t)VK_MEMORY_MAP_PLACED_BIT_EXT,
                                .memory = memory,
                                .offset = wild_size(r, 256),
                                .size = VK_WHOLE_SIZE};
    VkMemoryUnmapInfo unmap_info = {.sType = VK_STRUCTURE_TYPE_MEMORY_UNMAP_INFO, .memory = memory};
    VkDeviceSize committed;
    switch (random_below(r, 7)) {
    case 0:
    case 1:
        (void)TRY(w, MapMemory, w->device, memory, range.offset, range.size, wild_flags(r, 0),
                  &data);
        break;
    case 2:
        CALL(w, UnmapMemory, w->device, memory);
        break;
    case 3:
        (void)TRY(w, FlushMappedMemoryRanges, w->device, 1, OR_NULL(&range));
        break;
    case 4:
        (void)TRY(w, InvalidateMappedMemoryRanges, w->device, 1, &range);
        break;
    case 5:
        (void)TRY(w, MapMemory2, w->device, &map_info, &data);
        (void)TRY(w, UnmapMemory2, w->device, &unmap_info);
        break;
    default:
        CALL(w, GetDeviceMemoryCommitment, w->device, memory, &committed);
        break;
    }
}

static void ask_resource(struct wild *wild, struct random *r)
{
    struct world *w = wild->w;
    VkImageSubresource subresource = {wild_flags(r, 1), wild_number(r, 3), wild_number(r, 3)};
    VkSubresourceLayout layout;
    VkBufferDeviceAddressInfo address = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                         .buffer = PICK(Buffer)};
    VkSparseImageMemoryRequirements sparse[4];
    uint32_t count = 4;
    VkHostImageLayoutTransitionInfo transition = {
        .sType = VK_STRUCTURE_TYPE_HOST_IMAGE_LAYOUT_TRANSITION_INFO,
        .image = PICK(Image),
        .oldLayout = wild_layout(r),
        .newLayout = wild_layout(r),
        .subresourceRange = {wild_flags(r, 1), wild_number(r, 3), wild_number(r, 3),
                             wild_number(r, 3), wild_number(r, 3)}};
    switch (random_below(r, 4)) {
    case 0:
        CALL(w, GetImageSubresourceLayout, w->device, PICK(Image), &subresource, &layout);
        break;
    case 1:
        (void)CALL(w, GetBufferDeviceAddress, w->device, &address);
        break;
    case 2:
        CALL(w, GetImageSparseMemoryRequirements, w->device, PICK(Image), &count, sparse);
        break;
    default:
        (void)TRY(w, TransitionImageLayout, w->device, 1, &transition);
        break;
    }
}

void wild_memory_step(struct wild *wild, struct random *r)
{
    static void (*const calls[])(struct wild *, struct random *) = {
        allocate_wild_memory, bind_wild_memory, bind_wild_memory,
        bind_wild_memory,     map_wild_memory,  ask_resource};
    ANY_OF(r, calls)(wild, r);
}

/* --- descriptors --- */

static void create_set_layout(struct wild *wild, struct random *r)
{
    struct wild_chain chain;
    VkSampler samplers[3] = {PICK(Sampler), PICK(Sampler), PICK(Sampler)};
    VkDescriptorSetLayoutBinding bindings[4];
    VkDescriptorBindingFlags flags[4];
    for (uint32_t i = 0; i < 4; i++) {
        bindings[i] = (VkDescriptorSetLayoutBinding){
            random_chance(r, 90) ? i : wild_number(r, 8), (VkDescriptorType)wild_enum(r, 11),
            random_chance(r, 90) ? random_below(r, 4) : wild_number(r, 1000),
            wild_flags(r, SHADER_STAGES), NULL};
        bindings[i].pImmutableSamplers =
            bindings[i].descriptorCount < 4 && random_chance(r, 10) ? samplers : NULL;
        flags[i] = wild_flags(r, 0xf);
    }
    VkDescriptorSetLayoutBindingFlagsCreateInfo flags_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = wild_count(r, 4),
        .pBindingFlags = flags};
    VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .pNext = random_chance(r, 20) ? &flags_info : wild_next(r, &chain),
        .flags = wild_flags(r, random_chance(r, 80) ? 0 : random_below(r, 4)),
        .bindingCount = wild_count(r, 4),
        .pBindings = OR_NULL(bindings)};
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    if (TRY(wild->w, CreateDescriptorSetLayout, wild->w->device, &info, NULL, &layout) ==
        VK_SUCCESS)
        ADD(DescriptorSetLayout, layout);
}

static void create_descriptor_pool(struct wild *wild, struct random *r)
{
    struct wild_chain chain;
    VkDescriptorPoolSize sizes[3] = {{(VkDescriptorType)wild_enum(r, 11), wild_number(r, 100)},
                                     {(VkDescriptorType)wild_enum(r, 11), wild_number(r, 100)},
                                     {(VkDescriptorType)wild_enum(r, 11), wild_number(r, 100)}};
    VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .pNext = wild_next(r, &chain),
                                       .flags = wild_flags(r, random_below(r, 4)),
                                       .maxSets = wild_number(r, 16),
                                       .poolSizeCount = wild_count(r, 3),
                                       .pPoolSizes = OR_NULL(sizes)};
    VkDescriptorPool pool = VK_NULL_HANDLE;
    if (TRY(wild->w, CreateDescriptorPool, wild->w->device, &info, NULL, &pool) == VK_SUCCESS)
        ADD(DescriptorPool, pool);
}

static void allocate_wild_sets(struct wild *wild, struct random *r)
{
    uint32_t counts[3] = {wild_number(r, 4), wild_number(r, 4), wild_number(r, 4)};
    VkDescriptorSetVariableDescriptorCountAllocateInfo variable = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO,
        .descriptorSetCount = wild_count(r, 3),
        .pDescriptorCounts = counts};
    VkDescriptorSetLayout layouts[3] = {PICK(DescriptorSetLayout), PICK(DescriptorSetLayout),
                                        PICK(DescriptorSetLayout)};
    VkDescriptorSet sets[3] = {VK_NULL_HANDLE, VK_NULL_HANDLE, VK_NULL_HANDLE};
    VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                        .pNext = random_chance(r, 20) ? &variable : NULL,
                                        .descriptorPool = PICK(DescriptorPool),
                                        .descriptorSetCount = wild_count(r, 3),
                                        .pSetLayouts = OR_NULL(layouts)};
    if (TRY(wild->w, AllocateDescriptorSets, wild->w->device, &info, sets) != VK_SUCCESS)
        return;
    for (uint32_t i = 0; i < info.descriptorSetCount; i++)
        ADD(DescriptorSet, sets[i]);
}

static void update_sets(struct wild *wild, struct random *r)
{
    VkDescriptorImageInfo images[4];
    VkDescriptorBufferInfo buffers[4];
    VkBufferView views[4];
    VkWriteDescriptorSet writes[3];
    VkCopyDescriptorSet copies[2];
    struct wild_chain chain;
    for (int i = 0; i < 4; i++) {
        images[i] = (VkDescriptorImageInfo){PICK(Sampler), PICK(ImageView), wild_layout(r)};
        buffers[i] =
            (VkDescriptorBufferInfo){PICK(Buffer), wild_size(r, 16) * 64,
                                     random_chance(r, 50) ? VK_WHOLE_SIZE : wild_size(r, 4096)};
        views[i] = PICK(BufferView);
    }
    for (int i = 0; i < 3; i++)
        writes[i] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                           .pNext = wild_next(r, &chain),
                                           .dstSet = PICK(DescriptorSet),
                                           .dstBinding = wild_number(r, 4),
                                           .dstArrayElement = wild_number(r, 3),
                                           .descriptorCount = wild_count(r, 4),
                                           .descriptorType = (VkDescriptorType)wild_enum(r, 11),
                                           .pImageInfo = OR_NULL(images),
                                           .pBufferInfo = OR_NULL(buffers),
                                           .pTexelBufferView = OR_NULL(views)};
    for (int i = 0; i < 2; i++)
        copies[i] = (VkCopyDescriptorSet){.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                          .srcSet = PICK(DescriptorSet),
                                          .srcBinding = wild_number(r, 4),
                                          .srcArrayElement = wild_number(r, 3),
                                          .dstSet = PICK(DescriptorSet),
                                          .dstBinding = wild_number(r, 4),
                                          .dstArrayElement = wild_number(r, 3),
                                          .descriptorCount = wild_number(r, 4)};
    CALL(wild->w, UpdateDescriptorSets, wild->w->device, wild_count(r, 3), OR_NULL(writes),
         wild_count(r, 2), OR_NULL(copies));
}

static void use_templates(struct wild *wild, struct random *r)
{
    struct world *w = wild->w;
    if (random_chance(r, 50)) {
        VkDescriptorUpdateTemplateEntry entries[2];
        for (uint32_t i = 0; i < 2; i++)
            entries[i] = (VkDescriptorUpdateTemplateEntry){
                wild_number(r, 4),      wild_number(r, 3),
                random_below(r, 4),     (VkDescriptorType)wild_enum(r, 11),
                random_below(r, 8) * 8, random_below(r, 5) * 8};
        VkDescriptorUpdateTemplateCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
            .descriptorUpdateEntryCount = wild_count(r, 2),
            .pDescriptorUpdateEntries = OR_NULL(entries),
            .templateType =
                (VkDescriptorUpdateTemplateType)(random_chance(r, 90) ? 0 : wild_enum(r, 2)),
            .descriptorSetLayout = PICK(DescriptorSetLayout),
            .pipelineLayout = PICK(PipelineLayout)};
        VkDescriptorUpdateTemplate made = VK_NULL_HANDLE;
        if (TRY(w, CreateDescriptorUpdateTemplate, w->device, &info, NULL, &made) == VK_SUCCESS)
            ADD(DescriptorUpdateTemplate, made);
        return;
    }
    /* Whatever the template takes its bytes for, they are there. */
    uint64_t data[256];
    for (size_t i = 0; i < 256; i++)
        data[i] =
            i % 3 == 2 ? VK_WHOLE_SIZE : wild_pick(wild, r, i % 2 ? KIND_Buffer : KIND_ImageView);
    CALL(w, UpdateDescriptorSetWithTemplate, w->device, PICK(DescriptorSet),
         PICK(DescriptorUpdateTemplate), OR_NULL(data));
}

void wild_descriptor_step(struct wild *wild, struct random *r)
{
    static void (*const calls[])(struct wild *,
                                 struct random *) = {create_set_layout,  create_descriptor_pool,
                                                     allocate_wild_sets, allocate_wild_sets,
                                                     update_sets,        update_sets,
                                                     use_templates};
    ANY_OF(r, calls)(wild, r);
}

/* --- queues --- */

static void submit_wild(struct wild *wild, struct random *r, VkQueue queue)
{
    VkSemaphore semaphores[4] = {PICK(Semaphore), PICK(Semaphore), PICK(Semaphore),
                                 PICK(Semaphore)};
    VkCommandBuffer buffers[3] = {PICK(CommandBuffer), PICK(CommandBuffer), PICK(CommandBuffer)};
    VkPipelineStageFlags stages[2] = {wild_flags(r, VK_PIPELINE_STAGE_TRANSFER_BIT),
                                      wild_flags(r, 1)};
    uint64_t values[2] = {wild_size(r, 4), wild_size(r, 4)};
    VkSubmitInfo submits[2];
    VkTimelineSemaphoreSubmitInfo timelines[2];
    for (int i = 0; i < 2; i++) {
        timelines[i] = (VkTimelineSemaphoreSubmitInfo){
            .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
            .waitSemaphoreValueCount = wild_count(r, 2),
            .pWaitSemaphoreValues = OR_NULL(values),
            .signalSemaphoreValueCount = wild_count(r, 2),
            .pSignalSemaphoreValues = OR_NULL(values)};
        submits[i] =
            (VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                           .pNext = random_chance(r, 50) ? &timelines[i] : NULL,
                           .waitSemaphoreCount = random_chance(r, 70) ? 0 : random_below(r, 3),
                           .pWaitSemaphores = OR_NULL(semaphores),
                           .pWaitDstStageMask = OR_NULL(stages),
                           .commandBufferCount = wild_count(r, 3),
                           .pCommandBuffers = OR_NULL(buffers),
                           .signalSemaphoreCount = wild_count(r, 2),
                           .pSignalSemaphores = OR_NULL(semaphores + 2)};
    }
    (void)TRY(wild->w, QueueSubmit, queue, wild_count(r, 2), OR_NULL(submits),
              random_chance(r, 50) ? VK_NULL_HANDLE : PICK(Fence));
}

static void submit2_wild(struct wild *wild, struct random *r, VkQueue queue)
{
    struct wild_chain chain;
    VkSemaphoreSubmitInfo semaphores[4];
    VkCommandBufferSubmitInfo buffers[3];
    for (int i = 0; i < 4; i++)
        semaphores[i] = (VkSemaphoreSubmitInfo){.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                                .semaphore = PICK(Semaphore),
                                                .value = wild_size(r, 4),
                                                .stageMask = wild_stages2(r)};
    for (int i = 0; i < 3; i++)
        buffers[i] =
            (VkCommandBufferSubmitInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                        .commandBuffer = PICK(CommandBuffer),
                                        .deviceMask = wild_number(r, 2)};
    VkSubmitInfo2 submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                            .pNext = wild_next(r, &chain),
                            .flags = wild_flags(r, 0),
                            .waitSemaphoreInfoCount = random_chance(r, 70) ? 0 : random_below(r, 3),
                            .pWaitSemaphoreInfos = OR_NULL(semaphores),
                            .commandBufferInfoCount = wild_count(r, 3),
                            .pCommandBufferInfos = OR_NULL(buffers),
                            .signalSemaphoreInfoCount = wild_count(r, 2),
                            .pSignalSemaphoreInfos = OR_NULL(semaphores + 2)};
    (void)TRY(wild->w, QueueSubmit2, queue, wild_count(r, 1), OR_NULL(&submit),
              random_chance(r, 50) ? VK_NULL_HANDLE : PICK(Fence));
}

static void bind_wild_sparse(struct wild *wild, struct random *r, VkQueue queue)
{
    VkSemaphore semaphores[2] = {PICK(Semaphore), PICK(Semaphore)};
    VkSparseMemoryBind bind = {wild_size(r, 4) * 65536, wild_size(r, 4) * 65536, PICK(DeviceMemory),
                               0, wild_flags(r, 0)};
    VkSparseBufferMemoryBindInfo buffer = {PICK(Buffer), wild_count(r, 1), OR_NULL(&bind)};
    VkSparseImageMemoryBind image_bind = {
        .subresource = {wild_flags(r, 1), wild_number(r, 2), wild_number(r, 2)},
        .extent = {wild_number(r, 128), wild_number(r, 128), 1},
        .memory = PICK(DeviceMemory)};
    VkSparseImageMemoryBindInfo image = {PICK(Image), wild_count(r, 1), OR_NULL(&image_bind)};
    VkBindSparseInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                             .waitSemaphoreCount = random_chance(r, 80) ? 0 : 1,
                             .pWaitSemaphores = semaphores,
                             .bufferBindCount = wild_count(r, 1),
                             .pBufferBinds = OR_NULL(&buffer),
                             .imageBindCount = wild_count(r, 1),
                             .pImageBinds = OR_NULL(&image),
                             .signalSemaphoreCount = wild_count(r, 1),
                             .pSignalSemaphores = semaphores + 1};
    (void)TRY(wild->w, QueueBindSparse, queue, wild_count(r, 1), OR_NULL(&info),
              random_chance(r, 50) ? VK_NULL_HANDLE : PICK(Fence));
}

static void present_wild(struct wild *wild, struct random *r, VkQueue queue)
{
    struct world *w = wild->w;
    VkSwapchainKHR swapchain = PICK(SwapchainKHR);
    VkSemaphore semaphore = PICK(Semaphore);
    uint32_t index = wild_number(r, 3);
    VkAcquireNextImageInfoKHR acquire = {.sType = VK_STRUCTURE_TYPE_ACQUIRE_NEXT_IMAGE_INFO_KHR,
                                         .swapchain = swapchain,
                                         .timeout = wild_size(r, PATIENCE),
                                         .semaphore = semaphore,
                                         .fence =
                                             random_chance(r, 50) ? VK_NULL_HANDLE : PICK(Fence),
                                         .deviceMask = wild_number(r, 2)};
    VkPresentInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                             .waitSemaphoreCount = wild_count(r, 1),
                             .pWaitSemaphores = OR_NULL(&semaphore),
                             .swapchainCount = random_chance(r, 95),
                             .pSwapchains = OR_NULL(&swapchain),
                             .pImageIndices = OR_NULL(&index)};
    if (random_chance(r, 40))
        (void)TRY(w, AcquireNextImageKHR, w->device, swapchain, wild_size(r, PATIENCE),
                  random_chance(r, 70) ? semaphore : VK_NULL_HANDLE,
                  random_chance(r, 70) ? VK_NULL_HANDLE : PICK(Fence), &index);
    else if (random_chance(r, 20))
        (void)TRY(w, AcquireNextImage2KHR, w->device, &acquire, &index);
    else
        (void)TRY(w, QueuePresentKHR, queue, OR_NULL(&info));
}

void wild_queue_step(struct wild *wild, struct random *r)
{
    struct world *w = wild->w;
    VkQueue queue = w->queues[random_chance(r, 70) ? 0 : random_below(r, QUEUE_FAMILY_COUNT)];
    switch (random_below(r, 10)) {
    case 0:
    case 1:
    case 2:
        submit_wild(wild, r, queue);
        break;
    case 3:
    case 4:
    case 5:
        submit2_wild(wild, r, queue);
        break;
    case 6:
        bind_wild_sparse(wild, r, queue);
        break;
    case 7:
    case 8:
        present_wild(wild, r, queue);
        break;
    default:
        (void)TRY(w, QueueWaitIdle, queue);
        break;
    }
}

/* --- synchronization --- */

static void use_fences(struct wild *wild, struct random *r)
{
    struct world *w = wild->w;
    VkFence fences[2] = {PICK(Fence), PICK(Fence)};
    switch (random_below(r, 3)) {
    case 0:
        (void)TRY(w, WaitForFences, w->device, wild_count(r, 2), OR_NULL(fences), wild_number(r, 2),
                  random_below(r, PATIENCE));
        break;
    case 1:
        (void)TRY(w, ResetFences, w->device, wild_count(r, 2), OR_NULL(fences));
        break;
    default:
        (void)TRY(w, GetFenceStatus, w->device, fences[0]);
        break;
    }
}

static void use_semaphores(struct wild *wild, struct random *r)
{
    struct world *w = wild->w;
    VkSemaphore semaphores[2] = {PICK(Semaphore), PICK(Semaphore)};
    uint64_t values[2] = {wild_size(r, 4), wild_size(r, 4)};
    VkSemaphoreWaitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                .flags = wild_flags(r, 1),
                                .semaphoreCount = wild_count(r, 2),
                                .pSemaphores = OR_NULL(semaphores),
                                .pValues = OR_NULL(values)};
    VkSemaphoreSignalInfo signal = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                    .semaphore = semaphores[0],
                                    .value = values[0]};
    switch (random_below(r, 3)) {
    case 0:
        (void)TRY(w, WaitSemaphores, w->device, OR_NULL(&wait), random_below(r, PATIENCE));
        break;
    case 1:
        (void)TRY(w, SignalSemaphore, w->device, &signal);
        break;
    default:
        (void)TRY(w, GetSemaphoreCounterValue, w->device, semaphores[0], OR_NULL(values));
        break;
    }
}

static void use_events(struct wild *wild, struct random *r)
{
    struct world *w = wild->w;
    VkEvent event = PICK(Event);
    switch (random_below(r, 3)) {
    case 0:
        (void)TRY(w, SetEvent, w->device, event);
        break;
    case 1:
        (void)TRY(w, ResetEvent, w->device, event);
        break;
    default:
        (void)TRY(w, GetEventStatus, w->device, event);
        break;
    }
}

static void use_queries(struct wild *wild, struct random *r)
{
    struct world *w = wild->w;
    uint64_t data[64];
    if (random_chance(r, 50))
        (void)TRY(w, GetQueryPoolResults, w->device, PICK(QueryPool), wild_number(r, 4),
                  wild_number(r, 4), random_below(r, sizeof(data) + 1), OR_NULL((void *)data),
                  wild_size(r, 32), wild_flags(r, random_below(r, 16)));
    else
        CALL(w, ResetQueryPool, w->device, PICK(QueryPool), wild_number(r, 4), wild_number(r, 4));
}

static void name_wild_handle(struct wild *wild, struct random *r)
{
    struct world *w = wild->w;
    VkDebugUtilsObjectNameInfoEXT info = {.sType =
                                              VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
                                          .objectType = VK_OBJECT_TYPE_BUFFER,
                                          .objectHandle = wild_pick(wild, r, KIND_Buffer),
                                          .pObjectName = random_chance(r, 20)  ? NULL
                                                         : random_chance(r, 5) ? "\xff"
                                                                               : "name"};
    uint64_t data = 0;
    switch (random_below(r, 4)) {
    case 0:
        (void)TRY(w, SetPrivateData, w->device, VK_OBJECT_TYPE_BUFFER,
                  wild_pick(wild, r, KIND_Buffer), PICK(PrivateDataSlot), 7);
        break;
    case 1:
        CALL(w, GetPrivateData, w->device, VK_OBJECT_TYPE_BUFFER, wild_pick(wild, r, KIND_Buffer),
             PICK(PrivateDataSlot), &data);
        break;
    case 2:
        (void)TRY(w, DeviceWaitIdle, w->device);
        break;
    default:
        (void)TRY(w, SetDebugUtilsObjectNameEXT, w->device, &info);
        break;
    }
}

void wild_sync_step(struct wild *wild, struct random *r)
{
    static void (*const calls[])(struct wild *, struct random *) = {
        use_fences, use_fences,  use_semaphores,  use_semaphores,
        use_events, use_queries, name_wild_handle};
    ANY_OF(r, calls)(wild, r);
}
