/* Declares the data and functions that the passes of spirv_instrument() share. A pass is a function
 * that sees each instruction of the entry point's functions before it is copied. It may emit calls
 * of checks there:
 *
 *     void instrument_division(struct instrument *x, const struct spirv_instruction *instruction,
 *                              const uint32_t *words)
 *     {
 *         if (instruction->opcode != SpvOpUDiv)
 *             return;
 *         const struct spirv_site here = {instrument_here(x), ERROR_DIVISION_BY_ZERO};
 *         const uint32_t arguments[] = {words[4], instrument_site(x, &here)};
 *         instrument_check(x, "assay_divisor", arguments, 2);
 *     }
 *
 * A check is a function of src/gpu/shaders that returns true if there is no error. A site is a
 * place with a check; its number is how the shader names it in a record. In safe mode
 * (spirv_instrument_info::safe) an instruction is skipped at run time if a check before it fails.
 *
 * Private to src/spirv/instrument/. Threads: the thread that instruments the module; nothing is
 * shared. */
#ifndef ASSAY_SPIRV_INSTRUMENT_BUILD_H
#define ASSAY_SPIRV_INSTRUMENT_BUILD_H

#include "spirv/abi.h"
#include "spirv/abort/abort_build.h"
#include "spirv/edit/edit.h"
#include "spirv/instrument/instrument.h"
#include "spirv/edit/link.h"

/* the most indices of nested access chains; longer ones are not checked */
#define INSTRUMENT_CHAIN 32
#define INSTRUMENT_MEMOS 128

/* A check or value that was emitted before, and may still be valid at the current instruction. */
struct instrument_memo {
    /* the kind and operands of the result; kind 0: the entry is empty */
    uint32_t kind, a, b, c;
    uint32_t result; /* id */
    /* the module's block in which the result was made: it is valid in blocks that this one
     * dominates */
    uint32_t block;
};

/* Offsets in a buffer that differ only by a constant: the sum of ids[i] * strides[i]. */
struct instrument_pattern {
    uint32_t variable, index, count, ids[4], strides[4];
};

/* The bytes of a pattern from `low` to before `high`, which were checked in a block. `pattern` is a
 * number from 1 on; 0: the entry is empty. */
struct instrument_covered {
    uint32_t pattern, block, low, high;
};

/* State of the search for races in shared memory. */
struct instrument_shared {
    bool planned; /* shared_plan() has decided */
    bool on;      /* races are looked for */
    bool begun;   /* the entry point's first instruction was copied */
    /* invocations may synchronize by other means than barriers of the workgroup */
    bool by_atomics;
    bool by_barriers; /* the module has memory barriers */
    /* ids of variables: `shadow` is the array of shadow words; the others are private. `epoch`
     * counts barriers; `ordered` is the epoch in which nothing is reported; `watched` is true if
     * races are looked for in the workgroup */
    uint32_t shadow, epoch, ordered, watched;
    uint32_t shadow_function, zero_function;
    uint32_t cells; /* number of shadow words */
    /* lowest bits of the parts of a shadow word (spirv/abi.h) */
    uint32_t place_shift, site_shift, epoch_shift;
    uint32_t invocations; /* number of invocations in a workgroup; 0: unknown */
    /* owned; proves that accesses need no check; NULL: nothing is proved */
    struct instrument_phases *phases;
    /* number of accesses in the module before instruction `site_end` */
    uint32_t site, site_end;
    uint32_t block; /* the block in which `recent` is valid */
    /* pointers that were checked in this block, and how each was used */
    uint32_t recent[8], recent_use[8], recent_count;
};

/* The findings that checks report when the invocation ends (instrument_later.c). */
struct instrument_later {
    bool on;
    bool begun; /* the entry point's first instruction was copied */
    uint32_t begin_function, end_function, later_function;
    /* ids of private variables: `noted` has four words, a key and three words of the report; `salt`
     * has one */
    uint32_t noted, salt;
    struct {
        uint32_t set, entry, variable;
        /* descriptors whose bound bytes are looked up when the invocation begins, and kept in a */
    } ranges[64];
    uint32_t range_count;
};

/* A check of an extended instruction that occurs in many places, which gets a function of its own
 * (instrument_sanitizer.c). */
