#!/usr/bin/env python3
"""Makes the Vulkan registry and headers of tomorrow out of the installed ones.

  make.py --registry DIR --include DIR --asked FILE --out DIR

`--asked` is what scan_rules.py wrote: which statements the sources ask for. DIR gets what a
distribution installs: share/vulkan/registry, include/vulkan and lib/pkgconfig/vulkan.pc, and
`changes.json`, which names what was changed. The next registry has
  - the next version;
  - a new extension with commands, structures, a feature, limits, a handle type, and a value of most
    enumerations that the layer has tables for (a format, a layout, a stage, an access, ...);
  - 40 statements in a new chapter, of which one could be a row;
  - reworded sentences of rows of each list, of which one is understood, and of statements that C
    checks;
  - a statement, a row and enumerants less;
  - a structure that is longer by a member.
"""

import argparse
import html
import json
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
REGISTRY = os.path.join(os.path.dirname(os.path.dirname(HERE)), 'registry')
EXTENSION = 'VK_EXT_next_registry'
CHAPTER = 'chapters/next_registry.html'
NEW_STATEMENTS = 40
# Numbers that no registry has had so far.
FIRST_NUMBER = 90001
# The one new statement that a row can hold, and what a reworded row that is understood begins with.
ROW_NUMBER = FIRST_NUMBER + 3
ROW = (
    'If the nextRegistry feature is not enabled, flags must not contain '
    'VK_NEXT_REGISTRY_FAST_BIT_EXT'
)
UNDERSTOOD = 'If the nextRegistry feature is enabled, '
# Enumerants of extensions that the sources of the layer name. The headers lose them, too.
GONE_ENUMERANTS = (
    'VK_IMAGE_CREATE_CORNER_SAMPLED_BIT_NV',
    'VK_MEMORY_PROPERTY_RDMA_CAPABLE_BIT_NV',
    'VK_BLEND_OP_EXCLUSION_EXT',
    'VK_SHADING_RATE_PALETTE_ENTRY_1_INVOCATION_PER_4X4_PIXELS_NV',
)
# Extended by a member. No test makes one: programs of today hand in the shorter one.
LONGER = 'VkDisplayModeStereoPropertiesNV'
# The statements that five_mistakes breaks (tests/samples/five_mistakes.c) stay as they are.
KEPT = re.compile(r'-(02994|00912|01764|00059|00066|02408|00181|\d{5}-handle)$')

