/* The commands that stand in for others (--instead). Each makes what it takes beside the parameters
 * of the first one: indices, a buffer with parameters, a counter, structures. */
#include "instead.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scenario.h"

/* The header defines the variable, and others have it, too. */
#define shader_triangle_mesh shader_triangle_mesh_instead
#include "shader_triangle_mesh.h"
#include "shader_triangle_nv_mesh.h"

#define BUFFER_BYTES 4096

const struct instead *instead;
static char *statements; /* build/src/statements.txt */
static struct baseline *running;

void instead_begin(struct baseline *b)
{
    running = b;
}

/* --- what the commands take --- */

static VkBuffer instead_buffer(VkBufferUsageFlags usage)
{
    return make_buffer(running, BUFFER_BYTES, usage);
}

static VkDeviceAddress instead_address(VkBufferUsageFlags usage)
{
    const VkBufferDeviceAddressInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = instead_buffer(usage | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)};
    return vkGetBufferDeviceAddress(running->device, &info);
}

static void bind_own_indices(VkCommandBuffer commands)
{
    vkCmdBindIndexBuffer(commands, instead_buffer(VK_BUFFER_USAGE_INDEX_BUFFER_BIT), 0,
                         VK_INDEX_TYPE_UINT16);
}

#define INDIRECT VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT
#define DRAWS                                                                     \
    VkCommandBuffer commands, uint32_t count, uint32_t instances, uint32_t first, \
        uint32_t first_instance

static void draw_indexed(DRAWS)
{
    bind_own_indices(commands);
    vkCmdDrawIndexed(commands, count, instances, first, 0, first_instance);
}

static void draw_indirect(DRAWS)
{
    vkCmdDrawIndirect(commands, instead_buffer(INDIRECT), 0, 1, sizeof(VkDrawIndirectCommand));
}

static void draw_indexed_indirect_instead(DRAWS)
{
    bind_own_indices(commands);
    vkCmdDrawIndexedIndirect(commands, instead_buffer(INDIRECT), 0, 1,
                             sizeof(VkDrawIndexedIndirectCommand));
}

static void draw_indirect_count(DRAWS)
{
    VkBuffer buffer = instead_buffer(INDIRECT);
    vkCmdDrawIndirectCount(commands, buffer, 0, buffer, BUFFER_BYTES / 2, 1,
                           sizeof(VkDrawIndirectCommand));
}

static void draw_indexed_indirect_count(DRAWS)
{
    VkBuffer buffer = instead_buffer(INDIRECT);
    bind_own_indices(commands);
    vkCmdDrawIndexedIndirectCount(commands, buffer, 0, buffer, BUFFER_BYTES / 2, 1,
                                  sizeof(VkDrawIndexedIndirectCommand));
}

static void draw_multi(DRAWS)
{
    const VkMultiDrawInfoEXT info = {first, count};
    DEVICE_PROC(running, vkCmdDrawMultiEXT)
    (commands, 1, &info, instances, first_instance, sizeof(info));
}

static void draw_multi_indexed(DRAWS)
{
    const VkMultiDrawIndexedInfoEXT info = {first, count, 0};
    bind_own_indices(commands);
    DEVICE_PROC(running, vkCmdDrawMultiIndexedEXT)
    (commands, 1, &info, instances, first_instance, sizeof(info), NULL);
}

static void draw_byte_count(DRAWS)
{
    DEVICE_PROC(running, vkCmdDrawIndirectByteCountEXT)
    (commands, instances, first_instance, instead_buffer(INDIRECT), 0, 0, 4);
}

#define AT_ADDRESS(size_)                       \
    (VkStridedDeviceAddressRangeKHR)            \
    {                                           \
        instead_address(INDIRECT), size_, size_ \
    }

static void draw_indirect2(DRAWS)
{
    const VkDrawIndirect2InfoKHR info = {.sType = VK_STRUCTURE_TYPE_DRAW_INDIRECT_2_INFO_KHR,
                                         .addressRange = AT_ADDRESS(sizeof(VkDrawIndirectCommand)),
                                         .drawCount = 1};
    DEVICE_PROC(running, vkCmdDrawIndirect2KHR)(commands, &info);
}

static void draw_indexed_indirect2(DRAWS)
{
    const VkDrawIndirect2InfoKHR info = {.sType = VK_STRUCTURE_TYPE_DRAW_INDIRECT_2_INFO_KHR,
                                         .addressRange =
                                             AT_ADDRESS(sizeof(VkDrawIndexedIndirectCommand)),
                                         .drawCount = 1};
    bind_own_indices(commands);
    DEVICE_PROC(running, vkCmdDrawIndexedIndirect2KHR)(commands, &info);
}

static void draw_indirect_count2(DRAWS)
{
    VkDrawIndirectCount2InfoKHR info = {.sType = VK_STRUCTURE_TYPE_DRAW_INDIRECT_COUNT_2_INFO_KHR,
                                        .addressRange = AT_ADDRESS(sizeof(VkDrawIndirectCommand)),
                                        .maxDrawCount = 1};
    info.countAddressRange =
        (VkDeviceAddressRangeKHR){info.addressRange.address + BUFFER_BYTES / 2, 4};
    DEVICE_PROC(running, vkCmdDrawIndirectCount2KHR)(commands, &info);
}

static void draw_indexed_indirect_count2(DRAWS)
{
    VkDrawIndirectCount2InfoKHR info = {.sType = VK_STRUCTURE_TYPE_DRAW_INDIRECT_COUNT_2_INFO_KHR,
                                        .addressRange =
                                            AT_ADDRESS(sizeof(VkDrawIndexedIndirectCommand)),
                                        .maxDrawCount = 1};
    info.countAddressRange =
        (VkDeviceAddressRangeKHR){info.addressRange.address + BUFFER_BYTES / 2, 4};
    bind_own_indices(commands);
    DEVICE_PROC(running, vkCmdDrawIndexedIndirectCount2KHR)(commands, &info);
}

