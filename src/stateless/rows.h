/* Rules with a number that are data. Each rule is a row, which is made from its sentence in the
 * specification (registry/language/sentences.py).
 *
 * A row says: if all its guards hold, its other clauses must hold. Guards and clauses are lists of
 * atoms. If atoms are joined by `alternative`, one of them is enough. An atom may be unknown: a
 * pointer points nowhere, a structure is not in the chain, or the call has no device. An unknown
 * atom is neither true nor false, and there is no finding.
 *
 * Threads: any; the tables are constant. */
#ifndef ASSAY_STATELESS_ROWS_H
#define ASSAY_STATELESS_ROWS_H

#include "stateless/check.h"

/* The type of a number in memory. */
enum row_type { ROW_U8, ROW_U16, ROW_U32, ROW_U64, ROW_I32, ROW_F32, ROW_F64 };

/* The source of a value. */
enum row_source {
    ROW_MEMBER, /* a member or parameter */
    /* a limit or property of the device: `first` is the step of its offset in struct device. If it
     * is 0, the device does not have the limit, and the value is not known */
    ROW_LIMIT,
    ROW_NUMBER, /* a constant: `first` is its index in row_numbers */
    ROW_SUM,    /* the sum of two values: `first` and `second` are their indices in row_values */
    /* the difference of two values, like ROW_SUM; not known if it would be negative */
    ROW_DIFFERENCE,
    /* a value that an object was created with: the member is the object's handle, `second` is an
     * index in row_facts */
    ROW_FACT,
    /* a side (`chain`: 0, 1, 2) of the mip level that contains a region. `first` is the index of a
     * fact of the image, `second` that of the aspectMask of a VkImageSubresourceLayers. The value
     * is not known if the image's type does not have the side, or the image does not have the
     * level */
    ROW_LEVEL_EXTENT,
    ROW_QUEUE_FLAGS, /* the flags of all queue families of the physical device together */
    /* the index of the most significant bit of the value `first`; not known if that value is 0 */
    ROW_HIGHEST_BIT,
    ROW_PRODUCT, /* the product of two values, like ROW_SUM */
    /* the number of elements of row_arrays[chain] whose 32-bit member (at row_steps[first]) is one
     * of the `steps` constants from row_numbers[second] on */
    ROW_COUNT,
    ROW_INDEX, /* the index of the element in the row's array */
};

/* The place where the steps to a member begin. */
enum row_root {
    ROW_OF_STRUCTURE, /* at the structure, or the command's parameters */
    ROW_OF_CHAIN,     /* at the structure of row_chains[chain] in the pNext chain */
    ROW_OF_ELEMENT,   /* at one element of the row's array */
    /* like ROW_OF_CHAIN, but in the chain that begins at the pNext row_values[second] */
    ROW_OF_OTHER_CHAIN,
};

#define ROW_BOOLEAN 0xffffu /* a value_type: VkBool32 */
#define ROW_ADDRESS 0xfffeu /* a value_type: VkDeviceAddress */

struct row_value {
    uint8_t source; /* enum row_source */
    uint8_t type;   /* enum row_type */
    uint8_t root;   /* enum row_root */
    /* the number of offsets, from row_steps[first] on; between two of them a pointer is read */
    uint8_t steps;
    uint16_t chain;
    /* `second` is used for a sum. For flags it is 1 + the index of the value that replaces them, if
     * the chain has the structure of that value. */
    uint16_t first, second;
    uint16_t value_type; /* 0, ROW_BOOLEAN, or 1 + the enum value_type that names its values */
    /* offset in row_names: the name of the member, limit or constant, or "" if it has none */
    uint16_t name;
};

