/* Advises on what has no effect: extensions and features that nothing uses, barriers that order
 * nothing, and state that is set or bound again. */
#include "practices/redundant.h"

#include <string.h>

#include "base/string_builder.h"

#include "practices/advise.h"
#include "practices/areas.h"
#include "practices/hooks.h"
#include "state/memory/buffer.h"
#include "state/descriptor/descriptor_set.h"
#include "state/dynamic_values.h"
#include "state/pipeline/pipeline.h"

/* The most names that a piece of advice lists; further ones are counted. */
#define NAMES_LISTED 8

/* If a first scope has only these stages, it orders nothing. */
#define STAGES_BEFORE_ALL VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT
/* If a second scope has only these stages, it orders nothing. */
#define STAGES_AFTER_ALL VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT
/* The number of words before the first instruction of a module. */
#define SPIRV_HEADER_WORDS 5

/* --- extensions and features --- */

void redundant_uses(const struct call *call, enum extension extension)
{
    struct practices_of_device *kept = practices_of_device(call->device);
    if (!kept)
        return;
    _Atomic uint64_t *word = &kept->used_extensions[(uint32_t)extension / 64];
    const uint64_t bit = 1ull << (uint32_t)extension % 64;
    if (!(atomic_load_explicit(word, memory_order_relaxed) & bit))
        atomic_fetch_or_explicit(word, bit, memory_order_relaxed);
}

/* True if a command of the extension was called. */
static bool extension_is_used(const struct practices_of_device *kept, enum extension extension)
{
    return atomic_load_explicit(&kept->used_extensions[(uint32_t)extension / 64],
                                memory_order_relaxed) >>
               (uint32_t)extension % 64 &
           1;
}

void redundant_after_CreateDevice(struct call *call, VkPhysicalDevice physicalDevice,
                                  const VkDeviceCreateInfo *pCreateInfo,
                                  const VkAllocationCallbacks *pAllocator, VkDevice *pDevice)
{
    struct practices_of_device *kept =
        call->result == VK_SUCCESS ? practices_of_device(call->device) : NULL;
    for (uint32_t i = 0; kept && i < pCreateInfo->enabledExtensionCount; i++) {
        const enum extension extension = extension_by_name(pCreateInfo->ppEnabledExtensionNames[i]);
        if (extension != EXTENSION_COUNT)
            extension_set_add(&kept->named_extensions, extension);
    }
}

/* Notes the features that the shader needs. Capabilities are the first instructions of a module. */
static void note_code(const struct call *call, const uint32_t *code, size_t size)
{
    struct practices_of_device *kept = practices_of_device(call->device);
    const size_t words = size / 4;
    if (!kept || !code)
        return;
    atomic_fetch_add_explicit(&kept->shaders_read, 1, memory_order_relaxed);
    /* OpCapability instructions have two words. */
    for (size_t at = SPIRV_HEADER_WORDS; at + 1 < words && code[at] == (2u << 16 | 17); at += 2) {
        for (uint32_t i = 0; i < judged_feature_count && i < JUDGED_FEATURES; i++) {
            const struct judged_feature *judged = &judged_features[i];
            for (uint32_t k = 0; k < judged->capability_count; k++) {
                if (judged->capabilities[k] == code[at + 1])
                    atomic_fetch_or_explicit(&kept->used_features[i / 64], 1ull << i % 64,
                                             memory_order_relaxed);
            }
        }
    }
}

/* Notes that the driver gets code which is not read here, so that features cannot be judged. */
static void note_unread_code(const struct call *call)
{
    struct practices_of_device *kept = practices_of_device(call->device);
    if (kept)
        atomic_store_explicit(&kept->has_unread_shaders, true, memory_order_relaxed);
}

void redundant_after_CreateShaderModule(struct call *call, VkDevice device,
                                        const VkShaderModuleCreateInfo *pCreateInfo,
                                        const VkAllocationCallbacks *pAllocator,
                                        VkShaderModule *pShaderModule)
{
    note_code(call, pCreateInfo->pCode, pCreateInfo->codeSize);
}