static void draw_byte_count2(DRAWS)
{
    const VkBindTransformFeedbackBuffer2InfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_BIND_TRANSFORM_FEEDBACK_BUFFER_2_INFO_EXT,
        .addressRange = {
            instead_address(INDIRECT | VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT),
            4}};
    DEVICE_PROC(running, vkCmdDrawIndirectByteCount2EXT)
    (commands, instances, first_instance, &info, 0, 4);
}

static void draw_mesh_tasks(DRAWS)
{
    DEVICE_PROC(running, vkCmdDrawMeshTasksEXT)(commands, 1, 1, 1);
}

#define TASK_BYTES ((uint32_t)sizeof(VkDrawMeshTasksIndirectCommandEXT))

static void draw_mesh_tasks_indirect(DRAWS)
{
    DEVICE_PROC(running, vkCmdDrawMeshTasksIndirectEXT)
    (commands, instead_buffer(INDIRECT), 0, 1, TASK_BYTES);
}

static void draw_mesh_tasks_indirect_count(DRAWS)
{
    VkBuffer buffer = instead_buffer(INDIRECT);
    DEVICE_PROC(running, vkCmdDrawMeshTasksIndirectCountEXT)
    (commands, buffer, 0, buffer, BUFFER_BYTES / 2, 1, TASK_BYTES);
}

static void draw_mesh_tasks_indirect2(DRAWS)
{
    const VkDrawIndirect2InfoKHR info = {.sType = VK_STRUCTURE_TYPE_DRAW_INDIRECT_2_INFO_KHR,
                                         .addressRange = AT_ADDRESS(TASK_BYTES),
                                         .drawCount = 1};
    DEVICE_PROC(running, vkCmdDrawMeshTasksIndirect2EXT)(commands, &info);
}

static void draw_mesh_tasks_indirect_count2(DRAWS)
{
    VkDrawIndirectCount2InfoKHR info = {.sType = VK_STRUCTURE_TYPE_DRAW_INDIRECT_COUNT_2_INFO_KHR,
                                        .addressRange = AT_ADDRESS(TASK_BYTES),
                                        .maxDrawCount = 1};
    info.countAddressRange =
        (VkDeviceAddressRangeKHR){info.addressRange.address + BUFFER_BYTES / 2, 4};
    DEVICE_PROC(running, vkCmdDrawMeshTasksIndirectCount2EXT)(commands, &info);
}

static void draw_mesh_tasks_nv(DRAWS)
{
    DEVICE_PROC(running, vkCmdDrawMeshTasksNV)(commands, 1, 0);
}

static void draw_mesh_tasks_indirect_nv(DRAWS)
{
    DEVICE_PROC(running, vkCmdDrawMeshTasksIndirectNV)
    (commands, instead_buffer(INDIRECT), 0, 1, sizeof(VkDrawMeshTasksIndirectCommandNV));
}

static void draw_mesh_tasks_indirect_count_nv(DRAWS)
{
    VkBuffer buffer = instead_buffer(INDIRECT);
    DEVICE_PROC(running, vkCmdDrawMeshTasksIndirectCountNV)
    (commands, buffer, 0, buffer, BUFFER_BYTES / 2, 1, sizeof(VkDrawMeshTasksIndirectCommandNV));
}

VkGraphicsPipelineCreateInfo instead_pipeline(struct baseline *b,
                                              const VkGraphicsPipelineCreateInfo *info,
                                              VkPipelineShaderStageCreateInfo *stages)
{
    VkGraphicsPipelineCreateInfo made = *info;
    if (!instead || !instead->mesh || info->stageCount > INSTEAD_STAGES)
        return made;
    for (uint32_t i = 0; i < info->stageCount; i++) {
        stages[i] = info->pStages[i];
        if (stages[i].stage == VK_SHADER_STAGE_VERTEX_BIT)
            stages[i] = stage_info(VK_SHADER_STAGE_MESH_BIT_EXT,
                                   instead->mesh_nv ? MAKE_SHADER(b, shader_triangle_nv_mesh)
                                                    : MAKE_SHADER(b, shader_triangle_mesh));
    }
    made.pStages = info->stageCount ? stages : NULL;
    return made;
}

static void draw_itself(DRAWS)
{
    (vkCmdDraw)(commands, count, instances, first, first_instance);
}

/* Files whose scenarios dispatch by way of the functions of the header. */
static const char *const files_drawing[] = {"descriptor_contents", "draw_heaps", "tensors", NULL};

static bool draws_instead(const struct scenario *scenario)
{
    for (size_t i = 0; instead && instead->draw && files_drawing[i]; i++) {
        if (strcmp(files_drawing[i], scenario->file) == 0)
            return true;
    }
    return false;
}

bool instead_draws(const struct baseline *b)
{
    return instead && draws_instead(b->scenario);
}

/* Numbers of SPIR-V. */
enum {
    OP_ENTRY_POINT = 15,
    OP_EXECUTION_MODE = 16,
    OP_EXECUTION_MODE_ID = 331,
    MODEL_FRAGMENT = 4,
    MODEL_COMPUTE = 5,
    MODE_LOCAL_SIZE = 17,
    MODE_LOCAL_SIZE_ID = 38,
    MODE_ORIGIN_UPPER_LEFT = 7
};

uint32_t *instead_code(const struct baseline *b, const uint32_t *code, size_t *size)
{
    const size_t words = *size / sizeof(*code);
    size_t to = 5;
    if (!instead_draws(b) || words <= to)
        return NULL;
    uint32_t *made = malloc(*size);
    bool computes = false;
    ENSURE(made);
    memcpy(made, code, to * sizeof(*code));
    for (size_t at = to; at < words && code[at] >> 16; at += code[at] >> 16) {
        const uint32_t opcode = code[at] & 0xffff;
        memcpy(made + to, code + at, (code[at] >> 16) * sizeof(*code));
        if (opcode == OP_ENTRY_POINT && code[at + 1] == MODEL_COMPUTE) {
            made[to + 1] = MODEL_FRAGMENT;
            computes = true;
        } else if (computes && (opcode == OP_EXECUTION_MODE || opcode == OP_EXECUTION_MODE_ID) &&
                   (code[at + 2] == MODE_LOCAL_SIZE || code[at + 2] == MODE_LOCAL_SIZE_ID)) {
            made[to] = 3u << 16 | OP_EXECUTION_MODE;
            made[to + 2] = MODE_ORIGIN_UPPER_LEFT;
        }
        to += made[to] >> 16;
    }
    *size = to * sizeof(*made);
    return made;
}

