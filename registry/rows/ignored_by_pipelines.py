"""Members that a graphics pipeline ignores, though the sentences about them do not say so: what is
dynamic (10.11 "Dynamic State"), what belongs to a part that it does not make (10.6), what another
structure of the chain replaces.

The generated checks of values ask is_ignored_member() (src/stateless/pipeline.c); rows get guards
from here."""

import functools

from language.atoms import Among, Chained, Dynamic, Read
from language.sentence import Any, members_of
from language.values import Member

# member, or Structure::member where other structures have a member of the name -> the states of
# which each makes it ignored
DYNAMIC = {
    'cullMode': ['CULL_MODE'],
    'frontFace': ['FRONT_FACE'],
    'topology': ['PRIMITIVE_TOPOLOGY'],
    'depthTestEnable': ['DEPTH_TEST_ENABLE'],
    'depthWriteEnable': ['DEPTH_WRITE_ENABLE'],
    'depthCompareOp': ['DEPTH_COMPARE_OP'],
    'depthBoundsTestEnable': ['DEPTH_BOUNDS_TEST_ENABLE'],
    'minDepthBounds': ['DEPTH_BOUNDS'],
    'maxDepthBounds': ['DEPTH_BOUNDS'],
    'stencilTestEnable': ['STENCIL_TEST_ENABLE'],
    'failOp': ['STENCIL_OP'],
    'passOp': ['STENCIL_OP'],
    'depthFailOp': ['STENCIL_OP'],
    'VkStencilOpState::compareOp': ['STENCIL_OP'],
    'VkStencilOpState::compareMask': ['STENCIL_COMPARE_MASK'],
    'VkStencilOpState::writeMask': ['STENCIL_WRITE_MASK'],
    'VkStencilOpState::reference': ['STENCIL_REFERENCE'],
    'rasterizerDiscardEnable': ['RASTERIZER_DISCARD_ENABLE'],
    'depthBiasEnable': ['DEPTH_BIAS_ENABLE'],
    'depthBiasRepresentation': ['DEPTH_BIAS'],
    'depthBiasExact': ['DEPTH_BIAS'],
    'depthBiasConstantFactor': ['DEPTH_BIAS'],
    'depthBiasClamp': ['DEPTH_BIAS'],
    'depthBiasSlopeFactor': ['DEPTH_BIAS'],
    'lineWidth': ['LINE_WIDTH'],
    'logicOp': ['LOGIC_OP_EXT'],
    'blendConstants': ['BLEND_CONSTANTS'],
    'primitiveRestartEnable': ['PRIMITIVE_RESTART_ENABLE'],
    'patchControlPoints': ['PATCH_CONTROL_POINTS_EXT'],
    'pColorWriteEnables': ['COLOR_WRITE_ENABLE_EXT'],
    'domainOrigin': ['TESSELLATION_DOMAIN_ORIGIN_EXT'],
    'depthClampEnable': ['DEPTH_CLAMP_ENABLE_EXT'],
    'polygonMode': ['POLYGON_MODE_EXT'],
    'rasterizationSamples': ['RASTERIZATION_SAMPLES_EXT'],
    'pSampleMask': ['SAMPLE_MASK_EXT'],
    'alphaToCoverageEnable': ['ALPHA_TO_COVERAGE_ENABLE_EXT'],
    'alphaToOneEnable': ['ALPHA_TO_ONE_ENABLE_EXT'],
    'logicOpEnable': ['LOGIC_OP_ENABLE_EXT'],
    'blendEnable': ['COLOR_BLEND_ENABLE_EXT'],
    'srcColorBlendFactor': ['COLOR_BLEND_EQUATION_EXT'],
    'dstColorBlendFactor': ['COLOR_BLEND_EQUATION_EXT'],
    'colorBlendOp': ['COLOR_BLEND_EQUATION_EXT', 'COLOR_BLEND_ADVANCED_EXT'],
    'srcAlphaBlendFactor': ['COLOR_BLEND_EQUATION_EXT'],
    'dstAlphaBlendFactor': ['COLOR_BLEND_EQUATION_EXT'],
    'alphaBlendOp': ['COLOR_BLEND_EQUATION_EXT'],
    'colorWriteMask': ['COLOR_WRITE_MASK_EXT'],
    'rasterizationStream': ['RASTERIZATION_STREAM_EXT'],
    'conservativeRasterizationMode': ['CONSERVATIVE_RASTERIZATION_MODE_EXT'],
    'extraPrimitiveOverestimationSize': ['EXTRA_PRIMITIVE_OVERESTIMATION_SIZE_EXT'],
    'depthClipEnable': ['DEPTH_CLIP_ENABLE_EXT'],
    'sampleLocationsEnable': ['SAMPLE_LOCATIONS_ENABLE_EXT'],
    'sampleLocationsInfo': ['SAMPLE_LOCATIONS_EXT'],
    'srcPremultiplied': ['COLOR_BLEND_ADVANCED_EXT'],
    'dstPremultiplied': ['COLOR_BLEND_ADVANCED_EXT'],
    'blendOverlap': ['COLOR_BLEND_ADVANCED_EXT'],
    'provokingVertexMode': ['PROVOKING_VERTEX_MODE_EXT'],
    'lineRasterizationMode': ['LINE_RASTERIZATION_MODE_EXT'],
    'stippledLineEnable': ['LINE_STIPPLE_ENABLE_EXT'],
    'lineStippleFactor': ['LINE_STIPPLE'],
    'lineStipplePattern': ['LINE_STIPPLE'],
    'VkVertexInputBindingDescription::stride': ['VERTEX_INPUT_BINDING_STRIDE'],
    'negativeOneToOne': ['DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT'],
    'depthClampMode': ['DEPTH_CLAMP_RANGE_EXT'],
    'pDepthClampRange': ['DEPTH_CLAMP_RANGE_EXT'],
    'discardRectangleMode': ['DISCARD_RECTANGLE_MODE_EXT'],
    'pDiscardRectangles': ['DISCARD_RECTANGLE_EXT'],
    'pViewports': ['VIEWPORT', 'VIEWPORT_WITH_COUNT'],
    'pScissors': ['SCISSOR', 'SCISSOR_WITH_COUNT'],
    'viewportWScalingEnable': ['VIEWPORT_W_SCALING_ENABLE_NV'],
    'pViewportWScalings': ['VIEWPORT_W_SCALING_NV'],
    'pViewportSwizzles': ['VIEWPORT_SWIZZLE_NV'],
    'VkPipelineViewportSwizzleStateCreateInfoNV::viewportCount': ['VIEWPORT_SWIZZLE_NV'],
    'pExclusiveScissors': ['EXCLUSIVE_SCISSOR_NV'],
    'pShadingRatePalettes': ['VIEWPORT_SHADING_RATE_PALETTE_NV'],
    'sampleOrderType': ['VIEWPORT_COARSE_SAMPLE_ORDER_NV'],
    'pCustomSampleOrders': ['VIEWPORT_COARSE_SAMPLE_ORDER_NV'],
    'coverageToColorEnable': ['COVERAGE_TO_COLOR_ENABLE_NV'],
    'coverageToColorLocation': ['COVERAGE_TO_COLOR_LOCATION_NV'],
    'coverageModulationMode': ['COVERAGE_MODULATION_MODE_NV'],
    'coverageModulationTableEnable': ['COVERAGE_MODULATION_TABLE_ENABLE_NV'],
    'pCoverageModulationTable': ['COVERAGE_MODULATION_TABLE_NV'],
    'coverageReductionMode': ['COVERAGE_REDUCTION_MODE_NV'],
    'shadingRateImageEnable': ['SHADING_RATE_IMAGE_ENABLE_NV'],
    'representativeFragmentTestEnable': ['REPRESENTATIVE_FRAGMENT_TEST_ENABLE_NV'],
    'VkPipelineFragmentShadingRateStateCreateInfoKHR::fragmentSize': ['FRAGMENT_SHADING_RATE_KHR'],
    'VkPipelineFragmentShadingRateStateCreateInfoKHR::combinerOps': ['FRAGMENT_SHADING_RATE_KHR'],
    'VkPipelineFragmentShadingRateEnumStateCreateInfoNV::shadingRateType': [
        'FRAGMENT_SHADING_RATE_KHR'
    ],
    'VkPipelineFragmentShadingRateEnumStateCreateInfoNV::shadingRate': [
        'FRAGMENT_SHADING_RATE_KHR'
    ],
    'VkPipelineFragmentShadingRateEnumStateCreateInfoNV::combinerOps': [
        'FRAGMENT_SHADING_RATE_KHR'
    ],
}

