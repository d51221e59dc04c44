#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec2 coordinate;
layout(location = 0) out vec2 passed;
layout(set = 0, binding = 0) uniform Uniform
{
    vec4 scale;
};
layout(push_constant) uniform Push
{
    vec4 pushed;
};
void main()
{
    passed = coordinate;
    gl_Position = position * scale + pushed;
}
