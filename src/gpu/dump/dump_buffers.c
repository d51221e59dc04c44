/* Dumps descriptors that are in memory: in descriptor buffers, and in heaps. The address of the set
 * or heap is known from the commands that bind it. The meaning of the driver's bytes is known if
 * vkGetDescriptorEXT returned the same bytes. */
#include "gpu/device/areas.h"
#include "gpu/dump/dump_text.h"

#include <inttypes.h>

#include "gpu/dump/dump_notes.h"
#include "report/names/names_of_values.h"
#include "spirv/module/reflect.h"
#include "state/raytracing/acceleration_structure.h"
#include "state/descriptor/descriptor.h"
#include "state/memory/image.h"
#include "state/pipeline/pipeline.h"

/* The bytes at the begin of a heap that are searched for descriptors. */
#define HEAP_BYTES_MOST 65536u

/* Bytes of the largest descriptor that is read; drivers have 16 to 64, and more for combined ones
 * with several planes. */
#define DESCRIPTOR_BYTES_MOST 512u

/* --- a descriptor's bytes --- */

/* Returns the size in bytes of a descriptor of this type in a descriptor buffer; 0: descriptor
 * buffers have no such type. */
static size_t dump_descriptor_size(const struct device *device, VkDescriptorType type)
{
    const VkPhysicalDeviceDescriptorBufferPropertiesEXT *sizes =
        &device->extended.DescriptorBufferPropertiesEXT;
    /* With the feature, drivers keep bounds in the descriptor, which makes it larger. */
    const bool robust = device_has_feature(device, FEATURE_robustBufferAccess);
    switch ((int64_t)type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
        return sizes->samplerDescriptorSize;
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
        return sizes->combinedImageSamplerDescriptorSize;
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
        return sizes->sampledImageDescriptorSize;
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
        return sizes->storageImageDescriptorSize;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
        return robust ? sizes->robustUniformTexelBufferDescriptorSize
                      : sizes->uniformTexelBufferDescriptorSize;
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        return robust ? sizes->robustStorageTexelBufferDescriptorSize
                      : sizes->storageTexelBufferDescriptorSize;
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
        return robust ? sizes->robustUniformBufferDescriptorSize
                      : sizes->uniformBufferDescriptorSize;
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
        return robust ? sizes->robustStorageBufferDescriptorSize
                      : sizes->storageBufferDescriptorSize;
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        return sizes->inputAttachmentDescriptorSize;
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR:
        return sizes->accelerationStructureDescriptorSize;
    default:
        return 0;
    }
}

/* Returns the requirements on the address of a descriptor of this type. */
static struct dump_wanted wanted_of(const struct device *device,
                                    const struct dump_descriptor *descriptor)
{
    const VkPhysicalDeviceLimits *limits = &device->properties.limits;
    struct dump_wanted wanted = {.size = descriptor->range, .may_be_null = true};
    switch ((int64_t)descriptor->type) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
        wanted.usage = VK_BUFFER_USAGE_2_UNIFORM_BUFFER_BIT;
        wanted.alignment = limits->minUniformBufferOffsetAlignment;
        wanted.alignment_of = "minUniformBufferOffsetAlignment";
        break;
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
        wanted.usage = VK_BUFFER_USAGE_2_STORAGE_BUFFER_BIT;
        wanted.alignment = limits->minStorageBufferOffsetAlignment;
        wanted.alignment_of = "minStorageBufferOffsetAlignment";
        break;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
        wanted.usage = VK_BUFFER_USAGE_2_UNIFORM_TEXEL_BUFFER_BIT;
        break;
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        wanted.usage = VK_BUFFER_USAGE_2_STORAGE_TEXEL_BUFFER_BIT;
        break;
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR:
        /* Acceleration structures have addresses of their own, which on some drivers differ from
         * the address of the buffer. */
        wanted.may_be_none = true;
        break;
    default:
        break;
    }
    return wanted;
}

