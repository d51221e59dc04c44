#!/usr/bin/env python3
"""Makes the shaders of tests/scenarios/gpu/shader_abort_messages.c, for tests/harness/assemble.py:
each invocation of `layouts_abort` (assembly) and of `formats_abort` (GLSL) gives up with a message
of another type, in the order of the lists here; `loaded_abort`, `longest_abort`,
`long_string_abort` and `specialized_abort` are of one message each."""

CAPABILITIES = """OpCapability Shader
OpCapability Int8
OpCapability Int16
OpCapability Int64
OpCapability Float16
OpCapability Float64
OpCapability AbortKHR
OpCapability ConstantDataKHR
OpExtension "SPV_KHR_abort"
OpExtension "SPV_KHR_constant_data"
"""
LOGICAL = 'OpMemoryModel Logical GLSL450\n'
ENTRY = """OpEntryPoint GLCompute %main "main" %gid %push %data
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %gid BuiltIn GlobalInvocationId
OpDecorate %Push Block
OpMemberDecorate %Push 0 Offset 0
OpMemberDecorate %Push 1 Offset 4
OpDecorate %Data Block
OpDecorate %data DescriptorSet 0
OpDecorate %data Binding 0
"""
TYPES = """%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%u8 = OpTypeInt 8 0
%i8 = OpTypeInt 8 1
%u16 = OpTypeInt 16 0
%i16 = OpTypeInt 16 1
%u32 = OpTypeInt 32 0
%i32 = OpTypeInt 32 1
%u64 = OpTypeInt 64 0
%i64 = OpTypeInt 64 1
%f16 = OpTypeFloat 16
%f32 = OpTypeFloat 32
%f64 = OpTypeFloat 64
%u32v2 = OpTypeVector %u32 2
%u32v3 = OpTypeVector %u32 3
%i16v3 = OpTypeVector %i16 3
%u8v4 = OpTypeVector %u8 4
%u64v2 = OpTypeVector %u64 2
%f16v2 = OpTypeVector %f16 2
%f32v2 = OpTypeVector %f32 2
%f32v3 = OpTypeVector %f32 3
%f64v2 = OpTypeVector %f64 2
%m2x3 = OpTypeMatrix %f32v3 2
%u0 = OpConstant %u32 0
%u1 = OpConstant %u32 1
%u2 = OpConstant %u32 2
%u3 = OpConstant %u32 3
%u5 = OpConstant %u32 5
%u7 = OpConstant %u32 7
%u8_7 = OpConstant %u8 7
%u36 = OpConstant %u32 36
%w32 = OpConstant %u64 32
%half = OpConstant %f32 0.5
%one = OpConstant %f32 1
%four = OpConstant %f32 4
%Push = OpTypeStruct %u32 %u32
%pushed = OpTypePointer PushConstant %Push
%pushed_u32 = OpTypePointer PushConstant %u32
%push = OpVariable %pushed PushConstant
%input_v3 = OpTypePointer Input %u32v3
%gid = OpVariable %input_v3 Input
"""
DATA = """%stored = OpTypePointer StorageBuffer %Data
%data = OpVariable %stored StorageBuffer
"""
# What messages are made of; with 0x89abcdef pushed, and 10. No compiler knows any of it.
BEGIN = """%main = OpFunction %void None %fn
%entry = OpLabel
%g = OpLoad %u32v3 %gid
%id = OpCompositeExtract %u32 %g 0
%p0 = OpAccessChain %pushed_u32 %push %u0
%a = OpLoad %u32 %p0
%p1 = OpAccessChain %pushed_u32 %push %u1
%ten = OpLoad %u32 %p1
%tenf = OpConvertUToF %f32 %ten
%f = OpFDiv %f32 %tenf %four
%fh = OpFAdd %f32 %f %half
%f1 = OpFAdd %f32 %f %one
%nf = OpFNegate %f32 %f
%b = OpUConvert %u8 %a
%ib = OpBitcast %i8 %b
%h = OpUConvert %u16 %a
%ih = OpBitcast %i16 %h
%ia = OpBitcast %i32 %a
%wa = OpUConvert %u64 %a
%ws = OpShiftLeftLogical %u64 %wa %w32
%wt = OpUConvert %u64 %ten
%w = OpBitwiseOr %u64 %ws %wt
%iw = OpBitcast %i64 %w
%f16_ = OpFConvert %f16 %f
%f16n = OpFConvert %f16 %nf
%d = OpFConvert %f64 %f
%dn = OpFConvert %f64 %nf
%v3 = OpCompositeConstruct %f32v3 %f %f1 %nf
%v3b = OpCompositeConstruct %f32v3 %one %fh %f
%v2 = OpCompositeConstruct %u32v2 %a %ten
%false = OpUGreaterThan %bool %id %a
"""