VkPipeline instead_drawing(struct baseline *b, const VkComputePipelineCreateInfo *info)
{
    struct graphics_pipeline drawing;
    begin_graphics_pipeline(b, &drawing, info->layout, make_render_pass(b));
    drawing.info.pNext = info->pNext;
    drawing.info.flags = info->flags;
    drawing.stages[1] = info->stage;
    drawing.stages[1].stage = VK_SHADER_STAGE_FRAGMENT_BIT;
    return create_graphics_pipeline(b, &drawing.info);
}

void instead_run(struct baseline *b, VkCommandBuffer commands)
{
    if (!instead_draws(b)) {
        vkCmdDispatch(commands, 1, 1, 1);
        return;
    }
    begin_rendering(b, commands);
    vkCmdDraw(commands, 3, 1, 0, 0);
    vkCmdEndRenderPass(commands);
}

static void dispatch_base(VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z)
{
    vkCmdDispatchBase(commands, 0, 0, 0, x, y, z);
}

static void dispatch_indirect(VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z)
{
    vkCmdDispatchIndirect(commands, instead_buffer(INDIRECT), 0);
}

static void dispatch_indirect2(VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z)
{
    const VkDispatchIndirect2InfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_DISPATCH_INDIRECT_2_INFO_KHR,
        .addressRange = {instead_address(INDIRECT), sizeof(VkDispatchIndirectCommand)}};
    DEVICE_PROC(running, vkCmdDispatchIndirect2KHR)(commands, &info);
}

/* --- commands that take a structure --- */

#define SENT_MOST 32 /* elements of an array that is made again */

static void copy_buffer2(VkCommandBuffer commands, VkBuffer source, VkBuffer target, uint32_t count,
                         const VkBufferCopy *given)
{
    VkBufferCopy2 regions[SENT_MOST];
    ENSURE(count <= SENT_MOST);
    for (uint32_t i = 0; i < count; i++)
        regions[i] = (VkBufferCopy2){.sType = VK_STRUCTURE_TYPE_BUFFER_COPY_2,
                                     .srcOffset = given[i].srcOffset,
                                     .dstOffset = given[i].dstOffset,
                                     .size = given[i].size};
    vkCmdCopyBuffer2(commands, &(VkCopyBufferInfo2){.sType = VK_STRUCTURE_TYPE_COPY_BUFFER_INFO_2,
                                                    .srcBuffer = source,
                                                    .dstBuffer = target,
                                                    .regionCount = count,
                                                    .pRegions = regions});
}

static void copy_image2(VkCommandBuffer commands, VkImage source, VkImageLayout source_layout,
                        VkImage target, VkImageLayout target_layout, uint32_t count,
                        const VkImageCopy *given)
{
    VkImageCopy2 regions[SENT_MOST];
    ENSURE(count <= SENT_MOST);
    for (uint32_t i = 0; i < count; i++)
        regions[i] = (VkImageCopy2){.sType = VK_STRUCTURE_TYPE_IMAGE_COPY_2,
                                    .srcSubresource = given[i].srcSubresource,
                                    .srcOffset = given[i].srcOffset,
                                    .dstSubresource = given[i].dstSubresource,
                                    .dstOffset = given[i].dstOffset,
                                    .extent = given[i].extent};
    vkCmdCopyImage2(commands, &(VkCopyImageInfo2){.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_INFO_2,
                                                  .srcImage = source,
                                                  .srcImageLayout = source_layout,
                                                  .dstImage = target,
                                                  .dstImageLayout = target_layout,
                                                  .regionCount = count,
                                                  .pRegions = regions});
}

static void fill_buffer_regions(VkBufferImageCopy2 *regions, uint32_t count,
                                const VkBufferImageCopy *given)
{
    ENSURE(count <= SENT_MOST);
    for (uint32_t i = 0; i < count; i++)
        regions[i] = (VkBufferImageCopy2){.sType = VK_STRUCTURE_TYPE_BUFFER_IMAGE_COPY_2,
                                          .bufferOffset = given[i].bufferOffset,
                                          .bufferRowLength = given[i].bufferRowLength,
                                          .bufferImageHeight = given[i].bufferImageHeight,
                                          .imageSubresource = given[i].imageSubresource,
                                          .imageOffset = given[i].imageOffset,
                                          .imageExtent = given[i].imageExtent};
}

static void copy_buffer_to_image2(VkCommandBuffer commands, VkBuffer source, VkImage target,
                                  VkImageLayout layout, uint32_t count,
                                  const VkBufferImageCopy *given)
{
    VkBufferImageCopy2 regions[SENT_MOST];
    fill_buffer_regions(regions, count, given);
    vkCmdCopyBufferToImage2(commands, &(VkCopyBufferToImageInfo2){
                                          .sType = VK_STRUCTURE_TYPE_COPY_BUFFER_TO_IMAGE_INFO_2,
                                          .srcBuffer = source,
                                          .dstImage = target,
                                          .dstImageLayout = layout,
                                          .regionCount = count,
                                          .pRegions = regions});
}

static void copy_image_to_buffer2(VkCommandBuffer commands, VkImage source, VkImageLayout layout,
                                  VkBuffer target, uint32_t count, const VkBufferImageCopy *given)
{
    VkBufferImageCopy2 regions[SENT_MOST];
    fill_buffer_regions(regions, count, given);
    vkCmdCopyImageToBuffer2(commands, &(VkCopyImageToBufferInfo2){
                                          .sType = VK_STRUCTURE_TYPE_COPY_IMAGE_TO_BUFFER_INFO_2,
                                          .srcImage = source,
                                          .srcImageLayout = layout,
                                          .dstBuffer = target,
                                          .regionCount = count,
                                          .pRegions = regions});
}

