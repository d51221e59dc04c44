/* Dispatches and draws of all kinds with shader objects: their descriptors are valid, and the sets
 * have their layouts. (What images must be fit for is in descriptor_contents.c.) */
#include "shader/shader_objects.h"
#include "raytracing/acceleration_structure_builder.h"

#include "shader_descriptor_contents.h"

#define PLACED(...) {__VA_ARGS__}

/* --- dispatches --- */

enum thing {
    STORAGE_BUFFER,
    UNIFORM_BUFFER,
    STORAGE_TEXELS,
    UNIFORM_TEXELS,
    STORAGE_IMAGE,
    COMBINED,
    SEPARATE, /* a sampler, and an image in binding 2 */
    STRUCTURE,
};
static const struct thing_kind {
    VkDescriptorType type;
    const uint32_t *code; /* reads it in binding 0, and writes to binding 1 */
    size_t size;
} kinds[] = {
    [STORAGE_BUFFER] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, spirv_loaded, sizeof(spirv_loaded)},
    [UNIFORM_BUFFER] = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, spirv_loaded_uniform,
                        sizeof(spirv_loaded_uniform)},
    [STORAGE_TEXELS] = {VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, spirv_texels_atomic,
                        sizeof(spirv_texels_atomic)},
    [UNIFORM_TEXELS] = {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, spirv_fetched_texels,
                        sizeof(spirv_fetched_texels)},
    [STORAGE_IMAGE] = {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, spirv_stored_write,
                       sizeof(spirv_stored_write)},
    [COMBINED] = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, spirv_sampled, sizeof(spirv_sampled)},
    [SEPARATE] = {VK_DESCRIPTOR_TYPE_SAMPLER, spirv_separate, sizeof(spirv_separate)},
    [STRUCTURE] = {VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, spirv_traced,
                   sizeof(spirv_traced)},
};

struct dispatched {
    enum thing thing;
    bool unwritten; /* binding 0 */
    bool destroyed; /* what binding 0 refers to */
    bool null;      /* the descriptor in binding 0 */
    bool late;      /* binding 0 is written after the dispatch, before the submit */
    VkDescriptorBindingFlags flags;
    void (*act)(struct baseline *b, VkCommandBuffer c);
};

/* The objects that binding 0 refers to. */
struct made {
    VkBuffer buffer;
    VkBufferView texels;
    VkImage image;
    VkImageView view;
    VkSampler sampler;
    VkAccelerationStructureKHR structure;
};

static VkImage make_readable_image(struct baseline *b, VkCommandBuffer c)
{
    const VkImage image = make_image(b, VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT);
    const VkImageMemoryBarrier barrier =
        image_barrier(image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         0, 0, NULL, 0, NULL, 1, &barrier);
    return image;
}

static VkBufferView make_texels(struct baseline *b, VkBuffer buffer, VkFormat format)
{
    VkBufferViewCreateInfo info = buffer_view_info(buffer);
    info.format = format;
    return create_buffer_view(b, &info);
}

static struct made make_thing(struct baseline *b, VkCommandBuffer c, enum thing thing)
{
    struct made made = {.buffer = VK_NULL_HANDLE};
    VkSamplerCreateInfo sampler = sampler_info();
    sampler.anisotropyEnable = VK_FALSE;
    switch (thing) {
    case STORAGE_BUFFER:
        made.buffer = make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
        break;
    case UNIFORM_BUFFER:
        made.buffer = make_buffer(b, 256, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
        break;
    case STORAGE_TEXELS:
        made.buffer = make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT);
        made.texels = make_texels(b, made.buffer, VK_FORMAT_R32_UINT);
        break;
    case UNIFORM_TEXELS:
        made.buffer = make_buffer(b, 256, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);
        made.texels = make_texels(b, made.buffer, COLOR_FORMAT);
        break;
    case STRUCTURE:
        made.structure = make_structure(b, VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR);
        break;
    default:
        made.image = make_readable_image(b, c);
        const VkImageViewCreateInfo view = image_view_info(made.image);
        made.view = create_image_view(b, &view);
        made.sampler = create_sampler(b, &sampler);
        break;
    }
    return made;
}

static void destroy_thing(struct baseline *b, enum thing thing, const struct made *made)
{
    switch (thing) {
    case STORAGE_BUFFER:
    case UNIFORM_BUFFER:
        FORGET(b, made->buffer);
        vkDestroyBuffer(b->device, made->buffer, NULL);
        break;
    case STORAGE_TEXELS:
    case UNIFORM_TEXELS:
        FORGET(b, made->texels);
        vkDestroyBufferView(b->device, made->texels, NULL);
        break;
    case STRUCTURE:
        FORGET(b, made->structure);
        DEVICE_PROC(b, vkDestroyAccelerationStructureKHR)(b->device, made->structure, NULL);
        break;
    case SEPARATE:
        FORGET(b, made->sampler);
        vkDestroySampler(b->device, made->sampler, NULL);
        break;
    default:
        FORGET(b, made->view);
        vkDestroyImageView(b->device, made->view, NULL);
        break;
    }
}

