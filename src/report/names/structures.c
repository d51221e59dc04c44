/* Writes the members of a structure as a tree of lines. */
#include "report/names/structures.h"

#include <inttypes.h>
#include <string.h>

#include "base/own_memory.h"
#include "report/names/names_of_values.h"

#define DEPTH_LIMIT    6  /* structures inside structures */
#define ELEMENTS_SHOWN 4  /* elements of an array */
#define STRING_SHOWN   80 /* bytes of a string */
#define CHAIN_SHOWN    8  /* structures of a pNext chain */
/* bytes of one tree; a full vkCreateGraphicsPipelines takes half of it */
#define TEXT_LIMIT  8192
#define VALUE_LIMIT 2048 /* bytes that are copied to be read: twice the largest structure */

/* One tree being written. Threads: on its writer's stack. */
struct tree {
    struct string_builder *builder;
    size_t end;     /* no more text past this length */
    unsigned depth; /* of the line being written */
    bool any;       /* a line has been written */
    bool chained;   /* inside a structure of a pNext chain, whose own pNext is not followed */
};

/* Copies as much of a string as can be read, byte by byte, so that the read never goes past the
 * string into a page that does not exist. Returns the length of the copy. */
static size_t read_string(char *copy, size_t size, const char *address)
{
    assert(copy && size);
    size_t length = 0;
    while (length + 1 < size && own_memory_read(copy + length, address + length, 1) && copy[length])
        length++;
    copy[length] = '\0';
    return length;
}

/* Begins a line at the tree's depth with a name. */
static void tree_begin_line(struct tree *tree, const char *name)
{
    if (tree->any)
        string_builder_add(tree->builder, "\n");
    tree->any = true;
    for (unsigned i = 0; i < tree->depth; i++)
        string_builder_add(tree->builder, "  ");
    string_builder_add(tree->builder, name);
}

/* True if the text has reached its limit. */
static bool is_full(const struct tree *tree)
{
    return tree->builder->length >= tree->end;
}

enum structure structure_of_type(VkStructureType type)
{
    uint32_t low = 0, high = structures_by_type_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (structures_by_type[middle].type < (uint32_t)type)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == structures_by_type_count || structures_by_type[low].type != (uint32_t)type)
        return STRUCTURE_COUNT;
    return (enum structure)structures_by_type[low].structure;
}

const char *structure_name(enum structure structure)
{
    assert((unsigned)structure < STRUCTURE_COUNT);
    return registry_name(structure_info[structure].name);
}

VkStructureType type_of_structure(enum structure structure)
{
    for (uint32_t i = 0; i < structures_by_type_count; i++) {
        if (structures_by_type[i].structure == structure)
            return (VkStructureType)structures_by_type[i].type;
    }
    return VK_STRUCTURE_TYPE_MAX_ENUM;
}

/* Returns the size of one element of a member in bytes; 1 for characters and for opaque members. */
static size_t element_size(const struct member_info *member)
{
    switch ((enum member_kind)member->kind) {
    case MEMBER_UNSIGNED:
    case MEMBER_SIGNED:
    case MEMBER_FLOAT:
    case MEMBER_BITS:
        return member->type;
    case MEMBER_BOOL:
    case MEMBER_VALUE32:
        return sizeof(uint32_t);
    case MEMBER_VALUE64:
    case MEMBER_HANDLE:
        return sizeof(uint64_t);
    case MEMBER_STRUCTURE:
        return structure_info[member->type].size;
    case MEMBER_CHAR:
    case MEMBER_OPAQUE:
        break;
    }
    return 1;
}

/* Reads a number of up to 8 bytes. It is little-endian, as on all systems that the layer runs
 * on. */
static uint64_t value_read_number(const void *value, size_t size)
{
    assert(value && size);
    uint64_t number = 0;
    memcpy(&number, value, size < sizeof(number) ? size : sizeof(number));
    return number;
}

/* Writes a floating-point number with as many digits as distinguish any two of 32 bits. */
static void write_float(struct string_builder *builder, const void *value, size_t size)
{
    assert(size == 4 || size == 8);
    float narrow;
    double wide;
    if (size == sizeof(narrow)) {
        memcpy(&narrow, value, sizeof(narrow));
        wide = (double)narrow;
    } else {
        memcpy(&wide, value, sizeof(wide));
    }
    string_builder_format(builder, "%.9g", wide);
}

/* True if the member is a size or range, and its number is VK_WHOLE_SIZE. In other members all bits
 * set may mean something else. */
