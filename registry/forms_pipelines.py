"""Forms of sentences about pipelines and about what is created with names of extensions: parts of graphics pipelines, dynamic states,
stages, ppEnabledExtensionNames."""

import re

from sentence import Among, Any, Dynamic, Named, NotUnderstood, Part, Some
from sentence_values import CONSTANT, CONSTANTS, NAME, PLACE, SUBJECT

PARTS = {
    'vertex input': 'VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT',
    'pre-rasterization shader': 'VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT',
    'fragment shader': 'VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT',
    'fragment output interface': 'VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT',
    'fragment output': 'VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT',
}
PART = rf'(?:{"|".join(PARTS)}) state'
REQUIRES = r'the pipeline (?:requires|is being created with)'

# What sentences call the stages of pStages.
STAGES = {
    'vertex shader': ['VK_SHADER_STAGE_VERTEX_BIT'],
    'tessellation control shader': ['VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT'],
    'tessellation evaluation shader': ['VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT'],
    'tessellation shader': ['VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT', 'VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT'],
    'geometry shader': ['VK_SHADER_STAGE_GEOMETRY_BIT'],
    'fragment shader': ['VK_SHADER_STAGE_FRAGMENT_BIT'],
    'task shader': ['VK_SHADER_STAGE_TASK_BIT_EXT'],
    'mesh shader': ['VK_SHADER_STAGE_MESH_BIT_EXT'],
}
STAGE = rf'(?:an? |any )?(?P<stage>{"|".join(STAGES)})s?(?: stages?)?'

# Members that sentences call dynamic, and the states that make them so: each of these does.
DYNAMIC = {
    'rasterizationSamples': ['RASTERIZATION_SAMPLES_EXT'],
    'pMultisampleState->rasterizationSamples': ['RASTERIZATION_SAMPLES_EXT'],
    'sampleLocationsInfo': ['SAMPLE_LOCATIONS_EXT'],
    'pVertexInputState': ['VERTEX_INPUT_EXT'],
    'blendEnable': ['COLOR_BLEND_ENABLE_EXT'],
    'pViewportState->pViewports': ['VIEWPORT', 'VIEWPORT_WITH_COUNT'],
    'pViewportState->pScissors': ['SCISSOR', 'SCISSOR_WITH_COUNT'],
}
STATE = r'(?P<state>VK_DYNAMIC_STATE_\w+)'
IN_STATES = r'(?:the )?(?:pDynamicState->pDynamicStates|pDynamicStates(?: array)?|pDynamicState)'
# Words of a sentence and the member that they mean.
SHORT = {'pInputAssembly': 'pInputAssemblyState'}


