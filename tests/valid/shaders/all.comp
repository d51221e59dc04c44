#version 450
/* One of each descriptor that a dispatch may read. */
layout(local_size_x = 4, local_size_y = 2) in;
layout(constant_id = 0) const uint factor = 2;
layout(set = 0, binding = 0) uniform Uniform
{
    vec4 scale;
};
layout(set = 0, binding = 1) uniform sampler2D combined;
layout(set = 0, binding = 2) buffer Storage
{
    vec4 values[];
};
layout(set = 0, binding = 3, rgba8) uniform image2D target;
layout(set = 0, binding = 4) uniform texture2D separate;
layout(set = 0, binding = 5) uniform sampler alone;
layout(set = 0, binding = 6) uniform usamplerBuffer texels;
layout(push_constant) uniform Push
{
    vec4 pushed;
};
void main()
{
    uint index = gl_GlobalInvocationID.x % 4;
    vec2 at = vec2(gl_GlobalInvocationID.xy) * pushed.xy;
    vec4 sum = textureLod(combined, at, 0.0) + textureLod(sampler2D(separate, alone), at, 0.0);
    sum += vec4(texelFetch(texels, int(index))) * scale * float(factor);
    values[index] = sum;
    imageStore(target, ivec2(gl_GlobalInvocationID.xy) & 7, sum);
}
