/* Statements with a number that are data: a row each, made from the statement's sentence
 * (registry/language/sentences.py).
 *
 * A row says: if all its guards hold, what follows them must hold. Guards and what follows are
 * lists of atoms; of atoms that are joined by `alternative`, one is enough. An atom may be unknown:
 * a pointer that leads nowhere, a structure that is not in the chain, a call without a device. It
 * is then neither true nor false, and there is no finding.
 *
 * Threads: any; the tables are constant. */
#ifndef ASSAY_STATELESS_ROWS_H
#define ASSAY_STATELESS_ROWS_H

#include "stateless/check.h"

/* How a number lies in memory. */
enum row_type { ROW_U8, ROW_U16, ROW_U32, ROW_U64, ROW_I32, ROW_F32, ROW_F64 };

/* Where a value comes from. */
enum row_source {
    ROW_MEMBER, /* a member or parameter */
    /* a limit or property of the device: `first` is the step of its offset in struct device. Not
     * known where it is 0: the device does not have it */
    ROW_LIMIT,
    ROW_NUMBER, /* a constant: `first` is its index in row_numbers */
    ROW_SUM,    /* of two values: `first` and `second` are their indices in row_values */
    /* the difference of two values, as for ROW_SUM; not known where it would be negative */
    ROW_DIFFERENCE,
    /* what an object was created with: the member is its handle, `second` an index in row_facts */
    ROW_FACT,
    /* A side (`chain`: 0, 1, 2) of the mip level that a region lies in: `first` is the index of a
       fact of the image, `second` that of the aspectMask of a VkImageSubresourceLayers. Not known
       where the image's type has no such side, or the image no such level. */
    ROW_LEVEL_EXTENT,
    ROW_QUEUE_FLAGS, /* of all queue families of the physical device together */
    /* the index of the most significant bit of the value `first`; not known of 0 */
    ROW_HIGHEST_BIT,
    ROW_PRODUCT, /* of two values, as ROW_SUM */
    /* how many elements of row_arrays[chain] have a member (at row_steps[first]; of 32 bits) that
     * is one of the `steps` constants from row_numbers[second] on */
    ROW_COUNT,
    ROW_INDEX, /* of the element in the row's array */
};

/* Where the steps to a member begin. */
enum row_root {
    ROW_OF_STRUCTURE, /* at the structure, or the command's parameters */
    ROW_OF_CHAIN,     /* at the structure of row_chains[chain] in the pNext chain */
    ROW_OF_ELEMENT,   /* begins at one element of the row's array */
    /* as ROW_OF_CHAIN, in the chain that the value `second` is the pNext of */
    ROW_OF_OTHER_CHAIN,
};

#define ROW_BOOLEAN 0xffffu /* a value_type: VkBool32 */
#define ROW_ADDRESS 0xfffeu /* a value_type: VkDeviceAddress */

struct row_value {
    uint8_t source; /* enum row_source */
    uint8_t type;   /* enum row_type */
    uint8_t root;   /* enum row_root */
    /* offsets from row_steps[first] on; between two of them a pointer is followed */
    uint8_t steps;
    uint16_t chain;
    /* The second is of a sum. Of flags it is 1 + the index of the value that is used instead,
     * where the chain has that. */
    uint16_t first, second;
    uint16_t value_type; /* 0, ROW_BOOLEAN, or 1 + the enum value_type that names its values */
    uint16_t name;       /* in row_names: name of the member, limit or constant; "": it has none */
};

