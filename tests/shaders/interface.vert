#version 460
// Interface blocks, matrices, arrays, built-ins.
layout(location = 0) in vec3 position;
layout(location = 1) in ivec4 joints;
layout(location = 2) in mat3 frame;
layout(location = 0) out Surface {
    vec3 normal;
    flat ivec4 joints;
    centroid vec2 uv[2];
} surface;
layout(set = 0, binding = 0) uniform Camera {
    layout(row_major) mat4 view[2];
    mat4x3 bones[16];
} camera;
out gl_PerVertex {
    vec4 gl_Position;
    float gl_ClipDistance[2];
};

void main()
{
    surface.normal = frame * vec3(0, 0, 1);
    surface.joints = joints;
    surface.uv[0] = position.xy;
    surface.uv[1] = position.yz;
    gl_Position = camera.view[gl_InstanceIndex & 1] * vec4(position, 1);
    gl_ClipDistance[0] = gl_Position.x;
    gl_ClipDistance[1] = float(gl_VertexIndex);
}
