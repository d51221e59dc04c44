/* Heaps of descriptors: written by the host, bound as ranges of addresses, and found by shaders
 * through mappings. */
#include "valid.h"

struct heap {
    struct buffer *memory, *storage, *uniform;
    VkPhysicalDeviceDescriptorHeapPropertiesEXT can;
    VkDeviceSize stride; /* of one slot, aligned for every descriptor */
    VkDeviceSize reserved;
    uint32_t slots[2]; /* of the storage buffer, and of the uniform buffer */
};
#define SLOTS 8u

static VkDeviceSize rounded_size(VkDeviceSize size, VkDeviceSize unit)
{
    return unit ? (size + unit - 1) / unit * unit : size;
}

static bool make_heap(struct world *w, struct heap *h)
{
    h->can = (VkPhysicalDeviceDescriptorHeapPropertiesEXT){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_PROPERTIES_EXT};
    if (!ON(descriptorHeap) || !ON(bufferDeviceAddress) || !properties_of(w, &h->can))
        return false;
    VkBufferUsageFlags addressed = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    h->stride = rounded_size(h->can.bufferDescriptorSize, h->can.bufferDescriptorAlignment);
    h->stride = rounded_size(h->stride, w->properties.limits.minUniformBufferOffsetAlignment);
    h->reserved = rounded_size(h->stride * SLOTS, h->can.imageDescriptorAlignment);
    h->memory = make_buffer(w, h->reserved + h->can.minResourceHeapReservedRange,
                            VK_BUFFER_USAGE_DESCRIPTOR_HEAP_BIT_EXT | addressed, true);
    h->storage = make_buffer(w, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | addressed, false);
    h->uniform = make_buffer(w, 64, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | addressed, false);
    return !(h->memory->address % h->can.resourceHeapAlignment);
}

static void write_heap(struct world *w, struct heap *h)
{
    void *mapped = NULL;
    MUST(MapMemory, w->device, h->memory->memory, 0, VK_WHOLE_SIZE, 0, &mapped);
    h->slots[0] = below(w, SLOTS);
    h->slots[1] = (h->slots[0] + between(w, 1, SLOTS - 1)) % SLOTS;
    VkDeviceAddressRangeEXT ranges[2] = {{h->storage->address, 64},
                                         {h->uniform->address, PICK(16, 64)}};
    VkResourceDescriptorInfoEXT infos[2];
    VkHostAddressRangeEXT targets[2];
    for (uint32_t i = 0; i < 2; i++) {
        infos[i] = (VkResourceDescriptorInfoEXT){
            .sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
            .type = i ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .data.pAddressRange = &ranges[i]};
        targets[i] =
            (VkHostAddressRangeEXT){(char *)mapped + h->memory->offset + h->stride * h->slots[i],
                                    (size_t)h->can.bufferDescriptorSize};
    }
    if (ON(nullDescriptor) && chance(w, 20))
        infos[1].data.pAddressRange = NULL;
    MUST(WriteResourceDescriptorsEXT, w->device, 2, infos, targets);
    CALL(UnmapMemory, w->device, h->memory->memory);
}

/* Where shaders find set 0, binding 0, and set 1, binding 3. `pushed`: what is pushed at offset 16
 * for each. */
static void make_mappings(struct world *w, const struct heap *h,
                          VkDescriptorSetAndBindingMappingEXT *mappings, uint64_t *pushed)
{
    for (uint32_t i = 0; i < 2; i++) {
        VkDescriptorSetAndBindingMappingEXT *m = &mappings[i];
        *m = (VkDescriptorSetAndBindingMappingEXT){
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT,
            .descriptorSet = i,
            .firstBinding = i ? 3 : 0,
            .bindingCount = 1,
            .resourceMask = VK_SPIRV_RESOURCE_TYPE_ALL_EXT};
        uint32_t offset = 16 + 8 * i;
        switch (below(w, i ? 4 : 3)) {
        case 0:
            m->source = VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT;
            m->sourceData.constantOffset.heapOffset = (uint32_t)h->stride * h->slots[i];
            m->sourceData.constantOffset.heapArrayStride = PICK(0u, (uint32_t)h->stride);
            m->bindingCount = PICK(1u, 7u);
            break;
        case 1:
            m->source = VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT;
            m->sourceData.pushIndex.pushOffset = offset;
            m->sourceData.pushIndex.heapIndexStride = (uint32_t)h->stride;
            pushed[i] = h->slots[i];
            break;
        case 2:
            m->source = VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_ADDRESS_EXT;
            m->sourceData.pushAddressOffset = offset;
            pushed[i] = i ? h->uniform->address : h->storage->address;
            break;
        default:
            m->source = VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_DATA_EXT;
            m->sourceData.pushDataOffset = PICK(0u, 8u, (uint32_t)h->can.maxPushDataSize - 16);
            break;
        }
    }
}

static void bind_heap(struct record *rec, const struct heap *h)
{
    struct world *w = rec->w;
    VkBindHeapInfoEXT bind = {.sType = VK_STRUCTURE_TYPE_BIND_HEAP_INFO_EXT,
                              .heapRange = {h->memory->address, h->memory->size},
                              .reservedRangeOffset = h->reserved,
                              .reservedRangeSize = h->can.minResourceHeapReservedRange};
    CALL(CmdBindResourceHeapEXT, rec->c, &bind);
}

