#!/usr/bin/env python3
"""Statements about what a SPIR-V module says, as data: core/shader/spirv_rows.c interprets them.

registry/spirv_rows.txt lists them, each with a checksum of the sentence that a person has read. A
sentence becomes a Row: a subject (a built-in, an execution mode, instructions, a decoration),
guards that say when it applies, and what must hold. The grammar is strict: each name resolves in
SPIRV-Headers' spirv.core.grammar.json or in the registry, or the sentence is not read. The
generation fails where a listed sentence is not read, or has changed.

  forms_spirv.py --registry DIR --spirv DIR   prints the statements that could be rows and are none
"""

import argparse
import functools
import os
import re
import sys
import zlib

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from model import changes, feature_tables, read_as
from model.places import REGISTRY
from model.registry import RegistryError
from model.string_pool import StringPool

LIST = os.path.join(REGISTRY, 'spirv_rows.txt')

VERSIONED = re.compile(r'VkPhysicalDeviceVulkan1\d+Properties$')
NUMBERS = {'two': 2, 'three': 3, 'four': 4}
SUBJECTS = ('BUILT_IN', 'MODE', 'OPCODE', 'DECORATION')


class NotRead(Exception):
    """The sentence has a word that resolves nowhere, or that has two meanings."""


class Atom:
    """A condition. `kind`: enum spirv_atom_kind; `denied`: its opposite is meant; `data`: what the
    kind needs, as C words or as what they come from."""

    def __init__(self, kind, *data, denied=False):
        self.kind, self.data, self.denied = kind, data, denied

    def __repr__(self):
        return f'{"not " if self.denied else ""}{self.kind}{self.data!r}'


class Row:
    """`subjects`: [(kind, constant, word)]; `word`: of the operand that atoms look at, 0 where they
    look at none."""

    def __init__(self, subjects, guards, must):
        self.subjects, self.guards, self.must = subjects, guards, must

    @property
    def atoms(self):
        return self.guards + [self.must]

    def __repr__(self):
        names = [name for name, *_ in self.subjects]
        return f'{names[0] if len(names) == 1 else names} if {self.guards} then {self.must}'


