#!/usr/bin/env python3
"""Makes the shaders of tests/scenarios/gpu/gpu_world.c, for tests/harness/assemble.py: `KIND_STAGE`
reads element `push.index` of an array of descriptors of the kind, in one invocation of the stage;
`KIND_runtime_STAGE` does so in an array without a length, and `KIND_constant_STAGE` reads element
2; `ACCESS_STAGE` is an access to a buffer in binding 2, or at the address `push.address`,
`OPERATION_STAGE` one operation of images, `WAY_comp` one way of a descriptor to its use;
`plain_STAGE` does nothing."""

# Declarations and the access: what binding 1 has beside the array, the array in binding 2, and the
# line of source.
KINDS = {
    'sampled': (
        'layout(binding = 1) uniform sampler the_sampler;',
        'uniform texture2D things',
        'textureLod(sampler2D(things[push.index], the_sampler), vec2(0.5), 0.0)',
    ),
    'combined': ('', 'uniform sampler2D things', 'textureLod(things[push.index], vec2(0.5), 0.0)'),
    'sampler': (
        'layout(binding = 1) uniform texture2D the_texture;',
        'uniform sampler things',
        'textureLod(sampler2D(the_texture, things[push.index]), vec2(0.5), 0.0)',
    ),
    'storage_image': ('', 'uniform image2D things', 'imageLoad(things[push.index], ivec2(0))'),
    'uniform_texel': (
        '',
        'uniform utextureBuffer things',
        'vec4(texelFetch(things[push.index], 0))',
    ),
    'storage_texel': ('', 'uniform uimageBuffer things', 'vec4(imageLoad(things[push.index], 0))'),
    'storage_buffer': ('', 'buffer Things { vec4 value; } things', 'things[push.index].value'),
    'uniform_buffer': ('', 'uniform Things { vec4 value; } things', 'things[push.index].value'),
}
FORMATS = {'storage_image': ', rgba8', 'storage_texel': ', r32ui'}

