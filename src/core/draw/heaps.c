/* Checks what the shaders of a draw, dispatch or trace require of descriptor heaps (14.4
 * "Descriptor Heaps"). Heaps must be bound, push data set, and mapped data in a valid place. The
 * host knows push data, and so the offsets and addresses in it. Data in device memory is not
 * known. */
#include "core/draw/draw.h"
#include "core/memory/address.h"

#include <inttypes.h>
#include <stdio.h>

#include "report/names/names_of_values.h"
#include "spirv/module/reflect.h"
#include "state/descriptor/heaps.h"
#include "state/memory/mapping.h"
#include "state/pipeline/shader.h"

/* SPIR-V opcodes, as core does not include the SPIR-V header. */
#define OP_TYPE_IMAGE         25
#define OP_TYPE_SAMPLER       26
#define OP_TYPE_SAMPLED_IMAGE 27

static const char *const heap_names[HEAP_KINDS] = {"sampler", "resource"};

/* A variable that a stage's shader statically uses. */
struct mapped {
    struct draw *draw;
    VkShaderStageFlagBits stage;
    const struct spirv_reflection *code;
    const struct spirv_binding *variable;
    const struct variable_mapping *mapping; /* mapping to its descriptor */
    uint16_t type;                          /* SPIR-V opcode of its type */
    /* the shader certainly accesses the element; if `element_known` is false, some element of the
     * array */
    bool accessed, element_known;
    uint32_t element; /* index in the variable's array */
};

/* The SPIR-V opcode of the variable's type; 0: not known. */
static uint16_t draw_heaps_type_of(const struct spirv_reflection *code,
                                   const struct spirv_binding *variable)
{
    return variable->type < code->type_count ? code->types[variable->type].opcode : 0;
}

/* Reports a text such as `runs the shader of VK_SHADER_STAGE_COMPUTE_BIT, whose "colors" (set 0,
 * binding 1) ...`. */
static COLD PRINTF_LIKE(4, 5) void report(struct mapped *mapped, enum rule rule,
                                          const struct finding_objects *objects, const char *format,
                                          ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    struct draw *draw = mapped->draw;
    BROKEN_OF(&draw->s, objects ? objects : BOUND_PIPELINE(draw), rule, "commandBuffer",
              "runs the shader of %s, whose \"%s\" (set %u, binding %u) %s",
              TEXT_OF(VkShaderStageFlagBits, mapped->stage),
              mapped->code->text + mapped->variable->name, mapped->variable->set,
              mapped->variable->binding, text);
}

/* True for sources that lead to a descriptor in a heap. */
static bool is_of_heap(VkDescriptorMappingSourceEXT source)
{
    return source == VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT ||
           source == VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT ||
           source == VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_EXT ||
           source == VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_ARRAY_EXT ||
           source == VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_SHADER_RECORD_INDEX_EXT;
}

/* True if the variable includes a sampler. */
static bool has_sampler(const struct mapped *mapped)
{
    return mapped->type == OP_TYPE_SAMPLER || mapped->type == OP_TYPE_SAMPLED_IMAGE;
}

/* True if the variable uses an embedded sampler: "If the mapped resource is a OpTypeSampler or
 * OpTypeSampledImage, and pEmbeddedSampler is not NULL, the specified embedded sampler will be used
 * rather than accessing the sampler heap". */
static bool is_embedded(const struct mapped *mapped)
{
    return is_of_heap(mapped->mapping->source) && has_sampler(mapped) && mapped->mapping->embedded;
}

/* True if the mapping reads a descriptor from this heap. Embedded samplers are not in a heap. */
static bool reads_heap(const struct mapped *mapped, enum heap_kind kind)
{
    const VkDescriptorMappingSourceEXT source = mapped->mapping->source;
    if (kind == HEAP_SAMPLERS)
        return is_of_heap(source) && has_sampler(mapped) && !mapped->mapping->embedded;
    return source == VK_DESCRIPTOR_MAPPING_SOURCE_RESOURCE_HEAP_DATA_EXT ||
           (is_of_heap(source) && mapped->type != OP_TYPE_SAMPLER);
}

/* --- what must be bound --- */

/* For each descriptor heap that is statically used by a bound shader, either directly or via a
 * descriptor mapping, a valid descriptor heap must be bound */
