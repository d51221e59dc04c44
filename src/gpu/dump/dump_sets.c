/* Dumps the descriptors in a descriptor set, or pushed in its place, that the shaders of a command
 * use. Of an array, the first DUMP_ELEMENTS_MOST elements are listed. */
#include "gpu/dump/dump_text.h"

#include <inttypes.h>

#include "report/names/names_of_values.h"
#include "spirv/module/reflect.h"
#include "state/descriptor/descriptor_access.h"
#include "state/descriptor/descriptor_resources.h"
#include "state/memory/image.h"

/* --- buffers --- */

/* Returns the usage that a buffer needs for this descriptor. The tag must be that of a buffer. */
static VkBufferUsageFlags2 tag_buffer_usage(enum descriptor_tag tag)
{
    return tag == DESCRIPTOR_UNIFORM_BUFFER || tag == DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC
               ? VK_BUFFER_USAGE_2_UNIFORM_BUFFER_BIT
               : VK_BUFFER_USAGE_2_STORAGE_BUFFER_BIT;
}

/* Marks suspicious values of a buffer that a descriptor refers to. */
static void mark_buffer(struct dump *dump, const struct buffer *buffer, enum descriptor_tag tag,
                        VkDeviceSize offset, VkDeviceSize range, const struct spirv_binding *shader)
{
    const bool uniform = tag_buffer_usage(tag) == VK_BUFFER_USAGE_2_UNIFORM_BUFFER_BIT;
    const VkPhysicalDeviceLimits *limits = &dump->device->properties.limits;
    const VkDeviceSize alignment =
        uniform ? limits->minUniformBufferOffsetAlignment : limits->minStorageBufferOffsetAlignment;
    const VkDeviceSize left = offset < buffer->size ? buffer->size - offset : 0,
                       bytes = range == VK_WHOLE_SIZE ? left : range;
    if (!(buffer->usage & tag_buffer_usage(tag)))
        dump_mark(dump, "wrong usage: the buffer was not created with %s",
                  uniform ? "VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT"
                          : "VK_BUFFER_USAGE_STORAGE_BUFFER_BIT");
    if (alignment && offset % alignment)
        dump_mark(dump, "misaligned: the offset is not a multiple of %s = %" PRIu64,
                  uniform ? "minUniformBufferOffsetAlignment" : "minStorageBufferOffsetAlignment",
                  alignment);
    if (offset >= buffer->size || bytes > left)
        dump_mark(dump, "out of bounds: the buffer has %" PRIu64 " bytes", buffer->size);
    else if (shader->size && bytes < shader->size)
        dump_mark(dump, "too short: the shader's block has %u bytes", shader->size);
    if (!buffer_is_bound(buffer))
        dump_mark(dump, "no memory: the buffer is bound to none that lives");
}

/* Writes a descriptor of a buffer, with its dynamic offset. */
static void write_buffer(struct dump *dump, const struct bound_descriptors *bound,
                         const struct descriptor_binding *binding,
                         const struct spirv_binding *shader, uint32_t element,
                         struct descriptor descriptor)
{
    const enum descriptor_tag tag = (enum descriptor_tag)descriptor.tag;
    struct object *object = object_find_id(descriptor_buffer_id(descriptor), HANDLE_BUFFER);
    const struct buffer *buffer = object ? object_load_state(object) : NULL;
    const bool dynamic =
        tag == DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC || tag == DESCRIPTOR_STORAGE_BUFFER_DYNAMIC;
    const VkDeviceSize range = descriptor_buffer_range(descriptor);
    VkDeviceSize offset;
    const bool known = descriptor_buffer_offset(descriptor, &offset);
    dump_object(dump, "object", HANDLE_BUFFER, object);
    /* Dynamic offsets are ordered by binding and element. */
    const uint32_t at = binding->first_dynamic + element;
    const uint32_t moved = dynamic && bound->dynamic_offsets && at < bound->dynamic_count
                               ? bound->dynamic_offsets[at]
                               : 0;
    if (known) {
        offset += moved;
        string_builder_format(&dump->text, ", from byte %" PRIu64, offset);
        string_builder_format(&dump->json, ",\"offset\":%" PRIu64, offset);
    }
    if (moved)
        string_builder_format(&dump->text, " (%u of them a dynamic offset)", moved);
    if (range == VK_WHOLE_SIZE)
        string_builder_add(&dump->text, " to its end");
    else
        string_builder_format(&dump->text, ", %" PRIu64 " byte%s", range, range == 1 ? "" : "s");
    if (range != VK_WHOLE_SIZE)
        string_builder_format(&dump->json, ",\"range\":%" PRIu64, range);
    if (!object)
        dump_mark(dump, "no such object: the buffer was destroyed");
    else if (buffer && known)
        mark_buffer(dump, buffer, tag, offset, range, shader);
}

