/* No program should hand in what is here: pointers that lead nowhere, chains without an end, counts
 * without arrays. There are arrays without measure, and names that are not text. Each is a finding
 * where the specification lets a layer see it, and none brings the layer down. The callbacks answer
 * VK_FALSE: it is the layer, not the program's goodwill, that keeps the driver from such calls. */
#include "scenario.h"

#include <stdlib.h>
#include <string.h>

#define ROUGH .proceed = true, .ours_only = true /* the peer follows such pointers */

/* in the first page, which is never mapped */
#define NOWHERE ((void *)(uintptr_t)8)
/* an address that no program can have */
#define KERNEL ((void *)(uintptr_t)0xffff800000000000ull)

/* Pointers. */

SCENARIO(create_info_null, ROUGH, .expect = {"VUID-vkCreateBuffer-pCreateInfo-parameter"},
         .text = {"vkCreateBuffer(): pCreateInfo is NULL"})
{
    VkBuffer buffer = VK_NULL_HANDLE;
    EXPECT_EQUAL(vkCreateBuffer(b->device, NULL, NULL, &buffer), VK_ERROR_VALIDATION_FAILED_EXT);
}

SCENARIO(create_info_nowhere, ROUGH, .expect = {"VUID-vkCreateImage-pCreateInfo-parameter"},
         .text = {"pCreateInfo is 0x8, where no program can have memory"})
{
    VkImage image = VK_NULL_HANDLE;
    EXPECT_EQUAL(vkCreateImage(b->device, NOWHERE, NULL, &image), VK_ERROR_VALIDATION_FAILED_EXT);
}

#if defined(__x86_64__)
SCENARIO(create_info_in_the_kernel, ROUGH, .expect = {"VUID-vkCreateSampler-pCreateInfo-parameter"})
{
    VkSampler sampler = VK_NULL_HANDLE;
    EXPECT_EQUAL(vkCreateSampler(b->device, KERNEL, NULL, &sampler),
                 VK_ERROR_VALIDATION_FAILED_EXT);
}
#endif

SCENARIO(result_pointer_null, ROUGH, .expect = {"VUID-vkCreateFence-pFence-parameter"},
         .text = {"pFence is NULL"})
{
    VkFenceCreateInfo info = fence_info();
    EXPECT_EQUAL(vkCreateFence(b->device, &info, NULL, NULL), VK_ERROR_VALIDATION_FAILED_EXT);
}

SCENARIO(allocator_nowhere, ROUGH, .expect = {"VUID-vkCreateFence-pAllocator-parameter"})
{
    VkFenceCreateInfo info = fence_info();
    VkFence fence = VK_NULL_HANDLE;
    EXPECT_EQUAL(vkCreateFence(b->device, &info, NOWHERE, &fence), VK_ERROR_VALIDATION_FAILED_EXT);
}

SCENARIO(chain_nowhere, ROUGH, .expect = {"VUID-VkFenceCreateInfo-pNext-pNext"},
         .text = {"pCreateInfo->pNext is 0x8"})
{
    VkFenceCreateInfo info = fence_info();
    VkFence fence = VK_NULL_HANDLE;
    info.pNext = NOWHERE;
    EXPECT_EQUAL(vkCreateFence(b->device, &info, NULL, &fence), VK_ERROR_VALIDATION_FAILED_EXT);
}

SCENARIO(string_nowhere, ROUGH, .expect = {"VUID-VkPipelineShaderStageCreateInfo-pName-parameter"})
{
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_module(b),
                              make_pipeline_layout(b, make_descriptor_set_layout(b)));
    info.stage.pName = NOWHERE;
    create_compute_pipeline(b, &info);
}

SCENARIO(extension_name_null, .start = START_INSTANCE, ROUGH,
         .expect = {"VUID-VkDeviceCreateInfo-ppEnabledExtensionNames-parameter"})
{
    float priority = 1;
    const char *names[] = {NULL};
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue,
                               .enabledExtensionCount = 1,
                               .ppEnabledExtensionNames = names};
    VkDevice device = VK_NULL_HANDLE;
    if (vkCreateDevice(b->physical_device, &info, NULL, &device) == VK_SUCCESS)
        vkDestroyDevice(device, NULL);
}

SCENARIO(queue_infos_null, .start = START_INSTANCE, .ours_only = true,
         .expect = {"VUID-VkDeviceCreateInfo-pQueueCreateInfos-parameter"})
{
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .queueCreateInfoCount = 1};
    VkDevice device = VK_NULL_HANDLE;
    EXPECT(vkCreateDevice(b->physical_device, &info, NULL, &device) < 0);
}