static void blit_image2(VkCommandBuffer commands, VkImage source, VkImageLayout source_layout,
                        VkImage target, VkImageLayout target_layout, uint32_t count,
                        const VkImageBlit *given, VkFilter filter)
{
    VkImageBlit2 regions[SENT_MOST];
    ENSURE(count <= SENT_MOST);
    for (uint32_t i = 0; i < count; i++)
        regions[i] = (VkImageBlit2){.sType = VK_STRUCTURE_TYPE_IMAGE_BLIT_2,
                                    .srcSubresource = given[i].srcSubresource,
                                    .srcOffsets = {given[i].srcOffsets[0], given[i].srcOffsets[1]},
                                    .dstSubresource = given[i].dstSubresource,
                                    .dstOffsets = {given[i].dstOffsets[0], given[i].dstOffsets[1]}};
    vkCmdBlitImage2(commands, &(VkBlitImageInfo2){.sType = VK_STRUCTURE_TYPE_BLIT_IMAGE_INFO_2,
                                                  .srcImage = source,
                                                  .srcImageLayout = source_layout,
                                                  .dstImage = target,
                                                  .dstImageLayout = target_layout,
                                                  .regionCount = count,
                                                  .pRegions = regions,
                                                  .filter = filter});
}

static void resolve_image2(VkCommandBuffer commands, VkImage source, VkImageLayout source_layout,
                           VkImage target, VkImageLayout target_layout, uint32_t count,
                           const VkImageResolve *given)
{
    VkImageResolve2 regions[SENT_MOST];
    ENSURE(count <= SENT_MOST);
    for (uint32_t i = 0; i < count; i++)
        regions[i] = (VkImageResolve2){.sType = VK_STRUCTURE_TYPE_IMAGE_RESOLVE_2,
                                       .srcSubresource = given[i].srcSubresource,
                                       .srcOffset = given[i].srcOffset,
                                       .dstSubresource = given[i].dstSubresource,
                                       .dstOffset = given[i].dstOffset,
                                       .extent = given[i].extent};
    vkCmdResolveImage2(commands,
                       &(VkResolveImageInfo2){.sType = VK_STRUCTURE_TYPE_RESOLVE_IMAGE_INFO_2,
                                              .srcImage = source,
                                              .srcImageLayout = source_layout,
                                              .dstImage = target,
                                              .dstImageLayout = target_layout,
                                              .regionCount = count,
                                              .pRegions = regions});
}

static VkResult bind_buffer2(VkDevice device, VkBuffer buffer, VkDeviceMemory memory,
                             VkDeviceSize offset)
{
    return vkBindBufferMemory2(device, 1,
                               &(VkBindBufferMemoryInfo){
                                   .sType = VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO,
                                   .buffer = buffer,
                                   .memory = memory,
                                   .memoryOffset = offset});
}

static VkResult bind_image2(VkDevice device, VkImage image, VkDeviceMemory memory,
                            VkDeviceSize offset)
{
    return vkBindImageMemory2(device, 1,
                              &(VkBindImageMemoryInfo){.sType =
                                                           VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO,
                                                       .image = image,
                                                       .memory = memory,
                                                       .memoryOffset = offset});
}

static void pipeline_barrier2(VkCommandBuffer commands, VkPipelineStageFlags before,
                              VkPipelineStageFlags after, VkDependencyFlags flags,
                              uint32_t memory_count, const VkMemoryBarrier *memory,
                              uint32_t buffer_count, const VkBufferMemoryBarrier *buffers,
                              uint32_t image_count, const VkImageMemoryBarrier *images)
{
    VkMemoryBarrier2 of_memory[SENT_MOST];
    VkBufferMemoryBarrier2 of_buffers[SENT_MOST];
    VkImageMemoryBarrier2 of_images[SENT_MOST];
    ENSURE(memory_count <= SENT_MOST && buffer_count <= SENT_MOST && image_count <= SENT_MOST);
    for (uint32_t i = 0; i < memory_count; i++)
        of_memory[i] = (VkMemoryBarrier2){VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                          memory[i].pNext,
                                          before,
                                          memory[i].srcAccessMask,
                                          after,
                                          memory[i].dstAccessMask};
    for (uint32_t i = 0; i < buffer_count; i++)
        of_buffers[i] = (VkBufferMemoryBarrier2){VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
                                                 buffers[i].pNext,
                                                 before,
                                                 buffers[i].srcAccessMask,
                                                 after,
                                                 buffers[i].dstAccessMask,
                                                 buffers[i].srcQueueFamilyIndex,
                                                 buffers[i].dstQueueFamilyIndex,
                                                 buffers[i].buffer,
                                                 buffers[i].offset,
                                                 buffers[i].size};
    for (uint32_t i = 0; i < image_count; i++)
        of_images[i] = (VkImageMemoryBarrier2){VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                               images[i].pNext,
                                               before,
                                               images[i].srcAccessMask,
                                               after,
                                               images[i].dstAccessMask,
                                               images[i].oldLayout,
                                               images[i].newLayout,
                                               images[i].srcQueueFamilyIndex,
                                               images[i].dstQueueFamilyIndex,
                                               images[i].image,
                                               images[i].subresourceRange};
    vkCmdPipelineBarrier2(commands, &(VkDependencyInfo){.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                                        .dependencyFlags = flags,
                                                        .memoryBarrierCount = memory_count,
                                                        .pMemoryBarriers = of_memory,
                                                        .bufferMemoryBarrierCount = buffer_count,
                                                        .pBufferMemoryBarriers = of_buffers,
                                                        .imageMemoryBarrierCount = image_count,
                                                        .pImageMemoryBarriers = of_images});
}

static void push_constants2(VkCommandBuffer commands, VkPipelineLayout layout,
                            VkShaderStageFlags stages, uint32_t offset, uint32_t size,
                            const void *values)
{
    const VkPushConstantsInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PUSH_CONSTANTS_INFO_KHR,
                                         .layout = layout,
                                         .stageFlags = stages,
                                         .offset = offset,
                                         .size = size,
                                         .pValues = values};
    DEVICE_PROC(running, vkCmdPushConstants2KHR)(commands, &info);
}