/* Writes an image descriptor of a heap; the parameters of its view are not kept. */
static void write_image(struct dump *dump, const struct dump_descriptor *descriptor)
{
    struct object *object = object_find_id(descriptor->image, HANDLE_IMAGE);
    const struct image *image = object ? object_load_state(object) : NULL;
    const struct value_text layout = value_text(VALUES_VkImageLayout, descriptor->layout);
    const VkImageUsageFlags usage = dump_image_usage(descriptor->type);
    dump_object(dump, "object", HANDLE_IMAGE, object);
    string_builder_format(&dump->text, " in %s", layout.text);
    string_builder_format(&dump->json, ",\"layout\":\"%s\"", layout.text);
    if (!object)
        dump_mark(dump, "no such object: the image was destroyed");
    if (image && image->usage && !((image->usage | image->stencil_usage) & usage))
        dump_mark(dump, "wrong usage: the image was not created with %s",
                  value_text(VALUES_VkImageUsageFlags, usage).text);
    if (image && !image_is_bound(image))
        dump_mark(dump, "no memory: the image is bound to none that lives");
}

/* Writes the data that the descriptor was made from. `shader` is the variable that uses it; NULL:
 * not known. */
static void write_content(struct dump *dump, const struct dump_descriptor *descriptor,
                          const struct spirv_binding *shader)
{
    const bool block = descriptor->type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER ||
                       descriptor->type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    if (descriptor->view)
        dump_view(dump, descriptor->view, descriptor->layout, dump_image_usage(descriptor->type));
    if (descriptor->sampler)
        dump_sampler(dump, descriptor->sampler, false);
    if (descriptor->address) {
        const struct dump_wanted wanted = wanted_of(dump->device, descriptor);
        dump_address(dump, descriptor->address, &wanted);
        if (descriptor->range) {
            string_builder_format(&dump->text, ", %" PRIu64 " byte%s bound", descriptor->range,
                                  descriptor->range == 1 ? "" : "s");
            string_builder_format(&dump->json, ",\"range\":%" PRIu64, descriptor->range);
        }
        if (block && shader && descriptor->range < shader->size)
            dump_mark(dump, "too short: the shader's block has %u bytes", shader->size);
    }
    if (descriptor->image)
        write_image(dump, descriptor);
    if (!descriptor->view && !descriptor->sampler && !descriptor->address && !descriptor->image)
        string_builder_add(&dump->text, " VK_NULL_HANDLE");
}

/* The types that vkGetDescriptorEXT accepts. */
static const VkDescriptorType buffered_types[] = {
    VK_DESCRIPTOR_TYPE_SAMPLER,
    VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
    VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
    VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
    VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
    VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
    VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
    VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
    VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
    VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR,
};

/* Finds a descriptor at this address with another type than the layout has. Sizes differ by type,
 * so the memory is read again. */
static bool find_other(const struct dump *dump, VkDeviceAddress address, VkDescriptorType not,
                       struct dump_descriptor *found)
{
    unsigned char bytes[DESCRIPTOR_BYTES_MOST];
    for (size_t i = 0; i < ARRAY_LENGTH(buffered_types); i++) {
        const size_t size = dump_descriptor_size(dump->device, buffered_types[i]);
        if (buffered_types[i] != not && size && size <= sizeof(bytes) &&
            dump_read(dump, address, bytes, size) &&
            dump_descriptor_find(dump->device, buffered_types[i], bytes, size, found))
            return true;
    }
    return false;
}

/* Reads the bytes of a descriptor. Returns false if the size of the type's descriptors is unknown,
 * or the host cannot read them. */
static bool read_descriptor(struct dump *dump, VkDeviceAddress address, VkDescriptorType type,
                            unsigned char *bytes, size_t *size)
{
    *size = dump_descriptor_size(dump->device, type);
    return *size && *size <= DESCRIPTOR_BYTES_MOST && dump_read(dump, address, bytes, *size);
}

/* True if the driver stores all images of an array before all of its samplers
 * (combinedImageSamplerDescriptorSingleArray). */
static bool lie_apart(const struct dump *dump, const struct dump_binding *binding)
{
    return binding->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER && binding->count > 1 &&
           !dump->device->extended.DescriptorBufferPropertiesEXT
                .combinedImageSamplerDescriptorSingleArray;
}