COMMON = """#extension GL_EXT_samplerless_texture_functions : require
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_buffer_reference_uvec2 : require
layout(push_constant) uniform Push { uint index; uint other; uvec2 address; } push;
"""
# Accesses to buffers, of all stages: declarations, and the statement.
RESULT = 'layout(binding = 0) buffer Result { vec4 value; } result;\n'
WORDS = (
    'layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint '
    'values[]; };\n'
)
ACCESSES = {
    'storage_word': (
        'layout(binding = 2) buffer Things { uint values[]; } things;\n',
        'result.value.x = float(things.values[push.index])',
    ),
    'uniform_vector': (
        'layout(binding = 2) uniform Things { uvec4 values[64]; } things;\n',
        'result.value = vec4(things.values[push.index])',
    ),
    'address_word': (WORDS, 'result.value.x = float(Words(push.address).values[push.index])'),
}
# And of compute shaders.
VECTORS = (
    'layout(buffer_reference, std430, buffer_reference_align = {0}) buffer Vectors {{ uvec4 '
    'values[]; }};\n'
)
# In the invocation that walks the list its begin is where the others would not look: lavapipe loads
# what is the same in all invocations in none of them, too. Two rows of 16 bytes each: a column's
# components are 16 bytes apart.
ROWS = (
    'layout(buffer_reference, buffer_reference_align = 4, std430, row_major) buffer Rows '
    '{ mat4x2 matrices[]; };\n'
)
LIST = (
    'layout(buffer_reference, std430, buffer_reference_align = 8) buffer '
    'Node;\nlayout(buffer_reference, std430, buffer_reference_align = 8) buffer Node { Node '
    'next; uint value; };\n'
)
# Several accesses through one pointer, which have one check.
PARTS = (
    'layout(buffer_reference, std430, buffer_reference_align = 4) buffer Parts { uint first; '
    'uint second; uint rest[]; };\n'
)
APART = (
    'layout(buffer_reference, std430, buffer_reference_align = 4) buffer Apart { uint first; '
    'uint second; uint gap[3070]; uint third; uint fourth; };\n'
)
PAIRS = (
    'layout(buffer_reference, std430, buffer_reference_align = 8) buffer Pairs { uint first; '
    'uint second; uvec2 third; };\n'
)
HOLDER = PARTS + (
    'layout(buffer_reference, std430, buffer_reference_align = 8) buffer Holder { Parts '
    'parts; uint value; };\n'
)
# Accesses in branches of their own: of so many, a block before them finds out which would be wrong.
BRANCHES = '\n'.join(
    f"""        if ((push.other & {1 << i}u) != 0u)
            result.value.x += float(parts.rest[{i}]);"""
    for i in range(26)
)
MANY = range(1, 14)  # places that are right, so that the shader tells of the wrong one at its end
MATRICES = (
    'struct Thing { uint first; mat4 matrix; };\nlayout(binding = 2) buffer Things { Thing '
    'values[]; } things;\n'
)
UNIFORM = 'layout(binding = 2) uniform Things { uvec4 values[64]; } things;\n'
STORAGE = 'layout(binding = 2) buffer Things { uint values[]; } things;\n'
MORE = {
    'storage_store': (STORAGE, 'things.values[push.index] = 7u'),
    'storage_atomic': (STORAGE, 'result.value.x = float(atomicAdd(things.values[push.index], 1u))'),
    'storage_vector': (
        'layout(binding = 2) buffer Things { uvec4 values[]; } things;\n',
        'result.value = vec4(things.values[push.index])',
    ),
    'storage_packed': (
        (
            '#extension GL_EXT_scalar_block_layout : require\nlayout(binding = 2, scalar) '
            'buffer Things { uvec3 values[]; } things;\n'
        ),
        'result.value.xyz = vec3(things.values[push.index])',
    ),
    'many_columns': (
        MATRICES,
        ' '.join(f'result.value += things.values[push.other >> {i}].matrix[1];' for i in MANY)
        + '\n        result.value = things.values[push.other].matrix[push.index]',
    ),
    'many_uniforms': (
        'layout(binding = 2) uniform Things { uvec4 values[64]; } things;\n',
        ' '.join(f'result.value += vec4(things.values[push.other >> {i}]);' for i in MANY)
        + '\n        result.value = vec4(things.values[push.index])',
    ),
    # The same access twice: the second comes whatever way is taken, and the first does; and the
    # other way about.
    'uniform_behind_a_branch': (
        UNIFORM,
        'if (push.other == 1u) result.value.x = float(things.values[push.index].x);'
        ' result.value.y = float(things.values[push.index].y)',
    ),
    'uniform_in_a_branch': (
        UNIFORM,
        'result.value.x = float(things.values[push.index].x);'
        ' if (push.other == 0u) result.value.y = float(things.values[push.index].x)',
    ),
    'storage_behind_a_branch': (
        STORAGE,
        'if (push.other == 1u) result.value.x = float(things.values[push.index]);'
        ' result.value.y = float(things.values[push.index])',
    ),
    'storage_in_a_branch': (
        STORAGE,
        'result.value.x = float(things.values[push.index]);'
        ' if (push.other == 0u) result.value.y = float(things.values[push.index])',
    ),
    'storage_matrix': (MATRICES, 'result.value = things.values[push.other].matrix[push.index]'),
    'storage_whole': (
        'layout(binding = 2) buffer Things { uint values[]; } things;\n',
        (
            'for (uint i = 0; i < things.values.length(); i++) result.value.x += '
            'float(things.values[i])'
        ),
    ),
    'storage_block': (
        (
            'struct Thing { uint a[16]; };\nlayout(binding = 2) buffer Things { Thing first; '
            'Thing second; } things;\n'
        ),
        'Thing copied = things.second; result.value.x = float(copied.a[push.index])',
    ),
    'storage_of_array': (
        'layout(binding = 2) buffer Things { uint values[]; } things[6];\n',
        'result.value.x = float(things[push.other].values[push.index])',
    ),
    'uniform_of_array': (
        'layout(binding = 2) uniform Things { uvec4 values[64]; } things[6];\n',
        'result.value = vec4(things[push.other].values[push.index])',
    ),
    'uniform_texels': (
        'layout(binding = 2) uniform utextureBuffer things;\n',
        'result.value = vec4(texelFetch(things, int(push.index)))',
    ),
    'storage_texels': (
        'layout(binding = 2, r32ui) uniform uimageBuffer things;\n',
        'result.value = vec4(imageLoad(things, int(push.index)))',
    ),
    'storage_texels_store': (
        'layout(binding = 2, r32ui) uniform uimageBuffer things;\n',
        'imageStore(things, int(push.index), uvec4(1))',
    ),
    'storage_texels_atomic': (
        'layout(binding = 2, r32ui) uniform uimageBuffer things;\n',
        'imageAtomicAdd(things, int(push.index), 1u)',
    ),
    'address_store': (WORDS, 'Words(push.address).values[push.index] = 7u'),
    'address_atomic': (
        WORDS,
        'result.value.x = float(atomicAdd(Words(push.address).values[push.index], 1u))',
    ),
    'address_vector': (
        VECTORS.format(16),
        'result.value = vec4(Vectors(push.address).values[push.index])',
    ),
    'address_unaligned_vector': (
        VECTORS.format(4),
        'result.value = vec4(Vectors(push.address).values[push.index])',
    ),
    'address_sum': (
        WORDS,
        (
            'for (uint i = 0; i < push.index; i++) result.value.x += '
            'float(Words(push.address).values[i])'
        ),
    ),
    'address_list': (
        LIST,
        (
            'for (Node node = Node(push.address + uvec2(gl_LocalInvocationIndex - 1, 0)); '
            'uvec2(node) != uvec2(0); node = node.next) result.value.x += float(node.value)'
        ),
    ),
    'address_rows_column': (
        ROWS,
        'Rows(push.address).matrices[push.index][push.other] = vec2(7.0)',
    ),
    'address_rows_first': (ROWS, 'Rows(push.address).matrices[push.index][push.other][0] = 7.0'),
    'address_rows_second': (ROWS, 'Rows(push.address).matrices[push.index][push.other][1] = 7.0'),
    'address_parts': (
        PARTS,
        """Parts parts = Parts(push.address);
        result.value.x = float(parts.first);
        result.value.y = float(parts.second);
        result.value.z = float(parts.rest[0]);
        result.value.w = float(parts.rest[1])""",
    ),
    'address_parts_stored': (
        PARTS,
        """Parts parts = Parts(push.address);
        parts.first = 1u;
        result.value.y = float(parts.second);
        parts.rest[0] = 3u;
        atomicAdd(parts.rest[1], 4u)""",
    ),
    'address_parts_by_index': (
        PARTS,
        """Parts parts = Parts(push.address);
        result.value.x = float(parts.first);
        result.value.y = float(parts.rest[push.index]);
        result.value.z = float(parts.second);
        result.value.w = float(parts.rest[push.other]);
        result.value.w = float(parts.rest[0])""",
    ),
    'address_parts_in_a_branch': (
        PARTS,
        """Parts parts = Parts(push.address);
        if (push.other == 1u) {
            result.value.x = float(parts.first);
            result.value.y = float(parts.second);
        }
        result.value.z = float(parts.rest[0]);
        result.value.w = float(parts.rest[1])""",
    ),
    'address_parts_behind_a_branch': (
        PARTS,
        """Parts parts = Parts(push.address);
        result.value.x = float(parts.first);
        result.value.y = float(parts.second);
        if (push.other == 1u) {
            result.value.z = float(parts.rest[0]);
            result.value.w = float(parts.rest[1]);
        }""",
    ),
    'address_parts_in_branches': (
        PARTS,
        f"""Parts parts = Parts(push.address + uvec2(push.index, 0));
{BRANCHES}""",
    ),
    'address_parts_in_branches_of_pushed': (
        PARTS,
        BRANCHES.replace('parts.', 'Parts(push.address).')
        + """
        result.value.y = float(push.index)""",
    ),
    'address_parts_in_branches_of_two': (
        PARTS,
        f"""Parts parts = Parts(push.address);
        if (push.index != 0u)
            parts = Parts(push.address + uvec2(push.index, 0));
{BRANCHES}""",
    ),
    'address_parts_in_branches_of_a_loop': (
        PARTS,
        f"""for (uint i = 0; i < push.index; i++) {{
            Parts parts = Parts(push.address + uvec2(4 * i, 0));
{BRANCHES}
        }}""",
    ),
    'address_parts_in_a_loop': (
        PARTS,
        """for (uint i = 0; i < push.other; i++) {
            Parts parts = Parts(push.address + uvec2(i * push.index, 0));
            result.value.x += float(parts.first);
            result.value.y += float(parts.second);
        }""",
    ),
    'address_parts_replaced': (
        PARTS,
        """Parts parts = Parts(push.address);
        result.value.x = float(parts.first);
        result.value.y = float(parts.second);
        parts = Parts(push.address + uvec2(push.index, 0));
        result.value.z = float(parts.first);
        result.value.w = float(parts.second)""",
    ),
    'address_parts_loaded_again': (
        HOLDER,
        """Holder holder = Holder(push.address);
        result.value.x = float(holder.parts.first);
        result.value.y = float(holder.parts.second);
        Holder(push.address + uvec2(push.other, 0)).parts = Parts(push.address + uvec2(push.index, 0));
        result.value.z = float(holder.parts.first);
        result.value.w = float(holder.parts.second)""",
    ),
    'address_parts_between_calls': (
        PARTS + 'float twice(uint value) { return float(value == 0u ? 3u : 2u * value); }\n',
        """Parts parts = Parts(push.address);
        result.value.x = twice(parts.first);
        result.value.y = twice(parts.second);
        result.value.z = twice(parts.rest[0]);
        result.value.w = twice(parts.rest[1])""",
    ),
    'address_parts_apart': (
        APART,
        """Apart apart = Apart(push.address);
        result.value.x = float(apart.first);
        result.value.y = float(apart.second);
        result.value.z = float(apart.third);
        result.value.w = float(apart.fourth)""",
    ),
    'address_parts_aligned': (
        PAIRS,
        """Pairs pairs = Pairs(push.address);
        result.value.x = float(pairs.first);
        result.value.y = float(pairs.second);
        result.value.zw = vec2(pairs.third)""",
    ),
    'address_rows_parts': (
        ROWS,
        """Rows rows = Rows(push.address);
        rows.matrices[0][0] = vec2(1.0);
        rows.matrices[0][3] = vec2(2.0);
        rows.matrices[0][2][1] = 3.0;
        result.value.x = rows.matrices[push.index][1].x""",
    ),
    'address_variable': (
        WORDS,
        (
            'uint copied[4]; for (uint i = 0; i < 4; i++) copied[i] = '
            'Words(push.address).values[push.index + i]; result.value.x = '
            'float(copied[push.other])'
        ),
    ),
}
# Every operation that consumes an image: the stage, whether the array is of what, and the value.
OPERATIONS = {
    'sample_implicit': (
        'frag',
        'uniform sampler2D things',
        'texture(things[push.index], vec2(0.5))',
    ),
    'sample_bias': (
        'frag',
        'uniform sampler2D things',
        'texture(things[push.index], vec2(0.5), 0.5)',
    ),
    'sample_explicit': (
        'comp',
        'uniform sampler2D things',
        'textureLod(things[push.index], vec2(0.5), 0.0)',
    ),
    'sample_gradient': (
        'comp',
        'uniform sampler2D things',
        'textureGrad(things[push.index], vec2(0.5), vec2(0.0), vec2(0.0))',
    ),
    'dref_implicit': (
        'frag',
        'uniform sampler2DShadow things',
        'vec4(texture(things[push.index], vec3(0.5)))',
    ),
    'dref_explicit': (
        'comp',
        'uniform sampler2DShadow things',
        'vec4(textureLod(things[push.index], vec3(0.5), 0.0))',
    ),
    'proj_implicit': (
        'frag',
        'uniform sampler2D things',
        'textureProj(things[push.index], vec3(0.5))',
    ),
    'proj_explicit': (
        'comp',
        'uniform sampler2D things',
        'textureProjLod(things[push.index], vec3(0.5), 0.0)',
    ),
    'proj_dref_implicit': (
        'frag',
        'uniform sampler2DShadow things',
        'vec4(textureProj(things[push.index], vec4(0.5)))',
    ),
    'proj_dref_explicit': (
        'comp',
        'uniform sampler2DShadow things',
        'vec4(textureProjLod(things[push.index], vec4(0.5), 0.0))',
    ),
    'gather': ('comp', 'uniform sampler2D things', 'textureGather(things[push.index], vec2(0.5))'),
    'dref_gather': (
        'comp',
        'uniform sampler2DShadow things',
        'textureGather(things[push.index], vec2(0.5), 0.5)',
    ),
    'query_lod': (
        'frag',
        'uniform sampler2D things',
        'vec4(textureQueryLod(things[push.index], vec2(0.5)), 0.0, 0.0)',
    ),
    'query_size_lod': (
        'comp',
        'uniform sampler2D things',
        'vec4(textureSize(things[push.index], 0).xyxy)',
    ),
    'query_levels': (
        'comp',
        'uniform sampler2D things',
        'vec4(textureQueryLevels(things[push.index]))',
    ),
    'query_size': (
        'comp',
        'uniform writeonly image2D things',
        'vec4(imageSize(things[push.index]).xyxy)',
    ),
    'fetch': ('comp', 'uniform texture2D things', 'texelFetch(things[push.index], ivec2(0), 0)'),
    'fetch_sample': (
        'comp',
        'uniform texture2DMS things',
        'texelFetch(things[push.index], ivec2(0), 0)',
    ),
    'image_read': (
        'comp',
        'uniform readonly image2D things',
        'imageLoad(things[push.index], ivec2(0))',
    ),
    'image_write': (
        'comp',
        'uniform image2D things',
        None,
        'imageStore(things[push.index], ivec2(0), vec4(1.0))',
    ),
    'image_atomic': (
        'comp',
        'uniform uimage2D things',
        'vec4(imageAtomicAdd(things[push.index], ivec2(0), 1u))',
    ),
}
# Accesses after the call of a function that may end the invocation.
DISCARDED = (
    '#extension GL_EXT_terminate_invocation : require\n'
    + PARTS
    + 'float seen(uint value) { if (push.other == 1u) terminateInvocation; return float(value); }\n',
    """{ Parts parts = Parts(push.address);
        result.value.x = float(parts.first);
        result.value.y = seen(parts.second);
        result.value.z = float(parts.rest[0]);
        result.value.w = float(parts.rest[1]); }""",
)
IMAGE_FORMATS = {'image_read': ', rgba8', 'image_write': ', rgba8', 'image_atomic': ', r32ui'}
# And ways in which a descriptor gets from the array to where it is used.
FUNCTIONS = (
    'vec4 look(sampler2D image) { return textureLod(image, vec2(0.5), 0.0); }\nvec4 '
    'twice(sampler2D image) { return look(image) + look(image); }\n'
)
COMBINED = 'layout(binding = 2) uniform sampler2D things[6];\n'
LOOK = 'textureLod(things[push.index], vec2(0.5), 0.0)'
WAYS = {
    'in_function': (COMBINED + FUNCTIONS, 'result.value = look(things[push.index])'),
    'in_nested_function': (COMBINED + FUNCTIONS, 'result.value = twice(things[push.index])'),
    'in_global_function': (
        COMBINED + 'vec4 pick(uint i) { return textureLod(things[i], vec2(0.5), 0.0); }\n',
        'result.value = pick(push.index)',
    ),
    'in_loop': (
        COMBINED,
        (
            'for (uint i = 0; i <= push.index; i++) result.value += textureLod(things[i], '
            'vec2(0.5), 0.0)'
        ),
    ),
    'in_branch': (
        COMBINED,
        f'if (push.other == 0) result.value = {LOOK}; else result.value = vec4(1.0)',
    ),
    'in_switch': (
        COMBINED,
        (
            f'switch (push.other) {{ case 0: result.value = {LOOK}; break; case 1: '
            f'result.value = vec4(1.0); break; default: result.value = vec4(2.0); }}'
        ),
    ),
    'in_selection': (
        COMBINED,
        'result.value = textureLod(things[push.other == 0 ? push.index : 0], vec2(0.5), 0.0)',
    ),
    'in_short_circuit': (
        COMBINED,
        f'if (push.other == 0 && {LOOK}.x >= 0.0) result.value = vec4(1.0)',
    ),
    'nonuniform': (
        COMBINED,
        (
            'result.value = textureLod(things[nonuniformEXT(push.index + '
            'gl_LocalInvocationIndex - 1)], vec2(0.5), 0.0)'
        ),
    ),
    'twice_the_same': (
        COMBINED,
        f'result.value = {LOOK}; result.value += textureLod(things[push.index], vec2(0.25), 0.0)',
    ),
    'of_16_bits': (
        '#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require\n' + COMBINED,
        'result.value = textureLod(things[uint16_t(push.index)], vec2(0.5), 0.0)',
    ),
    'signed': (COMBINED, 'result.value = textureLod(things[int(push.index)], vec2(0.5), 0.0)'),
    'constant': (
        'layout(binding = 2) uniform sampler2D things[];\n',
        'result.value = textureLod(things[7], vec2(0.5), 0.0)',
    ),
    # Before main's first branch, as the beginning of a global variable.
    'sampled_certain': (
        'layout(binding = 1) uniform sampler the_sampler;\nlayout(binding = 2) uniform '
        'texture2D things[6];\n'
        'vec4 first = textureLod(sampler2D(things[2], the_sampler), vec2(0.5), 0.0);\n',
        'result.value = first',
    ),
    'specialized': (
        (
            'layout(constant_id = 3) const uint LENGTH = 6;\nlayout(binding = 2) uniform '
            'sampler2D things[LENGTH];\n'
        ),
        f'result.value = {LOOK}',
    ),
    'specialized_index': (
        'layout(constant_id = 3) const uint INDEX = 0;\n' + COMBINED,
        'result.value = textureLod(things[INDEX], vec2(0.5), 0.0)',
    ),
    'of_structs': (
        'layout(binding = 2) buffer Things { vec4 first; vec4 second[2]; } things[6];\n',
        'result.value = things[push.index].second[push.other]',
    ),
}
POSITION = 'vec4({0} == 1 ? 3.0 : -1.0, {0} == 2 ? 3.0 : -1.0, 0.0, 1.0)'
MESH = '#extension GL_EXT_mesh_shader : require\nlayout(local_size_x = 2) in;\n'
RAYS = '#extension GL_EXT_ray_tracing : require\n'
# A stage has the lines before main, the invocation that does the access, and the rest of main.
STAGES = {
    'vert': (
        '',
        'gl_VertexIndex == 1',
        '    gl_Position = ' + POSITION.format('gl_VertexIndex') + ';\n',
    ),
    'tesc': (
        'layout(vertices = 3) out;\n',
        'gl_InvocationID == 1',
        '    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;\n'
        '    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = '
        'gl_TessLevelInner[0] = 1.0;\n',
    ),
    'tese': (
        'layout(triangles) in;\n',
        'gl_TessCoord.x == 1.0',
        (
            '    gl_Position = gl_in[0].gl_Position * gl_TessCoord.x + gl_in[1].gl_Position * '
            'gl_TessCoord.y + gl_in[2].gl_Position * gl_TessCoord.z;\n'
        ),
    ),
    'geom': (
        'layout(triangles) in;\nlayout(triangle_strip, max_vertices = 3) out;\n',
        'gl_PrimitiveIDIn == 0',
        (
            '    for (int i = 0; i < 3; i++) {\n        gl_Position = gl_in[i].gl_Position;\n  '
            '      EmitVertex();\n    }\n'
        ),
    ),
    'frag': (
        'layout(location = 0) out vec4 color;\n',
        'gl_FragCoord.xy == vec2(10.5, 20.5)',
        '    color = vec4(1.0);\n',
    ),
    'comp': ('layout(local_size_x = 4) in;\n', 'gl_GlobalInvocationID.x == 5', ''),
    'task': (MESH, 'gl_LocalInvocationIndex == 1', '    EmitMeshTasksEXT(1, 1, 1);\n'),
    'mesh': (
        MESH + 'layout(triangles, max_vertices = 3, max_primitives = 1) out;\n',
        'gl_LocalInvocationIndex == 1',
        '    SetMeshOutputsEXT(3, 1);\n'
        + ''.join(
            f'    gl_MeshVerticesEXT[{i}].gl_Position = {POSITION.format(i)};\n' for i in range(3)
        )
        + '    gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2);\n',
    ),
    'rgen': (
        RAYS + 'layout(set = 1, binding = 0) uniform accelerationStructureEXT '
        'scene;\nlayout(location = 0) rayPayloadEXT uint payload;\n'
        'layout(location = 0) callableDataEXT uint called;\n',
        'gl_LaunchIDEXT.x == 1',
        '    traceRayEXT(scene, gl_RayFlagsNoneEXT, 0xff, 0, 0, 0, vec3(0.25, 0.25, -1.0), '
        '0.001, vec3(0.0, 0.0, 1.0), 100.0, 0);\n'
        '    traceRayEXT(scene, gl_RayFlagsNoneEXT, 0xff, 0, 0, 0, vec3(0.25, 0.25, -1.0), '
        '0.001, vec3(0.0, 0.0, -1.0), 100.0, 0);\n'
        '    executeCallableEXT(0, 0);\n',
    ),
    'rahit': (
        RAYS + 'layout(location = 0) rayPayloadInEXT uint payload;\n',
        'gl_LaunchIDEXT.x == 1',
        '    payload = 1;\n',
    ),
    'rchit': (
        RAYS + 'layout(location = 0) rayPayloadInEXT uint payload;\n',
        'gl_LaunchIDEXT.x == 1',
        '    payload = 2;\n',
    ),
    'rmiss': (
        RAYS + 'layout(location = 0) rayPayloadInEXT uint payload;\n',
        'gl_LaunchIDEXT.x == 1',
        '    payload = 3;\n',
    ),
    'rint': (RAYS, 'gl_LaunchIDEXT.x == 1', '    reportIntersectionEXT(1.5, 0);\n'),
    'rcall': (
        RAYS + 'layout(location = 0) callableDataInEXT uint called;\n',
        'gl_LaunchIDEXT.x == 1',
        '    called = 4;\n',
    ),
}
EVERYWHERE = (
    'vert',
    'tesc',
    'tese',
    'geom',
    'frag',
    'comp',
    'task',
    'mesh',
    'rgen',
    'rahit',
    'rchit',
    'rmiss',
    'rint',
    'rcall',
)
RUNTIME = ('frag', 'comp')
CONSTANT = ('frag', 'comp', 'rgen')
LENGTH = 6


