<% t = rules.draw_rows(m) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit.
 *
 * Statements about the state at a draw, dispatch or trace, as data (registry/draw_rows.txt, registry/rows/draw_rows.py): each row is the list of
 * conditions under which its statement is broken. src/core/draw/rows.c looks at them, and src/core/draw/facts.c answers what their nouns are. */
#ifndef ASSAY_CORE_DRAW_ROWS_H
#define ASSAY_CORE_DRAW_ROWS_H

#include "objects/device.h"
#include "report/finding/finding.h"
#include "report/names/names_of_values.h"
#include "state/dynamic_states.h"
#include "state/dynamic_values.h"

/* The nouns that conditions speak of. The first ones are "the current value" of a dynamic state, in
 * the order of draw_values. */
enum draw_noun {
% for v in t.values:
    NOUN_${v.parameter}, /* ${v.state} */
% endfor
% for noun in t.nouns:
    NOUN_${noun.name}, /* ${noun.text} */
% endfor
    NOUN_COUNT
};

#ifdef DRAW_ROWS_VALUES
/* Where a dynamic state's value is kept: in struct command_buffer_dynamic, and in struct pipeline where it is not dynamic (UINT16_MAX: nowhere). */
struct draw_value {
    uint16_t of_values, of_pipeline;
    uint8_t state; /* enum dynamic_state */
    bool small, small_in_pipeline; /* a bool, and no 32-bit number */
};

static_assert(DYNAMIC_STATE_COUNT <= UINT8_MAX, "a state fits");
static const struct draw_value draw_values[] = {
% for v in t.values:
    {offsetof(struct command_buffer_dynamic, ${v.field}), ${f'offsetof(struct pipeline, {v.fixed})' if v.fixed else 'UINT16_MAX'}, DYNAMIC_${v.state},
     sizeof(((struct command_buffer_dynamic *)NULL)->${v.field}) == 1, ${f'sizeof(((struct pipeline *)NULL)->{v.fixed}) == 1' if v.fixed else 'false'}},
% endfor
};
#endif

#ifdef DRAW_ROWS_TABLES
enum draw_condition_kind {
    DRAW_FEATURE,   /* is enabled */
    DRAW_EXTENSION, /* is enabled */
    DRAW_PROPERTY,  /* a VkBool32 of the device: VK_TRUE */
    DRAW_TAKES,     /* the dynamic state comes from the command buffer */
    DRAW_SET,       /* the dynamic state is set there */
    DRAW_FACT,      /* the noun holds */
    DRAW_EQUAL,
    DRAW_LESS,
    DRAW_MORE,
    DRAW_ANY_BIT,
};

/* `constant`: the feature, extension, state, offset of the property in struct device, or number. `other`: the noun that `noun` is compared with;
 * NOUN_COUNT: the constant; NOUN_COUNT + 1: a limit, whose offset is the constant. `name`: of a property or limit, in draw_texts; of DRAW_SET the
 * command (enum command). */
struct draw_condition {
    uint64_t constant;
    uint16_t name;
    uint8_t kind, noun, other;
};
static_assert(NOUN_COUNT + 1 <= UINT8_MAX, "a noun fits");

static const struct draw_condition draw_conditions[] = {
% for c in t.conditions:
    {${t.constant(c)}, ${t.name(c)}, DRAW_${c.kind}, ${t.noun(c)}, ${t.other(c)}}, /* ${t.conditions.index(c)}: ${c.left}${f' {c.right}' if c.right is not None else ''} */
% endfor
};

#define CONDITION_FAILS  0x8000 /* the row is broken where the condition does not hold */
#define CONDITION_DEMAND 0x4000 /* and its opposite is what the sentence demands */
#define CONDITION_INDEX  0x3fff

struct draw_row {
    enum rule rule;
    uint16_t command;      /* the only one that has the rule; COMMAND_COUNT: several */
    uint16_t first;        /* of its conditions in draw_row_conditions */
    uint8_t count, fixed;  /* how many; the first ones do not change while a pipeline is bound */
    uint8_t points;        /* bits of bind points */
};

static const uint16_t draw_row_conditions[] = {
% for row in t.rows:
    ${', '.join(t.reference(row, c) for c in row.conditions)}, /* ${row.number} */
% endfor
};

/* Those that say that a state must be set stand first. */
#define DRAW_NEEDS ${t.needs}
static const struct draw_row draw_rows[] = {
% for row in t.rows:
    {RULE_${row.number}, ${m.command_constant(row.command) if row.command else 'COMMAND_COUNT'}, ${t.first(row)}, ${len(row.conditions)}, ${row.fixed}, ${row.points}},
% endfor
};

/* For each dynamic state, for the render pass instance and for queries: the rows that may be broken
 * since that changed, a bit each. */
#define DRAW_ASKING_OF_PASS    DYNAMIC_STATE_COUNT
#define DRAW_ASKING_OF_QUERIES (DYNAMIC_STATE_COUNT + 1)
<% asking, always = t.asking; words = len(t.rows) // 64 + 1; mask = (1 << 64) - 1 %>\
#define DRAW_ROW_MASK_WORDS ${words}
static const uint64_t draw_rows_asking[DYNAMIC_STATE_COUNT + 2][DRAW_ROW_MASK_WORDS] = {
% for place, bits in asking:
    [${place}] = {${', '.join(f'0x{bits >> 64 * i & mask:x}' for i in range(words))}},
% endfor
};

/* Those that are looked at whatever has changed. */
static const uint64_t draw_rows_always[DRAW_ROW_MASK_WORDS] = {${', '.join(f'0x{always >> 64 * i & mask:x}' for i in range(words))}};

/* The rows that cannot be broken where no query is active. */
static const uint64_t draw_rows_of_queries[DRAW_ROW_MASK_WORDS] = {${', '.join(f'0x{t.of_queries >> 64 * i & mask:x}' for i in range(words))}};

/* The rows that cannot be broken where all rare nouns are false or 0. */
static const uint64_t draw_rows_of_rare[DRAW_ROW_MASK_WORDS] = {${', '.join(f'0x{t.of_rare >> 64 * i & mask:x}' for i in range(words))}};

/* For a noun: its texts in draw_texts where it holds (or its name), and where it does not; and the
 * type of its value. */
#define NOUN_NUMBER  0
#define NOUN_INDICES 1
#define NOUN_BOOLEAN 2
#define NOUN_VALUES  3 /* and the enum value_type */
struct draw_noun_text {
    uint16_t text, denied, values;
};
static const struct draw_noun_text draw_noun_texts[] = {
% for v in t.values:
    {${t.text(t.value_text(v))}, 0, ${t.values_of(v.registry_type)}},
% endfor
% for noun in t.nouns:
    {${t.text('' if noun.quiet else noun.text)}, ${t.text('' if noun.quiet else noun.denied or '')}, ${t.values_of(noun.values)}},
% endfor
};

static const char draw_texts[] =
% for text in t.texts:
    "${text}\0"
% endfor
    ;
#endif

/* States that not all shader objects take: those of one stage alone, or (0) none. */
struct state_of_stage {
    VkShaderStageFlags stages;
    uint16_t state; /* enum dynamic_state */
};

static const struct state_of_stage states_of_stages[] = {
% for state, stage in t.stages:
    {${stage}, DYNAMIC_${state}},
% endfor
};

#endif
