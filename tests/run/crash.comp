#version 450
// A buffer of 16 numbers, and where to write in it.
layout(set = 0, binding = 0) buffer Particles { uint count; uint places[]; } particles;
layout(push_constant) uniform Which { uint index; } which;
layout(local_size_x = 1) in;

void main()
{
    particles.places[which.index] = 7;
}
