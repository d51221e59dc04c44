/* Dispatches, and descriptors of every kind. They are in sets that are written, copied, pushed, by
 * templates, updated after they are bound, bound in part, or of variable count. Samplers are
 * immutable, and descriptors mutable, or null. */
#include "valid.h"

/* The bindings of all.comp. */
static const struct {
    uint32_t binding;
    VkDescriptorType type;
} slots[] = {
    {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER},      {1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER},
    {2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},      {3, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
    {4, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE},       {5, VK_DESCRIPTOR_TYPE_SAMPLER},
    {6, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER}};
#define SLOTS LENGTH(slots)

struct data {
    VkDescriptorBufferInfo uniform;
    VkDescriptorImageInfo combined;
    VkDescriptorBufferInfo storage;
    VkDescriptorImageInfo target, sampled, alone;
    VkBufferView texels;
};

struct resources {
    struct image *target, *sampled;
    struct data data;
    VkImageLayout sampled_layout;
};

enum way {
    WAY_PLAIN,
    WAY_PUSH,
    WAY_PUSH_TEMPLATE,
    WAY_AFTER,
    WAY_TEMPLATE,
    WAY_COPIED,
    WAY_DYNAMIC
};

static bool make_resources(struct world *w, struct resources *r)
{
    VkImageCreateInfo info =
        image_info(VK_FORMAT_R8G8B8A8_UNORM, 8, 8,
                   VK_IMAGE_USAGE_STORAGE_BIT | (chance(w, 50) ? VK_IMAGE_USAGE_SAMPLED_BIT : 0));
    r->target = make_image(w, &info);
    info.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
    r->sampled = make_image(w, &info);
    if (!r->target || !r->sampled)
        return false;
    r->sampled_layout = PICK(VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL);
    struct buffer *uniform = make_buffer(w, 16, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, false);
    VkDeviceSize align = w->properties.limits.minStorageBufferOffsetAlignment;
    struct buffer *storage =
        make_buffer(w, 2 * align + 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, false);
    struct buffer *texels = make_buffer(w, 256, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, false);
    VkBufferViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                   .buffer = texels->handle,
                                   .format = VK_FORMAT_R8G8B8A8_UINT,
                                   .range = PICK(VK_WHOLE_SIZE, 16, 256)};
    MUST(CreateBufferView, w->device, &view, NULL, &r->data.texels);
    OWN(BufferView, r->data.texels);
    VkImageView sampled =
        make_view(w, r->sampled, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT);
    r->data.uniform = (VkDescriptorBufferInfo){uniform->handle, 0, PICK(VK_WHOLE_SIZE, 16)};
    r->data.storage =
        (VkDescriptorBufferInfo){storage->handle, align * below(w, 3), PICK(VK_WHOLE_SIZE, 64, 64)};
    r->data.combined = (VkDescriptorImageInfo){make_sampler(w), sampled, r->sampled_layout};
    r->data.target = (VkDescriptorImageInfo){
        VK_NULL_HANDLE, make_view(w, r->target, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT),
        VK_IMAGE_LAYOUT_GENERAL};
    r->data.sampled = (VkDescriptorImageInfo){VK_NULL_HANDLE, sampled, r->sampled_layout};
    r->data.alone =
        (VkDescriptorImageInfo){make_sampler(w), VK_NULL_HANDLE, (VkImageLayout)PICK(0, 77)};
    if (chance(w, 30)) { /* ignored */
        r->data.target.sampler = r->data.sampled.sampler = (VkSampler)(uintptr_t)0xdead0003;
        r->data.alone.imageView = (VkImageView)(uintptr_t)0xdead0004;
    }
    return true;
}

static const size_t data_offsets[SLOTS] = {
    offsetof(struct data, uniform), offsetof(struct data, combined), offsetof(struct data, storage),
    offsetof(struct data, target),  offsetof(struct data, sampled),  offsetof(struct data, alone),
    offsetof(struct data, texels)};

