/* Keeps sets bound. Pipelines have layouts that are alike up to some set, and sets are bound in any
 * order and by any of these layouts. Dynamic offsets and push constants in parts come with them. */
#include "valid.h"

#define SETS 3

struct bound {
    VkDescriptorSetLayout layouts[SETS];
    VkDescriptorSet sets[SETS];
    VkPipelineLayout full, partial; /* alike in sets 0 and 1, and in what is pushed */
    VkPipeline all, few;            /* few uses set 0 alone */
    VkDeviceSize grain;
    VkShaderStageFlags stages;
};

static VkDescriptorSetLayout set_layout(struct world *w, uint32_t binding, VkDescriptorType type,
                                        VkShaderStageFlags stages)
{
    VkDescriptorSetLayoutBinding of = {binding, type, 1, stages,
                                       type == VK_DESCRIPTOR_TYPE_SAMPLER ? NULL : IGNORED};
    VkDescriptorSetLayoutCreateInfo info = {.sType =
                                                VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .bindingCount = 1,
                                            .pBindings = &of};
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    MUST(CreateDescriptorSetLayout, w->device, &info, NULL, &layout);
    OWN(DescriptorSetLayout, layout);
    return layout;
}

static VkPipelineLayout pipeline_layout(struct world *w, uint32_t count,
                                        const VkDescriptorSetLayout *sets,
                                        VkShaderStageFlags stages)
{
    VkPushConstantRange range = {stages, 8, 24};
    VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .setLayoutCount = count,
                                       .pSetLayouts = sets,
                                       .pushConstantRangeCount = 1,
                                       .pPushConstantRanges = &range};
    VkPipelineLayout layout = VK_NULL_HANDLE;
    MUST(CreatePipelineLayout, w->device, &info, NULL, &layout);
    OWN(PipelineLayout, layout);
    return layout;
}

static VkPipeline pipeline_of_shader(struct world *w, VkPipelineLayout layout, enum shader shader)
{
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = make_module(w, shader),
                  .pName = "main"},
        .layout = layout};
    VkPipeline made = VK_NULL_HANDLE;
    MUST(CreateComputePipelines, w->device, VK_NULL_HANDLE, 1, &info, NULL, &made);
    OWN(Pipeline, made);
    return made;
}

static void write_buffer(struct world *w, VkDescriptorSet set, uint32_t binding,
                         VkDescriptorType type, VkDescriptorBufferInfo buffer)
{
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = set,
                                  .dstBinding = binding,
                                  .descriptorCount = 1,
                                  .descriptorType = type,
                                  .pImageInfo = IGNORED,
                                  .pBufferInfo = &buffer,
                                  .pTexelBufferView = IGNORED};
    CALL(UpdateDescriptorSets, w->device, 1, &write, 0, IGNORED);
}