class Reader:
    """Reads sentences, with the names of a model that has SPIR-V's grammar."""

    def __init__(self, m):
        self.m, self.spirv = m, m.spirv
        self.features = feature_tables.tables(m)
        self.feature_names = {feature.member for feature in self.features.features}
        self.instructions = {
            name: i
            for i in self.spirv.instructions
            for name in (i['opname'], *i.get('aliases', []))
        }
        self.forms = [(re.compile(pattern + '$'), getattr(self, name)) for pattern, name in FORMS]

    def read(self, text):
        """The Row of a sentence, or None."""
        for pattern, form in self.forms:
            found = pattern.match(text)
            if found:
                try:
                    return form(*found.groups())
                except NotRead:
                    return None
        return None

    # --- names ---

    @functools.cache
    def numbers(self, kind):
        return {
            name: value
            for value, e in self.spirv.enumerants(kind)
            for name in (e['enumerant'], *e.get('aliases', []))
        }

    def value(self, kind, name):
        if name not in self.numbers(kind):
            raise NotRead
        return self.numbers(kind)[name]

    def values(self, kind, text):
        """ "A, B or C" as numbers."""
        names = [
            x.removesuffix(' Execution Model')
            for x in re.split(r',? or (?:in )?(?:the )?|, (?:and )?', text)
        ]
        return tuple(self.value(kind, name) for name in names)

    def opcode(self, name):
        if name not in self.instructions:
            raise NotRead
        return self.instructions[name]['opcode']

    def operand(self, instruction, name, kind):
        """The word of an operand of this name and kind, or None."""
        for i, o in enumerate(instruction.get('operands', [])):
            if o.get('name') == name and o['kind'] == kind:
                return i + 1
            if (
                o.get('quantifier') == '*'
                or o['kind'].startswith(('Literal', 'Pair'))
                and o['kind'] != 'LiteralInteger'
            ):
                return None
        return None

    def feature(self, name):
        if name not in self.feature_names:
            raise NotRead
        return ('FEATURE', name)

    def limit(self, name, of=None):
        """(structure, member) of a property; a structure of a version counts only where no other
        has it."""
        found = [
            s
            for s in self.m.structs.values()
            if ('VkPhysicalDeviceProperties2' in s.extends or s.name == 'VkPhysicalDeviceLimits')
            and not s.protect
            and (of is None or s.name == of)
            and any(x.name == name for x in s.members)
        ]
        found = [s for s in found if not VERSIONED.match(s.name)] or found
        if len(found) != 1:
            raise NotRead
        return found[0].name, name

    def property(self, name, of=None):
        structure, member = self.limit(name, of)
        if not any(
            x.name == member and x.type == 'VkBool32' for x in self.m.structs[structure].members
        ):
            raise NotRead
        return ('PROPERTY', structure, member)

    def features_named(self, text):
        """ "A, or B, or C" of features."""
        return Atom(
            'DEVICE', tuple(self.feature(x) for x in re.split(r',? or |, ', text.strip(' ,')))
        )

    # --- types ---

    def type_named(self, text):
        """(numeric, width, components, columns, dimensions of arrays) of "a scalar 32-bit integer
        value"; a dimension of 0 may have any length."""
        g = re.fullmatch(
            r'(?:a |an )?(?:(?P<two>two-dimensional )?array of (?:size (?P<size>\w+), '
            r'containing )?)?(?:a )?(?:scalar )?(?:(?P<n>\w+)-component vector of )?'
            r'(?:(?P<width>32)-bit (?P<numeric>integer|floating-point)|(?P<bool>boolean)) values?',
            text,
        )
        if not g or g['size'] and g['size'] not in NUMBERS or g['n'] and g['n'] not in NUMBERS:
            raise NotRead
        arrays = text.count('array')
        dimensions = (0, 0) if g['two'] else (NUMBERS[g['size']] if g['size'] else 0,) * arrays
        return (
            'BOOL' if g['bool'] else 'INT' if g['numeric'] == 'integer' else 'FLOAT',
            0 if g['bool'] else 32,
            NUMBERS[g['n']] if g['n'] else 1,
            dimensions,
        )

    # --- built-ins ---

    def built_in(self, name):
        return [('BUILT_IN', self.value('BuiltIn', name), 0)]

    def built_in_within(self, name, models):
        return Row(self.built_in(name), [], Atom('MODEL', self.values('ExecutionModel', models)))

    def _models(self, models):
        return [Atom('MODEL', self.values('ExecutionModel', models))] if models else []

    def built_in_declared_in(self, name, models, classes):
        return Row(
            self.built_in(name),
            self._models(models),
            Atom('STORAGE', self.values('StorageClass', classes)),
        )

    def built_in_type(self, name, text):
        return Row(self.built_in(name), [], Atom('TYPE', self.type_named(text), text))

    def built_in_decorated(self, name, decoration):
        return Row(self.built_in(name), [], Atom('DECORATED', self.value('Decoration', decoration)))

    def built_in_needs_feature(self, name, models, feature):
        return Row(
            self.built_in(name), self._models(models), Atom('DEVICE', (self.feature(feature),))
        )

    def built_in_beside_mode(self, structure, member, mode, name):
        return Row(
            self.built_in(name),
            [Atom('ENTRY_MODE', (self.value('ExecutionMode', mode),))],
            Atom('DEVICE', (self.property(member, structure),)),
        )

    # --- execution modes ---

    def modes(self, *names):
        return [('MODE', self.value('ExecutionMode', name), 3) for name in names]

    def mode_needs_feature(self, feature, mode):
        return Row(self.modes(mode), [], Atom('DEVICE', (self.feature(feature),)))

    def mode_of_width(self, name, mode, width):
        return Row(
            self.modes(mode),
            [Atom('LITERAL', (int(width),))],
            Atom('DEVICE', (self.property(name),)),
        )

    def fast_math_default(self, name, width):
        flags = sum(self.value('FPFastMathMode', x) for x in ('NSZ', 'NotInf', 'NotNaN'))
        return Row(
            [('MODE', self.value('ExecutionMode', 'FPFastMathDefault'), 3)],
            [
                Atom('OPERAND_TYPE', ('FLOAT', int(width), 0, ())),
                Atom('DEVICE', (self.property(name),), denied=True),
            ],
            Atom('NEXT_HAS_BITS', flags, 'NSZ, NotInf and NotNaN'),
        )

    def modes_need_property_in(self, name, first, second, models):
        return Row(
            self.modes(first, second), self._models(models), Atom('DEVICE', (self.property(name),))
        )

    def mode_at_most(self, model, mode, structure, member):
        return Row(
            self.modes(mode),
            self._models(model),
            Atom('LITERAL_AT_MOST', *self.limit(member, structure)),
        )

    def tile_rate_at_most(self, axis, mode, structure, member):
        part = {'x': 'width', 'y': 'height'}[axis]
        return Row(
            [('MODE', self.value('ExecutionMode', mode), 3 + 'xy'.index(axis))],
            [Atom('MODEL', (self.value('ExecutionModel', 'GLCompute'),))],
            Atom('LITERAL_AT_MOST', *self.limit(member, structure), part),
        )

    # --- instructions ---

    def opcodes(self, *names, word=0):
        return [('OPCODE', self.opcode(name), word) for name in names]

    def instruction_needs_feature(self, feature, name):
        return Row(self.opcodes(name), [], Atom('DEVICE', (self.feature(feature),)))

    def instruction_on_floats(self, feature, name, width):
        return Row(
            self.opcodes(name),
            [Atom('RESULT_TYPE', ('FLOAT', int(width), 0, ()))],
            Atom('DEVICE', (self.feature(feature),)),
        )

    def scope_needs_feature(self, feature, scope, name):
        word = (
            self.operand(self.instructions[name], 'Scope', 'IdScope')
            if name in self.instructions
            else None
        )
        if not word:
            raise NotRead
        return Row(
            self.opcodes(name, word=word),
            [Atom('CONSTANT', (self.value('Scope', scope),))],
            Atom('DEVICE', (self.feature(feature),)),
        )

    def memory_scope(self, model, feature, scope):
        subjects = [
            ('OPCODE', i['opcode'], self.operand(i, 'Memory', 'IdScope'))
            for i in self.spirv.instructions
            if self.operand(i, 'Memory', 'IdScope')
        ]
        return Row(
            subjects,
            [
                Atom('CONSTANT', (self.value('Scope', scope),)),
                Atom('DEVICE', (self.feature(model),)),
            ],
            Atom('DEVICE', (self.feature(feature),)),
        )

    def memory_scope_of_model(self, model, scope):
        subjects = [
            ('OPCODE', i['opcode'], self.operand(i, 'Memory', 'IdScope'))
            for i in self.spirv.instructions
            if self.operand(i, 'Memory', 'IdScope')
        ]
        return Row(
            subjects,
            [Atom('CONSTANT', (self.value('Scope', scope),))],
            Atom('DEVICE', (self.feature(model),)),
        )

    def atomics(self, features, width, numeric, vector, classes):
        subjects = [
            ('OPCODE', i['opcode'], self.operand(i, 'Pointer', 'IdRef'))
            for i in self.spirv.instructions
            if i['class'] == 'Atomic'
        ]
        pattern = ('INT' if numeric == 'integer' else 'FLOAT', int(width) if width else 0, 1, ())
        guards = [Atom('ATOMIC_VECTOR' if vector else 'ATOMIC_TYPE', pattern)]
        if classes:
            guards.append(Atom('POINTER', self.values('StorageClass', classes)))
        return Row(subjects, guards, self.features_named(features))

    def atomics_on(self, features, width, numeric, classes):
        return self.atomics(features, width, numeric, False, classes)

    def atomics_of(self, features, width, numeric):
        return self.atomics(features, width, numeric, False, None)

    def atomics_of_vectors(self, features, width):
        return self.atomics(features, width, 'floating-point', True, None)

    def optional_operand(self, name, operand, instruction):
        word = (
            self.operand(self.instructions[instruction], operand, 'IdRef')
            if instruction in self.instructions
            else None
        )
        if not word:
            raise NotRead
        return Row(
            self.opcodes(instruction, word=word),
            [Atom('HAS_OPERAND', f'the operand {operand}')],
            Atom('DEVICE', (self.feature(name),)),
        )

    def streams_below(self, first, second, structure, member):
        return Row(
            self.opcodes(first, second, word=1),
            [],
            Atom('CONSTANT_BELOW', *self.limit(member, structure)),
        )

    def matching(self, *patterns):
        """Instructions whose names are of one of these: `*` stands for anything."""
        found = [
            i
            for i in self.spirv.instructions
            if any(
                re.fullmatch(re.escape(p).replace(r'\*', '.*'), name)
                for p in patterns
                for name in (i['opname'], *i.get('aliases', []))
            )
        ]
        for p in patterns:
            if not any(
                re.fullmatch(re.escape(p).replace(r'\*', '.*'), name)
                for i in found
                for name in (i['opname'], *i.get('aliases', []))
            ):
                raise NotRead
        return found

    def offsets_bounded(self, first, second, operands, way, name):
        subjects = []
        for i in self.matching(first, second):
            words = [
                n + 1 for n, o in enumerate(i.get('operands', [])) if o['kind'] == 'ImageOperands'
            ]
            subjects += [('OPCODE', i['opcode'], word) for word in words]
        mask = sum(self.values('ImageOperands', operands))
        return Row(
            subjects,
            [],
            Atom(
                'OFFSETS_AT_LEAST' if way == 'greater' else 'OFFSETS_AT_MOST',
                *self.limit(name, 'VkPhysicalDeviceLimits'),
                mask,
            ),
        )

    def group_types(self, feature, text):
        patterns = []
        for part in text.split(', '):
            g = re.fullmatch(r'(\d+)-bit (integer|floating-point)', part)
            if not g:
                raise NotRead
            patterns.append(('INT' if g[2] == 'integer' else 'FLOAT', int(g[1]), 0, ()))
        instructions = self.matching('OpGroupNonUniform*')
        subjects = [
            ('OPCODE', i['opcode'], self.operand(i, 'Execution', 'IdScope'))
            for i in instructions
            if self.operand(i, 'Execution', 'IdScope')
        ]
        return Row(
            subjects,
            [Atom('CONSTANT', (self.value('Scope', 'Subgroup'),)), Atom('RESULT_TYPES', *patterns)],
            Atom('DEVICE', (self.feature(feature),)),
        )

    def variable_without_initializer(self, feature, storage):
        return Row(
            self.opcodes(
                'OpVariable',
                word=self.operand(self.instructions['OpVariable'], 'Initializer', 'IdRef'),
            ),
            [
                Atom('HAS_OPERAND', 'an initializer'),
                Atom('RESULT_STORAGE', (self.value('StorageClass', storage),)),
            ],
            Atom('DEVICE', (self.feature(feature),)),
        )

    def image_variable(self, feature, dim, decoration):
        return Row(
            self.opcodes('OpVariable'),
            [
                Atom('POINTS_TO_IMAGE', self.value('Dim', dim)),
                Atom('DEVICE', (self.feature(feature),), denied=True),
            ],
            Atom('DECORATED', self.value('Decoration', decoration)),
        )

    def image_array_variable(self, dim, decoration):
        return Row(
            self.opcodes('OpVariable'),
            [Atom('POINTS_TO_IMAGES', self.value('Dim', dim))],
            Atom('DECORATED', self.value('Decoration', decoration)),
        )

    def type_scope(self, feature, name, scope):
        word = (
            self.operand(self.instructions[name], 'Scope', 'IdScope')
            if name in self.instructions
            else None
        )
        scopes = [value for known, value in self.numbers('Scope').items() if known.upper() == scope]
        if not word or len(scopes) != 1:
            raise NotRead
        return Row(
            self.opcodes(name, word=word),
            [Atom('CONSTANT', (scopes[0],))],
            Atom('DEVICE', (self.feature(feature),)),
        )

    def dimensions_at_most(self, feature, name, limit):
        words = (
            [self.operand(self.instructions[name], x, 'IdRef') for x in ('Rows', 'Columns')]
            if name in self.instructions
            else [None]
        )
        if None in words:
            raise NotRead
        return Row(
            [s for word in words for s in self.opcodes(name, word=word)],
            [Atom('DEVICE', (self.feature(feature),))],
            Atom('CONSTANT_AT_MOST', *self.limit(limit)),
        )

    def vectors_at_most(self, feature, limit):
        return Row(
            self.opcodes(
                'OpTypeVectorIdEXT',
                word=self.operand(
                    self.instructions['OpTypeVectorIdEXT'], 'Component Count', 'IdRef'
                ),
            ),
            [
                Atom('DEVICE', (self.feature(feature),)),
                Atom('CAPABILITY', self.value('Capability', 'LongVectorEXT')),
            ],
            Atom('CONSTANT_AT_MOST', *self.limit(limit)),
        )

    def cooperative_vectors_at_most(self, limit):
        # The instruction has two names: this one where the module may not have long vectors.
        name = 'OpTypeCooperativeVectorNV'
        if name not in self.instructions:
            raise NotRead
        return Row(
            self.opcodes(
                name, word=self.operand(self.instructions[name], 'Component Count', 'IdRef')
            ),
            [
                Atom('CAPABILITY', self.value('Capability', 'CooperativeVectorNV')),
                Atom('CAPABILITY', self.value('Capability', 'LongVectorEXT'), denied=True),
            ],
            Atom('CONSTANT_AT_MOST', *self.limit(limit)),
        )

    def tensor_type(self, name, way, operand):
        word = (
            self.operand(self.instructions[name], operand, 'IdRef')
            if name in self.instructions
            else None
        )
        if not word:
            raise NotRead
        # A module of graphs has no shader stages.
        return Row(
            self.opcodes(name, word=word),
            [Atom('CAPABILITY', self.value('Capability', 'GraphARM'), denied=True)],
            Atom('HAS_OPERAND', f'a {operand}', denied=way == 'with'),
        )

    # --- decorations ---

    def decoration_bounded(self, decoration, below, structure, member):
        return Row(
            [('DECORATION', self.value('Decoration', decoration), 0)],
            [],
            Atom(
                'LITERAL_AT_MOST' if below.endswith('equal to') else 'LITERAL_BELOW',
                *self.limit(member, structure),
            ),
        )


