"""Sentences about the state at a draw, dispatch or trace, as data: rows that src/core/draw/rows.c
looks at.

registry/draw_rows.txt lists their numbers, each with a checksum of its sentences and the two
scenarios that test it. A sentence is "If <guards>, then <demand>": each guard, and the demand, is a
condition of nouns (draw_facts.py), dynamic states, features and extensions. A row is the list of
conditions under which its sentence is broken: those of the guards, and the opposite of the demand.
An unknown condition makes it silent. The grammar is strict: what it does not know, it does not
read."""

import contextlib
import functools
import itertools
import os
import re
import sys
import zlib

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from model import changes, dynamic_states, feature_tables, read_as, value_tables
from model.places import REGISTRY
from model.registry import RegistryError
from rows import draw_facts

LIST = os.path.join(REGISTRY, 'draw_rows.txt')


class NotUnderstood(Exception):
    pass


class Condition:
    """`kind`: FEATURE, EXTENSION, PROPERTY, TAKES and SET (a dynamic state), FACT (a noun that
    holds), EQUAL, LESS, MORE (two nouns, or a noun and a constant), ANY_BIT, ALL_BITS. `left` is a
    noun's name, a feature, a state...; `right` C of a constant, or a Noun; `holds`: whether the
    condition does."""

    def __init__(self, kind, left, right=None, holds=True):
        self.kind, self.left, self.right, self.holds = kind, left, right, holds

    def opposite(self):
        return Condition(self.kind, self.left, self.right, not self.holds)

    @property
    def key(self):
        return (self.kind, self.left, self.right)

    def __repr__(self):
        text = f'{self.kind} {self.left}' + (f' {self.right}' if self.right is not None else '')
        return text if self.holds else f'not {text}'


class Either:
    """ "Created with the A or B dynamic states enabled": two rows, of which one of them is broken
    at most."""

    def __init__(self, first, second):
        takes = Condition('TAKES', first)
        self.alternatives = [[takes], [takes.opposite(), Condition('TAKES', second)]]


class Alternatives(Either):
    """Any of these lists of conditions, of which one holds at most: a row each."""

    def __init__(self, *alternatives):
        self.alternatives = list(alternatives)


def fact(name, holds=True):
    if name not in draw_facts.BY_NAME:
        raise RegistryError(f'draw_facts.py has no {name}')
    return Condition('FACT', name, None, holds)


def equal(name, constant, holds=True):
    return Condition('EQUAL', name, constant, holds)


STATES = (
    r'(?:both )?(?:the )?(?P<states>VK_DYNAMIC_STATE_\w+(?: state(?= and VK))?(?:,? (?:and|or) '
    r'(?:the )?VK_DYNAMIC_STATE_\w+)?)(?: dynamic)?(?: states?)?(?: enabled)?'
)
OBJECTS = (
    r'(?P<objects>(?:there is )?a shader object (?:is )?bound to (?:any graphics stage|the '
    r'(?P<object>VK_SHADER_STAGE_\w+)(?: stage)?)),? or '
)
CREATED = (
    r'(?:(?:a|the bound|a bound) graphics pipeline(?: state)? (?:is bound )?(?:which )?was '
    r'created with|a graphics pipeline is bound which was created with|'
    r'the bound graphics pipeline state was created with|the bound ray tracing pipeline '
    r'state was created with)'
)
BOUND = re.compile(
    rf'(?:either )?(?:{OBJECTS})?{CREATED} (?:both a (?P<both>VK_SHADER_STAGE_\w+) stage '
    rf'and )?{STATES}'
    rf'(?: (?P<disabled>and the VK_DYNAMIC_STATE_\w+(?: dynamic)? state disabled)|'
    rf'(?P<second>,? and the VK_DYNAMIC_STATE_\w+ state enabled)|'
    rf'(?P<without>,? (?:but not|but without|and without) the VK_DYNAMIC_STATE_\w+(?: '
    rf'dynamic)?(?: state)?(?: enabled)?))?'
)

BEGUN = r'(?:the )?current render pass(?: instance)? was begun with vkCmdBeginRendering'


def _words(**words):
    return words