enum row_kind {
    /* These atoms compare two values. */
    ROW_EQUAL,
    ROW_DIFFERENT,
    ROW_LESS,
    ROW_AT_MOST,
    ROW_MORE,
    ROW_AT_LEAST,
    ROW_MULTIPLE,
    ROW_WITHIN_BITS, /* the value has only bits that the other value has */
    ROW_SHARED_BITS, /* the value has at least one of the other value's bits */
    /* These atoms compare a value with constants from row_numbers[right] on. */
    ROW_AMONG,   /* the value is one of `count` constants */
    ROW_ANY_BIT, /* the constant is a mask, also for the next two */
    ROW_ALL_BITS,
    ROW_ONLY_BITS,
    /* the value is a format with one of the traits in a mask of enum format_trait */
    ROW_FORMAT_TRAITS,
    /* The value is a device address. The buffer there was created with the usages of the mask. */
    ROW_ADDRESS_USAGE,
    /* Like ROW_ADDRESS_USAGE, but an address in no buffer breaks the rule. A mask of 0 allows any
     * buffer, and the address 0 breaks the rule too. */
    ROW_ADDRESS_VALID,
    /* The value is a device address. The buffer there was created with one of the flags of the
     * mask. With a mask of 0, the buffer is bound to memory, or sparse. */
    ROW_ADDRESS_FLAGS,
    /* The value is a handle, of a buffer or of an object in a buffer. `right` (ROW_LIES) says of
     * which type it is, and what the buffer must be. */
    ROW_BOUND,
    /* The value is a VkFormat of the kind `right`, an enum row_format_kind. */
    ROW_FORMAT,
    /* The value is a pointer that a program can have. */
    ROW_POINTER,
    /* These atoms are about one value. */
    ROW_ONE_BIT,
    ROW_POWER_OF_TWO,
    ROW_NULL,
    /* These atoms are not about a value. `left` is an index in row_chains, an enum feature (its
     * name's offset is in `right`), or an enum extension. */
    ROW_CHAINED,
    /* like ROW_CHAINED, but in the chain that begins at the pNext row_values[right] */
    ROW_CHAINED_OF,
    ROW_FEATURE,
    /* with 1 in `right`, a version that includes the extension is enough; with ROW_BY_NAME it is
     * not */
    ROW_EXTENSION,
    ROW_SETTING, /* `left` is the offset of a bool in struct settings */
    /* These atoms are about the graphics pipeline. `left` is a mask of its parts, the offset of a
     * pointer in struct graphics_info (not NULL if it is read), or an enum dynamic_state. */
    ROW_PART,
    ROW_READ,
    ROW_DYNAMIC,
    /* The atom row_atoms[right] holds for some element of row_arrays[left]. */
    ROW_SOME,
    /* The names in row_arrays[left] include the name of the enum extension `right`. */
    ROW_NAMED,
    ROW_INTACT, /* the row that comes `left` rows before this one is not broken */
    /* The geometry at this element has primitives, or their number is not known. row_steps[left]
     * leads to the array of arrays of their numbers, which are at the beginning of `right` bytes
     * each. */
    ROW_PRIMITIVES,
};

/* A value for ROW_EXTENSION: the program has named the extension. */
#define ROW_BY_NAME 2

