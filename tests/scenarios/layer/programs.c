/* Whole correct programs on lavapipe: what they compute is what it should be, and nothing is found.
 */
#include "scenario.h"

#include <pthread.h>
#include <string.h>

#include "shader_miss_miss.h"
#include "shader_miss_raygen.h"
#include "shader_triangle_mesh.h"
#include "shader_quadrant.h"

#define COUNT 64 /* elements of a storage buffer; fill.comp has 16 invocations a workgroup */

/* Buffers and what is in them. */

static uint32_t *map_buffer(struct baseline *b, VkBuffer buffer)
{
    void *memory = NULL;
    VK(vkMapMemory(b->device, buffer_memory(b, buffer), 0, VK_WHOLE_SIZE, 0, &memory));
    return memory;
}

static void unmap_buffer(struct baseline *b, VkBuffer buffer)
{
    vkUnmapMemory(b->device, buffer_memory(b, buffer));
}

static VkBuffer make_storage_buffer(struct baseline *b)
{
    VkBuffer buffer =
        make_buffer(b, COUNT * sizeof(uint32_t),
                    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                        VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    memset(map_buffer(b, buffer), 0, COUNT * sizeof(uint32_t));
    unmap_buffer(b, buffer);
    return buffer;
}

/* Expects what fill.comp leaves there: each element its index plus the offset. */
static void expect_filled(struct baseline *b, VkBuffer buffer, uint32_t offset)
{
    const uint32_t *values = map_buffer(b, buffer);
    for (uint32_t i = 0; i < COUNT; i++) {
        if (values[i] != i + offset) {
            scenario_fail(__FILE__, __LINE__, "element %u is %u, not %u", i, values[i], i + offset);
            break;
        }
    }
    unmap_buffer(b, buffer);
}

static void host_barrier(VkCommandBuffer command_buffer, VkPipelineStageFlags stages,
                         VkAccessFlags accesses)
{
    VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = accesses,
                               .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(command_buffer, stages, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0,
                         NULL, 0, NULL);
}

/* Compute. */

struct compute {
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkBuffer buffer;
    VkDescriptorSet set;
};

static struct compute make_compute_program(struct baseline *b)
{
    struct compute c = {.set_layout = make_descriptor_set_layout(b)};
    c.layout = make_pipeline_layout(b, c.set_layout);
    c.pipeline = make_compute_pipeline(b, c.layout);
    c.buffer = make_storage_buffer(b);
    c.set = make_descriptor_set(b, make_descriptor_pool(b), c.set_layout);
    return c;
}

static void write_compute_set(struct baseline *b, const struct compute *c)
{
    VkDescriptorBufferInfo buffer = {.buffer = c->buffer, .range = VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = write_buffer(c->set, &buffer);
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

static void record_fill(VkCommandBuffer command_buffer, const struct compute *c, uint32_t offset)
{
    uint32_t pushed[4] = {offset};
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, c->pipeline);
    vkCmdBindDescriptorSets(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, c->layout, 0, 1,
                            &c->set, 0, NULL);
    vkCmdPushConstants(command_buffer, c->layout, VK_SHADER_STAGE_ALL, 0, sizeof(pushed), pushed);
    vkCmdDispatch(command_buffer, COUNT / 16, 1, 1);
    host_barrier(command_buffer, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT);
}

SCENARIO(compute, .drivers = LAVAPIPE)
{
    struct compute c = make_compute_program(b);
    write_compute_set(b, &c);
    VkCommandBuffer command_buffer = make_recording(b);
    record_fill(command_buffer, &c, 7);
    run_commands(b, command_buffer);
    expect_filled(b, c.buffer, 7);
}

SCENARIO(compute_through_a_template, .drivers = LAVAPIPE)
{
    struct compute c = make_compute_program(b);
    VkDescriptorBufferInfo buffer = {.buffer = c.buffer, .range = VK_WHOLE_SIZE};
    vkUpdateDescriptorSetWithTemplate(b->device, c.set,
                                      make_descriptor_update_template(b, c.set_layout), &buffer);
    VkCommandBuffer command_buffer = make_recording(b);
    record_fill(command_buffer, &c, 1000);
    run_commands(b, command_buffer);
    expect_filled(b, c.buffer, 1000);
}

SCENARIO(compute_with_push_descriptors, .drivers = LAVAPIPE,
         .extensions = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME})
{
    struct compute c = {.buffer = make_storage_buffer(b)};
    VkDescriptorSetLayoutCreateInfo info = descriptor_set_layout_info();
    info.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR;
    c.set_layout = create_descriptor_set_layout(b, &info);
    c.layout = make_pipeline_layout(b, c.set_layout);
    c.pipeline = make_compute_pipeline(b, c.layout);
    VkDescriptorBufferInfo buffer = {.buffer = c.buffer, .range = VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = write_buffer(VK_NULL_HANDLE, &buffer);
    uint32_t pushed[4] = {3};
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, c.pipeline);
    DEVICE_PROC(b, vkCmdPushDescriptorSetKHR)(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE,
                                              c.layout, 0, 1, &write);
    vkCmdPushConstants(command_buffer, c.layout, VK_SHADER_STAGE_ALL, 0, sizeof(pushed), pushed);
    vkCmdDispatch(command_buffer, COUNT / 16, 1, 1);
    host_barrier(command_buffer, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT);
    run_commands(b, command_buffer);
    expect_filled(b, c.buffer, 3);
}

SCENARIO(compute_indirect, .drivers = LAVAPIPE)
{
    struct compute c = make_compute_program(b);
    VkBuffer arguments =
        make_buffer(b, sizeof(VkDispatchIndirectCommand), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    uint32_t *size = map_buffer(b, arguments);
    size[0] = COUNT / 16;
    size[1] = size[2] = 1;
    unmap_buffer(b, arguments);
    write_compute_set(b, &c);
    uint32_t pushed[4] = {5};
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, c.pipeline);
    vkCmdBindDescriptorSets(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, c.layout, 0, 1, &c.set,
                            0, NULL);
    vkCmdPushConstants(command_buffer, c.layout, VK_SHADER_STAGE_ALL, 0, sizeof(pushed), pushed);
    vkCmdDispatchIndirect(command_buffer, arguments, 0);
    host_barrier(command_buffer, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT);
    run_commands(b, command_buffer);
    expect_filled(b, c.buffer, 5);
}

/* Four threads record into pools of their own; one submit runs them all. */
#define RECORDERS 4

struct recorder {
    struct compute compute;
    VkCommandBuffer command_buffer;
    uint32_t offset;
};

static void *record_in_thread(void *argument)
{
    struct recorder *recorder = argument;
    VkCommandBufferBeginInfo begin = begin_info();
    for (int i = 0; i < 50; i++) {
        VK(vkBeginCommandBuffer(recorder->command_buffer, &begin));
        record_fill(recorder->command_buffer, &recorder->compute, recorder->offset);
        VK(vkEndCommandBuffer(recorder->command_buffer));
    }
    return NULL;
}

SCENARIO(recorded_by_four_threads, .drivers = LAVAPIPE)
{
    struct recorder recorders[RECORDERS];
    pthread_t threads[RECORDERS];
    VkCommandBuffer command_buffers[RECORDERS];
    for (uint32_t i = 0; i < RECORDERS; i++) {
        recorders[i] = (struct recorder){.compute = make_compute_program(b), .offset = i * 100};
        recorders[i].command_buffer = command_buffers[i] =
            make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
        write_compute_set(b, &recorders[i].compute);
    }
    for (int i = 0; i < RECORDERS; i++)
        ENSURE(pthread_create(&threads[i], NULL, record_in_thread, &recorders[i]) == 0);
    for (int i = 0; i < RECORDERS; i++)
        pthread_join(threads[i], NULL);
    VkSubmitInfo submit = submit_info(command_buffers);
    submit.commandBufferCount = RECORDERS;
    VkFence fence = make_fence(b);
    VK(vkQueueSubmit(b->queue, 1, &submit, fence));
    VK(vkWaitForFences(b->device, 1, &fence, VK_TRUE, UINT64_MAX));
    for (int i = 0; i < RECORDERS; i++)
        expect_filled(b, recorders[i].compute.buffer, recorders[i].offset);
}

SCENARIO(timeline_semaphore, .drivers = LAVAPIPE,
         .features = &(VkPhysicalDeviceVulkan12Features){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
             .timelineSemaphore = VK_TRUE})
{
    VkSemaphore semaphore = make_timeline_semaphore(b, 10);
    struct compute c = make_compute_program(b);
    uint64_t value = 0;
    write_compute_set(b, &c);
    VkCommandBuffer command_buffer = make_recording(b);
    record_fill(command_buffer, &c, 21);
    VK(vkEndCommandBuffer(command_buffer));
    uint64_t wait_value = 11, signal_value = 12;
    VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkTimelineSemaphoreSubmitInfo values = {.sType =
                                                VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                            .waitSemaphoreValueCount = 1,
                                            .pWaitSemaphoreValues = &wait_value,
                                            .signalSemaphoreValueCount = 1,
                                            .pSignalSemaphoreValues = &signal_value};
    VkSubmitInfo submit = submit_info(&command_buffer);
    submit.pNext = &values;
    submit.waitSemaphoreCount = submit.signalSemaphoreCount = 1;
    submit.pWaitSemaphores = submit.pSignalSemaphores = &semaphore;
    submit.pWaitDstStageMask = &stage;
    VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
    VK(vkGetSemaphoreCounterValue(b->device, semaphore, &value));
    EXPECT_EQUAL(value, 10);
    VkSemaphoreSignalInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = semaphore, .value = 11};
    VK(vkSignalSemaphore(b->device, &signal));
    VkSemaphoreWaitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                .semaphoreCount = 1,
                                .pSemaphores = &semaphore,
                                .pValues = &signal_value};
    VK(vkWaitSemaphores(b->device, &wait, UINT64_MAX));
    expect_filled(b, c.buffer, 21);
}