# Guards that are just words: text -> conditions.
WORDS = {
    BEGUN: [fact('DYNAMIC_RENDERING')],
    r'this command is called inside a render pass instance started with vkCmdBeginRendering': [
        fact('DYNAMIC_RENDERING')
    ],
    (
        r'the current render pass instance was begun with a vkCmdBeginRendering call in '
        r'commandBuffer'
    ): [
        fact('DYNAMIC_RENDERING'),
        fact('BEGUN_HERE'),
    ],
    r'with VkRenderingInfo::flags which includes VK_RENDERING_FRAGMENT_REGION_BIT_EXT': [
        Condition('ANY_BIT', 'RENDERING_FLAGS', 'VK_RENDERING_FRAGMENT_REGION_BIT_EXT')
    ],
    r'with the VK_RENDERING_ENABLE_LEGACY_DITHERING_BIT_EXT flag': [
        Condition('ANY_BIT', 'RENDERING_FLAGS', 'VK_RENDERING_ENABLE_LEGACY_DITHERING_BIT_EXT')
    ],
    (
        r'the bound graphics pipeline was created with '
        r'VK_PIPELINE_CREATE_2_ENABLE_LEGACY_DITHERING_BIT_EXT'
    ): [
        fact('PIPELINE'),
        Condition(
            'ANY_BIT', 'PIPELINE_FLAGS', 'VK_PIPELINE_CREATE_2_ENABLE_LEGACY_DITHERING_BIT_EXT'
        ),
    ],
    r'(?:there is )?a graphics pipeline (?:is )?bound': [fact('PIPELINE')],
    r'there is no bound (?:graphics |compute )?pipeline': [],
    r'there is no shader object bound to any graphics stage': [fact('PIPELINE')],
    r'a shader object is bound to any graphics stage or a graphics pipeline is bound': [],
    r'a shader object is bound to any graphics stage': [fact('PIPELINE', False)],
    r'a shader object is bound to the (?:VK_SHADER_STAGE_FRAGMENT_BIT|fragment) stage': [
        Condition('ANY_BIT', 'OBJECT_STAGES', 'VK_SHADER_STAGE_FRAGMENT_BIT'),
        fact('PIPELINE', False),
    ],
    (
        r'any of the stippledRectangularLines, stippledBresenhamLines or stippledSmoothLines '
        r'features are enabled'
    ): [fact('STIPPLING')],
    r'the effective rasterization input topology is in the line topology class': [fact('LINES')],
    r'the effective rasterization input topology is in the line or point topology class': [
        fact('POINTS_OR_LINES')
    ],
    r'there are color attachments bound': [equal('ACTIVE_COLORS', '0', False)],
    r'the state is not inherited': [fact('INHERITED_VIEWPORTS', False)],
    r'an active color attachment current value of blendEnable is VK_TRUE with a blend '
    r'equations where any VkBlendFactor member is '
    r'VK_BLEND_FACTOR_CONSTANT_COLOR, VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR, '
    r'VK_BLEND_FACTOR_CONSTANT_ALPHA, or '
    r'VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA': [fact('BLEND_CONSTANT')],
    r'an active color attachment current value of blendEnable is VK_TRUE': [
        equal('BLENDED', '0', False)
    ],
    r'depth test is enabled': [equal('depthTestEnable', 'VK_TRUE')],
    r'stencil test is enabled': [equal('stencilTestEnable', 'VK_TRUE')],
    r'vkCmdBeginCustomResolveEXT has not (?:yet )?been recorded in the render pass instance': [
        fact('RESOLVE_BEGUN', False)
    ],
    r'vkCmdBeginCustomResolveEXT has been recorded in the render pass instance': [
        fact('RESOLVE_BEGUN')
    ],
    r'(?:it )?contains a custom resolve': [fact('HAS_CUSTOM_RESOLVE')],
    r'does not contain a custom resolve': [fact('HAS_CUSTOM_RESOLVE', False)],
    r'VkRenderingFragmentShadingRateAttachmentInfoKHR::imageView was not VK_NULL_HANDLE': [
        fact('RATE_VIEW')
    ],
    r'VkRenderingFragmentDensityMapAttachmentInfoEXT::imageView was not VK_NULL_HANDLE': [
        fact('DENSITY_VIEW')
    ],
    r'(?:the )?VkRenderingInfo::pDepthAttachment->imageView was not VK_NULL_HANDLE': [
        fact('DEPTH_VIEW')
    ],
    r'(?:the )?VkRenderingInfo::pStencilAttachment->imageView was not VK_NULL_HANDLE': [
        fact('STENCIL_VIEW')
    ],
    r'(?:the )?VkRenderingInfo::pDepthAttachment->resolveImageView was not VK_NULL_HANDLE': [
        fact('DEPTH_RESOLVE_VIEW')
    ],
    r'(?:the )?VkRenderingInfo::pStencilAttachment->resolveImageView was not VK_NULL_HANDLE': [
        fact('STENCIL_RESOLVE_VIEW')
    ],
    r'(?:the )?VkRenderingInfo::pDepthAttachment->resolveImageView was VK_NULL_HANDLE': [
        fact('DEPTH_RESOLVE_VIEW', False)
    ],
    r'(?:the )?VkRenderingInfo::pStencilAttachment->resolveImageView was VK_NULL_HANDLE': [
        fact('STENCIL_RESOLVE_VIEW', False)
    ],
    r'(?:with a )?VkRenderingInfo::colorAttachmentCount (?:parameter )?greater than 0': [
        Condition('MORE', 'COLOR_COUNT', '0')
    ],
    r'the pNext chain of VkRenderingInfo includes a '
    r'VkMultisampledRenderToSingleSampledInfoEXT structure with '
    r'multisampledRenderToSingleSampledEnable '
    r'equal to VK_TRUE': [equal('SINGLE_SAMPLES', '0', False)],
    r'the current render pass instance includes a '
    r'VkMultisampledRenderToSingleSampledInfoEXT structure with '
    r'multisampledRenderToSingleSampledEnable equal '
    r'to VK_TRUE': [equal('SINGLE_SAMPLES', '0', False)],
    (
        r'the bound graphics pipeline was created with '
        r'VkPipelineSampleLocationsStateCreateInfoEXT::sampleLocationsEnable set to VK_TRUE'
    ): [
        fact('PIPELINE'),
        Condition('TAKES', 'SAMPLE_LOCATIONS_ENABLE_EXT', None, False),
        equal('sampleLocationsEnable', 'VK_TRUE'),
    ],
    r'the VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT query is active': [fact('GENERATED_QUERY')],
    r'the bound pipeline was created with the VkPipelineShaderStageCreateInfo::stage '
    r'member of an element of VkGraphicsPipelineCreateInfo::pStages set to '
    r'VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, '
    r'VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT or VK_SHADER_STAGE_GEOMETRY_BIT': [
        fact('PIPELINE'),
        Condition(
            'ANY_BIT',
            'STAGES',
            'VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | '
            'VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT | VK_SHADER_STAGE_GEOMETRY_BIT',
        ),
    ],
    r'VK_DYNAMIC_STATE_VIEWPORT_SWIZZLE_NV not enabled': [
        Condition('TAKES', 'VIEWPORT_SWIZZLE_NV', None, False)
    ],
    (
        r'the pNext chain of VkGraphicsPipelineCreateInfo included a '
        r'VkPipelineDiscardRectangleStateCreateInfoEXT structure'
    ): [fact('DISCARD_GIVEN')],
    (
        r'the pNext chain of VkGraphicsPipelineCreateInfo did not include a '
        r'VkPipelineDiscardRectangleStateCreateInfoEXT structure'
    ): [fact('DISCARD_GIVEN', False)],
    (
        r'the current value of coverageModulationMode is any value other than '
        r'VK_COVERAGE_MODULATION_MODE_NONE_NV'
    ): [equal('coverageModulationMode', 'VK_COVERAGE_MODULATION_MODE_NONE_NV', False)],
    r'the input assembly is VK_PRIMITIVE_TOPOLOGY_PATCH_LIST': [
        equal('primitiveTopology', 'VK_PRIMITIVE_TOPOLOGY_PATCH_LIST'),
        fact('VERTICES'),
    ],
    r'the input assembly is VK_PRIMITIVE_TOPOLOGY_POINT_LIST, '
    r'VK_PRIMITIVE_TOPOLOGY_LINE_LIST, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, '
    r'VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY, or '
    r'VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY': [
        fact('LIST_TOPOLOGY'),
        fact('VERTICES'),
    ],
    r'the per-tile execution model is not enabled': [fact('PER_TILE', False)],
    r'the per-tile execution model is enabled': [fact('PER_TILE')],
    r'the dynamicPrimitiveTopologyUnrestricted is VK_FALSE': [
        Condition(
            'PROPERTY',
            'VkPhysicalDeviceExtendedDynamicState3PropertiesEXT::dynamicPrimitiveTopologyUnrestricted',
            None,
            False,
        )
    ],
    (
        r'the most recent call to vkCmdSetExclusiveScissorEnableNV in the current command '
        r'buffer set any element of pExclusiveScissorEnables to VK_TRUE'
    ): [fact('EXCLUSIVE_ENABLED')],
    r'this command is recorded inside a tile shading render pass instance': [fact('TILE_SHADING')],
    r'conservativePointAndLineRasterization is not supported': [
        Condition(
            'PROPERTY',
            'VkPhysicalDeviceConservativeRasterizationPropertiesEXT::conservativePointAndLineRasterization',
            None,
            False,
        )
    ],
    (
        r'the descriptors used by the VkPipeline bound to the pipeline bind point were '
        r'specified via vkCmdBindDescriptorSets'
    ): [
        Condition('FEATURE', 'descriptorBuffer'),
        fact('SETS_BOUND'),
    ],
    (
        r'the descriptors used by the VkPipeline bound to the pipeline bind point were '
        r'specified via vkCmdSetDescriptorBufferOffsetsEXT'
    ): [
        Condition('FEATURE', 'descriptorBuffer'),
        fact('OFFSETS_BOUND'),
    ],
    (
        r'there are any shader objects bound that were created with flags that includes the '
        r'VK_SHADER_CREATE_INDEPENDENT_SETS_BIT_KHR bit'
    ): [
        fact('PIPELINE', False),
        Condition('ANY_BIT', 'OBJECT_FLAGS_OF_ANY', 'VK_SHADER_CREATE_INDEPENDENT_SETS_BIT_KHR'),
    ],
    r'a VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT stage is bound': [
        Condition('ANY_BIT', 'STAGES', 'VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT'),
        Condition('TAKES', 'PRIMITIVE_TOPOLOGY'),
    ],
    (
        r'vkCmdSetPrimitiveTopology set primitiveTopology to VK_PRIMITIVE_TOPOLOGY_PATCH_LIST '
        r'prior to this drawing command'
    ): [
        Condition('TAKES', 'PRIMITIVE_TOPOLOGY'),
        equal('primitiveTopology', 'VK_PRIMITIVE_TOPOLOGY_PATCH_LIST'),
        fact('VERTICES'),
    ],
    r'the value of VkCustomResolveCreateInfoEXT::depthAttachmentFormat used to create the '
    r'bound graphics pipeline was not equal to the VkFormat used to create '
    r'VkRenderingInfo::pDepthAttachment->resolveImageView': [
        Condition('EQUAL', 'RESOLVE_DEPTH', draw_facts.BY_NAME['DEPTH_RESOLVE_FORMAT'], False)
    ],
    r'the value of VkCustomResolveCreateInfoEXT::stencilAttachmentFormat used to create '
    r'the bound graphics pipeline was not equal to the VkFormat used to create '
    r'VkRenderingInfo::pStencilAttachment->resolveImageView': [
        Condition('EQUAL', 'RESOLVE_STENCIL', draw_facts.BY_NAME['STENCIL_RESOLVE_FORMAT'], False)
    ],
    r'the bound graphics pipeline state was created with the '
    r'VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT state disabled and the '
    r'VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT state enabled': [
        fact('PIPELINE'),
        Condition('TAKES', 'SAMPLE_LOCATIONS_EXT', None, False),
        Condition('TAKES', 'RASTERIZATION_SAMPLES_EXT'),
    ],
    (
        r'the bound pipeline was created with a VkAttachmentSampleCountInfoAMD or '
        r'VkAttachmentSampleCountInfoNV structure'
    ): [
        fact('PIPELINE'),
        fact('SAMPLES_GIVEN'),
    ],
    (
        r'current subpass has a depth/stencil attachment and depth test, stencil test, or '
        r'depth bounds test are enabled in the bound pipeline'
    ): [fact('PIPELINE')],
    r'the current render pass instance was created with '
    r'VK_RENDERING_PER_LAYER_FRAGMENT_DENSITY_BIT_VALVE or '
    r'VK_RENDER_PASS_CREATE_PER_LAYER_FRAGMENT_DENSITY_BIT_VALVE': [
        Condition('ANY_BIT', 'RENDERING_FLAGS', 'VK_RENDERING_PER_LAYER_FRAGMENT_DENSITY_BIT_VALVE')
    ],
    (
        r'the bound graphics pipeline was created with '
        r'VK_PIPELINE_CREATE_2_PER_LAYER_FRAGMENT_DENSITY_BIT_VALVE'
    ): [
        fact('PIPELINE'),
        Condition(
            'ANY_BIT', 'PIPELINE_FLAGS', 'VK_PIPELINE_CREATE_2_PER_LAYER_FRAGMENT_DENSITY_BIT_VALVE'
        ),
    ],
    r'a fragment density map attachment is active': [fact('DENSITY_VIEW')],
    r'vkCmdBeginCustomResolveEXT has been called': [fact('RESOLVE_BEGUN')],
    r'vkCmdBeginCustomResolveEXT has not yet been called': [fact('RESOLVE_BEGUN', False)],
    # The property is known where the device has the extension, and the built-in takes this feature.
    r'the primitiveFragmentShadingRateWithMultipleViewports limit is not supported': [
        Condition('FEATURE', 'primitiveFragmentShadingRate'),
        Condition(
            'PROPERTY',
            'VkPhysicalDeviceFragmentShadingRatePropertiesKHR::primitiveFragmentShadingRateWithMultipleViewports',
            None,
            False,
        ),
    ],
    (
        r'any of the shader stages of the bound graphics pipeline write to the '
        r'PrimitiveShadingRateKHR built-in'
    ): [
        fact('PIPELINE'),
        fact('WRITES_RATE'),
    ],
    r'any shader object bound to a graphics stage writes to the PrimitiveShadingRateKHR built-in': [
        fact('PIPELINE', False),
        fact('WRITES_RATE'),
    ],
    (
        r'blending is enabled for any attachment where either the source or destination blend '
        r'factors for that attachment use the secondary color input'
    ): [fact('DUAL_SOURCE')],
    (
        r'(?:a )?VkPipelineViewportSwizzleStateCreateInfoNV structure chained from '
        r'VkPipelineViewportStateCreateInfo'
    ): [],
    (
        r'a VkPipelineViewportExclusiveScissorStateCreateInfoNV structure chained from '
        r'VkPipelineViewportStateCreateInfo'
    ): [],
    r'sample shading is enabled \(explicitly or implicitly\)': [],
    r'the format of any color attachment is VK_FORMAT_E5B9G9R9_UFLOAT_PACK32': [],
    (
        r'the fragment shader declares the EarlyFragmentTests execution mode and uses '
        r'OpDepthAttachmentReadEXT'
    ): [fact('READS_DEPTH_EARLY')],
    (
        r'the fragment shader declares the EarlyFragmentTests execution mode and uses '
        r'OpStencilAttachmentReadEXT'
    ): [fact('READS_STENCIL_EARLY')],
    (
        r'vkCmdSetPrimitiveTopology set primitiveTopology to VK_PRIMITIVE_TOPOLOGY_POINT_LIST '
        r'prior to this drawing command'
    ): [
        Condition('TAKES', 'PRIMITIVE_TOPOLOGY'),
        equal('primitiveTopology', 'VK_PRIMITIVE_TOPOLOGY_POINT_LIST'),
        fact('VERTICES'),
    ],
    (
        r'both a VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT and VK_SHADER_STAGE_GEOMETRY_BIT '
        r'stage are not bound'
    ): [
        Condition(
            'ANY_BIT',
            'STAGES',
            'VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT | VK_SHADER_STAGE_GEOMETRY_BIT',
            False,
        )
    ],
    # Attachments of which the demand speaks.
    (
        r'there is a graphics pipeline bound with a fragment shader that statically writes to '
        r'a color attachment'
    ): [fact('PIPELINE')],
    r'the color write mask is not zero': [],
    r'color writes are enabled': [],
    (
        r'the corresponding element of the VkRenderingInfo::pColorAttachments->(?:imageView|'
        r'resolveImageView) was not VK_NULL_HANDLE'
    ): [],
    (
        r'the coverageReductionMode feature is not enabled, or the current value of '
        r'coverageReductionMode is not VK_COVERAGE_REDUCTION_MODE_TRUNCATE_NV'
    ): [
        Alternatives(
            [Condition('FEATURE', 'coverageReductionMode', None, False)],
            [
                Condition('FEATURE', 'coverageReductionMode'),
                equal('coverageReductionMode', 'VK_COVERAGE_REDUCTION_MODE_TRUNCATE_NV', False),
            ],
        )
    ],
    (
        r'the current value of rasterizationSamples is greater than sample count of the color '
        r'attachment'
    ): [Condition('MORE', 'rasterizationSamples', draw_facts.BY_NAME['COLOR_SAMPLES'])],
    r'the VK_RENDERING_LOCAL_READ_CONCURRENT_ACCESS_CONTROL_BIT_KHR flag is specified': [
        Condition(
            'ANY_BIT',
            'RENDERING_FLAGS',
            'VK_RENDERING_LOCAL_READ_CONCURRENT_ACCESS_CONTROL_BIT_KHR',
        )
    ],
    (
        r'an attachment is being used as a feedback loop as specified by '
        r'VK_RENDERING_ATTACHMENT_INPUT_ATTACHMENT_FEEDBACK_BIT_KHR'
    ): [],
    r'the current subpass does not use any color and/or depth/stencil attachments': [],
}
# Those of a pipeline with such a structure are unknown without it, or say nothing of shader
# objects.
CUSTOM = [fact('PIPELINE'), fact('RESOLVE_GIVEN')]
# Without this feature, another statement says already that the formats differ.
UNUSED = Condition('FEATURE', 'dynamicRenderingUnusedAttachments')
NOT_SET = (
    r'(?P<command>vkCmdSet\w+)(?: or vkCmdSet\w+)? must have been called and not subsequently '
    r'invalidated in the current command buffer prior to this draw(?:ing)?(?: command)?'
)
PIPELINE_MUST = r'(?:then )?the bound graphics pipeline must have been created with '
RESOLVE_UNDEFINED = (
    r'(?:then )?the (?:value of )?VkCustomResolveCreateInfoEXT::{x}AttachmentFormat used to '
    r'create the (?:bound graphics )?pipeline must '
)

