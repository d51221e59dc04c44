/* Accesses past the end of what a descriptor of a buffer covers, on a device without
 * robustBufferAccess: by stage, and by the kind of access. */
#include "gpu/gpu_world.h"

#include "gpu_descriptors.h"

#define WORDS 16 /* in the descriptor's range: its buffer goes on */

static void access_words(struct baseline *b, enum gpu_kind kind, enum gpu_stage stage,
                         struct gpu_code code, uint32_t index, uint32_t other)
{
    struct gpu g = gpu_of(b, kind, stage);
    g.code = code;
    g.count = kind == gpu_kind_uniform_buffer || kind == gpu_kind_storage_buffer ? GPU_LENGTH : 1;
    g.index = index;
    g.other = other;
    gpu_make(&g);
    gpu_run(&g);
}

/* --- stages --- */

#define STAGE(stage_, command_, text_, device_)                                                  \
    SCENARIO(stage_##_storage_past_the_end, DEVICE_##device_,                                    \
             .expect = {"VUID-" command_ "-storageBuffers-06936"},                               \
             .text = {"things.values[push.index]", GPU_TEXT_STAGE(text_), command_,              \
                      "Access of element 16 of an array of 16 elements at the end of a storage " \
                      "buffer: bytes 64 to 67"})                                                 \
    {                                                                                            \
        access_words(b, gpu_kind_storage_buffer, gpu_stage_##stage_,                             \
                     gpu_access_code(GPU_STORAGE_WORD, gpu_stage_##stage_), WORDS, 0);           \
    }                                                                                            \
    SCENARIO(stage_##_storage_last, DEVICE_##device_)                                            \
    {                                                                                            \
        access_words(b, gpu_kind_storage_buffer, gpu_stage_##stage_,                             \
                     gpu_access_code(GPU_STORAGE_WORD, gpu_stage_##stage_), WORDS - 1, 0);       \
    }                                                                                            \
    SCENARIO(stage_##_uniform_past_the_end, DEVICE_##device_,                                    \
             .expect = {"VUID-" command_ "-uniformBuffers-06935"},                               \
             .text = {                                                                           \
                 "things.values[push.index]", GPU_TEXT_STAGE(text_), command_,                   \
                 "Access of 16 bytes at byte 64 of a uniform buffer that has 64 bytes bound"})   \
    {                                                                                            \
        access_words(b, gpu_kind_uniform_buffer, gpu_stage_##stage_,                             \
                     gpu_access_code(GPU_UNIFORM_VECTOR, gpu_stage_##stage_), WORDS / 4, 0);     \
    }                                                                                            \
    SCENARIO(stage_##_uniform_last, DEVICE_##device_)                                            \
    {                                                                                            \
        access_words(b, gpu_kind_uniform_buffer, gpu_stage_##stage_,                             \
                     gpu_access_code(GPU_UNIFORM_VECTOR, gpu_stage_##stage_), WORDS / 4 - 1, 0); \
    }
#define DEVICE_plain                         GPU
#define DEVICE_mesh                          GPU_WITH_MESH
#define DEVICE_rays                          GPU_WITH_RAYS
#define PLAIN(stage_, bit_, command_, text_) STAGE(stage_, command_, text_, plain)
#define MESH(stage_, bit_, command_, text_)  STAGE(stage_, command_, text_, mesh)
#define RAYS(stage_, bit_, command_, text_)  STAGE(stage_, command_, text_, rays)
GPU_GRAPHICS_STAGES_X(PLAIN)
GPU_COMPUTE_STAGES_X(PLAIN)
GPU_MESH_STAGES_X(MESH)
GPU_RAY_STAGES_X(RAYS)

/* --- kinds of accesses --- */

#define STORAGE_ID "VUID-vkCmdDispatch-storageBuffers-06936"
#define UNIFORM_ID "VUID-vkCmdDispatch-uniformBuffers-06935"
#define ACCESS(name_, code_, kind_, index_, other_, ...)                                          \
    SCENARIO(name_, GPU, ##__VA_ARGS__)                                                           \
    {                                                                                             \
        access_words(b, gpu_kind_##kind_, gpu_stage_comp, GPU_CODE(spirv_##code_##_comp), index_, \
                     other_);                                                                     \
    }
#define WRONG(id_, ...) .expect = {id_}, .text = {"Stage = Compute.", ##__VA_ARGS__}

ACCESS(store_past_the_end, storage_store, storage_buffer, WORDS, 0,
       WRONG(STORAGE_ID, "things.values[push.index] = 7u"))
ACCESS(store_last, storage_store, storage_buffer, WORDS - 1, 0)
ACCESS(store_far_past_the_end, storage_store, storage_buffer, 0x3fffffff, 0, WRONG(STORAGE_ID))
ACCESS(atomic_past_the_end, storage_atomic, storage_buffer, WORDS, 0,
       WRONG(STORAGE_ID, "atomicAdd"))
ACCESS(atomic_last, storage_atomic, storage_buffer, WORDS - 1, 0)
ACCESS(vector_past_the_end, storage_vector, storage_buffer, WORDS / 4, 0, WRONG(STORAGE_ID))
ACCESS(vector_last, storage_vector, storage_buffer, WORDS / 4 - 1, 0)
/* 5 * 12 bytes are in the 64 of the range; 4 bytes of the sixth are, too. */
ACCESS(half_past_the_end, storage_packed, storage_buffer, 5, 0, WRONG(STORAGE_ID))
ACCESS(packed_last, storage_packed, storage_buffer, 4, 0)
ACCESS(column_past_the_end, storage_matrix, storage_buffer, 3, 0,
       WRONG(STORAGE_ID, "matrix[push.index]"))
ACCESS(column_last, storage_matrix, storage_buffer, 2, 0)
ACCESS(struct_past_the_end, storage_block, storage_buffer, 0, 0, WRONG(STORAGE_ID, "things.second"))
ACCESS(whole_buffer, storage_whole, storage_buffer, 0, 0)
ACCESS(in_array_past_the_end, storage_of_array, storage_buffer, WORDS, 3, WRONG(STORAGE_ID))
ACCESS(in_array_last, storage_of_array, storage_buffer, WORDS - 1, 3)
ACCESS(in_uniform_array_past_the_end, uniform_of_array, uniform_buffer, WORDS / 4, 3,
       WRONG(UNIFORM_ID))
ACCESS(in_uniform_array_last, uniform_of_array, uniform_buffer, WORDS / 4 - 1, 3)
/* Both are wrong: of a descriptor that there is not nothing is said but that. */
ACCESS(of_no_descriptor, storage_of_array, storage_buffer, WORDS, GPU_LENGTH,
       WRONG("VUID-vkCmdDispatch-None-10068", GPU_TEXT_INDEX(6, 6)))

/* --- what was looked at before --- */

ACCESS(uniform_behind_a_branch, uniform_behind_a_branch, uniform_buffer, WORDS / 4, 0,
       WRONG(UNIFORM_ID))
ACCESS(uniform_in_a_branch, uniform_in_a_branch, uniform_buffer, WORDS / 4, 0, WRONG(UNIFORM_ID))
ACCESS(storage_behind_a_branch, storage_behind_a_branch, storage_buffer, WORDS, 0,
       WRONG(STORAGE_ID))
ACCESS(storage_in_a_branch, storage_in_a_branch, storage_buffer, WORDS, 0, WRONG(STORAGE_ID))

/* --- shaders of many checks, which tell at their end --- */

ACCESS(many_columns_past_the_end, many_columns, storage_buffer, 3, 0,
       WRONG(STORAGE_ID, "matrix[push.index]"))
ACCESS(many_columns_last, many_columns, storage_buffer, 2, 0)
ACCESS(many_uniforms_past_the_end, many_uniforms, uniform_buffer, WORDS / 4, 0,
       WRONG(UNIFORM_ID, "result.value = vec4(things.values[push.index])",
             "Access of 16 bytes at byte 64 of a uniform buffer that has 64 bytes bound"))
ACCESS(many_uniforms_last, many_uniforms, uniform_buffer, WORDS / 4 - 1, 0)

/* --- ranges --- */

/* An element with a range of its own, in an array: the access is judged by the element that it goes
 * to. */
static void read_element_of_range(struct baseline *b, VkDeviceSize range, uint32_t element,
                                  uint32_t index)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    g.code = GPU_CODE(spirv_storage_of_array_comp);
    g.index = index;
    g.other = element;
    gpu_make(&g);
    g.range = range;
    gpu_write(&g, 3, &g.own);
    gpu_run(&g);
}

SCENARIO(short_element_past_the_end, GPU, WRONG(STORAGE_ID))
{
    read_element_of_range(b, 32, 3, 8);
}
SCENARIO(beside_the_short_element, GPU)
{
    read_element_of_range(b, 32, 2, 8);
}
SCENARIO(whole_size_last, GPU)
{
    read_element_of_range(b, VK_WHOLE_SIZE, 3, 63);
}
SCENARIO(whole_size_past_the_end, GPU, WRONG(STORAGE_ID))
{
    read_element_of_range(b, VK_WHOLE_SIZE, 3, 64);
}

/* Dynamic offsets move the range, and do not change its length. */
static void read_with_offset(struct baseline *b, uint32_t offset, uint32_t index)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    g.code = gpu_access_code(GPU_STORAGE_WORD, gpu_stage_comp);
    g.index = index;
    gpu_make_resources(&g);
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    VkDescriptorSetLayoutCreateInfo info = descriptor_set_layout_info();
    info.bindingCount = 2;
    info.pBindings = bindings;
    g.set_layouts[0] = create_descriptor_set_layout(b, &info);
    g.layout = make_pipeline_layout(b, g.set_layouts[0]);
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1},
                                          {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, 1}};
    VkDescriptorPoolCreateInfo pool = descriptor_pool_info();
    pool.poolSizeCount = 2;
    pool.pPoolSizes = sizes;
    g.sets[0] = make_descriptor_set(b, create_descriptor_pool(b, &pool), g.set_layouts[0]);
    const VkDescriptorBufferInfo result = {g.result, 0, VK_WHOLE_SIZE},
                                 things = {g.common.buffer, 0, 64};
    VkWriteDescriptorSet writes[] = {write_buffer(g.sets[0], &result),
                                     write_buffer(g.sets[0], &things)};
    writes[1].dstBinding = 2;
    writes[1].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
    vkUpdateDescriptorSets(b->device, 2, writes, 0, NULL);
    gpu_make_pipeline(&g);
    gpu_begin(&g);
    vkCmdBindPipeline(g.commands, g.bind_point, g.pipeline);
    vkCmdBindDescriptorSets(g.commands, g.bind_point, g.layout, 0, 1, g.sets, 1, &offset);
    gpu_push(&g);
    gpu_act(&g);
    gpu_submit(&g);
}

SCENARIO(dynamic_past_the_end, GPU, WRONG(STORAGE_ID))
{
    read_with_offset(b, 128, WORDS);
}
SCENARIO(dynamic_last, GPU)
{
    read_with_offset(b, 128, WORDS - 1);
}

/* --- where such accesses are defined --- */

static const VkPhysicalDeviceVulkan12Features any12 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    .timelineSemaphore = VK_TRUE,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceFeatures2 robust = {.sType =
                                                     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                                 .pNext = (void *)&any12,
                                                 .features = {.robustBufferAccess = VK_TRUE}};
static const VkPhysicalDevicePipelineRobustnessFeatures by_pipeline = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_FEATURES,
    .pNext = (void *)&gpu_features_plain,
    .pipelineRobustness = VK_TRUE};

SCENARIO(robust_device, GPU_SETTINGS(), .features = &robust)
{
    access_words(b, gpu_kind_storage_buffer, gpu_stage_comp,
                 gpu_access_code(GPU_STORAGE_WORD, gpu_stage_comp), WORDS, 0);
}

SCENARIO(robust_device_uniform, GPU_SETTINGS(), .features = &robust)
{
    access_words(b, gpu_kind_uniform_buffer, gpu_stage_comp,
                 gpu_access_code(GPU_UNIFORM_VECTOR, gpu_stage_comp), WORDS, 0);
}

static void access_robustly(struct baseline *b, bool of_stage,
                            VkPipelineRobustnessBufferBehavior storage,
                            VkPipelineRobustnessBufferBehavior uniform)
{
    const VkPipelineRobustnessCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO,
        .storageBuffers = storage,
        .uniformBuffers = uniform};
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    g.code = gpu_access_code(GPU_STORAGE_WORD, gpu_stage_comp);
    g.index = WORDS;
    g.stage_next = of_stage ? &info : NULL;
    g.pipeline_next = of_stage ? NULL : &info;
    gpu_make(&g);
    gpu_run(&g);
}
#define ROBUST     VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS
#define NOT_ROBUST VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED
#define ROBUSTNESS                            \
    GPU_SETTINGS(), .features = &by_pipeline, \
        .extensions = {VK_EXT_PIPELINE_ROBUSTNESS_EXTENSION_NAME}
SCENARIO(robust_pipeline, ROBUSTNESS)
{
    access_robustly(b, false, ROBUST, NOT_ROBUST);
}
SCENARIO(robust_stage, ROBUSTNESS)
{
    access_robustly(b, true, ROBUST, NOT_ROBUST);
}
SCENARIO(robust_pipeline_of_uniform_buffers, ROBUSTNESS, WRONG(STORAGE_ID))
{
    access_robustly(b, false, NOT_ROBUST, ROBUST);
}

/* --- null descriptors --- */

static const VkPhysicalDeviceRobustness2FeaturesEXT null_descriptors = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT,
    .pNext = (void *)&gpu_features_plain,
    .nullDescriptor = VK_TRUE};
#define WITH_NULL                                  \
    GPU_SETTINGS(), .features = &null_descriptors, \
        .extensions = {VK_EXT_ROBUSTNESS_2_EXTENSION_NAME}

/* The runtime array of a null descriptor has no elements, and each of them reads as zero. */
static void read_null_array(struct baseline *b, struct gpu_code code)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    const struct gpu_resource null = {.buffer = VK_NULL_HANDLE};
    g.code = code;
    g.count = GPU_LENGTH;
    g.index = 3;
    g.range = VK_WHOLE_SIZE;
    gpu_make(&g);
    gpu_write(&g, 0, &null);
    gpu_run(&g);
}

SCENARIO(element_of_null_array, WITH_NULL)
{
    read_null_array(b, gpu_access_code(GPU_STORAGE_WORD, gpu_stage_comp));
}

SCENARIO(vector_of_null_array, WITH_NULL)
{
    read_null_array(b, GPU_CODE(spirv_storage_vector_comp));
}

SCENARIO(past_the_end_beside_null_descriptors, WITH_NULL, .expect = {STORAGE_ID})
{
    access_words(b, gpu_kind_storage_buffer, gpu_stage_comp,
                 gpu_access_code(GPU_STORAGE_WORD, gpu_stage_comp), WORDS, 0);
}

/* --- texel buffers. No numbered statement; chapter "Shaders", Shader Out-of-Bounds Memory Access:
 * "Applications must not execute operations that would access out of bounds memory locations",
 * "outside of any specified memory range, [...] or a range specified in the API" --- */

#define TEXELS   64
#define TEXEL_ID "UNASSIGNED-Descriptor Texel Buffer texel out of bounds"
ACCESS(uniform_texels_last, uniform_texels, uniform_texel, TEXELS - 1, 0)
ACCESS(storage_texels_last, storage_texels, storage_texel, TEXELS - 1, 0)
ACCESS(storage_texels_store_last, storage_texels_store, storage_texel, TEXELS - 1, 0)
ACCESS(storage_texels_atomic_last, storage_texels_atomic, storage_texel, TEXELS - 1, 0)
ACCESS(uniform_texels_past_the_end, uniform_texels, uniform_texel, TEXELS, 0,
       WRONG(TEXEL_ID, "texel 64 of a texel buffer whose view has 64 texels", "texelFetch"))
ACCESS(storage_texels_past_the_end, storage_texels, storage_texel, TEXELS, 0,
       WRONG(TEXEL_ID, "texel 64 of a texel buffer whose view has 64 texels", "imageLoad"))
ACCESS(storage_texels_store_past_the_end, storage_texels_store, storage_texel, TEXELS, 0,
       WRONG(TEXEL_ID, "texel 64 of a texel buffer whose view has 64 texels", "imageStore"))
ACCESS(storage_texels_atomic_past_the_end, storage_texels_atomic, storage_texel, TEXELS, 0,
       WRONG(TEXEL_ID, "texel 64 of a texel buffer whose view has 64 texels", "imageAtomicAdd"))