static uint32_t make_writes(struct world *w, const struct resources *r, VkDescriptorSet set,
                            bool dynamic, bool immutable, VkWriteDescriptorSet *writes)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (immutable && slots[i].type == VK_DESCRIPTOR_TYPE_SAMPLER)
            continue;
        const void *data = (const char *)&r->data + data_offsets[i];
        VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                      .dstSet =
                                          /* ignored */
                                      set ? set : (VkDescriptorSet)(uintptr_t)PICK(0u, 0xdead0005u),
                                      .dstBinding = slots[i].binding,
                                      .descriptorCount = 1,
                                      .descriptorType = slots[i].type,
                                      .pImageInfo = IGNORED,
                                      .pBufferInfo = IGNORED,
                                      .pTexelBufferView = IGNORED};
        switch (slots[i].type) {
        case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
        case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
            write.pBufferInfo = data;
            if (dynamic)
                write.descriptorType = slots[i].type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
                                           ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC
                                           : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
            break;
        case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
            write.pTexelBufferView = data;
            break;
        default:
            write.pImageInfo = data;
            break;
        }
        writes[count++] = write;
    }
    return count;
}

static VkDescriptorUpdateTemplate make_template(struct world *w, VkDescriptorSetLayout layout,
                                                VkPipelineLayout pipeline_layout, bool immutable)
{
    VkDescriptorUpdateTemplateEntry entries[SLOTS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (immutable && slots[i].type == VK_DESCRIPTOR_TYPE_SAMPLER)
            continue;
        entries[count++] = (VkDescriptorUpdateTemplateEntry){
            slots[i].binding, 0, 1, slots[i].type, data_offsets[i], PICK(0u, 77u)};
    }
    VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = count,
        .pDescriptorUpdateEntries = entries,
        .templateType = pipeline_layout ? VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS
                                        : VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
        .descriptorSetLayout =
            pipeline_layout ? (VkDescriptorSetLayout)(uintptr_t)PICK(0u, 0xdead0006u) : layout,
        .pipelineBindPoint =
            pipeline_layout ? VK_PIPELINE_BIND_POINT_COMPUTE : (VkPipelineBindPoint)PICK(0, 77),
        .pipelineLayout =
            pipeline_layout ? pipeline_layout : (VkPipelineLayout)(uintptr_t)PICK(0u, 0xdead0007u)};
    VkDescriptorUpdateTemplate template = VK_NULL_HANDLE;
    MUST(CreateDescriptorUpdateTemplate, w->device, &info, NULL, &template);
    OWN(DescriptorUpdateTemplate, template);
    return template;
}

static VkPipeline make_compute_of(struct world *w, VkPipelineLayout layout, enum shader shader)
{
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .pName = "main"},
        .layout = layout,
        .basePipelineHandle = chance(w, 20) ? (VkPipeline)(uintptr_t)0xdead0008 : VK_NULL_HANDLE,
        .basePipelineIndex = PICK(-1, 0, 77)};
    static const uint32_t factor = 3;
    VkSpecializationMapEntry entries[] = {{3, 0, 4}, {999, 2, 1}}; /* one of no constant's */
    VkSpecializationInfo special = {
        .mapEntryCount = between(w, 1, 2), .pMapEntries = entries, .dataSize = 4, .pData = &factor};
    if (chance(w, 30))
        info.stage.pSpecializationInfo = &special;
    if (ON(maintenance5) && chance(w, 40)) {
        CHAIN(info.stage.pNext, VkShaderModuleCreateInfo,
              VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = shader_codes[shader].size,
              .pCode = shader_codes[shader].words);
        CHAIN(info.pNext, VkPipelineCreateFlags2CreateInfo,
              VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO, .flags = 0);
        info.flags = PICK(0u, 0x7fffffffu);
    } else {
        info.stage.module = make_module(w, shader);
    }
    VkPipeline pipeline = VK_NULL_HANDLE;
    MUST(CreateComputePipelines, w->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline);
    OWN(Pipeline, pipeline);
    if (info.stage.module && chance(w, 50))
        DESTROY_NOW(info.stage.module);
    return pipeline;
}