ATTACHMENT_SAMPLES = (
    r'(?:then )?the value of the depthStencilAttachmentSamples member of '
    r'VkAttachmentSampleCountInfoAMD or VkAttachmentSampleCountInfoNV used to create '
    r'the bound graphics pipeline must be equal to the sample count used to create '
    r'VkRenderingInfo::p{x}Attachment->imageView'
)
# Without rasterization there are no fragments.
RASTERIZES = equal('rasterizerDiscardEnable', 'VK_FALSE')

GRID = (
    r'(?:then )?(?:the )?sampleLocationsInfo\.(?:maxSampleLocationGridSize|'
    r'sampleLocationGridSize)\.{x}(?: in the last call to vkCmdSetSampleLocationsEXT)? '
    r'must evenly '
    r'divide VkMultisamplePropertiesEXT::maxSampleLocationGridSize\.{x} as returned by '
    r'vkGetPhysicalDeviceMultisamplePropertiesEXT with a samples parameter equaling '
    r'(?:rasterizationSamples|the value of rasterizationSamples in the last call to '
    r'vkCmdSetRasterizationSamplesEXT)'
)

# Demands that are just words: text -> lists of conditions, each of which breaks it.
DEMANDS = {
    r'(?:then )?(?:the last call to )?vkCmdSetPrimitiveRestartEnable must be VK_FALSE': [
        [equal('primitiveRestartEnable', 'VK_TRUE')]
    ],
    PIPELINE_MUST + 'VK_PIPELINE_CREATE_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR': [
        [
            fact('PIPELINE'),
            Condition(
                'ANY_BIT',
                'PIPELINE_FLAGS',
                'VK_PIPELINE_CREATE_2_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR',
                False,
            ),
        ]
    ],
    PIPELINE_MUST + 'VK_PIPELINE_CREATE_RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_BIT_EXT': [
        [
            fact('PIPELINE'),
            Condition(
                'ANY_BIT',
                'PIPELINE_FLAGS',
                'VK_PIPELINE_CREATE_2_RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_BIT_EXT',
                False,
            ),
        ]
    ],
    PIPELINE_MUST + 'VK_PIPELINE_CREATE_2_ENABLE_LEGACY_DITHERING_BIT_EXT': [
        [
            fact('PIPELINE'),
            Condition(
                'ANY_BIT',
                'PIPELINE_FLAGS',
                'VK_PIPELINE_CREATE_2_ENABLE_LEGACY_DITHERING_BIT_EXT',
                False,
            ),
        ]
    ],
    PIPELINE_MUST
    + 'a VkPipelineRenderingCreateInfo::viewMask equal to VkRenderingInfo::viewMask': [
        [
            fact('PIPELINE'),
            fact('PIPELINE_PASS', False),
            Condition('EQUAL', 'VIEW_MASK', draw_facts.BY_NAME['PIPELINE_VIEW_MASK'], False),
        ]
    ],
    (
        r'the bound pipeline must have been created with a '
        r'VkGraphicsPipelineCreateInfo::renderPass equal to VK_NULL_HANDLE'
    ): [[fact('PIPELINE'), fact('PIPELINE_PASS')]],
    (
        r'the current render pass must have begun with vkCmdBeginRendering with the '
        r'VK_RENDERING_ENABLE_LEGACY_DITHERING_BIT_EXT flag'
    ): [
        [fact('DYNAMIC_RENDERING', False)],
        [
            Condition(
                'ANY_BIT', 'RENDERING_FLAGS', 'VK_RENDERING_ENABLE_LEGACY_DITHERING_BIT_EXT', False
            )
        ],
    ],
    r'rasterization discard must not be enabled': [[equal('rasterizerDiscardEnable', 'VK_TRUE')]],
    (
        r'the bound graphics pipeline must not have been created with a non-zero value in '
        r'VkPipelineRasterizationStateStreamCreateInfoEXT::rasterizationStream'
    ): [
        [
            fact('PIPELINE'),
            Condition('TAKES', 'RASTERIZATION_STREAM_EXT', None, False),
            Condition('MORE', 'PIPELINE_STREAM', '0'),
        ]
    ],
    (
        r'(?:then )?the last call to vkCmdSetRasterizationStreamEXT must have set the '
        r'rasterizationStream to zero'
    ): [[Condition('MORE', 'rasterizationStream', '0')]],
    r'(?:then )?[Mm]esh Shader Queries must not be active': [[fact('MESH_QUERY')]],
    r'transform Feedback Queries must not be active': [[fact('FEEDBACK_QUERY')]],
    r'primitives Generated Queries must not be active': [[fact('GENERATED_QUERY')]],
    (
        r'the pipelineStatistics member used to create any active Pipeline Statistics Query '
        r'must not contain (?P<statistics>VK_QUERY_PIPELINE_STATISTIC_\w+(?:,? (?:or '
        r')?VK_QUERY_PIPELINE_STATISTIC_\w+)*)'
    ): 'statistics',
    # Of stages of vertices, another statement says already that they are not run.
    (
        r'[Tt]he current pipeline bound to VK_PIPELINE_BIND_POINT_GRAPHICS must contain a '
        r'shader stage using the MeshEXT Execution Model'
    ): [
        [fact('PIPELINE'), fact('MESH_EXT', False)],
        [
            fact('PIPELINE'),
            Condition('ANY_BIT', 'STAGES', 'VK_SHADER_STAGE_CLUSTER_CULLING_BIT_HUAWEI'),
        ],
    ],
    (
        r'[Tt]he current pipeline bound to VK_PIPELINE_BIND_POINT_GRAPHICS must contain a '
        r'shader stage using the MeshNV Execution Model'
    ): [
        [fact('PIPELINE'), fact('MESH_EXT')],
        [
            fact('PIPELINE'),
            Condition('ANY_BIT', 'STAGES', 'VK_SHADER_STAGE_CLUSTER_CULLING_BIT_HUAWEI'),
        ],
    ],
    (
        r'[Tt]he current pipeline bound to VK_PIPELINE_BIND_POINT_GRAPHICS must contain a '
        r'shader stage using the ClusterCullingHUAWEI Execution Model'
    ): [[fact('PIPELINE'), Condition('ANY_BIT', 'STAGES', 'VK_SHADER_STAGE_MESH_BIT_EXT')]],
    (
        r'(?:then )?the last call to vkCmdSetColorBlendEnableEXT in the current command buffer '
        r'prior to this drawing command must have set a value for all active color attachments'
    ): [[Condition('SET', 'COLOR_BLEND_ENABLE_EXT'), equal('BLEND_ENABLES_LACKING', '0', False)]],
    (
        r'(?:then )?the last call to vkCmdSetColorWriteMaskEXT in the current command buffer '
        r'prior to this drawing command must have set a value for all active color attachments'
    ): [[Condition('SET', 'COLOR_WRITE_MASK_EXT'), equal('WRITE_MASKS_LACKING', '0', False)]],
    (
        r'(?:then )?the number of active color attachments must not exceed '
        r'advancedBlendMaxColorAttachments'
    ): [
        [
            Condition('EXTENSION', 'VK_EXT_blend_operation_advanced'),
            Condition('SET', 'COLOR_BLEND_ADVANCED_EXT'),
            Condition(
                'MORE',
                'ACTIVE_COLOR_COUNT',
                (
                    'limit '
                    'VkPhysicalDeviceBlendOperationAdvancedPropertiesEXT::advancedBlendMaxColorAttachments'
                ),
            ),
        ]
    ],
    r'(?:then )?the (?P<feature>\w+) feature must be enabled': 'feature',
    (
        r'(?:then )?the stippledRectangularLines feature must be enabled and '
        r'VkPhysicalDeviceLimits::strictLines must be VK_TRUE'
    ): [
        [Condition('FEATURE', 'stippledRectangularLines', None, False)],
        [Condition('PROPERTY', 'VkPhysicalDeviceLimits::strictLines', None, False)],
    ],
    (
        r'(?:then )?the current value of (?P<name>\w+) must be (?P<value>VK_\w+)(?: prior to '
        r'this drawing command)?'
    ): 'current',
    (
        r'(?:then )?the current alphaToCoverageEnable, alphaToOneEnable and '
        r'sampleShadingEnable states must all be VK_FALSE'
    ): [
        [equal('alphaToCoverageEnable', 'VK_TRUE')],
        [equal('alphaToOneEnable', 'VK_TRUE')],
    ],
    r'(?:then )?the sampleLocationsPerPixel member of pSampleLocationsInfo in the last '
    r'call to vkCmdSetSampleLocationsEXT must equal the '
    r'rasterizationSamples (?:member of the VkPipelineMultisampleStateCreateInfo structure '
    r'the bound graphics pipeline has been created with|parameter of the last call to '
    r'vkCmdSetRasterizationSamplesEXT)': [
        [Condition('EQUAL', 'LOCATIONS_SET', 'current rasterizationSamples', False)]
    ],
    (
        r'(?:then )?sampleLocationsInfo.sampleLocationsPerPixel must equal '
        r'rasterizationSamples in the last call to vkCmdSetRasterizationSamplesEXT'
    ): [
        [
            fact('PIPELINE'),
            equal('PIPELINE_LOCATIONS', '0', False),
            Condition('EQUAL', 'PIPELINE_LOCATIONS', 'current rasterizationSamples', False),
        ]
    ],
    (
        r'(?:then )?the (?:current )?active depth attachment must have been created with the '
        r'VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT bit set'
    ): [[fact('DEPTH_LOCATED', False)]],
    (
        r'(?:then )?the (?:value of )?VkPipelineRenderingCreateInfo::depthAttachmentFormat '
        r'used to create the pipeline must not be VK_FORMAT_UNDEFINED'
    ): [
        [
            UNUSED,
            fact('PIPELINE_PASS', False),
            fact('OUTPUT'),
            equal('PIPELINE_DEPTH', 'VK_FORMAT_UNDEFINED'),
        ]
    ],
    (
        r'(?:then )?the (?:value of )?VkPipelineRenderingCreateInfo::stencilAttachmentFormat '
        r'used to create the pipeline must not be VK_FORMAT_UNDEFINED'
    ): [
        [
            UNUSED,
            fact('PIPELINE_PASS', False),
            fact('OUTPUT'),
            equal('PIPELINE_STENCIL', 'VK_FORMAT_UNDEFINED'),
        ]
    ],
    RESOLVE_UNDEFINED.format(x='depth') + 'not be VK_FORMAT_UNDEFINED': [
        [UNUSED, *CUSTOM, equal('RESOLVE_DEPTH', 'VK_FORMAT_UNDEFINED')]
    ],
    RESOLVE_UNDEFINED.format(x='stencil') + 'not be VK_FORMAT_UNDEFINED': [
        [UNUSED, *CUSTOM, equal('RESOLVE_STENCIL', 'VK_FORMAT_UNDEFINED')]
    ],
    RESOLVE_UNDEFINED.format(x='depth') + 'be equal to VK_FORMAT_UNDEFINED': [
        [*CUSTOM, equal('RESOLVE_DEPTH', 'VK_FORMAT_UNDEFINED', False)]
    ],
    RESOLVE_UNDEFINED.format(x='stencil') + 'be equal to VK_FORMAT_UNDEFINED': [
        [*CUSTOM, equal('RESOLVE_STENCIL', 'VK_FORMAT_UNDEFINED', False)]
    ],
    RESOLVE_UNDEFINED.format(x='depth')
    + (
        'be equal to the VkFormat used to create '
        'VkRenderingInfo::pDepthAttachment->resolveImageView'
    ): [
        [
            *CUSTOM,
            Condition('EQUAL', 'RESOLVE_DEPTH', draw_facts.BY_NAME['DEPTH_RESOLVE_FORMAT'], False),
        ]
    ],
    RESOLVE_UNDEFINED.format(x='stencil')
    + (
        'be equal to the VkFormat used to create '
        'VkRenderingInfo::pStencilAttachment->resolveImageView'
    ): [
        [
            *CUSTOM,
            Condition(
                'EQUAL', 'RESOLVE_STENCIL', draw_facts.BY_NAME['STENCIL_RESOLVE_FORMAT'], False
            ),
        ]
    ],
    r'the graphics pipeline bound must have been created with a VkCustomResolveCreateInfoEXT': [
        [fact('PIPELINE'), fact('RESOLVE_GIVEN', False)]
    ],
    r'the graphics pipeline bound must not have been created with a VkCustomResolveCreateInfoEXT': [
        CUSTOM
    ],
    (
        r'the graphics pipeline bound must have been created with '
        r'VkCustomResolveCreateInfoEXT::customResolve as VK_TRUE'
    ): [[*CUSTOM, equal('RESOLVES', 'VK_FALSE')]],
    (
        r'the graphics pipeline bound must have been created with '
        r'VkCustomResolveCreateInfoEXT::customResolve as VK_FALSE'
    ): [[*CUSTOM, equal('RESOLVES', 'VK_TRUE')]],
    PIPELINE_MUST
    + (
        'a VkCustomResolveCreateInfoEXT::colorAttachmentCount equal to '
        'VkRenderingInfo::colorAttachmentCount'
    ): [[*CUSTOM, Condition('EQUAL', 'RESOLVE_COLORS', draw_facts.BY_NAME['COLOR_COUNT'], False)]],
    r'(?:then )?each element of the VkRenderingInfo::pColorAttachments array with an '
    r'resolveImageView not equal to VK_NULL_HANDLE must have been created with a VkFormat '
    r'equal '
    r'to the corresponding element of '
    r'VkCustomResolveCreateInfoEXT::pColorAttachmentFormats used to create the bound '
    r'graphics pipeline': [[*CUSTOM, equal('RESOLVE_FORMATS_OTHER', '0', False)]],
    r'(?:then )?each element of the VkRenderingInfo::pColorAttachments array with an '
    r'resolveImageView equal to VK_NULL_HANDLE must have the corresponding element of '
    r'VkCustomResolveCreateInfoEXT::pColorAttachmentFormats used to create the bound '
    r'pipeline equal to VK_FORMAT_UNDEFINED': [
        [*CUSTOM, equal('RESOLVE_FORMATS_SPARE', '0', False)]
    ],
    r'(?:then )?each element of the VkRenderingInfo::pColorAttachments array with an '
    r'resolveImageView not equal to VK_NULL_HANDLE must have been created with a VkFormat '
    r'equal '
    r'to the corresponding element of '
    r'VkCustomResolveCreateInfoEXT::pColorAttachmentFormats used to create the bound '
    r'graphics pipeline, or the corresponding element of '
    r'VkCustomResolveCreateInfoEXT::pColorAttachmentFormats, if it exists, must be '
    r'VK_FORMAT_UNDEFINED': [[*CUSTOM, equal('RESOLVE_FORMATS_OTHER_USED', '0', False)]],
    r'(?:then )?for each element of the VkRenderingInfo::pColorAttachments array with a '
    r'resolveImageView not equal to VK_NULL_HANDLE, the resolveImageView must have been '
    r'created with a sample count equal to the value of rasterizationSamples for the bound '
    r'graphics pipeline': [[fact('PIPELINE'), equal('RESOLVE_SAMPLES_OTHER', '0', False)]],
    (
        r'(?:then )?the value of rasterizationSamples for the bound graphics pipeline must be '
        r'equal to the sample count used to create '
        r'VkRenderingInfo::pDepthAttachment->resolveImageView'
    ): [
        [
            fact('PIPELINE'),
            Condition('EQUAL', 'DEPTH_RESOLVE_SAMPLES', 'current rasterizationSamples', False),
        ]
    ],
    (
        r'(?:then )?the value of rasterizationSamples for the bound graphics pipeline must be '
        r'equal to the sample count used to create '
        r'VkRenderingInfo::pStencilAttachment->resolveImageView'
    ): [
        [
            fact('PIPELINE'),
            Condition('EQUAL', 'STENCIL_RESOLVE_SAMPLES', 'current rasterizationSamples', False),
        ]
    ],
    (
        r'(?:then )?the value of rasterizationSamples for the bound graphics pipeline must be '
        r'equal to VkMultisampledRenderToSingleSampledInfoEXT::rasterizationSamples'
    ): [
        [
            fact('PIPELINE'),
            Condition('TAKES', 'RASTERIZATION_SAMPLES_EXT', None, False),
            Condition('EQUAL', 'SINGLE_SAMPLES', 'current rasterizationSamples', False),
        ]
    ],
    (
        r'(?:then )?the rasterizationSamples in the last call to '
        r'vkCmdSetRasterizationSamplesEXT must be the same as the rasterizationSamples member '
        r'of that structure'
    ): [[Condition('EQUAL', 'SINGLE_SAMPLES', 'current rasterizationSamples', False)]],
    r'(?:then )?vkCmdSetColorBlendEquationEXT must have been called and not subsequently '
    r'invalidated in the current command buffer prior to this drawing command for all '
    r'active '
    r'color attachments with the blendEnable current value of VK_TRUE': [
        [equal('EQUATIONS_LACKING', '0', False)]
    ],
    r'(?:then )?vkCmdSetColorBlendAdvancedEXT must have been called and not subsequently '
    r'invalidated in the current command buffer prior to this drawing command for all '
    r'active '
    r'color attachments with the blendEnable current value of VK_TRUE': [
        [equal('ADVANCED_LACKING', '0', False)]
    ],
    r'(?:then )?either vkCmdSetColorBlendAdvancedEXT or vkCmdSetColorBlendEquationEXT must '
    r'have been called and not subsequently invalidated in the current command buffer '
    r'prior '
    r'to this drawing command for all active color attachments with the blendEnable '
    r'current value of VK_TRUE': [[equal('BOTH_LACKING', '0', False)]],
    r'the corresponding element of the pColorWriteMasks parameter of '
    r'vkCmdSetColorWriteMaskEXT must either include all of VK_COLOR_COMPONENT_R_BIT, '
    r'VK_COLOR_COMPONENT_G_BIT, '
    r'(?:and )?VK_COLOR_COMPONENT_B_BIT(?:, and VK_COLOR_COMPONENT_A_BIT)?, or none of them': [
        [equal('SHARED_EXPONENT_MASKS', '0', False)]
    ],
    r'(?:then )?vkCmdBindVertexBuffers2 with a non-NULL pStrides parameter or '
    r'vkCmdBindVertexBuffers3KHR with setStride set to VK_TRUE must have been called and '
    r'not '
    r'subsequently invalidated in the current command buffer prior to this draw command': [
        [
            fact('VERTICES'),
            fact('HAS_BINDINGS'),
            Condition('SET', 'VERTEX_INPUT_BINDING_STRIDE', None, False),
        ]
    ],
    r'(?:then )?vkCmdSetDiscardRectangleEXT must have been called and not subsequently '
    r'invalidated in the current command buffer prior to this drawing command for each '
    r'discard '
    r'rectangle in .*': [[Condition('SET', 'DISCARD_RECTANGLE_EXT', None, False)]],
    (
        r'(?:then )?vkCmdSetRayTracingPipelineStackSizeKHR must have been called in the '
        r'current command buffer prior to this trace command'
    ): [[Condition('SET', 'RAY_TRACING_PIPELINE_STACK_SIZE_KHR', None, False)]],
    r'the value of the format must be VK_FORMAT_UNDEFINED': 'format',
    r'(?:then )?each element of the VkRenderingInfo::pColorAttachments array with a '
    r'imageView not equal to VK_NULL_HANDLE must have been created with a sample count '
    r'equal '
    r'to the corresponding element of the pColorAttachmentSamples member of '
    r'VkAttachmentSampleCountInfoAMD or VkAttachmentSampleCountInfoNV used to create the '
    r'bound graphics '
    r'pipeline': [[fact('OUTPUT'), equal('COLOR_SAMPLES_OTHER', '0', False)]],
    ATTACHMENT_SAMPLES.format(x='Depth'): [
        [
            fact('OUTPUT'),
            Condition('EQUAL', 'DEPTH_STENCIL_COUNT', draw_facts.BY_NAME['DEPTH_SAMPLES'], False),
        ]
    ],
    ATTACHMENT_SAMPLES.format(x='Stencil'): [
        [
            fact('OUTPUT'),
            Condition('EQUAL', 'DEPTH_STENCIL_COUNT', draw_facts.BY_NAME['STENCIL_SAMPLES'], False),
        ]
    ],
    (
        r'(?:then )?the current rasterizationSamples must be the same as the sample count of '
        r'the depth/stencil attachment'
    ): [
        [
            RASTERIZES,
            equal(test, 'VK_TRUE'),
            Condition('EQUAL', 'DEPTH_STENCIL_SAMPLES', 'current rasterizationSamples', False),
        ]
        for test in ('depthTestEnable', 'stencilTestEnable', 'depthBoundsTestEnable')
    ],
    r'(?:then )?the current render pass instance must have a layers value less than or equal to '
    r'VkPipelineFragmentDensityMapLayeredCreateInfoVALVE::maxFragmentDensityMapLayers': [
        [
            equal('DENSITY_LAYERS', '0', False),
            Condition('MORE', 'LAYERS', draw_facts.BY_NAME['DENSITY_LAYERS']),
        ]
    ],
    (
        r'(?:then )?the fragment shader object bound must have been created with '
        r'VkCustomResolveCreateInfoEXT::customResolve as VK_TRUE'
    ): [[equal('OBJECT_RESOLVES', 'VK_FALSE')]],
    (
        r'(?:then )?the fragment shader object bound must have been created with '
        r'VkCustomResolveCreateInfoEXT::customResolve as VK_FALSE'
    ): [[equal('OBJECT_RESOLVES', 'VK_TRUE')]],
    # That it must have been called is another statement's.
    r'(?:then )?vkCmdSetViewportWithCount must have been called in the current command '
    r'buffer prior to this drawing command, and the viewportCount parameter of '
    r'vkCmdSetViewportWithCount must be 1': [[Condition('MORE', 'viewportCount', '1')]],
    (
        r'(?:then )?the Fragment Output Interface must contain a variable for the alpha '
        r'Component word in Location 0 at Index 0'
    ): [[RASTERIZES, fact('ALPHA_OUTPUT', False)]],
    (
        r'(?:then )?the fragment shader code must not statically use the extended instruction '
        r'InterpolateAtSample'
    ): [[fact('AT_SAMPLE')]],
    r'(?:then )?the maximum value of Location for any output attachment statically used in '
    r'the Fragment Execution Model executed by this command must be less than '
    r'maxFragmentDualSrcAttachments': [
        [
            Condition(
                'LESS',
                'LAST_LOCATION',
                'limit VkPhysicalDeviceLimits::maxFragmentDualSrcAttachments',
                False,
            )
        ]
    ],
    r'(?:then )?there must be an active color attachment at the location selected by the '
    r'last call to vkCmdSetCoverageToColorLocationNV coverageToColorLocation, with a '
    r'VkFormat of VK_FORMAT_R8_UINT, VK_FORMAT_R8_SINT, VK_FORMAT_R16_UINT, '
    r'VK_FORMAT_R16_SINT, VK_FORMAT_R32_UINT, or VK_FORMAT_R32_SINT': [
        [RASTERIZES, fact('COVERAGE_COLOR', False)]
    ],
    r'(?:then )?the coverageModulationTableCount parameter in the last call to '
    r'vkCmdSetCoverageModulationTableNV must equal the current rasterizationSamples '
    r'divided by '
    r'the number of color samples in the current active color attachment': [
        [
            equal('coverageModulationMode', 'VK_COVERAGE_MODULATION_MODE_NONE_NV', False),
            Condition(
                'EQUAL', 'coverageModulationTableCount', draw_facts.BY_NAME['TABLE_WANTED'], False
            ),
        ]
    ],
    (
        r'its VkRenderingInfo::flags parameter must not have '
        r'VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT set unless '
        r'VK_RENDERING_CONTENTS_INLINE_BIT_KHR is also set'
    ): [
        [
            Condition(
                'ANY_BIT', 'RENDERING_FLAGS', 'VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT'
            ),
            Condition('ANY_BIT', 'RENDERING_FLAGS', 'VK_RENDERING_CONTENTS_INLINE_BIT_KHR', False),
        ]
    ],
    (
        r'then the index of the most significant bit in current render pass instance viewMask '
        r'must be less than the current value of (?P<count>viewportCount|scissorCount)'
    ): 'last_view',
    (
        r'(?:then )?the depthWriteEnable parameter in the last call to '
        r'vkCmdSetDepthWriteEnable must be VK_FALSE'
    ): [[equal('depthWriteEnable', 'VK_TRUE')]],
    r'(?:then )?the writeMask parameter in the last call to vkCmdSetStencilWriteMask must be 0': [
        [equal('STENCIL_MASK', '0', False)]
    ],
    (
        r'(?:then )?the Vertex Execution Model must have a PointSize decorated variable that '
        r'is statically written to'
    ): [[fact('POINT_SIZE', False)]],
    (
        r'(?:then )?the corresponding element of '
        r'VkPipelineRenderingCreateInfo::pColorAttachmentFormats used to create the pipeline '
        r'must not be VK_FORMAT_UNDEFINED'
    ): [
        [
            UNUSED,
            fact('PIPELINE_PASS', False),
            fact('OUTPUT'),
            RASTERIZES,
            equal('COLORS_WITHOUT_FORMAT', '0', False),
        ]
    ],
    (
        r'(?:then )?the corresponding element of '
        r'VkCustomResolveCreateInfoEXT::pColorAttachmentFormats used to create the pipeline '
        r'must not be VK_FORMAT_UNDEFINED'
    ): [[UNUSED, *CUSTOM, RASTERIZES, equal('RESOLVES_WITHOUT_FORMAT', '0', False)]],
    (
        r'(?:then )?the rasterizationSamples in the last call to '
        r'vkCmdSetRasterizationSamplesEXT must follow the rules for a zero-attachment subpass'
    ): [[fact('EMPTY_SAMPLES', False)]],
    GRID.format(x='width'): [[fact('GRID_WIDTH', False)]],
    GRID.format(x='height'): [[fact('GRID_HEIGHT', False)]],
    (
        r'(?:then )?VkRenderingAttachmentFlagsInfoKHR::flags for that attachment must include '
        r'VK_RENDERING_ATTACHMENT_INPUT_ATTACHMENT_FEEDBACK_BIT_KHR'
    ): [[RASTERIZES, equal('FEEDBACK_LOOPS', '0', False)]],
    r'(?:then )?sample shading must be disabled': [
        [fact('PIPELINE'), RASTERIZES, fact('SAMPLE_SHADED')]
    ],
    r'(?:then )?the minimum fraction for sample shading must equal 0.0': [
        [fact('PIPELINE'), fact('MIN_SAMPLE_SHADING', False)]
    ],
    r'this command must be called outside of a render pass instance': [[fact('INSIDE')]],
    (
        r'(?:then )?the viewportCount parameter of vkCmdSetViewportWithCount must match the '
        r'scissorCount parameter of vkCmdSetScissorWithCount'
    ): [[Condition('EQUAL', 'viewportCount', 'current scissorCount', False)]],
    (
        r'(?:then )?the viewportCount parameter in the last call to vkCmdSetViewportSwizzleNV '
        r'must be greater than or equal to the viewportCount parameter in the last call to '
        r'vkCmdSetViewportWithCount'
    ): [[Condition('LESS', 'SWIZZLES_SET', 'current viewportCount')]],
    (
        r'(?:then )?the viewportCount parameter in the last call to vkCmdSetViewportWScalingNV '
        r'must be greater than or equal to the viewportCount parameter in the last call to '
        r'vkCmdSetViewportWithCount'
    ): [[Condition('LESS', 'W_SCALINGS_SET', 'current viewportCount')]],
    (
        r'(?:then )?the viewportCount parameter in the last call to '
        r'vkCmdSetViewportShadingRatePaletteNV must be greater than or equal to the '
        r'viewportCount parameter in the last call to vkCmdSetViewportWithCount'
    ): [[Condition('LESS', 'PALETTES_SET', 'current viewportCount')]],
    (
        r'the stages corresponding to the pipeline bind point used by this command must only '
        r'include VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT, and/or '
        r'VK_SHADER_STAGE_COMPUTE_BIT'
    ): [
        [
            Condition(
                'ANY_BIT',
                'STAGES',
                (
                    '(uint32_t)~(VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT | '
                    'VK_SHADER_STAGE_COMPUTE_BIT)'
                ),
            )
        ]
    ],
    (
        r'(?:then )?the attachmentCount parameter of most recent call to '
        r'vkCmdSetColorWriteEnableEXT in the current command buffer must be greater than or '
        r'equal to the number of active color attachments'
    ): [[Condition('LESS', 'WRITE_ENABLES', draw_facts.BY_NAME['ACTIVE_COLOR_COUNT'])]],
    r'(?:then )?the samples parameter in the last call to vkCmdSetSampleMaskEXT must be '
    r'greater or equal to the '
    r'(?:VkPipelineMultisampleStateCreateInfo::rasterizationSamples parameter used to '
    r'create the bound graphics pipeline|rasterizationSamples parameter in the last call '
    r'to vkCmdSetRasterizationSamplesEXT)': [
        [Condition('LESS', 'samples', 'current rasterizationSamples')]
    ],
    (
        r'(?:then )?the primitiveTopology parameter of vkCmdSetPrimitiveTopology must be of '
        r'the same topology class as the pipeline '
        r'VkPipelineInputAssemblyStateCreateInfo::topology state'
    ): [
        [
            fact('VERTICES'),
            Condition('EQUAL', 'TOPOLOGY_CLASS', draw_facts.BY_NAME['OWN_TOPOLOGY_CLASS'], False),
        ]
    ],
    r'(?:then )?a VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT stage must be bound': [
        [Condition('ANY_BIT', 'STAGES', 'VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT', False)]
    ],
    r'multiview functionality must not be enabled in the current render pass': [
        [equal('VIEW_MASK', '0', False)]
    ],
    r'the current render pass instance must have been begun with vkCmdBeginRendering': [
        [fact('DYNAMIC_RENDERING', False)]
    ],
    (
        r'the bound VkPipeline must have been created without '
        r'VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT'
    ): [
        [
            fact('PIPELINE'),
            Condition(
                'ANY_BIT', 'PIPELINE_FLAGS', 'VK_PIPELINE_CREATE_2_DESCRIPTOR_BUFFER_BIT_EXT'
            ),
        ]
    ],
    (
        r'the bound VkPipeline must have been created with '
        r'VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT'
    ): [
        [
            fact('PIPELINE'),
            Condition(
                'ANY_BIT', 'PIPELINE_FLAGS', 'VK_PIPELINE_CREATE_2_DESCRIPTOR_BUFFER_BIT_EXT', False
            ),
        ]
    ],
    (
        r'(?:then )?all bound shader objects must have been created with the '
        r'VK_SHADER_CREATE_INDEPENDENT_SETS_BIT_KHR bit'
    ): [
        [
            Condition(
                'ANY_BIT', 'OBJECT_FLAGS_OF_ALL', 'VK_SHADER_CREATE_INDEPENDENT_SETS_BIT_KHR', False
            )
        ]
    ],
    (
        r'(?:then )?the bound graphics pipeline must have been created with '
        r'VkPipelineViewportWScalingStateCreateInfoNV::viewportCount greater or equal to the '
        r'viewportCount parameter in the last call to vkCmdSetViewportWithCount'
    ): [[fact('PIPELINE'), Condition('LESS', 'W_SCALINGS', 'current viewportCount')]],
    (
        r'(?:then )?the bound graphics pipeline must have been created with '
        r'VkPipelineViewportShadingRateImageStateCreateInfoNV::viewportCount greater or equal '
        r'to the viewportCount parameter in the last call to vkCmdSetViewportWithCount'
    ): [[fact('PIPELINE'), Condition('LESS', 'PALETTES', 'current viewportCount')]],
    (
        r'(?:then )?the bound graphics pipeline must have been created with '
        r'VkPipelineViewportSwizzleStateCreateInfoNV::viewportCount greater or equal to the '
        r'viewportCount parameter in the last call to vkCmdSetViewportWithCount'
    ): [[fact('PIPELINE'), Condition('LESS', 'SWIZZLES', 'current viewportCount')]],
    (
        r'(?:then )?the bound graphics pipeline must have been created with '
        r'VkPipelineViewportExclusiveScissorStateCreateInfoNV::exclusiveScissorCount greater '
        r'or equal to the viewportCount parameter in the last call to vkCmdSetViewportWithCount'
    ): [[fact('PIPELINE'), Condition('LESS', 'EXCLUSIVE_SCISSORS', 'current viewportCount')]],
}
# What the sentences leave out: viewports are used "when rasterization is enabled", and mesh shaders
# have no vertices.
MORE_CONDITIONS = {
    'VIEWPORT': 'VIEWED',
    'SCISSOR': 'VIEWED',
    'VIEWPORT_WITH_COUNT': 'VIEWED',
    'SCISSOR_WITH_COUNT': 'VIEWED',
    'PRIMITIVE_TOPOLOGY': 'VERTICES',
    'PRIMITIVE_RESTART_ENABLE': 'VERTICES',
    'PATCH_CONTROL_POINTS_EXT': 'VERTICES',
    'VERTEX_INPUT_EXT': 'VERTICES',
}
INHERITED = ('VIEWPORT', 'SCISSOR', 'VIEWPORT_WITH_COUNT', 'SCISSOR_WITH_COUNT')
# Without this feature there is no call that sets the state.
MORE_FEATURES = {'ATTACHMENT_FEEDBACK_LOOP_ENABLE_EXT': 'attachmentFeedbackLoopDynamicState'}
# Sentences about states that must be set which say more than a row can.
UNREAD = {'13118': 'a command that must not have been called so'}
# A state that pipelines take and shader objects do not, and that a command with another name sets.
OF_PIPELINES = ('VERTEX_INPUT_BINDING_STRIDE',)
SETS_STRIDES = 'vkCmdBindVertexBuffers2'