static bool is_whole_size(const struct member_info *member, uint64_t number)
{
    static const char *const names[] = {"size", "range", "dataSize"};
    const char *name = member_name(member);
    bool is_size = false;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        is_size |= !strcmp(name, names[i]);
    return is_size && number == VK_WHOLE_SIZE;
}

/* Writes one value as its type has it: a number, a name, a handle. */
static void write_scalar(struct string_builder *builder, const struct member_info *member,
                         const void *value)
{
    assert(member && value);
    size_t size = element_size(member);
    uint64_t number = value_read_number(value, size);
    switch ((enum member_kind)member->kind) {
    case MEMBER_UNSIGNED:
        if (is_whole_size(member, number))
            string_builder_add(builder, "VK_WHOLE_SIZE");
        else
            string_builder_format(builder, "%" PRIu64, number);
        break;
    case MEMBER_SIGNED: {
        /* The value is shifted to the top and back, which extends its sign. */
        unsigned unused = (unsigned)(sizeof(number) - size) * 8;
        string_builder_format(builder, "%" PRId64, (int64_t)(number << unused) >> unused);
        break;
    }
    case MEMBER_FLOAT:
        write_float(builder, value, size);
        break;
    case MEMBER_BOOL:
        if (number <= VK_TRUE)
            string_builder_add(builder, number ? "VK_TRUE" : "VK_FALSE");
        else
            string_builder_format(builder, "%" PRIu64, number);
        break;
    case MEMBER_VALUE32:
    case MEMBER_VALUE64:
        value_write(builder, (enum value_type)member->type, number);
        break;
    case MEMBER_HANDLE:
        if (number)
            string_builder_format(builder, "0x%" PRIx64, number);
        else
            string_builder_add(builder, "VK_NULL_HANDLE");
        break;
    case MEMBER_BITS:
        string_builder_format(builder, number ? "0x%" PRIx64 : "%" PRIu64, number);
        break;
    case MEMBER_CHAR:
    case MEMBER_STRUCTURE:
    case MEMBER_OPAQUE:
        string_builder_add(builder, "...");
        break;
    }
}

/* Writes a pointer that is not followed. */
static void write_address(struct string_builder *builder, const void *address)
{
    if (address)
        string_builder_format(builder, " = 0x%" PRIxPTR, (uintptr_t)address);
    else
        string_builder_add(builder, " = NULL");
}

/* Writes characters of the program in quotation marks; control characters become "?". `text` is
 * changed. */
static void write_quoted(struct string_builder *builder, char *text, size_t length, bool cut)
{
    for (size_t i = 0; i < length; i++)
        text[i] = (unsigned char)text[i] < 0x20 || text[i] == 0x7f ? '?' : text[i];
    string_builder_format(builder, "\"%.*s%s\"", (int)length, text, cut ? " ..." : "");
}

/* Writes a string of the program; its address, if it cannot be read. */
static void write_string_at(struct string_builder *builder, const char *address)
{
    char copy[STRING_SHOWN + 1];
    if (!address || !own_memory_read(copy, address, 1)) {
        string_builder_format(builder, address ? "0x%" PRIxPTR : "NULL", (uintptr_t)address);
        return;
    }
    size_t length = read_string(copy, sizeof(copy), address);
    write_quoted(builder, copy, length, length == STRING_SHOWN);
}

static void write_members(struct tree *tree, const struct structure_info *info, const char *value);

/* Writes the members of a structure on lines below. `value`: its bytes. */
static void write_structure(struct tree *tree, enum structure structure, const char *value)
{
    assert((unsigned)structure < STRUCTURE_COUNT);
    const struct structure_info *info = &structure_info[structure];
    if (tree->depth > DEPTH_LIMIT || info->is_union) {
        /* only the structure around a union says which member it holds */
        string_builder_add(tree->builder, " { ... }");
        return;
    }
    tree->depth++;
    write_members(tree, info, value);
    tree->depth--;
}

/* Writes "{1, 2, 3}", with ELEMENTS_SHOWN of `count` elements. */
static void write_scalars(struct string_builder *builder, const struct member_info *member,
                          const char *values, uint64_t count)
{
    size_t size = element_size(member);
    for (uint64_t i = 0; i < count && i < ELEMENTS_SHOWN; i++) {
        string_builder_add(builder, i ? ", " : "{");
        write_scalar(builder, member, values + i * size);
    }
    string_builder_add(builder, count > ELEMENTS_SHOWN ? ", ...}" : "}");
}

