#!/usr/bin/env python3
"""Makes the shaders of tests/scenarios/gpu/debug_printf.c, for tests/harness/assemble.py:
`prints_STAGE` prints in one invocation of the stage; `NAME_print` is a compute shader that makes
the call of FORMATS, in which `a` is the integer and `f` the float that are pushed."""

from gpu_descriptors import EVERYWHERE, STAGES

COMMON = """#extension GL_EXT_debug_printf : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
layout(push_constant) uniform Push { uint index; uint other; uvec2 address; } push;
"""
TYPES = """#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint values[]; };
layout(local_size_x = 1) in;
"""
# The arguments are taken from what is pushed: no compiler knows them.
FORMATS = {
    'nothing': '"no argument"',
    'percent': '"100%% of %d", a',
    'integers': '"%d %i %u %x %X %o", a, -a, uint(a), uint(a), uint(a), uint(a)',
    'negative': '"%d %u %x", -a, -a, -a',
    'flags': '"[%5d] [%05d]", a, a',
    'more_flags': '"[%-5d] [%+d] [% d] [%#x] [%#o]", a, a, a, uint(a), uint(a)',
    'precisions': '"[%.5d] [%8.5d] [%.0f] [%10.2f]", a, a, f, f',
    'floats': '"%f %.3f %e %E %g %G %a", f, f, f, f, f, f, f',
    'special_floats': '"%f %f", 1.0 / (f - f), -1.0 / (f - f)',
    'vectors': (
        '"%v2f %v3d %v4u %1.2v3f", vec2(f), ivec3(a, -a, 0), uvec4(a, 1, 2, 3), vec3(f, -f, 0.0)'
    ),
    'padded_vector': '"[%5v2d]", ivec2(a, -a)',
    'wide': (
        '"%ld %lu %lx %ul", -int64_t(a) * 10000000000L, uint64_t(a) << 40, uint64_t(a) << 40, '
        'uint64_t(a) << 40'
    ),
    'wide_vectors': (
        '"%v2lu %v3ul %v2ld", u64vec2(a, 1) << 40, u64vec3(1, 2, a), i64vec2(-a, a) * 10000000000L'
    ),
    'doubles': '"%lf %v2lf", double(f), dvec2(f, -f)',
    'doubles_in_full': '"%.3lf %lg %le", double(f) * 1e20LF, double(f) * 1e-100LF, double(f)',
    'doubles_as_in_c': '"%f %g", double(f), dvec2(f, -f).x',
    'short': '"%d %u %v2d %v3u", int16_t(-a), uint16_t(a), i16vec2(a, -a), u16vec3(a, 1, 2)',
    'bytes': '"%d %u %v2d %v3u", int8_t(-a), uint8_t(a), i8vec2(a, -a), u8vec3(a, 1, 2)',
    'lengths': '"%hd %hu %hhd %hhu", int16_t(-a), uint16_t(a), int8_t(-a), uint8_t(a)',
    'half': '"%f %.1f %v2f", float16_t(f), float16_t(-f), f16vec2(f, 0.5)',
    'bools': '"%d %u %v2d", a == 42, a == 41, bvec2(a == 42, false)',
    'string': '"a %s and %d", "literal string", a',
    'star': '"[%*d]", 5, a',
    'pointer': '"%p %lx", Words(push.address), uint64_t(Words(push.address))',
    'long': '"'
    + ' '.join(['%v4u'] * 20)
    + '", '
    + ', '.join(f'uvec4({i}, a, 2, 3)' for i in range(20)),
    'too_few': '"%d and %d", a',
    'too_many': '"%d", a, f, a',
    'unknown': '"%y", a',
    'float_for_int': '"%d %f", f, a',
    'scalar_for_vector': '"%f", vec3(f)',
    'wide_for_narrow': '"%lu", uint(a)',
    'narrow_for_wide': '"%u", uint64_t(a) << 40',
    'crossed_signs': '"%d %u", uint(a), a',
    'double_of_float': '"%lf", f',
    'hex_of_float': '"%x", f',
    'vector_too_short': '"%v2f", vec3(f, -f, 0.0)',
    'vector_of_scalar': '"%v3f", f',
    'vector_of_five': '"%v5f", vec4(f)',
    'float_of_bool': '"%f", a == 42',
    'open_percent': '"%d %", a',
    'vector_without_size': '"%vf", vec3(f)',
    'vector_without_conversion': '"%v3", vec3(f)',
    'vector_alone': '"%v", a',
    'width_without_conversion': '"%1", a',
}
# These bodies have more than one call.
BODIES = {
    'loop': 'for (int i = 0; i < a; i++)\n        debugPrintfEXT("turn %d of %d", i, a);',
    'function': 'for (int i = 0; i < 2; i++)\n        in_function(a + i);',
    'twice': (
        'debugPrintfEXT("first %d", a);\n    debugPrintfEXT("second %f", f);\n    '
        'debugPrintfEXT("first %d", a);'
    ),
    'branches': (
        'if (a == 42)\n        debugPrintfEXT("then");\n    else\n        debugPrintfEXT("else");'
    ),
    'switch': (
        'switch (a) {\n    case 1:\n        debugPrintfEXT("one");\n        break;\n    case '
        '42:\n        debugPrintfEXT("forty-two");\n        break;\n    }'
    ),
}


def main():
    for stage in EVERYWHERE:
        head, condition, rest = STAGES[stage]
        print(f';; prints_{stage} {stage}+g')
        print(
            COMMON
            + head
            + 'void main()\n{\n'
            + (
                f'    if ({condition})\n        debugPrintfEXT("{stage} has %u and %.2f", '
                f'push.index, float(push.other) / 4.0);\n'
            )
            + rest
            + '}'
        )
    calls = {name: f'debugPrintfEXT({call});' for name, call in FORMATS.items()} | BODIES
    for name, body in calls.items():
        print(f';; {name}_print comp+g')
        print(
            COMMON + TYPES + 'void in_function(int x) { debugPrintfEXT("called with %d", x); }\n'
            'void main()\n{\n    int a = int(push.index);\n    float f = float(push.other) '
            '/ 4.0;\n    ' + body + '\n}'
        )
    print(';; every_print comp+g')
    print(
        COMMON
        + (
            'layout(local_size_x = 64) in;\nvoid main()\n{\n    debugPrintfEXT("invocation '
            '%u", gl_GlobalInvocationID.x);\n}'
        )
    )


if __name__ == '__main__':
    main()