# The patterns above are compiled when the first text is read: most generators import this file and
# read none.
@functools.cache
def _not_set():
    return re.compile(r'(?:then )?' + NOT_SET)


@functools.cache
def _demands():
    return [(re.compile(pattern), breaks) for pattern, breaks in DEMANDS.items()]


@functools.cache
def _guards():
    return [
        (re.compile(rf'(?:{pattern})(?=,| |$)'), conditions)
        for pattern, conditions in WORDS.items()
    ]


class Reader:
    """Reads sentences of a model."""

    def __init__(self, m):
        self.m = m
        self.values = {v.parameter: v for v in dynamic_states.tables(m).values}
        self.states = set(dynamic_states.tables(m).states)
        self.features = {name for f in feature_tables.tables(m).features for name in f.names}

    def normal(self, text):
        text = re.sub(r'\s+', ' ', text).strip().rstrip('.').replace(' ,', ',')
        text = re.sub(
            (
                r'^If (the bound graphics pipeline state was created with the \w+ state '
                r'enabled), or a shader object is bound to any graphics stage,'
            ),
            r'If a shader object is bound to any graphics stage or \1,',
            text,
        )
        return text[0].lower() + text[1:] if not text.startswith(('VK', 'Vk')) else text

    def read(self, text):
        """[([Condition], those of the demand)]: each of these lists breaks it; or None."""
        try:
            return self._read(self.normal(text))
        except NotUnderstood:
            return None

    def rest(self, text):
        """What of a sentence that is not understood stands behind the guards that are."""
        text = self.normal(text)
        rest = text.removeprefix('if ')
        with contextlib.suppress(NotUnderstood):
            while rest != text and self._demand(rest, ()) is None:
                rest = re.sub(r'^,?(?: and)?(?:,? if)? ', '', rest[self._guard(rest)[0] :], count=1)
        return rest

    def _read(self, text):
        guards = []
        rest = text.removeprefix('if ')
        if rest != text:
            while True:
                demand = self._demand(rest, guards)
                if demand is not None:
                    break
                length, more = self._guard(rest)
                guards += more
                rest = re.sub(r'^,?(?: and)?(?:,? if)? ', '', rest[length:], count=1)
        else:
            demand = self._demand(rest)
            if demand is None:
                raise NotUnderstood
        rows = []
        either = [c for c in guards if isinstance(c, Either)]
        if len(either) > 1:
            raise NotUnderstood
        plain = [c for c in guards if c not in either]
        for breaks, more in itertools.product(demand, either[0].alternatives if either else [[]]):
            guards = more + plain
            conditions = {}
            for c in guards + breaks + [x for c in guards + breaks for x in self._more(c)]:
                if c.key in conditions and conditions[c.key].holds != c.holds:
                    raise NotUnderstood
                conditions.setdefault(c.key, c)
            rows.append((list(conditions.values()), [c for c in breaks if c.key in conditions]))
        return rows

    def _more(self, c):
        if c.kind == 'SET' and not c.holds:
            out = [Condition('TAKES', c.left)]
            out += [fact(MORE_CONDITIONS[c.left])] if c.left in MORE_CONDITIONS else []
            out += [fact('INHERITED_VIEWPORTS', False)] if c.left in INHERITED else []
            return out + (
                [Condition('FEATURE', MORE_FEATURES[c.left])] if c.left in MORE_FEATURES else []
            )
        return []

    def _demand(self, text, guards=()):
        g = _not_set().fullmatch(text)
        if g:
            state = dynamic_states.tables(self.m).setters.get(g['command'])
            if not state:
                raise NotUnderstood
            return [[Condition('SET', state, None, False)]]
        for pattern, breaks in _demands():
            g = pattern.fullmatch(text)
            if not g:
                continue
            if breaks == 'statistics':
                bits = ' | '.join(re.findall(r'VK_QUERY_PIPELINE_STATISTIC_\w+', g['statistics']))
                return [[Condition('ANY_BIT', 'STATISTICS', bits)]]
            if breaks == 'format':
                names = [
                    c.left
                    for c in guards
                    if c.kind == 'EQUAL' and c.left in ('RESOLVE_DEPTH', 'RESOLVE_STENCIL')
                ]
                if len(names) != 1:
                    raise NotUnderstood
                return [[*CUSTOM, equal(names[0], 'VK_FORMAT_UNDEFINED', False)]]
            if breaks == 'feature':
                return [[self._feature(g['feature'], False)]]
            if breaks == 'current':
                return [[equal(self._current(g['name']), g['value'], False)]]
            if breaks == 'last_view':
                return [
                    [
                        fact('DYNAMIC_RENDERING'),
                        equal('VIEW_MASK', '0', False),
                        Condition('LESS', 'LAST_VIEW', f'current {g["count"]}', False),
                    ]
                ]
            return breaks
        return None

    def _feature(self, name, holds):
        if f'FEATURE_{name}' not in self.features:
            raise NotUnderstood
        return Condition('FEATURE', name, None, holds)

    def _current(self, name):
        if name not in self.values:
            raise NotUnderstood
        return name

    def _guard(self, text):
        """(length, conditions) of the guard that the text begins with."""
        best = (0, None)
        for pattern, conditions in _guards():
            g = pattern.match(text)
            if g and g.end() > best[0]:
                best = g.end(), conditions
        g = BOUND.match(text)
        if g and g.end() > best[0]:
            best = g.end(), self._bound(g)
        if best[1] is not None:
            return best
        g = re.match(r'(?:the )?(\w+) feature is (not )?enabled', text)
        if g:
            return g.end(), [self._feature(g[1], not g[2])]
        g = re.match(r'(?:the )?(VK_\w+) extension is (not )?enabled', text)
        if g and g[1] in self.m.extensions:
            return g.end(), [Condition('EXTENSION', g[1], None, not g[2])]
        g = re.match(
            r'the current (?:value of (?:and )?)?(\w+)(?: state)? is (VK_\w+)(?: or (VK_\w+))?',
            text,
        )
        if g and not g[3]:
            return g.end(), [equal(self._current(g[1]), g[2])]
        if (
            g
            and g[1] == 'lineRasterizationMode'
            and {g[2], g[3]}
            == {
                'VK_LINE_RASTERIZATION_MODE_BRESENHAM',
                'VK_LINE_RASTERIZATION_MODE_RECTANGULAR_SMOOTH',
            }
        ):
            # of four values, the third and fourth
            return g.end(), [
                Condition('MORE', 'lineRasterizationMode', 'VK_LINE_RASTERIZATION_MODE_RECTANGULAR')
            ]
        g = re.match(r'(\w+) was (VK_TRUE|VK_FALSE) in the last call to vkCmdSet\w+', text)
        if g:
            return g.end(), [equal(self._current(g[1]), g[2])]
        g = re.match(
            (
                r'the (?:last|most recent) call to vkCmdSet\w+(?: in the current command '
                r'buffer)? set (?:the )?(\w+) to (VK_TRUE|VK_FALSE)'
            ),
            text,
        )
        if g:
            return g.end(), [equal(self._current(g[1]), g[2])]
        raise NotUnderstood

    def _bound(self, g):
        states = re.findall(r'VK_DYNAMIC_STATE_(\w+)', g['states'])
        if (
            not set(states) <= self.states
            or ' or ' in g['states']
            and states != ['LINE_STIPPLE_ENABLE_EXT', 'LINE_RASTERIZATION_MODE_EXT']
        ):
            raise NotUnderstood
        out = (
            [Either(*states)]
            if ' or ' in g['states']
            else [Condition('TAKES', state) for state in states]
        )
        for name, holds in (('disabled', False), ('second', True), ('without', False)):
            out += [
                Condition('TAKES', state, None, holds)
                for state in re.findall(r'VK_DYNAMIC_STATE_(\w+)', g[name] or '')
            ]
        if g['both']:
            out.append(Condition('ANY_BIT', 'STAGES', g['both']))
        if not g['objects']:
            out.append(fact('PIPELINE'))
        elif g['object']:
            out.append(Condition('ANY_BIT', 'OBJECT_STAGES', g['object']))
        return out


