#!/usr/bin/env python3
"""Makes modules for rows about SPIR-V (forms_spirv.py): one that breaks just the row, and the
nearest that does not.

  cases_spirv.py --registry DIR --spirv DIR --modules FILE --list FILE

FILE of --modules gets the modules, for tests/harness/assemble.py; that of --list `BROKEN(number,
"id")` and `HOLDS(number)` of each, for tests/scenarios/shader/spirv_rows.c. Only rows about
built-ins are made; spirv_rows.txt names scenarios for the others."""

import argparse
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from model import registry as registry_model
from model.write_if_changed import write_if_changed
from rows import spirv_rows as forms_spirv

# Each execution model needs these modes to be valid.
MODES = {
    'Fragment': ['OriginUpperLeft'],
    'GLCompute': ['LocalSize 1 1 1'],
    'TessellationControl': ['OutputVertices 1'],
    'TessellationEvaluation': ['Triangles', 'SpacingEqual', 'VertexOrderCcw'],
    'Geometry': ['InputPoints', 'OutputPoints', 'OutputVertices 1', 'Invocations 1'],
    'MeshNV': ['LocalSize 1 1 1', 'OutputVertices 3', 'OutputPrimitivesNV 1', 'OutputTrianglesNV'],
    'TaskNV': ['LocalSize 1 1 1'],
}
# Built-ins whose statements have nothing to say of the model.
ANY_MODEL = 'Vertex'
SCALARS = {'FLOAT': 'OpTypeFloat 32', 'INT': 'OpTypeInt 32 0', 'BOOL': 'OpTypeBool'}


class Use:
    """One variable decorated as a built-in, in one entry point."""

    def __init__(self, built_in, model, storage, type_, decorations):
        self.built_in, self.model, self.storage, self.type, self.decorations = (
            built_in,
            model,
            storage,
            type_,
            decorations,
        )


