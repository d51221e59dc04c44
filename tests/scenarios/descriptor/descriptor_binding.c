/* Sets that are bound, push descriptors, update templates, push constants (14.2.6 to 14.2.9). */
#include "scenario.h"

#define BIND(name_) "VUID-vkCmdBindDescriptorSets-" name_
#define GRAPHICS    VK_PIPELINE_BIND_POINT_GRAPHICS
#define COMPUTE     VK_PIPELINE_BIND_POINT_COMPUTE
#define STORAGE     VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
#define DYNAMIC     VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC
#define UNIFORM_DYN VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC

/* A layout of one set, and a set of it, with one binding. */
struct world {
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorSet set;
};

static struct world world_of(struct baseline *b, VkDescriptorType type,
                             VkDescriptorSetLayoutCreateFlags flags,
                             VkDescriptorPoolCreateFlags pool_flags)
{
    const VkDescriptorSetLayoutBinding binding = {
        .descriptorType = type, .descriptorCount = 1, .stageFlags = VK_SHADER_STAGE_ALL};
    const VkDescriptorPoolSize size = {type, 16};
    VkDescriptorSetLayoutCreateInfo info = descriptor_set_layout_info();
    VkDescriptorPoolCreateInfo pool = descriptor_pool_info();
    struct world w = {0};
    info.pBindings = &binding;
    info.flags = flags;
    pool.flags |= pool_flags;
    pool.poolSizeCount = 1;
    pool.pPoolSizes = &size;
    w.set_layout = create_descriptor_set_layout(b, &info);
    w.layout = make_pipeline_layout(b, w.set_layout);
    if (!(flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT))
        w.set = make_descriptor_set(b, create_descriptor_pool(b, &pool), w.set_layout);
    return w;
}

static void write_range(struct baseline *b, struct world w, VkDescriptorType type,
                        VkDeviceSize offset, VkDeviceSize range)
{
    const VkDescriptorBufferInfo info = {
        make_buffer(b, 1024,
                    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT),
        offset, range};
    VkWriteDescriptorSet write = write_buffer(w.set, &info);
    write.descriptorType = type;
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

SCENARIO(bind)
{
    struct world w = world_of(b, STORAGE, 0, 0), twin = world_of(b, STORAGE, 0, 0);
    VkCommandBuffer commands = make_recording(b);
    vkCmdBindDescriptorSets(commands, COMPUTE, w.layout, 0, 1, &w.set, 0, NULL);
    vkCmdBindDescriptorSets(commands, GRAPHICS, w.layout, 0, 1, &twin.set, 0, NULL);
}

SCENARIO(bind_set_of_other_layout, .expect = {BIND("pDescriptorSets-00358")})
{
    struct world w = world_of(b, STORAGE, 0, 0),
                 other = world_of(b, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 0, 0);
    vkCmdBindDescriptorSets(make_recording(b), COMPUTE, w.layout, 0, 1, &other.set, 0, NULL);
}

/* Layouts with immutable samplers: two objects with the same creation info, or not. */
static struct world world_of_sampler(struct baseline *b, VkFilter filter)
{
    VkSamplerCreateInfo sampler = sampler_info();
    sampler.magFilter = filter;
    const VkSampler immutable = create_sampler(b, &sampler);
    const VkDescriptorSetLayoutBinding binding = {.descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER,
                                                  .descriptorCount = 1,
                                                  .stageFlags = VK_SHADER_STAGE_ALL,
                                                  .pImmutableSamplers = &immutable};
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_SAMPLER, 1};
    VkDescriptorSetLayoutCreateInfo info = descriptor_set_layout_info();
    VkDescriptorPoolCreateInfo pool = descriptor_pool_info();
    struct world w = {0};
    info.pBindings = &binding;
    pool.poolSizeCount = 1;
    pool.pPoolSizes = &size;
    w.set_layout = create_descriptor_set_layout(b, &info);
    w.layout = make_pipeline_layout(b, w.set_layout);
    w.set = make_descriptor_set(b, create_descriptor_pool(b, &pool), w.set_layout);
    return w;
}

