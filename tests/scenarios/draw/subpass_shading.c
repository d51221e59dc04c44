/* Subpass shading (VK_HUAWEI_subpass_shading): a bind point of its own, with the rules of
 * dispatches. */
#include "scenario.h"

static const VkPhysicalDeviceSubpassShadingFeaturesHUAWEI shading = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBPASS_SHADING_FEATURES_HUAWEI,
    .subpassShading = VK_TRUE};
static const VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    .pNext = (void *)&shading,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceDescriptorBufferFeaturesEXT descriptor_buffers = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT,
    .pNext = (void *)&addresses,
    .descriptorBuffer = VK_TRUE};
#define SHADING_WITH(features_, ...)                                         \
    .drivers = NULL_DRIVER, .features = &features_,                          \
    .extensions = {"VK_HUAWEI_subpass_shading", "VK_KHR_create_renderpass2", \
                   "VK_KHR_synchronization2", ##__VA_ARGS__}
#define SHADING  SHADING_WITH(shading)
#define CMD(id_) "VUID-vkCmdSubpassShadingHUAWEI-" id_

struct shaded {
    VkCommandBuffer c;
    VkPipelineLayout layout;
    VkPipeline pipeline;
};

/* A pass without attachments whose subpass is of this bind point, and a pipeline for it. */
static struct shaded begin_shading_of(struct baseline *b, VkPipelineBindPoint point, bool buffers)
{
    VkDescriptorSetLayoutCreateInfo set = descriptor_set_layout_info();
    const VkSubpassDescription subpass = {.pipelineBindPoint = point};
    const VkRenderPassCreateInfo pass_info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                              .subpassCount = 1,
                                              .pSubpasses = &subpass};
    const VkSubpassDescription shaded = {.pipelineBindPoint =
                                             VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI};
    const VkRenderPassCreateInfo shaded_info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                                .subpassCount = 1,
                                                .pSubpasses = &shaded};
    const VkRenderPass pass = create_render_pass(b, &pass_info);
    VkFramebufferCreateInfo framebuffer = framebuffer_info(pass, NULL);
    framebuffer.attachmentCount = 0;
    const VkSubpassShadingPipelineCreateInfoHUAWEI of_subpass = {
        .sType = VK_STRUCTURE_TYPE_SUBPASS_SHADING_PIPELINE_CREATE_INFO_HUAWEI,
        .renderPass = create_render_pass(b, &shaded_info)};
    set.flags = buffers ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT : 0;
    struct shaded s = {.c = make_recording(b),
                       .layout = make_pipeline_layout(b, create_descriptor_set_layout(b, &set))};
    VkComputePipelineCreateInfo info = compute_pipeline_info(make_shader_module(b), s.layout);
    info.pNext = &of_subpass;
    info.flags = buffers ? VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT : 0;
    s.pipeline = create_compute_pipeline(b, &info);
    VkRenderPassBeginInfo begun = render_pass_begin_info(pass, create_framebuffer(b, &framebuffer));
    begun.clearValueCount = 0;
    vkCmdBeginRenderPass(s.c, &begun, VK_SUBPASS_CONTENTS_INLINE);
    return s;
}

static struct shaded begin_shading(struct baseline *b, VkPipelineBindPoint point)
{
    return begin_shading_of(b, point, false);
}

