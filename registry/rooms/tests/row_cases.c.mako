<%!
from model import feature_tables
%>\
<% t = rules.tests(m)
features = feature_tables.tables(m)
structures = [n for n in features.structures if n != 'VkPhysicalDeviceFeatures']
numbers = {name: i for i, f in enumerate(features.features) for name in f.names}
off = lambda pair: ', '.join([str(numbers[n]) for n in pair[0]] + ['ROW_FEATURES_END'])
told = lambda text: 'NULL' if text is None else '"' + text.replace('"', '\\"') + '"'
without = lambda pair: ', '.join([f'"{n}"' for n in pair[1]] + ['NULL']) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "row_cases.h"

#include "cases.h"

% for i, case in enumerate(t.row_cases):
% for half, lines in (('keep', case.valid), ('break', case.broken)):
static void ${half}_row_${i}(void *args)
{
    struct args_${case.command[2:]} *a = args;
% if case.row.owner in m.structs:
    ${case.row.owner} *s = way_to_${case.row.owner}(a);
    (void)s;
% else:
    (void)a;
% endif
% for line in lines:
    ${line}
% endfor
}

% endfor
% endfor
const struct row_test row_tests[] = {
% for i, case in enumerate(t.row_cases):
    {&test_command_${case.command[2:]}, "${case.row.vuid.id}", ${'true' if t.rules.rows.needs_state(case.row.sentence) else 'false'}, ${f'"{case.text}"' if case.text else 'NULL'},
     {keep_row_${i}, ${told(case.valid_driver)}, ${'true' if 'deviceGroup' in (case.valid_driver or '') else 'false'}, (const uint16_t[]){${off(case.valid_off)}}, (const char *const[]){${without(case.valid_off)}}},
     {break_row_${i}, ${told(case.broken_driver)}, ${'true' if 'deviceGroup' in (case.broken_driver or '') else 'false'}, (const uint16_t[]){${off(case.broken_off)}}, (const char *const[]){${without(case.broken_off)}}}},
% endfor
};
const unsigned row_test_count = sizeof(row_tests) / sizeof(row_tests[0]);

const struct feature_structure feature_structures[] = {
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, sizeof(VkPhysicalDeviceFeatures2)},
% for name in structures:
    {${m.structs[name].sType}, sizeof(${name})},
% endfor
};
const unsigned feature_structure_count = sizeof(feature_structures) / sizeof(feature_structures[0]);

const struct feature_place feature_places[] = {
% for i, feature in enumerate(features.features):
% for structure, member in feature.places:
% if structure == 'VkPhysicalDeviceFeatures':
    {${i}, 0, offsetof(VkPhysicalDeviceFeatures2, features.${member})},
% else:
    {${i}, ${structures.index(structure) + 1}, offsetof(${structure}, ${member})},
% endif
% endfor
% endfor
};
const unsigned feature_place_count = sizeof(feature_places) / sizeof(feature_places[0]);
