#version 460
#extension GL_EXT_abort : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_buffer_reference : require
// abortEXT in functions, at all depths, and messages of many types: tests/unit/abort.c
layout(local_size_x = 64) in;
layout(buffer_reference) buffer Address { uint value; };
layout(std430, set = 0, binding = 0) buffer Data
{
    uint n;
    float f;
    u64vec2 q;
    uint8_t a;
    float16_t h;
    mat3 m;
    double d;
    Address p;
    uint counts[64];
} b;

uint checked(uint x)
{
    if (x == 3u)
        abortEXT("in checked: %u", x);
    b.n++;
    return x + 1u;
}

bool deep(uint x)
{
    for (uint i = 0u; i < x; i = checked(i)) {
        switch (b.counts[i]) {
        case 0u:
            continue;
        case 1u:
            if (checked(i) == 5u)
                break;
        case 2u:
            do {
                b.n += checked(i);
            } while (checked(b.n) < 9u && checked(i) != 2u);
            break;
        default:
            while (checked(i) < x) {
                if (i == 7u)
                    return false;
                i++;
            }
        }
        b.counts[i] = i;
    }
    return true;
}

void main()
{
    if (b.n == 5u) {
        uint testval = 65536;
        abortEXT("test: %u", testval);
    }
    if (b.n == 6u)
        abortEXT("a %v2u %f %v2lu %hu %hf %f %d", uvec2(1, b.n), b.f, b.q, b.a, b.h, b.d, -1);
    if (b.n == 7u)
        abortEXT("no arguments");
    uint n = b.n > 9u && deep(b.n) ? checked(2u) : 4u;
    b.n = 9 + n;
}
