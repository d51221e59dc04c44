/* Checks draws that read and write, through descriptors, what may be an attachment of the render
 * pass instance ("Common Render Pass Data Races"; "Fragment Input Attachment Compatibility"). */
#include "render/render_pass_builder.h"

#include "shader_descriptor_contents.h"

#define SHADER(name_) .code = spirv_##name_, .code_size = sizeof(spirv_##name_)

/* A draw whose fragment shader has one descriptor. Unless it says otherwise, that is the one color
 * attachment, which is loaded. All images are in VK_IMAGE_LAYOUT_GENERAL. */
struct access {
    VkDescriptorType type;
    const uint32_t *code;
    size_t code_size;
    VkAttachmentLoadOp load;
    bool other;           /* the descriptor has another image */
    bool discards;        /* before rasterization */
    bool masked;          /* no component of the color is written */
    bool depth, tests;    /* the image is the depth attachment; depth is written */
    VkImageLayout layout; /* of the attachment, if it is another one */
    uint32_t input_index; /* of the color attachment */
    bool in_pass;         /* a render pass object is used */
    bool passes_nothing;  /* by the depth test */
    bool stencil;         /* with `depth`: the attachment is one of stencil values */
    bool keeps;           /* the stencil test, which writes with `tests`, keeps what is there */
    VkCullModeFlags culled;
    VkPipelineCreateFlags flags;
};

/* The images, and the set with the view. */
struct accessed {
    VkImageView attachment, view;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorSet set;
};

static VkFormat depth_format(const struct access *a)
{
    return a->stencil ? VK_FORMAT_S8_UINT : VK_FORMAT_D32_SFLOAT;
}

static VkImageView make_accessed(struct baseline *b, const struct access *a)
{
    const VkImageUsageFlags shaders = a->depth
                                          ? VK_IMAGE_USAGE_SAMPLED_BIT
                                          : VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT;
    const VkImageUsageFlags attachments = a->depth ? VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT
                                                   : VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    VkImageCreateInfo info =
        image_info(shaders | attachments | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT);
    if (a->layout == VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT)
        info.usage |= VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT;
    info.format = a->depth ? depth_format(a) : COLOR_FORMAT;
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &info));
    view.format = info.format;
    view.subresourceRange.aspectMask = a->stencil ? VK_IMAGE_ASPECT_STENCIL_BIT
                                       : a->depth ? VK_IMAGE_ASPECT_DEPTH_BIT
                                                  : VK_IMAGE_ASPECT_COLOR_BIT;
    return create_image_view(b, &view);
}

static struct accessed make_accessed_set(struct baseline *b, const struct access *a)
{
    const VkDescriptorSetLayoutBinding binding = {0, a->type, 1, VK_SHADER_STAGE_FRAGMENT_BIT,
                                                  NULL};
    const VkDescriptorSetLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    const VkDescriptorPoolSize size = {a->type, 1};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .flags =
                                                 VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT,
                                             .maxSets = 1,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    struct accessed made;
    made.attachment = make_accessed(b, a);
    made.view = a->other ? make_accessed(b, a) : made.attachment;
    made.set_layout = create_descriptor_set_layout(b, &layout);
    made.layout = make_pipeline_layout(b, made.set_layout);
    made.set = make_descriptor_set(b, create_descriptor_pool(b, &pool), made.set_layout);
    const VkDescriptorImageInfo info = {
        a->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER ? make_sampler(b) : VK_NULL_HANDLE,
        made.view, a->layout ? a->layout : VK_IMAGE_LAYOUT_GENERAL};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = made.set,
                                        .descriptorCount = 1,
                                        .descriptorType = a->type,
                                        .pImageInfo = &info};
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
    return made;
}

