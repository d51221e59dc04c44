#!/usr/bin/env python3
"""Makes the shaders of tests/scenarios/gpu/shader_abort.c, for tests/harness/assemble.py:
`aborts_STAGE` gives up in one invocation of the stage when 42 is pushed; `FLOW_flow` is a compute
shader that gives up somewhere in its control flow, likewise, and `FLOW_plain` the same, but that it
goes on there, having noted what it had done until then; `TYPE_message` one that says something of
another type."""

from gpu_descriptors import EVERYWHERE, STAGES

COMMON = """#extension GL_EXT_abort : require
layout(push_constant) uniform Push { uint index; uint other; uvec2 address; } push;
"""
# value.x: it began; y: it came to its end; z: what it did on the way; w: 1 more than that when it
# would have given up.
RESULT = 'layout(binding = 0) buffer Result { uvec4 value; } result;\n'
FUNCTIONS = """uint stop(uint x)
{
    if (x == 42)
        GIVE_UP(x)
    result.value.z += 1;
    return x + 1;
}
bool stops(uint x)
{
    return stop(x) > 100;
}
uint deeper(uint x)
{
    uint sum = 0;
    for (uint i = 0; i < 3; i++) {
        if ((i & 1) == 0)
            sum += stop(x + i) - stop(0);
        result.value.z += 1;
    }
    return sum;
}
void deepest(inout uint x)
{
    switch (x) {
    case 40:
    case 41:
        x += deeper(x);
        break;
    default:
        x = stop(x);
    }
    result.value.z += 1;
}
"""
# `a` is what is pushed: with 42 the shader gives up.
FLOWS = {
    'straight': 'if (a == 42)\n        GIVE_UP(a)',
    'else': 'if (a != 42)\n        result.value.z = 5;\n    else\n        GIVE_UP(a)',
    'nested': 'for (uint i = 0; i < 4; i++) {\n        if (i == 2) {\n            switch (a) {\n     '
    '       case 42:\n                GIVE_UP(a)\n'
    '            case 7:\n                result.value.z += 10;\n            default:\n    '
    '            result.value.z += 1;\n            }\n        }\n        result.value.z += '
    '100;\n    }',
    'called': 'result.value.z += stop(a);',
    'deep': 'deepest(a);\n    result.value.z += 1;',
    'while_head': 'while (stop(a) > 41 && a < 60)\n        a += 1;',
    'for_head': 'for (uint i = 0; stop(a + i) < 10; i++)\n        result.value.z += 100;',
    'for_step': 'for (uint i = a; i < 60; i = stop(i) + 100)\n        result.value.z += 100;',
    'for_step_later': 'for (uint i = a - 4; i < a + 2; i = stop(i))\n        result.value.z += 100;',
    'for_step_twice': (
        'for (uint i = a; i < 200; i = (stop(i) & 1u) + (i > 20 ? stop(i + 1) : 90) + 40) {\n  '
        '      if (i == 9)\n            continue;\n        result.value.z += 100;\n    }'
    ),
    'do_while': 'do {\n        result.value.z += 100;\n        a += 1;\n    } while (stop(a - 1) < 9);',
    'do_while_break': (
        'do {\n        if (a == 9)\n            break;\n        a += 1;\n        '
        'result.value.z += 100;\n    } while (a < 110 && stops(a - 1) || a < 12);'
    ),
    'switch_head': (
        'switch (stop(a)) {\n    case 8:\n        result.value.z += 50;\n        break;\n    '
        'default:\n        result.value.z += 100;\n    }'
    ),
    'switch_through': (
        'switch (a) {\n    case 42:\n        stop(a);\n        result.value.z += 50;\n    case '
        '7:\n        result.value.z += 100;\n        break;\n    default:\n        stop(a);\n  '
        '  }'
    ),
    'operands': 'if (a > 3 && stops(a) || a == 7)\n        result.value.z += 100;',
    'in_argument': 'result.value.z += stop(stop(a) + stop(a + 1));',
    'loop_in_loop': (
        'for (uint i = 0; i < 2; i++) {\n        for (uint k = stop(a + i - i); k < 44; k = '
        'stop(k) + 20) {\n            if (k == 9)\n                continue;\n            '
        'result.value.z += 100;\n        }\n        result.value.z += 1000;\n    }'
    ),
}
GIVE_UP = {
    '_flow': '#define GIVE_UP(x_) abortEXT("stopped at %u", x_);\n',
    '_plain': (
        '#define GIVE_UP(x_) { if (result.value.w == 0) result.value.w = result.value.z + 1; }\n'
    ),
}
HEAD = (
    'layout(local_size_x = 1) in;\n'
    + FUNCTIONS
    + (
        'void main()\n{\n    if (gl_GlobalInvocationID.x != 0)\n        return;\n    uint a = '
        'push.index;\n    result.value.x = 1;\n    '
    )
)
TYPES = """#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint values[]; };
layout(local_size_x = 1) in;
"""
# The arguments are taken from what is pushed: no compiler knows them. u is 65536, f is 2.5.
MESSAGES = {
    'specification': '"test: %u", u',
    'nothing': '"no argument"',
    'integers': '"%d %u %x", -int(u), u, u',
    'floats': '"%f %g", f, -f',
    'vectors': '"%v2f %v3u %v4d", vec2(f, -f), uvec3(u, 1, 2), ivec4(-1, 2, -3, int(u))',
    'bytes': '"%d %u", int8_t(-3), uint8_t(u >> 9)',
    'short': '"%d %u %d", int16_t(-300), uint16_t(u >> 1), uint8_t(7)',
    'wide': '"%lu %ld", uint64_t(u) << 20, -(int64_t(u) << 20)',
    'doubles': '"%lf", double(f) * 1e10LF',
    'half': '"%f", float16_t(f)',
}