/* Binding 0, in which `made` stands, a storage buffer in binding 1, and an image in binding 2. */
static VkDescriptorSetLayout make_dispatched_layout(struct baseline *b, const struct dispatched *d)
{
    const VkDescriptorBindingFlags flags[3] = {d->flags};
    const VkDescriptorSetLayoutBindingFlagsCreateInfo flags_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = 3,
        .pBindingFlags = flags};
    const VkDescriptorSetLayoutBinding bindings[3] = {
        {0, kinds[d->thing].type, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {2, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    const bool later = d->flags & VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT;
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .pNext = d->flags ? &flags_info : NULL,
        .flags = later ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT : 0,
        .bindingCount = 3,
        .pBindings = bindings};
    return create_descriptor_set_layout(b, &info);
}

static VkDescriptorSet make_dispatched_set(struct baseline *b, const struct dispatched *d,
                                           VkDescriptorSetLayout layout)
{
    const VkDescriptorPoolSize sizes[] = {{kinds[d->thing].type, 1},
                                          {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1},
                                          {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1}};
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT |
                 (d->flags & VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT
                      ? VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT
                      : (VkDescriptorPoolCreateFlags)0),
        .maxSets = 1,
        .poolSizeCount = sizeof(sizes) / sizeof(sizes[0]),
        .pPoolSizes = sizes};
    return make_descriptor_set(b, create_descriptor_pool(b, &info), layout);
}

static void write_thing(struct baseline *b, const struct dispatched *d, const struct made *made,
                        VkDescriptorSet set)
{
    const VkDescriptorBufferInfo buffer = {d->null ? VK_NULL_HANDLE : made->buffer, 0,
                                           VK_WHOLE_SIZE};
    const VkDescriptorImageInfo image = {made->sampler, made->view, VK_IMAGE_LAYOUT_GENERAL};
    const VkWriteDescriptorSetAccelerationStructureKHR structure = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR,
        .accelerationStructureCount = 1,
        .pAccelerationStructures = &made->structure};
    VkWriteDescriptorSet write = write_buffer(set, &buffer);
    write.descriptorType = kinds[d->thing].type;
    write.pNext = d->thing == STRUCTURE ? &structure : NULL;
    write.pImageInfo = &image;
    write.pTexelBufferView = &made->texels;
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

static void write_others(struct baseline *b, VkCommandBuffer c, VkDescriptorSet set)
{
    const VkDescriptorBufferInfo buffer = {make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
                                           0, VK_WHOLE_SIZE};
    const VkImageViewCreateInfo view = image_view_info(make_readable_image(b, c));
    const VkDescriptorImageInfo image = {VK_NULL_HANDLE, create_image_view(b, &view),
                                         VK_IMAGE_LAYOUT_GENERAL};
    VkWriteDescriptorSet writes[2] = {write_buffer(set, &buffer), write_buffer(set, &buffer)};
    writes[0].dstBinding = 1;
    writes[1].dstBinding = 2;
    writes[1].descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    writes[1].pImageInfo = &image;
    vkUpdateDescriptorSets(b->device, 2, writes, 0, NULL);
}

static VkShaderCreateInfoEXT compute_object(const uint32_t *code, size_t size, uint32_t set_count,
                                            const VkDescriptorSetLayout *layouts)
{
    return (VkShaderCreateInfoEXT){.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                   .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                   .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                   .codeSize = size,
                                   .pCode = code,
                                   .pName = "main",
                                   .setLayoutCount = set_count,
                                   .pSetLayouts = layouts};
}

static VkPipelineLayout layout_of_sets(struct baseline *b, uint32_t count,
                                       const VkDescriptorSetLayout *layouts)
{
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .setLayoutCount = count,
                                             .pSetLayouts = layouts};
    return create_pipeline_layout(b, &info);
}

static void bind_sets_at(VkCommandBuffer c, VkPipelineBindPoint point, VkPipelineLayout layout,
                         uint32_t first, VkDescriptorSet set)
{
    vkCmdBindDescriptorSets(c, point, layout, first, 1, &set, 0, NULL);
}

