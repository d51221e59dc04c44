"""Words of sentences about draws: guards and demands as patterns, and the conditions that they
mean. draw_reader.py reads sentences by them."""

import re

from rows import draw_facts
from rows.draw_conditions import Alternatives, Condition, equal, fact

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
    # Another statement says already that stages of vertices are not run.
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
    # Another statement says that it must have been called.
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
# The sentences leave this out: viewports are used "when rasterization is enabled", and mesh shaders
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
