"""Dynamic states: which command sets which, and what is kept of the value.

The registry names a state after the command that sets it: vkCmdSetCullMode sets VK_DYNAMIC_STATE_CULL_MODE. What that
does not say is here.
"""

import functools
import re

from model import RegistryError, snake

# Commands that are named otherwise than the state that they set.
SETS = {
    'vkCmdSetDepthBias2EXT': 'DEPTH_BIAS',
    'vkCmdSetFragmentShadingRateEnumNV': 'FRAGMENT_SHADING_RATE_KHR',
    'vkCmdSetCoarseSampleOrderNV': 'VIEWPORT_COARSE_SAMPLE_ORDER_NV',
}

# vkCmdSet* commands that set none.
SETS_NONE = {
    'vkCmdSetEvent', 'vkCmdSetEvent2', 'vkCmdSetDeviceMask', 'vkCmdSetCheckpointNV', 'vkCmdSetPerformanceMarkerINTEL',
    'vkCmdSetPerformanceStreamMarkerINTEL', 'vkCmdSetPerformanceOverrideINTEL', 'vkCmdSetDescriptorBufferOffsetsEXT',
    'vkCmdSetDescriptorBufferOffsets2EXT', 'vkCmdSetRenderingAttachmentLocations',
    'vkCmdSetRenderingInputAttachmentIndices', 'vkCmdSetDispatchParametersARM', 'vkCmdSetComputeOccupancyPriorityNV',
    'vkCmdSetPrimitiveRestartIndexEXT',
}

# Commands of whose values more is kept than a parameter each: src/state/dynamic_values.c has them.
BY_HAND = {
    'vkCmdSetViewportSwizzleNV', 'vkCmdSetStencilWriteMask', 'vkCmdSetStencilOp', 'vkCmdSetColorWriteEnableEXT',
    'vkCmdSetColorBlendEnableEXT', 'vkCmdSetColorBlendEquationEXT', 'vkCmdSetColorWriteMaskEXT',
    'vkCmdSetColorBlendAdvancedEXT', 'vkCmdSetVertexInputEXT',
}

# Parameters whose values somebody asks for. Of all other commands it is only kept that the state is set.
# state -> (parameter, where a pipeline has the value that is not dynamic, or None where no accessor is needed)
KEPT = {
    'VIEWPORT_WITH_COUNT': ('viewportCount', None),
    'SCISSOR_WITH_COUNT': ('scissorCount', None),
    'PRIMITIVE_TOPOLOGY': ('primitiveTopology', 'topology'),
    'PRIMITIVE_RESTART_ENABLE': ('primitiveRestartEnable', 'primitive_restart'),
    'RASTERIZER_DISCARD_ENABLE': ('rasterizerDiscardEnable', 'rasterization.rasterizerDiscardEnable'),
    'CULL_MODE': ('cullMode', 'rasterization.cullMode'),
    'DEPTH_BIAS_ENABLE': ('depthBiasEnable', 'rasterization.depthBiasEnable'),
    'DEPTH_CLAMP_ENABLE_EXT': ('depthClampEnable', 'rasterization.depthClampEnable'),
    'LINE_STIPPLE_ENABLE_EXT': ('stippledLineEnable', 'stippled_line'),
    'CONSERVATIVE_RASTERIZATION_MODE_EXT': ('conservativeRasterizationMode', 'conservative_mode'),
    'DEPTH_TEST_ENABLE': ('depthTestEnable', 'depth_stencil.depthTestEnable'),
    'DEPTH_WRITE_ENABLE': ('depthWriteEnable', 'depth_stencil.depthWriteEnable'),
    'DEPTH_COMPARE_OP': ('depthCompareOp', 'depth_stencil.depthCompareOp'),
    'DEPTH_BOUNDS_TEST_ENABLE': ('depthBoundsTestEnable', 'depth_stencil.depthBoundsTestEnable'),
    'STENCIL_TEST_ENABLE': ('stencilTestEnable', 'depth_stencil.stencilTestEnable'),
    'RASTERIZATION_SAMPLES_EXT': ('rasterizationSamples', 'samples'),
    'SAMPLE_MASK_EXT': ('samples', None),
    'SAMPLE_LOCATIONS_ENABLE_EXT': ('sampleLocationsEnable', 'sample_locations'),
    'LOGIC_OP_ENABLE_EXT': ('logicOpEnable', 'logic_op_enable'),
}

# Fields that would not say of what they are under their parameter's name.
FIELDS = {'SAMPLE_MASK_EXT': 'sample_mask_samples'}


class Value:
    """A value that is kept: `field` of `type` in struct command_buffer_dynamic, from `parameter` of `command`. `fixed`: the
    member of struct pipeline that has it where it is not dynamic, or None."""

    def __init__(self, state, command, param, fixed):
        self.state, self.command, self.parameter, self.fixed = state, command, param.name, fixed
        self.type = 'bool' if param.type == 'VkBool32' else param.type
        self.field = FIELDS.get(state, snake(param.name))


