"""The values that sentences name: members of structures and parameters, limits, facts of objects,
constants."""

import contextlib
import dataclasses
import re
import typing

from language import facts
from language.atoms import AddressUsage, Among, Bits
from language.nouns import INTEGERS, MISSPELT_MEMBERS, UNSIGNED, nouns
from language.values import (
    Difference,
    Elements,
    Fact,
    HighestBit,
    Limit,
    Member,
    NotUnderstood,
    Number,
    Product,
    QueueFlags,
    Recorded,
    Sum,
    pnext_of,
)

NAME = r'[A-Za-z]\w*'
SUBJECT = r'(?P<subject>.+?)'
# Structures whose members are what a driver can do with a video profile (forms_video.py).
CAPABILITIES = re.compile(
    r'VkVideo(?:Decode|Encode|)(?:H264|H265|AV1|VP9|IntraRefresh|)CapabilitiesKHR'
)
# A member as the sentences name it: `flags`, `extent.width`, `pStage->flags`, `VkFoo::bar`.
PLACE = rf'(?:Vk\w+::)?{NAME}(?:\[[01]\](?=\.))?(?:(?:\.|->){NAME})*'
CONSTANT = r'VK_[A-Z0-9]\w*'
CONSTANTS = rf'{CONSTANT}(?:(?:, or |, nor |, and |, | or | nor | and ){CONSTANT})*'
VALUE = rf'(?:sizeof\(Vk\w+\)|{CONSTANT}|{PLACE}(?:\[\d\])?|2\^\d+(?:-1)?|\d+(?:\.\d+)?|zero|one)'

OPERATORS = {
    'less than or equal to': '<=',
    'greater than or equal to': '>=',
    'less than': '<',
    'greater than': '>',
    'equal to': '==',
    'the same value as': '==',
    'the same as': '==',
    'no less than': '>=',
    'no greater than': '<=',
    'at least': '>=',
    'at most': '<=',
    'a multiple of': 'multiple',
    'an integer multiple of': 'multiple',
    'aligned to': 'multiple',
    'not equal to': '!=',
    'not less than': '>=',
    'not greater than': '<=',
    'a non-zero multiple of': None,
}
# Members that sentences spell otherwise.
SPELT = {'layout': 'imageLayout'}

OPERATOR = '|'.join(sorted((re.escape(o) for o in OPERATORS), key=len, reverse=True))


# Facts that no member of the registry is, and the types of their values.
WORDS = {
    'aspects': 'VkImageAspectFlags',
    'format features': 'VkFormatFeatureFlags2',
    'texel block width': 'uint32_t',
    'texel block height': 'uint32_t',
    'texel block depth': 'uint32_t',
    'texel block size': 'uint32_t',
}
# Facts of an image that follow from its format.
OF_FORMAT = (
    'aspects',
    'texel block width',
    'texel block height',
    'texel block depth',
    'texel block size',
)


class FactPath:
    """A facts.Kept, and the path of the member that is set when the object is created
    (facts.Kept.create)."""

    def __init__(self, kept, path):
        self.name, self.place, self.type, self.values, self.said, self.path = (
            kept.name,
            kept.place,
            kept.type,
            kept.values,
            kept.said,
            path,
        )


@dataclasses.dataclass(frozen=True)
class Here:
    """The meaning of words of a sentence where a parser stands. It is copied, never changed.

    text       the whole sentence
    each       the array whose elements "For each element" speaks of: a name, a Member or Elements
    it         what "it" and "its" mean: the last member or chained structure that was named
    last       what "that member" means: the last member of a chained structure
    array      the array whose elements the condition speaks of
    any_array  the array of "any element of", whose element the demand means as well
    chained_of (holder, structure) of the structure that was just found in a chain
    video      whose profile's capabilities the sentence names: a Recorded, or a Member"""

    text: str = dataclasses.field(default='', repr=False)
    each: typing.Any = None
    it: typing.Any = None
    last: typing.Any = None
    array: str | None = None
    any_array: str | None = None
    chained_of: tuple[typing.Any, str] | None = None
    video: typing.Any = None


