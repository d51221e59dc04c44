/* Words the message for a row that does not hold: "is 17, more than maxViewports of this device,
 * 16", then the guards, which are why. */
#include "stateless/rows.h"

#include <inttypes.h>

#include "report/finding.h"
#include "report/names_of_values.h"
#include "report/rows_broken.h"

static void row_write_number(struct string_builder *text, const struct row_number *number,
                             uint16_t value_type)
{
    if (number->is_real)
        string_builder_format(text, "%g", number->real);
    else if (value_type == ROW_BOOLEAN && number->bits <= VK_TRUE)
        string_builder_add(text, number->bits ? "VK_TRUE" : "VK_FALSE");
    else if (value_type && value_type != ROW_BOOLEAN)
        value_write(text, (enum value_type)(value_type - 1), number->bits);
    else if (number->negative)
        string_builder_format(text, "%" PRId64, (int64_t)number->bits);
    else
        string_builder_format(text, "%" PRIu64, number->bits);
}

static void row_write_value(struct string_builder *text, const struct row_subject *subject,
                            const struct row_value *value)
{
    struct row_number number = row_read(subject, value);
    row_write_number(text, &number, value->value_type);
}

/* A value's name, with that of the chained structure that it is in; of a sum, both. */
static void row_write_name(struct string_builder *text, const struct row_value *value)
{
    if (value->source == ROW_SUM) {
        row_write_name(text, &row_values[value->first]);
        string_builder_add(text, " + ");
        value = &row_values[value->second];
    }
    if (value->source == ROW_MEMBER && value->root == ROW_OF_CHAIN)
        string_builder_format(text, "%s::", row_names + row_chains[value->chain].name);
    string_builder_add(text, row_names[value->name] ? row_names + value->name : "it");
}

/* What a value is compared with: "maxViewports of this device, 16", "stageCount, 2",
 * "VK_WHOLE_SIZE", "4". */
static void row_write_operand(struct string_builder *text, const struct row_subject *subject,
                              const struct row_value *value)
{
    if (value->source == ROW_NUMBER) {
        if (row_names[value->name])
            string_builder_add(text, row_names + value->name);
        else
            row_write_value(text, subject, value);
        return;
    }
    row_write_name(text, value);
    string_builder_add(text, value->source == ROW_LIMIT ? " of this device, " : ", ");
    row_write_value(text, subject, value);
}

/* A list of constants: "A, B or C". */
static void row_write_constants(struct string_builder *text, const struct row_atom *atom,
                                uint16_t value_type, const char *last)
{
    for (uint32_t i = 0; i < atom->count; i++) {
        struct row_number number = {.known = true, .bits = row_numbers[atom->right + i]};
        if (i > 0)
            string_builder_add(text, i + 1 < atom->count ? ", " : last);
        row_write_number(text, &number, value_type);
    }
}

static void row_write_bits(struct string_builder *text, uint64_t bits, uint16_t value_type)
{
    struct row_number number = {.known = true, .bits = bits};
    row_write_number(text, &number, value_type);
}

/* Which bits of an atom's mask a value has, or lacks. */
static void row_write_bit_state(struct string_builder *text, const struct row_atom *atom,
                                const struct row_number *number, uint16_t value_type)
{
    uint64_t mask = row_numbers[atom->right], present = number->bits & mask,
             others = number->bits & ~mask;
    switch (atom->kind) {
    case ROW_ANY_BIT:
        string_builder_add(text, present             ? "contains "
                                 : mask & (mask - 1) ? "contains none of "
                                                     : "does not contain ");
        row_write_bits(text, present ? present : mask, value_type);
        break;
    case ROW_ALL_BITS:
        string_builder_add(text, present == mask ? "contains " : "does not contain ");
        row_write_bits(text, present == mask ? mask : mask & ~number->bits, value_type);
        break;
    default: /* ROW_ONLY_BITS */
        string_builder_add(text, "contains ");
        row_write_bits(text, others ? others : number->bits, value_type);
        break;
    }
}

/* What the value of an atom is, as the predicate of a sentence: "is VK_IMAGE_TYPE_2D", "contains
 * VK_...", "is NULL". */
static void row_write_state(struct string_builder *text, const struct row_atom *atom,
                            const struct row_number *number)
{
    uint16_t value_type = row_values[atom->left].value_type;
    switch (atom->kind) {
    case ROW_NULL:
        string_builder_add(text, number->bits ? "is not NULL" : "is NULL");
        break;
    case ROW_ANY_BIT:
    case ROW_ALL_BITS:
    case ROW_ONLY_BITS:
        row_write_bit_state(text, atom, number, value_type);
        break;
    default:
        string_builder_add(text, "is ");
        row_write_number(text, number, value_type);
        break;
    }
}

