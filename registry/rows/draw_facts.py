"""Nouns of sentences about the state at a draw, dispatch or trace: what src/core/draw/facts.c
answers. "The current value" of a dynamic state is a noun by itself: dynamic_states.py lists those
that are kept.

A noun has a value that may be unknown. `text` says it in a message; of a noun that holds or does
not, `denied` is the text where it does not. `values`: the registry's type, whose values have names;
'indices': bits that are counted from 0, each an index; None: a number. `static`: it is a
pipeline's, and does not change while that is bound. `quiet`: messages do not mention it. `of`: with
what it changes, beside what is bound (CHANGES); None: that is not said here, and rows that ask for
it are looked at whenever something changes."""


class Noun:
    def __init__(self, name, text, denied=None, values=None, static=False, quiet=False):
        self.of = () if static else None
        self.name, self.text, self.denied, self.values, self.static, self.quiet = (
            name,
            text,
            denied,
            values,
            static,
            quiet,
        )

    def __repr__(self):
        return self.name


NOUNS = [
    Noun(*given[:2], **given[2])
    for given in (
        # the bound pipeline
        (
            'PIPELINE',
            'a pipeline is bound',
            {'denied': 'shader objects are bound', 'static': True, 'quiet': True},
        ),
        ('STAGES', 'the stages', {'values': 'VkShaderStageFlags', 'static': True}),
        (
            'OBJECT_STAGES',
            'the stages of shader objects',
            {'values': 'VkShaderStageFlags', 'static': True, 'quiet': True},
        ),
        (
            'PIPELINE_FLAGS',
            'the flags of the pipeline',
            {'values': 'VkPipelineCreateFlags2', 'static': True},
        ),
        (
            'PIPELINE_PASS',
            'the pipeline was created for a VkRenderPass',
            {'denied': '', 'static': True},
        ),
        ('PIPELINE_VIEW_MASK', 'the viewMask of the pipeline', {'static': True}),
        (
            'OUTPUT',
            'the pipeline has fragment output',
            {'denied': 'the pipeline has no fragment output', 'static': True, 'quiet': True},
        ),
        ('OWN_TOPOLOGY_CLASS', 'the topology class of the pipeline', {'static': True}),
        (
            'PIPELINE_DEPTH',
            'the depthAttachmentFormat of the pipeline',
            {'values': 'VkFormat', 'static': True},
        ),
        (
            'PIPELINE_STENCIL',
            'the stencilAttachmentFormat of the pipeline',
            {'values': 'VkFormat', 'static': True},
        ),
        ('PIPELINE_STREAM', 'the rasterizationStream of the pipeline', {'static': True}),
        (
            'PIPELINE_LOCATIONS',
            'the sampleLocationsPerPixel of the pipeline',
            {'values': 'VkSampleCountFlagBits', 'static': True},
        ),
        (
            'DISCARD_GIVEN',
            'the pipeline has a VkPipelineDiscardRectangleStateCreateInfoEXT',
            {
                'denied': 'the pipeline has no VkPipelineDiscardRectangleStateCreateInfoEXT',
                'static': True,
            },
        ),
        (
            'HAS_BINDINGS',
            'the pipeline has vertex bindings',
            {'denied': 'the pipeline has no vertex bindings', 'static': True},
        ),
        (
            'MIN_SAMPLE_SHADING',
            'the minSampleShading of the pipeline is 0 or of no use',
            {
                'denied': 'the pipeline has sample shading with a minSampleShading that is not 0',
                'static': True,
            },
        ),
        (
            'RESOLVE_GIVEN',
            'the pipeline was created with a VkCustomResolveCreateInfoEXT',
            {
                'denied': 'the pipeline was created without a VkCustomResolveCreateInfoEXT',
                'static': True,
            },
        ),
        ('RESOLVES', 'the customResolve of the pipeline', {'values': 'VkBool32', 'static': True}),
        (
            'RESOLVE_COLORS',
            'the colorAttachmentCount of the VkCustomResolveCreateInfoEXT of the pipeline',
            {'static': True},
        ),
        (
            'RESOLVE_DEPTH',
            'the depthAttachmentFormat of the VkCustomResolveCreateInfoEXT of the pipeline',
            {'values': 'VkFormat', 'static': True},
        ),
        (
            'RESOLVE_STENCIL',
            'the stencilAttachmentFormat of the VkCustomResolveCreateInfoEXT of the pipeline',
            {'values': 'VkFormat', 'static': True},
        ),
        (
            'W_SCALINGS',
            'the viewportCount of the VkPipelineViewportWScalingStateCreateInfoNV of the pipeline',
            {'static': True},
        ),
        (
            'PALETTES',
            (
                'the viewportCount of the VkPipelineViewportShadingRateImageStateCreateInfoNV '
                'of the pipeline'
            ),
            {'static': True},
        ),
        (
            'SWIZZLES',
            'the viewportCount of the VkPipelineViewportSwizzleStateCreateInfoNV of the pipeline',
            {'static': True},
        ),
        (
            'EXCLUSIVE_SCISSORS',
            (
                'the exclusiveScissorCount of the '
                'VkPipelineViewportExclusiveScissorStateCreateInfoNV of the pipeline'
            ),
            {'static': True},
        ),
        (
            'SAMPLES_GIVEN',
            'the pipeline was created with a VkAttachmentSampleCountInfoAMD',
            {
                'denied': 'the pipeline was created without a VkAttachmentSampleCountInfoAMD',
                'static': True,
            },
        ),
        (
            'DEPTH_STENCIL_COUNT',
            'the depthStencilAttachmentSamples of the pipeline',
            {'values': 'VkSampleCountFlagBits', 'static': True},
        ),
        ('DENSITY_LAYERS', 'the maxFragmentDensityMapLayers of the pipeline', {'static': True}),
        (
            'WRITES_RATE',
            'a shader writes PrimitiveShadingRateKHR',
            {'denied': 'no shader writes PrimitiveShadingRateKHR', 'static': True},
        ),
        (
            'ALPHA_OUTPUT',
            'the fragment shader has an output with an alpha component in location 0',
            {
                'denied': 'the fragment shader has no output with an alpha component in location 0',
                'static': True,
            },
        ),
        (
            'AT_SAMPLE',
            'the fragment shader uses InterpolateAtSample',
            {'denied': '', 'static': True},
        ),
        (
            'SAMPLE_SHADED',
            'the pipeline has sample shading',
            {'denied': 'the pipeline has no sample shading', 'static': True},
        ),
        (
            'READS_DEPTH_EARLY',
            'the fragment shader has early tests and reads the depth attachment',
            {'denied': '', 'static': True},
        ),
        (
            'READS_STENCIL_EARLY',
            'the fragment shader has early tests and reads the stencil attachment',
            {'denied': '', 'static': True},
        ),
        (
            'MESH_EXT',
            'the mesh shader has the MeshEXT Execution Model',
            {'denied': 'the mesh shader has the MeshNV Execution Model', 'static': True},
        ),
        (
            'POINT_SIZE',
            'the vertex shader writes PointSize',
            {'denied': 'the vertex shader does not write PointSize', 'static': True},
        ),
        (
            'LAST_LOCATION',
            'the largest Location of an output of the fragment shader',
            {'static': True},
        ),
        ('OBJECT_RESOLVES', 'the customResolve of the fragment shader', {'values': 'VkBool32'}),
        (
            'OBJECT_FLAGS_OF_ANY',
            'the flags of some shader object',
            {'values': 'VkShaderCreateFlagsEXT'},
        ),
        (
            'OBJECT_FLAGS_OF_ALL',
            'the flags that all shader objects have',
            {'values': 'VkShaderCreateFlagsEXT'},
        ),
        # the device
        (
            'STIPPLING',
            'a feature of stippled lines is enabled',
            {'denied': 'no feature of stippled lines is enabled', 'static': True},
        ),
        # the draw
        ('VERTICES', 'vertices are drawn', {'denied': 'no vertices are drawn', 'quiet': True}),
        (
            'INHERITED_VIEWPORTS',
            'viewports may be inherited',
            {'denied': 'no viewports are inherited', 'quiet': True},
        ),
        ('VIEWED', 'viewports are used', {'denied': 'no viewports are used', 'quiet': True}),
        ('LINES', 'lines are rasterized', {'denied': 'no lines are rasterized'}),
        (
            'POINTS_OR_LINES',
            'points or lines are rasterized',
            {'denied': 'neither points nor lines are rasterized'},
        ),
        ('TOPOLOGY_CLASS', 'the topology class that was set', {}),
        ('LIST_TOPOLOGY', 'the topology is a list', {'denied': 'the topology is no list'}),
        (
            'BLEND_CONSTANT',
            'blending uses the constant color',
            {'denied': 'blending does not use the constant color'},
        ),
        # the render pass instance
        (
            'DYNAMIC_RENDERING',
            'vkCmdBeginRendering began the render pass instance',
            {'denied': 'vkCmdBeginRenderPass began the render pass instance'},
        ),
        (
            'BEGUN_HERE',
            'the render pass instance was begun in this command buffer',
            {'denied': 'the render pass instance is inherited', 'quiet': True},
        ),
        (
            'RENDERING_FLAGS',
            'the flags of the render pass instance',
            {'values': 'VkRenderingFlags'},
        ),
        ('VIEW_MASK', 'the view mask of the render pass instance', {}),
        ('TILE_SHADING', 'the render pass instance is a tile shading one', {'denied': ''}),
        ('LAST_VIEW', 'the last view of the render pass instance', {}),
        ('LAYERS', 'the number of layers of the render pass instance', {}),
        ('COLOR_COUNT', 'the colorAttachmentCount of the render pass instance', {}),
        ('ACTIVE_COLORS', 'color attachments', {'values': 'indices'}),
        ('ACTIVE_COLOR_COUNT', 'the number of color attachments', {}),
        (
            'RATE_VIEW',
            'the render pass instance has a fragment shading rate attachment',
            {'denied': 'it has no fragment shading rate attachment'},
        ),
        (
            'DENSITY_VIEW',
            'the render pass instance has a fragment density map',
            {'denied': 'it has no fragment density map'},
        ),
        (
            'DEPTH_VIEW',
            'the render pass instance has a depth attachment',
            {'denied': 'it has no depth attachment'},
        ),
        (
            'STENCIL_VIEW',
            'the render pass instance has a stencil attachment',
            {'denied': 'it has no stencil attachment'},
        ),
        (
            'DEPTH_RESOLVE_VIEW',
            'the depth attachment has a resolve view',
            {'denied': 'the depth attachment has no resolve view'},
        ),
        (
            'STENCIL_RESOLVE_VIEW',
            'the stencil attachment has a resolve view',
            {'denied': 'the stencil attachment has no resolve view'},
        ),
        (
            'DEPTH_RESOLVE_FORMAT',
            'the format of the resolve view of the depth attachment',
            {'values': 'VkFormat'},
        ),
        (
            'STENCIL_RESOLVE_FORMAT',
            'the format of the resolve view of the stencil attachment',
            {'values': 'VkFormat'},
        ),
        (
            'DEPTH_RESOLVE_SAMPLES',
            'the sample count of the resolve view of the depth attachment',
            {'values': 'VkSampleCountFlagBits'},
        ),
        (
            'STENCIL_RESOLVE_SAMPLES',
            'the sample count of the resolve view of the stencil attachment',
            {'values': 'VkSampleCountFlagBits'},
        ),
        (
            'DEPTH_SAMPLES',
            'the sample count of the depth attachment',
            {'values': 'VkSampleCountFlagBits'},
        ),
        (
            'STENCIL_SAMPLES',
            'the sample count of the stencil attachment',
            {'values': 'VkSampleCountFlagBits'},
        ),
        (
            'DEPTH_STENCIL_SAMPLES',
            'the sample count of the depth/stencil attachment',
            {'values': 'VkSampleCountFlagBits'},
        ),
        (
            'COLOR_SAMPLES_OTHER',
            (
                'color attachments with another sample count than the '
                'VkAttachmentSampleCountInfoAMD of the pipeline'
            ),
            {'values': 'indices'},
        ),
        (
            'TABLE_WANTED',
            'rasterizationSamples divided by the sample count of the color attachment',
            {},
        ),
        (
            'RESOLVE_BEGUN',
            'vkCmdBeginCustomResolveEXT was recorded in the render pass instance',
            {'denied': 'vkCmdBeginCustomResolveEXT was not recorded in the render pass instance'},
        ),
        (
            'HAS_CUSTOM_RESOLVE',
            'the render pass instance contains a custom resolve',
            {'denied': 'the render pass instance contains no custom resolve'},
        ),
        (
            'SINGLE_SAMPLES',
            'the rasterizationSamples of VkMultisampledRenderToSingleSampledInfoEXT',
            {'values': 'VkSampleCountFlagBits'},
        ),
        (
            'DEPTH_LOCATED',
            (
                'the image of the depth attachment has '
                'VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT'
            ),
            {
                'denied': (
                    'the image of the depth attachment was created without '
                    'VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT'
                )
            },
        ),
        (
            'COLOR_SAMPLES',
            'the sample count of a color attachment',
            {'values': 'VkSampleCountFlagBits'},
        ),
        (
            'COLORS_WITHOUT_FORMAT',
            (
                'color attachments that the fragment shader writes, of which the pipeline has '
                'no format'
            ),
            {'values': 'indices'},
        ),
        (
            'RESOLVES_WITHOUT_FORMAT',
            (
                'color attachments that the fragment shader writes, of whose resolve view the '
                'VkCustomResolveCreateInfoEXT of the pipeline has no format'
            ),
            {'values': 'indices'},
        ),
        (
            'EMPTY_SAMPLES',
            (
                'framebufferNoAttachmentsSampleCounts includes the samples of the subpass '
                'without attachments'
            ),
            {
                'denied': (
                    'the subpass has no attachments, and framebufferNoAttachmentsSampleCounts '
                    'of the device does not include these samples'
                )
            },
        ),
        (
            'GRID_WIDTH',
            'the width of the grid of sample locations divides that of the device',
            {
                'denied': (
                    'the width of the grid of sample locations does not divide '
                    'maxSampleLocationGridSize of the device'
                )
            },
        ),
        (
            'GRID_HEIGHT',
            'the height of the grid of sample locations divides that of the device',
            {
                'denied': (
                    'the height of the grid of sample locations does not divide '
                    'maxSampleLocationGridSize of the device'
                )
            },
        ),
        (
            'FEEDBACK_LOOPS',
            'color attachments that the fragment shader writes and reads as input '
            'attachments, without '
            'VK_RENDERING_ATTACHMENT_INPUT_ATTACHMENT_FEEDBACK_BIT_KHR',
            {'values': 'indices'},
        ),
        # elements
        ('SWIZZLES_SET', 'the number of viewports that vkCmdSetViewportSwizzleNV has set', {}),
        ('W_SCALINGS_SET', 'the number of viewports that vkCmdSetViewportWScalingNV has set', {}),
        (
            'PALETTES_SET',
            'the number of viewports that vkCmdSetViewportShadingRatePaletteNV has set',
            {},
        ),
        (
            'EXCLUSIVE_ENABLED',
            'vkCmdSetExclusiveScissorEnableNV has set some element to VK_TRUE',
            {'denied': ''},
        ),
        ('WRITE_ENABLES', 'the attachmentCount of vkCmdSetColorWriteEnableEXT', {}),
        (
            'LOCATIONS_SET',
            'the sampleLocationsPerPixel of vkCmdSetSampleLocationsEXT',
            {'values': 'VkSampleCountFlagBits'},
        ),
        (
            'BLEND_ENABLES_LACKING',
            'color attachments without a value of vkCmdSetColorBlendEnableEXT',
            {'values': 'indices'},
        ),
        (
            'WRITE_MASKS_LACKING',
            'color attachments without a value of vkCmdSetColorWriteMaskEXT',
            {'values': 'indices'},
        ),
        (
            'EQUATIONS_LACKING',
            'color attachments that are blended, without a value of vkCmdSetColorBlendEquationEXT',
            {'values': 'indices'},
        ),
        (
            'ADVANCED_LACKING',
            'color attachments that are blended, without a value of vkCmdSetColorBlendAdvancedEXT',
            {'values': 'indices'},
        ),
        (
            'BOTH_LACKING',
            'color attachments that are blended, without a value of either',
            {'values': 'indices'},
        ),
        (
            'COVERAGE_COLOR',
            'coverageToColorLocation has a color attachment with a format of one integer component',
            {
                'denied': (
                    'coverageToColorLocation has no color attachment with a format of one '
                    'integer component'
                )
            },
        ),
        ('DUAL_SOURCE', 'blending uses the second color of the fragment shader', {'denied': ''}),
        ('STENCIL_MASK', 'the write mask of vkCmdSetStencilWriteMask', {}),
        ('BLENDED', 'color attachments that are blended', {'values': 'indices'}),
        (
            'SHARED_EXPONENT_MASKS',
            (
                'color attachments of VK_FORMAT_E5B9G9R9_UFLOAT_PACK32 with a color write mask '
                'of some components'
            ),
            {'values': 'indices'},
        ),
        (
            'RESOLVE_FORMATS_OTHER',
            (
                'color attachments whose resolve view has another format than the '
                'VkCustomResolveCreateInfoEXT of the pipeline'
            ),
            {'values': 'indices'},
        ),
        (
            'RESOLVE_FORMATS_OTHER_USED',
            'color attachments whose resolve view has another format than the '
            'VkCustomResolveCreateInfoEXT of the pipeline, which is not '
            'VK_FORMAT_UNDEFINED',
            {'values': 'indices'},
        ),
        (
            'RESOLVE_FORMATS_SPARE',
            (
                'color attachments without a resolve view, to which the '
                'VkCustomResolveCreateInfoEXT of the pipeline gives a format'
            ),
            {'values': 'indices'},
        ),
        (
            'RESOLVE_SAMPLES_OTHER',
            (
                'color attachments whose resolve view has another sample count than '
                'rasterizationSamples'
            ),
            {'values': 'indices'},
        ),
        # what is active
        (
            'GENERATED_QUERY',
            'a VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT query is active',
            {'denied': 'no such query is active'},
        ),
        (
            'MESH_QUERY',
            'a VK_QUERY_TYPE_MESH_PRIMITIVES_GENERATED_EXT query is active',
            {'denied': 'no such query is active'},
        ),
        (
            'FEEDBACK_QUERY',
            'a VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT query is active',
            {'denied': 'no such query is active'},
        ),
        (
            'STATISTICS',
            'the statistics of active queries',
            {'values': 'VkQueryPipelineStatisticFlags'},
        ),
        (
            'PER_TILE',
            'the per-tile execution model is enabled',
            {'denied': 'the per-tile execution model is not enabled'},
        ),
        (
            'INSIDE',
            'it is inside of a render pass instance',
            {'denied': 'it is outside of a render pass instance'},
        ),
        # descriptors
        (
            'SETS_BOUND',
            'descriptors come from vkCmdBindDescriptorSets',
            {'denied': 'no descriptors come from vkCmdBindDescriptorSets'},
        ),
        (
            'OFFSETS_BOUND',
            'descriptors come from vkCmdSetDescriptorBufferOffsetsEXT',
            {'denied': 'no descriptors come from vkCmdSetDescriptorBufferOffsetsEXT'},
        ),
    )
]
# Values of dynamic states whose parameter's name says too little.
VALUE_TEXTS = {'SAMPLE_MASK_EXT': 'the samples of the current sample mask'}
BY_NAME = {noun.name: noun for noun in NOUNS}

