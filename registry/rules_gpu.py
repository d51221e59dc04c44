"""What templates of the gpu room need: the hooks that its sources define, and the commands that run shaders."""

import re

from hooks import PHASES, declaration, read  # noqa: F401  (for the templates)

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
