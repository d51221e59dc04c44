"""Facts are what sentences ask of objects: the values that an object was created with and that the
layer keeps, and where.

A fact is named as the creation's structure names it ("usage" of a VkBuffer), or `VkFoo::bar` where
a structure of its chain has it. What an object was created with stays what it was; where the state
is not kept (src/state), a row says nothing."""


class Kept:
    """name    as the creation's structure (or one that is chained to it) names it
    place   the member of the state that has it
    type    the word of enum row_type: how it lies there
    values  the registry's types whose constants it may be compared with
    create  path of the member that a test sets when it creates the object; a dictionary of them by
            type in `values` where they differ
    said    what messages call it"""

    def __init__(self, name, place, type_, values=(), create=None, said=None):
        self.name, self.place, self.type, self.create, self.said = (
            name,
            place,
            type_,
            create or name,
            said or name,
        )
        self.values = (values,) if isinstance(values, str) else tuple(values)


class Kind:
    """The facts of a handle type: `state` is the C structure, `structure` what its objects are
    created with."""

    def __init__(self, state, structure, facts):
        self.state, self.structure, self.facts = state, structure, {f.name: f for f in facts}

    def of_type(self, type_name):
        """The fact whose values are of that type, or None; of several, none is meant."""
        found = [f for f in self.facts.values() if type_name in f.values]
        return found[0] if len(found) == 1 else None


def word(name, type_='uint32_t'):
    """Makes what stands for a member of the registry where a value has none."""
    return type(
        'Word', (), dict(type=type_, fullType=type_, name=name, fixedSizeArray=[], length=None)
    )


# Sentences call formats so, and mean these bits of enum format_trait.
FORMAT_KINDS = {
    'depth/stencil format': ['DEPTH', 'STENCIL'],
    'depth-stencil format': ['DEPTH', 'STENCIL'],
    'depth or depth/stencil format': ['DEPTH'],
    'compressed': ['COMPRESSED'],
    'compressed image format': ['COMPRESSED'],
    'compressed format': ['COMPRESSED'],
    'non-compressed format': ['UNCOMPRESSED'],
    'multi-planar format': ['MULTI_PLANAR'],
    'multi-planar image format': ['MULTI_PLANAR'],
    'formats that require a sampler Y′CBCR conversion': ['YCBCR'],
    'format that requires a sampler Y′CBCR conversion': ['YCBCR'],
    '_422 or _420 suffix': ['422', '420'],
    '_420 suffix': ['420'],
    'color format': ['COLOR'],
    'integer color format': ['UINT', 'SINT'],
    'non-integer color format': ['OTHER_COLOR'],
}
# Bits of enum format_trait as messages call them.
FORMAT_KIND_WORDS = {'DEPTH': 'depth', 'STENCIL': 'stencil'}