void redundant_after_CreateShadersEXT(struct call *call, VkDevice device, uint32_t createInfoCount,
                                      const VkShaderCreateInfoEXT *pCreateInfos,
                                      const VkAllocationCallbacks *pAllocator,
                                      VkShaderEXT *pShaders)
{
    for (uint32_t i = 0; i < createInfoCount; i++) {
        if (pCreateInfos[i].codeType == VK_SHADER_CODE_TYPE_SPIRV_EXT)
            note_code(call, pCreateInfos[i].pCode, pCreateInfos[i].codeSize);
        else
            note_unread_code(call);
    }
}

/* Notes the capabilities of the stages' code. If code cannot be read, features are not judged. */
static void note_stages(const struct call *call, const void *chain, uint32_t count,
                        const VkPipelineShaderStageCreateInfo *stages)
{
    const VkPipelineBinaryInfoKHR *binaries = CHAINED(chain, PIPELINE_BINARY_INFO_KHR);
    if (binaries && binaries->binaryCount) {
        note_unread_code(call);
        return;
    }
    for (uint32_t i = 0; stages && i < count; i++) {
        const VkShaderModuleCreateInfo *module =
            CHAINED(stages[i].pNext, SHADER_MODULE_CREATE_INFO);
        if (stages[i].module)
            continue;
        if (module)
            note_code(call, module->pCode, module->codeSize);
        else
            note_unread_code(call);
    }
}

void redundant_after_CreateGraphicsPipelines(struct call *call, VkDevice device,
                                             VkPipelineCache pipelineCache,
                                             uint32_t createInfoCount,
                                             const VkGraphicsPipelineCreateInfo *pCreateInfos,
                                             const VkAllocationCallbacks *pAllocator,
                                             VkPipeline *pPipelines)
{
    for (uint32_t i = 0; i < createInfoCount; i++)
        note_stages(call, pCreateInfos[i].pNext, pCreateInfos[i].stageCount,
                    pCreateInfos[i].pStages);
}

void redundant_after_CreateComputePipelines(struct call *call, VkDevice device,
                                            VkPipelineCache pipelineCache, uint32_t createInfoCount,
                                            const VkComputePipelineCreateInfo *pCreateInfos,
                                            const VkAllocationCallbacks *pAllocator,
                                            VkPipeline *pPipelines)
{
    for (uint32_t i = 0; i < createInfoCount; i++)
        note_stages(call, pCreateInfos[i].pNext, 1, &pCreateInfos[i].stage);
}

void redundant_after_CreateRayTracingPipelinesKHR(struct call *call, VkDevice device,
                                                  VkDeferredOperationKHR deferredOperation,
                                                  VkPipelineCache pipelineCache,
                                                  uint32_t createInfoCount,
                                                  const VkRayTracingPipelineCreateInfoKHR
                                                      *pCreateInfos,
                                                  const VkAllocationCallbacks *pAllocator,
                                                  VkPipeline *pPipelines)
{
    for (uint32_t i = 0; i < createInfoCount; i++)
        note_stages(call, pCreateInfos[i].pNext, pCreateInfos[i].stageCount,
                    pCreateInfos[i].pStages);
}

/* Adds a name to the list if there is room, and counts it. */
static void list_name(struct string_builder *names, uint32_t *count, const char *name)
{
    if (++*count <= NAMES_LISTED)
        string_builder_format(names, "%s%s", *count > 1 ? ", " : "", name);
}

/* Adds the number of names that were left out. */
static void end_list(struct string_builder *names, uint32_t count)
{
    if (count > NAMES_LISTED)
        string_builder_format(names, " and %u more", count - NAMES_LISTED);
}

/* True if another enabled extension requires this one. */
static bool is_needed(const struct extension_set *named, const struct judged_extension *judged)
{
    for (uint32_t i = 0; judged->needed_by[i] != EXTENSION_COUNT; i++) {
        if (extension_set_has(named, judged->needed_by[i]))
            return true;
    }
    return false;
}