PIPELINE = 'VkGraphicsPipelineCreateInfo'
# Its members that are pointers, and for each the member of struct graphics_info
# (src/state/pipeline/graphics_info.h) that is NULL where the pipeline does not read it.
READ = {
    'pVertexInputState': 'vertex_input',
    'pInputAssemblyState': 'input_assembly',
    'pTessellationState': 'tessellation',
    'pViewportState': 'viewport',
    'pRasterizationState': 'rasterization',
    'pMultisampleState': 'multisample',
    'pDepthStencilState': 'depth_stencil',
    'pColorBlendState': 'color_blend',
}

RATE, ENUMS = (
    'VkPipelineFragmentShadingRateStateCreateInfoKHR',
    'VkPipelineFragmentShadingRateEnumStateCreateInfoNV',
)


@functools.cache
def of_pipelines(m):
    """Names of the structures that a graphics pipeline is made of."""
    found, queue = {PIPELINE}, [PIPELINE]
    while queue:
        structure = m.structs[queue.pop()]
        inside = list(structure.extendedBy) + [
            x.type for x in structure.members if x.type in m.structs
        ]
        for name in inside:
            if name in m.structs and name not in found and name != 'VkShaderModuleCreateInfo':
                found.add(name)
                queue.append(name)
    return found


def _holders(n, owner, member):
    """(structure, member) of each step that leads to a member."""
    if member.chain:
        at = member.chain
    elif isinstance(member.each, str):
        at = {x.name: x for x in n.structure(owner).members}[member.each].type
    elif member.each is not None:
        at = member.each.field.type
    else:
        at = owner
    out = []
    for name in member.path:
        structure, name = n.structure(at), name.split('[')[0]
        if structure is None:
            break
        out.append((structure.name, name))
        at = next(x.type for x in structure.members if x.name == name)
    return out