static VkPipeline make_accessing_pipeline(struct baseline *b, const struct access *a,
                                          const struct accessed *made, VkRenderPass pass)
{
    static const VkFormat color = COLOR_FORMAT;
    const VkRenderingInputAttachmentIndexInfo inputs = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentInputIndices = &a->input_index};
    const VkPipelineRenderingCreateInfo formats = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .pNext = a->input_index ? &inputs : NULL,
        .colorAttachmentCount = a->depth ? 0 : 1,
        .pColorAttachmentFormats = &color,
        .depthAttachmentFormat =
            a->depth && !a->stencil ? VK_FORMAT_D32_SFLOAT : VK_FORMAT_UNDEFINED,
        .stencilAttachmentFormat = a->stencil ? VK_FORMAT_S8_UINT : VK_FORMAT_UNDEFINED};
    const VkStencilOpState face = {.passOp = a->keeps ? VK_STENCIL_OP_KEEP : VK_STENCIL_OP_REPLACE,
                                   .compareOp = VK_COMPARE_OP_ALWAYS,
                                   .writeMask = 0xff};
    const VkPipelineDepthStencilStateCreateInfo depth = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .depthTestEnable = a->tests && !a->stencil,
        .depthWriteEnable = a->tests && !a->stencil,
        .stencilTestEnable = a->tests && a->stencil,
        .front = face,
        .back = face,
        .depthCompareOp = a->passes_nothing ? VK_COMPARE_OP_NEVER : VK_COMPARE_OP_ALWAYS};
    struct graphics_pipeline pipeline;
    begin_graphics_pipeline(b, &pipeline, made->layout, pass);
    pipeline.stages[1].module = make_shader_from(b, a->code, a->code_size);
    pipeline.color_blend.attachmentCount = a->depth ? 0 : 1;
    pipeline.rasterization.rasterizerDiscardEnable = a->discards;
    pipeline.rasterization.cullMode = a->culled;
    if (a->masked)
        pipeline.blend_attachment.colorWriteMask = 0;
    if (a->discards)
        pipeline.info.stageCount = 1;
    pipeline.info.flags = a->flags;
    pipeline.info.pDepthStencilState = &depth;
    pipeline.info.pNext = pass ? NULL : &formats;
    return create_graphics_pipeline(b, &pipeline.info);
}

static VkRenderPass make_access_pass(struct baseline *b)
{
    const VkAttachmentDescription attachment = {.format = COLOR_FORMAT,
                                                .samples = VK_SAMPLE_COUNT_1_BIT,
                                                .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
                                                .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
                                                .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
    const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_GENERAL};
    const VkAttachmentReference input = {0, VK_IMAGE_LAYOUT_GENERAL};
    const VkSubpassDescription subpass = {.inputAttachmentCount = 1,
                                          .pInputAttachments = &input,
                                          .colorAttachmentCount = 1,
                                          .pColorAttachments = &color};
    VkRenderPassCreateInfo info = render_pass_info();
    info.attachmentCount = 1;
    info.pAttachments = &attachment;
    info.subpassCount = 1;
    info.pSubpasses = &subpass;
    return create_render_pass(b, &info);
}

static void draw_accessed(struct baseline *b, const struct access *a)
{
    const struct accessed made = make_accessed_set(b, a);
    const VkRenderPass pass = a->in_pass ? make_access_pass(b) : VK_NULL_HANDLE;
    const VkPipeline pipeline = make_accessing_pipeline(b, a, &made, pass);
    VkRenderingAttachmentInfo attachment = rendering_attachment(made.attachment);
    VkRenderingInfo rendering = rendering_info(&attachment);
    const VkRenderingInputAttachmentIndexInfo inputs = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentInputIndices = &a->input_index};
    VkCommandBuffer c = make_recording(b);
    attachment.imageLayout = a->layout ? a->layout : VK_IMAGE_LAYOUT_GENERAL;
    attachment.loadOp = a->load;
    if (a->depth) {
        rendering.colorAttachmentCount = 0;
        rendering.pDepthAttachment = a->stencil ? NULL : &attachment;
        rendering.pStencilAttachment = a->stencil ? &attachment : NULL;
    }
    if (pass) {
        const VkRenderPassBeginInfo info =
            render_pass_begin_info(pass, make_framebuffer(b, pass, made.attachment));
        vkCmdBeginRenderPass(c, &info, VK_SUBPASS_CONTENTS_INLINE);
    } else {
        vkCmdBeginRendering(c, &rendering);
    }
    if (a->input_index)
        DEVICE_PROC(b, vkCmdSetRenderingInputAttachmentIndicesKHR)(c, &inputs);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, made.layout, 0, 1, &made.set, 0,
                            NULL);
    vkCmdDraw(c, 3, 1, 0, 0);
    if (pass)
        vkCmdEndRenderPass(c);
    else
        vkCmdEndRendering(c);
}