enum row_kind {
    /* These compare two values. */
    ROW_EQUAL,
    ROW_DIFFERENT,
    ROW_LESS,
    ROW_AT_MOST,
    ROW_MORE,
    ROW_AT_LEAST,
    ROW_MULTIPLE,
    ROW_WITHIN_BITS, /* the value has no bits but bits of the other value */
    ROW_SHARED_BITS, /* the value has one of the other value's bits */
    /* These compare a value with constants from row_numbers[right] on. */
    ROW_AMONG,   /* `count` of them */
    ROW_ANY_BIT, /* a mask, as of the next two */
    ROW_ALL_BITS,
    ROW_ONLY_BITS,
    ROW_FORMAT_TRAITS, /* a mask of enum format_trait: it is a format that has one of them */
    /* The value is a device address: its buffer was created with the usages of the mask. */
    ROW_ADDRESS_USAGE,
    /* Likewise; an address that is in no buffer is wrong. A mask of 0: any buffer will do, and 0 is
     * wrong, too. */
    ROW_ADDRESS_VALID,
    /* The value is a device address: its buffer was created with one of the flags of the mask. A
     * mask of 0: it is bound to memory, or sparse. */
    ROW_ADDRESS_FLAGS,
    /* The value is a handle, of a buffer or of an object in a buffer. `right` (ROW_LIES) says of
     * which type it is, and what the buffer must be. */
    ROW_BOUND,
    /* The value is a VkFormat, of the enum row_format_kind `right`. */
    ROW_FORMAT,
    /* The value is a pointer that a program can have. */
    ROW_POINTER,
    /* These ask one value. */
    ROW_ONE_BIT,
    ROW_POWER_OF_TWO,
    ROW_NULL,
    /* These ask no value: `left` is a number of row_chains, an enum feature (with its name's offset
     * in `right`), an enum extension. */
    ROW_CHAINED,
    /* the same, in the chain that begins at the pNext which the value `right` names */
    ROW_CHAINED_OF,
    ROW_FEATURE,
    ROW_EXTENSION, /* `right`: 1, a version that brings it is as good; ROW_BY_NAME: it is not */
    ROW_SETTING,   /* `left`: its offset in struct settings, a bool */
    /* These ask the graphics pipeline that is looked at: `left` is a mask of its parts, the offset
     * of a pointer in struct graphics_info that is not NULL where it is read, an enum dynamic_state
     */
    ROW_PART,
    ROW_READ,
    ROW_DYNAMIC,
    /* An element of row_arrays[left] is as row_atoms[right] says. */
    ROW_SOME,
    /* row_arrays[left] has names of extensions, and the name of the enum extension `right` is among
     * them */
    ROW_NAMED,
    ROW_INTACT, /* the row that is `left` rows before this one is not broken */
    /* The geometry that the element is has primitives, or it is not known how many. row_steps[left]
     * leads to the array of arrays that say so, at the beginning of `right` bytes each. */
    ROW_PRIMITIVES,
};

/* ROW_EXTENSION: the program has named it. */
#define ROW_BY_NAME 2

/* The kinds of formats (sentence.py: FORMAT_KINDS). */
enum row_format_kind {
    ROW_FORMAT_COLOR,
    ROW_FORMAT_DEPTH, /* and perhaps stencil */
    ROW_FORMAT_STENCIL,
    ROW_FORMAT_COLOR_OR_DEPTH,
    ROW_FORMAT_DEPTH_OR_STENCIL,
    ROW_FORMAT_DEPTH_AND_STENCIL,
    ROW_FORMAT_DEPTH_ALONE,
    ROW_FORMAT_STENCIL_ALONE,
    ROW_FORMAT_INTEGER_COLOR,
    ROW_FORMAT_OTHER_COLOR,
    ROW_FORMAT_SRGB,
};

#define ROW_UNSAID 1

/* The questions about the buffer of an object. */
enum row_memory {
    ROW_MEMORY_ANY,          /* the object is bound to memory, or sparse */
    ROW_MEMORY_HOST_VISIBLE, /* the host can see the memory */
    ROW_MEMORY_SINGLE,       /* the memory does not have an instance for each of several devices */
    ROW_MEMORY_NAMED,        /* the object was created in a buffer, not at an address */
};
#define ROW_LIES(handle_type_, memory_) ((handle_type_) | (memory_) << 8)

struct row_atom {
    uint8_t kind;     /* enum row_kind */
    bool positive;    /* false: the atom holds where its condition does not */
    bool alternative; /* it is enough that this atom or the next one holds */
    uint8_t count;    /* except for ROW_AMONG: ROW_UNSAID where no message speaks of the atom */
    uint16_t left, right;
};

/* The array of whose elements a row speaks. */
struct row_array {
    uint16_t first, steps;             /* to the pointer */
    uint16_t count_first, count_steps; /* to the number of elements, a uint32_t */
    uint16_t size;                     /* of an element, in bytes */
    uint16_t name;
    /* 1 + the index of the array of whose elements each has this one, from where the steps begin;
     * and of the array that is used where the pointer to this one is NULL */
    uint16_t outer, other;
    bool pointers; /* the elements are pointers to the structures that the row is about */
};

/* How a row comes to an object. */
enum row_way {
    ROW_OF_MEMBER, /* by its handle */
    /* of the command buffer that is recorded: what it has begun and not ended (no object), the pool
       that it is of, the video session that is bound; and the device */
    ROW_RECORDED_SECTIONS,
    ROW_RECORDED_POOL,
    ROW_RECORDED_VIDEO_SESSION,
    ROW_RECORDED_DEVICE,
    ROW_OF_PROFILE,      /* what the driver can do with the video profile that it points to */
    ROW_RECORDED_FAMILY, /* the VkQueueFamilyProperties of that pool's family */
};

/* The facts that are kept of objects (registry/language/facts.py). */
struct row_fact {
    uint8_t handle;  /* enum handle_type */
    uint8_t way;     /* enum row_way */
    uint16_t offset; /* in the state */
    uint16_t name;
};

#define ROW_NO_ARRAY 0xffffu