static void make_bound(struct world *w, struct bound *b)
{
    const VkDescriptorType storage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                           dynamic = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
    b->stages =
        PICK(VK_SHADER_STAGE_COMPUTE_BIT, VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_VERTEX_BIT);
    VkShaderStageFlags seen = PICK(VK_SHADER_STAGE_COMPUTE_BIT, VK_SHADER_STAGE_ALL);
    b->layouts[0] = set_layout(w, 0, storage, seen);
    b->layouts[1] = set_layout(w, 3, dynamic, seen);
    b->layouts[2] = set_layout(w, 1, storage, seen);
    b->full = pipeline_layout(w, SETS, b->layouts, b->stages);
    /* Layouts that are made alike are alike. */
    VkDescriptorSetLayout again[SETS] = {
        chance(w, 50) ? b->layouts[0] : set_layout(w, 0, storage, seen),
        chance(w, 50) ? b->layouts[1] : set_layout(w, 3, dynamic, seen),
        ON(graphicsPipelineLibrary) && chance(w, 30)
            ? VK_NULL_HANDLE
            : set_layout(w, 8, VK_DESCRIPTOR_TYPE_SAMPLER, seen)};
    b->partial = pipeline_layout(w, between(w, 2, SETS), again, b->stages);
    b->all = pipeline_of_shader(w, b->full, SHADER_sets_comp);
    b->few = pipeline_of_shader(w, b->partial, SHADER_fill_comp);
    VkDescriptorPoolSize sizes[] = {{storage, 2}, {dynamic, 1}};
    VkDescriptorPoolCreateInfo create = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                         .maxSets = SETS,
                                         .poolSizeCount = 2,
                                         .pPoolSizes = sizes};
    VkDescriptorPool pool = VK_NULL_HANDLE;
    MUST(CreateDescriptorPool, w->device, &create, NULL, &pool);
    OWN(DescriptorPool, pool);
    VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                            .descriptorPool = pool,
                                            .descriptorSetCount = SETS,
                                            .pSetLayouts = b->layouts};
    MUST(AllocateDescriptorSets, w->device, &allocate, b->sets);
    b->grain = w->properties.limits.minUniformBufferOffsetAlignment;
    struct buffer *uniform =
        make_buffer(w, b->grain * 4 + 16, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, false);
    struct buffer *one = make_buffer(w, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, false);
    struct buffer *two = make_buffer(w, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, false);
    write_buffer(w, b->sets[0], 0, storage,
                 (VkDescriptorBufferInfo){one->handle, 0, VK_WHOLE_SIZE});
    write_buffer(w, b->sets[1], 3, dynamic, (VkDescriptorBufferInfo){uniform->handle, 0, 16});
    write_buffer(w, b->sets[2], 1, storage, (VkDescriptorBufferInfo){two->handle, 0, 64});
}

static void bind_one(struct record *rec, const struct bound *b, uint32_t set)
{
    struct world *w = rec->w;
    VkPipelineLayout layout = set == 2 || chance(w, 50) ? b->full : b->partial;
    uint32_t offset = (uint32_t)b->grain * below(w, 5);
    CALL(CmdBindDescriptorSets, rec->c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, set, 1,
         &b->sets[set], set == 1 ? 1 : 0, set == 1 ? &offset : IGNORED);
}

static void push_parts(struct record *rec, const struct bound *b)
{
    struct world *w = rec->w;
    static const uint32_t words[6] = {1, 2, 3, 4, 5, 6};
    VkPipelineLayout layout = chance(w, 50) ? b->full : b->partial;
    uint32_t cut = 4 * between(w, 1, 5);
    CALL(CmdPushConstants, rec->c, layout, b->stages, 8, cut, words);
    CALL(CmdPushConstants, rec->c, chance(w, 50) ? b->full : b->partial, b->stages, 8 + cut,
         24 - cut, words);
}

void step_bindings(struct world *w)
{
    struct bound *b = NEW(struct bound, {VK_NULL_HANDLE});
    make_bound(w, b);
    struct record *rec = record_begin(w, any_queue(w, VK_QUEUE_COMPUTE_BIT));
    uint32_t start = below(w, SETS);
    bool pushed = chance(w, 50);
    if (pushed)
        push_parts(rec, b);
    for (uint32_t i = 0; i < SETS; i++)
        bind_one(rec, b, (start + i) % SETS);
    if (!pushed)
        push_parts(rec, b);
    for (uint32_t i = between(w, 1, 6); i > 0; i--) {
        bool few = chance(w, 40);
        CALL(CmdBindPipeline, rec->c, VK_PIPELINE_BIND_POINT_COMPUTE, few ? b->few : b->all);
        if (chance(w, 30))
            bind_one(rec, b, below(w, SETS));
        if (chance(w, 20)) { /* several at once */
            uint32_t offset = 0;
            CALL(CmdBindDescriptorSets, rec->c, VK_PIPELINE_BIND_POINT_COMPUTE,
                 chance(w, 50) ? b->full : b->partial, 0, 2, b->sets, 1, &offset);
        }
        if (chance(w, 20))
            push_parts(rec, b);
        ready(rec, USE(COMPUTE_READ) | USE(COMPUTE_WRITE));
        CALL(CmdDispatch, rec->c, between(w, 0, 2), 1, 1);
    }
    record_finish(rec);
}