static void check_bound(struct mapped *mapped, uint32_t *reported)
{
    for (uint32_t kind = 0; kind < HEAP_KINDS; kind++) {
        if (*reported >> kind & 1 || !reads_heap(mapped, (enum heap_kind)kind) ||
            bound_heap_of(mapped->draw->command_buffer, (enum heap_kind)kind))
            continue;
        *reported |= 1u << kind;
        report(mapped, RULE_11308, NULL, "lies in the %s heap, but none is bound%s",
               heap_names[kind],
               mapped->draw->command_buffer->heaps.heaps[kind].bound
                   ? ": a command of descriptor sets or push constants came after the one that "
                     "bound it"
                   : "");
    }
}

/* Checks that the heaps which a shader uses without mappings are bound. `reported`: a bit for each
 * heap, so that each is reported once. */
static void check_bound_directly(struct draw *draw, const struct spirv_entry_point *entry,
                                 VkShaderStageFlagBits stage, uint32_t *reported)
{
    static const uint32_t uses[HEAP_KINDS] = {SPIRV_USES_SAMPLER_HEAP, SPIRV_USES_RESOURCE_HEAP};
    for (uint32_t kind = 0; kind < HEAP_KINDS; kind++) {
        if (*reported >> kind & 1 || !(entry->uses & uses[kind]) ||
            bound_heap_of(draw->command_buffer, (enum heap_kind)kind))
            continue;
        *reported |= 1u << kind;
        BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_11308, "commandBuffer",
                  "has no %s heap bound, which the shader of %s uses", heap_names[kind],
                  TEXT_OF(VkShaderStageFlagBits, stage));
    }
}

/* If any bound shader uses an embedded sampler via a descriptor mapping, the value of
 * pBindInfo->reservedRangeSize set for vkCmdBindSamplerHeapEXT must be greater than or equal to
 * minSamplerHeapReservedRangeWithEmbedded. Returns true if it reported that. */
static bool draw_heaps_check_embedded(struct mapped *mapped)
{
    const struct bound_heap *heap = bound_heap_of(mapped->draw->command_buffer, HEAP_SAMPLERS);
    const VkDeviceSize least = mapped->draw->s.call->device->extended.DescriptorHeapPropertiesEXT
                                   .minSamplerHeapReservedRangeWithEmbedded;
    if (!is_embedded(mapped) || !heap || heap->reserved_size >= least)
        return false;
    report(mapped, RULE_11375, NULL,
           "has an embedded sampler, but the sampler heap was bound with a reservedRangeSize of "
           "%" PRIu64 ", less than minSamplerHeapReservedRangeWithEmbedded (%" PRIu64 ")",
           heap->reserved_size, least);
    return true;
}

/* If a bound shader ... statically uses a push constant value, that value must have been set by
 * vkCmdPushDataEXT. The first byte that the shader may access belongs to a member that it uses. */
static void check_push_data(struct draw *draw, const struct spirv_entry_point *entry,
                            VkShaderStageFlagBits stage)
{
    if (entry->push_accessed_begin == entry->push_accessed_end ||
        !push_data_is_unset(draw->command_buffer, entry->push_accessed_begin))
        return;
    BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_11376, "commandBuffer",
              "has no push data set at byte %u, which the shader of %s reads",
              entry->push_accessed_begin, TEXT_OF(VkShaderStageFlagBits, stage));
}

/* --- descriptors in heaps --- */

/* Computes the index from push data, with the formulas of VkDescriptorMappingSourcePushIndexEXT.
 * False: not known. */
static bool push_index(const struct mapped *mapped, bool sampler, uint64_t *index)
{
    const struct variable_mapping *mapping = mapped->mapping;
    const bool combined = mapping->combined && mapped->type == OP_TYPE_SAMPLED_IMAGE;
    const struct heap_place *place = sampler && !combined ? &mapping->sampler : &mapping->place;
    if (mapping->banked ||
        !push_data_read(mapped->draw->command_buffer, place->push_offset, 1, index))
        return false;
    if (combined)
        *index = sampler ? *index >> 20 : *index & 0xfffff;
    return true;
}

/* Computes the offset in the heap. False: not known. In an array only the first element counts. The
 * specification does not say how offsets beyond 32 bits wrap. */
