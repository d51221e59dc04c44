/* Dumps the structures in memory that indirect copies and device-generated commands read. They are
 * read from memory that the program has mapped, when the command is recorded: later writes are not
 * seen. */
#include "gpu/dump/dump_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gpu/dump/dump_notes.h"
#include "report/names/names_of_values.h"
#include "report/names/structures.h"
#include "state/pipeline/execution_set.h"
#include "vk/index_type.h"

/* Bytes of the largest structure that is read, and the most bytes of constants that are shown. */
#define STRUCTURE_BYTES_MOST 256u
#define CONSTANTS_MOST       64u

/* --- addresses among a command's parameters --- */

/* Writes an address that is a parameter of the command. Clears `first`, as the next parameter needs
 * a comma before it in JSON. */
static void write_parameter(struct dump *dump, const char *name, VkDeviceAddress address,
                            const struct dump_wanted *wanted, bool *first)
{
    string_builder_format(&dump->text, "%s%s:", dump->text.length ? "\n" : "", name);
    string_builder_format(&dump->json, "%s{\"name\":\"%s\"", *first ? "" : ",", name);
    *first = false;
    dump_address(dump, address, wanted);
    dump_marks_end(dump);
    string_builder_add(&dump->json, "}");
}

/* --- structures --- */

/* Returns the member of `size` bytes, at most 8, as a number; this machine stores the low byte
 * first. */
static uint64_t number_at(const unsigned char *bytes, size_t offset, size_t size)
{
    uint64_t number = 0;
    memcpy(&number, bytes + offset, size);
    return number;
}

/* Returns the requirements on the structure's member `name`, an address. */
static struct dump_wanted wanted_of(const struct dump *dump, enum structure structure,
                                    const unsigned char *bytes, const char *name)
{
    const VkDeviceSize groups =
        dump->device->extended.RayTracingPipelinePropertiesKHR.shaderGroupBaseAlignment;
    struct dump_wanted wanted = {.alignment = 4};
    VkCopyMemoryIndirectCommandKHR copy;
    VkBindVertexBufferIndirectCommandEXT vertices;
    VkBindIndexBufferIndirectCommandEXT indices;
    VkDrawIndirectCountIndirectCommandEXT draws;
    switch ((int)structure) {
    case STRUCTURE_VkCopyMemoryIndirectCommandKHR:
        memcpy(&copy, bytes, sizeof(copy));
        wanted.size = copy.size;
        wanted.usage = strcmp(name, "srcAddress") == 0 ? VK_BUFFER_USAGE_2_TRANSFER_SRC_BIT
                                                       : VK_BUFFER_USAGE_2_TRANSFER_DST_BIT;
        break;
    case STRUCTURE_VkCopyMemoryToImageIndirectCommandKHR:
        wanted.size = 1;
        wanted.usage = VK_BUFFER_USAGE_2_TRANSFER_SRC_BIT;
        break;
    case STRUCTURE_VkBindVertexBufferIndirectCommandEXT:
        memcpy(&vertices, bytes, sizeof(vertices));
        wanted = (struct dump_wanted){.size = vertices.size,
                                      .usage = VK_BUFFER_USAGE_2_VERTEX_BUFFER_BIT,
                                      .may_be_null = true};
        break;
    case STRUCTURE_VkBindIndexBufferIndirectCommandEXT:
        memcpy(&indices, bytes, sizeof(indices));
        wanted = (struct dump_wanted){
            .size = indices.size,
            .usage = VK_BUFFER_USAGE_2_INDEX_BUFFER_BIT,
            /* the least alignment of all index types if the type is not known */
            .alignment = index_size(indices.indexType) ? index_size(indices.indexType) : 1,
            .may_be_null = true};
        break;
    case STRUCTURE_VkDrawIndirectCountIndirectCommandEXT:
        memcpy(&draws, bytes, sizeof(draws));
        wanted.size = (VkDeviceSize)draws.stride * draws.commandCount;
        wanted.usage = VK_BUFFER_USAGE_2_INDIRECT_BUFFER_BIT;
        break;
    default: /* other addresses are shader binding tables */
        wanted = (struct dump_wanted){.usage = VK_BUFFER_USAGE_2_SHADER_BINDING_TABLE_BIT_KHR,
                                      .alignment = groups,
                                      .alignment_of = "shaderGroupBaseAlignment",
                                      .may_be_null = strncmp(name, "raygen", 6) != 0};
        break;
    }
    return wanted;
}