static void bind_other_sampler(struct baseline *b, VkFilter filter, bool second_form)
{
    struct world w = world_of_sampler(b, VK_FILTER_NEAREST), other = world_of_sampler(b, filter);
    VkCommandBuffer commands = make_recording(b);
    if (second_form)
        DEVICE_PROC(b, vkCmdBindDescriptorSets2KHR)
    (commands, &(VkBindDescriptorSetsInfo){.sType = VK_STRUCTURE_TYPE_BIND_DESCRIPTOR_SETS_INFO,
                                           .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                                           .layout = w.layout,
                                           .descriptorSetCount = 1,
                                           .pDescriptorSets = &other.set});
    else vkCmdBindDescriptorSets(commands, COMPUTE, w.layout, 0, 1, &other.set, 0, NULL);
}

#define BIND_2 .drivers = NULL_DRIVER, .extensions = {VK_KHR_MAINTENANCE_6_EXTENSION_NAME}
SCENARIO(bind_set_of_other_sampler_alike)
{
    bind_other_sampler(b, VK_FILTER_NEAREST, false);
}
SCENARIO(bind_set_of_other_sampler_alike_2, BIND_2)
{
    bind_other_sampler(b, VK_FILTER_NEAREST, true);
}
SCENARIO(bind_set_of_other_sampler, .expect = {BIND("pDescriptorSets-00358")})
{
    bind_other_sampler(b, VK_FILTER_LINEAR, false);
}
SCENARIO(bind_set_of_other_sampler_2, BIND_2,
         .expect = {"VUID-VkBindDescriptorSetsInfo-pDescriptorSets-00358"})
{
    bind_other_sampler(b, VK_FILTER_LINEAR, true);
}

SCENARIO(bind_behind_the_layout, .expect = {BIND("firstSet-00360")},
         .text = {"descriptorSetCount is 1, which with firstSet 1 goes beyond the 1 set of layout"})
{
    struct world w = world_of(b, STORAGE, 0, 0);
    vkCmdBindDescriptorSets(make_recording(b), COMPUTE, w.layout, 1, 1, &w.set, 0, NULL);
}

SCENARIO(bind_null, .expect = {BIND("pDescriptorSets-06563")})
{
    struct world w = world_of(b, STORAGE, 0, 0);
    VkDescriptorSet none = VK_NULL_HANDLE;
    vkCmdBindDescriptorSets(make_recording(b), COMPUTE, w.layout, 0, 1, &none, 0, NULL);
}

SCENARIO(bind_null_of_library,
         .extensions = {"VK_KHR_pipeline_library", "VK_EXT_graphics_pipeline_library"},
         .features = &(VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
             .graphicsPipelineLibrary = VK_TRUE})
{
    struct world w = world_of(b, STORAGE, 0, 0);
    VkDescriptorSet none = VK_NULL_HANDLE;
    vkCmdBindDescriptorSets(make_recording(b), GRAPHICS, w.layout, 0, 1, &none, 0, NULL);
}

SCENARIO(bind_host_only, .extensions = {"VK_EXT_mutable_descriptor_type"},
         .features =
             &(VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT){
                 .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT,
                 .mutableDescriptorType = VK_TRUE},
         .expect = {BIND("pDescriptorSets-04616")})
{
    struct world w = world_of(b, STORAGE, 0, VK_DESCRIPTOR_POOL_CREATE_HOST_ONLY_BIT_EXT);
    vkCmdBindDescriptorSets(make_recording(b), COMPUTE, w.layout, 0, 1, &w.set, 0, NULL);
}

/* The null driver with a queue family for transfers, and one for compute, beside the first. */
#define FAMILIES                                                                                \
    .drivers = NULL_DRIVER, .null_driver =                                                      \
                                "{\"queueFamilies\": [{\"flags\": [\"graphics\", \"compute\", " \
                                "\"transfer\"], \"count\": 1}, "                                \
                                "{\"flags\": [\"compute\", \"transfer\"], \"count\": 1}]}"

SCENARIO(bind_graphics_in_compute_family, FAMILIES, .expect = {BIND("pipelineBindPoint-00361")})
{
    struct world w = world_of(b, STORAGE, 0, 0);
    vkCmdBindDescriptorSets(make_recording_of(b, 1), GRAPHICS, w.layout, 0, 1, &w.set, 0, NULL);
}

SCENARIO(bind_compute_in_compute_family, FAMILIES)
{
    struct world w = world_of(b, STORAGE, 0, 0);
    vkCmdBindDescriptorSets(make_recording_of(b, 1), COMPUTE, w.layout, 0, 1, &w.set, 0, NULL);
}

/* --- dynamic offsets --- */