static void dispatch_thing(struct baseline *b, struct dispatched d)
{
    const VkDescriptorSetLayout layout = make_dispatched_layout(b, &d);
    const VkShaderCreateInfoEXT info =
        compute_object(kinds[d.thing].code, kinds[d.thing].size, 1, &layout);
    const VkCommandBuffer c = make_recording(b);
    const struct made made = make_thing(b, c, d.thing);
    const VkDescriptorSet set = make_dispatched_set(b, &d, layout);
    write_others(b, c, set);
    if (!d.unwritten && !d.late)
        write_thing(b, &d, &made, set);
    if (d.destroyed)
        destroy_thing(b, d.thing, &made);
    bind_shader_object(b, c, VK_SHADER_STAGE_COMPUTE_BIT, make_shader_object(b, &info));
    bind_sets_at(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout_of_sets(b, 1, &layout), 0, set);
    if (d.act)
        d.act(b, c);
    else
        vkCmdDispatch(c, 1, 1, 1);
    if (d.late)
        write_thing(b, &d, &made, set);
}

static const VkPhysicalDeviceFeatures2 plain = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)&objects,
    .features = {.shaderStorageImageReadWithoutFormat = VK_TRUE,
                 .shaderStorageImageWriteWithoutFormat = VK_TRUE}};
static const VkPhysicalDeviceVulkan12Features indexing = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    .pNext = (void *)(uintptr_t)&plain,
    .descriptorBindingPartiallyBound = VK_TRUE,
    .descriptorBindingStorageBufferUpdateAfterBind = VK_TRUE,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceRobustness2FeaturesEXT nulls = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT,
    .pNext = (void *)(uintptr_t)&plain,
    .nullDescriptor = VK_TRUE};
static const VkPhysicalDeviceRayQueryFeaturesKHR queries = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_QUERY_FEATURES_KHR,
    .pNext = (void *)(uintptr_t)&indexing,
    .rayQuery = VK_TRUE};
static const VkPhysicalDeviceAccelerationStructureFeaturesKHR structures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
    .pNext = (void *)(uintptr_t)&queries,
    .accelerationStructure = VK_TRUE};
#define OBJECT_SETS \
    .drivers = NULL_DRIVER, .features = &indexing, .extensions = {"VK_EXT_shader_object"}
#define OBJECT_NULLS                            \
    .drivers = NULL_DRIVER, .features = &nulls, \
    .extensions = {"VK_EXT_shader_object", "VK_EXT_robustness2"}
#define OBJECT_STRUCTURES                                                                       \
    .drivers = NULL_DRIVER, .features = &structures,                                            \
    .extensions = {"VK_EXT_shader_object", "VK_KHR_acceleration_structure", "VK_KHR_ray_query", \
                   "VK_KHR_deferred_host_operations"}

#define DISPATCH(id_) "VUID-vkCmdDispatch-" id_
#define IN_SHADER(thing_) \
    "whose binding 0 (\"" thing_ "\" in the shader of VK_SHADER_STAGE_COMPUTE_BIT) "
#define DISPATCHED(name_, dispatched_, ...)                       \
    SCENARIO(name_, __VA_ARGS__)                                  \
    {                                                             \
        dispatch_thing(b, (struct dispatched)PLACED dispatched_); \
    }
#define OF_THING(name_, thing_, variable_, type_, device_)                  \
    DISPATCHED(name_, (thing_), device_)                                    \
    DISPATCHED(name_##_never_written, (thing_, .unwritten = true), device_, \
               .expect = {DISPATCH("None-08114")},                          \
               .text = {IN_SHADER(variable_) "was never written"})          \
    DISPATCHED(name_##_destroyed, (thing_, .destroyed = true), device_,     \
               .expect = {DISPATCH("None-08114")},                          \
               .text = {IN_SHADER(variable_) "refers to a " type_ " that has been destroyed"})
OF_THING(storage_buffer, STORAGE_BUFFER, "thing", "VkBuffer", OBJECT_SETS)
OF_THING(uniform_buffer, UNIFORM_BUFFER, "thing", "VkBuffer", OBJECT_SETS)
OF_THING(storage_texels, STORAGE_TEXELS, "image", "VkBufferView", OBJECT_SETS)
OF_THING(uniform_texels, UNIFORM_TEXELS, "texels", "VkBufferView", OBJECT_SETS)
OF_THING(storage_image, STORAGE_IMAGE, "image", "VkImageView", OBJECT_SETS)
OF_THING(combined, COMBINED, "image", "VkImageView", OBJECT_SETS)
OF_THING(separate, SEPARATE, "smooth_one", "VkSampler", OBJECT_SETS)
OF_THING(structure, STRUCTURE, "scene", "VkAccelerationStructureKHR", OBJECT_STRUCTURES)

/* --- descriptors that need not be there --- */

DISPATCHED(partially_bound,
           (STORAGE_BUFFER, .unwritten = true, .flags = VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT),
           OBJECT_SETS)
DISPATCHED(written_after_the_dispatch,
           (STORAGE_BUFFER, .late = true, .flags = VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT),
           OBJECT_SETS)
/* "If the nullDescriptor feature is enabled, a null descriptor is also considered valid." */
DISPATCHED(null_buffer, (STORAGE_BUFFER, .null = true), OBJECT_NULLS)