class Listed:
    """A line of draw_rows.txt: `NUMBER checksum broken=FILE.NAME holds=FILE.NAME`."""

    def __init__(self, number, checksum, broken, holds, line=0):
        self.place = f'registry/draw_rows.txt:{line}'
        self.number, self.checksum = number, checksum
        if not broken.startswith('broken=') or not holds.startswith('holds='):
            raise RegistryError(f'draw_rows.txt: {number}: broken=FILE.NAME holds=FILE.NAME')
        self.broken, self.holds = broken.removeprefix('broken='), holds.removeprefix('holds=')


@functools.cache
def listed():
    """number -> Listed, of draw_rows.txt."""
    with open(LIST, encoding='utf-8') as f:
        lines = [
            (number, line.split())
            for number, line in enumerate(f, 1)
            if line.strip() and not line.startswith('#')
        ]
    out = {words[0]: Listed(*words, line=number) for number, words in lines}
    if len(out) != len(lines):
        raise RegistryError('draw_rows.txt: a number stands twice')
    return out


def is_looked_at(command):
    """A draw, dispatch or trace, or what generates them."""
    return bool(re.match(r'vkCmd(Draw|Dispatch|TraceRays|ExecuteGeneratedCommands)', command))


@functools.cache
def statements_of(m):
    """number -> [vuid] of draws, dispatches and traces."""
    out = {}
    for v in m.vuids.values():
        if v.numbered and is_looked_at(v.owner):
            out.setdefault(v.id[-5:], []).append(v)
    return out


