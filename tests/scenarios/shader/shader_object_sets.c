/* Draws with shader objects: which sets and input attachments their shaders may use. */
#include "shader/shader_objects.h"

#include "shader_descriptor_contents.h"

#define PLACED(...) {__VA_ARGS__}

/* --- independent sets --- */

static const VkPhysicalDeviceMaintenance11FeaturesKHR maintenance11 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_11_FEATURES_KHR,
    .pNext = (void *)&objects,
    .maintenance11 = VK_TRUE};
static const VkPhysicalDeviceMaintenance11FeaturesKHR maintenance11_of_meshes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_11_FEATURES_KHR,
    .pNext = (void *)&meshes,
    .maintenance11 = VK_TRUE};
#define INDEPENDENT_SETS                                                       \
    .drivers = NULL_DRIVER, .features = &maintenance11,                        \
    .extensions = {"VK_EXT_shader_object", "VK_EXT_graphics_pipeline_library", \
                   "VK_KHR_pipeline_library", "VK_KHR_maintenance11"}
#define INDEPENDENT_MESHES                                                     \
    .drivers = NULL_DRIVER, .features = &maintenance11_of_meshes,              \
    .extensions = {"VK_EXT_shader_object", "VK_EXT_graphics_pipeline_library", \
                   "VK_KHR_pipeline_library", "VK_KHR_maintenance11", "VK_EXT_mesh_shader"}
#define LAYOUT_FLAG  VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT
#define NO_TASK_FLAG VK_PIPELINE_LAYOUT_CREATE_NO_TASK_SHADER_BIT_KHR
#define STAGES       (VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT)

/* A fragment shader that reads a uniform buffer, and a vertex or mesh shader before it; or shaders
 * that have push constants. All have independent sets. */
struct independent {
    VkPipelineLayoutCreateFlags layout; /* of what is bound */
    VkShaderStageFlags stages;          /* of another binding in that */
    bool mesh, task, pushes;
};

static VkDescriptorSetLayout make_uniform_layout(struct baseline *b, VkShaderStageFlags other)
{
    const VkDescriptorSetLayoutBinding bindings[2] = {
        {1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL},
        {2, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, other, NULL}};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 2,
        .pBindings = bindings};
    return create_descriptor_set_layout(b, &info);
}

static VkDescriptorSet make_uniform_set(struct baseline *b, VkDescriptorSetLayout layout)
{
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 2};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .flags =
                                                 VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT,
                                             .maxSets = 1,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    const VkDescriptorSet set = make_descriptor_set(b, create_descriptor_pool(b, &pool), layout);
    const VkDescriptorBufferInfo buffer = {make_buffer(b, 256, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT),
                                           0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = write_buffer(set, &buffer);
    write.dstBinding = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
    return set;
}