/* Advises against extensions of which the program called no command. */
static void judge_extensions(const struct call *call, const struct practices_of_device *kept)
{
    const struct extension_set *named = &kept->named_extensions;
    char buffer[256];
    struct string_builder names;
    uint32_t count = 0;
    string_builder_begin(&names, buffer, sizeof(buffer));
    for (uint32_t i = 0; i < judged_extension_count; i++) {
        const enum extension extension = judged_extensions[i].extension;
        if (extension_set_has(named, extension) && !extension_is_used(kept, extension) &&
            !is_needed(named, &judged_extensions[i]))
            list_name(&names, &count, extension_info[extension].name);
    }
    end_list(&names, count);
    if (count)
        advise(call, BestPractices_Redundant_Extension, &LOCATION(NULL, "device"), NULL,
               "was created with %s, and no command of %s was called", names.text,
               count > 1 ? "theirs" : "its own");
    string_builder_end(&names);
}

/* Advises against features that no shader uses, if all shaders were read. */
static void judge_features(const struct call *call, const struct practices_of_device *kept)
{
    const uint32_t shaders = atomic_load_explicit(&kept->shaders_read, memory_order_relaxed);
    char buffer[256];
    struct string_builder names;
    uint32_t count = 0;
    /* A shader that was not read may use any feature. */
    if (!shaders || atomic_load_explicit(&kept->has_unread_shaders, memory_order_relaxed))
        return;
    string_builder_begin(&names, buffer, sizeof(buffer));
    for (uint32_t i = 0; i < judged_feature_count && i < JUDGED_FEATURES; i++) {
        const uint64_t used =
            atomic_load_explicit(&kept->used_features[i / 64], memory_order_relaxed);
        if (device_has_feature(call->device, judged_features[i].feature) && !(used >> i % 64 & 1))
            list_name(&names, &count, judged_features[i].name);
    }
    end_list(&names, count);
    if (count)
        advise(call, BestPractices_Redundant_Feature, &LOCATION(NULL, "device"), NULL,
               "was created with %s, and no shader of its %u declares a capability that needs %s",
               names.text, shaders, count > 1 ? "any of them" : "it");
    string_builder_end(&names);
}

void redundant_before_DestroyDevice(struct call *call, VkDevice device,
                                    const VkAllocationCallbacks *pAllocator)
{
    const struct practices_of_device *kept = practices_of_device(call->device);
    if (!kept)
        return;
    judge_extensions(call, kept);
    judge_features(call, kept);
}

/* --- dynamic state --- */

uint64_t redundant_add_bytes(uint64_t value, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    for (size_t i = 0; from && i < size; i++)
        value = (value ^ from[i]) * 0x100000001b3ull;
    return value ? value : 1;
}

/* The state that the command buffer has set; NULL: not known, because memory ran out, or because a
 * secondary or generated commands may have set anything. */
static struct redundant_states *states_of(const struct call *call)
{
    struct practices_of_command_buffer *kept = practices_of_command_buffer(call);
    if (!kept || kept->others_recorded)
        return NULL;
    struct redundant_states *states = plain_load_acquire(&kept->states);
    if (unlikely(!states))
        states = mem_make(&kept->states, NULL, sizeof(*states));
    if (states && states->recording != kept->recording)
        /* The states of an earlier recording are not valid. */
        *states = (struct redundant_states){.recording = kept->recording};
    return states;
}

void redundant_state(const struct call *call, enum dynamic_state state, enum dynamic_state checked,
                     uint64_t value)
{
    struct redundant_states *states = states_of(call);
    if (!states)
        return;
    if (states->values[state] == value &&
        command_buffer_has_dynamic(call_command_buffer(call), checked))
        advise(call, BestPractices_Redundant_State, NULL, NULL,
               "sets %s to the value that the command buffer has",
               TEXT_OF(VkDynamicState, (uint32_t)dynamic_state_value[checked]));
    states->values[state] = value;
}

void redundant_forget_state(const struct call *call, enum dynamic_state state)
{
    struct redundant_states *states = states_of(call);
    if (states)
        states->values[state] = 0;
}