def module(name, stage, declarations, access):
    head, condition, rest = STAGES[stage]
    print(f';; {name} {stage}+g')
    print(COMMON + head + declarations + 'void main()\n{')
    if access:
        print(f'    if ({condition})\n        {access};')
    print(rest + '}')


def declared(kind, length):
    beside, array, _ = KINDS[kind]
    return f'{RESULT}{beside}\nlayout(binding = 2{FORMATS.get(kind, "")}) {array}[{length}];\n'


def main():
    for stage in EVERYWHERE:
        module('plain_' + stage, stage, '', None)
        for kind, (_, _, access) in KINDS.items():
            module(f'{kind}_{stage}', stage, declared(kind, LENGTH), f'result.value = {access}')
            if stage in RUNTIME:
                module(
                    f'{kind}_runtime_{stage}', stage, declared(kind, ''), f'result.value = {access}'
                )
            if stage in CONSTANT:
                module(
                    f'{kind}_constant_{stage}',
                    stage,
                    declared(kind, LENGTH),
                    f'result.value = {access.replace("push.index", "2")}',
                )
        for name, (declarations, access) in ACCESSES.items():
            module(f'{name}_{stage}', stage, RESULT + declarations, access)
    for name, (stage, array, value, *statement) in OPERATIONS.items():
        module(
            f'{name}_{stage}',
            stage,
            f'{RESULT}layout(binding = 2{IMAGE_FORMATS.get(name, "")}) {array}[{LENGTH}];\n',
            statement[0] if statement else f'result.value = {value}',
        )
    declarations, access = DISCARDED
    module('address_parts_discarded_frag', 'frag', RESULT + declarations, access)
    for name, (declarations, access) in (MORE | WAYS).items():
        module(
            f'{name}_comp',
            'comp',
            RESULT + declarations,
            '{ ' + access + '; }' if ';' in access else access,
        )


if __name__ == '__main__':
    main()