# With what nouns change while the same pipeline or shader objects, and the same sets, are bound:
# dynamic states, 'pass' (the render pass instance, and sections of the command buffer), or
# 'queries'.
CHANGES = {
    (
        'VERTICES INHERITED_VIEWPORTS OBJECT_FLAGS_OF_ANY OBJECT_FLAGS_OF_ALL SETS_BOUND '
        'OFFSETS_BOUND'
    ): (),
    'VIEWED': ('RASTERIZER_DISCARD_ENABLE',),
    'LINES POINTS_OR_LINES TOPOLOGY_CLASS LIST_TOPOLOGY': ('PRIMITIVE_TOPOLOGY',),
    (
        'BLEND_CONSTANT DYNAMIC_RENDERING BEGUN_HERE RENDERING_FLAGS VIEW_MASK TILE_SHADING '
        'LAST_VIEW COLOR_COUNT ACTIVE_COLORS ACTIVE_COLOR_COUNT'
    ): ('pass',),
    (
        'RATE_VIEW DENSITY_VIEW DEPTH_VIEW STENCIL_VIEW DEPTH_RESOLVE_VIEW '
        'STENCIL_RESOLVE_VIEW DEPTH_RESOLVE_FORMAT STENCIL_RESOLVE_FORMAT'
    ): ('pass',),
    (
        'DEPTH_RESOLVE_SAMPLES STENCIL_RESOLVE_SAMPLES RESOLVE_BEGUN HAS_CUSTOM_RESOLVE '
        'SINGLE_SAMPLES DEPTH_LOCATED'
    ): ('pass',),
    'RESOLVE_FORMATS_OTHER RESOLVE_FORMATS_OTHER_USED RESOLVE_FORMATS_SPARE PER_TILE INSIDE': (
        'pass',
    ),
    'RESOLVE_SAMPLES_OTHER': ('RASTERIZATION_SAMPLES_EXT', 'pass'),
    'COLOR_SAMPLES': ('pass',),
    'COLORS_WITHOUT_FORMAT RESOLVES_WITHOUT_FORMAT FEEDBACK_LOOPS': (
        'COLOR_WRITE_MASK_EXT',
        'COLOR_WRITE_ENABLE_EXT',
        'pass',
    ),
    'EMPTY_SAMPLES': ('RASTERIZATION_SAMPLES_EXT', 'pass'),
    'GRID_WIDTH GRID_HEIGHT': ('RASTERIZATION_SAMPLES_EXT', 'SAMPLE_LOCATIONS_EXT'),
    'STENCIL_MASK': ('STENCIL_WRITE_MASK',),
    'SWIZZLES_SET': ('VIEWPORT_SWIZZLE_NV',),
    'W_SCALINGS_SET': ('VIEWPORT_W_SCALING_NV',),
    'PALETTES_SET': ('VIEWPORT_SHADING_RATE_PALETTE_NV',),
    'EXCLUSIVE_ENABLED': ('EXCLUSIVE_SCISSOR_ENABLE_NV',),
    'WRITE_ENABLES': ('COLOR_WRITE_ENABLE_EXT',),
    'LOCATIONS_SET': ('SAMPLE_LOCATIONS_EXT',),
    'BLEND_ENABLES_LACKING BLENDED': ('COLOR_BLEND_ENABLE_EXT', 'pass'),
    'WRITE_MASKS_LACKING SHARED_EXPONENT_MASKS': ('COLOR_WRITE_MASK_EXT', 'pass'),
    'EQUATIONS_LACKING': ('COLOR_BLEND_ENABLE_EXT', 'COLOR_BLEND_EQUATION_EXT', 'pass'),
    'ADVANCED_LACKING': ('COLOR_BLEND_ENABLE_EXT', 'COLOR_BLEND_ADVANCED_EXT', 'pass'),
    'BOTH_LACKING': (
        'COLOR_BLEND_ENABLE_EXT',
        'COLOR_BLEND_EQUATION_EXT',
        'COLOR_BLEND_ADVANCED_EXT',
        'pass',
    ),
    'GENERATED_QUERY MESH_QUERY FEEDBACK_QUERY STATISTICS': ('queries',),
}
for _names, _of in CHANGES.items():
    for _name in _names.split():
        BY_NAME[_name].of = _of
