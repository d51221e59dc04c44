/* Measures the processor time that shaders full of device addresses take to be compiled. That is
 * until the first dispatch is done, since lavapipe compiles at the first dispatch. Prints "NAME
 * seconds" for each file of SPIR-V. bench/gpu/compile.py makes the shaders. */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BYTES 65536u

/* Memory of which each pair of words is the buffer's own address: all pointers lead to it. */
static struct buffer addresses_create(const struct device *device)
{
    struct buffer staging = staging_create(device, BYTES),
                  buffer = buffer_create(device, BYTES,
                                         VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                             VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
                                             VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                             VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    uint64_t *words = staging.mapped;
    for (uint32_t i = 0; i < BYTES / sizeof(*words); i++)
        words[i] = buffer_address(device, &buffer);
    VkCommandBuffer commands = commands_begin(device, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkCmdCopyBuffer(commands, staging.handle, buffer.handle, 1, &(VkBufferCopy){.size = BYTES});
    commands_finish(device, commands);
    buffer_destroy(device, &staging);
    return buffer;
}

struct code {
    uint32_t *words;
    size_t size;
};

static struct code code_read(const char *name)
{
    FILE *file = fopen(name, "rb");
    if (!file || fseek(file, 0, SEEK_END))
        fail(name);
    const long size = ftell(file);
    struct code code = {.size = size > 0 ? (size_t)size : 0};
    code.words = malloc(code.size);
    rewind(file);
    if (!code.words || fread(code.words, 1, code.size, file) != code.size)
        fail(name);
    fclose(file);
    return code;
}

static double seconds_used(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

struct world {
    struct device device;
    struct buffer buffer;
    VkPipelineLayout layout;
    VkDescriptorSet set;
};

static void world_create(struct world *world)
{
    device_create(&world->device);
    world->buffer = addresses_create(&world->device);
    const VkDevice device = world->device.handle;
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    const VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 2,
        .pBindings = bindings};
    VkDescriptorSetLayout set_layout;
    device_must(vkCreateDescriptorSetLayout(device, &set_info, NULL, &set_layout), "a set layout");
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 32};
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .setLayoutCount = 1,
                                             .pSetLayouts = &set_layout,
                                             .pushConstantRangeCount = 1,
                                             .pPushConstantRanges = &range};
    device_must(vkCreatePipelineLayout(device, &info, NULL, &world->layout), "a pipeline layout");
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1},
                                          {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1}};
    const VkDescriptorPoolCreateInfo pool_info = {.sType =
                                                      VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                                  .maxSets = 1,
                                                  .poolSizeCount = 2,
                                                  .pPoolSizes = sizes};
    VkDescriptorPool pool;
    device_must(vkCreateDescriptorPool(device, &pool_info, NULL, &pool), "a descriptor pool");
    const VkDescriptorSetAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &set_layout};
    device_must(vkAllocateDescriptorSets(device, &allocate, &world->set), "a set");
    const VkDescriptorBufferInfo whole = {world->buffer.handle, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet writes[2];
    for (uint32_t i = 0; i < 2; i++)
        writes[i] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                           .dstSet = world->set,
                                           .dstBinding = i,
                                           .descriptorCount = 1,
                                           .descriptorType = bindings[i].descriptorType,
                                           .pBufferInfo = &whole};
    vkUpdateDescriptorSets(device, 2, writes, 0, NULL);
}

static void measure_compile(struct world *world, const char *name)
{
    const struct code code = code_read(name);
    const VkDevice device = world->device.handle;
    const double begin = seconds_used();
    const VkShaderModuleCreateInfo module_info = {.sType =
                                                      VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                                  .codeSize = code.size,
                                                  .pCode = code.words};
    VkShaderModule module;
    device_must(vkCreateShaderModule(device, &module_info, NULL, &module), "vkCreateShaderModule");
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"},
        .layout = world->layout};
    VkPipeline pipeline;
    device_must(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
                "vkCreateComputePipelines");
    VkCommandBuffer commands =
        commands_begin(&world->device, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, world->layout, 0, 1,
                            &world->set, 0, NULL);
    const uint64_t address = buffer_address(&world->device, &world->buffer);
    const uint32_t pushed[8] = {(uint32_t)address, (uint32_t)(address >> 32), 0, 0, 0, 1, 2, 3};
    vkCmdPushConstants(commands, world->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(pushed),
                       pushed);
    vkCmdDispatch(commands, 1, 1, 1);
    commands_finish(&world->device, commands);
    printf("%s %.2f\n", name, seconds_used() - begin);
    vkDestroyPipeline(device, pipeline, NULL);
    vkDestroyShaderModule(device, module, NULL);
    free(code.words);
}

int main(int argc, char **argv)
{
    struct world world;
    world_create(&world);
    for (int i = 1; i < argc; i++)
        measure_compile(&world, argv[i]);
    return 0; /* what is left goes with the process */
}