static void bind_dynamic(struct baseline *b, VkDescriptorType type, VkDeviceSize range,
                         uint32_t count, uint32_t offset)
{
    struct world w = world_of(b, type, 0, 0);
    write_range(b, w, type, 256, range);
    vkCmdBindDescriptorSets(make_recording(b), COMPUTE, w.layout, 0, 1, &w.set, count, &offset);
}

SCENARIO(dynamic_offset)
{
    bind_dynamic(b, DYNAMIC, 512, 1, 256);
    bind_dynamic(b, UNIFORM_DYN, VK_WHOLE_SIZE, 1, 0);
}

SCENARIO(dynamic_offsets_missing, .expect = {BIND("dynamicOffsetCount-00359")},
         .text = {"dynamicOffsetCount is 0, but the sets have 1 dynamic descriptors together"})
{
    bind_dynamic(b, DYNAMIC, 512, 0, 0);
}

SCENARIO(dynamic_offset_too_many, .expect = {BIND("dynamicOffsetCount-00359")})
{
    struct world w = world_of(b, STORAGE, 0, 0);
    const uint32_t offset = 0;
    vkCmdBindDescriptorSets(make_recording(b), COMPUTE, w.layout, 0, 1, &w.set, 1, &offset);
}

#define ALIGNED                                                                           \
    .drivers = NULL_DRIVER, .null_driver =                                                \
                                "{\"limits\": {\"minStorageBufferOffsetAlignment\": 16, " \
                                "\"minUniformBufferOffsetAlignment\": 64}}"

SCENARIO(dynamic_storage_offset_odd, ALIGNED, .expect = {BIND("pDynamicOffsets-01972")})
{
    bind_dynamic(b, DYNAMIC, 512, 1, 8);
}

SCENARIO(dynamic_uniform_offset_odd, ALIGNED, .expect = {BIND("pDynamicOffsets-01971")})
{
    bind_dynamic(b, UNIFORM_DYN, 512, 1, 32);
}

SCENARIO(dynamic_offset_beyond, .expect = {BIND("pDescriptorSets-01979")})
{
    bind_dynamic(b, DYNAMIC, 512, 1, 512);
}

SCENARIO(dynamic_offset_of_whole, .expect = {BIND("pDescriptorSets-06715")})
{
    bind_dynamic(b, DYNAMIC, VK_WHOLE_SIZE, 1, 256);
}

/* --- vkCmdBindDescriptorSets2 --- */

#define BIND2(name_) "VUID-VkBindDescriptorSetsInfo-" name_
static const VkPhysicalDeviceVulkan14Features maintenance6 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES,
    .maintenance6 = VK_TRUE,
    .pushDescriptor = VK_TRUE};
#define NEW .api_version = VK_API_VERSION_1_4, .features = &maintenance6

static VkBindDescriptorSetsInfo bind_info(VkShaderStageFlags stages, VkPipelineLayout layout,
                                          const VkDescriptorSet *set)
{
    return (VkBindDescriptorSetsInfo){.sType = VK_STRUCTURE_TYPE_BIND_DESCRIPTOR_SETS_INFO,
                                      .stageFlags = stages,
                                      .layout = layout,
                                      .descriptorSetCount = 1,
                                      .pDescriptorSets = set};
}

SCENARIO(bind2, NEW)
{
    struct world w = world_of(b, STORAGE, 0, 0);
    VkBindDescriptorSetsInfo info = bind_info(VK_SHADER_STAGE_ALL, w.layout, &w.set);
    DEVICE_PROC(b, vkCmdBindDescriptorSets2)(make_recording(b), &info);
}

SCENARIO(bind2_behind_the_layout, NEW, .expect = {BIND2("firstSet-00360")})
{
    struct world w = world_of(b, STORAGE, 0, 0);
    VkBindDescriptorSetsInfo info = bind_info(VK_SHADER_STAGE_COMPUTE_BIT, w.layout, &w.set);
    info.firstSet = 1;
    DEVICE_PROC(b, vkCmdBindDescriptorSets2)(make_recording(b), &info);
}

SCENARIO(bind2_without_layout, NEW, .expect = {BIND2("None-09495")})
{
    struct world w = world_of(b, STORAGE, 0, 0);
    VkBindDescriptorSetsInfo info = bind_info(VK_SHADER_STAGE_COMPUTE_BIT, VK_NULL_HANDLE, &w.set);
    DEVICE_PROC(b, vkCmdBindDescriptorSets2)(make_recording(b), &info);
}

