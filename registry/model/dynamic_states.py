"""Dynamic states: which command sets which, and what is kept of the value.

The registry names a state after the command that sets it: vkCmdSetCullMode sets
VK_DYNAMIC_STATE_CULL_MODE. What that does not say is here."""

import functools
import re

from model import changes
from model.registry import snake

# Commands that are named otherwise than the state that they set.
SETS = {
    'vkCmdSetDepthBias2EXT': 'DEPTH_BIAS',
    'vkCmdSetFragmentShadingRateEnumNV': 'FRAGMENT_SHADING_RATE_KHR',
    'vkCmdSetCoarseSampleOrderNV': 'VIEWPORT_COARSE_SAMPLE_ORDER_NV',
}

# vkCmdSet* commands that set none.
SETS_NONE = {
    'vkCmdSetEvent',
    'vkCmdSetEvent2',
    'vkCmdSetDeviceMask',
    'vkCmdSetCheckpointNV',
    'vkCmdSetPerformanceMarkerINTEL',
    'vkCmdSetPerformanceStreamMarkerINTEL',
    'vkCmdSetPerformanceOverrideINTEL',
    'vkCmdSetDescriptorBufferOffsetsEXT',
    'vkCmdSetDescriptorBufferOffsets2EXT',
    'vkCmdSetRenderingAttachmentLocations',
    'vkCmdSetRenderingInputAttachmentIndices',
    'vkCmdSetDispatchParametersARM',
    'vkCmdSetComputeOccupancyPriorityNV',
    'vkCmdSetPrimitiveRestartIndexEXT',
}

# Commands whose values need more than one kept parameter each:
# src/state/pipeline/dynamic_values.c has them.
BY_HAND = {
    'vkCmdSetViewportSwizzleNV',
    'vkCmdSetStencilWriteMask',
    'vkCmdSetStencilOp',
    'vkCmdSetColorWriteEnableEXT',
    'vkCmdSetColorBlendEnableEXT',
    'vkCmdSetColorBlendEquationEXT',
    'vkCmdSetColorWriteMaskEXT',
    'vkCmdSetColorBlendAdvancedEXT',
    'vkCmdSetVertexInputEXT',
    'vkCmdSetSampleLocationsEXT',
    'vkCmdSetViewportWScalingNV',
    'vkCmdSetViewportShadingRatePaletteNV',
    'vkCmdSetExclusiveScissorEnableNV',
}

# Parameters whose values somebody asks for. Of all other commands it is only kept that the state is
# set. state -> (parameter, where a pipeline has the value that is not dynamic, or None where no
# accessor is needed)
KEPT = {
    'VIEWPORT_WITH_COUNT': ('viewportCount', 'viewport_count'),
    'SCISSOR_WITH_COUNT': ('scissorCount', 'scissor_count'),
    'PRIMITIVE_TOPOLOGY': ('primitiveTopology', 'topology'),
    'PRIMITIVE_RESTART_ENABLE': ('primitiveRestartEnable', 'primitive_restart'),
    'RASTERIZER_DISCARD_ENABLE': (
        'rasterizerDiscardEnable',
        'rasterization.rasterizerDiscardEnable',
    ),
    'POLYGON_MODE_EXT': ('polygonMode', 'rasterization.polygonMode'),
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
    'LINE_RASTERIZATION_MODE_EXT': ('lineRasterizationMode', 'line_mode'),
    'ALPHA_TO_COVERAGE_ENABLE_EXT': ('alphaToCoverageEnable', 'alpha_to_coverage'),
    'ALPHA_TO_ONE_ENABLE_EXT': ('alphaToOneEnable', 'alpha_to_one'),
    'RASTERIZATION_STREAM_EXT': ('rasterizationStream', 'rasterization_stream'),
    'DISCARD_RECTANGLE_ENABLE_EXT': ('discardRectangleEnable', 'discard_rectangles'),
    'COVERAGE_TO_COLOR_ENABLE_NV': ('coverageToColorEnable', None),
    'COVERAGE_MODULATION_MODE_NV': ('coverageModulationMode', None),
    'COVERAGE_REDUCTION_MODE_NV': ('coverageReductionMode', None),
    'COVERAGE_TO_COLOR_LOCATION_NV': ('coverageToColorLocation', None),
    'COVERAGE_MODULATION_TABLE_NV': ('coverageModulationTableCount', None),
    'COVERAGE_MODULATION_TABLE_ENABLE_NV': ('coverageModulationTableEnable', None),
    'VIEWPORT_W_SCALING_ENABLE_NV': ('viewportWScalingEnable', None),
    'SHADING_RATE_IMAGE_ENABLE_NV': ('shadingRateImageEnable', None),
}

