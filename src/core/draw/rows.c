/* Checks the rows about the state at a draw, dispatch or trace, and reports broken ones. Most rows
 * cannot be broken with a given pipeline: those that can are kept with it. */
#define DRAW_ROWS_TABLES
#include "core/draw/rows.h"

#include "core/areas.h"
#include "report/names/feature_names.h"
#include "state/command/sections.h"
#include "state/query/query.h"

#include "report/finding/rule.h"

#include <inttypes.h>
#include <string.h>

/* Flags in the last word of a pipeline's rows. */
#define LAST_WORD (DRAW_ROW_WORDS - 1)
#define KNOWN     (1ull << 63)
#define QUIET     (1ull << 62) /* each row depends on something whose changes are noted */
static_assert(ARRAY_LENGTH(draw_rows) <= DRAW_ROW_WORDS * 64 - 2, "a bit each, KNOWN and QUIET");
static_assert(DRAW_ROW_MASK_WORDS <= DRAW_ROW_WORDS, "masks fit");

enum truth { NO, YES, UNKNOWN };

/* The value of a device property, by its offset in bytes. */
static VkBool32 property_of(const struct device *device, uint64_t offset)
{
    return *(const VkBool32 *)((const char *)device + offset);
}

/* The value with which the noun is compared. */
static int64_t operand_of(const struct draw *draw, const struct draw_condition *condition)
{
    if (condition->other < NOUN_COUNT)
        return draw_fact(draw, (enum draw_noun)condition->other);
    if (condition->other == NOUN_COUNT)
        return (int64_t)condition->constant;
    /* A limit of 0: the properties were not queried, as the device does not have the extension. */
    const uint32_t limit =
        *(const uint32_t *)((const char *)draw->s.call->device + condition->constant);
    return limit ? (int64_t)limit : DRAW_UNKNOWN;
}

/* Compares the two sides of a condition; UNKNOWN if one of them is not known. */
static enum truth row_values_compare(const struct draw *draw,
                                     const struct draw_condition *condition)
{
    const int64_t left = draw_fact(draw, (enum draw_noun)condition->noun);
    if (left == DRAW_UNKNOWN)
        return UNKNOWN;
    if (condition->kind == DRAW_FACT)
        return left != 0;
    if (condition->kind == DRAW_ANY_BIT)
        return ((uint64_t)left & condition->constant) != 0;
    const int64_t right = operand_of(draw, condition);
    if (right == DRAW_UNKNOWN)
        return UNKNOWN;
    return condition->kind == DRAW_EQUAL  ? left == right
           : condition->kind == DRAW_LESS ? left < right
                                          : left > right;
}

/* Returns whether a condition of a row holds for this draw, or UNKNOWN. */
static enum truth row_condition_holds(const struct draw *draw,
                                      const struct draw_condition *condition)
{
    const struct device *device = draw->s.call->device;
    switch ((enum draw_condition_kind)condition->kind) {
    case DRAW_FEATURE:
        return device_has_feature(device, (enum feature)condition->constant);
    case DRAW_EXTENSION:
        return extension_set_has(&device->extensions, (enum extension)condition->constant);
    case DRAW_PROPERTY:
        return property_of(device, condition->constant) != 0;
    case DRAW_TAKES:
        return draw_takes(draw, (enum dynamic_state)condition->constant);
    case DRAW_SET:
        return draw_has(draw, (enum dynamic_state)condition->constant);
    default:
        return row_values_compare(draw, condition);
    }
}

/* True if a condition is known to hold, or to fail, as the row requires. */
static bool is_as_said(const struct draw *draw, uint16_t reference)
{
    const enum truth truth =
        row_condition_holds(draw, &draw_conditions[reference & CONDITION_INDEX]);
    return truth == (reference & CONDITION_FAILS ? NO : YES);
}

/* --- messages --- */

/* Writes the indices of the bits that are set. */
static void write_indices(struct string_builder *text, uint64_t bits)
{
    for (uint64_t rest = bits; rest; rest &= rest - 1)
        string_builder_format(text, "%s%d", rest == bits ? "" : ", ", __builtin_ctzll(rest));
}

/* Writes a number in the form of this kind of values. */
static void write_number(struct string_builder *text, uint16_t values, uint64_t number)
{
    if (values == NOUN_BOOLEAN)
        string_builder_add(text, number ? "VK_TRUE" : "VK_FALSE");
    else if (values == NOUN_INDICES)
        write_indices(text, number);
    else if (values >= NOUN_VALUES)
        value_write(text, (enum value_type)(values - NOUN_VALUES), number);
    else
        string_builder_format(text, "%" PRIu64, number);
}

