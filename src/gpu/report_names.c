/* Names the descriptor, or the buffer with parameters, that a finding of the GPU is about. It is
 * looked up when the finding is reported. */
#include "gpu/report.h"

#include <inttypes.h>

#include "gpu/shaders/buffers.h"
#include "gpu/tables.h"
#include "objects/device.h"
#include "report/object_text.h"
#include "state/descriptor_access.h"
#include "state/device_address.h"
#include "state/reach.h"

struct table_search {
    VkDeviceAddress table;
    const struct descriptor_set *set;
};

static void look_for_table(struct object *object, void *context)
{
    struct table_search *search = context;
    const struct descriptor_set *set =
        object_type(object) == HANDLE_DESCRIPTOR_SET ? object_load_state(object) : NULL;
    if (set && gpu_table_address(set) == search->table)
        search->set = set;
}

/* The set that was bound to this number, where that is known and it lives. */
static const struct descriptor_set *find_set(const struct gpu_message *message, uint32_t number)
{
    struct table_search search = {
        .table = number < ORIGIN_TABLES ? message->found->origin.tables[number] : 0};
    if (message->found->origin.found && search.table)
        object_for_each_owned(message->call.device->owner, look_for_table, &search);
    return search.set;
}

/* `VkImageView 0x2 "albedo" of VkImage 0x3`, with the call that destroyed it where it does not live
 * any more. */
static void write_target(struct string_builder *to, const struct call *call, struct descriptor d)
{
    const enum descriptor_tag tag = (enum descriptor_tag)d.tag;
    const uint64_t target =
        tag == DESCRIPTOR_NOTHING || tag == DESCRIPTOR_SAMPLER ? 0 : descriptor_target(d);
    uint64_t below[REACH_DEPTH];
    if (!target) {
        string_builder_add(to, tag == DESCRIPTOR_SAMPLER ? "a sampler" : "nothing");
        return;
    }
    object_text_write_id(to, call, target);
    if (reach_dependencies(target, below) && object_id_type(below[0]) != HANDLE_DEVICE_MEMORY) {
        string_builder_add(to, " of ");
        object_text_write_id(to, call, below[0]);
    }
}

static void write_descriptor(struct string_builder *to, const struct gpu_message *message)
{
    const struct descriptor_set *set = find_set(message, gpu_message_word(message, 0));
    const uint32_t index = gpu_message_word(message, 2);
    if (!set)
        return;
    string_builder_add(to, " What ");
    object_text_write(to, &message->call, HANDLE_DESCRIPTOR_SET, object_state_handle(&set->base));
    const struct descriptor_binding *binding =
        descriptor_layout_find(set->layout, gpu_message_word(message, 1));
    const bool there = binding && index < binding->count &&
                       binding->first + index < set->descriptor_count &&
                       binding->type != VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
    string_builder_add(to, " has there is ");
    if (there)
        write_target(to, &message->call,
                     descriptor_load(&set->descriptors[binding->first + index]));
    string_builder_add(to, there ? "." : "nothing.");
}

/* Element `i` of the parameters. */
static void write_parameters(struct string_builder *to, const struct gpu_message *message,
                             uint32_t i)
{
    const struct gpu_action *action = &message->found->origin.action;
    if (!message->found->origin.found || !action->indirect_buffer)
        return;
    string_builder_add(to, " It lies in ");
    object_text_write_id(to, &message->call, action->indirect_buffer);
    string_builder_format(to, ", at byte %" PRIu64,
                          action->indirect_offset + (uint64_t)i * action->indirect_stride);
    if (action->indirect_stride)
        string_builder_format(to, " (offset %" PRIu64 ", stride %u)", action->indirect_offset,
                              action->indirect_stride);
    string_builder_add(to, ".");
}

/* True if the error of this rule has an address of the command's parameters in its words 2 and 3.
 */
static bool tells_address(uint32_t rule)
{
    return (rule >= BUFFER_RULE_TRACE2_RAYGEN && rule <= BUFFER_RULE_TRACE2_CALLABLE) ||
           rule == BUFFER_RULE_COPY_SRC || rule == BUFFER_RULE_COPY_DST ||
           rule == BUFFER_RULE_COPY_IMAGE_SRC || rule == BUFFER_RULE_COPY_IMAGE_TEXEL ||
           rule >= BUFFER_RULE_COPY_SRC_RANGE;
}

/* Words `i` and `i + 1` are a device address. */
static void write_address(struct string_builder *to, const struct gpu_message *message, uint32_t i)
{
    const VkDeviceAddress address =
        gpu_message_word(message, i) | (VkDeviceAddress)gpu_message_word(message, i + 1) << 32;
    const struct address_search found = device_address_find(message->call.device, address, 1, 0);
    if (found.match != ADDRESS_FOUND)
        return;
    string_builder_format(to, " The address is byte %" PRIu64 " of ",
                          found.buffer->size - found.rest);
    object_text_write_id(to, &message->call, object_state_id(&found.buffer->base));
    string_builder_format(to, ", which has %" PRIu64 " bytes.", found.buffer->size);
}

static void write_command(struct string_builder *to, const struct gpu_message *message)
{
    const uint32_t rule = gpu_message_word(message, 0) & 0xff;
    if (rule < BUFFER_RULES_OF_LIMITS || rule >= BUFFER_RULE_COPY_SRC_RANGE)
        write_parameters(to, message, gpu_message_word(message, 1));
    if (tells_address(rule))
        write_address(to, message, 2);
}

void gpu_message_names(const struct gpu_message *message, struct string_builder *to)
{
    switch (message->words[RECORD_ERROR]) {
    case ERROR_DESCRIPTOR_INDEX:
    case ERROR_DESCRIPTOR_UNINITIALIZED:
    case ERROR_DESCRIPTOR_DESTROYED:
    case ERROR_DESCRIPTOR_CLASS:
    case ERROR_STORAGE_BUFFER_RANGE:
    case ERROR_STORAGE_BUFFER_ELEMENT:
    case ERROR_UNIFORM_BUFFER_RANGE:
    case ERROR_TEXEL_BUFFER_RANGE:
        write_descriptor(to, message);
        break;
    case ERROR_COMMAND:
        write_command(to, message);
        break;
    case ERROR_ADDRESS_RANGE:
    case ERROR_ADDRESS_ALIGNMENT:
        write_address(to, message, 0);
        break;
    default:
        break;
    }
}
