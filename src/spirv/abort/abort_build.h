/* Lowers OpAbortKHR. A module is made of a module, before checks come into it, and is valid by
 * itself:
 *
 *   abort_lower.c    what there is to do, and the order of it; functions that stand for those of
 *                    gpu/shaders/abort.glsl until instrument.c puts these in their places
 *   abort_module.c   what all ask of the module, and put into it
 *   abort_blocks.c   a function as a graph of blocks that can be changed
 *   abort_flow.c     the control flow: an invocation that aborts ends, in callers too
 *   abort_return.c   the end of an invocation that aborts, in a function
 *   abort_repair.c   values that do not dominate their uses any more
 *   abort_wait.c     loops that may wait for other invocations
 *   abort_message.c  what a message consists of
 *   abort_write.c    how a shader writes it
 *   constant_data.c  OpConstantDataKHR, specialization, and what is not used any more
 *
 * Private to the room. Threads: that which makes the module; nothing is shared. */
#ifndef ASSAY_SPIRV_ABORT_BUILD_H
#define ASSAY_SPIRV_ABORT_BUILD_H

#include "spirv/abort/abort.h"
#include "spirv/edit/edit.h"
#include "spirv/instrument/instrument.h"

/* The functions of gpu/shaders/abort.glsl. */
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
    /* owned (mem_free); for each instruction from the first function on, which of the module's it
     * was or stands for */
    uint32_t *origins;
    uint32_t origin_count;
    uint32_t stubs[ABORT_STUBS];     /* ids of functions; 0: not called */
    struct spirv_abort_sites *sites; /* owned; NULL without */
};

enum abort_answer { ABORT_NOTHING, ABORT_DONE, ABORT_FAILED };

/* ABORT_NOTHING: there is nothing to lower. Deterministic. */
enum abort_answer spirv_abort_lower(const struct spirv_module *module,
                                    const struct spirv_instrument_info *info,
                                    struct abort_lowered *result) MUST_CHECK;
void spirv_abort_lowered_free(struct abort_lowered *lowered);

/* --- what the files share --- */

/* Types are looked at once each: they may have one another in them, many times over. */
enum abort_type_note {
    ABORT_NOTE_SHARED_KNOWN = 1 << 0,
    ABORT_NOTE_SHARED = 1 << 1,
    ABORT_NOTE_LAYOUT_KNOWN = 1 << 2,
    ABORT_NOTE_LAYOUT = 1 << 3,
    ABORT_NOTE_FOLDED = 1 << 4,
};

/* How an invocation ends. */
enum abort_end {
    ABORT_END_RETURN, /* the function returns, and so does its caller */
    ABORT_END_KILL,   /* a fragment shader: OpKill ends the invocation in any function */
    ABORT_END_TERMINATE,
    /* an any-hit shader: the invocation ends in any function, and the candidate is dropped */
    ABORT_END_IGNORE,
};

struct abort_function {
    uint32_t id, first, end; /* instructions, the last is after OpFunctionEnd */
    bool reached;
    bool aborts; /* has OpAbortKHR */
    bool asks;   /* has OpEmitMeshTasksEXT, which ends the invocation, too */
    bool waits;  /* has an access by which it may see what others do, or calls what has */
    bool spins;  /* has a loop with such an access */
    bool ends;   /* the invocation may end in the function, or in a function that it calls */
};

struct abort_call {
    uint32_t caller, callee; /* indices of functions */
};

/* A specialization constant that is none any more. */
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
    bool cleans; /* the module has instructions that must go: it must be known which ids are used */

    /* words of the module, and after them words of instructions that were made: operands may be
     * changed here */
    struct spirv_buffer words;
    struct spirv_module view; /* the module with these words */
    struct spirv_buffer origins;
    uint8_t *used; /* per id: something that stays names it */
    uint32_t used_count;

    /* per id its first, per instruction the next of the same id; SPIRV_NONE */
    uint32_t *annotations, *next_annotation;
    /* By id, for types: facts that were found out. */
    uint8_t *type_notes;  /* abort_type_note */
    uint32_t *type_words; /* and 1 */
    uint32_t *plain_types;
    struct abort_function *functions;
    uint32_t function_count, *function_of; /* per id of the module: index and 1 */
    struct abort_call *calls;
    uint32_t call_count;
    uint32_t entry; /* id */
    enum abort_end end;

    struct abort_folded *folded;
    uint32_t folded_count, folded_capacity;

    uint32_t flag;          /* private bool: the invocation ends; 0: not made */
    uint32_t turns;         /* private: how often it has come by in loops; 0: not made */
    uint32_t wait_function; /* 0: not made */
    struct {
        /* the old function of the entry point, by its new id; 0: the entry point stays as it is */
        uint32_t body;
        uint32_t groups[3]; /* private: what the invocation asks for */
        uint32_t payload, origin;
    } tasks;                    /* abort_tasks.c */
    struct abort_array *arrays; /* functions that write large arrays; abort_write.c */
    uint32_t array_count, array_capacity;
    struct abort_site_list *sites; /* abort_message.c; NULL without */
};

