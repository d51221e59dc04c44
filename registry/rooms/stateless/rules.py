"""Reads what the registry and the sentences of its named VUIDs ask of parameters, as check objects
for the templates.

A named VUID (`VUID-VkBufferCreateInfo-size-arraylength`) has a formulaic sentence. Each sentence is
parsed here into one or more `Check`s: which value, under which condition, must be what. A sentence
of an unknown form fails the generation. impossible() has the ids that a layer cannot check, with
the reason. Handles' liveness and parents belong to `lifetimes`; scopes belong to `core`."""

import functools
import glob
import os
import re

from model import changes, hand_tables
from model.places import ROOT
from model.registry import RegistryError
from rooms.stateless import exceptions
from rooms.stateless.checks import CONDITIONS, ChainRule, Check, Owner
from rooms.stateless.exceptions import (
    ABSENT,
    ANY_KNOWN_BIT,
    ARRAYS,
    BY_TYPE,
    COMPOSITE,
    DESCENTS,
    FILLED,
    IGNORED_UNLESS,
    IN_MEMORY,
    LEFT_TO_CORE,
    LOADER,
    LOADER_READS,
    OF_UNIONS,
    OPAQUE,
    REPEATABLE,
    UNHOOKED,
    VALUES,
)
from rooms.stateless.requirements import Requirements
from rooms.stateless.values import BitsTable, EnumTable
from rows import rows

# The kinds of VUID (last word of the id) that this room claims. `parameter` is shared with
# lifetimes: a required handle that is null is reported here, one that does not live is reported
# there.
SUFFIXES = (
    'parameter',
    'sType',
    'pNext',
    'unique',
    'arraylength',
    'zerobitmask',
    'requiredbitmask',
    'queuecount',
)

# A handle's value as C: the layer's headers make non-dispatchable handles integers.
SCALARS = {
    'uint8_t',
    'uint16_t',
    'uint32_t',
    'uint64_t',
    'int32_t',
    'int64_t',
    'size_t',
    'float',
    'double',
    'int',
    'char',
    'void',
    'VkDeviceSize',
    'VkDeviceAddress',
    'VkBool32',
    'VkSampleMask',
    'VkRemoteAddressNV',
}

# Structures whose check is called by one that is written by hand (src/stateless), under the name
# with "_itself" behind.
WRAPPED = {'VkGraphicsPipelineCreateInfo', 'VkDeviceCreateInfo'}

# Kinds of check that look at values, which mean nothing in a structure that the driver will fill
# in.
VALUE_KINDS = {
    'handle',
    'enum',
    'flags',
    'flag_bit',
    'zero',
    'nonzero',
    'nonzero_array',
    'address',
    'string',
    'fixed_string',
    'string_array',
    'handle_array',
    'enum_array',
    'flags_array',
    'flag_bit_array',
    'known_bit_array',
    'bool_array',
}


# --- rules written by hand ------------------------------------------------------------------------


@functools.cache
def written():
    """The functions rule_VkFoo and rule_vkFoo of src/stateless, which join what is generated for
    that structure or command, and the tables of values that they name."""
    functions, tables = set(), set()
    for path in sorted(glob.glob(os.path.join(ROOT, 'src/stateless/*.c'))):
        with open(path, encoding='utf-8') as f:
            text = f.read()
        for name in re.findall(r'^void rule_(\w+)\(', text, re.MULTILINE):
            if name in functions:
                raise RegistryError(f'src/stateless defines rule_{name} twice')
            functions.add(name)
        tables.update(re.findall(r'&((?:enum|bits)_Vk\w+)', text))
    return functions, tables