/* Writes the data that the bytes of a descriptor in memory were made from. */
static void write_memory(struct dump *dump, VkDeviceAddress address,
                         const struct dump_binding *binding, const struct spirv_binding *shader)
{
    const VkDescriptorType type = binding->type;
    unsigned char bytes[DESCRIPTOR_BYTES_MOST];
    size_t size;
    struct dump_descriptor found;
    if (type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
        string_builder_add(&dump->text, " inline data");
        return;
    }
    if (lie_apart(dump, binding)) {
        string_builder_add(&dump->text, " not read, as its images and samplers lie apart");
        return;
    }
    const bool is_mutable = type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT;
    /* A mutable descriptor may have any type: all are tried below. */
    if (!is_mutable && !read_descriptor(dump, address, type, bytes, &size)) {
        string_builder_add(&dump->text, " not read, as its memory is not mapped");
        return;
    }
    if (!is_mutable && dump_descriptor_find(dump->device, type, bytes, size, &found)) {
        write_content(dump, &found, shader);
    } else if (find_other(dump, address, type, &found)) {
        write_content(dump, &found, shader);
        if (!is_mutable)
            dump_mark(dump, "wrong type: it was got as a %s",
                      value_text(VALUES_VkDescriptorType, found.type).text);
    } else {
        string_builder_add(&dump->text, " bytes that no known descriptor has");
    }
}

/* --- sets --- */

/* Returns the offsets of the bindings of set `number`, from the layout of the pipeline or the
 * shader objects; NULL: not known. */
static const struct dump_layout *layout_of(const struct dump *dump, uint32_t number)
{
    const struct pipeline_layout *layout = dump->pipeline ? dump->pipeline->layout : NULL;
    if (layout)
        return number < layout->set_count && layout->sets[number]
                   ? dump_layout_find(dump->device, layout->sets[number]->compatibility)
                   : NULL;
    return dump->object && number < dump->object->set_layout_count
               ? dump_layout_find(dump->device, dump->object->set_layouts[number])
               : NULL;
}

/* Writes the descriptors of one binding in a descriptor buffer. `first` is true until a member of
 * the JSON is written. */
static void write_binding(struct dump *dump, const struct dump_layout *layout, VkDeviceAddress set,
                          const struct spirv_reflection *code, const struct spirv_binding *shader,
                          bool *first)
{
    const struct dump_binding *binding = NULL;
    for (uint32_t i = 0; i < layout->count && !binding; i++)
        binding = layout->bindings[i].binding == shader->binding ? &layout->bindings[i] : NULL;
    if (!binding)
        return;
    const size_t size = dump_descriptor_size(dump->device, binding->type);
    /* Size 0: the elements' distance is not known, or it is inline data. */
    const uint32_t all = size ? binding->count : 1;
    const struct value_text type = value_text(VALUES_VkDescriptorType, binding->type);
    for (uint32_t i = 0; i < all && i < DUMP_ELEMENTS_MOST; i++) {
        const VkDeviceAddress address = set + binding->offset + i * size;
        string_builder_format(&dump->text, "\n    binding %u", shader->binding);
        if (all > 1)
            string_builder_format(&dump->text, "[%u]", i);
        string_builder_format(&dump->text, " \"%s\", %s, at 0x%" PRIx64 ":",
                              code->text + shader->name, type.text, address);
        string_builder_format(&dump->json, "%s{\"binding\":%u,\"element\":%u", *first ? "" : ",",
                              shader->binding, i);
        dump_json_text(dump, "name", code->text + shader->name);
        string_builder_format(&dump->json,
                              ",\"descriptorType\":\"%s\",\"liesAt\":\"0x%" PRIx64 "\"", type.text,
                              address);
        *first = false;
        write_memory(dump, address, binding, shader);
        dump_marks_end(dump);
        string_builder_add(&dump->json, "}");
    }
    if (all > DUMP_ELEMENTS_MOST)
        string_builder_format(&dump->text, "\n    and %u more of binding %u",
                              all - DUMP_ELEMENTS_MOST, shader->binding);
}

/* Writes the bindings that shaders use of a set in a descriptor buffer, each once. */
static void write_bindings(struct dump *dump, uint32_t number, VkDeviceAddress set)
{
    const struct dump_layout *layout = layout_of(dump, number);
    bool first = true;
    uint64_t seen = 0; /* binding numbers already written, as several stages share them */
    if (!layout)
        return;
    string_builder_add(&dump->json, ",\"descriptors\":[");
    for (uint32_t i = 0; i < dump->stage_count; i++) {
        const struct spirv_entry_point *entry = dump->stages[i].entry;
        for (uint32_t k = 0; k < entry->binding_count; k++) {
            const struct spirv_binding *shader =
                &dump->stages[i].code->bindings[entry->first_binding + k];
            const uint64_t bit = shader->binding < 64 ? UINT64_C(1) << shader->binding : 0;
            if (shader->set != number || seen & bit)
                continue;
            seen |= bit;
            write_binding(dump, layout, set, dump->stages[i].code, shader, &first);
        }
    }
    string_builder_add(&dump->json, "]");
}