SCENARIO(copies_and_fills, .drivers = LAVAPIPE)
{
    VkBuffer from = make_storage_buffer(b), to = make_storage_buffer(b);
    VkCommandBuffer command_buffer = make_recording(b);
    uint32_t data[4] = {1, 2, 3, 4};
    vkCmdFillBuffer(command_buffer, from, 0, VK_WHOLE_SIZE, 0xabcd);
    VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                               .dstAccessMask =
                                   VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT};
    vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    vkCmdUpdateBuffer(command_buffer, from, 16, sizeof(data), data);
    vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    VkBufferCopy region = {.srcOffset = 0, .dstOffset = 0, .size = COUNT * sizeof(uint32_t)};
    vkCmdCopyBuffer(command_buffer, from, to, 1, &region);
    host_barrier(command_buffer, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
    run_commands(b, command_buffer);
    const uint32_t *values = map_buffer(b, to);
    EXPECT(values[0] == 0xabcd && values[3] == 0xabcd && values[4] == 1 && values[7] == 4 &&
           values[8] == 0xabcd && values[63] == 0xabcd);
    unmap_buffer(b, to);
}

/* Drawing: a triangle over the whole image, whose pixels say where they are. */

#define BLUE 0.6f

struct picture {
    VkImage image;
    VkImageView view;
    VkBuffer pixels;
};