static const VkPhysicalDeviceVulkan13Features of_13 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .dynamicRendering = VK_TRUE};
static const VkPhysicalDeviceFeatures2 features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)(uintptr_t)&of_13,
    .features = {.fragmentStoresAndAtomics = VK_TRUE}};
static const VkPhysicalDeviceDynamicRenderingLocalReadFeatures local_reads = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_LOCAL_READ_FEATURES,
    .pNext = (void *)(uintptr_t)&features,
    .dynamicRenderingLocalRead = VK_TRUE};
#define LOCAL .features = &local_reads, .extensions = {"VK_KHR_dynamic_rendering_local_read"}
#define ACCESS(name_, access_, ...)                                               \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &features, ##__VA_ARGS__) \
    {                                                                             \
        draw_accessed(b, &(const struct access){UNWRAP access_});                 \
    }
#define MISTAKE(name_, id_, access_, ...) \
    ACCESS(name_, access_, .expect = {"VUID-vkCmdDraw-" id_}, ##__VA_ARGS__)
#define CLEARED .load = VK_ATTACHMENT_LOAD_OP_CLEAR
#define SAMPLED .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, SHADER(frag_sampled)
#define STORED  .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
#define INPUT   .type = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, SHADER(frag_input)
#define INPUT_1 .type = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, SHADER(frag_input_1)

/* --- attachments that are accessed otherwise --- */

MISTAKE(cleared_and_sampled, "None-10795", (SAMPLED, CLEARED),
        .text = {"(\"image\" in the shader of VK_SHADER_STAGE_FRAGMENT_BIT) is read there, but is "
                 "color attachment 0",
                 ", which the load operation writes, and feedback loop is not enabled for it"})
MISTAKE(written_and_sampled, "None-12338", (SAMPLED), .text = {", which this command writes, and"})
MISTAKE(written_and_loaded, "None-12338", (STORED, SHADER(frag_loaded)))
ACCESS(masked_and_sampled, (SAMPLED, .masked = true))
ACCESS(not_written_and_sampled,
       (.type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, SHADER(frag_sampled_without_output)))
/* Whether it is, is not known before the shader runs. */
ACCESS(sampled_sometimes,
       (CLEARED, .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, SHADER(frag_sampled_sometimes)))
ACCESS(sampled_elsewhere, (SAMPLED, CLEARED, .other = true))
ACCESS(sampled_by_nobody, (SAMPLED, CLEARED, .discards = true))
MISTAKE(cleared_depth_sampled, "None-10796", (SAMPLED, CLEARED, .depth = true))
MISTAKE(written_depth_sampled, "None-12339", (SAMPLED, .depth = true, .tests = true))
ACCESS(depth_sampled, (SAMPLED, .depth = true))
#define STENCIL                                                                                  \
    .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, SHADER(frag_sampled_uint), .depth = true, \
    .stencil = true
MISTAKE(written_stencil_sampled, "None-12340", (STENCIL, .tests = true))
ACCESS(written_stencil_of_culled_faces,
       (STENCIL, .tests = true, .culled = VK_CULL_MODE_FRONT_AND_BACK))
MISTAKE(written_stencil_of_one_face, "None-12340",
        (STENCIL, .tests = true, .culled = VK_CULL_MODE_BACK_BIT))
ACCESS(sampled_by_culled_faces, (SAMPLED, CLEARED, .culled = VK_CULL_MODE_FRONT_AND_BACK))
ACCESS(kept_stencil_sampled, (STENCIL, .tests = true, .keeps = true))
ACCESS(stencil_sampled, (STENCIL))
ACCESS(never_written_depth_sampled, (SAMPLED, .depth = true, .tests = true, .passes_nothing = true))
MISTAKE(stored, "None-06537", (STORED, SHADER(frag_stored)),
        .text = {"is written there, but is color attachment 0"})
ACCESS(stored_elsewhere, (STORED, SHADER(frag_stored), .other = true))

static const VkPhysicalDeviceAttachmentFeedbackLoopLayoutFeaturesEXT loops = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ATTACHMENT_FEEDBACK_LOOP_LAYOUT_FEATURES_EXT,
    .pNext = (void *)(uintptr_t)&features,
    .attachmentFeedbackLoopLayout = VK_TRUE};
