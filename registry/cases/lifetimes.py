"""Which handle of which command or structure is made dead, garbage, of another type or of another
device, and what must then be found: the generated tests of src/lifetimes. The walk is that of
rules_lifetimes.py; the way to a structure is that of rules_tests.py."""

import re

from model.registry import RegistryError
from rooms.lifetimes import rules as rules_lifetimes

# What must hold for a handle to count where the registry leaves that to the prose: statements over
# the structure `s`.
WAYS = {
    ('VkDescriptorSetLayoutBinding', 'pImmutableSamplers'): [
        'SET(s->descriptorType, VK_DESCRIPTOR_TYPE_SAMPLER);'
    ],
    ('VkDescriptorUpdateTemplateCreateInfo', 'descriptorSetLayout'): [
        'SET(s->templateType, VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET);'
    ],
    ('VkDescriptorUpdateTemplateCreateInfo', 'pipelineLayout'): [
        'SET(s->templateType, VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS);'
    ],
    ('VkFramebufferCreateInfo', 'pAttachments'): ['SET(s->flags, 0);'],
    ('VkRenderingAttachmentInfo', 'resolveImageView'): [
        'SET(s->imageView, HANDLE(VkImageView));',
        'SET(s->resolveMode, VK_RESOLVE_MODE_AVERAGE_BIT);',
    ],
}
DERIVATIVE = ['SET(s->flags, VK_PIPELINE_CREATE_DERIVATIVE_BIT);', 'SET(s->basePipelineIndex, -1);']

# The id where an expression chooses it: what it chooses on the way that the test takes.
CHOSEN = {
    ('VkGraphicsPipelineCreateInfo', 'layout'): 'VUID-VkGraphicsPipelineCreateInfo-layout-06602',
    (
        'VkGraphicsPipelineCreateInfo',
        'renderPass',
    ): 'VUID-VkGraphicsPipelineCreateInfo-renderPass-06603',
    ('VkShaderCreateInfoEXT', 'pSetLayouts'): 'VUID-VkShaderCreateInfoEXT-setLayoutCount-13359',
    ('VkMicromapBuildInfoEXT', 'dstMicromap'): 'VUID-vkCmdBuildMicromapsEXT-dstMicromap-07463',
    (
        'VkAccelerationStructureBuildGeometryInfoKHR',
        'srcAccelerationStructure',
    ): 'VUID-vkCmdBuildAccelerationStructuresKHR-srcAccelerationStructure-04629',
    (
        'VkAccelerationStructureBuildGeometryInfoKHR',
        'dstAccelerationStructure',
    ): 'VUID-vkCmdBuildAccelerationStructuresKHR-dstAccelerationStructure-03800',
}

IMAGE = ['VkDescriptorImageInfo *info = test_memory();', 's->pImageInfo = info;']
GET_IMAGE = ['VkDescriptorImageInfo *info = test_memory();']
# Structures whose walk is written by hand: (member, type, statements that end with the address,
# rule "alive", rule "parent").
BY_HAND = {
    'VkWriteDescriptorSet': [
        (
            'dstSet',
            'VkDescriptorSet',
            ['return &s->dstSet;'],
            'VUID-VkWriteDescriptorSet-dstSet-00320',
            'VUID-VkWriteDescriptorSet-commonparent',
        ),
        (
            'pTexelBufferView',
            'VkBufferView',
            [
                's->descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;',
                's->pTexelBufferView = test_handle_array(0);',
                'return (void *)(uintptr_t)s->pTexelBufferView;',
            ],
            'VUID-VkWriteDescriptorSet-descriptorType-02994',
            'VUID-vkUpdateDescriptorSets-pDescriptorWrites-06236',
        ),
        (
            'sampler',
            'VkSampler',
            ['s->descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER;']
            + IMAGE
            + ['return &info->sampler;'],
            'VUID-VkWriteDescriptorSet-descriptorType-00325',
            'VUID-vkUpdateDescriptorSets-pDescriptorWrites-06238',
        ),
        (
            'imageView',
            'VkImageView',
            ['s->descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;']
            + IMAGE
            + ['return &info->imageView;'],
            'VUID-VkWriteDescriptorSet-descriptorType-02996',
            'VUID-vkUpdateDescriptorSets-pDescriptorWrites-06239',
        ),
        (
            'buffer',
            'VkBuffer',
            [
                'VkDescriptorBufferInfo *info = test_memory();',
                's->descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;',
                's->pBufferInfo = info;',
                'return &info->buffer;',
            ],
            'VUID-VkDescriptorBufferInfo-buffer-parameter',
            'VUID-vkUpdateDescriptorSets-pDescriptorWrites-06237',
        ),
    ],
    'VkDescriptorGetInfoEXT': [
        (
            'pSampler',
            'VkSampler',
            [
                's->type = VK_DESCRIPTOR_TYPE_SAMPLER;',
                's->data.pSampler = test_handle_array(0);',
                'return (void *)(uintptr_t)s->data.pSampler;',
            ],
            *['VUID-VkDescriptorGetInfoEXT-pSampler-parameter'] * 2,
        ),
        (
            'sampler',
            'VkSampler',
            GET_IMAGE
            + [
                's->type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;',
                's->data.pCombinedImageSampler = info;',
                'return &info->sampler;',
            ],
            *['VUID-VkDescriptorGetInfoEXT-type-08019'] * 2,
        ),
    ]
    + [
        (
            member,
            'VkImageView',
            GET_IMAGE
            + [
                f's->type = VK_DESCRIPTOR_TYPE_{kind};',
                f's->data.{member} = info;',
                'return &info->imageView;',
            ],
            *[f'VUID-VkDescriptorGetInfoEXT-type-{number}'] * 2,
        )
        for member, kind, number in (
            ('pCombinedImageSampler', 'COMBINED_IMAGE_SAMPLER', '08020'),
            ('pInputAttachmentImage', 'INPUT_ATTACHMENT', '08021'),
            ('pSampledImage', 'SAMPLED_IMAGE', '08022'),
            ('pStorageImage', 'STORAGE_IMAGE', '08023'),
        )
    ],
    'VkCommandBufferBeginInfo': [
        (
            member,
            type_name,
            [
                'test_make_secondary(&a->commandBuffer);',
                'VkCommandBufferInheritanceInfo *info = test_memory();',
                'info->sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO;',
                's->pInheritanceInfo = info;',
                'info->renderPass = HANDLE(VkRenderPass);',
                's->flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;',
                f'return &info->{member};',
            ],
            f'VUID-VkCommandBufferBeginInfo-flags-{number}',
            'VUID-VkCommandBufferInheritanceInfo-commonparent',
        )
        for member, type_name, number in (
            ('renderPass', 'VkRenderPass', '06000'),
            ('framebuffer', 'VkFramebuffer', '00055'),
        )
    ],
}