SCENARIO(bind2_without_layout_in_chain, .drivers = NULL_DRIVER, .api_version = VK_API_VERSION_1_4,
         .extensions = {"VK_NV_per_stage_descriptor_set"},
         .features =
             &(VkPhysicalDevicePerStageDescriptorSetFeaturesNV){
                 .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PER_STAGE_DESCRIPTOR_SET_FEATURES_NV,
                 .pNext = (void *)&maintenance6,
                 .dynamicPipelineLayout = VK_TRUE},
         .expect = {BIND2("layout-09496")})
{
    struct world w = world_of(b, STORAGE, 0, 0);
    VkBindDescriptorSetsInfo info = bind_info(VK_SHADER_STAGE_COMPUTE_BIT, VK_NULL_HANDLE, &w.set);
    DEVICE_PROC(b, vkCmdBindDescriptorSets2)(make_recording(b), &info);
}

SCENARIO(bind2_graphics_in_compute_family, FAMILIES, NEW,
         .expect = {"VUID-vkCmdBindDescriptorSets2-pBindDescriptorSetsInfo-09467"})
{
    struct world w = world_of(b, STORAGE, 0, 0);
    VkBindDescriptorSetsInfo info = bind_info(VK_SHADER_STAGE_VERTEX_BIT, w.layout, &w.set);
    DEVICE_PROC(b, vkCmdBindDescriptorSets2)(make_recording_of(b, 1), &info);
}

/* --- push constants --- */

#define PUSH_CONSTANTS(name_) "VUID-vkCmdPushConstants-" name_
#define CONSTANTS_LIMIT \
    .drivers = NULL_DRIVER, .null_driver = "{\"limits\": {\"maxPushConstantsSize\": 128}}"

/* Into a layout with 16 bytes for all stages of graphics, and 16 to 32 for compute. */
static void push_constants(struct baseline *b, VkShaderStageFlags stages, uint32_t offset,
                           uint32_t size)
{
    static const uint32_t values[64];
    const VkPushConstantRange ranges[] = {{VK_SHADER_STAGE_ALL_GRAPHICS, 0, 16},
                                          {VK_SHADER_STAGE_COMPUTE_BIT, 16, 16}};
    VkPipelineLayoutCreateInfo info = pipeline_layout_info(NULL);
    info.pushConstantRangeCount = 2;
    info.pPushConstantRanges = ranges;
    vkCmdPushConstants(make_recording(b), create_pipeline_layout(b, &info), stages, offset, size,
                       values);
}

SCENARIO(constants)
{
    push_constants(b, VK_SHADER_STAGE_ALL_GRAPHICS, 4, 8);
    push_constants(b, VK_SHADER_STAGE_COMPUTE_BIT, 16, 16);
}

SCENARIO(constants_of_no_range, .expect = {PUSH_CONSTANTS("offset-01795")})
{
    push_constants(b, VK_SHADER_STAGE_COMPUTE_BIT, 24, 16);
}

SCENARIO(constants_of_some_stages, .expect = {PUSH_CONSTANTS("offset-01796")})
{
    push_constants(b, VK_SHADER_STAGE_VERTEX_BIT, 0, 16);
}

SCENARIO(constants_offset_odd, .expect = {PUSH_CONSTANTS("offset-00368")})
{
    push_constants(b, VK_SHADER_STAGE_ALL_GRAPHICS, 2, 4);
}

SCENARIO(constants_size_odd, .expect = {PUSH_CONSTANTS("size-00369")})
{
    push_constants(b, VK_SHADER_STAGE_ALL_GRAPHICS, 0, 6);
}

SCENARIO(constants_behind, CONSTANTS_LIMIT, .expect = {PUSH_CONSTANTS("offset-00370")})
{
    push_constants(b, VK_SHADER_STAGE_COMPUTE_BIT, 128, 4);
}

SCENARIO(constants_beyond, CONSTANTS_LIMIT, .expect = {PUSH_CONSTANTS("size-00371")})
{
    push_constants(b, VK_SHADER_STAGE_COMPUTE_BIT, 16, 116);
}

