#version 450
layout(location = 0) in vec2 passed;
layout(location = 0) out vec4 color;
layout(set = 0, binding = 1) uniform sampler2D combined;
layout(set = 0, binding = 2) readonly buffer Storage
{
    vec4 values[];
};
layout(push_constant) uniform Push
{
    vec4 pushed;
};
void main()
{
    color = texture(combined, passed) + values[0] + pushed;
}
