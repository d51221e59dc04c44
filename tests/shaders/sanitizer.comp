#version 460
// The operations of 32 bits that the sanitizer looks at: scalars and vectors, with what cannot go
// wrong beside what can.
layout(local_size_x = 8) in;
layout(std430, set = 0, binding = 0) buffer Data {
    uvec4 u[16];
    ivec4 i[16];
    vec4 f[16];
} data;
layout(constant_id = 3) const uint SCALE = 4;

void integers(uint at)
{
    uvec4 u = data.u[at], v = data.u[at + 1];
    ivec4 i = data.i[at], j = data.i[at + 1];
    data.u[at].x = u.x / v.x + u.y % v.y + u.z / 7u + u.w % max(v.w, 1u) + u.x / (v.y | 1u) + u.y / SCALE + u.x / v.x;
    data.i[at].x = i.x / j.x + i.y % j.y + i.z / -1 + i.w / 5;
    data.u[at + 2] = u / v + u % v;
    data.u[at + 2].xy = u.xy / v.zw;
    data.i[at + 2].xyz = i.xyz / j.xyz;
    data.u[at + 3].x = u.x << v.x | u.y >> v.y | u.z << 3 | u.w >> (v.w & 31u) | u.w << 32;
    data.i[at + 3] = i >> j;
    data.i[at + 4] = i << v;
    data.u[at + 5].x = bitfieldExtract(u.x, i.x, i.y) + bitfieldInsert(u.x, u.y, i.z, 4) + bitfieldExtract(u.z, 3, 5);
    data.i[at + 5].x = bitfieldExtract(i.x, i.z, i.w) + clamp(i.x, i.y, i.z) + clamp(i.x, 0, 5);
    data.u[at + 6] = clamp(u, v, uvec4(9));
    data.u[at + 7][v.x] = u[v.y] + (u + v)[v.z];
}

void reals(uint at)
{
    vec4 a = data.f[at], b = data.f[at + 1];
    data.f[at].x = pow(a.x, b.x) + pow(a.y, 2.2) + pow(2.0, a.z) + atan(a.x, b.x) + atan(1.0, b.y) + mod(a.x, b.x) + mod(a.y, 3.0);
    data.f[at + 2] = pow(a, b) + atan(a, b) + min(a, b) + max(a, vec4(0)) + mod(a, b);
    data.f[at + 3].xy = sqrt(a.xy) + inversesqrt(a.zw) + log(b.xy) + log2(b.zw) + asin(a.xy) + acos(b.xy);
    data.f[at + 4].x = acosh(a.x) + atanh(a.y) + smoothstep(a.x, a.y, a.z) + smoothstep(0.0, 1.0, a.w) + clamp(a.x, a.y, a.z) + a.x / b.x;
    data.f[at + 5].xyz = smoothstep(a.xyz, b.xyz, vec3(0.5)) + clamp(a.xyz, vec3(0), vec3(1)) + clamp(a.xyz, vec3(-1), b.xyz);
}

void main()
{
    for (uint at = 0; at < SCALE; at++) {
        if (data.u[at].x / data.u[at].y > 3)
            integers(at);
        else
            reals(at);
    }
}
