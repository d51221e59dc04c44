/* What is bound where, and what about it looks wrong? Every descriptor that the pipeline's shaders name is listed; of an array
 * the first ELEMENTS_MOST. What is wrong stands behind an exclamation mark, and is listed whether or not a rule forbids it. */
#include "gpu/dump.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/string_builder.h"
#include "report/finding.h"
#include "report/names_of_values.h"
#include "report/reporter.h"
#include "spirv/reflect.h"
#include "state/buffer.h"
#include "state/descriptor_access.h"
#include "state/descriptor_resources.h"
#include "state/device_address.h"
#include "state/image.h"
#include "state/pipeline.h"
#include "state/shader.h"

#define ELEMENTS_MOST 16u

struct dump {
    const struct call *call;
    const struct device *device;
    const struct command_buffer *command_buffer;
    struct string_builder text, json;
    uint32_t wrong;  /* marks so far */
    bool first_mark; /* of the descriptor */
};

static void mark(struct dump *dump, const char *format, ...) PRINTF_LIKE(2, 3);

/* "! it was destroyed" */
static void mark(struct dump *dump, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    string_builder_format(&dump->text, "\n        ! %s", text);
    string_builder_add(&dump->json, dump->first_mark ? ",\"wrong\":[\"" : ",\"");
    string_builder_add_json(&dump->json, text);
    string_builder_add(&dump->json, "\"");
    dump->first_mark = false;
    dump->wrong++;
}

/* `VkBuffer 0x3 "vertices"`; NULL: it is gone, which is marked by the caller. */
static void write_object(struct dump *dump, const char *key, enum handle_type type, struct object *object)
{
    struct reporter *reporter = dump->call->instance->reporter;
    char *name = object && reporter ? reporter_copy_name(reporter, object) : NULL;
    string_builder_format(&dump->json, ",\"%s\":{\"type\":\"%s\"", key, handle_type_name[type]);
    string_builder_format(&dump->text, " %s", handle_type_name[type]);
    if (object) {
        string_builder_format(&dump->text, " 0x%" PRIx64, object_handle(object));
        string_builder_format(&dump->json, ",\"handle\":\"0x%" PRIx64 "\"", object_handle(object));
    }
    if (name) {
        string_builder_format(&dump->text, " \"%s\"", name);
        string_builder_add(&dump->json, ",\"name\":\"");
        string_builder_add_json(&dump->json, name);
        string_builder_add(&dump->json, "\"");
    }
    string_builder_add(&dump->json, "}");
    mem_free(name);
}

/* --- buffers --- */

static VkBufferUsageFlags2 usage_of(enum descriptor_tag tag)
{
    return tag == DESCRIPTOR_UNIFORM_BUFFER || tag == DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC
               ? VK_BUFFER_USAGE_2_UNIFORM_BUFFER_BIT
               : VK_BUFFER_USAGE_2_STORAGE_BUFFER_BIT;
}

static void mark_buffer(struct dump *dump, const struct buffer *buffer, enum descriptor_tag tag, VkDeviceSize offset,
                        VkDeviceSize range, const struct spirv_binding *shader)
{
    const bool uniform = usage_of(tag) == VK_BUFFER_USAGE_2_UNIFORM_BUFFER_BIT;
    const VkPhysicalDeviceLimits *limits = &dump->device->properties.limits;
    const VkDeviceSize alignment =
        uniform ? limits->minUniformBufferOffsetAlignment : limits->minStorageBufferOffsetAlignment;
    const VkDeviceSize left = offset < buffer->size ? buffer->size - offset : 0,
                       bytes = range == VK_WHOLE_SIZE ? left : range;
    if (!(buffer->usage & usage_of(tag)))
        mark(dump, "wrong usage: the buffer was not created with %s",
             uniform ? "VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT" : "VK_BUFFER_USAGE_STORAGE_BUFFER_BIT");
    if (alignment && offset % alignment)
        mark(dump, "misaligned: the offset is not a multiple of %s = %" PRIu64,
             uniform ? "minUniformBufferOffsetAlignment" : "minStorageBufferOffsetAlignment", alignment);
    if (offset >= buffer->size || bytes > left)
        mark(dump, "out of bounds: the buffer has %" PRIu64 " bytes", buffer->size);
    else if (shader->size && bytes < shader->size)
        mark(dump, "too short: the shader's block has %u bytes", shader->size);
    if (!buffer_is_bound(buffer))
        mark(dump, "no memory: the buffer is bound to none that lives");
}