def _arrays(member):
    """The Members that lead to a member: itself, and the array that it is in."""
    return (
        [member]
        + ([member.each] if isinstance(member.each, Member) else [])
        + ([member.head] if member.head else [])
    )


def guards(m, n, owner, sentence):
    """Clauses that a sentence of that structure needs beside its own."""
    if owner not in m.structs or owner not in of_pipelines(m):
        return []
    places = dict.fromkeys(
        p for x in members_of(sentence) for y in _arrays(x) for p in _holders(n, owner, y)
    )
    places.update(
        dict.fromkeys((owner, x.each) for x in members_of(sentence) if isinstance(x.each, str))
    )
    out = {}
    for structure, name in places:
        if structure == PIPELINE and name in READ:
            out[name] = Read(READ[name])
        states = DYNAMIC.get(f'{structure}::{name}') or DYNAMIC.get(name) or []
        out.update((s, Dynamic(f'VK_DYNAMIC_STATE_{s}', False)) for s in states)
    clauses = [Any([atom], unsaid=True) for atom in out.values()]
    used = {structure for structure, _ in places}
    kind = next((x for x in m.structs[ENUMS].members if x.name == 'shadingRateType'))
    if RATE in used and owner == PIPELINE:  # "any state specified by [it] should be ignored"
        clauses.append(
            Any(
                [
                    Chained(ENUMS, False),
                    Among(
                        Member(('shadingRateType',), kind, ENUMS),
                        ['VK_FRAGMENT_SHADING_RATE_TYPE_ENUMS_NV'],
                        False,
                    ),
                ],
                unsaid=True,
            )
        )
    if owner == PIPELINE and {(ENUMS, 'shadingRate'), (ENUMS, 'combinerOps')} & set(places):
        clauses.append(
            Any(
                [
                    Among(
                        Member(('shadingRateType',), kind, ENUMS),
                        ['VK_FRAGMENT_SHADING_RATE_TYPE_ENUMS_NV'],
                        True,
                    )
                ],
                unsaid=True,
            )
        )
    return clauses


def ignored(m):
    """(structure or None, member, state) of each state that makes a member ignored."""
    out = []
    for key, states in DYNAMIC.items():
        structure, _, name = key.rpartition('::')
        # a location has the name of a structure where that is in a chain
        place = structure if structure in m.structs and m.structs[structure].extends else None
        out += [(place, name, f'DYNAMIC_{s}') for s in states]
    return out
