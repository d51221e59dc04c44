/* Groups of accesses that are checked together. Private to instrument_groups*.c. Threads: the
 * thread that instruments the module; nothing is shared. */
#ifndef ASSAY_SPIRV_INSTRUMENT_GROUPS_H
#define ASSAY_SPIRV_INSTRUMENT_GROUPS_H

#include "spirv/instrument/instrument_build.h"

#define GROUP_ROWS     31u /* most rows of a group; a word has a bit for each */
#define GROUP_PATTERNS 4u  /* most patterns of a group; a row has two bits for its pattern */
#define GROUP_PREFIX   12u /* most indices of a pattern */

struct group_pattern {
    uint32_t prefix[GROUP_PREFIX], prefix_count;
    uint32_t type; /* id of the type that the prefix leads to */
    /* the bytes that members access, from `low` to before `high`, counted from the address that
     * root and prefix give; and the members' largest alignment */
    uint32_t low, high, alignment;
};

struct group_row {
    uint32_t pattern, offset, span, alignment;
};

/* An access that may be checked together with others. */
struct group_member {
    uint32_t instruction, pointer;
    uint32_t group; /* SPIRV_NONE: it is checked alone */
    uint32_t row;   /* index in the group's `rows` */
    bool writes;
    uint32_t next; /* index in the list of the next member of the group; 0: none */
};

struct access_group {
    uint32_t root;
    /* 0: the members are in one block and each has a row; the group is checked, and reported, at
     * the first of them. Otherwise this is the label of a block before all members, at the end of
     * which the group is checked. An access whose row is wrong is reported where it happens */
    uint32_t block;
    uint32_t at;          /* index of the instruction before which the group is checked */
    uint32_t first, last; /* if `block` is 0: indices of its first and last member */
    uint32_t count;       /* number of members; 0: the group is dissolved */
    struct group_pattern patterns[GROUP_PATTERNS];
    struct group_row rows[GROUP_ROWS];
    uint32_t pattern_count, row_count;
    /* if `block` is 0: number of the first member's site; the sites of the others follow */
    uint32_t site;
    /* id of the function that checks the group; 0: the call was not emitted yet */
    uint32_t function;
    uint32_t wrong; /* id of the call's result, with a bit for each row that is wrong */
};

struct group_members {
    struct group_member *list;
    uint32_t count, capacity;
    uint32_t cursor; /* index of the first member that belongs to an instruction not copied yet */
};

struct instrument_groups {
    struct access_group *groups;
    uint32_t group_count, group_capacity;
    struct group_members near, far; /* members of groups whose `block` is 0, and of the others */
    /* the current function's groups with a `block`: indices from first to before end */
    uint32_t far_first, far_end;
    uint32_t due; /* index of the instruction before which the next of these are checked; 0: none */
    /* The following arrays are indexed by ids of the module. */
    uint32_t *open;       /* for a root: the group that accesses can still join */
    uint32_t *open_since; /* `open` is valid if this is equal to `part` */
    /* for a pointer: number of the block in which it was planned last */
    uint32_t *seen;
    uint32_t *homes;  /* for a value: label of the block that computes it */
    uint32_t *tails;  /* for a label: its instrument_block_tail() */
    uint8_t *returns; /* for a function: enum function_returns */
    uint32_t part, block;
    uint32_t entry_tail; /* instrument_block_tail() of the function's first block */
};

/* The place of an access, split into the parts of a pattern. */
struct access_place {
    uint32_t root, indices[INSTRUMENT_CHAIN], count;
    uint32_t prefix_count; /* how many of the indices belong to the pattern's prefix */
    uint32_t type;         /* type id that root and prefix lead to */
    uint32_t offset;       /* bytes from there */
};

/* --- instrument_groups.c --- */
bool instrument_groups_begin(struct instrument *x);
/* Finds the place of an access. Returns false if it is not understood, or fits into no group. */
bool instrument_access_place(const struct instrument *x, const struct instrument_reach *reach,
                             struct access_place *place);
/* Returns an id with the value of `id` at the earlier instruction `at`; 0: that is not possible.
 * With `emit` its instructions are emitted at the current position; without, the result only says
 * whether that is possible. */
uint32_t instrument_value_at(struct instrument *x, uint32_t id, uint32_t at, bool emit);
/* Adds a group at the end of the list; NULL: memory is out. */
struct access_group *instrument_groups_open(struct instrument *x, uint32_t root, uint32_t block,
                                            uint32_t at);
/* Adds a row for the access to the group, and returns the row's index; SPIRV_NONE: the group is
 * full. */
uint32_t instrument_groups_row(struct instrument *x, struct access_group *group,
                               const struct instrument_reach *reach,
                               const struct access_place *place);
/* Adds a member to a list; NULL: memory is out. */
struct group_member *instrument_groups_member(struct group_members *members);
/* Returns the index of the instruction that ends the block; the module's last one if none does. */
uint32_t instrument_block_end(const struct instrument *x, uint32_t label);
/* Returns the index of the instruction that ends the block, or of the merge instruction before
 * that. */
uint32_t instrument_block_tail(const struct instrument *x, uint32_t label);
/* Emits the call of the group's check. */
void instrument_groups_call(struct instrument *x, struct access_group *group);

/* --- instrument_groups_far.c --- */
/* Finds the group of an access in the current function, and its row; NULL: the access is in no
 * group. */
const struct access_group *instrument_groups_far_find(const struct instrument *x,
                                                      uint32_t instruction, uint32_t pointer,
                                                      uint32_t *row);

#endif