/* Chains. */

SCENARIO(chain_of_itself, ROUGH, .expect = {"UNASSIGNED-GeneralParameterError-ChainCycle"},
         .text = {"it comes back to itself"})
{
    VkExportFenceCreateInfo chained = {.sType = VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO};
    VkFenceCreateInfo info = fence_info();
    VkFence fence = VK_NULL_HANDLE;
    chained.pNext = &chained;
    info.pNext = &chained;
    EXPECT_EQUAL(vkCreateFence(b->device, &info, NULL, &fence), VK_ERROR_VALIDATION_FAILED_EXT);
}

SCENARIO(chain_of_its_head, ROUGH, .expect = {"UNASSIGNED-GeneralParameterError-ChainCycle"})
{
    VkFenceCreateInfo info = fence_info();
    VkFence fence = VK_NULL_HANDLE;
    info.pNext = &info;
    EXPECT_EQUAL(vkCreateFence(b->device, &info, NULL, &fence), VK_ERROR_VALIDATION_FAILED_EXT);
}

SCENARIO(chain_of_three_in_a_circle, ROUGH,
         .expect = {"UNASSIGNED-GeneralParameterError-ChainCycle"}, .drivers = NULL_DRIVER)
{
    VkTimelineSemaphoreSubmitInfo first = {.sType =
                                               VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
    VkDeviceGroupSubmitInfo second = {.sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO,
                                      .pNext = &first};
    VkProtectedSubmitInfo third = {.sType = VK_STRUCTURE_TYPE_PROTECTED_SUBMIT_INFO,
                                   .pNext = &second};
    first.pNext = &third;
    VkSubmitInfo submit = submit_info(NULL);
    submit.pNext = &first;
    EXPECT_EQUAL(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE),
                 VK_ERROR_VALIDATION_FAILED_EXT);
}

SCENARIO(chain_of_ten_thousand, ROUGH, .expect = {"UNASSIGNED-GeneralParameterError-ChainCycle"})
{
    VkExportFenceCreateInfo *chain = calloc(10000, sizeof(*chain));
    VkFenceCreateInfo info = fence_info();
    VkFence fence = VK_NULL_HANDLE;
    for (int i = 0; i < 10000; i++) {
        chain[i].sType = VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO;
        chain[i].pNext = i + 1 < 10000 ? &chain[i + 1] : NULL;
    }
    info.pNext = chain;
    EXPECT_EQUAL(vkCreateFence(b->device, &info, NULL, &fence), VK_ERROR_VALIDATION_FAILED_EXT);
    free(chain);
}

/* Counts. */

SCENARIO(four_billion_fences_of_nothing, ROUGH,
         .expect = {"VUID-vkWaitForFences-pFences-parameter"}, .text = {"pFences is NULL"})
{
    EXPECT_EQUAL(vkWaitForFences(b->device, UINT32_MAX, NULL, VK_TRUE, 0),
                 VK_ERROR_VALIDATION_FAILED_EXT);
}

SCENARIO(four_billion_submits_of_nothing, ROUGH,
         .expect = {"VUID-vkQueueSubmit-pSubmits-parameter"})
{
    EXPECT_EQUAL(vkQueueSubmit(b->queue, UINT32_MAX, NULL, VK_NULL_HANDLE),
                 VK_ERROR_VALIDATION_FAILED_EXT);
}

SCENARIO(four_billion_writes_of_nothing, ROUGH,
         .expect = {"VUID-vkUpdateDescriptorSets-pDescriptorWrites-parameter"})
{
    vkUpdateDescriptorSets(b->device, UINT32_MAX, NULL, 0, NULL);
}

SCENARIO(four_billion_barriers_of_nothing, ROUGH,
         .expect = {"VUID-vkCmdPipelineBarrier-pMemoryBarriers-parameter"})
{
    vkCmdPipelineBarrier(make_recording(b), VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, UINT32_MAX, NULL, 0, NULL, 0, NULL);
}

SCENARIO(four_billion_sets_of_nothing, ROUGH,
         .expect = {"VUID-vkCmdBindDescriptorSets-pDescriptorSets-parameter"})
{
    vkCmdBindDescriptorSets(make_recording(b), VK_PIPELINE_BIND_POINT_COMPUTE,
                            make_empty_pipeline_layout(b), 0, UINT32_MAX, NULL, 0, NULL);
}

