#version 450

layout(xfb_buffer = 0, xfb_stride = 16) out;

out gl_PerVertex
{
    layout(xfb_offset = 0) vec4 gl_Position;
};

void main()
{
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