SCENARIO(constants2_of_no_range, NEW, .expect = {"VUID-VkPushConstantsInfo-offset-01795"})
{
    const uint32_t values[8] = {0};
    VkPushConstantsInfo info = {.sType = VK_STRUCTURE_TYPE_PUSH_CONSTANTS_INFO,
                                .layout = make_empty_pipeline_layout(b),
                                .stageFlags = VK_SHADER_STAGE_ALL,
                                .offset = 0,
                                .size = 32,
                                .pValues = values};
    DEVICE_PROC(b, vkCmdPushConstants2)(make_recording(b), &info);
}

SCENARIO(constants2_without_layout, NEW, .expect = {"VUID-VkPushConstantsInfo-None-09495"})
{
    const uint32_t value = 0;
    VkPushConstantsInfo info = {.sType = VK_STRUCTURE_TYPE_PUSH_CONSTANTS_INFO,
                                .stageFlags = VK_SHADER_STAGE_ALL,
                                .size = 4,
                                .pValues = &value};
    DEVICE_PROC(b, vkCmdPushConstants2)(make_recording(b), &info);
}

/* --- push descriptors --- */

#define PUSH(name_) "VUID-vkCmdPushDescriptorSet-" name_
#define PUSH_FLAG   VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT
#define PUSHING     .extensions = {"VK_KHR_push_descriptor"}

