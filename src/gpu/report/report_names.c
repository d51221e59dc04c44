/* Names the descriptor, the buffer with parameters, or the owner of a device address for a finding
 * of the GPU. They are looked up when the finding is reported. */
#include "gpu/report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <spirv/unified1/spirv.h>

#include "gpu/device/areas.h"
#include "gpu/shaders/buffers.h"
#include "gpu/command/tables.h"
#include "objects/device.h"
#include "report/names/object_text.h"
#include "state/descriptor/descriptor_access.h"
#include "state/memory/device_address.h"
#include "state/pipeline/pipeline.h"
#include "state/object/reach.h"

/* The state of a search for the set whose table has this address. */
struct table_search {
    VkDeviceAddress table;
    const struct descriptor_set *set; /* NULL: not found so far */
};

/* Compares the table of one descriptor set. Called for each object of the device; `context` is the
 * search. */
static void look_for_table(struct object *object, void *context)
{
    struct table_search *search = context;
    const struct descriptor_set *set =
        object_type(object) == HANDLE_DESCRIPTOR_SET ? object_load_state(object) : NULL;
    if (set && gpu_table_address(set) == search->table)
        search->set = set;
}

/* Returns the set that was bound to this number. NULL: it is not known, or was destroyed, or its
 * table has changed. */
static const struct descriptor_set *find_set(const struct gpu_message *message, uint32_t number)
{
    struct table_search search = {
        .table = number < ORIGIN_TABLES ? message->found->origin.tables[number] : 0};
    if (message->found->origin.found && search.table)
        object_for_each_owned(message->call.device->owner, look_for_table, &search);
    return search.set;
}

/* Writes a descriptor's object: `VkImageView 0x2 "albedo" of VkImage 0x3`, with the call that
 * destroyed it if it no longer exists. */
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

/* Returns the contents of this descriptor of the set; DESCRIPTOR_NOTHING if there is none. */
static struct descriptor element_of(const struct gpu_message *message,
                                    const struct descriptor_set *set)
{
    const uint32_t index = gpu_message_word(message, 2);
    const struct descriptor_binding *binding =
        descriptor_layout_find(set->layout, gpu_message_word(message, 1));
    if (binding && index < binding->count && binding->first + index < set->descriptor_count &&
        binding->type != VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK)
        return descriptor_load(&set->descriptors[binding->first + index]);
    return (struct descriptor){.tag = DESCRIPTOR_NOTHING};
}

uint32_t gpu_message_set(const struct gpu_message *message)
{
    const uint32_t word = gpu_message_word(message, 0);
    /* This error has other data in the same word, above five bits for the set. */
    return message->words[RECORD_ERROR] == ERROR_STORAGE_BUFFER_ELEMENT ? word & 31u : word;
}

/* Writes a sentence about the set's present contents at the descriptor; nothing if the set is not
 * known. */
static void write_descriptor(struct string_builder *to, const struct gpu_message *message)
{
    const struct descriptor_set *set = find_set(message, gpu_message_set(message));
    if (!set)
        return;
    string_builder_add(to, " What ");
    object_text_write(to, &message->call, HANDLE_DESCRIPTOR_SET, object_state_handle(&set->base));
    string_builder_add(to, " has there is ");
    write_target(to, &message->call, element_of(message, set));
    string_builder_add(to, ".");
}

/* Finds the pushed descriptor. Returns false if it is not known. */
static bool find_pushed(const struct gpu_message *message, struct descriptor *descriptor)
{
    const uint32_t number = gpu_message_set(message), index = gpu_message_word(message, 2);
    struct gpu_device *gpu = gpu_in_device(message->call.device)->gpu;
    const struct gpu_origin *origin = &message->found->origin;
    const struct pipeline *pipeline = pipeline_by_id(origin->action.pipeline);
    const struct pipeline_layout *layout = pipeline ? pipeline->layout : NULL;
    const struct descriptor_layout *pushed =
        layout && number < layout->set_count ? layout->sets[number] : NULL;
    const struct descriptor_binding *binding =
        pushed ? descriptor_layout_find(pushed, gpu_message_word(message, 1)) : NULL;
    if (!binding || index >= binding->count || number >= ORIGIN_TABLES || !origin->found ||
        !origin->tables[number])
        return false;
    /* Command buffers that are freed give their memory back under this lock. */
    lock_take(&gpu->drain_lock);
    const bool known = gpu_table_pushed(gpu, message->words[RECORD_RECORDING],
                                        origin->tables[number], binding->first + index, descriptor);
    lock_release(&gpu->drain_lock);
    return known;
}