/* --- twins of vkCmdDispatch --- */

static VkBuffer make_indirect(struct baseline *b)
{
    return make_buffer(b, 256, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
}

static void dispatch_indirect_bound(struct baseline *b, VkCommandBuffer c)
{
    vkCmdDispatchIndirect(c, make_indirect(b), 0);
}

static void dispatch_from_base(struct baseline *b, VkCommandBuffer c)
{
    (void)b;
    vkCmdDispatchBase(c, 0, 0, 0, 1, 1, 1);
}

#define DISPATCHED_BY(name_, act_, command_)                                            \
    DISPATCHED(name_, (STORAGE_BUFFER, .act = act_), OBJECT_SETS)                       \
    DISPATCHED(name_##_never_written, (STORAGE_BUFFER, .unwritten = true, .act = act_), \
               OBJECT_SETS, .expect = {"VUID-" command_ "-None-08114"})
DISPATCHED_BY(indirect, dispatch_indirect_bound, "vkCmdDispatchIndirect")
DISPATCHED_BY(from_base, dispatch_from_base, "vkCmdDispatchBase")

/* --- sets that are used again --- */

/* A set and its layout, of which binding 0 and 1 are storage buffers. */
struct reused {
    VkDescriptorSetLayout layout;
    VkDescriptorSet set;
    struct made made;
    VkPipelineLayout bound;
    VkCommandBuffer commands;
};

static struct reused make_reused(struct baseline *b)
{
    const struct dispatched d = {STORAGE_BUFFER};
    struct reused r = {.layout = make_dispatched_layout(b, &d), .commands = make_recording(b)};
    r.set = make_dispatched_set(b, &d, r.layout);
    r.made = make_thing(b, r.commands, STORAGE_BUFFER);
    r.bound = layout_of_sets(b, 1, &r.layout);
    write_others(b, r.commands, r.set);
    write_thing(b, &d, &r.made, r.set);
    return r;
}

static void dispatch_reused(struct baseline *b, const struct reused *r, VkShaderEXT shader)
{
    bind_shader_object(b, r->commands, VK_SHADER_STAGE_COMPUTE_BIT, shader);
    bind_sets_at(r->commands, VK_PIPELINE_BIND_POINT_COMPUTE, r->bound, 0, r->set);
    vkCmdDispatch(r->commands, 1, 1, 1);
}

/* Each time that it is wrong it is said, once. */
#define EXPECT_FINDINGS(count_) EXPECT_EQUAL(b->ours ? seen_count(b, NULL) : (count_), (count_))

/* The set was found in order for the same shader before. */
SCENARIO(destroyed_between_dispatches, OBJECT_SETS, .expect = {DISPATCH("None-08114")},
         .text = {IN_SHADER("thing") "refers to a VkBuffer that has been destroyed"})
{
    struct reused r = make_reused(b);
    const VkShaderCreateInfoEXT info =
        compute_object(spirv_loaded, sizeof(spirv_loaded), 1, &r.layout);
    const VkShaderEXT shader = make_shader_object(b, &info), other = make_shader_object(b, &info);
    for (uint32_t i = 0; i < 3; i++)
        dispatch_reused(b, &r, i & 1 ? other : shader);
    EXPECT_FINDINGS(0);
    r.commands = make_recording(b);
    destroy_thing(b, STORAGE_BUFFER, &r.made);
    dispatch_reused(b, &r, other);
    EXPECT_FINDINGS(1);
}

/* Another shader object reads what the first one does not. */
SCENARIO(wrong_for_the_second_object, OBJECT_SETS, .expect = {DISPATCH("viewType-07752")})
{
    const struct dispatched d = {COMBINED};
    const VkDescriptorSetLayout layout = make_dispatched_layout(b, &d);
    struct reused r = {.layout = layout,
                       .set = make_dispatched_set(b, &d, layout),
                       .bound = layout_of_sets(b, 1, &layout),
                       .commands = make_recording(b)};
    r.made = make_thing(b, r.commands, COMBINED);
    write_others(b, r.commands, r.set);
    write_thing(b, &d, &r.made, r.set);
    const VkShaderCreateInfoEXT flat = compute_object(spirv_sampled, sizeof(spirv_sampled), 1,
                                                      &layout),
                                deep = compute_object(spirv_sampled_3d, sizeof(spirv_sampled_3d), 1,
                                                      &layout);
    dispatch_reused(b, &r, make_shader_object(b, &flat));
    dispatch_reused(b, &r, make_shader_object(b, &flat));
    EXPECT_FINDINGS(0);
    dispatch_reused(b, &r, make_shader_object(b, &deep));
}

/* A pipeline of the same code found the set in order before. */
SCENARIO(objects_after_a_pipeline, OBJECT_SETS)
{
    struct reused r = make_reused(b);
    const VkShaderCreateInfoEXT info =
        compute_object(spirv_loaded, sizeof(spirv_loaded), 1, &r.layout);
    const VkComputePipelineCreateInfo pipeline =
        compute_pipeline_info(MAKE_SHADER(b, spirv_loaded), r.bound);
    vkCmdBindPipeline(r.commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                      create_compute_pipeline(b, &pipeline));
    bind_sets_at(r.commands, VK_PIPELINE_BIND_POINT_COMPUTE, r.bound, 0, r.set);
    vkCmdDispatch(r.commands, 1, 1, 1);
    bind_shader_object(b, r.commands, VK_SHADER_STAGE_COMPUTE_BIT, make_shader_object(b, &info));
    vkCmdDispatch(r.commands, 1, 1, 1);
}

/* --- layouts of sets --- */

struct laid_out {
    uint32_t object_ranges, bound_ranges; /* how many of the push constant ranges */
    bool other_order;                     /* of the ranges that are bound */
    bool other_set;                       /* the layout that is bound has other bindings */
    bool pushed;                          /* descriptors */
};

/* Stages see the same bytes, so that their order makes no difference. */
static const VkPushConstantRange ranges[2] = {{VK_SHADER_STAGE_COMPUTE_BIT, 0, 16},
                                              {VK_SHADER_STAGE_FRAGMENT_BIT, 0, 16}},
                                 turned[2] = {{VK_SHADER_STAGE_FRAGMENT_BIT, 0, 16},
                                              {VK_SHADER_STAGE_COMPUTE_BIT, 0, 16}};

static void dispatch_laid_out(struct baseline *b, struct laid_out x)
{
    struct reused r = make_reused(b);
    const struct dispatched other = {UNIFORM_BUFFER};
    VkShaderCreateInfoEXT info = compute_object(spirv_loaded, sizeof(spirv_loaded), 1, &r.layout);
    VkDescriptorSetLayout bound = r.layout;
    if (x.other_set) {
        bound = make_dispatched_layout(b, &other);
        r.set = make_dispatched_set(b, &other, bound);
    }
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &bound,
        .pushConstantRangeCount = x.bound_ranges,
        .pPushConstantRanges = x.other_order ? turned : ranges};
    info.pushConstantRangeCount = x.object_ranges;
    info.pPushConstantRanges = ranges;
    bind_shader_object(b, r.commands, VK_SHADER_STAGE_COMPUTE_BIT, make_shader_object(b, &info));
    bind_sets_at(r.commands, VK_PIPELINE_BIND_POINT_COMPUTE, create_pipeline_layout(b, &layout), 0,
                 r.set);
    vkCmdDispatch(r.commands, 1, 1, 1);
}
#define LAID_OUT(name_, laid_out_, ...)                          \
    SCENARIO(name_, OBJECT_SETS, ##__VA_ARGS__)                  \
    {                                                            \
        dispatch_laid_out(b, (struct laid_out)PLACED laid_out_); \
    }
#define NOT_COMPATIBLE                                                                         \
    .expect = {DISPATCH("None-08600")},                                                        \
    .text = {"has descriptor set 0 bound with a pipeline layout that is not compatible for "   \
             "that set with the set layouts and push constant ranges of the shader object of " \
             "VK_SHADER_STAGE_COMPUTE_BIT, which uses it"}
LAID_OUT(same_ranges, (2, 2))
LAID_OUT(same_ranges_in_another_order, (2, 2, .other_order = true))
LAID_OUT(fewer_ranges, (1, 2), NOT_COMPATIBLE)
LAID_OUT(no_ranges, (0, 1), NOT_COMPATIBLE)
LAID_OUT(another_set_layout, (0, 0, .other_set = true), NOT_COMPATIBLE)

/* Set 1 has another layout: set 0 is compatible all the same, and what uses it alone may. */
static void dispatch_two(struct baseline *b, bool second)
{
    const struct dispatched uniform = {UNIFORM_BUFFER};
    struct reused r = make_reused(b);
    const VkDescriptorSetLayout of_object[2] = {r.layout, r.layout},
                                of_bound[2] = {r.layout, make_dispatched_layout(b, &uniform)};
    const VkShaderCreateInfoEXT info =
        second ? compute_object(spirv_two_sets, sizeof(spirv_two_sets), 2, of_object)
               : compute_object(spirv_loaded, sizeof(spirv_loaded), 2, of_object);
    const VkPipelineLayout bound = layout_of_sets(b, 2, of_bound);
    const struct made buffer = make_thing(b, r.commands, UNIFORM_BUFFER);
    const VkDescriptorSet other = make_dispatched_set(b, &uniform, of_bound[1]);
    write_thing(b, &uniform, &buffer, other);
    bind_shader_object(b, r.commands, VK_SHADER_STAGE_COMPUTE_BIT, make_shader_object(b, &info));
    bind_sets_at(r.commands, VK_PIPELINE_BIND_POINT_COMPUTE, bound, 0, r.set);
    bind_sets_at(r.commands, VK_PIPELINE_BIND_POINT_COMPUTE, bound, 1, other);
    vkCmdDispatch(r.commands, 1, 1, 1);
}
SCENARIO(other_second_set_unused, OBJECT_SETS)
{
    dispatch_two(b, false);
}
SCENARIO(other_second_set, OBJECT_SETS, .expect = {DISPATCH("None-08600")},
         .text = {"has descriptor set 1 bound with a pipeline layout"})
{
    dispatch_two(b, true);
}

/* One set under two numbers, found in order under the first. */
SCENARIO(one_set_twice, OBJECT_SETS)
{
    struct reused r = make_reused(b);
    const VkDescriptorSetLayout both[2] = {r.layout, r.layout};
    const VkShaderCreateInfoEXT info =
        compute_object(spirv_two_sets, sizeof(spirv_two_sets), 2, both);
    const VkPipelineLayout bound = layout_of_sets(b, 2, both);
    bind_shader_object(b, r.commands, VK_SHADER_STAGE_COMPUTE_BIT, make_shader_object(b, &info));
    bind_sets_at(r.commands, VK_PIPELINE_BIND_POINT_COMPUTE, bound, 0, r.set);
    bind_sets_at(r.commands, VK_PIPELINE_BIND_POINT_COMPUTE, bound, 1, r.set);
    vkCmdDispatch(r.commands, 1, 1, 1);
}

/* --- pushed descriptors --- */

static void dispatch_pushed(struct baseline *b, bool whole)
{
    const VkDescriptorSetLayoutBinding bindings[2] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    const VkDescriptorSetLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR,
        .bindingCount = 2,
        .pBindings = bindings};
    const VkDescriptorSetLayout layout = create_descriptor_set_layout(b, &layout_info);
    const VkDescriptorBufferInfo buffer = {make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
                                           0, VK_WHOLE_SIZE};
    const VkShaderCreateInfoEXT info =
        compute_object(spirv_loaded, sizeof(spirv_loaded), 1, &layout);
    const VkCommandBuffer c = make_recording(b);
    VkWriteDescriptorSet writes[2] = {write_buffer(VK_NULL_HANDLE, &buffer),
                                      write_buffer(VK_NULL_HANDLE, &buffer)};
    writes[0].dstBinding = 1;
    bind_shader_object(b, c, VK_SHADER_STAGE_COMPUTE_BIT, make_shader_object(b, &info));
    DEVICE_PROC(b, vkCmdPushDescriptorSetKHR)
    (c, VK_PIPELINE_BIND_POINT_COMPUTE, layout_of_sets(b, 1, &layout), 0, whole ? 2 : 1, writes);
    vkCmdDispatch(c, 1, 1, 1);
}
#define OBJECT_PUSHES                              \
    .drivers = NULL_DRIVER, .features = &indexing, \
    .extensions = {"VK_EXT_shader_object", "VK_KHR_push_descriptor"}