SCENARIO(four_billion_buffers_of_nothing, ROUGH,
         .expect = {"VUID-vkCmdBindVertexBuffers-pBuffers-parameter",
                    "VUID-vkCmdBindVertexBuffers-pOffsets-parameter"})
{
    vkCmdBindVertexBuffers(make_recording(b), 0, UINT32_MAX, NULL, NULL);
}

SCENARIO(four_billion_copies_of_nothing, ROUGH,
         .expect = {"VUID-vkCmdCopyBuffer-pRegions-parameter"})
{
    VkBuffer buffer =
        make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    vkCmdCopyBuffer(make_recording(b), buffer, buffer, UINT32_MAX, NULL);
}

SCENARIO(four_billion_command_buffers_of_nothing, ROUGH,
         .expect = {"VUID-vkCmdExecuteCommands-pCommandBuffers-parameter"})
{
    vkCmdExecuteCommands(make_recording(b), UINT32_MAX, NULL);
}

SCENARIO(four_billion_elements_behind_a_structure, ROUGH,
         .expect = {"VUID-VkDescriptorSetLayoutCreateInfo-pBindings-parameter"},
         .drivers = NULL_DRIVER)
{
    VkDescriptorSetLayoutCreateInfo info = descriptor_set_layout_info();
    info.bindingCount = UINT32_MAX;
    info.pBindings = NULL;
    create_descriptor_set_layout(b, &info);
}

SCENARIO(four_billion_pipelines_of_nothing, ROUGH,
         .expect = {"VUID-vkCreateComputePipelines-pCreateInfos-parameter",
                    "VUID-vkCreateComputePipelines-pPipelines-parameter"})
{
    EXPECT_EQUAL(vkCreateComputePipelines(b->device, VK_NULL_HANDLE, UINT32_MAX, NULL, NULL, NULL),
                 VK_ERROR_VALIDATION_FAILED_EXT);
}

/* Arrays of 100,000. */
#define MANY 100000u

SCENARIO(many_barriers, ROUGH)
{
    VkMemoryBarrier *barriers = calloc(MANY, sizeof(*barriers));
    for (uint32_t i = 0; i < MANY; i++)
        barriers[i].sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, MANY, barriers, 0, NULL, 0, NULL);
    free(barriers);
    run_commands(b, command_buffer);
}