/* Writes a descriptor of a texel buffer. */
static void write_texels(struct dump *dump, struct descriptor descriptor)
{
    struct object *object =
        object_find_id(descriptor_buffer_view_id(descriptor), HANDLE_BUFFER_VIEW);
    const struct buffer_view *view = object ? object_load_state(object) : NULL;
    dump_object(dump, "object", HANDLE_BUFFER_VIEW, object);
    if (!object) {
        dump_mark(dump, "no such object: the view was destroyed");
        return;
    }
    struct object *buffer = view ? object_find_id(view->buffer, HANDLE_BUFFER) : NULL;
    if (!view)
        return;
    const struct value_text format = value_text(VALUES_VkFormat, view->format);
    string_builder_format(&dump->text, ", %s, %" PRIu64 " byte%s from byte %" PRIu64 " of",
                          format.text, view->range, view->range == 1 ? "" : "s", view->offset);
    string_builder_format(&dump->json,
                          ",\"format\":\"%s\",\"offset\":%" PRIu64 ",\"range\":%" PRIu64,
                          format.text, view->offset, view->range);
    dump_object(dump, "of", HANDLE_BUFFER, buffer);
    if (!buffer)
        dump_mark(dump, "no such object: the view's buffer was destroyed");
}

/* --- images --- */

/* Writes the sampler of a descriptor, which may be an immutable one of the layout. */
static void write_sampler(struct dump *dump, const struct bound_descriptors *bound,
                          const struct descriptor_binding *binding, uint32_t element,
                          struct descriptor descriptor)
{
    dump_sampler(dump, descriptor_sampler_id(bound->layout, binding, element, descriptor),
                 binding->immutable_samplers);
}

/* --- a descriptor --- */

/* Writes the object that a descriptor of a set refers to, by its type. */
static void write_content(struct dump *dump, const struct bound_descriptors *bound,
                          const struct descriptor_binding *binding,
                          const struct spirv_binding *shader, uint32_t element,
                          struct descriptor descriptor)
{
    const enum descriptor_tag tag = (enum descriptor_tag)descriptor.tag;
    if (binding->type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT && tag != DESCRIPTOR_NOTHING &&
        !descriptor_is_resource(tag, shader->resource))
        dump_mark(dump, "wrong type: the shader has it as a %s",
                  spirv_resource_name(shader->resource));
    if (tag == DESCRIPTOR_NOTHING &&
        !(binding->type == VK_DESCRIPTOR_TYPE_SAMPLER && binding->immutable_samplers))
        dump_mark(dump, "never written");
    else if (tag == DESCRIPTOR_SAMPLER || binding->type == VK_DESCRIPTOR_TYPE_SAMPLER)
        write_sampler(dump, bound, binding, element, descriptor);
    else if (tag == DESCRIPTOR_INLINE_UNIFORM_BLOCK)
        string_builder_add(&dump->text, " inline data");
    else if (!descriptor.index)
        string_builder_add(&dump->text, " VK_NULL_HANDLE");
    else if (descriptor_is_buffer(tag))
        write_buffer(dump, bound, binding, shader, element, descriptor);
    else if (descriptor_is_texel_buffer(tag))
        write_texels(dump, descriptor);
    else if (descriptor_is_image(tag))
        dump_view(dump, descriptor_view_id(descriptor), descriptor_image_layout(descriptor),
                  dump_image_usage(descriptor_type_of(tag)));
    else if (descriptor_target(descriptor)) {
        const uint64_t id = descriptor_target(descriptor);
        struct object *object = object_find_id(id, object_id_type(id));
        dump_object(dump, "object", object_id_type(id), object);
        if (!object)
            dump_mark(dump, "no such object: it was destroyed");
    }
    if (tag == DESCRIPTOR_COMBINED_IMAGE_SAMPLER && descriptor.index)
        write_sampler(dump, bound, binding, element, descriptor);
}

