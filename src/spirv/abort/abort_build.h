/* Lowers OpAbortKHR: makes a new module of a given one, before checks are added. The new module is
 * valid by itself.
 *
 *   abort_lower.c    the steps and their order; empty functions, which instrument.c replaces by
 *                    those of gpu/shaders/abort.glsl
 *   abort_module.c   look-ups in the module, and additions to it, which all files share
 *   abort_blocks.c   a function as a graph of blocks that can be changed
 *   abort_flow.c     the control flow: an invocation that aborts ends, in callers too
 *   abort_return.c   the end of an invocation that aborts, in a function
 *   abort_repair.c   values that do not dominate their uses any more
 *   abort_wait.c     loops that may wait for other invocations
 *   abort_message.c  what a message consists of
 *   abort_write.c    how a shader writes it
 *   constant_data.c  OpConstantDataKHR, specialization, and what is not used any more
 *
 * Private to this folder. Threads: only the thread that makes the module; nothing is shared. */
#ifndef ASSAY_SPIRV_ABORT_BUILD_H
#define ASSAY_SPIRV_ABORT_BUILD_H

#include "spirv/abort/abort.h"
#include "spirv/edit/edit.h"
#include "spirv/instrument/instrument.h"

/* The functions of gpu/shaders/abort.glsl, with their parameters. */
enum abort_stub {
    ABORT_STUB_BEGIN, /* (where, site, words): the record, four words */
    ABORT_STUB_WORD,  /* (record, number, word) */
    ABORT_STUB_WORDS, /* (record, number, four words) */
    ABORT_STUB_END,   /* (record, words) */
    ABORT_STUB_ABORTED,
    ABORT_STUBS
};
extern const char *const abort_stub_names[ABORT_STUBS];

/* The result of spirv_abort_lower. */
struct abort_lowered {
    uint32_t *words; /* owned (mem_free) */
    uint32_t word_count;
    /* owned (mem_free); for each instruction from the first function on, the instruction of the
     * module that it was or replaces */
    uint32_t *origins;
    uint32_t origin_count;
    uint32_t stubs[ABORT_STUBS];     /* ids of the functions; 0: not called */
    struct spirv_abort_sites *sites; /* owned; NULL if there are none */
};

enum abort_answer { ABORT_NOTHING, ABORT_DONE, ABORT_FAILED };

/* Lowers a module. Returns ABORT_NOTHING if there is nothing to lower. The result is
 * deterministic. */
enum abort_answer spirv_abort_lower(const struct spirv_module *module,
                                    const struct spirv_instrument_info *info,
                                    struct abort_lowered *result) MUST_CHECK;
void spirv_abort_lowered_free(struct abort_lowered *lowered);

/* --- data that the files share --- */

/* Facts about types that were found. Each type is examined once, as types may contain one another
 * many times. */
enum abort_type_note {
    ABORT_NOTE_SHARED_KNOWN = 1 << 0,
    ABORT_NOTE_SHARED = 1 << 1,
    ABORT_NOTE_LAYOUT_KNOWN = 1 << 2,
    ABORT_NOTE_LAYOUT = 1 << 3,
    ABORT_NOTE_FOLDED = 1 << 4,
};

/* The way in which an invocation ends. */
enum abort_end {
    ABORT_END_RETURN, /* the function returns, and so does its caller */
    ABORT_END_KILL,   /* a fragment shader: OpKill ends the invocation in any function */
    ABORT_END_TERMINATE,
    /* an any-hit shader: the invocation ends in any function, and the candidate is dropped */
    ABORT_END_IGNORE,
};

struct abort_function {
    /* id of the function; indices of its first instruction and of the one after OpFunctionEnd */
    uint32_t id, first, end;
    bool reached;
    bool aborts; /* has OpAbortKHR */
    bool asks;   /* has OpEmitMeshTasksEXT, which also ends the invocation */
    /* has an access that may see other invocations' writes, or calls a function that has */
    bool waits;
    bool spins; /* has a loop with such an access */
    bool ends;  /* the invocation may end in the function, or in one that it calls */
};

struct abort_call {
    uint32_t caller, callee; /* indices of functions */
};

/* A specialization constant that has become a constant. */
struct abort_folded {
    uint32_t id;
    uint64_t value;
};

struct abort_lower {
    const struct spirv_module *module;
    const struct spirv_instrument_info *info;
    struct spirv_edit edit;
    struct abort_lowered *result;
    bool failed;
    bool cleans; /* the module has instructions that must be removed: used ids have to be known */

