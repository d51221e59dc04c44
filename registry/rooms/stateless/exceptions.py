"""The tables of exceptions.toml: members that are read only at times, and statements that a layer
cannot check, which the registry does not say."""

from model.hand_tables import MEMBER, NAME, VUID, WHY, C, read

TABLES = read(
    'registry/rooms/stateless/exceptions.toml',
    {
        'descent': {'of': MEMBER, 'when': C, 'why': WHY},
        'array': {'of': MEMBER, 'when': C, 'why': WHY},
        'value': {'of': MEMBER, 'when': C, 'why': WHY},
        'of_union': {'of': MEMBER, 'when': C, 'why': WHY},
        'ignored_unless': {'of': MEMBER, 'when': C, 'why': WHY},
        'left_to_core': {'of': MEMBER, 'why': WHY},
        'any_known_bit': {'of': MEMBER, 'why': WHY},
        'unhooked': {'of': NAME, 'why': WHY},
        'loader_reads': {'of': VUID, 'why': WHY},
    },
)
# (structure, member) -> C, or (structure, union, member) -> C
DESCENTS = {row.of: row.when for row in TABLES['descent']}
ARRAYS = {row.of: row.when for row in TABLES['array']}
VALUES = {row.of: row.when for row in TABLES['value']}
OF_UNIONS = {row.of: row.when for row in TABLES['of_union']}
IGNORED_UNLESS = {row.of: row.when for row in TABLES['ignored_unless']}
LEFT_TO_CORE = {row.of for row in TABLES['left_to_core']}
ANY_KNOWN_BIT = {row.of for row in TABLES['any_known_bit']}
UNHOOKED = {row.of for row in TABLES['unhooked']}
LOADER_READS = {row.of for row in TABLES['loader_reads']}

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
