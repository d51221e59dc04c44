#version 460
#extension GL_EXT_abort : require

// Moves particles by their speed. What must hold is asserted: a particle that breaks it ends the shader, and its message comes back to the program.
layout(local_size_x = 64) in;

struct Particle {
    vec3 place;
    float mass;
    vec3 speed;
    uint kind;
};
layout(set = 0, binding = 0, std430) buffer Particles { Particle particle[]; };
layout(push_constant) uniform Step { uint count; float time; };

void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i >= count)
        return;
    Particle p = particle[i];
    if (!(p.mass > 0.0))
        abortEXT("particle %u of kind %u has the mass %f", i, p.kind, p.mass);
    if (any(isnan(p.speed)))
        abortEXT("particle %u: the speed is %v3f", i, p.speed);
    particle[i].place = p.place + p.speed * time;
}
