#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) uniform Inline { uvec4 given; };
layout(set = 0, binding = 1) buffer B { uint values[]; };
void main() { if (gl_GlobalInvocationID.x < values.length()) values[gl_GlobalInvocationID.x] = given.x; }