static bool offset_in_heap(const struct mapped *mapped, bool sampler, uint64_t *offset)
{
    const struct variable_mapping *mapping = mapped->mapping;
    const struct heap_place *place =
        sampler && mapped->type == OP_TYPE_SAMPLED_IMAGE ? &mapping->sampler : &mapping->place;
    uint64_t index = 0;
    if (mapping->source == VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT
            ? !push_index(mapped, sampler && place == &mapping->sampler, &index)
            : mapping->source != VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT)
        return false;
    const uint64_t element = (uint64_t)mapping->index + mapped->element;
    *offset = place->offset;
    if (__builtin_mul_overflow(index, (uint64_t)place->index_stride, &index) ||
        __builtin_add_overflow(*offset, index, offset) ||
        __builtin_add_overflow(*offset, element * place->array_stride, offset))
        return false;
    return *offset <= UINT32_MAX;
}

/* Checks that the computed offset is a multiple of the descriptors' alignment. Returns true if it
 * reported that. */
static bool check_alignment(struct mapped *mapped, enum rule rule, bool sampler, uint64_t offset,
                            VkDeviceSize alignment, const char *name)
{
    const struct heap_place *place = sampler && mapped->type == OP_TYPE_SAMPLED_IMAGE
                                         ? &mapped->mapping->sampler
                                         : &mapped->mapping->place;
    if (!alignment || offset % alignment == 0 ||
        mapped->mapping->source != VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT)
        return false;
    /* the element is not known, and another element may be aligned */
    if (!mapped->element_known && place->array_stride % alignment)
        return false;
    report(mapped, rule, NULL,
           "lies at byte %" PRIu64 " of the %s heap by its index in push data, which is not a "
           "multiple of %s (%" PRIu64 ")",
           offset, heap_names[sampler ? HEAP_SAMPLERS : HEAP_RESOURCES], name, alignment);
    return true;
}

/* Checks the alignment of a descriptor in its heap. `offset`: in bytes. Returns true if it reported
 * that. */
static bool check_aligned(struct mapped *mapped, bool sampler, uint64_t offset)
{
    const struct device *device = mapped->draw->s.call->device;
    const VkPhysicalDeviceDescriptorHeapPropertiesEXT *limits =
        &device->extended.DescriptorHeapPropertiesEXT;
    if (sampler)
        return check_alignment(mapped, RULE_11299, true, offset, limits->samplerDescriptorAlignment,
                               "samplerDescriptorAlignment");
    if (mapped->type == OP_TYPE_IMAGE || mapped->type == OP_TYPE_SAMPLED_IMAGE)
        return check_alignment(mapped, RULE_11298, false, offset, limits->imageDescriptorAlignment,
                               "imageDescriptorAlignment");
    switch (mapped->variable->resource) {
    case SPIRV_RESOURCE_UNIFORM_BUFFER:
    case SPIRV_RESOURCE_STORAGE_BUFFER:
        return check_alignment(mapped, RULE_11297, false, offset, limits->bufferDescriptorAlignment,
                               "bufferDescriptorAlignment");
    case SPIRV_RESOURCE_TENSOR:
        return check_alignment(mapped, RULE_11397, false, offset,
                               device->extended.DescriptorHeapTensorPropertiesARM
                                   .tensorDescriptorAlignment,
                               "tensorDescriptorAlignment");
    default:
        return false;
    }
}

/* execution of this command must not result in any descriptor read accessing data outside of the
 * user range of the respective heap. (How many bytes of a descriptor are read is the driver's; the
 * first one is.) */
static void check_in_heap(struct mapped *mapped, enum heap_kind kind, uint64_t offset)
{
    const struct bound_heap *heap = bound_heap_of(mapped->draw->command_buffer, kind);
    if (!mapped->element_known || !heap)
        return;
    if (offset >= heap->size)
        report(mapped, RULE_11309, OBJECT_AT(mapped->draw->s.call, heap->address),
               "lies at byte %" PRIu64 " of the %s heap, but the range that is bound has %" PRIu64
               " bytes",
               offset, heap_names[kind], heap->size);
    else if (offset >= heap->reserved_offset &&
             offset - heap->reserved_offset < heap->reserved_size)
        report(mapped, RULE_11309, OBJECT_AT(mapped->draw->s.call, heap->address),
               "lies at byte %" PRIu64 " of the %s heap, but %" PRIu64 " bytes from byte %" PRIu64
               " on are reserved",
               offset, heap_names[kind], heap->reserved_size, heap->reserved_offset);
}