def checksum(statements):
    texts = sorted({v.text for v in statements})
    return f'{zlib.crc32(chr(10).join(texts).encode()):08x}'


# Bits of the bind points whose pipelines commands use, by how their names begin; all others trace
# rays.
BIND_POINTS = (('vkCmdDraw', 1), ('vkCmdDispatch', 2), ('vkCmdSubpassShading', 8))


def bind_points(statements):
    out = 0
    for v in statements:
        if not v.owner.startswith('vkCmdExecuteGeneratedCommands'):
            out |= next((bit for name, bit in BIND_POINTS if v.owner.startswith(name)), 4)
    return out or 7


class Row:
    """`number`; `conditions`, the static ones first; `points`: bits of bind points; `command`: the
    only one that has it, or None; `need`: whether it only says that a state must be set."""

    def __init__(self, number, conditions, demand, statements):
        self.number, self.points = number, bind_points(statements)
        self.conditions = sorted(conditions, key=lambda c: not is_static(c))
        owners = {v.owner for v in statements}
        self.command = owners.pop() if len(owners) == 1 else None
        self.need = any(c.kind == 'SET' and not c.holds for c in conditions)
        self.fixed = sum(map(is_static, conditions))
        self.demand = {c.key for c in demand}


def is_static(c):
    """Does it hold or not for a pipeline as long as that is bound?"""
    return (
        c.kind in ('FEATURE', 'EXTENSION', 'PROPERTY', 'TAKES')
        or c.left in draw_facts.BY_NAME
        and draw_facts.BY_NAME[c.left].static
        and (c.right is None or isinstance(c.right, str) and not c.right.startswith('current '))
    )