static struct picture make_picture(struct baseline *b)
{
    struct picture picture = {.image = make_image(b, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                                         VK_IMAGE_USAGE_TRANSFER_SRC_BIT)};
    VkImageViewCreateInfo info = image_view_info(picture.image);
    picture.view = create_image_view(b, &info);
    picture.pixels =
        make_buffer(b, IMAGE_EXTENT * IMAGE_EXTENT * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    ENSURE(picture.view);
    return picture;
}

static void record_readback(VkCommandBuffer command_buffer, const struct picture *picture)
{
    VkBufferImageCopy region = {
        .imageSubresource = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1},
        .imageExtent = {IMAGE_EXTENT, IMAGE_EXTENT, 1}};
    vkCmdCopyImageToBuffer(command_buffer, picture->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                           picture->pixels, 1, &region);
    host_barrier(command_buffer, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
}

static bool channel_is_near(uint32_t channel, uint32_t wanted)
{
    return channel + 1 >= wanted && channel <= wanted + 1;
}

static void expect_picture(struct baseline *b, const struct picture *picture)
{
    const uint32_t *pixels = map_buffer(b, picture->pixels);
    unsigned wrong = 0;
    for (uint32_t y = 0; y < IMAGE_EXTENT; y++) {
        for (uint32_t x = 0; x < IMAGE_EXTENT; x++) {
            uint32_t pixel = pixels[y * IMAGE_EXTENT + x];
            wrong += !(channel_is_near(pixel & 0xff, x) && channel_is_near(pixel >> 8 & 0xff, y) &&
                       channel_is_near(pixel >> 16 & 0xff, 153) && pixel >> 24 == 255);
        }
    }
    EXPECT_EQUAL(wrong, 0);
    unmap_buffer(b, picture->pixels);
}

/* The pipeline of all drawing programs, before it is created. */
struct drawing {
    VkPipelineLayout layout;
    struct graphics_pipeline pipeline;
};

static void begin_program_drawing(struct baseline *b, struct drawing *drawing,
                                  VkRenderPass render_pass)
{
    drawing->layout = make_empty_pipeline_layout(b);
    begin_graphics_pipeline(b, &drawing->pipeline, drawing->layout, render_pass);
    drawing->pipeline.stages[1].module = MAKE_SHADER(b, shader_quadrant);
}

static void push_blue(VkCommandBuffer command_buffer, VkPipelineLayout layout)
{
    float pushed[4] = {BLUE};
    vkCmdPushConstants(command_buffer, layout, VK_SHADER_STAGE_ALL, 0, sizeof(pushed), pushed);
}

SCENARIO(triangle, .drivers = LAVAPIPE)
{
    struct drawing drawing;
    struct picture picture = make_picture(b);
    VkRenderPass render_pass = make_render_pass(b);
    begin_program_drawing(b, &drawing, render_pass);
    VkPipeline pipeline = create_graphics_pipeline(b, &drawing.pipeline.info);
    VkRenderPassBeginInfo begin =
        render_pass_begin_info(render_pass, make_framebuffer(b, render_pass, picture.view));
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBeginRenderPass(command_buffer, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    push_blue(command_buffer, drawing.layout);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
    vkCmdEndRenderPass(command_buffer);
    record_readback(command_buffer, &picture);
    run_commands(b, command_buffer);
    expect_picture(b, &picture);
}

SCENARIO(triangle_in_a_secondary, .drivers = LAVAPIPE)
{
    struct drawing drawing;
    struct picture picture = make_picture(b);
    VkRenderPass render_pass = make_render_pass(b);
    begin_program_drawing(b, &drawing, render_pass);
    VkPipeline pipeline = create_graphics_pipeline(b, &drawing.pipeline.info);
    VkFramebuffer framebuffer = make_framebuffer(b, render_pass, picture.view);
    VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .renderPass = render_pass,
        .framebuffer = framebuffer};
    VkCommandBufferBeginInfo secondary_begin = begin_info();
    secondary_begin.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
    secondary_begin.pInheritanceInfo = &inheritance;
    VkCommandBuffer secondary = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY),
                    command_buffer = make_recording(b);
    VK(vkBeginCommandBuffer(secondary, &secondary_begin));
    vkCmdBindPipeline(secondary, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    push_blue(secondary, drawing.layout);
    vkCmdDraw(secondary, 3, 1, 0, 0);
    VK(vkEndCommandBuffer(secondary));
    VkRenderPassBeginInfo begin = render_pass_begin_info(render_pass, framebuffer);
    vkCmdBeginRenderPass(command_buffer, &begin, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    vkCmdExecuteCommands(command_buffer, 1, &secondary);
    vkCmdEndRenderPass(command_buffer);
    record_readback(command_buffer, &picture);
    run_commands(b, command_buffer);
    expect_picture(b, &picture);
}

static const VkPhysicalDeviceVulkan13Features rendering_feature = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .dynamicRendering = VK_TRUE,
    .synchronization2 = VK_TRUE,
    .maintenance4 = VK_TRUE /* glslang writes LocalSizeId */};

static void record_layout_barrier(VkCommandBuffer command_buffer, VkImage image, VkImageLayout from,
                                  VkImageLayout to)
{
    VkImageMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
        .srcAccessMask = from ? VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT : 0,
        .dstStageMask = from ? VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT
                             : VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
        .dstAccessMask =
            from ? VK_ACCESS_2_TRANSFER_READ_BIT : VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = color_range()};
    VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                             .imageMemoryBarrierCount = 1,
                             .pImageMemoryBarriers = &barrier};
    vkCmdPipelineBarrier2(command_buffer, &info);
}