void dump_buffered_set(struct dump *dump, const struct bound_set *set, uint32_t number)
{
    const VkDeviceSize alignment =
        dump->device->extended.DescriptorBufferPropertiesEXT.descriptorBufferOffsetAlignment;
    const struct command_buffer *command_buffer = dump->command_buffer;
    /* Acquire: the array with this capacity was stored before. No buffer is bound at an index
     * beyond it. */
    if (set->buffer_index >= plain_load_acquire(&command_buffer->descriptor_buffer_capacity))
        return;
    const struct bound_descriptor_buffer *bound =
        &plain_load_relaxed(&command_buffer->descriptor_buffers)[set->buffer_index];
    /* The size of the set depends on its layout; one byte is enough to check that the address is in
     * the buffer. */
    const struct dump_wanted wanted = {.size = 1, .usage = bound->usage};
    string_builder_format(&dump->text, " descriptor buffer %u, offset %" PRIu64 ":",
                          set->buffer_index, set->buffer_offset);
    string_builder_format(&dump->json, ",\"buffer\":%u,\"offset\":%" PRIu64, set->buffer_index,
                          set->buffer_offset);
    if (!bound->address) {
        string_builder_add(&dump->json, ",\"address\":\"0x0\"");
        dump_mark(dump, "no such object: no descriptor buffer is bound there");
        return;
    }
    dump_address(dump, bound->address + set->buffer_offset, &wanted);
    if (alignment && set->buffer_offset % alignment)
        dump_mark(dump,
                  "misaligned: the offset is not a multiple of "
                  "descriptorBufferOffsetAlignment = %" PRIu64,
                  alignment);
    dump_marks_end(dump);
    write_bindings(dump, number, bound->address + set->buffer_offset);
}

/* --- heaps --- */

/* Writes a bound heap, and marks suspicious values. */
static void write_heap(struct dump *dump, enum dump_heap_kind kind, const struct dump_heap *heap)
{
    const VkPhysicalDeviceDescriptorHeapPropertiesEXT *limits =
        &dump->device->extended.DescriptorHeapPropertiesEXT;
    const bool samplers = kind == DUMP_HEAP_SAMPLERS;
    const VkDeviceSize reserved =
        samplers ? limits->minSamplerHeapReservedRange : limits->minResourceHeapReservedRange;
    const VkDeviceSize most = samplers ? limits->maxSamplerHeapSize : limits->maxResourceHeapSize;
    const struct dump_wanted wanted = {
        .size = heap->range.size,
        .usage = VK_BUFFER_USAGE_2_DESCRIPTOR_HEAP_BIT_EXT,
        .alignment = samplers ? limits->samplerHeapAlignment : limits->resourceHeapAlignment,
        .alignment_of = samplers ? "samplerHeapAlignment" : "resourceHeapAlignment"};
    string_builder_format(&dump->text,
                          ", %" PRIu64 " bytes, of which %" PRIu64 " from byte %" PRIu64
                          " are reserved:",
                          heap->range.size, heap->reserved_size, heap->reserved_offset);
    string_builder_format(&dump->json,
                          ",\"size\":%" PRIu64 ",\"reservedOffset\":%" PRIu64
                          ",\"reservedSize\":%" PRIu64,
                          heap->range.size, heap->reserved_offset, heap->reserved_size);
    dump_address(dump, heap->range.address, &wanted);
    if (heap->reserved_offset > heap->range.size ||
        heap->reserved_size > heap->range.size - heap->reserved_offset)
        dump_mark(dump, "out of bounds: the reserved range ends after the heap");
    if (heap->reserved_size < reserved)
        dump_mark(dump, "too short: the driver reserves %" PRIu64 " bytes (%s)", reserved,
                  samplers ? "minSamplerHeapReservedRange" : "minResourceHeapReservedRange");
    if (heap->range.size > most)
        dump_mark(dump, "too long: a heap has %" PRIu64 " bytes at most (%s)", most,
                  samplers ? "maxSamplerHeapSize" : "maxResourceHeapSize");
}