class Rules:
    def __init__(self, m):
        self.m = m
        self.requirements = Requirements(m)
        self.claimed = {}  # vuid -> (rule, note)
        self.impossible = {}  # vuid -> reason
        self.owners = {}
        hand_tables.check(m, exceptions.TABLES)
        by_owner = {}
        for v in m.vuids.values():
            if not v.numbered and v.id.rsplit('-', 1)[1] in SUFFIXES:
                by_owner.setdefault(v.owner, []).append(v)
        self.enums = {}  # name -> EnumTable, of those in use
        self.bitmasks = {}
        for name, vuids in by_owner.items():
            if name in m.structs or name in m.commands:
                self.owners[name] = self._read_owner(name, vuids)
            elif name in m.aliases:
                changes.note(
                    'registry/rooms/stateless/rules.py:1',
                    f'valid usage listed under the alias {name}',
                )
            else:
                for v in vuids:
                    self.impossible[v.id] = ABSENT
        for name in list(m.structs) + list(m.commands):
            if name not in self.owners:
                self.owners[name] = self._read_owner(name, [])
        self.struct_aliases = {a: n for n, s in m.structs.items() for a in s.aliases}
        self._add_descents()
        self._add_written()
        self.rows = rows.rows(m)
        self._add_rows()
        self._reach()
        for name in (
            self.chain_structures
        ):  # every requirement has its number before a template is rendered
            self.requirements.offset(self.owners[name].requirement)
        for name in m.commands:
            self.requirements.offset(self.command_gate(self.owners[name]))

    # --- reading sentences ------------------------------------------------------------------------

    def _read_owner(self, name, vuids):
        m = self.m
        is_command = name in m.commands
        owner = Owner(m.commands[name] if is_command else m.structs[name], is_command)
        if is_command:
            aliases = [
                m.all_commands[a].definingRequirements
                for a, root in m.aliases.items()
                if root == name
            ]
            owner.requirement = self.requirements.merge([owner.item.definingRequirements] + aliases)
        else:
            owner.requirement = self.requirements.of(owner.item, m.vk.aliasTypeRequirements)
        found = {}
        unique = None
        for v in vuids:
            suffix = v.id.rsplit('-', 1)[1]
            if suffix == 'unique':
                unique = v
                continue
            with changes.left_out(vuid=v.id):
                if suffix == 'queuecount':
                    self._expect(v, r'The device must have been created with at least 1 queue')
                    found.setdefault('device', []).append(
                        Check(
                            'queue_count',
                            [v.id],
                            owner.by_name['device'],
                            'device',
                            'device',
                            owner.where,
                        )
                    )
                    continue
                for check in getattr(self, f'_read_{suffix}')(owner, v):
                    if check.struct and check.struct not in m.structs:
                        raise RegistryError(f'{v.id}: unknown structure {check.struct}')
                    found.setdefault(check.member.name, []).append(check)
        if unique is not None:
            with changes.left_out(vuid=unique.id):
                if owner.chain is None:
                    raise RegistryError(f'{unique.id} without a pNext rule')
                self._expect(
                    unique, r'The sType value of each structure in the pNext chain must be unique.*'
                )
                owner.chain.unique = unique.id
                self.claimed[unique.id] = ('chain_unique', '')
        for member in owner.members:
            owner.checks += self._order(found.get(member.name, []))
        self._merge_optional_flags(owner)
        self._add_bools(owner)
        for check in owner.checks:
            for id in check.vuids:
                self.claimed.setdefault(id, (check.kind, ''))
        return owner

    @staticmethod
    def _order(checks):
        """Puts the check that a count is not 0 before all others of a member."""
        return sorted(checks, key=lambda c: c.kind not in ('length', 'queue_count'))

    def _expect(self, v, pattern):
        match = re.fullmatch(pattern, v.text)
        if not match:
            raise RegistryError(f'sentence of {v.id} not understood: {v.text}')
        return match

    def _read_sType(self, owner, v):
        constant = self._expect(v, r'sType must be (VK_STRUCTURE_TYPE_\w+)')[1]
        owner.structure_type = (constant, v.id)
        return []

    def _read_pNext(self, owner, v):
        text = v.text
        if text == 'pNext must be NULL':
            names = []
        else:
            match = re.fullmatch(
                r'(?:Each pNext member of any structure \(including this one\) in the '
                r'pNext chain must be either NULL or|'
                r'pNext must be NULL or) a pointer to a valid instance of (.*)',
                text,
            )
            if not match:
                raise RegistryError(f'sentence of {v.id} not understood: {text}')
            names = re.findall(r'Vk\w+', match[1])
            if re.sub(r'Vk\w+|,|\bor\b|\s', '', match[1]):
                raise RegistryError(f'list in {v.id} not understood: {text}')
        here = [n for n in names if n in self.m.structs]
        # The sentence leaves out what only another document build has; the registry's list is the
        # wider one.
        here += [n for n in owner.item.extendedBy if n not in here]
        owner.chain = ChainRule(
            owner.name, v.id, None, here, [n for n in names if n not in self.m.structs]
        )
        self.claimed[v.id] = ('chain', '')
        return []

    def _read_zerobitmask(self, owner, v):
        name = self._expect(v, r'(\w+) must be 0')[1]
        return [Check('zero', [v.id], owner.by_name[name], owner.value(name), name, owner.where)]

    def _read_requiredbitmask(self, owner, v):
        text = v.text
        match = re.fullmatch(r'(?P<each>Each element of )?(?P<x>\w+) must not be 0', text)
        if not match:
            raise RegistryError(f'sentence of {v.id} not understood: {text}')
        name = match['x']
        member = owner.by_name[name]
        if match['each']:
            count, guards = self._count(owner, member)
            return [
                Check(
                    'nonzero_array',
                    [v.id],
                    member,
                    owner.value(name),
                    name,
                    owner.where,
                    guards,
                    count=count,
                    element=member.type,
                )
            ]
        return [Check('nonzero', [v.id], member, owner.value(name), name, owner.where)]

    def _read_arraylength(self, owner, v):
        text, guards = v.text, []
        match = re.match(r'If (?:any of )?(\w+(?:, (?:or )?\w+)*) (?:is|are) not NULL, ', text)
        if match:
            names = re.findall(r'\w+', match[1].replace(' or ', ' '))
            guards = [' || '.join(owner.value(n) for n in names)]
            text = text[match.end() :]
        match = re.fullmatch(
            r'(?P<value>the value referenced by )?(?P<path>\w+(?:->\w+)?) must be greater than 0',
            text,
        )
        if not match:
            raise RegistryError(f'sentence of {v.id} not understood: {v.text}')
        path = match['path']
        first = path.split('->')[0]
        member = owner.by_name[first]
        if '->' in path and f'VUID-{member.type}-{path.split("->")[1]}-arraylength' in self.m.vuids:
            self.claimed[v.id] = (
                'composite',
                COMPOSITE,
            )  # the structure says the same of its own member
            return []
        value = owner.value(path)
        if match['value']:
            value = f'*{value}'
            guards = [f'!pointer_is_bad({owner.value(path)})'] + guards
        elif '->' in path:
            guards = [f'!pointer_is_bad({owner.value(first)})'] + guards
        return [
            Check(
                'length',
                [v.id],
                member,
                value,
                path.split('->')[-1],
                owner.where if '->' not in path else f'&LOCATION_POINTER({owner.where}, "{first}")',
                guards,
            )
        ]

    def _read_parameter(self, owner, v):
        text, guards, optional, value, where = v.text, [], False, None, owner.where
        subject = condition = None
        for pattern, kind in CONDITIONS:
            match = pattern.match(text)
            if match:
                condition, groups = kind, match.groupdict()
                text = text[match.end() :]
                break
        match = None
        if condition == 'selector':
            union = owner.by_name[groups['union']]
            selector = owner.value(groups['selector'])
            values = re.findall(r'VK_\w+', groups['values'])
            guards.append(' || '.join(f'{selector} == {c}' for c in values))
            inner = {x.name: x for x in self.m.structs[union.type].members}[groups['inner']]
            member, subject = inner, groups['inner']
            value = f'{owner.value(union.name)}.{subject}'
            where = f'&LOCATION({owner.where}, "{union.name}")'
            optional = groups['null'] is not None
            predicate = self._strip(v, text, 'must be ')
            anchor = union
        else:
            match = re.match(r'(Each element of )?(\w+) must be ', text)
            if not match:
                raise RegistryError(f'sentence of {v.id} not understood: {v.text}')
            subject = match[2]
            member = anchor = owner.by_name[subject]
            value = owner.value(subject)
            predicate = text[match.end() :]
            if condition == 'not_empty':
                if groups['x'] == subject:
                    optional = True
                elif groups['x'] not in owner.by_name or (
                    member.length
                    and groups['x'] != member.length.split(',')[0]
                    and not member.length.startswith('(')
                ):
                    raise RegistryError(
                        f'{v.id}: condition on {groups["x"]}, which is not its length'
                    )
            elif condition in ('two_call', 'count_and_null'):
                if groups['null'] != subject:
                    raise RegistryError(f'{v.id}: condition on {groups["null"]}')
                optional = True
        if (owner.name, subject) in IGNORED_UNLESS:
            guards.append(IGNORED_UNLESS[(owner.name, subject)])
        fields = dict(
            member=member, value=value, name=subject, where=where, guards=guards, optional=optional
        )
        checks = self._predicate(owner, v, predicate, each=bool(match and match[1]), **fields)
        for check in checks:
            check.member = anchor
            check.inner = member
        return checks

    def _strip(self, v, text, prefix):
        if not text.startswith(prefix):
            raise RegistryError(f'sentence of {v.id} not understood: {v.text}')
        return text[len(prefix) :]

    def _predicate(self, owner, v, predicate, each, **f):
        """The checks that `must be <predicate>` means."""
        m = self.m
        ids = [v.id]
        make = lambda kind, **more: [Check(kind, ids, **{**f, **more})]
        g = re.fullmatch(r'(?:a|an) valid (\w+) handle', predicate)
        if g:
            return self._handle(owner, v, g[1], make, f)
        g = re.fullmatch(r'(?:a|an) valid (\w+) value', predicate)
        if g:
            return self._value(owner, v, g[1], each, make, f)
        g = re.fullmatch(r'a valid combination of (\w+) values', predicate)
        if g:
            return make('flags', bits=self._bits(g[1], owner))
        g = re.fullmatch(r'a valid (\w+) (?:structure|union)', predicate)
        if g:
            self.claimed[v.id] = ('composite', COMPOSITE)
            if m.structs[g[1]].union or (owner.name, f['name']) in LEFT_TO_CORE:
                return []
            return make('struct_value', struct=g[1])
        if predicate.startswith('a valid pointer to ') or predicate.startswith(
            'an valid pointer to '
        ):
            return self._pointer(owner, v, predicate.split(' to ', 1)[1], each, make, f)
        if predicate == 'a pointer value':
            self.impossible[v.id] = OPAQUE
            return []
        g = re.fullmatch(
            r'a null-terminated UTF-8 string(?: whose length is less than or equal to (VK_\w+))?',
            predicate,
        )
        if g:
            if f['member'].fixedSizeArray:
                return make('fixed_string', size=f['member'].fixedSizeArray[0])
            return make('string')
        raise RegistryError(f'sentence of {v.id} not understood: {v.text}')

    def _handle(self, owner, v, handle, make, f):
        if handle not in self.m.handles:
            raise RegistryError(f'{v.id}: {handle} is not a handle')
        first = owner.is_command and f['member'] is owner.members[0]
        if f['optional'] or (first and self.m.handles[handle].dispatchable):
            return []  # lifetimes
        return make('handle', handle=handle)

    def _value(self, owner, v, type_name, each, make, f):
        m = self.m
        if type_name in m.enum_aliases:
            type_name = m.enum_aliases[type_name]
        if type_name in m.enums:
            enum = self._enum(type_name, owner)
            if each:
                return make(
                    'enum_array', enum=enum, count=f['member'].fixedSizeArray[0], fixed=True
                )
            return make('enum', enum=enum)
        if type_name in m.bitmasks:
            return make('flag_bit', bits=self._bits(type_name, owner))
        if type_name == 'VkDeviceAddress':
            if f['optional']:
                self.impossible[v.id] = (
                    'whether an address other than 0 is valid is known by numbered rules '
                    'and GPU-side checks only'
                )
                return []
            # 0 is a null descriptor (VUID-VkDescriptorGetInfoEXT-type-08028: "and
            # accelerationStructure is not 0").
            if owner.name == 'VkDescriptorGetInfoEXT':
                self.impossible[v.id] = (
                    'of 0, VUID-VkDescriptorDataEXT-type-08041 and 08042 speak; what other '
                    'addresses are worth, numbered rules know'
                )
                return []
            return make('address')
        if type_name.startswith('PFN_'):
            return make('pointer')
        raise RegistryError(f'{v.id}: unknown type {type_name}')

    def _pointer(self, owner, v, thing, each, make, f):
        m = self.m
        if each:
            # "Each element of key must be a valid pointer to an array of ...": the registry's slip
            # for a fixed array; nothing to point to
            if not f['member'].fixedSizeArray:
                raise RegistryError(f'sentence of {v.id} not understood: {v.text}')
            self.impossible[v.id] = 'the member is an array, not a pointer; any bytes are valid'
            return []
        g = re.fullmatch(
            (
                r'an array of (.+?) ((?:valid |valid or VK_NULL_HANDLE )?)(\w+) (handles|'
                r'structures|values)'
            ),
            thing,
        )
        if g and not re.search(r'\bvalid\b', g[1]):
            count, guards = self._count(owner, f['member'])
            return self._array(owner, v, g[4], g[3], g[2].strip(), count, guards, make, f)
        g = re.fullmatch(
            r'an array of (\S+) (bytes|null-terminated UTF-8 strings|valid combinations of '
            r'(\w+) values|'
            r'valid pointers to (valid )?(\w+) structures)',
            thing,
        )
        if g:
            count, guards = self._count(owner, f['member'])
            guards = f['guards'] + guards
            if g[2] == 'bytes':
                return make('pointer', guards=guards + [count])
            if g[2].startswith('null-terminated'):
                return make('string_array', count=count, guards=guards)
            if g[3]:
                return make('flags_array', count=count, bits=self._bits(g[3], owner), guards=guards)
            return make(
                'struct_array',
                count=count,
                struct=g[5],
                pointers=True,
                guards=guards,
                output=not g[4],
            )
        if re.fullmatch(r'an array of \\\(.*\\\) \w+ values', thing):  # a length by formula
            count, guards = self._count(owner, f['member'])
            return make('pointer', guards=f['guards'] + guards + ([count] if count else []))
        g = re.fullmatch(r'(?:a|an) (valid )?(\w+) structure', thing)
        if g:
            if g[2] not in m.structs:
                return make('pointer')  # the layer's registry has it no more than its name
            return make(
                'struct_pointer',
                struct=g[2],
                output=not g[1] and not owner.name.startswith('vkSet'),
            )
        g = re.fullmatch(r'(?:a|an) (valid )?(\w+) handle', thing)
        if g:
            if g[1] and not self.m.handles[g[2]].dispatchable:
                return make('pointer') + make(
                    'handle',
                    value=f'*{f["value"]}',
                    handle=g[2],
                    guards=f['guards'] + [f'!pointer_is_bad({f["value"]})'],
                )
            return make('pointer')
        if re.fullmatch(r'(?:a|an) (valid )?(\w+|pointer) value', thing):
            return make('pointer')
        raise RegistryError(f'sentence of {v.id} not understood: {v.text}')

    def _array(self, owner, v, what, element, valid, count, guards, make, f):
        m = self.m
        guards = f['guards'] + guards
        if what == 'handles':
            if valid == 'valid':
                return make('handle_array', count=count, handle=element, guards=guards)
            return make('pointer', guards=guards + [count])
        if what == 'structures':
            if element not in m.structs:
                raise RegistryError(f'{v.id}: unknown structure {element}')
            return make(
                'struct_array',
                count=count,
                struct=element,
                guards=guards,
                output=not valid and not f['member'].const,
            )
        if element in m.enums and valid:
            return make('enum_array', count=count, enum=self._enum(element, owner), guards=guards)
        if element in m.bitmasks and valid:
            kind = (
                'known_bit_array' if (owner.name, f['name']) in ANY_KNOWN_BIT else 'flag_bit_array'
            )
            return make(kind, count=count, bits=self._bits(element, owner), guards=guards)
        if element == 'VkBool32':
            return make('bool_array', count=count, guards=guards)
        return make('pointer', guards=guards + [count])

    def _count(self, owner, member):
        """The C expression of an array's length, and the conditions under which it can be read."""
        length = member.length
        if member.fixedSizeArray:
            return member.fixedSizeArray[0], []
        if length is None:
            raise RegistryError(f'{owner.name}.{member.name}: an array without a length')
        length = length.split(',')[0]
        if re.fullmatch(r'\d+\*VK_\w+|\d+|VK_\w+', length):
            return '1', []
        if length in owner.by_name:
            value = owner.value(length)
            if owner.by_name[length].pointer:
                return f'*{value}', [f'!pointer_is_bad({value})']
            return value, []
        names = [n for n in re.findall(r'[A-Za-z]\w*', length.split('->')[0]) if n in owner.by_name]
        if '->' in length and len(names) == 1:
            return owner.value(length), [f'!pointer_is_bad({owner.value(names[0])})']
        if len(names) == 1:  # by a formula; zero exactly when ... its one variable says so
            return length.replace(names[0], owner.value(names[0])), []
        raise RegistryError(f'{owner.name}.{member.name}: length {length} not understood')

    def _merge_optional_flags(self, owner):
        """`x must not be 0` and `x must be a valid combination`: rendered together, zero first."""
        by_member = {}
        for check in owner.checks:
            by_member.setdefault(check.member.name, []).append(check)
        for checks in by_member.values():
            kinds = [c.kind for c in checks]
            if 'nonzero' in kinds:
                for check in checks:
                    if check.kind == 'flags':
                        check.optional = True

    def _add_bools(self, owner):
        names = [
            x.name
            for x in owner.members
            if x.type == 'VkBool32' and not x.pointer and not x.fixedSizeArray
        ]
        if not names or (not owner.is_command and (owner.item.returnedOnly or owner.item.union)):
            return
        member = owner.by_name[names[0]]
        owner.checks.append(
            Check(
                'bools',
                [],
                member,
                None,
                None,
                owner.where,
                names=names,
                owner=owner.name,
                values=[owner.value(n) for n in names],
            )
        )

    def _add_descents(self):
        for (name, member), condition in (DESCENTS | ARRAYS | VALUES).items():
            with changes.left_out():
                self._descend(name, member, condition)
        for (name, union, member), condition in OF_UNIONS.items():
            with changes.left_out(what=f'{name}.{union}.{member}'):
                owner = self.owners[name]
                inner = next(
                    x for x in self.m.structs[owner.by_name[union].type].members if x.name == member
                )
                check = Check(
                    'struct_value',
                    [],
                    owner.by_name[union],
                    f'{owner.value(union)}.{member}',
                    member,
                    f'&LOCATION({owner.where}, "{union}")',
                    [condition],
                    struct=inner.type,
                    quiet=True,
                )
                check.inner = inner
                owner.checks.append(check)

    def _descend(self, name, member, condition):
        owner = self.owners.get(name)
        if owner is None or member not in owner.by_name:
            raise RegistryError(f'no {name}.{member} to descend into')
        x = owner.by_name[member]
        if not x.noAutoValidity and (name, member) not in ARRAYS | VALUES:
            raise RegistryError(f'{name}.{member} has implicit valid usage now')
        fields = dict(struct=x.type, quiet=True)
        if (name, member) in VALUES:
            fields['struct'] = self.struct_aliases.get(x.type, x.type)
            kept = [] if condition == 'true' else [condition]
            check = Check(
                'struct_value', [], x, owner.value(member), member, owner.where, kept, **fields
            )
        elif x.length:
            check = Check(
                'struct_array',
                [],
                x,
                owner.value(member),
                member,
                owner.where,
                [condition],
                count=owner.value(x.length),
                **fields,
            )
        else:
            check = Check(
                'struct_pointer',
                [],
                x,
                owner.value(member),
                member,
                owner.where,
                [condition],
                optional=True,
                **fields,
            )
        check.inner = x
        owner.checks.append(check)

    def _add_written(self):
        functions, tables = written()
        self.absent_rules = {name for name in functions if name not in self.owners}
        for name in sorted(functions):
            if name in self.absent_rules:
                changes.note(
                    'registry/rooms/stateless/rules.py:1',
                    f'src/stateless has a rule_{name}, and the registry has nothing of that name',
                )
                continue
            owner = self.owners[name]
            owner.checks.append(
                Check('written', [], owner.members[0], None, None, owner.where, owner=owner)
            )
        for name in sorted(tables):
            kind, _, type_name = name.partition('_')
            with changes.left_out(what=f'src/stateless names {name}'):
                self._enum(type_name, None) if kind == 'enum' else self._bits(type_name, None)

    def _add_rows(self):
        for name in self.rows.owners:
            owner = self.owners[name]
            owner.checks.append(
                Check(
                    'rows',
                    [],
                    owner.members[0],
                    None,
                    None,
                    owner.where,
                    owner=owner,
                    inner=owner.members[0],
                )
            )

    # --- tables -----------------------------------------------------------------------------------

    def _enum(self, name, owner):
        if name not in self.enums:
            self.enums[name] = EnumTable(self, self.m.enums[name])
        return self.enums[name]

    def _bits(self, name, owner):
        name = self.m.bitmask_aliases.get(name, name)
        if name not in self.bitmasks:
            self.bitmasks[name] = BitsTable(self, self.m.bitmasks[name])
        return self.bitmasks[name]

    # --- what can be reached ----------------------------------------------------------------------

    def _reach(self):
        """Marks which structures a command can hand in as a parameter or member (`heads`) and which
        only in a chain (`chained`), and drops checks of structures without anything to check."""
        self.heads, self.chained = set(), set()
        # structure -> (owner, check) that holds it, or (owner, None) that chains it; first found,
        # the shortest way from a command
        self.parents, self.holders = {}, {}
        work = []

        def visit(owner):
            for check in owner.checks:
                if check.struct and check.struct not in self.heads:
                    self.heads.add(check.struct)
                    self.parents.setdefault(check.struct, (owner.name, check))
                    self.holders[check.struct] = (owner.name, check)
                    work.append(('head', check.struct))
                elif check.struct and self.holders[check.struct][1].output and not check.output:
                    self.holders[check.struct] = (
                        owner.name,
                        check,
                    )  # where its values are the app's

        for name in self.m.commands:
            visit(self.owners[name])
        seen_bodies = set()
        while work:
            how, name = work.pop(0)
            owner = self.owners[name]
            if name not in seen_bodies:
                seen_bodies.add(name)
                visit(owner)
            if how == 'head' and owner.chain:
                for element in owner.chain.allowed:
                    if element not in self.chained:
                        self.chained.add(element)
                        self.parents.setdefault(element, (name, None))
                        work.append(('chain', element))
        self._find_outputs()
        self.substantial = {}
        for name in self.heads | self.chained:
            self._is_substantial(name, set())
        for name in list(self.heads | self.chained) + list(self.m.commands):
            owner = self.owners[name]
            for check in owner.checks:
                if not hasattr(check, 'inner'):
                    check.inner = check.member
                if check.struct and not self.substantial.get(check.struct):
                    if check.kind == 'struct_pointer':
                        check.kind = 'pointer'
                    elif check.kind == 'struct_array':
                        check.kind = 'pointer'
                        if not getattr(check, 'quiet', False):
                            check.guards = check.guards + [check.count]
                    else:
                        check.kind = None
                    check.struct = None
            owner.checks = [
                c
                for c in owner.checks
                if c.kind and not (c.kind == 'pointer' and getattr(c, 'quiet', False))
            ]
        for name in self.rows.owners:
            if name not in self.heads and name not in self.chained and name not in self.m.commands:
                changes.note(
                    self.rows.owners[name][0].place,
                    f'no command takes a {name}',
                    self.rows.owners[name][0].vuid.id,
                )
        self._settle_claims()

    def _find_outputs(self):
        """Finds the structures that the driver fills in, and those that the program does. The
        program sets only sType, chain and pointers of the first."""
        self.outputs, self.inputs = set(), set()
        work = [(n, False) for n in self.m.commands]
        while work:
            name, output = work.pop()
            owner = self.owners[name]
            below = [(c.struct, output or c.output) for c in owner.checks if c.struct]
            if owner.chain:
                below += [(n, output) for n in owner.chain.allowed]
            for struct, is_output in below:
                known = self.outputs if is_output else self.inputs
                if struct not in known:
                    known.add(struct)
                    work.append((struct, is_output))
        for name in self.outputs:
            for check in self.owners[name].checks:
                if check.kind not in VALUE_KINDS and not (
                    check.kind == 'length' and self._counts_own_bytes(name, check.name)
                ):
                    continue
                check.guards = ['!c->output'] + check.guards
                if name not in self.inputs:
                    self.impossible[check.vuid] = FILLED

    def _counts_own_bytes(self, name, member):
        """Is it the length of an array inside the structure, which whoever fills in the one fills
        in as well?"""
        return any(
            x.fixedSizeArray and x.length and x.length.split(',')[0] == member
            for x in self.owners[name].members
        )

    def _is_substantial(self, name, active):
        """Has a structure, used as a parameter or member, anything to check, itself or in what it
        holds?"""
        if name in self.substantial:
            return self.substantial[name]
        if name in active:
            return False
        owner = self.owners[name]
        result = owner.structure_type is not None or any(
            (c.struct is None)
            or c.kind == 'struct_pointer'
            or c.kind == 'struct_array'
            or self._is_substantial(c.struct, active | {name})
            for c in owner.checks
        )
        self.substantial[name] = result
        return result

    def _settle_claims(self):
        """An id is claimed once; ids of what no command can hand in are impossible, as are sTypes
        that only a chain carries."""
        for name, owner in self.owners.items():
            ids = {i for c in owner.checks for i in c.vuids}
            if owner.chain:
                ids |= {i for i in (owner.chain.vuid, owner.chain.unique) if i}
            if owner.structure_type:
                ids.add(owner.structure_type[1])
                self.claimed[owner.structure_type[1]] = ('structure_type', '')
            if (
                owner.chain
                and owner.chain.unique
                and not any(not self.m.structs[n].allowDuplicate for n in owner.chain.allowed)
            ):
                del self.claimed[owner.chain.unique]
                self.impossible[owner.chain.unique] = REPEATABLE
            if owner.is_command:
                continue
            if name not in self.heads and name not in self.chained:
                for id in [i for i in self.claimed if self.m.vuids[i].owner == name]:
                    del self.claimed[id]
                    self.impossible[id] = (
                        IN_MEMORY
                        if not owner.item.returnedOnly
                        else 'no command takes this structure'
                    )
            elif name not in self.heads:
                if owner.structure_type:
                    del self.claimed[owner.structure_type[1]]
                    self.impossible[owner.structure_type[1]] = BY_TYPE
        for id in [i for i in self.claimed if self.m.vuids[i].owner in UNHOOKED]:
            self.impossible[id] = LOADER
        for id in LOADER_READS:
            if id not in self.claimed:
                changes.note(
                    'registry/rooms/stateless/rules.py:1',
                    f'{id} is read by the loader, but is no rule',
                    id,
                )
            self.impossible[id] = LOADER
        for id in self.impossible:
            self.claimed.pop(id, None)

    # --- what the templates ask -------------------------------------------------------------------

    @property
    def chain_structures(self):
        """The structures that a chain can hold, by the value of their sType; their place in this
        list is their number."""
        if not hasattr(self, '_chain_structures'):
            types = self.m.all_structure_types
            self._chain_structures = sorted(
                (n for n in self.chained), key=lambda n: types[self.m.structs[n].sType]
            )
        return self._chain_structures

    @property
    def foreign_structure_types(self):
        """sType values that are no structure of this model: other platforms' and the loader's own.
        Not ours to judge."""
        ours = {s.sType for s in self.m.structs.values() if s.sType}
        return sorted((v, n) for n, v in self.m.all_structure_types.items() if n not in ours)

    @property
    def checked_structures(self):
        """Structures with a function of their own, in the registry's order."""
        return [
            n
            for n in self.m.structs
            if (n in self.heads and self.substantial[n]) or self.body_needed(n)
        ]

    @property
    def chain_heads(self):
        return [n for n in self.m.structs if n in self.heads and self.owners[n].chain]

    @property
    def written_rules(self):
        return sorted(written()[0] - self.absent_rules)

    @property
    def written_bits(self):
        names = [n.removeprefix('bits_') for n in sorted(written()[1]) if n.startswith('bits_')]
        return [
            self._bits(n, None)
            for n in names
            if self.m.bitmask_aliases.get(n, n) in self.m.bitmasks
        ]

    def rule_parameters(self, name):
        """Returns the parameters of rule_<name>: those of a structure get the structure and where
        it lies, those of a command the parameters of the command."""
        if name in self.m.commands:
            return f'struct check *c, {self.m.parameter_list(self.m.commands[name])}'
        return f'struct check *c, const struct location *where, const {name} *s'

    def rule_arguments(self, owner):
        """Returns the arguments of the call of rule_<name>, in the generated function of the same
        structure or command."""
        return ', '.join(
            ['c'] + ([x.name for x in owner.members] if owner.is_command else ['where', 's'])
        )

    def chain_numbers(self, chain):
        numbers = {n: i for i, n in enumerate(self.chain_structures)}
        return sorted(numbers[n] for n in chain.allowed)

    @property
    def hooked_commands(self):
        return [
            n
            for n in self.m.commands
            if self.command_needs_hook(self.owners[n]) and n not in UNHOOKED
        ]

    def gate_condition(self, owner):
        """C condition under which a command is not enabled."""
        gate = self.command_gate(owner)
        lacks = lambda e: (
            f'instance_lacks(call, EXTENSION_{e})'
            if not self.m.is_device_command(owner.item)
            or (e in self.m.extensions and self.m.extensions[e].instance)
            else f'device_lacks(call, EXTENSION_{e})'
        )
        return ' && '.join(map(lacks, sorted(gate)))

    def body_needed(self, name):
        """Does a structure need a function for its members alone, as a chain's head checks sType
        and pNext for it?"""
        return name in self.chained and bool(self.owners[name].checks)

    def shard(self, names, number, count):
        """The number-th of `count` runs of `names` of about equal weight, in order."""
        weights = [3 + len(self.owners[n].checks) for n in names]
        total, shards, seen = sum(weights), [[] for _ in range(count)], 0
        for name, weight in zip(names, weights):
            shards[min(count - 1, seen * count // total)].append(name)
            seen += weight
        return shards[number]

    def command_needs_hook(self, owner):
        return bool(owner.checks) or self.command_gate(owner) is not None

    def command_gate(self, owner):
        """The requirement that a call must meet, or None: device commands, and instance commands of
        instance extensions."""
        m = self.m
        requirement = owner.requirement
        if requirement is None or m.is_global(owner.item):
            return None
        if not m.is_device_command(owner.item):
            if not all(n in m.versions or m.extensions[n].instance for n in requirement):
                return None  # physical-device functionality of a device extension needs no enabling
        return requirement


def parameter_field(m, p):
    """A parameter as a member: arrays are pointers."""
    return f'const {p.type} *{p.name}' if p.fixedSizeArray else m.declaration(p)


@functools.cache
def rules(m):
    """The rules of a model, built once."""
    return Rules(m)


def claims(m):
    """VUID -> (rule, note) for every id that the stateless validator checks; see also
    `impossible`."""
    return dict(rules(m).claimed)


def impossible(m):
    """VUID -> why a layer cannot check it."""
    return dict(rules(m).impossible)