/* Draws with `draw` between barriers, without a render pass object. */
static void render_dynamically(struct baseline *b, VkPipeline pipeline, VkPipelineLayout layout,
                               void (*draw)(struct baseline *b, VkCommandBuffer command_buffer))
{
    struct picture picture = make_picture(b);
    VkRenderingAttachmentInfo color = rendering_attachment(picture.view);
    VkRenderingInfo rendering = rendering_info(&color);
    VkCommandBuffer command_buffer = make_recording(b);
    record_layout_barrier(command_buffer, picture.image, VK_IMAGE_LAYOUT_UNDEFINED,
                          VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    vkCmdBeginRendering(command_buffer, &rendering);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    push_blue(command_buffer, layout);
    draw(b, command_buffer);
    vkCmdEndRendering(command_buffer);
    record_layout_barrier(command_buffer, picture.image, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                          VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    record_readback(command_buffer, &picture);
    run_commands(b, command_buffer);
    expect_picture(b, &picture);
}

static VkPipelineRenderingCreateInfo pipeline_rendering(void)
{
    static const VkFormat format = COLOR_FORMAT;
    return (VkPipelineRenderingCreateInfo){.sType =
                                               VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                           .colorAttachmentCount = 1,
                                           .pColorAttachmentFormats = &format};
}

static void draw_vertices(struct baseline *b, VkCommandBuffer command_buffer)
{
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
}

SCENARIO(dynamic_rendering, .drivers = LAVAPIPE, .features = &rendering_feature)
{
    struct drawing drawing;
    VkPipelineRenderingCreateInfo rendering = pipeline_rendering();
    begin_program_drawing(b, &drawing, VK_NULL_HANDLE);
    drawing.pipeline.info.pNext = &rendering;
    render_dynamically(b, create_graphics_pipeline(b, &drawing.pipeline.info), drawing.layout,
                       draw_vertices);
}

static void draw_one_mesh(struct baseline *b, VkCommandBuffer command_buffer)
{
    DEVICE_PROC(b, vkCmdDrawMeshTasksEXT)(command_buffer, 1, 1, 1);
}

static const VkPhysicalDeviceMeshShaderFeaturesEXT mesh_feature = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
    .pNext = (void *)&rendering_feature,
    .meshShader = VK_TRUE};

SCENARIO(mesh_shader, .drivers = LAVAPIPE, .extensions = {VK_EXT_MESH_SHADER_EXTENSION_NAME},
         .features = &mesh_feature)
{
    struct drawing drawing;
    VkPipelineRenderingCreateInfo rendering = pipeline_rendering();
    begin_program_drawing(b, &drawing, VK_NULL_HANDLE);
    drawing.pipeline.info.pNext = &rendering;
    drawing.pipeline.stages[0] =
        stage_info(VK_SHADER_STAGE_MESH_BIT_EXT, MAKE_SHADER(b, shader_triangle_mesh));
    drawing.pipeline.info.pVertexInputState = NULL;
    drawing.pipeline.info.pInputAssemblyState = NULL;
    render_dynamically(b, create_graphics_pipeline(b, &drawing.pipeline.info), drawing.layout,
                       draw_one_mesh);
}

static const VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT library_feature = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
    .pNext = (void *)&rendering_feature,
    .graphicsPipelineLibrary = VK_TRUE};

