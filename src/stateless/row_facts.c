/* Reads the facts of objects for rows. A fact is not known without tracking, without a handle, or
 * if memory ran out. Rules about state belong to the setting validate_core: without it, no fact is
 * known either. */
#include "report/names/names_of_values.h"
#include "state/raytracing/acceleration_structure.h"
#include "state/command/command_buffer.h"
#include "state/object/created.h"
#include "state/memory/device_address.h"
#include "state/memory/formats.h"
#include "state/memory/image.h"
#include "state/memory/memory.h"
#include "state/submit/queue.h"
#include "state/command/sections.h"
#include "stateless/rows.h"

struct object *row_fact_object(const struct row_subject *subject, const struct row_value *value)
{
    const struct row_fact *fact = &row_facts[value->second];
    const struct call *call = subject->check->call;
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const struct command_buffer_sections *sections = sections_of(command_buffer);
    switch (fact->way) {
    case ROW_RECORDED_SECTIONS:
    case ROW_OF_PROFILE:
        return NULL;
    case ROW_RECORDED_POOL:
    case ROW_RECORDED_FAMILY:
        return command_buffer ? command_buffer->pool : NULL;
    case ROW_RECORDED_VIDEO_SESSION:
        return sections ? object_find_id(sections->video_session, HANDLE_VIDEO_SESSION_KHR) : NULL;
    case ROW_RECORDED_DEVICE:
        return call->device ? call->device->object : NULL;
    default: {
        struct row_number handle = row_read_member(subject, value, ROW_U64);
        return handle.known && call->device
                   ? call_find(call, handle.bits, (enum handle_type)fact->handle)
                   : NULL;
    }
    }
}

/* Queries the driver for the VkVideoProfileInfoKHR that the member points to. The answer is not
 * stored: few calls name a profile. */
static struct row_number row_read_profile(const struct row_subject *subject,
                                          const struct row_value *value)
{
    struct row_number pointer = row_read_member(subject, value, ROW_U64);
    const VkVideoProfileInfoKHR *profile = (const void *)(uintptr_t)pointer.bits;
    /* A structure with a bad pointer must not reach the driver. */
    if (!pointer.known || pointer_is_bad(profile) || subject->check->call->dead_handle)
        return (struct row_number){.known = false};
    struct video_capabilities capabilities;
    video_capabilities_ask(subject->check->call->device, profile, &capabilities);
    return capabilities.known
               ? row_number_at((const char *)&capabilities + row_facts[value->second].offset,
                               (enum row_type)value->type)
               : (struct row_number){.known = false};
}

/* The state of the object of a ROW_FACT, or NULL if it is not known. */
static void *fact_state(const struct row_subject *subject, const struct row_value *value)
{
    const struct row_fact *fact = &row_facts[value->second];
    struct object *object = row_fact_object(subject, value);
    return fact->way == ROW_OF_MEMBER
               ? object_load_state_typed(object, (enum handle_type)fact->handle)
               : object_load_state(object);
}

struct row_number row_read_fact(const struct row_subject *subject, const struct row_value *value)
{
    const struct row_fact *fact = &row_facts[value->second];
    if (!row_may_ask(subject->check->call))
        return (struct row_number){.known = false};
    if (fact->way == ROW_OF_PROFILE)
        return row_read_profile(subject, value);
    const struct call *call = subject->check->call;
    const char *state = fact->way == ROW_RECORDED_SECTIONS
                            ? (const char *)sections_of(call_command_buffer(call))
                            : fact_state(subject, value);
    /* If the driver did not report the capabilities, all of them are 0. */
    if (state && fact->handle == HANDLE_VIDEO_SESSION_KHR &&
        fact->offset >= offsetof(struct created_video_session, capabilities) &&
        !((const struct created_video_session *)state)->capabilities.known)
        return (struct row_number){.known = false};
    if (state && fact->way == ROW_RECORDED_FAMILY) {
        const uint32_t family = ((const struct command_pool *)state)->queue_family;
        state = family < call->device->queue_family_count
                    ? (const char *)&call->device->queue_families[family]
                    : NULL;
    }
    /* The layer does not know the size of imported memory. */
    if (state && fact->handle == HANDLE_DEVICE_MEMORY &&
        fact->offset == offsetof(struct device_memory, size) &&
        ((const struct device_memory *)state)->import_type)
        return (struct row_number){.known = false};
    if (state && fact->way == ROW_RECORDED_DEVICE &&
        !((const struct device_state *)state)->physical_device_count)
        return (struct row_number){.known = false}; /* memory ran out when the object was created */
    return state ? row_number_at(state + fact->offset, (enum row_type)value->type)
                 : (struct row_number){.known = false};
}