TYPES = """
        <type category="handle" parent="VkDevice" objtypeenum="VK_OBJECT_TYPE_NEXT_REGISTRY_EXT"><type>VK_DEFINE_NON_DISPATCHABLE_HANDLE</type>(<name>VkNextRegistryEXT</name>)</type>
        <type requires="VkNextRegistryFlagBitsEXT" category="bitmask">typedef <type>VkFlags</type> <name>VkNextRegistryFlagsEXT</name>;</type>
        <type name="VkNextRegistryFlagBitsEXT" category="enum"/>
        <type name="VkNextRegistryModeEXT" category="enum"/>
        <type category="struct" name="VkPhysicalDeviceNextRegistryFeaturesEXT" structextends="VkPhysicalDeviceFeatures2,VkDeviceCreateInfo">
            <member values="VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NEXT_REGISTRY_FEATURES_EXT"><type>VkStructureType</type> <name>sType</name></member>
            <member optional="true" noautovalidity="true"><type>void</type>* <name>pNext</name></member>
            <member><type>VkBool32</type> <name>nextRegistry</name></member>
        </type>
        <type category="struct" name="VkPhysicalDeviceNextRegistryPropertiesEXT" structextends="VkPhysicalDeviceProperties2" returnedonly="true">
            <member values="VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NEXT_REGISTRY_PROPERTIES_EXT"><type>VkStructureType</type> <name>sType</name></member>
            <member optional="true" noautovalidity="true"><type>void</type>* <name>pNext</name></member>
            <member limittype="max"><type>uint32_t</type> <name>maxNextRegistryRegions</name></member>
            <member limittype="bitmask"><type>VkNextRegistryFlagsEXT</type> <name>supportedNextRegistryFlags</name></member>
        </type>
        <type category="struct" name="VkNextRegistryRegionEXT">
            <member><type>VkBuffer</type> <name>buffer</name></member>
            <member><type>VkDeviceSize</type> <name>offset</name></member>
            <member><type>VkDeviceSize</type> <name>size</name></member>
        </type>
        <type category="struct" name="VkNextRegistryCreateInfoEXT">
            <member values="VK_STRUCTURE_TYPE_NEXT_REGISTRY_CREATE_INFO_EXT"><type>VkStructureType</type> <name>sType</name></member>
            <member optional="true">const <type>void</type>* <name>pNext</name></member>
            <member optional="true"><type>VkNextRegistryFlagsEXT</type> <name>flags</name></member>
            <member><type>VkNextRegistryModeEXT</type> <name>mode</name></member>
            <member optional="true"><type>uint32_t</type> <name>regionCount</name></member>
            <member len="regionCount">const <type>VkNextRegistryRegionEXT</type>* <name>pRegions</name></member>
            <member optional="true"><type>VkImageView</type> <name>imageView</name></member>
        </type>
        <type category="struct" name="VkBufferNextRegistryCreateInfoEXT" structextends="VkBufferCreateInfo">
            <member values="VK_STRUCTURE_TYPE_BUFFER_NEXT_REGISTRY_CREATE_INFO_EXT"><type>VkStructureType</type> <name>sType</name></member>
            <member optional="true">const <type>void</type>* <name>pNext</name></member>
            <member><type>VkNextRegistryEXT</type> <name>nextRegistry</name></member>
        </type>
        <type category="struct" name="VkNextRegistryPropertiesEXT" returnedonly="true">
            <member values="VK_STRUCTURE_TYPE_NEXT_REGISTRY_PROPERTIES_EXT"><type>VkStructureType</type> <name>sType</name></member>
            <member optional="true">void<type/>* <name>pNext</name></member>
            <member><type>uint64_t</type> <name>value</name></member>
        </type>
""".replace('void<type/>', '<type>void</type>')

ENUMS = """
    <enums name="VkNextRegistryFlagBitsEXT" type="bitmask">
        <enum bitpos="0" name="VK_NEXT_REGISTRY_FAST_BIT_EXT"/>
        <enum bitpos="1" name="VK_NEXT_REGISTRY_SMALL_BIT_EXT"/>
    </enums>
    <enums name="VkNextRegistryModeEXT" type="enum">
        <enum value="0" name="VK_NEXT_REGISTRY_MODE_FIRST_EXT"/>
        <enum value="1" name="VK_NEXT_REGISTRY_MODE_SECOND_EXT"/>
    </enums>
"""

