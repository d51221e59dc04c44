"""Where the layer must not look at a member, as something else says that it is ignored: the
specification's text about the member, not the numbered sentences, says so. A row that speaks of
such a member is asked only where the member is used."""

from language.atoms import Chained
from language.nouns import nouns
from language.sentence import Any, Sentence, members_of
from language.sentences import Parser
from language.values import Member
from model import hand_tables
from model.hand_tables import MEMBER, TEXT, WHY, C

TABLES = hand_tables.read(
    'registry/rows/ignored.toml',
    {
        'used_where': {'of': MEMBER, 'when': TEXT, 'why': WHY},
        'read_where': {'of': MEMBER, 'when': C, 'why': WHY},
    },
)
# (structure, member) -> where it is used, as the sentences would say it.
USED_WHERE = {row.of: row.when for row in TABLES['used_where']}
# (structure, array) -> C that says of the structure `s` that its elements are read. Elsewhere the
# array's pointer may lead anywhere.
READ_WHERE = {row.of: row.when for row in TABLES['read_where']}


def moved(x, to):
    """The Member `x` of a structure, seen from where the Member `to` is, which lies in such a
    structure."""
    before = to.path[:-1]
    return Member(
        before + x.path,
        x.field,
        to.chain,
        to.each,
        tuple(a for a in to.arrows if a < len(before)) + tuple(a + len(before) for a in x.arrows),
        to.head,
    )


def structure_of(m, owner, member):
    """The name of the structure that a Member lies in; None for a parameter, and for an element
    that is no structure."""
    n = nouns(m)
    if not member.path:
        return None
    item = m.structs.get(member.chain or owner)
    if isinstance(member.each, str):
        each = m.commands.get(owner) or m.structs[owner]
        item = n.structure(
            next(
                x
                for x in (each.params if owner in m.commands else each.members)
                if x.name == member.each
            ).type
        )
    elif member.each is not None:
        item = n.structure(member.each.field.type)
    members = {x.name: x for x in (item.members if item else m.commands[owner].params)}
    for name in member.path[:-1]:
        item = n.structure(members[name.split('[')[0]].type)
        members = {x.name: x for x in item.members}
    return item and item.name


def clauses(m, owner, member):
    """Where a Member that a sentence of `owner` speaks of is used, as clauses from where it stands;
    None: the sentence cannot ask."""
    name = structure_of(m, owner, member)
    condition = USED_WHERE.get((name, member.path[-1] if member.path else None))
    if condition is None:
        return []
    out = []
    for clause in Parser(m, name).condition(condition):
        atoms = []
        for atom in clause.atoms:
            if isinstance(atom, Chained):
                if name != owner or member.chain or member.each or len(member.path) > 1:
                    return None
                atoms.append(atom)
            else:
                atoms.append(
                    type(atom)(
                        moved(atom.subject, member),
                        *[getattr(atom, x) for x in ('constants', 'positive') if hasattr(atom, x)],
                    )
                )
        out.append(Any(atoms))
    return out


def guarded(m, owner, sentence):
    """The sentence, asked only where the members that it speaks of are used; None where that cannot
    be asked."""
    said = len(sentence.guards) - sentence.unsaid
    guards, unsaid, must = sentence.guards[:said], sentence.guards[said:], []
    spoken = [members_of(Sentence([], [clause])) for clause in sentence.must]
    for clause, members in zip(sentence.must, spoken):
        atoms = list(clause.atoms)
        for member in members:
            used = clauses(m, owner, member)
            if used is None:
                return None
            if all(repr(member) in map(repr, others) for others in spoken):
                guards += used
            else:
                atoms += [atom.negated() for x in used for atom in x.atoms]
        must.append(Any(atoms))
    for clause in sentence.guards:
        for member in members_of(Sentence([clause], [])):
            used = clauses(m, owner, member)
            if used is None:
                return None
            guards += used
    unique = {}
    for clause in guards:
        unique.setdefault(repr(clause), clause)
    return Sentence(list(unique.values()) + unsaid, must, len(unsaid))
