"""What templates of the gpu room need: the hooks that its sources define, and the commands that run shaders."""

import re

from hooks import PHASES, declaration, read  # noqa: F401  (for the templates)
from rules_chassis import may_lose_device

# By how their names begin: which bind point's pipeline they run. The others are actions of which only the number is noted.
_POINTS = [(re.compile('vkCmdDrawCluster'), 'BIND_POINTS'), (re.compile('vkCmdDraw'), '0'), (re.compile('vkCmdDispatch(DataGraph|Graph|Tile)'), 'BIND_POINTS'),
           (re.compile('vkCmdDispatch'), '1'), (re.compile('vkCmdTraceRays'), '2'), (re.compile('vkCmdSubpassShading'), 'BIND_POINTS'),
           (re.compile('vkCmdExecuteGeneratedCommandsEXT'), 'gpu_generated_point(pGeneratedCommandsInfo)'),
           (re.compile('vkCmdExecuteGeneratedCommandsNV'), 'bind_point_index(pGeneratedCommandsInfo->pipelineBindPoint)')]


def actions(m):
    """{'vkCmdDraw': the bind point in C}: commands that run shaders of a pipeline, in the registry's order."""
    found = {}
    for name in m.commands:
        point = next((point for pattern, point in _POINTS if pattern.match(name)), None)
        if point:
            found[name] = point
    return found


# Commands that wait for all that a queue, or the device, has been given: functions of gpu/abort.c.
IDLE_WAITS = {'QueueWaitIdle': 'aborts_wait_queue', 'DeviceWaitIdle': 'aborts_wait_device'}


def losing_commands(m):
    """Commands of devices and queues that may answer VK_ERROR_DEVICE_LOST, in the registry's order."""
    return [c for c in m.commands.values() if may_lose_device(m, c) and c.params[0].type in ('VkDevice', 'VkQueue')]


class Timeout:
    """Where a command is told how long to wait: parameter or structure `name`, of type `type`; `member`: the structure's. `arguments`: of the call that
    waits for `wait`, or with the structure `slice`."""

    def __init__(self, m, command, param, member):
        self.name = param.name
        self.type = param.type
        self.member = member
        self.arguments = ', '.join('&slice' if x is param and member else 'wait' if x is param else x.name for x in command.params)


def timeout_of(m, command):
    """The Timeout of a command; None where it does not wait."""
    for x in command.params:
        if x.name == 'timeout':
            return Timeout(m, command, x, False)
        struct = m.structs.get(x.type)
        if struct and x.const and any(y.name == 'timeout' and y.type == 'uint64_t' for y in struct.members):
            return Timeout(m, command, x, True)
    return None
