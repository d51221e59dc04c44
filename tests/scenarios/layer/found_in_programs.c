/* Real programs taught us these (docs/real-programs.md): situations that they make and that no
 * rule's own scenario would. */
#include "scenario.h"

#include "shaders_found.h"

#include <dlfcn.h>

static void use_every_debug_command(struct baseline *b)
{
    const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                        .pLabelName = "label"};
    VkCommandBuffer recording = make_recording(b);
    VkDebugUtilsObjectNameInfoEXT name =
        name_info(VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE(recording), "name");
    VkDebugUtilsObjectTagInfoEXT tag = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_TAG_INFO_EXT,
                                        .objectType = VK_OBJECT_TYPE_COMMAND_BUFFER,
                                        .objectHandle = HANDLE(recording),
                                        .tagSize = sizeof(label),
                                        .pTag = &label};
    VK(DEVICE_PROC(b, vkSetDebugUtilsObjectNameEXT)(b->device, &name));
    VK(DEVICE_PROC(b, vkSetDebugUtilsObjectTagEXT)(b->device, &tag));
    DEVICE_PROC(b, vkCmdBeginDebugUtilsLabelEXT)(recording, &label);
    DEVICE_PROC(b, vkCmdInsertDebugUtilsLabelEXT)(recording, &label);
    DEVICE_PROC(b, vkCmdEndDebugUtilsLabelEXT)(recording);
    DEVICE_PROC(b, vkQueueBeginDebugUtilsLabelEXT)(b->queue, &label);
    DEVICE_PROC(b, vkQueueInsertDebugUtilsLabelEXT)(b->queue, &label);
    DEVICE_PROC(b, vkQueueEndDebugUtilsLabelEXT)(b->queue);
}

SCENARIO(debug_utils_with_driver)
{
    use_every_debug_command(b);
}

/* libplacebo labels its command buffers; the extension is there because a layer offers it, and the
 * driver knows nothing of it. */
SCENARIO(debug_utils_of_the_layer_alone, .drivers = NULL_DRIVER,
         .null_driver =
             "{\"extensions\": {\"VK_EXT_debug_utils\": false, \"VK_EXT_debug_report\": false}}")
{
    use_every_debug_command(b);
}

/* Programs take a function as the sign that they may call it. */
SCENARIO(debug_utils_not_enabled, .start = START_NOTHING)
{
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    VkInstance instance;
    VK(vkCreateInstance(&info, NULL, &instance));
    EXPECT(!vkGetInstanceProcAddr(instance, "vkCreateDebugUtilsMessengerEXT"));
    EXPECT(!vkGetInstanceProcAddr(instance, "vkCreateDebugReportCallbackEXT"));
    EXPECT(!vkGetInstanceProcAddr(instance, "vkSetDebugUtilsObjectNameEXT"));
    EXPECT(!vkGetInstanceProcAddr(instance, "vkCmdBeginDebugUtilsLabelEXT"));
    vkDestroyInstance(instance, NULL);
}

/* "Enabled" is said of each extension by itself: debug_utils brings neither of the older ones. */
SCENARIO(debug_utils_is_not_debug_marker, .drivers = LAVAPIPE)
{
    EXPECT(!vkGetInstanceProcAddr(b->instance, "vkCreateDebugReportCallbackEXT"));
    EXPECT(!vkGetDeviceProcAddr(b->device, "vkCmdDebugMarkerBeginEXT"));
    EXPECT(!vkGetDeviceProcAddr(b->device, "vkDebugMarkerSetObjectNameEXT"));
}

/* The door of the layer on top of ours, which it calls without the loader in between. */
static PFN_vkGetInstanceProcAddr layer_door(void)
{
    /* it stays: the loader has it */
    void *library = dlopen("libVkLayer_assay.so", RTLD_NOW | RTLD_NOLOAD);
    ENSURE(library);
    PFN_vkGetInstanceProcAddr door;
    *(void **)&door = dlsym(library, "vkGetInstanceProcAddr");
    ENSURE(door);
    return door;
}

/* vkGetInstanceProcAddr gives functions for any device, also for one that lacks them. The loader's
 * own trampolines know no better; the layer's entry must. */