def main():
    for stage in EVERYWHERE:
        head, condition, rest = STAGES[stage]
        print(f';; aborts_{stage} {stage}+g')
        print(
            COMMON
            + head
            + (
                f'void main()\n{{\n    if ({condition} && push.index == 42)\n        '
                f'abortEXT("{stage} gives up at %u with %f", push.index, float(push.other) / '
                f'4.0);\n'
            )
            + rest
            + '}'
        )
    for name, body in [
        (name + kind, GIVE_UP[kind] + HEAD + body)
        for name, body in FLOWS.items()
        for kind in GIVE_UP
    ]:
        print(f';; {name} comp+g')
        print(COMMON + RESULT + body + '\n    result.value.y = 1;\n}')
    for name, arguments in MESSAGES.items():
        print(f';; {name}_message comp+g')
        print(
            COMMON
            + TYPES
            + 'void main()\n{\n    if (gl_GlobalInvocationID.x != 0)\n        return;\n    '
            'uint u = push.index;\n    float f = float(push.other) / 4.0;\n'
            f'    abortEXT({arguments});\n}}'
        )
    print(';; every_abort comp+g')
    print(
        COMMON
        + (
            'layout(local_size_x = 64) in;\nvoid main()\n{\n    abortEXT("invocation %u", '
            'gl_GlobalInvocationID.x);\n}'
        )
    )
    # One invocation of each pair gives up, the other one waits for what it would have said.
    print(';; waits comp+g')
    print(
        COMMON
        + RESULT
        + 'layout(local_size_x = 1) in;\nvoid main()\n{\n    if (gl_GlobalInvocationID.x == '
        '0) {\n        if (push.index == 42)\n            abortEXT("nobody waits for '
        'me");\n'
        '        atomicExchange(result.value.x, 1u);\n    } else if '
        '(gl_GlobalInvocationID.x == 1) {\n        while (atomicOr(result.value.x, 0u) == '
        '0u)\n            ;\n        result.value.y = 1;\n    }\n}'
    )


if __name__ == '__main__':
    main()
