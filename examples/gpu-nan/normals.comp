#version 460
// Brings the normals of a mesh to unit length. One of length 0 has no direction.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Normals { vec4 normals[]; };
layout(binding = 1) writeonly buffer Units { vec4 units[]; };
layout(push_constant) uniform Step { uint count; };

void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i >= count)
        return;
    vec4 normal = normals[i];
    float size = sqrt(dot(normal.xyz, normal.xyz));
    units[i] = vec4(normal.xyz / size, 0.0);
}