/* Each element names a buffer, so that all of it is copied on the way down. */
SCENARIO(many_buffer_barriers, ROUGH, .drivers = NULL_DRIVER,
         .null_driver = "{\"checkHandles\": true}")
{
    VkBufferMemoryBarrier *barriers = calloc(MANY, sizeof(*barriers));
    VkBuffer buffer = make_buffer(b, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    for (uint32_t i = 0; i < MANY; i++)
        barriers[i] = (VkBufferMemoryBarrier){
            .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER, .buffer = buffer, .size = 64};
    for (int i = 0; i < 5; i++)
        vkCmdPipelineBarrier(make_recording(b), VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                             VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, MANY, barriers, 0,
                             NULL);
    free(barriers);
}

SCENARIO(many_writes_the_last_one_wrong, ROUGH, .drivers = NULL_DRIVER,
         .expect = {"VUID-VkDescriptorBufferInfo-buffer-parameter"},
         .text = {"pDescriptorWrites[99999].pBufferInfo[0].buffer"},
         .settings = {"unique_handles=true"})
{
    VkWriteDescriptorSet *writes = calloc(MANY, sizeof(*writes));
    VkDescriptorBufferInfo good = {.buffer = make_buffer(b, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
                                   .range = VK_WHOLE_SIZE},
                           bad = good;
    VkDescriptorSet set =
        make_descriptor_set(b, make_descriptor_pool(b), make_descriptor_set_layout(b));
    bad.buffer = GARBAGE(VkBuffer);
    for (uint32_t i = 0; i < MANY; i++)
        writes[i] = write_buffer(set, i + 1 < MANY ? &good : &bad);
    vkUpdateDescriptorSets(b->device, MANY, writes, 0, NULL);
    free(writes);
}

SCENARIO(many_fences, ROUGH, .drivers = NULL_DRIVER, .null_driver = "{\"checkHandles\": true}")
{
    VkFence *fences = calloc(MANY, sizeof(*fences));
    VkFenceCreateInfo info = fence_info();
    info.flags = VK_FENCE_CREATE_SIGNALED_BIT;
    for (uint32_t i = 0; i < MANY; i++)
        VK(vkCreateFence(b->device, &info, NULL, &fences[i]));
    VK(vkWaitForFences(b->device, MANY, fences, VK_TRUE, 0));
    VK(vkResetFences(b->device, MANY, fences));
    for (uint32_t i = 0; i < MANY; i++)
        vkDestroyFence(b->device, fences[i], NULL);
    free(fences);
}

SCENARIO(many_garbage_fences, ROUGH, .drivers = NULL_DRIVER,
         .expect = {"VUID-vkWaitForFences-pFences-parameter"}, .settings = {"unique_handles=true"})
{
    VkFence *fences = calloc(MANY, sizeof(*fences));
    for (uint64_t i = 0; i < MANY; i++)
        fences[i] = (VkFence)(uintptr_t)((i + 1) * 0x9e3779b97f4a7c15ull | 1);
    EXPECT_EQUAL(vkWaitForFences(b->device, MANY, fences, VK_TRUE, 0),
                 VK_ERROR_VALIDATION_FAILED_EXT);
    EXPECT_EQUAL(seen_count(b, NULL), 10); /* and no more than the limit are reported */
    free(fences);
}

SCENARIO(many_submits, ROUGH, .drivers = NULL_DRIVER, .null_driver = "{\"checkHandles\": true}")
{
    VkSubmitInfo *submits = calloc(MANY, sizeof(*submits));
    VkCommandBuffer command_buffer = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkCommandBufferBeginInfo begin = begin_info();
    begin.flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
    VK(vkBeginCommandBuffer(command_buffer, &begin));
    VK(vkEndCommandBuffer(command_buffer));
    for (uint32_t i = 0; i < MANY; i++)
        submits[i] = submit_info(&command_buffer);
    VK(vkQueueSubmit(b->queue, MANY, submits, make_fence(b)));
    free(submits);
}

/* Names and text. */

static void name_bad_buffer(struct baseline *b, VkBuffer buffer, const char *text)
{
    VkDebugUtilsObjectNameInfoEXT info = name_info(VK_OBJECT_TYPE_BUFFER, HANDLE(buffer), text);
    INSTANCE_PROC(b, vkSetDebugUtilsObjectNameEXT)(b->device, &info);
}

#define BAD_NAME "VUID-VkDebugUtilsObjectNameInfoEXT-pObjectName-parameter"

SCENARIO(name_of_no_text, ROUGH, .expect = {BAD_NAME},
         .text = {"pNameInfo->pObjectName is not valid UTF-8: byte 3 is 0xe9"})
{
    name_bad_buffer(b, make_unbound_buffer(b), "caf\xe9");
}

SCENARIO(names_of_no_text, ROUGH, .expect = {BAD_NAME})
{
    static const char *const names[] = {
        "\x80",     "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80",
        "\xe2\x82", "\xff\xfe"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        name_bad_buffer(b, make_unbound_buffer(b), names[i]);
    EXPECT_EQUAL(seen_count(b, BAD_NAME), sizeof(names) / sizeof(names[0]));
}

SCENARIO(names_of_all_scripts, ROUGH)
{
    VkBuffer buffer = make_unbound_buffer(b);
    name_bad_buffer(b, buffer, "vertices \xc3\xa9 \xe9\xa0\x82\xe7\x82\xb9 \xf0\x9f\x94\xba");
    name_bad_buffer(b, buffer, "");
}

SCENARIO(name_of_a_megabyte, ROUGH, .expect = {"VUID-vkBindBufferMemory-memory-parameter"})
{
    char *name = malloc(1 << 20);
    memset(name, 'x', (1 << 20) - 1);
    name[(1 << 20) - 1] = '\0';
    VkBuffer buffer = make_unbound_buffer(b);
    name_bad_buffer(b, buffer, name);
    vkBindBufferMemory(b->device, buffer, GARBAGE(VkDeviceMemory), 0);
    free(name);
}

SCENARIO(name_of_escapes, ROUGH, .expect = {"VUID-vkBindBufferMemory-memory-parameter"})
{
    VkDebugUtilsObjectNameInfoEXT info =
        name_info(VK_OBJECT_TYPE_DEVICE, HANDLE(b->device), "\033[31mred\a %s%n%p");
    VK(INSTANCE_PROC(b, vkSetDebugUtilsObjectNameEXT)(b->device, &info));
    vkBindBufferMemory(b->device, make_unbound_buffer(b), GARBAGE(VkDeviceMemory), 0);
    expect_text(b, "\"?[31mred? %s%n%p\"");
    expect_no_text(b, "\033");
}

/* Depth. */

SCENARIO(labels_ten_thousand_deep, ROUGH,
         .expect = {"VUID-vkCmdSetViewport-viewportCount-arraylength"})
{
    VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                  .pLabelName = "deeper"};
    VkCommandBuffer command_buffer = make_recording(b);
    VkViewport viewport = {.width = 1, .height = 1};
    for (int i = 0; i < 10000; i++)
        INSTANCE_PROC(b, vkCmdBeginDebugUtilsLabelEXT)(command_buffer, &label);
    vkCmdSetViewport(command_buffer, 0, 0, &viewport);
    for (int i = 0; i < 10000; i++)
        INSTANCE_PROC(b, vkCmdEndDebugUtilsLabelEXT)(command_buffer);
}

/* A callback that makes the same mistake that it hears of. */
static VkBool32 VKAPI_PTR mistaken_callback(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                            VkDebugUtilsMessageTypeFlagsEXT types,
                                            const VkDebugUtilsMessengerCallbackDataEXT *data,
                                            void *user)
{
    struct baseline *b = user;
    VkFence fence = VK_NULL_HANDLE;
    if (data->pMessageIdName &&
        strcmp(data->pMessageIdName, "VUID-vkCreateFence-pCreateInfo-parameter") == 0)
        vkCreateFence(b->device, NULL, NULL, &fence);
    return VK_FALSE;
}

SCENARIO(callback_in_a_callback, ROUGH, .expect = {"VUID-vkCreateFence-pCreateInfo-parameter"},
         .settings = {"enable_message_limit=false"})
{
    VkDebugUtilsMessengerCreateInfoEXT info = messenger_info(b);
    VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
    VkFence fence = VK_NULL_HANDLE;
    info.pfnUserCallback = mistaken_callback;
    VK(INSTANCE_PROC(b, vkCreateDebugUtilsMessengerEXT)(b->instance, &info, NULL, &messenger));
    vkCreateFence(b->device, NULL, NULL, &fence);
    EXPECT(seen_count(b, NULL) >= 2);
    INSTANCE_PROC(b, vkDestroyDebugUtilsMessengerEXT)(b->instance, messenger, NULL);
}

/* SPIR-V that is none. */

SCENARIO(shader_code_null, ROUGH, .expect = {"VUID-VkShaderModuleCreateInfo-pCode-parameter"},
         .drivers = NULL_DRIVER)
{
    VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                     .codeSize = 64};
    create_shader_module(b, &info);
}

/* Every handle of a call is garbage. */
SCENARIO(nothing_but_garbage, ROUGH, .settings = {"unique_handles=true"},
         .expect = {"VUID-vkCmdCopyBuffer-srcBuffer-parameter",
                    "VUID-vkCmdCopyBuffer-dstBuffer-parameter"})
{
    VkBufferCopy region = {.size = 4};
    vkCmdCopyBuffer(make_recording(b), GARBAGE(VkBuffer), (VkBuffer)(uintptr_t)UINT64_MAX, 1,
                    &region);
}

/* Ids of every shape that is none: indices past the table, types that do not exist, generations
 * that never were. */
SCENARIO(garbage_of_every_shape, .settings = {"unique_handles=true", "enable_message_limit=false"},
         ROUGH, .expect = {"VUID-vkGetFenceStatus-fence-parameter"})
{
    static const uint64_t shapes[] = {1,
                                      0xff,
                                      0x100,
                                      0xffffffff,
                                      0x100000000ull,
                                      0xffffffff00000000ull,
                                      UINT64_MAX,
                                      UINT64_MAX - 1,
                                      0x7fffffffffffffffull,
                                      0x8000000000000000ull,
                                      0xdeadbeefdeadbeefull,
                                      0xcdcdcdcdcdcdcdcdull};
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
        EXPECT_EQUAL(vkGetFenceStatus(b->device, (VkFence)(uintptr_t)shapes[i]),
                     VK_ERROR_VALIDATION_FAILED_EXT);
    uint64_t seed = 88172645463325252ull;
    for (int i = 0; i < 200; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        EXPECT_EQUAL(vkGetFenceStatus(b->device, (VkFence)(uintptr_t)seed),
                     VK_ERROR_VALIDATION_FAILED_EXT);
    }
    EXPECT_EQUAL(seen_count(b, NULL), 212);
}