void gpu_message_descriptor(const struct gpu_message *message, struct string_builder *to)
{
    const struct descriptor_set *set = find_set(message, gpu_message_set(message));
    struct descriptor descriptor;
    if (set) {
        write_target(to, &message->call, element_of(message, set));
        string_builder_add(to, ", in ");
        object_text_write(to, &message->call, HANDLE_DESCRIPTOR_SET,
                          object_state_handle(&set->base));
    } else if (find_pushed(message, &descriptor)) {
        string_builder_add(to, "pushed: ");
        write_target(to, &message->call, descriptor);
    }
}

VkDeviceSize gpu_message_bound_bytes(const struct gpu_message *message)
{
    const struct descriptor_set *set = find_set(message, gpu_message_set(message));
    struct descriptor descriptor = {.tag = DESCRIPTOR_NOTHING};
    if (set)
        descriptor = element_of(message, set);
    else if (!find_pushed(message, &descriptor))
        return 0;
    if (descriptor.tag != DESCRIPTOR_STORAGE_BUFFER &&
        descriptor.tag != DESCRIPTOR_STORAGE_BUFFER_DYNAMIC)
        return 0;
    const struct buffer *buffer = buffer_by_id(descriptor_buffer_id(descriptor));
    const VkDeviceSize range = descriptor_buffer_range(descriptor);
    VkDeviceSize offset;
    if (range != VK_WHOLE_SIZE)
        return range;
    return buffer && descriptor_buffer_offset(descriptor, &offset) && offset < buffer->size
               ? buffer->size - offset
               : 0;
}

/* Writes the buffer and the offset of element `i` of the parameters; nothing if that is not
 * known. */
static void write_parameters(struct string_builder *to, const struct gpu_message *message,
                             uint32_t i)
{
    const struct gpu_action *action = &message->found->origin.action;
    if (!message->found->origin.found || !action->indirect_buffer)
        return;
    object_text_write_id(to, &message->call, action->indirect_buffer);
    string_builder_format(to, ", at byte %" PRIu64,
                          action->indirect_offset + (uint64_t)i * action->indirect_stride);
    if (action->indirect_stride)
        string_builder_format(to, " (offset %" PRIu64 ", stride %u)", action->indirect_offset,
                              action->indirect_stride);
}

/* True if an error of this rule has an address of the command's parameters in its words 2 and 3. */
static bool tells_address(uint32_t rule)
{
    return (rule >= BUFFER_RULE_TRACE2_RAYGEN && rule <= BUFFER_RULE_TRACE2_CALLABLE) ||
           rule == BUFFER_RULE_COPY_SRC || rule == BUFFER_RULE_COPY_DST ||
           rule == BUFFER_RULE_COPY_IMAGE_SRC || rule == BUFFER_RULE_COPY_IMAGE_TEXEL ||
           rule >= BUFFER_RULE_COPY_SRC_RANGE;
}

/* True if the error has a device address, which is `*address`. */
static bool find_address(const struct gpu_message *message, VkDeviceAddress *address)
{
    const uint32_t error = message->words[RECORD_ERROR], first = error == ERROR_COMMAND ? 2 : 0;
    *address = gpu_message_word(message, first) |
               (VkDeviceAddress)gpu_message_word(message, first + 1) << 32;
    return error == ERROR_ADDRESS_RANGE || error == ERROR_ADDRESS_ALIGNMENT ||
           (error == ERROR_COMMAND && tells_address(gpu_message_word(message, 0) & 0xff));
}

/* Writes the owner of an address: "byte 16 of VkBuffer 0x1, which has 256 bytes", or "in VkBuffer
 * 0x1, which was destroyed by ...". Writes nothing if it is not known. */
