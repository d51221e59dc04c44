/* Dumps the device addresses that a command's shaders get as push constants, and the buffers there.
 * Members that are physical pointers are certainly addresses. Members of 64 bits, and pairs of 32
 * bits, count as addresses if an existing buffer has them. */
#include "gpu/device/areas.h"
#include "gpu/dump/dump_text.h"

#include <inttypes.h>
#include <string.h>

#include <spirv/unified1/spirv.h>

#include "gpu/dump/dump_notes.h"
#include "spirv/module/reflect.h"

/* The most members that are listed, of all stages together. */
#define MEMBERS_MOST 32u
/* The most levels of nested structures and arrays that are followed. */
#define DEPTH_MOST 4u

/* The state of a walk through the push constants, stage by stage. */
struct walk {
    struct dump *dump;
    const struct spirv_reflection *code; /* of the current stage */
    const struct dump_push *pushed;      /* constants that the command buffer has pushed */
    const char *name;                    /* name of the block's current member */
    uint32_t count;                      /* number of `offsets` */
    /* offsets that were listed; stages share their push constants */
    uint32_t offsets[MEMBERS_MOST];
};

/* Returns the type with this index. NULL: there is none, for instance for an entry point without
 * push constants. */
static const struct spirv_type *type_at(const struct spirv_reflection *code, uint32_t index)
{
    return index < code->type_count ? &code->types[index] : NULL;
}

/* Returns the size of the largest scalar in the type, which its address must be a multiple of
 * ("Validation Rules within a Module"); 0: not known. */
static uint32_t scalar_alignment(const struct spirv_reflection *code, const struct spirv_type *type,
                                 uint32_t depth)
{
    uint32_t largest = 0;
    if (!type || depth > DEPTH_MOST)
        return 0;
    switch (type->opcode) {
    case SpvOpTypeStruct:
        for (uint32_t i = 0; i < type->member_count; i++) {
            const uint32_t inner =
                scalar_alignment(code, type_at(code, code->members[type->first_member + i].type),
                                 depth + 1);
            largest = inner > largest ? inner : largest;
        }
        return largest;
    case SpvOpTypeArray:
    case SpvOpTypeRuntimeArray:
        return scalar_alignment(code, type_at(code, type->element), depth + 1);
    case SpvOpTypePointer:
        return type->size;
    default:
        return type->width / 8u;
    }
}

/* True if an earlier stage has listed the address at this byte. */
static bool addresses_list(const struct walk *walk, uint32_t offset)
{
    for (uint32_t i = 0; i < walk->count; i++) {
        if (walk->offsets[i] == offset)
            return true;
    }
    return false;
}

/* Writes the address at a byte of the push constants. `certain`: the type is an address; otherwise
 * it is written only if a buffer has it. */
static void write_value(struct walk *walk, uint32_t offset, const struct spirv_type *pointee,
                        bool certain)
{
    struct dump *dump = walk->dump;
    VkDeviceAddress address = 0;
    bool known = offset + sizeof(address) <= DUMP_PUSH_MOST;
    for (size_t i = 0; i < sizeof(address) && known; i++)
        /* Each byte may have been pushed by another command, or never. */
        known = walk->pushed && walk->pushed->known[offset + i];
    if (known)
        memcpy(&address, walk->pushed->bytes + offset, sizeof(address));
    if (!certain &&
        (!address || device_address_find(dump->device, address, 1, 0).match != ADDRESS_FOUND))
        return;
    if (!walk->count)
        string_builder_format(&dump->text, "%spush constants:", dump->text.length ? "\n" : "");
    string_builder_add(&dump->json, walk->count ? "," : ",\"addresses\":[");
    walk->offsets[walk->count++] = offset;
    string_builder_format(&dump->text, "\n    byte %u \"%s\":", offset, walk->name);
    string_builder_format(&dump->json, "{\"offset\":%u", offset);
    dump_json_text(dump, "name", walk->name);
    if (!known) {
        dump_mark(dump, "never pushed");
    } else {
        const struct dump_wanted wanted = {
            .size = certain && pointee ? pointee->size : 0,
            .usage = VK_BUFFER_USAGE_2_SHADER_DEVICE_ADDRESS_BIT,
            .alignment = certain ? scalar_alignment(walk->code, pointee, 0) : 0,
            .alignment_of = "the largest scalar there",
            .may_be_null = true};
        dump_address(dump, address, &wanted);
    }
    dump_marks_end(dump);
    string_builder_add(&dump->json, "}");
}

static void walk_type(struct walk *walk, const struct spirv_type *type, uint32_t offset,
                      uint32_t depth);

/* Walks the elements of an array, as far as push constants can reach. An array without a stride is
 * not walked. */
static void walk_elements(struct walk *walk, const struct spirv_type *type, uint32_t offset,
                          uint32_t depth)
{
    const struct spirv_type *element = type_at(walk->code, type->element);
    const uint32_t stride = type->stride;
    for (uint32_t i = 0; i < type->length && stride && i < DUMP_PUSH_MOST / stride; i++)
        walk_type(walk, element, offset + i * stride, depth);
}

/* Walks a type of push constants, and writes the addresses in it. */
static void walk_type(struct walk *walk, const struct spirv_type *type, uint32_t offset,
                      uint32_t depth)
{
    if (!type || depth > DEPTH_MOST || walk->count >= MEMBERS_MOST || addresses_list(walk, offset))
        return;
    const bool is_number =
        type->numeric == SPIRV_NUMERIC_UINT || type->numeric == SPIRV_NUMERIC_SINT;
    if (type->opcode == SpvOpTypePointer && type->length == SpvStorageClassPhysicalStorageBuffer)
        write_value(walk, offset, type_at(walk->code, type->element), true);
    else if (is_number && type->size == sizeof(VkDeviceAddress) &&
             (type->opcode == SpvOpTypeInt ||
              (type->opcode == SpvOpTypeVector && type->width == 32)))
        write_value(walk, offset, NULL, false);
    else if (type->opcode == SpvOpTypeArray)
        walk_elements(walk, type, offset, depth + 1);
    for (uint32_t i = 0; type->opcode == SpvOpTypeStruct && i < type->member_count; i++) {
        const struct spirv_member *member = &walk->code->members[type->first_member + i];
        if (!depth)
            walk->name = walk->code->text + member->name;
        walk_type(walk, type_at(walk->code, member->type), offset + member->offset, depth + 1);
    }
}

bool dump_pushed(struct dump *dump)
{
    const struct dump_recording *recording = gpu_in_command_buffer(dump->command_buffer)->dump;
    struct walk walk = {.dump = dump, .name = ""};
    if (recording)
        walk.pushed = dump->heaps ? &recording->data
                                  : &recording->constants[dump->bind - dump->command_buffer->bind];
    for (uint32_t i = 0; i < dump->stage_count; i++) {
        walk.code = dump->stages[i].code;
        /* Other shaders have no pointers to buffers, so their numbers are never addresses. */
        if (walk.code->addressing_model == SpvAddressingModelPhysicalStorageBuffer64)
            walk_type(&walk, type_at(walk.code, dump->stages[i].entry->push_constant_type), 0, 0);
    }
    if (walk.count)
        string_builder_add(&dump->json, "]");
    return walk.count > 0;
}
