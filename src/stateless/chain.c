/* Checks the structures of each pNext chain: each is known, allowed here, enabled, not repeated,
 * and valid in itself. The walk never follows a cycle. */
#include "stateless/check.h"

#include <stdlib.h>

#include "base/string_builder.h"
#include "report/finding/finding.h"
#include "report/names/names_of_values.h"

/* The registry's structure of this type; NULL if it extends no structure, or is not known. */
static const struct chain_structure *chain_structure_find(VkStructureType type)
{
    uint32_t low = 0, high = chain_structure_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (chain_structures[middle].type < type)
            low = middle + 1;
        else
            high = middle;
    }
    return low < chain_structure_count && chain_structures[low].type == type
               ? &chain_structures[low]
               : NULL;
}

/* True for structures of the loader and of platforms, which may stand in any chain. */
static bool is_foreign(VkStructureType type)
{
    for (uint32_t i = 0; i < foreign_structure_type_count; i++) {
        if (foreign_structure_types[i] == (uint32_t)type)
            return true;
    }
    return false;
}

/* True if the setting custom_stype_list has the type. The list alternates: sType, size, sType,
 * size. */
static bool is_custom(const struct call *call, VkStructureType type)
{
    if (!call->instance)
        return false;
    const struct setting_list *list = &call->instance->settings.custom_stype_list;
    for (uint32_t i = 0; i < list->count; i += 2) {
        if (strtoull(list->items[i], NULL, 0) == (uint32_t)type)
            return true;
    }
    return false;
}

/* The structure of that type if the rule allows it, else NULL. The rule's structures are in the
 * order of their types. */
static const struct chain_structure *find_allowed(const struct chain_rule *rule,
                                                  VkStructureType type)
{
    assert(rule->allowed || !rule->count);
    uint32_t low = 0, high = rule->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (chain_structures[rule->allowed[middle]].type < type)
            low = middle + 1;
        else
            high = middle;
    }
    const struct chain_structure *found =
        low < rule->count ? &chain_structures[rule->allowed[low]] : NULL;
    return found && found->type == type ? found : NULL;
}

/* Reports a structure whose extension or version is not enabled. */
static void report_not_enabled(struct check *c, const struct location *where,
                               const struct chain_structure *structure,
                               const struct chain_rule *rule)
{
    char text[256];
    struct string_builder builder;
    string_builder_begin(&builder, text, sizeof(text));
    requirement_describe(structure->requirement, &builder);
    c->skip |=
        finding(c->call, rule->vuid, &LOCATION(where, "pNext"), NULL,
                "includes a %s, which needs %s to be enabled", structure->name, builder.text);
    string_builder_end(&builder);
}

/* True if a chain has a cycle, or is longer than any valid chain. */
static bool is_endless(const VkBaseInStructure *chain)
{
    uint32_t length = 0;
    for (; chain && !pointer_is_bad(chain); chain = chain->pNext) {
        if (++length > CHAIN_LIMIT)
            return true;
    }
    return false;
}

/* Reports an endless chain, which must not reach the driver. */
static COLD void report_endless(struct check *c, const struct location *where)
{
    c->skip |=
        finding(c->call, UNASSIGNED_GeneralParameterError_ChainCycle, &LOCATION(where, "pNext"),
                NULL, "does not end within %d structures: it comes back to itself", CHAIN_LIMIT);
    c->call->dead_handle = c->skip = true;
}

/* True if the chain has an earlier structure of the same type. */
static bool is_repeated(const VkBaseInStructure *chain, const VkBaseInStructure *element)
{
    while (chain != element && chain->sType != element->sType)
        chain = chain->pNext;
    return chain != element;
}

/* Checks one structure that the registry knows, and that is allowed here. The checks of its members
 * can look up the whole chain. */
static void check_element(struct check *c, const struct location *where, const void *chain,
                          const VkBaseInStructure *element, const struct chain_structure *structure,
                          const struct chain_rule *rule)
{
    if (!requirement_met(c->call, structure->requirement))
        report_not_enabled(c, where, structure, rule);
    if (!structure->check)
        return;
    const void *outer_chained = c->chained, *outer_chain = c->chain;
    c->chained = element;
    c->chain = chain;
    structure->check(c, &LOCATION_CHAINED(where, structure->name), element);
    c->chained = outer_chained;
    c->chain = outer_chain;
}

/* Reports a structure that is not allowed here. An sType that was never set is 0, which has a
 * name. */
static COLD void report_stranger(struct check *c, const struct location *where,
                                 VkStructureType type, const struct chain_rule *rule)
{
    const struct chain_structure *structure = chain_structure_find(type);
    if (structure)
        c->skip |= finding(c->call, rule->vuid, &LOCATION(where, "pNext"), NULL,
                           "includes a %s, which does not extend this structure", structure->name);
    else if (is_foreign(type) || is_custom(c->call, type))
        return;
    else if (value_has_name(VALUES_VkStructureType, type))
        c->skip |=
            finding(c->call, rule->vuid, &LOCATION(where, "pNext"), NULL,
                    "includes a structure whose sType is %d (%s), which extends no structure",
                    (int)type, value_text(VALUES_VkStructureType, type).text);
    else
        c->skip |= finding(c->call, rule->vuid, &LOCATION(where, "pNext"), NULL,
                           "includes a structure whose sType is %d, which extends no structure",
                           (int)type);
}

void check_chain(struct check *c, const struct location *where, const void *chain,
                 const struct chain_rule *rule)
{
    uint32_t length = 0;
    for (const VkBaseInStructure *element = chain; element; element = element->pNext) {
        if (pointer_is_bad(element)) {
            report_pointer(c, rule->vuid, where, "pNext", element);
            return;
        }
        if (++length > CHAIN_LIMIT) {
            report_endless(c, where);
            return;
        }
        const struct chain_structure *structure = find_allowed(rule, element->sType);
        bool repeated = structure && !structure->may_repeat && is_repeated(chain, element);
        /* A chain without an end gets no further findings about its elements. */
        if (unlikely((!structure || repeated) && is_endless(chain))) {
            report_endless(c, where);
            return;
        }
        if (unlikely(!structure)) {
            report_stranger(c, where, element->sType, rule);
            continue;
        }
        if (unlikely(repeated))
            c->skip |= finding(c->call, rule->unique_vuid, &LOCATION(where, "pNext"), NULL,
                               "includes more than one %s", structure->name);
        check_element(c, where, chain, element, structure, rule);
    }
}
