/* A mutable descriptor is of the type that the shader declares, or of another one. In arrays the
 * shader says so, elsewhere it is known when the draw or dispatch is recorded. */
#include "gpu/gpu_world.h"

static const VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT mutable_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT,
    .pNext = (void *)&gpu_features_plain,
    .mutableDescriptorType = VK_TRUE};
#define MUTABLE                                    \
    GPU_SETTINGS(), .features = &mutable_features, \
        .extensions = {VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME}
#define MUTABLE_SAFE                                                     \
    GPU_SETTINGS("gpuav_safe_mode=true"), .features = &mutable_features, \
        .extensions = {VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME}

/* Element 2 is of `held`, the others are of what the shader declares. */
static void read_element(struct baseline *b, enum gpu_kind kind, enum gpu_stage stage,
                         enum gpu_kind held, uint32_t index)
{
    struct gpu g = gpu_of(b, kind, stage);
    g.is_mutable = true;
    g.hole = 2;
    g.index = index;
    gpu_make(&g);
    gpu_write_as(&g, 2, held, &g.common);
    gpu_run(&g);
}

#define HOLDS(type_, resource_)                                               \
    "Descriptor index 2 (set 0, binding 2 \"things\") holds a descriptor of " \
    "VK_DESCRIPTOR_TYPE_" #type_ ", but the shader accesses it as a " resource_ "."

#define OTHER(kind_, stage_, command_, held_, type_, resource_)                     \
    SCENARIO(stage_##_##kind_##_is_##held_, MUTABLE_SAFE,                           \
             .expect = {"VUID-" command_ "-None-08114"},                            \
             .text = {HOLDS(type_, resource_), "things[push.index]"})               \
    {                                                                               \
        read_element(b, gpu_kind_##kind_, gpu_stage_##stage_, gpu_kind_##held_, 2); \
    }                                                                               \
    SCENARIO(stage_##_##kind_##_beside_##held_, MUTABLE)                            \
    {                                                                               \
        read_element(b, gpu_kind_##kind_, gpu_stage_##stage_, gpu_kind_##held_, 3); \
    }                                                                               \
    SCENARIO(stage_##_##kind_##_for_##held_##_as_it_should, MUTABLE)                \
    {                                                                               \
        read_element(b, gpu_kind_##kind_, gpu_stage_##stage_, gpu_kind_##kind_, 2); \
    }
OTHER(sampled, comp, "vkCmdDispatch", storage_image, STORAGE_IMAGE, "sampled image")
OTHER(sampled, frag, "vkCmdDraw", storage_buffer, STORAGE_BUFFER, "sampled image")
OTHER(sampler, comp, "vkCmdDispatch", sampled, SAMPLED_IMAGE, "sampler")
OTHER(storage_image, comp, "vkCmdDispatch", sampled, SAMPLED_IMAGE, "storage image")
OTHER(uniform_texel, comp, "vkCmdDispatch", storage_texel, STORAGE_TEXEL_BUFFER,
      "uniform texel buffer")
OTHER(storage_texel, comp, "vkCmdDispatch", uniform_buffer, UNIFORM_BUFFER, "storage texel buffer")
OTHER(storage_buffer, comp, "vkCmdDispatch", uniform_buffer, UNIFORM_BUFFER, "storage buffer")
OTHER(storage_buffer, frag, "vkCmdDraw", sampler, SAMPLER, "storage buffer")
OTHER(uniform_buffer, comp, "vkCmdDispatch", storage_buffer, STORAGE_BUFFER, "uniform buffer")

/* Its type stays mutable, which no shader declares, until it is written. */
SCENARIO(never_written, MUTABLE_SAFE, .expect = {"VUID-vkCmdDispatch-None-08114"},
         .text = {GPU_TEXT_UNWRITTEN(2)})
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    g.is_mutable = true;
    g.flags = VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT;
    g.hole = 2;
    g.index = 2;
    gpu_make(&g);
    gpu_run(&g);
}

/* The last update is the one that counts. */
static void change_kind(struct baseline *b, enum gpu_kind first, enum gpu_kind second)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    g.is_mutable = true;
    g.hole = 2;
    g.index = 2;
    gpu_make(&g);
    gpu_write_as(&g, 2, first, &g.common);
    gpu_write_as(&g, 2, second, &g.common);
    gpu_run(&g);
}

SCENARIO(becomes_what_it_should, MUTABLE)
{
    change_kind(b, gpu_kind_sampled, gpu_kind_storage_buffer);
}

SCENARIO(becomes_something_else, MUTABLE_SAFE, .expect = {"VUID-vkCmdDispatch-None-08114"},
         .text = {HOLDS(STORAGE_IMAGE, "storage buffer")})
{
    change_kind(b, gpu_kind_storage_buffer, gpu_kind_storage_image);
}

/* A copy between mutable descriptors brings the type of what it copies. */
static void copy_element(struct baseline *b, uint32_t from)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    g.is_mutable = true;
    g.hole = 4;
    g.index = 2;
    gpu_make(&g);
    gpu_write_as(&g, 4, gpu_kind_uniform_texel, &g.common);
    const VkCopyDescriptorSet elements = {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                          .srcSet = g.sets[0],
                                          .srcBinding = 2,
                                          .srcArrayElement = from,
                                          .dstSet = g.sets[0],
                                          .dstBinding = 2,
                                          .dstArrayElement = 2,
                                          .descriptorCount = 1};
    vkUpdateDescriptorSets(b->device, 0, NULL, 1, &elements);
    gpu_run(&g);
}

SCENARIO(copied_from_another_type, MUTABLE_SAFE, .expect = {"VUID-vkCmdDispatch-None-08114"},
         .text = {HOLDS(UNIFORM_TEXEL_BUFFER, "storage buffer")})
{
    copy_element(b, 4);
}

SCENARIO(copied_from_the_same_type, MUTABLE)
{
    copy_element(b, 3);
}

/* --- one descriptor: known when the command is recorded, without the GPU --- */

#define RECORDED                                        \
    .drivers = LAVAPIPE, .features = &mutable_features, \
    .extensions = {VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME}

static void record_one(struct baseline *b, enum gpu_access access, enum gpu_stage stage,
                       enum gpu_kind held)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, stage);
    g.code = gpu_access_code(access, stage);
    g.is_mutable = true;
    g.count = 1;
    g.hole = 0;
    g.range = VK_WHOLE_SIZE;
    gpu_make(&g);
    gpu_write_as(&g, 0, held, &g.common);
    gpu_prepare(&g);
    gpu_record(&g);
}