static VkPipelineLayout make_layout_of_sets(struct world *w, uint32_t count,
                                            const VkDescriptorSetLayout *sets,
                                            const VkPushConstantRange *range)
{
    VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .setLayoutCount = count,
                                       .pSetLayouts = count ? sets : IGNORED,
                                       .pushConstantRangeCount = range ? 1 : 0,
                                       .pPushConstantRanges = range ? range : IGNORED};
    VkPipelineLayout layout = VK_NULL_HANDLE;
    MUST(CreatePipelineLayout, w->device, &info, NULL, &layout);
    OWN(PipelineLayout, layout);
    return layout;
}

static void dispatch_any(struct record *rec, struct buffer *indirect)
{
    struct world *w = rec->w;
    switch (below(w, 4)) {
    case 0:
        CALL(CmdDispatchIndirect, rec->c, indirect->handle, PICK(0, 4, 52));
        break;
    case 1:
        if (has_either(w, 11, EXTENSION_KHR_device_group)) {
            CALL(CmdDispatchBase, rec->c, 0, 0, 0, 1, 1, 1);
            break;
        }
        /* fall through */
    default:
        CALL(CmdDispatch, rec->c, below(w, 3), 1, below(w, 2));
        break;
    }
}

static struct buffer *make_indirect(struct record *rec)
{
    struct world *w = rec->w;
    struct buffer *indirect =
        make_buffer(w, 64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                    false);
    ready(rec, USE(CLEAR));
    CALL(CmdFillBuffer, rec->c, indirect->handle, 0, VK_WHOLE_SIZE, 1);
    return indirect;
}

static enum way choose_way(struct world *w)
{
    enum way way = (enum way)below(w, 7);
    bool pushes = has_either(w, 14, EXTENSION_KHR_push_descriptor) &&
                  (HAS(KHR_push_descriptor) || ON(pushDescriptor));
    bool templates = has_either(w, 11, EXTENSION_KHR_descriptor_update_template);
    bool after = ON(descriptorBindingUniformBufferUpdateAfterBind) &&
                 ON(descriptorBindingStorageBufferUpdateAfterBind) &&
                 ON(descriptorBindingSampledImageUpdateAfterBind) &&
                 ON(descriptorBindingStorageImageUpdateAfterBind) &&
                 ON(descriptorBindingUniformTexelBufferUpdateAfterBind);
    if ((way == WAY_PUSH && !pushes) || (way == WAY_PUSH_TEMPLATE && (!pushes || !templates)) ||
        (way == WAY_TEMPLATE && !templates) || (way == WAY_AFTER && !after))
        return WAY_PLAIN;
    return way;
}

struct descriptors {
    VkDescriptorSetLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    bool immutable;
};

