#version 450
/* Red grows to the right, green downwards: every pixel says where it is. Blue is pushed. */
layout(location = 0) out vec4 color;
layout(push_constant) uniform Push
{
    float blue;
};
void main()
{
    color = vec4((gl_FragCoord.x - 0.5) / 255.0, (gl_FragCoord.y - 0.5) / 255.0, blue, 1.0);
}