class PipelineForms:
    # --- parts and dynamic states -----------------------------------------------------------------------------------

    def part(self, text, positive):
        if self.owner is None or self.owner.name != 'VkGraphicsPipelineCreateInfo':
            raise NotUnderstood(text)
        names = re.findall('|'.join(sorted(PARTS, key=len, reverse=True)), text)
        return Part([PARTS[n] for n in names], positive)

    def on_part(self, g):
        return [self.part(g['parts'], not g['no'])]

    def on_parts_but(self, g):
        return [Any([self.part(g['parts'], True)]), Any([self.part(g['others'], False)])]

    def on_parts_both(self, g):
        return [Any([self.part(x, True)]) for x in (g['parts'], g['others'])]

    def state(self, name):
        if self.owner is None or self.owner.name != 'VkGraphicsPipelineCreateInfo' or self.n.constants.get(name, (0, None))[1] != 'VkDynamicState':
            raise NotUnderstood(name)
        return name

    def on_dynamic(self, g):
        return [Dynamic(self.state(g['state']), not g['no'])]

    def on_not_dynamic(self, g):
        """`x is not dynamic`, `x and y are not dynamic`."""
        clauses = []
        for name in re.split(r' and ', g['members']):
            if name not in DYNAMIC:
                raise NotUnderstood(name)
            clauses += [Any([Dynamic(self.state(f'VK_DYNAMIC_STATE_{s}'), False)]) for s in DYNAMIC[name]]
        return clauses

    def on_either(self, g):
        left, right = self.condition(g['left']), self.condition(g['right'])
        if len(left) != 1 or len(right) != 1:
            raise NotUnderstood(g[0])
        return [Any(left[0].atoms + right[0].atoms, sure=True)]

    def must_not_be_present(self, g):
        return [Any([Dynamic(self.state(g['state']), False)])]

    # --- stages -----------------------------------------------------------------------------------------------------

    def stage(self, constants, positive):
        element = self._element('pStages', 'stage')
        if any(self.n.constants.get(c, (0, None))[1] != 'VkShaderStageFlagBits' for c in constants):
            raise NotUnderstood(str(constants))
        return Some(Among(element, list(constants), True), positive)

    def on_stage(self, g):
        return [self.stage(STAGES[g['stage']], not g['no'])]

    def on_both_stages(self, g):
        return [Any([self.stage([g[name]], True)]) for name in ('first', 'second')]

    def must_stage(self, g):
        return [Any(self.on_stage(g))]

    def must_some_stage(self, g):
        return [Any([self.stage(re.findall(CONSTANT, g['values']), True)])]

    def must_each_stage(self, g):
        element = self._element('pStages', 'stage')
        constants = self.constants(g['values'], element)
        if None in constants:
            raise NotUnderstood(g[0])
        return [Any([Among(element, constants, not g['no'])])]

    # --- features, extensions, values ---------------------------------------------------------------------------------

    def must_not_be_enabled(self, g):
        atoms = self.atom(f'the {g["name"]} feature is not enabled')
        if len(atoms) != 1:
            raise NotUnderstood(g[0])
        return [Any(atoms)]

    def named(self, name, positive):
        if self.owner is None or self.owner.name not in ('VkDeviceCreateInfo', 'VkInstanceCreateInfo'):
            raise NotUnderstood(name)
        extension = self.m.extensions.get(name)
        if extension is None or bool(extension.instance) != (self.owner.name == 'VkInstanceCreateInfo'):
            raise NotUnderstood(name)
        return Named(name, positive)

    def on_named(self, g):
        return [self.named(g['name'], not g['no'])]

    def must_be_named(self, g):
        return [Any(self.on_named(g))]

    def must_not_name_both(self, g):
        return [Any([self.named(g['first'], False), self.named(g['second'], False)])]

    def on_own_chain(self, g):
        """`the pNext chain of VkInstanceCreateInfo includes a VkFoo structure`, of the owner itself."""
        if self.owner is None or self.owner.name != g['owner']:
            raise NotUnderstood(g[0])
        return self.on_chained({'structure': g['structure'], 'no': None})

    def must_be_valid_value(self, g):
        """One of those that the registry has: what of them must be enabled is not said."""
        subject = self.subject(g['subject'])
        if self.n.value_type(subject.field.type) != g['type'] or g['type'] not in self.m.enums or self.n.is_pointer(subject.field):
            raise NotUnderstood(g[0])
        return [Any([Among(subject, [f.name for f in self.m.enums[g['type']].fields], True)])]

    CONDITIONS = [
        (rf'{REQUIRES} (?P<parts>{PART}) but not (?P<others>{PART})', 'on_parts_but'),
        (rf'{REQUIRES} (?P<parts>{PART}) and (?P<others>{PART})', 'on_parts_both'),
        (rf'(?P<members>{PLACE}(?: and {PLACE})?) (?:is|are) not dynamic', 'on_not_dynamic'),
        (rf'pStages contains both (?P<first>{CONSTANT}) and (?P<second>{CONSTANT})', 'on_both_stages'),
        (r'either (?P<left>.+?) or (?P<right>.+)', 'on_either'),
    ]
    ATOMS = [
        (rf'{REQUIRES} (?P<no>(?!))?(?P<parts>{PART}(?:(?:,? or |, | and/or ){PART})*)', 'on_part'),
        (rf'the pipeline (?P<no>does not require) (?P<parts>{PART}(?: or {PART})*)', 'on_part'),
        (rf'(?P<no>no) element of the pDynamicStates member of pDynamicState is {STATE}', 'on_dynamic'),
        (rf'{STATE} is (?P<no>not )?included in {IN_STATES}', 'on_dynamic'),
        (rf'{IN_STATES} (?P<no>does not )?includes? {STATE}', 'on_dynamic'),
        (rf'(?:the )?{STATE} dynamic state is (?P<no>not )?(?:enabled|set)', 'on_dynamic'),
        (rf'(?:pStages )?(?:(?P<no>does not )?includes?) {STAGE}', 'on_stage'),
        (rf'pStages (?P<no>(?!))?include {STAGE}', 'on_stage'),
        (rf'ppEnabledExtensionNames (?P<no>does not )?contains? "?(?P<name>VK_\w+)"?', 'on_named'),
        (r'(?:the )?pNext chain of (?P<owner>Vk\w+CreateInfo) includes an? (?P<structure>Vk\w+) structure', 'on_own_chain'),
    ]
    MUSTS = [
        (rf'{STATE} must not be present', 'must_not_be_present'),
        (rf'(?:it|pStages) must (?P<no>not )?include {STAGE}', 'must_stage'),
        (rf'the stage member of (?:at least )?one element of pStages must be (?:either )?(?P<values>{CONSTANTS})', 'must_some_stage'),
        (rf'elements of pStages must (?P<no>not )have stage set to (?P<values>{CONSTANTS})', 'must_each_stage'),
        (rf'the stage value in all pStages elements must be one of (?P<no>(?!))?(?P<values>{CONSTANTS})', 'must_each_stage'),
        (rf'the (?P<name>{NAME}) feature must not be enabled', 'must_not_be_enabled'),
        (r'ppEnabledExtensionNames must (?P<no>not )?(?:contain|include) "?(?P<name>VK_\w+)"?', 'must_be_named'),
        (r'the list of enabled extensions in ppEnabledExtensionNames must (?P<no>(?!))?contain (?P<name>VK_\w+)', 'must_be_named'),
        (r'ppEnabledExtensionNames must not contain both (?P<first>VK_\w+) and (?P<second>VK_\w+)', 'must_not_name_both'),
        (rf'{SUBJECT} must be a valid (?P<type>Vk\w+) value', 'must_be_valid_value'),
    ]