SCENARIO(pipeline_from_libraries, .drivers = LAVAPIPE, .features = &library_feature,
         .extensions = {VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME,
                        VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME})
{
    struct drawing parts[4];
    VkPipeline libraries[4];
    VkPipelineLayout layout = make_empty_pipeline_layout(b);
    for (uint32_t i = 0; i < 4; i++) {
        VkPipelineRenderingCreateInfo rendering = pipeline_rendering();
        VkGraphicsPipelineLibraryCreateInfoEXT kind = {
            .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
            .pNext = &rendering,
            .flags = 1u << i};
        VkPipelineDepthStencilStateCreateInfo depth = {
            .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
        begin_program_drawing(b, &parts[i], VK_NULL_HANDLE);
        parts[i].pipeline.info.pDepthStencilState = &depth;
        VkGraphicsPipelineCreateInfo *info = &parts[i].pipeline.info;
        info->pNext = &kind;
        info->flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
        info->layout = i == 1 || i == 2 ? layout : VK_NULL_HANDLE;
        info->stageCount = i == 1 || i == 2 ? 1 : 0;
        info->pStages = &parts[i].pipeline.stages[i == 2];
        libraries[i] = create_graphics_pipeline(b, info);
        ENSURE(libraries[i]);
    }
    VkPipelineLibraryCreateInfoKHR linked = {.sType =
                                                 VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
                                             .libraryCount = 4,
                                             .pLibraries = libraries};
    VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                         .pNext = &linked,
                                         .layout = layout,
                                         .basePipelineIndex = -1};
    render_dynamically(b, create_graphics_pipeline(b, &info), layout, draw_vertices);
}

/* Sparse memory: a buffer of two pieces of two allocations. */
SCENARIO(sparse_buffer, .drivers = LAVAPIPE,
         .features = &(VkPhysicalDeviceFeatures2){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
             .features.sparseBinding = VK_TRUE})
{
    VkMemoryRequirements requirements;
    VkBufferCreateInfo info =
        buffer_info(131072, VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    info.flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT;
    VkBuffer buffer = create_buffer(b, &info);
    ENSURE(buffer);
    vkGetBufferMemoryRequirements(b->device, buffer, &requirements);
    VkDeviceSize half = requirements.size / 2;
    VkSparseMemoryBind binds[] = {
        {.size = half, .memory = make_memory(b, half)},
        {.resourceOffset = half, .size = half, .memory = make_memory(b, half)}};
    VkSparseBufferMemoryBindInfo bind = {.buffer = buffer, .bindCount = 2, .pBinds = binds};
    VkBindSparseInfo sparse = {
        .sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO, .bufferBindCount = 1, .pBufferBinds = &bind};
    VkFence fence = make_fence(b);
    VK(vkQueueBindSparse(b->queue, 1, &sparse, fence));
    VK(vkWaitForFences(b->device, 1, &fence, VK_TRUE, UINT64_MAX));
    VkBuffer out = make_storage_buffer(b);
    VkCommandBuffer command_buffer = make_recording(b);
    VkBufferCopy region = {.srcOffset = half - COUNT * 2, .size = COUNT * 4}; /* over the seam */
    vkCmdFillBuffer(command_buffer, buffer, 0, VK_WHOLE_SIZE, 77);
    VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                               .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT};
    vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    vkCmdCopyBuffer(command_buffer, buffer, out, 1, &region);
    host_barrier(command_buffer, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
    run_commands(b, command_buffer);
    const uint32_t *values = map_buffer(b, out);
    EXPECT(values[0] == 77 && values[COUNT / 2] == 77 && values[COUNT - 1] == 77);
    unmap_buffer(b, out);
}

/* A descriptor is bytes in a buffer: the driver writes it from the handle that came down. */
static const VkPhysicalDeviceBufferDeviceAddressFeatures address_feature = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceDescriptorBufferFeaturesEXT descriptor_buffer_feature = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT,
    .pNext = (void *)&address_feature,
    .descriptorBuffer = VK_TRUE};