static void push_into(struct baseline *b, VkCommandBuffer commands, VkPipelineBindPoint point,
                      struct world w, uint32_t set, VkDescriptorType type)
{
    const VkDescriptorBufferInfo info = {
        make_buffer(b, 256,
                    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT),
        0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = write_buffer(VK_NULL_HANDLE, &info);
    write.descriptorType = type;
    DEVICE_PROC(b, vkCmdPushDescriptorSetKHR)(commands, point, w.layout, set, 1, &write);
}

SCENARIO(push, PUSHING)
{
    push_into(b, make_recording(b), COMPUTE, world_of(b, STORAGE, PUSH_FLAG, 0), 0, STORAGE);
}

SCENARIO(push_of_other_type, PUSHING, .expect = {"VUID-VkWriteDescriptorSet-descriptorType-00319"})
{
    push_into(b, make_recording(b), COMPUTE, world_of(b, STORAGE, PUSH_FLAG, 0), 0,
              VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
}

SCENARIO(push_behind_the_layout, PUSHING, .expect = {PUSH("set-00364")})
{
    push_into(b, make_recording(b), COMPUTE, world_of(b, STORAGE, PUSH_FLAG, 0), 1, STORAGE);
}

SCENARIO(push_to_other_set, PUSHING, .expect = {PUSH("set-00365")})
{
    push_into(b, make_recording(b), COMPUTE, world_of(b, STORAGE, 0, 0), 0, STORAGE);
}

SCENARIO(push_graphics_in_compute_family, FAMILIES, PUSHING,
         .expect = {PUSH("pipelineBindPoint-00363")})
{
    push_into(b, make_recording_of(b, 1), GRAPHICS, world_of(b, STORAGE, PUSH_FLAG, 0), 0, STORAGE);
}

SCENARIO(push_images_missing, PUSHING, .expect = {PUSH("pDescriptorWrites-06494")})
{
    struct world w = world_of(b, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, PUSH_FLAG, 0);
    VkWriteDescriptorSet write = write_buffer(VK_NULL_HANDLE, NULL);
    write.descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    DEVICE_PROC(b, vkCmdPushDescriptorSetKHR)(make_recording(b), COMPUTE, w.layout, 0, 1, &write);
}

static void push_descriptors2(struct baseline *b, VkCommandBuffer commands,
                              VkShaderStageFlags stages, VkPipelineLayout layout)
{
    const VkDescriptorBufferInfo buffer = {make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
                                           0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = write_buffer(VK_NULL_HANDLE, &buffer);
    const VkPushDescriptorSetInfo info = {.sType = VK_STRUCTURE_TYPE_PUSH_DESCRIPTOR_SET_INFO,
                                          .stageFlags = stages,
                                          .layout = layout,
                                          .descriptorWriteCount = 1,
                                          .pDescriptorWrites = &write};
    DEVICE_PROC(b, vkCmdPushDescriptorSet2)(commands, &info);
}

SCENARIO(push2_descriptors, NEW)
{
    push_descriptors2(b, make_recording(b), VK_SHADER_STAGE_ALL,
                      world_of(b, STORAGE, PUSH_FLAG, 0).layout);
}

SCENARIO(push2_to_other_set, NEW, .expect = {"VUID-VkPushDescriptorSetInfo-set-00365"})
{
    push_descriptors2(b, make_recording(b), VK_SHADER_STAGE_ALL, world_of(b, STORAGE, 0, 0).layout);
}

SCENARIO(push2_graphics_in_compute_family, FAMILIES, NEW,
         .expect = {"VUID-vkCmdPushDescriptorSet2-pPushDescriptorSetInfo-09468"})
{
    push_descriptors2(b, make_recording_of(b, 1), VK_SHADER_STAGE_FRAGMENT_BIT,
                      world_of(b, STORAGE, PUSH_FLAG, 0).layout);
}

static const VkPhysicalDeviceVulkan14Features only_maintenance6 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES, .maintenance6 = VK_TRUE};

SCENARIO(push_not_enabled, .api_version = VK_API_VERSION_1_4, .features = &only_maintenance6,
         .expect = {PUSH("None-10356")})
{
    struct world w = world_of(b, STORAGE, 0, 0);
    const VkDescriptorBufferInfo buffer = {make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
                                           0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = write_buffer(VK_NULL_HANDLE, &buffer);
    DEVICE_PROC(b, vkCmdPushDescriptorSet)(make_recording(b), COMPUTE, w.layout, 0, 1, &write);
}

SCENARIO(push2_not_enabled, .api_version = VK_API_VERSION_1_4, .features = &only_maintenance6,
         .expect = {"VUID-vkCmdPushDescriptorSet2-None-10357"})
{
    push_descriptors2(b, make_recording(b), VK_SHADER_STAGE_ALL, world_of(b, STORAGE, 0, 0).layout);
}

/* --- update templates --- */

#define TEMPLATE(name_) "VUID-VkDescriptorUpdateTemplateCreateInfo-" name_
#define ENTRY(name_)    "VUID-VkDescriptorUpdateTemplateEntry-" name_

static VkDescriptorUpdateTemplateEntry entry_of(VkDescriptorType type, uint32_t binding,
                                                uint32_t element, uint32_t count)
{
    return (VkDescriptorUpdateTemplateEntry){.dstBinding = binding,
                                             .dstArrayElement = element,
                                             .descriptorCount = count,
                                             .descriptorType = type,
                                             .stride = sizeof(VkDescriptorBufferInfo)};
}

static void template_of(struct baseline *b, VkDescriptorUpdateTemplateEntry entry)
{
    const VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 1,
        .pDescriptorUpdateEntries = &entry,
        .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
        .descriptorSetLayout = world_of(b, STORAGE, 0, 0).set_layout};
    create_descriptor_update_template(b, &info);
}

SCENARIO(template)
{
    template_of(b, entry_of(STORAGE, 0, 0, 1));
}

SCENARIO(template_of_no_binding, .expect = {ENTRY("dstBinding-00354")})
{
    template_of(b, entry_of(STORAGE, 1, 0, 1));
}

SCENARIO(template_beyond, .expect = {ENTRY("dstArrayElement-00355")})
{
    template_of(b, entry_of(STORAGE, 0, 1, 1));
}

static void inline_template(struct baseline *b, uint32_t element, uint32_t count)
{
    const VkDescriptorSetLayoutBinding binding = {.descriptorType =
                                                      VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK,
                                                  .descriptorCount = 32,
                                                  .stageFlags = VK_SHADER_STAGE_ALL};
    VkDescriptorSetLayoutCreateInfo layout = descriptor_set_layout_info();
    layout.pBindings = &binding;
    const VkDescriptorUpdateTemplateEntry entry =
        entry_of(VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 0, element, count);
    const VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 1,
        .pDescriptorUpdateEntries = &entry,
        .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
        .descriptorSetLayout = create_descriptor_set_layout(b, &layout)};
    create_descriptor_update_template(b, &info);
}

#define INLINE                                                          \
    .features = &(VkPhysicalDeviceVulkan13Features)                     \
    {                                                                   \
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, \
        .inlineUniformBlock = VK_TRUE                                   \
    }

SCENARIO(template_inline, INLINE)
{
    inline_template(b, 4, 8);
}

SCENARIO(template_inline_element_odd, INLINE, .expect = {ENTRY("descriptor-02226")})
{
    inline_template(b, 2, 8);
}

SCENARIO(template_inline_count_odd, INLINE, .expect = {ENTRY("descriptor-02227")})
{
    inline_template(b, 0, 6);
}

SCENARIO(template_of_mutable, .extensions = {"VK_EXT_mutable_descriptor_type"},
         .features =
             &(VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT){
                 .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT,
                 .mutableDescriptorType = VK_TRUE},
         .expect = {TEMPLATE("templateType-04615")})
{
    static const VkDescriptorType type = STORAGE;
    const VkMutableDescriptorTypeListEXT list = {1, &type};
    const VkMutableDescriptorTypeCreateInfoEXT lists = {
        .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
        .mutableDescriptorTypeListCount = 1,
        .pMutableDescriptorTypeLists = &list};
    const VkDescriptorSetLayoutBinding binding = {.descriptorType = VK_DESCRIPTOR_TYPE_MUTABLE_EXT,
                                                  .descriptorCount = 1,
                                                  .stageFlags = VK_SHADER_STAGE_ALL};
    VkDescriptorSetLayoutCreateInfo layout = descriptor_set_layout_info();
    layout.pNext = &lists;
    layout.pBindings = &binding;
    const VkDescriptorUpdateTemplateEntry entry = entry_of(STORAGE, 0, 0, 1);
    const VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 1,
        .pDescriptorUpdateEntries = &entry,
        .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
        .descriptorSetLayout = create_descriptor_set_layout(b, &layout)};
    create_descriptor_update_template(b, &info);
}

