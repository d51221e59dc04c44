/* Data and functions that the passes of spirv_instrument share. A pass is a function that sees each
 * instruction of the entry point's functions before it is copied, and may call checks before it:
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
 * A check is a function of src/gpu/shaders that returns true if there is no error. Private to the
 * room.
 * Threads: that which makes the module; nothing is shared. */
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

/* A check or value that may still be valid at the present instruction. */
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

/* Bytes from `low` to `high` of a pattern that were checked in a block. Pattern 0: none. */
struct instrument_covered {
    uint32_t pattern, block, low, high;
};

/* State of the search for races in shared memory. */
struct instrument_shared {
    bool planned; /* shared_plan() has decided */
    bool on;      /* races are looked for */
    bool begun;   /* the entry point's first instruction was copied */
    /* invocations may synchronize otherwise than by barriers of the workgroup */
    bool by_atomics;
    bool by_barriers; /* the module has memory barriers */
    /* variables: the shadow words; and private ones that count barriers, and are true if the
     * workgroup is watched */
    uint32_t shadow, epoch, ordered, watched;
    uint32_t shadow_function, zero_function;
    uint32_t cells; /* number of shadow words */
    /* first bits of the parts of a shadow word: spirv/abi.h */
    uint32_t place_shift, site_shift, epoch_shift;
    uint32_t invocations; /* number of invocations in a workgroup; 0: unknown */
    /* owned: finds accesses that need no check; NULL: not known */
    struct instrument_phases *phases;
    /* number of accesses in the module before instruction `site_end` */
    uint32_t site, site_end;
    uint32_t block; /* the block in which `recent` is valid */
    /* pointers that were checked, and their uses */
    uint32_t recent[8], recent_use[8], recent_count;
};

/* The findings that checks report when the invocation ends (instrument_later.c). */
struct instrument_later {
    bool on;
    bool begun; /* the entry point's first instruction was copied */
    uint32_t begin_function, end_function, later_function;
    /* private variables: `noted` has four words, the key and three of the site; `salt` has one */
    uint32_t noted, salt;
    struct {
        uint32_t set, entry, variable;
    } ranges[64]; /* of descriptors whose bytes bound are asked for when the invocation begins, and
                     stay in a variable */
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
    /* the lowering that made `module`; NULL: it is the program's own module */
    const struct abort_lowered *lowered;
    struct spirv_edit edit;
    struct spirv_link link;
    struct spirv_instrumented *result;
    bool failed; /* memory was out, or the module is not understood */

    /* Arrays by id of the module. */
    uint32_t *sets, *bindings, *builtins; /* SPIRV_NONE: no decoration */
    uint32_t *strides;                    /* ArrayStride of a type; 0: none */
    /* for a struct: index in `members` plus 1; 0: no decorated member */
    uint32_t *first_members;
    struct instrument_member *members;
    uint32_t member_count, member_capacity;
    bool *buffer_block; /* decorated BufferBlock */
    bool *non_uniform;  /* decorated NonUniform */
    /* decorated PerPrimitiveEXT: a variable, or a struct with such a member */
    bool *per_primitive;
    uint8_t *reached; /* for functions: called from the entry point */
    /* for a block: label of the last block that it was split into; 0: not split */
    uint32_t *last_label;

    /* The present position. */
    uint32_t index;     /* index of the instruction in the module */
    uint32_t function;  /* id; 0: outside of a reached function */
    uint32_t block;     /* label of the block that is being written */
    uint32_t own_block; /* label of the module's block that `block` is a part of */
    uint32_t entry;     /* id of the entry point's function */
    bool entered;       /* the first instruction of the function was copied */
    bool first_block, loop_header;
    /* SPIRV_NUMERIC_... that the instruction's image operands declare; 0: they do not */
    uint32_t numeric;
    uint32_t ok; /* id of the conjunction of the checks before this instruction; 0: none */
    struct instrument_memo memos[INSTRUMENT_MEMOS];
    uint32_t memo_count;
    struct instrument_pattern patterns[INSTRUMENT_MEMOS];
    struct instrument_covered covered[INSTRUMENT_MEMOS];
    uint32_t pattern_count, covered_count;
    struct instrument_block *blocks; /* blocks of the present function; NULL: unknown */
    uint32_t *block_numbers;         /* by id */
    /* positions of the module's OpPhi in the edit's function section */
    uint32_t *phis;
    uint32_t phi_count, phi_capacity;