static void make_set_layout(struct world *w, enum way way, struct descriptors *d)
{
    VkDescriptorSetLayoutBinding bindings[SLOTS + 2];
    VkDescriptorBindingFlags flags[SLOTS + 2];
    uint32_t count = 0;
    VkSampler sampler = make_sampler(w);
    d->immutable = chance(w, 30);
    for (uint32_t i = 0; i < SLOTS; i++) {
        bool sampler_slot = slots[i].type == VK_DESCRIPTOR_TYPE_SAMPLER,
             both = slots[i].type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
        bindings[count] = (VkDescriptorSetLayoutBinding){
            .binding = slots[i].binding,
            .descriptorType = slots[i].type,
            .descriptorCount = 1,
            .stageFlags = PICK(VK_SHADER_STAGE_COMPUTE_BIT, VK_SHADER_STAGE_ALL),
            .pImmutableSamplers = both           ? NULL
                                  : sampler_slot ? (d->immutable ? &sampler : NULL)
                                                 : IGNORED};
        if (way == WAY_DYNAMIC && slots[i].type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER)
            bindings[count].descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
        if (way == WAY_DYNAMIC && slots[i].type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
            bindings[count].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
        flags[count++] = way == WAY_AFTER ? VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT : 0;
    }
    if (chance(w, 30)) { /* a binding of nothing, whose type may be anything's */
        bindings[count] =
            (VkDescriptorSetLayoutBinding){.binding = 9,
                                           .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                           .descriptorCount = 0,
                                           .stageFlags = 0,
                                           .pImmutableSamplers = IGNORED};
        flags[count++] = 0;
    }
    if (way == WAY_AFTER && ON(descriptorBindingPartiallyBound) &&
        ON(descriptorBindingVariableDescriptorCount)) {
        bindings[count] =
            (VkDescriptorSetLayoutBinding){.binding = 12,
                                           .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                           .descriptorCount = 5,
                                           .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
        flags[count++] = VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT |
                         VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT;
    }
    VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = way == WAY_PUSH || way == WAY_PUSH_TEMPLATE
                     ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT
                 : way == WAY_AFTER ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT
                                    : 0,
        .bindingCount = count,
        .pBindings = bindings};
    if (way == WAY_AFTER || (has_either(w, 12, EXTENSION_EXT_descriptor_indexing) && chance(w, 20)))
        CHAIN(info.pNext, VkDescriptorSetLayoutBindingFlagsCreateInfo,
              VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
              .bindingCount = count, .pBindingFlags = flags);
    MUST(CreateDescriptorSetLayout, w->device, &info, NULL, &d->layout);
    OWN(DescriptorSetLayout, d->layout);
}

static void allocate_descriptors(struct world *w, enum way way, struct descriptors *d,
                                 uint32_t count, VkDescriptorSet *sets)
{
    VkDescriptorPoolSize sizes[SLOTS + 1];
    uint32_t size_count = 0;
    for (uint32_t i = 0; i < SLOTS; i++) {
        VkDescriptorType type = slots[i].type;
        if (way == WAY_DYNAMIC && type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER)
            type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
        if (way == WAY_DYNAMIC && type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
            type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
        sizes[size_count++] = (VkDescriptorPoolSize){type, count};
    }
    sizes[size_count++] = (VkDescriptorPoolSize){VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 5 * count};
    VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .flags = (way == WAY_AFTER ? VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT : 0) |
                 (chance(w, 50) ? VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT : 0),
        .maxSets = count,
        .poolSizeCount = size_count,
        .pPoolSizes = sizes};
    MUST(CreateDescriptorPool, w->device, &info, NULL, &d->pool);
    OWN(DescriptorPool, d->pool);
    VkDescriptorSetLayout layouts[2] = {d->layout, d->layout};
    VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                            .descriptorPool = d->pool,
                                            .descriptorSetCount = count,
                                            .pSetLayouts = layouts};
    uint32_t counts[2] = {3, 0};
    if (way == WAY_AFTER && chance(w, 70))
        CHAIN(allocate.pNext, VkDescriptorSetVariableDescriptorCountAllocateInfo,
              VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO,
              .descriptorSetCount = count, .pDescriptorCounts = counts);
    MUST(AllocateDescriptorSets, w->device, &allocate, sets);
    if (count == 1 && chance(w, 20)) { /* and again */
        if (info.flags & VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT) {
            VkDescriptorSet freed[] = {VK_NULL_HANDLE, sets[0]};
            MUST(FreeDescriptorSets, w->device, d->pool, 2, freed);
        } else {
            MUST(ResetDescriptorPool, w->device, d->pool, 0);
        }
        MUST(AllocateDescriptorSets, w->device, &allocate, sets);
    }
}