LIMIT = r'(VkPhysicalDevice\w+)(?:::|\.)(\w+)'
MOST = r'(less than|less than or equal to)'
FORMS = [
    (r'The (\w+) decoration must be used only within the (.+) Execution Model', 'built_in_within'),
    (
        (
            r'The variable decorated with (\w+)(?: within the (.+) Execution Model)? must be '
            r'declared using the (.+) Storage Class'
        ),
        'built_in_declared_in',
    ),
    (
        (
            r'The variable decorated with (\w+)(?: within the (.+) Execution Model)? must not '
            r'be declared using a Storage Class other than (.+)'
        ),
        'built_in_declared_in',
    ),
    (r'The variable decorated with (\w+) must be declared as (.+)', 'built_in_type'),
    (
        r'The variable decorated with (\w+) must also be decorated with the (\w+) decoration',
        'built_in_decorated',
    ),
    (
        r'If (\w+) is declared in the (.+) Execution Model, the (\w+) feature must be enabled',
        'built_in_needs_feature',
    ),
    (
        (
            rf'If {LIMIT} is not supported the (\w+) Execution Mode must not be declared, when '
            rf'a variable with the (\w+) decoration is declared'
        ),
        'built_in_beside_mode',
    ),
    (
        r'If the (\w+) feature is not enabled, the (\w+) Execution Mode must not be used',
        'mode_needs_feature',
    ),
    (
        r'If (\w+) is VK_FALSE, then (\w+) for (\d+)-bit floating-point type must not be used',
        'mode_of_width',
    ),
    (
        (
            r'If (\w+) is VK_FALSE then any FPFastMathDefault execution mode with a type of '
            r'(\d+)-bit float must include the NSZ, NotInf, and NotNaN flags'
        ),
        'fast_math_default',
    ),
    (
        (
            r'If (\w+) is VK_FALSE, the (\w+) and (\w+) execution modes must not be used in '
            r'the (.+) Execution Model'
        ),
        'modes_need_property_in',
    ),
    (
        (
            rf'For mesh shaders using the (\w+) Execution Model the (\w+) OpExecutionMode must '
            rf'be less than or equal to {LIMIT}'
        ),
        'mode_at_most',
    ),
    (
        (
            rf'In compute shaders that enables SPIR-V capability TileShadingQCOM, the ([xy]) '
            rf'size in (\w+) must be less than or equal to {LIMIT}\.[xy]'
        ),
        'tile_rate_at_most',
    ),
    (
        r'If the (\w+) feature is not enabled, the (Op\w+) must not be used',
        'instruction_needs_feature',
    ),
    (
        (
            r'(\w+) must be enabled for (Op\w+) to be supported with a result type that '
            r'includes a (\d+)-bit float'
        ),
        'instruction_on_floats',
    ),
    (
        r'If the (\w+) feature is not enabled, the (\w+) scope must not be used for (Op\w+)',
        'scope_needs_feature',
    ),
    (
        (
            r'If the (\w+) feature is enabled and the (\w+) feature is not enabled, (\w+) '
            r'memory scope must not be used'
        ),
        'memory_scope',
    ),
    (
        r'If the (\w+) feature is not enabled, (\w+) memory scope must not be used',
        'memory_scope_of_model',
    ),
    (
        (
            r'(\w[\w, ]+) must be enabled for (?:(\d+)-bit )?(integer|floating-point) atomic '
            r'operations to be supported on a Pointer with a Storage Class of (.+)'
        ),
        'atomics_on',
    ),
    (
        r'(\w[\w, ]+) must be enabled for (\d+)-bit (integer|floating-point) atomic operations',
        'atomics_of',
    ),
    (
        (
            r'(\w[\w, ]+) must be enabled for (\d+)-bit floating-point, 2- and 4-component '
            r'vector atomic operations to be supported'
        ),
        'atomics_of_vectors',
    ),
    (
        r'If (\w+) is VK_FALSE, then the (\w+) operand to (Op\w+) must not be used',
        'optional_operand',
    ),
    (
        (
            r'If an (Op\S+) or (Op\S+) operation has an image operand of ([\w, ]+?),? (?:then '
            r')?the offset value must be (greater|less) than or equal to (\w+)'
        ),
        'offsets_bounded',
    ),
    (
        r'(\w+) must be enabled for group operations to use (.+), and vectors of these types',
        'group_types',
    ),
    (
        (
            r'If the (\w+) feature is not enabled, any variable with (\w+) as its Storage '
            r'Class must not have an Initializer operand'
        ),
        'variable_without_initializer',
    ),
    (
        (
            r'If the (\w+) feature is not enabled, any variable created with a “Type” of '
            r'OpTypeImage that has a “Dim” operand of (\w+) must be decorated with (\w+)'
        ),
        'image_variable',
    ),
    (
        (
            r'Any variable declared as an OpTypeArray where the Element Type is an OpTypeImage '
            r'with a “Dim” operand of (\w+) must be decorated with (\w+)'
        ),
        'image_array_variable',
    ),
    (
        (
            r'If the (\w+) feature is not enabled, the scope of all (Op\w+) must not be '
            r'VkScopeKHR::VK_SCOPE_(\w+)_KHR'
        ),
        'type_scope',
    ),
    (
        (
            r'If the (\w+) feature is enabled, all (Op\w+) dimensions must be less than or '
            r'equal to (\w+)'
        ),
        'dimensions_at_most',
    ),
    (
        (
            r'If the (\w+) feature is enabled, the Component Count of any vector type must be '
            r'less than or equal to (\w+)'
        ),
        'vectors_at_most',
    ),
    (
        (
            r'OpTypeCooperativeVector instructions must have Component Count less than or '
            r'equal to (\w+)'
        ),
        'cooperative_vectors_at_most',
    ),
    (r'(OpTypeTensorARM) (with|without) a (\w+) must not be used in shader stages', 'tensor_type'),
    (rf'The Stream value to (Op\w+) and (Op\w+) must be less than {LIMIT}', 'streams_below'),
    (
        rf'The (?:stream number|XFB Stride) value to (\w+) must be {MOST} {LIMIT}',
        'decoration_bounded',
    ),
]