static void push_all(struct record *rec, const struct heap *h, const uint64_t *pushed)
{
    struct world *w = rec->w;
    uint8_t *data = temporary(w, (size_t)h->can.maxPushDataSize);
    memcpy(data + 16, pushed, 16);
    VkPushDataInfoEXT push = {.sType = VK_STRUCTURE_TYPE_PUSH_DATA_INFO_EXT,
                              .data = {data, (size_t)h->can.maxPushDataSize}};
    if (chance(w, 50)) {
        CALL(CmdPushDataEXT, rec->c, &push);
        return;
    }
    push.data.size = 16; /* in two parts, of which the second goes to the limit */
    CALL(CmdPushDataEXT, rec->c, &push);
    push.offset = 16;
    push.data.address = data + 16;
    push.data.size = (size_t)h->can.maxPushDataSize - 16;
    CALL(CmdPushDataEXT, rec->c, &push);
}

static VkPipeline make_heap_pipeline(struct world *w,
                                     const VkDescriptorSetAndBindingMappingEXT *mappings)
{
    VkShaderDescriptorSetAndBindingMappingInfoEXT mapping = {
        .sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
        .mappingCount = 2,
        .pMappings = mappings};
    VkPipelineCreateFlags2CreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT};
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .pNext = &flags,
        .flags = PICK(0u, 0x7fffffffu),
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = &mapping,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = make_module(w, SHADER_heap_comp),
                  .pName = "main"},
        .basePipelineIndex = -1};
    VkPipeline pipeline = VK_NULL_HANDLE;
    MUST(CreateComputePipelines, w->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline);
    OWN(Pipeline, pipeline);
    return pipeline;
}

static VkShaderEXT make_heap_object(struct world *w,
                                    const VkDescriptorSetAndBindingMappingEXT *mappings)
{
    VkShaderDescriptorSetAndBindingMappingInfoEXT mapping = {
        .sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
        .mappingCount = 2,
        .pMappings = mappings};
    VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                  .pNext = &mapping,
                                  .flags = VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT,
                                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                  .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                  .codeSize = shader_codes[SHADER_heap_comp].size,
                                  .pCode = shader_codes[SHADER_heap_comp].words,
                                  .pName = "main"};
    VkShaderEXT shader = VK_NULL_HANDLE;
    MUST(CreateShadersEXT, w->device, 1, &info, NULL, &shader);
    OWN(ShaderEXT, shader);
    return shader;
}

static VkCommandBuffer heap_secondary(struct record *rec, const struct heap *h, VkPipeline pipeline,
                                      const uint64_t *pushed)
{
    struct world *w = rec->w;
    VkBindHeapInfoEXT bind = {.sType = VK_STRUCTURE_TYPE_BIND_HEAP_INFO_EXT,
                              .heapRange = {h->memory->address, h->memory->size},
                              .reservedRangeOffset = h->reserved,
                              .reservedRangeSize = h->can.minResourceHeapReservedRange};
    VkCommandBufferInheritanceDescriptorHeapInfoEXT heaps = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_DESCRIPTOR_HEAP_INFO_EXT,
        .pResourceHeapBindInfo = &bind};
    VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .pNext = &heaps};
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .pInheritanceInfo = &inheritance};
    struct record own = *rec;
    own.c = make_command_buffer(w, rec->queue, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    MUST(BeginCommandBuffer, own.c, &begin);
    CALL(CmdBindPipeline, own.c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    push_all(&own, h, pushed);
    CALL(CmdDispatch, own.c, 1, 1, 1);
    MUST(EndCommandBuffer, own.c);
    return own.c;
}

void step_heaps(struct world *w)
{
    struct heap *h = NEW(struct heap, NULL);
    if (!make_heap(w, h))
        return;
    write_heap(w, h);
    VkDescriptorSetAndBindingMappingEXT mappings[2];
    uint64_t pushed[2] = {0};
    make_mappings(w, h, mappings, pushed);
    bool object = ON(shaderObject) && chance(w, 30);
    VkPipeline pipeline = object ? VK_NULL_HANDLE : make_heap_pipeline(w, mappings);
    VkShaderEXT shader = object ? make_heap_object(w, mappings) : VK_NULL_HANDLE;
    struct record *rec = record_begin(w, any_queue(w, VK_QUEUE_COMPUTE_BIT));
    rec->once = true;
    bool inside = pipeline && chance(w, 30);
    VkCommandBuffer secondary = inside ? heap_secondary(rec, h, pipeline, pushed) : VK_NULL_HANDLE;
    VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
    bind_heap(rec, h);
    if (pipeline)
        CALL(CmdBindPipeline, rec->c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    else
        CALL(CmdBindShadersEXT, rec->c, 1, &stage, &shader);
    push_all(rec, h, pushed);
    ready(rec, USE(COMPUTE_READ) | USE(COMPUTE_WRITE));
    CALL(CmdDispatch, rec->c, 1, 1, 1);
    if (inside) {
        ready(rec, USE(COMPUTE_READ) | USE(COMPUTE_WRITE));
        CALL(CmdExecuteCommands, rec->c, 1, &secondary);
    }
    record_finish(rec);
}
