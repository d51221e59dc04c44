<% table = rules.numbers(m) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_REPORT_RULES_H
#define ASSAY_REPORT_RULES_H

#include "report/vuids.h"
#include "objects/call.h"

/* A number that has one id only, whatever the command, has that id below this bit. */
#define RULE_OF_ONE_ID (1 << 20)
/* A number that has several ids stands below this bit. */
#define RULE_OF_MANY_IDS (1 << 21)
/* Takes the second of two ids with one number: VUID-vkCmdCopyImage-dstImage-07966 rather than
 * ...-srcImage-07966. */
#define RULE_OF_DESTINATION (1 << 22)
static_assert(VUID_COUNT <= RULE_OF_ONE_ID, "ids are below it");

/* The rule that a finding is about: a number, or an id. The numbers of the registry's valid-usage
 * statements have names here. Twins have one number and several ids: 00113 is
 * VUID-vkCmdCopyBuffer-srcOffset-00113 and VUID-VkCopyBufferInfo2-srcOffset-00113. An enum vuid is
 * a rule as well, as it is. */
enum rule {
    RULE_NONE, /* no finding is made of it */
% for number, rows in table.items():
    RULE_${'%05d' % number} = ${f'RULE_OF_ONE_ID | {m.vuid_constant(rules.only_id(rows))}' if rules.only_id(rows) else f'RULE_OF_MANY_IDS | {number}'},
% endfor
};

/* The id that the rule has for this command: of a statement of the command itself, or of a structure that its parameters lead to (the nearest one); the
 * only id of the number where there is but one. VUID_COUNT when the command has no such rule: a finding with that id is none. */
enum vuid rule_vuid(enum command command, enum rule rule) COLD;

/* As an argument of finding(): RULE(call, 00113). */
#define RULE(call_, number_) rule_vuid((call_)->command, RULE_##number_)

#endif
