/* Valid structures to start from: a scenario takes one, breaks one member, and hands it over.
 * Pointers in them lead to constants that live as long as the process. */
#ifndef ASSAY_HARNESS_STRUCTURES_H
#define ASSAY_HARNESS_STRUCTURES_H

#include <vulkan/vulkan.h>

#define IMAGE_EXTENT 64 /* texels along each side of the harness's images */
#define COLOR_FORMAT VK_FORMAT_R8G8B8A8_UNORM

VkBufferCreateInfo buffer_info(VkDeviceSize size, VkBufferUsageFlags usage);
VkMemoryAllocateInfo memory_info(VkDeviceSize size, uint32_t type);
/* 2D, COLOR_FORMAT, IMAGE_EXTENT square, one mip, optimal */
VkImageCreateInfo image_info(VkImageUsageFlags usage);
VkImageViewCreateInfo image_view_info(VkImage image);
VkBufferViewCreateInfo buffer_view_info(VkBuffer buffer); /* R32_UINT, whole */
VkSamplerCreateInfo sampler_info(void);
/* one color attachment, cleared and stored; one subpass */
VkRenderPassCreateInfo render_pass_info(void);
VkFramebufferCreateInfo framebuffer_info(VkRenderPass render_pass, const VkImageView *view);
/* binding 0: a storage buffer for all stages */
VkDescriptorSetLayoutCreateInfo descriptor_set_layout_info(void);
/* 8 sets of 16 storage buffers and others; sets can be freed */
VkDescriptorPoolCreateInfo descriptor_pool_info(void);
VkPipelineLayoutCreateInfo
/* NULL: none. 16 bytes of push constants */
pipeline_layout_info(const VkDescriptorSetLayout *set_layout);
VkPipelineShaderStageCreateInfo stage_info(VkShaderStageFlagBits stage, VkShaderModule module);
VkComputePipelineCreateInfo compute_pipeline_info(VkShaderModule module, VkPipelineLayout layout);
VkCommandPoolCreateInfo command_pool_info(uint32_t queue_family); /* command buffers can be reset */
VkCommandBufferAllocateInfo command_buffer_info(VkCommandPool pool, VkCommandBufferLevel level);
VkCommandBufferBeginInfo begin_info(void);
VkSemaphoreCreateInfo semaphore_info(void);
VkFenceCreateInfo fence_info(void);
VkEventCreateInfo event_info(void);
VkQueryPoolCreateInfo query_pool_info(void); /* 4 occlusion queries */
VkPipelineCacheCreateInfo pipeline_cache_info(void);
VkSwapchainCreateInfoKHR swapchain_info(VkSurfaceKHR surface);
VkRenderPassBeginInfo render_pass_begin_info(VkRenderPass render_pass, VkFramebuffer framebuffer);
VkRenderingInfo rendering_info(const VkRenderingAttachmentInfo *color);
VkRenderingAttachmentInfo rendering_attachment(VkImageView view);
VkSubmitInfo submit_info(const VkCommandBuffer *command_buffer);
VkWriteDescriptorSet write_buffer(VkDescriptorSet set,
                                  /* binding 0, storage buffer */
                                  const VkDescriptorBufferInfo *buffer);
VkImageMemoryBarrier image_barrier(VkImage image, VkImageLayout from, VkImageLayout to);
VkImageSubresourceRange color_range(void);
VkDebugUtilsObjectNameInfoEXT name_info(VkObjectType type, uint64_t handle, const char *name);

/* Everything that a graphics pipeline's create info points to, in one place: stages of
 * triangle.vert and triangle.frag, no vertex input, a viewport, one color attachment. `info` is
 * inside and points into the struct: do not copy it. */
struct graphics_pipeline {
    VkPipelineShaderStageCreateInfo stages[2];
    VkPipelineVertexInputStateCreateInfo vertex_input;
    VkPipelineInputAssemblyStateCreateInfo input_assembly;
    VkViewport viewport;
    VkRect2D scissor;
    VkPipelineViewportStateCreateInfo viewport_state;
    VkPipelineRasterizationStateCreateInfo rasterization;
    VkPipelineMultisampleStateCreateInfo multisample;
    VkPipelineColorBlendAttachmentState blend_attachment;
    VkPipelineColorBlendStateCreateInfo color_blend;
    VkGraphicsPipelineCreateInfo info;
};
void graphics_pipeline_fill(struct graphics_pipeline *pipeline, VkShaderModule vertex,
                            VkShaderModule fragment, VkPipelineLayout layout,
                            VkRenderPass render_pass);

#endif