/* Finds the descriptor at this byte of the heap, by trying the `count` known types in `sizes`. */
static const struct dump_size *find_in_heap(const struct dump *dump, const unsigned char *bytes,
                                            size_t left, const struct dump_size *sizes,
                                            uint32_t count, struct dump_descriptor *found)
{
    for (uint32_t i = 0; i < count; i++) {
        if (sizes[i].size <= left &&
            dump_descriptor_find(dump->device, sizes[i].type, bytes, sizes[i].size, found))
            return &sizes[i];
    }
    return NULL;
}

/* Lists all known descriptors in these bytes. The place of a shader's descriptor in a heap depends
 * on mappings, and on the shader's computations. */
static void write_found(struct dump *dump, const unsigned char *bytes, size_t length)
{
    const VkPhysicalDeviceDescriptorHeapPropertiesEXT *limits =
        &dump->device->extended.DescriptorHeapPropertiesEXT;
    const VkDeviceSize unit = limits->bufferDescriptorAlignment < limits->imageDescriptorAlignment
                                  ? limits->bufferDescriptorAlignment
                                  : limits->imageDescriptorAlignment;
    const size_t step = unit ? (size_t)unit : 1;
    struct dump_size sizes[DUMP_SIZES_MOST];
    struct dump_descriptor found;
    const uint32_t count = dump_sizes_read(dump->device, sizes);
    uint32_t shown = 0;
    string_builder_add(&dump->json, ",\"descriptors\":[");
    for (size_t at = 0; at < length && shown < DUMP_ELEMENTS_MOST; at += step) {
        const struct dump_size *size =
            find_in_heap(dump, bytes + at, length - at, sizes, count, &found);
        /* null descriptors may be zeros, which heaps have many of */
        if (!size || (!found.address && !found.image))
            continue;
        const struct value_text type = value_text(VALUES_VkDescriptorType, found.type);
        string_builder_format(&dump->text, "\n    byte %zu, %s:", at, type.text);
        string_builder_format(&dump->json, "%s{\"heapOffset\":%zu,\"descriptorType\":\"%s\"",
                              shown++ ? "," : "", at, type.text);
        write_content(dump, &found, NULL);
        dump_marks_end(dump);
        string_builder_add(&dump->json, "}");
    }
    string_builder_add(&dump->json, "]");
}

/* Reads the begin of the resource heap, HEAP_BYTES_MOST bytes at most, and lists the known
 * descriptors in it. */
static void write_heap_content(struct dump *dump, const struct dump_heap *heap)
{
    const size_t length =
        heap->range.size < HEAP_BYTES_MOST ? (size_t)heap->range.size : HEAP_BYTES_MOST;
    unsigned char *bytes = mem_alloc(length ? length : 1);
    if (bytes && length && dump_read(dump, heap->range.address, bytes, length))
        write_found(dump, bytes, length);
    else
        string_builder_add(&dump->text,
                           "\n    what lies there is not read, as its memory is not mapped");
    mem_free(bytes);
}

void dump_heaps(struct dump *dump)
{
    static const char *const names[DUMP_HEAP_COUNT] = {"sampler", "resource"};
    const struct dump_recording *recording = gpu_in_command_buffer(dump->command_buffer)->dump;
    bool first = true;
    string_builder_add(&dump->json, ",\"heaps\":[");
    for (enum dump_heap_kind kind = 0; kind < DUMP_HEAP_COUNT; kind++) {
        const struct dump_heap *heap = recording ? &recording->heaps[kind] : NULL;
        string_builder_format(&dump->text, "%s%s heap", dump->text.length ? "\n" : "", names[kind]);
        if (!heap || !heap->bound) { /* the shaders may need only one kind of heap */
            string_builder_add(&dump->text, ": none is bound");
            continue;
        }
        string_builder_format(&dump->json, "%s{\"kind\":\"%s\"", first ? "" : ",", names[kind]);
        first = false;
        write_heap(dump, kind, heap);
        dump_marks_end(dump);
        if (kind == DUMP_HEAP_RESOURCES)
            write_heap_content(dump, heap);
        string_builder_add(&dump->json, "}");
    }
    string_builder_add(&dump->json, "]");
}