static void write_buffer(struct dump *dump, const struct bound_descriptors *bound,
                         const struct descriptor_binding *binding, const struct spirv_binding *shader, uint32_t element,
                         struct descriptor descriptor)
{
    const enum descriptor_tag tag = (enum descriptor_tag)descriptor.tag;
    struct object *object = object_find_id(descriptor_buffer_id(descriptor), HANDLE_BUFFER);
    const struct buffer *buffer = object ? object_load_state(object) : NULL;
    const bool dynamic = tag == DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC || tag == DESCRIPTOR_STORAGE_BUFFER_DYNAMIC;
    const VkDeviceSize range = descriptor_buffer_range(descriptor);
    VkDeviceSize offset;
    const bool known = descriptor_buffer_offset(descriptor, &offset);
    write_object(dump, "object", HANDLE_BUFFER, object);
    const uint32_t at = binding->first_dynamic + element;
    const uint32_t moved =
        dynamic && bound->dynamic_offsets && at < bound->dynamic_count ? bound->dynamic_offsets[at] : 0;
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
        string_builder_format(&dump->text, ", %" PRIu64 " bytes", range);
    if (range != VK_WHOLE_SIZE)
        string_builder_format(&dump->json, ",\"range\":%" PRIu64, range);
    if (!object)
        mark(dump, "no such object: the buffer was destroyed");
    else if (buffer && known)
        mark_buffer(dump, buffer, tag, offset, range, shader);
}

static void write_texels(struct dump *dump, struct descriptor descriptor)
{
    struct object *object = object_find_id(descriptor_buffer_view_id(descriptor), HANDLE_BUFFER_VIEW);
    const struct buffer_view *view = object ? object_load_state(object) : NULL;
    write_object(dump, "object", HANDLE_BUFFER_VIEW, object);
    if (!object) {
        mark(dump, "no such object: the view was destroyed");
        return;
    }
    struct object *buffer = view ? object_find_id(view->buffer, HANDLE_BUFFER) : NULL;
    if (!view)
        return;
    string_builder_format(&dump->text, ", %s, %" PRIu64 " bytes from byte %" PRIu64 " of",
                          value_text(VALUES_VkFormat, view->format).text, view->range, view->offset);
    write_object(dump, "of", HANDLE_BUFFER, buffer);
    if (!buffer)
        mark(dump, "no such object: the view's buffer was destroyed");
}

/* --- images --- */