KINDS = {
    'VkBuffer': Kind(
        'struct buffer',
        'VkBufferCreateInfo',
        [
            Kept('size', 'size', 'U64'),
            Kept(
                'usage',
                'usage',
                'U64',
                ('VkBufferUsageFlagBits', 'VkBufferUsageFlagBits2'),
                {
                    'VkBufferUsageFlagBits': 'usage',
                    'VkBufferUsageFlagBits2': 'VkBufferUsageFlags2CreateInfo::usage',
                },
            ),
            Kept('flags', 'flags', 'U32', 'VkBufferCreateFlagBits'),
            Kept('memory binding', 'binding.memory', 'U64', (), 'flags'),
            Kept('sharingMode', 'sharing_mode', 'I32', 'VkSharingMode'),
        ],
    ),
    'VkImage': Kind(
        'struct image',
        'VkImageCreateInfo',
        [
            Kept('flags', 'flags', 'U32', 'VkImageCreateFlagBits'),
            Kept('imageType', 'type', 'I32', 'VkImageType'),
            Kept('mipLevels', 'mip_levels', 'U32'),
            Kept('arrayLayers', 'array_layers', 'U32'),
            Kept('samples', 'samples', 'U32', 'VkSampleCountFlagBits'),
            Kept('tiling', 'tiling', 'I32', 'VkImageTiling'),
            Kept('usage', 'usage', 'U32', 'VkImageUsageFlagBits'),
            Kept('format', 'format', 'I32', 'VkFormat'),
            Kept('extent.width', 'extent.width', 'U32'),
            Kept('extent.height', 'extent.height', 'U32'),
            Kept('extent.depth', 'extent.depth', 'U32'),
            Kept('aspects', 'aspects', 'U32', (), 'format', said='aspects of the format'),
            Kept('texel block width', 'block_extent[0]', 'U8', (), 'format'),
            Kept('texel block height', 'block_extent[1]', 'U8', (), 'format'),
            Kept('texel block depth', 'block_extent[2]', 'U8', (), 'format'),
            Kept('texel block size', 'block_size', 'U8', (), 'format'),
            Kept('format features', 'format_features', 'U64', (), 'format'),
            Kept('usage of any aspect', 'any_usage', 'U32', (), 'usage', said='usage'),
        ],
    ),
    'VkImageView': Kind(
        'struct image_view',
        'VkImageViewCreateInfo',
        [
            Kept('flags', 'flags', 'U32', 'VkImageViewCreateFlagBits'),
            Kept('viewType', 'type', 'I32', 'VkImageViewType'),
            Kept('format', 'format', 'I32', 'VkFormat'),
            Kept("image's flags", 'image_flags', 'U32', 'VkImageCreateFlagBits', 'image->flags'),
            Kept(
                'usage', 'usage', 'U32', 'VkImageUsageFlagBits', 'VkImageViewUsageCreateInfo::usage'
            ),
            Kept('samples', 'samples', 'U32', 'VkSampleCountFlagBits', 'image->samples'),
            Kept('levelCount', 'range.levelCount', 'U32', (), 'subresourceRange.levelCount'),
            Kept('layerCount', 'range.layerCount', 'U32', (), 'subresourceRange.layerCount'),
            Kept('identity swizzle', 'identity', 'U8', (), 'components.r'),
        ],
    ),
    'VkDeviceMemory': Kind(
        'struct device_memory',
        'VkMemoryAllocateInfo',
        [
            Kept('size', 'size', 'U64', (), 'allocationSize'),
            Kept(
                'properties of its type',
                'properties',
                'U32',
                'VkMemoryPropertyFlagBits',
                'memoryTypeIndex',
            ),
            Kept('host mapping', 'mapped', 'U8', (), 'memoryTypeIndex'),
            Kept('second instance', 'multiple_instances', 'U8', (), 'memoryTypeIndex'),
            Kept('dedicated image', 'dedicated_image', 'U64', (), 'memoryTypeIndex'),
            Kept('dedicated buffer', 'dedicated_buffer', 'U64', (), 'memoryTypeIndex'),
            Kept(
                'exported handle types',
                'export_types',
                'U32',
                (),
                'VkExportMemoryAllocateInfo::handleTypes',
            ),
            Kept(
                'flags',
                'flags',
                'U32',
                'VkMemoryAllocateFlagBits',
                'VkMemoryAllocateFlagsInfo::flags',
            ),
        ],
    ),
    'VkQueryPool': Kind(
        'struct query_pool',
        'VkQueryPoolCreateInfo',
        [
            Kept('queryType', 'type', 'I32', 'VkQueryType'),
            Kept('pipelineStatistics', 'statistics', 'U32', 'VkQueryPipelineStatisticFlagBits'),
            Kept('queryCount', 'count', 'U32'),
        ],
    ),
    'VkSampler': Kind(
        'struct sampler',
        'VkSamplerCreateInfo',
        [
            Kept('flags', 'info.flags', 'U32', 'VkSamplerCreateFlagBits'),
            Kept('compareEnable', 'info.compareEnable', 'U32', 'VkBool32'),
        ],
    ),
    'VkSwapchainKHR': Kind(
        'struct swapchain',
        'VkSwapchainCreateInfoKHR',
        [Kept('flags', 'info.flags', 'U32', 'VkSwapchainCreateFlagBitsKHR')],
    ),
    'VkSemaphore': Kind(
        'struct semaphore',
        'VkSemaphoreCreateInfo',
        [
            Kept(
                'semaphoreType',
                'type',
                'I32',
                'VkSemaphoreType',
                'VkSemaphoreTypeCreateInfo::semaphoreType',
            )
        ],
    ),
    'VkDescriptorSetLayout': Kind(
        'struct descriptor_layout',
        'VkDescriptorSetLayoutCreateInfo',
        [Kept('flags', 'flags', 'U32', 'VkDescriptorSetLayoutCreateFlagBits')],
    ),
    'VkDescriptorPool': Kind(
        'struct descriptor_pool',
        'VkDescriptorPoolCreateInfo',
        [Kept('flags', 'flags', 'U32', 'VkDescriptorPoolCreateFlagBits')],
    ),
    'VkPipeline': Kind(
        'struct pipeline',
        'VkComputePipelineCreateInfo',
        [
            Kept(
                'flags',
                'flags',
                'U64',
                ('VkPipelineCreateFlagBits', 'VkPipelineCreateFlagBits2'),
                {
                    'VkPipelineCreateFlagBits': 'flags',
                    'VkPipelineCreateFlagBits2': 'VkPipelineCreateFlags2CreateInfo::flags',
                },
            ),
            Kept('bind point', 'bind_point', 'I32', 'VkPipelineBindPoint'),
        ],
    ),
    'VkPipelineLayout': Kind(
        'struct pipeline_layout',
        'VkPipelineLayoutCreateInfo',
        [
            Kept('flags', 'flags', 'U32', 'VkPipelineLayoutCreateFlagBits'),
            Kept('setLayoutCount', 'set_count', 'U32'),
        ],
    ),
    'VkAccelerationStructureKHR': Kind(
        'struct acceleration_structure',
        'VkAccelerationStructureCreateInfoKHR',
        [
            Kept('type', 'type', 'I32', 'VkAccelerationStructureTypeKHR'),
            Kept('size', 'size', 'U64'),
            Kept('createFlags', 'flags', 'U32', 'VkAccelerationStructureCreateFlagBitsKHR'),
        ],
    ),
    'VkShaderEXT': Kind(
        'struct shader_object',
        'VkShaderCreateInfoEXT',
        [Kept('flags', 'flags', 'U32', 'VkShaderCreateFlagBitsEXT')],
    ),
    'VkCommandPool': Kind(
        'struct command_pool',
        'VkCommandPoolCreateInfo',
        [
            Kept('flags', 'flags', 'U32', 'VkCommandPoolCreateFlagBits'),
            Kept('queueFamilyIndex', 'queue_family', 'U32'),
            Kept('queueFlags', 'queue_flags', 'U32', (), 'queueFamilyIndex'),
        ],
    ),
    # The queue family of the command buffer that is recorded.
    'queue family': Kind(
        'VkQueueFamilyProperties',
        None,
        [
            Kept(
                'timestampValidBits of the queue family',
                'timestampValidBits',
                'U32',
                (),
                'timestampValidBits',
            )
        ],
    ),
    # Each is something that the recorded command buffer has begun and not ended.
    'sections': Kind(
        'struct command_buffer_sections',
        None,
        [
            Kept('per-tile execution', 'per_tile', 'U8', (), 'vkCmdBeginPerTileExecutionQCOM'),
            Kept(
                'shader instrumentation',
                'instrumented',
                'U8',
                (),
                'vkCmdBeginShaderInstrumentationARM',
            ),
            Kept('a video session', 'video_coding', 'U8', (), 'vkCmdBeginVideoCodingKHR'),
            Kept(
                'initial device mask',
                'initial_mask',
                'U32',
                (),
                'deviceMask',
                said='the initial device mask of the command buffer',
            ),
            Kept(
                'current device mask',
                'device_mask',
                'U32',
                (),
                'deviceMask',
                said='the current device mask of the command buffer',
            ),
        ],
    ),
    # The device of the call.
    'VkDevice': Kind(
        'struct device_state',
        None,
        [
            Kept('physicalDeviceCount', 'physical_device_count', 'U32', (), 'physicalDeviceCount'),
            Kept('device mask', 'device_mask', 'U32', (), 'physicalDeviceCount'),
        ],
    ),
    # src/state/object/created.h keeps these values of objects of which nothing else is known.
    'VkVideoSessionKHR': Kind(
        'struct created_video_session',
        'VkVideoSessionCreateInfoKHR',
        [
            Kept(
                'videoCodecOperation',
                'operation',
                'U32',
                'VkVideoCodecOperationFlagBitsKHR',
                'pVideoProfile->videoCodecOperation',
            ),
            Kept('flags', 'info.flags', 'U32', 'VkVideoSessionCreateFlagBitsKHR'),
            Kept('queueFamilyIndex', 'info.queueFamilyIndex', 'U32'),
            Kept('maxDpbSlots', 'info.maxDpbSlots', 'U32'),
            Kept('maxActiveReferencePictures', 'info.maxActiveReferencePictures', 'U32'),
            Kept('maxCodedExtent.width', 'info.maxCodedExtent.width', 'U32'),
            Kept('maxCodedExtent.height', 'info.maxCodedExtent.height', 'U32'),
            Kept('referencePictureFormat', 'info.referencePictureFormat', 'I32'),
            Kept(
                'intraRefreshMode',
                'intra_refresh',
                'U32',
                'VkVideoEncodeIntraRefreshModeFlagBitsKHR',
                'VkVideoEncodeSessionIntraRefreshCreateInfoKHR::intraRefreshMode',
            ),
            Kept('pictureFormat', 'info.pictureFormat', 'I32', 'VkFormat'),
        ],
    ),
    # The driver can do this with a profile that a member points to (forms/video.py has the facts).
    'video profile': Kind('struct video_capabilities', None, []),
    'VkVideoSessionParametersKHR': Kind(
        'struct created_video_parameters',
        'VkVideoSessionParametersCreateInfoKHR',
        [
            Kept(
                'videoCodecOperation',
                'operation',
                'U32',
                'VkVideoCodecOperationFlagBitsKHR',
                'videoSession',
            ),
            Kept('flags', 'flags', 'U32', 'VkVideoSessionParametersCreateFlagBitsKHR'),
        ],
    ),
    'VkTensorARM': Kind(
        'struct created_tensor',
        'VkTensorCreateInfoARM',
        [
            Kept('flags', 'flags', 'U64', 'VkTensorCreateFlagBitsARM'),
            Kept('sharingMode', 'sharing_mode', 'I32', 'VkSharingMode'),
            Kept('usage', 'usage', 'U64', 'VkTensorUsageFlagBitsARM', 'pDescription->usage'),
            Kept('format', 'format', 'I32', 'VkFormat', 'pDescription->format'),
            Kept('memory binding', 'binding.memory', 'U64', (), 'flags'),
            Kept('dimensionCount', 'dimension_count', 'U32', (), 'pDescription->dimensionCount'),
        ],
    ),
    'VkAccelerationStructureNV': Kind(
        'struct acceleration_structure_nv',
        'VkAccelerationStructureCreateInfoNV',
        [Kept('memory binding', 'memory', 'U64', (), 'compactedSize')],
    ),
    'VkTensorViewARM': Kind(
        'struct created_tensor_view',
        'VkTensorViewCreateInfoARM',
        [Kept('flags', 'flags', 'U64', 'VkTensorViewCreateFlagBitsARM')],
    ),
    'VkMicromapEXT': Kind(
        'struct created_micromap',
        'VkMicromapCreateInfoEXT',
        [
            Kept('createFlags', 'flags', 'U32', 'VkMicromapCreateFlagBitsEXT'),
            Kept('size', 'size', 'U64'),
            Kept('type', 'type', 'I32', 'VkMicromapTypeEXT'),
        ],
    ),
    'VkIndirectCommandsLayoutEXT': Kind(
        'struct created_commands_layout',
        'VkIndirectCommandsLayoutCreateInfoEXT',
        [
            Kept('flags', 'flags', 'U32', 'VkIndirectCommandsLayoutUsageFlagBitsEXT'),
            Kept('execution set token', 'has_execution_set', 'U8', (), 'tokenCount'),
        ],
    ),
    'VkIndirectCommandsLayoutNV': Kind(
        'struct created_commands_layout_nv',
        'VkIndirectCommandsLayoutCreateInfoNV',
        [
            Kept('flags', 'flags', 'U32', 'VkIndirectCommandsLayoutUsageFlagBitsNV'),
            Kept('streamCount', 'stream_count', 'U32'),
        ],
    ),
    'VkOpticalFlowSessionNV': Kind(
        'struct created_optical_flow',
        'VkOpticalFlowSessionCreateInfoNV',
        [Kept('flags', 'flags', 'U32', 'VkOpticalFlowSessionCreateFlagBitsNV')],
    ),
    'VkDataGraphPipelineSessionARM': Kind(
        'struct created_graph_session',
        'VkDataGraphPipelineSessionCreateInfoARM',
        [Kept('flags', 'flags', 'U64', 'VkDataGraphPipelineSessionCreateFlagBitsARM')],
    ),
    'VkPrivateDataSlot': Kind(
        'struct created_slot',
        'VkPrivateDataSlotCreateInfo',
        [Kept('flags', 'flags', 'U32', ('VkPrivateDataSlotCreateFlagBits',))],
    ),
}

# Sentences call these "an encode operation" and "a decode operation".
ENCODING = [
    'VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR',
    'VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR',
    'VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR',
]
DECODING = [
    'VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR',
    'VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR',
    'VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR',
    'VK_VIDEO_CODEC_OPERATION_DECODE_VP9_BIT_KHR',
]
