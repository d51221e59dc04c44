"""What templates of the sync room need: the hooks that its sources define, and what advice on
barriers knows of commands."""

from rooms.hooks import PHASES, declaration, read  # noqa: F401  (for the templates)

# Commands that access memory in these stages only, whatever they access, and order nothing (7.1.2
# "Pipeline Stages").
GRAPHICS = (
    'ALL_GRAPHICS TRANSFORM_FEEDBACK_BIT_EXT FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR '
    'FRAGMENT_DENSITY_PROCESS_BIT_EXT'
)
_USES = {
    'COPY': 'CopyBuffer CopyBuffer2 CopyImage CopyImage2 CopyBufferToImage CopyBufferToImage2 '
    'CopyImageToBuffer CopyImageToBuffer2 '
    'CopyQueryPoolResults',
    'BLIT': 'BlitImage BlitImage2',
    'RESOLVE': 'ResolveImage ResolveImage2',
    'CLEAR': 'ClearColorImage ClearDepthStencilImage FillBuffer UpdateBuffer',
    'COMPUTE_SHADER': 'Dispatch DispatchBase',
    'COMPUTE_SHADER DRAW_INDIRECT': 'DispatchIndirect',
    'RAY_TRACING_SHADER_BIT_KHR': 'TraceRaysKHR',
    'RAY_TRACING_SHADER_BIT_KHR DRAW_INDIRECT': 'TraceRaysIndirectKHR TraceRaysIndirect2KHR',
    GRAPHICS: 'Draw DrawIndexed DrawIndirect DrawIndexedIndirect DrawIndirectCount '
    'DrawIndexedIndirectCount DrawMeshTasksEXT '
    'DrawMeshTasksIndirectEXT DrawMeshTasksIndirectCountEXT DrawMultiEXT '
    'DrawMultiIndexedEXT ClearAttachments '
    'BeginRendering EndRendering',
}
# What commands behind these do is not known by their kind any more.
_GIVES_UP = 'BeginConditionalRenderingEXT BeginConditionalRendering2EXT'
# Of these, which order, sync looks at all that they do to images. All other commands may do with
# images what it does not see.
_LOOKED_AT = (
    'BeginQuery EndQuery BeginQueryIndexedEXT EndQueryIndexedEXT ResetQueryPool '
    'WriteTimestamp WriteTimestamp2 SetEvent SetEvent2 '
    'ResetEvent ResetEvent2 WaitEvents WaitEvents2 BeginRenderPass NextSubpass '
    'EndRenderPass BeginRenderPass2 NextSubpass2 '
    'EndRenderPass2 EndRendering2KHR SetDeviceMask DrawIndirectByteCountEXT '
    'BeginTransformFeedbackEXT EndTransformFeedbackEXT '
    'EndConditionalRenderingEXT SetCheckpointNV BuildAccelerationStructuresKHR '
    'BuildAccelerationStructuresIndirectKHR '
    'CopyAccelerationStructureKHR WriteAccelerationStructuresPropertiesKHR '
    'WriteBufferMarkerAMD WriteBufferMarker2AMD'
)
# They only set state, or mark places: neither accesses nor order.
_NOTHING = (
    'vkCmdBind',
    'vkCmdPush',
    'vkCmdDebugMarker',
    'vkCmdBeginDebugUtilsLabel',
    'vkCmdEndDebugUtilsLabel',
    'vkCmdInsertDebugUtilsLabel',
)
_ORDERS = ('vkCmdSetEvent', 'vkCmdSetEvent2', 'vkCmdSetCheckpointNV', 'vkCmdSetDeviceMask')


def _stages(names):
    flags = [
        f'VK_PIPELINE_STAGE_2_{name}{"" if "_BIT" in name else "_BIT"}' for name in names.split()
    ]
    return ' | '.join(flags)


def advice_hooks(m):
    """[(command, the call in C)]: what advice hears of each command that records something."""
    uses = {
        'vkCmd' + name: _stages(stages) for stages, names in _USES.items() for name in names.split()
    }
    gives_up = {'vkCmd' + name for name in _GIVES_UP.split()}
    looked_at = {'vkCmd' + name for name in _LOOKED_AT.split()}
    for name in [*uses, *gives_up, *looked_at]:
        assert name in m.commands, name
    hooks = []
    for name, command in m.commands.items():
        arguments = m.argument_list(command).split(', ')[1:]
        if name == 'vkCmdPipelineBarrier':
            hooks.append((name, f'advice_barrier(call, {", ".join(arguments)})'))
        elif name == 'vkCmdPipelineBarrier2':
            hooks.append((name, f'advice_barrier2(call, {arguments[0]})'))
        elif name == 'vkEndCommandBuffer':
            hooks.append((name, 'advice_ends(call)'))
        elif name in uses:
            hooks.append((name, f'advice_uses(call, {uses[name]})'))
        elif name in gives_up:
            hooks.append((name, 'advice_gives_up(call)'))
        elif (
            name.startswith('vkCmd')
            and not name.startswith(_NOTHING)
            and (name in _ORDERS or not name.startswith('vkCmdSet'))
        ):
            hooks.append(
                (
                    name,
                    'advice_breaks(call)' if name in looked_at else 'advice_breaks_unknown(call)',
                )
            )
    return hooks
