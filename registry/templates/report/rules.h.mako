<% table = rules.numbers(m) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_REPORT_RULES_H
#define ASSAY_REPORT_RULES_H

#include "report/vuids.h"
#include "objects/call.h"

/* Of a number that has one id only, whatever the command: that id comes after this bit. */
#define RULE_OF_ONE_ID (1 << 20)
static_assert(VUID_COUNT <= RULE_OF_ONE_ID, "ids are below it");

/* The numbers of the registry's valid-usage statements. Twins have one number and several ids: 00113 is VUID-vkCmdCopyBuffer-srcOffset-00113 and
 * VUID-VkCopyBufferInfo2-srcOffset-00113. */
enum rule {
% for number, rows in table.items():
    RULE_${'%05d' % number} = ${f'RULE_OF_ONE_ID | {m.vuid_constant(rules.only_id(rows))}' if rules.only_id(rows) else number},
% endfor
};

/* The id that the rule has for this command: of a statement of the command itself, or of a structure that its parameters lead to (the nearest one); the
 * only id of the number where there is but one. VUID_COUNT when the command has no such rule: a finding with that id is none. */
enum vuid rule_vuid(enum command command, enum rule rule) COLD;
/* The same, but of two ids with one number the second one: VUID-vkCmdCopyImage-dstImage-07966 rather than ...-srcImage-07966. */
enum vuid rule_vuid_of_destination(enum command command, enum rule rule) COLD;

/* As an argument of finding() and CHECK(): RULE(call, 00113). */
#define RULE(call_, number_) rule_vuid((call_)->command, RULE_##number_)

#endif