class DynamicStates:
    """states    names without VK_DYNAMIC_STATE_, in the registry's order
    setters   command -> state, in the registry's order
    plain     those of them whose hook is generated
    values    [Value]"""

    def __init__(self, m):
        self.states = [f.name.removeprefix('VK_DYNAMIC_STATE_') for f in m.enums['VkDynamicState'].fields if not f.protect]
        self.setters = {}
        for name in m.commands:
            if not name.startswith('vkCmdSet') or name in SETS_NONE:
                continue
            state = SETS.get(name, snake(name.removeprefix('vkCmdSet')).upper())
            if state not in self.states:
                raise RegistryError(f'{name}: sets which dynamic state, or none?')
            self.setters[name] = state
        self.plain = [name for name in self.setters if name not in BY_HAND]
        self.values = []
        for state, (parameter, fixed) in KEPT.items():
            found = [(name, p) for name in self.plain if self.setters[name] == state
                     for p in m.commands[name].params if p.name == parameter]
            if len(found) != 1:
                raise RegistryError(f'{state}: which parameter is {parameter}?')
            self.values.append(Value(state, *found[0], fixed))

    def value(self, command):
        """The Value that a command gives, or None."""
        return next((v for v in self.values if v.command == command), None)


@functools.cache
def tables(m):
    return DynamicStates(m)


# --- what a draw needs ---------------------------------------------------------------------------------------------

NEEDED = re.compile(r'If (?P<conditions>.*?),?(?: then)? (?P<command>vkCmdSet\w+)(?: or vkCmdSet\w+)? must have been called and not '
                    r'subsequently invalidated in the current command buffer prior to this draw(?:ing)?(?: command)?')

# Sentences of this form that ask for more than can be told, or that C has.
NOT_ASKED = {
    '04138': 'two states', '09234': 'two states', '07751': 'each rectangle', '09236': 'each rectangle', '07881': 'discardRectangleEnable',
    '07879': 'elements', '10862': 'each attachment', '10863': 'each attachment', '10864': 'each attachment', '04913': 'two commands',
    '09233': 'no test', '07878': 'no test', '07640': 'no test', '07641': 'no test', '07642': 'no test', '07643': 'coverageToColorEnable',
    '07644': 'no test', '07645': 'coverageModulationMode', '07646': 'coverageModulationTableEnable', '07647': 'no test', '07648': 'no test',
    '07649': 'no test',
}

# Words of a condition -> enum condition in src/core/draw/dynamic_state.c; () where it is asked elsewhere.
BOUND = re.compile(
    r'(?:(?P<objects>(?:there is )?a shader object (?:is )?bound to (?:any graphics stage|the (?P<object>VK_SHADER_STAGE_\w+)(?: stage)?)),? or )?'
    r'(?:a graphics pipeline is bound which|(?:the|a) bound graphics pipeline state) was created with '
    r'(?:both a (?P<both>VK_SHADER_STAGE_\w+) stage and )?(?:the )?VK_DYNAMIC_STATE_(?P<state>\w+) dynamic state(?: enabled)?')
ENABLED = re.compile(r'the (?P<name>\w+) (?P<kind>feature|extension) is enabled')
CURRENT = re.compile(r'the current value of (?:and )?(?P<name>\w+) is (?P<value>VK_\w+)')
CURRENT_VALUES = {
    ('rasterizerDiscardEnable', 'VK_FALSE'): 'RASTERIZES', ('depthBiasEnable', 'VK_TRUE'): 'DEPTH_BIASED',
    ('depthBoundsTestEnable', 'VK_TRUE'): 'DEPTH_BOUNDED', ('depthTestEnable', 'VK_TRUE'): 'DEPTH_TESTED',
    ('stencilTestEnable', 'VK_TRUE'): 'STENCIL_TESTED', ('depthClampEnable', 'VK_TRUE'): 'DEPTH_CLAMPED',
    ('sampleLocationsEnable', 'VK_TRUE'): 'SAMPLE_LOCATED', ('logicOpEnable', 'VK_TRUE'): 'LOGIC_OPERATED',
    ('stippledLineEnable', 'VK_TRUE'): 'STIPPLED', ('primitiveTopology', 'VK_PRIMITIVE_TOPOLOGY_PATCH_LIST'): 'PATCHES',
    ('conservativeRasterizationMode', 'VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT'): 'OVERESTIMATED',
}
PHRASES = {
    'any of the stippledRectangularLines, stippledBresenhamLines or stippledSmoothLines features are enabled': ('STIPPLING',),
    'the effective rasterization input topology is in the line topology class': ('LINES',),
    'there are color attachments bound': ('COLORED',),
    'the state is not inherited': (),
    'an active color attachment current value of blendEnable is VK_TRUE with a blend equations where any VkBlendFactor member is '
    'VK_BLEND_FACTOR_CONSTANT_COLOR, VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR, VK_BLEND_FACTOR_CONSTANT_ALPHA, or '
    'VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA': ('BLEND_CONSTANT',),
}
STAGES = {'VK_SHADER_STAGE_GEOMETRY_BIT': 'WITH_GEOMETRY', 'VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT': 'WITH_EVALUATION',
          'VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT': 'PATCHES'}