static VkDescriptorUpdateTemplate push_template(struct baseline *b, struct world w,
                                                VkPipelineBindPoint point, uint32_t set)
{
    const VkDescriptorUpdateTemplateEntry entry = entry_of(STORAGE, 0, 0, 1);
    const VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 1,
        .pDescriptorUpdateEntries = &entry,
        .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS,
        .pipelineBindPoint = point,
        .pipelineLayout = w.layout,
        .set = set};
    return create_descriptor_update_template(b, &info);
}

SCENARIO(push_template_of_other_set, PUSHING, .expect = {TEMPLATE("templateType-00353")})
{
    push_template(b, world_of(b, STORAGE, 0, 0), COMPUTE, 0);
}

SCENARIO(push_template_bind_point, PUSHING, .expect = {TEMPLATE("templateType-00351")})
{
    push_template(b, world_of(b, STORAGE, PUSH_FLAG, 0), (VkPipelineBindPoint)77, 0);
}

SCENARIO(push_template_not_enabled, .api_version = VK_API_VERSION_1_4,
         .expect = {TEMPLATE("templateType-10355")})
{
    push_template(b, world_of(b, STORAGE, 0, 0), COMPUTE, 0);
}

#define WITH_TEMPLATE(name_) "VUID-vkCmdPushDescriptorSetWithTemplate-" name_

static void push_by(struct baseline *b, VkCommandBuffer commands,
                    VkDescriptorUpdateTemplate template, VkPipelineLayout layout, uint32_t set)
{
    const VkDescriptorBufferInfo data = {make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), 0,
                                         VK_WHOLE_SIZE};
    DEVICE_PROC(b, vkCmdPushDescriptorSetWithTemplateKHR)(commands, template, layout, set, &data);
}

SCENARIO(push_by_template, PUSHING)
{
    struct world w = world_of(b, STORAGE, PUSH_FLAG, 0);
    push_by(b, make_recording(b), push_template(b, w, COMPUTE, 0), w.layout, 0);
}

SCENARIO(push_by_set_template, PUSHING, .expect = {WITH_TEMPLATE("descriptorUpdateTemplate-07994")})
{
    struct world w = world_of(b, STORAGE, PUSH_FLAG, 0);
    push_by(b, make_recording(b), make_descriptor_update_template(b, make_descriptor_set_layout(b)),
            w.layout, 0);
}

/* Layouts of two sets, the second one for push descriptors. */
static VkPipelineLayout two_sets(struct baseline *b, VkShaderStageFlags constants)
{
    const VkDescriptorSetLayout sets[] = {world_of(b, STORAGE, 0, 0).set_layout,
                                          world_of(b, STORAGE, PUSH_FLAG, 0).set_layout};
    const VkPushConstantRange range = {constants, 0, 16};
    VkPipelineLayoutCreateInfo info = pipeline_layout_info(sets);
    info.setLayoutCount = 2;
    info.pPushConstantRanges = &range;
    return create_pipeline_layout(b, &info);
}