/* Writes the elements of an array: scalars on the member's line, structures on lines of their
 * own. */
static void write_elements(struct tree *tree, const struct member_info *member, const char *values,
                           uint64_t count)
{
    struct string_builder *builder = tree->builder;
    uint64_t shown = count < ELEMENTS_SHOWN ? count : ELEMENTS_SHOWN;
    /* Scalars are short, and stand on one line. */
    if (member->kind == MEMBER_STRUCTURE) {
        string_builder_format(builder, " = %s[%" PRIu64 "]",
                              structure_name((enum structure)member->type), count);
        for (uint64_t i = 0; i < shown && !is_full(tree); i++) {
            char name[32];
            struct string_builder label;
            string_builder_begin(&label, name, sizeof(name));
            string_builder_format(&label, "[%" PRIu64 "]", i);
            tree->depth++;
            tree_begin_line(tree, label.text);
            write_structure(tree, (enum structure)member->type, values + i * element_size(member));
            tree->depth--;
            string_builder_end(&label);
        }
        return;
    }
    string_builder_add(builder, " = ");
    write_scalars(builder, member, values, count);
}

/* Writes what a pointer points to, if that is short and can be read; otherwise the address. */
static void write_pointed(struct tree *tree, const struct member_info *member, const char *address,
                          uint64_t count)
{
    char copy[VALUE_LIMIT];
    size_t size = element_size(member);
    /* Long arrays are not read, as most of them would not be shown. */
    if (!address || !count || count > ELEMENTS_SHOWN || count * size > sizeof(copy) ||
        !own_memory_read(copy, address, count * size)) {
        write_address(tree->builder, address);
        return;
    }
    if (member->shape != SHAPE_POINTER) {
        write_elements(tree, member, copy, count);
    } else if (member->kind == MEMBER_STRUCTURE) {
        string_builder_format(tree->builder, " = %s", structure_name((enum structure)member->type));
        write_structure(tree, (enum structure)member->type, copy);
    } else {
        string_builder_add(tree->builder, " -> ");
        write_scalar(tree->builder, member, copy);
    }
}

/* Writes an array of strings. Its pointers are copied first, as the program's memory may be
 * unreadable. */
static void write_strings(struct tree *tree, const char *address, uint64_t count)
{
    const char *strings[ELEMENTS_SHOWN];
    uint64_t shown = count < ELEMENTS_SHOWN ? count : ELEMENTS_SHOWN;
    if (!address || !shown || !own_memory_read(strings, address, shown * sizeof(*strings))) {
        write_address(tree->builder, address);
        return;
    }
    string_builder_add(tree->builder, " = {");
    for (uint64_t i = 0; i < shown; i++) {
        string_builder_add(tree->builder, i ? ", " : "");
        write_string_at(tree->builder, strings[i]);
    }
    string_builder_add(tree->builder, count > shown ? ", ...}" : "}");
}

/* Writes an array of characters, which need not end with a zero. */
static void write_characters(struct string_builder *builder, const char *value, size_t size)
{
    char copy[STRING_SHOWN];
    size_t length = 0;
    for (; length < size && length < sizeof(copy) && value[length]; length++)
        copy[length] = value[length];
    write_quoted(builder, copy, length, length == sizeof(copy));
}

/* Writes a member that is an array itself. */
static void write_fixed(struct tree *tree, const struct member_info *member, const char *value)
{
    if (member->kind != MEMBER_CHAR) {
        write_elements(tree, member, value, member->length);
        return;
    }
    string_builder_add(tree->builder, " = ");
    write_characters(tree->builder, value, member->length);
}

/* Writes the structures of a pNext chain, each with its members. A chain in a circle ends at
 * CHAIN_SHOWN. */
static void write_chain(struct tree *tree, const char *address)
{
    VkBaseInStructure head;
    char copy[VALUE_LIMIT];
    if (tree->chained)
        return; /* a structure within a chain: the chain is written for the structure at its head */
    for (int i = 0; address && i < CHAIN_SHOWN && !is_full(tree);
         i++, address = (const char *)head.pNext) {
        tree_begin_line(tree, "pNext");
        enum structure structure = STRUCTURE_COUNT;
        if (own_memory_read(&head, address, sizeof(head)))
            structure = structure_of_type(head.sType);
        size_t size = structure != STRUCTURE_COUNT ? structure_info[structure].size : 0;
        if (!size || size > sizeof(copy) || !own_memory_read(copy, address, size)) {
            write_address(tree->builder, address);
            return;
        }
        string_builder_format(tree->builder, " = %s", structure_name(structure));
        if (tree->depth <= DEPTH_LIMIT) {
            tree->depth++;
            tree->chained = true;
            write_members(tree, &structure_info[structure], copy);
            tree->chained = false;
            tree->depth--;
        }
    }
}