SCENARIO(pushed, OBJECT_PUSHES)
{
    dispatch_pushed(b, true);
}
SCENARIO(pushed_in_part, OBJECT_PUSHES, .expect = {DISPATCH("None-08114")},
         .text = {IN_SHADER("thing") "was never written"})
{
    dispatch_pushed(b, false);
}

/* --- draws --- */

/* glslang gives the size of a mesh shader's workgroup by LocalSizeId. */
static const VkPhysicalDeviceVulkan13Features features13_of_meshes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .dynamicRendering = VK_TRUE,
    .maintenance4 = VK_TRUE};
static const VkPhysicalDeviceShaderObjectFeaturesEXT objects_of_meshes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
    .pNext = (void *)(uintptr_t)&features13_of_meshes,
    .shaderObject = VK_TRUE};
static const VkPhysicalDeviceMeshShaderFeaturesEXT mesh_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
    .pNext = (void *)(uintptr_t)&objects_of_meshes,
    .taskShader = VK_TRUE,
    .meshShader = VK_TRUE};
#define OBJECT_MESHES                                                                     \
    .drivers = NULL_DRIVER, .extensions = {"VK_EXT_shader_object", "VK_EXT_mesh_shader"}, \
    .features = &mesh_features

/* Uniform buffers in bindings 0 and 1: the vertex, task or mesh shader reads the first one, the
 * fragment shader the second one. */