struct instrument_outline {
    uint32_t words[8]; /* words of the instruction: import, number, operands */
    uint32_t type;     /* type of the operands that the check depends on */
    /* the operands that the check depends on: index of the first one, and their number */
    uint32_t first, count;
    uint32_t constants[2]; /* ids of the operands that are constant, or 0 */
    bool mixed;            /* the types of the operands differ in the sign of integers */
    uint32_t function;     /* 0: not worth a function */
};

struct instrument {
    const struct spirv_module *module;
    const struct spirv_instrument_info *info;
    /* describes how `module` was lowered for OpAbortKHR; NULL: it is the program's own module */
    const struct abort_lowered *lowered;
    struct spirv_edit edit;
    struct spirv_link link;
    struct spirv_instrumented *result;
    bool failed; /* memory was out, or the module is not understood */

    /* These arrays are indexed by ids of the module. */
    uint32_t *sets, *bindings, *builtins; /* SPIRV_NONE: no decoration */
    uint32_t *strides;                    /* ArrayStride of a type; 0: none */
    /* for a struct: index in `members` plus 1; 0: no decorated member */
    uint32_t *first_members;
    struct instrument_member *members;
    uint32_t member_count, member_capacity;
    bool *buffer_block; /* decorated BufferBlock */
    bool *non_uniform;  /* decorated NonUniform */
    /* the id is a variable decorated PerPrimitiveEXT, or a struct with such a member */
    bool *per_primitive;
    uint8_t *reached; /* the id is a function that the entry point calls, directly or not */
    /* for the label of a block: label of the last block that it was split into; 0: not split */
    uint32_t *last_label;

    /* The current position. */
    uint32_t index;     /* index of the instruction in the module */
    uint32_t function;  /* id of the function; 0: the function is not instrumented */
    uint32_t block;     /* label of the block that is being written */
    uint32_t own_block; /* label of the module's block that `block` is a part of */
    uint32_t entry;     /* id of the entry point's function */
    bool entered;       /* the first instruction of the function was copied */
    bool first_block, loop_header;
    /* SPIRV_NUMERIC_... that the instruction's image operands declare; 0: they do not declare it */
    uint32_t numeric;
    /* id of a bool that is true if all checks before this instruction succeeded; 0: there were none
     */
    uint32_t ok;
    struct instrument_memo memos[INSTRUMENT_MEMOS];
    uint32_t memo_count;
    struct instrument_pattern patterns[INSTRUMENT_MEMOS];
    struct instrument_covered covered[INSTRUMENT_MEMOS];
    uint32_t pattern_count, covered_count;
    struct instrument_block *blocks; /* blocks of the current function; NULL: memory was out */
    uint32_t *block_numbers;         /* for each label its index in `blocks` */
    /* positions of the module's OpPhi in the edit's function section */
    uint32_t *phis;
    uint32_t phi_count, phi_capacity;

    /* private variables with the operands of OpSetMeshOutputsEXT; 0: not made yet */
    uint32_t mesh_vertices, mesh_primitives;
    struct {
        /* ids: a ray query, and the private variable that is true once it is initialized */
        uint32_t variable, ready;
        /* ray queries whose initialization is followed (instrument_queries.c) */
    } queries[16];
    uint32_t query_count;
    struct instrument_shared shared;
    struct instrument_later later;
    /* the module makes floating-point numbers of other bits somewhere, if that is known yet */
    bool nan_bits, nan_bits_known;
    /* the last check for a NaN: the site's constant, the result of which it is about (0: more than
     * a component), NAN_IN_..., the module's block, and the id of the bool that says it was bad */
    uint32_t nan_site, nan_made, nan_where, nan_block, nan_bad;
    uint32_t spec_pointer[2]; /* specialization constants with the command's pointer; 0: not made */
    uint32_t site_capacity;
    struct instrument_values *values; /* owned; NULL: not needed so far, or memory was out */
    struct instrument_groups *groups; /* owned; NULL: there is no group so far */
    struct instrument_outline outlines[16];
    uint32_t outline_count;
    struct { /* variables that were made for built-ins which the module did not have */
        uint32_t builtin, variable;
    } made[8];
    /* the push constant block with the command's pointer, and the index of the member; variable 0:
     * the pointer is in specialization constants */
    uint32_t push_variable, push_member;
    /* type of that block if it is loaded as a whole, as it is small; else 0 */
    uint32_t push_block;
};

struct instrument_member {
    uint32_t member, offset, matrix_stride;
    bool row_major;
    uint32_t next; /* index in `members` plus 1; 0: there is no other */
};