# What the sentences leave out: viewports are used "when rasterization is enabled", and mesh shaders have no vertices.
MORE_CONDITIONS = {'VIEWPORT': 'VIEWED', 'SCISSOR': 'VIEWED', 'VIEWPORT_WITH_COUNT': 'VIEWED', 'SCISSOR_WITH_COUNT': 'VIEWED',
                   'PRIMITIVE_TOPOLOGY': 'VERTICES', 'PRIMITIVE_RESTART_ENABLE': 'VERTICES', 'PATCH_CONTROL_POINTS_EXT': 'VERTICES',
                   'VERTEX_INPUT_EXT': 'VERTICES'}
# Without this feature there is no call that sets the state.
MORE_FEATURES = {'ATTACHMENT_FEEDBACK_LOOP_ENABLE_EXT': 'attachmentFeedbackLoopDynamicState'}
# A state that pipelines take and shader objects do not, of which no sentence here speaks.
OF_PIPELINES = ('VERTEX_INPUT_BINDING_STRIDE',)


class Need:
    """A draw with the `state` dynamic needs it set by `command` if all `conditions` hold, and if the device has `feature` and
    `extension` (or None). `stage`: with shader objects, that one of this stage is bound (None: of any); '0': it is of pipelines alone."""

    def __init__(self, vuid, found):
        self.number, self.command = vuid[-5:], found['command']
        self.feature = self.extension = None
        self.conditions, self.state = [], None
        rest = found['conditions']
        while rest:
            rest = re.sub(r'^(?:, and |, | and )', '', rest)
            rest = rest[self._take(vuid, rest):]
        if self.state is None:
            raise RegistryError(f'{vuid}: of which state?')
        self.feature = self.feature or MORE_FEATURES.get(self.state)
        if self.state in MORE_CONDITIONS:
            self.conditions.append(MORE_CONDITIONS[self.state])
        self.conditions = list(dict.fromkeys(self.conditions))

    def _take(self, vuid, text):
        """Reads one condition; returns how long it is."""
        for phrase, conditions in PHRASES.items():
            if text.startswith(phrase):
                self.conditions += conditions
                return len(phrase)
        g = BOUND.match(text)
        if g and self.state is None:
            self.state = g['state']
            self.stage = g['object'] if g['objects'] else '0'
            self.conditions += [STAGES[g['both']]] if g['both'] else []
            return g.end()
        g = ENABLED.match(text)
        if g:
            setattr(self, g['kind'], g['name'])
            return g.end()
        g = CURRENT.match(text)
        if g and (g['name'], g['value']) in CURRENT_VALUES:
            self.conditions.append(CURRENT_VALUES[g['name'], g['value']])
            return g.end()
        raise RegistryError(f'{vuid}: not understood: {text}')


class DrawNeeds:
    """`needs` in the registry's order; `stages`: (state, stage or '0') of states that not all shader objects take."""

    def __init__(self, m):
        self.needs = []
        for v in m.vuids.values():
            found = NEEDED.fullmatch(v.text) if v.owner == 'vkCmdDraw' and v.numbered else None
            if not found and v.owner == 'vkCmdDraw' and ' must have been called and not subsequently invalidated' in v.text \
                    and v.id[-5:] not in NOT_ASKED:
                raise RegistryError(f'sentence of {v.id} not understood: {v.text}')
            if found and v.id[-5:] not in NOT_ASKED:
                self.needs.append(Need(v.id, found))
        self.stages = [(x.state, x.stage) for x in self.needs if x.stage is not None] + [(state, '0') for state in OF_PIPELINES]


@functools.cache
def needs(m):
    return DrawNeeds(m)


# --- commands that a version has -----------------------------------------------------------------------------------

PROMOTED = re.compile(r'At least one of the following must be true: - the (\w+) feature is enabled - the shaderObject feature is enabled '
                      r'- the value of VkApplicationInfo::apiVersion used to create the VkInstance parent of commandBuffer is greater '
                      r'than or equal to Version 1\.3')
# C asks it of these, beside other rules (core/dynamic_state/dynamic_state.c).
PROMOTED_IN_C = ('vkCmdSetViewportWithCount', 'vkCmdSetScissorWithCount')


def promoted(m):
    """[(command, feature, id)]: "at least one of the feature, shaderObject, and an instance of Vulkan 1.3"."""
    found = [(v.owner, g[1], v.id) for v in m.vuids.values() if v.numbered and v.owner.startswith('vkCmdSet') and v.owner not in PROMOTED_IN_C
             for g in [PROMOTED.fullmatch(v.text)] if g]
    return sorted(found, key=lambda x: list(m.commands).index(x[0]))
