/* Accesses that are checked together. Private to instrument_groups*.c. Threads: that which makes
 * the module; nothing is shared. */
#ifndef ASSAY_SPIRV_INSTRUMENT_GROUPS_H
#define ASSAY_SPIRV_INSTRUMENT_GROUPS_H

#include "spirv/instrument/instrument_build.h"

#define GROUP_ROWS     31u /* of a group: a bit each */
#define GROUP_PATTERNS 4u  /* of a group: two bits each */
#define GROUP_PREFIX   12u /* indices of a pattern */

struct group_pattern {
    uint32_t prefix[GROUP_PREFIX], prefix_count;
    uint32_t type; /* id of the type that the prefix leads to */
    /* bytes from the root or the prefix that members reach, and their largest alignment */
    uint32_t low, high, alignment;
};

struct group_row {
    uint32_t pattern, offset, span, alignment;
};

/* An access that is checked together with others. */
struct group_member {
    uint32_t instruction, pointer;
    uint32_t group; /* SPIRV_NONE: it is checked alone */
    uint32_t row;   /* index among the rows of the group */
    bool writes;
    uint32_t next; /* next member of the group: index in `members`; 0: none */
};

struct access_group {
    uint32_t root;
    /* 0: it is checked at the first of its members, which are of one block, and each of which has a
     * row. Otherwise the label of a block that comes before all of its members, at whose end it is
     * found out which rows are wrong. What is wrong is reported where it is accessed */
    uint32_t block;
    uint32_t at;          /* instruction before which it is checked */
    uint32_t first, last; /* members, without `block` */
    uint32_t count;       /* members */
    struct group_pattern patterns[GROUP_PATTERNS];
    struct group_row rows[GROUP_ROWS];
    uint32_t pattern_count, row_count;
    uint32_t site;     /* without `block`: of the first member; the others' follow. A number */
    uint32_t function; /* 0: not called */
    uint32_t wrong;    /* id: a bit for each row that is wrong */
};

struct group_members {
    struct group_member *list;
    uint32_t count, capacity;
    uint32_t cursor; /* members before it belong to instructions that were copied */
};

struct instrument_groups {
    struct access_group *groups;
    uint32_t group_count, group_capacity;
    struct group_members near, far; /* of groups without and with `block` */
    uint32_t far_first, far_end;    /* groups with `block` of the function at hand */
    uint32_t due; /* instruction before which some of these are checked; 0: none */
    /* Per id of the module. */
    uint32_t *open;       /* of a root: its group */
    uint32_t *open_since; /* that group may have more members if this is `part` */
    /* by id of a pointer: number of the block in which it was looked at last */
    uint32_t *seen;
    uint32_t *homes;  /* by id of a value: label of the block that makes the value */
    uint32_t *tails;  /* of a label: instrument_block_tail() */
    uint8_t *returns; /* of a function: enum function_returns */
    uint32_t part, block;
    uint32_t entry_tail; /* of the function's first block */
};

/* Where an access is. */
struct access_place {
    uint32_t root, indices[INSTRUMENT_CHAIN], count;
    uint32_t prefix_count; /* of the indices */
    uint32_t type;         /* that the prefix leads to */
    uint32_t offset;       /* bytes from the prefix */
};

/* --- instrument_groups.c --- */
bool instrument_groups_begin(struct instrument *x);
/* Finds the place of an access. False: it is not understood, or fits no group. */
bool instrument_access_place(const struct instrument *x, const struct instrument_reach *reach,
                             struct access_place *place);
/* The value of an id at the earlier instruction `at`. With `emit` its id, where we are; otherwise
 * whether there can be one. 0: no. */
uint32_t instrument_value_at(struct instrument *x, uint32_t id, uint32_t at, bool emit);
/* The last group of all; NULL: memory is out. */
struct access_group *instrument_groups_open(struct instrument *x, uint32_t root, uint32_t block,
                                            uint32_t at);
/* The group's row for the access, which is added to the group. SPIRV_NONE: there is no room. */
uint32_t instrument_groups_row(struct instrument *x, struct access_group *group,
                               const struct instrument_reach *reach,
                               const struct access_place *place);
/* Room for one more, or NULL. */
struct group_member *instrument_groups_member(struct group_members *members);
/* The instruction that ends the block, or the last of all. */
uint32_t instrument_block_end(const struct instrument *x, uint32_t label);
/* The instruction that ends the block, or that says before how it is left. */
uint32_t instrument_block_tail(const struct instrument *x, uint32_t label);
/* Emits the call. */
void instrument_groups_call(struct instrument *x, struct access_group *group);

/* --- instrument_groups_far.c --- */
/* The group of an access of the function at hand; NULL: the access is in no group. */
const struct access_group *instrument_groups_far_find(const struct instrument *x,
                                                      uint32_t instruction, uint32_t pointer,
                                                      uint32_t *row);

#endif
