/* Checks sets that pipelines share. What was found of a set with one pipeline says nothing of what
 * another one reads. Nor does it say what the set holds after a change. */
#include "scenario.h"

#include "shader_descriptor_contents.h"

#define ELEMENTS 4
#define TIMES    4 /* that pipelines alternate */

/* A set with storage buffers in binding 0, and in binding 1 one that shaders write. */
struct shared {
    struct baseline *b;
    VkDescriptorType type; /* of binding 0; 0: storage buffers */
    uint32_t count;        /* of binding 0; 0: ELEMENTS */
    VkPipelineLayout layout;
    VkDescriptorSet set;
    VkBuffer buffers[ELEMENTS];
    VkCommandBuffer commands;
};

static void make_shared_set(struct shared *s)
{
    s->type = s->type ? s->type : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    s->count = s->count ? s->count : ELEMENTS;
    const VkDescriptorSetLayoutBinding bindings[2] = {
        {0, s->type, s->count, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    const VkDescriptorSetLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 2,
        .pBindings = bindings};
    const VkDescriptorPoolSize sizes[2] = {{s->type, s->count},
                                           {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .flags =
                                                 VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT,
                                             .maxSets = 1,
                                             .poolSizeCount = 2,
                                             .pPoolSizes = sizes};
    VkDescriptorSetLayout set_layout = create_descriptor_set_layout(s->b, &layout);
    s->layout = make_pipeline_layout(s->b, set_layout);
    s->set = make_descriptor_set(s->b, create_descriptor_pool(s->b, &pool), set_layout);
    s->commands = make_recording(s->b);
}

static void write_element(struct shared *s, uint32_t binding, uint32_t element)
{
    VkBuffer made = make_buffer(s->b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    const VkDescriptorBufferInfo buffer = {made, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = write_buffer(s->set, &buffer);
    write.dstBinding = binding;
    write.dstArrayElement = element;
    vkUpdateDescriptorSets(s->b->device, 1, &write, 0, NULL);
    if (!binding)
        s->buffers[element] = made;
}

/* The first `written` elements are written. */
static struct shared with_elements(struct baseline *b, uint32_t written)
{
    struct shared s = {b};
    make_shared_set(&s);
    for (uint32_t i = 0; i < written; i++)
        write_element(&s, 0, i);
    write_element(&s, 1, 0);
    return s;
}

#define PIPELINE(s_, name_) make_shared_pipeline((s_), spirv_##name_, sizeof(spirv_##name_))
static VkPipeline make_shared_pipeline(struct shared *s, const uint32_t *code, size_t size)
{
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_from(s->b, code, size), s->layout);
    return create_compute_pipeline(s->b, &info);
}

static void dispatch_shared(struct shared *s, VkPipeline pipeline)
{
    vkCmdBindPipeline(s->commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(s->commands, VK_PIPELINE_BIND_POINT_COMPUTE, s->layout, 0, 1, &s->set,
                            0, NULL);
    vkCmdDispatch(s->commands, 1, 1, 1);
}

static void destroy_element(struct shared *s, uint32_t element)
{
    FORGET(s->b, s->buffers[element]);
    vkDestroyBuffer(s->b->device, s->buffers[element], NULL);
}

/* Each time that the wrong one is dispatched it is reported, once. */
#define EXPECT_FINDINGS(count_) EXPECT_EQUAL(b->ours ? seen_count(b, NULL) : (count_), (count_))

SCENARIO(alternating_pipelines)
{
    struct shared s = with_elements(b, ELEMENTS);
    const VkPipeline pipelines[] = {PIPELINE(&s, first_elements), PIPELINE(&s, last_elements),
                                    PIPELINE(&s, first_elements), PIPELINE(&s, last_elements)};
    for (uint32_t i = 0; i < TIMES * 4; i++)
        dispatch_shared(&s, pipelines[i % 4]);
}

SCENARIO(other_elements, .expect = {"VUID-vkCmdDispatch-None-08114"},
         .text = {"binding 0, element 2", "was never written"})
{
    struct shared s = with_elements(b, 2);
    write_element(&s, 0, 3);
    const VkPipeline first = PIPELINE(&s, first_elements), last = PIPELINE(&s, last_elements);
    for (uint32_t i = 0; i < TIMES; i++)
        dispatch_shared(&s, first);
    EXPECT_FINDINGS(0);
    dispatch_shared(&s, last);
    EXPECT_FINDINGS(1);
    for (uint32_t i = 0; i < TIMES; i++)
        dispatch_shared(&s, first);
    EXPECT_FINDINGS(1);
}

/* Two pipelines of the same code share what was found, and it is not true any more. */
SCENARIO(destroyed_between_pipelines, .expect = {"VUID-vkCmdDispatch-None-08114"},
         .text = {"binding 0, element 1", "refers to a VkBuffer that has been destroyed"})
{
    struct shared s = with_elements(b, ELEMENTS);
    const VkPipeline one = PIPELINE(&s, first_elements), two = PIPELINE(&s, first_elements);
    dispatch_shared(&s, one);
    dispatch_shared(&s, two);
    EXPECT_FINDINGS(0);
    destroy_element(&s, 1);
    s.commands = make_recording(b);
    dispatch_shared(&s, two);
    EXPECT_FINDINGS(1);
}

/* A new buffer has replaced the one that is gone. */
SCENARIO(written_again_between_pipelines)
{
    struct shared s = with_elements(b, ELEMENTS);
    const VkPipeline first = PIPELINE(&s, first_elements), last = PIPELINE(&s, last_elements);
    dispatch_shared(&s, first);
    dispatch_shared(&s, last);
    destroy_element(&s, 3);
    write_element(&s, 0, 3);
    s.commands = make_recording(b);
    dispatch_shared(&s, first);
    dispatch_shared(&s, last);
}

/* The set is written with another view, which only the version of the set says. */
SCENARIO(written_between_pipelines, .expect = {"VUID-vkCmdDispatch-viewType-07752"},
         .text = {"is VK_IMAGE_VIEW_TYPE_2D there, but its view is of VK_IMAGE_VIEW_TYPE_3D"})
{
    struct shared s = {b, .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, .count = 1};
    make_shared_set(&s);
    write_element(&s, 1, 0);
    const VkPipeline one = PIPELINE(&s, sampled), two = PIPELINE(&s, sampled);
    VkDescriptorImageInfo images[2];
    for (uint32_t i = 0; i < 2; i++) {
        VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
        info.imageType = i ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D;
        VkImageViewCreateInfo view = image_view_info(make_image_of(b, &info));
        view.viewType = i ? VK_IMAGE_VIEW_TYPE_3D : VK_IMAGE_VIEW_TYPE_2D;
        images[i] = (VkDescriptorImageInfo){make_sampler(b), create_image_view(b, &view),
                                            VK_IMAGE_LAYOUT_GENERAL};
    }
    VkWriteDescriptorSet write = write_buffer(s.set, NULL);
    write.descriptorType = s.type;
    for (uint32_t i = 0; i < 2; i++) {
        write.pImageInfo = &images[i];
        vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
        s.commands = make_recording(b);
        dispatch_shared(&s, one);
        EXPECT_FINDINGS(i);
    }
    dispatch_shared(&s, two);
    EXPECT_FINDINGS(2);
}

/* Modules of the same code, of which each is destroyed once there is a pipeline of it. */
SCENARIO(code_that_comes_again, .expect = {"VUID-vkCmdDispatch-None-08114"},
         .text = {"binding 0, element 1 (\"things\" in the shader of VK_SHADER_STAGE_COMPUTE_BIT)"})
{
    struct shared s = with_elements(b, 1);
    for (uint32_t i = 0; i < TIMES; i++) {
        VkShaderModule module =
            make_shader_from(b, spirv_first_elements, sizeof(spirv_first_elements));
        VkComputePipelineCreateInfo info = compute_pipeline_info(module, s.layout);
        VkPipeline pipeline = create_compute_pipeline(b, &info);
        FORGET(b, module);
        vkDestroyShaderModule(b->device, module, NULL);
        dispatch_shared(&s, pipeline);
        EXPECT_FINDINGS(i + 1);
        s.commands = make_recording(b);
        FORGET(b, pipeline);
        vkDestroyPipeline(b->device, pipeline, NULL);
    }
}