    /* the words of the module, followed by words of new instructions; operands may be changed
     * here */
    struct spirv_buffer words;
    struct spirv_module view; /* the module with these words */
    struct spirv_buffer origins;
    uint8_t *used; /* for each id: 1 if a remaining instruction uses it */
    uint32_t used_count;

    /* for each id its first annotation, and for each annotation the next one of the same id, as
     * indices of instructions; SPIRV_NONE: none */
    uint32_t *annotations, *next_annotation;
    /* Facts about types, by id. */
    uint8_t *type_notes;  /* abort_type_note */
    uint32_t *type_words; /* number of words plus 1; 0: not known */
    uint32_t *plain_types;
    struct abort_function *functions;
    uint32_t function_count, *function_of; /* by id of the module: index plus 1 */
    struct abort_call *calls;
    uint32_t call_count;
    uint32_t entry; /* id */
    enum abort_end end;

    struct abort_folded *folded;
    uint32_t folded_count, folded_capacity;

    /* id of a private bool variable that is true if the invocation is to end; 0: not made */
    uint32_t flag;
    /* id of a private variable that counts iterations of waiting loops; 0: not made */
    uint32_t turns;
    uint32_t wait_function; /* id; 0: not made */
    struct {
        /* new id of the entry point's old function; 0: the entry point is not changed */
        uint32_t body;
        uint32_t groups[3]; /* ids of private variables with the requested group counts */
        uint32_t payload, origin;
    } tasks;                    /* abort_tasks.c */
    struct abort_array *arrays; /* functions that write large arrays; abort_write.c */
    uint32_t array_count, array_capacity;
    struct abort_site_list *sites; /* abort_message.c; NULL if there are none */
};

/* --- abort_module.c --- */
/* Adds the words of an instruction after all others. Returns their position; 0: failed. */
uint32_t abort_words(struct abort_lower *lower, SpvOp opcode, const uint32_t *operands,
                     uint32_t count);
static inline uint32_t *abort_at(const struct abort_lower *lower, uint32_t at)
{
    assert(at < lower->words.count);
    return &lower->words.words[at];
}
/* Appends the instruction after the written functions. */
void abort_put(struct abort_lower *lower, uint32_t at, uint32_t origin);
/* Marks the ids that the instruction uses. Its words are not part of `words`. */
void abort_use(struct abort_lower *lower, const uint32_t *words);
/* Makes room in `used` for all ids; new ids are made while functions are written. */
bool abort_grow_used(struct abort_lower *lower) MUST_CHECK;
/* Walks the operands of the instruction at word `at` of `words`. Returns false if the grammar does
 * not know the instruction. */
bool abort_operands(const struct abort_lower *lower, uint32_t at, struct spirv_operand_walk *walk,
                    struct spirv_instruction *instruction);
/* Returns the stub of one of the library's functions. */
uint32_t abort_stub(struct abort_lower *lower, enum abort_stub stub);
uint32_t abort_private(struct abort_lower *lower, uint32_t type, uint32_t initial);
/* Returns the words of the id's definition if it has this opcode and at least so many words; else
 * NULL. The id must be one of the program's module. */
const uint32_t *abort_definition(const struct abort_lower *lower, uint32_t id, SpvOp opcode,
                                 uint32_t words);
uint32_t abort_type_of(const struct abort_lower *lower, uint32_t id);
bool abort_has_capability(const struct spirv_module *module, SpvCapability capability);
/* Finds a decoration of the id, or of a `member` of it (SPIRV_NONE: the id itself). Returns its
 * words, or NULL. */
const uint32_t *abort_decoration(const struct abort_lower *lower, uint32_t id, uint32_t member,
                                 SpvDecoration decoration);

/* --- abort_blocks.c --- */

struct flow_item {
    uint32_t at, origin;
    uint32_t next, previous; /* items of the same block; 0: none */
};

struct flow_block {
    uint32_t label;
    uint32_t first, last; /* items after the label; 0: none */
    uint32_t next;        /* the next block in the function's order; 0: the last one */
    uint32_t origin;
};

/* The dominators of blocks, by block number. */
struct flow_graph {
    uint32_t *order; /* reachable blocks, reverse postorder */
    /* number of each block in the graph; SPIRV_NONE: the block is not reachable */
    uint32_t *number;
    /* immediate dominator; and the interval in the tree of dominators, from `begin` to before
     * `begin + size` */
    uint32_t *parent, *begin, *size;
    uint32_t count;  /* number of blocks in `order` */
    uint32_t blocks; /* number of blocks when the graph was made */
};