COMMANDS = """
        <command successcodes="VK_SUCCESS" errorcodes="VK_ERROR_OUT_OF_HOST_MEMORY,VK_ERROR_OUT_OF_DEVICE_MEMORY,VK_ERROR_UNKNOWN,VK_ERROR_VALIDATION_FAILED">
            <proto><type>VkResult</type> <name>vkCreateNextRegistryEXT</name></proto>
            <param><type>VkDevice</type> <name>device</name></param>
            <param>const <type>VkNextRegistryCreateInfoEXT</type>* <name>pCreateInfo</name></param>
            <param optional="true">const <type>VkAllocationCallbacks</type>* <name>pAllocator</name></param>
            <param><type>VkNextRegistryEXT</type>* <name>pNextRegistry</name></param>
        </command>
        <command>
            <proto><type>void</type> <name>vkDestroyNextRegistryEXT</name></proto>
            <param><type>VkDevice</type> <name>device</name></param>
            <param optional="true" externsync="true"><type>VkNextRegistryEXT</type> <name>nextRegistry</name></param>
            <param optional="true">const <type>VkAllocationCallbacks</type>* <name>pAllocator</name></param>
        </command>
        <command successcodes="VK_SUCCESS,VK_INCOMPLETE" errorcodes="VK_ERROR_OUT_OF_HOST_MEMORY,VK_ERROR_UNKNOWN,VK_ERROR_VALIDATION_FAILED">
            <proto><type>VkResult</type> <name>vkGetNextRegistryPropertiesEXT</name></proto>
            <param><type>VkDevice</type> <name>device</name></param>
            <param><type>VkNextRegistryEXT</type> <name>nextRegistry</name></param>
            <param optional="false,true"><type>uint32_t</type>* <name>pPropertyCount</name></param>
            <param optional="true" len="pPropertyCount"><type>VkNextRegistryPropertiesEXT</type>* <name>pProperties</name></param>
        </command>
        <command conditionalrendering="false" queues="VK_QUEUE_GRAPHICS_BIT,VK_QUEUE_COMPUTE_BIT" renderpass="outside" cmdbufferlevel="primary,secondary" tasks="action">
            <proto><type>void</type> <name>vkCmdDispatchNextRegistryEXT</name></proto>
            <param externsync="true"><type>VkCommandBuffer</type> <name>commandBuffer</name></param>
            <param><type>VkNextRegistryEXT</type> <name>nextRegistry</name></param>
            <param><type>uint32_t</type> <name>regionCount</name></param>
            <param len="regionCount">const <type>VkNextRegistryRegionEXT</type>* <name>pRegions</name></param>
        </command>
"""

REQUIRE = """
        <extension name="VK_EXT_next_registry" number="{number}" type="device" depends="VK_KHR_get_physical_device_properties2,VK_VERSION_1_1" author="EXT" contact="nobody" supported="vulkan">
            <require>
                <enum value="1" name="VK_EXT_NEXT_REGISTRY_SPEC_VERSION"/>
                <enum value="&quot;VK_EXT_next_registry&quot;" name="VK_EXT_NEXT_REGISTRY_EXTENSION_NAME"/>
                <enum offset="0" extends="VkStructureType" name="VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NEXT_REGISTRY_FEATURES_EXT"/>
                <enum offset="1" extends="VkStructureType" name="VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NEXT_REGISTRY_PROPERTIES_EXT"/>
                <enum offset="2" extends="VkStructureType" name="VK_STRUCTURE_TYPE_NEXT_REGISTRY_CREATE_INFO_EXT"/>
                <enum offset="3" extends="VkStructureType" name="VK_STRUCTURE_TYPE_BUFFER_NEXT_REGISTRY_CREATE_INFO_EXT"/>
                <enum offset="4" extends="VkStructureType" name="VK_STRUCTURE_TYPE_NEXT_REGISTRY_PROPERTIES_EXT"/>
                <enum offset="0" extends="VkObjectType" name="VK_OBJECT_TYPE_NEXT_REGISTRY_EXT"/>
                <enum offset="0" extends="VkFormat" name="VK_FORMAT_R4_UNORM_NEXT_EXT"/>
                <enum offset="0" extends="VkImageLayout" name="VK_IMAGE_LAYOUT_NEXT_REGISTRY_EXT"/>
                <enum offset="0" extends="VkDescriptorType" name="VK_DESCRIPTOR_TYPE_NEXT_REGISTRY_EXT"/>
                <enum offset="0" extends="VkDynamicState" name="VK_DYNAMIC_STATE_NEXT_REGISTRY_EXT"/>
                <enum offset="0" extends="VkQueryType" name="VK_QUERY_TYPE_NEXT_REGISTRY_EXT"/>
                <enum offset="0" extends="VkPipelineBindPoint" name="VK_PIPELINE_BIND_POINT_NEXT_REGISTRY_EXT"/>
                <enum offset="0" extends="VkIndexType" name="VK_INDEX_TYPE_NEXT_REGISTRY_EXT"/>
                <enum offset="0" extends="VkResult" dir="-" name="VK_ERROR_NEXT_REGISTRY_EXT"/>
                <enum bitpos="{free}" extends="VkShaderStageFlagBits" name="VK_SHADER_STAGE_NEXT_REGISTRY_BIT_EXT"/>
                <enum bitpos="{free}" extends="VkPipelineStageFlagBits2" name="VK_PIPELINE_STAGE_2_NEXT_REGISTRY_BIT_EXT"/>
                <enum bitpos="{free}" extends="VkAccessFlagBits2" name="VK_ACCESS_2_NEXT_REGISTRY_READ_BIT_EXT"/>
                <enum bitpos="{free}" extends="VkAccessFlagBits2" name="VK_ACCESS_2_NEXT_REGISTRY_WRITE_BIT_EXT"/>
                <enum bitpos="{free}" extends="VkBufferUsageFlagBits2" name="VK_BUFFER_USAGE_2_NEXT_REGISTRY_BIT_EXT"/>
                <enum bitpos="{free}" extends="VkFormatFeatureFlagBits2" name="VK_FORMAT_FEATURE_2_NEXT_REGISTRY_BIT_EXT"/>
                <enum bitpos="{free}" extends="VkQueueFlagBits" name="VK_QUEUE_NEXT_REGISTRY_BIT_EXT"/>
                <type name="VkNextRegistryEXT"/>
                <type name="VkNextRegistryFlagsEXT"/>
                <type name="VkNextRegistryFlagBitsEXT"/>
                <type name="VkNextRegistryModeEXT"/>
                <type name="VkPhysicalDeviceNextRegistryFeaturesEXT"/>
                <type name="VkPhysicalDeviceNextRegistryPropertiesEXT"/>
                <type name="VkNextRegistryRegionEXT"/>
                <type name="VkNextRegistryCreateInfoEXT"/>
                <type name="VkBufferNextRegistryCreateInfoEXT"/>
                <type name="VkNextRegistryPropertiesEXT"/>
                <command name="vkCreateNextRegistryEXT"/>
                <command name="vkDestroyNextRegistryEXT"/>
                <command name="vkGetNextRegistryPropertiesEXT"/>
                <command name="vkCmdDispatchNextRegistryEXT"/>
                <feature name="nextRegistry" struct="VkPhysicalDeviceNextRegistryFeaturesEXT"/>
            </require>
        </extension>
"""

