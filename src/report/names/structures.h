/* Describes the registry's structures as data, and writes their values as text: a tree with a line
 * for each member.
 *
 *     pCreateInfo = VkBufferCreateInfo
 *       flags = 0
 *       size = 65536
 *       usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT
 *       sharingMode = VK_SHARING_MODE_EXCLUSIVE
 *       queueFamilyIndexCount = 0
 *       pQueueFamilyIndices = NULL */
#ifndef ASSAY_REPORT_STRUCTURES_H
#define ASSAY_REPORT_STRUCTURES_H

#include "base/string_builder.h"
#include "report/names/registry_names.h"
#include "report/structure_types.h" /* generated: enum structure */
#include "vk/commands.h"

/* Writes the structure's members, with limits for depth, elements of an array and length. Pointers
 * are written as addresses, except strings, single structures and short arrays whose length the
 * structure has. A pointer that the specification says is ignored in some cases is always written
 * as an address. Memory is read by a system call, so that an invalid pointer is not followed.
 * Threads: any. */
void structure_write(struct string_builder *builder, enum structure structure, const void *value);
/* Writes the parameters of one call. Each is in the low bytes of a word, as parameters_note()
 * (report/finding/parameters.h) gets them. */
void parameters_write(struct string_builder *builder, enum command command, const uint64_t *values);

/* Returns the structure with this sType; STRUCTURE_COUNT: the registry has none. */
enum structure structure_of_type(VkStructureType type);
const char *structure_name(enum structure structure);
/* Returns the sType of a structure; VK_STRUCTURE_TYPE_MAX_ENUM: it has none. */
VkStructureType type_of_structure(enum structure structure);

/* These are the types of the generated tables. Strings are offsets for registry_name(), so that the
 * tables need no relocation. */

enum member_kind {
    MEMBER_UNSIGNED, /* `type` is the size in bytes, as for the next three */
    MEMBER_SIGNED,
    MEMBER_FLOAT,
    MEMBER_BITS, /* best read in hexadecimal */
    MEMBER_BOOL, /* VkBool32 */
    MEMBER_CHAR,
    MEMBER_VALUE32, /* `type` is an enum value_type */
    MEMBER_VALUE64,
    MEMBER_HANDLE,    /* `type` is an enum handle_type */
    MEMBER_STRUCTURE, /* `type` is an enum structure */
    MEMBER_OPAQUE,    /* a member whose type is not known */
};

enum member_shape {
    SHAPE_ONE,           /* the value lies in the structure */
    SHAPE_FIXED,         /* `length` values lie in the structure */
    SHAPE_ADDRESS,       /* a pointer that is written as a number */
    SHAPE_POINTER,       /* a pointer to one value */
    SHAPE_POINTER_FIXED, /* a pointer to `length` values */
    SHAPE_POINTER_ARRAY, /* a pointer to as many values as the member with index `length` says */
    SHAPE_STRING,        /* a pointer to characters that end with a zero */
    SHAPE_STRINGS,       /* a pointer to as many strings as the member with index `length` says */
    SHAPE_CHAIN,         /* pNext */
};

/* How the specification's tables compare a limit or property: what a "better" value is. */
enum limit_type {
    LIMIT_NONE, /* the member is not a limit */
    LIMIT_MIN,
    LIMIT_MAX,
    LIMIT_BITMASK,
    LIMIT_BITS,
    LIMIT_EXACT,
    LIMIT_RANGE,
    LIMIT_NOAUTO, /* the specification compares it by a rule in prose */
    LIMIT_STRUCT, /* a structure of limits */
};

struct member_info {
    uint32_t name : 20;
    uint32_t kind : 4;  /* enum member_kind */
    uint32_t shape : 4; /* enum member_shape */
    uint32_t limit : 4; /* enum limit_type */
    uint16_t offset;
    uint16_t type;
    uint16_t length;
};

struct structure_info {
    uint32_t name;
    uint16_t first; /* index of its first member in structure_members */
    uint16_t size;
    uint8_t count;
    bool is_union;
};

struct parameter_list {
    uint16_t first; /* index in command_parameters */
    uint8_t count;
};

struct structure_of_type {
    uint32_t type; /* VkStructureType, increasing */
    uint16_t structure;
};

extern const struct structure_info structure_info[STRUCTURE_COUNT];
extern const struct member_info structure_members[];
extern const struct parameter_list parameter_lists[COMMAND_ROOT_COUNT];
extern const struct member_info command_parameters[];
extern const struct structure_of_type structures_by_type[];
extern const uint32_t structures_by_type_count;

/* Writes the value of one member that lies in the structure itself: a number, a name, or the
 * elements of an array. */
void member_write(struct string_builder *builder, const struct member_info *member,
                  const void *structure);

static inline const char *member_name(const struct member_info *member)
{
    return registry_name(member->name);
}

#endif