struct flow {
    struct abort_lower *lower;
    const struct abort_function *function;
    uint32_t type;           /* id of the type that the function returns */
    struct flow_item *items; /* from 1 on */
    uint32_t item_count, item_capacity;
    struct flow_block *blocks; /* from 1 on; 1 is the entry */
    uint32_t block_count, block_capacity;
    uint32_t *block_of; /* for each label its block */
    uint32_t block_of_count;
    uint32_t body, tail; /* instructions of the module: the first label, and OpFunctionEnd */
};

/* The place where the next instruction is inserted. */
struct flow_point {
    struct flow *flow; /* the function that is changed; NULL: the code comes after all functions */
    struct abort_lower *lower;
    uint32_t block, item; /* after this item; 0: at the begin of the block */
    uint32_t origin;
};

bool flow_begin(struct flow *flow, struct abort_lower *lower,
                const struct abort_function *function) MUST_CHECK;
void flow_write(struct flow *flow);
void flow_end(struct flow *flow);
static inline uint32_t *flow_words(const struct flow *flow, uint32_t item)
{
    assert(item < flow->item_count);
    return abort_at(flow->lower, flow->items[item].at);
}
static inline uint32_t flow_opcode(const struct flow *flow, uint32_t item)
{
    return item ? spirv_word_opcode(flow_words(flow, item)[0]) : SpvOpNop;
}
static inline uint32_t flow_length(const struct flow *flow, uint32_t item)
{
    return spirv_word_length(flow_words(flow, item)[0]);
}
/* Returns the block of a label. Block 0 and item 0 mean none. */
uint32_t flow_block_of(const struct flow *flow, uint32_t label);
/* Adds a block with a new label, after `after` in the order. */
uint32_t flow_add_block(struct flow *flow, uint32_t after, uint32_t origin);
void flow_insert(struct flow *flow, uint32_t block, uint32_t after, uint32_t at, uint32_t origin,
                 uint32_t *item);
void flow_remove(struct flow *flow, uint32_t block, uint32_t item);
/* Splits a block: everything after `item` (0: the whole block) goes into a new block, which is next
 * in the order. `block` is left without a terminator. */
uint32_t flow_split(struct flow *flow, uint32_t block, uint32_t item);
/* Returns the merge instruction before the terminator; 0: there is none. */
uint32_t flow_merge(const struct flow *flow, uint32_t block);
/* Returns the last OpPhi; 0: there is none. */
uint32_t flow_last_phi(const struct flow *flow, uint32_t block);
/* Returns the index of the terminator's word with its `n`th target; 0: it has no more. */
uint32_t flow_target(const struct flow *flow, uint32_t block, uint32_t n);
/* Changes the OpPhi of a block whose values now come from another block. */
void flow_move_phis(struct flow *flow, uint32_t block, uint32_t from_label, uint32_t to_label);
bool flow_branches_to(const struct flow *flow, uint32_t block, uint32_t label);
void flow_retarget(struct flow *flow, uint32_t block, uint32_t from_label, uint32_t to_label);

/* `structured`: merge blocks and continue targets are reached from their headers, too (2.11
 * "Structured Control Flow"). */
bool flow_graph_make(struct flow_graph *graph, const struct flow *flow, bool structured) MUST_CHECK;
void flow_graph_free(struct flow_graph *graph);
bool flow_dominates(const struct flow_graph *graph, uint32_t a, uint32_t b);

void flow_emit(struct flow_point *point, SpvOp opcode, const uint32_t *operands, uint32_t count);
#define FLOW_EMIT(point_, opcode_, ...)                             \
    flow_emit((point_), (opcode_), (const uint32_t[]){__VA_ARGS__}, \
              (uint32_t)(sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)))
/* Inserts an instruction and returns the id of its result. */
uint32_t flow_value(struct flow_point *point, SpvOp opcode, uint32_t type, const uint32_t *operands,
                    uint32_t count);
#define FLOW_VALUE(point_, opcode_, type_, ...)                               \
    flow_value((point_), (opcode_), (type_), (const uint32_t[]){__VA_ARGS__}, \
               (uint32_t)(sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)))

/* --- abort_return.c --- */
/* Emits a return from the function, with some value of its type. `sets`: the flag abort_lower::flag
 * is set before that. */
