"""What the registry does not say of members and statements, by hand: which are read when, which a
layer cannot check, and why."""

# Members without implicit valid usage whose structures are checked all the same, and the C
# condition under which they are read. VkGraphicsPipelineCreateInfo's are ruled by numbered VUIDs:
# "if not NULL it must be a valid pointer to a valid structure" (09023 ... 09040).
DESCENTS = {
    ('VkCommandBufferBeginInfo', 'pInheritanceInfo'): 'call_records_secondary(c->call)',
    ('VkGraphicsPipelineCreateInfo', 'pStages'): 'pipeline_reads_stages(s)',
    ('VkGraphicsPipelineCreateInfo', 'pVertexInputState'): 'pipeline_graphics(c)->vertex_input',
    ('VkGraphicsPipelineCreateInfo', 'pInputAssemblyState'): 'pipeline_graphics(c)->input_assembly',
    ('VkGraphicsPipelineCreateInfo', 'pTessellationState'): 'pipeline_graphics(c)->tessellation',
    ('VkGraphicsPipelineCreateInfo', 'pViewportState'): 'pipeline_graphics(c)->viewport',
    ('VkGraphicsPipelineCreateInfo', 'pRasterizationState'): 'pipeline_graphics(c)->rasterization',
    ('VkGraphicsPipelineCreateInfo', 'pMultisampleState'): 'pipeline_graphics(c)->multisample',
    ('VkGraphicsPipelineCreateInfo', 'pDepthStencilState'): 'pipeline_reads_depth_stencil(c)',
    ('VkGraphicsPipelineCreateInfo', 'pColorBlendState'): 'pipeline_reads_color_blend(c)',
}

# Arrays of structures of which the registry does not say "valid", and which have rules.
ARRAYS = {('VkDecompressMemoryInfoEXT', 'pRegions'): 'true'}

# Members of unions of which the registry does not say "valid", as nothing of theirs has implicit
# valid usage, and which have rules: where they are the ones in use.
OF_UNIONS = {
    (
        'VkDescriptorSetAndBindingMappingEXT',
        'sourceData',
        'heapData',
    ): 's->source == VK_DESCRIPTOR_MAPPING_SOURCE_RESOURCE_HEAP_DATA_EXT',
    (
        'VkDescriptorSetAndBindingMappingEXT',
        'sourceData',
        'indirectAddress',
    ): 's->source == VK_DESCRIPTOR_MAPPING_SOURCE_INDIRECT_ADDRESS_EXT',
}

# Members with implicit valid usage that a sentence says are ignored, and the C condition under
# which they are not.
USES_RENDERING_ATTACHMENT = (
    '(s->imageView || s->resolveMode == VK_RESOLVE_MODE_EXTERNAL_FORMAT_DOWNSAMPLE_BIT_ANDROID)'
)
IGNORED_UNLESS = {
    # "If imageView is VK_NULL_HANDLE ... other members of this structure are ignored."
    ('VkRenderingAttachmentInfo', 'imageLayout'): USES_RENDERING_ATTACHMENT,
    ('VkRenderingAttachmentInfo', 'resolveMode'): USES_RENDERING_ATTACHMENT,
    ('VkRenderingAttachmentInfo', 'resolveImageLayout'): USES_RENDERING_ATTACHMENT,
    ('VkRenderingAttachmentInfo', 'loadOp'): USES_RENDERING_ATTACHMENT,
    ('VkRenderingAttachmentInfo', 'storeOp'): USES_RENDERING_ATTACHMENT,
    # "If unnormalizedCoordinates is VK_TRUE, addressModeW is ignored."
    ('VkSamplerCreateInfo', 'addressModeW'): '!s->unnormalizedCoordinates',
    # "If sampleLocationsEnable is VK_FALSE ... the values specified in sampleLocationsInfo are
    # ignored." Where enabling is dynamic, core looks at them.
    (
        'VkPipelineSampleLocationsStateCreateInfoEXT',
        'sampleLocationsInfo',
    ): 's->sampleLocationsEnable',
    # "triangles contains triangle data if VkGeometryNV::geometryType is
    # VK_GEOMETRY_TYPE_TRIANGLES_NV."
    ('VkGeometryDataNV', 'triangles'): 'geometry_type_nv(s) != VK_GEOMETRY_TYPE_AABBS_NV',
    # Arrays of dynamic states. Of single members check.c asks the same before it reports.
    **{
        (name, member): f'!pipeline_ignores(c, where, "{member}")'
        for name, member in (
            ('VkPipelineViewportCoarseSampleOrderStateCreateInfoNV', 'pCustomSampleOrders'),
            ('VkPipelineViewportSwizzleStateCreateInfoNV', 'pViewportSwizzles'),
            ('VkPipelineColorWriteCreateInfoEXT', 'pColorWriteEnables'),
        )
    },
}