class Cases:
    def __init__(self, m):
        self.m, self.rows = m, forms_spirv.rows(m)
        self.names = {
            kind: {value: e['enumerant'] for value, e in m.spirv.enumerants(kind)}
            for kind in ('ExecutionModel', 'StorageClass', 'BuiltIn', 'Decoration')
        }
        self.of = {}
        for v, row in self.rows.rows:
            kind, constant, _ = row.subjects[0]
            if kind == 'BUILT_IN':
                self.of.setdefault(constant, []).append((v, row))

    def right(self, built_in, model=None):
        """A use that no row of the built-in forbids."""
        found = {row.must.kind: row.must for _, row in self.of[built_in] if not row.guards}
        models = found['MODEL'].data[0] if 'MODEL' in found else [None]
        model = model or self.names['ExecutionModel'].get(models[0], ANY_MODEL)
        storage = [
            row.must
            for _, row in self.of[built_in]
            if row.must.kind == 'STORAGE'
            and (
                not row.guards
                or model in [self.names['ExecutionModel'][x] for x in row.guards[0].data[0]]
            )
        ]
        return Use(
            self.names['BuiltIn'][built_in],
            model,
            self.names['StorageClass'][storage[0].data[0][0]]
            if storage
            else 'Output'
            if model == 'MeshNV'
            else 'Input',
            found['TYPE'].data[0]
            if 'TYPE' in found
            else ('FLOAT', 32, 4, (0,))
            if self.names['BuiltIn'][built_in] == 'PositionPerViewNV'
            else ('INT', 32, 1, ()),
            [self.names['Decoration'][found['DECORATED'].data[0]]] if 'DECORATED' in found else [],
        )

    def guarded(self, built_in, row):
        return self.right(
            built_in, self.names['ExecutionModel'][row.guards[0].data[0][0]] if row.guards else None
        )

    def broken(self, built_in, row):
        use = self.guarded(built_in, row)
        must = row.must
        if must.kind == 'MODEL':
            within = {self.names['ExecutionModel'][x] for x in must.data[0]}
            use.model = next(
                x
                for x in ('Vertex', 'Fragment', 'GLCompute')
                if x not in within and (use.storage == 'Input' or x != 'GLCompute')
            )
        elif must.kind == 'STORAGE':
            use.storage = 'Private'
        elif must.kind == 'TYPE':
            use.type = (
                ('INT', 32, 1, ()) if must.data[0] != ('INT', 32, 1, ()) else ('FLOAT', 32, 1, ())
            )
        elif must.kind == 'DECORATED':
            use.decorations = []
        else:
            raise ValueError(f'no way to break {must}')
        return use

    def needs(self, kind, name):
        """(capabilities, extensions) of an enumerant: one of those that bring it, and what that
        needs."""
        e = next(
            e
            for _, e in self.m.spirv.enumerants(kind)
            if name == e['enumerant'] or name in e.get('aliases', [])
        )
        capabilities, extensions = e.get('capabilities', [])[:1], e.get('extensions', [])[:1]
        for c in list(capabilities):
            more = self.needs('Capability', c)
            capabilities, extensions = capabilities + more[0], extensions + more[1]
        return capabilities, extensions

    def module(self, name, use):
        capabilities, extensions = ['Shader'], []
        for kind, value in [
            ('BuiltIn', use.built_in),
            ('ExecutionModel', use.model),
            *(('Decoration', d) for d in use.decorations),
        ]:
            more = self.needs(kind, value)
            capabilities += more[0]
            extensions += more[1]
        numeric, _, components, arrays = use.type
        lines = [
            f';; {name}',
            *(f'OpCapability {c}' for c in dict.fromkeys(capabilities)),
            *(f'OpExtension "{e}"' for e in dict.fromkeys(extensions)),
            'OpMemoryModel Logical GLSL450',
            f'OpEntryPoint {use.model} %main "main" %var',
            *(f'OpExecutionMode %main {x}' for x in MODES.get(use.model, [])),
            f'OpDecorate %var BuiltIn {use.built_in}',
            *(f'OpDecorate %var {d}' for d in use.decorations),
        ]
        if use.model == 'Fragment' and use.storage == 'Input' and numeric == 'INT':
            lines.append('OpDecorate %var Flat')
        lines += ['%void = OpTypeVoid', '%fn = OpTypeFunction %void', f'%t0 = {SCALARS[numeric]}']
        count = 1
        if components > 1:
            lines.append(f'%t1 = OpTypeVector %t0 {components}')
            count = 2
        if arrays:
            lines += [] if numeric == 'INT' else ['%uint = OpTypeInt 32 0']
            lines.append(f'%two = OpConstant {"%t0" if numeric == "INT" else "%uint"} 2')
        for _ in arrays:
            lines.append(f'%t{count} = OpTypeArray %t{count - 1} %two')
            count += 1
        type_ = f'%t{count - 1}'
        lines += [
            f'%ptr = OpTypePointer {use.storage} {type_}',
            f'%var = OpVariable %ptr {use.storage}',
            f'%null = OpConstantNull {type_}',
            '%main = OpFunction %void None %fn',
            '%label = OpLabel',
            'OpStore %var %null' if use.storage == 'Output' else f'%value = OpLoad {type_} %var',
            'OpReturn',
            'OpFunctionEnd',
        ]
        return lines

    def write(self):
        """(modules, list)"""
        modules, listed = [], []
        for built_in, rows in self.of.items():
            for v, row in rows:
                if not forms_spirv.listed()[v.id].made:
                    continue
                number = v.id[-5:]
                modules += self.module(
                    f'broken_{number}', self.broken(built_in, row)
                ) + self.module(f'holds_{number}', self.guarded(built_in, row))
                listed += [f'BROKEN({number}, "{v.id}")', f'HOLDS({number})']
        return '\n'.join(modules) + '\n', '\n'.join(listed) + '\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition('\n\n')[0])
    for name in ('registry', 'spirv', 'modules', 'list'):
        parser.add_argument(f'--{name}', required=True)
    args = parser.parse_args()
    modules, listed = Cases(registry_model.load(args.registry, args.spirv)).write()
    write_if_changed(args.modules, modules)
    write_if_changed(args.list, listed)


if __name__ == '__main__':
    main()