static const char *const row_comparisons[] = {
    [ROW_EQUAL] = ", not ",
    [ROW_DIFFERENT] = ", the same as ",
    [ROW_LESS] = ", not less than ",
    [ROW_AT_MOST] = ", more than ",
    [ROW_MORE] = ", not more than ",
    [ROW_AT_LEAST] = ", less than ",
    [ROW_MULTIPLE] = ", not a multiple of ",
};

/* ", more than maxViewports of this device, 16"; nothing where the value itself says all, as "is 0"
 * does. */
static void row_write_comparison(struct string_builder *text, const struct row_subject *subject,
                                 const struct row_atom *atom, const struct row_number *number)
{
    const struct row_value *operand = &row_values[atom->right];
    struct row_number other = row_read(subject, operand);
    if (operand->source == ROW_NUMBER &&
        (atom->kind == ROW_DIFFERENT || (atom->kind == ROW_MORE && other.bits == number->bits)))
        return;
    string_builder_add(text, row_comparisons[atom->kind]);
    row_write_operand(text, subject, operand);
}

/* The predicate of an atom that does not hold: "is 3, not a power of two". */
static void row_write_fault(struct string_builder *text, const struct row_subject *subject,
                            const struct row_atom *atom)
{
    const struct row_value *value = &row_values[atom->left];
    struct row_number number = row_read(subject, value);
    row_write_state(text, atom, &number);
    if (atom->kind <= ROW_MULTIPLE) {
        row_write_comparison(text, subject, atom, &number);
    } else if (atom->kind == ROW_AMONG && atom->positive) {
        string_builder_add(text, ", not ");
        row_write_constants(text, atom, value->value_type, " or ");
    } else if (atom->kind == ROW_POWER_OF_TWO) {
        string_builder_add(text, ", not a power of two");
    } else if (atom->kind == ROW_ONE_BIT) {
        string_builder_add(text, ", which is not one bit");
    }
}

/* An atom that holds, as a clause with its subject: "imageType is VK_IMAGE_TYPE_2D". */
static void row_write_fact(struct string_builder *text, const struct row_subject *subject,
                           const struct row_atom *atom)
{
    switch (atom->kind) {
    case ROW_FEATURE:
        string_builder_format(text, "the feature %s is %senabled", row_names + atom->right,
                              atom->positive ? "" : "not ");
        return;
    case ROW_EXTENSION:
        string_builder_format(text, "%s is %senabled", extension_info[atom->left].name,
                              atom->positive ? "" : "not ");
        return;
    case ROW_CHAINED:
        string_builder_format(text, "the pNext chain has %s%s", atom->positive ? "a " : "no ",
                              row_names + row_chains[atom->left].name);
        return;
    default:
        break;
    }
    struct row_number number = row_read(subject, &row_values[atom->left]);
    row_write_name(text, &row_values[atom->left]);
    string_builder_add(text, " ");
    row_write_state(text, atom, &number);
}

static bool row_has_subject(const struct row_atom *atom)
{
    return atom->kind < ROW_CHAINED && row_values[atom->left].source == ROW_MEMBER;
}

/* Of the clause that begins at `atom`, the atom that holds. */
static const struct row_atom *row_holding(const struct row_subject *subject,
                                          const struct row_atom *atom)
{
    while (atom->alternative && row_ask(subject, atom) != ROW_YES)
        atom++;
    return atom;
}

static const struct row_atom *row_next_clause(const struct row_atom *atom)
{
    while (atom->alternative)
        atom++;
    return atom + 1;
}

/* ", but the feature sparseBinding is not enabled, and imageType is VK_IMAGE_TYPE_2D". Neither the
 * guard `but` nor what is said of `value`, the finding's subject. */
static void row_write_guards(struct string_builder *text, const struct row *row,
                             const struct row_subject *subject, const struct row_value *value,
                             const struct row_atom *but, bool first)
{
    const struct row_atom *atom = &row_atoms[row->atoms], *must = atom + row->guards;
    for (; atom < must; atom = row_next_clause(atom)) {
        const struct row_atom *holding = row_holding(subject, atom);
        if (holding->kind != ROW_AMONG && holding->count == ROW_UNSAID)
            continue;
        if (holding == but ||
            (value && row_has_subject(holding) && &row_values[holding->left] == value))
            continue; /* it is said already */
        string_builder_add(text, first ? ", but " : ", and ");
        row_write_fact(text, subject, holding);
        first = false;
    }
}

/* The first of the row's guards that is about a member, or NULL. */
static const struct row_atom *row_guard_with_subject(const struct row *row,
                                                     const struct row_subject *subject)
{
    const struct row_atom *atom = &row_atoms[row->atoms], *must = atom + row->guards;
    for (; atom < must; atom = row_next_clause(atom)) {
        const struct row_atom *holding = row_holding(subject, atom);
        if (row_has_subject(holding) && (holding->kind == ROW_AMONG || !holding->count))
            return holding;
    }
    return NULL;
}

