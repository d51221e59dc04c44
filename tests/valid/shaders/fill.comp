#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer B { uint values[]; };
layout(constant_id = 3) const uint factor = 2;
void main() { if (gl_GlobalInvocationID.x < values.length()) values[gl_GlobalInvocationID.x] = gl_GlobalInvocationID.x * factor; }
