#!/usr/bin/env python3
"""Makes the shaders of tests/scenarios/gpu/shader_abort_stages.c, for tests/harness/assemble.py:
some invocations of a stage give up when 42 is pushed, and all others note in the result what they
have come to."""

COMMON = """#extension GL_EXT_abort : require
layout(push_constant) uniform Push { uint index; uint other; uvec2 address; } push;
layout(binding = 0) buffer Result { uint values[64]; } result;
"""
MESH = """#extension GL_EXT_mesh_shader : require
layout(local_size_x = 32) in;
"""
PAYLOAD = 'struct Payload { uint group; };\ntaskPayloadSharedEXT Payload payload;\n'
RAYS = '#extension GL_EXT_ray_tracing : require\n'
TRIANGLE = 'vec4({0} == 1 ? 3.0 : -1.0, {0} == 2 ? 3.0 : -1.0, 0.0, 1.0)'
OUTPUTS = 'layout(triangles, max_vertices = 3, max_primitives = 1) out;\n'
PASS = '    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;\n'
LEVELS = (
    '    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = '
    'gl_TessLevelInner[0] = 1.0;\n'
)
GROUP_1 = 'push.index == 42 && gl_WorkGroupID.x == 1 && gl_LocalInvocationIndex == 5'
# Name: stage, what stands in front of main, and main.
SHADERS = {
    # values[group]: invocations that came to their end; values[8 + group]: mesh workgroups that the
    # group has emitted.
    'some_task': (
        'task',
        MESH + PAYLOAD,
        f"""    if ({GROUP_1})
        abortEXT("task %u", gl_LocalInvocationIndex);
    atomicAdd(result.values[gl_WorkGroupID.x], 1u);
    payload.group = gl_WorkGroupID.x;
    EmitMeshTasksEXT(2, 1, 1);
""",
    ),
    'counting_mesh': (
        'mesh',
        MESH + PAYLOAD + OUTPUTS,
        """    if (gl_LocalInvocationIndex == 0)
        atomicAdd(result.values[8 + payload.group], 1u);
    SetMeshOutputsEXT(0, 0);
""",
    ),
    'mesh_before': (
        'mesh',
        MESH + OUTPUTS,
        f"""    if ({GROUP_1})
        abortEXT("mesh %u", gl_LocalInvocationIndex);
    SetMeshOutputsEXT(0, 0);
    atomicAdd(result.values[gl_WorkGroupID.x], 1u);
""",
    ),
    'mesh_behind': (
        'mesh',
        MESH + OUTPUTS,
        f"""    SetMeshOutputsEXT(0, 0);
    if ({GROUP_1})
        abortEXT("mesh %u", gl_LocalInvocationIndex);
    barrier();
    atomicAdd(result.values[gl_WorkGroupID.x], 1u);
""",
    ),
    # values[invocation] of patch 0, values[8 + invocation] of patch 1
    'tesc_barrier': (
        'tesc',
        """layout(vertices = 3) out;
void check()
{
    if (push.index == 42 && gl_PrimitiveID == 0 && gl_InvocationID == 1)
        abortEXT("control point %d", gl_InvocationID);
}
""",
        PASS
        + '    check();\n    barrier();\n'
        + LEVELS
        + '    result.values[8 * gl_PrimitiveID + gl_InvocationID] = 1u;\n',
    ),
    # values[primitive]: it began, values[8 + primitive]: it came to its end, values[16 + primitive]
    # was drawn.
    'some_geom': (
        'geom',
        (
            'layout(triangles) in;\nlayout(triangle_strip, max_vertices = 6) '
            'out;\nlayout(location = 0) flat out int which;\n'
        ),
        """    result.values[gl_PrimitiveIDIn] = 1u;
    for (int i = 0; i < 3; i++) {
        gl_Position = gl_in[i].gl_Position;
        which = gl_PrimitiveIDIn;
        EmitVertex();
    }
    EndPrimitive();
    gl_Position = gl_in[0].gl_Position;
    EmitVertex();
    if (push.index == 42 && gl_PrimitiveIDIn == 1)
        abortEXT("primitive %d", gl_PrimitiveIDIn);
    result.values[8 + gl_PrimitiveIDIn] = 1u;
""",
    ),
    'drawn_frag': (
        'frag',
        'layout(location = 0) flat in int which;\nlayout(location = 0) out vec4 color;\n',
        '    color = vec4(1.0);\n    result.values[16 + which] = 1u;\n',
    ),
    # values[8 * instance + vertex]
    'some_vert': (
        'vert',
        '',
        f"""    if (push.index == 42 && gl_InstanceIndex == 2 && gl_VertexIndex == 6)
        abortEXT("vertex %d of instance %d", gl_VertexIndex, gl_InstanceIndex);
    result.values[8 * gl_InstanceIndex + gl_VertexIndex - 5] = 1u;
    gl_Position = {TRIANGLE.format('(gl_VertexIndex - 5)')};
""",
    ),
    # Covers half of the image, and so has helper invocations along its edge.
    'half_vert': (
        'vert',
        '',
        (
            '    gl_Position = vec4(gl_VertexIndex == 1 ? 0.95 : -0.95, gl_VertexIndex == 2 ? '
            '0.95 : -0.95, 0.0, 1.0);\n'
        ),
    ),
}
# values[0]: fragments that came to their end. One gives up, one is discarded.
FRAGMENT = """    ivec2 at = ivec2(gl_FragCoord.xy);
    if (at == ivec2(9, 40))
        discard;
    if (push.index == 42 && at == ivec2(10, 20))
        abortEXT("fragment %v2d", at);
    vec2 step = vec2(dFdx(gl_FragCoord.x), dFdy(gl_FragCoord.y));
    atomicAdd(result.values[0], 1u);
    first = vec4(1.0, step, 1.0);
    second = vec4(1.0);
"""
FRAGMENT_OUT = 'layout(location = 0) out vec4 first;\nlayout(location = 1) out vec4 second;\n'
SHADERS['some_frag'] = ('frag', FRAGMENT_OUT, FRAGMENT)
SHADERS['early_frag'] = ('frag', 'layout(early_fragment_tests) in;\n' + FRAGMENT_OUT, FRAGMENT)
# Each fragment of a quad with helper invocations in it gives up, and so may these.
SHADERS['helpers_frag'] = (
    'frag',
    FRAGMENT_OUT,
    """    if (push.index == 42 && gl_FragCoord.x + gl_FragCoord.y > 60.0)
        abortEXT("fragment %v2f", gl_FragCoord.xy);
    atomicAdd(result.values[0], 1u);
    first = second = vec4(1.0);
""",
)
# values[8 * launch]: the payload of what hits, then of what misses, what was called, and 1 at the
# end; 1 at the end of the closest hit.
SHADERS['goes_on_rgen'] = (
    'rgen',
    RAYS + 'layout(set = 1, binding = 0) uniform accelerationStructureEXT scene;\nlayout(location '
    '= 0) rayPayloadEXT uint payload;\n'
    'layout(location = 0) callableDataEXT uint called;\n',
    """    uint at = 8 * gl_LaunchIDEXT.x;
    payload = called = 9;
    traceRayEXT(scene, gl_RayFlagsNoneEXT, 0xff, 0, 0, 0, vec3(0.25, 0.25, -1.0), 0.001, vec3(0.0, 0.0, 1.0), 100.0, 0);
    result.values[at] = payload;
    traceRayEXT(scene, gl_RayFlagsNoneEXT, 0xff, 0, 0, 0, vec3(0.25, 0.25, -1.0), 0.001, vec3(0.0, 0.0, -1.0), 100.0, 0);
    result.values[at + 1] = payload;
    executeCallableEXT(0, 0);
    result.values[at + 2] = called;
    result.values[at + 3] = 1;
""",
)
SHADERS['calls_rchit'] = (
    'rchit',
    RAYS
    + (
        'layout(location = 0) rayPayloadInEXT uint payload;\nlayout(location = 1) '
        'callableDataEXT uint inner;\n'
    ),
    """    inner = 7;
    executeCallableEXT(0, 1);
    payload = 2;
    result.values[8 * gl_LaunchIDEXT.x + 4] = inner;
""",
)
LAUNCH_1 = 'push.index == 42 && gl_LaunchIDEXT.x == 1'
SHADERS['called_rcall'] = (
    'rcall',
    RAYS + 'layout(location = 0) callableDataInEXT uint called;\n',
    f"""    if ({LAUNCH_1} && called == 7)
        abortEXT("called by ray %u", gl_LaunchIDEXT.x);
    called += 1;
""",
)
SHADERS['some_rahit'] = (
    'rahit',
    RAYS + 'layout(location = 0) rayPayloadInEXT uint payload;\n',
    f"""    if ({LAUNCH_1})
        abortEXT("any hit of ray %u", gl_LaunchIDEXT.x);
    result.values[8 * gl_LaunchIDEXT.x + 5] = 1;
""",
)
SHADERS['some_rint'] = (
    'rint',
    RAYS,
    f"""    if ({LAUNCH_1})
        abortEXT("intersection of ray %u", gl_LaunchIDEXT.x);
    reportIntersectionEXT(1.5, 0);
""",
)

