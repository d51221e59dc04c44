/* The kernels of the bench of GPU-assisted validation: which there are, on which data they run, and
 * whether their results are right. */
#include "kernels.h"

#include "address.comp.h" /* made by glslang from shaders/ */
#include "bindless.comp.h"
#include "blur.comp.h"
#include "floats.comp.h"
#include "histogram.comp.h"
#include "reduction.comp.h"
#include "storage.comp.h"
#include "tiles.comp.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define STORAGE VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
/* One of these is its element's own when the bad index is wanted. */
#define BAD_TEXTURE (TEXTURE_COUNT - 1)
#define BAD_ELEMENT 77u

/* A number for each number, without a pattern that caches would like. */
static uint32_t scramble_words(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

static uint32_t source_value(uint32_t where)
{
    return scramble_words(~where);
}

/* shaders/tiles.comp. What stands in the index buffer is scramble(i) % elements. */
static void tiles_result(uint32_t elements, uint32_t group, uint32_t sums[GROUP_SIZE])
{
    const uint32_t side = GROUP_SIZE / TILE_SIDE;
    uint32_t rows[GROUP_SIZE], columns[GROUP_SIZE];
    memset(sums, 0, GROUP_SIZE * sizeof(*sums));
    for (uint32_t tile = 0; tile < TILES; tile++) {
        const uint32_t from = (group + tile) * GROUP_SIZE % elements;
        for (uint32_t i = 0; i < GROUP_SIZE; i++) {
            rows[i] = source_value(from + i);
            columns[i] = scramble_words(from + i) % elements;
        }
        for (uint32_t i = 0; i < GROUP_SIZE; i++) {
            for (uint32_t k = 0; k < TILE_SIDE; k++)
                sums[i] += rows[i / side * TILE_SIDE + k] * columns[k * side + i % side];
        }
    }
}

/* shaders/reduction.comp */
static void reduction_result(uint32_t elements, uint32_t group, uint32_t sums[GROUP_SIZE])
{
    uint32_t sum = 0;
    for (uint32_t i = group * GROUP_SIZE; i < (group + 1) * GROUP_SIZE; i++)
        sum += source_value(i) + scramble_words(i) % elements;
    for (uint32_t i = 0; i < GROUP_SIZE; i++)
        sums[i] = sum;
}

/* shaders/blur.comp. Textures repeat. */
static void blur_result(uint32_t elements, uint32_t group, uint32_t sums[GROUP_SIZE])
{
    static uint32_t blurred[TEXTURE_SIDE * TEXTURE_SIDE];
    const uint32_t texels = TEXTURE_SIDE * TEXTURE_SIDE;
    for (uint32_t i = 0; !group && i < texels; i++) {
        blurred[i] = 0;
        for (uint32_t around = 0; around < 9; around++) {
            const uint32_t x = (i + around % 3 + TEXTURE_SIDE - 1) % TEXTURE_SIDE,
                           y = (i / TEXTURE_SIDE + around / 3 + TEXTURE_SIDE - 1) % TEXTURE_SIDE;
            for (uint32_t texture = 0; texture < BLURRED; texture++)
                blurred[i] += source_value(texture * texels + y * TEXTURE_SIDE + x);
        }
    }
    for (uint32_t i = 0; i < GROUP_SIZE; i++) {
        const uint32_t element = group * GROUP_SIZE + i;
        sums[i] = source_value(scramble_words(element) % elements) + blurred[element % texels];
    }
}

/* shaders/floats.comp. All numbers are exact; the salt is in them. */
static void floats_result(uint32_t elements, uint32_t group, uint32_t sums[GROUP_SIZE])
{
    for (uint32_t i = 0; i < GROUP_SIZE; i++) {
        const uint32_t number =
            source_value(scramble_words(group * GROUP_SIZE + i) % elements) ^ SALT;
        const float result = (float)(number & 0xffffu) / (float)(1u << (number >> 28)) + 0.5f;
        memcpy(&sums[i], &result, sizeof(result));
        sums[i] ^= SALT;
    }
}

/* shaders/histogram.comp, whose results are not XORed. */
static void histogram_result(uint32_t elements, uint32_t group, uint32_t sums[GROUP_SIZE])
{
    static_assert(BINS <= GROUP_SIZE, "the first workgroup has them all");
    for (uint32_t i = 0; i < GROUP_SIZE; i++)
        sums[i] = 0;
    for (uint32_t i = 0; !group && i < elements; i++)
        sums[(source_value(scramble_words(i) % elements) ^ SALT) % BINS]++;
    for (uint32_t i = 0; i < GROUP_SIZE; i++)
        sums[i] ^= SALT;
}

const struct kernel kernels[] = {
    {.name = "storage",
     .text = "target[i] = source[index[i]], storage buffers",
     .code = storage_comp,
     .size = sizeof(storage_comp),
     .binding_count = 3,
     .types = {STORAGE, STORAGE, STORAGE},
     .counts = {1, 1, 1}},
    {.name = "bindless",
     .text = "target[i] = texel of textures[index[i]], an array of 64 sampled images",
     .code = bindless_comp,
     .size = sizeof(bindless_comp),
     .binding_count = 4,
     .types = {STORAGE, STORAGE, VK_DESCRIPTOR_TYPE_SAMPLER, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE},
     .counts = {1, 1, 1, TEXTURE_COUNT}},
    {.name = "address",
     .text = "target[i] = source[index[i]], buffer device addresses",
     .code = address_comp,
     .size = sizeof(address_comp)},
    {.name = "tiles",
     .text = "products of 16 tiles in shared memory",
     .code = tiles_comp,
     .size = sizeof(tiles_comp),
     .binding_count = 3,
     .types = {STORAGE, STORAGE, STORAGE},
     .counts = {1, 1, 1},
     .result = tiles_result},
    {.name = "reduction",
     .text = "sums of a workgroup's numbers in shared memory",
     .code = reduction_comp,
     .size = sizeof(reduction_comp),
     .binding_count = 3,
     .types = {STORAGE, STORAGE, STORAGE},
     .counts = {1, 1, 1},
     .result = reduction_result},
    {.name = "blur",
     .text = "texels around one of 4 textures in a plain array, which constants choose",
     .code = blur_comp,
     .size = sizeof(blur_comp),
     .binding_count = 4,
     .types = {STORAGE, STORAGE, STORAGE, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER},
     .counts = {1, 1, 1, BLURRED},
     .result = blur_result},
    {.name = "histogram",
     .text = "all elements counted in 128 words by atomics",
     .code = histogram_comp,
     .size = sizeof(histogram_comp),
     .binding_count = 3,
     .types = {STORAGE, STORAGE, STORAGE},
     .counts = {1, 1, 1},
     .result = histogram_result},
    {.name = "floats",
     .text = "the gather with a division, whose floating-point result is stored",
     .code = floats_comp,
     .size = sizeof(floats_comp),
     .binding_count = 3,
     .types = {STORAGE, STORAGE, STORAGE},
     .counts = {1, 1, 1},
     .result = floats_result},
    {.name = "dispatches",
     .text =
         "1,000 dispatches of 8 workgroups, each behind a barrier; the shader is that of storage",
     .code = storage_comp,
     .size = sizeof(storage_comp),
     .binding_count = 3,
     .types = {STORAGE, STORAGE, STORAGE},
     .counts = {1, 1, 1},
     .small_dispatches = 1000},
    {.name = "pushes",
     .text = "the same, with push constants before each dispatch",
     .code = storage_comp,
     .size = sizeof(storage_comp),
     .binding_count = 3,
     .types = {STORAGE, STORAGE, STORAGE},
     .counts = {1, 1, 1},
     .small_dispatches = 1000,
     .pushes = true},
};
const uint32_t kernel_count = sizeof(kernels) / sizeof(kernels[0]);

static bool has_textures(const struct job *job)
{
    return job->kernel->binding_count == 4;
}

/* The index chooses a texture. */
static bool is_bindless(const struct job *job)
{
    return has_textures(job) && job->kernel->types[3] == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
}

static uint32_t index_of(const struct job *job, uint32_t element)
{
    return scramble_words(element) % (is_bindless(job) ? TEXTURE_COUNT : job->elements);
}

static uint32_t result_of(const struct job *job, uint32_t element)
{
    const uint32_t texel = element % (TEXTURE_SIDE * TEXTURE_SIDE);
    const uint32_t index = index_of(job, element);
    return source_value(is_bindless(job) ? index * TEXTURE_SIDE * TEXTURE_SIDE + texel : index) ^
           SALT;
}

static void upload_words(const struct job *job, const struct buffer *to)
{
    const VkCommandBuffer commands =
        commands_begin(job->device, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    const VkBufferCopy region = {.size = to->size};
    vkCmdCopyBuffer(commands, job->staging.handle, to->handle, 1, &region);
    commands_barrier(commands);
    commands_finish(job->device, commands);
}

static void buffers_create(struct job *job, bool bad)
{
    const struct device *device = job->device;
    const VkDeviceSize size = (VkDeviceSize)job->elements * sizeof(uint32_t);
    const VkBufferUsageFlags usage =
        (job->kernel->binding_count ? VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
                                    : VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) |
        VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    job->index = buffer_create(device, size, usage);
    job->target = buffer_create(device, size, usage);
    uint32_t *words = job->staging.mapped;
    for (uint32_t i = 0; i < job->elements; i++)
        words[i] = index_of(job, i);
    if (bad && is_bindless(job)) { /* no other invocation reads that texture */
        for (uint32_t i = 0; i < job->elements; i++)
            words[i] %= BAD_TEXTURE;
    }
    if (bad)
        words[BAD_ELEMENT] = is_bindless(job) ? BAD_TEXTURE : job->elements + 1;
    upload_words(job, &job->index);
    if (is_bindless(job))
        return;
    job->source = buffer_create(device, size, usage);
    for (uint32_t i = 0; i < job->elements; i++)
        words[i] = source_value(i);
    upload_words(job, &job->source);
    if (job->kernel->binding_count)
        return;
    job->addresses[0] = buffer_address(device, &job->index);
    job->addresses[1] = buffer_address(device, &job->target);
    job->addresses[2] = buffer_address(device, &job->source);
}

static void images_create(struct job *job)
{
    const VkDevice device = job->device->handle;
    struct textures *textures = &job->textures;
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = VK_FORMAT_R32_UINT,
                                    .extent = {TEXTURE_SIDE, TEXTURE_SIDE, 1},
                                    .mipLevels = 1,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = VK_IMAGE_USAGE_SAMPLED_BIT |
                                             VK_IMAGE_USAGE_TRANSFER_DST_BIT};
    VkMemoryRequirements need = {0};
    for (uint32_t i = 0; i < TEXTURE_COUNT; i++) {
        device_must(vkCreateImage(device, &info, NULL, &textures->images[i]), "vkCreateImage");
        vkGetImageMemoryRequirements(device, textures->images[i], &need);
    }
    const VkDeviceSize each = (need.size + need.alignment - 1) / need.alignment * need.alignment;
    need.size = each * TEXTURE_COUNT;
    textures->memory =
        memory_allocate(job->device, need, 0, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, false);
    for (uint32_t i = 0; i < TEXTURE_COUNT; i++) {
        device_must(vkBindImageMemory(device, textures->images[i], textures->memory, i * each),
                    "vkBindImageMemory");
        const VkImageViewCreateInfo view = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
            .image = textures->images[i],
            .viewType = VK_IMAGE_VIEW_TYPE_2D,
            .format = info.format,
            .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
        device_must(vkCreateImageView(device, &view, NULL, &textures->views[i]),
                    "vkCreateImageView");
    }
    /* nearest, repeated */
    const VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    device_must(vkCreateSampler(device, &sampler, NULL, &textures->sampler), "vkCreateSampler");
}

static void image_barrier(VkCommandBuffer commands, VkImage image, VkImageLayout from,
                          VkImageLayout to)
{
    const bool before = from == VK_IMAGE_LAYOUT_UNDEFINED;
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = before ? 0 : VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = before ? VK_ACCESS_TRANSFER_WRITE_BIT : VK_ACCESS_SHADER_READ_BIT,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    vkCmdPipelineBarrier(commands,
                         before ? VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT
                                : VK_PIPELINE_STAGE_TRANSFER_BIT,
                         before ? VK_PIPELINE_STAGE_TRANSFER_BIT
                                : VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         0, 0, NULL, 0, NULL, 1, &barrier);
}

static void images_fill(struct job *job)
{
    const uint32_t texels = TEXTURE_SIDE * TEXTURE_SIDE;
    struct buffer staging = staging_create(job->device, TEXTURE_COUNT * texels * sizeof(uint32_t));
    uint32_t *words = staging.mapped;
    for (uint32_t i = 0; i < TEXTURE_COUNT * texels; i++)
        words[i] = source_value(i);
    const VkCommandBuffer commands =
        commands_begin(job->device, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    for (uint32_t i = 0; i < TEXTURE_COUNT; i++) {
        const VkImage image = job->textures.images[i];
        const VkBufferImageCopy region = {.bufferOffset = i * texels * sizeof(uint32_t),
                                          .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                          .imageExtent = {TEXTURE_SIDE, TEXTURE_SIDE, 1}};
        image_barrier(commands, image, VK_IMAGE_LAYOUT_UNDEFINED,
                      VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
        vkCmdCopyBufferToImage(commands, staging.handle, image,
                               VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
        image_barrier(commands, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                      VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    }
    commands_finish(job->device, commands);
    buffer_destroy(job->device, &staging);
}

static void layouts_create(struct job *job)
{
    const VkDevice device = job->device->handle;
    const struct kernel *kernel = job->kernel;
    VkDescriptorSetLayoutBinding bindings[BINDING_LIMIT];
    VkDescriptorBindingFlags flags[BINDING_LIMIT];
    for (uint32_t i = 0; i < kernel->binding_count; i++) {
        bindings[i] = (VkDescriptorSetLayoutBinding){i, kernel->types[i], kernel->counts[i],
                                                     VK_SHADER_STAGE_COMPUTE_BIT, NULL};
        flags[i] = is_bindless(job) && kernel->counts[i] > 1
                       ? VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT
                       : 0;
    }
    const VkDescriptorSetLayoutBindingFlagsCreateInfo flags_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = kernel->binding_count,
        .pBindingFlags = flags};
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .pNext = &flags_info,
        .bindingCount = kernel->binding_count,
        .pBindings = bindings};
    if (kernel->binding_count)
        device_must(vkCreateDescriptorSetLayout(device, &set, NULL, &job->set_layout),
                    "vkCreateDescriptorSetLayout");
    const VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(job->addresses)};
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = kernel->binding_count ? 1 : 0,
        .pSetLayouts = &job->set_layout,
        .pushConstantRangeCount = kernel->binding_count && !kernel->pushes ? 0 : 1,
        .pPushConstantRanges = &push};
    device_must(vkCreatePipelineLayout(device, &layout, NULL, &job->layout),
                "vkCreatePipelineLayout");
}

static void set_create(struct job *job)
{
    const VkDevice device = job->device->handle;
    const struct kernel *kernel = job->kernel;
    VkDescriptorPoolSize sizes[BINDING_LIMIT];
    for (uint32_t i = 0; i < kernel->binding_count; i++)
        sizes[i] = (VkDescriptorPoolSize){kernel->types[i], kernel->counts[i]};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = 1,
                                             .poolSizeCount = kernel->binding_count,
                                             .pPoolSizes = sizes};
    device_must(vkCreateDescriptorPool(device, &pool, NULL, &job->pool), "vkCreateDescriptorPool");
    const VkDescriptorSetAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = job->pool,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &job->set_layout};
    device_must(vkAllocateDescriptorSets(device, &info, &job->set), "vkAllocateDescriptorSets");
    const VkDescriptorBufferInfo buffers[] = {{job->index.handle, 0, VK_WHOLE_SIZE},
                                              {job->target.handle, 0, VK_WHOLE_SIZE},
                                              {job->source.handle, 0, VK_WHOLE_SIZE}};
    const VkDescriptorImageInfo sampler = {.sampler = job->textures.sampler};
    VkDescriptorImageInfo images[TEXTURE_COUNT];
    for (uint32_t i = 0; i < TEXTURE_COUNT; i++)
        images[i] = (VkDescriptorImageInfo){job->textures.sampler, job->textures.views[i],
                                            VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    VkWriteDescriptorSet writes[BINDING_LIMIT];
    for (uint32_t i = 0; i < kernel->binding_count; i++) {
        writes[i] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                           .dstSet = job->set,
                                           .dstBinding = i,
                                           .descriptorCount = kernel->counts[i],
                                           .descriptorType = kernel->types[i],
                                           .pImageInfo = kernel->counts[i] > 1 ? images : &sampler,
                                           .pBufferInfo = i < 3 ? &buffers[i] : NULL};
    }
    vkUpdateDescriptorSets(device, kernel->binding_count, writes, 0, NULL);
}