/* Checks the offsets of a mapped descriptor in the heaps: their alignment, then the bounds. */
static void check_descriptor(struct mapped *mapped)
{
    for (uint32_t kind = 0; kind < HEAP_KINDS; kind++) {
        const bool sampler = kind == HEAP_SAMPLERS;
        uint64_t offset;
        if (reads_heap(mapped, (enum heap_kind)kind) && offset_in_heap(mapped, sampler, &offset) &&
            !check_aligned(mapped, sampler, offset))
            check_in_heap(mapped, (enum heap_kind)kind, offset);
    }
}

/* --- addresses in push data --- */

/* Reads the address in push data. False: it was not pushed, or is in another bank. */
static bool read_address(const struct mapped *mapped, uint32_t push_offset,
                         VkDeviceAddress *address)
{
    return !mapped->mapping->banked &&
           push_data_read(mapped->draw->command_buffer, push_offset, 2, address);
}

/* The rules about memory from which the shader reads indices or addresses. */
struct indirect_rules {
    enum rule aligned, valid, no_protection; /* RULE_NONE: there is no such rule */
    uint32_t alignment, size;                /* of the data that the shader reads, in bytes */
};

/* If protectedNoFault is not supported ... the address ... must have been queried from a buffer
 * created without the VK_BUFFER_CREATE_PROTECTED_BIT create flag set */
static void check_unprotected(struct mapped *mapped, enum rule rule, VkDeviceAddress address,
                              const struct buffer *buffer)
{
    const struct device *device = mapped->draw->s.call->device;
    if (buffer && buffer->flags & VK_BUFFER_CREATE_PROTECTED_BIT &&
        !device->extended.Vulkan11Properties.protectedNoFault)
        report(mapped, rule, OBJECT(HANDLE_BUFFER, object_state_handle(&buffer->base)),
               "is mapped by %s in push data, but that buffer was created with "
               "VK_BUFFER_CREATE_PROTECTED_BIT, and protectedNoFault is VK_FALSE",
               ADDRESS_IN(mapped->draw->s.call, address, buffer));
}

/* Checks the address from which a shader reads an index or address. */
static void draw_heaps_check_indirect(struct mapped *mapped, const struct heap_place *place,
                                      uint64_t more, const struct indirect_rules *rules)
{
    const struct call *call = mapped->draw->s.call;
    VkDeviceAddress address;
    if (!read_address(mapped, place->push_offset, &address))
        return;
    if (address % rules->alignment) {
        report(mapped, rules->aligned, NULL,
               "is mapped by 0x%" PRIx64 " at byte %u of push data, which is not a multiple of %u",
               address, place->push_offset, rules->alignment);
        return;
    }
    const VkDeviceAddress read = address + place->address_offset + more;
    const struct address_search found =
        device_address_find(call->device, read, rules->size, VK_BUFFER_USAGE_2_UNIFORM_BUFFER_BIT);
    if (found.match == ADDRESS_NOWHERE || found.match == ADDRESS_TOO_SHORT) {
        report(mapped, rules->valid, ADDRESS_OBJECT(&found),
               "is mapped by 0x%" PRIx64 " at byte %u of push data, but %u bytes from byte %" PRIu64
               " on lie in no buffer whose address was asked for",
               address, place->push_offset, rules->size, place->address_offset + more);
        return;
    }
    /* the buffer whose address was queried: an added offset may lead to another buffer */
    if (found.match == ADDRESS_USAGE &&
        address >= atomic_load_explicit(&found.buffer->address, memory_order_relaxed))
        report(mapped, RULE_11437, ADDRESS_OBJECT(&found),
               "is mapped by %s in push data, but that buffer was created without "
               "VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT",
               ADDRESS_IN(call, address, found.buffer));
    if (rules->no_protection != RULE_NONE)
        check_unprotected(mapped, rules->no_protection, read, found.buffer);
}

/* Checks the address from which indices are read, for the resource and, if it differs, for the
 * sampler. */