/* Writes both sides of a condition with their values. `held`: the condition holds. */
static void write_compared(struct string_builder *text, const struct draw *draw,
                           const struct draw_condition *condition, bool held)
{
    const struct draw_noun_text *noun = &draw_noun_texts[condition->noun];
    const uint64_t left = (uint64_t)draw_fact(draw, (enum draw_noun)condition->noun);
    const char *relation = condition->kind == DRAW_EQUAL  ? held ? "and so is" : "and"
                           : condition->kind == DRAW_LESS ? held ? "less than" : "not less than"
                                                          : "more than";
    string_builder_add(text, &draw_texts[noun->text]);
    if (noun->values == NOUN_INDICES) {
        string_builder_add(text, ": ");
        write_indices(text, left);
        return;
    }
    string_builder_add(text, " is ");
    write_number(text, noun->values, left);
    /* A comparison with a constant, which the message only names if it fails. */
    if (condition->other == NOUN_COUNT) {
        if (condition->kind == DRAW_EQUAL && !held) {
            string_builder_add(text, ", not ");
            write_number(text, noun->values, condition->constant);
        }
        return;
    }
    const uint64_t right = (uint64_t)operand_of(draw, condition);
    /* A comparison with a limit of the device. */
    if (condition->other > NOUN_COUNT) {
        string_builder_format(text, ", %s %s (%" PRIu64 ")", relation, &draw_texts[condition->name],
                              right);
        return;
    }
    const struct draw_noun_text *other = &draw_noun_texts[condition->other];
    string_builder_format(text, ", %s %s ", relation, &draw_texts[other->text]);
    string_builder_add(text, condition->kind == DRAW_EQUAL ? "is " : "(");
    write_number(text, other->values, right);
    string_builder_add(text, condition->kind == DRAW_EQUAL ? "" : ")");
}

/* Writes the bits of a mask that a value has, or the whole mask if some bits are missing. */
static void write_bits(struct string_builder *text, const struct draw *draw,
                       const struct draw_condition *condition, bool held)
{
    const struct draw_noun_text *noun = &draw_noun_texts[condition->noun];
    const uint64_t bits =
        held ? (uint64_t)draw_fact(draw, (enum draw_noun)condition->noun) & condition->constant
             : condition->constant;
    string_builder_format(text, "%s %s ", &draw_texts[noun->text],
                          held ? "include" : "do not include");
    write_number(text, noun->values, bits);
}

/* Writes the value of a condition; nothing for conditions that messages do not mention. */
static void write_condition(struct string_builder *text, const struct draw *draw,
                            uint16_t reference, const char *before)
{
    const struct draw_condition *condition = &draw_conditions[reference & CONDITION_INDEX];
    const bool held = !(reference & CONDITION_FAILS);
    const struct draw_noun_text *noun = &draw_noun_texts[condition->noun];
    const uint16_t said = condition->kind == DRAW_FACT && !held ? noun->denied : noun->text;
    if (condition->kind < DRAW_FACT ? condition->kind >= DRAW_TAKES || held : !draw_texts[said])
        return;
    /* most rows have this condition */
    if (condition->noun == NOUN_rasterizerDiscardEnable && condition->kind == DRAW_EQUAL &&
        !(reference & CONDITION_DEMAND))
        return;
    string_builder_add(text, before);
    switch ((enum draw_condition_kind)condition->kind) {
    case DRAW_FEATURE:
        string_builder_format(text, "the feature %s is not enabled",
                              feature_name((enum feature)condition->constant));
        break;
    case DRAW_PROPERTY:
        string_builder_format(text, "%s of the device is VK_FALSE", &draw_texts[condition->name]);
        break;
    case DRAW_FACT:
        string_builder_add(text, &draw_texts[said]);
        break;
    case DRAW_ANY_BIT:
        write_bits(text, draw, condition, held);
        break;
    default:
        write_compared(text, draw, condition, held);
        break;
    }
}

/* Writes, for example, "that takes VK_DYNAMIC_STATE_X and VK_DYNAMIC_STATE_Y from the command
 * buffer". */
static void write_taken(struct string_builder *text, const struct draw_row *row)
{
    bool any = false;
    for (uint32_t i = 0; i < row->count; i++) {
        const uint16_t reference = draw_row_conditions[row->first + i];
        const struct draw_condition *condition = &draw_conditions[reference & CONDITION_INDEX];
        if (condition->kind != DRAW_TAKES || reference & CONDITION_FAILS)
            continue;
        string_builder_add(text, any ? " and " : " that takes ");
        value_write(text, VALUES_VkDynamicState,
                    (uint64_t)dynamic_state_value[condition->constant]);
        any = true;
    }
    if (any)
        string_builder_add(text, " from the command buffer");
}

