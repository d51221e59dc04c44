#!/usr/bin/env python3
"""Makes the shaders of tests/scenarios/gpu/gpu_sanitizer.c, gpu_mesh.c and gpu_trace.c, for
tests/harness/assemble.py: each does one thing with what is pushed to it, in one invocation where
that can be."""

HEAD = """#extension GL_EXT_nonuniform_qualifier : require
layout(push_constant) uniform Push { uint index; uint other; uvec2 address; } push;
layout(binding = 0) buffer Result { vec4 value; } result;
"""
MESH = '#extension GL_EXT_mesh_shader : require\n'
POSITION = 'vec4({0} == 1 ? 3.0 : -1.0, {0} == 2 ? 3.0 : -1.0, 0.0, 1.0)'

# The sanitizer looks at each of these operations: a name and the statement. Compute shaders have
# all of them; vertex and fragment shaders have the first one, too.
ARITHMETIC = {
    'udiv': 'result.value.x = float(7u / push.index)',
    'umod': 'result.value.x = float(7u % push.index)',
    'sdiv': 'result.value.x = float(int(push.other) / int(push.index))',
    'divided_vector': 'result.value = vec4(uvec4(8) / uvec4(1, 2, push.index, push.other))',
    'fmod': 'result.value.x = mod(3.5, float(push.index))',
    'shift': 'result.value.x = float(1u << push.index)',
    'shifted_vector': 'result.value = vec4(uvec4(8) >> uvec4(1, push.index, 2, 3))',
    'extract': 'result.value.x = float(bitfieldExtract(push.other, int(push.index), 8))',
    'insert': 'result.value.x = float(bitfieldInsert(push.other, 1u, 4, int(push.index)))',
    'component': 'result.value.x = (vec4(push.other) + vec4(1, 2, 3, 4))[push.index]',
    'power': 'result.value.x = pow(float(int(push.index)), 0.5)',
    'power_of_zero': 'result.value.x = pow(float(push.index), float(int(push.other)))',
    'angle': 'result.value.x = atan(float(push.index), float(push.other))',
    'least': 'result.value.x = min(uintBitsToFloat(push.index), 1.0)',
    'greatest_vector': (
        'result.value.xy = max(vec2(1.0, uintBitsToFloat(push.index)), '
        'vec2(uintBitsToFloat(push.other), 2.0))'
    ),
    'clamped': 'result.value.x = clamp(0.5, float(push.index), float(push.other))',
    'clamped_integer': 'result.value.x = float(clamp(5, int(push.index), int(push.other)))',
    'smoothed': 'result.value.x = smoothstep(float(push.index), float(push.other), 0.5)',
    'root': 'result.value.x = sqrt(float(int(push.index)))',
    'inverse_root': 'result.value.x = inversesqrt(float(push.index))',
    'logarithm': 'result.value.x = log(float(push.index))',
    'arc': 'result.value.x = acos(float(push.index) / 2.0)',
}
COMPUTE = 'layout(local_size_x = 4) in;\n'
# So many divisions that are right in front of a statement that the shader tells of what is wrong at
# its end.
MANY = ''.join(
    f'        result.value.y += float(9u / (push.other + {i}u));\n' for i in range(1, 14)
)

# Mesh shaders: in front of main, what the first line sets, and what the invocation that writes does
# then.
TRIANGLES = (
    MESH
    + 'layout(local_size_x = 1) in;\nlayout(triangles, max_vertices = 3, max_primitives = 2) out;\n'
)
MESHES = {
    'vertex_count': ('', 'SetMeshOutputsEXT(push.index, 0)', ''),
    'primitive_count': ('', 'SetMeshOutputsEXT(0, push.index)', ''),
    # The counts are cut to what was declared, and drawn: both primitives have indices.
    'both_counts': (
        '',
        'SetMeshOutputsEXT(push.index, push.index)',
        'gl_PrimitiveTriangleIndicesEXT[1] = uvec3(0, 1, 2)',
    ),
    'vertex': (
        '',
        'SetMeshOutputsEXT(3, 1)',
        'gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, push.index)',
    ),
    'primitive': (
        '',
        'SetMeshOutputsEXT(3, 1)',
        'gl_PrimitiveTriangleIndicesEXT[push.index] = uvec3(0, 1, 2)',
    ),
    'per_primitive': (
        'layout(location = 0) perprimitiveEXT out uint material[];\n',
        'SetMeshOutputsEXT(3, 1)',
        'material[push.index] = 7u',
    ),
    'set_again': ('', 'SetMeshOutputsEXT(3, 1)', 'if (push.index == 1) SetMeshOutputsEXT(3, 1)'),
}
COUNTED = ('vertex_count', 'primitive_count')  # of which nothing is drawn

RAYS = """#extension GL_EXT_ray_tracing : require
#extension GL_EXT_ray_query : require
layout(set = 1, binding = 0) uniform accelerationStructureEXT scene;
layout(location = 0) rayPayloadEXT uint payload;
"""
ORIGIN = 'vec3(0.25, 0.25, uintBitsToFloat(push.address.y))'
TRACES = {
    'ray': (
        f'traceRayEXT(scene, push.index, 0xff, 0, 0, 0, {ORIGIN}, uintBitsToFloat(push.other), '
        f'vec3(0, 0, 1), uintBitsToFloat(push.address.x), 0)'
    ),
    'query': f'rayQueryEXT query; rayQueryInitializeEXT(query, scene, push.index, 0xff, {ORIGIN}, '
    f'uintBitsToFloat(push.other), vec3(0, 0, 1), '
    'uintBitsToFloat(push.address.x)); result.value.x = float(rayQueryProceedEXT(query))',
}