static void check_indirect_index(struct mapped *mapped)
{
    static const struct indirect_rules rules = {RULE_11300, RULE_11301, RULE_11456, 4, 4};
    const struct variable_mapping *mapping = mapped->mapping;
    const bool array =
        mapping->source == VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_ARRAY_EXT;
    const uint64_t more = array ? ((uint64_t)mapping->index + mapped->element) * 4 : 0;
    if (array && !mapped->element_known)
        return;
    if (mapped->type != OP_TYPE_SAMPLER || !mapping->embedded)
        draw_heaps_check_indirect(mapped, &mapping->place, more, &rules);
    if (mapped->type == OP_TYPE_SAMPLED_IMAGE && !mapping->embedded && !mapping->combined &&
        mapping->sampler.push_offset != mapping->place.push_offset)
        draw_heaps_check_indirect(mapped, &mapping->sampler, more, &rules);
}

/* Checks the address to which a uniform or storage buffer is mapped. */
static void check_buffer_address(struct mapped *mapped, VkDeviceAddress address)
{
    const struct call *call = mapped->draw->s.call;
    const VkPhysicalDeviceLimits *limits = &call->device->properties.limits;
    const bool uniform = mapped->variable->resource == SPIRV_RESOURCE_UNIFORM_BUFFER;
    const VkBufferUsageFlags2 usage =
        uniform ? VK_BUFFER_USAGE_2_UNIFORM_BUFFER_BIT : VK_BUFFER_USAGE_2_STORAGE_BUFFER_BIT;
    const VkDeviceSize alignment =
        uniform ? limits->minUniformBufferOffsetAlignment : limits->minStorageBufferOffsetAlignment;
    const struct address_search found = device_address_find(call->device, address, 1, usage);
    if (found.match == ADDRESS_NOWHERE) {
        report(mapped, RULE_11302, NULL,
               "is mapped to 0x%" PRIx64 " by push data, which lies in no buffer whose address was "
               "asked for",
               address);
        return;
    }
    if (found.match == ADDRESS_USAGE)
        report(mapped, uniform ? RULE_11438 : RULE_11439, ADDRESS_OBJECT(&found),
               "is mapped to %s by push data, but that buffer was created without %s",
               ADDRESS_IN(call, address, found.buffer), TEXT_OF(VkBufferUsageFlags, usage));
    if (alignment && address % alignment)
        report(mapped, uniform ? RULE_11441 : RULE_11442, ADDRESS_OBJECT(&found),
               "is mapped to 0x%" PRIx64 " by push data, which is not a multiple of %s (%" PRIu64
               ")",
               address,
               uniform ? "minUniformBufferOffsetAlignment" : "minStorageBufferOffsetAlignment",
               alignment);
    check_unprotected(mapped, RULE_11455, address, found.buffer);
}

/* True for resources that are read through an address in push data. */
static bool is_buffer(const struct mapped *mapped)
{
    return mapped->variable->resource == SPIRV_RESOURCE_UNIFORM_BUFFER ||
           mapped->variable->resource == SPIRV_RESOURCE_STORAGE_BUFFER;
}

/* Checks a uniform buffer in the resource heap itself. */
static void check_heap_data(struct mapped *mapped)
{
    const struct call *call = mapped->draw->s.call;
    const struct bound_heap *heap = bound_heap_of(mapped->draw->command_buffer, HEAP_RESOURCES);
    const VkDeviceSize alignment = call->device->properties.limits.minUniformBufferOffsetAlignment;
    uint64_t offset;
    if (!heap || mapped->mapping->banked ||
        mapped->variable->resource != SPIRV_RESOURCE_UNIFORM_BUFFER ||
        !push_data_read(mapped->draw->command_buffer, mapped->mapping->place.push_offset, 1,
                        &offset))
        return;
    offset += mapped->mapping->place.offset;
    if (offset > UINT32_MAX)
        return;
    if (offset >= heap->size)
        report(mapped, RULE_11398, OBJECT_AT(call, heap->address),
               "begins at byte %" PRIu64 " of the resource heap, but the range that is bound has "
               "%" PRIu64 " bytes",
               offset, heap->size);
    else if (alignment && (heap->address + offset) % alignment)
        report(mapped, RULE_11441, OBJECT_AT(call, heap->address),
               "begins at byte %" PRIu64 " of the resource heap, at address 0x%" PRIx64
               ", which is not a multiple of minUniformBufferOffsetAlignment (%" PRIu64 ")",
               offset, heap->address + offset, alignment);
}