static void bind_sets2(VkCommandBuffer commands, VkPipelineBindPoint point, VkPipelineLayout layout,
                       uint32_t first, uint32_t count, const VkDescriptorSet *sets,
                       uint32_t offset_count, const uint32_t *offsets)
{
    const VkBindDescriptorSetsInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_BIND_DESCRIPTOR_SETS_INFO_KHR,
        .stageFlags = point == VK_PIPELINE_BIND_POINT_GRAPHICS  ? VK_SHADER_STAGE_ALL_GRAPHICS
                      : point == VK_PIPELINE_BIND_POINT_COMPUTE ? VK_SHADER_STAGE_COMPUTE_BIT
                                                                : VK_SHADER_STAGE_RAYGEN_BIT_KHR,
        .layout = layout,
        .firstSet = first,
        .descriptorSetCount = count,
        .pDescriptorSets = sets,
        .dynamicOffsetCount = offset_count,
        .pDynamicOffsets = offsets};
    DEVICE_PROC(running, vkCmdBindDescriptorSets2KHR)(commands, &info);
}

/* --- what the device needs --- */

/* A structure of features, of which a scenario may have one of its own. `core`: the structure of a
 * version that has the one feature of it, at this offset; a chain may have either. */
struct needed_features {
    VkBaseOutStructure *structure;
    size_t size;
    VkStructureType core;
    size_t core_offset;
};
#define NEEDED(name_, Structure_, type_, member_)                                              \
    static Structure_ name_##_structure = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##type_, \
                                           .member_ = VK_TRUE};                                \
    static const struct needed_features name_ = {(VkBaseOutStructure *)&name_##_structure,     \
                                                 sizeof(name_##_structure)
NEEDED(multi, VkPhysicalDeviceMultiDrawFeaturesEXT, MULTI_DRAW_FEATURES_EXT, multiDraw)
}
;
NEEDED(feedback, VkPhysicalDeviceTransformFeedbackFeaturesEXT, TRANSFORM_FEEDBACK_FEATURES_EXT,
       transformFeedback)
}
;
NEEDED(by_address, VkPhysicalDeviceDeviceAddressCommandsFeaturesKHR,
       DEVICE_ADDRESS_COMMANDS_FEATURES_KHR, deviceAddressCommands)
}
;
NEEDED(addresses, VkPhysicalDeviceBufferDeviceAddressFeatures, BUFFER_DEVICE_ADDRESS_FEATURES,
       bufferDeviceAddress),
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    offsetof(VkPhysicalDeviceVulkan12Features, bufferDeviceAddress)
}
;
NEEDED(meshes, VkPhysicalDeviceMeshShaderFeaturesEXT, MESH_SHADER_FEATURES_EXT, meshShader)
}
;
NEEDED(meshes_nv, VkPhysicalDeviceMeshShaderFeaturesNV, MESH_SHADER_FEATURES_NV, meshShader)
}
;
NEEDED(sizes, VkPhysicalDeviceMaintenance4Features, MAINTENANCE_4_FEATURES, maintenance4),
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    offsetof(VkPhysicalDeviceVulkan13Features, maintenance4)
}
;
NEEDED(barriers, VkPhysicalDeviceSynchronization2Features, SYNCHRONIZATION_2_FEATURES,
       synchronization2),
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    offsetof(VkPhysicalDeviceVulkan13Features, synchronization2)
}
;
NEEDED(maintenance6, VkPhysicalDeviceMaintenance6FeaturesKHR, MAINTENANCE_6_FEATURES_KHR,
       maintenance6),
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES,
    offsetof(VkPhysicalDeviceVulkan14Features, maintenance6)
}
;
/* An extension brings it, where no structure of the version speaks of it. */
static const struct needed_features counts = {
    NULL, 0, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    offsetof(VkPhysicalDeviceVulkan12Features, drawIndirectCount)};

/* what shaders need where they were compute shaders */
NEEDED(stores, VkPhysicalDeviceFeatures2, FEATURES_2, features.fragmentStoresAndAtomics)
}
;

#define COUNTED  .extensions = {"VK_KHR_draw_indirect_count"}, .features = {&counts}
#define MULTI    .extensions = {"VK_EXT_multi_draw"}, .features = {&multi}
#define CAPTURED .extensions = {"VK_EXT_transform_feedback"}, .features = {&feedback}
#define BY_ADDRESS \
    .extensions = {"VK_KHR_device_address_commands"}, .features = {&by_address, &addresses}
#define BARRIERS    .features = {&barriers}
#define MAINTENANCE .extensions = {"VK_KHR_maintenance6"}, .features = {&maintenance6}
#define COUNTED_BY_ADDRESS                                                          \
    .extensions = {"VK_KHR_device_address_commands", "VK_KHR_draw_indirect_count"}, \
    .features = {&by_address, &addresses, &counts}
#define CAPTURED_BY_ADDRESS                                                        \
    .extensions = {"VK_KHR_device_address_commands", "VK_EXT_transform_feedback"}, \
    .features = {&by_address, &addresses, &feedback}
#define MESH .mesh = true, .extensions = {"VK_EXT_mesh_shader"}, .features = {&meshes, &sizes}
#define MESH_COUNTED                                                                  \
    .mesh = true, .extensions = {"VK_EXT_mesh_shader", "VK_KHR_draw_indirect_count"}, \
    .features = {&meshes, &sizes, &counts}
#define MESH_BY_ADDRESS                                                                   \
    .mesh = true, .extensions = {"VK_EXT_mesh_shader", "VK_KHR_device_address_commands"}, \
    .features = {&meshes, &sizes, &by_address, &addresses}
#define MESH_COUNTED_BY_ADDRESS                                            \
    .mesh = true,                                                          \
    .extensions = {"VK_EXT_mesh_shader", "VK_KHR_device_address_commands", \
                   "VK_KHR_draw_indirect_count"},                          \
    .features = {&meshes, &sizes, &by_address, &addresses, &counts}
#define MESH_NV                                                         \
    .mesh = true, .mesh_nv = true, .extensions = {"VK_NV_mesh_shader"}, \
    .features = {&meshes_nv, &sizes}