/* An access through a device address. */
struct instrument_reach {
    uint32_t pointer;
    uint32_t size; /* bytes that are read or written */
    /* bytes from the first to the last of these, which are more than `size` in a matrix stored by
     * rows; 0: unknown */
    uint32_t span;
    uint32_t alignment; /* alignment in bytes that the instruction promises; 1: none */
    bool in_rows;       /* the access is to a part of a matrix that is stored by rows */
    /* words of the access chain that made the pointer; NULL: there is none, or it is not understood
     */
    const uint32_t *chain;
    uint32_t length; /* of `chain` */
    /* the last struct member in the chain; NULL: none, or unknown */
    const struct instrument_member *member;
    uint32_t column; /* which word of `chain` selects the column of a matrix; 0: none does */
    uint32_t matrix; /* type id of that matrix */
};

/* A pointer to a variable, or into it, by the access chains that made the pointer. */
struct instrument_access {
    uint32_t variable, storage; /* SpvStorageClass */
    uint32_t set, binding;
    /* NULL: the pipeline's layout does not have the binding */
    const struct spirv_instrument_binding *layout;
    /* 1: the variable is an array of descriptors (14.5.3: it has one dimension), and the first
     * index selects one; 0: it is a single descriptor */
    uint32_t descriptors;
    /* declared length of that array; 0: it is a runtime array, or specialization gives the length
     */
    uint32_t declared;
    uint32_t resource_type;             /* type id of one descriptor: image, struct ... */
    uint32_t indices[INSTRUMENT_CHAIN]; /* ids of all indices; that of the descriptor comes first */
    uint32_t index_count;
};

/* The type of an operand: a scalar, or a vector of up to four components. */
struct instrument_numbers {
    uint32_t type, element; /* ids of types; the same for a scalar */
    uint32_t count;         /* components; 1: a scalar */
    uint32_t width;         /* bits of one component */
    bool real, is_signed;
};

/* --- instrument_types.c --- */
bool instrument_types_read(struct instrument *x);
void instrument_types_free(struct instrument *x);
const struct instrument_member *instrument_member(const struct instrument *x, uint32_t type,
                                                  uint32_t member);
/* Returns the words of an id's definition, if it has this opcode and at least this many words; else
 * NULL. */
const uint32_t *instrument_definition(const struct instrument *x, uint32_t id, SpvOp opcode,
                                      uint32_t words);
/* Returns the opcode that defines an id; SpvOpNop: the id has no definition. */
uint16_t instrument_opcode(const struct instrument *x, uint32_t id);
/* Returns the type of a result; 0: the id is not a result with a type. */
uint32_t instrument_type_of(const struct instrument *x, uint32_t id);
/* Reads a type. Returns false if it is not a scalar or vector of integers or IEEE 754 numbers. */
bool instrument_numbers(const struct instrument *x, uint32_t type,
                        struct instrument_numbers *numbers);
/* Finds the value of an integer constant that specialization cannot change. Returns false if the id
 * is not one. */
bool instrument_value(const struct instrument *x, uint32_t id, uint64_t *value);
/* Returns the bytes of a type by its explicit layout; 0: unknown, or a runtime array. `in` is the
 * struct member that has this type; NULL: there is none. */
uint32_t instrument_size(const struct instrument *x, uint32_t type,
                         const struct instrument_member *in);
/* Follows access chains from a pointer to a variable. Returns false if the pointer has another
 * origin. */
bool instrument_resolve(const struct instrument *x, uint32_t pointer,
                        struct instrument_access *access);

/* --- instrument_emit.c --- */
static inline uint32_t instrument_u32(struct instrument *x, uint32_t value)
{
    return spirv_edit_constant_u32(&x->edit, value);
}
/* These two return the number by which records name an instruction of the module: instruction
 * `index`, and the current one. */
static inline uint32_t instrument_place(const struct instrument *x, uint32_t index)
{
    assert(index < x->module->instruction_count);
    assert(!x->lowered || index >= x->edit.first_function);
    return x->lowered ? x->lowered->origins[index - x->edit.first_function] : index;
}
static inline uint32_t instrument_here(const struct instrument *x)
{
    return instrument_place(x, x->index);
}
/* Returns the id of a constant with the value of instrument_here(). */
static inline uint32_t instrument_where(struct instrument *x)
{
    return instrument_u32(x, instrument_here(x));
}
/* Emits the call of a function of the library; returns the result's id. */
uint32_t instrument_call(struct instrument *x, const char *function, uint32_t result_type,
                         const uint32_t *arguments, uint32_t count);
