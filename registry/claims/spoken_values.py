"""Values of which a numbered statement says that they must not be used without a feature (or at
all): "If the F feature is not enabled, M must not be V". Where the extension that adds V is not
enabled, F cannot be either, and one mistake would be told twice. The number says more than
`-parameter` does.

A statement counts where src/core or a row (rows.py) enforces it. tests/generated checks that each
is found."""

import re

from language.nouns import MISSPELT
from model import feature_tables, sync_tables

CONSTANTS = r'(?P<values>VK_\w+(?:(?:, or |, nor |, | or | nor )VK_\w+)*)'
FEATURES = r'(?P<features>[\w:]+(?:(?: or | or the | nor | nor the )[\w:]+)*)'
FORBIDS = r'must not (?:be|contain|include)'
SENTENCES = [
    re.compile(pattern)
    for pattern in (
        (
            rf'If (?:the )?{FEATURES} (?:feature|extension) is not enabled, (?:then '
            rf')?(?P<member>\w+) {FORBIDS} {CONSTANTS}'
        ),
        (
            rf'If neither (?:of )?(?:the )?{FEATURES}(?: features?)? (?:is|are) enabled, '
            rf'(?P<member>\w+) {FORBIDS} {CONSTANTS}'
        ),
        (
            rf'If neither (?:of )?the {FEATURES} features? are enabled, (?P<member>\w+) '
            rf'{FORBIDS} {CONSTANTS}'
        ),
        (
            rf'If the {FEATURES} feature is not enabled, the {CONSTANTS} bit of '
            rf'(?P<member>\w+) must not be set'
        ),
        rf'If (?P<member>\w+) (?:is|contains?|includes?|has) (?:the )?{CONSTANTS}(?: bit| '
        rf'flag)?(?: set)?,? (?:then )?'
        rf'(?:the )?{FEATURES}(?: feature)? must (?:be )?enabled',
        rf'If (?P<member>\w+) (?:is|contains|includes) {CONSTANTS},? then at least one of '
        rf'the following features must be '
        r'enabled: (?P<list>(?:- \w+ ?)+)',
        rf'If {CONSTANTS} is set in (?P<member>\w+), the {FEATURES} feature must be enabled',
        rf'(?P<member>\w+) {FORBIDS} {CONSTANTS}',
    )
]


class SpokenValue:
    """`vuid`: the -parameter statement that leaves `value` to `number`, a statement with a number,
    as long as none of `features` (C constants, at most FEATURE_LIMIT) is enabled."""

    def __init__(self, check, owner, constant, value, vuid, number, features):
        self.check, self.owner, self.constant, self.value = check, owner, constant, value
        self.vuid, self.number, self.features = vuid, number, features


FEATURE_LIMIT = 2
LONGEST = 600  # of the sentences of these forms
# Lists of which src/core looks at some.
UNENFORCED = ('VkMutableDescriptorTypeListEXT',)
KINDS = ('enum', 'enum_array', 'flags', 'flags_array', 'flag_bit', 'flag_bit_array')


def _match(text):
    if 'VK_' not in text or len(text) > LONGEST:
        return None
    for sentence in SENTENCES:
        match = sentence.fullmatch(text)
        if match:
            groups = match.groupdict()
            features = (
                re.findall(r'- (\w+)', groups['list'])
                if groups.get('list')
                else [
                    w
                    for w in re.split(r'[ ]', groups.get('features') or '')
                    if w not in ('', 'or', 'nor', 'the')
                ]
            )
            return groups['member'], re.findall(r'VK_\w+', groups['values']), features
    return None


def _features(words, requirement, by_name):
    """The C constants of features that the statement names, or None where it is not understood. An
    extension among them that adds the value is known not to be enabled."""
    found = []
    for word in words:
        if word.startswith('VK_'):
            if word not in requirement:
                return None
            continue
        structure, _, member = word.rpartition('::')
        member = MISSPELT.get(member, member)
        name = (
            f'FEATURE_{structure.removeprefix("VkPhysicalDevice")}_{member}'
            if structure
            else f'FEATURE_{member}'
        )
        if name not in by_name:
            return None
        found.append(name)
    return found if len(found) <= FEATURE_LIMIT else None


def _aliases(m, name):
    """alias -> constant, of an enumeration or bits."""
    items = m.enums[name].fields if name in m.enums else m.bitmasks[name].flags
    return {alias: item.name for item in items for alias in item.aliases}


def read(m, rules, numbers_path):
    """All SpokenValues, in the order of the rules' owners."""
    with open(numbers_path, encoding='utf-8') as f:
        enforced = set(f.read().split())
    enforced |= set(sync_tables.tables(m).feature_rules) | rules.rows.numbers_enforced
    by_name = {n for feature in feature_tables.tables(m).features for n in feature.names}
    requirement_of = {offset: r for r, offset in rules.requirements.offsets.items()}
    statements = {}
    for v in m.vuids.values():
        if v.numbered and v.id[-5:] in enforced:
            match = _match(v.text)
            if match:
                statements.setdefault((v.owner, match[0]), []).append((v, match[1], match[2]))
    spoken, done = [], set()
    for owner in rules.owners.values():
        if owner.name in UNENFORCED:
            continue
        for check in owner.checks:
            if check.kind not in KINDS or not check.vuid or check.vuid not in rules.claimed:
                continue
            table = check.enum or check.bits
            entries = {
                e[1]: (e[0], requirement_of[e[2]])
                for e in (table.values if check.enum else table.entries)
            }
            aliases = _aliases(m, table.name)
            for v, constants, features in statements.get((owner.name, check.name), ()):
                for constant in constants:
                    constant = aliases.get(constant, constant)
                    value, requirement = entries.get(constant, (0, None))
                    needed = requirement and _features(features, requirement, by_name)
                    if needed is None or requirement is None or (check.vuid, value) in done:
                        continue
                    done.add((check.vuid, value))
                    spoken.append(
                        SpokenValue(check, owner.name, constant, value, check.vuid, v.id, needed)
                    )
    return spoken
