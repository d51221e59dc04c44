#version 450
layout(push_constant) uniform Push { vec4 offset; } push;
layout(set = 0, binding = 0) uniform Scene { vec4 scale; } scene;
void main()
{
    vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
    gl_Position = vec4(corner, 0.0, 1.0) * scene.scale + push.offset;
}