# The loader follows or replaces these handles itself: what is wrong with them never comes to a
# layer, or ends the process there.
LOADER_FOLLOWS = {
    ('VkDeviceGroupDeviceCreateInfo', 'pPhysicalDevices'),
}

# How an object of the type ends, where that is not vkDestroy or vkFree with the handle as the
# parameter before pAllocator.
ENDINGS = {
    'VkDescriptorSet': 'vkFreeDescriptorSets(world.device, HANDLE(VkDescriptorPool), 1, &object)',
    'VkCommandBuffer': 'vkFreeCommandBuffers(world.device, world.pool, 1, &object)',
}
# Parents in the same device from which a second object of the type comes: statements that make
# `object`.
SECOND_POOLS = {
    'VkDescriptorSet': [
        'VkDescriptorPool pool = create_VkDescriptorPool(NULL);',
        'VkDescriptorSetAllocateInfo *info = new_VkDescriptorSetAllocateInfo();',
        'info->descriptorPool = pool;',
        'VkDescriptorSet object = VK_NULL_HANDLE;',
        'CALL(vkAllocateDescriptorSets)(world.device, info, &object);',
    ],
    'VkCommandBuffer': [
        (
            'VkCommandBuffer object = make_command_buffer(create_VkCommandPool(NULL), '
            'VK_COMMAND_BUFFER_LEVEL_PRIMARY);'
        )
    ],
}


class Handle:
    """One handle that a command's arguments hold. `lines` end with its address being returned."""

    def __init__(
        self, owner, command, name, type_name, lines, alive, parent, pool=None, instance=False
    ):
        self.owner, self.command, self.name, self.type = owner, command, name, type_name
        self.lines, self.alive, self.parent, self.pool, self.instance = (
            lines,
            alive,
            parent,
            pool,
            instance,
        )