#define MESH_COUNTED_NV                                                \
    .mesh = true, .mesh_nv = true,                                     \
    .extensions = {"VK_NV_mesh_shader", "VK_KHR_draw_indirect_count"}, \
    .features = {&meshes_nv, &sizes, &counts}
static const struct instead commands_instead[] = {
    {"vkCmdDraw", {{"vkCmdDispatch", "vkCmdDraw"}}, .draw = draw_itself},
    {"vkCmdDrawMeshTasksNV",
     {{"vkCmdDraw", "vkCmdDrawMeshTasksNV"}},
     .draw = draw_mesh_tasks_nv,
     MESH_NV},
    {"vkCmdDrawMeshTasksIndirectNV",
     {{"vkCmdDraw", "vkCmdDrawMeshTasksIndirectNV"}},
     .draw = draw_mesh_tasks_indirect_nv,
     MESH_NV},
    {"vkCmdDrawMeshTasksIndirectCountNV",
     {{"vkCmdDraw", "vkCmdDrawMeshTasksIndirectCountNV"}},
     .draw = draw_mesh_tasks_indirect_count_nv,
     MESH_COUNTED_NV},
    {"vkCmdDrawMeshTasksEXT",
     {{"vkCmdDraw", "vkCmdDrawMeshTasksEXT"}},
     .draw = draw_mesh_tasks,
     MESH},
    {"vkCmdDrawMeshTasksIndirectEXT",
     {{"vkCmdDraw", "vkCmdDrawMeshTasksIndirectEXT"}},
     .draw = draw_mesh_tasks_indirect,
     MESH},
    {"vkCmdDrawMeshTasksIndirectCountEXT",
     {{"vkCmdDraw", "vkCmdDrawMeshTasksIndirectCountEXT"}},
     .draw = draw_mesh_tasks_indirect_count,
     MESH_COUNTED},
    {"vkCmdDrawMeshTasksIndirect2EXT",
     {{"vkCmdDraw", "vkCmdDrawMeshTasksIndirect2EXT"}},
     .draw = draw_mesh_tasks_indirect2,
     MESH_BY_ADDRESS},
    {"vkCmdDrawMeshTasksIndirectCount2EXT",
     {{"vkCmdDraw", "vkCmdDrawMeshTasksIndirectCount2EXT"}},
     .draw = draw_mesh_tasks_indirect_count2,
     MESH_COUNTED_BY_ADDRESS},
    {"vkCmdDrawIndexed", {{"vkCmdDraw", "vkCmdDrawIndexed"}}, .draw = draw_indexed},
    {"vkCmdDrawIndirect", {{"vkCmdDraw", "vkCmdDrawIndirect"}}, .draw = draw_indirect},
    {"vkCmdDrawIndexedIndirect",
     {{"vkCmdDraw", "vkCmdDrawIndexedIndirect"}},
     .draw = draw_indexed_indirect_instead},
    {"vkCmdDrawIndirectCount",
     {{"vkCmdDraw", "vkCmdDrawIndirectCount"}},
     .draw = draw_indirect_count,
     COUNTED},
    {"vkCmdDrawIndexedIndirectCount",
     {{"vkCmdDraw", "vkCmdDrawIndexedIndirectCount"}},
     .draw = draw_indexed_indirect_count,
     COUNTED},
    {"vkCmdDrawMultiEXT", {{"vkCmdDraw", "vkCmdDrawMultiEXT"}}, .draw = draw_multi, MULTI},
    {"vkCmdDrawMultiIndexedEXT",
     {{"vkCmdDraw", "vkCmdDrawMultiIndexedEXT"}},
     .draw = draw_multi_indexed,
     MULTI},
    {"vkCmdDrawIndirectByteCountEXT",
     {{"vkCmdDraw", "vkCmdDrawIndirectByteCountEXT"}},
     .draw = draw_byte_count,
     CAPTURED},
    {"vkCmdDrawIndirect2KHR",
     {{"vkCmdDraw", "vkCmdDrawIndirect2KHR"}},
     .draw = draw_indirect2,
     BY_ADDRESS},
    {"vkCmdDrawIndexedIndirect2KHR",
     {{"vkCmdDraw", "vkCmdDrawIndexedIndirect2KHR"}},
     .draw = draw_indexed_indirect2,
     BY_ADDRESS},
    {"vkCmdDrawIndirectCount2KHR",
     {{"vkCmdDraw", "vkCmdDrawIndirectCount2KHR"}},
     .draw = draw_indirect_count2,
     COUNTED_BY_ADDRESS},
    {"vkCmdDrawIndexedIndirectCount2KHR",
     {{"vkCmdDraw", "vkCmdDrawIndexedIndirectCount2KHR"}},
     .draw = draw_indexed_indirect_count2,
     COUNTED_BY_ADDRESS},
    {"vkCmdDrawIndirectByteCount2EXT",
     {{"vkCmdDraw", "vkCmdDrawIndirectByteCount2EXT"}},
     .draw = draw_byte_count2,
     CAPTURED_BY_ADDRESS},
    {"vkCmdDispatchBase", {{"vkCmdDispatch", "vkCmdDispatchBase"}}, .dispatch = dispatch_base},
    {"vkCmdDispatchIndirect",
     {{"vkCmdDispatch", "vkCmdDispatchIndirect"}},
     .dispatch = dispatch_indirect},
    {"vkCmdDispatchIndirect2KHR",
     {{"vkCmdDispatch", "vkCmdDispatchIndirect2KHR"}},
     .dispatch = dispatch_indirect2,
     BY_ADDRESS},
    {"vkCmdCopyBuffer2",
     {{"vkCmdCopyBuffer", "vkCmdCopyBuffer2"},
      {"vkCmdCopyBuffer", "VkCopyBufferInfo2"},
      {"VkBufferCopy", "VkBufferCopy2"}},
     .copy_buffer = copy_buffer2},
    {"vkCmdCopyImage2",
     {{"vkCmdCopyImage", "vkCmdCopyImage2"},
      {"vkCmdCopyImage", "VkCopyImageInfo2"},
      {"VkImageCopy", "VkImageCopy2"}},
     .copy_image = copy_image2},
    {"vkCmdCopyBufferToImage2",
     {{"vkCmdCopyBufferToImage", "vkCmdCopyBufferToImage2"},
      {"vkCmdCopyBufferToImage", "VkCopyBufferToImageInfo2"},
      {"VkBufferImageCopy", "VkBufferImageCopy2"}},
     .copy_buffer_to_image = copy_buffer_to_image2},
    {"vkCmdCopyImageToBuffer2",
     {{"vkCmdCopyImageToBuffer", "vkCmdCopyImageToBuffer2"},
      {"vkCmdCopyImageToBuffer", "VkCopyImageToBufferInfo2"},
      {"VkBufferImageCopy", "VkBufferImageCopy2"}},
     .copy_image_to_buffer = copy_image_to_buffer2},
    {"vkCmdBlitImage2",
     {{"vkCmdBlitImage", "vkCmdBlitImage2"},
      {"vkCmdBlitImage", "VkBlitImageInfo2"},
      {"VkImageBlit", "VkImageBlit2"}},
     .blit_image = blit_image2},
    {"vkCmdResolveImage2",
     {{"vkCmdResolveImage", "vkCmdResolveImage2"},
      {"vkCmdResolveImage", "VkResolveImageInfo2"},
      {"VkImageResolve", "VkImageResolve2"}},
     .resolve_image = resolve_image2},
    {"vkBindBufferMemory2",
     {{"vkBindBufferMemory", "VkBindBufferMemoryInfo"},
      {"vkBindBufferMemory", "vkBindBufferMemory2"}},
     .bind_buffer = bind_buffer2},
    {"vkBindImageMemory2",
     {{"vkBindImageMemory", "VkBindImageMemoryInfo"}, {"vkBindImageMemory", "vkBindImageMemory2"}},
     .bind_image = bind_image2},
    {"vkCmdPipelineBarrier2",
     {{"vkCmdPipelineBarrier", "vkCmdPipelineBarrier2"},
      {"vkCmdPipelineBarrier", "VkDependencyInfo"},
      {"VkMemoryBarrier", "VkMemoryBarrier2"},
      {"VkBufferMemoryBarrier", "VkBufferMemoryBarrier2"},
      {"VkImageMemoryBarrier", "VkImageMemoryBarrier2"}},
     .pipeline_barrier = pipeline_barrier2,
     BARRIERS},
    {"vkCmdPushConstants2",
     {{"vkCmdPushConstants", "VkPushConstantsInfo"}, {"vkCmdPushConstants", "vkCmdPushConstants2"}},
     .push_constants = push_constants2,
     MAINTENANCE},
    {"vkCmdBindDescriptorSets2",
     {{"vkCmdBindDescriptorSets", "VkBindDescriptorSetsInfo"},
      {"vkCmdBindDescriptorSets", "vkCmdBindDescriptorSets2"}},
     .bind_sets = bind_sets2,
     MAINTENANCE},
};
#define COMMAND_COUNT (sizeof(commands_instead) / sizeof(commands_instead[0]))