/* Adds a site. Returns the id of the constant by which the shader names it. */
uint32_t instrument_site(struct instrument *x, const struct spirv_site *site);
enum { SITE_CONSTANT, SITE_A, SITE_B, SITE_C, SITE_D, SITE_E, SITE_F }; /* spirv_site::from */
/* Emits code that reports the site with three words, if the bool `bad` is true at run time. It
 * reports at the invocation's end if the shader does so (struct instrument_later). */
void instrument_tell(struct instrument *x, uint32_t bad, uint32_t site, const uint32_t words[3]);
/* Emits the call of a check, and returns the id of its result, a bool. In safe mode the current
 * instruction only runs if all checks before it are true. */
uint32_t instrument_check(struct instrument *x, const char *function, const uint32_t *arguments,
                          uint32_t count);
/* Makes the current instruction depend on `ok`, the result of an earlier check, in safe mode. */
void instrument_require(struct instrument *x, uint32_t ok);
/* Makes the current instruction depend on `ok` in any mode. */
void instrument_hold(struct instrument *x, uint32_t ok);
/* Emits an operation with a result, and returns the result's id. */
uint32_t instrument_emit(struct instrument *x, SpvOp opcode, uint32_t type,
                         const uint32_t *operands, uint32_t count);
/* Emits the conversion of a value's components to words for the record: integers are cut to 32
 * bits, floating-point numbers converted to 32 bits. */
uint32_t instrument_number_words(struct instrument *x, uint32_t id,
                                 const struct instrument_numbers *numbers);
/* Emits the conversion of an integer scalar to a 32-bit unsigned integer, and returns its id; 0:
 * the value is not an integer scalar. */
uint32_t instrument_to_u32(struct instrument *x, uint32_t id);
/* Returns the result that was remembered for (kind, a, b, c), if it is valid in the current block;
 * else 0. */
uint32_t instrument_memo_find(const struct instrument *x, uint32_t kind, uint32_t a, uint32_t b,
                              uint32_t c);
void instrument_memo_add(struct instrument *x, uint32_t kind, uint32_t a, uint32_t b, uint32_t c,
                         uint32_t result);
enum instrument_memo_kind {
    MEMO_INDEX = 1,
    MEMO_DESCRIPTOR,
    MEMO_RANGE,
    MEMO_LENGTH,
    MEMO_WITHIN,
    MEMO_U32,
    MEMO_SANITIZED,
    MEMO_TOUCHED
};

/* --- instrument_globals.c --- */
/* Gives the library's functions access to the command's pointer and to the built-ins that they
 * need. Returns false if that is not possible; result->pointer_unreachable is set if the push
 * constants had no space. */
bool instrument_globals_begin(struct instrument *x);

/* --- instrument_blocks.c --- */
/* for the function that begins at the current instruction */
void instrument_blocks_read(struct instrument *x);
void instrument_blocks_free(struct instrument *x);
/* True if every path to block `b` goes through block `a`. Both are labels of the module. */
bool instrument_dominates(const struct instrument *x, uint32_t a, uint32_t b);

/* --- instrument_descriptors.c --- */
/* Returns the id of the descriptor's index in its binding, as 32 bits; 0: it is unknown. */
uint32_t instrument_descriptor_index(struct instrument *x, const struct instrument_access *access);
/* Returns the id of the number of descriptors in the binding, as 32 bits; 0: it is unknown. */
uint32_t instrument_descriptor_count(struct instrument *x, const struct instrument_access *access);
/* Emits the index of the descriptor, replaced by 0 if it is out of bounds, and returns its id; 0:
 * the index is unknown. It is for code that must not use an index out of bounds. */
uint32_t instrument_safe_index(struct instrument *x, const struct instrument_access *access);

/* Emits loads of the first `components` components of a built-in with `size` components. `out` gets
 * their ids as 32-bit words; floating-point ones (`real`) as their bits. */
void instrument_builtin(struct instrument *x, uint32_t builtin, bool real, uint32_t components,
                        uint32_t size, uint32_t *out);

/* --- passes --- */
void instrument_descriptors(struct instrument *x, const struct spirv_instruction *instruction,
                            const uint32_t *words);
