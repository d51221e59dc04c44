<%
# The registry names the properties of one version; on an older one the same come by another structure.
OLDER = {('VkPhysicalDeviceVulkan11Properties', 'subgroupSupportedOperations'): ('VkPhysicalDeviceSubgroupProperties', 'supportedOperations')}
def older(struct, member):
    if (struct, member) in OLDER:
        return OLDER[struct, member]
    if struct == 'VkPhysicalDeviceVulkan12Properties':
        return ('VkPhysicalDeviceFloatControlsProperties', member)
    return None
def has_member(struct, member):
    return struct in m.structs and any(x.name == member for x in m.structs[struct].members)
def test(enable):
    """The condition and its words, or None where this build knows nothing of what it names (a provisional extension)."""
    if enable.version:
        major, minor = enable.version.removeprefix('VK_VERSION_').split('_')
        if (major, minor) == ('1', '0'):
            return 'true', 'Vulkan 1.0'
        # "The corresponding core version is supported (as returned by VkPhysicalDeviceProperties::apiVersion)"
        return f'device->properties.apiVersion >= VK_API_VERSION_{major}_{minor}', f'Vulkan {major}.{minor}'
    if enable.extension:
        if enable.extension not in m.extensions:
            return None
        return f'extension_set_has(&device->extensions, EXTENSION_{enable.extension})', enable.extension
    if enable.feature:
        if not has_member(enable.struct, enable.feature):
            return None
        return (f'device_has_feature(device, FEATURE_{enable.struct.removeprefix("VkPhysicalDevice")}_{enable.feature})',
                f'{enable.struct}::{enable.feature}')
    structs = [s for s in ((enable.property, enable.member), older(enable.property, enable.member)) if s and has_member(*s)]
    if not structs:
        return None
    value = '' if enable.value == 'VK_TRUE' else f' & {enable.value}'
    return (' || '.join(f'(device->extended.{s.removeprefix("VkPhysicalDevice")}.{member}{value})' for s, member in structs),
            f'{enable.property}::{enable.member}' + ('' if enable.value == 'VK_TRUE' else f' with {enable.value}'))
def tests(enables):
    found = []
    for enable in enables:
        one = test(enable)
        if one and one not in found:
            found.append(one)
    return found
numbers = {e['enumerant']: value for value, e in m.spirv.enumerants('Capability')}
for e in m.spirv.kind['Capability']['enumerants']:
    for name in [e['enumerant']] + e.get('aliases', []):
        numbers.setdefault(name, e['value'])
capabilities, extensions = {}, {}
for s in m.vk.spirv:
    if s.capability:
        if s.name in numbers:
            capabilities.setdefault(numbers[s.name], []).extend(s.enable)
    else:
        extensions.setdefault(s.name, []).extend(s.enable)
implies = {e['enumerant']: e.get('capabilities', []) for e in m.spirv.kind['Capability']['enumerants']}
def implies_shader(name, seen=()):
    return name == 'Shader' or any(implies_shader(n, seen + (name,)) for n in implies.get(name, []) if n not in seen)
shaders = sorted({value for value, e in m.spirv.enumerants('Capability') if implies_shader(e['enumerant'])})
%>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "core/spirv_requirements.h"

#include <string.h>

enum spirv_support spirv_capability_support(const struct device *device, uint32_t capability, const char **needs)
{
    bool enabled;
    switch (capability) {
% for number, enables in sorted(capabilities.items()):
<% found = tests(enables) %>\
%     if found:
    case ${number}:
        enabled = ${' || '.join(c for c, _ in found)};
        *needs = "${', or '.join(w for _, w in found)}";
        break;
%     endif
% endfor
    default:
        *needs = "";
        return SPIRV_NOT_OF_THE_API;
    }
    return enabled ? SPIRV_ENABLED : SPIRV_NOT_ENABLED;
}

enum spirv_support spirv_extension_support(const struct device *device, const char *name, const char **needs)
{
    *needs = "";
% for name, enables in sorted(extensions.items()):
<% found = tests(enables) %>\
%     if found:
    if (strcmp(name, "${name}") == 0) {
        *needs = "${', or '.join(w for _, w in found)}";
        return ${' || '.join(c for c, _ in found)} ? SPIRV_ENABLED : SPIRV_NOT_ENABLED;
    }
%     endif
% endfor
    return SPIRV_NOT_OF_THE_API;
}

bool spirv_capability_implies_shader(uint32_t capability)
{
    switch (capability) {
% for number in shaders:
    case ${number}:
% endfor
        return true;
    default:
        return false;
    }
}