SCENARIO(command_that_the_device_lacks, .drivers = LAVAPIPE, .ours_only = true, .proceed = true,
         .expect = {"UNASSIGNED-GeneralParameterError-ExtensionNotEnabled"},
         .text = {"vkCmdDrawMeshTasksEXT", "VK_EXT_mesh_shader"})
{
    PFN_vkGetInstanceProcAddr of_layer = layer_door();
    PFN_vkCmdDrawMeshTasksEXT draw =
        (PFN_vkCmdDrawMeshTasksEXT)of_layer(b->instance, "vkCmdDrawMeshTasksEXT");
    ENSURE(draw);
    EXPECT(!vkGetDeviceProcAddr(b->device, "vkCmdDrawMeshTasksEXT"));
    VkCommandBuffer recording = make_recording(b);
    begin_rendering(b, recording);
    draw(recording, 1, 1, 1);
    vkCmdEndRenderPass(recording);
}

/* A program that does not want to hear of that hears of all else. */
SCENARIO(command_that_the_device_lacks_in_silence, .drivers = LAVAPIPE, .ours_only = true,
         .proceed = true,
         .settings = {"message_id_filter=UNASSIGNED-GeneralParameterError-ExtensionNotEnabled"},
         .expect = {"VUID-vkCmdDrawMeshTasksEXT-None-08606"})
{
    PFN_vkCmdDrawMeshTasksEXT draw =
        (PFN_vkCmdDrawMeshTasksEXT)layer_door()(b->instance, "vkCmdDrawMeshTasksEXT");
    ENSURE(draw);
    VkCommandBuffer recording = make_recording(b);
    begin_rendering(b, recording);
    draw(recording, 1, 1, 1);
    vkCmdEndRenderPass(recording);
}

/* A command that the device lacks was not done: it makes no hazard. */
SCENARIO(lacking_command_leaves_no_trace, .drivers = LAVAPIPE, .ours_only = true, .proceed = true,
         .settings = {"validate_sync=true"},
         .expect = {"UNASSIGNED-GeneralParameterError-ExtensionNotEnabled"})
{
    PFN_vkCmdWriteBufferMarkerAMD mark =
        (PFN_vkCmdWriteBufferMarkerAMD)layer_door()(b->instance, "vkCmdWriteBufferMarkerAMD");
    ENSURE(mark);
    EXPECT(!vkGetDeviceProcAddr(b->device, "vkCmdWriteBufferMarkerAMD"));
    VkBuffer buffer = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkCommandBuffer recording = make_recording(b);
    mark(recording, VK_PIPELINE_STAGE_TRANSFER_BIT, buffer, 0, 1);
    vkCmdFillBuffer(recording, buffer, 0, 64, 1);
    VK(vkEndCommandBuffer(recording));
}

SCENARIO(command_of_a_later_version_leaves_no_trace, .drivers = LAVAPIPE, .ours_only = true,
         .proceed = true, .settings = {"validate_sync=true"}, .api_version = VK_API_VERSION_1_0,
         .expect = {"UNASSIGNED-API-Version-Violation"})
{
    PFN_vkGetInstanceProcAddr of_layer = layer_door();
    PFN_vkCmdCopyBuffer2 copy = (PFN_vkCmdCopyBuffer2)of_layer(b->instance, "vkCmdCopyBuffer2");
    ENSURE(copy);
    EXPECT(!vkGetDeviceProcAddr(b->device, "vkCmdCopyBuffer2"));
    VkBuffer from =
        make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkBuffer to = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    const VkBufferCopy2 region = {.sType = VK_STRUCTURE_TYPE_BUFFER_COPY_2, .size = 64};
    const VkCopyBufferInfo2 info = {.sType = VK_STRUCTURE_TYPE_COPY_BUFFER_INFO_2,
                                    .srcBuffer = from,
                                    .dstBuffer = to,
                                    .regionCount = 1,
                                    .pRegions = &region};
    VkCommandBuffer recording = make_recording(b);
    copy(recording, &info);
    vkCmdFillBuffer(recording, to, 0, 64, 1);
    VK(vkEndCommandBuffer(recording));
}

/* Mesa's overlay and screenshot layers, on top of ours, ask it so for the next vkCreateDevice. */
SCENARIO(create_device_without_instance, .ours_only = true)
{
    PFN_vkGetInstanceProcAddr of_layer = layer_door();
    EXPECT(of_layer(VK_NULL_HANDLE, "vkCreateDevice"));
    EXPECT(of_layer(VK_NULL_HANDLE, "vkCreateInstance"));
    EXPECT(!of_layer(VK_NULL_HANDLE, "vkCreateBuffer"));
}