void job_create(struct job *job, const struct device *device, const struct kernel *kernel,
                uint32_t elements, bool bad)
{
    *job = (struct job){.device = device, .kernel = kernel, .elements = elements};
    job->staging = staging_create(device, (VkDeviceSize)elements * sizeof(uint32_t));
    buffers_create(job, bad);
    if (has_textures(job)) {
        images_create(job);
        images_fill(job);
    }
    layouts_create(job);
    if (kernel->binding_count)
        set_create(job);
    uint32_t *scratch = malloc(kernel->size);
    if (!scratch)
        fail("malloc");
    job->pipeline = pipeline_create(job, SALT, scratch);
    free(scratch);
    if (bad && is_bindless(job)) {
        vkDestroyImageView(device->handle, job->textures.views[BAD_TEXTURE], NULL);
        job->textures.views[BAD_TEXTURE] = VK_NULL_HANDLE;
    }
}

void job_destroy(struct job *job)
{
    const VkDevice device = job->device->handle;
    vkDestroyPipeline(device, job->pipeline, NULL);
    vkDestroyDescriptorPool(device, job->pool, NULL);
    vkDestroyPipelineLayout(device, job->layout, NULL);
    vkDestroyDescriptorSetLayout(device, job->set_layout, NULL);
    vkDestroySampler(device, job->textures.sampler, NULL);
    for (uint32_t i = 0; i < TEXTURE_COUNT; i++) {
        vkDestroyImageView(device, job->textures.views[i], NULL);
        vkDestroyImage(device, job->textures.images[i], NULL);
    }
    vkFreeMemory(device, job->textures.memory, NULL);
    buffer_destroy(job->device, &job->index);
    buffer_destroy(job->device, &job->target);
    buffer_destroy(job->device, &job->source);
    buffer_destroy(job->device, &job->staging);
}