struct drawn {
    VkShaderStageFlagBits first; /* VERTEX, MESH or TASK, which a mesh shader without any follows */
    uint32_t written;            /* bits of bindings */
    void (*act)(struct baseline *b, VkCommandBuffer c);
};

static VkDescriptorSetLayout make_uniforms_layout(struct baseline *b)
{
    const VkShaderStageFlags stages = VK_SHADER_STAGE_ALL;
    const VkDescriptorSetLayoutBinding bindings[2] = {
        {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, stages, NULL},
        {1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, stages, NULL}};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 2,
        .pBindings = bindings};
    return create_descriptor_set_layout(b, &info);
}

static VkDescriptorSet make_uniforms(struct baseline *b, VkDescriptorSetLayout layout,
                                     uint32_t written)
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
    for (uint32_t i = 0; i < 2; i++) {
        VkWriteDescriptorSet write = write_buffer(set, &buffer);
        write.dstBinding = i;
        write.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
        if (written >> i & 1)
            vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
    }
    return set;
}

static void bind_drawn(struct baseline *b, VkCommandBuffer c, const struct drawn *d,
                       const VkDescriptorSetLayout *layout)
{
    VkShaderCreateInfoEXT vertex = INFO(vertex_uniform, VERTEX), task = INFO(task_uniform, VERTEX),
                          mesh = d->first == VK_SHADER_STAGE_TASK_BIT_EXT
                                     ? INFO(mesh_small, VERTEX)
                                     : INFO(mesh_uniform, VERTEX),
                          fragment = INFO(fragment_uniform, FRAGMENT);
    vertex.setLayoutCount = task.setLayoutCount = mesh.setLayoutCount = fragment.setLayoutCount = 1;
    vertex.pSetLayouts = task.pSetLayouts = mesh.pSetLayouts = fragment.pSetLayouts = layout;
    vertex.nextStage = mesh.nextStage = VK_SHADER_STAGE_FRAGMENT_BIT;
    task.stage = VK_SHADER_STAGE_TASK_BIT_EXT;
    task.nextStage = mesh.stage = VK_SHADER_STAGE_MESH_BIT_EXT;
    bind_shader_object(b, c, VK_SHADER_STAGE_FRAGMENT_BIT, make_shader_object(b, &fragment));
    if (d->first == VK_SHADER_STAGE_VERTEX_BIT) {
        bind_shader_object(b, c, VK_SHADER_STAGE_VERTEX_BIT, make_shader_object(b, &vertex));
        return;
    }
    unbind_stages(b, c, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_TASK_BIT_EXT);
    if (d->first == VK_SHADER_STAGE_TASK_BIT_EXT)
        bind_shader_object(b, c, VK_SHADER_STAGE_TASK_BIT_EXT, make_shader_object(b, &task));
    else
        mesh.flags = NO_TASK;
    bind_shader_object(b, c, VK_SHADER_STAGE_MESH_BIT_EXT, make_shader_object(b, &mesh));
}