/* Writes all members but addresses: "size = 64, imageOffset.x = 0". `prefix` is the name of the
 * member that has the structure. */
static void write_values(struct dump *dump, enum structure structure, const unsigned char *bytes,
                         const char *prefix, bool *first)
{
    const struct structure_info *info = &structure_info[structure];
    for (uint32_t i = 0; i < info->count; i++) {
        const struct member_info *member = &structure_members[info->first + i];
        char name[64], value[128];
        (void)snprintf(name, sizeof(name), "%s%s", prefix, member_name(member));
        if (member->kind == MEMBER_STRUCTURE) {
            (void)snprintf(name, sizeof(name), "%s.", member_name(member));
            write_values(dump, (enum structure)member->type, bytes + member->offset, name, first);
        }
        if (member->kind == MEMBER_STRUCTURE ||
            /* Addresses are written on lines of their own. */
            (member->kind == MEMBER_BITS && member->type == sizeof(uint64_t)))
            continue;
        struct string_builder written;
        string_builder_begin(&written, value, sizeof(value));
        member_write(&written, member, bytes);
        string_builder_format(&dump->text, "%s %s = %s", *first ? ":" : ",", name, written.text);
        string_builder_format(&dump->json, "%s{\"name\":\"%s\"", *first ? ",\"values\":[" : ",",
                              name);
        dump_json_text(dump, "value", written.text);
        string_builder_add(&dump->json, "}");
        string_builder_end(&written);
        *first = false;
    }
}

/* Writes the addresses among the members of a structure. */
static void write_addresses(struct dump *dump, enum structure structure, const unsigned char *bytes)
{
    const struct structure_info *info = &structure_info[structure];
    bool first = true;
    for (uint32_t i = 0; i < info->count; i++) {
        const struct member_info *member = &structure_members[info->first + i];
        if (member->kind != MEMBER_BITS || member->type != sizeof(uint64_t))
            continue;
        const struct dump_wanted wanted = wanted_of(dump, structure, bytes, member_name(member));
        string_builder_format(&dump->text, "\n    %s:", member_name(member));
        string_builder_format(&dump->json, "%s{\"name\":\"%s\"", first ? ",\"addresses\":[" : ",",
                              member_name(member));
        first = false;
        dump_address(dump, number_at(bytes, member->offset, sizeof(uint64_t)), &wanted);
        dump_marks_end(dump);
        string_builder_add(&dump->json, "}");
    }
    if (!first)
        string_builder_add(&dump->json, "]");
}

/* Writes the values and addresses of a structure that an indirect command reads. */
static void write_structure(struct dump *dump, enum structure structure, const unsigned char *bytes)
{
    bool first = true;
    string_builder_format(&dump->text, ", %s", structure_name(structure));
    string_builder_format(&dump->json, ",\"structure\":\"%s\"", structure_name(structure));
    write_values(dump, structure, bytes, "", &first);
    if (!first)
        string_builder_add(&dump->json, "]");
    write_addresses(dump, structure, bytes);
    if (structure == STRUCTURE_VkCopyMemoryIndirectCommandKHR) {
        VkCopyMemoryIndirectCommandKHR copy;
        memcpy(&copy, bytes, sizeof(copy));
        if (copy.size % 4)
            dump_mark(dump, "misaligned: size is not a multiple of 4");
    }
    dump_marks_end(dump);
}

/* --- structures that are not shown --- */

/* Says that the structures could not be read. The dump still shows the addresses. */
static void write_unread(struct dump *dump)
{
    static const char text[] = "what lies there is not read, as its memory is not mapped";
    string_builder_format(&dump->text, "\n%s", text);
    dump_json_text(dump, "unread", text);
}