static void bind_shading(struct baseline *b, const struct shaded *s, VkPipelineBindPoint sets)
{
    VkDescriptorSet set =
        make_descriptor_set(b, make_descriptor_pool(b), make_descriptor_set_layout(b));
    const VkDescriptorBufferInfo values = {make_buffer(b, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
                                           0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = write_buffer(set, &values);
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
    vkCmdBindPipeline(s->c, VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI, s->pipeline);
    vkCmdBindDescriptorSets(s->c, sets, s->layout, 0, 1, &set, 0, NULL);
}

static void shade_subpass(struct baseline *b, const struct shaded *s)
{
    DEVICE_PROC(b, vkCmdSubpassShadingHUAWEI)(s->c);
    vkCmdEndRenderPass(s->c);
}

SCENARIO(subpass_shaded, SHADING)
{
    const struct shaded s = begin_shading(b, VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI);
    bind_shading(b, &s, VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI);
    shade_subpass(b, &s);
}

SCENARIO(subpass_shaded_by_nothing, SHADING, .expect = {CMD("None-08606")},
         .text = {"has no subpass shading pipeline bound"})
{
    const struct shaded s = begin_shading(b, VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI);
    shade_subpass(b, &s);
}

/* The set is bound for dispatches. */
SCENARIO(subpass_shaded_without_set, SHADING, .expect = {CMD("None-08600")})
{
    const struct shaded s = begin_shading(b, VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI);
    bind_shading(b, &s, VK_PIPELINE_BIND_POINT_COMPUTE);
    shade_subpass(b, &s);
}

#define BUFFERS SHADING_WITH(descriptor_buffers, "VK_EXT_descriptor_buffer")

/* The pipeline takes descriptors from buffers or from sets, which come in one of these two ways. */
static void shade_with_descriptors(struct baseline *b, bool takes_buffers, bool gives_buffers)
{
    const VkPipelineBindPoint point = VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI;
    struct shaded s = begin_shading_of(b, point, takes_buffers);
    VkDescriptorSetLayoutCreateInfo info = descriptor_set_layout_info();
    info.flags = gives_buffers ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT : 0;
    s.layout = make_pipeline_layout(b, create_descriptor_set_layout(b, &info));
    if (gives_buffers) {
        const VkBufferUsageFlags usage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT;
        const VkDescriptorBufferBindingInfoEXT binding = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT,
            .address =
                buffer_address(b, make_buffer(b, 1024,
                                              usage | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)),
            .usage = usage};
        vkCmdBindPipeline(s.c, point, s.pipeline);
        DEVICE_PROC(b, vkCmdBindDescriptorBuffersEXT)(s.c, 1, &binding);
        DEVICE_PROC(b, vkCmdSetDescriptorBufferOffsetsEXT)
        (s.c, point, s.layout, 0, 1, &(uint32_t){0}, &(VkDeviceSize){0});
    } else {
        bind_shading(b, &s, point);
    }
    shade_subpass(b, &s);
}

SCENARIO(subpass_shaded_with_buffers, BUFFERS)
{
    shade_with_descriptors(b, true, true);
}

SCENARIO(subpass_shaded_with_sets_for_buffers, BUFFERS, .expect = {CMD("None-08115")})
{
    shade_with_descriptors(b, true, false);
}

SCENARIO(subpass_shaded_with_buffers_for_sets, BUFFERS, .expect = {CMD("None-08117")})
{
    shade_with_descriptors(b, false, true);
}

SCENARIO(subpass_shaded_in_graphics, SHADING, .expect = {CMD("None-04931")},
         .text = {"was created for VK_PIPELINE_BIND_POINT_GRAPHICS"})
{
    const struct shaded s = begin_shading(b, VK_PIPELINE_BIND_POINT_GRAPHICS);
    bind_shading(b, &s, VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI);
    shade_subpass(b, &s);
}

SCENARIO(subpass_shading_of_compute, SHADING,
         .expect = {"VUID-vkCmdBindPipeline-pipelineBindPoint-04950"})
{
    vkCmdBindPipeline(make_recording(b), VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI,
                      make_any_compute_pipeline(b));
}

/* It is a compute pipeline, of which another one may derive. */
SCENARIO(subpass_shading_derivative, SHADING)
{
    const VkSubpassDescription subpass = {.pipelineBindPoint =
                                              VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI};
    const VkRenderPassCreateInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .subpassCount = 1,
                                         .pSubpasses = &subpass};
    const VkSubpassShadingPipelineCreateInfoHUAWEI of_subpass = {
        .sType = VK_STRUCTURE_TYPE_SUBPASS_SHADING_PIPELINE_CREATE_INFO_HUAWEI,
        .renderPass = create_render_pass(b, &pass)};
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_module(b),
                              make_pipeline_layout(b, make_descriptor_set_layout(b)));
    info.pNext = &of_subpass;
    info.flags = VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT;
    const VkPipeline base = create_compute_pipeline(b, &info);
    info.flags = VK_PIPELINE_CREATE_DERIVATIVE_BIT;
    info.basePipelineHandle = base;
    info.basePipelineIndex = -1;
    create_compute_pipeline(b, &info);
}

static void make_for_subpass(struct baseline *b, uint32_t subpass)
{
    const VkSubpassDescription subpasses[] = {
        {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS},
        {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI}};
    const VkRenderPassCreateInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .subpassCount = 2,
                                         .pSubpasses = subpasses};
    const VkSubpassShadingPipelineCreateInfoHUAWEI of_subpass = {
        .sType = VK_STRUCTURE_TYPE_SUBPASS_SHADING_PIPELINE_CREATE_INFO_HUAWEI,
        .renderPass = create_render_pass(b, &pass),
        .subpass = subpass};
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_module(b),
                              make_pipeline_layout(b, make_descriptor_set_layout(b)));
    info.pNext = &of_subpass;
    create_compute_pipeline(b, &info);
}

SCENARIO(subpass_shading_of_the_second_subpass, SHADING)
{
    make_for_subpass(b, 1);
}

SCENARIO(subpass_shading_of_a_graphics_subpass, SHADING,
         .expect = {"VUID-VkSubpassShadingPipelineCreateInfoHUAWEI-subpass-04946"},
         .text = {"is 0, whose pipelineBindPoint is VK_PIPELINE_BIND_POINT_GRAPHICS"})
{
    make_for_subpass(b, 0);
}
