/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "report/names/feature_names.h"

#include "report/names/structures.h"

<%! from model import feature_tables
from rooms.report import structure_tables %>\
<% t = feature_tables.tables(m); d = structure_tables.tables(m) %>\
/* The structure, and the member's place in report/names/structures.h's table. */
static const struct {
    uint16_t structure;
    uint16_t member;
} feature_info[FEATURE_COUNT] = {
% for feature in t.features:
<% structure, member = feature.places[-1] %>\
    {STRUCTURE_${structure}, ${[x.name for x in d.descriptors[structure]].index(member)}},
% endfor
};

const char *feature_name(enum feature feature)
{
    const struct structure_info *info = &structure_info[feature_info[feature].structure];
    return member_name(&structure_members[info->first + feature_info[feature].member]);
}

const char *feature_structure(enum feature feature)
{
    return structure_name((enum structure)feature_info[feature].structure);
}
