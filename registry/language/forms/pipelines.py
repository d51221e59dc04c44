"""Forms of sentences about pipelines and about what is created with names of extensions: parts of
graphics pipelines, dynamic states, stages, ppEnabledExtensionNames."""

import re

from language import form
from language.atoms import Among, Dynamic, Feature, Named, Null, Part, Some
from language.nouns import MISSPELT
from language.sentence import Any
from language.sentence_values import CONSTANT, CONSTANTS, NAME, OPERATOR, OPERATORS, PLACE, SUBJECT
from language.values import Member, NotUnderstood, Number, pnext_of

PARTS = {
    'vertex input': 'VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT',
    'pre-rasterization shader': 'VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT',
    'fragment shader': 'VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT',
    'fragment output interface': 'VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT',
    'fragment output': 'VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT',
}
PART = rf'(?:{"|".join(PARTS)}) state'
REQUIRES = r'the pipeline (?:requires|is being created with)'

# Sentences call the stages of pStages so.
STAGES = {
    'vertex shader': ['VK_SHADER_STAGE_VERTEX_BIT'],
    'tessellation control shader': ['VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT'],
    'tessellation evaluation shader': ['VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT'],
    'tessellation shader': [
        'VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT',
        'VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT',
    ],
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


def normal(text):
    """Returns the text in the words of the other chapters, where these have words of their own."""
    text = (
        text.removesuffix(' at the same time')
        .removesuffix(' to call this function')
        .replace(' and as maximum ', ' and at most ')
    )
    text = re.sub(r'is (VK_TRUE|VK_FALSE) (\w+ must)', r'is \1, \2', text)
    text = re.sub(
        r'an? (Vk\w+) is in the pNext chain', r'the pNext chain includes a \1 structure', text
    )
    text = re.sub(
        (
            r'^For each element of (\w+) with a non-zero address, the buffer the address was '
            r'queried from'
        ),
        (
            r'For each element of \1, if addressRange.address is not 0, the buffer that '
            r'addressRange.address was queried from'
        ),
        text,
    )
    text = re.sub(
        r'^the buffer that the addressRange of each element of (\w+) was queried from',
        r'For each element of \1, the buffer that addressRange.address was queried from',
        text,
    )
    return re.sub(r'any of the following bits - (VK_\w+) - (VK_\w+)$', r'any of \1 or \2', text)


class PipelineForms:
    # --- parts and dynamic states -----------------------------------------------------------------

    def part(self, text, positive):
        if self.owner is None or self.owner.name != 'VkGraphicsPipelineCreateInfo':
            raise NotUnderstood(text)
        names = re.findall('|'.join(sorted(PARTS, key=len, reverse=True)), text)
        return Part([PARTS[n] for n in names], positive)

    @form.atom(rf'{REQUIRES} (?P<no>(?!))?(?P<parts>{PART}(?:(?:,? or |, | and/or ){PART})*)')
    @form.atom(rf'the pipeline (?P<no>does not require) (?P<parts>{PART}(?: or {PART})*)')
    def on_part(self, g):
        return [self.part(g['parts'], not g['no'])]

    @form.condition(r'(?:the )?(?P<name>\w+) feature is not enabled')
    def on_none_enabled(self, g):
        """A feature that several structures have: none of them is enabled."""
        name = MISSPELT.get(g['name'], g['name'])
        found = sorted(
            {
                f.names[0]
                for f in self.n.features.values()
                for _, member in f.places[:1]
                if member == name
            }
        )
        if f'FEATURE_{name}' in self.n.features or len(found) < 2:
            raise NotUnderstood(g[0])
        return [Any([Feature(f, False)]) for f in found]

    @form.condition(rf'{REQUIRES} (?P<parts>{PART}) but not (?P<others>{PART})')
    def on_parts_but(self, g):
        return [Any([self.part(g['parts'], True)]), Any([self.part(g['others'], False)])]

    def state(self, name):
        if (
            self.owner is None
            or self.owner.name != 'VkGraphicsPipelineCreateInfo'
            or self.n.constants.get(name, (0, None))[1] != 'VkDynamicState'
        ):
            raise NotUnderstood(name)
        return name

    @form.atom(rf'(?P<no>no) element of the pDynamicStates member of pDynamicState is {STATE}')
    @form.atom(rf'{STATE} is (?P<no>not )?included in {IN_STATES}')
    @form.atom(rf'{IN_STATES} (?P<no>does not )?includes? {STATE}')
    @form.atom(rf'(?:the )?{STATE} dynamic state is (?P<no>not )?(?:enabled|set)')
    def on_dynamic(self, g):
        return [Dynamic(self.state(g['state']), not g['no'])]

    @form.condition(rf'{REQUIRES} (?P<parts>{PART}) and (?P<others>{PART})')
    def on_parts_both(self, g):
        return [Any([self.part(x, True)]) for x in (g['parts'], g['others'])]

    @form.condition(rf'(?P<members>{PLACE}(?: and {PLACE})?) (?:is|are) not dynamic')
    def on_not_dynamic(self, g):
        """`x is not dynamic`, `x and y are not dynamic`."""
        clauses = []
        for name in re.split(r' and ', g['members']):
            if name not in DYNAMIC:
                raise NotUnderstood(name)
            clauses += [
                Any([Dynamic(self.state(f'VK_DYNAMIC_STATE_{s}'), False)]) for s in DYNAMIC[name]
            ]
        return clauses

    @form.must(rf'{SUBJECT} must be a (?P<kind>graphics|compute|ray tracing|data graph) pipeline')
    def must_be_kind(self, g):
        fact = self.fact_named(self.handle(g['subject']), 'bind point')
        points = {
            'graphics': 'VK_PIPELINE_BIND_POINT_GRAPHICS',
            'compute': 'VK_PIPELINE_BIND_POINT_COMPUTE',
            'ray tracing': 'VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR',
            'data graph': 'VK_PIPELINE_BIND_POINT_DATA_GRAPH_ARM',
        }
        return [Any([Among(fact, [points[g['kind']]], True)])]

    # --- stages -----------------------------------------------------------------------------------

    def stage(self, constants, positive):
        element = self._element('pStages', 'stage')
        if any(self.n.constants.get(c, (0, None))[1] != 'VkShaderStageFlagBits' for c in constants):
            raise NotUnderstood(str(constants))
        return Some(Among(element, list(constants), True), positive)

    @form.atom(rf'(?:pStages )?(?:(?P<no>does not )?includes?) {STAGE}')
    @form.atom(rf'pStages (?P<no>(?!))?include {STAGE}')
    def on_stage(self, g):
        return [self.stage(STAGES[g['stage']], not g['no'])]

    @form.condition(rf'pStages contains both (?P<first>{CONSTANT}) and (?P<second>{CONSTANT})')
    def on_both_stages(self, g):
        return [Any([self.stage([g[name]], True)]) for name in ('first', 'second')]

    @form.must(
        rf'{SUBJECT} must have been created with a flags that included (?P<values>{CONSTANT})'
    )
    def must_be_created(self, g):
        return [Any([self.created_with(x, g['values'], True)]) for x in self.holders(g['subject'])]

    @form.must(
        rf'(?:[Oo]ne and only|exactly) one of (?P<subjects>{NAME}(?:, {NAME})+,? (?:or|'
        rf'and) {NAME}) must be non-NULL'
    )
    def must_be_only_one(self, g):
        """One is not NULL, and of each two one is."""
        names = re.findall(NAME, re.sub(r'\b(?:and|or)\b', ' ', g['subjects']))
        subjects = [self.subject(n) for n in names]
        if any(not (self.n.is_pointer(x.field) or self.n.is_handle(x.field)) for x in subjects):
            raise NotUnderstood(g[0])
        pairs = [(a, b) for i, a in enumerate(subjects) for b in subjects[i + 1 :]]
        return [Any([Null(x, False) for x in subjects])] + [
            Any([Null(a, True), Null(b, True)]) for a, b in pairs
        ]

    @form.must(
        rf'the pNext chain of (?P<holder>{PLACE}) must not set '
        rf'(?P<structure>Vk\w+)::(?P<member>{NAME}) to a value greater than 0'
    )
    def must_not_set(self, g):
        structure = self.n.structure(g['structure'])
        holder = self.subject(g['holder'])
        head = self.n.structure(holder.field.type)
        if structure is None or head is None or holder.chain or holder.each or holder.field.length:
            raise NotUnderstood(g[0])
        field = next((x for x in structure.members if x.name == g['member']), None)
        if field is None:
            raise NotUnderstood(g[0])
        member = Member((field.name,), field, structure.name, head=pnext_of(self.n, holder))
        return [Any([self._compare(member, '==', Number('zero', 0))])]

    # --- features, extensions, values -------------------------------------------------------------

    @form.must(r'all libraries linked to this pipeline must also (?P<no>not )?have that flag set')
    def must_all_libraries(self, g):
        """`If flags includes X, all libraries linked to this pipeline must also have that flag
        set`"""
        flags = set(re.findall(CONSTANT, self.here.text))
        if len(flags) != 1:
            raise NotUnderstood(g[0])
        return [
            Any(
                [
                    self.created_with(
                        self._element('pLibraryInfo->pLibraries', None), flags.pop(), not g['no']
                    )
                ]
            )
        ]

    def named(self, name, positive):
        if self.owner is None or self.owner.name not in (
            'VkDeviceCreateInfo',
            'VkInstanceCreateInfo',
        ):
            raise NotUnderstood(name)
        extension = self.m.extensions.get(name)
        if extension is None or bool(extension.instance) != (
            self.owner.name == 'VkInstanceCreateInfo'
        ):
            raise NotUnderstood(name)
        return Named(name, positive)

    @form.atom(r'ppEnabledExtensionNames (?P<no>does not )?contains? "?(?P<name>VK_\w+)"?')
    def on_named(self, g):
        return [self.named(g['name'], not g['no'])]

    @form.must(rf'elements of (?P<array>{PLACE}) must be (?:either )?(?P<values>{CONSTANTS})')
    def must_each_of_few(self, g):
        """Reads the values of each element of an array of a fixed size."""
        clauses = []
        for i in range(4):
            try:
                element = self._member(self.place(f'{g["array"]}[{i}]'))
            except NotUnderstood:
                break
            clauses.append(Any([Among(element, self.constants(g['values'], element), True)]))
        if not clauses or any(None in c.atoms[0].constants for c in clauses):
            raise NotUnderstood(g[0])
        return clauses

    @form.must(rf'{SUBJECT} must be 0 or 1')
    def must_be_at_most_one(self, g):
        return [Any([self._compare(self.subject(g['subject']), '<=', Number('1', 1))])]

    @form.atom(
        r'(?:the )?pNext chain of (?P<owner>Vk\w+CreateInfo) includes an? '
        r'(?P<structure>Vk\w+) structure'
    )
    def on_own_chain(self, g):
        """`the pNext chain of VkInstanceCreateInfo includes a VkFoo structure`, of the owner
        itself."""
        if self.owner is None or self.owner.name != g['owner']:
            raise NotUnderstood(g[0])
        return self.on_chained({'structure': g['structure'], 'no': None})

    @form.must(
        rf'each element of (?P<array>{NAME}) must have an? (?P<place>{PLACE}) that is '
        rf'either (?P<one>\d+) or (?P<operator>{OPERATOR}) (?P<value>\d+)'
    )
    def must_have_size(self, g):
        """`Each element of x must have a size that is either 0 or greater than or equal to 4`"""
        element = self._element(g['array'], g['place'])
        return [
            Any(
                [
                    self._compare(element, '==', self.value(g['one'])),
                    self._compare(element, OPERATORS[g['operator']], self.value(g['value'])),
                ]
            )
        ]

    # --- pipelines that were created --------------------------------------------------------------

    @form.must(
        rf'{SUBJECT} must be a valid VkImageView handle of (?P<what>type) (?P<values>{CONSTANTS})'
    )
    @form.must(rf'{SUBJECT} must have a (?P<what>format) of (?P<values>{CONSTANTS})')
    def must_be_view_of(self, g):
        """An image view's type or format."""
        holder = self.handle(g['subject'])
        if self.handle_type(holder) != 'VkImageView':
            raise NotUnderstood(g[0])
        fact = self.fact_named(holder, g['what'].replace('type', 'viewType'))
        constants = self.constants(g['values'], fact)
        if None in constants:
            raise NotUnderstood(g[0])
        return [Any([Among(fact, constants, True)])]

    @form.must(r'(?P<name>max\w+) must be less than or equal to (?P=name)')
    def must_be_within_namesake(self, g):
        """A member and the limit that has its name."""
        return [
            Any(
                [
                    self._compare(
                        self._member(self.place(g['name'])), '<=', self.bare_limit(g['name'])
                    )
                ]
            )
        ]

    @form.must(rf'(?P<left>{PLACE} must be .+?) or (?P<right>{PLACE} must be .+)')
    def must_either(self, g):
        left, right = self.must(g['left']), self.must(g['right'])
        if len(left) != 1 or len(right) != 1 or len(left[0].atoms) > 1 or len(right[0].atoms) > 1:
            raise NotUnderstood(g[0])
        return [Any(left[0].atoms + right[0].atoms)]

    @form.must(rf'(?P<array>{NAME}) must not contain (?P<values>{CONSTANTS})')
    def must_not_contain(self, g):
        """Reads that no element of an array is one of the values."""
        element = self._element(g['array'], None)
        if not (self.n.is_enum(element.field) or self.n.is_bits(element.field)):
            raise NotUnderstood(g[0])
        constants = self.constants(g['values'], element)
        if None in constants:
            raise NotUnderstood(g[0])
        return [Any([Among(element, constants, False)])]

    @form.must(rf'{STATE} must not be present')
    def must_not_be_present(self, g):
        return [Any([Dynamic(self.state(g['state']), False)])]

    @form.must(rf'(?:it|pStages) must (?P<no>not )?include {STAGE}')
    def must_stage(self, g):
        return [Any(self.on_stage(g))]

    @form.must(
        rf'the stage member of (?:at least )?one element of pStages must be (?:either '
        rf')?(?P<values>{CONSTANTS})'
    )
    def must_some_stage(self, g):
        return [Any([self.stage(re.findall(CONSTANT, g['values']), True)])]

    @form.must(rf'elements of pStages must (?P<no>not )have stage set to (?P<values>{CONSTANTS})')
    @form.must(
        rf'the stage value in all pStages elements must be one of '
        rf'(?P<no>(?!))?(?P<values>{CONSTANTS})'
    )
    def must_each_stage(self, g):
        element = self._element('pStages', 'stage')
        constants = self.constants(g['values'], element)
        if None in constants:
            raise NotUnderstood(g[0])
        return [Any([Among(element, constants, not g['no'])])]

    @form.must(rf'the (?P<name>{NAME}) feature must not be enabled')
    def must_not_be_enabled(self, g):
        atoms = self.atom(f'the {g["name"]} feature is not enabled')
        if len(atoms) != 1:
            raise NotUnderstood(g[0])
        return [Any(atoms)]

    @form.must(
        r'ppEnabledExtensionNames must (?P<no>not )?(?:contain|include) "?(?P<name>VK_\w+)"?'
    )
    @form.must(
        r'the list of enabled extensions in ppEnabledExtensionNames must '
        r'(?P<no>(?!))?contain (?P<name>VK_\w+)'
    )
    def must_be_named(self, g):
        return [Any(self.on_named(g))]

    @form.must(
        r'ppEnabledExtensionNames must not contain both (?P<first>VK_\w+) and (?P<second>VK_\w+)'
    )
    def must_not_name_both(self, g):
        return [Any([self.named(g['first'], False), self.named(g['second'], False)])]

    @form.must(rf'{SUBJECT} must be a valid (?P<type>Vk\w+) value')
    def must_be_valid_value(self, g):
        """One of those that the registry has: what of them must be enabled is not said."""
        subject = self.subject(g['subject'])
        if (
            self.n.value_type(subject.field.type) != g['type']
            or g['type'] not in self.m.enums
            or self.n.is_pointer(subject.field)
        ):
            raise NotUnderstood(g[0])
        return [Any([Among(subject, [f.name for f in self.m.enums[g['type']].fields], True)])]

    @form.condition(r'either (?P<left>.+?) or (?P<right>.+)')
    def on_either(self, g):
        left, right = self.condition(g['left']), self.condition(g['right'])
        if len(left) != 1 or len(right) != 1:
            raise NotUnderstood(g[0])
        return [Any(left[0].atoms + right[0].atoms, sure=True)]