static void write_image(struct dump *dump, struct descriptor descriptor)
{
    const enum descriptor_tag tag = (enum descriptor_tag)descriptor.tag;
    const VkImageLayout layout = descriptor_image_layout(descriptor);
    struct object *object = object_find_id(descriptor_view_id(descriptor), HANDLE_IMAGE_VIEW);
    const struct image_view *view = object ? object_load_state(object) : NULL;
    write_object(dump, "object", HANDLE_IMAGE_VIEW, object);
    if (layout != VK_IMAGE_LAYOUT_MAX_ENUM) {
        string_builder_format(&dump->text, " in %s", value_text(VALUES_VkImageLayout, layout).text);
        string_builder_format(&dump->json, ",\"layout\":\"%s\"", value_text(VALUES_VkImageLayout, layout).text);
    }
    if (!object) {
        mark(dump, "no such object: the view was destroyed");
        return;
    }
    struct object *image = view ? object_find_id(view->image, HANDLE_IMAGE) : NULL;
    const struct image *state = image ? object_load_state(image) : NULL;
    if (!view)
        return;
    string_builder_format(&dump->text, ", %s, %s, levels %u to %u, layers %u to %u of",
                          value_text(VALUES_VkImageViewType, view->type).text,
                          value_text(VALUES_VkFormat, view->format).text, view->range.baseMipLevel,
                          view->range.baseMipLevel + view->range.levelCount - 1, view->range.baseArrayLayer,
                          view->range.baseArrayLayer + view->range.layerCount - 1);
    write_object(dump, "of", HANDLE_IMAGE, image);
    const VkImageUsageFlags wanted = tag == DESCRIPTOR_STORAGE_IMAGE      ? VK_IMAGE_USAGE_STORAGE_BIT
                                     : tag == DESCRIPTOR_INPUT_ATTACHMENT ? VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT
                                                                          : VK_IMAGE_USAGE_SAMPLED_BIT;
    const bool plain = tag <= DESCRIPTOR_STORAGE_IMAGE || tag == DESCRIPTOR_INPUT_ATTACHMENT;
    if (!image)
        mark(dump, "no such object: the view's image was destroyed");
    if (plain && view->usage && !(view->usage & wanted))
        mark(dump, "wrong usage: the view lacks %s",
             wanted == VK_IMAGE_USAGE_STORAGE_BIT   ? "VK_IMAGE_USAGE_STORAGE_BIT"
             : wanted == VK_IMAGE_USAGE_SAMPLED_BIT ? "VK_IMAGE_USAGE_SAMPLED_BIT"
                                                    : "VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT");
    if (state && !image_is_bound(state))
        mark(dump, "no memory: the image is bound to none that lives");
}

static void write_sampler(struct dump *dump, const struct bound_descriptors *bound,
                          const struct descriptor_binding *binding, uint32_t element, struct descriptor descriptor)
{
    const uint64_t id = descriptor_sampler_id(bound->layout, binding, element, descriptor);
    struct object *object = id ? object_find_id(id, HANDLE_SAMPLER) : NULL;
    if (!id)
        return;
    write_object(dump, "sampler", HANDLE_SAMPLER, object);
    if (!object && !binding->immutable_samplers) /* immutable ones may be destroyed */
        mark(dump, "no such object: the sampler was destroyed");
}

/* --- a descriptor --- */

static void write_content(struct dump *dump, const struct bound_descriptors *bound,
                          const struct descriptor_binding *binding, const struct spirv_binding *shader,
                          uint32_t element, struct descriptor descriptor)
{
    const enum descriptor_tag tag = (enum descriptor_tag)descriptor.tag;
    if (binding->type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT && tag != DESCRIPTOR_NOTHING &&
        !descriptor_is_resource(tag, shader->resource))
        mark(dump, "wrong type: the shader has it as a %s", spirv_resource_name(shader->resource));
    if (tag == DESCRIPTOR_NOTHING && !(binding->type == VK_DESCRIPTOR_TYPE_SAMPLER && binding->immutable_samplers))
        mark(dump, "never written");
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
        write_image(dump, descriptor);
    else if (descriptor_target(descriptor)) {
        const uint64_t id = descriptor_target(descriptor);
        struct object *object = object_find_id(id, object_id_type(id));
        write_object(dump, "object", object_id_type(id), object);
        if (!object)
            mark(dump, "no such object: it was destroyed");
    }
    if (tag == DESCRIPTOR_COMBINED_IMAGE_SAMPLER && descriptor.index)
        write_sampler(dump, bound, binding, element, descriptor);
}

