/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "valid_tables.h"

<%! from model import feature_tables %>\
<% t = feature_tables.tables(m)
def version(name):
    return int(name[11] + name[13]) if name else 0
def extension_list(names):
    names = [n for n in names if n in m.extensions][:4]
    return '{' + ', '.join(f'EXTENSION_{n[3:]}' for n in names) + '}', len(names)
%>\
const struct extension_info extension_info[EXTENSION_COUNT] = {
% for name, e in m.extensions.items():
    {"${name}", "${e.depends or ''}", ${version(e.promotedTo if e.promotedTo in m.versions else None)}, ${'true' if e.device else 'false'}, ${'true' if e.instance else 'false'}},
% endfor
};

const char *const feature_names[FEATURE_COUNT] = {
% for feature in t.features:
    "${feature.names[0][8:]}",
% endfor
};

% for name, members in t.structures.items():
static const struct feature_member members_${name}[] = {
% for member, number in members:
    {offsetof(${name}, ${member}), ${t.features[number].names[0]}},
% endfor
};
% endfor

const struct feature_structure feature_structures[FEATURE_STRUCTURE_COUNT] = {
% for name, members in t.structures.items():
<% s = m.structs[name]; extensions, count = extension_list(s.extensions) %>\
    {"${name}", ${s.sType if name != feature_tables.BASE else '(VkStructureType)0'}, sizeof(${name}), ${version(s.version.name if s.version else None)}, ${'true' if feature_tables.VERSIONED.match(name) else 'false'}, ${extensions}, ${count}, ${len(members)}, members_${name}},
% endfor
};

const struct feature_of_extension features_of_extensions[] = {
% for feature in t.features:
% for extension in feature.extensions:
    {EXTENSION_${extension[3:]}, ${feature.names[0]}},
% endfor
% endfor
};
const uint32_t features_of_extensions_count = sizeof(features_of_extensions) / sizeof(features_of_extensions[0]);

<%
ways, infos = [], []
for name, c in m.commands.items():
    if not m.is_device_command(c):
        continue
    names = [name] + [a for a, root in m.aliases.items() if root == name]
    infos.append((name, len(ways), len(names)))
    for n in names:
        a = m.all_commands[n]
        v = version(a.version.name) if a.version else 0 if a.extensions else 10
        extensions, count = extension_list(a.extensions)
        ways.append((n, v, extensions, count))
%>\
const struct command_info command_info[COMMAND_COUNT] = {
% for name, first, count in infos:
    [COMMAND_${name[2:]}] = {${first}, ${count}},
% endfor
};

const struct command_way command_ways[] = {
% for n, v, extensions, count in ways:
    {"${n}", ${v}, ${extensions}, ${count}},
% endfor
};
