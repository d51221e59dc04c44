#version 460
// The operations of 8, 16 and 64 bits that the sanitizer looks at.
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 8) in;
layout(std430, set = 0, binding = 0) buffer Data {
    u8vec4 u8;
    i8vec4 i8;
    u16vec3 u16;
    i16vec3 i16;
    u64vec2 u64;
    i64vec2 i64;
    f16vec4 f16;
    f64vec2 f64;
} data;

void main()
{
    uint at = gl_LocalInvocationIndex;
    data.u8 = data.u8 / data.u8.wzyx;
    data.i8 = data.i8 / data.i8.wzyx + data.i8.x % data.i8.y;
    data.u16 = data.u16 / data.u16.zyx + uint16_t(data.u16.x << data.u16.y);
    data.i16 = data.i16 / data.i16.zyx;
    data.i16.x = int16_t(data.i16.x / data.i16.y);
    data.u64 = data.u64 / data.u64.yx;
    data.i64 = data.i64 / data.i64.yx + (data.i64 << data.u64);
    data.i64.x = data.i64.x / data.i64.y + (data.i64.x >> at);
    data.f16 = pow(data.f16, data.f16.wzyx) + min(data.f16, data.f16.wzyx) + sqrt(data.f16) + f16vec4(asin(data.f16.x));
    data.f64 = sqrt(data.f64) + mod(data.f64, data.f64.yx) + clamp(data.f64, data.f64.yx, f64vec2(1)) + max(data.f64, data.f64.yx);
    data.f64.x = smoothstep(data.f64.x, data.f64.y, 0.5lf) + inversesqrt(data.f64.y);
}