SYNC = """
        <syncstage name="VK_PIPELINE_STAGE_2_NEXT_REGISTRY_BIT_EXT">
            <syncsupport queues="VK_QUEUE_GRAPHICS_BIT,VK_QUEUE_COMPUTE_BIT"/>
        </syncstage>"""
ACCESSES = """
        <syncaccess name="VK_ACCESS_2_NEXT_REGISTRY_READ_BIT_EXT">
            <syncsupport stage="VK_PIPELINE_STAGE_2_NEXT_REGISTRY_BIT_EXT"/>
        </syncaccess>
        <syncaccess name="VK_ACCESS_2_NEXT_REGISTRY_WRITE_BIT_EXT">
            <syncsupport stage="VK_PIPELINE_STAGE_2_NEXT_REGISTRY_BIT_EXT"/>
        </syncaccess>"""
FORMAT = """    <format name="VK_FORMAT_R4_UNORM_NEXT_EXT" class="8-bit" blockSize="1" texelsPerBlock="1">
            <component name="R" bits="8" numericFormat="UNORM"/>
        </format>
    """

# Implicit statements of what is new; real ones are written by the registry's own scripts.
IMPLICIT = {
    'VkPhysicalDeviceNextRegistryFeaturesEXT': {
        'sType-sType': 'sType must be VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NEXT_REGISTRY_FEATURES_EXT'
    },
    'VkPhysicalDeviceNextRegistryPropertiesEXT': {
        'sType-sType': 'sType must be VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NEXT_REGISTRY_PROPERTIES_EXT'
    },
    'VkNextRegistryRegionEXT': {'buffer-parameter': 'buffer must be a valid VkBuffer handle'},
    'VkNextRegistryCreateInfoEXT': {
        'sType-sType': 'sType must be VK_STRUCTURE_TYPE_NEXT_REGISTRY_CREATE_INFO_EXT',
        'pNext-pNext': 'pNext must be NULL',
        'flags-parameter': (
            'If flags is not 0, flags must be a valid combination of VkNextRegistryFlagBitsEXT '
            'values'
        ),
        'mode-parameter': 'mode must be a valid VkNextRegistryModeEXT value',
        'pRegions-parameter': (
            'If regionCount is not 0, pRegions must be a valid pointer to an array of '
            'regionCount valid VkNextRegistryRegionEXT structures'
        ),
        'imageView-parameter': 'If imageView is not VK_NULL_HANDLE, imageView must be a valid VkImageView handle',
        'odd-parameter': 'mode must be a sentence that nobody has read before',
    },
    'VkBufferNextRegistryCreateInfoEXT': {
        'sType-sType': 'sType must be VK_STRUCTURE_TYPE_BUFFER_NEXT_REGISTRY_CREATE_INFO_EXT',
        'nextRegistry-parameter': 'nextRegistry must be a valid VkNextRegistryEXT handle',
    },
    'VkNextRegistryPropertiesEXT': {
        'sType-sType': 'sType must be VK_STRUCTURE_TYPE_NEXT_REGISTRY_PROPERTIES_EXT',
        'pNext-pNext': 'pNext must be NULL',
    },
    'vkCreateNextRegistryEXT': {
        'device-parameter': 'device must be a valid VkDevice handle',
        'pCreateInfo-parameter': (
            'pCreateInfo must be a valid pointer to a valid VkNextRegistryCreateInfoEXT structure'
        ),
        'pAllocator-parameter': (
            'If pAllocator is not NULL, pAllocator must be a valid pointer to a valid '
            'VkAllocationCallbacks structure'
        ),
        'pNextRegistry-parameter': 'pNextRegistry must be a valid pointer to a VkNextRegistryEXT handle',
        'device-queuecount': 'The device must have been created with at least 1 queue',
    },
    'vkDestroyNextRegistryEXT': {
        'device-parameter': 'device must be a valid VkDevice handle',
        'nextRegistry-parameter': (
            'If nextRegistry is not VK_NULL_HANDLE, nextRegistry must be a valid '
            'VkNextRegistryEXT handle'
        ),
        'pAllocator-parameter': (
            'If pAllocator is not NULL, pAllocator must be a valid pointer to a valid '
            'VkAllocationCallbacks structure'
        ),
        'nextRegistry-parent': (
            'If nextRegistry is a valid handle, it must have been created, allocated, or '
            'retrieved from device'
        ),
    },
    'vkGetNextRegistryPropertiesEXT': {
        'device-parameter': 'device must be a valid VkDevice handle',
        'nextRegistry-parameter': 'nextRegistry must be a valid VkNextRegistryEXT handle',
        'pPropertyCount-parameter': 'pPropertyCount must be a valid pointer to a uint32_t value',
        'pProperties-parameter': (
            'If the value referenced by pPropertyCount is not 0, and pProperties is not NULL, '
            'pProperties must be a valid pointer to an array of pPropertyCount '
            'VkNextRegistryPropertiesEXT structures'
        ),
        'nextRegistry-parent': 'nextRegistry must have been created, allocated, or retrieved from device',
    },
    'vkCmdDispatchNextRegistryEXT': {
        'commandBuffer-parameter': 'commandBuffer must be a valid VkCommandBuffer handle',
        'nextRegistry-parameter': 'nextRegistry must be a valid VkNextRegistryEXT handle',
        'pRegions-parameter': (
            'pRegions must be a valid pointer to an array of regionCount valid '
            'VkNextRegistryRegionEXT structures'
        ),
        'commandBuffer-recording': 'commandBuffer must be in the recording state',
        'commandBuffer-cmdpool': (
            'The VkCommandPool that commandBuffer was allocated from must support '
            'VK_QUEUE_COMPUTE_BIT, or VK_QUEUE_GRAPHICS_BIT operations'
        ),
        'renderpass': 'This command must only be called outside of a render pass instance',
        'regionCount-arraylength': 'regionCount must be greater than 0',
        'commonparent': (
            'Both of commandBuffer, and nextRegistry must have been created, allocated, or '
            'retrieved from the same VkDevice'
        ),
    },
}