class Values:
    """Reads values in the sentences of one structure or command (`owner`)."""

    def __init__(self, m, owner):
        self.m, self.n = m, nouns(m)
        self.owner = m.commands.get(owner) or m.structs.get(owner)
        self.is_command = owner in m.commands
        self.members = (
            {}
            if self.owner is None
            else {x.name: x for x in (self.owner.params if self.is_command else self.owner.members)}
        )
        self.here = Here()
        self.unsaid = []  # clauses that guard what was read, and that no message speaks of
        # conditions that were read: (text, state) -> (clauses, or None, and the state after it)
        self.known = {}

    def now(self, **changes):
        """The state changes. Whoever keeps the one of before can go back to it."""
        self.here = dataclasses.replace(self.here, **changes)

    @contextlib.contextmanager
    def of_each(self, each, **changes):
        """Reads with `each` as the array of whose elements a sentence speaks."""
        self.now(each=each, **changes)
        try:
            yield
        finally:
            self.now(each=None)

    # --- members ----------------------------------------------------------------------------------

    def place(self, text, scope=None):
        """A Member or Limit of this name. `scope`: of the structure of that name in the chain, or
        of an array's elements."""
        chain = each = head = None
        members = self.members
        if scope is None and self.here.each is not None and '::' not in text:
            inside = None
            try:
                inside = self.place(text, ('each', self.here.each))
            except NotUnderstood:
                pass
            if inside is not None:
                if re.match(NAME, text)[0] in self.members:
                    raise NotUnderstood(f'{text} of the element, or of all?')
                return inside
        if scope is not None:
            kind, name = scope
            structure = self.n.structure(
                name
                if kind == 'chain'
                else name.field.type
                if isinstance(name, (Member, Elements))
                else self.members[name].type
            )
            if structure is None:
                raise NotUnderstood(text)
            members = {x.name: x for x in structure.members}
            chain, each = (structure.name, None) if kind == 'chain' else (None, name)
        elif '::' in text:
            name, text = text.split('::')
            structure = self.n.structure(name)
            if structure is None:
                raise NotUnderstood(name)
            if (
                structure.name in self.n.property_structs
                or structure.name == 'VkPhysicalDeviceLimits'
            ):
                return self.limit(structure, text)
            if CAPABILITIES.fullmatch(structure.name):
                return self.capability(structure, text)
            members = {x.name: x for x in structure.members}
            replaced = self.replaced_by(structure, text)
            if replaced is not None:
                return replaced
            if structure is not self.owner:
                head = self.chain_head(structure)
                if head is None and not self.chains(structure):
                    return self.pointed(structure, text)
                chain = structure.name
        if (
            scope is None
            and '::' not in text
            and chain is None
            and members is self.members
            and re.match(NAME, text)
            and re.match(NAME, text)[0] not in members
            and re.match(NAME, text)[0] not in SPELT
        ):
            text = self.in_union(re.match(NAME, text)[0]) + text
        steps = re.findall(rf'(\.|->)?({NAME})(\[\d\])?', text)
        path, arrows, field = [], [], None
        for separator, name, index in steps:
            if field is not None:
                structure = self.n.structure(field.type)
                pointer = self.n.is_pointer(field)
                if separator == '->' and not pointer and not (structure and structure.union):
                    raise NotUnderstood(text)
                if (
                    structure is None
                    or (pointer and (field.length or field.fullType.count('*') > 1))
                    or bool(field.fixedSizeArray) != ('[' in path[-1])
                ):
                    raise NotUnderstood(text)
                if pointer:
                    arrows.append(len(path) - 1)
                members = {x.name: x for x in structure.members}
            name = name if name in members else MISSPELT_MEMBERS.get(name, SPELT.get(name, name))
            field = members.get(name)
            if field is None and not path and scope is None and chain is None and self.described():
                description = self.described()
                return self.place(f'{description.name}->{text}')
            if field is None or getattr(field, 'bitFieldWidth', None):
                raise NotUnderstood(text)
            path.append(name + index)
        if '[' in path[-1]:
            size = field.fixedSizeArray
            if len(size) != 1 or not size[0].isdigit() or int(path[-1][-2]) >= int(size[0]):
                raise NotUnderstood(text)
            field = type(
                'Element',
                (),
                dict(
                    type=field.type,
                    fullType=field.type,
                    name=path[-1],
                    fixedSizeArray=[],
                    length=None,
                ),
            )
        found = Member(path, field, chain, each, arrows)
        if head is not None:
            found.head = head
        elif chain and self.is_command:
            found.head = self.head_of(self.n.structure(chain))
        return found

    def chain_head(self, structure):
        """The pNext of what an element of Elements has in its structure's chain, or in that of its
        triangles; None where it has none."""
        if not isinstance(self.here.each, Elements):
            return None
        holders = [Member((), self.here.each.field, None, self.here.each)]
        members = {x.name: x for x in self.n.structure(self.here.each.field.type).members}
        if 'geometry' in members:
            holders.append(self.place('geometry.triangles', ('each', self.here.each)))
        found = [x for x in holders if structure.name in self.n.structure(x.field.type).extendedBy]
        if len(found) != 1:
            return None
        pnext = next(x for x in self.n.structure(found[0].field.type).members if x.name == 'pNext')
        return Member(found[0].path + ('pNext',), pnext, None, self.here.each, found[0].arrows)

    def in_union(self, name):
        """`data.` before the name of a member of the one union that has a selector here, else
        nothing."""
        found = (
            [
                x.name
                for x in self.members.values()
                if x.selector
                and self.n.structure(x.type)
                and self.n.structure(x.type).union
                and not self.n.is_pointer(x)
                and any(y.name == name for y in self.n.structure(x.type).members)
            ]
            if not self.is_command
            else []
        )
        return found[0] + '.' if len(found) == 1 else ''

    def head_of(self, structure):
        """The pNext of the one parameter of a command that the structure may be chained to."""
        heads = [
            x
            for x in self.owner.params
            if x.const
            and not x.length
            and self.n.structure(x.type)
            and self.n.structure(x.type).name in structure.extends
        ]
        if len(heads) != 1:
            raise NotUnderstood(structure.name)
        return pnext_of(self.n, Member((heads[0].name,), heads[0]))

    def replaced_by(self, structure, text):
        """The owner's flags, where that member of a chained structure is used instead of them: the
        one value has both names."""
        for field in self.members.values():
            flags = getattr(field, 'extendedFlag', None)
            if (
                flags
                and flags.struct == structure.name
                and structure is not self.owner
                and len(structure.members) == 3
                and structure.members[-1].name == text
            ):
                return Member((field.name,), field)
        return None

    def pointed(self, structure, text):
        """A member of a structure that only one of the owner's members points to; or of one in the
        pNext chain of that."""
        pointers = [
            x
            for x in self.members.values()
            if self.n.is_pointer(x)
            and not x.length
            and x.fullType.count('*') == 1
            and not self.is_command
        ]
        direct = [x for x in pointers if self.n.structure(x.type) is structure]
        if len(direct) == 1:
            return self.place(f'{direct[0].name}->{text}')
        heads = [
            x
            for x in pointers
            if self.n.structure(x.type) and structure.name in self.n.structure(x.type).extendedBy
        ]
        if direct or len(heads) != 1 or structure.name in self.owner.extendedBy:
            raise NotUnderstood(structure.name)
        found = self.place(text, ('chain', structure.name))
        found.head = pnext_of(self.n, Member((heads[0].name,), heads[0]))
        return found

    def described(self):
        """The one parameter that points to a structure, whose members a command's statements name
        as if they were parameters."""
        found = [
            p
            for p in (self.owner.params if self.is_command else ())
            if p.const
            and p.pointer
            and not p.length
            and p.type in self.m.structs
            and p.fullType.count('*') == 1
            and p.name not in ('pAllocator',)
        ]
        return found[0] if len(found) == 1 and len(self.owner.params) == 2 else None

    def chains(self, structure):
        if self.is_command:
            return self.owner is not None and any(
                x.const
                and self.n.structure(x.type)
                and self.n.structure(x.type).name in structure.extends
                for x in self.owner.params
            )
        return self.owner is not None and structure.name in self.owner.extendedBy

    def limit(self, structure, text):
        at, field = structure, None
        for name in text.split('.'):
            g = re.fullmatch(rf'({NAME})(?:\[(\d)\])?', name)
            field = {x.name: x for x in at.members}.get(g[1]) if g and at else None
            if field is None or bool(field.fixedSizeArray) != bool(g[2]):
                raise NotUnderstood(text)
            at = self.n.structure(field.type)
        if field.fixedSizeArray:
            if int(g[2]) >= int(field.fixedSizeArray[0]) or len(field.fixedSizeArray) > 1:
                raise NotUnderstood(text)
            field = type(
                'Element',
                (),
                dict(
                    type=field.type, fullType=field.type, name=text, fixedSizeArray=[], length=None
                ),
            )
        if not self.n.is_number(field):
            raise NotUnderstood(text)
        return Limit(structure.name, text, field)

    def bare_limit(self, text):
        """A limit that is named without its structure: only where one structure of properties has
        the name."""
        name = text.split('.')[0]
        found = [
            s
            for s in sorted(self.n.property_structs | {'VkPhysicalDeviceLimits'})
            if s in self.m.structs
            and not re.match(r'VkPhysicalDeviceVulkan1\d+Properties', s)
            and any(x.name == name for x in self.m.structs[s].members)
        ]
        suffix = (
            re.search('[A-Z]+$', self.owner.name) if len(found) > 1 else None
        )  # of several, the one of the extension that the structure is of
        found = [s for s in found if s.endswith(suffix[0])] if suffix else found
        if len(found) != 1 or not (
            name.startswith(('max', 'min')) or re.search('Alignment$|Granularity$|DataSize$', name)
        ):
            raise NotUnderstood(text)
        return self.limit(self.m.structs[found[0]], text)

    def value(self, text):
        """A Number, Member, Limit or Sum."""
        text = re.sub(r'^the (?:value of )?(?:the )?', '', text.strip())
        g = re.fullmatch(r'\((.+)\)', text)
        if g:
            return self.value(g[1])
        g = re.fullmatch(r'(.+) (?:-|minus) (\w+)', text)
        if g:
            left, right = self.value(g[1]), self.value(g[2])
            for x in (left, right):
                if (
                    not (isinstance(x, Number) and isinstance(x.value, int))
                    and x.field.type not in UNSIGNED
                ):
                    raise NotUnderstood(text)
            return Difference(left, right)
        g = re.fullmatch(r'sizeof\((Vk\w+)\)', text)
        if g:
            return Number(text, self.size_of(g[1]))
        if text == 'size of VkDeviceSize':
            return Number(text, 8)
        g = re.fullmatch(r'(.+?) ?[×*] ?(.+)', text)
        if g:
            left, right = self.value(g[1]), self.value(g[2])
            for x in (left, right):
                if not isinstance(x, Product) and (
                    isinstance(x, Number) or x.field.type not in UNSIGNED
                ):
                    raise NotUnderstood(text)
            return Product(left, right)
        g = re.fullmatch(
            rf'(Vk\w+)::({NAME}) specified when ((?:the )?[\w>.-]+(?: video session)?) was created',
            text,
        )
        if g:
            fact = self.fact_named(self.handle(g[3].replace('the bound', 'the bound')), g[2])
            if facts.KINDS[fact.handle].structure != g[1]:
                raise NotUnderstood(text)
            return fact
        g = re.fullmatch(rf'index of the most significant bit in ({PLACE})', text)
        if g:
            return self.highest_bit(self._member(self.place(g[1])))
        g = re.fullmatch(rf'({NAME}) specified in (Vk\w+) when ({NAME}) was created', text)
        if g:
            fact = self.fact_named(self.handle(g[3]), g[1])
            if facts.KINDS[fact.handle].structure != g[2]:
                raise NotUnderstood(text)
            return fact
        g = re.fullmatch(rf'number of queries in ({PLACE})', text)
        if g:
            return self.fact_named(self.handle(g[1]), 'queryCount')
        g = re.fullmatch(rf'size of ({PLACE})', text)
        if g:
            return self.fact_named(self.handle(g[1]), 'size')
        g = re.fullmatch(rf'sum of ({PLACE}) and ({PLACE})', text) or re.fullmatch(
            rf'({PLACE}) \+ ({PLACE})', text
        )
        if g:
            return self.sum_of(self.value(g[1]), self.value(g[2]), text)
        if text in ('zero', 'one'):
            return Number(text, 0 if text == 'zero' else 1)
        if re.fullmatch(r'-?\d+', text):
            return Number(text, int(text))
        g = re.fullmatch(r'2\^(\d+)(-1)?', text)
        if g:
            return Number(text, (1 << int(g[1])) - (1 if g[2] else 0))
        if re.fullmatch(r'-?\d+\.\d+', text):
            return Number(text, float(text))
        if text == 'NULL' or text == 'VK_NULL_HANDLE':
            raise NotUnderstood(text)
        if re.fullmatch(CONSTANT, text):
            if text not in self.n.constants:
                raise NotUnderstood(text)
            return Number(text, self.n.constants[text][0])
        g = re.fullmatch(rf'({NAME}) (?:member|limit)(?: of (Vk\w+))?', text)
        if g:
            text = f'{g[2]}::{g[1]}' if g[2] else g[1]
        if not re.fullmatch(rf'{PLACE}(?:\[\d\])?', text) or ('[' in text and '::' not in text):
            raise NotUnderstood(text)
        try:
            found = self.place(text)
        except NotUnderstood:
            if (
                re.fullmatch(rf'{NAME}(?:\.{NAME})*', text)
                and text.split('.')[0] not in self.members
            ):
                return self.bare_limit(text)
            raise
        return found

    @staticmethod
    def sum_of(left, right, text):
        for x in (left, right):
            if (
                not isinstance(x, Member)
                or x.field.type not in INTEGERS
                or x.field.type in ('int8_t', 'int16_t', 'int64_t', 'int')
            ):
                raise NotUnderstood(text)
        return Sum(left, right)

    def highest_bit(self, of):
        if of.field.type != 'uint32_t' or self.n.is_pointer(of.field):
            raise NotUnderstood(str(of))
        return HighestBit(of)

    def size_of(self, name):
        """Bytes of a structure whose members are words of 32 or 64 bits, in any compiler."""
        return self.size_and_width(name)[0]

    def size_and_width(self, name):
        """The size, and that of the widest member."""
        structure = self.n.structure(name)
        sizes = {
            'uint32_t': 4,
            'int32_t': 4,
            'float': 4,
            'VkDeviceAddress': 8,
            'VkDeviceSize': 8,
            'uint64_t': 8,
        }
        size, widest = 0, 1
        for x in structure.members if structure else []:
            if (
                x.type in self.m.structs
                and not self.m.structs[x.type].union
                and not self.n.is_pointer(x)
                and not x.fixedSizeArray
            ):
                inner, width = self.size_and_width(x.type)
                size, widest = (size + width - 1) // width * width + inner, max(widest, width)
                continue
            width = (
                sizes.get(x.type)
                or (
                    self.n.is_bits(x)
                    and not self.n.is_pointer(x)
                    and (8 if self.m.bitmasks[self.n.value_type(x.type)].bitWidth == 64 else 4)
                )
                or None
            )
            if (
                width is None
                or self.n.is_pointer(x)
                or x.fixedSizeArray
                or getattr(x, 'bitFieldWidth', None)
            ):
                raise NotUnderstood(name)
            size, widest = (size + width - 1) // width * width + width, max(widest, width)
        if not size:
            raise NotUnderstood(name)
        return (size + widest - 1) // widest * widest, widest

    # --- objects ----------------------------------------------------------------------------------

    def handle(self, text):
        """The Member whose object a noun phrase means, or a Recorded; and the registry's type of
        it."""
        text = text.strip()
        if text in ('the bound video session', 'bound video session'):
            if not self.is_command:
                raise NotUnderstood(text)
            return Recorded('VkVideoSessionKHR')
        if text == 'it' and isinstance(self.here.it, Recorded):
            return self.here.it
        member = self.subject(
            re.sub(
                r'^the (image|buffer|sampler|pipeline|layout|tensor|swapchain|memory) (?=\1\b)',
                r'\1',
                text,
            )
        )
        if isinstance(member, Fact) or not self.n.is_handle(member.field):
            raise NotUnderstood(text)
        return member

    def handle_type(self, holder):
        return (
            holder.handle
            if isinstance(holder, Recorded)
            else self.n.handle_aliases[holder.field.type]
        )

    def fact_named(self, holder, name):
        handle = self.handle_type(holder)
        kind = facts.KINDS.get(handle)
        if kind is None or name not in kind.facts:
            raise NotUnderstood(f'{name} of {holder}')
        return self._fact(holder, handle, kind, kind.facts[name], None)

    def fact_of_constant(self, holder, constant):
        """The fact of an object that may be compared with that constant."""
        handle = self.handle_type(holder)
        kind = facts.KINDS.get(handle)
        known = self.n.constants.get(constant)
        kept = kind.of_type(known[1]) if kind and known else None
        if kept is None:
            raise NotUnderstood(f'{constant} of {holder}')
        return self._fact(holder, handle, kind, kept, known[1])

    def _fact(self, holder, handle, kind, kept, type_name):
        """`type_name`: the type of the constants that it is compared with, or None."""
        path = (
            kept.create[type_name] if isinstance(kept.create, dict) and type_name else kept.create
        )
        path = next(iter(path.values())) if isinstance(path, dict) else path
        if kind.structure is None:
            return Fact(holder, handle, FactPath(kept, path), facts.word(kept.name))
        if kept.name == 'bind point':
            return Fact(
                holder, handle, FactPath(kept, path), facts.word(kept.name, 'VkPipelineBindPoint')
            )
        if kept.name == 'queueFlags':
            return Fact(holder, handle, FactPath(kept, path), QueueFlags(self.m).field)
        if kept.name in WORDS:
            return Fact(
                holder, handle, FactPath(kept, path), facts.word(kept.name, WORDS[kept.name])
            )
        structure, names = kind.structure, re.split(r'->|\.', path.split('::')[-1])
        if '::' in path:
            structure = path.split('::')[0]
        if names[0] == 'image':
            structure, names = 'VkImageCreateInfo', names[1:]
        field = None
        for name in names:
            members = {x.name: x for x in self.n.structure(structure).members}
            field = members[name]
            structure = field.type
        if type_name and kept.create == 'videoSession' or kept.name == 'videoCodecOperation':
            field = next(
                x
                for x in self.n.structure('VkVideoProfileInfoKHR').members
                if x.name == 'videoCodecOperation'
            )
        return Fact(holder, handle, FactPath(kept, path), field)

    def created_with(self, holder, tail, positive):
        """The atom that the object was (`positive`), or was not, created with what `tail` says."""
        tail = tail.strip()
        g = re.fullmatch(r'(?:an?|the) (?:video )?(encode|decode) operation', tail)
        if g:
            fact = self.fact_named(holder, 'videoCodecOperation')
            return Among(fact, facts.ENCODING if g[1] == 'encode' else facts.DECODING, positive)
        g = re.fullmatch(rf'(Vk\w+)::({NAME}) equal to (zero|\d+)', tail)
        if g:
            fact = self.fact_named(holder, g[2])
            if facts.KINDS[fact.handle].structure != g[1]:
                raise NotUnderstood(tail)
            return self._compare(fact, '==' if positive else '!=', self.value(g[3]))
        g = re.fullmatch(
            (
                rf'(?:the |a |an )?(?:value of )?(?:video )?(?:(Vk\w+)::)?({NAME}|sharing mode|'
                rf'codec operation) (?:(?:member|value|field) )?(?:of |equal to |set to '
                rf')?({CONSTANT})'
            ),
            tail,
        )
        if g and g[2] not in ('flags', 'flag'):
            name = {
                'sharing mode': 'sharingMode',
                'codec operation': 'videoCodecOperation',
                'VkSemaphoreType': 'semaphoreType',
            }.get(g[2], g[2])
            fact = self.fact_of_constant(holder, g[3])
            kind = facts.KINDS[fact.handle]
            if (
                fact.kept.name != name
                or (g[1] and g[1] != kind.structure and not fact.kept.path.startswith(g[1]))
                or self.n.is_bits(fact.field)
                and name != 'videoCodecOperation'
                and name != 'samples'
            ):
                raise NotUnderstood(tail)
            return Among(fact, self.constants(g[3], fact), positive)
        g = re.fullmatch(
            rf'(both )?(?:the |a |an |flag )?(?:(Vk\w+::)?(?:flags?|usage)(?: (?:value|'
            rf'field))? (?:that )?(?:containing|including|includes?|contains?) )?(both '
            rf')?(?:the )?({CONSTANTS})'
            rf'(?: usage)?(?: (?:flags?|bits?))*(?: set)?(?: in (Vk\w+)::\w+)?',
            tail,
        )
        if not g:
            raise NotUnderstood(tail)
        names = re.findall(CONSTANT, g[4])
        fact = self.fact_of_constant(holder, names[0])
        if not self.n.is_bits(fact.field):
            raise NotUnderstood(tail)
        if g[5] and g[5] != facts.KINDS[fact.handle].structure:
            raise NotUnderstood(tail)
        constants = self.constants(g[4], fact)
        if None in constants:
            raise NotUnderstood(tail)
        if len(constants) > 1 and ' and ' in g[4]:
            if ' or ' in g[4] or not (g[1] or g[3]) or not positive:
                raise NotUnderstood(tail)
            return Bits(fact, constants, 'all')
        return Bits(fact, constants, 'any' if positive else 'none')

    def address(self, text):
        """The Member that is a device address: itself, or the address of a range that a noun phrase
        names."""
        text = re.sub(
            r'^(?:the )?(?:(?:device )?address |(?:the )?range (?:defined|specified) by )',
            '',
            text.strip(),
        )
        if not re.fullmatch(PLACE, text):
            raise NotUnderstood(text)
        found = self._member(self.place(text))
        if found.field.type in (
            'VkDeviceAddressRangeKHR',
            'VkStridedDeviceAddressRangeKHR',
            'VkDeviceAddressRangeEXT',
            'VkStridedDeviceAddressRegionKHR',
            'VkDeviceOrHostAddressConstKHR',
            'VkDeviceOrHostAddressKHR',
        ) and found.field.type.startswith(('VkDeviceAddress', 'VkStrided')):
            member = (
                'deviceAddress'
                if found.field.type == 'VkStridedDeviceAddressRegionKHR'
                else 'address'
            )
            found = self._member(
                self.place(text + ('->' if self.n.is_pointer(found.field) else '.') + member)
            )
        if found.field.type != 'VkDeviceAddress' or self.n.is_pointer(found.field):
            raise NotUnderstood(text)
        return self._note(found)

    def address_usage(self, place, values):
        subject = self.address(place)
        constants = re.findall(CONSTANT, values)
        if len(constants) != 1 or self.n.constants.get(constants[0], (0, None))[1] not in (
            'VkBufferUsageFlagBits',
            'VkBufferUsageFlagBits2',
        ):
            raise NotUnderstood(values)
        return AddressUsage(subject, constants)

    # --- constants --------------------------------------------------------------------------------

    def constants(self, text, subject):
        """The constants of a list, as the sentence spells them. All must be values of the subject's
        type; those of platforms that this model leaves out are None."""
        names = re.findall(CONSTANT, text)
        kind = self.n.value_type(subject.field.type)
        out = []
        for name in names:
            known = self.n.constants.get(name)
            if known is None:
                out.append(None)
            elif isinstance(subject, Fact) and known[1] in subject.kept.values:
                out.append(name)
            elif self.wider(subject, known[1]):
                out.append(name)
            elif known[1] is not None and kind != known[1] and not (kind == 'VkBool32'):
                raise NotUnderstood(f'{name} is not a {kind}')
            elif kind == 'VkBool32' and known[1] != 'VkBool32':
                raise NotUnderstood(name)
            else:
                out.append(name)
        return out

    def wider(self, subject, kind):
        """Are constants of that type meant of these flags because the chain may have wider ones in
        their place?"""
        flags = (
            getattr(subject.field, 'extendedFlag', None)
            if isinstance(subject, Member) and len(subject.path) == 1 and not subject.chain
            else None
        )
        structure = self.n.structure(flags.struct) if flags else None
        return structure is not None and self.n.value_type(structure.members[-1].type) == kind

    # --- subjects ---------------------------------------------------------------------------------

    def subjects(self, text):
        """The members that a noun phrase means: usually one. All of them, each by itself."""
        text = text.strip()
        g = re.fullmatch(r'(?:both |each of |all of )?(.+?)(?:, and | and )(.+)', text)
        if g and not re.search(r'sum of', text):
            names = re.split(r', ', g[1]) + [g[2]]
            if all(re.fullmatch(PLACE, x) for x in names):
                return [self.subject(x) for x in names]
            h = re.fullmatch(rf'the ({NAME}(?:(?:,)? {NAME})*) and ({NAME}) members of (.+)', text)
            if h:
                return [
                    self.subject(f'the {x} member of {h[3]}')
                    for x in re.findall(NAME, h[1]) + [h[2]]
                ]
            raise NotUnderstood(text)
        return [self.subject(text)]

    def subject(self, text):
        text = text.strip()
        text = re.sub(r'^[Tt]he value of ', '', text)
        if text == 'it':
            found = self.here.last if isinstance(self.here.it, tuple) else self.here.it
            if not isinstance(found, Member):
                raise NotUnderstood(text)
            return found
        if re.fullmatch(rf'{PLACE}(?:\[\d\])?', text):
            try:
                found = self.place(text)
                return found if isinstance(found, Fact) else self._note(self._member(found))
            except NotUnderstood:
                found = self.of_it(text)
                if found is None:
                    raise
                return found
        for pattern, method in self.subject_forms:
            g = pattern.fullmatch(text)
            if g:
                return method(self, g)
        g = re.fullmatch(rf'[Ii]ts ({PLACE})(?: member)?', text)
        if g and isinstance(self.here.it, Member) and self.here.it.each and self.here.each is None:
            return self._member(self.place(g[1], ('each', self.here.it.each)))
        if g and self.here.each is not None:
            return self._member(self.place(g[1], ('each', self.here.each)))
        g = re.fullmatch(rf'[Ii]ts ({PLACE})(?: member)?', text)
        if (
            g
            and isinstance(self.here.it, Member)
            and not self.here.it.each
            and not self.here.it.chain
            and self.n.structure(self.here.it.field.type)
            and self.here.it.path
        ):
            at, steps = '', self.here.it.path
            for i, name in enumerate(steps):
                at += ('' if i == 0 else '->' if i - 1 in self.here.it.arrows else '.') + name
            return self._member(
                self.place(at + ('->' if self.n.is_pointer(self.here.it.field) else '.') + g[1])
            )
        g = re.fullmatch(rf'[Ii]ts ({NAME})(?: member)?', text) or re.fullmatch(
            rf'the ({NAME}) member of that structure', text
        )
        if g and isinstance(self.here.it, tuple):
            self.now(last=self._member(self.place(g[1], self.here.it)))
            return self.here.last
        if (
            g
            and isinstance(self.here.it, Member)
            and len(self.here.it.path) > 1
            and not self.here.it.each
            and not self.here.it.chain
        ):
            return self._member(self.sibling(self.here.it, g[1]))
        g = re.fullmatch(rf'[Tt]he (?:provided )?({NAME})', text)
        if g and g[1] in self.members:
            return self._note(self._member(self.place(g[1])))
        g = re.fullmatch(rf'[Tt]he ({PLACE}) (?:member|parameter)(?: of ({PLACE}))?', text)
        if g:
            if g[2]:
                if g[2].startswith('Vk'):
                    return self._note(self._member(self.place(f'{g[2]}::{g[1]}')))
                holder = self._member(self.place(g[2]))
                joint = '->' if self.n.is_pointer(holder.field) else '.'
                return self._note(self._member(self.place(f'{g[2]}{joint}{g[1]}')))
            return self._note(self._member(self.place(g[1])))
        g = re.fullmatch(
            (
                rf'[Tt]he ({NAME}) member of (?:the|a) (Vk\w+) structure (?:included )?in the '
                rf'pNext chain'
            ),
            text,
        )
        if g:
            structure = self.n.structure(g[2])
            if structure is None or not self.chains(structure):
                raise NotUnderstood(text)
            return self._note(self._member(self.place(g[1], ('chain', structure.name))))
        g = re.fullmatch(
            (
                rf'[Tt]he ({NAME}) member of the (Vk\w+) structure included in the pNext chain '
                rf'of ({PLACE})'
            ),
            text,
        )
        if g:
            holder, structure = self._member(self.place(g[3])), self.n.structure(g[2])
            head = self.n.structure(holder.field.type)
            if (
                structure is None
                or head is None
                or head.union
                or structure.name not in head.extendedBy
                or holder.chain
                or holder.each
                or holder.field.length
                or holder.field.fullType.count('*') > 1
            ):
                raise NotUnderstood(text)
            found = self._member(self.place(g[1], ('chain', structure.name)))
            found.head = pnext_of(self.n, holder)
            return found
        g = re.fullmatch(
            (
                rf'(?:[Ee]ach|[Ee]very|[Aa]ny|[Aa]ll)? ?(?:element|elements|members|member|'
                rf'value|values)? ?(?:of|in) (?:the )?({PLACE})(?: array)?'
            ),
            text,
        )
        if g and re.match(
            r'[Ee]ach element|[Aa]ll elements|[Ee]very element|[Ee]ach member|[Ee]ach value', text
        ):
            return self._element(g[1], None)
        g = re.fullmatch(
            rf'(?:each|every|any|all) elements? of the ({NAME}) member of ({PLACE})', text
        )
        if g:
            return self._element(f'{g[2]}->{g[1]}', None)
        g = re.fullmatch(
            (
                rf'[Tt]he ({PLACE}) (?:member|component|value)s? of (?:each|every|all|any) '
                rf'elements? of (?:the )?({PLACE})(?: array)?'
            ),
            text,
        )
        if g:
            return self._element(g[2], g[1])
        g = re.fullmatch(
            rf'[Tt]he ({PLACE}) of (?:each|every|all) elements? of (?:the )?({PLACE})', text
        )
        if g:
            return self._element(g[2], g[1])
        raise NotUnderstood(text)

    def sibling(self, member, name):
        """The Member of that name in the structure that another one lies in."""
        at = member.path[0]
        for i, step in enumerate(member.path[1:-1]):
            at += ('->' if i in member.arrows else '.') + step
        return self.place(at + ('->' if len(member.path) - 2 in member.arrows else '.') + name)

    def of_it(self, name):
        """A bare name that is no member here, but one of the chained structure that was just named;
        or that is its last word."""
        if not re.fullmatch(NAME, name) or name in self.members:
            return None
        if isinstance(self.here.it, tuple):
            try:
                return self._member(self.place(name, self.here.it))
            except NotUnderstood:
                return None
        return (
            self.here.it
            if isinstance(self.here.it, Member)
            and self.here.it.chain
            and self.here.it.path[-1:] == (name,)
            else None
        )

    def _note(self, member):
        self.now(it=member)
        return member

    def _member(self, found):
        if not isinstance(found, Member):
            raise NotUnderstood(str(found))
        return found

    def _element(self, array, member):
        holder = None
        if not re.fullmatch(NAME, array):
            holder = self._member(self.place(array))
            if holder.chain or holder.each:
                raise NotUnderstood(array)
            structure = self.n.structure(self._holder_type(holder))
            siblings = {x.name: x for x in structure.members}
            field = holder.field
            if (
                not self.n.is_pointer(field)
                or not field.length
                or field.fullType.count('*') != 1
                or field.length not in siblings
            ):
                raise NotUnderstood(array)
            if member is not None:
                return self._member(self.place(member, ('each', holder)))
            element = type(
                'Element',
                (),
                dict(
                    type=field.type,
                    fullType=field.type,
                    name=field.name,
                    fixedSizeArray=[],
                    length=None,
                ),
            )
            return Member((), element, None, holder)
        field = self.members.get(array)
        if (
            field is None
            or not self.n.is_pointer(field)
            or not field.length
            or field.fullType.count('*') != 1
            or field.length.split(',')[0] not in self.members
            or self.n.is_pointer(self.members[field.length.split(',')[0]])
        ):
            raise NotUnderstood(array)
        if member is not None:
            return self._member(self.place(member, ('each', array)))
        element = type(
            'Element',
            (),
            dict(type=field.type, fullType=field.type, name=array, fixedSizeArray=[], length=None),
        )
        return Member((), element, None, array)

    def _holder_type(self, member):
        """The structure that a Member's last step lies in."""
        members = self.members
        for name in member.path[:-1]:
            structure = self.n.structure(members[name].type)
            members = {x.name: x for x in structure.members}
        if len(member.path) < 2:
            raise NotUnderstood(str(member))
        return structure.name