    /* private variables with the operands of OpSetMeshOutputsEXT; 0: not made yet */
    uint32_t mesh_vertices, mesh_primitives;
    struct {
        uint32_t variable, ready; /* instrument_queries.c */
    } queries[16];                /* the ray queries that are followed */
    uint32_t query_count;
    struct instrument_shared shared;
    struct instrument_later later;
    uint32_t spec_pointer[2]; /* specialization constants with the command's pointer; 0: not made */
    uint32_t site_capacity;
    struct instrument_values *values; /* NULL: not wanted yet, or memory is out */
    struct instrument_groups *groups; /* owned; NULL before the first one */
    struct instrument_outline outlines[16];
    uint32_t outline_count;
    struct { /* built-ins that the module did not have */
        uint32_t builtin, variable;
    } made[8];
    /* what holds the command's pointer; 0: specialization constants */
    uint32_t push_variable, push_member;
    /* the variable's struct, where it is small enough to be loaded as a whole; else 0 */
    uint32_t push_block;
};

struct instrument_member {
    uint32_t member, offset, matrix_stride;
    bool row_major;
    uint32_t next; /* index in `members` and 1 */
};

/* An access through a device address. */
struct instrument_reach {
    uint32_t pointer;
    uint32_t size; /* bytes that are read or written */
    /* bytes from the first to the last of them: more in a matrix that is stored by rows. 0: it is
     * unknown */
    uint32_t span;
    uint32_t alignment; /* that the instruction promises; 1 without */
    bool in_rows;       /* a part of a matrix that is stored by rows */
    /* access chain of the pointer; NULL: there is none, or it is not understood */
    const uint32_t *chain;
    uint32_t length;                        /* of `chain` */
    const struct instrument_member *member; /* that the chain ends in; NULL: none, or unknown */
    uint32_t column; /* position in `chain` of a matrix's column; 0: it enters no matrix */
    uint32_t matrix; /* type id of that matrix */
};

/* A pointer into a resource: what its access chains say. */
struct instrument_access {
    uint32_t variable, storage; /* SpvStorageClass */
    uint32_t set, binding;
    const struct spirv_instrument_binding *layout; /* NULL: the pipeline's layout does not say */
    /* 1: the variable is an array of them (14.5.3: of one dimension), and the first index says
     * which; 0: it is one */
    uint32_t descriptors;
    /* elements of the array as declared; 0: as many as there are, or only specialization tells */
    uint32_t declared;
    uint32_t resource_type;             /* type of one element: image, struct ... */
    uint32_t indices[INSTRUMENT_CHAIN]; /* ids; the indices of descriptors come first */
    uint32_t index_count;
};

/* --- instrument_types.c --- */
bool instrument_types_read(struct instrument *x);
void instrument_types_free(struct instrument *x);
const struct instrument_member *instrument_member(const struct instrument *x, uint32_t type,
                                                  uint32_t member);
/* The words of the definition of an id if it has this opcode (and at least this many words), else
 * NULL. */
const uint32_t *instrument_definition(const struct instrument *x, uint32_t id, SpvOp opcode,
                                      uint32_t words);
/* The opcode that defines an id; SpvOpNop: the id has no definition. */
uint16_t instrument_opcode(const struct instrument *x, uint32_t id);
/* The type of a result; 0: the id is not a result. */
uint32_t instrument_type_of(const struct instrument *x, uint32_t id);
/* The value of an integer constant that specialization does not change. */
bool instrument_value(const struct instrument *x, uint32_t id, uint64_t *value);
/* Bytes of a type by its explicit layout; `in` is the member that it is of, or NULL. 0: unknown, or
 * a runtime array. */
uint32_t instrument_size(const struct instrument *x, uint32_t type,
                         const struct instrument_member *in);
/* Follows access chains from a pointer to a variable. False: it comes from elsewhere. */
bool instrument_resolve(const struct instrument *x, uint32_t pointer,
                        struct instrument_access *access);

/* --- instrument_emit.c --- */
static inline uint32_t instrument_u32(struct instrument *x, uint32_t value)
{
    return spirv_edit_constant_u32(&x->edit, value);
}
/* The number by which records name an instruction of the module, and the one at hand. */
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
/* The id of a constant with instrument_here(). */
static inline uint32_t instrument_where(struct instrument *x)
{
    return instrument_u32(x, instrument_here(x));
}
/* Calls a function of the library; gives the result's id. */
uint32_t instrument_call(struct instrument *x, const char *function, uint32_t result_type,
                         const uint32_t *arguments, uint32_t count);
/* The id of the constant by which the shader names a new site. */
uint32_t instrument_site(struct instrument *x, const struct spirv_site *site);
enum { SITE_CONSTANT, SITE_A, SITE_B, SITE_C, SITE_D, SITE_E, SITE_F }; /* spirv_site::from */
/* Reports the site with three words, if `bad`. Where the invocation may report at its end, it
 * does. */
void instrument_tell(struct instrument *x, uint32_t bad, uint32_t site, const uint32_t words[3]);
/* Calls a check: in safe mode the instruction at hand happens only where all checks before it give
 * true. Gives the bool's id. */