def checksum(text):
    return f'{zlib.crc32(text.encode()):08x}'


class Listed:
    """A line of spirv_rows.txt: `ID checksum broken=FILE.NAME holds=FILE.NAME`. Without scenarios,
    those that cases_spirv.py makes.

    `silent=MODEL`: the row says nothing of an entry point of this model, where compilers break the
    sentence."""

    def __init__(self, vuid, checksum, *more, line=0):
        self.place = f'registry/spirv_rows.txt:{line}'
        self.vuid, self.checksum = vuid, checksum
        given = dict(word.split('=', 1) for word in more)
        self.silent = given.pop('silent', None)
        if set(given) not in ({'broken', 'holds'}, set()):
            raise RegistryError(
                f'spirv_rows.txt: {vuid}: should have broken=FILE.NAME and '
                f'holds=FILE.NAME, or neither'
            )
        self.made = not given
        self.broken = given.get('broken', f'spirv_rows.broken_{vuid[-5:]}')
        self.holds = given.get('holds', f'spirv_rows.holds_{vuid[-5:]}')


@functools.cache
def listed():
    """id -> Listed, of spirv_rows.txt."""
    with open(LIST, encoding='utf-8') as f:
        lines = [
            (number, line.split())
            for number, line in enumerate(f, 1)
            if line.strip() and not line.startswith('#')
        ]
    out = {words[0]: Listed(*words, line=number) for number, words in lines}
    if len(out) != len(lines):
        raise RegistryError('spirv_rows.txt: an id stands twice')
    return out