/* Says how many elements beyond DUMP_ELEMENTS_MOST are not listed; `what` is their plural. */
static void dump_write_more(struct dump *dump, uint32_t all, const char *what)
{
    if (all > DUMP_ELEMENTS_MOST)
        string_builder_format(&dump->text, "\nand %u more %s", all - DUMP_ELEMENTS_MOST, what);
}

/* --- copies --- */

void dump_copies(struct dump *dump, const VkStridedDeviceAddressRangeKHR *range, uint32_t count,
                 bool to_image)
{
    const enum structure structure = to_image ? STRUCTURE_VkCopyMemoryToImageIndirectCommandKHR
                                              : STRUCTURE_VkCopyMemoryIndirectCommandKHR;
    const size_t size = structure_info[structure].size;
    /* Without a size it is a command of NV, which requires no usage. */
    const struct dump_wanted wanted = {.size = count ? range->stride * (count - 1) + size : 0,
                                       .usage =
                                           range->size ? VK_BUFFER_USAGE_2_INDIRECT_BUFFER_BIT : 0,
                                       .alignment = 4};
    unsigned char bytes[STRUCTURE_BYTES_MOST];
    bool first = true, read = true;
    assert(size <= sizeof(bytes));
    string_builder_format(&dump->json,
                          ",\"indirect\":{\"count\":%u,\"stride\":%" PRIu64 ",\"parameters\":[",
                          count, range->stride);
    write_parameter(dump, range->size ? "copyAddressRange" : "copyBufferAddress", range->address,
                    &wanted, &first);
    string_builder_add(&dump->json, "],\"structures\":[");
    string_builder_format(&dump->text, "\n%u structure%s, one each %" PRIu64 " bytes", count,
                          count == 1 ? "" : "s", range->stride);
    for (uint32_t i = 0; i < count && i < DUMP_ELEMENTS_MOST && read; i++) {
        read = dump_read(dump, range->address + i * range->stride, bytes, size);
        if (!read)
            break;
        string_builder_format(&dump->text, "\ncopy %u", i);
        string_builder_format(&dump->json, "%s{\"index\":%u", i ? "," : "", i);
        write_structure(dump, structure, bytes);
        string_builder_add(&dump->json, "}");
    }
    string_builder_add(&dump->json, "]");
    if (!read)
        write_unread(dump);
    else
        dump_write_more(dump, count, "copies");
    if (range->stride % 4 || range->stride < size)
        dump_mark(dump,
                  "misaligned: the stride is not a multiple of 4 that has room for the %zu bytes "
                  "of a structure",
                  size);
    if (range->size && range->stride && count > range->size / range->stride)
        dump_mark(dump, "out of bounds: copyAddressRange has room for %" PRIu64 " structures",
                  range->size / range->stride);
    dump_marks_end(dump);
    string_builder_add(&dump->json, "}");
}

/* --- generated commands --- */

/* Returns the structure that a token reads; STRUCTURE_COUNT: it reads plain numbers. */
static enum structure structure_of(VkIndirectCommandsTokenTypeEXT type)
{
    switch ((int64_t)type) {
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_INDEX_BUFFER_EXT:
        return STRUCTURE_VkBindIndexBufferIndirectCommandEXT;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_VERTEX_BUFFER_EXT:
        return STRUCTURE_VkBindVertexBufferIndirectCommandEXT;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_INDEXED_EXT:
        return STRUCTURE_VkDrawIndexedIndirectCommand;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_EXT:
        return STRUCTURE_VkDrawIndirectCommand;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_EXT:
        return STRUCTURE_VkDispatchIndirectCommand;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_EXT:
        return STRUCTURE_VkDrawMeshTasksIndirectCommandEXT;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_NV_EXT:
        return STRUCTURE_VkDrawMeshTasksIndirectCommandNV;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_INDEXED_COUNT_EXT:
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_COUNT_EXT:
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_COUNT_EXT:
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_COUNT_NV_EXT:
        return STRUCTURE_VkDrawIndirectCountIndirectCommandEXT;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_TRACE_RAYS2_EXT:
        return STRUCTURE_VkTraceRaysIndirectCommand2KHR;
    default:
        return STRUCTURE_COUNT;
    }
}