SCENARIO(looped, .drivers = NULL_DRIVER, .features = &loops,
         .extensions = {"VK_EXT_attachment_feedback_loop_layout"})
{
    draw_accessed(b, &(const struct access){
                         SAMPLED, CLEARED,
                         .layout = VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT,
                         .flags = VK_PIPELINE_CREATE_COLOR_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT});
}

/* --- input attachments --- */

ACCESS(input_of_pass, (INPUT, .in_pass = true))
MISTAKE(input_of_pass_elsewhere, "None-07469", (INPUT, .in_pass = true, .other = true),
        .text = {"is input attachment 0, but its view is not equivalent to input attachment 0 of "
                 "subpass 0",
                 "another image"})
MISTAKE(input_of_pass_missing, "OpTypeImage-07468", (INPUT_1, .in_pass = true),
        .text = {"but there is no such input attachment in subpass 0"})
#define LOCALLY(name_, access_, ...)                              \
    SCENARIO(name_, .drivers = NULL_DRIVER, LOCAL, ##__VA_ARGS__) \
    {                                                             \
        draw_accessed(b, &(const struct access){UNWRAP access_}); \
    }
#define ELSEWHERE .expect = {"VUID-vkCmdDraw-pDepthInputAttachmentIndex-09595"}
LOCALLY(input_of_instance, (INPUT))
LOCALLY(input_of_instance_elsewhere, (INPUT, .other = true), ELSEWHERE,
        .text = {"is input attachment 0, but its view is not equivalent to color attachment 0"})
LOCALLY(input_by_another_index, (INPUT_1, .input_index = 1))
LOCALLY(input_by_another_index_elsewhere, (INPUT_1, .input_index = 1, .other = true), ELSEWHERE)

/* --- protected command buffers --- */

static const VkPhysicalDeviceFeatures2 stores = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)(uintptr_t)&of_13,
    .features = {.vertexPipelineStoresAndAtomics = VK_TRUE, .fragmentStoresAndAtomics = VK_TRUE}};
static const VkPhysicalDeviceProtectedMemoryFeatures protected_stores = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES,
    .pNext = (void *)(uintptr_t)&stores,
    .protectedMemory = VK_TRUE};
#define FAULTS .null_driver = "{\"properties\": {\"protectedNoFault\": false}}"

/* A pipeline without attachments, one of whose stages writes the set's buffer. */
struct storing {
    VkPipeline pipeline;
    VkPipelineLayout layout;
    VkDescriptorSet set;
};

static struct storing make_storing(struct baseline *b, VkShaderStageFlagBits stage, VkBuffer buffer)
{
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                  (VkShaderStageFlags)stage, NULL};
    const VkDescriptorSetLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    const VkPipelineRenderingCreateInfo formats = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
    const VkDescriptorSetLayout set_layout = create_descriptor_set_layout(b, &layout_info);
    const VkPipelineLayout layout = make_pipeline_layout(b, set_layout);
    const VkDescriptorSet set = make_descriptor_set(b, make_descriptor_pool(b), set_layout);
    const VkDescriptorBufferInfo info = {buffer, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = write_buffer(set, &info);
    struct graphics_pipeline pipeline;
    begin_graphics_pipeline(b, &pipeline, layout, VK_NULL_HANDLE);
    if (stage == VK_SHADER_STAGE_VERTEX_BIT)
        pipeline.stages[0].module = MAKE_SHADER(b, spirv_vert_buffer_stored);
    pipeline.stages[1].module = stage == VK_SHADER_STAGE_VERTEX_BIT
                                    ? pipeline.stages[1].module
                                    : MAKE_SHADER(b, spirv_frag_buffer_stored);
    pipeline.info.stageCount = stage == VK_SHADER_STAGE_VERTEX_BIT ? 1 : 2;
    pipeline.color_blend.attachmentCount = 0;
    pipeline.info.pNext = &formats;
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
    return (struct storing){create_graphics_pipeline(b, &pipeline.info), layout, set};
}