/* SDL's renderer on SDL GPU, and all that is made from HLSL by its rules, declares an image and a
 * sampler of one binding. The binding holds a combined image sampler. What the sampler's variable
 * says of dimensions does not count. */
static void dispatch_sampling(struct baseline *b, VkShaderModule shader)
{
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    VkDescriptorSetLayoutCreateInfo set_info = descriptor_set_layout_info();
    set_info.bindingCount = 2;
    set_info.pBindings = bindings;
    VkDescriptorSetLayout set_layout = create_descriptor_set_layout(b, &set_info);
    VkPipelineLayout layout = make_pipeline_layout(b, set_layout);
    VkComputePipelineCreateInfo info = compute_pipeline_info(shader, layout);
    VkImage image = make_image(b, VK_IMAGE_USAGE_SAMPLED_BIT);
    VkImageViewCreateInfo view_info = image_view_info(image);
    VkDescriptorSet set = make_descriptor_set(b, make_descriptor_pool(b), set_layout);
    VkDescriptorImageInfo sampled = {make_sampler(b), create_image_view(b, &view_info),
                                     VK_IMAGE_LAYOUT_GENERAL};
    VkDescriptorBufferInfo answer = {make_buffer(b, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), 0,
                                     VK_WHOLE_SIZE};
    VkWriteDescriptorSet writes[] = {write_buffer(set, &answer), write_buffer(set, &answer)};
    writes[0].descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    writes[0].pImageInfo = &sampled;
    writes[1].dstBinding = 1;
    vkUpdateDescriptorSets(b->device, 2, writes, 0, NULL);
    VkCommandBuffer recording = make_recording(b);
    VkImageMemoryBarrier barrier =
        image_barrier(image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    vkCmdPipelineBarrier(recording, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                         VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    vkCmdBindPipeline(recording, VK_PIPELINE_BIND_POINT_COMPUTE, create_compute_pipeline(b, &info));
    vkCmdBindDescriptorSets(recording, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
    vkCmdDispatch(recording, 1, 1, 1);
    VK(vkEndCommandBuffer(recording));
}

SCENARIO(image_and_sampler_of_one_binding)
{
    dispatch_sampling(b, MAKE_SHADER(b, spirv_separate));
}

SCENARIO(image_of_another_shape, .expect = {"VUID-vkCmdDispatch-viewType-07752"},
         .text = {"is VK_IMAGE_VIEW_TYPE_3D there, but its view is of VK_IMAGE_VIEW_TYPE_2D"})
{
    dispatch_sampling(b, MAKE_SHADER(b, spirv_of_another_shape));
}

/* ffmpeg says VK_IMAGE_CREATE_ALIAS_BIT of every image, and has no aliases: the layouts of an image
 * that has its memory to itself are known. */
static void run_transition(struct baseline *b, VkImage image, VkImageLayout from, VkImageLayout to)
{
    VkCommandBuffer recording = make_recording(b);
    VkImageMemoryBarrier barrier = image_barrier(image, from, to);
    vkCmdPipelineBarrier(recording, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    run_commands(b, recording);
}

static VkImageCreateInfo alias_info(void)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.flags = VK_IMAGE_CREATE_ALIAS_BIT;
    return info;
}

SCENARIO(alias_alone, .proceed = true, .expect = {"VUID-vkCmdDraw-None-09600"},
         .text = {"expects the image in VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL"})
{
    VkImageCreateInfo info = alias_info();
    VkImage image = make_image_of(b, &info);
    run_transition(b, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    run_transition(b, image, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL);
}

/* Work under one name is not known under the other one. */
SCENARIO(aliases_of_one_memory)
{
    VkImageCreateInfo info = alias_info();
    VkImage images[] = {create_image(b, &info), create_image(b, &info)};
    VkMemoryRequirements needed;
    vkGetImageMemoryRequirements(b->device, images[0], &needed);
    VkMemoryAllocateInfo allocation =
        memory_info(needed.size, (uint32_t)__builtin_ctz(needed.memoryTypeBits));
    VkDeviceMemory memory = create_memory(b, &allocation);
    for (uint32_t i = 0; i < 2; i++)
        VK(vkBindImageMemory(b->device, images[i], memory, 0));
    run_transition(b, images[0], VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    run_transition(b, images[1], VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    run_transition(b, images[0], VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL);
}

/* ffmpeg's frames: the host brings an image of several planes into one layout, and a command buffer
 * into the next one. The host copies from a plane. Transitions name VK_IMAGE_ASPECT_COLOR_BIT,
 * which is all planes. */
static const VkPhysicalDeviceHostImageCopyFeatures host_image_copy = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_IMAGE_COPY_FEATURES, .hostImageCopy = VK_TRUE};

static void copy_plane_from(struct baseline *b, VkImageLayout layout)
{
    static char bytes[IMAGE_EXTENT * IMAGE_EXTENT];
    VkImageCreateInfo image_create_info = alias_info();
    image_create_info.format = VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM;
    image_create_info.usage = VK_IMAGE_USAGE_HOST_TRANSFER_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    VkImage image = make_image_of(b, &image_create_info);
    VkHostImageLayoutTransitionInfo transition = {
        .sType = VK_STRUCTURE_TYPE_HOST_IMAGE_LAYOUT_TRANSITION_INFO,
        .image = image,
        .newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
        .subresourceRange = color_range()};
    VkImageToMemoryCopy region = {.sType = VK_STRUCTURE_TYPE_IMAGE_TO_MEMORY_COPY,
                                  .pHostPointer = bytes,
                                  .imageSubresource = {VK_IMAGE_ASPECT_PLANE_0_BIT, 0, 0, 1},
                                  .imageExtent = {IMAGE_EXTENT, IMAGE_EXTENT, 1}};
    VkCopyImageToMemoryInfo info = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_TO_MEMORY_INFO,
                                    .srcImage = image,
                                    .srcImageLayout = layout,
                                    .regionCount = 1,
                                    .pRegions = &region};
    VK(DEVICE_PROC(b, vkTransitionImageLayoutEXT)(b->device, 1, &transition));
    run_transition(b, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL);
    (void)DEVICE_PROC(b, vkCopyImageToMemoryEXT)(b->device, &info);
}

SCENARIO(plane_in_the_layout_of_all, .features = &host_image_copy,
         .extensions = {VK_EXT_HOST_IMAGE_COPY_EXTENSION_NAME}, .drivers = LAVAPIPE)
{
    copy_plane_from(b, VK_IMAGE_LAYOUT_GENERAL);
}

SCENARIO(plane_in_a_layout_of_before, .features = &host_image_copy,
         .extensions = {VK_EXT_HOST_IMAGE_COPY_EXTENSION_NAME}, .drivers = LAVAPIPE,
         .expect = {"VUID-VkCopyImageToMemoryInfo-srcImageLayout-09064"},
         .text = {"is VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, but"})
{
    copy_plane_from(b, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
}

/* Where a device has one queue family, ffmpeg's barriers go from it to VK_QUEUE_FAMILY_IGNORED.
 * "After a release operation is performed, the ... image layout
 * ... of the released resource [is] undefined until a matching acquire operation is performed." */
static void release_and_use(struct baseline *b, VkImageLayout from)
{
    VkImageCreateInfo info = alias_info();
    VkImage image = make_image_of(b, &info);
    VkCommandBuffer recording = make_recording(b);
    VkImageMemoryBarrier barrier =
        image_barrier(image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    barrier.srcQueueFamilyIndex = b->queue_family;
    vkCmdPipelineBarrier(recording, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    run_commands(b, recording);
    run_transition(b, image, from, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
}

SCENARIO(released_to_nobody, .proceed = true,
         .expect = {"VUID-VkImageMemoryBarrier-image-09118", "VUID-vkCmdDraw-None-09600"},
         .text = {"but it will be in VK_IMAGE_LAYOUT_UNDEFINED"})
{
    release_and_use(b, VK_IMAGE_LAYOUT_GENERAL);
}

SCENARIO(released_to_nobody_and_begun_anew, .proceed = true,
         .expect = {"VUID-VkImageMemoryBarrier-image-09118"})
{
    release_and_use(b, VK_IMAGE_LAYOUT_UNDEFINED);
}