/* --- the choice --- */

static char *read_listed_file(const char *path)
{
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    char *text = fd >= 0 && fstat(fd, &info) == 0 ? calloc(1, (size_t)info.st_size + 1) : NULL;
    if (text && read(fd, text, (size_t)info.st_size) != info.st_size)
        text[0] = '\0';
    if (fd >= 0)
        close(fd);
    return text;
}

bool instead_choose(const char *name, const char *path)
{
    statements = read_listed_file(path);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands_instead[i].to, name) == 0)
            instead = &commands_instead[i];
    }
    return instead && statements;
}

/* Finds a line of the file that says that a statement of `owner` is checked, which ends as `rest`
 * does: "-pRegions-00117", or, where that is not there, in the same number. The id is the caller's
 * to free; NULL: there is none. */
static char *find_checked(const char *owner, const char *rest, bool whole)
{
    char prefix[128];
    const char *end = whole ? rest : strrchr(rest, '-');
    const size_t end_length = strlen(end);
    const int length = snprintf(prefix, sizeof(prefix), "\nVUID-%s-", owner);
    if (end_length != (whole ? end_length : 6))
        return NULL; /* it has no number */
    for (const char *at = statements; (at = strstr(at, prefix)); at++) {
        const char *id = at + 1, *stop = strchr(id, ' ');
        if (stop && stop - id >= length - 2 + (ptrdiff_t)end_length - 1 &&
            strncmp(stop - end_length, end, end_length) == 0 &&
            (!whole || stop - id == length - 2 + (ptrdiff_t)end_length) &&
            strncmp(stop, "  checked", 9) == 0)
            return strndup(id, (size_t)(stop - id));
    }
    return NULL;
}

/* Scenarios that are about more than the parameters of a command: another one records nothing that
 * is compared later, or has other features. */
static const char *const scenarios_apart[] = {
    "bind_null",
    "dispatch_after_a_refused_one_with_sync",
    "dispatch_with_set_allocated_otherwise",
    "looped_per_tile",
    "new_layout_without_synchronization2",
    "old_layout_without_synchronization2",
    "protected_stored_in_plain_afterwards",
    "resolve_color_of_depth",
    NULL,
};

/* Scenarios whose pipelines do not go with a mesh shader: they are about vertex input, topologies
 * and other stages, what a vertex shader reads or writes, or what meshes may not be together with.
 * No shader object takes the place of another one: no scenario of their files has a mesh shader's.
 */
static const char *const scenarios_of_vertices[] = {
    "bresenham_to_coverage_broken",
    "conservative_lines_broken",
    "draw_of_no_shader_objects",
    "draw_per_tile_broken",
    "fix_of_a_dynamic_state",
    "fixed_restart",
    "generated_of_dynamic_stream_0_broken",
    "generated_of_stream_0_broken",
    "generated_without_discard_broken",
    "heap_of_draw_unbound",
    "interpolated_at_sample_broken",
    "line_mode_unset",
    "line_stipple_enable_unset",
    "line_width_unset",
    "lines_of_geometry_unset",
    "lines_of_tessellation_unset",
    "rasterization_stream_unset",
    "rate_of_viewports_broken",
    "scissors_of_views_broken",
    "tile_stages_broken",
    "vertices_without_mesh_query_broken",
    "viewports_of_views_broken",
    NULL,
};