struct row_number row_read_level_extent(const struct row_subject *subject,
                                        const struct row_value *value)
{
    const VkImageSubresourceLayers *layers =
        /* the structure begins with its aspectMask */
        row_member_at(subject, &row_values[value->second]);
    const struct image *image =
        row_may_ask(subject->check->call) ? fact_state(subject, &row_values[value->first]) : NULL;
    const uint32_t axis = value->chain;
    if (!layers || !image || layers->mipLevel >= image->mip_levels ||
        /* Extents that a type of image does not have are 1. Rules do not check them. */
        (axis == 1 && image->type == VK_IMAGE_TYPE_1D) ||
        (axis == 2 && image->type != VK_IMAGE_TYPE_3D))
        return (struct row_number){.known = false};
    return (struct row_number){.known = true, .bits = image_level_extent(image, layers, axis)};
}

enum row_answer row_ask_address(const struct call *call, uint64_t address, uint64_t usages,
                                enum row_kind kind)
{
    if (!row_may_ask(call) || !object_load_state(call->device->object))
        return ROW_UNKNOWN;
    /* Whether 0 is an address that must be in a buffer depends on what is asked of it. */
    if (!address)
        return usages || kind == ROW_ADDRESS_FLAGS ? ROW_UNKNOWN : ROW_NO;
    if (kind == ROW_ADDRESS_FLAGS && !usages) {
        usages = ADDRESS_BOUND;
    } else if (kind == ROW_ADDRESS_FLAGS) {
        const struct address_search found = device_address_find(call->device, address, 1, 0);
        return found.match != ADDRESS_FOUND   ? ROW_UNKNOWN
               : found.buffer->flags & usages ? ROW_YES
                                              : ROW_NO;
    }
    switch (device_address_find(call->device, address, 1, usages).match) {
    case ADDRESS_FOUND:
        return ROW_YES;
    case ADDRESS_USAGE:
        return ROW_NO;
    case ADDRESS_NOWHERE:
        return kind == ROW_ADDRESS_VALID ? ROW_NO : ROW_UNKNOWN;
    default: /* memory ran out */
        return ROW_UNKNOWN;
    }
}

/* The buffer that an object is placed in. */
struct row_place {
    const void *state;           /* the object's state; NULL if nothing is known */
    const struct buffer *buffer; /* NULL if it is not known, or destroyed */
    bool destroyed;
    bool by_address; /* the object was created at an address, not in a buffer */
};

/* Finds the object of a handle, and the buffer that it is placed in. `state` is NULL if nothing is
 * known, or if rows must not ask. */
static struct row_place row_place_of(const struct call *call, uint64_t handle,
                                     enum handle_type type)
{
    struct row_place place = {.state = NULL};
    uint64_t id = 0;
    if (row_may_ask(call))
        place.state = call_find_state(call, handle, type);
    if (!place.state)
        return place;
    if (type == HANDLE_BUFFER) {
        place.buffer = place.state;
        return place;
    }
    if (type == HANDLE_MICROMAP_EXT) {
        id = ((const struct created_micromap *)place.state)->buffer;
    } else {
        const struct acceleration_structure *structure = place.state;
        id = structure->buffer;
        place.by_address = structure->by_address;
    }
    const struct object *object = id ? object_find_id(id, HANDLE_BUFFER) : NULL;
    place.buffer = object_load_state_of(object, id);
    /* The object had a buffer that was destroyed; the message says so. */
    place.destroyed = id && !object;
    return place;
}

/* The memory that the whole buffer is bound to, or NULL if it is not known. */
static const struct device_memory *row_memory_of(const struct row_place *place)
{
    return place->buffer && !(place->buffer->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT)
               ? device_memory_by_id(place->buffer->binding.memory)
               : NULL;
}