/* Reports a dynamic state that was not set. */
static void report_need(struct draw *draw, const struct draw_row *row)
{
    for (uint32_t i = 0; i < row->count; i++) {
        const uint16_t reference = draw_row_conditions[row->first + i];
        const struct draw_condition *condition = &draw_conditions[reference & CONDITION_INDEX];
        if (condition->kind == DRAW_SET && reference & CONDITION_FAILS)
            BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), row->rule, "commandBuffer",
                      "has %s %s from the command buffer, but %s was not called since "
                      "vkBeginCommandBuffer, or a pipeline that has the state fixed was bound "
                      "after it",
                      draw_has_shader_objects(draw) ? "shader objects bound, which take"
                                                    : "a pipeline bound that takes",
                      value_text(VALUES_VkDynamicState,
                                 (uint64_t)dynamic_state_value[condition->constant])
                          .text,
                      command_name[condition->name]);
    }
}

/* Reports a broken row with a text made from its conditions: first those that hold, then those that
 * fail. */
static COLD void report_row(struct draw *draw, const struct draw_row *row)
{
    char buffer[1024];
    struct string_builder text;
    bool said = false;
    string_builder_begin(&text, buffer, sizeof(buffer));
    string_builder_add(&text, draw_has_shader_objects(draw) ? "has shader objects bound"
                                                            : "has a pipeline bound");
    if (!draw_has_shader_objects(draw))
        write_taken(&text, row);
    for (uint32_t demand = 0; demand < 2; demand++) {
        for (uint32_t i = 0; i < row->count; i++) {
            const uint16_t reference = draw_row_conditions[row->first + i];
            if (!(reference & CONDITION_DEMAND) == !demand) {
                const size_t length = text.length;
                write_condition(&text, draw, reference, !demand ? ", " : said ? " and " : ", but ");
                said |= demand && text.length > length;
            }
        }
    }
    BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), row->rule, "commandBuffer", "%s", text.text);
    string_builder_end(&text);
}

/* --- which rows are looked at --- */

/* True if the truth of the condition cannot change while the pipeline is bound, as it compares
 * values that the pipeline has fixed. Without memory for values they are not known. */
static bool compares_fixed_values(const struct draw *draw, const struct draw_condition *condition)
{
    return draw->values && !draw_has_shader_objects(draw) && condition->kind >= DRAW_FACT &&
           draw_value_is_fixed(draw, (enum draw_noun)condition->noun) &&
           (condition->other >= NOUN_COUNT ||
            draw_value_is_fixed(draw, (enum draw_noun)condition->other));
}

/* True if the condition is one that decides a row for all draws with the pipeline. `place`: of the
 * condition in the row. */
static bool decides_for_pipeline(const struct draw *draw, const struct draw_row *row,
                                 uint32_t place)
{
    const uint16_t reference = draw_row_conditions[row->first + place];
    return place < row->fixed ||
           compares_fixed_values(draw, &draw_conditions[reference & CONDITION_INDEX]);
}

/* Finds the rows that the pipeline and the device do not exclude. */
static COLD void find_rows(const struct draw *draw, uint32_t point, uint64_t rows[DRAW_ROW_WORDS])
{
    memset(rows, 0, DRAW_ROW_WORDS * sizeof(*rows));
    for (uint32_t i = 0; i < ARRAY_LENGTH(draw_rows); i++) {
        const struct draw_row *row = &draw_rows[i];
        bool may_be_broken = row->points >> point & 1;
        for (uint32_t k = 0; may_be_broken && k < row->count; k++)
            may_be_broken = !decides_for_pipeline(draw, row, k) ||
                            is_as_said(draw, draw_row_conditions[row->first + k]);
        rows[i / 64] |= (uint64_t)may_be_broken << i % 64;
    }
}

/* True if none of the rows that every draw must check can be broken. */
static bool are_quiet(const uint64_t rows[DRAW_ROW_WORDS])
{
    bool quiet = true;
    for (uint32_t i = DRAW_NEEDS; i < ARRAY_LENGTH(draw_rows); i++)
        quiet &= !((rows[i / 64] & draw_rows_always[i / 64]) >> i % 64 & 1);
    return quiet;
}

/* Finds the rows that the bound pipeline may break, and keeps them with it. The last word is stored
 * last, as its KNOWN bit says that the others are valid. */