/* How many features there are in a clause that asks for one of them; 0 if it asks for something
 * else. */
static uint32_t row_count_features(const struct row_atom *atom)
{
    for (uint32_t count = 1;; count++, atom++) {
        if (atom->kind != ROW_FEATURE || !atom->positive)
            return 0;
        if (!atom->alternative)
            return count;
    }
}

/* "needs the feature x, which is not enabled", "needs the feature x or y, and neither is enabled".
 */
static void row_write_needed(struct string_builder *text, const struct row_atom *atom,
                             uint32_t count)
{
    string_builder_add(text, "needs the feature ");
    for (uint32_t i = 0; i < count; i++)
        string_builder_format(text, "%s%s",
                              !i              ? ""
                              : i + 1 < count ? ", "
                                              : " or ",
                              row_names + atom[i].right);
    string_builder_add(text, count == 1   ? ", which is not enabled"
                             : count == 2 ? ", and neither is enabled"
                                          : ", and none of them is enabled");
}

/* What must hold and does not, of which no member is the subject: "the feature x is not enabled".
 * With `alone` nothing else of the row stands before it; with `of_structure` a structure does. */
static void row_write_lacking(struct string_builder *text, const struct row_atom *broken,
                              bool alone, bool of_structure)
{
    const uint32_t features = alone ? row_count_features(broken) : 0;
    if (features) {
        row_write_needed(text, broken, features);
        return;
    }
    if (alone && of_structure && broken->kind == ROW_CHAINED) {
        string_builder_format(text, "has %s%s in its pNext chain", broken->positive ? "no " : "a ",
                              row_names + row_chains[broken->left].name);
        return;
    }
    const struct row_atom *atom = broken;
    bool first = true, more;
    do {
        if (!first)
            string_builder_add(text, ", and ");
        if (atom->kind == ROW_FEATURE)
            string_builder_format(text, "the feature %s is %senabled", row_names + atom->right,
                                  atom->positive ? "not " : "");
        else if (atom->kind == ROW_EXTENSION)
            string_builder_format(text, "%s is %senabled", extension_info[atom->left].name,
                                  atom->positive ? "not " : "");
        else
            string_builder_format(text, "the pNext chain has %s%s", atom->positive ? "no " : "a ",
                                  row_names + row_chains[atom->left].name);
        first = false;
        more = atom->alternative;
        atom++;
    } while (more);
}

/* Reports with the text at the member of `value` (NULL: at the structure, or the call). */
static void row_finding(struct check *c, const struct location *where, const struct row *row,
                        const struct row_value *value, uint32_t index, const char *text)
{
    struct location chained, array, at;
    const struct location *parent = where;
    if (value && value->root == ROW_OF_CHAIN) {
        chained = LOCATION_CHAINED(where, row_names + row_chains[value->chain].name);
        parent = &chained;
    } else if (value && value->root == ROW_OF_ELEMENT) {
        array = LOCATION_INDEX(where, row_names + row_arrays[row->array].name, index);
        parent = &array;
    }
    if (value && row_names[value->name]) {
        at = LOCATION(parent, row_names + value->name);
        parent = &at;
    }
    rows_note_broken();
    c->skip |= finding(c->call, (enum vuid)row->vuid, parent, NULL, "%s", text);
}

#define ROW_TEXT_SIZE 512

void row_report(struct check *c, const struct location *where, const struct row *row,
                const struct row_subject *subject, const struct row_atom *broken, uint32_t index)
{
    char buffer[ROW_TEXT_SIZE];
    struct string_builder text;
    string_builder_begin(&text, buffer, sizeof(buffer));
    const struct row_value *value = NULL;
    if (broken->kind < ROW_CHAINED) {
        /* two members: it is said of the structure */
        if (row_values[broken->left].source == ROW_SUM) {
            row_write_name(&text, &row_values[broken->left]);
            string_builder_add(&text, " ");
        } else {
            value = &row_values[broken->left];
        }
        row_write_fault(&text, subject, broken);
        row_write_guards(&text, row, subject, value, NULL, true);
    } else {
        const struct row_atom *guard = row_guard_with_subject(row, subject);
        if (guard) {
            value = &row_values[guard->left];
            struct row_number number = row_read(subject, value);
            row_write_state(&text, guard, &number);
            string_builder_add(&text, ", but ");
        }
        row_write_lacking(&text, broken, !guard, where);
        row_write_guards(&text, row, subject, value, guard, !value);
    }
    row_finding(c, where, row, value, index, text.text);
    string_builder_end(&text);
}