/* Marks the state of the command buffer as unknown, as other commands may set it. */
static void note_others(const struct call *call)
{
    struct practices_of_command_buffer *kept = practices_of_command_buffer(call);
    if (kept)
        kept->others_recorded = true;
}

void redundant_before_CmdExecuteCommands(struct call *call, VkCommandBuffer commandBuffer,
                                         uint32_t commandBufferCount,
                                         const VkCommandBuffer *pCommandBuffers)
{
    note_others(call);
}

void redundant_before_CmdExecuteGeneratedCommandsEXT(struct call *call,
                                                     VkCommandBuffer commandBuffer,
                                                     VkBool32 isPreprocessed,
                                                     const VkGeneratedCommandsInfoEXT
                                                         *pGeneratedCommandsInfo)
{
    note_others(call);
}

void redundant_before_CmdExecuteGeneratedCommandsNV(struct call *call,
                                                    VkCommandBuffer commandBuffer,
                                                    VkBool32 isPreprocessed,
                                                    const VkGeneratedCommandsInfoNV
                                                        *pGeneratedCommandsInfo)
{
    note_others(call);
}

/* --- what is bound --- */

/* The command buffer of the call; NULL: its bindings are not known. */
static const struct command_buffer *known_binds(const struct call *call)
{
    const struct practices_of_command_buffer *kept = practices_of_command_buffer(call);
    return kept && !kept->others_recorded ? call_command_buffer(call) : NULL;
}

/* The id of the object; 0: it is not known, or VK_NULL_HANDLE. */
static uint64_t redundant_object_id(const struct call *call, uint64_t handle, enum handle_type type)
{
    const struct object *object = handle ? call_find(call, handle, type) : NULL;
    return object ? atomic_load_explicit(&object->id, memory_order_relaxed) : 0;
}

/* True if a static state of the pipeline was set after it was bound: then the pipeline must be
 * bound again before a draw (VUID-vkCmdDraw-None-08608). */
static bool has_overwritten(const struct command_buffer *command_buffer,
                            const struct pipeline *pipeline)
{
    for (uint32_t i = 0; pipeline && i < ARRAY_LENGTH(pipeline->fixed.bits); i++) {
        if (command_buffer->dynamic_set.bits[i] & pipeline->fixed.bits[i])
            return true;
    }
    return false;
}

void redundant_before_CmdBindPipeline(struct call *call, VkCommandBuffer commandBuffer,
                                      VkPipelineBindPoint pipelineBindPoint, VkPipeline pipeline)
{
    const struct command_buffer *command_buffer = known_binds(call);
    const uint32_t point = bind_point_index(pipelineBindPoint);
    const uint64_t id = redundant_object_id(call, (uint64_t)pipeline, HANDLE_PIPELINE);
    if (command_buffer && id && point < BIND_POINTS && command_buffer->bind[point].pipeline == id &&
        !(point == 0 && has_overwritten(command_buffer, pipeline_by_id(id))))
        advise(call, BestPractices_Redundant_Bind, &LOCATION(NULL, "pipeline"),
               OBJECT(HANDLE_PIPELINE, pipeline), "is %s, which is bound already",
               NAMED(call, HANDLE_PIPELINE, pipeline));
}

/* Advises if the same index buffer is already bound. */
static void judge_index_buffer(const struct call *call, VkBuffer buffer, VkDeviceSize offset,
                               VkDeviceSize size, VkIndexType type)
{
    const struct command_buffer *command_buffer = known_binds(call);
    const uint64_t id = redundant_object_id(call, (uint64_t)buffer, HANDLE_BUFFER);
    if (!command_buffer || !id)
        return;
    const struct bound_buffer *bound = &command_buffer->index_buffer;
    const struct buffer *state = find_buffer(call, buffer);
    const VkDeviceSize whole = state && offset < state->size ? state->size - offset : 0;
    if (bound->bound && bound->buffer == id && bound->offset == offset &&
        bound->size == (size == VK_WHOLE_SIZE ? whole : size) &&
        command_buffer->index_type == type && !command_buffer->restart_index_set)
        advise(call, BestPractices_Redundant_Bind, &LOCATION(NULL, "buffer"),
               OBJECT(HANDLE_BUFFER, buffer),
               "is %s, which is bound already, at the same offset and with the same type",
               NAMED(call, HANDLE_BUFFER, buffer));
}