static void draw_uniforms(struct baseline *b, struct drawn d)
{
    const VkDescriptorSetLayout layout = make_uniforms_layout(b);
    const VkDescriptorSet set = make_uniforms(b, layout, d.written);
    const VkCommandBuffer c = begin_objects(b, NOTHING);
    bind_drawn(b, c, &d, &layout);
    bind_sets_at(c, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_of_sets(b, 1, &layout), 0, set);
    d.act(b, c);
}

static void draw_bound(struct baseline *b, VkCommandBuffer c)
{
    (void)b;
    vkCmdDraw(c, 3, 1, 0, 0);
}

static void bind_bound_indices(struct baseline *b, VkCommandBuffer c)
{
    vkCmdBindIndexBuffer(c, make_buffer(b, 256, VK_BUFFER_USAGE_INDEX_BUFFER_BIT), 0,
                         VK_INDEX_TYPE_UINT16);
}

static void draw_indexed_bound(struct baseline *b, VkCommandBuffer c)
{
    bind_bound_indices(b, c);
    vkCmdDrawIndexed(c, 3, 1, 0, 0, 0);
}

static void draw_indirect_bound(struct baseline *b, VkCommandBuffer c)
{
    vkCmdDrawIndirect(c, make_indirect(b), 0, 1, 16);
}

static void draw_indexed_indirect(struct baseline *b, VkCommandBuffer c)
{
    bind_bound_indices(b, c);
    vkCmdDrawIndexedIndirect(c, make_indirect(b), 0, 1, 20);
}

static void draw_meshes(struct baseline *b, VkCommandBuffer c)
{
    DEVICE_PROC(b, vkCmdDrawMeshTasksEXT)(c, 1, 1, 1);
}

static void draw_meshes_indirect(struct baseline *b, VkCommandBuffer c)
{
    DEVICE_PROC(b, vkCmdDrawMeshTasksIndirectEXT)(c, make_indirect(b), 0, 1, 12);
}