def plain(text):
    """The text of a statement without markup, as model.py reads it."""
    return re.sub(r'\s+', ' ', html.unescape(re.sub(r'<[^>]*>', '', text))).strip()


def insert(text, before, added):
    """`added` before the last place where `before` stands."""
    place = text.rindex(before)
    return text[:place] + added + text[place:]


def with_free_bits(require, xml):
    """`{free}` stands for the highest bit that an enumeration has not given away."""
    out = []
    used = {}
    for line in require.split('\n'):
        if '{free}' in line:
            enum = re.search(r'extends="(\w+)"', line)[1]
            if enum not in used:
                own = re.search(rf'<enums name="{enum}".*?</enums>', xml, re.DOTALL)[0]
                used[enum] = {int(x) for x in re.findall(r'bitpos="(\d+)"', own)}
                for element in re.findall(rf'<enum [^>]*extends="{enum}"[^>]*>', xml):
                    used[enum].update(int(x) for x in re.findall(r'bitpos="(\d+)"', element))
            bit = max(set(range(63 if enum.endswith('2') else 31)) - used[enum])
            used[enum].add(bit)
            line = line.replace('{free}', str(bit))
        out.append(line)
    return '\n'.join(out)


def next_xml(xml):
    version = int(re.search(r'VK_HEADER_VERSION</name> (\d+)', xml)[1])
    xml = xml.replace(
        f'VK_HEADER_VERSION</name> {version}', f'VK_HEADER_VERSION</name> {version + 1}', 1
    )
    number = max(map(int, re.findall(r'<extension name="[^"]*" number="(\d+)"', xml))) + 1
    place = xml.index('<enums name="VkImageLayout"')
    xml = xml[:place] + ENUMS.lstrip() + xml[place:]
    xml = insert(xml, '</types>', TYPES)
    xml = insert(xml, '</commands>', COMMANDS)
    xml = insert(
        xml, '</extensions>', with_free_bits(REQUIRE.replace('{number}', str(number)), xml)
    )
    xml = insert(xml, '</formats>', FORMAT)
    xml = xml.replace('<syncaccess ', SYNC.strip() + '\n        <syncaccess ', 1)
    xml = xml.replace('<syncpipeline ', ACCESSES.strip() + '\n        <syncpipeline ', 1)
    for name in GONE_ENUMERANTS:
        xml, count = re.subn(rf'<enum [^>]*name="{name}"[^>]*/>', '', xml)
        if not count:
            sys.exit(
                f'make.py: the registry has no {name} any more; name another one that '
                f'sources ask for'
            )
    struct = re.search(
        rf'<type [^>]*name="{LONGER}"[^>]*>.*?</type>\s*(?=<type |</types>)', xml, re.DOTALL
    )
    longer = struct[0].rstrip()
    longer = (
        longer[: longer.rindex('</type>')]
        + '<member><type>uint32_t</type> <name>nextRegistry</name></member>\n</type>\n'
    )
    return xml.replace(struct[0], longer, 1), version