static void update_resources(struct world *w, const struct resources *r, struct descriptors *d,
                             enum way way, VkDescriptorSet set)
{
    VkWriteDescriptorSet writes[SLOTS];
    if (way == WAY_TEMPLATE) {
        CALL(UpdateDescriptorSetWithTemplate, w->device, set,
             make_template(w, d->layout, VK_NULL_HANDLE, d->immutable), &r->data);
        return;
    }
    uint32_t count = make_writes(w, r, set, way == WAY_DYNAMIC, d->immutable, writes);
    if (chance(w, 70)) {
        CALL(UpdateDescriptorSets, w->device, count, writes, 0, IGNORED);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        CALL(UpdateDescriptorSets, w->device, 1, &writes[i], 0, IGNORED);
}

void step_descriptor_sets(struct world *w)
{
    struct resources *r = NEW(struct resources, 0);
    if (!make_resources(w, r))
        return;
    enum way way = choose_way(w);
    struct descriptors d = {0};
    make_set_layout(w, way, &d);
    VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 16};
    VkPipelineLayout layout = make_layout_of_sets(w, 1, &d.layout, &range),
                     other = make_layout_of_sets(w, 1, &d.layout, &range);
    VkPipeline pipeline = make_compute_of(w, layout, SHADER_all_comp);
    VkDescriptorSet sets[2] = {VK_NULL_HANDLE};
    bool pushed = way == WAY_PUSH || way == WAY_PUSH_TEMPLATE;
    if (!pushed) {
        allocate_descriptors(w, way, &d, way == WAY_COPIED ? 2 : 1, sets);
        if (way != WAY_AFTER)
            update_resources(w, r, &d, way, sets[0]);
        if (way == WAY_COPIED) {
            VkCopyDescriptorSet copies[SLOTS];
            uint32_t count = 0;
            for (uint32_t i = 0; i < SLOTS; i++) {
                if (!d.immutable || slots[i].type != VK_DESCRIPTOR_TYPE_SAMPLER)
                    copies[count++] =
                        (VkCopyDescriptorSet){.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                              .srcSet = sets[0],
                                              .srcBinding = slots[i].binding,
                                              .dstSet = sets[1],
                                              .dstBinding = slots[i].binding,
                                              .descriptorCount = 1};
            }
            CALL(UpdateDescriptorSets, w->device, 0, IGNORED, count, copies);
            sets[0] = sets[1];
        }
    }
    struct record *rec = record_begin(w, any_queue(w, VK_QUEUE_COMPUTE_BIT));
    struct buffer *indirect = make_indirect(rec);
    needs_layout(rec, r->target, VK_IMAGE_LAYOUT_GENERAL);
    needs_layout(rec, r->sampled, r->sampled_layout);
    /* Sets of a compatible layout may be bound with another one, and before the pipeline. */
    VkPipelineLayout bound = chance(w, 50) ? layout : other;
    bool early = chance(w, 50);
    if (early)
        CALL(CmdBindPipeline, rec->c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    CALL(CmdPushConstants, rec->c, bound, VK_SHADER_STAGE_COMPUTE_BIT, 0, 16, temporary(w, 16));
    if (way == WAY_PUSH) {
        VkWriteDescriptorSet writes[SLOTS];
        uint32_t count = make_writes(w, r, VK_NULL_HANDLE, false, d.immutable, writes);
        VkPushDescriptorSetInfo push = {.sType = VK_STRUCTURE_TYPE_PUSH_DESCRIPTOR_SET_INFO,
                                        .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                                        .layout = bound,
                                        .descriptorWriteCount = count,
                                        .pDescriptorWrites = writes};
        if (ON(maintenance6) && THERE(CmdPushDescriptorSet2) && chance(w, 50))
            CALL(CmdPushDescriptorSet2, rec->c, &push);
        else
            CALL(CmdPushDescriptorSet, rec->c, VK_PIPELINE_BIND_POINT_COMPUTE, bound, 0, count,
                 writes);
    } else if (way == WAY_PUSH_TEMPLATE) {
        CALL(CmdPushDescriptorSetWithTemplate, rec->c,
             make_template(w, VK_NULL_HANDLE, bound, d.immutable), bound, 0, &r->data);
    } else {
        uint32_t offsets[2] = {0, 0};
        CALL(CmdBindDescriptorSets, rec->c, VK_PIPELINE_BIND_POINT_COMPUTE, bound, 0, 1, sets,
             way == WAY_DYNAMIC ? 2 : 0, way == WAY_DYNAMIC ? offsets : IGNORED);
    }
    if (!early)
        CALL(CmdBindPipeline, rec->c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    for (uint32_t i = between(w, 1, 3); i > 0; i--) {
        ready(rec, USE(COMPUTE_READ) | USE(COMPUTE_WRITE) | USE(INDIRECT));
        dispatch_any(rec, indirect);
    }
    if (way == WAY_AFTER)
        update_resources(w, r, &d, way, sets[0]);
    record_finish(rec);
}

/* Simple shaders: pipelines or shader objects, with what they do not use left out. */
void step_dispatches(struct world *w)
{
    struct record *rec = record_begin(w, any_queue(w, VK_QUEUE_COMPUTE_BIT));
    bool fills = chance(w, 60);
    VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                            VK_SHADER_STAGE_COMPUTE_BIT, IGNORED};
    VkDescriptorSetLayoutCreateInfo info = {.sType =
                                                VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .bindingCount = 1,
                                            .pBindings = &binding};
    VkDescriptorSetLayout sets[2] = {VK_NULL_HANDLE, VK_NULL_HANDLE};
    MUST(CreateDescriptorSetLayout, w->device, &info, NULL, &sets[0]);
    OWN(DescriptorSetLayout, sets[0]);
    info.bindingCount = 0;
    info.pBindings = IGNORED;
    MUST(CreateDescriptorSetLayout, w->device, &info, NULL, &sets[1]);
    OWN(DescriptorSetLayout, sets[1]);
    VkPipelineLayout layout = make_layout_of_sets(w, fills ? between(w, 1, 2) : 0, sets, NULL);
    struct buffer *indirect = make_indirect(rec);
    VkShaderEXT shader = VK_NULL_HANDLE;
    enum shader code = fills ? SHADER_fill_comp : SHADER_empty_comp;
    if (ON(shaderObject) && chance(w, 40)) {
        VkShaderCreateInfoEXT create = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                        .codeSize = shader_codes[code].size,
                                        .pCode = shader_codes[code].words,
                                        .pName = "main",
                                        .setLayoutCount = fills ? 1 : 0,
                                        .pSetLayouts = fills ? sets : NULL};
        layout = make_layout_of_sets(w, fills ? 1 : 0, sets, NULL);
        MUST(CreateShadersEXT, w->device, 1, &create, NULL, &shader);
        OWN(ShaderEXT, shader);
        VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
        CALL(CmdBindShadersEXT, rec->c, 1, &stage, &shader);
    } else {
        VkPipeline pipeline = make_compute_of(w, layout, code);
        CALL(CmdBindPipeline, rec->c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    }
    if (fills) {
        struct buffer *storage = make_buffer(w, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, false);
        VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1},
                                        {VK_DESCRIPTOR_TYPE_SAMPLER, 3}};
        VkDescriptorPoolCreateInfo create = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = 1,
                                             .poolSizeCount = 2,
                                             .pPoolSizes = sizes};
        VkDescriptorPool pool = VK_NULL_HANDLE;
        MUST(CreateDescriptorPool, w->device, &create, NULL, &pool);
        OWN(DescriptorPool, pool);
        VkDescriptorSet set = VK_NULL_HANDLE;
        VkDescriptorSetAllocateInfo allocate = {.sType =
                                                    VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                .descriptorPool = pool,
                                                .descriptorSetCount = 1,
                                                .pSetLayouts = sets};
        MUST(AllocateDescriptorSets, w->device, &allocate, &set);
        VkDescriptorBufferInfo buffer = {storage->handle, 0, PICK(VK_WHOLE_SIZE, 64)};
        if (ON(nullDescriptor) && chance(w, 30))
            buffer = (VkDescriptorBufferInfo){VK_NULL_HANDLE, 0, VK_WHOLE_SIZE};
        VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                      .dstSet = set,
                                      .descriptorCount = 1,
                                      .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                      .pImageInfo = IGNORED,
                                      .pBufferInfo = &buffer,
                                      .pTexelBufferView = IGNORED};
        CALL(UpdateDescriptorSets, w->device, 1, &write, 0, IGNORED);
        CALL(CmdBindDescriptorSets, rec->c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
             IGNORED);
    }
    for (uint32_t i = between(w, 1, 3); i > 0; i--) {
        ready(rec, USE(COMPUTE_READ) | USE(COMPUTE_WRITE) | USE(INDIRECT));
        dispatch_any(rec, indirect);
    }
    record_finish(rec);
}
