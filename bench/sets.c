/* Makes what draws with other sets than the scene's need: many small sets, and one with dynamic
 * uniform buffers. A large set is written while command buffers have it bound. */
#include "context.h"

#include "sets.frag.h" /* made by glslang from shaders/ */
#include "table.frag.h"

#include <stdlib.h>

#define FEW         3u /* bindings of a small set */
#define TABLE_PARTS 2u /* a uniform buffer, and the table */

/* Makes layouts and pipeline of sets that are made like this. */
static void kind_create(struct context *context, struct set_kind *kind,
                        const VkDescriptorSetLayoutCreateInfo *set, struct shader_code fragment)
{
    bench_must(context->vk.CreateDescriptorSetLayout(context->device, set, NULL, &kind->set_layout),
               "vkCreateDescriptorSetLayout");
    kind->pipeline_layout = pipeline_layout_create(context, kind->set_layout);
    kind->pipeline =
        graphics_pipeline_create(context, kind->pipeline_layout, scene_vertex, fragment, false);
}

/* Two uniform buffers of this type, and a storage buffer. */
static void small_kind_create(struct context *context, struct set_kind *kind, VkDescriptorType type)
{
    const VkDescriptorSetLayoutBinding bindings[FEW] = {
        {0, type, 1, VK_SHADER_STAGE_ALL_GRAPHICS, NULL},
        {1, type, 1, VK_SHADER_STAGE_ALL_GRAPHICS, NULL},
        {2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL_GRAPHICS, NULL}};
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = FEW,
        .pBindings = bindings};
    kind_create(context, kind, &set, (struct shader_code){sets_frag, sizeof(sets_frag)});
}

static void table_kind_create(struct context *context)
{
    const VkDescriptorSetLayoutBinding bindings[TABLE_PARTS] = {
        {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_ALL_GRAPHICS, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, BINDLESS_COUNT, VK_SHADER_STAGE_FRAGMENT_BIT, NULL}};
    const VkDescriptorBindingFlags flags[TABLE_PARTS] = {
        0, VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT | VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT};
    const VkDescriptorSetLayoutBindingFlagsCreateInfo binding_flags = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = TABLE_PARTS,
        .pBindingFlags = flags};
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .pNext = &binding_flags,
        .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT,
        .bindingCount = TABLE_PARTS,
        .pBindings = bindings};
    kind_create(context, &context->table, &set,
                (struct shader_code){table_frag, sizeof(table_frag)});
}

void set_kinds_create(struct context *context)
{
    small_kind_create(context, &context->small, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
    small_kind_create(context, &context->dynamic, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC);
    table_kind_create(context);
}

void set_kinds_destroy(struct context *context)
{
    const struct set_kind *kinds[] = {&context->small, &context->dynamic, &context->table};
    for (uint32_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        context->vk.DestroyPipeline(context->device, kinds[i]->pipeline, NULL);
        context->vk.DestroyPipelineLayout(context->device, kinds[i]->pipeline_layout, NULL);
        context->vk.DestroyDescriptorSetLayout(context->device, kinds[i]->set_layout, NULL);
    }
}

static VkDescriptorSet kind_set_allocate(const struct context *context, VkDescriptorPool pool,
                                         const struct set_kind *kind)
{
    const VkDescriptorSetAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = pool,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &kind->set_layout};
    VkDescriptorSet set;
    bench_must(context->vk.AllocateDescriptorSets(context->device, &info, &set),
               "vkAllocateDescriptorSets");
    return set;
}

/* Writes a set of two uniform buffers of this type and a storage buffer, all at `offset`. */
static void small_set_write(const struct worker *worker, VkDescriptorSet set, VkDescriptorType type,
                            VkDeviceSize offset)
{
    const struct context *context = worker->context;
    const VkDescriptorBufferInfo part = {worker->source, offset, PART_SIZE};
    VkWriteDescriptorSet writes[FEW];
    for (uint32_t i = 0; i < FEW; i++)
        writes[i] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                           .dstSet = set,
                                           .dstBinding = i,
                                           .descriptorCount = 1,
                                           .descriptorType =
                                               i < 2 ? type : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                           .pBufferInfo = &part};
    context->vk.UpdateDescriptorSets(context->device, FEW, writes, 0, NULL);
}

static void small_sets_create(struct worker *worker)
{
    const struct context *context = worker->context;
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 2 * MANY_SETS},
                                          {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 2},
                                          {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, MANY_SETS + 1}};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = MANY_SETS + 1,
                                             .poolSizeCount = 3,
                                             .pPoolSizes = sizes};
    bench_must(context->vk.CreateDescriptorPool(context->device, &pool, NULL, &worker->small_pool),
               "vkCreateDescriptorPool");
    for (uint32_t i = 0; i < MANY_SETS; i++) {
        worker->small_sets[i] = kind_set_allocate(context, worker->small_pool, &context->small);
        small_set_write(worker, worker->small_sets[i], VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                        (VkDeviceSize)i * PART_SIZE);
    }
    worker->dynamic_set = kind_set_allocate(context, worker->small_pool, &context->dynamic);
    small_set_write(worker, worker->dynamic_set, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 0);
}

static void table_create(struct worker *worker)
{
    const struct context *context = worker->context;
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1},
                                          {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, BINDLESS_COUNT}};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .flags =
                                                 VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT,
                                             .maxSets = 1,
                                             .poolSizeCount = 2,
                                             .pPoolSizes = sizes};
    bench_must(context->vk.CreateDescriptorPool(context->device, &pool, NULL, &worker->table_pool),
               "vkCreateDescriptorPool");
    worker->table_set = kind_set_allocate(context, worker->table_pool, &context->table);
    VkDescriptorBufferInfo *buffers = calloc(BINDLESS_COUNT, sizeof(*buffers));
    if (!buffers)
        fail("calloc");
    for (uint32_t i = 0; i < BINDLESS_COUNT; i++)
        buffers[i] = (VkDescriptorBufferInfo){worker->source, 0, PART_SIZE};
    const VkWriteDescriptorSet writes[TABLE_PARTS] = {
        {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
         .dstSet = worker->table_set,
         .descriptorCount = 1,
         .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
         .pBufferInfo = buffers},
        {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
         .dstSet = worker->table_set,
         .dstBinding = 1,
         .descriptorCount = BINDLESS_COUNT,
         .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
         .pBufferInfo = buffers}};
    context->vk.UpdateDescriptorSets(context->device, TABLE_PARTS, writes, 0, NULL);
    free(buffers);
}

void more_sets_create(struct worker *worker)
{
    small_sets_create(worker);
    table_create(worker);
}

void more_sets_destroy(struct worker *worker)
{
    const struct context *context = worker->context;
    context->vk.DestroyDescriptorPool(context->device, worker->small_pool, NULL);
    context->vk.DestroyDescriptorPool(context->device, worker->table_pool, NULL);
}