class LifetimeCases:
    def __init__(self, tests):
        self.tests, self.m = tests, tests.m
        if set(BY_HAND) != set(rules_lifetimes.HANDWRITTEN):
            raise RegistryError(
                'a structure whose walk is written by hand has no cases, or the other way round'
            )
        self.walk = rules_lifetimes.rules_of(tests.m)
        self.ids = {self.m.vuid_constant(i): i for i in self.m.message_ids}

    def _id(self, key, constant):
        if constant in self.ids:
            return self.ids[constant]
        if key in CHOSEN:
            return CHOSEN[key]
        raise RegistryError(f'{key}: which id does {constant} give?')

    def _handle(self, owner, command, item, select=()):
        """The case of one item of a walk; `select` makes the union that it is in hold it."""
        key = (owner.name, item.name)
        if key in LOADER_FOLLOWS:
            return None
        root = 'a->' if owner.is_command else 's->'
        local = lambda text: root + text.removeprefix('value->')
        access = local(item.access)
        lines = [line for line in select] + WAYS.get(key, [])
        if item.name == 'basePipelineHandle':
            lines += DERIVATIVE
        type_name = item.type
        if item.kind == 'typed':
            sibling = local(re.search(r'\((.*)\)', item.type_access)[1])
            debug_report = 'debug_report' in item.type_access
            lines.append(
                f'SET({sibling}, '
                f'{"VK_DEBUG_REPORT_OBJECT_TYPE_BUFFER_EXT" if debug_report else "VK_OBJECT_TYPE_BUFFER"});'
            )
            type_name = 'VkBuffer'
        if item.count is not None:
            lines.append(f'SET({local(item.count)}, 1);')
        if item.count is not None or item.pointer:
            lines += [
                f'if (!{access})',
                f'    {access} = test_handle_array(0);',
                f'return (void *)(uintptr_t){access};',
            ]
        else:
            lines.append(f'return (void *)(uintptr_t)&{access};')
        alive = self._id(key, item.alive)
        parent = self._id(key, item.parent) if item.parent in self.ids else alive
        if item.kind == 'typed' and owner.is_command and not self.m.is_device_command(owner.item):
            parent = None  # any object of the instance's devices
        return Handle(
            owner.name,
            command,
            item.name,
            type_name,
            lines,
            alive,
            parent,
            item.pool,
            item.level == 'instance' and item.kind != 'typed',
        )

    def handles(self, name):
        """The handles of one command or structure, as cases."""
        owner = self.tests.owner(name)
        if name in BY_HAND:
            return [
                Handle(name, self.tests.command_of(name), member, type_name, lines, alive, parent)
                for member, type_name, lines, alive, parent in BY_HAND[name]
            ]
        items = (
            self.walk.command_items(owner.item)
            if owner.is_command
            else self.walk.struct_items(name)
        )
        command = self.tests.command_of(name)
        found = []
        root = 'a' if owner.is_command else 's'
        for item in items:
            if item.kind in ('handle', 'typed'):
                found.append(self._handle(owner, command, item))
            elif item.kind == 'union':
                union = owner.by_name[item.name]
                for _, case in item.cases:
                    if case.kind == 'handle':
                        inner = next(
                            x for x in self.m.structs[item.type].members if x.name == case.name
                        )
                        found.append(
                            self._handle(
                                owner, command, case, self.tests._select(name, root, union, inner)
                            )
                        )
        return [h for h in found if h]

    @property
    def owners(self):
        """Commands and structures with handles, by the command that takes them: (command, owner) in
        the registry's order."""
        if not hasattr(self, '_owners'):
            commands = set(self.tests.commands)
            reached = self.tests.rules.heads | self.tests.rules.chained
            names = [n for n in self.walk.commands if n in commands]
            names += [n for n in self.walk.structs if n in reached]
            order = {n: i for i, n in enumerate(self.tests.commands)}
            pairs = [(self.tests.command_of(n), n) for n in names]
            self._owners = sorted(
                ((c, n) for c, n in pairs if c in order and self.handles(n)),
                key=lambda p: order[p[0]],
            )
        return self._owners

    # --- objects that begin and end ---------------------------------------------------------------

    @property
    def endings(self):
        """Handle type -> (command, C arguments after `object` was declared)."""
        found = {}
        for name, command in self.m.commands.items():
            if not re.match('vk(Destroy|FreeMemory|ReleasePerformanceConfiguration)', name):
                continue
            has_allocator = command.params[-1].name == 'pAllocator'
            handle = command.params[-2 if has_allocator else -1]
            if handle is command.params[0]:
                continue
            first = 'world.device' if self.m.is_device_command(command) else 'world.instance'
            found[handle.type] = f'{name}({first}, object{", NULL" if has_allocator else ""})'
        return found | ENDINGS

    @property
    def second_pools(self):
        return SECOND_POOLS

    def first_id(self, name):
        """The rule that the first parameter be alive, or None."""
        first = self.m.commands[name].params[0]
        vuid = f'VUID-{name}-{first.name}-parameter'
        return (
            vuid
            if first.type in self.m.dispatchable
            and vuid in self.m.vuids
            and vuid not in rules_lifetimes.LOADER_ANSWERS
            else None
        )

    # --- allocators -------------------------------------------------------------------------------

    @property
    def allocators(self):
        """(command, C expression of the handle, type, id "had callbacks", id "had none") of every
        destruction that a test can make."""
        result = []
        for name, (access, handle, with_callbacks, without) in self.walk.allocators.items():
            if (
                name not in self.tests.commands
                or handle in self.m.dispatchable
                or handle not in self.tests.creators
            ):
                continue
            creator = self.m.commands[self.tests.creators[handle][0]]
            if any(p.type == 'VkAllocationCallbacks' for p in creator.params):
                result.append((name, access, handle, self.ids[with_callbacks], self.ids[without]))
        return result
