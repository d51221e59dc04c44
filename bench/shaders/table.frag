#version 450
// A large array of buffers: which one is read is known on the device alone.
layout(set = 0, binding = 0) uniform Scene { vec4 scale; } scene;
layout(set = 0, binding = 1) readonly buffer Data { vec4 colour; } data[16384];
layout(location = 0) out vec4 colour;
void main()
{
    colour = data[uint(scene.scale.x) & 16383u].colour;
}