uint32_t instrument_check(struct instrument *x, const char *function, const uint32_t *arguments,
                          uint32_t count);
/* This is a condition that the instruction at hand needs in safe mode: a check that was made
 * before. */
void instrument_require(struct instrument *x, uint32_t ok);
/* This is a condition that it needs in any mode. */
void instrument_hold(struct instrument *x, uint32_t ok);
/* Emits an operation with a result; gives the id. */
uint32_t instrument_emit(struct instrument *x, SpvOp opcode, uint32_t type,
                         const uint32_t *operands, uint32_t count);
/* The id as a 32-bit unsigned integer, whatever integer scalar it is; 0 when it is none. */
uint32_t instrument_to_u32(struct instrument *x, uint32_t id);
/* The id that was made of (kind, a, b, c) and still holds; 0: none. */
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
/* The way to the command's record, for the library. False: nothing can be done
 * (result->pointer_unreachable tells whether for want of room). */
bool instrument_globals_begin(struct instrument *x);

/* --- instrument_blocks.c --- */
void instrument_blocks_read(struct instrument *x); /* of the function that begins */
void instrument_blocks_free(struct instrument *x);
/* True if whatever comes to block `b`, a label of the module, comes through `a` before. */
bool instrument_dominates(const struct instrument *x, uint32_t a, uint32_t b);

/* --- instrument_descriptors.c --- */
/* The number of the descriptor in its binding, as an id of 32 bits; 0: it is unknown. */
uint32_t instrument_descriptor_index(struct instrument *x, const struct instrument_access *access);
/* How many descriptors the binding has, as an id of 32 bits; 0: unknown. */
uint32_t instrument_descriptor_count(struct instrument *x, const struct instrument_access *access);
/* The index of the descriptor if it is in bounds, else 0: for accesses that must not go astray by
 * themselves. */
uint32_t instrument_safe_index(struct instrument *x, const struct instrument_access *access);

/* Loads `components` words of a built-in that has `size` of them, where we are: floating-point ones
 * as their bits. */
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
void instrument_sanitizer_end(struct instrument *x); /* after all functions */
void instrument_mesh(struct instrument *x, const struct spirv_instruction *instruction,
                     const uint32_t *words);
/* Emits OpSetMeshOutputsEXT with counts that do not exceed what is declared: drivers trust them.
 * False: it is to be copied. */
bool instrument_mesh_clamp(struct instrument *x, const struct spirv_instruction *instruction,
                           const uint32_t *words);
void instrument_touched(struct instrument *x, const struct spirv_instruction *instruction,
                        const uint32_t *words);
void instrument_trace(struct instrument *x, const struct spirv_instruction *instruction,
                      const uint32_t *words);
void instrument_queries(struct instrument *x, const struct spirv_instruction *instruction,
                        const uint32_t *words);
/* True if the ray query is certain to be initialized here, or nothing is known of it. */
bool instrument_query_is_sure(struct instrument *x, uint32_t query);
/* Is shown each instruction, also where no more checks are wanted: it must know of all barriers. */
void instrument_shared(struct instrument *x, const struct spirv_instruction *instruction,
                       const uint32_t *words);
void instrument_shared_end(struct instrument *x); /* after all functions */

/* --- instrument_phases.c --- */
/* Follows a pointer to a variable in shared memory; indices nearest to the variable come first. 0:
 * it comes from elsewhere. */
uint32_t instrument_shared_resolve(const struct instrument *x, uint32_t pointer,
                                   uint32_t indices[INSTRUMENT_CHAIN], uint32_t *first);
/* For a workgroup of this size; 0: unknown. The caller frees it. NULL: there is no memory for it,
 * or there are too many variables. */
struct instrument_phases *instrument_phases_find(const struct instrument *x,
                                                 const uint32_t size[3]);
void instrument_phases_free(struct instrument_phases *phases);
/* True if the access of a variable races with nothing whatever the values are. `atomic`: the access
 * is atomic. */
bool instrument_phases_prove(const struct instrument_phases *phases, uint32_t instruction,
                             uint32_t variable, bool atomic);
/* How the library counts sets: by their tables' addresses in the command. */
static inline uint32_t instrument_set(struct instrument *x, uint32_t set)
{
    return instrument_u32(x, COMMAND_TABLES / 2 + set);
}
/* Where the table has what is bound of this descriptor, in pairs. */
static inline uint32_t instrument_range_entry(uint32_t descriptor)
{
    return (TABLE_ENTRIES + ENTRY_WORDS * descriptor + ENTRY_RANGE) / 2;
}
/* Asks the set's table how many bytes are bound of a descriptor, whose `entry` instrument_entry()
 * gives. (instrument_emit.c) */