VkPipeline pipeline_create(const struct job *job, uint32_t salt, uint32_t *scratch)
{
    const struct kernel *kernel = job->kernel;
    memcpy(scratch, kernel->code, kernel->size);
    uint32_t *const end = scratch + kernel->size / sizeof(*scratch);
    uint32_t *word = scratch;
    while (word < end && *word != SALT)
        word++;
    if (word == end)
        fail("finding the salt in the code");
    *word = salt;
    const VkShaderModuleCreateInfo module_info = {.sType =
                                                      VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                                  .codeSize = kernel->size,
                                                  .pCode = scratch};
    VkShaderModule module;
    device_must(vkCreateShaderModule(job->device->handle, &module_info, NULL, &module),
                "vkCreateShaderModule");
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"},
        .layout = job->layout};
    VkPipeline pipeline;
    device_must(vkCreateComputePipelines(job->device->handle, VK_NULL_HANDLE, 1, &info, NULL,
                                         &pipeline),
                "vkCreateComputePipelines");
    vkDestroyShaderModule(job->device->handle, module, NULL);
    return pipeline;
}

void job_bind(const struct job *job, VkCommandBuffer commands)
{
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, job->pipeline);
    if (job->kernel->binding_count)
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, job->layout, 0, 1,
                                &job->set, 0, NULL);
    else
        vkCmdPushConstants(commands, job->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                           sizeof(job->addresses), job->addresses);
}

uint32_t job_wrong_results(struct job *job)
{
    const VkCommandBuffer commands =
        commands_begin(job->device, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkCmdFillBuffer(commands, job->target.handle, 0, VK_WHOLE_SIZE, 0);
    commands_barrier(commands);
    job_bind(job, commands);
    vkCmdDispatch(commands, job->elements / GROUP_SIZE, 1, 1);
    commands_barrier(commands);
    const VkBufferCopy region = {.size = job->target.size};
    vkCmdCopyBuffer(commands, job->target.handle, job->staging.handle, 1, &region);
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                         &barrier, 0, NULL, 0, NULL);
    commands_finish(job->device, commands);
    const uint32_t *words = job->staging.mapped;
    uint32_t wrong = 0, sums[GROUP_SIZE];
    for (uint32_t i = 0; i < job->elements; i++) {
        if (job->kernel->result && i % GROUP_SIZE == 0)
            job->kernel->result(job->elements, i / GROUP_SIZE, sums);
        wrong +=
            words[i] != (job->kernel->result ? sums[i % GROUP_SIZE] ^ SALT : result_of(job, i));
    }
    return wrong;
}