static void record_storing(VkCommandBuffer c, const struct storing *storing)
{
    VkRenderingInfo rendering = rendering_info(NULL);
    rendering.colorAttachmentCount = 0;
    vkCmdBeginRendering(c, &rendering);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, storing->pipeline);
    vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, storing->layout, 0, 1,
                            &storing->set, 0, NULL);
    vkCmdDraw(c, 3, 1, 0, 0);
    vkCmdEndRendering(c);
}

/* Writes a protected buffer in a protected command buffer. */
static void draw_storing(struct baseline *b, VkShaderStageFlagBits stage)
{
    const struct storing storing =
        make_storing(b, stage, make_protected_buffer(b, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT));
    record_storing(make_protected_recording(b), &storing);
}

#define STORES .drivers = NULL_DRIVER, .features = &protected_stores, FAULTS
SCENARIO(protected_stored_by_vertices, STORES, .expect = {"VUID-vkCmdDraw-commandBuffer-02713"})
{
    draw_storing(b, VK_SHADER_STAGE_VERTEX_BIT);
}
SCENARIO(protected_stored_by_fragments, STORES)
{
    draw_storing(b, VK_SHADER_STAGE_FRAGMENT_BIT);
}

/* A set that is in order in a command buffer of one kind is not in one of the other kind. */
SCENARIO(protected_stored_in_plain_afterwards, STORES,
         .expect = {"VUID-vkCmdDraw-commandBuffer-02707"})
{
    const struct storing storing =
        make_storing(b, VK_SHADER_STAGE_FRAGMENT_BIT,
                     make_protected_buffer(b, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT));
    record_storing(make_protected_recording(b), &storing);
    record_storing(make_recording(b), &storing);
}
SCENARIO(plain_stored_in_protected_afterwards, STORES,
         .expect = {"VUID-vkCmdDraw-commandBuffer-02712"})
{
    const struct storing storing =
        make_storing(b, VK_SHADER_STAGE_FRAGMENT_BIT,
                     make_buffer(b, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT));
    record_storing(make_recording(b), &storing);
    record_storing(make_protected_recording(b), &storing);
}

static const VkPhysicalDeviceFeatures2 wide = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .features = {.shaderInt64 = VK_TRUE}};
static const VkPhysicalDeviceAccelerationStructureFeaturesKHR structures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
    .pNext = (void *)(uintptr_t)&wide,
    .accelerationStructure = VK_TRUE};
static const VkPhysicalDeviceRayQueryFeaturesKHR queries = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_QUERY_FEATURES_KHR,
    .pNext = (void *)(uintptr_t)&structures,
    .rayQuery = VK_TRUE};
static const VkPhysicalDeviceProtectedMemoryFeatures protected_queries = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES,
    .pNext = (void *)(uintptr_t)&queries,
    .protectedMemory = VK_TRUE};
#define QUERIES                                                         \
    .drivers = NULL_DRIVER, .features = &protected_queries,             \
    .extensions = {"VK_KHR_ray_query", "VK_KHR_acceleration_structure", \
                   "VK_KHR_deferred_host_operations"}
static void dispatch_query(struct baseline *b, VkCommandBuffer c)
{
    const VkComputePipelineCreateInfo info =
        compute_pipeline_info(MAKE_SHADER(b, spirv_ray_queried), make_empty_pipeline_layout(b));
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, create_compute_pipeline(b, &info));
    vkCmdDispatch(c, 1, 1, 1);
}
SCENARIO(queried_in_protected, QUERIES, .expect = {"VUID-vkCmdDispatch-commandBuffer-04617"},
         .text = {"is protected, but the bound pipeline has ray queries in the shader of "
                  "VK_SHADER_STAGE_COMPUTE_BIT"})
{
    dispatch_query(b, make_protected_recording(b));
}
SCENARIO(queried, QUERIES)
{
    dispatch_query(b, make_recording(b));
}