/* Writes one member of the structure at `value`, in lines of the tree. */
static void write_member(struct tree *tree, const struct member_info *members,
                         const struct member_info *member, const char *value)
{
    const char *field = value + member->offset;
    const char *address = NULL;
    /* All other shapes are pointers. memcpy() reads them, as a structure of the program may be
     * unaligned. */
    if (member->shape != SHAPE_ONE && member->shape != SHAPE_FIXED)
        memcpy(&address, field, sizeof(address));
    if (member->shape == SHAPE_CHAIN) {
        write_chain(tree, address);
        return;
    }
    tree_begin_line(tree, member_name(member));
    uint64_t count = member->length;
    if (member->shape == SHAPE_POINTER_ARRAY || member->shape == SHAPE_STRINGS)
        /* For arrays `length` is the index of the member that counts them. */
        count = value_read_number(value + members[member->length].offset,
                                  element_size(&members[member->length]));
    switch ((enum member_shape)member->shape) {
    case SHAPE_ONE:
        if (member->kind == MEMBER_STRUCTURE) {
            write_structure(tree, (enum structure)member->type, field);
        } else {
            string_builder_add(tree->builder, " = ");
            write_scalar(tree->builder, member, field);
        }
        break;
    case SHAPE_FIXED:
        write_fixed(tree, member, field);
        break;
    case SHAPE_ADDRESS:
        write_address(tree->builder, address);
        break;
    case SHAPE_POINTER:
        write_pointed(tree, member, address, 1);
        break;
    case SHAPE_POINTER_FIXED:
    case SHAPE_POINTER_ARRAY:
        write_pointed(tree, member, address, count);
        break;
    case SHAPE_STRING:
        string_builder_add(tree->builder, " = ");
        write_string_at(tree->builder, address);
        break;
    case SHAPE_STRINGS:
        write_strings(tree, address, count);
        break;
    case SHAPE_CHAIN:
        break;
    }
}

/* Writes the members from `from` to before `count`. Beyond the limit of the text, "..." stands for
 * the rest. */
static void write_list(struct tree *tree, const struct member_info *members, uint32_t from,
                       uint32_t count, const char *value)
{
    for (uint32_t i = from; i < count; i++) {
        if (is_full(tree)) {
            tree_begin_line(tree, "...");
            return;
        }
        write_member(tree, members, &members[i], value);
    }
}

/* True if the first member is an sType with the value of this structure. */
static bool has_usual_type(const struct structure_info *info, const char *value)
{
    const struct member_info *first = &structure_members[info->first];
    if (!info->count || first->kind != MEMBER_VALUE32 || first->type != VALUES_VkStructureType)
        return false;
    return structure_of_type((VkStructureType)value_read_number(value, sizeof(VkStructureType))) ==
           (enum structure)(info - structure_info);
}

/* Writes the members of a structure, without an sType that has the usual value. */
static void write_members(struct tree *tree, const struct structure_info *info, const char *value)
{
    write_list(tree, structure_members + info->first, has_usual_type(info, value), info->count,
               value);
}

void structure_write(struct string_builder *builder, enum structure structure, const void *value)
{
    assert((unsigned)structure < STRUCTURE_COUNT);
    struct tree tree = {.builder = builder, .end = builder->length + TEXT_LIMIT};
    write_members(&tree, &structure_info[structure], value);
}

void parameters_write(struct string_builder *builder, enum command command, const uint64_t *values)
{
    assert((unsigned)command < COMMAND_COUNT);
    struct tree tree = {.builder = builder, .end = builder->length + TEXT_LIMIT};
    const struct parameter_list *list = &parameter_lists[command_root[command]];
    write_list(&tree, command_parameters + list->first, 0, list->count, (const char *)values);
}

void member_write(struct string_builder *builder, const struct member_info *member,
                  const void *structure)
{
    const char *value = (const char *)structure + member->offset;
    if (member->shape == SHAPE_FIXED && member->kind == MEMBER_CHAR)
        write_characters(builder, value, member->length);
    else if (member->shape == SHAPE_FIXED)
        write_scalars(builder, member, value, member->length);
    else
        write_scalar(builder, member, value);
}