/* Writes the elements of a binding. `first` is true until a member of the JSON is written. */
static void write_binding(struct dump *dump, const struct bound_descriptors *bound,
                          const struct spirv_reflection *code, const struct spirv_binding *shader,
                          bool *first)
{
    const struct descriptor_binding *binding =
        descriptor_layout_find(bound->layout, shader->binding);
    if (!binding)
        return;
    const bool block = binding->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
    /* The count of an inline uniform block is in bytes. */
    const uint32_t all = block        ? 1
                         : bound->set ? descriptor_set_binding_count(bound->set, binding)
                                      : binding->count;
    const uint32_t shown = all < DUMP_ELEMENTS_MOST ? all : DUMP_ELEMENTS_MOST;
    for (uint32_t i = 0; i < shown && binding->first + i < bound->count; i++) {
        const struct descriptor descriptor =
            descriptor_load(&bound->descriptors[binding->first + i]);
        const struct value_text type = value_text(VALUES_VkDescriptorType, binding->type);
        string_builder_format(&dump->text, "\n    binding %u", shader->binding);
        if (all > 1)
            string_builder_format(&dump->text, "[%u]", i);
        string_builder_format(&dump->text, " \"%s\", %s:", code->text + shader->name, type.text);
        string_builder_format(&dump->json, "%s{\"binding\":%u,\"element\":%u,\"name\":\"",
                              *first ? "" : ",", shader->binding, i);
        string_builder_add_json(&dump->json, code->text + shader->name);
        string_builder_format(&dump->json, "\",\"descriptorType\":\"%s\"", type.text);
        *first = false;
        write_content(dump, bound, binding, shader, i, descriptor);
        dump_marks_end(dump);
        string_builder_add(&dump->json, "}");
    }
    if (shown < all)
        string_builder_format(&dump->text, "\n    and %u more of binding %u", all - shown,
                              shader->binding);
}

/* --- sets --- */

/* Writes the bindings of a set that shaders use, each once. */
static void write_bindings(struct dump *dump, const struct bound_descriptors *bound,
                           uint32_t number)
{
    bool first = true;
    uint64_t seen = 0; /* binding numbers already written, as several stages share them */
    string_builder_add(&dump->json, ",\"descriptors\":[");
    for (uint32_t i = 0; i < dump->stage_count; i++) {
        const struct spirv_reflection *code = dump->stages[i].code;
        const struct spirv_entry_point *entry = dump->stages[i].entry;
        for (uint32_t k = 0; k < entry->binding_count; k++) {
            const struct spirv_binding *shader = &code->bindings[entry->first_binding + k];
            const uint64_t bit = shader->binding < 64 ? UINT64_C(1) << shader->binding : 0;
            if (shader->set != number || seen & bit)
                continue;
            seen |= bit;
            write_binding(dump, bound, code, shader, &first);
        }
    }
    string_builder_add(&dump->json, "]");
}

void dump_set(struct dump *dump, uint32_t number)
{
    struct bound_descriptors bound;
    const struct bound_set *set = bound_set_at(dump->bind, number);
    string_builder_format(&dump->text, "%sset %u:", dump->text.length ? "\n" : "", number);
    string_builder_format(&dump->json, "{\"set\":%u", number);
    if (set && set->kind == BOUND_OFFSET) {
        dump_buffered_set(dump, set, number);
    } else if (set && set->kind == BOUND_EMBEDDED) {
        string_builder_add(&dump->text, " samplers that its layout has");
    } else if (!set || set->kind == BOUND_NOTHING || set->kind == BOUND_NULL_SET) {
        dump_mark(dump, "nothing is bound");
    } else if (!bound_set_read(dump->bind, number, &bound)) {
        dump_mark(dump, "no such object: the set is not there any more");
    } else {
        if (bound.set)
            dump_object(dump, "object", HANDLE_DESCRIPTOR_SET, bound.set->base.object);
        else
            string_builder_add(&dump->text, " pushed");
        write_bindings(dump, &bound, number);
    }
    dump_marks_end(dump);
    string_builder_add(&dump->json, "}");
}