void instrument_buffers(struct instrument *x, const struct spirv_instruction *instruction,
                        const uint32_t *words);
void instrument_vertex(struct instrument *x, const struct spirv_instruction *instruction,
                       const uint32_t *words);
void instrument_addresses(struct instrument *x, const struct spirv_instruction *instruction,
                          const uint32_t *words);
void instrument_sanitizer(struct instrument *x, const struct spirv_instruction *instruction,
                          const uint32_t *words);
void instrument_nan(struct instrument *x, const struct spirv_instruction *instruction,
                    const uint32_t *words);
void instrument_sanitizer_end(struct instrument *x); /* after all functions */
void instrument_mesh(struct instrument *x, const struct spirv_instruction *instruction,
                     const uint32_t *words);
/* Emits OpSetMeshOutputsEXT with its counts limited to the declared ones, as drivers do not check
 * them. Returns false if the instruction is to be copied unchanged. */
bool instrument_mesh_clamp(struct instrument *x, const struct spirv_instruction *instruction,
                           const uint32_t *words);
void instrument_touched(struct instrument *x, const struct spirv_instruction *instruction,
                        const uint32_t *words);
void instrument_trace(struct instrument *x, const struct spirv_instruction *instruction,
                      const uint32_t *words);
void instrument_queries(struct instrument *x, const struct spirv_instruction *instruction,
                        const uint32_t *words);
/* True if the ray query is certainly initialized at the current instruction, or nothing is known of
 * it. */
bool instrument_query_is_sure(struct instrument *x, uint32_t query);
/* Is called for each instruction, also after the limit of checks is reached, as it must see all
 * barriers. */
void instrument_shared(struct instrument *x, const struct spirv_instruction *instruction,
                       const uint32_t *words);
void instrument_shared_end(struct instrument *x); /* after all functions */

/* --- instrument_phases.c --- */
/* Follows a pointer to a variable in shared memory, and returns the variable; 0: the pointer has
 * another origin. The indices end at the end of `indices`, from `*first` on; those nearest to the
 * variable come first. */
uint32_t instrument_shared_resolve(const struct instrument *x, uint32_t pointer,
                                   uint32_t indices[INSTRUMENT_CHAIN], uint32_t *first);
/* Finds the phases for a workgroup of this size, where 0 is unknown. The caller frees them. NULL:
 * memory is out, or there are too many variables. */
struct instrument_phases *instrument_phases_find(const struct instrument *x,
                                                 const uint32_t size[3]);
void instrument_phases_free(struct instrument_phases *phases);
/* True if the access of a variable certainly does not race. `atomic`: the access is atomic; nothing
 * is proved for such an access. */
bool instrument_phases_prove(const struct instrument_phases *phases, uint32_t instruction,
                             uint32_t variable, bool atomic);
/* Returns the id of the constant by which the library names a set: the position of its table's
 * address in the command record, in pairs of words. */
static inline uint32_t instrument_set(struct instrument *x, uint32_t set)
{
    return instrument_u32(x, COMMAND_TABLES / 2 + set);
}
/* Returns where a set's table has the bound range of this descriptor, in pairs of words. */
static inline uint32_t instrument_range_entry(uint32_t descriptor)
{
    return (TABLE_ENTRIES + ENTRY_WORDS * descriptor + ENTRY_RANGE) / 2;
}
/* Emits the look-up of a descriptor's bound bytes in the set's table (instrument_emit.c). `entry`
 * comes from instrument_entry(). */
uint32_t instrument_bytes(struct instrument *x, uint32_t entry, uint32_t set);
/* Finds where the set's table has the bound range of the descriptor, in pairs of words. Returns
 * false if the descriptor's index is not constant, or not in bounds. */
bool instrument_entry(const struct instrument *x, const struct instrument_access *access,
                      uint32_t *entry);

/* --- instrument_later.c --- */
void instrument_later_begin(struct instrument *x); /* is called before all functions */
/* These two are called for each instruction: before the passes, and after them. */
void instrument_later_before(struct instrument *x, const struct spirv_instruction *instruction,
                             const uint32_t *words);
void instrument_later_after(struct instrument *x, const struct spirv_instruction *instruction);
void instrument_later_end(struct instrument *x); /* after all functions */
/* Returns the id of the bound bytes (or texels) that the invocation has looked up at its beginning;
 * 0: they were not looked up. */