static void draw_independent(struct baseline *b, struct independent x)
{
    const VkPushConstantRange range = {STAGES, 0, 16};
    const uint32_t values[4] = {0};
    const VkDescriptorSetLayout layout = make_uniform_layout(b, x.stages);
    const VkPipelineLayoutCreateInfo bound = {.sType =
                                                  VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                              .flags = x.layout,
                                              .setLayoutCount = x.pushes ? 0 : 1,
                                              .pSetLayouts = &layout,
                                              .pushConstantRangeCount = x.pushes,
                                              .pPushConstantRanges = &range};
    const VkPipelineLayout pipeline_layout = create_pipeline_layout(b, &bound);
    VkShaderCreateInfoEXT first = INFO(vertex, VERTEX), task = INFO(task_small, VERTEX),
                          fragment = INFO(fragment_uniform, FRAGMENT);
    VkCommandBuffer c = begin_objects(b, NOTHING);
    if (x.mesh)
        first = INFO(mesh_small, VERTEX);
    if (x.pushes)
        fragment = INFO(fragment, FRAGMENT);
    first.stage = x.mesh ? VK_SHADER_STAGE_MESH_BIT_EXT : VK_SHADER_STAGE_VERTEX_BIT;
    first.nextStage = VK_SHADER_STAGE_FRAGMENT_BIT;
    first.flags = fragment.flags = task.flags = VK_SHADER_CREATE_INDEPENDENT_SETS_BIT_KHR;
    first.flags |= x.mesh ? NO_TASK : 0;
    first.setLayoutCount = fragment.setLayoutCount = task.setLayoutCount = bound.setLayoutCount;
    first.pSetLayouts = fragment.pSetLayouts = task.pSetLayouts = &layout;
    first.pushConstantRangeCount = fragment.pushConstantRangeCount = x.pushes;
    first.pPushConstantRanges = fragment.pPushConstantRanges = &range;
    task.stage = VK_SHADER_STAGE_TASK_BIT_EXT;
    task.nextStage = VK_SHADER_STAGE_MESH_BIT_EXT;
    if (x.mesh) {
        unbind_stages(b, c, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_TASK_BIT_EXT);
        if (x.task)
            bind_shader_object(b, c, VK_SHADER_STAGE_TASK_BIT_EXT, make_shader_object(b, &task));
    }
    bind_shader_object(b, c, first.stage, make_shader_object(b, &first));
    bind_shader_object(b, c, VK_SHADER_STAGE_FRAGMENT_BIT, make_shader_object(b, &fragment));
    if (x.pushes) {
        vkCmdPushConstants(c, pipeline_layout, STAGES, 0, 16, values);
    } else {
        const VkDescriptorSet set = make_uniform_set(b, layout);
        vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_layout, 0, 1, &set, 0,
                                NULL);
    }
    if (x.mesh)
        DEVICE_PROC(b, vkCmdDrawMeshTasksEXT)(c, 1, 1, 1);
    else
        vkCmdDraw(c, 3, 1, 0, 0);
}
#define LAID_OUT(name_, x_, ...)                            \
    SCENARIO(name_, __VA_ARGS__)                            \
    {                                                       \
        draw_independent(b, (struct independent)PLACED x_); \
    }
LAID_OUT(independent_sets, (LAYOUT_FLAG, STAGES), INDEPENDENT_SETS)
LAID_OUT(independent_sets_of_dependent_layout, (0, STAGES), INDEPENDENT_SETS,
         .expect = {DRAW("flags-13362")},
         .text = {"created without VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT"})
LAID_OUT(independent_sets_pushed, (LAYOUT_FLAG, STAGES, .pushes = true), INDEPENDENT_SETS)
LAID_OUT(independent_sets_pushed_by_dependent_layout, (0, STAGES, .pushes = true), INDEPENDENT_SETS,
         .expect = {DRAW("flags-12491")})
LAID_OUT(independent_sets_of_all_stages, (LAYOUT_FLAG, VK_SHADER_STAGE_ALL), INDEPENDENT_MESHES,
         .allow = {DRAW("None-08689"), DRAW("None-08690")})
LAID_OUT(independent_sets_of_vertices_and_meshes,
         (LAYOUT_FLAG | NO_TASK_FLAG, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_MESH_BIT_EXT,
          .mesh = true),
         INDEPENDENT_MESHES, .expect = {MESH_DRAW("flags-13363")})
LAID_OUT(independent_sets_of_meshes,
         (LAYOUT_FLAG | NO_TASK_FLAG, VK_SHADER_STAGE_MESH_BIT_EXT, .mesh = true),
         INDEPENDENT_MESHES)
LAID_OUT(independent_sets_without_tasks, (LAYOUT_FLAG, VK_SHADER_STAGE_MESH_BIT_EXT, .mesh = true),
         INDEPENDENT_MESHES, .expect = {MESH_DRAW("flags-13364")},
         .text = {"created without VK_PIPELINE_LAYOUT_CREATE_NO_TASK_SHADER_BIT_KHR"})
LAID_OUT(independent_sets_with_a_task,
         (LAYOUT_FLAG | NO_TASK_FLAG, VK_SHADER_STAGE_MESH_BIT_EXT, .mesh = true, .task = true),
         INDEPENDENT_MESHES, .expect = {MESH_DRAW("flags-13365")})