class DrawRows:
    """`rows`, those of needs first; `conditions`: [Condition] without repetitions, whose indices
    the rows have; `stages`: (state, stage or '0') of states that not all shader objects take."""

    def __init__(self, m):
        self.m, self.reader = m, Reader(m)
        self.rows = []
        self.conditions, self._numbers, self._first = [], {}, {}
        self.values, self.nouns = dynamic_states.tables(m).values, draw_facts.NOUNS
        self._values = {v.parameter for v in self.values}
        self._texts = {}
        self.text('')
        for number, line in listed().items():
            with changes.left_out(line.place, number):
                self.rows += self._read(number, line)
        for v in m.vuids.values():
            if (
                v.owner == 'vkCmdDraw'
                and v.numbered
                and ' must have been called and not subsequently invalidated' in v.text
                and v.id[-5:] not in listed()
                and v.id[-5:] not in UNREAD
            ):
                changes.note(
                    'registry/draw_rows.txt:1',
                    f'{v.id} says that a state must be set, and is no row: {v.text}',
                    v.id,
                )
        self.rows.sort(key=lambda row: not row.need)
        self.needs = sum(row.need for row in self.rows)
        for row in self.rows:
            self._first[id(row)] = sum(len(x.conditions) for x in self.rows[: self.rows.index(row)])
            for c in row.conditions:
                if c.key not in self._numbers:
                    self._numbers[c.key] = len(self.conditions)
                    self.conditions.append(c)
        for c in self.conditions:
            self.name(c)
        for noun in self.nouns:
            self.text('' if noun.quiet else noun.text)
            self.text('' if noun.quiet else noun.denied or '')
        for v in self.values:
            self.text(self.value_text(v))
        self.stages = [
            (state, stage) for state, stage in self._stages().items() if stage is not None
        ] + [(state, '0') for state in OF_PIPELINES]

    def _read(self, number, line):
        statements = statements_of(self.m).get(number)
        if not statements:
            raise RegistryError(f'no draw, dispatch or trace has {number}')
        if checksum(statements) != line.checksum:
            raise RegistryError(
                f'{number} reads otherwise now; read it again, then give it '
                f'{checksum(statements)}: {statements[0].text}'
            )
        found = [self.reader.read(read_as.text(v)) for v in statements]
        read = {repr(x): x for x in found}
        if len(read) != 1 or None in read.values():
            raise RegistryError(f'the sentence of {number} is not understood: {statements[0].text}')
        rows = [
            Row(number, conditions, demand, statements)
            for conditions, demand in next(iter(read.values()))
        ]
        for c in [
            c for row in rows for c in row.conditions
        ]:  # each name in it must be one of this registry
            self.noun(c), self.name(c), self.constant(c)
        return rows

    def _stages(self):
        """state -> the stage whose shader object takes it; '0': it is of pipelines alone; None: of
        any. From the sentences that say that it must be set."""
        out = {}
        for v in self.m.vuids.values():
            g = (
                BOUND.search(v.text)
                if v.owner == 'vkCmdDraw'
                and v.numbered
                and ' must have been called and not subsequently invalidated' in v.text
                else None
            )
            for state in re.findall(r'VK_DYNAMIC_STATE_(\w+)', g['states']) if g else ():
                out.setdefault(state, g['object'] if g['objects'] else '0')
        return out

    # --- C of the tables ---

    def first(self, row):
        return self._first[id(row)]

    def reference(self, row, c):
        """C of an element of draw_row_conditions."""
        flags = ([] if c.holds else ['CONDITION_FAILS']) + (
            ['CONDITION_DEMAND'] if c.key in row.demand else []
        )
        return ' | '.join([str(self._numbers[c.key]), *flags])

    def constant(self, c):
        if c.kind == 'FEATURE':
            return f'FEATURE_{c.left}'
        if c.kind == 'EXTENSION':
            return f'EXTENSION_{c.left}'
        if c.kind == 'PROPERTY':
            return self._offset(c.left)
        if c.kind in ('TAKES', 'SET'):
            return f'DYNAMIC_{c.left}'
        if c.right is None or self.other(c) not in ('NOUN_COUNT', 'NOUN_COUNT + 1'):
            return '0'
        return (
            self._offset(c.right.removeprefix('limit '))
            if c.right.startswith('limit ')
            else f'(uint64_t)({c.right})'
        )

    def _offset(self, name):
        structure, member = name.split('::')
        if member not in {x.name for x in self.m.structs[structure].members}:
            raise RegistryError(f'{structure} has no {member}')
        place = (
            'properties.limits'
            if structure == 'VkPhysicalDeviceLimits'
            else f'extended.{structure.removeprefix("VkPhysicalDevice")}'
        )
        return f'offsetof(struct device, {place}.{member})'

    def name(self, c):
        if c.kind == 'SET':
            setters = dynamic_states.tables(self.m).setters.items()
            return self.m.command_constant(
                next((name for name, state in setters if state == c.left), SETS_STRIDES)
            )
        if c.kind == 'PROPERTY':
            return self.text(c.left.split('::')[1])
        return (
            self.text(c.right.split('::')[1])
            if isinstance(c.right, str) and c.right.startswith('limit ')
            else 0
        )

    def noun(self, c):
        if c.kind in ('FEATURE', 'EXTENSION', 'PROPERTY', 'TAKES', 'SET'):
            return '0'
        if c.left not in self._values and c.left not in draw_facts.BY_NAME:
            raise RegistryError(f'no noun: {c.left}')
        return f'NOUN_{c.left}'

    def other(self, c):
        if isinstance(c.right, draw_facts.Noun):
            return f'NOUN_{c.right.name}'
        if isinstance(c.right, str) and c.right.startswith('current '):
            return f'NOUN_{c.right.removeprefix("current ")}'
        return (
            'NOUN_COUNT + 1'
            if isinstance(c.right, str) and c.right.startswith('limit ')
            else 'NOUN_COUNT'
        )

    @staticmethod
    def value_text(value):
        return draw_facts.VALUE_TEXTS.get(value.state, f'the current {value.parameter}')

    def text(self, text):
        """The offset of a text in draw_texts."""
        if text not in self._texts:
            self._texts[text] = sum(len(x) + 1 for x in self._texts)
        return self._texts[text]

    @property
    def texts(self):
        return list(self._texts)

    def values_of(self, name):
        if name == 'VkBool32':
            return 'NOUN_BOOLEAN'
        if name == 'indices':
            return 'NOUN_INDICES'
        constants = value_tables.tables(self.m).constants
        return f'NOUN_VALUES + {constants[name]}' if name in constants else 'NOUN_NUMBER'

    def _changes_with(self, c):
        """What a condition's truth changes with (draw_facts.CHANGES), or None."""
        if c.kind == 'SET':
            return {c.left}
        if c.kind in ('FEATURE', 'EXTENSION', 'PROPERTY', 'TAKES'):
            return set()
        out = set()
        for noun in (self.noun(c), self.other(c)):
            noun = noun.removeprefix('NOUN_')
            value = next((v for v in self.values if v.parameter == noun), None)
            if value:
                out.add(value.state)
            elif noun in draw_facts.BY_NAME:
                if draw_facts.BY_NAME[noun].of is None:
                    return None
                out.update(draw_facts.BY_NAME[noun].of)
        return out

    @property
    def asking(self):
        """[(C of an index of draw_rows_asking, bits of the rows that may be broken since that
        changed)]"""
        sets = {'pass': 'DRAW_ASKING_OF_PASS', 'queries': 'DRAW_ASKING_OF_QUERIES'}
        of_rows = []
        for row in self.rows:
            of = [self._changes_with(c) for c in row.conditions]
            of_rows.append(None if None in of else set().union(*of))
        kinds = list(sets) + [
            state
            for state in dynamic_states.tables(self.m).states
            if any(of and state in of for of in of_rows)
        ]
        if set().union(*(of or () for of in of_rows)) - set(kinds):
            changes.note(
                'registry/rows/draw_facts.py:1',
                (
                    f'CHANGES: no dynamic states: '
                    f'{sorted(set().union(*(of or () for of in of_rows)) - set(kinds))}'
                ),
            )
        always = sum(1 << i for i, of in enumerate(of_rows) if of is None)
        return [
            (
                sets.get(kind) or f'DYNAMIC_{kind}',
                always | sum(1 << i for i, of in enumerate(of_rows) if of and kind in of),
            )
            for kind in kinds
        ], always

    @property
    def of_queries(self):
        """Bits of the rows that cannot be broken where no query is active."""
        return sum(
            1 << i
            for i, row in enumerate(self.rows)
            if any(
                c.kind in ('FACT', 'ANY_BIT') and c.holds and self._changes_with(c) == {'queries'}
                for c in row.conditions
            )
        )

    def claims(self, hooked):
        """The ids that rows check of the commands that reach them."""
        out = []
        for number in {row.number for row in self.rows}:
            out += [v.id for v in statements_of(self.m)[number] if v.owner in hooked]
        return out