def choose(usage, asked):
    """Picks the statements that change: {'rows': ..., 'c': ..., 'gone': ...}, lists of ids that
    exist."""
    ids = [
        entry['vuid']
        for groups in usage['validation'].values()
        for entries in groups.values()
        for entry in entries
    ]
    of_number = {}
    for vuid in ids:
        of_number.setdefault(vuid[-5:], []).append(vuid)

    def listed(name):
        with open(os.path.join(REGISTRY, name), encoding='utf-8') as f:
            return [line.split()[0] for line in f if line.strip() and not line.startswith('#')]

    rows = [x for x in listed('rows.txt') if x in set(ids) and not KEPT.search(x)]
    draws = [x for x in listed('draw_rows.txt') if x in of_number]
    spirv = [x for x in listed('spirv_rows.txt') if x in set(ids)]
    all_rows = {x[-5:] for x in rows} | set(draws)
    with open(asked, encoding='utf-8') as f:
        sites = json.load(f)['sites']
    by_id = {re.sub(r'[^A-Za-z0-9]', '_', vuid): vuid for vuid in ids}
    numbers = [x[2][-5:] for x in sites if x[2].startswith('RULE_') and x[2][-5:] in of_number]
    numbers = [x for x in dict.fromkeys(numbers) if x not in all_rows and not KEPT.search('-' + x)]
    whole = [by_id[x[2]] for x in sites if x[2].startswith('VUID_') and x[2] in by_id]
    whole = [
        x
        for x in dict.fromkeys(whole)
        if x[-5:] not in all_rows and len(of_number[x[-5:]]) == 1 and not KEPT.search(x)
    ]
    picks = lambda things, count, first: [
        things[(first + i * len(things) // (count + 1)) % len(things)] for i in range(count)
    ]
    reworded_numbers = picks(numbers, 2, 17)
    return {
        'understood': picks(rows, 2, 5)[1],
        'reworded_rows': picks(rows, 2, 5) + of_number[picks(draws, 1, 11)[0]] + picks(spirv, 1, 7),
        'reworded_c': [vuid for number in reworded_numbers for vuid in of_number[number]]
        + picks(whole, 1, 29),
        'gone': picks(whole, 1, 3)
        + of_number[picks([x for x in numbers if x not in reworded_numbers], 1, 50)[0]],
        'gone_rows': picks([x for x in rows if x not in picks(rows, 2, 5)], 1, 41),
    }


def next_usage(usage, version, chosen):
    usage['version info']['api version'] = re.sub(
        r'\d+$', str(version + 1), usage['version info']['api version']
    )
    reworded, gone = (
        set(chosen['reworded_rows'] + chosen['reworded_c']),
        set(chosen['gone'] + chosen['gone_rows']),
    )
    for groups in usage['validation'].values():
        for name, entries in groups.items():
            groups[name] = [entry for entry in entries if entry['vuid'] not in gone]
            for entry in groups[name]:
                if entry['vuid'] == chosen['understood']:
                    entry['text'] = UNDERSTOOD + entry['text'][0].lower() + entry['text'][1:]
                elif entry['vuid'] in reworded:
                    entry['text'] += ', unless a sentence of the next registry says otherwise'
    new = []
    for owner, statements in IMPLICIT.items():
        usage['validation'][owner] = {
            'core': [
                {'vuid': f'VUID-{owner}-{suffix}', 'text': text, 'page': CHAPTER}
                for suffix, text in statements.items()
            ]
        }
    owners = list(IMPLICIT)
    for i in range(NEW_STATEMENTS):
        owner = owners[i % len(owners)]
        vuid = f'VUID-{owner}-None-{FIRST_NUMBER + i}'
        text = (
            f'If the nextRegistry feature is not enabled, statement {i} must hold'
            if i % 2
            else (
                f'The size of what statement {i} names must be less than or equal to '
                f'maxNextRegistryRegions'
            )
        )
        if FIRST_NUMBER + i == ROW_NUMBER:
            text = ROW
        usage['validation'][owner]['core'].append({'vuid': vuid, 'text': text, 'page': CHAPTER})
        new.append(vuid)
    return new


def write_header(registry, out):
    """vulkan_core.h of the next registry, by the registry's own generator; prototypes and platforms
    as the installed one has them."""
    program = f"""
import os, sys
sys.path.insert(0, {registry!r})
from xml.etree import ElementTree
from reg import Registry
from cgenerator import CGeneratorOptions, COutputGenerator
from vkconventions import VulkanConventions
tree = ElementTree.parse({os.path.join(registry, 'vk.xml')!r})
platforms = {{p.get('name') for p in tree.iter('platform')}}
foreign = '|'.join(e.get('name') for e in tree.iter('extension') if e.get('platform'))
options = CGeneratorOptions(conventions=VulkanConventions(), filename='vulkan_core.h', directory={out!r}, genpath=None, apiname='vulkan', profile=None,
    versions='.*', emitversions='.*', defaultExtensions='vulkan', addExtensions=None, removeExtensions=f'^({{foreign}})$', emitExtensions='.*',
    prefixText=['/* Of the next registry, for tests. */', ''], genFuncPointers=True, protectFile=True, protectFeature=False, protectProto='#ifndef',
    protectProtoStr='VK_NO_PROTOTYPES', protectExportName='vulkan', protectExportProtoStr='VK_ONLY_EXPORTED_PROTOTYPES', apicall='VKAPI_ATTR ', apientry='VKAPI_CALL ', apientryp='VKAPI_PTR *', alignFuncParam=48, genAliasMacro=False)
generator = COutputGenerator(errFile=sys.stderr, warnFile=sys.stderr, diagFile=None)
registry = Registry(generator, options)
registry.loadElementTree(tree)
registry.apiGen()
"""
    run = subprocess.run(
        [sys.executable, '-c', program], capture_output=True, text=True, check=False
    )
    if run.returncode:
        sys.exit(f'make.py: vulkan_core.h was not made\n{run.stdout}{run.stderr}')


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--registry', required=True)
    parser.add_argument(
        '--include', required=True, help='the directory that has vulkan/ and vk_video/'
    )
    parser.add_argument('--asked', required=True)
    parser.add_argument('--out', required=True)
    args = parser.parse_args()
    shutil.rmtree(args.out, ignore_errors=True)
    registry, include = (
        os.path.join(args.out, 'share/vulkan/registry'),
        os.path.join(args.out, 'include'),
    )
    ignored = shutil.ignore_patterns(
        '__pycache__', 'vk.xml', 'validusage.json', 'profiles', '*.hpp', '*.cppm', 'vulkan_core.h'
    )
    shutil.copytree(args.registry, registry, ignore=ignored)
    shutil.copytree(
        os.path.join(args.include, 'vulkan'), os.path.join(include, 'vulkan'), ignore=ignored
    )
    shutil.copytree(
        os.path.join(args.include, 'vk_video'), os.path.join(include, 'vk_video'), ignore=ignored
    )
    with open(os.path.join(args.registry, 'vk.xml'), encoding='utf-8') as f:
        xml, version = next_xml(f.read())
    with open(os.path.join(registry, 'vk.xml'), 'w', encoding='utf-8') as f:
        f.write(xml)
    with open(os.path.join(args.registry, 'validusage.json'), encoding='utf-8') as f:
        usage = json.load(f)
    chosen = choose(usage, args.asked)
    chosen['new'] = next_usage(usage, version, chosen)
    with open(os.path.join(registry, 'validusage.json'), 'w', encoding='utf-8') as f:
        json.dump(usage, f)
    write_header(registry, os.path.join(include, 'vulkan'))
    chosen |= {
        'version': usage['version info']['api version'],
        'enumerants': GONE_ENUMERANTS,
        'extension': EXTENSION,
    }
    with open(os.path.join(args.out, 'changes.json'), 'w', encoding='utf-8') as f:
        json.dump(chosen, f, indent=1)
    pkgconfig = os.path.join(args.out, 'lib/pkgconfig')
    os.makedirs(pkgconfig)
    with open(os.path.join(pkgconfig, 'vulkan.pc'), 'w', encoding='utf-8') as f:
        f.write(
            f'prefix={os.path.abspath(args.out)}\nincludedir=${{prefix}}/include\n\nName: '
            f'Vulkan\nDescription: of tomorrow\n'
            f'Version: {chosen["version"]}\nLibs: -lvulkan\nCflags: -I${{includedir}}\n'
        )


if __name__ == '__main__':
    main()