SCENARIO(push_by_template_of_other_set, PUSHING, .expect = {WITH_TEMPLATE("set-07995")})
{
    struct world w = world_of(b, STORAGE, PUSH_FLAG, 0),
                 two = {.layout = two_sets(b, VK_SHADER_STAGE_ALL)};
    push_by(b, make_recording(b), push_template(b, two, COMPUTE, 1), w.layout, 0);
}

SCENARIO(push_by_template_of_other_layout, PUSHING, .expect = {WITH_TEMPLATE("layout-07993")})
{
    struct world two = {.layout = two_sets(b, VK_SHADER_STAGE_ALL)};
    push_by(b, make_recording(b), push_template(b, two, COMPUTE, 1),
            two_sets(b, VK_SHADER_STAGE_COMPUTE_BIT), 1);
}

SCENARIO(push_by_template_behind, PUSHING, .expect = {WITH_TEMPLATE("set-07995")})
{
    struct world w = world_of(b, STORAGE, PUSH_FLAG, 0);
    push_by(b, make_recording(b), push_template(b, w, COMPUTE, 0), w.layout, 1);
}

SCENARIO(push_by_template_behind_its_layout, PUSHING, .expect = {WITH_TEMPLATE("set-07304")})
{
    struct world w = world_of(b, STORAGE, PUSH_FLAG, 0),
                 two = {.layout = two_sets(b, VK_SHADER_STAGE_ALL)};
    push_by(b, make_recording(b), push_template(b, two, COMPUTE, 1), w.layout, 1);
}

SCENARIO(push_by_template_to_plain_set, PUSHING, .expect = {WITH_TEMPLATE("set-07305")})
{
    struct world w = world_of(b, STORAGE, PUSH_FLAG, 0);
    push_by(b, make_recording(b), push_template(b, w, COMPUTE, 0),
            world_of(b, STORAGE, 0, 0).layout, 0);
}

SCENARIO(push_by_template_to_other_set, PUSHING, .expect = {WITH_TEMPLATE("set-07995")})
{
    struct world two = {.layout = two_sets(b, VK_SHADER_STAGE_ALL)};
    push_by(b, make_recording(b), push_template(b, two, COMPUTE, 1), two.layout, 0);
}

SCENARIO(push_by_graphics_template_in_compute_family, FAMILIES, PUSHING,
         .expect = {WITH_TEMPLATE("commandBuffer-00366")})
{
    struct world w = world_of(b, STORAGE, PUSH_FLAG, 0);
    push_by(b, make_recording_of(b, 1), push_template(b, w, GRAPHICS, 0), w.layout, 0);
}

SCENARIO(push_by_template_not_enabled, .api_version = VK_API_VERSION_1_4, .drivers = NULL_DRIVER,
         .proceed = true, .expect = {WITH_TEMPLATE("None-10358"), TEMPLATE("templateType-10355")},
         .text = {"pushDescriptor"})
{
    struct world w = world_of(b, STORAGE, 0, 0);
    const VkDescriptorBufferInfo data = {make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), 0,
                                         VK_WHOLE_SIZE};
    DEVICE_PROC(b, vkCmdPushDescriptorSetWithTemplate)
    (make_recording(b), push_template(b, w, COMPUTE, 0), w.layout, 0, &data);
}

/* Only layouts of pipeline libraries have sets that are not there. */
static const VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
    .graphicsPipelineLibrary = VK_TRUE};
SCENARIO(push_by_template_to_no_set, .features = &libraries, .drivers = NULL_DRIVER,
         .extensions = {"VK_KHR_push_descriptor", "VK_KHR_pipeline_library",
                        "VK_EXT_graphics_pipeline_library"},
         .expect = {WITH_TEMPLATE("set-11854")},
         .text = {"set is 1, which is VK_NULL_HANDLE in layout"})
{
    struct world w = world_of(b, STORAGE, 0, 0), two = {.layout = two_sets(b, VK_SHADER_STAGE_ALL)};
    const VkDescriptorSetLayout sets[2] = {w.set_layout, VK_NULL_HANDLE};
    VkPipelineLayoutCreateInfo info = pipeline_layout_info(sets);
    info.flags = VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT;
    info.setLayoutCount = 2;
    push_by(b, make_recording(b), push_template(b, two, COMPUTE, 1),
            create_pipeline_layout(b, &info), 1);
}