void flow_return(struct flow_point *point, bool sets);
/* Emits an instruction that ends the invocation in any function. Not for ABORT_END_RETURN. */
void abort_end_anywhere(struct flow_point *point);

/* --- abort_flow.c --- */
/* Lowers one function. */
void abort_flow(struct abort_lower *lower, const struct abort_function *function);

/* --- abort_repair.c --- */
/* Repairs values whose definitions do not dominate their uses. Without `all`, only values that must
 * be made in the block that uses them. */
void flow_repair(struct flow *flow, bool all);

/* --- abort_wait.c --- */
/* True if the instruction is an access through which an invocation may see another one's writes. */
bool abort_may_wait(const struct abort_lower *lower, const struct spirv_instruction *instruction);
/* Returns the function that a loop calls if it may wait for other invocations. It returns true if
 * the invocation must end, or, if invocations can end in any function, ends it. */
uint32_t abort_wait_function(struct abort_lower *lower);
void abort_wait_write(struct abort_lower *lower);

/* --- abort_tasks.c --- */
/* Makes the entry point of a task shader a function of its own. */
void tasks_begin(struct abort_lower *lower);
/* Makes that function note the requested groups. */
void tasks_note(struct flow *flow);
/* Writes the new entry point, which calls that function, after all other functions. */
void tasks_write(struct abort_lower *lower);

/* --- abort_message.c --- */
/* Emits the code that writes the record of a message, and adds its site. */
void abort_message(struct flow_point *point, uint32_t type, uint32_t value, uint32_t where);
/* Writes the functions that this code calls, and hands the sites over to the result. */
void abort_message_end(struct abort_lower *lower);
void abort_message_free(struct abort_lower *lower);

/* --- abort_write.c --- */
#define ABORT_ARRAY_LEAST 32 /* an array with at least so many elements is written in a loop */
/* Returns the bits of a scalar; 0: it is not one. A pointer has 64. */
uint32_t abort_scalar_bits(const struct abort_lower *lower, uint32_t type);
/* Return the number of parts of a type (components of a vector, columns of a matrix, elements of an
 * array, members of a structure), and the type of the `index`th part. 0: none. */
uint32_t abort_part_count(const struct abort_lower *lower, uint32_t type);
uint32_t abort_part_type(const struct abort_lower *lower, uint32_t type, uint32_t index);
/* Returns the words that the shader writes for a type; 0: a message cannot have the type, or it has
 * too many words. */
uint32_t abort_type_words(const struct abort_lower *lower, uint32_t type);
/* True if a value of the type is an array that a loop writes. */
bool abort_writes_in_loop(const struct abort_lower *lower, uint32_t type);
/* Returns the type without layout decorations, which function variables must not have from SPIR-V
 * 1.5 on. OpCopyLogical converts one to the other, from 1.4 on. */
uint32_t abort_plain_type(struct abort_lower *lower, uint32_t type);
struct abort_writer {
    struct flow_point *point;
    uint32_t record; /* id */
    /* id of a number that is added to all word numbers; 0: none */
    uint32_t base;
    /* ids of words that are not written yet, their number, and the word number of the first one */
    uint32_t words[4], count, first;
};
/* Writes a value into the record, from word `number` on. `array`: the function for that array type
 * writes it. */
void abort_write_value(struct abort_writer *writer, uint32_t type, uint32_t value, uint32_t number,
                       bool array);
void abort_write_flush(struct abort_writer *writer);
void abort_write_arrays(struct abort_lower *lower);

/* --- constant_data.c --- */
/* Finds the value of an integer constant, or of a specialization constant with the pipeline's
 * value. Returns false if it is not one. */
bool constant_value(const struct abort_lower *lower, uint32_t id, uint64_t *value);
/* Turns a specialization constant into a constant. */
void constant_fold(struct abort_lower *lower, uint32_t id);
/* Returns the bytes of OpConstantDataKHR, or of OpSpecConstantDataKHR with the pipeline's value;
 * NULL: it is neither. */
const uint8_t *constant_data(const struct abort_lower *lower, uint32_t id, size_t *size);
/* Finds the number of elements of an array; returns false if it is unknown. */
bool constant_length(const struct abort_lower *lower, uint32_t array_type, uint64_t *length);
/* Folds the constants that size arrays of constant data. */
void constant_data_begin(struct abort_lower *lower);
/* Called when all functions are written: turns constant data into constants, and removes unused
 * instructions. */
void constant_data_end(struct abort_lower *lower);

#endif
