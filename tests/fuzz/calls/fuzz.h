/* The fuzzer's files share this. It is the world (one instance, its devices, what was asked of the
 * run), the commands, and the trace.
 *
 * Device commands are called as a layer's next one would get them (vkGetDeviceProcAddr). The
 * loader's own entries would follow handles of command buffers that are dead. */
#ifndef ASSAY_FUZZ_FUZZ_H
#define ASSAY_FUZZ_FUZZ_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include <vulkan/vulkan.h>

#include "random.h"

/* Every command of a device that the fuzzer calls. */
#define COMMANDS(X)                       \
    X(AcquireNextImage2KHR)               \
    X(AcquireNextImageKHR)                \
    X(AllocateCommandBuffers)             \
    X(AllocateDescriptorSets)             \
    X(AllocateMemory)                     \
    X(BeginCommandBuffer)                 \
    X(BindBufferMemory)                   \
    X(BindBufferMemory2)                  \
    X(BindImageMemory)                    \
    X(BindImageMemory2)                   \
    X(CmdBeginConditionalRenderingEXT)    \
    X(CmdBeginDebugUtilsLabelEXT)         \
    X(CmdBeginQuery)                      \
    X(CmdBeginQueryIndexedEXT)            \
    X(CmdBeginRenderPass)                 \
    X(CmdBeginRenderPass2)                \
    X(CmdBeginRendering)                  \
    X(CmdBeginTransformFeedbackEXT)       \
    X(CmdBindDescriptorSets)              \
    X(CmdBindDescriptorSets2)             \
    X(CmdBindIndexBuffer)                 \
    X(CmdBindIndexBuffer2)                \
    X(CmdBindPipeline)                    \
    X(CmdBindShadersEXT)                  \
    X(CmdBindTransformFeedbackBuffersEXT) \
    X(CmdBindVertexBuffers)               \
    X(CmdBindVertexBuffers2)              \
    X(CmdBlitImage)                       \
    X(CmdBlitImage2)                      \
    X(CmdClearAttachments)                \
    X(CmdClearColorImage)                 \
    X(CmdClearDepthStencilImage)          \
    X(CmdCopyBuffer)                      \
    X(CmdCopyBuffer2)                     \
    X(CmdCopyBufferToImage)               \
    X(CmdCopyBufferToImage2)              \
    X(CmdCopyImage)                       \
    X(CmdCopyImage2)                      \
    X(CmdCopyImageToBuffer)               \
    X(CmdCopyImageToBuffer2)              \
    X(CmdCopyQueryPoolResults)            \
    X(CmdDispatch)                        \
    X(CmdDispatchBase)                    \
    X(CmdDispatchIndirect)                \
    X(CmdDraw)                            \
    X(CmdDrawIndexed)                     \
    X(CmdDrawIndexedIndirect)             \
    X(CmdDrawIndexedIndirectCount)        \
    X(CmdDrawIndirect)                    \
    X(CmdDrawIndirectCount)               \
    X(CmdDrawMeshTasksEXT)                \
    X(CmdDrawMultiEXT)                    \
    X(CmdEndConditionalRenderingEXT)      \
    X(CmdEndDebugUtilsLabelEXT)           \
    X(CmdEndQuery)                        \
    X(CmdEndQueryIndexedEXT)              \
    X(CmdEndRenderPass)                   \
    X(CmdEndRenderPass2)                  \
    X(CmdEndRendering)                    \
    X(CmdEndTransformFeedbackEXT)         \
    X(CmdExecuteCommands)                 \
    X(CmdFillBuffer)                      \
    X(CmdInsertDebugUtilsLabelEXT)        \
    X(CmdNextSubpass)                     \
    X(CmdNextSubpass2)                    \
    X(CmdPipelineBarrier)                 \
    X(CmdPipelineBarrier2)                \
    X(CmdPushConstants)                   \
    X(CmdPushConstants2)                  \
    X(CmdPushDescriptorSet)               \
    X(CmdPushDescriptorSetWithTemplate)   \
    X(CmdResetEvent)                      \
    X(CmdResetEvent2)                     \
    X(CmdResetQueryPool)                  \
    X(CmdResolveImage)                    \
    X(CmdResolveImage2)                   \
    X(CmdSetAlphaToCoverageEnableEXT)     \
    X(CmdSetBlendConstants)               \
    X(CmdSetColorBlendEnableEXT)          \
    X(CmdSetColorBlendEquationEXT)        \
    X(CmdSetColorWriteEnableEXT)          \
    X(CmdSetColorWriteMaskEXT)            \
    X(CmdSetCullMode)                     \
    X(CmdSetDepthBias)                    \
    X(CmdSetDepthBiasEnable)              \
    X(CmdSetDepthBounds)                  \
    X(CmdSetDepthBoundsTestEnable)        \
    X(CmdSetDepthClampEnableEXT)          \
    X(CmdSetDepthCompareOp)               \
    X(CmdSetDepthTestEnable)              \
    X(CmdSetDepthWriteEnable)             \
    X(CmdSetEvent)                        \
    X(CmdSetEvent2)                       \
    X(CmdSetFrontFace)                    \
    X(CmdSetLineStipple)                  \
    X(CmdSetLineWidth)                    \
    X(CmdSetLogicOpEXT)                   \
    X(CmdSetLogicOpEnableEXT)             \
    X(CmdSetPatchControlPointsEXT)        \
    X(CmdSetPolygonModeEXT)               \
    X(CmdSetPrimitiveRestartEnable)       \
    X(CmdSetPrimitiveTopology)            \
    X(CmdSetRasterizationSamplesEXT)      \
    X(CmdSetRasterizerDiscardEnable)      \
    X(CmdSetSampleMaskEXT)                \
    X(CmdSetScissor)                      \
    X(CmdSetScissorWithCount)             \
    X(CmdSetStencilCompareMask)           \
    X(CmdSetStencilOp)                    \
    X(CmdSetStencilReference)             \
    X(CmdSetStencilTestEnable)            \
    X(CmdSetStencilWriteMask)             \
    X(CmdSetVertexInputEXT)               \
    X(CmdSetViewport)                     \
    X(CmdSetViewportWithCount)            \
    X(CmdUpdateBuffer)                    \
    X(CmdWaitEvents)                      \
    X(CmdWaitEvents2)                     \
    X(CmdWriteTimestamp)                  \
    X(CmdWriteTimestamp2)                 \
    X(CopyImageToImage)                   \
    X(CopyImageToMemory)                  \
    X(CopyMemoryToImage)                  \
    X(CreateBuffer)                       \
    X(CreateBufferView)                   \
    X(CreateCommandPool)                  \
    X(CreateComputePipelines)             \
    X(CreateDescriptorPool)               \
    X(CreateDescriptorSetLayout)          \
    X(CreateDescriptorUpdateTemplate)     \
    X(CreateEvent)                        \
    X(CreateFence)                        \
    X(CreateFramebuffer)                  \
    X(CreateGraphicsPipelines)            \
    X(CreateImage)                        \
    X(CreateImageView)                    \
    X(CreatePipelineCache)                \
    X(CreatePipelineLayout)               \
    X(CreatePrivateDataSlot)              \
    X(CreateQueryPool)                    \
    X(CreateRenderPass)                   \
    X(CreateRenderPass2)                  \
    X(CreateSampler)                      \
    X(CreateSamplerYcbcrConversion)       \
    X(CreateSemaphore)                    \
    X(CreateShaderModule)                 \
    X(CreateShadersEXT)                   \
    X(CreateSwapchainKHR)                 \
    X(DestroyBuffer)                      \
    X(DestroyBufferView)                  \
    X(DestroyCommandPool)                 \
    X(DestroyDescriptorPool)              \
    X(DestroyDescriptorSetLayout)         \
    X(DestroyDescriptorUpdateTemplate)    \
    X(DestroyDevice)                      \
    X(DestroyEvent)                       \
    X(DestroyFence)                       \
    X(DestroyFramebuffer)                 \
    X(DestroyImage)                       \
    X(DestroyImageView)                   \
    X(DestroyPipeline)                    \
    X(DestroyPipelineCache)               \
    X(DestroyPipelineLayout)              \
    X(DestroyPrivateDataSlot)             \
    X(DestroyQueryPool)                   \
    X(DestroyRenderPass)                  \
    X(DestroySampler)                     \
    X(DestroySamplerYcbcrConversion)      \
    X(DestroySemaphore)                   \
    X(DestroyShaderEXT)                   \
    X(DestroyShaderModule)                \
    X(DestroySwapchainKHR)                \
    X(DeviceWaitIdle)                     \
    X(EndCommandBuffer)                   \
    X(FlushMappedMemoryRanges)            \
    X(FreeCommandBuffers)                 \
    X(FreeDescriptorSets)                 \
    X(FreeMemory)                         \
    X(GetBufferDeviceAddress)             \
    X(GetBufferMemoryRequirements)        \
    X(GetBufferMemoryRequirements2)       \
    X(GetDescriptorSetLayoutSupport)      \
    X(GetDeviceBufferMemoryRequirements)  \
    X(GetDeviceImageMemoryRequirements)   \
    X(GetDeviceMemoryCommitment)          \
    X(GetDeviceQueue)                     \
    X(GetDeviceQueue2)                    \
    X(GetEventStatus)                     \
    X(GetFenceStatus)                     \
    X(GetImageMemoryRequirements)         \
    X(GetImageMemoryRequirements2)        \
    X(GetImageSparseMemoryRequirements)   \
    X(GetImageSubresourceLayout)          \
    X(GetPipelineCacheData)               \
    X(GetPrivateData)                     \
    X(GetQueryPoolResults)                \
    X(GetRenderAreaGranularity)           \
    X(GetSemaphoreCounterValue)           \
    X(GetSwapchainImagesKHR)              \
    X(InvalidateMappedMemoryRanges)       \
    X(MapMemory)                          \
    X(MapMemory2)                         \
    X(MergePipelineCaches)                \
    X(QueueBindSparse)                    \
    X(QueuePresentKHR)                    \
    X(QueueSubmit)                        \
    X(QueueSubmit2)                       \
    X(QueueWaitIdle)                      \
    X(ResetCommandBuffer)                 \
    X(ResetCommandPool)                   \
    X(ResetDescriptorPool)                \
    X(ResetEvent)                         \
    X(ResetFences)                        \
    X(ResetQueryPool)                     \
    X(SetDebugUtilsObjectNameEXT)         \
    X(SetEvent)                           \
    X(SetPrivateData)                     \
    X(SignalSemaphore)                    \
    X(TransitionImageLayout)              \
    X(TrimCommandPool)                    \
    X(UnmapMemory)                        \
    X(UnmapMemory2)                       \
    X(UpdateDescriptorSetWithTemplate)    \
    X(UpdateDescriptorSets)               \
    X(WaitForFences)                      \
    X(WaitSemaphores)