/* --- abort_module.c --- */
/* Words of an instruction, after all others: the place. 0: failed. */
uint32_t abort_words(struct abort_lower *lower, SpvOp opcode, const uint32_t *operands,
                     uint32_t count);
static inline uint32_t *abort_at(const struct abort_lower *lower, uint32_t at)
{
    assert(at < lower->words.count);
    return &lower->words.words[at];
}
/* Puts the instruction after the functions that are there. */
void abort_put(struct abort_lower *lower, uint32_t at, uint32_t origin);
/* Marks the ids that the instruction names as in use. Its words are not part of `words`. */
void abort_use(struct abort_lower *lower, const uint32_t *words);
/* Ids come up while functions are written: room for all that there are. */
bool abort_grow_used(struct abort_lower *lower) MUST_CHECK;
/* Walks the operands of the instruction at word `at` of `words`. False: the grammar does not know
 * the instruction. */
bool abort_operands(const struct abort_lower *lower, uint32_t at, struct spirv_operand_walk *walk,
                    struct spirv_instruction *instruction);
/* The function that stands for one of the library. */
uint32_t abort_stub(struct abort_lower *lower, enum abort_stub stub);
uint32_t abort_private(struct abort_lower *lower, uint32_t type, uint32_t initial);
/* The words of the definition if it has this opcode, and that many words at least; else NULL. Of
 * the module's ids, as the program gave them. */
const uint32_t *abort_definition(const struct abort_lower *lower, uint32_t id, SpvOp opcode,
                                 uint32_t words);
uint32_t abort_type_of(const struct abort_lower *lower, uint32_t id);
bool abort_has_capability(const struct spirv_module *module, SpvCapability capability);
/* Where a decoration of the id (`member`: SPIRV_NONE for the id itself) stands: its words, or NULL.
 */
const uint32_t *abort_decoration(const struct abort_lower *lower, uint32_t id, uint32_t member,
                                 SpvDecoration decoration);

/* --- abort_blocks.c --- */

struct flow_item {
    uint32_t at, origin;
    uint32_t next, previous; /* of the block; 0: none */
};

struct flow_block {
    uint32_t label;
    uint32_t first, last; /* items after the label; 0: none */
    uint32_t next;        /* in the function's order; 0: the last */
    uint32_t origin;
};

/* The dominators of blocks, by numbers of blocks. */
struct flow_graph {
    uint32_t *order; /* reachable blocks, reverse postorder */
    /* number of each block in the graph; SPIRV_NONE: the block is not reachable */
    uint32_t *number;
    uint32_t *parent, *begin, *size; /* the tree: a block's subtree is [begin, begin + size) */
    uint32_t count;                  /* of `order` */
    uint32_t blocks;                 /* how many blocks there were when the graph was made */
};

struct flow {
    struct abort_lower *lower;
    const struct abort_function *function;
    uint32_t type;           /* id of the type that the function returns */
    struct flow_item *items; /* from 1 on */
    uint32_t item_count, item_capacity;
    struct flow_block *blocks; /* from 1 on; 1 is the entry */
    uint32_t block_count, block_capacity;
    uint32_t *block_of; /* per id: of a label its block */
    uint32_t block_of_count;
    uint32_t body, tail; /* instructions of the module: first label, OpFunctionEnd */
};

/* Where the next instruction goes. */
struct flow_point {
    struct flow *flow; /* the function that is changed; NULL: the code comes after all functions */
    struct abort_lower *lower;
    uint32_t block, item; /* after this item; 0: first in the block */
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
/* Block 0 and item 0 are none. */
uint32_t flow_block_of(const struct flow *flow, uint32_t label);
/* A new block in the order after `after`; its label is new. */
uint32_t flow_add_block(struct flow *flow, uint32_t after, uint32_t origin);
void flow_insert(struct flow *flow, uint32_t block, uint32_t after, uint32_t at, uint32_t origin,
                 uint32_t *item);
void flow_remove(struct flow *flow, uint32_t block, uint32_t item);
/* Splits a block: everything after `item` (0: all of the block) goes into a new block, the next in
 * the order. `block` is left without a terminator. */
uint32_t flow_split(struct flow *flow, uint32_t block, uint32_t item);
/* The merge instruction before the terminator; 0 without. */
uint32_t flow_merge(const struct flow *flow, uint32_t block);
/* The last OpPhi; 0 without. */
uint32_t flow_last_phi(const struct flow *flow, uint32_t block);
/* The word of the terminator in which its `n`th target stands; 0: it has no more. */
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
/* The result. */
uint32_t flow_value(struct flow_point *point, SpvOp opcode, uint32_t type, const uint32_t *operands,
                    uint32_t count);
#define FLOW_VALUE(point_, opcode_, type_, ...)                               \
    flow_value((point_), (opcode_), (type_), (const uint32_t[]){__VA_ARGS__}, \
               (uint32_t)(sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)))