def untested(scenarios, known=None):
    """Messages about rows whose scenarios do not test them, as rows.untested()."""
    expected = {
        words[0]: words[1:] for words in (line.split() for line in scenarios.splitlines()) if words
    }
    out = []
    for row in (listed() if known is None else known).values():
        if not any(vuid.endswith(f'-{row.number}') for vuid in expected.get(row.broken, ())):
            out.append(f'draw_rows.txt: {row.number}: no scenario {row.broken} expects it')
        if row.holds not in expected or expected[row.holds]:
            out.append(f'draw_rows.txt: {row.number}: {row.holds} is no scenario without a finding')
    return out


@functools.cache
def rows(m):
    return DrawRows(m)


def main():
    """Prints what could be a row and is none, or (with a number) what a sentence says."""
    import argparse

    from model import registry as model

    parser = argparse.ArgumentParser(description='Statements of draws that could be rows.')
    parser.add_argument('--registry', required=True)
    parser.add_argument('--all', action='store_true')
    args = parser.parse_args()
    m = model.load(args.registry)
    reader = Reader(m)
    for number, statements in statements_of(m).items():
        read = {repr(reader.read(v.text)) for v in statements}
        if len(read) == 1 and read != {'None'} and (args.all or number not in listed()):
            print(
                f'{number} {checksum(statements)} {len(statements)} {statements[0].id}\n   '
                f' {statements[0].text}\n    {read.pop()}'
            )


if __name__ == '__main__':
    main()