static void write_owner(struct string_builder *to, const struct gpu_message *message,
                        VkDeviceAddress address)
{
    const struct address_search found = device_address_find(message->call.device, address, 1, 0);
    const uint64_t gone = found.match == ADDRESS_NOWHERE
                              ? device_address_find_destroyed(message->call.device, address)
                              : 0;
    if (gone) {
        string_builder_add(to, "in ");
        object_text_write_id(to, &message->call, gone);
    } else if (found.match == ADDRESS_FOUND) {
        string_builder_format(to, "byte %" PRIu64 " of ", found.buffer->size - found.rest);
        object_text_write_id(to, &message->call, object_state_id(&found.buffer->base));
        string_builder_format(to, ", which has %" PRIu64 " bytes", found.buffer->size);
    }
}

void gpu_message_address(const struct gpu_message *message, struct string_builder *to)
{
    VkDeviceAddress address;
    if (find_address(message, &address))
        write_owner(to, message, address);
}

/* True if the error is about parameters in a buffer; their element is in word 1. */
static bool has_parameters(const struct gpu_message *message)
{
    const uint32_t rule = gpu_message_word(message, 0) & 0xff;
    return message->words[RECORD_ERROR] == ERROR_COMMAND &&
           (rule < BUFFER_RULES_OF_LIMITS || rule >= BUFFER_RULE_COPY_SRC_RANGE);
}

void gpu_message_parameters(const struct gpu_message *message, struct string_builder *to)
{
    if (has_parameters(message))
        write_parameters(to, message, gpu_message_word(message, 1));
}

/* Writes a sentence that begins with `begin`; nothing if `write` writes nothing. */
static void names_write_sentence(struct string_builder *to, const struct gpu_message *message,
                                 const char *begin,
                                 void (*write)(const struct gpu_message *, struct string_builder *))
{
    char buffer[256];
    struct string_builder words;
    string_builder_begin(&words, buffer, sizeof(buffer));
    write(message, &words);
    if (words.length)
        string_builder_format(to, "%s%s.", begin, words.text);
    string_builder_end(&words);
}

bool gpu_message_has_descriptor(const struct gpu_message *message)
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
        return true;
    default:
        return false;
    }
}

void gpu_message_names(const struct gpu_message *message, struct string_builder *to)
{
    if (gpu_message_has_descriptor(message))
        write_descriptor(to, message);
    names_write_sentence(to, message, " It lies in ", gpu_message_parameters);
    names_write_sentence(to, message, " The address is ", gpu_message_address);
}

/* Returns the variable with both decorations; 0: there is none. */
static uint32_t find_variable(const struct spirv_module *module, uint32_t set, uint32_t binding)
{
    uint32_t last = 0;
    /* Compilers put a variable's decorations next to each other; otherwise it gets no name here. */
    for (uint32_t i = 0; i < module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        const uint32_t *words = spirv_words(module, instruction);
        if (instruction->opcode != SpvOpDecorate || instruction->length != 4)
            continue;
        bool is_set = words[2] == SpvDecorationDescriptorSet && words[3] == set;
        bool is_binding = words[2] == SpvDecorationBinding && words[3] == binding;
        if ((is_set || is_binding) && last == words[1])
            return last;
        if (is_set || is_binding)
            last = words[1];
    }
    return 0;
}

const char *gpu_message_variable(const struct gpu_message *message, uint32_t set, uint32_t binding,
                                 char *to)
{
    const struct spirv_module *module = &message->module;
    uint32_t variable = find_variable(module, set, binding);
    int length = snprintf(to, GPU_NAME_SIZE, "set %u, binding %u", set, binding);
    for (uint32_t i = 0; variable && i < module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        const uint32_t *words = spirv_words(module, instruction);
        if (instruction->opcode != SpvOpName || instruction->length < 3 || words[1] != variable)
            continue;
        const char *name = (const char *)&words[2];
        int size = (int)strnlen(name, (instruction->length - 2u) * sizeof(uint32_t));
        if (size)
            snprintf(to + length, GPU_NAME_SIZE - (size_t)length, " \"%.*s\"",
                     size > 120 ? 120 : size, name);
        break;
    }
    return to;
}