uint32_t instrument_later_range(struct instrument *x, const struct instrument_access *access);
/* Emits the call of a library function in place of the call of its stub (abort_build.h). Returns
 * false if the instruction does not call a stub. */
bool instrument_abort(struct instrument *x, const struct spirv_instruction *instruction,
                      const uint32_t *words);
/* True if the function is a stub for one of the library. */
bool instrument_is_stub(const struct instrument *x, uint32_t function);
/* Emits the record of a debug printf in place of the module's instruction. Returns false if the
 * instruction is another one, or debug printf is off. */
bool instrument_printf(struct instrument *x, const struct spirv_instruction *instruction,
                       const uint32_t *words);
/* Emits the current access chain with its descriptor index limited to the bounds. Returns false if
 * the chain is to be copied unchanged. */
bool instrument_clamp(struct instrument *x, const struct spirv_instruction *instruction,
                      const uint32_t *words);
/* --- instrument_values.c --- */
/* Finds which instructions of a block, between `label` and `end`, have the same value. Returns
 * false if memory is out, or was out before; then nothing is known. Time and memory are linear in
 * the block's length. */
bool instrument_values_read(struct instrument *x, uint32_t label, uint32_t end) MUST_CHECK;
void instrument_values_free(struct instrument *x);
/* Returns the first id that certainly has the same value as this one; mostly that is the id itself.
 * It may be used wherever `id` may be used. */
uint32_t instrument_same(const struct instrument *x, uint32_t id);
/* True if the instruction's result depends on nothing but its operands. */
bool instrument_is_pure(const struct instrument *x, const struct spirv_instruction *instruction,
                        const uint32_t *words);
/* True if the driver may compute values of this type with fewer bits: integers of 32 bits or less,
 * in a module with RelaxedPrecision. */
bool instrument_is_relaxed(const struct instrument *x, uint32_t type);
/* True if an instruction of this kind changes neither memory nor a variable, and the next
 * instruction follows it. */
bool instrument_writes_nothing(uint32_t opcode);

/* Finds the variables to which the function, instructions from `first` to before `end`, stores only
 * once. It is called before the function's instructions are copied. Returns false if memory is
 * out. */
bool instrument_values_function(struct instrument *x, uint32_t first, uint32_t end) MUST_CHECK;

/* --- instrument_groups.c --- */
/* Finds accesses in several blocks of a function that one check in an earlier block can test.
 * `function` is the index of its first instruction. */
void instrument_groups_far(struct instrument *x, uint32_t function);
/* Is called for each instruction, and emits the group checks that belong before it. */
void instrument_groups_before(struct instrument *x);
/* Returns the id of the bool that is the result of the group's check of the access at the current
 * instruction. Returns 0 if the access is in no group. */
uint32_t instrument_groups_known(struct instrument *x, const struct instrument_reach *reach,
                                 uint32_t address, uint32_t site);
/* Finds accesses in the block that begins at instruction `label` that one check can test. */
void instrument_groups_plan(struct instrument *x, uint32_t label);
void instrument_groups_end(struct instrument *x); /* after all functions */
void instrument_groups_free(struct instrument *x);
/* Checks the access through `pointer` at the current instruction together with others. Returns the
 * id of the result, a bool; 0: the access is in no group, and is to be checked alone. */
uint32_t instrument_groups_check(struct instrument *x, uint32_t pointer);

/* --- instrument_addresses.c --- */
/* Describes the access of an instruction through a pointer. Returns false if that is not a device
 * address, or too little is known for a check. */
bool instrument_reach(const struct instrument *x, const struct spirv_instruction *instruction,
                      const uint32_t *words, uint32_t pointer, struct instrument_reach *reach);
/* Emits the conversion of a pointer to a pair of words, and returns its id. */
uint32_t instrument_address(struct instrument *x, uint32_t pointer);
/* Adds the site of the access by instruction `index`. Returns the id of the constant by which the
 * shader names it. */
uint32_t instrument_address_site(struct instrument *x, uint32_t index, uint32_t span,
                                 uint32_t alignment, bool writes);
/* Returns the pointer of a memory access; 0: the instruction is not one. A copy has two pointers:
 * `second` is the one that it reads. */
uint32_t instrument_accessed(const struct spirv_instruction *instruction, const uint32_t *words,
                             uint32_t *second, bool *writes);

#endif
