#version 460
#extension GL_EXT_buffer_reference : require
// A shader that never ends by itself, or writes where nothing is: as a compute shader (COMPUTE) and
// as a vertex shader.

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Place
{
    uint value;
};

// The program opens it when it has waited long enough; until then it never changes.
layout(set = 0, binding = 0) readonly buffer Gate
{
    volatile uint open;
} gate;

layout(push_constant) uniform Push
{
    Place place;
    uint faults;
} push;

#ifdef COMPUTE
layout(local_size_x = 1) in;
#endif

void main()
{
    if (push.faults != 0u)
        push.place.value = 1u;
    else
        while (gate.open == 0u) {
        }
#ifndef COMPUTE
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
    gl_PointSize = 1.0;
#endif
}