static bool is_apart(const struct scenario *scenario)
{
    /* shader objects have their own stage; these dispatch otherwise, or ask which invocation they
     * are
     */
    if (draws_instead(scenario) &&
        (strstr(scenario->name, "object_") || strcmp(scenario->name, "tiles_unbound") == 0 ||
         strcmp(scenario->name, "set_bound_before_push_data") == 0))
        return true;
    if (instead->mesh && strncmp(scenario->file, "shader_object_", 14) == 0)
        return true;
    for (size_t i = 0; instead->mesh && scenarios_of_vertices[i]; i++) {
        if (strcmp(scenarios_of_vertices[i], scenario->name) == 0)
            return true;
    }
    for (size_t i = 0; scenarios_apart[i]; i++) {
        if (strcmp(scenarios_apart[i], scenario->name) == 0)
            return true;
    }
    return false;
}

/* The part of the id after its owner, if that is this one; else NULL. */
static const char *rest_of(const char *id, const char *owner)
{
    const size_t length = strlen(owner);
    return strncmp(id, "VUID-", 5) == 0 && strncmp(id + 5, owner, length) == 0 &&
                   id[5 + length] == '-'
               ? id + 5 + length
               : NULL;
}

/* The id that the other command has. `*about`: the first one had this one. NULL: it has none. */
static char *renamed_id(const struct scenario *scenario, const char *id, bool *about)
{
    char *found = NULL;
    *about = false;
    for (int pass = 0; pass < 2 && !found; pass++) {
        for (int i = 0; i < 8 && instead->owners[i].from && !found; i++) {
            const char *rest =
                rest_of(id, draws_instead(scenario) ? "vkCmdDispatch" : instead->owners[i].from);
            /* the same regions go with two commands */
            *about |= rest && strcmp(instead->owners[i].from, "VkBufferImageCopy") != 0;
            found = rest ? find_checked(instead->owners[i].to, rest, pass == 0) : NULL;
        }
    }
    return found;
}

/* Frees a scenario that is not to run, with the ids that were made for it. Returns NULL. */
static struct scenario *drop_instead(struct scenario *other, const struct scenario *scenario)
{
    for (int i = 0; i < LIST_LIMIT && scenario->expect[i]; i++) {
        if (other->expect[i] != scenario->expect[i])
            free((void *)(uintptr_t)other->expect[i]);
    }
    free(other);
    return NULL;
}

struct scenario *instead_scenario(const struct scenario *scenario)
{
    bool about = false;
    if (instead->draw == draw_itself && !draws_instead(scenario))
        return NULL;
    if (scenario->start != START_DEVICE || scenario->api_version || scenario->signal ||
        is_apart(scenario) || (scenario->drivers && !(scenario->drivers & NULL_DRIVER)) ||
        (instead->extensions[0] && scenario->null_driver &&
         strstr(scenario->null_driver, "\"extensions\"")))
        return NULL;
    struct scenario *other = malloc(sizeof(*other));
    ENSURE(other);
    *other = *scenario;
    memset(other->text, 0, sizeof(other->text));
    for (int i = 0; i < LIST_LIMIT && other->expect[i]; i++) {
        bool of_first;
        /* A submission tells of layouts with this id of vkCmdDraw, whatever was recorded. */
        if (strstr(other->expect[i], "-None-09600"))
            return drop_instead(other, scenario);
        char *id = renamed_id(scenario, other->expect[i], &of_first);
        if (of_first && !id)
            return drop_instead(other, scenario);
        other->expect[i] = id ? id : other->expect[i];
        about |= of_first;
    }
    return about ? other : drop_instead(other, scenario);
}

static VkBaseOutStructure *chain_member(const void *chain, VkStructureType type)
{
    for (VkBaseOutStructure *at = (void *)(uintptr_t)chain; at; at = at->pNext) {
        if (at->sType == type)
            return at;
    }
    return NULL;
}

/* Scenarios have constant structures. This process alone writes to them. */
static void make_writable(void *memory, size_t size)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE),
                    begin = (uintptr_t)memory / page * page;
    ENSURE(mprotect((void *)begin, (uintptr_t)memory + size - begin, PROT_READ | PROT_WRITE) == 0);
}

/* Adds features to a chain, in the structure that it has for them, or before it. */
static const void *features_add(const void *chain, const struct needed_features *needed)
{
    const size_t head = sizeof(VkBaseOutStructure);
    VkBaseOutStructure *own =
        needed->structure ? chain_member(chain, needed->structure->sType) : NULL;
    VkBaseOutStructure *core = needed->core ? chain_member(chain, needed->core) : NULL;
    if (core) {
        VkBool32 *feature = (VkBool32 *)((char *)core + needed->core_offset);
        make_writable(feature, sizeof(*feature));
        *feature = VK_TRUE;
    } else if (own) {
        make_writable(own, needed->size);
        for (size_t at = head; at + sizeof(VkBool32) <= needed->size; at += sizeof(VkBool32))
            *(VkBool32 *)((char *)own + at) |= *(VkBool32 *)((char *)needed->structure + at);
    } else if (needed->structure) {
        needed->structure->pNext = (VkBaseOutStructure *)(uintptr_t)chain;
        return needed->structure;
    }
    return chain;
}

const void *instead_features(const void *features)
{
    if (running && draws_instead(running->scenario))
        features = features_add(features, &stores);
    for (int i = 0; instead && i < 6 && instead->features[i]; i++)
        features = features_add(features, instead->features[i]);
    return features;
}

uint32_t instead_extensions(const char **list, uint32_t count)
{
    for (int i = 0; instead && i < 4 && instead->extensions[i]; i++) {
        bool has = false;
        for (uint32_t k = 0; k < count; k++)
            has |= strcmp(list[k], instead->extensions[i]) == 0;
        if (!has)
            list[count++] = instead->extensions[i];
    }
    return count;
}