#define DRAWN(name_, first_, written_, act_, ...)                                   \
    SCENARIO(name_, __VA_ARGS__)                                                    \
    {                                                                               \
        draw_uniforms(b, (struct drawn){VK_SHADER_STAGE_##first_, written_, act_}); \
    }
#define DRAWN_BY(name_, first_, act_, command_, device_)              \
    DRAWN(name_, first_, 3, act_, device_)                            \
    DRAWN(name_##_first_unwritten, first_, 2, act_, device_,          \
          .expect = {"VUID-" command_ "-None-08114"},                 \
          .text = {"has descriptor set 0 bound, whose binding 0 (\"", \
                   " in the shader of "                               \
                   "VK_SHADER_STAGE_" #first_ ") was never written"}) \
    DRAWN(name_##_fragment_unwritten, first_, 1, act_, device_,       \
          .expect = {"VUID-" command_ "-None-08114"},                 \
          .text = {"in the shader of VK_SHADER_STAGE_FRAGMENT_BIT) was never written"})
DRAWN_BY(drawn, VERTEX_BIT, draw_bound, "vkCmdDraw", ON)
DRAWN_BY(drawn_indexed, VERTEX_BIT, draw_indexed_bound, "vkCmdDrawIndexed", ON)
DRAWN_BY(drawn_indirect, VERTEX_BIT, draw_indirect_bound, "vkCmdDrawIndirect", ON)
DRAWN_BY(drawn_indexed_indirect, VERTEX_BIT, draw_indexed_indirect, "vkCmdDrawIndexedIndirect", ON)
DRAWN_BY(mesh_drawn, MESH_BIT_EXT, draw_meshes, "vkCmdDrawMeshTasksEXT", OBJECT_MESHES)
DRAWN_BY(mesh_drawn_indirect, MESH_BIT_EXT, draw_meshes_indirect, "vkCmdDrawMeshTasksIndirectEXT",
         OBJECT_MESHES)
DRAWN_BY(task_drawn, TASK_BIT_EXT, draw_meshes, "vkCmdDrawMeshTasksEXT", OBJECT_MESHES)

/* Two draws, of which the second has other shaders: only then binding 1 is read. */
SCENARIO(fragment_shader_bound_later, ON, .expect = {DRAW("None-08114")},
         .text = {"in the shader of VK_SHADER_STAGE_FRAGMENT_BIT) was never written"})
{
    const VkDescriptorSetLayout layout = make_uniforms_layout(b);
    const VkDescriptorSet set = make_uniforms(b, layout, 1);
    const VkCommandBuffer c = begin_objects(b, NOTHING);
    VkShaderCreateInfoEXT fragment = INFO(fragment, FRAGMENT),
                          reading = INFO(fragment_uniform, FRAGMENT),
                          vertex = INFO(vertex_uniform, VERTEX);
    vertex.nextStage = VK_SHADER_STAGE_FRAGMENT_BIT;
    vertex.setLayoutCount = fragment.setLayoutCount = reading.setLayoutCount = 1;
    vertex.pSetLayouts = fragment.pSetLayouts = reading.pSetLayouts = &layout;
    bind_shader_object(b, c, VK_SHADER_STAGE_VERTEX_BIT, make_shader_object(b, &vertex));
    bind_shader_object(b, c, VK_SHADER_STAGE_FRAGMENT_BIT, make_shader_object(b, &fragment));
    bind_sets_at(c, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_of_sets(b, 1, &layout), 0, set);
    vkCmdDraw(c, 3, 1, 0, 0);
    vkCmdDraw(c, 3, 1, 0, 0);
    EXPECT_FINDINGS(0);
    bind_shader_object(b, c, VK_SHADER_STAGE_FRAGMENT_BIT, make_shader_object(b, &reading));
    vkCmdDraw(c, 3, 1, 0, 0);
}

/* The set was bound with a layout that has push constants, and the shaders have none. */
SCENARIO(draw_with_another_layout, ON, .expect = {DRAW("None-08600")},
         .text = {"of the shader object of VK_SHADER_STAGE_VERTEX_BIT, which uses it"})
{
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, 16};
    const VkDescriptorSetLayout layout = make_uniforms_layout(b);
    const VkPipelineLayoutCreateInfo bound = {.sType =
                                                  VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                              .setLayoutCount = 1,
                                              .pSetLayouts = &layout,
                                              .pushConstantRangeCount = 1,
                                              .pPushConstantRanges = &range};
    const struct drawn d = {.first = VK_SHADER_STAGE_VERTEX_BIT};
    const VkCommandBuffer c = begin_objects(b, NOTHING);
    bind_drawn(b, c, &d, &layout);
    bind_sets_at(c, VK_PIPELINE_BIND_POINT_GRAPHICS, create_pipeline_layout(b, &bound), 0,
                 make_uniforms(b, layout, 3));
    vkCmdDraw(c, 3, 1, 0, 0);
}