# Fields that would not say of what they are under their parameter's name.
FIELDS = {'SAMPLE_MASK_EXT': 'sample_mask_samples'}


class Value:
    """A value that is kept: `field` of `type` in struct command_buffer_dynamic, from `parameter` of
    `command`. `fixed`: the member of struct pipeline that has it where it is not dynamic, or
    None."""

    def __init__(self, state, command, param, fixed):
        self.state, self.command, self.parameter, self.fixed = state, command, param.name, fixed
        self.type, self.registry_type = (
            'bool' if param.type == 'VkBool32' else param.type,
            param.type,
        )
        self.field = FIELDS.get(state, snake(param.name))


class DynamicStates:
    """states    names without VK_DYNAMIC_STATE_, in the registry's order
    setters   command -> state, in the registry's order
    plain     those of them whose hook is generated
    values    [Value]"""

    def __init__(self, m):
        self.states = [
            f.name.removeprefix('VK_DYNAMIC_STATE_')
            for f in m.enums['VkDynamicState'].fields
            if not f.protect
        ]
        self.setters = {}
        for name in m.commands:
            if not name.startswith('vkCmdSet') or name in SETS_NONE:
                continue
            state = SETS.get(name, snake(name.removeprefix('vkCmdSet')).upper())
            if state not in self.states:
                changes.note(
                    'registry/model/dynamic_states.py:1',
                    f'{name}: sets which dynamic state, or none?',
                )
                continue
            self.setters[name] = state
        self.plain = [name for name in self.setters if name not in BY_HAND]
        self.values = []
        for state, (parameter, fixed) in KEPT.items():
            found = [
                (name, p)
                for name in self.plain
                if self.setters[name] == state
                for p in m.commands[name].params
                if p.name == parameter
            ]
            if len(found) != 1:
                changes.note(
                    'registry/model/dynamic_states.py:1',
                    f'{state}: which parameter is {parameter}?',
                )
                continue
            self.values.append(Value(state, *found[0], fixed))

    def value(self, command):
        """The Value that a command gives, or None."""
        return next((v for v in self.values if v.command == command), None)


@functools.cache
def tables(m):
    return DynamicStates(m)


# --- commands that a version has ------------------------------------------------------------------

PROMOTED = re.compile(
    r'At least one of the following must be true: - the (\w+) feature is enabled - the '
    r'shaderObject feature is enabled '
    r'- the value of VkApplicationInfo::apiVersion used to create the VkInstance parent of '
    r'commandBuffer is greater '
    r'than or equal to Version 1\.3'
)
# C asks it of these, beside other rules (core/dynamic_state/dynamic_state.c).
PROMOTED_IN_C = ('vkCmdSetViewportWithCount', 'vkCmdSetScissorWithCount')


def promoted(m):
    """[(command, feature, id)]: "at least one of the feature, shaderObject, and an instance of
    Vulkan 1.3"."""
    found = [
        (v.owner, g[1], v.id)
        for v in m.vuids.values()
        if v.numbered and v.owner.startswith('vkCmdSet') and v.owner not in PROMOTED_IN_C
        for g in [PROMOTED.fullmatch(v.text)]
        if g
    ]
    return sorted(found, key=lambda x: list(m.commands).index(x[0]))