SCENARIO(descriptor_buffer, .drivers = LAVAPIPE,
         .extensions = {VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME},
         .features = &descriptor_buffer_feature)
{
    struct compute c = {0};
    VkDescriptorSetLayoutCreateInfo layout_info = descriptor_set_layout_info();
    layout_info.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
    c.set_layout = create_descriptor_set_layout(b, &layout_info);
    c.layout = make_pipeline_layout(b, c.set_layout);
    c.buffer =
        make_buffer(b, COUNT * 4,
                    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    VkComputePipelineCreateInfo pipeline_info =
        compute_pipeline_info(make_shader_module(b), c.layout);
    pipeline_info.flags = VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
    c.pipeline = create_compute_pipeline(b, &pipeline_info);
    VkPhysicalDeviceDescriptorBufferPropertiesEXT sizes = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &sizes};
    vkGetPhysicalDeviceProperties2(b->physical_device, &properties);
    VkDeviceSize size, offset;
    DEVICE_PROC(b, vkGetDescriptorSetLayoutSizeEXT)(b->device, c.set_layout, &size);
    DEVICE_PROC(b, vkGetDescriptorSetLayoutBindingOffsetEXT)(b->device, c.set_layout, 0, &offset);
    VkBuffer descriptors = make_buffer(b, size,
                                       VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT |
                                           VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    VkDescriptorAddressInfoEXT address = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT,
                                          .address = buffer_address(b, c.buffer),
                                          .range = COUNT * 4};
    VkDescriptorGetInfoEXT get = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT,
                                  .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                  .data.pStorageBuffer = &address};
    unsigned char *bytes = (unsigned char *)map_buffer(b, descriptors);
    DEVICE_PROC(b, vkGetDescriptorEXT)(b->device, &get, sizes.storageBufferDescriptorSize,
                                       bytes + offset);
    unmap_buffer(b, descriptors);
    VkDescriptorBufferBindingInfoEXT binding = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT,
        .address = buffer_address(b, descriptors),
        .usage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT};
    uint32_t index = 0, pushed[4] = {9};
    VkDeviceSize start = 0;
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, c.pipeline);
    DEVICE_PROC(b, vkCmdBindDescriptorBuffersEXT)(command_buffer, 1, &binding);
    DEVICE_PROC(b, vkCmdSetDescriptorBufferOffsetsEXT)(command_buffer,
                                                       VK_PIPELINE_BIND_POINT_COMPUTE, c.layout, 0,
                                                       1, &index, &start);
    vkCmdPushConstants(command_buffer, c.layout, VK_SHADER_STAGE_ALL, 0, sizeof(pushed), pushed);
    vkCmdDispatch(command_buffer, COUNT / 16, 1, 1);
    host_barrier(command_buffer, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT);
    run_commands(b, command_buffer);
    expect_filled(b, c.buffer, 9);
}

/* Ray tracing: a top-level structure of no instances, so that every ray ends in the miss shader.
 * The library, the deferred operation and the shader group handles are on the way. */

static const VkPhysicalDeviceRayTracingPipelineFeaturesKHR ray_feature = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR,
    .pNext = (void *)&address_feature,
    .rayTracingPipeline = VK_TRUE};
static const VkPhysicalDeviceAccelerationStructureFeaturesKHR structure_feature = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
    .pNext = (void *)&ray_feature,
    .accelerationStructure = VK_TRUE};