def ids(m):
    """The ids that rows enforce, each with a sentence that reads as it did."""
    out = []
    for vuid, known in listed().items():
        with changes.left_out(known.place, vuid):
            if vuid not in m.vuids:
                raise RegistryError(f'the registry has no {vuid}')
            if checksum(m.vuids[vuid].text) != known.checksum:
                raise RegistryError(
                    f'{vuid} reads otherwise now; read it again, then give it '
                    f'{checksum(m.vuids[vuid].text)}: {m.vuids[vuid].text}'
                )
            out.append(vuid)
    return out


def untested(scenarios):
    """Messages about rows whose scenarios do not test them, as rows.untested()."""
    expected = {
        words[0]: words[1:] for words in (line.split() for line in scenarios.splitlines()) if words
    }
    out = []
    for row in listed().values():
        if row.vuid not in expected.get(row.broken, ()):
            out.append(f'spirv_rows.txt: {row.vuid}: no scenario {row.broken} expects it')
        if row.holds not in expected or expected[row.holds]:
            out.append(f'spirv_rows.txt: {row.vuid}: {row.holds} is no scenario without a finding')
    return out


class SpirvRows:
    """`rows`: [(vuid, Row)]. `values`, `types`, `requirements` and `texts` hold what atoms point
    at."""

    def __init__(self, m):
        self.m, self.reader = m, Reader(m)
        self.rows = []
        for vuid in ids(m):
            with changes.left_out(listed()[vuid].place, vuid):
                self._add(vuid)
        # The more a row asks before it speaks, the narrower it is, and the earlier it is looked at.
        self.rows.sort(key=lambda item: (-len(item[1].guards), item[0].id))
        self.values, self.types, self.requirements = [], [], []
        texts = {''}
        for _, row in self.rows:
            for atom in row.atoms:
                texts |= set(self._texts(atom))
        self.pool = StringPool(texts)
        self.atoms, self.first = [], {}
        for vuid, row in self.rows:
            self.first[vuid.id] = len(self.atoms)
            self.atoms += [self._words(atom) for atom in row.atoms]
        # The first row that an instruction breaks is reported: numbers increase from the narrow
        # ones to the wide ones.
        self.subjects = sorted(
            (SUBJECTS.index(kind), constant, i, word)
            for i, (_, row) in enumerate(self.rows)
            for kind, constant, word in row.subjects
        )

    def _add(self, vuid):
        row = self.reader.read(read_as.text(self.m.vuids[vuid]))
        if row is None:
            raise RegistryError(
                f'the sentence of {vuid} is not understood: {self.m.vuids[vuid].text}'
            )
        silent = listed()[vuid].silent
        if silent:
            row.guards.append(
                Atom('MODEL', self.reader.values('ExecutionModel', silent), denied=True)
            )
        self.rows.append((self.m.vuids[vuid], row))

    @staticmethod
    def _texts(atom):
        if atom.kind in ('TYPE', 'NEXT_HAS_BITS'):
            return [atom.data[1]]
        if atom.kind == 'DEVICE':
            return [x[-1] for x in atom.data[0]]
        if atom.kind == 'HAS_OPERAND':
            return [atom.data[0]]
        return [atom.data[1]] if atom.kind in LIMITED else []

    def _place(self, structure, member, part=None):
        place = (
            'properties.limits'
            if structure == 'VkPhysicalDeviceLimits'
            else f'extended.{structure.removeprefix("VkPhysicalDevice")}'
        )
        return f'offsetof(struct device, {place}.{member}{"." + part if part else ""})'

    def _head(self, structure):
        return (
            '0'
            if structure == 'VkPhysicalDeviceLimits'
            else f'offsetof(struct device, extended.{structure.removeprefix("VkPhysicalDevice")})'
        )

    def _run(self, store, items):
        """Where the items stand in the list, one after the other."""
        for i in range(len(store) - len(items) + 1):
            if store[i : i + len(items)] == items:
                return i
        store += items
        return len(store) - len(items)

    def _words(self, atom):
        """C of a struct spirv_atom: kind, count, first, data."""
        kind = f'SPIRV_ATOM_{atom.kind}' + (' | SPIRV_ATOM_DENIED' if atom.denied else '')
        if atom.kind in (
            'MODEL',
            'STORAGE',
            'POINTER',
            'ENTRY_MODE',
            'LITERAL',
            'CONSTANT',
            'RESULT_STORAGE',
        ):
            values = list(atom.data[0])
            return kind, len(values), self._run(self.values, values), '0', atom
        if atom.kind in ('TYPE', 'RESULT_TYPE', 'OPERAND_TYPE', 'ATOMIC_TYPE', 'ATOMIC_VECTOR'):
            return (
                kind,
                1,
                self._run(self.types, [atom.data[0]]),
                self.pool.offset(atom.data[1]) if atom.kind == 'TYPE' else 0,
                atom,
            )
        if atom.kind == 'DEVICE':
            items = [self._requirement(x) for x in atom.data[0]]
            return kind, len(items), self._run(self.requirements, items), '0', atom
        if atom.kind == 'RESULT_TYPES':
            return kind, len(atom.data), self._run(self.types, list(atom.data)), 0, atom
        if atom.kind in ('DECORATED', 'POINTS_TO_IMAGE', 'POINTS_TO_IMAGES', 'CAPABILITY'):
            return kind, 0, atom.data[0], '0', atom
        if atom.kind == 'NEXT_HAS_BITS':
            return kind, 0, atom.data[0], self.pool.offset(atom.data[1]), atom
        if atom.kind == 'HAS_OPERAND':
            return kind, 0, '0', self.pool.offset(atom.data[0]), atom
        if atom.kind.startswith('OFFSETS_'):
            structure, member, mask = atom.data
            return (
                kind,
                1,
                self._run(
                    self.requirements,
                    [
                        (
                            'LIMIT',
                            self._place(structure, member),
                            self._head(structure),
                            self.pool.offset(member),
                        )
                    ],
                ),
                mask,
                atom,
            )
        if atom.kind in LIMITED:
            structure, member, *part = atom.data
            return (
                kind,
                1,
                self._run(
                    self.requirements,
                    [
                        (
                            'LIMIT',
                            self._place(structure, member, *part),
                            self._head(structure),
                            self.pool.offset(member),
                        )
                    ],
                ),
                '0',
                atom,
            )
        raise RegistryError(f'no words for {atom}')

    def _requirement(self, x):
        if x[0] == 'FEATURE':
            return ('FEATURE', f'FEATURE_{x[1]}', '0', self.pool.offset(x[1]))
        return ('PROPERTY', self._place(x[1], x[2]), self._head(x[1]), self.pool.offset(x[2]))


LIMITED = (
    'LITERAL_AT_MOST',
    'LITERAL_BELOW',
    'CONSTANT_AT_MOST',
    'CONSTANT_BELOW',
    'OFFSETS_AT_LEAST',
    'OFFSETS_AT_MOST',
)


@functools.cache
def rows(m):
    return SpirvRows(m)


def main():
    from model import registry as model

    parser = argparse.ArgumentParser(
        description='Statements about SPIR-V that could be rows and are none.'
    )
    parser.add_argument('--registry', required=True)
    parser.add_argument('--spirv', required=True)
    parser.add_argument('--all', action='store_true')
    args = parser.parse_args()
    m = model.load(args.registry, args.spirv)
    reader = Reader(m)
    for v in m.vuids.values():
        row = reader.read(v.text) if v.numbered and (args.all or v.id not in listed()) else None
        if row is not None:
            print(f'{v.id} {checksum(v.text)}\n    {v.text}\n    {row}')


if __name__ == '__main__':
    main()