static void rows_of(const struct draw *draw, uint32_t point, uint64_t rows[DRAW_ROW_WORDS])
{
    if (draw_has_shader_objects(draw)) {
        find_rows(draw, point, rows);
        return;
    }
    struct core_in_pipeline *kept = core_in_pipeline(draw->pipeline);
    rows[LAST_WORD] = atomic_load_explicit(&kept->rows[LAST_WORD], memory_order_acquire);
    if (unlikely(!(rows[LAST_WORD] & KNOWN))) {
        find_rows(draw, point, rows);
        for (uint32_t i = 0; i < LAST_WORD; i++)
            atomic_store_explicit(&kept->rows[i], rows[i], memory_order_relaxed);
        atomic_store_explicit(&kept->rows[LAST_WORD],
                              rows[LAST_WORD] | KNOWN | (are_quiet(rows) ? QUIET : 0),
                              memory_order_release);
    }
    for (uint32_t i = 0; i < LAST_WORD; i++)
        rows[i] = atomic_load_explicit(&kept->rows[i], memory_order_relaxed);
    rows[LAST_WORD] &= ~(KNOWN | QUIET);
}

/* True if some dynamic state of the pipeline is not set. */
static bool lacks_state(const struct draw *draw)
{
    const struct dynamic_state_set *taken = &draw->pipeline->dynamic,
                                   *set = &draw->command_buffer->dynamic_set;
    uint64_t missing = 0;
    for (uint32_t i = 0; i < ARRAY_LENGTH(taken->bits); i++)
        missing |= taken->bits[i] & ~set->bits[i];
    return missing != 0;
}

/* True if all conditions of a row hold. Fixed conditions, which do not change between draws, were
 * checked before. */
static bool is_broken(const struct draw *draw, const struct draw_row *row)
{
    for (uint32_t i = row->fixed; i < row->count; i++) {
        if (!is_as_said(draw, draw_row_conditions[row->first + i]))
            return false;
    }
    return true;
}

/* Checks one row, and reports it. Rows about needed states have another text. */
static void check_row(struct draw *draw, uint32_t index)
{
    const struct draw_row *row = &draw_rows[index];
    if (row->command != COMMAND_COUNT && row->command != command_root[draw->s.call->command])
        return;
    if (!is_broken(draw, row))
        return;
    if (index < DRAW_NEEDS)
        report_need(draw, row);
    else
        report_row(draw, row);
}

/* Removes those rows that depend on nothing that has changed. */
static void keep_asking(const struct command_buffer *command_buffer, uint32_t dirty,
                        uint64_t rows[DRAW_ROW_WORDS])
{
    const struct dynamic_state_set *changed = &command_buffer->dynamic_changed;
    uint64_t asking[DRAW_ROW_MASK_WORDS];
    memcpy(asking, draw_rows_always, sizeof(asking));
    for (uint32_t i = 0; i < ARRAY_LENGTH(changed->bits); i++) {
        for (uint64_t rest = changed->bits[i]; rest; rest &= rest - 1) {
            const uint32_t state = i * 64 + (uint32_t)__builtin_ctzll(rest);
            for (uint32_t word = 0; word < DRAW_ROW_MASK_WORDS; word++)
                asking[word] |= draw_rows_asking[state][word];
        }
    }
    for (uint32_t word = 0; word < DRAW_ROW_MASK_WORDS; word++) {
        if (dirty & DIRTY_RENDER_PASS)
            asking[word] |= draw_rows_asking[DRAW_ASKING_OF_PASS][word];
        if (dirty & DIRTY_QUERIES)
            asking[word] |= draw_rows_asking[DRAW_ASKING_OF_QUERIES][word];
        rows[word] &= asking[word];
    }
}

/* True if all rare nouns are false, 0 or not known: the render pass instance has none of what most
 * instances do not have. */
static bool pass_is_common(const struct draw *draw)
{
    const struct render_pass_instance *pass = draw->rendering;
    const struct command_buffer_sections *sections = sections_of(draw->command_buffer);
    if (sections && sections->per_tile)
        return false;
    return !pass || !(pass->flags | pass->single_samples | pass->shading_rate_view |
                      pass->density_map_view | pass->custom_resolve | pass->tile_shading);
}

/* Removes the rows about what the render pass instance does not have. */
static void leave_rare_out(const struct draw *draw, uint64_t rows[DRAW_ROW_WORDS])
{
    if (unlikely(!pass_is_common(draw)))
        return;
    for (uint32_t i = 0; i < DRAW_ROW_MASK_WORDS; i++)
        rows[i] &= ~draw_rows_of_rare[i];
}