static VkAccelerationStructureKHR build_empty_scene(struct baseline *b)
{
    uint32_t none = 0;
    VkBuffer instances =
        make_buffer(b, 64,
                    VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR |
                        VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    VkAccelerationStructureGeometryKHR geometry = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
        .geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR,
        .geometry.instances = {
            .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR,
            .data.deviceAddress = buffer_address(b, instances)}};
    VkAccelerationStructureBuildGeometryInfoKHR build = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
        .type = VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR,
        .geometryCount = 1,
        .pGeometries = &geometry};
    VkAccelerationStructureBuildSizesInfoKHR sizes = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
    DEVICE_PROC(b, vkGetAccelerationStructureBuildSizesKHR)(
        b->device, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, &build, &none, &sizes);
    VkAccelerationStructureCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
        .buffer = make_buffer(b, sizes.accelerationStructureSize,
                              VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR |
                                  VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT),
        .size = sizes.accelerationStructureSize,
        .type = VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR};
    VK(DEVICE_PROC(b, vkCreateAccelerationStructureKHR)(b->device, &info, NULL,
                                                        &build.dstAccelerationStructure));
    cleanup_add(b, destroy_acceleration_structure, HANDLE(build.dstAccelerationStructure));
    VkBuffer scratch =
        make_buffer(b, sizes.buildScratchSize + 256,
                    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    build.scratchData.deviceAddress = (buffer_address(b, scratch) + 255) & ~(VkDeviceAddress)255;
    VkAccelerationStructureBuildRangeInfoKHR range = {.primitiveCount = 0};
    const VkAccelerationStructureBuildRangeInfoKHR *ranges = &range;
    VkCommandBuffer command_buffer = make_recording(b);
    DEVICE_PROC(b, vkCmdBuildAccelerationStructuresKHR)(command_buffer, 1, &build, &ranges);
    run_commands(b, command_buffer);
    return build.dstAccelerationStructure;
}

static VkPipelineLayout make_ray_layout(struct baseline *b, VkDescriptorSetLayout *set_layout)
{
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, 1, VK_SHADER_STAGE_RAYGEN_BIT_KHR, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_RAYGEN_BIT_KHR, NULL}};
    VkDescriptorSetLayoutCreateInfo info = descriptor_set_layout_info();
    info.bindingCount = 2;
    info.pBindings = bindings;
    *set_layout = create_descriptor_set_layout(b, &info);
    VkPipelineLayoutCreateInfo layout = pipeline_layout_info(set_layout);
    layout.pushConstantRangeCount = 0;
    return create_pipeline_layout(b, &layout);
}

static VkDescriptorSet make_ray_set(struct baseline *b, VkDescriptorSetLayout layout,
                                    VkAccelerationStructureKHR scene, VkBuffer buffer)
{
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, 1},
                                          {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}};
    VkDescriptorPoolCreateInfo info = descriptor_pool_info();
    info.poolSizeCount = 2;
    info.pPoolSizes = sizes;
    VkDescriptorSet set = make_descriptor_set(b, create_descriptor_pool(b, &info), layout);
    VkWriteDescriptorSetAccelerationStructureKHR chained = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR,
        .accelerationStructureCount = 1,
        .pAccelerationStructures = &scene};
    VkDescriptorBufferInfo buffer_write = {.buffer = buffer, .range = VK_WHOLE_SIZE};
    VkWriteDescriptorSet writes[] = {write_buffer(set, NULL), write_buffer(set, &buffer_write)};
    writes[0].pNext = &chained;
    writes[0].descriptorType = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR;
    writes[1].dstBinding = 1;
    vkUpdateDescriptorSets(b->device, 2, writes, 0, NULL);
    return set;
}

static void destroy_ray_pipeline(struct baseline *b, uint64_t handle)
{
    vkDestroyPipeline(b->device, (VkPipeline)(uintptr_t)handle, NULL);
}

static VkPipeline make_ray_pipeline(struct baseline *b, VkPipelineLayout layout)
{
    VkPipelineShaderStageCreateInfo stages[] = {
        stage_info(VK_SHADER_STAGE_RAYGEN_BIT_KHR, MAKE_SHADER(b, shader_miss_raygen)),
        stage_info(VK_SHADER_STAGE_MISS_BIT_KHR, MAKE_SHADER(b, shader_miss_miss))};
    VkRayTracingShaderGroupCreateInfoKHR groups[2];
    for (uint32_t i = 0; i < 2; i++)
        groups[i] = (VkRayTracingShaderGroupCreateInfoKHR){
            .sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
            .type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
            .generalShader = i,
            .closestHitShader = VK_SHADER_UNUSED_KHR,
            .anyHitShader = VK_SHADER_UNUSED_KHR,
            .intersectionShader = VK_SHADER_UNUSED_KHR};
    VkRayTracingPipelineCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
        .stageCount = 2,
        .pStages = stages,
        .groupCount = 2,
        .pGroups = groups,
        .maxPipelineRayRecursionDepth = 1,
        .layout = layout,
        .basePipelineIndex = -1};
    VkPipeline pipeline = VK_NULL_HANDLE;
    VkDeferredOperationKHR operation = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateDeferredOperationKHR)(b->device, NULL, &operation));
    VkResult result =
        DEVICE_PROC(b, vkCreateRayTracingPipelinesKHR)(b->device, operation, VK_NULL_HANDLE, 1,
                                                       &info, NULL, &pipeline);
    while (result == VK_OPERATION_DEFERRED_KHR &&
           DEVICE_PROC(b, vkDeferredOperationJoinKHR)(b->device, operation) != VK_SUCCESS)
        ;
    EXPECT(result == VK_OPERATION_DEFERRED_KHR || result == VK_OPERATION_NOT_DEFERRED_KHR ||
           result == VK_SUCCESS);
    DEVICE_PROC(b, vkDestroyDeferredOperationKHR)(b->device, operation, NULL);
    ENSURE(pipeline);
    cleanup_add(b, destroy_ray_pipeline, HANDLE(pipeline));
    return pipeline;
}