/* --- abort_return.c --- */
/* Returns from the function, whatever it returns. `sets`: the flag is not set yet. */
void flow_return(struct flow_point *point, bool sets);
/* Ends the invocation, in any function: not of ABORT_END_RETURN. */
void abort_end_anywhere(struct flow_point *point);

/* --- abort_flow.c --- */
/* Lowers one function. */
void abort_flow(struct abort_lower *lower, const struct abort_function *function);

/* --- abort_repair.c --- */
/* Makes values available where they are used and their definitions do not dominate that. Without
 * `all` only what must be made in the block that uses it. */
void flow_repair(struct flow *flow, bool all);

/* --- abort_wait.c --- */
/* True if it is an access by which an invocation may see what another one does. `index`: of the
 * module's instructions. */
bool abort_may_wait(const struct abort_lower *lower, const struct spirv_instruction *instruction);
/* The function that a loop calls which may wait for others. It gives whether the invocation is to
 * end, or, where it can end in any function, ends it. */
uint32_t abort_wait_function(struct abort_lower *lower);
void abort_wait_write(struct abort_lower *lower);

/* --- abort_tasks.c --- */
/* The entry point of a task shader becomes a function of its own ... */
void tasks_begin(struct abort_lower *lower);
/* The new function notes what it asks for, as each function does. */
void tasks_note(struct flow *flow);
/* ... and this one calls it, after all other functions. */
void tasks_write(struct abort_lower *lower);

/* --- abort_message.c --- */
/* Emits the code that writes the record of a message at the point, as the next site. */
void abort_message(struct flow_point *point, uint32_t type, uint32_t value, uint32_t where);
/* Writes the functions that it calls, and hands the sites over to the result. */
void abort_message_end(struct abort_lower *lower);
void abort_message_free(struct abort_lower *lower);

/* --- abort_write.c --- */
#define ABORT_ARRAY_LEAST 32 /* an array of more elements is written in a loop */
/* Bits of a scalar; 0: it is none. A pointer is one of 64. */
uint32_t abort_scalar_bits(const struct abort_lower *lower, uint32_t type);
/* Components of a vector, columns of a matrix, elements of an array, members of a structure; and
 * what type the `index`th has. 0: none. */
uint32_t abort_part_count(const struct abort_lower *lower, uint32_t type);
uint32_t abort_part_type(const struct abort_lower *lower, uint32_t type, uint32_t index);
/* Words that the shader writes of a type; 0: it is none that a message can have, or it has too
 * many. */
uint32_t abort_type_words(const struct abort_lower *lower, uint32_t type);
/* True if a value of the type is an array that a loop writes. */
bool abort_writes_in_loop(const struct abort_lower *lower, uint32_t type);
/* The type without layouts, which variables of functions must not have from SPIR-V 1.5 on;
 * OpCopyLogical makes one of the other, from 1.4 on. */
uint32_t abort_plain_type(struct abort_lower *lower, uint32_t type);
struct abort_writer {
    struct flow_point *point;
    uint32_t record; /* id */
    /* id of a number that is added to all numbers of words; 0: nothing is added */
    uint32_t base;
    uint32_t words[4], count, first; /* ids that are not written yet */
};
/* Writes a value into the record, from word `number` on. `array`: the function of the array writes
 * it. */
void abort_write_value(struct abort_writer *writer, uint32_t type, uint32_t value, uint32_t number,
                       bool array);
void abort_write_flush(struct abort_writer *writer);
void abort_write_arrays(struct abort_lower *lower);

/* --- constant_data.c --- */
/* The value of an integer constant, also of a specialization constant as the pipeline has it.
 * False: it is none. */
bool constant_value(const struct abort_lower *lower, uint32_t id, uint64_t *value);
/* The constant is to be one that specialization does not change. */
void constant_fold(struct abort_lower *lower, uint32_t id);
/* The bytes of OpConstantDataKHR or OpSpecConstantDataKHR as the pipeline has it; NULL: it is none.
 */
const uint8_t *constant_data(const struct abort_lower *lower, uint32_t id, size_t *size);
/* Elements of an array; false: unknown. */
bool constant_length(const struct abort_lower *lower, uint32_t array_type, uint64_t *length);
/* Folds what sizes arrays of constant data. */
void constant_data_begin(struct abort_lower *lower);
/* All functions are written: constant data becomes constants, and what nothing names any more goes.
 */
void constant_data_end(struct abort_lower *lower);

#endif