void redundant_before_CmdBindIndexBuffer(struct call *call, VkCommandBuffer commandBuffer,
                                         VkBuffer buffer, VkDeviceSize offset,
                                         VkIndexType indexType)
{
    judge_index_buffer(call, buffer, offset, VK_WHOLE_SIZE, indexType);
}

void redundant_before_CmdBindIndexBuffer2(struct call *call, VkCommandBuffer commandBuffer,
                                          VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size,
                                          VkIndexType indexType)
{
    judge_index_buffer(call, buffer, offset, size, indexType);
}

/* True if the buffer is already bound in the same way: with the same offset, to its end, and
 * without a size or stride. */
static bool vertex_buffer_is_bound(const struct call *call,
                                   const struct command_buffer *command_buffer, uint32_t binding,
                                   VkBuffer handle, VkDeviceSize offset)
{
    const uint64_t id = redundant_object_id(call, (uint64_t)handle, HANDLE_BUFFER);
    const struct bound_buffer *bound = bound_vertex_buffer(command_buffer, binding);
    const struct buffer *state = find_buffer(call, handle);
    return id && state && bound->bound && !bound->strided && bound->buffer == id &&
           bound->offset == offset && offset < state->size && bound->size == state->size - offset;
}

void redundant_before_CmdBindVertexBuffers(struct call *call, VkCommandBuffer commandBuffer,
                                           uint32_t firstBinding, uint32_t bindingCount,
                                           const VkBuffer *pBuffers, const VkDeviceSize *pOffsets)
{
    const struct command_buffer *command_buffer = known_binds(call);
    if (!command_buffer || !bindingCount || !pBuffers || !pOffsets)
        return;
    for (uint32_t i = 0; i < bindingCount; i++) {
        if (!vertex_buffer_is_bound(call, command_buffer, firstBinding + i, pBuffers[i],
                                    pOffsets[i]))
            return;
    }
    advise(call, BestPractices_Redundant_Bind, &LOCATION(NULL, "pBuffers"),
           OBJECT(HANDLE_BUFFER, pBuffers[0]),
           "%s %s, which %s bound already, at the same offset%s",
           bindingCount > 1 ? "begins with" : "is", NAMED(call, HANDLE_BUFFER, pBuffers[0]),
           bindingCount > 1 ? "are all" : "is", bindingCount > 1 ? "s" : "");
}

/* Advises if the same sets are already bound, with the same layout and without dynamic offsets. */
static void judge_sets(const struct call *call, uint32_t point, VkPipelineLayout handle,
                       uint32_t first, uint32_t count, const VkDescriptorSet *sets,
                       uint32_t offset_count)
{
    const struct command_buffer *command_buffer = known_binds(call);
    const uint64_t layout = redundant_object_id(call, (uint64_t)handle, HANDLE_PIPELINE_LAYOUT);
    if (!command_buffer || !layout || !count || !sets || offset_count || point >= BIND_POINTS)
        return;
    for (uint32_t i = 0; i < count; i++) {
        const struct bound_set *bound = bound_set_at(&command_buffer->bind[point], first + i);
        const uint64_t id = redundant_object_id(call, (uint64_t)sets[i], HANDLE_DESCRIPTOR_SET);
        if (!id || !bound || bound->kind != BOUND_SET || bound->set != id ||
            bound->layout != layout)
            return;
    }
    advise(call, BestPractices_Redundant_Bind, &LOCATION(NULL, "pDescriptorSets"),
           OBJECT(HANDLE_DESCRIPTOR_SET, sets[0]),
           "%s %s, which %s bound already, with the same layout", count > 1 ? "begins with" : "is",
           NAMED(call, HANDLE_DESCRIPTOR_SET, sets[0]), count > 1 ? "are all" : "is");
}