INITIALIZE = (
    'rayQueryInitializeEXT(query, scene, 0, 0xff, vec3(0.25, 0.25, -1), 0, vec3(0, 0, 1), 100)'
)
PROCEED = (
    'while (rayQueryProceedEXT(query))\n        rayQueryConfirmIntersectionEXT(query);\n    '
    'result.value.x = rayQueryGetIntersectionTEXT(query, true)'
)
LOCAL = '    rayQueryEXT query;\n'
# How a ray query comes to its uses: the body of a shader, and what is declared before.
QUERIES = {
    'query_never': (f'{LOCAL}    {PROCEED};', ''),
    'query_sometimes': (
        f'{LOCAL}    if (push.index == 0)\n        {INITIALIZE};\n    {PROCEED};',
        '',
    ),
    'query_both_ways': (
        (
            f'{LOCAL}    if (push.index == 0)\n        {INITIALIZE};\n    else\n        '
            f'{INITIALIZE};\n    {PROCEED};'
        ),
        '',
    ),
    'query_of_a_function': (
        f'    if (push.index == 0)\n        begin();\n    {PROCEED};',
        f'rayQueryEXT query;\nvoid begin() {{ {INITIALIZE}; }}\n',
    ),
}


def module(name, stage, text, target=''):
    print(f';; {name}_{stage} {stage}+g{target}\n{text}')


def main():
    for name, statement in ARITHMETIC.items():
        module(
            name,
            'comp',
            HEAD
            + COMPUTE
            + f'void main()\n{{\n    if (gl_GlobalInvocationID.x == 5)\n        {statement};\n}}',
        )
    statement = ARITHMETIC['udiv']
    module(
        'udiv',
        'vert',
        HEAD
        + (
            f'void main()\n{{\n    if (gl_VertexIndex == 1)\n        {statement};\n    '
            f'gl_Position = {POSITION.format("gl_VertexIndex")};\n}}'
        ),
    )
    module(
        'udiv',
        'frag',
        HEAD + 'layout(location = 0) out vec4 color;\nvoid main()\n{\n    if (gl_FragCoord.xy == '
        'vec2(10.5, 20.5))\n'
        f'        {statement};\n    color = vec4(1.0);\n}}',
    )
    module(
        'many_udiv',
        'comp',
        HEAD
        + COMPUTE
        + (
            f'void main()\n{{\n    if (gl_GlobalInvocationID.x == 5) {{\n{MANY}        '
            f'{statement};\n    }}\n}}'
        ),
    )
    module(
        'many_udiv',
        'frag',
        HEAD + f'layout(location = 0) out vec4 color;\nvoid main()\n{{\n    if (gl_FragCoord.xy '
        f'== vec2(10.5, 20.5)) {{\n{MANY}'
        f'        {statement};\n        discard;\n    }}\n    color = vec4(1.0);\n}}',
        '+vulkan1.1',
    )
    module(
        'many_wrong',
        'comp',
        HEAD
        + COMPUTE
        + (
            f'void main()\n{{\n{MANY}    {statement};\n    '
            f'{ARITHMETIC["shift"].replace("index", "other")};\n}}'
        ),
    )
    for name, (declarations, setting, statement) in MESHES.items():
        positions = (
            ''
            if name in COUNTED
            else ''.join(
                f'    gl_MeshVerticesEXT[{i}].gl_Position = {POSITION.format(i)};\n'
                for i in range(3)
            )
        )
        usual = (
            ''
            if name in (*COUNTED, 'vertex', 'primitive')
            else '    gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2);\n'
        )
        module(
            name,
            'mesh',
            HEAD
            + TRIANGLES
            + declarations
            + f'void main()\n{{\n    {setting};\n{positions}{usual}'
            + (f'    {statement};\n' if statement else '')
            + '}',
        )
    module(
        'first_invocation',
        'mesh',
        HEAD
        + TRIANGLES.replace('local_size_x = 1', 'local_size_x = 4')
        + f"""void main()
{{
    uint which = gl_LocalInvocationIndex;
    SetMeshOutputsEXT(gl_LocalInvocationIndex == 0 ? 3 : 0, gl_LocalInvocationIndex == 0 ? 1 : 0);
    if (which < 3)
        gl_MeshVerticesEXT[which].gl_Position = {POSITION.format('which')};
    if (which == push.other)
        gl_PrimitiveTriangleIndicesEXT[push.index] = uvec3(0, 1, 2);
}}""",
    )
    module(
        'groups',
        'task',
        HEAD
        + MESH
        + (
            'layout(local_size_x = 1) in;\nvoid main()\n{\n    EmitMeshTasksEXT(push.index, '
            'push.other, 0);\n}'
        ),
    )
    for name, statement in TRACES.items():
        module(
            name,
            'rgen',
            HEAD
            + RAYS
            + (
                f'void main()\n{{\n    if (gl_LaunchIDEXT.x == 1) {{\n        {statement};\n   '
                f' }}\n}}'
            ),
        )
    for name, (body, declared) in QUERIES.items():
        module(
            name,
            'rgen',
            HEAD
            + RAYS
            + declared
            + f'void main()\n{{\n    if (gl_LaunchIDEXT.x == 1) {{\n{body}\n    }}\n}}',
        )
    module(
        'hit_kind',
        'rint',
        HEAD + '#extension GL_EXT_ray_tracing : require\nvoid main()\n{\n    if (gl_LaunchIDEXT.x '
        '== 1)\n'
        '        reportIntersectionEXT(1.5, push.index);\n}',
    )


if __name__ == '__main__':
    main()