/* Removes the rows about active queries if no query is active. */
static void leave_queries_out(const struct command_buffer *command_buffer,
                              uint64_t rows[DRAW_ROW_WORDS])
{
    const struct command_buffer_queries *queries = command_buffer->queries;
    for (uint32_t i = 0; (!queries || !queries->active_count) && i < DRAW_ROW_MASK_WORDS; i++)
        rows[i] &= ~draw_rows_of_queries[i];
}

#ifndef NDEBUG
/* True if the other rows, which no changed state affects, are not broken. */
static bool others_are_in_order(const struct draw *draw, const uint64_t asking[DRAW_ROW_WORDS])
{
    uint64_t rows[DRAW_ROW_WORDS];
    rows_of(draw, 0, rows);
    for (uint32_t i = DRAW_NEEDS; i < ARRAY_LENGTH(draw_rows); i++) {
        const struct draw_row *row = &draw_rows[i];
        if ((rows[i / 64] & ~asking[i / 64]) >> i % 64 & 1 && row->command == COMMAND_COUNT &&
            is_broken(draw, row))
            return false;
    }
    return true;
}
#endif

/* --- pipelines that come again --- */

/* True if no rule was broken by this pipeline and command before, and nothing has changed since. */
static bool was_in_order(const struct draw *draw)
{
    const struct drawn_in_order *drawn = &draw->command_buffer->in_order;
    for (uint32_t i = 0; i < DRAWN_IN_ORDER; i++) {
        if (drawn->pipelines[i] == draw->command_buffer->bind[0].pipeline &&
            drawn->commands[i] == command_root[draw->s.call->command])
            return true;
    }
    return false;
}

/* True if no row needs to be checked, as the pipeline already broke none. */
static bool is_quiet(const struct draw *draw)
{
    const struct core_in_pipeline *kept = core_in_pipeline(draw->pipeline);
    return atomic_load_explicit(&kept->rows[LAST_WORD], memory_order_relaxed) & QUIET;
}

void draw_note_in_order(const struct draw *draw)
{
    assert(draw->is_new && !draw->s.wrong);
    struct drawn_in_order *drawn = &draw->command_buffer->in_order;
    const uint32_t at = drawn->next++ % DRAWN_IN_ORDER;
    drawn->pipelines[at] = draw->command_buffer->bind[0].pipeline;
    drawn->commands[at] = (uint16_t)command_root[draw->s.call->command];
}

/* Changes after which earlier results for pipelines are not valid. */
#define DIRTY_BESIDE_PIPELINE \
    (DIRTY_SHADERS | DIRTY_SETS | DIRTY_DYNAMIC_STATE | DIRTY_RENDER_PASS | DIRTY_QUERIES)

void draw_check_rows(struct draw *draw, uint32_t point, uint32_t dirty)
{
    uint64_t rows[DRAW_ROW_WORDS];
    enum rule reported = RULE_NONE;
    /* a missing state does not break other rows, and most often none is missing */
    const bool lacks = lacks_state(draw),
               noted = !point && !draw_has_shader_objects(draw) && !lacks;
    if (!point && dirty & DIRTY_BESIDE_PIPELINE)
        draw->command_buffer->in_order = (struct drawn_in_order){0};
    else
        draw->again = noted && was_in_order(draw);
    draw->is_new = noted && !draw->again;
    if (draw->again && is_quiet(draw)) {
        assert(others_are_in_order(draw, (const uint64_t[DRAW_ROW_WORDS]){0}));
        return;
    }
    rows_of(draw, point, rows);
    if (draw->again || (!point && !(dirty & (DIRTY_PIPELINE | DIRTY_SHADERS | DIRTY_SETS))))
        keep_asking(draw->command_buffer, dirty, rows);
    leave_queries_out(draw->command_buffer, rows);
    leave_rare_out(draw, rows);
    assert(point || others_are_in_order(draw, rows));
    const uint32_t first = lacks ? 0 : DRAW_NEEDS;
    for (uint32_t word = first / 64; word < DRAW_ROW_WORDS; word++) {
        uint64_t rest = rows[word];
        if (word == first / 64)
            rest &= UINT64_MAX << first % 64;
        for (; unlikely(rest); rest &= rest - 1) {
            const uint32_t index = word * 64 + (uint32_t)__builtin_ctzll(rest);
            const bool wrong = draw->s.wrong;
            if (draw_rows[index].rule == reported)
                continue; /* only one mistake is reported */
            draw->s.wrong = false;
            check_row(draw, index);
            reported = draw->s.wrong ? draw_rows[index].rule : reported;
            draw->s.wrong |= wrong;
        }
    }
}