/* --- input attachments --- */

static const VkPhysicalDeviceDynamicRenderingLocalReadFeatures local_reads = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_LOCAL_READ_FEATURES,
    .pNext = (void *)&objects,
    .dynamicRenderingLocalRead = VK_TRUE};

/* NULL: without an index. */
struct indices {
    uint32_t color, *depth, *stencil;
};

/* A descriptor of the attachment, for whichever index a shader has. */
static VkDescriptorSet make_input_set(struct baseline *b, VkDescriptorSetLayout layout,
                                      VkImageView view)
{
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 1};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .flags =
                                                 VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT,
                                             .maxSets = 1,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    const VkDescriptorSet set = make_descriptor_set(b, create_descriptor_pool(b, &pool), layout);
    const VkDescriptorImageInfo image = {VK_NULL_HANDLE, view, VK_IMAGE_LAYOUT_GENERAL};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = set,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
                                        .pImageInfo = &image};
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
    return set;
}

static void draw_input(struct baseline *b, VkShaderCreateInfoEXT fragment,
                       const struct indices *indices)
{
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 1,
                                                  VK_SHADER_STAGE_FRAGMENT_BIT, NULL};
    const VkDescriptorSetLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    const VkDescriptorSetLayout set_layout = create_descriptor_set_layout(b, &layout_info);
    const VkPipelineLayoutCreateInfo bound = {.sType =
                                                  VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                              .setLayoutCount = 1,
                                              .pSetLayouts = &set_layout};
    const VkImageView view = ATTACHMENT(.usage = VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT |
                                                 VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    const VkDescriptorSet set = make_input_set(b, set_layout, view);
    const VkRenderingInputAttachmentIndexInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentInputIndices = &indices->color,
        .pDepthInputAttachmentIndex = indices->depth,
        .pStencilInputAttachmentIndex = indices->stencil};
    VkRenderingAttachmentInfo color = rendering_attachment(view);
    color.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    const VkRenderingInfo rendering = rendering_info(&color);
    VkShaderCreateInfoEXT vertex = INFO(vertex, VERTEX);
    vertex.nextStage = VK_SHADER_STAGE_FRAGMENT_BIT;
    vertex.setLayoutCount = fragment.setLayoutCount = 1;
    vertex.pSetLayouts = fragment.pSetLayouts = &set_layout;
    VkCommandBuffer c = make_recording(b);
    vkCmdBeginRendering(c, &rendering);
    DEVICE_PROC(b, vkCmdSetRenderingInputAttachmentIndicesKHR)(c, &info);
    set_object_states(b, c, NOTHING);
    bind_shader_object(b, c, VK_SHADER_STAGE_VERTEX_BIT, make_shader_object(b, &vertex));
    bind_shader_object(b, c, VK_SHADER_STAGE_FRAGMENT_BIT, make_shader_object(b, &fragment));
    vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, create_pipeline_layout(b, &bound),
                            0, 1, &set, 0, NULL);
    vkCmdDraw(c, 3, 1, 0, 0);
}

static uint32_t two = 2, three = 3;
#define INPUT(name_, code_, indices_, ...)                                                  \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &local_reads,                       \
             .extensions = {"VK_EXT_shader_object", "VK_KHR_dynamic_rendering_local_read"}, \
             ##__VA_ARGS__)                                                                 \
    {                                                                                       \
        draw_input(b, INFO(code_, FRAGMENT), &(const struct indices){UNWRAP indices_});     \
    }
INPUT(objects_with_an_index, frag_input_1, (.color = 1))
INPUT(objects_with_an_unknown_index, frag_input_1, (.color = 0),
      .expect = {DRAW("InputAttachmentIndex-09597")},
      .text = {"input attachment \"image\" has InputAttachmentIndex 1, which no attachment"})
INPUT(objects_without_an_index, frag_input_plain, (.color = 0))
INPUT(objects_without_an_index_beside_two, frag_input_plain, (0, &two, &three),
      .expect = {DRAW("pDepthInputAttachmentIndex-09596")})