# --- barriers: values[group]: what the group has counted together ---
COMPUTE = 'layout(local_size_x = 64) in;\nshared uint sum;\n'
START = '    if (gl_LocalInvocationIndex == 0)\n        sum = 0;\n    barrier();\n'
FINISH = '    if (gl_LocalInvocationIndex == 0)\n        result.values[gl_WorkGroupID.x] = sum;\n'
GIVE_UP = f'if ({GROUP_1})\n        abortEXT("before the barrier");\n'
SHADERS['barrier_behind'] = (
    'comp',
    COMPUTE,
    START + f'    {GIVE_UP}    atomicAdd(sum, 1u);\n    barrier();\n' + FINISH,
)
SHADERS['barrier_loop'] = (
    'comp',
    COMPUTE,
    START + f'    for (uint i = 0; i < 4; i++) {{\n        if (i == 2 && {GROUP_1})\n            '
    f'abortEXT("turn %u", i);\n        atomicAdd(sum, 1u);\n'
    '        barrier();\n    }\n' + FINISH,
)
SHADERS['barrier_called'] = (
    'comp',
    COMPUTE
    + (
        f'uint meet(uint x)\n{{\n    {GIVE_UP}    atomicAdd(sum, x);\n    barrier();\n    '
        f'return sum;\n}}\n'
    ),
    START + '    uint all = meet(1) + meet(0);\n'
    '    if (gl_LocalInvocationIndex == 0)\n        result.values[gl_WorkGroupID.x] = all / 2;\n',
)
SHADERS['subgroup_behind'] = (
    'comp',
    '#extension GL_KHR_shader_subgroup_arithmetic : require\n' + COMPUTE,
    START + f'    {GIVE_UP}    uint together = subgroupAdd(1u);\n'
    '    if (subgroupElect())\n        atomicAdd(sum, together);\n    barrier();\n' + FINISH,
)
SHADERS['half_behind'] = (
    'comp',
    COMPUTE,
    START + '    if (push.index == 42 && gl_WorkGroupID.x == 1 && gl_LocalInvocationIndex >= 32)\n '
    '       abortEXT("half of a group");\n'
    '    atomicAdd(sum, 1u);\n    barrier();\n    atomicAdd(sum, 1u);\n    barrier();\n' + FINISH,
)
SHADERS['group_behind'] = (
    'comp',
    COMPUTE,
    START
    + (
        '    if (push.index == 42 && gl_WorkGroupID.x == 1)\n        abortEXT("all of a '
        'group");\n    atomicAdd(sum, 1u);\n    barrier();\n'
    )
    + FINISH,
)
# --- for pipelines of all kinds: values[group] ---
SHADERS['plain_comp_abort'] = (
    'comp',
    'layout(local_size_x = 1) in;\nlayout(constant_id = 7) const uint WHEN = 3;\n',
    """    if (push.index == 42 && gl_GlobalInvocationID.x == WHEN)
        abortEXT("group %u", gl_GlobalInvocationID.x);
    result.values[gl_GlobalInvocationID.x] = 1u;
""",
)
SHADERS['plain_frag_abort'] = (
    'frag',
    'layout(location = 0) out vec4 color;\n',
    """    if (push.index == 42 && gl_FragCoord.xy == vec2(10.5, 20.5))
        abortEXT("fragment %v2f", gl_FragCoord.xy);
    atomicAdd(result.values[0], 1u);
    color = vec4(1.0);
""",
)


def main():
    for name, (stage, head, body) in SHADERS.items():
        print(f';; {name} {stage}+g')
        print(COMMON + head + 'void main()\n{\n' + body + '}')


if __name__ == '__main__':
    main()