/* It is a validate hook, because the state tracker notes sets before the call. */
bool redundant_validate_CmdBindDescriptorSets(struct call *call, VkCommandBuffer commandBuffer,
                                              VkPipelineBindPoint pipelineBindPoint,
                                              VkPipelineLayout layout, uint32_t firstSet,
                                              uint32_t descriptorSetCount,
                                              const VkDescriptorSet *pDescriptorSets,
                                              uint32_t dynamicOffsetCount,
                                              const uint32_t *pDynamicOffsets)
{
    judge_sets(call, bind_point_index(pipelineBindPoint), layout, firstSet, descriptorSetCount,
               pDescriptorSets, dynamicOffsetCount);
    return false;
}

/* --- barriers --- */

/* True if the first or the second synchronization scope is empty. */
static bool orders_nothing(VkPipelineStageFlags2 src, VkPipelineStageFlags2 dst)
{
    return !(src & ~STAGES_BEFORE_ALL) || !(dst & ~STAGES_AFTER_ALL);
}

/* True if the barrier orders nothing. A barrier that only makes writes available, or available
 * writes visible, may be half of a dependency. */
static bool is_empty(const VkMemoryBarrier2 *barrier)
{
    return !barrier->pNext &&
           ((!(barrier->srcStageMask & ~STAGES_BEFORE_ALL) && !barrier->dstAccessMask) ||
            (!(barrier->dstStageMask & ~STAGES_AFTER_ALL) && !barrier->srcAccessMask));
}

void redundant_after_CmdPipelineBarrier(struct call *call, VkCommandBuffer commandBuffer,
                                        VkPipelineStageFlags srcStageMask,
                                        VkPipelineStageFlags dstStageMask,
                                        VkDependencyFlags dependencyFlags,
                                        uint32_t memoryBarrierCount,
                                        const VkMemoryBarrier *pMemoryBarriers,
                                        uint32_t bufferMemoryBarrierCount,
                                        const VkBufferMemoryBarrier *pBufferMemoryBarriers,
                                        uint32_t imageMemoryBarrierCount,
                                        const VkImageMemoryBarrier *pImageMemoryBarriers)
{
    if (!(memoryBarrierCount | bufferMemoryBarrierCount | imageMemoryBarrierCount) &&
        orders_nothing(srcStageMask, dstStageMask))
        advise(call, BestPractices_Redundant_Barrier, NULL, NULL,
               "has no barrier, and no stage is %s",
               srcStageMask & ~STAGES_BEFORE_ALL ? "after VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT"
                                                 : "before VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT");
    for (uint32_t i = 0; pMemoryBarriers && i < memoryBarrierCount; i++) {
        if (!pMemoryBarriers[i].pNext && !pMemoryBarriers[i].srcAccessMask &&
            !pMemoryBarriers[i].dstAccessMask)
            advise(call, BestPractices_Redundant_Barrier,
                   &LOCATION_INDEX(NULL, "pMemoryBarriers", i), NULL,
                   "has no accesses, and the stages are ordered without it");
    }
}

void redundant_after_CmdPipelineBarrier2(struct call *call, VkCommandBuffer commandBuffer,
                                         const VkDependencyInfo *pDependencyInfo)
{
    const VkDependencyInfo *info = pDependencyInfo;
    if (!info->pNext && !(info->memoryBarrierCount | info->bufferMemoryBarrierCount |
                          info->imageMemoryBarrierCount))
        advise(call, BestPractices_Redundant_Barrier, &LOCATION(NULL, "pDependencyInfo"), NULL,
               "has no barrier, and orders nothing");
    for (uint32_t i = 0; info->pMemoryBarriers && i < info->memoryBarrierCount; i++) {
        const VkMemoryBarrier2 *barrier = &info->pMemoryBarriers[i];
        if (is_empty(barrier))
            advise(call, BestPractices_Redundant_Barrier,
                   &LOCATION_INDEX(&LOCATION_POINTER(NULL, "pDependencyInfo"), "pMemoryBarriers",
                                   i),
                   NULL, "orders nothing: its %s",
                   barrier->srcStageMask & ~STAGES_BEFORE_ALL
                       ? "dstStageMask names no stage of a later command"
                       : "srcStageMask names no stage of an earlier command");
    }
}