/* Returns how many bytes of a sequence a token reads. For execution sets of shader objects, the
 * number of stages decides. */
static size_t token_size(const struct dump_token *token)
{
    const enum structure structure = structure_of(token->type);
    if (structure != STRUCTURE_COUNT)
        return structure_info[structure].size;
    return token->type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_EXECUTION_SET_EXT ? sizeof(uint32_t)
                                                                            : token->size;
}

/* Writes constants, such as "from byte 0 on 0x00000001 0x00000002". */
static void write_constants(struct dump *dump, const struct dump_token *token,
                            const unsigned char *bytes, size_t size)
{
    char text[CONSTANTS_MOST / 4 * 11 + 8];
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i + 4 <= size; i += 4)
        length += (size_t)snprintf(text + length, sizeof(text) - length, "%s0x%08x", i ? " " : "",
                                   (unsigned)number_at(bytes, i, 4));
    if (size < token->size)
        (void)snprintf(text + length, sizeof(text) - length, " ...");
    string_builder_format(&dump->text, ": from byte %u on %s", token->first, text);
    string_builder_format(&dump->json, ",\"values\":[{\"name\":\"from byte %u on\"", token->first);
    dump_json_text(dump, "value", text);
    string_builder_add(&dump->json, "}]");
}

/* Writes indices into the execution set. There is one for the pipeline, or one for each stage, of
 * which only the first is shown. */
static void write_execution_index(struct dump *dump, const unsigned char *bytes,
                                  const struct execution_set *set)
{
    const uint32_t index = (uint32_t)number_at(bytes, 0, 4);
    string_builder_format(&dump->text, ": index = %u", index);
    string_builder_format(&dump->json, ",\"values\":[{\"name\":\"index\",\"value\":\"%u\"}]",
                          index);
    if (set && index >= set->count)
        dump_mark(dump, "out of bounds: the execution set has %u elements", set->count);
    dump_marks_end(dump);
}

/* Writes the part of a sequence that one token reads. Returns false if that memory is not
 * mapped. */
static bool write_token(struct dump *dump, const struct dump_token *token, VkDeviceAddress sequence,
                        uint32_t number, const struct execution_set *set, bool *first)
{
    const enum structure structure = structure_of(token->type);
    const size_t all = token_size(token), size = all < STRUCTURE_BYTES_MOST ? all : CONSTANTS_MOST;
    const struct value_text type = value_text(VALUES_VkIndirectCommandsTokenTypeEXT, token->type);
    const bool placeholder =
        token->type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_SEQUENCE_INDEX_EXT ||
        token->type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_DATA_SEQUENCE_INDEX_EXT;
    unsigned char bytes[STRUCTURE_BYTES_MOST] = {0};
    if (placeholder) /* the bytes of a placeholder token are not read */
        return true;
    if (!dump_read(dump, sequence + token->offset, bytes, size))
        return false;
    string_builder_format(&dump->text, "\nsequence %u, byte %u, %s", number, token->offset,
                          type.text);
    string_builder_format(&dump->json, "%s{\"index\":%u,\"offset\":%u,\"token\":\"%s\"",
                          *first ? "" : ",", number, token->offset, type.text);
    *first = false;
    if (structure != STRUCTURE_COUNT)
        write_structure(dump, structure, bytes);
    else if (token->type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_EXECUTION_SET_EXT)
        write_execution_index(dump, bytes, set);
    else
        write_constants(dump, token, bytes, size < CONSTANTS_MOST ? size : CONSTANTS_MOST);
    string_builder_add(&dump->json, "}");
    return true;
}

/* Returns the number of sequences. If the count is in memory that is not mapped, `known` is false,
 * and the result is the largest allowed count. */
static uint32_t sequences_of(const struct dump *dump, const VkGeneratedCommandsInfoEXT *info,
                             bool *known)
{
    uint32_t count = info->maxSequenceCount;
    *known = !info->sequenceCountAddress ||
             dump_read(dump, info->sequenceCountAddress, &count, sizeof(count));
    return count < info->maxSequenceCount ? count : info->maxSequenceCount;
}