static void write_binding(struct dump *dump, const struct bound_descriptors *bound, const struct spirv_reflection *code,
                          const struct spirv_binding *shader, bool *first)
{
    const struct descriptor_binding *binding = descriptor_layout_find(bound->layout, shader->binding);
    if (!binding)
        return;
    const bool block = binding->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
    const uint32_t all = block ? 1 : bound->set ? descriptor_set_binding_count(bound->set, binding) : binding->count;
    const uint32_t shown = all < ELEMENTS_MOST ? all : ELEMENTS_MOST;
    for (uint32_t i = 0; i < shown && binding->first + i < bound->count; i++) {
        const struct descriptor descriptor = descriptor_load(&bound->descriptors[binding->first + i]);
        const struct value_text type = value_text(VALUES_VkDescriptorType, binding->type);
        string_builder_format(&dump->text, "\n    binding %u", shader->binding);
        if (all > 1)
            string_builder_format(&dump->text, "[%u]", i);
        string_builder_format(&dump->text, " \"%s\", %s:", code->text + shader->name, type.text);
        string_builder_format(&dump->json, "%s{\"binding\":%u,\"element\":%u,\"name\":\"", *first ? "" : ",",
                              shader->binding, i);
        string_builder_add_json(&dump->json, code->text + shader->name);
        string_builder_format(&dump->json, "\",\"descriptorType\":\"%s\"", type.text);
        *first = false;
        dump->first_mark = true;
        write_content(dump, bound, binding, shader, i, descriptor);
        string_builder_add(&dump->json, dump->first_mark ? "}" : "]}");
    }
    if (shown < all)
        string_builder_format(&dump->text, "\n    and %u more of binding %u", all - shown, shader->binding);
}

/* --- sets --- */

/* Where it is bound to a place in a descriptor buffer: whether that is one. What lies there only the driver can read. */
static void write_descriptor_buffer(struct dump *dump, const struct bound_set *set)
{
    const VkDeviceSize alignment = dump->device->extended.DescriptorBufferPropertiesEXT.descriptorBufferOffsetAlignment;
    if (set->buffer_index >= BOUND_DESCRIPTOR_BUFFERS)
        return;
    const struct bound_descriptor_buffer *bound = &dump->command_buffer->descriptor_buffers[set->buffer_index];
    const VkDeviceAddress address = bound->address + set->buffer_offset;
    const struct address_search search = device_address_find(dump->device, address, 1, bound->usage);
    string_builder_format(&dump->text, " descriptor buffer %u, offset %" PRIu64 ": address 0x%" PRIx64,
                          set->buffer_index, set->buffer_offset, address);
    string_builder_format(&dump->json, ",\"buffer\":%u,\"offset\":%" PRIu64 ",\"address\":\"0x%" PRIx64 "\"",
                          set->buffer_index, set->buffer_offset, address);
    dump->first_mark = true;
    if (search.buffer) {
        string_builder_add(&dump->text, " in");
        write_object(dump, "object", HANDLE_BUFFER, search.buffer->base.object);
    }
    if (!bound->address)
        mark(dump, "no such object: no descriptor buffer is bound there");
    else if (search.match == ADDRESS_NOWHERE || search.match == ADDRESS_TOO_SHORT)
        mark(dump, "out of bounds: no buffer that lives has this address");
    else if (search.match == ADDRESS_USAGE)
        mark(dump, "wrong usage: the buffer lacks what it was bound for");
    if (alignment && set->buffer_offset % alignment)
        mark(dump, "misaligned: the offset is not a multiple of descriptorBufferOffsetAlignment = %" PRIu64, alignment);
    if (!dump->first_mark)
        string_builder_add(&dump->json, "]");
}

