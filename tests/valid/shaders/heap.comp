#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer B { uint values[16]; };
layout(set = 1, binding = 3) uniform U { uint factor; uint unread, also, more; };
void main() { values[gl_LocalInvocationIndex] = gl_LocalInvocationIndex * factor; }