/* Checks data that the shader certainly accesses. */
static void check_accessed(struct mapped *mapped)
{
    static const struct indirect_rules of_addresses = {RULE_11304, RULE_11305, RULE_NONE, 8, 8};
    const struct variable_mapping *mapping = mapped->mapping;
    VkDeviceAddress address;
    switch (mapping->source) {
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT:
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT:
        check_descriptor(mapped);
        break;
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_EXT:
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_ARRAY_EXT:
        check_indirect_index(mapped);
        break;
    case VK_DESCRIPTOR_MAPPING_SOURCE_RESOURCE_HEAP_DATA_EXT:
        check_heap_data(mapped);
        break;
    case VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_ADDRESS_EXT:
        if (is_buffer(mapped) && read_address(mapped, mapping->place.push_offset, &address))
            check_buffer_address(mapped, address);
        break;
    case VK_DESCRIPTOR_MAPPING_SOURCE_INDIRECT_ADDRESS_EXT:
        draw_heaps_check_indirect(mapped, &mapping->place, 0, &of_addresses);
        break;
    default:
        break;
    }
}

/* --- stages --- */

/* True if the stage certainly executes. Fragment shaders do not if primitives are discarded. Of ray
 * tracing stages only a ray generation shader does, if there is only one. */
static bool stage_certainly_runs(const struct draw *draw, uint32_t point,
                                 VkShaderStageFlagBits stage)
{
    uint32_t raygen = 0;
    if (stage == VK_SHADER_STAGE_FRAGMENT_BIT)
        return !draw_discards(draw);
    if (point != 2)
        return true;
    for (uint32_t i = 0; i < draw->pipeline->stage_count; i++)
        raygen += draw->pipeline->stage[i].stage == VK_SHADER_STAGE_RAYGEN_BIT_KHR;
    return stage == VK_SHADER_STAGE_RAYGEN_BIT_KHR && raygen == 1 &&
           draw->pipeline->stage_count < PIPELINE_STAGES;
}

/* Finds which element of an array is accessed. It is only known if the array has one element. */
static void find_element(struct mapped *mapped)
{
    const struct spirv_binding *variable = mapped->variable;
    const uint64_t elements = variable->elements;
    mapped->element_known = !variable->arrayed;
    if (variable->arrayed && !variable->any_element && elements && !(elements & (elements - 1))) {
        mapped->element_known = true;
        mapped->element = (uint32_t)__builtin_ctzll(elements);
    }
}

/* Checks the heaps and push data that one stage reads. `reported`: heaps that are missing, so that
 * each is reported once. */
static void draw_heaps_check_stage(struct draw *draw, uint32_t point,
                                   const struct pipeline_stage *stage, uint32_t *reported)
{
    const struct spirv_entry_point *entry = pipeline_stage_entry(stage);
    const struct stage_mappings *mappings = stage->mappings;
    bool embedded = false;
    if (!entry)
        return;
    check_push_data(draw, entry, stage->stage);
    if (entry->uses & (SPIRV_USES_SAMPLER_HEAP | SPIRV_USES_RESOURCE_HEAP))
        check_bound_directly(draw, entry, stage->stage, reported);
    const bool certain = mappings && stage_certainly_runs(draw, point, stage->stage);
    for (uint32_t i = 0; mappings && i < mappings->count; i++) {
        const struct spirv_reflection *code = stage->shader->reflection;
        struct mapped mapped = {.draw = draw,
                                .stage = stage->stage,
                                .code = code,
                                .variable = &code->bindings[mappings->list[i].binding],
                                .mapping = &mappings->list[i]};
        mapped.type = draw_heaps_type_of(code, mapped.variable);
        check_bound(&mapped, reported);
        embedded = embedded || draw_heaps_check_embedded(&mapped);
        find_element(&mapped);
        if (certain && mapped.variable->access & SPIRV_ACCESS_SURE)
            check_accessed(&mapped);
    }
}

void draw_check_heap_shaders(struct draw *draw, uint32_t point)
{
    assert(draw->pipeline && point < BIND_POINTS);
    uint32_t reported = 0;
    if (draw->command_buffer->heaps.unknown)
        return;
    for (uint32_t i = 0; i < draw->pipeline->stage_count; i++)
        draw_heaps_check_stage(draw, point, &draw->pipeline->stage[i], &reported);
}