static void write_bindings(struct dump *dump, const struct pipeline *pipeline, const struct bound_descriptors *bound,
                           uint32_t number)
{
    bool first = true;
    uint64_t seen = 0; /* bindings that several stages share */
    string_builder_add(&dump->json, ",\"descriptors\":[");
    for (uint32_t i = 0; i < pipeline->stage_count; i++) {
        const struct pipeline_stage *stage = &pipeline->stage[i];
        const struct spirv_reflection *code = stage->shader ? stage->shader->reflection : NULL;
        if (!code || stage->entry_point >= code->entry_count)
            continue;
        const struct spirv_entry_point *entry = &code->entries[stage->entry_point];
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

static void write_set(struct dump *dump, const struct pipeline *pipeline, const struct bind_point_state *bind,
                      uint32_t number)
{
    struct bound_descriptors bound;
    const struct bound_set *set = number < bind->set_count ? &bind->sets[number] : NULL;
    string_builder_format(&dump->text, "%sset %u:", dump->text.length ? "\n" : "", number);
    string_builder_format(&dump->json, "{\"set\":%u", number);
    dump->first_mark = true;
    if (set && set->kind == BOUND_OFFSET) {
        write_descriptor_buffer(dump, set);
    } else if (!set || set->kind == BOUND_NOTHING || set->kind == BOUND_NULL_SET) {
        mark(dump, "nothing is bound");
        string_builder_add(&dump->json, "]");
    } else if (!bound_set_read(bind, number, &bound)) {
        mark(dump, "no such object: the set is not there any more");
        string_builder_add(&dump->json, "]");
    } else {
        if (bound.set)
            write_object(dump, "object", HANDLE_DESCRIPTOR_SET, bound.set->base.object);
        else
            string_builder_add(&dump->text, " pushed");
        write_bindings(dump, pipeline, &bound, number);
    }
    string_builder_add(&dump->json, "}");
}

/* --- a command --- */

static void tell(struct dump *dump, const struct pipeline *pipeline)
{
    struct finding_details details = {.json_key = "gpuDump"};
    char text[128] = "";
    if (dump->wrong)
        snprintf(text, sizeof(text), ", of which %u look%s wrong", dump->wrong, dump->wrong == 1 ? "s" : "");
    char sentence[256];
    snprintf(sentence, sizeof(sentence),
             "what the descriptors of command %u refer to%s:", dump->command_buffer->command_number, text);
    if (dump->call->instance->settings.gpu_dump_to_stdout) {
        printf("%s(): %s\n%s\n", command_name[dump->call->command], sentence, dump->text.text);
        (void)fflush(stdout);
        return;
    }
    details.sections[0] = (struct finding_section){"bound", dump->text.text};
    details.section_count = 1;
    details.json = dump->json.text;
    (void)finding_with_details(dump->call, SEVERITY_INFO, ASSAY_GpuDump,
                               OBJECT(HANDLE_PIPELINE, object_state_handle(&pipeline->base)), &details, sentence);
}

/* Does gpu_dump_commands choose it: its name, or that of a label around it? */
static bool is_chosen(struct call *call)
{
    const struct setting_list *globs = &call->instance->settings.gpu_dump_commands;
    return !globs->count || setting_list_matches(globs, command_name[call->command]) ||
           reporter_is_label_named(call->instance->reporter, call->object, globs);
}

void dump_command(struct call *call, uint32_t point)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const struct pipeline *pipeline =
        command_buffer && point < BIND_POINTS ? pipeline_by_id(command_buffer->bind[point].pipeline) : NULL;
    struct dump dump = {.call = call, .device = call->device, .command_buffer = command_buffer};
    char text[4096], json[4096];
    if (!pipeline || !pipeline->used_sets || !is_chosen(call))
        return;
    string_builder_begin(&dump.text, text, sizeof(text));
    string_builder_begin(&dump.json, json, sizeof(json));
    string_builder_format(&dump.json, "{\"command\":%u,\"sets\":[", command_buffer->command_number);
    for (uint32_t used = pipeline->used_sets, first = true; used; used &= used - 1, first = false) {
        const uint32_t number = (uint32_t)__builtin_ctz(used);
        if (number >= BOUND_SETS)
            continue;
        string_builder_add(&dump.json, first ? "" : ",");
        write_set(&dump, pipeline, &command_buffer->bind[point], number);
    }
    string_builder_add(&dump.json, "]}");
    tell(&dump, pipeline);
    string_builder_end(&dump.text);
    string_builder_end(&dump.json);
}