struct row {
    uint16_t vuid;     /* enum vuid */
    uint16_t atoms;    /* index of the first atom in row_atoms */
    uint8_t guards;    /* how many atoms are guards */
    uint8_t count : 6; /* how many there are in all */
    uint8_t stops : 1; /* a call that breaks the row does not reach the driver, which would crash */
    uint8_t quiet : 1; /* it says nothing where a row of the call was broken before */
    uint16_t array;    /* in row_arrays, or ROW_NO_ARRAY */
};

struct row_chain {
    uint32_t type; /* VkStructureType */
    uint16_t name;
};

/* The subject of the atoms of one row. On the stack. */
struct row_subject {
    const struct check *check;
    const void *structure; /* or a command's parameters */
    const void *chain;     /* that structure's pNext, NULL for a command */
    const void *element;   /* of the row's array, or NULL */
    uint32_t index;        /* index of the element */
    /* for an array in an array: the element of the outer array that has the inner one; else NULL */
    const void *outer;
    uint32_t outer_index;
    const struct row_array *array; /* that the element is of */
    /* of the last 64 rows that were asked: bit i says that the one i + 1 before was broken */
    uint64_t broken;
};

enum row_answer { ROW_NO, ROW_YES, ROW_UNKNOWN };

/* A value as it was read. Integers have 64 bits, with their sign if their type has one. */
struct row_number {
    bool known;
    bool is_real;  /* `real` has it, else `bits` */
    bool negative; /* `bits` is an int64_t below 0 */
    uint64_t bits;
    double real;
};

/* Asks all rows of a structure, or of a command's parameters. `where` is the structure's place,
 * NULL for a command. */
void rows_check(struct check *c, const struct location *where, const void *structure,
                bool has_chain, uint32_t first, uint32_t count);

/* Reads the number that lies at `at`. */
struct row_number row_number_at(const void *at, enum row_type type);
/* Where a ROW_MEMBER, or the handle of a ROW_FACT, lies; NULL where a pointer leads nowhere. */
const void *row_member_at(const struct row_subject *subject, const struct row_value *value);
/* Reads the value of a ROW_MEMBER, or the handle of a ROW_FACT. */
struct row_number row_read_member(const struct row_subject *subject, const struct row_value *value,
                                  enum row_type type);
struct row_number row_read(const struct row_subject *subject, const struct row_value *value);
enum row_answer row_ask(const struct row_subject *subject, const struct row_atom *atom);
/* Finds an array in `base`: ROW_NO where there is none, ROW_UNKNOWN where a pointer leads nowhere.
 */
enum row_answer row_find_array(const void *base, const struct row_array *array,
                               const char **elements, uint32_t *count);

/* True where a row may ask what is kept of objects. */
static inline bool row_may_ask(const struct call *call)
{
    return call->device && call->instance->settings.validate_core;
}

/* row_facts.c: the object of a ROW_FACT, NULL where nothing is known of it; the fact; and whether
 * the buffer of a device address was created with one of the usages. */
struct object *row_fact_object(const struct row_subject *subject, const struct row_value *value);
struct row_number row_read_fact(const struct row_subject *subject, const struct row_value *value);
enum row_answer row_ask_address(const struct call *call, uint64_t address, uint64_t usages,
                                enum row_kind kind);
/* `lies`: ROW_LIES(). */
enum row_answer row_ask_bound(const struct call *call, uint64_t handle, uint32_t lies);
/* "whose buffer is not bound to memory", or what else is wrong. `text` ends before it. */
void row_write_bound(struct string_builder *text, const struct call *call, uint64_t handle,
                     uint32_t lies) COLD;
/* The product; UINT64_MAX where it is larger. */
static inline uint64_t row_times(uint64_t left, uint64_t right)
{
    uint64_t product;
    return __builtin_mul_overflow(left, right, &product) ? UINT64_MAX : product;
}
struct row_number row_read_level_extent(const struct row_subject *subject,
                                        const struct row_value *value);
/* ROW_UNKNOWN for formats that the registry does not know. */
enum row_answer row_format_is(uint64_t format, enum row_format_kind kind);
/* Says whether the command buffer has begun, and not ended, what a fact of ROW_RECORDED_SECTIONS
 * is about. */
enum row_answer row_section(const struct call *call, uint32_t fact);

/* Reports a row that does not hold; `index` is the element's in the row's array. */
void row_report(struct check *c, const struct location *where, const struct row *row,
                const struct row_subject *subject, const struct row_atom *broken,
                uint32_t index) COLD;

/* Generated. */
extern const struct row rows[];
extern const struct row_atom row_atoms[];
extern const struct row_value row_values[];
extern const struct row_array row_arrays[];
extern const struct row_chain row_chains[];
extern const struct row_fact row_facts[];
extern const uint64_t row_numbers[];
extern const uint16_t row_steps[];
extern const char row_names[];

#endif