# Structures in structures that other members of the call make ignored: core looks at them where
# they are read.
LEFT_TO_CORE = {
    # "If the image ... was not created with
    # VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT ... ignored":
    # core/sample_locations.c.
    ('VkAttachmentSampleLocationsEXT', 'sampleLocationsInfo'),
    ('VkSubpassSampleLocationsEXT', 'sampleLocationsInfo'),
}

# Arrays of bits that may name what is not enabled: a stage without an extension can be unbound.
ANY_KNOWN_BIT = {('vkCmdBindShadersEXT', 'pStages')}

# Answered by the loader or the chassis before there is a call to validate.
UNHOOKED = {
    'vkGetInstanceProcAddr',
    'vkGetDeviceProcAddr',
    'vkEnumerateInstanceVersion',
    'vkEnumerateInstanceLayerProperties',
    'vkEnumerateInstanceExtensionProperties',
}
# What the loader follows or answers itself before it calls a layer, so that a mistake never comes
# here (or ends the process there).
LOADER_READS = {
    'VUID-vkCreateInstance-pCreateInfo-parameter',
    'VUID-vkCreateInstance-pInstance-parameter',
    'VUID-VkInstanceCreateInfo-pApplicationInfo-parameter',
    'VUID-VkInstanceCreateInfo-ppEnabledLayerNames-parameter',
    'VUID-VkInstanceCreateInfo-ppEnabledExtensionNames-parameter',
    'VUID-vkCreateInstance-pAllocator-parameter',
    'VUID-vkDestroyInstance-pAllocator-parameter',
    'VUID-vkCreateDevice-pCreateInfo-parameter',
    'VUID-vkCreateDevice-pAllocator-parameter',
    'VUID-vkCreateDevice-pDevice-parameter',
    'VUID-vkDestroyDevice-pAllocator-parameter',
    'VUID-vkEnumeratePhysicalDevices-pPhysicalDeviceCount-parameter',
    'VUID-vkEnumeratePhysicalDeviceGroups-pPhysicalDeviceGroupCount-parameter',
    'VUID-vkEnumerateDeviceExtensionProperties-pLayerName-parameter',
    'VUID-vkEnumerateDeviceExtensionProperties-pPropertyCount-parameter',
    'VUID-vkEnumerateDeviceExtensionProperties-pProperties-parameter',
    'VUID-vkEnumerateDeviceLayerProperties-pPropertyCount-parameter',
    'VUID-vkEnumerateDeviceLayerProperties-pProperties-parameter',
    'VUID-vkSetDebugUtilsObjectNameEXT-pNameInfo-parameter',
    'VUID-vkSetDebugUtilsObjectTagEXT-pTagInfo-parameter',
    'VUID-vkDebugMarkerSetObjectNameEXT-pNameInfo-parameter',
    'VUID-vkDebugMarkerSetObjectTagEXT-pTagInfo-parameter',
}

# Reasons, used in the table of coverage.
ABSENT = 'of a platform or provisional extension that does not exist on Linux'
OPAQUE = 'any value is a pointer value'
COMPOSITE = "holds when the structure's own valid usage holds; its own ids fire"
FILLED = 'the structure is filled in by the driver only'
IN_MEMORY = 'the structure lies in buffer memory that the device reads; no command takes it'
BY_TYPE = (
    'only a pNext chain holds this structure, and there the sType alone says what it is: '
    'with another value it is another structure, '
    'reported under the pNext id of the head of the chain'
)
REPEATABLE = 'every structure that this chain may hold on Linux may stand in it more than once'
LOADER = 'the loader reads this before any layer is called'
