#!/usr/bin/env python3
"""Makes the shaders of tests/scenarios/gpu_world.c, for tests/harness/assemble.py: `KIND_STAGE` reads element `push.index` of an array of descriptors of the
kind, in one invocation of the stage; `KIND_runtime_STAGE` does so in an array without a length; `plain_STAGE` reads nothing."""

# Declarations and the access: what binding 1 has beside the array, the array in binding 2, and the line of source.
KINDS = {
    'sampled': ('layout(binding = 1) uniform sampler the_sampler;', 'uniform texture2D things',
                'textureLod(sampler2D(things[push.index], the_sampler), vec2(0.5), 0.0)'),
    'combined': ('', 'uniform sampler2D things', 'textureLod(things[push.index], vec2(0.5), 0.0)'),
    'sampler': ('layout(binding = 1) uniform texture2D the_texture;', 'uniform sampler things',
                'textureLod(sampler2D(the_texture, things[push.index]), vec2(0.5), 0.0)'),
    'storage_image': ('', 'uniform image2D things', 'imageLoad(things[push.index], ivec2(0))'),
    'uniform_texel': ('', 'uniform utextureBuffer things', 'vec4(texelFetch(things[push.index], 0))'),
    'storage_texel': ('', 'uniform uimageBuffer things', 'vec4(imageLoad(things[push.index], 0))'),
    'storage_buffer': ('', 'buffer Things { vec4 value; } things', 'things[push.index].value'),
    'uniform_buffer': ('', 'uniform Things { vec4 value; } things', 'things[push.index].value'),
}
FORMATS = {'storage_image': ', rgba8', 'storage_texel': ', r32ui'}

COMMON = '''#extension GL_EXT_samplerless_texture_functions : require
#extension GL_EXT_nonuniform_qualifier : require
layout(push_constant) uniform Push { uint index; uint other; } push;
'''
POSITION = 'vec4({0} == 1 ? 3.0 : -1.0, {0} == 2 ? 3.0 : -1.0, 0.0, 1.0)'
MESH = '#extension GL_EXT_mesh_shader : require\nlayout(local_size_x = 2) in;\n'
RAYS = '#extension GL_EXT_ray_tracing : require\n'
# What stands in front of main, which invocation does the access, and what else main does.
STAGES = {
    'vert': ('', 'gl_VertexIndex == 1', '    gl_Position = ' + POSITION.format('gl_VertexIndex') + ';\n'),
    'tesc': ('layout(vertices = 3) out;\n', 'gl_InvocationID == 1',
             '    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;\n'
             '    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelInner[0] = 1.0;\n'),
    'tese': ('layout(triangles) in;\n', 'gl_TessCoord.x == 1.0',
             '    gl_Position = gl_in[0].gl_Position * gl_TessCoord.x + gl_in[1].gl_Position * gl_TessCoord.y + gl_in[2].gl_Position * gl_TessCoord.z;\n'),
    'geom': ('layout(triangles) in;\nlayout(triangle_strip, max_vertices = 3) out;\n', 'gl_PrimitiveIDIn == 0',
             '    for (int i = 0; i < 3; i++) {\n        gl_Position = gl_in[i].gl_Position;\n        EmitVertex();\n    }\n'),
    'frag': ('layout(location = 0) out vec4 color;\n', 'gl_FragCoord.xy == vec2(10.5, 20.5)', '    color = vec4(1.0);\n'),
    'comp': ('layout(local_size_x = 4) in;\n', 'gl_GlobalInvocationID.x == 5', ''),
    'task': (MESH, 'gl_LocalInvocationIndex == 1', '    EmitMeshTasksEXT(1, 1, 1);\n'),
    'mesh': (MESH + 'layout(triangles, max_vertices = 3, max_primitives = 1) out;\n', 'gl_LocalInvocationIndex == 1',
             '    SetMeshOutputsEXT(3, 1);\n' +
             ''.join(f'    gl_MeshVerticesEXT[{i}].gl_Position = {POSITION.format(i)};\n' for i in range(3)) +
             '    gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2);\n'),
    'rgen': (RAYS + 'layout(set = 1, binding = 0) uniform accelerationStructureEXT scene;\nlayout(location = 0) rayPayloadEXT uint payload;\n'
             'layout(location = 0) callableDataEXT uint called;\n', 'gl_LaunchIDEXT.x == 1',
             '    traceRayEXT(scene, gl_RayFlagsNoneEXT, 0xff, 0, 0, 0, vec3(0.25, 0.25, -1.0), 0.001, vec3(0.0, 0.0, 1.0), 100.0, 0);\n'
             '    traceRayEXT(scene, gl_RayFlagsNoneEXT, 0xff, 0, 0, 0, vec3(0.25, 0.25, -1.0), 0.001, vec3(0.0, 0.0, -1.0), 100.0, 0);\n'
             '    executeCallableEXT(0, 0);\n'),
    'rahit': (RAYS + 'layout(location = 0) rayPayloadInEXT uint payload;\n', 'gl_LaunchIDEXT.x == 1', '    payload = 1;\n'),
    'rchit': (RAYS + 'layout(location = 0) rayPayloadInEXT uint payload;\n', 'gl_LaunchIDEXT.x == 1', '    payload = 2;\n'),
    'rmiss': (RAYS + 'layout(location = 0) rayPayloadInEXT uint payload;\n', 'gl_LaunchIDEXT.x == 1', '    payload = 3;\n'),
    'rint': (RAYS, 'gl_LaunchIDEXT.x == 1', '    reportIntersectionEXT(1.5, 0);\n'),
    'rcall': (RAYS + 'layout(location = 0) callableDataInEXT uint called;\n', 'gl_LaunchIDEXT.x == 1', '    called = 4;\n'),
}
EVERYWHERE = ('vert', 'tesc', 'tese', 'geom', 'frag', 'comp', 'task', 'mesh', 'rgen', 'rahit', 'rchit', 'rmiss', 'rint', 'rcall')
RUNTIME = ('frag', 'comp')
LENGTH = 6


def module(name, stage, declarations, access):
    head, condition, rest = STAGES[stage]
    print(f';; {name} {stage}+g')
    print(COMMON + head + declarations + 'void main()\n{')
    if access:
        print(f'    if ({condition})\n        result.value = {access};')
    print(rest + '}')


def declared(kind, length):
    beside, array, _ = KINDS[kind]
    return (f'layout(binding = 0) buffer Result {{ vec4 value; }} result;\n{beside}\n'
            f'layout(binding = 2{FORMATS.get(kind, "")}) {array}[{length}];\n')


def main():
    for stage in EVERYWHERE:
        module('plain_' + stage, stage, '', None)
        for kind, (_, _, access) in KINDS.items():
            module(f'{kind}_{stage}', stage, declared(kind, LENGTH), access)
            if stage in RUNTIME:
                module(f'{kind}_runtime_{stage}', stage, declared(kind, ''), access)


if __name__ == '__main__':
    main()
