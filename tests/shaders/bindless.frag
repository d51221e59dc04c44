#version 460
// What is instrumented, in one: arrays of all kinds of descriptors, one indexed in a loop, one handed to a function, runtime arrays, buffers with and without an end.
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require

layout(set = 0, binding = 0) uniform sampler2D fixed_array[6];
layout(set = 0, binding = 1) uniform texture2DArray runtime[];
layout(set = 0, binding = 2) uniform sampler samplers[4];
layout(set = 1, binding = 0, rgba8) uniform image2D images[3];
layout(set = 1, binding = 1) uniform samplerBuffer texels[2];
layout(set = 1, binding = 2, r32ui) uniform uimageBuffer words;
layout(set = 2, binding = 0) uniform Block { mat4 matrix; vec4 rows[8]; layout(row_major) mat3 other; } blocks[2];
layout(set = 2, binding = 1) buffer Data { uint count; vec4 data[]; } data[];
layout(set = 2, binding = 2) buffer Fixed { uint count; uvec2 pairs[16]; } single;

layout(location = 0) flat in int index;
layout(location = 1) in vec2 at;
layout(location = 0) out vec4 color;

vec4 look(sampler2D from, vec2 where)
{
    return texture(from, where);
}

void main()
{
    color = texture(fixed_array[index], at) + look(fixed_array[index + 1], at);
    color += texture(nonuniformEXT(sampler2DArray(runtime[nonuniformEXT(index)], samplers[index & 3])), vec3(at, 1.0));
    color += texelFetch(runtime[2], ivec3(0), 0);
    for (int i = 0; i < index; i++) {
        imageStore(images[i], ivec2(i), color * blocks[i].matrix + blocks[1].rows[i]);
        color.xyz += blocks[i].other[i & 1];
        if (data[i].count > 3)
            color += data[nonuniformEXT(i)].data[i + 1] + data[i].data[i + 1].x;
    }
    color += texelFetch(texels[index], index) * blocks[0].matrix[1][2];
    color.x += float(imageLoad(words, index).x) + float(imageAtomicAdd(words, 3, 4u));
    single.pairs[index].y = single.count + data[0].data.length();
    atomicAdd(single.pairs[3].x, 2u);
}