uint32_t instrument_bytes(struct instrument *x, uint32_t entry, uint32_t set);
/* Where what is bound of the descriptor stands in its set's table, in pairs of words, if it is
 * always the same, and is there. */
bool instrument_entry(const struct instrument *x, const struct instrument_access *access,
                      uint32_t *entry);

/* --- instrument_later.c --- */
void instrument_later_begin(struct instrument *x); /* before all functions */
/* Is shown each instruction before, and after the passes. */
void instrument_later_before(struct instrument *x, const struct spirv_instruction *instruction,
                             const uint32_t *words);
void instrument_later_after(struct instrument *x, const struct spirv_instruction *instruction);
void instrument_later_end(struct instrument *x); /* after all functions */
/* The bytes (texels) bound that the invocation has asked for at its beginning. 0: it did not ask.
 */
uint32_t instrument_later_range(struct instrument *x, const struct instrument_access *access);
/* The library's function in place of the one that stands for it (abort_build.h). False: the
 * instruction calls none. */
bool instrument_abort(struct instrument *x, const struct spirv_instruction *instruction,
                      const uint32_t *words);
/* True if the function stands for one of the library. */
bool instrument_is_stub(const struct instrument *x, uint32_t function);
/* The record of a debug printf, in place of the module's instruction. False: the instruction is
 * another one, or the program's printfs are not looked for. */
bool instrument_printf(struct instrument *x, const struct spirv_instruction *instruction,
                       const uint32_t *words);
/* Emits the access chain at hand with its descriptor index clamped, in place of the program's.
 * False: the chain is copied unchanged. */
bool instrument_clamp(struct instrument *x, const struct spirv_instruction *instruction,
                      const uint32_t *words);
/* --- instrument_values.c --- */
/* Finds which values of the block's instructions (label, end) are the same. False: memory is out,
 * or this was out before; nothing is known then. Takes time and memory by the block's length. */
bool instrument_values_read(struct instrument *x, uint32_t label, uint32_t end) MUST_CHECK;
void instrument_values_free(struct instrument *x);
/* The first id that is certain to have this id's value; mostly the id itself. It may be used
 * wherever this id may be. */
uint32_t instrument_same(const struct instrument *x, uint32_t id);
/* True if the instruction's result depends on nothing but its operands. */
bool instrument_is_pure(const struct instrument *x, const struct spirv_instruction *instruction,
                        const uint32_t *words);
/* True if numbers of the type may have fewer bits here or there, as the driver likes: integers of
 * 32 bits or less, where the module has some of relaxed precision. */
bool instrument_is_relaxed(const struct instrument *x, uint32_t type);
/* True if no memory, and no variable, may change by an instruction of this kind, and the invocation
 * goes on after it. */
bool instrument_writes_nothing(uint32_t opcode);

/* Finds variables of the function's instructions [first, end) to which one value is stored. It is
 * called before any of these is looked at. False: memory is out. */
bool instrument_values_function(struct instrument *x, uint32_t first, uint32_t end) MUST_CHECK;

/* --- instrument_groups.c --- */
/* Finds accesses of the function, of which this is the first instruction, that one check can look
 * at from afar. */
void instrument_groups_far(struct instrument *x, uint32_t function);
/* Is shown each instruction: emits the checks that are due there. */
void instrument_groups_before(struct instrument *x);
/* Returns the id of the bool that is the result of the group's check of the access at the current
 * instruction. Returns 0 if the access is in no group. */
uint32_t instrument_groups_known(struct instrument *x, const struct instrument_reach *reach,
                                 uint32_t address, uint32_t site);
/* Finds accesses of the block that begins at `label` that one check can look at. */
void instrument_groups_plan(struct instrument *x, uint32_t label);
void instrument_groups_end(struct instrument *x); /* after all functions */
void instrument_groups_free(struct instrument *x);
/* The check of the access through `pointer` at the instruction at hand, if others are checked with
 * it: the id of a bool. 0: it is to be checked alone. */
uint32_t instrument_groups_check(struct instrument *x, uint32_t pointer);

/* --- instrument_addresses.c --- */
/* False: it goes through no device address, or not enough is known of it to be checked. */
bool instrument_reach(const struct instrument *x, const struct spirv_instruction *instruction,
                      const uint32_t *words, uint32_t pointer, struct instrument_reach *reach);
/* The pointer as a pair of words. */
uint32_t instrument_address(struct instrument *x, uint32_t pointer);
/* The constant by which the shader names the access of instruction `index`. */
uint32_t instrument_address_site(struct instrument *x, uint32_t index, uint32_t span,
                                 uint32_t alignment, bool writes);
/* The pointer that a memory access goes through; 0: it is none. A copy has two: the second is what
 * is read. */
uint32_t instrument_accessed(const struct spirv_instruction *instruction, const uint32_t *words,
                             uint32_t *second, bool *writes);

#endif