/* Writes the sequences of generated commands, up to the first that cannot be read. */
static void write_sequences(struct dump *dump, const VkGeneratedCommandsInfoEXT *info,
                            const struct dump_commands_layout *layout, uint32_t count)
{
    const struct object *object = call_find(dump->call, (uint64_t)info->indirectExecutionSet,
                                            HANDLE_INDIRECT_EXECUTION_SET_EXT);
    const struct execution_set *set =
        object_load_state_typed(object, HANDLE_INDIRECT_EXECUTION_SET_EXT);
    bool first = true, read = true;
    string_builder_add(&dump->json, ",\"structures\":[");
    for (uint32_t i = 0; i < count && i < DUMP_ELEMENTS_MOST && read; i++) {
        const VkDeviceAddress sequence = info->indirectAddress + (VkDeviceSize)i * layout->stride;
        for (uint32_t k = 0; k < layout->count && read; k++)
            read = write_token(dump, &layout->tokens[k], sequence, i, set, &first);
    }
    string_builder_add(&dump->json, "]");
    if (!read)
        write_unread(dump);
    else
        dump_write_more(dump, count, "sequences");
}

/* Returns the bytes from the first sequence's first byte to the end of the last sequence's last
 * token. */
static VkDeviceSize bytes_of(const struct dump_commands_layout *layout, uint32_t count)
{
    VkDeviceSize last = 0;
    for (uint32_t i = 0; i < layout->count; i++) {
        const VkDeviceSize end =
            (VkDeviceSize)layout->tokens[i].offset + token_size(&layout->tokens[i]);
        last = end > last ? end : last;
    }
    return (VkDeviceSize)layout->stride * (count - 1) + last;
}

void dump_generated(struct dump *dump, const VkGeneratedCommandsInfoEXT *info)
{
    const struct object *object = call_find(dump->call, (uint64_t)info->indirectCommandsLayout,
                                            HANDLE_INDIRECT_COMMANDS_LAYOUT_EXT);
    const struct dump_commands_layout *layout =
        object ? dump_commands_layout_find(dump->device,
                                           atomic_load_explicit(&object->id, memory_order_relaxed))
               : NULL;
    bool first = true, known;
    const uint32_t count = sequences_of(dump, info, &known), stride = layout ? layout->stride : 0;
    const struct dump_wanted indirect = {.size = info->indirectAddressSize,
                                         .usage = VK_BUFFER_USAGE_2_INDIRECT_BUFFER_BIT,
                                         .alignment = 4};
    const struct dump_wanted preprocess = {.size = info->preprocessSize,
                                           .usage = VK_BUFFER_USAGE_2_PREPROCESS_BUFFER_BIT_EXT,
                                           .may_be_null = true};
    const struct dump_wanted counter = {
        .size = sizeof(uint32_t), .usage = VK_BUFFER_USAGE_2_INDIRECT_BUFFER_BIT, .alignment = 4};
    string_builder_format(&dump->json, ",\"indirect\":{\"count\":%u,\"stride\":%u,\"parameters\":[",
                          count, stride);
    write_parameter(dump, "indirectAddress", info->indirectAddress, &indirect, &first);
    write_parameter(dump, "preprocessAddress", info->preprocessAddress, &preprocess, &first);
    /* Address 0: the count is maxSequenceCount itself, and is not read from memory. */
    if (info->sequenceCountAddress)
        write_parameter(dump, "sequenceCountAddress", info->sequenceCountAddress, &counter, &first);
    string_builder_add(&dump->json, "]");
    string_builder_format(&dump->text, "\n%s%u sequence%s, one each %u bytes",
                          known ? "" : "at most ", count, count == 1 ? "" : "s", stride);
    if (layout)
        write_sequences(dump, info, layout, count);
    else
        dump_mark(dump, "no such object: the layout of the commands is not there");
    if (layout && count && known && bytes_of(layout, count) > info->indirectAddressSize)
        dump_mark(dump,
                  "out of bounds: the sequences take %" PRIu64
                  " bytes, and indirectAddressSize is %" PRIu64,
                  bytes_of(layout, count), info->indirectAddressSize);
    dump_marks_end(dump);
    string_builder_add(&dump->json, "}");
}