struct dispatch {
#define DECLARE_COMMAND(name_) PFN_vk##name_ name_;
    COMMANDS(DECLARE_COMMAND)
#undef DECLARE_COMMAND
};

/* The facts that the process which watches knows of the one that plays, in memory that both have.
 * Threads: atomic, or the playing thread's own. */
struct report {
    _Atomic uint64_t step;
    /* the last one called; a literal of this program, so the other process has it, too */
    _Atomic(const char *) command;
    _Atomic uint32_t line;
    _Atomic uint64_t calls;
    _Atomic uint64_t findings;
    _Atomic uint64_t digest; /* of the findings' ids, in order */
    _Atomic uint32_t failed; /* the run found something that it must not */
    uint64_t resident;       /* bytes, at the end */
};

struct options {
    uint64_t seed;
    uint64_t steps;
    bool valid;
    bool trace;
    bool driver_handles;
    bool lose_device;
    unsigned threads;
    unsigned seconds;
    const char *peer;    /* another layer instead of ours */
    const uint8_t *kept; /* one byte a step: 0 leaves it out; NULL keeps all */
};

#define QUEUE_FAMILY_COUNT 3

struct world {
    const struct options *options;
    struct report *report;
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger;
    VkPhysicalDevice physical_device;
    VkDevice device;
    VkDevice other_device; /* whose handles are foreign to the first */
    struct dispatch vk;    /* of the first device */
    VkQueue queues[QUEUE_FAMILY_COUNT];
    VkSurfaceKHR surface;
    VkPhysicalDeviceLimits limits;
    _Atomic uint64_t answers; /* drawn so far by the messenger */
    bool ending;              /* every call goes down, so that everything ends */
};

/* Notes the call where the watching process sees it. */
void note_call(struct world *w, const char *command, int line);
void note_result(struct world *w, VkResult result);
#define CALL(w_, name_, ...) (note_call((w_), "vk" #name_, __LINE__), (w_)->vk.name_(__VA_ARGS__))
/* The same for a command that answers with a VkResult. */
#define TRY(w_, name_, ...) try_result((w_), CALL(w_, name_, __VA_ARGS__))
static inline VkResult try_result(struct world *w, VkResult result)
{
    note_result(w, result);
    return result;
}

void fuzz_fail(struct world *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* world.c */
void world_create(struct world *w, const struct options *options, struct report *report);
void world_destroy(struct world *w);

/* Calls out of order, with anything in them; from any number of threads. */
struct wild;
struct wild *wild_create(struct world *w);
void wild_step(struct wild *wild, struct random *r);
void wild_destroy(struct wild *wild);

/* Calls as the specification wants them; from one thread. */
struct valid;
struct valid *valid_create(struct world *w);
void valid_step(struct valid *valid, struct random *r);
void valid_destroy(struct valid *valid);

#endif