/* The kinds of formats (sentence.py: FORMAT_KINDS). */
enum row_format_kind {
    ROW_FORMAT_COLOR,
    ROW_FORMAT_DEPTH, /* the format may have stencil too */
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

/* The requirements on the buffer of an object. */
enum row_memory {
    ROW_MEMORY_ANY,          /* the object is bound to memory, or sparse */
    ROW_MEMORY_HOST_VISIBLE, /* the host can see the memory */
    ROW_MEMORY_SINGLE,       /* the memory does not have one instance for each of several devices */
    ROW_MEMORY_NAMED,        /* the object was created in a buffer, not at an address */
};
#define ROW_LIES(handle_type_, memory_) ((handle_type_) | (memory_) << 8)

struct row_atom {
    uint8_t kind;     /* enum row_kind */
    bool positive;    /* if false, the atom holds where its condition does not */
    bool alternative; /* it is enough that this atom or the next one holds */
    /* the number of constants for ROW_AMONG; else ROW_UNSAID if no message mentions the atom */
    uint8_t count;
    uint16_t left, right;
};

/* The array whose elements a row is about. */
struct row_array {
    uint16_t first, steps;             /* the steps to the pointer */
    uint16_t count_first, count_steps; /* the steps to the number of elements, a uint32_t */
    uint16_t size;                     /* the size of an element in bytes */
    uint16_t name;
    /* 1 + an index, or 0. `outer` is the array whose elements contain this array; the steps begin
     * there. `other` is the array to use if the pointer to this one is NULL. */
    uint16_t outer, other;
    bool pointers; /* the elements are pointers to the structures that the row checks */
};

/* The way from a value to an object. */
enum row_way {
    ROW_OF_MEMBER, /* by the object's handle */
    /* From the command buffer that is recorded: its sections that have begun and not ended (no
     * object), its pool, its bound video session, and the device. */
    ROW_RECORDED_SECTIONS,
    ROW_RECORDED_POOL,
    ROW_RECORDED_VIDEO_SESSION,
    ROW_RECORDED_DEVICE,
    /* the capabilities of the driver for the video profile that the member points to */
    ROW_OF_PROFILE,
    ROW_RECORDED_FAMILY, /* the VkQueueFamilyProperties of the queue family of that pool */
};

/* The facts that the layer stores of objects (registry/language/facts.py). */
struct row_fact {
    uint8_t handle;  /* enum handle_type */
    uint8_t way;     /* enum row_way */
    uint16_t offset; /* in bytes, in the object's state */
    uint16_t name;
};

#define ROW_NO_ARRAY 0xffffu

struct row {
    uint16_t vuid;     /* enum vuid */
    uint16_t atoms;    /* index of the first atom in row_atoms */
    uint8_t guards;    /* the number of atoms that are guards */
    uint8_t count : 6; /* the number of all atoms */
    uint8_t stops : 1; /* a call that breaks the row does not reach the driver, which would crash */
    uint8_t quiet : 1; /* the row reports nothing if an earlier row of the call was broken */
    uint16_t array;    /* index in row_arrays, or ROW_NO_ARRAY */
};

struct row_chain {
    uint32_t type; /* the VkStructureType */
    uint16_t name;
};

/* The structure that the atoms of one row are about. Threads: on the stack of one call. */
struct row_subject {
    const struct check *check;
    const void *structure; /* the structure, or the parameters of a command */
    const void *chain;     /* the structure's pNext; NULL for a command */
    const void *element;   /* the element of the row's array, or NULL */
    uint32_t index;        /* index of the element */
    /* for an array in an array: the element of the outer array that contains the inner one; else
     * NULL */
    const void *outer;
    uint32_t outer_index;
    const struct row_array *array; /* the array of the element */
    /* the results of the last 64 rows: bit i is set if the row i + 1 before this one is broken */
    uint64_t broken;
};

enum row_answer { ROW_NO, ROW_YES, ROW_UNKNOWN };

/* A value that was read. Integers have 64 bits, and a sign if their type has one. */
struct row_number {
    bool known;
    bool is_real;  /* the number is in `real`, otherwise in `bits` */
    bool negative; /* `bits` is an int64_t below 0 */
    uint64_t bits;
    double real;
};

/* Checks all rows of a structure, or of a command's parameters. `where` is the place of the
 * structure, or NULL for a command. */
void rows_check(struct check *c, const struct location *where, const void *structure,
                bool has_chain, uint32_t first, uint32_t count);

/* Reads the number at `at`. */
struct row_number row_number_at(const void *at, enum row_type type);
/* The place in memory of a ROW_MEMBER, or of the handle of a ROW_FACT; NULL if a pointer points
 * nowhere. */
const void *row_member_at(const struct row_subject *subject, const struct row_value *value);
/* Reads the value of a ROW_MEMBER, or the handle of a ROW_FACT. */
struct row_number row_read_member(const struct row_subject *subject, const struct row_value *value,
                                  enum row_type type);
struct row_number row_read(const struct row_subject *subject, const struct row_value *value);
enum row_answer row_ask(const struct row_subject *subject, const struct row_atom *atom);
/* Finds an array in `base`. ROW_NO if there is none; ROW_UNKNOWN if a pointer points nowhere. */
enum row_answer row_find_array(const void *base, const struct row_array *array,
                               const char **elements, uint32_t *count);

/* True if a row may read the state of objects. */
static inline bool row_may_ask(const struct call *call)
{
    return call->device && call->instance->settings.validate_core;
}

/* Functions of row_facts.c. They find the object of a ROW_FACT, or NULL if it is not known, and
 * read the fact. The last one answers whether the buffer at a device address has one of the
 * usages. */
struct object *row_fact_object(const struct row_subject *subject, const struct row_value *value);
struct row_number row_read_fact(const struct row_subject *subject, const struct row_value *value);
enum row_answer row_ask_address(const struct call *call, uint64_t address, uint64_t usages,
                                enum row_kind kind);
/* Answers a ROW_BOUND atom; `lies` is a ROW_LIES(). */
enum row_answer row_ask_bound(const struct call *call, uint64_t handle, uint32_t lies);
/* Appends what is wrong with the buffer, such as "whose buffer is not bound to memory". */
void row_write_bound(struct string_builder *text, const struct call *call, uint64_t handle,
                     uint32_t lies) COLD;
/* Multiplies two numbers. A product that is too large becomes UINT64_MAX. */
static inline uint64_t row_times(uint64_t left, uint64_t right)
{
    uint64_t product;
    return __builtin_mul_overflow(left, right, &product) ? UINT64_MAX : product;
}
struct row_number row_read_level_extent(const struct row_subject *subject,
                                        const struct row_value *value);
/* Answers whether a format is of a kind. ROW_UNKNOWN for formats that the registry does not
 * know. */
enum row_answer row_format_is(uint64_t format, enum row_format_kind kind);
/* Answers whether a section of the command buffer has begun and not ended: the one of a
 * ROW_RECORDED_SECTIONS fact. */
enum row_answer row_section(const struct call *call, uint32_t fact);

/* Reports a broken row. `index` is that of the element in the row's array. */
void row_report(struct check *c, const struct location *where, const struct row *row,
                const struct row_subject *subject, const struct row_atom *broken,
                uint32_t index) COLD;

/* The generated tables. */
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