enum row_answer row_ask_bound(const struct call *call, uint64_t handle, uint32_t lies)
{
    const enum handle_type type = (enum handle_type)(lies & 0xff);
    if (type == HANDLE_IMAGE) {
        const void *image = row_may_ask(call) ? call_find_state(call, handle, type) : NULL;
        return !image ? ROW_UNKNOWN : image_has_memory(image) ? ROW_YES : ROW_NO;
    }
    const struct row_place place = row_place_of(call, handle, type);
    const enum row_memory asked = (enum row_memory)(lies >> 8);
    if (asked == ROW_MEMORY_NAMED)
        return !place.state ? ROW_UNKNOWN : place.by_address ? ROW_NO : ROW_YES;
    if (asked == ROW_MEMORY_ANY) {
        /* The address may be in another buffer as well. */
        if (place.destroyed)
            return place.by_address ? ROW_UNKNOWN : ROW_NO;
        return !place.buffer ? ROW_UNKNOWN : buffer_is_bound(place.buffer) ? ROW_YES : ROW_NO;
    }
    const struct device_memory *memory = row_memory_of(&place);
    if (!memory || !memory->properties)
        return ROW_UNKNOWN;
    if (asked == ROW_MEMORY_HOST_VISIBLE)
        return memory->properties & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT ? ROW_YES : ROW_NO;
    return memory->multiple_instances ? ROW_NO : ROW_YES;
}

void row_write_bound(struct string_builder *text, const struct call *call, uint64_t handle,
                     uint32_t lies)
{
    const enum handle_type type = (enum handle_type)(lies & 0xff);
    const struct row_place place = row_place_of(call, handle, type);
    const struct device_memory *memory = row_memory_of(&place);
    switch ((enum row_memory)(lies >> 8)) {
    case ROW_MEMORY_ANY:
        string_builder_add(text, type == HANDLE_BUFFER ? "which " : "whose buffer ");
        string_builder_add(text, place.destroyed || !place.buffer ? "has been destroyed"
                                 : place.buffer->binding.memory
                                     ? "is not bound to memory any more: that was freed"
                                     : "is not bound to memory");
        break;
    case ROW_MEMORY_HOST_VISIBLE:
        string_builder_format(text, "which lies in memory of type %u, which the host cannot see (",
                              memory ? memory->type : 0);
        value_write(text, VALUES_VkMemoryPropertyFlags, memory ? memory->properties : 0);
        string_builder_add(text, ")");
        break;
    case ROW_MEMORY_SINGLE:
        string_builder_format(text,
                              "which lies in memory of type %u, of which several physical devices "
                              "have an instance",
                              memory ? memory->type : 0);
        break;
    case ROW_MEMORY_NAMED:
        string_builder_add(text, "which was created with vkCreateAccelerationStructure2KHR");
        break;
    }
}

enum row_answer row_format_is(uint64_t format, enum row_format_kind kind)
{
    const struct format_info *info = format_info((VkFormat)format);
    /* The layer does not know this VkFormat, so that the row reports nothing. */
    if (!info)
        return ROW_UNKNOWN;
    const VkImageAspectFlags color = info->aspects & FORMAT_COLOR_ASPECTS,
                             depth = info->aspects & VK_IMAGE_ASPECT_DEPTH_BIT,
                             stencil = info->aspects & VK_IMAGE_ASPECT_STENCIL_BIT;
    bool integer = format_is_integer((VkFormat)format), is = false;
    switch (kind) {
    case ROW_FORMAT_COLOR:
        is = color;
        break;
    case ROW_FORMAT_DEPTH:
        is = depth;
        break;
    case ROW_FORMAT_STENCIL:
        is = stencil;
        break;
    case ROW_FORMAT_COLOR_OR_DEPTH:
        is = color || depth;
        break;
    case ROW_FORMAT_DEPTH_OR_STENCIL:
        is = depth || stencil;
        break;
    case ROW_FORMAT_DEPTH_AND_STENCIL:
        is = depth && stencil;
        break;
    case ROW_FORMAT_DEPTH_ALONE:
        is = depth && !stencil;
        break;
    case ROW_FORMAT_STENCIL_ALONE:
        is = stencil && !depth;
        break;
    case ROW_FORMAT_INTEGER_COLOR:
        is = color && integer;
        break;
    case ROW_FORMAT_OTHER_COLOR:
        is = color && !integer;
        break;
    case ROW_FORMAT_SRGB:
        is = format_is_srgb((VkFormat)format);
        break;
    }
    return is ? ROW_YES : ROW_NO;
}

enum row_answer row_section(const struct call *call, uint32_t fact)
{
    const char *sections = (const char *)sections_of(call_command_buffer(call));
    return !sections ? ROW_UNKNOWN : sections[row_facts[fact].offset] ? ROW_YES : ROW_NO;
}