#define HOLDS_ONE(resource_, type_)                                  \
    "whose binding 2 (\"things\" in the shader of VK_SHADER_STAGE_", \
        "is a " resource_ " there, but holds a descriptor of VK_DESCRIPTOR_TYPE_" type_

SCENARIO(one_uniform_buffer_for_storage, RECORDED, .expect = {"VUID-vkCmdDispatch-None-08114"},
         .text = {HOLDS_ONE("storage buffer", "UNIFORM_BUFFER")})
{
    record_one(b, GPU_STORAGE_WORD, gpu_stage_comp, gpu_kind_uniform_buffer);
}

SCENARIO(one_sampled_image_for_uniform, RECORDED, .expect = {"VUID-vkCmdDraw-None-08114"},
         .text = {HOLDS_ONE("uniform buffer", "SAMPLED_IMAGE")})
{
    record_one(b, GPU_UNIFORM_VECTOR, gpu_stage_frag, gpu_kind_sampled);
}

SCENARIO(one_storage_buffer_for_storage, RECORDED)
{
    record_one(b, GPU_STORAGE_WORD, gpu_stage_comp, gpu_kind_storage_buffer);
}

SCENARIO(one_uniform_buffer_for_uniform, RECORDED)
{
    record_one(b, GPU_UNIFORM_VECTOR, gpu_stage_frag, gpu_kind_uniform_buffer);
}