#define RAYS 16

static void trace_image(struct baseline *b, VkPipeline pipeline, VkPipelineLayout layout,
                        VkDescriptorSet set)
{
    VkPhysicalDeviceRayTracingPipelinePropertiesKHR rays = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &rays};
    vkGetPhysicalDeviceProperties2(b->physical_device, &properties);
    uint32_t base = rays.shaderGroupBaseAlignment, handle = rays.shaderGroupHandleSize;
    uint8_t handles[256];
    ENSURE(2 * handle <= sizeof(handles) && base >= handle);
    VK(DEVICE_PROC(b, vkGetRayTracingShaderGroupHandlesKHR)(b->device, pipeline, 0, 2, 2 * handle,
                                                            handles));
    VkBuffer table = make_buffer(b, 3 * base,
                                 VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR |
                                     VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    VkDeviceAddress start = (buffer_address(b, table) + base - 1) / base * base;
    uint8_t *bytes = (uint8_t *)map_buffer(b, table) + (start - buffer_address(b, table));
    memcpy(bytes, handles, handle);
    memcpy(bytes + base, handles + handle, handle);
    unmap_buffer(b, table);
    VkStridedDeviceAddressRegionKHR raygen = {start, base, base}, miss = {start + base, base, base},
                                    nothing = {0};
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, pipeline);
    vkCmdBindDescriptorSets(command_buffer, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, layout, 0, 1,
                            &set, 0, NULL);
    DEVICE_PROC(b, vkCmdTraceRaysKHR)(command_buffer, &raygen, &miss, &nothing, &nothing, RAYS, 1,
                                      1);
    host_barrier(command_buffer, VK_PIPELINE_STAGE_RAY_TRACING_SHADER_BIT_KHR,
                 VK_ACCESS_SHADER_WRITE_BIT);
    run_commands(b, command_buffer);
}

SCENARIO(ray_tracing, .drivers = LAVAPIPE, .features = &structure_feature,
         .extensions = {VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME,
                        VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,
                        VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME})
{
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout = make_ray_layout(b, &set_layout);
    VkBuffer buffer = make_storage_buffer(b);
    VkDescriptorSet set = make_ray_set(b, set_layout, build_empty_scene(b), buffer);
    trace_image(b, make_ray_pipeline(b, layout), layout, set);
    const uint32_t *values = map_buffer(b, buffer);
    for (uint32_t i = 0; i < RAYS; i++)
        EXPECT_EQUAL(values[i], 1000 + i);
    EXPECT_EQUAL(values[RAYS], 0);
    unmap_buffer(b, buffer);
}

/* Occlusion queries count what was drawn. */
SCENARIO(occlusion_query, .drivers = LAVAPIPE,
         .features = &(VkPhysicalDeviceFeatures2){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
             .features.occlusionQueryPrecise = VK_TRUE})
{
    struct drawing drawing;
    VkRenderPass render_pass = make_render_pass(b);
    begin_program_drawing(b, &drawing, render_pass);
    VkPipeline pipeline = create_graphics_pipeline(b, &drawing.pipeline.info);
    VkRenderPassBeginInfo begin =
        render_pass_begin_info(render_pass, make_framebuffer(b, render_pass, make_picture(b).view));
    VkQueryPool pool = make_query_pool(b);
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdResetQueryPool(command_buffer, pool, 0, 4);
    vkCmdBeginRenderPass(command_buffer, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBeginQuery(command_buffer, pool, 0, VK_QUERY_CONTROL_PRECISE_BIT);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    push_blue(command_buffer, drawing.layout);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
    vkCmdEndQuery(command_buffer, pool, 0);
    vkCmdEndRenderPass(command_buffer);
    run_commands(b, command_buffer);
    uint64_t samples = 0;
    VK(vkGetQueryPoolResults(b->device, pool, 0, 1, sizeof(samples), &samples, sizeof(samples),
                             VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    EXPECT_EQUAL(samples, IMAGE_EXTENT * IMAGE_EXTENT);
}
