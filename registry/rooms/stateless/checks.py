"""Checks of a parameter or member, and the commands and structures that have these."""

import re


class Check:
    """One thing to check about one parameter or member.

    kind     names the template function that renders it
    vuids    the ids that it claims
    member   the registry's Param or Member
    value    C expression of the value; `name` its name in findings; `where` C expression of the
             location around it
    guards   C conditions, all of which must hold for the check to apply
    Others by kind: struct, enum, bits, count, optional (NULL or 0 is fine), output, pointers,
    texts."""

    def __init__(self, kind, vuids, member, value, name, where, guards=(), **fields):
        self.kind, self.vuids, self.member = kind, list(vuids), member
        self.value, self.name, self.where, self.guards = value, name, where, list(guards)
        self.struct = self.enum = self.bits = self.count = self.handle = None
        self.optional = self.output = self.pointers = False
        self.__dict__.update(fields)

    @property
    def vuid(self):
        return self.vuids[0] if self.vuids else None

    def __repr__(self):
        return f'<{self.kind} {self.name} {self.vuids} {self.guards}>'


CONDITIONS = [
    (
        re.compile(
            r'If the value referenced by (?P<count>\w+) is not 0, and (?P<null>\w+) is not NULL, '
        ),
        'two_call',
    ),
    (re.compile(r'If (?P<count>\w+) is not 0, and (?P<null>\w+) is not NULL, '), 'count_and_null'),
    (re.compile(r'If (?P<x>\w+) is not (?P<what>0|NULL|VK_NULL_HANDLE), '), 'not_empty'),
    (
        re.compile(
            r'If (?P<selector>\w+) is (?P<values>VK_\w+(?:(?:, or |, | or )VK_\w+)*), '
            r'(?:and if (?P<null>\w+) is not NULL, )?'
            r'the (?P<inner>\w+) member of (?P<union>\w+) '
        ),
        'selector',
    ),
]


class Owner:
    """A command or structure with its checks, in the order of its parameters or members."""

    def __init__(self, item, is_command):
        self.item, self.name, self.is_command = item, item.name, is_command
        self.members = item.params if is_command else item.members
        self.by_name = {x.name: x for x in self.members}
        self.structure_type = None  # (constant, VUID) when it has an sType member with a VUID
        self.chain = None  # ChainRule
        self.checks = []
        self.requirement = None

    def value(self, name):
        return name if self.is_command else f's->{name}'

    @property
    def where(self):
        return 'NULL' if self.is_command else 'where'


class ChainRule:
    def __init__(self, owner, vuid, unique, allowed, elsewhere):
        self.owner, self.vuid, self.unique = owner, vuid, unique
        self.allowed = allowed  # names of structures of this model
        self.elsewhere = elsewhere  # names that only another platform has
