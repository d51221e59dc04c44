"""Templates of the sync room need these: the hooks that its sources define, and what advice on
barriers knows of commands."""

from model import hand_tables
from model.hand_tables import NAME, WHY, WORD
from rooms.hooks import PHASES, declaration, read  # noqa: F401  (for the templates)

TABLES = hand_tables.read(
    'registry/rooms/sync/advice.toml',
    {
        'uses': {'of': NAME, 'stages': WORD.listed(), 'why': WHY},
        'gives_up': {'of': NAME, 'why': WHY},
        'looked_at': {'of': NAME, 'why': WHY},
        'nothing': {'of': NAME, 'why': WHY},
        'orders': {'of': NAME, 'why': WHY},
    },
)
_GIVES_UP = {row.of for row in TABLES['gives_up']}
_LOOKED_AT = {row.of for row in TABLES['looked_at']}
# Beginnings of names.
_NOTHING = tuple(row.of for row in TABLES['nothing'])
_ORDERS = {row.of for row in TABLES['orders']}


def _stages(names):
    flags = [f'VK_PIPELINE_STAGE_2_{name}{"" if "_BIT" in name else "_BIT"}' for name in names]
    return ' | '.join(flags)


def advice_hooks(m):
    """[(command, the call in C)]: what advice hears of each command that records something."""
    hand_tables.check(m, {name: rows for name, rows in TABLES.items() if name != 'nothing'})
    uses = {row.of: _stages(row.stages) for row in TABLES['uses']}
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
        elif name in _GIVES_UP:
            hooks.append((name, 'advice_gives_up(call)'))
        elif name.startswith('vkCmd') and (name in _ORDERS or not name.startswith(_NOTHING)):
            is_known = name in _LOOKED_AT
            hooks.append(
                (name, 'advice_breaks(call)' if is_known else 'advice_breaks_unknown(call)')
            )
    return hooks