def offsets(type_, *members):
    return ''.join(f'OpMemberDecorate {type_} {i} Offset {at}\n' for i, at in enumerate(members))


def string(name, text, size=0):
    """A string as glslang writes it, of `size` bytes or as long as it is, without an end: type
    %NAME_t for the value, %NAME_x for the message, value %NAME."""
    data = text.encode()
    size = size or len(data)
    data += bytes(-len(data) % 4 + (size - len(data)) // 4 * 4)
    words = ' '.join(
        hex(int.from_bytes(data[i : i + 4], 'little')) for i in range(0, (size + 3) // 4 * 4, 4)
    )
    return (
        (
            f'OpDecorate %{name}_t UTFEncodedKHR\nOpDecorate %{name}_x '
            f'UTFEncodedKHR\nOpDecorate %{name}_x ArrayStride 1\n'
        ),
        (
            f'%{name}_n = OpConstant %u32 {size}\n%{name}_t = OpTypeArray %u8 '
            f'%{name}_n\n%{name}_x = OpTypeArray %u8 %{name}_n\n%{name} = OpConstantDataKHR '
            f'%{name}_t {words}\n'
        ),
    )


MID, FIRST, SECOND, TAG, EMPTY = (
    string('mid', 'is %u|'),
    string('first', 'first %u|'),
    string('second', 'second %d\0'),
    string('tag', 'tag'),
    string('none', '\0'),
)
# Decorations, types, what is done before, the message's type and value. The comment is what the
# scenario knows of it, too.
LAYOUTS = [
    # nested structures: u8 @0, { u16 @0, { f32 @0, i8 @5 } @4 } @4, f64 @16
    (
        offsets('%c0d', 0, 5) + offsets('%c0i', 0, 4) + offsets('%c0', 0, 4, 16),
        (
            '%c0d = OpTypeStruct %f32 %i8\n%c0i = OpTypeStruct %u16 %c0d\n%c0 = OpTypeStruct '
            '%u8 %c0i %f64\n'
        ),
        (
            '%m0d = OpCompositeConstruct %c0d %f %ib\n%m0i = OpCompositeConstruct %c0i %h '
            '%m0d\n%m0 = OpCompositeConstruct %c0 %b %m0i %d\n'
        ),
        '%c0',
        '%m0',
    ),
    # three structures of 6 bytes, 12 apart, and a byte behind them
    (
        offsets('%c1s', 0, 4) + 'OpDecorate %c1a ArrayStride 12\n' + offsets('%c1', 0, 36),
        (
            '%c1s = OpTypeStruct %u32 %u16\n%c1a = OpTypeArray %c1s %u3\n%c1 = OpTypeStruct '
            '%c1a %u8\n%c1vs = OpTypeStruct %u32 %u16\n%c1va = OpTypeArray %c1vs %u3\n%c1v = '
            'OpTypeStruct %c1va %u8\n'
        ),
        (
            '%m1x = OpCompositeConstruct %c1vs %a %h\n%m1y = OpCompositeConstruct %c1vs %ten '
            '%h\n%m1a = OpCompositeConstruct %c1va %m1x %m1y %m1x\n%m1 = OpCompositeConstruct '
            '%c1v %m1a %b\n'
        ),
        '%c1',
        '%m1',
    ),
    # the same matrix by columns, 16 apart, and by rows, 8 apart
    (
        offsets('%c2', 0, 32)
        + (
            'OpMemberDecorate %c2 0 ColMajor\nOpMemberDecorate %c2 0 MatrixStride '
            '16\nOpMemberDecorate %c2 1 RowMajor\nOpMemberDecorate %c2 1 MatrixStride 8\n'
        ),
        '%c2 = OpTypeStruct %m2x3 %m2x3\n',
        '%m2m = OpCompositeConstruct %m2x3 %v3 %v3b\n%m2 = OpCompositeConstruct %c2 %m2m %m2m\n',
        '%c2',
        '%m2',
    ),
    # four 16-bit integers, 8 apart, and a byte at 26
    (
        'OpDecorate %c3a ArrayStride 8\n' + offsets('%c3', 0, 26),
        '%u4 = OpConstant %u32 4\n%c3a = OpTypeArray %u16 %u4\n%c3 = OpTypeStruct %c3a %u8\n',
        (
            '%m3h = OpUConvert %u16 %ten\n%m3a = OpCompositeConstruct %c3a %h %m3h %h '
            '%m3h\n%m3 = OpCompositeConstruct %c3 %m3a %b\n'
        ),
        '%c3',
        '%m3',
    ),
    # members with gaps, not in the order of their places: u64 @8, u8 @0, i16 @2, i8 @22
    (
        offsets('%c4', 8, 0, 2, 22),
        '%c4 = OpTypeStruct %u64 %u8 %i16 %i8\n',
        '%m4 = OpCompositeConstruct %c4 %w %b %ih %ib\n',
        '%c4',
        '%m4',
    ),
    # u32, a string in the midst, u32
    (
        MID[0] + offsets('%c5', 0, 4, 12),
        MID[1] + '%c5 = OpTypeStruct %u32 %mid_x %u32\n%c5v = OpTypeStruct %u32 %mid_t %u32\n',
        '%m5 = OpCompositeConstruct %c5v %a %mid %ten\n',
        '%c5',
        '%m5',
    ),
    # two strings: "first %u|" @0, u32 @12, "second %d" with its end @16, i32 @28, u8 @32
    (
        FIRST[0] + SECOND[0] + offsets('%c6', 0, 12, 16, 28, 32),
        FIRST[1]
        + SECOND[1]
        + (
            '%c6 = OpTypeStruct %first_x %u32 %second_x %i32 %u8\n%c6v = OpTypeStruct %first_t '
            '%u32 %second_t %i32 %u8\n'
        ),
        '%m6 = OpCompositeConstruct %c6v %first %ten %second %ia %b\n',
        '%c6',
        '%m6',
    ),
    # a constant
    (
        offsets('%c7', 0, 8),
        (
            '%c7 = OpTypeStruct %u32 %f64\n%c7d = OpConstant %f64 -0.5\n%m7 = '
            'OpConstantComposite %c7 %u7 %c7d\n'
        ),
        '',
        '%c7',
        '%m7',
    ),
    # nothing but zeros
    (
        offsets('%c8', 0, 4),
        '%c8 = OpTypeStruct %u32 %u16\n%m8 = OpConstantNull %c8\n',
        '',
        '%c8',
        '%m8',
    ),
    # no structure: of 1, 2, 4, 8 and 12 bytes
    ('', '', '', '%u8', '%b'),
    ('', '', '', '%i16', '%ih'),
    ('', '', '', '%f32', '%f'),
    ('', '', '', '%i64', '%iw'),
    ('', '', '', '%f32v3', '%v3'),
    # vectors of all widths: u8v4 @0, i16v3 @4, f16v2 @10, u64v2 @16, f64v2 @32
    (
        offsets('%c14', 0, 4, 10, 16, 32),
        '%c14 = OpTypeStruct %u8v4 %i16v3 %f16v2 %u64v2 %f64v2\n',
        '%m14a = OpCompositeConstruct %u8v4 %b %u8_7 %b %u8_7\n%m14b = '
        'OpCompositeConstruct %i16v3 %ih %ih %ih\n%m14c = OpCompositeConstruct %f16v2 '
        '%f16_ %f16n\n'
        '%m14d = OpCompositeConstruct %u64v2 %w %wa\n%m14e = OpCompositeConstruct %f64v2 '
        '%d %dn\n%m14 = OpCompositeConstruct %c14 %m14a %m14b %m14c %m14d %m14e\n',
        '%c14',
        '%m14',
    ),
    # arrays of arrays of matrices by rows: 2 x 2 of mat2x3, 24 bytes each, at 2 x 64 + 2 x 28
    (
        'OpDecorate %c15i ArrayStride 28\nOpDecorate %c15o ArrayStride 64\n'
        + offsets('%c15', 4)
        + 'OpMemberDecorate %c15 0 RowMajor\nOpMemberDecorate %c15 0 MatrixStride 8\n',
        (
            '%c15i = OpTypeArray %m2x3 %u2\n%c15o = OpTypeArray %c15i %u2\n%c15 = OpTypeStruct '
            '%c15o\n%c15vi = OpTypeArray %m2x3 %u2\n%c15vo = OpTypeArray %c15vi %u2\n%c15v = '
            'OpTypeStruct %c15vo\n'
        ),
        '%m15a = OpCompositeConstruct %m2x3 %v3 %v3b\n%m15b = OpCompositeConstruct %m2x3 '
        '%v3b %v3\n%m15i = OpCompositeConstruct %c15vi %m15a %m15b\n%m15j = '
        'OpCompositeConstruct %c15vi %m15b %m15b\n'
        '%m15o = OpCompositeConstruct %c15vo %m15i %m15j\n%m15 = OpCompositeConstruct '
        '%c15v %m15o\n',
        '%c15',
        '%m15',
    ),
    # structures with strings in them, in an array: "tag" and a number, 8 apart
    (
        TAG[0] + 'OpDecorate %c16a ArrayStride 8\n' + offsets('%c16s', 0, 4),
        TAG[1]
        + (
            '%c16s = OpTypeStruct %tag_x %u32\n%c16a = OpTypeArray %c16s %u2\n%c16vs = '
            'OpTypeStruct %tag_t %u32\n%c16va = OpTypeArray %c16vs %u2\n'
        ),
        (
            '%m16x = OpCompositeConstruct %c16vs %tag %ten\n%m16y = OpCompositeConstruct '
            '%c16vs %tag %a\n%m16 = OpCompositeConstruct %c16va %m16x %m16y\n'
        ),
        '%c16a',
        '%m16',
    ),
    # chosen by a condition, and changed in one place: { u32, vec2 of u32 @8 }
    (
        offsets('%c17', 0, 8),
        '%c17 = OpTypeStruct %u32 %u32v2\n',
        (
            '%m17x = OpCompositeConstruct %c17 %ten %v2\n%m17y = OpCompositeConstruct %c17 %a '
            '%v2\n%m17s = OpSelect %c17 %false %m17x %m17y\n%m17 = OpCompositeInsert %c17 %u7 '
            '%m17s 1 1\n'
        ),
        '%c17',
        '%m17',
    ),
    # copied from another layout, by OpCopyLogical
    (
        offsets('%c18i', 0, 4)
        + offsets('%c18', 2, 8)
        + offsets('%c18vi', 0, 8)
        + offsets('%c18v', 0, 16),
        (
            '%c18i = OpTypeStruct %u8 %u32\n%c18 = OpTypeStruct %u16 %c18i\n%c18vi = '
            'OpTypeStruct %u8 %u32\n%c18v = OpTypeStruct %u16 %c18vi\n'
        ),
        (
            '%m18i = OpCompositeConstruct %c18vi %b %a\n%m18v = OpCompositeConstruct %c18v %h '
            '%m18i\n%m18 = OpCopyLogical %c18 %m18v\n'
        ),
        '%c18',
        '%m18',
    ),
    # no members
    ('', '%c19 = OpTypeStruct\n', '%m19 = OpCompositeConstruct %c19\n', '%c19', '%m19'),
    # an empty string
    (
        EMPTY[0] + offsets('%c20', 0),
        EMPTY[1] + '%c20 = OpTypeStruct %none_x\n%c20v = OpTypeStruct %none_t\n',
        '%m20 = OpCompositeConstruct %c20v %none\n',
        '%c20',
        '%m20',
    ),
    # what a function gives
    (
        offsets('%c21', 0, 4),
        '%c21 = OpTypeStruct %u32 %u8\n%c21f = OpTypeFunction %c21 %u32\n',
        '%m21 = OpFunctionCall %c21 %made %a\n',
        '%c21',
        '%m21',
    ),
]
# Where values come from: of 40 numbers, a and the next ones, in a variable of the function, so that
# a loop writes them.
MANY = 40


def made(prefix, type_, convert, count=MANY):
    """A value `%PREFIX_all` of type `%PREFIX_v`, which was stored and loaded."""
    lines = ''.join(
        f'%{prefix}_s{i} = OpIAdd %u32 %a %k{i}\n'
        + (f'%{prefix}_e{i} = {convert.format(f"%{prefix}_s{i}")}\n' if convert else '')
        for i in range(count)
    )
    return (
        lines
        + f'%{prefix}_c = OpCompositeConstruct %{prefix}_v '
        + ' '.join(f'%{prefix}_{"e" if convert else "s"}{i}' for i in range(count))
        + f'\nOpStore %{prefix}_var %{prefix}_c\n%{prefix}_all = OpLoad %{prefix}_v %{prefix}_var\n'
    )


def array_types(prefix, element):
    return (
        f'%{prefix}_x = OpTypeArray %{element} %u40\n%{prefix}_v = OpTypeArray %{element} '
        f'%u40\n%{prefix}_p = OpTypePointer Function %{prefix}_v\n'
    )


VALUES = [
    # 40 16-bit integers, 6 apart
    (
        'OpDecorate %v0_x ArrayStride 6\n',
        array_types('v0', 'u16'),
        made('v0', 'u16', 'OpUConvert %u16 {}'),
        '%v0_x',
        '%v0_all',
    ),
    # 40 doubles @8 behind a byte
    (
        'OpDecorate %v1_x ArrayStride 8\n' + offsets('%v1', 0, 8),
        array_types('v1', 'f64') + '%v1 = OpTypeStruct %u8 %v1_x\n%v1s = OpTypeStruct %u8 %v1_v\n',
        made('v1', 'f64', 'OpConvertUToF %f64 {}') + '%m1 = OpCompositeConstruct %v1s %b %v1_all\n',
        '%v1',
        '%m1',
    ),
    # 40 bytes, of which one is inserted
    (
        'OpDecorate %v2_x ArrayStride 1\n',
        array_types('v2', 'u8'),
        made('v2', 'u8', 'OpUConvert %u8 {}') + '%m2 = OpCompositeInsert %v2_v %u8_7 %v2_all 3\n',
        '%v2_x',
        '%m2',
    ),
    # 40 matrices by rows, 28 apart, of which each has its number in the second column
    (
        'OpDecorate %v3_x ArrayStride 28\n'
        + offsets('%v3', 0)
        + 'OpMemberDecorate %v3 0 RowMajor\nOpMemberDecorate %v3 0 MatrixStride 8\n',
        array_types('v3', 'm2x3') + '%v3 = OpTypeStruct %v3_x\n%v3s = OpTypeStruct %v3_v\n',
        ''.join(
            (
                f'%v3_f{i} = OpConvertUToF %f32 %k{i}\n%v3_g{i} = OpCompositeConstruct %f32v3 '
                f'%v3_f{i} %f %one\n%v3_h{i} = OpCompositeConstruct %m2x3 %v3 %v3_g{i}\n'
            ).replace('%m2x3 %v3 ', '%m2x3 %v3c ')
            for i in range(MANY)
        )
        + '%v3_c = OpCompositeConstruct %v3_v '
        + ' '.join(f'%v3_h{i}' for i in range(MANY))
        + (
            '\nOpStore %v3_var %v3_c\n%v3_all = OpLoad %v3_v %v3_var\n%m3 = '
            'OpCompositeConstruct %v3s %v3_all\n'
        ),
        '%v3',
        '%m3',
    ),
    # what comes from a branch or from the other one
    (
        offsets('%v4', 0, 4),
        '%v4 = OpTypeStruct %u32 %u16\n',
        '%m4x = OpCompositeConstruct %v4 %ten %h\n%m4y = OpCompositeConstruct %v4 %a '
        '%h\nOpSelectionMerge %met None\nOpBranchConditional %false %left %right\n%left = '
        'OpLabel\nOpBranch %met\n'
        '%right = OpLabel\nOpBranch %met\n%met = OpLabel\n%m4 = OpPhi %v4 %m4x %left %m4y %right\n',
        '%v4',
        '%m4',
    ),
    # vectors that were shuffled, and of which a component was written
    (
        offsets('%v5', 0, 16),
        '%v5 = OpTypeStruct %f32v3 %u32v3\n',
        '%m5x = OpVectorShuffle %f32v3 %v3c %v3b 5 0 4\n%m5y = OpCompositeConstruct %u32v3 '
        '%a %ten %a\n%m5i = OpUMod %u32 %ten %u3\n%m5z = OpVectorInsertDynamic %u32v3 %m5y '
        '%u7 %m5i\n'
        '%m5 = OpCompositeConstruct %v5 %m5x %m5z\n',
        '%v5',
        '%m5',
    ),
    # two arrays of 40 in an array
    (
        'OpDecorate %v6_x ArrayStride 4\nOpDecorate %v6 ArrayStride 164\n',
        array_types('v6', 'u32') + '%v6 = OpTypeArray %v6_x %u2\n%v6s = OpTypeArray %v6_v %u2\n',
        made('v6', 'u32', '') + '%m6 = OpCompositeConstruct %v6s %v6_all %v6_all\n',
        '%v6',
        '%m6',
    ),
    # an address
    (
        offsets('%v7', 0, 8),
        '%v7t = OpTypePointer PhysicalStorageBuffer %u32\n%v7 = OpTypeStruct %v7t %u32\n',
        '%m7p = OpConvertUToPtr %v7t %w\n%m7 = OpCompositeConstruct %v7 %m7p %ten\n',
        '%v7',
        '%m7',
    ),
    # 40 constants
    (
        'OpDecorate %v8_x ArrayStride 2\n',
        (
            '%v8_x = OpTypeArray %u8 %u40\n%v8_v = OpTypeArray %u8 %u40\n%m8 = '
            'OpConstantComposite %v8_v '
        )
        + '%u8_7 ' * MANY
        + '\n',
        '',
        '%v8_x',
        '%m8',
    ),
]
MADE = """%made = OpFunction %c21 None %c21f
%made_a = OpFunctionParameter %u32
%made_entry = OpLabel
%made_b = OpUConvert %u8 %made_a
%made_m = OpCompositeConstruct %c21 %made_a %made_b
OpReturnValue %made_m
OpFunctionEnd
"""


def assembly(
    name, cases, data_decorations, data_types, more='', begin=BEGIN, head=CAPABILITIES + LOGICAL
):
    print(f';; {name} vulkan1.3')
    print(
        head
        + ENTRY
        + data_decorations
        + ''.join(case[0] for case in cases)
        + TYPES
        + data_types
        + DATA
        + ''.join(case[1] for case in cases)
        + begin
    )
    print(
        'OpSelectionMerge %merge None\nOpSwitch %id %merge '
        + ' '.join(f'{i} %case{i}' for i in range(len(cases)))
    )
    for i, (_, _, body, type_, value) in enumerate(cases):
        print(f'%case{i} = OpLabel\n{body}OpAbortKHR {type_} {value}')
    print('%merge = OpLabel\nOpReturn\nOpFunctionEnd\n' + more)


# The arguments are taken from what is pushed: u is 65536, f is 2.5.
GLSL = """#extension GL_EXT_abort : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(push_constant) uniform Push { uint index; uint other; uvec2 address; } push;
layout(local_size_x = 1) in;
void main()
{
    uint u = push.index;
    float f = float(push.other) / 4.0;
    switch (gl_GlobalInvocationID.x) {
"""
FORMATS = [
    '"100%% of %u", u',
    '"[%8u] [%-8u] [%08u] [%+d] [% d] [%#x] [%.7u]", u, u, u, int(u), int(u), u, u',
    '"%x %X %o %lx %lu", u + 10, u + 10, u, uint64_t(u) << 32, uint64_t(u) << 32',
    '"%v3f|%v2u|%1.2v4f|%v2d", vec3(f, -f, 1.0), uvec2(u, 7), vec4(f), ivec2(-int(u), 3)',
    '"few %u and %u", u',
    '"many %u", u, 7, f',
    '"%q and %u", u',
    '"%s?", u',
    '"%s?"',
    '"Größe %u €, 日本 🜍", u',
    '""',
    '"", u',
    '"%u%u%u", u, true, uint8_t(3)',
    '"%hhd %hd %5.1lf", int8_t(-int(u >> 9)), int16_t(-int(u >> 2)), double(f)',
    '"at the end 50%", u',
    '"[%*u]", 7, u',
    '"[%5000u]", u',
    '"%f as %d, %d as %f", int(u), f, f, int(u)',
    '"line\\n%u", u',
    '"%n %u", u',
    '"0123456789abc"',
    '"%v4x", u16vec4(u - 1)',
    '"%u", u64vec3(u, 1, 2)',
    '"%c%c", u - 65536 + 72, u - 65536 + 0x20ac',
]


def main():
    assembly('layouts_abort', LAYOUTS, offsets('%Data', 0), '%Data = OpTypeStruct %u32\n', MADE)
    variables = ''.join(
        f'%{name}_var = OpVariable %{name}_p Function\n' for name in ('v0', 'v1', 'v2', 'v3', 'v6')
    )
    assembly(
        'values_abort',
        VALUES,
        offsets('%Data', 0),
        '%Data = OpTypeStruct %u32\n%u40 = OpConstant %u32 40\n'
        + ''.join(f'%k{i} = OpConstant %u32 {i}\n' for i in range(MANY)),
        begin=BEGIN.replace('%entry = OpLabel\n', '%entry = OpLabel\n' + variables).replace(
            '%v3 = OpComp', '%v3c = OpComp'
        ),
        head='OpCapability PhysicalStorageBufferAddresses\n'
        + CAPABILITIES
        + 'OpMemoryModel PhysicalStorageBuffer64 GLSL450\n',
    )
    # u32 @0, vec3 @16, 36 integers @32, structures of a 64-bit and a 32-bit integer @176, 16 apart;
    # in the message: @8, @12, @24 of which each is 12 apart, @456 and 24 apart.
    loaded = (
        offsets('%L', 8, 12, 24, 456)
        + offsets('%Li', 0, 8)
        + 'OpDecorate %Lx ArrayStride 12\nOpDecorate %Ly ArrayStride 24\n',
        (
            '%Lx = OpTypeArray %u32 %u36\n%Li = OpTypeStruct %u64 %u32\n%Ly = OpTypeArray %Li '
            '%u2\n%L = OpTypeStruct %u32 %f32v3 %Lx %Ly\n%at_d = OpTypePointer StorageBuffer '
            '%D\n'
        ),
        '%dp = OpAccessChain %at_d %data %u0\n%all = OpLoad %D %dp\n',
        '%L',
        '%all',
    )
    assembly(
        'loaded_abort',
        [loaded],
        offsets('%Data', 0)
        + offsets('%D', 0, 16, 32, 176)
        + offsets('%Di', 0, 8)
        + 'OpDecorate %Dx ArrayStride 4\nOpDecorate %Dy ArrayStride 16\n',
        (
            '%Dx = OpTypeArray %u32 %u36\n%Di = OpTypeStruct %u64 %u32\n%Dy = OpTypeArray %Di '
            '%u2\n%D = OpTypeStruct %u32 %f32v3 %Dx %Dy\n%Data = OpTypeStruct %D\n'
        ),
    )
    # All invocations: the longest message that there may be, of 256 integers that are loaded, 256
    # bytes apart, and a byte; and of a string and one number. (lavapipe takes minutes to compile a
    # shader that loads 16,384 integers at once, whoever does so.)
    longest = (
        'OpDecorate %Mx ArrayStride 256\n' + offsets('%M', 0, 65535),
        (
            '%Mx = OpTypeArray %u32 %u256\n%M = OpTypeStruct %Mx %u8\n%V = OpTypeStruct %D '
            '%u8\n%at_d = OpTypePointer StorageBuffer %D\n'
        ),
        (
            '%dp = OpAccessChain %at_d %data %u0\n%all = OpLoad %D %dp\n%m = '
            'OpCompositeConstruct %V %all %b\n'
        ),
        '%M',
        '%m',
    )
    everyone(
        'longest_abort',
        longest,
        offsets('%Data', 0) + 'OpDecorate %D ArrayStride 4\n',
        '%u256 = OpConstant %u32 256\n%D = OpTypeArray %u32 %u256\n%Data = OpTypeStruct %D\n',
    )
    text = string('long', 'x' * 65521 + ' %u ends', 65532)
    everyone(
        'long_string_abort',
        (
            text[0] + offsets('%M', 0, 65532),
            text[1] + '%M = OpTypeStruct %long_x %u32\n%V = OpTypeStruct %long_t %u32\n',
            '%m = OpCompositeConstruct %V %long %id\n',
            '%M',
            '%m',
        ),
        offsets('%Data', 0),
        '%Data = OpTypeStruct %u32\n',
    )
    # A string and its length are constants 3 and 1, a number is constant 2, and another one is
    # computed of it.
    words = ' '.join(hex(int.from_bytes(b'is %u\0\0\0'[i : i + 4], 'little')) for i in (0, 4))
    special = (
        (
            'OpDecorate %n SpecId 1\nOpDecorate %s2 SpecId 2\nOpDecorate %text SpecId '
            '3\nOpDecorate %text_t UTFEncodedKHR\nOpDecorate %text_x UTFEncodedKHR\nOpDecorate '
            '%text_x ArrayStride 1\n'
        )
        + offsets('%M', 0, 16, 20, 28),
        f'%n = OpSpecConstant %u32 8\n%s2 = OpSpecConstant %u32 5\n%more = '
        f'OpSpecConstantOp %u32 IAdd %s2 %u1\n%text_t = OpTypeArray %u8 %n\n%text_x = '
        f'OpTypeArray %u8 %n\n'
        f'%text = OpSpecConstantDataKHR %text_t {words}\n%two = OpSpecConstantComposite '
        f'%u32v2 %more %u7\n%M = OpTypeStruct %text_x %u32 %u32v2 %u32\n%V = OpTypeStruct '
        f'%text_t %u32 %u32v2 %u32\n',
        '%m = OpCompositeConstruct %V %text %s2 %two %a\n',
        '%M',
        '%m',
    )
    assembly('specialized_abort', [special], offsets('%Data', 0), '%Data = OpTypeStruct %u32\n')
    print(';; formats_abort comp+g')
    print(
        GLSL
        + ''.join(f'    case {i}:\n        abortEXT({text});\n' for i, text in enumerate(FORMATS))
        + '    }\n}'
    )


def everyone(name, case, data_decorations, data_types):
    decorations, types, body, type_, value = case
    print(f';; {name} vulkan1.3')
    print(
        CAPABILITIES
        + LOGICAL
        + ENTRY
        + data_decorations
        + decorations
        + TYPES
        + data_types
        + DATA
        + types
        + BEGIN
        + body
        + f'OpAbortKHR {type_} {value}\nOpFunctionEnd'
    )


if __name__ == '__main__':
    main()
